"""Naive Bayes (朴素贝叶斯; chapter 08; notes C 1, C 4).

X (N, D) holds the samples: bits, or categories 0..M_i - 1 of feature i; t (N,) the class of each, 0..K-1, N_k of them
in class k (t = 1 is C_1; the notes call t = 0 C_2). π (K,) are the shares of the classes, θ_iv|k = p(x_i = v|C_k) the
conditionals; of bits, μ_i|k = θ_i1|k.
"""

from dataclasses import dataclass

import numpy as np

from .guards import checks
from .guards.shapes import takes
from .solvers import counts
from .special import softmax


@dataclass(frozen=True, eq=False)
class Model:
    """p(x, C_k) = π_k Π_i θ_i,x_i|k: prior (K,), theta (K, D, M), 0 for v >= n_values[i], n_values (D,)  [C-4.1-2]."""

    prior: np.ndarray
    theta: np.ndarray
    n_values: np.ndarray

    @property
    def mu(self) -> np.ndarray:
        """μ_i|k = p(x_i = 1|C_k) of bits, (K, D)  [C-4.1-3]."""
        return self.theta[:, :, 1]

    def __eq__(self, other: object) -> bool:
        """Whether both are models with the same numbers."""
        return isinstance(other, Model) and all(map(np.array_equal, vars(self).values(), vars(other).values()))


def bernoulli(pi, mu_1, mu_0):
    """The model of bits with p(t = 1) = π, p(x_i = 1|t = 1) = μ_i|1, p(x_i = 1|t = 0) = μ_i|0  [C-4.1-3, C-4.2-1].

    pi from 0 to 1, mu_1 and mu_0 (D,) from 0 to 1. Gives a `Model` of K = 2 classes.
    """
    pi, mu_1 = checks.fraction(pi, "pi"), checks.fractions(mu_1, "mu_1")
    mu = np.stack([checks.fractions(mu_0, "mu_0", len(mu_1)), mu_1])
    return Model(np.array([1 - pi, pi]), np.stack([1 - mu, mu], axis=2), np.full(len(mu_1), 2))


def smoothed(counts, smoothing=1.0):
    """φ_j = (n_j + s)/(m + ks), m = Σ_j n_j, j = 1..k: s = 0 maximum likelihood, 1 Laplace's rule  [C-4.4-2, C-4.4-3].

    counts (..., k) >= 0. Raises ValueError where there is nothing to divide, m = s = 0.
    """
    counts, smoothing = np.asarray(counts, float), np.asarray(smoothing, float)
    n = counts + smoothing
    m = n.sum(axis=-1, keepdims=True)
    if not (counts.min(initial=0) >= 0 and (smoothing >= 0).all() and m.max(initial=0) < np.inf):
        raise ValueError("counts and smoothing must be finite numbers >= 0; check both")
    if m.min(initial=1) == 0:
        raise ValueError("counts are all 0: without smoothing the shares are 0/0; give smoothing > 0")
    return n / m


def fit(X, t, smoothing=1.0, prior_smoothing=0.0, n_values=None):
    """π_k = N_k/N, θ_iv|k = (N_iv|k + s)/(N_k + M_i s)  [C-4.2-5, C-4.2-6, C-4.2-7, C-4.2-8, C-4.3-3, C-4.4-4].

    X (N, D) of bits; or of categories 0..M_i - 1, with n_values their numbers M_i (one number, or one per feature).
    t (N,) class numbers 0..K-1, each of them present. smoothing s >= 0 is added to every count, 0 is maximum
    likelihood; prior_smoothing to N_k: by the notes none (erratum C19). Gives a `Model`.
    """
    s, s_prior = checks.nonnegative(smoothing, "smoothing"), checks.nonnegative(prior_smoothing, "prior_smoothing")
    if n_values is None:
        X, t = checks.bit_classes(X, t)
        n_values, n = np.full(X.shape[1], 2), counts.of_bits(X, t)
    else:
        X, t, n_values = checks.category_classes(X, t, n_values)
        n = counts.of_values(X, t, n_values)
    possible = np.arange(n.shape[2]) < n_values[:, None]
    return Model(smoothed(np.bincount(t), s_prior), smoothed(n, s * possible), n_values)


@takes(mu="D shares", X="N D bits")
def class_conditional(mu, X):
    """p(x|C_k) = Π_i μ_i^x_i (1 - μ_i)^(1 - x_i), as printed: with many features it underflows  [C-4.1-4].

    mu (D,) of one class, X (N, D) of bits.
    """
    return np.prod(mu**X * (1 - mu) ** (1 - X), axis=1)


def log_joint(model, X):
    """ln p(x, C_k) = ln π_k + Σ_i ln θ_i,x_i|k, (N, K); -inf where it is impossible  [C-4-1, C-4.2-2, C-4.2-3].

    X (N, D), values as those of the fit. ValueError for a value that the model does not know.
    """
    with np.errstate(divide="ignore"):
        log_prior, log_theta = np.log(model.prior), np.log(model.theta)
    if (model.n_values == 2).all():
        return log_prior + counts.sum_of_bits(log_theta, checks.bit_samples(X, len(model.n_values)))
    return log_prior + counts.sum_of_values(log_theta, checks.category_samples(X, model.n_values))


def log_likelihood(model, X, t):
    """ln p(t, X|π, μ) = Σ_n ln p(x_n, C_t_n)  [C-4.2-4].

    X (N, D), t (N,) class numbers of the model.
    """
    A = log_joint(model, X)
    return np.sum(A[np.arange(len(A)), checks.known_classes(t, *A.shape)])


def log_odds(model, X):
    """a = ln p(x|C_1)p(C_1)/p(x|C_0)p(C_0), of two classes; p(C_1|x) = σ(a)  [C-4-2, C-4-3].

    X (N, D). ValueError where both joint probabilities are 0.
    """
    A = _possible(log_joint(model, X))
    if A.shape[1] != 2:
        raise ValueError(f"the model has {A.shape[1]} classes; the odds are of two: see log_joint, posterior")
    return A[:, 1] - A[:, 0]


def posterior(model, X):
    """p(C_k|x) = p(x|C_k)p(C_k)/p(x), p(x) = Σ_k p(x|C_k)p(C_k): (N, K)  [C-1-9, C-1-10, C-4.3-1].

    X (N, D). ValueError where p(x) = 0, in all classes: 0/0, which smoothing > 0 avoids  [C-4.4-1].
    """
    return softmax(_possible(log_joint(model, X)))  # a class's log joint probability is a score of chapter 05


def predict(model, X):
    """arg max_k p(C_k|x), the class number 0..K-1.

    X (N, D). ValueError where p(x) = 0: 0/0 says nothing.
    """
    return np.argmax(_possible(log_joint(model, X)), axis=1)


def as_linear(model):
    """w_i = ln μ_i|1(1 - μ_i|0)/(μ_i|0(1 - μ_i|1)), b = ln π/(1 - π) + Σ_i ln (1 - μ_i|1)/(1 - μ_i|0)  [C-4.3-2].

    For two classes of bits, p(C_1|x) = σ(w·x + b). Gives w (D,), b. ValueError where a μ or π is 0 or 1: its weight is
    infinite.
    """
    if len(model.prior) != 2 or (model.n_values != 2).any():
        raise ValueError(f"theta has shape {model.theta.shape}; two classes of bits, (2, D, 2), are expected")
    if not (model.theta > 0).all() or not (model.prior > 0).all():
        raise ValueError("a probability of the model is 0: its weight would be infinite; fit with smoothing > 0")
    ratio = np.diff(np.log(model.theta), axis=0)[0]
    return ratio[:, 1] - ratio[:, 0], np.diff(np.log(model.prior))[0] + ratio[:, 0].sum()


def sample(model, N, *, rng):
    """N new samples of the model: t from π, then each x_i from θ_i|t, X (N, D), t (N,)  [C-1-10].

    rng a numpy.random.Generator.
    """
    N, rng = checks.count(N, "N"), checks.generator(rng)
    t = (rng.random((N, 1)) >= np.cumsum(model.prior)[:-1]).sum(axis=1)
    u = rng.random((N, len(model.n_values)))
    below = np.cumsum(model.theta, axis=2)
    X = np.zeros(u.shape, int)
    for v in range(below.shape[2] - 1):
        X += u >= below[t, :, v]
    return np.minimum(X, model.n_values - 1), t  # Σ_v θ_v may be 1 - 1e-16


def _possible(A):
    if np.isneginf(A.min()) and (bad := np.flatnonzero(np.isneginf(A).all(axis=1))).size:
        raise ValueError(
            f"the sample in row {bad[0]} has probability 0 in every class: its posterior is 0/0; "
            "fit with smoothing > 0 (chapter 08, section 4.4 of the notes)"
        )
    return A

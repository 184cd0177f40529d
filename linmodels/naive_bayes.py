"""Naive Bayes (朴素贝叶斯; chapter 08; notes C 1, C 4).

X (N, d) holds the samples: bits, or categories 0..M_i - 1 of feature i; t (N,) the class of each, 0..K-1, N_k >= 1 of
them in class k (t = 1 is C_1; the notes call t = 0 C_2). π (K,) are the shares of the classes, θ_iv|k = p(x_i = v|C_k)
the conditionals; of bits, μ_i|k = θ_i1|k.
"""

from dataclasses import dataclass

import numpy as np

from .design import one_hot
from .guards import checks
from .guards.shapes import takes, unchecked
from .special import softmax

LARGEST_TABLE = 2**25  # numbers, 256 MiB


@dataclass(frozen=True, eq=False)
class Model:
    """p(x, C_k) = π_k Π_i θ_i,x_i|k: prior (K,), theta (K, d, M), 0 for v >= n_values[i], n_values (d,)  [C-4.1-2]."""

    prior: np.ndarray
    theta: np.ndarray
    n_values: np.ndarray

    @property
    def mu(self) -> np.ndarray:
        """μ_i|k = p(x_i = 1|C_k) of bits, (K, d)  [C-4.1-3]."""
        return self.theta[:, :, 1]

    def __eq__(self, other: object) -> bool:
        """Whether both are models with the same numbers."""
        return isinstance(other, Model) and all(map(np.array_equal, vars(self).values(), vars(other).values()))


@takes(pi="number share", mu_1="d share", mu_0="d share")
def bernoulli(pi, mu_1, mu_0):
    """The model of bits with p(t = 1) = π, p(x_i = 1|t = 1) = μ_i|1, p(x_i = 1|t = 0) = μ_i|0  [C-4.1-3, C-4.2-1].

    Gives a `Model` of K = 2 classes.

    >>> bernoulli(1 / 4, [1 / 2, 1 / 3], [1 / 5, 3 / 4]).mu.round(3)  # class 0 comes first
    array([[0.2  , 0.75 ],
           [0.5  , 0.333]])
    """
    mu = np.array([mu_0, mu_1], float)
    return Model(np.array([1 - pi, pi]), np.stack([1 - mu, mu], axis=2), np.full(len(mu_1), 2))


def _values_occur(X, n_values=None):
    """X (N, d) of bits, or of the categories 0..M_i - 1 that n_values counts."""
    if n_values is not None and not np.all(n_values == np.clip(np.round(n_values), 1, 10**6)):
        found = np.unique(n_values)[:4]
        raise ValueError(f"n_values must hold whole numbers from 1 to a million, found {found}; give how many occur")
    M = np.full(X.shape[1], 2 if n_values is None else n_values).astype(int)
    if X.shape[1] * M.max() > LARGEST_TABLE:
        raise ValueError(
            f"n_values reach {M.max():g}: a table of {X.shape[1] * M.max():g} probabilities a class is too large; "
            "number the values of each feature 0, 1, 2, ... and give how many there are"
        )
    if X.min() < 0 or (X.max(axis=0) >= M).any() or (X != np.floor(X)).any():
        bad = (X != np.round(X)) | (X < 0) | (X >= M)
        i, j = np.argwhere(bad)[0]
        remedy = "np.greater(X, 0) makes bits of counts, n_values=(...) tells `fit` how many values each feature has"
        if (X != np.round(X)).any():
            remedy = "np.greater(X, c) makes bits of measurements, c (d,) a threshold for each feature"
        known = f"feature {j} has the values 0..{M[j] - 1:g} by n_values: give one of these"
        expected = f"bits, 0 and 1, are expected: {remedy}" if n_values is None else known
        raise ValueError(f"X holds {X[i, j]:g} at row {i}, column {j}; {expected}")


def _shares_exist(counts, smoothing=1.0):
    """Counts and what is added to them, finite and >= 0, not all of them 0."""
    with np.errstate(over="ignore"):
        m = np.sum(counts + smoothing, axis=-1)
    if not (np.min(counts, initial=0) >= 0 and np.min(smoothing) >= 0 and np.max(m, initial=0) < np.inf):
        raise ValueError("counts and smoothing must be finite numbers >= 0; check both")
    if np.min(m, initial=1) == 0:
        raise ValueError("counts are all 0: without smoothing the shares are 0/0; give smoothing > 0")


def _require_model(model):
    if not isinstance(model, Model):
        raise TypeError(f"model must be a naive_bayes.Model, as `fit` gives one; found {type(model).__name__}")


def _known(model, X, t=None):
    """Values X (N, d), and classes t (N,), that the model knows."""
    _require_model(model)
    if X.shape[1] != len(model.n_values):
        raise ValueError(f"X has {X.shape[1]} features; {len(model.n_values)} are expected, as in the data of the fit")
    _values_occur(X, None if (model.n_values == 2).all() else model.n_values)
    if t is not None:
        checks.known_classes(t, len(model.prior))


def _possible(model, X):
    """Values X (N, d) that the model knows; each sample has a positive probability in some class."""
    _known(model, X)
    if model.theta.min() > 0 and model.prior.min() > 0:
        return
    possible = np.tile(model.prior > 0, (len(X), 1))
    for i, x in enumerate(X.T.astype(int)):
        possible &= (model.theta[:, i].T > 0)[x]
    bad = np.flatnonzero(~possible.any(axis=1))
    if bad.size:
        raise ValueError(
            f"the sample in row {bad[0]} has probability 0 in every class: its posterior is 0/0; "
            "fit with smoothing > 0 (chapter 08; note C, section 4.4)"
        )


def _possible_in_two_classes(model, X):
    """The same, of a model of two classes."""
    _require_model(model)
    if len(model.prior) != 2:
        raise ValueError(f"the model has {len(model.prior)} classes; the odds are of two: see log_joint, posterior")
    _possible(model, X)


def _positive_model_of_bits(model):
    """A model of two classes of bits, in which everything is possible."""
    _require_model(model)
    if len(model.prior) != 2 or (model.n_values != 2).any():
        raise ValueError(f"theta has shape {model.theta.shape}; two classes of bits, (2, d, 2), are expected")
    if not (model.theta > 0).all() or not (model.prior > 0).all():
        raise ValueError("a probability of the model is 0: its weight would be infinite; fit with smoothing > 0")


@takes(X="N d", t="N classes", n_values="number or d or None", together=_values_occur)
def counts(X, t, n_values=None):
    """N_iv|k = Σ_n 1{t_n = k} 1{x_ni = v}, how often class k has value v of feature i
    [C-4.1-1, C-4.2-6, C-4.2-7, C-4.3-3].

    X holds bits; or categories 0..M_i - 1, with n_values their numbers M_i (one number, or one per feature). Gives (K,
    d, M), M the largest M_i.

    >>> counts([[1, 0], [1, 1], [0, 0], [0, 1]], [1, 1, 1, 0]).tolist()
    [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]]]
    """
    M = 2 if n_values is None else int(np.max(n_values))
    T = one_hot(t)
    return np.stack([T.T @ (X == v) for v in range(M)], axis=2)


@takes(counts="... any", smoothing="... any", together=_shares_exist)
def smoothed(counts, smoothing=1.0):
    """φ_j = (n_j + s)/(m + Ms), m = Σ_j n_j, j = 1..M: s = 0 maximum likelihood, 1 Laplace's rule  [C-4.4-2, C-4.4-3].

    counts holds the n_j >= 0, j along its last axis. Raises ValueError where m = s = 0: there is nothing to divide.

    >>> smoothed([2, 0, 1, 0]).round(3)  # (3, 1, 2, 1)/7
    array([0.429, 0.143, 0.286, 0.143])
    """
    n = counts + smoothing
    return n / n.sum(axis=-1, keepdims=True)


@takes(
    X="N d",
    t="N classes",
    smoothing="number nonnegative",
    prior_smoothing="number nonnegative",
    n_values="number or d or None",
    together=_values_occur,
)
def fit(X, t, smoothing=1.0, prior_smoothing=0.0, n_values=None):
    """π_k = N_k/N, θ_iv|k = (N_iv|k + s)/(N_k + M_i s)  [C-4.2-5, C-4.2-6, C-4.2-7, C-4.2-8, C-4.3-3, C-4.4-4].

    These are the shares that `smoothed` makes of `counts`. Gives a `Model`. X, t and n_values are as in `counts`.
    smoothing s >= 0 is added to every count; 0 is maximum likelihood. prior_smoothing is added to N_k: by the notes
    none (erratum C19).

    >>> model = fit([[1, 0], [1, 1], [0, 0], [0, 1]], [1, 1, 1, 0])
    >>> model.mu.round(3)  # (0 + 1)/(1 + 2), (1 + 1)/(1 + 2); (2 + 1)/(3 + 2), (1 + 1)/(3 + 2)
    array([[0.333, 0.667],
           [0.6  , 0.4  ]])
    """
    n = unchecked(counts)(X, t, n_values)  # the values have been looked at
    M = np.full(X.shape[1], 2 if n_values is None else n_values).astype(int)
    possible = np.arange(n.shape[2]) < M[:, None]  # a value that attribute i cannot have gets no share
    return Model(smoothed(np.bincount(t), prior_smoothing), smoothed(n, smoothing * possible), M)


@takes(mu="d share", X="N d bits")
def class_conditional(mu, X):
    """p(x|C_k) = Π_i μ_i^x_i (1 - μ_i)^(1 - x_i), as printed: with many features it underflows  [C-4.1-4].

    mu belongs to one class.

    >>> class_conditional([0.5, 0.25], [[1, 0]])  # 1/2 · 3/4
    array([0.375])
    """
    return np.prod(mu**X * (1 - mu) ** (1 - X), axis=1)


@takes(X="N d", infinite=True, together=_known)
def log_joint(model, X):
    """ln p(x, C_k) = ln π_k + Σ_i ln θ_i,x_i|k = ln π_k + Σ_v Σ_i 1{x_i = v} ln θ_iv|k  [C-4-1, C-4.2-2, C-4.2-3].

    X holds values as those of the fit. Gives (N, K), -inf where x is impossible. Raises ValueError for a value that the
    model does not know.

    >>> model = bernoulli(1 / 4, [1 / 2, 1 / 3], [1 / 5, 3 / 4])
    >>> np.exp(log_joint(model, [[1, 0]])).round(4)  # 3/4 · 1/5 · 1/4, 1/4 · 1/2 · 2/3
    array([[0.0375, 0.0833]])
    """
    never, values = model.theta == 0, range(model.theta.shape[2])
    log_theta = np.log(model.theta + never)  # ln 0 is kept apart, for 0 · ln 0 counts as 0
    parts = [slice(i, i + 1000) for i in range(0, X.shape[1], 1000)]  # one long sum would lose digits
    A = sum((X[:, i] == v) @ log_theta[:, i, v].T for v in values for i in parts)
    if never.any():
        A[sum((X == v) @ never[:, :, v].T for v in values) > 0] = -np.inf
    with np.errstate(divide="ignore"):
        return np.log(model.prior) + A


@takes(X="N d", t="N", infinite=True, together=_known)
def log_likelihood(model, X, t):
    """ln p(t, X|π, μ) = Σ_n ln p(x_n, C_t_n)  [C-4.2-4].

    t holds class numbers of the model.

    >>> model = bernoulli(1 / 4, [1 / 2, 1 / 3], [1 / 5, 3 / 4])
    >>> print(log_likelihood(model, [[1, 0]], [1]).round(3))  # ln 1/12
    -2.485
    """
    return np.sum(log_joint(model, X)[np.arange(len(X)), t.astype(int)])


@takes(X="N d", infinite=True, together=_possible_in_two_classes)
def log_odds(model, X):
    """a = ln p(x|C_1)p(C_1)/p(x|C_0)p(C_0), of two classes; p(C_1|x) = σ(a)  [C-4-2, C-4-3].

    Raises ValueError where both joint probabilities are 0.

    >>> model = bernoulli(1 / 4, [1 / 2, 1 / 3], [1 / 5, 3 / 4])
    >>> log_odds(model, [[1, 0]]).round(3)  # ln of 1/12 : 3/80 = 20 : 9
    array([0.799])
    """
    A = log_joint(model, X)
    return A[:, 1] - A[:, 0]


@takes(X="N d", together=_possible)
def posterior(model, X):
    """p(C_k|x) = p(x|C_k)p(C_k)/p(x), p(x) = Σ_k p(x|C_k)p(C_k): (N, K)  [C-1-9, C-1-10, C-4.3-1].

    Raises ValueError where p(x) = 0, in all classes: 0/0, which smoothing > 0 avoids  [C-4.4-1].

    >>> model = bernoulli(1 / 4, [1 / 2, 1 / 3], [1 / 5, 3 / 4])
    >>> posterior(model, [[1, 0]]).round(3)  # 9/29, 20/29
    array([[0.31, 0.69]])
    """
    return softmax(log_joint(model, X))  # a class's log joint probability is a score of chapter 05


@takes(X="N d", together=_possible)
def predict(model, X):
    """arg max_k p(C_k|x), the class number 0..K-1.

    Raises ValueError where p(x) = 0: 0/0 says nothing.

    >>> predict(bernoulli(1 / 4, [1 / 2, 1 / 3], [1 / 5, 3 / 4]), [[1, 0], [0, 1]])
    array([1, 0])
    """
    return np.argmax(log_joint(model, X), axis=1)


@takes(together=_positive_model_of_bits)
def as_linear(model):
    """w_i = ln μ_i|1(1 - μ_i|0)/(μ_i|0(1 - μ_i|1)), b = ln π/(1 - π) + Σ_i ln (1 - μ_i|1)/(1 - μ_i|0)  [C-4.3-2].

    For two classes of bits, p(C_1|x) = σ(w·x + b). Gives w (d,), b. Raises ValueError where a μ or π is 0 or 1: its
    weight is infinite.

    >>> w, b = as_linear(bernoulli(1 / 4, [1 / 2, 1 / 3], [1 / 5, 3 / 4]))
    >>> print(w.round(3), b.round(3))  # ln 4, -ln 6; ln 5/9
    [ 1.386 -1.792] -0.588
    """
    log_mu, log_rest = np.log(model.theta[:, :, 1]), np.log(model.theta[:, :, 0])  # ln μ_i|k, ln(1 - μ_i|k), k by i
    w = log_mu[1] - log_rest[1] - (log_mu[0] - log_rest[0])
    return w, np.log(model.prior[1]) - np.log(model.prior[0]) + np.sum(log_rest[1] - log_rest[0])


@takes(N="count", rng="rng")
def sample(model, N, *, rng):
    """N new samples of the model: t from π, then each x_i from θ_i|t, X (N, d), t (N,)  [C-1-10]."""
    t = (rng.random((N, 1)) >= np.cumsum(model.prior)[:-1]).sum(axis=1)
    u = rng.random((N, len(model.n_values)))
    below = np.cumsum(model.theta, axis=2)
    X = np.zeros(u.shape, int)
    for v in range(below.shape[2] - 1):
        X += u >= below[t, :, v]
    return np.minimum(X, model.n_values - 1), t  # Σ_v θ_v may be 1 - 1e-16

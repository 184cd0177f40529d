"""Generalized linear models (广义线性模型; chapter 03; notes A 2, C 1).

X (N, d) is the design matrix, y (N,) what was observed, w (d,) the weights, η = Xw (N,) the natural parameter, here
never a step. A `Family` is a distribution p(y; η) = b(y) exp(η·T(y) - a(η)), given by its functions. λ >= 0 is the
penalty, one number or one per column (`design.free_bias`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from . import linear_regression, optimize
from .design import one_hot
from .guards import checks
from .guards.shapes import takes
from .solvers import families, likelihood
from .solvers.likelihood import Problem, maximize
from .special import logit as log_odds
from .special import logsumexp, sigmoid, sigmoid_derivative, softmax, softplus


class Link(NamedTuple):
    """g(E[y|x]) = w·x + b: the link g, its inverse, and g' > 0  [A-2.1-1]."""

    g: Callable
    inverse: Callable
    derivative: Callable


@dataclass(frozen=True)
class Family:
    """p(y; η) = b(y) exp(η·T(y) - a(η))  [A-2.2-2], with mean a'(η) = E[T(y)], variance a''(η) = Var T(y)  [A-2.2-4].

    eta(φ) is η from the distribution's usual parameter φ (a mean, a probability). Where that is not E[T(y)], link is
    the inverse of a'. observed(y) checks y. quadratic: a' is linear, a'' one number. vector: T(y, K) has K - 1 entries,
    and so has η. solver says what `fit` takes instead of a, a' and a'', a `families.Likelihood`.
    """

    name: str
    b: Callable
    log_b: Callable
    T: Callable
    eta: Callable
    a: Callable
    mean: Callable
    variance: Callable
    observed: Callable
    quadratic: bool = False
    vector: bool = False
    link: Callable | None = None
    solver: families.Likelihood | None = None

    def dot(self, eta, T):
        """η·T(y): of numbers the product, of vectors the inner product  [A-2.2-2; erratum A14]."""
        return np.sum(eta * T, axis=-1) if self.vector else eta * T


identity = Link(np.asarray, np.asarray, lambda m: np.ones_like(m, float))
log = Link(np.log, np.exp, lambda m: 1 / np.asarray(m, float))
logit = Link(log_odds, sigmoid, lambda m: 1 / np.asarray(m, float) + 1 / (1 - np.asarray(m, float)))


@takes(sigma="number positive")
def gaussian_with(sigma):
    """Gaussian of known σ > 0: b = exp(-y²/2σ²)/(√(2π) σ), T = y, η = μ/σ², a = σ²η²/2  [A-2.3.1-1, A-2.3.1-2].

    >>> family = gaussian_with(2)
    >>> print(family.eta(3), family.a(0.75), family.mean(0.75))
    0.75 1.125 3.0
    """
    return Family(
        name=f"gaussian with sigma = {sigma:g}",
        b=lambda y: np.exp(-np.square(y) / (2 * sigma**2)) / (np.sqrt(2 * np.pi) * sigma),
        log_b=lambda y: -np.square(y) / (2 * sigma**2) - np.log(np.sqrt(2 * np.pi) * sigma),
        T=lambda y: y,
        eta=lambda mu: np.asarray(mu) / sigma**2,
        a=lambda eta: sigma**2 * np.square(eta) / 2,
        mean=lambda eta: sigma**2 * np.asarray(eta),
        variance=lambda eta: np.full(np.shape(eta), sigma**2),
        observed=lambda y: y,
        quadratic=True,
    )


def categorical_T(y, K=None):
    """T(y) ∈ R^(K-1): T(y)_i = I(y = i), all zeros for the last class, the reference  [A-2.3.3-3, A-2.3.3-4].

    >>> categorical_T([0, 1, 2])
    array([[1., 0.],
           [0., 1.],
           [0., 0.]])
    """
    return one_hot(np.ravel(y), K)[:, :-1].reshape(*np.shape(y), -1)


@takes(phi="K nonnegative or N K nonnegative", infinite=True)
def categorical_eta(phi):
    """η_i = ln φ_i/φ_K = ln φ_i - ln φ_K for i < K: of K probabilities K - 1 natural parameters  [A-2.3.3-6].

    >>> categorical_eta([1 / 8, 2 / 8, 5 / 8]).round(3)  # ln 1/5, ln 2/5
    array([-1.609, -0.916])
    """
    return np.log(phi[..., :-1]) - np.log(phi[..., -1:])


@takes(eta="k or N k any")
def with_reference(eta):
    """(η_1, ..., η_{K-1}, 0): the reference class has η_K = ln(φ_K/φ_K) = 0  [A-2.3.3-6].

    >>> with_reference([2, 1])
    array([2., 1., 0.])
    """
    return np.concatenate([eta, np.zeros((*np.shape(eta)[:-1], 1))], axis=-1)


@takes(eta="k or N k any")
def categorical_a(eta):
    """a(η) = -ln φ_K = ln(1 + Σ_{j<K} e^η_j), beside b(y) = 1  [A-2.3.3-8; as a function of η: erratum A19].

    >>> print(categorical_a(np.log([1 / 5, 2 / 5])).round(3))  # ln 8/5
    0.47
    """
    return logsumexp(with_reference(eta))


@takes(eta="k or N k any")
def categorical_phi(eta):
    """φ_i = e^η_i / (1 + Σ_{j<K} e^η_j), φ_K = 1 / (1 + Σ_{j<K} e^η_j), of sum 1
    [A-2.3.3-1, A-2.3.3-2, A-2.3.3-9, A-2.3.3-10, A-2.3.3-11].

    >>> categorical_phi(np.log([1 / 5, 2 / 5])).round(3)
    array([0.125, 0.25 , 0.625])
    """
    return softmax(with_reference(eta))


@takes(eta="k or N k any")
def categorical_variance(eta):
    """Var T = diag(φ) - φφᵀ of the first K - 1 classes.

    >>> (64 * categorical_variance(np.log([1 / 5, 2 / 5]))).round(3)
    array([[ 7., -2.],
           [-2., 12.]])
    """
    phi = categorical_phi(eta)[..., :-1]  # the last class is the reference
    return phi[..., None] * (np.eye(phi.shape[-1]) - phi[..., None, :])  # φ_k (δ_kl - φ_l)


gaussian = gaussian_with(1.0)

bernoulli = Family(  # [A-2.3.2-2]
    name="bernoulli",
    b=lambda y: np.where(np.isin(y, (0, 1)), 1.0, 0.0),
    log_b=lambda y: np.where(np.isin(y, (0, 1)), 0.0, -np.inf),
    T=lambda y: y,
    eta=log_odds,
    a=softplus,
    mean=sigmoid,
    variance=sigmoid_derivative,
    observed=checks.bits,
    solver=families.BERNOULLI,
)

poisson = Family(  # beyond the notes: counts 0, 1, 2, ... with p(y) = μʸ e^-μ / y!, μ = e^η
    name="poisson",
    b=lambda y: np.exp(-families.log_factorial(y)),
    log_b=lambda y: -families.log_factorial(y),
    T=lambda y: y,
    eta=np.log,
    a=np.exp,
    mean=np.exp,
    variance=np.exp,
    observed=checks.counts,
    solver=families.POISSON,
)

categorical = Family(  # y in 0..K-1; φ (N, K), η (N, K - 1)
    name="categorical",
    b=lambda y: np.ones(np.shape(y)),
    log_b=lambda y: np.zeros(np.shape(y)),
    T=categorical_T,
    eta=categorical_eta,
    a=categorical_a,
    mean=lambda eta: categorical_phi(eta)[..., :-1],
    variance=categorical_variance,
    observed=lambda y: checks.classes(y, "y"),
    vector=True,
    link=families.CATEGORICAL.link,
    solver=families.CATEGORICAL,
)


def _suits(family, w=None, y=None, eta=None):
    """A Family, weights w of its shape, y that it may observe, and η that is a vector where its η are."""
    if not isinstance(family, Family):
        known = "glm.gaussian, glm.bernoulli, glm.categorical, glm.poisson or another glm.Family"
        raise TypeError(f"family must be {known}, found {family!r:.60}")
    if w is not None and np.ndim(w) != 1 + family.vector:
        expected = "(d, K - 1), K classes," if family.vector else "(d,)"
        raise ValueError(f"w must have the shape {expected} for the family {family.name}, found {np.shape(w)}")
    if eta is not None and family.vector > np.ndim(eta):
        raise ValueError(f"eta must be a vector, the family is {family.name}; found a number")
    if y is not None and w is not None and family.vector:
        checks.known_classes(y, np.shape(w)[1] + 1, "y")
    elif y is not None:
        family.observed(y)


def _suits_weights(family, w, y):
    """A Family, and weights w of its shape: a number that it may not observe has probability 0."""
    _suits(family, w)
    if family.vector:
        checks.known_classes(y, np.shape(w)[1] + 1, "y")


def _suits_numbers(family, w, y):
    """The same, of a family with a number η for each sample."""
    if isinstance(family, Family) and family.vector:
        raise ValueError(f"family must have a number η for each sample, found {family.name}, which has vectors")
    _suits(family, w, y)


def _suits_pairs(family, y, eta):
    """y and η, a pair of each, or one of one of them for all of the other."""
    _suits(family)
    if np.ndim(eta) not in (family.vector, 1 + family.vector):
        expected = "a vector" if family.vector else "a number"
        raise ValueError(f"eta must be {expected} for each y, the family is {family.name}; found shape {np.shape(eta)}")
    if family.vector:
        checks.known_classes(y, np.shape(eta)[-1] + 1, "y")
    elif len({np.shape(y), np.shape(eta), ()}) > 2:
        raise ValueError(f"y and eta must be as many numbers, or one, found shapes {np.shape(y)} and {np.shape(eta)}")


def _has_residuals(family, w, y):
    """A family with a number η for each sample, and more samples than weights."""
    _suits_numbers(family, w, y)
    if len(y) <= len(w):
        raise ValueError(f"X has {len(y)} rows for {len(w)} weights; more samples than weights are needed")


def _newton_start(X, y, family, lam=0.0, w=None):
    """A start w (d,), or (d, K - 1) where the family has vectors η, from which a Newton step has one end."""
    _suits(family, y=y)
    shape = (X.shape[1], *family.T(y).shape[1:])
    if w is not None and w.shape != shape:
        raise ValueError(f"w must have shape {shape}, a row per column of X, found {w.shape}")
    likelihood.require_newton_step(X, lam)


@takes(eta="... any", together=_suits)
def mean(eta, family):
    """E[T(y)] = a'(η): the prediction, and the inverse link  [A-2.2-4].

    >>> print(mean(0, bernoulli), mean(0, poisson))  # σ(0), e⁰
    0.5 1.0
    """
    return family.mean(eta)


@takes(eta="... any", together=_suits)
def variance(eta, family):
    """Var T(y) = a''(η), a matrix where T(y) is a vector  [A-2.2-4].

    >>> print(variance(0, bernoulli), variance(0, poisson))  # 1/2 · 1/2, e⁰
    0.25 1.0
    """
    return family.variance(eta)


@takes(y="N or number", eta="N or number or N m or m", infinite=True, together=_suits_pairs)
def statistic(y, eta, family):
    """T(y), as long as η where it is a vector  [A-2.2-2].

    >>> statistic([0, 2], [[0, 0], [0, 0]], categorical)
    array([[1., 0.],
           [0., 0.]])
    """
    return family.T(y, np.shape(eta)[-1] + 1) if family.vector else family.T(y)


@takes(y="N or number", eta="N or number or N m or m", infinite=True, together=_suits_pairs)
def log_density(y, eta, family):
    """ln p(y; η) = ln b(y) + η·T(y) - a(η)  [A-2.2-2; of `bernoulli` A-2.3.2-1, `categorical` A-2.3.3-5, A-2.3.3-7].

    >>> print(np.exp(log_density(3, np.log(2), poisson)).round(3))  # 2³ e⁻²/3!
    0.18
    """
    return family.log_b(y) + family.dot(eta, statistic(y, eta, family)) - family.a(eta)


@takes(w="d or d m", X="N? d", together=_suits)
def predict(w, X, family):
    """E[T(y)|x] = a'(w·x)  [A-2.1-1, C-1-6, D-0-4].

    >>> predict([np.log(2)], [[1], [2]], poisson).round(3)
    array([2., 4.])
    """
    return family.mean(X @ w)


@takes(w="d or d m", X="N d", y="N", lam="number or d", infinite=True, together=_suits_weights)
def loss(w, X, y, family, lam=0.0):
    """E(w) = -Σ_n ln p(y_n; w·x_n) + λ/2 ‖w‖²  [A-2.2-1, A-2.2-3].

    >>> print(loss([0], [[1], [3]], [0, 1], bernoulli).round(3))  # 2 ln 2
    1.386
    """
    return -np.sum(log_density(y, X @ w, family)) + np.sum(lam * (w * w).T) / 2  # one λ, or one per row of w


@takes(w="d or d m", X="N d", y="N", lam="number or d", together=_suits)
def gradient(w, X, y, family, lam=0.0):
    """∇E(w) = Xᵀ(a'(η) - T(y)) + λw, one formula for every family.

    >>> gradient([0], [[1], [3]], [0, 1], bernoulli)  # 1/2 · 1 - 1/2 · 3
    array([-1.])
    """
    eta = X @ w
    return X.T @ (family.mean(eta) - statistic(y, eta, family)) + (lam * w.T).T  # row j of w times λ_j


@takes(w="d or d m", X="N d", y="N", lam="number or d", together=_suits)
def hessian(w, X, y, family, lam=0.0):
    """∇²E(w) = Xᵀ diag(a''(η)) X + λI; y does not enter.

    Of vectors η it is Σ_n x_n x_nᵀ ⊗ a''(η_n) + λI, in the order of w.ravel().

    >>> hessian([0], [[1], [3]], [0, 1], bernoulli)  # (1 + 9)/4
    array([[2.5]])
    """
    V, I = family.variance(X @ w), np.eye(X.shape[1])
    if family.vector:  # H[i, k, j, l] = Σ_n x_ni V_nkl x_nj
        H = np.einsum("ni,nkl,nj->ikjl", X, V, X, optimize=True).reshape(w.size, w.size)
        return H + np.kron(lam * I, np.eye(w.shape[1]))
    return (X.T * V) @ X + lam * I


@takes(w="d", X="N d", y="N", infinite=True, together=_suits_numbers)
def working_response(w, X, y, family):
    """z = η + (T(y) - a'(η)) / a''(η): the targets of the least squares that a Newton step is.

    >>> working_response([0], [[1], [3]], [0, 1], bernoulli)
    array([-2.,  2.])
    """
    eta = X @ w
    return eta + (family.T(y) - family.mean(eta)) / family.variance(eta)


@takes(w="d", X="N d", y="N", lam="number or d", together=_suits_numbers)
def irls_step(w, X, y, family, lam=0.0):
    """w ← (XᵀRX + λI)⁻¹XᵀRz, R = diag a''(η): least squares of the working response z, weighted by R.

    R⁻¹, which z holds, is never formed: Rz = Rη + T(y) - a'(η). The family has a number η per sample. Raises
    LinAlgError where XᵀRX + λI is singular, unless rounding hides it.

    >>> irls_step([0], [[1], [3]], [0, 1], bernoulli).round(3)  # 0 - (-1)/2.5
    array([0.4])
    """
    eta = X @ w
    Rz = family.variance(eta) * eta + family.T(y) - family.mean(eta)
    return np.linalg.solve(hessian(w, X, y, family, lam), X.T @ Rz)


@takes(X="N d", y="N", lam="penalty", w="d or d m or None", together=_newton_start)
def irls_iterates(X, y, family, lam=0.0, *, w=None):
    """Iteratively reweighted least squares: w ← w - τ H⁻¹∇E(w), the `irls_step` for τ = 1; τ is halved until E falls.

    w is (d,), or (d, K - 1) for the categorical family; it starts at 0 unless given. Yields optimize.Iterate(w, ∇E(w)),
    the start first; ends as `optimize.damped` does. Raises LinAlgError where columns without penalty are dependent.

    >>> optimize.trajectory(irls_iterates([[1], [3]], [0, 1], bernoulli), 1).ravel().round(3)
    array([0. , 0.4])
    """
    w = np.zeros((X.shape[1], *family.T(y).shape[1:])) if w is None else w
    return optimize.newton(
        loss=lambda w: loss(w, X, y, family, lam),
        gradient=lambda w: gradient(w, X, y, family, lam),
        hessian=lambda w: hessian(w, X, y, family, lam),
        w=w,
    )


@takes(X="N d", y="N", lam="penalty", together=_suits)
def fit(X, y, family, lam=0.0):
    """arg min_w E(w) = -Σ_n ln p(y_n; w·x_n) + λ/2 ‖w‖², for any family.

    y is real for gaussian, 0 and 1 for bernoulli, counts for poisson, class numbers 0..K-1 for categorical. Then w is
    (d, K - 1). It is the end of `irls_iterates` from the best constant, with a' - T and a'' as the family's `solver`
    has them. A twin serves many samples: a part of them tells where to begin, and each step costs a gradient. Gives a
    `solvers.likelihood.Fit` (w, n_iter, converged, reason, direction). converged means that the last step changed no
    w·x by more than 1e-8 of the largest, or of 1. For many samples 1e-7 is enough. Where no w is best, `direction`
    proves it. Raises LinAlgError where columns without penalty are dependent.

    >>> found = fit([[1], [1], [1]], [1, 2, 3], poisson)
    >>> found.w.round(3), found.converged  # ln 2, the link of the mean
    (array([0.693]), True)
    """
    solver = family.solver or families.Likelihood(
        family.a, family.mean, family.variance, link=family.link or family.eta, quadratic=family.quadratic
    )
    return maximize(Problem(X, family.T(y), solver, lam))


@takes(w="d", X="N d", y="N", together=_has_residuals)
def dispersion(w, X, y, family):
    """Σ_n (T(y_n) - μ_n)²/a''(η_n) / (N - d): near 1 where the family's variance is right; of `gaussian`, σ².

    >>> print(dispersion([2], [[1], [1]], [1, 3], gaussian))  # (1 + 1)/(2 - 1)
    2.0
    """
    eta = X @ w
    return np.sum((family.T(y) - family.mean(eta)) ** 2 / family.variance(eta)) / (len(y) - len(w))


@takes(X="N d", y="N positive")
def log_linear_regression(X, y):
    """ln y = w·x + b by least squares on ln y: exp(w·x) estimates the median of y, not its mean  [A-2.1-2, A-2.1-3].

    Raises ValueError where a y is not positive, LinAlgError where X has not full column rank.

    >>> log_linear_regression([[0, 1], [1, 1], [2, 1]], [2, 4, 8]).round(3)  # y = 2 · 2ˣ: ln 2 twice
    array([0.693, 0.693])
    """
    return linear_regression.least_squares(X, np.log(y))

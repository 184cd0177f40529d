"""Generalised linear models (广义线性模型; chapter 03; notes A 2, C 1).

X (N, d) is the design matrix, y (N,) what was observed, w (d,) the weights, η = Xw (N,) the natural parameter, here
never a step. A `Family` is a distribution p(y; η) = b(y) exp(η·T(y) - a(η)), given by its functions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import lgamma
from typing import NamedTuple

import numpy as np

from . import linear_regression, optimize, regularization
from .design import one_hot
from .guards import checks
from .guards.shapes import bare, takes
from .solvers import likelihood, moments
from .solvers.likelihood import Fit
from .special import logit as log_odds
from .special import logsumexp, sigmoid, sigmoid_derivative, softmax, softplus


class Link(NamedTuple):
    """g(E[y|x]) = w·x + b: the link g, its inverse, and g' > 0  [A-2.1-1]."""

    g: Callable
    inverse: Callable
    derivative: Callable


@dataclass(frozen=True)
class Family:
    """p(y; η) = b(y) exp(η·T(y) - a(η))  [A-2.2-2], with a'(η) = E[T(y)] and a''(η) = Var T(y)  [A-2.2-4].

    eta(φ) is η from the distribution's usual parameter φ (a mean, a probability); where that is not E[T(y)], link is
    the inverse of a'. Where T(y) is a vector, so is η. observed(y) checks y. quadratic: a' is linear, a'' one number.
    vector: T(y, K) has K - 1 entries. recession(X, T) gives rows z: the loss never rises along d if z·d >= 0 for all of
    them. gram(X, η), if given, is Σ_n x_n x_nᵀ ⊗ a''(η_n) by a shorter way than a''; residual(η, T) is a'(η) - T,
    without cancellation.
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
    recession: Callable | None = None
    link: Callable | None = None
    gram: Callable | None = None
    residual: Callable | None = None


identity = Link(np.asarray, np.asarray, lambda m: np.ones_like(m, float))
log = Link(np.log, np.exp, lambda m: 1 / np.asarray(m, float))
logit = Link(log_odds, sigmoid, lambda m: 1 / np.asarray(m, float) + 1 / (1 - np.asarray(m, float)))


def gaussian_with(sigma):
    """Gaussian of known σ: b = exp(-y²/2σ²)/(√(2π) σ), T = y, η = μ/σ², a = σ²η²/2  [A-2.3.1-1, A-2.3.1-2].

    Raises ValueError where sigma <= 0.
    """
    sigma = checks.width(sigma, "sigma")
    s2 = sigma**2

    def log_b(y):
        return -np.square(y) / (2 * s2) - np.log(2 * np.pi * s2) / 2

    return Family(
        name=f"gaussian with sigma = {sigma:g}",
        b=lambda y: np.exp(log_b(y)),
        log_b=log_b,
        T=lambda y: y,
        eta=lambda mu: np.asarray(mu) / s2,
        a=lambda eta: s2 * np.square(eta) / 2,
        mean=lambda eta: s2 * np.asarray(eta),
        variance=lambda eta: np.full(np.shape(eta), s2),
        observed=lambda y: checks.targets(y, "y"),
        quadratic=True,
    )


def categorical_T(y, K=None):
    """T(y) ∈ R^(K-1): T(y)_i = I(y = i), all zeros for the last class, the reference  [A-2.3.3-3, A-2.3.3-4]."""
    return one_hot(y, K)[:, :-1]


@takes(eta="...")
def categorical_phi(eta):
    """φ_i = e^η_i / (1 + Σ_{j<K} e^η_j), φ_K = 1 / (1 + Σ_{j<K} e^η_j)  [A-2.3.3-9, A-2.3.3-10, A-2.3.3-11]."""
    return softmax(_with_reference(eta))


@takes(eta="...")
def categorical_variance(eta):
    """Var T = diag(φ) - φφᵀ of the first K - 1 classes."""
    phi = categorical_phi(eta)[..., :-1]
    return phi[..., None] * (np.eye(phi.shape[-1]) - phi[..., None, :])


gaussian = gaussian_with(1.0)

bernoulli = Family(  # [A-2.3.2-2]
    name="bernoulli",
    b=lambda y: np.where(_is_bit(y), 1.0, 0.0),
    log_b=lambda y: np.where(_is_bit(y), 0.0, -np.inf),
    T=lambda y: y,
    eta=log_odds,
    a=bare(softplus),
    mean=bare(sigmoid),
    variance=bare(sigmoid_derivative),
    observed=checks.bits,
    recession=lambda X, T: (2 * T - 1)[:, None] * X,
    residual=lambda eta, T: _bit_residual(eta, T),
)

poisson = Family(  # beyond the notes: counts 0, 1, 2, ... with p(y) = μʸ e^-μ / y!, μ = e^η
    name="poisson",
    b=lambda y: np.exp(_log_b_of_counts(y)),
    log_b=lambda y: _log_b_of_counts(y),
    T=lambda y: y,
    eta=np.log,
    a=np.exp,
    mean=np.exp,
    variance=np.exp,
    observed=checks.counts,
    recession=lambda X, T: np.concatenate([-X, X[T > 0]]),
)

categorical = Family(  # y in 0..K-1; φ (..., K), η (..., K - 1)  [A-2.3.3-6, A-2.3.3-8]
    name="categorical",
    b=lambda y: np.ones(np.shape(y)),
    log_b=lambda y: np.zeros(np.shape(y)),
    T=lambda y, K=None: categorical_T(y if K is None else checks.known_classes(y, None, K, "y"), K),
    eta=lambda phi: np.log(np.asarray(phi)[..., :-1]) - np.log(np.asarray(phi)[..., -1:]),
    a=lambda eta: logsumexp(_with_reference(eta)),
    mean=lambda eta: categorical_phi(eta)[..., :-1],
    variance=categorical_variance,
    observed=checks.class_numbers,
    link=lambda m: np.log(m) - np.log(1 - np.sum(m, axis=-1, keepdims=True)),
    vector=True,
    recession=lambda X, T: _rivals(X, T),
    gram=lambda X, eta: moments.class_gram(X, categorical_phi(eta))[:, :-1, :, :-1],
    residual=lambda eta, T: class_residual(categorical_phi(eta), _all_classes(T))[:, :-1],
)


@takes(eta="...")
def mean(eta, family):
    """E[T(y)] = a'(η): the prediction, and the inverse link  [A-2.2-4]."""
    return _known(family).mean(eta)


@takes(eta="...")
def variance(eta, family):
    """Var T(y) = a''(η), a matrix where T(y) is a vector  [A-2.2-4]."""
    return _known(family).variance(eta)


@takes(y="N or number or N K", eta="N or number or N m or m")
def log_density(y, eta, family):
    """ln p(y; η) = ln b(y) + η·T(y) - a(η)  [A-2.2-2]."""
    return _known(family).log_b(y) + _inner(eta, _statistic(y, eta, family), family) - family.a(eta)


@takes(w="d or d m", X="N? d")
def predict(w, X, family):
    """E[T(y)|x] = a'(w·x)  [A-2.2-3, A-2.1-1, C-1-6]."""
    return mean(_natural(w, X, family), family)


@takes(w="d or d m", X="N d", y="N", lam="number or d")
def loss(w, X, y, family, lam=0.0):
    """E(w) = -Σ_n ln p(y_n; w·x_n) + λ/2 ‖w‖²  [A-2.2-1]."""
    return -np.sum(log_density(y, _natural(w, X, family), family)) + likelihood.penalty(w, lam)


@takes(w="d or d m", X="N d", y="N", lam="number or d")
def gradient(w, X, y, family, lam=0.0):
    """∇E(w) = Xᵀ(a'(η) - T(y)) + λw, one formula for every family."""
    eta = _natural(w, X, family)
    return X.T @ (mean(eta, family) - _observed(y, eta, family)) + likelihood.shrinkage(w, lam)


@takes(w="d or d m", X="N d", y="N", lam="number or d")
def hessian(w, X, y, family, lam=0.0):
    """∇²E(w) = Xᵀ diag(a''(η)) X + λI; y does not enter. Of vectors η, in the order of w.ravel()."""
    return likelihood.curvature(variance(_natural(w, X, family), family), X, lam)


@takes(w="d", X="N d", y="N")
def working_response(w, X, y, family):
    """z = η + (y - a'(η)) / a''(η): the targets of the least squares that a Newton step is."""
    eta = _one_each(w, X, family)
    return eta + (_observed(y, eta, family) - mean(eta, family)) / variance(eta, family)


@takes(w="d", X="N d", y="N")
def irls_step(w, X, y, family):
    """w ← (XᵀRX)⁻¹XᵀRz, R = diag a''(η): least squares of the working response z, weighted by R.

    R⁻¹, which z holds, is never formed: Rz = Rη + (y - a'(η)). For families with a number η per sample.
    """
    eta = _one_each(w, X, family)
    r = variance(eta, family)
    return np.linalg.solve((X.T * r) @ X, X.T @ (r * eta + _observed(y, eta, family) - mean(eta, family)))


def irls_iterates(X, y, family, lam=0.0, *, w=None):
    """Iteratively reweighted least squares: Newton's steps, each halved until E falls.

    X (N, d), y (N,) as the family takes it, lam >= 0 a number or (d,). Yields optimize.Iterate(w, ∇E(w)), the start
    (w = 0 unless given) first, until no step lowers E; w is (d, K - 1) for the categorical family. Raises LinAlgError
    where columns without penalty are dependent.
    """
    X, y, T, lam = _problem(X, y, family, lam)
    w = np.zeros((X.shape[1], *T.shape[1:])) if w is None else _start(w, X, T)
    likelihood.require_newton_step(w, likelihood.Problem(X, T, family, lam))
    return optimize.newton(
        lambda w: bare(loss)(w, X, y, family, lam),
        lambda w: bare(gradient)(w, X, y, family, lam),
        lambda w: bare(hessian)(w, X, y, family, lam),
        w,
    )


def fit(X, y, family, lam=0.0):
    """arg min_w E(w) = -Σ_n ln p(y_n; w·x_n) + λ/2 ‖w‖², for any family.

    X (N, d), y (N,): real for gaussian, 0 and 1 for bernoulli, counts for poisson, class numbers 0..K-1 for
    categorical (then w is (d, K - 1)). lam >= 0 a number or (d,). Newton's method from the best constant, damped; with
    many samples first on some of them, then by exact gradients (quasi-Newton). Gives a `Fit`; converged means that the
    last step changed the w·x by no more than 1e-8 (many samples: 1e-6) of the largest, or of 1. Where no w is best,
    `direction` proves it. Raises LinAlgError where columns without penalty are dependent.
    """
    X, y, T, lam = _problem(X, y, family, lam)
    problem = likelihood.Problem(X, T, family, lam)
    return _fit_gaussian(problem) if family.quadratic else likelihood.maximise(problem)


def step_bound(X, lam, most):
    """2/(λ_max(XᵀX) max a'' + max λ), `most` the largest a'': any shorter step of gradient descent lowers E.

    X (N, d), lam >= 0 a number or (d,).
    """
    X = checks.samples(X)
    lam = checks.penalty(lam, X.shape[1]).max()
    return 2 / lam if lam > 0 and not X.any() else 2 / (most / linear_regression.largest_step(X) + lam)


@takes(w="d", X="N d", y="N")
def dispersion(w, X, y, family):
    """Σ_n (y_n - μ_n)²/a''(η_n) / (N - d): near 1 where the family's variance is right; of `gaussian`, σ²."""
    eta = _one_each(w, X, family)
    if len(y) <= len(w):
        raise ValueError(f"X has {len(y)} rows for {len(w)} weights; more samples than weights are needed")
    return np.sum((_observed(y, eta, family) - mean(eta, family)) ** 2 / variance(eta, family)) / (len(y) - len(w))


def log_linear_regression(X, y):
    """ln y = w·x + b by least squares on ln y: exp(w·x) estimates the median of y, not its mean  [A-2.1-2, A-2.1-3].

    X (N, d), y (N,) > 0. Raises ValueError where a y is not, LinAlgError where X has not full column rank.
    """
    X, y = checks.regression(X, y)
    return linear_regression.least_squares(X, np.log(checks.above_zero(y)))


def _problem(X, y, family, lam):
    """X, y, T(y) and the penalty of each column."""
    X = checks.samples(X)
    y = _known(family).observed(y)
    if len(y) != len(X):
        raise ValueError(f"X has {len(X)} rows but y has {len(y)} entries; give one per sample")
    return X, y, family.T(y), checks.penalty(lam, X.shape[1])


def _known(family):
    if not isinstance(family, Family):
        raise TypeError(
            f"family must be glm.gaussian, glm.bernoulli, glm.categorical, glm.poisson or another glm.Family, "
            f"found {family!r:.60}"
        )
    return family


def _start(w, X, T):
    w, shape = checks.finite(checks.numeric(w, "w"), "w"), (X.shape[1], *T.shape[1:])
    if w.shape != shape:
        raise ValueError(f"w must have shape {shape}, a row per column of X, found {w.shape}")
    return w


def _natural(w, X, family):
    """η = Xw: a number for each sample, or a vector where T(y) is one."""
    if np.ndim(w) != 1 + _known(family).vector:
        expected = "(d, K - 1), K classes," if family.vector else "(d,)"
        raise ValueError(f"w must have the shape {expected} for the family {family.name}, found {np.shape(w)}")
    return X @ w


def _one_each(w, X, family):
    """The same, for families with a number η."""
    if _known(family).vector:
        raise ValueError(f"family must have a number η for each sample, found {family.name}, which has vectors")
    return X @ w


def _statistic(y, eta, family):
    """T(y), as long as η where it is a vector."""
    if np.ndim(eta) not in (family.vector, 1 + family.vector):
        expected = "a vector" if family.vector else "a number"
        raise ValueError(f"eta must be {expected} for each y, the family is {family.name}; found shape {np.shape(eta)}")
    if family.vector:
        return family.T(y, np.shape(eta)[-1] + 1)
    if np.ndim(y) > 1 or len({np.shape(y), np.shape(eta), ()}) > 2:
        raise ValueError(f"y and eta must be as many numbers, or one, found shapes {np.shape(y)} and {np.shape(eta)}")
    return family.T(y)


def _observed(y, eta, family):
    """T(y), where y is what the family can give: of the density the log_b would tell, of a difference nothing."""
    return _statistic(y if family.vector else family.observed(y), eta, family)


def _inner(eta, T, family):
    return np.sum(eta * T, axis=-1) if family.vector else eta * T


def _with_reference(eta):
    eta = np.asarray(eta, float)
    return np.concatenate([eta, np.zeros((*eta.shape[:-1], 1))], axis=-1)


def _is_bit(y):
    return (np.asarray(y) == 0) | (np.asarray(y) == 1)


def _rivals(X, T):
    """Of the rows of `rivals`, what meets w of K - 1 columns, in the order of w.ravel()."""
    Z = rivals(X, _all_classes(T))
    return Z[:, :, :-1].reshape(len(Z), -1)


def _bit_residual(eta, T):
    """σ(η) - T = -yσ(-yη) = -y/(1 + e^yη), y = 2T - 1: 1 - p would lose what is left of a p near 1."""
    y = 2 * T - 1
    with np.errstate(over="ignore"):  # beyond 709, where the quotient is 0
        return -y / (1 + np.exp(y * eta))


def _all_classes(T):
    return np.column_stack([T, 1 - T.sum(axis=1)])


def class_residual(P, T):
    """P - T, T one-hot; for the own class minus the sum of the others, for 1 - p would lose what is left of p."""
    R = P - T * P
    R -= T * R.sum(axis=1, keepdims=True)
    return R


def rivals(X, T):
    """Rows x ⊗ (e_t - e_k) for the class t of each sample x and every other class k: (N(K - 1), d, K), T one-hot."""
    against = T[:, None, :] - np.eye(T.shape[1])
    return (X[:, None, :, None] * against[:, :, None, :])[T == 0]


def _log_b_of_counts(y):
    """-ln y!, and ln 0 for what is no count."""
    y = np.asarray(y, float)
    return np.where(y >= 0, -np.vectorize(lgamma, otypes=[float])(np.abs(y) + 1), -np.inf) + np.where(
        y == np.round(y), 0.0, -np.inf
    )


def _fit_gaussian(problem):
    """a'(η) = σ²η: one linear system, (XᵀX + λ/σ² I)w = XᵀT/σ²."""
    X, T, family, lam = problem
    s2 = float(family.variance(0.0))
    try:
        w = regularization.ridge(X, T / s2, lam / s2)
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError(likelihood.dependent(problem)) from None
    return Fit(w, 1, True, "the gradient is linear in w: one step")

"""Generalized linear models (广义线性模型; chapter 03; notes A 2, C 1).

X (N, d) is the design matrix, y (N,) what was observed, w (d,) the weights, η = Xw (N,) the natural parameter, here
never a step. A `Family` is a distribution p(y; η) = b(y) exp(η·T(y) - a(η)), given by its four functions.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from math import lgamma
from typing import NamedTuple

import numpy as np

from . import checks, linear_regression, moments, optimize, regularization
from .design import one_hot
from .special import logit as log_odds
from .special import logsumexp, sigmoid, softmax, softplus

MOST_STEPS = 100
MANY = 2**16  # numbers in X: from here on a part of the samples shows the way


class Link(NamedTuple):
    """g(E[y|x]) = w·x + b: the link g, its inverse, and g' > 0  [A-2.1-1]."""

    g: Callable
    inverse: Callable
    derivative: Callable


@dataclass(frozen=True)
class Family:
    """p(y; η) = b(y) exp(η·T(y) - a(η))  [A-2.2-2], with a'(η) = E[T(y)] and a''(η) = Var T(y)  [A-2.2-4].

    eta(φ) is η from the distribution's usual parameter φ (a mean, a probability). Where T(y) is a vector, so is η.
    observed(y) checks y. quadratic: a' is linear, a'' one number. recession(X, T) gives rows z: the loss never rises
    along d if z·d >= 0 for all of them.
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
    recession: Callable | None = None


@dataclass(frozen=True)
class Fit:
    """Weights of largest likelihood. Where there are none, `direction` is one along which the loss falls for ever."""

    w: np.ndarray
    n_iter: int
    converged: bool
    reason: str
    direction: np.ndarray | None = None


identity = Link(lambda m: m, lambda eta: eta, lambda m: np.ones_like(m, float))
log = Link(np.log, np.exp, lambda m: 1 / np.asarray(m, float))
logit = Link(log_odds, sigmoid, lambda m: 1 / (np.asarray(m, float) * (1 - np.asarray(m, float))))


def gaussian_with(sigma):
    """Gaussian of known σ: b = exp(-y²/2σ²)/(√(2π) σ), T = y, η = μ/σ², a = σ²η²/2  [A-2.3.1-1, A-2.3.1-2].

    Raises ValueError where sigma <= 0.
    """
    sigma = checks.positive(sigma, "sigma")
    s2 = sigma**2

    def log_b(y):
        return -np.square(y) / (2 * s2) - np.log(2 * np.pi * s2) / 2

    return Family(
        name=f"gaussian with sigma = {sigma:g}",
        b=lambda y: np.exp(log_b(y)),
        log_b=log_b,
        T=lambda y: y,
        eta=lambda mu: mu / s2,
        a=lambda eta: s2 * np.square(eta) / 2,
        mean=lambda eta: s2 * eta,
        variance=lambda eta: np.full(np.shape(eta), s2),
        observed=lambda y: checks.vector(y, "y"),
        quadratic=True,
    )


def categorical_T(y, K=None):
    """T(y) ∈ R^(K-1): T(y)_i = I(y = i), all zeros for the last class, the reference  [A-2.3.3-3, A-2.3.3-4]."""
    return one_hot(y, K)[:, :-1]


def categorical_phi(eta):
    """φ_i = e^η_i / (1 + Σ_{j<K} e^η_j), φ_K = 1 / (1 + Σ_{j<K} e^η_j)  [A-2.3.3-9, A-2.3.3-10, A-2.3.3-11]."""
    return softmax(_with_reference(eta))


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
    a=softplus,
    mean=sigmoid,
    variance=lambda eta: _bernoulli_variance(eta),
    observed=checks.bits,
    recession=lambda X, T: (2 * T - 1)[:, None] * X,
)

poisson = Family(  # beyond the notes: counts 0, 1, 2, ... with p(y) = μʸ e^-μ / y!, μ = e^η
    name="poisson",
    b=lambda y: np.exp(_log_b_of_counts(y)),
    log_b=lambda y: _log_b_of_counts(y),
    T=lambda y: y,
    eta=lambda mu: np.log(mu),
    a=lambda eta: np.exp(eta),
    mean=lambda eta: np.exp(eta),
    variance=lambda eta: np.exp(eta),
    observed=checks.counts,
    recession=lambda X, T: np.concatenate([-X, X[T > 0]]),
)

categorical = Family(  # y in 0..K-1; φ (..., K), η (..., K - 1)  [A-2.3.3-6, A-2.3.3-8]
    name="categorical",
    b=lambda y: np.ones(np.shape(y)),
    log_b=lambda y: np.zeros(np.shape(y)),
    T=categorical_T,
    eta=lambda phi: np.log(np.asarray(phi)[..., :-1]) - np.log(np.asarray(phi)[..., -1:]),
    a=lambda eta: logsumexp(_with_reference(eta)),
    mean=lambda eta: categorical_phi(eta)[..., :-1],
    variance=categorical_variance,
    observed=checks.class_numbers,
    recession=lambda X, T: _rivals(X, T),
)


def mean(eta, family):
    """E[T(y)] = a'(η): the prediction, and the inverse link  [A-2.2-4]."""
    return family.mean(eta)


def variance(eta, family):
    """Var T(y) = a''(η), a matrix where T(y) is a vector  [A-2.2-4]."""
    return family.variance(eta)


def log_density(y, eta, family):
    """ln p(y; η) = ln b(y) + η·T(y) - a(η)  [A-2.2-2]."""
    return family.log_b(y) + _inner(eta, _statistic(y, eta, family), family) - family.a(eta)


def predict(w, X, family):
    """E[T(y)|x] = a'(w·x)  [A-2.2-3, A-2.1-1, C-1-6]."""
    return mean(X @ w, family)


def loss(w, X, y, family, lam=0.0):
    """E(w) = -Σ_n ln p(y_n; w·x_n) + λ/2 ‖w‖²  [A-2.2-1]."""
    return -np.sum(log_density(y, X @ w, family)) + _cost(lam, w)


def gradient(w, X, y, family, lam=0.0):
    """∇E(w) = Xᵀ(a'(η) - T(y)) + λw, one formula for every family."""
    eta = X @ w
    return X.T @ (mean(eta, family) - _statistic(y, eta, family)) + _times_rows(lam, w)


def hessian(w, X, y, family, lam=0.0):
    """∇²E(w) = Xᵀ diag(a''(η)) X + λI; y does not enter. Of vectors η, in the order of w.ravel()."""
    return _curvature(variance(X @ w, family), X, lam)


def working_response(w, X, y, family):
    """z = η + (y - a'(η)) / a''(η): the targets of the least squares that a Newton step is."""
    eta = X @ w
    return eta + (y - mean(eta, family)) / variance(eta, family)


def irls_step(w, X, y, family):
    """w ← (XᵀRX)⁻¹XᵀRz, R = diag a''(η): least squares of the working response z, weighted by R.

    R⁻¹, which z holds, is never formed: Rz = Rη + (y - a'(η)). For families with a number η per sample.
    """
    eta = X @ w
    r = variance(eta, family)
    return np.linalg.solve((X.T * r) @ X, X.T @ (r * eta + y - mean(eta, family)))


def irls_iterates(X, y, family, lam=0.0, *, w=None):
    """Iteratively reweighted least squares: Newton's steps, each halved until E falls.

    X (N, d), y (N,) as the family takes it, lam >= 0 a number or (d,). Yields optimize.Iterate(w, ∇E(w)), the start
    (w = 0 unless given) first; w is (d, K - 1) for the categorical family.
    """
    X, y, T, lam = _problem(X, y, family, lam)
    w = np.zeros((X.shape[1], *T.shape[1:])) if w is None else _start(w, X, T)
    return optimize.newton(
        lambda w: loss(w, X, y, family, lam),
        lambda w: gradient(w, X, y, family, lam),
        lambda w: hessian(w, X, y, family, lam),
        w,
    )


def fit(X, y, family, lam=0.0):
    """arg min_w E(w) = -Σ_n ln p(y_n; w·x_n) + λ/2 ‖w‖², for any family.

    X (N, d), y (N,): real for gaussian, 0 and 1 for bernoulli, counts for poisson, class numbers 0..K-1 for
    categorical (then w is (d, K - 1)). lam >= 0 a number or (d,). Newton's method from the best constant, damped; with
    many samples first on some of them, then by exact gradients (quasi-Newton). Gives a `Fit`; converged means that a
    step changes the w·x by no more than 1e-8 of the largest. Where no w is best, `direction` proves it. Raises
    LinAlgError where columns without penalty are dependent.
    """
    X, y, T, lam = _problem(X, y, family, lam)
    found = _fit(X, T, family, lam)
    if found is None:
        found = _fit_from_means(X, T, family, lam)
    if found.converged:
        return found
    direction = _recession_direction(X, T, family, lam)
    return found if direction is None else replace(found, reason=_no_minimum(found, family), direction=direction)


def dispersion(w, X, y, family):
    """Σ_n (y_n - μ_n)²/a''(η_n) / (N - d): near 1 where the family's variance is right, σ² for the gaussian."""
    eta = X @ w
    return np.sum((y - mean(eta, family)) ** 2 / variance(eta, family)) / (len(y) - len(w))


def log_linear_regression(X, y):
    """ln y = w·x + b by least squares on ln y: exp(w·x) estimates the median of y, not its mean  [A-2.1-2, A-2.1-3].

    X (N, d), y (N,) > 0. Raises ValueError where a y is not, LinAlgError where X has not full column rank.
    """
    X, y = checks.regression(X, y)
    return linear_regression.least_squares(X, np.log(checks.above_zero(y)))


def _problem(X, y, family, lam):
    """X, y, T(y) and the penalty of each column."""
    X = checks.samples(X)
    if not isinstance(family, Family):
        raise TypeError(
            f"family must be glm.gaussian, glm.bernoulli, glm.categorical, glm.poisson or another glm.Family, "
            f"found {family!r:.60}"
        )
    y = family.observed(y)
    if len(y) != len(X):
        raise ValueError(f"X has {len(X)} rows but y has {len(y)} entries; give one per sample")
    return X, y, family.T(y), checks.penalty(lam, X.shape[1])


def _start(w, X, T):
    w, shape = checks.finite(checks.numeric(w, "w"), "w"), (X.shape[1], *T.shape[1:])
    if w.shape != shape:
        raise ValueError(f"w must have shape {shape}, a row per column of X, found {w.shape}")
    return w


def _statistic(y, eta, family):
    return family.T(y, np.shape(eta)[-1] + 1) if family is categorical else family.T(y)


def _inner(eta, T, family):
    return np.sum(eta * T, axis=-1) if family is categorical else eta * T


def _with_reference(eta):
    eta = np.asarray(eta, float)
    return np.concatenate([eta, np.zeros((*eta.shape[:-1], 1))], axis=-1)


def _times_rows(lam, w):
    return (np.asarray(lam) * w.T).T


def _cost(lam, w):
    return np.vdot(_times_rows(lam, w), w) / 2


def _is_bit(y):
    return (np.asarray(y) == 0) | (np.asarray(y) == 1)


def _rivals(X, T):
    """Rows (e_t - e_k) ⊗ x for the class t of each sample x and every other class k, in the order of w.ravel()."""
    own = np.column_stack([T, 1 - T.sum(axis=1)])
    Z = (own[:, None, :-1] - np.eye(own.shape[1])[:, :-1])[:, :, None, :] * X[:, None, :, None]
    return Z[own == 0].reshape(-1, X.shape[1] * T.shape[1])


def _bernoulli_variance(eta):
    """σ(η)σ(-η) = e/(1 + e)², e = e^-|η|"""
    e = np.exp(-np.abs(eta))
    return e / np.square(1 + e)


def _log_b_of_counts(y):
    """-ln y!, and ln 0 for what is no count."""
    y = np.asarray(y, float)
    return np.where(y >= 0, -np.vectorize(lgamma, otypes=[float])(np.abs(y) + 1), -np.inf) + np.where(
        y == np.round(y), 0.0, -np.inf
    )


def _dependent(X, lam):
    """Why there is no Newton step from the start."""
    free = lam == 0
    F = X[:, free] / moments.power_of_two(X[:, free], axis=0) if free.any() else X[:, free]
    rank = np.linalg.matrix_rank(F / np.linalg.norm(F, axis=0).clip(linear_regression.EPS)) if free.any() else 0
    if rank < free.sum():
        return (
            f"the {free.sum()} columns of X without penalty have rank {rank}: many w are equally likely; "
            "leave dependent columns out, or give them a penalty lam > 0"
        )
    return (
        "XᵀX + λI is singular to rounding, or beyond the range of float64, though the columns are independent: "
        "centre and rescale X, or give a larger lam"
    )


def _fit(X, T, family, lam):
    """None where the columns are dependent to rounding."""
    if family.quadratic:
        return _fit_gaussian(X, T, family, lam)
    if len(X) >= 50 * X.shape[1] and X.size >= MANY:
        found = _fit_from_a_part(X, T, family, lam)
        if found is not None:
            return found
    return _newton(X, T, family, lam, _constant(X, T, family, lam))[0]


def _fit_gaussian(X, T, family, lam):
    """a'(η) = σ²η: one linear system, (XᵀX + λ/σ² I)w = XᵀT/σ²."""
    s2 = float(family.variance(0.0))
    try:
        w = regularization.ridge(X, T / s2, lam / s2)
    except np.linalg.LinAlgError:
        return None
    return Fit(w, 1, True, "the gradient is linear in w: one step")


def _fit_from_means(X, T, family, lam):
    """The same in coordinates x - m, where a free constant column takes what is left."""
    one, m, _ = moments.origin(X, lam, free=lam == 0)
    found = None if one is None else _fit(X - m, T, family, lam)
    if found is None and T.ndim == 1 and not family.quadratic:
        found = _newton(X - m, T, family, lam, _constant(X, T, family, lam), by_rows=True)[0]
    if found is None:
        raise np.linalg.LinAlgError(_dependent(X, lam))
    w = found.w.copy()
    if one is not None:
        w[one] -= m @ w / X[0, one]
    return replace(found, w=w)


def _constant(X, T, family, lam):
    """The best w of which only a free bias is not 0: a'(η) is the mean of T(y). Or 0."""
    w = np.zeros((X.shape[1], *T.shape[1:]))
    one, _, _ = moments.origin(X, T, free=lam == 0)
    if one is not None:
        share = T.mean(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            eta = family.eta(share if T.ndim == 1 else np.append(share, 1 - share.sum()))
        if np.isfinite(eta).all():
            w[one] = eta / X[0, one]
    return w


def _newton(X, T, family, lam, w, enough=0.0, by_rows=False):
    """Newton's method, each step halved until the loss falls: what it found, and the last Hessian.

    It ends where a step changes no w·x by more than 1e-8 of the largest, or than `enough`.
    """
    eta, k = X @ w, 0
    E = E_0 = _negative_log_likelihood(eta, T, family) + _cost(lam, w)
    if not np.isfinite(E):
        raise ValueError(f"the loss is {E} at the start; give irls_iterates a start w at which it is finite")
    for k in range(1, MOST_STEPS + 1):
        g, r = X.T @ (mean(eta, family) - T) + _times_rows(lam, w), variance(eta, family)
        H = _curvature(r, X, lam)
        step = _newton_step_by_rows(X, r, lam, g) if by_rows else _newton_step(H, g)
        if step is None:
            reason = f"after {_steps(k - 1)} the Hessian is singular to rounding"
            return None if k == 1 else Fit(w, k - 1, False, reason), H
        delta = X @ step
        fall, change, size = -np.vdot(g, step), np.abs(delta).max(), np.abs(eta + delta).max()
        if change <= max(enough, 1e-8 * max(size, 1)):
            return Fit(w + step, k, True, f"the last step changed no w·x by more than {change:.3g}"), H
        if fall <= linear_regression.EPS * (abs(E) + abs(E_0)) and change > 0.1:
            break
        tau, E, eta = _lowering(w, E, eta, step, delta, fall, T, family, lam)
        if tau == 0:
            break
        w = w + tau * step
    return Fit(w, k, False, f"after {_steps(k)} another would still change a w·x by {change:.3g}"), H


def _lowering(w, E, eta, step, delta, fall, T, family, lam):
    """The first of τ = 1, 1/2, 1/4 ... that lowers the loss, and what it leads to."""
    tau = 1.0
    while tau >= 1e-15:
        with np.errstate(over="ignore", invalid="ignore"):
            after = _negative_log_likelihood(eta + tau * delta, T, family) + _cost(lam, w + tau * step)
        if after <= E - 1e-4 * tau * fall + 4 * linear_regression.EPS * abs(E):
            return tau, after, eta + tau * delta
        tau /= 2
    return 0.0, E, eta


def _fit_from_a_part(X, T, family, lam):
    """Newton's method on a few samples, then on an eighth of all; from there, with the Hessian of that eighth, by exact
    gradients of all samples.

    The part decides how many passes it takes, not where they end. None where they do not end at a minimum.
    """
    N, d = X.shape
    m = max(N // 8, 20 * d)
    rows = np.random.default_rng(0).integers(0, N, m)
    Z, T_Z, w, n = X[rows], T[rows], _constant(X, T, family, lam), 0
    for few in (20 * d, m):
        found, H = _newton(Z[:few], T_Z[:few], family, lam * (few / N), w, enough=0.25)
        if found is None or not found.converged:
            return None
        w, n = found.w, n + found.n_iter
    B = np.linalg.inv(H * (N / m))
    iterates = optimize.quasi_newton(lambda w: _loss_and_gradient(w, X, T, family, lam), w, B)
    k = 0
    for k, (w, g) in enumerate(islice(iterates, MOST_STEPS), start=1):  # noqa: B007
        step = -(B @ g.ravel()).reshape(w.shape)
        if -np.vdot(g, step) <= 1e-14 * N:  # Σ_n r_n (x_n·step)²; what this step leaves is smaller still
            break
    change, size = np.abs(X @ step).max(), np.abs(X @ w).max()
    reason = f"after {k} passes the last step changed no w·x by more than {change:.3g}"
    return Fit(w + step, n + k, True, reason) if change <= 1e-6 * max(size, 1) else None


def _recession_direction(X, T, family, lam):
    """d along which the loss falls for ever: Zd >= 0 for the rows Z of `Family.recession`, not all 0. None if there is
    none.

    d = Zᵀ(1 + a) with the a >= 0 that make it shortest: if that is 0, the rows balance, and every direction is uphill
    somewhere; if not, each z·d >= 0, for a larger a_n would shorten d otherwise (the lemma of Farkas).
    """
    free = np.repeat(lam == 0, T[0].size)
    if family.recession is None or not free.any():
        return None
    one, m, _ = moments.origin(X, lam, free=lam == 0)
    unit = moments.power_of_two(X - m, axis=0)
    Z = family.recession((X - m) / unit, T)[:, free]
    try:
        a = optimize.nonnegative_least_squares(Z.T, -Z.sum(axis=0))
    except np.linalg.LinAlgError:
        return None
    d = np.zeros(len(free))
    d[free] = Z.T @ (1 + a)
    gain = Z @ d[free]
    if not gain.max() > 1e-9 * np.abs(Z).sum() or gain.min() < -1e-6 * gain.max():
        return None
    d = (d / gain.max()).reshape(X.shape[1], -1) / unit[:, None]
    if one is not None:
        d[one] -= m @ d / X[0, one]
    return d.reshape(X.shape[1], *T.shape[1:])


def _loss_and_gradient(w, X, T, family, lam):
    """E(w), without -ln b(y), which does not depend on w, and ∇E(w), in one pass over X."""
    E, g = _cost(lam, w), _times_rows(lam, w)
    with np.errstate(over="ignore", invalid="ignore"):  # a step too long; it is halved
        for rows in moments.blocks(X):
            eta = X[rows] @ w
            E = E + _negative_log_likelihood(eta, T[rows], family)
            g = g + X[rows].T @ (mean(eta, family) - T[rows])
    return E, g


def _negative_log_likelihood(eta, T, family):
    """Σ_n a(η_n) - η_n·T_n, that is without Σ_n ln b(y_n)."""
    return family.a(eta).sum() - np.vdot(eta, T)


def _curvature(r, X, lam):
    """Σ_n r_n x_n x_nᵀ + λI, r = a''(η)."""
    if r.ndim > 1:
        return _block_hessian(r, X, lam)
    H = moments.weighted_gram(X, r)
    H.flat[:: len(H) + 1] += lam
    return H


def _block_hessian(v, X, lam):
    """Σ_n x_n x_nᵀ ⊗ v_n + λI for vectors η, in the order of w.ravel()."""
    d, k = X.shape[1], v.shape[-1]
    H = np.einsum("ni,nkl,nj->ikjl", X, v, X, optimize=True).reshape(d * k, d * k)
    return H + np.diag(np.repeat(np.broadcast_to(lam, d), k))


def _newton_step(H, g):
    """-H⁻¹g by columns of unit length; None where H is singular to rounding."""
    s = np.sqrt(H.diagonal())
    if not moments.in_range(s):
        return None
    A = H / (s[:, None] * s)
    try:
        if np.linalg.cholesky(A).diagonal().min() < 1e-7:
            return None
    except np.linalg.LinAlgError:
        return None
    return -(np.linalg.solve(A, g.ravel() / s) / s).reshape(g.shape)


def _newton_step_by_rows(X, r, lam, g):
    """-H⁻¹g from H = AᵀA, A the rows √r_n x_n and √λ I: QR keeps the digits that forming H would lose."""
    A = np.concatenate([X * np.sqrt(r)[:, None], np.diag(np.sqrt(lam))])
    A = A[np.argsort(-np.abs(A).max(axis=1))]  # the longest rows first: QR would lose short ones above them
    with np.errstate(over="ignore"):
        s = np.linalg.norm(A, axis=0)
    if not moments.in_range(s):
        return None
    R = np.linalg.qr(A / s)[1]
    if len(R) < len(g) or np.abs(R.diagonal()).min() < 1e-12:
        return None
    return -np.linalg.solve(R, np.linalg.solve(R.T, g / s)) / s


def _no_minimum(found, family):
    why = {"bernoulli": "the classes are separable", "categorical": "a class is separable", "poisson": "zero counts"}
    return (
        f"no finite minimum: along `direction` the loss falls for ever ({why.get(family.name, 'as X and y are')}); "
        f"stopped after {_steps(found.n_iter)}; a penalty lam > 0 gives one"
    )


def _steps(n):
    return f"{n} step{'s' * (n != 1)}"

"""Least mean squares on features and on a kernel matrix (带有核技巧的最小均方; chapter 11; notes A opening, E).

Phi (N, p) holds the features φ(x_n) as rows, θ (p,) their weights, y (N,) the targets, K = ΦΦᵀ (N, N), β (N,) the
coefficients with θ = Σ_n β_n φ(x_n), η > 0 the step (the notes' α). The loss is ½‖y - Φθ‖² = ½‖y - Kβ‖².
"""

from typing import NamedTuple

import numpy as np

from . import optimize
from .guards import checks
from .guards.shapes import bare, takes
from .solvers import cholesky


class BetaUpdate(NamedTuple):
    """The coefficients after an update of all of them, and the residual y - Kβ they leave."""

    beta: np.ndarray
    residual: np.ndarray


class StochasticUpdate(NamedTuple):
    """The sample that was visited, and the coefficients after its update."""

    i: int
    beta: np.ndarray


class ThetaUpdate(NamedTuple):
    """The sample that was visited (-1 at the start), and the weights after its update."""

    i: int
    theta: np.ndarray


@takes(theta="p", Phi="N p", y="N")
def loss(theta, Phi, y):
    """E(θ) = ½ Σ_i (y_i - θ·φ(x_i))²: half of chapter 01's sum of squares  [E-lms-1; erratum E34]."""
    return np.sum((y - Phi @ theta) ** 2) / 2


@takes(theta="p", Phi="N p", y="N")
def gradient(theta, Phi, y):
    """∇E = -Σ_i (y_i - θ·φ(x_i)) φ(x_i)  [E-lms-1, E-lms-2]."""
    return -Phi.T @ (y - Phi @ theta)


def feature_iterates(Phi, y, eta):
    """θ ← θ + η Σ_i (y_i - θ·φ(x_i)) φ(x_i), from θ = 0  [E-lms-1, E-lms-2, E-kernel-3].

    Phi (N, p); y (N,); 0 < eta, below `largest_step`(Φ Φᵀ) or it diverges. Yields optimize.Iterate(θ, ∇E), the start
    first, without end; raises FloatingPointError where it has diverged to inf.
    """
    Phi, y = checks.regression(Phi, y, "Phi")
    eta = checks.step(eta)
    return optimize.gradient_descent(lambda theta: bare(gradient)(theta, Phi, y), np.zeros(Phi.shape[1]), eta=eta)


def stochastic_feature_iterates(Phi, y, eta, order=None):
    """θ ← θ + η (y_i - θ·φ(x_i)) φ(x_i), sample after sample, from θ = 0  [E-lms-3].

    Phi (N, p); y (N,); eta > 0; order: the indices in the order of the visits, again and again (0..N-1 unless given).
    Yields ThetaUpdate(i, theta), the start (-1, 0) first, without end.
    """
    Phi, y = checks.regression(Phi, y, "Phi")
    order, eta = _order(order, len(y)), checks.step(eta)
    return _feature_visits(Phi, y, eta, order)


def beta_updates(K, y, eta):
    """β ← β + η (y - Kβ), all entries at once from the old β, from β = 0
    [E-kernel-5, E-kernel-6, E-kernel-7, E-kernel-12, E-kernel-13; "all i" in the notes: erratum E11].

    K (N, N); y (N,); 0 < eta, below `largest_step`(K) or it diverges (erratum E17). Yields BetaUpdate(beta, residual)
    after each update, without end; raises FloatingPointError where it has diverged to inf.
    """
    K, y = checks.gram_and_targets(K, y)
    return _all_at_once(K, y, checks.step(eta))


def stochastic_beta_updates(K, y, eta, order=None):
    """β_i ← β_i + η (y_i - Σ_j β_j K_ij), one i after the other: stochastic LMS, another sequence than `beta_updates`
    [E-lms-3, E-kernel-7; erratum E11].

    K (N, N); y (N,); eta > 0; order as in `stochastic_feature_iterates`. Yields StochasticUpdate(i, beta) after each
    update, without end; one costs O(N), where `beta_updates` pays O(N²).
    """
    K, y = checks.gram_and_targets(K, y)
    order, eta = _order(order, len(y)), checks.step(eta)
    return _one_by_one(K, y, eta, order)


def beta_after(K, y, eta, steps):
    """β_t = η Σ_{s<t} (I - ηK)^s y, the coefficients after t = `steps` updates  [E-kernel-13].

    K (N, N); y (N,); eta > 0. Where K = QHQᵀ has a low rank r, Q with orthonormal columns, the updates run on r numbers
    instead of N: β_t = Qa_t + ηt (I - QQᵀ)y, a ← a + η (Qᵀy - Ha); K does not see the rest of y, which adds up. Raises
    FloatingPointError where eta is too long a step and β overflows.
    """
    K, y = checks.gram_and_targets(K, y)
    eta, steps = checks.step(eta), checks.count(steps, "steps", least=0)
    F = _low_rank_factor(K, steps)
    with np.errstate(over="ignore", invalid="ignore"):
        beta = _by_updates(K, y, eta, steps) if F is None else _by_weights(F, y, eta, steps)
    if not np.isfinite(beta).all():
        raise FloatingPointError(_too_long(eta, steps))
    return beta


def largest_step(K):
    """2/λ_max(K): below it the residual (I - ηK)^t y shrinks, above it it grows  [E-kernel-13; erratum E17].

    K (N, N) symmetric, positive semidefinite and not zero. The same bound serves Φ: K = ΦΦᵀ.
    """
    K = checks.gram(K, "K")
    eigenvalues = np.linalg.eigvalsh(K)
    smallest, largest = eigenvalues[0], eigenvalues[-1]
    if not largest > 0:
        raise ValueError(f"K must have a positive eigenvalue, found {largest:.3g} as the largest: no step changes Kβ")
    if smallest < -1e-10 * largest:
        raise ValueError(
            f"K must be positive semidefinite, found the eigenvalue {smallest:.3g}: any step diverges there"
        )
    return 2 / largest


@takes(beta="N", Phi="N p")
def primal(beta, Phi):
    """θ = Σ_i β_i φ(x_i)  [E-kernel-4, E-kernel-5, E-kernel-7]."""
    return Phi.T @ beta


@takes(beta="N", K="M? N")
def predict(beta, K):
    """θ·φ(x) = Σ_i β_i k(x_i, x), K = k(X_new, X) (M, N)  [E-kernel-15, E-kernel-16]."""
    return K @ beta


def _order(order, N):
    order = checks.visiting_order(order, N)
    return np.arange(N) if order is None else order


def _feature_visits(Phi, y, eta, order):
    theta = np.zeros(Phi.shape[1])
    yield ThetaUpdate(-1, theta.copy())
    for i in _endless(order):
        with np.errstate(over="ignore", invalid="ignore"):
            theta = _finite(theta + eta * (y[i] - theta @ Phi[i]) * Phi[i], eta)
        yield ThetaUpdate(i, theta.copy())


def _all_at_once(K, y, eta):
    beta, residual = np.zeros(len(y)), y
    while True:
        with np.errstate(over="ignore", invalid="ignore"):  # a step too long overflows; the error says so
            beta = beta + eta * residual
            residual = _finite(y - K @ beta, eta)
        yield BetaUpdate(beta.copy(), residual.copy())


def _one_by_one(K, y, eta, order):
    beta = np.zeros(len(y))
    for i in _endless(order):
        with np.errstate(over="ignore", invalid="ignore"):
            beta[i] += eta * (y[i] - K[i] @ beta)
        yield StochasticUpdate(i, _finite(beta, eta).copy())


def _endless(order):
    while True:
        yield from order.tolist()


def _finite(a, eta):
    if not np.isfinite(a).all():
        raise FloatingPointError(_too_long(eta))
    return a


def _too_long(eta, steps=None):
    after = "" if steps is None else f" within {steps} steps"
    return f"the coefficients overflow{after}: eta = {eta:g} is too long a step; largest_step(K) bounds it"


def _by_updates(K, y, eta, steps):
    beta = np.zeros(len(y))
    for _ in range(steps):
        beta = beta + eta * (y - K @ beta)
    return beta


def _by_weights(F, y, eta, steps):
    Q, R = np.linalg.qr(F)
    a, c, H = np.zeros(F.shape[1]), Q.T @ y, R @ R.T
    for _ in range(steps):
        a = a + eta * (c - H @ a)
    return Q @ a + eta * steps * (y - Q @ c)


def _low_rank_factor(K, updates=np.inf):
    """F (N, r) with FFᵀ = K to the last digits, r <= N/2, if there is one and it pays.

    It costs as much as r²/2N updates, of which so many are ahead: a sixteenth of them is spent at most.
    """
    N = len(K)
    F = cholesky.pivoted_cholesky(K, int(min(N / 2, np.sqrt(updates * N / 8))))
    return F if F is not None and _is_product(K, F) else None


def _is_product(K, F):
    """K = FFᵀ up to rounding? It is for a semidefinite K, whose rest is nowhere larger than on its diagonal; numbers
    drawn at random tell others: if not, Kv and FFᵀv differ."""
    v, least = np.random.default_rng(0).standard_normal(len(K)), 4 * len(K) * np.finfo(float).eps * K.diagonal().max()
    return np.abs(K @ v - F @ (F.T @ v)).max() <= least * np.sqrt(len(K))

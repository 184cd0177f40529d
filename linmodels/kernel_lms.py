"""Least mean squares on features and on a kernel matrix (带有核技巧的最小均方; chapter 11; notes A opening, E).

Phi (N, p) holds the features φ(x_n) as rows, θ (p,) their weights, y (N,) the targets, K = ΦΦᵀ (N, N), β (N,) the
coefficients with θ = Σ_n β_n φ(x_n), η > 0 the step (the notes' α). The loss is ½‖y - Φθ‖² = ½‖y - Kβ‖².
"""

from itertools import cycle
from typing import NamedTuple

import numpy as np

from . import optimize
from .guards import checks
from .guards.shapes import takes


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
    """E(θ) = ½ Σ_i (y_i - θ·φ(x_i))²: half of chapter 01's sum of squares  [E-lms-1; erratum E34].

    >>> print(loss([1, 1], [[1, 1], [1, 2], [1, -1]], [2, 1, 0]))  # the residuals are 0, -2, 0
    2.0
    """
    return np.sum((y - Phi @ theta) ** 2) / 2


@takes(theta="p", Phi="N p", y="N")
def gradient(theta, Phi, y):
    """∇E = -Σ_i (y_i - θ·φ(x_i)) φ(x_i)  [E-lms-1, E-lms-2].

    >>> gradient([1, 1], [[1, 1], [1, 2], [1, -1]], [2, 1, 0])  # 2 (1, 2)
    array([2., 4.])
    """
    return -Phi.T @ (y - Phi @ theta)


@takes(theta="p", phi_i="p", y_i="number", eta="number")
def feature_step(theta, phi_i, y_i, eta):
    """θ ← θ + η (y_i - θ·φ(x_i)) φ(x_i), a step on one sample, φ(x_i) = phi_i (p,)  [E-lms-3].

    >>> feature_step([1, 1], [1, 2], 1, eta=0.25)  # the residual is -2
    array([0.5, 0. ])
    """
    return theta + eta * (y_i - theta @ phi_i) * phi_i


@takes(beta="N", K="N N", y="N", eta="number")
def beta_step(beta, K, y, eta):
    """β ← β + η (y - Kβ), all entries at once from the old β
    [E-kernel-5, E-kernel-6, E-kernel-7, E-kernel-12, E-kernel-13; "all i" in the notes: erratum E11].

    >>> beta_step([1, 0], [[2, 1], [1, 2]], [1, 3], eta=0.5)  # the residuals are -1, 2
    array([0.5, 1. ])
    """
    return beta + eta * (y - K @ beta)


@takes(i="whole", beta="N", K="N N", y="N", eta="number")
def stochastic_beta_step(i, beta, K, y, eta):
    """β_i ← β_i + η (y_i - Σ_j β_j K_ij), the other entries stay  [E-lms-3, E-kernel-7; erratum E11].

    >>> stochastic_beta_step(1, [1, 0], [[2, 1], [1, 2]], [1, 3], eta=0.5)  # the residual is 2
    array([1., 1.])
    """
    beta = beta.copy()
    beta[i] += eta * (y[i] - K[i] @ beta)
    return beta


@takes(Phi="N p", y="N", eta="number positive")
def feature_iterates(Phi, y, eta):
    """θ ← θ + η Σ_i (y_i - θ·φ(x_i)) φ(x_i) = θ - η ∇E(θ), from θ = 0  [E-lms-1, E-lms-2, E-kernel-3].

    eta > 0 is below `largest_step`(Φ Φᵀ), or it diverges. Yields optimize.Iterate(θ, ∇E), the start first, without end.
    Raises FloatingPointError where it has diverged to inf.

    >>> optimize.trajectory(feature_iterates([[1], [1]], [1, 3], 0.25), 3).ravel()  # θ ← θ/2 + 1
    array([0.  , 1.  , 1.5 , 1.75])
    """
    return optimize.gradient_descent(lambda theta: gradient(theta, Phi, y), np.zeros(Phi.shape[1]), eta=eta)


@checks.not_diverged
@takes(Phi="N p", y="N", eta="number positive", order="order or None")
def stochastic_feature_iterates(Phi, y, eta, order=None):
    """Visit the samples in turn, `feature_step` on each, from θ = 0: stochastic LMS  [E-lms-3].

    order holds the indices in the order of the visits, again and again (0..N-1 unless given). Yields ThetaUpdate(i,
    theta), the start (-1, 0) first, without end. Raises FloatingPointError where it has diverged to inf.

    >>> visits = stochastic_feature_iterates([[1], [1]], [1, 3], 0.5)
    >>> for _ in range(3):
    ...     print(*next(visits))
    -1 [0.]
    0 [0.5]
    1 [1.75]
    """
    theta = np.zeros(Phi.shape[1])
    yield ThetaUpdate(-1, theta.copy())
    for i in cycle(range(len(y)) if order is None else order.tolist()):
        theta = feature_step(theta, Phi[i], y[i], eta)
        yield ThetaUpdate(i, theta.copy())


@checks.not_diverged
@takes(K="N N gram", y="N", eta="number positive")
def beta_updates(K, y, eta):
    """β ← β + η (y - Kβ), `beta_step` again and again, from β = 0
    [E-kernel-5, E-kernel-6, E-kernel-7, E-kernel-12, E-kernel-13].

    eta > 0 is below `largest_step`(K), or it diverges (erratum E17). Yields BetaUpdate(beta, residual) after each
    update, without end. Raises FloatingPointError where it has diverged to inf.

    >>> next(beta_updates([[2, 1], [1, 2]], [1, 3], 0.25))  # 1/4 · y
    BetaUpdate(beta=array([0.25, 0.75]), residual=array([-0.25,  1.25]))
    """
    beta = np.zeros(len(y))
    while True:
        beta = beta_step(beta, K, y, eta)
        yield BetaUpdate(beta.copy(), y - K @ beta)


@checks.not_diverged
@takes(K="N N gram", y="N", eta="number positive", order="order or None")
def stochastic_beta_updates(K, y, eta, order=None):
    """Visit the samples in turn, `stochastic_beta_step` on each, from β = 0: stochastic LMS, another sequence than
    `beta_updates`  [E-lms-3, E-kernel-7; erratum E11].

    order is as in `stochastic_feature_iterates`. Yields StochasticUpdate(i, beta) after each update, without end. An
    update costs O(N), one of `beta_updates` O(N²). Raises FloatingPointError where it has diverged to inf.

    >>> visits = stochastic_beta_updates([[2, 1], [1, 2]], [1, 3], 0.25)
    >>> for _ in range(2):
    ...     print(*next(visits))
    0 [0.25 0.  ]
    1 [0.25   0.6875]
    """
    beta = np.zeros(len(y))
    for i in cycle(range(len(y)) if order is None else order.tolist()):
        beta = stochastic_beta_step(i, beta, K, y, eta)
        yield StochasticUpdate(i, beta.copy())


@checks.not_diverged
@takes(K="N N gram", y="N", eta="number positive", steps="whole")
def beta_after(K, y, eta, steps):
    """β_t = η Σ_{s<t} (I - ηK)^s y, the coefficients after t = `steps` updates: each adds the next term
    [E-kernel-13].

    It costs O(N²) a step. Raises FloatingPointError where eta is too long a step and β overflows.

    >>> beta_after(np.diag([1, 2, 0]), [16, 6, 1], 0.5, 4)  # 16 (1 - 1/2⁴), 6/2, 4 · 1/2
    array([15.,  3.,  2.])
    """
    beta, term = np.zeros(len(y)), eta * y  # term = η (I - ηK)^s y
    for _ in range(steps):
        beta, term = beta + term, term - eta * (K @ term)
    return beta


def _nonzero(K):
    """K differs from 0: otherwise each step is short enough."""
    if not K.any():
        raise ValueError("K holds only zeros: no step changes a prediction; give samples that differ from 0")


@takes(K="N N gram semidefinite", together=_nonzero)
def largest_step(K):
    """2/λ_max(K): below it the residual (I - ηK)^t y does not grow, above it some does  [E-kernel-13; erratum E17].

    K is not zero. The same bound serves Φ: K = ΦΦᵀ.

    >>> print(largest_step([[2, 1], [1, 2]]).round(3))  # the eigenvalues are 1 and 3
    0.667
    """
    return 2 / np.linalg.eigvalsh(K)[-1]


@takes(beta="N", Phi="N p")
def primal(beta, Phi):
    """θ = Σ_i β_i φ(x_i)  [E-kernel-4, E-kernel-5, E-kernel-7].

    >>> primal([1, 2, -1], [[1, 1], [1, 2], [1, -1]])
    array([2., 6.])
    """
    return Phi.T @ beta


@takes(beta="N", K="M? N")
def predict(beta, K):
    """θ·φ(x) = Σ_i β_i k(x_i, x), K = k(X_new, X) (M, N)  [E-kernel-15, E-kernel-16].

    >>> predict([1, 2, -1], [[4, 7, -2]])  # 4 + 14 + 2
    array([20.])
    """
    return K @ beta

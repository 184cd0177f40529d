"""How a support vector machine is found, as loops that can be read (chapter 10, starred sections; notes D 5, E).

Two ways to the multipliers: two of them at a time, and Newton's method for all at once. `svm.fit` and `svm.fit_dual`
go the same ways faster, and with care on hard data. Letters as in `svm`, which has these functions, too.
"""

from typing import NamedTuple

import numpy as np

from .guards.shapes import takes
from .solvers.interior_point import require_reachable_bound
from .solvers.pairwise import require_kernel

EPS = np.finfo(float).eps
MOST_STEPS = 80  # of Newton's method; of 2932 problems with a solution the longest took 47
FLAT = 1e-12  # a curvature K_ii + K_jj - 2 K_ij below this part of the largest K_nn counts as this part


@takes(w="d", b="number", alpha="N", X="N d", y="N signs", C="bound", infinite=True)
def primal_dual_gap(w, b, alpha, X, y, C=np.inf):
    """½‖w - Σ_n α_n y_n x_n‖² + Σ_n α_n max(0, m_n - 1) + Σ_n (C - α_n) max(0, 1 - m_n), m_n = y_n(w·x_n + b)
    [D-5-8, D-5-14, D-5-16]: the primal value of (w, b) less Γ(α), where Σ_n α_n y_n = 0.

    Each term is what one of the KKT conditions asks to vanish, so no digit cancels. For C = inf (w, b) is scaled to be
    `canonical` first; the gap is inf where it does not separate.

    >>> print(primal_dual_gap([0], 0, [0, 0], [[3], [1]], [1, -1], C=2))  # nothing but hinges: 2 (1 + 1)
    4.0
    """
    m = y * (X @ w + b)
    if np.isinf(C):
        if not m.min() > 0:
            return np.inf
        w, m, C = w / m.min(), m / m.min(), 0.0  # every 1 - m_n <= 0 then
    return np.sum((w - (alpha * y) @ X) ** 2) / 2 + alpha @ np.maximum(0, m - 1) + (C - alpha) @ np.maximum(0, 1 - m)


# --- two multipliers at a time: sequential minimal optimization ---


class PairState(NamedTuple):
    """The pair just changed (-1, -1 at the start), α and b after it, and max_up F - min_down F, <= 0 at the optimum."""

    i: int
    j: int
    alpha: np.ndarray
    b: float
    violation: float


@takes(alpha="N", K="N N", y="N signs", C="bound", infinite=True)
def scores_by_direction(alpha, K, y, C=np.inf):
    """F = y - Kβ twice: of the β_n that can go up (else -inf), and of those that can go down (else inf).

    F_n is the derivative of Γ by β_n, and the b that would put sample n on its margin. β_n = α_n y_n lies between
    min(0, C y_n) and max(0, C y_n). At the optimum no F that can go up lies above one that can go down: b is between.

    >>> print(*scores_by_direction([0, 0], [[9, 3], [3, 1]], [1, -1]))  # F = y at α = 0
    [  1. -inf] [inf -1.]
    """
    F = y - K @ (alpha * y)
    up, down = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    return np.where(up, F, -np.inf), np.where(down, F, np.inf)


@takes(alpha="N", K="N N", y="N signs", C="bound")
def best_pair(alpha, K, y, C=np.inf):
    """i of the largest F that can go up, and the j that gains most with it: ½ (F_i - F_j)²/(K_ii + K_jj - 2 K_ij).

    >>> best_pair([0, 0], [[9, 3], [3, 1]], [1, -1])
    (0, 1)
    """
    up, down = scores_by_direction(alpha, K, y, C)
    i = np.argmax(up)
    curvature = np.maximum(K[i, i] + K.diagonal() - 2 * K[i], FLAT * (K.diagonal().max() or 1.0))
    gain = np.maximum(0, up[i] - down) ** 2 / curvature
    return int(i), int(np.argmax(gain))


@takes(alpha="N", i="whole", j="whole", K="N N", y="N signs", C="bound")
def pair_step(alpha, i, j, K, y, C=np.inf):
    """β_i ← β_i + δ, β_j ← β_j - δ, δ = (F_i - F_j)/(K_ii + K_jj - 2 K_ij), cut where α_i or α_j meets 0 or C.

    Γ gains δ(F_i - F_j) - ½ δ²(K_ii + K_jj - 2 K_ij), which is quadratic in δ with its top there; Σ_n β_n stays.

    >>> pair_step([0, 0], 0, 1, [[9, 3], [3, 1]], [1, -1])  # δ = (1 + 1)/(9 + 1 - 6)
    array([0.5, 0.5])
    """
    beta, F = alpha * y, y - K @ (alpha * y)
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)  # of β_n
    curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], FLAT * (K.diagonal().max() or 1.0))
    least, most = max(low[i] - beta[i], beta[j] - high[j]), min(high[i] - beta[i], beta[j] - low[j])
    delta = np.clip((F[i] - F[j]) / curvature, least, most)
    beta[i] = high[i] if delta == high[i] - beta[i] else beta[i] + delta  # a bound is met to the last digit
    beta[j] = low[j] if delta == beta[j] - low[j] else beta[j] - delta
    return np.abs(np.clip(beta, low, high))  # α_n = |β_n|


@takes(K="N N gram", y="N sides", C="bound", together=require_kernel)
def pairwise_iterates(K, y, C=np.inf):
    """Take the `best_pair`, do a `pair_step`, and again, until no pair gains any more  [D-5-14].

    y holds both labels; C > 0. Yields PairState(i, j, alpha, b, violation), the start α = 0 first. It ends where no
    pair gains more than rounding, which is never where C = inf and no hyperplane separates the classes. Raises
    ValueError where K is seen to be no kernel matrix, and where C = inf and two samples of different labels have the
    same place in K.

    >>> for i, j, alpha, b, violation in pairwise_iterates([[9, 3], [3, 1]], [1, -1]):
    ...     print(alpha, b, violation)
    [0. 0.] 0.0 2.0
    [0.5 0.5] -2.0 0.0
    """
    i, j, alpha = -1, -1, np.zeros(len(y))
    while True:
        up, down = scores_by_direction(alpha, K, y, C)
        violation = up.max() - down.min()
        yield PairState(i, j, alpha.copy(), float(up.max() + down.min()) / 2, float(violation))
        i, j = best_pair(alpha, K, y, C)
        alpha, before = pair_step(alpha, i, j, K, y, C), alpha
        rounding = EPS * max(1.0, K.diagonal().max() * alpha.sum())  # what it does to F
        if violation <= rounding or np.array_equal(alpha, before):
            return


# --- all of them at once: Newton's method on the KKT conditions ---


class NewtonPoint(NamedTuple):
    """u = (w, b); multipliers P: the rows α and C - α; slacks S: the rows s and ξ. For C = inf, α and s alone.

    The products P S are what the KKT conditions want to be 0, with y_n f(x_n) = 1 + s_n - ξ_n and all P, S >= 0.
    """

    u: np.ndarray
    P: np.ndarray
    S: np.ndarray


class NewtonState(NamedTuple):
    """A hyperplane, multipliers with Σ α_n y_n = 0, and how much the one's value exceeds that of the others."""

    w: np.ndarray
    b: float
    alpha: np.ndarray
    gap: float


@takes(X="N d", y="N signs", C="bound")
def newton_start(X, y, C=np.inf):
    """w = 0, b = 0, all slacks 2, α_n equal in each class with Σ_n α_n y_n = 0: C/2 in the smaller class.

    For C = inf they are ten times those of the plane half way between the class means.

    >>> newton_start([[1], [-1]], [1, -1])  # 20/‖2‖² = 5
    NewtonPoint(u=array([0., 0.]), P=array([[5., 5.]]), S=array([[2., 2.]]))
    """
    n = np.where(y > 0, np.sum(y > 0), np.sum(y < 0))  # samples in the class of each
    between = X.T @ (y / n)
    size = C / 2 * n.min() if C < np.inf else 20 / max(between @ between, 1e-6 * np.mean(X * X) or 1.0)
    P = np.array([size / n, C - size / n]) if C < np.inf else np.array([size / n])
    return NewtonPoint(np.zeros(X.shape[1] + 1), P, np.full(P.shape, 2.0))


def _solved(A, b):
    """A⁻¹b; where A is singular, the error says what that means for a Newton step."""
    try:
        return np.linalg.solve(A, b)
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError(
            "no Newton step from this point: R + Zᵀ diag(ω) Z is singular to rounding, ω = 1/(s/α + ξ/(C - α)); the "
            "point before it is as far as the digits go"
        ) from None


@takes(X="N d", y="N signs")
def newton_direction(point, X, y, target=0.0):
    """(du, dP, dS) that solve the KKT conditions linearized at a point, so that the products P S become the target.

    The conditions: Ru = Zᵀα, Zu - 1 = s - ξ, P S = target, with the rows z_n = y_n(x_n, 1) and R = diag(1 ... 1, 0).
    Linearized: R du - Zᵀdα = Zᵀα - Ru, Z du - ds + dξ = 1 - Zu + s - ξ, S dP + P dS = target - P S. The last two give
    dα = ω(q - Z du); then (R + Zᵀ diag(ω) Z) du = Zᵀα - Ru + Zᵀ(ωq), a weighted Gram matrix as in chapter 04.

    >>> du, dP, dS = newton_direction(newton_start([[1], [-1]], [1, -1]), [[1], [-1]], [1, -1])
    >>> print(dP, dS)
    [[-3.75 -3.75]] [[-0.5 -0.5]]
    """
    u, P, S = point
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])
    R = np.diag(np.append(np.ones(X.shape[1]), 0.0))
    signs = np.array([1.0, -1.0])[: len(P)]  # s - ξ is signs @ S, and (dα, d(C - α)) is (dα, -dα)
    omega = 1 / np.sum(S / P, axis=0)  # 1/(s/α + ξ/(C - α))
    q = 1 - Z @ u + signs @ (target / P)
    du = _solved(R + (Z.T * omega) @ Z, Z.T @ P[0] - R @ u + Z.T @ (omega * q))
    dP = signs[:, None] * (omega * (q - Z @ du))
    return du, dP, target / P - S - S * dP / P


@takes(X="N d", y="N signs")
def newton_step(point, X, y):
    """One Newton step on the KKT conditions, P S = μ, as far as P and S stay positive  [D-5-15, D-5-16].

    μ is a tenth of the mean of P S, so that the products fall. Where a bound would cut this step to less than half, μ
    is half the mean, and they fall less.

    >>> newton_step(newton_start([[1], [-1]], [1, -1]), [[1], [-1]], [1, -1]).P.round(3)  # 4/3 each
    array([[1.333, 1.333]])
    """
    u, P, S = point
    for share in (0.1, 0.5):
        du, dP, dS = newton_direction(point, X, y, share * np.mean(P * S))
        tau = min(1, 0.995 / max(np.max(-dP / P), np.max(-dS / S), 0.5))  # not all the way to the nearest bound
        if tau >= 0.5:
            break
    return NewtonPoint(u + tau * du, P + tau * dP, S + tau * dS)


@takes(alpha="N", y="N sides")
def balanced(alpha, y):
    """α with Σ_n α_n y_n = 0: of the class with the larger sum each α_n is made smaller by the same factor  [D-5-11].

    Rounding leaves a little of that sum in every Newton step; without it Γ(α) would bound nothing.

    >>> balanced([3, 1, 2], [1, 1, -1])
    array([1.5, 0.5, 2. ])
    """
    plus, minus = np.sum(alpha[y > 0]), np.sum(alpha[y < 0])
    own = np.where(y > 0, plus, minus)
    return alpha * min(plus, minus) / np.where(own > 0, own, 1)  # both sums are the smaller one now


def _plane_at(point, X, y, C):
    """(w, b) of a point, its multipliers with Σ α_n y_n = 0 and α_n <= C, and the gap between them."""
    w, b, alpha = point.u[:-1].copy(), point.u[-1], balanced(np.minimum(point.P[0], C * (1 - EPS)), y)
    return NewtonState(w, float(b), alpha, float(primal_dual_gap(w, b, alpha, X, y, C)))


@takes(X="N d", y="N sides", C="bound", together=require_reachable_bound)
def interior_point_iterates(X, y, C=np.inf):
    """Newton's method on the KKT conditions  [D-5-15, D-5-16].

    Input: X; y, which holds both labels; C > 0, inf for the hard margin.
    Start: `newton_start`.
    Repeat: yield NewtonState(w, b, alpha, gap), 0 < alpha <= C, the start first; do a `newton_step`.
    Until: the `primal_dual_gap` is rounding, or small and no longer falls, or a step has no digits left, or after 80
    states.

    Where the gap stays inf to the end, no separating plane was found; `svm.fit` proves whether there is one. Where the
    classes nearly touch, a street narrower than a hundredth of the range of X, these plain steps may end far from the
    best: the last gap says how far, `svm.fit` gets there. Raises ValueError for a finite C beyond 1e20 in units of
    1/X².

    >>> *_, last = interior_point_iterates([[3], [1]], [1, -1])
    >>> print(last.w.round(3), round(last.b, 3))  # f(x) = x - 2
    [1.] -2.0
    """
    m = X.mean(axis=0)  # measured from the mean, no offset costs a digit: only b differs, by w·m
    X = X - m
    point, best_gap = newton_start(X, y, C), np.inf
    for _ in range(MOST_STEPS):
        state = _plane_at(point, X, y, C)
        size = np.sum(state.alpha)
        is_rounding, is_small = best_gap <= 4 * EPS * size, best_gap <= 1e-7 * size
        if is_rounding or (is_small and best_gap <= state.gap):
            return
        yield state._replace(b=float(state.b - m @ state.w))
        best_gap = min(best_gap, state.gap)
        try:
            point = newton_step(point, X, y)
        except np.linalg.LinAlgError:
            return

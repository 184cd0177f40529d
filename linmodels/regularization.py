"""Regularization (正则化; chapter 02; notes A 1.2, 1.3, C 1).

X (N, d) is the design matrix, y (N,) the targets, w (d,) the weights. λ >= 0 is one number or one per column
(`design.free_bias` leaves the bias free), ρ in [0, 1] the share of the L1 part. ‖Xw - y‖² stands without 1/2.
"""

from dataclasses import dataclass

import numpy as np

from . import linear_regression, optimize
from .guards.shapes import takes
from .solvers import penalized, sparse
from .solvers.cholesky import symmetric_solve
from .solvers.least_squares import svd
from .solvers.units import unit_columns
from .special import soft_threshold


@dataclass(frozen=True)
class Fit:
    """Weights that minimize a penalized loss; no other weights have a loss lower than theirs by more than `gap`."""

    w: np.ndarray
    gap: float
    n_iter: int
    converged: bool
    reason: str


@dataclass(frozen=True)
class Path:
    """The lasso for every λ >= lams[-1]: W[k] (d,) at the knots lams[k], decreasing, straight lines between them.

    changes[k] is j for the j-th column, counted from 1, that enters at knot k, -j for one that leaves, 0 at the end.
    """

    lams: np.ndarray
    W: np.ndarray
    changes: np.ndarray


@takes(w="d", lam="number or d", rho="number")
def penalty(w, lam, rho=1.0):
    """λρ‖w‖₁ + λ(1 - ρ)/2 ‖w‖², column by column if λ is one per column.

    >>> print(penalty([3, -4], 2), penalty([3, -4], 2, rho=0))  # ‖w‖₁ = 7, ‖w‖² = 25
    14.0 25.0
    """
    return np.sum(lam * (rho * np.abs(w) + (1 - rho) / 2 * w * w))


@takes(w="d", X="N d", y="N", lam="number or d", rho="number")
def loss(w, X, y, lam, rho=1.0):
    """E(w) = ‖Xw - y‖² + λρ‖w‖₁ + λ(1 - ρ)/2 ‖w‖², the lasso's for ρ = 1  [A-1.2-14, A-1.2-16].

    >>> print(loss([1], [[-1], [0], [1]], [-2, 0, 2], 3))
    5.0
    """
    return linear_regression.loss(w, X, y) + penalty(w, lam, rho)


@takes(w="d", X="N d", y="N", lam="number or d", rho="number")
def subgradient(w, X, y, lam, rho=1.0):
    """The element of ∂E(w) nearest to 0: g_j + λρ sign(w_j) where w_j ≠ 0, S(g_j, λρ) where w_j = 0.

    g = 2Xᵀ(Xw - y) + λ(1 - ρ)w is the gradient of the smooth part. The result holds zeros exactly at a minimum.

    >>> subgradient([0], [[1]], [3], 2)  # g = -6
    array([-4.])
    """
    g = linear_regression.gradient(w, X, y) + lam * (1 - rho) * w
    return np.where(w != 0, g + lam * rho * np.sign(w), soft_threshold(g, lam * rho))


@takes(w="d", X="N d", y="N", lam="number or d")
def ridge_loss(w, X, y, lam):
    """‖Xw - y‖² + λ‖w‖²  [A-1.2-15, A-1.3-3; note A 1.3 prints ‖w‖ without its square: erratum A08].

    >>> print(ridge_loss([2], [[1], [1]], [1, 3], 3))  # 2 + 3·4
    14.0
    """
    return linear_regression.loss(w, X, y) + np.sum(lam * w * w)


@takes(w="d", X="N d", y="N", lam="number or d")
def ridge_gradient(w, X, y, lam):
    """2Xᵀ(Xw - y) + 2λw.

    >>> ridge_gradient([1], [[-1], [0], [1]], [-2, 0, 2], 3)  # 2(2 - 4) + 6
    array([2.])
    """
    return linear_regression.gradient(w, X, y) + 2 * lam * w


@takes(X="N d", y="N", lam="penalty", together=penalized.require_inverse)
def ridge_normal_equations(X, y, lam):
    """w = (XᵀX + λI)⁻¹Xᵀy, or (XᵀX + diag λ)⁻¹Xᵀy with one λ per column  [A-1.2-15, A-1.3-1].

    lam is in the units of X². This is the printed form. It may lose digits where columns are far from 0, nearly
    dependent, or in unlike units: XᵀX has the squares of their lengths. `ridge` does not form it. Raises
    LinAlgError where XᵀX + diag λ is singular to rounding.

    >>> ridge_normal_equations([[-1], [0], [1]], [-2, 0, 2], 2)  # 4/(2 + λ)
    array([1.])
    """
    return np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)


@takes(X="N d", y="N", lam="penalty")
def ridge(X, y, lam):
    """arg min_w ‖Xw - y‖² + λ‖w‖², accurately; equal to `ridge_normal_equations`  [A-1.2-15, A-1.3-1, A-1.3-3].

    lam is in the units of X². With fewer samples than columns, all of them penalized, it solves the N x N system of
    `ridge_dual` instead. Where that loses digits, it takes a QR decomposition, of `ridge_rows` or of the samples.
    Raises LinAlgError where columns without penalty are dependent.

    >>> ridge([[-1], [0], [1]], [-2, 0, 2], 6).round(3)  # 4/(2 + λ)
    array([0.5])
    """
    return penalized.ridge(X, y, lam)


@takes(K="N N gram", y="N", lam="number nonnegative", together=penalized.require_dual_inverse)
def ridge_dual(K, y, lam):
    """β = (K + λI)⁻¹y, and w = Xᵀβ if K = XXᵀ: ridge by samples instead of columns, or kernel ridge.

    K is symmetric and positive semidefinite. Predictions are Kβ. Raises LinAlgError where K + λI is singular to
    rounding, each sample measured in a unit of its own.

    >>> ridge_dual([[5]], [3], 1).round(3)  # x = (1, 2), so w = βx = (1/2, 1)
    array([0.5])
    """
    return symmetric_solve(K + lam * np.eye(len(K)), y)


@takes(X="N d", y="N", lam="penalty")
def ridge_rows(X, y, lam):
    """(X; √λ I), (y; 0): ridge is the least squares of these N + d rows.

    >>> rows, targets = ridge_rows([[1, 2]], [3], 4)
    >>> rows
    array([[1., 2.],
           [2., 0.],
           [0., 2.]])
    """
    d = X.shape[1]
    return np.vstack([X, np.sqrt(lam) * np.eye(d)]), np.append(y, np.zeros(d))


@takes(X="N d", y="N", lams="m nonnegative")
def ridge_path(X, y, lams):
    """w(λ) = Σ_i v_i s_i/(s_i² + λ) (u_i·y), where X = Σ_i s_i u_i v_iᵀ: ridge for every λ by one decomposition.

    Row k of the result holds w(λ) for lams[k]; λ = 0 gives the shortest least-squares solution. Every column is
    penalized: center X and y first to leave a bias free. Raises LinAlgError where rows or columns of X are so short
    beside others that the rank cannot be told.

    >>> ridge_path([[-1], [0], [1]], [-2, 0, 2], [0, 2, 6]).ravel().round(3)  # 4/(2 + λ)
    array([2. , 1. , 0.5])
    """
    U, s, Vt = svd(X)  # without the s_i that are rounding of 0
    return (s * (U.T @ y) / (s**2 + lams[:, None])) @ Vt  # a row per λ


@takes(j="whole", w="d", X="N d", y="N", lam="number or d", rho="number")
def coordinate_step(j, w, X, y, lam, rho=1.0):
    """w_j = S(x_j·r, λρ/2) / (x_j·x_j + λ(1 - ρ)/2), r = y - Σ_{k≠j} w_k x_k: the minimum over w_j alone.

    >>> print(coordinate_step(0, [0], [[2]], [3], 4))  # S(6, 2)/4
    1.0
    """
    lam, x = np.broadcast_to(lam, w.shape)[j], X[:, j]
    r = y - X @ w + x * w[j]
    curvature = x @ x + lam * (1 - rho) / 2
    return soft_threshold(x @ r, lam * rho / 2) / curvature if curvature else 0.0  # 0: an all-zero column


@takes(X="N d", y="N", lam="penalty", rho="number share", w="d or None")
def coordinate_iterates(X, y, lam, rho=1.0, *, w=None):
    """w_j ← the weight that `coordinate_step` gives, for j = 1..d, and again: each with the newest of the others.

    The loop keeps the residual r, so that each weight takes products with column j alone, not with X. Yields
    optimize.Iterate(w, subgradient) after each sweep, the start (w = 0 unless given) first, without end.

    >>> optimize.trajectory(coordinate_iterates([[1, 1], [0, 1]], [2, 4], 2), 2)
    array([[0. , 0. ],
           [1. , 2. ],
           [0. , 2.5]])
    """
    w = np.zeros(X.shape[1]) if w is None else w.copy()
    lams = np.broadcast_to(lam, w.shape)
    curvatures = np.sum(X * X, axis=0) + lams * (1 - rho) / 2
    while True:
        yield optimize.Iterate(w.copy(), subgradient(w, X, y, lam, rho))
        r = y - X @ w
        for j, x in enumerate(X.T):
            r += w[j] * x  # without column j
            w[j] = soft_threshold(x @ r, lams[j] * rho / 2) / curvatures[j] if curvatures[j] else 0.0
            r -= w[j] * x


@takes(X="N d", y="N", lam="penalty", rho="number share", eta="number positive", w="d or None")
def proximal_iterates(X, y, lam, rho=1.0, *, eta, w=None):
    """w ← S(w - η 2Xᵀ(Xw - y), ηλρ) / (1 + ηλ(1 - ρ)): a gradient step on the squares, then the penalty (ISTA).

    It converges for 0 < eta < `linear_regression.largest_step(X)`. Yields optimize.Iterate without end, the start (w =
    0 unless given) first.

    >>> optimize.trajectory(proximal_iterates([[2]], [3], 4, eta=1 / 16), 3).ravel()  # w ← S(w/2 + 3/4, 1/4)
    array([0.   , 0.5  , 0.75 , 0.875])
    """
    return optimize.proximal_gradient(
        gradient=lambda w: linear_regression.gradient(w, X, y),
        prox=lambda v, eta: soft_threshold(v, eta * lam * rho) / (1 + eta * lam * (1 - rho)),
        w=np.zeros(X.shape[1]) if w is None else w,
        eta=eta,
    )


def lasso(X, y, lam):
    """arg min_w ‖Xw - y‖² + λ‖w‖₁, exactly, with true zeros  [A-1.2-14].

    lam is in the units of X·y. Gives a `Fit`, as `elastic_net` does.

    >>> lasso([[2, 0], [0, 1]], [3, 1], 4).w.round(3)  # S(6, 2)/4, S(1, 2)/1
    array([1., 0.])
    """
    return elastic_net(X, y, lam, 1.0)


@takes(X="N d", y="N", lam="penalty", rho="number share")
def elastic_net(X, y, lam, rho):
    """arg min_w ‖Xw - y‖² + λρ‖w‖₁ + λ(1 - ρ)/2 ‖w‖², exactly, with true zeros  [A-1.2-16].

    Where the signs s of the solution are known, it is linear: (XᵀX + λ(1 - ρ)/2 I)w = Xᵀy - λρ/2 s in the columns with
    s ≠ 0. So it guesses the signs, solves, and guesses again from what came out. Where that does not settle, or loses
    digits, it follows the solution down to λ, as `lasso_path` does. Gives a `Fit`. Its `gap` proves how near w is to
    the minimum; converged means gap <= 1e-10 of the loss, or a loss that is 0 up to rounding.

    >>> elastic_net([[2]], [3], 4, 0.5).w.round(3)  # S(6, 1)/(4 + 1)
    array([1.])
    """
    return Fit(*penalized.elastic_net(X, y, lam * rho, lam * (1 - rho)))


@takes(X="N d", y="N", lams="m nonnegative", rho="number share")
def elastic_net_path(X, y, lams, rho):
    """The w of `elastic_net` at each of lams, (m, d).

    Where N >= d and no columns are nearly dependent, it takes one pass over X, and each solution is the next one's
    first guess. Elsewhere each λ is solved for itself. Row k of the result belongs to lams[k]. Every column is
    penalized: center X and y first to leave a bias free. Of dependent columns not all are used where rho = 1 or λ = 0.
    Raises LinAlgError where columns are dependent to rounding, but not exactly.

    >>> elastic_net_path([[2]], [3], [12, 4, 0], 1).ravel().round(3)  # S(6, λ/2)/4
    array([0. , 1. , 1.5])
    """
    return penalized.elastic_net_path(X, y, lams, rho)


@takes(X="N d", y="N", least="number nonnegative")
def lasso_path(X, y, *, least=0.0):
    """The lasso for all λ at once: w(λ) is linear between the knots where a column enters or leaves  [A-1.2-14].

    Every column is penalized: center X and y first to leave a bias free. Gives a `Path` from λ =
    `smallest_zero_lam(X, y)` down to `least`; `interpolate` reads it. Of dependent columns not all enter. Raises
    LinAlgError where columns are dependent to rounding, but not exactly.

    >>> path = lasso_path([[2, 0], [0, 1]], [3, 1])
    >>> path.lams.round(3), path.changes
    (array([12.,  2.,  0.]), array([1, 2, 0]))
    """
    return Path(*sparse.lasso_path(X, y, least))


def _on_the_path(path, lam):
    if not isinstance(path, Path):
        raise TypeError(f"path must be a Path, as lasso_path(X, y) gives it, found {path!r:.60}")
    if lam < path.lams[-1]:
        raise ValueError(f"lam must be >= {path.lams[-1]:g}, found {lam:g}; lasso_path(X, y, least=lam) goes on to it")


@takes(lam="number nonnegative", together=_on_the_path)
def interpolate(path, lam):
    """w(λ) on the straight piece of a `Path` that λ lies on; 0 above its first knot. ValueError below the last.

    >>> interpolate(lasso_path([[2]], [3]), 4).round(3)  # two thirds of the way from w(12) = 0 to w(0) = 3/2
    array([1.])
    """
    rising = slice(None, None, -1)  # the λ of the knots fall
    return np.array([np.interp(lam, path.lams[rising], w_j[rising], right=0.0) for w_j in path.W.T])


@takes(X="N d", y="N", rho="number positive share")
def smallest_zero_lam(X, y, rho=1.0):
    """2 max_j |x_j·y| / ρ: the smallest λ for which w = 0 minimizes the lasso's loss, or the elastic net's.

    Every column is penalized: center X and y first to leave a bias free.

    >>> print(smallest_zero_lam([[2, 0], [0, 1]], [3, 1]))  # x_1·y = 6, x_2·y = 1
    12.0
    """
    return 2 * np.max(np.abs(X.T @ y)) / rho


@takes(w="d", X="N d", y="N", lam="penalty", rho="number share")
def optimality(w, X, y, lam, rho=1.0):
    """max_j of |`subgradient`|: |2x_j·(Xw - y) + λρ s_j + λ(1 - ρ)w_j| with s_j = sign(w_j), or where w_j = 0 the best
    s_j in [-1, 1]. It is zero exactly at a minimum.

    >>> print(optimality([0], [[2]], [3], 4), optimality([1], [[2]], [3], 4))
    8.0 0.0
    """
    return np.max(np.abs(subgradient(w, X, y, lam, rho)))


@takes(theta="N", X="N d", y="N", lam="number or d", rho="number")
def dual_loss(theta, X, y, lam, rho=1.0):
    """2θ·y - ‖θ‖² - Σ_j max(|2x_j·θ| - λρ, 0)² / 2λ(1 - ρ) <= E(w) for every w: a floor under the loss.

    A column without an L2 part has no term of the sum, and asks for |2x_j·θ| <= λρ instead.

    >>> print(dual_loss([1], [[2]], [3], 4), loss([1], [[2]], [3], 4))  # equal at the minimum, w = 1
    5.0 5.0
    """
    l2 = lam * (1 - rho)  # where it is 0, no excess is allowed: `dual_points` keep to that
    excess = np.maximum(np.abs(2 * (X.T @ theta)) - lam * rho, 0)
    return 2 * theta @ y - theta @ theta - np.sum(excess**2 / np.where(l2 > 0, 2 * l2, np.inf))


@takes(w="d", X="N d", y="N", lam="penalty", rho="number share")
def dual_points(w, X, y, lam, rho=1.0):
    """kθ, θ = y - Xw, k = min(1, min_j λρ/|2x_j·θ|); and θ itself for ρ < 1, where the dual takes any.

    Columns with λ = 0 ask for x_j·θ = 0: the part of y - Xw in their span is taken out first. Gives a list of θ (N,).

    >>> dual_points([0], [[2]], [3], 4)  # k = 4/12
    [array([1.])]
    """
    free, r = lam == 0, y - X @ w
    A, _ = unit_columns(X[:, free])  # the same span, whatever the units of the columns
    theta = r - A @ np.linalg.lstsq(A, r)[0]
    slopes = np.abs(2 * (X.T @ theta))
    over = (slopes > lam * rho) & ~free
    k = np.min(lam[over] * rho / slopes[over], initial=1.0)
    return [k * theta] if rho == 1 else [k * theta, theta]


@takes(w="d", X="N d", y="N", lam="penalty", rho="number share")
def duality_gap(w, X, y, lam, rho=1.0):
    """E(w) - max `dual_loss`(θ) over the `dual_points` θ: how far E(w) can at most lie above the smallest loss.

    It is exact to rounding of E(w).

    >>> print(duality_gap([0], [[2]], [3], 4))  # E(0) = 9, the smallest loss is 5
    4.0
    """
    floor = max(dual_loss(theta, X, y, lam, rho) for theta in dual_points(w, X, y, lam, rho))
    return max(loss(w, X, y, lam, rho) - floor, 0.0)


def _each_part_has_a_sample(N, k):
    if not 2 <= k <= N:
        raise ValueError(f"k must be from 2 to N = {N}, found {k}; every part needs a sample")


@takes(N="count", k="count", rng="rng", together=_each_part_has_a_sample)
def folds(N, k, *, rng):
    """k pairs (train, test) of index arrays: N samples dealt at random into k parts, each in turn held out  [C-1-7].

    >>> [len(test) for _, test in folds(5, 2, rng=np.random.default_rng(0))]
    [3, 2]
    """
    parts = np.array_split(rng.permutation(N), k)
    return [(np.sort(np.concatenate(parts[:i] + parts[i + 1 :])), np.sort(part)) for i, part in enumerate(parts)]

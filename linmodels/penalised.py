"""Least squares with a penalty, to the last digits (the solver of chapter 02).

X (N, d), y (N,). Ridge minimises ‖Xw - y‖² + Σ_j λ_j w_j², lam (d,) >= 0, the elastic net ‖Xw - y‖² + Σ_j l1_j |w_j| +
Σ_j l2_j w_j²/2, l1, l2 (d,) >= 0. The fastest way comes first, and tells whether it has lost digits; then the same
measured from the means; then rows or singular values, where no product XᵀX squares the condition number. The elastic
net's `duality_gap` proves how near a w is to the best.
"""

import numpy as np

from . import linear_regression, moments, sparse
from .sparse import nearest_to_0

EPS = linear_regression.EPS


def one_system(X, y, lam):
    """Ridge by columns, or by samples where these are fewer; and which part of w, or of β, is in doubt.

    That part is inf, and w None, also where X holds NaN or inf.
    """
    by_samples = len(X) < len(lam) and lam.min() > 0
    return _by_samples(X, y, lam) if by_samples else moments.solve(X, y, lam=lam)


def ridge_from_means(X, y, lam):
    """(XᵀX + diag λ)⁻¹Xᵀy, in coordinates x - m, y - ȳ if X has a free constant column, whose weight there is 0.

    Raises LinAlgError where columns without penalty are dependent.
    """
    if not lam.any():
        return linear_regression.least_squares(X, y)
    size = moments.power_of_two(y)
    y = y / size
    origin = moments.origin(X, y, free=lam == 0)
    X_m, y_m = X - origin.m, y - origin.mean
    costs = lam if origin.one is None else np.where(np.arange(len(lam)) == origin.one, lam.max(), lam)
    w, lost = one_system(X_m, y_m, costs)
    if not lost < 1e-10:
        w = _by_singular_values(X_m, y_m, costs) if costs.min() > 0 else _by_rows(X_m, y_m, costs)
    return moments.times(size, origin.back(w, X))


def rows(X, y, lam):
    """(X; √λ I), (y; 0): the rows whose least squares is ridge."""
    return np.vstack([X, np.diag(np.sqrt(lam))]), np.append(y, np.zeros(len(lam)))


def solve_dual(K, y, lam):
    """β = (K + λI)⁻¹y, λ a number. Raises LinAlgError where that is singular to rounding."""
    K = K.copy()
    K.flat[:: len(K) + 1] += lam
    try:
        beta = np.linalg.solve(K, y)
        grown = np.abs(beta).max() * np.abs(K.diagonal()).max() * EPS
        if grown <= 1e-2 * np.abs(y).max():
            return beta
    except np.linalg.LinAlgError:
        pass
    raise np.linalg.LinAlgError(f"K + λI is singular to rounding with lam = {lam:g}; give a larger lam")


def ridge_path(X, y, lams):
    """Ridge for every λ of lams (m,), one for all columns, by one decomposition: (m, d)."""
    return _path_of_moments(X, y, lams) if len(X) > X.shape[1] else _path_of_singular_values(X, y, lams)


def elastic_net(X, y, l1, l2):
    """The best w found, its gap, which gap is enough, and the number of linear systems it took."""
    w, gap, enough, n_iter, lost = _solution(X, y, l1, l2)
    for another in (_solution_from_means, _solution_by_rows):
        if gap <= enough and lost < 1e-10:
            break
        found = another(X, y, l1, l2)
        n_iter, lost = n_iter + found[3], 0.0  # digits lost are a reason for one more attempt, a wide gap for two
        if not found[1] > max(gap, found[2]):
            w, gap, enough = found[:3]
    return w, gap, enough, n_iter


@np.errstate(over="ignore")  # a gap or loss beyond 1e308 is infinite
def duality_gap(w, X, y, l1, l2):
    """The gap by θ = k(y - Xw), the loss of w, and the gradient of the squares."""
    r = y - _fitted(w, X)
    u = 2 * (r @ X)
    gap = _gap_of(_meeting(0.0, r, u, X, l1 + l2 == 0), r, w, l1, l2)
    return gap, r @ r + l1 @ np.abs(w) + (l2 * w) @ w / 2, -u


def _fitted(w, X):
    """Xw, of few of many columns."""
    (used,) = w.nonzero()
    return X[:, used] @ w[used] if 8 * len(used) < len(w) and len(X) < len(w) else X @ w


@np.errstate(over="ignore", invalid="ignore")  # beyond the range of numbers: the diagonal of K, ‖y‖ and the doubt tell
def _by_samples(X, y, lam):
    """w = Λ⁻¹Xᵀβ with (XΛ⁻¹Xᵀ + I)β = y, Λ = diag λ; and what β lacks at most, no eigenvalue being below 1."""
    root = np.sqrt(lam)
    Z = X / root
    K = Z @ Z.T
    if not (np.isfinite(K.diagonal()).all() and moments.multipliable(y)):
        return None, np.inf
    try:
        beta = solve_dual(K, y, 1.0)
    except np.linalg.LinAlgError:
        return None, np.inf
    w = Z.T @ beta
    return w / root, np.linalg.norm(y - Z @ w - beta) / max(np.linalg.norm(beta), np.finfo(float).tiny)


def _by_singular_values(X, y, lam):
    """Shrinkage of the columns X/√λ, each with the price 1: right for every λ > 0, however small."""
    root = np.sqrt(lam)
    return _path_of_singular_values(X / root, y, np.ones(1))[0] / root


def _by_rows(X, y, lam):
    A, c = rows(X, y, lam)
    longest_first = np.argsort(-np.abs(A).max(axis=1))  # QR would lose short rows above much longer ones
    return linear_regression.least_squares(A[longest_first], c[longest_first])


def _path_of_moments(X, y, lams):
    """w(λ) = Σ_i v_i (v_i·Xᵀy)/(e_i + λ) with XᵀX = Σ_i e_i v_i v_iᵀ, where squaring X costs no digits."""
    with np.errstate(over="ignore", invalid="ignore"):
        A, c = moments.second_moments(X, y)
    if not moments.in_range(np.sqrt(np.diag(A))):
        return _path_of_singular_values(X, y, lams)
    e, V = np.linalg.eigh(A)
    if e[0] + lams.min() < 1e-6 * e[-1]:
        return _path_of_singular_values(X, y, lams)
    return (V.T @ c) / (e + lams[:, None]) @ V.T


def _path_of_singular_values(X, y, lams):
    a, size = moments.power_of_two(X), moments.power_of_two(y)
    U, s, Vt = linear_regression.svd(X / a)
    return moments.times(size, s * (U.T @ (y / size)) / (s * s + lams[:, None] / a**2) @ Vt / a)


def _solution(X, y, l1, l2, m=0.0):
    """By second moments; and once more with the gradient of the true residuals where they leave one.

    Gives w, its gap, which gap is enough, the number of linear systems, and which part of w came with the second.
    """
    system, s = sparse.system_of(X, y, m, l1, l2)
    if not moments.in_range(s):
        a = moments.power_of_two(X, axis=0)
        w, *rest = _solution(X / a, y, l1 / a, l2 / a / a, m / a)
        return w / a, *rest
    v, n, _ = sparse.minimise(system, np.zeros(len(l1)))  # the gap tells whether it is one
    w, B, size, lost = v / s, moments.centred(X, m), np.linalg.norm(y), 0.0
    gap, value, gradient = duality_gap(w, B, y, l1, l2)
    slope = gradient + l2 * w
    if np.abs(nearest_to_0(slope, w, l1) / s).max() > 1e-13 * size:
        refined, k = sparse.by_signs(system._replace(c=system.product(v) - slope / 2 / s), v)
        lost = np.inf if refined is None else np.abs(refined - v).max() / np.abs(refined).max(initial=1e-300)
        if refined is not None:
            v, w, n = refined, refined / s, n + k
            gap, value, _ = duality_gap(w, B, y, l1, l2)
    enough = _enough(value, size, v)
    if gap > enough:
        gap = _sharper_gap(gap, w, B, y, l1, l2)
    return w, gap, enough, n, lost


def _solution_from_means(X, y, l1, l2):
    """The same, measured from the means if X has a constant column that costs nothing."""
    origin = moments.origin(X, y, free=l1 + l2 == 0)
    w, *rest = _solution(X, y - origin.mean, l1, l2, origin.m)
    return origin.back(w, X), *rest


def _solution_by_rows(X, y, l1, l2):
    """One column after the other, by QR of `rows`: where the second moments have lost the digits."""
    origin = moments.origin(X, y, free=l1 + l2 == 0)
    X_m, y_m = X - origin.m, y - origin.mean
    A, c = rows(X_m, y_m, l2 / 2)
    largest = moments.power_of_two(A, axis=0)
    s = np.linalg.norm(A / largest, axis=0)
    s[s == 0] = 1.0
    v, n = sparse.by_rows(A / largest / s, c, l1 / largest / s)
    v = np.zeros(len(l1)) if v is None else v
    w = v / s / largest
    gap, value, _ = duality_gap(w, X_m, y_m, l1, l2)
    gap = _sharper_gap(gap, w, X_m, y_m, l1, l2)
    return origin.back(w, X), gap, _enough(value, np.linalg.norm(y), v), n, 0.0


def _enough(value, size, v):
    """Which gap counts as none: 1e-10 of the loss, or the square of what rounding leaves of y - Xw, ‖y‖ = size."""
    return 1e-10 * value + (8 * EPS * (size + np.abs(v).sum())) ** 2


def _sharper_gap(gap, w, X, y, l1, l2):
    """By the nearest θ with the slopes 2Xᵀθ that the signs of w ask for: 2Xᵀ(y - Xw) is all rounding where y = Xw."""
    used = (l1 + l2 == 0) | (w != 0)
    if used.sum() > len(X):
        return gap
    r, slopes = y - X @ w, (l1 * np.sign(w) + l2 * w)[used]
    return min(gap, _gap_of(_meeting(slopes, r, 2 * (r @ X), X, used), r, w, l1, l2))


def _meeting(slopes, r, u, X, a):
    """The θ nearest to r for which 2Xᵀθ has these slopes in the columns a, and u = 2Xᵀθ."""
    if not a.any():
        return r, u
    theta = r - np.linalg.lstsq(X[:, a].T, (u[a] - slopes) / 2, rcond=None)[0]
    u, rounding = 2 * (theta @ X), 16 * EPS * (np.abs(theta) @ np.abs(X[:, a]))
    u[a] = np.where((slopes == 0) | (np.abs(u[a] - slopes) <= rounding), slopes, u[a])
    return theta, u


def _gap_of(dual, r, w, l1, l2):
    """The smaller gap of θ and of kθ, for which every |k u_j| <= l1_j, as the lasso's dual asks."""
    theta, u = dual
    over = (np.abs(u) > l1).nonzero()
    k = (l1[over] / np.abs(u[over])).min(initial=1.0)
    gap = _fenchel(k, r, theta, u, w, l1, l2)
    return min(gap, _fenchel(1.0, r, theta, u, w, l1, l2)) if k < 1 and l2[over].all() else gap


def _fenchel(k, r, theta, u, w, l1, l2):
    """‖r - kθ‖² + Σ_j [l(w_j) + l*(ku_j) - ku_j w_j]."""
    parts = l1 * np.abs(w) - k * u * w
    if l2.any():  # without an L2 part, l* is 0 where it is finite
        excess = np.where(l2 > 0, np.maximum(np.abs(k * u) - l1, 0), 0.0)
        parts += l2 / 2 * w * w + excess / np.where(l2 > 0, 2 * l2, 1.0) * excess
    off = r - k * theta
    return off @ off + np.maximum(parts, 0).sum()

"""Least squares with a penalty, to the last digits (the solver of chapter 02).

X (N, d), y (N,). Ridge minimizes ‖Xw - y‖² + Σ_j λ_j w_j², lam (d,) >= 0. The elastic net minimizes
‖Xw - y‖² + Σ_j l1_j |w_j| + Σ_j l2_j w_j²/2, l1, l2 (d,) >= 0. The fastest way comes first and tells whether it has
lost digits. Then comes the same measured from the means. Last come rows or singular values, where no product XᵀX
squares the condition number. The elastic net's `duality_gap` proves how near a w is to the best.
"""

from contextlib import suppress

import numpy as np

from . import cholesky, least_squares, moments, sparse, units
from .least_squares import ACCURATE
from .sparse import nearest_subgradient

EPS = np.finfo(float).eps
SINGULAR = (
    "XᵀX + diag λ is singular to rounding: columns of X without penalty are dependent, or lam is too small; give these "
    "columns a larger lam, or leave one of them out, or rescale X if its units differ very much"
)


def ridge(X, y, lam):
    """(XᵀX + diag λ)⁻¹Xᵀy, by columns or by samples where these are fewer. LinAlgError where that has no inverse."""
    by_samples = len(X) < len(lam) and lam.min() > 0
    w, relative_correction = (_ridge_by_samples if by_samples else least_squares.normal_equations)(X, y, lam=lam)
    return w if relative_correction < ACCURATE else ridge_by_qr(X, y, lam)


def ridge_by_qr(X, y, lam):
    """The same without products of columns, measured from the means if X has a free constant column.

    By samples, w = Λ^-½u of the shortest (r, u) with r + Zu = y, Z = XΛ^-½, where these are fewer; else by `rows`.
    """
    try:
        if len(X) <= len(lam) and lam.min() > 0:
            return _shortest_with_residual(X / np.sqrt(lam), y) / np.sqrt(lam)
        free = X[:, lam == 0]
        if free.size and cholesky.column_rank(free) < free.shape[1]:
            raise np.linalg.LinAlgError
        unit = units.power_of_two(np.vstack([X, np.sqrt(lam)]), axis=0)
        Z = X / unit
        origin = moments.origin(Z, y, free=lam == 0)
        A, c = rows(Z - origin.m, y - origin.mean, lam / unit / unit)
        longest_first = np.argsort(-np.abs(A).max(axis=1))  # QR would lose short rows above much longer ones
        return origin.uncentered(least_squares.solve(A[longest_first], c[longest_first]), Z) / unit
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError(SINGULAR) from None


def _shortest_with_residual(Z, y):
    """The u of the shortest (r, u) with r + Zu = y, by QR of the samples (I, Z) at unit length, refined once.

    LinAlgError where the refinement finds fewer than three digits right.
    """
    N = len(Z)
    A, s = units.unit_columns(np.vstack([np.eye(N), Z.T]))
    Q, R = np.linalg.qr(A)
    x = Q @ np.linalg.solve(R.T, y / s)
    correction = Q @ np.linalg.solve(R.T, (y - x[:N] - Z @ x[N:]) / s)
    if not np.linalg.norm(correction) <= 1e-3 * np.linalg.norm(x):
        raise np.linalg.LinAlgError
    return (x + correction)[N:]


def rows(X, y, lam):
    """(X; √λ I), (y; 0): the rows whose least squares is ridge."""
    return np.vstack([X, np.diag(np.sqrt(lam))]), np.append(y, np.zeros(len(lam)))


def require_dual_inverse(K, lam):
    """Raises LinAlgError unless K + λI, in units of each sample, has an inverse of which digits are right.

    Pivots of Cholesky, none of them small, show that most have one, and the eigenvalues tell of the others.
    """
    A = K + lam * np.eye(len(K))
    s = np.sqrt(np.abs(A.diagonal()))
    s[s == 0] = 1.0
    A = A / s / s[:, None]
    with suppress(np.linalg.LinAlgError):
        if np.linalg.cholesky(A).diagonal().min() > 3e-3:
            return
    if np.linalg.matrix_rank(A, rtol=max(1e-13, len(A) * EPS), hermitian=True) < len(A):
        raise np.linalg.LinAlgError(f"K + λI is singular to rounding with lam = {lam:g}; give a larger lam")


def require_inverse(X, lam):
    """Raises LinAlgError, which says what to do, unless XᵀX + diag λ has an inverse of which digits are right."""
    if cholesky.unit_inverse(X.T @ X + np.diag(lam))[1] is None:
        raise np.linalg.LinAlgError(SINGULAR)


def elastic_net(X, y, l1, l2):
    """The best w found, its gap, the number of linear systems it took, whether it converged, and the reason."""
    w, gap, tolerance, n_iter = _best_solution(X, y, l1, l2)
    reason = f"duality gap {gap:.3g} after {n_iter} linear system{'s' * (n_iter != 1)}"
    converged = bool(gap <= tolerance)
    return w, float(gap), n_iter, converged, reason + "; further digits are lost to rounding" * (not converged)


def _best_solution(X, y, l1, l2):
    """The best w found, its gap, the gap that counts as none, and the number of linear systems it took."""
    w, gap, tolerance, n_iter, relative_correction = _solution(X, y, l1, l2)
    for another in (_centered_solution, _solution_by_rows):
        if gap <= tolerance and relative_correction < ACCURATE:
            break
        found = another(X, y, l1, l2)
        n_iter, relative_correction = n_iter + found[3], 0.0  # lost digits ask for one attempt more, a wide gap for two
        if not found[1] > max(gap, found[2]):
            w, gap, tolerance = found[:3]
    return w, gap, tolerance, n_iter


def elastic_net_path(X, y, lams, rho):
    """The elastic net at each of lams, (m, d): one pass over X, each solution the next one's first guess.

    Raises LinAlgError where columns are dependent to rounding, but not exactly.
    """
    if len(X) < X.shape[1]:
        return _one_net_at_a_time(X, y, lams, rho)
    A, c = moments.second_moments(X, y)
    if _nearly_dependent(A):
        return _one_net_at_a_time(X, y, lams, rho)
    W, v = np.empty((len(lams), len(c))), np.zeros(len(c))
    for k in np.argsort(-lams):
        system, s = sparse.system_of_moments(A, c, lams[k] * rho, lams[k] * (1 - rho))
        v, _, why = sparse.minimize(system, v)
        if why:
            raise np.linalg.LinAlgError(why)
        W[k] = v / s
    return W


def _one_net_at_a_time(X, y, lams, rho):
    each = np.ones(X.shape[1])
    found = [elastic_net(X, y, lam * rho * each, lam * (1 - rho) * each) for lam in lams]
    if not all(converged for _, _, _, converged, _ in found):
        raise np.linalg.LinAlgError(sparse.DEPENDENT)
    return np.array([w for w, *_ in found])


def _nearly_dependent(A):
    """Whether a Gram matrix has lost a quarter of all digits or more."""
    s = np.sqrt(np.where(A.diagonal() > 0, A.diagonal(), 1.0))
    return np.linalg.eigvalsh(A / np.outer(s, s))[0] < 1e-8


def duality_gap(w, X, y, l1, l2):
    """The gap by θ = k(y - Xw), as a sum of squares and of l(w_j) + l*(u_j) - u_j w_j >= 0, u = 2Xᵀθ.

    l is the penalty of one weight, l* its conjugate. No difference of two losses costs a digit. Gives also the loss of
    w, and the gradient of the squares.
    """
    r = y - _fitted_values(w, X)
    u = 2 * (r @ X)
    gap = _gap_at(_dual_point_with_slopes(0.0, r, u, X, l1 + l2 == 0), r, w, l1, l2)
    return gap, r @ r + l1 @ np.abs(w) + (l2 * w) @ w / 2, -u


def _fitted_values(w, X):
    """Xw, by the few of many columns that have a weight."""
    (used,) = w.nonzero()
    return X[:, used] @ w[used] if 8 * len(used) < len(w) and len(X) < len(w) else X @ w


def _ridge_by_samples(X, y, lam):
    """w = Λ⁻¹Xᵀβ with (XΛ⁻¹Xᵀ + I)β = y, Λ = diag λ; and what β lacks at most, no eigenvalue being below 1."""
    Z = X / np.sqrt(lam)
    try:
        beta = np.linalg.solve(Z @ Z.T + np.eye(len(Z)), y)
    except np.linalg.LinAlgError:
        return None, np.inf
    w = Z.T @ beta
    return w / np.sqrt(lam), np.abs(y - Z @ w - beta).max() / max(np.abs(beta).max(), units.TINY)


def _solution(X, y, l1, l2, m=0.0):
    """The elastic net by second moments, and once more with the gradient of the true residuals where they leave one.

    Gives w, its gap, the gap that counts as none, the number of linear systems, and the relative correction of w.
    """
    system, s = sparse.system_of(X, y, m, l1, l2)
    v, n, _ = sparse.minimize(system, np.zeros(len(l1)))  # the gap tells whether it is one
    w, B, size, relative_correction = v / s, moments.centered(X, m), np.linalg.norm(y), 0.0
    gap, value, gradient = duality_gap(w, B, y, l1, l2)
    slope = gradient + l2 * w
    if np.abs(nearest_subgradient(slope, w, l1) / s).max() > 1e-13 * size:
        refined, k = sparse.solve_by_signs(system._replace(c=system.product(v) - slope / 2 / s), v)
        relative_correction = np.inf
        if refined is not None:
            relative_correction = np.abs(refined - v).max() / np.abs(refined).max(initial=units.TINY)
            v, w, n = refined, refined / s, n + k
            gap, value, _ = duality_gap(w, B, y, l1, l2)
    tolerance = _gap_tolerance(value, size, v)
    if gap > tolerance:
        gap = _refined_gap(gap, w, B, y, l1, l2)
    return w, gap, tolerance, n, relative_correction


def _centered_solution(X, y, l1, l2):
    """The same, measured from the means if X has a constant column without penalty."""
    origin = moments.origin(X, y, free=l1 + l2 == 0)
    found = _solution(X, y - origin.mean, l1, l2, origin.m)
    return origin.uncentered(found[0], X), *found[1:]


def _solution_by_rows(X, y, l1, l2):
    """The elastic net by QR of `rows`, one column after the other: where the second moments have lost the digits."""
    origin = moments.origin(X, y, free=l1 + l2 == 0)
    X_m, y_m = X - origin.m, y - origin.mean
    A, c = rows(X_m, y_m, l2 / 2)
    A, s = units.unit_columns(A)
    v, n = sparse.solve_by_rows(A, c, l1 / s)
    v = np.zeros(len(l1)) if v is None else v
    w = v / s
    gap, value, _ = duality_gap(w, X_m, y_m, l1, l2)
    gap = _refined_gap(gap, w, X_m, y_m, l1, l2)
    return origin.uncentered(w, X), gap, _gap_tolerance(value, np.linalg.norm(y_m), v), n, 0.0


def _gap_tolerance(value, size, v):
    """The gap that counts as none: 1e-10 of the loss, or the square of what rounding leaves of y - Xw, ‖y‖ = size."""
    return 1e-10 * value + (8 * EPS * (size + np.abs(v).sum())) ** 2


def _refined_gap(gap, w, X, y, l1, l2):
    """The gap by the nearest θ with the slopes 2Xᵀθ that the signs of w ask for.

    It may be smaller: 2Xᵀ(y - Xw) is all rounding where y = Xw.
    """
    used = (l1 + l2 == 0) | (w != 0)
    if used.sum() > len(X):
        return gap
    r, slopes = y - X @ w, (l1 * np.sign(w) + l2 * w)[used]
    return min(gap, _gap_at(_dual_point_with_slopes(slopes, r, 2 * (r @ X), X, used), r, w, l1, l2))


def _dual_point_with_slopes(slopes, r, u, X, a):
    """The θ nearest to r for which 2Xᵀθ has these slopes in the columns a, and u = 2Xᵀθ."""
    if not a.any():
        return r, u
    theta = r - np.linalg.lstsq(X[:, a].T, (u[a] - slopes) / 2, rcond=None)[0]
    u, rounding = 2 * (theta @ X), 16 * EPS * (np.abs(theta) @ np.abs(X[:, a]))
    u[a] = np.where((slopes == 0) | (np.abs(u[a] - slopes) <= rounding), slopes, u[a])
    return theta, u


def _gap_at(dual, r, w, l1, l2):
    """The smaller gap of θ and of kθ, for which every |k u_j| <= l1_j, as the dual of the lasso asks."""
    theta, u = dual
    over = (np.abs(u) > l1).nonzero()
    k = (l1[over] / np.abs(u[over])).min(initial=1.0)
    gap = _fenchel_gap(k, r, theta, u, w, l1, l2)
    return min(gap, _fenchel_gap(1.0, r, theta, u, w, l1, l2)) if k < 1 and l2[over].all() else gap


@np.errstate(over="ignore")  # l* is infinite where l2 is next to nothing: a bound, if none that helps
def _fenchel_gap(k, r, theta, u, w, l1, l2):
    """‖r - kθ‖² + Σ_j [l(w_j) + l*(ku_j) - ku_j w_j]."""
    parts = l1 * np.abs(w) - k * u * w
    if l2.any():  # without an L2 part, l* is 0 where it is finite
        excess = np.where(l2 > 0, np.maximum(np.abs(k * u) - l1, 0), 0.0)
        parts += l2 / 2 * w * w + excess / np.where(l2 > 0, 2 * l2, 1.0) * excess
    off = r - k * theta
    return off @ off + np.maximum(parts, 0).sum()

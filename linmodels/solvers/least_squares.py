"""Least squares to the last digits, and what tells the rank (the solver of chapter 01, a tool of 02, 06, 07).

X (N, d), y (N,) or (N, K), lam (d,) or a number, the penalties of the columns.
"""

import numpy as np

from . import cholesky, moments, units

EPS = np.finfo(float).eps
ACCURATE = 1e-10  # a relative correction below it: one refinement has made the digits right


def normal_equations(X, y, lam=0.0):
    """The w with (XᵀX + diag λ)w = Xᵀy, and the relative correction by its one refinement.

    y (N,) or (N, K). The inverse is that for columns of unit length, and w is corrected once by the residual it leaves.
    The relative correction is measured in units of the columns. It is inf, and w None, where there are fewer samples
    than columns without penalty, or the columns are nearly dependent: `cholesky.unit_inverse` says how nearly.
    """
    if len(X) < X.shape[1] and len(X) < np.count_nonzero(np.broadcast_to(lam, X.shape[1]) == 0):
        return None, np.inf
    s, R = cholesky.unit_inverse(X.T @ X + np.diag(np.broadcast_to(lam, X.shape[1])))
    if R is None:
        return None, np.inf
    R = R / s  # RᵀR = (XᵀX + diag λ)⁻¹
    w = R.T @ (R @ (X.T @ y))
    correction = R.T @ (R @ (X.T @ (y - X @ w) - (lam * w.T).T))
    return w + correction, np.linalg.norm(s * correction.T) / max(np.linalg.norm(s * w.T), units.TINY)


def solve(X, y):
    """arg min_w ‖Xw - y‖². Raises LinAlgError where X has not full column rank."""
    w, relative_correction = normal_equations(X, y)
    return w if relative_correction < ACCURATE else solve_by_qr(X, y)


def solve_by_qr(X, y):
    """Rw = Qᵀy, refined once by the residual: of columns at unit length, from their means if X has a constant one.

    Of X as it came the rank is asked: x - m of equal rows or sums of columns is not exact where m is not.
    """
    _require_independent_columns(cholesky.column_rank(X), X)
    origin = moments.origin(X, y)
    Z, s = units.unit_columns(X - origin.m)
    Q, R = np.linalg.qr(Z)
    v = np.linalg.solve(R, Q.T @ (y - origin.mean))
    v += np.linalg.solve(R, Q.T @ (y - origin.mean - Z @ v))
    return origin.uncentered(v / s, X)


def shortest(X, Y):
    """X⁺Y for several targets Y (N, K), by the normal equations where they have one solution."""
    W, relative_correction = normal_equations(X, Y)
    if relative_correction < ACCURATE:
        return W
    try:
        return np.column_stack([solve(X, y) for y in Y.T])
    except np.linalg.LinAlgError:
        U, s, Vt = svd(X)
        return np.column_stack([Vt.T @ ((U.T @ y) / s) for y in Y.T])


def require_full_rank(X):
    """Raises LinAlgError, which says where to go, unless XᵀX has an inverse of which some digits are right.

    The inverse of XᵀX for columns of unit length tells it in most cases, and the singular values of X in the others.
    """
    N, d = X.shape
    if N >= d and cholesky.unit_inverse(X.T @ X, most=1e6 / np.sqrt(d))[1] is not None:
        return
    s = np.linalg.svd(units.unit_columns(X)[0], compute_uv=False)
    _require_independent_columns(rank(s, X), X)
    if s[-1] < 1e-7 * s[0]:
        raise np.linalg.LinAlgError(
            f"XᵀX is singular to rounding, though X is not: squaring its condition number, {s[0] / s[-1]:.0e}, leaves "
            "few digits right; see least_squares, which does not form it"
        )


def _require_independent_columns(rank, X):
    if rank < X.shape[1]:
        raise np.linalg.LinAlgError(
            f"XᵀX has rank {rank} of {X.shape[1]}: many solutions; see minimum_norm for the shortest, null_space for "
            "their difference, or ridge (chapter 02)"
        )


def rank(s, X):
    """rank XᵀX = rank X  [A-1.2-13]: how many singular values s are not zero up to rounding."""
    return int(np.count_nonzero(s > max(X.shape) * EPS * s[0]))


def svd(X):
    """X = U diag(s) Vᵀ without the singular values that are zero to rounding.

    Raises LinAlgError where rows or columns are so short beside others that the rank cannot be told; also where some
    are zero only because columns differ in length, as ones do beside a column far from 0.
    """
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    r = rank(s, X)
    U, s, Vt = U[:, :r], s[:r], Vt[:r]
    if units.badly_scaled(X, s) or (len(s) < min(X.shape) and cholesky.column_rank(X) > len(s)):
        raise np.linalg.LinAlgError(
            "rows or columns of X are so short beside others that their digits are lost, and the rank cannot be told; "
            "rescale X first, or take least_squares where no column depends on others: it takes any units"
        )
    return U, s, Vt

"""Least squares to the last digits, and what tells the rank (the solver of chapter 01, a tool of 02, 06, 07).

X (N, d), y (N,) or (N, K), m (d,) a point to measure X from, lam (d,) or a number, the penalties of the columns.
"""

import numpy as np

from . import cholesky, moments, units

EPS = np.finfo(float).eps


def normal_equations(X, y, m=0.0, lam=0.0):
    """The w with (XᵀX + diag λ)w = Xᵀy, X measured from m, and which part of it the one refinement had to add.

    y (N,) or (N, K). By the inverse for columns of unit length, and once corrected by the residual it leaves. That part
    (of w in units of the columns) is inf, and w None, where there are fewer samples than columns without penalty, or
    the columns are dependent to half of all digits.
    """
    if len(X) < X.shape[1] and len(X) < np.count_nonzero(np.broadcast_to(lam, X.shape[1]) == 0):
        return None, np.inf
    A, c = moments.second_moments(X, y, m)
    A.flat[:: len(A) + 1] += lam
    s, R = cholesky.unit_inverse(A)
    if R is None:
        return None, np.inf
    R = R / s  # RᵀR = A⁻¹
    w = R.T @ (R @ c)
    correction = R.T @ (R @ (moments.residual_moment(w, X, y, m) - (lam * w.T).T))
    return w + correction, np.linalg.norm(s * correction.T) / max(np.linalg.norm(s * w.T), units.TINY)


def solve(X, y):
    """arg min_w ‖Xw - y‖². Raises LinAlgError where X has not full column rank."""
    w, lost = normal_equations(X, y)
    return w if lost < 1e-10 else _from_means(X, y)


def _from_means(X, y):
    """Least squares in the coordinates x - m, y - ȳ where X has a constant column, else in those it came with.

    Of those it came with the rank is asked: x - m of equal rows or sums of columns is not exact where m is not.
    """
    require_full_rank(cholesky.column_rank(X), X)
    origin = moments.origin(X, y)
    w, lost = normal_equations(X, y - origin.mean, origin.m)
    return origin.back(_by_qr(X - origin.m, y - origin.mean) if lost > 1e-3 else w, X)


def _by_qr(X, y):
    """Rw = Qᵀy of the columns at unit length, refined once."""
    Z, s = units.unit_columns(X)
    Q, R = np.linalg.qr(Z)
    v = np.linalg.solve(R, Q.T @ y)
    v += np.linalg.solve(R, Q.T @ (y - Z @ v))
    return v / s


def minimum_norm(X, y):
    """X⁺y, the shortest of all w that minimise ‖Xw - y‖²; LinAlgError where the rank cannot be told."""
    U, s, Vt = rank_revealing_svd(X)
    w = Vt.T @ ((U.T @ y) / s)
    return w + Vt.T @ ((U.T @ (y - X @ w)) / s)  # once refined, by the residual it leaves


def shortest(X, Y):
    """X⁺Y for several targets Y (N, K), by the normal equations where they have one solution."""
    W, lost = normal_equations(X, Y)
    return W if lost < 1e-10 else np.column_stack([_shortest(X, y) for y in Y.T])


def _shortest(X, y):
    try:
        return solve(X, y)
    except np.linalg.LinAlgError:
        return minimum_norm(X, y)


def rank(s, X):
    """rank XᵀX = rank X  [A-1.2-13]: how many singular values s are not zero up to rounding."""
    return int(np.count_nonzero(s > max(X.shape) * EPS * s[0]))


def require_full_rank(rank, X):
    """Raises LinAlgError, which says where to go, unless the rank of X is the number of its columns."""
    if rank < X.shape[1]:
        raise np.linalg.LinAlgError(
            f"XᵀX has rank {rank} of {X.shape[1]}: many solutions; see minimum_norm for the shortest, null_space for "
            "their difference, or ridge (chapter 02)"
        )


def rank_revealing_svd(X):
    """`svd`, where it tells which rows and columns depend on one another, not only which are short."""
    U, s, Vt = svd(X)
    if units.unlike(X, s):
        raise np.linalg.LinAlgError(
            "rows or columns of X are so short beside others that their digits are lost, and the rank cannot be told; "
            "rescale X first, or take least_squares where no column depends on others: it takes any units"
        )
    return U, s, Vt


def svd(X):
    """X = U diag(s) Vᵀ without the singular values that are zero up to rounding."""
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    r = rank(s, X)
    return U[:, :r], s[:r], Vt[:r]

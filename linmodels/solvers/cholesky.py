"""Cholesky factors in units of the columns: inverses, ranks, features of a kernel matrix (a tool of the solvers)."""

import numpy as np

from . import units

EPS = np.finfo(float).eps


def unit_diagonal(A):
    """B_ij = A_ij/(s_i s_j) of the symmetric A, and s_i = √|A_ii|, or 1 where that is 0."""
    s = np.sqrt(np.abs(A.diagonal()))
    s[s == 0] = 1.0
    return A / s / s[:, None], s


def symmetric_solve(A, b):
    """A⁻¹b, each row and column of the symmetric A in a unit of its own, so that their units cost no digits."""
    B, s = unit_diagonal(A)
    return np.linalg.solve(B, b / s) / s


def unit_cholesky(A):
    """s_i = √A_ii and the lower triangle L with LLᵀ = B, B_ij = A_ij/(s_i s_j) of unit diagonal.

    L is None where a column is zero or B is not positive definite. That B is singular to rounding no pivot tells: after
    a small one the pivot of a dependent column is rounding, made larger by as much.
    """
    s = np.sqrt(A.diagonal())
    if not (0 < s.min() and s.max() < np.inf):  # weights of a likelihood may be inf
        return s, None
    try:
        return s, np.linalg.cholesky(A / (s[:, None] * s))
    except np.linalg.LinAlgError:
        return s, None


def unit_inverse(A, most=1e6):
    """The same s, and the lower triangle R = L⁻¹, so that RᵀR = B⁻¹.

    R is None where L is, and where ‖R‖ > most: the smallest eigenvalue of B may then lie below 1/most². 1e6 leaves
    four digits of sixteen.
    """
    s, L = unit_cholesky(A)
    R = None if L is None else np.linalg.inv(L)
    return s, R if R is not None and np.linalg.norm(R) <= most else None


def column_rank(X):
    """The rank of X (N, d), its columns measured at length 1: how many singular values exceed max(N, d) ε s_1."""
    s = np.linalg.svd(np.linalg.qr(units.unit_columns(X)[0], mode="r"), compute_uv=False)
    return int(np.count_nonzero(s > max(X.shape) * EPS * s[0]))


def pivoted_cholesky(K, most, least=None):
    """F (N, r) with FFᵀ = K to the last digits, r <= most, by Cholesky with the largest pivot next; None if r is more.

    K (N, N) symmetric, positive semidefinite. It ends where no pivot is above `least`: N times the last digit of the
    largest unless given. It costs O(N r²).
    """
    N, rest = len(K), K.diagonal().copy()
    rows = np.empty((most, N))  # Fᵀ: its rows lie together in memory
    least = N * EPS * rest.max() if least is None else least
    for r in range(most + 1):
        i = int(rest.argmax())
        if rest[i] <= least:
            return rows[:r].T
        if r < most:
            rows[r] = (K[i] - rows[:r, i] @ rows[:r]) / np.sqrt(rest[i])
            rest -= rows[r] ** 2
            rest[i] = 0.0
    return None

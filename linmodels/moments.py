"""Second moments of samples in one pass over X, and the normal equations they make (a tool of chapters 01-08, 10, 12).

X (N, d), Y (N,) or (N, K), m (d,) a point to measure from, r (N,) weights, one per sample, lam (d,) one per column.
Also what keeps the digits on the way: blocks of rows, an `Origin` to measure from, units in which no product overflows.
"""

from typing import NamedTuple

import numpy as np

EPS = np.finfo(float).eps
TINY = np.finfo(float).tiny
BLOCK = 2**17  # numbers per block: 1 MiB, so a block is centred and multiplied while it lies in the cache


def blocks(X, copies=1):
    """Slices that cut the rows of X, or of so many copies of it, into blocks that fit the cache."""
    rows = max(1, BLOCK // (X.shape[1] * copies))
    for i in range(0, len(X), rows):
        yield slice(i, i + rows)


def centred(B, m):
    """B - m, or B itself, uncopied, where m is the number 0."""
    return B if isinstance(m, float) and m == 0 else B - m


def second_moments(X, Y, m=0.0):
    """(Σ_n (x_n - m)(x_n - m)ᵀ, Σ_n (x_n - m) y_nᵀ)."""
    d = X.shape[1]
    XX, XY = np.zeros((d, d)), np.zeros((d, *Y.shape[1:]))
    for rows in blocks(X):
        B = centred(X[rows], m)
        XX += B.T @ B
        XY += B.T @ Y[rows]
    return XX, XY


def class_sums(X, t, m=0.0):
    """Σ_n (x_n - m) over the samples of each class, (K, d), t (N,) of 0..K-1."""
    k = np.arange(t.max() + 1)[:, None]
    S = np.zeros((len(k), X.shape[1]))
    for rows in blocks(X, 2 + len(k) // X.shape[1]):
        S += (t[rows] == k).astype(float) @ centred(X[rows], m)
    return S


def weighted_gram(X, r):
    """Σ_n r_n x_n x_nᵀ = RᵀR, R the rows √r_n x_n, of weights r_n >= 0."""
    XX = np.zeros((X.shape[1], X.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):  # beyond 1e±150: in_range tells
        for rows in blocks(X, 2):
            R = X[rows] * np.sqrt(r[rows])[:, None]
            XX += R.T @ R
    return XX


def class_gram(X, P):
    """Σ_n x_n x_nᵀ ⊗ (diag p_n - p_n p_nᵀ), each p_n of sum 1: (d, K, d, K), the Hessian of K classes.

    One product SSᵀ of the columns S_n = x_n ⊗ p_n has all p_k p_l; p_k(1 - p_k) = Σ_{l≠k} p_k p_l loses no digit.
    """
    d, K = X.shape[1], P.shape[1]
    H = np.zeros((d * K, d * K))
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in blocks(X, K):
            B, Q = (np.ascontiguousarray(A[rows].T) for A in (X, P))  # else reshape would copy S
            S = (B[:, None] * Q).reshape(d * K, -1)
            H -= S @ S.T
        H = H.reshape(d, K, d, K)
        same_class = np.einsum("ikjk->ijk", H)  # a view of H
        same_class[...] = 0.0
        same_class[...] = -H.sum(axis=3).transpose(0, 2, 1)
    return H


def residual_moment(w, X, y, m=0.0):
    """Σ_n (x_n - m)(y_n - w·(x_n - m)): half the downhill gradient of the squared loss, from the true residuals.

    Or of several targets at once, w (d, K), y (N, K).
    """
    g = np.zeros(w.T.shape)
    for rows in blocks(X):
        B = centred(X[rows], m)
        g += (y[rows].T - w.T @ B.T) @ B  # several targets lie row by row: faster than column by column
    return g.T


def solve(X, y, m=0.0, lam=0.0):
    """The w with (XᵀX + diag λ)w = Xᵀy, X measured from m, and which part of it the one refinement had to add.

    y (N,) or (N, K). By the inverse for columns of unit length, and once corrected by the residual it leaves. That part
    (of w in units of the columns) is inf, and w None, where there are fewer samples than columns without penalty, the
    columns are dependent to half of all digits, the products leave the range of numbers, or X holds NaN or inf.
    """
    if len(X) < X.shape[1] and len(X) < np.count_nonzero(np.broadcast_to(lam, X.shape[1]) == 0):
        return None, np.inf
    with np.errstate(over="ignore", invalid="ignore"):  # beyond 1e±150: s and ‖y‖ tell
        A, c = second_moments(X, y, m)
        A.flat[:: len(A) + 1] += lam
        s, R = unit_inverse(A)
    if R is None or not multipliable(y):
        return None, np.inf
    R = R / s  # RᵀR = A⁻¹
    w = R.T @ (R @ c)
    correction = R.T @ (R @ (residual_moment(w, X, y, m) - (lam * w.T).T))
    return w + correction, length(s * correction.T) / max(length(s * w.T), TINY)


def unit_cholesky(A):
    """s_i = √A_ii and the lower triangle L with LLᵀ = B, B_ij = A_ij/(s_i s_j) of unit diagonal.

    L is None where a column is zero, A leaves the range of numbers, or B is not positive definite. That B is singular
    to rounding no pivot tells: after a small one the pivot of a dependent column is rounding, made larger by as much.
    """
    s = np.sqrt(A.diagonal())
    if not in_range(s):
        return s, None
    try:
        return s, np.linalg.cholesky(A / (s[:, None] * s))
    except np.linalg.LinAlgError:
        return s, None


def unit_inverse(A, most=1e6):
    """The same s, and the lower triangle R = L⁻¹, so that RᵀR = B⁻¹.

    R is None where L is, and where ‖R‖ > most: the smallest eigenvalue of B may then lie below 1/most². 1e6 leaves half
    of all digits.
    """
    s, L = unit_cholesky(A)
    R = None if L is None else np.linalg.inv(L)
    return s, R if R is not None and length(R) <= most else None


def column_rank(X):
    """The rank of X (N, d), its columns measured at length 1: how many singular values exceed max(N, d) ε s_1."""
    s = np.linalg.svd(np.linalg.qr(unit_columns(X)[0], mode="r"), compute_uv=False)
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


def unit_columns(X):
    """The columns of X at length 1 (zero columns stay), and their lengths s·largest, for any size of number."""
    largest = np.abs(X).max(axis=0)
    largest[largest == 0] = 1.0
    s = np.linalg.norm(X / largest, axis=0)
    s[s == 0] = 1.0
    return X / largest / s, s, largest


class Origin(NamedTuple):
    """The free constant column of X (None without one), the point m to measure X from, and the mean for y."""

    one: int | None
    m: np.ndarray
    mean: float

    def back(self, w, X):
        """w for X and y as they came, from the w for x - m, y - ȳ: w_one has to be (ȳ - m·w)/X_one larger."""
        if self.one is None:
            return w
        w = w.copy()
        w[self.one] += (self.mean - self.m @ w) / X[0, self.one]
        return w


def origin(X, y=None, free=True):
    """Where to measure X from, and y if it is measured too: the means, if X has a free constant column, else 0.

    Measured from the means, the other columns and y are orthogonal to the constant one: it drops out of the problem
    and comes back at the end. free (d,) says which columns carry no penalty.
    """
    like_first = np.flatnonzero((X[0] == X[-1]) & (X[0] != 0) & free)
    one = next((int(j) for j in like_first if (X[:, j] == X[0, j]).all()), None)
    if one is None:
        return Origin(None, np.zeros(X.shape[1]), 0.0)
    m = X.mean(axis=0)
    m[one] = 0.0
    return Origin(one, m, 0.0 if y is None else y.mean())


def in_range(s):
    """Whether squares and products of the lengths s stay in the range of float64."""
    return 1e-150 < s.min(initial=1.0) and s.max(initial=1.0) < 1e150


def length(v):
    """‖v‖, or that of all entries of a matrix; beyond 1e±150 its square leaves the range of numbers, without a word."""
    return np.sqrt(np.vdot(v, v))


def multipliable(y):
    """Whether ‖y‖, of all its columns together, is such that products with lengths `in_range` are numbers, too."""
    return 1e-280 < np.vdot(y, y) < 1e280 or not y.any()


def power_of_two(a, axis=None):
    """About the largest |entry| (of each column: axis=0): a unit in which no product overflows and no digit is lost."""
    return np.ldexp(0.5, np.frexp(np.abs(a).max(axis=axis))[1])


def unlike(X, s):
    """Whether of the singular values s of X some are small, or left out as zero, as rows or columns of X are short.

    1e-8 costs half of all digits. Zeros aside, the shortest row and column count together.
    """
    if len(s) == min(X.shape) and s[-1] >= 1e-8 * s[0]:
        return False
    B = np.abs(X)
    rows, columns, longest = B.max(axis=1), B.max(axis=0), B.max() or 1.0
    shortest = rows[rows > 0].min(initial=longest), columns[columns > 0].min(initial=longest)
    return (shortest[0] / longest) * (shortest[1] / longest) < 1e-8


def in_units(w, up, down):
    """w times the powers of two `up`, by the powers of two `down`, no number on the way leaving the range."""
    exponent = sum(np.frexp(u)[1] - 1 for u in up) - sum(np.frexp(u)[1] - 1 for u in down)
    with np.errstate(over="ignore"):
        return _in_range(np.ldexp(w, exponent))


def times(size, w):
    """size·w, which only data at both ends of the range can make too large."""
    with np.errstate(over="ignore"):
        return _in_range(size * w)


def _in_range(w):
    if not np.isfinite(w).all():
        raise ValueError("w leaves the range of float64: y is too large for so small an X; rescale one of them")
    return w

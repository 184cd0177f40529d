"""Means and scatters in one pass over the samples, and the eigenvectors of two scatters (the solver of chapter 07).

X (N, d), t (N,) the class of each sample, 0..K-1, N_k of them in class k. Means are measured from the first sample.
"""

import numpy as np

from . import cholesky, least_squares, moments, units

EPS = np.finfo(float).eps


def direction(X, t):
    """S_w⁻¹(μ_0 - μ_1), or a w of largest J where S_w is singular. LinAlgError if μ_0 = μ_1."""
    M, S = means_and_within(X, t)
    A = whitening(S)
    if A is None:
        W, _ = through_total_scatter(X, t)
        return W[:, 0] * (W[:, 0] @ (M[0] - M[1]))
    require_apart(np.linalg.norm(weighted_means(M, t) @ A), len(X))
    return A @ (A.T @ (M[0] - M[1]))  # AAᵀ = S_w⁻¹


def directions(X, t):
    """W with S_b W = S_w W Λ, WᵀS_w W = I, and Λ, the largest first. LinAlgError if all μ_k are equal."""
    M, S = means_and_within(X, t)
    A = whitening(S)
    return through_total_scatter(X, t) if A is None else _symmetric_problem(A, weighted_means(M, t), len(X))


def discriminants(X, t):
    """W = Σ⁻¹[μ_0 ... μ_{K-1}], Σ = S_w/N, and the x and μ_k they are measured from, or None where S_w is singular."""
    M, S = means_and_within(X, t)
    A = whitening(S, most=1e4)
    return None if A is None else (len(X) * A @ (A.T @ M.T), M)


def means_from_first(X, t):
    """The class means of x - x_0, x_0 the first sample: an offset of all samples costs no digits."""
    return moments.class_sums(X, t, X[0]) / np.bincount(t)[:, None]


def means_and_within(X, t):
    """The class means of x - x_0, and S_w = Σ_k [Σ_n∈k (x_n - c_k)(x_n - c_k)ᵀ - N_k (μ_k - c_k)(μ_k - c_k)ᵀ].

    That holds for any c_k. One pass, if they lie near the μ_k: they are the class means of some thousand samples. Where
    the second sum is more than half of the first in a column (a rare class that these missed), again from the means
    found.
    """
    n, some = np.bincount(t)[:, None], slice(None, None, 1 + len(X) // 4096)
    C = np.repeat(X[:1], len(n), axis=0)
    C += _scatter_around(C, X[some], t[some])[1]
    S, E = _scatter_around(C, X, t)
    if (S.diagonal() - 2 * (n * E * E).sum(axis=0)).min() < 0:
        C += E
        S, E = _scatter_around(C, X, t)
    S -= E.T @ (n * E)
    M = C - X[0] + E
    spread = np.sqrt(np.maximum(S.diagonal(), 0) / len(X))
    constant = spread <= 2 * EPS * np.abs(M).max(axis=0)  # in each class: what is left is rounding
    if constant.any():
        S[constant] = S[:, constant] = 0.0
    return M, S


def _scatter_around(C, X, t):
    """Σ_n (x_n - c)(x_n - c)ᵀ, c that row of C which t_n says; and the class means of these differences, (K, d)."""
    S, sums, k = np.zeros((X.shape[1], X.shape[1])), np.zeros(C.shape), np.arange(len(C))[:, None]
    for rows in moments.blocks(X, 2 + len(C) // X.shape[1]):
        B = X[rows] - C.take(t[rows], axis=0)
        S += B.T @ B
        sums += (t[rows] == k).astype(float) @ B
    return S, sums / np.maximum(np.bincount(t, minlength=len(C)), 1)[:, None]


def weighted_means(M, t):
    """√N_k (μ_k - μ), one row per class: S_b is their scatter."""
    n = np.bincount(t)
    return np.sqrt(n)[:, None] * (M - n @ M / len(t))


def whitening(S, most=1e3):
    """A with AᵀSA = I, AAᵀ = S⁻¹; None where S is so near to singular that it costs over 6 digits."""
    s, R = cholesky.unit_inverse(S, most)
    return None if R is None else R.T / s[:, None]


def _symmetric_problem(A, M, N):
    """S_b v = λ S_w v is, with v = Au, AᵀS_b A u = λu, a symmetric problem; S_b = MᵀM, so the SVD of MA solves it."""
    _, sigma, Vt = np.linalg.svd(M @ A, full_matrices=False)
    require_apart(sigma[0], N)
    kept = sigma > 1e-10 * sigma[0]
    kept[len(M) - 1 :] = False
    return A @ Vt[kept].T, sigma[kept] ** 2


def through_total_scatter(X, t):
    """The same vectors from S_b v = μ S_t v, λ = μ/(1 - μ): S_t is never blind to a difference of means.

    Where vectors differ by what no sample tells apart, the shortest; if sizes of columns differ by more than 1e6, the
    shortest in units of the columns.
    """
    Z, unit = _near_one(X)
    Z -= Z.mean(axis=0)
    require_apart(np.abs(Z).max(), 0)
    U, sigma, Vt = least_squares.svd(Z)  # in the coordinates U = ZVΣ⁻¹, S_t = I
    M = U[0] + means_from_first(U, t)
    M += moments.class_sums(U - M[t], t) / np.bincount(t)[:, None]  # what the rounding of long sums left
    Q, mu = _symmetric_problem(np.eye(len(sigma)), weighted_means(M, t), len(U))
    near_1 = mu > 0.5  # where 1 - μ loses digits S_w = I - S_b has them: the same vectors, its smallest first
    _, _, R = np.linalg.svd((U - M[t]) @ Q[:, near_1], full_matrices=False)
    Q[:, near_1] = Q[:, near_1] @ R[::-1].T
    between, within = (np.linalg.norm(A @ Q, axis=0) for A in (weighted_means(M, t), U - M[t]))
    one_point = within <= 64 * EPS * np.linalg.norm(Q.T * (sigma[0] / sigma), axis=1)  # U_i is known to ε σ_1/σ_i
    within[one_point] = 1.0
    W = Vt.T / sigma @ Q / within / unit[:, None]
    return W, np.where(one_point, np.inf, (between / within) ** 2)


def _near_one(X):
    """X - x_0 in units of its largest entry, or of that of each column if these differ too much; and the units (d,)."""
    Z = X - X[0]
    sizes = units.power_of_two(Z, axis=0)
    used = sizes[Z.any(axis=0)]
    if 1e-6 * used.max(initial=0) < used.min(initial=np.inf):
        sizes[:] = used.max(initial=0) or 1.0
    return Z / sizes, sizes


def require_apart(distance, N):
    """Distance of the means in units of the scatter: rounding alone makes about N EPS of it."""
    if distance <= N * EPS:
        raise np.linalg.LinAlgError("all class means are equal: J = 0 for every w, and no direction is better")

"""Sums over samples, and where to measure these from (a tool of the solvers).

X (N, d), Y (N,) or (N, K), m (d,) a point to measure from, r (N,) weights, one per sample. A sum whose terms would take
much memory goes over blocks of rows.
"""

from typing import NamedTuple

import numpy as np

BLOCK = 2**17  # numbers per block: 1 MiB, so a block is centered and multiplied while it lies in the cache


def blocks(X, copies=1):
    """Slices that cut the rows of X, or of so many copies of it, into blocks that fit the cache."""
    rows = max(1, BLOCK // (X.shape[1] * copies))
    for i in range(0, len(X), rows):
        yield slice(i, i + rows)


def second_moments(X, Y):
    """(Σ_n x_n x_nᵀ, Σ_n x_n y_nᵀ)."""
    return X.T @ X, X.T @ Y


def class_sums(X, t, m=0.0):
    """Σ_n (x_n - m) over the samples of each class, (K, d), t (N,) of 0..K-1."""
    k = np.arange(t.max() + 1)[:, None]
    S = np.zeros((len(k), X.shape[1]))
    for rows in blocks(X, 2 + len(k) // X.shape[1]):
        S += (t[rows] == k).astype(float) @ (X[rows] - m)
    return S


def weighted_gram(X, r):
    """Σ_n r_n x_n x_nᵀ = RᵀR, R the rows √r_n x_n, of weights r_n >= 0."""
    XX = np.zeros((X.shape[1], X.shape[1]))
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
    for rows in blocks(X, K):
        B, Q = (np.ascontiguousarray(A[rows].T) for A in (X, P))  # else reshape would copy S
        S = (B[:, None] * Q).reshape(d * K, -1)
        H -= S @ S.T
    H = H.reshape(d, K, d, K)
    same_class = np.einsum("ikjk->ijk", H)  # a view of H
    same_class[...] = 0.0
    same_class[...] = -H.sum(axis=3).transpose(0, 2, 1)
    return H


class Origin(NamedTuple):
    """The free constant column of X (None without one), the point m to measure X from, and the mean for y."""

    one: int | None
    m: np.ndarray
    mean: float

    def uncentered(self, w, X):
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

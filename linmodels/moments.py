"""Second moments of samples in one pass over X (a tool of chapters 01-07 and 10).

X (N, d), Y (N,) or (N, K), m (d,) a point to measure from, weights (N,), one per sample.
"""

import numpy as np

BLOCK = 2**16  # numbers per block: 512 KiB, so a block is centred and multiplied while it lies in the cache


def blocks(X):
    """Slices that cut the rows of X into blocks that fit the cache."""
    rows = max(1, BLOCK // X.shape[1])
    for i in range(0, len(X), rows):
        yield slice(i, i + rows)


def centred(B, m):
    """B - m, or B itself, uncopied, where m is the number 0."""
    return B if np.ndim(m) == 0 and m == 0 else B - m


def second_moments(X, Y, m=0.0, weights=None):
    """(Σ_n r_n (x_n - m)(x_n - m)ᵀ, Σ_n r_n (x_n - m) y_nᵀ), all weights r_n = 1 unless given."""
    d = X.shape[1]
    XX, XY = np.zeros((d, d)), np.zeros((d, *Y.shape[1:]))
    for rows in blocks(X):
        B = centred(X[rows], m)
        R = B if weights is None else B * weights[rows, None]
        XX += R.T @ B
        XY += R.T @ Y[rows]
    return XX, XY

"""Squared distances and powers, the entries of kernel matrices (the solver of chapter 12)."""

from collections.abc import Iterator

import numpy as np

MAX_PLAIN_FEATURES = 4  # features up to which their differences are squared one by one
NEAR_FRACTION = 1 / 16  # of the largest ‖x‖² + ‖z‖²: a distance below it, multiplied out, has lost its last digits
DENSE_FRACTION = 0.25  # the fraction of near pairs from which it is quicker to take the differences of all
BLOCK = 2**16  # entries computed together, while they are in the cache


def squared_distances(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """‖x - z‖² of all rows of X (N, d) and Z (M, d), as (N, M), to the last digits, however far from 0 they are.

    Of few features, the differences are squared one by one. Of many, ‖x‖² + ‖z‖² - 2 x·z is one product of matrices,
    (‖x‖², 1, -2x)·(1, ‖z‖², z). There a pair whose distance is short beside the lengths would lose digits: it is
    subtracted after all.
    """
    D, features = np.empty((len(X), len(Z))), np.ascontiguousarray(Z.T)
    if X.shape[1] <= MAX_PLAIN_FEATURES:
        for rows in _blocks(D):
            _sum_squares(X[rows], features, out=D[rows])
        return D
    m = Z.mean(axis=0)
    A, B = X - m, Z - m
    a, b = np.vecdot(A, A), np.vecdot(B, B)
    near = NEAR_FRACTION * (a.max() + b.max())
    left, right = np.column_stack([a, np.ones(len(A)), -2 * A]), np.column_stack([np.ones(len(B)), b, B])
    for rows in _blocks(D):
        block = np.matmul(left[rows], right.T, out=D[rows])
        pairs = np.flatnonzero(block < near)
        if len(pairs) > DENSE_FRACTION * block.size:
            _sum_squares(X[rows], features, out=block)
        elif len(pairs):
            i, j = np.divmod(pairs, len(Z))
            differences = X[rows][i] - Z[j]
            block[i, j] = np.vecdot(differences, differences)
    return D


def power(S: np.ndarray, degree: int, out: np.ndarray | None = None) -> np.ndarray:
    """S^degree of each entry of S (N, M), by multiplications; from degree 3 on, NumPy's of negative numbers is slow.

    out may be S itself.
    """
    P = np.empty_like(S) if out is None else out
    for rows in _blocks(P):
        base = S[rows].copy()
        found = base if degree else np.ones_like(base)
        for bit in f"{degree:b}"[1:]:  # from the highest bit on: square, and once more times S where the bit is 1
            found = found * found
            if bit == "1":
                found *= base
        P[rows] = found
    return P


def _blocks(A: np.ndarray) -> Iterator[slice]:
    rows = max(1, BLOCK // A.shape[1])
    return (slice(i, i + rows) for i in range(0, len(A), rows))


def _sum_squares(X: np.ndarray, features: np.ndarray, out: np.ndarray) -> None:
    """‖x - z‖², feature by feature."""
    u = np.empty_like(out)
    for j, feature in enumerate(features):
        square = u if j else out
        np.subtract(X[:, j, None], feature, out=square)
        square *= square
        if j:
            out += u

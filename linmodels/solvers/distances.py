"""Kernel matrices block by block, and the distances they are made of (the solver of chapter 12)."""

import numpy as np

from ..guards import checks
from . import moments

FEW = 4  # features up to which their differences are squared one by one
FARTHEST = 2.0**12  # ‖x‖²/2σ² beyond which too: multiplied out, the last digits would be lost


def in_blocks(values, shape, name):
    """K, of which values(rows, out) makes a block of rows; that they are finite is seen while they are in the cache."""
    K, sound = np.empty(shape), True
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in moments.blocks(K):
            values(rows, K[rows])
            sound = sound and np.isfinite(np.vdot(K[rows], K[rows]))
    return K if sound else checks.finite(K, name)


def power(S, degree, out):
    """out = S^degree by multiplications: NumPy's own power of negative numbers takes twenty times as long."""
    power = S if degree else 1.0
    for bit in f"{degree:b}"[1:]:  # from the highest bit on: square, and once more times S where the bit is 1
        power = np.multiply(power, power, out=out)
        if bit == "1":
            out *= S
    if degree < 2:
        out[...] = power


def exponents(X, Z, sigma):
    """The function that puts -‖x - z‖²/2σ² of these rows of X into out.

    Multiplied out, x·z - x·x/2 - z·z/2 is one product of matrices, (x, -x·x/2, 1)·(z, 1, -z·z/2). It loses digits
    where the samples are far away in units of σ: there, and where the features are few, each is subtracted.
    """
    if X.shape[1] > FEW:
        m = Z.mean(axis=0)
        A, B = (X - m) / sigma, (Z - m) / sigma
        a, b = np.vecdot(A, A) / 2, np.vecdot(B, B) / 2
        if max(a.max(), b.max()) <= FARTHEST:
            left, right = np.column_stack([A, -a, np.ones(len(A))]), np.column_stack([B, np.ones(len(B)), -b])

            def product(rows, out):
                np.matmul(left[rows], right.T, out=out)
                np.minimum(out, 0.0, out=out)

            return product

    return _differences(X, Z, sigma)


def _differences(X, Z, sigma):
    """The same, feature by feature: no digits are lost, however far the samples are."""
    features = np.ascontiguousarray(Z.T)

    def square(j, rows, out):
        np.subtract(X[rows, j, None], features[j], out=out)
        out *= out

    def differences(rows, out):
        u = np.empty_like(out)
        square(0, rows, out)
        for j in range(1, len(features)):
            square(j, rows, u)
            out += u
        out *= -0.5 / sigma**2

    return differences

"""Linear systems in fractions, without rounding: the referee of the tests of regression."""

from fractions import Fraction

import numpy as np


def exact(a):
    """The same numbers (floats, fractions, decimals as text) as an array of fractions."""
    a = np.asarray(a)
    return np.vectorize(Fraction, otypes="O")(a.astype(float) if a.dtype.kind in "iuf" else a)


def eliminated(A):
    """Row echelon form, and its pivot columns."""
    A, pivots = A.copy(), []
    for j in range(A.shape[1]):
        r = len(pivots)
        found = next((i for i in range(r, len(A)) if A[i, j]), None)
        if found is not None:
            A[[r, found]] = A[[found, r]]
            A[r] = A[r] / A[r, j]
            for i in range(len(A)):
                if i != r:
                    A[i] = A[i] - A[i, j] * A[r]
            pivots.append(j)
    return A, pivots


def solved(A, b):
    """A⁻¹b; None where A is singular."""
    d = A.shape[1]
    echelon, pivots = eliminated(np.column_stack([A, b]))
    return echelon[:d, d:].reshape(np.shape(b)) if pivots[:d] == list(range(d)) else None


def exact_ridge(X, y, lam):
    """(XᵀX + diag λ)⁻¹Xᵀy."""
    X, y = exact(X), exact(y)
    return solved(X.T @ X + np.diag(exact(lam)), X.T @ y)

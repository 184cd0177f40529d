"""Rows and columns of very different lengths: which of them depend on one another (chapters 01 and 02).

A singular value of X is small because columns are nearly dependent, or only because a row or column is short: then its
digits are lost beside the long ones. At unit length the singular values tell; a length of 0 is a column of zeros.
"""

import numpy as np

from . import moments


def alike(X, least=1e-4):
    """Whether the shortest row and column of X, zeros aside, by the longest ones, are together such a part or more."""
    B = np.abs(X)
    rows, columns, longest = B.max(axis=1), B.max(axis=0), B.max() or 1.0
    shortest = rows[rows > 0].min(initial=longest), columns[columns > 0].min(initial=longest)
    return (shortest[0] / longest) * (shortest[1] / longest) >= least


def unlike(X, s, least=1e-4):
    """Whether of the singular values s of X some are so small, or left out, as rows or columns are: not as dependent.

    1e-4 costs a quarter of all digits, and half of them where the residual is not small.
    """
    return (len(s) < min(X.shape) or s[-1] < least * s[0]) and not alike(X, least)


def at_unit_length(X):
    """X with its columns at length 1, then its rows if they are independent; and the lengths of both.

    Of independent rows Xw = y has solutions, each equation in units of its own.
    """
    Z, s, largest = moments.unit_columns(X)
    columns = np.where(X.any(axis=0), s * largest, 0.0)
    if len(X) <= X.shape[1]:
        rows, s, largest = moments.unit_columns(Z.T)
        if np.linalg.matrix_rank(rows) == len(X):
            return rows.T, columns, s * largest
    return Z, columns, np.ones(len(X))


def minimum_norm(X, y):
    """X⁺y: the shortest w with Vᵀ diag(columns) w = s⁻¹Uᵀy, X without its lengths being U diag(s) Vᵀ."""
    Z, columns, rows = at_unit_length(X)
    U, s, Vt = np.linalg.svd(Z, full_matrices=False)
    used = s > max(X.shape) * np.finfo(float).eps * s[0]
    Q, R, G = _longest_first(Vt[used], columns)
    with np.errstate(over="ignore", invalid="ignore"):  # a row too short for its y leads to w beyond all numbers
        h = (U.T @ (y / rows))[used] / s[used]
        return Q[:, : len(h)] @ np.linalg.solve(R.T, G.T @ h)


def orthogonal_to(Vt, columns):
    """An orthonormal basis, as columns, of all z with Vᵀ diag(columns) z = 0."""
    return _longest_first(Vt, columns)[0][:, len(Vt) :]


def _longest_first(Vt, columns):
    """Q (d, d), R and G with V = diag(columns)⁻¹ Q₁ R Gᵀ, Q₁ the first columns of Q: the shortest w with
    Vᵀ diag(columns) w = Gh is Q₁ R⁻ᵀ h, and the other columns of Q span what it is orthogonal to.

    Vᵀ = GT is made triangular, so that no long column covers a short one, and the longest comes first: Householder's
    reflections then keep the digits of the short ones.
    """
    order = np.argsort(-columns)
    G, T = np.linalg.qr(Vt[:, order])
    Q, R = np.linalg.qr((T * columns[order]).T, mode="complete")
    Q[order] = Q.copy()
    return Q, R[: len(Vt)], G

"""Units of rows and columns: what is measured at length 1, and what is too short beside the rest (a tool of solvers).

Of columns whose largest entries lie in 1e-75 ... 1e75 no product or quotient of four leaves the range of float64. The
solvers look out for no others: what overflows is refused at the end, and what is smaller may count as 0.
"""

import numpy as np

from ..guards import checks

TINY = np.finfo(float).tiny  # beside which a divisor that is 0 counts as 0


def unit_columns(X):
    """The columns of X at length 1 (of squares 0: as they are), and their lengths. Overflow where a square is inf."""
    s = np.sqrt(np.einsum("ij,ij->j", X, X))
    if np.isinf(s).any():
        raise checks.Overflow(
            f"the squares of column {np.isinf(s).argmax()} of X overflow: rescale X, as X / abs(X).max()"
        )
    s[s == 0] = 1.0
    return X / s, s


def power_of_two(a, axis=None):
    """About the largest |entry| (of each column: axis=0): a unit in which no digit is lost."""
    return np.ldexp(0.5, np.frexp(np.abs(a).max(axis=axis))[1])


def badly_scaled(X, s):
    """Whether some singular values s of X are small, or left out as zero, because rows or columns of X are short.

    A part of 1e-8 costs half of all digits. Zeros aside, the shortest row and column count together.
    """
    if len(s) == min(X.shape) and s[-1] >= 1e-8 * s[0]:
        return False
    B = np.abs(X)
    rows, columns, longest = B.max(axis=1), B.max(axis=0), B.max() or 1.0
    shortest = rows[rows > 0].min(initial=longest), columns[columns > 0].min(initial=longest)
    return (shortest[0] / longest) * (shortest[1] / longest) < 1e-8

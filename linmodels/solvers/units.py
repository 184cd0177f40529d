"""Units in which no product leaves the range of float64: the only file that speaks of that range (all chapters)."""

import numpy as np

TINY = np.finfo(float).tiny


def unit_columns(X):
    """The columns of X at length 1 (zero columns stay), and their lengths s·largest, for any size of number."""
    largest = np.abs(X).max(axis=0)
    largest[largest == 0] = 1.0
    s = np.linalg.norm(X / largest, axis=0)
    s[s == 0] = 1.0
    return X / largest / s, s, largest


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

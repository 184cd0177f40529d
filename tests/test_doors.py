"""Doors against bad inputs: what every public function that checks its arguments says about bad ones, and that odd
but sound ones (integers, lists, frames, views) give the answer of plain float64 arrays and stay as they were.

A new door is one line in DOORS: the function and a kind for each of its parameters. A new kind is a good value and a
table of bad ones. `test_every_door_is_listed` finds, in the source, the doors that are missing here.
"""

import ast
import dataclasses
import datetime
import inspect
import pickle
import re
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from cases import assert_each, each_of, one_in, slow

import linmodels
from linmodels import datasets, design, glm, kernel_lms, kernels, lda, naive_bayes, optimize, perceptron, svm
from linmodels import least_squares_classifier as lsc
from linmodels import linear_regression as lr
from linmodels import logistic_regression as logreg
from linmodels import regularization as reg
from linmodels import softmax_regression as smr
from linmodels.book.ledger import parsed
from linmodels.guards import shapes

REFUSALS = (ValueError, TypeError, np.linalg.LinAlgError)
nan, inf = np.nan, np.inf
BEYOND = r"inf|1000|too large|beyond|1e\+?30"  # how a message may name 10^400, which float64 cannot

# Whole numbers that fit int8, so that every odd form below holds them exactly, while their squares do not fit.
X = np.array([[100, -30], [-90, 40], [20, 110], [-60, -100], [70, 80], [-110, 15]], float)
TARGET = np.array([3, -7, 20, 1, 9, -4], float)
LABELS = np.array([1, -1, 1, -1, 1, -1], float)
GRAM = np.array([[5, 2, 1, 0, 0, 1], [2, 4, 0, 1, 0, 0], [1, 0, 6, 0, 2, 0],
                 [0, 1, 0, 3, 0, 1], [0, 0, 2, 0, 5, 0], [1, 0, 0, 1, 0, 4]], float)  # fmt: skip


class Bad(NamedTuple):
    """A value to be refused, and what the message says was found (a pattern), of which argument."""

    value: Any
    found: str
    name: str | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class Kind:
    """A kind of argument: a good value (made anew for each call), bad values, and other forms of the good one."""

    good: Callable[[], Any]
    bad: dict[str, Bad] = dataclasses.field(default_factory=dict)
    odd: dict[str, Any] = dataclasses.field(default_factory=dict)
    scales: bool = False


class Frame:
    """What a data frame is to NumPy: something that turns into an array, but not to be indexed by position."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)

    def __getitem__(self, key: Any):
        raise KeyError(key)


def put(a: np.ndarray, at: Any, value: Any, dtype: Any = None) -> np.ndarray:
    a = a.astype(dtype or a.dtype)
    a[at] = value
    return a


def read_only(a: np.ndarray) -> np.ndarray:
    a = a.copy()
    a.setflags(write=False)
    return a


def every_second(a: np.ndarray) -> np.ndarray:
    """a as a view into something larger, one entry of two along each axis."""
    larger = a
    for axis in range(a.ndim):
        larger = np.repeat(larger, 2, axis)
    return larger[(slice(None, None, 2),) * a.ndim]


def forms(a: np.ndarray) -> dict[str, Any]:
    """The same numbers in other clothes."""
    cast = {
        "int8": "i1",
        "uint8": "u1",
        "int64": "i8",
        "float32": "f4",
        "longdouble": "g",
        "big-endian": ">f8",
        "object": "O",
    }
    found = {name: a.astype(dtype) for name, dtype in cast.items() if a.min() >= 0 or name != "uint8"}
    found = {name: b for name, b in found.items() if np.array_equal(a, b.astype(float))}
    if "int64" in found:
        found["Python integers"] = a.astype(int).tolist()
    return found | {
        "list": a.tolist(),
        "tuple": tuple(map(tuple, a)) if a.ndim == 2 else tuple(a),
        "Fractions": np.vectorize(Fraction, otypes="O")(a),
        "Fortran order": np.asfortranarray(a),
        "non-contiguous": every_second(a),
        "reversed view": a[::-1].copy()[::-1],
        "read-only": read_only(a),
        "nothing masked": np.ma.array(a),
        "frame": Frame(a),
    }


def array(good: np.ndarray, bad: dict[str, Bad], scales: bool = False) -> Kind:
    return Kind(good.copy, _not_real_numbers(good) | bad, forms(good), scales)


def _not_real_numbers(a: np.ndarray) -> dict[str, Bad]:
    """What no array of numbers may be or hold; the place of a single bad entry is the second last one."""
    at = (-2, -1)[-a.ndim :] if a.ndim == 2 else (-2,)
    row = len(a) - 2
    where = f"row {row}, column {a.shape[1] - 1}" if a.ndim == 2 else f"position {row}"
    ragged = [r if i else r[:-1] for i, r in enumerate(a.tolist())] if a.ndim == 2 else [[1.0], *a.tolist()[1:]]
    return {
        "nan": Bad(put(a, at, nan), f"nan at {where}"),
        "inf": Bad(put(a, at, inf), f"inf at {where}"),
        "-inf": Bad(put(a, at, -inf), f"-inf at {where}"),
        "nan in float32": Bad(put(a, at, nan, np.float32), f"nan at {where}"),
        "a number beyond float64": Bad(put(a, at, 10**400, object), BEYOND),
        "complex": Bad(a + 0j, "complex"),
        "complex object": Bad(put(a, at, 1j, object), f"1j at {where}"),
        "text": Bad(a.astype(str), "text"),
        "bytes": Bad(a.astype("S"), "text"),
        "numeric text object": Bad(put(a, at, "1.0", object), f"'1.0' at {where}"),
        "None inside": Bad(put(a, at, None, object), f"None at {where}"),
        "None": Bad(None, "None"),
        "a dict": Bad({"a": 1.0}, "{'a': 1.0}"),
        "an iterator": Bad(iter(a.tolist()), "iterator"),
        "dates": Bad(np.zeros(a.shape, "M8[D]"), r"datetime64\[D\]"),
        "durations": Bad(np.zeros(a.shape, "m8[s]"), r"timedelta64\[s\]"),
        "date objects": Bad(put(a, at, datetime.date(2020, 1, 1), object), r"datetime.date\(2020, 1, 1\)"),
        "records": Bad(np.zeros(a.shape, [("a", float)]), r"'a'"),
        "masked": Bad(np.ma.masked_equal(a, a[at]), "masked"),
        "ragged": Bad(ragged, "ragged"),
        "one dimension more": Bad(a[..., None], re.escape(str(a[..., None].shape))),
        "one dimension less": Bad(a[..., 0] if a.ndim == 2 else a[0], re.escape(str(a.shape[:-1]))),
        "no rows": Bad(a[:0], re.escape(str(a[:0].shape))),
    }


def without(kind: Kind, *names: str) -> Kind:
    """kind, where these bad values are good ones."""
    return dataclasses.replace(kind, bad={name: b for name, b in kind.bad.items() if name not in names})


NO_COLUMNS = {"no columns": Bad(X[:, :0], r"\(6, 0\)")}
SHORT = {"too short": Bad(TARGET[:-1], "5"), "too long": Bad(np.append(TARGET, 1), "7")}
SHORT_LABELS = {"too short": Bad(LABELS[:-1], "5"), "too long": Bad(np.append(LABELS, 1), "7")}

SAMPLES = array(X, NO_COLUMNS, scales=True)
OTHER_SAMPLES = array(X[:3], {"other features": Bad(X[:3, :1], "2.*1|1.*2")}, scales=True)
OTHER_SAMPLES_ALONE = without(OTHER_SAMPLES, "other features")
FEATURES = dataclasses.replace(SAMPLES)
PAIRS_OF_SAMPLES = dataclasses.replace(SAMPLES, bad=SAMPLES.bad | {
    "one sample": Bad(X[:1], "1 row"),
    "equal samples": Bad(np.ones((6, 2)), "equal"),
})  # fmt: skip
NUMBERS = array(TARGET, {}, scales=True)
REGRESSION = array(TARGET, SHORT, scales=True)
MARGIN = array(LABELS, SHORT_LABELS | {
    "coded 0, 1": Bad((LABELS + 1) / 2, r"\[0. 1.\].*signs"),
    "coded 0, 1 as booleans": Bad(LABELS > 0, r"\[0. 1.\].*signs"),
    "coded 1, 2": Bad((LABELS + 3) / 2, r"\[1. 2.\]"),
    "three classes": Bad(put(LABELS, 0, 0), r"\[-1.  0.  1.\]"),
    "scores": Bad(0.3 * TARGET, r"-2.1"),
    "huge": Bad(put(LABELS, 0, 1e200), r"1\.?e\+200"),
    "only +1": Bad(np.ones(6), r"\+1"),
    "only -1": Bad(-np.ones(6), "-1"),
})  # fmt: skip
RADII = array(np.array([1.0, 3.0, 2.0]), {
    "zero": Bad([1.0, 0.0, 2.0], "0"),
    "negative": Bad([1.0, 3.0, -2.0], "-2"),
})  # fmt: skip
TARGETS_OF_K = dataclasses.replace(REGRESSION, bad=REGRESSION.bad | {"no rows": Bad([], "0")})
COUNTS = array(np.array([3.0, 0, 20, 1, 9, 4]), {
    "too short": Bad([3, 0, 20, 1, 9], "5"),
    "too long": Bad([3, 0, 20, 1, 9, 4, 1], "7"),
    "negative": Bad([3, 0, 20, -1, 9, 4], "-1 at position 3"),
    "a fraction": Bad([3, 0, 20, 1, 9.5, 4], r"9\.5 at position 4"),
})  # fmt: skip
ABOVE_ZERO = array(np.array([3.0, 7, 20, 1, 9, 4]), {
    "too short": Bad([3, 7, 20, 1, 9], "5"),
    "zero": Bad([3, 7, 20, 0, 9, 4], "0 at position 3"),
    "negative": Bad([3, 7, 20, 1, -9.5, 4], r"-9\.5 at position 4"),
})  # fmt: skip


def inner_products(name: str) -> Kind:
    return array(GRAM, NO_COLUMNS | {
        "not square": Bad(X, r"\(6, 2\)"),
        "not symmetric": Bad(put(GRAM, (0, 1), 7), rf"{name}\[0, 1\] = 7.*{name}\[1, 0\] = 2"),
        "of other samples": Bad(GRAM[:5, :5], "5"),
    }, scales=True)  # fmt: skip


INNER_PRODUCTS, KERNEL_VALUES = inner_products("G"), inner_products("K")
KERNEL_MATRIX = without(KERNEL_VALUES, "of other samples")
SYMMETRIC_OR_NOT = without(KERNEL_MATRIX, "not symmetric")
NO_KERNEL = {
    "a negative square": Bad(put(GRAM, (2, 2), -1), "semidefinite.*-1"),
    "not positive semidefinite": Bad(put(put(GRAM, (0, 1), 7), (1, 0), 7), "semidefinite.*-"),
}
SEMIDEFINITE = dataclasses.replace(KERNEL_MATRIX, bad=KERNEL_MATRIX.bad | NO_KERNEL)
PAIRED_SEMIDEFINITE = dataclasses.replace(KERNEL_VALUES, bad=KERNEL_VALUES.bad | NO_KERNEL)
UNLIKE = GRAM + np.diag([0, 3, 1, 2, 7, 5])  # no two pairs gain alike: else rounding, in another order, picks one
UNTIED = dataclasses.replace(PAIRED_SEMIDEFINITE, good=UNLIKE.copy, odd=forms(UNLIKE))
NOT_ZERO = dataclasses.replace(SEMIDEFINITE, bad=SEMIDEFINITE.bad | {"only zeros": Bad(0 * GRAM, "only zeros")})
WITH_LENGTHS = dataclasses.replace(KERNEL_MATRIX, bad=KERNEL_MATRIX.bad | {
    "a sample at 0": Bad(put(GRAM, (2, 2), 0), r"K\[2, 2\] = 0"),
    "a negative square": Bad(put(GRAM, (3, 3), -1), r"K\[3, 3\] = -1"),
})  # fmt: skip
ANY_WEIGHTS = without(array(np.array([1.0, -2.0]), {}), "one dimension more", "one dimension less")
NEEDED_WEIGHTS = array(np.array([1.0, -2.0]), {"other columns": Bad([1.0, 2.0, 3.0], "3"), "no rows": Bad([], "0")})
WEIGHTS = without(NEEDED_WEIGHTS, "None")
FEW = np.array([1.0, -2.0]) / 64  # so that exp(w·x) stays near 1
SMALL_WEIGHTS = dataclasses.replace(WEIGHTS, good=FEW.copy, odd=forms(FEW))
WEIGHTS_OF_3_CLASSES = without(
    array(np.array([FEW, FEW[::-1]]), {
        "of 2 classes": Bad([[1.0], [2.0]], r"\(2, 1\)"),
        "other columns": Bad(np.ones((3, 2)), r"\(3, 2\)"),
    }), "None")  # fmt: skip
COLUMN_PER_CLASS = without(
    array(np.array([[1.0, -2.0, 3.0], [0.0, 1.0, -1.0]]) / 64, {
        "a column less": Bad([[1.0, -1.0], [2.0, -2.0]], r"\(2, 2\)"),
        "transposed": Bad(np.ones((3, 2)), r"\(3, 2\)"),
    }), "None")  # fmt: skip
BITS = array((LABELS + 1) / 2, {
    "coded -1, +1": Bad(LABELS, "-1"),
    "coded 1, 2": Bad((LABELS + 3) / 2, "2"),
    "posteriors": Bad(np.linspace(0.1, 0.9, 6), "0.1"),
})  # fmt: skip
BITS.odd["booleans"] = LABELS > 0
BOTH_BITS = dataclasses.replace(BITS, bad=BITS.bad | {
    "only 0": Bad(np.zeros(6), "only 0"),
    "only 1": Bad(np.ones(6), "only 1"),
    "three classes": Bad([0, 2, 1, 1, 0, 2], r"\[0. 1. 2.\]"),
})  # fmt: skip
PAIRED_BITS = dataclasses.replace(BITS, bad=BITS.bad | {
    "too short": Bad([1, 0, 1, 0, 1], "5"),
    "too long": Bad([1, 0, 1, 0, 1, 0, 1], "7"),
    "three classes": Bad([0, 2, 1, 1, 0, 2], r"\[0. 1. 2.\].*softmax"),
})  # fmt: skip
CLASS_NUMBERS = array(np.array([0.0, 2, 1, 1, 0, 2]), {
    "too short": Bad([0, 2, 1, 1, 0], "5"),
    "a class without samples": Bad([0, 2, 2, 0, 0, 2], r"\[0. 2.\].*unique"),
    "counted from 1": Bad([1, 3, 2, 2, 1, 3], r"\[1. 2. 3.\].*unique"),
    "negative": Bad([0, -1, 1, 1, 0, -1], "-1.*unique"),
    "halves": Bad([0, 0.5, 1, 1, 0, 0.5], r"0\.5.*unique"),
    "one class": Bad(np.zeros(6), r"\[0.\]"),
    "identifiers": Bad([0, 10**15, 1, 1, 0, 10**15], r"e\+15"),
})  # fmt: skip
ONE_HOT = array(design.one_hot(CLASS_NUMBERS.good()), {
    "too short": Bad(np.eye(3)[[0, 2, 1, 1, 0]], "5"),
    "too long": Bad(np.eye(3)[[0, 2, 1, 1, 0, 2, 2]], "7"),
    "class numbers": Bad([0, 2, 1, 1, 0, 2], r"\(6,\).*one_hot"),
    "a column of class numbers": Bad([[0], [2], [1], [1], [0], [2]], r"\(6, 1\).*one_hot"),
    "no classes": Bad(np.ones((6, 0)), r"\(6, 0\)"),
    "two classes at once": Bad(put(np.eye(3)[[0, 2, 1, 1, 0, 2]], (3, 2), 1), r"\[0. 1. 1.\] in row 3.*one_hot"),
    "no class": Bad(put(np.eye(3)[[0, 2, 1, 1, 0, 2]], (3, 1), 0), r"\[0. 0. 0.\] in row 3.*one_hot"),
    "posteriors": Bad(np.full((6, 2), 0.5), r"\[0.5 0.5\] in row 0.*one_hot"),
    "coded -1, +1": Bad(2 * np.eye(3)[[0, 2, 1, 1, 0, 2]] - 1, r"\[ 1. -1. -1.\] in row 0.*one_hot"),
    "sums of 1": Bad([[2, -1], [1, 0], [0, 1], [1, 0], [1, 0], [1, 0]], r"\[ 2. -1.\] in row 0"),
})  # fmt: skip
ONE_HOT.odd["booleans"] = ONE_HOT.good() > 0
CLASSES = array(np.array([0.0, 2.0, 1.0, 1.0]), {
    "negative": Bad([0, -1, 1], "-1"),
    "halves": Bad([0, 0.5, 1], r"0\.5"),
    "not below K": Bad([0, 3, 1], "3"),
    "an identifier": Bad([0, 10**15, 1], r"1e\+15"),
})  # fmt: skip


CLASS_OF_EACH = dataclasses.replace(CLASS_NUMBERS, bad=CLASS_NUMBERS.bad | {
    "too long": Bad([0, 2, 1, 1, 0, 2, 2], "7"),
    "coded -1, +1": Bad(LABELS, r"\[-1.  1.\].*unique"),
    "coded 1, 2": Bad((LABELS + 3) / 2, r"\[1. 2.\].*unique"),
    "names": Bad(["a", "c", "b", "b", "a", "c"], "text.*unique"),
    "one-hot": Bad(np.eye(3)[[0, 2, 1, 1, 0, 2]], r"\(6, 3\)"),
    "a column": Bad([[0], [2], [1], [1], [0], [2]], r"\(6, 1\).*ravel"),
    "a class counted twice": Bad([0, 3, 1, 1, 0, 3], r"\[0. 1. 3.\].*unique"),
})  # fmt: skip
CLASS_OF_PAIR = dataclasses.replace(BITS, bad=CLASS_OF_EACH.bad | {
    "three classes": Bad([0, 2, 1, 1, 0, 2], r"\[0. 1. 2.\].*t < 2"),
    "one class": Bad(np.zeros(6), "only 0"),
    "posteriors": Bad(np.linspace(0.1, 0.9, 6), r"0\.1"),
    "only 1": Bad(np.ones(6), "only 1"),
})  # fmt: skip
BIT_SAMPLES = array(np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]]), {
    "no columns": Bad(np.ones((6, 0)), r"\(6, 0\)"),
    "counts": Bad([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 3], [1, 0, 0], [0, 1, 0]], "3 at row 3, column 2.*n_values"),
    "counts of int8": Bad(np.array([[1, 0, 2], [0, 1, 1]] * 3, "i1"), "2 at row 0, column 2"),
    "negative": Bad(np.array([[1, 0, 1], [0, -1, 1]] * 3), "-1 at row 1, column 1"),
    "posteriors": Bad(np.full((6, 3), 0.5), r"0\.5 at row 0, column 0"),
    "names": Bad([["yes", "no", "no"]] * 6, "text"),
})  # fmt: skip
BIT_SAMPLES.odd["booleans"] = BIT_SAMPLES.good() > 0
OF_3_VALUES = array(np.array([[2.0, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]]), {
    "no columns": Bad(np.ones((6, 0)), r"\(6, 0\)"),
    "a value too large": Bad(np.array([[0, 0, 1], [0, 1, 1], [2, 2, 0]] * 2), r"2 at row 2, column 1.*0\.\.1"),
    "a value too large, of bytes": Bad(np.array([[3, 0, 1], [0, 1, 1]] * 3, "u1"), r"3 at row 0, column 0.*0\.\.2"),
    "negative": Bad(np.array([[0, 0, 1], [0, 1, -1]] * 3), r"-1 at row 1, column 2"),
    "halves": Bad(np.array([[0.5, 0, 1], [0, 1, 1]] * 3), r"0\.5 at row 0, column 0"),
    "beyond int32": Bad(np.array([[0, 0, 2**32], [0, 1, 1]] * 3), r"4\.29\d*e\+09 at row 0, column 2"),
    "far beyond int32": Bad(np.array([[0, 0, 1e300], [0, 1, 1]] * 3), r"1e\+300 at row 0, column 2"),
    "names": Bad([["S", "M", "L"]] * 6, "text"),
})  # fmt: skip
KNOWN_CLASSES = array(np.array([0.0, 0, 1, 1, 0, 0]), {
    "no rows": Bad([], r"\(0,\)"),
    "too short": Bad([0, 1, 1, 1, 0], r"\(5,\)"),
    "too long": Bad([0, 1, 1, 1, 0, 1, 1], r"\(7,\)"),
    "an unknown one": Bad([0, 2, 1, 1, 0, 2], r"\[0. 1. 2.\]"),
    "negative": Bad(LABELS, r"\[-1.  1.\]"),
    "halves": Bad([0, 0.5, 1, 1, 0, 0], r"0\.5"),
    "identifiers": Bad([0, 10**15, 1, 1, 0, 0], r"e\+15"),
})  # fmt: skip
OTHER_WIDTH = {
    "a feature less": Bad(np.zeros((6, 2)), "2 features; 3"),
    "a feature more": Bad(np.zeros((6, 4)), "4 features; 3"),
}
BITS_OF_MODEL = dataclasses.replace(BIT_SAMPLES, bad=BIT_SAMPLES.bad | OTHER_WIDTH)
CATEGORIES_OF_MODEL = dataclasses.replace(OF_3_VALUES, bad=OF_3_VALUES.bad | OTHER_WIDTH)
N_VALUES = without(array(np.array([3.0, 2, 2]), {
    "no rows": Bad([], r"\(0,\)"),
    "zero": Bad([3, 0, 2], "0"),
    "negative": Bad([3, -2, 2], "-2"),
    "halves": Bad([3, 2.5, 2], r"2\.5"),
    "too few": Bad([3, 2], r"\(2,\)"),
    "too many": Bad([3, 2, 2, 2], r"\(4,\)"),
    "a number of zero": Bad(0, r"\[0.\]"),
    "a number of halves": Bad(2.5, r"\[2.5\]"),
    "not a number": Bad(nan, "nan"),
    "infinitely many": Bad(inf, "inf"),
    "a billion": Bad(10**9, r"1\.?e\+09"),
    "the values themselves": Bad([[0, 1, 2], [0, 1], [0, 1]], "ragged"),
}), "None", "one dimension less")  # fmt: skip
PROBABILITIES = array(np.array([0.5, 0.0, 1.0]), {
    "above 1": Bad([0.5, 1.5, 1.0], r"1\.5"),
    "negative": Bad([0.5, -0.5, 1.0], r"-0\.5"),
    "percent": Bad([50, 0, 100], "50"),
    "no rows": Bad([], "0"),
})  # fmt: skip
OTHER_PROBABILITIES = dataclasses.replace(PROBABILITIES, bad=PROBABILITIES.bad | {
    "too few": Bad([0.5, 0.5], r"\(2,\)"),
    "too many": Bad([0.5] * 4, r"\(4,\)"),
})  # fmt: skip


def penalty(d: int) -> Kind:
    """One number, or one for each of d columns."""
    each = np.full(d, 0.5)
    return Kind(lambda: 0.5, {
        "negative": Bad(-0.5, r"-0\.5"),
        "one negative": Bad(put(each, -1, -1), "-1"),
        "nan": Bad(nan, "nan"),
        "nan inside": Bad(put(each, 1, nan), "nan at position 1"),
        "inf": Bad(inf, "inf"),
        "beyond float64": Bad(10**400, BEYOND),
        "text": Bad("0.5", "text"),
        "None": Bad(None, "None"),
        "None inside": Bad([None, *each[1:]], "None at position 0"),
        "complex": Bad(1j, "complex"),
        "too few": Bad(each[1:], str(d - 1)),
        "too many": Bad([*each, 0.5], str(d + 1)),
        "a column": Bad(each[:, None], rf"\({d}, 1\)"),
        "none": Bad([], "0"),
        "ragged": Bad([[0.5], [0.5, 0.5]], "ragged"),
        "masked": Bad(np.ma.masked_equal(put(each, 0, 1), 1), "masked"),
    }, {
        "Fraction": Fraction(1, 2),
        "float32": np.float32(0.5),
        "0-d array": np.array(0.5),
        "an entry each": each.tolist(),
        "a tuple": tuple(each),
        "an array": each,
        "a read-only array": read_only(each),
        "a float32 array": each.astype("f4"),
        "a view": every_second(each),
        "a frame": Frame(each),
        "Fractions": [Fraction(1, 2)] * d,
    })  # fmt: skip


PENALTY, PENALTY_OF_2 = penalty(3), penalty(2)
PENALTIES = array(np.array([4.0, 0.0, 1.0]), {"negative": Bad([4.0, 0.0, -1.0], "-1"), "a number": Bad(2.0, r"\(\)")})
NOT_A_NUMBER = {
    "nan": Bad(nan, "nan"),
    "inf": Bad(inf, "inf"),
    "-inf": Bad(-inf, "-inf"),
    "text": Bad("0.5", "'0.5'"),
    "None": Bad(None, "None"),
    "complex": Bad(0.5j, "0.5j"),
    "list": Bad([0.5], r"\[0.5\]"),
    "ragged": Bad([[0.5], [0.5, 1.0]], r"\[\[0.5\]"),
    "beyond float64": Bad(10**400, BEYOND),
}
HALF = {"Fraction": Fraction(1, 2), "float32": np.float32(0.5), "0-d array": np.array(0.5)}
NOT_POSITIVE = {"zero": Bad(0.0, "0"), "negative": Bad(-0.5, r"-0\.5")}
STEP = Kind(lambda: 0.5, NOT_A_NUMBER | NOT_POSITIVE, HALF)
NOT_NEGATIVE = Kind(lambda: 0.5, NOT_A_NUMBER | {"negative": Bad(-0.5, r"-0\.5")}, HALF)
SHARE = Kind(
    lambda: 0.5,
    NOT_A_NUMBER | {"negative": Bad(-0.5, r"-0\.5"), "above 1": Bad(1.5, r"1\.5"), "percent": Bad(50, "50")},
    HALF,
)
POSITIVE_SHARE = dataclasses.replace(SHARE, bad=SHARE.bad | {"zero": Bad(0.0, "0")})

BOX = Kind(lambda: 0.5, {k: v for k, v in NOT_A_NUMBER.items() if k != "inf"} | NOT_POSITIVE, HALF)
HARD = Kind(lambda: inf, {}, {"float32": np.float32(inf), "longdouble": np.longdouble(inf), "0-d array": np.array(inf)})
TOLERANCE = Kind(lambda: 2.0**-30, STEP.bad, {
    "Fraction": Fraction(1, 2**30),
    "float32": np.float32(2.0**-30),
    "0-d array": np.array(2.0**-30),
})  # fmt: skip

NOT_WHOLE = {
    "negative": Bad(-1, "-1"),
    "a fraction": Bad(2.5, r"2\.5"),
    "a float": Bad(3.0, r"3\.0"),
    "a boolean": Bad(True, "True"),
    "text": Bad("3", "'3'"),
    "None": Bad(None, "None"),
    "nan": Bad(nan, "nan"),
    "list": Bad([3], r"\[3\]"),
}
INTEGERS = {"int8": np.int8(3), "int64": np.int64(3), "uint16": np.uint16(3)}
COUNT = Kind(lambda: 3, NOT_WHOLE | {"zero": Bad(0, "0")}, INTEGERS)
COUNT_OR_0 = Kind(lambda: 3, NOT_WHOLE, INTEGERS)
COUNT_OR_NONE = without(COUNT, "None")
HUNDRED = Kind(lambda: 100, COUNT.bad, {"int8": np.int8(100), "int64": np.int64(100), "uint16": np.uint16(100)})
PAIR_OR_MORE = Kind(lambda: 20, COUNT.bad | {"one": Bad(1, "1")}, {"int8": np.int8(20)})
FOLDS = Kind(lambda: 3, COUNT.bad | {"one": Bad(1, "1"), "more than samples": Bad(21, "21")}, INTEGERS)
ORDER = Kind(lambda: [5, 0, 4, 1, 3, 2, 2], {
    "leaves one out": Bad([0, 1, 2, 4, 5, 5], "3"),
    "too large": Bad([0, 1, 2, 3, 4, 6], "6"),
    "negative": Bad([0, 1, 2, 3, 4, -1], "-1"),
    "floats": Bad([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], r"0\."),
    "booleans": Bad([True] * 6, "True"),
    "text": Bad("cyclic", "cyclic"),
    "empty": Bad([], r"\[\]"),
    "two dimensions": Bad([[0, 1, 2], [3, 4, 5]], r"\[\[0, 1, 2\]|\(2, 3\)"),
    "ragged": Bad([[0], [1, 2], 3, 4, 5], "ragged|0"),
    "masked": Bad(np.ma.masked_equal([0, 1, 2, 3, 4, 5], 2), "masked"),
    "a number": Bad(3, "3"),
}, {dtype: np.array([5, 0, 4, 1, 3, 2, 2], dtype) for dtype in ("i1", "i8", "u8", ">i4")}
    | {"tuple": (5, 0, 4, 1, 3, 2, 2), "read-only": read_only(np.array([5, 0, 4, 1, 3, 2, 2]))})  # fmt: skip
START = Kind(lambda: ([0.5, -0.25], 0.5), {
    "no pair": Bad(3.0, r"3\.0", "start"),
    "weights only": Bad([0.5], r"\[0.5\]", "start"),
    "three things": Bad([0.5, 0.5, 0.5], r"0\.5", "start"),
    "other features": Bad(([0.5], 0.0), "1", "w0"),
    "nan in w0": Bad(([nan, 0.5], 0.0), "nan at position 0", "w0"),
    "text in w0": Bad((["a", "b"], 0.0), "text", "w0"),
    "w0 a column": Bad(([[0.5], [0.5]], 0.0), r"\(2, 1\)", "w0"),
    "nan b0": Bad(([0.5, 0.5], nan), "nan", "b0"),
    "b0 a list": Bad(([0.5, 0.5], [0.5]), r"\[0.5\]", "b0"),
}, {"arrays": (np.array([0.5, -0.25]), np.array(0.5)), "float32": (np.array([0.5, -0.25], "f4"), np.float32(0.5)),
    "list": [(0.5, -0.25), 0.5], "read-only": (read_only(np.array([0.5, -0.25])), 0.5)})  # fmt: skip
GENERATOR = Kind(lambda: np.random.default_rng(0), {
    "a seed": Bad(0, "0.*default_rng"),
    "None": Bad(None, "None"),
    "the old kind": Bad(np.random.RandomState(0), "RandomState"),
    "the module": Bad(np.random, "module"),
})  # fmt: skip
NO_FAMILY = {
    "its name": Bad("poisson", "'poisson'"),
    "None": Bad(None, "None"),
    "the class": Bad(glm.Family, "class.*Family"),
    "a link": Bad(glm.log, "Link"),
    "a function": Bad(np.exp, "exp"),
    "the maker of one": Bad(glm.gaussian_with, "gaussian_with"),
}


def family(value: glm.Family) -> Kind:
    return Kind(lambda: value, NO_FAMILY)


def given(value: Any) -> Kind:
    """Functions and the like, which no door inspects."""
    return Kind(lambda: value)


@dataclasses.dataclass(frozen=True)
class Door:
    call: Callable[..., Any]
    kinds: dict[str, Kind]
    lazy: bool = False  # a generator that checks when it is first advanced, as optimize documents by being bare loops

    @property
    def name(self) -> str:
        return f"{self.call.__module__.removeprefix('linmodels.')}.{self.call.__name__}"

    @property
    def id(self) -> str:
        """Its name, and what else decides which values are good: the family of y, C = inf, or categories for bits."""
        if "family" in self.kinds:
            return f"{self.name}-{self.kinds['family'].good().name}"
        if self.kinds.get("C") is HARD:
            return f"{self.name}-hard margin"
        of_categories = self.kinds.get("X") in (OF_3_VALUES, CATEGORIES_OF_MODEL)
        return f"{self.name}-categories" if of_categories else self.name

    def arguments(self, **instead: Any) -> dict[str, Any]:
        return {name: kind.good() for name, kind in self.kinds.items()} | instead


def door(call: Callable[..., Any], /, lazy: bool = False, **kinds: Kind) -> Door:
    return Door(call, kinds, lazy)


def quadratic() -> dict[str, Kind]:
    """E = w·w/2 in the words of optimize."""
    return {"loss": given(lambda w: w @ w / 2), "gradient": given(lambda w: w)}


HESSIAN, PROX, GRADIENT_I = given(lambda w: np.eye(2)), given(lambda v, eta: v), given(lambda w, samples: w)
ITERATES = Kind(lambda: optimize.gradient_descent(lambda w: w, np.ones(2), eta=0.5), {"none": Bad([], "empty")})
X_Y, X_LABELS = {"X": SAMPLES, "y": REGRESSION}, {"X": SAMPLES, "y": MARGIN}
K_LABELS = {"K": PAIRED_SEMIDEFINITE, "y": MARGIN}
X_BITS, X_ONE_HOT = {"X": SAMPLES, "t": PAIRED_BITS}, {"X": SAMPLES, "T": ONE_HOT}
FAMILIES = [(glm.gaussian, REGRESSION, SMALL_WEIGHTS), (glm.bernoulli, PAIRED_BITS, SMALL_WEIGHTS),
            (glm.poisson, COUNTS, SMALL_WEIGHTS), (glm.categorical, CLASS_NUMBERS, WEIGHTS_OF_3_CLASSES)]  # fmt: skip

X_PAIR, X_CLASSES = {"X": SAMPLES, "t": CLASS_OF_PAIR}, {"X": SAMPLES, "t": CLASS_OF_EACH}
NO_MORE_THAN_2 = Kind(lambda: 2, COUNT.bad | {"more than there are": Bad(3, "3.*3 classes.*2 features.*rank 2")},
                      {"int8": np.int8(2), "uint16": np.uint16(2)})  # fmt: skip
SMOOTHED = {"smoothing": NOT_NEGATIVE, "prior_smoothing": NOT_NEGATIVE}
OF_BITS = naive_bayes.fit(BIT_SAMPLES.good(), BITS.good())
OF_CATEGORIES = naive_bayes.fit(OF_3_VALUES.good(), CLASS_NUMBERS.good(), n_values=[3, 2, 2])
TWO_OF_CATEGORIES = naive_bayes.fit(OF_3_VALUES.good(), BITS.good(), n_values=[3, 2, 2])
MODELS = [(OF_BITS, BITS_OF_MODEL), (TWO_OF_CATEGORIES, CATEGORIES_OF_MODEL)]

DOORS = [
    door(design.augment, X=SAMPLES),
    door(design.monomials, X=SAMPLES, degree=COUNT),
    door(design.gaussian_basis, X=SAMPLES, centers=OTHER_SAMPLES, s=STEP),
    door(design.one_hot, t=CLASSES, K=COUNT_OR_NONE),
    door(design.signs, t=BITS),
    door(design.free_bias, lam=PENALTY, d=COUNT),
    door(kernels.linear, X=SAMPLES, Z=OTHER_SAMPLES),
    door(kernels.polynomial, X=SAMPLES, Z=OTHER_SAMPLES, c=NOT_NEGATIVE, degree=COUNT_OR_0),
    door(kernels.cubic_sum, X=SAMPLES, Z=OTHER_SAMPLES),
    door(kernels.gaussian, X=SAMPLES, Z=OTHER_SAMPLES, sigma=STEP),
    door(kernels.gram, kernel=given(kernels.linear), X=SAMPLES),
    door(kernels.expansion, kernel=given(kernels.linear), Z=OTHER_SAMPLES, X=SAMPLES, coefficients=TARGETS_OF_K),
    door(kernels.gaussian_on_grid, x=NUMBERS, y=NUMBERS, X=SAMPLES, coefficients=TARGETS_OF_K, sigma=STEP),
    door(kernels.quadratic_features, X=SAMPLES, c=NOT_NEGATIVE),
    door(kernels.polynomial_features, X=SAMPLES, c=NOT_NEGATIVE, degree=COUNT_OR_0),
    door(kernels.cubic_features, X=SAMPLES),
    door(kernels.gaussian_features, x=NUMBERS, sigma=STEP, n=COUNT),
    door(kernels.feature_dimension, d=COUNT, k=COUNT_OR_0),
    door(kernels.is_positive_semidefinite, K=SYMMETRIC_OR_NOT),
    door(kernels.mercer_features, K=SEMIDEFINITE),
    door(kernels.normalize, K=WITH_LENGTHS),
    door(kernels.center, K=KERNEL_MATRIX),
    door(kernels.median_width, X=PAIRS_OF_SAMPLES),
    door(datasets.clusters, means=OTHER_SAMPLES_ALONE, N=COUNT, spread=STEP, rng=GENERATOR),
    door(datasets.rings, radii=RADII, N=COUNT, spread=STEP, rng=GENERATOR),
    door(datasets.separable, N=PAIR_OR_MORE, d=COUNT, gap=NOT_NEGATIVE, rng=GENERATOR),
    door(optimize.gradient_descent, lazy=True, gradient=given(lambda w: w), w=ANY_WEIGHTS, eta=STEP),
    door(optimize.stochastic_gradient_descent, lazy=True, gradient_i=GRADIENT_I, w=ANY_WEIGHTS, N=COUNT, eta=STEP,
         batch=COUNT, rng=GENERATOR),
    door(optimize.newton, lazy=True, **quadratic(), hessian=HESSIAN, w=ANY_WEIGHTS),
    door(optimize.bfgs, lazy=True, **quadratic(), w=ANY_WEIGHTS),
    door(optimize.proximal_gradient, lazy=True, gradient=given(lambda w: w), prox=PROX, w=ANY_WEIGHTS, eta=STEP),
    door(optimize.trajectory, iterates=without(ITERATES, "none"), steps=COUNT_OR_0),
    door(optimize.run, iterates=ITERATES, tol=NOT_NEGATIVE, max_iter=COUNT_OR_0),
    door(lr.normal_equations, **X_Y),
    door(lr.least_squares, **X_Y),
    door(lr.minimum_norm, **X_Y),
    door(lr.null_space, X=SAMPLES),
    door(lr.hat_matrix, X=SAMPLES),
    door(lr.largest_step, X=SAMPLES),
    door(lr.best_step, X=SAMPLES),
    door(lr.gradient_iterates, **X_Y, eta=STEP, w=WEIGHTS),
    door(lr.stochastic_iterates, **X_Y, eta=STEP, batch=COUNT, rng=GENERATOR, w=WEIGHTS),
    door(reg.ridge, **X_Y, lam=PENALTY_OF_2),
    door(reg.ridge_normal_equations, **X_Y, lam=PENALTY_OF_2),
    door(reg.ridge_dual, K=KERNEL_VALUES, y=TARGETS_OF_K, lam=NOT_NEGATIVE),
    door(reg.ridge_rows, **X_Y, lam=PENALTY_OF_2),
    door(reg.ridge_path, **X_Y, lams=PENALTIES),
    door(reg.coordinate_iterates, **X_Y, lam=PENALTY_OF_2, rho=SHARE, w=WEIGHTS),
    door(reg.proximal_iterates, **X_Y, lam=PENALTY_OF_2, rho=SHARE, eta=STEP, w=WEIGHTS),
    door(reg.lasso, **X_Y, lam=PENALTY_OF_2),
    door(reg.elastic_net, **X_Y, lam=PENALTY_OF_2, rho=SHARE),
    door(reg.elastic_net_path, **X_Y, lams=PENALTIES, rho=SHARE),
    door(reg.lasso_path, **X_Y, least=NOT_NEGATIVE),
    door(reg.interpolate, path=given(reg.lasso_path(X, TARGET)), lam=NOT_NEGATIVE),
    door(reg.smallest_zero_lam, **X_Y, rho=POSITIVE_SHARE),
    door(reg.optimality, w=NEEDED_WEIGHTS, **X_Y, lam=PENALTY_OF_2, rho=SHARE),
    *(door(f, w=NEEDED_WEIGHTS, **X_Y, lam=PENALTY_OF_2, rho=SHARE) for f in (reg.dual_points, reg.duality_gap)),
    door(reg.folds, N=PAIR_OR_MORE, k=FOLDS, rng=GENERATOR),
    door(glm.gaussian_with, sigma=STEP),
    *(door(f, X=SAMPLES, y=y, family=family(a), lam=PENALTY_OF_2, **w)
      for a, y, start in FAMILIES for f, w in [(glm.fit, {}), (glm.irls_iterates, {"w": start})]),
    door(glm.log_linear_regression, X=SAMPLES, y=ABOVE_ZERO),
    door(logreg.largest_step, X=SAMPLES, lam=PENALTY_OF_2),
    door(logreg.gradient_iterates, **X_BITS, lam=PENALTY_OF_2, eta=STEP, w=WEIGHTS),
    door(logreg.stochastic_iterates, **X_BITS, lam=PENALTY_OF_2, eta=STEP, batch=COUNT, rng=GENERATOR, w=WEIGHTS),
    door(logreg.newton_iterates, **X_BITS, lam=PENALTY_OF_2, w=SMALL_WEIGHTS),
    door(logreg.bfgs_iterates, **X_BITS, lam=PENALTY_OF_2, w=SMALL_WEIGHTS),
    door(logreg.fit, **X_BITS, lam=PENALTY_OF_2),
    door(logreg.fit_l1, **X_BITS, lam=PENALTY_OF_2),
    door(logreg.l1_optimality, w=NEEDED_WEIGHTS, **X_BITS, lam=PENALTY_OF_2),
    door(logreg.predict, w=given(np.array([1.0, -1.0])), X=given(X), threshold=SHARE),
    door(smr.largest_step, X=SAMPLES, lam=PENALTY_OF_2),
    door(smr.gradient_iterates, **X_ONE_HOT, lam=PENALTY_OF_2, eta=STEP, W=COLUMN_PER_CLASS),
    door(smr.stochastic_iterates, **X_ONE_HOT, lam=PENALTY_OF_2, eta=STEP, batch=COUNT, rng=GENERATOR,
         W=COLUMN_PER_CLASS),
    door(smr.newton_iterates, **X_ONE_HOT, lam=PENALTY_OF_2, W=COLUMN_PER_CLASS),
    door(smr.fit, **X_ONE_HOT, lam=PENALTY_OF_2),
    door(lsc.fit, **X_ONE_HOT),
    door(lsc.closed_form, **X_ONE_HOT),
    door(lsc.fisher_targets, t=BOTH_BITS),
    door(lda.means, **X_CLASSES),
    door(lda.covariances, **X_CLASSES),
    door(lda.scatter_within, **X_CLASSES),
    door(lda.scatter_between, **X_CLASSES),
    door(lda.scatter_of_means, **X_PAIR),
    door(lda.scatter_total, X=SAMPLES),
    door(lda.rayleigh_quotient, w=NEEDED_WEIGHTS, **X_PAIR),
    door(lda.direction, **X_PAIR),
    door(lda.svd_direction, **X_PAIR),
    door(lda.directions, **X_CLASSES, n_components=without(NO_MORE_THAN_2, "None")),
    door(lda.threshold, w=NEEDED_WEIGHTS, **X_PAIR),
    door(lda.prior_threshold, w=NEEDED_WEIGHTS, **X_PAIR),
    door(lda.discriminants, **X_CLASSES),
    door(naive_bayes.bernoulli, pi=SHARE, mu_1=PROBABILITIES, mu_0=OTHER_PROBABILITIES),
    door(naive_bayes.counts, X=BIT_SAMPLES, t=CLASS_OF_EACH, n_values=given(None)),
    door(naive_bayes.counts, X=OF_3_VALUES, t=CLASS_OF_EACH, n_values=N_VALUES),
    door(naive_bayes.fit, X=BIT_SAMPLES, t=CLASS_OF_EACH, **SMOOTHED, n_values=given(None)),
    door(naive_bayes.fit, X=OF_3_VALUES, t=CLASS_OF_EACH, **SMOOTHED, n_values=N_VALUES),
    *(door(f, model=given(model), X=samples) for model, samples in MODELS
      for f in (naive_bayes.log_joint, naive_bayes.log_odds, naive_bayes.posterior, naive_bayes.predict)),
    *(door(naive_bayes.log_likelihood, model=given(model), X=samples, t=KNOWN_CLASSES) for model, samples in MODELS),
    door(naive_bayes.sample, model=given(OF_CATEGORIES), N=COUNT, rng=GENERATOR),
    door(perceptron.updates, **X_LABELS, eta=STEP, order=ORDER, start=START),
    door(perceptron.random_updates, **X_LABELS, eta=STEP, rng=GENERATOR),
    door(perceptron.fit, **X_LABELS, eta=STEP, order=ORDER, start=START, max_updates=COUNT),
    door(perceptron.dual_updates, G=INNER_PRODUCTS, y=MARGIN, eta=STEP, order=ORDER),
    door(perceptron.fit_dual, G=INNER_PRODUCTS, y=MARGIN, eta=STEP, order=ORDER, max_updates=COUNT),
    door(perceptron.certificate, **X_LABELS),
    *(door(svm.fit, **X_LABELS, C=C, tol=TOLERANCE, max_iter=HUNDRED) for C in (BOX, HARD)),
    *(door(svm.fit_dual, **K_LABELS, C=C, tol=TOLERANCE, max_iter=HUNDRED) for C in (BOX, HARD)),
    door(svm.interior_point_iterates, **X_LABELS, C=BOX),
    *(door(svm.pairwise_iterates, K=UNTIED, y=MARGIN, C=C) for C in (BOX, HARD)),
    door(kernel_lms.feature_iterates, Phi=FEATURES, y=REGRESSION, eta=STEP),
    door(kernel_lms.stochastic_feature_iterates, Phi=FEATURES, y=REGRESSION, eta=STEP, order=ORDER),
    door(kernel_lms.beta_updates, K=KERNEL_VALUES, y=REGRESSION, eta=STEP),
    door(kernel_lms.stochastic_beta_updates, K=KERNEL_VALUES, y=REGRESSION, eta=STEP, order=ORDER),
    door(kernel_lms.beta_after, K=KERNEL_VALUES, y=REGRESSION, eta=STEP, steps=COUNT_OR_0),
    door(kernel_lms.largest_step, K=NOT_ZERO),
]  # fmt: skip


def inputs(door: Door, table: str) -> dict[str, tuple[str, Any]]:
    """Each argument of a door with each entry of its table, "bad" or "odd"."""
    return {
        f"{argument}, {label}": (argument, entry)
        for argument, kind in door.kinds.items()
        for label, entry in getattr(kind, table).items()
    }


by_door = pytest.mark.parametrize("door", DOORS, ids=[d.id for d in DOORS])


def with_argument(*wanted: Kind) -> dict[str, tuple[Door]]:
    """The doors that have an argument of one of these kinds (any, unless given)."""
    return each_of({d.id: d for d in DOORS if not wanted or any(kind in wanted for kind in d.kinds.values())})


def first(result: Any) -> Any:
    """A result as it is, of an iterator the first six states."""
    return list(islice(result, 6)) if isinstance(result, Iterator) else result


def leaves(result: Any) -> list[Any]:
    """The arrays, numbers, texts a result consists of; a family is what its functions do."""
    if isinstance(result, glm.Family):
        at = np.array([0.25, 1.0])
        result = [result.name, *(f(at) for f in (result.b, result.log_b, result.T, result.eta, result.a, result.mean))]
    if dataclasses.is_dataclass(result):
        result = [getattr(result, field.name) for field in dataclasses.fields(result)]
    if isinstance(result, (list, tuple)):
        return [leaf for part in result for leaf in leaves(part)]
    return [result]


def numbers_of(result: Any) -> list[np.ndarray]:
    return [np.asarray(leaf, float) for leaf in leaves(result) if leaf is not None and not isinstance(leaf, str)]


def outcome(door: Door, **instead: Any) -> list[Any]:
    """The leaves of a result; of states w, gradient ... all w in one array, all gradients in one."""
    result = first(door.call(**door.arguments(**instead)))
    if isinstance(result, list) and hasattr(result[0], "_fields"):
        result = [None if parts[0] is None else np.array(parts) for parts in zip(*result, strict=True)]
    return leaves(result)


def words(text: str) -> str:
    """A reason, in which what is zero up to rounding (the last step, the duality gap) reads 0."""
    return re.sub(r"\b\d[\d.]*e-[1-9]\d+|\b\d[\d.]*e-09|\b0\.0e\+00", "0", text)


def assert_same(found: list[Any], expected: list[Any]) -> None:
    """Up to rounding, which depends on the layout in memory: the sums of BLAS run in another order."""
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        if b is None or isinstance(b, (str, bool)):
            assert a == b if not isinstance(b, str) else words(a) == words(b)
            continue
        assert np.asarray(a).dtype == np.asarray(b).dtype
        if np.array_equal(a, b):
            continue
        zero = 1e-12 * TARGET @ TARGET if np.ndim(b) == 0 else 0.0  # a gap of 0, at a loss near y·y
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=max(1e-12 * np.abs(b).max(initial=0), zero))


# --- bad inputs

pattern = cache(partial(re.compile, flags=re.DOTALL))  # of re's own cache there is too little


@by_door
def test_bad_inputs_are_refused_in_words(door):
    """By ValueError, TypeError or LinAlgError at the call (not at the first state of an iterator), naming the
    argument, what was found, and what is expected."""

    def is_refused(argument, entry):
        with pytest.raises(REFUSALS) as refusal:
            result = door.call(**door.arguments(**{argument: entry.value}))
            if door.lazy:
                first(result)
        message = str(refusal.value)
        assert pattern(rf"\b{entry.name or argument}\b").search(message), f"the argument is not named: {message}"
        assert pattern(entry.found).search(message), f"what was found is not said: {message}"
        assert re.search(r"expected|must|needs|give|drop|replace|compare|converts", message), (
            f"what is expected is not said: {message}"
        )
        assert not re.search(r" ;|\bposition\b(?! \d)", message), f"the message has a hole: {message}"
        assert len(message) < 300, "the message prints the data"

    assert_each(is_refused, inputs(door, "bad"))


def test_every_door_is_listed():
    """fit*, *updates, *iterates, what has a phrase in the line above, and what calls checks.*, is in DOORS."""
    found = set(doors_in_source())
    assert found > {"perceptron.fit", "optimize.gradient_descent", "design.one_hot", "regularization.ridge"}
    missing = found - {d.name for d in DOORS}
    assert not missing, (
        f"{missing} looks at its arguments (by name, or by a word of @takes that is no shape) and is in no table: add "
        "a line to DOORS in tests/test_doors.py, the function and a kind for each of its parameters"
    )


def test_every_parameter_of_a_door_is_listed():
    for d in DOORS:
        assert set(d.kinds) == set(inspect.signature(d.call).parameters), d.name


def doors_in_source() -> Iterator[str]:
    package = Path(linmodels.__file__).parent
    for path in sorted(package.glob("[!_]*.py")):
        if path.stem in {"plotting", "pictures", "page"}:
            continue
        functions = {f.name: f for f in parsed(path.read_text("utf-8")).body if isinstance(f, ast.FunctionDef)}
        for name in functions:
            by_name = re.search(r"^fit|(^|_)updates$|(^|_)iterates$", name)
            asks = "checks" in calls(functions, name, set()) or has_phrase(functions[name])
            if not name.startswith("_") and (by_name or asks):
                assert callable(getattr(import_module(f"linmodels.{path.stem}"), name))
                yield f"{path.stem}.{name}"


def has_phrase(function: ast.FunctionDef) -> bool:
    """Whether the line above asks for a step, an order, a generator ...: for more than an array or a number."""
    lines = [call for call in function.decorator_list if isinstance(call, ast.Call)]
    texts = [str(k.value.value) for call in lines for k in call.keywords if isinstance(k.value, ast.Constant)]
    return any(
        text.removesuffix(" or None") in shapes.PHRASES.keys() - {"bound", "whole"} or re.match("number (?!or)", text)
        for text in texts
    )


def calls(functions: dict[str, ast.FunctionDef], name: str, seen: set[str]) -> set[str]:
    """The modules and functions that a function calls, itself or through private ones of its own module."""
    seen.add(name)
    for node in ast.walk(functions[name]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name):
                seen.add(node.func.value.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            helper = node.func.id
            if helper in functions and helper.startswith("_") and helper not in seen:
                calls(functions, helper, seen)
    return seen


@pytest.mark.parametrize("t", [[0, 10**15], [0, 1e300]], ids=str)
def test_one_hot_does_not_take_identifiers_for_class_numbers(t):
    with pytest.raises(ValueError, match=r"\bt\b.*1e\+"):
        design.one_hot(t)


# --- odd but sound inputs


def some_at_once(door: Door) -> dict[str, dict[str, Any]]:
    """Three calls with every argument in another form; the next door begins with the next form."""
    odd, start = {argument: list(kind.odd.items()) for argument, kind in door.kinds.items()}, DOORS.index(door)
    chosen = [{a: some[k % len(some)] for a, some in odd.items() if some} for k in range(start, start + 3)]
    return {
        ", ".join(f"{a}: {label}" for a, (label, _) in each.items()): {a: entry for a, (_, entry) in each.items()}
        for each in chosen
    }


def one_at_a_time(door: Door) -> dict[str, dict[str, Any]]:
    return {name: {argument: entry} for name, (argument, entry) in inputs(door, "odd").items()}


@by_door
@pytest.mark.parametrize("forms_of", [some_at_once, pytest.param(one_at_a_time, marks=pytest.mark.slow)])
def test_odd_forms_give_the_answer_of_the_plain_one(forms_of, door):
    """And in float64, and nothing is changed."""
    plain = outcome(door)

    def is_the_same(given):
        before = pickle.dumps(given)
        found = outcome(door, **given)
        assert pickle.dumps(given) == before
        assert_same(found, plain)

    assert_each(is_the_same, each_of(forms_of(door)))


def test_booleans_count_as_0_and_1():
    B = np.array([[1, 0], [0, 1], [1, 1], [0, 0], [1, 0], [1, 1]], bool)
    assert_each(lambda d: assert_same(outcome(d, X=B), outcome(d, X=B.astype(float))), with_argument(SAMPLES))


PAIRED = (SAMPLES, OTHER_SAMPLES, FEATURES, NUMBERS, KERNEL_VALUES, PAIRED_SEMIDEFINITE, KERNEL_MATRIX, REGRESSION,
          MARGIN, PAIRED_BITS, CLASS_NUMBERS, ONE_HOT, COUNTS, ABOVE_ZERO, CLASS_OF_EACH, CLASS_OF_PAIR, BIT_SAMPLES,
          OF_3_VALUES, BITS_OF_MODEL, CATEGORIES_OF_MODEL, KNOWN_CLASSES)  # fmt: skip


@one_in(3)
def test_pandas_is_taken_by_position(step):
    pandas = pytest.importorskip("pandas", exc_type=ImportError)

    def is_the_same(door):
        names = [name for name, kind in door.kinds.items() if kind in PAIRED]
        plain = {name: door.kinds[name].good() for name in names}
        labels = {name: np.roll(range(len(a)), i + 1) for i, (name, a) in enumerate(plain.items())}
        make = {1: pandas.Series, 2: pandas.DataFrame}
        frames = {name: make[a.ndim](a, index=labels[name]) for name, a in plain.items()}
        copies = {name: frame.copy() for name, frame in frames.items()}
        assert_same(outcome(door, **frames), outcome(door))
        assert all(frames[name].equals(copies[name]) for name in names)

    assert_each(is_the_same, dict(list(with_argument(*PAIRED).items())[::step]))


def test_a_result_shares_no_memory_with_the_arguments():
    """So the reader may change it."""

    def is_its_own(door):
        arguments = door.arguments()
        given = [value for value in arguments.values() if not isinstance(value, glm.Family)]
        arrays = [a for a in leaves(given) if isinstance(a, np.ndarray)]
        for leaf in leaves(first(door.call(**arguments))):
            assert not any(np.shares_memory(leaf, a) for a in arrays if isinstance(leaf, np.ndarray))

    assert_each(is_its_own, with_argument())


def test_a_fit_that_needs_no_update_gives_a_copy_of_its_start():
    w0 = np.array([1.0, 0.0])
    fit = perceptron.fit([[1.0, 0.0], [-1.0, 0.0]], [1.0, -1.0], start=(w0, 0.0))
    assert fit.n_iter == 0 and not np.shares_memory(fit.w, w0)


# --- large, small and far-off numbers: the right answer or an error, never a silent nan, never a warning beside it


@pytest.mark.parametrize("c", [1e100, 1e-100, *slow([1e200, 1e-200, 1e72, 1e-72])])
@one_in(3)
def test_scaled_data_give_finite_numbers_or_an_error(step, c):
    """Far beyond what float64 can square: the right answer or words, never NaN, never a warning beside it."""

    def is_finite(door):
        scaled = {name: c * kind.good() for name, kind in door.kinds.items() if kind.scales}
        for some in [scaled, *({name: a} for name, a in scaled.items())]:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                try:
                    found = outcome(door, **some)
                except (*REFUSALS, FloatingPointError):
                    continue
            assert all(np.isfinite(a).all() for a in numbers_of(found)), f"nan or inf with {list(some)} times {c:g}"
            assert not warned, f"a right answer with a warning: {warned[0].message} ({list(some)} times {c:g})"

    assert_each(is_finite, dict(list(with_argument().items())[::step]))


SCALES = pytest.mark.parametrize("c", [1e72, 1e36, 1e-36, 1e-72], ids=str)
SCALED = {  # f(cX, y), what it is in terms of f(X, y)
    partial(lda.means, t=CLASS_NUMBERS.good()): lambda M, c: c * M,
    partial(lda.scatter_within, t=CLASS_NUMBERS.good()): lambda S, c: c * c * S,
    partial(lda.scatter_between, t=CLASS_NUMBERS.good()): lambda S, c: c * c * S,
    lda.scatter_total: lambda S, c: c * c * S,
    lr.least_squares: lambda w, c: w / c,
    lr.normal_equations: lambda w, c: w / c,
    lr.minimum_norm: lambda w, c: w / c,
    lr.hat_matrix: lambda H, c: H,
    lr.largest_step: lambda eta, c: eta / c / c,
    lr.best_step: lambda eta, c: eta / c / c,
    logreg.largest_step: lambda eta, c: eta / c / c,
    smr.largest_step: lambda eta, c: eta / c / c,
    partial(lsc.fit, T=ONE_HOT.good()): lambda W, c: W / c,
    design.augment: lambda X, c: X * [c, c, 1],
    partial(design.monomials, degree=2): lambda P, c: P * [c, c, c * c, c * c, c * c],
    partial(kernels.gram, kernels.linear): lambda G, c: c * c * G,
    partial(kernels.quadratic_features, c=0.0): lambda P, c: c * c * P,
    kernels.median_width: lambda sigma, c: c * sigma,
}


def name_of(f: Any) -> str:
    return getattr(f, "func", f).__name__


@SCALES
@pytest.mark.parametrize("f", SCALED, ids=name_of)
def test_scaled_samples_give_the_scaled_answer(f, c):
    y = {"y": TARGET} if "y" in inspect.signature(f).parameters else {}
    np.testing.assert_allclose(f(X=c * X, **y), SCALED[f](f(X=X, **y), c), rtol=1e-9)


@SCALES
@pytest.mark.parametrize("of_X", [1e72, 1.0, 1e-72], ids=str)
@pytest.mark.parametrize("f", [lr.least_squares, lr.normal_equations, lr.minimum_norm], ids=name_of)
def test_scaled_samples_and_targets_give_scaled_weights(f, of_X, c):
    np.testing.assert_allclose(f(of_X * X, c * TARGET), f(X, TARGET) * (c / of_X), rtol=1e-9)


PENALISED = {  # in the units of X², y in those of X: the same weights
    "ridge": lambda X, y, lam: reg.ridge(X, y, lam),
    "ridge, one λ per column": lambda X, y, lam: reg.ridge(X, y, [lam, 3 * lam]),
    "ridge_normal_equations": lambda X, y, lam: reg.ridge_normal_equations(X, y, lam),
    "ridge_dual": lambda X, y, lam: X.T @ reg.ridge_dual(X @ X.T, y, lam),
    "ridge_path": lambda X, y, lam: reg.ridge_path(X, y, [lam, 9 * lam]),
    "lasso": lambda X, y, lam: reg.lasso(X, y, lam).w,
    "lasso, one λ per column": lambda X, y, lam: reg.lasso(X, y, [0.0, 9 * lam]).w,
    "elastic_net": lambda X, y, lam: reg.elastic_net(X, y, lam, 0.25).w,
    "elastic_net_path": lambda X, y, lam: reg.elastic_net_path(X, y, [lam, 9 * lam], 0.25),
    "lasso_path": lambda X, y, lam: reg.interpolate(reg.lasso_path(X, y), lam),
}


@SCALES
@pytest.mark.parametrize("f", PENALISED.values(), ids=PENALISED)
def test_scaled_samples_targets_and_penalty_leave_the_weights(f, c):
    np.testing.assert_allclose(f(c * X, c * TARGET, c * c * 400), f(X, TARGET, 400.0), rtol=1e-9)


@SCALES
def test_scaled_samples_and_targets_scale_the_knots(c):
    path, plain = reg.lasso_path(c * X, c * TARGET), reg.lasso_path(X, TARGET)
    np.testing.assert_allclose(path.lams, c * c * plain.lams, rtol=1e-9, atol=0)
    assert path.changes.tolist() == plain.changes.tolist()
    assert reg.smallest_zero_lam(c * X, c * TARGET) == pytest.approx(path.lams[0], rel=1e-12)


GLM = {  # family and targets that have a minimum without a penalty
    "gaussian": (glm.gaussian, TARGET),
    "bernoulli": (glm.bernoulli, np.array([1.0, 1, 1, 0, 0, 1])),
    "poisson": (glm.poisson, COUNTS.good()),
    "categorical": (glm.categorical, np.array([0.0, 0, 1, 1, 0, 2])),
}


@SCALES
@pytest.mark.parametrize("family, y", [v for k, v in GLM.items() if k != "categorical"], ids=list(GLM)[:3])
def test_scaled_samples_scale_the_weights_of_a_glm(family, y, c):
    end, plain = glm.fit(c * X, y, family), glm.fit(X, y, family)
    assert end.converged and plain.converged
    np.testing.assert_allclose(c * end.w, plain.w, rtol=1e-9)


MIXED = GLM["bernoulli"][1], design.one_hot([0, 0, 1, 1, 2, 2])  # t and T that X and a bias cannot separate
CLASSIFIERS = {  # the weights, and whether they are the best
    "logistic": lambda X, lam=0.0: (logreg.fit(X, MIXED[0], lam).w, logreg.fit(X, MIXED[0], lam).converged),
    "logistic with λ|w|": lambda X, lam=0.0: (
        logreg.fit_l1(X, MIXED[0], lam).w,
        logreg.fit_l1(X, MIXED[0], lam).converged,
    ),
    "softmax": lambda X, lam=0.0: (smr.fit(X, MIXED[1], lam).W, smr.fit(X, MIXED[1], lam).converged),
    "least squares": lambda X, lam=0.0: (lsc.fit(X, MIXED[1]), True),
}
EACH_CLASSIFIER = pytest.mark.parametrize("fit", CLASSIFIERS.values(), ids=CLASSIFIERS)


@SCALES
@EACH_CLASSIFIER
def test_scaled_samples_scale_the_weights_of_a_classifier(fit, c):
    (found, converged), (plain, _) = fit(c * X), fit(X)
    assert converged
    np.testing.assert_allclose(c * found, plain, rtol=1e-9)


@EACH_CLASSIFIER
def test_an_offset_leaves_the_slopes_of_a_classifier(fit):
    (found, converged), (plain, _) = fit(design.augment(X + OFFSET)), fit(design.augment(X))
    assert converged
    np.testing.assert_allclose(found[:2], plain[:2], rtol=1e-6)


@SCALES
def test_scaled_samples_keep_their_null_space(c):
    dependent = np.column_stack([X, X @ [1.0, -2.0]])
    assert np.abs(dependent @ lr.null_space(c * dependent)).max() < 1e-9


@SCALES
def test_scaled_samples_and_width_give_the_same_bumps(c):
    np.testing.assert_allclose(design.gaussian_basis(c * X, c * X[:3], 80 * c), design.gaussian_basis(X, X[:3], 80))


@SCALES
def test_scaled_samples_and_width_are_as_much_alike(c):
    np.testing.assert_allclose(kernels.gaussian(c * X, c * X[:3], 80 * c), kernels.gaussian(X, X[:3], 80), rtol=1e-12)


@SCALES
@pytest.mark.parametrize("f", [kernels.center, kernels.mercer_features, kernels.normalize], ids=name_of)
def test_a_scaled_kernel_matrix_scales_its_features(f, c):
    """K is of degree 2 in them; the angle between two is of degree 0."""
    unit = {kernels.center: c, kernels.mercer_features: np.sqrt(c), kernels.normalize: 1.0}[f]
    np.testing.assert_allclose(np.abs(f(c * GRAM)), unit * np.abs(f(GRAM)), rtol=1e-9, atol=1e-9 * unit)
    assert kernels.is_positive_semidefinite(c * GRAM) == (True, None)
    assert not kernels.is_positive_semidefinite(c * put(GRAM, (2, 2), -1))[0]


@SCALES
@pytest.mark.parametrize("C", [inf, 1e-4], ids=["hard", "soft"])
def test_scaled_samples_and_costs_scale_the_largest_margin(c, C):
    """w/c, the same b and f, α/c²; and so the dual does."""
    end, plain = svm.fit(c * X, LABELS, C / c / c), svm.fit(X, LABELS, C)
    assert end.converged and plain.converged
    np.testing.assert_allclose(c * end.w, plain.w, rtol=1e-9)
    np.testing.assert_allclose(c * end.alpha * c, plain.alpha, rtol=1e-9, atol=1e-9 * plain.alpha.max())
    dual = svm.fit_dual(kernels.gram(kernels.linear, c * X), LABELS, C / c / c)
    assert dual.converged
    np.testing.assert_allclose(c * dual.alpha * c, plain.alpha, rtol=1e-6, atol=1e-6 * plain.alpha.max())
    np.testing.assert_allclose([end.b, dual.b], plain.b, rtol=1e-6)


@SCALES
def test_kernel_lms_in_scaled_units_takes_the_same_way(c):
    """η K is what counts; β is of degree 1 in η and in y."""
    eta = kernel_lms.largest_step(GRAM) / 2
    assert kernel_lms.largest_step(c * GRAM) * c == pytest.approx(2 * eta)
    paths = [islice(kernel_lms.beta_updates(K, TARGET, step), 5) for K, step in [(GRAM, eta), (c * GRAM, eta / c)]]
    for plain, scaled in zip(*paths, strict=True):
        np.testing.assert_allclose(c * scaled.beta, plain.beta, rtol=1e-9)
    np.testing.assert_allclose(c * kernel_lms.beta_after(c * GRAM, TARGET, eta / c, 5), plain.beta, rtol=1e-9)


@SCALES
def test_gradient_descent_on_scaled_samples_takes_the_scaled_path(c):
    def path(X):
        return np.array([s.w for s in islice(lr.gradient_iterates(X, TARGET, eta=lr.best_step(X)), 5)])

    np.testing.assert_allclose(c * path(c * X), path(X), rtol=1e-9)


@SCALES
def test_the_certificate_of_scaled_samples_is_a_proof(c):
    found = perceptron.certificate(c * X, LABELS)
    assert found.separable and (LABELS * (c * X @ found.w + found.b)).min() > 0


@SCALES
def test_primal_and_dual_make_the_same_mistakes_at_any_scale(c):
    primal = [u.i for u in islice(perceptron.updates(c * X, LABELS), 20)]
    dual = [u.i for u in islice(perceptron.dual_updates(kernels.gram(kernels.linear, c * X), LABELS), 20)]
    assert dual == primal


OFFSET = 1e8


def test_an_offset_leaves_the_slopes():
    slopes = lr.least_squares(design.augment(X), TARGET)[:2]
    np.testing.assert_allclose(lr.least_squares(design.augment(X + OFFSET), TARGET)[:2], slopes, rtol=1e-6)


@pytest.mark.parametrize("lam", [1.0, 1e4], ids=str)
@pytest.mark.parametrize("solve", [reg.ridge, lambda X, y, lam: reg.lasso(X, y, lam).w], ids=["ridge", "lasso"])
def test_an_offset_leaves_the_slopes_where_the_bias_is_free(solve, lam):
    lam = design.free_bias(lam, 3)
    slopes = solve(design.augment(X), TARGET, lam)[:2]
    np.testing.assert_allclose(solve(design.augment(X + OFFSET), TARGET, lam)[:2], slopes, rtol=1e-6)


@pytest.mark.parametrize("family, y", [GLM["gaussian"], GLM["poisson"]], ids=["gaussian", "poisson"])
def test_an_offset_leaves_the_slopes_of_a_glm(family, y):
    slopes = glm.fit(design.augment(X), y, family).w[:2]
    np.testing.assert_allclose(glm.fit(design.augment(X + OFFSET), y, family).w[:2], slopes, rtol=1e-6)


def test_an_offset_leaves_the_hat_matrix():
    H = lr.hat_matrix(design.augment(X))
    np.testing.assert_allclose(lr.hat_matrix(design.augment(X + OFFSET)), H, atol=1e-6)


def test_an_offset_of_samples_and_centers_leaves_the_bumps():
    moved = design.gaussian_basis(X + OFFSET, X[:3] + OFFSET, 80)
    np.testing.assert_allclose(moved, design.gaussian_basis(X, X[:3], 80), rtol=1e-12)


def test_an_offset_leaves_distances_and_the_largest_margin():
    moved = X + OFFSET
    np.testing.assert_allclose(kernels.gaussian(moved, moved[:3], 80), kernels.gaussian(X, X[:3], 80), rtol=1e-12)
    assert kernels.median_width(moved) == pytest.approx(kernels.median_width(X), rel=1e-12)
    for C in (inf, 1e-4):
        end, plain = svm.fit(moved, LABELS, C), svm.fit(X, LABELS, C)
        assert end.converged
        np.testing.assert_allclose(end.w, plain.w, rtol=1e-9)
        np.testing.assert_allclose(end.alpha, plain.alpha, rtol=1e-9, atol=1e-9 * plain.alpha.max())


def test_an_offset_leaves_the_classes_separable():
    found = perceptron.certificate(X + OFFSET, LABELS)
    assert found.separable and (LABELS * ((X + OFFSET) @ found.w + found.b)).min() > 0


def test_a_constant_feature_changes_no_certificate():
    """0.1 is not a binary fraction: the mean of a column of them is not 0.1, and its deviation not 0."""
    plain = perceptron.certificate(X, LABELS)
    found = perceptron.certificate(np.column_stack([X, np.full(6, 0.1)]), LABELS)
    assert found.separable and found.margin > 0.5 * plain.margin


def test_an_offset_perceptron_ends():
    fit = perceptron.fit(X + OFFSET, LABELS, max_updates=100)
    assert fit.converged == bool((LABELS * ((X + OFFSET) @ fit.w + fit.b)).min() > 0)


# --- columns of zeros, and columns without penalty

EMPTY_COLUMN = np.column_stack([X, np.zeros(6)])


@pytest.mark.parametrize(
    "f", [f for name, f in PENALISED.items() if "per column" not in name]
)  # of which there are two
def test_a_column_of_zeros_has_weight_0_and_leaves_the_others(f):
    found, plain = f(EMPTY_COLUMN, TARGET, 400.0), f(X, TARGET, 400.0)
    assert (found[..., 2] == 0).all()
    np.testing.assert_allclose(found[..., :2], plain, rtol=1e-12)


@pytest.mark.parametrize("family, y", GLM.values(), ids=GLM)
def test_a_penalised_column_of_zeros_has_weight_0_in_a_glm(family, y):
    found = glm.fit(EMPTY_COLUMN, y, family, [1.0, 1.0, 1.0])
    assert found.converged and (found.w[2] == 0).all()
    np.testing.assert_allclose(found.w[:2], glm.fit(X, y, family, 1.0).w, rtol=1e-9)


@pytest.mark.parametrize("family, y", GLM.values(), ids=GLM)
@pytest.mark.parametrize("lam", [0.0, [1.0, 1.0, 0.0]], ids=["no penalty", "none on it"])
def test_a_free_column_of_zeros_is_an_error_in_a_glm(family, y, lam):
    with pytest.raises(np.linalg.LinAlgError, match=r"without penalty have rank [02].*lam > 0"):
        glm.fit(EMPTY_COLUMN, y, family, lam)


@EACH_CLASSIFIER
def test_a_column_of_zeros_has_weight_0_in_a_classifier(fit):
    (found, converged), (plain, _) = fit(EMPTY_COLUMN, 1.0), fit(X, 1.0)
    assert converged
    np.testing.assert_allclose(found, np.concatenate([plain, np.zeros_like(plain[:1])]), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("lam", [0.0, [0.0, 0.0], np.zeros(2)], ids=["0", "list", "array"])
def test_without_penalty_it_is_least_squares(lam):
    w = lr.least_squares(X, TARGET)
    np.testing.assert_allclose(reg.ridge(X, TARGET, lam), w, rtol=1e-12)
    np.testing.assert_allclose(reg.elastic_net(X, TARGET, lam, 0.5).w, w, rtol=1e-12)
    np.testing.assert_allclose(glm.fit(X, TARGET, glm.gaussian, lam).w, w, rtol=1e-9)


def test_dependent_columns_without_penalty_are_an_error():
    dependent = np.column_stack([X, X @ [1.0, -2.0]])
    with pytest.raises(np.linalg.LinAlgError, match="columns of X without penalty are dependent"):
        reg.ridge(dependent, TARGET, 0.0)
    with pytest.raises(np.linalg.LinAlgError, match="3 columns of X without penalty have rank 2"):
        glm.fit(dependent, COUNTS.good(), glm.poisson)
    with pytest.raises(np.linalg.LinAlgError, match="singular to rounding with lam = 0; give a larger lam"):
        reg.ridge_dual(dependent @ dependent.T, TARGET, 0.0)


# --- Fisher's discriminant: units, origins, columns that say nothing

PAIR, TRIPLE = CLASS_OF_PAIR.good().astype(int), CLASS_NUMBERS.good().astype(int)


@SCALES
def test_scaled_samples_scale_the_directions(c):
    (W, ratios), (found, same) = lda.directions(X, TRIPLE), lda.directions(c * X, TRIPLE)
    np.testing.assert_allclose(c * found, W, rtol=1e-9)
    np.testing.assert_allclose(same, ratios, rtol=1e-9)
    w = lda.direction(X, PAIR)
    np.testing.assert_allclose(c * lda.direction(c * X, PAIR), w, rtol=1e-9)
    np.testing.assert_allclose(c * lda.svd_direction(c * X, PAIR), w, rtol=1e-9)
    assert lda.threshold(w, c * X, PAIR) == pytest.approx(c * lda.threshold(w, X, PAIR), rel=1e-9, abs=0)
    k = lda.predict(W, lda.means(X, TRIPLE), X)
    assert (lda.predict(found, lda.means(c * X, TRIPLE), c * X) == k).all()


@SCALES
def test_scaled_samples_scale_the_discriminants(c):
    (W, b), (found, same) = lda.discriminants(X, TRIPLE), lda.discriminants(c * X, TRIPLE)
    np.testing.assert_allclose(c * found, W, rtol=1e-9)
    np.testing.assert_allclose(same, b, rtol=1e-9)


@pytest.mark.parametrize("units", [[1e-12, 1e12], [1e72, 1e-72], [1e-72, 1.0]], ids=str)
@pytest.mark.parametrize("more", [0, 1, 2], ids=["regular", "a column of 0.1", "and a dependent one"])
def test_mixed_units_leave_what_is_said_about_the_samples(units, more):
    """Also where S_w is singular: the ratios, and the class of each sample."""
    A = np.column_stack([X, np.full(6, 0.1), X @ [1.0, -2.0]])[:, : 2 + more]
    other = A * np.array([*units, 1.0, units[1]])[: 2 + more]
    (W, ratios), (found, same) = lda.directions(A, TRIPLE), lda.directions(other, TRIPLE)
    np.testing.assert_allclose(same, ratios, rtol=1e-9)
    np.testing.assert_allclose(same, lda.directions(X, TRIPLE)[1], rtol=1e-9)
    np.testing.assert_array_equal(
        lda.predict(found, lda.means(other, TRIPLE), other), lda.predict(W, lda.means(A, TRIPLE), A)
    )
    pair = [B @ lda.direction(B, PAIR) for B in (A, other)]
    np.testing.assert_allclose(np.diff(pair[1]), np.diff(pair[0]), rtol=1e-9)


def test_an_offset_leaves_the_directions():
    (W, ratios), (found, same) = lda.directions(X, TRIPLE), lda.directions(X + OFFSET, TRIPLE)
    np.testing.assert_allclose(found, W, rtol=1e-12)
    np.testing.assert_allclose(same, ratios, rtol=1e-12)
    w = lda.direction(X, PAIR)
    np.testing.assert_allclose(lda.direction(X + OFFSET, PAIR), w, rtol=1e-12)
    np.testing.assert_allclose(lda.svd_direction(X + OFFSET, PAIR), w, rtol=1e-12)
    assert lda.rayleigh_quotient(w, X + OFFSET, PAIR) == pytest.approx(lda.rayleigh_quotient(w, X, PAIR), rel=1e-6)
    for f in (lda.scatter_within, lda.scatter_between):
        np.testing.assert_allclose(f(X + OFFSET, TRIPLE), f(X, TRIPLE), rtol=1e-12)
    k = lda.predict(W, lda.means(X, TRIPLE), X)
    assert (lda.predict(found, lda.means(X + OFFSET, TRIPLE), X + OFFSET) == k).all()


@pytest.mark.parametrize("value", [0.0, 0.1, OFFSET])
def test_a_constant_feature_has_weight_0_in_a_direction_and_leaves_the_others(value):
    A = np.column_stack([X, np.full(6, value)])
    (W, ratios), (found, same) = lda.directions(X, TRIPLE), lda.directions(A, TRIPLE)
    np.testing.assert_allclose(found, np.vstack([W, np.zeros(2)]), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(same, ratios, rtol=1e-9)
    np.testing.assert_allclose(lda.direction(A, PAIR), [*lda.direction(X, PAIR), 0.0], rtol=1e-9, atol=1e-15)
    with pytest.raises(np.linalg.LinAlgError, match=r"S_w is singular.*`directions` and `predict` need no inverse"):
        lda.discriminants(A, TRIPLE)


@pytest.mark.parametrize("e", [1e-7, 1e-8, 1e-12, 1e-13], ids=str)
def test_two_classes_have_one_direction_even_where_their_means_are_close(e):
    """Their rounding makes the two rows of means look independent."""
    A = np.array([[0, 0], [2, 2], [1, 3], [e, 0], [2, 2 + e], [1, 3]])
    W, ratios = lda.directions(A, [0, 0, 0, 1, 1, 1])
    assert W.shape == (2, 1) and ratios.shape == (1,)
    with pytest.raises(ValueError, match="n_components is 2"):
        lda.directions(A, [0, 0, 0, 1, 1, 1], n_components=2)


@pytest.mark.parametrize("f", [lda.direction, lda.directions], ids=name_of)
def test_equal_means_leave_no_direction(f):
    """Up to rounding: 0.1 + 0.3 is not 0.2 + 0.2."""
    with pytest.raises(np.linalg.LinAlgError, match=r"all class means are equal.*no direction is better"):
        f([[0.1, 0.3], [0.3, 0.1], [0.1, 0.1], [0.3, 0.3]], [0, 0, 1, 1])
    with pytest.raises(np.linalg.LinAlgError, match="all class means are equal"):
        f(np.full((6, 2), 0.1), PAIR)


def test_a_direction_that_tells_no_samples_apart_is_an_error():
    with pytest.raises(ValueError, match=r"w·x is the same for all samples: J is 0/0; give a w"):
        lda.rayleigh_quotient(np.zeros(2), X, PAIR)
    with pytest.raises(ValueError, match=r"w·μ_0 = w·μ_1: no threshold .*`lda.direction` gives"):
        lda.prior_threshold(np.zeros(2), X, PAIR)


# --- naive Bayes: what only a fit can know


def test_odds_are_of_two_classes():
    with pytest.raises(ValueError, match="the model has 3 classes; the odds are of two: see log_joint, posterior"):
        naive_bayes.log_odds(OF_CATEGORIES, OF_3_VALUES.good())


@pytest.mark.parametrize("model", [OF_CATEGORIES, TWO_OF_CATEGORIES], ids=["3 classes", "categories"])
def test_the_linear_form_is_one_of_two_classes_of_bits(model):
    with pytest.raises(
        ValueError, match=r"theta has shape \(., 3, 3\); two classes of bits, \(2, d, 2\), are expected"
    ):
        naive_bayes.as_linear(model)


NEVER_AND_ALWAYS = naive_bayes.fit([[0, 1], [0, 1], [1, 0], [1, 0]], [1, 1, 0, 0], smoothing=0.0)


@pytest.mark.parametrize("f", [naive_bayes.posterior, naive_bayes.predict, naive_bayes.log_odds], ids=name_of)
def test_a_sample_that_no_class_can_give_is_an_error(f):
    """[0, 1] is sure, [1, 1] is 0/0; its logarithm is -inf in both classes."""
    f(NEVER_AND_ALWAYS, [[0, 1], [1, 0]])
    with pytest.raises(
        ValueError, match=r"sample in row 1 has probability 0 in every class.*0/0; fit with smoothing > 0"
    ):
        f(NEVER_AND_ALWAYS, [[0, 1], [1, 1]])
    assert np.isneginf(naive_bayes.log_joint(NEVER_AND_ALWAYS, [[1, 1]])).all()


def test_an_infinite_weight_is_an_error():
    with pytest.raises(ValueError, match=r"a probability of the model is 0: .* infinite; fit with smoothing > 0"):
        naive_bayes.as_linear(NEVER_AND_ALWAYS)


@pytest.mark.parametrize("counts", [[0, 0], [[1, 2], [0, 0]]])
def test_shares_of_nothing_are_an_error(counts):
    with pytest.raises(ValueError, match=r"counts are all 0: .* 0/0; give smoothing > 0"):
        naive_bayes.smoothed(counts, 0.0)
    assert (naive_bayes.smoothed(counts, 1e-300) >= 0).all()


@pytest.mark.parametrize("counts", [np.array([200, 250], "u1"), np.array([100, 120], "i1"), [2.0, 0.5]], ids=repr)
def test_counts_of_bytes_do_not_go_around(counts):
    n = [float(v) + 10 for v in counts]
    np.testing.assert_allclose(naive_bayes.smoothed(counts, 10), [n[0] / sum(n), n[1] / sum(n)], rtol=1e-14)


@pytest.mark.parametrize("smoothing", [1e-300, 1e-20, 1e15, 1e300])
def test_any_smoothing_leaves_shares(smoothing):
    model = naive_bayes.fit(BIT_SAMPLES.good(), BITS.good(), smoothing, smoothing)
    np.testing.assert_allclose(model.theta.sum(axis=2), 1, rtol=1e-12)
    assert np.isfinite(naive_bayes.posterior(model, BIT_SAMPLES.good())).all()


@pytest.mark.parametrize(
    "counts, smoothing", [([1.0, 2.0], 1e308), ([1e308, 1e308], 0.0), ([1e308, 1.0], 1.7e308)], ids=str
)
def test_counts_that_leave_float64_are_an_error_and_no_warning(counts, smoothing):
    with pytest.raises(ValueError, match="counts and smoothing must be finite numbers >= 0; check both"):
        naive_bayes.smoothed(counts, smoothing)


# --- honest endings

XOR = SimpleNamespace(X=np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), y=np.array([-1.0, 1, 1, -1]))


def test_too_long_a_step_is_named_as_the_reason():
    end = optimize.run(lr.gradient_iterates(X, TARGET, eta=100 * lr.largest_step(X)))
    assert not end.converged and "eta" in end.reason and "too long" in end.reason and np.isfinite(end.w).all()


def test_too_few_steps_are_named_as_the_reason():
    end = optimize.run(lr.gradient_iterates(X, TARGET, eta=0.1 * lr.largest_step(X)), max_iter=7)
    assert not end.converged and end.n_iter == 7 and re.search(r"max_iter = 7 .* > tol = 1e-08", end.reason)


def test_enough_steps_say_so():
    end = optimize.run(lr.gradient_iterates(X, TARGET, eta=lr.best_step(X)))
    assert end.converged and "<= 1e-08" in end.reason
    np.testing.assert_allclose(end.w, lr.least_squares(X, TARGET), rtol=1e-9)


def test_stochastic_descent_never_claims_to_have_converged():
    end = optimize.run(lr.stochastic_iterates(X, TARGET, eta=1e-6, rng=np.random.default_rng(0)), max_iter=9)
    assert not end.converged and "9 steps" in end.reason


def test_newton_without_a_way_down_says_so():
    end = optimize.run(optimize.newton(lambda w: w @ w, lambda w: 2 * w + 1, lambda w: 2 * np.eye(2), np.zeros(2)))
    assert not end.converged and "no step lowers the loss" in end.reason


def test_a_start_where_the_gradient_is_not_finite_is_an_error():
    with pytest.raises(FloatingPointError, match=r"not finite after 0 steps.*eta = 0.5"):
        optimize.run(optimize.gradient_descent(lambda w: w * nan, np.ones(2), eta=0.5))


@pytest.mark.parametrize("solve", [lr.least_squares, lr.normal_equations], ids=name_of)
def test_many_solutions_are_an_error_that_says_where_to_go(solve):
    dependent = np.column_stack([X, X @ [1.0, -2.0]])
    with pytest.raises(np.linalg.LinAlgError, match=r"rank 2 of 3.*minimum_norm.*null_space"):
        solve(dependent, TARGET)
    z, w = lr.null_space(dependent), lr.minimum_norm(dependent, TARGET)
    assert z.shape == (3, 1) and np.abs(dependent @ z).max() < 1e-9
    assert lr.loss(w + z[:, 0], dependent, TARGET) == pytest.approx(lr.loss(w, dependent, TARGET))


@pytest.mark.parametrize("step", [lr.largest_step, lr.best_step], ids=name_of)
def test_no_step_is_the_longest_for_samples_of_zeros(step):
    with pytest.raises(ValueError, match=r"X holds only zeros.*give samples"):
        step(np.zeros((3, 2)))


def test_a_perceptron_that_stops_early_points_to_the_certificate():
    primal = perceptron.fit(XOR.X, XOR.y, max_updates=50)
    dual = perceptron.fit_dual(kernels.gram(kernels.linear, XOR.X), XOR.y, max_updates=50)
    for end in (primal, dual):
        assert not end.converged and end.n_iter == 50 and re.search(r"50 updates.*certificate\(", end.reason)


AGAINST = {
    "XOR": (XOR.X, XOR.y),
    "XOR far off": (XOR.X + OFFSET, XOR.y),
    "one sample with both labels": (np.array([[1.0], [1.0]]), np.array([1.0, -1.0])),
    "one sample of 2 features with both labels": (np.array([[-1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0])),
    "one class between the other": (np.array([[0.0], [1.0], [2.0]]), np.array([1.0, -1.0, 1.0])),
}


@pytest.mark.parametrize("X, y", AGAINST.values(), ids=AGAINST)
def test_the_certificate_against_a_hyperplane_is_a_proof_by_one_product(X, y):
    a = perceptron.certificate(X, y).weights
    assert (a >= 0).all() and a.sum() == pytest.approx(1)
    assert np.abs(a @ (y[:, None] * design.augment(X))).max() < 1e-12 * np.abs(X).max()


def test_a_perceptron_that_ends_says_after_how_many_updates():
    fit = perceptron.fit(X, LABELS)
    assert fit.converged and f"after {fit.n_iter} updates" in fit.reason
    assert (LABELS * (X @ fit.w + fit.b)).min() > 0


@pytest.mark.parametrize("X, y", AGAINST.values(), ids=AGAINST)
def test_a_hard_margin_that_no_hyperplane_has_comes_with_its_proof(X, y):
    """In the space of the samples, and in that of the features of a kernel; a soft margin has an answer."""
    K = kernels.gram(kernels.linear, X - X.mean(axis=0))
    end, dual = svm.fit(X, y), svm.fit_dual(K, y)
    for found in (end, dual):
        assert not found.converged and found.gap == inf and re.search("no hyperplane separates.*C < inf", found.reason)
        a = found.certificate.weights
        assert not found.certificate.separable and (a >= 0).all() and a.sum() == pytest.approx(1)
        np.testing.assert_allclose(a @ y, 0, atol=1e-12)
        assert (a * y) @ K @ (a * y) <= 1e-12 * max(K.max(), 1)
        np.testing.assert_array_equal(found.alpha, a)
    assert (end.w == 0).all() and end.b == dual.b == 0
    for found in (svm.fit(X, y, 1.0), svm.fit_dual(K, y, 1.0)):
        assert found.converged and found.certificate is None and (found.alpha <= 1).all()


def test_one_sample_with_both_labels_costs_what_it_must():
    """w = 0; of y b >= 1 - ξ the two ask for ξ_1 + ξ_2 = 2, whatever b in [-1, 1]: α = (C, C)."""
    A, y = AGAINST["one sample with both labels"]
    for found in (svm.fit(A, y, 0.25), svm.fit_dual(A @ A.T, y, 0.25)):
        assert found.converged and abs(found.b) <= 1
        np.testing.assert_allclose(found.alpha, 0.25, rtol=1e-9)
    assert svm.fit(A, y, 0.25).w == pytest.approx(0, abs=1e-9)
    with pytest.raises(ValueError, match=r"C = inf .* samples 0 and 1, .* different labels .* a finite C"):
        list(svm.pairwise_iterates(A @ A.T, y))


@pytest.mark.parametrize("value", [0.0, 0.01, 1.0, 1e8])
def test_samples_at_one_place_with_both_labels_have_no_hard_margin(value):
    """K holds one number: Σ a_n y_n φ(x_n) = 0 for weights of 1/2 on each label. A soft margin costs C for each."""
    K, y = np.full((3, 3), value), np.array([-1.0, 1.0, -1.0])
    hard, soft = svm.fit_dual(K, y), svm.fit_dual(K, y, 0.5)
    assert not hard.converged and not hard.certificate.separable
    np.testing.assert_allclose([hard.alpha.sum(), hard.alpha @ y, hard.alpha[1]], [1, 0, 0.5], atol=1e-12)
    assert soft.converged
    np.testing.assert_allclose([soft.alpha[1], soft.alpha[0] + soft.alpha[2], soft.b], [0.5, 0.5, -1], rtol=1e-9)


@pytest.mark.parametrize("C", [1.0, 1e4, 1e8, 1e12, 1e100])
def test_a_cost_that_no_multiplier_reaches_is_a_hard_margin(C):
    """The largest α is 1e-4 here."""
    hard, K = svm.fit(X, LABELS), X @ X.T
    assert hard.converged and hard.alpha.max() < 2e-4
    end, dual = svm.fit(X, LABELS, C), svm.fit_dual(K, LABELS, C)
    for alpha in (end.alpha, dual.alpha):
        np.testing.assert_allclose(alpha, hard.alpha, rtol=1e-6, atol=1e-6 * hard.alpha.max())
    np.testing.assert_allclose([end.b, dual.b], hard.b, rtol=1e-9)
    assert end.converged and dual.converged


@pytest.mark.parametrize("fit", [svm.fit, svm.fit_dual], ids=name_of)
def test_a_support_vector_machine_says_how_near_it_is(fit):
    data = X if fit is svm.fit else X @ X.T
    end = fit(data, LABELS, 1.0)
    assert end.converged and re.search(r"duality gap .* beside an objective of .* after \d+ steps$", end.reason)
    assert 0 <= end.gap < 1e-9
    early = fit(data, np.array([1.0, -1, -1, -1, 1, 1]), 1.0, max_iter=1)
    assert not early.converged and re.search(r"above tol = 1e-09; (raise|take)", early.reason)
    assert early.gap > 0 and np.isfinite(early.alpha).all()


UNBOUNDED = {
    "feature_iterates": lambda eta: kernel_lms.feature_iterates(X, TARGET, eta),
    "stochastic_feature_iterates": lambda eta: kernel_lms.stochastic_feature_iterates(X, TARGET, eta),
    "beta_updates": lambda eta: kernel_lms.beta_updates(X @ X.T, TARGET, eta),
    "stochastic_beta_updates": lambda eta: kernel_lms.stochastic_beta_updates(X @ X.T, TARGET, eta),
    "beta_after": lambda eta: iter([kernel_lms.beta_after(X @ X.T, TARGET, eta, 10_000)]),
}


@pytest.mark.parametrize("sequence", UNBOUNDED.values(), ids=UNBOUNDED)
def test_too_long_a_step_of_kernel_lms_is_an_error_that_names_it(sequence):
    """Below 2/λ_max all of them stay bounded; one sample at a time, below 2/‖x‖² of each."""
    eta = kernel_lms.largest_step(X @ X.T)
    assert all(np.isfinite(leaf).all() for leaf in numbers_of(first(sequence(0.99 * eta))))
    with pytest.raises(FloatingPointError, match=r"eta = .* too long"):
        for _ in islice(sequence(100 * eta), 10_000):
            pass


SEPARABLE = {
    "bernoulli": (glm.bernoulli, (LABELS + 1) / 2),
    "categorical": (glm.categorical, np.array([0.0, 1, 0, 2, 0, 1])),
    "poisson": (glm.poisson, np.zeros(6)),
}


@pytest.mark.parametrize("family, y", SEPARABLE.values(), ids=SEPARABLE)
def test_a_glm_without_a_minimum_names_a_direction_along_which_the_loss_falls_for_ever(family, y):
    A = design.augment(X)
    end = glm.fit(A, y, family)
    assert not end.converged and re.search(
        r"no finite minimum: along `direction` .* stopped after \d+ steps?; .*lam > 0", end.reason
    )
    losses = np.array([glm.loss(tau * end.direction, A, y, family) for tau in (0.0, 1.0, 2.0, 4.0)])
    assert (np.diff(losses) < 0).all()  # from w = 0, not from end.w, where the loss is 0 up to rounding
    assert glm.fit(A, y, family, 1.0).converged


def test_a_glm_with_a_minimum_says_so():
    end = glm.fit(X, COUNTS.good(), glm.poisson)
    assert end.converged and end.direction is None and "changed no w·x by more than" in end.reason
    np.testing.assert_allclose(glm.gradient(end.w, X, COUNTS.good(), glm.poisson), 0, atol=1e-9)


def test_an_elastic_net_says_how_near_it_is():
    end = reg.elastic_net(X, TARGET, 400.0, 0.5)
    assert end.converged and re.search(r"duality gap .* after \d+ linear systems?", end.reason)
    assert 0 <= end.gap <= 1e-10 * reg.loss(end.w, X, TARGET, 400.0, 0.5)


TWICE_CONSTANT = np.column_stack([X, np.ones(6), np.ones(6)])
WIDE = np.hstack([X[:3], X[3:]])  # 3 samples of 4 features


@pytest.mark.parametrize("A, found", [(TWICE_CONSTANT, "4 .* rank 3"), (WIDE, "4 .* rank 3")], ids=["twice", "N < d"])
def test_dependent_columns_are_an_error_of_the_classifiers_that_need_a_unique_answer(A, found):
    """A penalty makes it unique; least squares take the shortest of their many answers."""
    t, T = MIXED[0][: len(A)], ONE_HOT.good()[: len(A)]
    for f in (logreg.fit, logreg.newton_iterates):
        with pytest.raises(np.linalg.LinAlgError, match=f"{found}.*lam > 0"):
            f(A, t)
    with pytest.raises(np.linalg.LinAlgError, match=f"{found}.*lam > 0"):
        smr.fit(A, T)
    ends = logreg.fit(A, t, 1.0), smr.fit(A, T, 1.0)
    assert ends[0].converged and np.abs(logreg.gradient(ends[0].w, A, t, 1.0)).max() < 1e-9
    assert ends[1].converged and np.abs(smr.gradient(ends[1].W, A, T, 1.0)).max() < 1e-9
    np.testing.assert_allclose(lsc.fit(A, T), np.linalg.pinv(A) @ T, atol=1e-12)


def test_two_constant_columns_share_their_weight():
    alone = logreg.fit(TWICE_CONSTANT[:, :3], MIXED[0], [1.0, 1.0, 0.5])
    both = logreg.fit(TWICE_CONSTANT, MIXED[0], 1.0)
    np.testing.assert_allclose(both.w, [*alone.w[:2], *2 * [alone.w[2] / 2]], rtol=1e-9)
    sparse = logreg.fit_l1(TWICE_CONSTANT, MIXED[0], 1.0)
    assert sparse.converged and logreg.l1_optimality(sparse.w, TWICE_CONSTANT, MIXED[0], 1.0) < 1e-9


def falls_for_ever(loss, direction):
    """From 0, where the loss is not all rounding."""
    return (np.diff([loss(tau * direction) for tau in (0.0, 1.0, 2.0, 4.0)]) < 0).all()


ONE_CLASS_ONLY = {"only 0": (np.zeros(6), r"only 0 was observed"), "only 1": (np.ones(6), r"only 1 was observed")}
NO_MINIMUM = ONE_CLASS_ONLY | {"separable": (SEPARABLE["bernoulli"][1], "the classes are separable")}


@pytest.mark.parametrize("t, why", NO_MINIMUM.values(), ids=NO_MINIMUM)
def test_logistic_regression_without_a_minimum_proves_it_by_a_direction(t, why):
    """No sample on the wrong side of `direction`, some on the right one: each loss falls, to the sum of ln 2 and 0."""
    A = design.augment(X)
    end = logreg.fit(A, t)
    assert not end.converged and why in end.reason and "lam > 0" in end.reason
    margins = (2 * t - 1) * (A @ end.direction)
    assert margins.min() >= 0 and margins.max() > 0
    assert falls_for_ever(lambda w: logreg.loss(w, A, t), end.direction)
    penalized = logreg.fit(A, t, 1.0)
    assert penalized.converged and penalized.direction is None


@pytest.mark.parametrize("t, lam", [
    (SEPARABLE["bernoulli"][1], 0.0),
    (SEPARABLE["bernoulli"][1], [0.0, 1.0, 0.0]),
    (np.ones(6), 0.0),
    (np.zeros(6), [1.0, 1.0, 0.0]),
], ids=["separable", "separable by a free column", "only 1", "only 0, with a free bias"])  # fmt: skip
def test_a_logistic_lasso_without_a_minimum_proves_it_by_a_direction(t, lam):
    """Along columns without penalty."""
    A, lam = design.augment(np.column_stack([LABELS + 0.25 * X[:, 1] / 110, X[:, 1]])), np.broadcast_to(lam, 3)
    end = logreg.fit_l1(A, t, lam)
    assert not end.converged and "along `direction` the loss falls forever" in end.reason
    assert (end.direction[lam > 0] == 0).all() and np.isfinite(end.w).all()
    assert falls_for_ever(lambda w: logreg.loss(w, A, t) + lam @ np.abs(w), end.direction)
    assert logreg.fit_l1(A, t, 1.0).converged


WITHOUT_A_MINIMUM = {
    "a class without samples": np.insert(MIXED[1], 1, 0.0, axis=1),
    "two classes without samples": np.insert(MIXED[1], [0, 3], 0.0, axis=1),
    "samples of one class only": np.eye(3)[np.ones(6, int)],
    "separable": design.one_hot(SEPARABLE["categorical"][1]),
    "two separable classes": design.one_hot(SEPARABLE["bernoulli"][1]),
}


@pytest.mark.parametrize("T", WITHOUT_A_MINIMUM.values(), ids=WITHOUT_A_MINIMUM)
def test_softmax_regression_without_a_minimum_proves_it_by_a_direction(T):
    """Along it no rival class gains on the class of any sample, and some rival loses."""
    A = design.augment(X)
    end = smr.fit(A, T)
    assert not end.converged and "no finite minimum: along `direction`" in end.reason and "lam > 0" in end.reason
    assert end.direction.shape == end.W.shape == (3, T.shape[1]) and np.isfinite(end.W).all()
    scores = A @ end.direction
    lead = np.sum(T * scores, axis=1, keepdims=True) - scores
    assert lead.min() >= -1e-12 * lead.max() and lead.max() > 0
    assert falls_for_ever(lambda W: smr.loss(W, A, T), end.direction)
    penalized = smr.fit(A, T, 1.0)
    assert penalized.converged and penalized.direction is None


def test_a_class_without_samples_does_not_change_the_posteriors_of_the_others():
    """Its own go to 0; least squares give it the output 0 everywhere."""
    A, T = design.augment(X), np.insert(MIXED[1], 1, 0.0, axis=1)
    W = lsc.fit(A, T)
    np.testing.assert_allclose(W[:, [0, 2, 3]], lsc.fit(A, MIXED[1]), rtol=1e-12)
    assert (W[:, 1] == 0).all()


@pytest.mark.parametrize(
    "iterates, labels",
    [(logreg.gradient_iterates, MIXED[0]), (smr.gradient_iterates, MIXED[1])],
    ids=["logistic", "softmax"],
)
def test_too_long_a_step_of_a_classifier_is_named_as_the_reason(iterates, labels):
    """Without a penalty the gradient is bounded: nothing overflows, nothing comes to rest. With one, w overflows."""
    end = optimize.run(iterates(X, labels, eta=1.0), max_iter=200)
    assert not end.converged and "max_iter = 200" in end.reason and np.isfinite(end.w).all()
    end = optimize.run(iterates(X, labels, 5.0, eta=1.0))
    assert not end.converged and "eta" in end.reason and "too long" in end.reason and np.isfinite(end.w).all()


@pytest.mark.parametrize("step", [logreg.largest_step, smr.largest_step], ids=["logistic", "softmax"])
def test_no_step_is_the_longest_for_samples_of_zeros_without_penalty(step):
    with pytest.raises(ValueError, match=r"X holds only zeros.*give samples"):
        step(np.zeros((3, 2)))
    assert step(np.zeros((3, 2)), 4.0) == 0.5

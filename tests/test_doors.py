"""Doors against bad inputs: what every public function that checks its arguments says about bad ones, that odd but
sound ones (integers, lists, frames, views) give the answer of plain float64 arrays, and in which words a loop ends.

A new door is one line in DOORS: the function and a kind for each of its parameters. A new kind is a good value and a
table of bad ones, one for each word of the line above the function: what a word refuses is in test_guards.py.
`test_every_door_is_listed` finds, in the source, the doors that are missing here.
"""

import dataclasses
import inspect
import pickle
import re
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from cases import slow

import linmodels
from linmodels import datasets, design, glm, kernel_lms, kernels, lda, naive_bayes, optimize, perceptron, svm
from linmodels import least_squares_classifier as lsc
from linmodels import linear_regression as lr
from linmodels import logistic_regression as logreg
from linmodels import regularization as reg
from linmodels import softmax_regression as smr
from linmodels.guards import shapes

REFUSALS = (ValueError, TypeError, np.linalg.LinAlgError)
nan, inf = np.nan, np.inf

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

    def refusing(self, bad: dict[str, Bad]) -> "Kind":
        return dataclasses.replace(self, bad=self.bad | bad)

    def allowing(self, *names: str) -> "Kind":
        return dataclasses.replace(self, bad={name: b for name, b in self.bad.items() if name not in names})


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


def frame(a: np.ndarray) -> Any:
    """With labels of rows that are not their positions, nor those of other arrays."""
    index = np.random.default_rng(int(64 * np.abs(a).sum())).permutation(len(a))
    return (pd.DataFrame if a.ndim == 2 else pd.Series)(a, index=index)


def forms(a: np.ndarray) -> dict[str, Any]:
    """The same numbers in other clothes."""
    cast = {dtype: a.astype(dtype) for dtype in ("i1", "i8", "f4", "g", ">f8", "O")}
    return {"pandas": frame(a)} | {dtype: b for dtype, b in cast.items() if np.array_equal(a, b.astype(float))} | {
        "list": a.tolist(),
        "Fractions": np.vectorize(Fraction, otypes="O")(a),
        "Fortran order": np.asfortranarray(a),
        "non-contiguous": every_second(a),
        "read-only": read_only(a),
        "nothing masked": np.ma.array(a),
    }  # fmt: skip


def array(good: np.ndarray, bad: dict[str, Bad] | None = None, scales: bool = False) -> Kind:
    return Kind(good.copy, not_real_numbers(good) | (bad or {}), forms(good), scales)


def paired(good: np.ndarray, bad: dict[str, Bad] | None = None, scales: bool = False) -> Kind:
    """One entry or row for each sample."""
    lengths = {
        "too short": Bad(good[:-1], str(len(good) - 1)),
        "too long": Bad(np.append(good, good[-1:], axis=0), str(len(good) + 1)),
    }
    return array(good, lengths | (bad or {}), scales)


def not_real_numbers(a: np.ndarray) -> dict[str, Bad]:
    """What no array of numbers may be or hold; the place of a single bad entry is the second last one."""
    at: tuple[int, ...] = (len(a) - 2, a.shape[1] - 1) if a.ndim == 2 else (len(a) - 2,)
    where = "row {}, column {}".format(*at) if a.ndim == 2 else f"position {at[0]}"
    return {
        "nan": Bad(put(a, at, nan), f"nan at {where}"),
        "text": Bad(a.astype(str), "text"),
        "None inside": Bad(put(a, at, None, object), f"None at {where}"),
        "None": Bad(None, "None"),
        "masked": Bad(np.ma.masked_equal(a, a[at]), "masked"),
        "one dimension more": Bad(a[..., None], re.escape(str(a[..., None].shape))),
        "one dimension less": Bad(a[..., 0] if a.ndim == 2 else a[0], re.escape(str(a.shape[:-1]))),
        "no rows": Bad(a[:0], re.escape(str(a[:0].shape))),
    }


NO_COLUMNS = {"no columns": Bad(X[:, :0], r"\(6, 0\)")}
NO_ROWS = {"no rows": Bad([], "0")}

SAMPLES = array(X, NO_COLUMNS, scales=True)
OTHER_SAMPLES = array(X[:3], {"other features": Bad(X[:3, :1], "2.*1|1.*2")}, scales=True)
OTHER_SAMPLES_ALONE = OTHER_SAMPLES.allowing("other features")
PAIRS_OF_SAMPLES = SAMPLES.refusing({"one": Bad(X[:1], "1 row"), "equal": Bad(np.ones((6, 2)), "equal")})
NUMBERS = array(TARGET, scales=True)
REGRESSION = paired(TARGET, scales=True)
MARGIN = paired(LABELS, {"coded 0, 1": Bad((LABELS + 1) / 2, r"\[0. 1.\].*signs"), "only +1": Bad(np.ones(6), r"\+1")})
RADII = array(np.array([1.0, 3.0, 2.0]), {"zero": Bad([1.0, 0.0, 2.0], "0")})
TARGETS_OF_K = REGRESSION.refusing(NO_ROWS)
COUNTS = paired(np.array([3.0, 0, 20, 1, 9, 4]), {"a fraction": Bad([3, 0, 20, 1, 9.5, 4], r"9\.5 at position 4")})
ABOVE_ZERO = paired(np.array([3.0, 7, 20, 1, 9, 4]), {"zero": Bad([3, 7, 20, 0, 9, 4], "0 at position 3")})


def inner_products(name: str) -> Kind:
    return array(GRAM, NO_COLUMNS | {
        "not square": Bad(X, r"\(6, 2\)"),
        "not symmetric": Bad(put(GRAM, (0, 1), 7), rf"{name}\[0, 1\] = 7.*{name}\[1, 0\] = 2"),
        "of other samples": Bad(GRAM[:5, :5], "5"),
    }, scales=True)  # fmt: skip


INNER_PRODUCTS, KERNEL_VALUES = inner_products("G"), inner_products("K")
KERNEL_MATRIX = KERNEL_VALUES.allowing("of other samples")
SYMMETRIC_OR_NOT = KERNEL_MATRIX.allowing("not symmetric")
NO_KERNEL = {"a negative square": Bad(put(GRAM, (2, 2), -1), "semidefinite.*-1")}
SEMIDEFINITE, PAIRED_SEMIDEFINITE = KERNEL_MATRIX.refusing(NO_KERNEL), KERNEL_VALUES.refusing(NO_KERNEL)
UNLIKE = GRAM + np.diag([0, 3, 1, 2, 7, 5])  # no two pairs gain alike: else rounding, in another order, picks one
UNTIED = dataclasses.replace(PAIRED_SEMIDEFINITE, good=UNLIKE.copy, odd=forms(UNLIKE))
NOT_ZERO = SEMIDEFINITE.refusing({"only zeros": Bad(0 * GRAM, "only zeros")})
WITH_LENGTHS = KERNEL_MATRIX.refusing({
    "a sample at 0": Bad(put(GRAM, (2, 2), 0), r"K\[2, 2\] = 0"),
    "a negative square": Bad(put(GRAM, (3, 3), -1), r"K\[3, 3\] = -1"),
})  # fmt: skip
ANY_WEIGHTS = array(np.array([1.0, -2.0])).allowing("one dimension more", "one dimension less")
NEEDED_WEIGHTS = array(np.array([1.0, -2.0]), NO_ROWS | {"other columns": Bad([1.0, 2.0, 3.0], "3")})
WEIGHTS = NEEDED_WEIGHTS.allowing("None")
FEW = np.array([1.0, -2.0]) / 64  # so that exp(w·x) stays near 1
SMALL_WEIGHTS = dataclasses.replace(WEIGHTS, good=FEW.copy, odd=forms(FEW))
WEIGHTS_OF_3_CLASSES = array(np.array([FEW, FEW[::-1]]), {
    "of 2 classes": Bad([[1.0], [2.0]], r"\(2, 1\)"),
    "other columns": Bad(np.ones((3, 2)), r"\(3, 2\)"),
}).allowing("None")  # fmt: skip
COLUMN_PER_CLASS = array(np.array([[1.0, -2.0, 3.0], [0.0, 1.0, -1.0]]) / 64, {
    "a column less": Bad([[1.0, -1.0], [2.0, -2.0]], r"\(2, 2\)"),
    "transposed": Bad(np.ones((3, 2)), r"\(3, 2\)"),
}).allowing("None")  # fmt: skip
BITS = array((LABELS + 1) / 2, {"coded -1, +1": Bad(LABELS, "-1")})
THREE_CLASSES = [0, 2, 1, 1, 0, 2]
BOTH_BITS = BITS.refusing({
    "only 0": Bad(np.zeros(6), "only 0"),
    "three classes": Bad(THREE_CLASSES, r"\[0. 1. 2.\]"),
})  # fmt: skip
PAIRED_BITS = paired(BITS.good(), {
    "coded -1, +1": Bad(LABELS, "-1"),
    "three classes": Bad(THREE_CLASSES, r"\[0. 1. 2.\].*softmax"),
})  # fmt: skip
CLASS_NUMBERS = array(np.array(THREE_CLASSES, float), {
    "too short": Bad([0, 2, 1, 1, 0], "5"),
    "a class without samples": Bad([0, 2, 2, 0, 0, 2], r"\[0. 2.\].*unique"),
})  # fmt: skip
ONE_HOT = paired(np.eye(3)[THREE_CLASSES], {
    "class numbers": Bad(THREE_CLASSES, r"\(6,\).*one_hot"),
    "two classes at once": Bad(put(np.eye(3)[THREE_CLASSES], (3, 2), 1), r"\[0. 1. 1.\] in row 3.*one_hot"),
})  # fmt: skip
CLASSES = array(np.array([0.0, 2.0, 1.0, 1.0]), {
    "negative": Bad([0, -1, 1], "-1"),
    "halves": Bad([0, 0.5, 1], r"0\.5"),
    "not below K": Bad([0, 3, 1], "3"),
    "an identifier": Bad([0, 10**15, 1], r"1e\+15"),
})  # fmt: skip
CLASS_OF_EACH = CLASS_NUMBERS.refusing({
    "too long": Bad([0, 2, 1, 1, 0, 2, 2], "7"),
    "coded -1, +1": Bad(LABELS, r"\[-1.  1.\].*unique"),
    "a column": Bad([[0], [2], [1], [1], [0], [2]], r"\(6, 1\).*ravel"),
})  # fmt: skip
CLASS_OF_PAIR = dataclasses.replace(BITS, bad=CLASS_OF_EACH.bad | {
    "three classes": Bad(THREE_CLASSES, r"\[0. 1. 2.\].*np.less\(t, 2\)"),
    "only 0": Bad(np.zeros(6), "only 0"),
})  # fmt: skip
BIT_SAMPLES = array(np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]]), {
    "counts": Bad([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 3], [1, 0, 0], [0, 1, 0]], "3 at row 3, column 2.*n_values"),
    "negative": Bad(np.array([[1, 0, 1], [0, -1, 1]] * 3), "-1 at row 1, column 1"),
    "posteriors": Bad(np.full((6, 3), 0.5), r"0\.5 at row 0, column 0"),
})  # fmt: skip
OF_3_VALUES = array(np.array([[2.0, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]]), {
    "a value too large": Bad(np.array([[0, 0, 1], [0, 1, 1], [2, 2, 0]] * 2), r"2 at row 2, column 1.*0\.\.1"),
    "a value too large, of bytes": Bad(np.array([[3, 0, 1], [0, 1, 1]] * 3, "u1"), r"3 at row 0, column 0.*0\.\.2"),
    "negative": Bad(np.array([[0, 0, 1], [0, 1, -1]] * 3), r"-1 at row 1, column 2"),
    "halves": Bad(np.array([[0.5, 0, 1], [0, 1, 1]] * 3), r"0\.5 at row 0, column 0"),
    "beyond int32": Bad(np.array([[0, 0, 2**32], [0, 1, 1]] * 3), r"4\.29\d*e\+09 at row 0, column 2"),
})  # fmt: skip
KNOWN_CLASSES = paired(np.array([0.0, 0, 1, 1, 0, 0]), {
    "an unknown one": Bad(THREE_CLASSES, r"\[0. 1. 2.\]"),
    "negative": Bad(LABELS, r"\[-1.  1.\]"),
    "halves": Bad([0, 0.5, 1, 1, 0, 0], r"0\.5"),
})  # fmt: skip
OTHER_WIDTH = {"a feature less": Bad(np.zeros((6, 2)), "2 features; 3"),
               "a feature more": Bad(np.zeros((6, 4)), "4 features; 3")}  # fmt: skip
BITS_OF_MODEL, CATEGORIES_OF_MODEL = BIT_SAMPLES.refusing(OTHER_WIDTH), OF_3_VALUES.refusing(OTHER_WIDTH)
N_VALUES = array(np.array([3.0, 2, 2]), {
    "zero": Bad([3, 0, 2], "0"),
    "halves": Bad([3, 2.5, 2], r"2\.5"),
    "too few": Bad([3, 2], r"\(2,\)"),
    "too many": Bad([3, 2, 2, 2], r"\(4,\)"),
    "a number of zero": Bad(0, r"\[0.\]"),
    "a billion": Bad(10**9, r"1\.?e\+09"),
}).allowing("None", "one dimension less")  # fmt: skip
PROBABILITIES = array(np.array([0.5, 0.0, 1.0]), {"above 1": Bad([0.5, 1.5, 1.0], r"1\.5")})
OTHER_PROBABILITIES = PROBABILITIES.refusing({"too few": Bad([0.5, 0.5], r"\(2,\)")})


def penalty(d: int) -> Kind:
    """One number, or one for each of d columns."""
    each = np.full(d, 0.5)
    return Kind(lambda: 0.5, {
        "negative": Bad(-0.5, r"-0\.5"),
            "nan inside": Bad(put(each, 1, nan), "nan at position 1"),
        "None": Bad(None, "None"),
        "too few": Bad(each[1:], str(d - 1)),
        "a column": Bad(each[:, None], rf"\({d}, 1\)"),
    }, {"Fraction": Fraction(1, 2), "0-d array": np.array(0.5), "float32": np.float32(0.5), "an entry each": each,
        "a view": every_second(each), "a frame": frame(each), "Fractions": [Fraction(1, 2)] * d})  # fmt: skip


PENALTY, PENALTY_OF_2 = penalty(3), penalty(2)
PENALTIES = array(np.array([4.0, 0.0, 1.0]), {"negative": Bad([4.0, 0.0, -1.0], "-1"), "a number": Bad(2.0, r"\(\)")})


def number(good: float, bad: dict[str, Bad]) -> Kind:
    odd = {"Fraction": Fraction(good), "float32": np.float32(good), "0-d array": np.array(good)}
    return Kind(lambda: good, NOT_A_NUMBER | bad, odd)


NOT_A_NUMBER = {"nan": Bad(nan, "nan"), "-inf": Bad(-inf, "-inf"), "text": Bad("0.5", "'0.5'"),
                "None": Bad(None, "None"), "list": Bad([0.5], r"\[0.5\]")}  # fmt: skip
NEGATIVE = {"negative": Bad(-0.5, r"-0\.5")}
NOT_POSITIVE = {"zero": Bad(0.0, "0")} | NEGATIVE
STEP, BOX, TOLERANCE = number(0.5, NOT_POSITIVE), number(0.5, NOT_POSITIVE), number(2.0**-30, NOT_POSITIVE)
NOT_NEGATIVE = number(0.5, NEGATIVE)
SHARE = number(0.5, NEGATIVE | {"above 1": Bad(1.5, r"1\.5")})
POSITIVE_SHARE = SHARE.refusing({"zero": Bad(0.0, "0")})
HARD = Kind(lambda: inf, {}, {"float32": np.float32(inf), "longdouble": np.longdouble(inf), "0-d array": np.array(inf)})


def count(good: int, bad: dict[str, Bad]) -> Kind:
    not_whole = {"negative": Bad(-1, "-1"), "a float": Bad(3.0, r"3\.0"), "None": Bad(None, "None")}
    return Kind(lambda: good, not_whole | bad, {"i1": np.int8(good), "i8": np.int64(good), "u2": np.uint16(good)})


ZERO, ONE = {"zero": Bad(0, "0")}, {"one": Bad(1, "1")}
COUNT, COUNT_OR_0, HUNDRED = count(3, ZERO), count(3, {}), count(100, ZERO)
COUNT_OR_NONE = COUNT.allowing("None")
PAIR_OR_MORE, FOLDS = count(20, ONE), count(3, ONE | {"more than samples": Bad(21, "21")})
NO_MORE_THAN_2 = count(2, {"more than there are": Bad(3, "3.*3 classes.*2 features.*rank 2")}).allowing("None")
ORDER = Kind(lambda: [5, 0, 4, 1, 3, 2, 2], {
    "leaves one out": Bad([0, 1, 2, 4, 5, 5], "3"),
    "too large": Bad([0, 1, 2, 3, 4, 6], "6"),
}, {dtype: np.array([5, 0, 4, 1, 3, 2, 2], dtype) for dtype in ("i1", "u8", ">i4")}
    | {"tuple": (5, 0, 4, 1, 3, 2, 2), "read-only": read_only(np.array([5, 0, 4, 1, 3, 2, 2]))})  # fmt: skip
START = Kind(lambda: ([0.5, -0.25], 0.5), {
    "no pair": Bad(3.0, r"3\.0", "start"),
    "other features": Bad(([0.5], 0.0), "1", "w0"),
    "nan b0": Bad(([0.5, 0.5], nan), "nan", "b0"),
}, {"arrays": (np.array([0.5, -0.25]), np.array(0.5)), "float32": (np.array([0.5, -0.25], "f4"), np.float32(0.5)),
    "read-only": (read_only(np.array([0.5, -0.25])), 0.5)})  # fmt: skip
GENERATOR = Kind(lambda: np.random.default_rng(0), {"a seed": Bad(0, "0.*default_rng")})
NO_FAMILY = {
    "its name": Bad("poisson", "'poisson'"),
    "None": Bad(None, "None"),
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
    door(optimize.trajectory, iterates=ITERATES.allowing("none"), steps=COUNT_OR_0),
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
    door(lda.directions, **X_CLASSES, n_components=NO_MORE_THAN_2),
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
    door(svm.canonical, w=given(np.array([1.0, 0.0])), b=given(0.5), X=given(X), y=given(LABELS)),
    *(door(svm.pairwise_iterates, K=UNTIED, y=MARGIN, C=C) for C in (BOX, HARD)),
    door(kernel_lms.feature_iterates, Phi=SAMPLES, y=REGRESSION, eta=STEP),
    door(kernel_lms.stochastic_feature_iterates, Phi=SAMPLES, y=REGRESSION, eta=STEP, order=ORDER),
    door(kernel_lms.beta_updates, K=KERNEL_VALUES, y=REGRESSION, eta=STEP),
    door(kernel_lms.stochastic_beta_updates, K=KERNEL_VALUES, y=REGRESSION, eta=STEP, order=ORDER),
    door(kernel_lms.beta_after, K=KERNEL_VALUES, y=REGRESSION, eta=STEP, steps=COUNT_OR_0),
    door(kernel_lms.largest_step, K=NOT_ZERO),
]  # fmt: skip

by_door = pytest.mark.parametrize("door", DOORS, ids=[d.id for d in DOORS])


def inputs(door: Door, table: str) -> Iterator[tuple[str, str, Any]]:
    """Each argument of a door with each entry of its table, "bad" or "odd"."""
    for argument, kind in door.kinds.items():
        for label, entry in getattr(kind, table).items():
            yield argument, label, entry


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


def assert_same(found: list[Any], expected: list[Any], which: str) -> None:
    """Up to rounding, which depends on the layout in memory: the sums of BLAS run in another order."""
    for a, b in zip(found, expected, strict=True):
        if isinstance(b, str):
            assert words(a) == words(b), which
            continue
        if b is None or isinstance(b, bool):
            assert a == b, which
            continue
        assert np.asarray(a).dtype == np.asarray(b).dtype, which
        zero = 1e-12 * TARGET @ TARGET if np.ndim(b) == 0 else 0.0  # a gap of 0, at a loss near y·y
        if not np.array_equal(a, b):
            np.testing.assert_allclose(a, b, 1e-12, max(1e-12 * np.abs(b).max(initial=0), zero), err_msg=which)


# --- every door is listed


def public_functions() -> Iterator[tuple[str, Callable]]:
    """Of the modules that hold equations; and of datasets."""
    for path in sorted(Path(linmodels.__file__).parent.glob("[!_]*.py")):
        module = import_module(f"linmodels.{path.stem}") if path.stem not in ("plotting", "pictures", "page") else None
        for name, f in vars(module).items() if module else ():
            if inspect.isfunction(f) and f.__module__ == module.__name__ and not name.startswith("_"):
                yield f"{path.stem}.{name}", f


def is_door(name: str, f: Callable) -> bool:
    """fit*, *updates, *iterates, what calls checks.*, and what asks for more than an array or a number."""
    words = {str(p.annotation).removesuffix(" or None") for p in inspect.signature(f).parameters.values()}
    asks = words & (shapes.PHRASES.keys() - {"bound", "whole"}) or any(
        re.match("number (?!or|signs)", w) for w in words
    )
    by_name = re.search(r"\.fit|[._]updates$|[._]iterates$", name)
    return bool(asks or by_name or "checks." in inspect.getsource(f))


def test_every_door_is_listed():
    found = {name for name, f in public_functions() if is_door(name, f)}
    assert found > {"perceptron.fit", "optimize.gradient_descent", "design.one_hot", "regularization.ridge"}
    missing = found - {d.name for d in DOORS}
    assert not missing, (
        f"{missing} looks at its arguments (by name, or by a word of @takes that is no shape) and is in no table: add "
        "a line to DOORS in tests/test_doors.py, the function and a kind for each of its parameters"
    )


def test_every_parameter_of_a_door_is_listed():
    for d in DOORS:
        assert set(d.kinds) == set(inspect.signature(d.call).parameters), d.name


# --- what every door does


@by_door
def test_bad_inputs_are_refused_in_words(door):
    """By ValueError, TypeError or LinAlgError at the call (not at the first state of an iterator), naming the
    argument, what was found, and what is expected."""
    wrong = {f"{a}, {label}": why for a, label, entry in inputs(door, "bad") if (why := complaint(door, a, entry))}
    assert not wrong, wrong


def complaint(door: Door, argument: str, entry: Bad) -> str:
    """What is wrong with the refusal of a bad value; nothing is ""."""
    try:
        result = door.call(**door.arguments(**{argument: entry.value}))
        if door.lazy:
            first(result)
    except REFUSALS as refusal:
        message = str(refusal)
    except Exception as error:
        return f"another error: {error!r}"
    else:
        return "it is not refused"
    asked = {
        "the argument is not named": rf"\b{entry.name or argument}\b",
        "what was found is not said": entry.found,
        "what is expected is not said": "expected|must|needs|give|drop|replace|compare|converts",
        "the message prints the data": r"\A.{,299}\Z",
        "the message has a hole": r"\A(?!.* ;)(?!.*\bposition\b(?! \d))",
    }
    return ", ".join(f"{why}: {message}" for why, asks in asked.items() if not re.search(f"(?s){asks}", message))


def in_other_forms(door: Door, start: int, n: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """n calls with every argument in another form: first in frames of pandas, whose labels say nothing."""
    for k in [0, *range(start, start + n - 1)]:
        odd = {a: [*kind.odd.items()][k % len(kind.odd)] for a, kind in door.kinds.items() if kind.odd}
        yield ", ".join(f"{a}: {label}" for a, (label, _) in odd.items()), {a: entry for a, (_, entry) in odd.items()}


@by_door
@pytest.mark.parametrize("n", [2, *slow([16])])
def test_odd_forms_give_the_answer_of_the_plain_one(door, n):
    """In float64, and nothing is changed."""
    plain = outcome(door)
    for which, changed in in_other_forms(door, DOORS.index(door), n):
        before = pickle.dumps(changed)
        assert_same(outcome(door, **changed), plain, which)
        assert pickle.dumps(changed) == before, which


@by_door
def test_a_result_shares_no_memory_with_the_arguments(door):
    """So the reader may change it."""
    arguments = door.arguments()
    given = [a for a in arguments.values() if not isinstance(a, glm.Family)]
    arrays = [a for a in leaves(given) if isinstance(a, np.ndarray)]
    found = [leaf for leaf in leaves(first(door.call(**arguments))) if isinstance(leaf, np.ndarray)]
    assert not any(np.shares_memory(leaf, a) for leaf in found for a in arrays)


def test_a_fit_that_needs_no_update_gives_a_copy_of_its_start():
    w0 = np.array([1.0, 0.0])
    fit = perceptron.fit([[1.0, 0.0], [-1.0, 0.0]], [1.0, -1.0], start=(w0, 0.0))
    assert fit.n_iter == 0 and not np.shares_memory(fit.w, w0)


SCALED_DOORS = [d for d in DOORS if any(kind.scales for kind in d.kinds.values())]


@pytest.mark.parametrize("door", SCALED_DOORS, ids=[d.id for d in SCALED_DOORS])
@pytest.mark.parametrize("exponents", [(100, -100), *slow([((200, -200, 72, -72),)])], ids=str)
def test_scaled_data_give_finite_numbers_or_an_error(door, exponents):
    """Far beyond what float64 can square: the right answer or words, never NaN, never a warning beside it."""
    good = {name: kind.good() for name, kind in door.kinds.items() if kind.scales}
    names = [[name] for name in good] + [list(good)] * (len(good) > 1)
    for some in ({name: 10.0**k * good[name] for name in scaled} for k in exponents for scaled in names):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                found = outcome(door, **some)
            except (*REFUSALS, FloatingPointError):
                continue
        assert all(np.isfinite(a).all() for a in numbers_of(found)), f"nan or inf with {some}"
        assert not warned, f"a right answer with a warning: {warned[0].message} ({some})"


# --- units, origins, columns that say nothing: the law of each door

OFFSET = 1e8
PAIR, TRIPLE = CLASS_OF_PAIR.good().astype(int), CLASS_NUMBERS.good().astype(int)
MIXED = np.array([1.0, 1, 1, 0, 0, 1]), design.one_hot([0, 0, 1, 1, 2, 2])  # t and T that X cannot separate
GLM = {  # family and targets that have a minimum without a penalty
    "gaussian": (glm.gaussian, TARGET),
    "bernoulli": (glm.bernoulli, MIXED[0]),
    "poisson": (glm.poisson, COUNTS.good()),
    "categorical": (glm.categorical, np.array([0.0, 0, 1, 1, 0, 2])),
}
PENALIZED = {  # in the units of X², y in those of X: the same weights
    "ridge": reg.ridge,
    "ridge_normal_equations": reg.ridge_normal_equations,
    "ridge_path": lambda X, y, lam: reg.ridge_path(X, y, [lam, 9 * lam]),
    "lasso": lambda X, y, lam: reg.lasso(X, y, lam).w,
    "elastic_net_path": lambda X, y, lam: reg.elastic_net_path(X, y, [lam, 9 * lam], 0.25),
    "lasso_path": lambda X, y, lam: reg.interpolate(reg.lasso_path(X, y), lam),
}
DEPENDENT = np.column_stack([X, X @ [1.0, -2.0]])

TWICE_CONSTANT = np.column_stack([X, np.ones(6), np.ones(6)])


def constant(value: float) -> np.ndarray:
    """X and a feature of one value; 0.1 is not a binary fraction, the mean of its column is not 0.1."""
    return np.column_stack([X, np.full(6, value)])


def ended(end: Any) -> Any:
    assert end.converged
    return end


SCALED: dict[str, Callable] = (
    {  # the answer for samples in units of 1/c, in which c does not occur
        "lda.svd_direction": lambda c: c * lda.svd_direction(c * X, PAIR),
        "largest_step": lambda c: lr.largest_step(c * X) * c * c,
        "best_step": lambda c: lr.best_step(c * X) * c * c,
        "largest_step, logistic": lambda c: logreg.largest_step(c * X) * c * c,
        "largest_step, softmax": lambda c: smr.largest_step(c * X) * c * c,
        "logistic with λ|w|": lambda c: ended(logreg.fit_l1(c * X, MIXED[0], c)).w * c,
        "lasso_path, its λ": lambda c: reg.lasso_path(c * X, c * TARGET).lams / c / c,
        "smallest_zero_lam": lambda c: reg.smallest_zero_lam(c * X, c * TARGET) / c / c,
        "gaussian_basis": lambda c: design.gaussian_basis(c * X, c * X[:3], 80 * c),
        "median_width": lambda c: kernels.median_width(c * X) / c,
    }
    | {f"penalized: {name}": lambda c, f=f: f(c * X, c * TARGET, c * c * 400.0) for name, f in PENALIZED.items()}
)
UP_TO_ROUNDING = {  # where an entry may be 0
    "center": lambda c: np.abs(kernels.center(c * GRAM)) / c,
    "mercer_features": lambda c: np.abs(kernels.mercer_features(c * GRAM)) / np.sqrt(c),
    "normalize": lambda c: kernels.normalize(c * GRAM),
}


@pytest.mark.parametrize("law", SCALED | UP_TO_ROUNDING)
def test_scaled_samples_give_the_scaled_answer(law):
    f = (SCALED | UP_TO_ROUNDING)[law]
    plain = np.asarray(f(1.0))
    atol = 1e-9 * np.abs(plain).max() * (law in UP_TO_ROUNDING)
    for c in (1e72, 1e36, 1e-36, 1e-72):
        np.testing.assert_allclose(f(c), plain, rtol=1e-9, atol=atol, err_msg=f"c = {c}")


@pytest.mark.parametrize("C", [inf, 1e-4], ids=["hard", "soft"])
@pytest.mark.parametrize("c", [1e72, 1.0, 1e-72, *slow([1e36, 1e-36])])
def test_the_dual_machine_of_scaled_samples_has_the_plane_of_the_primal_one(c, C):
    plain = ended(svm.fit(X, LABELS, C))
    dual = ended(svm.fit_dual(kernels.gram(kernels.linear, c * X), LABELS, C / c / c))
    np.testing.assert_allclose(c * dual.alpha * c, plain.alpha, rtol=1e-6, atol=1e-6 * plain.alpha.max())
    np.testing.assert_allclose([svm.fit(c * X, LABELS, C / c / c).b, dual.b], plain.b, rtol=1e-6)


MOVED: dict[str, tuple[float, Callable]] = {  # the answer for samples far from 0, to so many digits
    "least_squares": (1e-6, lambda m: lr.least_squares(design.augment(X + m), TARGET)[:2]),
    "ridge": (1e-6, lambda m: reg.ridge(design.augment(X + m), TARGET, [1e4, 1e4, 0.0])[:2]),
    "lasso": (1e-6, lambda m: reg.lasso(design.augment(X + m), TARGET, [1e4, 1e4, 0.0]).w[:2]),
    "glm, gaussian": (1e-6, lambda m: glm.fit(design.augment(X + m), TARGET, glm.gaussian).w[:2]),
    "logistic with λ|w|": (
        1e-6,
        lambda m: ended(logreg.fit_l1(design.augment(X + m), MIXED[0], [1.0, 1.0, 0.0])).w[:2],
    ),
    "hat_matrix": (1e-5, lambda m: lr.hat_matrix(design.augment(X + m))),
    "gaussian_basis": (1e-12, lambda m: design.gaussian_basis(X + m, X[:3] + m, 80)),
    "median_width": (1e-12, lambda m: kernels.median_width(X + m)),
    "lda.svd_direction": (1e-12, lambda m: lda.svd_direction(X + m, PAIR)),
    "lda.rayleigh_quotient": (1e-6, lambda m: lda.rayleigh_quotient(lda.direction(X, PAIR), X + m, PAIR)),
}


@pytest.mark.parametrize("law", MOVED)
def test_an_offset_of_the_samples_leaves_the_answer(law):
    rtol, f = MOVED[law]
    np.testing.assert_allclose(f(OFFSET), f(0.0), rtol=rtol)


EMPTY_COLUMN = constant(0.0)


@pytest.mark.parametrize("name", PENALIZED)
def test_a_column_of_zeros_has_weight_0_and_leaves_the_others(name):
    found, plain = (PENALIZED[name](A, TARGET, 400.0) for A in (EMPTY_COLUMN, X))
    assert (found[..., 2] == 0).all()
    np.testing.assert_allclose(found[..., :2], plain, rtol=1e-12)


@pytest.mark.parametrize("name", GLM)
def test_a_column_of_zeros_has_weight_0_in_a_glm_and_needs_a_penalty(name):
    family, y = GLM[name]
    found = ended(glm.fit(EMPTY_COLUMN, y, family, [1.0, 1.0, 1.0]))
    assert (found.w[2] == 0).all()
    np.testing.assert_allclose(found.w[:2], glm.fit(X, y, family, 1.0).w, rtol=1e-9)
    for lam in (0.0, [1.0, 1.0, 0.0]):
        with pytest.raises(np.linalg.LinAlgError, match=r"without penalty have rank [02].*lam > 0"):
            glm.fit(EMPTY_COLUMN, y, family, lam)


def test_two_constant_columns_share_their_weight():
    alone = logreg.fit(TWICE_CONSTANT[:, :3], MIXED[0], [1.0, 1.0, 0.5])
    both = logreg.fit(TWICE_CONSTANT, MIXED[0], 1.0)
    np.testing.assert_allclose(both.w, [*alone.w[:2], *2 * [alone.w[2] / 2]], rtol=1e-9)
    sparse = ended(logreg.fit_l1(TWICE_CONSTANT, MIXED[0], 1.0))
    assert logreg.l1_optimality(sparse.w, TWICE_CONSTANT, MIXED[0], 1.0) < 1e-9


def test_a_constant_feature_changes_no_certificate():
    found = perceptron.certificate(constant(0.1), LABELS)
    assert found.separable and found.margin > 0.5 * perceptron.certificate(X, LABELS).margin


@pytest.mark.parametrize("value", [0.0, 0.1, OFFSET])
def test_a_constant_feature_has_weight_0_in_a_direction_and_leaves_the_others(value):
    A = constant(value)
    (W, ratios), (found, same) = lda.directions(X, TRIPLE), lda.directions(A, TRIPLE)
    np.testing.assert_allclose(found, np.vstack([W, np.zeros(2)]), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(same, ratios, rtol=1e-9)
    np.testing.assert_allclose(lda.direction(A, PAIR), [*lda.direction(X, PAIR), 0.0], rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("units", [[1e-12, 1e12], [1e72, 1e-72], [1e-72, 1.0]], ids=str)
@pytest.mark.parametrize("more", [0, 1, 2], ids=["regular", "a column of 0.1", "and a dependent one"])
def test_mixed_units_leave_what_directions_say_about_the_samples(units, more):
    """Also where S_w is singular: the ratios, and the class of each sample."""
    A = np.column_stack([constant(0.1), X @ [1.0, -2.0]])[:, : 2 + more]
    other = A * np.array([*units, 1.0, units[1]])[: 2 + more]
    (W, ratios), (found, same) = lda.directions(A, TRIPLE), lda.directions(other, TRIPLE)
    np.testing.assert_allclose(same, ratios, rtol=1e-9)
    np.testing.assert_allclose(same, lda.directions(X, TRIPLE)[1], rtol=1e-9)
    numbers = lda.predict(found, lda.means(other, TRIPLE), other)
    np.testing.assert_array_equal(numbers, lda.predict(W, lda.means(A, TRIPLE), A))
    pair = [B @ lda.direction(B, PAIR) for B in (A, other)]
    np.testing.assert_allclose(np.diff(pair[1]), np.diff(pair[0]), rtol=1e-9)


@pytest.mark.parametrize("e", [1e-7, 1e-8, 1e-12, 1e-13])
def test_two_classes_have_one_direction_even_where_their_means_are_close(e):
    """Their rounding makes the two rows of means look independent."""
    A = np.array([[0, 0], [2, 2], [1, 3], [e, 0], [2, 2 + e], [1, 3]])
    W, ratios = lda.directions(A, [0, 0, 0, 1, 1, 1])
    assert W.shape == (2, 1) and ratios.shape == (1,)
    with pytest.raises(ValueError, match="n_components is 2"):
        lda.directions(A, [0, 0, 0, 1, 1, 1], n_components=2)


@pytest.mark.parametrize("counts", [np.array([200, 250], "u1"), np.array([100, 120], "i1"), [2.0, 0.5]], ids=repr)
def test_counts_of_bytes_do_not_go_around(counts):
    n = [float(v) + 10 for v in counts]
    np.testing.assert_allclose(naive_bayes.smoothed(counts, 10), [n[0] / sum(n), n[1] / sum(n)], rtol=1e-14)


@pytest.mark.parametrize("smoothing", [1e-300, 1e300])
def test_any_smoothing_leaves_shares(smoothing):
    model = naive_bayes.fit(BIT_SAMPLES.good(), BITS.good(), smoothing, smoothing)
    np.testing.assert_allclose(model.theta.sum(axis=2), 1, rtol=1e-12)
    assert np.isfinite(naive_bayes.posterior(model, BIT_SAMPLES.good())).all()


# --- what only the work itself can find: errors

MIXED_SIGNS = np.array([1.0, -1, -1, -1, 1, 1])
XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), np.array([-1.0, 1, 1, -1])
WIDE = np.hstack([X[:3], X[3:]])  # 3 samples of 4 features
ALIKE = np.array([[0.1, 0.3], [0.3, 0.1], [0.1, 0.1], [0.3, 0.3]])  # up to rounding: 0.1 + 0.3 is not 0.2 + 0.2
SURE = naive_bayes.fit([[0, 1], [0, 1], [1, 0], [1, 0]], [1, 1, 0, 0], smoothing=0.0)
SINGULAR = np.linalg.LinAlgError
NO_ANSWER: list[tuple] = [  # the error, its message, the function and its arguments
    (ValueError, r"\bt\b.*1e\+300", design.one_hot, [0, 1e300]),
    *((SINGULAR, r"rank 2 of 3.*minimum_norm.*null_space", f, DEPENDENT, TARGET)
      for f in (lr.least_squares, lr.normal_equations)),
    *((ValueError, "X holds only zeros.*give samples", f, np.zeros((3, 2)))
      for f in (lr.largest_step, lr.best_step, logreg.largest_step, smr.largest_step)),
    *((ValueError, "the squares of column 0 of X overflow: rescale X", f, 1e155 * X, t) for f, t in (
        (lr.least_squares, TARGET), (lr.normal_equations, TARGET), (logreg.fit, MIXED[0]),
        (logreg.newton_iterates, MIXED[0]), (lambda X, y: reg.ridge(X, y, 0.0), TARGET))),
    (SINGULAR, "or rescale X if its numbers are huge", reg.ridge_normal_equations, 1e155 * X, TARGET, 1.0),
    (SINGULAR, "columns of X without penalty are dependent", reg.ridge, DEPENDENT, TARGET, 0.0),
    (SINGULAR, "singular to rounding with lam = 0; give a larger lam", reg.ridge_dual, DEPENDENT @ DEPENDENT.T, TARGET,
     0.0),
    (SINGULAR, "3 columns of X without penalty have rank 2", glm.fit, DEPENDENT, COUNTS.good(), glm.poisson),
    *((SINGULAR, "4 .* rank 3.*lam > 0", f, A, t[: len(A)]) for A in (TWICE_CONSTANT, WIDE)
      for f, t in [(logreg.fit, MIXED[0]), (logreg.newton_iterates, MIXED[0]), (smr.fit, ONE_HOT.good())]),
    (FloatingPointError, r"not finite after 0 steps.*eta = 0.5", optimize.run,
     optimize.gradient_descent(lambda w: w * nan, np.ones(2), eta=0.5)),
    *((SINGULAR, "all class means are equal.*no direction is better", f, A, t) for f in (lda.direction, lda.directions)
      for A, t in [(ALIKE, [0, 0, 1, 1]), (np.full((6, 2), 0.1), PAIR)]),
    *((SINGULAR, "S_w is singular.*`directions` and `predict` need no inverse", lda.discriminants, constant(a), TRIPLE)
      for a in (0.0, 0.1, OFFSET)),
    (ValueError, r"w·x is the same for all samples: J is 0/0; give a w", lda.rayleigh_quotient, np.zeros(2), X, PAIR),
    (ValueError, r"w·μ_0 = w·μ_1: no threshold .*`lda.direction` gives", lda.prior_threshold, np.zeros(2), X, PAIR),
    (ValueError, "the model has 3 classes; the odds are of two: see log_joint, posterior", naive_bayes.log_odds,
     OF_CATEGORIES, OF_3_VALUES.good()),
    *((ValueError, r"theta has shape \(., 3, 3\); two classes of bits, \(2, d, 2\), are expected",
       naive_bayes.as_linear, m) for m in (OF_CATEGORIES, TWO_OF_CATEGORIES)),
    (ValueError, "a probability of the model is 0: .* infinite; fit with smoothing > 0", naive_bayes.as_linear, SURE),
    *((ValueError, "sample in row 1 has probability 0 in every class.*0/0; fit with smoothing > 0", f, SURE,
       [[0, 1], [1, 1]]) for f in (naive_bayes.posterior, naive_bayes.predict, naive_bayes.log_odds)),
    *((ValueError, "counts are all 0: .* 0/0; give smoothing > 0", naive_bayes.smoothed, counts, 0.0)
      for counts in ([0, 0], [[1, 2], [0, 0]])),
    *((ValueError, "counts and smoothing must be finite numbers >= 0; check both", naive_bayes.smoothed, counts, s)
      for counts, s in [([1.0, 2.0], 1e308), ([1e308, 1e308], 0.0), ([1e308, 1.0], 1.7e308)]),
    (ValueError, "C = inf .* samples 0 and 1, .* different labels .* a finite C",
     lambda K, y: [*svm.pairwise_iterates(K, y)], np.ones((2, 2)), [1.0, -1.0]),
]  # fmt: skip


@pytest.mark.parametrize("row", NO_ANSWER, ids=[f"{row[2].__name__}, {row[1]:.30}" for row in NO_ANSWER])
def test_what_has_no_answer_is_an_error_that_says_what_to_do(row):
    error, message, f, *arguments = row
    with pytest.raises(error, match=message):
        f(*arguments)


# --- honest endings


def descent(f: Callable, *labels: Any, **named: Any) -> Any:
    return optimize.run(f(X, *labels, **named))


ENDS: list[tuple[bool, str, Callable]] = [  # whether it has converged, its reason, the run
    (False, "eta.*too long", lambda: descent(lr.gradient_iterates, TARGET, eta=100 * lr.largest_step(X))),
    (True, "<= 1e-08", lambda: descent(lr.gradient_iterates, TARGET, eta=lr.best_step(X))),
    (False, "eta.*too long", lambda: descent(logreg.gradient_iterates, MIXED[0], 5.0, eta=1.0)),
    (False, "eta.*too long", lambda: descent(smr.gradient_iterates, MIXED[1], 5.0, eta=1.0)),
    (False, r"50 updates.*certificate\(", lambda: perceptron.fit(*XOR, max_updates=50)),
    (False, r"50 updates.*certificate\(", lambda: perceptron.fit_dual(XOR[0] @ XOR[0].T, XOR[1], max_updates=50)),
    (True, r"after \d+ updates", lambda: perceptron.fit(X, LABELS)),
    (True, "changed no w·x by more than", lambda: glm.fit(X, COUNTS.good(), glm.poisson)),
    (True, r"duality gap .* after \d+ linear systems?", lambda: reg.elastic_net(X, TARGET, 400.0, 0.5)),
    (True, r"duality gap .* beside an objective of .* after \d+ steps$", lambda: svm.fit(X, LABELS, 1.0)),
    (True, r"duality gap .* beside an objective of .* after \d+ steps$", lambda: svm.fit_dual(X @ X.T, LABELS, 1.0)),
    (False, "above tol = 1e-09; (raise|take)", lambda: svm.fit(X, MIXED_SIGNS, 1.0, max_iter=1)),
    (False, "above tol = 1e-09; (raise|take)", lambda: svm.fit_dual(X @ X.T, MIXED_SIGNS, 1.0, max_iter=1)),
]  # fmt: skip


@pytest.mark.parametrize("converged, reason, run", ENDS, ids=[reason for _, reason, _ in ENDS])
def test_an_end_says_whether_and_why(converged, reason, run):
    end = run()
    assert end.converged == converged and re.search(reason, end.reason)
    assert all(np.isfinite(a).all() for a in numbers_of(end))
    assert (getattr(end, "gap", 0.0) < 1e-9) == (converged or not hasattr(end, "gap"))


A = design.augment(X)
FREE = design.augment(np.column_stack([LABELS + 0.25 * X[:, 1] / 110, X[:, 1]]))  # whose first column separates
SEPARABLE = (LABELS + 1) / 2
UNSEEN = np.insert(MIXED[1], 1, 0.0, axis=1)  # a class without samples
FOREVER = "no finite minimum: along `direction` .*lam > 0"


def of_family(family: glm.Family) -> tuple[Callable, Callable]:
    return lambda X, y, lam: glm.fit(X, y, family, lam), lambda w, X, y: glm.loss(w, X, y, family)


NO_MINIMUM: dict[str, tuple] = {  # the fit and its loss, samples, labels, penalty, the reason
    "glm, bits": (*of_family(glm.bernoulli), A, SEPARABLE, 0.0, FOREVER),
    "glm, classes": (*of_family(glm.categorical), A, np.array([0.0, 1, 0, 2, 0, 1]), 0.0, FOREVER),
    "glm, counts": (*of_family(glm.poisson), A, np.zeros(6), 0.0, FOREVER),
    "logistic, only 0": (logreg.fit, logreg.loss, A, np.zeros(6), 0.0, "only 0 was observed.*lam > 0"),
    "logistic, separable": (logreg.fit, logreg.loss, A, SEPARABLE, 0.0, "the classes are separable.*lam > 0"),
    "a class without samples": (smr.fit, smr.loss, A, UNSEEN, 0.0, FOREVER),
    "separable classes": (smr.fit, smr.loss, A, design.one_hot([0, 1, 0, 2, 0, 1]), 0.0, FOREVER),
    "λ|w|, separable": (logreg.fit_l1, logreg.loss, FREE, SEPARABLE, 0.0, "along `direction` the loss falls forever"),
    "λ|w|, separable by a free column": (logreg.fit_l1, logreg.loss, FREE, SEPARABLE, [0.0, 1.0, 0.0], "falls forever"),
    "λ|w|, only 0, a free bias": (logreg.fit_l1, logreg.loss, FREE, np.zeros(6), [1.0, 1.0, 0.0], "falls forever"),
}


@pytest.mark.parametrize("fit, loss, X, y, lam, reason", NO_MINIMUM.values(), ids=NO_MINIMUM)
def test_a_fit_without_a_minimum_names_a_direction_along_which_the_loss_falls_forever(fit, loss, X, y, lam, reason):
    """From 0, where the loss is not all rounding, and not along a column with a penalty; a penalty on all ends it."""
    end = fit(X, y, lam)
    assert not end.converged and re.search(reason, end.reason)
    assert all(np.isfinite(a).all() for a in numbers_of(end)) and not np.any(end.direction.T * lam)
    assert (np.diff([loss(tau * end.direction, X, y) for tau in (0.0, 1.0, 2.0, 4.0)]) < 0).all()
    assert ended(fit(X, y, 1.0)).direction is None


def test_a_class_without_samples_does_not_change_the_outputs_of_the_others():
    W = lsc.fit(A, UNSEEN)
    np.testing.assert_allclose(W[:, [0, 2, 3]], lsc.fit(A, MIXED[1]), rtol=1e-12)
    assert (W[:, 1] == 0).all()


@pytest.mark.parametrize("value", [0.0, 0.01, 1.0, 1e8])
def test_samples_at_one_place_with_both_labels_have_no_hard_margin(value):
    """K holds one number: Σ a_n y_n φ(x_n) = 0 for weights of 1/2 on each label. A soft margin costs C for each."""
    K, y = np.full((3, 3), value), np.array([-1.0, 1.0, -1.0])
    hard, soft = svm.fit_dual(K, y), svm.fit_dual(K, y, 0.5)
    assert not hard.converged and not hard.certificate.separable
    np.testing.assert_allclose([hard.alpha.sum(), hard.alpha @ y, hard.alpha[1]], [1, 0, 0.5], atol=1e-12)
    assert soft.converged
    np.testing.assert_allclose([soft.alpha[1], soft.alpha[0] + soft.alpha[2], soft.b], [0.5, 0.5, -1], rtol=1e-9)

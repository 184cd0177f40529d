"""checks: what the doors let in, and how they name what they do not."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from cases import each

from linmodels.guards import checks
from linmodels.guards.shapes import takes

nan, inf = np.nan, np.inf
FINE = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


class Frame:
    """Stands for a data frame: anything NumPy can read, taken by position."""

    def __array__(self, dtype=None, copy=None):
        return FINE.astype(dtype or float)


# --- what is let in -----------------------------------------------------------------------------------------

# Pairs as chapters state them: what their words and shapes let in, and what they say of the rest.


@takes(X="N d wall", y="N wall")
def regression(X, y):
    return X, y


@takes(X="N d wall", y="N both-signs")
def two_classes(X, y):
    return X, y


@takes(X="N d wall", t="N bits")
def bit_labels(X, t):
    return X, t


@takes(X="N d wall", T="N K one-hot")
def one_hot_labels(X, T):
    return X, T


@takes(X="N d wall", t="N classes")
def classes(X, t):
    return X, t


@takes(X="N d wall", t="N two-classes")
def pair_of_classes(X, t):
    return X, t


@takes(X="N d wall", Z="M d wall")
def pair_of_samples(X, Z):
    return X, Z


@takes(K="N N gram", y="N wall")
def gram_and_targets(K, y):
    return K, y


@takes(K="N N gram", y="N both-signs")
def gram_and_labels(K, y):
    return K, y


@takes(G="N N gram", y="N both-signs")
def products_and_labels(G, y):
    return G, y


@pytest.mark.equation("A-1.1-1")
def test_regression_data_are_pairs_of_samples_and_real_targets():
    """𝔻 = {(x_i, y_i)}, i = 1..N, x_i in R^n, y_i in R."""
    X, y = regression([[1, 2], [3, 4], [5, 6]], [7, -8.5, 9])
    assert (X.shape, y.shape) == ((3, 2), (3,))
    assert X.dtype == y.dtype == float
    with pytest.raises(ValueError, match="one per sample"):
        regression(FINE, [7.0, 8.0])


@pytest.mark.equation("A-5.1-3", "B-learn-1")
def test_labels_of_the_perceptron_are_plus_and_minus_one():
    """T = {(x_i, y_i)}, y_i in {+1, -1}."""
    X, y = two_classes(FINE, [1, -1, 1])
    assert y.tolist() == [1, -1, 1]
    np.testing.assert_array_equal(X, FINE)
    with pytest.raises(
        ValueError, match=r"y must hold -1 and \+1 only, found \[0\. 1\.\]; design\.signs\(y\) converts"
    ):
        two_classes(FINE, [1, 0, 1])


@pytest.mark.equation("A-3.1-1", "A-3.2-1", "C-1-3")
def test_labels_of_the_logistic_model_are_0_and_1():
    """t in {0, 1}: what the product Π p^t (1 - p)^(1 - t) needs; one class alone may pass."""
    X, t = bit_labels(FINE.tolist(), [True, False, True])
    assert t.tolist() == [1, 0, 1] and X.dtype == t.dtype == float
    assert bit_labels(FINE, [1, 1, 1])[1].tolist() == [1, 1, 1]
    np.testing.assert_array_equal(X, FINE)
    with pytest.raises(ValueError, match=r"t must hold 0 and 1 only, found \[-1\.  1\.\]; \(t \+ 1\) / 2 converts"):
        bit_labels(FINE, [1, -1, 1])


@pytest.mark.equation("C-1-4", "C-3.2-4", "C-3.2-7")
def test_one_hot_labels_have_a_single_1_per_row():
    """Σ_k t_nk = 1. A class may be without samples: its column is 0."""
    rows = [[0, 1, 0], [1, 0, 0], [0, 1, 0]]
    for T in (rows, np.array(rows, bool), np.array(rows, np.float32), np.asfortranarray(rows)):
        X, found = one_hot_labels(FINE, T)
        assert found.tolist() == rows and found.dtype == np.float64
        np.testing.assert_array_equal(X, FINE)
    sound = np.array(rows, float)
    sound.setflags(write=False)
    assert np.shares_memory(one_hot_labels(FINE, sound)[1], sound)


def test_samples_of_classes_have_whole_class_numbers():
    """t in 0..K-1, as integers that can be an index."""
    for t in ([0, 2, 1], (0.0, 2.0, 1.0), np.array([0, 2, 1], np.uint8), np.array([0, 2, 1], object)):
        X, found = classes(FINE.tolist(), t)
        assert found.tolist() == [0, 2, 1] and found.dtype == int and X.dtype == float
        np.testing.assert_array_equal(X, FINE)
    X, t = pair_of_classes(FINE, [True, False, True])
    assert t.tolist() == [1, 0, 1] and t.dtype == int


def test_a_pair_of_samples_has_the_same_features_and_any_numbers_of_rows():
    X, Z = pair_of_samples([[1, 2], [3, 4], [5, 6]], np.array([[7, 8]], np.float32))
    np.testing.assert_array_equal(X, FINE)
    assert Z.tolist() == [[7, 8]] and X.dtype == Z.dtype == float
    sound = FINE.copy()
    sound.setflags(write=False)
    assert all(np.shares_memory(found, sound) for found in pair_of_samples(sound, sound[:1]))


KERNEL_MATRIX = np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, 0.5], [0.0, 0.5, 1.0]])


def test_a_kernel_matrix_and_what_belongs_to_its_rows():
    """K symmetric; targets are any numbers, labels -1 and +1. And `square` alone asks for no symmetry."""
    for K in (KERNEL_MATRIX, KERNEL_MATRIX.tolist(), KERNEL_MATRIX.astype(object), np.asfortranarray(KERNEL_MATRIX)):
        for found, y in (gram_and_targets(K, (7, -8.5, 9)), gram_and_labels(K, [True, -1, 1])):
            np.testing.assert_array_equal(found, KERNEL_MATRIX)
            assert found.dtype == y.dtype == float and y.shape == (3,)
    assert gram_and_targets(KERNEL_MATRIX, [7, -8.5, 9])[1].tolist() == [7, -8.5, 9]
    assert products_and_labels(KERNEL_MATRIX, [1, -1, 1])[1].tolist() == [1, -1, 1]
    assert gram_and_targets([[0]], [3])[0].tolist() == [[0]]
    assert checks.square([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    sound = KERNEL_MATRIX.copy()
    sound.setflags(write=False)
    for K in (checks.square(sound), gram_and_targets(sound, [1, 2, 3])[0]):
        assert np.shares_memory(K, sound)


@each("C", [1, 1e-150, np.float32(0.5), np.array(2.0), Fraction(1, 3), True, inf, np.float64(inf)])
def test_what_an_error_may_cost(C):
    """Any number > 0, and inf: none is allowed."""
    assert checks.bound(C) == float(C)
    assert type(checks.bound(C)) is float


BITS = np.array([[1, 0], [0, 0], [1, 1]])


@each("dtype", [bool, np.int8, np.uint64, np.float32, float, object])
def test_samples_of_bits(dtype):
    for X in (BITS.astype(dtype), BITS.astype(dtype).tolist(), np.asfortranarray(BITS.astype(dtype))):
        assert checks.bit_samples(X).dtype == float
        np.testing.assert_array_equal(checks.bit_samples(X, 2), BITS)
        found, t = checks.matrix_and_classes(X, [0, 1, 0])
        np.testing.assert_array_equal(found, BITS)
        assert t.tolist() == [0, 1, 0] and t.dtype == int


VALUES = np.array([[4, 0], [0, 1], [2, 1]])


@each("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.float32, float, object])
@each("n_values", [(5, 2), [5.0, 2.0], np.array([5, 2], np.int8), 5, 5.0, np.array(5)], ids=repr)
def test_samples_of_categories(dtype, n_values):
    """One number of values for all features, or one for each."""
    for X in (VALUES.astype(dtype), VALUES.astype(dtype).tolist(), VALUES.astype(dtype)[::-1].copy()[::-1]):
        found, t, M = checks.category_classes(X, [0, 1, 0], n_values)
        np.testing.assert_array_equal(found, VALUES)
        assert M.tolist() == ([5, 5] if np.ndim(n_values) == 0 else [5, 2])
        assert {a.dtype.kind for a in (found, t, M)} == {"i"}
        np.testing.assert_array_equal(checks.category_samples(X, M), VALUES)


def test_a_million_values_are_categories():
    X = np.array([[999_999, 0], [128, 65_536], [256, 1]])
    found, _, M = checks.category_classes(X, [0, 1, 0], 10**6)
    np.testing.assert_array_equal(found, X)
    assert M.tolist() == [10**6] * 2
    with pytest.raises(ValueError, match=r"X holds 1e\+06 at row 0, column 0"):
        checks.category_samples(X + 1, M)


def test_booleans_and_a_single_value_are_categories():
    found, _, M = checks.category_classes([[True, False]] * 3, [0, 1, 0], [2, 1])
    assert found.tolist() == [[1, 0]] * 3 and M.tolist() == [2, 1]


@each(
    "X",
    [
        FINE,
        FINE.tolist(),
        FINE.astype(int),
        FINE.astype(np.float32),
        FINE.astype(object),
        [[Fraction(1), 2], [3, 4.0], [5, np.float32(6)]],
        np.asfortranarray(FINE),
        np.repeat(FINE, 2, axis=1)[:, ::2],
        np.ma.masked_array(FINE, mask=False),
        Frame(),
    ],
    ids=["array", "list", "int", "float32", "object", "mixed", "Fortran", "strided", "unmasked", "frame"],
)
def test_everything_numeric_becomes_float64(X):
    out = checks.samples(X)
    assert type(out) is np.ndarray
    assert out.dtype == np.float64
    np.testing.assert_array_equal(out, FINE)


def test_booleans_are_numbers():
    assert checks.vector([True, False], "y").tolist() == [1, 0]


def test_sound_data_are_neither_copied_nor_changed():
    X = FINE.copy()
    X.setflags(write=False)
    assert np.shares_memory(checks.samples(X), X)


@each("of", [lambda X: X, np.asfortranarray, lambda X: np.repeat(X, 2, axis=1)[:, ::2]])
@each("bad", [nan, inf, -inf])
def test_what_is_no_number_is_found_however_it_lies_in_memory(of, bad):
    X = np.full((4, 3), 1e75)  # whose squares add up to more than that of one
    checks.samples(of(X))
    X[2, 1] = bad
    with pytest.raises(ValueError, match=f"X holds {bad} at row 2, column 1"):
        checks.samples(of(X))


# --- the wall -----------------------------------------------------------------------------------------------


def below(value, rows=9):
    """A column of zeros but for its last entry, which is not among the first rows."""
    return [[0.0]] * rows + [[value]]


@each(
    "X",
    [
        [[0.9e75]],
        [[-1e75]],
        [[1.1e-75]],
        [[-1e-75]],
        [[0.0]],
        [[0.9e75, 1.1e-75, 0.0]] * 10,  # the squares of the first add up to more than 1e150
        [[1.0, -0.9e75], [1e-300, 5e-324]],
        below(1e-75),
        [*below(1e-300), [1.0]],
        [[1.0]] * 9 + [[1e-300]],
        [[1e-300]] * 9 + [[1.0]],
        [[10**75, 1]],
        np.array([[2**62, 1]]),
        np.array([[1e38, 1e-38]], np.float32),
    ],
    ids=repr,
)
def test_columns_within_the_wall(X):
    np.testing.assert_array_equal(checks.samples(X), np.asarray(X, float))
    y = np.asarray(X, float)[:, 0]
    np.testing.assert_array_equal(checks.targets(y), y)


@each(
    "X, found, j",
    [
        ([[1.1e75]], r"1\.1e\+75", 0),
        ([[1.0, -1.1e75]], r"1\.1e\+75", 1),
        ([[0.9e-75]], "9e-76", 0),
        ([[1.0, 0.0, -0.9e-75, 0.9e-75]], "9e-76", 2),
        ([[1.0, 5e-324]], r"4\.94e-324", 1),
        ([[1.0, 1e300]], r"1e\+300", 1),
        (below(0.9e-75), "9e-76", 0),
        ([[1e-80]] * 9 + [[1e-77]], "1e-77", 0),
        ([[1.0, 1.0]] * 9 + [[1.0, 1.1e75]], r"1\.1e\+75", 1),
        ([[1, 10**76]], r"1e\+76", 1),
        (np.array([[1, 1e76]], np.longdouble), r"1e\+76", 1),
        ([[1, Fraction(1, 10**76)]], "1e-76", 1),
    ],
    ids=repr,
)
def test_columns_beyond_the_wall(X, found, j):
    """The message names the argument, the column, what was found, what is expected, and what to do."""
    of_it, remedy = r"; 0, or 1e-75 to 1e\+75, is expected: rescale", f", or leave out column {j}$"
    with pytest.raises(ValueError, match=f"^X has {found} as its largest entry in column {j}{of_it}{remedy}"):
        checks.samples(X)
    with pytest.raises(ValueError, match=f"^b has {found} as its largest entry{of_it}$"):
        checks.targets(np.asarray(X)[:, j], "b")


@each("check", [checks.square, checks.gram])
def test_the_wall_of_products_is_the_square_of_that_of_samples(check):
    for value in (1e-150, 0.9e150, 1e150, 0.0):
        assert check([[value, 0.0], [0.0, 1.0]])[0, 0] == value
    assert check(np.full((9, 9), 1e150)).shape == (9, 9)
    for value, found in [(1.1e150, r"1\.1e\+150"), (0.9e-150, "9e-151"), (1e300, r"1e\+300"), (1e-300, "1e-300")]:
        message = rf"M has {found} as its largest entry in column 1; 0, or 1e-150 to 1e\+150, is expected: rescale, or"
        with pytest.raises(ValueError, match=message):
            check([[1.0, 0.0], [0.0, value]], "M")


@each(
    "check, least, most, message",
    [
        (lambda v: checks.penalty(v, 1)[0], 1e-150, 1e150, "lam must be 0 or lie in .*rescale X, and lam with its sq"),
        (lambda v: checks.penalty([1.0, v], 2)[1], 1e-150, 1e150, "lam must be 0 or lie in .*rescale X, and lam with"),
        (lambda v: checks.penalties([1.0, v])[1], 1e-150, 1e150, "lams must be 0 or lie in .*rescale X, and lams with"),
        (lambda v: checks.one_penalty(v, "mu"), 1e-150, 1e150, "mu must be 0 or lie in .*rescale X, and mu with its"),
        (checks.bound, 1e-150, None, "C must be at least 1e-150, .*rescale the samples"),
        (checks.step, 1e-150, 1e150, r"eta must be at (least 1e-150|most 1e\+150), found"),
        (lambda v: checks.width(v, "s"), 1e-75, 1e75, r"s must lie in 1e-75 \.\.\. 1e\+75, .*rescale the samples"),
    ],
    ids=["lam", "lam per column", "lams", "one lam", "C", "eta", "sigma"],
)
def test_the_wall_of_numbers(check, least, most, message):
    """A penalty of 0 stays, and so does C = inf; C has no upper bound."""
    for value in (1.0, 1, np.float32(0.5), least, 1.1 * least, most or 1e300, 0.9 * (most or 1e308)):
        assert check(value) == value
    for value in (0.9 * least, 1e-300, *((1.1 * most, 1e300) if most else ())):
        with pytest.raises(ValueError, match=message) as refusal:
            check(value)
        assert f"found {value:g}" in str(refusal.value)
    assert "0 or" not in message or check(0) == 0
    assert message[0] != "C" or check(inf) == inf


# --- what is not --------------------------------------------------------------------------------------------


@each(
    "X, message",
    [
        ([1.0, 2.0], r"X must have 2 dimensions \(N samples, d features\), found shape \(2,\); X\[:, None\] makes one"),
        (5.0, r"X must have 2 dimensions .* found shape \(\)"),
        (np.ones((2, 2, 2)), r"found shape \(2, 2, 2\)"),
        (np.ones((0, 2)), r"X is empty, shape \(0, 2\); at least one sample"),
        (np.ones((2, 0)), r"X is empty, shape \(2, 0\)"),
        ([[1, 2], [nan, 4]], "X holds nan at row 1, column 0; remove or replace it"),
        ([[1, inf], [2, 4]], "X holds inf at row 0, column 1"),
        ([[inf, 1], [-inf, 4]], "X holds inf at row 0, column 0"),
        ([[1, 2], [3]], "X is ragged"),
        ([[10**400, 1]], "X holds"),
        (np.ma.masked_array(FINE, mask=FINE > 5), "X has masked entries"),
    ],
)
def test_samples_of_bad_value(X, message):
    with pytest.raises(ValueError, match=message):
        checks.samples(X)


@each(
    "X, message",
    [
        ([["a", "b"]], "X holds text; real numbers are expected"),
        ([[1 + 2j, 3]], "X holds complex numbers"),
        ([[1, None]], "X holds None at row 0, column 1; real numbers are expected"),
        (np.array([["2020-01-01"]], "M8[D]"), "X holds values of type datetime64"),
        (np.array([[1, 2j]], object), "X holds 2j at row 0, column 1"),
    ],
)
def test_samples_of_the_wrong_kind(X, message):
    with pytest.raises(TypeError, match=message):
        checks.samples(X)


@each(
    "v, message",
    [
        ([[1.0], [2.0]], r"y must have 1 dimension, found shape \(2, 1\); y\.ravel\(\) converts"),
        (np.ones((2, 2)), r"y must have 1 dimension, found shape \(2, 2\)$"),
        ([], r"y is empty"),
        ([1.0, nan], "y holds nan at position 1"),
    ],
)
def test_vectors_of_bad_value(v, message):
    with pytest.raises(ValueError, match=message):
        checks.vector(v, "y")


def test_vectors_of_another_length():
    with pytest.raises(ValueError, match="y has 1 entries; 2 are expected, one per sample"):
        checks.vector([1.0], "y", length=2)


@each(
    "y, message",
    [
        ([0, 1, 1], r"y must hold -1 and \+1 only, found \[0\. 1\.\]; design\.signs\(y\) converts"),
        ([1, 2, 2], r"found \[1\. 2\.\]; code one class -1, the other \+1"),
        ([1, 2, 3, 4, 5, -1], r"found \[-1\.  1\.  2\.  3\. \.\.\.\]"),
        ([1, 1, 1], r"y holds only \+1; both classes"),
        ([-1, -1], r"y holds only -1; both classes"),
        ([1, -1, 0], r"found \[-1\.  0\.  1\.\]; code one class"),
    ],
)
def test_labels_of_another_coding(y, message):
    with pytest.raises(ValueError, match=message):
        checks.margin_labels(y)


@each(
    "T, message",
    [
        (
            [0, 1, 1],
            r"T must be of shape \(N, K\), N = 3 as in X; found shape \(3,\); design\.one_hot\(T\) makes such rows",
        ),
        ([[0], [1], [1]], r"found shape \(3, 1\); design\.one_hot"),
        (np.ones((3, 0)), r"found shape \(3, 0\); design\.one_hot"),
        (np.ones((3, 2, 1)), r"found shape \(3, 2, 1\); design\.one_hot"),
        (np.ones((0, 2)), r"T must be of shape \(N, K\), N = 3 as in X; found shape \(0, 2\); give one per sample"),
        ([[0, 1], [nan, 1], [1, 0]], "T holds nan at row 1, column 0"),
        ([[0, 1], [1, 0]], r"T must be of shape \(N, K\), N = 3 as in X; found shape \(2, 2\); give one per sample"),
        (
            [[0, 1], [1, 1], [1, 0]],
            r"T must hold a single 1 per row and zeros, found \[1\. 1\.\] in row 1; design\.one_hot",
        ),
        ([[0, 1], [1, 0], [0, 0]], r"found \[0\. 0\.\] in row 2"),
        ([[0.5, 0.5], [1, 0], [0, 1]], r"found \[0\.5 0\.5\] in row 0"),
        ([[0, 1], [2, -1], [0, 1]], r"found \[ 2\. -1\.\] in row 1"),
        ([[-1, 1], [1, -1], [1, -1]], r"found \[-1\.  1\.\] in row 0"),
        ([[0, 1], [1]], "T is ragged"),
    ],
)
def test_one_hot_labels_of_bad_value(T, message):
    with pytest.raises(ValueError, match=message):
        one_hot_labels(FINE, T)


@each("T", [[["a", "b"]] * 3, [[1, None]] * 3, [[1j, 0]] * 3, None])
def test_one_hot_labels_of_the_wrong_kind(T):
    with pytest.raises(TypeError, match=r"T holds .*; real numbers are expected"):
        one_hot_labels(FINE, T)


@each(
    "t, message",
    [
        ([0, 1], r"t must be of shape \(N,\), N = 3 as in X; found shape \(2,\); give one per sample"),
        ([[0], [1], [1]], r"t must be of shape \(N,\), N = 3 as in X; found shape \(3, 1\); t\.ravel\(\) converts"),
        ([1, 2, 2], r"t must hold 0 and 1 only, found \[1\. 2\.\]; compare with one class: t == it$"),
        ([0, nan, 1], "t holds nan at position 1"),
        ([], r"t must be of shape \(N,\), N = 3 as in X; found shape \(0,\); give one per sample"),
    ],
)
def test_bit_labels_of_bad_value(t, message):
    with pytest.raises(ValueError, match=message):
        bit_labels(FINE, t)


CLASS_DOORS = {
    "classes": lambda t: classes(FINE, t),
    "pair_of_classes": lambda t: pair_of_classes(FINE, t),
    "matrix_and_classes": lambda t: checks.matrix_and_classes(BITS, t),
    "category_classes": lambda t: checks.category_classes(VALUES, t, 5),
}


@each(
    "t, message",
    [
        ([1, 2, 2], r"t must hold the class numbers 0\.\.K-1, .* found \[1\. 2\.\]; np\.unique\(t, return_inverse"),
        ([-1, 1, 1], r"found \[-1\.  1\.\]; np\.unique"),
        ([0, 2, 2], r"each of them and at least two, found \[0\. 2\.\]"),
        ([0, 0, 0], r"at least two, found \[0\.\]"),
        ([0, nan, 1], "t holds nan at position 1"),
    ],
)
@each("check", CLASS_DOORS.values(), ids=CLASS_DOORS)
def test_class_numbers_of_bad_value(check, t, message):
    with pytest.raises(ValueError, match=message):
        check(t)


@each(
    "t, found, remedy, by_checks",
    [
        ([0, 1], r"\(2,\)", "give one per sample", "X has 3 rows but t has 2 entries; give one per sample"),
        ([0, 1, 1, 0], r"\(4,\)", "give one per sample", "X has 3 rows but t has 4 entries; give one per sample"),
        (
            [[0], [1], [1]],
            r"\(3, 1\)",
            r"t\.ravel\(\) converts",
            r"t must have 1 dimension, found shape \(3, 1\); t\.ravel\(\) converts",
        ),
        ([], r"\(0,\)", "give one per sample", "t is empty"),
    ],
)
@each("name", CLASS_DOORS)
def test_class_numbers_of_another_shape(name, t, found, remedy, by_checks):
    """`takes` names the shape, `checks` the length."""
    by_takes = rf"t must be of shape \(N,\), N = 3 as in X; found shape {found}; {remedy}$"
    with pytest.raises(ValueError, match=by_takes if name in ("classes", "pair_of_classes") else by_checks):
        CLASS_DOORS[name](t)


def test_known_classes_need_not_all_occur():
    for t in ([2, 2, 0], (2.0, 2.0, 0.0), np.array([2, 2, 0], np.uint8)):
        found = checks.known_classes(t, 3, 3)
        assert found.tolist() == [2, 2, 0] and found.dtype == int
    assert checks.known_classes([True, False], 2, 2).tolist() == [1, 0]


@each(
    "t, message",
    [
        ([0, 3, 1], r"t must hold the class numbers 0\.\.2, found \[0\. 1\. 3\.\]"),
        ([0, -1, 1], r"t must hold the class numbers 0\.\.2, found \[-1\.  0\.  1\.\]"),
        ([0, 0.5, 1], r"found \[0\.  0\.5 1\. \]"),
        ([0, 1], "t has 2 entries; 3 are expected, one per sample"),
        ([0, nan, 1], "t holds nan at position 1"),
        ([[0], [1], [1]], r"t must have 1 dimension, found shape \(3, 1\); t\.ravel\(\) converts"),
    ],
)
def test_classes_that_are_not_known(t, message):
    with pytest.raises(ValueError, match=message):
        checks.known_classes(t, 3, 3)


def test_a_pair_of_classes_is_not_three():
    with pytest.raises(ValueError, match=r"t holds 3 classes; 2 are expected: keep X\[t < 2\] and t\[t < 2\]"):
        pair_of_classes(FINE, [0, 2, 1])


@each(
    "X, message",
    [
        ([[1, 0], [3, 1]], r"X holds 3 at row 1, column 0; bits, 0 and 1, are expected: X > 0 .* n_values"),
        ([[1, 0.5], [3, 1]], r"X holds 0\.5 at row 0, column 1"),
        (np.array([[1, 0], [-1, 1]], np.int8), "X holds -1 at row 1, column 0"),
        ([[1, 0], [0, nan]], "X holds nan at row 1, column 1; remove or replace it"),
        ([[1, 2], [0, nan]], "X holds nan at row 1, column 1; remove or replace it"),
        ([[1, inf], [0, 1]], "X holds inf at row 0, column 1"),
        ([1, 0], r"X must have 2 dimensions .* X\[:, None\] makes one feature"),
        (np.ones((0, 2)), r"X is empty, shape \(0, 2\)"),
        (np.ones((2, 0)), r"X is empty, shape \(2, 0\)"),
        (np.ma.masked_equal([[1, 0]], 0), "X has masked entries"),
    ],
)
def test_bits_of_bad_value(X, message):
    with pytest.raises(ValueError, match=message):
        checks.bit_samples(X)


@each("row", [0, 43690, 43691, 99_999])
def test_a_bad_bit_is_found_wherever_it_stands(row):
    """300 000 bits are looked at in blocks."""
    X = np.zeros((100_000, 3), np.int8)
    X[row, 1] = 2
    with pytest.raises(ValueError, match=f"X holds 2 at row {row}, column 1"):
        checks.bit_samples(X)


@each("check", [lambda X: checks.bit_samples(X, 2), lambda X: checks.category_samples(X, [2, 2])])
@each("d", [1, 3])
def test_samples_of_another_width(check, d):
    with pytest.raises(ValueError, match=f"X has {d} features; 2 are expected, as in the data of the fit"):
        check(np.zeros((4, d)))


@each(
    "X, message",
    [
        ([[5, 0], [0, 1]], r"X holds 5 at row 0, column 0; .*0\.\.4"),
        ([[4, 0], [0, 2]], r"X holds 2 at row 1, column 1; .*0\.\.1"),
        ([[4, 0], [-1, 1]], r"X holds -1 at row 1, column 0; .*0\.\.4"),
        ([[4, 0], [1.5, 1]], r"X holds 1\.5 at row 1, column 0"),
        (np.array([[255, 0], [0, 1]], np.uint8), "X holds 255 at row 0, column 0"),
        (np.array([[-128, 0], [0, 1]], np.int8), "X holds -128 at row 0, column 0"),
        (np.array([[2**32, 0], [0, 1]]), r"X holds 4\.29\d*e\+09 at row 0, column 0"),
        (np.array([[2**63, 0], [0, 1]], np.uint64), r"X holds 9\.22\d*e\+18 at row 0, column 0"),
        ([[4, 0], [2.0**32, 1]], r"X holds 4\.29\d*e\+09 at row 1, column 0"),
        ([[4, 0], [1e300, 1]], r"X holds 1e\+300 at row 1, column 0"),
        ([[4, 0], [nan, 1]], "X holds nan at row 1, column 0; remove or replace it"),
        ([[4, -inf], [0, 1]], "X holds -inf at row 0, column 1; remove or replace it"),
        ([4, 0], r"X must have 2 dimensions .* X\[:, None\] makes one feature"),
        (np.ones((0, 2)), r"X is empty, shape \(0, 2\)"),
        (np.ma.masked_equal([[1, 0]], 0), "X has masked entries"),
    ],
)
def test_categories_of_bad_value(X, message):
    """Also what would be good if it went around in 32 bits."""
    with pytest.raises(ValueError, match=message):
        checks.category_samples(X, np.array([5, 2]))
    with pytest.raises(ValueError, match=message):
        checks.category_classes(X, [0, 1], (5, 2))


@each("X", [[["S", "M"]] * 2, [["S", None]] * 2, [[1j, 0]] * 2])
def test_categories_of_the_wrong_kind(X):
    for check in (lambda X: checks.category_samples(X, [2, 2]), lambda X: checks.category_classes(X, [0, 1], 2)):
        with pytest.raises(TypeError, match=r"X holds .*; np\.unique\(X\[:, i\], return_inverse=True\)\[1\] numbers"):
            check(X)
    with pytest.raises(TypeError, match=r"X holds .*; real numbers are expected"):
        checks.bit_samples(X)


def test_names_are_numbered_as_the_message_says():
    X = np.array([["S", "yes"], ["M", "no"], ["S", "no"]])
    numbered = np.column_stack([np.unique(X[:, i], return_inverse=True)[1] for i in range(2)])
    assert checks.category_samples(numbered, np.array([2, 2])).tolist() == [[1, 1], [0, 0], [1, 0]]


@each(
    "n_values, message",
    [
        (0, r"n_values must hold whole numbers from 1 to a million, found \[0\.\]"),
        (2.5, r"found \[2\.5\]"),
        (nan, r"n_values .*found \[nan\]"),
        (inf, r"n_values .*found \[inf\]"),
        (10**6 + 1, r"a million, found \[1000001\.\]"),
        ([5, 0], r"found \[0\. 5\.\]"),
        ([5, -2], r"found \[-2\.  5\.\]"),
        ([5, nan], "n_values holds nan at position 1"),
        ([5], "n_values has 1 entries; 2 are expected, one per feature of X"),
        ([5, 2, 2], "n_values has 3 entries; 2 are expected, one per feature of X"),
        ([], "n_values has 0 entries; 2 are expected"),
        ([[5, 2]], r"n_values must have 1 dimension, found shape \(1, 2\)"),
    ],
)
def test_numbers_of_values_of_bad_value(n_values, message):
    with pytest.raises(ValueError, match=message):
        checks.category_classes(VALUES, [0, 1, 0], n_values)


@each("n_values", ["5", None, ["a", "b"], [5, None], 5j])
def test_numbers_of_values_of_the_wrong_kind(n_values):
    with pytest.raises(TypeError, match=r"n_values holds .*; real numbers are expected"):
        checks.category_classes(VALUES, [0, 1, 0], n_values)


def test_samples_are_checked_before_their_labels():
    for check in (bit_labels, one_hot_labels, classes, pair_of_classes):
        with pytest.raises(ValueError, match="X holds nan at row 0, column 0"):
            check([[nan]], "no labels")


def test_different_lengths():
    with pytest.raises(
        ValueError, match=r"y must be of shape \(N,\), N = 3 as in X; found shape \(2,\); give one per sample"
    ):
        two_classes(FINE, [1, -1])


@each(
    "G, message",
    [
        (np.ones((2, 3)), r"G must be square \(N, N\), found shape \(2, 3\); from samples X it is X @ X\.T"),
        ([[1.0, 2.0], [3.0, 1.0]], r"G must be symmetric, found G\[0, 1\] = 2 but G\[1, 0\] = 3"),
    ],
)
def test_matrices_that_are_no_gram_matrix(G, message):
    with pytest.raises(ValueError, match=message):
        checks.gram(G)


def test_a_gram_matrix_may_be_asymmetric_by_rounding():
    checks.gram([[1e8, 1e8 + 1e-7], [1e8, 1e8]])
    checks.gram([[1e-150, 1e-150], [1e-150, 2e-150]])
    with pytest.raises(ValueError, match="symmetric"):
        checks.gram([[1e-20, 1e-20], [2e-20, 1e-20]])


@each(
    "X, Z, message",
    [
        (
            FINE,
            np.ones((2, 3)),
            r"Z must be of shape \(M, d\), d = 2 as in X; found shape \(2, 3\); compare samples of one kind",
        ),
        (FINE, FINE.T, r"Z must be of shape \(M, d\), d = 2 as in X; found shape \(2, 3\)"),
        (FINE.T, FINE, r"Z must be of shape \(M, d\), d = 3 as in X; found shape \(3, 2\)"),
        (np.ones((1, 1)), FINE, r"Z must be of shape \(M, d\), d = 1 as in X; found shape \(3, 2\)"),
        ([1.0, 2.0], FINE, r"X must be of shape \(N, d\); found shape \(2,\); X\[None, :\] .* X\[:, None\] one column"),
        (
            FINE,
            [1.0, 2.0],
            r"Z must be of shape \(M, d\), d = 2 as in X; found shape \(2,\); Z\[None, :\] .* Z\[:, None\] one column",
        ),
        (FINE, [[1.0, nan]], "Z holds nan at row 0, column 1"),
        ([[inf, 1.0]], FINE, "X holds inf at row 0, column 0"),
        (FINE, np.ones((0, 2)), r"Z is empty, shape \(0, 2\)"),
        (np.ones((0, 2)), FINE, r"X is empty, shape \(0, 2\)"),
        (FINE, [[1, 2], [3]], "Z is ragged"),
        (FINE, np.ma.masked_equal([[1, 0]], 0), "Z has masked entries"),
    ],
)
def test_pairs_of_samples_of_bad_value(X, Z, message):
    with pytest.raises(ValueError, match=message):
        pair_of_samples(X, Z)


def test_pairs_of_samples_of_the_wrong_kind():
    with pytest.raises(TypeError, match="Z holds text; real numbers are expected"):
        pair_of_samples(FINE, [["a", "b"]])
    with pytest.raises(TypeError, match="X holds None at row 0, column 0"):
        pair_of_samples([[None, 1]], FINE)
    with pytest.raises(ValueError, match="X holds nan"):  # X is checked first
        pair_of_samples([[nan]], "no samples")


@each(
    "K, by_checks, by_takes",
    [
        (
            np.ones((2, 3)),
            r"%s must be square \(N, N\), found shape \(2, 3\); from samples X it is X @ X\.T",
            r"%s must be of shape \(N, N\); found shape \(2, 3\); from samples X it is X @ X\.T",
        ),
        (
            [1.0, 2.0],
            r"%s must have 2 dimensions .*, found shape \(2,\)",
            r"%s must be of shape \(N, N\); found shape \(2,\)",
        ),
        (5.0, r"%s must have 2 dimensions .*, found shape \(\)", r"%s must be of shape \(N, N\); found shape \(\)"),
        (np.ones((0, 0)), *[r"%s is empty, shape \(0, 0\)"] * 2),
        ([[1.0, nan], [nan, 1.0]], *["%s holds nan at row 0, column 1; remove or replace it"] * 2),
        ([[1.0, 0.0], [0.0, -inf]], *["%s holds -inf at row 1, column 1"] * 2),
    ],
)
def test_matrices_that_are_not_square(K, by_checks, by_takes):
    for check, name, message in [
        (checks.square, "K", by_checks),
        (lambda K: checks.square(K, "A"), "A", by_checks),
        (checks.gram, "G", by_checks),
        (lambda K: gram_and_targets(K, [1.0, 2.0]), "K", by_takes),
        (lambda K: gram_and_labels(K, [1.0, -1.0]), "K", by_takes),
        (lambda G: products_and_labels(G, [1.0, -1.0]), "G", by_takes),
    ]:
        with pytest.raises(ValueError, match=message % name):
            check(K)


@each("check", [gram_and_targets, gram_and_labels])
@each(
    "K, y, message",
    [
        (
            [[1.0, 2.0], [3.0, 1.0]],
            [1, -1],
            r"K must be symmetric, found K\[0, 1\] = 2 but K\[1, 0\] = 3; inner products commute: check how K was",
        ),
        (KERNEL_MATRIX, [1, -1], r"y must be of shape \(N,\), N = 3 as in K; found shape \(2,\); give one per sample"),
        (
            KERNEL_MATRIX,
            [1, -1, 1, 1],
            r"y must be of shape \(N,\), N = 3 as in K; found shape \(4,\); give one per sample",
        ),
        (
            KERNEL_MATRIX,
            [[1], [-1], [1]],
            r"y must be of shape \(N,\), N = 3 as in K; found shape \(3, 1\); y\.ravel\(\) converts",
        ),
        (KERNEL_MATRIX, [1, nan, -1], "y holds nan at position 1"),
        (KERNEL_MATRIX, [], r"y must be of shape \(N,\), N = 3 as in K; found shape \(0,\); give one per sample"),
        ([[1.0, 2.0], [3.0, 1.0]], "no labels", "K must be symmetric"),
    ],
)
def test_kernel_matrices_and_their_rows_of_bad_value(check, K, y, message):
    with pytest.raises(ValueError, match=message):
        check(K, y)
    with pytest.raises(TypeError, match="y holds text"):
        check(KERNEL_MATRIX, ["a", "b", "c"])


def test_labels_of_a_kernel_matrix_are_those_of_a_margin():
    with pytest.raises(
        ValueError, match=r"y must hold -1 and \+1 only, found \[0\. 1\.\]; design\.signs\(y\) converts"
    ):
        gram_and_labels(KERNEL_MATRIX, [0, 1, 1])
    with pytest.raises(ValueError, match=r"y holds only \+1; both classes"):
        gram_and_labels(KERNEL_MATRIX, [1, 1, 1])
    with pytest.raises(
        ValueError, match=r"y must be of shape \(N,\), N = 3 as in G; found shape \(2,\); give one per sample"
    ):
        products_and_labels(KERNEL_MATRIX, [1, -1])


@each("C", [0, -1.5, -inf, nan, np.float32(-0.5)])
def test_a_cost_of_bad_value(C):
    with pytest.raises(ValueError, match=f"C must be .*> 0.*, found {C}"):
        checks.bound(C)


@each("C", ["inf", None, [1.0], 1j, [inf]])
def test_a_cost_of_the_wrong_kind(C):
    with pytest.raises(TypeError, match="C must be a number > 0, or inf for the hard margin, found"):
        checks.bound(C)


@each("value", [0, -1.5, nan, inf])
def test_a_number_that_is_not_positive(value):
    with pytest.raises(ValueError, match=f"eta must be .*> 0, found {value}"):
        checks.positive(value, "eta")


@each("value", ["1", None, [1.0, 2.0], 1j, [1.0]])
def test_a_number_of_the_wrong_kind(value):
    with pytest.raises(TypeError, match="eta must be a finite number > 0, found"):
        checks.positive(value, "eta")


@each("value", [1, 0.5, np.float32(0.5), np.array(2.0), Fraction(1, 3)])
def test_positive_numbers(value):
    assert checks.positive(value, "eta") == float(value)
    assert type(checks.positive(value, "eta")) is float


@each("value", [0, 1, 0.5, True, np.float32(0.25), np.array(1.0), Fraction(1, 3)])
def test_fractions(value):
    assert checks.fraction(value, "rho") == float(value)
    assert type(checks.fraction(value, "rho")) is float


@each("value", [-1e-300, 1.0000000000000002, 7, nan, inf, -inf])
def test_a_number_that_is_no_fraction(value):
    with pytest.raises(ValueError, match=r"rho must be (a number )?from 0 to 1, found"):
        checks.fraction(value, "rho")


@each("value", ["1", None, [0.5], 0.5j])
def test_a_fraction_of_the_wrong_kind(value):
    with pytest.raises(TypeError, match="rho must be a number from 0 to 1, found"):
        checks.fraction(value, "rho")


def test_probabilities():
    for v in ([0, 1, 0.5], (False, True, Fraction(1, 2)), np.array([0, 1, 0.5], np.float32)):
        found = checks.fractions(v, "mu", 3)
        assert found.tolist() == [0, 1, 0.5] and found.dtype == float


@each(
    "v, message",
    [
        ([0.5, -1e-300], r"mu must hold probabilities from 0 to 1, found -1e-300 to 0\.5"),
        ([0.5, 1.5], r"found 0\.5 to 1\.5"),
        ([50, 20], "found 20 to 50"),
        ([0.5, nan], "mu holds nan at position 1"),
        ([0.5], "mu has 1 entries; 2 are expected, one per feature"),
        ([], "mu has 0 entries; 2 are expected"),
        ([[0.5, 0.5]], r"mu must have 1 dimension, found shape \(1, 2\)"),
    ],
)
def test_numbers_that_are_no_probabilities(v, message):
    with pytest.raises(ValueError, match=message):
        checks.fractions(v, "mu", 2)
    with pytest.raises(TypeError, match="mu holds text; real numbers are expected"):
        checks.fractions(["a", "b"], "mu", 2)


def test_a_penalty_for_all_columns_or_for_each():
    assert checks.penalty(2, 3).tolist() == [2, 2, 2]
    assert checks.penalty(np.float32(0.5), 2).tolist() == [0.5, 0.5]
    assert checks.penalty([1, 0, 3], 3).tolist() == [1, 0, 3]
    assert checks.penalty(0, 1).tolist() == [0]
    assert checks.penalty(True, 1).dtype == checks.penalty([1, 2], 2).dtype == float


def test_penalties_to_try():
    assert checks.penalties([3, 0, 1]).tolist() == [3, 0, 1]
    assert checks.penalties((0.5,)).tolist() == [0.5]


@each(
    "call, message",
    [
        (lambda: checks.penalty(-0.5, 3), r"lam must be >= 0, found -0\.5"),
        (lambda: checks.penalty([1, -2, 3], 3), "lam must be >= 0, found -2"),
        (lambda: checks.penalty([1, 2], 3), "lam has 2 entries; 3 are expected, one per column"),
        (lambda: checks.penalty([1], 3), "lam has 1 entries; 3 are expected, one per column"),
        (lambda: checks.penalty([[1, 2, 3]], 3), r"lam must have 1 dimension, found shape \(1, 3\)"),
        (lambda: checks.penalty(nan, 3), "lam must be a finite number >= 0, found nan"),
        (lambda: checks.penalty([1, inf, 0], 3), "lam holds inf at position 1"),
        (lambda: checks.penalties([1.0, -1.0]), "lams must be >= 0, found -1"),
        (lambda: checks.penalties([]), "lams is empty"),
        (lambda: checks.penalties(1.0), r"lams must have 1 dimension, found shape \(\)"),
        (lambda: checks.penalties([1.0, nan]), "lams holds nan at position 1"),
    ],
)
def test_penalties_of_bad_value(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@each("lam", ["1", None, 1j, ["a", "b"]])
def test_penalties_of_the_wrong_kind(lam):
    with pytest.raises(TypeError, match=r"lam holds .*; real numbers are expected"):
        checks.penalty(lam, 2)
    with pytest.raises(TypeError, match=r"lams holds .*; real numbers are expected"):
        checks.penalties(lam)


@each(
    "check, y",
    [
        (checks.bits, [0, 1, 1]),
        (checks.bits, [True, False]),
        (checks.bits, [0.0, 0.0]),  # one class only: a fit may still be possible, with a penalty
        (checks.counts, [0, 3, 1e15]),
        (checks.counts, [0.0]),
        (checks.class_numbers, [2, 0, 1, 1]),
        (checks.class_numbers, [False, True]),
        (checks.above_zero, [1e-300, 2, 1e300]),
    ],
)
def test_targets_that_pass(check, y):
    """They come back as float64, unchanged; an array of it uncopied."""
    assert check(y).tolist() == list(y)
    assert check(y).dtype == np.float64
    a = np.array(y, float)
    a.setflags(write=False)
    assert np.shares_memory(check(a), a)


@each(
    "check, y, message",
    [
        (checks.bits, [-1, 1, 1], r"t must hold 0 and 1 only, found \[-1\.  1\.\]; \(t \+ 1\) / 2 converts"),
        (checks.bits, [1, 2], r"t must hold 0 and 1 only, found \[1\. 2\.\]; compare with one class: t == it"),
        (checks.bits, [0, 0.5], r"found \[0\.  0\.5\]; compare"),
        (
            checks.bits,
            [0, 1, 2],
            r"found \[0\. 1\. 2\.\]; compare with one class: t == it; three classes or more are for so",
        ),
        (checks.bits, [-1, 0, 1], r"found \[-1\.  0\.  1\.\]; compare with one class: t == it; three classes or more"),
        (checks.bits, [[0], [1]], r"t must have 1 dimension, found shape \(2, 1\); t\.ravel\(\) converts"),
        (checks.bits, [0, nan], "t holds nan at position 1"),
        (checks.bits, [], "t is empty"),
        (checks.counts, [1, -2], r"t must hold counts 0, 1, 2, \.\.\., found -2 at position 1; for measurements"),
        (checks.counts, [1, 2, 2.5], r"found 2\.5 at position 2"),
        (checks.counts, [1, inf], "t holds inf at position 1"),
        (
            checks.class_numbers,
            [1, 2, 1],
            r"t must hold the class numbers 0\.\.K-1, .* found \[1\. 2\.\]; np\.unique\(t",
        ),
        (checks.class_numbers, [0, 2, 2], r"found \[0\. 2\.\]"),
        (checks.class_numbers, [0, 0], r"at least two, found \[0\.\]"),
        (checks.class_numbers, [0, 1, 0.5], r"found \[0\.  0\.5 1\. \]"),
        (checks.class_numbers, [-1, 0, 1], r"found \[-1\.  0\.  1\.\]"),
        (checks.class_numbers, [-1, -1], r"found \[-1\.\]"),
        (checks.class_numbers, [0, 1, 1e300], "0..K-1"),  # an identifier, refused without an array of that size
        (checks.class_numbers, [0, nan], "t holds nan at position 1"),
        (checks.above_zero, [1, 0], r"t must be > 0, found 0 at position 1: it has no logarithm; .* glm\.poisson"),
        (checks.above_zero, [1, 2, -3], "t must be > 0, found -3 at position 2"),
        (checks.above_zero, [1, inf], "t holds inf at position 1"),
    ],
)
def test_targets_of_bad_value(check, y, message):
    with pytest.raises(ValueError, match=message):
        check(y, "t")


@each("check", [checks.bits, checks.counts, checks.class_numbers, checks.above_zero])
@each("y", [["a", "b"], [1, None], [1j, 0]])
def test_targets_of_the_wrong_kind(check, y):
    with pytest.raises(TypeError, match=r"y holds .*; real numbers are expected"):
        check(y)


def test_the_classes_are_numbered_as_the_message_says():
    y = np.unique([7, 3, 3, 9], return_inverse=True)[1]
    assert checks.class_numbers(y).tolist() == [1, 0, 0, 2]


def test_counts():
    assert checks.count(np.int64(3), "N") == 3
    assert checks.count(0, "max_iter", least=0) == 0
    with pytest.raises(ValueError, match="N must be a whole number >= 2, found 1"):
        checks.count(1, "N", least=2)
    for wrong in (2.0, True, "3", None):
        with pytest.raises(TypeError, match="N must be a whole number >= 1"):
            checks.count(wrong, "N")


def test_generators():
    rng = np.random.default_rng(0)
    assert checks.generator(rng) is rng
    for wrong in (0, None, np.random, np.random.RandomState(0)):
        with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator"):
            checks.generator(wrong)


def test_orders_of_visits():
    assert checks.visiting_order(None, 3) is None
    assert checks.visiting_order([2, 0, 1, 0], 3).tolist() == [2, 0, 1, 0]


@each(
    "order, message",
    [
        ([0, 1, 3], r"order must hold indices 0\.\.2, found 0\.\.3"),
        ([-1, 0, 1, 2], r"order must hold indices 0\.\.2, found -1\.\.2"),
        ([0, 2, 2], "order leaves out sample 1"),
    ],
)
def test_orders_of_bad_value(order, message):
    with pytest.raises(ValueError, match=message):
        checks.visiting_order(order, 3)


@each("order", [[0.0, 1.0, 2.0], [[0, 1, 2]], [], "012", 3])
def test_orders_of_the_wrong_kind(order):
    with pytest.raises(TypeError, match=r"order must be a list of sample indices 0\.\.2"):
        checks.visiting_order(order, 3)


def test_starts():
    w, b = checks.hyperplane(None, 2)
    assert (w.tolist(), b) == ([0, 0], 0)
    w, b = checks.hyperplane(([1, 2], 3), 2)
    assert (w.tolist(), b) == ([1, 2], 3)


@each(
    "start, message",
    [
        ([1, 2, 3], r"start must be a pair \(w0, b0\)"),
        (5, r"start must be a pair \(w0, b0\)"),
        (([1, 2, 3], 0.0), "w0 has 3 entries; 2 are expected, one per feature"),
        (([1, nan], 0.0), "w0 holds nan at position 1"),
        (([1, 2], inf), "b0 must be a finite number, found inf"),
    ],
)
def test_starts_of_bad_value(start, message):
    with pytest.raises(ValueError, match=message):
        checks.hyperplane(start, 2)


@each("N", [3, 300, 600])
def test_every_pair_of_a_gram_matrix_is_compared(N):
    """A product with one vector does not tell: this matrix passed it."""
    G = [[10, -1.58, 2.54], [1.58, 10, -3.00], [-2.54, 3.00, 10]]
    with pytest.raises(ValueError, match=r"G must be symmetric, found G\[1, 2\] = -3 but G\[2, 1\] = 3"):
        checks.gram(G)
    A = np.random.default_rng(0).standard_normal((N, N))
    K = A + A.T
    assert checks.gram(K) is K
    for i, j in [(0, N - 1), (N - 1, 1), (N // 2, N // 2 - 1)]:
        off = K.copy()
        off[i, j] += 1e-4
        with pytest.raises(ValueError, match=rf"found G\[({i}, {j}|{j}, {i})\]"):
            checks.gram(off)


NAMES = np.array(["cat", "dog", "cat"])


@each(
    "check",
    [
        lambda: checks.signs(NAMES),
        lambda: checks.bits(NAMES, "y"),
        lambda: checks.class_numbers(NAMES),
        lambda: checks.known_classes(NAMES, 3, 2, "y"),
        lambda: checks.margin_labels(NAMES),
        lambda: two_classes(np.eye(3), NAMES),
    ],
    ids=["signs", "bits", "classes", "known classes", "margin labels", "two classes"],
)
def test_to_names_of_classes_the_remedy_is_told(check):
    with pytest.raises(TypeError, match=r"y holds text; .*; np\.unique\(y, return_inverse=True\)\[1\] numbers"):
        check()


def test_names_of_classes_beside_samples_are_told_too():
    for check in (bit_labels, classes, pair_of_classes):
        with pytest.raises(TypeError, match=r"t holds text; .*; np\.unique\(t, return_inverse=True\)\[1\] numbers"):
            check(np.eye(3), NAMES)
    with pytest.raises(TypeError, match=r"T holds text; .*; design\.one_hot\(t\) makes them"):
        one_hot_labels(np.eye(3), NAMES)


@each("missing", [None, pd.NA, pd.NaT], ids=str)
def test_a_missing_value_is_to_be_removed_or_replaced(missing):
    with pytest.raises(TypeError, match=r"X holds .* at row 0, column 1; .*: remove or replace it"):
        checks.samples(np.array([[1.0, missing]], object))
    frame = pd.DataFrame({"a": pd.array([1, None], "Int64"), "b": [1.0, 2.0]})
    with pytest.raises((TypeError, ValueError), match=r"X holds <NA> at row 1, column 0; .*remove or replace it"):
        checks.samples(frame)

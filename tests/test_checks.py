"""checks: what each word of `takes` lets in, how it arrives, and how it names what it does not let in."""

import datetime
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from linmodels.guards import checks
from linmodels.guards.shapes import ENTRIES, PHRASES, takes

nan, inf = np.nan, np.inf
FINE = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
ASYMMETRIC = np.array([[1.0, 2.0], [2.1, 1.0]])
INDEFINITE = np.array([[1.0, 2.0], [2.0, 1.0]])


def objects(*values):
    return np.array(values, object)


def given(text, value):
    """What arrives of a value that is stated so, beside three samples of two features."""
    return takes(X="N d", a=text, infinite=True)(lambda X, a: a)(FINE, value)


def refusal(text, value):
    with pytest.raises((ValueError, TypeError)) as error:
        given(text, value)
    return str(error.value)


# --- what is let in ---------------------------------------------------------------------------------------------


@pytest.mark.equation("A-1.1-1")
def test_regression_data_are_pairs_of_samples_and_real_targets():
    """𝔻 = {(x_i, y_i)}, i = 1..N, x_i in R^n, y_i in R."""
    X, y = takes(X="N d", y="N")(lambda X, y: (X, y))([[1, 2], [3, 4], [5, 6]], [7, -8.5, 9])
    assert (X.shape, y.shape) == ((3, 2), (3,)) and X.dtype == y.dtype == float
    assert refusal("N", [7.0, 8.0]) == "a must be of shape (N,), N = 3 as in X; found shape (2,); give one per sample"


@pytest.mark.equation("A-5.1-3", "B-learn-1")
def test_labels_of_the_perceptron_are_plus_and_minus_one():
    """T = {(x_i, y_i)}, y_i in {+1, -1}; `sides` needs both of them."""
    assert given("N signs", [1, -1, 1]).tolist() == given("N sides", [True, -1, 1]).tolist() == [1, -1, 1]
    assert given("N signs", [1, 1, 1]).tolist() == [1, 1, 1]
    assert refusal("N sides", [1, 1, 1]) == "a holds only +1; both classes, -1 and +1, are expected"
    assert refusal("N signs", [1, 0, 1]) == "a must hold -1 and +1 only, found [0. 1.]; design.signs(a) converts"
    assert refusal("N signs", [1, 2, 1]).endswith("found [1. 2.]; code one class -1, the other +1")


@pytest.mark.equation("A-3.1-1", "A-3.2-1", "C-1-3")
def test_labels_of_the_logistic_model_are_0_and_1():
    """t in {0, 1}: what the product Π p^t (1 - p)^(1 - t) needs; one class alone may pass."""
    t = given("N bits", [True, False, True])
    assert t.tolist() == [1, 0, 1] and t.dtype == float and given("N bits", [1, 1, 1]).tolist() == [1, 1, 1]
    assert refusal("N bits", [1, -1, 1]) == "a must hold 0 and 1 only, found [-1.  1.]; (a + 1) / 2 converts"
    assert refusal("N bits", [1, 2, 1]).endswith("found [1. 2.]; compare with one class: a == it")
    assert "three classes or more are for softmax regression" in refusal("N bits", [0, 1, 2])


@pytest.mark.equation("C-1-4", "C-3.2-4", "C-3.2-7")
def test_one_hot_labels_have_a_single_1_per_row():
    """Σ_k t_nk = 1. A class may be without samples: its column is 0."""
    rows = [[0, 1, 0], [1, 0, 0], [0, 1, 0]]
    for T in (rows, np.array(rows, bool), np.array(rows, np.float32), np.asfortranarray(rows)):
        found = given("N K onehot", T)
        assert found.tolist() == rows and found.dtype == np.float64
    for wrong in ([0, 0, 0], [1, 1, 0], [0.5, 0.5, 0], [2, -1, 0]):
        assert refusal("N K onehot", [rows[0], wrong, rows[1]]).startswith("a must hold a single 1 per row and zeros")
    assert refusal("N K onehot", [[1]] * 3).startswith("a must have K >= 2 columns, one per class")
    assert refusal("N K onehot", [0, 1, 0]).endswith("design.one_hot(a) makes such rows of class numbers 0..K-1")


def test_classes_arrive_as_integers_that_can_be_an_index():
    for t in ([0, 2, 1], (0.0, 2.0, 1.0), np.array([0, 2, 1], np.uint8), np.array([0, 2, 1], object)):
        found = given("N classes", t)
        assert found.tolist() == [0, 2, 1] and found.dtype == int
    assert given("N binary", [True, False, True]).dtype == int
    for wrong in ([0, 2, 0], [1, 2, 3], [-1, 0, 1], [0, 0.5, 1], [0, 0, 0], [0, 1, 1e300]):
        assert refusal("N classes", wrong).startswith("a must hold the class numbers 0..K-1, each of them and at least")
    assert refusal("N binary", [0, 0, 0]) == "a holds only 0; both classes, 0 and 1, are expected"
    assert "keep two classes, X[a < 2] and a[a < 2]; np.unique(a" in refusal("N binary", [0, 1, 2])


def test_the_classes_are_numbered_as_the_message_says():
    names = np.array(["setosa", "virginica", "setosa"])
    assert "np.unique(a, return_inverse=True)[1] numbers the classes" in refusal("N classes", names)
    assert given("N classes", np.unique(names, return_inverse=True)[1]).tolist() == [0, 1, 0]
    table = np.array([["S", "x"], ["M", "y"], ["S", "y"]])
    assert "np.unique(a[:, i], return_inverse=True)[1] numbers the values of column i" in refusal("N d", table)


@pytest.mark.parametrize("K", [np.eye(3), np.eye(3).tolist(), np.eye(3).astype(object), np.asfortranarray(np.eye(3))])
def test_a_kernel_matrix_is_symmetric(K):
    assert given("N N gram", K).tolist() == given("N N gram semidefinite", K).tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("N", [3, 300, 600])
def test_every_pair_of_a_gram_matrix_is_compared(N):
    """Tile by tile: one wrong entry anywhere is seen, a rounding error is not."""
    for i, j in ((0, 1), (N - 1, 0), (N // 2, N - 1)):
        G = np.eye(N)
        G[i, j] += 1e-12
        assert checks.gram(G, "G") is G
        G[i, j] += 1e-3
        with pytest.raises(ValueError, match=r"^G must be symmetric, found G"):
            checks.gram(G, "G")


@pytest.mark.parametrize(
    "X",
    [FINE, FINE.tolist(), FINE.astype(int), FINE.astype(np.float32), FINE.astype(object), pd.DataFrame(FINE)],
)
def test_everything_numeric_becomes_float64(X):
    found = takes(X="N d")(lambda X: X)(X)
    assert found.dtype == np.float64 and found.tolist() == FINE.tolist()


def test_sound_data_are_neither_copied_nor_changed():
    sound = FINE.copy()
    sound.setflags(write=False)
    assert takes(X="N d")(lambda X: X)(sound) is sound


NUMBERS = [
    ("number", [0, -1.5, True, np.float32(0.5), np.array(2.0), Fraction(1, 3)]),
    ("number positive", [1, 0.5, 1e-300, np.float32(0.5), np.array(2.0), Fraction(1, 3)]),
    ("number nonnegative", [0, 1, True, 1e300]),
    ("number share", [0, 1, 0.5, True, np.float32(0.25), np.array(1.0), Fraction(1, 3)]),
    ("schedule", [1, 0.5, np.array(2.0)]),
    ("bound", [1, 1e-300, np.float32(0.5), np.array(2.0), Fraction(1, 3), True, inf, np.float64(inf)]),
]


@pytest.mark.parametrize("text, values", NUMBERS, ids=[text for text, _ in NUMBERS])
def test_a_number_arrives_as_a_float(text, values):
    for value in values:
        found = given(text, value)
        assert type(found) is float and found == float(value)


def test_other_arguments_arrive_as_what_they_are_used_as():
    assert given("schedule", abs) is abs
    assert given("penalty", 2).tolist() == [2, 2] and given("penalty", [1, 0]).tolist() == [1, 0]
    assert (given("count", np.int8(3)), given("whole", 0), given("whole", np.array(2))) == (3, 0, 2)
    assert given("order", [2, 0, 1, 0]).tolist() == [2, 0, 1, 0]
    w, b = given("hyperplane", ([1, 2], 3))
    assert w.tolist() == [1.0, 2.0] and (b, type(b)) == (3.0, float)
    rng = np.random.default_rng(0)
    assert given("rng", rng) is rng


# --- what is refused --------------------------------------------------------------------------------------------

REFUSED = [  # the words of the line above, what is given, the message
    ("N", [1.0, nan, 2.0], "a holds nan at position 1; remove or replace it"),
    ("N d", [[1.0, 2.0], [3.0, -inf], [5.0, 6.0]], "a holds -inf at row 1, column 1; remove or replace it"),
    ("N", [1.0, None, 2.0], "a holds None at position 1; real numbers are expected: remove or replace it"),
    ("N", np.array([1.0, nan, 2.0], np.float32), "a holds nan at position 1; remove or replace it"),
    ("N", None, "a holds None; real numbers are expected"),
    ("N", {"a": 1.0}, "a holds {'a': 1.0}; real numbers are expected"),
    ("N", iter([1.0]), "a holds <list_iterator object at"),
    (
        "N",
        np.array([b"1", b"2", b"3"]),
        "a holds text; real numbers are expected; np.unique(a, return_inverse=True)[1]",
    ),
    ("N", objects(1.0, "1.0", 2), "a holds '1.0' at position 1; real numbers are expected; np.unique(a"),
    ("N", objects(1.0, 1j, 2), "a holds 1j at position 1; real numbers are expected"),
    ("N", objects(1.0, datetime.date(2020, 1, 1), 2), "a holds datetime.date(2020, 1, 1) at position 1; real numbers"),
    ("N", np.zeros(3, "m8[s]"), "a holds values of type timedelta64[s]; real numbers are expected"),
    ("N", np.zeros(3, [("a", float)]), "a holds values of type [('a', '<f8')]; real numbers are expected"),
    ("N", [1.0, pd.NA, 2.0], "a holds <NA> at position 1; real numbers are expected: remove or replace it"),
    ("N", [1.0, pd.NaT, 2.0], "a holds NaT at position 1; real numbers are expected: remove or replace it"),
    ("N", [1j, 0, 0], "a holds complex numbers; real numbers are expected"),
    ("N", np.array(["2020-01-01"] * 3, "M8[D]"), "a holds values of type datetime64[D]; real numbers are expected"),
    ("N", [10**400, 1, 2], "a holds an integer beyond 1e308; numbers in the range of float64 are expected, rescale it"),
    ("N", np.ma.masked_equal([1.0, 2.0, 3.0], 2.0), "a has masked entries; drop these samples or fill them first"),
    ("N d", [[1, 2], [3]], "a is ragged: its rows differ in length; every sample needs every feature"),
    ("M d", np.empty((0, 2)), "a is empty, shape (0, 2); at least one sample and one feature are expected"),
    ("p", [], "a is empty, shape (0,); at least one entry is expected"),
    ("N d", [1.0, 2.0], "a must be of shape (N, d), N = 3 as in X, d = 2 as in X; found shape (2,)"),
    ("M d", [[1.0]], "a must be of shape (M, d), d = 2 as in X; found shape (1, 1); compare samples of one kind"),
    ("N", [[1.0], [2.0], [3.0]], "a must be of shape (N,), N = 3 as in X; found shape (3, 1); a.ravel() converts"),
    ("M M gram", FINE, "a must be of shape (M, M); found shape (3, 2); from samples X it is X @ X.T"),
    ("M M gram", ASYMMETRIC, "a must be symmetric, found a[0, 1] = 2 but a[1, 0] = 2.1; inner products commute"),
    ("M M gram semidefinite", INDEFINITE, "a must be positive semidefinite, found the eigenvalue -1: no kernel has"),
    ("N signs", [False, True, True], "a must hold -1 and +1 only, found [0. 1.]; design.signs(a) converts"),
    ("N signs", [-1, 0, 1], "a must hold -1 and +1 only, found [-1.  0.  1.]; code one class -1, the other +1"),
    ("N signs", [-1, 1, 1e200], "a must hold -1 and +1 only, found [-1.e+000  1.e+000  1.e+200]; code one class"),
    ("N sides", [-1, -1, -1], "a holds only -1; both classes, -1 and +1, are expected"),
    ("N bits", [0.1, 0.5, 0.9], "a must hold 0 and 1 only, found [0.1 0.5 0.9]; compare with one class: a == it"),
    ("N binary", [1, 1, 1], "a holds only 1; both classes, 0 and 1, are expected"),
    ("N classes", [0, 1e15, 1], "a must hold the class numbers 0..K-1, each of them and at least two, found [0.e+00"),
    ("N positive", [1.0, 0.0, 2.0], "a must be > 0, found 0 at position 1"),
    ("m nonnegative", [1.0, -2.0], "a must be >= 0, found -2 at position 1"),
    ("d share", [0.5, 1.5], "a must be from 0 to 1, found 1.5 at position 1; give a share, not a percentage"),
    ("number", nan, "a must be a finite number, found nan"),
    ("number", [[0.5], [0.5, 1.0]], "a must be a finite number, found [[0.5], [0.5, 1.0]]"),
    ("number", [1.0], "a must be a finite number, found [1.0]"),
    ("number", np.ones(1), "a must be a number; found shape (1,); a.item() is the number in it"),
    ("number positive", 0, "a must be > 0, found 0"),
    ("number positive", 10**400, "a must be a finite number > 0, found inf"),
    ("number positive", -inf, "a must be a finite number > 0, found -inf"),
    ("number positive", "1", "a must be a finite number > 0, found '1'"),
    ("number nonnegative", -1e-300, "a must be >= 0, found -1e-300"),
    ("number nonnegative", 1j, "a must be a finite number >= 0, found 1j"),
    ("number share", 1.0000000000000002, "a must be from 0 to 1, found 1; give a share, not a percentage"),
    ("number share", None, "a must be a finite number from 0 to 1, found None"),
    ("schedule", 0, "a must be > 0, found 0"),
    ("schedule", "fast", "a must be a finite number > 0, found 'fast'"),
    ("bound", 0, "a must be > 0, found 0; inf is the hard margin"),
    ("bound", -inf, "a must be a number > 0, or inf for the hard margin, found -inf"),
    ("bound", "inf", "a must be a number > 0, or inf for the hard margin, found 'inf'"),
    ("bound", np.ma.masked_equal(1.0, 1.0), "a is masked; give a number"),
    ("penalty", -1, "a must be >= 0, found -1; 0 leaves a column without penalty"),
    ("penalty", [1.0, -2.0], "a must be >= 0, found -2 at position 1; 0 leaves a column without penalty"),
    ("penalty", [1.0, 2.0, 3.0], "a has 3 entries; 2 are expected, one per column"),
    ("penalty", [[1.0, 2.0]], "a must have 1 dimension, found shape (1, 2)"),
    ("penalty", [], "a has 0 entries; 2 are expected, one per column"),
    ("penalty", 1j, "a holds complex numbers; real numbers are expected"),
    ("penalty", 10**400, "a holds an integer beyond 1e308"),
    ("penalty", [[0.5], [0.5, 0.5]], "a is ragged"),
    ("penalty", np.ma.masked_equal([1.0, 0.5], 1), "a has masked entries"),
    ("penalty", nan, "a holds nan; remove or replace it"),
    ("count", 0, "a must be a whole number >= 1, found 0"),
    ("count", 1.0, "a must be a whole number >= 1, found 1.0"),
    *(("count", value, f"a must be a whole number >= 1, found {value!r}") for value in ("3", None, [3], nan)),
    ("count", True, "a must be a whole number >= 1, found True"),
    ("whole", -1, "a must be a whole number >= 0, found -1"),
    ("order", [0, 1], "a leaves out sample 2; each of the 3 samples must be visited in a pass"),
    ("order", [0, 1, 3], "a must hold indices 0..2, found 0..3"),
    ("order", [0, 1, -1], "a must hold indices 0..2, found -1..1"),
    ("order", [True] * 3, "a must be a list of sample indices 0..2, found array([ True,  True,  True])"),
    ("order", [[0, 1, 2]], "a must be a list of sample indices 0..2, found array([[0, 1, 2]])"),
    ("order", "cyclic", "a must be a list of sample indices 0..2, found array('cyclic'"),
    ("order", [], "a must be a list of sample indices 0..2, found array([]"),
    ("order", np.ma.masked_equal([0, 1, 2], 1), "a has masked entries; give the indices of all samples"),
    ("order", [0.0, 1.0, 2.0], "a must be a list of sample indices 0..2, found array([0., 1., 2.])"),
    ("order", [[0], [1, 2]], "a is ragged; a list of sample indices is expected"),
    ("hyperplane", [1.0, 2.0, 3.0], "a must be a pair (w0, b0), found [1.0, 2.0, 3.0]"),
    ("hyperplane", [0.5], "a must be a pair (w0, b0), found [0.5]"),
    ("hyperplane", ([nan, 0.5], 0.0), "w0 holds nan at position 0; remove or replace it"),
    ("hyperplane", ([[0.5], [0.5]], 0.0), "w0 must have 1 dimension, found shape (2, 1)"),
    ("hyperplane", ([0.5, 0.5], [0.5]), "b0 must be a finite number, found [0.5]"),
    ("hyperplane", ([1.0], 0.0), "w0 has 1 entries; 2 are expected, one per feature"),
    ("hyperplane", ([1.0, 2.0], None), "b0 must be a finite number, found None"),
    ("rng", np.random.RandomState(0), "a must be a numpy.random.Generator, found RandomState"),
    ("rng", None, "a must be a numpy.random.Generator, found None"),
    ("rng", np.random, "a must be a numpy.random.Generator, found <module 'numpy.random'"),
    ("rng", 0, "a must be a numpy.random.Generator, found 0; np.random.default_rng(0) makes one"),
]


@pytest.mark.parametrize("text, value, message", REFUSED, ids=[f"{text}, {m:.40}" for text, _, m in REFUSED])
def test_what_is_refused_is_told(text, value, message):
    assert refusal(text, value).startswith(message)


def test_the_tables_know_every_word():
    told = {word for text, *_ in [*NUMBERS, *REFUSED] for word in text.split()}
    assert {*ENTRIES, *PHRASES} - told <= {"any", "signs", "sides", "bits", "binary", "classes", "onehot"}


@pytest.mark.parametrize("of", [lambda X: X, np.asfortranarray, lambda X: np.repeat(X, 2, axis=1)[:, ::2]])
@pytest.mark.parametrize("bad", [nan, inf, -inf])
def test_what_is_no_number_is_found_however_it_lies_in_memory(of, bad):
    """And a square that overflows is no reason to refuse."""
    X = np.full((400, 3), 1e200)
    assert checks.finite(of(X), "X").shape == (400, 3)
    X[399, 1] = bad
    with pytest.raises(ValueError, match=f"X holds {bad} at row 399, column 1; remove or replace it"):
        checks.finite(of(X), "X")


def test_known_classes_need_not_all_occur():
    assert checks.known_classes(np.array([2.0, 2.0, 0.0]), 3).tolist() == [2, 2, 0]
    for wrong in ([0.0, 3.0], [-1.0, 0.0], [0.5, 1.0]):
        with pytest.raises(ValueError, match=r"t must hold the class numbers 0\.\.2, found .*; give those of the fit"):
            checks.known_classes(np.array(wrong), 3)


def test_counts_are_whole_numbers_from_0():
    assert checks.counts(np.array([0.0, 3.0, 1e15])).tolist() == [0, 3, 1e15]
    for wrong in ([0.0, -1.0], [1.0, 2.5]):
        with pytest.raises(ValueError, match=r"y must hold counts 0, 1, 2, \.\.\., found .* at position 1; for measur"):
            checks.counts(np.array(wrong))


def test_a_loss_without_curvature_is_told():
    assert checks.curved(np.zeros((2, 1)), 1.0) is None
    with pytest.raises(ValueError, match="X holds only zeros: the loss does not depend on w"):
        checks.curved(np.zeros((2, 1)))


# --- divergence -------------------------------------------------------------------------------------------------


def doubled(x, eta):
    while True:
        yield (x := x * eta,)


def test_a_step_too_long_is_told_after_the_last_finite_state():
    states = checks.not_diverged(doubled)(np.array([1.0]), 1e200)
    assert next(states)[0] == 1e200
    with pytest.raises(FloatingPointError, match=r"the coefficients overflow: eta = 1e\+200 is too long a step"):
        next(states)


def test_an_array_that_overflows_is_told_by_its_step():
    @checks.not_diverged
    @takes(x="N", eta="number positive")
    def grown(x, eta):
        return x * eta * eta

    assert grown([2.0], 3.0).tolist() == [18.0]
    with pytest.raises(FloatingPointError, match=r"eta = 1e\+200 is too long"):
        grown([2.0], 1e200)

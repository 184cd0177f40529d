"""Guards: what each word of `takes` lets in, how it arrives, how it names what it does not let in, and the shapes."""

import inspect
import pathlib
import pydoc
import re
import traceback
import types
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from linmodels import design, kernel_lms, kernels, lda, optimize, perceptron, regularization, svm
from linmodels import logistic_regression as logreg
from linmodels import softmax_regression as smr
from linmodels.guards import checks, shapes
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
    assert refusal("N", [[7.0, 8.0]]).endswith("found shape (1, 2)")  # ravel would not do


@pytest.mark.equation("A-5.1-3", "B-learn-1")
def test_labels_of_the_perceptron_are_plus_and_minus_one():
    """T = {(x_i, y_i)}, y_i in {+1, -1}; `sides` needs both of them."""
    assert given("N signs", [1, -1, 1]).tolist() == given("N sides", [True, -1, 1]).tolist() == [1, -1, 1]
    assert given("N signs", [1, 1, 1]).tolist() == [1, 1, 1]
    assert refusal("N sides", [1, 1, 1]) == "a holds only +1; both classes, -1 and +1, are expected"
    assert refusal("N signs", [1, 0, 1]) == "a must hold -1 and +1 only, found [0. 1.]; design.signs(a) converts"
    coded = "np.where(np.equal(a, 2), 1, -1) codes 2 as 1, what is not 2 as -1"
    assert refusal("N signs", [1, 2, 1]).endswith(f"found [1. 2.]; {coded}")


@pytest.mark.equation("A-3.1-1", "A-3.2-1", "C-1-3")
def test_labels_of_the_logistic_model_are_0_and_1():
    """t in {0, 1}: what the product Π p^t (1 - p)^(1 - t) needs; one class alone may pass."""
    t = given("N bits", [True, False, True])
    assert t.tolist() == [1, 0, 1] and t.dtype == float and given("N bits", [1, 1, 1]).tolist() == [1, 1, 1]
    assert refusal("N bits", [1, -1, 1]).endswith("found [-1.  1.]; np.equal(a, 1) codes 1 as 1, what is not 1 as 0")
    assert refusal("N bits", [1, 2, 1]).endswith("found [1. 2.]; np.equal(a, 2) codes 2 as 1, what is not 2 as 0")
    assert "three classes or more are for softmax regression" in refusal("N bits", [0, 1, 2])


@pytest.mark.equation("C-1-4", "C-3.2-4", "C-3.2-7")
def test_one_hot_labels_have_a_single_1_per_row():
    """Σ_k t_nk = 1. A class may be without samples: its column is 0."""
    rows = [[0, 1, 0], [1, 0, 0], [0, 1, 0]]
    for T in (rows, np.array(rows, bool), np.array(rows, np.float32), np.asfortranarray(rows)):
        found = given("N K onehot", T)
        assert found.tolist() == rows and found.dtype == np.float64
    for wrong in ([0, 0, 0], [1, 1, 0], [0.5, 0.5, 0], [2, -1, 0]):
        told = refusal("N K onehot", [rows[0], wrong, rows[1]])
        assert told.startswith("a must hold a single 1 per row and zeros, found [") and "] in row 1; design" in told
    assert refusal("N K onehot", [[1]] * 3).startswith("a must have K >= 2 columns, one per class")
    assert refusal("N K onehot", [0, 1, 0]).endswith("design.one_hot(a) makes such rows of class numbers 0..K-1")


def test_classes_arrive_as_integers_that_can_be_an_index():
    for t in ([0, 2, 1], (0.0, 2.0, 1.0), np.array([0, 2, 1], np.uint8), np.array([0, 2, 1], object)):
        found = given("N classes", t)
        assert found.tolist() == [0, 2, 1] and found.dtype == int
    assert given("N binary", [True, False, True]).dtype == int
    for wrong in ([0, 2, 0], [1, 2, 3], [-1, 0, 1], [0, 0.5, 1], [0, 1, 1e300]):
        assert refusal("N classes", wrong).startswith("a must hold the class numbers 0..K-1, each of them and at least")
    assert refusal("N binary", [0, 0, 0]) == "a holds only 0; both classes, 0 and 1, are expected"
    assert refusal("N binary", [5, 5, 5]) == "a holds only 5; both classes, 0 and 1, are expected"
    for only in (0, 5):
        told = f"a holds only {only}; at least two classes, with the numbers 0..K-1, are expected"
        assert refusal("N classes", [only] * 3) == told


def test_two_classes_are_kept_and_numbered_as_the_message_says():
    for t, keeps, numbers in (([0, 1, 2], 2, False), ([7, 3, 5], 7, True), ([-1, 1, 1], None, True)):
        t = np.array(t)
        told = refusal("N binary", t)
        two = f"np.less(a, {keeps})"
        assert (f"; keep two classes, np.asarray(X)[{two}] and np.asarray(a)[{two}]" in told) == (keeps is not None)
        kept = t[t < keeps] if keeps else t
        assert ("; np.unique(a, return_inverse=True)[1] numbers" in told) == numbers
        assert set(checks.binary(np.unique(kept, return_inverse=True)[1] if numbers else kept)) == {0, 1}


def test_the_classes_are_numbered_as_the_message_says():
    names = np.array(["setosa", "virginica", "setosa"])
    assert "np.unique(a, return_inverse=True)[1] numbers the classes" in refusal("N classes", names)
    assert given("N classes", np.unique(names, return_inverse=True)[1]).tolist() == [0, 1, 0]
    assert "; design.one_hot(np.unique(a, return_inverse=True)[1]) makes" in refusal("N K onehot", names)
    assert given("N K onehot", design.one_hot(np.unique(names, return_inverse=True)[1])).tolist()[1] == [0, 1]
    rows = np.eye(3)[[0, 2, 1]]
    assert "; np.argmax(a, axis=1) numbers the classes of one-hot rows" in refusal("N classes", rows)
    assert given("N classes", np.argmax(rows, axis=1)).tolist() == [0, 2, 1]
    table = np.array([["S", "x"], ["M", "y"], ["S", "y"]])
    assert "np.unique(np.asarray(a)[:, i], return_inverse=True)[1] numbers the values of column i" in refusal(
        "N d", table
    )


@pytest.mark.parametrize("N", [3, 300, 600])
def test_every_pair_of_a_gram_matrix_is_compared(N):
    """Tile by tile: one wrong entry anywhere is seen, a rounding error is not."""
    for i, j in ((0, 1), (N - 1, 0), (N // 2, N - 1), (min(checks.TILE, N - 1), 0)):
        G = np.eye(N)
        G[i, j] += 1e-9
        assert checks.gram(G, "G") is G
        G[i, j] += 1e-7
        with pytest.raises(ValueError, match=r"^G must be symmetric, found G"):
            checks.gram(G, "G")


def test_a_result_in_parts_is_no_array_and_its_parts_are_told():
    parts = lda.directions([[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1])
    told = "a is of type tuple, no array: unpack it, and give one of its 2 parts, of shapes (2, 1), (1,)"
    assert refusal("N d", parts) == told
    assert refusal("N d", ([1, 2], [3])).startswith("a is ragged")
    update = next(perceptron.updates([[2], [0]], [1, -1]))
    with pytest.raises(TypeError, match=r"^w is of type Update, no array: give its \.w$"):
        perceptron.predict(update, 0, [[1]])


def test_everything_numeric_becomes_float64():
    for X in (FINE.tolist(), FINE.astype(int), FINE.astype(np.float32), FINE.astype(object), pd.DataFrame(FINE)):
        found = given("N d", X)
        assert found.dtype == np.float64 and found.tolist() == FINE.tolist()
    assert given("N N gram semidefinite", np.eye(3).tolist()).tolist() == np.eye(3).tolist()


NUMBERS = [
    ("number", [0, -1.5, True, np.float32(0.5), np.array(2.0), Fraction(1, 3)]),
    ("number positive", [1, 0.5, 1e-300, np.float32(0.5), np.array(2.0), Fraction(1, 3)]),
    ("number nonnegative", [0, 1, True, 1e300]),
    ("number share", [0, 1, 0.5, True, np.float32(0.25), np.array(1.0), Fraction(1, 3)]),
    ("schedule", [1, 0.5, np.array(2.0)]),
    ("bound", [1, 1e-300, np.float32(0.5), np.array(2.0), Fraction(1, 3), True, inf, np.float64(inf)]),
]


@pytest.mark.parametrize("text, values", NUMBERS)
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
    ("N d", [[1.0, 2.0], [3.0, -inf], [5.0, 6.0]], "a holds -inf at row 1, column 1; remove or replace it"),
    ("N", [1.0, None, 2.0], "a holds None at position 1; real numbers are expected: remove or replace it"),
    ("N", np.array([1.0, nan, 2.0], np.float32), "a holds nan at position 1; remove or replace it"),
    ("N", None, "a holds None; real numbers are expected"),
    ("N", np.array([b"1", b"2", b"3"]), "a holds text; real numbers are expected; np.asarray(a, float) makes"),
    (
        "d signs",
        ["no", "yes"],
        "a holds text; real numbers are expected; np.where(np.equal(a, 'no'), 1, -1) codes two classes",
    ),
    ("N sides", objects("b", "a", "a"), "a holds 'b' at position 0; real numbers are expected; np.where(np.equal("),
    ("N", svm.Fit, "a is a type; real numbers are expected: call it first"),
    ("N", types.SimpleNamespace(a=1), "a is a SimpleNamespace; real numbers are expected: give its .a"),
    ("N d", types.SimpleNamespace(toarray=1), "a is a SimpleNamespace; real numbers are expected: give its .toarray()"),
    ("N", objects(1.0, "1.0", 2), "a holds '1.0' at position 1; real numbers are expected; np.asarray(a, float) makes"),
    ("N", objects(1.0, "one", 2), "a holds 'one' at position 1; real numbers are expected; remove or replace 'one' at"),
    ("N", objects("one", "two", "one"), "a holds 'one' at position 0; real numbers are expected; np.unique(a"),
    ("N", ["1", "", "3"], "a holds text; real numbers are expected; remove or replace '' at position 1"),
    (
        "N d",
        [["1", "S"], ["NA", "M"], ["3", "S"]],
        "a holds text; real numbers are expected; remove or replace 'NA' at row 1",
    ),
    ("number signs", 0, "a must be -1 or +1, found 0"),
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
    ("N", [[1.0], [2.0], [3.0]], "a must be of shape (N,), N = 3 as in X; found shape (3, 1); np.ravel(a) converts"),
    (
        "M M gram",
        FINE,
        "a must be of shape (M, M); found shape (3, 2); from samples X it is X @ X.T, "
        "or with a kernel kernels.gram(kernels.gaussian, X)",
    ),
    ("M M gram", ASYMMETRIC, "a must be symmetric, found a[0, 1] = 2 but a[1, 0] = 2.1; inner products commute"),
    ("M M gram semidefinite", INDEFINITE, "a must be positive semidefinite, found the eigenvalue -1: no kernel has"),
    ("N positive", [1.0, 0.0, 2.0], "a must be > 0, found 0 at position 1"),
    ("m nonnegative", [1.0, -2.0], "a must be >= 0, found -2 at position 1"),
    ("d share", [0.5, 1.5], "a must be from 0 to 1, found 1.5 at position 1; give a share, not a percentage"),
    ("number", nan, "a must be a finite number, found nan"),
    ("number", [1.0], "a must be a finite number, found [1.0]"),
    ("number", np.ones(1), "a must be a number; found shape (1,); np.ravel(a)[0] is the number in it"),
    ("number positive", 0, "a must be > 0, found 0"),
    ("number positive", 10**400, "a must be a finite number > 0, found inf"),
    ("number positive", "1", "a must be a finite number > 0, found '1'"),
    ("number nonnegative", -1e-300, "a must be >= 0, found -1e-300"),
    ("number share", 1.0000000000000002, "a must be from 0 to 1, found 1; give a share, not a percentage"),
    ("schedule", 0, "a must be > 0, found 0"),
    ("schedule", "fast", "a must be a finite number > 0, found 'fast'"),
    ("bound", 0, "a must be > 0, found 0; inf is the hard margin"),
    ("bound", -inf, "a must be a number > 0, or inf for the hard margin, found -inf"),
    ("bound", np.ma.masked_equal(1.0, 1.0), "a is masked; give a number"),
    ("penalty", -1, "a must be >= 0, found -1; 0 leaves a column without penalty"),
    ("penalty", [1.0, -2.0], "a must be >= 0, found -2 at position 1; 0 leaves a column without penalty"),
    ("penalty", [1.0, 2.0, 3.0], "a has 3 entries; 2 are expected, one per column"),
    ("penalty", [[1.0, 2.0]], "a must have 1 dimension, found shape (1, 2)"),
    ("penalty", nan, "a holds nan; remove or replace it"),
    ("count", 0, "a must be a whole number >= 1, found 0"),
    ("count", 1.0, "a must be a whole number >= 1, found 1.0"),
    ("count", True, "a must be a whole number >= 1, found True"),
    ("count", FINE, "a must be a whole number >= 1, found an array of shape (3, 2)"),
    ("count", pd.DataFrame(FINE), "a must be a whole number >= 1, found an array of shape (3, 2)"),
    ("number", FINE[0], "a must be a number; found shape (2,)"),
    ("whole", -1, "a must be a whole number >= 0, found -1"),
    ("order", [0, 1], "a leaves out sample 2; each of the 3 samples must be visited in a pass"),
    ("order", [0, 1, 3], "a must hold indices 0..2, found 0..3"),
    ("order", [0, 1, -1], "a must hold indices 0..2, found -1..1"),
    ("order", [True] * 3, "a must be a list of sample indices 0..2, found array([ True,  True,  True])"),
    ("order", [[0, 1, 2]], "a must be a list of sample indices 0..2, found array([[0, 1, 2]])"),
    ("order", [], "a must be a list of sample indices 0..2, found array([]"),
    ("order", np.ma.masked_equal([0, 1, 2], 1), "a has masked entries; give the indices of all samples"),
    ("order", [0.0, 1.0, 2.0], "a must be a list of sample indices 0..2, found array([0., 1., 2.])"),
    ("order", [[0], [1, 2]], "a is ragged; a list of sample indices is expected"),
    ("hyperplane", [1.0, 2.0, 3.0], "a must be a pair (w0, b0), found [1.0, 2.0, 3.0]"),
    ("hyperplane", ([nan, 0.5], 0.0), "w0 holds nan at position 0; remove or replace it"),
    ("hyperplane", ([[0.5], [0.5]], 0.0), "w0 must have 1 dimension, found shape (2, 1)"),
    ("hyperplane", ([1.0], 0.0), "w0 has 1 entries; 2 are expected, one per feature"),
    ("hyperplane", ([1.0, 2.0], None), "b0 must be a finite number, found None"),
    ("rng", np.random.RandomState(0), "a must be a numpy.random.Generator, found RandomState"),
    ("rng", FINE, "a must be a numpy.random.Generator, found an array of shape (3, 2); np.random.default_rng(0) makes"),
    ("rng", 0, "a must be a numpy.random.Generator, found 0; np.random.default_rng(0) makes one"),
]


@pytest.mark.parametrize("text, value, message", REFUSED, ids=[f"{text}, {m:.40}" for text, _, m in REFUSED])
def test_what_is_refused_is_told(text, value, message):
    assert refusal(text, value).startswith(message)


@pytest.mark.parametrize(
    "text, value",
    [
        ("N signs", [1, 2, 1]),
        ("N signs", [0, 1, 1]),
        ("N signs", ["-1", "1", "-1"]),
        ("N d", [["2", "1"], ["10", "1"], ["4", "1"]]),
        ("N sides", ["no", "yes", "no"]),
        ("N bits", [1, -1, 1]),
        ("N bits", [1, 2, 1]),
        ("N classes", ["a", "b", "c"]),
        ("N", [[1.0], [2.0], [3.0]]),
        ("M d", [1.0, 2.0]),
    ],
)
def test_what_a_message_advises_can_be_done_to_a_list(text, value):
    *_, advice = refusal(text, value).split("; ")
    advised = re.match(r"(.*?) (codes|converts|makes|is|numbers) ?", advice)[1]
    given(text, eval(advised, {"np": np, "design": design, "a": value}))


def test_what_is_advised_for_three_classes_can_be_done_to_lists():
    X, a = [[1.0], [2.0], [3.0]], [0, 2, 1]
    advice = refusal("N binary", a).split("keep two classes, ")[1]
    X_two, a_two = (eval(part, {"np": np, "X": X, "a": a}) for part in advice.split(" and "))
    assert X_two.tolist() == [[1.0], [3.0]] and a_two.tolist() == [0, 1]


def test_labels_are_advised_so_that_their_signs_stay():
    assert "np.where(np.equal(a, 1), 1, -1) codes 1 as 1, what is not 1 as -1; three classes" in refusal(
        "N signs", [-1, 1, 0]
    )
    a = ["-1", "-1", "1", "1"]
    assert eval(re.search(r"np\.asarray\(.*?\)", refusal("N signs", a))[0]).tolist() == [-1, -1, 1, 1]


def test_what_counts_as_a_negative_eigenvalue():
    """1e-10 of the largest is rounding, more is none."""
    K = np.diag([1.0, 1.0, -0.9e-10])
    assert given("N N semidefinite", K) is K
    assert "must be positive semidefinite" in refusal("N N semidefinite", np.diag([1.0, 1.0, -1.2e-10]))


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


# --- shapes -----------------------------------------------------------------------------------------------------


@takes(w="d", X="N? d", lam="number or d", c="2")
def returned(w, X, lam=0.0, c=None, anything=None):
    return w, X, lam, c


@takes(a="N N", p="... any", t="N? bits", C="bound")
def square(a, p=0.0, t=None, C=1.0):
    return a


W, X = np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(2, 3)


def test_arrays_that_fit_arrive_as_they_are_and_other_numbers_as_float64():
    w, a, lam, c = returned(W, X)
    assert w is W and a is X and lam == 0.0 and c is None
    assert returned(W, X, 0.5, anything="text")[2] == 0.5
    w, a, lam, c = returned([1, 2, 3], X.astype("i1").tolist(), Fraction(1, 2), (1, 2))
    assert w.dtype == a.dtype == c.dtype == float and lam == 0.5 and isinstance(lam, float)
    assert returned(True * np.ones(3, bool), X[0])[0].dtype == float
    assert returned(np.array([Fraction(1, 2), True, 2.5], object), X)[0].tolist() == [0.5, 1, 2.5]


def test_what_comes_out_is_finite_or_told():
    """No warning beside it; where a formula may be infinite it may, and NaN it never is."""
    scores = takes(X="N d", w="d")(lambda X, w: (X @ w, "text"))
    assert scores(X, [1e300, 0.0, 0.0])[0].tolist() == [0.0, 3e300]
    with pytest.raises(checks.Overflow, match=r"^there is no finite result here: w is 0, or something overflows$"):
        perceptron.distance(np.zeros(2), 1.0, np.ones((3, 2)))
    with pytest.raises(checks.Overflow, match=r"^the result overflows: rescale X$"):
        perceptron.gradient(np.zeros(2), 0.0, np.full((3, 2), 1e308), np.ones(3))
    with pytest.raises(checks.Overflow, match=r"^the result overflows: rescale w$"):
        scores(X, [1e308, 1e308, 0.0])
    with pytest.raises(ValueError, match=r"^the result overflows: rescale X$"):
        scores([[1e308, 1e308]], [2.0, 3.0])
    with pytest.raises(checks.Overflow, match=r"^the result overflows: rescale w$"):
        regularization.dual_points([1e200], [[1e200]], [1.0], 1.0)  # a list
    assert takes(w="d or d m", infinite=True)(lambda w: w * w)([1e200, -1e200]).tolist() == [inf, inf]
    with pytest.raises(FloatingPointError, match=r"^the result overflows"):
        takes(w="d", infinite=True)(lambda w: w * w - w * w)([1e200, 1.0])
    assert np.isnan(takes(w="... any")(lambda w: w)(nan))


LAM = "lam must be a number or of shape (d,), d = 3 as in w; found shape"
A = "a must be of shape (N, N); found shape"
BY_COLUMNS = kernels.linear(FINE, FINE[:2])
MISFITS = [
    (
        returned,
        (W, X[:, :2]),
        "X must be of shape (N, d) or of shape (d,), d = 3 as in w; found shape (2, 2); design.augment(X) appends the "
        "column of ones, if the last weight is the bias",
    ),
    (returned, (W[:, None], X), "w must be of shape (d,); found shape (3, 1); np.ravel(w) converts"),
    (returned, (W, X, [[1.0]]), f"{LAM} (1, 1); np.ravel(lam)[0] is the number in it"),
    (returned, (W, X, [1.0, 2.0]), f"{LAM} (2,)"),
    (returned, (W, X, 0.0, W), "c must be of shape (2,); found shape (3,)"),
    (
        svm.dual_predict,
        (np.ones(3), 0.0, np.ones(3), BY_COLUMNS),
        "K must be of shape (M, N) or of shape (N,), N = 3 as in alpha; found shape (3, 2); a row for each new sample: "
        "kernel(Z, X), Z the new ones",
    ),
    (
        svm.fit_dual,
        (kernels.gaussian, np.ones(3)),
        "K is a function; real numbers are expected: kernels.gram(K, X) makes the matrix",
    ),
    (returned, (2.0, X), "w must be of shape (d,); found shape ()"),
    (square, (W,), f"{A} (3,); np.atleast_2d(a) makes one row of it, np.c_[a] one column"),
    (square, (X,), f"{A} (2, 3)"),
    (square, (np.diag([1.0, nan]),), "a holds nan at row 1, column 1; remove or replace it"),
    (
        square,
        (FINE[:2], 0.0, [0, 1, 0]),
        "t must be of shape (N,), N = 2 as in a; found shape (3,); give one per sample",
    ),
    (square, (FINE[:2], 0.0, 1), "t must be of shape (N,), N = 2 as in a; found shape ()"),
    (square, (FINE[:2], 0.0, None, 0.0), "C must be > 0, found 0; inf is the hard margin"),
]


@pytest.mark.parametrize("f, arguments, words", MISFITS, ids=[words for _, _, words in MISFITS])
def test_what_does_not_fit_is_told_and_how_to_mend_it(f, arguments, words):
    """A letter twice is one size."""
    with pytest.raises((ValueError, TypeError)) as error:
        f(*arguments)
    assert str(error.value) == words
    assert square(np.eye(2), p=[[nan]], t=[0, 1]).shape == (2, 2)


def test_a_letter_that_is_missing_is_missing_everywhere():
    @takes(X="N? d", y="N? signs")
    def f(X, y):
        return np.shape(X), np.shape(y)

    assert f(W, -1) == ((3,), ()) and f(X, [1, -1]) == ((2, 3), (2,)) and f(y=-1, X=W) == ((3,), ())
    with pytest.raises(ValueError, match=r"y must be of shape \(N,\) or a number, without N as X; found shape \(2,\)"):
        f(W, [1, -1])


def test_arguments_too_many_or_unknown_are_python_s_own_error():
    for arguments, named in (((W, X, 0.0, [1, 2], None, None), {}), ((W,), {}), ((W, X), {"colour": 1})):
        with pytest.raises(TypeError, match=r"^returned\(\)"):
            returned(*arguments, **named)


def test_a_slip_in_the_statement_of_shapes_is_seen_at_once():
    with pytest.raises(KeyError, match="sign"):
        takes(y="N sign")(lambda y: y)
    with pytest.raises(TypeError, match=r"has no arguments \['z'\]"):
        takes(z="N")(lambda y: y)


# --- what is no array, what comes after *, and generators ---------------------------------------------------------


@takes(X="N d", t="N classes", order="order or None", eta="number positive", rng="rng or None", m="count or None")
def visited(X, t, order=None, *, eta=1.0, lam=0.0, m=None, rng=None):
    return t, order, eta, m


CLASSES, ROWS = [1, 0, 2, 1], np.arange(8.0).reshape(4, 2)


def test_arguments_are_held_to_theirs_in_any_order_and_after_the_star():
    t, order, eta, m = visited(order=[3, 2, 1, 0], t=np.array(CLASSES, float), X=ROWS, eta=2, m=np.int8(3))
    assert t.dtype.kind == "i" and t.tolist() == CLASSES and order.tolist() == [3, 2, 1, 0]
    assert (type(eta), eta, m) == (float, 2.0, 3)
    assert visited(ROWS, CLASSES)[1:] == (None, 1.0, None)
    assert takes(X="N d", lam="penalty")(lambda X, lam=0.5: lam)(ROWS).tolist() == [0.5, 0.5]
    for wrong in ({"eta": 0}, {"rng": 0}, {"m": 0}, {"order": [0, 1, 2]}, {"t": [1, 0, 2]}, {"t": [1, 1, 1, 1]}):
        with pytest.raises((ValueError, TypeError), match=f"^{next(iter(wrong))} (must|leaves|holds only)"):
            visited(**{"X": ROWS, "t": CLASSES} | wrong)


def test_a_shape_that_is_no_longer_possible_is_not_asked_for():
    """X has fixed N: then y may not be missing it."""
    with pytest.raises(ValueError, match=r"^y must be of shape \(N,\), N = 3 as in X; found shape \(\)"):
        perceptron.misclassified([1.0, 1.0], -3.0, np.ones((3, 2)), 1.0)


@pytest.mark.parametrize("i", [0.5, np.nan, np.inf, [1], np.array([0, 1])], ids=str)
def test_an_index_is_a_whole_number(i):
    """In the equations that change one entry; beyond the last one the argument is named, and NumPy says the rest."""
    w, T = np.ones(3), np.eye(3)
    for call in (
        lambda: regularization.coordinate_step(i, w, T, w, 1.0),
        lambda: smr.score_jacobian(w, i, 3),
        lambda: kernel_lms.stochastic_beta_step(i, w, T, w, 1.0),
        lambda: perceptron.dual_update(i, w, 0.0, 1.0),
        lambda: svm.pair_step(w, 1, i, T, [1, -1, 1]),
        lambda: svm.pair_step(w, i, 1, T, [1, -1, 1]),
    ):
        with pytest.raises((ValueError, TypeError), match=r"^[ijc] must be a (whole )?number"):
            call()
    assert smr.score_jacobian(w, np.uint8(1), 3).tolist() == [[0, 1, 0]] * 3
    with pytest.raises(IndexError, match=r"^j counts from 0: index 3 is out of bounds"):
        regularization.coordinate_step(3, w, T, w, 1.0)
    with pytest.raises(IndexError, match=r"^i counts from 0: index 3 is out of bounds"):
        perceptron.dual_update(3, w, 0.0, 1.0)


def test_a_generator_refuses_at_the_call():
    @takes(X="N d", eta="number positive")
    def steps(X, *, eta):
        """Without end."""
        while True:
            yield X * eta

    assert next(steps([[1, 2]], eta=2)).tolist() == [[2, 4]]
    with pytest.raises(ValueError, match="eta must be > 0"):
        steps([[1, 2]], eta=0)
    with pytest.raises(ValueError, match=r"X must be of shape \(N, d\)"):
        steps([1, 2], eta=1)


# --- what the reader sees -----------------------------------------------------------------------------------------


def test_help_shows_the_shapes():
    shown = inspect.signature(visited).parameters
    annotations = [shown[name].annotation for name in ("X", "eta", "lam")]
    assert annotations == ["N d", "number positive", inspect.Parameter.empty]
    told = " ".join(pydoc.plain(pydoc.render_doc(svm.fit)).split())  # Python 3.13 writes an argument on each line
    assert "X: 'N d', y: 'N sides', C: 'bound' = inf" in told


def test_help_lists_equations_and_no_constant_of_ours():
    told = pydoc.plain(pydoc.render_doc(design))
    assert "monomials(X" in told and "comb(" not in told and "MOST_" not in told and "A.shape[1]" in told
    assert "svm.predict(found.w, found.b, X)" in svm.fit.__doc__


def test_a_refusal_shows_one_frame_of_ours():
    """Below the reader's line there stands one of the library, however deep the check was."""
    with pytest.raises(ValueError, match="y must hold -1") as error:
        svm.fit(ROWS, [0, 1, 0, 1])
    frames = traceback.extract_tb(error.value.__traceback__)
    assert [pathlib.Path(frame.filename).name for frame in frames] == ["test_guards.py", "shapes.py"]
    assert error.value.__suppress_context__


def test_there_are_at_most_twenty_words():
    words = shapes.ENTRIES.keys() | shapes.PHRASES.keys()
    assert len(words) <= 20 and all(word.isalpha() for word in words)


@pytest.mark.parametrize(
    "call",
    [
        lambda f: optimize.run(optimize.gradient_descent(f, np.zeros(2), eta=0.1), max_iter=3),
        lambda f: list(optimize.newton(lambda w: 0.0, f, lambda w: np.eye(2), np.zeros(2))),
        lambda f: kernels.expansion(lambda X, Z: f(np.zeros(2)), np.ones((1, 2)), np.ones((1, 2)), [1.0]),
    ],
)
def test_what_the_reader_calls_within_is_looked_at(call):
    """Labels (N, 1) beside (N,), N = d: NumPy alone would go on with a wrong number."""
    with pytest.raises(ValueError, match=r"t must be of shape \(N,\), N = 2 as in X; found shape \(2, 1\)"):
        call(lambda w: logreg.gradient(w, np.eye(2), np.ones((2, 1))))

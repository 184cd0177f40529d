"""How an equation states shapes; what the equations of the book make of it is in test_equations.py."""

import inspect
import pathlib
import pydoc
import traceback
from fractions import Fraction

import numpy as np
import pytest

from linmodels import (
    kernel_lms,
    kernels,
    linear_regression,
    logistic_regression,
    optimize,
    perceptron,
    regularization,
    softmax_regression,
    svm,
)
from linmodels.guards import checks, shapes
from linmodels.guards.shapes import takes, unchecked


@takes(w="d", X="N? d", lam="number or d", c="2")
def returned(w, X, lam=0.0, c=None, anything=None):
    return w, X, lam, c


@takes(a="N N", p="... any", t="N? bits", C="bound")
def square(a, p=0.0, t=None, C=1.0):
    return a


@takes(w="d or d m", infinite=True)
def squares(w):
    """What is finite, and may have no finite square."""
    return w * w


@takes(X="N d", w="d")
def scores(X, w):
    return X @ w, "text"


W, X = np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(2, 3)


def test_arrays_that_fit_arrive_as_they_are():
    w, a, lam, c = returned(W, X)
    assert w is W and a is X and lam == 0.0 and c is None
    assert returned(W, X, 0.5, anything="text")[2] == 0.5


def test_other_numbers_arrive_as_float64():
    w, a, lam, c = returned([1, 2, 3], X.astype("i1").tolist(), Fraction(1, 2), (1, 2))
    assert w.dtype == a.dtype == c.dtype == float and lam == 0.5 and isinstance(lam, float)
    assert returned(True * np.ones(3, bool), X[0])[0].dtype == float
    assert returned(np.array([1, True, 2.5], object), X[0])[0].dtype == float
    assert returned(np.array([Fraction(1, 2)] * 3), X)[0].tolist() == [0.5] * 3


def test_what_comes_out_is_finite_or_told():
    """No warning beside it; where a formula may be infinite it may, and NaN it never is."""
    assert scores(X, [1e300, 0.0, 0.0])[0].tolist() == [0.0, 3e300]
    with pytest.raises(checks.Overflow, match=r"^the result overflows: rescale w$"):
        scores(X, [1e308, 1e308, 0.0])
    with pytest.raises(ValueError, match=r"^the result overflows: rescale X$"):
        scores([[1e308, 1e308]], [2.0, 3.0])
    assert squares([1e200, -1e200]).tolist() == [np.inf, np.inf]
    with pytest.raises(FloatingPointError, match=r"^the result overflows"):
        takes(w="d", infinite=True)(lambda w: w * w - w * w)([1e200])
    assert np.isnan(takes(w="... any")(lambda w: w)(np.nan))


@pytest.mark.parametrize(
    "w, words",
    [
        ([1.0, np.nan], "w holds nan at position 1; remove or replace it"),
        ([[1.0, 2.0], [-np.inf, 0.0]], "w holds -inf at row 1, column 0; remove or replace it"),
        ([], r"w is empty, shape \(0,\)"),
    ],
)
def test_what_is_not_finite_is_refused(w, words):
    for given in (w, np.array(w)):
        with pytest.raises(ValueError, match=f"^{words}"):
            squares(given)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((W, X[:, :2]), "X must be of shape (N, d) or of shape (d,), d = 3 as in w; found shape (2, 2)"),
        ((W[:, None], X), "w must be of shape (d,); found shape (3, 1); w.ravel() converts"),
        (
            (W, X, [[1.0]]),
            "lam must be a number or of shape (d,), d = 3 as in w; found shape (1, 1); lam.ravel() converts",
        ),
        ((W, X, [1.0, 2.0]), "lam must be a number or of shape (d,), d = 3 as in w; found shape (2,)"),
        ((W, X, 0.0, W), "c must be of shape (2,); found shape (3,)"),
        ((2.0, X), "w must be of shape (d,); found shape ()"),
        (("text", X), "w holds text; real numbers are expected"),
        (
            (["a"] * 3, X),
            "w holds text; real numbers are expected; np.unique(w, return_inverse=True)[1] numbers the classes",
        ),
        ((W, None), "X holds None; real numbers are expected"),
        (
            (np.array([1.0, None, 2.0], object), X),
            "w holds None at position 1; real numbers are expected: remove or replace it",
        ),
        (([], X), "w is empty, shape (0,); at least one entry is expected"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_told(arguments, words):
    with pytest.raises((ValueError, TypeError)) as error:
        returned(*arguments)
    assert str(error.value) == words


def test_a_vector_where_one_sample_may_stand_is_told_how_to_be_many():
    with pytest.raises(ValueError, match=r"X\[None, :\] makes one row of it, X\[:, None\] one column$"):
        linear_regression.predict([2.0], [1.0, 2.0, 3.0])


def test_a_vector_for_a_matrix_and_a_list_for_a_number_are_told_how_to_mend():
    with pytest.raises(ValueError, match=r"a\[None, :\] makes one row of it, a\[:, None\] one column$"):
        square(W)
    with pytest.raises(
        ValueError, match=r"eta must be a number; found shape \(1,\); eta.item\(\) is the number in it$"
    ):
        visited(ROWS, CLASSES, eta=np.ones(1))


def test_a_letter_twice_is_one_size_and_words_look_at_the_entries():
    assert square(np.eye(2), p=[[np.nan]], t=[0, 1]).shape == (2, 2)
    with pytest.raises(ValueError, match=r"a must be of shape \(N, N\); found shape \(2, 3\)"):
        square(X)
    with pytest.raises(ValueError, match="a holds nan at row 1, column 1"):
        square(np.diag([1.0, np.nan]))
    with pytest.raises(ValueError, match=r"t must be of shape \(N,\) or a number, N = 2 as in a; found shape \(3,\)"):
        square(np.eye(2), t=[0, 1, 0])
    with pytest.raises(ValueError, match=r"t must be .*, N = 2 as in a; found shape \(\)"):
        square(np.eye(2), t=1)
    with pytest.raises(ValueError, match="C must be > 0, found 0"):
        square(np.eye(2), C=0.0)


def test_a_letter_that_is_missing_is_missing_everywhere():
    @takes(X="N? d", y="N? signs")
    def f(X, y):
        return np.shape(X), np.shape(y)

    assert f(W, -1) == ((3,), ()) and f(X, [1, -1]) == ((2, 3), (2,)) and f(y=-1, X=W) == ((3,), ())
    with pytest.raises(ValueError, match=r"y must be of shape \(N,\) or a number, without N as X; found shape \(2,\)"):
        f(W, [1, -1])


def test_arguments_too_many_or_unknown_are_python_s_own_error():
    for wrong in (
        lambda: returned(W, X, 0.0, [1, 2], None, None),
        lambda: returned(W),
        lambda: returned(W, X, colour=1),
    ):
        with pytest.raises(TypeError, match=r"^returned\(\)"):
            wrong()


def test_bare_looks_at_nothing():
    assert unchecked(returned)("text", None)[0] == "text"
    assert unchecked(linear_regression.loss)(W, X, np.zeros((2, 1))).shape == (2, 2)  # what the look is for


def test_a_slip_in_the_statement_of_shapes_is_seen_at_once():
    with pytest.raises(KeyError, match="sign"):
        takes(y="N sign")(lambda y: y)
    with pytest.raises(TypeError, match=r"has no arguments \['z'\]"):
        takes(z="N")(lambda y: y)


# --- what is no array, what comes after *, and generators ---------------------------------------------------------


@takes(
    X="N d",
    t="N classes",
    order="order or None",
    eta="number positive",
    lam="number nonnegative",
    rho="number share",
    rng="rng or None",
)
def visited(X, t, order=None, *, eta=1.0, lam=0.0, rho=0.5, m=None, rng=None):
    return t, order, (eta, lam, rho)


CLASSES = [1, 0, 2, 1]
ROWS = np.arange(8.0).reshape(4, 2)


def test_classes_arrive_as_integers():
    t, _, _ = visited(ROWS, np.array([1.0, 0.0, 2.0, 1.0]))
    assert t.dtype.kind == "i" and t.tolist() == CLASSES
    assert visited(X=ROWS, t=CLASSES)[0].tolist() == CLASSES


def test_arguments_after_the_star_are_held_to_theirs():
    assert visited(ROWS, CLASSES, eta=2, lam=np.float32(1), rho=1)[2] == (2.0, 1.0, 1.0)
    assert all(type(a) is float for a in visited(ROWS, CLASSES, eta=2, lam=True, rho=0)[2])


@pytest.mark.parametrize(
    "named, words",
    [
        ({"eta": 0}, "eta must be > 0, found 0"),
        ({"eta": "fast"}, "eta must be a finite number > 0, found 'fast'"),
        ({"lam": -1.0}, "lam must be >= 0, found -1"),
        ({"rho": 2}, "rho must be from 0 to 1, found 2; give a share, not a percentage"),
        ({"rng": 0}, r"rng must be a numpy.random.Generator, found 0; np.random.default_rng(0) makes one"),
        ({"order": [0, 1, 2]}, "order leaves out sample 3; each of the 4 samples must be visited in a pass"),
        ({"order": [0, 1, 2, 4]}, "order must hold indices 0..3, found 0..4"),
        ({"t": [1, 0, 2]}, "t must be of shape (N,), N = 4 as in X; found shape (3,)"),
        ({"t": [1, 1, 1, 1]}, "t must hold the class numbers 0..K-1, each of them and at least two, found [1.]"),
        ({"t": list("abca")}, "t holds text; real numbers are expected; np.unique(t, return_inverse=True)[1] numbers"),
    ],
    ids=str,
)
def test_what_a_phrase_does_not_allow_is_told(named, words):
    with pytest.raises((ValueError, TypeError)) as error:
        visited(**{"X": ROWS, "t": CLASSES} | named)
    assert str(error.value).startswith(words)


@pytest.mark.parametrize("i", [0.5, np.nan, np.inf, [1], np.array([0, 1])], ids=str)
def test_an_index_is_a_whole_number(i):
    """In the equations that change one entry; beyond the last one NumPy says so."""
    w, T = np.ones(3), np.eye(3)
    for call in (
        lambda: regularization.coordinate_step(i, w, T, w, 1.0),
        lambda: softmax_regression.score_jacobian(w, i, 3),
        lambda: kernel_lms.stochastic_beta_step(i, w, T, w, 1.0),
        lambda: perceptron.dual_update(i, w, 0.0, 1.0),
        lambda: svm.pair_step(w, 1, i, T, [1, -1, 1]),
        lambda: svm.pair_step(w, i, 1, T, [1, -1, 1]),
    ):
        with pytest.raises((ValueError, TypeError), match=r"^[ijc] must be a (whole )?number"):
            call()
    assert softmax_regression.score_jacobian(w, np.uint8(1), 3).tolist() == [[0, 1, 0]] * 3
    with pytest.raises(IndexError, match="3 is out of bounds"):
        regularization.coordinate_step(3, w, T, w, 1.0)


def test_the_order_of_named_arguments_does_not_matter():
    assert visited(order=[3, 2, 1, 0], t=CLASSES, X=ROWS)[1].tolist() == [3, 2, 1, 0]


def test_two_classes_counts_and_none():
    @takes(t="N binary", m="count or None", k="whole")
    def f(t, m=None, k=0):
        return t.tolist(), m, k

    assert f([0, 1], None, 0) == ([0, 1], None, 0) and f([1.0, 0.0], m=np.int8(3)) == ([1, 0], 3, 0)
    with pytest.raises(ValueError, match=r"t must hold 0 and 1 only, found .*; keep two classes, X\[t < 2\]"):
        f(CLASSES)
    for wrong in ({"m": 0}, {"k": -1}, {"m": 1.5}, {"k": None}):
        with pytest.raises((ValueError, TypeError), match="must be a whole number >= "):
            f([0, 1], **wrong)


def test_signs_and_bits_tell_names_of_classes_how_to_become_numbers():
    with pytest.raises(TypeError, match=r"t holds text; .* np\.unique\(t, return_inverse=True\)\[1\] numbers"):
        square(np.eye(2), t=["a", "b"])


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


def test_what_a_caller_leaves_out_is_held_to_its_shape_too():
    assert visited(ROWS, CLASSES)[1:] == (None, (1.0, 0.0, 0.5))
    assert takes(X="N d", lam="penalty")(lambda X, lam=0.5: lam)(ROWS).tolist() == [0.5, 0.5]


# --- what the reader sees -----------------------------------------------------------------------------------------


def test_help_shows_the_shapes():
    shown = inspect.signature(visited).parameters
    assert (shown["X"].annotation, shown["eta"].annotation, shown["m"].annotation) == (
        "N d",
        "number positive",
        inspect.Parameter.empty,
    )
    assert "fit(X: 'N d', y: 'N sides', C: 'bound' = inf" in pydoc.plain(pydoc.render_doc(svm.fit))


def test_a_refusal_shows_one_frame_of_ours():
    """Below the reader's line there stands one of the library, however deep the check was."""
    with pytest.raises(ValueError, match="y must hold -1") as error:
        svm.fit(ROWS, [0, 1, 0, 1])
    frames = traceback.extract_tb(error.value.__traceback__)
    assert [pathlib.Path(frame.filename).name for frame in frames] == ["test_shapes.py", "shapes.py"]
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
        call(lambda w: logistic_regression.gradient(w, np.eye(2), np.ones((2, 1))))

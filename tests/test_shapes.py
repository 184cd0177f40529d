"""How an equation states shapes; what the equations of the book make of it is in test_equations.py."""

import inspect
import pathlib
import pydoc
import traceback
from fractions import Fraction

import numpy as np
import pytest

from linmodels import kernel_lms, kernels, linear_regression, optimize, perceptron, regularization, svm
from linmodels import logistic_regression as logreg
from linmodels import softmax_regression as smr
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


LAM = "lam must be a number or of shape (d,), d = 3 as in w; found shape"
MISFITS = [
    ((W, X[:, :2]), "X must be of shape (N, d) or of shape (d,), d = 3 as in w; found shape (2, 2)"),
    ((W[:, None], X), "w must be of shape (d,); found shape (3, 1); w.ravel() converts"),
    ((W, X, [[1.0]]), f"{LAM} (1, 1); lam.ravel() converts"),
    ((W, X, [1.0, 2.0]), f"{LAM} (2,)"),
    ((W, X, 0.0, W), "c must be of shape (2,); found shape (3,)"),
    ((2.0, X), "w must be of shape (d,); found shape ()"),
    (("text", X), "w holds text; real numbers are expected"),
    ((W, None), "X holds None; real numbers are expected"),
    (([], X), "w is empty, shape (0,); at least one entry is expected"),
]


@pytest.mark.parametrize("arguments, words", MISFITS, ids=[words for _, words in MISFITS])
def test_what_does_not_fit_is_told(arguments, words):
    with pytest.raises((ValueError, TypeError)) as error:
        returned(*arguments)
    assert str(error.value) == words


def test_a_vector_for_a_matrix_and_a_list_for_a_number_are_told_how_to_mend():
    with pytest.raises(ValueError, match=r"X\[None, :\] makes one row of it, X\[:, None\] one column$"):
        linear_regression.predict([2.0], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"a\[None, :\] makes one row of it, a\[:, None\] one column$"):
        square(W)
    with pytest.raises(ValueError, match=r"eta must be a number; found shape \(1,\); eta.item\(\) is the number"):
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


@takes(X="N d", t="N classes", order="order or None", eta="number positive", rng="rng or None", m="count or None")
def visited(X, t, order=None, *, eta=1.0, lam=0.0, m=None, rng=None):
    return t, order, eta, m


CLASSES = [1, 0, 2, 1]
ROWS = np.arange(8.0).reshape(4, 2)


def test_arguments_are_held_to_theirs_in_any_order_and_after_the_star():
    t, order, eta, m = visited(order=[3, 2, 1, 0], t=np.array(CLASSES, float), X=ROWS, eta=2, m=np.int8(3))
    assert t.dtype.kind == "i" and t.tolist() == CLASSES and order.tolist() == [3, 2, 1, 0]
    assert (type(eta), eta, m) == (float, 2.0, 3)
    assert visited(ROWS, CLASSES)[1:] == (None, 1.0, None)
    assert takes(X="N d", lam="penalty")(lambda X, lam=0.5: lam)(ROWS).tolist() == [0.5, 0.5]


TOLD = [
    ({"eta": 0}, "eta must be > 0, found 0"),
    ({"rng": 0}, "rng must be a numpy.random.Generator, found 0; np.random.default_rng(0) makes one"),
    ({"m": 0}, "m must be a whole number >= 1, found 0"),
    ({"order": [0, 1, 2]}, "order leaves out sample 3; each of the 4 samples must be visited in a pass"),
    ({"t": [1, 0, 2]}, "t must be of shape (N,), N = 4 as in X; found shape (3,)"),
    ({"t": [1, 1, 1, 1]}, "t must hold the class numbers 0..K-1, each of them and at least two, found [1.]"),
]


@pytest.mark.parametrize("named, words", TOLD, ids=[words for _, words in TOLD])
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
        lambda: smr.score_jacobian(w, i, 3),
        lambda: kernel_lms.stochastic_beta_step(i, w, T, w, 1.0),
        lambda: perceptron.dual_update(i, w, 0.0, 1.0),
        lambda: svm.pair_step(w, 1, i, T, [1, -1, 1]),
        lambda: svm.pair_step(w, i, 1, T, [1, -1, 1]),
    ):
        with pytest.raises((ValueError, TypeError), match=r"^[ijc] must be a (whole )?number"):
            call()
    assert smr.score_jacobian(w, np.uint8(1), 3).tolist() == [[0, 1, 0]] * 3
    with pytest.raises(IndexError, match="3 is out of bounds"):
        regularization.coordinate_step(3, w, T, w, 1.0)


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
        call(lambda w: logreg.gradient(w, np.eye(2), np.ones((2, 1))))

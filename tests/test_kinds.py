"""Exercises in which the reader derives, proves, builds: what is accepted, what is refused, and in which words."""

import json
import pathlib
import re
import sys
from dataclasses import replace
from datetime import date
from itertools import islice

import numpy as np
import pytest
from cases import slow

from linmodels import (
    datasets,
    design,
    glm,
    kernel_lms,
    kernels,
    lda,
    linear_regression,
    logistic_regression,
    naive_bayes,
    optimize,
    perceptron,
    regularization,
    special,
    svm,
)
from linmodels import least_squares_classifier as lsc
from linmodels.book import notebooks
from linmodels.exercises import Exercise, check, listing
from linmodels.exercises import glm as glm_exercises
from linmodels.exercises import lda as lda_exercises
from linmodels.exercises import linear_regression as linear_exercises
from linmodels.exercises import logistic_regression as logistic_exercises
from linmodels.exercises import one_line_many_losses as losses_exercises
from linmodels.exercises import perceptron as perceptron_exercises
from linmodels.exercises import regularization as regularization_exercises
from linmodels.exercises import softmax_regression as softmax_exercises
from linmodels.exercises import svm as svm_exercises
from linmodels.exercises.grading import language
from linmodels.exercises.grading.answers import Refused
from linmodels.exercises.grading.checker import Case, own_of
from linmodels.exercises.grading.derive import Derivation
from linmodels.exercises.grading.prove import TRIES
from linmodels.exercises.grading.reader import Reader, _merged, reader, stored
from linmodels.exercises.grading.trial import faults, survivors


@pytest.fixture(autouse=True)
def fresh_session(tmp_path, monkeypatch):
    monkeypatch.setenv("LINMODELS_READER", str(tmp_path / "kept.json"))
    yield
    reader.is_called("", keep=False)
    check.novikoff_proof.wrong = 0
    for task in listing():
        task.last = None


def derivation(start, *lines, letters=None, free_of=("d",), **more):
    letters = letters or {"X": "N d", "y": "N", "w": "d", "S": "symmetric d d", "a": "number", "t": "0 or 1"}
    told = {"stars": 2, "notes": "A 1", "ask": "Derive.", "hints": ("one", "two"), "name": "derived", "chapter": "01"}
    return Derivation(**told, start=start, lines=lines, letters=letters, free_of=free_of, **more)


SQUARE = derivation(
    "d(sum((X@w - y)**2), w)", "d((X@w - y) @ (X@w - y), w)", "2*d(X@w - y, w).T @ (X@w - y)", "2*X.T @ (X@w - y)"
)
pull = check.pull


# --- derivations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    {
        "signs and brackets": ("-t*d(ln(s(a)), a) - (1-t)*d(ln(1-s(a)), a)", *pull.lines[1:]),
        "one term after the other": (
            pull.lines[0],
            "-t*d(s(a), a)/s(a) - (1-t)*d(ln(1-s(a)), a)",
            "-t*(1-s(a)) - (1-t)*d(ln(1-s(a)), a)",
            "-t*(1-s(a)) + (1-t)*d(s(a), a)/(1-s(a))",
            "-t + t*s(a) + (1-t)*s(a)",
            "s(a) - t",
        ),
        "as in the notes": tuple(line.replace("s(", "σ(").replace("-", "−") for line in pull.lines),
        "line 1 repeated, a sign of equality, remarks": (pull.start, *(f"= {line}  # why" for line in pull.lines)),
        "many small steps": (*pull.lines[:3], "-t + t*s(a) + s(a) - t*s(a)", "s(a) - t + 0*a", "s(a) - t"),
    }.values(),
)
def test_every_way_to_the_pull_of_a_sample_is_right(lines):
    assert pull(*lines).ok and pull("\n".join(lines)).ok, pull.last


@pytest.mark.parametrize(
    "lines",
    [
        SQUARE.lines,
        ("d((X@w - y).T @ (X@w - y), w)", "2*d(X@w - y, w).T @ (X@w - y)", "2*X.T@X@w - 2*X.T@y"),
        (
            "d(w @ X.T @ X @ w - 2*y @ X @ w + y @ y, w)",
            "d(w @ X.T @ X @ w, w) - 2*X.T@y",
            "2*d(w, w).T @ X.T @ X @ w - 2*X.T@y",
            "2*X.T @ (X@w - y)",
        ),
        ("2*d(X@w - y, w).T @ (X@w - y)", "2*(X.T@X)@w - 2*(y@X)"),
    ],
)
def test_the_gradient_of_the_squared_error_has_many_right_ways(lines):
    assert SQUARE(*lines).ok, SQUARE.last


def test_vectors_may_be_read_as_columns():
    """As columns x xᵀ is a matrix, and wᵀw a number; as vectors of NumPy both are numbers."""
    outer = derivation("outer(w, w) @ y2", "w @ (w.T @ y2)", letters={"w": "d", "y2": "d"}, free_of=("outer",))
    assert outer("w @ w.T @ y2", "w @ (w.T @ y2)").ok, outer.last
    assert SQUARE("d((X@w - y).T @ (X@w - y), w)", "2*d(X@w - y, w).T @ (X@w - y)", "2*X.T@(X@w - y)").ok


@pytest.mark.parametrize("seed", [0, *slow(range(1, 30))])
@pytest.mark.parametrize("task", [t for t in listing() if isinstance(t, Derivation)], ids=lambda t: t.name)
def test_a_right_derivation_is_right_at_any_points(task, seed):
    assert task(*task.lines, seed=seed).ok, task.last


CHEATS = {
    "the answer at once": (pull, ["s(a) - t"]),
    "the sum rule, then the answer": (pull, [pull.lines[0], "s(a) - t"]),
    "the answer, padded": (pull, ["s(a) - t + 0*d(s(a), a)", "s(a) - t"]),
    "the answer minus and plus line 1": (pull, [f"s(a) - t + {pull.start} - ({pull.start})", "s(a) - t"]),
    "line 1 and the answer, weighed": (pull, [f"0.5*({pull.start}) + 0.5*(s(a) - t)", "s(a) - t"]),
    "line 1 again and again": (pull, [pull.start, f"{pull.start} + 0", f"1*({pull.start})"]),
    "a tautology": (pull, ["x - x"]),
    "zero": (pull, ["a - a"]),
    "a number": (pull, ["0.5"]),
    "no line": (pull, ["# nothing"]),
    "a number that is too large": (pull, ["1e308*1e308 - 1e308*1e308"]),
    "nan": (pull, ["ln(0 - 1)*0", "s(a) - t"]),
    "0/0": (pull, ["(a - a)/(a - a)", "s(a) - t"]),
    "a lambda": (pull, ["(lambda: 0)()"]),
    "an attribute": (pull, ["().__class__"]),
    "an attribute behind T": (pull, ["a.T.__class__"]),
    "a name of Python": (pull, ["__import__('os')"]),
    "a comparison": (pull, ["a == a"]),
    "an assignment": (pull, ["(z := 1)"]),
    "an if": (pull, ["s(a) - t if t else 0"]),
    "a list": (pull, ["[s(a) - t][0]"]),
    "a keyword": (pull, ["sum(a, axis=0)"]),
    "a text": (pull, ["'s(a) - t'"]),
    "d hidden in d": (pull, [f"d(a*({pull.start}), a) - a*d({pull.start}, a)", "s(a) - t"]),
    "a function that stands still": (pull, ["s(a) - t + 0*ln(s(a))", "s(a) - t"]),
    "the gradient at once": (SQUARE, ["2*X.T @ (X@w - y)"]),
    "the gradient after algebra": (SQUARE, [SQUARE.lines[0], "2*X.T @ (X@w - y)"]),
    "true for positive a only": (pull, [*pull.lines[:3], "s(a) - t + sqrt((a - 3)**2) - 3 + a"]),
    "true for three features only": (SQUARE, [SQUARE.lines[0], f"({SQUARE.lines[1]})*sum(w/w)/3"]),
    "nearly true": (pull, [*pull.lines[:3], "s(a) - t + 1e-8"]),
    "line 1, padded": (check.why_it_helps, [f"{check.why_it_helps.start} + 0"]),
    "y² = 1 at once": (check.why_it_helps, [check.why_it_helps.lines[-1]]),
    "the rule at once": (check.from_loss_to_rule, [check.from_loss_to_rule.lines[-1]]),
    "the rule with another sign": (check.from_loss_to_rule, ["w - eta*(1 - y*(w @ x + b))*y*x"]),
    "y² = 1 for special numbers": (check.why_it_helps, ["y*(w @ x + b) + eta*y*(x @ x + 1)"]),
}


@pytest.mark.parametrize(("task", "lines"), CHEATS.values(), ids=list(CHEATS))
def test_nothing_is_derived_without_deriving(task, lines):
    result = task(*lines)
    assert not result.ok and result.text
    assert not task(*lines, *task.lines[-1:]).ok


@pytest.mark.parametrize(
    ("line", "words"),
    {
        "2*X @ (X@w - y)": "the shapes do not fit in `2 * X @ (X @ w - y)`: (4, 3) and (4,)",
        "X.T @ (X@w - y)": "the factor 2 of `X.T @ (X @ w - y)` is missing",
        "4*X.T @ (X@w - y)": "a factor 2 is too much in `4 * X.T @ (X @ w - y)`",
        "2*X.T @ (y - X@w)": "the sign of the whole line is reversed",
        "2*X.T @ (X@w + y)": "the sign before `y` is wrong",
        "2*X.T @ X@w": "the term `y` of the line above",
        "sum((X@w - y)**2)": "line 3 is of shape (3,), line 4 is a number",
    }.items(),
)
def test_a_line_that_does_not_follow_is_told_its_numbers_and_its_slip(line, words):
    told = SQUARE(*SQUARE.lines[:2], line).text
    assert (told.startswith("line 4") and words in told) or (words.startswith("the term") and "does not follow" in told)


def test_what_is_lost_is_named_and_no_rule_that_was_not_used():
    """Sealed answers were told of the derivative of ln where t was lost."""
    for k, line, words in (
        (0, "-d(ln(s(a)), a) - (1-t)*d(ln(1-s(a)), a)", "the factor `t` is missing at `-d(ln(s(a)), a)`"),
        (0, "-t*d(ln(s(a)), a) - d(ln(1-s(a)), a)", "the factor `1 - t` is missing at `d(ln(1 - s(a)), a)`"),
        (1, "-d(s(a), a)/s(a) + (1-t)*d(s(a), a)/(1-s(a))", "the factor `t` is missing at `-d(s(a), a) / s(a)`"),
        (1, "-t*d(s(a), a) + (1-t)*d(ln(1-s(a)), a)", ""),
    ):
        told = pull(*pull.lines[:k], line).text
        assert "does not follow" in told and words in told, told
    assert "line 3 is true" in pull(f"line 2: {pull.lines[0]}", "line 3: s(a) - t").text


@pytest.mark.parametrize(
    ("line", "words"),
    {
        "-t*d(s(a), a)/s(a) - (1-t)*d(s(a), a)/(1-s(a))": "the sign before `(1 - t) * d(s(a), a) /",
        "-t/s(a) + (1-t)*d(s(a), a)/(1-s(a))": "the inner derivative is missing at `-t / s(a)`: that of `s(a)`",
        "-t*d(ln(s(a)), a)": "the term",
        "-t*d(s(a), b)/s(a)": "the second argument of d is the letter by which you differentiate",
        "-t*d(s(a))/s(a)": "d takes two arguments: `d(s(a))`",
        "-t*log(s(a))": "`log` is called ln here",
        "-t*logit(s(a))": "`logit(...)` is no function of this language; there are sum, outer",
        "-t*q": "`q` is no letter of this exercise; there are a, t",
        "-t*ln(s(a)": "Python cannot read it",
        "-t if a else 0": "`-t if a else 0` does not belong to this language",
        "a.real": "`.real`: the only thing after a point is .T",
        "np.exp(a)": "write exp, without np.: `np.exp(a)`",
        "np.log(a)": "write ln, without np.: `np.log(a)`",
        "np.sigmoid(a)": "write s, without np.: `np.sigmoid(a)`",
        "np.maximum(a, 0)": "`maximum(...)` is no function of this language; there are sum, outer",
        "np.dot(a, a) + 1": "a product is u @ v: `np.dot(a, a)`",
        "sum(a, axis=0)": "arguments have no names here: leave `axis=` out",
        "aᵀt": "`.Tt`: a * or a @ is missing after .T",
        "a'": "a transposed matrix X.T, without a prime",
        "norm(a)**2": "`norm(...)` is no function of this language; a length is sqrt(u @ u), and its square u @ u",
        "np.dot(a, a)": "a product is u @ v: `np.dot(a, a)`",
        "a.transpose()": "a transposed matrix is X.T: `a.transpose()`",
        "t(1 - a)": "a * is missing before the bracket: `t(1 - a)`",
        "s(a) - t = 0": "leave = 0 out",
        "e^(-a)": "write exp(-a)",
        "2a": "a * is missing in `2a`",
        "a.sum()": "`.sum`: the only thing after a point is .T",
    }.items(),
)
def test_what_is_wrong_with_a_line_is_named(line, words):
    assert words in pull(pull.lines[0], line).text


def test_what_stands_before_a_bracket_tells_the_sign_that_is_missing():
    assert "a @ is missing before the bracket: `X.T(" in SQUARE("2*X.T(X@w - y)").text
    assert "a * or a @ is missing before the bracket: `w(" in SQUARE("w(X@w - y)").text


@pytest.mark.parametrize(
    ("line", "slip"),
    {
        "y*(w @ x + b) + y**2*eta*(x @ x)": "the line above holds `y * (eta * y)`, and that is lost",
        "y*(w @ x + b)": "`y * (eta * y * x @ x)` and `y * (eta * y)`, and both are lost",
        "y*(w @ x + b - eta*y) + y**2*eta*(x @ x)": "the sign before `eta * y` is wrong",
        "y*(w @ x - b + eta*y*(x @ x) + eta*y) + 0": "the sign before `b` is wrong",
        "y*(w @ x) + y*y*eta*(x @ x) + y*y*eta - b*y": "the sign before `b * y` is wrong",
        "y*(w @ x + eta*y*(x @ x)) + b + eta*y": "the factor `y` is missing at `b` and `eta * y`",
        "y*(w @ x + eta*y*x + b + eta*y)": "`eta * y * x` is a vector, and is added to the number `w @ x`",
        "(y*w)*x": "* goes entry by entry, and x·x is (x @ x)",
        "y*(w @ x + b) + y**2*eta*(w @ x) + y**2*eta": "`w` stands where `x` belongs",
        "y*(w @ x + b) + y**2*eta*sum(x) + y**2*eta": "`sum(x)` is a sum of entries; `x @ x` sums their squares",
        "y*(w @ x + b) + y**2*eta*sqrt(x @ x) + y**2*eta": "`sqrt(x @ x)`: the root is too much",
        "y*(w @ x + b) + y**2/eta*(x @ x) + y**2*eta": "`y ** 2 / eta` must be a product",
        "y*(w @ x + b) + y**2*eta + y**2*eta": "the factor `x @ x` is missing",
        "y*(w @ x + b) + eta*y**3*(x @ x + 1)": "`y ** 3` must not have this power",
    }.items(),
)
def test_a_slip_in_opening_brackets_is_named(line, slip):
    assert slip in check.why_it_helps(line).text, check.why_it_helps.last


SPLIT = "-t*d(s(a), a)/s(a) + (1 - t)*d(s(a), a)/(1 - s(a))"
FRACTIONS = "-t*s(a)*(1 - s(a))/s(a) + (1 - t)*s(a)*(1 - s(a))/(1 - s(a))"


@pytest.mark.parametrize(
    ("lines", "words"),
    {
        (SPLIT, "-t*s(a)/s(a) + (1 - t)*s(a)/(1 - s(a))"): "the derivative of s(u) is s(u)*(1 - s(u))*d(u, a)",
        (SPLIT, "-t*(1 - s(a)) + (1 - t)*s(a)/(1 - s(a))"): "the derivative of s(u) is s(u)*(1 - s(u))*d(u, a)",
        (SPLIT, "-t*(1 + s(a)) + (1 - t)*s(a)*(1 + s(a))/(1 - s(a))"): "the derivative of s(u) is s(u)*(1 - s(u))",
        ("-t*d(s(a), a) + (1 - t)*d(s(a), a)",): "the derivative of ln(u) is d(u, a)/u",
        ("-d(t*(ln(s(a)) - ln(s(a))) + ln(s(a)) - 0*a, a)",): "does not follow",
        (SPLIT, FRACTIONS, "-t*s(a) + (1 - t)*(1 - s(a))"): "the wrong factor of the fraction is canceled",
        ("d(-t*ln(s(a)) - (1 - t)*(ln(1) - ln(s(a))), a)",): "of a difference is not the difference of the logarithms",
        ("d(-t*ln(s(a)) - (1 - t)*ln(s(1 - a)), a)",): "1 - s(u) is s(-u), not s(1 - u)",
        (
            "-ln(s(a)) + ln(1 - s(a)) - t*d(ln(s(a)), a) - (1 - t)*d(ln(1 - s(a)), a)",
        ): "t is held fixed: its derivative is 0",
    }.items(),
)
def test_a_rule_that_is_none_is_named(lines, words):
    assert words in pull(*lines).text, pull.last


def test_a_lost_d_and_a_lost_term_of_it_are_named():
    assert "is lost, and the sign is wrong" in pull("t*ln(s(a)) + (1 - t)*ln(1 - s(a))").text
    assert "the term `d(-((1 - t) * ln(1 - s(a))), a)` of the line above is lost" in pull("-t*d(ln(s(a)), a)").text


def test_a_step_of_two_rules_names_them():
    told = pull(pull.lines[0], pull.lines[2]).text
    assert "uses the derivative of ln and the derivative of σ: take one at a time" in told
    told = SQUARE(SQUARE.lines[0], SQUARE.lines[2]).text
    assert "uses the product rule and the derivative of what is linear" in told
    told = check.why_it_helps(check.why_it_helps.lines[-1]).text
    assert "uses that y is ±1 and the opening of brackets" in told
    for line in ("X.T @ d(s(X@w), w)", "d(X.T @ s(X@w), w)"):  # names s, and drops t
        told = check.curvature(line).text
        assert "uses what the functions are and the derivative of what is linear: take one at a time" in told


def test_where_nothing_is_differentiated_a_function_is_a_rule_and_not_its_derivative():
    one, two = "pi*(x*u + (1 - x)*(1 - u))", "(1 - pi)*(x*v + (1 - x)*(1 - v))"
    told = check.posterior_as_sigmoid(f"s(ln({one}/({two})))", check.posterior_as_sigmoid.lines[-1]).text
    assert told.endswith("uses what ln is and that x is 0 or 1: take one at a time"), told


def test_what_is_known_of_letters_is_a_rule_of_its_own():
    sym = derivation("S @ w - S.T @ w", "S @ w - S @ w", "0*w", free_of=())
    assert "that S is symmetric" in sym(*sym.lines).text and sym.last.ok
    unit = {"u": "d", "w": "d"}
    bound = {
        "bound": lambda letters: letters | {"u": letters["u"] / np.linalg.norm(letters["u"])},
        "bound_as": "‖u‖ = 1",
    }
    length = derivation("(u @ u)*(w @ w)", "w @ w", letters=unit, free_of=("u",), **bound)
    assert "that ‖u‖ = 1" in length(*length.lines).text and length.last.ok


def test_the_last_line_must_be_free_of_what_goes_and_simple():
    assert pull(*pull.lines[:2]).text == "3 lines, and each follows from the one before; the last one still holds d"
    assert pull(*pull.lines[:3]).text.endswith("the last one holds t 2 times, and once is enough")
    assert "holds y 2 times" in check.why_it_helps("y*(w @ x + b) + eta*y**2*(x @ x + 1)").text
    assert "that is the line which is given" in pull(pull.start).text
    assert pull(*pull.lines, "1/(1 + exp(-a)) - t").ok
    long = "s(a) - t + a + 1 - a - 1 + a + 2 - a - 2 + a - a"
    assert pull(*pull.lines, long).text.endswith("can be much simpler: multiply out, and cancel")


def test_a_second_derivative_is_one():
    curve = derivation("d(d(ln(1 + exp(a)), a), a)", "d(exp(a)/(1 + exp(a)), a)", free_of=())
    letters = {"a": np.array(0.3)}
    meaning = language.Meaning(letters, language.TRUE, language.derivative)
    p = 1 / (1 + np.exp(-0.3))
    for line in (curve.start, curve.lines[0]):
        assert np.isclose(language.value(language.read(line, letters), meaning), p * (1 - p), rtol=1e-9)


@pytest.mark.parametrize(
    "letters", [np.array([0.3, -1.0, 2.0]), np.array([[0.3], [-1.0], [2.0]])], ids=["(d,)", "(d, 1)"]
)
def test_derivatives_have_the_shapes_of_the_book(letters):
    A = np.arange(12.0).reshape(4, 3)
    meaning = language.Meaning({"w": letters, "A": A}, language.TRUE, language.derivative)
    of = lambda line: language.value(language.read(line, meaning.letters), meaning)  # noqa: E731
    np.testing.assert_allclose(of("d(sum(w**3), w)"), 3 * letters**2)
    np.testing.assert_allclose(of("d(A @ w, w)"), A)
    np.testing.assert_allclose(of("d(sum(A**2), A)"), 2 * A)
    np.testing.assert_allclose(of("d(d(sum(w**3), w), w)"), np.diag(6 * letters.ravel()), atol=1e-9)


def test_deep_and_long_lines_are_refused_and_not_computed():
    for line in (
        "-" * 300 + "a",
        "(" * 300 + "a" + ")" * 300,
        "d(" * 4 + "a" + ", a)" * 4,
        "a+" * 400 + "a",
        "9**9**9**9",
    ):
        with pytest.raises(Refused) if not line.startswith("9") else np.errstate(all="ignore"):
            language.read(line, {"a": "number"})
    assert not pull("9**9**9**9").ok


# --- proofs -----------------------------------------------------------------------------------------------------


def letters_of(proof):
    return {key: letter for letter, key in proof.dealt.items()}


def test_every_order_in_which_each_line_follows_is_a_proof():
    proof, rng = check.novikoff_proof, np.random.default_rng(0)
    for _ in range(30):
        above, rest = [], list(proof.lines)
        while rest:
            free = [key for key in rest if set(proof.lines[key].needs) <= set(above)]
            above.append(free[rng.integers(len(free))])
            rest.remove(above[-1])
        assert proof(" ".join(letters_of(proof)[key] for key in above)).ok


def test_a_line_out_of_place_is_told_what_it_uses():
    proof, at = check.novikoff_proof, letters_of(check.novikoff_proof)
    told = "it uses the square of the new length, that sample i was wrong and that no sample is longer than R"
    assert told in proof(at["longer"]).text
    assert "it stands above already" in proof(at["start"] * 2).text
    assert proof("start").status == "--" and "there is no such line" in proof("Z").text


def test_a_decoy_is_refuted_by_numbers_of_a_run():
    proof = check.novikoff_proof
    for key in proof.decoys:
        assert re.search(r"the chapter's (three )?samples .*\d", proof(letters_of(proof)[key]).text)


def test_the_two_sides_that_refute_a_decoy_differ():
    told = [decoy.refuted() for proof in listing() if proof.kind == "prove" for decoy in proof.decoys.values()]
    number = r"(-?[\d.]+)"
    sides = rf"is {number}(?:,? and [^,;:]* (?:is|side) (?:the number )?| on the left and ){number}"
    pairs = [pair for text in told for pair in re.findall(sides, text)]
    assert len(pairs) > 10 and all(float(a.rstrip(".")) != float(b.rstrip(".")) for a, b in pairs), pairs


def test_letters_are_dealt_anew_after_three_wrong_tries_and_for_another_reader():
    proof = check.novikoff_proof
    first = proof.dealt
    for _ in range(TRIES):  # true as far as it goes: no wrong try
        assert proof(letters_of(proof)["start"]).text == "each line follows; 11 more are needed"
    for _ in range(TRIES):
        assert proof.dealt == first
        proof(letters_of(proof)["bound"])
    assert proof.dealt != first and "new letters now" in proof.last.text
    proof.wrong = 0
    check.me("ann")
    assert proof.dealt != first


def test_no_order_at_random_is_a_proof():
    proof, rng = check.novikoff_proof, np.random.default_rng(1)
    for _ in range(200):
        order = "".join(rng.permutation(list(proof.dealt))[: len(proof.lines)])
        assert not proof(order).ok


# --- the reader's own numbers, and what is kept -----------------------------------------------------------------

OWN = [task for task in listing() if task.given and task.kind not in ("derive", "prove")]


@pytest.mark.parametrize("task", OWN, ids=lambda task: task.name)
def test_another_name_deals_other_numbers_and_the_same_name_the_same(task):
    dealt = {}
    for name in ("ann", "bob", "ann"):
        check.me(name)
        assert dealt.setdefault(name, task.given) == task.given
    assert dealt["ann"] != dealt["bob"]


def test_nothing_is_kept_without_the_readers_word(tmp_path):
    check.me("ann")
    check.add_bias(check.add_bias.answer)
    assert not (tmp_path / "kept.json").exists()


def test_signs_of_a_chinese_keyboard_are_read():
    typed = "-t×d(ln（s（a）），a） – (1-t)*d(ln(1-s(a)),a)"
    assert pull(pull.lines[0], typed).text == pull(pull.lines[0], "-t*d(ln(s(a)),a) - (1-t)*d(ln(1-s(a)),a)").text


def test_on_a_page_no_file_is_promised(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(sys, "platform", "emscripten")
    for keep in (False, True):
        check.me("ann", keep=keep)
        assert capsys.readouterr().out.endswith(
            "the browser keeps what you write and what is solved: the list of all exercises shows it\n"
        )
    check.add_bias(check.add_bias.answer)
    assert not (tmp_path / "kept.json").exists()


def test_verdicts_dates_and_tries_are_kept_for_each_reader(tmp_path, capsys):
    check.me("ann", keep=True)
    assert "kept.json" in capsys.readouterr().out
    check.add_bias(lambda X: X)
    check.add_bias(check.add_bias.answer)
    check.add_bias(check.add_bias.answer)
    check.me("bob", keep=True)
    assert reader.verdicts == {}
    kept = json.loads((tmp_path / "kept.json").read_text("utf-8"))
    assert kept["ann"]["add_bias"]["tries"] == 2 and kept["ann"]["add_bias"]["solved"] == date.today().isoformat()
    check.me("ann")  # whoever has agreed once need not agree again
    assert reader.keeps and reader.verdicts["add_bias"]["tries"] == 2


@pytest.mark.parametrize("damaged", ["{", "[1]", "[" * 100_000, "null", '{"ann": ', '{"ann": 5} x'])
def test_a_damaged_file_is_put_aside_and_costs_no_verdict(tmp_path, capsys, damaged):
    (tmp_path / "kept.json").write_text(damaged)
    check.me("ann", keep=True)
    assert "could not be read and is now" in capsys.readouterr().out
    assert (tmp_path / "kept.json.damaged").read_text() == damaged
    assert check.add_bias(check.add_bias.answer).ok


def test_entries_that_no_session_has_written_are_left_out(tmp_path):
    (tmp_path / "kept.json").write_text(json.dumps({"ann": {"softmax": 3, "gram": {"tries": 2}}, "bob": [], "eve": 5}))
    check.me("ann")
    assert reader.verdicts == {"gram": {"tries": 2}} and check.gram(check.gram.answer).ok


@pytest.mark.parametrize("entry", [{"solved": 3}, {"numbers": ["x"]}, {"best": "0.1"}, {"tries": "2"}, {"last": []}])
def test_an_entry_with_a_field_of_another_kind_is_left_out(tmp_path, entry):
    (tmp_path / "kept.json").write_text(json.dumps({"ann": {"softmax": {"tries": 1} | entry}}))
    assert stored(tmp_path / "kept.json") == {"ann": {}}


def test_two_sessions_of_a_reader_lose_nothing(tmp_path):
    check.me("ann", keep=True)
    check.add_bias(check.add_bias.answer)
    other = Reader()
    other.is_called("ann", keep=True)
    other.note("gram", "ok", "right")
    check.softmax(check.softmax.answer)
    assert {"add_bias", "gram", "softmax"} <= json.loads((tmp_path / "kept.json").read_text("utf-8"))["ann"].keys()


def test_where_nothing_can_be_kept_it_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("LINMODELS_READER", str(tmp_path / "none" / "kept.json"))
    check.me("ann", keep=True)
    assert re.search("nothing is kept: .* cannot be written", capsys.readouterr().out)
    assert check.add_bias(check.add_bias.answer).ok


def test_the_table_shows_what_was_solved_before(tmp_path):
    check.me("ann", keep=True)
    check.add_bias(check.add_bias.answer)
    check.me("bob")
    assert "not tried yet" in repr(check).splitlines()[0]
    check.me("ann")
    solved = f"01 [ok] add_bias: solved on {date.today().isoformat()}"
    assert repr(check).splitlines()[0] == solved
    check.add_bias(lambda X: X)
    assert repr(check).splitlines()[0] == f"{solved}; the last answer is not right"


def test_what_was_solved_stays_solved_in_the_table_of_a_session():
    check.add_bias(check.add_bias.answer)
    check.add_bias(lambda X: X)
    check.softmax(lambda A: A)
    lines = repr(check).splitlines()
    assert lines[0].startswith("01 [ok] add_bias: solved on ") and any("[--] softmax" in line for line in lines)


def test_a_class_shares_its_numbers_and_each_keeps_verdicts_of_his_own(tmp_path, capsys):
    task, dealt = OWN[0], set()
    for name in ("ann", "bob"):
        check.me(name, keep=True, numbers=" class 5")
        assert "own numbers and letters of proofs are those of 'class 5' now" in capsys.readouterr().out
        check.add_bias(check.add_bias.answer)
        dealt.add(task.given)
    assert len(dealt) == 1 and json.loads((tmp_path / "kept.json").read_text("utf-8")).keys() == {"ann", "bob"}
    check.me("bob")
    assert task.given not in dealt
    with pytest.raises(ValueError, match="numbers must be a text"):
        check.me("ann", numbers=5)


def test_a_name_given_late_takes_along_what_has_no_numbers_of_its_own(tmp_path, capsys):
    check.add_bias(check.add_bias.answer)
    check.odds_and_back(1, 2, 3)
    check.me("zoe", keep=True)
    assert "answered with other numbers: odds_and_back\n" in capsys.readouterr().out
    assert json.loads((tmp_path / "kept.json").read_text("utf-8"))["zoe"].keys() == {"add_bias"}
    assert check.add_bias.last.ok and check.odds_and_back.last is None
    check.me("bob", keep=True)
    assert check.add_bias.last is None and reader.verdicts == {}


def test_a_verdict_and_the_file_say_whose_numbers_were_asked(tmp_path):
    assert repr(check.odds_and_back(1, 2, 3)) == repr(check.odds_and_back(1, 2, 3)).partition(" (numbers of")[0]
    assert repr(check.novikoff_proof("A")).partition(" (letters of")[1] == ""
    check.me("cat", keep=True, numbers="ann")
    assert repr(check.novikoff_proof("A")).endswith(" (letters of ann)")
    assert repr(check.odds_and_back(1, 2, 3)).endswith(" (numbers of ann)")
    assert "numbers of" not in repr(check.add_bias(check.add_bias.answer))
    kept = json.loads((tmp_path / "kept.json").read_text("utf-8"))["cat"]
    assert kept["odds_and_back"]["numbers"] == "ann" and "numbers" not in kept["add_bias"]


def test_a_name_is_a_text(capsys):
    for name in ("", " ", 3, None):
        with pytest.raises(ValueError, match="name must be a text"):
            check.me(name)
    for given in ((), (...,)):
        check.me(*given)
        assert reader.name == "" and capsys.readouterr().out == f"{check.me!r}\n"
    check.me("cat", numbers="ann")
    assert repr(check.me) == "cat, with the numbers of ann"


def test_a_hint_speaks_to_the_last_verdict():
    pull(pull.lines[-1])
    assert pull.hint().startswith("Write a line that uses only the first of these rules")
    assert pull.hint(2).startswith("hint 2 of 3: ")
    pull(*pull.lines)
    assert pull.hint().startswith("hint 1 of 3: ")


@pytest.mark.parametrize(
    "room",
    [logistic_exercises, softmax_exercises, lda_exercises, perceptron_exercises, losses_exercises],
    ids=lambda room: room.chapter,
)
def test_each_slip_of_a_question_of_the_text_is_told_in_its_own_words(room):
    for cell, question in room.before.items():
        assert check.before(cell, *np.ravel(question.answer())).ok
        for words, wrong in question.slips.items():
            assert check.before(cell, *np.ravel(wrong())).text == words


def test_a_question_of_the_text_is_answered_before_its_fold():
    assert check.before("ch09-improves", 117).ok and check.before("ch09-improves", ...).status == "  "
    assert check.before("ch09-plane", -1, 3).text == "divide the score by the length of w"
    assert check.before("ch09-plane", -1).text == "give 2 numbers: check.before('ch09-plane', ..., ...)"
    assert check.before("ch09-wrong", [3]).ok and check.before("ch09-wrong", "three").text == "give numbers, not a text"
    assert "no; think once more" in check.before("ch09-improves", 5).text
    assert [check.before("ch08-free", n, 10).ok for n in (1022, 1023, 1025)] == [False, True, False]
    assert [check.before("ch08-tiny", n).ok for n in (1073, 1075, 1076)] == [False, True, False]
    assert not check.before("ch08-lottery", 0.999).ok and check.before("ch08-lottery", 1).ok
    assert check.before("ch08-mail", 0.87).text == check.before("ch08-shared", 88).text == "give three digits"
    assert "no; think once more" in check.before("ch08-free", 1000, 10).text
    assert [check.before("ch03-cold", v).ok for v in (0, 0.001, -0.004)] == [True, False, False]  # 0 has all its digits
    assert check.before("ch12-cost", 615000, 785).text.startswith("give all digits")
    assert check.before("ch08-free", 1023, ...).text == "give numbers: number 2 of 2 is still ..."
    assert check.before("ch08-free", ..., ...).status == "  "
    assert check.before("ch01-border", -0.904, -1.004, -1.105).ok
    told = check.before("ch01-border", -0.90, -1.00, -1.10).text  # three digits, but not three decimals
    assert told == "give the third decimal too: at the border it decides"


# --- loops, faulty programs, projects ---------------------------------------------------------------------------


def test_of_a_loop_the_first_mistake_that_differs_is_told():
    def forgets(X, y, max_rounds):
        w, b, mistakes = check.learn.answer(X, y, max_rounds)
        return w, b, mistakes[:3]

    def strays(X, y, max_rounds):
        w, b, mistakes = check.learn.answer(X, y, max_rounds)
        return w, b, np.where(np.arange(len(mistakes)) == 1, 9, mistakes)

    assert "the first 3 are right, but it ends too early: there must be " in check.learn(forgets).text
    assert re.search("mistakes: the first is right, then mistake 2 is 9 where [0-9] is right", check.learn(strays).text)


def test_a_row_of_a_path_that_is_no_number_asks_for_a_division_by_0():
    def from_0(X, y, C, eta, steps):
        return np.zeros(X.shape[1]), 0.0, np.full(steps, np.nan)

    assert re.search(r"losses: already step 1 is nan .* divided by 0", check.hinge_descent(from_0).text)


def test_a_data_set_finds_out_each_faulty_program_but_one_or_says_who_is_alive():
    task = check.kill_the_mutants
    assert task(task.example).ok
    told = task(lambda: (np.array([[0.0], [5.0]]), np.array([-1.0, 1.0]))).text
    assert re.search(r"^\d of 5 are found out; on your data nobody notices that program \d", told)
    to_and_fro = np.array([[-2.0], [1.0], [2.0], [0.0], [-2.0]]), np.array([-1.0, 1.0, 1.0, -1.0, -1.0])
    told = replace(task, faults=task.faults[:1])(lambda: to_and_fro).text
    assert told.endswith("on your data it shows that program 3 adds 1 to b at every update")


def test_a_model_that_looks_at_the_new_samples_is_found_out():
    def leaks(X, t, X_new):
        return check.eights.answer(X, t, X_new - X_new.mean(axis=0) + X.mean(axis=0))

    def by_luck(X, t, X_new):
        return np.random.default_rng().choice([-1.0, 1.0], len(X_new))

    def remembers(X, t, X_new):
        seen.update(zip(map(bytes, X), t, strict=True))
        return np.array([seen.get(bytes(x), -1.0) for x in X_new])

    def writes(X, t, X_new):
        X *= 0
        return np.full(len(X_new), -1.0)

    seen, answers = {}, dict(zip(map(bytes, check.eights.data()[0]), check.eights.data()[1], strict=True))
    short = replace(check.eights, splits=2)
    assert "changes with the other rows of X_new" in short(leaks).text
    assert "two runs on the same data differ" in short(by_luck).text
    assert "keep nothing between two calls" in short(remembers).text
    assert "does your function look the answers up" in short(lambda X, t, Z: [answers[bytes(x)] for x in Z]).text
    assert "it overwrites its arguments" in short(writes).text
    strict = replace(short, mark=0.5, worst=0.05)(lambda X, t, X_new: np.where(X_new[:, 30] > 0, 1.0, -1.0)).text
    assert "% wrong on one split, and none may have more than 5.0 % wrong" in strict
    assert "the other way round" in short(lambda *data: -check.eights.answer(*data)).text
    assert "one number for each row of X_new" in short(lambda X, t, X_new: t).text
    assert short(lambda X, t, X_new: 0 * X_new[:, 0]).text == "predictions must be -1 and +1 only"
    assert "it says the same of every sample" in short(lambda X, t, X_new: np.full(len(X_new), -1.0)).text
    with np.errstate(invalid="ignore"):
        unscaled = short(lambda X, t, X_new: ((X_new - X.mean(axis=0)) / X.std(axis=0)).sum(axis=1))
    assert "column 0 of X never changes: its spread is 0" in unscaled.text
    assert "no split reaches it" in short(lambda X, t, X_new: np.where(X_new[:, 30] > 0, 1.0, -1.0)).text


def test_a_certificate_is_a_proof_for_the_set_that_no_line_separates():
    X, y, V, z = own_of(check.prove_which, 0)
    assert perceptron.certificate(X, y).separable != perceptron.certificate(V, z).separable
    w, b, alpha = check.prove_which.example(X, y, V, z)
    assert check.prove_which(lambda *own: (w, b, 7 * alpha)).ok
    assert not check.prove_which(lambda *own: (-w, -b, alpha)).ok


# --- chapter 04 -------------------------------------------------------------------------------------------------


def test_the_pulls_are_named_one_by_one_and_a_doubled_p_is_no_doubled_score():
    ask, (p, t, length) = check.who_pulls, check.who_pulls.numbers.values()
    now = np.abs(p - t) * length
    q = 1 / (1 + ((1 - p) / p) ** 2)
    assert ask(now, [float(f"{x:.3g}") for x in np.abs(q - t) * length]).ok
    assert ask(now, np.round(np.abs(q - t) * length, 3)).text == ("now is right; doubled: give three digits")
    assert ask(p * length, q * length).text == "those are p times the length: where does the label enter?"
    assert ask(now, 2 * now).text == "doubled: w is doubled, and not the pull"
    for doubled in (2 * p, np.minimum(2 * p, 1)):
        assert ask(now, np.abs(doubled - t) * length).text.startswith("doubled: you doubled p")


def test_a_formula_is_broken_by_cutting_and_by_rounding():
    ask = check.break_the_formula
    assert ask(lambda: (80, 80, 33.9, np.log1p(np.exp(-33.9)))).ok
    assert "more than half of the exact loss" in ask(lambda: (60, 60, 34, 1)).text
    assert "at b = 36 the program cuts p" in ask(lambda: (100, 100, 36, np.exp(-36))).text
    assert "is wrong by 0.1 %" in ask(lambda: (100, 100, 30, np.exp(-30))).text
    for naive in (np.log(1 + np.exp(-34)), -np.log(1 / (1 + np.exp(-34)))):
        assert "both round 1 + e^-b first" in ask(lambda naive=naive: (100, 100, 34, naive)).text


SLOPES = "s(X@w)*(1 - s(X@w))"


@pytest.mark.parametrize(
    "lines",
    {
        "σ first": ("d(X.T @ (σ(X·w) - t), w)", f"Xᵀ@diag({SLOPES})@X"),
        "the quotient rule first": (
            "X.T @ diag(exp(X@w)/(1 + exp(X@w)) - exp(X@w)**2/(1 + exp(X@w))**2) @ X",
            "X.T @ diag(s(X@w) - s(X@w)**2) @ X",
        ),
        "the chain rule apart": (
            *check.curvature.lines[:3],
            f"X.T @ diag({SLOPES}) @ d(X@w, w)",
            f"X.T@diag({SLOPES})@X",
        ),
    }.values(),
)
def test_the_hessian_has_many_right_ways(lines):
    assert check.curvature(*lines).ok, check.curvature.last


def test_a_slope_that_is_missing_in_a_product_is_named():
    told = check.curvature(check.curvature.lines[0], "X.T @ X").text
    assert told.endswith("the derivative of s(a) is s(a)*(1 - s(a)): it is missing between `X.T` and `X`")


def test_newtons_proof_needs_a_reason_why_H_has_an_inverse():
    proof, at = check.newton_proof, letters_of(check.newton_proof)
    assert "it uses that H has an inverse, and nothing above says so" in proof(at["step"]).text
    told = proof(f"{at['Hessian']} {at['columns']} {at['definite']}").text
    assert "it uses that R is positive, and nothing above says so" in told


def _descended(X, t, eta, tol, max_steps, late=False):
    w, losses = [0.0] * X.shape[1], []
    while len(losses) < max_steps:
        p = 1 / (1 + np.exp(-X @ np.array(w)))
        slopes = [(p - t) @ column for column in X.T]
        if all(abs(slope) <= tol for slope in slopes) and not (late and not losses):
            break
        w = [one - eta * slope for one, slope in zip(w, slopes, strict=True)]
        p = 1 / (1 + np.exp(-X @ np.array(w)))
        losses.append(-np.log(np.where(t == 1, p, 1 - p)).sum())
    return w, losses


def test_a_descent_may_be_written_in_any_way_and_tests_before_its_first_step():
    assert check.descend(_descended).ok
    told = check.descend(lambda *data: _descended(*data, late=True)).text
    assert told == "where the gradient is small at the start no step is made: test before each step"


@pytest.mark.parametrize("seed", range(12))
def test_a_fault_is_shown_by_data_and_by_a_program_that_is_mended(seed):
    task = check.mend_the_loop
    (program,) = own_of(task, seed)
    line, X, t, w = task.example(program)
    told = lambda *made: task(lambda program: made, seed=seed).text  # noqa: E731
    assert told(line, X.tolist(), t, w.round(5)) == "yes, that is one"
    for other in range(1, 14):
        if other != line:
            assert told(other, X, t, w) == f"data and w are right, but line {other} may stay as it is"
    assert "the fault does not show" in told(line, [[1], [-1], [1], [-1]], [1, 0, 0, 1], [0, 0]) or program in (2, 4)
    assert "your data show the fault, but" in told(line, X, t, w + 1)
    namespace = {"np": np}
    exec(task.shows(program), namespace)  # the text can be copied as it stands
    faulty, _ = namespace["train"](X.copy(), t, 1.0, 20)
    assert np.allclose(faulty, w) or "it is that of" in told(line, X, t, faulty) or "as it stands" in task.last.text


def test_where_half_runs_away_what_is_missed_is_said_in_the_readers_numbers():
    task, pairs = check.half_runs_away, [[0, 1, 1], [0, 1, 1], [0, 3, 1], [0, 3, 1]]
    told = lambda rows, t, v: task(lambda: (rows, t, v)).text  # noqa: E731
    thirds = [[1 / 3, 2 / 3, 1]] * 2 + [[0.1, 0.9, 1]] * 2 + [[0, 0, 1]]
    assert told(thirds, [0, 1, 1, 0, 0], [7, 7, -7]) == "yes, that is one"
    lost = told([*pairs, [2, 0, 1], [3, 0, 1]], [0, 1, 0, 1, 0, 1], [1, 0, 0])
    assert lost == "along v sample 4 loses: its label is 0, and v·x is 2"
    assert told([*pairs, [2, 0, 1]], [0, 1, 0, 1, 1], [-1, 0, 0]).endswith("v·x is -2; with -v no sample loses")
    assert "only one place there has both labels, (0, 1)" in told([*pairs, [2, 0, 1]], [0, 1, 0, 0, 1], [1, 0, 0])
    assert told(pairs, [0, 1, 0, 1], [1, 0, 0]).startswith("the rank of X is 2, not 3")


def test_half_runs_away_along_the_direction_that_fit_finds():
    X, t, v = check.half_runs_away.example()
    found = logistic_regression.fit(X, t)
    assert not found.converged and np.allclose(found.direction / np.linalg.norm(found.direction), v)
    p = logistic_regression.posterior(logistic_regression.fit(X, t, lam=1e-6).w, X)
    still = X @ v == 0
    assert np.all(np.abs(p - 0.5)[still] < 0.01) and np.all(np.abs(p - t)[~still] < 0.01)


def test_a_dual_point_proves_how_far_the_minimum_is():
    task, rng = check.prove_the_minimum, np.random.default_rng(0)
    X, t, lam = own_of(task, 0)
    w, p = task.example(X, t, lam)
    best = logistic_regression.loss(w, X, t, lam)
    for q in (p, *rng.uniform(0.01, 0.99, (50, 100))):  # no q proves more than is so
        entropy = -np.sum(q * np.log(q) + (1 - q) * np.log(1 - q))
        assert entropy - np.sum((X.T @ (q - t)) ** 2) / (2 * lam) <= best + 1e-9
    free = logistic_regression.fit(X, t, design.free_bias(lam, 3)).w
    for made, words in {
        "start": ((np.zeros(3), np.full(100, 0.5)), "your q belongs to your w, so go on with w"),
        "q": ((w, np.full(100, 0.5)), "your w is good enough, and your q does not show it"),
        "w": ((np.zeros(3), p), "your q is good enough, and your w is not"),
        "other label": ((w, 1 - p), "your q are the probabilities of t = 0"),
        "bias": ((free, logistic_regression.posterior(free, X)), "with a free bias; here lam acts on the bias, too"),
    }.values():
        told = task(lambda *own, made=made: made).text
        assert re.match(r"by your numbers the minimum may be [\de.+-]+ lower", told) and told.endswith(words), told
    assert task(lambda *own: (-X.T @ (p - t) / lam, p)).ok


# --- chapter 09 -------------------------------------------------------------------------------------------------


def simplex(n):
    """n vectors with x_i·x_j = -1 and ‖x_i‖² = n - 1, with rounding."""
    return np.sqrt(n) * (np.eye(n) - 1 / n), np.where(np.arange(n) % 2, 1.0, -1.0)


def signs(n):
    """The rows of a Hadamard matrix without its column of ones."""
    H = np.array([[1.0]])
    while len(H) < n:
        H = np.block([[H, H], [H, -H]])
    return H[:, 1:], np.repeat([1.0, -1.0], n // 2)


@pytest.mark.parametrize("made", [simplex(5), simplex(9), signs(8), check.nothing_wasted.example()], ids=len)
def test_where_nothing_is_wasted_the_updates_are_the_bound_of_the_best_line(made):
    X, y = made
    assert check.nothing_wasted(lambda: made).ok and check.nothing_wasted(lambda: (X[::-1], -y)).ok
    w, b = y @ X, y.sum()  # on which the run ends: each sample is used once
    assert np.isclose(perceptron.novikoff_bound(w, b, X, y), len(X))
    middle = np.append(w, b) / len(X)  # the mean of the y(x, 1): for no (w, b) of length 1 is the smallest margin above
    assert np.isclose(perceptron.margin(w, b, X, y), np.linalg.norm(middle))  # the mean margin, middle·(w, b)
    if np.all(X == np.rint(X)):
        assert perceptron.fit(X, y).n_iter == len(X)


@pytest.mark.parametrize(
    ("X", "y", "words"),
    {
        "four samples": (*simplex(4), "at least five samples are asked for; you give 4"),
        "one class": (simplex(5)[0], np.ones(5), "y must hold -1 and +1, both of them"),
        "repeated": (np.repeat(simplex(3)[0], 2, axis=0), simplex(6)[1], "two of your samples are the same"),
        "a label too few": (simplex(5)[0], simplex(4)[1], "yours are of shape (5, 5) and (4,)"),
        "three that are not used": ([[1, 0], [-1, 0], [2, 0], [2, 1], [2, 2]], [1, -1, 1, 1, 1], "2 of your 5 samples"),
        "two lengths": (np.diag([3, 3, 3, 3, 9]) - 1, [1, -1, 1, -1, 1], "the proof takes R for each"),
        "no line": (np.vstack([np.eye(3), -np.eye(3)]), [1, -1, 1, 1, -1, 1], "grows by less than R²"),
    }.values(),
)
def test_what_is_wasted_is_told_with_its_numbers(X, y, words):
    assert words in check.nothing_wasted(lambda: (np.array(X, float), np.array(y, float))).text


def test_each_of_the_four_counts_is_judged_alone():
    told = check.predict_the_updates
    assert told(11, 205, 4, 214).ok
    assert told(704, 205, 4, 214).text == "from zero, (w, b) is eta times a sum: what is its sign for?"
    assert told(704, 11, 4, 99).text.startswith("start is right; from zero, (w, b) is eta times a sum")
    assert told(11, 999, 4, 256).text.startswith("step and start are right; the last of the long steps")
    assert "11" not in told(12, 205, 4, 214).text


# --- a teacher's own --------------------------------------------------------------------------------------------


def _halve(x):
    return x / 2


def halved(**other):
    told = {
        "stars": 1,
        "notes": "A 1",
        "ask": "Return the half of x, a number. This question is only long enough to be one.",
        "hints": ("Divide.", "By two."),
        "answer": _halve,
        "mistakes": (
            ("/ 2", "* 2", "that is the double"),
            ("/ 2", "/ 3", "that is a third"),
            ("/ 2", "- 2", "that is two less"),
            ("/ 2", "// 2", "// drops the fraction"),
        ),
        "cases": lambda rng: [Case("a number", (float(rng.normal()),))],
    }
    return Exercise(**(told | other))


def test_a_teachers_exercise_is_known_to_check():
    check.add(halved=halved())
    try:
        assert check.halved(lambda x: 0.5 * x).ok and "halved" in dir(check)
        assert list(faults(check.halved)) == []
    finally:
        from linmodels.exercises import _by_name

        _by_name().pop("halved")


def test_what_is_not_an_exercise_or_has_a_name_of_the_book_is_not_added():
    with pytest.raises(ValueError, match="gram is an exercise of the book"):
        check.add(gram=halved())
    with pytest.raises(TypeError, match="found int"):
        check.add(other=3)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"cases": lambda rng: [Case("zero", (0.0,))]}, "a mistake passes, so a case is missing"),
        ({"mistakes": (("x + 1", "x", "no"),) * 4}, "must stand once in the answer"),
        ({"hints": ("One.",)}, "give 2 or 3 hints"),
        ({"ask": "Return the half of the number that is given, whatever it may be."}, "ask must name the argument x"),
        ({"mistakes": (("/ 2", "* 2", "that is the double"),)}, "list at least 4 mistakes"),
    ],
    ids=["zeros only", "an edit that is not there", "one hint", "a name that is not asked", "one mistake"],
)
def test_the_trial_says_what_is_wrong_with_an_exercise(other, words):
    task = halved(**other)
    task.name = "halved"
    assert any(words in fault for fault in faults(task))


def test_the_trial_names_changes_that_pass():
    task = halved(cases=lambda rng: [Case("zero", (0.0,))])
    task.name = "halved"
    assert "def _halve(x):\n    return x / 3" in list(survivors(task)) and list(survivors(halved(name="halved"))) == []


# --- chapter 03 -------------------------------------------------------------------------------------------------


def test_the_mean_of_a_family_may_be_derived_with_inner_products_and_in_greek():
    derive = check.slope_is_the_mean
    assert derive(
        "1/sum(b*exp(eta*y))*d(sum(b*exp(eta*y)), eta)",
        "(b @ d(exp(eta*y), eta))/sum(b*exp(eta*y))",
        "(b @ (exp(eta*y)*y))/(b @ exp(eta*y))",
    ).ok
    assert derive("d(sum(b*exp(η*y)), η)/sum(b*exp(η*y))", "Σ(b*y*exp(η*y))/Σ(b*exp(η*y))").ok
    for wrong in ("sum(d(ln(b*exp(eta*y)), eta))", "d(sum(b*exp(eta*y)), eta)", "sum(b*exp(eta*y))/sum(b*exp(eta*y))"):
        assert "does not follow" in derive(wrong).text


def test_the_gradient_of_all_counts_may_begin_with_the_sum_rule():
    derive, last = check.residuals_of_all, "X.T @ (exp(X@w) - y)"
    apart = "d(sum(exp(X@w)), w) - d(sum(y*ln(exp(X@w))), w)", "d(sum(exp(X@w)), w) - d(sum(y*(X@w)), w)"
    assert derive(*apart, "d(sum(exp(X@w)), w) - X.T @ y", last).ok
    assert derive("d(sum(exp(X@w)) - y @ (X@w), w)", "(exp(X@w) - y) @ X").ok
    assert "the shapes do not fit" in derive("d(sum(exp(X@w) - y*(X@w)), w)", "X @ (exp(X@w) - y)").text
    assert "does not follow" in derive("d(sum(exp(X@w) - y*exp(X@w)), w)").text


def test_irls_may_be_written_as_newtons_method_or_with_roots():
    def newton(X, y, tol, max_steps):
        w, W, step = np.append(np.zeros(X.shape[1] - 1), np.log(np.mean(y))), [], np.inf
        while len(W) < max_steps and np.max(np.abs(step)) > tol:
            m = np.exp(X @ w)
            step = np.linalg.solve(X.T @ np.diag(m) @ X, X.T @ (y - m))
            w = w + step
            W.append(w)
        return W, np.exp(X @ w)

    def beside(X, y, tol, max_steps):
        W, m = newton(X, y, tol, max_steps)
        return np.array(W) - 0.01, m

    assert check.reweighted(newton).ok
    late = check.reweighted(lambda *given: (newton(*given)[0][1:], newton(*given)[1]))
    assert "the first entry or row is missing" in late.text
    assert check.reweighted(beside).text == "m is right; path: each value is 0.01 too small"


def test_zeros_may_run_away_on_either_side_but_no_positive_count():
    X = [[3.0, 1, 1], [5, 2, 1], [1, 0, 1], [4, 5, 1], [0, 3, 1]]
    away = [1.0, -2, -1]  # x_1 - 2 x_2 = 1 holds for the first three
    assert check.zeros_run_away(lambda: (X, [4, 1, 0, 0, 0], away)).ok
    assert check.zeros_run_away(lambda: (X, [4, 1, 0, 0, 7], away)).text.startswith("v·x is not 0 for a count above 0")
    assert check.zeros_run_away(lambda: (X[:2] + X[3:], [4, 1, 0, 0], away)).text.startswith("another zero must stay")


def test_each_slip_of_a_question_of_chapter_03_is_told_in_its_own_words():
    for cell, question in glm_exercises.before.items():
        assert check.before(cell, *np.ravel(question.answer())).ok
        for words, wrong in question.slips.items():
            assert check.before(cell, *np.ravel(wrong())).text == words


def test_that_the_slope_begins_with_0_needs_the_chain_rule_only():
    task = check.one_minimum
    letters = {key: letter for letter, key in task.dealt.items()}
    others = [letters[key] for key in task.lines if key not in ("flat", "rises", "smallest")]
    ends = [letters["rises"], letters["smallest"]]
    assert task(" ".join([letters["flat"], *others, *ends])).ok
    assert task(" ".join([*others, letters["flat"], *ends])).ok
    assert "it uses that the slope begins with 0" in task(" ".join([*others, *ends])).text


@pytest.mark.slow
def test_neither_a_constant_nor_a_line_through_logarithms_predicts_the_boats():
    def standard(X, X_new):
        center, spread = X.mean(axis=0), X.std(axis=0)
        return design.augment((X - center) / spread), design.augment((X_new - center) / spread)

    def loglinear(X, t, X_new):
        A, B = standard(X, X_new)
        return np.maximum(np.exp(B @ linear_regression.least_squares(A, np.log1p(t))) - 1, 0.01)

    def poisson(X, t, X_new):
        A, B = standard(X, X_new)
        return np.exp(B @ glm.fit(A, t, glm.poisson).w)

    project = check.boats_to_come
    for seed in range(30):
        assert project(project.answer, seed=seed).ok
        assert 3.4 < project(loglinear, seed=seed).score < 4.3
    assert project(poisson).score > 5
    assert "above 0" in project(lambda X, t, X_new: np.zeros(len(X_new))).text
    assert project(lambda X, t, X_new: np.full(len(X_new), t.mean())).text.startswith("7.4")


# --- chapter 02 -------------------------------------------------------------------------------------------------


def test_each_slip_of_a_question_of_chapter_02_is_told_in_its_own_words():
    for cell, question in regularization_exercises.before.items():
        assert check.before(cell, *np.ravel(question.answer())).ok
        for words, wrong in question.slips.items():
            assert check.before(cell, *np.ravel(wrong())).text == words


@pytest.mark.parametrize("name", ["ann", "bob", "li"])
def test_a_path_and_one_weight_are_found_on_paper(name):
    check.me(name)
    y = np.asarray(check.predict_the_path.numbers["y"])
    rows = [np.sign(y) * np.maximum(abs(y) - half, 0) for half in (0, 1, 2, 4)]
    assert check.predict_the_path(rows).ok and {0.0} < {*rows[2]} and rows[3].any()
    x, y, lam = check.one_weight.numbers.values()
    grid = np.linspace(-10, 10, 200_001)
    error = np.sum((np.outer(grid, x) - y) ** 2, axis=1)
    ridge, lasso = (grid[np.argmin(error + lam * size)] for size in (grid**2, abs(grid)))
    assert np.allclose([ridge, lasso], check.one_weight.answer(x, y, lam)[:2], atol=1e-4)
    limit = check.one_weight.answer(x, y, lam)[2]
    above, below = (regularization.lasso(x[:, None], y, part * limit).w for part in (1.001, 0.99))
    assert above == 0 != below


@pytest.mark.parametrize(
    "lines",
    {
        "brackets first": (
            "d(w @ X.T @ X @ w - 2*(y @ X @ w) + y @ y + lam*(w @ w), w)",
            "d(w @ X.T @ X @ w, w) - 2*d(y @ X @ w, w) + d(y @ y, w) + lam*d(w @ w, w)",
            "2*X.T @ X @ w - 2*d(y @ X @ w, w) + d(y @ y, w) + lam*d(w @ w, w)",
            "2*X.T @ X @ w - 2*X.T @ y + lam*d(w @ w, w)",
            "2*X.T @ X @ w - 2*X.T @ y + 2*lam*w",
            "2*(X.T @ X + lam*I) @ w - 2*X.T @ y",
        ),
        "the penalty first": (
            "d((X@w - y) @ (X@w - y), w) + λ*d(w @ w, w)",
            "d((X@w - y) @ (X@w - y), w) + 2*λ*w",
            "2*d(X@w - y, w).T @ (X@w - y) + 2*λ*w",
            "2*X.T @ (X@w - y) + 2*λ*w",
            "(2*Xᵀ@X + 2*λ*I) @ w - 2*Xᵀ@y",
        ),
    }.values(),
)
def test_the_equation_of_ridge_has_many_right_ways(lines):
    assert check.ridge_equation(*lines).ok, check.ridge_equation.last


def test_the_equation_of_ridge_needs_the_identity():
    told = check.ridge_equation(*check.ridge_equation.lines[:4]).text
    assert told.endswith("the last one holds w 2 times, and once is enough")
    assert not check.ridge_equation(*check.ridge_equation.lines[:4], "2*(X.T@X + lam) @ w - 2*X.T @ y").ok


def swept(X, y, lam, tol, max_sweeps, late=False):
    w, losses = [0.0] * X.shape[1], []
    while len(losses) < max_sweeps:
        largest = 0.0
        for j, x in enumerate(X.T):
            q = sum(x[i] * (y[i] - sum(w[k] * X[i, k] for k in range(len(w)) if k != j)) for i in range(len(y)))
            new = (q - lam / 2 if q > lam / 2 else min(q + lam / 2, 0)) / sum(x**2)
            largest, w[j] = max(largest, abs(new - w[j])), new
        if late and largest <= tol:
            break
        losses.append(sum((y - X @ w) ** 2) + lam * sum(map(abs, w)))
        if largest <= tol:
            break
    return w, losses


def test_sweeps_may_be_written_in_any_way_and_the_last_one_counts():
    assert check.lasso_sweeps(swept).ok, check.lasso_sweeps.last
    told = check.lasso_sweeps(lambda *data: swept(*data, late=True)).text
    assert told == "the last sweep is missing in losses: note F before you stop"


def test_of_the_slips_of_chapter_02_a_lost_copy_sign_and_fraction_have_names():
    def truncated(a, t):
        w = np.zeros_like(a)
        w[a > t], w[a < -t] = a[a > t] - t, a[a < -t] + t
        return w

    def without_copy(X, y, lam, tol, max_sweeps):
        return swept(X, y, lam, np.inf, max_sweeps)

    assert "make one of floats" in check.soft_threshold(truncated).text
    assert "take old = w.copy()" in check.lasso_sweeps(without_copy).text
    for name in ("ann", "bob", "li", "may", "tom", "zoe"):
        check.me(name)
        x, y, lam = check.one_weight.numbers.values()
        ridge, lasso, limit = check.one_weight.answer(x, y, lam)
        if ridge < 0:
            assert "ridge: on which side" in check.one_weight([-ridge, lasso, limit]).text
            assert "lasso: on which side" in check.one_weight([ridge, -lasso, limit]).text
            break
    else:
        raise AssertionError("none of the names has a weight below 0")


def test_a_weight_grows_where_two_columns_are_nearly_equal():
    task = check.weight_that_grows
    assert task(lambda: ([[1, 2], [1, 2.1]], [2, 2.1], 1e-4, 1)).ok, task.last
    assert task(lambda: (np.eye(2), [1, 1], 1, 2)).text.startswith("w_1 goes from 0.5 to 0.333")


@pytest.mark.parametrize("seed", range(4))
def test_the_residual_made_shorter_proves_the_lasso(seed):
    task = check.prove_the_lasso
    X, y, lam = own_of(task, seed)
    w = regularization.lasso(X, y, lam).w
    r = y - X @ w
    told = lambda *made: task(lambda *own: made, seed=seed).text  # noqa: E731
    assert told(w.round(6), r * 0.999999) == "yes, that is one"
    assert told(w, -r).endswith("the residual that points the right way is y - Xw")
    assert told(w, r / 2).endswith("your w is good enough, and your theta does not show it")
    assert told(regularization.ridge(X, y, lam), r * 0.999999).endswith("your w is that of ridge")
    assert told(w, 2 * r).startswith("theta is not allowed: |2 x_j·theta| is larger than lam")
    by = 2 * np.max(np.abs(2 * X.T @ r)) - lam
    assert f" by {by:.2g} for column " in told(w, 2 * r)
    rng, best = np.random.default_rng(seed), regularization.loss(w, X, y, lam)
    for theta in rng.normal(size=(50, 8)):  # no theta proves more than is so
        theta *= lam / np.max(np.abs(2 * X.T @ theta))
        assert 2 * theta @ y - theta @ theta <= best + 1e-9


def test_least_squares_misses_the_mark_for_thirty_patients():
    def least_squares(X, t, X_new):
        mean = X.mean(axis=0)
        return t.mean() + (X_new - mean) @ np.linalg.lstsq(X - mean, t - t.mean())[0]

    for seed in range(10):
        assert not check.choose_lambda(least_squares, seed=seed).ok
    leaks = check.choose_lambda(lambda X, t, X_new: (X_new - X_new.mean(axis=0)) @ np.ones(10)).text
    assert "changes with the other rows of X_new" in leaks


def test_the_lasso_by_folds_reaches_the_mark_for_thirty_patients():
    def model(X, t, lam):
        mean, scale = X.mean(axis=0), X.std(axis=0)
        w = regularization.lasso((X - mean) / scale, t - t.mean(), lam * len(X)).w
        return lambda X_new: t.mean() + (X_new - mean) / scale @ w

    def lasso_by_folds(X, t, X_new):
        fold, lams = np.arange(30) % 5, np.geomspace(4, 60, 6)
        miss = lambda k, lam: model(X[fold != k], t[fold != k], lam)(X[fold == k]) - t[fold == k]  # noqa: E731
        errors = [sum(np.sum(miss(k, lam) ** 2) for k in range(5)) for lam in lams]
        return model(X, t, lams[np.argmin(errors)])(X_new)

    assert check.choose_lambda(lasso_by_folds, seed=1).ok


# --- chapter 01 -------------------------------------------------------------------------------------------------


def test_each_slip_of_a_question_of_chapter_01_is_told_in_its_own_words():
    for cell, question in linear_exercises.before.items():
        assert check.before(cell, *np.ravel(question.answer())).ok
        for words, wrong in question.slips.items():
            assert check.before(cell, *np.ravel(wrong())).text == words


@pytest.mark.parametrize(
    "lines",
    {
        "the rules of note D": (
            "d(y@y - 2*w@X.T@y + w@X.T@X@w, w)",
            "-2*X.T@y + d(w@X.T@X@w, w)",
            "-2*X.T@y + 2*X.T@X@w",
        ),
        "the sign stays": ("d((y-X@w)@(y-X@w), w)", "2*d(y-X@w, w).T@(y-X@w)", "-2*X.T@(y-X@w)"),
    }.values(),
)
def test_the_gradient_of_squares_has_many_right_ways(lines):
    assert check.gradient_of_squares(*lines).ok, check.gradient_of_squares.last


def test_the_slope_along_a_step_is_0_at_its_best_length():
    X, y, w = np.array([[1.0, 2], [0, 1], [3, 1]]), np.array([1.0, 2, 0]), np.array([2.0, -1])
    g = linear_regression.gradient(w, X, y)
    best = g @ g / (2 * np.sum((X @ g) ** 2))
    losses = [linear_regression.loss(w - eta * g, X, y) for eta in (0.99 * best, best, 1.01 * best)]
    assert losses[1] == min(losses)
    jumped = check.slope_along_a_step(check.slope_along_a_step.lines[-1]).text
    assert "that g = 2*X.T@(X@w - y): take one at a time" in jumped


def test_three_faults_stay_hidden_only_where_the_targets_add_up_to_0_and_the_first_point_is_the_mean():
    task = check.hide_three_faults
    told = lambda x, y: task(lambda: (np.array(x, float), np.array(y, float))).text  # noqa: E731
    assert told([5, 1, 9, 4, 6], [1, -2, 4, -5, 2]) == "yes, that is one"
    assert told([2, 0, 4, 2], [0, -1, 3, -1]).endswith("program 3 has x·y")
    assert told([0, 2, 4, 2], [0, -1, 3, -2]).endswith("program 5 measures x from the first point")
    assert "program 1 divides by x·x" in told([0, 1, -1], [0, 2, -2])


@pytest.mark.parametrize("seed", range(6))
def test_two_best_weights_are_told_apart_by_a_sample_outside_of_the_data(seed):
    task = check.two_best
    X, y = own_of(task, seed)
    z = np.append(np.linalg.lstsq(X[:, :2], X[:, 2])[0], -1)
    w = np.append(np.linalg.lstsq(X[:, :2], y)[0], 0)
    told = lambda *made: task(lambda X, y: made, seed=seed).text  # noqa: E731
    assert told(w.round(4), (w + z).round(4), 2 * z) == "yes, that is one"
    assert told(w, w + z, z / (z @ z) * (1 - 1e-15)) == "yes, that is one"  # 1 apart, but for rounding
    assert told(w, w + z, X[0]).startswith("w and v are best; at x they predict")
    assert told(w, w, z) == "both are best, but w and v are the same, or nearly so"
    assert told(w + 1, w, z).startswith("the loss of w is") and told(w, w + 1, z).startswith("the loss of v is")


def test_a_path_of_one_array_is_told():
    def walk(X, y, eta, tol, max_steps):
        w, path = np.zeros(X.shape[1]), []
        for _ in range(max_steps):
            path.append(w)
            w -= eta * 2 * (X.T @ (X @ w - y))
        return [*path, w], 0

    assert "all rows of path are the same array: append a copy" in check.walk_down(walk).text


def test_a_walk_looks_before_each_step_and_compares_with_the_start():
    def walk(X, y, eta, tol, max_steps, late=False):
        w, path = np.zeros(X.shape[1]), [[0.0] * X.shape[1]]
        for k in range(max_steps):
            slope = 2 * (X.T @ X @ w - X.T @ y)
            if np.max(np.abs(slope)) <= tol and (k or not late):
                return path, 1
            if np.sum((X @ w - y) ** 2) > np.sum(y**2):
                return path, -1
            w = w - eta * slope
            path.append(w.tolist())
        return path, 0

    assert check.walk_down(walk).ok
    told = check.walk_down(lambda *data: walk(*data, late=True)).text
    assert "on the gradient is 0 at the start" in told and "there must be 1, not 2" in told


def test_a_walk_is_predicted_by_the_factors_of_both_parts():
    task = check.what_will_happen
    flat, steep, etas = task.numbers.values()
    ends = []
    for eta in etas:
        parts = np.cumprod(np.tile(1 - 2 * eta * np.array([flat, steep]), (400, 1)), axis=0)
        ends.append(-1 if np.abs(parts[-1]).max() > 1 else int((parts >= 0).all()))
    left = np.abs(1 - 2 * min(etas) * flat) ** np.arange(1000)
    steps = int(np.argmax(left < 1e-3))
    assert task(ends, steps).ok
    assert task(ends, steps - 1).text.endswith("after so many it is not yet less")
    assert task(np.where(etas * steep < 1, 1, -1), steps).text.endswith("fates: a factor below 0 changes the sign")


def test_the_bound_needs_positive_eigenvalues_and_both_inequalities():
    proof = check.bound_of_the_step
    at = {key: letter for letter, key in proof.dealt.items()}
    assert "it uses the sign of λ_j, and nothing above says so" in proof(f"{at['parts']} {at['right']}").text
    order = "parts positive left right normal step error times powers limit bound"
    assert proof("".join(at[key] for key in order.split())).ok
    proof.wrong = 0


def test_the_volume_of_a_tree_needs_the_square_of_its_diameter_and_its_height():
    def model(columns):
        def f(X, t, X_new):
            A, B = (np.column_stack([*columns(Z.T), np.ones(len(Z))]) for Z in (X, X_new))
            return B @ np.linalg.lstsq(A, t)[0]

        return f

    task = check.cubic_feet
    assert task(model(lambda Z: (Z[0] ** 2 * Z[1],)), seed=5).ok
    for few in (lambda Z: Z, lambda Z: (Z[0] ** 2,), lambda Z: (Z[0] ** 2, Z[1]), lambda Z: (*Z, *Z**2, Z[0] * Z[1])):
        assert "the mark is 2.95 cubic feet" in task(model(few), seed=5).text


@pytest.mark.parametrize("seed", slow(range(30)))
def test_the_books_model_of_the_trees_reaches_the_mark_on_the_splits_of_every_reader(seed):
    assert check.cubic_feet(check.cubic_feet.answer, seed=seed).ok


# --- chapter 05 -------------------------------------------------------------------------------------------------


def test_a_ratio_of_classes_does_not_feel_what_is_added_to_all():
    ask, (a,) = check.shares_and_ratios, check.shares_and_ratios.numbers.values()
    p = special.softmax(a)
    risen = p * [2, 1, 1] / (1 + p[0])
    assert ask(p, p[2] / p[0], np.exp(2 * (a[2] - a[0])), [float(f"{x:.3g}") for x in risen]).ok
    told = ask(p, np.exp(a[2] - a[0] + 5), 2 * p[2] / p[0], p * [2, 1, 1]).text
    assert "both exponentials are multiplied by e^5" in told


SUM = "sum(exp(a))"


@pytest.mark.parametrize(
    "lines",
    {
        "the logarithm in two steps": (f"d(ln(exp(a)) - ln({SUM}), a)", *check.all_slopes.lines),
        "the quotient rule": (
            f"diag({SUM}/exp(a)) @ d(exp(a)/{SUM}, a)",
            f"diag({SUM}/exp(a)) @ (d(exp(a), a)/{SUM} - outer(exp(a), d({SUM}, a))/{SUM}**2)",
            f"diag({SUM}/exp(a)) @ (diag(exp(a))/{SUM} - outer(exp(a), exp(a))/{SUM}**2)",
            f"I - exp(a)/{SUM}",
        ),
    }.values(),
)
def test_the_slopes_of_softmax_have_many_right_ways(lines):
    assert check.all_slopes(*lines).ok, check.all_slopes.last
    one = check.all_slopes.lines[1].replace("I", "1")
    assert check.all_slopes(check.all_slopes.lines[0], one).text.endswith("; d(a, a) of a vector is I, not 1")


@pytest.mark.parametrize("seed", range(8))
def test_the_pull_of_a_class_may_be_derived_term_after_term(seed):
    total = "sum(exp(x@W))"
    lines = (
        f"d(ln({total}), W) - d(t @ (W.T@x), W)",
        f"d({total}, W)/{total} - d(t @ (W.T@x), W)",
        f"outer(x, exp(x@W))/{total} - d(t @ (W.T@x), W)",
        f"outer(x, exp(x@W))/{total} - outer(x, t)",
        f"outer(x, exp(x@W)/{total} - t)",
    )
    assert check.pull_of_a_class(*lines, seed=seed).ok, check.pull_of_a_class.last
    assert "and 3 times is enough" not in check.pull_of_a_class(*check.pull_of_a_class.lines, seed=seed).text


def test_that_J_is_semidefinite_needs_the_variance_and_its_zeros_the_ones():
    proof, at = check.jacobian_proof, letters_of(check.jacobian_proof)
    assert "that vᵀJv is a variance" in proof("".join(at[k] for k in ("positive", "semidefinite"))).text
    order = "positive sum Jacobian form variance equal semidefinite only ones claim"
    assert proof("".join(at[k] for k in order.split())).ok
    assert "what J does to the ones" in proof("".join(at[k] for k in order.replace("ones ", "").split())).text


def test_softmax_is_broken_by_small_exponentials_and_by_an_overflow_of_the_sum():
    ask = check.break_the_softmax
    assert ask(lambda: ([-745, -744, -740], [-800, 0, 0], 800 + np.log(2))).ok
    assert ask(lambda: ([709.5, 709.5, 0], [0, 2000, 1999], 2000 + np.log1p(np.exp(-1)))).ok  # inf in the sum alone
    assert "everybody sees" in ask(lambda: ([1000, 0, 0], [0, 800, 0], 800)).text
    assert "a limit of 1e-15" in ask(lambda: ([-744, -743, -742], [0, 800, 0], -np.log(1e-15))).text


@pytest.mark.parametrize("a", [(-800, 0, 0), (-745, 0, -1), (-743.7, 0, -1), (-744.4, 0, 0)])
def test_a_probability_below_all_floats_is_wrong_with_a_shift_too(a):
    ask = check.break_the_softmax
    assert "shifted(a) is wrong, too" in ask(lambda: (a, [0, 800, 0], 800)).text
    assert ask(lambda: (np.subtract(a, [0, 744, 744]), [0, 800, 0], 800)).ok


def _one_by_one(X, T, order, eta, late=False):
    W, losses = np.zeros((X.shape[1], T.shape[1])), []
    for k in range(len(order)):
        x, t = X[order[k]], T[order[k]]
        e = np.exp(W.T @ x)
        losses += [] if late else [np.log(e.sum()) - W.T @ x @ t]
        W -= eta / (1 + k / len(X)) * np.outer(x, e / e.sum() - t)
        losses += [np.log(np.exp(W.T @ x).sum()) - W.T @ x @ t] if late else []
    return W, losses


def test_each_visit_tells_the_loss_before_its_step():
    assert check.learn_one_by_one(_one_by_one).ok
    told = check.learn_one_by_one(lambda *data: _one_by_one(*data, late=True)).text
    assert told == "the loss is taken after the step; take it before"


def test_two_rows_of_scores_find_out_six_programs():
    task, W = check.catch_the_six, np.array([[0.0, 1, 2], [1, 1, 1]])
    assert task(lambda: (W, [[1, 0], [1, 800]], np.eye(3)[:2])).ok
    assert "program 7" in task(lambda: ([[0, 1, 2]], [[1], [800]], np.eye(3)[:2])).text  # 800 above the mean
    assert task(lambda: (W, [[1, 800]], np.eye(3)[:1])).text.endswith("subtracts one maximum from all rows")


@pytest.mark.parametrize("seed", range(6))
def test_data_on_a_line_leave_a_column_open_and_all_data_a_common_vector(seed):
    def made(X, W):
        slope = (X[1, 1] - X[0, 1]) / (X[1, 0] - X[0, 0])
        unseen = np.array([slope, -1, X[0, 1] - slope * X[0, 0]])
        best = max((np.array([u, v, 1.0]) for u in range(-5, 6) for v in range(-5, 6)), key=lambda x: gap(x, W, unseen))
        return W - W[:, :1] + np.array([[9.0], [8], [7]]), W + np.outer(unseen, [0, 1, 0]), best

    def gap(x, W, unseen):
        return np.abs(special.softmax(x @ W) - special.softmax(x @ (W + np.outer(unseen, [0, 1, 0])))).max()

    task = check.left_open
    assert task(made, seed=seed).ok, task.last
    assert task(lambda X, W: (W, *made(X, W)[1:]), seed=seed).text == "a column of V is that of W"
    assert "which parts of the scores does softmax not see?" in task(lambda X, W: (3 * W + 1, *made(X, W)[1:])).text


# --- chapter 07 -------------------------------------------------------------------------------------------------


def test_the_slope_of_j_may_be_derived_in_another_order():
    by_parts = (
        "d((w@m)**2, w)/(w@S@w) - (w@m)**2*d(w@S@w, w)/(w@S@w)**2",
        "2*(w@m)*m/(w@S@w) - (w@m)**2*d(w@S@w, w)/(w@S@w)**2",
        "2*(w@m)*m/(w@S@w) - (w@m)**2*(w@S + S@w)/(w@S@w)**2",
        "2*(w@m)*m/(w@S@w) - (w@m)**2*(2*S@w)/(w@S@w)**2",
    )
    assert check.slope_of_j("\n".join(by_parts)).ok
    assert "uses the product rule" in check.slope_of_j(check.slope_of_j.lines[-1]).text
    quotient_of_slopes = check.slope_of_j("d((w @ m)**2, w)/d(w @ S @ w, w)").text
    assert quotient_of_slopes.startswith("line 2 does not follow")


def test_scatters_found_by_hand_may_be_rounded_and_each_number_has_its_own_words():
    ask = check.scatters_by_hand
    X0, X1 = map(np.array, ask.numbers.values())
    scatter, slope, J = ask.answer(X0, X1)
    three = lambda x: float(f"{x:.3g}")  # noqa: E731
    assert ask(scatter.astype(int), three(slope), three(J)).ok and ask(list(scatter), slope, J).ok
    assert ask(J=J, scatter=scatter, slope=slope).ok and ask(scatter, J=J, slope=slope).ok  # by name, in any order
    assert ask(scatter, ..., J).text.startswith("give numbers, and value 2 of 3 is still ...")
    assert ask(..., ..., ...).status == "  "
    assert ask(scatter, slope, j=J).text == "no value is called j: give scatter, slope and J"
    assert ask(scatter / 3, slope, 3 * J).text == "scatter: those are covariances, divided by 3; a scatter is a sum"
    assert ask(scatter, 1 / slope, J).text.endswith("slope: that is w_1/w_2")
    assert ask(scatter, slope, 1.5 * J).text.endswith("J: here S_b is that of two means, without N_0 N_1/N")


def test_a_value_chosen_from_an_argument_has_no_cause_by_accident():
    """Of five strengths, one is the smallest and one what comes out for another X, whatever was done."""
    right = check.best_smoothing.answer
    for choose in (min, max, lambda strengths: strengths[0]):
        found = check.best_smoothing(lambda *given, choose=choose: (right(*given)[0], choose(given[-1])))
        assert "loss is right; best: " in found.text and "none of the usual mistakes" in found.text


def test_equal_numbers_are_no_terms_of_a_mean():
    def both(*given):
        return [2 * [v] if name == "alpha" else v for name, v in zip(ask.returns, ask.answer(*given), strict=True)]

    ask = check.two_point_svm
    assert ask(both).text.endswith("alpha is of shape (2,), but must be a number")


def test_the_largest_j_is_proved_by_any_root_of_what_is_left():
    S_w, S_b = own_of(check.prove_the_maximum, 0)
    ratios, V = np.linalg.eig(np.linalg.solve(S_w, S_b))
    best, w = ratios.real.max(), V[:, ratios.real.argmax()].real

    def root(lam):
        values, Q = np.linalg.eigh(lam * S_w - S_b)
        return (Q * np.sqrt(np.maximum(values, 0))) @ Q.T

    told = lambda *made: check.prove_the_maximum(lambda *own: made, seed=0)  # noqa: E731
    assert told(w, best, root(best)).ok and told(-5 * w, 1.0005 * best, -root(1.0005 * best)).ok
    assert told(w, best, np.vstack([root(best), np.zeros(3)])).ok
    lower = np.linalg.cholesky(1.0005 * best * S_w - S_b)
    assert told(w, 1.0005 * best, lower.T).ok and "transpose R" in told(w, 1.0005 * best, lower).text
    assert told(w, 0.99 * best, root(0.99 * best)).text.startswith("no R can do that")
    assert told(w, 1.01 * best, root(1.01 * best)).text.endswith("your w is good: take a smaller lam")


def test_a_part_is_left_out_of_all_that_is_learned():
    def the_book(X, t, part):
        guess = np.zeros(len(t), int)
        for p in np.unique(part):
            W, b = lda.discriminants(X[part != p], t[part != p])
            guess[part == p] = np.argmax(X[part == p] @ W + b, axis=1)
        return guess, np.bincount(part, weights=guess != t)

    assert check.left_out(the_book).ok
    told = check.left_out(lambda X, t, part: (the_book(X, t, part)[0], the_book(X, t, 0 * part + part.max())[1])).text
    assert told.startswith("wrong on") or "it stopped" in told


def test_in_the_cellar_the_shares_of_the_samples_are_the_wrong_ones():
    def trusts_t(X, t, X_new):
        W, b = lda.discriminants(X, t)
        return np.argmax(X_new @ W + b, axis=1)

    assert check.the_cellar(check.the_cellar.answer).ok
    assert "LDA with the shares of t" in check.the_cellar(trusts_t).text
    assert "it says the same of every sample" in check.the_cellar(lambda X, t, X_new: np.zeros(len(X_new))).text
    assert "class numbers, 0, 1 and 2" in check.the_cellar(lambda X, t, X_new: trusts_t(X, t, X_new) + 1).text


def test_a_model_that_misses_the_mark_of_the_cellar_in_a_known_way_is_told_which():
    shares = np.log([0.8, 0.1, 0.1])

    def a_matrix_each(X, t, X_new):
        scores = []
        for k in range(3):
            S, r = (
                np.cov(X[t == k].T),
                X_new - X[t == k].mean(axis=0),
            )  # np.cov divides by N_k - 1, which changes little
            scores.append(shares[k] - np.log(np.linalg.det(S)) / 2 - np.sum(r @ np.linalg.inv(S) * r, axis=1) / 2)
        return np.argmax(scores, axis=0)

    def nearest_mean(X, t, X_new):
        return np.argmin([np.sum((X_new - X[t == k].mean(axis=0)) ** 2, axis=1) for k in range(3)], axis=0)

    told = check.the_cellar(a_matrix_each, seed=2).text
    assert "the mark is 10.0 % wrong" in told and "the shares are right, but there are too many covariances" in told
    assert check.the_cellar(a_matrix_each, seed=4).ok  # there it reaches the mark
    told = check.the_cellar(nearest_mean).text
    assert "the mark is 10.0 % wrong" in told and "shares" not in told


@pytest.mark.parametrize("seed", range(3))
def test_each_mistaken_model_of_the_cellar_that_misses_the_mark_is_told_its_own_words(seed):
    for model, text in check.the_cellar.mistaken:
        told = check.the_cellar(model, seed=seed)
        assert told.ok or text in told.text


@pytest.mark.parametrize("seed", [*range(3), *slow(range(3, 30))])
def test_the_mark_of_the_cellar_is_reached_with_its_shares(seed):
    assert check.the_cellar(check.the_cellar.answer, seed=seed).ok


# --- chapter 12 -------------------------------------------------------------------------------------------------


def test_a_kernel_is_counted_and_weighed_by_hand():
    ask = check.count_and_weigh
    d, m, c = ask.numbers.values()
    merged, exactly, a = ask.answer(d, m, c)
    assert ask(merged, exactly, float(f"{a:.3g}")).ok
    assert ask(d**m, exactly, a).text.endswith("features: in d^m each order counts, and lower products are missing")
    assert ask(merged, exactly, a**2).text.endswith("x_1 gets an even share of it")
    assert "none of the usual" in ask(merged + 2, exactly, a).text


def test_a_gram_matrix_is_semidefinite_only_by_the_squared_length():
    proof, at = check.gram_proof, letters_of(check.gram_proof)
    order = "squares gram turned form semidefinite forward number back symmetric claim"
    assert proof("".join(at[k] for k in order.split())).ok
    told = proof("".join(at[k] for k in "gram turned form semidefinite".split())).text
    assert told.endswith("it uses when a length is 0, and nothing above says so")


@pytest.mark.parametrize("seed", range(8))
def test_of_two_matrices_one_has_a_witness_and_the_other_features(seed):
    def made(A, B, one_more=0.0, root=np.sqrt, turn=False):
        bad, good = (A, B) if np.linalg.eigvalsh(A)[0] < -0.01 else (B, A)
        values, V = np.linalg.eigh(good)
        Phi = V * root(np.maximum(values, 0))
        return 3 * np.linalg.eigh(bad)[1][:, 0], np.column_stack([Phi.T if turn else Phi, [one_more] * 3])

    task = check.two_matrices
    assert task(made, seed=seed).ok, task.last
    assert task(
        lambda A, B: (made(A, B)[0], made(A, B)[1] @ np.linalg.qr(np.ones((4, 4)) + np.eye(4))[0]), seed=seed
    ).ok
    assert "an entry differs by" in task(lambda A, B: made(A, B, one_more=1.0), seed=seed).text
    squared = task(lambda A, B: made(A, B, root=lambda v: v), seed=seed).text
    assert squared.endswith("split its eigenvalues evenly")
    turned = task(lambda A, B: (made(A, B)[0], made(A, B, turn=True)[1][:, :3]), seed=seed).text
    assert turned.endswith("a row belongs to a sample")
    with_ones = task(lambda A, B: (np.ones(3), made(A, B)[1]), seed=seed).text
    assert with_ones.endswith("one of them must be negative")


@pytest.mark.parametrize("seed", range(30))
def test_no_minor_of_two_rows_tells_which_matrix_is_none(seed):
    A, B = own_of(check.two_matrices, seed)
    for K in (A, B):
        d = np.diag(K)
        assert (K == K.T).all() and (d > 0).all() and (np.outer(d, d) - K**2 > -1e-9).all()
    assert sorted(np.linalg.eigvalsh(K)[0] < -0.2 for K in (A, B)) == [False, True]


def left_out_by_features(K, y, fold, lam):
    """Ridge regression on features of K: θ in place of alpha."""
    Phi, f = kernels.mercer_features(K), np.zeros(len(y))
    for n in range(len(y)):
        A, t = Phi[fold != fold[n]], y[fold != fold[n]]
        f[n] = Phi[n] @ np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ t)
    return f


def test_a_program_that_has_seen_the_part_is_found_out():
    def seen(K, y, fold, lam):
        return K @ np.linalg.solve(K + lam * np.eye(len(y)), y)

    ask = check.left_out_values
    assert not ask(seen).ok and "learned from all samples" in ask(seen).text

    def by_blocks(K, y, fold, lam):
        f = 0.0 * y
        for part in set(fold.tolist()):
            rest = [n for n in range(len(y)) if fold[n] != part]
            inverse = np.linalg.inv(K[rest][:, rest] + lam * np.identity(len(rest)))
            f += np.where(fold == part, K[:, rest] @ inverse @ y[rest], 0)
        return f

    assert ask(by_blocks).ok and ask(left_out_by_features).ok, ask.last
    assert not ask(lambda K, y, fold, lam: left_out_by_features(K, y, fold % 3, lam)).ok
    assert "you multiplied lam by the number" in ask(by_scaled).text


def by_scaled(K, y, fold, lam):
    f = np.zeros(len(y))
    for part in np.unique(fold):
        rest = fold != part
        A = K[rest][:, rest] + rest.sum() * lam * np.eye(rest.sum())
        f[~rest] = K[~rest][:, rest] @ np.linalg.solve(A, y[rest])
    return f


def test_features_of_a_product_may_stand_in_any_order_and_those_of_a_sum_are_named():
    ask = check.product_features
    assert ask(lambda A, B: -np.einsum("nr,ns->nsr", A, B).reshape(len(A), -1)).ok
    assert ask(lambda A, B: np.hstack([A, B])).text == "those are features of the sum k_1 + k_2"
    assert "stopped" in ask(lambda A, B: A * B).text
    assert "a matrix with a row per sample" in ask(lambda A, B: np.kron(A, B)).text


# --- chapter 06 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "last",
    ["2*trace((X@(W + h*U) - T).T@X@U)", "2*trace(U.T@X.T@(X@(W + h*U) - T))", "2*sum(U*(X.T@(X@(W + h*U) - T)))"],
)
def test_the_last_factor_may_be_a_trace_or_a_sum_of_products(last):
    ask = check.all_classes_at_once
    assert ask(*ask.lines[:3], last).ok
    assert ask("sum(d((X@W + h*(X@U) - T)**2, h))").text.endswith("the last one still holds d and X@U")
    assert ask(*ask.lines[:3]).text.endswith("the last one still holds X@U")  # U must stand alone


def test_a_step_that_is_too_large_is_told_the_rules_it_uses_and_no_others():
    ask = check.slope_of_j
    told = ask(*ask.lines[:2], ask.lines[3]).text
    assert told.endswith("uses the derivative of a square and that S is symmetric: take one at a time")
    ask = check.one_coordinate
    assert ask(ask.lines[0], ask.lines[2]).text.endswith(
        "the step to it is too large: take the d's of the terms apart first"
    )
    ask = check.ridge_equation
    assert ask(*ask.lines[:2], ask.lines[3]).text.endswith("too large: work out one d at a time")  # they are apart


def test_a_fraction_of_d_a_lost_sum_a_number_beside_a_matrix_and_a_solution_are_named():
    told = check.slope_of_j("d((w @ m)**2, w)/d(w @ S @ w, w)").text
    assert told.endswith("a fraction has the derivative (d(u, a)*v - u*d(v, a))/v**2")
    ask = check.many_values
    assert "the factor `sum(n)` is missing" in ask(ask.lines[0], "d(n @ a, a) - d(ln(sum(exp(a))), a)").text
    ask = check.ridge_equation
    assert ask(*ask.lines[:4], "2*(X.T@X + lam) @ w - 2*X.T @ y").text.endswith("lam*I stands on its diagonal only")
    assert ask(*ask.lines, "inv(X.T@X + lam*I) @ X.T @ y").text.endswith(
        "that is the w where line 6 is 0: stop at line 6"
    )
    ask = check.posterior_as_sigmoid
    assert ask(ask.lines[0], ask.slips[1][1]).text.endswith("is upside down")


def test_a_line_with_most_points_on_its_wrong_side_is_to_be_turned():
    assert "change the sign of w and b first" in check.separate_by_eye(lambda: (np.array([0.0, -1]), 2.5)).text
    assert "Which way must the line move" in check.separate_by_eye(lambda: (np.array([0.0, 1]), -2.5)).text


def test_an_inverse_that_does_not_exist_has_its_own_cause():
    def irls_step(w, X, t):
        p = special.sigmoid(X @ w)
        R = np.diag(p * (1 - p))
        return np.linalg.solve(X.T @ R @ X, X.T @ R @ (X @ w - np.linalg.inv(R) @ (p - t)))

    assert check.irls_step(irls_step).text.endswith("rounds to 0 it has no inverse: do without R⁻¹)")


def test_labels_that_are_scores_or_hold_a_0_are_told_so():
    assert check.eights(lambda X, y, X_new: X_new @ (X.T @ y)).text.startswith("those are scores")
    told = check.eights(lambda X, y, X_new: np.sign(X_new[:, 20] + X_new[:, 30] - 1)).text
    assert told.startswith("np.sign gives 0 where the score is 0")


def test_the_pull_of_a_sample_ends_with_its_margin():
    ask = check.pull_of_a_sample
    for lines in (["d((y - y*m)**2, f)"], [ask.lines[0], "2*(y - f)*d(y - y*m, f)"]):
        assert ask(*lines).text.endswith("under d(..., f), m counts as a constant: put m in after the d is gone")
    assert ask(*ask.lines).ok and ask(*ask.lines[:4]).ok
    assert ask(*ask.lines[:2]).text.endswith("the last one still holds f")


@pytest.mark.parametrize("seed", [*range(5), *slow(range(5, 30))])
def test_the_window_ends_where_the_larger_class_stops_to_win(seed):
    """The samples are made so that they have the sizes, the means and the scatter of the question."""
    N_0, N_1, N_2, z_0, z_1, z_2, S_t = check.window_by_hand.instances(np.random.default_rng(seed))[0].args
    sizes, means = np.array([N_0, N_1, N_2]), np.array([z_0, z_1, z_2], float)
    t = np.repeat([0, 1, 2], sizes)
    x = means[t]
    within = S_t - np.sum((x - x.mean()) ** 2)
    x[0] += np.sqrt(within / 2)
    x[1] -= np.sqrt(within / 2)
    X = design.augment(x[:, None])
    W = lsc.fit(X, design.one_hot(t))
    height, slope, end = check.window_by_hand.answer(N_0, N_1, N_2, z_0, z_1, z_2, S_t)
    np.testing.assert_allclose([W[:, 1] @ [x.mean(), 1], W[0, 2]], [height, slope], rtol=1e-9)
    assert lsc.predict(W, [[end - 1e-6, 1], [end + 1e-6, 1]]).tolist() == [1, 2]


def test_a_cut_may_be_chosen_by_counting_each_anew():
    def counted(f, t):
        z = np.sort(f)
        cuts = (z[1:] + z[:-1]) / 2
        wrong = [np.sum((f > cut) != t) for cut in cuts]
        return cuts[np.argmin(wrong)], wrong

    assert check.cut_anew(counted).ok
    from_above = lambda f, t: (counted(f, t)[0], counted(f, t)[1][::-1])  # noqa: E731
    assert not check.cut_anew(from_above).ok


def test_digits_need_features_that_bend_and_squares_of_bits_do_not():
    def squares(X, t, X_new):
        A, B = (design.augment(np.hstack([Z, Z**2])) for Z in (X, X_new))
        return np.argmax(B @ np.linalg.solve(A.T @ A + np.eye(129), A.T @ np.eye(10)[t]), axis=1)

    assert "the mark is 7.0 % wrong: no split reaches it" in check.digits_at_once(squares).text
    assert check.digits_at_once(check.digits_at_once.answer).ok


@pytest.mark.parametrize("seed", [*range(2), *slow(range(2, 30))])
def test_the_mark_of_the_digits_at_once_is_reached_by_products_of_neighbors(seed):
    assert check.digits_at_once(check.digits_at_once.answer, seed=seed).score < 0.066


# --- chapter 08 -------------------------------------------------------------------------------------------------


def test_the_posterior_of_a_bit_may_be_derived_in_other_ways():
    one, two = "u**x*(1-u)**(1-x)", "v**x*(1-v)**(1-x)"
    by_exp = (
        f"pi*{one}/(pi*{one} + (1-pi)*{two})",
        f"1/(1 + (1-pi)*{two}/(pi*{one}))",
        f"1/(1 + exp(-ln(pi*{one}/((1-pi)*{two}))))",
        f"s(ln(pi*{one}/((1-pi)*{two})))",
        "s(ln(pi) - ln(1-pi) + x*ln(u) + (1-x)*ln(1-u) - x*ln(v) - (1-x)*ln(1-v))",
        "s(ln(pi) - ln(1-pi) + ln(1-u) - ln(1-v) + x*(ln(u) - ln(1-u) - ln(v) + ln(1-v)))",
    )
    assert check.posterior_as_sigmoid("\n".join(by_exp)).ok
    told = check.posterior_as_sigmoid("\n".join(by_exp[:5])).text
    assert "the last one holds x 4 times" in told
    assert "line 2 does not follow" in check.posterior_as_sigmoid(f"pi*{one}/(pi*{one} + pi*{two})").text


def test_the_slope_of_the_counts_is_told_where_a_multiplier_would_tell_it():
    lines = check.many_values.lines
    of_the_fold = lines[0], "d(n @ a - sum(n)*ln(sum(exp(a))), a)", *lines[3:]
    assert check.many_values(*of_the_fold).ok
    assert check.many_values("\n".join((lines[0], "n - d(sum(n)*ln(sum(exp(a))), a)", *lines[2:]))).ok
    assert not check.many_values("\n".join((*lines[:4], "n - exp(a)/sum(exp(a))"))).ok


def test_counts_by_hand_have_own_words_for_each_number():
    ask = check.mail_by_hand
    w, b, p = ask.answer(*ask.numbers.values())
    assert ask(w, b, p).ok and ask(float(f"{w:.3g}"), float(f"{b:.3g}"), float(f"{p:.3g}")).ok
    assert ask(w, b, np.exp(w + b)).text.endswith("p: those are the odds")
    ask = check.smooth_by_hand
    share, p, limit = ask.answer(*ask.numbers.values())
    assert ask(share, p, limit).ok
    assert "come near ½" in ask(share, p, 0.5).text
    ask = check.words_by_hand
    bits, words = ask.answer(*ask.numbers.values())
    assert ask(bits, words).ok and ask(bits, np.sqrt(words)).text.endswith("words: the word stands there twice")


def test_a_column_that_is_written_twice_can_turn_a_decision():
    task = check.twice_counted

    def three_columns(n=12):
        X = np.zeros((2 * n, 3), int)
        X[:n, 1] = X[n:, 0] = 1
        X[::2, 2] = 1
        X[0, 0] = 1
        return X, np.repeat([1, 0], n), np.array([1, 1, 0])

    assert task(three_columns).ok, task.last
    assert "the copy must pull towards class 0" in task(lambda: (np.eye(2), np.array([1, 0]), np.array([1, 0]))).text
    assert "d >= 2" in task(lambda: (np.ones((3, 1)), np.array([1, 0, 1]), np.ones(1))).text
    assert "first it must be above 0.6" in task(lambda: (np.eye(2), np.array([0, 1]), np.array([1, 0]))).text


def test_the_smoothing_is_chosen_by_parts_that_are_left_out():
    def the_book(X, t, part, strengths):
        loss = np.zeros(len(strengths))
        for j, s in enumerate(strengths):
            for k in np.unique(part):
                model = naive_bayes.fit(X[part != k], t[part != k], smoothing=s)
                p = naive_bayes.posterior(model, X[part == k])
                loss[j] -= np.sum(np.log(p[np.arange(len(p)), t[part == k]])) / len(t)
        return loss, strengths[loss.argmin()]

    assert all(check.best_smoothing(the_book, seed=seed).ok for seed in range(6))
    told = check.best_smoothing(lambda X, t, part, strengths: the_book(X, t, part, strengths[:1])).text
    assert "it ends too early" in told


def test_fifty_pictures_need_more_than_another_smoothing():
    def laplace(X, t, X_new):
        kinds = np.unique(t)
        numbers = np.searchsorted(kinds, t)
        return kinds[naive_bayes.predict(naive_bayes.fit(X, numbers), X_new)]

    task = check.fifty_pictures
    assert task(task.answer).ok
    assert "the mark is 23.0 % wrong" in task(laplace).text

    def smoothed(X, t, X_new, s=0.3):
        n, N = np.array([X[t == k].sum(axis=0) for k in range(10)]), np.bincount(t, minlength=10)
        mu, prior = (n + s) / (N[:, None] + 2 * s), (N + 1) / (len(t) + 10)
        return np.argmax(np.log(prior) + X_new @ np.log(mu).T + (1 - X_new) @ np.log(1 - mu).T, axis=1)

    assert not any(task(smoothed, seed=seed).ok for seed in range(3))
    assert "whole numbers from 0 to 9" in task(lambda X, t, X_new: np.full(len(X_new), 0.5)).text
    assert "it says the same of every sample" in task(lambda X, t, X_new: np.zeros(len(X_new))).text
    assert len(datasets.digits().X) - int(task.share * 1797) == 1744


@pytest.mark.parametrize("seed", [*range(2), *slow(range(2, 30))])
def test_the_mark_of_the_fifty_pictures_is_reached(seed):
    assert check.fifty_pictures(check.fifty_pictures.answer, seed=seed).ok


# chapter 10


@pytest.mark.parametrize("name", [*svm_exercises.before])
def test_each_slip_of_a_question_of_chapter_10_is_told_in_its_own_words(name):
    question = svm_exercises.before[name]
    assert check.before(name, question.answer()).ok
    for text, wrong in question.slips.items():
        assert check.before(name, wrong()).text == text


@pytest.mark.parametrize(
    "lines",
    [
        "w@w/2 + sum(alpha) - (alpha*y) @ (X@w) - b*(alpha @ y)\nw@w/2 + sum(alpha) - (alpha*y) @ X @ w\n"
        "w@w/2 + sum(alpha) - w@w\nsum(alpha) - w@w/2\nsum(alpha) - (alpha*y) @ X @ X.T @ (alpha*y)/2",
        "w@w/2 + sum(alpha) - w @ (X.T@(alpha*y)) - b*sum(alpha*y)\nw@w/2 + sum(alpha) - w@w\n"
        "sum(alpha) - (1/2)*w@w\nsum(alpha) - (1/2)*(X.T@(y*alpha)) @ (X.T@(y*alpha))",
    ],
)
def test_the_dual_has_many_right_ways(lines):
    assert check.dual_by_lines(lines).ok, check.dual_by_lines.last


def test_the_dual_is_not_found_in_one_line():
    told = check.dual_by_lines("sum(alpha) - (X.T@(alpha*y)) @ (X.T@(alpha*y))/2")
    assert not told.ok and "the step to it" in told.text


@pytest.mark.parametrize("seed", range(4))
def test_kkt_of_six_points_are_those_of_the_solver(seed):
    (case,) = check.points_of_a_street.cases(np.random.default_rng(seed))
    w, b, C, x, y = case.args
    xi, alpha = check.points_of_a_street.answer(*case.args)
    assert max(svm.kkt_residuals(np.array([w]), b, alpha, x[:, None], y, C=C)) < 1e-12
    np.testing.assert_allclose(xi, svm.hinge(np.array([w]), b, x[:, None], y))


def test_a_margin_is_proved_by_other_multipliers_than_the_best():
    def shrunk(X, y):
        found = svm.fit(X, y)
        return 7 * found.w, 7 * found.b, 0.93 * found.alpha

    assert check.certify_the_margin(shrunk).ok
    told = check.certify_the_margin(lambda X, y: (*shrunk(X, y)[:2], 0.5 * shrunk(X, y)[2]))
    assert "take a better alpha" in told.text
    told = check.certify_the_margin(lambda X, y: (-shrunk(X, y)[0], -shrunk(X, y)[1], shrunk(X, y)[2]))
    assert "your line does not separate: 16 are wrong" in told.text


def test_descent_may_be_written_sample_by_sample():
    def slow_descent(X, y, C, eta, steps):
        w, b, seen = np.zeros(X.shape[1]), 0.0, []
        for k in range(steps):
            to_w, to_b = w.copy(), 0.0
            for x_n, y_n in zip(X, y, strict=True):
                if 1 - y_n * (w @ x_n + b) > 0:
                    to_w, to_b = to_w - C * y_n * x_n, to_b - C * y_n
            w, b = w - eta * (k + 1) ** -0.5 * to_w, b - eta * (k + 1) ** -0.5 * to_b
            seen.append((svm.primal_objective(w, b, X, y, C=C), k, w, b))
        return *min(seen)[2:], [row[0] for row in seen]

    assert check.hinge_descent(slow_descent).ok


def test_neither_a_line_nor_a_narrow_kernel_reads_the_eights():
    def one(kernel, C):
        def model(X, y, X_new):
            m = svm.fit_dual(kernel(X, X), y, C=C)
            return svm.dual_predict(m.alpha, m.b, y, kernel(X_new, X))

        return model

    line = check.eights_by_kernel(one(kernels.linear, 0.1))
    narrow = check.eights_by_kernel(one(kernels.gaussian, 1.0))
    assert "the mark is 3.2 % wrong" in line.text and "the mark is 3.2 % wrong" in narrow.text


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_the_mark_of_the_eights_is_reached_by_folds(seed):
    assert check.eights_by_kernel(check.eights_by_kernel.answer, seed=seed).ok


# --- chapter 11 -------------------------------------------------------------------------------------------------


def test_two_steps_on_theta_are_told_to_three_digits():
    ask = check.two_steps_by_hand
    *rows, y, eta = ask.numbers.values()
    Phi, y = np.array(rows, float), np.array(y, float)
    steps = optimize.trajectory(kernel_lms.feature_iterates(Phi, y, eta), 2)
    assert ask(steps[1].round(3), steps[2].round(3)).ok
    assert not ask(steps[1], steps[1]).ok
    far = steps[1] / eta
    assert ask(far, far - eta * kernel_lms.gradient(far, Phi, y)).text.endswith("eta is missing in the first step")
    for factor, told in ((1 / eta, "eta is missing"), (2, "there is a 2 too much"), (-1, "the steps go uphill")):
        once = optimize.trajectory(kernel_lms.feature_iterates(Phi, y, abs(factor) * eta), 2)
        if factor < 0:
            once = [None, -steps[1], -steps[1] - eta * Phi.T @ (y + Phi @ steps[1])]
        assert told in ask(*once[1:3]).text


def test_beta_follows_from_theta_in_other_orders_of_the_rules():
    derived = check.beta_from_theta
    assert derived("""theta - eta*(d(y - Phi@theta, theta).T @ (y - Phi@theta))
        theta - eta*(-Phi.T @ (y - Phi@theta))
        Phi.T@beta + eta*(Phi.T @ (y - K@beta))
        Phi.T @ (beta + eta*(y - K@beta))""").ok
    gradient = "theta + eta*(Phi.T @ (y - Phi@theta))"
    assert not derived(gradient).ok
    assert "line 2 is" in derived("theta + eta*d(sum((y - Phi @ theta)**2)/2, theta)").text
    jump = derived("Phi.T @ (beta + eta*(y - K@beta))")
    assert not jump.ok, jump.text


def test_the_kernel_and_the_shortest_solution_have_their_usual_gaps_named():
    kernel, at = check.kernel_of_monomials, letters_of(check.kernel_of_monomials)
    order = "pairs apart single square triples cube entries claim"
    assert kernel("".join(at[k] for k in order.split())).ok
    told = kernel("".join(at[k] for k in "pairs apart square".split())).text
    assert told.endswith("it uses what s is as a sum, and nothing above says so")
    shortest, at = check.shortest_of_all, letters_of(check.shortest_of_all)
    assert shortest("".join(at[k] for k in "other square steps span flat right sum claim".split())).ok
    assert "it uses where θ* lies" in shortest("".join(at[k] for k in "other flat right".split())).text


def test_kernel_lms_may_keep_its_residual_but_not_move_one_by_one():
    def by_residual(X, y, X_new, k, eta, steps):
        K, r, betas = k(X, X), np.array(y), []
        for _ in range(steps):
            betas.append((betas[-1] if betas else 0) + eta * r)
            r = r - eta * K @ r
        return np.array(betas), kernels.expansion(k, X_new, X, betas[-1])

    def in_place(X, y, X_new, k, eta, steps):
        K, beta, betas = k(X, X), np.zeros(len(y)), []
        for _ in range(steps):
            for i in range(len(y)):
                beta[i] += eta * (y[i] - K[i] @ beta)
            betas.append(beta.copy())
        return np.array(betas), k(X_new, X) @ beta

    def same_object(X, y, X_new, k, eta, steps):
        K, beta, betas = k(X, X), np.zeros(len(y)), []
        for _ in range(steps):
            beta += eta * (y - K @ beta)
            betas.append(beta)
        return np.array(betas), k(X_new, X) @ beta

    assert check.learn_by_kernel(by_residual).ok
    assert "one after the other: that is stochastic LMS" in check.learn_by_kernel(in_place).text
    assert not check.learn_by_kernel(same_object).ok


def test_to_divide_by_eigenvalues_that_are_zero_up_to_rounding_is_named():
    def divided(K, y, eta, steps):
        lam, V = np.linalg.eigh(K)
        return V @ ((1 - (1 - eta * lam) ** steps) / lam * (V.T @ y))

    assert "you divided by eigenvalues like 1e-15" in check.after_many_steps(divided).text


@pytest.mark.parametrize("seed", [0, *slow(range(1, 30))])
def test_the_step_that_is_found_by_hand_is_the_librarys(seed):
    (drawn,) = check.steps_by_hand.cases(np.random.default_rng(seed))
    a, b = drawn.args
    K = np.array([[a, b], [b, a]], float)
    bound, factor, steps = check.steps_by_hand.answer(a, b)
    assert np.isclose(bound, kernel_lms.largest_step(K))
    y = np.array([1.0, -1.0])
    left = [np.linalg.norm(u.residual) for u in islice(kernel_lms.beta_updates(K, y, bound / 2), int(steps))]
    assert np.isclose(left[0] / np.linalg.norm(y), factor)
    assert left[-1] < 0.01 * np.linalg.norm(y) <= (left[-2] if len(left) > 1 else np.inf)


# --- chapter 12, choosing a kernel and Mercer's condition --------------------------------------------------------


def chosen(Ks, y, fold, lams, by=left_out_by_features, on=None):
    """The counts by ridge regression on features, and the first pair with the fewest."""
    counts = [[int(np.sum(y * by(K, y, fold, lam) <= 0)) for lam in lams] for K in Ks]
    _, m, j = min((counts[m][j], m, j) for m in range(len(Ks)) for j in range(len(lams)))
    return counts, m, j, np.linalg.inv(Ks[m] + lams[j] * np.identity(len(y))) @ y


@pytest.mark.parametrize("seed", range(5))
def test_a_kernel_is_chosen_by_samples_that_were_left_out(seed):
    def fitted(K, y, fold, lam):
        return K @ np.linalg.inv(K + lam * np.eye(len(y))) @ y

    ask = check.choose_kernel
    assert ask(chosen, seed=seed).ok, ask.last
    told = ask(lambda *args: chosen(*args, by=fitted), seed=seed).text
    assert told.startswith("you counted on the samples that it learned from")


def test_features_of_any_kernel_need_the_condition_above_the_square():
    proof, at = check.mercer_proof, letters_of(check.mercer_proof)
    order = "definition features condition square values reproduce well linear schwarz zero claim"
    assert proof("".join(at[k] for k in order.split())).ok
    told = proof("".join(at[k] for k in "definition square".split())).text
    assert told.endswith("it uses the condition, and nothing above says so")
    assert "xz" in proof(at["independent"]).text


# --- chapter 13, one line and many losses ------------------------------------------------------------------------


def test_weights_are_a_sum_of_samples_in_any_order_that_stands_on_itself():
    proof, at = check.sum_of_samples, letters_of(check.sum_of_samples)
    for order in (
        "split scores losses orthogonal squares cheaper best zero claim",
        "best split orthogonal squares cheaper scores losses zero claim",
    ):
        assert proof("".join(at[k] for k in order.split())).ok
    told = proof("".join(at[k] for k in "best split scores losses zero".split())).text
    assert told.endswith("it uses that v costs something, and nothing above says so"), told
    for decoy, value in {"always": "12.5", "fewer": "5 and 10", "different": "v = (0, 1)"}.items():
        assert value in proof(letters_of(proof)[decoy]).text


@pytest.mark.slow
def test_the_block_of_chapter_13_draws_the_same_lines_in_scikit_learn():
    """The loop with three pulls, logistic regression, the machine and Fisher, on samples that overlap."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    path = pathlib.Path(__file__).parents[1] / "notebooks" / "13_one_line_many_losses.ipynb"
    (told,) = (notebooks.text(c["source"]) for c in notebooks.read(path)["cells"] if c["id"] == "ch13-sklearn")
    X, t = datasets.clusters([[-1, -0.5], [1, 0.5]], 20, spread=1.1, rng=np.random.default_rng(3))
    A, y = design.augment(X), design.signs(t)
    names = {"X_mixed": X, "t_mixed": t, "design": design}
    exec(re.search(r"```python\n(.*?)```", told, re.DOTALL)[1], names)
    pulls = (lambda m: m <= 0, lambda m: special.sigmoid(-m), lambda m: 2 * (1 - m))
    for loop, pull, eta in zip(names["loops"], pulls, (1.0, 0.1, 0.01), strict=True):
        w = np.zeros(3)
        for i in np.tile(np.arange(40), 10):
            w = w + eta * pull(y[i] * (w @ A[i])) * y[i] * A[i]
        np.testing.assert_allclose(np.append(loop.coef_, loop.intercept_), w, rtol=1e-8)
    v, machine = logistic_regression.fit(A, t, design.free_bias(0.1, 3)).w, svm.fit(X, y, C=10.0)
    w = lda.direction(X, t)
    for found, right in ((names["logistic_sk"], v), (names["machine_sk"], np.append(machine.w, machine.b))):
        np.testing.assert_allclose(np.append(found.coef_, found.intercept_), right, atol=1e-4)
    ratio = np.append(names["fisher_sk"].coef_, names["fisher_sk"].intercept_) / np.append(w, -lda.threshold(w, X, t))
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-8)


def test_two_sessions_of_a_reader_keep_the_first_day_the_best_score_and_the_most_tries():
    one = {"eights": {"tries": 3, "solved": "2026-10-02", "best": 0.2}}
    two = {"eights": {"tries": 1, "solved": "2026-10-05", "best": 0.5}}
    assert _merged(one, two) == _merged(two, one) == one

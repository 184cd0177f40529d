"""What every exercise must satisfy; then what its chapter adds; the other kinds; the checker itself; the notebooks."""

import ast
import copy
import itertools
import json
import re
import warnings
from collections import ChainMap
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import linmodels.exercises as package
from linmodels import (
    datasets,
    design,
    glm,
    kernel_lms,
    kernels,
    lda,
    least_squares_classifier,
    linear_regression,
    logistic_regression,
    naive_bayes,
    perceptron,
    regularization,
    softmax_regression,
    special,
    svm,
)
from linmodels.book import asked
from linmodels.book.asked import bare, name_of, questions
from linmodels.exercises import Construction, Exercise, Result, check, listing
from linmodels.exercises.grading.answers import values
from linmodels.exercises.grading.checker import Case, once, run, written
from linmodels.exercises.grading.derive import Derivation
from linmodels.exercises.grading.mistakes import apart, edited, source_of
from linmodels.exercises.grading.prove import Proof
from linmodels.exercises.grading.reader import reader
from linmodels.exercises.grading.texts import texts
from linmodels.exercises.grading.trial import faults as faults_of
from linmodels.exercises.grading.usual import MADE

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
EXERCISES = [task for task in listing() if isinstance(task, Exercise)]
WRITTEN = [task for task in EXERCISES if task.kind == "write"]
CONSTRUCTIONS = [task for task in listing() if isinstance(task, Construction)]

each_task = pytest.mark.parametrize("task", listing(), ids=lambda task: task.name)
each_exercise = pytest.mark.parametrize("ex", EXERCISES, ids=lambda ex: ex.name)
each_written = pytest.mark.parametrize("ex", WRITTEN, ids=lambda ex: ex.name)
each_eighth = pytest.mark.parametrize("ex", WRITTEN[::8], ids=lambda ex: ex.name)  # of what the machinery does
each_construction = pytest.mark.parametrize("con", CONSTRUCTIONS, ids=lambda con: con.name)
seeds = pytest.mark.parametrize(
    "seeds", [[0], pytest.param(range(1, 10), marks=pytest.mark.slow)], ids=["the reader's seed", "9 more"]
)


@pytest.fixture(autouse=True)
def fresh_session():
    yield
    reader.is_called("", keep=False)
    for task in listing():
        task.last = None
        if isinstance(task, Proof):
            task.wrong = 0


def mistaken(ex, *edits):
    """The answer with these edits, as a reader wrote it."""
    f = edited(ex.answer, edits)

    def quiet(*args):
        with np.errstate(all="ignore"):  # a mistake may overflow
            return f(*args)

    return quiet


def judged(task, f, **seed):
    """What check says of f; of numbers worked out by hand, f() are these numbers."""
    return task(f, **seed) if task.kind != "by hand" else task(*pieces(f()), **seed)


def pieces(out):
    return out if isinstance(out, tuple) else (out,)


def example(task):
    return getattr(task, "answer", None) or task.example


def raising(error):
    def f(*args):
        raise error

    return f


# --- every exercise ---------------------------------------------------------------------------------------------


@each_exercise
def test_the_answer_can_be_played_on_every_case(ex):
    """First of all: each of the tests below plays it, and would say less."""
    for case in ex.cases(np.random.default_rng(0)):
        assert isinstance(case, Case), f"{ex.name}: its cases must make a list of Case(label, args), found {case!r:.60}"
        assert isinstance(case.args, tuple), f"{ex.name}, {case.label!r}: args must be a tuple, found {case.args!r:.60}"
        try:
            ex.answer_of(ex.answer, case)
        except Exception as error:
            shapes = ", ".join(f"{type(a).__name__} {np.shape(a)}" for a in case.args)
            asked = f"{ex.play.__name__}(answer, *args)" if ex.play is not once else ex.signature
            pytest.fail(f"{ex.name}, {case.label!r}: {asked} cannot be called with args = ({shapes}): {error}")


@seeds
@each_task
def test_an_exercise_passes_the_trial_of_its_kind(task, seeds):
    """Its answer is right, each of its wrong answers gets its own text, a stub is neutral, its texts are short."""
    assert list(faults_of(task, seeds)) == []


def pairs(ex):
    """About forty of the pairs of mistakes that can be made together."""
    source = source_of(ex.answer)
    found = [two for two in itertools.combinations(ex.mistakes, 2) if apart(source, two)]
    return found[:: 1 + len(found) // 40]


@pytest.mark.slow
@each_exercise
def test_no_pair_of_mistakes_passes(ex):
    for two in pairs(ex):
        try:
            wrong = mistaken(ex, *two)
            result = judged(ex, wrong)
        except (SyntaxError, TypeError, ValueError):  # a pair that no reader can have written
            continue
        assert result.status == "--", two


class Awkward:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("no array")

    def __len__(self):
        raise RuntimeError("no length")


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def no_arguments_wanted(*, only_keywords):
    return only_keywords


RUBBISH = {
    "ValueError": raising(ValueError("x")),
    "LinAlgError": raising(np.linalg.LinAlgError("Singular")),
    "RecursionError": raising(RecursionError()),
    "SystemExit": raising(SystemExit(1)),
    "unprintable": raising(Unprintable()),
    "wrong signature": no_arguments_wanted,
    "a string": lambda *args: "a",
    "a string of digits": lambda *args: "1.5",
    "bytes": lambda *args: b"1",
    "a dict": lambda *args: {},
    "an empty list": lambda *args: [],
    "ragged": lambda *args: [[1], [1, 2]],
    "nan": lambda *args: np.nan,
    "inf": lambda *args: np.inf,
    "a number": lambda *args: 0,
    "a boolean": lambda *args: True,
    "complex": lambda *args: 1j,
    "the arguments": lambda *args: args,
    "an object": lambda *args: object(),
    "a function": lambda *args: print,
    "a generator": lambda *args: (a for a in args),
    "awkward": lambda *args: Awkward(),
    "dates": lambda *args: np.array(["2024-01-01"], dtype="datetime64[D]"),
    "objects": lambda *args: np.array([None, 1], dtype=object),
    "too many": lambda *args: tuple(range(9)),
    "Nones": lambda *args: (None, None),
    "no function": 3,
    "None": None,
    "an array": np.eye(2),
    "a class": Awkward,
}


@pytest.mark.parametrize("f", RUBBISH.values(), ids=list(RUBBISH))
def test_rubbish_is_refused_without_an_exception(f):
    by_hand = [] if f is None else [task for task in EXERCISES if task.kind == "by hand"]
    for task in [*CONSTRUCTIONS[:1], *WRITTEN[::20], *by_hand[:2]]:
        result = task(f)
        assert result.status == "--" and not result.ok and result.text, task.name


@pytest.mark.slow
@pytest.mark.parametrize("f", RUBBISH.values(), ids=list(RUBBISH))
def test_rubbish_is_refused_by_every_exercise(f):
    for task in listing():
        result = task(f)
        assert f is None or (result.status == "--" and not result.ok and result.text), task.name


def spoiled(ex, kind, seed):
    """The answer, nearly: a new way of being wrong that no list of mistakes can hold."""
    rng, calls = np.random.default_rng(seed), itertools.count()
    other = mistaken(ex, ex.mistakes[seed % len(ex.mistakes)])

    def spoil(right, wrong, call):
        a, size = np.array(right, float), np.abs(right).max(initial=0.0) + 1
        if kind == 0:  # slightly off everywhere
            return a + 1e-5 * size * rng.normal(size=a.shape)
        if kind == 1:  # one entry off
            a.flat[rng.integers(a.size)] += 1e-4 * size * rng.uniform(1, 2)
            return a
        if kind == 2:  # noise
            return size * rng.normal(size=a.shape)
        if kind == 3:  # half way to a mistake
            return a + 0.3 * (np.resize(np.nan_to_num(wrong), a.shape) - a) + 1e-3 * size * rng.normal(size=a.shape)
        if kind == 4:  # right every other time
            return size * rng.uniform(1, 2) - a if call % 2 else a
        return rng.permutation(a.ravel()).reshape(a.shape) + 1e-4 * size * rng.normal(size=a.shape)

    def f(*args):
        right, wrong, call = ex.answer(*args), other(*args), next(calls)
        if not isinstance(right, tuple):
            return spoil(right, wrong, call)
        return tuple(spoil(r, w, call) for r, w in zip(right, pieces(wrong), strict=True))

    return f


def named_or_passed(ex, trials):
    """Six ways of being wrong on the same instances, for which the checker plays the known mistakes once."""
    results = [(trial, ex(spoiled(ex, trial % 6, trial), seed=trial // 6)) for trial in trials]
    unknown = ("wrong on", "nearly right on")
    return [told for told in results if told[1].status != "--" or not any(word in told[1].text for word in unknown)]


@each_eighth
def test_an_unknown_wrong_answer_neither_passes_nor_gets_a_name(ex):
    assert named_or_passed(ex, range(6)) == []


@pytest.mark.slow
@each_written
def test_no_unknown_wrong_answer_of_any_exercise_passes_or_gets_a_name(ex):
    assert named_or_passed(ex, range(72)) == []


@each_eighth
def test_a_factor_is_found_without_being_listed(ex):
    if ex.play is not once:  # the path of a step is not linear in the step
        return
    for factor, text in ((-1, "its sign is reversed"), (2, "it is 2 times"), (-0.5, "it is -1/2 times")):
        result = ex(lambda *args, z=factor: scaled(ex.answer(*args), z))
        assert result.status == "--" and (text in result.text or result.text in {t for _, _, t in ex.mistakes}), result


def scaled(out, factor):
    return tuple(factor * a for a in out) if isinstance(out, tuple) else factor * out


@each_eighth
def test_the_first_failing_call_can_be_repeated(ex):
    for edit in ex.mistakes[::4]:
        wrong = mistaken(ex, edit)
        result = ex(wrong)
        for kept, f in ((result.yours, wrong), (result.expected, ex.answer)):
            for a, b in zip(pieces(kept), pieces(f(*result.inputs)), strict=True):
                np.testing.assert_array_equal(a, b)


@each_eighth
def test_overwriting_the_arguments_is_told(ex):
    def f(*args):
        out = copy.deepcopy(ex.answer(*args))
        for a in args:
            if isinstance(a, np.ndarray):
                a += 1
        return out

    if any(isinstance(a, np.ndarray) for a in ex(lambda *args: 0).inputs):
        assert ex(f).text == "the values are right, but it overwrites its arguments: work on a copy"
    assert ex(ex.answer).ok  # and nothing of it has reached the checker


@each_written
def test_a_solution_is_one_function_and_its_imports(ex):
    *imports, answer = ast.parse(ex.solution()).body
    assert all(isinstance(line, ast.Import | ast.ImportFrom) for line in imports)
    assert isinstance(answer, ast.FunctionDef) and answer.name == ex.name and not answer.decorator_list
    assert package.__name__ not in ex.solution()


@each_task
def test_an_exercise_names_its_notes_and_is_called_by_its_name(task):
    assert re.match("[A-E] [0-9]|E(,|$)", task.notes)
    assert check.__getattr__(task.name) is task and task.signature.startswith(f"{task.name}(")
    told = [text for _, _, text in getattr(task, "mistakes", ())] + list(task.hints)
    assert not [text for text in told if " less the " in text or " less its " in text]  # say: subtract


@each_task
def test_hints_and_results_show_themselves_and_nothing_else(task, capsys):
    count = len(task.hints)
    for n, hint in enumerate(task.hints, start=1):
        more = f"  (.hint({n + 1}) for the next)" if n < count else ""
        assert repr(task.hint(n)) == f"hint {n} of {count}: {hint}{more}"
    assert repr(task.hint()) == repr(task.hint(1))
    assert "there are" in repr(task.hint(9)) and repr(task.hint(0)) == repr(task.hint("x")) == repr(task.hint(9))
    assert repr(task).splitlines()[0] == f"{'★' * task.stars} {task.signature}  [{task.notes}]"
    assert repr(task(7)) == repr(task(7)) and repr(task.last).startswith(f"[--] {task.name}: ")
    assert capsys.readouterr() == ("", "")


def test_the_examples_that_the_book_prints_are_refused_and_the_like_of_them_are_not():
    told = lambda name, *made: check.__getattr__(name)(lambda: made).text  # noqa: E731
    iris, two = datasets.iris(), np.array([[1, 0]] * 2 + [[0, 0]] * 2 + [[0, 1]] * 3 + [[0, 0]] * 3)
    within, between = lda.scatter_within(iris.X, iris.y), lda.scatter_between(iris.X, iris.y)
    planes = [np.linalg.qr(rng.standard_normal((4, 2)))[0] for rng in [np.random.default_rng(8)] for _ in range(300)]
    best = max(planes, key=lambda W: lda.trace_ratio(W, iris.X, iris.y))
    x, spam = np.array([-2.0, -1.2, -0.4, 0.5, 1, 1.8]), np.repeat([1, 0], [4, 6])
    for made in (
        ("no_finite_optimum", design.augment(x[:, None]), x > 0, [40.0, 0]),
        ("no_finite_optimum", x[::-1, None], x[::-1] > 0, [40.0]),
        ("trace_ratio_counterexample", within, between, best),
        ("trace_ratio_counterexample", 7 * within[::-1, ::-1], between[::-1, ::-1] / 3, best[::-1]),
        ("zero_over_zero", two, spam, [1, 1]),
        ("zero_over_zero", two[::-1, ::-1], spam[::-1], [1, 1]),
        ("perceptron_moves_away", [1.0, 0], -6.0, [-1.0, 0], 1, 0.5),
        ("perceptron_moves_away", [1.0, 0], -6.0, [-1.0, 0], 1, 0.1),
    ):
        assert told(*made) == "that is the book's: find another", made[0]
    for made in (
        ("no_finite_optimum", 2 * x[:, None], x > 0, [20.0]),
        ("zero_over_zero", two[1:], spam[1:], [1, 1]),
        ("perceptron_moves_away", [1.0, 0], -7.0, [-1.0, 0], 1, 0.5),
    ):
        assert told(*made) == "yes, that is one", made[0]


# --- what the chapters add --------------------------------------------------------------------------------------

# chapter 01

# --- chapter 01: linear regression ------------------------------------------------------------------------------
PLAIN_01 = {
    "add_bias": design.augment,
    "squared_error_gradient": linear_regression.gradient,
    "largest_stable_step": linear_regression.largest_step,
    "min_norm_solution": linear_regression.minimum_norm,
    "gd_step": lambda w, X, y, eta: w - eta * linear_regression.gradient(w, X, y),
    "sgd_step": lambda w, x, y, eta: w - eta * linear_regression.gradient(w, x[None], np.array([y])),
    "normal_equations": lambda X, y: linear_regression.least_squares(design.augment(X), y),
}


def descended(A, y, steps):
    """Gradient descent from 0 with the largest step of which nothing grows."""
    w, eta = np.zeros(A.shape[1]), linear_regression.largest_step(A)
    for _ in range(steps):
        w = w - eta * A.T @ (A @ w - y)
    return w


def power_iteration(X, steps):
    v = np.ones(X.shape[1])
    for _ in range(steps):
        v = X.T @ (X @ v) / np.linalg.norm(X.T @ (X @ v))
    return 1 / (v @ X.T @ X @ v)


def penalized(A, y, lam):
    return np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ y)


HOLES_01 = [  # wrong functions that passed once
    ("add_bias", "ones already there", lambda X: X if (X[:, -1] == 1).all() else np.c_[X, np.ones(len(X))]),
    ("normal_equations", "coarse pinv", lambda X, y: np.linalg.pinv(np.c_[X, np.ones(len(X))], 1e-2) @ y),
    ("normal_equations", "finer pinv", lambda X, y: np.linalg.pinv(np.c_[X, np.ones(len(X))], 1e-3) @ y),
    ("normal_equations", "tiny ridge", lambda X, y: penalized(np.c_[X, np.ones(len(X))], y, 1e-10)),
    ("min_norm_solution", "coarse pinv", lambda X, y: np.linalg.pinv(X, 1e-2) @ y),
    ("min_norm_solution", "finer pinv", lambda X, y: np.linalg.pinv(X, 1e-3) @ y),
    ("min_norm_solution", "very coarse pinv", lambda X, y: np.linalg.pinv(X, 0.1) @ y),
    ("min_norm_solution", "2000 steps", lambda X, y: descended(X, y, 2000)),
    ("largest_stable_step", "10 powers", lambda X: power_iteration(X, 10)),
    ("largest_stable_step", "1000 powers", lambda X: power_iteration(X, 1000)),
    ("largest_stable_step", "first of eigvals", lambda X: 1 / np.linalg.eigvals(X.T @ X)[0]),
]


def test_the_singular_instances_have_a_rank_that_every_usual_threshold_finds():
    for seed in range(10):
        for _, (X, _), _ in check.min_norm_solution.cases(np.random.default_rng(seed)):
            s = np.linalg.svd(X)[1] / np.linalg.svd(X)[1][0]
            assert np.linalg.matrix_rank(X) < X.shape[1] and not np.any((s > 2e-15) & (s < 1e-5))
        assert 1e-5 < s[-2] < 1e-3 and s[-3] > 1e-2  # the last instance: one value is small, but not 0


def test_the_ways_to_the_shortest_solution_are_all_right():
    for way in (np.linalg.pinv, lambda X: X.T @ np.linalg.pinv(X @ X.T, 1e-12)):
        assert all(check.min_norm_solution(lambda X, y, way=way: way(X) @ y, seed=seed).ok for seed in range(10))


def test_a_system_without_a_solution_is_told_to_be_singular():
    ones = lambda X: np.ones((X.shape[1], X.shape[1]))  # singular on every processor, whatever it rounds  # noqa: E731
    told = check.ridge(lambda X, y, lam: np.linalg.solve(ones(X), X.T @ y)).text
    assert "Singular matrix (this matrix has no inverse" in told
    told = check.min_norm_solution(lambda X, y: np.linalg.solve(ones(X), X.T @ y)).text  # an exercise has its own words
    assert "Singular matrix (XᵀX is singular in this exercise" in told


@pytest.mark.slow
def test_power_iteration_to_the_end_is_right():
    assert check.largest_stable_step(lambda X: power_iteration(X, 20000)).ok


# chapter 02


# --- chapter 02: regularization ---------------------------------------------------------------------------------
def step(j, w, X, y, lam, rho=1.0):
    return regularization.coordinate_step(j, w, X, y, lam, rho)


def free_ones(j, w, X, y, lam, rho=1.0):
    """A column of ones is spared the penalty."""
    return step(j, w, X, y, 0.0 if np.ptp(X[:, j]) == 0 else lam, rho)


def spared(X):
    return X[:, :-1] if X.shape[1] > 1 else X


PLAIN_02 = {
    "ridge": lambda X, y, lam: regularization.ridge(design.augment(X), y, lam),
    "ridge_free_bias": lambda X, y, lam: regularization.ridge(
        design.augment(X), y, np.append(np.full(X.shape[1], lam), 0.0)
    ),
    "lasso_coordinate": step,
    "elastic_net_coordinate": step,
    "soft_threshold": regularization.soft_threshold,
    "lasso_lambda_max": regularization.smallest_zero_lam,
    "ridge_as_least_squares": regularization.ridge_rows,
}
HOLES_02 = [  # wrong functions that passed once
    ("ridge", "lam at least 1", lambda X, y, lam: regularization.ridge(design.augment(X), y, max(lam, 1))),
    ("ridge", "lam at most 10", lambda X, y, lam: regularization.ridge(design.augment(X), y, min(lam, 10))),
    ("soft_threshold", "nothing far out", lambda a, t: special.soft_threshold(np.clip(a, -1e3, 1e3), t)),
    ("soft_threshold", "0/0", lambda a, t: a * np.maximum(1 - t / np.abs(a), 0)),
    ("ridge_as_least_squares", "ones", lambda X, y, lam: regularization.ridge_rows(X, y, lam * (np.ptp(X, 0) > 0))),
    ("lasso_coordinate", "ones", free_ones),
    ("lasso_coordinate", "never 0", lambda j, w, X, y, lam: step(j, w, X, y, lam or 1.0)),
    ("lasso_lambda_max", "last column", lambda X, y: 2 * np.max(np.abs(spared(X).T @ y))),
    ("lasso_lambda_max", "ones", lambda X, y: 2 * np.max(np.abs(X.T @ y) * (np.ptp(X, 0) > 0))),
    ("elastic_net_coordinate", "ones", free_ones),
    ("elastic_net_coordinate", "rho = 0.7", lambda j, w, X, y, lam, rho: step(j, w, X, y, lam, 0.7)),
]


def test_a_coordinate_step_returns_one_number_and_changes_nothing():
    for ex in (check.lasso_coordinate, check.elastic_net_coordinate):
        told = ex(lambda j, w, *rest, ex=ex: np.append(w[1:], ex.answer(j, w, *rest))).text
        assert told == "it must return the new w_j alone, a number; an array of shape (3,) came out"
        for place in (1, 2, 3):  # w, X, y

            def in_place(*args, ex=ex, place=place):
                new = ex.answer(*args)
                args[place][...] = 7.0
                return new

            assert ex(in_place).text == "the values are right, but it overwrites its arguments: work on a copy"


def test_rows_are_judged_by_their_sum_of_squares():
    ex = check.ridge_as_least_squares

    def changed(change):
        return ex(lambda X, y, lam: change(*ex.answer(X, y, lam)))

    assert changed(lambda A, c: (A[::-1], c[::-1])).ok and not changed(lambda A, c: (A[::-1], c)).ok
    assert changed(lambda A, c: (np.vstack([A, 0 * A]), np.append(c, 0 * c))).ok
    assert changed(lambda A, c: (A, c[:7])).text == "A has 10 rows but c has 7 entries: every row needs its target"
    assert changed(lambda A, c: (A, c[:, None])).text.startswith("A must be a matrix and c a vector; they are of shape")


# chapter 03


def family_of(**parts):
    """The Gaussian family with other functions in it."""
    return glm.Family(**vars(glm.gaussian) | parts)


def gaussian_03(y, mu, sigma):
    family = glm.gaussian_with(sigma)
    return family.b(y), family.T(y), family.eta(mu), family.a(family.eta(mu))


def with_2y(b, T, eta, a):
    return b, 2 * T, eta / 2, a


def log_fit_03(X, y):
    return glm.log_linear_regression(np.column_stack([X, np.ones(len(X))]), y)


PLAIN_03 = {
    "natural_parameter": glm.bernoulli.eta,
    "exponential_density": lambda y, eta, b, T, a: np.exp(
        [glm.log_density(z, eta, family_of(log_b=lambda y: np.log(b(y)), T=T, a=a)) for z in y]
    ),
    "log_linear_fit": log_fit_03,
    "bernoulli_log_partition": glm.bernoulli.a,
    "gaussian_as_exponential": gaussian_03,
    "glm_score": lambda X, y, w, mean: -glm.gradient(w, X, y, family_of(mean=mean)),
    "categorical_phi": glm.categorical_phi,
}
HOLES_03 = [
    ("natural_parameter", "cut off at 1e-10", lambda phi: glm.bernoulli.eta(np.clip(phi, 1e-10, 1 - 1e-10))),
    ("natural_parameter", "cut off near 1", lambda phi: glm.bernoulli.eta(np.minimum(phi, 1 - 1e-9))),
    ("natural_parameter", "1e-16 added", lambda phi: np.log(phi + 1e-16) - np.log(1 - phi + 1e-16)),
    ("exponential_density", "b of T(y)", lambda y, eta, b, T, a: b(T(y)) * np.exp(eta * T(y) - a(eta))),
    ("log_linear_fit", "1e-3 added", lambda X, y: log_fit_03(X, y + 1e-3)),
    ("log_linear_fit", "1e-16 added", lambda X, y: log_fit_03(X, y + 1e-16)),
    ("log_linear_fit", "cut off at 1e-12", lambda X, y: log_fit_03(X, np.maximum(y, 1e-12))),
    ("bernoulli_log_partition", "0 below -20", lambda eta: np.where(eta < -20, 0, np.logaddexp(0, eta))),
    ("bernoulli_log_partition", "cut off at 740", lambda eta: np.logaddexp(0, np.minimum(eta, 740))),
    ("gaussian_as_exponential", "T = 2y", lambda y, mu, sigma: with_2y(*gaussian_03(y, mu, sigma))),
    ("categorical_phi", "cut off at 8", lambda eta: glm.categorical_phi(np.clip(eta, -8, 8))),
    ("categorical_phi", "the reference is never first", lambda eta: glm.categorical_phi(eta - min(0, eta.max()))),
]


def test_a_density_that_is_right_with_2y_is_told_that_T_is_y():
    assert "T(y) = y" in check.gaussian_as_exponential.ask
    got = check.gaussian_as_exponential(lambda y, mu, sigma: with_2y(*gaussian_03(y, mu, sigma)))
    assert got.text == "T(y) is y and eta mu/sigma², not 2y and mu/(2 sigma²)"


def test_right_forms_of_the_log_odds_and_the_log_partition_pass():
    assert check.natural_parameter(lambda phi: np.log(phi / (1 - phi))).ok
    assert check.natural_parameter(lambda phi: -np.log(1 / phi - 1)).ok
    assert check.bernoulli_log_partition(lambda eta: np.maximum(eta, 0) + np.log(1 + np.exp(-np.abs(eta)))).ok


def test_b_and_T_of_the_third_density_both_vary_and_its_integral_is_1():
    y, eta, b, T, a = check.exponential_density.cases(np.random.default_rng(0))[2].args
    assert np.ptp(b(y)) > 0 and not np.allclose(T(y), y)
    z = np.linspace(0, 30, 300_001)
    assert np.isclose(np.sum(check.exponential_density.answer(z, eta, b, T, a)) * 1e-4, 1)


# chapter 04

# --- chapter 04 -------------------------------------------------------------------------------------------------

PLAIN_04 = {
    "regularised_gradient": lambda w, X, t, lam: logistic_regression.gradient(w, X, t, lam),
    "irls_step": lambda w, X, t: logistic_regression.irls_step(w, X, t),
    "sigmoid": special.sigmoid,
    "log_likelihood": logistic_regression.log_likelihood,
    "logistic_gradient": logistic_regression.gradient,
    "logistic_hessian": logistic_regression.hessian,
}


def clipped_likelihood(low, high):
    """L(w) of a p kept in [low, high]."""

    def f(w, X, t):
        p = np.clip(special.sigmoid(X @ w), low, high)
        return np.sum(t * np.log(p) + (1 - t) * np.log(1 - p))

    return f


HOLES_04 = [
    *(("sigmoid", f"a clipped at ±{c}", lambda a, c=c: 1 / (1 + np.exp(-np.clip(a, -c, c)))) for c in (15, 30, 36, 88)),
    *(("sigmoid", f"{e} as a limit", lambda a, e=e: np.clip(special.sigmoid(a), e, 1 - e)) for e in (1e-15, 1e-30)),
    ("sigmoid", "1 - σ(-a)", lambda a: 1 - 1 / (1 + np.exp(a))),
    *(("log_likelihood", f"p clipped at {e}", clipped_likelihood(e, 1 - e)) for e in (1e-15, 1e-7)),
    ("log_likelihood", "p raised to 1e-300", clipped_likelihood(1e-300, 1 - 1e-16)),
    ("log_likelihood", "1e-20 added", lambda w, X, t: np.sum(
        np.log(special.sigmoid((2 * t - 1) * (X @ w)) + 1e-20)
    )),
    ("logistic_gradient", "the first sample left out", lambda w, X, t: logistic_regression.gradient(w, X[1:], t[1:])),
    ("irls_step", "two steps", lambda w, X, t: PLAIN_04["irls_step"](PLAIN_04["irls_step"](w, X, t), X, t)),
]  # fmt: skip


def test_sigmoid_takes_every_stable_form():
    for right in (
        lambda a: 1 / (1 + np.exp(-np.clip(a, -500, 500))),  # 7e-218 in place of 0
        lambda a: np.exp(-np.logaddexp(0, -a)),
        lambda a: special.softmax(np.stack([a, 0 * a], axis=-1))[..., 0],
    ):
        assert check.sigmoid(right).ok, check.sigmoid.last


def test_a_step_of_irls_needs_no_inverse_of_R():
    """The book's own solution gave nan where p rounds to 0 or 1."""
    X, t, w = np.array([[30.0, 1], [-1, 1], [1, 1], [0.5, 1]]), np.array([1.0, 0, 1, 0]), np.array([1.5, 0])
    new = logistic_regression.irls_step(w, X, t)
    np.testing.assert_allclose(check.irls_step.answer(w, X, t), new, rtol=1e-12)
    namespace = {}
    exec(check.irls_step.solution(), namespace)
    np.testing.assert_allclose(namespace["irls_step"](w, X, t), new, rtol=1e-12)

    def with_inverse(w, X, t, least=0.0):
        p = special.sigmoid(X @ w)
        r = np.maximum(p * (1 - p), least)
        return np.linalg.solve((X.T * r) @ X, X.T @ (r * (X @ w - (p - t) / r)))

    def with_matrices(w, X, t):
        p = special.sigmoid(X @ w)
        R = np.diag(p * (1 - p))
        return np.linalg.inv(X.T @ R @ X) @ X.T @ R @ (X @ w - np.linalg.inv(R) @ (p - t))

    with np.errstate(all="ignore"):
        assert np.isnan(with_inverse(w, X, t)).all()
    for seed in range(5):
        assert check.irls_step(with_inverse, seed=seed).text.startswith(
            "an entry of R rounds to 0, and R⁻¹ is inf there"
        )
        assert not check.irls_step(lambda *args: with_inverse(*args, least=1e-3), seed=seed).ok
        assert check.irls_step(with_matrices, seed=seed).text.startswith("on 'entries of R that round to 0'")


def test_the_damped_step_of_irls_is_another_and_is_named():
    *others, (_, ((w,), [(X, t)]), _) = check.irls_step.cases(np.random.default_rng(0))
    E = [logistic_regression.loss(v, X, t) for v in (w, check.irls_step.answer(w, X, t))]
    assert E[1] > 1.2 * E[0] and len(others) == 6

    def damped(w, X, t):
        new = logistic_regression.newton_step(w, X, t)
        while logistic_regression.loss(new, X, t) > logistic_regression.loss(w, X, t):
            new = (w + new) / 2
        return new

    assert all(check.irls_step(damped, seed=seed).text.startswith("you halved the step") for seed in range(5))


def test_of_the_data_without_a_best_w_the_first_requirement_missed_is_told():
    X, t, w = check.no_finite_optimum.example()
    assert not logistic_regression.fit(X, t).converged
    made = [(X, t[:, None], -w), (X[:, [0, 0]], 2 * t - 1, -w), (X[:, [0, 0]], 0 * t, -w), (X[:, [0, 0]], t, -w)]
    made += [(X, np.array([0, 1, 0, 1]), 3 * w), (X, t, w / 4), (X, t, 3 * w)]
    for data, need in zip(made, check.no_finite_optimum.requirements, strict=True):
        assert check.no_finite_optimum(lambda data=data: data).text == need.text
    assert check.no_finite_optimum(lambda: (X, t.astype(bool), (1.3 * w).tolist())).ok
    assert check.no_finite_optimum(lambda: ([[-2.0], [2.0]], [0, 1], [10.0])).ok


# chapter 05

# --- chapter 05 -------------------------------------------------------------------------------------------------

PLAIN_05 = {
    "cross_entropy": lambda A, T: softmax_regression.loss(np.eye(A.shape[1]), A, T),  # W = I: the scores are A
    "softmax_sgd_step": lambda W, x, t, eta: W - eta * softmax_regression.gradient(W, x[None], t[None]),
    "softmax": special.softmax,
    "two_class_as_sigmoid": softmax_regression.two_class_weights,
    "softmax_jacobian": softmax_regression.jacobian,
    "softmax_gradient": softmax_regression.gradient,
    "drop_reference_class": softmax_regression.to_reference,
}


def by_row(E):
    return E / E.sum(axis=1, keepdims=True)


def minus_log(kept):
    """The loss of probabilities that are kept away from 0."""
    return lambda A, T: -np.sum(T * np.log(kept(special.softmax(A))))


HOLES_05 = [
    ("softmax", "at most 700", lambda A: by_row(np.exp(np.where(A > 700, 700, A)))),
    ("softmax_gradient", "at most 700", lambda W, X, T: X.T @ (by_row(np.exp(np.minimum(X @ W, 700))) - T)),
    *(("cross_entropy", f"{e} as a limit", minus_log(lambda p, e=e: np.clip(p, e, 1 - e))) for e in (1e-15, 1e-7)),
    *(("cross_entropy", f"{e} added", minus_log(lambda p, e=e: p + e)) for e in (1e-15, 1e-300)),
    ("cross_entropy", "log2", lambda A, T: PLAIN_05["cross_entropy"](A, T) / np.log(2)),
    ("softmax_sgd_step", "sure samples left out", lambda W, x, t, eta: (
        W - eta * np.outer(x, special.softmax(x @ W) - t) * (np.abs(special.softmax(x @ W) - t).max() > 0.1)
    )),
]  # fmt: skip


def test_a_limit_for_large_scores_is_told_alone():
    told = check.softmax(lambda A: by_row(np.exp(np.where(A > 700, 700, A)))).text
    assert told == "a limit at 700 makes large scores equal: subtract the largest score first"


def test_a_mistake_of_the_jacobian_is_looked_up_as_it_is_before_it_is_turned():
    """-p_j² and -p_k² beside the diagonal are each other's transposes."""
    told = [
        check.softmax_jacobian(f).text for f in (lambda p: np.diag(p) - p * p, lambda p: np.diag(p) - p[:, None] ** 2)
    ]
    assert "-p_j²" in told[0] and "-p_k²" in told[1] and not any("transposed" in text for text in told)


def test_one_maximum_for_all_rows_is_no_cross_entropy():
    """ln(e^1000 + e^200) - 1000 = 0 and ln 2; with 1000 for both rows the second is 1000 + ln(2e^-1000) = -inf."""
    A, T = np.array([[1000.0, 200], [0, 0]]), np.array([[1.0, 0], [0, 1]])
    np.testing.assert_allclose(check.cross_entropy.answer(A, T), np.log(2), rtol=1e-15)
    for f in (lambda L: -np.sum(T * L), lambda L: -np.sum(L[T == 1])):
        with np.errstate(divide="ignore", invalid="ignore"):
            assert not np.isfinite(f(A - A.max() - np.log(np.exp(A - A.max()).sum(axis=1, keepdims=True))))


def test_the_answers_about_columns_of_weights_are_those_of_the_model():
    rng = np.random.default_rng(1)
    W, X = rng.normal(size=(3, 4)), rng.normal(size=(7, 3))
    V = check.drop_reference_class.answer(W)
    P = softmax_regression.posterior(W, X)
    np.testing.assert_allclose(softmax_regression.reference_posterior(V, X), P, rtol=1e-12)
    w = check.two_class_as_sigmoid.answer(W[:, :2])
    np.testing.assert_allclose(special.sigmoid(X @ w), softmax_regression.posterior(W[:, :2], X)[:, 1], rtol=1e-12)


# chapter 06

PLAIN_06 = {
    "one_hot": design.one_hot,
    "ls_predict": lambda W, X: least_squares_classifier.predict(W, design.augment(X)),
    "margin_losses": lambda m: tuple(
        getattr(least_squares_classifier, f"{name}_loss")(m) for name in ("squared", "logistic", "zero_one")
    ),
    "ls_classifier": lambda X, T: least_squares_classifier.closed_form(design.augment(X), T),
}


def losses_with_800(m):
    return (1 - m) ** 2, np.nan_to_num(np.log1p(np.exp(-m)), posinf=800.0), m <= 0


def last_output_from_the_others(W, X):
    Y = design.augment(X) @ W[:, :-1]
    return np.argmax(np.column_stack([Y, 1 - Y.sum(axis=1)]), axis=1)


HOLES_06 = [
    ("one_hot", "numbered from the smallest class that occurs", lambda t, K: np.eye(K)[t - t.min()]),
    ("one_hot", "one sample has no row", lambda t, K: np.squeeze(np.eye(K)[t])),
    ("ls_predict", "as if the outputs summed to 1", last_output_from_the_others),
    ("ls_predict", "one sample gives a number", lambda W, X: np.squeeze(np.argmax(X @ W[:-1] + W[-1], axis=1))),
    ("margin_losses", "800 wherever e^-m overflows", losses_with_800),
]


def test_three_losses_may_come_as_three_rows():
    right = check.margin_losses.answer
    assert check.margin_losses(lambda m: np.stack(right(m))).ok
    assert check.margin_losses(lambda m: np.stack(right(m)[::-1])).text.endswith(
        "(square, logistic, zero_one) is wanted"
    )


def test_outliers_may_be_of_either_class_few_and_very_far_out():
    """X = 0, 1, 2, 3: with Z -> inf the boundary tends to 2.5, so that x = 2 is wrong, though 1.5 separates."""
    told = lambda *data: check.outlier_data(lambda: data).text  # noqa: E731
    (X, t, Z, s), ok, inseparable = (
        check.outlier_data.example(),
        "yes, that is one",
        "X and Z together must be separable",
    )
    assert told(-X, t, -Z, s) == told(X, 1 - t, Z, 1 - s) == told(X + 5, t == 1, (Z + 5).tolist(), [1.0, 1]) == ok
    for none_or_many in ((Z[:0], s[:0]), (X, t)):
        assert told(X, t, *none_or_many).startswith("add at least one sample Z, but fewer than there are in X")
    for wrong in ((X, t, np.hstack([Z, Z]), s), (X, t, Z, s + 1), (X, 0 * t, Z, 0 * s), (X[:, 0], t, Z, s)):
        assert told(*wrong).startswith("X (N, d), Z (M, d) must hold samples of the same features")
    X, t, s = np.arange(4.0)[:, None], np.array([0, 0, 1, 1]), np.array([1])
    for far in (1e2, 1e5, 1e8, 9e9):
        assert told(X, t, [[far]], s) == told(-1e-6 * X, t, [[-1e-6 * far]], s) == ok, far
        assert told(X, t, [[far]], 1 - s).startswith(inseparable), far
    assert told(X, t, [[1e12]], s).startswith("Z is too far out")
    assert told(X, t, [[1e9], [-1e9]], [1, 0]).startswith("least squares on all samples still has every sample")


def test_the_largest_class_is_hidden_where_it_has_no_sample_in_its_window():
    """N = 3, 4, 3 at -3, ±1, 3: S_t = 58, so class 1 wins for |x| < 58/90. A tie at the end is no prediction."""
    x, t = np.array([-3, -3, -3, -1, -1, 1, 1, 3, 3, 3.0]), np.repeat([0, 1, 2], (3, 4, 3))
    made = lambda x, t: check.mask_the_largest(lambda: (x[:, None], t))  # noqa: E731
    for scale, shift in ((1, 0), (-1, 0.7), (7, 3), (0.1, 0.7)):
        assert made(scale * x + shift, t).ok, (scale, shift)
    assert made(np.where(abs(x) == 1, 0.6 * x, x), t).text.startswith(
        "least squares predicts the classes 0, 1, 2 for 3, 4, 3"
    )
    assert made(np.append(x, 4.0), np.append(t, 1)).text.startswith("two of the classes cannot be separated")
    assert made(x[1:], t[1:]).text.startswith("least squares predicts") or made(
        x[[0, 1, 2, 3, 4, 5, 7, 8, 9]], np.repeat([0, 1, 2], 3)
    ).text.startswith("one class must have more")


def test_a_hidden_class_that_is_not_the_largest_gets_its_own_words():
    x, t = np.repeat([-4.0, 0, 4], (6, 3, 5)) + np.tile([0, 0.1], 7), np.repeat([0, 1, 2], (6, 3, 5))
    assert check.mask_the_largest(lambda: (x[:, None], t)).text.endswith("a class is hidden, but not the largest one")


# chapter 07

PLAIN_07 = {
    "within_scatter": lda.scatter_within,
    "rayleigh": lda.rayleigh_quotient,
    "between_scatter": lda.scatter_between,
    "fisher_direction": lda.direction,  # both up to length, sign and order: the play sees to it
    "fisher_predict": lambda X, t, X_new: lda.predict(lda.direction(X, t), lda.means(X, t), X_new),
    "discriminant_subspace": lambda X, t: lda.directions(X, t)[0],
}


def scatters_of(classes):
    return lambda X, t: sum(lda.scatter_total(X[t == k]) for k in classes if (t == k).any())


HOLES_07 = [
    ("within_scatter", "four classes, never more", scatters_of(range(4))),
    ("between_scatter", "four classes, never more", lambda X, t: lda.scatter_total(X) - scatters_of(range(4))(X, t)),
]


def test_any_multiple_of_fishers_direction_is_right_and_nothing_else():
    right = check.fisher_direction.answer
    for z in (1, -1, 2, -1e-6, 1e6, 1e-150, 1 + 0j):
        assert check.fisher_direction(lambda X, t, z=z: z * right(X, t)).ok, z
    assert check.fisher_direction(lambda X, t: 0 * right(X, t)).text == "every answer is 0"
    turned = lambda X, t: right(X, t) + 1e-5 * np.linalg.norm(right(X, t)) * np.eye(X.shape[1])[0]  # noqa: E731
    assert check.fisher_direction(turned).text.startswith("nearly right on")


def test_the_columns_of_the_subspace_are_free_but_not_their_span():
    told = lambda f: check.discriminant_subspace(lambda X, t: f(lda.directions(X, t)[0]))  # noqa: E731
    assert told(lambda W: -W[:, ::-1] * 10.0 ** -np.arange(W.shape[1])).ok and told(lambda W: W.astype(complex)).ok
    assert told(lambda W: W @ np.triu(np.ones(2 * W.shape[1:]))).ok and told(lambda W: np.linalg.qr(W)[0]).ok
    assert told(lambda W: W * (np.arange(W.shape[1]) > 0)).text.startswith("the columns of W are dependent")
    assert told(lambda W: W * (1 + 1j)).text == "it must return real numbers, not complex ones"
    assert told(lambda W: W[:, 0]).text.endswith("its shape is (4,), but must be (4, 2)")


def test_a_new_sample_lies_beside_the_threshold_but_never_on_it():
    for case in (c for seed in range(5) for c in check.fisher_predict.cases(np.random.default_rng(seed))):
        X, t, X_new = case.args
        w = lda.direction(X, t)
        off = (X_new @ w - lda.threshold(w, X, t)) / (w @ np.subtract(*lda.means(X, t)))
        assert 5e-5 < np.abs(off).min() < 0.003 and np.sum(off > 0) > 100 < np.sum(off < 0)


def test_a_counterexample_may_be_turned_and_scaled():
    """The example: axes 1, 3 have (100 + 1)/(10 + 1), axes 1, 2 have 300/110 in length 1, (10 + 2)/2 if vᵀS_w v = 1."""
    A, B, W = check.trace_ratio_counterexample.example()
    ratio = lambda W: np.trace(W.T @ B @ W) / np.trace(W.T @ A @ W)  # noqa: E731
    np.testing.assert_allclose([ratio(W), ratio(np.eye(3)[:, :2])], [101 / 11, 300 / 110], rtol=1e-15)
    rng = np.random.default_rng(0)
    for z in (1e-8, 1.0, 1e8):
        Q, R = np.linalg.qr(rng.normal(size=(3, 3)))[0], np.linalg.qr(rng.normal(size=(2, 2)))[0]
        assert check.trace_ratio_counterexample(lambda z=z, Q=Q, R=R: (z * Q @ A @ Q.T, Q @ B @ Q.T / z, Q @ W @ R)).ok
    assert not check.trace_ratio_counterexample(lambda: (A, B, np.eye(3))).ok  # m = d
    told = check.trace_ratio_counterexample(lambda: (A + np.eye(3, k=1), B, W)).text
    assert told == "S_w must be symmetric and positive definite: all its eigenvalues above 0"


# chapter 08


def log_joint_of(X, *model):
    return naive_bayes.log_joint(naive_bayes.bernoulli(*model), X)


def log_odds_of(X, *model):
    return naive_bayes.log_odds(naive_bayes.bernoulli(*model), X)


def pi_and_mu(model):
    return model.prior[1], model.mu[1], model.mu[0]


PLAIN_08 = {
    "bernoulli_nb_fit": lambda X, t: pi_and_mu(naive_bayes.fit(X, t, smoothing=0.0)),
    "laplace_categorical": lambda z, M: naive_bayes.smoothed(np.bincount(z, minlength=M)),
    "laplace_fit": lambda X, t: pi_and_mu(naive_bayes.fit(X, t)),
    "category_shares": lambda X, M: naive_bayes.fit(np.vstack([X, X]), np.repeat([0, 1], len(X)), n_values=M).theta[0],
    "joint_log_likelihood": log_joint_of,
    "nb_posterior": lambda X, *model: naive_bayes.posterior(naive_bayes.bernoulli(*model), X)[:, 1],
    "nb_as_linear": lambda *model: naive_bayes.as_linear(naive_bayes.bernoulli(*model)),
}
HOLES_08 = [
    *(
        (name, f"mu kept {low} from 0 and 1", lambda X, pi, *mu, f=f, low=low: f(X, pi, *np.clip(mu, low, 1 - low)))
        for name, f in (("joint_log_likelihood", log_joint_of), ("nb_posterior", PLAIN_08["nb_posterior"]))
        for low in (1e-2, 1e-3, 1e-6)
    ),
    ("nb_as_linear", "mu kept from 1", lambda pi, *mu: PLAIN_08["nb_as_linear"](pi, *np.minimum(mu, 0.999))),
    ("nb_posterior", "a cut", lambda *args: 1 / (1 + np.exp(-np.clip(log_odds_of(*args), -30, 30)))),
    ("nb_posterior", "1 - p(t = 0|x)", lambda *args: 1 - 1 / (1 + np.exp(log_odds_of(*args)))),
    ("laplace_categorical", "M = 2 at least", lambda z, M: PLAIN_08["laplace_categorical"](z, max(M, 2))[:M]),
    ("category_shares", "values that occur", lambda X, M: PLAIN_08["category_shares"](X, int(X.max()) + 1)),
    ("category_shares", "squeezed", lambda X, M: np.squeeze(PLAIN_08["category_shares"](X, M))),
    ("bernoulli_nb_fit", "squeezed", lambda X, t: tuple(map(np.squeeze, PLAIN_08["bernoulli_nb_fit"](X, t)))),
]


def test_swapped_classes_of_chapter_08_have_a_name_of_their_own():
    for name, f in (("joint_log_likelihood", log_joint_of), ("nb_posterior", PLAIN_08["nb_posterior"])):
        told = check.__getattr__(name)(lambda X, pi, mu_1, mu_0, f=f: f(X, pi, mu_0, mu_1)).text
        assert told == "mu_1 and mu_0 are swapped: mu_1 belongs to t = 1, mu_0 to t = 0"


def test_the_posterior_may_be_stable_in_any_way():
    for f in (
        lambda *args: 1 / (1 + np.exp(-np.clip(log_odds_of(*args), -500, 500))),
        lambda *args: (E := np.exp((A := log_joint_of(*args)) - A.max(axis=1, keepdims=True)))[:, 1] / E.sum(axis=1),
        lambda *args: np.exp((A := log_joint_of(*args))[:, 1] - np.logaddexp(*A.T)),
    ):
        assert all(check.nb_posterior(f, seed=seed).ok for seed in range(10))


def test_the_estimates_of_five_samples_are_those_of_the_hand():
    X, t = np.array([[1, 0], [1, 1], [1, 0], [0, 1], [0, 1]]), np.array([1, 1, 1, 0, 0])
    assert [np.round(60 * a).tolist() for a in check.bernoulli_nb_fit.answer(X, t)] == [36, [60, 20], [0, 60]]
    assert [np.round(60 * a).tolist() for a in check.laplace_fit.answer(X, t)] == [36, [48, 24], [15, 45]]
    assert np.round(7 * check.laplace_categorical.answer(np.array([0, 2, 2]), 4), 9).tolist() == [2, 1, 3, 1]
    shares = check.category_shares.answer(np.array([[0, 1], [2, 1], [2, 0]]), 3)
    assert np.round(6 * shares, 9).tolist() == [[2, 1, 3], [2, 3, 1]]


@pytest.mark.slow
def test_zero_over_zero_is_what_exact_arithmetic_finds():
    for n_1, *made in np.ndindex(3, *(2,) * 10):  # all 4 samples of 2 bits with all x; n_1 + 1 samples of class 1
        X, x, t = np.reshape(made[:8], (4, 2)), np.array(made[8:]), (np.arange(4) <= n_1).astype(int)
        n, N = np.array([(X[t == k] == x).sum(axis=0) for k in (0, 1)]), np.array([3 - n_1, n_1 + 1])
        smooth = N * np.prod(n + 1, axis=1) / (N + 2) ** 2
        wanted = not np.prod(n, axis=1).any() and n.any(axis=0).all() and abs(smooth[0] - smooth[1]) > 1e-12
        assert check.zero_over_zero(lambda made=(X, t, x): made).ok == wanted, (X, t, x)


# chapter 09

PLAIN_09 = {
    "perceptron_loss": perceptron.loss,
    "novikoff_bound": perceptron.novikoff_bound,
    "dual_to_primal": perceptron.primal,
    "gram": lambda X: kernels.gram(kernels.linear, X),
    "perceptron_step": lambda w, b, x, y, eta: (
        perceptron.update(w, b, x, y, eta) if perceptron.misclassified(w, b, x, y) else (w, b)
    ),
    "perceptron_dual_step": lambda alpha, b, i, G, y, eta: (
        perceptron.dual_update(i, alpha, b, y[i], eta)
        if y[i] * perceptron.dual_decision_function(alpha, b, y, G[i]) <= 0
        else (alpha, b)
    ),
}
dual_step_09 = PLAIN_09["perceptron_dual_step"]


HOLES_09 = [
    ("perceptron_loss", "whole numbers", lambda w, b, X, y: np.round(perceptron.loss(w, b, X, y))),
    ("perceptron_loss", "the largest term", lambda w, b, X, y: max(0, *-y * (X @ w + b))),
    ("perceptron_loss", "True", lambda w, b, X, y: True),
    ("perceptron_loss", "b outside y", lambda w, b, X, y: np.sum(np.maximum(0, -y * (X @ w) - b))),
    ("perceptron_step", "at -eta", lambda w, b, x, y, eta: (w + (m := eta * y * (y * (w @ x + b) <= -eta)) * x, b + m)),
    ("perceptron_dual_step", "its own b", lambda a, b, i, G, y, eta: dual_step_09(a, a @ y, i, G, y, eta)),
    ("perceptron_dual_step", "G cut", lambda a, b, i, G, y, eta: dual_step_09(a, b, i, np.trunc(G), y, eta)),
    ("gram", "cut to whole numbers", lambda X: (X @ X.T).astype(int)),
    ("gram", "four decimals", lambda X: np.round(X @ X.T, 4)),
    ("gram", "the upper triangle", lambda X: np.triu(X @ X.T)),
    ("gram", "one sample as a number", lambda X: np.squeeze(X @ X.T)),
    ("dual_to_primal", "four decimals", lambda a, y, X: (np.round((a * y) @ X, 4), a @ y)),
    ("dual_to_primal", "without sample 2", lambda a, y, X: perceptron.primal(*(np.delete(z, 2, 0) for z in (a, y, X)))),
    ("novikoff_bound", "class +1 alone", lambda w, b, X, y: perceptron.novikoff_bound(w, b, X[y > 0], y[y > 0])),
    ("novikoff_bound", "class -1 alone", lambda w, b, X, y: perceptron.novikoff_bound(w, b, X[y < 0], y[y < 0])),
]


def test_the_norm_of_the_whole_matrix_is_named_as_such():
    ex = check.novikoff_bound
    got = ex(lambda w, b, X, y: (np.sum(X * X) + len(X)) / perceptron.margin(w, b, X, y) ** 2)
    assert got.text == "you took all x~ together: R is the longest"


@pytest.mark.parametrize(
    "made, ok",
    [
        (([1.0], -9.0, [-1.0], 1, 0.5), True),  # distance 10, then 9/0.5 = 18
        (([1.0], 9.0, [1.0], -1, 0.5), True),  # the same for the other label
        (([1.0], -9.0, [0.0], 1, 0.5), False),  # 9, then 8.5: nearer
        (([2.0, 0.0], -100.0, [0.0, 1.0], 1, 0.1), False),  # x is orthogonal to w, so that ‖w‖ grows
    ],
)
def test_a_small_step_away_from_the_plane_is_accepted_and_no_other(made, ok):
    assert check.perceptron_moves_away(lambda: made).ok is ok


@pytest.mark.parametrize("seed", range(5))
def test_the_runs_meet_ties_of_both_labels_and_scores_just_below_0(seed):
    met = set()
    for case in check.perceptron_step.cases(np.random.default_rng(seed)):
        (w, b), visits = case.args
        for x, y, eta in visits:
            score = y * (w @ x + b)
            met |= {("tie", y)} if score == 0 else {"below"} if -eta < score < 0 else set()
            w, b = PLAIN_09["perceptron_step"](w, b, x, y, eta)
    assert met == {("tie", 1), ("tie", -1), "below"}


# chapter 10


def of_two(p, m):
    found = svm.fit(np.array([p, m]), np.array([1.0, -1.0]), tol=1e-12)
    return found.alpha[0], found.w, found.b


def bias_from(n):
    return lambda alpha, y, X: ((alpha * y) @ X, y[n] - X[n] @ ((alpha * y) @ X))


PLAIN_10 = {
    "geometric_margin": svm.geometric_margin,
    "canonical_hyperplane": svm.canonical,
    "lagrangian_gradient": svm.lagrangian_gradient,
    "dual_objective": svm.dual_objective,
    "primal_from_dual": lambda alpha, y, X: (svm.primal(alpha, y, X), svm.bias(alpha, X @ X.T, y)),
    "two_point_svm": of_two,
    "kkt_residuals": svm.kkt_residuals,
}
HOLES_10 = [
    *(("primal_from_dual", f"b from sample {n}", bias_from(n)) for n in (0, 1, 2, -1, -2, -3)),
    (
        "primal_from_dual",
        "the label of the first",
        lambda alpha, y, X: (w := (alpha * y) @ X, 1 - (X @ w)[alpha > 0][0]),
    ),
    ("geometric_margin", "abs", lambda w, b, X, y: np.min(np.abs(X @ w + b)) / np.linalg.norm(w)),
    ("geometric_margin", "|margin|", lambda *args: abs(svm.geometric_margin(*args))),
    ("geometric_margin", "b outside y", lambda w, b, X, y: np.min(y * (X @ w) + b) / np.linalg.norm(w)),
    ("geometric_margin", "a minimum that starts at 1", lambda *args: min(1, svm.geometric_margin(*args))),
    ("geometric_margin", "a minimum that starts at 1000", lambda *args: min(1000, svm.geometric_margin(*args))),
    ("canonical_hyperplane", "b outside y", lambda w, b, X, y: (w / (m := np.min(y * (X @ w) + b)), b / m)),
    (
        "canonical_hyperplane",
        "a minimum that starts at 1",
        lambda w, b, X, y: (w / (m := min(1, *y * (X @ w + b))), b / m),
    ),
    ("dual_objective", "small alpha are 0", lambda alpha, K, y: svm.dual_objective(alpha * (alpha > 1e-4), K, y)),
    ("dual_objective", "large alpha are 1", lambda alpha, K, y: svm.dual_objective(np.minimum(alpha, 1), K, y)),
]


def test_an_array_of_four_residuals_is_four_values():
    assert check.kkt_residuals(lambda *args: np.array(svm.kkt_residuals(*args))).ok


def test_the_two_points_and_the_three_points_of_chapter_10_are_those_of_the_hand():
    """w = (3, 4), b = -10: y f is 15, 5, 10, so γ = 1. (3, 1), (1, -1): alpha = 2/8, w = (½, ½), b = -1."""
    w, X, y = np.array([3.0, 4]), np.array([[3.0, 4], [-1, 2], [0, 0]]), np.array([1.0, -1, -1])
    assert [check.geometric_margin.answer(w, b, X, y) for b in (-5, -10, 0)] == [0, 1, -1]
    assert [np.round(a, 9).tolist() for a in check.canonical_hyperplane.answer(w, -10, X, y)] == [[0.6, 0.8], -2]
    p, m, y = np.array([3.0, 1]), np.array([1.0, -1]), np.array([1.0, -1])
    alpha, w, b = check.two_point_svm.answer(p, m)
    assert (alpha, w.tolist(), b) == (1 / 4, [1 / 2, 1 / 2], -1)
    both, X = np.full(2, alpha), np.array([p, m])
    assert check.dual_objective.answer(both, X @ X.T, y) == w @ w / 2 == 1 / 4
    assert tuple(check.kkt_residuals.answer(w, b, both, X, y)) == (0, 0, 0, 0)


@pytest.mark.parametrize("seed", range(5))
def test_the_instances_of_chapter_10_are_at_the_optimum_where_they_say_so(seed):
    """Without rounding: else the residuals of a right answer would be rounding errors, and those of another others."""
    for alpha, y, X in (case.args for case in check.primal_from_dual.cases(np.random.default_rng(seed))):
        w, b = check.primal_from_dual.answer(alpha, y, X)
        np.testing.assert_allclose(svm.kkt_residuals(w, b, alpha, X, y), 0, atol=1e-13)
        found = svm.fit(X, y, tol=1e-12)
        np.testing.assert_allclose([*found.w, found.b], [*w, b], rtol=1e-6)
    four = {c.label: svm.kkt_residuals(*c.args) for c in check.kkt_residuals.cases(np.random.default_rng(seed))}
    assert four["the optimum"] == (0, 0, 0, 0) and four["near the optimum"][1:3] == (1 / 4, 1 / 8)
    assert all(a == 0 or a > 1e-2 for residuals in four.values() for a in residuals)


# chapter 11


def _monomials_of_the_gram_matrix(X):
    d, (v, V) = X.shape[1], np.linalg.eigh(kernels.gram(kernels.cubic_sum, X))
    Phi = (V * np.sqrt(np.maximum(v, 0)))[:, ::-1][:, : 1 + d + d**2 + d**3]
    return np.pad(Phi, ((0, 0), (0, 1 + d + d**2 + d**3 - Phi.shape[1])))


def _power_iterations(K, count):
    v = np.arange(1.0, len(K) + 1)
    for _ in range(count):
        v = K @ v / np.linalg.norm(K @ v)
    return 2 / (v @ K @ v)


def _visit(i, beta, K, y, by):
    return beta + by * (np.arange(len(y)) == i)


def _by_squaring(K, y, eta, steps):
    """β after many steps: a step is one matrix for (β, 1), and its power is made by squaring."""
    step = np.block([[np.eye(len(y)) - eta * K, eta * y[:, None]], [np.zeros(len(y)), 1.0]])
    return np.linalg.matrix_power(step, steps)[:-1, -1]


PLAIN_11 = {
    "all_monomials": kernels.cubic_features,
    "kernel_lms_step": kernel_lms.beta_step,
    "largest_step_of_kernel": kernel_lms.largest_step,
    "cubic_features": lambda x: kernels.cubic_features(np.asarray(x, float)[:, None]),
    "lms_step": lambda theta, Phi, y, eta: theta - eta * kernel_lms.gradient(theta, Phi, y),
    "kernel_lms_visit": lambda beta, i, K, y, eta: kernel_lms.stochastic_beta_step(i, beta, K, y, eta),
    "kernel_predict": lambda beta, X, X_new, k: kernels.expansion(k, X_new, X, beta),
    "after_many_steps": _by_squaring,
}
HOLES_11 = (
    ("after_many_steps", "the pseudoinverse", lambda K, y, eta, steps: np.linalg.pinv(K, rcond=1e-9) @ y),
    ("after_many_steps", "1000 steps at most", lambda K, y, eta, n: kernel_lms.beta_after(K, y, eta, min(n, 1000))),
    ("cubic_features", "squeezed", lambda x: np.vander(x, 4, increasing=True).squeeze()),
    ("lms_step", "stops", lambda t, P, y, eta: t if np.allclose(P @ t, y) else t + eta * P.T @ (y - P @ t)),
    ("lms_step", "eta at most 1", lambda t, P, y, eta: t + min(eta, 1.0) * P.T @ (y - P @ t)),
    ("all_monomials", "of the Gram matrix", _monomials_of_the_gram_matrix),
    ("kernel_lms_step", "stops", lambda b, K, y, eta: b if np.allclose(K @ b, y) else b + eta * (y - K @ b)),
    ("kernel_lms_step", "eta at most 1", lambda b, K, y, eta: b + min(eta, 1.0) * (y - K @ b)),
    (
        "kernel_lms_visit",
        "stops",
        lambda b, i, K, y, e: _visit(i, b, K, y, e * (r := y[i] - K[i] @ b) * (abs(r) > 1e-6)),
    ),
    ("kernel_lms_visit", "eta at most 1", lambda b, i, K, y, e: _visit(i, b, K, y, min(e, 1.0) * (y[i] - K[i] @ b))),
    ("kernel_predict", "one new sample squeezed", lambda beta, X, X_new, k: np.squeeze(k(X_new, X)) @ beta),
    ("kernel_predict", "a number for one", lambda beta, X, X_new, k: np.squeeze(k(X_new, X) @ beta)),
    ("largest_step_of_kernel", "at most 1", lambda K: min(1.0, 2 / np.linalg.eigvalsh(K)[-1])),
    ("largest_step_of_kernel", "the first of eig", lambda K: 2 / np.linalg.eig(K)[0][0]),
    ("largest_step_of_kernel", "the last of eig", lambda K: 2 / np.linalg.eig(K)[0][-1]),
    ("largest_step_of_kernel", "5 power iterations", lambda K: _power_iterations(K, 5)),
    ("largest_step_of_kernel", "500 power iterations", lambda K: _power_iterations(K, 500)),
    ("largest_step_of_kernel", "the row sums", lambda K: 2 / K.sum(axis=1).max()),
)


def test_the_steps_of_chapter_11_are_those_of_each_other():
    """θ = Φᵀβ after every step from 0, and predictions from β are those of θ."""
    rng = np.random.default_rng(11)
    X, y, Z = rng.normal(size=(6, 2)) / 2, rng.normal(size=6), rng.normal(size=(4, 2))
    Phi, K = check.all_monomials.answer(X), kernels.gram(kernels.cubic_sum, X)
    eta, theta, beta = 0.9 * check.largest_step_of_kernel.answer(K), np.zeros(15), np.zeros(6)
    for _ in range(20):
        theta = check.lms_step.answer(theta, Phi, y, eta)
        beta = check.kernel_lms_step.answer(beta, K, y, eta)
        np.testing.assert_allclose(Phi.T @ beta, theta, rtol=1e-11, atol=1e-13)
    found = check.kernel_predict.answer(beta, X, Z, kernels.cubic_sum)
    np.testing.assert_allclose(found, check.all_monomials.answer(Z) @ theta, rtol=1e-11)


def test_the_columns_of_the_monomials_are_free_but_not_their_number():
    ex, widened = check.all_monomials, lambda X: np.pad(kernels.cubic_features(X), ((0, 0), (0, 1)))
    assert ex(lambda X: -kernels.cubic_features(X)[:, ::-1]).ok
    assert "the number of columns: 16 instead of 15" in ex(widened).text


# chapter 12


def of_each(limit=1e-9, skew=1e-9, symmetric=None):
    """A test of each K: eigenvalues down to -limit, differences up to skew, in proportion to K."""
    symmetric = symmetric or (lambda K: np.abs(K - K.T).max() <= skew * np.abs(K).max())
    return lambda Ks: [symmetric(K) and np.linalg.eigvalsh(K)[0] >= -limit * np.abs(K).max() for K in Ks]


def roots_above(limit):
    """Φ from the eigenvalues above limit(v)."""
    return lambda K: (lambda v, V: V * np.sqrt(np.where(v > limit(v), v, 0)))(*np.linalg.eigh(K))


def factored(X, Z, sigma):
    a, b = (np.exp(-np.sum(A * A, axis=1) / (2 * sigma**2)) for A in (X, Z))
    return a[:, None] * np.exp(X @ Z.T / sigma**2) * b


PLAIN_13 = {"margin_step": lambda w, x, y, eta, pull: np.add(w, np.multiply(eta * pull(np.dot(x, w) * y) * y, x))}
HOLES_13 = (
    ("margin_step", "the perceptron's pull", lambda w, x, y, e, pull: w + e * (y * (w @ x) <= 0) * y * x),
    ("margin_step", "pull cut off at 0", lambda w, x, y, e, pull: w + e * max(0, pull(y * (w @ x))) * y * x),
)

PLAIN_12 = {
    "mercer_features": kernels.mercer_features,
    "polynomial_kernel": lambda X, Z, c, degree: kernels.polynomial(X, Z, c, degree),
    "quadratic_features": lambda X, c: kernels.quadratic_features(X, c),
    "gaussian_kernel": lambda X, Z, sigma: kernels.gaussian(X, Z, sigma),
    "is_psd": lambda Ks: np.array([kernels.is_positive_semidefinite(K)[0] for K in Ks]),
    "gaussian_features": lambda x, sigma, n: kernels.gaussian_features(x, sigma, n),
    "product_features": lambda Phi, Psi: np.array([np.kron(a, b) for a, b in zip(Phi, Psi, strict=True)]),
}
_phi = kernels.gaussian_features
HOLES_12 = (
    ("product_features", "of the Gram matrix", lambda A, B: roots_above(lambda v: 0)((A @ A.T) * (B @ B.T))),
    ("product_features", "the larger part", lambda A, B: PLAIN_12["product_features"](A, B)[:, :4]),
    ("polynomial_kernel", "absolute values", lambda X, Z, c, degree: np.abs(X @ Z.T + c) ** degree),
    ("quadratic_features", "of the Gram matrix", lambda X, c: roots_above(lambda v: 0)((X @ X.T + c) ** 2)),
    ("gaussian_features", "of K", lambda x, s, n: roots_above(lambda v: 0)((P := _phi(x, s, n)) @ P.T)),
    ("gaussian_kernel", "0 below 1e-8", lambda X, Z, sigma: (K := kernels.gaussian(X, Z, sigma)) * (K > 1e-8)),
    ("gaussian_kernel", "inf times 0", factored),
    *(("is_psd", f"a limit of {limit}", of_each(limit)) for limit in (1e-2, 1e-13)),
    *(("is_psd", f"a skew of {skew}", of_each(skew=skew)) for skew in (1e-2, 1e-13)),
    ("is_psd", "allclose", of_each(symmetric=lambda K: np.allclose(K, K.T))),
    ("is_psd", "a fixed limit", lambda Ks: [np.allclose(K, K.T) and np.linalg.eigvalsh(K)[0] >= -1e-10 for K in Ks]),
    *(("mercer_features", f"above {limit}", roots_above(lambda v, a=limit: a)) for limit in (1e-3, 1e-6, 1e-10)),
    ("mercer_features", "above 1e-4 of the largest", roots_above(lambda v: 1e-4 * v[-1])),
    ("mercer_features", "jitter", lambda K: np.linalg.cholesky(K + 1e-4 * np.eye(len(K)))),
)


def test_squares_that_cancel_far_from_0_are_named_and_differences_are_not():
    def expanded(X, Z, sigma):
        D = (X**2).sum(1)[:, None] + (Z**2).sum(1) - 2 * X @ Z.T
        return np.exp(-D / 2 / sigma**2)

    for seed in range(5):
        assert check.gaussian_kernel(expanded, seed=seed).text.startswith("far from 0 the digits of ‖x‖² + ‖z‖²")
        centered = lambda X, Z, sigma: expanded(X - Z.mean(0), Z - Z.mean(0), sigma)  # noqa: E731
        assert check.gaussian_kernel(centered, seed=seed).ok

    def moved(X, Z, sigma):  # the same expansion of other numbers: no CPU loses the same digits
        return np.minimum(expanded(X + 0.3, Z + 0.3, sigma), 1)

    assert "10^6, where ‖x‖² + ‖z‖² - 2x·z cancels" in check.gaussian_kernel(moved).text


@pytest.mark.parametrize("name", ["quadratic_features", "gaussian_features", "mercer_features"])
def test_features_may_be_turned_and_padded(name):
    """(ΦQ)(ΦQ)ᵀ = ΦΦᵀ for QQᵀ = I, and a column of zeros adds nothing."""
    ex = check.__getattr__(name)

    def told(change):
        return ex(lambda *args: change(np.asarray(ex.answer(*args))))

    assert told(lambda P: P @ np.linalg.qr(np.vander(np.arange(1.0, P.shape[1] + 1)) / 9)[0]).ok
    assert told(lambda P: np.pad(-P[:, ::-1], ((0, 0), (2, 0)))).ok
    assert "(φ is √2 times too long" in told(lambda P: np.sqrt(2) * P).text
    assert not told(lambda P: P[::-1]).ok and not told(lambda P: P[:, 1:]).ok


def test_any_tolerance_between_the_limits_of_is_psd_serves():
    assert all(check.is_psd(of_each(part, part), seed=seed).ok for part in (2e-12, 1e-9, 9e-4) for seed in range(10))


def test_points_prove_that_a_cut_series_is_no_kernel():
    """Three in a line at any distance: their moments Σz = 1, Σzx = 0, Σzx² = 8 make z·Kz = 1 - 8/4; or a triangle."""
    con, x = check.not_a_kernel, np.array([-0.5, 0.0, 0.5])
    line = x[:, None], np.linalg.solve([x**0, x, x**2], [1.0, 0, 8])
    triangle = 4 / np.sqrt(3) * np.array([[np.cos(t), np.sin(t)] for t in 2 * np.pi * np.arange(3) / 3])
    for made in (line, (triangle, [1, 1, 1]), ([[3e3], [3e3 + 4], [3e3 + 2]], [1e-99, 1e-99, -1e-99])):
        assert con(lambda made=made: made).ok, con.last
    assert con(lambda: ([[0.0], [3.9]], [1.0, 1.0])).text.startswith("two points at most 4 apart")
    assert con(lambda: ([[0.0], [4.1], [1.0]], [1.0, 1.0, 1.0])).text.startswith("two of your points are more than 4")
    small = triangle / 2
    assert con(lambda: (small, [1.0, 1.0, 1.0])).text.startswith("for these points K is positive semidefinite")


PLAIN = ChainMap(
    PLAIN_01,
    PLAIN_02,
    PLAIN_03,
    PLAIN_04,
    PLAIN_05,
    PLAIN_06,
    PLAIN_07,
    PLAIN_08,
    PLAIN_09,
    PLAIN_10,
    PLAIN_11,
    PLAIN_12,
    PLAIN_13,
)
HOLES = list(
    itertools.chain(
        HOLES_01,
        HOLES_02,
        HOLES_03,
        HOLES_04,
        HOLES_05,
        HOLES_06,
        HOLES_07,
        HOLES_08,
        HOLES_09,
        HOLES_10,
        HOLES_11,
        HOLES_12,
        HOLES_13,
    )
)


@seeds
def test_every_answer_is_equal_to_the_librarys(seeds):
    """Each is written in its chapter's file of exercises, and says what the library says."""
    assert all(ex.answer.__module__.startswith(f"{package.__name__}.") for ex in EXERCISES)
    for ex in WRITTEN:
        assert ex.name in PLAIN, f"add to PLAIN_{ex.chapter} in this file: {ex.name!r}: the book's function of it"
    assert PLAIN.keys() <= {ex.name for ex in WRITTEN}
    for name, seed in itertools.product(PLAIN, seeds[:9]):
        assert getattr(check, name)(PLAIN[name], seed=seed).ok, (name, seed, getattr(check, name).last)


def passes(name, f, seed):
    """Does f give the right answer on every instance?"""
    ex = getattr(check, name)

    def on(case):
        found = ex.play(lambda *given: values(f(*given), len(ex.returns) or 1), *case.args)
        return ex.same(found, ex.answer_of(ex.answer, case))

    try:
        return all(map(on, ex.cases(np.random.default_rng(seed))))
    except Exception:  # it stops, or the shapes of what it returns do not fit
        return False


@seeds
def test_what_instances_that_are_all_alike_would_let_pass_is_refused(seeds):
    for seed in seeds[:9]:
        with np.errstate(all="ignore"):
            assert [(name, told) for name, told, f in HOLES if passes(name, f, seed)] == [], seed


# --- the texts, by key ------------------------------------------------------------------------------------------

SILENT = {
    "name",
    "chapter",
    "last",
    "stars",
    "path",
    "mark",
    "splits",
    "share",
    "wrong",
    "once",
    "doubt",
    "worst",
    "whose",
}  # names and numbers
CODE = {
    "answer",
    "example",
    "canon",
    "printed",
    "one_by_one",
    "own",
    "program",
    "settings",
    "data",
    "score",
    "said",
    "turned",
}
CODE |= {"start", "letters", "free_of", "bound", "slips"}  # a solution is code; what only judges says nothing


def readable(task):
    """What a reader can be shown, found by another way than `texts`: the fields of the task and the code in them."""
    for field in fields(task):
        value = getattr(task, field.name)
        if field.name in ("mistakes", "faults", "spared"):
            yield from (text for _, _, text in value)
        elif field.name == "lines":
            yield from (text for line in value.values() for text in line[:2]) if isinstance(value, dict) else ()
        elif field.name == "cases":
            yield from (case.label for seed in range(3) for case in value(np.random.default_rng(seed)))
        elif field.name == "requirements":
            yield from (text for need in value for text in said(need.text))
        elif field.name == "play" and value in (once, run):  # of the checker, and so are their words
            continue
        elif field.name not in SILENT | CODE:
            yield from said(value)


def said(value):
    """The strings in a value; of a function those of two letters in its code, and in what it has kept."""
    if isinstance(value, str):
        yield from [value] if value else []
    elif isinstance(value, tuple | dict):
        yield from (text for part in (value.values() if isinstance(value, dict) else value) for text in said(part))
    elif callable(value):
        yield from (text for text in constants(value.__code__) if text != value.__doc__)
        yield from (text for cell in value.__closure__ or () for text in said(kept(cell.cell_contents)))


def kept(value):
    return value if isinstance(value, str) else tuple(map(kept, value)) if isinstance(value, tuple) else ()


def constants(code):
    for value in code.co_consts:
        if isinstance(value, type(code)):
            yield from constants(value)
        elif isinstance(value, str) and re.search("[a-z]{2}", value):
            yield value


def untold(strings, told):
    """What of the strings is no text, and no part of one between two braces."""
    pieces = {piece for text in told for piece in re.split(r"\{[^{}]*\}", text)}
    return set(strings) - {*told} - pieces


@each_task
def test_every_text_has_a_key(task):
    told, strings = texts(task), {*readable(task)}
    assert all(key.startswith(f"{task.name}/") for key in told) and untold(strings, told.values()) == set()
    for text in told.values():  # and each of them would be missed
        assert untold(strings, {*told.values()} - {text}), text


def test_a_field_of_the_tasks_is_shown_or_known_to_be_silent():
    read = {"notes", "ask", "hints", "returns", "judged", "factors", "mistakes", "cases", "play", "requirements"}
    read |= {"faults", "spared", "lines", "decoys", "step", "bound_as", "outputs", "shows", "mistaken", "singular"}
    assert {field.name for task in listing() for field in fields(task)} == read | SILENT | CODE


def test_a_key_outlives_another_order_and_no_other_words():
    first = toy().mistakes
    assert texts(toy(mistakes=first[::-1])) == texts(toy()) and texts(toy())["toy/hint/2"] == "two"
    (other,) = texts(toy(mistakes=(first[0], (*first[1][:2], "cubed")))).keys() - texts(toy()).keys()
    assert re.fullmatch("toy/mistake/[0-9a-f]{8}", other)


# --- the checker ------------------------------------------------------------------------------------------------


def product(X, A):
    return X.T @ X @ A


def products(rng):
    return [Case(f"N = {N}", (rng.normal(size=(N, d)), rng.normal(size=(d, 3))), {"N": N}) for N, d in ((5, 2), (7, 4))]


def toy(**changes):
    """Σ_n x_n x_nᵀ A, with a mistake or two."""
    fields = {
        "stars": 1,
        "notes": "A 1",
        "ask": "?",
        "hints": ("one", "two"),
        "answer": product,
        "mistakes": (("@ A", "@ A + 1", "shifted"), ("X.T @ X", "(X.T @ X) ** 2", "squared")),
        "cases": products,
        "factors": {"1/N": "a sum", "-": "downhill"},
        "name": "toy",
    }
    return Exercise(**(fields | changes))


def test_factors_shapes_and_pairs_are_named_together():
    def text(f):
        return toy()(f).text

    assert text(lambda X, A: product(X, A) / len(X)) == "it is 1/N times what it should be (a sum)"
    assert text(lambda X, A: -product(X, A) / 2 / len(X)) == "it is -1/(2N) times what it should be (downhill; a sum)"
    assert text(lambda X, A: product(X, A).T) == "it is transposed"
    assert text(lambda X, A: 2 * product(X, A).T) == "it is 2 times what it should be; and it is transposed"
    assert text(lambda X, A: product(X, A).ravel()) == "only its shape is wrong: (6,), but it must be (2, 3)"
    assert text(lambda X, A: product(X, A) if len(X) == 5 else product(X, A)[None]) == (
        "only its shape is wrong: (1, 4, 3), but it must be (4, 3)"
    )
    assert text(lambda X, A: product(X, A) + 1) == "shifted"
    assert text(lambda X, A: len(X) * (product(X, A) + 1)) == "shifted; and it is N times what it should be"
    assert text(lambda X, A: (X.T @ X) ** 2 @ A + 1) == "shifted; and squared"


def sums(X, A):
    return X.sum(axis=0), X.sum()


PAIR = {"answer": sums, "mistakes": (("X.sum()", "X.sum() + 1", "off"),), "returns": ("s", "n"), "factors": {}}


@pytest.mark.parametrize("text, change", MADE, ids=[text for text, _ in MADE])
def test_what_every_exercise_knows_is_told_by_its_own_text(text, change):
    """On a square matrix, another one or a vector, whichever the change is for."""
    texts = set()
    positive = lambda X, A: X * X / 7 + 0.1  # noqa: E731
    for right in (positive, lambda X, A: X.T @ X / 7, lambda X, A: 3 * X / 7, lambda X, A: 3 * X[0] + 1 / 7):
        ex = toy(answer=right, mistakes=())
        with np.errstate(all="ignore"):
            try:
                texts.add(ex(lambda X, A, right=right: change(right(X, A))).text)
            except (ValueError, IndexError):
                continue
    assert text in texts


def test_the_usual_ways_of_being_wrong_are_told():
    def text(f, **fields):
        return toy(**fields)(f).text

    assert text(lambda X, A: product(X, A) / np.log(2)).startswith("it is 1.4427 times what it should be (log2 in")
    assert text(lambda X, A: 0.3 * product(X, A)) == "it is 0.3 times what it should be"
    assert text(lambda X, A: product(X, A) - 0.5) == "each value is 0.5 too small"
    assert text(lambda X, A: X.T[:, :, None] * (X @ A)[None]).startswith("the terms are right, the sum along each row")
    assert text(lambda X, A: np.sort(product(X, A), axis=None).reshape(len(A), 3)) == (
        "the numbers are right, but they stand in another order"
    )
    assert text(lambda X, A: (X.sum(), X.sum(axis=0)), **PAIR).endswith("in another order: (s, n) is wanted")
    assert text(lambda X, A: (-X.sum(axis=0), X.sum()), **PAIR) == "n is right; s: its sign is reversed"
    assert text(lambda X, A: (X.sum(axis=1), X.sum()), **PAIR) == (
        "n is right; s: its total is right, its shape is not: the sum ran over the wrong axis"
    )


def test_the_way_a_step_goes_is_told():
    right = check.gd_step.answer
    told = check.gd_step(lambda w, *data: w + 0.3 * (right(w, *data) - w)).text
    assert told.startswith("of the step, new value minus old: it is 0.3 times")


def test_nothing_but_zeros_is_told_before_two_mistakes_that_could_give_it():
    assert toy()(lambda X, A: 0 * A).text == "every answer is 0"
    assert toy()(lambda X, A: 0).text.startswith("it is a number, but must be")


def test_without_a_name_only_facts_are_told():
    def second(X, A):
        return product(X, A) + 5 * (len(X) == 7) * np.eye(len(A), 3)

    assert toy()(second).text == (
        "wrong on N = 7; none of the usual mistakes gives this result; "
        f"the shape is right, and 9 of 12 entries are; {first(toy()(second))}"
    )
    assert toy()(lambda X, A: product(X, A) * 1.00001 ** X[0, 0]).text.startswith("nearly right on every instance: off")
    assert toy()(lambda X, A: X).text == "it is of shape (5, 2), but must be of shape (2, 3)"
    assert toy(**PAIR)(lambda X, A: (1.0, 0.0)).text == "s is a number, but must be of shape (2,)"
    assert toy(**PAIR)(lambda X, A: (X.sum(axis=0), X[0, 0])).text.split("; ", 2)[2].startswith("s is right; n: ")
    assert toy()(lambda X, A: product(X, A) * np.nan).text.startswith("wrong on every instance")
    assert "-0" not in toy(answer=lambda X, A: -0.0 * X[0, 0], mistakes=())(lambda X, A: X[0, 0] + X[1, 1]).text
    assert toy()(lambda X, A: product(X.astype(np.float32), A.astype(np.float32))).text.startswith("nearly right on")


def first(result):
    a, b = result.yours, result.expected
    at = tuple(np.argwhere(~np.isclose(a, b))[0])
    return f"entry [{at[0]}, {at[1]}] is {a[at]:.6g} instead of {b[at]:.6g}"


def test_a_number_is_not_spread_over_the_expected_shape():
    ex = toy(answer=lambda X, A: np.ones((2, 2)), mistakes=())
    assert ex(lambda X, A: np.ones((2, 2))).ok
    assert not ex(lambda X, A: 1.0).ok and not ex(lambda X, A: np.ones(2)).ok


def test_equally_right_answers_are_made_equal_first():
    ex = toy(canon=lambda a: a / np.linalg.norm(a))
    assert ex(lambda X, A: 3 * product(X, A)).ok and not toy()(lambda X, A: 3 * product(X, A)).ok
    strict = toy(canon=np.linalg.inv, answer=lambda X, A: X.T @ X, mistakes=())
    assert not strict(lambda X, A: X.T @ X * np.nan).ok  # where canon itself would raise or warn


def test_numbers_may_come_in_any_python_form():
    ex = toy(**PAIR)
    assert ex(lambda X, A: [X.sum(axis=0).tolist(), np.array(X.sum())]).ok
    assert ex(lambda X, A: (tuple(X.sum(axis=0) + 0j), X.sum())).ok  # complex in type only
    assert ex(lambda X, A: X.sum()).text == "it must return 2 values, not one float64"
    assert ex(lambda X, A: (X.sum(axis=0), X.sum(), 1)).text == "it must return 2 values, not 3"
    assert ex(lambda X, A: (X.sum(axis=0), X.sum() + 1j)).text == "it must return real numbers, not complex ones"
    two = toy(answer=lambda X, A: (X[0, 0], X[1, 1]), mistakes=(), returns=("a", "b"))
    assert two(lambda X, A: np.diag(X)[:2]).ok  # an array of two numbers is two numbers


def test_exceptions_are_told_with_the_shapes_the_line_and_a_cause():
    def wrong(X, A):
        total = 0.0
        total += X @ X
        return total

    result = toy()(wrong)
    line = wrong.__code__.co_firstlineno + 2
    assert result.text.startswith(
        f"on 'N = 5' with X (5, 2), A (2, 3) it stopped in line {line}, total += X @ X: ValueError: matmul"
    )
    assert result.text.endswith("needs as many columns of A as rows of B, and samples are rows of X)")
    assert [a.shape for a in result.inputs] == [(5, 2), (2, 3)] and result.yours is None
    assert toy()(raising(Unprintable())).text.endswith("Unprintable: <exception str() failed>")
    assert "in line" not in toy()(np.linalg.inv).text and "it stopped: " in toy()(np.linalg.inv).text


@pytest.mark.parametrize(
    "a, b, cause",
    [
        ((3, 5), (5, 3), "one of the two is transposed, or * stands where the matrix product @ is meant"),
        ((6, 2), (4, 2), "rows of two kinds: all pairs of them are X[:, None] - Z"),
        ((6, 2), (6,), "a number for each row must stand in a column: v[:, None]"),
        ((6, 2), (3,), "from the last axis on, two lengths must be equal, or one of them 1"),
        ((6, 2), (2, 7), "from the last axis on, two lengths must be equal, or one of them 1"),
    ],
)
def test_shapes_that_do_not_fit_are_told_what_the_shapes_say(a, b, cause):
    assert toy()(lambda X, A: np.zeros(a) + np.zeros(b)).text.endswith(f"({cause})")


def test_a_power_written_as_in_the_notes_is_told():
    assert toy()(lambda X, A: (X @ A) ^ 2).text.endswith("(^ is no power in Python: a power is **)")
    assert toy()(lambda X, A: X.tolist() ^ 2).text.endswith("(^ is no power in Python: a power is **)")


VERDICTS = {  # wrong functions that once were told something false, or nothing
    "softmax_sgd_step": (
        lambda W, x, t, eta: W - eta * np.outer(special.softmax(x @ W) - t, x),
        "one of the two is transposed, or *",
    ),
    "discriminant_subspace": (
        lambda X, t: np.eye(X.shape[1])[:, np.zeros(t.max(), dtype=int)],
        "those of the K - 1 largest eigenvalues are independent",
    ),
    "is_psd": (lambda Ks: all(np.linalg.eigvalsh(K)[0] >= -1e-9 * abs(K).max() for K in Ks), "one answer for all"),
    "min_norm_solution": (lambda X, y: (np.linalg.pinv(np.c_[X, np.ones(len(X))]) @ y)[:-1], "added a column of ones"),
    "glm_score": (
        lambda X, y, w, mean: X.T @ ((y - mean(X @ w)) * (mean(X @ w + 1e-6) - mean(X @ w - 1e-6)) / 2e-6),
        "a factor mean'(Xw)",
    ),
    "fisher_predict": (
        lambda X, t, Z: ((Z - Z.mean(0)) @ lda.direction(X, t) * np.sign(
            lda.direction(X, t) @ (X[t == 1].mean(0) - X[t == 0].mean(0))) > 0).astype(int),
        "the threshold must not depend on X_new",
    ),
    "between_scatter": (
        lambda X, t: np.outer(d := X[t == 0].mean(0) - X[t == 1].mean(0), d) / (1 / sum(t == 0) + 1 / sum(t == 1)),
        "of the classes 0 and 1 alone",
    ),
    "category_shares": (
        lambda X, M: np.array([[((X == v).sum() + 1) / (X.size + M) for v in range(M)]] * X.shape[1]),
        "you counted the values in all columns together",
    ),
    "novikoff_bound": (
        lambda w, b, X, y: np.ceil(np.max(1 + (X**2).sum(1)) * (w @ w + b * b) / np.min(y * (X @ w + b)) ** 2),
        "you rounded up",
    ),
    "perceptron_dual_step": (
        lambda alpha, b, *rest: (  # whole numbers in, whole numbers out
            dual_step_09(alpha.astype(int), b, *rest)[0].astype(int), dual_step_09(alpha.astype(int), b, *rest)[1]
        ),
        "alpha is cut to whole numbers",
    ),
    "kkt_residuals": (
        lambda w, b, alpha, X, y: (
            max(abs(w - (alpha * y) @ X).max(), abs(alpha @ y)),
            (m := 1 - y * (X @ w + b)).max(),
            (-alpha).max(),
            abs(alpha * m).max(),
        ),
        "a condition that holds misses nothing",
    ),
    "kernel_predict": (lambda beta, X, X_new, k: k(X_new, X) @ beta + beta.mean(), "there is no bias"),
    "kernel_lms_visit": (
        lambda beta, i, K, y, eta: _visit((i - 1) % len(y), beta, K, y, eta * (y[i - 1] - K[i - 1] @ beta)),
        "you count the samples from 1",
    ),
    "gaussian_features": (lambda x, sigma, n: kernels.gaussian_features(x, sigma, n + 1), "those are n + 1 powers"),
    "gaussian_kernel": (
        lambda X, Z, sigma: kernels.gaussian(X, Z, sigma) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2),
        "that is a density in d dimensions",
    ),
    "mercer_features": (lambda K: roots_above(lambda v: 0)(K)[:, -2:], "only two eigenvectors are kept"),
    "margin_step": (lambda w, x, y, eta, pull: w + eta * y * x * special.sigmoid(-y * (w @ x)), "pull is an argument"),
}  # fmt: skip


@pytest.mark.parametrize("name", VERDICTS)
def test_what_was_told_something_false_or_nothing_is_told_its_cause(name):
    wrong, cause = VERDICTS[name]
    assert cause in check.__getattr__(name)(wrong).text, check.__getattr__(name).last


def test_a_branch_without_return_is_not_taken_for_a_stub():
    def branch(w, b, x, y, eta):
        if y * (w @ x + b) <= 0:
            return w + eta * y * x, b + eta * y

    assert check.perceptron_step(branch).text.endswith("it returned None: one of its branches has no `return`")
    assert toy()(lambda X, A: product(X, A) if len(X) == 5 else None).status == "--"


def test_a_step_that_never_goes_is_told():
    for ex, stays in ((check.perceptron_step, lambda w, b, x, y, eta: (w, b)), (check.gd_step, lambda w, *data: w)):
        assert ex(stays).text == "it never updates: it always returns what came in"


def test_a_step_must_keep_the_shapes():
    result = check.perceptron_step(lambda w, b, x, y, eta: (w[:, None], b))
    assert result.text == (
        "what it returns must keep its shape: return 2 values, (2,) and a number as they came in; "
        "found (2, 1) and a number"
    )


def test_a_number_can_be_changed_in_place_without_harm():
    def step(w, b, x, y, eta):
        m = eta * y * (y * (w @ x + b) <= 0)
        b += m
        return w + m * x, b

    assert check.perceptron_step(step).ok


def test_a_reader_cannot_reach_what_the_answer_is_compared_with():
    kept = []

    def f(X, A):
        kept.extend((X, A))
        out = product(X, A)
        for a in kept:
            a[...] = 0
        return out

    assert toy()(f).text.endswith("it overwrites its arguments: work on a copy")


def test_a_wrong_answer_that_overwrites_its_arguments_is_told_both():
    def wrong(X, A):
        A += 1
        return product(X, A)

    assert toy()(wrong).text.startswith("it overwrites its arguments: work on a copy. Then see whether this is left: ")


def test_interrupts_pass_and_warnings_and_prints_do_no_harm(capsys):
    def noisy(X, A):
        print("hello")
        warnings.warn("careful", stacklevel=1)
        np.log(np.zeros(1))
        return product(X, A)

    assert toy()(noisy).ok
    assert capsys.readouterr() == ("hello\nhello\n", "")
    with pytest.raises(KeyboardInterrupt):
        toy()(raising(KeyboardInterrupt()))


def test_another_seed_gives_other_instances():
    wrong = lambda X, A: product(X, A) ** 3  # noqa: E731
    a, b = toy()(wrong), toy()(wrong, seed=1)
    assert not np.array_equal(a.inputs[0], b.inputs[0])
    assert np.array_equal(a.inputs[0], toy()(wrong).inputs[0])


def test_a_factor_is_written_as_one_fraction():
    parts = (("-", "2"), ("1/2",), ("1/2", "N"), ("-", "1/2", "1/N"))
    assert [written(part) for part in parts] == ["-2", "1/2", "N/2", "-1/(2N)"]


def halting(X, A):
    return X.T @ X @ A + np.zeros(3)


def test_a_mistake_that_stops_on_an_instance_is_not_the_readers():
    ex = toy(answer=halting, mistakes=(("np.zeros(3)", "5 / (len(X) == 5 or None)", "it stops"), *toy().mistakes))
    assert ex(lambda X, A: product(X, A) + 1).text == "shifted"
    assert ex(lambda X, A: product(X, A) + len(X) * X[0, 0]).text.startswith("wrong on every instance")


def test_edits_that_overlap_are_not_made_together():
    source = source_of(product)
    assert apart(source, (("X.T", "X", "a"), ("@ A", "", "b")))
    assert not apart(source, (("X.T @ X", "X", "a"), ("X @ A", "", "b")))
    assert not apart(source, (("X.T", "X", "a"), ("@ A", "", "a")))  # one mistake written in two ways


def test_a_result_is_frozen():
    with pytest.raises(AttributeError):
        toy()(lambda X, A: 0).status = "ok"
    assert Result("a", "ok", "fine").ok and repr(Result("a", "  ", "b")) == "[  ] a: b"


def test_the_checker_names_its_exercises():
    assert dir(check) == sorted([*(task.name for task in listing()), "add", "before", "me"])
    assert [task.chapter for task in listing()] == sorted(task.chapter for task in listing())
    functions, others = {"write", "construct", "by hand"}, {"derive", "prove", "loop", "kill the mutants", "project"}
    assert {task.kind for task in listing()} == functions | others
    with pytest.raises(AttributeError, match="see normal_equations"):
        check.normal_equation  # noqa: B018
    with pytest.raises(AttributeError, match=re.escape("see dir(check)")):
        check.zzz  # noqa: B018
    assert not hasattr(check, "_repr_html_")


def test_the_table_shows_the_chapters_tried_in_this_session():
    assert len(repr(check).splitlines()) == len(listing())
    check.add_bias(check.add_bias.answer)
    check.gd_step(lambda *args: None)
    lines = repr(check).splitlines()
    assert lines[0].startswith("01 [ok] add_bias: right on ")
    assert lines[1] == "01 [  ] gradient_of_squares: not tried yet"
    assert {line[:2] for line in lines} == {"01"} and sum("not written yet" in line for line in lines) == 1


def test_a_right_zero_is_no_per_cent():
    check.me("ann")
    for task, told in ((check.pull_at_two, (-2, 0.88, 0, 0)), (check.coefficients_by_hand, (0.5, 0.5, 0))):
        assert "per cent" not in task(*told).text and "right" in task(*told).text
    assert "per cent" in check.pull_at_two(-2, 11.92, 0, 0).text


def test_the_hint_for_shapes_that_do_not_fit_is_of_shapes():
    check.squared_error_gradient(lambda w, X, y: X @ (X @ w - y))
    assert "Write its shape beside each letter" in check.squared_error_gradient.hint()
    check.squared_error_gradient(lambda w, X, y: sign(w))  # noqa: F821
    assert "Call your function on the inputs" in check.squared_error_gradient.hint()
    check.squared_error_gradient(lambda w, X, y: w)
    assert "Repeat the failing call" in check.squared_error_gradient.hint()  # the shape is right


@pytest.mark.parametrize(
    ("wrong", "cause"),
    [
        (lambda w, X, y: (X @ w > 0) - (y > 0), "a != b finds where two masks differ"),
        (lambda w, X, y: np.max(0, X @ w), "np.maximum compares two arrays"),
        (lambda w, X, y: np.concatenate([w, 1.0]), "np.append(w, b) a number behind a vector"),
        (lambda w, X, y: np.concatenate(w, 1.0), "arrays to be joined stand in a list"),
    ],
)
def test_the_cause_of_an_exception_is_one_that_it_has(wrong, cause):
    assert cause in check.squared_error_gradient(wrong).text


def test_a_list_with_zeros_too_many_is_told_as_that():
    def one_more(*args):
        w, losses = check.lasso_sweeps.answer(*args)
        return w, np.append(0.0, losses)

    told = check.lasso_sweeps(one_more).text
    assert (
        told
        == "w is right; losses: without some of its zeros it is right: is an entry never filled, or the start counted?"
    )


def test_dots_that_are_left_are_told():
    assert check.add_bias(lambda X: ...).text == "not written yet (it returns ...)"
    assert "it returns None" in check.add_bias(lambda X: None).text
    for rows in ([(3, 3, 1), (1, 2, ...), *3 * [(0, 0, 0)]], [[0, 0, 0], ...]):
        assert check.five_visits(rows).text.startswith("give numbers, and a ... still stands among them")
    in_it = check.add_bias(lambda X: np.hstack([X, ...])).text
    assert in_it.endswith("(a ... stands in your code: is it still to be written?)") and "it stopped" in in_it
    assert check.add_bias(lambda X: np.hstack([X[..., :], np.ones((len(X), 1))])).ok


def test_instances_that_are_too_easy_would_be_noticed():
    """Real-valued data have no ties: the tie mistakes survive there, so the whole numbers are needed."""

    def cases(rng):
        X, y = rng.normal(size=(9, 2)), rng.choice([-1.0, 1.0], 9)
        return [Case("real", ((rng.normal(size=2), 0.3), [(X[i], y[i], 0.5) for i in range(9)]))]

    def strict(w, b, x, y, eta):
        return (w + eta * y * x, b + eta * y) if y * (w @ x + b) < 0 else (w, b)

    ex = check.perceptron_step
    easy = replace(ex, cases=cases)
    assert easy(strict).ok and not ex(strict).ok
    assert easy.play is run and check.gram.play is once


# --- the other kinds --------------------------------------------------------------------------------------------


def test_there_are_exercises_of_other_kinds():
    by_hand = [task.name for task in listing() if task.kind == "by hand"]
    assert len(by_hand) >= 5 and {"separate_by_eye", "street_by_eye", "direction_by_eye"} <= set(dir(check))


@pytest.mark.parametrize(
    "name, given",
    {
        "descent_by_hand": (0.64, 0.8448),  # x = 2, 3, 2, y = 2, 2, 3, eta = 0.02: E' = 2(17w - 16)
        "counts_by_hand": (3 / 7, 4 / 5, 81 / 106),  # 3/7 · 4/5 · 3/5 against 4/7 · 1/3 · 1/3
        "perceptron_by_hand": ((2, 1), -1),
        "predict_the_updates": (11, 205, 4, 214),  # 4 and 214 are the first whole numbers above 10/3 and 640/3
        "predict_the_masking": ([0, 0, 0, 0, 2, 2, 2, 2],),
        "whose_line_turns": ([1, 1, 0, 0, 0],),
        "pull_at_two": (-2, 1 / (1 + np.exp(2)), 0, 0),
        "choose_the_model": ([4, 8, 3, 10, 2, 1],),
    }.items(),
)
def test_what_was_worked_out_on_paper_is_right(name, given):
    assert getattr(check, name)(*given).ok, getattr(check, name).last


def test_three_digits_are_enough_by_hand_and_two_are_not():
    assert check.counts_by_hand(0.4286, 0.8, 0.7642).ok
    assert not check.counts_by_hand(0.43, 0.8, 0.7642).ok
    assert check.counts_by_hand(0.429, 0.8, 0.764).ok and not check.counts_by_hand(0.428, 0.8, 0.764).ok
    assert check.counts_by_hand(0.429, 1.0, 0.889).text.startswith("you did not smooth")
    assert check.counts_by_hand(0.429, 0.75, 0.764).text == (
        "p(spam) and p(spam | 10) are right, the rest is not; none of the usual mistakes gives these together"
    )
    assert check.perceptron_by_hand(2, 1, -1).text == "give 2 values, not 3; wanted: check.perceptron_by_hand(w, b)"
    assert check.perceptron_by_hand(w=(2, 1), b=-1).ok
    assert check.descent_by_hand(-0.64, -1.715).text.startswith("you went uphill")


BY_HAND = [task for task in EXERCISES if task.kind == "by hand"]
each_by_hand = pytest.mark.parametrize("ex", BY_HAND, ids=lambda ex: ex.name)
CALLED_OTHER = {  # what turns a guess into the right value, and how a message would say it
    "minus|sign|negative": lambda a: -a,
    "1 minus|swapped|complement": lambda a: 1 - a,
    "large": lambda a: a - 1,
    "small": lambda a: a + 1,
    "twice|double|factor 2": lambda a: a / 2,
    "half|factor 2|times 2": lambda a: 2 * a,
    "square": np.square,
    "root": lambda a: np.sqrt(np.abs(a)),
    "sign|absolute": np.abs,
    "reverse|order": lambda a: a[..., ::-1] if a.ndim else a,
    "times|per cent": lambda a: a / 100,
    "1 over|upside": lambda a: 1 / np.where(a == 0, 1, a),
}


def test_pencil_numbers_in_another_place_are_told():
    check.me("ann")
    path = np.asarray(check.five_visits.answer(**check.five_visits.numbers))
    moved = "the numbers are right, and the columns stand in another order"
    assert check.five_visits(path[:, [2, 0, 1]]).text == moved
    start_too = check.five_visits(np.vstack([np.zeros(3), path])).text
    assert start_too == "5 rows are wanted: leave the first one out, the others are right"
    off = path + np.eye(5, 3, k=-2) * 7  # in row 3 the first entry, in row 4 the second
    assert "row 3 is the first that is wrong, in entry 1" in check.five_visits(off).text
    tripled, risen, score = check.odds_and_back.answer(**check.odds_and_back.numbers)
    told = check.odds_and_back(risen, tripled, score).text
    assert told == "these are the right numbers, in another order; wanted: tripled, risen, score"
    xi, alpha = check.points_of_a_street.answer(**check.points_of_a_street.numbers)
    assert check.points_of_a_street(alpha, xi).text == "these are the right lists, in another order; wanted: xi, alpha"


def guesses(ex):
    """Numbers of the right shapes: made of the right ones, small whole ones, those of a mistake; one of them only."""
    own = ex.numbers.values()
    right = [np.asarray(a, float) for a in pieces(ex.answer(*own))]
    made = [[change(a) for a in right] for change in CALLED_OTHER.values()]
    made += [[a + z for a in right] for z in (-2, -1, 0.5, 1, 2)] + [[a[::-1] if a.ndim else a for a in right]]
    made += [pieces(mistaken(ex, edit)(*own)) for edit in ex.mistakes]
    rng, count = np.random.default_rng(0), sum(a.size for a in right)
    for numbers in itertools.product(range(-3, 4), repeat=count) if count < 4 else rng.integers(-2, 11, (400, count)):
        cut = np.split(np.array(numbers, float), np.cumsum([a.size for a in right])[:-1])
        made.append([a.reshape(b.shape) for a, b in zip(cut, right, strict=True)])
    if count == 5 and len(right) == 1:
        made += [[np.array(bits, float)] for bits in itertools.product((0, 1), repeat=5)]
    mixed = [[one[k] if j == k else a for j, a in enumerate(right)] for one in made[:40] for k in range(len(right))]
    return made + mixed


def gives_away(ex, text, guess):
    """Does this message state a right value that is missed, or what makes the right one of the guess?"""
    own = ex.numbers.values()
    right = [np.asarray(a, float) for a in pieces(ex.answer(*own))]
    pairs = [pair for pair in zip(map(np.asarray, guess), right, strict=True) if not np.allclose(*pair, atol=1e-3)]
    for name in ex.returns:
        text = text.replace(name, " ")
    number = re.compile(r"-?\d+(?:\.\d+)?")
    stated = {*number.findall(re.sub(r"^\d+ of the \d+", "", text))} - {*number.findall(ex.ask)}
    values = {round(float(x), 3) for _, b in pairs for x in b.ravel()}
    turned = (
        words for words, change in CALLED_OTHER.items() if all(np.allclose(change(a), b, atol=1e-3) for a, b in pairs)
    )
    return bool({*map(float, stated)} & values) or any(re.search(rf"\b({words})", text) for words in turned)


HELD = r"row \d is the first that is wrong|\d+ of the \d+ numbers (is|are) right"
HELD += r"|([^;]+ (is|are) right(, the rest is not)?)|that is not right"
PLACED = r"row \d is the first that is wrong(, in entry \d( and \d)*)?|\d rows are wanted: .*|these are the right .*"
PLACED += r"|the numbers are right, and the columns stand in another order"


@pytest.mark.slow
@each_by_hand
def test_a_message_by_hand_is_a_listed_mistake_or_what_is_right_and_never_the_value(ex):
    own = {text for _, _, text in ex.mistakes}
    plain_words = re.compile(rf"({HELD}); none of the usual mistakes gives (it|these together)")
    before, named = re.compile(rf"({HELD})(; |: )"), set()
    for guess in guesses(ex):
        result = ex(*guess)
        text = result.text
        cause = text if text in own else re.sub(before, "", text, count=1)
        told = text.endswith((": give three digits", ": give a number, not per cent")) or re.fullmatch(PLACED, text)
        assert result.ok or cause in own or plain_words.fullmatch(text) or told, text
        moved = text.endswith("give a number, not per cent")  # whoever has the number found it
        moved |= "in another order" in text and "right" in text
        assert result.ok or moved or not gives_away(ex, text, guess), (guess, text)
        named |= {cause} & own
    assert named == own


def test_a_message_that_gives_the_value_away_would_be_noticed():
    turns, pull, two = check.whose_line_turns, check.pull_at_two, check.perceptron_by_hand
    for ex, text, guess in (
        (turns, "that is 1 minus the right value: are two classes swapped?", ([0, 0, 1, 1, 1],)),
        (turns, "the entries are in reverse order", ([0, 0, 0, 1, 1],)),
        (two, "each value is 1 too small", ((1, 0), -2)),
        (pull, "its pull is negative", (2, 0.1192, 0, 0)),
        (pull, "the pull is 0.119", (-2, 1, 0, 0)),
        (check.descent_by_hand, "the factor 2 is missing", (0.32, 0.4224)),
    ):
        assert gives_away(ex, text, guess), text
    assert not gives_away(two, "b moves, too: add y to it", ((2, 1), 0))


def test_of_four_visits_only_what_a_listed_mistake_gives_gets_a_name():
    """Of 648 guesses nearly a hundred were once named, each by accident."""
    ex = check.perceptron_by_hand
    own = {text for _, _, text in ex.mistakes}
    found = [
        g for *w, b in itertools.product(range(-2, 7), range(-2, 7), range(-4, 4)) if ex(*(g := (w, b))).text in own
    ]
    told = [tuple(np.append(*mistaken(ex, edit)())) for edit in ex.mistakes]
    assert len(found) <= len(own) and {(*w, b) for w, b in found} <= set(told)


def test_the_likely_slips_of_the_pulls_are_named_alone_and_together():
    told = check.pull_at_two
    assert told(2, -0.119, 0, 0).text == "those are the slopes: the question says what a pull is"
    assert told(1, 0.127, 0, 0).text == "those are the losses themselves, not their slopes"
    assert told(6, 0.881, 1, 1).text == "those are the pulls of a sample that is wrong: with m = 2 it is right"
    assert told(-2, 0.12, 0, 0).text == "squared, perceptron and hinge are right; logistic: give three digits"
    assert told(2, 0.127, 0, 0).text.startswith("perceptron and hinge are right; the squared loss rises")
    assert told(-2, 0.127, 0, 1).text == "squared and perceptron are right; that is the logistic loss itself"


def test_of_six_models_the_right_ones_are_counted_and_of_five_lines_not():
    """How many of five yes and no are right is the answer, where none is."""
    told = check.choose_the_model
    assert told(4, 8, 3, 10, 5, 5).text.startswith("4 of the 6 numbers are right; ")
    assert told(4, 8, 1, 9, 2, 7).text.startswith("3 of the 6 numbers are right; a count of calls")
    assert told(13, 13, 13, 13, 13, 1).text.startswith("1 of the 6 numbers is right; ")
    assert not any("numbers" in check.whose_line_turns(*bits).text for bits in np.ndindex(2, 2, 2, 2, 2))


def test_the_slips_of_the_counts_are_named():
    told = check.counts_by_hand
    assert told(0.429, 1.0, 0.824).text.endswith("both count below the line")  # N + 1
    assert "needs the shares of the classes" in told(0.429, 0.8, 0.812).text
    assert told(42.9, 80, 76.4).text == "give probabilities, numbers between 0 and 1"
    assert told(0.429, 0.8, 0.643).text.startswith("the second bit is left out")


@each_by_hand
def test_the_right_numbers_are_in_no_result(ex):
    for guess in [*guesses(ex)[:30], [0] * len(ex.returns), ["x"], [1] * 9]:
        result = ex(*guess)
        assert result.expected is None and result.inputs == () and ex.last is result
        seen = str({**vars(result), "yours": None})
        assert result.ok or not re.search(r"array|\[[^]]*\d", seen.replace("[--]", "")), seen


def test_fractions_and_decimals_are_numbers():
    f, d = Fraction, Decimal
    assert check.counts_by_hand(f(3, 7), f(4, 5), f(81, 106)).ok
    assert check.counts_by_hand(d("0.429"), d("0.8"), d("0.764")).ok
    assert check.whose_line_turns(np.array([f(1), f(1), f(0), d(0), 0], dtype=object)).ok
    assert check.wrong_line_of_the_scatter(lambda: (2, f(3), f(1), f(2))).ok
    exact = np.vectorize(f, otypes=[object])
    assert check.add_bias(lambda X: np.column_stack([exact(X), np.ones(len(X), dtype=int)])).ok
    assert check.counts_by_hand(3 * f(1, 7), 10**40, 0).text.startswith("p(spam) is right")
    for none in (10**400, d("sNaN"), None, "1"):
        told = check.counts_by_hand(np.array([f(3, 7), none, 1], dtype=object))
        assert told.status == "--" and told.text.startswith(
            ("one of the numbers is too large, or none", "give numbers")
        )


def test_a_guess_of_the_wrong_line_is_not_enough():
    """Whoever guesses the number of the line needs numbers that show it, and what should stand there."""
    told = check.wrong_line_of_the_gradient
    assert "both sides of line 2 are" in told(lambda: (2, 1.0, 0, 0.5)).text
    assert (
        "both sides of line 1 are 2 " in check.wrong_line_of_the_gradient(lambda: (1, np.log(np.e**2 - 1), 0, 0)).text
    )
    assert "both sides of line 3 are" in told(lambda: (3, 0.0, 0, 0.5)).text  # at a = 0 both sides are 1/2
    assert "`right` is not" in told(lambda: (3, 1.0, 0, 0.5)).text
    assert told(lambda: (3, 1.0, 0, 0.7310586)).ok and told(lambda: (3, -3.0, 1, 0.04742587 - 1)).ok
    told = check.wrong_line_of_the_dual
    assert told(lambda: (4, 0.5, 4, -1.0)).ok and "`right` is not" in told(lambda: (4, 0.5, 4, 3.0)).text


WRONG_LINES = {con: wrong for con, wrong in zip(
    (con for con in CONSTRUCTIONS if con.name.startswith("wrong_line")), (3, 4, 2, 1, 3), strict=True
)}  # fmt: skip


@pytest.mark.parametrize("con", WRONG_LINES, ids=lambda con: con.name)
def test_of_a_line_that_is_true_no_other_numbers_are_asked(con):
    """Each true line is told to be so, at the first try; of the wrong one other numbers may show more."""
    wrong, *numbers = con.example()
    assert wrong == WRONG_LINES[con]
    for line in {1, 2, 3, 4} - {wrong}:
        told = con(lambda line=line: (line, *numbers)).text
        assert told.startswith(f"both sides of line {line} are ") and told.endswith("this line is not the wrong one")
        assert "try" not in told and "they agree with 100 others" in told
    told = con(lambda: (wrong, *numbers[:2], numbers[2] + 77)).text
    assert told.startswith("that line is wrong, and your numbers show it; `right` is not")


@pytest.mark.parametrize(
    "name, made, why",
    [
        ("scatter", (2, 3, 1, 1), "that is the covariance, a mean; S is a sum"),
        ("scatter", (2, 3, 1, 4), "that is (u - v)²; S holds the squares of u - m and v - m"),
        ("kernel", (1, 2, 1, 9), "that is ψ(u)·ψ(v), as printed; the left side stays"),
        ("kernel", (1, 1, 1, 4), "that is ψ(u)·ψ(v), as printed; the left side stays"),
        ("start", (3, 1, 3, 3), "at a score of 0 the sample still counts as a mistake"),
        ("start", (3, 2, 5, 2.5), "there are only whole updates"),
        ("start", (3, 2, 5, 1), "that is what it is now"),
        ("gradient", (3, 2, 1, 0.8808), "that is σ(a), whatever t is"),
        ("gradient", (3, 2, 1, 0.1192), "does E rise or fall with a there?"),
        ("dual", (4, 0.5, 4, 1), "the signs of w·w and Σ α_i: look at line 3"),
        ("dual", (4, 0.5, 4, 3), "that is what it is now"),
    ],
)
def test_the_slips_in_the_right_side_of_a_wrong_line_are_named(name, made, why):
    shown = "that line is wrong, and your numbers show it; `right` is not what its right side should be there: "
    assert check.__getattr__(f"wrong_line_of_the_{name}")(lambda: made).text == shown + why


def test_numbers_that_hide_a_wrong_line_may_be_changed():
    told = lambda *made: check.wrong_line_of_the_scatter(lambda: made).text  # noqa: E731
    assert told(2, 3, 3, 1) == "with your numbers both sides of line 2 are 0, which shows nothing: try others"


def test_a_line_drawn_by_eye_is_judged_by_the_points_it_misses():
    told = check.separate_by_eye
    assert told(lambda: ([-1, 2], -2.5)).ok and told(lambda: ((-10, 20), -30)).ok
    assert "(2, 3)" in told(lambda: ((0, 1), -3.5)).text
    street = check.street_by_eye
    assert street(lambda: ((-1, 2), -2)).ok and street(lambda: ((-1, 2), -2.04)).ok
    assert street(lambda: ((-1, 2), -2.09)).ok  # y f = 2.09 and 1.91 at the nearest: 95.5 % of 2
    for b in (-2.11, -2.5):
        assert "less than 95 % of what is possible" in street(lambda b=b: ((-1, 2), b)).text
    assert "change the sign" in street(lambda: ((1, -2), 2)).text
    eye = check.direction_by_eye
    assert eye(lambda: (-0.57, 1)).ok and eye(lambda: (-1, 2)).ok and not eye(lambda: (1, 1)).ok


@pytest.mark.parametrize(
    "chapter", ["09", *(pytest.param(c, marks=pytest.mark.slow) for c in ("02", "06", "07", "10"))]
)
def test_the_cell_that_draws_an_answer_shows_a_picture(chapter, monkeypatch):
    monkeypatch.delenv("LINMODELS_FIGURES", raising=False)  # it is no figure of the book
    path = next(NOTEBOOKS.glob(f"{chapter}_*.ipynb"))
    cells, namespace = dict(code_cells(path)), {}
    exec(cells[f"ch{chapter}-setup"], namespace)
    namespace |= {task.name: example(task) for task in CONSTRUCTIONS}
    exec(cells.get(f"ch{chapter}-ex-eye-figure", ""), namespace)
    drawn = next(source for id, source in cells.items() if id.endswith("-drawn"))
    tree = ast.parse(re.sub("^# ", "", drawn, flags=re.M))
    last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, "drawn", "exec"), namespace)
    assert eval(compile(last, "drawn", "eval"), namespace).png.startswith(b"\x89PNG")


# --- the notebooks ----------------------------------------------------------------------------------------------


def code_cells(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [(cell["id"], "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]


def right(task):
    """What a reader hands to the check who has done it right: a function, numbers, lines, letters."""
    if isinstance(task, Proof):
        return tuple({key: letter for letter, key in task.dealt.items()}[key] for key in task.lines)
    if isinstance(task, Derivation):
        return task.lines
    return pieces(task.answer(*task.numbers.values())) if task.kind == "by hand" else (example(task),)


def shown(setup, stub, task, answered=False):
    """The repr that a stub's cell shows, as shipped or with the answer in it."""
    namespace = {"_right": right(task)}
    exec(setup, namespace)
    tree = ast.parse(stub)
    last = tree.body.pop()
    if answered:
        last.value.args = [ast.Starred(ast.Name("_right", ast.Load()), ast.Load())]
    exec(compile(ast.fix_missing_locations(tree), "stub", "exec"), namespace)
    return repr(eval(compile(ast.fix_missing_locations(ast.Expression(last.value)), "stub", "eval"), namespace))


def used_names(source):
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def faults(tasks, cells):
    """What is wrong with the exercises of a notebook, wherever they stand in it."""
    stubs = [(k, name, source) for k, (_, source) in enumerate(cells) if (name := name_of(source))]
    names = [name for _, name, _ in stubs]
    found = [f"{task.name} has {n} cells" for task in tasks if (n := names.count(task.name)) != 1]
    found += [f"{name} is of another chapter" for name in names if name not in {task.name for task in tasks}]
    if not found and names != [task.name for task in tasks]:
        found.append(
            f"the page asks {names}: give the file of the exercises the same order, from which the numbers come"
        )
    setup = next((source for id, source in cells if id.endswith("-setup")), "")
    for k, name, stub in stubs:
        task = check.__getattr__(name)
        if ast.unparse(ast.parse(stub)) != ast.unparse(ast.parse(task.stub)):
            found.append(f"{name} has another stub than {task.stub}")
        elif not shown(setup, stub, task).startswith(f"[  ] {name}"):
            found.append(f"{name} is not neutral as shipped")
        elif not shown(setup, stub, task, answered=True).startswith(f"[ok] {name}"):
            found.append(f"{name} does not accept its answer in the notebook")
        found += [f"{name} is used by cell {id}" for id, later in cells[k + 1 :] if name in used_names(later)]
    return found


def sample_cells(tasks):
    stubs = [(f"ch-{task.name}", task.stub) for task in tasks]
    return [("ch-setup", "from linmodels.exercises import check"), *stubs, ("ch-end", "check")]


def test_the_notebooks_hold_their_exercises():
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        tasks = [task for task in listing() if task.chapter == path.name[:2]]
        assert faults(tasks, code_cells(path)) == [], path.name


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_what_is_only_to_be_typed_is_folded_and_says_what_remains(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    more = next((k for k, source in enumerate(sources) if source.startswith("## More to type")), len(cells))
    for cell, source in zip(cells[more:], sources[more:], strict=True):
        if name_of(source) and cell["id"].startswith(f"ch{path.name[:2]}-ex-"):
            assert cell["metadata"].get("tags") == ["hide-input"], f"{cell['id']}: give it the tag hide-input"
            assert source.startswith(("# defines ", "# asks for ")), (
                f"{cell['id']}: begin with # defines ..., what remains"
            )


@each_task
def test_the_chapter_asks_what_the_checker_asks(task):
    """The question has one home, the exercise; the chapter repeats it before the stub, with stars and number."""
    path = next(NOTEBOOKS.glob(f"{task.chapter}_*.ipynb"))
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    stub = next((k for k, cell in enumerate(cells) if name_of("".join(cell["source"])) == task.name), None)
    assert stub is not None, (
        f"no cell of {path.name} asks exercise {task.name}: give it a question, a cell with the words of `ask`, and "
        f"below it the cell of the answer, which ends with check.{task.name}(...)"
    )
    text = next(cell for cell in cells[stub - 1 :: -1] if cell["cell_type"] == "markdown")
    assert bare("".join(text["source"])) == bare(questions()[task.name]), f"linmodels run {task.chapter} writes it anew"


def test_a_run_writes_the_questions_of_now_and_touches_no_answer():
    text = {"cell_type": "markdown", "source": "**Exercise 1.7** ★★★ Old words."}
    code = {"cell_type": "code", "source": "def add_bias(X):\n    return 3\n\n\ncheck.add_bias(add_bias)"}
    new = asked.written({"cells": [text, code]})["cells"]
    assert new[0]["source"] == questions()["add_bias"] and new[1] == code
    assert new[0]["source"].startswith("**Exercise 1.1** From X ") and text["source"].endswith("Old words.")


@pytest.mark.parametrize("chapter", sorted({task.chapter for task in listing()}))
def test_a_chapter_says_how_to_ask_for_help_and_where_to_go_after_its_last_exercise(chapter):
    path = next(NOTEBOOKS.glob(f"{chapter}_*.ipynb"))
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    stubs = [k for k, source in enumerate(sources) if name_of(source)]
    asked = [re.findall(r"check\.(\w+)\.hint\(\)", source) for source in sources[: stubs[0]]]
    assert {name for names in asked for name in names} <= {task.name for task in listing() if task.chapter == chapter}
    assert any(asked), "a cell with # check.NAME.hint() must stand above the first exercise of the page"
    after = [source for source in sources[stubs[-1] + 1 :] if source.startswith("That was the last exercise")]
    assert len(after) == 1 and re.search(r"\]\(\d\d_\w+\.ipynb\)", after[0])


FIXED = """
from linmodels.exercises import Result
class Fixed:
    def __getattr__(self, name):
        return lambda *given: Result(name, "{}", "")
check = Fixed()
"""


def test_a_wrong_notebook_would_be_noticed():
    tasks = [task for task in listing() if task.chapter == "09"]
    cells, first = sample_cells(tasks), tasks[0].name
    assert faults(tasks, cells) == []
    stub = cells[1]
    other = next(task for task in listing() if task.chapter != "09")
    wrong = {
        f"{first} has 0 cells": [c for c in cells if c != stub],
        f"{first} has 2 cells": [*cells, stub],
        f"{other.name} is of another chapter": [*cells[:-1], *sample_cells([other])[1:]],
        f"{first} has another stub": [(i, s.replace("(", "(extra, ", 1) if (i, s) == stub else s) for i, s in cells],
        f"{first} is used by cell ch-end": [*cells[:-1], ("ch-end", f"print({first})")],
        f"{first} does not accept": [("ch-setup", FIXED.format("  ")), *cells[1:]],
        f"{first} is not neutral": [("ch-setup", FIXED.format("ok")), *cells[1:]],
    }
    for fault, broken in wrong.items():
        assert any(found.startswith(fault) for found in faults(tasks, broken)), fault

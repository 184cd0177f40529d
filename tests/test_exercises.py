"""What every exercise must satisfy, and the checker itself. Nothing here is written per exercise."""

import ast
import copy
import inspect
import itertools
import json
import re
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import linmodels.exercises as package
from linmodels import design, glm, kernels, linear_regression, perceptron, regularization, special
from linmodels.exercises import Construction, Exercise, Result, check, listing
from linmodels.exercises._cases import integer_points
from linmodels.exercises._checker import Case, once, run, written

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
EXERCISES = [task for task in listing() if isinstance(task, Exercise)]
CONSTRUCTIONS = [task for task in listing() if isinstance(task, Construction)]

each_task = pytest.mark.parametrize("task", listing(), ids=lambda task: task.name)
each_exercise = pytest.mark.parametrize("ex", EXERCISES, ids=lambda ex: ex.name)
each_construction = pytest.mark.parametrize("con", CONSTRUCTIONS, ids=lambda con: con.name)
seeds = pytest.mark.parametrize(
    "seeds", [range(10), pytest.param(range(10, 20), marks=pytest.mark.slow)], ids=["10 seeds", "10 more seeds"]
)


@pytest.fixture(autouse=True)
def fresh_session():
    yield
    for task in listing():
        task.last = None


def mistaken(ex, switches):
    def f(*args):
        with np.errstate(all="ignore"):  # a mistake may overflow
            return ex.variant(*args, **switches)

    return f


def example(task):
    return task.answer if isinstance(task, Exercise) else task.example


def raising(error):
    def f(*args):
        raise error

    return f


# --- every exercise ---------------------------------------------------------------------------------------------


@seeds
@each_exercise
def test_right_answers_pass(ex, seeds):
    for seed in seeds:
        for f in (ex.answer, ex.variant, *ex.also_right):
            assert ex(f, seed=seed).ok, (seed, ex.last)


@each_exercise
def test_the_answer_is_finite(ex):
    for seed in range(10):
        for case in ex.cases(np.random.default_rng(seed)):
            assert all(np.isfinite(a).all() for a in ex.answer_of(ex.answer, case))


@each_exercise
def test_the_answer_takes_the_arguments_the_exercise_names(ex):
    taken = [p.name for p in inspect.signature(ex.answer).parameters.values() if p.default is p.empty]
    assert ex.parameters == tuple(taken)


@seeds
@each_exercise
def test_each_mistake_is_refused_with_its_own_text(ex, seeds):
    assert len(ex.mistakes) >= 4
    for seed, (text, switches) in itertools.product(seeds, ex.mistakes.items()):
        result = ex(mistaken(ex, switches), seed=seed)
        assert (result.status, result.text) == ("--", text), seed


@seeds
@each_exercise
def test_every_two_mistakes_are_told_apart(ex, seeds):
    for seed in seeds:
        cases = ex.cases(np.random.default_rng(seed))
        answers = {t: [ex.answer_of(mistaken(ex, s), case) for case in cases] for t, s in ex.mistakes.items()}
        with np.errstate(all="ignore"):  # as in a check: where both overflow
            alike = [(s, t) for (s, a), (t, b) in itertools.combinations(answers.items(), 2) if all(map(ex.same, a, b))]
        assert alike == [], seed


@each_exercise
def test_no_pair_of_mistakes_passes_and_most_are_named(ex):
    """About a hundred of the pairs: each wrong answer is compared with all of them."""
    pairs = [p for p in itertools.combinations(ex.mistakes.items(), 2) if not p[0][1].keys() & p[1][1].keys()]
    pairs, named = pairs[:: 1 + len(pairs) // 100], 0
    for (s, u), (t, v) in pairs:
        result = ex(mistaken(ex, u | v))
        assert result.status == "--", (s, t)
        named += result.text == f"{s}; and {t}"
    assert named >= 0.5 * len(pairs)  # the others hide one another: then the one that acts is named


@each_task
def test_a_stub_is_neutral(task):
    for f in (lambda *args: None, lambda *args: ..., raising(NotImplementedError)):
        assert task(f).status == "  " and not task.last.ok
        assert "not written yet" in task.last.text


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
    "ZeroDivisionError": raising(ZeroDivisionError()),
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
    "an empty tuple": lambda *args: (),
    "ragged": lambda *args: [[1], [1, 2]],
    "nan": lambda *args: np.nan,
    "inf": lambda *args: np.inf,
    "a number": lambda *args: 0,
    "a boolean": lambda *args: True,
    "complex": lambda *args: 1j,
    "the arguments": lambda *args: args,
    "one argument": lambda *args: args[0] if args else 7,
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


@pytest.mark.parametrize("f", RUBBISH.values(), ids=RUBBISH)
def test_rubbish_is_refused_without_an_exception(f):
    for task in listing():
        result = task(f)
        assert result.status == "--" and not result.ok and result.text, task.name


@each_task
def test_a_value_in_place_of_the_function_is_told(task):
    assert task(1.0).text == f"give it the function itself, not its value: check.{task.name}({task.name})"


def spoiled(ex, kind, seed):
    """The answer, nearly: a new way of being wrong that no list of mistakes can hold."""
    rng, calls = np.random.default_rng(seed), itertools.count()
    switches = list(ex.mistakes.values())[seed % len(ex.mistakes)]

    def spoil(right, wrong, call):
        a, size = np.array(right, float), np.abs(right).max(initial=0.0) + 1
        if kind == 0:  # slightly off everywhere
            return a + 1e-5 * size * rng.normal(size=a.shape)
        if kind == 1:  # one entry off
            a.flat[rng.integers(a.size)] += 1e-4 * size
            return a
        if kind == 2:  # noise
            return size * rng.normal(size=a.shape)
        if kind == 3:  # half way to a mistake
            return a + 0.3 * (np.resize(np.nan_to_num(wrong), a.shape) - a) + 1e-3 * size
        if kind == 4:  # right every other time
            return size - a if call % 2 else a
        return rng.permutation(a.ravel()).reshape(a.shape) + 1e-4 * size

    def f(*args):
        right, wrong, call = ex.answer(*args), mistaken(ex, switches)(*args), next(calls)
        if not isinstance(right, tuple):
            return spoil(right, wrong, call)
        return tuple(spoil(r, w, call) for r, w in zip(right, wrong, strict=True))

    return f


@pytest.mark.parametrize("trials", [range(24), pytest.param(range(24, 60), marks=pytest.mark.slow)], ids=["24", "36"])
@each_exercise
def test_no_unknown_wrong_answer_passes_or_gets_a_name(ex, trials):
    for trial in trials:
        result = ex(spoiled(ex, trial % 6, trial), seed=trial)
        assert result.status == "--", trial
        assert result.text.startswith(("wrong on", "nearly right on")), (trial, result)


@each_exercise
def test_a_factor_is_found_without_being_listed(ex):
    if ex.play is not once:  # the path of a step is not linear in the step; its factors are listed as mistakes
        assert ex.play is not run or any("eta is missing" in text for text in ex.mistakes)
        return
    for factor, text in ((-1, "its sign is reversed"), (2, "it is 2 times"), (-0.5, "it is -1/2 times")):
        result = ex(lambda *args, z=factor: scaled(ex.answer(*args), z))
        assert result.status == "--" and result.text.startswith(text), result


def scaled(out, factor):
    return tuple(factor * a for a in out) if isinstance(out, tuple) else factor * out


@each_exercise
def test_the_first_failing_call_can_be_repeated(ex):
    for switches in ex.mistakes.values():
        wrong = mistaken(ex, switches)
        result = ex(wrong)
        for kept, f in ((result.yours, wrong), (result.expected, ex.answer)):
            again = f(*result.inputs)
            for a, b in zip(*((out if isinstance(out, tuple) else (out,)) for out in (kept, again)), strict=True):
                np.testing.assert_array_equal(a, b)
        assert not np.array_equal(np.hstack(pieces(result.yours)), np.hstack(pieces(result.expected)))


def pieces(out):
    return [np.ravel(a) for a in (out if isinstance(out, tuple) else (out,))]


@each_exercise
def test_overwriting_the_arguments_is_told(ex):
    def f(*args):
        out = copy.deepcopy(ex.answer(*args))
        for a in args:
            if isinstance(a, np.ndarray):
                a += 1
        return out

    assert ex(f).text == "the values are right, but it overwrites its arguments: work on a copy"
    assert ex(ex.answer).ok  # and nothing of it has reached the checker


def test_what_an_exception_most_likely_means_is_told():
    told = check.min_norm_solution(lambda X, y: np.linalg.solve(X.T @ X, X.T @ y)).text
    assert "LinAlgError: Singular matrix (XᵀX has no inverse here" in told
    told = check.squared_error_gradient(lambda w, X, y: 2 * X @ (X.T @ w - y)).text
    assert told.endswith("(samples are the rows of X here; in note D's formulas they are its columns)")
    assert check.add_bias(raising(ValueError("no"))).text.endswith("ValueError: no")


@each_task
def test_the_solution_can_be_pasted_in_place_of_the_stub(task):
    namespace = {}
    exec(task.solution(), namespace)
    assert task(namespace[task.name]).ok
    rooms = namespace.keys() & {path.stem for path in ROOMS}
    assert all(inspect.ismodule(namespace[name]) for name in rooms)  # no import of the chapter is lost


def test_the_solution_shows_what_it_needs_and_nothing_else():
    def functions(name):
        return [node.name for node in ast.parse(getattr(check, name).solution()).body if hasattr(node, "name")]

    assert functions("largest_stable_step") == ["largest_step", "_eigenvalues", "_gram"]  # helpers of helpers too
    assert functions("min_norm_solution") == ["minimum_norm", "svd"]  # public helpers too
    assert functions("natural_parameter") == ["logit", "natural_parameter"]  # what it calls, not what glm imports
    assert functions("perceptron_moves_away") == ["perceptron_moves_away"]
    assert check.min_norm_solution.solution().startswith(
        "import numpy as np\n\nfrom linmodels import checks, moments\n"
        "from linmodels.linear_regression import EPS\n\n\ndef minimum_norm(X, y):\n"
    )
    assert check.min_norm_solution.solution().endswith("\n\n\nmin_norm_solution = minimum_norm\n")
    assert check.glm_score.solution() == "def glm_score(X, y, w, mean):\n    return X.T @ (y - mean(X @ w))\n"


ROOMS = sorted(Path(package.__file__).parents[1].glob("*.py"))
PLAIN = {  # answers that are written out, since the library's code for them is long; the library's own
    "normal_equations": lambda X, y: linear_regression.normal_equations(design.augment(X), y),
    "ridge": lambda X, y, lam: regularization.ridge(design.augment(X), y, lam),
    "ridge_free_bias": lambda X, y, lam: regularization.ridge(
        design.augment(X), y, design.free_bias(lam, X.shape[1] + 1)
    ),
    "gaussian_as_exponential": lambda y, mu, sigma: parts_of(glm.gaussian_with(sigma), y, mu),
    "exponential_density": lambda y, eta, b, T, a: np.exp(
        glm.log_density(y, eta, replace(glm.gaussian, log_b=lambda y: np.log(b(y)), T=T, a=a))
    ),
    "categorical_phi": glm.categorical_phi,
    "glm_score": lambda X, y, w, mean: -glm.gradient(w, X, y, replace(glm.gaussian, mean=mean)),
}


def parts_of(family, y, phi):
    return family.b(y), family.T(y), family.eta(phi), family.a(family.eta(phi))


def test_every_answer_is_the_librarys_or_equal_to_it():
    written_here = [ex for ex in EXERCISES if ex.answer.__module__.startswith(package.__name__)]
    assert list(PLAIN) == [ex.name for ex in written_here if ex.answer.__name__ != "<lambda>"]
    for name, seed in itertools.product(PLAIN, range(10)):
        assert getattr(check, name)(PLAIN[name], seed=seed).ok, (name, seed)


@each_task
def test_the_texts_are_short_and_complete(task):
    texts = [*getattr(task, "mistakes", ()), *task.hints, *(r.text for r in getattr(task, "requirements", ()))]
    texts += getattr(task, "stops", {}).values()
    for text in texts:
        assert text.strip() == text and 0 < len(text) < 130, text
    assert task.stars in (1, 2, 3) and re.match("[A-E] [0-9]", task.notes) and 2 <= len(task.hints) <= 3
    assert 60 < len(task.ask) < 400 and task.ask.endswith(".")
    assert check.__getattr__(task.name) is task and task.signature.startswith(f"{task.name}(")


@each_exercise
def test_the_question_names_all_arguments(ex):
    for name in ex.parameters:
        assert re.search(rf"(?<!\w){name}(?!\w)", ex.ask), name


@each_task
def test_the_same_text_every_time(task):
    f = mistaken(task, next(iter(task.mistakes.values()))) if isinstance(task, Exercise) else lambda: (1, 2)
    assert repr(task(f)) == repr(task(f)) and repr(task(f)).startswith(f"[--] {task.name}: ")


@each_task
def test_hints_and_solution_show_themselves(task, capsys):
    count = len(task.hints)
    for n, hint in enumerate(task.hints, start=1):
        more = f"  (.hint({n + 1}) for the next)" if n < count else ""
        assert repr(task.hint(n)) == f"hint {n} of {count}: {hint}{more}"
    assert repr(task.hint()) == repr(task.hint(1))
    assert "there are" in repr(task.hint(9)) and repr(task.hint(0)) == repr(task.hint("x")) == repr(task.hint(9))
    assert re.search(r"^def \w", repr(task.solution()), re.M) and "return " in task.solution()
    assert repr(task).splitlines()[0] == f"{'★' * task.stars} {task.signature}  [{task.notes}]"
    assert capsys.readouterr() == ("", "")


@each_exercise
def test_the_solution_shows_the_library_function(ex):
    shown = [node for node in ast.walk(ast.parse(ex.solution())) if isinstance(node, ast.FunctionDef)]
    library = "".join(path.read_text(encoding="utf-8") for path in ROOMS)
    assert all(f"def {node.name}(" in library for node in shown if node.name != ex.name)
    assert ex.name in PLAIN or any(node.name != ex.name or f"def {ex.name}(" in library for node in shown)
    written = [node for node in shown if node.name == ex.name]
    assert all(node.end_lineno - node.lineno < 8 for node in written)


@each_construction
def test_a_construction_accepts_its_example_and_each_requirement_bites(con):
    assert con(con.example).ok
    assert inspect.signature(con.example).parameters == {}
    for need in con.requirements:
        result = con(lambda need=need: need.failing)
        assert (result.status, result.text) == ("--", need.text)
        assert result.yours is need.failing
    broken = list(con.example())
    broken[0] = broken[0] * np.nan
    assert con(lambda: broken).text == "all numbers must be finite"
    assert con(lambda: con.example()[:-1]).text.startswith(f"it must return {len(con.returns)} values, not ")


def test_the_dual_step_makes_the_updates_of_the_library():
    X, y = integer_points(np.random.default_rng(3), 7)
    G = kernels.gram(kernels.linear, X)
    alpha, b, states = np.zeros(7), 0.0, []
    for i in itertools.islice(itertools.cycle(range(7)), 60):
        new_alpha, new_b = check.perceptron_dual_step.answer(alpha, b, i, G, y, 0.5)
        if new_b != b:
            states.append((i, *new_alpha, new_b))
        alpha, b = new_alpha, new_b
    updates = itertools.islice(perceptron.dual_updates(G, y, 0.5), len(states))
    assert len(states) > 5 and states == [(i, *alpha, b) for i, alpha, b in updates]


def at(j, X):
    """x_j and x_j·x_j."""
    return X[:, j], X[:, j] @ X[:, j]


def without(j, w, X, y):
    return y - X @ w + X[:, j] * w[j]


def soft(a, t):
    return np.sign(a) * np.maximum(np.abs(a) - t, 0)


def ridge_of(X, y, costs):
    return np.linalg.solve(X.T @ X + costs * np.eye(X.shape[1]), X.T @ y)


def with_last(change):
    """Only the bias is changed."""
    return lambda w: np.append(w[:-1], change(w[-1]))


def free(X, y, lam):
    return check.ridge_free_bias.answer(X, y, lam)


def rows(change):
    def f(X, y, lam):
        return change(*check.ridge_as_least_squares.answer(X, y, lam), len(X))

    return f


def gaussian_with(**changes):
    """The right b, T, eta, a but for those that are changed, each a function of y, mu, sigma."""

    def f(y, mu, sigma):
        right = dict(zip(("b", "T", "eta", "a"), check.gaussian_as_exponential.answer(y, mu, sigma), strict=True))
        return tuple(changes[name](y, mu, sigma) if name in changes else value for name, value in right.items())

    return f


def one(X):
    return design.augment(X)


def log_fit(X, y, **settings):
    return np.linalg.lstsq(one(X), np.log(y), rcond=None)[0]


def gauss_newton(X, y):
    """One step towards least squares of exp(w·x + b) on y itself."""
    w = log_fit(X, y)
    m = np.exp(one(X) @ w)
    return w + np.linalg.lstsq(m[:, None] * one(X), y - m, rcond=None)[0]


OUTSIDE = {  # wrong functions of which no exercise knows: refused, and given no name
    "ridge": {
        "the root of lam": lambda X, y, lam: ridge_of(one(X), y, np.sqrt(lam)),
        "lam / 2N": lambda X, y, lam: ridge_of(one(X), y, lam / len(X) / 2),
        "only b": lambda X, y, lam: ridge_of(one(X), y, lam * np.append(np.zeros(X.shape[1]), 1)),
        "inverted first": lambda X, y, lam: (
            (np.linalg.inv(one(X).T @ one(X)) + lam * np.eye(len(one(X).T))) @ (one(X).T @ y)
        ),
        "the lasso": lambda X, y, lam: regularization.lasso(one(X), y, lam).w,
        "one sample short": lambda X, y, lam: ridge_of(one(X)[1:], y[1:], lam),
        "y centred": lambda X, y, lam: ridge_of(one(X), y - y.mean(), lam),
        "columns of length 1": lambda X, y, lam: ridge_of(one(X) / np.linalg.norm(one(X), axis=0), y, lam),
        "ten gradient steps": lambda X, y, lam: descent(one(X), y, lam, 10),
        "penalised by the size of y": lambda X, y, lam: ridge_of(one(X), y, lam * np.abs(y).max()),
        "|w|": lambda X, y, lam: np.abs(ridge_of(one(X), y, lam)),
    },
    "ridge_free_bias": {
        "lam squared": lambda X, y, lam: free(X, y, lam * lam),
        "medians": lambda X, y, lam: np.append(
            ridge_of(X - np.median(X, 0), y - np.median(y), lam),
            np.median(y) - np.median(X, 0) @ ridge_of(X - np.median(X, 0), y - np.median(y), lam),
        ),
        "b of the first sample": lambda X, y, lam: np.append(free(X, y, lam)[:-1], y[0] - X[0] @ free(X, y, lam)[:-1]),
        "b of the median": lambda X, y, lam: np.append(
            free(X, y, lam)[:-1], np.median(y) - np.median(X, 0) @ free(X, y, lam)[:-1]
        ),
        "b rounded": lambda X, y, lam: with_last(np.round)(free(X, y, lam)),
        "b twice": lambda X, y, lam: with_last(lambda b: 2 * b)(free(X, y, lam)),
        "the lasso": lambda X, y, lam: regularization.lasso(one(X), y, design.free_bias(lam, X.shape[1] + 1)).w,
        "a small penalty on b": lambda X, y, lam: ridge_of(one(X), y, np.append(np.full(X.shape[1], lam), 0.01)),
        "N - 1": lambda X, y, lam: free(X, y, lam * (len(X) - 1)),
        "one sample short": lambda X, y, lam: free(X[:-1], y[:-1], lam),
    },
    "ridge_as_least_squares": {
        "targets -1": rows(lambda A, c, N: (A, np.append(c[:N], np.full(len(c) - N, -1.0)))),
        "rows and targets in another order": rows(lambda A, c, N: (A, c[::-1])),
        "the cube root": lambda X, y, lam: (
            np.vstack([X, lam ** (1 / 3) * np.eye(X.shape[1])]),
            np.append(y, 0 * X[0]),
        ),
        "the first weight alone": rows(lambda A, c, N: (A[: N + 1], c[: N + 1])),
        "the rows three times": rows(
            lambda A, c, N: (np.vstack([A, A[N:], A[N:]]), np.append(c, 0 * c[[*range(N, len(c))] * 2]))
        ),
        "one sample short": rows(lambda A, c, N: (A[1:], c[1:])),
        "half of y": rows(lambda A, c, N: (A, c / 2)),
        "divided by the root of N": rows(lambda A, c, N: (A / np.sqrt(N), c / np.sqrt(N))),
        "normed": rows(lambda A, c, N: (A / np.linalg.norm(A, axis=0), c)),
        "another sign of X": rows(lambda A, c, N: (np.vstack([-A[:N], A[N:]]), c)),
    },
    "soft_threshold": {
        "the garrotte": lambda a, t: np.where(np.abs(a) > t, a - t * t / np.where(a == 0, 1, a), 0),
        "root of squares": lambda a, t: np.sign(a) * np.sqrt(np.maximum(a * a - t * t, 0)),
        "a <= t for a <= -t": lambda a, t: np.where(a >= t, a - t, np.where(a <= t, a + t, 0)),
        "t / m": lambda a, t: soft(a, t / len(a)),
        "t squared": lambda a, t: soft(a, t * t + 0.3),
        "firm": lambda a, t: np.where(np.abs(a) > 2 * t, a, np.sign(a) * np.maximum(np.abs(a) - t, 0) * 2),
        "relative": lambda a, t: soft(a, t * np.abs(a).max()),
        "rounded": lambda a, t: np.round(soft(a, t)),
        "the first entries alone": lambda a, t: np.append(soft(a[:3], t), a[3:]),
        "smooth": lambda a, t: a * np.tanh(np.abs(a) / t),
        "never quite 0": lambda a, t: soft(a, t) + 1e-6 * a,
        "a < 0 counts as below -t": lambda a, t: np.where(a > t, a - t, np.where(a < 0, a + t, 0)),
    },
    "lasso_coordinate": {
        "the column before": lambda j, w, X, y, lam: regularization.coordinate_step(j - 1, w, X, y, lam),
        "half way": lambda j, w, X, y, lam: (w[j] + regularization.coordinate_step(j, w, X, y, lam)) / 2,
        "zero stays zero": lambda j, w, X, y, lam: w[j] and regularization.coordinate_step(j, w, X, y, lam),
        "y centred": lambda j, w, X, y, lam: regularization.coordinate_step(j, w, X, y - y.mean(), lam),
        "X and y centred": lambda j, w, X, y, lam: regularization.coordinate_step(j, w, X - X.mean(0), y, lam),
        "the largest eigenvalue": lambda j, w, X, y, lam: soft(
            w[j] + X[:, j] @ (y - X @ w) / np.linalg.norm(X, 2) ** 2, lam / 2 / np.linalg.norm(X, 2) ** 2
        ),
        "lam / ‖x‖": lambda j, w, X, y, lam: (
            soft(X[:, j] @ without(j, w, X, y), lam / at(j, X)[1] ** 0.5) / at(j, X)[1]
        ),
        "the first sample is lost": lambda j, w, X, y, lam: regularization.coordinate_step(j, w, X[1:], y[1:], lam),
        "the weights before j alone": lambda j, w, X, y, lam: (
            soft(X[:, j] @ (y - X[:, :j] @ w[:j]), lam / 2) / at(j, X)[1]
        ),
        "the sign of the column's sum": lambda j, w, X, y, lam: (
            (X[:, j] @ without(j, w, X, y) - lam / 2 * np.sign(X[:, j].sum())) / at(j, X)[1]
        ),
        "lam times |y|": lambda j, w, X, y, lam: regularization.coordinate_step(j, w, X, y, lam * np.abs(y).mean()),
        "rounded": lambda j, w, X, y, lam: np.round(regularization.coordinate_step(j, w, X, y, lam), 2),
        "both penalties": lambda j, w, X, y, lam: soft(X[:, j] @ without(j, w, X, y), lam / 2) / (at(j, X)[1] + lam),
    },
    "lasso_lambda_max": {
        "the second largest": lambda X, y: 2 * np.sort(np.abs(np.append(X.T @ y, 0)))[-2],
        "the two largest": lambda X, y: 2 * np.sort(np.abs(X.T @ y))[-2:].sum(),
        "the root of N": lambda X, y: 2 * np.abs(X.T @ y).max() / np.sqrt(len(X)),
        "y less its median": lambda X, y: 2 * np.abs(X.T @ (y - np.median(y))).max(),
        "y of deviation 1": lambda X, y: 2 * np.abs(X.T @ y).max() / y.std(),
        "Hölder": lambda X, y: 2 * np.abs(X).max() * np.abs(y).sum(),
        "rounded": lambda X, y: round(2 * np.abs(X.T @ y).max(), 2),
        "the last column": lambda X, y: 2 * abs(X[:, -1] @ y) + 1e-3,
        "|X| and |y|": lambda X, y: 2 * (np.abs(X).T @ np.abs(y)).max(),
        "the largest squared": lambda X, y: 2 * ((X.T @ y) ** 2).max(),
        "‖y‖²": lambda X, y: 2 * y @ y,
    },
    "elastic_net_coordinate": {
        "rho squared": lambda j, w, X, y, lam, rho: regularization.coordinate_step(j, w, X, y, lam, rho**2),
        "both parts whole": lambda j, w, X, y, lam, rho: (
            soft(X[:, j] @ without(j, w, X, y), lam / 2) / (at(j, X)[1] + lam)
        ),
        "small stays small": lambda j, w, X, y, lam, rho: (
            w[j] if abs(w[j]) < 0.1 else regularization.coordinate_step(j, w, X, y, lam, rho)
        ),
        "half way": lambda j, w, X, y, lam, rho: (w[j] + regularization.coordinate_step(j, w, X, y, lam, rho)) / 2,
        "the column before": lambda j, w, X, y, lam, rho: regularization.coordinate_step(j - 1, w, X, y, lam, rho),
        "the lasso's times 1 - rho": lambda j, w, X, y, lam, rho: (
            (1 - rho) * regularization.coordinate_step(j, w, X, y, lam)
        ),
        "a mixture of lasso and ridge": lambda j, w, X, y, lam, rho: (
            rho * regularization.coordinate_step(j, w, X, y, lam)
            + (1 - rho) * X[:, j] @ without(j, w, X, y) / (at(j, X)[1] + lam)
        ),
        "scaled back up": lambda j, w, X, y, lam, rho: (
            (1 + lam * (1 - rho) / 2) * regularization.coordinate_step(j, w, X, y, lam, rho)
        ),
        "y centred": lambda j, w, X, y, lam, rho: regularization.coordinate_step(j, w, X, y - y.mean(), lam, rho),
        "1 + rho": lambda j, w, X, y, lam, rho: (
            soft(X[:, j] @ without(j, w, X, y), lam * rho / 2) / (at(j, X)[1] + lam * (1 + rho) / 2)
        ),
        "lam squared": lambda j, w, X, y, lam, rho: regularization.coordinate_step(j, w, X, y, lam * lam, rho),
        "never negative": lambda j, w, X, y, lam, rho: abs(regularization.coordinate_step(j, w, X, y, lam, rho)),
        "the weights before j alone": lambda j, w, X, y, lam, rho: (
            soft(X[:, j] @ (y - X[:, :j] @ w[:j]), lam * rho / 2) / (at(j, X)[1] + lam * (1 - rho) / 2)
        ),
    },
    "natural_parameter": {
        "clipped": lambda phi: special.logit(np.clip(phi, 1e-3, 1 - 1e-3)),
        "eps in the logarithms": lambda phi: np.log(phi + 1e-6) - np.log(1 - phi + 1e-6),
        "the tangent at 1/2": lambda phi: 4 * (phi - 0.5),
        "probit, nearly": lambda phi: np.tan(np.pi * (phi - 0.5)),
        "phi squared": lambda phi: special.logit(phi**2),
        "the root of the odds, by 3": lambda phi: special.logit(phi) / 3,
        "centred": lambda phi: special.logit(phi) - special.logit(phi).mean(),
        "float16": lambda phi: special.logit(phi.astype(np.float16).astype(float) * 0.99),
        "entropy": lambda phi: -phi * np.log(phi) - (1 - phi) * np.log(1 - phi),
        "1 too high": lambda phi: special.logit(phi) + 1,
        "|eta|": lambda phi: np.abs(special.logit(phi)),
    },
    "bernoulli_log_partition": {
        "clipped at 700": lambda eta: np.log1p(np.exp(np.minimum(eta, 700))),
        "clipped at 30": lambda eta: np.log1p(np.exp(np.clip(eta, -30, 30))),
        "eta from 10 on": lambda eta: np.where(eta > 10, eta, np.log1p(np.exp(np.minimum(eta, 10)))),
        "0 up to -10": lambda eta: np.where(eta < -10, 0, np.logaddexp(0, eta)),
        "inf made 0": lambda eta: np.nan_to_num(np.log1p(np.exp(eta)), posinf=0),
        "inf made the largest number": lambda eta: np.nan_to_num(np.log1p(np.exp(eta))),
        "eps": lambda eta: -np.log(1 - special.sigmoid(eta) + 1e-12),
        "base 2": lambda eta: np.logaddexp2(0, eta),
        "the square root": lambda eta: (eta + np.sqrt(eta**2 + 4)) / 2,
        "shifted by the largest": lambda eta: eta.max() + np.log(np.exp(-eta.max()) + np.exp(eta - eta.max())),
        "eta / 2 + ln 2": lambda eta: eta / 2 + np.log(2) + eta**2 / 8,
        "max + ln 2": lambda eta: np.maximum(eta, 0) + np.log(2),
    },
    "gaussian_as_exponential": {
        "a = sigma eta²/2": gaussian_with(a=lambda y, mu, sigma: sigma * (mu / sigma**2) ** 2 / 2),
        "a = sigma² eta/2": gaussian_with(a=lambda y, mu, sigma: mu / 2),
        "a with sigma": gaussian_with(a=lambda y, mu, sigma: mu**2 / (2 * sigma**2) + sigma),
        "a of the sample mean": gaussian_with(a=lambda y, mu, sigma: y.mean() ** 2 / (2 * sigma**2)),
        "eta = mu sigma²": gaussian_with(eta=lambda y, mu, sigma: mu * sigma**2),
        "eta = mu / sigma³": gaussian_with(eta=lambda y, mu, sigma: mu / sigma**3),
        "eta = 1 / sigma²": gaussian_with(eta=lambda y, mu, sigma: 1 / sigma**2),
        "T = y - mu": gaussian_with(T=lambda y, mu, sigma: y - mu),
        "T = |y|": gaussian_with(T=lambda y, mu, sigma: np.abs(y)),
        "b is the density around -mu": gaussian_with(
            b=lambda y, mu, sigma: np.exp(-((y + mu) ** 2) / (2 * sigma**2)) / np.sqrt(2 * np.pi) / sigma
        ),
        "b with |y|": gaussian_with(b=lambda y, mu, sigma: np.exp(-np.abs(y) / sigma) / (2 * sigma)),
        "b with sigma^4": gaussian_with(
            b=lambda y, mu, sigma: np.exp(-(y**2) / (2 * sigma**4)) / np.sqrt(2 * np.pi) / sigma**2
        ),
    },
    "exponential_density": {
        "divided by a": lambda y, eta, b, T, a: b(y) * np.exp(eta * T(y)) / (a(eta) + 2),
        "b of T": lambda y, eta, b, T, a: b(np.abs(T(y)) + 1) * np.exp(eta * T(y) - a(eta)),
        "b of eta": lambda y, eta, b, T, a: b(eta) * np.exp(eta * T(y) - a(eta)),
        "T of eta": lambda y, eta, b, T, a: b(y) * np.exp(y * T(eta) - a(eta) - 1),
        "at most 1": lambda y, eta, b, T, a: b(y) * np.exp(eta * T(y)) / np.max(b(y) * np.exp(eta * T(y))),
        "base 2": lambda y, eta, b, T, a: b(y) * 2 ** (eta * T(y) - a(eta)),
        "a twice": lambda y, eta, b, T, a: b(y) * np.exp(eta * T(y) - 2 * a(eta)),
        "a half": lambda y, eta, b, T, a: b(y) * np.exp(eta * T(y) - a(eta) / 2),
        "T squared": lambda y, eta, b, T, a: b(y) * np.exp(eta * T(y) ** 2 - a(eta)),
        "eta squared": lambda y, eta, b, T, a: b(y) * np.exp(eta**2 * T(y) - a(eta)),
        "the root of b": lambda y, eta, b, T, a: np.sqrt(b(y)) * np.exp(eta * T(y) - a(eta)),
        "at most 1/10": lambda y, eta, b, T, a: np.minimum(b(y) * np.exp(eta * T(y) - a(eta)), 0.1),
    },
    "categorical_phi": {
        "hot": lambda eta: special.softmax(np.append(eta, 0) / 3),
        "cold": lambda eta: special.softmax(np.append(2 * eta, 0)),
        "the mean as reference": lambda eta: special.softmax(np.append(eta, eta.mean() + 0.1)),
        "the reference shares alike": lambda eta: np.append(
            special.softmax(eta) * (1 - 1 / (len(eta) + 1)), 1 / (len(eta) + 1)
        ),
        "sorted": lambda eta: np.sort(special.softmax(np.append(eta, 0))) + 1e-3,
        "stick breaking": lambda eta: np.diff(
            np.append(0, 1 - np.append(np.cumprod(1 - special.sigmoid(eta + 0.1)), 0))
        ),
        "base 2": lambda eta: np.append(2**eta, 1) / (1 + np.sum(2**eta)),
        "rounded": lambda eta: np.round(special.softmax(np.append(eta, 0)), 2),
        "reversed": lambda eta: special.softmax(np.append(eta, 0))[::-1],
        "divided by the largest": lambda eta: np.exp(np.append(eta, 0)) / np.exp(eta).max() / (len(eta) + 1),
        "2 for the 1": lambda eta: np.append(np.exp(eta), 2) / (2 + np.exp(eta).sum()),
        "smoothed": lambda eta: (special.softmax(np.append(eta, 0)) + 0.01) / (1 + 0.01 * (len(eta) + 1)),
    },
    "log_linear_fit": {
        "eps in the logarithm": lambda X, y: log_fit(X, y + 1e-3),
        "one sample short": lambda X, y: log_fit(np.vstack([X[1:], X[:1] * 0.9]), np.append(y[1:], y[0])),
        "Poisson": lambda X, y: (
            glm.fit(one(X), y, glm.poisson).w
            if np.all(y == np.round(y))
            else glm.fit(one(X), np.ceil(y), glm.poisson).w
        ),
        "one step to least squares of y": gauss_newton,
        "the mean for the median": lambda X, y: with_last(
            lambda b: b + 0.01 + np.var(np.log(y) - one(X) @ log_fit(X, y)) / 2
        )(log_fit(X, y)),
        "by the largest y": lambda X, y: log_fit(X, y / y.max()),
        "by the mean of y": lambda X, y: log_fit(X, y / y.mean()),
        "ln ln": lambda X, y: log_fit(X, np.log(y + 1.5)),
        "the logarithm of the rounded y": lambda X, y: log_fit(X, np.round(y) + 0.1),
        "the root for the logarithm": lambda X, y: log_fit(X, np.exp(np.sqrt(y))),
        "X centred, b as it comes": lambda X, y: log_fit(X - np.median(X, axis=0), y),
        "the steepest slope alone": lambda X, y: log_fit(X, y) * (np.abs(log_fit(X, y)) > 1e9) + log_fit(X, y) ** 2,
    },
    "glm_score": {
        "one sample short": lambda X, y, w, mean: X[1:].T @ (y - mean(X @ w))[1:],
        "clipped predictions": lambda X, y, w, mean: X.T @ (y - np.clip(mean(X @ w), 0.3, 0.7)),
        "thresholded predictions": lambda X, y, w, mean: X.T @ (y - (mean(X @ w) > 0.5)),
        "a penalty": lambda X, y, w, mean: X.T @ (y - mean(X @ w)) - w,
        "signs": lambda X, y, w, mean: X.T @ np.sign(y - mean(X @ w)),
        "mean twice": lambda X, y, w, mean: X.T @ (y - mean(mean(X @ w))),
        "relative residuals": lambda X, y, w, mean: X.T @ ((y - mean(X @ w)) / (1 + np.abs(y))),
        "columns of length 1": lambda X, y, w, mean: (X / np.linalg.norm(X, axis=0)).T @ (y - mean(X @ w)),
        "X centred": lambda X, y, w, mean: (X - X.mean(axis=0)).T @ (y - mean(X @ w)),
        "mean of -w·x": lambda X, y, w, mean: X.T @ (y - mean(-X @ w)),
        "mean of w·x + 1": lambda X, y, w, mean: X.T @ (y - mean(X @ w + 1)),
        "|X|": lambda X, y, w, mean: np.abs(X).T @ (y - mean(X @ w)),
    },
}


def descent(X, y, lam, steps):
    w = np.zeros(X.shape[1])
    for _ in range(steps):
        w = w - regularization.ridge_gradient(w, X, y, lam) / (2 * np.linalg.norm(X, 2) ** 2 + 2 * lam)
    return w


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 6), marks=pytest.mark.slow)], ids=["2 seeds", "4 more seeds"]
)
@pytest.mark.parametrize("name, label", [(name, label) for name, wrong in OUTSIDE.items() for label in wrong])
def test_a_wrong_function_that_nobody_listed_is_refused_without_a_name(name, label, seeds):
    for seed in seeds:
        result = check.__getattr__(name)(OUTSIDE[name][label], seed=seed)
        assert result.status == "--", seed
        assert result.text.startswith(("wrong on", "nearly right on")), (seed, result)


def test_every_exercise_of_the_chapters_on_penalties_and_glm_has_wrong_functions_outside_its_list():
    assert list(OUTSIDE) == [ex.name for ex in EXERCISES if ex.chapter in ("02", "03")]
    assert min(map(len, OUTSIDE.values())) >= 10


@pytest.mark.parametrize("ex", [check.lasso_coordinate, check.elastic_net_coordinate], ids=lambda ex: ex.name)
def test_the_factors_of_a_coordinate_step_are_listed(ex):
    for factor, text in (
        (-1, "the residual has the wrong sign"),
        (2, "that is twice the w_j"),
        (0.5, "2 x_j·x_j|half"),
    ):
        found = ex(lambda *args, z=factor: z * ex.answer(*args)).text
        assert found in ex.mistakes and re.search(text, found), found


def test_the_coordinate_steps_make_the_sweeps_of_the_library():
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(9, 4)), rng.normal(size=9), rng.normal(size=4)
    lam = 0.4 * regularization.smallest_zero_lam(X, y)
    for rho, step in (
        (1.0, check.lasso_coordinate.answer),
        (0.7, lambda *args: check.elastic_net_coordinate.answer(*args, 0.7)),
    ):
        v, sweeps = w.copy(), regularization.coordinate_iterates(X, y, lam, rho, w=w)
        next(sweeps)
        for _ in range(5):
            for j in range(4):
                v[j] = step(j, v, X, y, lam)
            np.testing.assert_allclose(v, next(sweeps).w, rtol=1e-12, atol=1e-12)


def test_a_coordinate_step_returns_one_number():
    def all_of_w(j, w, X, y, lam):
        v = w.copy()
        v[j] = check.lasso_coordinate.answer(j, w, X, y, lam)
        return v

    def in_place(j, w, X, y, lam):
        w[j] = check.lasso_coordinate.answer(j, w, X, y, lam)
        return w[j]

    told = check.lasso_coordinate(all_of_w).text
    assert told == "it must return the new w_j alone, a number; an array of shape (3,) came out"
    assert check.lasso_coordinate(in_place).text.endswith("it overwrites its arguments: work on a copy")
    counted_from_1 = check.lasso_coordinate(lambda j, *args: check.lasso_coordinate.answer(j + 1, *args))
    assert "IndexError" in counted_from_1.text and "(j counts from 0;" in counted_from_1.text


def in_one_place(d, k):
    """The penalty's diagonal with its 0 in this place."""
    return np.diag(np.arange(d + 1) != k % (d + 1)).astype(float)


def centred_by(mean_of_X, join):
    """Ridge with these means, b from w and what is kept of the means."""

    def f(X, y, lam):
        m = mean_of_X(X)
        return np.append(w := ridge_of(X - m, y - y.mean(), lam), y.mean() - join(w, m))

    return f


def gaussian_of_1(y, mu, sigma):
    return np.exp(-y * y / 2) / np.sqrt(2 * np.pi), y, mu, mu * mu / 2


def last_place_is_rest(eta):
    phi = np.exp(eta)
    return [*phi, 1 - sum(phi)]


SIGHTED = {  # as a reader writes them, and the words that tell each from the others
    "ridge_free_bias": {
        "0 in lam I must stand where": lambda X, y, lam: np.linalg.solve(
            one(X).T @ one(X) + lam * in_one_place(X.shape[1], 0), one(X).T @ y
        ),
        "b has the wrong sign: ": lambda X, y, lam: with_last(np.negative)(free(X, y, lam)),
        "X was centred by X.mean(), one number": lambda X, y, lam: with_last(
            lambda b: y.mean() - X.mean(axis=0) @ ridge_of(X - X.mean(), y - y.mean(), lam)
        )(centred_by(np.mean, lambda w, m: 0)(X, y, lam)),
        "X was centred and b computed by X.mean(), one": centred_by(np.mean, lambda w, m: np.sum(w * m)),
        "w is right, but b was computed by X.mean(), one number": lambda X, y, lam: np.append(
            free(X, y, lam)[:-1], y.mean() - sum(free(X, y, lam)[:-1]) * X.mean()
        ),
        "w * X.mean() is an array": centred_by(np.mean, lambda w, m: np.dot(w, m)),
        "enough dimensions (has 0": centred_by(np.mean, lambda w, m: w @ m),
    },
    "lasso_coordinate": {
        "the threshold of a step eta is eta lam: ": lambda j, w, X, y, lam: soft(
            w[j] - 2 * X[:, j] @ (X @ w - y) / (2 * at(j, X)[1]), lam
        ),
        "the threshold of a step eta is eta lam, not lam; and": lambda j, w, X, y, lam: soft(
            w[j] - 2 * X[:, j] @ (X @ w - y) / (2 * np.linalg.eigvalsh(X.T @ X)[-1]), lam
        ),
        "(X[j] is sample j; column j is X[:, j])": lambda j, w, X, y, lam: soft(X[j] @ (y - X @ w), lam / 2),
        "(x_j·r is one number, not an array)": lambda j, w, X, y, lam: np.zeros(len(X[:, j] @ y)),
        "(x_j·r is one number: X[:, j] @ r)": lambda j, w, X, y, lam: max(X[:, j] * without(j, w, X, y) - lam, 0),
    },
    "lasso_lambda_max": {
        "that is the largest of the least-squares weights; the slope": lambda X, y: np.abs(np.linalg.pinv(X) @ y).max(),
        "that is twice the largest of the least-squares": lambda X, y: 2 * np.abs(np.linalg.pinv(X) @ y).max(),
    },
    "elastic_net_coordinate": {
        "lam rho/2)/(1 + lam (1 - rho)/2) is right for columns of length 1": lambda j, w, X, y, lam, rho: (
            soft(X[:, j] @ without(j, w, X, y) / at(j, X)[1], lam * rho / 2) / (1 + lam * (1 - rho) / 2)
        ),
        "1 + lam (1 - rho)/2 would be right for columns of length 1; divide": lambda j, w, X, y, lam, rho: (
            check.lasso_coordinate.answer(j, w, X, y, lam * rho) / (1 + lam * (1 - rho) / 2)
        ),
        "(X[j] is sample j; column j is X[:, j])": lambda j, w, X, y, lam, rho: np.dot(X[j], y - X @ w),
    },
    "gaussian_as_exponential": {
        "right for sigma = 1 only": gaussian_of_1,
        "stands in b already": gaussian_with(
            a=lambda y, mu, sigma: mu**2 / (2 * sigma**2) + np.log(np.sqrt(2 * np.pi) * sigma)
        ),
    },
    "exponential_density": {
        "a(η) is outside the exponential: check the brackets": lambda y, eta, b, T, a: (
            b(y) * np.exp(eta * T(y)) - a(eta)
        ),
    },
    "categorical_phi": {
        "e^η_i is φ_i/φ_K, not φ_i": last_place_is_rest,
        "do not make one, np.append joins them": lambda eta: (np.exp(eta) / (1 + np.exp(eta).sum()), 1.0),
    },
    "log_linear_fit": {
        "a tuple came: lstsq returns four things, the weights are [0]": lambda X, y: np.linalg.lstsq(
            one(X), np.log(y), rcond=None
        ),
        "do not make one, np.append joins them": lambda X, y: (log_fit(X, y)[:-1], log_fit(X, y)[-1]),
    },
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name, words", [(name, words) for name, wrong in SIGHTED.items() for words in wrong])
def test_what_readers_wrote_gets_its_words_and_nothing_more(name, words, seed):
    ex = check.__getattr__(name)
    told = ex(SIGHTED[name][words], seed=seed).text
    assert words in told, told
    assert told in ex.mistakes or told.endswith((words, "(each column has its own mean: X.mean(axis=0))")), told


def test_only_two_pieces_are_joined_by_append():
    told = check.ridge(lambda X, y, lam: (y, 1.0, 2.0)).text
    assert told == "it must return one array of numbers; the pieces of this tuple do not make one"
    assert check.ridge(lambda X, y, lam: Awkward()).text.endswith("the pieces of this Awkward do not make one")


def test_ridge_as_least_squares_is_judged_by_its_sum_of_squares():
    ex = check.ridge_as_least_squares

    def changed(change):
        return ex(lambda X, y, lam: change(*ex.answer(X, y, lam)))

    assert changed(lambda A, c: (A[::-1], c[::-1])).ok
    assert changed(lambda A, c: (np.vstack([A, 0 * A]), np.append(c, 0 * c))).ok
    R = lambda A, c: np.linalg.qr(np.column_stack([A, c]))[1]  # noqa: E731
    assert changed(lambda A, c: (R(A, c)[:, :-1], R(A, c)[:, -1])).ok
    assert not changed(lambda A, c: (A[::-1], c)).ok
    assert changed(lambda A, c: (A, c[:7])).text == "A has 10 rows but c has 7 entries: every row needs its target"
    assert changed(lambda A, c: (A, c[:, None])).text.startswith("A must be a matrix and c a vector; they are of shape")


def test_the_log_partition_must_be_finite_far_out():
    ex = check.bernoulli_log_partition
    told = ex(lambda eta: np.log1p(np.exp(eta))).text
    assert told.startswith("right in the middle, but e^η overflows")
    assert not ex(lambda eta: np.log1p(np.exp(np.minimum(eta, 700)))).ok
    assert ex(lambda eta: [max(e, 0) + np.log1p(np.exp(-abs(e))) for e in eta]).ok


# --- the checker ------------------------------------------------------------------------------------------------


def toy(**changes):
    """Σ_n x_n x_nᵀ A, with a mistake or two."""

    def variant(X, A, *, shift=0.0, power=1):
        return (X.T @ X) ** power @ A + shift

    def cases(rng):
        return [
            Case(f"N = {N}", (rng.normal(size=(N, d)), rng.normal(size=(d, 3))), {"N": N}) for N, d in ((5, 2), (7, 4))
        ]

    fields = {
        "stars": 1,
        "notes": "A 1",
        "ask": "?",
        "hints": ("one", "two"),
        "answer": lambda X, A: X.T @ X @ A,
        "variant": variant,
        "mistakes": {"shifted": {"shift": 1.0}, "squared": {"power": 2}},
        "cases": cases,
        "factors": {"1/N": "a sum", "-": "downhill"},
        "name": "toy",
    }
    return Exercise(**(fields | changes))


def test_factors_shapes_and_pairs_are_named_together():
    def text(f):
        return toy()(f).text

    right = toy().answer
    assert text(lambda X, A: right(X, A) / len(X)) == "it is 1/N times what it should be (a sum)"
    assert text(lambda X, A: -right(X, A) / 2 / len(X)) == "it is -1/(2N) times what it should be (downhill; a sum)"
    assert text(lambda X, A: right(X, A).T) == "it is transposed"
    assert text(lambda X, A: 2 * right(X, A).T) == "it is 2 times what it should be; and it is transposed"
    assert text(lambda X, A: right(X, A).ravel()) == "only its shape is wrong: (6,), but it must be (2, 3)"
    assert text(lambda X, A: right(X, A) if len(X) == 5 else right(X, A)[None]) == (
        "only its shape is wrong: (1, 4, 3), but it must be (4, 3)"
    )
    assert text(lambda X, A: right(X, A) + 1) == "shifted"
    assert text(lambda X, A: len(X) * (right(X, A) + 1)) == "shifted; and it is N times what it should be"
    assert text(lambda X, A: (X.T @ X) ** 2 @ A + 1) == "shifted; and squared"


def test_nothing_but_zeros_is_told_before_two_mistakes_that_could_give_it():
    assert toy()(lambda X, A: 0 * A).text == "every answer is 0"
    assert toy()(lambda X, A: 0).text.startswith("it is a number, but must be")
    assert check.lasso_lambda_max(lambda X, y: 0.0).text == "every answer is 0"
    assert check.lasso_coordinate(lambda *args: 0.0).text.startswith("every answer is 0: what is left of x_j·r")
    assert check.min_norm_solution(lambda X, y: np.zeros(len(X.T))).text.startswith("w = 0 is the shortest of all w")


def test_without_a_name_only_facts_are_told():
    right = toy().answer

    def second(X, A):
        return right(X, A) + 5 * (len(X) == 7)

    result = toy()(second)
    assert result.text.startswith("wrong on N = 7; no mistake known here gives this. First: entry [0, 0] is ")
    assert toy()(lambda X, A: right(X, A) * 1.00001).text.startswith("nearly right on every instance: off by 1e-05 of")
    assert toy()(lambda X, A: X).text == "it is of shape (5, 2), but must be of shape (2, 3)"
    assert check.dual_to_primal(lambda a, y, X: (1.0, 0.0)).text == "value 1 is a number, but must be of shape (2,)"
    assert toy()(lambda X, A: right(X, A) * np.nan).text.startswith("wrong on every instance")
    assert toy()(lambda X, A: right(X.astype(np.float32), A.astype(np.float32))).text.startswith("nearly right on")


def test_a_number_is_not_spread_over_the_expected_shape():
    def constant(X, A, *, zero=1.0):
        return np.full((2, 2), zero)

    ex = toy(answer=constant, variant=constant, mistakes={})
    assert ex(lambda X, A: np.ones((2, 2))).ok
    assert not ex(lambda X, A: 1.0).ok and not ex(lambda X, A: np.ones(2)).ok


def test_equally_right_answers_are_made_equal_first():
    ex = toy(canon=lambda a: a / np.linalg.norm(a))
    assert ex(lambda X, A: 3 * toy().answer(X, A)).ok
    assert not toy()(lambda X, A: 3 * toy().answer(X, A)).ok
    strict = toy(canon=np.linalg.inv, answer=lambda X, A: X.T @ X, variant=lambda X, A: X.T @ X, mistakes={})
    assert not strict(lambda X, A: X.T @ X * np.nan).ok  # where canon itself would raise or warn


def test_numbers_may_come_in_any_python_form():
    def pair(X, A, *, wrong=0):
        return X.sum() + wrong, X[0]

    ex = toy(answer=pair, variant=pair, mistakes={"wrong": {"wrong": 1}})
    assert ex(lambda X, A: [np.array(X.sum()), X[0].tolist()]).ok
    assert ex(lambda X, A: (X.sum(), tuple(X[0]))).ok
    assert ex(lambda X, A: X.sum()).text == "it must return 2 values, not one float64"
    assert ex(lambda X, A: (X.sum(), X[0], 1)).text == "it must return 2 values, not 3"
    assert ex(lambda X, A: (X.sum(), X[0] + 0j)).text == "it must return real numbers, not complex ones"


def test_exceptions_are_told_with_the_shapes_and_can_be_repeated():
    result = toy()(lambda X, A: X @ X)
    assert result.text.startswith("on 'N = 5' with X (5, 2), A (2, 3) it stopped: ValueError: matmul")
    assert [a.shape for a in result.inputs] == [(5, 2), (2, 3)] and result.yours is None
    assert toy()(raising(Unprintable())).text.endswith("Unprintable: <exception str() failed>")


def test_a_branch_without_return_is_not_taken_for_a_stub():
    def branch(w, b, x, y, eta):
        if y * (w @ x + b) <= 0:
            return w + eta * y * x, b + eta * y

    assert check.perceptron_step(branch).text.endswith("it returned None: one of its branches has no `return`")
    assert toy()(lambda X, A: toy().answer(X, A) if len(X) == 5 else None).status == "--"


def test_a_step_must_keep_the_shapes():
    result = check.perceptron_step(lambda w, b, x, y, eta: (w[:, None], b))
    assert result.text == (
        "what it returns must keep its shape: (2,) and a number came in, (2, 1) and a number came out"
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
        out = toy().answer(X, A)
        for a in kept:
            a[...] = 0
        return out

    assert toy()(f).text.endswith("it overwrites its arguments: work on a copy")


def test_interrupts_pass_and_warnings_and_prints_do_no_harm(capsys):
    def noisy(X, A):
        print("hello")
        warnings.warn("careful", stacklevel=1)
        np.log(np.zeros(1))
        return toy().answer(X, A)

    assert toy()(noisy).ok
    assert capsys.readouterr() == ("hello\nhello\n", "")
    with pytest.raises(KeyboardInterrupt):
        toy()(raising(KeyboardInterrupt()))


def test_another_seed_gives_other_instances():
    wrong = lambda X, A: toy().answer(X, A) ** 3  # noqa: E731
    a, b = toy()(wrong), toy()(wrong, seed=1)
    assert not np.array_equal(a.inputs[0], b.inputs[0])
    assert np.array_equal(a.inputs[0], toy()(wrong).inputs[0])


def test_a_factor_is_written_as_one_fraction():
    assert [written(parts) for parts in (("-", "2"), ("1/2",), ("1/2", "N"), ("-", "1/2", "1/N"))] == [
        "-2",
        "1/2",
        "N/2",
        "-1/(2N)",
    ]


def test_a_mistake_that_stops_on_an_instance_is_not_the_readers():
    def variant(X, A, *, shift=0.0, power=1, stops=False):
        if stops and len(X) == 7:
            raise np.linalg.LinAlgError("Singular matrix")
        return (X.T @ X) ** power @ A + shift + 5 * stops

    ex = toy(variant=variant, mistakes={"it stops": {"stops": True}, **toy().mistakes})
    assert ex(mistaken(ex, {"shift": 1.0})).text == "shifted"
    assert ex(lambda X, A: toy().answer(X, A) + len(X)).text.startswith("wrong on every instance")


def test_a_wrong_answer_that_overwrites_its_arguments_is_told_that_first():
    def centred(X, y, lam):
        X -= X.mean(axis=0)
        w = np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ (y - y.mean()))
        return np.append(w, y.mean() - w @ X.mean(axis=0))

    told = check.ridge_free_bias(centred).text
    assert told.startswith(
        "it overwrites its arguments, which may be all that is wrong: work on a copy; as it is: w is"
    )
    assert "forgets the means of X" in told


def test_what_is_judged_is_told_where_it_is_not_what_was_returned():
    right = check.ridge_as_least_squares.answer

    def told(change):
        return check.ridge_as_least_squares(lambda *args: change(*right(*args))).text

    assert told(lambda A, c: (A[::-1], c)).startswith(
        "wrong on every instance; no mistake known here gives this. First: Aᵀc"
    )
    assert "First: AᵀA, entry [0, 0] is " in told(lambda A, c: (A[1:], c[1:]))
    assert "First: c·c, " in told(lambda A, c: (np.vstack([A, 0 * A[:1]]), np.append(c, 7.0)))
    assert told(lambda A, c: (A[:, 1:], c)) == "AᵀA is of shape (2, 2), but must be of shape (3, 3)"


def test_a_result_is_frozen():
    with pytest.raises(AttributeError):
        toy()(lambda X, A: 0).status = "ok"
    assert Result("a", "ok", "fine").ok and repr(Result("a", "  ", "b")) == "[  ] a: b"


def test_the_checker_names_its_exercises():
    assert dir(check) == sorted(task.name for task in listing())
    assert [task.chapter for task in listing()] == sorted(task.chapter for task in listing())
    assert {task.kind for task in listing()} == {"write", "construct"}
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
    assert lines[0] == "01 [ok] add_bias: right on 4 instances"
    assert lines[1] == "01 [  ] squared_error_gradient: not tried yet"
    assert {line[:2] for line in lines} == {"01"} and sum("not written yet" in line for line in lines) == 1


def test_instances_that_are_too_easy_would_be_noticed():
    """Real-valued data have no ties: the tie mistakes survive there, so the whole numbers are needed."""

    def cases(rng):
        X, y = rng.normal(size=(9, 2)), rng.choice([-1.0, 1.0], 9)
        return [Case("real", ((rng.normal(size=2), 0.3), [(X[i], y[i], 0.5) for i in range(9)]))]

    ex = check.perceptron_step
    easy = Exercise(**vars(ex) | {"cases": cases})
    assert easy(mistaken(ex, {"wrong": np.less})).ok and not ex(mistaken(ex, {"wrong": np.less})).ok
    assert easy.play is run and check.gram.play is once


# --- the notebooks ----------------------------------------------------------------------------------------------


def code_cells(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [(cell["id"], "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]


def checked_name(source):
    """NAME where the last line of the cell is check.NAME(NAME)."""
    last = source.strip().rsplit("\n", 1)[-1]
    match = re.fullmatch(r"check\.(\w+)\((\w+)\)", last)
    return match[1] if match and match[1] == match[2] else None


def shown(setup, stub, answer=None):
    """The repr that a stub's cell shows, as shipped or with the answer as its body."""
    namespace = {"_answer": answer}
    exec(setup, namespace)
    tree = ast.parse(stub)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    if answer is not None:
        function.body = ast.parse(f"return _answer({', '.join(a.arg for a in function.args.args)})").body
    last = tree.body.pop()
    exec(compile(ast.fix_missing_locations(tree), "stub", "exec"), namespace)
    return repr(eval(compile(ast.Expression(last.value), "stub", "eval"), namespace))


def used_names(source):
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def faults(tasks, cells):
    """What is wrong with the exercises of a notebook."""
    stubs = [(k, name, source) for k, (_, source) in enumerate(cells) if (name := checked_name(source))]
    names = [name for _, name, _ in stubs]
    found = [f"{task.name} has {n} cells" for task in tasks if (n := names.count(task.name)) != 1]
    found += [f"{name} is of another chapter" for name in names if name not in {task.name for task in tasks}]
    setup = next((source for id, source in cells if id.endswith("-setup")), "")
    for k, name, stub in stubs:
        task = check.__getattr__(name)
        if ast.unparse(ast.parse(stub).body[0]) != f"def {task.signature}:\n    ...":
            found.append(f"{name} has another stub than def {task.signature}: ...")
        elif not shown(setup, stub).startswith(f"[  ] {name}"):
            found.append(f"{name} is not neutral as shipped")
        elif not shown(setup, stub, example(task)).startswith(f"[ok] {name}"):
            found.append(f"{name} does not accept its answer in the notebook")
        found += [f"{name} is used by cell {id}" for id, later in cells[k + 1 :] if name in used_names(later)]
    return found


def sample_cells(tasks):
    stubs = [(f"ch-{t.name}", f"def {t.signature}:\n    ...\n\n\ncheck.{t.name}({t.name})") for t in tasks]
    return [("ch-setup", "from linmodels.exercises import check"), *stubs, ("ch-end", "check")]


def test_the_notebooks_hold_their_exercises():
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        tasks = [task for task in listing() if task.chapter == path.name[:2]]
        assert faults(tasks, code_cells(path)) == [], path.name


@each_task
def test_the_chapter_asks_what_the_checker_asks(task):
    """The question has one home, the exercise; the cell before the stub repeats it, with its stars and its number."""
    path = next(NOTEBOOKS.glob(f"{task.chapter}_*.ipynb"))
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    stub = next(k for k, cell in enumerate(cells) if checked_name("".join(cell["source"])) == task.name)
    number = [t.name for t in listing() if t.chapter == task.chapter].index(task.name) + 1
    asked = re.sub(r"\\(.)", r"\1", "".join(cells[stub - 1]["source"]))
    assert asked == f"**{int(task.chapter)}.{number}** {'★' * task.stars} {task.ask} ({task.notes})"


FIXED = """
from linmodels.exercises import Result
class Fixed:
    def __getattr__(self, name):
        return lambda f: Result(name, "{}", "")
check = Fixed()
"""


@pytest.mark.parametrize("chapter", sorted({task.chapter for task in listing()}))
def test_a_wrong_notebook_would_be_noticed(chapter, tmp_path):
    tasks = [task for task in listing() if task.chapter == chapter]
    cells, first = sample_cells(tasks), tasks[0].name
    path = tmp_path / "sample.ipynb"
    markdown = {"cell_type": "markdown", "id": "m", "source": []}
    code = [{"cell_type": "code", "id": id, "source": source.splitlines(True)} for id, source in cells]
    path.write_text(json.dumps({"cells": [markdown, *code]}), encoding="utf-8")
    assert code_cells(path) == cells and faults(tasks, cells) == []

    stub = cells[1]
    other = next(task for task in listing() if task.chapter != chapter)
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

"""What every exercise must satisfy; then, chapter by chapter, what its answers and messages say; the checker itself."""

import ast
import copy
import inspect
import itertools
import json
import math
import re
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import linmodels.exercises as package
from linmodels import (
    design,
    glm,
    kernel_lms,
    kernels,
    lda,
    least_squares_classifier,
    logistic_regression,
    naive_bayes,
    perceptron,
    regularization,
    softmax_regression,
    special,
    svm,
)
from linmodels.exercises import Construction, Exercise, Result, check, listing
from linmodels.exercises.grading.cases import integer_points
from linmodels.exercises.grading.checker import Case, once, run, written

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
EXERCISES = [task for task in listing() if isinstance(task, Exercise)]
CONSTRUCTIONS = [task for task in listing() if isinstance(task, Construction)]

each_task = pytest.mark.parametrize("task", listing(), ids=lambda task: task.name)
each_exercise = pytest.mark.parametrize("ex", EXERCISES, ids=lambda ex: ex.name)
each_construction = pytest.mark.parametrize("con", CONSTRUCTIONS, ids=lambda con: con.name)
seeds = pytest.mark.parametrize(
    "seeds", [range(10), pytest.param(range(10, 30), marks=pytest.mark.slow)], ids=["10 seeds", "20 more seeds"]
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
    taken, n = list(inspect.signature(ex.answer).parameters.values()), len(ex.parameters)
    assert ex.parameters == tuple(p.name for p in taken[:n])
    assert all(p.default is not p.empty for p in taken[n:])  # what the library's function takes beside them


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


@pytest.mark.parametrize("trials", [range(24), pytest.param(range(24, 72), marks=pytest.mark.slow)], ids=["24", "48"])
@each_exercise
def test_no_unknown_wrong_answer_passes_or_gets_a_name(ex, trials):
    for trial in trials:  # six ways on the same instances, for which the checker plays the known mistakes once
        result = ex(spoiled(ex, trial % 6, trial), seed=trial // 6)
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

    assert functions("largest_stable_step") == ["largest_step"]
    assert functions("min_norm_solution") == ["minimum_norm"]  # what it needs of a solver is imported
    assert functions("natural_parameter") == ["logit", "natural_parameter"]  # what it calls, not what glm imports
    assert functions("perceptron_moves_away") == ["perceptron_moves_away"]
    assert check.min_norm_solution.solution().startswith(
        "from linmodels.solvers.least_squares import svd\n\n\ndef minimum_norm(X, y):\n"
    )
    assert check.min_norm_solution.solution().endswith("\n\n\nmin_norm_solution = minimum_norm\n")
    assert "takes" not in check.squared_error_gradient.solution()  # the line that states its shapes
    assert check.glm_score.solution() == "def glm_score(X, y, w, mean):\n    return X.T @ (y - mean(X @ w))\n"


ROOMS = sorted(Path(package.__file__).parents[1].glob("*.py"))
PLAIN = {  # answers with another signature than the library's function, and what the library says
    "exponential_density": lambda y, eta, b, T, a: np.exp(
        glm.log_density(y, eta, replace(glm.gaussian, log_b=lambda y: np.log(b(y)), T=T, a=a))
    ),
    "gaussian_as_exponential": lambda y, mu, sigma: parts_of(glm.gaussian_with(sigma), y, mu),
    "glm_score": lambda X, y, w, mean: -glm.gradient(w, X, y, replace(glm.gaussian, mean=mean)),
    "one_hot": design.one_hot,
    "fisher_direction": lda.direction,
    "fisher_predict": lambda X, t, X_new: lda.predict(lda.direction(X, t), lda.means(X, t), X_new),
    "discriminant_subspace": lambda X, t: lda.directions(X, t)[0],
    "bernoulli_nb_fit": lambda X, t: pi_and_mu(naive_bayes.fit(X, t, smoothing=0.0)),
    "laplace_fit": lambda X, t: pi_and_mu(naive_bayes.fit(X, t)),
    "joint_log_likelihood": lambda X, *model: naive_bayes.log_joint(naive_bayes.bernoulli(*model), X),
    "nb_posterior": lambda X, *model: naive_bayes.posterior(naive_bayes.bernoulli(*model), X)[:, 1],
    "nb_as_linear": lambda *model: naive_bayes.as_linear(naive_bayes.bernoulli(*model)),
    "primal_from_dual": lambda alpha, y, X: (svm.primal(alpha, y, X), svm.bias(alpha, X @ X.T, y)),
    "two_point_svm": lambda x_plus, x_minus: of_two(x_plus, x_minus),
    "is_psd": lambda Ks: np.array([kernels.is_positive_semidefinite(K)[0] for K in Ks]),
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
    assert task.stars in (1, 2, 3) and re.match("[A-E] [0-9]|E(,|$)", task.notes) and 2 <= len(task.hints) <= 3
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
    own = ex.answer.__module__.startswith(package.__name__)
    written = [node for node in shown if node.name == ex.name][-1:] if own else []
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
    "seeds", [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)], ids=["2 seeds", "8 more seeds"]
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
    "exponential_density": {
        "a(η) is outside the exponential: check the brackets": lambda y, eta, b, T, a: (
            b(y) * np.exp(eta * T(y)) - a(eta)
        ),
    },
    "log_linear_fit": {
        "a tuple came: lstsq returns four things, the weights are [0]": lambda X, y: np.linalg.lstsq(
            one(X), np.log(y), rcond=None
        ),
        "do not make one, np.append joins them": lambda X, y: (log_fit(X, y)[:-1], log_fit(X, y)[-1]),
    },
    "gaussian_as_exponential": {
        "right for sigma = 1 only": gaussian_of_1,
        "stands in b already": gaussian_with(
            a=lambda y, mu, sigma: mu**2 / (2 * sigma**2) + np.log(np.sqrt(2 * np.pi) * sigma)
        ),
    },
    "categorical_phi": {
        "e^η_i is φ_i/φ_K, not φ_i": last_place_is_rest,
        "do not make one, np.append joins them": lambda eta: (np.exp(eta) / (1 + np.exp(eta).sum()), 1.0),
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


# --- chapter 04 -------------------------------------------------------------------------------------------------


def prob(w, X):
    return special.sigmoid(X @ w)


def tail(w, X):
    """σ'(w·x)."""
    return special.sigmoid_derivative(X @ w)


def ln_p(w, X):
    return np.log(prob(w, X))


def ln_q(w, X):
    return np.log(1 - prob(w, X))


def curved(X, r):
    return X.T @ np.diag(r) @ X


def newton_step(w, X, t, *, H=None, g=None):
    H, g = curved(X, tail(w, X)) if H is None else H, X.T @ (prob(w, X) - t) if g is None else g
    return w - np.linalg.solve(H, g)


def halving(w, X, t, left=0.7):
    """Newton's step, halved until less than this of the loss is left."""
    new = newton_step(w, X, t)
    for _ in range(30):
        if logistic_regression.loss(new, X, t) < left * logistic_regression.loss(w, X, t):
            return new
        new = (w + new) / 2
    return new


def armijo(w, X, t):
    """Newton's step, halved until the loss falls by a share of what its slope promises."""
    g, new, tau = X.T @ (prob(w, X) - t), newton_step(w, X, t), 1.0
    while logistic_regression.loss(w + tau * (new - w), X, t) > (
        logistic_regression.loss(w, X, t) + 1e-4 * tau * g @ (new - w)
    ):
        tau /= 2
    return w + tau * (new - w)


LOGISTIC_OUTSIDE = {  # wrong functions of which no exercise knows: refused, and given no name
    "sigmoid": {
        "clipped at 10": lambda a: special.sigmoid(np.clip(a, -10, 10)),
        "clipped at 80": lambda a: special.sigmoid(np.clip(a, -80, 80)),
        "1e-15 added": lambda a: special.sigmoid(a) + 1e-15,
        "in whole percents": lambda a: np.round(special.sigmoid(a), 2),
        "e rounded": lambda a: 1 / (1 + 2.718 ** -a.astype(float)),
        "base 2": lambda a: 1 / (1 + 2.0**-a),
        "a / (1 + |a|)": lambda a: (1 + a / (1 + np.abs(a))) / 2,
        "the arc tangent": lambda a: 0.5 + np.arctan(a) / np.pi,
        "the tangent at 0, cut": lambda a: np.clip(0.5 + a / 4, 0, 1),
        "nan made 0": lambda a: np.nan_to_num(np.exp(a) / (1 + np.exp(a))),
        "nan made 1/2": lambda a: np.nan_to_num(np.exp(a) / (1 + np.exp(a)), nan=0.5),
        "the largest subtracted": lambda a: np.exp(a - a.max()) / (1 + np.exp(a - a.max())),
        "centred": lambda a: special.sigmoid(a - a.mean() - 0.1),
        "its square": lambda a: special.sigmoid(a) ** 2,
        "2 for the 1": lambda a: 1 / (2 + np.exp(-a)),
    },
    "logistic_gradient": {
        "one sample short": lambda w, X, t: X[1:].T @ (prob(w, X) - t)[1:],
        "p clipped": lambda w, X, t: X.T @ (np.clip(prob(w, X), 0.3, 0.7) - t),
        "a penalty": lambda w, X, t: X.T @ (prob(w, X) - t) + w,
        "X centred": lambda w, X, t: (X - X.mean(axis=0)).T @ (prob(w, X) - t),
        "columns of length 1": lambda w, X, t: (X / np.linalg.norm(X, axis=0)).T @ (prob(w, X) - t),
        "|X|": lambda w, X, t: np.abs(X).T @ (prob(w, X) - t),
        "σ twice": lambda w, X, t: X.T @ (special.sigmoid(prob(w, X)) - t),
        "σ(2a)": lambda w, X, t: X.T @ (special.sigmoid(2 * X @ w) - t),
        "weighted by the root of p(1 - p)": lambda w, X, t: X.T @ (np.sqrt(tail(w, X)) * (prob(w, X) - t)),
        "weighted by p": lambda w, X, t: X.T @ (prob(w, X) * (prob(w, X) - t)),
        "classes of equal weight": lambda w, X, t: (
            X.T @ ((prob(w, X) - t) / np.where(t == 1, t.sum(), len(t) - t.sum()))
        ),
        "hinge": lambda w, X, t: -X.T @ ((2 * t - 1) * ((2 * t - 1) * (X @ w) < 1)),
        "without the bias in w·x": lambda w, X, t: X.T @ (special.sigmoid(X[:, :-1] @ w[:-1]) - t),
        "labels reversed": lambda w, X, t: X.T @ (prob(w, X) - 1 + t) * 0.7,
    },
    "log_likelihood": {
        "nan made 0 in the sum": lambda w, X, t: np.nan_to_num(np.sum(t * ln_p(w, X) + (1 - t) * ln_q(w, X)) - 1),
        "scores clipped at 30": lambda w, X, t: np.sum(t * (a := np.clip(X @ w, -30, 30)) - special.softplus(a)),
        "one sample short": lambda w, X, t: logistic_regression.log_likelihood(w, X[:-1], t[:-1]),
        "a penalty": lambda w, X, t: logistic_regression.log_likelihood(w, X, t) - w @ w / 2,
        "without the bias": lambda w, X, t: logistic_regression.log_likelihood(w[:-1], X[:, :-1], t),
        "the mean over the classes": lambda w, X, t: (
            np.mean(special.softplus(-X @ w)[t == 1]) + np.mean(special.softplus(X @ w)[t == 0])
        ),
        "the worst sample": lambda w, X, t: -special.softplus((1 - 2 * t) * (X @ w)).max(),
        "hinge": lambda w, X, t: -np.maximum(0, 1 - (2 * t - 1) * (X @ w)).sum(),
        "the number that are right": lambda w, X, t: float(np.sum((X @ w >= 0) == t)),
        "p of 2a": lambda w, X, t: logistic_regression.log_likelihood(2 * w, X, t),
        "p rounded": lambda w, X, t: np.sum(
            np.log(np.clip(np.round(np.where(t == 1, p := prob(w, X), 1 - p), 2), 0.01, 1))
        ),
        "entropy of p": lambda w, X, t: np.sum(
            (p := prob(w, X)) * -special.softplus(-X @ w) - (1 - p) * special.softplus(X @ w)
        ),
        "cut at 1e-3": lambda w, X, t: np.sum(np.log(np.clip(np.where(t == 1, p := prob(w, X), 1 - p), 1e-3, 1))),
    },
    "logistic_hessian": {
        "a small penalty": lambda w, X: curved(X, tail(w, X)) + 0.01 * np.eye(len(w)),
        "one sample short": lambda w, X: curved(X[1:], tail(w, X)[1:]),
        "X centred": lambda w, X: curved(X - X.mean(axis=0), tail(w, X)),
        "σ(2a)": lambda w, X: curved(X, tail(2 * w, X)),
        "p(1 - p)²": lambda w, X: curved(X, prob(w, X) * (1 - prob(w, X)) ** 2),
        "p rounded": lambda w, X: curved(X, (p := np.round(prob(w, X), 1)) * (1 - p)),
        "min(p, 1 - p)": lambda w, X: curved(X, np.minimum(prob(w, X), 1 - prob(w, X))),
        "entropy": lambda w, X: curved(X, special.softplus(X @ w) - prob(w, X) * (X @ w)),
        "at most 0.2": lambda w, X: curved(X, np.minimum(tail(w, X), 0.2)),
        "the upper half": lambda w, X: np.triu(curved(X, tail(w, X))),
        "correlations": lambda w, X: (H := curved(X, tail(w, X))) / np.sqrt(np.outer(np.diag(H), np.diag(H))),
        "the median weight": lambda w, X: np.median(tail(w, X)) * X.T @ X,
        "the gradients' outer product": lambda w, X: curved(X, (prob(w, X) - (X[:, 0] > 0)) ** 2),
        "|X|": lambda w, X: curved(np.abs(X), tail(w, X)),
    },
    "regularised_gradient": {
        "the root of lam": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + np.sqrt(lam) * w + 1e-2,
        "both penalties": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam * (w + np.sign(w)),
        "lam / d": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam / (len(w) + 1) * w,
        "lam / 2N": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam / 2 / len(X) * w,
        "lam ‖w‖ w": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam * np.linalg.norm(w) * w,
        "w of the columns' length": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam * w * np.linalg.norm(X, axis=0),
        "the penalty in w·x": lambda w, X, t, lam: X.T @ (special.sigmoid(X @ w + lam) - t) + lam * w,
        "weight decay": lambda w, X, t, lam: X.T @ (prob(w * (1 - lam / 10), X) - t),
        "w centred": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam * (w - w.mean()),
        "XᵀX w": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam * X.T @ X @ w,
        "one sample short": lambda w, X, t, lam: X[1:].T @ (prob(w, X) - t)[1:] + lam * w,
        "lam + w": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam + w,
        "cubed": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam * w**3,
    },
    "irls_step": {
        "halved until the loss falls much": halving,
        "a step of 0.9": lambda w, X, t: 0.1 * w + 0.9 * newton_step(w, X, t),
        "a penalty of 1e-2": lambda w, X, t: newton_step(w, X, t, H=curved(X, tail(w, X)) + 0.01 * np.eye(len(w))),
        "one sample short": lambda w, X, t: newton_step(w, X[1:], t[1:]),
        "R of another w": lambda w, X, t: newton_step(w, X, t, H=curved(X, tail(w / 2, X))),
        "g of another w": lambda w, X, t: newton_step(w, X, t, g=X.T @ (prob(w / 2, X) - t)),
        "R at least 0.2": lambda w, X, t: newton_step(w, X, t, H=curved(X, np.maximum(tail(w, X), 0.2)) * 1.1),
        "Adagrad": lambda w, X, t: w - (g := X.T @ (prob(w, X) - t)) / (1 + np.abs(g)),
        "a gradient step of 1/10": lambda w, X, t: w - 0.1 * X.T @ (prob(w, X) - t),
        "in blocks, the bias after": lambda w, X, t: np.append(
            v := newton_step(w, X, t)[:-1],
            w[-1] - np.sum(special.sigmoid(X[:, :-1] @ v + w[-1]) - t) / tail(w, X).sum(),
        ),
        "the outer product of gradients": lambda w, X, t: newton_step(w, X, t, H=curved(X, (prob(w, X) - t) ** 2)),
        "labels smoothed": lambda w, X, t: newton_step(w, X, 0.05 + 0.9 * t),
        "without the bias": lambda w, X, t: np.append(newton_step(w[:-1], X[:, :-1], t), 0.0),
    },
}


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)], ids=["2 seeds", "8 more seeds"]
)
@pytest.mark.parametrize("name, label", [(name, label) for name, wrong in LOGISTIC_OUTSIDE.items() for label in wrong])
def test_a_wrong_function_of_chapter_04_that_nobody_listed_gets_no_name(name, label, seeds):
    for seed in seeds:
        result = check.__getattr__(name)(LOGISTIC_OUTSIDE[name][label], seed=seed)
        assert result.status == "--", seed
        assert result.text.startswith(("wrong on", "nearly right on")), (seed, result)


def filled(a):
    """σ by halves, in an array made like a."""
    out = np.zeros_like(a)
    out[a >= 0] = 1 / (1 + np.exp(-a[a >= 0]))
    out[a < 0] = np.exp(a[a < 0]) / (1 + np.exp(a[a < 0]))
    return out


def filled_but_0(a):
    out = np.zeros(a.shape)
    out[a > 0] = 1 / (1 + np.exp(-a[a > 0]))
    out[a < 0] = np.exp(a[a < 0]) / (1 + np.exp(a[a < 0]))
    return out


def cross_entropy(p, t):
    return np.sum(t * np.log(p) + (1 - t) * np.log(1 - p))


def working(w, X, t, sign=-1):
    return X @ w + sign * np.linalg.inv(np.diag(tail(w, X))) @ (prob(w, X) - t)


def squared_weights(w, X, t):
    R = np.diag(tail(w, X))
    return np.linalg.lstsq(R @ X, R @ working(w, X, t), rcond=None)[0]


def to_the_end(w, X, t):
    for _ in range(25):
        w = newton_step(w, X, t)
    return w


def bias_spared(w, X, t, lam):
    penalty = lam * w
    penalty[-1] = 0
    return X.T @ (1 / (1 + np.exp(-X @ w)) - t) + penalty


LOGISTIC_SIGHTED = {  # as a reader writes them, and the words that tell each from the others
    "sigmoid": {
        "right in the middle, but e^a/(1 + e^a)": lambda a: np.exp(a) / (np.exp(a) + 1),
        "the sign of a is wrong: that is σ(-a)": lambda a: 1 / (1 + np.exp(a)),
        "needs brackets": lambda a: 1 / 1 + np.exp(-a),
        "right for a >= 0 only": lambda a: np.where(a >= 0, 1 / (1 + np.exp(-a)), 1 / (1 + np.exp(a))),
        "right but for whole numbers": filled,
        "a = 0 is left out": filled_but_0,
        "that is tanh(a) = 2σ(2a) - 1": lambda a: np.tanh(a),
        "not e^-20": lambda a: 1 / (1 + np.exp(-np.maximum(a, -20))),
        "not e^-30": lambda a: 1 / (1 + np.exp(-np.clip(a, -30, 30))),
        "not e^-50": lambda a: np.exp(np.clip(a, -50, 50)) / (1 + np.exp(np.clip(a, -50, 50))),
        "right to 16 decimals": lambda a: 1 - 1 / (1 + np.exp(a)),
        "as σ rounded": lambda a: np.round(1 / (1 + np.exp(-a))),
        "1 from a = 0 on": lambda a: (1 / (1 + np.exp(-a)) >= 0.5).astype(int),
        "that is the derivative": lambda a: (s := 1 / (1 + np.exp(-a))) * (1 - s),
        "inf for a = 1000; each has a denominator": lambda a: np.exp(a) / np.sum(np.exp(a)),
        "(math.exp stops where np.exp gives inf)": np.vectorize(lambda a: 1 / (1 + math.exp(-a))),
        "(a is an array: use np.where, np.minimum and np.abs, not if)": lambda a: (
            1 / (1 + np.exp(-a)) if a >= 0 else np.exp(a) / (1 + np.exp(a))
        ),
    },
    "logistic_gradient": {
        "weighted by p(1 - p)": lambda w, X, t: X.T @ ((p := prob(w, X)) * (1 - p) * (p - t)),
        "is the slope by p": lambda w, X, t: X.T @ ((1 - t) / (1 - (p := prob(w, X))) - t / p),
        "σ is missing": lambda w, X, t: X.T @ (X @ w - t),
        "you took the predicted label": lambda w, X, t: X.T @ ((prob(w, X) > 0.5).astype(int) - t),
        "t was turned into -1 and +1": lambda w, X, t: X.T @ (prob(w, X) - np.where(t == 1, 1, -1)),
        "the samples with t = 0 add nothing": lambda w, X, t: -X.T @ (t / (1 + np.exp(t * (X @ w)))),
        "one gradient per sample": lambda w, X, t: (prob(w, X) - t)[:, None] * X,
        "axis=0 is missing": lambda w, X, t: np.sum((prob(w, X) - t)[:, None] * X),
        "(axis=1)": lambda w, X, t: np.sum((prob(w, X) - t)[:, None] * X, axis=1),
        "Newton's step": lambda w, X, t: np.linalg.inv(curved(X, tail(w, X))) @ X.T @ (prob(w, X) - t),
        "that is the loss itself": lambda w, X, t: -cross_entropy(prob(w, X), t),
        "in note D's formulas samples are columns)": lambda w, X, t: X @ (prob(w, X) - t),
        "and the last entry comes twice": lambda w, X, t: design.augment(X).T @ (prob(w, X) - t),
        "and the last entry comes first too": lambda w, X, t: (prob(w, X) - t) @ np.c_[np.ones(len(X)), X],
        "of a column p and a vector t": lambda w, X, t: X.T @ (prob(w, X)[:, None] - t),
        "of a column and a vector": lambda w, X, t: X.T @ (prob(w, X) - t.reshape(-1, 1)),
        "its product with X is X.T @ (p - t))": lambda w, X, t: np.sum(X * (prob(w, X[:, None]) - t), axis=0),
    },
    "log_likelihood": {
        "e^a overflows for a = 800": lambda w, X, t: t @ (X @ w) - np.log1p(np.exp(X @ w)).sum(),
        "e^-a overflows for a = -800": lambda w, X, t: np.sum((t - 1) * (X @ w) - np.log(1 + np.exp(-(X @ w)))),
        "0 · ln 0 is nan": lambda w, X, t: cross_entropy(1 / (1 + np.exp(-X @ w)), t),
        "-inf for the wrong label": lambda w, X, t: (
            np.log((p := prob(w, X))[t == 1]).sum() + np.log(1 - p[t == 0]).sum()
        ),
        "e^a/(1 + e^a) is inf/inf": lambda w, X, t: cross_entropy(np.exp(X @ w) / (1 + np.exp(X @ w)), t),
        "p cut at 1e-15": lambda w, X, t: cross_entropy(np.clip(prob(w, X), 1e-15, 1 - 1e-15), t),
        "1e-10, cut or added": lambda w, X, t: cross_entropy(np.clip(prob(w, X), 1e-10, 1 - 1e-10), t),
        "1e-12 added": lambda w, X, t: sum(
            t_n * np.log(p + 1e-12) + (1 - t_n) * np.log(1 - p + 1e-12) for p, t_n in zip(prob(w, X), t, strict=True)
        ),
        "for t = 0 it is -ln 2": lambda w, X, t: -np.logaddexp(0, -t * (X @ w)).sum(),
        "wants 0 and 1": lambda w, X, t: np.sum((2 * t - 1) * (X @ w) - np.logaddexp(0, X @ w)),
        "t is missing: you summed ln p": lambda w, X, t: -np.logaddexp(0, -X @ w).sum(),
        "p and 1 - p have changed places": lambda w, X, t: -np.logaddexp(0, (2 * t - 1) * (X @ w)).sum(),
        "you took log10": lambda w, X, t: np.sum(t * np.log10(p := prob(w, X)) + (1 - t) * np.log10(1 - p)),
        "that is the likelihood itself": lambda w, X, t: np.prod(np.where(t == 1, p := prob(w, X), 1 - p)),
        "its ones are there already: X @ w has one entry per sample)": lambda w, X, t: np.sum(design.augment(X) @ w),
        "(t * X @ w is (t * X) @ w: write t * (X @ w))": lambda w, X, t: np.sum(t * X @ w - np.logaddexp(0, X @ w)),
    },
    "logistic_hessian": {
        "R is missing": lambda w, X: X.T @ X,
        "you took (1 - p)²": lambda w, X: X.T @ np.diag((1 - prob(w, X)) ** 2) @ X,
        "not its root": lambda w, X: X.T @ np.sqrt(np.diag(tail(w, X))) @ X,
        "R stands once": lambda w, X: (Z := np.diag(tail(w, X)) @ X).T @ Z,
        "p @ (1 - p) is one number": lambda w, X: (p := prob(w, X)) @ (1 - p) * X.T @ X,
        "R is diagonal; np.outer": lambda w, X: X.T @ np.outer(p := prob(w, X), 1 - p) @ X,
        "(Xᵀr) times each row of X": lambda w, X: X.T @ tail(w, X) * X,
        "only the diagonal, ∂²E/∂w_j²": lambda w, X: (tail(w, X)[:, None] * X**2).sum(axis=0),
        "Σ_n p_n(1 - p_n) x_n, a vector": lambda w, X: tail(w, X) @ X,
        "that is the inverse": lambda w, X: np.linalg.inv(X.T @ np.diag(tail(w, X)) @ X),
        "σ is applied twice": lambda w, X: curved(X, special.sigmoid_derivative(prob(w, X))),
        "and the last row and column come twice": lambda w, X: curved(design.augment(X), tail(w, X)),
        "where a row and column come again": lambda w, X: curved(np.c_[np.ones(len(X)), X], tail(w, X)),
        "(it is called with w and X alone: the labels do not enter)": lambda w, X, t: curved(X, tail(w, X)),
        "(p @ (1 - p) is one number; p * (1 - p) has an entry for each sample)": lambda w, X: np.diag(
            (p := prob(w, X)) @ (1 - p)
        ),
        "(X.T * r) @ X, or X.T @ np.diag(r) @ X; add no ones)": lambda w, X: X.T @ tail(w, X) @ X,
    },
    "regularised_gradient": {
        "not 2 lam w": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + 2 * lam * w,
        "not lam/2 w": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + 0.5 * lam * w,
        "is left free": bias_spared,
        "the first entry has no penalty": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam * np.r_[0, w[1:]],
        "the penalty is missing": lambda w, X, t, lam: X.T @ (prob(w, X) - t),
        "is added, not subtracted": lambda w, X, t, lam: X.T @ (prob(w, X) - t) - lam * w,
        "you added the penalty lam/2 w·w itself": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam / 2 * np.sum(w**2),
        "you added lam ‖w‖, a number": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam * np.sqrt(np.sum(w**2)),
        "Xᵀ(p - t) is divided by N": lambda w, X, t, lam: X.T @ (prob(w, X) - t) / len(X) + lam * w,
        "Xᵀ(p - t) has the wrong sign": lambda w, X, t, lam: X.T @ (t - prob(w, X)) + lam * w,
        "it is there once": lambda w, X, t, lam: sum((prob(w, x) - z) * x + lam * w for x, z in zip(X, t, strict=True)),
        "in note D's formulas samples are columns)": lambda w, X, t, lam: X @ (prob(w, X) - t) + lam * w,
        "what is added to it of shape (d,))": lambda w, X, t, lam: X.T @ (prob(w, X) - t) + lam * w[:-1],
        "of shape (N,), Xᵀ(p - t) and what is added to it of shape (d,))": lambda w, X, t, lam: (
            X.T @ (prob(w, X)[:, None] - t) + lam * w
        ),
    },
    "irls_step": {
        "it goes uphill": lambda w, X, t: newton_step(w, X, t, g=X.T @ (t - prob(w, X))),
        "R⁻¹ is missing": lambda w, X, t: newton_step(w, X, t, g=X.T @ (tail(w, X) * (prob(w, X) - t))),
        "that is only the change": lambda w, X, t: -np.linalg.solve(curved(X, tail(w, X)), X.T @ (prob(w, X) - t)),
        "gradient descent with step 1": lambda w, X, t: w - X.T @ (prob(w, X) - t),
        "R is missing in XᵀRz": lambda w, X, t: np.linalg.inv(curved(X, tail(w, X))) @ X.T @ working(w, X, t),
        "fitted without weights": lambda w, X, t: np.linalg.lstsq(X, working(w, X, t), rcond=None)[0],
        "multiply the rows of X and z by √R, not by R": squared_weights,
        "R is missing everywhere": lambda w, X, t: newton_step(w, X, t, H=X.T @ X),
        "R stays at 1/4": lambda w, X, t: newton_step(w, X, t, H=X.T @ X / 4),
        "H is divided by N": lambda w, X, t: newton_step(w, X, t, H=curved(X, tail(w, X)) / len(X)),
        "∇E is divided by N": lambda w, X, t: newton_step(w, X, t, g=X.T @ (prob(w, X) - t) / len(X)),
        "you multiply by H": lambda w, X, t: w - curved(X, tail(w, X)) @ X.T @ (prob(w, X) - t),
        "one by one": lambda w, X, t: w - curved(X, tail(w, X)) ** -1.0 @ X.T @ (prob(w, X) - t),
        "damped: right where E falls": lambda w, X, t: halving(w, X, t, 1.0),
        "those are two steps": lambda w, X, t: newton_step(newton_step(w, X, t), X, t),
        "the end of the iteration": to_the_end,
        "that is the penalty w·w/2 in H": lambda w, X, t: newton_step(
            w, X, t, H=curved(X, tail(w, X)) + np.eye(len(w))
        ),
        "R holds p(1 - p) of probabilities, not of labels, true or predicted)": lambda w, X, t: newton_step(
            w, X, t, H=curved(X, t * (1 - t))
        ),
    },
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name, words", [(name, words) for name, wrong in LOGISTIC_SIGHTED.items() for words in wrong])
def test_what_readers_of_chapter_04_wrote_gets_its_words_and_nothing_more(name, words, seed):
    ex = check.__getattr__(name)
    told = ex(LOGISTIC_SIGHTED[name][words], seed=seed).text
    assert words in told, told
    assert told in ex.mistakes or told.endswith(words), told


def test_every_exercise_of_chapter_04_has_wrong_functions_in_and_outside_its_list():
    names = [ex.name for ex in EXERCISES if ex.chapter == "04"]
    assert list(LOGISTIC_OUTSIDE) == list(LOGISTIC_SIGHTED) == names
    assert min(map(len, (*LOGISTIC_OUTSIDE.values(), *LOGISTIC_SIGHTED.values()))) >= 10


def test_a_mean_a_sign_and_two_mistakes_of_chapter_04_are_told():
    def gradient(w, X, t):
        return X.T @ (t - prob(w, X)) / len(X)

    assert check.logistic_gradient(gradient).text == (
        "it is -1/N times what it should be (that is the gradient of the log-likelihood; ∇E = Xᵀ(p - t), note D prints "
        "it without its minus; E is a sum here; note D takes the mean)"
    )
    told = check.logistic_gradient(lambda w, X, t: (X.T * (prob(w, X) - t)) / len(X)).text
    assert told == (
        "the sum over the samples is missing: that is one gradient per sample; and it is 1/N times what it should be "
        "(E is a sum here; note D takes the mean); and it is transposed"
    )
    told = check.log_likelihood(lambda w, X, t: -np.mean(t * (X @ w) - np.logaddexp(0, X @ w))).text
    assert told == "it is -1/N times what it should be (that is the loss E(w) = -L(w); L is a sum, not a mean)"
    told = check.log_likelihood(lambda w, X, t: np.sum(t * ln_p(w, X) + ln_q(w, X))).text
    assert told.startswith("p is rounded to 0 or 1 far out") and "; and the factor 1 - t is missing" in told
    told = check.regularised_gradient(lambda w, X, t, lam: X.T @ (X @ w - t) + 2 * lam * w).text
    assert told.startswith("the penalty's gradient is lam w, not 2 lam w") and "; and σ is missing" in told
    told = check.logistic_hessian(lambda w, X: curved(X, tail(w, X)) / len(X)).text
    assert told == "it is 1/N times what it should be (E is a sum here, not a mean)"


def math_exp(a):
    """σ by math.exp, which takes one number."""
    return 1 / (1 + math.exp(-a))


def test_only_a_function_of_one_number_is_told_to_be_one():
    def none_of_them(*args):
        raise TypeError("unsupported operand type(s) for +: 'NoneType' and 'float'")

    entry_by_entry = re.compile(r"is an array: np\..*entry by entry, math\.\w+ takes one number\)$")
    for name, f in {
        "sigmoid": math_exp,
        "log_likelihood": lambda w, X, t: cross_entropy(math_exp(X @ w), t),
        "logistic_gradient": lambda w, X, t: X.T @ (math_exp(X @ w) - t),
        "logistic_hessian": lambda w, X: curved(X, (p := math_exp(X @ w)) * (1 - p)),
        "irls_step": lambda w, X, t: newton_step(w, X, t, g=X.T @ (math_exp(X @ w) - t)),
        "regularised_gradient": lambda w, X, t, lam: X.T @ (math_exp(X @ w) - t) + lam * w,
    }.items():
        ex = check.__getattr__(name)
        assert entry_by_entry.search(ex(f).text), ex.last
        assert ex(none_of_them).text.endswith("'NoneType' and 'float'")
        assert not entry_by_entry.search(ex(lambda: 0.0).text)


def test_sigmoid_takes_every_stable_form_and_no_unstable_one():
    """A cut at 500, which keeps e^-a finite, leaves 0 where σ is below 1e-217; one at 30 leaves 1e-13 for 4e-18."""
    ex = check.sigmoid
    for right in (
        lambda a: 1 / (1 + np.exp(-np.clip(a, -500, 500))),
        lambda a: [[*map(special.sigmoid, row)] for row in a] if a.ndim == 2 else [*map(special.sigmoid, a)],
        lambda a: np.exp(-np.log1p(np.exp(-a))),
        lambda a: special.softmax(np.stack([a, 0 * a], axis=-1))[..., 0],
    ):
        assert ex(right).ok, ex.last
    for c in (5, 15, 25, 36, 40, 70, 88):
        assert not ex(lambda a, c=c: 1 / (1 + np.exp(-np.clip(a, -c, c)))).ok
    for eps in (1e-15, 1e-30):
        assert not ex(lambda a, eps=eps: np.clip(special.sigmoid(a), eps, 1 - eps)).ok
    assert not ex(lambda a: np.exp(a - np.logaddexp(0, a) * (a < 700))).ok


def test_a_step_of_irls_is_newtons_and_from_0_least_squares_of_the_labels():
    """At w = 0 p is 1/2 and R = I/4: z = 4(t - 1/2), and the step fits it without weights."""
    for case in check.irls_step.cases(np.random.default_rng(0)):
        w, X, t = case.args
        path = check.irls_step.answer_of(check.irls_step.answer, case)[0]
        assert path.shape == (4, len(w)) and np.abs(X @ path.T).max() < 10  # no right run is ever cut
        for before, after in itertools.pairwise([w, *path]):
            np.testing.assert_allclose(after, newton_step(before, X, t), rtol=1e-9, atol=1e-12)
        if not w.any():
            np.testing.assert_allclose(path[0], np.linalg.lstsq(X, 4 * t - 2, rcond=None)[0], rtol=1e-9)
        start = np.abs(logistic_regression.gradient(w, X, t)).max()
        assert np.abs(logistic_regression.gradient(path[-1], X, t)).max() < 0.01 * start


def test_one_run_of_irls_raises_E_at_first_and_the_others_never_do():
    def left(w, X, t, tau=1.0):
        step = newton_step(w, X, t) - w
        return logistic_regression.loss(w + tau * step, X, t) / logistic_regression.loss(w, X, t)

    for seed in range(20):
        *others, case = check.irls_step.cases(np.random.default_rng(seed))
        for w, X, t in (case.args for case in others):
            for _ in range(4):
                assert left(w, X, t) <= 1 + 1e-14
                w = newton_step(w, X, t)
        assert case.label.endswith("the first of which raises E")
        assert left(*case.args, tau=0.5) < 0.8 and left(*case.args) > 1.2, seed


def test_a_damped_step_of_irls_is_another():
    """From w = 0 the whole steps of six points lower E four times, and the fifth raises it from 1.9 to 11.3."""
    X = design.augment([[2.0, -8], [6, 25], [0, -2], [-1, 0], [-26, -2], [0, -1]])
    t, w = np.array([0.0, 1, 1, 1, 1, 0]), np.zeros(3)
    for _ in range(4):
        np.testing.assert_allclose(halving(w, X, t, 1.0), newton_step(w, X, t), rtol=1e-9)
        w = newton_step(w, X, t)
    E = [logistic_regression.loss(v, X, t) for v in (w, check.irls_step.answer(w, X, t), halving(w, X, t, 1.0))]
    assert E[2] < E[0] < 2 < 11 < E[1]
    told = "damped: right where E falls, but the question asks for the whole step"
    for f, seed in itertools.product((lambda *args: halving(*args, left=1.0), armijo), range(20)):
        assert check.irls_step(f, seed=seed).text == told, seed


def test_a_run_away_from_the_minimum_is_cut_and_named_all_the_same():
    calls = []

    def far(w, X, t):
        calls.append(np.abs(X @ w).max())
        return newton_step(w, X, t, H=curved(X, tail(w, X)) / len(X))

    assert check.irls_step(far).text.startswith("H is divided by N")
    assert len(calls) < 12 and max(calls) <= 10


def test_a_step_of_irls_keeps_the_shape_and_its_argument():
    def column(w, X, t):
        return newton_step(w, X, t)[:, None]

    def in_place(w, X, t):
        w -= np.linalg.solve(curved(X, tail(w, X)), X.T @ (prob(w, X) - t))
        return w

    assert check.irls_step(column).text.startswith("what it returns must keep its shape: (3,) came in, (3, 1)")
    assert check.irls_step(in_place).text == "the values are right, but it overwrites its arguments: work on a copy"


def test_the_data_without_a_best_w_have_none():
    X, t, w = check.no_finite_optimum.example()
    E = [logistic_regression.loss(c * w, X, t) for c in (0.25, 0.5, 1, 2, 4)]
    assert all(b < a / 10 for a, b in itertools.pairwise(E)) and E[2] < 1e-6 < E[1]
    assert np.linalg.eigvalsh(logistic_regression.hessian(w, X))[0] > 0  # note C's premise holds
    assert not logistic_regression.fit(X, t).converged


def test_the_first_requirement_missed_is_the_one_that_is_told():
    X, t, w = check.no_finite_optimum.example()
    overlapping, repeated = np.array([0, 1, 0, 1]), X[:, [0, 0]]
    made = [  # each misses its own requirement and, where that can be, the later ones
        (X, t[:, None], -w),
        (repeated, 2 * t - 1, -w),
        (repeated, 0 * t, -w),
        (repeated, overlapping, -w),
        (X, overlapping, 3 * w),
        (X, t, w / 4),
        (X, t, 3 * w),
    ]
    for data, need in zip(made, check.no_finite_optimum.requirements, strict=True):
        assert check.no_finite_optimum(lambda data=data: data).text == need.text
    for c in (0.75, 1.0, 1.3):
        assert check.no_finite_optimum(lambda c=c: (X, t.astype(bool), (c * w).tolist())).ok
    assert check.no_finite_optimum(lambda: ([[-2.0], [2.0]], [0, 1], [10.0])).ok


# --- the chapters on several classes and on least squares for them ----------------------------------------------


def exp_of(A):
    """exp of the scores less the largest of each row."""
    return np.exp(A - A.max(axis=-1, keepdims=True))


def by_row(E):
    return E / E.sum(axis=1, keepdims=True)


def step_by(residual):
    """A softmax step with this residual, a function of p and t."""
    return lambda W, x, t, eta: W - eta * np.outer(x, residual(special.softmax(x @ W), t))


def losses_with(**changes):
    """The right three losses but for those that are changed, each a function of m."""

    def f(m):
        right = dict(zip(("square", "logistic", "count"), check.margin_losses.answer(m), strict=True))
        return tuple(changes[name](m) if name in changes else value for name, value in right.items())

    return f


def fitted(A, T):
    return np.linalg.lstsq(A, T, rcond=None)[0]


def outputs(W, X):
    return X @ W[:-1] + W[-1]


OUTSIDE_CLASSES = {  # as OUTSIDE
    "softmax": {
        "clipped at 500": lambda A: special.softmax(np.clip(A, -500, 500) / 1.001),
        "1e-6 in the denominator": lambda A: exp_of(A) / (exp_of(A).sum(axis=1, keepdims=True) + 1e-6),
        "twice as hot": lambda A: special.softmax(A / 2),
        "base 2": lambda A: 2 ** (A - A.max(1, keepdims=True)) / (2 ** (A - A.max(1, keepdims=True))).sum(1)[:, None],
        "twice": lambda A: special.softmax(special.softmax(A)),
        "rounded": lambda A: np.round(special.softmax(A), 2),
        "sorted": lambda A: np.sort(special.softmax(A)) + 1e-3,
        "smoothed": lambda A: (special.softmax(A) + 0.01) / (1 + 0.01 * A.shape[1]),
        "of |A|": lambda A: special.softmax(np.abs(A)),
        "columns centred": lambda A: special.softmax(A - A.mean(axis=0)),
        "nan made 1": lambda A: np.nan_to_num(np.exp(A) / np.exp(A).sum(axis=1, keepdims=True), nan=1.0) + 1e-4,
        "linear": lambda A: np.maximum(A, 0) / (np.maximum(A, 0).sum(axis=1, keepdims=True) + 1e-9),
        "float32": lambda A: special.softmax(A.astype(np.float32)),
    },
    "two_class_as_sigmoid": {
        "half of w_0": lambda W: W[:, 1] - W[:, 0] / 2,
        "the larger": lambda W: W.max(axis=1) - 0.1,
        "squares": lambda W: W[:, 1] ** 2 - W[:, 0] ** 2,
        "the root of the product": lambda W: np.sqrt(np.abs(W[:, 1] * W[:, 0])),
        "tanh": lambda W: np.tanh(W[:, 1] - W[:, 0]),
        "all but the last": lambda W: np.append((W[:, 1] - W[:, 0])[:-1], W[-1, 1]),
        "logit": lambda W: np.log(special.sigmoid(W[:, 1]) / special.sigmoid(W[:, 0])),
        "centred": lambda W: W[:, 1] - W[:, 0] - np.mean(W[:, 1] - W[:, 0]),
        "rounded": lambda W: np.round(W[:, 1] - W[:, 0], 2),
        "signs": lambda W: np.sign(W[:, 1] - W[:, 0]) * 0.7,
    },
    "softmax_jacobian": {
        "J twice": lambda p: check.softmax_jacobian.answer(p) @ check.softmax_jacobian.answer(p),
        "half of ppᵀ": lambda p: np.diag(p) - np.outer(p, p) / 2,
        "the lower triangle": lambda p: np.tril(check.softmax_jacobian.answer(p)),
        "p² on the diagonal": lambda p: np.diag(p * p) - 2 * np.outer(p, p),
        "the mean of p": lambda p: np.diag(p) - np.outer(p, np.full(len(p), p.mean())),
        "the roots": lambda p: np.diag(np.sqrt(p)) - np.outer(np.sqrt(p), np.sqrt(p)),
        "p/K": lambda p: np.diag(p) - np.outer(p, p) / len(p),
        "reversed": lambda p: np.diag(p[::-1]) - np.outer(p, p),
        "its pseudo-inverse": lambda p: np.linalg.pinv(check.softmax_jacobian.answer(p)),
        "differences": lambda p: np.column_stack(
            [(special.softmax(np.log(p) + 1e-4 * e) - p) / 1e-4 for e in np.eye(len(p))]
        ),
        "rounded": lambda p: np.round(np.diag(p) - np.outer(p, p), 3),
    },
    "cross_entropy": {
        "base 2": lambda A, T: check.cross_entropy.answer(A, T) / np.log(2),
        "clipped at 1e-7": lambda A, T: -np.sum(T * np.log(np.clip(special.softmax(A), 1e-7, 1 - 1e-7))),
        "at most 100 each": lambda A, T: np.sum(np.minimum(special.logsumexp(A) - np.sum(T * A, axis=1), 100)) + 1e-3,
        "-inf made the lowest number": lambda A, T: -np.sum(T * np.nan_to_num(np.log(special.softmax(A)))),
        "smoothed labels": lambda A, T: np.sum((0.9 * T + 0.1 / T.shape[1]) * (special.logsumexp(A)[:, None] - A)),
        "focal": lambda A, T: np.sum((1 - special.softmax(A)) ** 2 * T * (special.logsumexp(A)[:, None] - A)),
        "one sample short": lambda A, T: check.cross_entropy.answer(A[1:], T[1:]),
        "the hinge of several classes": lambda A, T: np.sum(np.maximum(0, 1 + A - np.sum(T * A, 1)[:, None]) * (1 - T)),
        "columns centred": lambda A, T: check.cross_entropy.answer(A - A.mean(axis=0), T),
        "classes alike": lambda A, T: np.sum((special.logsumexp(A)[:, None] - A) * T / T.sum(axis=0)),
        "half as hot": lambda A, T: check.cross_entropy.answer(2 * A, T),
        "a penalty": lambda A, T: check.cross_entropy.answer(A, T) + np.sum(A * A) / 2,
    },
    "softmax_gradient": {
        "one sample short": lambda W, X, T: X[1:].T @ (special.softmax(X[1:] @ W) - T[1:]),
        "clipped p": lambda W, X, T: X.T @ (np.clip(special.softmax(X @ W), 0.05, 0.95) - T),
        "X centred": lambda W, X, T: (X - X.mean(axis=0)).T @ (special.softmax(X @ W) - T),
        "signs": lambda W, X, T: X.T @ np.sign(special.softmax(X @ W) - T),
        "half as hot": lambda W, X, T: X.T @ (special.softmax(2 * X @ W) - T),
        "softmax twice": lambda W, X, T: X.T @ (special.softmax(special.softmax(X @ W)) - T),
        "smoothed labels": lambda W, X, T: X.T @ (special.softmax(X @ W) - 0.9 * T - 0.1 / T.shape[1]),
        "a small penalty": lambda W, X, T: X.T @ (special.softmax(X @ W) - T) + 0.01 * W,
        "classes alike": lambda W, X, T: X.T @ ((special.softmax(X @ W) - T) / T.sum(axis=0)),
        "at most 1": lambda W, X, T: np.clip(X.T @ (special.softmax(X @ W) - T), -0.5, 0.5),
        "columns of length 1": lambda W, X, T: (X / np.linalg.norm(X, axis=0)).T @ (special.softmax(X @ W) - T),
        "one step of it": lambda W, X, T: W - 0.1 * X.T @ (special.softmax(X @ W) - T),
    },
    "drop_reference_class": {
        "the second class": lambda W: W[:, :-1] - W[:, 1:2] * 0.9,
        "half of the last": lambda W: W[:, :-1] - W[:, -1:] / 2,
        "squared": lambda W: (W[:, :-1] - W[:, -1:]) ** 2,
        "|V|": lambda W: np.abs(W[:, :-1] - W[:, -1:]),
        "the last row stays": lambda W: np.vstack([(W[:, :-1] - W[:, -1:])[:-1], W[-1:, :-1]]),
        "the median": lambda W: W[:, :-1] - np.median(W, axis=1, keepdims=True) - 0.1,
        "columns of length 1": lambda W: (V := W[:, :-1] - W[:, -1:]) / np.linalg.norm(V, axis=0),
        "the smallest": lambda W: W[:, :-1] - W.min(axis=1, keepdims=True) + 1e-3,
        "one vector for all": lambda W: W[:, :-1] - np.mean(W[:, -1]),
        "softmax": lambda W: special.softmax(W)[:, :-1],
        "rounded": lambda W: np.round(W[:, :-1] - W[:, -1:], 2),
    },
    "softmax_sgd_step": {
        "eta squared": lambda W, x, t, eta: W - eta**2 * np.outer(x, special.softmax(x @ W) - t),
        "smoothed labels": step_by(lambda p, t: p - 0.9 * t - 0.1 / len(t)),
        "signs": step_by(lambda p, t: np.sign(p - t)),
        "clipped p": step_by(lambda p, t: np.clip(p, 0.1, 0.9) - t),
        "sure samples are left out": step_by(lambda p, t: (p - t) * (np.abs(p - t).max() > 0.1)),
        "half as hot": lambda W, x, t, eta: W - eta * np.outer(x, special.softmax(2 * x @ W) - t),
        "x of length 1": lambda W, x, t, eta: W - eta * np.outer(x / np.linalg.norm(x), special.softmax(x @ W) - t),
        "weights shrink": lambda W, x, t, eta: step_by(lambda p, t: p - t)(0.99 * W, x, t, eta),
        "only the bias": lambda W, x, t, eta: W - eta * np.outer(x * (np.arange(len(x)) == len(x) - 1), t - 0.5),
        "the likeliest other class and the true one": step_by(
            lambda p, t: (p - t) * ((t == 1) | (p == np.max(p * (1 - t))))
        ),
        "two steps": lambda W, x, t, eta: step_by(lambda p, t: p - t)(
            step_by(lambda p, t: p - t)(W, x, t, eta), x, t, eta
        ),
    },
    "one_hot": {
        "smoothed": lambda t, K: 0.9 * np.eye(K)[t] + 0.1 / K,
        "the first sample lost": lambda t, K: np.eye(K)[t] * (np.arange(len(t)) > 0)[:, None],
        "sorted": lambda t, K: np.eye(K)[np.sort(t)] + 1e-4,
        "of t % 2": lambda t, K: np.eye(K)[t % 2],
        "by the size of the class": lambda t, K: np.eye(K)[t] / np.bincount(t, minlength=K)[t][:, None],
        "column by column scaled": lambda t, K: np.eye(K)[t] * np.arange(1, K + 1),
        "binary digits": lambda t, K: (t[:, None] >> np.arange(K)) & 1,
        "t + 1 in a circle": lambda t, K: np.eye(K)[(t + 1) % K] * 0.5,
        "the neighbour too": lambda t, K: np.eye(K)[t] + 0.5 * np.eye(K)[np.maximum(t - 1, 0)],
        "distances": lambda t, K: np.abs(t[:, None] - np.arange(K)),
        "centred": lambda t, K: np.eye(K)[t] - np.eye(K)[t].mean(axis=0),
    },
    "ls_predict": {
        "the second largest": lambda W, X: np.argsort(outputs(W, X), axis=1)[:, -2],
        "half of the bias": lambda W, X: np.argmax(X @ W[:-1] + W[-1] / 2, axis=1),
        "the bias subtracted": lambda W, X: np.argmax(X @ W[:-1] - W[-1], axis=1),
        "columns of length 1": lambda W, X: np.argmax(outputs(W / np.linalg.norm(W, axis=0), X), axis=1),
        "0 or 1": lambda W, X: np.minimum(np.argmax(outputs(W, X), axis=1), 1),
        "the last class is lost": lambda W, X: np.argmax(outputs(W, X)[:, :-1], axis=1),
        "the first class is lost": lambda W, X: np.argmax(outputs(W, X)[:, 1:], axis=1) + 1,
        "reversed": lambda W, X: W.shape[1] - 1 - np.argmax(outputs(W, X), axis=1),
        "the nearest to 1/2": lambda W, X: np.abs(outputs(W, X) - 0.5).argmin(axis=1),
        "less the mean output": lambda W, X: np.argmax(outputs(W, X) - outputs(W, X).mean(axis=0), axis=1),
        "the last above 0": lambda W, X: (outputs(W, X) > 0) @ np.arange(W.shape[1]),
        "from X centred": lambda W, X: np.argmax(outputs(W, X - X.mean(axis=0)), axis=1),
    },
    "margin_losses": {
        "the cube": losses_with(square=lambda m: np.abs(1 - m) ** 3),
        "square from 2 on": losses_with(square=lambda m: np.where(m > 2, 0, (1 - m) ** 2)),
        "Huber": losses_with(square=lambda m: np.where(np.abs(1 - m) > 2, 4 * np.abs(1 - m) - 4, (1 - m) ** 2)),
        "clipped at 650": losses_with(logistic=lambda m: np.log1p(np.exp(np.minimum(-m, 650)))),
        "inf made 0": losses_with(logistic=lambda m: np.nan_to_num(np.log1p(np.exp(-m)), posinf=0)),
        "inf made the largest number": losses_with(logistic=lambda m: np.nan_to_num(np.log1p(np.exp(-m)))),
        "1e-9 in the logarithm": losses_with(logistic=lambda m: -np.log(special.sigmoid(m) + 1e-9)),
        "of 2m": losses_with(logistic=lambda m: np.logaddexp(0, -2 * m)),
        "squared": losses_with(logistic=lambda m: np.logaddexp(0, -m) ** 2),
        "at 1/2": losses_with(count=lambda m: (m <= 0.5) * 1.0 + (m <= -1)),
        "at most 10": losses_with(square=lambda m: np.minimum((1 - m) ** 2, 10)),
        "smooth": losses_with(count=lambda m: special.sigmoid(-10 * m)),
    },
    "ls_classifier": {
        "a small penalty": lambda X, T: np.linalg.solve(
            one(X).T @ one(X) + 1e-3 * np.eye(X.shape[1] + 1), one(X).T @ T
        ),
        "a penalty on the weights alone": lambda X, T: np.linalg.solve(
            one(X).T @ one(X) + np.diag([1.0] * X.shape[1] + [0.0]), one(X).T @ T
        ),
        "one sample short": lambda X, T: fitted(one(X)[:-1], T[:-1]),
        "softmax regression": lambda X, T: softmax_regression.fit(one(X), T, 0.1).W,
        "the rows in another order": lambda X, T: fitted(one(X), T[::-1]),
        "targets 0.9 and 0.1": lambda X, T: fitted(one(X), 0.1 + 0.8 * T),
        "Fisher's targets": lambda X, T: fitted(one(X), T * len(T) / T.sum(axis=0)) + 1e-3,
        "X less its median": lambda X, T: fitted(one(X - np.median(X, axis=0)), T),
        "class means": lambda X, T: np.vstack([X.T @ T / T.sum(axis=0), T.mean(axis=0)]),
        "columns of length 1": lambda X, T: (W := fitted(one(X), T)) / np.linalg.norm(W, axis=0),
        "rounded": lambda X, T: np.round(fitted(one(X), T), 3),
        "each class on its own samples": lambda X, T: np.column_stack(
            [fitted(one(X) * t[:, None], np.full(len(t), 2.0)) for t in T.T]
        ),
    },
}


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)], ids=["2 seeds", "8 more seeds"]
)
@pytest.mark.parametrize("name, label", [(name, label) for name, wrong in OUTSIDE_CLASSES.items() for label in wrong])
def test_a_wrong_function_for_classes_that_nobody_listed_is_refused_without_a_name(name, label, seeds):
    for seed in seeds:
        result = check.__getattr__(name)(OUTSIDE_CLASSES[name][label], seed=seed)
        assert result.status == "--", seed
        assert result.text.startswith(("wrong on", "nearly right on")), (seed, result)


def test_every_exercise_of_the_chapters_on_classes_has_wrong_functions_outside_its_list():
    assert list(OUTSIDE_CLASSES) == [ex.name for ex in EXERCISES if ex.chapter in ("05", "06")]
    assert min(map(len, OUTSIDE_CLASSES.values())) >= 10


def by_loop(W, X, T):
    """The gradient as note D derives it, with the diagonal of the Jacobian alone."""
    G = np.zeros(W.shape)
    for x, t in zip(X, T, strict=True):
        p = special.softmax(x @ W)
        for k in range(len(p)):
            G[:, k] -= x * t[k] * (1 - p[k])
    return G


def by_chain(W, X, T):
    """Derivative by p times Jacobian, sample by sample."""
    P = special.softmax(X @ W)
    return sum(np.outer(x, -t / p @ (np.diag(p) - np.outer(p, p))) for x, t, p in zip(X, T, P, strict=True))


def in_turn(W, x, t, eta):
    W = W.copy()
    for j in range(W.shape[1]):
        p = special.softmax(x @ W)
        W[:, j] -= eta * (p[j] - t[j]) * x
    return W


def perceptron_of_classes(W, x, t, eta):
    W, k = W.copy(), np.argmax(x @ W)
    W[:, k] -= eta * x
    W[:, np.argmax(t)] += eta * x
    return W


def marked(t, K):
    T = np.zeros((len(t), K))
    T[:, t] = 1
    return T


SIGHTED_CLASSES = {  # as SIGHTED
    "softmax": {
        "e^a overflows near 1000": lambda A: np.exp(A) / np.exp(A).sum(axis=1, keepdims=True),
        "keepdims=True keeps it a column, (N, 1)": lambda A: np.exp(A) / np.exp(A).sum(axis=1),
        "that is one softmax over all N K entries": lambda A: np.exp(A - A.max()) / np.exp(A - A.max()).sum(),
        "maximum and sum run over the samples": lambda A: special.softmax(A, axis=0),
        "e^a overflows near 1000: subtract each row's largest score first; and the sums run over": lambda A: (
            np.exp(A) / sum(np.exp(A))
        ),
        "one maximum for all rows": lambda A: np.exp(A - A.max()) / np.exp(A - A.max()).sum(axis=1)[:, None],
        "the sum is missing: each row's largest": lambda A: np.exp(A - A.max(axis=1)[:, None]),
        "the sign of the scores": lambda A: special.softmax(-A),
        "np.clip makes 999, 1000 and 1001 one number": lambda A: by_row(np.exp(np.clip(A, -700, 700))),
        "subtract each row's largest score instead": lambda A: special.softmax(np.clip(A, -500, 500)),
    },
    "two_class_as_sigmoid": {
        "its sign is reversed (σ(w·x) is the probability of class 1": lambda W: W[:, 0] - W[:, 1],
        "the sign of w_0 is wrong": lambda W: W.sum(axis=1),
        "it is 1/2 times": lambda W: (W[:, 1] - W[:, 0]) / 2,
        "classes are its columns": lambda W: W[1] - W[0],
        "(4, 1), but it must be (4,)": lambda W: W[:, 1:] - W[:, :1],
    },
    "softmax_jacobian": {
        "note D derives (erratum D19)": lambda p: np.diag(p * (1 - p)),
        "as a vector": lambda p: p * (1 - p),
        "p @ p (or p @ p.T) is the number": lambda p: np.diag(p) - p @ p.T,
        "beside the diagonal stands -p_j², the same in all rows": lambda p: p * (np.eye(len(p)) - p),
        "as from p * p": lambda p: np.diag(p) - p * p,
        "both factors are the column p[:, None]": lambda p: p[:, None] * (np.eye(len(p)) - p[:, None]),
        "diag(p) is missing: on the diagonal stands p_k - p_k²; and its sign": lambda p: np.outer(p, p),
    },
    "cross_entropy": {
        "and 0 ln 0 is nan: ln p_k": lambda A, T: -np.sum(T * np.log(np.exp(A) / np.exp(A).sum(1, keepdims=True))),
        "a p is rounded to 0, and 0 ln 0 is nan": lambda A, T: -np.sum(T * np.log(special.softmax(A))),
        "the p of a true class is rounded to 0": lambda A, T: -np.log(special.softmax(A)[T == 1]).sum(),
        "Σ_j e^a_j overflows for scores near 1000: take": lambda A, T: np.sum(np.log(np.exp(A).sum(1)) - A[T == 1]),
        "1e-12 in the logarithm": lambda A, T: -np.sum(T * np.log(special.softmax(A) + 1e-12)),
        "1e-15 in the logarithm": lambda A, T: -np.sum(T * np.log(np.clip(special.softmax(A), 1e-15, 1 - 1e-15))),
        "it is 1/N times what it should be (E is a sum; note D's risk is its mean)": lambda A, T: np.mean(
            special.logsumexp(A) - np.sum(T * A, axis=1)
        ),
        "it is 1/(NK) times what it should be (E is a sum; np.mean": lambda A, T: (
            -np.mean(T * (A - special.logsumexp(A)[:, None]))
        ),
        "its sign is reversed (ln p is negative": lambda A, T: np.sum(T * A) - np.sum(special.logsumexp(A)),
        "that is one loss per sample": lambda A, T: special.logsumexp(A) - np.sum(T * A, axis=1),
        "0 and its ln -inf; each row has its own": lambda A, T: np.sum(
            A.max() + np.log(np.exp(A - A.max()).sum(1)) - (T * A).sum(1)
        ),
        "ln 0 is -inf, 0 times inf nan; one per row": lambda A, T: (
            -np.sum(T * (A - A.max() - np.log(np.exp(A - A.max()).sum(axis=1, keepdims=True))))
        ),
        "p is 0/0, nan; elsewhere 0 ln 0 is nan": lambda A, T: -np.sum(T * np.log(by_row(np.exp(A - A.max())))),
        "p is 0/0, nan; elsewhere -ln 0 is inf": lambda A, T: -np.sum(np.log(by_row(np.exp(A - A.max()))[T == 1])),
        "np.clip at ±700": lambda A, T: -np.sum(T * np.log(by_row(np.exp(np.clip(A, -700, 700))))),
        "np.clip at ±500": lambda A, T: check.cross_entropy.answer(np.clip(A, -500, 500), T),
    },
    "softmax_gradient": {
        "it is 1/N times what it should be (E is a sum": lambda W, X, T: X.T @ (special.softmax(X @ W) - T) / len(X),
        "its sign is reversed (x(p - t)ᵀ: p is": lambda W, X, T: X.T @ (T - special.softmax(X @ W)),
        "(erratum D19)": by_loop,
        "right where no p is rounded to 0, but 0/0 is nan there": by_chain,
        "it is transposed": lambda W, X, T: (special.softmax(X @ W) - T).T @ X,
        "first; and it is 1/N times": lambda W, X, T: (
            X.T @ (np.exp(X @ W) / np.exp(X @ W).sum(axis=1, keepdims=True) - T) / len(X)
        ),
        "X @ W (N, K), X.T @ R (d, K))": lambda W, X, T: X @ (special.softmax(X @ W) - T),
        "one maximum for all rows": lambda W, X, T: X.T @ (by_row(np.exp(X @ W - (X @ W).max())) - T),
        "np.clip at ±700": lambda W, X, T: X.T @ (by_row(np.exp(np.clip(X @ W, -700, 700))) - T),
        "np.clip at ±500": lambda W, X, T: X.T @ (by_row(np.exp(np.clip(X @ W, -500, 500))) - T),
        "size 4 is different from 5) (X is the design matrix as given: append no ones)": lambda W, X, T: (
            one(X).T @ (special.softmax(one(X) @ W) - T)
        ),
        "size 5 is different from 4) (X is the design matrix as given: append no ones)": lambda W, X, T: (
            one(X).T @ (special.softmax((W.T @ one(X).T).T) - T)
        ),
        "(dim 0) (X is the design matrix as given: append no ones)": lambda W, X, T: (
            one(X).T @ (special.softmax(np.dot(one(X), W)) - T)
        ),
        "the last row is too much: X is the design matrix as given": lambda W, X, T: (
            one(X).T @ (special.softmax(X @ W) - T)
        ),
    },
    "drop_reference_class": {
        "right, but the last column, which is 0 now": lambda W: W - W[:, [-1]],
        "the last column is only left out": lambda W: W[:, :-1],
        "the first class is the reference": lambda W: W[:, 1:] - W[:, [0]],
        "(W[:, -1] has shape (d,)": lambda W: W[:, :-1] - W[:, -1],
        "its sign is reversed (p_k/p_K": lambda W: W[:, -1:] - W[:, :-1],
    },
    "softmax_sgd_step": {
        "(erratum C13)": in_turn,
        "only the true class moves": lambda W, x, t, eta: W + eta * np.outer(x, t * (1 - special.softmax(x @ W))),
        "that is the perceptron's": perceptron_of_classes,
        "the step goes uphill": lambda W, x, t, eta: W + eta * np.outer(x, special.softmax(x @ W) - t),
        "np.outer(x, p - t), not np.outer(p - t, x)": lambda W, x, t, eta: (
            W - eta * np.outer(special.softmax(x @ W) - t, x)
        ),
        "W is missing": lambda W, x, t, eta: -eta * np.outer(x, special.softmax(x @ W) - t),
        "e^a overflows": lambda W, x, t, eta: W - eta * np.outer(x, np.exp(x @ W) / sum(np.exp(x @ W)) - t),
        "must keep its shape": lambda W, x, t, eta: (W - eta * np.outer(x, special.softmax(x @ W) - t)).T,
        "np.clip at ±700": lambda W, x, t, eta: W - eta * np.outer(x, special.softmax(np.clip(x @ W, -700, 700)) - t),
        "np.clip at ±500": lambda W, x, t, eta: W - eta * np.outer(x, special.softmax(np.clip(x @ W, -500, 500)) - t),
        "size 3 is different from 4) (x ends in its 1 already: append none)": lambda W, x, t, eta: (
            W - eta * np.outer(np.append(x, 1), special.softmax(np.append(x, 1) @ W) - t)
        ),
        "size 4 is different from 3) (x ends in its 1 already: append none)": lambda W, x, t, eta: (
            W - eta * np.outer(np.append(x, 1), special.softmax(W.T @ np.append(x, 1)) - t)
        ),
        "(dim 0) (x ends in its 1 already: append none)": lambda W, x, t, eta: (
            W - eta * np.outer(np.append(x, 1), special.softmax(np.dot(np.append(x, 1), W)) - t)
        ),
        "(3,5) (4,5) (x ends in its 1 already: append none)": lambda W, x, t, eta: (
            W - eta * np.outer(np.append(x, 1), special.softmax(x @ W) - t)
        ),
        "(W is (d, K): the scores are x @ W": lambda W, x, t, eta: W - eta * np.outer(x, special.softmax(W @ x) - t),
        "(W is (d, K), x (d,) and p - t (K,): the step": lambda W, x, t, eta: (
            W - eta * x * (special.softmax(x @ W) - t)
        ),
        "that is the gradient alone": lambda W, x, t, eta: np.outer(x, special.softmax(x @ W) - t),
        "that is eta times the gradient alone": lambda W, x, t, eta: eta * np.outer(x, special.softmax(x @ W) - t),
    },
    "one_hot": {
        "K is taken from max(t)": lambda t, K: np.eye(t.max() + 1)[t],
        "columns only for the classes that occur": lambda t, K: np.eye(len(np.unique(t)))[
            np.unique(t, return_inverse=True)[1]
        ],
        "with t - 1 class 0 wraps round": lambda t, K: np.eye(K)[t - 1],
        "T[:, t] = 1 fills whole columns": marked,
        "it is transposed": lambda t, K: np.arange(K)[:, None] == t,
        "t[:, None] == np.arange(K) compares all pairs": lambda t, K: np.equal(t, np.arange(K)) * 1.0,
    },
    "ls_predict": {
        "the arg max runs over the samples": lambda W, X: np.argmax(outputs(W, X), axis=0),
        "that is one arg max over all N K outputs": lambda W, X: np.argmax(outputs(W, X)),
        "that tells of every output whether it is above 1/2": lambda W, X: outputs(W, X) > 0.5,
        "the biases are missing": lambda W, X: np.argmax(X @ W[:-1], axis=1),
        "or append ones to X)": lambda W, X: np.argmax(X @ W, axis=1),
        "class numbers begin with 0": lambda W, X: 1 + np.argmax(outputs(W, X), axis=1),
        "which makes ties": lambda W, X: np.argmax(np.clip(outputs(W, X), 0, 1), axis=1),
    },
    "margin_losses": {
        "right in the middle, but e^-m overflows": losses_with(logistic=lambda m: -np.log(special.sigmoid(m))),
        "np.clip makes 500 of the 800": losses_with(logistic=lambda m: np.log(1 + np.exp(np.clip(-m, -500, 500)))),
        "np.clip makes 700 of the 800": losses_with(logistic=lambda m: np.log1p(np.exp(-np.clip(m, -700, 700)))),
        "you took log2": losses_with(logistic=lambda m: np.logaddexp(0, -m) / np.log(2)),
        "for m = -800: ln(1 + e^-m) = -m + ln(1 + e^m); and the logarithm is the natural one": losses_with(
            logistic=lambda m: np.log2(1 + np.exp(-m))
        ),
        "m = 0 counts as a mistake": losses_with(count=lambda m: m < 0),
        "least squares punishes m > 1 too": losses_with(square=lambda m: np.maximum(1 - m, 0) ** 2),
        "those are sums over the samples": lambda m: tuple(map(np.sum, check.margin_losses.answer(m))),
        "use np.where and np.maximum, not if and max)": losses_with(count=lambda m: 1 if m <= 0 else 0),
    },
    "ls_classifier": {
        "the biases are missing": fitted,
        "you put the ones first": lambda X, T: fitted(np.insert(X, 0, 1, axis=1), T),
        "that is regression on the class numbers:": lambda X, T: fitted(one(X), T @ np.arange(T.shape[1])),
        "a tuple came: lstsq returns four things, the weights are [0]": lambda X, T: np.linalg.lstsq(
            one(X), T, rcond=None
        ),
        "it is transposed": lambda X, T: fitted(one(X), T).T,
        "np.append joins them": lambda X, T: (fitted(one(X), T)[:-1], fitted(one(X), T)[-1]),
        "that is regression without ones, with a row of 0": lambda X, T: np.vstack([fitted(X, T), 0 * T[0]]),
        "those are the predicted class numbers": lambda X, T: np.argmax(one(X) @ fitted(one(X), T), axis=1),
    },
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name, words", [(name, words) for name, wrong in SIGHTED_CLASSES.items() for words in wrong])
def test_what_readers_wrote_about_classes_gets_its_words(name, words, seed):
    told = check.__getattr__(name)(SIGHTED_CLASSES[name][words], seed=seed).text
    assert words in told, told
    assert not told.startswith(("wrong on", "nearly right")) and told.count("; and ") == words.count("; and "), told


def test_the_factors_of_a_softmax_step_are_listed():
    ex = check.softmax_sgd_step
    for factor, text in ((-1, "uphill"), (2, "twice as long")):
        found = ex(lambda W, x, t, eta, z=factor: W + z * (ex.answer(W, x, t, eta) - W)).text
        assert found in ex.mistakes and text in found


def test_the_softmax_step_makes_the_steps_of_the_library():
    rng = np.random.default_rng(0)
    X, T = rng.normal(size=(6, 3)), np.eye(4)[[0, 1, 2, 3, 1, 1]]
    steps = softmax_regression.stochastic_iterates(X, T, eta=0.3, rng=rng)
    visited = []
    for old, new in itertools.pairwise(state.w for state in itertools.islice(steps, 13)):
        made = [check.softmax_sgd_step.answer(old, x, t, 0.3) for x, t in zip(X, T, strict=True)]
        [n] = [n for n in range(6) if np.allclose(made[n], new, rtol=1e-12, atol=1e-12)]
        visited.append(n)
    assert sorted(visited[:6]) == sorted(visited[6:]) == list(range(6))


def test_the_answers_about_scores_are_those_of_the_model():
    rng = np.random.default_rng(1)
    W, X = rng.normal(size=(3, 4)), rng.normal(size=(7, 3))
    T, P = np.eye(4)[[0, 1, 2, 3, 3, 1, 0]], softmax_regression.posterior(W, X)
    np.testing.assert_allclose(check.cross_entropy.answer(X @ W, T), softmax_regression.loss(W, X, T), rtol=1e-13)
    V = check.drop_reference_class.answer(W)
    np.testing.assert_allclose(softmax_regression.reference_posterior(V, X), P, rtol=1e-12)
    w = check.two_class_as_sigmoid.answer(W[:, :2])
    np.testing.assert_allclose(
        special.sigmoid(X @ w), softmax_regression.posterior(W[:, :2], X)[:, 1], rtol=1e-12, atol=0
    )


def test_one_maximum_for_all_rows_is_no_cross_entropy():
    """ln(e^1000 + e^200) - 1000 = 0 and ln 2; with 1000 for both rows the second is 1000 + ln(2e^-1000) = -inf."""
    A, T = np.array([[1000.0, 200], [0, 0]]), np.array([[1.0, 0], [0, 1]])
    np.testing.assert_allclose(check.cross_entropy.answer(A, T), np.log(2), rtol=1e-15)
    with np.errstate(divide="ignore"):
        assert np.sum(A.max() + np.log(np.exp(A - A.max()).sum(1)) - (T * A).sum(1)) == -np.inf


def test_three_losses_may_come_as_three_rows():
    right = check.margin_losses.answer
    assert check.margin_losses(lambda m: np.stack(right(m))).ok
    assert check.margin_losses(lambda m: np.stack(right(m)[::-1])).text.endswith("(zero_one, logistic, square)")
    told = check.margin_losses(lambda m: np.stack(right(m), axis=1)).text
    assert told == "it must return 3 values, not one ndarray"


@each_exercise
def test_a_solution_is_at_most_12_lines_of_code(ex):
    """The book's function and what it needs: imports, docstrings and blank lines aside."""
    tree = ast.parse(ex.solution())
    documented = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and ast.get_docstring(node)]
    left_out = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    left_out += [node.body[0] for node in documented]
    lines = {n for n, line in enumerate(ex.solution().splitlines(), 1) if line.strip()}
    for node in left_out:
        lines -= set(range(node.lineno, node.end_lineno + 1))
    assert 1 < len(lines) <= 12


def wrong_of_least_squares(X, t, at, label):
    W = least_squares_classifier.fit(design.augment(X), design.one_hot(t))
    return np.sum(least_squares_classifier.predict(W, design.augment(at)) != label)


def test_outliers_that_are_right_spoil_least_squares_and_no_logistic_regression():
    """The example: N + M = 8, Σx = 70, Σx² = 2528, Σ(t - 1/2) = 1, Σx(t - 1/2) = 41. Slope : constant are
    8·41 - 70 : 2528 - 70·41 = 258 : -342, so that the boundary 342/258 passes x = 1; without Z it is 0.
    """
    X, t, Z, s = check.outlier_data.example()
    assert wrong_of_least_squares(X, t, np.vstack([X, Z]), np.append(t, s)) == 0
    together, labels = design.augment(np.vstack([X, Z])), np.append(t, s)
    W = least_squares_classifier.fit(together, design.one_hot(labels))
    assert wrong_of_least_squares(together[:, :1], labels, X, t) == 1
    w = W[:, 1] - W[:, 0]
    np.testing.assert_allclose(-w[1] / w[0], 342 / 258, rtol=1e-12)
    found = logistic_regression.fit(together, labels)
    assert not found.converged and np.all(design.signs(labels) * (together @ found.direction) > 0)


def test_outliers_may_be_of_either_class_in_any_number_of_features():
    X, t, Z, s = check.outlier_data.example()
    assert check.outlier_data(lambda: (-X, t, -Z, s)).ok
    assert check.outlier_data(lambda: (X, 1 - t, Z, 1 - s)).ok
    assert check.outlier_data(lambda: (X, t, -Z, s)).text.startswith("X and Z together must be separable")
    assert check.outlier_data(lambda: (X + 5, t.astype(bool), (Z + 5).tolist(), [1.0, 1.0])).ok
    plane = lambda A: np.column_stack([A, np.resize([0.5, -0.5], len(A))])  # noqa: E731
    assert check.outlier_data(lambda: (plane(X), t, plane(Z), s)).ok
    assert check.outlier_data(lambda: (X, t, Z, 1 - s)).text.startswith("X and Z together must be separable")
    assert check.outlier_data(lambda: (X, t, plane(Z), s)).text.startswith("X (N, d) and Z (M, d) must hold samples of")
    assert check.outlier_data(lambda: (X, t, Z)).text == "it must return 4 values, not 3; wanted: (X, t, Z, s)"
    assert check.outlier_data(lambda: (X, t, Z[:0], s[:0])).text.startswith("X (N, d) and Z (M, d) must hold samples")


def test_outliers_may_be_very_far_out():
    """X = 0, 1, 2, 3: with Z -> inf the boundary tends to 2.5, so that x = 2 is wrong, though 1.5 separates.

    y = ±1 is fitted by a + bx with b = (1 - a)/Z + O(1/Z²): Σ(y - a - bx) + r = 0 and Σx(y - a - bx) + Zr = 0, where
    r = 1 - a - bZ, give to first order r = -4/Z and a = -(6 + 4)/4Z; -a/b = 2.5.
    """
    X, t, s = np.array([[0.0], [1], [2], [3]]), np.array([0, 0, 1, 1]), np.array([1])
    for far in (1e2, 1e5, 1e7, 1e8, 1e9, 9e9):
        assert check.outlier_data(lambda far=far: (X, t, np.array([[far]]), s)).ok, far
        assert check.outlier_data(lambda far=far: (1e-6 * X, t, np.array([[1e-6 * far]]), s)).ok, far
        assert check.outlier_data(lambda far=far: (-X, t, np.array([[-far]]), s)).ok, far
        plane = np.column_stack([X, [1.0, -1, 1, -1]]), t, np.array([[far, far]]), s
        assert check.outlier_data(lambda data=plane: data).ok, far
        told = check.outlier_data(lambda far=far: (X, t, np.array([[far]]), 1 - s)).text
        assert told.startswith("X and Z together must be separable"), far
    for far in (1e12, 1e200, 1e308):
        assert check.outlier_data(lambda far=far: (X, t, np.array([[far]]), s)).text.startswith("Z is too far out"), far
    # every sample of X stays right: the pull is measured, not the distance
    told = check.outlier_data(lambda: (X, t, np.array([[1e9], [-1e9]]), np.array([1, 0]))).text
    assert told.startswith("least squares on all samples still has every sample of X right")


def test_a_tie_of_the_masked_class_is_no_prediction_of_it():
    """The chapter's data: Σ_n x_n of class 1 is 0, so y_1 = 1/3, and y_0 = y_2 = 1/3 at x = 0: all three tie there."""
    x = np.array([-5, -4.5, -4, -3.5, -3, -1, -0.5, 0, 0.5, 1, 3, 3.5, 4, 4.5, 5])
    t = np.repeat([0, 1, 2], 5)
    for scale, shift in itertools.product((1, -1, 7, 0.1), (0, 3, 0.7)):
        assert check.masking_data(lambda a=scale, b=shift: (a * x[:, None] + b, t)).ok, (scale, shift)
    told = check.masking_data(lambda: (np.append(x, [0.2, 0.3, 0.1])[:, None], np.append(t, [1, 1, 1]))).text
    assert told.startswith("least squares predicts all three")  # y_1 is above 1/3 now: at 0 it is strictly largest
    far = [[0.0, 0], [0, 1], [4, 0], [5, 0], [2, 4], [2, 1e9]]  # a sample far out makes all differences small, not ties
    assert check.masking_data(lambda: (far, [0, 0, 1, 1, 2, 2])).text.startswith("least squares predicts all three")


def test_three_classes_in_a_row_mask_the_middle_one():
    X, t = check.masking_data.example()
    W = least_squares_classifier.fit(design.augment(X), design.one_hot(t))
    assert set(least_squares_classifier.predict(W, design.augment(X))) == {0, 2}
    found = softmax_regression.fit(design.augment(X), design.one_hot(t))
    assert not found.converged  # all three are separable from the rest together: softmax regression predicts them all
    np.testing.assert_array_equal(softmax_regression.predict(found.W, design.augment(X)), t)
    for order in itertools.permutations(range(3)):  # whichever number the masked class has
        assert check.masking_data(lambda order=order: (X * 7 + 3, np.array(order)[t])).ok
    assert check.masking_data(lambda: (np.column_stack([X, X**3]), t)).text.startswith("least squares predicts all")
    assert check.masking_data(lambda: (np.column_stack([X, 0 * X]), t)).ok
    assert check.masking_data(lambda: (X, t + 1)).text == "t must hold 0, 1 and 2, and no other label"
    touching = np.array([[0.0], [1], [1], [2], [3], [4]])
    assert check.masking_data(lambda: (touching, t)).text.startswith("two of the classes cannot be separated")


# --- chapter 07 -------------------------------------------------------------------------------------------------


def class_means(X, t):
    return np.array([X[t == k].mean(axis=0) for k in range(t.max() + 1)])


def gap(X, t):
    return np.subtract(*class_means(X, t)[:2])


def by_class(part, last=lambda S, X, t: S):
    """The sum over the classes of part(A, X), A the samples of one; and what is made of it."""
    return lambda X, t: last(sum(part(X[t == k], X) for k in range(t.max() + 1)), X, t)


def between_of(part):
    """The sum over the classes of part(N_k, mean, mean of all)."""
    return lambda X, t: sum(part(n, m, X.mean(axis=0)) for n, m in zip(np.bincount(t), class_means(X, t), strict=True))


def squared(A):
    return A.T @ A


def centred_square(A, m=None):
    return squared(A - (A.mean(axis=0) if m is None else m))


def along(S, difference=gap):
    """S⁻¹ of the difference of the means, S a function of X and t."""
    return lambda X, t: np.linalg.solve(S(X, t), difference(X, t))


def quotient(above, below):
    """above/below, functions of the projected samples of both classes."""
    return lambda w, X, t: above(X[t == 0] @ w, X[t == 1] @ w) / below(X[t == 0] @ w, X[t == 1] @ w)


def apart(a, b):
    return (a.mean() - b.mean()) ** 2


def spread(a, b):
    return a.var() * len(a) + b.var() * len(b)


def predicted(tau, w=None):
    """Class 1 below tau(a, b), the projected samples of both classes along w(X, t)."""

    def f(X, t, X_new):
        v = (w or check.fisher_direction.answer)(X, t)
        return (X_new @ v < tau(X[t == 0] @ v, X[t == 1] @ v)).astype(int)

    return f


def halfway(a, b):
    return (a.mean() + b.mean()) / 2


def S_w(X, t):
    return check.within_scatter.answer(X, t)


def S_b(X, t):
    return check.between_scatter.answer(X, t)


def leading(A, m):
    sizes, V = np.linalg.eig(A)
    return V[:, np.argsort(-sizes.real)[:m]].real


def eigen(matrix, pick=leading):
    """The K - 1 leading eigenvectors of a matrix made of X and t."""
    return lambda X, t: pick(matrix(X, t), t.max())


OUTSIDE_FISHER = {  # as OUTSIDE
    "within_scatter": {
        "about the midrange": by_class(lambda A, X: centred_square(A, (A.max(0) + A.min(0)) / 2)),
        "about the first sample": by_class(lambda A, X: centred_square(A, A[0])),
        "divided by the root of N_k": by_class(lambda A, X: centred_square(A) / np.sqrt(len(A))),
        "divided by N_k + 1": by_class(lambda A, X: centred_square(A) / (len(A) + 1)),
        "one sample of each short": by_class(lambda A, X: centred_square(A[1:])),
        "half the way to the mean of all": by_class(lambda A, X: centred_square(A, (A.mean(0) + X.mean(0)) / 2)),
        "the upper triangle": by_class(lambda A, X: np.triu(centred_square(A)) + 0.1),
        "correlations": by_class(lambda A, X: centred_square(A / A.std(axis=0))),
        "a ridge": by_class(lambda A, X: centred_square(A), lambda S, X, t: S + 0.01 * np.eye(len(S))),
        "its inverse": lambda X, t: np.linalg.inv(S_w(X, t)),
        "its root": lambda X, t: np.linalg.cholesky(S_w(X, t)),
        "rounded": lambda X, t: np.round(S_w(X, t), 2),
        "absolute values": lambda X, t: np.abs(X - class_means(X, t)[t]).T @ np.abs(X - class_means(X, t)[t]) + 1e-3,
    },
    "between_scatter": {
        "N_k + 1": between_of(lambda n, m, mu: (n + 1) * np.outer(m - mu, m - mu)),
        "logarithms of N_k": between_of(lambda n, m, mu: np.log(n) * np.outer(m - mu, m - mu)),
        "absolute values": between_of(lambda n, m, mu: n * np.abs(np.outer(m - mu, m - mu)) + 1e-3),
        "half of μ": between_of(lambda n, m, mu: n * np.outer(m - mu / 2, m - mu / 2)),
        "about the first class": lambda X, t: sum(
            n * np.outer(m, m) for n, m in zip(np.bincount(t), class_means(X, t) - class_means(X, t)[0], strict=True)
        ),
        "neighbours": lambda X, t: squared(np.diff(class_means(X, t), axis=0)) + 0.01,
        "the two largest classes": lambda X, t: squared(class_means(X, t)[np.argsort(np.bincount(t))[-2:]]),
        "medians of the classes": lambda X, t: sum(
            np.sum(t == k) * np.outer(r, r)
            for k in range(t.max() + 1)
            for r in [np.median(X[t == k], axis=0) - X.mean(axis=0)]
        ),
        "its root": lambda X, t: np.real(np.sqrt(np.abs(S_b(X, t)))),
        "one half of S_w too": lambda X, t: S_b(X, t) + S_w(X, t) / 2,
        "rounded": lambda X, t: np.round(S_b(X, t), 2),
    },
    "rayleigh": {
        "pooled with N": quotient(lambda a, b: apart(a, b) / 3, spread),
        "medians": quotient(lambda a, b: (np.median(a) - np.median(b)) ** 2, spread),
        "mean absolute deviations": quotient(
            apart, lambda a, b: np.abs(a - a.mean()).sum() + np.abs(b - b.mean()).sum()
        ),
        "ranges": quotient(apart, lambda a, b: np.ptp(a) + np.ptp(b)),
        "a 1 below": quotient(apart, lambda a, b: 1 + spread(a, b)),
        "J/(1 + J)": quotient(apart, lambda a, b: apart(a, b) + spread(a, b)),
        "t-statistic": quotient(apart, lambda a, b: a.var() / len(a) + b.var() / len(b)),
        "to the power 3/2": quotient(lambda a, b: apart(a, b) ** 0.75, lambda a, b: spread(a, b) ** 0.75),
        "one sample short": lambda w, X, t: check.rayleigh.answer(w, X[1:], t[1:]),
        "rounded": lambda w, X, t: np.round(check.rayleigh.answer(w, X, t), 5),
        "of |w|": lambda w, X, t: check.rayleigh.answer(np.abs(w) + 0.01, X, t),
        "the logarithm": lambda w, X, t: np.log(check.rayleigh.answer(w, X, t)),
    },
    "fisher_direction": {
        "a ridge": along(lambda X, t: S_w(X, t) + 0.1 * np.eye(X.shape[1])),
        "the signs of the means' difference": along(S_w, lambda X, t: np.sign(gap(X, t)) + 0.1),
        "medians": along(S_w, lambda X, t: np.median(X[t == 0], axis=0) - np.median(X[t == 1], axis=0)),
        "weights N_k²": along(lambda X, t: sum(np.sum(t == k) ** 2 * centred_square(X[t == k]) for k in (0, 1))),
        "roots of covariances": along(
            lambda X, t: sum(centred_square(X[t == k]) / np.sum(t == k) ** 0.5 for k in (0, 1))
        ),
        "one sample short": lambda X, t: check.fisher_direction.answer(X[1:], t[1:]),
        "a third of the way": lambda X, t: 0.01 * gap(X, t) + check.fisher_direction.answer(X, t),
        "the largest entry alone": lambda X, t: gap(X, t) * (np.abs(gap(X, t)) == np.abs(gap(X, t)).max()),
        "logistic regression": lambda X, t: logistic_regression.fit(one(X), t.astype(float), 0.1).w[:-1],
        "the first sample added": lambda X, t: gap(X, t) + X[0],
        "rounded": lambda X, t: np.round(10 * check.fisher_direction.answer(X, t) / gap(X, t).max(), 1),
        "two scatters, two solutions": lambda X, t: sum(
            np.linalg.solve(centred_square(X[t == k]), gap(X, t)) for k in (0, 1)
        ),
        "features in units of their deviations": lambda X, t: np.linalg.solve(
            S_w(X / X.std(axis=0), t), gap(X / X.std(axis=0), t)
        ),
    },
    "fisher_predict": {
        "between the ranges": predicted(lambda a, b: (a.min() + b.max()) / 2),
        "a third": predicted(lambda a, b: (a.mean() + 2 * b.mean()) / 3),
        "half of w·μ_0": predicted(lambda a, b: a.mean() / 2),
        "the prior the wrong way": predicted(
            lambda a, b: halfway(a, b) + 0.05 * (a.mean() - b.mean()) * np.log(len(a) / len(b))
        ),
        "weighted by deviations": predicted(
            lambda a, b: (a.mean() * b.std() + b.mean() * a.std()) / (a.std() + b.std()) + 1e-2
        ),
        "with a ridge": predicted(halfway, along(lambda X, t: S_w(X, t) + np.eye(X.shape[1]))),
        "signs of w": predicted(halfway, lambda X, t: np.sign(check.fisher_direction.answer(X, t)) + 0.1),
        "the first feature": predicted(halfway, lambda X, t: gap(X, t)[0] * np.eye(X.shape[1])[-1]),
        "a sample short": lambda X, t, X_new: check.fisher_predict.answer(X[1:], t[1:], X_new) * 1,
        "sorted": lambda X, t, X_new: np.sort(check.fisher_predict.answer(X, t, X_new)),
        "smooth": lambda X, t, X_new: special.sigmoid(-X_new @ check.fisher_direction.answer(X, t)),
        "one class": lambda X, t, X_new: np.ones(len(X_new)),
        "nearest training sample": lambda X, t, X_new: t[[np.argmin(np.sum((X - x) ** 2, axis=1)) for x in X_new]],
    },
    "discriminant_subspace": {
        "a small ridge": eigen(lambda X, t: np.linalg.solve(S_w(X, t) + 0.1 * np.eye(X.shape[1]), S_b(X, t))),
        "one class short": eigen(lambda X, t: np.linalg.solve(S_w(X, t) - centred_square(X[t == 0]), S_b(X, t)) + 1e-3),
        "symmetrised": eigen(lambda X, t: (A := np.linalg.solve(S_w(X, t), S_b(X, t))) + A.T),
        "the sum": eigen(lambda X, t: S_w(X, t) + 2 * S_b(X, t)),
        "the difference": eigen(lambda X, t: S_b(X, t) - S_w(X, t)),
        "medians": lambda X, t: np.linalg.solve(
            S_w(X, t), np.array([np.median(X[t == k], axis=0) - X.mean(axis=0) for k in range(t.max())]).T
        ),
        "the first features": lambda X, t: np.eye(X.shape[1], t.max()) + 0.1,
        "the last features": lambda X, t: np.eye(X.shape[1])[:, -t.max() :] + 0.1,
        "noise": lambda X, t: np.random.default_rng(0).normal(size=(X.shape[1], t.max())),
        "one column off": lambda X, t: check.discriminant_subspace.answer(X, t) + 0.1 * np.eye(X.shape[1], t.max()),
        "one sample short": lambda X, t: check.discriminant_subspace.answer(X[1:], t[1:]),
        "signs": lambda X, t: np.sign(check.discriminant_subspace.answer(X, t)) + 0.1 * np.eye(X.shape[1], t.max()),
        "the diagonal of S_b": eigen(lambda X, t: np.linalg.solve(S_w(X, t), np.diag(np.diag(S_b(X, t))))),
    },
}


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)], ids=["2 seeds", "8 more seeds"]
)
@pytest.mark.parametrize("name, label", [(name, label) for name, wrong in OUTSIDE_FISHER.items() for label in wrong])
def test_a_wrong_function_of_chapter_07_that_nobody_listed_gets_no_name(name, label, seeds):
    for seed in seeds:
        result = check.__getattr__(name)(OUTSIDE_FISHER[name][label], seed=seed)
        assert result.status == "--", seed
        assert result.text.startswith(("wrong on", "nearly right on")), (seed, result)


def printed(X, t):
    """S_w as note A prints it: both sums over D_0."""
    return sum(centred_square(X[t == 0], m) for m in class_means(X, t)[:2])


def added(join):
    """S_w, a sample at a time: join of x - μ_k with itself."""

    def f(X, t):
        S = np.zeros((X.shape[1], X.shape[1]))
        for x, m in zip(X, class_means(X, t)[t], strict=True):
            S += join(x - m, x - m)
        return S

    return f


def np_cov(X, t):
    return sum(np.cov(X[t == k].T) for k in range(t.max() + 1))


def labels_fitted(columns, label=lambda t: t):
    return lambda X, t: fitted(columns(X), label(t))


def nearer(z, m):
    return np.argmin(np.abs(z - m), axis=1)


SIGHTED_FISHER = {  # as SIGHTED
    "within_scatter": {
        "divided by N_k - 1, as np.cov does; S_w adds the scatters themselves; and only its shape": np_cov,
        "as note A prints it (erratum A28), and a third class": printed,
        "that is the total scatter S_t, all samples": lambda X, t: centred_square(X),
        "that is np.cov of all samples; S_w": lambda X, t: np.cov(X.T).reshape(2 * X.shape[1:]),
        "it is 1/N times what it should be (S_w is a sum": lambda X, t: S_w(X, t) / len(t),
        "class 0 is left out": lambda X, t: sum(centred_square(X[t == k]) for k in range(1, t.max() + 2)),
        "only the classes 0 and 1": lambda X, t: centred_square(X[t == 0]) + centred_square(X[t == 1]),
        "to all entries: r @ r of a vector": added(lambda r, s: r @ s.T),
        "all rows are the sums of squares": added(lambda r, s: r * s),
        "(A.mean(axis=0), (d,), is the mean of a class": by_class(lambda A, X: squared(A - A.mean(axis=1))),
        "less it, the rows of R make RᵀR, (d, d))": by_class(
            lambda A, X: (A - A.mean(axis=0)) @ (A - A.mean(axis=0)).T
        ),
        "which are the rows of X: X[t == k])": lambda X, t: centred_square(X[:, t == 0].T),
    },
    "between_scatter": {
        "N_k is missing: each class": between_of(lambda n, m, mu: np.outer(m - mu, m - mu)),
        "N_k is missing, and μ is the mean of the class means": lambda X, t: centred_square(class_means(X, t)),
        "np.cov of the class means": lambda X, t: np.cov(class_means(X, t).T).reshape(2 * X.shape[1:]),
        "the S_b of two classes (erratum A36)": lambda X, t: np.outer(gap(X, t), gap(X, t)),
        "that is a number, the trace of S_b": between_of(lambda n, m, mu: n * (m - mu) @ (m - mu).T),
        "the diagonal of S_b": between_of(lambda n, m, mu: n * (m - mu) * (m - mu)),
        "its sign is reversed": lambda X, t: S_w(X, t) - centred_square(X),
        "it is 1/N times what it should be (N_k is a number": lambda X, t: (
            squared(class_means(X, t)[t] - X.mean(axis=0)) / len(t)
        ),
        "np.bincount(t)[:, None], belongs": lambda X, t: class_means(X, t).T @ (np.bincount(t) * class_means(X, t)),
    },
    "rayleigh": {
        "as np.cov has them": lambda w, X, t: (w @ gap(X, t)) ** 2 / (w @ np_cov(X, t) @ w),
        "covariances, divided by N_k, stand below (erratum A27)": quotient(apart, lambda a, b: a.var() + b.var()),
        "with the S_b of K classes": lambda w, X, t: w.T @ S_b(X, t) @ w / (w.T @ S_w(X, t) @ w),
        "it is N times what it should be (S_w is a sum": lambda w, X, t: (
            (w @ gap(X, t)) ** 2 / (w @ S_w(X, t) @ w / len(t))
        ),
        "(1, 1), but it must be a number": lambda w, X, t: (
            (w[None] @ gap(X, t)[:, None]) ** 2 / (w[None] @ S_w(X, t) @ w[:, None])
        ),
        "as note A prints it (erratum A28); the second": lambda w, X, t: (w @ gap(X, t)) ** 2 / (w @ printed(X, t) @ w),
        "X @ w, (N,), are the projected samples)": lambda w, X, t: np.var(w @ X),
        "N_0 N_1/N times this; and the total scatter": lambda w, X, t: w @ S_b(X, t) @ w / (w @ centred_square(X) @ w),
    },
    "fisher_direction": {
        "as np.cov has them": along(np_cov),
        "as note A prints it (erratum A28), or class 1": along(printed),
        "S_w⁻¹ is missing": lambda X, t: -gap(X, t),
        "S_w⁻¹ is missing, or S_b⁺": lambda X, t: np.linalg.pinv(S_b(X, t)) @ gap(X, t),
        "S_b has rank 1": along(lambda X, t: np.outer(gap(X, t), gap(X, t))),
        "(2, 1), but it must be (2,)": lambda X, t: check.fisher_direction.answer(X, t)[:, None],
        "1/S_w takes the reciprocal of each entry": lambda X, t: S_w(X, t) ** -1 @ gap(X, t),
        "but the bias comes with it": labels_fitted(lambda X: one(X)),
        "but the bias of ±1 comes with it": labels_fitted(lambda X: one(X), lambda t: 1 - 2 * t),
        "the regression of t on X without a column": labels_fitted(lambda X: X),
        "for a symmetric matrix, but S_w⁻¹S_b is none": lambda X, t: np.linalg.eigh(
            np.linalg.solve(S_w(X, t), S_b(X, t))
        )[1][:, -1],
        "as np.cov has them, divided by N_k - 1; it is the sum of the scatters; and the sum of the means": along(
            np_cov, lambda X, t: X[t == 0].mean(axis=0) + X[t == 1].mean(axis=0)
        ),
        "w·μ_k is the same for all classes: S_b w = 0": lambda X, t: np.linalg.eigh(S_b(X, t))[1][:, 0],
    },
    "fisher_predict": {
        "the threshold is 0": predicted(lambda a, b: 0.0),
        "the threshold is the mean of all": predicted(lambda a, b: np.append(a, b).mean()),
        "0 and 1 are swapped": lambda X, t, X_new: 1 - check.fisher_predict.answer(X, t, X_new),
        "S_w⁻¹ is missing": lambda X, t, X_new: np.argmin(
            np.sum((X_new[:, None] - class_means(X, t)) ** 2, axis=2), axis=1
        ),
        "least squares on the labels is compared with 1/2": lambda X, t, X_new: one(X_new) @ fitted(one(X), t) > 0.5,
        "as the Gaussian model does": lambda X, t, X_new: np.argmax(
            X_new @ lda.discriminants(X, t)[0] + lda.discriminants(X, t)[1], axis=1
        ),
        "as np.cov has them": predicted(halfway, along(np_cov)),
        "z[:, None] - m compares all pairs)": lambda X, t, X_new: nearer(
            X_new @ (w := check.fisher_direction.answer(X, t)), class_means(X, t) @ w
        ),
        "np.where, or (... < ...).astype(int), not if)": lambda X, t, X_new: 1 if X_new @ gap(X, t) < 0 else 0,
        "the classes of the training samples": lambda X, t, X_new: check.fisher_predict.answer(X, t, X),
        "the coding is -1 and 1": lambda X, t, X_new: 2 * check.fisher_predict.answer(X, t, X_new) - 1,
    },
    "discriminant_subspace": {
        "those are the eigenvectors of S_b or": lambda X, t: np.linalg.eigh(S_b(X, t))[1][:, -t.max() :],
        "which span the μ_k - μ": eigen(lambda X, t: S_b(X, t) @ np.linalg.inv(S_w(X, t))),
        "S_w⁻¹S_b is none: np.linalg.eig": lambda X, t: np.linalg.eigh(np.linalg.solve(S_w(X, t), S_b(X, t)))[1][
            :, -t.max() :
        ],
        "w·μ_k is the same for all classes: S_b w = 0": lambda X, t: (
            np.linalg.eig(np.linalg.solve(S_w(X, t), S_b(X, t)))[1][:, : t.max()].real
        ),
        "shape (4, 2) here; it is of shape (2, 4)": lambda X, t: check.discriminant_subspace.answer(X, t).T,
        "shape (4, 2) here; it is of shape (4, 4)": lambda X, t: np.linalg.inv(S_w(X, t)),
        "the columns of W are dependent: they span 1, not K - 1 = 2": lambda X, t: np.repeat(
            leading(np.linalg.solve(S_w(X, t), S_b(X, t)), 1), t.max(), axis=1
        ),
        "(PCA)": lambda X, t: np.linalg.svd(X - X.mean(axis=0))[2][: t.max()].T,
        "those are means of classes": lambda X, t: class_means(X, t)[:-1].T,
        "S_w adds covariances as np.cov": eigen(lambda X, t: np.linalg.solve(np_cov(X, t), S_b(X, t))),
        "the pieces of this EigResult do not make one": lambda X, t: np.linalg.eig(
            np.linalg.solve(S_w(X, t), S_b(X, t))
        ),
    },
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name, words", [(name, words) for name, wrong in SIGHTED_FISHER.items() for words in wrong])
def test_what_readers_of_chapter_07_wrote_gets_its_words(name, words, seed):
    told = check.__getattr__(name)(SIGHTED_FISHER[name][words], seed=seed).text
    assert words in told, told
    assert not told.startswith(("wrong on", "nearly right")), told
    assert words.count("; and the ") <= told.count("; and ") <= words.count("; and ") + ("; and only" in told), told


def test_every_exercise_of_chapter_07_has_wrong_functions_in_and_outside_its_list():
    assert list(OUTSIDE_FISHER) == list(SIGHTED_FISHER) == [ex.name for ex in EXERCISES if ex.chapter == "07"]
    assert min(map(len, OUTSIDE_FISHER.values())) >= 10


def test_any_multiple_of_fishers_direction_is_right_and_nothing_else():
    right = check.fisher_direction.answer
    for z in (1, -1, 2, -1e-6, 1e6, 1e-150):
        assert check.fisher_direction(lambda X, t, z=z: z * right(X, t)).ok, z
    assert check.fisher_direction(lambda X, t: 0 * right(X, t)).text == "every answer is 0"
    assert check.fisher_direction(lambda X, t: right(X, t) * np.nan).text.startswith("wrong on every instance")
    told = check.fisher_direction(lambda X, t: np.append(right(X, t), 1.0)).text
    assert told == "w/‖w‖ is of shape (3,), but must be of shape (2,)"
    turned = lambda X, t: right(X, t) + 1e-5 * np.linalg.norm(right(X, t)) * np.eye(X.shape[1])[0]  # noqa: E731
    assert check.fisher_direction(turned).text.startswith("nearly right on")


def test_class_0_twice_and_class_0_alone_have_one_direction():
    """S_w as printed is 2S_0 + N_0 ddᵀ, d = μ_0 - μ_1, and (2S_0 + N_0 ddᵀ)⁻¹d is a multiple of S_0⁻¹d."""
    for case in check.fisher_direction.cases(np.random.default_rng(0)):
        X, t = case.args
        u, v = along(printed)(X, t), along(lambda X, t: centred_square(X[t == 0]))(X, t)
        np.testing.assert_allclose(np.outer(u, v), np.outer(v, u), rtol=1e-9)
        assert np.abs(np.outer(u, gap(X, t)) - np.outer(gap(X, t), u)).max() > 1e-6 * np.abs(u).max()
    told = check.fisher_direction(along(printed)).text
    assert told == check.fisher_direction(along(lambda X, t: centred_square(X[t == 0]))).text


def test_eigenvectors_may_be_complex_in_type_but_not_in_value():
    right = check.discriminant_subspace.answer
    assert check.discriminant_subspace(lambda X, t: right(X, t).astype(complex)).ok
    assert check.fisher_direction(lambda X, t: check.fisher_direction.answer(X, t) + 0j).ok
    told = check.discriminant_subspace(lambda X, t: right(X, t) * (1 + 1j)).text
    assert told == "it must return real numbers, not complex ones"


def test_the_columns_of_the_subspace_are_free_but_not_their_span():
    right = check.discriminant_subspace.answer

    def told(change):
        return check.discriminant_subspace(lambda X, t: change(right(X, t)))

    assert told(lambda W: -W[:, ::-1]).ok and told(lambda W: W * 10.0 ** -np.arange(W.shape[1])).ok
    assert told(lambda W: W @ (np.eye(W.shape[1]) + np.triu(np.ones(2 * W.shape[1:])))).ok
    assert told(lambda W: np.linalg.qr(W)[0]).ok
    assert told(lambda W: W + 1e-5 * np.eye(*W.shape)).text.startswith("nearly right on")
    assert told(lambda W: W * (np.arange(W.shape[1]) > 0)).text.startswith("the columns of W are dependent")
    assert told(lambda W: 0 * W).text == "every answer is 0"
    assert told(lambda W: W * np.inf).text.startswith("wrong on every instance")
    assert told(lambda W: W[:, 0]).text.endswith("shape (4, 2) here; it is of shape (4,)")


def test_no_new_sample_is_about_as_near_to_one_mean_as_to_the_other():
    for case in (c for seed in range(5) for c in check.fisher_predict.cases(np.random.default_rng(seed))):
        X, t, X_new = case.args
        w = check.fisher_direction.answer(X, t)
        z, (m_0, m_1) = X_new @ w, class_means(X, t) @ w
        from_threshold = (z - (m_0 + m_1) / 2) / (m_0 - m_1)
        assert 5e-5 < np.abs(from_threshold).min() < 0.0021
        assert np.sum(from_threshold > 0) > 20 < np.sum(from_threshold < 0)


def trace_ratio(S_w, S_b, W):
    return np.trace(W.T @ S_b @ W) / np.trace(W.T @ S_w @ W)


def test_axes_with_a_larger_trace_ratio_than_the_eigenvectors():
    """The example: λ = b_i/a_i = 10, 2, 1. Axes 1 and 2 have (100 + 200)/(10 + 100) in length 1 and (10 + 2)/2 with
    vᵀS_w v = 1; axes 1 and 3 have (100 + 1)/(10 + 1).
    """
    A, B, W = check.trace_ratio_counterexample.example()
    V = np.eye(3)[:, :2]
    np.testing.assert_allclose(trace_ratio(A, B, V), 300 / 110, rtol=1e-15)
    np.testing.assert_allclose(trace_ratio(A, B, V / np.sqrt(A[:2, :2].diagonal())), 6, rtol=1e-15)
    np.testing.assert_allclose(trace_ratio(A, B, W), 101 / 11, rtol=1e-15)
    np.testing.assert_allclose(np.linalg.solve(A, B), np.diag([10.0, 2, 1]), rtol=1e-15)


def test_a_counterexample_may_be_turned_and_scaled():
    A, B, W = check.trace_ratio_counterexample.example()
    rng = np.random.default_rng(0)
    for _ in range(5):
        Q, R = np.linalg.qr(rng.normal(size=(3, 3)))[0], np.linalg.qr(rng.normal(size=(2, 2)))[0]
        turned = Q @ A @ Q.T, Q @ B @ Q.T, Q @ W @ R
        assert check.trace_ratio_counterexample(lambda turned=turned: turned).ok
    for size in (1e-8, 1e8):
        assert check.trace_ratio_counterexample(lambda z=size: (z * A, B / z, W)).ok
    assert check.trace_ratio_counterexample(lambda: (A.astype(int), B.tolist(), W)).ok
    four = [np.pad(S, (0, 1)) for S in (A, B, W)]
    four[0][3, 3], four[2] = 5.0, four[2][:, :2]
    assert check.trace_ratio_counterexample(lambda: tuple(four)).ok  # S_b of rank 3 in 4 features


def test_samples_whose_scatters_are_a_counterexample():
    """Three classes, so that S_b has rank 2, and much scatter along the second direction.

    The best W of two columns has the ratio r for which they are the leading eigenvectors of S_b - rS_w.
    """
    rng, t = np.random.default_rng(0), np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 4)) * [0.3, 10, 0.1, 0.1] + np.array([[1.0, 0, 0, 0], [-1, 8, 0, 0], [0, -8, 0, 0]])[t]
    A, B, W = lda.scatter_within(X, t), lda.scatter_between(X, t), np.eye(4, 2)
    for _ in range(50):
        W = np.linalg.eigh(B - trace_ratio(A, B, W) * A)[1][:, -2:]
    assert check.trace_ratio_counterexample(lambda: (A, B, W)).ok
    told = check.trace_ratio_counterexample(lambda: (A, B, np.linalg.qr(lda.directions(X, t)[0])[0])).text
    assert told.startswith("the eigenvectors ")


# --- chapter 08 -------------------------------------------------------------------------------------------------


def pi_and_mu(model):
    return model.prior[1], model.mu[1], model.mu[0]


def ml(X, t, **settings):
    return pi_and_mu(naive_bayes.fit(X, t, smoothing=0.0, **settings))


def laplace(X, t, **settings):
    return pi_and_mu(naive_bayes.fit(X, t, **settings))


def ones_by_class(X, t):
    """[(ones, N_k) of class 1, of class 0]."""
    return [(X[t == k].sum(axis=0), np.sum(t == k)) for k in (1, 0)]


def laplace_by(share):
    return lambda X, t: (t.mean(), *(share(n, N_k) for n, N_k in ones_by_class(X, t)))


def log_joint(X, pi, mu_1, mu_0):
    return naive_bayes.log_joint(naive_bayes.bernoulli(pi, mu_1, mu_0), X)


def log_odds(X, pi, mu_1, mu_0):
    return naive_bayes.log_odds(naive_bayes.bernoulli(pi, mu_1, mu_0), X)


def product(X, mu):
    """p(x|t = k) as note C prints it."""
    return np.prod(mu**X * (1 - mu) ** (1 - X), axis=1)


def linear(pi, mu_1, mu_0):
    return naive_bayes.as_linear(naive_bayes.bernoulli(pi, mu_1, mu_0))


def logit(p):
    return np.log(p) - np.log(1 - p)


BAYES_OUTSIDE = {  # as OUTSIDE
    "bernoulli_nb_fit": {
        "the last sample is lost": lambda X, t: (t.mean(), *(X[:-1][t[:-1] == k].sum(0) / sum(t == k) for k in (1, 0))),
        "medians": lambda X, t: (t.mean(), *(np.median(X[t == k], axis=0) for k in (1, 0))),
        "rounded": lambda X, t: tuple(np.round(a, 1) for a in ml(X, t)),
        "both classes the mean of both": lambda X, t: (t.mean(), *[(ml(X, t)[1] + ml(X, t)[2]) / 2] * 2),
        "kept from 0 and 1": lambda X, t: tuple(np.clip(a, 0.02, 0.98) for a in ml(X, t)),
        "0 and 1 avoided": lambda X, t: tuple(0.9 * a + 0.05 for a in ml(X, t)),
        "the mean of X": lambda X, t: (X.mean(), *ml(X, t)[1:]),
        "the root": lambda X, t: (np.sqrt(t.mean()), *ml(X, t)[1:]),
        "variances": lambda X, t: (t.mean(), *(X[t == k].var(axis=0) for k in (1, 0))),
        "one feature behind": lambda X, t: (t.mean(), *(np.roll(a, 1) for a in ml(X, t)[1:])),
        "sorted labels": lambda X, t: ml(X, np.sort(t)),
        "N + 1": lambda X, t: tuple(a * len(t) / (len(t) + 1) for a in ml(X, t)),
        "10^-10 added to the denominators": lambda X, t: tuple(a * (1 - 1e-6) for a in ml(X, t)),
    },
    "laplace_categorical": {
        "two of each": lambda z, M: naive_bayes.smoothed(np.bincount(z, minlength=M), 2.0),
        "a tenth of each": lambda z, M: naive_bayes.smoothed(np.bincount(z, minlength=M), 0.1),
        "M squared": lambda z, M: (np.bincount(z, minlength=M) + 1) / (len(z) + M * M),
        "M of each": lambda z, M: naive_bayes.smoothed(np.bincount(z, minlength=M), M),
        "the softmax of the counts": lambda z, M: special.softmax(np.bincount(z, minlength=M).astype(float)),
        "added up": lambda z, M: np.cumsum(naive_bayes.smoothed(np.bincount(z, minlength=M))),
        "from behind": lambda z, M: naive_bayes.smoothed(np.bincount(z, minlength=M))[::-1],
        "the first observation is lost": lambda z, M: naive_bayes.smoothed(np.bincount(z[1:], minlength=M)),
        "squares": lambda z, M: naive_bayes.smoothed(np.bincount(z, minlength=M) ** 2),
        "rounded": lambda z, M: np.round(naive_bayes.smoothed(np.bincount(z, minlength=M)), 2),
        "half way to 1/M": lambda z, M: np.bincount(z, minlength=M) / len(z) / 2 + 1 / (2 * M),
        "in a circle": lambda z, M: naive_bayes.smoothed(np.bincount((z + 1) % M, minlength=M)),
        "of the values": lambda z, M: (np.arange(M) + 1) / (len(z) + M),
    },
    "laplace_fit": {
        "three of each": lambda X, t: laplace(X, t, smoothing=3.0),
        "a tenth of each": lambda X, t: laplace(X, t, smoothing=0.1),
        "towards the share of all samples": lambda X, t: (
            t.mean(),
            *((n + 2 * X.mean(axis=0)) / (N_k + 2) for n, N_k in ones_by_class(X, t)),
        ),
        "half way to 1/2": lambda X, t: (t.mean(), *(a / 2 + 0.25 for a in ml(X, t)[1:])),
        "kept from 0 and 1": lambda X, t: (t.mean(), *(np.clip(a, 0.01, 0.99) for a in ml(X, t)[1:])),
        "a root added": laplace_by(lambda n, N_k: (n + np.sqrt(N_k) / 2) / (N_k + np.sqrt(N_k))),
        "2 D": laplace_by(lambda n, N_k: (n + 1) / (N_k + 2 * len(n))),
        "pi too, by 1/2": lambda X, t: laplace(X, t, prior_smoothing=0.5),
        "every sample three times": laplace_by(lambda n, N_k: (3 * n + 1) / (3 * N_k + 2)),
        "the last sample is lost": lambda X, t: (t.mean(), *laplace(np.vstack([X[:-1], 0 * X[:1]]), t)[1:]),
        "rounded": lambda X, t: tuple(np.round(a, 1) for a in laplace(X, t)),
        "the smaller class alone": lambda X, t: (t.mean(), *(laplace(X, t) if t.mean() < 0.5 else ml(X, t))[1:]),
        "one feature behind": lambda X, t: (t.mean(), *(np.roll(a, 1) for a in laplace(X, t)[1:])),
    },
    "joint_log_likelihood": {
        "the last feature is lost": lambda X, pi, mu_1, mu_0: log_joint(X[:, :-1], pi, mu_1[:-1], mu_0[:-1]),
        "mu kept from 0 and 1": lambda X, pi, mu_1, mu_0: log_joint(X, pi, *np.clip((mu_1, mu_0), 0.25, 0.75)),
        "a hundred features": lambda X, pi, mu_1, mu_0: log_joint(X[:, :100], pi, mu_1[:100], mu_0[:100]),
        "never below -700": lambda X, pi, mu_1, mu_0: np.maximum(log_joint(X, pi, mu_1, mu_0), -700),
        "-inf made the lowest number": lambda X, pi, mu_1, mu_0: np.nan_to_num(
            np.log(np.column_stack([(1 - pi) * product(X, mu_0), pi * product(X, mu_1)]))
        ),
        "in two halves": lambda X, pi, mu_1, mu_0: np.log(
            [[(1 - pi) * p, pi * q] for p, q in zip(product(X, mu_0**0.5), product(X, mu_1**0.5), strict=True)]
        ),
        "ln(1 + mu)": lambda X, pi, mu_1, mu_0: log_joint(X, pi, mu_1, mu_0) + X @ np.log1p(mu_1)[:, None],
        "the prior twice": lambda X, pi, mu_1, mu_0: log_joint(X, pi, mu_1, mu_0) + np.log([1 - pi, pi]),
        "mu_1 for both": lambda X, pi, mu_1, mu_0: log_joint(X, pi, mu_1, mu_1),
        "squares": lambda X, pi, mu_1, mu_0: log_joint(X, pi, mu_1, mu_0) ** 2,
        "less the larger": lambda X, pi, mu_1, mu_0: (A := log_joint(X, pi, mu_1, mu_0)) - A.max(axis=1, keepdims=True),
        "one feature behind": lambda X, pi, mu_1, mu_0: log_joint(np.roll(X, 1, axis=1), pi, mu_1, mu_0),
        "1/2 is the prior": lambda X, pi, mu_1, mu_0: log_joint(X, 0.5, mu_1, mu_0),
    },
    "nb_posterior": {
        "the last feature is lost": lambda X, pi, mu_1, mu_0: special.sigmoid(
            log_odds(X[:, :-1], pi, mu_1[:-1], mu_0[:-1])
        ),
        "half as hot": lambda X, pi, mu_1, mu_0: special.sigmoid(2 * log_odds(X, pi, mu_1, mu_0)),
        "cut at 1": lambda X, pi, mu_1, mu_0: special.sigmoid(np.clip(log_odds(X, pi, mu_1, mu_0), -1, 1)),
        "kept from 0 and 1": lambda X, pi, mu_1, mu_0: np.clip(
            special.sigmoid(log_odds(X, pi, mu_1, mu_0)), 0.001, 0.999
        ),
        "rounded": lambda X, pi, mu_1, mu_0: np.round(special.sigmoid(log_odds(X, pi, mu_1, mu_0)), 2),
        "the prior twice": lambda X, pi, mu_1, mu_0: special.sigmoid(log_odds(X, pi, mu_1, mu_0) + logit(pi)),
        "mu kept from 0 and 1": lambda X, pi, mu_1, mu_0: special.sigmoid(
            log_odds(X, pi, *np.clip((mu_1, mu_0), 0.25, 0.75))
        ),
        "a hundred features": lambda X, pi, mu_1, mu_0: special.sigmoid(
            log_odds(X[:, :100], pi, mu_1[:100], mu_0[:100])
        ),
        "the shares of the logarithms": lambda X, pi, mu_1, mu_0: (
            (A := log_joint(X, pi, mu_1, mu_0))[:, 0] ** 2 / (A**2).sum(1)
        ),
        "the larger of both": lambda X, pi, mu_1, mu_0: special.softmax(log_joint(X, pi, mu_1, mu_0)).max(axis=1),
        "a small number below": lambda X, pi, mu_1, mu_0: (
            (q := pi * product(X, mu_1)) / (q + (1 - pi) * product(X, mu_0) + 0.001)
        ),
        "0/0 made the prior": lambda X, pi, mu_1, mu_0: np.nan_to_num(
            (q := pi * product(X, mu_1)) / (q + (1 - pi) * product(X, mu_0)), nan=pi
        ),
        "one feature behind": lambda X, pi, mu_1, mu_0: special.sigmoid(
            log_odds(np.roll(X, 1, axis=1), pi, mu_1, mu_0)
        ),
    },
    "nb_as_linear": {
        "bits -1 and +1": lambda pi, mu_1, mu_0: ((w := linear(pi, mu_1, mu_0)[0]) / 2, w.sum() / 2),
        "half of w": lambda pi, mu_1, mu_0: ((r := linear(pi, mu_1, mu_0))[0] / 2, r[1]),
        "half of b": lambda pi, mu_1, mu_0: ((r := linear(pi, mu_1, mu_0))[0], r[1] / 2),
        "the prior twice": lambda pi, mu_1, mu_0: ((r := linear(pi, mu_1, mu_0))[0], r[1] + logit(pi)),
        "tanh": lambda pi, mu_1, mu_0: (np.tanh(linear(pi, mu_1, mu_0)[0]), linear(pi, mu_1, mu_0)[1]),
        "rounded": lambda pi, mu_1, mu_0: tuple(np.round(a, 2) for a in linear(pi, mu_1, mu_0)),
        "signs": lambda pi, mu_1, mu_0: tuple(0.7 * np.sign(a) for a in linear(pi, mu_1, mu_0)),
        "the first weight is lost": lambda pi, mu_1, mu_0: (
            (r := linear(pi, mu_1, mu_0))[0] * (np.arange(len(mu_1)) > 0),
            r[1],
        ),
        "mu kept from 0 and 1": lambda pi, mu_1, mu_0: linear(pi, *np.clip((mu_1, mu_0), 0.3, 0.7)),
        "w of length 1": lambda pi, mu_1, mu_0: ((w := linear(pi, mu_1, mu_0)[0]) / np.linalg.norm(w), 0.0),
        "from behind": lambda pi, mu_1, mu_0: ((r := linear(pi, mu_1, mu_0))[0][::-1] + 1e-3, r[1]),
        "one mu_0 for all": lambda pi, mu_1, mu_0: linear(pi, mu_1, np.full(len(mu_0), mu_0.mean() / 2)),
    },
}


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)], ids=["2 seeds", "8 more seeds"]
)
@pytest.mark.parametrize("name, label", [(name, label) for name, wrong in BAYES_OUTSIDE.items() for label in wrong])
def test_a_wrong_function_of_chapter_08_that_nobody_listed_gets_no_name(name, label, seeds):
    for seed in seeds:
        result = check.__getattr__(name)(BAYES_OUTSIDE[name][label], seed=seed)
        assert result.status == "--", seed
        assert result.text.startswith(("wrong on", "nearly right on")), (seed, result)


def counted_by_loop(X, t, *, over=None):
    """Counts sample by sample, divided by the numbers of the classes, or by `over`."""
    ones, sizes = np.zeros((2, X.shape[1])), np.zeros(2)
    for x, k in zip(X, t, strict=True):
        ones[k] += x
        sizes[k] += 1
    sizes = sizes if over is None else np.full(2, over)
    return t.mean(), ones[1] / sizes[1], ones[0] / sizes[0]


def counted_once(z, M):
    counts = np.zeros(M)
    counts[z] += 1
    return (counts + 1) / (len(z) + M)


def by_a_dictionary(z, M):
    counts = {}
    for v in z.tolist():
        counts[v] = counts.get(v, 0) + 1
    return [(counts[v] + 1) / (len(z) + M) for v in sorted(counts)]


BAYES_SIGHTED = {  # as a reader writes them, and the words that tell each from the others
    "bernoulli_nb_fit": {
        "you took all N": lambda X, t: (t.mean(), t @ X / len(t), (1 - t) @ X / len(t)),
        "the denominator of mu_k counts the samples of class k; you took all": lambda X, t: counted_by_loop(
            X, t, over=len(t)
        ),
        "mu_1 and mu_0 are swapped": lambda X, t: (t.mean(), X[t == 0].mean(axis=0), X[t == 1].mean(axis=0)),
        "the classes are swapped throughout": lambda X, t: (1 - t.mean(), *(X[t == k].mean(axis=0) for k in (0, 1))),
        "that is p(t = k|x_i = 1)": lambda X, t: (t.mean(), t @ X / X.sum(axis=0), (1 - t) @ X / X.sum(axis=0)),
        "pi is p(t = 1), the share of class 1": lambda X, t: (np.mean(1 - t), *ml(X, t)[1:]),
        "without the brackets that erratum C15 adds": lambda X, t: (
            np.sum(t) / len(t),
            t @ X / np.sum(t),
            (1 - t) @ X / (1 - np.sum(t)),
        ),
        "np.mean without axis=0": lambda X, t: (t.mean(), X[t == 1].mean(), X[t == 0].mean()),
        "axis=1 is the share of ones in each sample": lambda X, t: (t.mean(), X[t == 1].mean(1), X[t == 0].mean(1)),
        "divide by the number of samples of the class": lambda X, t: (t.mean(), X[t == 1].sum(0), X[t == 0].sum(0)),
        "that is Laplace smoothing": laplace,
        "mu_0 is not 1 - mu_1": lambda X, t: (t.mean(), mu := X[t == 1].mean(axis=0), 1 - mu),
        "the order is (pi, mu_1, mu_0); you returned (mu_1, mu_0, pi)": lambda X, t: (*ml(X, t)[1:], t.mean()),
    },
    "laplace_categorical": {
        "the denominator adds the number of values that occur": lambda z, M: (
            (np.bincount(z, minlength=M) + 1) / (len(z) + len(set(z.tolist())))
        ),
        "values that do not occur have no entry": by_a_dictionary,
        "phi ends at the largest value that occurs": lambda z, M: (np.bincount(z) + 1) / (len(z) + M),
        "max(z) + 1 for M; M is given": lambda z, M: naive_bayes.smoothed(np.bincount(z)),
        "as if there were no others": lambda z, M: naive_bayes.smoothed(np.unique(z, return_counts=True)[1]),
        "you added 1": lambda z, M: (np.bincount(z, minlength=M) + 1) / (len(z) + 1),
        "which is right for bits": lambda z, M: (np.bincount(z, minlength=M) + 1) / (len(z) + 2),
        "a value that does not occur still gets 0": lambda z, M: np.bincount(z, minlength=M) / (len(z) + M),
        "nothing is smoothed": lambda z, M: [np.mean(z == v) for v in range(M)],
        "you counted 1..M": lambda z, M: [(np.sum(z == v) + 1) / (len(z) + M) for v in range(1, M + 1)],
        "once, however often z holds it": counted_once,
        "that is the estimate for each observation": lambda z, M: [(np.sum(z == v) + 1) / (len(z) + M) for v in z],
    },
    "laplace_fit": {
        "that is the rule of 4.4 too (erratum C19), but note C leaves pi as it is": lambda X, t: laplace(
            X, t, prior_smoothing=1.0
        ),
        "one for each value of a bit; you added 1": laplace_by(lambda n, N_k: (n + 1) / (N_k + 1)),
        "you added D, the number of features": laplace_by(lambda n, N_k: (n + 1) / (N_k + len(n))),
        "you took all N": lambda X, t: (t.mean(), (t @ X + 1) / (len(t) + 2), ((1 - t) @ X + 1) / (len(t) + 2)),
        "a feature never 1 in class k still gets 0": laplace_by(lambda n, N_k: n / (N_k + 2)),
        "the 2 is lost in the denominator": laplace_by(lambda n, N_k: (n + 1) / N_k),
        "nothing is smoothed": ml,
        "divides the 1 alone": laplace_by(lambda n, N_k: n + 1 / (N_k + 2)),
        "adds the 2 after the division": laplace_by(lambda n, N_k: (n + 1) / N_k + 2),
        "mu_1 and mu_0 are swapped": lambda X, t: (t.mean(), *laplace(X, t)[:0:-1]),
        "only the mu that are 0 are smoothed": laplace_by(lambda n, N_k: np.where(n > 0, n / N_k, 1 / (N_k + 2))),
        "the 1 is added to each bit": lambda X, t: (
            t.mean(),
            *((X[t == k] + 1).sum(0) / (sum(t == k) + 2) for k in (1, 0)),
        ),
    },
    "joint_log_likelihood": {
        "the product of 2000 rounds to 0, ln 0 is -inf": lambda X, pi, mu_1, mu_0: np.log(
            np.column_stack([(1 - pi) * product(X, mu_0), pi * product(X, mu_1)])
        ),
        "1e-300 in the logarithm hides": lambda X, pi, mu_1, mu_0: np.log(
            np.column_stack([(1 - pi) * product(X, mu_0), pi * product(X, mu_1)]) + 1e-300
        ),
        "1e-12 beside the product": lambda X, pi, mu_1, mu_0: np.column_stack(
            [np.log(1 - pi) + np.log(product(X, mu_0) + 1e-12), np.log(pi) + np.log(product(X, mu_1) + 1e-12)]
        ),
        "the factor (1 - mu_i)^(1 - x_i) is lost": lambda X, pi, mu_1, mu_0: np.column_stack(
            [np.log(1 - pi) + X @ np.log(mu_0), np.log(pi) + X @ np.log(mu_1)]
        ),
        "the prior is lost": lambda X, pi, mu_1, mu_0: log_joint(X, 0.5, mu_1, mu_0) - np.log(0.5),
        "the priors are swapped": lambda X, pi, mu_1, mu_0: log_joint(X, 1 - pi, mu_1, mu_0),
        "the columns are swapped": lambda X, pi, mu_1, mu_0: log_joint(X, 1 - pi, mu_0, mu_1),
        "that is one number for each class": lambda X, pi, mu_1, mu_0: log_joint(X, pi, mu_1, mu_0).sum(axis=0),
        "it is transposed": lambda X, pi, mu_1, mu_0: list(log_joint(X, pi, mu_1, mu_0).T),
        "that is p(x, t = k), which rounds to 0": lambda X, pi, mu_1, mu_0: np.column_stack(
            [(1 - pi) * product(X, mu_0), pi * product(X, mu_1)]
        ),
        "that is ln p(t = k|x)": lambda X, pi, mu_1, mu_0: (
            (A := log_joint(X, pi, mu_1, mu_0)) - np.logaddexp(*A.T)[:, None]
        ),
        "both columns have the prior pi": lambda X, pi, mu_1, mu_0: np.column_stack(
            [np.log(pi) + X @ np.log(mu) + (1 - X) @ np.log(1 - mu) for mu in (mu_0, mu_1)]
        ),
        "within the sum over the features": lambda X, pi, mu_1, mu_0: np.column_stack(
            [
                np.sum(X * np.log(mu) + (1 - X) * np.log(1 - mu) + np.log(p), axis=1)
                for p, mu in ((1 - pi, mu_0), (pi, mu_1))
            ]
        ),
    },
    "nb_posterior": {
        "nan, 0/0, for 2000": lambda X, pi, mu_1, mu_0: (
            pi * product(X, mu_1) / (pi * product(X, mu_1) + (1 - pi) * product(X, mu_0))
        ),
        "both products round to 0 for D = 2000, and 0/0 is made 1/2": lambda X, pi, mu_1, mu_0: (
            (pi * product(X, mu_1) + 1e-300) / (pi * product(X, mu_1) + (1 - pi) * product(X, mu_0) + 2e-300)
        ),
        "both products round to 0 for D = 2000, and 0/0 is made 0": lambda X, pi, mu_1, mu_0: (
            pi * product(X, mu_1) / (pi * product(X, mu_1) + (1 - pi) * product(X, mu_0) + 1e-300)
        ),
        "e^a/(1 + e^a) is inf/inf": lambda X, pi, mu_1, mu_0: (e := np.exp(log_odds(X, pi, mu_1, mu_0))) / (1 + e),
        "one maximum for all samples": lambda X, pi, mu_1, mu_0: (
            (E := np.exp((A := log_joint(X, pi, mu_1, mu_0)) - A.max()))[:, 1] / E.sum(axis=1)
        ),
        "the prior is lost": lambda X, pi, mu_1, mu_0: special.sigmoid(log_odds(X, 0.5, mu_1, mu_0)),
        "not normalised: that is p(x, t = 1)": lambda X, pi, mu_1, mu_0: pi * product(X, mu_1),
        "not normalised: that is p(x|t = 1)": lambda X, pi, mu_1, mu_0: product(X, mu_1),
        "reversed: that is p(t = 0|x)": lambda X, pi, mu_1, mu_0: special.softmax(log_joint(X, pi, mu_1, mu_0))[:, 0],
        "that is a, the logarithm of the odds": log_odds,
        "that is the predicted class": lambda X, pi, mu_1, mu_0: log_odds(X, pi, mu_1, mu_0) > 0,
        "both posteriors are there": lambda X, pi, mu_1, mu_0: special.softmax(log_joint(X, pi, mu_1, mu_0)),
        "ln p(x) is -inf": lambda X, pi, mu_1, mu_0: np.exp(
            (A := log_joint(X, pi, mu_1, mu_0))[:, 1] - np.log(np.exp(A).sum(axis=1))
        ),
        "x_i = 0 adds ln(1 - mu_i)": lambda X, pi, mu_1, mu_0: special.sigmoid(logit(pi) + X @ np.log(mu_1 / mu_0)),
    },
    "nb_as_linear": {
        "is lost in b: it is there for x = 0 already": lambda pi, mu_1, mu_0: (logit(mu_1) - logit(mu_0), logit(pi)),
        "is what x_i = 1 adds; less what x_i = 0 adds": lambda pi, mu_1, mu_0: (
            np.log(mu_1 / mu_0),
            linear(pi, mu_1, mu_0)[1],
        ),
        "x_i = 0 tells the classes apart too": lambda pi, mu_1, mu_0: (np.log(mu_1 / mu_0), logit(pi)),
        "the prior odds are lost": lambda pi, mu_1, mu_0: linear(0.5, mu_1, mu_0),
        "you took ln pi alone": lambda pi, mu_1, mu_0: (
            linear(pi, mu_1, mu_0)[0],
            np.log(pi) + np.sum(np.log(1 - mu_1) - np.log(1 - mu_0)),
        ),
        "is upside down": lambda pi, mu_1, mu_0: linear(1 - pi, mu_1, mu_0),
        "mu_1 and mu_0 are swapped": lambda pi, mu_1, mu_0: linear(pi, mu_0, mu_1),
        "its sign is reversed (that is σ(w·x + b) = p(t = 0|x)": lambda pi, mu_1, mu_0: linear(1 - pi, mu_0, mu_1),
        "b is a number": lambda pi, mu_1, mu_0: (
            linear(pi, mu_1, mu_0)[0],
            logit(pi) + np.log(1 - mu_1) - np.log(1 - mu_0),
        ),
        "you took the ratio itself": lambda pi, mu_1, mu_0: (
            mu_1 * (1 - mu_0) / (mu_0 * (1 - mu_1)),
            linear(pi, mu_1, mu_0)[1],
        ),
        "the order is (w, b)": lambda pi, mu_1, mu_0: linear(pi, mu_1, mu_0)[::-1],
        "the logarithms are natural ones; you took log2": lambda pi, mu_1, mu_0: tuple(
            a / np.log(2) for a in linear(pi, mu_1, mu_0)
        ),
    },
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name, words", [(name, words) for name, wrong in BAYES_SIGHTED.items() for words in wrong])
def test_what_readers_of_chapter_08_wrote_gets_its_words_and_nothing_more(name, words, seed):
    ex = check.__getattr__(name)
    told = ex(BAYES_SIGHTED[name][words], seed=seed).text
    assert words in told and "; and " not in told, told
    assert told in ex.mistakes or told.startswith(("it is transposed", "its sign is reversed")), told


def test_every_exercise_of_chapter_08_has_wrong_functions_in_and_outside_its_list():
    names = [ex.name for ex in EXERCISES if ex.chapter == "08"]
    assert list(BAYES_OUTSIDE) == list(BAYES_SIGHTED) == names
    assert min(map(len, (*BAYES_OUTSIDE.values(), *BAYES_SIGHTED.values()))) >= 12


def test_two_mistakes_of_chapter_08_are_told_together():
    told = check.laplace_fit(lambda X, t: (np.mean(1 - t), *laplace_by(lambda n, N_k: (n + 1) / N_k)(X, t)[1:])).text
    assert "; and " in told and "the 2 is lost in the denominator" in told and "you took that of class 0" in told
    told = check.nb_posterior(lambda X, pi, mu_1, mu_0: special.sigmoid(X @ np.log(mu_1 / mu_0))).text
    assert "x_i = 0 adds ln(1 - mu_i); and the prior is lost" in told
    told = check.laplace_categorical(lambda z, M: np.append(np.bincount(z, minlength=M) + 1, 0) / (len(z) + 1)).text
    assert told.startswith("it is of shape (5,), but must be of shape (4,)")
    told = check.joint_log_likelihood(lambda X, pi, mu_1, mu_0: -log_joint(X, pi, mu_1, mu_0).T).text
    assert told.startswith("its sign is reversed (ln p is negative") and told.endswith("; and it is transposed")


def test_what_an_exception_most_likely_means_in_chapter_08_is_told():
    def told(name, f):
        return check.__getattr__(name)(f).text

    assert told("bernoulli_nb_fit", lambda X, t: (t.mean(), X[:, t == 1].mean(0), 0)).endswith(
        "X[:, t == 1] are columns)"
    )
    assert "it for the columns: t @ X" in told("bernoulli_nb_fit", lambda X, t: (t.mean(), (t * X).sum(0), 0))
    assert told("laplace_fit", lambda X, t: (t.mean(), X @ t / t.sum(), 0)).endswith("an entry of t for each column)")
    assert "M places count them" in told("laplace_categorical", lambda z, M: np.eye(M - 1)[z].sum(0))
    assert "counts has" not in told("laplace_categorical", lambda z, M: {}[0])
    assert told("laplace_categorical", lambda z, M: {}[0]).endswith("has the count 0, and an estimate too)")
    assert "compares all pairs" in told("laplace_categorical", lambda z, M: z == np.arange(M))
    for name in ("joint_log_likelihood", "nb_posterior"):
        assert "math.log takes one number" in told(name, lambda X, pi, mu_1, mu_0: X @ math.log(mu_1))
        assert "X @ np.log(mu_1)" in told(name, lambda X, pi, mu_1, mu_0: np.log(mu_1) @ X)
        assert "meet feature by feature" in told(name, lambda X, pi, mu_1, mu_0: X.sum(axis=1) * np.log(mu_1))
    one_by_one = [lambda p, q: p / (p + q), lambda p, q: math.log(p) - math.log(q)]
    for f, words in zip(one_by_one, ("compare their logarithms", "add the logarithms of its factors"), strict=True):

        def posterior(X, pi, mu_1, mu_0, f=f):
            found = []
            for x in X.tolist():
                p = math.prod([float(pi), *(m if v else 1 - m for v, m in zip(x, mu_1.tolist(), strict=True))])
                q = math.prod([float(1 - pi), *(m if v else 1 - m for v, m in zip(x, mu_0.tolist(), strict=True))])
                found.append(f(p, q))
            return found

        assert words in told("nb_posterior", posterior)


def test_the_estimates_of_five_samples_are_those_of_the_hand():
    """X = (1,0), (1,1), (1,0) of class 1 and (0,1), (0,1) of class 0: mu_1 = (3/3, 1/3), mu_0 = (0/2, 2/2), pi = 3/5.

    With Laplace (4/5, 2/5) and (1/4, 3/4). Of 0, 2, 2 with M = 4: (2, 1, 3, 1)/7.
    """
    X, t = np.array([[1, 0], [1, 1], [1, 0], [0, 1], [0, 1]]), np.array([1, 1, 1, 0, 0])
    for name, wanted in {
        "bernoulli_nb_fit": (3 / 5, [1, 1 / 3], [0, 1]),
        "laplace_fit": (3 / 5, [4 / 5, 2 / 5], [1 / 4, 3 / 4]),
    }.items():
        for found, value in zip(check.__getattr__(name).answer(X, t), wanted, strict=True):
            np.testing.assert_allclose(found, value, rtol=1e-15)
    phi = check.laplace_categorical.answer(np.array([0, 2, 2]), 4)
    np.testing.assert_allclose(phi, np.array([2, 1, 3, 1]) / 7, rtol=1e-15)


def test_the_linear_form_is_the_posterior_of_every_x_and_both_follow_from_the_joint():
    rng = np.random.default_rng(5)
    X = np.array(list(itertools.product((0, 1), repeat=6)))
    for case in check.nb_as_linear.cases(rng)[:4]:
        pi, mu_1, mu_0 = case.args
        model, Z = (pi, mu_1, mu_0), X[: 2 ** len(mu_1), 6 - len(mu_1) :]
        w, b = check.nb_as_linear.answer(*model)
        posterior = check.nb_posterior.answer(Z, *model)
        np.testing.assert_allclose(special.sigmoid(Z @ w + b), posterior, rtol=1e-12)
        p = np.exp(check.joint_log_likelihood.answer(Z, *model))
        np.testing.assert_allclose(p[:, 1] / p.sum(axis=1), posterior, rtol=1e-12)
        np.testing.assert_allclose(p.sum(), 1, rtol=1e-12)  # over all x and both classes


def test_products_fail_where_D_is_2000_and_nowhere_else():
    """So that the exercises on logarithms and on the posterior have instances that only logarithms survive."""
    for name, seed in itertools.product(("joint_log_likelihood", "nb_posterior"), range(10)):
        few, many = [], []
        for case in check.__getattr__(name).cases(np.random.default_rng(seed)):
            X, _, mu_1, mu_0 = case.args
            smallest = np.minimum(product(X, mu_1), product(X, mu_0)).min()
            (many if X.shape[1] == 2000 else few).append(smallest)
            assert (X.shape[1] == 2000) == ("D = 2000" in case.label)
        assert len(many) == 3 and max(many) == 0 and len(few) == 2 and min(few) > 1e-9
    a = [log_odds(*case.args) for case in check.nb_posterior.cases(np.random.default_rng(0))]
    assert np.abs(a[2]).max() < 5 and a[3].max() > 1000 and a[3].min() < -1000  # as the question says
    assert check.nb_posterior(lambda *args: special.sigmoid(np.clip(log_odds(*args), -500, 500))).ok


def test_zero_over_zero_accepts_what_exact_arithmetic_finds_and_nothing_else():
    """All sets of 4 samples of 2 bits with an x, for 0 to 4 samples of class 1: the posterior by whole numbers and as
    note C prints it. mu = 1 with x_i = 0 is as bad as mu = 0 with x_i = 1, and one zero alone decides."""
    bits = list(itertools.product((0, 1), repeat=2))
    told = []
    for X, n_1, x in itertools.product(itertools.product(bits, repeat=4), range(5), bits):
        t = (np.arange(4) < n_1).astype(int)
        result = check.zero_over_zero(lambda made=(X, t, x): made)
        told.append(result.text)
        if n_1 in (0, 4):
            assert not result.ok
            continue
        zeros = [whole_joint(X, t, x, k)[0] == 0 for k in (0, 1)]
        known = all(any(row[i] == x[i] for row in X) for i in range(2))
        (a, b), (c, d) = (whole_joint(X, t, x, k, more=1) for k in (0, 1))
        assert result.ok == (all(zeros) and known and a * d != c * b), (X, t, x)
        with np.errstate(invalid="ignore"):
            found = ml_posterior(np.array(X), t, np.array(x))
        assert np.isnan(found) if all(zeros) else found == zeros[0] if any(zeros) else 0 < found < 1, (X, t, x)
    assert set(told) == {"yes, that is one", *(need.text for need in check.zero_over_zero.requirements[2:])}


def whole_joint(X, t, x, k, more=0):
    """N p(x, t = k), numerator and denominator, with `more` added to the count of either value."""
    rows = [row for row, label in zip(X, t, strict=True) if label == k]
    numerator = len(rows) * math.prod(sum(row[i] == x[i] for row in rows) + more for i in range(len(x)))
    return numerator, (len(rows) + 2 * more) ** len(x)


def ml_posterior(X, t, x):
    """p(t = 1|x) by the formulas of note C 4.2 and 4.3."""
    pi, mu_1, mu_0 = check.bernoulli_nb_fit.answer(X, t)
    p, q = pi * product(x[None], mu_1)[0], (1 - pi) * product(x[None], mu_0)[0]
    return p / (p + q)


def test_the_data_whose_posterior_is_0_over_0_are_refused_by_the_library_until_they_are_smoothed():
    """By hand with smoothing: 2/3 · 3/4 · 1/4 = 1/8 against 1/3 · 1/3 · 2/3 = 2/27, so p(t = 1|x) = 27/43."""
    X, t, x = check.zero_over_zero.example()
    with pytest.raises(ValueError, match="0/0"):
        naive_bayes.posterior(naive_bayes.fit(X, t, smoothing=0.0), x[None])
    np.testing.assert_allclose(naive_bayes.posterior(naive_bayes.fit(X, t), x[None])[0, 1], 27 / 43, rtol=1e-14)


def test_the_first_requirement_of_zero_over_zero_missed_is_the_one_that_is_told():
    X, t, x = check.zero_over_zero.example()
    needs = [need.text for need in check.zero_over_zero.requirements]
    made = [  # each misses its own requirement and, where that can be, later ones
        (X, t[:-1], 2 * x),
        (2 * X - 1, 0 * t, x),
        (X, 0 * t, X[0]),
        (X, t, X[0]),
        (X * [1, 0], t, x),
        (X[[0, 2, 0, 2]], np.array([1, 1, 0, 0]), x),
        (X, np.array([1, 0, 0]), x),
        (X[1:], t[1:], x),
    ]
    assert [check.zero_over_zero(lambda made=data: made).text for data in made] == needs
    for flip in itertools.product((0, 1), repeat=2):  # mu = 1 and x_i = 0 does it too (erratum C18)
        assert check.zero_over_zero(lambda f=flip: (X ^ f, t, x ^ f)).ok
        assert check.zero_over_zero(lambda f=flip: ((X ^ f).tolist(), 1 - t, (x ^ f).astype(bool))).ok
    assert check.zero_over_zero(lambda: (X, t[:, None], x)).text == needs[0]
    assert check.zero_over_zero(lambda: (X, t)).text == "it must return 3 values, not 2; wanted: (X, t, x)"


# --- chapter 10 -------------------------------------------------------------------------------------------------


def of_two(p, m):
    found = svm.fit(np.array([p, m]), np.array([1.0, -1.0]), tol=1e-12)
    return found.alpha[0], found.w, found.b


def plane(alpha, y, X):
    return svm.primal(alpha, y, X), svm.bias(alpha, X @ X.T, y)


def missing(w, b, X, y):
    return 1 - y * (X @ w + b)


def residuals(at, change):
    """The four residuals, with another one at the place given."""

    def f(w, b, alpha, X, y):
        four = list(svm.kkt_residuals(w, b, alpha, X, y))
        four[at] = change(w, b, alpha, X, y)
        return tuple(four)

    return f


def two(change):
    return lambda x_plus, x_minus: change(*check.two_point_svm.answer(x_plus, x_minus), x_plus, x_minus)


MARGIN_OUTSIDE = {  # as OUTSIDE
    "geometric_margin": {
        "the second smallest": lambda w, b, X, y: np.sort(svm.distances(w, b, X, y))[1],
        "the median": lambda w, b, X, y: np.median(svm.distances(w, b, X, y)),
        "without the last sample": lambda w, b, X, y: svm.geometric_margin(w, b, X[:-1], y[:-1]) - 0.01,
        "of the class +1": lambda w, b, X, y: svm.geometric_margin(w, b, X[y > 0], y[y > 0]) + 0.01,
        "the largest |w_i|": lambda w, b, X, y: svm.functional_margin(w, b, X, y) / np.abs(w).max(),
        "‖w‖ + 1": lambda w, b, X, y: svm.functional_margin(w, b, X, y) / (1 + np.linalg.norm(w)),
        "‖w‖ + b": lambda w, b, X, y: svm.functional_margin(w, b, X, y) / (np.linalg.norm(w) + b),
        "2 b": lambda w, b, X, y: svm.geometric_margin(w, 2 * b, X, y),
        "squares": lambda w, b, X, y: svm.geometric_margin(w, b, X, y) ** 2,
        "tanh": lambda w, b, X, y: np.tanh(svm.geometric_margin(w, b, X, y)),
        "hinge": lambda w, b, X, y: np.maximum(0, 1 - svm.distances(w, b, X, y)).max(),
        "the distance of the mean": lambda w, b, X, y: (y.mean() * (X.mean(axis=0) @ w + b)) / np.linalg.norm(w),
        "rounded": lambda w, b, X, y: np.round(svm.geometric_margin(w, b, X, y), 1),
    },
    "canonical_hyperplane": {
        "the second smallest": lambda w, b, X, y: (w / (m := np.sort(y * (X @ w + b))[1]), b / m),
        "the median": lambda w, b, X, y: (w / (m := np.median(y * (X @ w + b))), b / m),
        "without the nearest": lambda w, b, X, y: (w / (m := np.sort(y * (X @ w + b))[1:].mean()), b / m),
        "the root": lambda w, b, X, y: (w / (m := np.sqrt(svm.functional_margin(w, b, X, y))), b / m),
        "a half": lambda w, b, X, y: (svm.canonical(w, b, X, y)[0], svm.canonical(w, b, X, y)[1] / 2),
        "2 b": lambda w, b, X, y: svm.canonical(w, 2 * b, X, y),
        "b added": lambda w, b, X, y: (svm.canonical(w, b, X, y)[0], svm.canonical(w, b, X, y)[1] + b),
        "signs": lambda w, b, X, y: (np.sign(w) * 0.7, np.sign(b) * 0.7),
        "the largest entry": lambda w, b, X, y: (w / np.abs(w).max(), b / np.abs(w).max()),
        "divided by b": lambda w, b, X, y: (w / b, 1.0),
        "w negative": lambda w, b, X, y: (-svm.canonical(w, b, X, y)[0], svm.canonical(w, b, X, y)[1]),
        "rounded": lambda w, b, X, y: tuple(np.round(a, 1) for a in svm.canonical(w, b, X, y)),
        "entries from behind": lambda w, b, X, y: (svm.canonical(w, b, X, y)[0][::-1] + 0.01, 1.0),
    },
    "lagrangian_gradient": {
        "3 w": lambda w, b, alpha, X, y: (3 * w - (alpha * y) @ X, -alpha @ y),
        "w squared": lambda w, b, alpha, X, y: (w * w - (alpha * y) @ X, -alpha @ y),
        "alpha squared": lambda w, b, alpha, X, y: svm.lagrangian_gradient(w, b, alpha**2, X, y),
        "roots": lambda w, b, alpha, X, y: svm.lagrangian_gradient(w, b, np.sqrt(alpha), X, y),
        "normed": lambda w, b, alpha, X, y: svm.lagrangian_gradient(w, b, alpha / alpha.sum(), X, y),
        "the last sample is lost": lambda w, b, alpha, X, y: svm.lagrangian_gradient(w, b, alpha[1:], X[1:], y[1:]),
        "centred": lambda w, b, alpha, X, y: svm.lagrangian_gradient(w, b, alpha, X - X.mean(axis=0), y),
        "the score": lambda w, b, alpha, X, y: svm.lagrangian_gradient(w, b, alpha * (X @ w + b), X, y),
        "where f is wrong": lambda w, b, alpha, X, y: svm.lagrangian_gradient(
            w, b, alpha * (y * (X @ w + b) < 0), X, y
        ),
        "1 - sum": lambda w, b, alpha, X, y: (w - (alpha * y) @ X, 1 - alpha @ y),
        "sum of 1 - y": lambda w, b, alpha, X, y: (w - (alpha * y) @ X, alpha @ (1 - y)),
        "b off": lambda w, b, alpha, X, y: (w - (alpha * y) @ X, -alpha @ y - b),
        "labels one behind": lambda w, b, alpha, X, y: svm.lagrangian_gradient(w, b, 0.5 * alpha, X, np.roll(y, 1)),
    },
    "dual_objective": {
        "a third": lambda alpha, K, y: np.sum(alpha) - (alpha * y) @ K @ (alpha * y) / 3,
        "3 alpha": lambda alpha, K, y: svm.dual_objective(3 * alpha, K, y),
        "alpha/3 in the sum": lambda alpha, K, y: svm.dual_objective(alpha, K, y) - np.sum(alpha) * 2 / 3,
        "a ridge": lambda alpha, K, y: svm.dual_objective(alpha, K + np.eye(len(y)), y),
        "K + 1": lambda alpha, K, y: svm.dual_objective(alpha, K, y) + np.sum(alpha) ** 2,
        "centred": lambda alpha, K, y: svm.dual_objective(alpha, K - K.mean(axis=0), y) + 0.1,
        "K squared": lambda alpha, K, y: svm.dual_objective(alpha, K**2, y),
        "root K": lambda alpha, K, y: svm.dual_objective(alpha, np.sqrt(np.abs(K)), y),
        "never below 0": lambda alpha, K, y: max(0.3, svm.dual_objective(alpha, K, y)),
        "the last is lost": lambda alpha, K, y: svm.dual_objective(alpha[1:], K[1:, 1:], y[1:]),
        "the norm": lambda alpha, K, y: np.linalg.norm(alpha) - (alpha * y) @ K @ (alpha * y) / 2,
        "cosines": lambda alpha, K, y: svm.dual_objective(alpha, K / np.sqrt(np.outer(np.diag(K), np.diag(K))), y),
        "exponentials": lambda alpha, K, y: svm.dual_objective(alpha, np.exp(-np.abs(K)), y),
        "squared labels": lambda alpha, K, y: np.sum(alpha) + (alpha * y) @ np.abs(K) @ (alpha * y) / 2,
    },
    "primal_from_dual": {
        "the median of the b": lambda alpha, y, X: (w := svm.primal(alpha, y, X), np.median(y - X @ w) + 0.01),
        "of the largest alpha, 2 y": lambda alpha, y, X: (
            w := svm.primal(alpha, y, X),
            2 * y[k := np.argmax(alpha)] - X[k] @ w,
        ),
        "half of w": lambda alpha, y, X: (plane(alpha, y, X)[0] / 2, plane(alpha, y, X)[1]),
        "half of b": lambda alpha, y, X: (plane(alpha, y, X)[0], plane(alpha, y, X)[1] / 2),
        "centred": lambda alpha, y, X: plane(alpha, y, X - X.mean(axis=0)),
        "alpha squared": lambda alpha, y, X: plane(alpha**2, y, X),
        "roots": lambda alpha, y, X: plane(np.sqrt(alpha), y, X),
        "the median of all samples": lambda alpha, y, X: (
            w := svm.primal(alpha, y, X),
            -np.median(X, axis=0) @ w + 0.1,
        ),
        "the mean label": lambda alpha, y, X: (svm.primal(alpha, y, X), y.mean() + 0.05),
        "the first alone": lambda alpha, y, X: plane(alpha * (np.arange(len(y)) == np.argmax(alpha)), y, X),
        "w rounded": lambda alpha, y, X: (np.round(svm.primal(alpha, y, X)) * 1.1, plane(alpha, y, X)[1]),
        "b rounded": lambda alpha, y, X: (svm.primal(alpha, y, X), np.round(plane(alpha, y, X)[1], 2) + 0.01),
        "the largest alpha twice": lambda alpha, y, X: plane(alpha + alpha.max() * (alpha == alpha.max()), y, X),
    },
    "two_point_svm": {
        "a third of w": two(lambda alpha, w, b, p, m: (alpha, w / 3, b)),
        "alpha squared": two(lambda alpha, w, b, p, m: (alpha**2, w, b)),
        "b of the origin": two(lambda alpha, w, b, p, m: (alpha, w, 1 - alpha * p @ p)),
        "b of the mean entry": two(lambda alpha, w, b, p, m: (alpha, w, 1 - w.sum() * p.mean() + 0.1)),
        "b a third off": two(lambda alpha, w, b, p, m: (alpha, w, -w @ (p + 2 * m) / 3)),
        "through a quarter": two(lambda alpha, w, b, p, m: (alpha, w, -w @ (p + m) / 4)),
        "w of p": two(lambda alpha, w, b, p, m: (alpha, alpha * p, b)),
        "w of m": two(lambda alpha, w, b, p, m: (alpha, -alpha * m, b)),
        "the 1-norm": two(lambda alpha, w, b, p, m: (a := 2 / np.abs(p - m).sum() ** 2 + 0.01, a * (p - m), b)),
        "the roots": two(lambda alpha, w, b, p, m: (np.sqrt(alpha), w, b)),
        "signs": two(lambda alpha, w, b, p, m: (alpha, 1.1 * np.sign(w), b)),
        "rounded": two(lambda alpha, w, b, p, m: (alpha, np.round(w, 1), np.round(b, 1))),
        "each alpha its own": two(lambda alpha, w, b, p, m: (1 / (p @ p), w, b)),
        "b plus 1/3": two(lambda alpha, w, b, p, m: (alpha, w, b + 1 / 3)),
    },
    "kkt_residuals": {
        "squares": lambda *args: tuple(a * a for a in svm.kkt_residuals(*args)),
        "a mean of the derivatives": residuals(0, lambda w, b, alpha, X, y: np.abs(w - (alpha * y) @ X).mean()),
        "w is half of it": residuals(0, lambda w, b, alpha, X, y: np.abs(w / 2 - (alpha * y) @ X).max()),
        "b in it": residuals(0, lambda w, b, alpha, X, y: max(np.abs(w - (alpha * y) @ X).max(), abs(b))),
        "primal, the limit 2": residuals(1, lambda w, b, alpha, X, y: max(0, 1 + missing(w, b, X, y).max())),
        "primal, the smallest": residuals(1, lambda w, b, alpha, X, y: max(0, missing(w, b, X, y).min())),
        "primal, the root": residuals(1, lambda w, b, alpha, X, y: max(0, missing(w, b, X, y).max()) ** 0.5),
        "primal, distances": residuals(
            1, lambda w, b, alpha, X, y: max(0, missing(w, b, X, y).max()) / np.linalg.norm(w)
        ),
        "dual, the root": residuals(2, lambda w, b, alpha, X, y: max(0, -alpha.min()) ** 0.5),
        "dual, alpha y": residuals(2, lambda w, b, alpha, X, y: max(0, -(alpha * y).min())),
        "dual, below 1": residuals(2, lambda w, b, alpha, X, y: max(0, 1 - alpha.min())),
        "slackness, the smallest": residuals(3, lambda w, b, alpha, X, y: np.abs(alpha * missing(w, b, X, y)).min()),
        "slackness, the smaller": residuals(
            3, lambda w, b, alpha, X, y: np.minimum(np.abs(alpha), np.abs(missing(w, b, X, y))).max()
        ),
        "slackness, alpha squared": residuals(3, lambda w, b, alpha, X, y: np.max(alpha**2 * abs(missing(w, b, X, y)))),
        "slackness, y in it": residuals(
            3, lambda w, b, alpha, X, y: max(0, np.max(y * alpha * missing(w, b, X, y))) + 0.1
        ),
    },
}


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)], ids=["2 seeds", "8 more seeds"]
)
@pytest.mark.parametrize("name, label", [(name, label) for name, wrong in MARGIN_OUTSIDE.items() for label in wrong])
def test_a_wrong_function_of_chapter_10_that_nobody_listed_gets_no_name(name, label, seeds):
    for seed in seeds:
        result = check.__getattr__(name)(MARGIN_OUTSIDE[name][label], seed=seed)
        assert result.status == "--", seed
        assert result.text.startswith(("wrong on", "nearly right on")), (seed, result)


def bias_by(rule):
    """w as it must be, and b by a rule for one support vector: rule(y_s, w·x_s), the first."""

    def f(alpha, y, X):
        w = sum(alpha[n] * y[n] * X[n] for n in range(len(y)))
        s = int(np.flatnonzero(alpha > 1e-8)[0])
        return w, float(rule(y[s], w @ X[s]))

    return f


def residuals_by_hand(w, b, alpha, X, y, *, primal=max, start=0.0, slack=abs):
    """The four numbers by loops, as many would write them."""
    g = np.array(w, dtype=float)
    for a, t, x in zip(alpha, y, X, strict=True):
        g = g - a * t * x
    f = [float(t * (w @ x + b)) for t, x in zip(y, X, strict=True)]
    misses = [max(start, 1 - m) for m in f]
    products = [slack(a * (1 - m)) for a, m in zip(alpha, f, strict=True)]
    return max(*map(abs, g), abs(float(alpha @ y))), primal(misses), max(0.0, *(-alpha)), max(products)


MARGIN_SIGHTED = {  # as a reader writes them, and the words that tell each from the others
    "geometric_margin": {
        "hides the wrong side (erratum D30)": lambda w, b, X, y: min(abs(x @ w + b) / np.linalg.norm(w) for x in X),
        "y is missing": lambda w, b, X, y: ((X @ w + b) / np.linalg.norm(w)).min(),
        "that is the functional margin": lambda w, b, X, y: min(t * (w @ x + b) for x, t in zip(X, y, strict=True)),
        "divide by ‖w‖ alone": lambda w, b, X, y: np.min(y * (X @ w + b)) / np.linalg.norm(np.append(w, b)),
        "you divided by ‖w‖²": lambda w, b, X, y: np.min(y * (X @ w + b)) / np.dot(w, w),
        "the sum of the |w_i|": lambda w, b, X, y: np.min(y * (X @ w + b)) / np.linalg.norm(w, 1),
        "b is missing": lambda w, b, X, y: np.min(y * (X @ w)) / np.linalg.norm(w),
        "b is subtracted": lambda w, b, X, y: np.min(y * (X @ w - b)) / np.linalg.norm(w),
        "not the mean": lambda w, b, X, y: (y @ (X @ w + b)) / len(y) / np.linalg.norm(w),
        "not the largest": lambda w, b, X, y: np.sort(y * (X @ w + b) / np.linalg.norm(w))[-1],
        "you cut it off at 0": lambda w, b, X, y: np.min(np.maximum(0, y * (X @ w + b))) / np.linalg.norm(w),
        "you left them out": lambda w, b, X, y: min(g for g in svm.distances(w, b, X, y) if g > 0),
        "of all N samples": lambda w, b, X, y: y * (X @ w + b) / np.linalg.norm(w),
        "that is the number of the sample": lambda w, b, X, y: np.argmin(y * (X @ w + b)),
        "1/‖w‖ is the margin of the canonical": lambda w, b, X, y: 1 / np.sqrt(w @ w),
        "its sign is reversed": lambda w, b, X, y: np.max(-y * (X @ w + b)) / np.linalg.norm(w),
    },
    "canonical_hyperplane": {
        "b must be divided too": lambda w, b, X, y: (w / min(y * (X @ w + b)), b),
        "w must be divided too": lambda w, b, X, y: (w, b / min(y * (X @ w + b))),
        "you multiplied by the smallest": lambda w, b, X, y: (w * min(y * (X @ w + b)), b * min(y * (X @ w + b))),
        "which moves the plane: multiply": lambda w, b, X, y: (w, b + (1 - min(y * (X @ w + b)))),
        "you divided by ‖w‖:": lambda w, b, X, y: (w / np.linalg.norm(w), b / np.linalg.norm(w)),
        "you divided by ‖(w, b)‖": lambda w, b, X, y: (w / (r := np.hypot(np.linalg.norm(w), b)), b / r),
        "you divided by the geometric margin": lambda w, b, X, y: (w / (g := min(svm.distances(w, b, X, y))), b / g),
        "you multiplied by the geometric": lambda w, b, X, y: (w * (g := min(svm.distances(w, b, X, y))), b * g),
        "the largest y_n": lambda w, b, X, y: (w / (m := max(abs(X @ w + b))), b / m),
        "the mean of the y_n": lambda w, b, X, y: (w / (m := np.mean(abs(X @ w + b))), b / m),
        "y is missing": lambda w, b, X, y: (w / (m := min(X @ w + b)), b / m),
        "b is missing in the": lambda w, b, X, y: (w / (m := min(y * (X @ w))), b / m),
        "only the class +1": lambda w, b, X, y: (w / (m := min(f for f in X @ w + b if f > 0)), b / m),
        "lies in the middle between": lambda w, b, X, y: (
            2 * w / (width := (X[y > 0] @ w).min() - (X[y < 0] @ w).max()),
            1 - 2 * (X[y > 0] @ w).min() / width,
        ),
        "the order is (w, b)": lambda w, b, X, y: (b / (m := min(abs(X @ w + b))), w / m),
        "its sign is reversed": lambda w, b, X, y: (w / (m := max(-y * (X @ w + b))), b / m),
    },
    "lagrangian_gradient": {
        "as in note D (erratum D35)": lambda w, b, alpha, X, y: (w - (alpha * y) @ X, np.sum(alpha * y)),
        "Σ_n alpha_n y_n x_n is added": lambda w, b, alpha, X, y: (w + X.T @ (alpha * y), -np.sum(alpha * y)),
        "is lost in both": lambda w, b, alpha, X, y: (w + X.T @ (alpha * y), np.sum(alpha * y)),
        "y_n is missing in Σ_n alpha_n y_n x_n": lambda w, b, alpha, X, y: (w - alpha @ X, -np.sum(alpha * y)),
        "y_n is missing in Σ_n alpha_n y_n": lambda w, b, alpha, X, y: (w - (alpha * y) @ X, -np.sum(alpha)),
        "w is missing": lambda w, b, alpha, X, y: (-(alpha * y) @ X, -np.sum(alpha * y)),
        "the two sums of note D": lambda w, b, alpha, X, y: ((alpha * y) @ X, alpha @ y),
        "that is the w at which": lambda w, b, alpha, X, y: ((alpha * y) @ X, -(alpha @ y)),
        "you have 2w": lambda w, b, alpha, X, y: (2 * w - (alpha * y) @ X, -(alpha @ y)),
        "you have the number ‖w‖": lambda w, b, alpha, X, y: (np.linalg.norm(w) - (alpha * y) @ X, -(alpha @ y)),
        "½‖w‖² does not hold b": lambda w, b, alpha, X, y: (w - (alpha * y) @ X, b - alpha @ y),
        "alpha_n is missing in both": lambda w, b, alpha, X, y: (w - y @ X, -y.sum()),
        "as in the hinge loss": lambda w, b, alpha, X, y: (
            w - (alpha * y)[s := y * (X @ w + b) < 1] @ X[s],
            -np.sum((alpha * y)[s]),
        ),
        "the sums over n became means": lambda w, b, alpha, X, y: (
            w - np.mean((alpha * y)[:, None] * X, axis=0),
            -np.mean(alpha * y),
        ),
        "∂Λ/∂b is a number": lambda w, b, alpha, X, y: (w - (alpha * y) @ X, -alpha * y),
        "the order is (by w, by b)": lambda w, b, alpha, X, y: (-np.sum(alpha * y), w - (alpha * y) @ X),
        "its sign is reversed": lambda w, b, alpha, X, y: ((alpha * y) @ X - w, alpha @ y),
    },
    "dual_objective": {
        "the ½ before the double sum is missing": lambda alpha, K, y: alpha.sum() - (alpha * y) @ K @ (alpha * y),
        "the double sum must be subtracted": lambda alpha, K, y: alpha.sum() + (alpha * y) @ K @ (alpha * y) / 2,
        "Σ_n alpha_n is missing": lambda alpha, K, y: alpha @ y - (alpha * y) @ K @ (alpha * y) / 2,
        "that is ½‖w‖², the primal": lambda alpha, K, y: (alpha * y) @ K @ (alpha * y) / 2,
        "the labels are missing": lambda alpha, K, y: alpha.sum() - alpha @ K @ alpha / 2,
        "one label is missing": lambda alpha, K, y: alpha.sum() - np.sum(np.outer(alpha * y, alpha) * K) / 2,
        "the alphas are missing": lambda alpha, K, y: alpha.sum() - y @ K @ y / 2,
        "one alpha is missing": lambda alpha, K, y: alpha.sum() - np.sum(alpha * y * (K @ y)) / 2,
        "you took n = m only": lambda alpha, K, y: alpha.sum() - np.sum(alpha**2 * np.diag(K)) / 2,
        "the terms n = m of the double sum are left out": lambda alpha, K, y: (
            alpha.sum() - sum(alpha[n] * alpha[m] * y[n] * y[m] * K[n, m] for n in range(len(y)) for m in range(n))
        ),
        "you took n < m once": lambda alpha, K, y: (
            alpha.sum() - sum(alpha[n] * alpha[m] * y[n] * y[m] * K[n, m] for n in range(len(y)) for m in range(n)) / 2
        ),
        "you took n <= m once": lambda alpha, K, y: (
            sum(alpha)
            - sum(alpha[n] * alpha[m] * y[n] * y[m] * K[n, m] for n in range(len(y)) for m in range(n + 1)) / 2
        ),
        "the root is too much": lambda alpha, K, y: sum(alpha) - np.sqrt((alpha * y) @ K @ (alpha * y)) / 2,
        "the derivatives of Γ": lambda alpha, K, y: 1 - (np.outer(y, y) * K) @ alpha,
        "Σ_n alpha_n became N": lambda alpha, K, y: len(y) - (alpha * y) @ K @ (alpha * y) / 2,
        "its sign is reversed": lambda alpha, K, y: (alpha * y) @ K @ (alpha * y) / 2 - alpha.sum(),
    },
    "primal_from_dual": {
        "the labels are missing in w": lambda alpha, y, X: (w := alpha @ X, np.mean((y - X @ w)[alpha > 0])),
        "it must count alpha_n": lambda alpha, y, X: (w := (s := alpha > 0) * y @ X, np.mean((y - X @ w)[s])),
        "w sums over all samples alike": lambda alpha, y, X: (w := y @ X, np.mean((y - X @ w)[alpha > 0])),
        "the sign of b is wrong": bias_by(lambda y, f: f - y),
        "b is taken over all samples": lambda alpha, y, X: (w := (alpha * y) @ X, np.mean(y - X @ w)),
        "b is taken from sample 0": lambda alpha, y, X: (w := (alpha * y) @ X, y[0] - w @ X[0]),
        "samples with alpha_n = 0": lambda alpha, y, X: (w := (alpha * y) @ X, np.mean((y - X @ w)[alpha < 1e-9])),
        "you took their sum": lambda alpha, y, X: (w := (alpha * y) @ X, np.sum((y - X @ w)[alpha > 0])),
        "is divided by N": lambda alpha, y, X: (w := (alpha * y) @ X, np.sum((y - X @ w) * (alpha > 0)) / len(y)),
        "Σ_n alpha_n y_n is always 0": lambda alpha, y, X: ((alpha * y) @ X, alpha @ y),
        "b = 1 - w·x_s of the first": bias_by(lambda y, f: 1 - f),
        "b = 1 - y_s w·x_s of the first": bias_by(lambda y, f: 1 - y * f),
        "it is not on the plane itself": bias_by(lambda y, f: -f),
        "between the means of the classes": lambda alpha, y, X: (
            w := (alpha * y) @ X,
            -w @ (X[y > 0].mean(axis=0) + X[y < 0].mean(axis=0)) / 2,
        ),
        "b takes the farthest samples": lambda alpha, y, X: (
            w := (alpha * y) @ X,
            -(max(X[y > 0] @ w) + min(X[y < 0] @ w)) / 2,
        ),
        "b is a number": lambda alpha, y, X: (w := (alpha * y) @ X, (y - X @ w)[alpha > 0]),
        "(w, b) is scaled to ‖w‖ = 1": lambda alpha, y, X: tuple(
            a / np.linalg.norm((alpha * y) @ X) for a in plane(alpha, y, X)
        ),
        "the order is (w, b)": lambda alpha, y, X: plane(alpha, y, X)[::-1],
    },
    "two_point_svm": {
        "it is 1/2 times": lambda x_plus, x_minus: (
            a := 1 / np.sum((x_plus - x_minus) ** 2),
            w := a * (x_plus - x_minus),
            -w @ (x_plus + x_minus) / 2,
        ),
        "alpha and w are half": lambda x_plus, x_minus: (
            a := 1 / np.sum((x_plus - x_minus) ** 2),
            w := a * (x_plus - x_minus),
            1 - w @ x_plus,
        ),
        "must be squared: alpha = 2/‖x_plus - x_minus‖²; b fits": lambda x_plus, x_minus: (
            a := 2 / np.linalg.norm(x_plus - x_minus),
            w := a * (x_plus - x_minus),
            1 - w @ x_plus,
        ),
        "alpha is 1/‖x_plus - x_minus‖², half of it": two(lambda alpha, w, b, p, m: (1 / np.sum((p - m) ** 2), w, b)),
        "the sum of both multipliers": two(lambda alpha, w, b, p, m: (w @ w, w, b)),
        "the length of w": two(lambda alpha, w, b, p, m: (np.linalg.norm(w), w, b)),
        "alpha is the margin": two(lambda alpha, w, b, p, m: (np.linalg.norm(p - m) / 2, w, b)),
        "alpha is missing in w": two(lambda alpha, w, b, p, m: (alpha, p - m, (m @ m - p @ p) / 2)),
        "w has the length 1": two(
            lambda alpha, w, b, p, m: (alpha, u := (p - m) / np.linalg.norm(p - m), -u @ (p + m) / 2)
        ),
        "the classes are swapped": lambda x_plus, x_minus: check.two_point_svm.answer(x_minus, x_plus),
        "the label -1 is lost": two(lambda alpha, w, b, p, m: (alpha, v := alpha * (p + m), 1 - v @ p)),
        "b is 0": two(lambda alpha, w, b, p, m: (alpha, w, 0)),
        "the sign of b is wrong": two(lambda alpha, w, b, p, m: (alpha, w, (p @ p - m @ m) / np.sum((p - m) ** 2))),
        "b is twice too large": two(lambda alpha, w, b, p, m: (alpha, w, -(w @ p + w @ m))),
        "b = -w·x_plus puts": two(lambda alpha, w, b, p, m: (alpha, w, -(w @ p))),
        "b = 1 - w·x_minus": two(lambda alpha, w, b, p, m: (alpha, w, 1 - w @ m)),
        "alpha is one number": two(lambda alpha, w, b, p, m: ([alpha, alpha], w, b)),
        "the order is (alpha, w, b)": two(lambda alpha, w, b, p, m: (w, b, alpha)),
    },
    "kkt_residuals": {
        "leaves ∂Λ/∂b": residuals(0, lambda w, b, alpha, X, y: np.abs(w - X.T @ (alpha * y)).max()),
        "you added them": residuals(
            0, lambda w, b, alpha, X, y: np.abs(w - X.T @ (alpha * y)).max() + np.abs(alpha @ y)
        ),
        "stationarity is the length": residuals(
            0, lambda w, b, alpha, X, y: np.sqrt(np.sum((w - X.T @ (alpha * y)) ** 2) + (alpha @ y) ** 2)
        ),
        "y is missing in w": residuals(
            0, lambda w, b, alpha, X, y: max(np.abs(w - alpha @ X).max(), abs(np.sum(alpha * y)))
        ),
        "primal has the wrong sign": residuals(1, lambda w, b, alpha, X, y: max(0, np.max(y * (X @ w + b) - 1))),
        "counts a sample with y f > 1": residuals(1, lambda w, b, alpha, X, y: np.abs(1 - y * (X @ w + b)).max()),
        "primal is below 0": lambda *args: residuals_by_hand(*args, start=-np.inf),
        "primal is max(0, -y f)": residuals(1, lambda w, b, alpha, X, y: np.maximum(0, -y * (X @ w + b)).max()),
        "primal is the largest miss": lambda *args: residuals_by_hand(*args, primal=sum),
        "dual is always 0": lambda *args: (*svm.kkt_residuals(*args)[:2], 0, svm.kkt_residuals(*args)[3]),
        "dual has the wrong sign": residuals(2, lambda w, b, alpha, X, y: max(0, alpha.max())),
        "dual is below 0 where all": residuals(2, lambda w, b, alpha, X, y: -alpha.min()),
        "belongs to stationarity; dual is": residuals(2, lambda w, b, alpha, X, y: np.abs(np.sum(alpha * y))),
        "slackness is alpha_n(1 - y f); the 1": residuals(
            3, lambda w, b, alpha, X, y: np.abs(alpha * y * (X @ w + b)).max()
        ),
        "slackness takes max(0, 1 - y f)": residuals(
            3, lambda w, b, alpha, X, y: np.max(np.abs(alpha * np.maximum(0, 1 - y * (X @ w + b))))
        ),
        "slackness takes the largest": lambda *args: residuals_by_hand(*args, slack=float),
        "terms of both signs cancel": residuals(3, lambda w, b, alpha, X, y: np.abs(alpha @ (1 - y * (X @ w + b)))),
        "(1 - y f)|; you added them": residuals(
            3, lambda w, b, alpha, X, y: np.abs(alpha) @ np.abs(1 - y * (X @ w + b))
        ),
        "the 2-norm, in all four": lambda w, b, alpha, X, y: (
            np.linalg.norm(np.append(w - X.T @ (alpha * y), alpha @ y)),
            np.linalg.norm(np.maximum(0, missing(w, b, X, y))),
            np.linalg.norm(np.maximum(0, -alpha)),
            np.linalg.norm(alpha * missing(w, b, X, y)),
        ),
        "the dual before the primal": lambda *args: tuple(np.array(svm.kkt_residuals(*args))[[0, 2, 1, 3]]),
    },
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name, words", [(name, words) for name, wrong in MARGIN_SIGHTED.items() for words in wrong])
def test_what_readers_of_chapter_10_wrote_gets_its_words_and_nothing_more(name, words, seed):
    ex = check.__getattr__(name)
    told = ex(MARGIN_SIGHTED[name][words], seed=seed).text
    assert words in told and "; and " not in told, told
    assert told in ex.mistakes or told.startswith(("its sign is reversed", "it is 1/2 times")), told


def test_every_exercise_of_chapter_10_has_wrong_functions_in_and_outside_its_list():
    names = [ex.name for ex in EXERCISES if ex.chapter == "10"]
    assert list(MARGIN_OUTSIDE) == list(MARGIN_SIGHTED) == names
    assert min(map(len, (*MARGIN_OUTSIDE.values(), *MARGIN_SIGHTED.values()))) >= 12


def test_two_mistakes_of_chapter_10_are_told_together():
    told = check.lagrangian_gradient(lambda w, b, alpha, X, y: (w - alpha @ X, alpha @ y)).text
    assert "(erratum D35); and y_n is missing in Σ_n alpha_n y_n x_n" in told
    told = check.geometric_margin(lambda w, b, X, y: np.min(np.abs(X @ w + b))).text
    assert "(erratum D30)" in told and "; and that is the functional margin" in told
    told = check.dual_objective(lambda alpha, K, y: alpha.sum() - alpha @ K @ alpha).text
    assert told.startswith("the ½ before the double sum is missing") and "; and the labels are missing" in told
    told = check.geometric_margin(lambda w, b, X, y: 2 * svm.geometric_margin(w, b, X, y)).text
    assert (
        told == "it is 2 times what it should be (that is the width between the classes, of which the margin is half)"
    )


def test_what_an_exception_most_likely_means_in_chapter_10_is_told():
    def told(name, f):
        return check.__getattr__(name)(f).text

    columns = "samples are the rows of X"
    assert columns in told("lagrangian_gradient", lambda w, b, alpha, X, y: (w - X @ (alpha * y), 0))
    assert "weighs the rows" in told("lagrangian_gradient", lambda w, b, alpha, X, y: (w - (alpha * y * X).sum(0), 0))
    assert columns in told("primal_from_dual", lambda alpha, y, X: (X @ (alpha * y), 0))
    assert "X[alpha > 0]; alpha itself" in told("primal_from_dual", lambda alpha, y, X: (y[alpha], 0))
    assert "not after if" in told("primal_from_dual", lambda alpha, y, X: (alpha @ X, 1) if alpha > 0 else 0)
    assert columns in told("kkt_residuals", lambda w, b, alpha, X, y: w @ X)
    assert "np.maximum(0, ...)" in told("kkt_residuals", lambda w, b, alpha, X, y: max(0, -alpha))
    assert "np.max takes numbers" in told("kkt_residuals", lambda w, b, alpha, X, y: max(-alpha.min()))
    assert "is the double sum)" in told("dual_objective", lambda alpha, K, y: K @ np.append(alpha, 0))


def test_the_margin_of_three_points_is_that_of_the_hand():
    """w = (3, 4), ‖w‖ = 5, b = -5; y f of (3, 4), (-1, 2), (0, 0) with +1, -1, -1: 20, 0, 5; with b = -10: 15, 5, 10.

    So γ = 0, and 1 with the canonical (3, 4, -10)/5.
    """
    w, X, y = np.array([3.0, 4]), np.array([[3.0, 4], [-1, 2], [0, 0]]), np.array([1.0, -1, -1])
    assert check.geometric_margin.answer(w, -5, X, y) == 0
    assert check.geometric_margin.answer(w, -10, X, y) == 1
    assert check.geometric_margin.answer(w, 0, X, y) == -1
    canonical, b = check.canonical_hyperplane.answer(w, -10, X, y)
    assert canonical.tolist() == [0.6, 0.8] and b == -2


def test_the_machine_of_two_points_is_that_of_the_hand():
    """(3, 1) and (1, -1), ‖x+ - x-‖² = 8: alpha = 1/4, w = (1/2, 1/2), b = 1 - 2 = -1, and Γ = 2/4 - ½·½ = ½‖w‖²."""
    p, m, y = np.array([3.0, 1]), np.array([1.0, -1]), np.array([1.0, -1])
    alpha, w, b = check.two_point_svm.answer(p, m)
    assert (alpha, w.tolist(), b) == (1 / 4, [1 / 2, 1 / 2], -1)
    X, both = np.array([p, m]), np.array([alpha, alpha])
    assert check.dual_objective.answer(both, X @ X.T, y) == w @ w / 2 == 1 / 4
    assert check.kkt_residuals.answer(w, b, both, X, y) == (0, 0, 0, 0)
    assert check.lagrangian_gradient.answer(w, b, both, X, y)[0].tolist() == [0, 0]
    assert check.geometric_margin.answer(w, b, X, y) * np.sqrt(2) == pytest.approx(2, rel=1e-15)  # half of √8
    found, bias = check.primal_from_dual.answer(both, y, X)
    assert (found.tolist(), bias) == (w.tolist(), b)


@pytest.mark.parametrize("seed", range(5))
def test_the_multipliers_of_chapter_10_are_those_of_the_optimum(seed):
    """So that b of note D 5 exists: what `svm.fit` finds, and the KKT conditions."""
    for case in check.primal_from_dual.cases(np.random.default_rng(seed)):
        alpha, y, X = case.args
        w, b = check.primal_from_dual.answer(alpha, y, X)
        np.testing.assert_allclose(svm.kkt_residuals(w, b, alpha, X, y), 0, atol=1e-13)
        assert alpha @ y == 0 and 0 < np.sum(alpha == 0) and alpha[0] == 0
        found = svm.fit(X, y, tol=1e-12)
        np.testing.assert_allclose([*found.w, found.b], [*w, b], rtol=1e-6)
        np.testing.assert_allclose(svm.dual_objective(alpha, X @ X.T, y), w @ w / 2, rtol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_the_conditions_are_met_without_rounding_where_they_are_met(seed):
    """Else the residuals of a right answer would be rounding errors, and another right answer would have others."""
    cases = {c.label: c.args for c in check.kkt_residuals.cases(np.random.default_rng(seed))}
    assert svm.kkt_residuals(*cases["the optimum"]) == (0, 0, 0, 0)
    for case in cases.values():
        assert all(a == 0 or a > 1e-2 for a in svm.kkt_residuals(*case))
    near = svm.kkt_residuals(*cases["near the optimum"])
    assert near.dual == 1 / 8 and near.primal == 1 / 4 and near.stationarity > 0
    separating = svm.kkt_residuals(*cases["a plane that separates"])
    assert separating.primal == separating.dual == 0 < separating.slackness


@pytest.mark.parametrize("seed", range(10))
def test_the_multipliers_of_the_dual_objective_are_feasible_but_not_the_best(seed):
    for case in check.dual_objective.cases(np.random.default_rng(seed)):
        alpha, K, y = case.args
        assert alpha @ y == 0 and alpha.min() >= 0 and alpha.max() > 0
        X = kernels.mercer_features(K)
        lagrangian = svm.lagrangian(svm.primal(alpha, y, X), 3.7, alpha, X, y)  # of no matter which b
        np.testing.assert_allclose(lagrangian, svm.dual_objective(alpha, K, y), rtol=1e-9)
        assert abs(lagrangian - np.sum(alpha) / 2) > 1e-6  # it would be that at the optimum


# --- chapter 11 -------------------------------------------------------------------------------------------------


def cubic_kernel(X):
    return kernels.gram(kernels.cubic_sum, X)


def lms(theta, Phi, y, eta):
    return theta - eta * kernel_lms.gradient(theta, Phi, y)


def batch(beta, K, y, eta):
    return beta + eta * (y - K @ beta)


def visit(beta, i, K, y, by):
    """Only beta_i moves, by this much."""
    new = beta.copy()
    new[i] += by
    return new


def each_step(beta, K, y, eta):
    """beta_i one after the other, each with the new ones before it."""
    new = beta.copy()
    for i in range(len(y)):
        new[i] += eta * (y[i] - K[i] @ new)
    return new


def sample_after_sample(theta, Phi, y, eta):
    new = theta.copy()
    for f, t in zip(Phi, y, strict=True):
        new += eta * (t - new @ f) * f
    return new


def entry_after_entry(theta, Phi, y, eta):
    new = theta.copy()
    for j in range(len(new)):
        new[j] += eta * Phi[:, j] @ (y - Phi @ new)
    return new


def last_sample(theta, Phi, y, eta):
    for f, t in zip(Phi, y, strict=True):
        new = theta + eta * (t - theta @ f) * f
    return new


def products(X, choose, degrees=range(4)):
    """The products of the features that choose(range(d), degree) names."""
    return np.column_stack([X[:, list(a)].prod(axis=1) for k in degrees for a in choose(range(X.shape[1]), k)])


def in_every_order(X, degrees):
    return products(X, lambda columns, k: itertools.product(columns, repeat=k), degrees)


LMS_OUTSIDE = {  # as OUTSIDE
    "cubic_features": {
        "x of mean 0": lambda x: np.vander(x - x.mean() + 0.1, 4, increasing=True),
        "x⁴ for x³": lambda x: np.column_stack([x**0, x, x**2, x**4]),
        "roots": lambda x: np.column_stack([x**0, np.sqrt(np.abs(x)), x, x**2]),
        "Legendre's": lambda x: np.polynomial.legendre.legvander(x, 3),
        "Hermite's": lambda x: np.polynomial.hermite_e.hermevander(x, 3),
        "|x|": lambda x: np.abs(np.vander(x, 4, increasing=True)) + 1e-3,
        "rows of length 1": lambda x: (A := np.vander(x, 4, increasing=True)) / np.linalg.norm(A, axis=1)[:, None],
        "x as small as 1": lambda x: np.vander(np.tanh(x), 4, increasing=True),
        "x² twice": lambda x: np.column_stack([x**0, x, x**2, x**2]),
        "the second column is 1 too": lambda x: np.column_stack([x**0, x**0, x, x**2]),
        "rounded": lambda x: np.round(np.vander(x + 0.01, 4, increasing=True), 1),
        "in another order": lambda x: np.column_stack([x, x**0, x**3, x**2]),
    },
    "lms_step": {
        "the features are left out that are small": lambda theta, Phi, y, eta: lms(
            theta, Phi * (np.abs(Phi) > 0.5), y, eta
        ),
        "one step back": lambda theta, Phi, y, eta: lms(theta, Phi, np.roll(y, 1), eta),
        "a step of two": lambda theta, Phi, y, eta: lms(lms(theta, Phi, y, eta), Phi, y, eta),
        "eta squared": lambda theta, Phi, y, eta: lms(theta, Phi, y, eta * eta),
        "the root of N": lambda theta, Phi, y, eta: lms(theta, Phi, y, eta / np.sqrt(len(y))),
        "divided by p": lambda theta, Phi, y, eta: lms(theta, Phi, y, eta / len(theta) ** 0.5),
        "the gradient of length 1": lambda theta, Phi, y, eta: (
            theta + eta * (g := Phi.T @ (y - Phi @ theta)) / np.linalg.norm(g)
        ),
        "weight decay": lambda theta, Phi, y, eta: lms(0.99 * theta, Phi, y, eta),
        "the first weight rests": lambda theta, Phi, y, eta: np.append(theta[:1], lms(theta, Phi, y, eta)[1:]),
        "one sample short": lambda theta, Phi, y, eta: lms(theta, Phi[:-1], y[:-1], eta),
        "cut at 1": lambda theta, Phi, y, eta: theta + eta * Phi.T @ np.clip(y - Phi @ theta, -1, 1),
        "the worst sample alone": lambda theta, Phi, y, eta: (
            theta + eta * (r := y - Phi @ theta)[(k := np.abs(r).argmax())] * Phi[k]
        ),
    },
    "all_monomials": {
        "the last feature is lost": lambda X: kernels.cubic_features(np.column_stack([X[:, :-1], 0 * X[:, :1]])),
        "(1 + s)³, each product once": lambda X: kernels.polynomial_features(X, degree=3),
        "(s + 1)²": lambda X: kernels.quadratic_features(X, 1.0),
        "degree 4": lambda X: in_every_order(X, range(5)),
        "s³ of the pairs alone": lambda X: in_every_order(X, (0, 1, 3, 3)),
        "1 twice": lambda X: np.column_stack([np.ones(len(X)), kernels.cubic_features(X)]),
        "centred": lambda X: kernels.cubic_features(X - X.mean(axis=0) + 0.1),
        "sorted rows": lambda X: np.sort(kernels.cubic_features(X), axis=1),
        "samples of length 1": lambda X: kernels.cubic_features(X / np.linalg.norm(X, axis=1)[:, None]),
        "-1 for 1": lambda X: kernels.cubic_features(X) + np.eye(1, kernels.cubic_features(X).shape[1]) * 0.01,
        "rows turned round": lambda X: kernels.cubic_features(X[:, ::-1] * np.arange(1, X.shape[1] + 1) * 1.1),
        "rounded": lambda X: np.round(kernels.cubic_features(X), 1),
    },
    "kernel_lms_step": {
        "two steps": lambda beta, K, y, eta: batch(batch(beta, K, y, eta), K, y, eta),
        "half of K": lambda beta, K, y, eta: batch(beta, K / 2, y, eta),
        "K + 1": lambda beta, K, y, eta: batch(beta, K + 1, y, eta),
        "K + I": lambda beta, K, y, eta: batch(beta, K + np.eye(len(y)), y, eta),
        "the upper half of K": lambda beta, K, y, eta: batch(beta, np.triu(K), y, eta),
        "K of unit diagonal": lambda beta, K, y, eta: batch(
            beta, K / np.sqrt(np.outer(np.diag(K), np.diag(K))) + 1e-3, y, eta
        ),
        "the last rests": lambda beta, K, y, eta: np.append(batch(beta, K, y, eta)[:-1], beta[-1]),
        "never below 0": lambda beta, K, y, eta: np.maximum(batch(beta, K, y, eta), 0),
        "cut at 1": lambda beta, K, y, eta: beta + eta * np.clip(y - K @ beta, -1, 1),
        "a ridge": lambda beta, K, y, eta: batch(beta, K, y, eta) - 0.1 * eta * beta,
        "the worst alone": lambda beta, K, y, eta: beta + eta * (r := y - K @ beta) * (np.abs(r) == np.abs(r).max()),
        "from behind in turn": lambda beta, K, y, eta: each_step(beta[::-1], K[::-1, ::-1], y[::-1], eta)[::-1],
    },
    "kernel_lms_visit": {
        "the sample before": lambda beta, i, K, y, eta: visit(beta, i - 1, K, y, eta * (y[i] - K[i] @ beta)),
        "another target": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * (y[i - 1] - K[i] @ beta)),
        "another row": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * (y[i] - K[i - 1] @ beta)),
        "half of the sum": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * (y[i] - K[i] @ beta / 2)),
        "the sum up to i": lambda beta, i, K, y, eta: visit(
            beta, i, K, y, eta * (y[i] - K[i, : i + 1] @ beta[: i + 1])
        ),
        "sample 0 is skipped": lambda beta, i, K, y, eta: visit(
            beta, i, K, y, eta * (y[i] - K[i] @ beta) * (i > 0) * (1 + 1e-3)
        ),
        "cut at 1": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * np.clip(y[i] - K[i] @ beta, -1, 1)),
        "signs": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * np.sign(y[i] - K[i] @ beta)),
        "two visits": lambda beta, i, K, y, eta: visit(
            visit(beta, i, K, y, by := eta * (y[i] - K[i] @ beta)), i, K, y, by / 3
        ),
        "the neighbour too": lambda beta, i, K, y, eta: visit(
            visit(beta, i, K, y, eta * (y[i] - K[i] @ beta)), i - 1, K, y, 0.01
        ),
        "the equation solved": lambda beta, i, K, y, eta: visit(beta, i, K, y, (y[i] - K[i] @ beta) / K[i, i]),
        "a ridge": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * (y[i] - K[i] @ beta - 0.1 * beta[i])),
    },
    "kernel_predict": {
        "the first sample is lost": lambda beta, X, X_new, k: k(X_new, X[1:]) @ beta[1:],
        "beta from behind": lambda beta, X, X_new, k: k(X_new, X) @ beta[::-1],
        "squares": lambda beta, X, X_new, k: k(X_new, X) ** 2 @ beta,
        "beta squared": lambda beta, X, X_new, k: k(X_new, X) @ beta**2,
        "the nearest sample": lambda beta, X, X_new, k: beta[k(X_new, X).argmax(axis=1)] * 1.01,
        "the largest term": lambda beta, X, X_new, k: (k(X_new, X) * beta).max(axis=1),
        "the product": lambda beta, X, X_new, k: (k(X_new, X) * beta).prod(axis=1),
        "centred": lambda beta, X, X_new, k: (v := k(X_new, X) @ beta) - v.mean() + 0.1,
        "twice new": lambda beta, X, X_new, k: k(2 * X_new, X) @ beta,
        "of length 1": lambda beta, X, X_new, k: k(X_new, X) @ (beta / np.linalg.norm(beta)),
        "solved": lambda beta, X, X_new, k: k(X_new, X) @ np.linalg.solve(k(X, X) + np.eye(len(X)), beta),
        "tanh": lambda beta, X, X_new, k: np.tanh(k(X_new, X) @ beta),
        "ones": lambda beta, X, X_new, k: np.ones(len(X_new)),
    },
    "largest_step_of_kernel": {
        "the median": lambda K: 2 / np.median(np.linalg.eigvalsh(K)),
        "the second": lambda K: 2 / np.linalg.eigvalsh(K)[-2] * 1.01,
        "the geometric mean": lambda K: 2 / np.prod(np.linalg.eigvalsh(K)) ** (1 / len(K)),
        "the determinant": lambda K: 2 / np.linalg.det(K),
        "the difference": lambda K: 2 / np.ptp(np.linalg.eigvalsh(K)),
        "λ + 1": lambda K: 2 / (np.linalg.eigvalsh(K)[-1] + 1),
        "9/10 of it": lambda K: 1.8 / np.linalg.eigvalsh(K)[-1],
        "the sum of all": lambda K: 2 / np.abs(K).sum(),
        "one step of the power method": lambda K: 2 * len(K) / np.linalg.norm(K.sum(axis=1)) ** 1.01,
        "centred": lambda K: 2 / np.linalg.eigvalsh(np.cov(K))[-1],
        "1": lambda K: 1.0,
        "rounded": lambda K: round(2 / np.linalg.eigvalsh(K)[-1], 1) + 0.01,
    },
}


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)], ids=["2", "8 more"])
@pytest.mark.parametrize("name, label", [(name, label) for name, wrong in LMS_OUTSIDE.items() for label in wrong])
def test_a_wrong_function_of_chapter_11_that_nobody_listed_gets_no_name(name, label, seeds):
    for seed in seeds:
        result = check.__getattr__(name)(LMS_OUTSIDE[name][label], seed=seed)
        assert result.status == "--", seed
        assert result.text.startswith(("wrong on", "nearly right on")), (seed, result)


LMS_SIGHTED = {  # as a reader writes them, and the words that tell each from the others
    "cubic_features": {
        "the powers go down, as np.vander puts them": lambda x: np.vander(x, 4),
        "you put it last": lambda x: np.array([x, x**2, x**3, x**0]).T,
        "the column of ones is missing": lambda x: np.column_stack([x, x**2, x**3]),
        "x³ is missing": lambda x: np.vander(x, 3, increasing=True),
        "there is a column too many": lambda x: x[:, None] ** np.arange(5),
        "the first column holds zeros": lambda x: np.column_stack([np.zeros(len(x)), x, x * x, x * x * x]),
        "those are the multiples": lambda x: np.column_stack([np.ones(len(x)), x, x * 2, x * 3]),
        "are added up from left to right": lambda x: np.add.accumulate(np.vander(x, 4, increasing=True), axis=1),
        "as in a Taylor series": lambda x: np.column_stack([x**0, x, x**2 / 2, x**3 / 6]),
        "the features of (1 + xz)³": lambda x: kernels.polynomial_features(x[:, None], degree=3),
        "summed in each row": lambda x: 1 + x + x**2 + x**3,
        "it is transposed": lambda x: np.stack([x**0, x, x**2, x**3]),
    },
    "lms_step": {
        "it goes uphill": lambda theta, Phi, y, eta: theta - eta * Phi.T @ (y - Phi @ theta),
        "twice as long": lambda theta, Phi, y, eta: theta + 2 * eta * Phi.T @ (y - Phi @ theta),
        "half as long": lambda theta, Phi, y, eta: theta - eta * Phi.T @ (Phi @ theta - y) / 2,
        "divided by N": lambda theta, Phi, y, eta: theta + eta * np.mean((y - Phi @ theta)[:, None] * Phi, axis=0),
        "eta is missing": lambda theta, Phi, y, eta: theta + Phi.T @ (y - Phi @ theta),
        "theta itself is missing": lambda theta, Phi, y, eta: eta * Phi.T @ (y - Phi @ theta),
        "the targets are missing": lambda theta, Phi, y, eta: theta - eta * Phi.T @ (Phi @ theta),
        "the predictions θ·φ(x_i) are missing": lambda theta, Phi, y, eta: theta + eta * Phi.T @ y,
        "only the signs of the residuals": lambda theta, Phi, y, eta: theta + eta * Phi.T @ np.sign(y - Phi @ theta),
        "the residuals are still squared": lambda theta, Phi, y, eta: theta + eta * Phi.T @ (Phi @ theta - y) ** 2,
        "φ(x_i) is missing": lambda theta, Phi, y, eta: theta + eta * np.sum(y - Phi @ theta),
        "that is normalised LMS": lambda theta, Phi, y, eta: (
            theta + eta * Phi.T @ ((y - Phi @ theta) / np.linalg.norm(Phi, axis=1) ** 2)
        ),
        "theta moves sample after sample": sample_after_sample,
        "the entries of theta move one after another": entry_after_entry,
        "only the last sample counts": last_sample,
    },
    "all_monomials": {
        "each product is there once": lambda X: products(X, itertools.combinations_with_replacement),
        "with the root of its number of orders": lambda X: np.column_stack(
            [
                np.ones(len(X)),
                *(kernels.polynomial_features(X, 0.0, k)[:, -math.comb(len(X.T) + k - 1, k) :] for k in (1, 2, 3)),
            ]
        ),
        "its Gram matrix is (1 + s)³": lambda X: in_every_order(one(X), (3,)),
        "the constant 1 is missing": lambda X: in_every_order(X, (1, 2, 3)),
        "degree 1, are missing": lambda X: in_every_order(X, (0, 2, 3)),
        "the products of two are missing": lambda X: in_every_order(X, (0, 1, 3)),
        "degree 3 is missing": lambda X: in_every_order(X, range(3)),
        "that is degree 3 alone": lambda X: np.einsum("ni,nj,nk->nijk", X, X, X).reshape(len(X), -1),
        "products of different features are missing": lambda X: np.hstack([np.ones((len(X), 1)), X, X**2, X**3]),
        "degree 3 holds only the cubes": lambda X: np.column_stack([in_every_order(X, range(3)), X**3]),
        "each product has different features": lambda X: products(X, itertools.combinations),
        "that is the kernel matrix": lambda X: 1 + (s := X @ X.T) + s**2 + s**3,
        "those are the features of one number, summed": lambda X: np.column_stack(
            [np.ones(len(X)), X.sum(1), (X**2).sum(1), (X**3).sum(1)]
        ),
    },
    "kernel_lms_step": {
        "an extra K": lambda beta, K, y, eta: beta + eta * K @ (y - K @ beta),
        "y_j stands in the sum": lambda beta, K, y, eta: beta + eta * (y - (beta * y) @ K),
        "y_i multiplies the residual": lambda beta, K, y, eta: beta + eta * y * (y - K @ beta),
        "one after the other": each_step,
        "eta is missing": lambda beta, K, y, eta: beta + (y - K @ beta),
        "divided by N": lambda beta, K, y, eta: beta + eta / len(y) * (y - K @ beta),
        "twice as long": lambda beta, K, y, eta: beta + 2 * eta * (y - K @ beta),
        "it goes uphill": lambda beta, K, y, eta: beta - eta * (y - K @ beta),
        "beta itself is missing": lambda beta, K, y, eta: eta * (y - K @ beta),
        "y is missing in the residual": lambda beta, K, y, eta: beta - eta * K @ beta,
        "K beta is missing": lambda beta, K, y, eta: beta + eta * y,
        "K is missing": lambda beta, K, y, eta: beta + eta * (y - beta),
        "you took beta_i K_ii alone": lambda beta, K, y, eta: beta + eta * (y - beta * K.diagonal()),
        "the diagonal is left out": lambda beta, K, y, eta: (
            beta + eta * (y - [sum(beta[j] * K[i, j] for j in range(len(y)) if j != i) for i in range(len(y))])
        ),
        "by the sum of all residuals": lambda beta, K, y, eta: beta + eta * np.sum(y - K @ beta),
        "differ in sign": lambda beta, K, y, eta: np.where(y * (K @ beta) <= 0, batch(beta, K, y, eta), beta),
    },
    "kernel_lms_visit": {
        "all of beta moves by the residual of sample i": lambda beta, i, K, y, eta: beta + eta * (y[i] - K[i] @ beta),
        "that is the batch step": lambda beta, i, K, y, eta: batch(beta, K, y, eta),
        "beta moves along row i of K": lambda beta, i, K, y, eta: beta + eta * (y[i] - K[i] @ beta) * K[i],
        "you took beta_i K_ii alone": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * (y[i] - beta[i] * K[i, i])),
        "j = i is left out": lambda beta, i, K, y, eta: visit(
            beta, i, K, y, eta * (y[i] - sum(beta[j] * K[i, j] for j in range(len(y)) if j != i))
        ),
        "K is missing": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * (y[i] - beta[i])),
        "y_j stands in the sum": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * (y[i] - K[i] @ (y * beta))),
        "beta_i is set to the step": lambda beta, i, K, y, eta: visit(
            beta, i, K, y, eta * (y[i] - K[i] @ beta) - beta[i]
        ),
        "they do not become 0": lambda beta, i, K, y, eta: np.eye(len(y))[i] * (beta + eta * (y - K @ beta)),
        "that is the step alone": lambda beta, i, K, y, eta: np.eye(len(y))[i] * eta * (y - K @ beta),
        "eta is missing": lambda beta, i, K, y, eta: visit(beta, i, K, y, y[i] - K[i] @ beta),
        "the step goes the wrong way": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * (K[i] @ beta - y[i])),
        "twice as long": lambda beta, i, K, y, eta: visit(beta, i, K, y, 2 * eta * (y[i] - K[i] @ beta)),
        "divided by N": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * (y[i] - K[i] @ beta) / len(y)),
        "divided by K_ii": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * (y[i] - K[i] @ beta) / K[i, i]),
        "y_i is missing": lambda beta, i, K, y, eta: visit(beta, i, K, y, -eta * K[i] @ beta),
        "the sum is missing": lambda beta, i, K, y, eta: visit(beta, i, K, y, eta * y[i]),
        "that is the perceptron's rule": lambda beta, i, K, y, eta: (
            visit(beta, i, K, y, eta * y[i]) if y[i] * (K[i] @ beta) <= 0 else beta
        ),
        "beta_i only moves where the signs differ": lambda beta, i, K, y, eta: (
            visit(beta, i, K, y, eta * (y[i] - K[i] @ beta)) if y[i] * (K[i] @ beta) <= 0 else beta
        ),
        "y_i multiplies the residual": lambda beta, i, K, y, eta: visit(
            beta, i, K, y, eta * y[i] * (y[i] - K[i] @ beta)
        ),
    },
    "kernel_predict": {
        "those are the N predictions for X": lambda beta, X, X_new, k: k(X, X) @ beta,
        "k is missing": lambda beta, X, X_new, k: X_new @ (beta @ X),
        "you combined the samples": lambda beta, X, X_new, k: k((beta @ X)[None], X_new)[0],
        "beta is missing": lambda beta, X, X_new, k: k(X_new, X).sum(axis=1),
        "only the samples with beta_i > 0": lambda beta, X, X_new, k: k(X_new, X[beta > 0]) @ beta[beta > 0],
        "you took |beta_i|": lambda beta, X, X_new, k: k(X_new, X) @ abs(beta),
        "the sum over i is missing": lambda beta, X, X_new, k: beta * k(X_new, X),
        "the sum runs over the new samples": lambda beta, X, X_new, k: beta * k(X, X_new).sum(axis=1),
        "all is summed into one number": lambda beta, X, X_new, k: np.sum(beta * k(X_new, X)),
        "an average of the beta_i": lambda beta, X, X_new, k: np.array(
            [np.average(beta, weights=row) for row in k(X_new, X)]
        ),
        "divided by Σ_i beta_i": lambda beta, X, X_new, k: k(X_new, X) @ (beta / np.sum(beta)),
        "the sign is taken": lambda beta, X, X_new, k: np.where(k(X_new, X) @ beta < 0, -1, 1),
        "that is the matrix k(X_new, X)": lambda beta, X, X_new, k: k(X_new, X),
        "it is 1/N times what it should be": lambda beta, X, X_new, k: np.mean(beta * k(X_new, X), axis=1),
        "only its shape is wrong": lambda beta, X, X_new, k: k(X_new, X) @ beta[:, None],
    },
    "largest_step_of_kernel": {
        "the smallest eigenvalue does not decide": lambda K: 2 / np.linalg.eigvalsh(K)[0],
        "the trace is the sum": lambda K: 2 / np.trace(K),
        "the mean of the eigenvalues": lambda K: 2 / np.mean(np.linalg.eigvalsh(K)),
        "the eigenvalue is squared": lambda K: 2 / np.linalg.eigvalsh(K.T @ K)[-1],
        "the root of the eigenvalue": lambda K: 2 / np.sqrt(np.linalg.norm(K, 2)),
        "is the fastest step": lambda K: 2 / ((e := np.linalg.eigvalsh(K)).min() + e.max()),
        "the largest entry": lambda K: 2 / np.diag(K).max(),
        "only bounds the eigenvalue from above": lambda K: 2 / np.linalg.norm(K, np.inf),
        "the root of the sum of all squared entries": lambda K: 2 / np.linalg.norm(K),
        "upside down": lambda K: np.linalg.eigvalsh(K)[-1] / 2,
        "that is the largest eigenvalue": lambda K: np.linalg.eigvalsh(K).max(),
        "1/λ_max is the bound for a loss without 1/2": lambda K: 1 / np.linalg.eigvalsh(K)[-1],
        "it is N times what it should be": lambda K: 2 / np.linalg.eigvalsh(K / len(K))[-1],
    },
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name, words", [(name, words) for name, wrong in LMS_SIGHTED.items() for words in wrong])
def test_what_readers_of_chapter_11_wrote_gets_its_words_and_nothing_more(name, words, seed):
    ex = check.__getattr__(name)
    told = ex(LMS_SIGHTED[name][words], seed=seed).text
    assert words in told and "; and " not in told, told
    assert told in ex.mistakes or told.startswith(("it is ", "only its shape is wrong")), told


def test_every_exercise_of_chapter_11_has_wrong_functions_in_and_outside_its_list():
    exercises = [ex for ex in EXERCISES if ex.chapter == "11"]
    assert list(LMS_OUTSIDE) == list(LMS_SIGHTED) == [ex.name for ex in exercises]
    assert min(map(len, LMS_OUTSIDE.values())) >= 12
    assert all(len(LMS_SIGHTED[ex.name]) >= len(ex.mistakes) for ex in exercises)


def test_two_mistakes_of_chapter_11_are_told_together():
    told = check.kernel_lms_step(lambda beta, K, y, eta: beta + K @ (y - K @ beta)).text
    assert "an extra K" in told and "; and eta is missing" in told
    told = check.cubic_features(lambda x: np.stack([x, x**2, x**3])).text
    assert told.startswith("the column of ones is missing") and told.endswith("; and it is transposed")
    told = check.kernel_predict(lambda beta, X, X_new, k: (X_new @ X.T * beta).mean(axis=1)).text
    assert told.startswith("k is missing") and "; and it is 1/N times" in told
    told = check.kernel_lms_visit(lambda beta, i, K, y, eta: beta + y[i] - K[i] @ beta).text
    assert told.startswith("all of beta moves by the residual of sample i") and "; and eta is missing" in told


def test_what_stops_in_chapter_11_gets_its_likely_cause():
    def told(name, f):
        return check.__getattr__(name)(f).text

    for f in (
        lambda x: np.stack([1, x, x**2, x**3]),
        lambda x: np.array([1, x, x**2]),
        lambda x: np.column_stack([1, x]),
    ):
        assert told("cubic_features", f).endswith("one for each number: np.ones(len(x)))")
    assert "x**2 squares each of its entries" in told("cubic_features", lambda x: [1, x, math.pow(x, 2)])
    assert "it is no matrix of samples" in told("cubic_features", lambda x: x[:, 0])
    assert "it is no matrix of samples" in told("cubic_features", lambda x: np.ones(x.shape[1]))
    assert "reshape it to (len(X), -1)" in told(
        "all_monomials", lambda X: np.hstack([X, X[:, :, None] * X[:, None, :]])
    )
    assert "column i is X[:, i]" in told("all_monomials", lambda X: X[:, X.shape[1]])
    turned = told("all_monomials", lambda X: kernels.cubic_features(X).T)
    assert turned == "Phi must have a row for each of the 6 samples; it is of shape (15, 6): it is transposed"
    assert told("all_monomials", lambda X: 1.0).endswith("it is of shape ()")
    assert "Phi.T @ r sums" in told("lms_step", lambda theta, Phi, y, eta: theta + eta * Phi @ (y - Phi @ theta))
    for name in ("kernel_lms_step", "kernel_lms_visit"):
        assert "from row i of K" in told(name, lambda *args: Phi @ theta)  # noqa: F821
    assert "i counts from 0" in told("kernel_lms_visit", lambda beta, i, K, y, eta: visit(beta, i + 99, K, y, eta))
    assert "K[i] @ beta" in told("kernel_lms_visit", lambda beta, i, K, y, eta: visit(beta, i, K, y, y - K @ beta))
    assert told("kernel_lms_step", lambda beta, K, y, eta: beta + eta * (y - K * beta)).startswith(
        "what it returns must keep"
    )
    assert "z[None] makes one" in told("kernel_predict", lambda beta, X, X_new, k: k(X_new[0], X))
    assert "both take a sample per row" in told("kernel_predict", lambda beta, X, X_new, k: k(X_new, X[:, :1]))
    assert "the N samples of X" in told("kernel_predict", lambda beta, X, X_new, k: k(X, X_new) @ beta)
    assert "the N samples of X" in told("kernel_predict", lambda beta, X, X_new, k: k(X, X_new) * beta)
    assert "makes the matrix" in told("kernel_predict", lambda beta, X, X_new, k: k[0])
    assert "one of them decides" in told("largest_step_of_kernel", lambda K: 2 / float(np.linalg.eigvalsh(K)))


def test_the_columns_of_the_monomials_are_free_but_not_their_number():
    """The same weights on other axes: all that LMS makes of features is in Φ Φᵀ."""

    def turned(X):
        Phi = kernels.cubic_features(X)
        return Phi @ np.linalg.qr(np.random.default_rng(Phi.shape[1]).normal(size=(Phi.shape[1],) * 2))[0]

    ex = check.all_monomials
    assert ex(lambda X: kernels.cubic_features(X)[:, ::-1]).ok and ex(turned).ok
    assert (
        "the number of columns, 16 instead of 15"
        in ex(lambda X: np.column_stack([kernels.cubic_features(X), 0 * X[:, 0]])).text
    )


def test_the_steps_of_chapter_11_are_those_of_the_library_and_of_each_other():
    """θ = Φᵀβ after every step from 0, and the visits are those of stochastic LMS."""
    rng = np.random.default_rng(11)
    X, y = rng.normal(size=(6, 2)) / 2, rng.normal(size=6)
    Phi, K = check.all_monomials.answer(X), cubic_kernel(X)
    eta = 0.9 * check.largest_step_of_kernel.answer(K)
    theta, beta, one_by_one = np.zeros(Phi.shape[1]), np.zeros(6), np.zeros(6)
    all_at_once, visits = kernel_lms.beta_updates(K, y, eta), kernel_lms.stochastic_beta_updates(K, y, eta)
    iterates = kernel_lms.feature_iterates(Phi, y, eta)
    next(iterates)
    for step in range(20):
        theta = check.lms_step.answer(theta, Phi, y, eta)
        beta = check.kernel_lms_step.answer(beta, K, y, eta)
        np.testing.assert_allclose(theta, next(iterates).w, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(beta, next(all_at_once).beta, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(Phi.T @ beta, theta, rtol=1e-11, atol=1e-13)
        one_by_one = check.kernel_lms_visit.answer(one_by_one, step % 6, K, y, eta)
        np.testing.assert_allclose(one_by_one, next(visits).beta, rtol=1e-12, atol=1e-14)
    Z = rng.normal(size=(4, 2))
    found = check.kernel_predict.answer(beta, X, Z, kernels.cubic_sum)
    np.testing.assert_allclose(found, check.all_monomials.answer(Z) @ theta, rtol=1e-11)


def test_the_runs_of_chapter_11_stay_small():
    for name in ("lms_step", "kernel_lms_step", "kernel_lms_visit"):
        ex = check.__getattr__(name)
        for case in ex.cases(np.random.default_rng(1)):
            [path] = ex.answer_of(ex.answer, case)
            assert np.isfinite(path).all() and np.abs(path).max() < 1e4, (name, case.label)


def test_above_the_largest_step_of_a_kernel_beta_grows_and_below_it_settles():
    """K = diag(4, 1): 2/4. With 9/10 of it r shrinks by |1 - 1.8| and |1 - 0.45| a step, with 11/10 it grows by 1.2."""
    K, y = np.diag([4.0, 1.0]), np.ones(2)
    bound = check.largest_step_of_kernel.answer(K)
    assert bound == 0.5
    for part, factor in ((0.9, 0.8), (1.1, 1.2)):
        beta = np.zeros(2)
        for _ in range(50):
            beta = check.kernel_lms_step.answer(beta, K, y, part * bound)
        np.testing.assert_allclose(np.abs(y - K @ beta)[0], factor**50, rtol=1e-10)


def test_a_visit_returns_a_new_beta():
    def in_place(beta, i, K, y, eta):
        beta[i] += eta * (y[i] - K[i] @ beta)
        return beta

    assert (
        check.kernel_lms_visit(in_place).text == "the values are right, but it overwrites its arguments: work on a copy"
    )
    assert check.kernel_lms_visit(lambda beta, *args: in_place(beta.copy(), *args)).ok
    told = check.kernel_lms_visit(lambda beta, i, K, y, eta: beta[i] + eta * (y[i] - K[i] @ beta)).text
    assert told == "what it returns must keep its shape: (6,) came in, a number came out"


# --- chapter 12 -------------------------------------------------------------------------------------------------


def squared_distances(X, Z):
    return np.sum((X[:, None] - Z) ** 2, axis=2)


def quadratic(change):
    """The right features but for a change of the three parts: all x_i x_j, √(2c) x_i, c."""

    def f(X, c):
        pairs = np.einsum("ni,nj->nij", X, X).reshape(len(X), -1)
        return np.column_stack(change(pairs, np.sqrt(2 * c) * X, np.full((len(X), 1), c)))

    return f


def powers(phi):
    """One feature after the other, phi(x, sigma, k)."""
    return lambda x, sigma, n: np.transpose([phi(x, sigma, k) for k in range(n)])


def phi(x, sigma, k):
    return np.exp(-(x**2) / (2 * sigma**2)) * (x / sigma) ** k / math.sqrt(math.factorial(k))


def each(test):
    """One boolean for each matrix."""
    return lambda Ks: [test(K, 1e-9 * np.abs(K).max()) for K in Ks]


def is_symmetric(K, tol):
    return np.abs(K - K.T).max() <= tol


def has_cholesky(K):
    try:
        np.linalg.cholesky(K)
    except np.linalg.LinAlgError:
        return False
    return True


def eigen_features(make):
    return lambda K: make(*np.linalg.eigh(K))


def root(values):
    return np.sqrt(np.maximum(values, 0))


KERNELS_OUTSIDE = {  # as OUTSIDE
    "polynomial_kernel": {
        "of the square": lambda X, Z, c, degree: (X @ Z.T + c * c) ** degree,
        "the root of c": lambda X, Z, c, degree: (X @ Z.T + np.sqrt(c)) ** degree + 0.1,
        "absolute values": lambda X, Z, c, degree: np.abs(X @ Z.T + c) ** degree + 1e-3,
        "one feature less": lambda X, Z, c, degree: (X[:, 1:] @ Z[:, 1:].T + c) ** degree,
        "a root": lambda X, Z, c, degree: np.abs(X @ Z.T + c) ** (1 / degree),
        "normed": lambda X, Z, c, degree: (
            (X @ Z.T + c) ** degree
            / np.sqrt(np.outer((np.sum(X * X, 1) + c) ** degree, (np.sum(Z * Z, 1) + c) ** degree))
        ),
        "exp": lambda X, Z, c, degree: np.exp(X @ Z.T + c),
        "centred": lambda X, Z, c, degree: ((X - X.mean(0)) @ (Z - Z.mean(0)).T + c) ** degree,
        "rounded": lambda X, Z, c, degree: np.round((X @ Z.T + c) ** degree),
        "one degree less": lambda X, Z, c, degree: (X @ Z.T + c) ** (degree - 1),
        "from behind": lambda X, Z, c, degree: (X @ Z[::-1].T + c) ** degree,
        "means": lambda X, Z, c, degree: ((X @ Z.T + c) / 2) ** degree,
    },
    "quadratic_features": {
        "half of c": quadratic(lambda a, b, c: (a, b, c / 2)),
        "the first feature lost": quadratic(lambda a, b, c: (a, b[:, 1:], c)),
        "absolute values": quadratic(lambda a, b, c: (np.abs(a), np.abs(b), c)),
        "cubes": quadratic(lambda a, b, c: (a * b[:, :1], b, c)),
        "c twice": quadratic(lambda a, b, c: (a, b, c, c)),
        "x and its square": quadratic(lambda a, b, c: (a, b, b * b, c)),
        "neighbours alone": lambda X, c: np.column_stack(
            [X * np.roll(X, 1, axis=1), np.sqrt(2 * c) * X, c + 0 * X[:, :1]]
        ),
        "another sample": quadratic(lambda a, b, c: (a[::-1], b, c)),
        "noise": lambda X, c: np.random.default_rng(0).normal(size=(len(X), 9)),
        "one root for all": quadratic(lambda a, b, c: (a / 2, b / 2, c / 2)),
        "signs": quadratic(lambda a, b, c: (np.sign(a), np.sign(b), c)),
        "the root of 3": quadratic(lambda a, b, c: (a, np.sqrt(1.5) * b, c)),
    },
    "gaussian_kernel": {
        "four": lambda X, Z, sigma: np.exp(-squared_distances(X, Z) / (2 * sigma**4)),
        "Cauchy": lambda X, Z, sigma: 1 / (1 + squared_distances(X, Z) / (2 * sigma**2)),
        "powers of 2": lambda X, Z, sigma: 2 ** (-squared_distances(X, Z) / (2 * sigma**2)),
        "the largest": lambda X, Z, sigma: np.exp(-np.max((X[:, None] - Z) ** 2, axis=2) / (3 * sigma**2)),
        "cut": lambda X, Z, sigma: np.maximum(1 - squared_distances(X, Z) / (2 * sigma**2), 0),
        "0 or 1": lambda X, Z, sigma: (squared_distances(X, Z) < sigma).astype(float),
        "one feature less": lambda X, Z, sigma: np.exp(-squared_distances(X[:, 1:], Z[:, 1:]) / (2 * sigma**2)) - 1e-3,
        "log": lambda X, Z, sigma: np.log1p(np.exp(-squared_distances(X, Z) / (2 * sigma**2))),
        "rows with the sum 1": lambda X, Z, sigma: (
            (K := np.exp(-squared_distances(X, Z) / (2 * sigma**2))) / (K.sum(axis=1, keepdims=True) + 1e-9)
        ),
        "scaled samples": lambda X, Z, sigma: np.exp(-squared_distances(X / np.abs(X).max(), Z) / (2 * sigma**2)),
        "tanh": lambda X, Z, sigma: np.tanh(X @ Z.T / sigma**2),
        "from behind": lambda X, Z, sigma: np.exp(-squared_distances(X, Z[::-1]) / (2 * sigma**2)),
    },
    "is_psd": {
        "the first entry is the largest of two": each(lambda K, t: is_symmetric(K, t) and K[0, 0] >= K[1, 1]),
        "rows": each(lambda K, t: is_symmetric(K, t) and (K.sum(axis=1) >= -t).all()),
        "the first entry": each(lambda K, t: is_symmetric(K, t) and K[0, 0] > 0),
        "the last eigenvalue but one": each(lambda K, t: is_symmetric(K, t) and np.linalg.eigvalsh(K)[1] >= -t),
        "full rank": each(lambda K, t: is_symmetric(K, t) and np.linalg.matrix_rank(K) == len(K)),
        "large": each(lambda K, t: is_symmetric(K, t) and np.linalg.norm(K) > 2.5),
        "Cauchy-Schwarz alone": each(
            lambda K, t: is_symmetric(K, t) and (K**2 <= np.outer(K.diagonal(), K.diagonal()) + t).all()
        ),
        "the mean": each(lambda K, t: is_symmetric(K, t) and np.mean(np.linalg.eigvalsh(K)) > 0.5),
        "every second": lambda Ks: np.arange(len(Ks)) % 2,
        "a coarse limit": each(lambda K, t: is_symmetric(K, t) and np.linalg.eigvalsh(K)[0] >= -0.5),
        "a wide limit of symmetry": each(lambda K, t: np.abs(K - K.T).max() < 1 and np.linalg.eigvalsh(K)[0] >= -t),
        "some z": each(
            lambda K, t: (
                is_symmetric(K, t) and all(z @ K @ z >= -t for z in np.random.default_rng(0).normal(size=(2, len(K))))
            )
        ),
    },
    "gaussian_features": {
        "Taylor of sin": powers(lambda x, s, k: phi(x, s, k) * (k % 2 or 0.5)),
        "half the factorial": powers(
            lambda x, s, k: np.exp(-(x**2) / (2 * s**2)) * (x / s) ** k / math.sqrt(math.factorial(k // 2))
        ),
        "normed": lambda x, sigma, n: (
            (P := powers(phi)(x, sigma, n)) / np.sqrt(np.sum(P * P, axis=1, keepdims=True)) * 0.9
        ),
        "centred": lambda x, sigma, n: powers(phi)(x - x.mean(), sigma, n),
        "cosines": lambda x, sigma, n: np.cos(np.outer(x, np.arange(n)) / sigma),
        "a cube root": powers(
            lambda x, s, k: np.exp(-(x**2) / (2 * s**2)) * (x / s) ** k / math.factorial(k) ** (1 / 3)
        ),
        "absolute values": powers(lambda x, s, k: phi(np.abs(x), s, k) + 1e-3),
        "1/2 sigma": powers(lambda x, s, k: phi(x, s / 2, k)),
        "bumps": lambda x, sigma, n: np.exp(-(np.subtract.outer(x, np.arange(n)) ** 2) / (2 * sigma**2)),
        "the second feature lost": lambda x, sigma, n: powers(phi)(x, sigma, n) * (np.arange(n) != 1) + 1e-4,
        "added up": lambda x, sigma, n: np.cumsum(powers(phi)(x, sigma, n), axis=1) * 1.1,
        "monomials": powers(lambda x, s, k: x**k),
    },
    "mercer_features": {
        "half of it": eigen_features(lambda v, V: V * root(v) / 2),
        "a cube root": eigen_features(lambda v, V: V * np.cbrt(np.maximum(v, 0))),
        "the diagonal alone": lambda K: np.diag(np.sqrt(np.diag(K))),
        "absolute values": eigen_features(lambda v, V: np.abs(V * root(v)) + 1e-3),
        "shifted": eigen_features(lambda v, V: V * root(v + 0.1)),
        "one sample twice": eigen_features(lambda v, V: (V * root(v))[[0, 0, *range(2, len(v))]]),
        "rounded": eigen_features(lambda v, V: np.round(V * root(v), 2)),
        "noise": lambda K: np.random.default_rng(0).normal(size=K.shape),
        "of 1 - K": eigen_features(lambda v, V: V * root(v[-1] - v)),
        "centred features": eigen_features(lambda v, V: V * root(v) - (V * root(v)).mean(axis=1, keepdims=True) * 0.5),
        "rows of length 1": lambda K: 2 * K / np.linalg.norm(K, axis=1, keepdims=True),
        "half of the sum": eigen_features(lambda v, V: (V * root(v) + V) / 2),
    },
}

KERNELS_SIGHTED = {  # as a reader writes them, and the words that tell each from the others
    "polynomial_kernel": {
        "each feature is raised to the power before": lambda X, Z, c, degree: X**degree @ (Z**degree).T + c,
        "c is added after the power": lambda X, Z, c, degree: (X @ Z.T) ** degree + c,
        "(a + b)^k is not": lambda X, Z, c, degree: (X @ Z.T) ** degree + c**degree,
        "that is (x·z)^degree": lambda X, Z, c, degree: np.power(X @ Z.T, degree),
        "that is (x·z + 1)^degree": lambda X, Z, c, degree: (1 + X @ Z.T) ** degree,
        "the power is missing": lambda X, Z, c, degree: X @ Z.T + c,
        "degree is a factor": lambda X, Z, c, degree: (c + X @ Z.T) * degree,
        "whatever degree is": lambda X, Z, c, degree: np.square(X @ Z.T + c),
        "it is added once, to x·z": lambda X, Z, c, degree: ((X + c) @ (Z + c).T) ** degree,
        "gamma = 1/d": lambda X, Z, c, degree: (X @ Z.T / len(X[0]) + c) ** degree,
        "that is X with itself": lambda X, Z, c, degree: (X @ X.T + c) ** degree,
        "it is transposed": lambda X, Z, c, degree: (Z @ X.T + c) ** degree,
        "(samples are the rows of X and Z: X @ Z.T": lambda X, Z, c, degree: (X.T @ Z + c) ** degree,
        "every row of X meets every row of Z": lambda X, Z, c, degree: (X * Z + c) ** degree,
        "^ is no power in Python": lambda X, Z, c, degree: (X @ Z.T + c) ^ degree,
        "every entry to a power is **": lambda X, Z, c, degree: np.linalg.matrix_power(X @ Z.T + c, degree),
    },
    "quadratic_features": {
        "features are 2c x_i": lambda X, c: [[*np.outer(x, x).ravel(), *(2 * c * x), c] for x in X],
        "features are √c x_i": quadratic(lambda a, b, c: (a, b / np.sqrt(2), c)),
        "√2 c x_i": lambda X, c: [[*np.outer(x, x).ravel(), *(2**0.5 * c * x), c] for x in X],
        "without the factor √(2c)": lambda X, c: [[*np.outer(x, x).ravel(), *x, c] for x in X],
        "features √(2c) x_i are missing": quadratic(lambda a, b, c: (a, c)),
        "the constant feature is missing": quadratic(lambda a, b, c: (a, b)),
        "the constant feature is √c": quadratic(lambda a, b, c: (a, b, np.sqrt(c))),
        "the constant feature is c²": quadratic(lambda a, b, c: (a, b, c**2)),
        "of (x·z)² alone": quadratic(lambda a, b, c: (a,)),
        "of (x·z + 1)²": lambda X, c: [np.outer((*x, 1), (*x, 1)).ravel() for x in X],
        "append √c": lambda X, c: [np.outer((*x, c), (*x, c)).ravel() for x in X],
        "once for each pair i < j": lambda X, c: [
            [*(x[i] * x[j] for i in range(len(x)) for j in range(i, len(x))), *(np.sqrt(2 * c) * x), c] for x in X
        ],
        "those are the squares alone": lambda X, c: np.column_stack([X**2, np.sqrt(2 * c) * X, np.full(len(X), c)]),
        "the squares x_i² are missing, and": lambda X, c: [
            [*(x[i] * x[j] for i in range(len(x)) for j in range(i)), *(np.sqrt(2 * c) * x), c] for x in X
        ],
        "those are the (x·z + c)² themselves": lambda X, c: (X @ X.T + c) ** 2,
        "must not depend on the other samples": lambda X, c: (
            (P := quadratic(lambda *parts: parts)(X, c)) - P.mean(axis=0)
        ),
        "a matrix with a row per sample, 9 here; it is of shape (7, 9)": lambda X, c: (
            quadratic(lambda *parts: parts)(X, c).T if len(X) == 9 else X
        ),
        "np.full(len(X), c) for the constant feature": lambda X, c: np.column_stack([X, [c]]),
    },
    "gaussian_kernel": {
        "the exponent needs a minus": lambda X, Z, sigma: np.exp(squared_distances(X, Z) / (2 * sigma**2)),
        "the distance is not squared": lambda X, Z, sigma: np.exp(
            -np.linalg.norm(X[:, None] - Z, axis=2) / (2 * sigma**2)
        ),
        "the 2 is missing": lambda X, Z, sigma: np.exp(-squared_distances(X, Z) / sigma**2),
        "sigma is not squared: the": lambda X, Z, sigma: np.exp(-squared_distances(X, Z) / (2 * sigma)),
        "2 sigma is squared as a whole": lambda X, Z, sigma: np.exp(-squared_distances(X, Z) / (2 * sigma) ** 2),
        "put 2 * sigma**2 in parentheses": lambda X, Z, sigma: np.exp(-squared_distances(X, Z) / 2 * sigma**2),
        "the gamma of other books": lambda X, Z, sigma: np.exp(-sigma * squared_distances(X, Z)),
        "you subtracted x·z once": lambda X, Z, sigma: np.exp(
            -((X**2).sum(1)[:, None] + (Z**2).sum(1) - X @ Z.T) / (2 * sigma**2)
        ),
        "you added 2 x·z": lambda X, Z, sigma: np.exp(
            -((X**2).sum(1)[:, None] + (Z**2).sum(1) + 2 * X @ Z.T) / (2 * sigma**2)
        ),
        "in place of ‖x - z‖²": lambda X, Z, sigma: np.exp(-X @ Z.T / (2 * sigma**2)),
        "those are Σ|x_i - z_i|": lambda X, Z, sigma: np.exp(-np.abs(X[:, None] - Z).sum(-1) / (2 * sigma**2)),
        "the mean of the squares": lambda X, Z, sigma: np.exp(-((X[:, None] - Z) ** 2).mean(-1) / (2 * sigma**2)),
        "exp is missing": lambda X, Z, sigma: -squared_distances(X, Z) / (2 * sigma**2),
        "that is X with itself": lambda X, Z, sigma: np.exp(-squared_distances(X, X) / (2 * sigma**2)),
        "divided by √(2π) sigma": lambda X, Z, sigma: (
            np.exp(-squared_distances(X, Z) / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
        ),
        "it is transposed": lambda X, Z, sigma: np.exp(-squared_distances(Z, X) / (2 * sigma**2)),
        "X - Z has no pairs": lambda X, Z, sigma: np.exp(-np.sum((X - Z) ** 2, axis=1) / (2 * sigma**2)),
        "np.exp all of them": lambda X, Z, sigma: math.exp(-squared_distances(X, Z) / (2 * sigma**2)),
    },
    "is_psd": {
        "(as Cholesky does)": each(lambda K, t: is_symmetric(K, t) and has_cholesky(K)),
        "clearly above 0": each(lambda K, t: is_symmetric(K, t) and np.linalg.eigvalsh(K).min() > t),
        "eigenvalues a little below 0 are rounding": each(
            lambda K, t: np.allclose(K, K.T) and bool(np.all(np.linalg.eigh(K)[0] >= 0))
        ),
        "to the last digit": each(lambda K, t: (K == K.T).all() and np.linalg.eigvalsh(K).min() > -t),
        "symmetry is not tested: eigvalsh": each(lambda K, t: (np.linalg.eigvalsh(K) >= -t).all()),
        "symmetry is not tested: positive eigenvalues": each(lambda K, t: (np.linalg.eigvals(K) >= -t).all()),
        "which (K + K.T)/2 decides": each(lambda K, t: np.linalg.eigvalsh((K + K.T) / 2)[0] >= -t),
        "only the symmetry is tested": each(is_symmetric),
        "whether the entries of K are >= 0": each(lambda K, t: is_symmetric(K, t) and (K >= -t).all()),
        "the determinant is no test": each(lambda K, t: is_symmetric(K, t) and np.linalg.det(K) >= -t),
        "a diagonal >= 0 is necessary": each(lambda K, t: is_symmetric(K, t) and K.diagonal().min() >= 0),
        "the trace is the sum": each(lambda K, t: is_symmetric(K, t) and np.trace(K) >= 0),
        "leading minors >= 0": each(
            lambda K, t: is_symmetric(K, t) and all(np.linalg.det(K[:k, :k]) >= -t for k in range(1, len(K) + 1))
        ),
        "one eigenvalue >= 0 is enough for you": each(
            lambda K, t: is_symmetric(K, t) and (np.linalg.eigvalsh(K) >= -t).any()
        ),
        "that is True for every K": each(lambda K, t: (np.linalg.svd(K)[1] >= -t).all()),
        "the booleans are reversed": each(lambda K, t: not (is_symmetric(K, t) and np.linalg.eigvalsh(K)[0] >= -t)),
        "for u = (1, ..., 1) alone": each(
            lambda K, t: is_symmetric(K, t) and np.ones(len(K)) @ K @ np.ones(len(K)) >= -t
        ),
        "Cholesky demands eigenvalues > 0": lambda Ks: [np.linalg.cholesky(K) is not None for K in Ks],
        "for all, Ks.swapaxes(1, 2)": lambda Ks: np.abs(Ks - Ks.T).max(axis=(1, 2)) < 1e-9,
    },
    "gaussian_features": {
        "√k! each": powers(lambda x, s, k: phi(x, s, k) / math.sqrt(math.factorial(k))),
        "k! is missing": powers(lambda x, s, k: np.exp(-(x**2) / (2 * s**2)) * (x / s) ** k),
        "you multiplied by √k!": powers(lambda x, s, k: phi(x, s, k) * math.factorial(k)),
        "the factorial is that of k + 1": lambda x, sigma, n: (
            np.exp(-(x[:, None] ** 2) / (2 * sigma**2))
            * (x[:, None] / sigma) ** np.arange(n)
            / np.sqrt(np.cumprod(np.arange(1.0, n + 1)))
        ),
        "the factor exp(-x²/(2 sigma²)) is missing": powers(lambda x, s, k: (x / s) ** k / math.factorial(k) ** 0.5),
        "z's factor along with it": powers(lambda x, s, k: phi(x, s, k) * np.exp(-(x**2) / (2 * s**2))),
        "with a minus": powers(lambda x, s, k: phi(x, s, k) * np.exp(x**2 / s**2)),
        "sigma is missing in the factor": powers(
            lambda x, s, k: np.exp(-(x**2) / 2) * (x / s) ** k / math.factorial(k) ** 0.5
        ),
        "sigma is missing in the power": powers(lambda x, s, k: phi(x, s, k) * s**k),
        "x gets x/sigma": powers(lambda x, s, k: phi(x, s, k) / s**k),
        "that is its value 1": powers(lambda x, s, k: phi(x, 1.0, k)),
        "the powers begin with k = 1": powers(lambda x, s, k: phi(x, s, k + 1)),
        "there is one feature too many": lambda x, sigma, n: powers(phi)(x, sigma, n + 1),
        "those are the k(x, z) themselves": lambda x, sigma, n: np.exp(
            -(np.subtract.outer(x, x) ** 2) / (2 * sigma**2)
        ),
        "those are the inner products already": lambda x, sigma, n: (P := powers(phi)(x, sigma, n)) @ P.T,
        "a row per sample, 6 here; it is of shape (4, 6)": lambda x, sigma, n: powers(phi)(x, sigma, n).T,
        "the power of all pairs is (N, n)": lambda x, sigma, n: (x / sigma) ** np.arange(n),
        "math.factorial takes one": lambda x, sigma, n: math.factorial(np.arange(n)),
    },
    "mercer_features": {
        "ΦΦᵀ is K²": lambda K: K,
        "ΦΦᵀ is I: the eigenvectors": lambda K: np.linalg.eigh(K)[1],
        "that is √Λ Vᵀ or √Λ V": eigen_features(lambda v, V: root(v)[:, None] * V),
        "that is √S Uᵀ of the SVD": lambda K: (lambda U, S, Vh: np.sqrt(S)[:, None] * Vh)(*np.linalg.svd(K)),
        "and its root is nan": eigen_features(lambda v, V: V @ np.diag(np.sqrt(v))),
        "you took its rows": eigen_features(lambda v, V: V.T * root(v)),
        "you reversed them, but not the columns": eigen_features(lambda v, V: V * root(v[::-1])),
        "only the largest eigenvalue is used": eigen_features(lambda v, V: V[:, -1:] * root(v[-1])),
        "the last ones are wanted": eigen_features(lambda v, V: V[:, : (r := int((v > 1e-9).sum()))] * root(v[:r])),
        "only two columns are kept": eigen_features(lambda v, V: V[:, -2:] * root(v[-2:])),
        "as in kernel PCA": lambda K: eigen_features(lambda v, V: V * root(v))(kernels.center(K)),
        "to a diagonal of 1 first": lambda K: eigen_features(lambda v, V: V * root(v))(kernels.normalize(K)),
        "take those of its eigenvalues": np.sqrt,
        "that is λ^(1/4)": eigen_features(lambda v, V: V * np.maximum(v, 0) ** 0.25),
        "a row per sample, 6 here; it is of shape (3, 6)": lambda K: kernels.mercer_features(K).T,
        "Cholesky needs full rank": np.linalg.cholesky,
    },
}


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)], ids=["2 seeds", "8 more seeds"]
)
@pytest.mark.parametrize("name, label", [(name, label) for name, wrong in KERNELS_OUTSIDE.items() for label in wrong])
def test_a_wrong_function_of_chapter_12_that_nobody_listed_gets_no_name(name, label, seeds):
    for seed in seeds:
        result = check.__getattr__(name)(KERNELS_OUTSIDE[name][label], seed=seed)
        assert result.status == "--", seed
        assert result.text.startswith(("wrong on", "nearly right on")), (seed, result)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name, words", [(name, words) for name, wrong in KERNELS_SIGHTED.items() for words in wrong])
def test_what_readers_of_chapter_12_wrote_gets_its_words_and_nothing_more(name, words, seed):
    ex = check.__getattr__(name)
    told = ex(KERNELS_SIGHTED[name][words], seed=seed).text
    assert words in told and "; and " not in told, told
    assert told in ex.mistakes or "it stopped: " in told or told.startswith(("it is transposed", "it must be a ")), told


def test_every_exercise_of_chapter_12_has_wrong_functions_in_and_outside_its_list():
    names = [ex.name for ex in EXERCISES if ex.chapter == "12"]
    assert list(KERNELS_OUTSIDE) == list(KERNELS_SIGHTED) == names
    assert min(map(len, (*KERNELS_OUTSIDE.values(), *KERNELS_SIGHTED.values()))) >= 12


def test_two_mistakes_of_chapter_12_are_told_together():
    told = check.polynomial_kernel(lambda X, Z, c, degree: (X @ X.T) ** degree).text
    assert told == "c is missing: that is (x·z)^degree; and that is X with itself; the columns belong to the rows of Z"
    told = check.gaussian_kernel(
        lambda X, Z, sigma: np.exp(np.linalg.norm(X[:, None] - Z, axis=2) / (2 * sigma**2))
    ).text
    assert "; and " in told and "needs a minus" in told and "the distance is not squared" in told
    told = check.is_psd(each(lambda K, t: has_cholesky(K))).text
    assert "; and " in told and "(as Cholesky does)" in told and "symmetry is not tested" in told
    told = check.quadratic_features(
        lambda X, c: [[*(x[i] * x[j] for i in range(len(x)) for j in range(i + 1)), *(2 * c * x), c] for x in X]
    ).text
    assert "; and " in told and "once for each pair" in told and "features are 2c x_i" in told


@pytest.mark.parametrize("name", ["quadratic_features", "gaussian_features", "mercer_features"])
def test_features_may_be_turned_and_padded(name):
    """(ΦQ)(ΦQ)ᵀ = ΦΦᵀ for QQᵀ = I, and a column of zeros adds nothing."""
    ex = check.__getattr__(name)

    def changed(change):
        return ex(lambda *args: change(np.asarray(ex.answer(*args))))

    rng = np.random.default_rng(0)
    assert changed(lambda P: P @ np.linalg.qr(rng.normal(size=2 * P.shape[1:]))[0]).ok
    assert changed(lambda P: np.pad(-P[:, ::-1], ((0, 0), (2, 0)))).ok
    assert changed(lambda P: np.sqrt(2) * P).text.startswith("it is 2 times what it should be (φ is √2 times too long")
    assert not changed(lambda P: P[::-1]).ok and not changed(lambda P: P[:, 1:]).ok
    assert "a row per sample" in changed(lambda P: P[0]).text


def test_the_matrices_of_is_psd_leave_no_doubt():
    """Eigenvalues are rounding, or a tenth of the size of the matrix or so: no reading of the limit decides."""
    for seed in range(30):
        for case in check.is_psd.cases(np.random.default_rng(seed)):
            for K, right in zip(case.args[0], check.is_psd.answer(*case.args), strict=True):
                size, skew, least = np.abs(K).max(), np.abs(K - K.T).max(), np.linalg.eigvalsh((K + K.T) / 2)[0]
                assert skew <= 1e-13 * size or skew >= 0.05 * size
                assert least >= -1e-13 * size or least <= -0.01 * size
                assert right == (skew <= 1e-13 * size and least >= -1e-13 * size)


def test_some_features_of_a_kernel_matrix_are_roots_of_negative_rounding():
    for seed in range(30):
        found = [np.linalg.eigvalsh(K)[0] for _, (K,), _ in check.mercer_features.cases(np.random.default_rng(seed))]
        assert found[0] > 0.1 and max(found[1:]) < 0


def test_two_points_apart_are_enough_that_a_cut_series_is_no_kernel():
    """K = [[1, q], [q, 1]] with q = 1 - r²/8 is indefinite for q < -1, r > 4. Three in a line do at any distance:
    z·Kz = a² - ac/4 + b²/4 of the moments a = Σz, b = Σzx, c = Σzx²; three points reach b = 0, a = 1, c = 8.
    """
    con = check.not_a_kernel
    X, z = con.example()
    K = 1 - squared_distances(X, X) / 8
    assert K.tolist() == [[1, -3.5], [-3.5, 1]] and z @ K @ z == -5
    assert con(lambda: ([[0.0], [4.001]], [1, 1])).ok and con(lambda: ([[0, 0, 5]] * 2 + [[0, 0, -5]], [1, 1, 2])).ok
    points = np.array([-0.5, 0.0, 0.5])
    weights = np.linalg.solve([[1.0, 1, 1], points, points**2], [1.0, 0, 8])
    assert con(lambda: (points[:, None], weights)).ok
    assert con(lambda: (np.array([[0.0], [2], [4], [6]]), np.array([1.0, 0, 0, 1]))).ok


def test_the_first_requirement_of_no_kernel_missed_is_the_one_that_is_told():
    def told(X, z):
        return check.not_a_kernel(lambda: (X, z)).text

    far = [[-3.0], [3.0]]
    assert told(-3.0, 1.0).startswith("X must be a matrix")
    assert told(far, [[1.0], [1.0]]).startswith("u must be a vector (N,)")
    assert told([[7.0]], [1.0]).startswith("for one point K = k(x, x) = 1")
    assert told([[0.0], [3.9]], [1.0, 1.0]).startswith("for these points K is positive semidefinite")
    assert told(far, [2.0, -2.0]).startswith("the weights sum to 0")
    assert told(far, [1.0, -0.5]).startswith("u·Ku is not negative")
    assert told([[0.0], [4.0 + 1e-12]], [1.0, 1.0]).startswith(("for these points K", "u·Ku is 0 but for rounding"))


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


def test_the_stars_of_a_chapter_never_fall():
    stars = {task.chapter: [t.stars for t in listing() if t.chapter == task.chapter] for task in listing()}
    assert stars == {chapter: sorted(of_chapter) for chapter, of_chapter in stars.items()}


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


@pytest.mark.parametrize("chapter", sorted({task.chapter for task in listing()}))
def test_the_first_exercise_shows_how_to_ask_for_a_hint(chapter):
    path = next(NOTEBOOKS.glob(f"{chapter}_*.ipynb"))
    texts = {cell["id"]: "".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]}
    first = next(task.name for task in listing() if task.chapter == chapter)
    assert texts[f"ch{chapter}-hints"] == f"# check.{first}.hint()"
    assert re.findall(r"check\.(\w+)\.(?:hint|solution)\(", texts[f"ch{chapter}-exercises"])[0] == first


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

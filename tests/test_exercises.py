"""What every exercise must satisfy, and the checker itself. Nothing here is written per exercise."""

import ast
import copy
import inspect
import itertools
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import linmodels.exercises as package
from linmodels import kernels, perceptron
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
    "seeds", [range(10), pytest.param(range(10, 100), marks=pytest.mark.slow)], ids=["10 seeds", "90 more seeds"]
)


@pytest.fixture(autouse=True)
def fresh_session():
    yield
    for task in listing():
        task.last = None


def mistaken(ex, switches):
    return lambda *args: ex.variant(*args, **switches)


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
        for (s, a), (t, b) in itertools.combinations(answers.items(), 2):
            assert not all(map(ex.same, a, b)), (seed, s, t)


@each_exercise
def test_no_pair_of_mistakes_passes_and_most_are_named(ex):
    pairs = [p for p in itertools.combinations(ex.mistakes.items(), 2) if not p[0][1].keys() & p[1][1].keys()]
    named = 0
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
        right, wrong, call = ex.answer(*args), ex.variant(*args, **switches), next(calls)
        if not isinstance(right, tuple):
            return spoil(right, wrong, call)
        return tuple(spoil(r, w, call) for r, w in zip(right, wrong, strict=True))

    return f


@pytest.mark.parametrize("trials", [range(24), pytest.param(range(24, 300), marks=pytest.mark.slow)], ids=["24", "276"])
@each_exercise
def test_no_unknown_wrong_answer_passes_or_gets_a_name(ex, trials):
    for trial in trials:
        result = ex(spoiled(ex, trial % 6, trial), seed=trial)
        assert result.status == "--", trial
        assert result.text.startswith(("wrong on", "nearly right on")), (trial, result)


@each_exercise
def test_a_factor_is_found_without_being_listed(ex):
    if ex.play is run:  # the path of a step is not linear in the step; its factors are listed as mistakes
        assert any("eta is missing" in text for text in ex.mistakes)
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


def test_the_solution_shows_the_private_functions_it_needs():
    assert (
        "def minimum_norm(" in check.min_norm_solution.solution() and "def _svd(" in check.min_norm_solution.solution()
    )


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
    assert re.search(r"^(def|lambda) ?\w", repr(task.solution()), re.M) and "return " in task.solution()
    assert repr(task).splitlines()[0] == f"{'★' * task.stars} {task.signature}  [{task.notes}]"
    assert capsys.readouterr() == ("", "")


@each_exercise
def test_the_solution_shows_the_library_function(ex):
    shown = {node.name for node in ast.walk(ast.parse(ex.solution())) if isinstance(node, ast.FunctionDef)}
    assert shown and all(f"def {name}" in source_of_library() for name in shown)
    if ex.answer.__name__ == "<lambda>":
        assert ex.solution().startswith("lambda ") and len(ex.solution().split("\n\n")[0].splitlines()) <= 5


def source_of_library():
    return "".join(path.read_text(encoding="utf-8") for path in Path(package.__file__).parents[1].glob("*.py"))


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

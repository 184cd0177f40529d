"""What an exercise must satisfy: the book's own tests of one, for the book and for a teacher who writes another."""

import ast
import copy
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from .by_hand import ByHand
from .checker import Case, Construction, Exercise, Task, known_of, own_of
from .derive import Derivation
from .kinds import Mutants, Project
from .mistakes import edited, source_of
from .prove import Proof

LINES = {"write": 6, "by hand": 12, "loop": 12, "project": 12}  # of an answer
LONGEST = {"ask": 480, "told": 130}  # characters


def faults(task: Task, seeds: Iterable[int] = range(10)) -> Iterator[str]:
    """All that is wrong with an exercise, each with what to change."""
    yield from _texts(task)
    unusable = list(_unusable(task))
    yield from unusable
    if unusable:
        return
    for stub in _stubs(task):
        result = stub()
        if result.status != "  ":
            yield f"an answer that is not written yet must be neutral; it gets {result.text!r}"
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a mistake may overflow
        for kind, judge in _JUDGES.items():
            if isinstance(task, kind):
                yield from judge(task, list(seeds))
                break


def survivors(task: Exercise) -> Iterator[str]:
    """Small changes of the answer that its cases let pass: are these right, too, or is a case missing?"""
    for line, wrong in _mutants(task.answer):
        if _passes(task, wrong):
            yield line


def answered(task: Task, f: Any, seed: int | None = None) -> Any:
    """What the check says of an answer in whatever form its kind has; of numbers found by hand, f makes them."""
    if isinstance(task, ByHand):
        values = f(*known_of(task, task.seed if seed is None else seed).cases[0].args)
        return task(*(values if isinstance(values, tuple) else (values,)), seed=seed)
    return task(f, seed=seed)


def _texts(task: Task) -> Iterator[str]:
    if not 60 < len(task.ask) < LONGEST["ask"] or not task.ask.endswith("."):
        yield f"ask must end with a point and have 61 to {LONGEST['ask'] - 1} characters, not {len(task.ask)}"
    if task.notes and not re.match("[A-E] [0-9]|E(,|$)", task.notes):
        yield f"notes must name a place of the notes A to E, such as A 5.2, or be empty, not {task.notes!r}"
    if task.stars not in range(4):
        yield f"stars must be 0 (a warm-up), 1, 2 or 3, not {task.stars}"
    if len(task.hints) not in (2, 3):
        yield f"give 2 or 3 hints, not {len(task.hints)}"
    told = [text for _, _, text in getattr(task, "mistakes", ())] + list(task.hints)
    told += [need.text for need in getattr(task, "requirements", ()) if isinstance(need.text, str)]
    for text in told:
        if not 0 < len(text) < LONGEST["told"] or text.strip() != text:
            yield f"a text must have 1 to {LONGEST['told'] - 1} characters, and no space at its ends: {text!r}"
    for name in task.parameters if task.kind in ("write", "loop", "project") else ():
        if not re.search(rf"(?<!\w){name}(?!\w)", task.ask):
            yield f"ask must name the argument {name}"


def _unusable(task: Task) -> Iterator[str]:
    """What would stop every answer before it is judged."""
    answer = getattr(task, "answer", None)
    if answer is not None and (not isinstance(answer, FunctionType) or answer.__name__ == "<lambda>"):
        yield "answer must be a function that is written with def"
    elif isinstance(task, Exercise):
        try:
            cases = task.cases(np.random.default_rng(0))
        except Exception as error:
            yield f"cases is called with a random generator, and stops: {error!r}"
            return
        if not isinstance(cases, list) or not cases or not all(isinstance(case, Case) for case in cases):
            yield "cases must return a list: [Case(label, arguments), ...]"
            return
        for case in cases:
            try:
                task.answer_of(task.answer, case)
            except Exception as error:
                yield f"its own answer stops on the case {case.label!r}: {error!r}"
                return


def _stubs(task: Task) -> list[Callable[[], Any]]:
    if isinstance(task, ByHand | Derivation | Proof):
        return [lambda: task(...)]
    return [lambda: task(lambda *args: None), lambda: task(lambda *args: ...)]


def _of_a_function(task: Exercise, seeds: list[int]) -> Iterator[str]:
    source = source_of(task.answer)
    if len(source.splitlines()) > LINES[task.kind]:
        yield f"the answer must have at most {LINES[task.kind]} lines, and has {len(source.splitlines())}"
    yield from _pasted(task)
    unclear = [old for old, _, _ in task.mistakes if source.count(old) != 1]
    if unclear:
        count = source.count(unclear[0])
        yield f"what a mistake replaces must stand once in the answer, not {count} times: {unclear[0]!r}"
        return
    for edit in task.mistakes:
        try:
            edited(task.answer, (edit,))
        except SyntaxError as error:
            yield f"with the mistake {edit[1]!r} the answer is no Python: {error.msg}"
            return
    if len(task.mistakes) < 4:
        yield f"list at least 4 mistakes, not {len(task.mistakes)}"
    for seed in seeds:
        if not answered(task, task.answer, seed).ok:
            yield f"seed {seed}: its own answer is refused: {task.last}"
        for edit in task.mistakes:
            result = answered(task, edited(task.answer, (edit,)), seed)
            if result.ok:
                yield f"seed {seed}: a mistake passes, so a case is missing that shows it: {edit[2]!r}"
            elif result.text != edit[2]:
                yield f"seed {seed}: whoever made the mistake {edit[2]!r} is told {result.text!r}"


def _of_a_construction(task: Construction, seeds: list[int]) -> Iterator[str]:
    yield from _pasted(task)
    for seed in seeds:
        own = own_of(task, seed)
        if not task(task.example, seed=seed).ok:
            yield f"seed {seed}: its own example is refused: {task.last}"
        for need in task.requirements:
            failing = need.failing(*own) if callable(need.failing) else need.failing
            given = failing if len(failing) > 1 else failing[0]
            told = need.text(*map(_array, failing), *own) if callable(need.text) else need.text
            result = task(lambda *own, given=given: copy.deepcopy(given), seed=seed)
            if result.text != told:
                yield f"seed {seed}: the failing example of {told!r} is told {result.text!r}"
    if isinstance(task, Mutants):
        yield from _of_mutants(task)


def _of_mutants(task: Mutants) -> Iterator[str]:
    unclear = [old for old, _, _ in task.faults if source_of(task.program).count(old) != 1]
    if unclear:
        yield f"what a fault replaces must stand once in the program: {unclear[0]!r}"


def _of_a_derivation(task: Derivation, seeds: list[int]) -> Iterator[str]:
    for seed in seeds:
        if not task(*task.lines, seed=seed).ok:
            yield f"seed {seed}: its own lines are refused: {task.last}"
            return
    if len(task.lines) > 1 and task(task.lines[-1]).ok:
        yield "the last line alone is accepted: nothing has to be derived"
    for k, line, words in task.slips:
        if k not in range(1, len(task.lines) + 1):
            yield f"a slip is in line {k}, and `lines` has the lines 1 to {len(task.lines)}"
            continue
        result = task(*task.lines[: k - 1], line)
        if result.ok or words not in result.text:
            yield f"the slip {line!r} must be told {words!r}; it is told {result.text!r}"


def _of_a_proof(task: Proof, seeds: list[int]) -> Iterator[str]:
    if not any(line.needs for line in task.lines.values()):
        yield "no line needs another: every order would be a proof; give Line(text, what it says, needs=(...))"
    if any(not callable(decoy.refuted) for decoy in task.decoys.values()):
        yield "Decoy(text, refuted): refuted is a function that returns the words with the numbers"
        return
    letters = {key: letter for letter, key in task.dealt.items()}
    known = set(task.lines)
    for key, line in task.lines.items():
        if not known.issuperset(line.needs):
            yield f"the line {key!r} needs {sorted(set(line.needs) - known)}, and no line is called so"
            return
    if not task("".join(letters[key] for key in task.lines)).ok:
        yield f"its own order is refused: {task.last}"
    for key, decoy in task.decoys.items():
        letters = {key: letter for letter, key in task.dealt.items()}
        if not re.search(r"\d", decoy.refuted()) or decoy.refuted() not in task(letters[key]).text:
            yield f"the decoy {key!r} must be answered by numbers that refute it; it is told {task.last}"
    task.wrong = 0


def _of_a_project(task: Project, seeds: list[int]) -> Iterator[str]:
    yield from _pasted(task)
    for seed in seeds[:3]:
        if not task(task.answer, seed=seed).ok:
            yield f"seed {seed}: its own answer misses the mark: {task.last}"
    most = lambda X, t, X_new: np.full(len(X_new), np.median(t) if not task.outputs(np.ones(1)) else np.mean(t))  # noqa: E731
    if task(most).ok:
        yield "a model that says the same of all samples reaches the mark"


def _pasted(task: Any) -> Iterator[str]:
    """The solution is code that can be pasted and needs nothing but imports."""
    namespace: dict[str, Any] = {}
    try:
        exec(task.solution(), namespace)
    except Exception as error:
        yield f"its solution does not run where it is pasted: {error!r}"
        return
    if not answered(task, namespace[task.name]).ok:
        yield f"its solution is refused where it is pasted: {task.last}"


def _array(a: Any) -> Any:
    return np.asarray(a, float) if np.ndim(a) else a


_JUDGES: dict[type[Task], Callable[[Any, list[int]], Iterator[str]]] = {
    Project: _of_a_project,
    Proof: _of_a_proof,
    Derivation: _of_a_derivation,
    Construction: _of_a_construction,
    Exercise: _of_a_function,
}

_OTHER: dict[type[ast.AST], list[type[ast.AST]]] = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div, ast.Add],
    ast.Div: [ast.Mult],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Lt: [ast.LtE, ast.Gt],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.Eq: [ast.NotEq],
}


def _mutants(f: Callable[..., Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The function with one operation, number or name changed."""
    tree = ast.parse(source_of(f)).body[0]
    names = [arg.arg for arg in tree.args.args]  # type: ignore[attr-defined]
    for k, node in enumerate(ast.walk(tree)):
        for field, new in _changes(node, names):
            changed = copy.deepcopy(tree)
            setattr(list(ast.walk(changed))[k], field, new)
            module = ast.fix_missing_locations(ast.Module([changed], []))
            namespace = dict(f.__globals__)
            exec(compile(module, "mutant", "exec"), namespace)
            yield ast.unparse(changed), namespace[f.__name__]


def _changes(node: ast.AST, names: list[str]) -> Iterator[tuple[str, Any]]:
    match node:
        case ast.BinOp(op=op) if type(op) in _OTHER:
            yield from (("op", other()) for other in _OTHER[type(op)])
        case ast.Compare(ops=[op]) if type(op) in _OTHER:
            yield from (("ops", [other()]) for other in _OTHER[type(op)])
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            yield from (("value", number + step) for step in (1, -1))
        case ast.Name(id=name, ctx=ast.Load()) if name in names:
            yield from (("id", other) for other in names if other != name)


def _passes(task: Exercise, wrong: Callable[..., Any]) -> bool:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return bool(answered(task, wrong).ok)
        except Exception:  # a mutant whose numbers cannot even be made
            return False

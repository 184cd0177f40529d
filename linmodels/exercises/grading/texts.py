"""What an exercise can tell a reader in words of its own, each text under a key where another language can stand.

What the checker says of any exercise is not here: it stands in the other files of this folder. Nor is what a text takes
from a function of its own, other than the one that makes it.
"""

import ast
import inspect
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from .answers import Function
from .checker import Construction, Exercise, Task
from .derive import Derivation
from .kinds import Loop, Mutants, Project
from .prove import Proof


def texts(task: Task) -> dict[str, str]:
    """The texts of a task by key, as within_scatter/hint/2, or within_scatter/mistake/ and a number made of the words.

    So a key made of words survives any order of the mistakes, and no translation stays under it when they change.
    """
    found: dict[str, str] = {}
    for key, text in _told(task):
        if found.setdefault(f"{task.name}/{key}", text) != text:
            raise ValueError(f"{task.name}/{key} is the key of two texts: {found[f'{task.name}/{key}']!r} and {text!r}")
    return found


def _told(task: Task) -> Iterator[tuple[str, str]]:
    yield from (("ask", task.ask), ("notes", task.notes))
    yield from _numbered("hint", task.hints)
    if isinstance(task, Exercise):
        yield from _numbered("returns", task.returns)
        yield from _numbered("judged", task.judged)
        yield from ((f"factor/{factor}", reason) for factor, reason in task.factors.items())
        yield from _by_words("mistake", (text for _, _, text in task.mistakes))
        yield from _by_words("case", (case.label for case in task.cases(np.random.default_rng(0))))
        yield from _by_words("refusal", _templates(task.play) if task.play.__module__ != Task.__module__ else ())
        yield from _numbered("singular", [task.singular] if task.singular else [])
        yield from _numbered("step", [task.step] if isinstance(task, Loop) else [])
    elif isinstance(task, Construction):
        yield from _numbered("returns", task.returns)
        for need in task.requirements:
            yield from _by_words("requirement", [need.text] if isinstance(need.text, str) else _templates(need.text))
        yield from _by_words("shown", _templates(task.shows) if task.shows else ())
        faults = (*task.faults, *task.spared) if isinstance(task, Mutants) else ()
        yield from _by_words("fault", (text for _, _, text in faults))
    elif isinstance(task, Proof):
        yield from _by_words("line", (line.text for line in task.lines.values()))
        yield from _by_words("decoy", (decoy.text for decoy in task.decoys.values()))
        yield from _by_words("says", (line.says for line in task.lines.values()))
        yield from _by_words("refuted", (text for decoy in task.decoys.values() for text in _templates(decoy.refuted)))
    elif isinstance(task, Derivation):
        yield from _numbered("bound", [task.bound_as] if task.bound_as else [])
    elif isinstance(task, Project):
        yield from _by_words("outputs", _templates(task.outputs))
        yield from _by_words("mistaken", (text for _, text in task.mistaken))


def _numbered(kind: str, told: Iterable[str]) -> Iterator[tuple[str, str]]:
    yield from ((f"{kind}/{n}", text) for n, text in enumerate(told, start=1))


def _by_words(kind: str, told: Iterable[str]) -> Iterator[tuple[str, str]]:
    yield from ((f"{kind}/{zlib.crc32(text.encode()):08x}", text) for text in told)


def _templates(f: Function) -> list[str]:
    """The words in a function that makes a text, and in what it has kept: what it fills in stands in braces."""
    kinds = ast.FunctionDef | ast.Lambda
    nodes = (node for node in ast.walk(_parsed(inspect.getsourcefile(f) or "")) if isinstance(node, kinds))
    code = next(node for node in nodes if node.lineno == f.__code__.co_firstlineno)
    found = [*_strings(code), *(text for cell in f.__closure__ or () for text in _kept(cell.cell_contents))]
    return [text for text in found if re.search("[a-z]{2}", text)]


@cache
def _parsed(file: str) -> ast.AST:
    with open(file, encoding="utf-8") as source:
        return ast.parse(source.read())


def _strings(node: ast.AST) -> Iterator[str]:
    """The strings in a piece of code, f-strings as templates; no docstring."""
    if isinstance(node, ast.JoinedStr):
        parts = [part.value for part in node.values if isinstance(part, ast.Constant | ast.FormattedValue)]
        yield "".join(f"{{{ast.unparse(part)}}}" if isinstance(part, ast.AST) else str(part) for part in parts)
        yield from (text for part in parts if isinstance(part, ast.AST) for text in _strings(part))
    elif isinstance(node, ast.Constant):
        yield from [node.value] if isinstance(node.value, str) else []
    elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        yield from (text for child in ast.iter_child_nodes(node) for text in _strings(child))


def _kept(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        yield from (text for part in value for text in _kept(part))

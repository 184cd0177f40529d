"""The question of an exercise stands once, in `linmodels/exercises`; a run writes it above the cell of the answer."""

from __future__ import annotations

import ast
import copy
import re
from typing import Any

from linmodels.book import notebooks
from linmodels.exercises import Task, listing

Notebook = dict[str, Any]


def name_of(source: str) -> str | None:
    """The exercise that a code cell answers: its last statement is check.NAME(...), of NAME, of dots, or of a text."""
    try:
        last = ast.parse(source).body[-1]
    except (SyntaxError, IndexError):
        return None
    match last:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("check"), name), [ast.Name() | ast.Constant() as given])):
            return name if name != "before" and getattr(given, "id", name) == name else None
    return None


def questions() -> dict[str, str]:
    """The text of each exercise as its chapter asks it, by name."""
    counts: dict[str, int] = {}
    found = {}
    for task in listing():
        counts[task.chapter] = number = counts.get(task.chapter, 0) + 1
        found[task.name] = _question(task, number)
    return found


def _question(task: Task, number: int) -> str:
    stars = f" {'★' * task.stars}" if task.stars else ""
    return f"**Exercise {int(task.chapter)}.{number}**{stars} {_escaped(task.ask)} ({task.notes})"


def _escaped(text: str) -> str:
    """Markdown that shows these characters, except in code between backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([_*<~|\[\]])", r"\\\1", part) for part in parts)


def bare(text: str) -> str:
    """A question without how Markdown writes it: a row of lines may be set as one."""
    return " ".join(re.sub(r"\\(.)", r"\1", text).split())


def written(chapter: Notebook) -> Notebook:
    """The chapter with the questions of now, each in the cell of text above its answer; no answer is touched."""
    chapter, asks = copy.deepcopy(chapter), questions()
    for k, cell in enumerate(chapter["cells"]):
        name = name_of(notebooks.text(cell["source"])) if cell["cell_type"] == "code" else None
        above = next((c for c in chapter["cells"][k::-1] if c["cell_type"] == "markdown"), None)
        if name in asks and above and bare(notebooks.text(above["source"])) != bare(asks[name]):
            if notebooks.text(above["source"]).startswith("**Exercise"):
                above["source"] = asks[name]
    return chapter

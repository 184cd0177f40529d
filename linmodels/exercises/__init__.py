"""The exercises of the book: ``from linmodels.exercises import check``.

    check.normal_equations(my_function)     right, or what is wrong with it; nothing is printed or raised
    check.normal_equations                  the question
    check.normal_equations.hint()           .hint(2)   .solution()
    check                                   how this session stands
    check.me("your name")                   own numbers and letters of proofs; keep=True keeps the verdicts
    check.me("ann", numbers="class 5")      the numbers of a word that a class shares
    check.before("ch09-orders", 3)          an answer to a question of the text, before its fold is opened
    check.add(my_exercise=Exercise(...))    an exercise of a teacher's own

Each file here is a chapter's, and its exercises are its variables, in the order of the page. They are loaded when first
asked for.
"""

import importlib
import pkgutil
from difflib import get_close_matches
from functools import cache
from types import ModuleType
from typing import Any

from .grading.before import Question
from .grading.checker import Construction, Exercise, Result, Task, Text
from .grading.reader import reader

__all__ = ["Construction", "Exercise", "Result", "Task", "check", "listing"]

NO_NAME = "no name yet: give your own as a text, as in check.me('ann')"


def listing() -> list[Task]:
    """All exercises in the order of the book, each with chapter, name, stars, ask, notes, hints and kind."""
    return list(_by_name().values())


@cache
def _rooms() -> list[ModuleType]:
    files = [file.name for file in pkgutil.iter_modules(__path__) if not file.ispkg]
    return sorted((importlib.import_module(f"{__name__}.{file}") for file in files), key=lambda room: room.chapter)


@cache
def _by_name() -> dict[str, Task]:
    return {
        name: _placed(task, name, room.chapter)
        for room in _rooms()
        for name, task in vars(room).items()
        if isinstance(task, Task)
    }


@cache
def _questions() -> dict[str, Question]:
    return {cell: question for room in _rooms() for cell, question in getattr(room, "before", {}).items()}


def _placed(task: Task, name: str, chapter: str) -> Task:
    task.name, task.chapter = name, chapter
    return task


class Naming:
    """``check.me(name)`` says who answers, and ``check.me`` shows it."""

    def __call__(self, name: Any = ..., keep: bool = False, numbers: str = "") -> None:
        """Own numbers and letters for this name, or for the word `numbers` of a class; keep: verdicts go into a file.

        It prints what is new. Who had no name before keeps his verdicts on exercises without own numbers.
        """
        if name is ...:
            return print(NO_NAME)
        if not (isinstance(name, str) and name.strip()):
            raise ValueError(f"name must be a text such as 'ann'; found {name!r}")
        if not isinstance(numbers, str):
            raise ValueError(f"numbers must be a text such as 'class 5'; found {numbers!r}")
        was, verdicts, seeds = reader.name, reader.verdicts, {task.name: task.seed for task in listing()}
        told = reader.is_called(name, keep, numbers)
        same_reader = was in ("", reader.name)
        stays = {task.name for task in listing() if same_reader and task.seed == seeds[task.name]}
        reader.brings({name: verdicts[name] for name in stays & verdicts.keys()})
        again = [task.name for task in listing() if same_reader and task.name in verdicts.keys() - stays]
        for task in listing():
            task.last = task.last if task.name in stays else None
        whose = f"those of {reader.numbers!r}" if reader.numbers else "yours"
        print(f"{reader.name}: own numbers and letters of proofs are {whose} now; check.NAME.given shows them; {told}")
        if again:
            print(f"answered with other numbers: {', '.join(again)}")

    def __repr__(self) -> str:
        return f"{reader.name}, with the numbers of {reader.word}" if reader.name else NO_NAME


class Check:
    """``check.NAME(f)`` checks f; ``check`` shows this session: the chapters tried so far, or all of them."""

    me = Naming()

    def before(self, cell: str, *answer: Any) -> Result:
        """Check an answer to the question of a cell, before its fold is opened."""
        if cell not in _questions():
            near = get_close_matches(str(cell), _questions(), cutoff=0.4) or list(_questions())[:3]
            raise ValueError(f"no question with an answer stands in {cell!r}; see {' or '.join(near)}")
        return _questions()[cell].judged(cell, answer)

    def add(self, *unnamed: Task, **tasks: Task) -> Text:
        """Exercises of a teacher's own, by their names: check.NAME knows them then, and so do `check` and listing()."""
        if unnamed:
            raise TypeError("an exercise needs its name: check.add(name=exercise)")
        for name, task in tasks.items():
            if name in _by_name() and _by_name()[name].chapter != "mine":
                raise ValueError(f"{name} is an exercise of the book: choose another name")
            if not isinstance(task, Task):
                raise TypeError(f"{name} must be an exercise, such as Exercise(...); found {type(task).__name__}")
            _by_name()[name] = _placed(task, name, "mine")
        return Text(f"added: {', '.join(tasks)}")

    def __getattr__(self, name: str) -> Any:
        if name in _by_name():
            return _by_name()[name]
        near = get_close_matches(name, _by_name()) or ["dir(check)"]
        raise AttributeError(f"no exercise is called {name!r}; see {' or '.join(near)}")

    def __dir__(self) -> list[str]:
        return sorted([*_by_name(), "me", "before", "add"])

    def __repr__(self) -> str:
        tried = {task.chapter for task in listing() if task.last or _solved(task)}
        return "\n".join(_line(task) for task in listing() if task.chapter in tried or not tried)


def _solved(task: Task) -> str:
    """When the reader has solved it, in this session or, if that is kept, before."""
    return reader.verdicts.get(task.name, {}).get("solved", "")


def _line(task: Task) -> str:
    """Once solved, it stays solved."""
    last, when = task.last, _solved(task)
    if last and (last.ok or not when):
        return f"{task.chapter} {last!r}"
    again = "; the last answer is not right" if last and last.status == "--" else ""
    return (
        f"{task.chapter} {f'[ok] {task.name}: solved on {when}{again}' if when else f'[  ] {task.name}: not tried yet'}"
    )


check = Check()

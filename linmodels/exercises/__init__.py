"""The exercises of the book: ``from linmodels.exercises import check``.

    check.normal_equations(my_function)     right, or what is wrong with it; nothing is printed, raised or stored
    check.normal_equations                  the question
    check.normal_equations.hint()           .hint(2)   .solution()
    check                                   how this session stands

Each file here is a chapter's, and its exercises are its variables, in the order of the page. They are loaded when first
asked for.
"""

import importlib
import pkgutil
from difflib import get_close_matches
from functools import cache

from .grading.checker import Construction, Exercise, Result, Task

__all__ = ["Construction", "Exercise", "Result", "check", "listing"]


def listing() -> list[Exercise | Construction]:
    """All exercises in the order of the book, each with chapter, name, stars, ask, notes, hints and kind."""
    return list(_by_name().values())


@cache
def _by_name() -> dict[str, Exercise | Construction]:
    files = [file.name for file in pkgutil.iter_modules(__path__) if not file.ispkg]
    rooms = [importlib.import_module(f"{__name__}.{file}") for file in files]
    found = {}
    for room in sorted(rooms, key=lambda room: room.chapter):
        for name, task in vars(room).items():
            if isinstance(task, Exercise | Construction):
                task.name, task.chapter = name, room.chapter
                found[name] = task
    return found


class Check:
    """``check.NAME(f)`` checks f; ``check`` shows this session: the chapters tried so far, or all of them."""

    def __getattr__(self, name: str) -> Exercise | Construction:
        if name in _by_name():
            return _by_name()[name]
        near = get_close_matches(name, _by_name()) or ["dir(check)"]
        raise AttributeError(f"no exercise is called {name!r}; see {' or '.join(near)}")

    def __dir__(self) -> list[str]:
        return sorted(_by_name())

    def __repr__(self) -> str:
        tried = {task.chapter for task in listing() if task.last}
        return "\n".join(_line(task) for task in listing() if task.chapter in tried or not tried)


def _line(task: Task) -> str:
    return f"{task.chapter} " + (repr(task.last) if task.last else f"[  ] {task.name}: not tried yet")


check = Check()

"""What a page prints of the library: a function as it is written, open or folded; and an answer, ready to run."""

import ast
import dis
import inspect
import re
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

Function = Callable[..., Any]
IDS = re.compile(r"\s*\[(?:[A-E]-\d|[A-E]-[a-z]|errat)[^\]]*\]")  # of the notes, at the end of an equation


class show:
    """What a chapter shows of the library: these functions as they run, equation and body."""

    def __init__(self, *functions: Function) -> None:
        for f in functions:
            if not inspect.isfunction(f):
                raise TypeError(f"show: found {f!r:.60}; expected functions written in Python, as lda.direction")
        self.functions = functions

    def __repr__(self) -> str:
        return "\n\n".join(_without_ids(_printed_source(f)).rstrip("\n") for f in self.functions)

    def _repr_markdown_(self) -> str:
        return f"```python\n{self!r}\n```"


class fold(show):
    """The same functions behind a line that opens them: they answer the exercise above, which is to be tried first.

    The fold is part of the output, so that it is closed wherever the page is read.
    """

    def __repr__(self) -> str:
        names = ", ".join(f"{f.__module__.rpartition('.')[2]}.{f.__name__}" for f in self.functions)
        return f"[folded: show({names}) prints it]"

    def _repr_markdown_(self) -> str:
        names = ", ".join(f.__name__ for f in self.functions)
        opens = f"<details><summary>The book's own: {names}</summary>"
        return f"{opens}\n\n{show(*self.functions)._repr_markdown_()}\n\n</details>"


def _without_ids(code: str) -> str:
    """A function without the ids in its docstring: on a page they stand below, in small print."""
    before, quotes, rest = code.partition('"""')
    docstring, end, body = rest.partition('"""')
    return before + quotes + IDS.sub("", docstring) + end + body


def source(f: Function, name: str) -> str:
    """Code that defines a function of the exercises under this name and runs as it stands: imports, then f."""
    code = inspect.getsource(f).replace(f"def {f.__name__}(", f"def {name}(", 1)
    return f"{_imports(f)}\n\n{code}".lstrip()


def _printed_source(f: Function) -> str:
    """The function as it is written: of its docstring the equation, and without the line that states its shapes."""
    lines = inspect.getsource(f).splitlines(keepends=True)
    definition: Any = ast.parse("".join(lines)).body[0]
    if "\n\n" in (ast.get_docstring(definition) or ""):
        first, last = definition.body[0].lineno - 1, definition.body[0].end_lineno
        equation = lines[first : lines.index("\n", first)]
        lines[first:last] = [*equation[:-1], equation[-1].rstrip("\n") + '"""\n']
    for decorator in reversed(definition.decorator_list):
        if ast.unparse(decorator).startswith(("takes(", "checks.")):  # guards of the arguments, and of what comes out
            del lines[decorator.lineno - 1 : decorator.end_lineno]
    return "".join(lines)


def _globals(f: Function) -> dict[str, Any]:
    """The global names that a function reads, and what they are."""

    def read(code: CodeType) -> Iterator[str]:
        yield from (i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL")
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                yield from read(inner)

    return {name: f.__globals__[name] for name in read(f.__code__) if name in f.__globals__}


def _imports(f: Function) -> str:
    """The import lines that a function needs."""
    plain: set[str] = set()
    rooms: dict[str, set[str]] = {}  # package to its modules
    single: set[str] = set()
    for name, value in _globals(f).items():
        if inspect.ismodule(value) and value.__name__.startswith("linmodels."):
            package, _, room = value.__name__.rpartition(".")
            rooms.setdefault(package, set()).add(room if room == name else f"{room} as {name}")
        elif inspect.ismodule(value):
            plain.add(f"import {value.__name__}" + (f" as {name}" if name != value.__name__ else ""))
        else:
            named = inspect.isfunction(value) or inspect.isclass(value)
            origin, original = (value.__module__, value.__name__) if named else (f.__module__, name)
            single.add(f"from {origin} import {original}" + (f" as {name}" if name != original else ""))
    ours = [f"from {package} import {', '.join(sorted(names))}" for package, names in sorted(rooms.items())]
    return "\n".join("".join(f"{line}\n" for line in part) for part in (sorted(plain), ours + sorted(single)) if part)

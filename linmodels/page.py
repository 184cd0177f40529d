"""What a page prints of the library: a function as it is written, open or folded; what it uses, ready to run."""

import ast
import dis
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import cache
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
    """Code that defines f under this name and runs as it stands: imports, what it uses of the library, f.

    A function that calls the library comes after what it calls, so that its name is free for both.
    """
    ours = (f.__module__ or "").startswith("linmodels.exercises.")
    first = _called_functions(f) if f.__name__ == "<lambda>" else [] if ours else [f]
    used = _with_helpers([f, *first])[1:] if ours else _with_helpers(first)
    code = [_printed_source(g) for g in used]
    if f.__name__ == "<lambda>":
        code.append(_as_def(f, name))
    elif ours:
        code.append(_printed_source(f).replace(f"def {f.__name__}(", f"def {name}(", 1))
    elif f.__name__ != name:
        code.append(f"{name} = {f.__name__}\n")
    return "\n\n".join([_imports([f, *used]), *code]).lstrip()


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


@cache
def undecorated(f: Function) -> str:
    """The function as it is written, without docstring and decorators."""
    lines = inspect.getsource(inspect.unwrap(f)).splitlines(keepends=True)
    definition: Any = ast.parse("".join(lines)).body[0]
    if ast.get_docstring(definition):
        del lines[definition.body[0].lineno - 1 : definition.body[0].end_lineno]
    return "".join(lines[definition.lineno - 1 :])


def _as_def(f: Function, name: str) -> str:
    """A lambda as a function of this name."""
    text, node = _lambda_node(f)
    body = inspect.cleandoc(str(ast.get_source_segment(text, node.body)))
    if "\n" in body:
        body = f"(\n{textwrap.indent(body, ' ' * 8)}\n    )"
    return f"def {name}({ast.unparse(node.args)}):\n    return {body}\n"


def _lambda_node(f: Function) -> tuple[str, ast.Lambda]:
    """The file of a lambda, and the lambda in it."""
    text = inspect.getsource(inspect.getmodule(f))  # type: ignore[arg-type]
    lambdas = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda))
    return text, next(node for node in lambdas if node.lineno == f.__code__.co_firstlineno)


def _called_functions(f: Function) -> list[Function]:
    """The library's functions that a lambda calls as module.function."""
    named = [n for n in ast.walk(_lambda_node(f)[1]) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)]
    found = [getattr(f.__globals__.get(n.value.id), n.attr, None) for n in named]  # type: ignore[attr-defined]
    return [g for g in dict.fromkeys(found) if inspect.isfunction(g) and g.__module__.startswith("linmodels.")]


def _with_helpers(functions: Sequence[Function]) -> list[Function]:
    """Functions, and those of their own modules that they use, and so on."""
    found = dict.fromkeys(functions)
    todo = list(found)
    while todo:
        f = todo.pop(0)
        new = [g for g in _globals(f).values() if _is_helper(g, f) and g not in found]
        found |= dict.fromkeys(new)
        todo += new
    return list(found)


def _is_helper(g: Any, f: Function) -> bool:
    """Is it a function that stands in the file of f?"""
    return inspect.isfunction(g) and g.__module__ == f.__module__ and g.__name__ != "<lambda>"


def _globals(f: Function) -> dict[str, Any]:
    """The global names that a function reads, and what they are."""

    def read(code: CodeType) -> Iterator[str]:
        yield from (i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL")
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                yield from read(inner)

    f = inspect.unwrap(f)  # as it was written, under any decorator
    return {name: f.__globals__[name] for name in read(f.__code__) if name in f.__globals__}


def _imports(functions: Sequence[Function]) -> str:
    """The import lines of code that consists of these functions."""
    plain: set[str] = set()
    rooms: dict[str, set[str]] = {}  # package to its modules
    single: set[str] = set()
    for f in functions:
        for name, value in _globals(f).items():
            if inspect.ismodule(value) and value.__name__.startswith("linmodels."):
                package, _, room = value.__name__.rpartition(".")
                rooms.setdefault(package, set()).add(room if room == name else f"{room} as {name}")
            elif inspect.ismodule(value):
                plain.add(f"import {value.__name__}" + (f" as {name}" if name != value.__name__ else ""))
            elif not _is_helper(value, f):
                named = inspect.isfunction(value) or inspect.isclass(value)
                origin, original = (value.__module__, value.__name__) if named else (f.__module__, name)
                single.add(f"from {origin} import {original}" + (f" as {name}" if name != original else ""))
    ours = [f"from {package} import {', '.join(sorted(names))}" for package, names in sorted(rooms.items())]
    return "\n".join("".join(f"{line}\n" for line in part) for part in (sorted(plain), ours + sorted(single)) if part)

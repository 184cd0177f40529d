"""A chapter's cells as its page runs them: which must run first, what a cell shows, what is said when it fails.

The page of the site runs this in the reader's browser, where there is no IPython and no kernel; it needs only Python.
"""

from __future__ import annotations

import ast
import base64
import builtins
import contextlib
import importlib.util
import io
import json
import linecache
import symtable
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any

CHANGES = {"append", "extend", "insert", "pop", "remove", "sort", "reverse", "update", "add", "setdefault", "fill"}
LONGEST = 20_000  # characters that one run prints on the page

Say = Callable[..., None]


# What a cell needs and makes.


@dataclass
class Names:
    """The names that a cell reads from above, those it makes or changes, and what its functions read when called."""

    reads: set[str] = field(default_factory=set)
    makes: set[str] = field(default_factory=set)
    late: dict[str, set[str]] = field(default_factory=dict)


@cache
def names(source: str) -> Names:
    """What the lines of a cell do to names; nothing where they are no Python yet."""
    found = Names()
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return found
    _follow(body, found, set())
    return found


def _follow(body: Sequence[ast.stmt], found: Names, bound: set[str]) -> None:
    """Go through statements in order; ``bound`` are the names that are surely made by then."""
    for node in body:
        match node:
            case (
                ast.For(target=target, iter=first, body=inner)
                | ast.With(items=[ast.withitem(context_expr=first, optional_vars=target)], body=inner)
            ):
                _look(ast.Expr(first), found, bound)
                made = {name.id for name in ast.walk(target) if isinstance(name, ast.Name)} if target else set()
                found.makes |= made
                bound |= made
                _follow([*inner, *getattr(node, "orelse", [])], found, bound)
            case ast.If(test=test) | ast.While(test=test):
                _look(ast.Expr(test), found, bound)
                branches = [set(bound), set(bound)]
                _follow(node.body, found, branches[0])
                _follow(node.orelse, found, branches[1])
                bound |= branches[0] if isinstance(node, ast.While) else branches[0] & branches[1]
            case ast.Try(body=inner, handlers=handlers, orelse=other, finalbody=last):
                _follow([*inner, *chain(*(each.body for each in handlers)), *other, *last], found, bound)
            case _:
                _look(node, found, bound)


def _look(node: ast.stmt, found: Names, bound: set[str]) -> None:
    """One statement without statements of its own, or a definition."""
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    made = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    inner = {name for child in table.get_children() for name in _globals(child)}
    read = {s.get_name() for s in table.get_symbols() if s.is_referenced() and not s.is_namespace()}
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        read |= inner - found.makes
    else:
        read |= inner
    changed = {name for name in _changed(node) if name not in made or name in read}
    found.reads |= {name for name in read | changed if name not in bound and not hasattr(builtins, name)}
    found.late.update({name: inner for name in made if inner})
    found.makes |= made | changed
    bound |= made


def _globals(table: symtable.SymbolTable) -> set[str]:
    """The names of the chapter that a function reads."""
    own = {s.get_name() for s in table.get_symbols() if s.is_global() and s.is_referenced()}
    return own.union(*(_globals(child) for child in table.get_children()))


def _changed(node: ast.AST) -> Iterator[str]:
    """Names whose values a statement changes in place: an entry set, a list that grows, a generator that moves on."""
    for part in ast.walk(node):
        match part:
            case (ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store())) as target:
                while isinstance(target, ast.Subscript | ast.Attribute):
                    target = target.value
                if isinstance(target, ast.Name):
                    yield target.id
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in CHANGES:
                yield name
            case ast.Call(func=ast.Name(id="next"), args=[ast.Name(id=name), *_]):
                yield name
            case ast.Name(id=name, ctx=ast.Load()) if name.startswith("rng"):
                yield name


@dataclass(frozen=True)
class Cell:
    """A cell as it stands on the page now."""

    id: str
    source: str


def needed(cells: Sequence[Cell], k: int) -> dict[str, int]:
    """By name, the last cell above cell k that makes it; with what the functions among them read when called."""
    found: dict[str, int] = {}
    todo = list(names(cells[k].source).reads)
    while todo:
        name = todo.pop()
        above = (j for j in reversed(range(k)) if name in names(cells[j].source).makes)
        if name not in found and (j := next(above, None)) is not None:
            found[name] = j
            todo += names(cells[j].source).late.get(name, ())
    return found


def closure(cells: Sequence[Cell], k: int) -> list[int]:
    """All cells that must run for cell k, in the order of the page, itself the last."""
    found, todo = {k}, [k]
    while todo:
        new = set(needed(cells, todo.pop()).values()) - found
        found |= new
        todo += new
    return sorted(found)


def needs_pictures(source: str) -> bool:
    """Does a cell draw? It then asks the library `plotting` for something, or Matplotlib itself."""
    with contextlib.suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Attribute(value=ast.Name(id="plotting" | "plt" | "mpl")):
                    return True
                case ast.Import() | ast.ImportFrom() if "matplotlib" in ast.unparse(node):
                    return True
    return False


# A session.


class Session:
    """The names of one chapter, and which cell made each of them. ``say(kind, **what)`` hands outputs to the page."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.made: dict[str, Any] = {}  # name to the version of the cell that made it
        self.live: Any = None
        _load_later("linmodels.plotting")

    def plan(self, cells: Sequence[Cell], id: str) -> list[int]:
        """The cells to run so that cell ``id`` finds what it would find if the page were run from its top."""
        order = closure(cells, next(k for k, cell in enumerate(cells) if cell.id == id))
        versions = self._versions(cells, order)
        for start in reversed(range(len(order))):
            before = order[:start]
            wanted = {(n, j) for k in order[start:] for n, j in needed(cells, k).items() if j in before}
            if all(self.made.get(name) == versions[j] for name, j in wanted):
                break
        return order[start:]

    def _versions(self, cells: Sequence[Cell], order: Sequence[int]) -> dict[int, Any]:
        """What a cell's names depend on: its own lines, and the versions of the cells that it needs."""
        versions: dict[int, Any] = {}
        for k in order:
            above = sorted((name, versions[j]) for name, j in needed(cells, k).items())
            versions[k] = f"{k} {hash((cells[k].source, *above))}"
        return versions

    def run(self, cells: Sequence[Cell], k: int, quiet: bool) -> bool:
        """Run one cell and show what it prints, its value or its fault; of a quiet one the fault alone."""
        cell = cells[k]
        made = names(cell.source).makes
        for name in made:
            self.made.pop(name, None)
        printed = _Printed((lambda *_, **__: None) if quiet else self.say)
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                value = self._value(cell)
                printed.hand_on()
                if value is not None and not quiet:
                    self._show(value)
        except BaseException as problem:  # a page has no other place for it
            printed.hand_on()
            self.say("error", text=told(problem, cell.id), cell=cell.id)
            return False
        version = self._versions(cells, closure(cells, k))[k]
        self.made |= dict.fromkeys(made, version)
        return True

    def _value(self, cell: Cell) -> Any:
        """Run the lines of a cell; the value of its last one, if that is an expression."""
        file = f"<{cell.id}>"
        linecache.cache[file] = (len(cell.source), None, cell.source.splitlines(keepends=True), file)
        tree = ast.parse(cell.source, file)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec", dont_inherit=True), self.names)
        code = compile(ast.Expression(last.value), file, "eval", dont_inherit=True) if last else None
        return eval(code, self.names) if code else None

    def _show(self, value: Any) -> None:
        """A picture, a function behind its fold, the verdict of a check, or what Python writes for the value."""
        if hasattr(value, "png"):
            self.say("picture", **picture(value))
        elif hasattr(value, "_repr_markdown_"):
            self.say("markdown", text=value._repr_markdown_())
        elif type(value).__name__ == "Result" and hasattr(value, "status"):
            self.say("verdict", text=repr(value), ok=value.ok, name=value.name)
        else:
            self.say("value", text=repr(value)[:LONGEST])


def picture(value: Any) -> dict[str, Any]:
    """What the page needs to show a saved picture."""
    png = base64.b64encode(value.png).decode("ascii")
    return {"png": png, "name": value.name, "alt": value.alt, "width": value.width, "caption": value.caption}


class _Printed(io.TextIOBase):
    """What is printed, handed on ten times a second, and no more than a page can hold."""

    def __init__(self, say: Say) -> None:
        self.say, self.kept, self.length, self.last = say, "", 0, time.monotonic()

    def write(self, text: str) -> int:
        room = LONGEST - self.length
        if room > 0:
            self.kept += text if len(text) <= room else f"{text[:room]}\n(what else it prints is not shown)\n"
        self.length += len(text)
        if time.monotonic() - self.last > 0.1:
            self.hand_on()
        return len(text)

    def hand_on(self) -> None:
        """What was printed since the last time."""
        if self.kept:
            self.say("text", text=self.kept)
        self.kept, self.last = "", time.monotonic()


def told(problem: BaseException, id: str) -> str:
    """An exception as Python tells it, with the lines of the chapter's cells only."""
    told = traceback.TracebackException.from_exception(problem)
    lines = []
    for frame in told.stack:
        if frame.filename.startswith("<ch"):
            where = "" if frame.filename == f"<{id}>" else f" of the cell {frame.filename[1:-1]}"
            inside = "" if frame.name == "<module>" else f", in {frame.name}"
            lines.append(f"line {frame.lineno}{where}{inside}:\n    {frame.line}\n")
    if isinstance(problem, SyntaxError):
        told.filename = None
        lines.append(f"line {problem.lineno}:\n")
    return "".join([*lines, *told.format_exception_only()]).rstrip()


def _load_later(name: str) -> None:
    """A module of the book that is read when it is first asked for something: pictures need another eight megabytes."""
    spec: Any = importlib.util.find_spec(name)
    if name not in sys.modules:
        spec.loader = importlib.util.LazyLoader(spec.loader)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        package, _, own = name.rpartition(".")
        setattr(sys.modules[package], own, module)


# Between the page's JavaScript and the session: everything goes as text.


class Door:
    """What the worker of the page calls."""

    def __init__(self, post: Callable[[str], None]) -> None:
        self.session = Session(lambda kind, **what: post(json.dumps({"kind": kind, **what})))
        self.cells: list[Cell] = []

    def plan(self, cells: str, id: str) -> str:
        """From the page's cells as JSON: which to run, and whether one of them draws."""
        self.cells = [Cell(**cell) for cell in json.loads(cells)]
        order = self.session.plan(self.cells, id)
        draws = any(needs_pictures(self.cells[k].source) for k in order)
        return json.dumps({"order": order, "draws": draws})

    def run(self, k: int, quiet: bool) -> bool:
        """Run cell k of the plan."""
        return self.session.run(self.cells, k, quiet)

"""A chapter's cells as its page runs them: which must run first, what a cell shows, what is said when it fails.

The page of the site runs this in the reader's browser, where there is no IPython and no kernel; it needs only Python.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import importlib.util
import io
import json
import linecache
import logging
import re
import sys
import textwrap
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

CHANGES = {"append", "extend", "insert", "pop", "remove", "sort", "reverse", "update", "add", "setdefault", "fill"}
CHANGES |= {"clear", "discard", "popitem", "difference_update", "intersection_update", "symmetric_difference_update"}
CHANGES |= {"me"}  # check.me(name): whose numbers `check` has
CHANGES |= {"appendleft", "popleft", "extendleft", "rotate", "put", "partition", "resize"}
CHANGES |= {"normal", "uniform", "integers", "choice", "permutation", "shuffle", "standard_normal", "random"}  # draws
LONGEST = 20_000  # characters that one run prints on the page
# What runs when it is called, or asked for the next.
LATER = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda | ast.GeneratorExp
DRAWS = re.compile(
    r"\b(plotting|plt|mpl)\.|\bplotting as\b|\blinmodels\.plotting\b|\b(matplotlib|pylab)\b"
)  # in a cell that needs what draws


@dataclass
class Names:
    """The names that a cell reads from above, those it makes or changes, and what its functions do when called.

    What it does is read off its lines, so what no line says of a name is not seen: a change under another name, as a
    parameter or ``self`` is one, by a function of a library or by a method that is not in `CHANGES`; the state of a
    module, as a seed, of a closure or of a default; a file; ``for``, ``list`` or ``sum`` that use up an iterator;
    ``exec``, ``eval``, ``globals``, ``vars`` and the like.
    Where the lines leave it open, as whether a loop makes a turn, a name counts as read and as changed; so does a
    name that a cell reads, if a function above changes it. Then more cells run than are needed.

    ``may`` are those of ``makes`` that may stay what they were above: a branch is not taken, a loop makes no turn, a
    line above an ``import`` fails.
    ``late`` and ``changes`` are what functions read and change when they are called, by the name of what may hold
    them; ``holds`` are the names from which another was made, whose functions it may hold, too. ``defines`` are
    the names it makes, statement by statement, without the imported ones. ``modules`` are the names that an
    ``import`` or ``from linmodels`` or ``from matplotlib`` has brought, in this cell or above: ``np.sort(x)``
    changes no ``np``. ``import *`` makes the name ``*``, for any that may be.
    """

    reads: set[str] = field(default_factory=set)
    makes: set[str] = field(default_factory=set)
    may: set[str] = field(default_factory=set)
    late: dict[str, set[str]] = field(default_factory=dict)
    changes: dict[str, set[str]] = field(default_factory=dict)
    holds: dict[str, set[str]] = field(default_factory=dict)
    defines: dict[str, None] = field(default_factory=dict)
    modules: frozenset[str] = frozenset()


@cache
def names(source: str, modules: frozenset[str] = frozenset()) -> Names:
    """What the lines of a cell do to names, some of them ``modules``; nothing where they are no Python."""
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        return _names_of(ast.parse(source).body, modules)
    return Names(modules=modules)


def _names_of(body: Sequence[ast.AST], modules: frozenset[str] = frozenset()) -> Names:
    found, bound = Names(modules=modules), set[str]()
    _follow(body, found, bound)
    found.may -= bound & found.defines.keys()
    found.may |= bound - found.defines.keys()  # imports
    return found


def _follow(body: Sequence[ast.AST], found: Names, bound: set[str], sure: bool = True) -> None:
    """Go through statements in order; ``bound`` are the names that are made by then, whatever branch was taken."""
    for node in body:
        before: list[ast.stmt] = []
        match node:
            case ast.With(items=items):
                for item in items:
                    value, target = item.context_expr, item.optional_vars
                    before.append(ast.Assign([target], value) if target else ast.Expr(value))
            case ast.For(target=target, iter=value):
                before = [ast.Expr(value)]
                node.body.insert(0, ast.Assign([target], value))
            case ast.If(test=value) | ast.While(test=value):
                before = [ast.Expr(value)]
            case ast.Try() | ast.TryStar():
                pass
            case ast.ExceptHandler(type=value, name=name):
                before = [ast.Expr(value)] if value else []
                if name:  # it is made here, and deleted at the end
                    node.body.insert(0, ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None)))
            case ast.Match(subject=value, cases=cases):
                before = [ast.Expr(value)]
                for each in cases:
                    found_in = [ast.Name(name, ast.Store()) for name in _use([each.pattern]).makes]
                    each.body[:0] = [ast.Assign([*found_in], value), ast.Expr(each.guard or ast.Constant(None))]
            case ast.match_case(pattern=pattern):
                before = [ast.Expr(part) for part in ast.iter_child_nodes(pattern) if isinstance(part, ast.expr)]
            case _:
                _look(node, found, bound, sure)
                continue
        for line in before:
            _look(line, found, bound, sure)
        use = _use([node])
        found.may |= (use.makes | use.perhaps | use.imports) - bound
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):  # a `with` may suppress an error
            _follow(getattr(node, part, []), found, set(bound), sure=False)


def _look(node: ast.AST, found: Names, bound: set[str], sure: bool) -> None:
    """One statement without statements of its own, or a definition."""
    use = _use([node])
    made = use.makes | use.imports
    plain = isinstance(node, ast.Import) or getattr(node, "module", "") in {"linmodels", "matplotlib"}
    found.modules = found.modules - made | (use.imports if plain and sure else set())  # an import may not run
    changed = set(_changed(node, found.modules)) & (use.reads | use.inner)  # not what is a function's own
    later = {name for part in ast.walk(node) if isinstance(part, LATER) for name in _changed(part, found.modules)}
    later = later & changed | use.within
    changed |= use.within
    found.reads |= (use.reads | use.inner) - bound  # a function may be called in its own cell
    found.makes |= made | use.perhaps | changed
    for name in use.makes | use.perhaps | changed:
        found.late.setdefault(name, set()).update(use.inner)  # or in the other branch
        found.changes.setdefault(name, set()).update(later)
        found.holds.setdefault(name, set()).update(use.reads - {name})
    found.defines |= dict.fromkeys(sorted(use.makes | use.perhaps))
    found.may |= use.perhaps - bound
    bound |= made


@dataclass
class Use:
    """What lines do to names when they run; and ``inner``, ``within``: what the functions in them read and assign."""

    reads: set[str] = field(default_factory=set)
    makes: set[str] = field(default_factory=set)
    perhaps: set[str] = field(default_factory=set)  # by `a and (b := 1)`
    imports: set[str] = field(default_factory=set)
    inner: set[str] = field(default_factory=set)
    within: set[str] = field(default_factory=set)
    outside: set[str] = field(default_factory=set)  # declared as global or nonlocal
    globals: set[str] = field(default_factory=set)


def _use(lines: Iterable[ast.AST]) -> Use:
    """What these lines do, whatever branch is taken; a name that a comprehension binds is its own."""
    found = Use()
    todo: list[tuple[ast.AST, frozenset[str]]] = [(line, frozenset()) for line in lines]
    while todo:  # and not by recursion: a sum may have a thousand terms
        node, own = todo.pop()
        match node:
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                first = node.generators[0]
                todo.append((first.iter, own))  # which is read outside
                own = own.union(*(_names_in(each.target) for each in node.generators))
                parts = [part for part in ast.iter_child_nodes(node) if part is not first] + [first.target, *first.ifs]
                if isinstance(node, ast.GeneratorExp):  # what it reads, it may read later
                    inside = _use(parts)
                    found.inner |= (inside.reads | inside.inner) - own
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                parts = _function(node, own, found)
            case ast.ClassDef():
                inside = _use(node.body)
                found.makes |= {node.name} | inside.globals & inside.makes
                found.reads |= inside.reads
                found.inner |= inside.inner
                found.within |= inside.within
                parts = [part for part in ast.iter_child_nodes(node) if part not in node.body]
            case _:
                parts = _plain(node, own, found)
        todo += [(part, own) for part in parts]
    return found


def _plain(node: ast.AST, own: frozenset[str], found: Use) -> list[ast.AST]:
    """What a node without a scope of its own does; and the parts of it that are still to be looked at."""
    parts = list(ast.iter_child_nodes(node))
    match node:
        case ast.Name(id=name):
            found.makes |= set() if isinstance(node.ctx, ast.Load) else {name} - own
            found.reads |= set() if isinstance(node.ctx, ast.Store) else {name} - own
        case ast.NamedExpr(target=ast.Name(id=name)):
            found.perhaps.add(name)
            return [node.value]
        case ast.AugAssign(target=ast.Name(id=name)):
            found.reads.add(name)
        case ast.AnnAssign(target=ast.Name(), value=None):
            return [node.annotation]
        case ast.alias(name=name, asname=other):
            found.imports.add(other or name.partition(".")[0])
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            found.makes.add(name)
        case ast.MatchMapping(rest=str(name)):
            found.makes.add(name)
        case ast.Global(names=names):
            found.outside |= set(names)
            found.globals |= set(names)
        case ast.Nonlocal(names=names):
            found.outside |= set(names)
    return parts


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, own: frozenset[str], found: Use) -> list[Any]:
    """What the body of a function does when it is called; and the parts that are read where it is defined."""
    body: list[Any] = node.body if isinstance(node.body, list) else [node.body]
    inside, arguments = _use(body), [part for part in ast.iter_child_nodes(node.args) if isinstance(part, ast.arg)]
    assigned = inside.makes | inside.perhaps | inside.imports
    local = (assigned | {part.arg for part in arguments}) - inside.outside
    found.makes |= set() if isinstance(node, ast.Lambda) else {node.name}
    found.inner |= (inside.reads | inside.inner | inside.outside) - local - own
    found.inner |= inside.within
    found.within |= inside.globals & assigned | inside.within
    others = [part for part in ast.iter_child_nodes(node) if part not in body and part is not node.args]
    return [
        *others,
        *node.args.defaults,
        *filter(None, node.args.kw_defaults),
        *(part.annotation for part in arguments if part.annotation),
    ]


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _changed(node: ast.AST, modules: Set[str]) -> Iterator[str]:
    """Names whose values a statement changes in place: an entry set, a list that grows, a generator that moves on."""
    for part in ast.walk(node):
        match part:
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                yield from _names_in(part.value)
            case ast.Call(func=ast.Attribute(value=target, attr=method)) if method in CHANGES:
                while isinstance(target, ast.Attribute | ast.Subscript | ast.Call):
                    target = target.func if isinstance(target, ast.Call) else target.value
                yield from _names_in(target) - modules
                if method == "shuffle":  # what it is given
                    yield from _names_in(ast.Tuple(part.args))
            case ast.Call(func=ast.Name(id="next"), args=[target, *_]):
                yield from _names_in(target)
            case ast.Name(id=name, ctx=ast.Load()) if name.startswith("rng"):
                yield name
            case ast.keyword(arg="out", value=target):
                yield from _names_in(target)


class Cell(NamedTuple):
    """A cell as it stands on the page now, and what it does to names."""

    id: str
    source: str
    does: Names


def in_order(cells: Iterable[tuple[str, str]]) -> list[Cell]:
    """The cells of a page, each an id and a source, from its top: what one imports is imported in those below."""
    found, modules = [], frozenset[str]()
    for id, source in cells:
        does = names(source, modules)
        modules = does.modules
        found.append(Cell(id, source, does))
        called = asked(found, len(found) - 1)
        if changed := {each for name, js in called.items() for j in js for each in _called(found, j, name)[1]}:
            holding = {each for each in changed if not each.startswith("rng")}
            given = dict.fromkeys(holding, does.reads | does.makes)  # what a function is given it may put there
            holds = does.holds | {name: does.holds.get(name, set()) | held for name, held in given.items()}
            does = replace(does, reads=does.reads | changed, makes=does.makes | changed, holds=holds)
            found[-1] = Cell(id, source, does)
    return found


def makers(cells: Sequence[Cell], k: int, name: str) -> list[int]:
    """The last cell above k that makes the name; if it may stay what it was there, the one above that, and so on."""
    found = []
    for j in reversed(range(k)):
        does = cells[j].does
        if {name, "*"} & does.makes:
            found.append(j)
            if name in does.makes - does.may:
                break
    return found


def asked(cells: Sequence[Cell], k: int) -> dict[str, list[int]]:
    """What cell k reads, and the functions among it when called: each name with its makers, which may be none."""
    found: dict[str, list[int]] = {}
    todo = [*cells[k].does.reads]
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = makers(cells, k, name)
            todo += [late for j in found[name] for late in _called(cells, j, name)[0]]
    return found


def _called(cells: Sequence[Cell], j: int, name: str) -> tuple[set[str], set[str]]:
    """What is read and what is changed when somebody calls what cell j has put under a name, or into it."""
    reads, changes, seen, todo = set[str](), set[str](), {(j, name)}, [(j, name)]
    while todo:
        j, name = todo.pop()
        does = cells[j].does
        reads |= does.late.get(name, set())
        changes |= does.changes.get(name, set())
        held = does.holds.get(name, set()) | ({name} & does.reads)  # what it held, where it is only changed
        new = {(j, each) for each in held & does.holds.keys()} | {
            (i, each) for each in held for i in makers(cells, j, each)
        }
        todo += new - seen
        seen |= new
    return reads, changes


def closure(cells: Sequence[Cell], k: int) -> list[int]:
    """All cells that must run for cell k, in the order of the page, itself the last."""
    found, todo = {k}, [k]
    while todo:
        new = set().union(*asked(cells, todo.pop()).values()) - found
        found |= new
        todo += new
    return sorted(found)


def kept(cells: Sequence[Cell], k: int) -> dict[str, list[int]]:
    """The names that may stay what they were above cell k, each with its makers there, which may be none."""
    does = cells[k].does
    every = does.may.union(*(cell.does.makes for cell in cells[:k])) if "*" in does.makes else does.may
    return {name: makers(cells, k, name) for name in every}


def versions(cells: Sequence[Cell]) -> list[str]:
    """What the names that a cell makes depend on: its own lines, and the versions of what it asks for or keeps."""
    found: list[str] = []
    for k, cell in enumerate(cells):
        above = sorted((name, found[js[0]]) for name, js in (asked(cells, k) | kept(cells, k)).items() if js)
        found.append(f"{k} {hash((cell.source, *above))}")
    return found


class Session:
    """The names of one chapter, and which cell made each of them; ``post`` hands messages to the page, as JSON."""

    def __init__(self, post: Callable[[str], Any]) -> None:
        self.post = post
        self.first = {"__name__": "__main__", "input": _no_input}
        self.names: dict[str, Any] = {**self.first}
        self.made: dict[str, str] = {}  # name to the version of the cell that made it
        self.brought: dict[str, str] = {}  # name to the version of the cell whose ``import *`` has brought it
        self.lost: set[str] = set()  # those of them that were dropped since
        self.cells: list[Cell] = []
        self.left: list[ast.stmt] = []  # of the cell that runs, or has failed
        self.live: dict[str, Any] = {}  # name to what `plotting.live` has returned
        self.home: dict[str, tuple[str, str]] = {}  # and to its cell, and the version that was run
        _load_later("linmodels.plotting")
        logging.getLogger("matplotlib").setLevel(logging.ERROR)  # not that it looks for fonts
        warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")  # of plt.show: `run` shows the figure

    def say(self, kind: str, **what: Any) -> None:
        """One message to the page."""
        self.post(json.dumps({"kind": kind, **what}))

    def plan(self, cells: str, id: str) -> str:
        """The cells to run so that ``id`` finds what it would in a run from the top, as far as `Names` sees.

        One that fails leaves all names as they are then, but none of those that its statements assign from the failing
        one on; those below it run all the same.
        """
        self._read(cells)
        order = self._order(id)
        return json.dumps({"order": order, "draws": any(DRAWS.search(self.cells[k].source) for k in order)})

    def _read(self, cells: str) -> None:
        """The cells as they stand on the page now; a common indentation is none, as in IPython."""
        self.cells = in_order((cell["id"], textwrap.dedent(cell["source"])) for cell in json.loads(cells))

    def _order(self, id: str) -> list[int]:
        """The cells that must run now, the one with this id the last."""
        order = closure(self.cells, next(k for k, cell in enumerate(self.cells) if cell.id == id))
        version = versions(self.cells)
        for start in reversed(range(len(order))):
            above = [(name, js) for k in order[start:] for name, js in asked(self.cells, k).items()]
            if all(self._stands(name, [j for j in js if j in order[:start]], version) for name, js in above):
                break
        return order[start:]

    def _stands(self, name: str, js: Sequence[int], version: Sequence[str]) -> bool:
        """Is the name what the first of these cells, its makers, has left?"""
        imported = self.made.get("*") if not any(name in self.cells[j].does.makes for j in js) else None
        return not js or (name not in self.lost and self.made.get(name, imported) == version[js[0]])

    def run(self, k: int, quiet: bool = False) -> bool:
        """Run cell k of the plan; show what it prints, its value or its fault, and of a quiet one the fault alone."""
        cell = self.cells[k]
        version, stay = versions(self.cells), kept(self.cells, k)
        self._forget(k, stay)
        # what may stay what it was is known afterwards if it was known before
        unknown = {name for name, js in stay.items() if name != "*" and not self._stands(name, js, version)}
        made = (cell.does.makes | stay.keys()) - unknown
        lost = self.made.keys() if "*" in made else cell.does.makes
        self.made = {name: version for name, version in self.made.items() if name not in lost}
        for name, value in self.first.items():
            self.names.setdefault(name, value)
        self.names.pop("__warningregistry__", None)  # a warning of the cell's own is told again
        before, ran = {**self.names}, True
        printed = Printed((lambda text: None) if quiet else lambda text: self.say("text", text=text))
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                value = self._value(cell)
                printed.hand_on()
                figures = _figures(value)
                if _is(value, "linmodels.pictures", "Picture") and hasattr(value, "sliders"):
                    self.live[value.name], self.home[value.name] = value, (cell.id, version[k])
                if not quiet:
                    self._show(value)
                    for figure in figures:
                        self._show_figure(figure)
                    if value is None and not (figures or printed.length):
                        self._tell_what_it_defines(cell)
        except BaseException as problem:  # a page has no other place for it
            printed.hand_on()
            _figures(None)  # the next cell does not show them
            self._drop(_names_of(self.left).defines.keys())
            made &= self.names.keys() | {"*"}  # an import may not be reached
            self._tell(problem, k)
            ran = False
        self.made |= dict.fromkeys(made, version[k])
        self.lost -= self.names.keys() & made
        if "*" in made:
            changed = {name for name in self.names if self.names[name] is not before.get(name)}
            self.brought |= dict.fromkeys(changed - cell.does.defines.keys(), version[k])
            self.lost -= changed
        return ran

    def _tell_what_it_defines(self, cell: Cell) -> None:
        """Of a cell that shows nothing, the names that it makes and does not delete again."""
        if defined := [name for name in cell.does.defines if name in self.names]:
            self.say("defines", text=", ".join(defined))

    def _tell(self, problem: BaseException, k: int) -> None:
        """Why cell k fails; where a name is missing, also the cells above that are no Python: one may have made it."""
        for above in self.cells[:k] if isinstance(problem, NameError) else ():
            if fault := _no_python(above):
                self.say("error", text=fault, cell=above.id)
        self.say("error", text=told(problem, self.cells[k].id), cell=self.cells[k].id)

    def _forget(self, k: int, stay: dict[str, list[int]]) -> None:
        """Drop what a cell below has made, or lines that are no more, where cell k may read it or pass it on."""
        gone = {name for name, js in (asked(self.cells, k) | stay).items() if not js}
        if "*" in self.cells[k].does.makes:
            above = versions(self.cells)[:k]
            brought = {name for name, of in self.brought.items() if {of, self.made.get(name, of)} <= {*above}}
            gone |= self.names.keys() - stay.keys() - brought - self.first.keys() - {"__builtins__"}
        self._drop(gone)

    def _drop(self, gone: Set[str]) -> None:
        """These names stand no more; what an ``import *`` has brought, it must bring again."""
        self.lost |= gone & self.brought.keys()
        for name in gone:
            self.made.pop(name, None)
            self.names.pop(name, None)

    def _value(self, cell: Cell) -> Any:
        """Run the statements of a cell one by one; the value of the last one, if that is an expression."""
        file, value, self.left = f"<{cell.id}>", None, []
        linecache.cache[file] = (len(cell.source), None, _lines(cell.source), file)
        self.left = ast.parse(cell.source, file).body
        while self.left:
            statement = self.left[0]
            if len(self.left) > 1 or not isinstance(statement, ast.Expr) or _is_silenced(cell.source, statement):
                exec(compile(ast.Module([statement], []), file, "exec", dont_inherit=True), self.names)
            else:
                value = eval(compile(ast.Expression(statement.value), file, "eval", dont_inherit=True), self.names)
            self.left = self.left[1:]
        return value

    def _show(self, value: Any) -> None:
        """A picture, a function behind its fold, the verdict of a check, or what Python writes for the value."""
        if value is None or _is(value, "matplotlib.figure", "Figure"):
            return
        if _is(value, "linmodels.pictures", "Picture"):
            told = {name: getattr(value, name) for name in ("name", "alt", "width", "caption")}
            if hasattr(value, "sliders"):
                told["sliders"] = value.sliders
            self.say("picture", png=base64.b64encode(value.png).decode("ascii"), **told)
        elif isinstance(text := getattr(type(value), "_repr_markdown_", lambda value: None)(value), str):
            self.say("markdown", text=text)
        elif _is(value, "linmodels.exercises.grading.checker", "Result"):
            self.say("verdict", text=repr(value), ok=value.ok, name=value.name)
        else:
            text = repr(value)
            self.say("value", text=text if len(text) <= LONGEST else f"{text[:LONGEST]}\n(the rest is not shown)")

    def _show_figure(self, figure: Any) -> None:
        """A figure that the reader has drawn with Matplotlib, as a picture without a number."""
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi="figure")
        png = base64.b64encode(file.getvalue()).decode("ascii")
        width = round(figure.bbox.width)
        self.say("picture", png=png, name="", alt="a figure that this cell draws", width=width, caption="")

    def draw(self, cells: str, name: str, places: str) -> None:
        """Show a live picture with its sliders at other places, or why it cannot be drawn."""
        try:
            self._read(cells)
            id, drawn = self.home[name]
            *above, k = self._order(id)  # what it reads may be another cell's now
            now = versions(self.cells)[k]
            if drawn != now or not all(self.made.get(each) == now for each in self.cells[k].does.defines):
                above.append(k)
            if all([self.run(j, quiet=True) or j != k for j in above]):
                state = self.live[name].at(json.loads(places))
                self.say("state", png=base64.b64encode(state.png).decode("ascii"), alt=state.alt)
                does = self.cells[k].does
                for each in does.makes - does.defines.keys():  # what it may have changed
                    self.made.pop(each, None)
        except BaseException as problem:
            self.say("error", text=told(problem, ""))


class Printed(io.TextIOBase):
    """What is printed, handed on with a line and at most ten times a second, and no more than a page can hold."""

    def __init__(self, to: Callable[[str], Any]) -> None:
        self.to, self.kept, self.length, self.last = to, "", 0, time.monotonic() - 0.2

    def write(self, text: str) -> int:
        room = LONGEST - self.length
        if room >= 0:
            self.kept += text if len(text) <= room else f"{text[:room]}\n(what else it prints is not shown)\n"
        self.length += len(text)
        if time.monotonic() - self.last > (0.1 if text.endswith("\n") else 1):
            self.hand_on()
        return len(text)

    def hand_on(self) -> None:
        """What was printed since the last time."""
        if self.kept:
            self.to(self.kept)
        self.kept, self.last = "", time.monotonic()


def told(problem: BaseException, id: str) -> str:
    """An exception as Python tells it, with the lines of the chapter's cells only; if it cannot be told, its class."""
    try:
        return _told(problem, id)
    except Exception:  # of a class of the reader's own
        return type(problem).__name__


def _told(problem: BaseException, id: str) -> str:
    told = traceback.TracebackException.from_exception(problem)
    lines = []
    for frame in told.stack:
        if frame.filename.startswith("<ch"):
            where = "" if frame.filename == f"<{id}>" else f" of the cell {frame.filename[1:-1]}"
            inside = "" if frame.name == "<module>" else f", in {frame.name}"
            lines.append(f"line {frame.lineno}{where}{inside}:\n    {frame.line}\n")
    runs = [list(run) for _, run in groupby(lines)]  # a function that calls itself, line after line
    lines = [
        line
        for run in runs
        for line in [*run[:3], *[f"[the previous line repeated {len(run) - 3} more times]\n"] * (len(run) > 3)]
    ]
    last = list(told.format_exception_only())
    if isinstance(problem, SyntaxError) and problem.lineno:
        last[0] = f"line {problem.lineno}:\n"  # not the name of a file
    text = "".join([*lines, *last]).rstrip()
    middle = "\n(some of it is not shown)\n"
    return text if len(text) <= LONGEST else text[: LONGEST // 2] + middle + text[-LONGEST // 2 :]


def _no_python(cell: Cell) -> str:
    """Why no line of a cell can run: a bracket is missing, for example."""
    try:
        ast.parse(cell.source)
    except SyntaxError as problem:
        return told(problem, cell.id)
    except (ValueError, RecursionError, MemoryError):
        pass
    return ""


def _lines(source: str) -> list[str]:
    """The lines as Python counts them: a form feed ends none."""
    return list(io.StringIO(source, newline=None))


def _is_silenced(source: str, last: ast.Expr) -> bool:
    """Does a semicolon end it? Then IPython, too, does not show the value."""
    line = _lines(source)[(last.end_lineno or 1) - 1]
    return line.encode()[last.end_col_offset :].lstrip().startswith(b";")


def _is(value: Any, module: str, name: str) -> bool:
    """Is it of this class, whose module may not have been loaded?"""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(value, getattr(loaded, name))


def _figures(value: Any) -> list[Any]:
    """The figures that pyplot holds open, which it then closes; and the value of a cell, if it is another figure."""
    open_ones = sys.modules.get("matplotlib._pylab_helpers")  # and not by plt.close, which a reader may have replaced
    found = [each.canvas.figure for each in open_ones.Gcf.get_all_fig_managers()] if open_ones else []
    if open_ones:
        open_ones.Gcf.destroy_all()
    return found + [value] * (_is(value, "matplotlib.figure", "Figure") and value not in found)


def _no_input(prompt: str = "") -> str:
    """What ``input`` is on a page."""
    raise EOFError("a page cannot ask: write the value into the cell")


def _load_later(name: str) -> None:
    """A module of the book that is read when it is first asked for something: pictures need another ten megabytes."""
    spec: Any = importlib.util.find_spec(name)
    if name not in sys.modules:
        spec.loader = importlib.util.LazyLoader(spec.loader)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        package, _, own = name.rpartition(".")
        setattr(sys.modules[package], own, module)

"""python -m tests.mutants [module | module.function ...] [--sample N] [--list]"""

import argparse
import ast
import os
import pickle
import re
import resource
import shutil
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import hypothesis
import numpy as np
import pytest

ABOUT = """Do the tests notice a wrong sign? One change at a time is made in a copy of the package, and the tests that
call the changed function run on it, those of the module's own file first. A mutant that none of them notices is
printed: it is another form of the same function, or a test is missing. Needs os.fork, so not for Windows."""

ROOT = Path(__file__).parents[1]
TOOLS = {"__init__", "__main__", "datasets", "page", "pictures", "plotting"}  # they hold no equation
FILES = [*sorted(ROOT.glob("linmodels/*.py")), *sorted(ROOT.glob("linmodels/solvers/*.py"))]
MODULES = {path.stem: path.relative_to(ROOT) for path in FILES if path.stem not in TOOLS}  # name and file
COMMON = [
    "tests/test_properties.py",
    "tests/test_hostile.py",
    "tests/test_rank.py",
    "tests/published/test_published.py",
    "tests/test_agreement.py",
    "tests/test_doors.py",
    "tests/test_equations.py",
]
SECONDS = 6.0  # of tests beyond the module's own file, the quickest of those that call the changed function

SIGN = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|",
        ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is",
        ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.And: "and", ast.Or: "or"}  # fmt: skip
PAIRS = [("+", "-"), ("*", "/"), ("&", "|"), ("<", "<="), (">", ">="), ("==", "!="), ("is", "is not"), ("in", "not in"),
         ("and", "or"), ("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"), ("log", "exp"), ("any", "all"),
         ("zeros", "ones"), ("floor", "ceil"), ("sum", "mean"), ("isinf", "isnan")]  # fmt: skip
OTHER = dict(PAIRS) | {b: a for a, b in PAIRS}
WITHOUT = {"sqrt", "abs", "square", "round", "copy", "log", "exp", "asarray", "sign"}  # f(x) becomes x


class Mutant(NamedTuple):
    """`text` in place of the bytes start:end of a module; `owner` is the first line of the function around them."""

    module: str
    line: int
    start: int
    end: int
    text: str
    owner: int


def mutants(module: str, source: bytes) -> list[Mutant]:
    """Every single change, in the order of the source."""
    begin, found = [0], {}
    for line in source.splitlines(keepends=True):
        begin.append(begin[-1] + len(line))

    def span(node):
        return begin[node.lineno - 1] + node.col_offset, begin[node.end_lineno - 1] + node.end_col_offset

    def old(node):
        return source[slice(*span(node))].decode()

    def visit(node, owner, role=""):
        match node:
            case ast.Raise() | ast.JoinedStr() | ast.ImportFrom() | ast.arg() | ast.keyword("unread"):
                return  # messages, types, and when the numbers of X are looked at
        for text in changes(node, role, old):
            start, end = span(node)
            found.setdefault((start, end, text), Mutant(module, node.lineno, start, end, text, owner))
        unpacked = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple)
        for field, value in ast.iter_fields(node):
            if field not in ("annotation", "returns", "decorator_list"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        visit(child, owner, "unpacked" if unpacked and field == "value" else field)

    for part in parts(ast.parse(source)):
        visit(part, part.lineno)
    return sorted(found.values(), key=lambda m: (m.start, m.end))


def parts(tree: ast.Module) -> list[ast.stmt]:
    """Its functions, methods and other statements."""
    return [part for node in tree.body for part in (node.body if isinstance(node, ast.ClassDef) else [node])]


def changes(node: ast.AST, role: str, old: Callable[[ast.AST], str]) -> Iterator[str]:
    """What may stand in place of a node; `role` is its field in the node above, old(node) its text."""
    match node:
        case ast.BinOp(left, op, right) if type(op) in SIGN:
            a, b, sign = f"({old(left)})", f"({old(right)})", SIGN[type(op)]
            yield f"({b} @ {a})" if sign == "@" else f"({a} {OTHER[sign]} {b})"
            if sign in "+-" or (sign in "*/" and isinstance(right, ast.Constant)):
                yield a
            if sign == "+" or (sign == "*" and isinstance(left, ast.Constant)):
                yield b
        case ast.Compare(left, ops, rights):
            signs = [SIGN[type(op)] for op in ops]
            for i in range(len(signs)):
                kept = [*signs[:i], OTHER[signs[i]], *signs[i + 1 :]]
                yield f"({old(left)} {' '.join(f'{s} {old(b)}' for s, b in zip(kept, rights, strict=True))})"
        case ast.BoolOp(op, values):
            yield "(" + f" {OTHER[SIGN[type(op)]]} ".join(f"({old(v)})" for v in values) + ")"
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            yield f"({old(operand)})"
        case ast.Constant(bool() as value):
            yield str(not value)
        case ast.Constant(int() as value):
            yield str(value + 1)
            if value == 1 and role != "right":
                yield "0"
        case ast.Constant(float() as value):
            yield repr(2 * value if value > 1e-3 else 1e3 * value or 1.0)
        case ast.Attribute(value, "T"):
            yield old(value)
        case ast.Attribute(value, name) if role == "func" and name in OTHER:
            yield f"{old(value)}.{OTHER[name]}"
        case ast.Name(name) if role == "func" and name in OTHER:
            yield OTHER[name]
        case ast.AugAssign(target, op, value):
            yield "pass"
            if OTHER.get(sign := SIGN.get(type(op), "")):
                yield f"{old(target)} {OTHER[sign]}= {old(value)}"
        case ast.Call(ast.Attribute(ast.Name("checks")), args) if args:
            arrays = [old(a) for a in args if not (isinstance(a, ast.Constant) and isinstance(a.value, str))]
            yield f"({', '.join(arrays)})" if role == "unpacked" else f"({arrays[0]})"
        case ast.Call(ast.Attribute(value, "copy"), []):
            yield old(value)
        case ast.Call(ast.Name("range"), args):
            for step in ("+ 1", "- 1"):
                yield f"range({', '.join([*map(old, args[:-1]), f'{old(args[-1])} {step}'])})"
        case ast.Call(ast.Attribute(_, name) | ast.Name(name), [only]) if name in WITHOUT:
            yield f"({old(only)})"
    if role in ("test", "ifs") and not (isinstance(node, ast.UnaryOp) or re.search(" [!=]= | is ", old(node))):
        yield f"(not ({old(node)}))"


sys.called = CALLED = set()  # (module, line) of the functions that the running test has called, while `survey` runs


class Plugin:
    """Runs the chosen tests, the quickest first; without a choice all. Notes what each calls, and its seconds."""

    def __init__(self, chosen=None):
        self.chosen, self.calls, self.times = chosen, defaultdict(set), {}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config):
        phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]  # the first failure will do
        hypothesis.settings.register_profile("mutants", deadline=None, database=None, derandomize=True, phases=phases)
        hypothesis.settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items):
        if self.chosen is not None:
            items[:] = sorted((i for i in items if i.nodeid in self.chosen), key=lambda i: self.chosen[i.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        CALLED.clear()
        start = time.process_time()
        result = yield
        self.times[item.nodeid] = time.process_time() - start
        for function in CALLED:
            self.calls[function].add(item.nodeid)
        return result


def in_a_child(folder: Path, task: Callable[[], int], seconds: float) -> int:
    """What task() returns where `linmodels` is the copy in the folder; 1 too if it needs more seconds or dies."""
    if child := os.fork():
        return min(1, os.waitpid(child, 0)[1])
    code = 1
    try:
        limit = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
        sys.path.insert(0, str(folder))
        log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        code = task()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def run(files: list[str], plugin: Plugin) -> int:
    """0 if no test fails."""
    options = "-x -q --tb=short -p no:nbval -p no:cacheprovider -o addopts=".split()
    options += ["-m", "not slow", "-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of modules imported already
    return 0 if pytest.main([*options, *files], [plugin]) in (0, 5) else 1


def survey(folder: Path, modules: list[str]) -> tuple[dict, dict]:
    """Of the tests of these modules and of those that import them: which call the function (module, line), and the
    seconds each takes."""
    files, plugin = [], Plugin()
    for m in MODULES:
        source = (ROOT / MODULES[m]).read_text("utf-8")
        imports = re.findall(r"^from \.(.*)", source, re.MULTILINE)
        if set(modules) & {m, *re.findall(r"\w+", " ".join(imports))}:
            files += [file for file in [f"tests/test_{m}.py"] if (ROOT / file).exists()]  # a solver may have none
        if m in modules:
            tree = ast.parse(source)
            for part in parts(tree):
                if isinstance(part, ast.FunctionDef):
                    note = ast.parse(f"__import__('sys').called.add(({m!r}, {part.lineno}))").body[0]
                    part.body.insert(bool(ast.get_docstring(part)), note)
            (folder / MODULES[m]).write_text(ast.unparse(tree), "utf-8")

    def task():
        failed = run([*files, *COMMON], plugin)
        (folder / "survey").write_bytes(pickle.dumps((dict(plugin.calls), plugin.times)))
        return failed

    if in_a_child(folder, task, 3600):
        sys.exit((folder / "log").read_text("utf-8") + "\nfirst the tests must pass without a mutant")
    for m in modules:
        shutil.copy2(ROOT / MODULES[m], folder / MODULES[m])
    return pickle.loads((folder / "survey").read_bytes())


def survives(mutant: Mutant, number: int, folder: Path, calls: dict, times: dict) -> bool:
    """Whether no test notices; the module is whole again afterwards."""
    path, own = folder / MODULES[mutant.module], f"tests/test_{mutant.module}.py"
    tests = calls.get((mutant.module, mutant.owner)) or set().union(*(calls[f] for f in calls if f[0] == mutant.module))
    chosen, left = {test: times[test] for test in tests if test.startswith(own)}, SECONDS
    for test in sorted(tests - set(chosen), key=lambda test: times[test]):
        if (left := left - times[test]) > 0:
            chosen[test] = times[test]
    files = {test.partition("::")[0] for test in chosen}
    stages = [sorted(part) for part in (files & {own}, files - {own}) if part]
    source, seconds = path.read_bytes(), 10 + 3 * sum(chosen.values())
    path.write_bytes(source[: mutant.start] + mutant.text.encode() + source[mutant.end :])
    os.utime(path, (number, number))  # by this time compiled files are told apart
    failed = in_a_child(folder, lambda: any(run(part, Plugin(chosen)) for part in stages), seconds)
    path.write_bytes(source)
    return not failed


def difference(mutant: Mutant, source: bytes) -> str:
    """The lines that differ, before and after."""
    first, last = source.rfind(b"\n", 0, mutant.start) + 1, source.find(b"\n", mutant.end)
    after = source[first : mutant.start] + mutant.text.encode() + source[mutant.end : last]
    lines = [f"- {line}" for line in source[first:last].decode().splitlines()]
    return "\n".join([*lines, *(f"+ {line}" for line in after.decode().splitlines())])


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "modules", nargs="*", metavar="module", help="such as lda, or lda.means, a function of it; all unless given"
    )
    parser.add_argument("--sample", type=int, metavar="N", default=500, help="about N of all mutants, evenly (500)")
    parser.add_argument("--list", action="store_true", help="show the mutants, run nothing")
    options = parser.parse_args()
    wanted = [name.partition(".") for name in options.modules or MODULES]
    if unknown := {name for name, _, _ in wanted} - set(MODULES):
        parser.error(f"no module {', '.join(sorted(unknown))}; there are {', '.join(MODULES)}")
    sources = {name: (ROOT / MODULES[name]).read_bytes() for name, _, _ in wanted}
    every = [m for name, _, f in wanted for m in mutants(name, sources[name]) if m.line in lines_of(f, sources[name])]
    if not every:
        parser.error(f"nothing to change in {', '.join(options.modules)}: is it the name of a function there?")
    chosen = every[:: max(1, len(every) // options.sample)]
    if not options.list:
        return try_all(chosen, sources)
    for m in chosen:
        print(f"{MODULES[m.module]}:{m.line}\n{difference(m, sources[m.module])}")
    return 0


def lines_of(function: str, source: bytes) -> range:
    """Those of the function; of the whole source without a name, none of one that is not there."""
    if not function:
        return range(1, source.count(b"\n") + 2)
    found = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef) and n.name == function)
    return next((range(n.lineno, (n.end_lineno or n.lineno) + 1) for n in found), range(0))


def try_all(chosen: list[Mutant], sources: dict[str, bytes]) -> int:
    """Prints each survivor and the share killed per module; 0 if there is no survivor."""
    killed: dict[str, list[bool]] = defaultdict(list)
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory(prefix="linmodels-mutants-") as name:
        folder = Path(name)
        shutil.copytree(ROOT / "linmodels", folder / "linmodels", ignore=shutil.ignore_patterns("__pycache__"))
        print(f"{len(chosen)} mutants; first the tests without one, to see which functions each calls", flush=True)
        calls, times = survey(folder, list({m.module for m in chosen}))
        for k, mutant in enumerate(chosen, 1):
            killed[mutant.module].append(not survives(mutant, k, folder, calls, times))
            if not killed[mutant.module][-1]:
                where = f"{k}/{len(chosen)} survives: {MODULES[mutant.module]}:{mutant.line}"
                print(f"{where}\n{difference(mutant, sources[mutant.module])}", flush=True)
            if k == len(chosen) or chosen[k].module != mutant.module:
                print(share(mutant.module, killed[mutant.module]), flush=True)
    print(share("all", [each for module in killed.values() for each in module]))
    return 0 if all(map(all, killed.values())) else 1


def share(name: str, killed: list[bool]) -> str:
    return f"{name}: {sum(killed)} of {len(killed)} killed, {np.mean(killed):.1%}"


if __name__ == "__main__":
    sys.exit(main())

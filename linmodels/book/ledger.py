"""The ledger: every equation of the five notes, their errata, and where the project shows, computes and proves them.

What the notes say is in ledger.json. Where the project answers is read from the project itself: a function cites ids
in brackets in its docstring, a test in a marker, a cell in its text. So no link is written twice, and none can be dead.
"""

from __future__ import annotations

import ast
import json
import pathlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from linmodels.book import notebooks

ID = re.compile(r"\b[A-E]-[0-9a-z.]+-\d+\b")
BRACKET = re.compile(r"\[([^\[\]]*)\]")
ERRATUM = re.compile(r"\bERR-([A-E]\d\d)\b|\berrat(?:um|a)((?:(?:\s|,|and)+[A-E]\d\d\b)+)", re.IGNORECASE)


@dataclass(frozen=True)
class Chapter:
    """One chapter of the book."""

    number: str
    slug: str
    title: str
    zh: str

    @property
    def stem(self) -> str:
        return f"{self.number}_{self.slug}"


CHAPTERS = (
    Chapter("00", "map", "Map of the book", "全书地图"),
    Chapter("01", "linear_regression", "Linear regression", "线性回归"),
    Chapter("02", "regularization", "Regularization", "正则化"),
    Chapter("03", "glm", "Generalized linear models", "广义线性模型"),
    Chapter("04", "logistic_regression", "Logistic regression", "对数几率回归, 逻辑回归"),
    Chapter("05", "softmax_regression", "Softmax regression", "Softmax回归"),
    Chapter("06", "least_squares_classifier", "Least squares for classification", "最小二乘分类"),
    Chapter("07", "lda", "Linear discriminant analysis", "线性判别分析"),
    Chapter("08", "naive_bayes", "Naive Bayes", "朴素贝叶斯"),
    Chapter("09", "perceptron", "The perceptron", "感知机"),
    Chapter("10", "svm", "Support vector machines", "支持向量机"),
    Chapter("11", "kernel_lms", "Kernel least mean squares", "核最小均方"),
    Chapter("12", "kernels", "Kernels", "核函数"),
    Chapter("13", "one_line_many_losses", "One line, many losses", "一条直线，多种损失"),
    Chapter("14", "errata", "Errata of the notes", "勘误"),
)


@dataclass(frozen=True, eq=False)
class Item:
    """One statement of the notes, with its corrected formula in LaTeX (some have none)."""

    id: str
    note: str
    section: str
    title: str
    zh: str
    kind: str
    formula: str
    chapter: str
    same_as: list[str]
    erratum: list[str]


@dataclass(frozen=True, eq=False)
class Erratum:
    """One mistake of the notes: kind M wrong, H hypothesis missing, T misprint, N notation, W wording."""

    id: str
    note: str
    kind: str
    items: list[str]
    printed: str
    right: str


@dataclass(frozen=True, eq=False)
class Ledger:
    """All items and errata by id, and groups of names for one thing, English first."""

    items: dict[str, Item]
    errata: dict[str, Erratum]
    terms: list[list[str]]

    def __contains__(self, id: str) -> bool:
        return id in self.items or id in self.errata


@dataclass(frozen=True)
class Place:
    """A function, a test or a cell: its name, its file from the book's root, and its line (0 in a notebook)."""

    name: str
    file: str
    line: int = 0


Citations = dict[str, list[Place]]


@dataclass(frozen=True)
class Links:
    """Who cites which id; ``faults`` are markers that cannot be read."""

    functions: Citations = field(default_factory=lambda: defaultdict(list))
    tests: Citations = field(default_factory=lambda: defaultdict(list))
    cells: Citations = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)


@cache
def load() -> Ledger:
    """The ledger as it ships with the package."""
    stored = json.loads(pathlib.Path(__file__).with_name("ledger.json").read_text(encoding="utf-8"))
    items = {entry["id"]: Item(**entry) for entry in stored["items"]}
    errata = {entry["id"]: Erratum(**entry) for entry in stored["errata"]}
    return Ledger(items, errata, stored["terms"])


def finished(root: pathlib.Path) -> set[str]:
    """The numbers of the chapters that are written: those with a notebook."""
    return {c.number for c in CHAPTERS if (root / "notebooks" / f"{c.stem}.ipynb").is_file()}


def chapter_of(item: Item) -> Chapter:
    """The chapter that tells it."""
    return next(chapter for chapter in CHAPTERS if chapter.number == item.chapter)


def links(root: pathlib.Path) -> Links:
    """What the project's functions, tests and cells cite."""
    found = Links()
    for path in sorted((root / "linmodels").glob("*.py")):
        _read_functions(found, path, root)
    for path in sorted((root / "tests").rglob("*.py")):
        _read_tests(found, path, root)
    for path in notebooks.chapters(root):
        if path.name[:2] != "00":  # the map names every id, because it is made from these links
            _read_cells(found, path, root)
    return found


def errata_in(text: str) -> list[str]:
    """Ids of the errata named in a text, as "erratum A50", "errata A43, A44" or "ERR-A50"."""
    named = (number for match in ERRATUM.finditer(text) for number in re.findall(r"[A-E]\d\d", match[0]))
    return [f"ERR-{number}" for number in named]


def _numbers_in(text: str) -> list[str]:
    """Errata named by their bare number, as the tables at the end of a chapter do: | A50 |, (A41, A51)."""
    return [id for number in re.findall(r"\b[A-E]\d\d\b", text) if (id := f"ERR-{number}") in load().errata]


def _read_functions(found: Links, path: pathlib.Path, root: pathlib.Path) -> None:
    for name, node in _definitions(ast.parse(path.read_text(encoding="utf-8")).body, path.stem):
        docstring = ast.get_docstring(node) or ""
        cited = ID.findall(" ".join(BRACKET.findall(docstring))) + errata_in(docstring)
        _note(found.functions, cited, Place(name, path.relative_to(root).as_posix(), node.lineno))


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(body: Iterable[ast.stmt], prefix: str) -> Iterator[tuple[str, Definition]]:
    """Functions, classes and methods with their dotted names."""
    for node in body:
        if isinstance(node, Definition):
            yield f"{prefix}.{node.name}", node
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, f"{prefix}.{node.name}")


def _read_tests(found: Links, path: pathlib.Path, root: pathlib.Path) -> None:
    file, tree = path.relative_to(root).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(getattr(t, "id", "") == "pytestmark" for t in node.targets):
            _read_markers(found, [node.value], Place(path.stem, file, node.lineno))
    for name, definition in _definitions(tree.body, ""):
        _read_markers(
            found, definition.decorator_list, Place(name.lstrip(".").replace(".", "::"), file, definition.lineno)
        )


def _read_markers(found: Links, expressions: list[ast.expr], place: Place) -> None:
    for call in (node for e in expressions for node in ast.walk(e) if isinstance(node, ast.Call)):
        marker = getattr(call.func, "attr", "")
        if marker in ("equation", "erratum"):
            ids = [getattr(argument, "value", None) for argument in call.args]
            if not ids or not all(isinstance(id, str) for id in ids):
                found.faults.append(f"{place.file}:{call.lineno}: {marker}(...) must be given ids as literal strings")
            else:
                _note(found.tests, [_full(str(id), marker) for id in ids], place)


def _full(id: str, marker: str) -> str:
    return f"ERR-{id}" if marker == "erratum" and not id.startswith("ERR-") else id


def _read_cells(found: Links, path: pathlib.Path, root: pathlib.Path) -> None:
    for cell in notebooks.read(path)["cells"]:
        source = notebooks.text(cell["source"])
        place = Place(cell.get("id", "?"), path.relative_to(root).as_posix())
        errata = errata_in(source) + (_numbers_in(source) if cell["cell_type"] == "markdown" else [])
        _note(found.cells, ID.findall(source) + errata, place)


def _note(citations: Citations, ids: Iterable[str], place: Place) -> None:
    for id in dict.fromkeys(ids):
        citations[id].append(place)


def problems(root: pathlib.Path) -> list[str]:
    """Dead links, and what the finished chapters still owe: see `_owed_item` and `_owed_erratum`."""
    ledger, found, written = load(), links(root), finished(root)
    owed_items = (_owed_item(item, found) for item in ledger.items.values() if item.chapter in written)
    owed_errata = (
        _owed_erratum(erratum, found)
        for erratum in ledger.errata.values()
        if all(ledger.items[id].chapter in written for id in erratum.items)
    )
    return [*found.faults, *_dead(ledger, found), *filter(None, owed_items), *filter(None, owed_errata)]


def _dead(ledger: Ledger, found: Links) -> Iterator[str]:
    for citations in (found.functions, found.tests, found.cells):
        for id, places in citations.items():
            if id not in ledger:
                yield from (f"{id}: cited by {place.name} in {place.file}, but not in the ledger" for place in places)


def _owed_item(item: Item, found: Links) -> str | None:
    """Definitions and algorithms need a function or a cell, claims and figures a cell or a test, the rest a test."""
    function, test, cell = item.id in found.functions, item.id in found.tests, item.id in found.cells
    if item.kind in ("definition", "algorithm"):
        return None if function or cell else f"{item.id} ({item.kind}, {item.title}): cited by no function and no cell"
    if item.kind in ("claim", "figure"):
        return None if cell or test else f"{item.id} ({item.kind}, {item.title}): cited by no cell and no test"
    return None if test else f"{item.id} ({item.kind}, {item.title}): proved by no test"


def _owed_erratum(erratum: Erratum, found: Links) -> str | None:
    """What is wrong (M) or lacks a hypothesis (H) needs a test; misprints, notation and wording a test or a cell."""
    test, cell = erratum.id in found.tests, erratum.id in found.cells
    if erratum.kind in "MH" and not test:
        return f"{erratum.id} ({erratum.printed}): shown by no test"
    if not (test or cell):
        return f"{erratum.id} ({erratum.printed}): shown by no test and no cell"
    return None

"""The ledger: every equation of the five notes, their errata, and where the project shows, computes and proves them.

What the notes say is in ledger.json, corrected, and at times with what follows from it. Where the project answers is
read from the project itself: a function cites ids in brackets in its docstring, a test in a marker, a cell in its text.
So no link is written twice, and a test finds each one that leads nowhere.
"""

from __future__ import annotations

import ast
import json
import pathlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from linmodels.book import notebooks

ID = re.compile(r"\b[A-E]-[0-9a-z.]+-\d+\b")
BRACKET = re.compile(r"\[([^\[\]]*)\]")
KINDS = ("definition", "claim", "identity", "derivation", "algorithm", "theorem", "figure")  # of statements
CLASSES = {  # of errata
    "M": "wrong (错误)",
    "H": "a hypothesis is missing (缺少条件)",
    "T": "misprint (印刷错误)",
    "O": "left open (未说明)",
    "N": "notation (记号)",
    "W": "wording (措辞)",
}
COMPUTED = ("definition", "identity", "derivation", "algorithm", "theorem")
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
    Chapter("05", "softmax_regression", "Softmax regression", "Softmax回归, 多类逻辑回归"),
    Chapter("06", "least_squares_classifier", "Least-squares classification", "最小二乘分类"),
    Chapter("07", "lda", "Fisher's linear discriminant analysis", "线性判别分析, LDA"),
    Chapter("08", "naive_bayes", "Naive Bayes", "朴素贝叶斯"),
    Chapter("09", "perceptron", "The perceptron", "感知机"),
    Chapter("10", "svm", "The support vector machine", "支持向量机"),
    Chapter("11", "kernel_lms", "Kernel LMS", "带有核技巧的最小均方"),
    Chapter("12", "kernels", "Kernels", "核"),
    Chapter("13", "one_line_many_losses", "One line, many losses", "一条直线，多种损失"),
    Chapter("14", "errata", "Errata of the notes", "勘误"),
)


@dataclass(frozen=True)
class Section:
    """A note ("A") or one of its sections ("A-5.3.1", "E-kernel"), with its title in English and as the note has it."""

    id: str
    title: str
    zh: str

    @property
    def label(self) -> str:
        """As chapters cite it, "A 5.3.1"; an opening and a section without a number go by the note's letter."""
        note, _, number = self.id.partition("-")
        return f"{note} {number}" if number[:1].isdigit() and number != "0" else note


@dataclass(frozen=True, eq=False)
class Item:
    """One statement of the notes, with its corrected formula in LaTeX (some have none).

    ``kind`` is one of `KINDS`. ``no_function`` says why no function computes it, where none does and its kind is one of
    `COMPUTED`.
    """

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
    no_function: str = ""


@dataclass(frozen=True, eq=False)
class Erratum:
    """A place of the notes: kind M wrong, H hypothesis missing, T misprint, O left open, N notation, W wording.

    What is printed and what is right stands in the texts of the notes' pages, see walk.py.
    """

    id: str
    note: str
    kind: str
    items: list[str]


@dataclass(frozen=True, eq=False)
class Term:
    """The names of one thing, its symbol in LaTeX, and the cell that explains it first."""

    en: list[str]
    zh: list[str]
    symbol: str
    cell: str

    @property
    def names(self) -> list[str]:
        return self.en + self.zh


@dataclass(frozen=True, eq=False)
class Ledger:
    """Sections, items and errata by id; the terms; what each note and this book call a thing, one row per concept; and
    what a letter means in each, where it means several things."""

    sections: dict[str, Section]
    items: dict[str, Item]
    errata: dict[str, Erratum]
    terms: list[Term]
    notation: list[dict[str, str]]
    letters: list[dict[str, str]]

    def __contains__(self, id: str) -> bool:
        return id in self.items or id in self.errata


@dataclass(frozen=True)
class Place:
    """A function, a test or a cell: its name, its file from the book's root, and its line (0 in a notebook)."""

    name: str
    file: str
    line: int = 0

    @property
    def chapter(self) -> str:
        """The number of the chapter, where it is a cell."""
        return pathlib.PurePath(self.file).name[:2]


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
    sections = {entry["id"]: Section(**entry) for entry in stored["sections"]}
    items = {entry["id"]: Item(**entry) for entry in stored["items"]}
    errata = {entry["id"]: Erratum(**entry) for entry in stored["errata"]}
    if twice := [id for id, n in Counter(e["id"] for e in (*stored["items"], *stored["errata"])).items() if n > 1]:
        raise ValueError(f"ledger.json has two entries for {', '.join(twice)}")
    return Ledger(
        sections, items, errata, [Term(**entry) for entry in stored["terms"]], stored["notation"], stored["letters"]
    )


def chapter_of(item: Item) -> Chapter:
    """The chapter that tells it."""
    return next(chapter for chapter in CHAPTERS if chapter.number == item.chapter)


def links(root: pathlib.Path, wanted: Iterable[str] | None = None) -> Links:
    """What the project's functions, tests and cells cite; of the tests only files that name an id ``wanted``, if any.

    (To read all tests takes most of a second.)
    """
    found, named = Links(), None if wanted is None else [id.removeprefix("ERR-") for id in wanted]
    for path in modules(root):
        _read_functions(found, path, root)
    clone = (root / "notebooks").is_dir()  # or else, beside an installed package, these are the tests of others
    for path in sorted((root / "tests").rglob("*.py")) if clone else []:
        if ".ipynb_checkpoints" in path.parts:  # JupyterLab's copy of a file that was opened from the map
            continue
        source = path.read_text(encoding="utf-8")
        if named is None or any(id in source for id in named):
            _read_tests(found, source, path.relative_to(root).as_posix())
    for path in notebooks.chapters(root):
        if path.name[:2] != "00":  # the map names every id, because it is made from these links
            _read_cells(found, path, root)
    return found


def home() -> pathlib.Path:
    """The clone of the book, or else the folder into which it was installed: that has no chapters and no tests."""
    from linmodels.pictures import find_root  # not above: it asks for the version of Matplotlib, which a page may lack

    return find_root() or pathlib.Path(__file__).resolve().parents[2]


def modules(root: pathlib.Path) -> list[pathlib.Path]:
    """The files of the library itself: chapters and tools, then what stands below them."""
    return [path for folder in ("", "solvers", "guards") for path in sorted((root / "linmodels" / folder).glob("*.py"))]


def errata_in(text: str) -> list[str]:
    """Ids of the errata named in a text, as "erratum A50", "errata A43, A44" or "ERR-A50"."""
    named = (number for match in ERRATUM.finditer(text) for number in re.findall(r"[A-E]\d\d", match[0]))
    return [f"ERR-{number}" for number in named]


def _numbers_in(text: str) -> list[str]:
    """Errata named by their bare number, as the tables at the end of a chapter do: | A50 |, (A41, A51)."""
    return [id for number in re.findall(r"\b[A-E]\d\d\b", text) if (id := f"ERR-{number}") in load().errata]


@cache
def parsed(source: str) -> ast.Module:
    """The syntax tree of a file; to make it is what takes time here."""
    return ast.parse(source)


def _read_functions(found: Links, path: pathlib.Path, root: pathlib.Path) -> None:
    for name, node in _definitions(parsed(path.read_text(encoding="utf-8")).body, path.stem):
        docstring = ast.get_docstring(node) or ""
        cited = ID.findall(" ".join(BRACKET.findall(docstring))) + errata_in(docstring)
        _add_places(found.functions, cited, Place(name, path.relative_to(root).as_posix(), node.lineno))


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(body: Iterable[ast.stmt], prefix: str) -> Iterator[tuple[str, Definition]]:
    """Functions, classes and methods with their dotted names."""
    for node in body:
        if isinstance(node, Definition):
            yield f"{prefix}.{node.name}", node
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, f"{prefix}.{node.name}")


def _read_tests(found: Links, source: str, file: str) -> None:
    if "equation" not in source and "erratum" not in source:  # nothing to read; to parse is what takes time
        return
    tree = parsed(source)
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(getattr(t, "id", "") == "pytestmark" for t in node.targets):
            _read_markers(found, [node.value], Place(pathlib.PurePath(file).stem, file, node.lineno))
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
                _add_places(found.tests, [_full(str(id), marker) for id in ids], place)


def _full(id: str, marker: str) -> str:
    return f"ERR-{id}" if marker == "erratum" and not id.startswith("ERR-") else id


def _read_cells(found: Links, path: pathlib.Path, root: pathlib.Path) -> None:
    for cell in notebooks.read(path)["cells"]:
        source = notebooks.text(cell["source"])
        place = Place(cell.get("id", "?"), path.relative_to(root).as_posix())
        errata = errata_in(source) + (_numbers_in(source) if cell["cell_type"] == "markdown" else [])
        _add_places(found.cells, ID.findall(source) + errata, place)


def _add_places(citations: Citations, ids: Iterable[str], place: Place) -> None:
    for id in dict.fromkeys(ids):
        citations[id].append(place)


def problems(root: pathlib.Path) -> list[str]:
    """Dead links, and what the book still owes: see `_owed_for_item` and `_owed_for_erratum`."""
    ledger, found = load(), links(root)
    owed = [
        f"{item.id} ({item.kind}, {item.title}): {what}"
        for item in ledger.items.values()
        for what in _owed_for_item(item, found)
    ]
    owed += [
        f"{erratum.id} ({erratum.kind}, {erratum.items[0]}): {what}"
        for erratum in ledger.errata.values()
        for what in _owed_for_erratum(erratum, found)
    ]
    return [*found.faults, *_dead(ledger, found), *owed]


def _dead(ledger: Ledger, found: Links) -> Iterator[str]:
    for citations in (found.functions, found.tests, found.cells):
        for id, places in citations.items():
            if id not in ledger:
                yield from (f"{id}: cited by {place.name} in {place.file}, but not in the ledger" for place in places)


def _owed_for_item(item: Item, found: Links) -> Iterator[str]:
    """Each is told by its chapter; what is derived has a test; what can be computed a function, or a reason why not."""
    if item.chapter not in _chapters(found, item.id):
        yield f"told by no cell of chapter {item.chapter}"
    if item.kind in ("identity", "derivation", "theorem") and item.id not in found.tests:
        yield "proved by no test"
    if item.kind in COMPUTED and item.id not in found.functions and not item.no_function:
        yield "cited by no function, and no reason why"
    if item.no_function and item.id in found.functions:
        yield "cited by a function, and a reason why there is none"


def _owed_for_erratum(erratum: Erratum, found: Links) -> Iterator[str]:
    """Each is told where it matters, in chapters 01 to 12; all but notation and wording also in 14, and by a test."""
    told = _chapters(found, erratum.id)
    if not told - {"13", "14"}:
        yield "told by no cell of chapters 01 to 12"
    if erratum.kind in "MHTO" and "14" not in told:
        yield "told by no cell of chapter 14"
    if erratum.kind in "MHTO" and erratum.id not in found.tests:
        yield "shown by no test"


def _chapters(found: Links, id: str) -> set[str]:
    return {place.chapter for place in found.cells.get(id, [])}

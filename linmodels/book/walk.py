"""What the book says of each statement of a note, in Chinese and in English: notes/B.md goes through note B. A long
note has several files, each of which begins with its letter.

A text belongs to the note, to a statement or to an erratum. What it has is listed in `FIELDS`. Its numbers are
computed as it is read: «...» holds an expression, and the code above the text says what the letters are.
"""

from __future__ import annotations

import contextlib
import pathlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from linmodels.book import ledger, notebooks
from linmodels.book.ledger import Erratum

FIELDS = {
    "zh": "what it claims, and where the book shows it; of an erratum, what is wrong",
    "en": "the same in English",
    "numbers zh": "the statement in numbers, in the note's letters; of an erratum, its witness",
    "numbers en": "the same in English",
    "table": "a table below the numbers, for both languages",
    "printed": "the formula as the note prints it, where that is not the right one; or its Chinese words",
    "meant": "instead of it, a formula of the book's for what the note says in words",
    "right": "the right one beside it, or the formula of a statement; the ledger's, if this is left out",
    "printed en": "of an erratum, what the note prints, in short and in English, as the tables of chapter 14 have it",
    "right en": "the same of what is right",
    "at": "words of the chapter that begin the explanation, where its cell begins with something else",
    "figure": "the name of a figure of the book",
    "figure zh": "its caption in Chinese; the English one is the book's own",
    "figure en": "its caption in English, where the book's own speaks of what only the chapter has",
}
HEADING = re.compile(r"^## (\S+) ?(.*)$", re.MULTILINE)
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FIELD = re.compile(rf"({'|'.join(FIELDS)}): (.*)", re.DOTALL)
NUMBER = re.compile("«(.*?)»")
FAR = 60  # words of a cell before its explanation: with more of them the link leads past the cell's head


@dataclass(frozen=True)
class Told:
    """One text: its Chinese title, and its fields by name, those that it has."""

    id: str
    title: str
    fields: dict[str, str]

    def __getitem__(self, field: str) -> str:
        return self.fields.get(field, "")

    @property
    def printed(self) -> str:
        """What the note prints, or, as a formula, what it says in words."""
        return self["printed"] or self["meant"]

    @property
    def source(self) -> tuple[str, str]:
        """How a reader is told which of the two that is, in Chinese and in English."""
        return ("原文的意思", "the note, put in a formula") if self["meant"] else ("原文", "the note")


@cache
def of(note: str) -> dict[str, Told]:
    """The texts of a note ("B"), of its statements and of its errata, by id."""
    return _gathered(note, read)


@cache
def written(note: str) -> dict[str, Told]:
    """The same with «...» for the numbers, as they are written: to compute these takes a second."""
    return _gathered(note, _as_written)


def _gathered(note: str, reader: Callable[[str], dict[str, Told]]) -> dict[str, Told]:
    found: dict[str, Told] = {}
    for file in sorted(pathlib.Path(__file__).with_name("notes").glob(f"{note}*.md")):
        with _told_of(file.name):
            told = reader(file.read_text(encoding="utf-8"))
        if twice := found.keys() & told.keys():
            raise ValueError(f"{', '.join(sorted(twice))}: two texts, one of them in {file.name}")
        found |= told
    return found


def read(source: str) -> dict[str, Told]:
    """The texts of a file, with their numbers; the code before the first one is for all."""
    prelude, parts = _parts(source)
    common = _run(prelude, {})
    found = {}
    for id, (title, body) in parts.items():
        with _told_of(id):
            names = _run(body, common)
            fields = {
                field: NUMBER.sub(lambda number: shown(eval(number[1], names)), text)  # noqa: B023  used at once
                for field, text in _fields(id, body).items()
            }
        found[id] = Told(id, title, fields)
    return found


@contextlib.contextmanager
def _told_of(where: str) -> Iterator[None]:
    """Whatever goes wrong in a text tells where it stands."""
    try:
        yield
    except Exception as problem:
        problem.add_note(f"in {where}")
        raise


def _as_written(source: str) -> dict[str, Told]:
    return {id: Told(id, title, _fields(id, body)) for id, (title, body) in _parts(source)[1].items()}


def _parts(source: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """The code for all, and the title and the body of each text."""
    prelude, *parts = HEADING.split(source)
    found: dict[str, tuple[str, str]] = {}
    for id, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if id in found:
            raise ValueError(f"{id} has two texts")
        found[id] = (title.strip(), body)
    return prelude, found


def _run(source: str, names: dict[str, Any]) -> dict[str, Any]:
    """The names, and those that the code of this part adds to them."""
    names = dict(names)
    for code in CODE.findall(source):
        exec(code, names)
    return names


def _fields(id: str, body: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for paragraph in re.split(r"\n\s*\n", CODE.sub("", body).strip()):
        match = FIELD.fullmatch(paragraph.strip())
        if match is None or match[1] in found:
            raise ValueError(f"{id}: {paragraph!r:.60} is no field, or a second one of its name: {', '.join(FIELDS)}")
        joint = "" if match[1].endswith("zh") else " "  # Chinese has no spaces between its lines
        found[match[1]] = joint.join(line.strip() for line in match[2].splitlines())
    return found


def shown(value: Any) -> str:
    """A number with four digits, (3, 3) for a vector, a matrix in brackets for TeX; a text as it is."""
    import numpy as np  # not above: `linmodels find` reads these texts, and starts sooner without it

    if isinstance(value, str):
        return value
    array = np.asarray(value)
    if array.ndim == 0:
        return f"{array.item() + 0:.4g}"  # -0 is 0
    if array.ndim == 1:
        return f"({', '.join(map(shown, array))})"
    rows = r"\\".join("&".join(map(shown, row)) for row in array)
    return rf"\begin{{pmatrix}}{rows}\end{{pmatrix}}"


def table(head: str, rows: Iterable[Iterable[Any]]) -> str:
    """A table with a head as "k | w | b"; what is not text is set as a formula."""
    cells = [[each if isinstance(each, str) else f"${shown(each)}$" for each in row] for row in rows]
    rule = " | ".join("---" for _ in head.split("|"))
    return "\n".join(["\n", *(f"| {row} |" for row in [head, rule, *(" | ".join(row) for row in cells)]), "\n"])


# The two sides of an erratum.

BESIDE = {"O": ("补充", "to add"), "N": ("更清楚", "clearer"), "W": ("更清楚", "clearer")}


def beside(kind: str) -> tuple[str, str]:
    """What stands beside the printed words is called, by the class of the erratum; a correction if no other is."""
    return BESIDE.get(kind, ("更正", "right"))


def home(erratum: Erratum, note: str) -> str:
    """The statement of this note at which it stands: the first one that it is about."""
    return next(id for id in erratum.items if id[0] == note)


def at(erratum: Erratum) -> Told:
    """The text that has its two sides: its own, or that of its statement."""
    texts = written(erratum.note)
    return texts[erratum.id] if texts[erratum.id].printed else texts[home(erratum, erratum.note)]


def sides(erratum: Erratum) -> tuple[str, str]:
    """What the note prints and what is right, as TeX or as Chinese words."""
    told = at(erratum)
    return told.printed, told["right"] or ledger.load().items[told.id].formula


def sides_in_english(erratum: Erratum) -> tuple[str, str]:
    """The same in English words, with formulas between dollars."""
    told = written(erratum.note)[erratum.id]
    printed, right = sides(erratum)
    return told["printed en"] or f"${printed}$", told["right en"] or f"${right}$"


# Where a text leads to.


@dataclass(frozen=True)
class Landing:
    """Where a chapter explains a statement: the cell and its block; the words above it in the cell and in the block."""

    id: str
    cell: str
    block: int
    words: int
    of_block: int

    @property
    def label(self) -> str:
        """What a link leads to: the head of the cell, or the block itself if the explanation is far below that."""
        return self.cell if self.words <= FAR or self.block == 0 else f"told-{self.id.lower()}"

    @property
    def to_read(self) -> int:
        """How many words a reader meets between the place where the link arrives and the explanation."""
        return self.words if self.label == self.cell else self.of_block


@cache
def landings(chapter: pathlib.Path) -> dict[str, Landing]:
    """Where this chapter explains the statements that have a text, those that it explains, by id."""
    number, items = chapter.name[:2], ledger.load().items
    texts = [told for note in "ABCDE" for told in of(note).values()]
    wanted = [told for told in texts if told.id in items and items[told.id].chapter == number]
    cells = [cell for cell in notebooks.read(chapter)["cells"] if cell["cell_type"] == "markdown"] if wanted else []
    prose = {cell["id"]: notebooks.text(cell["source"]) for cell in cells}
    return {told.id: landing for told in wanted if (landing := _landing(told, prose))}


def _landing(told: Told, prose: dict[str, str]) -> Landing | None:
    """It begins where the text says so, first of all in a cell that names the statement; else at the head of that."""
    naming = [name for name, source in prose.items() if told.id in ledger.ID.findall(source)]
    for name in dict.fromkeys([*naming, *prose]) if (at := told["at"]) else ():
        parts = blocks(prose[name])
        for k, block in enumerate(parts):
            if at in block:
                above, inside = " ".join(parts[:k]).split(), block.partition(at)[0].split()
                return Landing(told.id, name, k, len(above) + len(inside), len(inside))
    return Landing(told.id, naming[0], 0, 0, 0) if naming else None


def blocks(source: str) -> list[str]:
    """The paragraphs, formulas, tables and folds of a cell: what stands between its empty lines."""
    return source.split("\n\n")


def with_labels(chapter: pathlib.Path, cell: str, source: str) -> str:
    """The source of a cell with a label before each explanation that begins far below its head."""
    parts = blocks(source)
    for landing in landings(chapter).values():
        if landing.cell == cell != landing.label:
            parts[landing.block] = f"({landing.label})=\n{parts[landing.block]}"
    return "\n\n".join(parts)

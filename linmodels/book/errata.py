"""The tables of chapter 14: what the notes print, and what is right, in the words of walk.py.

Which erratum stands where, and what else is said of it, is written in the chapter. `linmodels run` fills in the rest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from linmodels.book import ledger, notebooks, walk
from linmodels.book import map as book_map
from linmodels.book.ledger import Erratum, Section

FILE = f"{ledger.CHAPTERS[14].stem}.ipynb"
BY_NOTE = "ch14-by-note"  # the cell with the table by note
PRINTED = ("printed", "the note says")  # heads of a column
RIGHT = ("right", "what it leaves open", "in this book")
ROW = re.compile(r"\| \[?(?P<number>[A-E]\d\d)\b.*? \|.*")
NUMBER = re.compile(r"\b[A-E]\d\d\b")
BAR = re.compile(r"(?<!\\)\|")
TEX = re.compile(r"\$[^$]+\$")


def fill(chapter: notebooks.Notebook) -> None:
    """Write the rows of its tables of errata anew, the links to these rows, and the table by note."""
    cells = _told(chapter)
    for cell in cells:
        cell["source"] = filled(notebooks.text(cell["source"]))
    rows = places(chapter)
    for cell in cells:
        cell["source"] = linked(cell["source"], rows)
        if cell["id"] == BY_NOTE:
            cell["source"] = cell["source"].partition("\n|")[0] + "\n" + by_note(rows)


def places(chapter: notebooks.Notebook) -> dict[str, str]:
    """The cell with the row of an erratum, by its number."""
    return {m["number"]: cell["id"] for cell in _told(chapter) for m in ROW.finditer(notebooks.text(cell["source"]))}


def _told(chapter: notebooks.Notebook) -> list[dict[str, Any]]:
    return [cell for cell in chapter["cells"] if cell["cell_type"] == "markdown"]


def filled(source: str) -> str:
    """The text of a cell with the rows of its tables of errata as the ledger and the notes' texts have them now."""
    lines, head = source.split("\n"), list[str]()
    for k, line in enumerate(lines):
        if not line.startswith("|"):
            head = []
        elif not head:
            head = _fields(line)
        elif (row := ROW.fullmatch(line)) and {*head} & {*PRINTED}:
            lines[k] = _row(line, head, ledger.load().errata[f"ERR-{row['number']}"])
    return "\n".join(lines)


def linked(source: str, rows: Mapping[str, str]) -> str:
    """The text of a cell; a column "errata" of its tables gets links to the rows, and the places in the notes."""
    lines, column = source.split("\n"), -1
    for k, line in enumerate(lines):
        if not line.startswith("|"):
            column = -1
        elif column < 0:
            column = _fields(line).index("errata") if "errata" in _fields(line) else len(line)
        elif column < len(fields := _fields(line)) and (numbers := NUMBER.findall(fields[column])):
            errata = [ledger.load().errata[f"ERR-{number}"] for number in numbers]
            fields[column] = "; ".join(f"{_link(e, rows)} {e.note} {_place(_section(e))}" for e in errata)
            lines[k] = f"| {' | '.join(fields[1:-1])} |"
    return "\n".join(lines)


def by_note(rows: Mapping[str, str]) -> str:
    """A table with a row for each note: its errata in the order of its sections, with links to their own rows."""
    book, lines = ledger.load(), ["| note | its errata, section by section |", "|---|---|"]
    order = list(book.items)
    errata = sorted(book.errata.values(), key=lambda e: order.index(walk.home(e, e.note)))
    for note in book_map.NOTES:
        sections = dict.fromkeys(_section(e) for e in errata if e.note == note)
        told = (
            f"**{_place(section)}** {', '.join(f'{_link(e, rows)} {e.kind}' for e in errata if _section(e) == section)}"
            for section in sections
        )
        lines.append(f"| {note} {book.sections[note].zh} | {' · '.join(told)} |")
    return "\n".join(lines)


def _fields(line: str) -> list[str]:
    return [field.strip() for field in BAR.split(line)]


def _section(erratum: Erratum) -> Section:
    """Where it stands first in its note."""
    book = ledger.load()
    return book.sections[book.items[walk.home(erratum, erratum.note)].section]


def _place(section: Section) -> str:
    """The number of a section, or else its title as the note has it."""
    return section.label.partition(" ")[2] or section.zh


def _link(erratum: Erratum, rows: Mapping[str, str]) -> str:
    number = erratum.id.removeprefix("ERR-")
    return f"[{number}](#cell-id={rows[number]})"


def _row(line: str, head: list[str], erratum: Erratum) -> str:
    number, id = erratum.id.removeprefix("ERR-"), walk.home(erratum, erratum.note)
    link = f"[{number}]({book_map.FILE}#cell-id={book_map.statement_cell(id)}) · {erratum.kind}"
    printed, right = (TEX.sub(_in_table, text) for text in walk.sides_in_english(erratum))
    fields = dict(zip(head, _fields(line), strict=True))
    fields |= {
        name: {"erratum": link}.get(name, printed if name in PRINTED else right)
        for name in head
        if name in ("erratum", *PRINTED, *RIGHT)
    }
    return f"| {' | '.join(fields[name] for name in head[1:-1])} |"


def _in_table(formula: re.Match[str]) -> str:
    return book_map.formula(formula[0].strip("$"))

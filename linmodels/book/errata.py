"""The tables of chapter 14: what the notes print, and what is right, in the words of walk.py.

Which erratum stands where, and what else is said of it, is written in the chapter. `linmodels run` fills in the rest.
"""

from __future__ import annotations

import re

from linmodels.book import ledger, notebooks, walk
from linmodels.book import map as book_map
from linmodels.book.ledger import Erratum

FILE = f"{ledger.CHAPTERS[14].stem}.ipynb"
PRINTED = ("printed", "the note says")  # heads of a column
RIGHT = ("right", "what it leaves open")
ROW = re.compile(r"\|(?P<first> (?:\[)?(?P<number>[A-E]\d\d)\b.*?) \|.*")
BAR = re.compile(r"(?<!\\)\|")
TEX = re.compile(r"\$[^$]+\$")


def fill(chapter: notebooks.Notebook) -> None:
    """Write the rows of its tables of errata anew."""
    for cell in chapter["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = filled(notebooks.text(cell["source"]))


def filled(source: str) -> str:
    """The text of a cell with the rows of its tables of errata as the ledger and the notes' texts have them now."""
    lines, head = source.split("\n"), list[str]()
    for k, line in enumerate(lines):
        if not line.startswith("|"):
            head = []
        elif not head:
            head = [name.strip() for name in BAR.split(line)]
        elif (row := ROW.fullmatch(line)) and {*head} & {*PRINTED}:
            lines[k] = _row(line, head, ledger.load().errata[f"ERR-{row['number']}"])
    return "\n".join(lines)


def _row(line: str, head: list[str], erratum: Erratum) -> str:
    number, id = erratum.id.removeprefix("ERR-"), walk.home(erratum, erratum.note)
    link = f"[{number}]({book_map.FILE}#cell-id={book_map.statement_cell(id)}) · {erratum.kind}"
    printed, right = (TEX.sub(_in_table, text) for text in walk.sides_in_english(erratum))
    fields = dict(zip(head, (field.strip() for field in BAR.split(line)), strict=True))
    fields |= {
        name: {"erratum": link}.get(name, printed if name in PRINTED else right)
        for name in head
        if name in ("erratum", *PRINTED, *RIGHT)
    }
    return f"| {' | '.join(fields[name] for name in head[1:-1])} |"


def _in_table(formula: re.Match[str]) -> str:
    return book_map.formula(formula[0].strip("$"))

"""notebooks/00_map.ipynb: for every statement of the notes, where the book computes, shows and proves it.

Generated from the ledger and the links, without line numbers, so that it changes only when a link does.
"""

from __future__ import annotations

import pathlib
from typing import Any

from linmodels.book import ledger, notebooks
from linmodels.book.ledger import CHAPTERS, Chapter, Item, Ledger, Links, Place

FILE = f"{CHAPTERS[0].stem}.ipynb"

INTRODUCTION = """\
# Map of the book (全书地图)

Five sets of notes on linear models, called A to E here, and this book beside them. Every statement of the notes has
an id, made of the note, its section and a number: `A-5.3.1-2` is the second one of section 5.3.1 of note A. For each
of them this map names the function that is the equation, the cell that shows it and the test that proves it. Formulas
are the corrected ones; where the notes print something else, the last column names the erratum (勘误). Statements in
*italics* are wrong or too strong as printed: `linmodels find A50` says what is right.

**How to read the book.** Open a chapter beside its notes, run it from the top, change numbers and run it again:
nothing you do in a notebook overwrites the book's figures. The exercises at the end of a chapter tell you what went
wrong. In a terminal, `linmodels find 学习率` (or a section, an id, an English word) leads to the place from anywhere.

This page is written by `linmodels run`; do not edit it by hand."""

FIND = """\
from linmodels.book import find

for item in find.search("学习率"):  # put in an id, a section, a term
    print(f"{item.id:12} {item.title}")"""

HEADER = "| id | statement | formula | function | cell | test | erratum |\n|---|---|---|---|---|---|---|"


def build(root: pathlib.Path) -> notebooks.Notebook:
    """The map as a notebook that has not run yet."""
    book, links, written = ledger.load(), ledger.links(root), ledger.finished(root)
    by_chapter = {c.number: [item for item in book.items.values() if item.chapter == c.number] for c in CHAPTERS}
    cells = [
        _cell("markdown", "title", INTRODUCTION),
        _cell("markdown", "chapters", _contents(by_chapter, written)),
        _cell("code", "find", FIND),
    ]
    for chapter in CHAPTERS:
        if items := by_chapter[chapter.number]:
            section = _table(chapter, items, book, links) if chapter.number in written else _unwritten(chapter, items)
            cells.append(_cell("markdown", f"chapter-{chapter.number}", section))
    return notebooks.normalise({"cells": cells}, "00")


def is_stale(root: pathlib.Path) -> bool:
    """Does the map in notebooks/ say something else than it would say today?"""
    path = root / "notebooks" / FILE
    return not path.is_file() or _said(notebooks.read(path)) != _said(build(root))


def _said(notebook: notebooks.Notebook) -> list[tuple[str, str]]:
    return [(cell["id"], notebooks.text(cell["source"])) for cell in notebook["cells"]]


def _cell(kind: str, name: str, source: str) -> dict[str, Any]:
    return {"cell_type": kind, "id": name, "metadata": {}, "source": source, "outputs": []}


def _contents(by_chapter: dict[str, list[Item]], written: set[str]) -> str:
    rows = [f"| {_link(c, written)} | {c.zh} | {len(by_chapter[c.number]) or ''} |" for c in CHAPTERS[1:]]
    return "\n".join(["## Chapters", "", "| chapter | 中文 | statements of the notes |", "|---|---|---|", *rows])


def _link(chapter: Chapter, written: set[str]) -> str:
    name = f"{chapter.number} {chapter.title}"
    return f"[{name}]({chapter.stem}.ipynb)" if chapter.number in written else f"{name} (not written yet)"


def _heading(chapter: Chapter) -> str:
    return f"## {chapter.number} {chapter.title} ({chapter.zh})"


def _unwritten(chapter: Chapter, items: list[Item]) -> str:
    ids = ", ".join(item.id for item in items)
    return f"{_heading(chapter)}\n\nNot written yet. {len(items)} statements wait for it: {ids}."


def _table(chapter: Chapter, items: list[Item], book: Ledger, links: Links) -> str:
    rows = [_row(item, book, links) for item in items]
    return "\n".join([_heading(chapter), "", HEADER, *rows])


def _row(item: Item, book: Ledger, links: Links) -> str:
    cited = [_places(citations.get(item.id, [])) for citations in (links.functions, links.cells, links.tests)]
    title = f"*{item.title}*" if any(book.errata[id].kind in "MH" for id in item.erratum) else item.title
    statement = (f"{title} ({item.zh})" if item.zh else title).replace("|", "\\|")
    errata = ", ".join(id.removeprefix("ERR-") for id in item.erratum)
    return "| " + " | ".join([item.id, statement, _formula(item.formula), *cited, errata]) + " |"


def _places(places: list[Place]) -> str:
    shown = [f"[{place.name}]({_target(place)})" for place in places[:2]]
    more = [f"+{len(places) - 2}"] if len(places) > 2 else []
    return ", ".join(shown + more)


def _target(place: Place) -> str:
    return pathlib.PurePath(place.file).name if place.file.startswith("notebooks/") else f"../{place.file}"


def _formula(latex: str) -> str:
    """Between dollars, without the signs that end a table's cell or begin an HTML tag."""
    for sign, command in (("\\|", "\\Vert "), ("|", "\\vert "), ("<", "\\lt "), (">", "\\gt ")):
        latex = latex.replace(sign, command)
    return f"${latex.strip()}$" if latex else ""

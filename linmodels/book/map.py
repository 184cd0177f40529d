"""notebooks/00_map.ipynb: a cell for every statement of the notes says where the book computes, shows and proves it.

Generated from the ledger and the links, without line numbers, so that it changes only when a link does.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

from linmodels.book import ledger, notebooks
from linmodels.book.ledger import CHAPTERS, Chapter, Item, Ledger, Links, Place, Section, Term, chapter_of

FILE = f"{CHAPTERS[0].stem}.ipynb"
ERRATA = CHAPTERS[14].number
NOTES = "ABCDE"

WRITTEN = "This page is written by `linmodels run`; do not edit it by hand."
INTRODUCTION = f"""\
# Map of the book (全书地图)

This book goes with five sets of notes on linear models, which it calls A to E. You have the notes on one side, and
the book on the other. Where do you want to go?

| you want to | go to |
|---|---|
| read a note from top to bottom (对照讲义) | the note below, section by section |
| learn a model from the beginning (学一个模型) | the chapters below in order, or only 01, 04, 09, 10, 11, 12 |
| practice (做习题) | any chapter; how the exercises work stands below |
| look something up (查找) | `linmodels find 学习率` in a terminal, with a term, a section, an id or a question |
| know what is wrong in the notes (勘误) | [chapter 14](14_errata.ipynb) |
| see all pictures (看图) | [the gallery](../figures/README.md) |
| take an exercise into a class (讲课) | [for a teacher](../linmodels/exercises/README.md) |

**How to read a chapter.** Open it beside its notes, and run it from the top. Answer each question before you open
what stands below it. Change numbers, and run the cell again: nothing that you do in a notebook overwrites the book's
figures. A heading with a star ★ can wait.

**How to read this map.** Every statement of the notes has an id, made of the note, its section and a number:
`A-5.3.1-2` is the second statement of section 5.3.1 of note A. For each statement the map names the function that is
the equation (or says why there is none), the cell that shows it, and the tests that prove it. The formulas are the
corrected ones. Where the notes print something else, or leave something open, the erratum (勘误) is named last.
Statements in *italics* are wrong or too strong as printed. In JupyterLab, if you start it with `linmodels lab`, a link
to a cell opens the chapter at that cell.

{WRITTEN}"""

EXERCISES = """\
## How the exercises work (习题怎么做)

Put your answer in place of the dots, and run the cell. It says `[ok]`, or what went wrong, or that nothing is answered
yet. Nothing is sent anywhere.

| you type | you get |
|---|---|
| `check.NAME.hint()`, `.hint(2)` | a hint, and a second one |
| `check.NAME.solution()` | the book's answer |
| `check.me("your name")` | numbers of your own, where an exercise has them |
| `check` | what is still open |

There are several kinds. *Write* a function or a whole loop. *Find* numbers with a pencil. *Derive*: one rule a line,
from the given first line to one without what must vanish. *Prove*: put the letters of the lines in an order in which
each stands below what it uses; some lines do not belong. *Build* data, a vector or a matrix that shows something.
*Find* what is wrong in a program. A *project* is judged on samples that your function has not seen.

**A derivation** is typed as Python, an expression a line, without an equals sign:

| | |
|---|---|
| `+ - * / **` | entry by entry, for numbers, vectors `(d,)` and matrices `(N, d)` |
| `X.T @ (p - t)` | products of matrices and vectors, inner products; `.T` transposes |
| `sum(v)`, `outer(u, v)`, `diag(v)`, `trace(A)`, `inv(A)` | of vectors and matrices |
| `exp(a)`, `ln(a)`, `sqrt(a)`, `s(a)` | entry by entry; `s` is the sigmoid σ |
| `d(e, w)` | the derivative of e with respect to the letter w |

The signs σ, λ, η, Σ, ·, ², ^ and ᵀ may be written as in the notes. What follows `#` is a remark.

An exercise without a star is a warm-up. One star asks for a thought of your own, two and three for more.
What stands under "More to type" at the end of a chapter repeats what it has shown."""

FIND = """\
from linmodels.book import find

for place in find.search("A 5.3.1"):  # put in an id, a section, a term, a question
    print(f"{place.name:12} {place.line}")"""


def marked(item: Item) -> str:
    """The title of a statement, in italics where it is wrong or too strong as printed."""
    wrong = any(ledger.load().errata[id].kind in "MH" for id in item.erratum)
    return f"*{item.title}*" if wrong else item.title


def build(root: pathlib.Path) -> notebooks.Notebook:
    """The map as a notebook that has not run yet."""
    book, links = ledger.load(), ledger.links(root)
    cells = [
        _cell("markdown", "title", INTRODUCTION.replace("\n\n", f"\n\n{neighbors('00')}\n\n", 1)),
        _cell("markdown", "notes", _notes(book)),
        _cell("markdown", "chapters", _chapters(book)),
        _cell("markdown", "exercises", EXERCISES),
        _cell("code", "find", FIND),
        *(cell for section in book.sections.values() for cell in _section(section, book, links)),
        _cell("markdown", "notation", _notation(book)),
        _cell("markdown", "glossary", _glossary(book)),
    ]
    return notebooks.normalize({"cells": cells}, "00")


def neighbors(number: str) -> str:
    """The line below a chapter's title: links to the chapter before, to the map and to the chapter after."""
    k = int(number)
    before = f"← {_chapter_link(CHAPTERS[k - 1])}" if k > 1 else ""
    after = f"{_chapter_link(CHAPTERS[k + 1])} →" if k + 1 < len(CHAPTERS) else ""
    return " · ".join(link for link in (before, f"[Map of the book]({FILE})" if k else "", after) if link)


def _chapter_link(chapter: Chapter) -> str:
    return f"[{chapter.number} {chapter.title}]({chapter.stem}.ipynb)"


def statement_cell(id: str) -> str:
    """The id of the cell of a statement: "ch00-a-5-3-1-2" for "A-5.3.1-2"."""
    return f"ch00-{id.lower().replace('.', '-')}"


def is_stale(root: pathlib.Path) -> bool:
    """Does the map in notebooks/ say something else than it would say today?"""
    path = root / "notebooks" / FILE
    return not path.is_file() or _cell_sources(notebooks.read(path)) != _cell_sources(build(root))


def _cell_sources(notebook: notebooks.Notebook) -> list[tuple[str, str]]:
    return [(cell["id"], notebooks.text(cell["source"])) for cell in notebook["cells"]]


def _cell(kind: str, name: str, source: str) -> dict[str, Any]:
    return {"cell_type": kind, "id": name, "metadata": {}, "source": source, "outputs": []}


def _table(heading: str, columns: str, rows: list[str]) -> str:
    rule = "|---" * (columns.count("|") - 1) + "|"
    return "\n".join([heading, "", columns, rule, *rows])


def _row(*fields: str) -> str:
    return "| " + " | ".join(fields) + " |"


def _cell_link(file: str, cell: str, text: str) -> str:
    """A link that JupyterLab follows to the cell; where the fragment means nothing it opens the notebook."""
    return f"[{text}]({'' if file == FILE else file}#cell-id={cell})"


def _chapters(book: Ledger) -> str:
    rows = []
    for chapter in CHAPTERS[1:]:
        count = sum(item.chapter == chapter.number for item in book.items.values())
        rows.append(_row(_chapter_link(chapter), chapter.zh, str(count or "")))
    return _table("## Chapters", "| chapter | 中文 | statements of the notes |", rows)


def _notes(book: Ledger) -> str:
    """The contents of the five notes, each section a link to its cell."""
    lines = []
    for section in book.sections.values():
        count = len(_items_of(section, book))
        text = f"{'**' + section.id + '** ' if _is_note(section) else ''}{_section_number(section)}{section.title}"
        link = _cell_link(FILE, section_cell(section), text)
        indent = "    " * (0 if _is_note(section) else 1 + section.label.count("."))
        lines.append(f"{indent}- {link} ({section.zh}){f': {count}' if count else ''}")
    more = [_cell_link(FILE, "ch00-notation", "notation"), _cell_link(FILE, "ch00-glossary", "glossary")]
    foot = f"At the end: the {more[0]} of the five notes side by side, and the {more[1]}."
    return "\n".join(["## The notes, section by section", "", *lines, "", foot])


def _is_note(section: Section) -> bool:
    return section.id in NOTES


def _section_number(section: Section) -> str:
    return f"{section.label.partition(' ')[2]} ".lstrip()


def section_cell(section: Section) -> str:
    """The id of the cell of its heading: A-3-1 is a statement, A-3.1 a section."""
    return statement_cell(f"section-{section.id}")


def _items_of(section: Section, book: Ledger) -> list[Item]:
    return [item for item in book.items.values() if item.section == section.id]


def _section(section: Section, book: Ledger, links: Links) -> Iterator[dict[str, Any]]:
    """A cell for its heading and one for each of its statements."""
    level = "##" if _is_note(section) else "###"
    label = f"Note {section.id}:" if _is_note(section) else section.label
    yield _cell("markdown", section_cell(section), f"{level} {label} {section.title} ({section.zh})")
    for item in _items_of(section, book):
        yield _cell("markdown", statement_cell(item.id), _statement(item, book, links))


def _statement(item: Item, book: Ledger, links: Links) -> str:
    """Its id and its names, its formula, and who answers it."""
    title = marked(item)
    names = (f"{title} ({item.zh})" if item.zh else title).replace("<", "\\<")
    shown = formula(f"\\displaystyle {item.formula}") if item.formula else ""
    answers = {
        "function": _places(links.functions.get(item.id, []), item),
        "no function": f"({item.no_function})" if item.no_function else "",
        "cell": _places(links.cells.get(item.id, []), item),
        "test": _places(links.tests.get(item.id, []), item),
        "erratum": ", ".join(_erratum(id, links) for id in item.erratum),
    }
    answered = " · ".join(f"{kind} {text}" for kind, text in answers.items() if text)
    return "\n\n".join(filter(None, (f"**{item.id}** {names}", shown, answered)))


def _places(places: list[Place], item: Item) -> str:
    """The first two, those of the statement's own chapter before others."""
    places = sorted(places, key=lambda place: chapter_of(item).slug not in place.file)
    shown = [_link(place, place.name) for place in places[:2]]
    more = [f"+{len(places) - 2}"] if len(places) > 2 else []
    return ", ".join(shown + more)


def _link(place: Place, text: str) -> str:
    if place.file.startswith("notebooks/"):
        return _cell_link(pathlib.PurePath(place.file).name, place.name, text)
    return f"[{text}](../{place.file})"


def _erratum(id: str, links: Links) -> str:
    """A link to where chapter 14 tells it, or else, notation and wording, the chapter it belongs to."""
    text, places = id.removeprefix("ERR-"), links.cells.get(id, [])
    best = sorted(places, key=lambda place: place.chapter != ERRATA)[:1]
    return _link(best[0], text) if best else text


def formula(latex: str) -> str:
    """Between dollars, without the signs that end a table's cell or begin an HTML tag."""
    for sign, command in (("\\|", "\\Vert "), ("|", "\\vert "), ("<", "\\lt "), (">", "\\gt ")):
        latex = latex.replace(sign, command)
    return f"${latex.strip()}$" if latex else ""


def _notation(book: Ledger) -> str:
    rows = [_row(*(row[column] for column in ("concept", *NOTES, "book"))) for row in book.notation]
    heading = "## Notation of the five notes side by side (记号)\n\nAn empty field: the note has no such thing."
    return _table(heading, "| | A | B | C | D | E | this book |", rows)


def _glossary(book: Ledger) -> str:
    rows = [_term(term) for term in sorted(book.terms, key=lambda term: term.en[0].lower())]
    heading = "## Glossary (术语)\n\nThe last column is a cell that explains the term."
    return _table(heading, "| English | 中文 | symbol | cell |", rows)


def _term(term: Term) -> str:
    chapter: Chapter = next(chapter for chapter in CHAPTERS if chapter.number == term.cell[2:4])
    link = _cell_link(f"{chapter.stem}.ipynb", term.cell, term.cell)
    return _row(", ".join(term.en), ", ".join(term.zh), formula(term.symbol), link)

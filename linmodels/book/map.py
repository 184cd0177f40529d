"""notebooks/00_map.ipynb: a cell for every statement of the notes says where the book computes, shows and proves it.

Generated from the ledger and the links, without line numbers, so that it changes only when a link does.
"""

from __future__ import annotations

import pathlib
from collections import defaultdict
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
| begin (从这里开始) | [chapter 01](01_linear_regression.ipynb): on the pages press Run, in JupyterLab run the cells |
| read a note from top to bottom (对照笔记) | the note below, section by section |
| learn a model (学一个模型) | a chapter below; 01, 04, 09, 10, 11 and 12 make a short course |
| practice (做习题) | any chapter; [how the exercises work](#cell-id=ch00-exercises) stands below |
| know a letter (查记号) | the [notation](#cell-id=ch00-notation), and [what a letter means](#cell-id=ch00-letters) |
| look something up (查找) | `linmodels find 学习率` in a terminal; on the pages, their search |
| see the errata of the notes (勘误) | [chapter 14](14_errata.ipynb) |
| see all pictures (看图) | [the gallery](../figures/README.md) |
| draw a picture again (重画图) | in a terminal, `linmodels figures --out there 02_regularization_corner` |
| use the exercises in your own class (讲课) | [for a teacher](../linmodels/exercises/README.md) |

**中文。** 第 01–13 章都有“用中文说”一节，用十条要点说出全章的内容。正文是简单的英文，术语旁附中文；
站点上每篇笔记的页面逐条有中文说明。

**How to read a chapter.** Open it beside its notes, and run it from the top. Answer each question before you open
what stands below it. Change numbers, and run the cell again: nothing that you do in a notebook overwrites the book's
figures. A heading with a star ★ can wait. At an exercise, stars say how hard it is.

**How to read this map.** Every statement of the notes has an id, made of the note, its section and a number:
`A-5.3.1-2` is the second statement of section 5.3.1 of note A. For each statement the map names the cell where
a chapter comes to it and, where there are any, the function that computes it, the tests and the errata (勘误). Where
that cell asks you for the formula, the answer stands a little below. The formulas are the corrected ones, and
some go on to what follows, as the solution of a minimum that the note only names. Where a title stands in *italics*,
what the note says of it is wrong or lacks a condition. A formula below an upright title may be misprinted in the note:
then an erratum says so. In JupyterLab, if you start it with `linmodels lab`, a link to a cell opens the chapter at that
cell. On a busy computer it may open at its top: then go back, and click the link again.

{WRITTEN}"""

EXERCISES = """\
## How the exercises work (习题怎么做)

**A question** stands before its answer: put your guess into `check.before(...)`, and run the cell.

**An exercise** has a number, as 1.4, and a cell with dots. Put your answer in the place of the dots, and run the cell,
after those above it. It says `[ok]`, or what went wrong, or that nothing is answered yet. Nothing is sent anywhere.
NAME is the name in that cell.

| you type | you get |
|---|---|
| `check.NAME.hint()`, `.hint(2)` | a hint, and the next one |
| `check.NAME.solution()` | the book's answer |
| `check.me("your name")` | numbers of your own, if an exercise has them, and letters in proofs; run `.given` again |
| `check.me("your name", keep=True)` | the same; JupyterLab keeps your verdicts for another day, a page those solved |
| `check` | exercises of chapters begun (at first all): `[ok]` solved once, `[--]` wrong in this session, `[  ]` open |

| kind | what you do |
|---|---|
| write (编写) | a function, or a whole loop |
| by hand (手算) | find numbers with a pencil |
| derive (推导) | go from the given line to the one that is asked for, one rule a line |
| prove (证明) | put the letters of the lines in order: each line below those that it uses; some lines do not belong |
| build (构造) | data, a vector or a matrix that shows something |
| mend (改错) | name the wrong line of a calculation, or give data that tell a wrong program from a right one |
| project (项目) | write a function; it is judged on samples that it has not seen |

**A derivation** is typed as Python, an expression a line, without an equals sign. The given line is line 1, so your
first line is line 2. One rule is, for example, the product rule, the derivative of ln, of exp, of σ, of a square, of
what is linear, or algebra. Here `d(exp(a*b), a)` is given:

```text
exp(a*b) * d(a*b, a)     # the derivative of exp
b*exp(a*b)               # the derivative of what is linear
```

| | |
|---|---|
| `+ - * / **` | entry by entry, for numbers, vectors `(d,)` and matrices `(N, d)`; `2*a`, never `2a` |
| `X.T @ (p - t)` | products of matrices and vectors, inner products; `.T` transposes |
| `sum(v)`, `outer(u, v)`, `diag(v)`, `trace(A)`, `inv(A)` | of vectors and matrices |
| `exp(a)`, `ln(a)`, `sqrt(a)`, `s(a)` | entry by entry; `s` is the sigmoid σ |
| `d(e, w)` | the derivative of e with respect to the letter w |

The signs σ, λ, η, Σ, ·, ², ^ and ᵀ may be written as in the notes. What follows `#` is not read.

An exercise without a star is a warm-up. One star asks for a thought of your own, two and three for more. The exercises
under "More to type", at the end of a chapter, only repeat what the chapter has shown."""

TEACHER = """\
## For a teacher (讲课)

The [page for a teacher](../linmodels/exercises/README.md) says how to write exercises of your own, how to hand out a
chapter without its answers, and how to see what each student has solved."""

LOOK_UP = """\
## Look something up (查找)

Put a term, a section or an id in the quotes, in English or in Chinese, and run the cell."""

FIND = """\
from linmodels.book import find

for place in find.search("A 5.3.1"):
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
        _cell("markdown", "teacher", TEACHER),
        _cell("markdown", "look-up", LOOK_UP),
        _cell("code", "find", FIND),
        *(cell for section in book.sections.values() for cell in _section(section, book, links)),
        _cell("markdown", "notation", _notation(book)),
        _cell("markdown", "letters", _letters(book)),
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
        told = _sections_of(chapter, book) if count else "all errata" if chapter.number == ERRATA else "a review"
        rows.append(_row(_chapter_link(chapter), chapter.zh, told, str(count or "")))
    return _table("## Chapters", "| chapter | 中文 | its part of the notes | statements |", rows)


def _sections_of(chapter: Chapter, book: Ledger) -> str:
    """The parts of the notes that it tells, "A 5, B": a smaller part, where another chapter tells the rest."""
    tellers = defaultdict[str, set[str]](set)
    for item in book.items.values():
        for part in (item.note, _first_level(book.sections[item.section])):
            tellers[part].add(item.chapter)
    told = defaultdict[str, list[str]](list)
    for section in dict.fromkeys(book.sections[i.section] for i in book.items.values() if i.chapter == chapter.number):
        note, whole = section.id[0], _first_level(section)
        if tellers[note] == {chapter.number}:
            told[note] = []
        elif " " in section.label:
            told[whole if tellers[whole] == {chapter.number} else section.label] = []
        else:
            told[note].append(section.title.partition(":")[0].lower())
    return ", ".join(f"{part} ({'; '.join(titles)})" if titles else part for part, titles in told.items())


def _first_level(section: Section) -> str:
    """ "A 5" of A 5.3.1."""
    return section.label.partition(".")[0]


def _notes(book: Ledger) -> str:
    """The contents of the five notes, each section a link to its cell."""
    lines = []
    for section in book.sections.values():
        count = len(_items_of(section, book))
        text = f"{'**' + section.id + '** ' if _is_note(section) else ''}{_section_number(section)}{section.title}"
        link = _cell_link(FILE, section_cell(section), text)
        indent = "    " * (0 if _is_note(section) else 1 + section.label.count("."))
        chapters = dict.fromkeys(item.chapter for item in _items_of(section, book))
        told = ", ".join(
            f"[{chapter.number}]({chapter.stem}.ipynb)" for chapter in CHAPTERS if chapter.number in chapters
        )
        counted = f": {count} statement{'s' * (count > 1)} → {told}" if count else ""
        lines.append(f"{indent}- {link} ({section.zh}){counted}")
    more = [_cell_link(FILE, f"ch00-{name}", name) for name in ("notation", "letters", "glossary")]
    foot = (
        f"At the end: the {more[0]} of the five notes side by side, the {more[1]} with several meanings, the {more[2]}."
    )
    head = "Behind a section stand the number of its statements, and the chapters that treat them."
    return "\n".join(["## The notes, section by section", "", head, "", *lines, "", foot])


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
    kind = ledger.CLASSES[ledger.load().errata[id].kind].partition(" (")[0]
    return f"{_link(best[0], text) if best else text} ({kind})"


def formula(latex: str) -> str:
    """Between dollars, without the signs that end a table's cell or begin an HTML tag."""
    for sign, command in (("\\|", "\\Vert "), ("|", "\\vert "), ("<", "\\lt "), (">", "\\gt ")):
        latex = latex.replace(sign, command)
    return f"${latex.strip()}$" if latex else ""


def _notation(book: Ledger) -> str:
    rows = [_row(*(row[column] for column in ("concept", *NOTES, "book"))) for row in book.notation]
    heading = "## Notation of the five notes side by side (记号)\n\nAn empty field: the note has no such thing."
    return _table(heading, "| | A | B | C | D | E | this book |", rows)


def _letters(book: Ledger) -> str:
    rows = [_row(*(row[column] for column in ("letter", *NOTES, "book"))) for row in book.letters]
    heading = (
        "## Letters with several meanings (一字多义)\n\nEach chapter fixes its own letters. Chapters 01 to 12 have a "
        "table that sets them beside those of their notes."
    )
    return _table(heading, "| | A | B | C | D | E | this book |", rows)


def _glossary(book: Ledger) -> str:
    rows = [_term(term) for term in sorted(book.terms, key=lambda term: term.en[0].lower())]
    heading = "## Glossary (术语)\n\nThe last column is a cell that explains the term."
    return _table(heading, "| English | 中文 | symbol | cell |", rows)


def _term(term: Term) -> str:
    chapter: Chapter = next(chapter for chapter in CHAPTERS if chapter.number == term.cell[2:4])
    link = _cell_link(f"{chapter.stem}.ipynb", term.cell, term.cell)
    return _row(", ".join(term.en), ", ".join(term.zh), formula(term.symbol), link)

"""The page of a note that walks it from top to bottom in Chinese and in English: the texts of walk.py, and links."""

from __future__ import annotations

import pathlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from linmodels.book import errata, ledger, notebooks, walk
from linmodels.book import map as book_map
from linmodels.book.ledger import Erratum, Item, Links, Place, Section
from linmodels.book.site import leads
from linmodels.book.walk import Landing, Told
from linmodels.book.words import HAN

INTRODUCTION = {
    "zh": "本页大致按笔记的顺序一条一条地讲：先用几句话说这一条讲什么、书里在哪里演示，再给出公式。"
    "笔记所印与书里不同的，两个式子并排放在一起，勘误就在下面。各处的数是生成本页时由书里的程序算出的。",
    "en": "This page goes through the note, roughly in its order. Of each statement it says what it claims and where "
    "the book shows it, and gives the formula. Where the note prints something else than the book, the two stand side "
    "by side, and the erratum below them. The book's functions compute the numbers when this page is made.",
}
FORMULA = re.compile(r"\$[^$]+\$[，。；：、）”.,;:?)]+")  # with what no line may begin with


@dataclass(frozen=True)
class Page:
    """What the page of a note is made of.

    ``figure`` gives a figure of the book, with a Chinese caption, and an English one if it is not to be its own;
    ``rows`` the cells of chapter 14 with a row, by erratum.
    """

    note: str
    texts: dict[str, Told]
    links: Links
    titles: leads.Titles
    exercises: dict[str, list[str]]
    landings: dict[str, Landing]
    rows: dict[str, str]
    figure: Callable[[str, str, str], str]


def write(note: str, links: Links, root: pathlib.Path, figure: Callable[[str, str, str], str]) -> str:
    """Its sections in their order; an erratum stands at the first statement that it is about."""
    landings = {id: each for path in notebooks.chapters(root) for id, each in walk.landings(path).items()}
    rows = errata.places(notebooks.read(root / "notebooks" / errata.FILE))
    page = Page(note, walk.of(note), links, leads.headings(root), leads.exercises_by_cell(root), landings, rows, figure)
    return "\n\n".join(part for section in sections(note) for part in _section(section, page))


def sections(note: str) -> list[Section]:
    """Those of a note, in its order."""
    return [section for section in ledger.load().sections.values() if section.id[0] == note]


def _section(section: Section, page: Page) -> Iterator[str]:
    label = f"({book_map.section_cell(section)})="
    if section.id == page.note:
        yield f"{label}\n# Note {section.id}: {section.title} ({section.zh})"
        yield from _opening(page)
    else:
        number = section.label.partition(" ")[2]
        yield f"{label}\n## {f'{number} {section.zh}'.strip()} ({section.title})"
    for item in ledger.load().items.values():
        if item.section == section.id:
            yield from _statement(item, page)


def _opening(page: Page) -> Iterator[str]:
    """What the page is, its errata by their class, and the letters of the note."""
    told, book = page.texts[page.note], ledger.load()
    yield both(INTRODUCTION["zh"] + told["zh"], f"{INTRODUCTION['en']} {told['en']}")
    found = defaultdict(list)
    for erratum in (book.errata[id] for id in sorted(set(page.texts) & set(book.errata))):
        found[erratum.kind].append(f"[{_number(erratum)}](#{_label(erratum, page)})")
    kinds = [(*_class(kind), found[kind]) for kind in ledger.CLASSES if kind in found]
    zh = "；".join(f"{name} {'、'.join(ids)}" for name, _, ids in kinds)
    en = "; ".join(f"{name} {', '.join(ids)}" for _, name, ids in kinds)
    yield both(f"**勘误** {zh}。", f"**Errata** {en}.")
    table = both(_letters(page.note, " zh", "", "本书"), _letters(page.note, "", f"note {page.note}", "this book"))
    yield f"<details><summary>记号对照 (letters of the note and of the book)</summary>\n\n{table}\n\n</details>"


def _letters(note: str, language: str, of_note: str, of_book: str) -> str:
    """What the note and this book call a thing; a field without words is the same in both languages."""
    columns = ("concept", note, "book")
    rows = [
        [row.get(f"{name}{language}", row[name]) for name in columns] for row in ledger.load().notation if row[note]
    ]
    head = ["", of_note or f"笔记 {note}", of_book]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * 3, *rows))


def _statement(item: Item, page: Page) -> Iterator[str]:
    """What it says, its formula beside the printed one, the errata, the numbers, a figure, and who answers it."""
    told = page.texts[item.id]
    head = f"### {told.title} ({leads.escaped(item.title)})"
    yield f"{leads.searched([item.id])}\n\n({book_map.statement_cell(item.id)})=\n{head}"
    yield both(told["zh"], told["en"])
    formula = told["right"] or item.formula
    if told.printed:
        about = [ledger.load().errata[id] for id in item.erratum if not page.texts[id].printed]
        about.sort(key=lambda erratum: walk.at(erratum).id != item.id)  # its own first, then those of another statement
        english = [page.texts[erratum.id] for erratum in about[:1]]
        yield side_by_side(told, formula, about[0].kind if about else "", english)
    elif formula:
        yield f"$$\n{formula}\n$$"
    for erratum in (ledger.load().errata[id] for id in item.erratum):
        if walk.home(erratum, page.note) == item.id:
            yield _erratum(erratum, page)
    if told["numbers zh"]:
        numbers = both(f"**算一算** {told['numbers zh']}", f"**In numbers** {told['numbers en']}")
        yield f'<div class="numbers">\n\n{numbers}\n\n{told["table"]}\n\n</div>'
    if told["figure"]:
        yield page.figure(told["figure"], told["figure zh"], told["figure en"])
    yield _answers(item, page)


def _erratum(erratum: Erratum, page: Page) -> str:
    """Both formulas, if the statement has not shown them; what is wrong, the witness, and where the book tells it."""
    told, number, label = page.texts[erratum.id], _number(erratum), _label(erratum, page)
    head = f"({label})=\n**{words('勘误', 'Erratum')} [{number}](#{label}) · {words(*_class(erratum.kind))}**"
    formulas = [side_by_side(told, told["right"], erratum.kind, [told])] if told.printed else []
    texts = [both(told["zh"], told["en"]), both(f"**例证** {told['numbers zh']}", f"**Witness** {told['numbers en']}")]
    places = [p for p in _explaining(erratum.id, page) if p.chapter != book_map.ERRATA or p.name == page.rows[number]]
    places.sort(key=lambda place: place.chapter != book_map.ERRATA)
    answers = _line(
        (("详见", "told in"), leads.cells(places, page.titles)),
        (("测试", "test"), _tests(page.links.tests.get(erratum.id, []))),
    )
    searched = [leads.searched([number])] if erratum.note == page.note else []  # else it is found in its own note
    body = "\n\n".join([*searched, head, *formulas, *texts, answers])
    return f'<div class="erratum">\n\n{body}\n\n</div>'


def _number(erratum: Erratum) -> str:
    return erratum.id.removeprefix("ERR-")


def _label(erratum: Erratum, page: Page) -> str:
    """The label that all pages know; of an erratum of another note, which has its own page, one for here."""
    number = _number(erratum).lower()
    return f"erratum-{number}" if erratum.note == page.note else f"erratum-{number}-in-{page.note.lower()}"


def _class(kind: str) -> tuple[str, str]:
    """In Chinese and in English."""
    en, _, zh = ledger.CLASSES[kind].rstrip(")").partition(" (")
    return zh, en


def _answers(item: Item, page: Page) -> str:
    """The explanation first; then the function, the exercises of that section, the tests, what else is near, the id."""
    landing = page.landings[item.id]
    told = page.titles[landing.cell]
    others = [place for place in _explaining(item.id, page) if page.titles[place.name] != told]
    explained = [f"[{item.chapter} {told}](#{landing.label})", leads.cells(others, page.titles)]
    elsewhere = [id for id in item.erratum if walk.home(ledger.load().errata[id], page.note) != item.id]
    functions = ", ".join(map(leads.function, page.links.functions.get(item.id, [])))
    reason = f'<span class="en" lang="en">· **no function** {item.no_function}</span>' if item.no_function else ""
    return _line(
        (("讲解", "explained in"), ", ".join(filter(None, explained))),
        (("函数", "function"), functions),
        (("习题", "exercise"), ", ".join(page.exercises.get(landing.cell, []))),
        (("测试", "test"), _tests(page.links.tests.get(item.id, []))),
        (("勘误", "erratum"), ", ".join(id.removeprefix("ERR-") for id in elsewhere)),
        (("另见", "related"), ", ".join(item.same_as)),
        (("编号", "id"), f"{item.id} {reason}".rstrip()),
    )


def _explaining(id: str, page: Page) -> list[Place]:
    """The cells that name it, but for the exercises: these ask, and have a line of their own."""
    return [place for place in page.links.cells.get(id, []) if "-ex-" not in place.name]


def _line(*answers: tuple[tuple[str, str], str]) -> str:
    told = " · ".join(f"**{words(*name)}** {text}" for name, text in answers if text)
    return f'<div class="leads">\n\n{told}\n\n</div>'


def _tests(places: list[Place]) -> str:
    """Their names are sentences."""
    return ", ".join(f"[{_sentence(place.name)}](#{leads.test_label(place)})" for place in places)


def _sentence(name: str) -> str:
    return re.sub(r"^(\w+::)?test_", "", name).replace("_", " ")


def side_by_side(note: Told, right: str, kind: str = "", english: Sequence[Told] = ()) -> str:
    """What the note says, in its letters, and what is right, or what to add where the note is not wrong.

    What stands there in Chinese is told in English by the erratum, if there is one.
    """
    en = {field: told[f"{field} en"] for told in english for field in ("printed", "right")}
    sides = (("printed", words(*note.source), note.printed), ("right", words(*walk.beside(kind)), right))
    told = [f'<div class="{name}">\n\n{head}\n\n{_set(text, en.get(name, ""))}\n\n</div>' for name, head, text in sides]
    return "\n".join(['<div class="versus">', *told, "</div>"])


def _set(text: str, en: str) -> str:
    """As a formula; Chinese is no TeX, and stays words."""
    if re.search(HAN, text):
        return both(text, en) if en else text
    return f"$$\n{text}\n$$"


def both(zh: str, en: str) -> str:
    """The same in two languages; a script of the page hides the one that a reader does not want."""
    zh, en = (FORMULA.sub(r'<span class="whole">\g<0></span>', text) for text in (zh, en))
    return f'<div class="zh" lang="zh">\n\n{zh}\n\n</div>\n<div class="en" lang="en">\n\n{en}\n\n</div>'


def words(zh: str, en: str) -> str:
    """The same within a line."""
    return f'<span class="zh" lang="zh">{zh}</span> <span class="en" lang="en">{en}</span>'

"""What `linmodels find` prints: the best place in full, the next ones in a line, or near names."""

from __future__ import annotations

import difflib
import pathlib
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator

from linmodels.book import find, index, ledger, notebooks, walk, words
from linmodels.book.index import Entry
from linmodels.book.ledger import Erratum, Item, Links, Place, chapter_of
from linmodels.book.plain import plain, plain_formulas

LIMITS = {"statement": 5, "function": 3, "cell": 3, "exercise": 2, "figure": 2}  # how many of each a report shows
MAX_STATEMENTS = 25  # statements of a section
HEADINGS = {
    "statement": ("statements of the notes", "笔记中的条目"),
    "function": ("functions", "函数"),
    "cell": ("cells of the chapters", "各章的单元"),
    "exercise": ("exercises", "习题"),
    "figure": ("figures", "图"),
}
LINK = re.compile(r"\[([^\]]*)\]\(#[^)]*\)")
LABELS = {
    "formula": "公式",
    "function": "函数",
    "cell": "讲解",
    "test": "测试",
    "erratum": "勘误",
    "related": "另见",
}


def report(text: str, root: pathlib.Path) -> str | None:
    """What `linmodels find` prints, or None when nothing matches: the best place in full, the next ones in a line.

    Who asks in Chinese reads the notes' statements in Chinese.
    """
    found = find.answer(text, root)
    if not found.entries:
        return None
    best, *others = found.entries
    zh = re.search(words.HAN, text) is not None
    links = ledger.links(root, [best.name, *_errata(best)])
    parts = ["\n".join([*found.remarks, *_full_entry(best, links, find.as_name(text), zh)])]
    kinds = dict.fromkeys(entry.kind for entry in others)
    for kind in sorted(kinds, key=lambda kind: kind != "statement") if zh else kinds:
        entries = [entry for entry in others if entry.kind == kind]
        most = LIMITS[kind] if found.ranked else MAX_STATEMENTS
        rest = len(entries) - most
        narrower = f"另有 {rest} 处；可换更具体的词" if zh else f"and {rest} more; ask for them in other words"
        lines = [_entry_line(entry, links, zh) for entry in entries[:most]]
        if zh and kind == "statement" != best.kind:  # the first one in whole sentences
            lines[1:1] = list(_sentences(ledger.load().items[entries[0].name]))[1:]
        parts.append("\n".join([HEADINGS[kind][zh], *lines, *([f"  ... {narrower}"] if rest > 0 else [])]))
    return "\n\n".join(parts)


def _errata(entry: Entry) -> list[str]:
    return ledger.load().items[entry.name].erratum if entry.kind == "statement" else []


def _sentences(item: Item) -> Iterator[str]:
    """What the page of the note says of it in Chinese."""
    told = walk.of(item.note)[item.id]
    yield f"{item.id}  {plain_formulas(told.title)}"
    yield from _wrapped(plain_formulas(LINK.sub(r"\1", told["zh"])), " " * 4)


def _wrapped(text: str, head: str) -> Iterator[str]:
    """Lines of at most 100 columns, of which a Chinese sign takes two."""
    line, width, indent = head, _columns(head), " " * len(head)
    for sign in re.findall(r"[A-Za-z\d_.`^{}()\[\]/+=*-]+|.", text):
        if width + _columns(sign) > 100 and sign not in "，。；：、）":
            yield line.rstrip()
            line, width = indent, _columns(indent)
        line, width = line + sign, width + _columns(sign)
    yield line.rstrip()


def _columns(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)


def _entry_line(entry: Entry, links: Links, zh: bool) -> str:
    if entry.kind == "statement":
        places = [*links.cells.get(entry.name, [])[:1], *links.functions.get(entry.name, [])[:1]]
        line = plain_formulas(walk.written(entry.name[0])[entry.name].title) if zh else entry.line
        return f"  {entry.name:12} {line}: {', '.join(place.name for place in places)}"
    if entry.kind == "exercise":
        return textwrap.shorten(f"  {entry.line}", 116, initial_indent="  ", placeholder=" ...")
    place = entry.name if entry.kind == "figure" else f"{entry.name}  {entry.where}"
    return f"  {place}  {textwrap.shorten(entry.line, max(30, 112 - len(place)), placeholder=' ...')}"


def _full_entry(entry: Entry, links: Links, asked: str, zh: bool) -> Iterator[str]:
    if entry.kind == "statement":
        yield from _full_statement(ledger.load().items[entry.name], links, asked, zh)
    elif entry.kind == "exercise":
        yield f"{entry.line.partition(' ')[0]} {entry.name}  exercise of chapter {entry.where}"
        yield textwrap.indent(textwrap.fill(entry.line.partition(" ")[2], 100), "  ")
    else:
        yield f"{entry.name}  {entry.where}"
        yield textwrap.indent(textwrap.fill(entry.line, 100), "  ")
        if entry.kind == "cell":
            yield from _excerpt(_prose(entry).strip())
        citing = (links.functions if entry.kind == "function" else links.cells).items()
        told = [id for id, places in citing if any(place.name == entry.name for place in places)]
        if told:
            yield textwrap.fill(f"  about {', '.join(told)}", 100, subsequent_indent="    ")


def _excerpt(prose: str) -> Iterator[str]:
    """The first 300 letters of a cell, or its table, a row in a line."""
    if prose.startswith("|"):
        head, _, *rows = prose.partition("\n\n")[0].splitlines()
        for row in (head, *rows):
            yield "  " + textwrap.shorten(plain_formulas(row.strip("| ").replace(" |", ";")), 110, placeholder=" ...")
    else:
        prose = prose.partition("\n\n<small>")[0]  # the ids are told below
        told = textwrap.shorten(plain_formulas(prose).replace("**", ""), 300, placeholder=" ...")
        yield textwrap.indent(textwrap.fill(told, 100), "  ")


def _prose(cell: Entry) -> str:
    heading = notebooks.HEADING.search(cell.text)
    return cell.text[heading.end() :] if heading else cell.text


def _full_statement(item: Item, links: Links, asked: str, zh: bool) -> Iterator[str]:
    """All that is known of it; of its errata the one that was asked for, if one was."""
    chapter = chapter_of(item)

    def label(name: str) -> str:
        return f"  {LABELS[name]}      " if zh else f"  {name:10}"

    if zh:
        yield from _sentences(item)
    else:
        yield f"{item.id}  {item.title}{f' ({item.zh})' if item.zh else ''}"
        yield f"  {item.kind} of note {item.note}, chapter {chapter.number} {chapter.title} ({chapter.zh})"
    if item.formula:
        yield textwrap.fill(f"{label('formula')}{plain(item.formula)}", 100, subsequent_indent=" " * 12)
    yield from (f"{label('function')}{_place_text(place)}" for place in links.functions.get(item.id, []))
    if item.no_function and not zh:
        yield textwrap.fill(f"{label('function')}none: {item.no_function}", 100, subsequent_indent=" " * 12)
    yield from (f"{label('cell')}{place.name} in {place.file}" for place in links.cells.get(item.id, []))
    yield from _tests(label("test"), links.tests.get(item.id, []))
    for id in [id for id in item.erratum if id[4:].lower() == asked] or item.erratum:
        yield from _erratum(ledger.load().errata[id], label, zh)
        if places := links.cells.get(id):
            yield f"            {'讲解' if zh else 'cells'}: {', '.join(place.name for place in places)}"
        yield from _tests(f"            {'测试' if zh else 'test'}: ", links.tests.get(id, []))
    if item.same_as:
        yield f"{label('related')}{', '.join(item.same_as)}"


def _erratum(erratum: Erratum, label: Callable[[str], str], zh: bool) -> Iterator[str]:
    """What the note prints and what is right; to who asks in Chinese also what is wrong."""
    number, sides = erratum.id.removeprefix("ERR-"), walk.sides if zh else walk.sides_in_english
    printed, right = (
        plain_formulas(text) if "$" in text or re.search(words.HAN, text) else plain(text) for text in sides(erratum)
    )
    beside = walk.beside(erratum.kind)
    if zh:
        yield from _wrapped(f"{number}，{walk.at(erratum).source[0]} {printed}", label("erratum"))
        yield from _wrapped(f"{beside[0]} {right}", " " * 12)
        yield from _wrapped(plain_formulas(LINK.sub(r"\1", walk.of(erratum.note)[erratum.id]["zh"])), " " * 12)
    else:
        yield textwrap.fill(f"{label('erratum')}{number}, printed: {printed}", 100, subsequent_indent=" " * 14)
        yield textwrap.fill(f"            {beside[1]}: {right}", 100, subsequent_indent=" " * 14)


def _tests(head: str, places: list[Place]) -> Iterator[str]:
    """The first in a line, and how many more there are."""
    if places:
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        yield f"{head}{places[0].file}::{places[0].name}{more}"


def _place_text(place: Place) -> str:
    return f"{place.name}  {place.file}:{place.line}"


def suggestions(text: str, root: pathlib.Path | None = None) -> list[str]:
    """What is spelled like the text: ids, errata and cells if it looks like one of them, else terms and titles."""
    book, name = ledger.load(), find.as_name(text)
    if find.NAME.fullmatch(name):
        cells = [entry.name for entry in index.entries(root or ledger.home()) if entry.kind == "cell"]
        known = {name.lower(): name for name in (*book.items, *cells)}
        known |= {id[4:].lower(): id[4:] for id in book.errata}
        return _close_matches(name, known, 0.6)
    names = {name for term in book.terms for name in term.names} | {item.title for item in book.items.values()}
    return _close_matches(words.fold(text), {words.fold(name): name for name in sorted(names | {*book.items})}, 0.6)


def _close_matches(text: str, known: dict[str, str], cutoff: float) -> list[str]:
    return list(dict.fromkeys(known[near] for near in difflib.get_close_matches(text, known, n=5, cutoff=cutoff)))

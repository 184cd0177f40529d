"""What `linmodels find` prints: the best place in full, the next ones in a line, or near names."""

from __future__ import annotations

import difflib
import pathlib
import textwrap
from collections.abc import Iterator

from linmodels.book import find, index, ledger, notebooks, words
from linmodels.book.index import Entry
from linmodels.book.ledger import Item, Links, Place, chapter_of
from linmodels.book.plain import plain, plain_formulas

LIMITS = {"statement": 5, "function": 3, "cell": 3, "exercise": 2, "figure": 2}  # how many of each a report shows
MAX_STATEMENTS = 25  # statements of a section
HEADINGS = {
    "statement": "statements of the notes",
    "function": "functions",
    "cell": "cells of the chapters",
    "exercise": "exercises",
    "figure": "figures",
}


def report(text: str, root: pathlib.Path) -> str | None:
    """What `linmodels find` prints, or None when nothing matches: the best place in full, the next ones in a line."""
    found = find.answer(text, root)
    if not found.entries:
        return None
    best, *others = found.entries
    links = ledger.links(root, [best.name, *_errata(best)])
    parts = ["\n".join([*found.remarks, *_full_entry(best, links, find.as_name(text))])]
    for kind in dict.fromkeys(entry.kind for entry in others):
        entries = [entry for entry in others if entry.kind == kind]
        most = LIMITS[kind] if found.ranked else MAX_STATEMENTS
        more = [f"  ... and {len(entries) - most} more; another word narrows it down"] if len(entries) > most else []
        parts.append("\n".join([HEADINGS[kind], *(_entry_line(entry, links) for entry in entries[:most]), *more]))
    return "\n\n".join(parts)


def _errata(entry: Entry) -> list[str]:
    return ledger.load().items[entry.name].erratum if entry.kind == "statement" else []


def _entry_line(entry: Entry, links: Links) -> str:
    if entry.kind == "statement":
        places = [*links.cells.get(entry.name, [])[:1], *links.functions.get(entry.name, [])[:1]]
        return f"  {entry.name:12} {entry.line}: {', '.join(place.name for place in places)}"
    if entry.kind == "exercise":
        return textwrap.shorten(f"  {entry.line}", 116, initial_indent="  ", placeholder=" ...")
    place = entry.name if entry.kind == "figure" else f"{entry.name}  {entry.where}"
    return f"  {place}  {textwrap.shorten(entry.line, max(30, 112 - len(place)), placeholder=' ...')}"


def _full_entry(entry: Entry, links: Links, asked: str) -> Iterator[str]:
    if entry.kind == "statement":
        yield from _full_statement(ledger.load().items[entry.name], links, asked)
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
        told = textwrap.shorten(plain_formulas(prose).replace("**", ""), 300, placeholder=" ...")
        yield textwrap.indent(textwrap.fill(told, 100), "  ")


def _prose(cell: Entry) -> str:
    heading = notebooks.HEADING.search(cell.text)
    return cell.text[heading.end() :] if heading else cell.text


def _full_statement(item: Item, links: Links, asked: str) -> Iterator[str]:
    """All that is known of it; of its errata the one that was asked for, if one was."""
    chapter = chapter_of(item)
    yield f"{item.id}  {item.title}{f' ({item.zh})' if item.zh else ''}"
    yield f"  {item.kind} of note {item.note}, chapter {chapter.number} {chapter.title} ({chapter.zh})"
    if item.formula:
        yield textwrap.fill(f"  formula   {plain(item.formula)}", 100, subsequent_indent=" " * 12)
    yield from (f"  function  {_place_text(place)}" for place in links.functions.get(item.id, []))
    if item.no_function:
        yield textwrap.fill(f"  function  none: {item.no_function}", 100, subsequent_indent=" " * 12)
    yield from (f"  cell      {place.name} in {place.file}" for place in links.cells.get(item.id, []))
    yield from _tests("  test      ", links.tests.get(item.id, []))
    for id in [id for id in item.erratum if id[4:].lower() == asked] or item.erratum:
        erratum = ledger.load().errata[id]
        yield textwrap.fill(f"  erratum   {id[4:]}, printed: {erratum.printed}", 100, subsequent_indent=" " * 14)
        yield textwrap.fill(f"            right: {erratum.right}", 100, subsequent_indent=" " * 14)
        if places := links.cells.get(id):
            yield f"            cells: {', '.join(place.name for place in places)}"
        yield from _tests("            test: ", links.tests.get(id, []))
    if item.same_as:
        yield f"  related   {', '.join(item.same_as)}"


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

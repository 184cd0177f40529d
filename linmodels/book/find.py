"""`linmodels find`: from an id, a section, a term or a piece of a formula to the place in the book."""

from __future__ import annotations

import difflib
import pathlib
import re
from collections.abc import Iterator
from functools import cache

from linmodels.book import ledger
from linmodels.book.ledger import Item, Links, Place, chapter_of

IN_FULL, AT_MOST = 5, 25
# one spelling for what the notes write in several ways; spaces and case are folded before
SPELLINGS = (
    ("內", "内"),
    ("感知器", "感知机"),
    ("对数几率回归", "逻辑回归"),
    ("logistic回归", "逻辑回归"),
    ("判决函数", "判别函数"),
    ("分割超平面", "分离超平面"),
    ("特征地图", "特征映射"),
    ("内核", "核"),
    ("naïve", "naive"),
    ("isation", "ization"),
    ("ised", "ized"),
)


def search(text: str) -> list[Item]:
    """The items that match, best first: an id, a section, a word of the title, of the formula, then the rest."""
    names = _names(text)
    ranks = {item: _rank(item, text, names) for item in ledger.load().items.values()}
    return sorted((item for item, rank in ranks.items() if rank < 99), key=ranks.__getitem__)


def _rank(item: Item, text: str, names: list[str]) -> int:
    """How well an item matches, 0 is best, 99 not at all; the names of one thing stand in for each other."""
    place = re.sub(r"^([a-e])\s+(?=\d)", r"\1-", text.strip().lower())  # chapters write A 5.3.1, ids A-5.3.1-2
    return min([_rank_of_place(item, place), *(_rank_of_words(item, name) for name in names)])


def _rank_of_place(item: Item, text: str) -> int:
    if text in {item.id.lower(), *(e.lower() for e in item.erratum), *(e[4:].lower() for e in item.erratum)}:
        return 0
    section = item.section.lower()
    if text in (section, section[2:]):
        return 1
    return 2 if section.startswith(f"{text}.") or section[2:].startswith(f"{text}.") else 99


def _rank_of_words(item: Item, text: str) -> int:
    names, fields = _folded(item)
    whole, words = fold(text), [fold(word) for word in text.split()]
    if whole in names:
        return 3
    matching = (whole in field or all(word in field for word in words) for field in fields)
    return next((rank for rank, matches in enumerate(matching, start=4) if matches), 99)


@cache
def _folded(item: Item) -> tuple[list[str], list[str]]:
    """Its names, and the texts to look through: title, formula, errata, chapter, and all of them together."""
    errata, chapter = [ledger.load().errata[id] for id in item.erratum], chapter_of(item)
    corrections = " ".join(f"{e.printed} {e.right}" for e in errata)
    fields = [f"{item.title} {item.zh}", item.formula, corrections, f"{chapter.title} {chapter.zh}"]
    return [fold(name) for name in (item.title, *item.zh.split(","))], [
        fold(text) for text in (*fields, " ".join(fields))
    ]


@cache
def fold(text: str) -> str:
    """Case, spaces, hyphens and the notes' several spellings removed."""
    text = re.sub(r"[\s\-]", "", text.casefold())
    for variant, one in SPELLINGS:
        text = text.replace(variant, one)
    return text


def _names(text: str) -> list[str]:
    """The text itself and, when it is a term, its names in the other language."""
    wanted = fold(text)
    groups = (group for group in ledger.load().terms if wanted in map(fold, group))
    return [text, *(name for group in groups for name in group)] if wanted else []


def report(text: str, root: pathlib.Path) -> str | None:
    """What `linmodels find` prints, or None when nothing matches."""
    links, written = ledger.links(root), ledger.finished(root)
    items = search(text) or _cited_at(text.strip(), links)
    if not items:
        return None
    parts = ["\n".join(_entry(item, links, written)) for item in items[:IN_FULL]]
    if len(items) > IN_FULL:
        parts.append("\n".join(["also:", *(f"  {item.id:12} {item.title}" for item in items[IN_FULL:AT_MOST])]))
    if len(items) > AT_MOST:
        parts.append(f"... and {len(items) - AT_MOST} more: add a word")
    return "\n\n".join(parts)


def _cited_at(name: str, links: Links) -> list[Item]:
    """What the cell ("ch09-nearer") or function ("perceptron.update") of this name cites."""
    items = ledger.load().items
    places = [*links.functions.items(), *links.cells.items()]
    return [items[id] for id, cited in places if id in items and any(place.name == name for place in cited)]


def _entry(item: Item, links: Links, written: set[str]) -> Iterator[str]:
    chapter = chapter_of(item)
    state = "" if item.chapter in written else ", not written yet"
    yield f"{item.id}  {item.title}{f' ({item.zh})' if item.zh else ''}"
    yield f"  {item.kind} of note {item.note}, chapter {chapter.number} {chapter.title} ({chapter.zh}){state}"
    if item.formula:
        yield f"  formula   {item.formula}"
    yield from (f"  function  {_at(place)}" for place in links.functions.get(item.id, []))
    yield from (f"  cell      {place.name} in {place.file}" for place in links.cells.get(item.id, []))
    yield from (f"  test      {place.file}::{place.name}" for place in links.tests.get(item.id, []))
    yield from _errata(item, links)
    if item.same_as:
        yield f"  related   {', '.join(item.same_as)}"


def _at(place: Place) -> str:
    return f"{place.name}  {place.file}:{place.line}"


def _errata(item: Item, links: Links) -> Iterator[str]:
    for id in item.erratum:
        erratum = ledger.load().errata[id]
        yield f"  erratum   {id}: printed: {erratum.printed}"
        yield f"            right: {erratum.right}"
        yield from (f"            test: {place.file}::{place.name}" for place in links.tests.get(id, []))


def suggestions(text: str) -> list[str]:
    """Terms of the ledger spelled like the text."""
    book = ledger.load()
    names = (
        {name for group in book.terms for name in group} | {item.title for item in book.items.values()} | {*book.items}
    )
    folded = {fold(name): name for name in sorted(names)}
    return [folded[near] for near in difflib.get_close_matches(fold(text), folded, n=5, cutoff=0.5)]

"""`linmodels find`: from an id, a section, a name or a question to the place in the notes and in the book.

An id, a section or a number is answered by what is called so. Else the question is cut into terms of the glossary,
whose names in both languages stand in for each other, and words other than stop words. A place scores for each of them
how rare it is: 4 times if it is its name, 3 if in its title, 2 its summary, 1 its text; times the share that it has,
times 1.5 if it is a cell and the question has two words or more. For a single term its definition leads among equals.
Words that stand somewhere one after the other (four or more, as in a message) are looked for as they are.
"""

from __future__ import annotations

import difflib
import math
import pathlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from operator import mul

from linmodels.book import index, ledger
from linmodels.book.index import Entry
from linmodels.book.ledger import Item
from linmodels.book.words import HAN, STOP, STOP_ZH, SYNONYMS, ends_in_han, fold, form
from linmodels.pictures import find_root

NUMBER = re.compile(r"\b(?:\d+|[A-Za-z])\b")  # and letters, the names of arguments
NAME = re.compile(r"[a-e]-([\w.]+-)?[\d.]+|(err-)?[a-e]\d+|ch\d\d-[\w-]+")  # of statement or section, erratum, cell
CELL_BONUS = 1.5  # how much more a cell counts for a question; not those of chapters 13 and 14, which review
KINDS = ("cell", "statement", "function", "exercise", "figure")  # in this order where they score the same


@dataclass(frozen=True)
class QueryTerm:
    """A word or a term that is asked for: as typed, and the forms in which a place may name it."""

    typed: str
    forms: tuple[str, ...]

    def weight(self, entry: Entry) -> int:
        """4 where it is a name of the entry, 3 where its title has it, 2 its summary, 1 its text, 0 nowhere."""
        if not entry.names.isdisjoint(self.forms):
            return 4
        for weight, field in zip((3, 2, 1), entry.fields, strict=True):
            for words in self.forms:  # plain loops: every word of a question comes here for every place
                if words in field:
                    return weight
        return 0


@dataclass(frozen=True)
class Answer:
    """The places, best first; words left out, or read otherwise; whether they were ranked or are called so."""

    entries: list[Entry]
    remarks: list[str]
    ranked: bool


def search(text: str, root: pathlib.Path | None = None) -> list[Entry]:
    """The places that answer ``text``, best first."""
    return answer(text, root).entries


def answer(text: str, root: pathlib.Path | None = None) -> Answer:
    """As `search`, with remarks."""
    entries = index.entries(root or find_root())
    called = _entries_called(text, entries)
    if called or NAME.fullmatch(as_name(text)):  # what looks like a name and is none is not a question either
        return Answer(called, [], False)
    text, misspelled = _corrected(text, entries)
    things, remarks = _quoted_run(text, entries) or _known_terms(_query_terms(text), entries)
    remarks = [*misspelled, *remarks]
    weights = {entry: [thing.weight(entry) for thing in things] for entry in entries}
    rarity = [math.log(len(entries) / sum(map(bool, column))) for column in zip(*weights.values(), strict=True)]
    scores = {e: sum(map(mul, rarity, row)) * sum(map(bool, row)) for e, row in weights.items()}
    if len(things) > 1:
        scores = {e: score * (CELL_BONUS if e.kind == "cell" and not e.rank else 1) for e, score in scores.items()}
    found = sorted((e for e in entries if scores[e]), key=lambda e: (-scores[e], *_tie_order(e, len(things) == 1)))
    if found and (lost := [thing.typed for thing in things if not thing.weight(found[0])]):
        remarks = [*remarks, f"no place has it all; the best without {', '.join(lost)}:"]
    return Answer([e for e in found if scores[e] > scores[found[0]] / 3], remarks, True)


def _tie_order(entry: Entry, is_term: bool) -> tuple[bool, int, int]:
    """Of places that score the same: what defines a term, then cells, statements and so on."""
    defines = is_term and entry.kind == "statement" and not entry.rank
    return not defines, KINDS.index(entry.kind), entry.rank


# How a question is read.


def _query_terms(text: str) -> list[QueryTerm]:
    """The terms of the glossary in the text, longest first, then what is left: pieces such as C=inf, and words."""
    rest, things = fold(text), list[QueryTerm]()
    for name, forms in _glossary():
        stem = form(name)
        ending = "" if stem.endswith(" ") or ends_in_han(stem) else r"\w*"
        if (cut := re.sub(re.escape(stem.rstrip()) + ending + "(?= )", " |", rest)) != rest:
            rest, things = cut, [*things, QueryTerm(name.strip(), forms)]
    for piece in map(fold, text.split()):
        if piece.count(" ") > 2 and piece in rest and not re.search(HAN, piece):
            rest, things = rest.replace(piece, " | "), [*things, _word_term(piece.strip())]
    han = (STOP_ZH.sub(" ", run.replace(" ", "")) for run in re.findall(rf"(?: ?{HAN} )+", rest))
    words = [word for word in re.sub(f"{HAN}|[|]", " ", rest).split() if word not in STOP]
    words = [word for word in words if len(word) > 1 and not word.isdigit()] or ([] if things else words)
    return things + [_word_term(word) for word in [*words, *" ".join(han).split()] if not re.fullmatch(HAN, word)]


def _word_term(typed: str) -> QueryTerm:
    return QueryTerm(typed, (form(typed),))


@cache
def _glossary() -> list[tuple[str, tuple[str, ...]]]:
    """Every folded name of a term, and every word that has others alike, the longest first, with all forms of it."""
    terms = [(name, [*term.names, *SYNONYMS.get(name, ())]) for term in ledger.load().terms for name in term.names]
    alike = [(word, [word, *others]) for word, others in SYNONYMS.items()]
    forms = [(fold(name), tuple(dict.fromkeys(map(form, names)))) for name, names in terms + alike]
    return sorted(forms, key=lambda pair: -len(pair[0]))


def _known_terms(things: list[QueryTerm], entries: list[Entry]) -> tuple[list[QueryTerm], list[str]]:
    """The things some place has; what none has is taken apart, or left out, with a remark."""
    known, remarks, waiting = [], [], list(things)
    while waiting:
        thing = waiting.pop(0)
        if any(thing.weight(entry) for entry in entries):
            known.append(thing)
        elif len(parts := _word_pieces(thing.typed)) > 1:
            waiting += map(_word_term, parts)
        else:
            remarks.append(f"nothing on {thing.typed!r}; without it:")
    return list({thing.forms: thing for thing in known}.values()), remarks


def _corrected(text: str, entries: list[Entry]) -> tuple[str, list[str]]:
    """The text with each word that no place has replaced by one spelled alike, if there is one, and remarks on that."""
    remarks = []
    for word in re.findall(r"[a-z]{4,}", text.lower()):
        if word not in STOP and not any(_word_term(word).weight(entry) for entry in entries):
            for near in difflib.get_close_matches(word, _vocabulary(tuple(entries)), n=1, cutoff=0.8):
                text = re.sub(word, near, text, flags=re.I)
                remarks.append(f"nothing on {word!r}, read as {near!r}:")
    return text, remarks


def _quoted_run(text: str, entries: list[Entry]) -> tuple[list[QueryTerm], list[str]] | None:
    """The longest run of words that stands somewhere as it is, or but for numbers, which a message has put in."""
    runs = [*_runs(fold(text).split()), *_runs(fold(NUMBER.sub(" ", text)).split())]
    for run in sorted(runs, key=len, reverse=True):
        thing = QueryTerm(" ".join(run), (form(" ".join(run)),))
        if any(thing.weight(entry) for entry in entries):
            return [thing], []
    return None


def _runs(words: list[str]) -> Iterator[list[str]]:
    """Four words or more, three of them neither letters nor stop words."""
    for length in range(4, len(words) + 1):
        for run in (words[i : i + length] for i in range(len(words) - length + 1)):
            if sum(len(word) > 1 and word not in STOP and not re.match(HAN, word) for word in run) > 2:
                yield run


def _word_pieces(typed: str) -> list[str]:
    """What to look for where the whole is nowhere: words, or pairs of Chinese signs."""
    return [*map("".join, pairwise(typed))] if re.match(HAN, typed) and len(typed) > 2 else typed.split()


@cache
def _vocabulary(entries: tuple[Entry, ...]) -> list[str]:
    return sorted({word for entry in entries for field in entry.fields[:2] for word in field.split() if len(word) > 3})


def as_name(text: str) -> str:
    """The text in small letters, as names are written: A-5.3.1 for the A 5.3.1 of the chapters."""
    name = re.sub(r"^([a-e])\s+(?=\d)", r"\1-", text.strip().lower())
    return re.sub(r"^(erratum|err)\s+", "", name)


def _entries_called(text: str, entries: list[Entry]) -> list[Entry]:
    """The places with this id, section, erratum, number or name; names that are words are left to the ranking."""
    place, items = as_name(text), ledger.load().items
    ranks = {e: _rank(items[e.name], place) if e.kind == "statement" else _rank_of_name(e, place) for e in entries}
    found = (entry for entry in entries if ranks[entry] < 99)
    return sorted(found, key=lambda entry: (ranks[entry], entry.name != text.strip()))  # fit before Fit


def _rank(item: Item, place: str) -> int:
    """How well the id, an erratum or the section of a statement fits, 0 is best, 99 not at all."""
    if place == item.id.lower() or any(place in (e.lower(), e[4:].lower()) for e in item.erratum):
        return 0
    section = item.section.lower()
    if place == section or (place == section[2:] and place[0].isdigit()):
        return 1
    return 2 if section.startswith(f"{place}.") or section[2:].startswith(f"{place}.") else 99


def _rank_of_name(entry: Entry, place: str) -> int:
    numbered = entry.kind == "exercise" and place in entry.called
    return 3 if numbered or (place == entry.name.lower() and re.search(r"\w[.-]\w|^\d\d_", place)) else 99

"""`linmodels find`: from an id, a section, a name or a question to the place in the notes and in the book.

An id, a section, a number or a name is answered by what is called so, a cell that explains nothing itself by the
nearest one above it that does. Any other text is a question for SQLite's
full-text search, which stems the words and scores the places (bm25), a term at a time. A place counts for more
when it has more of the terms, when it is the cell that explains one of them, and when it is not starred. A
section whose subject is the question itself comes first. Before, the names of a term of the glossary, in both
languages, become one token, in the places as in the question; so 岭回归 finds what says ridge. Chinese is indexed
sign by sign and asked for as a phrase: most terms have two signs, and an index of three would miss them.
"""

from __future__ import annotations

import difflib
import pathlib
import re
import sqlite3
import weakref
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from linmodels.book import index, ledger, notebooks
from linmodels.book.index import Entry
from linmodels.book.ledger import Item
from linmodels.book.words import ALSO, HAN, STOP, STOP_ZH, fold, form, without_stop_words

NAME = re.compile(
    r"[a-e]-[\d.]+|[a-z]-[\w.]+-[\d.]+|(err-)?[a-e]\d+|ch\d\d-[\w-]+"
)  # of statement or section, erratum, cell
IDENTIFIER = re.compile(r"[A-Za-z]\w*([._]\w+)+")
NUMBER = re.compile(r"\b(?:\d+|[A-Za-z])\b")  # and letters, the names of arguments
LETTERS = re.compile(r"(?<![\w-])[CK](?![\w-])")  # what a reader asks for by a letter, beside other words
COLUMNS = {"names": 8, "title": 4, "subjects": 5, "asked": 2, "summary": 3}  # how much a word weighs that stands there
BODY = 0.15  # in the text, which is scored for itself: a long text says no less of what its place is about
KINDS = {"section": 1.3, "chapter": 1.1, "cell": 1, "statement": 0.6, "function": 0.5, "figure": 0.3, "exercise": 0.2}
EXPLAINS = 1.3  # the cell where the glossary says that a term is explained
STARRED = 0.7
REVIEWS = 0.35  # chapters 13 and 14, and the tables at the end of a chapter, come after what they review
SHORT = 3  # letters: in such a word another letter makes another word
REMARKS = {  # in English, and to who asks in Chinese
    "read as": ("nothing on {!r}, read as {!r}:", "没有 {!r}，按 {!r} 查找："),
    "without": ("nothing on {!r}; without it:", "没有 {!r}，不计这个词："),
    "not all": ("no place has all of these words; the best without {}:", "没有一处含有全部的词；不计 {}，最接近的是："),
}


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
    places = _places(root or ledger.home())
    called = _entries_called(text, places.entries)
    if not called and (above := _explained_above(as_name(text), places.entries, root or ledger.home())):
        return Answer([above], [f"the cell {text.strip()} stands below this one:"], False)
    if called or NAME.fullmatch(as_name(text)):  # what looks like an id and is none is not a question either
        return Answer(called, [], False)
    if IDENTIFIER.fullmatch(text.strip()):
        names = {entry.name.lower(): entry.name for entry in places.entries if entry.kind in ("function", "exercise")}
        near = difflib.get_close_matches(text.strip().lower(), names, n=1, cutoff=0.85)
        if near:
            name = names[near[0]]
            return Answer(
                _entries_called(name, places.entries), [f"no name is {text.strip()!r}, read as {name!r}:"], False
            )
    zh = re.search(HAN, text) is not None
    terms, remarks = _known_terms(_terms(text), places, zh)
    found = places.ranked(terms)
    if found and not any(all(entry in places.scores(term) for term in terms) for entry in found):
        lost = [term for term in terms if found[0] not in places.scores(term)]
        remarks = [*remarks, REMARKS["not all"][zh].format(", ".join(map(_shown, lost)))]
    run = _quoted_run(text, places)
    named, quoted = _forms(text, terms), places.scores(run) if run else {}
    found.sort(key=lambda entry: entry.kind not in ("statement", "cell") or not named & entry.names)  # stable
    found = [*sorted(quoted, key=quoted.__getitem__, reverse=True), *(e for e in found if e not in quoted)]
    asked = text.strip().lower()
    found.sort(key=lambda entry: asked not in map(str.lower, index.subjects().get(entry.name, ())))
    exact = [e for e in found if e.kind == "function" and e.name.partition(".")[2] == text.strip()]  # no module
    exact.sort(key=lambda entry: "solvers" in entry.where)
    found = list(dict.fromkeys([*found[:1], *exact, *found]))
    return Answer([e for k, e in enumerate(found) if k < 40 or named & e.names], remarks, True)


# The index.


class _Places:
    """The entries in two full-text tables of SQLite, in memory: what they are called and are about, and their texts."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries
        self.table = sqlite3.connect(":memory:")
        weakref.finalize(self, self.table.close)
        fields = [tuple(map(_with_terms, entry.fields)) for entry in entries]
        self._create("place", list(COLUMNS), [field[:-1] for field in fields])
        self._create("prose", ["body"], [field[-1:] for field in fields])

    def _create(self, name: str, columns: list[str], rows: list[tuple[str, ...]]) -> None:
        self.table.execute(f"CREATE VIRTUAL TABLE {name} USING fts5({', '.join(columns)}, tokenize='porter unicode61')")
        values = ", ".join("?" * (len(columns) + 1))
        numbered = ((k, *row) for k, row in enumerate(rows))
        self.table.executemany(f"INSERT INTO {name}(rowid, {', '.join(columns)}) VALUES ({values})", numbered)

    def scores(self, term: str) -> dict[Entry, float]:
        """The entries that have the term, and how much of it."""
        found = defaultdict[Entry, float](float)
        for table, weights, factor in (("place", [*COLUMNS.values()], 1), ("prose", [1], BODY)):
            score = f"-bm25({table}, {', '.join(map(str, weights))})"
            for k, worth in self.table.execute(f"SELECT rowid, {score} FROM {table} WHERE {table} MATCH ?", (term,)):
                found[self.entries[k]] += factor * worth
        return found

    def ranked(self, terms: list[str]) -> list[Entry]:
        """The entries that have one of the terms, best first."""
        each = list(map(self.scores, terms))
        explain = {ledger.load().terms[int(k)].cell for term in terms for k in re.findall(r"term(\d+)", term)}

        def worth(entry: Entry) -> float:
            found = [scores[entry] for scores in each if entry in scores]
            share = len(found) / len(each)
            return sum(found) * share**1.5 * _worth(entry) * (EXPLAINS if entry.name in explain else 1)

        found = [entry for entry in self.entries if any(entry in scores for scores in each)]
        return sorted(found, key=worth, reverse=True)

    def has(self, term: str) -> bool:
        asked = (f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1" for table in ("place", "prose"))
        return any(self.table.execute(query, (term,)).fetchone() for query in asked)


@cache
def _places(root: pathlib.Path) -> _Places:
    return _Places(index.entries(root))


def _kind(cell: Entry) -> str:
    return "chapter" if cell.name.endswith("-title") else "section" if cell.heads else "cell"


def _worth(entry: Entry) -> float:
    if entry.kind != "cell":
        return KINDS[entry.kind]
    return KINDS[_kind(entry)] * (REVIEWS if entry.reviews else 1) * (STARRED if entry.line.startswith("★") else 1)


def _with_terms(field: str) -> str:
    """The folded field, and a token for each term of the glossary that it names."""
    return " ".join([field, *(token for pattern, token in _glossary() if pattern.search(field))])


@cache
def _glossary() -> list[tuple[re.Pattern[str], str]]:
    """What to look for in a folded text, the longest name first, and the token of its term."""
    named = [(_pattern(name), f"term{k}") for k, term in enumerate(ledger.load().terms) for name in term.names]
    return sorted(named, key=lambda pair: -len(pair[0].pattern))


def _pattern(name: str) -> re.Pattern[str]:
    """The folded name, in one or in several."""
    return re.compile(f"{re.escape(fold(name).rstrip())}(?:e?s)? ")


@cache
def _known_names() -> list[tuple[re.Pattern[str], str]]:
    """What to look for in a folded question, the longest first: terms of the glossary, and what readers say for what
    the book says; and the term of the query."""
    aliases = [(_pattern(said), f"({' OR '.join(map(_alternative, (said, *also)))})") for said, also in ALSO.items()]
    return sorted([*aliases, *_glossary()], key=lambda pair: -len(pair[0].pattern))


def _alternative(words: str) -> str:
    """A term of the glossary, or else a phrase."""
    folded = fold(words)
    return next((token for pattern, token in _glossary() if pattern.fullmatch(folded)), _phrase(words))


# How a question is read.


def _terms(text: str) -> list[str]:
    """The question as terms of the query: tokens of the glossary, and what is left, as words and phrases."""
    rest, terms = fold(text), list[str]()
    for pattern, term in _known_names():
        while found := pattern.search(rest):
            rest, terms = f"{rest[: found.start()]} | {rest[found.end() :]}", [*terms, term]
    han = (STOP_ZH.sub(" ", run.replace(" ", "")) for run in re.findall(rf"(?: ?{HAN} )+", rest))
    words = [word for word in re.sub(f"{HAN}|[|]", " ", rest).split() if word not in STOP]
    words = [word for word in words if len(word) > 1 and not word.isdigit()] or ([] if terms else words)
    signs = [run for run in " ".join(han).split() if len(run) > 1 or not (terms or words)]
    letters = LETTERS.findall(text) if terms or words else []
    return list(dict.fromkeys([*terms, *map(_phrase, words), *map(_phrase, signs), *map(_phrase, letters)]))


def _forms(text: str, terms: list[str]) -> set[str]:
    """The question as places are named; all the names of a term of the glossary, where it asks for nothing else."""
    asked = STOP_ZH.sub("", text)
    alone = ledger.load().terms[int(terms[0][4:])].names if re.fullmatch(r"term\d+", " ".join(terms)) else []
    return {form(text), form(asked), form(without_stop_words(asked)), *map(form, alone)}


def _phrase(words: str) -> str:
    return '"' + fold(words).strip() + '"'


def _shown(term: str) -> str:
    """A term of the query as a reader would type it."""
    if number := re.fullmatch(r"term(\d+)", term):
        return repr(ledger.load().terms[int(number[1])].en[0])
    term = term.strip("()").partition(" OR ")[0]
    return repr(re.sub(rf"(?<={HAN}) (?={HAN})", "", term.strip('"')))


def _known_terms(terms: list[str], places: _Places, zh: bool) -> tuple[list[str], list[str]]:
    """The terms that some place has; a misspelled one read as its neighbor, another taken apart or left out."""
    known, remarks = list[str](), list[str]()
    for term in terms:
        typed = _shown(term)[1:-1]
        spelled = typed.isascii() and len(typed) > SHORT
        near = difflib.get_close_matches(typed, _vocabulary(places), n=1, cutoff=0.8) if spelled else []
        parts = [_phrase(pair) for pair in map("".join, pairwise(typed))] if re.match(HAN, typed) else []
        if places.has(term):
            known.append(term)
        elif near:
            known += _terms(near[0])
            remarks.append(REMARKS["read as"][zh].format(typed, near[0]))
        elif len(parts) > 1 and any(map(places.has, parts)):
            known += filter(places.has, parts)
        else:
            remarks.append(REMARKS["without"][zh].format(typed))
    return list(dict.fromkeys(known)), remarks


@cache
def _vocabulary(places: _Places) -> list[str]:
    """The words of names, titles, subjects and questions, to correct a spelling by."""
    texts = (field for entry in places.entries for field in entry.fields[:4])
    return sorted({word for text in texts for word in text.split() if len(word) > SHORT and word.isascii()})


def _quoted_run(text: str, places: _Places) -> str | None:
    """The longest run of words that stands somewhere as it is, or but for numbers, which a message has put in."""
    runs = [*_runs(fold(text).split()), *_runs(fold(NUMBER.sub(" ", text)).split())]
    phrases = (_phrase(" ".join(run)) for run in sorted(runs, key=len, reverse=True))
    return next(filter(places.has, phrases), None)


def _runs(words: list[str]) -> Iterator[list[str]]:
    """Five words or more, three of them neither letters nor stop words."""
    for length in range(5, len(words) + 1):
        for run in (words[i : i + length] for i in range(len(words) - length + 1)):
            if sum(len(word) > 1 and word not in STOP and not re.match(HAN, word) for word in run) > 2:
                yield run


def as_name(text: str) -> str:
    """The text in small letters, as names are written: A-5.3.1 for the A 5.3.1 of the chapters."""
    name = re.sub(r"^([a-e])\s+(?=\d)", r"\1-", text.strip().lower())
    return re.sub(r"^(erratum\s+|err[-\s]\s*)", "", name)


def _entries_called(text: str, entries: list[Entry]) -> list[Entry]:
    """The places with this id, section, erratum, number or name; names that are words are left to the ranking."""
    place, items = as_name(text), ledger.load().items
    ranks = {e: _rank(items[e.name], place) if e.kind == "statement" else _rank_of_name(e, place) for e in entries}
    found = (entry for entry in entries if ranks[entry] < 99)
    return sorted(found, key=lambda entry: (ranks[entry], entry.name != text.strip()))  # fit before Fit


def _explained_above(place: str, entries: list[Entry], root: pathlib.Path) -> Entry | None:
    """The place nearest above a cell with this id, or above a `check.before` that is called so."""
    listed, ids = {entry.name: entry for entry in entries if entry.kind == "cell"}, (place, f"{place}-before")
    for path in notebooks.chapters(root) if place.startswith("ch") else ():
        cells = [cell.get("id", "") for cell in notebooks.read(path)["cells"]]
        for k in (k for k, id in enumerate(cells) if id in ids):
            return next((listed[id] for id in reversed(cells[:k]) if id in listed), None)
    return None


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
    names = [name.lower() for name in (entry.name, *(entry.called if entry.kind == "function" else ()))]
    return 3 if numbered or (place in names and re.search(r"\w[._-]\w|^\d\d_", place)) else 99

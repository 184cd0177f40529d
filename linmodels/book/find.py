"""`linmodels find`: from an id, a section, a name or a question to the place in the notes and in the book.

An id, a section or a number is answered by what is called so. Else the question is cut into terms of the glossary,
whose names in both languages stand in for each other, and words other than stop words. A place scores for each of them
how rare it is: 4 times if it is its name, 3 if in its title, 2 its summary, 1 its text; times the share that it has.
Words that stand somewhere one after the other (four or more, as in a message) are looked for as they are.
"""

from __future__ import annotations

import ast
import difflib
import math
import pathlib
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby, pairwise
from operator import mul
from typing import Any

from linmodels.book import find_root, ledger, notebooks
from linmodels.book.ledger import Item, Links, Place, chapter_of

# one spelling for what the notes and we write in several ways; case is folded before
SPELLINGS = (
    *(("內", "内"), ("感知器", "感知机"), ("对数几率回归", "逻辑回归"), ("logistic回归", "逻辑回归")),
    *(("判决函数", "判别函数"), ("分割超平面", "分离超平面"), ("特征地图", "特征映射"), ("内核", "核"), ("ï", "i")),
    *(("isation", "ization"), ("ised", "ized"), ("ising", "izing"), ("'", ""), ("’", "")),
    *((chr(code), f" {name} ") for code, name in zip(range(0x3B1, 0x3C9), (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau "
        "upsilon phi chi psi"
    ).split(), strict=True)),
)  # fmt: skip
STOP = set(
    "a about all am an and any are as at be by can compute could define definition did difference do does ever explain "
    "find for formula from get give given have how i if in into is it its me meaning means my need never of on or our "
    "should show so tell than that the their them then there these they this to use used using versus vs was we were "
    "what whats when where which who whose why will with work works would you your between".split()
)
# words of questions for which the book has others
ALIKE = {
    "收敛": ("converge", "convergence"),
    "发散": ("diverge", "grows"),
    "diverge": ("grows",),
    "选择": ("choose", "choice"),
    "choose": ("choice",),
    "choice": ("choose",),
    "独立": ("independence", "independent"),
    "stop": ("converge",),
    "stops": ("converge",),
    "end": ("converge",),
}
STOP_ZH = re.compile(
    "什么是|是什么|为什么|什么|为何|怎么样|怎么|怎样|如何|请问|多少|哪些|哪个|哪里|区别|不同|意思|含义|定义|公式|解释|"
    "应该|可以|需要|一个|之间|[的了吗呢是和与在有我要用能会不]"
)
HAN = "[\u3400-\u9fff]"
LIMITS = {"statement": 5, "function": 3, "cell": 3, "exercise": 2, "figure": 2}  # how many of each a report shows
TERM_FIRST = ("statement", "cell", "function", "exercise", "figure")  # of places that score the same
QUESTION_FIRST = ("cell", "statement", "function", "exercise", "figure")
AT_MOST = 25  # statements of a section
HEADS = {
    "statement": "statements of the notes",
    "function": "functions",
    "cell": "cells of the chapters",
    "exercise": "exercises",
    "figure": "figures",
}
REVIEW = "13"  # from this chapter on the words in bold were explained before
NO_ANSWER = re.compile(r"ch\d\d-(ex-.*|exercises|live|next)")  # cells that explain nothing, or are listed as exercises


@dataclass(frozen=True, eq=False)
class Entry:
    """A place of the notes or of the book: its name, other names, what is shown of it, and its text."""

    kind: str
    name: str
    called: tuple[str, ...]
    line: str
    text: str
    where: str = ""
    summary: str = ""
    rank: int = 0

    @cached_property
    def fields(self) -> tuple[str, str, str]:
        """What is looked through: title, summary, text."""
        title = self.called if self.kind == "statement" else (self.name, *self.called)
        return fold(" ; ".join(title)), fold(self.summary or self.line), fold(self.text)

    @cached_property
    def names(self) -> set[str]:
        return {form(name) for name in (self.name, *self.called)}


@dataclass(frozen=True)
class Thing:
    """A word or a term that is asked for: as typed, and the forms in which a place may name it."""

    typed: str
    forms: tuple[str, ...]

    def weight(self, entry: Entry) -> int:
        """4 where it is a name of the entry, 3 where its title has it, 2 its summary, 1 its text, 0 nowhere."""
        if not entry.names.isdisjoint(self.forms):
            return 4
        found = (weight for weight, field in zip((3, 2, 1), entry.fields, strict=True) if self.is_in(field))
        return next(found, 0)

    def is_in(self, text: str) -> bool:
        return any(form in text for form in self.forms)


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
    entries = index(root or find_root())
    if called := _called(text, entries):
        return Answer(called, [], False)
    text, misspelled = _spelled(text, entries)
    things, remarks = _quoted(text, entries) or _known(_things(text), entries)
    remarks = [*misspelled, *remarks]
    weights = {entry: [thing.weight(entry) for thing in things] for entry in entries}
    rarity = [math.log(len(entries) / sum(map(bool, column))) for column in zip(*weights.values(), strict=True)]
    scores = {e: sum(map(mul, rarity, row)) * sum(map(bool, row)) for e, row in weights.items()}
    order = TERM_FIRST if len(things) == 1 else QUESTION_FIRST
    found = sorted((e for e in entries if scores[e]), key=lambda e: (-scores[e], order.index(e.kind), e.rank))
    if found and (lost := [thing.typed for thing in things if not thing.weight(found[0])]):
        remarks = [*remarks, f"no place has it all; the best without {', '.join(lost)}:"]
    return Answer([e for e in found if scores[e] > scores[found[0]] / 3], remarks, True)


# What is searched.


@cache
def index(root: pathlib.Path) -> list[Entry]:
    """All places: statements, functions, cells, exercises and figures."""
    chapters = [(path, notebooks.read(path)) for path in notebooks.chapters(root) if path.name[:2] != "00"]
    return [
        *map(_statement, ledger.load().items.values()),
        *(entry for path in _modules(root) for entry in _functions(path, root)),
        *(entry for path, chapter in chapters for entry in _cells(path, chapter)),
        *_exercises(),
        *(entry for path, chapter in chapters for entry in _figures(chapter)),
    ]


def _modules(root: pathlib.Path) -> list[pathlib.Path]:
    """Those of the chapters first, in the order of the book."""
    order = [chapter.slug for chapter in ledger.CHAPTERS]
    paths = sorted((root / "linmodels").glob("[!_]*.py"))
    return sorted(paths, key=lambda path: order.index(path.stem) if path.stem in order else len(order))


def _statement(item: Item) -> Entry:
    errata, chapter = [ledger.load().errata[id] for id in item.erratum], chapter_of(item)
    told = " ".join(f"{e.printed} {e.right}" for e in errata)
    line = f"{item.title} ({item.zh})" if item.zh else item.title
    called = (item.title, *re.split("[,/]", item.zh)) if item.zh else (item.title,)
    text = f"{item.formula} {told} {chapter.title} {chapter.zh}"
    return Entry("statement", item.id, called, line, text, rank=item.kind not in ("definition", "algorithm", "theorem"))


def _functions(path: pathlib.Path, root: pathlib.Path) -> Iterator[Entry]:
    """The public ones, with all strings in their bodies, such as messages; and the module, with all other strings."""
    tree, file = ledger.parsed(path.read_text(encoding="utf-8")), path.relative_to(root).as_posix()
    public = [node for node in tree.body if isinstance(node, ledger.Definition) and not node.name.startswith("_")]
    for node in public:
        name, strings = f"{path.stem}.{node.name}", _strings([node])
        yield _documented(name, (node.name,), node, strings, f"{file}:{node.lineno}")
    yield _documented(path.stem, (), tree, _strings(node for node in tree.body if node not in public), file)


def _documented(name: str, called: tuple[str, ...], node: Any, strings: str, where: str) -> Entry:
    doc = ast.get_docstring(node) or ""
    return Entry("function", name, called, doc.partition("\n")[0], strings, where, summary=doc)


def _strings(nodes: Iterable[ast.AST]) -> str:
    constants = (node for top in nodes for node in ast.walk(top) if isinstance(node, ast.Constant))
    return " ".join(node.value for node in constants if isinstance(node.value, str))


def _cells(path: pathlib.Path, chapter: notebooks.Notebook) -> Iterator[Entry]:
    """The cells with text; one that explains a term of the glossary first is called so."""
    for section, cell in notebooks.sections(chapter):
        source, name = notebooks.text(cell["source"]), cell.get("id", "?")
        if cell["cell_type"] == "markdown" and not NO_ANSWER.fullmatch(name):
            terms = [each for term in ledger.load().terms if term.cell == name for each in term.names]
            bold = re.findall(r"\*\*(.+?)\*\*", source) if path.name[:2] < REVIEW else []
            called = (*notebooks.HEADING.findall(source), *bold, *terms)
            yield Entry("cell", name, called, section, source, f"notebooks/{path.name}")


def _exercises() -> Iterator[Entry]:
    from linmodels.exercises import listing  # imports NumPy

    for number, tasks in groupby(listing(), key=lambda task: task.chapter):
        for k, task in enumerate(tasks, start=1):
            called = (f"{int(number)}.{k}",)
            yield Entry("exercise", task.name, called, f"{called[0]} {task.ask}", " ".join(task.hints), number)


def _figures(chapter: notebooks.Notebook) -> Iterator[Entry]:
    for name, alt in notebooks.figures(chapter):
        yield Entry("figure", name, (), alt, "", f"figures/{name}.png")


# How a question is read.


@cache
def fold(text: str) -> str:
    """Words in small letters, each Chinese sign one of them, between single spaces; the several spellings made one."""
    text = re.sub(rf"(?<={HAN})\s+|\s+(?={HAN})", "", re.sub("[ΣΠ]", " ", text).casefold())
    for variant, one in SPELLINGS:
        text = text.replace(variant, one)
    text = re.sub(r"_(?=\d)|\\(?:mathbf|boldsymbol|lVert|rVert)", "", re.sub(HAN, r" \g<0> ", text))
    words = re.sub(r"[\W_]+", " ", text).strip()
    return f" {words} "


def form(text: str) -> str:
    """The folded text without the ending of its last word: " support vector", " converg"; a short word stays whole."""
    folded = fold(text)
    if re.search(f"{HAN} $", folded):
        return folded.rstrip()
    return re.sub(r"(?<=\w{4})(?:ing|ed|es|(?<!s)s|e|) $", "", folded)


def _things(text: str) -> list[Thing]:
    """The terms of the glossary in the text, longest first, then what is left: pieces such as C=inf, and words."""
    rest, things = fold(text), list[Thing]()
    for name, forms in _glossary():
        stem = form(name)
        ending = "" if stem.endswith(" ") or re.search(f"{HAN}$", stem) else r"\w*"
        if (cut := re.sub(re.escape(stem.rstrip()) + ending + "(?= )", " |", rest)) != rest:
            rest, things = cut, [*things, Thing(name.strip(), forms)]
    for piece in map(fold, text.split()):
        if piece.count(" ") > 2 and piece in rest and not re.search(HAN, piece):
            rest, things = rest.replace(piece, " | "), [*things, _word(piece.strip())]
    han = (STOP_ZH.sub(" ", run.replace(" ", "")) for run in re.findall(rf"(?: ?{HAN} )+", rest))
    words = [word for word in re.sub(f"{HAN}|[|]", " ", rest).split() if word not in STOP]
    words = [word for word in words if len(word) > 1 and not word.isdigit()] or ([] if things else words)
    return things + [_word(word) for word in [*words, *" ".join(han).split()] if not re.fullmatch(HAN, word)]


def _word(typed: str) -> Thing:
    return Thing(typed, tuple(map(form, (typed, *ALIKE.get(typed, ())))))


@cache
def _glossary() -> list[tuple[str, tuple[str, ...]]]:
    """Every folded name of a term, the longest first, with the forms of all names of the term."""
    terms = [(term.names, tuple(dict.fromkeys(map(form, term.names)))) for term in ledger.load().terms]
    return sorted(((fold(name), forms) for names, forms in terms for name in names), key=lambda pair: -len(pair[0]))


def _known(things: list[Thing], entries: list[Entry]) -> tuple[list[Thing], list[str]]:
    """The things some place has; what none has is taken apart, or left out, with a remark."""
    known, remarks, waiting = [], [], list(things)
    while waiting:
        thing = waiting.pop(0)
        if any(thing.weight(entry) for entry in entries):
            known.append(thing)
        elif len(parts := _parts(thing.typed)) > 1:
            waiting += map(_word, parts)
        else:
            remarks.append(f"nothing on {thing.typed!r}; without it:")
    return list({thing.forms: thing for thing in known}.values()), remarks


def _spelled(text: str, entries: list[Entry]) -> tuple[str, list[str]]:
    """The text with each word that no place has replaced by one spelled alike, if there is one, and remarks on that."""
    remarks = []
    for word in re.findall(r"[a-z]{4,}", text.lower()):
        if word not in STOP and not any(_word(word).weight(entry) for entry in entries):
            for near in difflib.get_close_matches(word, _vocabulary(tuple(entries)), n=1, cutoff=0.8):
                text = re.sub(word, near, text, flags=re.I)
                remarks.append(f"nothing on {word!r}, read as {near!r}:")
    return text, remarks


def _quoted(text: str, entries: list[Entry]) -> tuple[list[Thing], list[str]] | None:
    """The longest run of words that stands somewhere as it is: four or more, three of them no stop words."""
    words = fold(text).split()
    for length in range(len(words), 3, -1):
        for run in (words[i : i + length] for i in range(len(words) - length + 1)):
            thing = Thing(" ".join(run), (form(" ".join(run)),))
            long_enough = sum(word not in STOP and not re.match(HAN, word) for word in run) > 2
            if long_enough and any(thing.weight(entry) for entry in entries):
                return [thing], []
    return None


def _parts(typed: str) -> list[str]:
    """What to look for where the whole is nowhere: words, or pairs of Chinese signs."""
    return [*map("".join, pairwise(typed))] if re.match(HAN, typed) and len(typed) > 2 else typed.split()


@cache
def _vocabulary(entries: tuple[Entry, ...]) -> list[str]:
    return sorted({word for entry in entries for field in entry.fields[:2] for word in field.split() if len(word) > 3})


def _called(text: str, entries: list[Entry]) -> list[Entry]:
    """The places with this id, section, erratum, number or name; names that are words are left to the ranking."""
    place = re.sub(r"^([a-e])\s+(?=\d)", r"\1-", text.strip().lower())  # chapters write A 5.3.1, ids A-5.3.1-2
    items = ledger.load().items
    ranks = {e: _rank(items[e.name], place) if e.kind == "statement" else _rank_of_name(e, place) for e in entries}
    found = (entry for entry in entries if ranks[entry] < 99)
    return sorted(found, key=lambda entry: (ranks[entry], entry.name != text.strip()))  # fit before Fit


def _rank(item: Item, place: str) -> int:
    """How well the id, an erratum or the section of a statement fits, 0 is best, 99 not at all."""
    if place in {item.id.lower(), *(e.lower() for e in item.erratum), *(e[4:].lower() for e in item.erratum)}:
        return 0
    section = item.section.lower()
    if place == section or (place == section[2:] and place[0].isdigit()):
        return 1
    return 2 if section.startswith(f"{place}.") or section[2:].startswith(f"{place}.") else 99


def _rank_of_name(entry: Entry, place: str) -> int:
    numbered = entry.kind == "exercise" and place in entry.called
    return 3 if numbered or (place == entry.name.lower() and re.search(r"\w[.-]\w|^\d\d_", place)) else 99


# What is printed.


def report(text: str, root: pathlib.Path) -> str | None:
    """What `linmodels find` prints, or None when nothing matches: the best place in full, the next ones in a line."""
    found = answer(text, root)
    if not found.entries:
        return None
    best, *others = found.entries
    links = ledger.links(root, [best.name, *_errata(best)])
    parts = ["\n".join([*found.remarks, *_in_full(best, links)])]
    for kind in dict.fromkeys(entry.kind for entry in others):
        entries = [entry for entry in others if entry.kind == kind]
        most = LIMITS[kind] if found.ranked else AT_MOST
        more = [f"  ... and {len(entries) - most} more"] if len(entries) > most else []
        parts.append("\n".join([HEADS[kind], *(_in_a_line(entry, links) for entry in entries[:most]), *more]))
    return "\n\n".join(parts)


def _errata(entry: Entry) -> list[str]:
    return ledger.load().items[entry.name].erratum if entry.kind == "statement" else []


def _in_a_line(entry: Entry, links: Links) -> str:
    if entry.kind == "statement":
        places = [*links.cells.get(entry.name, [])[:1], *links.functions.get(entry.name, [])[:1]]
        return f"  {entry.name:12} {entry.line}: {', '.join(place.name for place in places)}"
    if entry.kind == "exercise":
        return textwrap.shorten(f"  {entry.line}", 116, initial_indent="  ", placeholder=" ...")
    place = entry.name if entry.kind == "figure" else f"{entry.name}  {entry.where}"
    return f"  {place}  {textwrap.shorten(entry.line, max(30, 112 - len(place)), placeholder=' ...')}"


def _in_full(entry: Entry, links: Links) -> Iterator[str]:
    if entry.kind == "statement":
        yield from _statement_in_full(ledger.load().items[entry.name], links)
    elif entry.kind == "exercise":
        yield f"{entry.line.partition(' ')[0]} {entry.name}  exercise of chapter {entry.where}"
        yield textwrap.indent(textwrap.fill(entry.line.partition(" ")[2], 100), "  ")
    else:
        yield f"{entry.name}  {entry.where}"
        yield textwrap.indent(textwrap.fill(entry.line, 100), "  ")
        if entry.kind == "cell":
            yield textwrap.indent(textwrap.fill(textwrap.shorten(_prose(entry), 300, placeholder=" ..."), 100), "  ")
        citing = (links.functions if entry.kind == "function" else links.cells).items()
        told = [id for id, places in citing if any(place.name == entry.name for place in places)]
        if told:
            yield textwrap.fill(f"  about {', '.join(told)}", 100, subsequent_indent="    ")


def _prose(cell: Entry) -> str:
    heading = notebooks.HEADING.search(cell.text)
    return cell.text[heading.end() :] if heading else cell.text


def _statement_in_full(item: Item, links: Links) -> Iterator[str]:
    chapter = chapter_of(item)
    yield f"{item.id}  {item.title}{f' ({item.zh})' if item.zh else ''}"
    yield f"  {item.kind} of note {item.note}, chapter {chapter.number} {chapter.title} ({chapter.zh})"
    if item.formula:
        yield f"  formula   {item.formula}"
    yield from (f"  function  {_at(place)}" for place in links.functions.get(item.id, []))
    yield from (f"  cell      {place.name} in {place.file}" for place in links.cells.get(item.id, []))
    yield from (f"  test      {place.file}::{place.name}" for place in links.tests.get(item.id, []))
    for id in item.erratum:
        erratum = ledger.load().errata[id]
        yield f"  erratum   {id}: printed: {erratum.printed}"
        yield f"            right: {erratum.right}"
        if places := links.cells.get(id):
            yield f"            cells: {', '.join(place.name for place in places)}"
        yield from (f"            test: {place.file}::{place.name}" for place in links.tests.get(id, []))
    if item.same_as:
        yield f"  related   {', '.join(item.same_as)}"


def _at(place: Place) -> str:
    return f"{place.name}  {place.file}:{place.line}"


def suggestions(text: str) -> list[str]:
    """Terms and titles of the ledger spelled like the text."""
    book = ledger.load()
    names = {name for term in book.terms for name in term.names} | {item.title for item in book.items.values()}
    folded = {fold(name): name for name in sorted(names | {*book.items})}
    return [folded[near] for near in difflib.get_close_matches(fold(text), folded, n=5, cutoff=0.5)]

"""What `linmodels find` searches: every place of the notes and of the book, with its names, its title and its text."""

from __future__ import annotations

import ast
import itertools
import pathlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from linmodels.book import ledger, notebooks, walk
from linmodels.book.ledger import Item, chapter_of
from linmodels.book.words import fold, form, without_stop_words

REVIEW = "13"  # from this chapter on all was explained before: headings and words in bold are no names there
NO_ANSWER = re.compile(r"ch\d\d-(ex-.*|exercises|live|next)")  # cells that explain nothing, or are listed as exercises
MAP_CELLS = (
    "ch00-title",
    "ch00-notes",
    "ch00-chapters",
    "ch00-exercises",
    "ch00-teacher",
    "ch00-notation",
    "ch00-letters",
    "ch00-glossary",
)  # found by heading
AROUND = re.compile(r"^(← )?\[.*\]\(\d\d_\w+\.ipynb\)( →)?\n\n", re.MULTILINE)  # links to the chapters before and after
BOLD = re.compile(r"\*\*(.+?)\*\*")
EXERCISE = re.compile(r"^(\w+) = \w+\(\n(    (?:chapter|stars)=.*?)^\)", re.MULTILINE | re.DOTALL)
EXAMPLES = re.compile(r"\n\s*\n\s*>>> .*", re.DOTALL)  # code at the end of a docstring: no words to find it by
FIELD = re.compile(r"^    (chapter|ask|hints)=(.*?),(?=\n    \w+=)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, eq=False)
class Entry:
    """A place of the notes or of the book: its name, other names, what is shown of it, and its text.

    ``reviews``: it only comes back to what was explained before. ``heads``: it is the first cell of a section, whose
    whole text it then has. ``subjects`` and ``asked``: what the index of the book, `subjects.txt`, says that it is
    about, and what readers ask there, by `questions.txt`.
    """

    kind: str
    name: str
    called: tuple[str, ...]
    line: str
    text: str
    where: str = ""
    summary: str = ""
    reviews: bool = False
    heads: bool = False
    subjects: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """What is looked through: names, title, subjects, questions, summary, and the text with the file, whose name
        is the chapter's."""
        names = self.called if self.kind == "statement" else (self.name, *self.called)
        lists = [names, [self.line], self.subjects, self.asked, [self.summary]]
        return *(fold(" ; ".join(texts)) for texts in lists), fold(f"{self.text} {self.where}")

    @cached_property
    def names(self) -> set[str]:
        """Forms of all its names, also without stop words; and each half of a "name (名字)"."""
        halves = [half for name in self.called for half in re.split("[()]", name) if half.strip()]
        names = {self.name, *self.called, *halves, *self.subjects, *self.asked}
        return {form(name) for name in names} | {form(rest) for name in names if (rest := without_stop_words(name))}


@cache
def entries(root: pathlib.Path) -> list[Entry]:
    """All places: statements, functions, cells, exercises and figures."""
    chapters = [(path, notebooks.read(path)) for path in notebooks.chapters(root)]
    glossary = {form(name) for term in ledger.load().terms for name in term.names}
    return [
        *map(_statement, ledger.load().items.values()),
        *(entry for path in _modules(root) for entry in _functions(path, root)),
        *(entry for path, chapter in chapters for entry in _cells(path, chapter, glossary)),
        *_exercises(root),
        *(entry for path, chapter in chapters for entry in _figures(chapter)),
    ]


def _modules(root: pathlib.Path) -> list[pathlib.Path]:
    """Those of the chapters first, in the order of the book."""
    return sorted((p for p in ledger.modules(root) if p.stem[0] != "_"), key=_chapter_order)


def _chapter_order(path: pathlib.Path) -> int:
    slugs = [chapter.slug for chapter in ledger.CHAPTERS]
    return slugs.index(path.stem) if path.stem in slugs else len(slugs)


def _statement(item: Item) -> Entry:
    errata, chapter = [ledger.load().errata[id] for id in item.erratum], chapter_of(item)
    told = " ".join(side for erratum in errata for side in walk.sides_in_english(erratum))
    line = f"{item.title} ({item.zh})" if item.zh else item.title
    called = (item.title, *re.split("[,/]", item.zh)) if item.zh else (item.title,)
    text = f"{item.formula} {told} {chapter.title} {chapter.zh}"
    return Entry("statement", item.id, called, line, text)


def _functions(path: pathlib.Path, root: pathlib.Path) -> Iterator[Entry]:
    """The public ones, with all strings in their bodies, such as messages; and the module, with all other strings."""
    tree, file = ledger.parsed(path.read_text(encoding="utf-8")), path.relative_to(root).as_posix()
    public = [node for node in tree.body if isinstance(node, ledger.Definition) and not node.name.startswith("_")]
    for node in public:
        name, strings = f"{path.stem}.{node.name}", " ".join(_strings(node))
        yield _documented(name, (node.name,), node, strings, f"{file}:{node.lineno}")
    others = (text for node in tree.body if node not in public for text in _strings(node))
    values = (target.id for node in tree.body if isinstance(node, ast.Assign) for target in _names_made(node))
    called = tuple(f"{path.stem}.{name}" for name in values if not name.startswith("_"))
    yield _documented(path.stem, called, tree, " ".join(others), file)


def _names_made(node: ast.Assign) -> Iterator[ast.Name]:
    return (target for target in node.targets if isinstance(target, ast.Name))


def _documented(name: str, called: tuple[str, ...], node: Any, strings: str, where: str) -> Entry:
    doc = EXAMPLES.sub("", ast.get_docstring(node) or "")
    return Entry("function", name, called, doc.partition("\n")[0], strings, where, doc)


def _strings(node: ast.AST) -> Iterator[str]:
    constants = (each for each in ast.walk(node) if isinstance(each, ast.Constant))
    return (EXAMPLES.sub("", each.value) for each in constants if isinstance(each.value, str))


def _cells(path: pathlib.Path, notebook: notebooks.Notebook, glossary: set[str]) -> Iterator[Entry]:
    """Headings and words in bold are names; of the latter, those that the glossary explains elsewhere a summary."""
    number, where = path.name[:2], f"notebooks/{path.name}"
    whole: defaultdict[str, list[str]] = defaultdict(list)
    for section, cell in notebooks.sections(notebook):
        whole[section] += [AROUND.sub("", notebooks.text(cell["source"]))] if cell["cell_type"] == "markdown" else []
    for section, cell in notebooks.sections(notebook):
        source, name = AROUND.sub("", notebooks.text(cell["source"])), cell.get("id", "?")
        if cell["cell_type"] == "markdown" and _is_answer(name):
            headings = [re.sub(r"^\d+ ", "", heading) for heading in notebooks.HEADING.findall(source)]
            bold = BOLD.findall(source)
            names = [] if number >= REVIEW else [*headings, *(word for word in bold if form(word) not in glossary)]
            summary = section if number >= REVIEW else " ; ".join([section, *bold])
            heads = source.startswith("#")
            text = "" if number == "00" and name != "ch00-teacher" else "\n\n".join(whole[section]) if heads else source
            called = (*names, *_term_names(name))
            reviews = number >= REVIEW or section == "Is it true?"
            about, asked = subjects().get(name, ()), questions().get(name, ())
            yield Entry("cell", name, called, section, text, where, summary, reviews, heads, about, asked)


@cache
def subjects() -> dict[str, tuple[str, ...]]:
    """The index of the book: what each section is about, in the words of a reader."""
    return _by_section("subjects.txt")


@cache
def questions() -> dict[str, tuple[str, ...]]:
    """What readers ask at a search box, by the section that answers it."""
    return _by_section("questions.txt")


def _by_section(file: str) -> dict[str, tuple[str, ...]]:
    lines = pathlib.Path(__file__).with_name(file).read_text(encoding="utf-8").splitlines()
    pairs = (line.split(": ", 1) for line in lines if not line.startswith("#"))
    return {cell: tuple(told.split(", ")) for cell, told in pairs}


def _is_answer(cell: str) -> bool:
    return cell in MAP_CELLS if cell.startswith("ch00") else not NO_ANSWER.fullmatch(cell)


def _term_names(cell: str) -> Iterable[str]:
    """The names of the terms that the cell explains first."""
    return (name for term in ledger.load().terms if term.cell == cell for name in term.names)


def _exercises(root: pathlib.Path) -> list[Entry]:
    """In the order of the chapters, as the files in exercises/ write them: to load these would take longer than all
    the rest."""
    found = []
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: itertools.count(1))
    for path in sorted((root / "linmodels" / "exercises").glob("[!_]*.py"), key=_chapter_order):
        for name, body in EXERCISE.findall(path.read_text(encoding="utf-8")):
            told = {field: ast.literal_eval(f"({value})") for field, value in FIELD.findall(body)}
            chapter = told.get("chapter", f"{_chapter_order(path):02}")
            number = f"{int(chapter)}.{next(numbers[chapter])}"
            line, hints = f"{number} {told['ask']}", " ".join(told["hints"])
            found.append(Entry("exercise", name, (number,), line, hints, chapter))
    return sorted(found, key=lambda entry: entry.where)


def _figures(chapter: notebooks.Notebook) -> Iterator[Entry]:
    for name, alt in notebooks.figures(chapter):
        yield Entry("figure", name, (), alt, alt, f"figures/{name}.png", summary=name)

"""Links of the site's pages to what answers a statement: chapters, functions, tests, exercises."""

from __future__ import annotations

import pathlib
import re
from collections import defaultdict
from collections.abc import Iterable

from linmodels.book import notebooks
from linmodels.book.ledger import Place

EXERCISE = re.compile(r"\*\*Exercise (\d+\.\d+)\*\* (★*)(.*)", re.DOTALL)


def searched(subjects: Iterable[str], place: str = "") -> str:
    """What the search of the site also finds this place by, and leads to; its anchor may have a name."""
    option = f":name: {place}\n" if place else ""
    return f"```{{index}} {', '.join(f'!{subject}' for subject in subjects)}\n{option}```"


Titles = dict[str, str]


def headings(root: pathlib.Path) -> Titles:
    """The heading that each cell stands under, without its number and stars."""
    found = {}
    for path in notebooks.chapters(root):
        for heading, cell in notebooks.sections(notebooks.read(path)):
            found[cell["id"]] = re.sub(r"^★ |^\d+ ", "", heading)
    return found


def exercises_by_cell(root: pathlib.Path) -> dict[str, list[str]]:
    """The exercises of a section of a chapter, as links: by each cell of the section."""
    found = defaultdict(list)
    for path in notebooks.chapters(root):
        section: list[str] = []
        for _, cell in notebooks.sections(notebooks.read(path)):
            source = notebooks.text(cell["source"])
            if source.startswith("#") and cell["cell_type"] == "markdown":
                section = []
            if number := EXERCISE.match(source):
                section.append(f"[{number[1]}](#{cell['id']})")
            found[cell["id"]] = section
    return found


def cells(places: Iterable[Place], headings: Titles) -> str:
    """Links to cells, by chapter and heading: two cells of one section are one place."""
    named = {f"{place.chapter} {headings[place.name]}": place.name for place in reversed(list(places))}
    return ", ".join(f"[{text}](#{name})" for text, name in reversed(named.items()))


def function(place: Place) -> str:
    """A link to the page of a function."""
    module = place.file.removesuffix(".py").replace("/", ".")
    return f"[`{place.name}`](#{module}.{place.name.partition('.')[2]})"


def test_label(place: Place) -> str:
    """Where the site has this test."""
    return f"{pathlib.PurePath(place.file).stem}-{place.name}".lower().replace("::", "-")


def escaped(text: str) -> str:
    """Plain text, in which Markdown finds no sign of its own."""
    return re.sub(r"([\\*_`<>\[\]$|~^])", r"\\\1", text)

"""The pictures in figures/: compared with fresh ones, taken in, and shown in a gallery."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from linmodels.book import notebooks
from linmodels.book.ledger import CHAPTERS
from linmodels.pictures import SHEET, same_picture

STATE_WORDS = {
    "same": "ok",
    "close": "ok (equal up to CPU rounding)",
    "changed": "stale: the code draws another picture",
    "damaged": "damaged: the file in figures/ is no whole PNG",
    "missing": "missing: drawn, but not in figures/",
    "stray": "stray: in figures/, but no chapter draws it",
    "other matplotlib": "not comparable: drawn with another matplotlib (constraints.txt names the book's)",
}
WRONG_STATES = ("changed", "damaged", "missing", "stray")
BENCHMARKS = "tests/benchmarks"  # draws figures of its own, with this in front of their names
BENCHMARK_PREFIX = "benchmarks_"
WRITTEN_WORDS = {
    "changed": "written: it was stale",
    "damaged": "written: it was damaged",
    "missing": "written: it was missing",
}


@dataclass(frozen=True)
class Verdict:
    """What comparing one committed picture with its redraw gave: a key of STATE_WORDS."""

    name: str
    state: str


def compare(fresh: pathlib.Path, committed: pathlib.Path, chapters: Iterable[str]) -> list[Verdict]:
    """A verdict for every picture drawn into ``fresh`` or committed for these chapters ("09_perceptron").

    A film and its sheet are one figure.
    """
    drawn = {file.stem for file in fresh.glob("*.png")}
    prefixes = tuple(f"{chapter}_" for chapter in chapters)
    kept = {file.stem for file in committed.glob("*.png") if file.stem.startswith(prefixes)}
    sheets = {name + SHEET for name in drawn} & drawn
    return [Verdict(name, _state(name, fresh, committed)) for name in sorted((drawn | kept) - sheets)]


def _state(name: str, fresh: pathlib.Path, committed: pathlib.Path) -> str:
    """The state of a figure; of a film that of its sheet, where only this one is to be written."""
    states = [_file_state(drawn.stem, fresh, committed) for drawn in _files(name, fresh)]
    return next((state for state in states if state in WRITTEN_WORDS), states[0]) if states else "stray"


def _files(name: str, fresh: pathlib.Path) -> list[pathlib.Path]:
    """The picture of this name, if it is drawn, and its sheet, if it has one."""
    return [file for file in (fresh / f"{name}.png", fresh / f"{name}{SHEET}.png") if file.is_file()]


def _file_state(name: str, fresh: pathlib.Path, committed: pathlib.Path) -> str:
    new, old = fresh / f"{name}.png", committed / f"{name}.png"
    return same_picture(new.read_bytes(), old.read_bytes()) if old.is_file() else "missing"


def to_write(verdicts: list[Verdict], fresh: pathlib.Path, committed: pathlib.Path) -> dict[pathlib.Path, bytes]:
    """The new, the damaged and the changed pictures and where they belong; the others stay, byte for byte."""
    files = [file for v in verdicts if v.state in WRITTEN_WORDS for file in _files(v.name, fresh)]
    stale = [file for file in files if _file_state(file.stem, fresh, committed) in WRITTEN_WORDS]
    return {committed / file.name: file.read_bytes() for file in stale}


def strays(committed: pathlib.Path, chapters: Iterable[str]) -> list[Verdict]:
    """The committed pictures that carry the name of none of the chapters, nor that of the benchmarks."""
    prefixes = (BENCHMARK_PREFIX, *(f"{chapter}_" for chapter in chapters))
    return [Verdict(f.stem, "stray") for f in sorted(committed.glob("*.png")) if not f.stem.startswith(prefixes)]


def gallery(root: pathlib.Path) -> str:
    """figures/README.md: every figure by chapter, with its alternative text, its name and the cell that draws it.

    At the end those of the benchmarks, which no chapter draws.
    """
    parts = ["# Figures\n", "Written by `linmodels run`, as the notebooks are; do not edit by hand.\n"]
    for path in notebooks.chapters(root):
        chapter = next(chapter for chapter in CHAPTERS if chapter.stem == path.stem)
        title = f"## [{chapter.number} {chapter.title} ({chapter.zh})](../notebooks/{path.name})\n"
        shown = list(_chapter_figures(path))
        parts += [title, *shown] if shown else []
    return "\n".join(parts + _benchmark_figures(root))


def _chapter_figures(path: pathlib.Path) -> Iterator[str]:
    for section, cell in notebooks.sections(notebooks.read(path)):
        for name, alt in notebooks.figures({"cells": [cell]}):
            link = f"../notebooks/{path.name}#cell-id={cell['id']}"
            yield f"![{_escape_markdown(alt)}]({name}.png)\n\n`{name}`, from [{section or path.stem}]({link})\n"


def _benchmark_figures(root: pathlib.Path) -> list[str]:
    """Their part of the gallery, from what they have measured; empty until they have."""
    file = root / BENCHMARKS / "measured.json"
    if not file.is_file():
        return []
    pictures = json.loads(file.read_text(encoding="utf-8"))["pictures"]
    drawn_by = f"drawn by `python -m tests.benchmarks` from [what it has measured](../{BENCHMARKS}/{file.name})"
    shown = [f"![{_escape_markdown(alt)}]({name}.png)\n\n`{name}`, {drawn_by}\n" for name, alt in pictures.items()]
    return [f"## [How fast](../{BENCHMARKS}/__init__.py)\n", *shown]


def _escape_markdown(alt: str) -> str:
    for sign in "\\[]*_$`<":
        alt = alt.replace(sign, "\\" + sign)
    return alt

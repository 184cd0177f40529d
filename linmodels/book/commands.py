"""The verbs `run` and `figures`: what they execute, and what they tell the reader meanwhile."""

from __future__ import annotations

import contextlib
import difflib
import pathlib
import re
import shutil
import sys
import tempfile
import textwrap
import time

from linmodels.book import figures, notebooks, runner
from linmodels.book import map as book_map
from linmodels.book.figures import Verdict
from linmodels.book.runner import Kernels, Outcome, Work
from linmodels.pictures import MATPLOTLIB, SHEET, write_atomically

ANSWERED = re.compile(rb'"\[(ok|--)\] [\w-]+: ')  # the verdict of a check: the book's own chapters hold none
Names = dict[pathlib.Path, list[str]]


def run(root: pathlib.Path, words: list[str], timeout: int) -> int:
    """Execute the chapters called ``words``, or all, and bring map and gallery up to date."""
    there = {*notebooks.chapters(root), root / "notebooks" / book_map.FILE}  # the map can be made before it exists
    start = time.perf_counter()
    paths = notebooks.select(sorted(there), words)
    outcomes = _rewrite(root, paths, timeout)
    status = _conclude(outcomes, time.perf_counter() - start)
    if answered := [path.stem for path in paths if path.is_file() and ANSWERED.search(path.read_bytes())]:
        print(f"your answers, and what they showed, stand in {', '.join(answered)} now: git shows them as changes,")
        print("and the figures that they draw as new files")
    return status


def draw(root: pathlib.Path, words: list[str], timeout: int) -> int:
    """As `run`, for the chapters that draw the figures ``words``; says what became of each of these figures."""
    wanted = drawing(root, words)
    _print_wanted(wanted, words)
    start = time.perf_counter()
    outcomes = _rewrite(root, list(wanted), timeout)
    _print_verdicts(_wanted_verdicts(wanted, outcomes, words), figures.STATE_WORDS | figures.WRITTEN_WORDS)
    return _conclude(outcomes, time.perf_counter() - start)


def check(root: pathlib.Path, words: list[str], timeout: int) -> int:
    """Redraw figures elsewhere and compare them with the committed ones; writes nothing. 1 when one is wrong."""

    def compare(path: pathlib.Path, folder: pathlib.Path, kernels: Kernels) -> list[Verdict]:
        runner.execute(path, folder, kernels, timeout)
        return figures.compare(folder, root / "figures", [path.stem])

    wanted = drawing(root, words)
    _print_wanted(wanted, words)
    outcomes = _execute(list(wanted), compare)
    verdicts = _wanted_verdicts(wanted, outcomes, words)
    if not words:
        verdicts += figures.strays(root / "figures", [path.stem for path in wanted])
    _print_verdicts(verdicts, figures.STATE_WORDS)
    wrong = sum(verdict.state in figures.WRONG_STATES for verdict in verdicts)
    print(f"{_count(len(verdicts), 'figure')}, {wrong} wrong" + ("; `linmodels figures` redraws them" if wrong else ""))
    return int(wrong > 0 or any(outcome.error for outcome in outcomes))


def export(root: pathlib.Path, words: list[str], timeout: int, picture: str, out: pathlib.Path) -> int:
    """The figures as png, svg or pdf files in the folder ``out``; the book is left as it is."""
    wanted, written = drawing(root, words), []
    out.mkdir(parents=True, exist_ok=True)
    _require_open(out)

    def copy(path: pathlib.Path, folder: pathlib.Path, kernels: Kernels) -> list[Verdict]:
        runner.execute(path, folder, kernels, timeout, picture)
        for file in sorted(folder.glob(f"*.{picture}")):
            if not words or file.stem.removesuffix(SHEET) in wanted[path]:
                write_atomically(out / file.name, file.read_bytes())
                written.append(file.name)
        return []

    _print_wanted(wanted, words)
    outcomes = _execute(list(wanted), copy)
    print(f"{_count(len(written), 'file')} in {out}")
    return int(any(outcome.error for outcome in outcomes))


def drawing(root: pathlib.Path, words: list[str]) -> Names:
    """The chapters that draw figures, with the names of those whose name holds a word or whose chapter is called so."""
    drawn = {path: names for path in notebooks.chapters(root) if (names := _figure_names(path))}
    if not words:
        return drawn
    chosen = {name for word in words for name in _figures_called(drawn, word)}
    return {path: kept for path, names in drawn.items() if (kept := [name for name in names if name in chosen])}


def _print_wanted(wanted: Names, words: list[str]) -> None:
    """Which figures are drawn now: a word finds any part of a name."""
    names = sorted(name for names in wanted.values() for name in names)
    if words:
        _print_line(textwrap.fill(f"{_count(len(names), 'figure')}: {', '.join(names)}", 100, subsequent_indent="  "))


def _figures_called(drawn: Names, word: str) -> list[str]:
    word = pathlib.PurePath(word).name.removesuffix(".png")
    found = [name for names in drawn.values() for name in names if word in name]
    if found and not word.isdecimal():
        return found
    try:
        return [name for path in notebooks.select(list(drawn), [word]) for name in drawn[path]]
    except notebooks.UnknownChapter:
        drawn_ones = [(path, name) for path, names in drawn.items() for name in names]
        kept = [name for path, name in drawn_ones if _is_kept(path, name)]
        near = difflib.get_close_matches(word, kept or [name for _, name in drawn_ones], n=3)
        listed = f"figures/README.md shows them all; a chapter's own: `{_prog()} figures 09`"
        there = f"did you mean {' or '.join(near)}?" if near else listed
        raise notebooks.UnknownChapter(f"no figure is called {word!r}; {there}") from None


def _is_kept(chapter: pathlib.Path, name: str) -> bool:
    """Is it a figure of the book, and not one that only a reader's answer draws?"""
    return (chapter.parents[1] / "figures" / f"{name}.png").is_file()


def _figure_names(path: pathlib.Path) -> list[str]:
    """Names of figures in the code of a chapter, which may not have run yet."""
    code = (notebooks.text(cell["source"]) for cell in notebooks.read(path)["cells"] if notebooks.is_run(cell))
    code = (re.sub(r"(?m)^\s*#.*", "", source) for source in code)  # a reader may take the # away, to draw an answer
    return [name for source in code for name in re.findall(rf"[\"']({path.stem}_\w+)[\"']", source)]


def _wanted_verdicts(wanted: Names, outcomes: list[Outcome], words: list[str]) -> list[Verdict]:
    """The verdicts on the wanted figures, in order."""
    names = {name for names in wanted.values() for name in names}
    found = [v for outcome in outcomes for v in outcome.verdicts if not words or v.name in names]
    return sorted(found, key=lambda verdict: verdict.name)


def _rewrite(root: pathlib.Path, paths: list[pathlib.Path], timeout: int) -> list[Outcome]:
    """Execute chapters and take them in; then the map, when its links have changed, and the gallery."""

    def take_in(path: pathlib.Path, folder: pathlib.Path, kernels: Kernels) -> list[Verdict]:
        return runner.run_chapter(path, folder, kernels, timeout)

    (root / "figures").mkdir(exist_ok=True)
    _require_open(root / "notebooks", root / "figures")
    _sweep(root)
    outcomes = _execute(paths, take_in)
    try:
        map_file = root / "notebooks" / book_map.FILE
        if map_file.is_file() and map_file not in paths and book_map.is_stale(root):
            _print_line("the links of the book have changed, so the map is written again")
            outcomes += _execute([map_file], take_in)
        _write_gallery(root)
    except notebooks.Unreadable as problem:
        print(f"map and gallery stay as they are: {problem}", file=sys.stderr)
    return outcomes


def _require_open(*folders: pathlib.Path) -> None:
    """OSError where nothing can be written: before a run, not after it."""
    for folder in folders:
        tempfile.TemporaryFile(dir=folder).close()


def _sweep(root: pathlib.Path) -> None:
    """Remove the drafts a killed run has left: older than a minute, for another run may be writing its own."""
    for draft in (*root.glob("notebooks/.*.part"), *root.glob("figures/.*.part")):
        with contextlib.suppress(OSError):
            if time.time() - draft.stat().st_mtime > 60:
                draft.unlink()


def _write_gallery(root: pathlib.Path) -> None:
    target, content = root / "figures" / "README.md", figures.gallery(root).encode("utf-8")
    if not target.is_file() or target.read_bytes() != content:
        write_atomically(target, content)


def _execute(paths: list[pathlib.Path], work: Work) -> list[Outcome]:
    """Run ``work`` on the chapters with a line when one starts and one when it ends."""
    width, total = max((len(path.stem) for path in paths), default=0), len(paths)
    ended: list[Outcome] = []

    def report(outcome: Outcome) -> None:
        ended.append(outcome)
        mark = "FAIL" if outcome.error else "ok"
        _print_line(f"[{len(ended):2}/{total:2}] {mark:4} {outcome.chapter:{width}} {outcome.seconds:5.1f} s")
        if outcome.error:
            print("        " + outcome.error.replace("\n", "\n        "), file=sys.stderr, flush=True)

    _print_line(f"{_count(total, 'chapter')} on {_count(min(total, runner.cores()), 'core')}")
    try:
        return runner.run_all(paths, work, lambda chapter: _print_line(f"        ...  {chapter}"), report)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"{len(ended)} of {_count(total, 'chapter')} had finished") from None


def _print_line(line: str) -> None:
    print(line + "\n", end="", flush=True)  # one write: chapters report from several threads


def _count(n: int, thing: str) -> str:
    return f"{n} {thing}{'' if n == 1 else 's'}"


def _print_verdicts(verdicts: list[Verdict], words: dict[str, str]) -> None:
    width = max((len(verdict.name) for verdict in verdicts), default=0)
    for verdict in verdicts:
        print(f"{verdict.name:{width}}  {words[verdict.state]}")


def _conclude(outcomes: list[Outcome], seconds: float) -> int:
    """The last lines of a run: what was done, what is odd, what to do next."""
    verdicts = [verdict for outcome in outcomes for verdict in outcome.verdicts]
    for stray in (v.name for v in verdicts if v.state == "stray"):
        print(f"figures/{stray}.png: no chapter draws it any more; delete it")
    if any(verdict.state == "other matplotlib" for verdict in verdicts):
        print(f"committed figures were kept, not compared: here is {MATPLOTLIB}, constraints.txt names the book's")
    drawn = sum(verdict.state != "stray" for verdict in verdicts)
    changed = sum(verdict.state in figures.WRITTEN_WORDS for verdict in verdicts)
    failed = sorted(outcome.chapter for outcome in outcomes if outcome.error)
    done = _count(len(outcomes) - len(failed), "chapter")
    print(f"{done}, {_count(drawn, 'figure')} ({changed} changed) in {seconds:.1f} s")
    if failed:
        again = f"{_prog()} run {' '.join(failed)}"
        print(f"{_count(len(failed), 'chapter')} failed and stayed as before; once mended: {again}")
        return 1
    print(f"next: `{_prog()} lab` opens the book; figures/README.md is the gallery")
    return 0


def _prog() -> str:
    """This command as the reader can type it again: `linmodels` need not be on the PATH."""
    if sys.argv[0].endswith(".py"):
        return "python -m linmodels"
    return "linmodels" if shutil.which("linmodels") else sys.argv[0]

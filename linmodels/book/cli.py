"""The command ``linmodels``: run, figures, find, exercises, lab, site. Each verb imports only what it needs."""

from __future__ import annotations

import argparse
import difflib
import gc
import io
import itertools
import os
import pathlib
import re
import sys
import textwrap
from typing import Any

from linmodels import __version__
from linmodels.book import TIMEOUT
from linmodels.book.ledger import CHAPTERS, home
from linmodels.book.notebooks import UnknownChapter, Unreadable
from linmodels.pictures import find_root

MAP = pathlib.PurePath("notebooks", f"{CHAPTERS[0].stem}.ipynb")
SITE_EXTRA = 'this needs the site extra: pip install -c constraints.txt -e ".[site]"'
EXTRA = 'this needs the notebooks extra: pip install -c constraints.txt -e ".[notebooks]"'


START = """\
for example:
  linmodels lab                              opens the book in a browser, at its map
  linmodels lab 9                            opens chapter 09
  linmodels find why does newton diverge     says where the answer is
  linmodels exercises 9                      states the exercises of chapter 09
"""
QUESTIONS = """\
for example:
  linmodels find 感知机                      a term, in English or Chinese
  linmodels find why does newton diverge     a question
  linmodels find 5.3.1                       a section of the notes
  linmodels find A-5.3.1-2                   a statement of the notes
  linmodels find A50                         an erratum
  linmodels find perceptron.update           a function, an exercise, a cell
"""


class Refusal(Exception):
    """A message for the reader, and the status the command ends with."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def main(arguments: list[str] | None = None) -> int:
    """The entry point; the exit status is 0 done, 1 something failed, 2 asked wrongly, 130 stopped, 141 unread."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # 感知机 must not end a command on a terminal that knows no Chinese
            stream.reconfigure(errors="backslashreplace")
    parser = _parser()
    asked, more = parser.parse_known_args(arguments)
    if more and getattr(asked, "verb", None) is not _lab:
        getattr(asked, "parser", parser).error(f"unrecognized arguments: {' '.join(more)}")
    asked.more = more  # JupyterLab's own
    try:
        status = asked.verb(asked) if hasattr(asked, "verb") else _help(parser)
        print(end="", flush=True)  # a full disk or a closed pipe shows here, while it can still be told
        return status
    except Refusal as refusal:
        print(f"linmodels: {refusal}", file=sys.stderr)
        return refusal.status
    except UnknownChapter as unknown:
        print(f"linmodels: {unknown}", file=sys.stderr)
        return 2
    except Unreadable as problem:
        print(f"linmodels: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as stop:
        done = f" ({stop}); finished chapters are in place, the others untouched: start again" if str(stop) else ""
        print(f"\nstopped{done}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `linmodels find ... | head`
        _forget_stdout()
        return 141  # as a shell says of a command that such a pipe ended
    except OSError as problem:  # a folder that cannot be written, a full disk
        print(f"linmodels: {problem}", file=sys.stderr)
        _forget_stdout()
        return 1


def _forget_stdout() -> None:
    """What is still buffered goes nowhere: Python would try to write it once more as it ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _help(parser: argparse.ArgumentParser) -> int:
    parser.print_help()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "linmodels",
        description="Linear models from scratch: the book's command line.",
        epilog=START,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    verbs = parser.add_subparsers(title="verbs", metavar="verb")

    def verb(name: str, action: Any, help: str) -> argparse.ArgumentParser:
        added = verbs.add_parser(name, help=help, description=help)
        added.set_defaults(verb=action, parser=added)
        return added

    run = verb("run", _run, "execute chapters and write their outputs and figures")
    run.add_argument("chapter", nargs="*", help="number, name or part of a name; all chapters when none is given")
    drawn = verb("figures", _figures, "draw figures again, by executing the chapters that draw them, or check them")
    drawn.add_argument("name", nargs="*", help="figure, part of its name, or chapter; all figures when none is given")
    drawn.add_argument("--check", action="store_true", help="only compare with the committed ones and report")
    drawn.add_argument("--format", choices=("png", "svg", "pdf"), default="png", help="with --out: kind of file")
    drawn.add_argument("--out", type=pathlib.Path, metavar="DIR", help="write them there and leave the book as it is")
    for executing in (run, drawn):
        executing.add_argument(
            "--timeout", type=_seconds, default=TIMEOUT, metavar="S", help=f"seconds a cell may take ({TIMEOUT})"
        )
    find = verb("find", _find, "where is it? an id, a section, a term or a question, in English or Chinese")
    find.add_argument("text", nargs="*", help="for example: A-5.3.1-2, 5.3.1, 感知机, A50, why does newton diverge")
    exercises = verb("exercises", _exercises, "list the exercises, or state those of a chapter")
    exercises.add_argument("chapter", nargs="?", help="for example: 09; or a single one: 9.1, perceptron_loss")
    teaching = exercises.add_mutually_exclusive_group()
    teaching.add_argument("--try", dest="file", type=pathlib.Path, help="the book's own tests on the exercises of FILE")
    teaching.add_argument("--hand-out", type=pathlib.Path, metavar="OUT", help="write the chapter without its answers")
    opened = verb(
        "lab",
        _lab,
        "open the book in JupyterLab, with any of its options: --no-browser, --port=8889 (with =), --allow-root (as "
        "root), ...",
    )
    opened.add_argument("chapter", nargs="?", help="number, name or part of a name; the map when none is given")
    site = verb("site", _site, "build the book as pages that open in a browser, without a server or a network")
    site.add_argument("--out", type=pathlib.Path, default="site", metavar="DIR", help="where to (default: site)")
    site.add_argument("--python", type=pathlib.Path, metavar="FOLDER", help="a folder with Pyodide, to be put into it")
    kind = site.add_mutually_exclusive_group()
    kind.add_argument("--epub", action="store_true", help="one file for an e-book reader instead")
    kind.add_argument(
        "--pdf", action="store_true", help="print each chapter, too: DIR/pdf (by Playwright and a browser)"
    )
    return parser


def _seconds(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"found {text!r}; a whole number of seconds > 0 is expected")
    return int(text)


def _root() -> pathlib.Path:
    root = find_root()
    if root is None:
        raise Refusal("this needs the chapters: run it in a clone of the book (README.md says how to get one)", 2)
    return root


def _commands() -> Any:
    # jsonschema, for nbformat, would spend a second on a grammar of URLs, of which our notebooks hold none to check
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    try:
        from linmodels.book import commands
    except ImportError as missing:
        if (missing.name or "").startswith("linmodels"):
            raise
        raise Refusal(f"{missing}; {EXTRA}", 1) from None
    return commands


def _run(asked: argparse.Namespace) -> int:
    root = _root()
    return _commands().run(root, asked.chapter, asked.timeout)


def _figures(asked: argparse.Namespace) -> int:
    if (asked.check and asked.out) or (asked.format != "png" and not asked.out):
        raise Refusal("--format needs a folder: --out DIR; --check writes nothing and takes neither", 2)
    root = _root()
    if asked.out:
        return _commands().export(root, asked.name, asked.timeout, asked.format, asked.out)
    return (_commands().check if asked.check else _commands().draw)(root, asked.name, asked.timeout)


def _find(asked: argparse.Namespace) -> int:
    from linmodels.book import answers

    gc.disable()  # a second's work on syntax trees, and the process ends: to collect would take half of it
    text = " ".join(asked.text)
    if not text.strip():
        raise Refusal(f"what do you look for?\n{QUESTIONS.rstrip()}", 2)
    root = home()
    found = answers.report(text, root)
    if found is not None:
        print(found)
        return 0
    near = answers.suggestions(text, root)
    hint = f"did you mean {', '.join(near)}?" if near else "try a section (5.3.1), an id (A-5.3.1-2) or a term (感知机)"
    raise Refusal(f"nothing found for {text!r}; {hint}", 1)


def _exercises(asked: argparse.Namespace) -> int:
    from linmodels.book import teaching
    from linmodels.exercises import listing

    if asked.file:
        return _try(asked)
    if asked.hand_out:
        return _hand_out(asked)
    groups = itertools.groupby(listing(), key=lambda task: task.chapter)
    tasks: list[tuple[str, Any]] = [
        (f"{int(of)}.{k}", task) for of, its in groups for k, task in enumerate(its, start=1)
    ]
    selected = [(no, task) for no, task in tasks if asked.chapter is None or _is_called(no, task, asked.chapter)]
    if not selected:
        raise Refusal(
            f"no exercise and no chapter is called {asked.chapter!r}; {_near_exercises(asked.chapter, tasks)}", 2
        )
    show = _statement if asked.chapter else _line
    for of, its in itertools.groupby(selected, key=lambda numbered: numbered[1].chapter):
        print(f"{of} {_title(of)}")
        print("\n".join(show(no, task) for no, task in its))
    numbers = {task.name: no for no, task in (selected if asked.chapter else tasks)}
    print("".join(f"{line}\n" for line in teaching.progress(numbers, asked.chapter or "")), end="")
    return 0


def _try(asked: argparse.Namespace) -> int:
    from linmodels.book import teaching

    if asked.chapter:
        raise Refusal(f"--try takes all exercises of its file, and no chapter; found {asked.chapter!r}", 2)
    if not asked.file.is_file():
        raise Refusal(f"there is no file {asked.file}", 2)
    if asked.file.suffix != ".py":
        raise Refusal(f"{asked.file} must be a Python file, as mine.py is", 2)
    return teaching.try_file(asked.file)


def _hand_out(asked: argparse.Namespace) -> int:
    from linmodels.book import notebooks, teaching
    from linmodels.exercises import listing

    root = _root()
    part = re.fullmatch(r"\d+\.\d+", asked.chapter or "")  # an exercise, as 5.2
    chosen = notebooks.select(notebooks.chapters(root), [asked.chapter]) if asked.chapter and not part else []
    if len(chosen) != 1:
        example = "linmodels exercises 09 --hand-out class_09.ipynb"
        raise Refusal(f"say which chapter, a whole one, for example: {example}", 2)
    (path,) = chosen
    if path.stem[:2] not in {task.chapter for task in listing()}:
        raise Refusal(f"{path.stem} has no exercises to hand out", 2)
    if refusal := teaching.why_not(asked.hand_out, root):
        raise Refusal(refusal, 2)
    teaching.hand_out(path, asked.hand_out)
    print(f"{asked.hand_out}: {path.stem} without answers; its exercises check as in the book")
    return 0


def _near_exercises(word: str, tasks: list[tuple[str, Any]]) -> str:
    """Exercises with such a name, or the numbers of the chapter, or where to look."""
    number = {task.name: no for no, task in tasks}
    parts = [name for name in number if word.strip("_") and word.lower() in name]
    if near := parts[:3] or difflib.get_close_matches(word.lower(), number, n=3):
        return f"did you mean {' or '.join(f'{name} ({number[name]})' for name in near)}?"
    if of := [no for no, _ in tasks if no.startswith(f"{word.partition('.')[0].lstrip('0')}.")]:
        return f"this chapter has {of[0]} to {of[-1]}"
    return f"`linmodels exercises` lists all; `linmodels find {word or 'WORD'}` looks into their texts, too"


def _is_called(no: str, task: Any, word: str) -> bool:
    """Is this exercise, or its chapter, called ``word``: by number, by name, a chapter also by part of its name?"""
    if word.isdecimal():
        return int(word) == int(task.chapter)
    stem = next(chapter.stem for chapter in CHAPTERS if chapter.number == task.chapter)
    part = pathlib.PurePath(word).name.lower().removesuffix(".ipynb")  # as `run` takes it, too
    return word.lower().lstrip("0") in (no, task.name) or (part.strip("_") != "" and part in stem)


def _title(number: str) -> str:
    return next(f"{chapter.title} ({chapter.zh})" for chapter in CHAPTERS if chapter.number == number)


def _line(number: str, task: Any) -> str:
    return f"  {number:4} {'*' * task.stars:3}  {task.name}"


def _statement(number: str, task: Any) -> str:
    about = f"  [{task.notes}]" if task.notes else ""
    ask = textwrap.indent(textwrap.fill(task.ask, 100), "       ")
    return f"\n{_line(number, task)}{about}\n{ask}"


def _lab(asked: argparse.Namespace) -> int:
    from linmodels.book import lab, notebooks

    root = _root()
    called = re.sub(r"^ch(\d\d)-.*", r"\1", asked.chapter or "")  # a cell, as `find` names it
    try:
        chosen = notebooks.select(notebooks.chapters(root), [called])[0] if called else root / MAP
    except UnknownChapter as unknown:  # in `--port 8889 09` it is the value of an option
        joined = f"; of an option that has a value, write both in one: {asked.more[0]}={called}" if asked.more else ""
        raise Refusal(f"{unknown}{joined}", 2) from None
    try:
        import jupyterlab  # noqa: F401
    except ImportError as missing:
        raise Refusal(f"{missing}; {EXTRA}", 1) from None
    os.chdir(root)  # JupyterLab opens nothing above its folder, and the map links to the library and the tests
    target = chosen.relative_to(root) if chosen.is_file() else None
    os.execv(sys.executable, [sys.executable, *lab.command(target, asked.more)])


def _site(asked: argparse.Namespace) -> int:
    root = _root()
    try:
        from linmodels.book.site import build, paper, python
    except ImportError as missing:
        if (missing.name or "").startswith("linmodels"):
            raise
        raise Refusal(f"{missing}; {SITE_EXTRA}", 1) from None
    if asked.epub and asked.python:
        raise Refusal("--python: the cells of an e-book do not run", 2)
    try:
        return build.build(root, asked.out, asked.epub, asked.python, asked.pdf)
    except paper.NoBrowser as problem:
        raise Refusal(f"--pdf: {problem}", 1) from None
    except python.NoPython as problem:
        raise Refusal(f"--python: {problem}", 2) from None

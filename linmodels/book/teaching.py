"""A teacher's door: try an exercise of one's own, hand out a chapter without its answers, see who has solved what."""

from __future__ import annotations

import base64
import copy
import importlib.util
import json
import os
import pathlib
import re
import sys
import traceback
import zlib
from collections.abc import Iterator
from typing import Any

from linmodels.book import map as map_of_the_book
from linmodels.book import notebooks
from linmodels.book.index import AROUND
from linmodels.exercises import Exercise, Task, listing
from linmodels.exercises.grading import reader
from linmodels.exercises.grading.trial import faults, survivors
from linmodels.pictures import write_atomically

Kept = tuple[str, str, reader.Verdicts]  # file, name, verdicts
SEEDS = 30
FEW = 5  # fewer verdicts may be equal by accident
AGAIN = re.compile(r"^seed \d+: |(?<=refused: ).*|(?<=is told ).*", re.DOTALL)  # differs from seed to seed
ELSEWHERE = re.compile(r"\[([^\]]*)\]\((?:\d\d_\w+\.ipynb|\.\./)[^)]*\)")  # a link to another file of the book
NAMED = """\
from linmodels.exercises import check

check.me(..., keep=True)  # your name in quotes, in the place of the dots"""
FIRST = """\
# Before you begin

Open this file with `jupyter lab {out}`, and run its cells from the top. First put your name into the cell below: then
you have numbers of your own, and your verdicts are kept in a file. The cell says where it lies. Give that file to your
teacher.

{exercises}"""
ASKED = re.compile(
    r"""^check\.(\w+)\((?:["'](ch\d\d-[\w-]+))?""", re.MULTILINE
)  # an exercise, or a question of the text
FOLDED = re.compile(r"\n*<details><summary>.*?</details>\n*", re.DOTALL)


def try_file(path: pathlib.Path) -> int:
    """The book's own tests on the exercises of a file, and the wrong answers that their cases let pass."""
    try:
        tasks = tasks_of(path)
    except (Exception, SystemExit) as error:
        print(_stopped(error, path))
        return 2
    if not tasks:
        print(f"{path} defines no exercise: name = Exercise(...) at its top level")
        return 2
    bad = 0
    for task in tasks:
        found = list({AGAIN.sub("", text): text for text in reversed(list(_faults(task, path)))}.values())[::-1]
        alive = list(survivors(task)) if isinstance(task, Exercise) and not found else []
        bad += bool(found)
        count = f"{len(found)} fault{'s' * (len(found) > 1)}" if found else "passes"
        print(f"{task.name} ({task.kind}): {count}")
        print("".join(f"  - {text}\n" for text in found[:10]), end="")
        print(f"  - and {len(found) - 10} more\n" if len(found) > 10 else "", end="")
        if alive:
            print("  its cases let these answers pass; where one is wrong, add a case that shows it:")
            print("".join(f"{_indented(code)}\n" for code in alive))
    if not bad:
        print(f"next: check.add({tasks[0].name}={tasks[0].name}), or a cell of a chapter with\n\n{tasks[0].stub}")
    return 1 if bad else 0


def tasks_of(path: pathlib.Path) -> list[Task]:
    """The exercises that a file defines, with their names."""
    spec = importlib.util.spec_from_file_location(f"exercises_of_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # a dataclass asks there for its module
    sys.path.insert(0, str(path.absolute().parent))  # as for any file that Python runs: what lies beside it is found
    spec.loader.exec_module(module)
    found = [(name, task) for name, task in vars(module).items() if isinstance(task, Task)]
    for name, task in found:
        task.name, task.chapter = name, "mine"
    return [task for _, task in found]


def _faults(task: Task, path: pathlib.Path) -> Iterator[str]:
    """What is wrong with an exercise; what the tests themselves did not expect ends them."""
    try:
        yield from faults(task, range(SEEDS))
    except (Exception, SystemExit) as error:
        yield f"it cannot be tested: {_stopped(error, path)}"


def _stopped(error: BaseException, path: pathlib.Path) -> str:
    """The last line of the teacher's own file that ran, and what happened there."""
    if isinstance(error, SyntaxError):
        return f"{path} cannot be read: {error}"
    own = [step for step in traceback.extract_tb(error.__traceback__) if step.filename == str(path.absolute())]
    at = f" in line {own[-1].lineno}, {own[-1].line}" if own else ""
    return f"{path} stops{at}: {error!r}"


def _indented(code: str) -> str:
    return "\n".join(f"      {line}" for line in code.splitlines())


def why_not(out: pathlib.Path, root: pathlib.Path) -> str:
    """Why no chapter of the book in root can be handed out there; nothing where one can."""
    if any("\ud800" <= sign <= "\udfff" for sign in str(out)):
        return f"{out} is no name in UTF-8: choose another one"
    if out.suffix != ".ipynb":
        return f"{out} must end with .ipynb, as class_09.ipynb does"
    if not out.parent.is_dir():
        return f"there is no folder {out.parent}"
    if out.resolve().is_relative_to((root / "notebooks").resolve()):
        return f"{out} lies among the chapters of the book: choose another folder"
    return f"{out} is there already: remove it, or choose another name" if os.path.lexists(out) else ""


def hand_out(path: pathlib.Path, out: pathlib.Path) -> None:
    """A chapter without its folded answers, the functions that answer, and what its cells have shown.

    The cells of exercises and questions are as in the book, whatever was answered there. The copy stands alone: it
    begins with what a student does first, ends with what the map says of the kinds of exercises, and has no links to
    other chapters.
    """
    chapter = copy.deepcopy(notebooks.read(path))
    quoted = out.name if re.fullmatch(r"[\w.-]+", out.name) else f'"{out.name}"'
    first, kinds, more = map_of_the_book.EXERCISES.partition("| kind |")
    chapter["cells"] = [
        _cell("markdown", "first", FIRST.format(out=quoted, exercises=first.strip())),
        _cell("code", "first-name", NAMED) | {"outputs": [], "execution_count": None},
        *_without_answers(chapter["cells"]),
        _cell("markdown", "last", f"## More on the exercises\n\n{kinds}{more}".strip()),
    ]
    write_atomically(out, (json.dumps(chapter, ensure_ascii=False, indent=1) + "\n").encode())


def _cell(kind: str, id: str, source: str) -> dict[str, Any]:
    return {"cell_type": kind, "id": id, "metadata": {}, "source": source}


def _without_answers(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for cell in cells:
        source = notebooks.text(cell["source"])
        if cell["cell_type"] == "markdown":
            alone = ELSEWHERE.sub(r"\1", AROUND.sub("", source))
            if (left := FOLDED.sub("\n\n", alone)).strip():
                yield cell | {"source": left}
        elif not re.match(r"fold\(", source):
            answers = source.startswith("# answers") and not re.search(r"^check\.|^plotting\.", source, re.MULTILINE)
            left = _packed(source) if answers else _with_dots(source)
            yield cell | {"source": left, "outputs": [], "execution_count": None}


def _with_dots(source: str) -> str:
    """The cell of an exercise, or of a question, as the book has it; any other cell as it is."""
    stubs = {task.name: task.stub for task in listing()}
    for name, question in ASKED.findall(source):
        stub = f'check.before("{question}", ...)' if name == "before" else stubs.get(name)
        if stub is not None:
            first, told = re.findall(r"\A# .*\n", source), re.findall(r"(?<=\))  # .*\Z", source)
            return "".join([*first, stub, *told])
    return source


def _packed(source: str) -> str:
    """A cell that answers, and may make names that later cells need: it runs, and does not show itself."""
    code = base64.b85encode(zlib.compress(source.encode())).decode()
    told = "# an answer of the book, hidden on purpose: it runs for the cells below"
    return f"{told}\nimport base64, zlib\n\nexec(zlib.decompress(base64.b85decode({code!r})))"


def progress(numbers: dict[str, str], chapter: str = "") -> Iterator[str]:
    """A line for each reader who keeps his verdicts; numbers: that of each exercise, by name, or of one chapter's.

    LINMODELS_READER may name a folder, too, into which a teacher has put the files of his students.
    """
    place = reader.path()
    files = sorted(place.glob("*.json")) if place.is_dir() else [place]
    if os.environ.get("LINMODELS_READER") and not (files and files[0].is_file()):
        yield f"{place}, which LINMODELS_READER names, {'holds no file *.json' if place.is_dir() else 'is not there'}"
    yield from (f"{file.name}: no verdicts can be read" for file in files if file.is_file() and not reader.stored(file))
    kept = [(file.name, *each) for file in files for each in reader.stored(file).items() if each[0]]
    for file, called, verdicts in kept:
        told = [_solved(verdicts, numbers, chapter), *_alike(file, called, verdicts, kept)]
        told += [] if chapter or place.is_dir() else [_next(verdicts, numbers)]
        yield f"{_shown(called)}{f' ({file})' if place.is_dir() else ''}: {'; '.join(told)}"


def _shown(name: str) -> str:
    """A name on its line: no break and no other sign of it does anything to the list."""
    return name if name.isprintable() else repr(name)


def _solved(verdicts: reader.Verdicts, numbers: dict[str, str], chapter: str) -> str:
    """How many are solved, and which of a chapter are not."""
    dates = {name: verdict["solved"] for name, verdict in verdicts.items() if "solved" in verdict}
    done = [name for name in numbers if name in dates]
    others = len(dates) - len(done)
    if chapter:
        tried = [f"{name} ({verdicts[name]['tries']})" for name in numbers if name in verdicts and name not in dates]
        count = f"{len(done)} of {len(numbers)} in {chapter} solved"
        return "; tried, not solved: ".join([count, *([", ".join(tried)] if tried else [])])
    outside = f", and {others} from outside the book" if others else ""
    return f"{len(done)} of {len(numbers)} solved{outside}"


def _next(verdicts: reader.Verdicts, numbers: dict[str, str]) -> str:
    """The first that is open after the one that was solved last, or from the beginning."""
    dates = {name: verdicts[name]["solved"] for name in numbers if "solved" in verdicts.get(name, {})}
    latest, names = max(dates, key=lambda name: dates[name], default=""), list(numbers)
    after = names[names.index(latest) :] + names if latest else names
    coming = next((name for name in after if name not in dates), None)
    told = "next after the last one solved" if latest else "next"
    return f"{told}: {numbers[coming]} {coming}" if coming else "nothing is left"


def _alike(file: str, called: str, verdicts: reader.Verdicts, kept: list[Kept]) -> Iterator[str]:
    """Numbers that are not his own, another file with this name, and another reader with just these verdicts."""
    words = {verdict["numbers"] for verdict in verdicts.values() if "numbers" in verdict} - {called}
    yield from (f"with the numbers of {word!r}" for word in sorted(words))
    for other_file, other, theirs in kept:
        if other_file != file and other == called:
            yield f"this name stands in {other_file}, too"
        elif other != called and theirs == verdicts and len(verdicts) >= FEW:
            yield f"the same verdicts, tries and days as {_shown(other)} ({other_file})"

"""A teacher's door: try an exercise of one's own, hand out a chapter without its answers, see who has solved what."""

from __future__ import annotations

import base64
import copy
import importlib.util
import json
import pathlib
import re
import zlib
from collections.abc import Iterator
from typing import Any

from linmodels.book import notebooks
from linmodels.exercises import Exercise, Task
from linmodels.exercises.grading.reader import stored
from linmodels.exercises.grading.trial import faults, survivors
from linmodels.pictures import write_atomically

SEEDS = 30
FOLDED = re.compile(r"\n*<details><summary>.*?</details>\n*", re.DOTALL)


def try_file(path: pathlib.Path) -> int:
    """The book's own tests on the exercises of a file, and the wrong answers that their cases let pass."""
    tasks = tasks_of(path)
    if not tasks:
        print(f"{path} defines no exercise: name = Exercise(...) at its top level")
        return 2
    bad = 0
    for task in tasks:
        found = list(faults(task, range(SEEDS)))
        alive = list(survivors(task)) if isinstance(task, Exercise) and not found else []
        bad += bool(found)
        print(f"{task.name} ({task.kind}): " + ("passes" if not found else f"{len(found)} faults"))
        once = list({re.sub(r"^seed \d+: ", "", text): text for text in reversed(found)}.values())[::-1]
        print("".join(f"  - {text}\n" for text in once[:10]), end="")
        print(f"  - and {len(once) - 10} more\n" if len(once) > 10 else "", end="")
        if alive:
            print("  its cases let these answers pass; where one is wrong, add a case that shows it:")
            print("".join(f"{_indented(code)}\n" for code in alive))
    if not bad:
        print(f"next: check.add({tasks[0].name}={tasks[0].name}), or a cell of a chapter with\n\n{tasks[0].stub}")
    return 1 if bad else 0


def tasks_of(path: pathlib.Path) -> list[Task]:
    """The exercises that a file defines, with their names."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = [(name, task) for name, task in vars(module).items() if isinstance(task, Task)]
    for name, task in found:
        task.name, task.chapter = name, "mine"
    return [task for _, task in found]


def _indented(code: str) -> str:
    return "\n".join(f"      {line}" for line in code.splitlines())


def hand_out(path: pathlib.Path, out: pathlib.Path) -> None:
    """A chapter without its folded answers, the functions that answer, and what its cells have shown."""
    chapter = copy.deepcopy(notebooks.read(path))
    chapter["cells"] = list(_without_answers(chapter["cells"]))
    write_atomically(out, (json.dumps(chapter, ensure_ascii=False, indent=1) + "\n").encode())


def _without_answers(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for cell in cells:
        source = notebooks.text(cell["source"])
        if cell["cell_type"] == "markdown":
            yield cell | {"source": FOLDED.sub("\n\n", source)}
        elif not re.match(r"fold\(", source):
            packed = _packed(source) if source.startswith("# answers exercise") else source
            yield cell | {"source": packed, "outputs": [], "execution_count": None}


def _packed(source: str) -> str:
    """A cell that answers an exercise, and makes names that later cells need: it runs, and cannot be read."""
    code = base64.b85encode(zlib.compress(source.encode())).decode()
    return f"import base64, zlib\n\nexec(zlib.decompress(base64.b85decode({code!r})))  # an answer, packed"


def solved() -> dict[str, dict[str, str]]:
    """Of each reader who keeps his verdicts: the exercises that he has solved, and when."""
    return {
        reader: {name: verdict["solved"] for name, verdict in verdicts.items() if "solved" in verdict}
        for reader, verdicts in stored().items()
        if reader
    }


def progress(numbers: dict[str, str]) -> Iterator[str]:
    """A line for each reader: how many are solved, and which is next; numbers: that of each exercise, by name."""
    for reader, dates in solved().items():
        done = [name for name in numbers if name in dates]
        latest = max(done, key=lambda name: dates[name], default="")
        names = list(numbers)
        after = names[names.index(latest) :] + names if latest else names
        coming = next((name for name in after if name not in dates), None)
        then = f"next: {numbers[coming]} {coming}" if coming else "nothing is left"
        yield f"{reader}: {len(done)} of {len(numbers)} solved; {then}"

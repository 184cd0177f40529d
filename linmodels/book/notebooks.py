"""Notebooks as files: what stands in their cells, and the normal form in which they are committed.

Read as plain JSON, so that `linmodels find` and the ledger's tests need no Jupyter.
"""

from __future__ import annotations

import difflib
import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any

FIGURE = re.compile(r"\[figure (\w+): (.*)\]")  # the repr of plotting.Picture
HEADING = re.compile(r"^#+ (.*)", re.MULTILINE)
FOLDS = {"hide-input": "source_hidden", "hide-output": "outputs_hidden"}  # the site's tag: JupyterLab's word for it
WIDGET = "application/vnd.jupyter.widget-view+json"  # what a kernel moves; without one the picture beside it is seen
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}

Notebook = dict[str, Any]


class UnknownChapter(Exception):
    """What was asked for, and what there is."""


BACK = "as it is in the book, without your answers, you get it back by: git checkout HEAD -- notebooks/"


class Unreadable(Exception):
    """Which file is no notebook, and why."""


def read(path: pathlib.Path) -> Notebook:
    """The notebook as stored."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise Unreadable(f"notebooks/{path.name} cannot be read as a notebook: {problem}; {BACK}{path.name}") from None
    if not isinstance(stored, dict) or not isinstance(stored.get("cells"), list):
        raise Unreadable(f"notebooks/{path.name} cannot be read as a notebook: it has no cells; {BACK}{path.name}")
    return stored


def is_chapter(path: str) -> bool:
    """Is this, seen from the clone, the path of a chapter?"""
    return re.fullmatch(r"notebooks/\d\d_\w+\.ipynb", path.strip("/")) is not None


def chapters(root: pathlib.Path) -> list[pathlib.Path]:
    """The chapters of the book that are written, in order."""
    return sorted((root / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def select(paths: list[pathlib.Path], words: list[str]) -> list[pathlib.Path]:
    """The chapters called by number ("9", "09"), name or part of it; all of them without words."""
    chosen = {path for word in words for path in _chapters_called(paths, word)}
    return [path for path in paths if path in chosen or not words]


def _chapters_called(paths: list[pathlib.Path], word: str) -> list[pathlib.Path]:
    wanted = pathlib.PureWindowsPath(word).name.removesuffix(".ipynb").lower()
    if wanted.isdecimal():
        found = [path for path in paths if int(path.stem[:2]) == int(wanted)]
    else:
        exact = [path for path in paths if wanted in (path.stem, path.stem[3:])]
        found = exact or [path for path in paths if wanted.strip("_") and wanted in path.stem]
    if not found:
        raise UnknownChapter(f"no chapter is called {word!r}; {_near(wanted, paths)}")
    return found


def _near(wanted: str, paths: list[pathlib.Path]) -> str:
    words = {word: path.stem for path in paths for word in (*path.stem[3:].split("_"), path.stem[3:])}
    if near := difflib.get_close_matches(wanted, words, n=2, cutoff=0.76):
        return f"did you mean {' or '.join(dict.fromkeys(words[word] for word in near))}?"
    there = f"there are {paths[0].stem} to {paths[-1].stem}" if paths else "there are none"
    return f"{there}; a number or a part of the name is enough; `linmodels find` looks for any other word"


def text(value: str | list[str]) -> str:
    """A source or an output: the format allows one string or a list of lines."""
    return value if isinstance(value, str) else "".join(value)


def is_run(cell: dict[str, Any]) -> bool:
    """Is this a cell that a run executes?"""
    return cell["cell_type"] == "code" and bool(text(cell["source"]).strip())


def sections(notebook: Notebook) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each cell with the heading it stands under."""
    heading = ""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown" and (found := HEADING.search(text(cell["source"]))):
            heading = found[1]
        yield heading, cell


def displays(notebook: Notebook) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each (cell, output) that shows data of some type."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if "data" in output:
                yield cell, output


def figures(notebook: Notebook) -> list[tuple[str, str]]:
    """The (name, alternative text) of the figures it shows, in order."""
    shown = (FIGURE.fullmatch(text(output["data"].get("text/plain", ""))) for _, output in displays(notebook))
    return [(match[1], match[2]) for match in shown if match]


def normalize(notebook: Notebook, number: str) -> Notebook:
    """The executed notebook without anything that changes from run to run or from machine to machine."""
    cells = [_normal_cell(cell, number) for cell in notebook["cells"]]
    for count, cell in enumerate(filter(is_run, cells), start=1):
        cell["execution_count"] = count
        for output in cell["outputs"]:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count
    metadata = {"kernelspec": dict(KERNEL), "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _normal_cell(cell: dict[str, Any], number: str) -> dict[str, Any]:
    name, prefix = cell["id"], f"ch{number}-"
    kept = {
        "cell_type": cell["cell_type"],
        "id": name if name.startswith(prefix) else prefix + name,  # a cell added in JupyterLab has a random id
        "metadata": _normal_metadata(cell["metadata"]),
        "source": text(cell["source"]),
    }
    if cell["cell_type"] == "code":
        outputs = [_normal_output(output) for output in cell["outputs"]] if is_run(cell) else []
        kept |= {"execution_count": None, "outputs": _merge_streams(outputs)}
    return kept


def _normal_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    """Tags, and the folds that they ask for: a fold that a reader opened, or made, is not kept."""
    tags = metadata.get("tags", [])
    folded = {part: True for tag, part in FOLDS.items() if tag in tags}
    return ({"tags": tags} if tags else {}) | ({"jupyter": folded} if folded else {})


def _normal_output(output: dict[str, Any]) -> dict[str, Any]:
    if "data" not in output:
        return dict(output)
    image = output.get("metadata", {}).get("image/png", {})
    kept = {key: image[key] for key in ("alt", "width") if key in image}
    data = {kind: value for kind, value in output["data"].items() if kind != WIDGET}
    return dict(output) | {"data": data, "metadata": {"image/png": kept} if kept else {}}


def _merge_streams(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Neighboring pieces of one stream become one: where the kernel cut them is chance."""
    merged: list[dict[str, Any]] = []
    for output in outputs:
        last = merged[-1] if merged else {}
        if output["output_type"] == "stream" and last.get("name") == output["name"]:
            last["text"] = text(last["text"]) + text(output["text"])
        else:
            merged.append(output)
    return merged


def to_bytes(notebook: Notebook) -> bytes:
    """The file as nbformat writes it: sorted keys, texts as lists of lines, one newline at the end."""
    cells = [_split_cell(cell) for cell in notebook["cells"]]
    stored = json.dumps(notebook | {"cells": cells}, ensure_ascii=False, indent=1, sort_keys=True)
    return (stored + "\n").encode("utf-8")


def _split_cell(cell: dict[str, Any]) -> dict[str, Any]:
    split = cell | {"source": _lines(cell["source"])}
    return split | {"outputs": [_split_output(o) for o in cell["outputs"]]} if "outputs" in cell else split


def _split_output(output: dict[str, Any]) -> dict[str, Any]:
    if "text" in output:
        return output | {"text": _lines(output["text"])}
    if "data" not in output:
        return output
    data = output["data"].items()
    return output | {"data": {kind: value if kind == "image/png" else _lines(value) for kind, value in data}}


def _lines(value: str | list[str]) -> list[str]:
    return text(value).splitlines(keepends=True)

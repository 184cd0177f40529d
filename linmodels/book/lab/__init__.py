"""The verb `lab`: JupyterLab for one reading of the book, with settings of its own; the reader's stay as they are.

``overrides.json`` lets a link arrive at its cell (windowing mode ``defer``) and asks no server for news. On a busy
computer the first click on a link to a closed chapter may still come too early, in every mode. The hook saves a chapter
in the form in which the book keeps it, so that to open and to save it changes nothing.
"""

from __future__ import annotations

import pathlib
from typing import Any

from linmodels.book import notebooks

HERE = pathlib.Path(__file__).parent
HOOK = f"{__name__}.save_in_normal_form"


def command(chapter: pathlib.PurePath | None, options: list[str]) -> list[str]:
    """What Python is told in order to open the chapter, a path below the current folder, or only the folder."""
    settings = [f"--LabApp.app_settings_dir={HERE}", f"--ContentsManager.pre_save_hook={HOOK}"]
    if chapter:  # in the address that is printed, too, which --no-browser leaves to the reader
        settings.append(f"--LabApp.default_url=/lab/tree/{chapter.as_posix()}")
    return ["-m", "jupyterlab", "--ServerApp.root_dir=.", *settings, *options, *([str(chapter)] if chapter else [])]


def save_in_normal_form(model: dict[str, Any], path: str, **_: Any) -> None:
    """Before a chapter is saved: nothing of this Python, this kernel or this session stays in it. Called by Jupyter.

    So the whole chapter may be run and saved, and only what the reader has written differs from the book's.
    """
    if model["type"] == "notebook" and notebooks.is_chapter(path) and isinstance(model.get("content"), dict):
        model["content"] = notebooks.normalize(model["content"], pathlib.PurePosixPath(path).name[:2])

"""The book as a thing on disk: its ledger, its runner and its command line.

This file imports nothing heavy, because ``plotting`` and every command start here.
"""

from __future__ import annotations

import pathlib
import tomllib

TIMEOUT = 120  # seconds for one cell; a whole chapter is meant to take five


def find_root(start: pathlib.Path | None = None) -> pathlib.Path | None:
    """The clone of the book that holds ``start`` (default: the current folder), or None outside of one."""
    here = (start or pathlib.Path.cwd()).resolve()
    return next((folder for folder in (here, *here.parents) if _is_book(folder)), None)


def _is_book(folder: pathlib.Path) -> bool:
    project = folder / "pyproject.toml"
    if not (project.is_file() and (folder / "notebooks").is_dir()):
        return False
    try:  # the name is asked for, so that `linmodels run` never rewrites the notebooks of another project
        return tomllib.loads(project.read_text(encoding="utf-8"))["project"]["name"] == "linmodels"
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return False

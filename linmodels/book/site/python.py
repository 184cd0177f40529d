"""Where the pages get Python from: Pyodide, from the site itself or from an address, and the library as one script."""

from __future__ import annotations

import base64
import io
import json
import pathlib
import shutil
import zipfile
import zlib
from functools import cache
from typing import Any

import linmodels

VERSION = "0.27.7"  # of Pyodide: Python 3.12 and NumPy 2.0.2, the last that starts in a worker of a page from a folder
ADDRESSES = [f"https://{host}/pyodide/v{VERSION}/full/" for host in ("cdn.jsdelivr.net", "fastly.jsdelivr.net")]
CORE = ["pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]
PACKAGES = ["numpy", "matplotlib"]
MEGABYTES = "9 to 17"  # that a reader's browser fetches at the first Run, as the host packs what it sends or not
BYTES = 15_600_000  # what they are unpacked, as the worker counts them
OF_THE_BOOK = ["__init__.py", "notebooks.py", "ledger.py", "ledger.json", "site/__init__.py", "site/session.py"]


class NoPython(Exception):
    """What a folder lacks."""


def files(folder: pathlib.Path) -> list[pathlib.Path]:
    """What the pages need of a folder that holds Pyodide; a sentence on what it lacks instead, as NoPython."""
    missing = [name for name in CORE if not (folder / name).is_file()]
    if missing:
        raise NoPython(f"{folder} holds no Pyodide: {', '.join(missing)} missing; unpack its release {VERSION} there")
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    if lock["info"]["version"] != VERSION:
        raise NoPython(f"{folder} holds Pyodide {lock['info']['version']}; the pages are made for {VERSION}")
    wanted = [lock["packages"][name]["file_name"] for name in _with_what_they_need(lock["packages"], PACKAGES)]
    missing = [name for name in wanted if not (folder / name).is_file()]
    if missing:
        raise NoPython(f"{folder} lacks {', '.join(missing)}, which its release has")
    return [folder / name for name in [*CORE, *wanted]]


def _with_what_they_need(packages: dict[str, Any], names: list[str]) -> list[str]:
    """Packages, and those that they depend on, each once."""
    found = dict.fromkeys(names)
    todo = list(found)
    while todo:
        new = [name for name in packages[todo.pop()]["depends"] if name not in found]
        found |= dict.fromkeys(new)
        todo += new
    return list(found)


def put(out: pathlib.Path, folder: pathlib.Path | None) -> None:
    """The library into the built site and, where a folder is named, Python."""
    (out / "_static" / "linmodels.js").write_text(f'self.LINMODELS = "{packed()}";\n', encoding="ascii")
    if folder:
        target = out / "_static" / "python"
        target.mkdir(exist_ok=True)
        for file in files(folder):
            shutil.copy(file, target / file.name)


@cache
def packed() -> str:
    """The library as an archive in base64: a page that was opened from a folder can read a script and nothing else."""
    root = pathlib.Path(linmodels.__file__).parent
    chosen = [file for file in root.rglob("*.py") if "book" not in file.relative_to(root).parts]
    chosen += [*root.glob("data/*"), *(root / "book" / name for name in OF_THE_BOOK)]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(chosen):
            info = zipfile.ZipInfo(
                f"linmodels/{file.relative_to(root).as_posix()}"
            )  # of 1980: the same bytes every time
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, file.read_bytes())
    return base64.b64encode(out.getvalue()).decode("ascii")


def for_the_page(chapter: str, cells: list[dict[str, Any]], static: str, own: bool) -> str:
    """What the page's script reads: the chapter's cells, and where Python is."""
    told = {
        "chapter": chapter,
        "cells": cells,
        # with its sum: else a browser takes the one that it has kept of an older edition
        "library": f"{static}linmodels.js?v={zlib.crc32(packed().encode()):x}",
        "addresses": [f"{static}python/"] * own + ADDRESSES,
        "megabytes": MEGABYTES,
        "bytes": BYTES,
    }
    text = json.dumps(told).replace("<", "\\u003c")  # so that no tag and no comment of a cell ends the script
    return f'<script type="application/json" id="cells">{text}</script>'

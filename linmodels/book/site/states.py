"""The states of the live cells: every picture that their sliders can ask for, drawn when the site is built.

They are drawn beside Sphinx, and kept in build/states of the clone, which may be deleted: each under the sum of the
chapter's code and of the library, so that a second build draws nothing again.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from importlib.metadata import version

import linmodels
from linmodels.book import notebooks
from linmodels.book.site.session import Session
from linmodels.pictures import SAVED, in_few_colors

KEPT, DRAFT = "build/states", "tmp"


def live(path: pathlib.Path) -> dict[str, str]:
    """The live cells of a chapter, each with the name of its figure."""
    code = {c["id"]: notebooks.text(c["source"]) for c in notebooks.read(path)["cells"] if c["cell_type"] == "code"}
    return {
        id: SAVED.findall(source)[-1] for id, source in code.items() if re.search(r"^plotting\.live\(", source, re.M)
    }


@contextlib.contextmanager
def drawing(root: pathlib.Path, wanted: bool = True) -> Iterator[list[Future[pathlib.Path]]]:
    """Draw the states of all live cells while the block runs, as many at a time as there are cores."""
    from linmodels.book.runner import cores  # loads Jupyter, which who draws does without

    _sweep(root / KEPT)
    asked = [(path, id) for path in notebooks.chapters(root) for id in live(path) if wanted]
    pool = ThreadPoolExecutor(cores())
    futures = [pool.submit(drawn, path, id, root / KEPT) for path, id in asked]
    for future in futures:
        future.add_done_callback(_say)
    try:
        yield futures
    finally:
        pool.shutdown(cancel_futures=True)


def _sweep(kept: pathlib.Path) -> None:
    """Remove the drafts that a killed build has left: older than an hour, for another build may be drawing its own."""
    for draft in kept.glob(f"{DRAFT}*"):
        with contextlib.suppress(OSError):
            if time.time() - draft.stat().st_mtime > 3600:
                shutil.rmtree(draft)


def _say(future: Future[pathlib.Path]) -> None:
    if not future.cancelled() and not future.exception():
        folder = future.result()
        print(f"the sliders of {folder.name}: {len(list(folder.glob('*.png')))} pictures", flush=True)


def put(futures: Iterable[Future[pathlib.Path]], out: pathlib.Path) -> None:
    """The states into the site, when they are drawn."""
    for future in futures:
        folder = future.result()
        shutil.copytree(folder, out / "_static" / "live" / folder.name, dirs_exist_ok=True)


def drawn(path: pathlib.Path, cell: str, kept: pathlib.Path) -> pathlib.Path:
    """The folder with the states of a live cell, a PNG for each, and a script that tells them; drawn if it is new.

    Another process draws.
    """
    folder = kept / live(path)[cell]
    key = f"// {_sum(path)}\n"
    told = folder / "states.js"

    def there() -> bool:
        return told.is_file() and told.read_text(encoding="utf-8").startswith(key)

    if not there():
        shutil.rmtree(folder, ignore_errors=True)
        kept.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=DRAFT, dir=kept) as temporary:
            draft = pathlib.Path(temporary, folder.name)
            draft.mkdir()
            env = {name: value for name, value in os.environ.items() if name != "LINMODELS_FIGURES"}
            command = [sys.executable, "-m", __name__, str(path), cell, str(draft)]
            env["OPENBLAS_NUM_THREADS"] = "1"
            done = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=False)
            if done.returncode:
                raise RuntimeError(f"the live cell {cell} of {path.name} cannot be drawn: {done.stderr}")
            script = (draft / told.name).read_text(encoding="utf-8")
            (draft / told.name).write_text(key + script, encoding="utf-8")
            try:
                draft.rename(folder)
            except OSError:  # not empty: another build was faster
                if not there():
                    raise
    return folder


def _sum(path: pathlib.Path) -> str:
    """What the states depend on: the chapter's code, the library, and what runs and draws it."""
    code = [notebooks.text(cell["source"]) for cell in notebooks.read(path)["cells"] if cell["cell_type"] == "code"]
    return hashlib.sha256("\n".join([_library(), *code]).encode()).hexdigest()


@cache
def _library() -> str:
    root = pathlib.Path(linmodels.__file__).parent
    files = [*root.glob("*.py"), *root.glob("solvers/*.py"), *root.glob("guards/*.py"), *root.glob("data/*")]
    files += [pathlib.Path(__file__), pathlib.Path(__file__).with_name("session.py")]
    found = hashlib.sha256(f"numpy {version('numpy')}, matplotlib {version('matplotlib')}".encode())
    for file in sorted(file for file in files if file.is_file()):
        found.update(file.read_bytes())
    return found.hexdigest()


def draw(path: pathlib.Path, cell: str, folder: pathlib.Path) -> None:
    """Run what a live cell needs; write the picture of each state, and the script that tells them."""
    heard: list[str] = []
    session = Session(heard.append)
    sources = [
        (c["id"], notebooks.text(c["source"])) for c in notebooks.read(path)["cells"] if c["cell_type"] == "code"
    ]
    plan = session.plan(json.dumps([{"id": id, "source": source} for id, source in sources]), cell)
    *above, last = json.loads(plan)["order"]
    if not (all(session.run(k, quiet=True) for k in above) and session.run(last)):
        raise SystemExit(json.loads(heard[-1])["text"])
    (found,) = session.live.values()
    alts = {}
    for places in itertools.product(*(range(len(slider["told"])) for slider in found.sliders)):
        state, picture = "-".join(map(str, places)), found.at(places)
        alts[state] = picture.alt
        (folder / f"{state}.png").write_bytes(in_few_colors(picture.png))
    told = json.dumps({"sliders": found.sliders, "alts": alts}, ensure_ascii=False)
    base = 'document.currentScript.src.replace(/[^/]*$/, "")'
    script = f'(self.LIVE ??= {{}})["{found.name}"] = {{ ...{told}, base: {base} }};\n'
    (folder / "states.js").write_text(script, encoding="utf-8")


if __name__ == "__main__":
    draw(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]))

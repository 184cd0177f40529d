"""Executes chapters: one kernel each, as many at a time as there are cores.

A file is replaced in whole, and only when every cell of its chapter has run: the figures, and then the notebook.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import os
import pathlib
import re
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any

import nbformat
from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from traitlets.config import Config

from linmodels.book import asked, errata, figures, notebooks
from linmodels.book import map as book_map
from linmodels.pictures import SHEET, write_together

SETTINGS = Config({"KernelManager": {"transport_encryption": "auto"}})  # silences a warning of ipykernel >= 7.3
ANSI = re.compile(r"\x1b\[[0-9;]*m")


class ChapterFailed(Exception):
    """Why a chapter could not be executed, in words for the reader."""


@dataclass(frozen=True)
class Outcome:
    """What became of one chapter: its figures' verdicts, or what went wrong."""

    chapter: str
    seconds: float
    verdicts: list[figures.Verdict] = field(default_factory=list)
    error: str | None = None


class ThisPython(KernelSpecManager):
    """The kernel is the Python that runs us: a "python3" kernel installed elsewhere may not know linmodels."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())


class Kernels:
    """The kernels at work, so that Ctrl-C can end them at once."""

    def __init__(self) -> None:
        self.stopped = False
        self._clients: set[NotebookClient] = set()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def at_work(self, client: NotebookClient) -> Iterator[None]:
        """Keep ``client`` on the list while the block runs."""
        with self._lock:
            self._clients.add(client)
        try:
            yield
        finally:
            with self._lock:
                self._clients.discard(client)

    def kill(self) -> None:
        """End all kernels; a chapter that goes on regardless is refused at its next cell."""
        self.stopped = True
        with self._lock:
            for client in self._clients:
                process = getattr(getattr(client.km, "provisioner", None), "process", None)
                if process is not None and process.poll() is None:
                    process.kill()


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _find_place_for_matplotlib() -> None:
    """Where the home is closed to writing, Matplotlib takes a temporary folder, and says so: here, not in a chapter.

    It names the folder in MPLCONFIGDIR, which the kernels inherit.
    """
    log = logging.getLogger("matplotlib")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        import matplotlib

        matplotlib.get_configdir()
        matplotlib.get_cachedir()
    finally:
        log.setLevel(level)


def execute(path: pathlib.Path, folder: pathlib.Path, kernels: Kernels, timeout: int, picture: str = "png") -> Any:
    """The notebook at ``path`` executed in a fresh kernel, which saves its figures in ``folder``."""
    cell: dict[str, Any] = {"id": "?", "source": ""}
    client = _client(_read_chapter(path), path.parent, timeout, lambda running: _record_cell(cell, running, kernels))
    threads = {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}
    saving = {"LINMODELS_FIGURES": str(folder), "LINMODELS_FIGURE_FORMAT": picture}
    # without the reader's IPython profile, which may print otherwise, and whose folder may be closed to writing
    private = {"IPYTHONDIR": str(folder / "ipython"), "PYTHONSTARTUP": ""}
    _find_place_for_matplotlib()
    _require_loopback(path)
    try:
        with kernels.at_work(client):
            asyncio.run(client.async_execute(env={**os.environ, **threads, **saving, **private}))
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as problem:
        raise ChapterFailed(_explain(problem, path, cell, timeout)) from None
    finally:
        atexit.unregister(client._cleanup_kernel)  # nbclient forgets it when a kernel dies as it starts
    _check_figures(path, client.nb, folder)
    return client.nb


def _require_loopback(path: pathlib.Path) -> None:
    """A kernel is spoken to over 127.0.0.1: where that is shut, each would be waited for, a minute long, in vain."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname(), timeout=10).close()
    except OSError as problem:
        raise ChapterFailed(
            f"notebooks/{path.name}: no kernel can be reached at 127.0.0.1 ({problem.strerror or problem}); the "
            "network device lo must be up, and open to connections from here to here"
        ) from None


def _read_chapter(path: pathlib.Path) -> Any:
    if path.name == book_map.FILE:
        return nbformat.from_dict(book_map.build(path.parent.parent))  # never read: it is made anew
    try:
        chapter = nbformat.read(path, as_version=4)
        if path.name == errata.FILE:
            errata.fill(chapter)
        return chapter
    except (OSError, ValueError, AttributeError, nbformat.ValidationError) as problem:
        what = (str(problem).splitlines() or [type(problem).__name__])[0]
        raise ChapterFailed(f"notebooks/{path.name} cannot be read as a notebook: {what[:200]}") from None


def _client(notebook: Any, folder: pathlib.Path, timeout: int, on_cell: Callable[[Any], None]) -> NotebookClient:
    client = NotebookClient(
        notebook,
        timeout=timeout,
        shutdown_kernel="immediate",
        resources={"metadata": {"path": str(folder)}},
        config=SETTINGS,
        on_cell_execute=lambda cell, cell_index: on_cell(cell),
    )
    client.create_kernel_manager().kernel_spec_manager = ThisPython()
    return client


def _record_cell(note: dict[str, Any], cell: Any, kernels: Kernels) -> None:
    if kernels.stopped:
        raise DeadKernelError("stopped")
    note.update(id=cell.id, source=cell.source)


def _explain(problem: Exception, path: pathlib.Path, cell: dict[str, Any], timeout: int) -> str:
    where = f"notebooks/{path.name}, cell {cell['id']}"
    if isinstance(problem, CellTimeoutError):
        return f"{where}: still running after {timeout} s"
    if isinstance(problem, CellExecutionError):
        return _explain_exception(problem, where, cell["source"].splitlines())
    return f"{where}: the kernel died (out of memory, or ended from outside)"


def _explain_exception(problem: CellExecutionError, where: str, lines: list[str]) -> str:
    """Names the line of the cell that raised: in the traceback, the frame of this cell comes first."""
    frame = re.search(r"Cell In.*?line (\d+)", ANSI.sub("", problem.traceback))
    message = re.sub(r"\s*\(\d+\.py, line \d+\)$", "", ANSI.sub("", problem.evalue))  # IPython's name for the cell
    number = int(frame[1]) if frame else 0
    if not 1 <= number <= len(lines):
        return f"{where}: {problem.ename}: {message}"
    return f"{where}, line {number}: {problem.ename}: {message}\n    {lines[number - 1].strip()}"


def run_chapter(path: pathlib.Path, folder: pathlib.Path, kernels: Kernels, timeout: int) -> list[figures.Verdict]:
    """Execute a chapter and take its figures and its outputs into the book."""
    executed = execute(path, folder, kernels, timeout)
    stored = notebooks.to_bytes(asked.written(notebooks.normalize(executed, path.name[:2])))
    if kernels.stopped:
        raise ChapterFailed("stopped")
    committed = path.parent.parent / "figures"
    verdicts = figures.compare(folder, committed, [path.stem])
    changes = figures.to_write(verdicts, folder, committed)
    if not path.is_file() or path.read_bytes() != stored:
        changes[path] = stored
    try:
        write_together(changes)
    except OSError as problem:
        raise ChapterFailed(f"{path.name} ran, but cannot be taken in: {problem}") from None
    return verdicts


def _check_figures(path: pathlib.Path, executed: Any, folder: pathlib.Path) -> None:
    """A figure is named after its chapter, drawn once, and shown: else the book could not tell what is stale."""
    shown = [name for name, _ in notebooks.figures(executed)]
    for name in sorted({file.stem.removesuffix(SHEET) for file in folder.glob("*.png")}):
        if not name.startswith(f"{path.stem}_"):
            raise ChapterFailed(f"notebooks/{path.name}: figure {name} must be named {path.stem}_...")
        if shown.count(name) != 1:
            found = "shown by no cell: let plotting.save, or live, end its cell" if name not in shown else "drawn twice"
            raise ChapterFailed(f"notebooks/{path.name}: figure {name} is {found}")


Work = Callable[[pathlib.Path, pathlib.Path, Kernels], list[figures.Verdict]]


def run_all(
    paths: list[pathlib.Path],
    work: Work,
    started: Callable[[str], None] = lambda chapter: None,
    ended: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """What ``work(path, folder, kernels)`` made of each chapter, where ``folder`` is empty and temporary.

    Kernels are processes, so threads are enough to keep the cores busy. Ctrl-C ends the kernels, waits for the
    threads (which may be moving files: that is never broken off) and is raised again.
    """
    kernels, outcomes = Kernels(), []
    with tempfile.TemporaryDirectory(prefix="linmodels-") as drawn, ThreadPoolExecutor(cores()) as pool:
        futures: list[Future[Outcome]] = []
        try:
            for path in paths:
                futures.append(pool.submit(_timed_work, path, work, pathlib.Path(drawn, path.stem), kernels, started))
            for future in as_completed(futures):
                outcomes.append(future.result())
                ended(outcomes[-1])
        except BaseException:
            _stop_kernels(pool, futures, kernels)
            raise
    return outcomes


def _timed_work(
    path: pathlib.Path, work: Work, folder: pathlib.Path, kernels: Kernels, started: Callable[[str], None]
) -> Outcome:
    started(path.stem)
    start = time.perf_counter()
    folder.mkdir(parents=True)
    try:
        verdicts = work(path, folder, kernels)
    except ChapterFailed as problem:
        return Outcome(path.stem, time.perf_counter() - start, error=str(problem))
    except Exception as problem:  # one chapter's trouble, such as a full disk, must not hide what the others did
        return Outcome(
            path.stem, time.perf_counter() - start, error=f"{path.name}: {type(problem).__name__}: {problem}"
        )
    return Outcome(path.stem, time.perf_counter() - start, verdicts)


def _stop_kernels(pool: ThreadPoolExecutor, futures: list[Future[Outcome]], kernels: Kernels) -> None:
    print("\nstopping ...", file=sys.stderr)  # a kernel that is just starting is waited for, some seconds
    pool.shutdown(wait=False, cancel_futures=True)
    while not all(future.done() for future in futures):
        kernels.kill()  # again and again: a kernel may have been starting
        time.sleep(0.05)

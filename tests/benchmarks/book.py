"""What the book itself takes: the import of the library, in fresh processes, and the run of its chapters."""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from linmodels.book import TIMEOUT
from linmodels.pictures import find_root

from . import peers

IMPORTS = {
    "python": "pass",
    "numpy": "import numpy",
    "linmodels.perceptron": "import linmodels.perceptron",
    "linmodels.svm": "import linmodels.svm",
    "linmodels.plotting": "import linmodels.plotting",
    "matplotlib.pyplot": "import matplotlib.pyplot",
    "sklearn.linear_model": "import sklearn.linear_model",
    "statsmodels.api": "import statsmodels.api",
}


def main(quick: bool) -> int:
    print_imports(3 if quick else 9)
    root = find_root()
    if root is None:
        print("notebooks/ is not here: run this in a clone of the repository", file=sys.stderr)
        return 1
    print_chapters(root)
    return 0


def print_imports(rounds: int) -> None:
    """Wall time of fresh processes, in turn; the part beyond Python's own start beside it."""
    codes = {name: code for name, code in IMPORTS.items() if name.split(".")[0] not in peers.missing()}
    taken: dict[str, list[float]] = {name: [] for name in codes}
    for code in codes.values():
        fresh(code)  # once to have the files at hand
    for _ in range(rounds):
        for name, code in codes.items():
            taken[name].append(timed(lambda code=code: fresh(code)))
    median = {name: statistics.median(seconds) for name, seconds in taken.items()}
    print("{:<24} {:>10} {:>16}".format("import", "process", "without Python"))
    for name, seconds in median.items():
        print(f"{name:<24} {1e3 * seconds:>7.0f} ms {1e3 * (seconds - median['python']):>13.0f} ms")


def print_chapters(root: pathlib.Path) -> None:
    """Each chapter in a kernel of its own, one after the other; what its kernel and its imports take beside it."""
    from linmodels.book import notebooks

    kernel = statistics.median(cell("pass") for _ in range(3))
    imports = statistics.median(cell("import linmodels.plotting") for _ in range(3)) - kernel
    print("\n{:<30} {:>9} {:>9} {:>9} {:>9}".format("chapter, executed", "all", "kernel", "imports", "its cells"))
    taken = []
    for path in notebooks.chapters(root):
        taken.append(executed(path))
        print_parts(path.stem, taken[-1], kernel, imports)
    print_parts("all chapters, one by one", sum(taken), len(taken) * kernel, len(taken) * imports)


def print_parts(name: str, *parts: float) -> None:
    everything, *known = parts
    print(f"{name:<30}", *(f"{part:>7.2f} s" for part in (everything, *known, everything - sum(known))), flush=True)


def cell(code: str) -> float:
    """A notebook of one cell."""
    import nbformat

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "cell.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)]), path)
        return executed(path)


def executed(path: pathlib.Path) -> float:
    from linmodels.book import runner

    with tempfile.TemporaryDirectory() as folder:
        return timed(lambda: runner.execute(path, pathlib.Path(folder), runner.Kernels(), TIMEOUT))


def fresh(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start

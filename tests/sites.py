"""The site as a reader builds it, once for all tests; and the Python of its pages, where a folder with it is named."""

import hashlib
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[1]
PYODIDE = os.environ.get("LINMODELS_PYODIDE")  # a folder with the release that the pages are made for
CORE = {  # of that release; its own list has the sums of the packages
    "pyodide.js": "b4cb23a53aba19c221659b9fb40a2f18281d685691dc06647fb0afd0681baf98",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
    "pyodide-lock.json": "fb0ad28408332c4ee335cdca6add0585329b1594d0e923a6f83bea27ee773f29",
}


def build(out, *options):
    """As a reader does; Sphinx and its extensions have warnings of their own that are no faults of ours."""
    pytest.importorskip("sphinx", reason="the site extra is not installed")
    command = [sys.executable, "-m", "linmodels", "site", "--out", str(out), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    assert done.stdout.splitlines()[-1].startswith("done in ") and str(out) in done.stdout.splitlines()[-1]
    assert not (out.parent / "jupyter_execute").exists()
    return out


def pyodide():
    """The folder, its files those of the release; or the test is skipped."""
    if not PYODIDE:
        pytest.skip("LINMODELS_PYODIDE names no folder with the Python of the pages (.ci/run fetches one)")
    folder = pathlib.Path(PYODIDE)
    for name, digest in CORE.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, f"{name} is not that of the release"
    return folder


def without_formulas(page):
    """To set them takes most of the time in which a chapter is opened, and few tests look at them."""
    page.route("**/mathjax/**", lambda route: route.abort())
    return page

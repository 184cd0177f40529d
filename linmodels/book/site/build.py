"""`linmodels site`: the sources, then Sphinx, which tells how far it is; at the end where to look."""

from __future__ import annotations

import pathlib
import shutil
import tempfile
import time

from sphinx.cmd.build import build_main

from linmodels.book import notebooks
from linmodels.book.site import pages, paper, python, states


def build(
    root: pathlib.Path, out: pathlib.Path, epub: bool, own_python: pathlib.Path | None = None, pdf: bool = False
) -> int:
    """Write the site into ``out``, or the EPUB; 0 if Sphinx did, its own status if not.

    A folder that holds Pyodide goes into the site: its cells then run without the internet. PDFs are printed from it.
    """
    start = time.perf_counter()
    if own_python:
        python.files(own_python)  # what it lacks is said now, and not in two minutes
    if pdf:
        paper.needed()  # likewise
    steps = 2 + pdf
    print(f"1 of {steps}: chapters, statements and functions as sources", flush=True)
    with tempfile.TemporaryDirectory() as temporary, states.drawing(root, not epub) as drawn:
        sources = pathlib.Path(temporary, "sources")
        names = pages.write(root, sources)
        print(f"2 of {steps}: Sphinx makes {len(names)} pages of them", flush=True)
        target = pathlib.Path(temporary, "built")  # MyST-NB leaves a folder of its own beside it
        kind = (
            ["-b", "epub", "-D", "html_math_renderer=mathml"]
            if epub
            else ["-b", "html", "-D", f"own_python={int(own_python is not None)}"]
        )
        config = str(pathlib.Path(__file__).parent)
        folders = ["-c", config, "-d", f"{temporary}/read", str(sources), str(target)]
        status = build_main([*kind, *folders])
        if status:
            return status
        if epub:
            out.mkdir(parents=True, exist_ok=True)
            result = pathlib.Path(shutil.copy(target / "linmodels.epub", out / "linmodels.epub"))
        else:
            _remove_old_pages(out, target)
            shutil.copytree(target, out, dirs_exist_ok=True)
            shutil.copytree(sources / "frames", out / "_static", dirs_exist_ok=True)
            _put_chapters(root, out)
            python.put(out, own_python)
            states.put(drawn, out)
            result = out / "index.html"
            if pdf:
                print("3 of 3: a browser prints the chapters", flush=True)
                result = paper.write(out)
    served = f"serve it: python3 -m http.server -d {out}, then open http://localhost:8000"
    where = served if own_python and not pdf else f"open {result.resolve()}"
    print(f"done in {time.perf_counter() - start:.0f} s; {where}")
    return 0


def _remove_old_pages(out: pathlib.Path, target: pathlib.Path) -> None:
    """The pages of an older edition in the folders of ``out``, where it holds a site: no page leads to them."""
    if (out / "searchindex.js").is_file():
        for folder in {page.parent.relative_to(target) for page in target.glob("*/**/*.html")}:
            for page in (out / folder).glob("*.html"):
                if not (target / folder / page.name).is_file():
                    page.unlink()


def _put_chapters(root: pathlib.Path, out: pathlib.Path) -> None:
    """The download button of a page gives its source: let it be the chapter as it is in the book."""
    for path in notebooks.chapters(root):
        target = out / "_sources" / "notebooks" / path.name
        if target.is_file():
            shutil.copy(path, target)
    (out / ".nojekyll").touch()  # so that a host that knows Jekyll serves the folders that begin with _

"""`linmodels site --pdf`: a browser prints the chapters, the notes' pages and the cards.

What paper needs: static/print.css and print.js.
"""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
READY = "MathJax.startup.promise.then(setAll).then(() => document.fonts.ready).then(() => true)"
LOOSE = """[...document.querySelectorAll("a[href]")].filter((link) => link.protocol === "file:")
  .filter((link) => link.pathname !== location.pathname).forEach((link) => link.removeAttribute("href"))"""


class NoBrowser(Exception):
    """What is missing, and how to get it."""


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium, Chrome or Edge, whichever is there, or what Playwright has fetched."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise NoBrowser("this needs Playwright, which drives a browser: pip install playwright") from None
    found: list[dict[str, Any]] = [{"executable_path": path} for path in map(shutil.which, NAMES) if path]
    with sync_playwright() as play:
        for which in [*found, {"channel": "chrome"}, {"channel": "msedge"}, {}]:
            try:
                opened = play.chromium.launch(**which)
            except Error:
                continue
            yield opened
            opened.close()
            return
    raise NoBrowser("no Chromium, Chrome or Edge starts here: install one, or run `playwright install chromium`")


def needed() -> None:
    """Is there a browser that prints? If not, that is said before the site is built."""
    with browser():
        pass


def write(out: pathlib.Path) -> pathlib.Path:
    """The chapters of the site in ``out`` as pdf/09_perceptron.pdf and so on, the notes and the cards; their folder.

    A link to another page of the site becomes text: a PDF would keep where that page was on this computer.
    """
    folder = out / "pdf"
    folder.mkdir(exist_ok=True)
    with browser() as opened:
        page = opened.new_page()
        page.set_default_timeout(120_000)
        notes = {f"note_{file.stem}": file for file in (out / "notes").glob("[a-e].html")}
        chapters = {file.stem: file for file in (out / "notebooks").glob("*.html")}
        for name, file in sorted({**chapters, **notes, "cards": out / "cards.html"}.items()):
            page.goto(file.resolve().as_uri())
            page.evaluate(READY)
            page.evaluate(LOOSE)
            page.pdf(path=folder / f"{name}.pdf", prefer_css_page_size=True, outline=True, tagged=True)
            print(f"   {name}.pdf", flush=True)
    return folder

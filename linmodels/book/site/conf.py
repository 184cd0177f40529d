"""How Sphinx makes the site, and the EPUB, from what `pages` has written. Nothing is executed."""

import pathlib
import posixpath
import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

import linmodels
from linmodels import __version__
from linmodels.book.ledger import ID
from linmodels.book.site import ebook, pages, python, states
from linmodels.book.site.pages import label_of
from linmodels.pictures import SHEET

project = "linmodels"
html_title = "Linear models from scratch"
author = "the authors of linmodels"
project_copyright = f"{author}, MIT licence"
version = release = __version__

LIBRARY = sorted(file.stem for file in pathlib.Path(linmodels.__file__).parent.glob("[!_]*.py"))

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "sphinx_codeautolink",
]
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
nb_code_prompt_show = "Show the code that draws this"
nb_code_prompt_hide = "Hide the code"
nb_number_source_lines = False
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_dmath_double_inline = True
myst_ref_domains = ["std", "py"]  # else each link is sought among the names of C++, too
myst_update_mathjax = True
mathjax3_config = {
    # A formula is set when it comes near: the page of a note has six thousand. Before paper all of them are, at once:
    # so what they need must be there, for MathJax would set none before it has come.
    "loader": {"load": ["ui/lazy", "[tex]/boldsymbol"]},
    "tex": {"packages": {"[+]": ["boldsymbol"]}},
    "options": {"menuOptions": {"settings": {"inTabOrder": False}}},  # Tab leads to what can be done
}
# every cell is read for itself, after the imports of all chapters: a chapter as one program takes Sphinx minutes
codeautolink_global_preface = "\n".join(
    ["import numpy as np", "from linmodels.exercises import check", "from linmodels.page import fold, show"]
    + [f"from linmodels import {name}" for name in LIBRARY]
)
codeautolink_warn_on_missing_inventory = codeautolink_warn_on_failed_resolve = False
autodoc_typehints = "signature"  # the shapes that @takes states
suppress_warnings = ["epub.unknown_project_files", "epub.duplicated_toc_entry"]

html_math_renderer = "mathjax"  # `build` asks for MathML in the EPUB
html_theme = "sphinx_book_theme"
html_theme_options = {
    "use_download_button": True,
    "use_fullscreen_button": False,
    "show_toc_level": 2,
    "home_page_in_toc": True,
    "navbar_persistent": [],  # else an empty bar on top, whose unseen buttons take the clicks of the menus on phones
    "search_bar_text": "感知机, Novikoff, gradient ...",
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_favicon = "static/icon.svg"
html_static_path = ["static"]
html_css_files = ["book.css", "page.css", "walk.css", "print.css"]
html_js_files = [
    "book.js",
    "languages.js",
    "print.js",
    *((f"{name}.js", {"defer": "defer"}) for name in ("films", "sliders", "search", "page")),
]
html_use_index = False  # the page `subjects` is the index; the entries serve the search
html_context = {"default_mode": "auto"}
html_copy_source = True
html_sourcelink_suffix = ""
html_show_sphinx = False

epub_title = html_title
epub_show_urls = "no"
epub_tocdepth = 2
epub_css_files = ["ebook.css"]
epub_exclude_files = [".nojekyll", "_static/page.css", "_static/print.css"]

HAN = re.compile("[\u3400-\u9fff]+")


class SearchBook(SearchEnglish):
    """English by words; Chinese, which has no spaces, by signs and pairs of signs, in the index and in the query."""

    js_splitter_code = """
var splitQuery = (query) => query
    .split(/[^\\p{Letter}\\p{Number}_]+/gu)
    .flatMap((word) => word.split(/([\\u3400-\\u9fff]+)/))
    .filter((word) => word)
    .flatMap((word) => /[\\u3400-\\u9fff]{2}/.test(word)
        ? Array.from({ length: word.length - 1 }, (_, k) => word.slice(k, k + 2))
        : [word]);
"""

    def split(self, input: str) -> list[str]:
        """Its words, and of each run of Chinese every sign and every pair."""
        words = super().split(HAN.sub(" ", input))
        for run in HAN.findall(input):
            words += [*run, *(run[k : k + 2] for k in range(len(run) - 1))]
        return words


def docstring_as_rst(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """An equation is not markup: each line stays a line, its signs stay signs, and ids become links."""
    blocks = [block.splitlines() for block in re.split(r"\n\s*\n", "\n".join(lines)) if block.strip()]
    lines[:] = [line for block in blocks for line in [*(_table(block) if what == "module" else _block(block)), ""]]


def skip_fields(app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object) -> bool | None:
    """Not "Alias for field number 0": what the fields hold stands in the line above them."""
    return True if (getattr(obj, "__doc__", "") or "").startswith("Alias for field number") else None


def _table(block: list[str]) -> list[str]:
    """Letters and their meanings stand in columns, which only signs of one width keep."""
    return ["::", "", *(f"   {line}" for line in block)] if _in_columns(block) else _block(block)


def _in_columns(block: list[str]) -> bool:
    return any(re.search(r"\S   *\S", line.replace("  [", " [")) or line.startswith(" ") for line in block)


def _block(block: list[str]) -> list[str]:
    """Prose as a paragraph; what is set out in columns, and an example, as it stands."""
    if block[0].startswith(">>>"):
        return block
    if _in_columns(block):
        return ["| " + _signs(line.rstrip()).replace("  ", "\u00a0\u00a0") for line in block]
    return [" ".join(_signs(line.strip()) for line in block)]


def _signs(line: str) -> str:
    pieces = re.split(r"(``[^`]+``)", re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", line))
    plain = [re.sub(r"([\\*`|_])", r"\\\1", piece) for piece in pieces]
    told = [ID.sub(_reference, re.sub(r"\berrat(?:um|a) [A-E]\d\d", _reference, piece)) for piece in plain]
    return "".join(f"\\ {piece}\\ " if k % 2 else told[k] for k, piece in enumerate(pieces))


def _reference(match: re.Match[str]) -> str:
    label = label_of(match[0].rpartition(" ")[2])
    return f":ref:`{match[0]} <{label}>`" if label else match[0]


PRINTS = re.compile(
    r'(<details class="[^"]*below-input[^"]*">\s*<summary[^>]*>\s*<p class="collapsed[^"]*">)Show the code[^<]*'
    r'(</p>\s*<p class="expanded[^"]*">)Hide the code</p>'
)


def films(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """The sheet of a film says how many frames it has: films.js makes a player of it."""

    def with_count(match: re.Match[str]) -> str:
        count = len(list(pathlib.Path(app.srcdir, "frames").glob(f"{match[1]}_*.png")))
        return f'<img data-frames="{count}"{match[0].removeprefix("<img")}'

    if app.builder.name == "html":
        context["body"] = re.sub(rf'<img [^>]*src="[^"]*/(\w+){SHEET}\.png"[^>]*>', with_count, context.get("body", ""))


def prompts(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """A cell has one pair of prompts for its code and for what that prints: the second fold says what it holds."""
    told = r"\1Show what this code prints\2Hide it</p>"
    context["body"] = PRINTS.sub(told, context.get("body", ""))


def cells_that_run(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """What the scripts of a chapter's page need to run its cells, and to move its sliders."""
    source = pathlib.Path(app.srcdir, f"{page}.ipynb")
    if app.builder.name != "epub" and source.is_file():
        static = posixpath.dirname(context["pathto"]("_static/page.js", 1)) + "/"
        context["body"] += python.for_the_page(source.stem, pages.cells_to_run(source), static, app.config.own_python)
        for name in states.live(source).values():
            context["body"] += f'<script defer src="{static}live/{name}/states.js"></script>'


def setup(app: Sphinx) -> None:
    """What Sphinx calls first: the book's search, docstrings, films and formulas."""
    app.extensions["sphinx-mathjax-offline"].parallel_read_safe = True  # it only copies files, at the end
    app.add_search_language(SearchBook)
    app.add_config_value("own_python", False, "html")  # does the site bring Python along?
    app.connect("autodoc-process-docstring", docstring_as_rst)
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("html-page-context", films)
    app.connect("html-page-context", prompts)
    app.connect("html-page-context", cells_that_run)
    app.connect("html-page-context", ebook.page)
    app.add_html_math_renderer("mathml", (ebook.mathml, None), (ebook.mathml, None))
    app.add_builder(ebook.Book, override=True)

"""What an e-book reader needs otherwise than a browser: formulas as MathML, no scripts, and a list that names them."""

import pathlib
import re
from typing import Any

import latex2mathml.converter
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.epub3 import Epub3Builder

STYLES = (
    "pygments.css",
    "epub.css",
    "ebook.css",
    "book.css",
    "walk.css",
)  # those of cells that run, and of paper, are not for it
RUN = re.compile(
    r'<div class="admonition note">\s*<p class="admonition-title">Note</p>\s*<p>The cells run on this.*?</div>', re.S
)
STILL = "<p><em>Nothing runs in an e-book: cells, sliders and answers do so on the pages and in JupyterLab.</em></p>"
PROMPTS = re.compile(r'(<summary[^>]*>)\s*<p class="collapsed[^>]*>(.*?)</p>\s*<p class="expanded.*?</p>\s*', re.S)


class Book(Epub3Builder):
    """Sphinx's EPUB, whose list of files says which of them hold MathML, as the format asks."""

    def build_content(self) -> None:
        """Write content.opf, the list."""
        super().build_content()
        folder = pathlib.Path(self.outdir)

        def told(item: re.Match[str]) -> str:
            return item[0] + ' properties="mathml"' * ("<math " in (folder / item[1]).read_text(encoding="utf-8"))

        listed = (folder / "content.opf").read_text(encoding="utf-8")
        listed = re.sub(r'href="([^"]+)" media-type="application/xhtml\+xml"(?= />)', told, listed)
        (folder / "content.opf").write_text(listed, encoding="utf-8")


def page(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """No word of buttons; one of the two prompts of a fold, which the site shows in turn; the styles that it has."""
    if app.builder.name == Book.name:
        context["body"] = PROMPTS.sub(r"\1\2", RUN.sub(STILL, context.get("body", "")))
        styles = [style for style in context["css_files"] if pathlib.PurePosixPath(style.filename).name in STYLES]
        context["css_files"] = styles


def mathml(translator: Any, node: nodes.Element) -> None:
    """The formula as MathML, at the place to which links lead."""
    block = isinstance(node, nodes.math_block)
    latex = node.astext().replace("{aligned}", "{align*}")  # the name that the converter knows
    places = "".join(f'<span id="{id}"></span>' for id in node["ids"])
    translator.body.append(places + latex2mathml.converter.convert(latex, display="block" if block else "inline"))
    raise nodes.SkipNode

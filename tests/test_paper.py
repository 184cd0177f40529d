"""A chapter on paper: what is said where nothing prints, and what a browser prints."""

import contextlib
import re
import shutil
import sys
import types
import zlib

import pytest
import sites

from linmodels.book import cli
from linmodels.book.site import paper


def test_without_playwright_there_is_no_pdf_and_nothing_is_built(monkeypatch, capsys, tmp_path):
    pytest.importorskip("sphinx", reason="the site extra is not installed")
    monkeypatch.chdir(sites.ROOT)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    assert cli.main(["site", "--pdf", "--out", str(tmp_path / "site")]) == 1
    said = "linmodels: --pdf: this needs Playwright, which drives a browser: pip install playwright\n"
    assert tuple(capsys.readouterr()) == ("", said) and not (tmp_path / "site").exists()


class Playwright:
    """A stand-in that can start what ``starts`` says, and notes what it was asked for."""

    Error = RuntimeError

    def __init__(self, starts=lambda which: False):
        self.starts, self.asked = starts, []
        self.chromium = self

    def sync_playwright(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        self.asked.append("left")

    def launch(self, **which):
        self.asked.append(which)
        if not self.starts(which):
            raise self.Error("no")
        return types.SimpleNamespace(close=lambda: self.asked.append("closed"))


def test_the_browsers_are_tried_one_after_the_other(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}" if name == "google-chrome" else None)
    tried = [{"executable_path": "/bin/google-chrome"}, {"channel": "chrome"}, {"channel": "msedge"}, {}]
    monkeypatch.setitem(sys.modules, "playwright.sync_api", nothing := Playwright())
    with pytest.raises(paper.NoBrowser, match="no Chromium, Chrome or Edge starts here: install one, or run"):
        paper.needed()
    assert nothing.asked == [*tried, "left"]
    monkeypatch.setitem(sys.modules, "playwright.sync_api", edge := Playwright(lambda which: "channel" in which))
    paper.needed()
    assert edge.asked == [*tried[:2], "closed", "left"]


@pytest.fixture(scope="module")
def printed(site, browser, tmp_path_factory):
    """Chapter 09 of the site, note B and the cards: their PDF, and the page of 09 as paper has it."""
    out = tmp_path_factory.mktemp("paper")
    shutil.copytree(site / "_static", out / "_static")
    shutil.copytree(site / "_images", out / "_images")
    (out / "notebooks").mkdir()
    (out / "notes").mkdir()
    for name in ("notebooks/09_perceptron.html", "notes/b.html", "cards.html"):
        shutil.copy(site / name, out / name)
    page = browser.new_page()
    page.goto((out / "notebooks" / "09_perceptron.html").as_uri())
    page.evaluate(paper.READY)
    page.evaluate(
        "document.querySelector('.run-output').innerHTML = '<details><summary>f</summary>shown by a run</details>'"
    )
    for _ in range(2):  # the second paper is as the first
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.set_viewport_size({"width": 673, "height": 900})  # of A4 between the margins
    page.emulate_media(media="print")
    return out, page


@pytest.mark.slow
def test_a_chapter_on_paper_has_its_answers_at_its_end_and_no_buttons(printed):
    _, page = printed
    text = page.inner_text("body")
    chapter, answers = text.split("\nAnswers\n", 2)[-2:]  # the first is a line of the contents
    answer = "All scores are 0, so all three are misclassified."
    assert "Answer 3, at the end" in chapter and answer not in chapter
    assert f"3. Before you read on · What counts as a mistake (back)\n\n{answer}" in answers
    assert "The book's own: update · Learning from one mistake" in answers and "return w + eta * y_i * x_i" in answers
    assert "The code that answers exercise 9.4: the perceptron as a loop" in answers
    assert "def perceptron_step(w, b, x, y, eta):\n    # your code here" in chapter
    assert not re.search(r"\bRun\b|\bEdit\b|\bReset\b|The cells run on this page|Show the code|# draws", text)
    assert page.locator("#answers").count() == page.locator("#jb-print-toc a[href='#answers']").count() == 1
    assert "shown by a run" in page.content() and "shown by a run" not in page.locator("#answers").text_content()
    assert page.locator("[id^=answer-]").count() == page.locator("[id^=asked-]").count() > 20


@pytest.mark.slow
def test_nothing_on_paper_is_wider_than_the_paper(printed):
    _, page = printed
    wide = "(each) => each.checkVisibility() && each.getBoundingClientRect().right > 674"
    assert (
        page.evaluate(f"[...document.querySelectorAll('.bd-article *')].filter({wide}).map((e) => e.outerHTML)") == []
    )
    assert page.locator("mjx-container[display]:visible").count() > 20


@pytest.mark.slow
def test_the_pdf_of_a_chapter_has_pages_an_outline_and_links_within(printed, browser, monkeypatch):
    out, _ = printed
    monkeypatch.setattr(paper, "browser", lambda: contextlib.nullcontext(browser))
    assert paper.write(out) == out / "pdf"
    pdf = (out / "pdf" / "09_perceptron.pdf").read_bytes()
    pages = len(re.findall(rb"/Type /Page\s", pdf))
    assert pdf.startswith(b"%PDF") and 20 <= pages <= 40
    assert b"/Title (Where the rule comes from)" in pdf and b"/Title (Answers)" in pdf
    assert pdf.count(b"/Subtype /Link") > 60 and b"file:" not in pdf
    cards = (out / "pdf" / "cards.pdf").read_bytes()
    assert len(re.findall(rb"/Type /Page\s", cards)) <= 4 and (out / "pdf" / "note_b.pdf").is_file()


def glyphs(pdf):
    """How many hexadecimal digits the pages of a PDF take for their glyphs."""
    count = 0
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        with contextlib.suppress(zlib.error):
            for text in re.findall(rb"\bBT\b.*?\bET\b", zlib.decompress(stream), re.DOTALL):
                count += sum(map(len, re.findall(rb"<([0-9A-Fa-f]+)>", text)))
    return count


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cards.html", "notebooks/09_perceptron.html"])
def test_what_a_reader_prints_as_soon_as_the_page_is_there_has_all_its_formulas(site, browser, name):
    counts = []
    for ready in ("MathJax.startup.promise.then(() => document.fonts.ready).then(() => true)", paper.READY):
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.goto((site / name).as_uri())
        page.wait_for_function("window.MathJax?.startup?.promise")
        page.evaluate(ready)
        counts.append(glyphs(page.pdf(prefer_css_page_size=True)))
        page.close()
    assert counts[0] == counts[1] > 10_000

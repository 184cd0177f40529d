"""The pages that walk a note: their texts in two languages, their numbers, and where their links lead."""

import copy
import json
import pathlib
import re
from functools import cache

import pytest
import sites

from linmodels.book import answers, errata, ledger, notebooks, walk
from linmodels.book import map as book_map
from linmodels.book.site import leads, pages, walks
from linmodels.book.words import HAN

ROOT = pathlib.Path(__file__).parents[1]
CHAPTERS = [path for path in notebooks.chapters(ROOT) if path.name != book_map.FILE]
BOOK, NOTES = ledger.load(), list(book_map.NOTES)
ITEMS = list(BOOK.items.values())
ERRATA = [
    (erratum, note)
    for note in book_map.NOTES
    for erratum in BOOK.errata.values()
    if note in {i[0] for i in erratum.items}
]
SMALL = re.compile(r"<small>.*?</small>|<!--.*?-->", re.DOTALL)


def text_of(item):
    return walk.of(item.note)[item.id]


def words(source):
    return len(re.sub(HAN, " w ", source).split())


def prose_of(path):
    cells = (cell for cell in notebooks.read(path)["cells"] if cell["cell_type"] == "markdown")
    return {cell["id"]: notebooks.text(cell["source"]) for cell in cells}


# The texts of the notes.


@pytest.mark.parametrize("note", NOTES)
def test_a_note_has_a_text_for_each_statement_and_erratum_and_no_other(note):
    wanted = [note, *(i.id for i in ITEMS if i.note == note), *(e.id for e, of in ERRATA if of == note)]
    assert set(walk.of(note)) == set(wanted), "linmodels/book/notes: a text is missing, or one is of nothing"


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_a_statement_is_told_in_one_to_three_sentences_of_each_language(item):
    told = text_of(item)
    assert re.search(HAN, told.title) and told["zh"] and told["en"]
    assert 1 <= len(re.findall("[。！？]", told["zh"])) <= 3
    assert 1 <= len(re.findall(r"[.!?](?=\s|$)", told["en"])) <= 4 and not re.search(HAN, told["en"])
    assert bool(told["figure"]) == bool(told["figure zh"]) and (told["figure"] or not told["figure en"])


@cache
def cells():
    return {cell["id"] for path in CHAPTERS for cell in notebooks.read(path)["cells"]}


@pytest.mark.parametrize("told", [each for note in NOTES for each in walk.of(note).values()], ids=lambda told: told.id)
def test_both_languages_give_the_same_numbers_and_what_they_name_exists(told):
    formulas = [set(re.findall(r"\$[^$]+\$", told[f"numbers {language}"])) for language in ("zh", "en")]
    assert formulas[0] == formulas[1] and bool(told["numbers zh"]) == bool(told["numbers en"])
    text = " ".join(told.fields.values())
    assert "«" not in text and text.count("$") % 2 == 0
    assert {link for link in re.findall(r"\]\(#([^)]+)\)", text)} <= cells()
    for name in re.findall(r"`((?:perceptron|kernels|special)\.\w+)`", text):
        assert name in pages._functions_of(name.partition(".")[0]), name
    assert not told["figure"] or (ROOT / "figures" / f"{told['figure']}.png").is_file()


@pytest.mark.parametrize("erratum, note", ERRATA, ids=lambda value: getattr(value, "id", value))
def test_an_erratum_says_what_is_wrong_and_has_a_witness_in_numbers(erratum, note):
    texts = walk.of(note)
    told, statement = texts[erratum.id], texts[walk.home(erratum, note)]
    assert told["zh"] and told["en"] and re.search(r"\d", told["numbers zh"])
    assert bool(told.printed) == bool(told["right"])
    assert bool(told.printed) != bool(statement.printed), "printed and right: once, here or at the statement"


@pytest.mark.parametrize("erratum, note", ERRATA, ids=lambda value: getattr(value, "id", value))
def test_an_erratum_has_two_sides_for_readers_of_either_language(erratum, note):
    zh, en = walk.sides(erratum), walk.sides_in_english(erratum)
    assert all(zh) and zh[0] != zh[1] and all(en) and en[0] != en[1]
    quoted = re.sub(r"[(（][^()（）]*[)）]|对数|对率", "", "".join(en))  # a Chinese word beside its English one
    assert not re.search(HAN, quoted) and "".join(en).count("$") % 2 == 0
    assert not any("$" in side and not re.search(HAN, side) for side in zh), "a formula has no dollars around it"


def test_the_sides_are_those_of_its_statement_where_an_erratum_has_none():
    scatter, misprint = BOOK.errata["ERR-A28"], BOOK.errata["ERR-A41"]
    assert walk.sides(scatter)[0] == text_of(BOOK.items["A-4.1.2-1"]).printed
    assert walk.sides(misprint) == (
        r"(\mathbf w\cdot\mathbf x+b)\tilde y_i>0",
        r"(\mathbf w\cdot\mathbf x_i+b)\tilde y_i>0",
    )
    assert walk.sides_in_english(BOOK.errata["ERR-E05"])[1] == r"$\theta_0,\theta_1,\theta_2,\theta_3$"


def test_the_tables_of_chapter_14_say_what_the_texts_say():
    chapter = next(path for path in CHAPTERS if path.name == errata.FILE)
    sources = [notebooks.text(cell["source"]) for cell in notebooks.read(chapter)["cells"]]
    assert [errata.filled(source) for source in sources] == sources, "the texts have changed: run `linmodels run 14`"
    assert {id[4:] for id in BOOK.errata} == set(re.findall(r"^\| \[([A-E]\d\d)\]", "\n".join(sources), re.MULTILINE))


def test_a_row_of_chapter_14_is_written_anew_and_what_only_the_chapter_says_stays():
    table = (
        "| erratum | printed | right | whose |\n|---|---|---|---|\n| E05 · T | old | $a\\|b$ | author |\n\ntext | E05 |"
    )
    head, rule, row, *rest = errata.filled(table).split("\n")
    assert row.startswith("| [E05](00_map.ipynb#cell-id=ch00-e-") and row.endswith(" | author |") and "old" not in row
    assert [head, rule, *rest] == [*table.split("\n")[:2], "", "text | E05 |"]
    assert errata.filled("| letter | is |\n|---|---|\n| E05 | x |") == "| letter | is |\n|---|---|\n| E05 | x |"


@pytest.fixture(scope="module")
def chapter_14():
    """The chapter as it is, its cells of text by id, and the cell with the row of each erratum."""
    chapter = notebooks.read(next(path for path in CHAPTERS if path.name == errata.FILE))
    cells = {cell["id"]: notebooks.text(cell["source"]) for cell in chapter["cells"]}
    rows = {m["number"]: id for id, source in cells.items() for m in errata.ROW.finditer(source)}
    return chapter, cells, rows


def test_the_links_and_the_table_by_note_of_chapter_14_are_those_of_its_rows(chapter_14):
    chapter, cells, _ = chapter_14
    anew = copy.deepcopy(chapter)
    errata.fill(anew)
    assert {cell["id"]: notebooks.text(cell["source"]) for cell in anew["cells"]} == cells, "run `linmodels run 14`"


def test_the_table_by_note_leads_to_each_erratum_once_in_the_order_of_the_note(chapter_14):
    _, cells, rows = chapter_14
    lines = errata.by_note(rows).split("\n")
    assert cells[errata.BY_NOTE].endswith("\n".join(lines)) and len(lines) == 2 + len(NOTES)
    order = list(BOOK.items)
    for note, line in zip(NOTES, lines[2:], strict=True):
        assert line.startswith(f"| {note} {BOOK.sections[note].zh} | ")
        told = re.findall(r"\[([A-E]\d\d)\]\(#cell-id=([\w-]+)\) ([MHTONW])", line)
        wanted = [erratum for erratum in BOOK.errata.values() if erratum.note == note]
        assert {number: (cell, kind) for number, cell, kind in told} == {
            erratum.id[4:]: (rows[erratum.id[4:]], erratum.kind) for erratum in wanted
        }
        at = [order.index(walk.home(BOOK.errata[f"ERR-{number}"], note)) for number, *_ in told]
        assert len(told) == len(wanted) and at == sorted(at)
    assert "· **1.2** [A62](#cell-id=ch14-" in lines[2] and "**内核属性** [E19](#cell-id=ch14-" in lines[6]


def test_a_column_of_errata_leads_to_their_rows_and_names_the_places_in_the_notes():
    table = "| the point | errata | more |\n|---|---|---|\n| a | E05, A50 | $a\\|b$ A50 |\n\ntext | A50 |"
    rows = {"E05": "ch14-e", "A50": "ch14-a"}
    linked = errata.linked(table, rows)
    assert linked.split("\n")[2:] == [
        "| a | [E05](#cell-id=ch14-e) E 特征映射; [A50](#cell-id=ch14-a) A 5.3.2 | $a\\|b$ A50 |",
        "",
        "text | A50 |",
    ]
    assert errata.linked(linked, rows) == linked


# Where the links lead.


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_a_link_arrives_at_most_150_words_before_the_explanation(item):
    path = next(path for path in CHAPTERS if path.name[:2] == item.chapter)
    landing, source = walk.landings(path)[item.id], prose_of(path)
    at = text_of(item)["at"]
    assert at or words(source[landing.cell]) <= 150, f"{landing.cell} is long: say `at:` where it explains {item.id}"
    assert "-ex-" not in landing.cell, f"{at!r} begins an exercise, and explains nothing"
    assert at in source[landing.cell], f"no cell of {path.name} says {at!r} any more: where is {item.id} explained?"
    assert landing.to_read <= 150


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_no_id_stands_in_a_cell_without_prose(item):
    path = next(path for path in CHAPTERS if path.name[:2] == item.chapter)
    naming = {name: source for name, source in prose_of(path).items() if item.id in ledger.ID.findall(source)}
    assert naming and all(words(SMALL.sub("", source)) > 20 for source in naming.values()), list(naming)


# The pages.


@pytest.fixture(scope="module")
def links():
    return ledger.links(ROOT)


@pytest.fixture(scope="module", params=NOTES)
def page(request, links):
    return request.param, unwrapped(pages._note(request.param, links, ROOT))


def test_a_page_has_its_statements_in_order_with_their_formulas_and_both_languages(page):
    note, text = page
    at = [text.index(f"({book_map.statement_cell(item.id)})=") for item in ITEMS if item.note == note]
    assert at == sorted(at)
    for item, part in zip((i for i in ITEMS if i.note == note), pieces(text, at), strict=True):
        told = text_of(item)
        assert '<div class="zh" lang="zh">' in part and '<div class="en" lang="en">' in part
        assert told["right"] in part and (told["right"] or item.formula in part)
    for section in walks.sections(note):
        assert re.search(rf"^#+ .*{re.escape(section.zh)}", text, re.MULTILINE)


def unwrapped(text):
    """Without what keeps a formula and its stop on one line."""
    return re.sub(r'<span class="whole">(.*?)</span>', r"\1", text)


def pieces(text, at):
    return [text[i:k] for i, k in zip(at, [*at[1:], len(text)], strict=True)]


def test_each_erratum_has_printed_and_right_side_by_side_at_its_statement(page):
    note, text = page
    errata = [erratum for erratum, of in ERRATA if of == note]
    assert text.count('<div class="versus">') >= len(errata) == text.count('<div class="erratum">')
    at = {item.id: text.index(f"({book_map.statement_cell(item.id)})=") for item in ITEMS if item.note == note}
    parts = dict(zip(at, pieces(text, list(at.values())), strict=True))
    for erratum in errata:
        home = walk.home(erratum, note)
        where = next(told for told in (walk.of(note)[erratum.id], walk.of(note)[home]) if told.printed)
        both = parts[home][parts[home].index('<div class="printed">') :]
        assert where.printed in both and (where["right"] or BOOK.items[home].formula) in both
        assert f"#erratum-{erratum.id[4:].lower()}" in parts[home]


@pytest.mark.parametrize("row", BOOK.notation, ids=lambda row: row["concept"])
def test_the_letters_of_the_notes_are_told_in_chinese_too(row):
    told = {name: row.get(f"{name} zh", row[name]) for name in ("concept", *NOTES, "book")}
    assert re.search(HAN, told["concept"])
    for name, text in told.items():
        bare = re.sub(r"\$[^$]*\$|`[^`]*`|1-of-K|sigmoid|Gram|LMS", "", text)
        assert not re.search("[A-Za-z]{3}", bare), f"{name}: {text}"
        assert sorted(re.findall("`[^`]*`", text)) == sorted(re.findall("`[^`]*`", row[name]))


@pytest.mark.parametrize(
    "kind, head",
    [("M", "更正"), ("H", "更正"), ("T", "更正"), ("", "更正"), ("O", "补充"), ("N", "更清楚"), ("W", "更清楚")],
)
def test_what_stands_beside_the_note_is_called_right_only_where_the_note_is_wrong(kind, head):
    right = walks.side_by_side(walk.Told("B-1", "", {"printed": "a"}), "b", kind).partition('<div class="right">')[2]
    assert f'<span class="zh" lang="zh">{head}</span>' in right and "$$\nb\n$$" in right


def test_a_formula_for_what_the_note_says_in_words_is_not_called_the_notes():
    written, prose = (walk.Told("B-1", "", {name: "a"}) for name in ("printed", "meant"))
    heads = [walks.side_by_side(told, "b").partition('<div class="right">')[0] for told in (written, prose)]
    assert [">原文</span>" in head for head in heads] == [True, False] and ">原文的意思</span>" in heads[1]
    assert "原文的意思" in "".join(answers._erratum(BOOK.errata["ERR-B03"], str, True))


def test_a_page_heads_what_is_beside_the_note_by_the_class_of_the_erratum(page):
    note, text = page
    for erratum in (erratum for erratum, of in ERRATA if of == note):
        told, item = walk.of(note)[erratum.id], BOOK.items[walk.home(erratum, note)]
        if told.printed:
            assert unwrapped(walks.side_by_side(told, told["right"], erratum.kind, [told])) in text
        elif len(item.erratum) == 1:
            at = text_of(item)
            sides = walks.side_by_side(at, at["right"] or item.formula, erratum.kind, [told])
            assert unwrapped(sides) in text


def test_an_erratum_leads_to_its_own_row_and_to_no_exercise(page):
    note, text = page
    rows = errata.places(notebooks.read(ROOT / "notebooks" / errata.FILE))
    told = dict(re.findall(r"\(erratum-(\w\d\d)(?:-in-\w)?\)=.*?told in</span>\*\*([^\n·]*)", text, re.DOTALL))
    assert set(told) == {erratum.id[4:].lower() for erratum, of in ERRATA if of == note}
    for number, links in told.items():
        assert f"(#{rows[number.upper()]})" in links and "-ex-" not in links


def test_a_figure_beside_a_note_may_have_a_caption_of_its_own(page):
    note, text = page
    for told in walk.of(note).values():
        assert not told["figure en"] or re.search(rf"\*\*Figure \S+\.\*\* {re.escape(told['figure en'][:40])}", text)


def test_every_link_of_a_page_leads_somewhere(page, links):
    _, text = page
    known = {cell["id"] for path in CHAPTERS for cell in notebooks.read(path)["cells"]}
    known |= {landing.label for path in CHAPTERS for landing in walk.landings(path).values()}
    known |= {leads.test_label(place) for places in links.tests.values() for place in places}
    known |= set(re.findall(r"^\(([\w.-]+)\)=$", text, re.MULTILINE))
    asked = {link for link in re.findall(r"\]\(#([^)]+)\)", text) if not link.startswith("linmodels.")}
    assert asked <= known
    for path in CHAPTERS:  # a label of an explanation stands once, in its cell
        shown = "\n".join(notebooks.text(cell["source"]) for cell in pages.chapter(path)["cells"])
        for landing in walk.landings(path).values():
            assert shown.count(f"({landing.label})=") == 1


# How a text is read.

TEXT = """
```python
import numpy as np

from linmodels.book.walk import shown, table

x = np.array([3.0, 4.5])
```

## B 感知机

zh: 一行
二行

en: one
two

## B-sep-1 甲 $x$

at: **here**

```python
y = 2 * x
```

numbers zh: $«y»$，$«x @ x»$，$«np.eye(2)»$，$«-0.0»$，$«1 / 3»$

table: «table("$i$ | 名", [[1, "a"], [2, "b"]])»
"""


def test_a_text_is_read_with_its_numbers():
    whole, one = walk.read(TEXT).values()
    assert (whole.id, whole.title, whole["zh"], whole["en"], whole["at"]) == ("B", "感知机", "一行二行", "one two", "")
    assert (one.title, one["at"]) == ("甲 $x$", "**here**")
    assert one["numbers zh"] == r"$(6, 9)$，$29.25$，$\begin{pmatrix}1&0\\0&1\end{pmatrix}$，$0$，$0.3333$"
    assert one["table"].split() == "| $i$ | 名 | | --- | --- | | $1$ | a | | $2$ | b |".split()


@pytest.mark.parametrize(
    "text, said",
    [
        ("## B-sep-1 甲\n\nzh: 甲\n\nzh: 乙", "is no field, or a second one"),
        ("## B-sep-1 甲\n\nhello", "is no field"),
        ("## B-sep-1 甲\n\nzh: 甲\n\n## B-sep-1 甲\n\nzh: 甲", "B-sep-1 has two texts"),
    ],
)
def test_a_text_that_cannot_be_read_is_named(text, said):
    with pytest.raises(ValueError, match=said):
        walk.read(text)


@pytest.mark.parametrize("slip", ["«y»", "«1/0»", "«(»", "甲\n\n```python\ny\n```"])
def test_a_slip_in_the_code_of_a_text_names_the_text(slip):
    with pytest.raises((NameError, ZeroDivisionError, SyntaxError)) as found:
        walk.read(f"## B-sep-1 甲\n\nzh: 甲\n\n## B-sep-2 甲\n\nzh: {slip}")
    assert found.value.__notes__ == ["in B-sep-2"]


def test_the_files_of_a_note_are_one_and_hold_no_text_twice(tmp_path, monkeypatch):
    monkeypatch.setattr(walk, "__file__", str(tmp_path / "walk.py"))
    (tmp_path / "notes").mkdir()
    for name, id in (("Z_1", "Z-1"), ("Z_2", "Z-2"), ("Y_1", "Y-1")):
        (tmp_path / "notes" / f"{name}.md").write_text(f"## {id} 甲\n\nzh: 甲\n", encoding="utf-8")
    assert list(walk.of.__wrapped__("Z")) == ["Z-1", "Z-2"]
    (tmp_path / "notes" / "Z_3.md").write_text("## Z-1 乙\n\nzh: 乙\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"Z-1: two texts, one of them in Z_3\.md"):
        walk.of.__wrapped__("Z")


def test_a_far_explanation_gets_a_label(tmp_path, monkeypatch):
    far = "# Head\n\n" + "word " * 70 + "\n\nNow **here** it is. [B-sep-1]"
    cells = [{"cell_type": "markdown", "id": "ch09-a", "metadata": {}, "source": far}]
    near = {"cell_type": "markdown", "id": "ch09-b", "metadata": {}, "source": "# Head\n\nNear **there**. [B-sep-2]"}
    path = tmp_path / "09_perceptron.ipynb"
    path.write_text(json.dumps({"cells": [*cells, near]}))
    texts = {id: walk.Told(id, "", {"at": at}) for id, at in (("B-sep-1", "**here**"), ("B-sep-2", "**there**"))}
    monkeypatch.setattr(walk, "of", lambda note: texts if note == "B" else {})
    found = walk.landings(path)
    assert (found["B-sep-1"].label, found["B-sep-1"].to_read) == ("told-b-sep-1", 1)
    assert (found["B-sep-2"].label, found["B-sep-2"].to_read) == ("ch09-b", 3)
    assert walk.with_labels(path, "ch09-a", far) == far.replace("Now", "(told-b-sep-1)=\nNow")
    assert walk.with_labels(path, "ch09-b", near["source"]) == near["source"]


# In a browser.


def reads(page):
    """Which languages are seen."""
    return [language for language in ("zh", "en") if page.locator(f"div.{language}").first.is_visible()]


@pytest.mark.slow
@pytest.mark.parametrize("locale, first", [("zh-CN", ["zh"]), ("en-US", ["zh", "en"])])
def test_a_reader_chooses_the_language_and_finds_it_again(site, browser, locale, first):
    context = browser.new_context(locale=locale)
    page = sites.without_formulas(context.new_page())
    page.goto((site / "notes" / "b.html").as_uri())
    assert reads(page) == first
    for name, seen in (("EN", ["en"]), ("双语", ["zh", "en"]), ("中文", ["zh"])):
        page.get_by_role("button", name=name, exact=True).click()
        assert reads(page) == seen
        page.reload()
        assert reads(page) == seen
    assert page.locator('.languages [aria-pressed="true"]').inner_text() == "中文"
    page.evaluate("localStorage.setItem('linmodels language', 'fr')")
    page.reload()
    assert reads(page) == first
    page.emulate_media(media="print")
    assert reads(page) == ["zh", "en"] and not page.locator(".languages").is_visible()
    page.goto((site / "notebooks" / "09_perceptron.html").as_uri())
    assert page.locator(".languages").count() == 0  # nothing to choose there


@pytest.mark.slow
def test_to_change_the_language_keeps_the_place(site, browser):
    page = sites.without_formulas(browser.new_context(locale="en-US").new_page())
    page.goto((site / "notes" / "b.html").as_uri() + "#ch00-b-dual-2")
    heading = page.locator("section#ch00-b-dual-2 > h3")
    page.wait_for_timeout(300)
    before = heading.bounding_box()["y"]
    button = page.get_by_role("button", name="中文", exact=True).bounding_box()
    page.mouse.click(button["x"] + 9, button["y"] + 9)  # Playwright's own click scrolls first
    assert reads(page) == ["zh"] and abs(heading.bounding_box()["y"] - before) < 2


@pytest.mark.slow
def test_without_javascript_both_languages_are_seen(site, browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((site / "notes" / "b.html").as_uri())
    assert reads(page) == ["zh", "en"] and page.locator(".languages").count() == 0


@pytest.mark.slow
def test_printed_and_right_stand_side_by_side_and_on_a_phone_one_below_the_other(site, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((site / "notes" / "b.html").as_uri())
    page.evaluate("MathJax.startup.promise")
    assert page.locator(".versus").count() == page.locator(".versus:has(> .printed + .right)").count() >= 13

    def places():
        return [page.locator(f".versus > .{side}").first.bounding_box() for side in ("printed", "right")]

    printed, right = places()
    assert printed["y"] == right["y"] and printed["x"] + printed["width"] <= right["x"]
    page.set_viewport_size({"width": 390, "height": 844})
    printed, right = places()
    assert printed["x"] == right["x"] and printed["y"] + printed["height"] <= right["y"]
    assert page.locator("mjx-merror").count() == 0

"""The site: its sources, which need no Sphinx; its pages, where Sphinx is; and what a browser makes of them."""

import html
import json
import pathlib
import posixpath
import re
import xml.dom.minidom
import zipfile
from urllib.parse import unquote, urlsplit

import pytest
import sites
from PIL import Image, ImageSequence

from linmodels.book import cli, ledger, notebooks
from linmodels.book import map as book_map
from linmodels.book.site import pages, python

ROOT = pathlib.Path(__file__).parents[1]
LABEL = re.compile(r"^\(([\w.-]+)\)=$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "sources"
    pages.write(ROOT, folder)
    return folder


def text_of(file):
    if file.suffix == ".md":
        return file.read_text(encoding="utf-8")
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join(notebooks.text(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def written(folder):
    files = [file for file in sorted(folder.rglob("*.*[db]")) if file.is_file()]
    return {file.relative_to(folder).as_posix(): text_of(file) for file in files}


# How a text becomes a source.


@pytest.mark.parametrize(
    "text, told",
    [
        ("see A-5.3.1-2.", "see [A-5.3.1-2](#ch00-a-5-3-1-2)."),
        ("| wrong | right | A50, B07 |", "| wrong | right | [A50](#erratum-a50), [B07](#erratum-b07) |"),
        ("`A-5.3.1-2` and $A50$ and [A50](x)", "`A-5.3.1-2` and $A50$ and [A50](x)"),
        ("# A50\n\nA-9.9-9, A99", "# A50\n\nA-9.9-9, A99"),
        ("```python\nA50  # A-5.3.1-2\n```", "```python\nA50  # A-5.3.1-2\n```"),
        ("[here](09_perceptron.ipynb#cell-id=ch09-dual)", "[here](#ch09-dual)"),
        ("[code](../linmodels/solvers/mistakes.py)", "[code](#module-linmodels.solvers.mistakes)"),
        ("`perceptron.updates(X, y)`", "[`perceptron.updates(X, y)`](#linmodels.perceptron.updates)"),
        ("`perceptron.fitted`, `plt.plot`", "`perceptron.fitted`, `plt.plot`"),
    ],
)
def test_ids_and_links_become_links_to_labels(text, told):
    assert pages.linked(text) == told


@pytest.mark.parametrize(
    "path, text, told",
    [
        ("README.md", "[map](notebooks/00_map.ipynb)", "[map](notes/index.md)"),
        ("README.md", "![](figures/a.png) [x](http://a.b)", "![](figures/a.png) [x](http://a.b)"),
        (".github/CONTRIBUTING.md", "[front](../README.md)", "[front](index.md)"),
        ("tests/benchmarks/README.md", "![](../../figures/a.png)", "![](figures/a.png)"),
        ("notebooks/00_map.ipynb", "[1](01_x.ipynb)", "[1](../notebooks/01_x.ipynb)"),
    ],
)
def test_links_between_files_lead_from_where_the_page_is_to_where_the_other_is(path, text, told):
    assert pages._moved(path, text) == told


def test_a_link_of_a_card_leads_from_the_page_of_the_cards():
    assert pages._moved("notebooks/12", "[7](07_lda.ipynb)", ".") == "[7](notebooks/07_lda.ipynb)"
    files = set(re.findall(r"\]\(([\w./-]+)\)", pages._cards(ROOT)))
    assert all((ROOT / file).is_file() for file in files)


def test_a_drawing_becomes_a_figure_with_its_alternative_text_and_its_caption():
    path = ROOT / "notebooks" / "09_perceptron.ipynb"
    cells = {cell["id"]: cell for cell in pages.chapter(path)["cells"]}
    drawn = cells["ch09-updates-figure-picture"]["source"]
    name = "09_perceptron_updates"
    assert drawn.startswith(f"````{{figure}} ../figures/{name}.png\n:name: fig-{name}\n:alt: Two")
    assert "**Figure 9.1.** A perceptron learns" in drawn
    outputs = [output for cell in cells.values() for output in cell.get("outputs", [])]
    assert not any("image/png" in output.get("data", {}) for output in outputs)
    assert "The cells run on this page" in cells["ch09-setup-how"]["source"]
    assert len(notebooks.figures(notebooks.read(path))) == sum(name.endswith("-picture") for name in cells)


@pytest.mark.parametrize(
    "tags, source, label",
    [
        (["hide-input"], "# draws a line\n1", None),  # the word of the site for what draws
        (["hide-input"], "# answers exercise 4.6: Newton\n1", "Show the code that answers exercise 4.6: Newton"),
        (["hide-output"], "print(1)", "Show what it prints"),
        ([], "print(1)", None),
    ],
)
def test_a_fold_is_called_by_what_is_in_it(tags, source, label):
    cell = {"cell_type": "code", "id": "ch04-a", "metadata": {"tags": tags}, "source": source, "outputs": []}
    *_, shown = pages._site_cells(cell, "04", "x")
    assert shown["metadata"].get("mystnb", {}).get("code_prompt_show") == label
    assert shown["metadata"]["tags"] == tags


def test_a_folder_without_python_for_the_pages_is_refused(tmp_path):
    with pytest.raises(python.NoPython, match=r"holds no Pyodide: pyodide\.js, .* missing; unpack its release"):
        python.files(tmp_path)
    for name in python.CORE:
        (tmp_path / name).write_text('{"info": {"version": "0.1"}}')
    with pytest.raises(python.NoPython, match=rf"holds Pyodide 0\.1; the pages are made for {python.VERSION}"):
        python.files(tmp_path)
    needs = {"numpy": [], "matplotlib": ["numpy", "pillow"], "pillow": [], "scipy": ["numpy"]}
    packages = {name: {"file_name": f"{name}.whl", "depends": others} for name, others in needs.items()}
    lock = {"info": {"version": python.VERSION}, "packages": packages}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))
    (tmp_path / "numpy.whl").touch()
    with pytest.raises(python.NoPython, match=r"lacks matplotlib\.whl, pillow\.whl, which its release has"):
        python.files(tmp_path)
    for name in ("matplotlib.whl", "pillow.whl"):
        (tmp_path / name).touch()
    assert [file.name for file in python.files(tmp_path)] == [*python.CORE, "numpy.whl", "matplotlib.whl", "pillow.whl"]


def test_only_what_a_folder_lacks_is_told_as_a_fault_of_python_and_an_e_book_takes_none(monkeypatch, capsys, tmp_path):
    build = pytest.importorskip("linmodels.book.site.build", reason="the site extra is not installed")
    monkeypatch.chdir(ROOT)
    assert cli.main(["site", "--python", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"linmodels: --python: {tmp_path} holds no Pyodide")
    assert cli.main(["site", "--epub", "--python", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "linmodels: --python: the cells of an e-book do not run\n"

    def fails(*_):
        raise ValueError("of the book")

    monkeypatch.setattr(build, "build", fails)
    with pytest.raises(ValueError, match="of the book"):
        cli.main(["site"])


def test_pages_of_an_older_edition_go_and_the_files_of_others_stay(tmp_path):
    build = pytest.importorskip("linmodels.book.site.build", reason="the site extra is not installed")
    out, target = tmp_path / "out", tmp_path / "target"
    for file in ("notes/a.html", "notes/old.html", "notes/old.txt", "mine/a.html", "mine.html"):
        (out / file).parent.mkdir(parents=True, exist_ok=True)
        (out / file).touch()
    (target / "notes").mkdir(parents=True)
    (target / "notes" / "a.html").touch()
    before = set(out.rglob("*"))
    build._remove_old_pages(out, target)
    assert set(out.rglob("*")) == before  # no site lies there
    (out / "searchindex.js").touch()
    build._remove_old_pages(out, target)
    assert before - set(out.rglob("*")) == {out / "notes" / "old.html"}


def test_the_front_page_says_nothing_of_how_to_build_the_pages():
    readme, page = (ROOT / "README.md").read_text(encoding="utf-8"), pages._front_page(ROOT)
    for sentence, here in pages.ELSEWHERE.items():
        assert readme.count(sentence) == 1 and sentence not in page and here in page
    assert "build yourself" not in page and "code host" not in page and "## As a site" not in page


def test_no_code_of_a_cell_ends_the_script_that_holds_it():
    cell = {"id": "ch09-a", "source": "'</script>' '<!-- <script>'"}
    told = python.for_the_page("09_perceptron", [cell], "../_static/", own=False)
    assert told.count("<") == 2 and python.ADDRESSES[0] in told
    assert json.loads(re.sub("<.*?>", "", told))["cells"] == [cell]


def test_a_picture_that_is_not_from_the_book_is_named():
    with pytest.raises(ValueError, match=r"not made by plotting\.save"):
        pages._figure({"data": {"text/plain": "<Figure>", "image/png": ""}}, None)


@pytest.mark.slow
def test_every_statement_erratum_and_cell_has_one_label_and_every_link_of_a_source_leads_somewhere(sources):
    texts, book = written(sources), ledger.load()
    labels = [label for text in texts.values() for label in LABEL.findall(text)]
    assert len(labels) == len(set(labels))
    assert {book_map.statement_cell(id) for id in book.items} <= set(labels)
    assert {f"erratum-{id[4:].lower()}" for id in book.errata} <= set(labels)
    chapters = [path for path in notebooks.chapters(ROOT) if path.name != book_map.FILE]
    assert {cell["id"] for path in chapters for cell in notebooks.read(path)["cells"]} <= set(labels)
    dead = []
    for name, text in texts.items():
        for link in LINK.findall(re.sub(r"```.*?```|~~~.*?~~~|``.*?``|`[^`\n]*`", "", text, flags=re.DOTALL)):
            if link.startswith(("http", "#linmodels.", "#module-")):
                continue
            target = (sources / name).parent / link
            if link[1:] not in labels if link.startswith("#") else not target.exists():
                dead.append(f"{name}: {link}")
    assert dead == []


@pytest.mark.slow
def test_a_statement_names_who_answers_it(sources):
    text = (sources / "notes" / "a.md").read_text(encoding="utf-8")
    one = text[text.index("(ch00-a-5-3-1-2)=") : text.index("(ch00-a-5-3-1-3)=")]
    assert "[`perceptron.update`](#linmodels.perceptron.update)" in one and "(#ch09-update)" in one
    assert "[9.1](#ch09-ex-step)" in one and "(#erratum-a48)" in one and "(#test_perceptron-" in one
    right = text[text.index("(erratum-a50)=") :]
    assert "错误</span>" in right and "wrong</span>" in right and '<div class="printed">' in right


@pytest.mark.slow
def test_a_film_is_taken_apart_and_its_sheet_stands_in_its_place(sources):
    frames = {file.name for file in (sources / "frames").glob("09_*.png")}
    assert frames == {f"09_perceptron_updates_{k}.png" for k in range(1, 12)}
    with Image.open(ROOT / "figures" / "09_perceptron_updates.png") as film:
        for k, frame in enumerate(ImageSequence.Iterator(film)):
            with Image.open(sources / "frames" / f"09_perceptron_updates_{k or 11}.png") as shot:
                assert shot.convert("RGB").tobytes() == frame.convert("RGB").tobytes()
    texts = written(sources)
    assert not any("09_perceptron_updates.png" in text for text in texts.values())
    for page in ("index.md", "figures/README.md", "notebooks/09_perceptron.ipynb"):
        assert "09_perceptron_updates_sheet.png" in texts[page], page


# What Sphinx makes of it.


def anchors(page):
    return {html.unescape(id) for id in re.findall(r'\sid="([^"]*)"', page)}


@pytest.mark.slow
def test_no_link_of_the_site_is_dead_and_nothing_is_fetched_from_elsewhere(site):
    files = [file for file in site.rglob("*.html") if "_static" not in file.parts]
    read = {file: file.read_text(encoding="utf-8") for file in files}
    known = {file: anchors(page) for file, page in read.items()}
    dead, fetched, count = [], [], 0
    for file, page in read.items():
        fetched += [f"{file.name}: {found}" for found in re.findall(r'(?:src|srcset)="(https?:[^"]*)"', page)]
        fetched += [f"{file.name}: {found}" for found in re.findall(r'<link[^>]*href="(https?:[^"]*)"', page)]
        for link in set(re.findall(r'\shref="([^"]*)"', page)):
            if re.match(r"\w+:", link):
                continue
            count += 1
            path, _, anchor = re.sub(r"\?[^#]*", "", html.unescape(link)).partition("#")
            target = (file.parent / unquote(path)).resolve() if path else file
            if not target.exists() or (anchor and target.suffix == ".html" and unquote(anchor) not in known[target]):
                dead.append(f"{file.relative_to(site)}: {link}")
    assert dead == [] and fetched == [] and count > 10_000


@pytest.mark.slow
def test_every_picture_has_an_alternative_text_and_code_names_are_links(site):
    page = (site / "notebooks" / "09_perceptron.html").read_text(encoding="utf-8")
    pictures = [tag for tag in re.findall(r"<img [^>]*>", page) if "_images/" in tag]
    assert len(pictures) == 12 and all(len(re.search(r'alt="([^"]*)"', tag)[1]) > 20 for tag in pictures)
    assert [tag.count('data-frames="11"') for tag in pictures].count(1) == 1
    assert page.count("library/perceptron.html#linmodels.perceptron.fit") > 2
    assert "Show the code that draws this" in page and "_sources/notebooks/09_perceptron.ipynb" in page
    prompts = re.findall(r'<details class="[^"]*below-input[^>]*>\s*<summary[^>]*>\s*<p[^>]*>([^<]*)<', page)
    assert {*prompts} <= {
        "Show what it prints",
        "Show what this code prints",
    } and "Show what this code prints" in prompts
    original = (ROOT / "notebooks" / "09_perceptron.ipynb").read_bytes()
    assert (site / "_sources" / "notebooks" / "09_perceptron.ipynb").read_bytes() == original


@pytest.mark.slow
def test_functions_show_equation_ids_and_source(site):
    page = (site / "library" / "perceptron.html").read_text(encoding="utf-8")
    update = page[page.index('id="linmodels.perceptron.update"') :][:3000]
    assert "w ← w + η y_i x_i" in html.unescape(update) and "#ch00-a-5-3-1-2" in update and "_modules/" in update
    example = html.unescape(re.sub("<.*?>", "", update))
    assert ">>> update([0, 0], 0, [3, 4], 1, eta=0.5)\n(array([1.5, 2. ]), 0.5)\n" in example


@pytest.mark.slow
def test_the_book_for_an_e_book_reader_is_well_formed(tmp_path):
    sites.build(tmp_path, "--epub")
    with zipfile.ZipFile(tmp_path / "linmodels.epub") as book:
        texts = [name for name in book.namelist() if name.endswith(".xhtml")]
        assert len(texts) > 80
        listed = xml.dom.minidom.parseString(book.read("content.opf")).getElementsByTagName("item")
        assert {item.getAttribute("href") for item in listed} >= set(texts)
        with_formulas = {item.getAttribute("href") for item in listed if item.getAttribute("properties") == "mathml"}
        assert with_formulas == {name for name in texts if b"<math " in book.read(name)}
        ids, links = {}, []
        for name in texts:
            page = xml.dom.minidom.parseString(book.read(name))
            elements = page.getElementsByTagName("*")
            ids[name] = {element.getAttribute("id") for element in elements}
            links += [
                (name, link) for e in elements for link in (e.getAttribute("href"), e.getAttribute("src")) if link
            ]
            assert all(element.childNodes.length == 2 for element in page.getElementsByTagName("mfrac")), name
        for name, link in links:
            if not urlsplit(link).scheme:
                file, _, place = link.partition("#")
                file = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(file))) if file else name
                assert file in book.namelist() and (not place or place in ids[file]), f"{name} leads to {link}"
        assert book.read("notebooks/09_perceptron.xhtml").count(b"<math") > 300
        chapter = book.read("notebooks/09_perceptron.xhtml").decode()
        assert "expanded" not in chapter and "press Run" not in chapter  # one prompt of each fold; and no buttons
        walk = book.read("notes/b.xhtml").decode()  # both languages, one below the other
        assert walk.count('<div class="zh" lang="zh">') == walk.count('<div class="en" lang="en">') > 60
        assert b'_images/09_perceptron_updates_sheet.png"' in book.read("notebooks/09_perceptron.xhtml")
        assert {pathlib.Path(name).stem for name in book.namelist() if "/09_perceptron_updates" in name} == {
            "09_perceptron_updates_sheet"
        }


# In a browser.


WIDE = "[...document.querySelectorAll('mjx-container[display]')].filter((e) => e.scrollWidth > e.clientWidth + 1)"


@pytest.mark.slow
def test_every_formula_is_set_and_fits_on_a_laptop_the_page_on_a_phone_and_no_page_asks_elsewhere(site, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    asked, faults, fetched = [], [], set()
    page.on(
        "request", lambda request: None if request.url.startswith(("file:", "data:")) else asked.append(request.url)
    )
    page.on("request", lambda request: fetched.update(re.findall(r"/mathjax/input/.*?(\w+)\.js", request.url)))
    page.on("pageerror", lambda problem: faults.append(str(problem)))
    for file in sorted([*site.glob("*.html"), *site.glob("no*/*.html"), site / "library" / "perceptron.html"]):
        page.goto(file.as_uri())
        page.wait_for_function("window.MathJax === undefined || MathJax.startup?.promise", timeout=60_000)
        page.evaluate("window.MathJax ? MathJax.startup.promise.then(setAll) : 0")
        count, wrong, formulas = page.evaluate(
            "[document.querySelectorAll('mjx-container').length, document.querySelectorAll('mjx-merror').length,"
            " document.querySelectorAll('.math').length]"
        )
        assert wrong == 0 and count >= formulas, file.name
        if file.stem in ("04_logistic_regression", "09_perceptron", "10_svm"):  # each derivation with its reasons
            page.wait_for_function(f"{WIDE}.length === 0", timeout=60_000)
            assert page.evaluate("document.querySelectorAll('mjx-container[display]').length") > 10
        if file.stem in ("04_logistic_regression", "09_perceptron", "a", "b", "perceptron", "index"):
            page.set_viewport_size({"width": 390, "height": 844})
            page.wait_for_function("document.documentElement.scrollWidth <= 390", timeout=60_000)
            page.set_viewport_size({"width": 1280, "height": 900})
    assert asked == [] and faults == []
    assert fetched == {"boldsymbol"}  # which conf.py names: what MathJax fetches later comes too late for paper


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_a_formula_is_set_and_fits_when_it_is_seen_and_a_link_leads_to_its_place(site, browser, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto((site / "notes" / "a.html").as_uri() + "#ch00-a-5-3-1-2")
    page.wait_for_function("window.MathJax?.startup?.promise")
    page.evaluate("MathJax.startup.promise")
    seen = "document.querySelectorAll('mjx-container > mjx-math').length"
    page.wait_for_function(f"{seen} > 10")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1000)
    assert page.evaluate(f"{seen} < document.querySelectorAll('.math').length / 2")
    place = page.locator("section#ch00-a-5-3-1-2 > :is(h2, h3, h4)")
    assert 0 <= place.bounding_box()["y"] < 200
    page.mouse.wheel(0, 3000)
    page.wait_for_timeout(1000)
    page.wait_for_function(f"{WIDE}.length === 0", timeout=60_000)
    near = "e => { const {top, bottom} = e.getBoundingClientRect(); return bottom > 0 && top < innerHeight; }"
    unset = f"[...document.querySelectorAll('mjx-container:has(mjx-lazy)')].filter({near}).length"
    page.wait_for_function(f"({unset}) === 0", timeout=60_000)
    page.close()


@pytest.mark.slow
def test_the_focus_in_the_header_does_not_scroll(site, browser):
    page = sites.without_formulas(browser.new_page())
    page.goto((site / "notebooks" / "14_errata.html").as_uri())
    page.evaluate("scrollTo({ top: 3000, behavior: 'instant' })")
    buttons = page.locator(".bd-header-article button:visible")
    assert buttons.count() > 1
    for button in buttons.all():
        button.focus()
        assert page.evaluate("[scrollY, document.activeElement !== document.body]") == [3000, True]


BROKEN = """() => {
  const found = [];
  for (const cell of document.querySelectorAll(".bd-article :is(th, td)")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const word of text.data.matchAll(/[A-Za-z]+/g)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = range.getClientRects().length;
        if (lines > 1 && !text.parentElement.closest("mjx-container, code")) found.push(word[0]);
      }
  }
  return found;
}"""


@pytest.mark.slow
def test_no_word_of_a_table_is_broken(site, browser):
    page = browser.new_page()
    page.goto((site / "notebooks" / "14_errata.html").as_uri())
    page.wait_for_function("window.MathJax?.startup?.promise")
    page.evaluate("MathJax.startup.promise.then(setAll)")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(BROKEN) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words, place",
    [
        ("感知机", ""),
        ("核", ""),
        ("support vector", ""),
        ("A-5.3.1-2", "notes/a.html#"),
        ("5.3.1", "notes/a.html#"),
        ("A 5.3.1", "notes/a.html#"),
        ("A 5.3.1.2", "notes/a.html#"),
        ("d 4", "notes/d.html#"),
        ("A50", "notes/a.html#"),
        ("学习率", "notebooks/01_linear_regression.html#"),
        ("learning rate", "notebooks/01_linear_regression.html#"),
        ("Novikoff", "notebooks/09_perceptron.html#"),
        ("perceptron_step", "notebooks/09_perceptron.html#"),
    ],
)
def test_the_search_finds_and_leads_to_the_place_of_an_id_and_of_a_subject(site, browser, words, place):
    page = browser.new_page()
    page.goto((site / "search.html").as_uri() + f"?q={words}")
    page.wait_for_selector("#search-results li", timeout=30_000)
    assert place or page.locator("#search-results li").count() > 2
    assert page.locator("#search-results li a").first.get_attribute("href").startswith(place)
    assert page.evaluate("DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY") is False  # no page of a folder may be fetched
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words, told",
    [
        ("xor", "9 The perceptron (感知机) > XOR, with a kernel"),
        ("感知机", "9 The perceptron (感知机) > 用中文说"),
        ("perceptron", "9 The perceptron (感知机)"),
        ("A 5.3.1.2", "Note A: Linear models (线性模型) > A-5.3.1-2"),
        ("More than one best", "1 Linear regression (线性回归) > More than one best w"),
    ],
)
def test_a_result_of_the_search_says_where_it_leads(site, browser, words, told):
    page = browser.new_page()
    page.goto((site / "search.html").as_uri() + f"?q={words}")
    page.get_by_role("link", name=told, exact=True).first.wait_for(timeout=30_000)
    named = page.locator('#search-results a[href*="#at-"]').all_inner_texts()
    assert not [text for text in named if re.search(r" > (x\d+|\d+ .*|)$|\\", text)]
    page.close()


@pytest.mark.slow
def test_an_excerpt_has_no_tex(site, browser):
    page = browser.new_page()
    page.goto((site / "search.html").as_uri() + "?q=perceptron")
    excerpt = "([html, place]) => Search.htmlToText(html, place)"
    for name, place, told in [
        ("notebooks/09_perceptron.html", "#at-9-the-machine-x1", "its label is y=+1 or y=-1."),
        ("notebooks/09_perceptron.html", "#at-9-learning-from-one-mistake-x1", "w←w+η y x, b←b+η y"),
        ("notes/a.html", "#index-202", "步长 η，加到 w 和 b 上"),
    ]:
        text = page.evaluate(excerpt, [(site / name).read_text(encoding="utf-8"), place])
        assert told in text and not re.search(r"\\(math|\(|\[)", text)
    page.close()


@pytest.mark.slow
def test_the_menus_open_on_a_phone(site, browser):
    page = sites.without_formulas(browser.new_page(viewport={"width": 390, "height": 844}))
    for side in ("primary", "secondary"):
        page.goto((site / "notebooks" / "10_svm.html").as_uri())
        button = page.locator(f".{side}-toggle")
        assert button.count() == 1  # the theme's script takes the first one, seen or not
        button.click()
        assert page.locator(f"#pst-{side}-sidebar-modal").get_attribute("open") is not None


@pytest.mark.slow
def test_the_menu_of_colors_closes_when_one_is_chosen(site, browser):
    page = sites.without_formulas(browser.new_page())
    page.goto((site / "notebooks" / "09_perceptron.html").as_uri())
    page.locator(".theme-switch-button").click()
    dark = page.locator(".theme-change-button[data-mode=dark]")
    dark.click()
    dark.wait_for(state="hidden", timeout=5_000)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.close()


class Film:
    """The first film of chapter 09, on a page of its own, scrolled into sight."""

    def __init__(self, site, browser, **context):
        self.page = sites.without_formulas(browser.new_context(**context).new_page())
        self.page.clock.install()
        self.page.goto((site / "notebooks" / "09_perceptron.html").as_uri())
        self.box, self.sheet = self.page.locator(".film").first, self.page.locator("img[data-frames]").first
        self.range, self.picture = self.box.locator("input"), self.box.locator("img")
        self.before = self.told()
        self.box.scroll_into_view_if_needed()

    def told(self):
        return self.box.locator("output").inner_text()

    def press(self, name):
        self.box.get_by_role("button", name=name, exact=True).click()

    def wait_for(self, told):
        self.page.wait_for_function(
            "told => document.querySelector('.film output').innerText === told", arg=told, timeout=60_000
        )


@pytest.mark.slow
def test_a_film_plays_once_when_it_is_seen_and_stops_when_told(site, browser):
    film = Film(site, browser)
    assert film.before == "frame 11 of 11"
    film.wait_for("frame 1 of 11")
    for _ in range(2):  # it reaches its end, and stays there
        film.page.clock.run_for(5000)
        assert film.told() == "frame 11 of 11"
    film.press("Play")
    film.wait_for("frame 3 of 11")
    film.press("Pause")
    stands = film.told()
    film.page.clock.run_for(5000)
    assert film.told() == stands != "frame 11 of 11"
    film.press("Play")  # from where it stands
    assert film.told() in (stands, f"frame {int(stands.split()[1]) + 1} of 11")


@pytest.mark.slow
def test_a_film_stops_where_its_range_is_touched_at_the_frame_that_is_shown(site, browser):
    film = Film(site, browser)
    film.wait_for("frame 3 of 11")
    film.range.dispatch_event("pointerdown")
    stands = film.told()
    film.page.clock.run_for(5000)
    assert film.told() == stands != "frame 11 of 11"


@pytest.mark.slow
def test_a_film_goes_by_buttons_by_keys_and_by_its_range(site, browser):
    film = Film(site, browser, reduced_motion="reduce")
    film.page.wait_for_function("document.querySelector('.film img').complete")
    film.page.clock.run_for(5000)
    assert film.before == film.told() == "frame 11 of 11"  # nothing moves by itself
    told = []

    def step(act):
        act()
        told.append(int(film.told().split()[1]))

    for name in ("Back", "Back", "Next", "Next", "Next"):
        step(lambda name=name: film.press(name))
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight"):  # a button has the focus
        step(lambda key=key: film.page.keyboard.press(key))
    film.range.focus()
    for key in ("ArrowLeft", "Home", "ArrowLeft", "ArrowRight"):
        step(lambda key=key: film.page.keyboard.press(key))
    step(lambda: film.range.fill("7"))
    assert told == [10, 9, 10, 11, 11, 10, 9, 10, 9, 1, 1, 2, 7]
    film.page.wait_for_function("document.querySelector('.film img').currentSrc.endsWith('_updates_7.png')")
    assert film.picture.evaluate("e => e.decode().then(() => e.naturalWidth)") == 780
    film.press("Play")
    film.wait_for("frame 9 of 11")
    assert film.box.get_attribute("role") == "group" and film.range.get_attribute("aria-label") == "frame"
    assert len(film.picture.get_attribute("alt")) > 20


@pytest.mark.slow
def test_a_film_fits_on_a_phone_and_is_printed_as_its_sheet(site, browser):
    film = Film(site, browser, viewport={"width": 390, "height": 844}, color_scheme="dark")
    for part in (film.picture, film.range, *film.box.locator("button").all(), film.box.locator("output")):
        assert 0 <= part.bounding_box()["x"] and part.bounding_box()["x"] + part.bounding_box()["width"] <= 390
    assert not film.sheet.is_visible()
    film.page.emulate_media(media="print")
    assert film.sheet.is_visible() and not film.box.is_visible()
    assert film.sheet.evaluate("e => e.decode().then(() => e.naturalWidth)") > 2000


@pytest.mark.slow
def test_without_javascript_the_sheet_of_a_film_is_seen(site, browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((site / "notebooks" / "09_perceptron.html").as_uri())
    assert page.locator("img[data-frames]").first.is_visible() and page.locator(".film").count() == 0


@pytest.mark.slow
def test_the_keyboard_alone_reads_a_chapter_and_searches(site, browser):
    page = sites.without_formulas(browser.new_page())
    page.goto((site / "notebooks" / "09_perceptron.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to main content"
    folded = page.locator("details.hide > summary").first
    folded.focus()
    page.keyboard.press("Enter")
    assert folded.evaluate("summary => summary.parentElement.open")
    page.keyboard.press("Control+k")
    page.keyboard.type("Novikoff")
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-results li", timeout=30_000)

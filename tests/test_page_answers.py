"""The pages that answer: their script against a worker of the tests; with Python, where a folder with it is named."""

import contextlib
import functools
import http.server
import json
import re
import threading

import pytest
import sites

from linmodels.book import notebooks
from linmodels.book.site import python
from linmodels.book.site.session import Session
from linmodels.exercises import listing

pytestmark = pytest.mark.slow

PERCEPTRON = "notebooks/09_perceptron.html"
STUB = "#ch09-ex-step-code"
RIGHT = """def perceptron_step(w, b, x, y, eta):
    if y * (w @ x + b) <= 0:
        return w + eta * y * x, b + eta * y
    return w, b


check.perceptron_step(perceptron_step)"""
WORKER = """
window.asked = [];
window.told = {};
window.Worker = class {
  postMessage(message) {
    window.last = this;
    window.asked.push(message);
    const hear = (data) => this.onmessage({ data });
    setTimeout(() => {
      if (message.ask === "load") return window.told.load !== "never" && hear(window.told.load ?? { kind: "ready" });
      for (const data of window.told.run ?? []) hear(data);
      if (!window.told.forever) hear({ kind: "done" });
    });
  }
  terminate() { window.ended = true; }
};
"""


class Reader:
    """Somebody at a page."""

    def __init__(self, page, cell=STUB):
        self.page, self.cell = page, page.locator(cell)
        self.name = cell

    def press(self, name):
        self.cell.get_by_role("button", name=re.compile(f"^{name}, ")).click()

    def write(self, code):
        self.cell.locator("textarea").fill(code)

    def text(self):
        return self.cell.locator("textarea").input_value()

    def answer(self):
        """What stands below the cell when it has run."""
        ended = f"document.querySelector('{self.name} .run-output').ariaBusy === 'false'"
        self.page.wait_for_function(ended, timeout=180_000)
        return self.cell.locator(".run-output").inner_text()

    def run(self, code):
        self.write(code)
        self.cell.locator("textarea").press("Shift+Enter")
        return self.answer()


# The page's own script, with a worker that only says what the test tells it.


@pytest.fixture
def page(site, browser):
    page = sites.without_formulas(browser.new_page())
    page.add_init_script(WORKER)
    faults = []
    page.on("pageerror", lambda problem: faults.append(str(problem)))
    page.goto((site / PERCEPTRON).as_uri())
    yield page
    page.close()
    assert faults == []


def tell(page, *run, **more):
    page.evaluate("told => Object.assign(window.told, told)", {"run": list(run), **more})


def cells_of(page):
    return json.loads(page.locator("#cells").text_content())["cells"]


def test_a_right_answer_is_kept_marked_and_leads_on(page):
    verdict = {"kind": "verdict", "text": "[ok] perceptron_step: right", "ok": True, "name": "perceptron_step"}
    tell(page, verdict)
    reader = Reader(page)
    assert reader.run(RIGHT) == "[ok] perceptron_step: right\n\nNext: exercise 9.2"
    _, run = page.evaluate("window.asked")
    assert run["id"] == STUB[1:] and {"id": STUB[1:], "source": RIGHT} in json.loads(run["cells"])
    page.reload()
    assert reader.text() == RIGHT
    assert page.locator("#ch09-ex-step [data-exercise]").inner_text().startswith("✓ solved on 20")
    page.goto(page.url.replace(PERCEPTRON, "exercises.html"))
    assert page.locator("#solved").inner_text() == f"This browser has solved 1 of {len(listing())}. Next: Exercise 1.1"


def test_the_cells_above_are_sent_as_the_reader_has_changed_them(page):
    setup = Reader(page, "#ch09-setup")
    setup.press("Edit")
    setup.write("X = 7")
    Reader(page).run("X")
    sent = {cell["id"]: cell["source"] for cell in json.loads(page.evaluate("window.asked")[1]["cells"])}
    assert sent["ch09-setup"] == "X = 7"
    setup.press("Reset")
    assert setup.text() == next(cell["source"] for cell in cells_of(page) if cell["id"] == "ch09-setup")
    page.keyboard.press("Control+z")
    assert setup.text() == "X = 7"
    page.keyboard.press("Control+y")
    page.reload()
    assert setup.cell.locator("textarea").count() == 0 and setup.cell.locator("pre").first.is_visible()


def test_a_cell_that_shows_nothing_says_what_it_defines(page):
    setup, stub = Reader(page, "#ch09-setup"), Reader(page)
    tell(page, {"kind": "defines", "text": "f, a"})
    setup.press("Run")
    assert setup.answer() == "" and setup.cell.locator(".run-note").inner_text() == "it ran; it defines f, a"
    assert stub.run("f = a = 1") == ""
    assert "without its last line, which asks check.perceptron_step" in stub.cell.locator(".run-note").inner_text()
    tell(page)
    setup.press("Run")
    assert setup.answer() == "" and setup.cell.locator(".run-note").inner_text() == "it ran, and shows nothing"


def test_what_is_written_is_kept_and_can_be_reset_and_a_new_edition_says_so(page):
    reader = Reader(page)
    stub = reader.text()
    reader.write("x = 1")
    page.reload()
    assert reader.text() == "x = 1"
    old = reader.cell.locator(".cell_output")  # it is not of what stands there now
    assert old.is_hidden() and "Run shows" in reader.cell.locator(".run-note").inner_text()
    reader.press("Reset")
    assert reader.text() == stub and old.is_visible()
    reader.cell.locator("textarea").press("Control+z")
    assert reader.text() == "x = 1"
    key = f"linmodels 09_perceptron {STUB[1:]}"
    page.evaluate("key => localStorage.setItem(key, JSON.stringify({text: 'x = 1', of: 1}))", key)
    page.reload()
    assert reader.text() == "x = 1" and "has changed since" in reader.cell.locator(".run-note").inner_text()


REFUSES = """
const set = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, value) {
  if (key.startsWith("linmodels ")) throw new DOMException("", "QuotaExceededError"); // the theme does not expect it
  set.call(this, key, value);
};
"""


def test_where_the_browser_keeps_nothing_that_is_said_and_a_right_answer_leads_on(page):
    page.add_init_script(REFUSES)
    page.reload()
    reader = Reader(page)
    tell(page, {"kind": "verdict", "text": "[ok]", "ok": True, "name": "perceptron_step"})
    reader.write(RIGHT)
    note = reader.cell.locator(".run-note")
    assert note.inner_text().startswith("this browser keeps nothing")
    assert reader.run(RIGHT) == "[ok]\n\nNext: exercise 9.2"
    assert note.inner_text().startswith("this browser keeps nothing")


def test_what_another_tab_has_written_and_solved_is_taken_over(page):
    with page.expect_popup() as popup:
        page.evaluate("window.open(location.href)")
    other = popup.value
    Reader(other).write("x = 1")
    reader = Reader(page)
    page.wait_for_function(f"document.querySelector('{STUB} textarea').value === 'x = 1'")
    assert "in another tab" in reader.cell.locator(".run-note").inner_text()
    other.evaluate("localStorage.setItem('linmodels solved', JSON.stringify({perceptron_step: '2026-01-31'}))")
    page.wait_for_function("document.querySelector('#ch09-ex-step [data-exercise]').textContent.includes('2026-01-31')")
    Reader(other).press("Reset")
    page.wait_for_function(f"document.querySelector('{STUB} textarea').value.startsWith('def perceptron_step')")
    other.close()


def test_the_day_of_a_solution_is_that_of_the_reader(site, browser):
    context = browser.new_context(timezone_id="Asia/Shanghai")
    page = sites.without_formulas(context.new_page())
    page.add_init_script(WORKER)
    page.clock.set_fixed_time("2026-01-31T17:00:00Z")
    page.goto((site / PERCEPTRON).as_uri())
    tell(page, {"kind": "verdict", "text": "[ok]", "ok": True, "name": "perceptron_step"})
    reader = Reader(page)
    reader.write(RIGHT)
    reader.press("Run")
    page.locator("#ch09-ex-step [data-exercise]", has_text="solved on 2026-02-01").wait_for()
    context.close()


def test_the_committed_output_gives_way_and_comes_back(page):
    tell(page, {"kind": "picture", "png": "", "name": "09_perceptron_orders", "alt": "a", "width": 9, "caption": "c"})
    reader = Reader(page, "#ch09-orders-figure")
    reader.cell.locator("summary").first.click()
    figure = page.locator("#fig-09-perceptron-orders")
    reader.press("Run")
    assert reader.answer() == "Figure 9.4. c"
    assert figure.is_hidden()
    reader.press("Reset")
    assert figure.is_visible() and reader.cell.locator(".run-output").inner_text() == ""


def test_stop_ends_the_worker_and_what_waits(page):
    tell(page, forever=True)
    reader, other = Reader(page), Reader(page, "#ch09-setup")
    reader.press("Run")
    other.press("Run")
    page.wait_for_function("window.asked.length === 2")
    reader.press("Stop")
    assert "Stopped" in reader.answer() and page.evaluate("window.ended")
    assert other.answer() == "It did not run: Python was stopped while it waited."
    assert len(page.evaluate("window.asked")) == 2
    tell(page, {"kind": "text", "text": "1"}, forever=False)
    reader.press("Run")
    assert reader.answer() == "1" and len(page.evaluate("window.asked")) == 4


def test_stop_on_a_cell_that_waits_takes_only_that_one_away(page):
    tell(page, forever=True)
    reader, other = Reader(page), Reader(page, "#ch09-setup")
    reader.press("Run")
    other.press("Run")
    page.wait_for_function("window.asked.length === 2")
    other.press("Stop")
    assert other.answer() == "It did not run: it was stopped while it waited."
    assert reader.cell.get_by_role("button", name="Stop").is_visible() and not page.evaluate("window.ended")
    other.press("Run")  # once more; it runs once
    tell(page, {"kind": "text", "text": "1"}, forever=False)
    page.evaluate("window.last.onmessage({ data: { kind: 'done' } })")
    assert other.answer() == "1" and len(page.evaluate("window.asked")) == 3


def test_stop_while_python_loads_ends_the_wait_and_where_python_cannot_be_had_the_page_says_why_and_what_else(page):
    tell(page, load="never")
    reader = Reader(page)
    reader.press("Run")
    page.wait_for_function("window.asked.length === 1")
    reader.press("Stop")
    assert "Stopped" in reader.answer() and len(page.evaluate("window.asked")) == 1
    tell(page, load={"kind": "unreachable", "faults": ["there: nobody"]})
    reader.press("Run")
    answer = reader.answer()
    assert "could not be loaded" in answer and ("there: nobody" in answer or sites.PYODIDE)
    tell(page, {"kind": "text", "text": "1"}, load={"kind": "ready"})
    reader.press("Run")
    assert reader.answer() == "1"


def test_a_page_from_a_folder_says_at_once_that_it_cannot_read_the_python_of_its_site(site, page):
    body = (site / PERCEPTRON).read_text(encoding="utf-8")
    own = re.sub(r'("addresses": \[)(?="http)', r'\1"../_static/python/", ', body)
    page.route(f"**/{PERCEPTRON}", lambda route: route.fulfill(body=own, content_type="text/html; charset=utf-8"))
    page.reload()
    tell(page, load="never")
    reader = Reader(page)
    reader.press("Run")
    page.wait_for_function("window.asked.length === 1")
    assert "may not read the one in this site" in reader.cell.locator(".run-note").inner_text()
    assert all(address.startswith("https://") for address in page.evaluate("window.asked[0].addresses"))
    reader.press("Stop")
    assert "Stopped" in reader.answer()


def test_a_fault_above_leads_to_its_cell(page):
    tell(page, {"kind": "error", "text": "NameError: X", "cell": "ch09-setup"})
    reader = Reader(page)
    reader.press("Run")
    assert reader.answer() == "a cell above, which this one may need, fails:\nNameError: X"
    assert reader.cell.locator(".run-output a").get_attribute("href") == "#ch09-setup"
    tell(page, *2 * [{"kind": "error", "text": "NameError: X", "cell": "ch09-setup"}])
    reader.press("Run")
    assert reader.answer().count("NameError: X") == 1  # told once


def test_an_output_of_other_lines_than_those_above_it_is_told(page):
    tell(page, {"kind": "text", "text": "1"})
    setup = Reader(page, "#ch09-setup")
    note = setup.cell.locator(".run-note")
    setup.press("Edit")
    setup.write("X = 7")
    assert note.inner_text() == "you changed this; Run shows what it does now"
    setup.press("Run")
    assert setup.answer() == "1" and note.inner_text() == ""
    setup.write("X = 8")
    assert "Run shows what it does now" in note.inner_text()
    setup.write("X = 7")
    assert note.inner_text() == ""
    setup.press("Reset")
    assert note.inner_text() == ""


def test_a_slider_is_drawn_with_the_cells_as_they_stand_then(page):
    """Also where one was put back since the last run."""
    slider = {"label": "C", "told": ["1", "2"], "start": 0}
    picture = {
        "kind": "picture",
        "png": "",
        "name": "09_a",
        "alt": "a",
        "width": 1,
        "caption": "a",
        "sliders": [slider],
    }
    tell(page, picture)
    setup, reader = Reader(page, "#ch09-setup"), Reader(page)
    setup.press("Edit")
    setup.write("X = 7")
    reader.press("Run")
    reader.answer()
    setup.press("Reset")
    reader.cell.locator("input[type=range]").fill("1")
    page.wait_for_function("window.asked.length === 3")
    asked = page.evaluate("window.asked[2]")
    sent = {cell["id"]: cell["source"] for cell in json.loads(asked["cells"])}
    assert (asked["ask"], asked["places"]) == ("draw", [1]) and "X = 7" not in sent["ch09-setup"]


def test_hints_come_one_by_one_and_then_the_way_to_a_solution(page):
    reader = Reader(page)
    reader.press("Hint")
    assert reader.cell.locator(".run-hints").inner_text().startswith("hint 1 of 2: ")
    reader.press("Hint")
    reader.press("Run")
    reader.answer()
    assert reader.cell.locator(".run-hints pre").count() == 2  # an answer does not take them away
    link = reader.cell.locator(".run-hints a")
    assert link.get_attribute("href") == "../exercises.html#exercise-perceptron-step"
    link.click()
    page.locator("#exercise-perceptron-step").wait_for(state="attached")
    fold = page.locator("#exercise-perceptron-step ~ details").first
    assert fold.locator("summary").first.inner_text() == "Hint 1 of 2" and fold.get_attribute("open") is None


def test_the_keys_of_the_editor(page):
    reader = Reader(page)
    reader.write("")
    area = reader.cell.locator("textarea")
    for keys, told in [
        (["if x:", "Enter", "y"], "if x:\n    y"),
        (["Enter", "Tab", "z"], "if x:\n    y\n        z"),
        (["Enter", "Shift+Tab"], "if x:\n    y\n        z\n    "),
        (["Control+a", "Shift+Tab"], "if x:\ny\n    z\n"),
        (["Tab"], "    if x:\n    y\n        z\n"),
    ]:
        for key in keys:
            (area.press if key[0].isupper() else area.press_sequentially)(key)
        assert reader.text() == told
    for before, key, after in [
        ("x = 1\n    y", "Shift+Tab", "x = 1\ny"),  # from the end of the line, too
        ("if x:\n        ", "Backspace", "if x:\n    "),
        ("x  ", "Backspace", "x "),
    ]:
        reader.write(before)
        area.press(key)
        assert reader.text() == after
    area.press("Escape")
    area.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Run"


def test_the_focus_stays_at_the_cell_and_the_caret_begins_where_the_answer_does(page):
    reader = Reader(page)
    area = reader.cell.locator("textarea")
    reader.cell.get_by_role("button", name="Run").focus()
    area.focus()
    page.keyboard.type("return 1")
    assert "in place of the dots\n    return 1\n" in reader.text() and "..." not in reader.text()
    reader.press("Hint")
    reader.press("Hint")
    assert page.evaluate("document.activeElement.ariaLabel") == "Run, exercise 9.1"
    reader.write("x")
    reader.press("Reset")
    assert area.evaluate("e => e === document.activeElement")


def test_results_are_told_to_screen_readers_and_code_is_colored(page):
    reader = Reader(page)
    for part in (".run-output", ".run-hints", ".run-note"):
        assert reader.cell.locator(part).get_attribute("aria-live") == "polite"
    names = page.locator(".run-bar button").evaluate_all("all => all.map((each) => each.ariaLabel)")
    assert len(set(names)) == len(names) > 100 and {"Run, exercise 9.1", "Hint, exercise 9.1", "Edit, cell 1"} < set(
        names
    )
    assert "Escape" in reader.cell.locator("textarea").get_attribute("aria-label")
    reader.write("if x < 1:  # <b>\n    y = '#'")
    assert reader.cell.locator(".run-editor pre").inner_html() == (
        '<span class="k">if</span> x &lt; <span class="mi">1</span>:  <span class="c1"># &lt;b&gt;</span>\n'
        "    y = <span class=\"s2\">'#'</span>\n"
    )


def test_a_phone_can_do_an_exercise(site, browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.add_init_script(WORKER)
    page.goto((site / PERCEPTRON).as_uri())
    tell(page, {"kind": "verdict", "text": "[--] " + "long " * 50, "ok": False, "name": "perceptron_step"})
    reader = Reader(page)
    assert reader.run(RIGHT).startswith("[--] long")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    size = "e => [getComputedStyle(e).fontSize, e.clientHeight >= e.scrollHeight, e.clientWidth >= e.scrollWidth]"
    assert reader.cell.locator("textarea").evaluate(size) == ["16px", True, True]  # smaller, and a phone would zoom
    assert reader.cell.get_by_role("button", name="Run").bounding_box()["height"] >= 44
    context.close()


# With Python.


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """The address of a folder, as a host would give it."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_every_result_of_the_search_shows_what_stands_there(site, browser):
    """Also where an id or a subject is found, whose anchor is empty."""
    with served(site) as address:
        page, faults = browser.new_page(), []
        page.on("pageerror", lambda problem: faults.append(str(problem)))
        page.goto(f"{address}/search.html?q=Novikoff")
        page.wait_for_function("/found/.test(document.querySelector('#search-results').textContent)", timeout=30_000)
        page.wait_for_load_state("networkidle")
        told = [each.locator("p.context").all_inner_texts() for each in page.locator("#search-results li").all()]
        page.close()
    assert len(told) > 2 and all(len(text) == 1 and len(text[0]) > 40 for text in told[:3]) and faults == []


@pytest.fixture(scope="module")
def host(site):
    sites.pyodide()
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def reader(host, browser):
    """Somebody at a page with Python, which is there from the first run on."""
    context = browser.new_context()
    yield opened(context.new_page(), f"{host}/{PERCEPTRON}")
    context.close()


def opened(page, address, cell=STUB):
    sites.without_formulas(page).goto(address)
    return Reader(page, cell)


def ten_mistakes():
    """The first mistake of every ninth exercise, as a student would hand it in."""
    chosen = [task for task in listing() if task.kind == "write" and task.mistakes][::9]
    return {task.name: str(task.solution()).replace(*task.mistakes[0][:2]) for task in chosen}


ALL = """
from linmodels.exercises import check, listing
from linmodels.exercises.grading.trial import faults
for task in listing():
    if task.kind == "write":
        names = {}
        exec(str(task.solution()), names)
        print(task.name, task(names[task.name]).status)
    else:
        print(task.name, next(faults(task, [0, 1]), "ok"))
"""


def test_exercises_accept_their_solutions_and_name_mistakes_as_in_an_installed_book(reader):
    lines = reader.run(ALL).splitlines()
    assert len(lines) > 90 and [line for line in lines if not line.endswith(" ok")] == []
    for name, code in ten_mistakes().items():
        code += f"\nfrom linmodels.exercises import check\ncheck.{name}({name})"
        heard = []
        installed = Session(lambda text, heard=heard: heard.append(json.loads(text)))
        installed.plan(json.dumps([{"id": "ch09-a", "source": code}]), "ch09-a")
        installed.run(0)
        assert heard[-1]["kind"] == "verdict" and not heard[-1]["ok"], name
        assert reader.run(code) == heard[-1]["text"], name


def test_two_chapters_in_two_tabs_do_not_disturb_each_other(host, reader):
    page = reader.page.context.new_page()
    other = opened(page, f"{host}/notebooks/01_linear_regression.html", "#ch01-ex-gradient-code")
    reader.write("w = 1; w")
    other.write("w = 2; w")
    reader.press("Run")
    other.press("Run")
    assert (reader.answer(), other.answer()) == ("1", "2")
    page.close()


def test_a_loop_is_stopped_a_fault_shows_its_line_and_a_reload_keeps_what_was_written(reader):
    reader.write("while True:\n    print('x')")
    reader.press("Run")
    reader.page.wait_for_selector(f"{STUB} .run-output pre", timeout=180_000)
    reader.press("Stop")
    assert "Stopped" in reader.answer()
    assert reader.run("def f(x):\n    return x / missing\n\nf(1)") == (
        "line 4:\n    f(1)\nline 2, in f:\n    return x / missing\nNameError: name 'missing' is not defined"
    )
    reader.page.reload()
    assert reader.text().endswith("f(1)")
    reader.press("Reset")
    assert reader.text().startswith("def perceptron_step")
    assert reader.run(RIGHT).startswith("[ok] perceptron_step")


def test_a_page_draws_with_the_readers_own_matplotlib(reader):
    code = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nplt.show()"
    assert reader.run(code).strip() == ""
    image = reader.cell.locator(".run-output img")
    assert image.count() == 1 and image.evaluate("e => e.decode().then(() => e.naturalWidth)") > 300


def test_where_what_draws_cannot_be_had_the_page_says_so_and_tries_again(host, browser):
    context = browser.new_context()
    context.route("**/matplotlib-*.whl", lambda route: route.abort())
    reader = opened(context.new_page(), f"{host}/{PERCEPTRON}")
    code = "import matplotlib\nmatplotlib.get_backend()"
    answer = reader.run(code)
    assert (
        "What draws the pictures could not be loaded" in answer
        and "matplotlib" in answer
        and "press Run again" in answer
    )
    assert "linmodels site --python" in answer and "install the book" in answer
    context.unroute("**/matplotlib-*.whl")
    assert reader.run(code) == "'agg'"
    context.close()


CDN = f"{python.ADDRESSES[0].split('/pyodide/')[0]}/**"


def test_a_page_from_a_folder_takes_python_from_an_address_and_asks_nobody_before_the_first_run(site, browser):
    folder, asked = sites.pyodide(), []
    context = browser.new_context()

    def stand_in(route):
        asked.append(route.request.url)
        file = folder / route.request.url.rpartition("/")[2]
        route.fulfill(path=file, headers={"Access-Control-Allow-Origin": "*"})

    context.route("http*://**", lambda route: route.abort())
    context.route(CDN, stand_in)
    reader = opened(context.new_page(), (site / PERCEPTRON).as_uri())
    reader.page.wait_for_load_state("networkidle")
    assert asked == []
    assert reader.run(RIGHT).startswith("[ok] perceptron_step")
    assert {url.rpartition("/")[0] + "/" for url in asked} == {python.ADDRESSES[0]}
    context.close()


def test_without_a_network_a_page_from_a_folder_says_why(site, browser):
    context = browser.new_context()
    context.route("http*://**", lambda route: route.abort())
    reader = opened(context.new_page(), (site / PERCEPTRON).as_uri())
    reader.press("Run")
    answer = reader.answer().replace("\n", " ")
    assert "could not be loaded" in answer and "from a folder" in answer
    assert ("serve its folder" if sites.PYODIDE else python.ADDRESSES[0]) in answer
    context.close()


CHAPTERS = [path for path in notebooks.chapters(sites.ROOT) if path.name[:2] != "00"]


def outputs(cell):
    """What the committed chapter shows: text, values, and whether there is a picture."""
    given = cell["outputs"]
    text = "".join(notebooks.text(each["text"]) for each in given if each["output_type"] == "stream")
    values = [each["data"] for each in given if each["output_type"] == "execute_result"]
    values = [notebooks.text(data["text/plain"]) for data in values if "text/markdown" not in data]
    return [text, values, any("image/png" in each.get("data", {}) for each in given)]


SHOWN = """() => Object.fromEntries([...document.querySelectorAll(".run-output")].map((output) => {
  const of = (...kinds) => [...output.children].filter((e) => kinds.includes(e.dataset.kind)).map((e) => e.textContent);
  const shown = [of("text").join(""), of("value", "verdict", "right"), !!output.querySelector("img")];
  return [output.closest(".cell").id, [...shown, of("error")]];
}))"""


ONE_PYTHON = """
if (self !== top) self.Worker = class {
  constructor(script) {
    (top.python ??= new top.Worker(script)).onmessage = (told) => this.onmessage(told);
  }
  postMessage(message) {
    if (message.ask === "load" && top.loaded) return this.onmessage({ data: { kind: "ready" } });
    top.loaded = true;
    top.python.postMessage(message);
  }
};
"""
AFRESH = """
import gc
from linmodels import pictures
from linmodels.book.site.session import Session
for each in gc.get_objects():
    if type(each) is Session:
        each.names, each.made = {"__name__": "__main__"}, {}
pictures._animated = lambda figs: pictures.render(figs[0], "png")
def drawn_once(fig, format, drawn=[], draw=getattr(pictures.render, "draw", pictures.render)):
    drawn[:] = drawn or [draw(fig, format)]
    return drawn[0]
drawn_once.draw = drawn_once.__defaults__[1]
pictures.render = drawn_once
"""
RUN_ABOVE = """source => window.python && new Promise((done) => {
  window.python.onmessage = ({ data }) => data.kind === "done" && done();
  window.python.postMessage({ ask: "run", cells: JSON.stringify([{ id: "ch00-a", source }]), id: "ch00-a" });
})"""


@pytest.fixture(scope="module")
def frame(host, browser):
    """Where one chapter after the other is opened: Python belongs to the page around, and is loaded once for all."""
    page = sites.without_formulas(browser.new_page())
    page.add_init_script(ONE_PYTHON)
    page.goto(f"{host}/search.html")
    page.evaluate("document.body.innerHTML = '<iframe name=chapter></iframe>'")
    yield page.frame("chapter")
    page.close()


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_runs_on_its_page_and_prints_what_is_committed(host, frame, path):
    frame.page.evaluate(RUN_ABOVE, AFRESH)  # no name is left of the chapter before; one figure is drawn, once
    frame.goto(f"{host}/notebooks/{path.stem}.html")
    frame.evaluate("document.querySelectorAll('.run-bar button:first-child').forEach((button) => button.click())")
    frame.wait_for_function(
        "[...document.querySelectorAll('.run-output')].every((e) => e.ariaBusy === 'false')", timeout=600_000
    )
    shown = frame.evaluate(SHOWN)
    for cell in notebooks.read(path)["cells"]:
        if cell["cell_type"] == "code":
            assert shown[cell["id"]] == [*outputs(cell), []], cell["id"]

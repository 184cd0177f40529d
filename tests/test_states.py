"""The sliders of the site: the states that are drawn when it is built, and what a reader sees of them."""

import json
import os
import subprocess

import numpy as np
import pytest
import sites
from PIL import Image
from test_page_answers import WORKER, Reader, tell

from linmodels.book import notebooks
from linmodels.book.site import states

CHAPTERS = notebooks.chapters(sites.ROOT)
PAGE = "notebooks/04_logistic_regression.html"
FIGURE = "#fig-04-logistic-regression-bent"
CODE = """from linmodels import plotting
def draw(C=2, kind="b"):
    fig, ax = plotting.figure(2, 1)
    ax.set_title(f"{C}, {kind}")
    return fig"""
LIVE = 'plotting.live(draw, "09_a_b", alt="{kind} at {C}: {title}", C=[1, 2], kind=["a", "b"])'


def write_chapter(folder, code):
    sources = ["1 / 0", code, LIVE]
    cells = [{"cell_type": "code", "id": f"ch09-{k}", "source": text} for k, text in enumerate(sources)]
    path = folder / "09_perceptron.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    return path


def test_states_are_small_pictures_with_texts_and_are_kept_until_the_chapter_changes(tmp_path):
    path, kept = write_chapter(tmp_path, CODE), tmp_path / "kept"
    assert states.live(path) == {"ch09-2": "09_a_b"}
    folder = states.drawn(path, "ch09-2", kept)
    assert {file.name for file in folder.iterdir()} == {"states.js", "0-0.png", "0-1.png", "1-0.png", "1-1.png"}
    script = (folder / "states.js").read_text(encoding="utf-8")
    assert '"start": 1}' in script and '"1-0": "a at 2: 2, a"' in script
    with Image.open(folder / "1-1.png") as picture:
        assert (picture.mode, picture.size) == ("P", (260, 130))
    first = (folder / "states.js").stat().st_mtime_ns
    assert (states.drawn(path, "ch09-2", kept) / "states.js").stat().st_mtime_ns == first
    failing = write_chapter(tmp_path, CODE + "\nnobody")
    with pytest.raises(
        RuntimeError, match=r"(?s)the live cell ch09-2 of 09_perceptron.ipynb cannot be drawn: .*nobody"
    ):
        states.drawn(failing, "ch09-2", kept)
    assert list(kept.iterdir()) == []


def test_of_two_builds_at_once_the_slower_one_takes_what_the_faster_one_has_drawn(tmp_path, monkeypatch):
    path, kept = write_chapter(tmp_path, CODE), tmp_path / "kept"
    run, faster = subprocess.run, []

    def slowly(*command, **how):
        if not faster:
            faster.append(None)
            faster[0] = states.drawn(path, "ch09-2", kept)
        return run(*command, **how)

    monkeypatch.setattr(subprocess, "run", slowly)
    assert states.drawn(path, "ch09-2", kept) == faster[0]
    assert list(kept.iterdir()) == faster and (faster[0] / "states.js").is_file()


def test_the_drafts_of_a_killed_build_are_removed_and_those_of_a_running_one_are_not(tmp_path):
    kept = tmp_path / states.KEPT
    old, new = kept / f"{states.DRAFT}1" / "09_a_b", kept / f"{states.DRAFT}2" / "09_a_b"
    old.mkdir(parents=True)
    new.mkdir(parents=True)
    os.utime(old.parent, (0, 0))
    with states.drawing(tmp_path) as drawn:
        assert drawn == []
    assert list(kept.iterdir()) == [new.parent]


# On the page.


@pytest.fixture
def page(site, browser):
    page = sites.without_formulas(browser.new_page())
    faults, asked = [], []
    page.on("pageerror", lambda problem: faults.append(str(problem)))
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(WORKER)
    page.goto((site / PAGE).as_uri())
    yield page
    page.close()
    assert faults == []
    assert [url for url in asked if not url.startswith((site.as_uri(), "data:", "blob:"))] == []


@pytest.mark.slow
def test_every_live_cell_of_the_site_has_its_states(site):
    names = [name for path in CHAPTERS for name in states.live(path).values()]
    found = {name: site / "_static" / "live" / name for name in names}
    assert len(found) == 16
    for name, folder in found.items():
        told = json.loads(
            (folder / "states.js").read_text(encoding="utf-8").partition("...")[2].rpartition(", base")[0]
        )
        assert {file.stem for file in folder.glob("*.png")} == set(told["alts"]), name
        for file in folder.glob("*.png"):
            picture = np.asarray(Image.open(file).convert("L"))
            edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
            assert edge.min() > 200, f"{file}: something is cut off at the edge"
        shown = {(alt, (folder / f"{state}.png").read_bytes()) for state, alt in told["alts"].items()}
        assert len({alt for alt, _ in shown}) == len(shown), f"{name}: one text for two pictures"


@pytest.mark.slow
def test_the_keyboard_moves_a_slider_and_value_picture_and_text_follow(page):
    figure = page.locator(FIGURE)
    angle, length = figure.get_by_role("slider").all()
    assert (angle.get_attribute("aria-label"), length.get_attribute("aria-valuetext")) == ("angle", "3")
    first = figure.locator("img").get_attribute("src")
    length.focus()
    page.keyboard.press("End")
    angle.focus()
    page.keyboard.press("ArrowRight")
    assert figure.locator("output").all_inner_texts() == ["35", "40"]
    image = figure.locator("img")
    assert "angle 35°, length 40: loss 24.76, 5 wrong" in image.get_attribute("alt")
    assert image.get_attribute("src") != first and image.evaluate("e => e.decode().then(() => e.naturalWidth)") == 910


@pytest.mark.slow
def test_sliders_fit_on_a_phone_and_paper_shows_the_start(page):
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(f"{FIGURE} .sliders").is_visible()
    image = page.locator(f"{FIGURE} img")
    start = [image.get_attribute(name) for name in ("src", "alt")]
    page.locator(f"{FIGURE} input").first.press("End")
    moved = [image.get_attribute(name) for name in ("src", "alt")]
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # as the browser's own print does
    assert page.locator(f"{FIGURE} .sliders").is_hidden() and image.is_visible()
    assert "angle 30°, length 3" in start[1] and image.get_attribute("alt") == start[1] != moved[1]
    assert image.get_attribute("src").endswith(start[0].removeprefix("..")) and moved[0] != start[0]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert image.get_attribute("alt") == moved[1]


@pytest.mark.slow
def test_whoever_has_changed_a_cell_learns_whose_pictures_the_slider_shows(page):
    slider = page.locator(f"{FIGURE} input").first
    slider.press("End")
    assert page.locator(f"{FIGURE} small").count() == 0
    page.evaluate("self.changedByReader = true")
    slider.press("Home")
    assert "the book's" in page.locator(f"{FIGURE} small").inner_text()


@pytest.mark.slow
def test_a_live_cell_that_was_run_asks_for_the_last_move_only(page):
    sliders = [{"label": "C", "told": ["1", "2", "3", "4"], "start": 0}]
    picture = {"kind": "picture", "png": "", "name": "04_logistic_regression_bent", "alt": "C = 1", "width": 9}
    tell(page, picture | {"caption": "c", "sliders": sliders})
    reader = Reader(page, "#ch04-live-code")
    reader.press("Run")
    reader.answer()
    assert page.locator(FIGURE).is_hidden()
    tell(page, {"kind": "state", "png": "", "alt": "C = 4"})
    slider = reader.cell.get_by_role("slider")
    slider.evaluate("e => [1, 2, 3].forEach((k) => { e.value = k; e.dispatchEvent(new Event('input')); })")
    page.wait_for_function("document.querySelector('#ch04-live-code .run-output img').alt === 'C = 4'")
    asked = "window.asked.filter((each) => each.ask === 'draw').map((each) => each.places)"
    assert page.evaluate(asked) == [[3]] and reader.cell.locator("output").inner_text() == "4"
    tell(page, forever=True)
    slider.press("ArrowLeft")
    reader.press("Stop")
    assert "Stopped" in reader.answer()
    slider.press("ArrowLeft")
    assert "run this cell again" in reader.cell.locator(".run-note").inner_text()
    assert page.evaluate(asked) == [[3], [2]]

"""Every committed picture is the one its chapter draws, and the comparison sees what it must see.

Under plain `pytest` the notebooks have just drawn their figures (nbval); chapters that have not, because the tests
run alone, are executed here.
"""

import os
import pathlib
import shutil
from functools import cache

import numpy as np
import pytest
from cases import slow
from PIL import Image, ImageSequence
from test_plotting import cut, rewritten

from linmodels import pictures, plotting
from linmodels.book import TIMEOUT, figures, notebooks, runner

ROOT = pathlib.Path(__file__).parents[1]
DRAWING = [path for path in notebooks.chapters(ROOT) if notebooks.figures(notebooks.read(path))]
NAMES = [name for path in DRAWING for name, _ in notebooks.figures(notebooks.read(path))]


@pytest.fixture(scope="session")
def verdicts():
    """The state of every picture of the book, by name."""
    fresh = pathlib.Path(os.environ["LINMODELS_FIGURES"])

    def draw(path, folder, kernels):
        runner.execute(path, folder, kernels, TIMEOUT)
        for file in folder.glob("*.png"):
            shutil.move(file, fresh / file.name)
        return []

    undrawn = [path for path in DRAWING if not all((fresh / f"{n}.png").is_file() for n in names_of(path))]
    failed = [outcome.error for outcome in runner.run_all(undrawn, draw) if outcome.error]
    assert not failed
    found = figures.compare(fresh, ROOT / "figures", [path.stem for path in DRAWING])
    return {verdict.name: verdict.state for verdict in found}


def names_of(path):
    return [name for name, _ in notebooks.figures(notebooks.read(path))]


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_figure_is_the_one_the_chapter_draws(verdicts, name):
    state = verdicts.get(name, "not drawn")
    if state == "other matplotlib":
        pytest.skip(figures.STATE_WORDS[state])
    assert state in ("same", "close"), f"run `linmodels figures {name}` and look at it"


def test_no_figure_is_missing_or_stray(verdicts):
    alone = set(verdicts) ^ set(NAMES)
    assert not alone, (
        f"{alone}: shown by no cell, or not drawn. A figure is the last line of a cell, plotting.save(fig, "
        '"07_lda_...", alt=..., caption=...), and `linmodels run 07` writes it; one that no cell shows is deleted'
    )
    assert figures.strays(ROOT / "figures", [path.stem for path in DRAWING]) == []


MOVING = [name for name in NAMES if pictures.is_film((ROOT / "figures" / f"{name}.png").read_bytes())]


def test_pictures_move_where_the_chapters_say_so():
    assert {"04_logistic_regression_learning", "07_lda_angle"} <= set(MOVING)
    sheets = {file.stem.removesuffix(pictures.SHEET) for file in (ROOT / "figures").glob(f"*{pictures.SHEET}.png")}
    assert sheets == set(MOVING)


@pytest.mark.parametrize("name", MOVING)
def test_a_moving_picture_is_short_small_and_stops(name):
    file = ROOT / "figures" / f"{name}.png"
    with Image.open(file) as image:
        still, *frames = [(frame.info.get("duration"), frame.convert("RGB")) for frame in ImageSequence.Iterator(image)]
        assert image.info["loop"] == 1
    durations = [duration for duration, _ in frames]
    assert 6 <= len(frames) <= 12 and 1000 <= sum(durations) <= 5000, durations
    assert still[1].tobytes() == frames[-1][1].tobytes(), "what a page shows where nothing moves must be the end"
    sheet = file.with_stem(name + pictures.SHEET)
    with Image.open(sheet) as image:
        assert image.mode == "P" and max(sheet.stat().st_size, file.stat().st_size) <= 300_000
        *_, last = cut(image.convert("RGB"), still[1].size, len(frames))
    assert last[1].tobytes() == frames[-1][1].tobytes()


# The check bites.

rng = np.random.default_rng(0)
X = np.vstack([rng.normal(0, 0.8, (40, 2)), rng.normal(3, 0.8, (40, 2))])
LABELS = np.repeat([-1, 1], 40)


def draw(rows, cols, w, moved):
    """Points and a line in each panel; in the last panel the line is shifted by ``moved`` of the axis range."""
    fig, axes = plotting.figure(9 if cols > 1 else 6.4, 4, rows, cols, squeeze=False, sharex=True)
    for ax in axes.flat:
        plotting.points(ax, X, LABELS)
        shift = moved * np.ptp(ax.get_xlim()) * np.linalg.norm(w) if ax is axes.flat[-1] else 0
        plotting.line(ax, w, -1.5 * sum(w) - shift, color="0.5", lw=0.8)
    return pictures.render(fig, "png")


@pytest.mark.parametrize("rows, cols, w", [(2, 4, (1, 0)), *slow([(1, 1, (1, 0.3)), (2, 4, (0, 1))])])
def test_a_thin_gray_line_moved_by_half_a_percent_of_the_axis_is_a_change(rows, cols, w):
    assert pictures.same_picture(draw(rows, cols, w, 0), draw(rows, cols, w, 0.005)) == "changed"


@cache
def small(width):
    """A picture; of another width, another one."""
    return pictures.render(plotting.figure(width, 1)[0], "png")


@pytest.fixture
def folders(tmp_path):
    """Two folders for one chapter: fresh pictures and committed ones."""
    (tmp_path / "fresh").mkdir()
    (tmp_path / "committed").mkdir()
    return tmp_path / "fresh", tmp_path / "committed"


def put(folder, **files):
    for name, data in files.items():
        (folder / f"09_perceptron_{name}.png").write_bytes(data)


def states(folders):
    found = figures.compare(*folders, ["09_perceptron"])
    return {verdict.name.removeprefix("09_perceptron_"): verdict.state for verdict in found}


def test_stale_missing_and_stray_files_are_told_apart_and_only_what_changed_is_taken_in(folders):
    fresh, committed = folders
    foreign = rewritten(small(2), "matplotlib 1.0")
    put(fresh, good=small(1), foreign=small(1), stale=small(1), missing=small(1))
    put(committed, good=small(1), foreign=foreign, stale=small(2), stray=small(1))
    (committed / "04_logistic_regression_a.png").write_bytes(small(1))
    (committed / "benchmarks_a.png").write_bytes(small(1))  # tests/test_benchmarks.py compares these
    told = {"good": "same", "foreign": "other matplotlib", "missing": "missing", "stale": "changed", "stray": "stray"}
    assert states(folders) == told
    assert figures.strays(committed, ["09_perceptron"]) == [figures.Verdict("04_logistic_regression_a", "stray")]
    verdicts = figures.compare(fresh, committed, ["09_perceptron"])
    pictures.write_together(figures.to_write(verdicts, fresh, committed))
    now = {path.stem[14:]: path.read_bytes() for path in committed.glob("09_*")}
    assert now == {name: foreign if name == "foreign" else small(1) for name in told}


@pytest.mark.parametrize(
    "kept, state", [("film sheet", "same"), ("film", "missing"), ("sheet", "missing"), ("film other", "changed")]
)
def test_a_film_and_its_sheet_are_one_figure(folders, kept, state):
    fresh, committed = folders
    drawn = {"film": ("a", small(1)), "sheet": ("a_sheet", small(2)), "other": ("a_sheet", small(3))}
    put(fresh, **dict(map(drawn.get, ("film", "sheet"))))
    put(committed, **dict(map(drawn.get, kept.split())))
    assert states(folders) == {"a": state}
    written = figures.to_write(figures.compare(fresh, committed, ["09_perceptron"]), fresh, committed)
    owed = [drawn[name][0] for name in ("film", "sheet") if name not in kept.split()]
    assert set(written) == {committed / f"09_perceptron_{name}.png" for name in owed}
    pictures.write_together(written)
    (fresh / "09_perceptron_a_sheet.png").unlink()  # it is a film no longer
    assert states(folders) == {"a": "same", "a_sheet": "stray"}


def test_files_are_written_together_or_not_at_all(tmp_path):
    (tmp_path / "a.png").write_bytes(b"old")
    with pytest.raises(OSError):
        pictures.write_together({tmp_path / "a.png": b"new", tmp_path / "no folder" / "b.ipynb": b"new"})
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"] and (tmp_path / "a.png").read_bytes() == b"old"

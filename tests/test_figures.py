"""Every committed picture is the one its chapter draws, and the comparison sees what it must see.

Under plain `pytest` the notebooks have just drawn their figures (nbval); chapters that have not, because the tests
run alone, are executed here.
"""

import io
import os
import pathlib
import shutil

import numpy as np
import pytest
from PIL import Image, ImageSequence
from test_plotting import cut

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


@pytest.mark.parametrize("name", MOVING)
def test_a_moving_picture_is_short_small_and_stops(name):
    file = ROOT / "figures" / f"{name}.png"
    with Image.open(file) as image:
        still, *frames = [(frame.info.get("duration"), frame.convert("RGB")) for frame in ImageSequence.Iterator(image)]
        assert image.info["loop"] == 1
    durations = [duration for duration, _ in frames]
    assert 6 <= len(frames) <= 12 and 1000 <= sum(durations) <= 5000, durations
    assert file.stat().st_size <= 300_000
    assert still[1].tobytes() == frames[-1][1].tobytes(), "what a page shows where nothing moves must be the end"
    sheet = file.with_stem(name + pictures.SHEET)
    with Image.open(sheet) as image:
        assert image.mode == "P" and sheet.stat().st_size <= 300_000
        *_, last = cut(image.convert("RGB"), still[1].size, len(frames))
    assert last[1].tobytes() == frames[-1][1].tobytes()


def test_pictures_move_where_the_chapters_say_so():
    assert {"04_logistic_regression_learning", "07_lda_angle"} <= set(MOVING)
    sheets = {file.stem.removesuffix(pictures.SHEET) for file in (ROOT / "figures").glob(f"*{pictures.SHEET}.png")}
    assert sheets == set(MOVING)


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


@pytest.fixture
def folders(tmp_path):
    """Two folders for one chapter: fresh pictures and committed ones."""
    (tmp_path / "fresh").mkdir()
    (tmp_path / "committed").mkdir()
    return tmp_path / "fresh", tmp_path / "committed"


def states(folders, chapters=("09_perceptron",)):
    return {verdict.name: verdict.state for verdict in figures.compare(*folders, chapters)}


@pytest.mark.parametrize("rows, cols", [(1, 1), (2, 4)], ids=["single", "small-multiples"])
@pytest.mark.parametrize("w", [(1, 0), (1, 0.3), (0, 1)], ids=["vertical", "oblique", "horizontal"])
def test_a_thin_grey_line_moved_by_half_a_percent_of_the_axis_is_a_change(folders, rows, cols, w):
    for folder, moved in zip(folders, (0.005, 0), strict=True):
        (folder / "09_perceptron_a.png").write_bytes(draw(rows, cols, w, moved))
    assert states(folders) == {"09_perceptron_a": "changed"}


def test_one_frame_of_a_moving_picture_is_looked_at_as_the_others_are(folders):
    fresh, committed = folders
    shifts = (0, 0.1, 0.2, 0.3, 0.4, 0.5)
    for folder, moved in ((fresh, 0.105), (committed, 0.1)):
        figs = [_moved(moved if shift == 0.1 else shift) for shift in shifts]
        (folder / "09_perceptron_a.png").write_bytes(pictures._animated(figs))
    assert states(folders) == {"09_perceptron_a": "changed"}


def _moved(shift):
    fig, ax = plotting.figure(3, 2)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    plotting.line(ax, (1, 0), -0.1 - shift)
    return fig


def test_an_unmoved_line_is_no_change(folders):
    for folder in folders:
        (folder / "09_perceptron_a.png").write_bytes(draw(1, 1, (1, 0.3), 0))
    assert states(folders) == {"09_perceptron_a": "same"}


def test_noise_of_another_cpu_is_no_change(folders):
    png = draw(1, 1, (1, 0.3), 0)
    with Image.open(io.BytesIO(png)) as image:
        pixels = np.asarray(image.convert("RGB")).copy()
    pixels.reshape(-1, 3)[:: len(pixels)] ^= 1  # about 800 pixels by one level: thirty times what was measured
    other = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        Image.fromarray(pixels).save(other, "png", pnginfo=_software(image.info["Software"]))
    for folder, data in zip(folders, (png, other.getvalue()), strict=True):
        (folder / "09_perceptron_a.png").write_bytes(data)
    assert states(folders) == {"09_perceptron_a": "close"}


def _software(value):
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("Software", value)
    return info


def test_stale_missing_and_stray_files_are_told_apart(folders):
    fresh, committed = folders
    one, other = draw(1, 1, (1, 0), 0), draw(1, 1, (0, 1), 0)
    for folder, name, data in [
        (fresh, "good", one),
        (committed, "good", one),
        (fresh, "stale", one),
        (committed, "stale", other),
        (fresh, "missing", one),
        (committed, "stray", one),
    ]:
        (folder / f"09_perceptron_{name}.png").write_bytes(data)
    (committed / "04_logistic_regression_a.png").write_bytes(one)
    (committed / "benchmarks_a.png").write_bytes(one)  # tests/test_benchmarks.py compares these
    expected = {"good": "same", "missing": "missing", "stale": "changed", "stray": "stray"}
    assert states(folders) == {f"09_perceptron_{name}": state for name, state in expected.items()}
    assert figures.strays(committed, ["09_perceptron"]) == [figures.Verdict("04_logistic_regression_a", "stray")]


def test_only_what_changed_is_taken_in(folders):
    fresh, committed = folders
    one, other = draw(1, 1, (1, 0), 0), draw(1, 1, (0, 1), 0)
    with Image.open(io.BytesIO(other)) as image:
        image.save(committed / "09_perceptron_foreign.png", pnginfo=_software("matplotlib 1.0"))
    foreign = (committed / "09_perceptron_foreign.png").read_bytes()
    (committed / "09_perceptron_stale.png").write_bytes(other)
    for name in ("foreign", "stale", "missing"):
        (fresh / f"09_perceptron_{name}.png").write_bytes(one)
    verdicts = figures.compare(fresh, committed, ["09_perceptron"])
    found = {verdict.name[14:]: verdict.state for verdict in verdicts}
    assert found == {"foreign": "other matplotlib", "missing": "missing", "stale": "changed"}
    pictures.write_together(figures.to_write(verdicts, fresh, committed))
    now = {path.stem[14:]: path.read_bytes() for path in committed.iterdir()}
    assert now == {"foreign": foreign, "stale": one, "missing": one}


@pytest.mark.parametrize(
    "kept, state", [("film sheet", "same"), ("film", "missing"), ("sheet", "missing"), ("film other", "changed")]
)
def test_a_film_and_its_sheet_are_one_figure(folders, kept, state):
    fresh, committed = folders
    drawn = {"film": draw(1, 1, (1, 0), 0), "sheet": draw(1, 2, (1, 0), 0), "other": draw(1, 2, (0, 1), 0)}
    place = {"film": "09_perceptron_a.png", "sheet": "09_perceptron_a_sheet.png", "other": "09_perceptron_a_sheet.png"}
    for name in ("film", "sheet"):
        (fresh / place[name]).write_bytes(drawn[name])
    for name in kept.split():
        (committed / place[name]).write_bytes(drawn[name])
    (verdict,) = verdicts = figures.compare(fresh, committed, ["09_perceptron"])
    assert verdict == figures.Verdict("09_perceptron_a", state)
    written = figures.to_write(verdicts, fresh, committed)
    assert set(written) == {committed / place[name] for name in ("film", "sheet") if name not in kept.split()}
    pictures.write_together(written)
    (fresh / place["sheet"]).unlink()  # it is a film no longer
    assert states(folders) == {"09_perceptron_a": "same", "09_perceptron_a_sheet": "stray"}


def test_files_are_written_together_or_not_at_all(tmp_path):
    (tmp_path / "a.png").write_bytes(b"old")
    with pytest.raises(OSError):
        pictures.write_together({tmp_path / "a.png": b"new", tmp_path / "no folder" / "b.ipynb": b"new"})
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"] and (tmp_path / "a.png").read_bytes() == b"old"

import base64
import io
import json
import re
import sys

import matplotlib
import numpy as np
import pytest
from cases import slow
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from PIL import Image, ImageSequence
from PIL.PngImagePlugin import PngInfo

from linmodels import pictures, plotting
from linmodels.book import figures as book_figures
from linmodels.book import notebooks

X = np.array([[0.0, 0], [1, 0], [0, 1], [2, 3], [3, 2], [3, 3]])
LABELS = np.array([-1, -1, -1, 1, 1, 1])


@pytest.fixture(autouse=True)
def away_from_the_book(tmp_path, monkeypatch):
    monkeypatch.delenv("LINMODELS_FIGURES", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def ax():
    _, ax = plotting.figure()
    ax.set(xlim=(-1, 5), ylim=(-2, 4))
    return ax


def view(ax):
    return (*ax.get_xlim(), *ax.get_ylim())


def test_figure_and_mosaic_have_the_book_s_style_their_size_and_their_panels():
    assert matplotlib.rcParams["savefig.dpi"] == 130  # whatever the reader has set
    fig, axes = plotting.figure(9, 4.5, rows=2, cols=3, sharex=True)
    assert axes.shape == (2, 3) and tuple(fig.get_size_inches()) == (9, 4.5) and fig.get_layout_engine()
    fig, panels = plotting.mosaic("ab;ac", 8, 4, width_ratios=(1, 3))
    assert sorted(panels) == ["a", "b", "c"] and tuple(fig.get_size_inches()) == (8, 4)
    tall, small, wide = (panels[name].get_subplotspec() for name in ("a", "b", "c"))
    assert tall.rowspan == range(2) and small.rowspan == range(1) and wide.rowspan == range(1, 2)
    assert small.get_gridspec().get_width_ratios() == (1, 3)


def test_classes_differ_in_colour_lightness_and_marker(ax):
    first, second = plotting.points(ax, X, LABELS)
    light = [color.get_facecolor()[0][:3] @ [0.2126, 0.7152, 0.0722] for color in (first, second)]
    assert abs(light[0] - light[1]) > 0.2
    assert not np.array_equal(first.get_paths()[0].vertices, second.get_paths()[0].vertices)
    np.testing.assert_array_equal(first.get_offsets(), X[:3])


def test_points_take_labels_of_any_kind_and_write_names_at_the_means(ax):
    drawn = plotting.points(ax, X, np.array(["b", "b", "b", "a", "a", "a"]), names=["first", "second"])
    np.testing.assert_array_equal(drawn[0].get_offsets(), X[3:])
    means = [("first", tuple(X[3:].mean(0))), ("second", tuple(X[:3].mean(0)))]
    assert [(t.get_text(), t.xy) for t in ax.texts] == means
    drawn_on = FigureCanvasAgg(ax.figure).get_renderer()
    for text in ax.texts:
        ends = text.get_window_extent(drawn_on).get_points()
        np.testing.assert_allclose(ends.mean(axis=0), ax.transData.transform(text.xy), atol=2)  # pixels


@pytest.mark.parametrize("w, b", [([1, 0], -2), ([0, 1], -1), ([-3, 2], 0), ([1e-200, 2e-200], -1e-200)])
def test_a_line_ends_on_the_frame_satisfies_its_equation_and_leaves_the_view(ax, w, b):
    before = view(ax)
    ends = plotting.line(ax, np.array(w, float), b).get_xydata()
    assert ends.shape == (2, 2) and view(ax) == before
    np.testing.assert_allclose(ends @ w + b, 0, atol=1e-12 * np.abs(w).max())
    low, high = np.array([-1, -2]), np.array([5, 4])
    assert np.all((ends >= low - 1e-12) & (ends <= high + 1e-12))
    assert np.all(np.min(np.minimum(abs(ends - low), abs(ends - high)), axis=1) < 1e-12)


@pytest.mark.parametrize("w, b", [([0, 0], 0), ([1, 1], 100), ([0, 1], -9)])
def test_a_line_that_is_none_or_misses_the_view_draws_an_empty_artist(ax, w, b):
    drawn = plotting.line(ax, w, b)
    assert drawn in ax.get_children() and len(drawn.get_xydata()) == 0


def test_a_line_in_an_inverted_view_is_the_same_line(ax):
    upright = plotting.line(ax, (1, 1), -1).get_xydata()
    ax.set(xlim=(5, -1), ylim=(4, -2))
    np.testing.assert_allclose(np.sort(plotting.line(ax, (1, 1), -1).get_xydata(), axis=0), np.sort(upright, axis=0))


def test_a_view_in_which_something_was_drawn_stays_and_keywords_overrule_the_look():
    _, ax = plotting.figure()
    plotting.points(ax, X, LABELS)
    before = view(ax)
    drawn = plotting.line(ax, [1, 1], -2, lw=7, c="red", ls=":")
    assert (drawn.get_linewidth(), drawn.get_color(), drawn.get_linestyle()) == (7, "red", ":")
    ax.plot([100], [100])
    assert view(ax) == before


def test_the_margin_band_has_its_half_width_as_distance(ax):
    w, b = np.array([3.0, 4]), -5.0
    band, *edges = plotting.margin_band(ax, w, b, 0.5)
    for edge, side in zip(edges, (-1, 1), strict=True):
        np.testing.assert_allclose((edge.get_xydata() @ w + b) / 5, -0.5 * side)
    np.testing.assert_allclose(np.sort((band.get_xy()[:4] @ w + b) / 5), [-0.5, -0.5, 0.5, 0.5])
    assert view(ax) == (-1, 5, -2, 4)
    assert len(plotting.margin_band(ax, [0, 0], 1, 0.5)[0].get_xy()) == 0


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_the_margin_band_of_a_very_short_or_long_w_is_that_of_its_direction(ax, size):
    w, b = np.array([3.0, 4]), -5.0
    band, *edges = plotting.margin_band(ax, w, b, 0.5)
    other, *others = plotting.margin_band(ax, size * w, size * b, 0.5)
    np.testing.assert_allclose(other.get_xy(), band.get_xy())
    for edge, same in zip(edges, others, strict=True):
        np.testing.assert_allclose(same.get_xydata(), edge.get_xydata())


def test_regions_have_the_colours_of_the_points_and_are_evaluated_in_blocks(ax):
    asked = []

    def predict(Z):
        asked.append(len(Z))
        return np.where(Z[:, 0] > 2, 1, -1)

    layers = plotting.regions(ax, predict, n=100)
    assert sum(asked) == 100**2 and max(asked) <= 4096 and view(ax) == (-1, 5, -2, 4)
    for layer, k in zip(layers, (0, 1), strict=True):
        assert matplotlib.colors.to_hex(layer.get_facecolor()[0]) == plotting.PALETTE[k].lower()
    left = layers[0].get_paths()[0].vertices
    assert left[:, 0].max() < 2.1


def test_a_region_keeps_its_colour_when_the_view_lacks_classes_and_has_no_sliver_of_the_middle_one(ax):
    _, second = plotting.regions(ax, lambda Z: np.ones(len(Z)), n=20, labels=[-1, 1])
    assert matplotlib.colors.to_hex(second.get_facecolor()[0]) == plotting.PALETTE[1].lower()
    layers = plotting.regions(ax, lambda Z: np.where(Z[:, 0] > 2, 2, 0), n=50, labels=[0, 1, 2])
    assert [len(layer.get_paths()[0].vertices) > 0 for layer in (second, *layers)] == [True, True, False, True]


def test_contours_are_level_lines(ax):
    drawn = plotting.contours(ax, lambda Z: (Z**2).sum(axis=1), [1])
    radius = np.linalg.norm(drawn.get_paths()[0].vertices, axis=1)
    np.testing.assert_allclose(radius, 1, atol=2e-3)
    assert view(ax) == (-1, 5, -2, 4)


def test_path_residuals_arrows_rings_and_labels_stand_where_they_are_told(ax):
    W = np.array([[0.0, 0], [1, 1], [1.5, 1]])
    way, start = plotting.path(ax, W)
    np.testing.assert_array_equal(way.get_xydata(), W)
    np.testing.assert_array_equal(start.get_xydata(), W[:1])
    segments = plotting.residuals(ax, np.array([1.0, 2]), np.array([3.0, 1]), np.array([2.0, 2])).get_segments()
    np.testing.assert_array_equal(segments, [[[1, 2], [1, 3]], [[2, 2], [2, 1]]])
    arrow = plotting.arrows(ax, [1, 1], [[1, 0], [0, 2]])
    np.testing.assert_array_equal(np.column_stack([arrow.X, arrow.Y, arrow.U, arrow.V]), [[1, 1, 1, 0], [1, 1, 0, 2]])
    assert plotting.label(ax, "here", (2, 1)).xy == (2, 1)
    around = plotting.rings(ax, X[:2], ms=9)
    np.testing.assert_array_equal(around.get_xydata(), X[:2])
    assert (around.get_linestyle(), around.get_markerfacecolor(), around.get_markersize()) == ("None", "none", 9)
    (dots,) = plotting.points(ax, X, np.ones(6))
    assert dots.get_zorder() < around.get_zorder() < ax.texts[0].get_zorder()


def test_rings_stand_around_the_samples_of_a_list_and_there_may_be_none(ax):
    np.testing.assert_array_equal(plotting.rings(ax, [[1, 2], [3, 0]]).get_xydata(), [[1, 2], [3, 0]])
    assert len(plotting.rings(ax, X[:0]).get_xydata()) == 0


def test_the_tips_of_arrows_are_in_view():
    _, ax = plotting.figure()
    plotting.arrows(ax, [0, 0], [[3, 4]])
    ax.autoscale_view()
    np.testing.assert_array_equal(ax.dataLim.get_points(), [[0, 0], [3, 4]])  # with no empty room behind them
    assert ax.get_xlim()[1] >= 3 and ax.get_ylim()[1] >= 4


@pytest.mark.parametrize(
    "draw, words",
    [
        (lambda ax: plotting.points(ax, np.ones((5, 3)), np.ones(5)), r"X must be .* \(N, 2\); found shape \(5, 3\)"),
        (lambda ax: plotting.points(ax, X, np.ones(4)), r"labels has 4 entries for 6 samples"),
        (lambda ax: plotting.points(ax, X, np.ones((6, 1))), r"labels has shape \(6, 1\) for 6 samples"),
        (lambda ax: plotting.line(ax, [1.0, 2.0, 3.0], 0.0), r"w must be of shape \(2,\); found shape \(3,\)"),
        (lambda ax: plotting.line(ax, [1.0, 2.0], [0.0]), r"b must be a finite number, found \[0.0\]"),
        (lambda ax: plotting.margin_band(ax, [1.0, 2.0], 0.0, [1.0]), "half_width must be a finite number"),
        (lambda ax: plotting.path(ax, np.ones((4, 3))), r"W must be of shape \(T, 2\); found shape \(4, 3\)"),
        (
            lambda ax: plotting.residuals(ax, np.ones(3), np.ones((3, 1)), np.ones(3)),
            r"y must be .*ravel\(y\)",
        ),
        (lambda ax: plotting.arrows(ax, np.ones((4, 2)), np.ones((3, 2))), r"vectors must be .*M = 4 as in starts"),
        (lambda ax: plotting.rings(ax, [1.0, 2.0]), r"X must be of shape \(N, 2\); found shape \(2,\)"),
        (lambda ax: plotting.regions(ax, lambda grid: 0), r"predict\(grid\) has shape \(\); one value .*"),
        (lambda ax: plotting.contours(ax, lambda grid: grid, [0]), r"f\(grid\) has shape \(\d+, 2\); one value .*"),
        (lambda ax: plotting.bands(ax, lambda grid: grid), r"posterior\(grid\) has shape \(4096, 2\)"),
    ],
)
def test_what_cannot_be_drawn_is_told(ax, draw, words):
    with pytest.raises((ValueError, TypeError), match=words):
        draw(ax)
    assert not ax.lines and not ax.collections and not ax.patches


def test_a_label_in_a_color_of_the_book_stands_out_from_white(ax):
    for color in plotting.PALETTE:
        rgb = np.array(to_rgb(plotting.label(ax, "here", (2, 1), color=color).get_color()))
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        assert 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05) >= 4.5  # the contrast of WCAG 2
        hue = np.array(to_rgb(color))
        np.testing.assert_allclose(rgb * hue.max(), hue * rgb.max(), atol=1e-12)  # darker, of the same hue


def a_figure(shift=0.0, *size):
    fig, ax = plotting.figure(*size)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    plotting.line(ax, [1, 1], -1 - shift)
    return fig


def a_frame(shift, height=1.5):
    """A small one of few colors, whose film is soon made."""
    fig = a_figure(shift, 2, height)
    fig.axes[0].set_axis_off()
    return fig


@pytest.fixture
def outputs(monkeypatch):
    """What a picture displays, in order: (data, metadata)."""
    found = []
    monkeypatch.setattr(
        "IPython.display.display", lambda data, metadata=None, raw=False: found.append((data, metadata))
    )
    return found


def test_bands_are_stronger_where_the_model_is_surer(ax):
    """Six tints between the probabilities 0, 0.1, 0.25, 0.5, 0.75, 0.9 and 1; each side of 1/2 in its class's color."""
    drawn = plotting.bands(ax, lambda grid: 1 / (1 + np.exp(-grid[:, 0])))
    assert list(drawn.levels) == [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]
    colors = drawn.get_facecolors()
    for k, side in ((0, colors[:3]), (1, colors[3:])):
        assert np.allclose(side[:, :3], to_rgb(plotting.PALETTE[k]))
    strength = colors[:, 3]
    assert np.allclose(strength, strength[::-1]) and np.all(np.diff(strength[3:]) > 0) and strength[3] > 0
    assert abs(drawn.get_paths()[2].vertices[:, 0].max()) < 0.02  # the third band ends where p = 1/2
    assert view(ax) == (-1, 5, -2, 4)
    (region, _) = plotting.regions(ax, lambda grid: np.sign(grid[:, 0]), labels=[-1, 1])
    assert region.get_alpha() < strength[-1] < 1 / 2  # a sure class is seen, and its points stand out


@pytest.mark.parametrize("p, tinted", [(1 + 2.3e-16, 5), (-1e-17, 0), (1.1, None), (-0.1, None)])
def test_bands_tint_a_probability_that_rounding_moved_and_leave_white_what_is_none(ax, p, tinted):
    drawn = plotting.bands(ax, lambda grid: np.full(len(grid), p))
    seen = [k for k, path in enumerate(drawn.get_paths()) if len(path.vertices)]
    assert seen == ([] if tinted is None else [tinted])


def test_save_displays_the_picture_with_its_text_and_its_width_and_writes_only_where_it_is_told(
    outputs, monkeypatch, tmp_path
):
    shown = plotting.save(a_figure(), "09_perceptron_line", "A line: [w]")
    shown._ipython_display_()
    ((data, metadata),) = outputs
    assert data["text/plain"] == repr(shown) == "[figure 09_perceptron_line: A line: [w]]"
    assert metadata == {"image/png": {"alt": "A line: [w]", "width": 640}}
    assert base64.b64decode(data["image/png"]) == shown.png
    with Image.open(io.BytesIO(shown.png)) as image:
        assert image.size == (832, 520)
        assert set(image.info) <= {"Software", "dpi"} and image.info["Software"] == pictures.MATPLOTLIB
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("LINMODELS_FIGURES", str(tmp_path))
    monkeypatch.setenv("LINMODELS_FIGURE_FORMAT", "svg")
    shown = plotting.save(a_figure(), "09_perceptron_line", "A line")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["09_perceptron_line.png", "09_perceptron_line.svg"]
    assert (tmp_path / "09_perceptron_line.png").read_bytes() == shown.png


def test_a_caption_follows_the_picture_with_the_number_of_its_place_in_the_stored_chapter(committed, outputs):
    plotting.save(a_figure(), "09_perceptron_line", "A line", caption="$w$ turns.")._ipython_display_()
    assert outputs.pop() == ({"text/plain": "Figure. $w$ turns.", "text/markdown": "**Figure.** $w$ turns."}, None)
    sources = [
        'fig = f()\nplotting.save(\n    fig,\n    "09_perceptron_first",\n    alt="09_perceptron_none")',
        '# plotting.save(fig, "09_perceptron_yours", alt="")',
        'plotting.save([f() for f in (1, 2)], "09_perceptron_line", alt="")',
    ]
    cells = [{"cell_type": "code", "source": source.splitlines(keepends=True)} for source in sources]
    cells.insert(0, {"cell_type": "markdown", "source": 'plotting.save(fig, "09_perceptron_told")'})
    (committed.parents[1] / "notebooks" / "09_perceptron.ipynb").write_text(json.dumps({"cells": cells}))
    numbers = [pictures.figure_number(f"09_perceptron_{name}") for name in ("first", "line", "yours")]
    assert numbers == ["9.1", "9.2", ""]
    plotting.save(a_figure(), "09_perceptron_line", "A line", caption="It turns.")._ipython_display_()
    assert outputs[-1][0]["text/markdown"] == "**Figure 9.2.** It turns."
    # half written, or no notebook
    for broken in ('{"cells": [', "[]", '{"cells": null}', '{"cells": [{}]}', '{"cells": [{"cell_type": "code"}]}'):
        (committed.parents[1] / "notebooks" / "09_perceptron.ipynb").write_text(broken)
        assert pictures.figure_number("09_perceptron_line") == ""


@pytest.mark.parametrize("running", [False, True])
def test_a_kernel_plays_a_film_and_a_run_shows_its_sheet(outputs, monkeypatch, tmp_path, running):
    widgets, boxes = pytest.importorskip("ipywidgets"), []
    box = widgets.VBox
    monkeypatch.setattr(widgets, "VBox", lambda children: boxes.append(children) or box(children))
    if running:
        monkeypatch.setenv("LINMODELS_FIGURES", str(tmp_path))
    shown = plotting.save([*map(a_frame, (0, 0.1, 0.2))], "09_perceptron_line", "A line")
    shown._ipython_display_()
    ((data, metadata),) = outputs
    assert data["text/plain"] == "[figure 09_perceptron_line: A line]"
    assert base64.b64decode(data["image/png"]) == shown.sheet
    assert metadata == {"image/png": {"alt": "A line", "width": 3 * 200 + 2 * 20}}
    assert (notebooks.WIDGET in data) == (not running)
    if running:
        assert (tmp_path / "09_perceptron_line_sheet.png").read_bytes() == shown.sheet
        return
    ((bar, picture),) = boxes
    play, slider, _ = bar.children
    assert (slider.min, slider.value, slider.max) == (play.min, play.value, play.max) == (1, 1, 3)
    assert play.interval * play.max / 1000 == pytest.approx(pictures.SECONDS, abs=0.01)
    for k, (frame, _) in enumerate(frames(shown.png)[1:], start=1):
        slider.value = k
        seen = re.fullmatch('<img alt="A line" width="200" .*src="data:image/png;base64,(.*)">', picture.value)[1]
        assert np.array_equal(frames(base64.b64decode(seen))[0][0], frame)


def test_without_widgets_the_sheet_is_shown(outputs, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    plotting.save([*map(a_frame, (0, 0.1))], "09_perceptron_line", "A")._ipython_display_()
    assert set(outputs[0][0]) == {"text/plain", "image/png"}


# A moving picture.


def frames(png):
    """Its default image, then what moves; and how long each is seen, in ms."""
    with Image.open(io.BytesIO(png)) as image:
        return [(np.asarray(f.convert("RGB"), int), f.info.get("duration")) for f in ImageSequence.Iterator(image)]


def cut(sheet, size, n):
    """What stands on a sheet of n frames, row by row: the number of each, and below it the frame."""
    width, height = size
    columns = (sheet.width + 26) // (width + 26)
    assert sheet.height == -(-n // columns) * (52 + height)
    for k in range(n):
        left, top = k % columns * (width + 26), k // columns * (52 + height)
        number, frame = (left, top, left + width, top + 52), (left, top + 52, left + width, top + 52 + height)
        yield sheet.crop(number), sheet.crop(frame)


def test_a_moving_picture_ends_and_is_printed_with_its_last_frame(tmp_path, monkeypatch):
    monkeypatch.setenv("LINMODELS_FIGURES", str(tmp_path))
    monkeypatch.setenv("LINMODELS_FIGURE_FORMAT", "svg")
    figs = [a_figure(shift, 2, 1.5) for shift in (0, 0.1, 0.2)]
    png = plotting.save(figs, "09_perceptron_line", "A line moves").png
    (still, _), *moving = frames(png)
    assert [duration for _, duration in moving] == [1333, 1333, 1333]
    for (frame, _), fig in zip(moving, figs, strict=True):
        drawn = frames(pictures.render(fig, "png"))[0][0]
        assert np.sqrt(np.mean((frame - drawn) ** 2)) < 1 and np.array_equal(frame[0, 0], [255, 255, 255])
    assert np.array_equal(still, moving[-1][0])
    with Image.open(io.BytesIO(png)) as image:
        assert image.info["loop"] == 1 and image.info["Software"] == pictures.MATPLOTLIB
    assert (tmp_path / "09_perceptron_line.svg").read_bytes() == pictures.render(figs[-1], "svg")
    assert plotting.save(figs, "09_perceptron_line", "A line moves").png == png


def test_one_frame_or_its_time_makes_another_picture(monkeypatch):
    moving = lambda *shifts: pictures._animated([*map(a_frame, shifts)])  # noqa: E731
    png = moving(0, 0.1, 0.2)
    assert pictures.same_picture(png, moving(0, 0.1, 0.2)) == "same"
    others = [moving(0, 0.105, 0.2), moving(0, 0.1), pictures.render(a_frame(0.2), "png")]
    monkeypatch.setattr(pictures, "SECONDS", 3.0)
    for other in (*others, moving(0, 0.1, 0.2)):
        assert pictures.same_picture(png, other) == "changed"


@pytest.mark.parametrize("height, columns", [(1, 2), (1.9, 3)])
def test_the_sheet_shows_the_frames_of_a_film_in_rows_each_below_its_number(height, columns):
    figs = [a_frame(shift, height) for shift in (0, 0.1, 0.2, 0.3, 0.4)]
    shown = plotting.save(figs, "09_perceptron_line", "A line moves")
    with Image.open(io.BytesIO(shown.sheet)) as image:
        assert image.mode == "P" and image.info["Software"] == pictures.MATPLOTLIB
        assert image.width == columns * (260 + 26) - 26 and shown.width == round(image.width / 1.3)
        cells = list(cut(image.convert("RGB"), (260, round(130 * height)), 5))
    assert all(np.array_equal(c, f) for (_, c), (f, _) in zip(cells, frames(shown.png)[1:], strict=True))
    numbers = [np.asarray(number) for number, _ in cells]
    assert all(100 < np.sum(number < 128) < 3000 for number in numbers)
    assert len({number.tobytes() for number in numbers}) == 5
    assert plotting.save(figs, "09_perceptron_line", "A line moves").sheet == shown.sheet


@pytest.mark.parametrize("letters", ["aab", "abb", "aa", "aaabba"])
def test_equal_figures_stay_frames_of_their_own(letters):
    """So a step that changes nothing has its number, in the film, below the slider and on the sheet."""
    shown = plotting.save([a_frame({"a": 0, "b": 0.2}[letter]) for letter in letters], "09_perceptron_line", "x")
    _, *moving = frames(shown.png)
    assert len(moving) == len(pictures.frames(shown.png)) == len(letters)
    assert {duration for _, duration in moving} == {round(4000 / len(letters))}
    with Image.open(io.BytesIO(shown.sheet)) as image:
        cells = list(cut(image.convert("RGB"), (260, 195), len(letters)))
    for k, letter in enumerate(letters):
        like = moving[letters.index(letter)][0]
        assert np.array_equal(moving[k][0], like) and np.array_equal(cells[k][1], like)
    assert ("b" not in letters) or not np.array_equal(moving[0][0], moving[letters.index("b")][0])
    assert len({number.tobytes() for number, _ in cells}) == len(letters)


def test_a_moving_picture_that_is_none_is_refused():
    with pytest.raises(ValueError, match=r"09_a_b: found no frame"):
        plotting.save([], "09_a_b", "x")
    for wrong in (plotting.figure(), plotting.figure()[1], "x"):
        with pytest.raises(
            TypeError, match=r"09_a_b: found .*; expected a figure, as fig of fig, ax = plotting.figure"
        ):
            plotting.save(wrong, "09_a_b", "x")
    with pytest.raises(ValueError, match=r"frames: found the sizes \[\(390, 260\), \(832, 520\)\]"):
        plotting.save([a_figure(), plotting.figure(3, 2)[0]], "09_a_b", "x")


@pytest.mark.parametrize(
    "name, alt, caption, told",
    [
        *((name, "x", "", r"name: found .* expected chapter number") for name in ("09_a_b_sheet", "9_a_b", "09_a")),
        *((name, "x", "", r"name: found .* expected chapter number") for name in ("09_a_b.png", "../09_a_b")),
        ("09_a_b", "  ", "", r"alt: found .* expected one line"),
        ("09_a_b", "two\nlines", "", r"alt: found .* expected one line"),
        ("09_a_b", "A line", "two\nlines", r"caption: found 'two\\nlines'; expected one line"),
    ],
)
def test_save_refuses_a_name_that_is_none_and_a_figure_without_alternative_text(name, alt, caption, told):
    with pytest.raises(ValueError, match=told):
        plotting.save(None, name, alt, caption=caption)


@pytest.mark.parametrize("format", ["svg", *slow(["png", "pdf"])])
def test_the_bytes_are_the_same_every_time(format):
    drawn = pictures.render(a_figure(), format)
    assert pictures.render(a_figure(), format) == drawn
    assert b"Date" not in drawn


@pytest.fixture(scope="module")
def a_picture():
    return pictures.render(a_figure(), "png")


@pytest.fixture
def committed(tmp_path, monkeypatch):
    """figures/09_perceptron_line.png in a small book, seen from its notebooks/."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "linmodels"\n')
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "figures").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    return tmp_path / "figures" / "09_perceptron_line.png"


def rewritten(png, software, noise=0):
    """The same picture, with one pixel in a thousand changed by ``noise`` and by another matplotlib."""
    with Image.open(io.BytesIO(png)) as image:
        pixels = np.asarray(image.convert("RGB")).copy()
    pixels.reshape(-1, 3)[::1000] ^= noise
    info, out = PngInfo(), io.BytesIO()
    info.add_text("Software", software)
    Image.fromarray(pixels).save(out, "png", pnginfo=info)
    return out.getvalue()


@pytest.mark.parametrize(
    "software, noise, running, state, kept",
    [
        (pictures.MATPLOTLIB, 1, False, "close", True),
        (pictures.MATPLOTLIB, 255, True, "changed", False),
        ("matplotlib 1.0", 255, False, "other matplotlib", False),
        ("matplotlib 1.0", 255, True, "other matplotlib", True),
    ],
)
def test_which_picture_is_shown(committed, a_picture, monkeypatch, tmp_path, software, noise, running, state, kept):
    fresh = a_picture
    monkeypatch.setattr(pictures, "render", lambda fig, format: fresh)  # as often as it is drawn
    committed.write_bytes(rewritten(fresh, software, noise))
    if running:
        monkeypatch.setenv("LINMODELS_FIGURES", str(tmp_path))
    assert pictures.same_picture(fresh, committed.read_bytes()) == state
    shown = plotting.save(a_figure(), "09_perceptron_line", "A line")
    assert shown.png == (committed.read_bytes() if kept else fresh)


@pytest.mark.parametrize("kept", [slice(10), slice(1000), slice(0)])
def test_a_picture_that_is_cut_off_is_damaged_and_drawn_anew(tmp_path, a_picture, kept):
    """No command reads it as a picture: each can write it again."""
    fresh, committed = tmp_path / "fresh", tmp_path / "committed"
    fresh.mkdir(), committed.mkdir()
    (fresh / "09_perceptron_line.png").write_bytes(a_picture)
    (committed / "09_perceptron_line.png").write_bytes(a_picture[kept])
    (verdict,) = verdicts = book_figures.compare(fresh, committed, ["09_perceptron"])
    assert verdict.state == "damaged"
    assert book_figures.to_write(verdicts, fresh, committed) == {committed / "09_perceptron_line.png": a_picture}


# A live cell.


def a_live_figure(height=0.5, kind="thin"):
    fig, ax = plotting.figure(3, 2)
    ax.plot([0, 1], [0, height], lw=4 if kind == "thick" else 1)
    ax.set_title(f"$\\mathbf{{x}}_1$ at {height:.2f}")
    return fig


def a_live_cell(**sliders):
    sliders = sliders or {"height": 10.0 ** np.array([-2.5, 0, np.log10(0.5)]), "kind": ["thin", "thick"]}
    told = {"alt": "A {kind} line up to {height}. {title}.", "caption": "It bends."}
    return plotting.live(a_live_figure, "09_perceptron_line", **told, **sliders)


def test_a_live_cell_starts_at_the_defaults_of_its_function_and_draws_each_state():
    live = a_live_cell()
    assert live.png == plotting.save(a_live_figure(), "09_perceptron_line", "x").png
    assert live.alt == "A thin line up to 0.5. x1 at 0.50."
    assert live.sliders == [
        {"label": "height", "told": ["0.00316", "1", "0.5"], "start": 2},
        {"label": "kind", "told": ["thin", "thick"], "start": 0},
    ]
    state = live.at([1, 1])
    assert state.alt == "A thick line up to 1. x1 at 1.00." and state.width == live.width == 300
    live = plotting.live(lambda lam: a_live_figure(lam), "09_perceptron_line", "λ = {lam}", lam=[0.25, 0.5])
    assert live.alt == "λ = 0.25" and live.sliders == [{"label": "λ", "told": ["0.25", "0.5"], "start": 0}]


def test_the_panels_of_a_live_cell_stay_where_they_are_at_its_start():
    made = []

    def a_square_or_more(n=2):  # with the labels of 1 to 100 000 a panel is narrower
        fig, panels = plotting.figure(3, 2, cols=2 if n < 9 else 1, squeeze=False)
        panels[0, 0].plot([0, 10**n])
        made.append(fig)
        return fig

    live = plotting.live(a_square_or_more, "09_perceptron_line", "{n}", n=[2, 5, 9])
    wide = plotting.save(a_square_or_more(5), "09_perceptron_line", "x")
    at_five, at_nine = live.at([1]), live.at([2])
    first, alone, held, other = [fig.axes[0].get_position().bounds for fig in made]
    assert held == first != alone and at_five.png != wide.png
    assert other != first and at_nine.png == plotting.save(a_square_or_more(9), "09_perceptron_line", "x").png


def test_a_live_cell_that_is_stored_is_a_picture_and_in_a_notebook_it_has_sliders(outputs, monkeypatch, tmp_path):
    widgets, made, asked = pytest.importorskip("ipywidgets"), [], []
    slider = widgets.SelectionSlider
    monkeypatch.setattr(widgets, "SelectionSlider", lambda **kw: made.append(slider(**kw)) or made[-1])
    live = a_live_cell()
    monkeypatch.setattr(
        plotting.Live, "at", lambda live, places, of=plotting.Live.at: asked.append(places) or of(live, places)
    )
    live._ipython_display_()
    *_, (data, metadata), caption = outputs
    assert caption[0]["text/markdown"] == "**Figure.** It bends."
    assert notebooks.WIDGET in data and data["text/plain"] == repr(live)
    assert metadata["image/png"]["alt"] == live.alt
    height, kind = made
    assert not height.continuous_update and not kind.continuous_update  # one picture where the hand lets go
    assert (height.label, kind.label) == ("0.5", "thin") and asked == [[2, 0]]
    height.value, kind.value = 1, 1
    assert asked[1:] == [[1, 0], [1, 1]]
    monkeypatch.setenv("LINMODELS_FIGURES", str(tmp_path))
    a_live_cell()._ipython_display_()
    assert set(outputs[-2][0]) == {"text/plain", "image/png"} and (tmp_path / "09_perceptron_line.png").is_file()


def test_a_start_that_no_slider_reaches_is_named():
    with pytest.raises(ValueError, match=r"height: found no position 0\.5, where a_live_figure starts; add it"):
        a_live_cell(height=[0.25, 0.75])
    with pytest.raises(TypeError, match="unexpected keyword argument 'width'"):
        a_live_cell(width=[1, 2])


@pytest.mark.parametrize("default, values", [("auto", [0.5, "auto"]), (None, [0.5, None]), (2, [0.5, 2.0])])
def test_positions_may_be_of_several_kinds(default, values):
    def drawn(C=default):
        return a_figure()

    live = plotting.live(drawn, "09_perceptron_line", "{C}", C=values)
    assert live.start == [1] and live.alt == plotting._told(values[1])
    with pytest.raises(ValueError, match=f"C: found no position {default!r}, where drawn starts"):
        plotting.live(drawn, "09_perceptron_line", "{C}", C=[0.5, "other"])


def test_a_number_beside_a_slider_keeps_all_digits_before_its_point():
    told = ["0.333", "1.5", "666", "1000", "1234", "12346"]
    assert [plotting._told(v) for v in (1 / 3, 1.5, 665.7, 1000.0, 1234.0, np.float64(12345.6))] == told


@pytest.mark.parametrize("values", [[], 0.5, "auto"])
def test_a_slider_without_positions_is_named(values):
    with pytest.raises(ValueError, match=rf"C: found {re.escape(repr(values))}; expected a list of one or more"):
        plotting.live(lambda C: a_figure(), "09_perceptron_line", "{C}", C=values)


def test_a_slider_does_not_take_the_place_of_the_title_in_the_alternative_text():
    with pytest.raises(ValueError, match=r"title: in alt, .*; rename the slider"):
        plotting.live(lambda title: a_figure(), "09_perceptron_line", "{title}", title=["a", "b"])


def test_a_slider_that_is_none_is_named_in_the_alternative_text():
    with pytest.raises(ValueError, match=r"09_perceptron_line: found \{eta\} in alt; expected one of \{title\}, \{C\}"):
        plotting.live(lambda C: a_figure(), "09_perceptron_line", "{title} at {eta}", C=[1, 2])
    assert plotting.live(lambda C: a_figure(), "09_perceptron_line", "{C:>3}", C=[1, 2]).alt == "  1"


# Where the book lies.


@pytest.mark.parametrize(
    "project, found",
    [
        ('[project]\nname = "linmodels"', True),
        ('[project]\nname = "other"', False),
        ('[project]\nname = "linmodels"\ndescription = "caf\xe9"', False),  # latin-1
        *((text, False) for text in ("[project", "[tool]", "project = 1", "[[project]]", None)),
    ],
)
def test_the_book_is_known_by_its_name_and_another_project_is_passed_over(tmp_path, project, found):
    (tmp_path / "notebooks").mkdir()
    if project is None:
        (tmp_path / "pyproject.toml").mkdir()
    else:
        (tmp_path / "pyproject.toml").write_bytes(project.encode("latin-1"))
    assert pictures.find_root(tmp_path / "notebooks") == (tmp_path.resolve() if found else None)

"""What the figures of all chapters have in common: one style, one color and one marker per class, `save` and `live`.

Every function but `figure`, `mosaic`, `save` and `live` takes the axes first, draws in their view and returns what it
has drawn. Nothing here knows a model: what is drawn is computed in the chapter. This is the only module that draws with
matplotlib.
"""

from __future__ import annotations

import inspect
import math
import re
import string
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import rcsetup
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cbook import normalize_kwargs
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.patheffects import withStroke
from matplotlib.quiver import Quiver
from matplotlib.text import Annotation

from .guards.shapes import takes
from .pictures import Picture, hold_panels, render
from .pictures import save as save

# Okabe and Ito: distinct for the color-blind; the first ones differ in lightness too, and markers serve gray print.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
INK = "#222222"
STYLE: Any = {  # Any: the stubs of rcParams list every key as a literal
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.prop_cycle": rcsetup.cycler("color", PALETTE),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "figure.labelsize": "medium",
    "figure.titlesize": "medium",
    "font.family": "DejaVu Sans",
    "grid.alpha": 0.25,
    "image.cmap": "cividis",
    "legend.frameon": False,
    "savefig.dpi": 130,
    "svg.hashsalt": "linmodels",
}
# Chapters call ax.plot and ax.set_title themselves, outside of any rc_context we could open, and a committed
# picture must not depend on the reader's matplotlibrc: so the style is set here, once, over the defaults.
mpl.rcdefaults()
mpl.rcParams.update(STYLE)

LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)  # of the probability, where `bands` changes its tint
GREEK = {"lam": "λ", "eta": "η", "rho": "ρ", "sigma": "σ"}  # what a slider is called, by the name of its parameter
BLOCK = 4096  # grid points per call of a decision function: a Gram matrix of the whole grid would take 0.5 GB


def figure(
    width: float = 6.4, height: float = 4.0, rows: int = 1, cols: int = 1, **subplots: Any
) -> tuple[Figure, Any]:
    """A figure (inches) and its axes: one, or an array of rows x cols; more keywords go to ``Figure.subplots``."""
    fig = Figure(figsize=(width, height))
    return fig, fig.subplots(rows, cols, **subplots)


def mosaic(layout: str, width: float, height: float, **subplots: Any) -> tuple[Figure, dict[str, Axes]]:
    """A figure (inches) and its axes by letter, as in Matplotlib's ``subplot_mosaic``: "ab;ac" has a tall panel a."""
    fig = Figure(figsize=(width, height))
    return fig, fig.subplot_mosaic(layout, **subplots)


def live(draw: Callable[..., Figure], name: str, alt: str, caption: str = "", **sliders: Iterable[Any]) -> Live:
    """The figure that ``draw`` returns, as `save` shows it, with a slider for each of its parameters: C=[0.1, 1, 10].

    A slider moves over the positions in your list. It starts at the parameter's default, or at the first position.
    In ``alt``, {C} stands for the position of the slider C, and {title} for what the figure says above its axes.
    """
    positions = {slider: _positions(slider, values) for slider, values in sliders.items()}

    def drawn(places: Sequence[int]) -> tuple[Figure, str]:
        values = {slider: positions[slider][k] for slider, k in zip(positions, places, strict=True)}
        fig = draw(**values)
        title = re.sub(r"\\mathbf|[$\\{}_]", "", "; ".join(filter(None, (ax.get_title() for ax in fig.axes))))
        told = {"title": title} | {slider: _told(value) for slider, value in values.items()}
        for _, field_name, _, _ in string.Formatter().parse(alt):
            if field_name is not None and re.split(r"[.\[]", field_name)[0] not in told:
                raise ValueError(f"{name}: found {{{field_name}}} in alt; expected one of {{{'}, {'.join(told)}}}")
        return fig, alt.format(**told)

    start = [_start(draw, slider, values) for slider, values in positions.items()]
    fig, told = drawn(start)
    first = save(fig, name, told, caption)
    return Live(name, told, first.width, first.png, caption, drawn=drawn, first=fig, positions=positions, start=start)


@dataclass(frozen=True, repr=False)
class Live(Picture):
    """What `live` returns: the picture at the start of its sliders, which draws the others when it is asked."""

    drawn: Callable[[Sequence[int]], tuple[Figure, str]] = field(kw_only=True)
    first: Figure = field(kw_only=True)
    positions: dict[str, list[Any]] = field(kw_only=True)
    start: list[int] = field(kw_only=True)

    @property
    def sliders(self) -> list[dict[str, Any]]:
        """Of each slider its label, its positions as they are told, and the place among them where it starts."""
        named = zip(self.positions.items(), self.start, strict=True)
        return [
            {"label": GREEK.get(name, name.replace("_", " ")), "told": [*map(_told, values)], "start": k}
            for (name, values), k in named
        ]

    def at(self, places: Sequence[int]) -> Picture:
        """The picture where each slider is at the position of this place, counted from 0; its panels do not move."""
        fig, alt = self.drawn(places)
        hold_panels(fig, self.first)
        return Picture(self.name, alt, self.width, render(fig, "png"))

    def _moving(self) -> dict[str, Any]:
        """In JupyterLab, the sliders and the picture that they move."""
        try:
            from ipywidgets import SelectionSlider, interactive
        except ImportError:
            return {}
        knobs = {
            str(n): SelectionSlider(
                options=[(told, k) for k, told in enumerate(slider["told"])],
                index=slider["start"], description=slider["label"], continuous_update=False,
            )
            for n, slider in enumerate(self.sliders)
        }  # fmt: skip
        shown = interactive(lambda **places: self.at([*places.values()]), {"auto_display": True}, **knobs)
        return dict(shown._repr_mimebundle_())


def _positions(slider: str, values: Iterable[Any]) -> list[Any]:
    if slider == "title":
        raise ValueError("title: in alt, {title} stands for what the figure says above its axes; rename the slider")
    positions = [] if isinstance(values, str) or not isinstance(values, Iterable) else list(values)
    if not positions:
        raise ValueError(f"{slider}: found {values!r}; expected a list of one or more positions, as [0.1, 1, 10]")
    return positions


def _start(draw: Callable[..., Figure], slider: str, values: Sequence[Any]) -> int:
    """The place of the parameter's default among the positions, 0 if there is none."""
    default: Any = getattr(inspect.signature(draw).parameters.get(slider), "default", inspect.Parameter.empty)
    if default is inspect.Parameter.empty:
        return 0
    place = next((k for k, value in enumerate(values) if _same(value, default)), None)
    if place is None:
        raise ValueError(f"{slider}: found no position {default!r}, where {draw.__name__} starts; add it to the list")
    return place


def _same(value: Any, default: Any) -> bool:
    """Equal, numbers up to rounding: 10.0 ** np.log10(0.5) is meant to be 0.5."""
    numbers = isinstance(value, Real) and isinstance(default, Real)
    return math.isclose(value, default) if numbers else value == default


def _told(value: Any) -> str:
    """A position as it is written beside its slider; of a float three digits, or all before its point."""
    if isinstance(value, float):
        digits = max(3, len(f"{abs(value):.0f}"))
        return np.format_float_positional(value, precision=digits, fractional=False, trim="-")
    return str(value)


@takes(X="N 2")
def points(ax: Axes, X: np.ndarray, labels: np.ndarray, names: Iterable[str] | None = None) -> list[PathCollection]:
    """The samples X (N, 2), a color and a marker per class in sorted order; ``names`` stand at the class means."""
    labels = np.asarray(labels)
    if labels.shape != (len(X),):
        found = f"{len(labels)} entries" if labels.ndim == 1 else f"shape {labels.shape}"
        raise ValueError(f"labels has {found} for {len(X)} samples; give one each, (N,)")
    classes = np.unique(labels)
    drawn = [_class_points(ax, X[labels == c], k) for k, c in enumerate(classes)]
    for c, name in zip(classes, names or (), strict=False):
        label(ax, name, X[labels == c].mean(axis=0), xytext=(0, 0), ha="center", va="center", weight="bold")
    return drawn


def _class_points(ax: Axes, X: np.ndarray, k: int) -> PathCollection:
    color, marker = PALETTE[k % len(PALETTE)], MARKERS[k % len(MARKERS)]
    return ax.scatter(X[:, 0], X[:, 1], s=26, color=color, marker=marker, edgecolors="white", linewidths=0.6, zorder=3)


def regions(
    ax: Axes, predict: Callable[[np.ndarray], np.ndarray], n: int = 300, labels: Iterable[Any] | None = None
) -> list[QuadContourSet]:
    """Tint the view by predicted class; ``labels`` names all classes when the view may not show each of them."""
    u, v, grid = _view_grid(ax, n)
    predicted = _values_in_blocks(predict, grid, "predict")
    classes = np.unique(predicted if labels is None else list(labels))
    # one layer per class: a single contourf would draw class 1 as a sliver between classes 0 and 2
    return [
        ax.contourf(u, v, (predicted == c).reshape(n, n), [0.5, 1.5], colors=[PALETTE[k % len(PALETTE)]], alpha=0.22)
        for k, c in enumerate(classes)
    ]


def contours(
    ax: Axes, f: Callable[[np.ndarray], np.ndarray], levels: Iterable[float], n: int = 200, **kw: Any
) -> QuadContourSet:
    """Level lines of f, which maps (M, 2) to (M,), over the view."""
    u, v, grid = _view_grid(ax, n)
    style = {"colors": "0.45", "linewidths": 0.9} if "cmap" not in kw else {"linewidths": 0.9}
    return ax.contour(u, v, _values_in_blocks(f, grid, "f").reshape(n, n), list(levels), **(style | kw))


def bands(ax: Axes, posterior: Callable[[np.ndarray], np.ndarray], n: int = 200) -> QuadContourSet:
    """Tint the view by the probability of the second of two classes: the surer, the stronger the class's color."""
    u, v, grid = _view_grid(ax, n)
    edges = np.array([0, *LEVELS, 1])
    middle = (edges[1:] + edges[:-1]) / 2
    tints = [to_rgba(PALETTE[int(p > 0.5)], 0.42 * abs(2 * p - 1)) for p in middle]
    p = _values_in_blocks(posterior, grid, "posterior").reshape(n, n)
    inside = np.clip(p, 0, 1)
    p = np.where(np.abs(p - inside) < 1e-6, inside, p)  # beyond rounding it is no probability, and stays white
    return ax.contourf(u, v, p, edges, colors=tints)


@takes(X="N 2 any")
def rings(ax: Axes, X: np.ndarray, **kw: Any) -> Line2D:
    """A ring around each of the samples X (N, 2), such as those that a model gets wrong; there may be none."""
    style = _style(Line2D, kw, linestyle="", marker="o", markersize=11, markerfacecolor="none", color=INK, zorder=3.2)
    return ax.plot(X[:, 0], X[:, 1], **style)[0]


def _view_grid(ax: Axes, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    xlim, ylim = _hold_view(ax)
    u, v = np.meshgrid(np.linspace(*xlim, n), np.linspace(*ylim, n))
    return u, v, np.column_stack([u.ravel(), v.ravel()])


def _hold_view(ax: Axes) -> tuple[tuple[float, float], tuple[float, float]]:
    """The limits of the axes, which from now on stay as they are."""
    xlim, ylim = ax.get_xlim(), ax.get_ylim()
    ax.set(xlim=xlim, ylim=ylim)
    return xlim, ylim


def _values_in_blocks(f: Callable[[np.ndarray], np.ndarray], grid: np.ndarray, name: str) -> np.ndarray:
    found = []
    for B in (grid[i : i + BLOCK] for i in range(0, len(grid), BLOCK)):
        found.append(np.asarray(f(B)))
        if found[-1].shape != (len(B),):
            raise ValueError(
                f"{name}(grid) has shape {found[-1].shape}; one value for each of {len(B)} points is expected"
            )
    return np.concatenate(found)


@takes(w="2", b="number")
def line(ax: Axes, w: np.ndarray, b: float, **kw: Any) -> Line2D:
    """The line w·x + b = 0, cut at the view and leaving it as it is; w = 0 is no line and draws an empty artist."""
    ends = _line_in_view(np.asarray(w, dtype=float), float(b), *_hold_view(ax))
    drawn = Line2D(ends[:, 0], ends[:, 1], **_style(Line2D, kw, color=INK, linewidth=1.6, zorder=2.5))
    ax.add_artist(drawn)
    return drawn


def _line_in_view(w: np.ndarray, b: float, xlim: tuple[float, float], ylim: tuple[float, float]) -> np.ndarray:
    """The two ends (2, 2) of the line inside the view, or (0, 2) when there is none."""
    size = np.abs(w).max()
    if size == 0:
        return np.empty((0, 2))
    w, b = w / size, b / size
    low, high = np.sort([xlim, ylim], axis=1).T
    center = (low + high) / 2
    p = center - (w @ center + b) / (w @ w) * w  # the point of the line nearest to the center of the view
    d = np.array([-w[1], w[0]])
    if np.any((d == 0) & ((p < low) | (p > high))):
        return np.empty((0, 2))
    t = np.sort([(side[d != 0] - p[d != 0]) / d[d != 0] for side in (low, high)], axis=0)
    first, last = t[0].max(), t[1].min()
    return p + np.outer([first, last], d) if first <= last else np.empty((0, 2))


@takes(w="2", b="number", half_width="number")
def margin_band(ax: Axes, w: np.ndarray, b: float, half_width: float, **kw: Any) -> list[Polygon | Line2D]:
    """The points at most ``half_width`` from the line w·x + b = 0: a tint and its two dashed edges."""
    size = np.abs(w).max() or 1.0  # the same line with numbers whose squares neither vanish nor overflow
    w, b = w / size, b / size
    shift = half_width * float(np.linalg.norm(w))
    corners = _band_corners(w, b, shift, *_hold_view(ax))
    band = Polygon(corners, closed=True, **_style(Polygon, kw, color="0.5", alpha=0.15, linewidth=0, zorder=1))
    ax.add_artist(band)
    return [band, *(line(ax, w, b + s, linestyle="--", linewidth=1) for s in (-shift, shift))]


def _band_corners(
    w: np.ndarray, b: float, shift: float, xlim: tuple[float, float], ylim: tuple[float, float]
) -> np.ndarray:
    """Four corners of the band |w·x + b| <= shift, reaching beyond the view, whose frame cuts them."""
    norm = np.linalg.norm(w)
    if norm == 0:
        return np.empty((0, 2))
    unit, center = w / norm, np.mean([xlim, ylim], axis=1)
    p = center - (unit @ center + b / norm) * unit
    along = np.hypot(np.ptp(xlim), np.ptp(ylim)) * np.array([-unit[1], unit[0]])
    across = shift / norm * unit
    return np.array([p - along - across, p + along - across, p + along + across, p - along + across])


@takes(W="T 2")
def path(ax: Axes, W: np.ndarray, **kw: Any) -> list[Line2D]:
    """The way through the iterates W (T, 2): a polyline with dots, the start a ring."""
    W = np.asarray(W, dtype=float)
    style = _style(Line2D, kw, color=PALETTE[4], linewidth=1.2, marker=".", markersize=4, zorder=2.7)
    (way,) = ax.plot(W[:, 0], W[:, 1], **style)
    start = ax.plot(W[:1, 0], W[:1, 1], "o", color=style["color"], markerfacecolor="white", markersize=7, zorder=2.8)
    return [way, *start]


@takes(x="N", y="N", fitted="N")
def residuals(ax: Axes, x: np.ndarray, y: np.ndarray, fitted: np.ndarray, **kw: Any) -> LineCollection:
    """A vertical segment from each fitted value to its y."""
    return ax.vlines(x, fitted, y, **_style(LineCollection, kw, color=PALETTE[4], linewidth=1, zorder=1.5))


@takes(starts="2 or M 2", vectors="2 or M 2")
def arrows(ax: Axes, starts: np.ndarray, vectors: np.ndarray, **kw: Any) -> Quiver:
    """Arrows in the units of the axes: vectors (M, 2) from ``starts`` (M, 2), or all from one point (2,)."""
    vectors = np.atleast_2d(np.asarray(vectors, dtype=float))
    starts = np.broadcast_to(np.asarray(starts, dtype=float), vectors.shape)
    style = _style(Quiver, kw, angles="xy", scale_units="xy", scale=1, color=INK, width=0.006, zorder=2.6)
    drawn = ax.quiver(*starts.T, *vectors.T, **style)
    ax.update_datalim(starts + vectors)  # quiver counts the tails only: the tips would leave the view
    return drawn


def label(ax: Axes, text: str, at: Iterable[float], **kw: Any) -> Annotation:
    """``text`` beside the point ``at``, with a white rim so that it stays readable over points and lines."""
    u, v = at
    style = _style(Annotation, kw, xytext=(5, 5), textcoords="offset points", fontsize="small", color=INK, zorder=4)
    style["color"] = _readable(style["color"])
    return ax.annotate(text, (u, v), path_effects=[withStroke(linewidth=2.5, foreground="white")], **style)


def _readable(color: Any) -> tuple[float, ...]:
    """The color, darkened where small letters in it would be faint on white (contrast under 4.5, as WCAG 2 asks)."""
    rgb = np.array(to_rgb(color))
    luminance = float(rgb**2.2 @ [0.2126, 0.7152, 0.0722])
    return tuple(rgb * (0.18 / max(luminance, 0.18)) ** (1 / 2.2))


def _style(artist: type[Artist], kw: dict[str, Any], **default: Any) -> dict[str, Any]:
    """The defaults, overruled by what the caller asked for under any of matplotlib's names (lw is linewidth)."""
    return normalize_kwargs(default, artist) | normalize_kwargs(kw, artist)

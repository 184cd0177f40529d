"""What is drawn from measured.json: every ratio, and how the times grow. The same file gives the same pictures."""

from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from linmodels import pictures, plotting
from linmodels.book.ledger import CHAPTERS

from . import table
from .race import Row

OURS, THEIRS = plotting.PALETTE[0], plotting.PALETTE[4]
TICKS = (0.001, 0.01, 0.1, 1, 10, 100)
LEFT = {"task": -1.2, "size": -0.8, "peer": -0.3}  # where the words begin, in widths of the axes
TITLES = {chapter.number: chapter.title for chapter in CHAPTERS}


def drawn(rows: list[Row], machine: dict[str, Any]) -> dict[str, bytes]:
    """The pictures by name."""
    figures = {"benchmarks_ratios": ratios(rows, machine), "benchmarks_growth": growth(rows, machine)}
    return {name: pictures.render(fig, "png") for name, fig in figures.items()}


def alts(rows: list[Row]) -> dict[str, str]:
    """Their alternative texts."""
    listed, several = [row for row in rows if row.listed], table.series(rows)
    faster = sum(row.ratio < 1 for row in listed)
    limited = [table.met(row) for row in listed if row.limit is not None]
    no_worse = sum(ours <= theirs + 0.05 for ours, theirs in map(table.exponents, several))
    below = [row.ours < row.theirs for same in several for row in same]
    return {
        "benchmarks_ratios": (
            f"Time of linmodels over that of a peer, {len(listed)} dots by chapter on a logarithmic axis, joined to 1: "
            f"{faster} are left of 1, where linmodels is faster, {len(listed) - faster} right of it; "
            f"{sum(map(bool, limited))} of {len(limited)} are left of a small tick, their limit."
        ),
        "benchmarks_growth": (
            f"Time over the number of samples, both logarithmic, in {len(several)} panels, one per task: linmodels with"
            f" round dots and a peer with squares; {sum(below)} of {len(below)} dots are below their square; the "
            f"exponent of linmodels is smaller than the peer's, or within 0.05 of it, in {no_worse} of them."
        ),
    }


def ratios(rows: list[Row], machine: dict[str, Any]) -> Figure:
    """Two columns of dots, chapter by chapter."""
    entries = list(by_chapter([row for row in rows if row.listed]))
    half, view = halfway(entries), in_view(rows)
    height = max(half, len(entries) - half)
    inches = 0.19 * height + 1.2
    with mpl.rc_context({"figure.constrained_layout.use": False}):  # the words beside the axes are placed by hand
        fig, axes = plotting.figure(15, inches, 1, 2)
    fig.subplots_adjust(left=0.27, right=0.965, wspace=1.37, bottom=0.6 / inches, top=1 - 0.4 / inches)
    for ax, part in zip(axes, (entries[:half], entries[half:]), strict=True):
        ratio_column(ax, part, height)
        ax.set_xlim(view)
    title = "How long linmodels takes beside its peers: time of linmodels / time of the peer; black ticks are limits"
    fig.suptitle(title, size="large", y=1 - 0.15 / inches, va="top")
    fig.supxlabel(made_on(machine), size="small", color="0.35", y=0.1 / inches, va="bottom")
    return fig


def by_chapter(rows: list[Row]) -> Iterator[str | Row]:
    """The rows, before those of each chapter its number."""
    for chapter in dict.fromkeys(row.chapter for row in rows):
        yield chapter
        yield from (row for row in rows if row.chapter == chapter)


def halfway(entries: list[str | Row]) -> int:
    """Where a chapter begins, nearest to the middle."""
    starts = [k for k, entry in enumerate(entries) if isinstance(entry, str)]
    return min(starts, key=lambda k: abs(k - len(entries) / 2))


def in_view(rows: list[Row]) -> tuple[float, float]:
    """The ratios and limits with some room, that of the words included."""
    values = [value for row in rows if row.listed for value in (row.ratio, row.limit) if value is not None]
    return min(values) / 1.6, max(*values, 4) * 1.6


def ratio_column(ax: Axes, entries: list[str | Row], height: int) -> None:
    ax.set(xscale="log", ylim=(height - 0.4, -1.4), yticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(axis="x", which="both", length=0, labelsize="small")
    ax.set_xticks(TICKS, map("{:g}".format, TICKS))
    ax.minorticks_off()
    ax.vlines(1, -0.5, len(entries) - 0.5, color="0.4", lw=1)
    ax.text(0.8, -0.8, "← linmodels is faster", color=OURS, ha="right", va="center", size="small", weight="bold")
    ax.text(1.25, -0.8, "the peer →", color=THEIRS, ha="left", va="center", size="small", weight="bold")
    for k, (before, entry) in enumerate(zip([None, *entries], entries, strict=False)):
        if isinstance(entry, str):
            words(ax, k, f"{entry}  {TITLES[entry]}", "task", weight="bold")
        else:
            one_ratio(ax, k, entry)
            name_it(ax, k, entry, before)


def name_it(ax: Axes, k: int, row: Row, before: str | Row | None) -> None:
    """Task, size and peer; not again what is said in the row above."""
    same_task = isinstance(before, Row) and before.task == row.task
    if not same_task:
        words(ax, k, row.task, "task")
    if not (same_task and before.shape == row.shape):
        words(ax, k, row.shape, "size", color="0.35")
    words(ax, k, row.peer, "peer")


def one_ratio(ax: Axes, k: int, row: Row) -> None:
    """Dot, limit and number on a faint line that leads the eye from the words; a hollow dot where they are unequal."""
    color = OURS if row.ratio < 1 else THEIRS
    ax.axhline(k, color="0.94", lw=0.8, zorder=0)
    ax.plot([row.ratio, 1], [k, k], color=color, lw=1.2, alpha=0.45, solid_capstyle="butt")
    filled = color if table.verdict(row) == "equal" else "white"
    ax.plot(row.ratio, k, "o", color=color, mfc=filled, ms=5.2, zorder=3)
    if row.limit is not None:
        ax.vlines(row.limit, k - 0.38, k + 0.38, color=plotting.INK, lw=1.3, zorder=2.5)
    at = blended_transform_factory(ax.transAxes, ax.transData)
    ax.text(1.01, k, table.short(row.ratio), transform=at, size="x-small", va="center", color=plotting.INK)


def words(ax: Axes, k: int, text: str, column: str, **look: Any) -> None:
    at = blended_transform_factory(ax.transAxes, ax.transData)
    ax.text(LEFT[column], k, text, transform=at, va="center", **{"size": "x-small", "color": plotting.INK} | look)


def growth(rows: list[Row], machine: dict[str, Any]) -> Figure:
    """A panel per task: time over N, ours and the peer, and the exponents of the last three sizes."""
    several = table.series(rows)
    columns = 5
    lines = -(-len(several) // columns)
    fig, axes = plotting.figure(13, 2.5 * lines + 0.6, lines, columns, squeeze=False)
    for ax, same in zip(axes.flat, several, strict=False):
        growth_panel(ax, same)
    for ax in axes.flat[len(several) :]:
        ax.set_axis_off()
    for ax in axes[:, 0]:
        ax.set_ylabel("seconds")
    for ax in axes[-1]:
        ax.set_xlabel("samples N")
    fig.suptitle("How the time grows with the number of samples", size="large")
    fig.supxlabel(made_on(machine), size="small", color="0.35")
    return fig


def growth_panel(ax: Axes, same: list[Row]) -> None:
    sizes = [row.size for row in same]
    ax.loglog(sizes, [row.theirs for row in same], "s-", color=THEIRS, ms=4.5, lw=1.4)
    ax.loglog(sizes, [row.ours for row in same], "o-", color=OURS, ms=5, lw=1.4)
    ours, theirs = table.exponents(same)
    top = max(row.theirs for row in same + same)
    ax.set_ylim(top=max(top, max(row.ours for row in same)) * 30)  # room for the words
    for line, (name, p, color) in enumerate([("linmodels", ours, OURS), (same[0].peer, theirs, THEIRS)]):
        ax.text(0.04, 0.95 - 0.11 * line, f"{name}: $N^{{{p:.2f}}}$", transform=ax.transAxes, color=color,
                size="small", va="top")  # fmt: skip
    ax.set_title(f"{same[0].task}, d = {features(same[0])}", size="small", weight="bold")
    ax.minorticks_off()
    ax.set_xticks(sizes, map(count, sizes))
    ax.tick_params(labelsize="x-small")


def count(n: int) -> str:
    return f"{n // 1_000_000}M" if n >= 1_000_000 else f"{n // 1000}k" if n >= 1000 else f"{n}"


def features(row: Row) -> str:
    return row.shape.split(" x ")[1].split(",")[0]


def made_on(machine: dict[str, Any]) -> str:
    packages = ", ".join(f"{name} {machine[name]}" for name in ("numpy", "scikit-learn", "statsmodels"))
    on = f"{machine['processor']}, one thread; Python {machine['python']}, {packages}, {machine['BLAS']}"
    return f"{on}; {machine['date']}"

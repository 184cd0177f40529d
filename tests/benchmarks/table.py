"""What is printed: a line per row as soon as it is measured, growth at the end of each line, the count at the end."""

from collections.abc import Iterable
from itertools import groupby

import numpy as np

from .race import Row

COLUMNS = "{:<22} {:<38} {:<26} {:>8} {:>8} {:>7} {:>16} {:>6} {:<3}  {}"
WORDS = ("task", "size", "peer (its tolerance)", "ours", "peer", "ratio", "quartiles", "limit", "", "result")
HEAD = COLUMNS.format(*WORDS)
KEY = """ratio: ours / peer, the median over the rounds; below 1 we are faster. limit: how large it may be; met, or NOT.
result: equal where both are as good as need be, by the measure and the bound named; otherwise who is nearer.
"""


def line_of(row: Row) -> str:
    peer = row.peer if row.tol is None else f"{row.peer} ({row.tol:.0e})"
    quartiles = " .. ".join(map(short, row.quartiles))
    return COLUMNS.format(
        row.task, row.shape, peer, in_units(row.ours), in_units(row.theirs), short(row.ratio), quartiles,
        "" if row.limit is None else f"{row.limit:g}", mark(row), f"{verdict(row)}: {results(row)}{memory(row)}",
    )  # fmt: skip


def verdict(row: Row) -> str:
    """Did both come as near as need be? If not, who came nearer?"""
    ours, theirs = row.reached
    if max(ours, theirs) <= row.enough:
        return "equal"
    return "ours nearer" if ours < theirs else "peer nearer" if theirs < ours else "neither"


def met(row: Row) -> bool | None:
    """Is the ratio within the limit, if there is one? A peer that came nearer has not been beaten."""
    return None if row.limit is None else row.ratio <= row.limit and verdict(row) != "peer nearer"


def mark(row: Row) -> str:
    return {None: "", True: "met", False: "NOT"}[met(row)]


def results(row: Row) -> str:
    return f"{row.measure} {row.reached[0]:.0e} | {row.reached[1]:.0e}, enough {row.enough:.0e}"


def memory(row: Row) -> str:
    """The most that either has taken beside the data, in MiB, where these are large and the calls not too long."""
    if row.memory == (None, None):
        return ""
    ours, theirs = ("?" if each is None else f"{each:.1f}" for each in row.memory)
    return f"; {ours} | {theirs} MiB beside {row.data:.0f} MiB of data"


def in_units(seconds: float) -> str:
    unit, name = (1.0, "s") if seconds >= 1 else (1e-3, "ms") if seconds >= 1e-3 else (1e-6, "us")
    return f"{seconds / unit:.3g} {name}"


def short(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"


def growth(sizes: list[int], seconds: list[float]) -> float:
    """p of t ~ sizeᵖ over the last three sizes."""
    return float(np.polyfit(np.log(sizes[-3:]), np.log(seconds[-3:]), 1)[0])


def series(rows: Iterable[Row]) -> list[list[Row]]:
    """The rows along which N alone grows, task by task, N in order; three sizes at least."""

    def task(row):
        return row.chapter, row.task

    growing = sorted((row for row in rows if row.growing), key=lambda row: (task(row), row.size))
    groups = [list(group) for _, group in groupby(growing, key=task)]
    return [group for group in groups if len(group) >= 3]


def exponents(same: list[Row]) -> tuple[float, float]:
    """Ours and the peer's."""
    sizes = [row.size for row in same]
    return growth(sizes, [row.ours for row in same]), growth(sizes, [row.theirs for row in same])


def growth_line(same: list[Row]) -> str:
    ours, theirs = exponents(same)
    last = same[-1]
    return f"{last.task}, up to {last.shape}: time grows as N^{ours:.2f}, that of {last.peer} as N^{theirs:.2f}"


def summary(rows: list[Row]) -> str:
    limited = [row for row in rows if row.limit is not None]
    missed = [row for row in limited if not met(row)]
    unequal = [row for row in rows if verdict(row) != "equal"]
    lines = [f"{len(rows)} rows; {sum(row.ratio < 1 for row in rows)} faster than the peer; "
             f"{len(limited) - len(missed)} of {len(limited)} limits met"]  # fmt: skip
    lines += [f"limit not met: {called(row)}: {row.ratio:.3g}, limit {row.limit:g}" for row in missed]
    lines += [f"not equal: {called(row)}: {verdict(row)}, {results(row)}" for row in unequal]
    return "\n".join(lines)


def called(row: Row) -> str:
    return f"{row.task} {row.shape}, {row.peer}"

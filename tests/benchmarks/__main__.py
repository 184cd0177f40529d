"""python -m tests.benchmarks [--quick] [task ...]"""

import argparse
import importlib.util
from itertools import groupby

from .race import Row, growth, race
from .tasks import TASKS

COLUMNS = "{:<14} {:<33} {:<17} {:>10} {:>10} {:>7} {:>13} {:>6} {:>15}  {}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Times beside those of the peers.")
    parser.add_argument("tasks", nargs="*", metavar="task", help=f"of {', '.join(TASKS)}; all by default")
    parser.add_argument("--quick", action="store_true", help="the small sizes only, three rounds")
    options = parser.parse_args()
    if unknown := set(options.tasks) - set(TASKS):
        parser.error(f"no task {', '.join(sorted(unknown))}; there are {', '.join(TASKS)}")
    if missing := [name for name in ("sklearn", "statsmodels") if importlib.util.find_spec(name) is None]:
        print(f"not installed, so their rows are missing: {', '.join(missing)}; pip install -e '.[bench]'\n")
    print(COLUMNS.format("task", "size", "peer", "ours ms", "peer ms", "ratio", "quartiles", "goal", "MiB: ours | peer",
                         "quality: ours | peer"))  # fmt: skip
    for name in options.tasks or TASKS:
        rows = [row for task in TASKS[name](options.quick) for row in report(race(task, 3 if options.quick else 7))]
        print_growth(rows)


def report(rows: list[Row]) -> list[Row]:
    for row in rows:
        goal = row.task.goals.get(row.peer)
        print(
            COLUMNS.format(
                row.task.name, row.task.shape, row.peer, f"{1e3 * row.ours:.3f}", f"{1e3 * row.theirs:.3f}",
                f"{short(row.ratio)}x", " .. ".join(map(short, row.spread)),
                "" if goal is None else f">={goal:g}x", "{:.1f} | {:.1f}".format(*row.memory),
                f"{row.our_quality} | {row.their_quality}",
            )
        )  # fmt: skip
    return rows


def short(ratio: float) -> str:
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"


def print_growth(rows: list[Row]) -> None:
    """Along the sizes with the same number of features, and of classes."""
    for (name, peer, rest), group in groupby(sorted(rows, key=same_but_size), key=same_but_size):
        same = list(group)
        if len(same) >= 2:
            sizes = [row.task.size for row in same]
            ours, theirs = growth(sizes, [row.ours for row in same]), growth(sizes, [row.theirs for row in same])
            print(f"{name}, {rest}: time grows as N^{ours:.2f}, that of {peer} as N^{theirs:.2f}")
    print()


def same_but_size(row: Row) -> tuple[str, str, str]:
    """Task, peer, and of its shape what stands between the number of samples and that of mistakes."""
    features, *more = row.task.shape.split(" x ")[1].split(", ")
    return row.task.name, row.peer, ", ".join([f"d = {features}"] + [part for part in more if "=" in part])


if __name__ == "__main__":
    main()

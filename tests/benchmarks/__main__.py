"""python -m tests.benchmarks [--quick] [--all] [--draw] [task ...]"""

import argparse
import sys
import time

from . import classifiers, kernel_methods, likelihoods, lines, margins, peers, regression, table

LINES = [*regression.LINES, *likelihoods.LINES, *classifiers.LINES, *margins.LINES, *kernel_methods.LINES]
ABOUT = """Every task of the library beside scikit-learn and statsmodels, in one process and one thread, in turn.

All tasks at all sizes take about ten minutes; what they give is kept in tests/benchmarks/measured.json, and drawn into
figures/. `book` instead of a task tells what the import of the library and the run of the chapters are made of."""


def main() -> int:
    names = list(dict.fromkeys(word(line.name) for line in LINES))
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tasks", nargs="*", metavar="task", help=f"book, or some of {', '.join(names)}; all by default")
    parser.add_argument("--quick", action="store_true", help="the textbook sizes only, three rounds: a minute")
    parser.add_argument("--all", action="store_true", help="every peer, not only the fastest and those with a limit")
    parser.add_argument("--draw", action="store_true", help="draw what was measured last, measure nothing")
    options = parser.parse_args()
    if unknown := set(options.tasks) - {*names, "book"}:
        parser.error(f"no task {', '.join(sorted(unknown))}; there are book, {', '.join(names)}")
    if options.draw:
        return draw()
    if "book" in options.tasks:
        from . import book

        return book.main(options.quick)
    chosen = [line for line in LINES if not options.tasks or word(line.name) in options.tasks]
    rows = measure(chosen, options.quick, options.all)
    if options.tasks or options.quick or options.all or peers.missing():
        print("not kept, nor drawn: that takes all tasks at all sizes, and the peers")
        return 0
    return keep(rows)


def word(name: str) -> str:
    """The name of a task as one word."""
    return "_".join("".join(c if c.isalnum() else " " for c in name.replace("'s", "s").lower()).split())


def measure(chosen: list[lines.Line], quick: bool, everyone: bool) -> list[table.Row]:
    if missing := peers.missing():
        print(f"not installed, so their rows are left out: {', '.join(missing)}; pip install -e '.[bench]'\n")
    start, rows = time.perf_counter(), []
    print(f"{table.KEY}\n{table.HEAD}")
    for line in chosen:
        for row in lines.rows(line, quick, everyone):
            rows.append(row)
            print(table.line_of(row), flush=True)
    print("", *map(table.growth_line, table.series(rows)), "", table.summary(rows), sep="\n")
    print(f"{time.perf_counter() - start:.0f} s")
    return rows


def keep(rows: list[table.Row]) -> int:
    from . import measured, pictures

    measured.save(rows, measured.this_machine(), pictures.alts(rows))
    return draw()


def draw() -> int:
    from linmodels.book import figures
    from linmodels.pictures import find_root, write_together

    from . import measured, pictures

    root = find_root()
    if root is None:
        print("figures/ is not here: run this in a clone of the repository", file=sys.stderr)
        return 1
    if not measured.FILE.is_file():
        print("nothing has been measured yet: python -m tests.benchmarks", file=sys.stderr)
        return 1
    rows, machine = measured.load()
    measured.save(rows, machine, pictures.alts(rows))
    drawn = {root / "figures" / f"{name}.png": png for name, png in pictures.drawn(rows, machine).items()}
    write_together(drawn | {root / "figures" / "README.md": figures.gallery(root).encode("utf-8")})
    print(*(f"figures/{file.name}" for file in drawn), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

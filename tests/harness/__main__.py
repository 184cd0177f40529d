"""python -m tests.harness --old PATH [door ...] [--draws N] [--seed S] [--only SEED] | --prove | --rank N"""

import argparse
from functools import partial

from . import __doc__ as about
from . import runs
from .doors import DOORS, NEED_FULL_RANK
from .problems import problem, rank_problem


def main(words=None):
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("doors", nargs="*", metavar="door", help="as far as its call is given; all by default")
    parser.add_argument("--old", help="a checkout of the package to compare with")
    parser.add_argument("--new", default=".", help="a checkout, this one by default")
    parser.add_argument("--draws", type=int, default=200, metavar="N", help="problems a door")
    parser.add_argument("--seed", type=int, default=0, help="of the first problem; the others follow")
    parser.add_argument("--only", type=int, metavar="SEED", help="this problem alone")
    parser.add_argument("--rank", type=int, metavar="N", help="N problems with full rank and N without")
    parser.add_argument("--prove", action="store_true", help="what the new package says; also without --old")
    options = parser.parse_args(words)
    new, draws, draw = runs.load(options.new, "linmodels_new"), options.draws, problem
    if options.rank:
        known, look, draws, draw = NEED_FULL_RANK, partial(runs.ranked, new), 2 * options.rank, rank_problem
    elif options.old and not options.prove:
        known, look = DOORS, partial(runs.compared, runs.load(options.old, "linmodels_old"), new)
    else:
        known, look = [door for door in DOORS if door.proof], partial(runs.proved, new)
    chosen = [door for door in known if not options.doors or door.call.startswith(tuple(options.doors))]
    seeds = [options.only] if options.only is not None else range(options.seed, options.seed + draws)
    bad = 0
    for line in runs.run(chosen, draw, seeds, look):
        print(line, flush=True)
        bad += line.startswith("    ")
    print(f"{len(chosen)} doors, {len(seeds)} draws each: {bad or 'none'} to look at")
    return bad > 0


if __name__ == "__main__":
    raise SystemExit(main())

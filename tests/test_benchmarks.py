"""The benchmarks say what they measure, and their pictures are those of what was measured. Nothing is timed here."""

import json
import pathlib

import numpy as np
import pytest
from benchmarks import __main__ as command
from benchmarks import lines, measured, pictures, race, table

from linmodels.book import figures
from linmodels.pictures import same_picture

ROOT = pathlib.Path(__file__).parents[1]


@pytest.fixture(scope="module")
def kept():
    """The rows of the last full run, and its machine."""
    return measured.load()


SETTLED = {"chapter": "01", "task": "toy", "listed": True, "growing": False, "shape": "10 x 2", "size": 10}
SETTLED |= {"peer": "Peer", "tol": None, "measure": "error", "enough": 1e-6, "reached": (1e-9, 1e-8), "data": 0.1}
SETTLED |= {"memory": (None, None)}


def row(ours=1.0, theirs=2.0, limit=0.6, **more):
    ratio = ours / theirs
    measured = {"ours": ours, "theirs": theirs, "limit": limit, "ratio": ratio, "quartiles": (ratio, ratio)}
    return race.Row(**SETTLED | measured | more)


@pytest.mark.parametrize(
    "reached, said",
    [
        ((1e-7, 1e-9), "equal"),  # both are as good as need be
        ((1e-9, 1e-5), "ours nearer"),
        ((1e-4, 1e-5), "peer nearer"),
        ((1e-5, 1e-5), "neither"),
        ((np.nan, 1e-9), "neither"),
    ],
)
def test_a_limit_is_met_by_the_ratio_and_not_by_a_worse_result(reached, said):
    assert table.verdict(row(reached=reached)) == said
    assert table.met(row(reached=reached)) is (said != "peer nearer")
    assert table.met(row(ours=1.3, reached=reached)) is False
    assert table.met(row(limit=None, reached=reached)) is None


def test_the_growth_exponent_is_the_slope_over_the_last_three_sizes():
    sizes = [10, 100, 1_000, 10_000]
    assert table.growth(sizes, [7.0, 1e-2, 1e-1, 1.0]) == pytest.approx(1)
    assert table.growth(sizes, [7.0, 3e-5, 3e-2, 3e1]) == pytest.approx(3)
    rows = [row(ours=n**2.0, theirs=n**1.5, size=n, growing=True) for n in reversed(sizes)]
    (same,) = table.series([*rows, row()])
    assert [each.size for each in same] == sizes
    assert table.exponents(same) == pytest.approx((2, 1.5))
    assert table.series(rows[:2]) == []


class Clock:
    """Time goes on when a runner says so, by its seconds."""

    def __init__(self, monkeypatch):
        self.now, self.calls = 0.0, []
        monkeypatch.setattr(race.time, "process_time", lambda: self.now)

    def runner(self, name, seconds, found=0.0):
        def run(tol=None):
            self.now += seconds
            self.calls.append(name)
            return found if tol is None else tol

        return run


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def toy(clock, ours, **peers):
    runners = {name: clock.runner(name, *how) for name, how in peers.items()}
    measure = race.Measure("error", abs, 1e-6)
    return race.Task("10 x 2", 10, (np.zeros((10, 2)),), measure, clock.runner("ours", ours), runners)


def test_all_run_in_turn_and_the_ratio_is_ours_over_the_peers(clock):
    rows = race.race(toy(clock, 1.0, quick=(0.5,), slow=(2.0,)), lambda runners, enough: list(runners))
    assert {each["peer"]: each["ratio"] for each in rows} == {"quick": 2.0, "slow": 0.5}
    in_turn = ["ours", "quick", "slow", "quick", "slow", "ours", "slow", "ours", "quick"]
    assert clock.calls[5:] == [*in_turn, "quick", "quick"]  # after two calls of each to warm up, one of the slow one


def test_the_peers_raced_are_those_with_a_limit_and_the_fastest_of_those_good_enough(clock):
    def chosen(limits, everyone=False):
        task = toy(clock, 1.0, wrong=(0.1, 1.0), best=(0.5,), other=(0.7,), limited=(3.0,))
        return [each["peer"] for each in race.race(task, lines.rivals(limits, everyone))]

    assert chosen({"limited": 0.5}) == ["best", "limited"]
    assert chosen({"limited": 0.5, "not installed": 1}) == ["best", "limited"]
    assert chosen({}, everyone=True) == ["wrong", "best", "other", "limited"]


def test_a_size_that_is_listed_and_grows_is_raced_once(clock):
    def task(N):
        return toy(clock, 1.0, rival=(2.0,), best=(0.5,))._replace(shape=f"{N} x 2", size=N)

    line = lines.Line("01", "toy", task, {(10,): {"rival": 0.6}}, {(20,): {}}, "rival", ((10,), (20,), (40,)))
    found = [(row.size, row.peer, row.listed, row.growing, row.limit) for row in lines.rows(line)]
    assert found == [
        (10, "rival", True, True, 0.6),
        (10, "best", True, False, None),
        (20, "best", True, False, None),
        (20, "rival", False, True, None),
        (40, "rival", False, True, None),
    ]
    assert [row.size for row in lines.rows(line, quick=True)] == [10, 10]


def test_a_peer_is_given_the_loosest_tolerance_that_is_good_enough(clock):
    def given(*tolerances):
        return race.prepared(race.Loosest(clock.runner("", 1), tolerances), race.Measure("error", abs, 1e-6), False)

    assert given(1e-4, 1e-5, 1e-6, 1e-7)[1:] == (1e-6, 1e-6, None, 1)
    assert given(1e-3, 1e-5, 1e-4)[1:] == (1e-5, 1e-5, None, 1)  # none is: the best of them


def test_a_row_tells_its_result_its_limit_and_its_memory():
    said = table.line_of(row(tol=1e-5, reached=(1e-9, 1e-5), data=38.1, memory=(1.5, 76.2)))
    assert "Peer (1e-05)" in said and "0.6 met" in said and "1.5 | 76.2 MiB beside 38" in said
    assert "ours nearer: error 1e-09 | 1e-05, enough 1e-06" in said
    assert "limit not met: toy 10 x 2, Peer: 0.65, limit 0.6" in table.summary([row(ours=1.3)])


def test_every_task_is_called_by_one_word_and_its_sizes_are_arguments():
    for line in command.LINES:
        assert command.word(line.name).replace("_", "").isalnum()
        assert line.chapter in pictures.TITLES
        assert all(isinstance(size, tuple) for size in [*line.textbook, *line.large, *line.growth])
        assert bool(line.rival) == bool(line.growth) and len(line.growth) != 1


def test_the_text_of_the_growth_counts_the_sizes_at_which_linmodels_is_faster():
    ours, theirs = [3.0, 1.0, 4.0, 5.0], [2.0, 2.0, 3.0, 9.0]
    rows = [row(*times, size=10**k, growing=True) for k, times in enumerate(zip(ours, theirs, strict=True), start=1)]
    assert "2 of 4 dots are below their square" in pictures.alts(rows)["benchmarks_growth"]


def test_what_is_measured_is_kept_and_read_again(tmp_path):
    rows, file = [row(), row(limit=None, tol=1e-7, memory=(1.0, 2.5))], tmp_path / "measured.json"
    measured.save(rows, {"processor": "abacus"}, {"benchmarks_toy": "two beads"}, file)
    assert measured.load(file) == (rows, {"processor": "abacus"})
    assert json.loads(file.read_text(encoding="utf-8"))["pictures"] == {"benchmarks_toy": "two beads"}


@pytest.mark.slow
def test_the_committed_pictures_are_those_of_what_was_measured(kept):
    once, again = (pictures.drawn(*kept) for _ in range(2))
    assert once == again and set(once) == {"benchmarks_ratios", "benchmarks_growth"}
    states = {name: same_picture(png, (ROOT / "figures" / f"{name}.png").read_bytes()) for name, png in once.items()}
    if "other matplotlib" in states.values():
        pytest.skip(figures.STATE_WORDS["other matplotlib"])
    assert set(states.values()) <= {"same", "close"}, f"{states}: run `python -m tests.benchmarks --draw` and look"


def test_the_gallery_shows_the_pictures_of_the_benchmarks_and_no_others_are_there(kept):
    alts = pictures.alts(kept[0])
    assert json.loads(measured.FILE.read_text(encoding="utf-8"))["pictures"] == alts
    assert {file.stem for file in (ROOT / "figures").glob("benchmarks_*")} == set(alts)
    gallery = (ROOT / "figures" / "README.md").read_text(encoding="utf-8")
    assert all(f"({name}.png)" in gallery for name in alts)

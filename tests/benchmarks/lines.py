"""A line of the list of tasks: at which sizes it is raced, against whom, and which ratio is the limit there."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .race import Row, Runner, Task, race

Sizes = dict[tuple, dict[str, float]]  # the arguments of a task, and for some of its peers how large ours / peer may be


class Line(NamedTuple):
    """A task at its textbook and its large sizes, and the sizes of which N alone grows, beside one peer."""

    chapter: str
    name: str
    task: Callable[..., Task]
    textbook: Sizes
    large: Sizes = {}  # noqa: RUF012 (a default no one changes)
    rival: str = ""
    growth: tuple[tuple, ...] = ()


def rows(line: Line, quick: bool = False, everyone: bool = False) -> Iterator[Row]:
    """The races of a line; quick leaves out all but the textbook sizes."""
    listed = line.textbook if quick else line.textbook | line.large
    raced = set()
    for size, limits in listed.items():
        for row in race(line.task(*size), rivals(limits, everyone), quick):
            grows = size in line.growth and row["peer"] == line.rival
            raced |= {size} if grows else set()
            yield Row(line.chapter, line.name, True, grows, limits.get(row["peer"]), **row)
    for size in () if quick else [size for size in line.growth if size not in raced]:
        for row in race(only(line.task(*size), line.rival), rivals({}, True)):
            yield Row(line.chapter, line.name, False, True, None, **row)


def rivals(limits: dict[str, float], everyone: bool) -> Callable[[dict[str, Runner], float], list[str]]:
    """The peers with a limit, and the fastest whose result is good enough; or all."""

    def names(runners: dict[str, Runner], enough: float) -> list[str]:
        good = [name for name, runner in runners.items() if runner.reached <= enough]
        best = min(good or runners, key=lambda name: runners[name].seconds, default=None)
        return [name for name in runners if everyone or name in limits or name == best]

    return names


def twenty(*sizes: int) -> tuple[tuple, ...]:
    """These numbers of samples, 20 features."""
    return tuple((N, 20) for N in sizes)


def only(task: Task, rival: str) -> Task:
    return task._replace(peers={name: run for name, run in task.peers.items() if name == rival})

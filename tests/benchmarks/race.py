"""Ours and the peers in one race: interleaved, in rotating order, by the clock of the process (CPU time)."""

import time
import tracemalloc
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

INNER = 0.02  # seconds that one measurement lasts at least
ROUNDS = ((0.15, 7), (0.5, 5), (2.0, 3), (np.inf, 1))  # a call up to so many seconds long is measured so often
LONG = 1.0  # seconds: such a call needs no warming up, and its memory is not told
LARGE = 1.0  # MiB of input: from there on the memory of a call is told


class Measure(NamedTuple):
    """How good a result is: of(result) is a number, 0 for a perfect one, and `enough` is as small as it need be."""

    name: str
    of: Callable[[Any], float]
    enough: float


class Loosest(NamedTuple):
    """A peer that iterates: run(tol=...) with the first tolerance whose result is good enough, its default first."""

    run: Callable[..., Any]
    tolerances: Sequence[float]


class Task(NamedTuple):
    """One size of a task. ours and the peers take no argument; `size` is N, `data` what a call is given."""

    shape: str
    size: int
    data: tuple[np.ndarray, ...]
    measure: Measure
    ours: Callable[[], Any]
    peers: dict[str, Callable[[], Any] | Loosest]


class Runner(NamedTuple):
    """What is raced, the tolerance it was given, how good its result is, its memory in MiB, one call in seconds."""

    run: Callable[[], Any]
    tol: float | None
    reached: float
    memory: float | None
    seconds: float


class Row(NamedTuple):
    """Ours beside one peer: seconds, the median over the rounds of ours / peer and its quartiles, memory in MiB.

    listed: a size the task is known by; growing: one of those along which N alone grows.
    Memory is what NumPy and Python take at most beside the data; what a peer takes in C by itself is not seen.
    """

    chapter: str
    task: str
    listed: bool
    growing: bool
    limit: float | None
    shape: str
    size: int
    peer: str
    tol: float | None
    ours: float
    theirs: float
    ratio: float
    quartiles: tuple[float, float]
    measure: str
    enough: float
    reached: tuple[float, float]
    data: float
    memory: tuple[float | None, float | None]


def race(task: Task, names: Callable[..., list[str]], quick: bool = False) -> list[dict[str, Any]]:
    """A row, but for what the list of tasks knows, of each of the peers names(runners, enough)."""
    data = sum(array.nbytes for array in task.data) / 2**20
    ours, *others = [prepared(run, task.measure, data >= LARGE) for run in (task.ours, *task.peers.values())]
    runners = dict(zip(task.peers, others, strict=True))
    chosen = names(runners, task.measure.enough)
    seconds = in_turn({"ours": ours} | {name: runners[name] for name in chosen}, most=3 if quick else 7)
    return [
        {
            "shape": task.shape, "size": task.size, "data": data, "peer": peer, "tol": runners[peer].tol,
            "measure": task.measure.name, "enough": task.measure.enough,
            "reached": (ours.reached, runners[peer].reached), "memory": (ours.memory, runners[peer].memory),
            **compared(seconds["ours"], seconds[peer]),
        }
        for peer in chosen
    ]  # fmt: skip


def prepared(run: Callable[[], Any] | Loosest, measure: Measure, large: bool) -> Runner:
    """The first of its tolerances whose result is good enough; where none is, the one of the best result."""
    if not isinstance(run, Loosest):
        return warmed(tried(run, None, measure), large)
    found: list[Runner] = []
    for tol in run.tolerances:
        found.append(tried(partial(quiet, run.run, tol=tol), tol, measure))
        if found[-1].reached <= measure.enough:
            break
    return warmed(min(found, key=lambda runner: runner.reached), large)


def tried(run: Callable[[], Any], tol: float | None, measure: Measure) -> Runner:
    """A first call: how long it takes, and how good its result is."""
    start = time.process_time()
    found = run()
    seconds = time.process_time() - start
    return Runner(run, tol, float(measure.of(found)), None, seconds)


def warmed(runner: Runner, large: bool) -> Runner:
    """The memory of a second call and the time of a third, unless the first was so long that it tells enough."""
    if runner.seconds > LONG:
        return runner
    return runner._replace(memory=peak(runner.run) if large else None, seconds=timed(runner.run, 1))


def quiet(run: Callable[..., Any], **options: Any) -> Any:
    """run(...), without the warning of a peer that it does not converge: what it reached says it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run(**options)


def peak(run: Callable[[], Any]) -> float:
    """The MiB that run() takes at most on the way."""
    tracemalloc.start()
    run()
    memory = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return memory


def in_turn(runners: dict[str, Runner], most: int) -> dict[str, list[float]]:
    """Seconds per call of each runner in every round it takes part in: the slow ones take part in the first only."""
    repeats = {name: max(1, round(INNER / max(runner.seconds, 1e-6))) for name, runner in runners.items()}
    rounds = {name: min(most, rounds_of(runner.seconds)) for name, runner in runners.items()}
    seconds: dict[str, list[float]] = {name: [] for name in runners}
    for k in range(max(rounds.values())):
        for name in rotated([name for name in runners if k < rounds[name]], k):
            seconds[name].append(timed(runners[name].run, repeats[name]))
    return seconds


def rounds_of(seconds: float) -> int:
    return next(rounds for longest, rounds in ROUNDS if seconds <= longest)


def timed(run: Callable[[], Any], repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        run()
    return (time.process_time() - start) / repeats


def rotated(names: list[str], k: int) -> list[str]:
    k %= len(names)
    return names[k:] + names[:k]


def compared(ours: list[float], theirs: list[float]) -> dict[str, Any]:
    """Median times, and those quantiles of ours / peer over the rounds both took part in."""
    both = min(len(ours), len(theirs))
    ratios = np.array(ours[:both]) / np.maximum(theirs[:both], 1e-9)
    low, ratio, high = np.quantile(ratios, [0.25, 0.5, 0.75]).tolist()
    return {
        "ours": float(np.median(ours)),
        "theirs": float(np.median(theirs)),
        "ratio": ratio,
        "quartiles": (low, high),
    }

"""Ours and the peers in one race: interleaved, in rotating order, by the clock of the process (CPU time)."""

import time
import tracemalloc
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

INNER = 0.02  # seconds that one measurement lasts at least


class Task(NamedTuple):
    """One table row per peer. ours and peers take no argument; quality(result) says in a few words how good it is.

    goal: how many times as fast as that peer we want to be. size: what the growth exponent is measured against.
    """

    name: str
    shape: str
    size: int
    ours: Callable[[], Any]
    peers: dict[str, Callable[[], Any]]
    goals: dict[str, float]
    quality: Callable[[Any], str]


class Row(NamedTuple):
    """Seconds of ours and of the peer, the quartiles over the rounds of peer / ours, and the memory of one call, MiB.

    Memory is what NumPy and Python take at most beside the data; what a peer takes in C by itself is not seen.
    """

    task: Task
    peer: str
    ours: float
    theirs: float
    ratio: float
    spread: tuple[float, float]
    memory: tuple[float, float]
    our_quality: str
    their_quality: str


def race(task: Task, rounds: int) -> list[Row]:
    runners = {"ours": task.ours} | task.peers
    quality, memory = {}, {}
    for name, run in runners.items():  # the first call also warms up
        found, memory[name] = peak(run)
        quality[name] = task.quality(found)
    repeats = {name: calls_that_last(run) for name, run in runners.items()}
    seconds: dict[str, list[float]] = {name: [] for name in runners}
    for k in range(rounds):
        for name in rotated(list(runners), k):
            seconds[name].append(measure(runners[name], repeats[name]))
    ours = np.array(seconds["ours"])
    rows = []
    for peer in task.peers:
        low, ratio, high = np.quantile(np.array(seconds[peer]) / ours, [0.25, 0.5, 0.75]).tolist()
        rows.append(
            Row(task, peer, float(np.median(ours)), float(np.median(seconds[peer])), ratio, (low, high),
                (memory["ours"], memory[peer]), quality["ours"], quality[peer])
        )  # fmt: skip
    return rows


def peak(run: Callable[[], Any]) -> tuple[Any, float]:
    """What run() gives, and the MiB it has taken at most on the way."""
    tracemalloc.start()
    found = run()
    memory = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return found, memory


def calls_that_last(run: Callable[[], Any]) -> int:
    return max(1, round(INNER / max(measure(run, 1), 1e-6)))


def measure(run: Callable[[], Any], repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        run()
    return (time.process_time() - start) / repeats


def rotated(names: list[str], k: int) -> list[str]:
    k %= len(names)
    return names[k:] + names[:k]


def growth(sizes: list[int], seconds: list[float]) -> float:
    """p of t ~ sizeᵖ over the last three sizes."""
    return float(np.polyfit(np.log(sizes[-3:]), np.log(seconds[-3:]), 1)[0])

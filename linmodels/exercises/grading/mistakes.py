"""Known ways of being wrong, and which of them may give an answer: edits of the answer, factors, what they give."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np

from .answers import Answer, Case, Function, layout

Edit = tuple[str, str, str]  # what stands once in the answer's source, what the reader wrote in its place, what to tell


class Explanation(NamedTuple):
    """A known way of being wrong: what to tell the reader, and the answer it gives on case k."""

    texts: tuple[str, ...]
    answer_on: Callable[[int], Answer]


class Factor(NamedTuple):
    parts: tuple[str, ...]
    values: np.ndarray


@cache
def source_of(f: Function) -> str:
    """The function as it is written, which the edits change."""
    return inspect.getsource(f)


@lru_cache(maxsize=4096)
def edited(f: Function, edits: tuple[Edit, ...]) -> Function:
    """The function whose source has these edits."""
    source = source_of(f)
    for old, new, _ in sorted(edits, key=lambda edit: source.index(edit[0]), reverse=True):
        at = source.index(old)
        source = source[:at] + new + source[at + len(old) :]
    namespace = dict(f.__globals__)
    exec(source, namespace)
    return namespace[f.__name__]


def apart(source: str, edits: Sequence[Edit]) -> bool:
    """Can these edits be made together: at different places, and with different words to tell?"""
    places = sorted((source.index(old), source.index(old) + len(old)) for old, _, _ in edits)
    return all(a[1] <= b[0] for a, b in pairwise(places)) and len({text for _, _, text in edits}) == len(edits)


def factors(cases: list[Case]) -> list[Factor]:
    """By what an answer may be off: a sign, a 2, a size, the right way up or not, and their products."""
    ones = np.ones(len(cases))
    sizes = {name: np.array([case.sizes[name] for case in cases], float) for name in cases[0].sizes}
    upside_down = {f"1/{name}": 1 / size for name, size in sizes.items()}
    choices = [{"": ones, "-": -ones}, {"": ones, "2": 2 * ones, "1/2": ones / 2}, {"": ones, **sizes, **upside_down}]
    found = []
    for (sign, s), (two, z), (size, n) in product(*(choice.items() for choice in choices)):
        found.append(Factor(tuple(part for part in (sign, two, size) if part), s * z * n))
    return sorted(found, key=lambda factor: len(factor.parts))[1:]  # the first is no factor at all


def scaled(answer_on: Callable[[int], Answer], by: np.ndarray) -> Callable[[int], Answer]:
    """The same answers, that on case k times by[k]."""
    return lambda k: [np.asarray(by[k] * a) for a in answer_on(k)]


def written(parts: tuple[str, ...]) -> str:
    """("-", "1/2", "N") -> -N/2."""
    above = "".join(part for part in parts if part[0] != "-" and "/" not in part) or "1"
    below = "".join(part[2:] for part in parts if "/" in part)
    return "-" * ("-" in parts) + above + ("/" if below else "") + (f"({below})" if len(below) > 1 else below)


class Block:
    """Explanations, and what all of them give on the first instance, to be compared with an answer at once."""

    def __init__(self, explanations: Iterator[Explanation], all_may: bool) -> None:
        self.explanations, self.all_may = list(explanations), all_may

    def may_give(self, answer: Answer) -> np.ndarray:
        """Which explanations give about this answer on the first instance; `Exercise.same` has the last word."""
        may_be = np.full(len(self.explanations), self.all_may)
        at, rows, scale = self._first.get(layout(answer), ([], np.empty((0, 0)), np.empty((0, 1))))
        if len(at) and not self.all_may:
            one = np.concatenate([a.ravel() for a in answer])
            close = np.abs(rows - one) <= 1e-6 * np.abs(rows) + 1e-8 * scale
            may_be[at] = (close | (rows == one) | (np.isnan(rows) & np.isnan(one))).all(axis=1)
        return may_be

    @cached_property
    def _first(self) -> dict[Any, tuple[list[int], np.ndarray, np.ndarray]]:
        """By the shapes of an answer: the explanations that give such ones, a row each, and the size of each row."""
        found: dict[Any, tuple[list[int], list[np.ndarray]]] = {}
        for k, explanation in enumerate(self.explanations):
            try:
                answer = explanation.answer_on(0)
            except Exception:  # a mistake that stops here is not the reader's, who got as far as an answer
                continue
            at, rows = found.setdefault(layout(answer), ([], []))
            at.append(k)
            rows.append(np.concatenate([a.ravel() for a in answer]))
        stacked = {layout: (at, np.array(rows)) for layout, (at, rows) in found.items()}
        return {
            layout: (at, rows, np.abs(np.where(np.isfinite(rows), rows, 0.0)).max(axis=1, initial=0.0, keepdims=True))
            for layout, (at, rows) in stacked.items()
        }

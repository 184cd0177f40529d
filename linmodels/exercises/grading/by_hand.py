"""Exercises whose answer is no function but numbers, found with a pencil and told to three digits.

The causes named here are the mistakes that an exercise lists, and those of writing an answer down: another order, per
cent, too few digits. What else any function may have done wrong is no cause of a few small numbers: they are 1 too
large, or all of one sign, by accident, and a message that says so is the answer.
"""

import itertools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .answers import Answer, Refused, layout, plain, values
from .checker import Case, Exercise, Known, Requirement, Result, Text, known_of, lettered
from .mistakes import edited
from .reader import reader
from .wording import those_right


@dataclass(kw_only=True, eq=False, repr=False)
class ByHand(Exercise):
    """Say these values, found without a computer: check.NAME(first, second); no function is written."""

    one_by_one: bool = False  # each number is found without the others, and so is what is wrong with it
    kind: ClassVar[str] = "by hand"

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(self.returns)})"

    @property
    def seed(self) -> int:
        return reader.seed if self.parameters else 0

    @property
    def numbers(self) -> dict[str, Any]:
        """The numbers of the question, where every reader has his own: by their letters."""
        (case,) = known_of(self, self.seed).cases
        return dict(zip(self.parameters, case.args, strict=True))

    def instances(self, rng: np.random.Generator) -> list[Case]:
        """The numbers; those of a reader's own are drawn until no two mistakes give the same."""
        for _ in range(1000 if self.parameters else 1):
            (case,) = self.cases(rng)
            given = [
                self.answer_of(f, case) for f in (self.answer, *(edited(self.answer, (e,)) for e in self.mistakes))
            ]
            if not any(all(map(_near, *pair)) for pair in itertools.combinations(given, 2)):
                return [case]
        if self.parameters:
            raise ValueError(f"{self.name}: in 1000 draws two of its mistakes always give the same")
        return [case]

    @property
    def stub(self) -> str:
        return f"check.{self.name}(...)"

    @property
    def given(self) -> Text:
        return lettered(tuple(self.numbers), tuple(self.numbers.values()))

    def _verdict(self, given: tuple[Any, ...], seed: int) -> Result:
        """What was worked out by hand, to three digits. The right values are in no Result."""
        try:
            told = values(given[0] if len(given) == 1 else given, len(self.returns))
        except NotImplementedError:
            return Result(self.name, "  ", "not answered yet: put your numbers in place of the dots")
        except Refused as refused:
            words = (
                "give numbers, not a text" if "<U" in str(refused) else str(refused).replace("it must return", "give")
            )
            return self._wrong(f"{words}; wanted: check.{self.signature}")
        known = known_of(self, seed)
        told = [a.reshape(b.shape) if a.size == b.size == 1 else a for a, b in zip(told, known.wanted[0], strict=True)]
        missed = self._missed(told, known)
        return Result(self.name, "--" if missed else "ok", missed or "right", yours=plain(told))

    def _missed(self, told: Answer, known: Known) -> str | None:
        """What is wrong, and never what is right."""
        right = known.wanted[0]
        names = [name for name, *pair in zip(self.returns, told, right, strict=True) if rounds_to(*pair)]
        if len(names) == len(right):
            return None
        if len(right) == 1 == right[0].ndim - 1 == told[0].ndim - 1 and len(told[0]) == len(right[0]) + 1:
            for rows, which in ((told[0][1:], "first"), (told[0][:-1], "last")):
                if rounds_to(rows, right[0]):
                    return f"{len(right[0])} rows are wanted: leave the {which} one out, the others are right"
        if layout(told) != layout(right):
            pairs = zip(self.returns, map(_size, told), map(_size, right), strict=True)
            return "; ".join(f"{name}: give {b}, not {a}" for name, a, b in pairs if a != b)
        mistakes = [(texts[0], answer_on(0)) for texts, answer_on in known.alone.explanations if texts]
        for text, wrong in mistakes:
            if all(map(rounds_to, told, wrong)):
                return text
        moved = _in_another_order(told, right)
        if moved:
            return "; wanted: ".join([moved, *([", ".join(self.returns)] if len(right) > 1 else [])])
        if self.returns == ("path",):
            row = next(k for k, (a, b) in enumerate(zip(told[0], right[0], strict=True)) if not rounds_to(a, b))
            off = [str(place) for place, near in enumerate(close(told[0][row], right[0][row]), 1) if not near]
            entries = f", in entry {' and '.join(off)}" if len(off) < told[0].shape[1] else ""
            return f"row {row + 1} is the first that is wrong{entries}"
        if all(rounds_to(a, 100 * b) for a, b in zip(told, right, strict=True)):
            return "give numbers, not per cent"
        so_far = [those_right(names)] if names else self._count(told[0], right[0]) if len(right) == 1 else []
        cause = self._rounded_too_far(told, right) or (self.one_by_one and _first_cause(told, right, mistakes))
        percents = zip(self.returns, told, right, strict=True)
        cent = [name for name, a, b in percents if rounds_to(a, 100 * b) and b.any()]
        cause = f"{' and '.join(cent)}: give a number, not per cent" if cent and not cause else cause
        if cause:
            return "; ".join([*so_far, cause])
        rest = ", the rest is not" if names else ""
        which = "these together" if names else "it"  # one of them may be what a mistake gives
        return f"{so_far[0] + rest if so_far else 'that is not right'}; none of the usual mistakes gives {which}"

    def _count(self, told: np.ndarray, right: np.ndarray) -> list[str]:
        """How many of the numbers are right; of two different ones that are possible, this would be the answer."""
        if len(np.unique(right)) < 3:
            return []
        count = int(np.sum(close(told, right)))
        return [f"{count} of the {right.size} numbers {'is' if count == 1 else 'are'} right"]

    def _rounded_too_far(self, told: Answer, right: Answer) -> str | None:
        pairs = [pair for pair in zip(self.returns, told, right, strict=True) if not rounds_to(*pair[1:])]
        if all(np.all(close(a, b) | (a == rounded(b, 2))) for _, a, b in pairs):
            return f"{' and '.join(name for name, *_ in pairs)}: give three digits"
        if all(np.all(close(a, b) | _two_decimals(a, b)) for _, a, b in pairs):
            return f"{' and '.join(name for name, *_ in pairs)}: right to two decimals; give three digits, as 0.0123"
        return None


def _first_cause(told: Answer, right: Answer, mistakes: list[tuple[str, Answer]]) -> str | None:
    """Of numbers found one by one: the mistake that gives the first wrong one, and all others that it changes."""
    yours, wanted = (np.concatenate([a.ravel() for a in answer]) for answer in (told, right))
    for n in np.flatnonzero(~close(yours, wanted)):
        for text, answer in mistakes:
            wrong = np.concatenate([a.ravel() for a in answer])
            changed = ~close(wrong, wanted)
            if changed[n] and close(yours, wrong)[changed].all():
                return text
    return None


def _in_another_order(told: Answer, right: Answer) -> str:
    """The right numbers, each in the place of another."""
    if all(a.size == 1 for a in right):
        yours, wanted = (np.sort([a.item() for a in answer]) for answer in (told, right))
        return "these are the right numbers, in another order" if rounds_to(yours, wanted) else ""
    if len(right) == 1 and right[0].ndim == 2 and right[0].shape[1] <= 4:
        for order in itertools.permutations(range(right[0].shape[1])):
            if rounds_to(told[0][:, order], right[0]):
                return "the numbers are right, and the columns stand in another order"
    if len(right) > 1 and all(
        a.ndim == 1 and a.shape == right[0].shape == b.shape for a, b in zip(told, right, strict=True)
    ):
        for order in itertools.permutations(range(len(right))):
            if all(rounds_to(told[k], b) for k, b in zip(order, right, strict=True)):
                return "these are the right lists, in another order"
    return ""


def _near(a: np.ndarray, b: np.ndarray) -> bool:
    """So near that a reader's rounding could lead from one to the other."""
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= 0.015 * np.maximum(np.abs(a), np.abs(b))))


def _size(a: np.ndarray) -> str:
    """4 rows of 3 numbers, for example."""
    if not a.ndim:
        return "one number"
    return " rows of ".join(map(str, a.shape)) + " numbers"


def rounded(b: np.ndarray, digits: int) -> np.ndarray:
    """b to so many digits."""
    return np.array([float(f"{x:.{digits - 1}e}") for x in b.ravel()]).reshape(b.shape)


def close(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Which entries of a are those of b when rounded to three digits, or nearer? For a 0, rounding of the rest."""
    last_digit = 10.0 ** (np.floor(np.log10(np.where(b == 0, 1.0, np.abs(b)))) - 2)
    of_zero = 1e-3 * np.abs(b).max(initial=0.0) + 1e-9
    return np.abs(a - b) <= 0.5001 * np.where(b == 0, of_zero, last_digit)


def _two_decimals(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Which entries of a are those of b, rounded to two decimals, and not to 0?"""
    return (a != 0) & np.isclose(a, np.round(a, 2)) & (np.abs(a - b) <= 0.005001)


def rounds_to(a: np.ndarray, b: np.ndarray) -> bool:
    """Is a what b is to three digits, or nearer?"""
    return a.shape == b.shape and bool(np.all(close(a, b)))


def once(rng):
    """The one case of a question in which the numbers stand."""
    return [Case("these numbers", ())]


def anywhere(rng):
    """Two numbers for which both sides of a line can be computed."""
    return rng.normal(size=2)


def wrong_line(lines, failing, some=anywhere, slips=()):
    """The line exists, the numbers show it wrong, and the reader knows what should stand there.

    lines(u, v): both sides of each line; some(rng): two numbers that the question allows; slips: texts, each with what
    somebody computes at u, v who is wrong in that way.
    """

    def sides(line, u, v):
        return lines(u, v)[int(line) - 1]

    def refuted(line, u, v, right=None):
        left, claimed = sides(line, u, v)
        return abs(left - claimed) > 1e-6 * max(abs(left), abs(claimed)) + 1e-12

    def told(line, u, v, right):
        k, value = int(line), sides(line, u, v)[0]
        rng = np.random.default_rng(0)
        if any(refuted(line, *some(rng)) for _ in range(100)):
            return f"with your numbers both sides of line {k} are {value:.6g}, which shows nothing: try others"
        agree = f"both sides of line {k} are {value:.6g} with your numbers, and they agree with 100 others, too"
        return f"{agree}: this line is not the wrong one"

    def is_right(line, u, v, right):
        return np.isclose(right, sides(line, u, v)[0], rtol=1e-3, atol=1e-9)

    def slip(line, u, v, right):
        as_it_is = ("that is what it is now", lambda u, v: sides(line, u, v)[1])
        known = (text for text, wrong in (*slips, as_it_is) if np.isclose(right, wrong(u, v), rtol=1e-3, atol=1e-9))
        shown = "that line is wrong, and your numbers show it; `right` is not what its right side should be there"
        return ": ".join([shown, *itertools.islice(known, 1)])

    false = next(k for k, (a, b) in enumerate(lines(*failing[1:3]), 1) if not np.isclose(a, b))
    return (
        Requirement(
            "give four numbers: the line, two numbers for it, and the number that is right there",
            lambda *made: all(np.ndim(one) == 0 for one in made),
            (false, *failing[1:3], [77.0]),
        ),
        Requirement("line must be 1, 2, 3 or 4", lambda line, u, v, right: line in (1, 2, 3, 4), (5, *failing[1:])),
        Requirement(told, refuted, failing),
        Requirement(slip, is_right, (false, *failing[1:3], 77.0)),
    )

"""Exercises whose answer is no function but numbers, found with a pencil and told to three digits."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .answers import Answer, Call, Refused, equal, plain, values
from .checker import Case, Exercise, Requirement, Result, known_of
from .wording import those_right


@dataclass(kw_only=True, eq=False, repr=False)
class ByHand(Exercise):
    """Say these values, found without a computer: check.NAME(first, second); no function is written."""

    kind: ClassVar[str] = "by hand"

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(self.returns)})"

    def __call__(self, *given: Any, seed: int = 0, **named: Any) -> Result:
        """Check what was worked out by hand, to three digits."""
        given += tuple(named.values())
        if len(given) == 1 and given[0] is ...:
            self.last = self._unwritten()
            return self.last
        told = given[0] if len(given) == 1 else given
        return super().__call__(lambda: self._unrounded(told), seed=seed)

    def _unrounded(self, told: Any) -> Any:
        """The right values, or those of a mistake, where they are told to three digits."""
        known, answer = known_of(self, 0), self._values(told)
        for wanted in [known.wanted[0], *(wrong.answer_on(0) for wrong in self.mistaken(known.cases, 1))]:
            if all(_rounds_to(a, b) for a, b in zip(answer, wanted, strict=True)):
                return plain(wanted)
        return plain([b if _rounds_to(a, b) else a for a, b in zip(answer, known.wanted[0], strict=True)])

    def _values(self, told: Any) -> Answer:
        try:
            return values(told, len(self.returns))
        except Refused as refused:
            words = str(refused).replace("it must return", "give")
            raise Refused(f"{words}; wanted: check.{self.signature}") from None

    def _facts(self, call: Call, error: float, where: str, place: str) -> str:
        """Which values are right, and not what the others should be."""
        pairs = list(zip(call.answer or [], call.expected, strict=True))
        names = [name for name, pair in zip(self.returns, pairs, strict=True) if equal(*pair)]
        if any(a.shape != b.shape for a, b in pairs):
            return super()._facts(call, error, where, place)
        so_far = f"{those_right(names)}, the rest is not" if names else "that is not right"
        return f"{so_far}; none of the usual mistakes gives it"

    def _praise(self, instances: int) -> str:
        return "right"

    def _unwritten(self) -> Result:
        return Result(self.name, "  ", "not answered yet: put your numbers in place of the dots")


def _rounds_to(a: np.ndarray, b: np.ndarray) -> bool:
    """Is a what b is when rounded to three digits, or nearer?"""
    if a.shape != b.shape:
        return False
    last_digit = 10.0 ** (np.floor(np.log10(np.where(b == 0, 1.0, np.abs(b)))) - 2)
    return bool(np.all(np.abs(a - b) <= 0.5001 * last_digit))


def _holds(lines):
    """Both sides of the line that the reader names agree at his numbers."""

    def told(line, u, v, right):
        value = lines(u, v)[int(line) - 1][0]
        return f"with your numbers both sides of line {int(line)} are {value:.6g}, which shows nothing: try others"

    def refuted(line, u, v, right):
        left, claimed = lines(u, v)[int(line) - 1]
        return abs(left - claimed) > 1e-6 * (1 + abs(left))

    return told, refuted


def once(rng):
    """The one case of a question in which the numbers stand."""
    return [Case("these numbers", ())]


def wrong_line(lines, failing):
    """The line exists, the numbers show it wrong, and the reader knows what should stand there."""
    told, refuted = _holds(lines)
    a_line = Requirement("line must be 1, 2, 3 or 4", lambda line, u, v, right: line in (1, 2, 3, 4), (5, *failing[1:]))
    return (
        a_line,
        Requirement(told, refuted, failing),
        Requirement(
            "that line is wrong, and your numbers show it; `right` is not what its right side should be there",
            lambda line, u, v, right: np.isclose(right, lines(u, v)[int(line) - 1][0], rtol=1e-3, atol=1e-3),
            (next(k for k, (a, b) in enumerate(lines(*failing[1:3]), 1) if not np.isclose(a, b)), *failing[1:3], 77.0),
        ),
    )

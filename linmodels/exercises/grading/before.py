"""Questions of the text that have a number or a sign for an answer: `check.before(cell, answer)`, before the fold."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from .answers import Refused, values
from .by_hand import close, rounded, rounds_to
from .checker import Result


class Question(NamedTuple):
    """The answer, and what to tell whoever gives one of these others; all are computed when they are asked for."""

    answer: Callable[[], Any]
    slips: Mapping[str, Callable[[], Any]] = {}
    words: str = "yes; now open the fold, and compare the reason"
    decimals: int | None = None  # to so many decimals, where three digits are too few

    def _near(self, a: np.ndarray, b: np.ndarray) -> bool:
        if self.decimals is not None:
            return bool(np.all(abs(a - b) <= 0.5001 * 10.0**-self.decimals))
        return rounds_to(a, b) and bool(np.all((a == b) | ~_long(b)))

    def judged(self, cell: str, told: tuple[Any, ...]) -> Result:
        """What is wrong, and never what is right."""
        right = np.asarray(self.answer(), float)
        try:
            flat = [x for one in told for x in np.ravel(np.asarray(one, object))]  # (w, b) may come as it is
            if dots := [place for place, x in enumerate(flat, 1) if x is ...]:
                if len(dots) < len(flat):
                    raise Refused(f"give numbers: number {dots[0]} of {len(flat)} is still ...")
                raise NotImplementedError
            (yours,) = values(told[0] if len(told) == 1 else flat or None, 1)
        except NotImplementedError:
            return Result(cell, "  ", "not answered yet: put your answer in place of the dots")
        except Refused as refused:
            said = (
                "give numbers, not a text" if "<U" in str(refused) else str(refused).replace("it must return", "give")
            )
            return Result(cell, "--", said)
        yours = yours.reshape(right.shape) if yours.size == right.size == 1 else yours
        if yours.shape != right.shape:
            wanted = "one number" if not right.ndim else f"{right.size} numbers"
            return Result(
                cell, "--", f"give {wanted}: check.before({cell!r}, {', '.join('...' for _ in range(right.size))})"
            )
        if self._near(yours, right):
            return Result(cell, "ok", self.words)
        slip = (text for text, wrong in self.slips.items() if self._near(yours, np.asarray(wrong(), float)))
        few = (
            self.decimals is None
            and not _long(right).any()
            and np.all(close(yours, right) | (yours == rounded(right, 2)))
        )
        all_digits = self.decimals is None and rounds_to(yours, right)  # of whole numbers that have many
        no = "give three digits" if few else "no; think once more before you open the fold"
        no = "give all digits, for the answer is a whole number" if all_digits else no
        return Result(cell, "--", next(slip, no))


def _long(b: np.ndarray) -> np.ndarray:
    """Which entries are whole numbers of more than three digits? Three digits are too few for them."""
    return (b == np.round(b)) & (abs(b) >= 1000)

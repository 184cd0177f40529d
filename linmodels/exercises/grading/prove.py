"""Proofs: lines in a random order, some of them false, that the reader puts in an order in which each follows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .checker import Result, Task, Text
from .reader import reader
from .wording import listed

TRIES = 3  # with the same letters: then the lines are dealt anew


class Line(NamedTuple):
    """A line of a proof, what it says in a few words, and the lines that it needs above it."""

    text: str
    says: str
    needs: tuple[str, ...] = ()


class Decoy(NamedTuple):
    """A line that is false or proves nothing, and what computes the numbers that show it."""

    text: str
    refuted: Callable[[], str]


@dataclass(kw_only=True, eq=False, repr=False)
class Proof(Task):
    """Put these lines in order: check.NAME("C A B ..."); every order in which each line follows is right."""

    lines: Mapping[str, Line]  # the last one is what is to be proved
    decoys: Mapping[str, Decoy]
    wrong: int = 0  # tries of this session, and of one reader
    whose: int = 0  # the seed of the reader who made them
    kind: ClassVar[str] = "prove"

    @property
    def parameters(self) -> tuple[str, ...]:
        return ("order",)

    @property
    def personal(self) -> str:
        return "letters" if reader.seed else ""

    @property
    def dealt(self) -> dict[str, str]:
        """The letter of each line, until the next deal."""
        keys = [*self.lines, *self.decoys]
        wrong = self.wrong if self.whose == reader.seed else 0
        shuffled = np.random.default_rng([reader.seed, wrong // TRIES, *self.name.encode()]).permutation(len(keys))
        return {chr(65 + place): keys[k] for place, k in enumerate(shuffled)}

    @property
    def stub(self) -> str:
        return f"check.{self.name}(...)"

    @property
    def given(self) -> Text:
        texts = {key: line.text for key, line in self.lines.items()} | {key: d.text for key, d in self.decoys.items()}
        return Text("\n".join(f"{letter}  {texts[key]}" for letter, key in self.dealt.items()))

    def solution(self) -> Text:
        """The lines in an order that is right."""
        return Text("\n".join(line.text for line in self.lines.values()))

    def _verdict(self, given: tuple[Any, ...], seed: int) -> Result:
        parts = [text for one in given for text in (one if isinstance(one, list | tuple | np.ndarray) else [one])]
        if not all(isinstance(text, str) or text is None or text is ... for text in parts):
            return self._wrong(f'give the letters as text: check.{self.name}("C A B")')
        order = [letter for text in parts if isinstance(text, str) for letter in text.upper() if letter.isalpha()]
        if not order:
            return Result(self.name, "  ", "not proved yet: put the letters in place of the dots")
        if self.whose != reader.seed:
            self.whose, self.wrong = reader.seed, 0
        told = self._first_fault(order)
        if not told:
            return Result(self.name, "ok", f"every line follows; tries: {self.wrong + 1}")
        if told.endswith("needed"):  # true as far as it goes
            return self._wrong(told)
        self.wrong += 1
        anew = "" if self.wrong % TRIES else f"; the lines have new letters now: check.{self.name}.given"
        return self._wrong(told + anew)

    def _first_fault(self, order: list[str]) -> str | None:
        """The first place that is wrong, and why."""
        dealt, above = self.dealt, list[str]()
        for place, letter in enumerate(order, start=1):
            key, at = dealt.get(letter), f"place {place}, line {letter}"
            if key is None:
                return f"{at}: there is no such line"
            if key in self.decoys:
                return f"{at}: {self.decoys[key].refuted()}"
            if key in above:
                return f"{at}: it stands above already"
            missing = [self.lines[need].says for need in self.lines[key].needs if need not in above]
            if missing:
                return f"{at}: it uses {listed(missing)}, and nothing above says so"
            above.append(key)
        lacks = len(self.lines) - len(above)
        return f"each line follows; {lacks} more {'is' if lacks == 1 else 'are'} needed" if lacks else None

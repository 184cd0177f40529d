"""Derivations: each line of the reader's equals the one before it, and a step uses one rule.

Lines are compared at random points, where two different expressions differ. That alone would let a reader jump from the
first line to the last. So a step must also hold in a meaning in which one rule is true, and others are not: σ has
another slope, ln and exp have nothing to do with each other, d is any linear functional, t is neither 0 nor 1. Where a
step uses the slope of a function, d is the derivative: the rules of sums and products may come with it.
"""

import ast
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from . import language
from .answers import Refused
from .checker import Result, Task, Text
from .meanings import BRACKETS, Letters, Points
from .misreadings import misread, put, quotients
from .slips import of_numbers, repairs
from .wording import listed


class Judgment(NamedTuple):
    """How many lines follow, and the words for the reader."""

    lines: int
    text: str
    ok: bool = False


@dataclass(kw_only=True, eq=False, repr=False)
class Derivation(Task):
    """Derive this: check.NAME(lines), one text or several; the first line is given, and need not be repeated.

    letters: what each is, "number", "positive", "probability", "0 or 1", "±1", "symmetric", then the sizes of its
    shape, as "0 or 1 N" or "symmetric d d". bound: puts random letters where the question has them, on ‖u‖ = 1.
    """

    start: str
    letters: Mapping[str, str]
    free_of: tuple[str, ...]  # what the last line must not hold: names, or expressions as X@U
    lines: tuple[str, ...]  # a right derivation, without its first line
    once: tuple[str, ...] = ()  # what the last line may not hold more often than that of `lines`
    bound: Callable[[Letters], Letters] = lambda letters: letters
    bound_as: str = ""  # the same in words
    slips: tuple[tuple[int, str, str], ...] = ()  # which line, what is written there, and words of the verdict
    kind: ClassVar[str] = "derive"

    @property
    def parameters(self) -> tuple[str, ...]:
        return ("lines",)

    @property
    def stub(self) -> str:
        return f'check.{self.name}(\n    """\n...\n"""\n)'

    @property
    def given(self) -> Text:
        return Text(f"line 1: {self.start}")

    def solution(self) -> Text:
        """A right derivation, line by line."""
        return Text("\n= ".join([self.start, *self.lines]))

    def language(self) -> Text:
        """What a line may hold."""
        letters = "\n".join(f"    {letter:9} {kind}" for letter, kind in self.letters.items())
        return Text(f"{language.__doc__ or ''}\nThe letters here:\n\n{letters}")

    def _verdict(self, given: tuple[Any, ...], seed: int) -> Result:
        """Judge lines of Python; what follows # in a line is a remark."""
        if not all(isinstance(text, str) or text is ... or text is None for text in given):
            return self._wrong(f"give your lines as text: check.{self.name}('''line 2, line 3, ...''')")
        told = [line for text in given if isinstance(text, str) for line in _lines(text)]
        if not told:
            return Result(self.name, "  ", "not derived yet: put your lines in place of the dots")
        judgment = self._judged(told, seed)
        return Result(self.name, "ok" if judgment.ok else "--", judgment.text)

    def _judged(self, told: list[str], seed: int) -> Judgment:
        lines = [language.read(self.start, self.letters)]
        for text in told:
            try:
                line = language.read(text, self.letters)
            except Refused as refused:
                return Judgment(len(lines), f"line {len(lines) + 1}: {refused}")
            if len(lines) > 1 or ast.dump(line) != ast.dump(lines[0]):  # whoever repeats line 1 counts it once
                lines.append(line)
        number = zlib.crc32("\n".join([str(seed), *map(ast.unparse, lines)]).encode())
        as_vectors = self._read_as(lines, number, columns=False)
        if as_vectors.ok or of_numbers(self.letters) == [*self.letters]:  # of numbers there are no columns
            return as_vectors
        return max(as_vectors, self._read_as(lines, number, columns=True), key=lambda told: told[::2])

    def _read_as(self, lines: list[ast.expr], seed: int, columns: bool) -> Judgment:
        """The first thing that is wrong, where vectors are read as (d,), or as columns (d, 1)."""
        used = [f for f in language.TRUE if any(f in language.names(line) for line in lines)]
        points = Points(self.letters, self.bound, self.bound_as, used, seed, columns)
        rules = []
        for k in range(1, len(lines)):
            above, below = lines[k - 1 : k + 1]
            try:
                follows = points.agree(above, below, points.truth())
                text = "" if follows else self._does_not_follow(points, above, below, k)
            except Refused as refused:
                follows, text = False, f"line {k + 1}: {refused}"
            if not follows:
                return Judgment(k, text)
            rules.append(self._rules_of(points, above, below))
            if len(rules[-1]) != 1 and (instead := points.at_once(above, below)):
                return Judgment(k, f"line {k + 1} is true, but the step to it is too large: {instead}")
            if len(rules[-1]) > 1:
                if "d" not in language.names(above) | language.names(below):
                    rules[-1] = [re.sub(r"^the derivative of (\w+)$", r"what \1 is", rule) for rule in rules[-1]]
                many = f"{listed(rules[-1])}: take one at a time"
                return Judgment(k, f"line {k + 1} is true, but the step to it uses {many}")
            if not rules[-1]:
                return Judgment(k, f"line {k + 1} is true, but the step to it is too large: write what stands between")
        return self._finished(lines, list(dict.fromkeys(rule for (rule,) in rules)))

    def _rules_of(self, points: Points, above: ast.expr, below: ast.expr) -> list[str]:
        """One rule, where one is enough; else those that the step cannot do without."""
        for rule, meanings in points.single_rules(above, below):
            if points.agree(above, below, meanings):
                return [rule]
        for rules, meanings in points.pairs_of_rules(above, below):
            if points.agree(above, below, meanings):
                return rules
        needed = [rule for rule, meanings in points.all_but_one() if not points.agree(above, below, meanings)]
        needed = [rule for rule in needed if rule != BRACKETS] if len(needed) > 2 else needed
        return needed if len(needed) > 1 else []

    def _does_not_follow(self, points: Points, above: ast.expr, below: ast.expr, k: int) -> str:
        where, a, b = points.difference(above, below)
        seen = f"line {k + 1} does not follow: {where} line {k} is {a}, line {k + 1} is {b}"
        numbers = of_numbers(self.letters)
        under = language.under_d(below)
        constant = [letter for letter in points.stand_for_others if letter in under]
        if constant and points.agree(above, below, points.moving_along()):
            (letter, *_), by = constant, under[constant[0]]
            return f"{seen}; under d(..., {by}), {letter} counts as a constant: put {letter} in after the d is gone"
        fixed = [letter for letter in numbers if letter not in under]  # their d's are taken
        pairs = [(text, meant, below) for text, meant in misread(above, fixed)] if numbers == [*self.letters] else []
        pairs += [(text, meant, below) for text, meant in quotients(above)]
        pairs += [(text, above, meant) for text, meant in repairs(above, below, self.letters)]
        for meanings in (points.of_any_letters(), points.truth()):  # first what does not hang on t being 0 or 1
            for text, one, other in pairs:
                try:
                    if points.agree(one, other, meanings):
                        return f"{seen}; {text}"
                except Refused:  # shapes that do not fit
                    continue
        for letter in language.under_d(language.read(self.start, self.letters)).values():
            if not {letter, "d"} & language.names(below) and "d" not in language.names(above):
                there, zero = put(above, {letter: below}), ast.BinOp(ast.Constant(0), ast.Mult(), ast.Name(letter))
                try:
                    if points.agree(there, zero, points.truth()):
                        return f"{seen}; that is the {letter} where line {k} is 0: stop at line {k}"
                except Refused:
                    continue
        if a == "a number" and b.startswith("of shape"):
            mixed = points.mixed_sum(below)
            products = "* goes entry by entry, and x·x is (x @ x), in brackets where a * stands beside it"
            return f"{seen}: {mixed or products}"
        return seen

    def _finished(self, lines: list[ast.expr], rules: list[str]) -> Judgment:
        last, count = lines[-1], f"{len(lines)} lines, and each follows from the one before"
        if len(lines) == 1:
            return Judgment(1, "that is the line which is given: go on from it")
        left = [text for text in self.free_of if language.holds(last, text)]
        goal = language.read(self.lines[-1], self.letters)
        often = [x for x in self.once if language.count(last, x) > language.count(goal, x)]
        if left:
            return Judgment(len(lines), f"{count}; the last one still holds {' and '.join(left)}")
        if often:
            times = language.count(last, often[0])
            most = language.count(goal, often[0])
            enough = f"{'once' if most == 1 else f'{most} times'} is enough"
            squared = self.letters.get(often[0]) == "±1" and any(_is_square(node, often[0]) for node in ast.walk(last))
            enough += f": what is {often[0]}²?" if squared else ""
            return Judgment(len(lines), f"{count}; the last one holds {often[0]} {times} times, and {enough}")
        if language.size(last) > 2 * language.size(goal) + 4:
            return Judgment(len(lines), f"{count}; the last one can be much simpler: multiply out, and cancel")
        return Judgment(len(lines), f"right, {len(lines)} lines: {', '.join(rules)}", ok=True)


def _is_square(node: ast.expr | ast.AST, letter: str) -> bool:
    """y**2, and what holds y * y."""
    match node:
        case ast.BinOp(ast.Name(name), ast.Pow(), ast.Constant(2)):
            return name == letter
        case ast.BinOp(_, ast.Mult(), _):
            return language.count(node, letter) > 1
    return False


def _lines(text: str) -> list[str]:
    found = (re.sub(r"^line \d+:", "", line.split("#")[0].strip()).strip() for line in text.splitlines())
    return [line for line in found if line not in ("", "...")]

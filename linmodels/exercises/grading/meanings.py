"""What the lines of a derivation are compared in: random points, and meanings in which some of the rules are true."""

import ast
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .language import TRUE, Meaning, Value, along_entries, derivative, is_derivative, names, together, value

SIZES = ({"N": 4, "d": 3, "p": 3, "K": 2}, {"N": 3, "d": 2, "p": 2, "K": 4})  # of arrays, in turn
DRAWS = 8  # points at which two lines are compared: near and far, with each sign
Letters = dict[str, Value]
Meanings = Callable[[], Iterator[Meaning]]  # a meaning for each point
SUM = (ast.Add, ast.Sub)
BRACKETS = "the opening of brackets"
BOUND = ("0 or 1", "±1", "symmetric")  # kinds of letters of which more is known than their shape


@dataclass(frozen=True)
class Points:
    """Random points for the letters of a derivation, and what its lines can mean there."""

    letters: Mapping[str, str]
    bound: Callable[[Letters], Letters]
    bound_as: str
    used: Collection[str]  # the functions in its lines
    seed: int
    columns: bool  # are vectors columns (d, 1)?

    def truth(self) -> Meanings:
        return self._meanings("true", TRUE, bound=self._known)

    def moving_along(self) -> Meanings:
        """As if d moved, with its letter, all letters that stand for something with it."""
        return lambda: (replace(meaning, bound=self.bound) for meaning in self.truth()())

    @property
    def stand_for_others(self) -> list[str]:
        """The letters that the question makes of others."""
        drawn = self._draw(np.random.default_rng(self.seed), [], 0)
        made = self.bound(drawn)
        return [letter for letter in drawn if not np.array_equal(drawn[letter], made[letter])]

    def of_any_letters(self) -> Meanings:
        """All rules are true, and nothing is known of the letters but their shapes."""
        return self._meanings("true", TRUE)

    def single_rules(self, above: ast.expr, below: ast.expr) -> Iterator[tuple[str, Meanings]]:
        """Each rule, and meanings in which it is true; with the slope of a function sums and products are, too."""
        yield "algebra or the sum rule", self._meanings("linear")
        for known, text in self._known.items():
            plus = _crooked_sum if text.endswith(("0 or 1", "±1")) else np.add
            yield text, self._meanings("linear", bound=(known,), plus=plus)
        yield "what the functions are", self._meanings("linear", TRUE)
        yield "the derivative of what is linear", self._meanings("affine")
        if _one_by_one(above, below):
            yield "the derivative of a square", self._meanings("quadratic")
        yield "the product rule", self._meanings("scaled")
        yield from ((_slope_of(f), self._meanings("true", {f})) for f in self.used)

    def pairs_of_rules(self, above: ast.expr, below: ast.expr) -> Iterator[tuple[list[str], Meanings]]:
        """Two rules that are often used at once, and the meanings in which these two are true."""
        yield ["what the functions are", "the derivative of what is linear"], self._meanings("affine", TRUE)
        for known, text in self._known.items() if _one_by_one(above, below) else ():
            yield ["the derivative of a square", text], self._meanings("quadratic", bound=(known,))

    def at_once(self, above: ast.expr, below: ast.expr) -> str:
        """What to do where a d of a sum is worked out, all of whose terms are squares, linear or constant."""
        gone = _gone(above, below)
        sums = [isinstance(d.args[0], ast.BinOp) and isinstance(d.args[0].op, SUM) for d in gone]
        if not any(sums) or not self.agree(above, below, self._meanings("quadratic")):
            return ""
        return "take the d's of the terms apart first" if len(gone) == 1 else "work out one d at a time"

    def all_but_one(self) -> Iterator[tuple[str, Meanings]]:
        """Each rule, and the meanings in which all the others are true: what fails there needs the rule."""
        functions = [(_slope_of(f), self._meanings("true", {*TRUE} - {f}, self._known)) for f in self.used]
        yield from functions
        if not functions:  # where there are, product rule and brackets are the small change of the step
            yield "the product rule", self._meanings("affine", TRUE, self._known)
            yield "the derivative of what is linear", self._meanings("scaled", TRUE, self._known)
        for known, text in self._known.items():
            yield text, self._meanings("true", TRUE, [other for other in self._known if other != known])
        if self._known and not functions:
            yield BRACKETS, self._meanings("true", TRUE, self._known, _crooked_sum)

    @property
    def _known(self) -> dict[str, str]:
        """What is known of letters beside their shapes, in words: by letter, and under "" of several together."""
        of_letters = {
            letter: f"that {letter} is {' '.join(word for word in kind.split() if word not in SIZES[0])}"
            for letter, kind in self.letters.items()
            if kind.startswith(BOUND)
        }
        return of_letters | ({"": f"that {self.bound_as}"} if self.bound_as else {})

    def agree(self, above: ast.expr, below: ast.expr, meanings: Meanings) -> bool:
        """Are two lines equal wherever the first has a value, which it must have at half of the points?"""
        told = points = 0
        for meaning in meanings():
            points, a, b = points + 1, value(above, meaning), value(below, meaning)
            overflows = np.isnan(b).any() and not np.isnan(value(below, near(meaning))).any()
            if np.isfinite(a).all() and not overflows:  # what is nan far out only has no digits there
                told += 1
                if not _same(a, b):
                    return False
        return 2 * told >= points

    def difference(self, above: ast.expr, below: ast.expr) -> tuple[str, ...]:
        """A point where two lines differ, and what they are there."""
        pairs = [(meaning.letters, value(above, meaning), value(below, meaning)) for meaning in self.truth()()]
        whole = [triple for triple in pairs if not np.isnan(triple[2]).any()] or pairs
        letters, *pair = next((triple for triple in whole if not _same(*triple[1:])), whole[0])
        a, b = map(np.squeeze, pair)
        if a.shape != b.shape:
            used = {word for kind in self.letters.values() for word in kind.split()}
            sizes = ", ".join(f"{letter} = {n}" for letter, n in SIZES[0].items() if letter in used)
            return f"with {sizes}", *(f"of shape {x.shape}" if x.ndim else "a number" for x in (a, b))
        seen = {letter for letter in letters if letter in names(above) | names(below)}
        numbers = [
            f"{letter} = {letters[letter].item():.3g}"
            for letter in letters
            if letter in seen and letters[letter].size == 1
        ]
        where = ", ".join(numbers) + (" and random arrays" if numbers and len(numbers) < len(seen) else "")
        at = tuple(int(i) for i in np.argwhere(~np.isclose(a, b, rtol=1e-9, atol=1e-9))[0]) if a.ndim else ()
        entry = f", in entry [{', '.join(map(str, at))}]," if at else ""
        return f"at {where or 'random arrays'}{entry}", f"{a[at]:.4g}", f"{b[at]:.4g}"

    def mixed_sum(self, line: ast.expr) -> str:
        """What is added to a number and is none."""
        meaning, told = next(self.truth()()), ""
        for part in ast.walk(line):
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub):
                sides = sorted((part.left, part.right), key=lambda side: np.ndim(value(side, meaning)))
                if [np.ndim(value(side, meaning)) for side in sides] == [0, 1]:
                    told = "`{1}` is a vector, and is added to the number `{0}`".format(*map(ast.unparse, sides))
        return told

    def _meanings(
        self, d: str, true: Collection[str] = (), bound: Collection[str] = (), plus: Callable[..., Any] = np.add
    ) -> Meanings:
        """d: which rules of differentiation hold; true: which functions are themselves; bound: which letters are."""

        def made() -> Iterator[Meaning]:
            rng = np.random.default_rng(self.seed)
            for k in range(DRAWS):
                letters = self._draw(rng, bound, k)
                functions = {f: TRUE[f] if f in true else _free(f, rng) for f in TRUE}
                enough = _points_needed(d, letters)
                free = Free([self._draw(rng, bound, k) for _ in range(enough)], int(rng.integers(2**32)))
                yield Meaning(letters, functions, getattr(free, d), plus)

        return made

    def _draw(self, rng: np.random.Generator, bound: Collection[str], k: int) -> Letters:
        """The letters at random; those of bound are what the question says, and not only of this shape."""
        drawn = {}
        for j, (letter, kind) in enumerate(self.letters.items()):
            drawn[letter] = _drawn(kind, rng, letter in bound, k, (k >> j % 3) & 1)
        drawn = self.bound(drawn) if "" in bound else drawn
        return {letter: a[:, None] if self.columns and a.ndim == 1 else a for letter, a in drawn.items()}


def _slope_of(f: str) -> str:
    """The rule in words; a lone s would be taken for a letter."""
    return f"the derivative of {'σ' if f == 's' else f}"


def near(meaning: Meaning) -> Meaning:
    """The same, with letters a tenth as large."""
    return replace(meaning, letters={letter: a / 10 for letter, a in meaning.letters.items()})


def _drawn(kind: str, rng: np.random.Generator, bound: bool, k: int, side: int) -> Value:
    """A letter of the k-th point; side: which of its two values a letter has that has two."""
    sizes, far = SIZES[k // 2 % 2], 3 if k >= DRAWS // 2 else 1
    shape = tuple(sizes[word] for word in kind.split() if word in sizes)
    match " ".join(word for word in kind.split() if word not in sizes):
        case "" | "number":
            away = 3.0 * (2 * side - 1) if far > 1 and not shape else 0.0  # a number lies on both sides, and far out
            return np.asarray(away + (far if shape else 1) * rng.uniform(-2, 2, shape))
        case "positive":
            return np.asarray(rng.uniform(0.3, 2, shape) ** far)
        case "probability":
            return np.asarray(rng.uniform(0.05, 0.95, shape))
        case "0 or 1" if bound:
            return np.asarray(rng.integers(0, 2, shape) if shape else side, float)
        case "0 or 1":
            return np.asarray(rng.uniform(0.2, 1.8, shape))
        case "±1" if bound:
            return np.asarray(rng.choice([-1.0, 1.0], shape) if shape else 2.0 * side - 1)
        case "±1":
            return np.asarray(rng.choice([-1.0, 1.0], shape) * rng.uniform(0.4, 1.7, shape))
        case "symmetric":
            A = rng.normal(size=shape) + 2 * np.eye(shape[0])
            return A + A.T if bound else A
        case "identity":
            return np.eye(shape[0])
    raise ValueError(f"a letter cannot be {kind!r}")


def _points_needed(d: str, letters: Letters) -> int:
    """How many other points a functional needs to be what it should on numbers, letters, or their squares."""
    n = max(a.size for a in letters.values()) + 1
    return {"linear": n + 2, "affine": n + 2, "quadratic": n * (n + 1) // 2 + 2}.get(d, 0)


def _one_by_one(above: ast.expr, below: ast.expr) -> bool:
    """Is only a d of single terms, without a sum in it, worked out in this step?"""
    gone = _gone(above, below)
    sums = (isinstance(part, ast.BinOp) and isinstance(part.op, SUM) for d in gone for part in ast.walk(d))
    return bool(gone) and not any(sums)


def _gone(above: ast.expr, below: ast.expr) -> list[ast.Call]:
    """Each d of a line that the next one does not hold."""
    kept = {ast.dump(node) for node in ast.walk(below) if is_derivative(node)}
    every = (node for node in ast.walk(above) if isinstance(node, ast.Call) and is_derivative(node))
    return [node for node in every if ast.dump(node) not in kept]


def _free(f: str, rng: np.random.Generator) -> Callable[[Value], Value]:
    """Another function in the place of f: as smooth, with values between the same bounds, and with other slopes."""
    a, b, c, e = rng.uniform(0.4, 1.2, 4)

    def wave(z: Value) -> Value:
        return a * z + b * np.sin(c * z + e)

    if f == "s":
        return lambda z: 1 / (1 + np.exp(-wave(z)))
    return (lambda z: a + np.exp(0.5 * np.sin(wave(z)) + 0.1 * z)) if f in ("exp", "sqrt") else wave


def _crooked_sum(a: Value, b: Value) -> Value:
    """A sum into which a number can be multiplied, as into any; no product @ of it nor of two sums can be opened."""
    total = np.sign(a) * np.abs(a) ** 1.5 + np.sign(b) * np.abs(b) ** 1.5
    return np.sign(total) * np.abs(total) ** (1 / 1.5)


@dataclass(frozen=True)
class Free:
    """What d can mean: the derivative, or what shares only some of its rules."""

    others: list[Letters]
    seed: int

    true = staticmethod(derivative)

    def linear(self, f: Callable[[Value], Value], letter: str, x: Value) -> Value:
        """Any linear functional of f, a sum of its values at other points: the sum rule, and no other."""
        return self._functional(self._random(letter, x, len(self.others)), f, letter, x)

    def affine(self, f: Callable[[Value], Value], letter: str, x: Value) -> Value:
        """A linear functional that is the derivative where f is linear, and only there."""
        return self._exact(lambda z: np.append(z, 1.0), f, letter, x)

    def quadratic(self, f: Callable[[Value], Value], letter: str, x: Value) -> Value:
        """A linear functional that is the derivative where f is of second degree, and only there."""
        pairs = np.triu_indices(x.size)
        return self._exact(lambda z: np.concatenate([np.outer(z, z)[pairs], z, [1.0]]), f, letter, x)

    def _exact(self, basis: Callable[[Value], Value], f: Callable[[Value], Value], letter: str, x: Value) -> Value:
        """A random functional that differentiates the functions of a basis as it should."""
        points = np.array([basis(other[letter].ravel()) for other in self.others]).T
        steps = 1e-30j * np.eye(x.size)
        wanted = np.array([basis(x.ravel() + step).imag / 1e-30 for step in steps]).T
        C = self._random(letter, x, len(self.others)).T
        return self._functional((C + np.linalg.pinv(points) @ (wanted - points @ C)).T, f, letter, x)

    def scaled(self, f: Callable[[Value], Value], letter: str, x: Value) -> Value:
        """Derivatives along other directions than those of the letter: sum and product rule, and no d(w, w)."""
        M = self._random(letter, x, x.size)
        return along_entries(f, x, [(M @ step).reshape(x.shape) for step in np.eye(x.size)])

    def _random(self, letter: str, x: Value, points: int) -> Value:
        rng = np.random.default_rng([self.seed, zlib.crc32(letter.encode())])
        return rng.uniform(0.3, 1.5, (x.size, points))

    def _functional(self, C: Value, f: Callable[[Value], Value], letter: str, x: Value) -> Value:
        return together(np.stack([f(other[letter]) for other in self.others], axis=-1) @ C.T, x)


def _same(a: Value, b: Value) -> bool:
    """Equal up to rounding, a column and a vector being the same."""
    a, b = np.squeeze(a), np.squeeze(b)
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= 1e-9 * (1 + np.abs(a).max(initial=0.0))))

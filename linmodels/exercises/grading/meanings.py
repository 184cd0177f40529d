"""What the lines of a derivation are compared in: random points, and meanings in which only one rule is true."""

import ast
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .language import TRUE, Meaning, Value, along_entries, derivative, names, together, value

SIZES = {"N": 4, "d": 3, "K": 2}
DRAWS = 6  # points at which two lines are compared
Letters = dict[str, Value]
Meanings = Callable[[], Iterator[Meaning]]  # a meaning for each point
BRACKETS = "the opening of brackets"
BOUND = ("0 or 1", "±1", "symmetric")  # kinds of letters of which more is known than their shape


@dataclass(frozen=True)
class Points:
    """Random points for the letters of a derivation, and what its lines can mean there."""

    letters: Mapping[str, str]
    bound: Callable[[Letters], Letters]
    bound_as: str
    used: Collection[str]  # the functions that the derivation needs
    seed: int
    columns: bool  # are vectors columns (d, 1)?

    def truth(self) -> Meanings:
        return self._meanings("true", TRUE, bound=True)

    def single_rules(self) -> Iterator[tuple[str, Meanings]]:
        """Each rule, and the meanings in which it is true and the others are not."""
        yield "algebra and the sum rule", self._meanings("linear")
        if self._bound_rule:
            yield self._bound_rule, self._meanings("linear", bound=True, plus=_crooked_sum)
        yield "what the functions are", self._meanings("linear", TRUE)
        yield "the derivative of what is linear", self._meanings("affine")
        yield "the product rule", self._meanings("scaled")
        yield from ((f"the derivative of {f}", self._meanings("true", {f})) for f in self.used)

    def all_but_one(self) -> Iterator[tuple[str, Meanings]]:
        """Each rule, and the meanings in which all the others are true: what fails there needs the rule."""
        functions = [(f"the derivative of {f}", self._meanings("true", {*TRUE} - {f}, bound=True)) for f in self.used]
        yield from functions
        if not functions:  # where there are, product rule and brackets are the small change of the step
            yield "the product rule", self._meanings("affine", TRUE, bound=True)
            yield "the derivative of what is linear", self._meanings("scaled", TRUE, bound=True)
        if self._bound_rule:
            yield self._bound_rule, self._meanings("true", TRUE)
        if self._bound_rule and not functions:
            yield BRACKETS, self._meanings("true", TRUE, bound=True, plus=_crooked_sum)

    def agree(self, above: ast.expr, below: ast.expr, meanings: Meanings) -> bool:
        """Are two lines equal wherever the first has a value, which it must have at half of the points?"""
        pairs = [(value(above, meaning), value(below, meaning)) for meaning in meanings()]
        told = [pair for pair in pairs if np.isfinite(pair[0]).all()]
        return 2 * len(told) >= len(pairs) and all(_same(*pair) for pair in told)

    def difference(self, above: ast.expr, below: ast.expr) -> tuple[str, ...]:
        """A point where two lines differ, and what they are there."""
        pairs = [(meaning.letters, value(above, meaning), value(below, meaning)) for meaning in self.truth()()]
        letters, *pair = next((triple for triple in pairs if not _same(*triple[1:])), pairs[0])
        a, b = map(np.squeeze, pair)
        if a.shape != b.shape:
            sizes = ", ".join(f"{letter} = {n}" for letter, n in SIZES.items())
            return f"with {sizes}", *(f"of shape {x.shape}" if x.ndim else "a number" for x in (a, b))
        seen = {letter for letter in letters if letter in names(above) | names(below)}
        numbers = [
            f"{letter} = {letters[letter].item():.3g}"
            for letter in letters
            if letter in seen and letters[letter].size == 1
        ]
        where = ", ".join(numbers) + (" and random arrays" if numbers and len(numbers) < len(seen) else "")
        at = tuple(int(i) for i in np.argwhere(~np.isclose(a, b, rtol=1e-7))[0]) if a.ndim else ()
        entry = f", in entry [{', '.join(map(str, at))}]," if at else ""
        return f"at {where or 'random arrays'}{entry}", f"{a[at]:.4g}", f"{b[at]:.4g}"

    @property
    def _bound_rule(self) -> str:
        """What is known of the letters, in words."""
        of_letters = [
            f"{letter} is {' '.join(word for word in kind.split() if word not in SIZES)}"
            for letter, kind in self.letters.items()
            if kind.startswith(BOUND)
        ]
        told = [*of_letters, self.bound_as] if self.bound_as else of_letters
        return "that " + " and ".join(told) if told else ""

    def _meanings(
        self, d: str, true: Collection[str] = (), *, bound: bool = False, plus: Callable[..., Any] = np.add
    ) -> Meanings:
        """d: which rules of differentiation hold; true: which functions are themselves; bound: so are the letters."""

        def made() -> Iterator[Meaning]:
            rng = np.random.default_rng(self.seed)
            for _ in range(DRAWS):
                letters, functions = self._draw(rng, bound), {f: TRUE[f] if f in true else _free(f, rng) for f in TRUE}
                enough = max(a.size for a in letters.values()) + 3
                free = Free([self._draw(rng, bound) for _ in range(enough)], int(rng.integers(2**32)))
                yield Meaning(letters, functions, getattr(free, d), plus)

        return made

    def _draw(self, rng: np.random.Generator, bound: bool) -> Letters:
        """The letters at random; bound: they are what the question says, and not only of this shape."""
        drawn = {letter: _drawn(kind, rng, bound) for letter, kind in self.letters.items()}
        drawn = self.bound(drawn) if bound else drawn
        return {letter: a[:, None] if self.columns and a.ndim == 1 else a for letter, a in drawn.items()}


def _drawn(kind: str, rng: np.random.Generator, bound: bool) -> Value:
    shape = tuple(SIZES[word] for word in kind.split() if word in SIZES)
    match " ".join(word for word in kind.split() if word not in SIZES):
        case "" | "number":
            return np.asarray(rng.uniform(-2, 2, shape))
        case "positive":
            return np.asarray(rng.uniform(0.3, 2, shape))
        case "probability":
            return np.asarray(rng.uniform(0.05, 0.95, shape))
        case "0 or 1":
            return np.asarray(rng.integers(0, 2, shape) if bound else rng.uniform(0.2, 1.8, shape), float)
        case "±1":
            return np.asarray(rng.choice([-1.0, 1.0], shape) * (1 if bound else rng.uniform(0.4, 1.7, shape)))
        case "symmetric":
            A = rng.normal(size=shape) + 2 * np.eye(shape[0])
            return A + A.T if bound else A
        case "identity":
            return np.eye(shape[0])
    raise ValueError(f"a letter cannot be {kind!r}")


def _free(f: str, rng: np.random.Generator) -> Callable[[Value], Value]:
    """Another function in the place of f: as smooth, with values between the same bounds, and with other slopes."""
    a, b, c, e = rng.uniform(0.4, 1.2, 4)

    def wave(z: Value) -> Value:
        return a * z + b * np.sin(c * z + e)

    if f == "s":
        return lambda z: 1 / (1 + np.exp(-wave(z)))
    return (lambda z: a + np.exp(0.5 * np.sin(wave(z)) + 0.1 * z)) if f in ("exp", "sqrt") else wave


def _crooked_sum(a: Value, b: Value) -> Value:
    """A sum of which no bracket can be opened, unless the factor before it is -1, 0 or 1."""
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
        points = np.array([np.append(other[letter].ravel(), 1.0) for other in self.others]).T
        wanted = np.append(np.eye(x.size), np.zeros((1, x.size)), axis=0)
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
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= 1e-7 * (1 + np.abs(a).max(initial=0.0))))

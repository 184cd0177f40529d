"""The shapes of an equation, stated once above it and held to.

    @takes(w="d", X="N d", t="N bits", lam="number or d")
    def loss(w, X, t, lam=0.0): ...

A letter is a size, the same letter the same size, 2 is two; N? may be missing, then everywhere (one sample instead of
N); "or" parts what may be given instead, "..." is any shape; a word says what the entries are. NumPy alone would
stretch (N, 1) beside (N,) to (N, N) and go on with a wrong number. Whatever holds real numbers arrives as a float64
array (bytes would overflow in a product), but NaN, inf and arrays of objects (fractions, for one) as they are; classes
arrive as integers. "finite" refuses NaN and inf, "wall" also what lies beyond the wall of `checks`.

What is no array of numbers has a phrase of its own: "number > 0", "number >= 0", "number 0..1", "count", "count >= 0",
"order" (of N samples), "rng". Arguments after * are held to theirs too. A generator under it refuses at the call.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import checks

F = TypeVar("F", bound=Callable)
Sizes = dict[str, tuple[int | None, str]]  # of each letter, None where it is missing, and the argument that says so
LABELS = ("signs", "bits", "classes", "two-classes")  # where text has a remedy
PLAIN = (int, float, complex, str, bytes, np.generic, type(None))  # what an array of objects holds by mistake
ENTRIES: dict[str, Callable | None] = {
    "signs": lambda a, name: checks.signs(np.ravel(a), name),
    "bits": lambda a, name: checks.bits(np.ravel(a), name),
    "one-hot": checks.one_hot,
    "classes": checks.class_integers,
    "two-classes": checks.class_integers,
    "shares": checks.fractions,
    "bound": lambda a, name: checks.bound(a),
    "finite": checks.finite,
    "wall": checks.within_wall,
    "number": None,
}


PHRASES: dict[str, Callable[[Any, str, Any], Any]] = {  # of an argument, its name and N
    "number > 0": lambda a, name, N: checks.positive(a, name),
    "number >= 0": lambda a, name, N: checks.nonnegative(a, name),
    "number 0..1": lambda a, name, N: checks.fraction(a, name),
    "count": lambda a, name, N: checks.count(a, name),
    "count >= 0": lambda a, name, N: checks.count(a, name, least=0),
    "order": lambda a, name, N: checks.visiting_order(a, N),
    "rng": lambda a, name, N: checks.generator(a),
}


class Shape(NamedTuple):
    """A letter for each dimension, none for a number; and those that must be missing elsewhere too."""

    letters: tuple[str, ...]
    missing: tuple[str, ...] = ()


class Rule(NamedTuple):
    """What an argument may be: its shapes (none: any), the letters of those where nothing is missing, the word for its
    entries; or its phrase, and whether None may be given."""

    name: str
    shapes: tuple[Shape, ...]
    usual: dict[int, tuple[str, ...]] | None
    word: str
    phrase: str = ""
    optional: bool = False

    @property
    def entries(self) -> Callable | None:
        """What looks at its entries."""
        return ENTRIES.get(self.word)


def takes(**shapes: str) -> Callable[[F], F]:
    """Holds the arguments of a function to these shapes: ValueError or TypeError says what was found instead."""

    def decorate(f: F) -> F:
        code = f.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if strange := shapes.keys() - set(names):
            raise TypeError(f"{f.__name__} has no arguments {sorted(strange)}")
        rules = {name: _rule(name, shapes.get(name, "")) for name in names}
        in_turn = tuple(rules[name] for name in names[: code.co_argcount])

        @functools.wraps(f)
        def equation(*args, **named):
            if named or not _as_usual(args, in_turn):
                sizes: Sizes = {"2": (2, "")}
                fitting = [_fitting(a, rule, sizes) for a, rule in zip(args, in_turn, strict=False)]
                in_order = sorted(named, key=lambda name: names.index(name) if name in names else 0)
                named = {name: _fitting(named[name], rules.get(name), sizes) for name in in_order}
                args = (*fitting, *args[len(fitting) :])
            return f(*args, **named)

        return equation  # type: ignore[return-value]

    return decorate


def bare(equation: F) -> F:
    """The function without the look at its arguments: for a loop behind a door that has checked them once."""
    return equation.__wrapped__  # type: ignore[attr-defined]


def _rule(name: str, text: str) -> Rule | None:
    if text in ("", "..."):
        return Rule(name, (), None, "") if text else None
    if (phrase := text.removesuffix(" or None")) in PHRASES:
        return Rule(name, (), None, "", phrase, optional=phrase != text)
    shapes, found = [], ""
    for option in text.split(" or "):
        letters = [word for word in option.split() if len(word.rstrip("?")) == 1]
        for word in option.split()[len(letters) :]:
            ENTRIES[word]
            found = word if word != "number" else found
        shapes.append(Shape(tuple(letter[0] for letter in letters)))
        if missing := tuple(letter[0] for letter in letters if letter.endswith("?")):
            shapes.append(Shape(tuple(letter for letter in letters if letter[0] not in missing), missing))
    usual = {len(shape.letters): shape.letters for shape in shapes if not shape.missing}
    return Rule(name, tuple(shapes), usual, found)


def _as_usual(args: tuple, rules: tuple[Rule | None, ...]) -> bool:
    """Whether all arguments are floats and float64 arrays that fit, nothing missing: a look that costs little."""
    sizes = {"2": 2}
    for a, rule in zip(args, rules, strict=False):
        if rule is None:
            continue
        if rule.phrase or rule.word in LABELS[2:]:
            return False
        if type(a) is not np.ndarray:
            if not isinstance(a, float) or rule.entries is not None or 0 not in (rule.usual or (0,)):
                return False
        elif a.dtype is not checks.FLOAT:
            return False
        elif rule.usual is not None:
            if a.ndim not in rule.usual or not a.size:
                return False
            for letter, n in zip(rule.usual[a.ndim], a.shape, strict=True):
                if sizes.setdefault(letter, n) != n:
                    return False
            if rule.entries is not None:
                rule.entries(a, rule.name)
    return True


def _fitting(a: Any, rule: Rule | None, sizes: Sizes) -> Any:
    """a as an array of a shape that goes with the sizes met so far, to which it adds its own."""
    if rule is None or (rule.optional and a is None):
        return a
    if rule.phrase:
        return PHRASES[rule.phrase](a, rule.name, sizes.get("N", (None, ""))[0])
    if type(a) is not np.ndarray or a.dtype != object or isinstance(a.flat[0] if a.size else None, PLAIN):
        a = checks.numeric(a, rule.name, labels=rule.word in LABELS)
    own = next((own for shape in rule.shapes if (own := _sizes(shape, a, rule.name, sizes)) is not None), None)
    if own is None and rule.shapes:
        raise ValueError(_misfit(a, rule, sizes))
    sizes.update(own or {})
    if rule.word in LABELS[2:]:
        return checks.class_integers(checks.filled(a, rule.name), rule.name, most=2 if rule.word == LABELS[3] else None)
    if a.ndim and rule.shapes:
        checks.filled(a, rule.name)
    if rule.entries is not None:
        rule.entries(a, rule.name)
    return a if a.ndim else a[()]


def _sizes(shape: Shape, a: np.ndarray, name: str, sizes: Sizes) -> Sizes | None:
    """What each letter is, None for missing, and the argument that says so; None where a does not have this shape."""
    if len(shape.letters) != a.ndim:
        return None
    own: Sizes = {}
    for letter, n in (*zip(shape.letters, a.shape, strict=True), *((letter, None) for letter in shape.missing)):
        known = sizes.get(letter) or own.setdefault(letter, (n, name))
        if known[0] != n:
            return None
    return own


def _misfit(a: np.ndarray, rule: Rule, sizes: Sizes) -> str:
    """In words: `y must be of shape (N,), N = 6 as in X; found shape (6, 1); y.ravel() converts`."""
    name, dimensions = rule.name, {len(shape.letters) for shape in rule.shapes}
    expected = " or ".join(_written(shape.letters) for shape in rule.shapes)
    for letter in sorted({letter for shape in rule.shapes for letter in shape.letters} & set(sizes) - {"2"}):
        n, other = sizes[letter]
        expected += f", without {letter} as {other}" if n is None else f", {letter} = {n} as in {other}"
    mend = ""
    if a.ndim == 2 and 1 in a.shape and 1 in dimensions:
        mend = f"; {name}.ravel() converts"
    elif a.size == 1 and a.ndim and 0 in dimensions:
        mend = f"; {name}.item() is the number in it"
    elif a.ndim == 1 and 2 in dimensions:
        mend = f"; {name}[None, :] makes one row of it, {name}[:, None] one column"
    return f"{name} must be {expected}; found shape {a.shape}{mend}"


def _written(letters: tuple[str, ...]) -> str:
    return f"of shape ({', '.join(letters)}{',' * (len(letters) == 1)})" if letters else "a number"

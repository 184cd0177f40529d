"""The shapes of an equation, stated once above it and checked at each call.

    @takes(w="d", X="N d", t="N bits", lam="number or d")
    def loss(w, X, t, lam=0.0): ...

A letter is a size: the same letter is the same size, and 2 is two. N? may be missing, then everywhere (one sample
instead of N). "or" parts what may be given instead. "..." is any shape. Words say what the entries are (`ENTRIES`).
NumPy alone would stretch (N, 1) beside (N,) to (N, N) and go on with a wrong number.

Whatever holds real numbers arrives as a float64 array (bytes would overflow in a product). NaN, inf and arrays of
objects (fractions, for one) arrive as they are. Classes arrive as integers. "finite" refuses NaN and inf, "wall" also
what lies beyond the wall of `checks`.

What is no array of numbers has a phrase of its own (`PHRASES`): "step", "penalty", "count", "order", "rng" ... "or
None" admits None. Arguments after * are held to theirs too. A generator under `takes` refuses at the call.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import checks

F = TypeVar("F", bound=Callable)
Sizes = dict[str, tuple[int | None, str]]  # of each letter, None where it is missing, and the argument that says so
LABEL_WORDS = ("signs", "both-signs", "bits", "both-bits", "classes", "two-classes")  # where text has a remedy
INTEGER_WORDS = ("classes", "two-classes", "index")  # what arrives as integers
FLOAT_WORDS = (  # whose arrays of objects arrive as float64 too
    "finite", "wall", "squared-wall", "weights", "gram", "one-hot", *LABEL_WORDS
)  # fmt: skip
PLAIN_TYPES = (int, float, complex, str, bytes, np.generic, type(None))  # what an array of objects holds by mistake
ENTRIES: dict[str, Callable] = {  # of an array and the argument's name
    "signs": lambda a, name: checks.signs(np.ravel(a), name),
    "both-signs": checks.margin_labels,
    "bits": lambda a, name: checks.bits(np.ravel(a), name),
    "both-bits": checks.both_bits,
    "one-hot": checks.one_hot,
    "classes": checks.class_integers,
    "two-classes": lambda a, name: checks.class_integers(a, name, most=2),
    "index": checks.index,
    "shares": checks.fractions,
    "positive": checks.above_zero,
    "bound": lambda a, name: checks.bound(a),
    "finite": checks.finite,
    "wall": checks.within_wall,
    "weights": lambda a, name: checks.within_wall(a, name, checks.SQUARED),
    "nonzero": checks.nonzero,
    "gram": checks.gram,
    "semidefinite": checks.semidefinite,
    "squared-wall": lambda a, name: checks.within_wall(a, name, checks.SQUARED),
}
PHRASES: dict[str, Callable[[Any, str, dict[str, Any]], Any]] = {  # of an argument, its name and the sizes
    "number > 0": lambda a, name, sizes: checks.positive(a, name),
    "number >= 0": lambda a, name, sizes: checks.nonnegative(a, name),
    "number 0..1": lambda a, name, sizes: checks.fraction(a, name),
    "share > 0": lambda a, name, sizes: checks.positive(checks.fraction(a, name), name),
    "width": lambda a, name, sizes: checks.width(a, name),
    "step": lambda a, name, sizes: checks.step(a, name),
    "step or function": lambda a, name, sizes: a if callable(a) else checks.step(a, name),
    "bound": lambda a, name, sizes: checks.bound(a),
    "penalty": lambda a, name, sizes: checks.penalty(a, sizes["d"], name),
    "one penalty": lambda a, name, sizes: checks.one_penalty(a, name),
    "penalties": lambda a, name, sizes: checks.penalties(a),
    "count": lambda a, name, sizes: checks.count(a, name),
    "count >= 0": lambda a, name, sizes: checks.count(a, name, least=0),
    "count >= 2": lambda a, name, sizes: checks.count(a, name, least=2),
    "order": lambda a, name, sizes: checks.visiting_order(a, sizes["N"]),
    "hyperplane": lambda a, name, sizes: checks.hyperplane(a, sizes["d"]),
    "rng": lambda a, name, sizes: checks.generator(a),
}


class Shape(NamedTuple):
    """A letter for each dimension, none for a number; and those that must be missing elsewhere too."""

    letters: tuple[str, ...]
    missing: tuple[str, ...] = ()


class Rule(NamedTuple):
    """What an argument may be: its shapes (none: any), the words for its entries, or its phrase; and whether None.

    expected: the letters for each number of dimensions, where nothing is missing.
    """

    name: str
    shapes: tuple[Shape, ...]
    expected: dict[int, tuple[str, ...]] | None = None
    words: tuple[str, ...] = ()
    phrase: str = ""
    optional: bool = False


def takes(together: Callable | None = None, **shapes: str) -> Callable[[F], F]:
    """Holds the arguments of a function to these shapes: ValueError or TypeError says what was found instead.

    together: a check of several arguments, called with those that it names, after each has its shape.
    """

    def decorate(f: F) -> F:
        code = f.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        asked = tuple(inspect.signature(together).parameters) if together else ()
        if strange := (shapes.keys() | set(asked)) - set(names):
            raise TypeError(f"{f.__name__} has no arguments {sorted(strange)}")
        rules = {name: _rule(name, shapes.get(name, "")) for name in names}
        positional = tuple(rules[name] for name in names[: code.co_argcount])

        @functools.wraps(f)
        def equation(*args, **named):
            sizes: Sizes = {"2": (2, "")}
            coerced = [_coerced(a, rule, sizes) for a, rule in zip(args, positional, strict=False)]
            if named:
                ordered = sorted(named, key=lambda name: names.index(name) if name in names else 0)
                named = {name: _coerced(named[name], rules.get(name), sizes) for name in ordered}
            args = (*coerced, *args[len(coerced) :])
            if together is not None and len(args) <= code.co_argcount:
                given = dict(zip(names, args, strict=False)) | named
                together(**{name: given[name] for name in asked if name in given})
            return f(*args, **named)

        return equation  # type: ignore[return-value]

    return decorate


def unchecked(equation: F) -> F:
    """The function without the checks of its arguments, for a loop whose caller has checked them once."""
    return equation.__wrapped__  # type: ignore[attr-defined]


def _rule(name: str, text: str) -> Rule | None:
    if not text:
        return None
    optional, text = text.endswith(" or None"), text.removesuffix(" or None")
    if text in PHRASES:
        return Rule(name, (), phrase=text, optional=optional)
    shapes: list[Shape] = []
    words = dict.fromkeys(text.split()[1:] if text.startswith("...") else "")
    for option in () if text.startswith("...") else text.split(" or "):
        letters = [word for word in option.split() if len(word.rstrip("?")) == 1]
        words |= dict.fromkeys(word for word in option.split()[len(letters) :] if word != "number")
        shapes.append(Shape(tuple(letter[0] for letter in letters)))
        if missing := tuple(letter[0] for letter in letters if letter.endswith("?")):
            shapes.append(Shape(tuple(letter for letter in letters if letter[0] not in missing), missing))
    if unknown := words.keys() - ENTRIES.keys():
        raise KeyError(f"{name}: {text} has the unknown words {sorted(unknown)}")
    expected = {len(shape.letters): shape.letters for shape in shapes if not shape.missing} or None
    return Rule(name, tuple(shapes), expected, tuple(words), optional=optional)


def _fits_as_is(a: Any, rule: Rule, sizes: Sizes) -> bool:
    """Whether a is a float, or a float64 array that fits and stays as it is; this fast path costs little."""
    if type(a) is not np.ndarray:
        return type(a) is float and not rule.words and not rule.phrase and 0 in (rule.expected or (0,))
    if a.dtype is not checks.FLOAT or rule.phrase or not a.size or (rule.words and rule.words[0] in INTEGER_WORDS):
        return False
    if rule.expected is not None:
        letters = rule.expected.get(a.ndim)
        if letters is None:
            return False
        new: Sizes = {}
        for letter, n in zip(letters, a.shape, strict=True):
            if (sizes.get(letter) or new.setdefault(letter, (n, rule.name)))[0] != n:
                return False
        sizes.update(new)
    for word in rule.words:
        ENTRIES[word](a, rule.name)
    return True


def _coerced(a: Any, rule: Rule | None, sizes: Sizes) -> Any:
    """a as an array whose shape agrees with the sizes so far; its own sizes are added to them."""
    if rule is None or (rule.optional and a is None) or _fits_as_is(a, rule, sizes):
        return a
    if rule.phrase:
        return PHRASES[rule.phrase](a, rule.name, {letter: n for letter, (n, _) in sizes.items()})
    labels = any(word in LABEL_WORDS for word in rule.words)
    objects = type(a) is np.ndarray and a.dtype == object and not any(word in FLOAT_WORDS for word in rule.words)
    if not objects or isinstance(a.flat[0] if a.size else None, PLAIN_TYPES):
        try:
            a = checks.numeric(a, rule.name, labels=labels)
        except TypeError as error:
            hint = "; design.one_hot(t) makes them of class numbers 0..K-1" if "one-hot" in rule.words else ""
            raise TypeError(f"{error}{hint}") from None
    new = next((new for shape in rule.shapes if (new := _sizes(shape, a, rule.name, sizes)) is not None), None)
    if new is None and rule.shapes:
        raise ValueError(_mismatch_message(a, rule, sizes))
    sizes.update(new or {})
    if a.ndim and (rule.shapes or rule.words) and not ("one-hot" in rule.words and len(a)):
        checks.non_empty(a, rule.name)
    for word in rule.words:
        checked = ENTRIES[word](a, rule.name)
        a = checked if word in INTEGER_WORDS else a
    return a if np.ndim(a) else a[()]


def _sizes(shape: Shape, a: np.ndarray, name: str, sizes: Sizes) -> Sizes | None:
    """What each letter is, None for missing, and the argument that says so; None where a does not have this shape."""
    if len(shape.letters) != a.ndim:
        return None
    new: Sizes = {}
    for letter, n in (*zip(shape.letters, a.shape, strict=True), *((letter, None) for letter in shape.missing)):
        known = sizes.get(letter) or new.setdefault(letter, (n, name))
        if known[0] != n:
            return None
    return new


def _mismatch_message(a: np.ndarray, rule: Rule, sizes: Sizes) -> str:
    """In words: `y must be of shape (N,), N = 6 as in X; found shape (6, 1); y.ravel() converts`."""
    name, dimensions = rule.name, {len(shape.letters) for shape in rule.shapes}
    expected = " or ".join(_shape_text(shape.letters) for shape in rule.shapes)
    for letter in sorted({letter for shape in rule.shapes for letter in shape.letters} & set(sizes) - {"2"}):
        n, other = sizes[letter]
        expected += f", without {letter} as {other}" if n is None else f", {letter} = {n} as in {other}"
    hint = ""
    if "gram" in rule.words:
        hint = "; from samples X it is X @ X.T"
    elif "one-hot" in rule.words and a.ndim != 2:
        hint = f"; design.one_hot({name}) makes such rows of class numbers 0..K-1"
    elif a.ndim == 2 and 1 in a.shape and 1 in dimensions:
        hint = f"; {name}.ravel() converts"
    elif a.size == 1 and a.ndim and 0 in dimensions:
        hint = f"; {name}.item() is the number in it"
    elif a.ndim == 2 and any(shape.letters == ("M", "d") for shape in rule.shapes):
        hint = "; compare samples of one kind"
    elif any(len(shape.letters) == a.ndim and shape.letters[:1] == ("N",) for shape in rule.shapes) and "N" in sizes:
        hint = "; give one per sample"
    elif a.ndim == 1 and 2 in dimensions:
        hint = f"; {name}[None, :] makes one row of it, {name}[:, None] one column"
    return f"{name} must be {expected}; found shape {a.shape}{hint}"


def _shape_text(letters: tuple[str, ...]) -> str:
    return f"of shape ({', '.join(letters)}{',' * (len(letters) == 1)})" if letters else "a number"

"""The shapes of an equation, stated once above it and checked at each call.

    @takes(w="d", X="N d", t="N bits", lam="number or d")
    def loss(w, X, t, lam=0.0): ...

A letter is a size: the same letter is the same size, and 2 is two. N? may be missing, then everywhere (one sample
instead of N). "or" parts what may be given instead. "..." is any shape. A word says what the entries are (`ENTRIES`).
NumPy alone would stretch (N, 1) beside (N,) to (N, N) and go on with a wrong number. Here an error
names the shape that was found.

What comes in is finite and arrives as float64 (bytes would overflow in a product), classes as integers. What goes out
is finite, too, or the function says that it overflows.

What is no array of numbers has a word of its own (`PHRASES`): "penalty", "count", "order", "rng" ... "or None" admits
None. Arguments after * are held to theirs too. A generator under `takes` refuses at the call. `help` shows all this.

What a function under `takes` hands on to another one is not looked at for NaN again, nor for its shape where it would
arrive unchanged: so a loop costs what its steps cost. Of one that calls the reader's functions all of it is.
"""

import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import checks

F = TypeVar("F", bound=Callable)
within = ContextVar("within", default=False)  # whether a function under `takes` is what calls
Sizes = dict[str, tuple[int | None, str]]  # of each letter, None where it is missing, and the argument that says so
INTEGER_WORDS = ("binary", "classes")  # what arrives as integers
ENTRIES: dict[str, Callable] = {  # of an array and the argument's name
    "any": lambda a, name: a,  # not looked at
    "signs": checks.signs,
    "sides": checks.sides,
    "bits": checks.bits,
    "binary": checks.binary,
    "classes": checks.classes,
    "onehot": checks.one_hot,
    "positive": checks.positive,
    "nonnegative": checks.nonnegative,
    "share": checks.shares,
    "gram": checks.gram,
    "semidefinite": checks.semidefinite,
}
PHRASES: dict[str, Callable[[Any, str, dict[str, Any]], Any]] = {  # of an argument, its name and the sizes
    "schedule": lambda a, name, sizes: checks.schedule(a, name),
    "bound": lambda a, name, sizes: checks.bound(a, name),
    "penalty": lambda a, name, sizes: checks.penalty(a, sizes["d"], name),
    "count": lambda a, name, sizes: checks.count(a, name),
    "whole": lambda a, name, sizes: checks.count(a, name, least=0),
    "order": lambda a, name, sizes: checks.visiting_order(a, sizes["N"], name),
    "hyperplane": lambda a, name, sizes: checks.hyperplane(a, sizes["d"], name),
    "rng": lambda a, name, sizes: checks.generator(a, name),
}


class Shape(NamedTuple):
    """A letter for each dimension, none for a number; and those that must be missing elsewhere too."""

    letters: tuple[str, ...]
    missing: tuple[str, ...] = ()


NUMBER = Shape(())
AMONG = {"positive": " > 0", "nonnegative": " >= 0", "share": " from 0 to 1"}  # what a number may be


class Rule(NamedTuple):
    """What an argument may be: its shapes (none: any), the words for its entries, or its phrase; and whether None."""

    name: str
    shapes: tuple[Shape, ...] = ()
    words: tuple[str, ...] = ()
    phrase: str = ""
    optional: bool = False

    @property
    def arrives_as_given(self) -> bool:
        """Whether an array that suits arrives unchanged."""
        return not self.phrase and not set(self.words) & set(INTEGER_WORDS)


def takes(together: Callable | None = None, infinite: bool = False, **shapes: str) -> Callable[[F], F]:
    """Holds the arguments of a function to these shapes: ValueError or TypeError says what was found instead.

    together: a check of several arguments, called with those that it names, after each has its shape.
    infinite: whether ±inf may be a result.
    """

    def decorate(f: F) -> F:
        signature = inspect.signature(f)
        parameters = signature.parameters.values()
        positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
        required = {p.name for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD}
        asked = tuple(inspect.signature(together).parameters) if together else ()
        if strange := shapes.keys() - set(signature.parameters):
            raise TypeError(f"{f.__name__} has no arguments {sorted(strange)}")
        named = [name for name in signature.parameters if name in shapes]
        rules = tuple(_rule(name, shapes[name], defaults.get(name, 0) is None) for name in named)
        looked_at = not any("any" in rule.words for rule in rules)
        as_given = all(rule.arrives_as_given for rule in rules)
        indices = [rule.name for rule in rules if rule.phrase == "whole"]

        @functools.wraps(f)
        def equation(*args, **named):
            if as_given and within.get():
                return f(*args, **named)
            given = dict(zip(positional, args, strict=False)) | named
            if len(given) < len(args) + len(named) or not required <= given.keys():
                return f(*args, **named)  # Python says what is wrong with such a call
            known = defaults | given
            sizes: Sizes = {"2": (2, "")}
            try:
                for rule in rules:
                    known[rule.name] = _coerced(known[rule.name], rule, sizes)
                if together is not None:
                    with np.errstate(over="ignore", invalid="ignore"):
                        together(**{name: known[name] for name in asked if name in known})
            except (TypeError, ValueError) as refusal:
                raise refusal.with_traceback(None) from None  # the reader sees one frame of ours
            readers = any(callable(a) or hasattr(a, "__next__") for a in known.values())
            outside = within.set(within.get() or not readers)
            try:
                with np.errstate(over="ignore", invalid="ignore", divide=None if infinite else "ignore"):
                    result = f(**known)
            except IndexError as beyond:
                if not indices:
                    raise
                raise IndexError(f"{' or '.join(indices)} counts from 0: {beyond}") from None
            finally:
                within.reset(outside)
            if looked_at and not checks.in_range(result, infinite):
                raise checks.Overflow(_no_result(known))
            return result

        shown = [p.replace(annotation=shapes.get(p.name, p.annotation)) for p in parameters]
        equation.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
        return equation  # type: ignore[return-value]

    return decorate


def unchecked(equation: F) -> F:
    """The function without the checks of its arguments, for a loop whose caller has checked them once."""
    return equation.__wrapped__  # type: ignore[attr-defined]


def _rule(name: str, text: str, optional: bool) -> Rule:
    optional, text = optional or text.endswith(" or None"), text.removesuffix(" or None")
    if text in PHRASES:
        return Rule(name, phrase=text, optional=optional)
    shapes: list[Shape] = []
    words: dict[str, None] = {}
    for option in text.split(" or "):
        letters = [word for word in option.split() if len(word.rstrip("?")) == 1]
        words |= dict.fromkeys(word for word in option.split()[len(letters) :] if word not in ("number", "..."))
        shapes.append(Shape(tuple(letter[0] for letter in letters)))
        if missing := tuple(letter[0] for letter in letters if letter.endswith("?")):
            shapes.append(Shape(tuple(letter[0] for letter in letters if not letter.endswith("?")), missing))
    if unknown := words.keys() - ENTRIES.keys():
        raise KeyError(f"{name}: {text} has the unknown words {sorted(unknown)}")
    return Rule(name, () if text.startswith("...") else tuple(shapes), tuple(words), optional=optional)


def _coerced(a: Any, rule: Rule, sizes: Sizes) -> Any:
    """a as an array whose shape agrees with the sizes so far; its own sizes are added to them."""
    if rule.optional and a is None:
        return a
    if rule.phrase:
        return PHRASES[rule.phrase](a, rule.name, {letter: n for letter, (n, _) in sizes.items()})
    if rule.shapes == (NUMBER,) and not (isinstance(a, np.ndarray) and a.ndim):
        a = np.asarray(
            checks.number(a, rule.name, f"a finite number{AMONG.get(rule.words[0], '') if rule.words else ''}")
        )
    a = checks.numeric(a, rule.name, rule.words)
    new = next((new for shape in rule.shapes if (new := _sizes(shape, a, rule.name, sizes)) is not None), None)
    if new is None and rule.shapes:
        raise ValueError(_mismatch_message(a, rule, sizes))
    sizes.update(new or {})
    if "any" not in rule.words and not within.get():
        checks.finite(checks.non_empty(a, rule.name), rule.name)
    for word in rule.words:
        checked = ENTRIES[word](a, rule.name)
        a = checked if word in INTEGER_WORDS else a
    return a if a.ndim else a.item()


def _no_result(known: dict[str, Any]) -> str:
    """Numbers of ordinary size do not overflow: then something was divided by an argument that is 0."""
    arrays = {name: a for name, a in known.items() if isinstance(a, np.ndarray) and a.ndim}
    zero = [name for name, a in arrays.items() if not a.any()]
    if zero and all(np.abs(a).max(initial=0.0) < 1e100 for a in arrays.values()):
        return f"there is no finite result here: {' and '.join(zero)} is 0, or something overflows"
    return f"the result overflows: rescale {_largest(known)}"


def _largest(known: dict[str, Any]) -> str:
    """The argument with the largest number."""
    sizes = {name: np.abs(a).max() for name, a in known.items() if isinstance(a, float | np.ndarray) and np.size(a)}
    return max(sizes, key=lambda name: sizes[name], default="the data")


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
    """In words: `y must be of shape (N,), N = 6 as in X; found shape (6, 1); np.ravel(y) converts`, a list, too."""
    name, dimensions = rule.name, {len(shape.letters) for shape in rule.shapes}
    fixed = {letter for letter, (n, _) in sizes.items() if n is not None}  # may not be missing any more
    possible = [shape for shape in rule.shapes if not fixed & set(shape.missing)]
    expected = " or ".join(_shape_text(shape.letters) for shape in possible)
    for letter in sorted({letter for shape in rule.shapes for letter in shape.letters} & set(sizes) - {"2"}):
        n, other = sizes[letter]
        expected += f", without {letter} as {other}" if n is None else f", {letter} = {n} as in {other}"
    hint = ""
    if "gram" in rule.words:
        hint = "; from samples X it is X @ X.T, or with a kernel kernels.gram(kernels.gaussian, X)"
    elif "onehot" in rule.words and a.ndim != 2:
        hint = f"; design.one_hot({name}) makes such rows of class numbers 0..K-1"
    elif a.ndim == 2 and 1 in a.shape and any(_sizes(s, a.ravel(), name, sizes) is not None for s in rule.shapes):
        hint = f"; np.ravel({name}) converts"
    elif a.size == 1 and a.ndim and 0 in dimensions:
        hint = f"; np.ravel({name})[0] is the number in it"
    elif a.ndim == 2 and set(rule.words) & set(INTEGER_WORDS):
        hint = f"; np.argmax({name}, axis=1) numbers the classes of one-hot rows"
    elif a.ndim == 2 and sizes.get("d") in ((a.shape[1] + 1, "w"), (a.shape[1] + 1, "W")) and name == "X":
        hint = "; design.augment(X) appends the column of ones, if the last weight is the bias"
    elif a.ndim == 2 and any(shape.letters == ("M", "d") for shape in rule.shapes):
        hint = "; compare samples of one kind"
    elif a.ndim == 2 and ("M", "N") in {shape.letters for shape in rule.shapes} and len(a) == sizes["N"][0]:
        hint = "; a row for each new sample: kernel(Z, X), Z the new ones"
    elif any(len(shape.letters) == a.ndim and shape.letters[:1] == ("N",) for shape in rule.shapes) and "N" in sizes:
        hint = "; give one per sample"
    elif a.ndim == 1 and 2 in dimensions and 1 not in dimensions:
        hint = f"; np.atleast_2d({name}) makes one row of it, np.c_[{name}] one column"
    return f"{name} must be {expected}; found shape {a.shape}{hint}"


def _shape_text(letters: tuple[str, ...]) -> str:
    return f"of shape ({', '.join(letters)}{',' * (len(letters) == 1)})" if letters else "a number"

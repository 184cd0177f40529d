"""Instances and answers: what a reader's function returned, as numbers, and when two of them are equal."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Number
from typing import Any, NamedTuple

import numpy as np

Answer = list[np.ndarray]  # the values of one answer, as float arrays
Function = Callable[..., Any]


class Case(NamedTuple):
    """One instance: what is special about it, the arguments of the play, sizes by which an answer may be off."""

    label: str
    args: tuple[Any, ...]
    sizes: Mapping[str, float] = {}


class Refused(Exception):
    """The reader's function returned what cannot be compared; the message is for the reader."""


@dataclass
class Call:
    inputs: tuple[Any, ...]
    expected: Answer
    raw: Any = None
    answer: Answer | None = None


def values(out: Any, count: int) -> Answer:
    """What a reader's function returned, as `count` new float arrays; an array of `count` rows is `count` values."""
    if out is None or out is ...:
        raise NotImplementedError("None" if out is None else "...")
    if count == 1:
        return [_numbers(out)]
    if not isinstance(out, tuple | list) and not (isinstance(out, np.ndarray) and out.ndim):
        raise Refused(f"it must return {count} values, not one {type(out).__name__}")
    if len(out) != count:
        raise Refused(f"it must return {count} values, not {len(out)}")
    none = [place for place, value in enumerate(out, 1) if value is None or value is ...]
    if len(none) == count and all(value is ... for value in out):
        raise NotImplementedError("...")
    if none and len(none) < count:
        still = "None" if out[none[0] - 1] is None else "still ..."
        raise Refused(f"it must return numbers, and value {none[0]} of {count} is {still}")
    return [_numbers(value) for value in out]


def _has_dots(value: Any) -> bool:
    return value is ... or (isinstance(value, list | tuple) and any(map(_has_dots, value)))


def _numbers(value: Any) -> np.ndarray:
    if _has_dots(value):
        raise Refused("it must return numbers, and a ... still stands among them")
    try:
        array = np.array(value)
    except Exception:  # whatever a foreign object's __array__ or a ragged list may raise
        raise Refused(_in_pieces(value)) from None
    if array.dtype.kind == "O" and all(isinstance(entry, Number) for entry in array.flat):
        array = _of_objects(array)  # Fraction, Decimal, large integers
    if array.dtype.kind == "c" and np.all(np.abs(array.imag) <= 1e-9 * np.abs(array).max(initial=0.0)):
        array = array.real  # as np.linalg.eig may return it
    if array.dtype.kind == "c":
        raise Refused("it must return real numbers, not complex ones")
    if array.dtype.kind not in "buif":
        raise Refused(f"it must return numbers, not {type(value).__name__} ({array.dtype})")
    return array.astype(float)


def _of_objects(array: np.ndarray) -> np.ndarray:
    try:
        return array.astype(complex if any(isinstance(entry, complex) for entry in array.flat) else float)
    except (OverflowError, ValueError, TypeError):
        raise Refused("one of the numbers is too large, or none") from None


def _in_pieces(value: Any) -> str:
    """What is wrong with a value of which NumPy makes no array."""
    if isinstance(value, tuple) and [isinstance(piece, np.ndarray) for piece in value] == [True, True, False, True]:
        return "it returned a tuple: np.linalg.lstsq gives four things, and the weights are the first, [0]"
    told = f"it must return one array of numbers; the pieces of this {type(value).__name__} do not make one"
    if isinstance(value, tuple) and len(value) == 2:
        return f"{told}: return one value, or join the two by np.append where both belong to it"
    return told


def library(f: Function, *args: Any) -> Answer:
    """The values of one of our own functions, which need no questions."""
    out = f(*args)
    return [np.asarray(value, float) for value in (out if isinstance(out, tuple) else (out,))]


def bare(a: np.ndarray) -> Any:
    """A number instead of an array without dimensions, which a reader's `b += 1` would change in place."""
    return a if a.ndim else a.item()


def plain(answer: Answer) -> Any:
    """An answer as the reader's function returns it: one value, or a tuple of them."""
    return bare(answer[0]) if len(answer) == 1 else tuple(map(bare, answer))


def unchanged(a: Any, b: Any) -> bool:
    """Is the argument a still what it was, b?"""
    return not isinstance(b, np.ndarray) or a.tobytes() == b.tobytes()


def fresh(a: Any) -> Any:
    """A copy of an argument."""
    return a.copy() if isinstance(a, np.ndarray) else copy.deepcopy(a)


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal up to rounding, b being the expected one. The shape comes first: np.allclose alone would broadcast."""
    if a.shape != b.shape:
        return False
    finite = np.isfinite(b)
    scale = np.abs(b[finite]).max(initial=0.0)
    close = finite & (np.abs(a - b) <= 1e-7 * np.abs(b) + 1e-9 * scale)
    return bool(close.all() or (close | (a == b) | (np.isnan(a) & np.isnan(b))).all())  # inf and nan: the same ones


def like(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a in the shape of b, where it has as many entries."""
    return a.reshape(b.shape) if a.size == b.size else a


def layout(answer: Answer) -> tuple[tuple[int, ...], ...]:
    """The shapes of its arrays."""
    return tuple(a.shape for a in answer)

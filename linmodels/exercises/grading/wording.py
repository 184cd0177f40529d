"""What a check says where no known mistake is the reader's: only what is certain."""

import traceback
from collections.abc import Sequence

import numpy as np

from .answers import Answer, Call, equal


def facts(found: Answer, wanted: Answer, call: Call, where: str, place: str, names: Sequence[str] = ()) -> str:
    """No known mistake: only what is certain. names: of the values, where they are not "value 1", "value 2"."""
    error = max(_distance(a, b) for a, b in zip(found, wanted, strict=True))
    if error < 1e-3:
        causes = "a tiny penalty added? float32? a numerical derivative? stopped early?"
        return f"nearly right on {where}: off by {error:.0e} of the largest entry ({causes})"
    assert call.answer is not None
    pairs = list(enumerate(zip(call.answer, call.expected, strict=True), 1))
    number, (a, b) = next((pair for pair in pairs if not equal(*pair[1])), pairs[0])
    value = names[number - 1] if names else f"value {number}" if len(pairs) > 1 else "it"
    if a.shape != b.shape:
        return f"{value} is {_kind(a.shape)}, but must be {_kind(b.shape)}"
    place += f"{value}, " if names or len(pairs) > 1 else ""
    return f"wrong on {where}; no mistake known here gives this. First: {place}{_first_entry(a, b)}"


def _distance(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference, relative to the largest entry of b; inf where they cannot be compared."""
    if a.shape != b.shape or not np.isfinite(a).all():
        return np.inf
    return float(np.abs(a - b).max(initial=0.0) / (np.abs(b).max(initial=0.0) or 1.0))


def _first_entry(a: np.ndarray, b: np.ndarray) -> str:
    wrong = np.argwhere(~(np.abs(a - b) <= 1e-7 * np.abs(b) + 1e-9 * np.abs(b).max(initial=0.0)))
    at = tuple(int(k) for k in wrong[0]) if len(wrong) else (0,) * a.ndim
    entry = f"entry [{', '.join(map(str, at))}] is " if at else ""
    return f"{entry}{a[at]:.6g} instead of {b[at]:.6g}"


def other_shape(found: list[Answer], wanted: list[Answer]) -> str:
    """The first case in which shapes differ, in a sentence."""
    pairs = [tuple(shapes([a.shape for a in answer]) for answer in pair) for pair in zip(found, wanted, strict=True)]
    is_, must_be = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
    return f"only its shape is wrong: {is_}, but it must be {must_be}"


def _kind(shape: tuple[int, ...]) -> str:
    return f"of shape {shape}" if shape else "a number"


def shapes(found: list[tuple[int, ...]]) -> str:
    """(3,) and a number, for example."""
    return " and ".join(str(shape) if shape else "a number" for shape in found)


def described(error: BaseException) -> str:
    """Kind and message of an exception, on one line."""
    return " ".join("".join(traceback.format_exception_only(error)).split())

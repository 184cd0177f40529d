"""Ways of being wrong that every exercise knows: made of the right values, or of the right function on other inputs."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np

from .answers import Answer, equal
from .wording import those_right

Change = tuple[str, Callable[[np.ndarray], np.ndarray]]


def _only(a: np.ndarray, *at: int) -> np.ndarray:
    """a with 0 everywhere but there."""
    kept = np.zeros_like(a)
    kept[at] = a[at]
    return kept


def _square(a: np.ndarray) -> np.ndarray:
    if a.ndim != 2 or len(a) != len(a.T):
        raise ValueError("not a square matrix")
    return a


MADE: tuple[Change, ...] = (  # what was made of the right values
    ("the sign is lost: those are the absolute values", np.abs),
    ("those are whole numbers, the fractions are cut off: does an array of integers hold them?", np.trunc),
    ("those are rounded to whole numbers: does an array of integers hold them?", np.round),
    ("those are the squares of the right values", np.square),
    ("those are the square roots of the right values", np.sqrt),
    ("it is upside down: 1 over the right value", lambda a: 1 / a),
    ("that is exp of the right value", np.exp),
    ("that is ln of the right value", np.log),
    ("that is 1 minus the right value: are two classes, or 0 and 1, swapped?", lambda a: 1 - a),
    ("each value is 1 too large", lambda a: a + 1),
    ("each value is 1 too small", lambda a: a - 1),
    ("those are only the signs of the right values", np.sign),
    ("the entries are in reverse order", lambda a: a[..., ::-1]),
    ("the rows are in reverse order", lambda a: a[::-1]),
    ("the last entry stands first", lambda a: np.roll(a, 1, axis=-1)),
    ("the first entry stands last", lambda a: np.roll(a, -1, axis=-1)),
    ("that is only the diagonal, as a vector", lambda a: np.diag(_square(a))),
    ("only the diagonal is filled; the entries beside it are missing", lambda a: np.diag(np.diag(_square(a)))),
    ("the diagonal is 0; the entries beside it are right", lambda a: _square(a) - np.diag(np.diag(a))),
    ("only the upper triangle is filled", lambda a: np.triu(_square(a))),
    ("only the lower triangle is filled", lambda a: np.tril(_square(a))),
    ("only the entries above the diagonal are filled", lambda a: np.triu(_square(a), 1)),
    ("only the entries below the diagonal are filled", lambda a: np.tril(_square(a), -1)),
    ("that is only the first entry or row: does `return` stand inside the loop?", lambda a: a[0]),
    ("that is only the last entry or row: is it = where += or append is wanted?", lambda a: a[-1]),
    ("only the first entry or row is filled: does `return` stand inside the loop?", lambda a: _only(a, 0)),
    ("only the last entry or row is filled", lambda a: _only(a, -1)),
    ("the last entry or row is missing: does a loop end too early?", lambda a: a[:-1]),
    ("the first entry or row is missing: does a loop begin with 1?", lambda a: a[1:]),
    ("the last entry or row is 0, the others are right", lambda a: a - _only(a, -1)),
    ("the first entry or row is 0, the others are right", lambda a: a - _only(a, 0)),
    ("it is summed once more, to one number", np.sum),
    ("the mean was taken of values that should stay apart", np.mean),
    ("it is summed over the rows; each row is wanted", lambda a: a.sum(axis=0)),
    ("it is summed along each row; each entry is wanted", lambda a: a.sum(axis=1)),
    ("that is only the largest of the right values", np.max),
    ("that is only the smallest of the right values", np.min),
    ("that is the length of the right vector", lambda a: np.asarray(np.linalg.norm(a))),
    ("it is divided by its length", lambda a: a / np.linalg.norm(a)),
    ("it is divided by its sum", lambda a: a / a.sum()),
    ("those are running sums of the right values", lambda a: np.cumsum(a, axis=-1)),
    (
        "that is the number of the largest entry of each row",
        lambda a: np.argmax(a, axis=-1) if a.ndim else np.array(np.nan),
    ),
)


def _of_unlike(a: np.ndarray) -> np.ndarray:
    """a; one number repeated is no list of terms, and has no mean that is missing."""
    return a if a.size and np.ptp(a) else np.full_like(a, np.nan)


OPEN: tuple[Change, ...] = (  # what is still to be made of the reader's values
    ("the terms are right, their sum is missing", np.sum),
    ("the terms are right, their mean is missing", lambda a: _of_unlike(a).mean()),
    ("the terms are right, the sum over the rows (axis 0) is missing", lambda a: a.sum(axis=0)),
    ("the terms are right, the mean over the rows (axis 0) is missing", lambda a: _of_unlike(a).mean(axis=0)),
    ("the terms are right, the sum along each row (axis 1) is missing", lambda a: a.sum(axis=1)),
    ("the terms are right, the sum over the last axis is missing", lambda a: a.sum(axis=-1)),
)
RATIOS = {
    1 / np.log(2): "log2 in place of ln",
    1 / np.log(10): "log10 in place of ln",
    np.log(2): "a factor ln 2",
    np.log(10): "a factor ln 10",
    np.sqrt(2): "a factor √2",
    1 / np.sqrt(2): "a factor 1/√2",
    np.pi: "a factor π",
    1 / np.pi: "a factor 1/π",
}

Inputs = tuple[Any, ...]
Reading = tuple[str, Callable[[Inputs], Inputs]]  # what to tell, and the inputs for which the right function does it


def readings(names: Sequence[str]) -> Iterator[Reading]:
    """As if the samples were fewer, or an argument were missing, had another sign or scale, or stood for another.

    A change that makes no sense for an exercise raises an error, or changes nothing: no answer of a reader fits it.
    """
    yield "only the first sample is in it: does `return` stand inside the loop?", _samples(names, slice(0, 1))
    yield "only the last sample is in it: is it = where += is wanted?", _samples(names, slice(-1, None))
    yield "the first sample is missing: does a loop begin with 1?", _samples(names, slice(1, None))
    yield "the last sample is missing: does a loop end too early?", _samples(names, slice(0, -1))
    yield "the last feature is missing, or taken for the column of ones", _features(names, slice(0, -1))
    yield "only the first feature is in it", _features(names, slice(0, 1))
    for k, name in enumerate(names):
        for told, change in ARGUMENT:
            yield told.format(name), _one_argument(k, change)
    for (j, a), (k, b) in combinations(enumerate(names), 2):
        yield f"{a} and {b} are swapped", _swapped(j, k)


ARGUMENT: tuple[Change, ...] = (
    ("{0} has no effect: that is the result for {0} = 0", lambda a: 0 * a),
    ("{0} has no effect: that is the result for {0} = 1", lambda a: 0 * a + 1),
    ("a sign is wrong: that is the result for -{0}", lambda a: -a),
    ("that is the result for 2{0}", lambda a: 2 * a),
    ("that is the result for {0}/2", lambda a: a / 2),
    ("that is the result for {0}²", lambda a: a**2),
    ("that is the result for the root of {0}", np.sqrt),
    ("that is the result for 1/{0}", lambda a: 1 / a),
    ("{0} is cut to whole numbers", np.trunc),
    ("{0} is taken without its sign", np.abs),
)


def _one_argument(k: int, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Inputs], Inputs]:
    def changed(inputs: Inputs) -> Inputs:
        new = change(np.asarray(inputs[k], float))
        return (*inputs[:k], new if np.ndim(new) else float(new), *inputs[k + 1 :])

    return changed


def _swapped(j: int, k: int) -> Callable[[Inputs], Inputs]:
    def changed(inputs: Inputs) -> Inputs:
        if np.shape(inputs[j]) != np.shape(inputs[k]):
            raise ValueError("arguments of other shapes")
        return (*inputs[:j], inputs[k], *inputs[j + 1 : k], inputs[j], *inputs[k + 1 :])

    return changed


def _samples(names: Sequence[str], kept: slice) -> Callable[[Inputs], Inputs]:
    """The arrays that have an entry or a row per sample, as many as X or K has, with some of the samples only."""

    def changed(inputs: Inputs) -> Inputs:
        N = len(inputs[next(k for k, name in enumerate(names) if name in ("X", "K", "G", "Phi"))])
        square = [name in ("K", "G") for name in names]
        with_samples = [np.ndim(a) > 0 and len(a) == N for a in inputs]
        return tuple(
            (a[kept][:, kept] if both else a[kept]) if has else a
            for a, has, both in zip(inputs, with_samples, square, strict=True)
        )

    return changed


def _features(names: Sequence[str], kept: slice) -> Callable[[Inputs], Inputs]:
    """X with some of its columns only, and w with those entries."""

    def changed(inputs: Inputs) -> Inputs:
        cut = {"X": (slice(None), kept), "Z": (slice(None), kept), "X_new": (slice(None), kept), "w": kept, "x": kept}
        return tuple(a[cut[name]] if name in cut else a for name, a in zip(names, inputs, strict=True))

    return changed


def usual(found: Sequence[Answer], wanted: Sequence[Answer], names: Sequence[str]) -> str | None:
    """What is wrong in one of these ways with all values, with one of them, or with their order."""
    told = next(_in_one_way(found, wanted), None)
    if told or len(wanted[0]) == 1:
        return told
    for order in permutations(range(len(names))):
        if _all_equal([[answer[k] for k in order] for answer in found], wanted):
            return f"the values are right, but in another order: ({', '.join(names)}) is wanted"
    wrong = [k for k in range(len(names)) if not _all_equal([[a[k]] for a in found], [[a[k]] for a in wanted])]
    if len(wrong) == len(names):
        return None
    told = next(_in_one_way(*([[a[k] for k in wrong] for a in answers] for answers in (found, wanted))), None)
    right = those_right([name for k, name in enumerate(names) if k not in wrong])
    return told and f"{right}; {' and '.join(names[k] for k in wrong)}: {told}"


def _in_one_way(found: Sequence[Answer], wanted: Sequence[Answer]) -> Iterator[str]:
    for text, change in MADE:
        if _all_equal(found, _changed(change, wanted)):
            yield text
    for text, change in OPEN:
        if _all_equal(_changed(change, found), wanted) and found[0][0].ndim > wanted[0][0].ndim:
            yield text
    ratio = _constant(found, wanted, lambda a, b: a[np.abs(b).argmax()] / b[np.abs(b).argmax()], np.multiply)
    if ratio is not None:
        reason = next((f" ({name}?)" for known, name in RATIOS.items() if abs(abs(ratio) / known - 1) < 1e-6), "")
        times = "its sign is reversed" if abs(ratio + 1) < 1e-6 else f"it is {ratio:.6g} times what it should be"
        yield times + reason
    shift = _constant(found, wanted, lambda a, b: a[0] - b[0], np.add)
    if shift is not None:
        yield f"each value is {abs(shift):.6g} too {'large' if shift > 0 else 'small'}"
    if _all_equal(_changed(_sorted, found), _changed(_sorted, wanted)) and wanted[0][0].size > 2:
        yield "the numbers are right, but they stand in another order"
    if _longer(found, wanted) and _all_equal(_changed(_nonzero, found), _changed(_nonzero, wanted)):
        yield "without some of its zeros it is right: is an entry never filled, or the start counted?"
    elif _same_total(found, wanted):
        yield "its total is right, its shape is not: the sum ran over the wrong axis"


def _changed(change: Callable[[np.ndarray], np.ndarray], answers: Sequence[Answer]) -> list[Answer]:
    """The answers with every value changed; none where it cannot be done, or gives nan or inf."""
    try:
        made = [[np.asarray(change(a), float) for a in answer] for answer in answers]
    except (ValueError, IndexError):
        return []
    return made if all(np.isfinite(a).all() for answer in made for a in answer) else []


def _nonzero(a: np.ndarray) -> np.ndarray:
    return a[a != 0]


def _longer(found: Sequence[Answer], wanted: Sequence[Answer]) -> bool:
    """Lists where lists are wanted, but longer ones."""
    pairs = [pair for answers in zip(found, wanted, strict=True) for pair in zip(*answers, strict=True)]
    return all(x.ndim == y.ndim == 1 and len(x) > len(y) for x, y in pairs)


def _sorted(a: np.ndarray) -> np.ndarray:
    return np.sort(a, axis=None)


def _all_equal(found: Sequence[Answer], wanted: Sequence[Answer]) -> bool:
    return len(found) == len(wanted) > 0 and all(
        len(x) == len(y) and all(map(equal, x, y)) for x, y in zip(found, wanted, strict=True)
    )


def _constant(
    found: Sequence[Answer],
    wanted: Sequence[Answer],
    of: Callable[[np.ndarray, np.ndarray], float],
    apply: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> float | None:
    """The number that makes all the right values the reader's, by a factor or by a shift."""
    a, b = found[0][0].ravel(), wanted[0][0].ravel()
    if a.shape != b.shape or not len(a) or not np.isfinite(a).all():
        return None
    c = of(a, b)
    if sum(x.size for answer in wanted for x in answer) < 3 and abs(c) not in (0.5, 1, 2):
        return None  # of a single number every other one is some multiple
    made = [[apply(np.asarray(c), y) for y in answer] for answer in wanted]
    lost = apply is np.add and abs(c) > 1e3 * np.abs(b).max()  # beside such a shift the values themselves are nothing
    return float(c) if c and np.isfinite(c) and not lost and _all_equal(found, made) else None


def _same_total(found: Sequence[Answer], wanted: Sequence[Answer]) -> bool:
    shapes = [(x.shape, y.shape) for xs, ys in zip(found, wanted, strict=True) for x, y in zip(xs, ys, strict=True)]
    apart = all(x != y for x, y in shapes) and all(len(x) == len(y) == 1 for x, y in shapes)
    return apart and _all_equal(_changed(np.sum, found), _changed(np.sum, wanted))

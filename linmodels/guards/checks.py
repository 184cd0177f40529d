"""Validation of arguments: what a word of `shapes.takes` asks of them, and the messages that refuse them.

A message says the argument, what was found, what is expected, what to do. Nothing is changed in place; integers,
booleans, float32, lists and data frames (taken by position) come back as float64 arrays.
"""

import contextlib
import dataclasses
import functools
import inspect
import math
import numbers
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Array = np.ndarray
FLOAT = np.dtype(float)
TILE = 256  # rows and columns of a square matrix compared together


class Overflow(ValueError, FloatingPointError):
    """A result leaves float64: an error of the arguments at a door, a step too long in a loop."""


# --- numbers ------------------------------------------------------------------------------------------------


def numeric(a: Any, name: str, words: tuple[str, ...] = ()) -> Array:
    """a as a float64 array; text, None, complex, dates, masked entries and ragged lists are refused.

    words: of `shapes`, what the entries will be.
    """
    if type(a) is np.ndarray and a.dtype == FLOAT:
        return a
    if np.ma.isMaskedArray(a) and np.ma.getmaskarray(a).any():
        raise ValueError(f"{name} has masked entries; drop these samples or fill them first")
    try:
        a = np.asarray(a)
    except ValueError:
        if isinstance(a, tuple) and len({getattr(part, "ndim", 0) for part in a}) > 1:
            raise TypeError(f"{name} is of type {type(a).__name__}, no array: {_way_to_array(a, name)}") from None
        raise ValueError(f"{name} is ragged: its rows differ in length; every sample needs every feature") from None
    if a.dtype.kind == "O":
        _require_numbers(a, name, words)
    elif a.dtype.kind not in "biuf":
        kind = {"c": "complex numbers", "U": "text", "S": "text"}.get(a.dtype.kind, f"values of type {a.dtype}")
        hint = _text_hint(a, name, words) if kind == "text" else ""
        raise TypeError(f"{name} holds {kind}; real numbers are expected{hint}")
    try:
        with np.errstate(over="ignore"):  # a longdouble becomes inf, which finite names
            return a.astype(float, copy=False)
    except OverflowError:
        raise ValueError(
            f"{name} holds an integer beyond 1e308; numbers in the range of float64 are expected, rescale it"
        ) from None


def _require_numbers(a: Array, name: str, words: tuple[str, ...]) -> None:
    for at, value in np.ndenumerate(a):
        if not isinstance(value, (numbers.Real, np.bool_)):
            remedy = "" if at else _way_to_array(value, name)
            if remedy:
                raise TypeError(f"{name} is a {type(value).__name__}; real numbers are expected: {remedy}")
            missing = value is None or type(value).__name__ in ("NAType", "NaTType")
            hint = ": remove or replace it" if missing and at else ""
            hint = _text_hint(a, name, words) if isinstance(value, str) else hint
            raise TypeError(f"{name} holds {value!r:.40}{_position_text(at)}; real numbers are expected{hint}")


def _way_to_array(value: Any, name: str) -> str:
    """How to get an array of what is none, as a fit, a kernel, a sparse matrix; empty where we know no way."""
    if callable(value):
        return f"kernels.gram({name}, X) makes the matrix" if name in ("K", "G") else "call it first"
    ways = {name: f"give its .{name}", "toarray": "give its .toarray()"}
    parts = [f"{np.shape(part)}" for part in value] if isinstance(value, tuple) else []
    unpack = f"unpack it, and give one of its {len(parts)} parts, of shapes {', '.join(parts)}" if parts else ""
    return next((way for attribute, way in ways.items() if hasattr(value, attribute)), unpack)


def _text_hint(a: Array, name: str, words: tuple[str, ...]) -> str:
    """For numbers that were read as text, or for names."""
    if a.ndim:
        with contextlib.suppress(ValueError, TypeError, OverflowError):
            a.astype(float)
            return f"; np.asarray({name}, float) makes numbers of the text"
        is_number = np.vectorize(_reads, otypes=[bool])(a)
        odd = np.argwhere(~is_number & is_number.any(axis=0))
        if len(odd):  # in a column of numbers
            at = tuple(odd[0])
            return f"; remove or replace {a[at].item() if hasattr(a[at], 'item') else a[at]!r}{_position_text(at)}"
    return _numbering_hint(a, name, words)


def _reads(value: Any) -> bool:
    """Whether float reads it as a number."""
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        return math.isfinite(float(value))
    return False


def _numbering_hint(a: Array, name: str, words: tuple[str, ...] = ()) -> str:
    """For names of classes, or of the values of a feature."""
    if a.ndim == 0:
        return ""
    if {"signs", "sides"} & set(words):
        return f"; np.where(np.equal({name}, {a.flat[:1].tolist()[0]!r}), 1, -1) codes two classes"
    if "onehot" in words and a.ndim == 1:
        return f"; design.one_hot(np.unique({name}, return_inverse=True)[1]) makes rows of these classes"
    one, what = (f"np.asarray({name})[:, i]", "values of column i") if a.ndim == 2 else (name, "classes")
    return f"; np.unique({one}, return_inverse=True)[1] numbers the {what}"


def non_empty(a: Array, name: str) -> Array:
    """a, unless it has no entries."""
    if a.size == 0:
        expected = "one sample and one feature are" if a.ndim > 1 else "one entry is"
        raise ValueError(f"{name} is empty, shape {a.shape}; at least {expected} expected")
    return a


def finite(a: Array, name: str) -> Array:
    """a, unless it holds NaN or inf."""
    if not _is_finite(a):
        at = tuple(np.argwhere(~np.isfinite(a))[0])
        raise ValueError(f"{name} holds {a[at]}{_position_text(at)}; remove or replace it")
    return a


def _is_finite(a: Array) -> bool:
    """Whether all is finite: of sound data a sum of squares tells it in one pass, without a temporary array."""
    v = a.ravel(order="K")  # as it lies in memory: a copy only of a view with gaps
    return math.isfinite(np.vdot(v, v)) or bool(np.isfinite(a).all())


def in_range(result: Any, infinite: bool = False) -> bool:
    """Whether the numbers of a result lie in float64: none is NaN, and none infinite unless the formula may be."""
    if dataclasses.is_dataclass(result):
        result = tuple(vars(result).values())
    parts = result if isinstance(result, tuple | list) else (result,)
    found = [a for a in parts if isinstance(a, float) or (isinstance(a, np.ndarray) and a.dtype.kind == "f")]
    return not any(np.isnan(a).any() for a in found) if infinite else all(_is_finite(np.asarray(a)) for a in found)


def nonnegative(a: Array, name: str) -> Array:
    """Numbers >= 0."""
    return _each(a, name, a >= 0, "must be >= 0")


def positive(a: Array, name: str) -> Array:
    """Numbers > 0."""
    return _each(a, name, a > 0, "must be > 0")


def shares(a: Array, name: str) -> Array:
    """Numbers from 0 to 1: probabilities."""
    return _each(a, name, (a >= 0) & (a <= 1), "must be from 0 to 1", "give a share, not a percentage")


def _each(a: Array, name: str, holds: Array, must: str, hint: str = "") -> Array:
    """a, unless there is an entry for which this does not hold."""
    if not np.all(holds):
        at = tuple(np.argwhere(~holds)[0])
        raise ValueError(f"{name} {must}, found {a[at]:g}{_position_text(at)}{'; ' * bool(hint)}{hint}")
    return a


# --- labels -------------------------------------------------------------------------------------------------


def signs(y: Array, name: str = "y") -> Array:
    """-1 and +1  [A-5.1-3, B-learn-1]."""
    y = np.asarray(y)
    if not y.ndim and abs(y) != 1:
        raise ValueError(f"{name} must be -1 or +1, found {y:g}")
    if not (np.abs(y) == 1).all():
        codes = f"np.where(np.equal({name}, {y.max():g}), 1, -1) codes {y.max():g} as 1, what is not {y.max():g} as -1"
        hint = f"design.signs({name}) converts" if np.isin(y, (0, 1)).all() else codes
        raise ValueError(f"{name} must hold -1 and +1 only, found {_examples(y)}; {hint}{_beyond_two(y)}")
    return y


def sides(y: Array, name: str = "y") -> Array:
    """-1 and +1, both of them present."""
    return _both(signs(y, name), f"{name} holds only {y.flat[0]:+g}; both classes, -1 and +1, are expected")


def bits(y: Array, name: str = "y") -> Array:
    """0 and 1  [A-3.1-1, A-3.2-1, C-1-3]."""
    if not (y == (y != 0)).all():
        one = y.max()  # of -1 and 1, or 1 and 2, the larger one
        hint = f"np.equal({name}, {one:g}) codes {one:g} as 1, what is not {one:g} as 0"
        raise ValueError(f"{name} must hold 0 and 1 only, found {_examples(y)}; {hint}{_beyond_two(y)}")
    return y


def _beyond_two(y: Array) -> str:
    return "; three classes or more are for softmax regression" if len(np.unique(y)) > 2 else ""


def binary(t: Array, name: str = "t") -> Array:
    """0 and 1 as integers, both of them present."""
    _both(t, f"{name} holds only {t.flat[0]:g}; both classes, 0 and 1, are expected")
    if not np.isin(t, (0, 1)).all():
        found = np.unique(t)
        two = f"np.less({name}, {found[2]:g})" if len(found) > 2 else ""
        hint = f"; keep two classes, np.asarray(X)[{two}] and np.asarray({name})[{two}]" if two else ""
        hint += "" if (found[:2] == (0, 1)).all() else _numbering_hint(t, name)
        raise ValueError(f"{name} must hold 0 and 1 only, found {_examples(t)}{hint}")
    return t.astype(int)


def _both(y: Array, message: str) -> Array:
    if y.min() == y.max():
        raise ValueError(message)
    return y


def classes(t: Array, name: str = "t") -> Array:
    """The class numbers 0..K-1 as integers, each class present, K >= 2."""
    if t.min() == 0 and 0 < t.max() < t.size:
        k = t.astype(int)
        if (k == t).all() and np.bincount(k).all():
            return k
    _both(t, f"{name} holds only {t.min():g}; at least two classes, with the numbers 0..K-1, are expected")
    raise ValueError(
        f"{name} must hold the class numbers 0..K-1, each of them and at least two, found {_examples(t)}"
        f"{_numbering_hint(t, name)}"
    )


def known_classes(t: Array, K: int, name: str = "t") -> Array:
    """Class numbers 0..K-1 of which not all need occur: those of new samples."""
    if ((t != np.round(t)) | (t < 0) | (t >= K)).any():
        raise ValueError(f"{name} must hold the class numbers 0..{K - 1}, found {_examples(t)}; give those of the fit")
    return t


def one_hot(T: Array, name: str = "T") -> Array:
    """T (N, K), K >= 2, each row one 1 and zeros."""
    if T.shape[1] < 2:
        raise ValueError(
            f"{name} must have K >= 2 columns, one per class, found shape {T.shape}; "
            "design.one_hot(t) makes them of class numbers 0..K-1"
        )
    if not ((T @ np.ones(T.shape[1]) == 1).all() and np.count_nonzero(T) == len(T)):
        bad = np.flatnonzero(((T != 0) & (T != 1)).any(axis=1) | (np.count_nonzero(T, axis=1) != 1))
        raise ValueError(
            f"{name} must hold a single 1 per row and zeros, found {T[bad[0]]} in row {bad[0]}; "
            "design.one_hot(t) makes such rows of class numbers 0..K-1"
        )
    return T


def counts(y: Array, name: str = "y") -> Array:
    """0, 1, 2, ..."""
    hint = "for measurements take glm.gaussian, or the logarithm of positive ones"
    return _each(y, name, (y >= 0) & (y == np.round(y)), "must hold counts 0, 1, 2, ...", hint)


# --- matrices -----------------------------------------------------------------------------------------------


def gram(G: Array, name: str = "G") -> Array:
    """G (N, N), symmetric: a matrix of inner products or kernel values."""
    off = _asymmetry(G)
    if off > 1e-9 * np.abs(G.diagonal()).max() and off > 1e-8 * np.abs(G).max():  # the first is quick
        i, j = np.unravel_index(np.abs(G - G.T).argmax(), G.shape)
        raise ValueError(
            f"{name} must be symmetric, found {name}[{i}, {j}] = {G[i, j]:.6g} but {name}[{j}, {i}] = {G[j, i]:.6g}; "
            f"inner products commute: check how {name} was made"
        )
    return G


def _asymmetry(G: Array) -> float:
    """max |G_ij - G_ji|, tile by tile: of a large G, G.T is far away in memory."""
    parts = [slice(i, i + TILE) for i in range(0, len(G), TILE)]
    return max(float(np.abs(G[a, b] - G[b, a].T).max()) for k, a in enumerate(parts) for b in parts[: k + 1])


def semidefinite(K: Array, name: str) -> Array:
    """K (N, N), symmetric, unless it has a negative eigenvalue beyond rounding.

    A Cholesky factor of K, its diagonal raised by what counts as rounding, shows that it has none, in less time than
    the eigenvalues take.
    """
    raised = K.copy()
    raised.flat[:: len(K) + 1] += 1e-10 * K.diagonal().max()
    try:
        np.linalg.cholesky(raised)
    except np.linalg.LinAlgError:
        values = np.linalg.eigvalsh(K)
        if values[0] < -1e-10 * np.abs(values).max():
            raise ValueError(
                f"{name} must be positive semidefinite, found the eigenvalue {values[0]:.3g}: no kernel has such a "
                f"matrix; kernels.is_positive_semidefinite({name}) gives a z with z·{name}z < 0"
            ) from None
    return K


def curved(X: Array, lam: Any = 0.0) -> None:
    """X or lam differs from 0: otherwise the loss is constant."""
    if not (np.any(X) or np.any(lam)):
        raise ValueError("X holds only zeros: the loss does not depend on w; give samples that differ from 0")


# --- arguments that are no arrays ---------------------------------------------------------------------------


def number(value: Any, name: str, expected: str = "a finite number") -> float:
    """A finite number."""
    value = _item(value, name)
    if not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be {expected}, found {_told(value)}")
    try:
        found = float(value)
    except OverflowError:
        found = np.inf
    if not math.isfinite(found):
        raise ValueError(f"{name} must be {expected}, found {found}")
    return found


def _item(value: Any, name: str) -> Any:
    """The number in an array without dimensions; anything else as it is."""
    if not (isinstance(value, np.ndarray) and value.ndim == 0):
        return value
    if np.ma.isMaskedArray(value) and value.mask:
        raise ValueError(f"{name} is masked; give a number")
    return value.item()


def schedule(eta: Any, name: str = "eta") -> Any:
    """A step > 0, or a function that gives one for each k."""
    return eta if callable(eta) else float(positive(np.asarray(number(eta, name, "a finite number > 0")), name))


def bound(C: Any, name: str = "C") -> float:
    """C > 0, the bound of the multipliers; inf is the hard margin."""
    C = _item(C, name)
    if isinstance(C, numbers.Real) and C == np.inf:
        return np.inf
    C = number(C, name, "a number > 0, or inf for the hard margin")
    if not C > 0:
        raise ValueError(f"{name} must be > 0, found {C:g}; inf is the hard margin")
    return C


def penalty(lam: Any, d: int, name: str = "lam") -> Array:
    """lam (d,), a penalty >= 0 for each of d columns: one number for all of them, or one per column."""
    lam = finite(numeric(lam, name), name)
    lam = _of_length(lam, name, d, "column") if lam.ndim else lam
    return np.full(d, _each(lam, name, lam >= 0, "must be >= 0", "0 leaves a column without penalty"))


def count(value: Any, name: str, least: int = 1) -> int:
    """A whole number >= least: a degree, a number of samples or steps."""
    value = _item(value, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be a whole number >= {least}, found {_told(value)}")
    if value < least:
        raise ValueError(f"{name} must be a whole number >= {least}, found {value}")
    return int(value)


def generator(rng: Any, name: str = "rng") -> "np.random.Generator":
    """The only source of randomness."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"{name} must be a numpy.random.Generator, found {_told(rng)}; np.random.default_rng(0) makes one"
        )
    return rng


def visiting_order(order: Any, N: int, name: str = "order") -> Array:
    """Indices of samples, each at least once, so that a clean pass over them is one over the data."""
    if np.ma.isMaskedArray(order):
        raise ValueError(f"{name} has masked entries; give the indices of all samples")
    try:
        order = np.asarray(order)
    except ValueError:
        raise ValueError(f"{name} is ragged; a list of sample indices is expected") from None
    if order.ndim != 1 or order.dtype.kind not in "iu" or order.size == 0:
        raise TypeError(f"{name} must be a list of sample indices 0..{N - 1}, found {order!r:.80}")
    if order.min() < 0 or order.max() >= N:
        raise ValueError(f"{name} must hold indices 0..{N - 1}, found {order.min()}..{order.max()}")
    left_out = np.setdiff1d(np.arange(N), order)
    if len(left_out):
        raise ValueError(f"{name} leaves out sample {left_out[0]}; each of the {N} samples must be visited in a pass")
    return order


def hyperplane(start: Any, d: int, name: str = "start") -> tuple[Array, float]:
    """A start (w0, b0)."""
    try:
        w, b = start
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a pair (w0, b0), found {start!r:.80}") from None
    return _of_length(finite(numeric(w, "w0"), "w0"), "w0", d, "feature").copy(), number(b, "b0")


def _of_length(v: Array, name: str, n: int, per: str) -> Array:
    """v (n,), one entry per column, feature ..."""
    if v.ndim != 1:
        raise ValueError(f"{name} must have 1 dimension, found shape {v.shape}")
    if len(v) != n:
        raise ValueError(f"{name} has {len(v)} entries; {n} are expected, one per {per}")
    return v


# --- functions of the reader --------------------------------------------------------------------------------


def matrix_of(f: Callable, name: str) -> Callable:
    """f, held to a matrix: a row for each sample of its first argument, a column for each one of a second."""
    like = "cubic_features" if name == "phi" else "gaussian"
    if not callable(f):
        raise TypeError(f"{name} must be a function of samples, found {_told(f)}; give one, as kernels.{like} is")

    def held(*samples: Array) -> Array:
        pairs = len(samples) == 2
        expected = "(N, M)" if pairs else "(N, p)"
        advice = f"it takes all samples at once, not one {'pair' if pairs else 'of them'}"
        try:
            found = f(*samples)
        except (TypeError, ValueError) as error:
            error.add_note(f"Raised inside {name}, which must return {expected}: {advice}.")
            raise
        shape, sizes = np.shape(found), tuple(n for Z in samples for n in np.shape(Z)[:1])
        if len(shape) != 2 or shape[: len(sizes)] != sizes:
            of = "(X, Z)" if pairs else "(X)"
            sizes_told = f"N = {sizes[0]}, M = {sizes[1]}" if len(sizes) == 2 else f"N = {sizes[0]}"
            raise ValueError(
                f"{name}{of} must return {expected}, {sizes_told}, found shape {shape}; {advice}; "
                f"see kernels.{'gaussian' if pairs else 'cubic_features'}"
            )
        return found

    return held


# --- divergence ---------------------------------------------------------------------------------------------


def not_diverged(f: Callable) -> Callable:
    """f, whose step eta is too long where its numbers overflow: FloatingPointError says so, of states or of an array.

    All states before the error are finite.
    """

    @functools.wraps(f)
    def watched(*args: Any, **named: Any) -> Any:
        eta = inspect.signature(f).bind(*args, **named).arguments["eta"]
        try:
            result = f(*args, **named)
        except Overflow:
            raise _too_long(eta) from None
        return _finite_states(result, eta) if isinstance(result, Iterator) else result

    return watched


def _finite_states(states: Iterator, eta: Any) -> Iterator:
    while True:
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                state = next(states)
            except Overflow:
                raise _too_long(eta) from None
            except StopIteration:
                return
        if not in_range(state):
            raise _too_long(eta)
        yield state


def _too_long(eta: Any) -> FloatingPointError:
    return FloatingPointError(
        f"the coefficients overflow: eta = {float(eta):g} is too long a step; largest_step(K) bounds it"
    )


def _told(value: Any) -> str:
    """An array or a data frame by its shape, anything else in at most 60 signs."""
    shape = getattr(value, "shape", ())
    return f"an array of shape {shape}" if shape else f"{value!r:.60}"


def _examples(y: Array) -> str:
    found = np.unique(y)
    return f"{found[:4]}"[:-1] + " ...]" if len(found) > 4 else f"{found}"


def _position_text(at: tuple[int, ...]) -> str:
    if not at:
        return ""
    return f" at row {at[0]}, column {at[1]}" if len(at) == 2 else f" at position {', '.join(map(str, at))}"

"""Validation of the arguments of public functions (fit*, *_updates, *_iterates, closed forms, data makers).

Every message is worded here: the argument, what was found, what is expected, what to do. Nothing is changed in
place; integers, booleans, float32, lists and data frames (taken by position) come back as float64 arrays.

Here stands the wall: the largest entry of each column of X, of y, σ is 0 or lies in 1e-75 ... 1e75, of K and λ in
1e-150 ... 1e150; C and η begin at 1e-150. So no square, product or quotient of four leaves float64 behind it, and no
room behind it looks out for that. λ = 0 and C = inf stay.
"""

import math
import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np

Array = np.ndarray
FLOAT = np.dtype(float)
PROBE_ROWS = 8  # rows that most often tell that no column is near 0
TILE = 256  # rows and columns of a square matrix compared together
WALL, SQUARED = 1e75, 1e150  # of samples, and of products of two
LOWER = {WALL: 1e-75, SQUARED: 1e-150}
BLOCK = 2**15  # entries looked at together: what the comparisons make of them stays in the cache


def samples(X: Any, name: str = "X", most: float = WALL) -> Array:
    """X as finite float64 samples, one per row, (N, d) with N, d >= 1; each column within the wall."""
    return within_wall(non_empty(_require_matrix(numeric(X, name), name), name), name, most)


def within_wall(a: Array, name: str, most: float = WALL) -> Array:
    """a, whose entries are finite and whose columns, or a itself, have their largest entry in 1/most ... most, or 0.

    One pass where all is well: a sum of squares bounds the largest entry from both sides, and a row or a few show that
    no column is near 0.
    """
    v = a.ravel(order="K")
    total, least = np.vdot(v, v), LOWER[most]
    if not total < most * most:
        finite(a, name)
        _refuse_beyond(np.abs(a).max(axis=0), name, most)
    if total < len(v) * least * least if a.ndim == 1 else np.abs(a[0]).min() < least:
        near_0 = np.abs(a[:PROBE_ROWS]).max(axis=0) < least
        if near_0.any():
            _refuse_beyond(np.where(near_0, np.abs(a).max(axis=0), 0.0), name, most)
    return a


def _refuse_beyond(largest: Array, name: str, most: float) -> None:
    bad = np.flatnonzero((largest > most) | ((largest > 0) & (largest < LOWER[most])))
    if bad.size:
        j = bad[0]
        where, or_else = (f" in column {j}", f", or leave out column {j}") if largest.ndim else ("", "")
        raise ValueError(
            f"{name} has {np.ravel(largest)[j]:.3g} as its largest entry{where}; 0, or {LOWER[most]:g} to {most:g}, is "
            f"expected: rescale{or_else}"
        )


def vector(v: Any, name: str, length: int | None = None, per: str = "sample") -> Array:
    """v as a finite float64 array (n,), n = length where it is given (one entry per sample, column ...)."""
    v = numeric(v, name)
    if v.ndim != 1:
        hint = f"; {name}.ravel() converts" if v.ndim == 2 and 1 in v.shape else ""
        hint = f"; [{name}] makes a list of it" if v.ndim == 0 else hint
        raise ValueError(f"{name} must have 1 dimension, found shape {v.shape}{hint}")
    if length is not None and len(v) != length:
        raise ValueError(f"{name} has {len(v)} entries; {length} are expected, one per {per}")
    return finite(non_empty(v, name), name)


def targets(y: Any, name: str = "y", length: int | None = None, per: str = "sample") -> Array:
    """y (N,), real numbers within the wall."""
    return within_wall(vector(y, name, length, per), name)


def width(value: Any, name: str) -> float:
    """A number > 0 within the wall: a length, measured as samples are."""
    value = positive(value, name)
    if not LOWER[WALL] <= value <= WALL:
        raise ValueError(f"{name} must lie in {LOWER[WALL]:g} ... {WALL:g}, found {value:g}; rescale the samples")
    return value


def labels(t: Any, name: str, length: int | None = None) -> Array:
    """t (N,), numbers that stand for classes; to names of classes the error tells how to number them."""
    return vector(numeric(t, name, labels=True), name, length)


def _numbering_hint(name: str) -> str:
    return f"np.unique({name}, return_inverse=True)[1] numbers the classes"


def signs(y: Any, name: str = "y") -> Array:
    """y (N,) of -1 and +1  [A-5.1-3, B-learn-1]."""
    y = labels(y, name)
    if not (np.abs(y) == 1).all():
        hint = f"design.signs({name}) converts" if np.isin(y, (0, 1)).all() else "code one class -1, the other +1"
        raise ValueError(f"{name} must hold -1 and +1 only, found {_examples(y)}; {hint}")
    return y


def margin_labels(y: Any, name: str = "y") -> Array:
    """y (N,) of -1 and +1, both of them present."""
    y = signs(y, name)
    if abs(y.sum()) == len(y):
        raise ValueError(f"{name} holds only {y[0]:+.0f}; both classes, -1 and +1, are expected: nothing to separate")
    return y


def bits(y: Any, name: str = "y") -> Array:
    """y (N,) of 0 and 1  [A-3.1-1, A-3.2-1, C-1-3]."""
    y = labels(y, name)
    if not (y == (y != 0)).all():
        hint = f"({name} + 1) / 2 converts" if np.isin(y, (-1, 1)).all() else f"compare with one class: {name} == it"
        hint += "; three classes or more are for softmax regression" if len(np.unique(y)) > 2 else ""
        raise ValueError(f"{name} must hold 0 and 1 only, found {_examples(y)}; {hint}")
    return y


def both_bits(t: Any, name: str = "t") -> Array:
    """t (N,) of 0 and 1, both of them present."""
    t = bits(t, name)
    if t.min() == t.max():
        raise ValueError(f"{name} holds only {t[0]:g}; both classes, 0 and 1, are expected")
    return t


def nonzero(X: Array, name: str) -> Array:
    """X, unless all its entries are 0."""
    if not X.any():
        raise ValueError(f"{name} holds only zeros: the loss does not depend on w; give samples that differ from 0")
    return X


def one_hot(T: Array, name: str = "T") -> Array:
    """T (N, K), K >= 2, each row one 1 and zeros."""
    if T.shape[1] < 2:
        raise ValueError(
            f"{name} must have K >= 2 columns, one per class, found shape {T.shape}; "
            "design.one_hot(t) makes them of class numbers 0..K-1"
        )
    if not _is_one_hot(T):
        finite(T, name)
        bad = np.flatnonzero(((T != 0) & (T != 1)).any(axis=1) | (np.count_nonzero(T, axis=1) != 1))
        raise ValueError(
            f"{name} must hold a single 1 per row and zeros, found {T[bad[0]]} in row {bad[0]}; "
            "design.one_hot(t) makes such rows of class numbers 0..K-1"
        )
    return T


def _is_one_hot(T: Array) -> bool:
    """Whether each row of T (N, K) is one 1 and zeros: so it is if all rows have the sum 1, by N entries in all."""
    with np.errstate(over="ignore", invalid="ignore"):
        sums = T @ np.ones(T.shape[1])
    return bool((sums == 1).all()) and np.count_nonzero(T != 0) == len(T)


def counts(y: Any, name: str = "y") -> Array:
    """y (N,) of 0, 1, 2, ..."""
    y = vector(y, name)
    bad = np.flatnonzero((y < 0) | (y != np.round(y)))
    if len(bad):
        raise ValueError(
            f"{name} must hold counts 0, 1, 2, ..., found {y[bad[0]]:g} at position {bad[0]}; "
            "for measurements take glm.gaussian, or the logarithm of positive ones"
        )
    return y


def class_numbers(y: Any, name: str = "y") -> Array:
    """y (N,) of class numbers 0..K-1, each class present, K >= 2."""
    return _class_codes(y, name)[0]


def class_integers(t: Any, name: str = "t", most: int | None = None) -> Array:
    """t (N,) as integers 0..K-1, each class present, K >= 2, and K <= most."""
    k = _class_codes(t, name)[1]
    if most is not None and k.max() >= most:
        some = f"{name} < {most}"
        raise ValueError(f"{name} holds {k.max() + 1} classes; {most} are expected: keep X[{some}] and {name}[{some}]")
    return k


def _class_codes(t: Any, name: str) -> tuple[Array, Array]:
    """The same, and once more as integers."""
    t = labels(t, name)
    if t.min() == 0 and 0 < t.max() < len(t):
        k = t.astype(int)
        if (k == t).all() and np.bincount(k).all():
            return t, k
    raise ValueError(
        f"{name} must hold the class numbers 0..K-1, each of them and at least two, found {_examples(t)}; "
        f"{_numbering_hint(name)}"
    )


def known_classes(t: Any, N: int | None, K: int, name: str = "t") -> Array:
    """t (N,), integers 0..K-1 of which not all need occur: the classes of new samples."""
    t = labels(t, name, N)
    if ((t != np.round(t)) | (t < 0) | (t >= K)).any():
        raise ValueError(f"{name} must hold the class numbers 0..{K - 1}, found {_examples(t)}; give those of the fit")
    return t.astype(int)


def matrix_and_classes(X: Any, t: Any) -> tuple[Array, Array]:
    """X (N, d), whatever its entries are, and class numbers t (N,): who counts bits looks at them on the way."""
    X = non_empty(_require_matrix(numeric(X, "X")), "X")
    return X, _integers_of_classes(X, t)


def category_classes(X: Any, t: Any, n_values: Any) -> tuple[Array, Array, Array]:
    """Samples X (N, d) of categories, their class numbers t (N,), and n_values (d,), how many values a feature has."""
    X = non_empty(_require_matrix(_category_array(X), "X"), "X")
    n_values = _value_counts(n_values, X.shape[1])
    X = category_samples(X, n_values)
    t = _integers_of_classes(X, t)
    table = (int(t.max()) + 1) * n_values.size * int(n_values.max())
    if table > 2**25:
        raise ValueError(
            f"n_values reach {n_values.max()}: a table of {table} probabilities is too large; number the values of "
            "each feature 0, 1, 2, ... and give how many there are"
        )
    return X, t, n_values


def _value_counts(n_values: Any, d: int) -> Array:
    n_values = numeric(n_values, "n_values")
    n_values = np.full(d, n_values) if n_values.ndim == 0 else vector(n_values, "n_values", d, per="feature of X")
    if 1 <= n_values.min() and n_values.max() <= 10**6 and np.array_equal(n := n_values.astype(int), n_values):
        return n
    raise ValueError(
        f"n_values must hold whole numbers from 1 to a million, found {_examples(n_values)}; give how many values occur"
    )


def bit_samples(X: Any, d: int | None = None) -> Array:
    """X (N, d) of 0 and 1  [C-4.1-1]."""
    X = _require_width(non_empty(_require_matrix(numeric(X, "X")), "X"), d)
    for start, B in _blocks(X):
        if not are_bits(B):
            finite(X, "X")
            i, j = np.argwhere((B != 0) & (B != 1))[0]
            raise ValueError(
                f"X holds {B[i, j]:g} at row {start + i}, column {j}; bits, 0 and 1, are expected: X > 0 makes bits of "
                "counts, n_values=(...) says how many values each feature has"
            )
    return X


def are_bits(B: Array) -> bool:
    """Whether B holds 0 and 1 only: quick, where B lies in the cache."""
    return bool(((B == 0) | (B == 1)).all())


def category_samples(X: Any, n_values: Array) -> Array:
    """X (N, d) of categories, as signed integers: feature i holds 0..n_values[i] - 1."""
    given = _require_width(non_empty(_require_matrix(_category_array(X)), "X"), len(n_values))
    k = _as_integers(given)
    if k is None or any(_exceeds(B, n_values) for _, B in _blocks(k)):
        Z = finite(given.astype(float), "X")
        i, j = np.argwhere((np.floor(Z) != Z) | (Z < 0) | (Z >= n_values))[0]
        raise ValueError(
            f"X holds {given[i, j]:g} at row {i}, column {j}; feature {j} has the values 0..{n_values[j] - 1} by "
            "n_values: give one of these"
        )
    return k


def _as_integers(a: Array) -> Array | None:
    """a as signed integers: a itself if it holds such, else of 32 bits; None where that would change a number."""
    if a.dtype.kind == "i":
        return a
    with np.errstate(invalid="ignore"):
        k = a.astype(np.int32)
    return k if (k == a).all() else None


def _exceeds(k: Array, n_values: Array) -> bool:
    return k.min() < 0 or (k.max() >= np.min(n_values) and bool((k.max(axis=0) >= n_values).any()))


def _category_array(X: Any) -> Array:
    if isinstance(X, np.ndarray) and X.dtype.kind in "biu" and not np.ma.isMaskedArray(X):
        return X
    try:
        return numeric(X, "X")
    except TypeError as error:
        hint = "np.unique(X[:, i], return_inverse=True)[1] numbers the values of feature i"
        raise TypeError(f"{error}; {hint}") from None


def above_zero(y: Any, name: str = "y") -> Array:
    """y (N,) of numbers > 0, which have a logarithm."""
    y = vector(y, name)
    bad = np.flatnonzero(y <= 0)
    if len(bad):
        raise ValueError(
            f"{name} must be > 0, found {y[bad[0]]:g} at position {bad[0]}: it has no logarithm; "
            "counts with zeros are for glm.poisson"
        )
    return y


def square(K: Any, name: str = "K") -> Array:
    """K (N, N): a value per pair of samples."""
    return _require_square(samples(K, name, SQUARED), name)


def _require_square(K: Array, name: str) -> Array:
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"{name} must be square (N, N), found shape {K.shape}; from samples X it is X @ X.T")
    return K


def gram(G: Any, name: str = "G") -> Array:
    """G (N, N), symmetric: a matrix of inner products or kernel values."""
    G = square(G, name)
    off = _asymmetry(G)
    if off > 1e-9 * np.abs(G.diagonal()).max() and off > 1e-8 * np.abs(G).max():  # the first is quick
        i, j = np.unravel_index(np.abs(G - G.T).argmax(), G.shape)
        raise ValueError(
            f"{name} must be symmetric, found {name}[{i}, {j}] = {G[i, j]:.6g} but {name}[{j}, {i}] = {G[j, i]:.6g}; "
            f"inner products commute: check how {name} was made"
        )
    return G


def semidefinite(K: Array, name: str) -> Array:
    """K (N, N), symmetric, unless it has a negative eigenvalue beyond rounding.

    A Cholesky factor of K, its diagonal raised by what counts as rounding, shows that it has none in a tenth of the
    time that the eigenvalues take.
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


def _asymmetry(G: Array) -> float:
    """max |G_ij - G_ji|, tile by tile: of a large G, G.T is far away in memory. That all are equal is told sooner."""
    parts = [slice(i, i + TILE) for i in range(0, len(G), TILE)]
    tiles = [(G[a, b], G[b, a].T) for k, a in enumerate(parts) for b in parts[: k + 1]]
    if all(np.array_equal(A, B) for A, B in tiles):
        return 0.0
    return max(float(np.abs(A - B).max()) for A, B in tiles)


def positive(value: Any, name: str) -> float:
    """A finite number > 0."""
    value = number(value, name, "a finite number > 0")
    if not value > 0:
        raise ValueError(f"{name} must be > 0, found {value:g}")
    return value


def step(eta: Any, name: str = "eta") -> float:
    """eta > 0, how far an iteration goes at once, within the wall; too long a step shows as divergence."""
    eta = _require_smallest(positive(eta, name), name)
    if eta > SQUARED:
        raise ValueError(f"{name} must be at most {SQUARED:g}, found {eta:g}; give a shorter step")
    return eta


def _require_smallest(value: float, name: str) -> float:
    if 0 < value < LOWER[SQUARED]:
        raise ValueError(f"{name} must be at least {LOWER[SQUARED]:g}, found {value:g}; rescale the samples")
    return value


def bound(C: Any) -> float:
    """C > 0, the bound of the multipliers; inf is the hard margin."""
    C = C.item() if isinstance(C, np.ndarray) and C.ndim == 0 else C
    if isinstance(C, numbers.Real) and C == np.inf:
        return np.inf
    C = number(C, "C", "a number > 0, or inf for the hard margin")
    if not C > 0:
        raise ValueError(f"C must be > 0, found {C:g}; inf is the hard margin")
    return _require_smallest(C, "C")


def nonnegative(value: Any, name: str) -> float:
    """A finite number >= 0."""
    value = number(value, name, "a finite number >= 0")
    if value < 0:
        raise ValueError(f"{name} must be >= 0, found {value:g}")
    return value


def fraction(value: Any, name: str) -> float:
    """A number in [0, 1]: a share."""
    value = number(value, name, "a number from 0 to 1")
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be from 0 to 1, found {value:g}; give a share, not a percentage")
    return value


def fractions(v: Any, name: str, length: int | None = None) -> Array:
    """v (n,) of numbers in [0, 1]: probabilities."""
    v = vector(v, name, length, per="feature")
    if v.min() < 0 or v.max() > 1:
        raise ValueError(f"{name} must hold probabilities from 0 to 1, found {v.min():g} to {v.max():g}")
    return v


def penalty(lam: Any, d: int, name: str = "lam") -> Array:
    """lam (d,), a penalty >= 0 for each of d columns: one number for all of them, or one per column."""
    lam = numeric(lam, name)
    if lam.ndim == 0:
        return np.full(d, _penalty_within_wall(nonnegative(lam, name), name))
    lam = vector(lam, name, d, per="column")
    if lam.min() < 0:
        raise ValueError(f"{name} must be >= 0, found {lam.min():g}; 0 leaves a column without penalty")
    return _penalty_within_wall(lam, name)


def penalties(lams: Any) -> Array:
    """lams (m,), penalties >= 0 to try one after the other."""
    lams = vector(lams, "lams")
    if lams.min() < 0:
        raise ValueError(f"lams must be >= 0, found {lams.min():g}")
    return _penalty_within_wall(lams, "lams")


def one_penalty(lam: Any, name: str = "lam") -> float:
    """lam, a penalty >= 0."""
    return _penalty_within_wall(nonnegative(lam, name), name)


def _penalty_within_wall(lam: Any, name: str) -> Any:
    smallest, largest = (lam, lam) if isinstance(lam, float) else (lam.min(), lam.max())
    if LOWER[SQUARED] <= smallest <= largest <= SQUARED or largest == 0:
        return lam
    values = np.ravel(lam)
    bad = values[(values > SQUARED) | ((values > 0) & (values < LOWER[SQUARED]))]
    if bad.size:
        raise ValueError(
            f"{name} must be 0 or lie in {LOWER[SQUARED]:g} ... {SQUARED:g}, found {bad[0]:g}; rescale X, and {name} "
            "with its square"
        )
    return lam


def count(value: Any, name: str, least: int = 1) -> int:
    """A whole number >= least: a degree, a number of samples or steps."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be a whole number >= {least}, found {value!r}")
    if value < least:
        raise ValueError(f"{name} must be a whole number >= {least}, found {value}")
    return int(value)


def index(value: Array, name: str) -> Array:
    """A whole number, which counts from 0; NumPy refuses one that is too large."""
    if value.ndim or value != np.round(value) or abs(value) > 2**53:
        raise TypeError(f"{name} must be a whole number 0, 1, 2, ..., found {value}")
    return value.astype(int)


def generator(rng: Any) -> "np.random.Generator":
    """rng, the only source of randomness."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, found {rng!r}; np.random.default_rng(0) makes one")
    return rng


def visiting_order(order: Any, N: int) -> Array | None:
    """Indices of samples, each at least once, so that a clean pass over them is one over the data; None is 0..N-1."""
    if order is None:
        return None
    if np.ma.isMaskedArray(order):
        raise ValueError("order has masked entries; give the indices of all samples")
    try:
        order = np.asarray(order)
    except ValueError:
        raise ValueError("order is ragged; a list of sample indices is expected") from None
    if order.ndim != 1 or order.dtype.kind not in "iu" or order.size == 0:
        raise TypeError(f"order must be a list of sample indices 0..{N - 1}, found {order!r:.80}")
    if order.min() < 0 or order.max() >= N:
        raise ValueError(f"order must hold indices 0..{N - 1}, found {order.min()}..{order.max()}")
    left_out = np.setdiff1d(np.arange(N), order)
    if len(left_out):
        raise ValueError(f"order leaves out sample {left_out[0]}; each of the {N} samples must be visited in a pass")
    return order


def hyperplane(start: Any, d: int) -> tuple[Array, float]:
    """A start (w0, b0), zero where none is given."""
    if start is None:
        return np.zeros(d), 0.0
    try:
        w, b = start
    except (TypeError, ValueError):
        raise ValueError(f"start must be a pair (w0, b0), found {start!r:.80}") from None
    return vector(w, "w0", d, per="feature").copy(), number(b, "b0")


def numeric(a: Any, name: str, *, labels: bool = False) -> Array:
    """a as a float64 array; text, None, complex, dates, masked entries and ragged lists are refused.

    labels: to names of classes the error tells how to number them.
    """
    try:
        return _numeric(a, name)
    except TypeError as error:
        raise TypeError(f"{error}; {_numbering_hint(name)}" if labels else str(error)) from None


def _numeric(a: Any, name: str) -> Array:
    if np.ma.isMaskedArray(a) and np.ma.getmaskarray(a).any():
        raise ValueError(f"{name} has masked entries; drop these samples or fill them first")
    try:
        a = np.asarray(a)
    except ValueError:
        raise ValueError(f"{name} is ragged: its rows differ in length; every sample needs every feature") from None
    if a.dtype == FLOAT:
        return a
    if a.dtype.kind == "O":
        _require_numbers(a, name)
    elif a.dtype.kind not in "biuf":
        kind = {"c": "complex numbers", "U": "text", "S": "text"}.get(a.dtype.kind, f"values of type {a.dtype}")
        raise TypeError(f"{name} holds {kind}; real numbers are expected")
    elif a.dtype.kind != "f":
        return a.astype(float)
    try:
        with np.errstate(over="ignore"):  # a longdouble becomes inf, which finite names
            return a.astype(float, copy=False)
    except OverflowError:
        raise ValueError(
            f"{name} holds an integer beyond 1e308; numbers in the range of float64 are expected, rescale it"
        ) from None


def _require_numbers(a: Array, name: str) -> None:
    for at, value in np.ndenumerate(a):
        if not isinstance(value, (numbers.Real, np.bool_)):
            missing = value is None or type(value).__name__ in ("NAType", "NaTType")
            hint = ": remove or replace it" if missing and at else ""
            raise TypeError(f"{name} holds {value!r:.40}{_position_text(at)}; real numbers are expected{hint}")


def number(value: Any, name: str, expected: str = "a finite number") -> float:
    """A finite number."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be {expected}, found {value!r:.60}")
    try:
        found = float(value)
    except OverflowError:
        found = np.inf
    if not math.isfinite(found):
        raise ValueError(f"{name} must be {expected}, found {found}")
    return found


def _require_matrix(X: Array, name: str = "X") -> Array:
    if X.ndim != 2:
        hint = f"; {name}[:, None] makes one feature of it" if X.ndim == 1 else ""
        raise ValueError(f"{name} must have 2 dimensions (N samples, d features), found shape {X.shape}{hint}")
    return X


def _require_width(X: Array, d: int | None) -> Array:
    if d is not None and X.shape[1] != d:
        raise ValueError(f"X has {X.shape[1]} features; {d} are expected, as in the data of the fit")
    return X


def _integers_of_classes(X: Array, t: Any) -> Array:
    return _require_rows(X, "X", _class_codes(t, "t")[1], "t")


def _require_rows(X: Array, X_name: str, y: Array, name: str = "y") -> Array:
    if len(y) != len(X):
        raise ValueError(f"{X_name} has {len(X)} rows but {name} has {len(y)} entries; give one per sample")
    return y


def non_empty(a: Array, name: str) -> Array:
    """a, unless it has no entries."""
    if a.size == 0:
        expected = "one sample and one feature are" if a.ndim > 1 else "one entry is"
        raise ValueError(f"{name} is empty, shape {a.shape}; at least {expected} expected")
    return a


def finite(a: Array, name: str) -> Array:
    """a, unless it holds NaN or inf."""
    v = a.ravel(order="K")  # as it lies in memory: a copy only of a view with gaps
    total = np.vdot(v, v)  # NaN and inf survive it, so sound data cost one pass, no temporary array and no warning
    if not math.isfinite(total) and not np.isfinite(a).all():
        at = tuple(np.argwhere(~np.isfinite(a))[0])
        raise ValueError(f"{name} holds {a[at]}{_position_text(at)}; remove or replace it")
    return a


def _blocks(X: Array) -> Iterator[tuple[int, Array]]:
    rows = max(1, BLOCK // X.shape[1])
    return ((start, X[start : start + rows]) for start in range(0, len(X), rows))


def _examples(y: Array) -> str:
    found = np.unique(y)
    return f"{found[:4]}"[:-1] + " ...]" if len(found) > 4 else f"{found}"


def _position_text(at: tuple[int, ...]) -> str:
    if not at:
        return ""
    return f" at row {at[0]}, column {at[1]}" if len(at) == 2 else f" at position {', '.join(map(str, at))}"

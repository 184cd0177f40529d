"""What one model asks of several arguments together: that they fit it, and that its formula has a value.

`takes(..., together=...)` calls these after each argument has its shape. Every message is worded here, as in `checks`.
"""

import functools
import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import checks

Array = np.ndarray


def values_to_count(X: Array, t: Array, n_values: Any = None) -> None:
    """X (N, d) of bits, or of the categories that n_values counts."""
    if n_values is None:
        checks.bit_samples(X)
    else:
        checks.category_classes(X, t, n_values)


def shares_exist(counts: Array, smoothing: Any = 1.0) -> None:
    """Counts and what is added to them, finite and >= 0, not all of them 0."""
    with np.errstate(over="ignore"):  # of a smoothing near the end of float64
        m = np.sum(counts + smoothing, axis=-1)
    if not (counts.min(initial=0) >= 0 and np.min(smoothing) >= 0 and m.max(initial=0) < np.inf):
        raise ValueError("counts and smoothing must be finite numbers >= 0; check both")
    if m.min(initial=1) == 0:
        raise ValueError("counts are all 0: without smoothing the shares are 0/0; give smoothing > 0")


def values_of_model(model: Any, X: Array) -> None:
    """X (N, d) of values that a naive_bayes.Model knows."""
    if (model.n_values == 2).all():
        checks.bit_samples(X, len(model.n_values))
    else:
        checks.category_samples(X, model.n_values)


def classes_of_model(model: Any, X: Array, t: Array) -> None:
    """Values X (N, d) and classes t (N,) that the model knows."""
    values_of_model(model, X)
    checks.known_classes(t, len(X), len(model.prior))


def possible_in_model(model: Any, X: Array) -> None:
    """Values X (N, d) that the model knows; each sample has a positive probability in some class."""
    values_of_model(model, X)
    if model.theta.min() > 0 and model.prior.min() > 0:
        return
    possible = np.tile(model.prior > 0, (len(X), 1))
    for i, x in enumerate(X.T.astype(int)):
        possible &= (model.theta[:, i].T > 0)[x]
    bad = np.flatnonzero(~possible.any(axis=1))
    if bad.size:
        raise ValueError(
            f"the sample in row {bad[0]} has probability 0 in every class: its posterior is 0/0; "
            "fit with smoothing > 0 (chapter 08; note C, section 4.4)"
        )


def possible_in_two_classes(model: Any, X: Array) -> None:
    """The same, of a model of two classes."""
    if len(model.prior) != 2:
        raise ValueError(f"the model has {len(model.prior)} classes; the odds are of two: see log_joint, posterior")
    possible_in_model(model, X)


def positive_model_of_bits(model: Any) -> None:
    """A model of two classes of bits, in which everything is possible."""
    if len(model.prior) != 2 or (model.n_values != 2).any():
        raise ValueError(f"theta has shape {model.theta.shape}; two classes of bits, (2, d, 2), are expected")
    if not (model.theta > 0).all() or not (model.prior > 0).all():
        raise ValueError("a probability of the model is 0: its weight would be infinite; fit with smoothing > 0")


def exponential_family(family: Any) -> None:
    """A glm.Family: an instance with T(y), a(η), a'(η) and a''(η)."""
    if isinstance(family, type) or not all(hasattr(family, f) for f in ("T", "a", "mean", "variance", "observed")):
        raise TypeError(
            f"family must be glm.gaussian, glm.bernoulli, glm.categorical, glm.poisson or another glm.Family, "
            f"found {family!r:.60}"
        )


def family_weights(w: Array, family: Any) -> None:
    """w (d,), or (d, K - 1) where the family has vectors η."""
    exponential_family(family)
    if np.ndim(w) != 1 + family.vector:
        expected = "(d, K - 1), K classes," if family.vector else "(d,)"
        raise ValueError(f"w must have the shape {expected} for the family {family.name}, found {np.shape(w)}")


def family_targets(w: Array, y: Array, family: Any) -> None:
    """w as the family takes it, and y that it may observe."""
    family_weights(w, family)
    checks.known_classes(y, None, np.shape(w)[1] + 1, "y") if family.vector else family.observed(y)


def family_numbers(w: Array, y: Array, family: Any) -> None:
    """The same, of a family with a number η for each sample."""
    exponential_family(family)
    if family.vector:
        raise ValueError(f"family must have a number η for each sample, found {family.name}, which has vectors")
    family_targets(w, y, family)


def family_residuals(w: Array, y: Array, family: Any) -> None:
    """The same, with more samples than weights."""
    family_numbers(w, y, family)
    if len(y) <= len(w):
        raise ValueError(f"X has {len(y)} rows for {len(w)} weights; more samples than weights are needed")


def family_parameters(y: Any, eta: Any, family: Any) -> None:
    """y and η, a pair of each, or one of one of them for all of the other."""
    exponential_family(family)
    if np.ndim(eta) not in (family.vector, 1 + family.vector):
        expected = "a vector" if family.vector else "a number"
        raise ValueError(f"eta must be {expected} for each y, the family is {family.name}; found shape {np.shape(eta)}")
    if family.vector:
        checks.known_classes(y, None, np.shape(eta)[-1] + 1, "y")
    elif len({np.shape(y), np.shape(eta), ()}) > 2:
        raise ValueError(f"y and eta must be as many numbers, or one, found shapes {np.shape(y)} and {np.shape(eta)}")


def family_data(y: Array, family: Any) -> None:
    """y that the family may observe, each class present."""
    exponential_family(family)
    family.observed(y)


def family_start(X: Array, y: Array, family: Any, w: Array | None = None) -> None:
    """The same, and a start w (d,), or (d, K - 1) where the family has vectors η."""
    family_data(y, family)
    shape = (X.shape[1], *family.T(y).shape[1:])
    if w is not None and w.shape != shape:
        raise ValueError(f"w must have shape {shape}, a row per column of X, found {w.shape}")


def curved(X: Array, lam: Any = 0.0) -> None:
    """X or lam differs from 0: otherwise the loss is constant."""
    if not np.any(lam):
        checks.nonzero(X, "X")


def positive_diagonal(K: Array) -> None:
    """K_ii > 0: each φ(x_i) has a length, and so a direction."""
    i = K.diagonal().argmin()
    if not K[i, i] > 0:
        raise ValueError(
            f"K must have a positive diagonal, found K[{i}, {i}] = {K[i, i]:.3g}: φ(x) = 0 has no direction; leave "
            "this sample out"
        )


def mostly_distinct(X: Array) -> None:
    """X (N, d), N >= 2, of which at most half of the pairs are equal: their median distance is not 0."""
    if len(X) < 2:
        raise ValueError("X has 1 row; at least two samples are expected: a distance needs a pair")
    copies = np.unique(X, axis=0, return_counts=True)[1]
    if np.sum(copies * (copies - 1) // 2) > len(X) * (len(X) - 1) // 2 // 2:
        raise ValueError(
            "X holds mostly equal samples: the median distance is 0; distinct ones are expected, np.unique(X, axis=0)"
        )


def powers_in_range(X: Array, Z: Array, c: float = 1.0, degree: int = 2) -> None:
    """(x·z + c)^degree stays below the largest float: |x·z| <= ‖x‖‖z‖ bounds it."""
    _in_range(_longest(X) * _longest(Z) + c, degree, f"(x·z + c)^{degree}")


def cubes_in_range(X: Array, Z: Array) -> None:
    """1 + s + s² + s³ stays below the largest float, s = x·z."""
    _in_range(1 + _longest(X) * _longest(Z), 3, "1 + s + s² + s³, s = x·z,")


def products_in_range(X: Array, c: float = 1.0, degree: int = 2) -> None:
    """The features φ(x), φ(x)·φ(x) = (x·x + c)^degree, stay below the largest float."""
    _in_range(math.hypot(_longest(X), math.sqrt(c)), degree, f"a product of {degree} features")


def _longest(X: Array) -> float:
    return math.sqrt(np.vecdot(X, X).max())


def _in_range(base: float, degree: int, what: str) -> None:
    if base > 1 and degree * math.log2(base) >= 1024:
        raise ValueError(
            f"X has samples so long that {what} may reach {base:.3g}^{degree}; float64 ends at 1.8e308: rescale the "
            "samples, or take a lower degree"
        )


def not_diverged(f: Callable) -> Callable:
    """f, whose step eta is too long where its numbers overflow: FloatingPointError says so, of states or of an array.

    All states before the error are finite.
    """

    @functools.wraps(f)
    def watched(*args: Any, **named: Any) -> Any:
        with np.errstate(over="ignore", invalid="ignore"):
            result = f(*args, **named)
        eta = inspect.signature(f).bind(*args, **named).arguments["eta"]
        return _finite_states(result, eta) if isinstance(result, Iterator) else _finite_parts((result,), eta)[0]

    return watched


def _finite_states(states: Iterator, eta: Any) -> Iterator:
    while True:
        with np.errstate(over="ignore", invalid="ignore"):
            state = next(states, None)
        if state is None:
            return
        yield _finite_parts(state, eta)


def _finite_parts(parts: Any, eta: Any) -> Any:
    if not all(np.isfinite(part).all() for part in parts):
        raise FloatingPointError(
            f"the coefficients overflow: eta = {float(eta):g} is too long a step; largest_step(K) bounds it"
        )
    return parts

"""Instances that several exercises share. Sizes differ from instance to instance, so that a lost 1/N shows."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .answers import Case

Array = np.ndarray
Args = tuple[Any, ...]  # what the function gets


def regression(rng: np.random.Generator, N: int, d: int) -> tuple[Array, Array]:
    """X (N, d) and y (N,) whose means are not 0, and y beside a linear function: with residuals, where N > d + 1."""
    X = rng.normal(size=(N, d)) + rng.uniform(1, 2, d)
    return X, X @ rng.normal(size=d) + 3 + rng.normal(size=N)


def integer_points(rng: np.random.Generator, N: int, d: int = 2) -> tuple[Array, Array]:
    """X (N, d) of whole numbers and labels y (N,): scores are exact, ties are real ties.

    The first label is +1, the second -1, and the third sample is the first with the other label, so that no
    hyperplane separates them and a run never comes to rest.
    """
    X = rng.integers(-3, 4, (N, d)).astype(float)
    X[2] = X[0]
    return X, np.concatenate([[1.0, -1.0, -1.0], rng.choice([-1.0, 1.0], N - 3)])


def table(
    rng: np.random.Generator, make: Callable[..., Args], names: str, *rows: Sequence[Any], **titled: Sequence[Any]
) -> list[Case]:
    """A case make(rng, *row) for each row of settings, called after its title, or after the settings: "N = 7, d = 3".

    Settings beyond the names are told to nobody. One with a capital letter is a size by which an answer may be off.
    """
    cases = []
    for row, title in [*((row, "") for row in rows), *((row, title) for title, row in titled.items())]:
        named = dict(zip(names.split(), row, strict=False))
        label = title.replace("_", " ") or ", ".join(f"{name} = {value}" for name, value in named.items())
        cases.append(Case(label, make(rng, *row), {name: named[name] for name in named if name.isupper()}))
    return cases

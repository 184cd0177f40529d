"""Instances that several exercises share. Sizes differ from instance to instance, so that a lost 1/N shows."""

import numpy as np

Array = np.ndarray


def regression(rng: np.random.Generator, N: int, d: int) -> tuple[Array, Array]:
    """X (N, d) and y (N,) whose means are not 0, and y that no linear function fits without residuals."""
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

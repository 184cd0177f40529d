"""What is raced. A new task is a generator of `Task`s, one per size, listed in TASKS; peers import inside of it."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from linmodels import design, perceptron
from linmodels import linear_regression as lr

from .race import Task


def least_squares(quick: bool) -> Iterator[Task]:
    """Fits with an intercept, on both sides with the checks of the input; quality: correct digits of the weights."""
    for N, d in [(150, 4), (1_000, 20), (10_000, 20), (100_000, 20), (100_000, 50)][: 3 if quick else None]:
        rng = np.random.default_rng(1)
        X, w = rng.standard_normal((N, d)), rng.standard_normal(d + 1)
        noise = rng.standard_normal(N)
        A = design.augment(X)
        Q = np.linalg.qr(A)[0]
        y = A @ w + noise - Q @ (Q.T @ noise)  # noise at right angles to the columns: w itself is the answer
        peers = {} if (LinearRegression := sklearn("linear_model", "LinearRegression")) is None else {
            "LinearRegression": lambda X=X, y=y: both(LinearRegression().fit(X, y))}  # fmt: skip
        yield Task(
            "least squares", f"{N} x {d}", N,
            lambda X=X, y=y: lr.least_squares(design.augment(X), y),
            peers, {"LinearRegression": 3.0},
            lambda found, w=w: f"{-np.log10(np.abs(found - w).max() / np.abs(w).max()):.1f} digits",
        )  # fmt: skip


def cyclic_perceptron(quick: bool) -> Iterator[Task]:
    """The same visits for all: w, b and the mistakes must agree. The gap makes about 1500 mistakes at 100000 x 20."""
    for N, d in [(150, 2), (1_000, 20), (10_000, 20), (100_000, 20)][: 3 if quick else None]:
        X, y = gapped(N, d, gap=0.06)
        n = perceptron.fit(X, y).n_iter
        peers = {"plain loop": lambda X=X, y=y: plain_perceptron(X, y)}
        if (Perceptron := sklearn("linear_model", "Perceptron")) is not None:
            epochs = plain_perceptron(X, y)[3]
            peers["Perceptron"] = lambda X=X, y=y, epochs=epochs: sklearn_perceptron(Perceptron, X, y, epochs)
        yield Task(
            "perceptron", f"{N} x {d}, {n} mistakes", N,
            lambda X=X, y=y: perceptron.fit(X, y),
            peers, {"plain loop": 15.0} if N == 100_000 else {},
            lambda found, X=X, y=y: errors(found, X, y),
        )  # fmt: skip


TASKS: dict[str, Callable[[bool], Iterator[Task]]] = {
    "least_squares": least_squares,
    "perceptron": cyclic_perceptron,
}


def plain_perceptron(X, y):
    """The algorithm as every textbook writes it; also counts its updates and passes."""
    w, b, n, passes, clean = np.zeros(X.shape[1]), 0.0, 0, 0, False
    while not clean:
        clean, passes = True, passes + 1
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i + b) <= 0:
                w, b, n, clean = w + y_i * x_i, b + y_i, n + 1, False
    return w, b, n, passes


def sklearn_perceptron(Perceptron, X, y, epochs):
    """In the given order, for as many passes as the plain loop takes, which it then follows update by update."""
    model = Perceptron(shuffle=False, tol=None, max_iter=epochs).fit(X, y)
    return model.coef_[0], model.intercept_[0], None


def errors(found, X, y) -> str:
    w, b, n = (found.w, found.b, found.n_iter) if hasattr(found, "n_iter") else found[:3]
    wrong = int(perceptron.misclassified(w, b, X, y).sum())
    return f"{wrong} wrong, |w| = {np.linalg.norm(w):.6g}" + ("" if n is None else f", {n} updates")


def gapped(N, d, gap):
    """N normal samples none of which is nearer than gap to a plane, and the sides they lie on."""
    rng = np.random.default_rng(2)
    w = rng.standard_normal(d)
    w /= np.linalg.norm(w)
    X = rng.standard_normal((2 * N, d))
    f = X @ w + 0.3
    near = np.abs(f) < gap
    return X[~near][:N], np.sign(f[~near][:N])


def both(model):
    return np.append(model.coef_, model.intercept_)


def sklearn(module: str, name: str) -> Any:
    """A class of scikit-learn, or None where it is not installed (the table says so)."""
    try:
        return getattr(__import__(f"sklearn.{module}", fromlist=[name]), name)
    except ImportError:
        return None

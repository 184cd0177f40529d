"""The perceptron (感知机; chapter 09; notes A 5, B, D 4).

X (N, d) holds samples, y (N,) their labels -1 and +1, w (d,) the weights and b the bias; x~ = (x, 1), u = (w, b).
A sample is misclassified (误分类) where y_i(w·x_i + b) <= 0: the plane itself is wrong for both classes (erratum A42).
The dual functions take the Gram matrix G = [x_i·x_j] (N, N) and never see a coordinate.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from .guards import checks
from .guards.shapes import bare, takes
from .solvers import separation
from .special import sign

SHORTEST, LONGEST = 128, 8192  # visits judged at once: short just after a mistake, longer the longer none is found


class Update(NamedTuple):
    """The sample that was misclassified, and the hyperplane after its update."""

    i: int
    w: np.ndarray
    b: float


class DualUpdate(NamedTuple):
    """The sample that was misclassified, and the dual coefficients after its update."""

    i: int
    alpha: np.ndarray
    b: float


@dataclass(frozen=True)
class Fit:
    """Where the primal algorithm ended: n_iter updates, converged (no sample misclassified) or not, and why."""

    w: np.ndarray
    b: float
    n_iter: int
    converged: bool
    reason: str


@dataclass(frozen=True)
class DualFit:
    """Where the dual algorithm ended: n_iter updates, converged (no sample misclassified) or not, and why."""

    alpha: np.ndarray
    b: float
    n_iter: int
    converged: bool
    reason: str


@dataclass(frozen=True)
class Certificate:
    """A proof by one product. separable: y_i(w·x_i + b) >= margin > 0 for all i. Not: weights a_i >= 0 with Σ a_i = 1
    and Σ a_i y_i (x_i, 1) = 0, so that no (w, b) can make every y_i(w·x_i + b) positive: their mean is 0."""

    separable: bool
    w: np.ndarray | None
    b: float | None
    margin: float | None
    weights: np.ndarray | None


@takes(w="d", b="number", X="N? d")
def decision_function(w, b, X):
    """f(x) = w·x + b, zero on the separating hyperplane (分离超平面)  [A-5.1-6]."""
    return X @ w + b


@takes(w="d", b="number", X="N? d")
def predict(w, b, X):
    """sign(w·x + b), +1 on the plane itself  [A-5.1-4, B-model-1, D-4-1]."""
    return sign(X @ w + b)


@takes(w="d", b="number", X="N? d")
def distance(w, b, X):
    """|w·x + b| / ‖w‖  [A-5.2-6, B-loss-1]."""
    return np.abs(X @ w + b) / np.linalg.norm(w)


@takes(w="d finite", b="number finite", X="N? d finite", y="N? signs")
def misclassified(w, b, X, y):
    """M = {i : y_i(w·x_i + b) <= 0} as booleans (N,)  [A-5.2-2, A-5.2-3, B-loss-5, D-4-2]."""
    return ~(y * (X @ w + b) > 0)


@takes(w="d", b="number", X="N d", y="N signs")
def loss(w, b, X, y):
    """L(w, b) = -Σ_{i in M} y_i(w·x_i + b) = Σ_i max(0, -y_i(w·x_i + b))  [A-5.2-8, A-5.2-13, B-loss-3, D-4-4]."""
    return np.sum(np.maximum(0, -y * (X @ w + b)))


@takes(w="d finite", b="number finite", X="N d finite", y="N signs")
def gradient(w, b, X, y):
    """∇_w L = -Σ_{i in M} y_i x_i, ∇_b L = -Σ_{i in M} y_i: one of the subgradients where a sample lies on the plane
    [A-5.3.1-1, B-learn-4, D-4-5]."""
    M = misclassified(w, b, X, y)
    return -(y[M] @ X[M]), -np.sum(y[M])


@takes(w="d", b="number", x_i="d", y_i="number", eta="number")
def update(w, b, x_i, y_i, eta=1.0):
    """w ← w + η y_i x_i, b ← b + η y_i  [A-5.3.1-2, B-learn-5, D-4-3]."""
    return w + eta * y_i * x_i, b + eta * y_i


def updates(X, y, eta=1.0, order=None, start=None):
    """Visit the samples in turn, update at each that is misclassified, until a pass is clean  [A-5.3.1-4, B-primal-1].

    X (N, d); y (N,) of -1 and +1; eta > 0; order: the indices in the order of the visits, again and again (0..N-1
    unless given); start: (w0, b0), zero unless given (any hyperplane, B-learn-3). Yields Update(i, w, b) after each
    update, without end where no hyperplane separates the classes: take the first with itertools.islice, or `fit`.
    """
    X, y = checks.two_classes(X, y)
    order, eta = checks.visiting_order(order, len(X)), checks.step_without_divergence(eta)
    w, b = checks.hyperplane(start, X.shape[1])
    return _visits(X, y, order, eta, w, b)


def random_updates(X, y, eta=1.0, *, rng):
    """Pick one of the misclassified samples at random and update, until none is left  [A-5.3.1-2, B-learn-5].

    X (N, d); y (N,) of -1 and +1; eta > 0; rng a numpy Generator. Yields Update(i, w, b) from a zero start.
    """
    X, y = checks.two_classes(X, y)
    return _random_visits(X, y, checks.step_without_divergence(eta), checks.generator(rng))


def fit(X, y, eta=1.0, order=None, start=None, max_updates=100_000):
    """The hyperplane on which `updates` ends, or the one after max_updates  [A-5.3.1-4, B-primal-1].

    Arguments as in `updates`. Returns Fit(w, b, n_iter, converged, reason); converged=False is no error: then
    `certificate(X, y)` tells whether any hyperplane can separate the classes.
    """
    sequence, max_updates = updates(X, y, eta, order, start), checks.count(max_updates, "max_updates")
    w, b = checks.hyperplane(start, np.shape(X)[1])
    (_, w, b), n, ended = _follow(sequence, Update(-1, w.copy(), b), max_updates)
    return Fit(w, b, n, ended, _reason(n, ended, "certificate(X, y) tells whether a hyperplane can separate them"))


@takes(w="d", b="number", X="N d", y="N signs")
def margin(w, b, X, y):
    """γ = min_i y_i(w·x_i + b)/‖(w, b)‖, the margin r of the augmented samples (x, 1)  [A-5.3.3-1]."""
    return np.min(y * (X @ w + b)) / np.sqrt(w @ w + b * b)


@takes(w="d finite", b="number finite", X="N d finite", y="N signs")
def novikoff_bound(w, b, X, y):
    """(R/γ)², R = max_i ‖(x_i, 1)‖: no zero start needs more updates where (w, b) separates  [A-5.3.3-2].

    Any separating (w, b) gives a bound, the one of the largest margin the best; inf where (w, b) does not separate.
    """
    if misclassified(w, b, X, y).any():
        return np.inf
    return (np.max(np.sum(X * X, axis=1)) + 1) / margin(w, b, X, y) ** 2


def dual_updates(G, y, eta=1.0, order=None):
    """Where y_i(Σ_j α_j y_j G_ij + b) <= 0: α_i ← α_i + η, b ← b + η y_i  [A-5.3.4-2, B-dualalg-1].

    G (N, N) inner products; y (N,) of -1 and +1; eta and order as in `updates`. Yields DualUpdate(i, alpha, b) after
    each update, from a zero start. Where nothing is rounded (whole numbers, eta a power of two) `updates` makes the
    same mistakes in the same order; elsewhere rounding may decide for a sample that lies on the plane.
    """
    G, y = checks.gram_and_labels(G, y, "G")
    order, eta = checks.visiting_order(order, len(G)), checks.step_without_divergence(eta)
    return _dual_visits(G, y, order, eta)


def fit_dual(G, y, eta=1.0, order=None, max_updates=100_000):
    """The dual coefficients on which `dual_updates` ends, or those after max_updates  [A-5.3.4-2, B-dualalg-1].

    Arguments as in `dual_updates`. Returns DualFit(alpha, b, n_iter, converged, reason).
    """
    sequence, max_updates = dual_updates(G, y, eta, order), checks.count(max_updates, "max_updates")
    (_, alpha, b), n, ended = _follow(sequence, DualUpdate(-1, np.zeros(len(G)), 0.0), max_updates)
    return DualFit(alpha, b, n, ended, _reason(n, ended, "if G = X @ X.T, certificate(X, y) tells whether they end"))


@takes(alpha="N", y="N signs", X="N d")
def primal(alpha, y, X):
    """w = Σ_i α_i y_i x_i, b = Σ_i α_i y_i  [A-5.3.4-1, B-dual-1, B-dual-2]."""
    return (alpha * y) @ X, np.sum(alpha * y)


def certificate(X, y):
    """Can a hyperplane separate the classes? Either answer comes with its proof  [A-5.2-1, B-sep-1].

    X (N, d); y (N,) of -1 and +1. The convex mixture of the signed samples y_i(x_i, 1) that lies nearest to 0 decides:
    if it is 0, it is the proof that none can; if not, it points along a hyperplane that does. Returns a Certificate.
    Raises LinAlgError where the classes touch so closely that rounding hides the answer.
    """
    X, y = checks.two_classes(X, y)
    return Certificate(*separation.certificate(X, y))


def _mistakes(N: int, wrong: Callable[[slice], np.ndarray]) -> Iterator[int]:
    """The visits, pass after pass over 0..N-1, that find a mistake, until N visits in a row find none.

    wrong(rows) judges several visits at once: nothing changes between two mistakes, so the order is the plain loop's.
    """
    p, correct, window = 0, 0, SHORTEST
    while correct < N:
        found = wrong(slice(p, p + window))
        k = int(found.argmax())
        if found[k]:
            yield p + k
            p, correct, window = (p + k + 1) % N, 0, SHORTEST
        else:
            p, correct, window = (p + len(found)) % N, correct + len(found), min(4 * window, LONGEST)


def _visits(X, y, order, eta, w, b):
    if order is not None:
        X, y = X[order], y[order]

    def wrong(rows):
        return bare(misclassified)(w, b, X[rows], y[rows])

    for p in _mistakes(len(X), wrong):
        w, b = bare(update)(w, b, X[p], y[p], eta)
        yield Update(p if order is None else int(order[p]), w.copy(), b)


def _random_visits(X, y, eta, rng):
    w, b = np.zeros(X.shape[1]), 0.0
    while (M := np.flatnonzero(bare(misclassified)(w, b, X, y))).size:
        i = int(rng.choice(M))
        w, b = bare(update)(w, b, X[i], y[i], eta)
        yield Update(i, w.copy(), b)


def _dual_visits(G, y, order, eta):
    alpha, b, f = np.zeros(len(y)), 0.0, np.zeros(len(y))

    def wrong(rows):
        I = rows if order is None else order[rows]
        return ~(y[I] * (f[I] + b) > 0)

    for p in _mistakes(len(y) if order is None else len(order), wrong):
        i = p if order is None else int(order[p])
        alpha[i] += eta
        b = b + eta * y[i]
        f += eta * y[i] * G[i]  # f = G(αy), kept up to date: one row of G per mistake, none per visit
        yield DualUpdate(i, alpha.copy(), b)


def _follow(sequence, state, most):
    """The last of at most `most` states, their number, and whether the sequence ended by itself."""
    n = 0
    for n, state in enumerate(islice(sequence, most), 1):  # noqa: B007
        pass
    return state, n, next(sequence, None) is None


def _reason(n, ended, advice):
    return f"no sample misclassified after {n} updates" if ended else f"{n} updates and still mistakes; {advice}"

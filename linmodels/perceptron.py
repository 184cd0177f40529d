"""The perceptron (感知机; chapter 09; notes A 5, B, D 4).

X (N, d) holds samples, y (N,) their labels -1 and +1, w (d,) the weights and b the bias; x~ = (x, 1), u = (w, b).
A sample is misclassified (误分类) where y_i(w·x_i + b) <= 0: the plane itself is wrong for both classes (erratum A42).
The dual algorithm takes the Gram matrix G = [x_i·x_j] (N, N) and never sees a coordinate.
"""

from dataclasses import dataclass
from itertools import cycle
from typing import NamedTuple

import numpy as np

from .guards.shapes import takes
from .solvers import mistakes, separation
from .special import sign


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
    w: np.ndarray | None = None
    b: float | None = None
    margin: float | None = None
    weights: np.ndarray | None = None


@takes(w="d", b="number", X="N? d")
def decision_function(w, b, X):
    """f(x) = w·x + b, zero on the separating hyperplane (分离超平面)  [A-5.1-6].

    >>> decision_function([3, -4], 5, [[0, 0], [1, 2], [0, 5]])
    array([  5.,   0., -15.])
    """
    return X @ w + b


@takes(w="d", b="number", X="N? d")
def predict(w, b, X):
    """sign(w·x + b), +1 on the plane itself  [A-5.1-1, A-5.1-4, B-model-1, D-4-1].

    >>> predict([3, -4], 5, [[0, 0], [1, 2], [0, 5]])
    array([ 1.,  1., -1.])
    """
    return sign(X @ w + b)


@takes(w="d", b="number", X="N? d")
def distance(w, b, X):
    """|w·x + b| / ‖w‖  [A-5.2-6, B-loss-1].

    >>> distance([3, -4], 5, [[0, 0], [1, 2], [0, 5]])  # 5/5, 0/5, 15/5
    array([1., 0., 3.])
    """
    return np.abs(X @ w + b) / np.linalg.norm(w)


@takes(w="d", b="number", X="N? d", y="N? signs")
def misclassified(w, b, X, y):
    """M = {i : y_i(w·x_i + b) <= 0} as booleans (N,)  [A-5.2-2, A-5.2-3, B-loss-5, D-4-2].

    >>> misclassified([3, -4], 5, [[0, 0], [1, 2], [0, 5]], [1, 1, 1])
    array([False,  True,  True])
    """
    return ~(y * (X @ w + b) > 0)


@takes(w="d", b="number", X="N d", y="N signs")
def loss(w, b, X, y):
    """L(w, b) = -Σ_{i in M} y_i(w·x_i + b) = Σ_i max(0, -y_i(w·x_i + b))  [A-5.2-8, A-5.2-13, B-loss-3, D-4-4].

    >>> print(loss([3, -4], 5, [[0, 0], [1, 2], [0, 5]], [-1, 1, 1]))  # 5 + 0 + 15
    20.0
    """
    return np.sum(np.maximum(0, -y * (X @ w + b)))


@takes(w="d", b="number", X="N d", y="N signs")
def total_distance(w, b, X, y):
    """L(w, b)/‖w‖ = -1/‖w‖ Σ_{i in M} y_i(w·x_i + b) = Σ_{i in M} |w·x_i + b|/‖w‖, how far the mistakes lie off the
    plane; unlike L, a longer (w, b) leaves it as it is  [A-5.2-5, A-5.2-7, B-loss-2].

    >>> print(total_distance([3, -4], 5, [[0, 0], [1, 2], [0, 5]], [-1, 1, 1]))  # 20/5
    4.0
    """
    return loss(w, b, X, y) / np.linalg.norm(w)


@takes(w="d", b="number", X="N d", y="N signs")
def gradient(w, b, X, y):
    """∇_w L = -Σ_{i in M} y_i x_i, ∇_b L = -Σ_{i in M} y_i; a subgradient (chapter 02) where a sample lies on the plane
    [A-5.3.1-1, B-learn-4, D-4-5].

    >>> print(*gradient([3, -4], 5, [[0, 0], [1, 2], [0, 5]], [-1, 1, 1]))  # of b: 1 - 1 - 1
    [-1. -7.] -1.0
    """
    M = misclassified(w, b, X, y)
    return -(y[M] @ X[M]), -np.sum(y[M])


@takes(w="d", b="number", x_i="d", y_i="number signs", eta="number")
def update(w, b, x_i, y_i, eta=1.0):
    """w ← w + η y_i x_i, b ← b + η y_i  [A-5.3.1-2, B-learn-5, D-4-3].

    >>> update([0, 0], 0, [3, 4], 1, eta=0.5)
    (array([1.5, 2. ]), 0.5)
    """
    return w + eta * y_i * x_i, b + eta * y_i


@takes(w="d", b="number", x_i="d", y_i="number signs")
def distance_slope(w, b, x_i, y_i):
    """lim Δd/η for η → 0 = -(‖x_i‖² + 1)/‖w‖ + (y_i f_i)(y_i w·x_i)/‖w‖³, f_i = w·x_i + b, y_i f_i < 0: what its
    `update` does to the distance of a misclassified sample, away from the plane if positive
    [A-5.3.2-1; errata A49, A50].

    >>> print(distance_slope([3, 4], -6, [1, 0], 1).round(3))  # f = -3: -2/5 - 3·3/125, so it comes nearer
    -0.472
    """
    f, norm = w @ x_i + b, np.linalg.norm(w)
    return -(x_i @ x_i + 1) / norm + (y_i * f) * (y_i * (w @ x_i)) / norm**3


@takes(X="N d", y="N sides", eta="number positive", order="order or None", start="hyperplane or None")
def updates(X, y, eta=1.0, order=None, start=None):
    """Visit the samples in turn, update where one is misclassified, until a pass is clean  [A-5.3.1-4, B-primal-1].

    y holds both labels. order holds the indices in the order of the visits, again and again (0..N-1 unless given).
    start is (w0, b0), zero unless given: any hyperplane will do [B-learn-3]. Yields Update(i, w, b) after each update.
    It never ends where no hyperplane separates the classes: take the first updates with itertools.islice, or take
    `fit`.

    >>> for i, w, b in updates([[2], [0]], [1, -1]):
    ...     print(i, w, b)
    0 [2.] 1.0
    1 [2.] 0.0
    1 [2.] -1.0
    """
    w, b = (np.zeros(X.shape[1]), 0.0) if start is None else start
    visits = range(len(X)) if order is None else order
    clean = 0  # visits since the last mistake
    for i in cycle(visits):
        if y[i] * decision_function(w, b, X[i]) <= 0:
            w, b = update(w, b, X[i], y[i], eta)
            yield Update(int(i), w.copy(), b)
            clean = 0
        else:
            clean += 1
        if clean == len(visits):
            return


@takes(X="N d", y="N sides", eta="number positive", rng="rng")
def random_updates(X, y, eta=1.0, *, rng):
    """Pick one of the misclassified samples at random and update, until none is left  [A-5.3.1-2, B-learn-5].

    y holds both labels. Yields Update(i, w, b) from a zero start.
    """
    w, b = np.zeros(X.shape[1]), 0.0
    while (M := np.flatnonzero(misclassified(w, b, X, y))).size:
        i = int(rng.choice(M))
        w, b = update(w, b, X[i], y[i], eta)
        yield Update(i, w.copy(), b)


@takes(
    X="N d", y="N sides", eta="number positive", order="order or None", start="hyperplane or None", max_updates="count"
)
def fit(X, y, eta=1.0, order=None, start=None, max_updates=100_000):
    """The hyperplane on which `updates` ends, or the one after max_updates  [A-5.3.1-4, B-primal-1].

    Arguments are as in `updates`. It makes the same updates in the same order where nothing is rounded: X of whole
    numbers, eta a power of two. Elsewhere rounding may decide for a sample that lies on the hyperplane. It gives a
    `Fit`. converged=False is no error: then `certificate(X, y)` tells whether any hyperplane can separate the classes.

    >>> found = fit([[2], [0]], [1, -1])
    >>> print(found.w, found.b, found.n_iter, found.converged)
    [2.] -1.0 3 True
    """
    w, b = (np.zeros(X.shape[1]), 0.0) if start is None else start
    advice = "mistakes; certificate(X, y) tells whether a hyperplane can separate them"
    return Fit(*mistakes.last(mistakes.primal(X, y, eta, order, w, b), (w, b), max_updates, advice))


@takes(w="d", b="number", X="N d", y="N signs")
def margin(w, b, X, y):
    """r = min_i y_i(w·x_i + b)/‖(w, b)‖, the smallest product of (w, b) made as long as 1  [A-5.3.3-1].

    >>> print(margin([4], -3, [[2], [0]], [1, -1]))  # min(5, 3)/5
    0.6
    """
    return np.min(y * (X @ w + b)) / np.sqrt(w @ w + b * b)


@takes(w="d", b="number", X="N d", y="N signs", infinite=True)
def novikoff_bound(w, b, X, y):
    """(R/r)², R = max_i ‖(x_i, 1)‖: from zero, no order needs more updates if (w, b) separates  [A-5.3.3-2, A-5.3.3-3].

    Any separating (w, b) gives a bound, the one of the largest margin the best; inf where (w, b) does not separate.

    >>> print(novikoff_bound([1], -1, [[2], [0]], [1, -1]).round(3))  # R² = 5, r² = 1/2
    10.0
    """
    if misclassified(w, b, X, y).any():
        return np.inf
    R_squared = np.max(np.sum(X * X, axis=1)) + 1  # ‖(x, 1)‖² = ‖x‖² + 1
    return R_squared / margin(w, b, X, y) ** 2


@takes(alpha="N", b="number", y="N signs", K="M? N")
def dual_decision_function(alpha, b, y, K):
    """f(x) = Σ_n α_n y_n k(x_n, x) + b, K = k(X_new, X) (M, N); the perceptron's K holds inner products
    [A-5.3.4-2, B-dualalg-1, D-5-17; note D prints x_n for x_n·x: erratum D38].

    >>> dual_decision_function([1, 0, 1], 0, [1, 1, -1], [[6, 5, 2]])  # 6 - 2
    array([4.])
    """
    return K @ (alpha * y) + b


@takes(i="whole", alpha="N", b="number", y_i="number signs", eta="number")
def dual_update(i, alpha, b, y_i, eta=1.0):
    """α_i ← α_i + η, b ← b + η y_i  [A-5.3.4-2, B-dualalg-1].

    >>> dual_update(2, [1, 0, 0.5], 0.5, -1, eta=0.5)
    (array([1., 0., 1.]), 0.0)
    """
    e_i = np.zeros(len(alpha))
    e_i[i] = 1
    return alpha + eta * e_i, b + eta * y_i


@takes(G="N N gram", y="N sides", eta="number positive", order="order or None")
def dual_updates(G, y, eta=1.0, order=None):
    """Where y_i(Σ_j α_j y_j G_ij + b) <= 0: α_i ← α_i + η, b ← b + η y_i  [A-5.3.4-2, B-dualalg-1].

    G holds inner products, y both labels; eta and order are as in `updates`. Yields DualUpdate(i, alpha, b) after each
    update, from a zero start. `updates` makes the same mistakes in the same order where nothing is rounded: X of whole
    numbers, eta a power of two. Elsewhere rounding may decide for a sample that lies on the hyperplane.

    >>> for i, alpha, b in dual_updates([[4, 0], [0, 0]], [1, -1]):
    ...     print(i, alpha, b)
    0 [1. 0.] 1.0
    1 [1. 1.] 0.0
    1 [1. 2.] -1.0
    """
    alpha, b = np.zeros(len(y)), 0.0
    visits = range(len(y)) if order is None else order
    clean = 0  # visits since the last mistake
    for i in cycle(visits):
        if y[i] * dual_decision_function(alpha, b, y, G[i]) <= 0:
            alpha, b = dual_update(i, alpha, b, y[i], eta)
            yield DualUpdate(int(i), alpha.copy(), b)
            clean = 0
        else:
            clean += 1
        if clean == len(visits):
            return


@takes(G="N N gram", y="N sides", eta="number positive", order="order or None", max_updates="count")
def fit_dual(G, y, eta=1.0, order=None, max_updates=100_000):
    """The dual coefficients on which `dual_updates` ends, or those after max_updates  [A-5.3.4-2, B-dualalg-1].

    Arguments are as in `dual_updates`. It makes the same updates in the same order where nothing is rounded: G of whole
    numbers, eta a power of two. It gives a `DualFit`.

    >>> found = fit_dual([[4, 0], [0, 0]], [1, -1])
    >>> print(found.alpha, found.b, found.n_iter, found.converged)
    [1. 2.] -1.0 3 True
    """
    advice = "mistakes; certificate(X, y), with a kernel X = kernels.mercer_features(G), tells whether they end"
    return DualFit(*mistakes.last(mistakes.dual(G, y, eta, order), (np.zeros(len(y)), 0.0), max_updates, advice))


@takes(alpha="N", y="N signs", X="N d")
def primal(alpha, y, X):
    """w = Σ_i α_i y_i x_i, b = Σ_i α_i y_i  [A-5.3.4-1, B-dual-1, B-dual-2].

    >>> print(*primal([1, 2], [1, -1], [[2], [0]]))
    [2.] -1.0
    """
    return (alpha * y) @ X, np.sum(alpha * y)


@takes(X="N d", y="N sides")
def certificate(X, y):
    """Can a hyperplane separate the classes? Either answer comes with its proof  [A-5.2-1, B-sep-1, D-5-2].

    y holds both labels. Each feature is measured from its mean and in a unit of its own, and each signed sample
    y_i(x_i, 1) at length 1. The convex mixture of these that lies nearest to 0 decides. If it is 0, it is the proof
    that none can. If not, it points along a hyperplane that does. Returns a Certificate. Raises LinAlgError where the
    classes touch so closely that rounding hides the answer.

    >>> found = certificate([[0], [2], [1]], [1, 1, -1])  # -1 lies between: it is the mean of the others
    >>> found.separable, found.weights.round(3)
    (False, array([0.25, 0.25, 0.5 ]))
    """
    return Certificate(*separation.certificate(X, y))

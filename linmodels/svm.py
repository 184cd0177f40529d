"""The support vector machine (支持向量机; chapter 10; notes D 5, E on the optimal margin classifier).

X (N, d) holds samples, y (N,) their labels -1 and +1, w (d,) the weights and b the bias. alpha (N,) holds the
multipliers α_n (λ_n in note D), 0 <= α_n <= C; β_n = α_n y_n. K = [k(x_i, x_j)] (N, N) is X Xᵀ for the linear machine.
C = inf is the notes' hard margin, a finite C the soft one: ½‖w‖² + C Σ_n ξ_n, ξ_n = max(0, 1 - y_n f(x_n)).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .guards import checks
from .guards.shapes import takes
from .perceptron import Certificate, decision_function, dual_decision_function, predict  # noqa: F401
from .solvers import machines
from .special import sign
from .svm_algorithms import (  # noqa: F401  svm has the steps too
    balanced,
    best_pair,
    interior_point_iterates,
    newton_direction,
    newton_start,
    newton_step,
    pair_step,
    pairwise_iterates,
    primal_dual_gap,
    scores_by_direction,
)


class Residuals(NamedTuple):
    """By how much the largest of each kind of the KKT conditions is missed: all are 0 at the optimum only."""

    stationarity: float
    primal: float
    dual: float
    slackness: float


@dataclass(frozen=True)
class Fit:
    """The hyperplane of largest margin, its multipliers and what proves it: `gap`, primal minus dual value.

    certificate: where the hard margin has no hyperplane, weights that prove it (then alpha holds these weights).
    """

    w: np.ndarray
    b: float
    alpha: np.ndarray
    n_iter: int
    gap: float
    converged: bool
    reason: str
    certificate: Certificate | None = None


@dataclass(frozen=True)
class DualFit:
    """The same on a kernel matrix, where w is never computed: f(x) = Σ_n α_n y_n k(x_n, x) + b."""

    alpha: np.ndarray
    b: float
    n_iter: int
    gap: float
    converged: bool
    reason: str
    certificate: Certificate | None = None


@takes(w="d", b="number", X="N? d", y="N? signs")
def distances(w, b, X, y):
    """γ_n = y_n(w·x_n + b)/‖w‖: the distance of each sample, negative on the wrong side
    [D-5-3, D-5-19; equal to |w·x_n + b|/‖w‖ on the right side only: erratum D30].

    >>> distances([3, 4], -5, [[0, 0], [3, 4]], [-1, 1])  # 5/5, 20/5
    array([1., 4.])
    """
    return y * (X @ w + b) / np.linalg.norm(w)


@takes(w="d", b="number", X="N d", y="N signs")
def functional_margin(w, b, X, y):
    """γ^ = min_n y_n(w·x_n + b), which grows with the length of (w, b)  [E-margin-10].

    >>> print(functional_margin([3, 4], -5, [[0, 0], [3, 4]], [-1, 1]))  # min(5, 20)
    5.0
    """
    return np.min(y * (X @ w + b))


@takes(w="d", b="number", X="N d", y="N signs")
def geometric_margin(w, b, X, y):
    """γ = γ^/‖w‖ = min_n γ_n, which does not depend on the length of (w, b); negative if a sample is on the wrong side
    [D-5-4, E-margin-5, E-margin-10].

    >>> print(geometric_margin([3, 4], -5, [[0, 0], [3, 4]], [-1, 1]))  # 5/5
    1.0
    """
    return functional_margin(w, b, X, y) / np.linalg.norm(w)


def _separates(w, b, X, y):
    """Every functional margin is above 0."""
    margin = np.min(y * (X @ w + b))
    if not margin > 0:
        raise ValueError(f"w, b must separate the samples, found min y_n(w·x_n + b) = {margin:.3g}; see svm.fit")


@takes(w="d", b="number", X="N d", y="N signs", together=_separates)
def canonical(w, b, X, y):
    """(w, b)/γ^: the same separating hyperplane, scaled to the functional margin 1, where γ = 1/‖w‖
    [D-5-6, E-margin-6].

    Raises ValueError where (w, b) does not separate the samples.

    >>> print(*canonical([3, 4], -5, [[0, 0], [3, 4]], [-1, 1]))
    [0.6 0.8] -1.0
    """
    scale = functional_margin(w, b, X, y)
    return w / scale, b / scale


@takes(w="d", b="number", X="N? d", y="N? signs")
def hinge(w, b, X, y):
    """ξ_n = max(0, 1 - y_n(w·x_n + b)) (N,): what each sample lacks of the functional margin 1.

    >>> hinge([1, 2], 1, [[1, 1], [-1, 0], [0, -1]], [1, -1, -1])  # f = 4, 0, -1
    array([0., 1., 0.])
    """
    return np.maximum(0, 1 - y * (X @ w + b))


@takes(w="d", b="number", X="N d", y="N signs", C="bound", infinite=True)
def primal_objective(w, b, X, y, C=np.inf):
    """½‖w‖² + C Σ_n ξ_n; for C = inf ½‖w‖² where every y_n(w·x_n + b) >= 1, else inf  [D-5-8, E-margin-7].

    >>> print(primal_objective([1, 2], 1, [[1, 1], [-1, 0], [0, -1]], [1, -1, -1], C=3))  # 5/2 + 3 (0 + 1 + 0)
    5.5
    """
    xi = hinge(w, b, X, y)
    xi = np.where(xi > 1e-9, xi, 0.0) if np.isinf(C) else xi  # rounding breaks no constraint
    return w @ w / 2 + (C * np.sum(xi) if xi.any() else 0.0)


@takes(w="d", b="number", alpha="N", X="N d", y="N signs")
def lagrangian(w, b, alpha, X, y):
    """Λ(w, b, α) = ½‖w‖² + Σ_n α_n(1 - y_n(w·x_n + b)), α_n >= 0  [D-5-9; notes without the sign: erratum D34].

    >>> print(lagrangian([1, 2], 1, [1, 10, 100], [[1, 1], [-1, 0], [0, -1]], [1, -1, -1]))  # 5/2 - 3 + 10 + 0
    9.5
    """
    return w @ w / 2 + alpha @ (1 - y * (X @ w + b))


@takes(w="d", b="number", alpha="N", X="N d", y="N signs")
def lagrangian_gradient(w, b, alpha, X, y):
    """∂Λ/∂w = w - Σ_n α_n y_n x_n and ∂Λ/∂b = -Σ_n α_n y_n  [D-5-10, D-5-11; without the minus: erratum D35].

    >>> print(*lagrangian_gradient([1, 2], 1, [1, 10, 100], [[1, 1], [-1, 0], [0, -1]], [1, -1, -1]))
    [-10. -99.] 109.0
    """
    return w - (alpha * y) @ X, -np.sum(alpha * y)


@takes(alpha="N", K="N N", y="N signs")
def dual_objective(alpha, K, y):
    """Γ(α) = Σ_n α_n - ½ Σ_n Σ_m α_n α_m y_n y_m k(x_n, x_m)  [D-5-14; a maximum over α >= 0: erratum D37].

    The formula takes any α, α_n < 0 too.

    >>> print(dual_objective([0.5, 0.5], [[9, 3], [3, 1]], [1, -1]))  # x = 3, 1: 1 - 1/2 ‖1‖²
    0.5
    """
    beta = alpha * y
    return np.sum(alpha) - beta @ K @ beta / 2


@takes(alpha="N", y="N signs", X="N d")
def primal(alpha, y, X):
    """w = Σ_n α_n y_n x_n  [D-5-12]; b is `bias`.

    >>> primal([0.5, 0.5], [1, -1], [[3], [1]])
    array([1.])
    """
    return (alpha * y) @ X


@takes(alpha="N", K="N N", y="N signs", C="bound")
def bias(alpha, K, y, C=np.inf):
    """b = y_s - Σ_n α_n y_n k(x_n, x_s), the mean over the s with 0 < α_s < C: there y_s f(x_s) = 1
    [D-5-17; the notes leave out how: erratum D39]. The other α_n must be 0 or C exactly, as those of `fit` are. Those
    of `svm_algorithms.interior_point_iterates` only come near 0: take the b beside them.

    >>> print(bias([0.5, 0.5], [[9, 3], [3, 1]], [1, -1]))  # 1 - 3 = -1 - 1
    -2.0
    """
    s = (alpha > 0) & (alpha < C)
    if not s.any():
        raise ValueError(f"alpha must hold an entry between 0 and C = {C:g}, found none: then this formula gives no b")
    return np.mean(y[s] - K[s] @ (alpha * y))


@takes(alpha="N", b="number", y="N signs", K="M? N")
def dual_predict(alpha, b, y, K):
    """sgn(Σ_n α_n y_n k(x_n, x) + b)  [D-5-17].

    K is k(X_new, X), a row for each new sample. The formula takes any α, α_n < 0 too.

    >>> dual_predict([0.5, 0.5], -2, [1, -1], [[9, 3], [0, 0]])  # f = 3 - 2, 0 - 2
    array([ 1., -1.])
    """
    return sign(dual_decision_function(alpha, b, y, K))


@takes(alpha="N")
def support_vectors(alpha):
    """The n with α_n > 0, the samples that make w (支持向量); on the margin alone is not enough
    [D-5-7, D-5-16; erratum D32]. α_n of the others must be 0 exactly, as in `fit`.

    >>> support_vectors([0.25, 0, 0.25])
    array([0, 2])
    """
    return np.flatnonzero(alpha > 0)


@takes(w="d", b="number", alpha="N", X="N d", y="N signs", C="bound")
def kkt_residuals(w, b, alpha, X, y, C=np.inf):
    """How far (w, b, α) is from the KKT conditions: ∇Λ = 0; y_n f_n >= 1 - ξ_n; 0 <= α_n <= C; complementary slackness
    (互补松弛) α_n(1 - ξ_n - y_n f_n) = 0, (C - α_n) ξ_n = 0  [D-5-12, D-5-15, D-5-16]. ξ_n = 0 where C = inf.

    >>> kkt_residuals([1], -2, [0.5, 0.5], [[3], [1]], [1, -1])
    Residuals(stationarity=0.0, primal=0.0, dual=0.0, slackness=0.0)
    """
    by_w_and_b = np.append(*lagrangian_gradient(w, b, alpha, X, y))
    short = 1 - y * (X @ w + b)  # what each margin lacks of 1
    xi = np.maximum(0, short) if C < np.inf else np.zeros(len(y))  # the least slack that the primal needs
    return Residuals(
        stationarity=float(np.abs(by_w_and_b).max()),
        primal=float(np.maximum(0, short - xi).max()),
        dual=float(np.maximum(0, [-alpha, alpha - C]).max()),
        slackness=float(np.abs([alpha * (short - xi), np.where(xi > 0, C - alpha, 0.0) * xi]).max()),
    )


@takes(alpha="N", b="number", K="N N", y="N signs", C="bound", infinite=True)
def duality_gap(alpha, b, K, y, C=np.inf):
    """½‖w‖² + C Σ ξ_n - Γ(α) >= 0, and 0 at the optimum only: Γ can grow by so much at most
    [D-5-14; erratum D37].

    For 0 <= α <= C with Σ α_n y_n = 0. Where f separates, `canonical` (w, b), without any ξ, may have the smaller
    primal value; for C = inf it is that one, and inf where f does not separate.

    >>> print(duality_gap([0.5, 0.5], -2, [[9, 3], [3, 1]], [1, -1]))  # 1/2 - 1/2
    0.0
    """
    beta = alpha * y  # a kernel machine is a linear one with the weights αy on the features k(x_1, x), ..., k(x_N, x)
    squared, margin = beta @ K @ beta, functional_margin(beta, b, K, y)
    value = squared / 2 / margin**2 if margin > 0 else np.inf
    if C < np.inf:
        value = min(value, squared / 2 + C * np.sum(hinge(beta, b, K, y)))
    return value - dual_objective(alpha, K, y)


@takes(X="N d", y="N sides", C="bound", tol="number positive", max_iter="count", infinite=True)
def fit(X, y, C=np.inf, tol=1e-9, max_iter=200):
    """arg min ½‖w‖² + C Σ_n max(0, 1 - y_n(w·x_n + b)); C = inf: the hyperplane of the largest margin
    [D-5-5, D-5-8, E-margin-1, E-margin-4, E-margin-7, E-margin-8].

    y holds both labels; C > 0 is in units of 1/X². It is Newton's method on the KKT conditions, until the duality gap
    is at most tol times the objective: the faster twin of `interior_point_iterates`, which guesses the samples on the
    margin as soon as it can. It gives a `Fit`. Where C = inf and no hyperplane separates, converged is False. Then
    w = 0, b = 0, and the certificate holds weights that prove it by one product. Predict with
    `svm.predict(found.w, found.b, X)`; `svm.decision_function` takes the same.

    >>> found = fit([[3], [1]], [1, -1])
    >>> print(found.w.round(3), round(found.b, 3), found.alpha.round(3))  # halfway: f(x) = x - 2
    [1.] -2.0 [0.5 0.5]
    """
    end = machines.linear(X, y, C, tol, max_iter)
    if not np.isfinite(end.alpha).all():
        raise checks.Overflow("the multipliers overflow, they are in units of 1/X²: rescale X")
    proof = Certificate(separable=False, weights=end.alpha) if end.proves else None
    return Fit(end.w, end.b, end.alpha, end.n_iter, end.gap, end.converged, end.reason, proof)


@takes(K="N N gram", y="N sides", C="bound", tol="number positive", max_iter="count", infinite=True)
def fit_dual(K, y, C=np.inf, tol=1e-9, max_iter=100_000):
    """arg max Γ(α) over 0 <= α_n <= C, Σ_n α_n y_n = 0, on any kernel matrix  [D-5-14, D-5-17].

    y holds both labels; C > 0. It is ascent on pairs, the faster twin of `pairwise_iterates`, and on all free α at
    once, until the duality gap is at most tol times the objective. Where C = inf, a gap as small as the last digits of
    K allow counts as converged too, and the reason says so. It gives a `DualFit`, its certificate as in `fit`, in the
    space of the features as far as the digits of K tell. Raises ValueError with a witness where K is seen to be no
    kernel matrix: all of it is looked at up to 400 samples, of more 200 at a time, which the reason then says.

    >>> found = fit_dual([[9, 3], [3, 1]], [1, -1])
    >>> print(found.alpha.round(3), round(found.b, 3))
    [0.5 0.5] -2.0
    """
    end = machines.dual(K, y, C, tol, max_iter)
    proof = Certificate(separable=False, weights=end.alpha) if end.proves else None
    return DualFit(end.alpha, end.b, end.n_iter, end.gap, end.converged, end.reason, proof)

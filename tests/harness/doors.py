"""The doors: the call of each, what of two solutions is compared, and by how much an answer misses its proof."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import definitions as define


class Door(NamedTuple):
    """A call, "chapter.function argument ...", where an argument is a name in `Problem` or in the chapter.

    compared(problem, answer) is the same for all solutions, up to the part rtol. proof(problem, answer) is 0 where the
    answer is a solution, or where a direction or certificate in it proves that there is none.
    """

    call: str
    compared: Callable
    proof: Callable | None = None
    rtol: float = 1e-12


# --- what has a loss: weights may differ, the loss may not ---


def minimum(call, target, penalties, E, equations, falls=None, rtol=1e-12):
    """arg min E(W, X, target, λ, l1), (λ, l1) = penalties(p): `equations` are 0 there, or it `falls` forever."""

    def proof(p, answer):
        if getattr(answer, "direction", None) is not None:
            return falls(answer.direction, p.X, getattr(p, target), sum(penalties(p)))
        return equations(weights(answer), p.X, getattr(p, target), *penalties(p))

    return Door(call, lambda p, answer: E(weights(answer), p.X, getattr(p, target), *penalties(p)), proof, rtol)


def weights(answer):
    return getattr(answer, "w", getattr(answer, "W", answer))


def least_squares(call, penalties=lambda p: (0.0, 0.0), rtol=1e-12, target="y"):
    return minimum(call, target, penalties, define.squares, define.normal, rtol=rtol)


def path(call, l2, l1, rows=lambda p, W: W):
    """A w for each λ of lams, whose penalties are l2 λ‖w‖² + l1 λ‖w‖₁."""

    def each(f, p, W):
        return np.array([f(w, p.X, p.y, l2 * lam, l1 * lam) for w, lam in zip(rows(p, W), p.lams, strict=True)])

    return Door(call, lambda p, W: each(define.squares, p, W), lambda p, W: each(define.normal, p, W).max(), 2e-10)


def on_path(p, found):
    return np.array([[np.interp(lam, found.lams[::-1], w[::-1]) for w in found.W.T] for lam in p.lams])


def likelihood(call, target, penalties=lambda p: (p.lam, 0.0)):
    return minimum(call, target, penalties, *(define.COUNTS if "poisson" in call else define.CLASSES))


def kernel_ridge(p, beta):
    return define.part(p.K @ beta + p.shift * beta - p.y, np.abs(p.K) @ np.abs(beta) + np.abs(p.y))


# --- what separates ---


def primal(p, found):
    """½‖w‖² + C Σ ξ of a machine."""
    if hasattr(found, "w"):
        w, F = define.far(found.w, p.F)
        return define.least_value(w @ w, p.signs * (F @ w + found.b), p.C)
    beta, K = define.far(found.alpha * p.signs, p.K)
    return define.least_value(beta @ K @ beta, p.signs * (K @ beta + found.b), p.C)


def machine(p, found):
    """A machine, or the proof that there is none. The last digits of a kernel matrix leave a `rounding` of squares."""
    alpha, F, K = define.far(found.alpha, p.F, p.K)
    K = F @ F.T if hasattr(found, "w") else K
    rounding = 0.0 if hasattr(found, "w") else 8 * define.EPS * (alpha @ np.abs(K) @ alpha)
    square = (alpha * p.signs) @ K @ (alpha * p.signs)
    if found.certificate is None:
        return define.optimal(primal(p, found) - rounding, alpha, square, p.signs, p.C)
    return define.balanced(alpha, max(abs(square) - rounding, 0), p.signs, K)


def certificate(p, found):
    (F,) = define.far(p.F)
    if found.separable:
        return float(np.maximum(0, 1 - np.min(p.signs * (F @ found.w + found.b)) / found.margin))
    beta = found.weights * p.signs
    return define.balanced(found.weights, abs(beta @ F @ F.T @ beta), p.signs, F @ F.T)


def separates(p, found):
    w, Z = (found.w, p.Z) if hasattr(found, "w") else (found.alpha * p.signs, p.G)
    return float(np.any(p.signs * (Z @ w + found.b) <= 0))


# --- what is the same numbers for everyone ---


def formula(call, rtol=1e-10, compared=lambda p, answer: answer):
    return Door(call, compared, None, rtol)


def fields(p, found):
    return tuple(value for value in vars(found).values() if not isinstance(value, (str, bool)))


def linear_scores(p, found):
    return np.diff((p.F - p.F[0]) @ found[0] + (found[1] + p.F[0] @ found[0]))


def ratios(call, t, W=lambda answer: answer):
    """Directions w of largest wᵀS_b w / wᵀS_w w."""

    def of(f):
        return lambda p, found: f(W(found), p.F, getattr(p, t))

    return Door(call, of(define.within_shares), of(define.eigenvectors), 1e-10)


NEED_FULL_RANK = [  # of what has no penalty
    least_squares("linear_regression.least_squares X y"),
    least_squares("linear_regression.normal_equations X y"),
    least_squares("regularization.ridge X y lam", lambda p: (p.lam, 0.0)),
    formula("regularization.ridge_normal_equations X y lam"),
    least_squares("glm.fit X y gaussian lam", lambda p: (p.lam, 0.0)),
    likelihood("glm.fit X t bernoulli lam", "not_t"),
    likelihood("glm.fit X n poisson lam", "n"),
    likelihood("glm.fit X k categorical lam", "k"),
    formula("glm.irls_iterates X n poisson lam"),
    formula("glm.log_linear_regression X positive", 1e-6),
    likelihood("logistic_regression.fit X t lam", "not_t"),
    formula("logistic_regression.newton_iterates X t lam"),
    likelihood("softmax_regression.fit X T lam", "k"),
    formula("softmax_regression.newton_iterates X T lam"),
]
DOORS = [
    *NEED_FULL_RANK,
    least_squares("linear_regression.minimum_norm X y"),
    formula("linear_regression.minimum_norm X y", 1e-6, lambda p, w: w @ w),  # of many the shortest
    Door("regularization.ridge_dual K y shift", lambda p, beta: p.K @ beta, kernel_ridge, 1e-6),
    path("regularization.ridge_path X y lams", 1.0, 0.0),
    least_squares("regularization.lasso X y l1", lambda p: (0.0, p.l1), 2e-10),  # what the gap of a `Fit` allows
    least_squares("regularization.elastic_net X y l1 half", lambda p: (p.l1 / 4, p.l1 / 2), 2e-10),
    path("regularization.elastic_net_path X y lams half", 0.25, 0.5),
    path("regularization.lasso_path X y", 0.0, 1.0, on_path),
    likelihood("logistic_regression.fit_l1 X t l1", "not_t", lambda p: (0.0, p.l1)),
    least_squares("least_squares_classifier.fit X T", target="T"),
    formula("least_squares_classifier.fit X T", 1e-6, lambda p, W: np.sum(W * W)),
    ratios("lda.direction F t", "t"),
    ratios("lda.directions F k", "k", lambda found: found[0]),
    formula("lda.discriminants F k", 1e-8, linear_scores),
    formula("naive_bayes.fit B k", 1e-12, fields),
    Door("perceptron.fit Z signs one none none many", fields, separates),
    Door("perceptron.fit_dual G signs one none many", fields, separates),
    Door("perceptron.certificate F signs", lambda p, found: found.separable, certificate),
    Door("svm.fit F signs C", primal, machine, 2e-9),
    Door("svm.fit_dual K signs C", primal, machine, 2e-9),
    formula("kernels.gaussian F F width"),
    formula("kernels.gram polynomial F"),
    formula("kernels.is_positive_semidefinite K", 0.0, lambda p, found: found[0]),
    formula("kernels.mercer_features K", 1e-9, lambda p, Phi: Phi @ Phi.T),
]

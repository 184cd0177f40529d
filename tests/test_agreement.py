"""Each plain form beside the solver that does its work faster or on harder data: equal on ordinary data sets (20 with
`-m slow`).

A plain form is the equation of a chapter; its twin in `solvers/` (or the door that calls it) has to give the same
numbers, to 1e-12 of the largest entry, or to the condition that a pair states. Hard data are tested on the solver.
"""

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest
from cases import slow

from linmodels import (
    glm,
    kernels,
    lda,
    least_squares_classifier,
    linear_regression,
    logistic_regression,
    optimize,
    perceptron,
    regularization,
    softmax_regression,
    svm,
)
from linmodels.optimize import trajectory
from linmodels.solvers import (
    distances,
    families,
    interior_point,
    least_squares,
    likelihood,
    mistakes,
    pairwise,
    penalized,
    scatter,
)
from linmodels.solvers.likelihood import Problem


class Ordinary:
    """A problem of each kind, of a seed: 40 samples, 4 features of like size, nothing dependent, nothing extreme."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.X = rng.normal(size=(40, 4)) * rng.uniform(0.5, 2, 4) + rng.uniform(-1, 1, 4)
        self.Z = rng.normal(size=(7, 4))
        self.w, self.b, self.lam, self.rho = (
            rng.normal(size=4),
            rng.normal(),
            rng.uniform(0.1, 2),
            rng.uniform(0.2, 0.9),
        )
        self.y = self.X @ self.w + self.b + 0.3 * rng.normal(size=40)
        self.bits = (self.X @ self.w + self.b + rng.logistic(size=40) > 0) * 1.0
        self.signs = 2 * self.bits - 1  # of classes that overlap
        self.t = np.concatenate([np.arange(3), rng.integers(0, 3, 37)])
        self.T = np.eye(3)[self.t]
        self.K = self.X @ self.X.T + 1
        self.each = np.full(4, self.lam)


class Pair(NamedTuple):
    """Two functions of an `Ordinary` problem whose answers (an array, or a tuple of some) are the same."""

    plain: Callable
    solver: Callable
    tol: float = 1e-12


def of_bits(p: Ordinary) -> likelihood.Problem:
    return likelihood.Problem(p.X, p.bits, families.BITS, np.full(4, p.lam))


def of_classes(p: Ordinary) -> likelihood.Problem:
    return likelihood.Problem(p.X, p.T, families.ALL_CLASSES, np.full(4, p.lam))


def columns_per_class(p: Ordinary) -> np.ndarray:
    return softmax_regression.centered(np.column_stack([p.w, p.Z[0], p.Z[1]]))


def penalized_loss(w: np.ndarray, problem: likelihood.Problem) -> float:
    X, T, family, lam = problem
    return likelihood.negative_log_likelihood(X @ w, T, family) + lam[0] * np.vdot(w, w) / 2


def newton_step(w: np.ndarray, problem: likelihood.Problem) -> np.ndarray:
    """w - H⁻¹∇E(w) of what the solver has for H and ∇E."""
    H, g = likelihood.hessian(problem.X @ w, problem), likelihood.gradient(w, problem)
    return w - np.linalg.solve(H, g.ravel()).reshape(w.shape)


def end_of_newton(iterates) -> np.ndarray:
    return optimize.run(iterates, tol=0.0).w


def pairs_of_solver(p: Ordinary) -> np.ndarray:
    """α after each of the first 12 pairs that the solver changes."""
    problem = pairwise.problem_of(p.K, p.signs, 1.0)
    beta, F, states = np.zeros(40), p.signs.copy(), []
    for _ in range(12):
        pairwise.run_pairs(problem, beta, F, 0.0, 1)
        states.append(p.signs * beta / problem.unit)
    return np.array(states)


def newton_of_solver(p: Ordinary) -> np.ndarray:
    """dP of the pure Newton step on the KKT conditions from the start."""
    Z = p.signs[:, None] * np.column_stack([p.X, np.ones(40)])
    point = svm.newton_start(p.X, p.signs, 1.0)
    _, pure = interior_point.newton_step(Z, np.zeros(5), interior_point.Point(*point))
    return pure * point.P


def gap_of_solver(p: Ordinary) -> float:
    Z, alpha = p.signs[:, None] * np.column_stack([p.X, np.ones(40)]), balanced(p)
    u = np.append(p.w, p.b)
    return interior_point.smallest_gap(Z @ u, alpha, 2.0, lambda k: np.sum((k * u - alpha @ Z)[:-1] ** 2) / 2)[0]


def balanced(p: Ordinary) -> np.ndarray:
    """Multipliers with Σ α_n y_n = 0."""
    return np.where(p.signs > 0, 1 / np.sum(p.signs > 0), 1 / np.sum(p.signs < 0))


def of_machine(p: Ordinary, found) -> np.ndarray:
    return svm.dual_decision_function(found.alpha, found.b, p.signs, p.K)


def of_plane(p: Ordinary, found) -> np.ndarray:
    """w and the primal value: b may be one of many."""
    return np.append(found.w, svm.primal_objective(found.w, found.b, p.X, p.signs, 0.1))


def some_updates(updates) -> tuple:
    """The last two entries of each of the first 60 updates."""
    return tuple(np.array(part) for part in zip(*[update[-2:] for update in islice(updates, 60)], strict=True))


def within_to_between(p: Ordinary) -> np.ndarray:
    """S_w⁻¹S_b."""
    return np.linalg.solve(lda.scatter_within(p.X, p.t), lda.scatter_between(p.X, p.t))


def seven(X: np.ndarray) -> np.ndarray:
    """Seven features of four: so many that their products are multiplied out."""
    return X @ np.random.default_rng(0).normal(size=(4, 7))


PAIRS: dict[str, Pair] = {
    "perceptron.updates": Pair(
        lambda p: some_updates(perceptron.updates(p.X, p.signs, 0.3)),
        lambda p: some_updates(mistakes.primal(p.X, p.signs, 0.3, None, np.zeros(4), 0.0)),
    ),
    "perceptron.dual_updates": Pair(
        lambda p: some_updates(perceptron.dual_updates(p.K, p.signs, 0.3)),
        lambda p: some_updates(mistakes.dual(p.K, p.signs, 0.3, None)),
    ),
    "svm.pairwise_iterates": Pair(
        lambda p: np.array([s.alpha for s in islice(svm.pairwise_iterates(p.K, p.signs, 1.0), 1, 13)]), pairs_of_solver
    ),
    "svm.pairwise_iterates to their end": Pair(
        lambda p: of_machine(p, list(islice(svm.pairwise_iterates(p.K, p.signs, 0.1), 20_000))[-1]),
        lambda p: of_machine(p, svm.fit_dual(p.K, p.signs, 0.1)),
        tol=1e-6,  # where the gap is 0 to all digits, f is right to half of them
    ),
    "svm.newton_direction": Pair(
        lambda p: svm.newton_direction(svm.newton_start(p.X, p.signs, 1.0), p.X, p.signs)[1], newton_of_solver
    ),
    "svm.primal_dual_gap": Pair(lambda p: svm.primal_dual_gap(p.w, p.b, balanced(p), p.X, p.signs, 2.0), gap_of_solver),
    "svm.interior_point_iterates": Pair(
        lambda p: of_plane(p, list(svm.interior_point_iterates(p.X, p.signs, 0.1))[-1]),
        lambda p: of_plane(p, svm.fit(p.X, p.signs, 0.1)),
        tol=1e-6,  # where the gap is 0 to all digits, w is right to half of them
    ),
    "linear_regression.normal_equations": Pair(
        lambda p: linear_regression.normal_equations(p.X, p.y), lambda p: linear_regression.least_squares(p.X, p.y)
    ),
    "linear_regression.minimum_norm": Pair(
        lambda p: linear_regression.minimum_norm(p.X, p.y), lambda p: least_squares.shortest(p.X, p.y[:, None])[:, 0]
    ),
    "linear_regression.minimum_norm of few samples": Pair(
        lambda p: linear_regression.minimum_norm(p.X[:3], p.y[:3]),
        lambda p: least_squares.shortest(p.X[:3], p.y[:3, None])[:, 0],
    ),
    "regularization.ridge_normal_equations": Pair(
        lambda p: regularization.ridge_normal_equations(p.X, p.y, p.lam),
        lambda p: regularization.ridge(p.X, p.y, p.lam),
    ),
    "regularization.ridge_dual": Pair(
        lambda p: p.X.T @ regularization.ridge_dual(p.X @ p.X.T, p.y, p.lam),
        lambda p: penalized.ridge(p.X, p.y, p.each),
    ),
    "regularization.ridge_rows": Pair(
        lambda p: regularization.ridge_rows(p.X, p.y, p.lam), lambda p: penalized.rows(p.X, p.y, p.each)
    ),
    "regularization.ridge_path": Pair(
        lambda p: regularization.ridge_path(p.X, p.y, [p.lam, 9.0]),
        lambda p: np.array([penalized.ridge(p.X, p.y, p.each), penalized.ridge(p.X, p.y, np.full(4, 9.0))]),
    ),
    "regularization.coordinate_iterates": Pair(
        lambda p: trajectory(regularization.coordinate_iterates(p.X, p.y, p.lam, p.rho), 200)[-1],
        lambda p: regularization.elastic_net(p.X, p.y, p.lam, p.rho).w,
    ),
    "regularization.duality_gap": Pair(
        lambda p: (
            regularization.duality_gap(p.w, p.X, p.y, p.lam, p.rho),
            regularization.loss(p.w, p.X, p.y, p.lam, p.rho),
        ),
        lambda p: penalized.duality_gap(p.w, p.X, p.y, p.each * p.rho, p.each * (1 - p.rho)),
    ),
    "regularization.duality_gap of a lasso with a free column": Pair(
        lambda p: regularization.duality_gap(p.w, p.X, p.y, p.each * (np.arange(4) > 0)),
        lambda p: penalized.duality_gap(p.w, p.X, p.y, p.each * (np.arange(4) > 0), np.zeros(4))[0],
    ),
    "least_squares_classifier.closed_form": Pair(
        lambda p: least_squares_classifier.closed_form(p.X, p.T), lambda p: least_squares_classifier.fit(p.X, p.T)
    ),
    "logistic_regression.loss": Pair(
        lambda p: logistic_regression.loss(p.w, p.X, p.bits, p.lam), lambda p: penalized_loss(p.w, of_bits(p))
    ),
    "logistic_regression.gradient": Pair(
        lambda p: logistic_regression.gradient(p.w, p.X, p.bits, p.lam), lambda p: likelihood.gradient(p.w, of_bits(p))
    ),
    "logistic_regression.hessian": Pair(
        lambda p: logistic_regression.hessian(p.w, p.X, p.lam), lambda p: likelihood.hessian(p.X @ p.w, of_bits(p))
    ),
    "logistic_regression.newton_step": Pair(
        lambda p: logistic_regression.newton_step(p.w, p.X, p.bits, p.lam), lambda p: newton_step(p.w, of_bits(p))
    ),
    "logistic_regression.irls_step": Pair(
        lambda p: logistic_regression.irls_step(p.w, p.X, p.bits, p.lam), lambda p: newton_step(p.w, of_bits(p))
    ),
    "logistic_regression.newton_iterates": Pair(
        lambda p: end_of_newton(logistic_regression.newton_iterates(p.X, p.bits, p.lam)),
        lambda p: logistic_regression.fit(p.X, p.bits, p.lam).w,
        tol=1e-8,  # at which the fit ends
    ),
    "softmax_regression.loss": Pair(
        lambda p: softmax_regression.loss(columns_per_class(p), p.X, p.T, p.lam),
        lambda p: penalized_loss(columns_per_class(p), of_classes(p)),
    ),
    "softmax_regression.gradient": Pair(
        lambda p: softmax_regression.gradient(columns_per_class(p), p.X, p.T, p.lam),
        lambda p: likelihood.gradient(columns_per_class(p), of_classes(p)),
    ),
    "softmax_regression.hessian": Pair(
        lambda p: softmax_regression.hessian(columns_per_class(p), p.X, p.lam),
        lambda p: likelihood.hessian(
            p.X @ columns_per_class(p), of_classes(p)._replace(family=families.ALL_CLASSES._replace(gram=None))
        ),
    ),
    "softmax_regression.newton_step": Pair(
        lambda p: softmax_regression.newton_step(columns_per_class(p), p.X, p.T, p.lam),
        lambda p: newton_step(columns_per_class(p), of_classes(p)),
    ),
    "softmax_regression.newton_iterates": Pair(
        lambda p: end_of_newton(softmax_regression.newton_iterates(p.X, p.T, p.lam)),
        lambda p: softmax_regression.fit(p.X, p.T, p.lam).W,
        tol=1e-8,  # at which the fit ends
    ),
    "glm.gradient of bits": Pair(
        lambda p: glm.gradient(p.w, p.X, p.bits, glm.bernoulli, p.lam),
        lambda p: likelihood.gradient(p.w, Problem(p.X, p.bits, families.BITS, p.lam)),
    ),
    "glm.gradient of counts": Pair(
        lambda p: glm.gradient(p.w / 4, p.X, p.t, glm.poisson, p.lam),
        lambda p: likelihood.gradient(p.w / 4, Problem(p.X, p.t, families.COUNTS, p.lam)),
    ),
    "glm.gradient of classes": Pair(
        lambda p: glm.gradient(p.Z[:4, :2], p.X, p.t, glm.categorical, p.lam),
        lambda p: likelihood.gradient(p.Z[:4, :2], Problem(p.X, p.T[:, :2], families.REFERENCE_CLASSES, p.lam)),
    ),
    "glm.hessian of bits": Pair(
        lambda p: glm.hessian(p.w, p.X, p.bits, glm.bernoulli, p.lam),
        lambda p: likelihood.hessian(p.X @ p.w, Problem(p.X, p.bits, families.BITS, np.full(4, p.lam))),
    ),
    "glm.hessian of classes": Pair(
        lambda p: glm.hessian(p.Z[:4, :2], p.X, p.t, glm.categorical, p.lam),
        lambda p: likelihood.hessian(
            p.X @ p.Z[:4, :2], Problem(p.X, p.T[:, :2], families.REFERENCE_CLASSES, np.full(4, p.lam))
        ),
    ),
    "glm.irls_iterates": Pair(
        lambda p: optimize.run(glm.irls_iterates(p.X, p.bits, glm.bernoulli, p.lam)).w,
        lambda p: glm.fit(p.X, p.bits, glm.bernoulli, p.lam).w,
        tol=1e-8,
    ),
    "lda.means and scatter_within": Pair(
        lambda p: (lda.means(p.X - p.X[0], p.t), lda.scatter_within(p.X, p.t)),
        lambda p: (scatter.means_from_first(p.X, p.t), scatter.within_scatter(p.X, p.t)),
    ),
    "lda.direction": Pair(
        lambda p: np.linalg.solve(lda.scatter_within(p.X, p.bits), -np.diff(lda.means(p.X, p.bits), axis=0)[0]),
        lambda p: lda.direction(p.X, p.bits),
    ),
    "lda.direction through the total scatter": Pair(
        lambda p: lda.direction(p.X, p.bits), lambda p: scatter.singular_direction(p.X, p.bits.astype(int))
    ),
    "lda.directions": Pair(
        lambda p: np.sort(np.linalg.eigvals(within_to_between(p)).real)[:1:-1],
        lambda p: lda.directions(p.X, p.t)[1],
    ),
    "lda.directions through the total scatter": Pair(
        lambda p: lda.directions(p.X, p.t), lambda p: scatter.singular_directions(p.X, p.t)
    ),
    "kernels.gaussian": Pair(
        lambda p: np.exp(-np.sum((p.X[:, None] - p.Z) ** 2, axis=2) / 2), lambda p: kernels.gaussian(p.X, p.Z)
    ),
    "kernels.gaussian_on_grid": Pair(
        lambda p: kernels.expansion(kernels.gaussian, p.X[:, [0, 0]], p.Z[:, :2], p.w[[0, 1, 2, 3, 0, 1, 2]]),
        lambda p: np.diag(kernels.gaussian_on_grid(p.X[:, 0], p.X[:, 0], p.Z[:, :2], p.w[[0, 1, 2, 3, 0, 1, 2]])),
    ),
    "distances.squared_distances of many features": Pair(
        lambda p: np.sum((seven(p.X)[:, None] - seven(p.Z)) ** 2, axis=2),
        lambda p: distances.squared_distances(seven(p.X), seven(p.Z)),
    ),
    "distances.power": Pair(lambda p: (p.X @ p.Z.T + p.b) ** 5, lambda p: distances.power(p.X @ p.Z.T + p.b, 5)),
}


def entries(answer):
    """All numbers of an answer, each array in units of its largest entry."""
    arrays = [np.asarray(a, float) for a in (answer if isinstance(answer, tuple) else (answer,))]
    return [(a, np.abs(a).max(initial=1e-300)) for a in arrays]


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("seed", [*range(2), *slow(range(2, 20))])
def test_the_plain_form_and_its_solver_agree(name, seed):
    pair, problem = PAIRS[name], Ordinary(seed)
    for (plain, size), (solved, _) in zip(entries(pair.plain(problem)), entries(pair.solver(problem)), strict=True):
        assert plain.shape == solved.shape
        assert np.abs(plain - solved).max() <= pair.tol * size

"""Each plain form beside the solver that does its work faster or on harder data: equal on ordinary data.

A plain form is the equation of a chapter; its twin in `solvers/` (or the door that calls it) has to give the same
numbers, to 1e-12 of the largest entry, or to the tolerance of an end. Hard data are tested on the solver.
"""

from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest
from cases import slow

from linmodels import glm, kernels, lda, optimize, perceptron, svm
from linmodels import least_squares_classifier as lsc
from linmodels import linear_regression as lr
from linmodels import logistic_regression as logreg
from linmodels import regularization as reg
from linmodels import softmax_regression as smr
from linmodels.solvers import distances, interior_point, likelihood, mistakes, pairwise, penalized, scatter
from linmodels.solvers.families import ALL_CLASSES, BERNOULLI, CATEGORICAL, POISSON
from linmodels.solvers.least_squares import shortest
from linmodels.solvers.likelihood import Problem


class Ordinary:
    """A problem of each kind, of a seed: 40 samples, 4 features of like size, nothing dependent, nothing extreme."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.X = rng.normal(size=(40, 4)) * rng.uniform(0.5, 2, 4) + rng.uniform(-1, 1, 4)
        self.Z = rng.normal(size=(7, 4))
        self.w, self.b = rng.normal(size=4), rng.normal()
        self.lam, self.rho = rng.uniform(0.1, 2), rng.uniform(0.2, 0.9)
        self.y = self.X @ self.w + self.b + 0.3 * rng.normal(size=40)
        self.bits = (self.X @ self.w + self.b + rng.logistic(size=40) > 0) * 1.0
        self.signs = 2 * self.bits - 1  # of classes that overlap
        self.t = np.concatenate([np.arange(3), rng.integers(0, 3, 37)])
        self.T = np.eye(3)[self.t]
        self.K = self.X @ self.X.T + 1
        self.each = np.full(4, self.lam)
        self.W = smr.centered(np.column_stack([self.w, self.Z[0], self.Z[1]]))  # a column of weights per class
        self.of_bits = Problem(self.X, self.bits, BERNOULLI, self.each)
        self.of_classes = Problem(self.X, self.T, ALL_CLASSES, self.each)
        self.of_two = Problem(self.X, self.T[:, :2], CATEGORICAL, self.each)
        self.balanced = np.where(self.signs > 0, 1 / np.sum(self.signs > 0), 1 / np.sum(self.signs < 0))  # Σ α y = 0


def penalized_loss(w: np.ndarray, problem: Problem) -> float:
    X, T, family, lam = problem
    return likelihood.negative_log_likelihood(X @ w, T, family) + lam[0] * np.vdot(w, w) / 2


def newton_step(w: np.ndarray, problem: Problem) -> np.ndarray:
    """w - H⁻¹∇E(w) of what the solver has for H and ∇E."""
    H, g = likelihood.hessian(problem.X @ w, problem), likelihood.gradient(w, problem)
    return w - np.linalg.solve(H, g.ravel()).reshape(w.shape)


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
    Z, alpha = p.signs[:, None] * np.column_stack([p.X, np.ones(40)]), p.balanced
    u = np.append(p.w, p.b)
    return interior_point.smallest_gap(Z @ u, alpha, 2.0, lambda k: np.sum((k * u - alpha @ Z)[:-1] ** 2) / 2)[0]


def some_updates(updates) -> tuple:
    """The last two entries of each of the first 60 updates."""
    return tuple(np.array(part) for part in zip(*[update[-2:] for update in islice(updates, 60)], strict=True))


def seven(X: np.ndarray) -> np.ndarray:
    """Seven features of four: so many that their products are multiplied out."""
    return X @ np.random.default_rng(0).normal(size=(4, 7))


def squares(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    return np.sum((X[:, None] - Z) ** 2, axis=2)


PAIRS: dict[str, Callable[[Ordinary], tuple]] = {  # the answer of the plain form, and that of its twin
    "perceptron.updates": lambda p: (
        some_updates(perceptron.updates(p.X, p.signs, 0.3)),
        some_updates(mistakes.primal(p.X, p.signs, 0.3, None, np.zeros(4), 0.0)),
    ),
    "perceptron.dual_updates": lambda p: (
        some_updates(perceptron.dual_updates(p.K, p.signs, 0.3)),
        some_updates(mistakes.dual(p.K, p.signs, 0.3, None)),
    ),
    "svm.pairwise_iterates": lambda p: (
        np.array([s.alpha for s in islice(svm.pairwise_iterates(p.K, p.signs, 1.0), 1, 13)]),
        pairs_of_solver(p),
    ),
    "svm.newton_direction": lambda p: (
        svm.newton_direction(svm.newton_start(p.X, p.signs, 1.0), p.X, p.signs)[1],
        newton_of_solver(p),
    ),
    "svm.primal_dual_gap": lambda p: (
        svm.primal_dual_gap(p.w, p.b, p.balanced, p.X, p.signs, 2.0),
        gap_of_solver(p),
    ),
    "normal_equations": lambda p: (lr.normal_equations(p.X, p.y), lr.least_squares(p.X, p.y)),
    "minimum_norm": lambda p: (lr.minimum_norm(p.X, p.y), shortest(p.X, p.y[:, None])[:, 0]),
    "minimum_norm of few samples": lambda p: (
        lr.minimum_norm(p.X[:3], p.y[:3]),
        shortest(p.X[:3], p.y[:3, None])[:, 0],
    ),
    "ridge_normal_equations": lambda p: (reg.ridge_normal_equations(p.X, p.y, p.lam), reg.ridge(p.X, p.y, p.lam)),
    "ridge_dual": lambda p: (p.X.T @ reg.ridge_dual(p.X @ p.X.T, p.y, p.lam), penalized.ridge(p.X, p.y, p.each)),
    "ridge_rows": lambda p: (reg.ridge_rows(p.X, p.y, p.lam), penalized.rows(p.X, p.y, p.each)),
    "ridge_path": lambda p: (reg.ridge_path(p.X, p.y, [p.lam])[0], penalized.ridge(p.X, p.y, p.each)),
    "coordinate_iterates": lambda p: (
        optimize.trajectory(reg.coordinate_iterates(p.X, p.y, p.lam, p.rho), 200)[-1],
        reg.elastic_net(p.X, p.y, p.lam, p.rho).w,
    ),
    "duality_gap": lambda p: (
        (reg.duality_gap(p.w, p.X, p.y, p.lam, p.rho), reg.loss(p.w, p.X, p.y, p.lam, p.rho)),
        penalized.duality_gap(p.w, p.X, p.y, p.each * p.rho, p.each * (1 - p.rho)),
    ),
    "duality_gap of a lasso with a free column": lambda p: (
        reg.duality_gap(p.w, p.X, p.y, p.each * (np.arange(4) > 0)),
        penalized.duality_gap(p.w, p.X, p.y, p.each * (np.arange(4) > 0), np.zeros(4))[0],
    ),
    "closed_form": lambda p: (lsc.closed_form(p.X, p.T), lsc.fit(p.X, p.T)),
    "loss of bits": lambda p: (logreg.loss(p.w, p.X, p.bits, p.lam), penalized_loss(p.w, p.of_bits)),
    "gradient of bits": lambda p: (logreg.gradient(p.w, p.X, p.bits, p.lam), likelihood.gradient(p.w, p.of_bits)),
    "hessian of bits": lambda p: (logreg.hessian(p.w, p.X, p.lam), likelihood.hessian(p.X @ p.w, p.of_bits)),
    "newton_step of bits": lambda p: (logreg.newton_step(p.w, p.X, p.bits, p.lam), newton_step(p.w, p.of_bits)),
    "loss of classes": lambda p: (smr.loss(p.W, p.X, p.T, p.lam), penalized_loss(p.W, p.of_classes)),
    "gradient of classes": lambda p: (smr.gradient(p.W, p.X, p.T, p.lam), likelihood.gradient(p.W, p.of_classes)),
    "hessian of classes": lambda p: (
        smr.hessian(p.W, p.X, p.lam),
        likelihood.hessian(p.X @ p.W, p.of_classes._replace(family=ALL_CLASSES._replace(gram=None))),
    ),
    "newton_step of classes": lambda p: (smr.newton_step(p.W, p.X, p.T, p.lam), newton_step(p.W, p.of_classes)),
    "glm.gradient of counts": lambda p: (
        glm.gradient(p.w / 4, p.X, p.t, glm.poisson, p.lam),
        likelihood.gradient(p.w / 4, Problem(p.X, p.t, POISSON, p.each)),
    ),
    "glm.gradient of classes": lambda p: (
        glm.gradient(p.W[:, :2], p.X, p.t, glm.categorical, p.lam),
        likelihood.gradient(p.W[:, :2], p.of_two),
    ),
    "glm.hessian of classes": lambda p: (
        glm.hessian(p.W[:, :2], p.X, p.t, glm.categorical, p.lam),
        likelihood.hessian(p.X @ p.W[:, :2], p.of_two),
    ),
    "lda.means and scatter_within": lambda p: (
        (lda.means(p.X - p.X[0], p.t), lda.scatter_within(p.X, p.t)),
        (scatter.means_from_first(p.X, p.t), scatter.within_scatter(p.X, p.t)),
    ),
    "lda.direction": lambda p: (
        np.linalg.solve(lda.scatter_within(p.X, p.bits), np.diff(lda.means(p.X, p.bits), axis=0)[0]),
        lda.direction(p.X, p.bits),
    ),
    "lda.direction through the total scatter": lambda p: (
        lda.direction(p.X, p.bits),
        scatter.singular_direction(p.X, p.bits.astype(int)),
    ),
    "lda.directions": lambda p: (
        np.sort(np.linalg.eigvals(np.linalg.solve(lda.scatter_within(p.X, p.t), lda.scatter_between(p.X, p.t))).real)[
            2:
        ],
        lda.directions(p.X, p.t)[1][::-1],
    ),
    "lda.directions through the total scatter": lambda p: (
        lda.directions(p.X, p.t),
        scatter.singular_directions(p.X, p.t),
    ),
    "kernels.gaussian": lambda p: (np.exp(-squares(p.X, p.Z) / 2), kernels.gaussian(p.X, p.Z)),
    "kernels.gaussian_on_grid": lambda p: (
        kernels.expansion(kernels.gaussian, p.X[:, [0, 0]], p.Z[:, :2], p.y[:7]),
        np.diag(kernels.gaussian_on_grid(p.X[:, 0], p.X[:, 0], p.Z[:, :2], p.y[:7])),
    ),
    "squared_distances of many features": lambda p: (
        squares(seven(p.X), seven(p.Z)),
        distances.squared_distances(seven(p.X), seven(p.Z)),
    ),
    "power": lambda p: ((p.X @ p.Z.T + p.b) ** 5, distances.power(p.X @ p.Z.T + p.b, 5)),
}
ENDS: dict[str, Callable[[Ordinary], tuple]] = {  # where the last step is small, not 0
    "logistic_regression.newton_iterates": lambda p: (
        optimize.run(logreg.newton_iterates(p.X, p.bits, p.lam), tol=0.0).w,
        logreg.fit(p.X, p.bits, p.lam).w,
    ),
    "softmax_regression.newton_iterates": lambda p: (
        optimize.run(smr.newton_iterates(p.X, p.T, p.lam), tol=0.0).w,
        smr.fit(p.X, p.T, p.lam).W,
    ),
}
TWINS = {name: (1e-12, answers) for name, answers in PAIRS.items()} | {
    f"{name}, the end": (1e-8, answers) for name, answers in ENDS.items()
}


@pytest.mark.parametrize("seed", [0, 1, *slow(range(2, 8))])
@pytest.mark.parametrize("tol, answers", TWINS.values(), ids=TWINS)
def test_the_plain_form_and_its_twin_agree(tol, answers, seed):
    """Each array in units of its largest entry."""
    plain, twin = (
        [np.asarray(a, float) for a in (x if isinstance(x, tuple) else (x,))] for x in answers(Ordinary(seed))
    )
    for a, b in zip(plain, twin, strict=True):
        assert a.shape == b.shape
        assert np.abs(a - b).max() <= tol * np.abs(a).max(initial=1e-300)

"""Maximum likelihood with an L1 penalty: a lasso in each Newton step (the solver of `logistic_regression.fit_l1`)."""

from dataclasses import replace

import numpy as np

from .. import optimize
from . import cholesky, moments, sparse
from .likelihood import (
    MOST_STEPS,
    SATURATED_SCORE,
    Fit,
    negative_log_likelihood,
    recession_direction,
    residual,
    with_penalties,
)

LOST = (
    "with samples weighted by p(1 - p), of some near 0, columns of X are dependent to rounding; leave one of them out, "
    "or give a larger lam"
)


def fit(problem):
    """The w that minimizes E(w) + λ‖w‖₁, a `Fit`; measured from the means where a constant column is free."""
    problem = with_penalties(problem)
    X, lam = problem.X, problem.lam
    origin = moments.origin(X, free=lam == 0)
    found = _proximal_newton(problem._replace(X=X - origin.m))
    found = replace(found, w=origin.uncentered(found.w, X))
    moderate = found.converged and np.abs(X @ found.w).max() <= SATURATED_SCORE
    direction = None if moderate else recession_direction(problem, found.w)
    if direction is None:
        return found
    why = "no finite minimum: along `direction` the loss falls forever; a penalty on the columns it uses gives one"
    return replace(found, converged=False, reason=why, direction=direction)


def _proximal_newton(problem):
    X = problem.X
    w, k = np.zeros(X.shape[1]), 0
    for k in range(1, MOST_STEPS + 1):
        target, why = _weighted_lasso(w, problem)
        delta, size = X @ (target - w), np.abs(X @ target).max()
        change = np.abs(delta).max()
        if change <= 1e-8 * max(size, 1) and not why:
            return Fit(target, k, True, f"the last step changed no w·x by more than {change:.3g}")
        tau = _line_search(w, target - w, X @ w, delta, problem)
        if tau == 0:
            break
        w = w + tau * (target - w)
    told = f"after {k} steps another would still change a w·x by {change:.3g}"
    return Fit(w, k, False, why or f"{told}; rounding hides the way on: give a larger lam")


def _weighted_lasso(w, problem):
    """arg min_v g·(v - w) + (v - w)·H(v - w)/2 + λ‖v‖₁ at ∇E = g, ∇²E = H; and why not, where rounding prevents it.

    Where H = ZᵀZ has lost the digits, because the variances of some samples are small, the rows of Z have them.
    """
    X, t, family, lam = problem
    root, r = np.sqrt(family.variance(X @ w)), residual(X @ w, t, family)
    Z = X * root[:, None]
    A, s = cholesky.unit_diagonal(Z.T @ Z)
    v, _ = sparse.solve_by_signs(A, (Z.T @ (Z @ w) - X.T @ r) / s, lam / s, w * s)
    if v is not None:
        return v / s, ""
    w, _, why = sparse.solve_by_path(Z, Z @ w - r / np.where(root > 0, root, 1.0), 2 * lam, 0 * lam)
    return w, LOST * bool(why)


def _line_search(w, step, a, delta, problem):
    """How much of the step lowers the loss; 0 if no part of it does."""

    _, t, family, lam = problem

    def E(tau):
        return negative_log_likelihood(a + tau * delta, t, family) + lam @ np.abs(w + tau * step)

    fall = -(delta @ residual(a, t, family) + lam @ (np.abs(w + step) - np.abs(w)))
    return optimize.backtracking(E, E(0), fall, 1e-15 * (E(0) + np.abs(a) @ t))[0]

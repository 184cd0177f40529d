"""One law at every door: an answer exactly where there is one solution, and then to the digits its condition allows.

Real numbers, drawn: on small whole ones no small pivot stands before the one that is zero, and a door that looks at
pivots alone could not fail (it answered 6 of 100 of these).
"""

from contextlib import nullcontext

import numpy as np
import pytest
from cases import slow
from exact import exact, solved

from linmodels import design, glm
from linmodels import least_squares_classifier as lsc
from linmodels import logistic_regression as logreg
from linmodels import softmax_regression as smr
from linmodels.linear_regression import least_squares, minimum_norm, normal_equations
from linmodels.regularization import ridge
from linmodels.solvers.least_squares import require_full_rank

EPS = np.finfo(float).eps


def measured(rng, N, d):
    """Normal numbers, or measurements to one decimal, far from 0 beside their spread."""
    return rng.standard_normal((N, d)) if rng.random() < 0.5 else np.round(20 + 3 * rng.standard_normal((N, d)), 1)


def wide(rng):
    N = rng.integers(1, 9)
    return measured(rng, N, N + rng.integers(1, 6))


def as_many_features_as_samples_and_ones(rng):
    n = rng.integers(1, 9)
    return design.augment(measured(rng, n, n))


def correlated(rng):
    d = rng.integers(3, 9)
    return rng.standard_normal((d - 1, 1)) + 10 ** rng.uniform(-3, 0, d) * rng.standard_normal((d - 1, d))


def polynomial(rng):
    n = rng.integers(2, 9)
    return np.vander(rng.random(n), n + 1)


WIDE = [wide, as_many_features_as_samples_and_ones, correlated, polynomial]


def replicated(rng):
    """Three to eight samples of each kind, in any order: many rows, but no more different ones than before."""
    X = WIDE[rng.integers(4)](rng)
    return X[rng.permutation(np.repeat(np.arange(len(X)), rng.integers(3, 9, len(X))))]


def combined(rng):
    """More rows than columns, of which some are sums of others."""
    r = rng.integers(1, 5)
    X = measured(rng, rng.integers(r + 3, 20), r)
    return design.augment(np.column_stack([X, X @ rng.uniform(1, 3, (r, rng.integers(1, 3)))]))


DEFICIENT = [*WIDE, replicated, combined]


@pytest.mark.erratum("A05")
def test_the_three_samples_that_had_an_answer():
    X = design.augment([[3.8, 2.5, 2.7], [-0.5, -2.3, -1.6], [0.4, 2.9, 1.9]])
    for solve in (least_squares, normal_equations, lambda X, y: ridge(X, y, 0.0)):
        with pytest.raises(np.linalg.LinAlgError, match=r"rank 3 of 4|penalty are dependent"):
            solve(X, [1, 2, 3])
    free_bias = [1.0, 1.0, 0.0, 0.0]  # two columns without penalty are independent
    assert np.isfinite(ridge(X, [1, 2, 3], free_bias)).all()
    with pytest.raises(np.linalg.LinAlgError, match="without penalty"):
        ridge(np.tile(X, (3, 1)), np.arange(9.0), 0.0)


def targets(rng, N):
    """One of each kind that N samples may have: a number, a bit, a class of three, a count."""
    t = rng.integers(0, 3, N)
    t[:3] = np.arange(min(N, 3))
    return rng.standard_normal(N), (rng.random(N) < 0.5) * 1.0, t, rng.poisson(2.0, N)


def doors(X, rng):
    """What promises the unique solution: name, call."""
    y, bits, t, counts = targets(rng, len(X))
    return {
        "least_squares": lambda: least_squares(X, y),
        "normal_equations": lambda: normal_equations(X, y),
        "ridge": lambda: ridge(X, y, 0.0),
        "log-linear": lambda: glm.log_linear_regression(X, np.exp(y)),
        "gaussian": lambda: glm.fit(X, y, glm.gaussian),
        "bernoulli": lambda: glm.fit(X, bits, glm.bernoulli),
        "poisson": lambda: glm.fit(X, counts, glm.poisson),
        "logistic": lambda: logreg.fit(X, bits),
        "softmax": lambda: smr.fit(X, design.one_hot(t, 3)),
        "Newton's method": lambda: next(logreg.newton_iterates(X, bits)) and None,
        "IRLS": lambda: next(glm.irls_iterates(X, counts, glm.poisson)) and None,
        "Newton's method, many classes": lambda: next(smr.newton_iterates(X, design.one_hot(t, 3))) and None,
    }


def is_refused(call):
    """LinAlgError, or a fit that says it has not converged."""
    try:
        return not getattr(call(), "converged", True)
    except np.linalg.LinAlgError:
        return True


@pytest.mark.equation("A-1.2-12", "A-1.2-13")
@pytest.mark.erratum("A05")
@pytest.mark.parametrize("draw", DEFICIENT, ids=lambda draw: draw.__name__)
@pytest.mark.parametrize("n", [8, *slow([200])])
def test_many_solutions_are_refused(draw, n):
    rng = np.random.default_rng(0)
    for _ in range(n):
        X = draw(rng)
        for name, call in doors(X, rng).items():
            assert is_refused(call), (name, X.tolist())


@pytest.mark.equation("A-1.2-11", "C-2-1")
@pytest.mark.parametrize("draw", DEFICIENT, ids=lambda draw: draw.__name__)
@pytest.mark.parametrize("n", [10, *slow([200])])
def test_where_many_fit_the_classifier_takes_the_shortest(draw, n):
    rng = np.random.default_rng(1)
    for _ in range(n):
        X = draw(rng)
        T = design.one_hot(targets(rng, len(X))[2], 3)
        W, shortest = lsc.fit(X, T), np.column_stack([minimum_norm(X, t) for t in T.T])
        np.testing.assert_array_equal(W, shortest)


@pytest.mark.parametrize("units", [1.0, np.array([2.0**40, 1.0, 2.0**-40])], ids=["alike", "apart"])
def test_the_normal_equations_are_refused_exactly_where_their_condition_says(units):
    """s_min < 1e-7 s_max, columns at length 1: the inverse of XᵀX, which is asked first, decides nothing else."""
    base, refused = np.random.default_rng(4).standard_normal((9, 3)), []
    for k in np.linspace(8, 34, 100):
        X = np.column_stack([base[:, :2], base[:, 0] + base[:, 1] + 2.0**-k * base[:, 2]])
        s = np.linalg.svd(X / np.linalg.norm(X, axis=0), compute_uv=False)
        refused.append(s[-1] < 1e-7 * s[0])
        says = pytest.raises(np.linalg.LinAlgError, match="singular to rounding, though X is not")
        with says if refused[-1] else nullcontext():
            require_full_rank(X * units)
    assert 0 < sum(refused) < 100


def regular(rng):
    """Samples of full rank, of a condition (columns at length 1) up to 1e6: normal, measured, correlated, powers, each
    repeated, far from 0 in units of their own."""
    d = rng.integers(2, 8)
    N = rng.integers(d + 1, 3 * d)
    while True:
        X = [
            lambda: measured(rng, N, d),
            lambda: design.augment(measured(rng, N, d)),
            lambda: rng.standard_normal((N, 1)) + 10 ** rng.uniform(-5, 0, d) * rng.standard_normal((N, d)),
            lambda: np.vander(rng.random(N), d),
            lambda: np.repeat(rng.standard_normal((d, d)), rng.integers(3, 9, d), axis=0),
            lambda: design.augment(
                10 ** rng.uniform(-3, 3, d) * (10 ** rng.uniform(0, 5, d) + rng.standard_normal((N, d)))
            ),
        ][rng.integers(6)]()
        s = np.linalg.norm(X, axis=0)
        if np.linalg.cond(X / s) < 1e6:
            return X, s


@pytest.mark.parametrize("n", [5, *slow([100])])
def test_one_solution_is_not_refused(n):
    """Where a likelihood has none, a direction proves it."""
    rng = np.random.default_rng(2)
    for _ in range(n):
        X, _ = regular(rng)
        for name, call in doors(X, rng).items():
            found = call() if name != "normal_equations" else None
            assert getattr(found, "converged", True) or found.direction is not None, (name, X.tolist(), found.reason)


@pytest.mark.equation("A-1.2-9", "D-1-8")
@pytest.mark.parametrize("n", [8, *slow([60])])
def test_one_solution_has_the_digits_that_its_condition_allows(n):
    """‖Δw‖ <= 10 ε κ (‖w‖ + κ ‖r‖), all in units of the columns: no other algorithm can promise more (Wedin 1973)."""
    rng = np.random.default_rng(3)
    for _ in range(n):
        X, s = regular(rng)
        y, T = targets(rng, len(X))[0], design.one_hot(targets(rng, len(X))[2], 3)
        found = np.column_stack([least_squares(X, y), ridge(X, y, 0.0), lsc.fit(X, T)])
        Y = np.column_stack([y, y, T])
        A = exact(X)  # in fractions: (XᵀX)⁻¹XᵀY
        right, kappa = solved(A.T @ A, A.T @ exact(Y)).astype(float), np.linalg.cond(X / s)
        length = np.linalg.norm((s * right.T).T, axis=0) + kappa * np.linalg.norm(Y - X @ right, axis=0)
        assert (np.linalg.norm((s * (found - right).T).T, axis=0) <= 10 * EPS * kappa * length).all()

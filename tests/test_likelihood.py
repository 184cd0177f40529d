"""likelihood: the solver behind glm.fit; what it finds is tested there, here what it is made of."""

import numpy as np
import pytest

from linmodels import glm, likelihood, optimize
from linmodels.derivatives import check_gradient, jacobian
from linmodels.likelihood import Problem

X = np.array([[1.0, 2], [-1, 1], [0, 1], [2, -1], [1, 1], [-2, 1]])
FREE = np.zeros(2)
TARGETS = {
    "bernoulli": (glm.bernoulli, np.array([1.0, 0, 1, 0, 1, 0])),
    "poisson": (glm.poisson, np.array([3.0, 0, 1, 2, 5, 0])),
    "categorical": (glm.categorical, glm.categorical.T(np.array([0, 1, 2, 0, 1, 2]))),
}


@pytest.fixture(params=TARGETS, name="problem")
def problem_of_each_family(request):
    family, T = TARGETS[request.param]
    return Problem(X, T, family, np.array([0.0, 0.5]))


def start(problem):
    return np.linspace(-0.4, 0.7, X.shape[1] * problem.T[0].size).reshape(X.shape[1], *problem.T.shape[1:])


def test_loss_and_gradient_of_a_worked_case():
    """One sample x = 2 with t = 1 at w = 0: E = ln 2, ∇E = 2(1/2 - 1) = -1; with λ = 3 at w = 1: + 3/2, + 3."""
    problem = Problem(np.array([[2.0]]), np.array([1.0]), glm.bernoulli, np.zeros(1))
    E, g = likelihood.loss_and_gradient(np.zeros(1), problem)
    assert (E, g.tolist()) == (np.log(2), [-1.0])
    priced = likelihood.loss_and_gradient(np.ones(1), problem._replace(lam=np.array([3.0])))
    free = likelihood.loss_and_gradient(np.ones(1), problem)
    np.testing.assert_allclose([priced[0] - free[0], priced[1][0] - free[1][0]], [1.5, 3.0], rtol=1e-15)


def test_the_pass_is_loss_and_gradient_of_the_chapter(problem):
    """Without ln b(y), which does not depend on w: differences of two losses agree."""
    v, w = start(problem), 2 * start(problem)
    X, T, family, lam = problem
    y = T if T.ndim == 1 else np.where(T.any(axis=1), T.argmax(axis=1), 2)
    (E_v, g), (E_w, _) = (likelihood.loss_and_gradient(u, problem) for u in (v, w))
    assert E_w - E_v == pytest.approx(glm.loss(w, X, y, family, lam) - glm.loss(v, X, y, family, lam), rel=1e-12)
    np.testing.assert_allclose(g, glm.gradient(v, X, y, family, lam), rtol=1e-12, atol=1e-14)


def test_gradient_and_curvature_are_derivatives(problem):
    w = start(problem)
    at = lambda w: likelihood.loss_and_gradient(w, problem)  # noqa: E731
    assert check_gradient(lambda w: at(w)[0], lambda w: at(w)[1], w) < 1e-8
    H = likelihood.curvature(problem.family.variance(X @ w), X, problem.lam)
    by_differences = jacobian(lambda w: at(w)[1].ravel(), w).reshape(H.shape)
    np.testing.assert_allclose(H, by_differences, rtol=1e-7, atol=1e-8)


def test_the_step_by_rows_is_newtons():
    r, g = np.array([0.2, 0.1, 0.25, 0.2, 0.1, 0.05]), np.array([1.0, -2.0])
    lam = np.array([0.0, 0.5])
    H = likelihood.curvature(r, X, lam)
    np.testing.assert_allclose(likelihood._newton_step(H, g), -np.linalg.solve(H, g), rtol=1e-13)
    np.testing.assert_allclose(likelihood._newton_step_by_rows(X, r, lam, g), -np.linalg.solve(H, g), rtol=1e-13)


def test_no_step_where_the_columns_are_dependent():
    twice, r = X[:, [0, 0]], np.ones(6)
    assert likelihood._newton_step(likelihood.curvature(r, twice, FREE), np.ones(2)) is None
    assert likelihood._newton_step_by_rows(twice, r, FREE, np.ones(2)) is None
    assert likelihood._newton_step_by_rows(X[:1], r[:1], FREE, np.ones(2)) is None


@pytest.mark.parametrize("seed", range(30))
def test_a_direction_is_found_exactly_where_one_exists(seed):
    """Small whole numbers, so that ties are ties; who is right is decided by trying all directions in the plane that
    are at right angles to a difference of samples, and those between them."""
    rng = np.random.default_rng(seed)
    Z, t = rng.integers(-2, 3, (5, 2)).astype(float), rng.integers(0, 2, 5).astype(float)
    if np.linalg.matrix_rank(Z) < 2:
        return
    rows = (2 * t - 1)[:, None] * Z
    angles = np.sort(np.concatenate([np.arctan2(Z[:, 0], -Z[:, 1]), np.arctan2(-Z[:, 0], Z[:, 1])]))
    angles = np.concatenate([angles, (angles + np.roll(angles, 1)) / 2, [np.pi]])
    gains = rows @ np.array([np.cos(angles), np.sin(angles)])
    exists = bool(((gains >= -1e-12).all(axis=0) & (gains > 1e-9).any(axis=0)).any())
    d = likelihood.recession_direction(Problem(Z, t, glm.bernoulli, FREE))
    assert (d is not None) == exists
    if exists:
        assert (rows @ d).min() >= -1e-9 and (rows @ d).max() == pytest.approx(1.0)


@pytest.mark.parametrize("name", TARGETS)
def test_along_a_direction_the_loss_only_falls(name):
    family, T = TARGETS[name]
    Z = np.column_stack([X, np.eye(6)[0]])  # the last feature belongs to the first sample alone
    T = np.concatenate([0 * T[:1], T[1:]])
    problem = Problem(Z, T, family, np.zeros(3))
    d = likelihood.recession_direction(problem)
    losses = [likelihood.loss_and_gradient(t * d, problem)[0] for t in (0.0, 1.0, 5.0, 20.0)]
    assert (np.diff(losses) <= 1e-12).all() and losses[1] < losses[0]


def test_a_price_on_the_column_that_runs_away_ends_it():
    Z, t = np.array([[-2.0, 1], [-1, 1], [1, 1], [2, 1]]), np.array([0.0, 0, 1, 1])
    assert likelihood.recession_direction(Problem(Z, t, glm.bernoulli, np.zeros(2))) is not None
    assert likelihood.recession_direction(Problem(Z, t, glm.bernoulli, np.array([1.0, 0.0]))) is None


def test_what_is_dependent_is_counted():
    twice = Problem(X[:, [0, 1, 0]], TARGETS["poisson"][1], glm.poisson, np.zeros(3))
    assert "the 3 columns of X without penalty have rank 2" in likelihood.dependent(twice)
    assert "centre and rescale" in likelihood.dependent(twice._replace(X=X, lam=FREE))


def test_a_start_without_a_finite_loss_is_an_error():
    waiting = glm.Family(
        name="waiting times", b=np.ones_like, log_b=np.zeros_like, T=lambda y: y, eta=lambda m: -1 / m,
        a=lambda eta: np.where(eta < 0, -np.log(np.abs(eta) + (eta >= 0)), np.inf), mean=lambda eta: -1 / eta,
        variance=lambda eta: 1 / eta**2, observed=lambda y: np.asarray(y, float),
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"the loss is inf at the start; .*irls_iterates a start w"):
        glm.fit(X, np.ones(6), waiting)


def test_many_samples_take_few_passes(monkeypatch):
    """The part decides how far there is to go, the exact gradients where it ends."""
    rng = np.random.default_rng(3)
    Z = rng.standard_normal((30_000, 3))
    t = (rng.random(30_000) < 1 / (1 + np.exp(-Z @ [1.0, -0.5, 0.2]))).astype(float)
    passes = []
    counted = likelihood.loss_and_gradient
    monkeypatch.setattr(likelihood, "loss_and_gradient", lambda w, p: passes.append(1) or counted(w, p))
    short = likelihood.maximise(Problem(Z, t, glm.bernoulli, np.zeros(3)))
    monkeypatch.setattr(likelihood, "MANY", 2**60)
    long = likelihood.maximise(Problem(Z, t, glm.bernoulli, np.zeros(3)))
    assert short.converged and long.converged and 0 < len(passes) < 20
    np.testing.assert_allclose(short.w, long.w, rtol=1e-7)
    assert optimize.run(glm.irls_iterates(Z, t, glm.bernoulli), tol=1e-6).converged

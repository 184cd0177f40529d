"""optimize: each minimizer reaches the minimum that other means give, and run says why it stopped."""

import re
from itertools import islice

import numpy as np
import pytest

from linmodels import optimize
from linmodels.optimize import (
    Iterate,
    backtracking,
    bfgs,
    bfgs_update,
    gradient_descent,
    newton,
    nonnegative_least_squares,
    proximal_gradient,
    run,
    stochastic_gradient_descent,
    trajectory,
)

A, C = np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
W_QUADRATIC = np.array([1.0, 7.0]) / 11  # Aw = c by Cramer's rule
START = np.array([2.0, -1.0])


def quadratic(w):
    """½ w·Aw - c·w."""
    return w @ A @ w / 2 - C @ w


def quadratic_gradient(w):
    return A @ w - C


def tilted(w):
    """Σ_j ln(1 + e^w_j) - w_j p_j, the loss of one-parameter logistic models: its minimum is at ln p/(1 - p)."""
    return np.sum(np.logaddexp(0, w) - w * P)


P = np.array([0.75, 0.1])
W_TILTED = np.log(P / (1 - P))


def tilted_gradient(w):
    return 1 / (1 + np.exp(-w)) - P


def tilted_hessian(w):
    s = 1 / (1 + np.exp(-w))
    return np.diag(s * (1 - s))


# --- gradient descent ---------------------------------------------------------------------------------------


@pytest.mark.equation("D-1-12")
def test_gradient_descent_by_hand():
    """∇(w²) = 2w, η = 1/4: w = 8, 4, 2, 1."""
    steps = list(islice(gradient_descent(lambda w: 2 * w, np.array([8.0]), eta=0.25), 4))
    assert [s.w[0] for s in steps] == [8, 4, 2, 1]
    assert [s.gradient[0] for s in steps] == [16, 8, 4, 2]


@pytest.mark.erratum("ERR-D08")
def test_descent_goes_against_the_gradient():
    """Note D descends "along the gradient": that way the loss rises."""
    g = quadratic_gradient(START)
    assert quadratic(START + 0.1 * g) > quadratic(START) > quadratic(START - 0.1 * g)
    second = list(islice(gradient_descent(quadratic_gradient, START, eta=0.1), 2))[1]
    np.testing.assert_array_equal(second.w, START - 0.1 * g)


@pytest.mark.erratum("ERR-D09")
def test_all_components_move_in_one_step():
    """Note D's index i is both step and component: read so, step i would move component i only."""
    printed = START.copy()
    printed[0] -= 0.1 * quadratic_gradient(START)[0]
    second = list(islice(gradient_descent(quadratic_gradient, START, eta=0.1), 2))[1]
    assert (second.w != START).all()
    assert quadratic(second.w) < quadratic(printed)


# --- what all sequences have in common ----------------------------------------------------------------------

MINIMIZERS = {
    "gradient_descent": lambda f, g, H, w: gradient_descent(g, w, eta=0.4),
    "newton": newton,
    "bfgs": lambda f, g, H, w: bfgs(f, g, w),
    "proximal_gradient": lambda f, g, H, w: proximal_gradient(g, lambda v, eta: v, w, eta=0.4),
}
SEQUENCES = MINIMIZERS | {
    "stochastic": lambda f, g, H, w: stochastic_gradient_descent(
        lambda w, I: len(I) * g(w), w, 5, eta=0.1, batch=2, rng=np.random.default_rng(0)
    ),
}
each_minimizer = pytest.mark.parametrize("minimize", MINIMIZERS.values(), ids=MINIMIZERS)


@each_minimizer
def test_each_ends_at_the_minimum_that_other_means_give(minimize):
    solution = run(minimize(quadratic, quadratic_gradient, lambda w: A, START), tol=1e-10)
    assert solution.converged
    np.testing.assert_allclose(solution.w, W_QUADRATIC, atol=1e-10)
    solution = run(minimize(tilted, tilted_gradient, tilted_hessian, START), tol=1e-10)
    assert solution.converged
    np.testing.assert_allclose(solution.w, W_TILTED, atol=1e-8)


@each_minimizer
def test_parameters_of_any_shape(minimize):
    """A matrix of weights, as in softmax regression; the Hessian stays (w.size, w.size)."""
    T = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    iterates = minimize(lambda W: np.sum((W - T) ** 2), lambda W: 2 * (W - T), lambda W: 2 * np.eye(6), 0 * T)
    np.testing.assert_allclose(run(iterates).w, T, atol=1e-8)
    with pytest.raises(ValueError, match=r"^w must be of shape \(d,\) or .*; found shape \(\)$"):
        minimize(lambda w: w * w, lambda w: 2 * w, lambda w: 2, 8.0)


@each_minimizer
def test_every_sequence_is_capped_or_converged_and_says_which(minimize):
    """Converged: one more gradient proves it. Capped: the steps, and the gradient that is left, in the reason."""
    full = run(minimize(tilted, tilted_gradient, tilted_hessian, 3 * START), tol=1e-8)
    assert full.converged and np.abs(tilted_gradient(full.w)).max() <= 1e-8
    short = run(minimize(tilted, tilted_gradient, tilted_hessian, 3 * START), tol=0.0, max_iter=2)
    assert (short.n_iter, short.converged) == (2, False)
    left = np.abs(tilted_gradient(short.w)).max()
    assert f"max_iter = 2 steps reached at max |gradient| = {left:.3g}" in short.reason


@pytest.mark.parametrize("sequence", SEQUENCES.values(), ids=SEQUENCES)
def test_the_start_comes_first_and_what_a_reader_does_to_an_iterate_does_not_change_the_sequence(sequence):
    w = START.copy()
    w.setflags(write=False)
    expected = trajectory(sequence(tilted, tilted_gradient, tilted_hessian, w), 3)
    np.testing.assert_array_equal(expected[0], START)
    seen = []
    for state in islice(sequence(tilted, tilted_gradient, tilted_hessian, w), 4):
        assert not np.shares_memory(state.w, w)
        seen.append(state.w.copy())
        state.w[:] = 99
    np.testing.assert_array_equal(seen, expected)


@each_minimizer
def test_a_start_without_a_gradient(minimize):
    with pytest.raises(FloatingPointError, match="the gradient is not finite after 0 steps"):
        run(minimize(lambda w: 0.0, lambda w: w * np.nan, lambda w: np.eye(1), [1.0]))


# --- proximal gradient --------------------------------------------------------------------------------------


def test_proximal_gradient_by_hand():
    """prox of the constraint w >= 0 is the positive part: from w = 1 with the slope 4, η = 1/2, to 0 and no further."""
    steps = list(islice(proximal_gradient(lambda w: 4 + 0 * w, lambda v, eta: np.maximum(v, 0), [1.0], eta=0.5), 3))
    assert [s.w[0] for s in steps] == [1, 0, 0]
    assert [s.gradient[0] for s in steps] == [2, 0, 0]


@pytest.mark.parametrize("lam, w", [(0.0, 3.0), (4.0, 1.0), (6.0, 0.0), (7.0, 0.0)])
def test_lasso_of_one_coefficient(lam, w):
    """(w - 3)² + λ|w| is least at max(3 - λ/2, 0)."""
    soft_threshold = lambda v, eta: np.sign(v) * np.maximum(np.abs(v) - lam * eta, 0)  # noqa: E731
    solution = run(proximal_gradient(lambda w: 2 * (w - 3), soft_threshold, [10.0], eta=0.3), tol=1e-12)
    assert solution.converged
    np.testing.assert_allclose(solution.w, [w], atol=1e-12)


# --- newton, bfgs and their line search ---------------------------------------------------------------------


def root(w):
    return np.sum(np.sqrt(1 + w**2))


def root_gradient(w):
    return w / np.sqrt(1 + w**2)


def root_hessian(w):
    return np.diag((1 + w**2) ** -1.5)


def test_newton_by_hand():
    """On a quadratic one full step is enough; for √(1 + w²) it is w ← -w³, quadratic convergence and more."""
    steps = list(islice(newton(quadratic, quadratic_gradient, lambda w: A, START), 2))
    np.testing.assert_allclose(steps[1].w, W_QUADRATIC, rtol=1e-14)
    path = [s.w[0] for s in islice(newton(root, root_gradient, root_hessian, [0.5]), 4)]
    np.testing.assert_allclose(path[1:], [-(0.5**3), 0.5**9, -(0.5**27)], rtol=1e-6)


@pytest.mark.parametrize("w", [1.0, -1.5, 100.0, -1e4])
def test_newton_from_where_plain_newton_runs_away(w):
    """For √(1 + w²) the full step is w → -w³, which leaves every |w| >= 1 behind: halved, it comes to 0 from all."""
    assert w - root_gradient(w) / (1 + w * w) ** -1.5 == pytest.approx(-(w**3), rel=1e-6)
    end = run(newton(root, root_gradient, root_hessian, np.array([w])))
    assert end.converged and abs(root_gradient(end.w[0])) <= 1e-8 and end.n_iter < 100


def test_newton_on_a_hill_does_not_climb():
    """At cos(0.5) the Hessian is negative and the Newton step leads uphill, to the maximum at 0."""
    states = list(newton(lambda w: np.cos(w[0]), lambda w: -np.sin(w), lambda w: -np.diag(np.cos(w)), [0.5]))
    assert np.cos(states[-1].w[0]) <= np.cos(0.5)


def test_a_singular_hessian_is_told_with_its_step():
    """E = w³/3 from w = 2, whose Newton step halves w: H = 2w; and the same H called 0 at once, or at w = 1."""

    def iterates(zero_at):
        return newton(lambda w: w[0] ** 3 / 3, lambda w: w**2, lambda w: np.diag(2 * w * (w != zero_at)), [2.0])

    for steps, zero_at in enumerate([2.0, 1.0, 0.5]):
        with pytest.raises(np.linalg.LinAlgError, match=f"the Hessian is singular after {steps} steps"):
            run(iterates(zero_at))


def test_a_gradient_that_is_not_finite_is_told_with_its_step():
    """E falls from 2 by a whole Newton step to 1, where the gradient is called NaN."""

    def gradient(w):
        return np.where(w == 1, np.nan, w**2)

    with pytest.raises(FloatingPointError, match="the gradient is not finite after 1 steps"):
        list(islice(newton(lambda w: w[0] ** 3 / 3, gradient, lambda w: np.diag(2 * w), [2.0]), 10))


def test_bfgs_update_by_hand():
    """Of B = 1/4, s = (-1, -1), y = (-1, -4): the new B takes y to s; a first one scales B by s·y/y·y = 5/17."""
    B, s, y = np.eye(2) / 4, np.array([-1.0, -1.0]), np.array([-1.0, -4.0])
    B.setflags(write=False)
    V = np.eye(2) - np.outer(s, y) / 5
    new, first = bfgs_update(B, s, y), bfgs_update(B, s, y, first=True)
    np.testing.assert_allclose(new, V @ V.T / 4 + np.ones((2, 2)) / 5, rtol=1e-14)
    np.testing.assert_allclose(first, V @ V.T / 4 * 5 / 17 + np.ones((2, 2)) / 5, rtol=1e-14)
    for found in (new, first):
        np.testing.assert_allclose(found @ y, s, rtol=1e-14)
    assert bfgs_update(B, s, -y) is B  # no curvature along s: it stays positive definite


def test_bfgs_takes_its_scale_from_the_first_step():
    """The same from the identity: half a step to (2, -1), s = (-2, -2), y = (-2, -8), and I becomes s·y/y·y = 20/68."""
    H = np.array([1.0, 4.0])
    steps = list(islice(bfgs(lambda w: w @ (H * w) / 2, lambda w: H * w, np.array([4.0, 1.0])), 3))
    assert steps[1].w.tolist() == [2, -1]
    V = np.eye(2) - np.outer([-2, -2], [-2, -8]) / 20
    B = V @ V.T * 20 / 68 + 4 * np.ones((2, 2)) / 20
    np.testing.assert_allclose(steps[2].w, [2, -1] - B @ [2, -4], rtol=1e-13)


def test_bfgs_learns_the_inverse_hessian():
    """On a quadratic in d = 2 it needs but few steps more than Newton, however long and narrow the valley."""
    long = np.diag([1.0, 1e4])
    solution = run(bfgs(lambda w: w @ long @ w / 2, lambda w: long @ w, [1.0, 1.0]))
    assert solution.converged and solution.n_iter < 50
    assert not run(gradient_descent(lambda w: long @ w, [1.0, 1.0], eta=1e-4), max_iter=50).converged


def test_bfgs_where_the_curvature_is_negative_at_the_start():
    """cos has none of the convexity that the update of B needs; it still ends in the valley at π."""
    solution = run(bfgs(lambda w: np.cos(w[0]), lambda w: -np.sin(w), [0.5]))
    assert solution.converged
    assert np.cos(solution.w[0]) == pytest.approx(-1)


def test_bfgs_asks_for_a_gradient_a_point():
    """Steps that are halved cost a loss only."""
    asked, tried = [], []
    gradient = lambda w: asked.append(w) or tilted_gradient(w)  # noqa: E731
    loss = lambda w: tried.append(w) or tilted(w)  # noqa: E731
    points = [step.w for step in islice(bfgs(loss, gradient, 30 * START), 6)]
    assert len(asked) == 6 < len(tried)
    np.testing.assert_array_equal(asked, points)


@pytest.mark.parametrize("start", [0.0, 6.0])
@pytest.mark.parametrize("name", ["newton", "bfgs"])
def test_where_the_loss_is_all_rounding_the_gradient_leads(name, start):
    """Beside 1e17 the parabola (w - 3)²/2 is rounded away: only the gradient, of either sign, tells that w = 3 is
    better."""
    parabola = lambda w: 1e17 + (w - 3) @ (w - 3) / 2  # noqa: E731
    path = list(MINIMIZERS[name](parabola, lambda w: w - 3, lambda w: np.eye(1), np.array([start])))
    assert path[0].w == start and path[1].w == 3 and path[1].gradient == 0


def test_backtracking_by_hand():
    """(1 - 8τ)²/2 falls by 8τ at first: τ = 1, 1/2 and 1/4 do not lower it, 1/8 leads to 0."""
    E = lambda tau: (1 - 8 * tau) ** 2 / 2  # noqa: E731
    assert backtracking(E, 0.5, 8.0, 0.0) == (1 / 8, 0.0)
    assert backtracking(E, 0.5, 8.0, 0.0, least=0.2) == (0.0, 0.5)  # no τ left
    assert backtracking(E, 0.5, 8.0, 24.5)[0] == 1  # 49/2, but all may be rounding
    assert backtracking(lambda tau: np.nan if tau > 0.01 else -tau, 0.0, 1.0, 0.0)[0] == 1 / 128


def test_backtracking_asks_for_a_part_of_the_fall():
    """A loss that falls by a little less than a ten-thousandth of its slope does not fall; on the bound it does."""
    assert backtracking(lambda tau: -0.99e-4 * tau, 0.0, 1.0, 0.0) == (0.0, 0.0)
    assert backtracking(lambda tau: -1.01e-4 * tau, 0.0, 1.0, 0.0)[0] == 1
    assert backtracking(lambda tau: 0.0, 0.0, 1.0, 1e-4) == (1.0, 0.0)


# --- stochastic gradient descent ----------------------------------------------------------------------------

TARGETS = np.array([3.0, -1.0, 4.0, 1.0, -5.0])


def mean_gradient(w, samples):
    """Of Σ_i (w - y_i)²/2 over the samples: it is 0 at their mean."""
    return np.sum(w - TARGETS[samples], keepdims=True)


def sgd(seed=0, **settings):
    return stochastic_gradient_descent(mean_gradient, [10.0], 5, rng=np.random.default_rng(seed), **settings)


def test_one_batch_of_all_samples_is_gradient_descent():
    plain = islice(gradient_descent(lambda w: mean_gradient(w, np.arange(5)), [10.0], eta=0.1), 20)
    for a, b in zip(islice(sgd(eta=0.1, batch=5), 20), plain, strict=True):
        np.testing.assert_allclose(a.w, b.w, rtol=1e-14)
        assert a.gradient is None


@pytest.mark.parametrize("batch, sizes", [(1, [1] * 5), (2, [2, 2, 1]), (5, [5]), (9, [5])])
def test_each_epoch_visits_every_sample_once(batch, sizes):
    seen = []

    def watch(w, samples):
        seen.append(list(samples))
        return 0 * w

    steps = stochastic_gradient_descent(watch, [0.0], 5, eta=0.1, batch=batch, rng=np.random.default_rng(0))
    list(islice(steps, 1 + 3 * len(sizes)))
    assert [len(visit) for visit in seen] == 3 * sizes
    orders = np.concatenate(seen).reshape(3, 5)
    assert np.sort(orders).tolist() == [[0, 1, 2, 3, 4]] * 3
    assert len(np.unique(orders, axis=0)) > 1  # a fresh one each epoch


def test_decreasing_steps_converge():
    """With η_k = 1/(k + 1) w is the running mean of the targets seen: after every epoch exactly their mean."""
    path = [s.w[0] for s in islice(sgd(eta=lambda k: 1 / (k + 1)), 21)]
    np.testing.assert_allclose(path[5::5], TARGETS.mean(), rtol=1e-13)


def test_a_stochastic_step_too_long_ends_with_the_last_finite_weights():
    """w ← w - 3(w - y_i) doubles the distance, and turns it round, until it overflows."""
    end = run(sgd(eta=3.0))
    assert not end.converged and np.isfinite(end.w).all() and np.abs(end.w).max() > 1e300
    assert end.reason == (
        f"w is not finite after {end.n_iter + 1} steps: eta = 3 is too long a step, or the data hold huge numbers"
    )


# --- nonnegative least squares ------------------------------------------------------------------------------


LARGEST, TINIEST = 1.7e308, 5e-324
FILLED = [[-3.0, -1.0, 2.0, 2.0], [0.0, 3.0, -1.0, -3.0], [-1.0, -1.0, 1.0, -2.0]]


@pytest.mark.parametrize(
    "A, c, expected, rounding",
    [
        (np.eye(2), [3, -1], [3, 0], 0),
        (np.eye(2), [-3, -1], [0, 0], 0),
        (FILLED, [-1, 0, 0], [2, 1, 3, 0], 1e-12),
        ([[LARGEST]], [LARGEST], [1], 1e-15),
        ([[LARGEST, 0]], [-LARGEST], [0, 0], 0),
        ([[TINIEST]], [TINIEST], [1], 1e-15),
        ([[TINIEST, 0]], [-TINIEST], [0, 0], 0),
        ([[1e308]], [1], [1e-308], 1e-323),
    ],
    ids=["one is bound", "both are", "no residual but rounding", "largest", "-largest", "tiniest", "-tiniest", "long"],
)
def test_nonnegative_least_squares_worked(A, c, expected, rounding):
    """Without the bound (3, -1); and at the ends of float64, which no power of two between them leaves."""
    np.testing.assert_allclose(nonnegative_least_squares(A, c), expected, rtol=0, atol=rounding)


@pytest.mark.parametrize("seed", range(8))
def test_nonnegative_least_squares_meets_its_conditions_to_rounding(seed):
    """The slope Aᵀ(Aa - c) is 0 where a > 0, and nowhere below 0."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(12, 8))
    c = A[:, :5] @ 10.0 ** rng.uniform(-7, 0, 5)  # small entries, which an early end would not free
    a = nonnegative_least_squares(A, c)
    slope = A.T @ (A @ a - c)
    assert np.abs(slope[a > 0]).max() <= 1e-13 * np.linalg.norm(c) and slope.min() >= -1e-12 * np.linalg.norm(c)


@pytest.mark.parametrize("seed", [215, 786])
def test_nonnegative_least_squares_takes_no_step_past_a_bound(seed):
    """Sets where stopping at the last bound instead of the first on the way ends elsewhere, or nowhere."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(2, 9), rng.integers(2, 12)
    A, c = rng.integers(-4, 5, (m, n)).astype(float), rng.integers(-4, 5, m).astype(float)
    a = nonnegative_least_squares(A, c)
    downhill = A.T @ (c - A @ a)
    assert (a >= 0).all() and (downhill <= 1e-11).all()
    assert np.abs(a * downhill).max() <= 1e-11


def test_nonnegative_least_squares_is_capped(monkeypatch):
    """A minimum over the free entries that frees nothing would go round forever."""
    monkeypatch.setattr(optimize, "_feasible_minimum", lambda A, c, a, free: (a, np.zeros_like(free)))
    with pytest.raises(np.linalg.LinAlgError, match="nonnegative least squares did not end"):
        nonnegative_least_squares(np.eye(2), np.ones(2))


# --- run: when to stop, and why -----------------------------------------------------------------------------


def halving():
    """A sequence with the gradients 1, 1/2, 1/4 ..."""
    return (Iterate(np.array([float(k)]), np.array([-(2.0**-k)])) for k in range(10**6))


def tenths():
    yield Iterate(np.zeros(3), np.array([0.1, -0.1, 0.1]))


# What the iterates are, the settings of run, and the n_iter, converged and reason of its end. With η = 3 of E = w²/2
# w ← -2w, and 2²⁰ = 1.05e6; |w| has the slope 1 at its kink.
ENDS = {
    "tol": (halving, {"tol": 1 / 8}, 3, True, "max |gradient| <= 0.125 after 3 steps"),
    "the minimum": (lambda: gradient_descent(quadratic_gradient, W_QUADRATIC, eta=0.1), {}, 0, True, "after 0 steps"),
    "largest": (tenths, {"tol": 0.1}, 0, True, "<= 0.1 after"),
    "larger": (tenths, {"tol": 0.09}, 0, False, "> tol = 0.09"),
    "no step": (halving, {"max_iter": 0}, 0, False, "max_iter = 0 steps reached at max |gradient| = 1 > tol = 1e-08"),
    "max_iter": (halving, {"max_iter": 4}, 4, False, "4 steps reached at max |gradient| = 0.0625 > tol = 1e-08"),
    "no gradient": (lambda: sgd(eta=0.1), {"max_iter": 7}, 7, False, "ran the 7 steps it was given"),
    "a gradient that grew": (lambda: gradient_descent(lambda w: w, [1.0], eta=3.0), {"max_iter": 20}, 20, False,
                             "max |gradient| = 1.05e+06 > tol = 1e-08, up from 1: eta may be too long a step"),
    "no way down": (lambda: newton(lambda w: abs(w[0]), lambda w: np.array([1.0]), lambda w: np.eye(1), [0.0]), {}, 0,
                    False, "the iterates end after 0 steps, at max |gradient| = 1 > tol = 1e-08"),
}  # fmt: skip


@pytest.mark.parametrize("iterates, settings, n_iter, converged, reason", ENDS.values(), ids=ENDS)
def test_run_says_where_it_stops_and_why(iterates, settings, n_iter, converged, reason):
    end = run(iterates(), **settings)
    assert (end.n_iter, end.converged) == (n_iter, converged) and reason in end.reason
    assert iterates is not halving or end.w == n_iter  # the iterate it stopped at


@pytest.mark.parametrize(
    "iterates",
    [
        lambda gradient: gradient_descent(gradient, [0.0, 0.0], eta=0.1),
        lambda gradient: stochastic_gradient_descent(
            lambda w, I: gradient(w), [0.0, 0.0], 3, eta=0.1, rng=np.random.default_rng(0)
        ),
        lambda gradient: newton(lambda w: w @ w, gradient, lambda w: np.eye(2), [0.0, 0.0]),
        lambda gradient: bfgs(lambda w: w @ w, gradient, [0.0, 0.0]),
    ],
)
@pytest.mark.parametrize("shape", [(), (1,), (2, 1), (2, 2)])
def test_a_gradient_of_another_shape_is_not_stretched(iterates, shape):
    told = rf"^the gradient must have the shape of w, \(2,\); found {re.escape(str(shape))}$"
    with pytest.raises(ValueError, match=told):
        run(iterates(lambda w: np.ones(shape)))


def test_a_prox_that_is_none_is_told():
    for prox, told in (
        (lambda v, eta: None, r"is None: is a `return`"),
        (lambda v, eta: v[:1], r"must have the shape"),
    ):
        with pytest.raises((TypeError, ValueError), match=rf"^the prox .*{told}"):
            run(proximal_gradient(lambda w: 2 * w, prox, [3.0, 4.0], eta=0.1))


@pytest.mark.parametrize("minimizer", [newton, bfgs])
def test_functions_that_cannot_be_a_loss_and_its_gradient_are_told(minimizer):
    def run_with(loss, gradient):
        return run(minimizer(loss, gradient, *[lambda w: 2 * np.eye(2)] * (minimizer is newton), [1.0, 2.0]))

    with pytest.raises(TypeError, match=r"^the loss of w is None: is a `return` missing"):
        run_with(lambda w: None, lambda w: 2 * w)
    with pytest.raises(TypeError, match=r"^the gradient of w is None: is a `return` missing"):
        run_with(lambda w: w @ w, lambda w: None)
    with pytest.raises(
        ValueError, match=r"^the loss must be a number, found an array of shape \(2,\): is a sum missing"
    ):
        run_with(lambda w: w * w, lambda w: 2 * w)
    uphill = run_with(lambda w: w @ w, lambda w: -2 * w)
    assert not uphill.converged and "is the gradient that of the loss? Or begin with another start" in uphill.reason


def test_a_start_so_far_that_no_step_of_newton_is_short_enough_is_no_minimum():
    """What the end means: another step does lower the loss."""
    loss, gradient = lambda w: np.log1p(w @ w), lambda w: 2 * w / (1 + w @ w)
    ends = run(newton(loss, gradient, lambda w: 1e-20 * np.eye(1), [100.0]))
    assert not ends.converged and ends.n_iter == 0 and loss(np.array([99.0])) < loss(ends.w)


@pytest.mark.parametrize("iterates", [[1.0, 2.0], "x", {1: 2}])
def test_run_says_what_it_follows(iterates):
    with pytest.raises(TypeError, match=r"iterates must hold optimize.Iterate\(w, gradient\), found "):
        run(iterates)
    with pytest.raises(TypeError, match=r"iterates must hold optimize.Iterate\(w, gradient\), found "):
        trajectory(iterates, 1)


def test_trajectory_is_the_start_and_the_points_after_it():
    path = trajectory(gradient_descent(lambda w: 2 * w, [8.0, 4.0], eta=0.25), 2)
    assert path.tolist() == [[8, 4], [4, 2], [2, 1]]
    assert trajectory(halving(), 0).tolist() == [[0]]

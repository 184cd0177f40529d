"""svm_algorithms: one pair and one Newton step by hand, what each must leave true, and both ways to one machine."""

from fractions import Fraction
from functools import partial
from itertools import islice, pairwise

import numpy as np
import pytest
from cases import slow

from linmodels import kernels, svm
from linmodels.datasets import separable
from linmodels.derivatives import central_difference
from linmodels.svm_algorithms import (
    NewtonPoint,
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

INF = np.inf
LI_X, LI_Y = np.array([[3.0, 3], [4, 3], [1, 1]]), np.array([1.0, 1, -1])
LI_K = LI_X @ LI_X.T  # 18, 21, 6; 25, 7; 2
TWO_X, TWO_Y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
CORNERS = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])
SQUARE_K, SQUARE_Y, XOR_Y = CORNERS @ CORNERS.T, np.array([-1.0, -1, 1, 1]), np.array([-1.0, 1, 1, -1])
XOR_K = (1 + SQUARE_K) ** 2


def overlapping(seed, N=12, d=2):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(N) % 3, 1.0, -1.0)
    return rng.normal(size=(N, d)) + 0.5 * y[:, None], y


def apart(seed):
    X, y, _, _ = separable(30, 3, gap=0.2, rng=np.random.default_rng(seed))
    return X, y


def ended(K, y, C, most=50_000):
    """The last state; a sequence that runs on forever fails here."""
    states = list(islice(pairwise_iterates(K, y, C), most))
    assert len(states) < most
    return states[-1]


# --- two multipliers at a time ------------------------------------------------------------------------------


def test_the_first_pair_of_li_hang_by_hand():
    """F = y at α = 0; of 0 and 1 the pair with 2 gains more from 0: (1 + 1)²/(18 + 2 - 12) = 1/2 against 4/13."""
    start = np.zeros(3)
    above, below = scores_by_direction(start, LI_K, LI_Y)
    assert above.tolist() == [1, 1, -INF] and below.tolist() == [INF, INF, -1]
    assert best_pair(start, LI_K, LI_Y) == (0, 2)
    assert pair_step(start, 0, 2, LI_K, LI_Y).tolist() == [0.25, 0, 0.25]  # δ = 2/8
    assert pair_step(start, 1, 2, LI_K, LI_Y).tolist() == [0, 2 / 13, 2 / 13]
    assert pair_step(start, 0, 2, LI_K, LI_Y, C=0.125).tolist() == [0.125, 0, 0.125]
    assert start.tolist() == [0, 0, 0]


@pytest.mark.equation("D-5-14", "D-5-17")
def test_all_pairs_of_li_hang():
    """After the first w = ½(1, 1), b = -2, and (4, 3) has y f = 3/2 > 1: done."""
    start, end = pairwise_iterates(LI_K, LI_Y)
    assert (start.i, start.j, start.b, start.violation) == (-1, -1, 0, 2)
    assert start.alpha.tolist() == [0, 0, 0] and not np.signbit(start.alpha).any()
    assert (end.i, end.j, end.b, end.violation) == (0, 2, -2, 0) and end.alpha.tolist() == [0.25, 0, 0.25]


def test_a_step_back_stops_at_zero():
    """From α = (1, 0, 1), too large, the pair goes down by δ = (F_0 - F_2)/8 = (-11 + 5)/8; (¼, 0, ¼) again."""
    alpha = np.array([1.0, 0, 1])
    assert pair_step(alpha, 0, 2, LI_K, LI_Y).tolist() == [0.25, 0, 0.25]
    alpha = np.array([1.0, 0, 0.25])  # δ = (-15.5 + 6.5)/8 is cut at -¼
    for C in (2.0, INF):
        assert pair_step(alpha, 0, 2, LI_K, LI_Y, C).tolist() == [0.75, 0, 0]
    same_label = pair_step(np.array([0.5, 0.25, 0.75]), 0, 1, LI_K, LI_Y)  # one goes up, the other down
    assert same_label.sum() == pytest.approx(1.5) and same_label @ LI_Y == pytest.approx(0) and same_label.min() == 0


def test_a_step_is_cut_at_0():
    """x = 0, 2, 1 of the labels +, -, +, K = xz, so F = y - x Σ βx. First i = 0, j = 1: δ = 2/4, F = y + x = (1, 1, 2).
    Then i = 2, and 0 and 1 are as good: j = 0, δ = 1/1, but α_0 = ½: cut, F = y + x/2 = (1, 0, 3/2).
    Last i = 2, j = 1: δ = (3/2)/1, F = y + 2x = (1, 3, 3): f = -2x + 3, 0 has y f = 3.
    """
    x = np.array([0.0, 2.0, 1.0])
    states = list(pairwise_iterates(np.outer(x, x), np.array([1.0, -1, 1])))
    assert [(s.i, s.j) for s in states] == [(-1, -1), (0, 1), (2, 0), (2, 1)]
    assert [s.alpha.tolist() for s in states] == [[0, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0.5], [0, 2, 2]]
    assert [s.b for s in states] == [0, 3 / 2, 3 / 4, 3] and [s.violation for s in states] == [2, 1, 3 / 2, 0]


def test_a_step_is_cut_at_C_and_b_is_the_middle_of_its_interval():
    """K = diag(1, ½), C = ½: F = (1 - ½, -1 + ¼), so -3/4 <= b <= 1/2; its middle is -1/8, the violation -5/4."""
    _, state = pairwise_iterates(np.diag([1.0, 0.5]), TWO_Y, 0.5)
    assert state.alpha.tolist() == [0.5, 0.5] and (state.b, state.violation) == (-1 / 8, -5 / 4)


@pytest.mark.equation("D-5-14")
@pytest.mark.parametrize("C", [Fraction(1, 4), Fraction(3, 2), 20])
@pytest.mark.parametrize("seed", [*range(3), *slow(range(3, 20))])
def test_the_sequence_is_that_of_exact_numbers(seed, C):
    """The same in fractions: i has the largest F of all that can go up, no other j gains more with it, and δ is the top
    of the parabola or ends at a bound. Of pairs that are equally good, as a pair just changed is, the one taken."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-64, 65, (7, 3)) / 32, np.where(rng.random(7) > 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    K = X @ X.T + np.diag(rng.integers(1, 32, 7) / 32)
    k, beta, signs = [[Fraction(float(a)) for a in row] for row in K], [Fraction(0)] * 7, [int(a) for a in y]
    lo, hi = [min(0, C * a) for a in signs], [max(0, C * a) for a in signs]
    for _, state in pairwise(islice(pairwise_iterates(K, y, float(C)), 13)):
        F = [signs[n] - sum(k[n][m] * beta[m] for m in range(7)) for n in range(7)]
        i, j = state.i, state.j
        assert F[i] == max(F[n] for n in range(7) if beta[n] < hi[n])
        down = [n for n in range(7) if beta[n] > lo[n] and F[n] < F[i]]
        gains = {n: (F[i] - F[n]) ** 2 / (k[i][i] + k[n][n] - 2 * k[i][n]) for n in down}
        assert gains[j] == max(gains.values())
        delta = min((F[i] - F[j]) / (k[i][i] + k[j][j] - 2 * k[i][j]), hi[i] - beta[i], beta[j] - lo[j])
        beta[i], beta[j] = beta[i] + delta, beta[j] - delta
        np.testing.assert_allclose(state.alpha, [float(b * a) for b, a in zip(beta, signs, strict=True)], atol=1e-13)


def problem(kernel, samples, C):
    X, y = samples
    return kernel(X, X), y, C


PROBLEMS = {
    "square": (SQUARE_K, SQUARE_Y, 0.3),
    "gaussian, soft": problem(kernels.gaussian, overlapping(0, 30), 1.0),
    "gaussian, wide": problem(partial(kernels.gaussian, sigma=3.0), overlapping(1, 30), 10.0),
    "linear, hard": problem(kernels.linear, apart(0), INF),
    "one column": problem(kernels.linear, overlapping(3, 30, 1), 2.0),
}


@pytest.mark.equation("D-5-14")
@pytest.mark.parametrize("K, y, C", PROBLEMS.values(), ids=PROBLEMS)
def test_pairs_go_up_to_the_optimum_inside_the_bounds(K, y, C):
    """Each is feasible, none worse than the one before; b and violation are those of F = y - Kβ. What is left of the
    violation at the end is rounding, so no pair gains, and the duality gap is at most N C of it."""
    states = list(islice(pairwise_iterates(K, y, C), 50_000))
    assert len(states) < 50_000
    before = 0.0
    for state in states:
        alpha, rounding = state.alpha, 1e-13 * (1 + np.abs(K).max() * state.alpha.sum())
        assert (alpha >= 0).all() and (alpha <= C).all() and abs(alpha @ y) <= 1e-13 * alpha.sum()
        F = y - K @ (alpha * y)
        top = F[np.where(y > 0, alpha < C, alpha > 0)].max(initial=-INF)
        bottom = F[np.where(y > 0, alpha > 0, alpha < C)].min(initial=INF)
        assert state.b == pytest.approx((top + bottom) / 2, abs=rounding)
        assert state.violation == pytest.approx(top - bottom, abs=rounding)
        now = svm.dual_objective(alpha, K, y)
        assert now >= before - rounding * (1 + alpha.sum())
        before = now
    assert states[-1].violation <= rounding and before > 0
    most = (C if C < INF else alpha.max()) * len(y)
    assert svm.duality_gap(alpha, states[-1].b, K, y, C) <= 4 * most * rounding + 1e-13 * before


def test_states_are_copies():
    kept, again = list(pairwise_iterates(XOR_K, XOR_Y, 0.1)), pairwise_iterates(XOR_K, XOR_Y, 0.1)
    for state in kept:
        fresh = next(again)
        assert fresh.alpha.tolist() == state.alpha.tolist()
        fresh.alpha[:] = 7
    assert len(kept) > 2 and next(again, None) is None


@pytest.mark.parametrize("C, sizes", [(1e-3, (2, 3, 10, 30)), (1.0, (2, 3, 10, 30)), (1000.0, (2, 3))])
def test_every_soft_problem_ends(C, sizes):
    """A step that changes no digit of β ends it: rounding of F would else ask for it again and again."""
    for N in sizes:
        X, y = overlapping(N, N)
        for K in (X @ X.T, kernels.gaussian(X, X), np.round(X) @ np.round(X).T):
            last = ended(K, y, C)
            assert last.violation <= 1e-12 * (1 + np.abs(K).max() * last.alpha.sum())


def test_samples_at_one_place_go_to_their_bound():
    """K = 0: Γ = λ_1 + λ_2 has no curvature that could end the step before C."""
    for K in (np.ones((2, 2)), np.zeros((2, 2))):
        assert pair_step(np.zeros(2), 0, 1, K, TWO_Y, C=3.0).tolist() == [3, 3]
        assert [state.alpha.tolist() for state in pairwise_iterates(K, TWO_Y, 3.0)] == [[0, 0], [3, 3]]
    with pytest.raises(ValueError, match="samples 0 and 1, which have different labels but the same place in K"):
        pairwise_iterates(np.ones((2, 2)), TWO_Y)


# --- Newton's method on the KKT conditions ------------------------------------------------------------------


@pytest.mark.equation("D-5-15", "D-5-16")
def test_the_start_and_a_newton_step_by_hand():
    """x = ±1: Z = (1, 1; 1, -1); α = 20/‖2‖² = 5, s = 2, W = 5/2: (6, 0; 0, 5) du = (10 + 5, 0) for the target 0."""
    point = newton_start(TWO_X, TWO_Y)
    assert [a.tolist() for a in point] == [[0, 0], [[5, 5]], [[2, 2]]]
    assert newton_start(TWO_X / 16, TWO_Y).P.tolist() == [[1280, 1280]]  # 20/‖1/8‖²: it goes with the unit of X
    du, dP, dS = newton_direction(point, TWO_X, TWO_Y)
    assert du.tolist() == [2.5, 0] and dP.tolist() == [[-3.75, -3.75]] and dS.tolist() == [[-0.5, -0.5]]
    u, P, S = newton_step(point, TWO_X, TWO_Y)  # the target 1: du = (10 + 6)/6
    np.testing.assert_allclose(u, [8 / 3, 0], rtol=1e-15)
    np.testing.assert_allclose(P, [[4 / 3, 4 / 3]], rtol=1e-15)
    np.testing.assert_allclose(S, [[5 / 3, 5 / 3]], rtol=1e-15)


def test_a_point_without_a_newton_step_says_why():
    """Two samples at one place, ω = 1e17: (1 + 2ω, 2ω; 2ω, 2ω), in which no digit of the 1 is left."""
    point = NewtonPoint(np.zeros(2), np.full((1, 2), 1e17), np.ones((1, 2)))
    for step in (newton_direction, newton_step):
        with pytest.raises(np.linalg.LinAlgError, match=r"no Newton step from this point: R .* is singular"):
            step(point, np.ones((2, 1)), TWO_Y)


def test_the_start_of_classes_of_different_size():
    """C/2 for each of the smaller class, and Σ α_n y_n = 0; slacks of 2 everywhere."""
    u, P, S = newton_start(LI_X, LI_Y, C=3.0)
    assert u.tolist() == [0, 0, 0] and P.tolist() == [[0.75, 0.75, 1.5], [2.25, 2.25, 1.5]] and (S == 2).all()


def conditions(flat, X, y, C, target):
    """What the KKT conditions lack at u, α, s and ξ in one row; C - α stands for the second row of P."""
    N, d = X.shape
    u, alpha, *slacks = np.split(flat, [d + 1, d + 1 + N, d + 1 + 2 * N])
    s, xi = slacks[0], slacks[1] if C < INF else np.zeros(0)
    Z = y[:, None] * np.column_stack([X, np.ones(N)])
    found = [np.append(u[:-1], 0) - Z.T @ alpha, Z @ u - 1 - s + (xi if C < INF else 0), alpha * s - target]
    return np.concatenate(found + ([(C - alpha) * xi - target] if C < INF else []))


@pytest.mark.equation("D-5-15", "D-5-16")
@pytest.mark.parametrize("C", [0.5, INF])
@pytest.mark.parametrize("seed", range(2))
def test_the_direction_solves_the_linearized_conditions(seed, C):
    """The conditions, and their derivative along the direction, add up to 0: by central differences."""
    X, y = overlapping(seed)
    u, P, S = newton_start(X, y, C)
    rng = np.random.default_rng(seed)
    u, S = u + rng.normal(size=u.shape), S * rng.uniform(0.5, 2, S.shape)
    target = rng.uniform(0.1, 1)
    du, dP, dS = newton_direction(NewtonPoint(u, P, S), X, y, target)
    at, way = np.concatenate([u, P[0], S.ravel()]), np.concatenate([du, dP[0], dS.ravel()])
    slope = [
        central_difference(lambda t, k=k: conditions(at + t[0] * way, X, y, C, target)[k], np.zeros(1))[0]
        for k in range(len(conditions(at, X, y, C, target)))
    ]
    np.testing.assert_allclose(conditions(at, X, y, C, target) + slope, 0, atol=1e-7 * np.abs(way).max())
    assert C == INF or np.allclose(dP.sum(axis=0), 0, atol=1e-12)


@pytest.mark.equation("D-5-11")
def test_balanced_by_hand():
    """3 + 1 against 2: the first two are halved, and nothing changes where the sums are equal."""
    assert svm.balanced([3.0, 1.0, 2.0], LI_Y).tolist() == [1.5, 0.5, 2.0]
    assert svm.balanced([0.25, 0.25, 0.5], LI_Y).tolist() == [0.25, 0.25, 0.5]
    assert svm.balanced([1.0, 1.0, 8.0], LI_Y) @ LI_Y == 0


@pytest.mark.equation("D-5-8", "D-5-14", "D-5-16")
def test_the_gap_by_hand():
    """Nothing but hinges at w = 0, α = 0: C N. Nothing at the optimum of Li Hang's samples, w = (½, ½), b = -2."""
    assert primal_dual_gap(np.zeros(2), 0.0, np.zeros(3), LI_X, LI_Y, C=2.0) == 6
    alpha = np.array([0.25, 0, 0.25])
    assert primal_dual_gap([0.5, 0.5], -2.0, alpha, LI_X, LI_Y) == 0
    assert primal_dual_gap([1.0, 1.0], -4.0, alpha, LI_X, LI_Y) == 0  # scaled to be canonical first
    assert primal_dual_gap([-0.5, -0.5], 2.0, alpha, LI_X, LI_Y) == INF


@pytest.mark.equation("D-5-8", "D-5-14")
@pytest.mark.parametrize("seed", range(2))
def test_the_gap_is_primal_minus_dual(seed):
    X, y = overlapping(seed)
    rng = np.random.default_rng(seed)
    alpha = svm.balanced(rng.uniform(0, 1, len(y)), y)
    w, b = rng.normal(size=2), rng.normal()
    value = svm.primal_objective(w, b, X, y, 2.0) - svm.dual_objective(alpha, X @ X.T, y)
    assert primal_dual_gap(w, b, alpha, X, y, 2.0) == pytest.approx(value, rel=1e-12)
    assert svm.duality_gap(alpha, b, X @ X.T, y, 2.0) <= primal_dual_gap((alpha * y) @ X, b, alpha, X, y, 2.0) + 1e-12


ITERATES = {
    "apart": (*apart(0), INF),
    "apart, soft": (*apart(0), 0.3),
    "mixed, dear": (*overlapping(0, 30), 30.0),
    "Li Hang": (LI_X, LI_Y, INF),
}


@pytest.mark.equation("D-5-8", "D-5-14", "E-margin-8")
@pytest.mark.parametrize("X, y, C", ITERATES.values(), ids=ITERATES)
def test_newton_goes_to_the_optimum_inside_the_bounds(X, y, C):
    states, again = list(interior_point_iterates(X, y, C)), interior_point_iterates(X, y, C)
    center = X - X.mean(axis=0)
    for state in states:
        assert 0 < state.alpha.min() and state.alpha.max() < C
        assert abs(state.alpha @ y) <= 1e-13 * state.alpha.sum()
        exact = primal_dual_gap(state.w, state.b + X.mean(axis=0) @ state.w, state.alpha, center, y, C)
        assert state.gap == pytest.approx(exact, rel=1e-9, abs=1e-11 * states[0].alpha.sum()) or state.gap == exact
        assert type(state.b) is type(state.gap) is float
        fresh = next(again)
        assert (fresh.w.tolist(), fresh.alpha.tolist()) == (state.w.tolist(), state.alpha.tolist())
        fresh.w[:], fresh.alpha[:] = np.nan, np.nan  # a copy
    assert next(again, None) is None
    gaps = [state.gap for state in states if state.gap < INF]
    assert 5 < len(states) < 100 and (states[0].w == 0).all()
    assert min(gaps) == gaps[-1] <= 1e-13 * states[-1].alpha.sum()
    assert gaps[-4:] == sorted(set(gaps[-4:]), reverse=True)
    best = svm.fit(X, y, C)
    np.testing.assert_allclose(states[-1].w, best.w, atol=1e-7)
    assert states[-1].b == pytest.approx(best.b, abs=1e-7 * (1 + abs(best.b)))
    np.testing.assert_allclose(states[-1].alpha, best.alpha, atol=1e-6 * best.alpha.max())


@pytest.mark.equation("D-5-15", "D-5-16")
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("seed", range(4))
def test_newton_does_not_come_to_a_halt_where_many_samples_overlap(seed, C):
    """The products P S fall at each step: where all are alike and a bound cuts the step, too."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1.0, -1.0], 100)
    X = rng.normal(size=(200, 2)) + y[:, None]
    best, point, products = svm.fit(X, y, C), svm.newton_start(X, y, C), []
    for _ in range(20):
        point = svm.newton_step(point, X, y)
        products.append(np.mean(point.P * point.S))
    assert (np.diff(products) < 0).all()
    *_, last = interior_point_iterates(X, y, C)
    assert last.gap <= 1e-9 * last.alpha.sum()
    np.testing.assert_allclose([*last.w, last.b], [*best.w, best.b], atol=1e-6)


def test_the_hard_margin_of_what_nothing_separates_ends_or_grows():
    early, late = (list(islice(pairwise_iterates(SQUARE_K, XOR_Y), k))[-1].alpha.sum() for k in (3, 150))
    states = list(interior_point_iterates(CORNERS, XOR_Y))
    assert late > 5 * early and 1 < len(states) <= 100 and all(state.gap == INF for state in states)
    assert all(np.isfinite(state.alpha).all() for state in states)


@pytest.mark.parametrize("seed", [*range(6), *slow(range(6, 30))])
def test_newton_ends_at_the_widest_street_of_classes_that_do_not_nearly_touch(seed):
    """`svm.fit` tells how wide it is; nothing is asked of a street narrower than a thousandth of the range of X."""
    rng = np.random.default_rng(seed)
    N, d = (30, 100)[seed % 2], 1 + seed % 3
    X = rng.normal(size=(N, d))
    z = X @ rng.normal(size=d)
    y = np.where(z > np.median(z), 1.0, -1.0)
    widest = svm.fit(X, y)
    assert widest.converged
    half = widest.w @ widest.w / 2
    *_, last = interior_point_iterates(X, y)
    assert last.gap <= 1e-6 * half or 2 / np.sqrt(2 * half) < 1e-3 * np.ptp(X, axis=0).max()


@pytest.mark.parametrize("offset", [1e4, 1e12])
def test_an_offset_of_all_samples_moves_the_bias_alone(offset):
    """x - 10⁸ and x + 10⁸ have one w; whole numbers, so that the offset is exact."""
    X, y = np.array([[0.0, 1], [1, 3], [4, 0], [5, 2]]), np.array([-1.0, -1, 1, 1])
    *_, near = interior_point_iterates(X, y)
    *_, far = interior_point_iterates(X + offset, y)
    np.testing.assert_allclose(far.w, near.w, atol=1e-9)
    assert far.gap <= 1e-12 and far.b == pytest.approx(near.b - offset * near.w.sum(), rel=1e-9)


@pytest.mark.parametrize("C", [1e22, 1e300])
def test_a_bound_that_no_multiplier_reaches_is_the_hard_margin(C):
    with pytest.raises(
        ValueError,
        match=r"C must be at most 1e\+20 in units of 1/X².*; give a smaller C, or inf where a plane separates",
    ):
        interior_point_iterates(LI_X, LI_Y, C)
    *_, last = interior_point_iterates(LI_X, LI_Y, 1e18)
    np.testing.assert_allclose(last.w, [0.5, 0.5], atol=1e-6)


def test_the_machine_has_the_steps_too():
    for f in (best_pair, pair_step, pairwise_iterates, newton_step, interior_point_iterates, primal_dual_gap):
        assert getattr(svm, f.__name__) is f

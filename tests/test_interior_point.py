"""Newton's method for the linear support vector machine (a tool of chapter 10): each step, each guess, each end."""

from itertools import islice

import numpy as np
import pytest
from cases import each

from linmodels import kernels, svm
from linmodels.datasets import separable
from linmodels.solvers import interior_point as ip
from linmodels.solvers.interior_point import Point, Program
from linmodels.solvers.working_set import solve
from linmodels.svm import interior_point_iterates

LI_X, LI_Y = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1.0, 1.0, -1.0])
XOR_X, XOR_Y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
RNG = np.random.default_rng(0)
X, Y, _, _ = separable(30, 3, gap=0.3, rng=RNG)
MIXED = np.where(np.random.default_rng(1).random(30) < 0.2, -Y, Y)


def signed(X, y):
    """z_n = y_n (x_n, 1)."""
    return y[:, None] * np.column_stack([X, np.ones(len(X))])


def program_of(X, y, C, c=None):
    return Program(signed(X, y), C, np.zeros(X.shape[1] + 1) if c is None else c)


def inside(program, rng):
    """A point off all bounds, nothing about it special: Σ α y, Zu - 1 - s + ξ and the products are all wrong."""
    N, n = program.Z.shape
    alpha = rng.uniform(0.1, 0.9, N) * (program.C if program.C < np.inf else 2.0)
    P = np.array([alpha, program.C - alpha]) if program.C < np.inf else alpha[None]
    return Point(rng.normal(size=n), P, rng.uniform(0.2, 3, P.shape))


def all_conditions(program, point, products):
    """(du, dP, dS) from the whole linear system of the docstring, 4N + d + 1 unknowns (2N + d + 1 where C = inf)."""
    Z, C, c = program
    (N, n), k = Z.shape, len(point.P)
    u, P, S = point
    R = np.diag(np.append(np.ones(n - 1), 0.0))
    one, none = np.eye(N), np.zeros((N, N))
    if k == 2:
        alpha, beta, s, xi = *P, *S
        A = np.block(
            [
                [R, -Z.T, np.zeros((n, 3 * N))],
                [Z, none, none, -one, one],
                [np.zeros((N, n)), one, one, none, none],
                [np.zeros((N, n)), np.diag(s), none, np.diag(alpha), none],
                [np.zeros((N, n)), none, np.diag(xi), none, np.diag(beta)],
            ]
        )
        r = 1 - Z @ u + s - xi
        right = np.concatenate([alpha @ Z + c - R @ u, r, C - alpha - beta, *products])
    else:
        alpha, s = P[0], S[0]
        A = np.block([[R, -Z.T, np.zeros((n, N))], [Z, none, -one], [np.zeros((N, n)), np.diag(s), np.diag(alpha)]])
        right = np.concatenate([alpha @ Z + c - R @ u, 1 - Z @ u + s, *products])
    step = np.linalg.solve(A, right)
    return step[:n], step[n : n + k * N].reshape(k, N), step[n + k * N :].reshape(k, N)


PROGRAMS = [
    program_of(X, Y, np.inf),
    program_of(X, MIXED, 0.7),
    program_of(X, MIXED, 50.0, c=np.array([0.3, -1.0, 2.0, 0.5])),
    program_of(np.random.default_rng(2).normal(size=(2, 3)), np.array([1.0, -1.0]), 1.0),
]


# --- one Newton step ------------------------------------------------------------------------------------------


@pytest.mark.equation("D-5-12", "D-5-15", "E-margin-8")
@each("program", PROGRAMS)
@each("seed", range(3))
def test_the_step_solves_all_linearised_conditions(program, seed):
    """The elimination to d + 1 unknowns gives the step of the whole system, first with μ = 0, then with μ and the
    products dP dS of the first, μ = (what is left after the first step, cut at the bounds / now)³ of now (Mehrotra)."""
    point = inside(program, np.random.default_rng(seed))
    new, pure = ip.newton_step(program, point)
    u, P, S = point
    _, dP, dS = all_conditions(program, point, -P * S)
    np.testing.assert_allclose(pure * P, dP, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose((-1 - pure) * S, dS, rtol=1e-8, atol=1e-8)
    to_bound = [-a / da for v, dv in ((P, dP), (S, dS)) for a, da in zip(v.flat, dv.flat, strict=True) if da < 0]
    tau = min(1, *to_bound)
    now, left = np.mean(P * S), np.mean((P + tau * dP) * (S + tau * dS))
    du, dP, dS = all_conditions(program, point, (left / now) ** 3 * now - P * S - dP * dS)
    to_bound = [-a / da for v, dv in ((P, dP), (S, dS)) for a, da in zip(v.flat, dv.flat, strict=True) if da < 0]
    tau = min(1, 0.995 * min(to_bound))
    for after, before, d in ((new.u, u, du), (new.P, P, dP), (new.S, S, dS)):
        np.testing.assert_allclose(after, before + tau * d, rtol=1e-8, atol=1e-8)
    assert new.P.min() > 0 and new.S.min() > 0


@each("program", PROGRAMS)
def test_linear_conditions_that_hold_keep_holding(program):
    """Ru = Zᵀα + c, Zu - 1 = s - ξ and α + β = C are linear: a whole step meets them, a part of it as much."""
    point = inside(program, np.random.default_rng(3))
    sums = lambda q: program.C - q.P.sum(axis=0) if len(q.P) > 1 else np.zeros(1)  # noqa: E731

    def missed(q):
        r = 1 - program.Z @ q.u + (q.S[0] - q.S[1] if len(q.S) > 1 else q.S[0])
        return np.append(ip.dual_residual(program, q.u, q.P[0]), r)

    for _ in range(8):
        new, _ = ip.newton_step(program, point)
        before, after = missed(point), missed(new)
        k = np.abs(before).argmax()
        part = after[k] / before[k] if np.abs(before).max() > 1e-6 else 0.0
        assert -1e-9 <= part < 1
        np.testing.assert_allclose(after, part * before, atol=1e-7 * (1 + np.abs(before).max()))
        assert np.abs(sums(new)).max() <= 1e-12 * (1 + program.C if program.C < np.inf else 1)
        point = new


def test_dual_residual_and_matrix_by_their_formulas():
    program = PROGRAMS[2]
    rng = np.random.default_rng(4)
    u, alpha, W, R = rng.normal(size=4), rng.uniform(size=30), rng.uniform(size=30), np.diag([1.0, 1, 1, 0])
    np.testing.assert_allclose(ip.dual_residual(program, u, alpha), program.Z.T @ alpha + program.c - R @ u, rtol=1e-12)
    matrix = ip.newton_matrix(program.Z, W)
    np.testing.assert_allclose(matrix, R + program.Z.T @ np.diag(W) @ program.Z, rtol=1e-12, atol=1e-12)


def test_first_step_by_hand():
    """0 (-1) and 2 (+1), C = inf, u = 0, α = s = 1: W = 1, Z = (0 -1; 2 1), ρ = (2, 0). Pure: q = 1, so
    (5, 2; 2, 2) du = ρ + Zᵀ1 = (4, 0): du = (4/3, -4/3), dα = 1 - Z du = (-1/3, -1/3)."""
    program = program_of(np.array([[0.0], [2.0]]), np.array([-1.0, 1.0]), np.inf)
    _, pure = ip.newton_step(program, Point(np.zeros(2), np.ones((1, 2)), np.ones((1, 2))))
    np.testing.assert_allclose(pure, [[-1 / 3, -1 / 3]], rtol=1e-14)


@each("C", [np.inf, 0.4, 1e6])
@each("y", [Y, np.where(np.arange(30) < 2, 1.0, -1.0)])
def test_the_start_lies_off_all_bounds_and_in_balance(C, y):
    point = ip.starting_point(signed(X, y), y, C)
    assert (point.u == 0).all() and (point.S == 2).all() and point.S.shape == point.P.shape
    assert abs(point.P[0] @ y) <= 1e-12 * point.P[0].sum()
    assert point.P.min() > 0
    if C < np.inf:
        assert point.P[0].max() == C / 2  # those of the smaller class
        np.testing.assert_allclose(point.P.sum(axis=0), C, rtol=1e-15)
    else:
        twice = ip.starting_point(2 * signed(X, y) / [2, 2, 2, 1] * [1, 1, 1, 0.5], y, C)
        assert len(point.P) == 1 and twice.P.shape == point.P.shape


def test_the_start_of_a_hard_margin_grows_as_the_classes_draw_near():
    """Σ α of a class is 20/‖m₊ - m₋‖²: as α, in units of 1/X². Of classes about one point it stays in range."""
    for t in (1.0, 3.0):
        point = ip.starting_point(signed(t * LI_X, LI_Y), LI_Y, np.inf)
        assert point.P[0, 2] == pytest.approx(20 / (t * t * (2.5**2 + 2**2)), rel=1e-12)
        np.testing.assert_allclose(point.P[0, :2], point.P[0, 2] / 2, rtol=1e-15)
    assert np.isfinite(ip.starting_point(signed(XOR_X, XOR_Y), XOR_Y, np.inf).P).all()


# --- the gap --------------------------------------------------------------------------------------------------


@pytest.mark.equation("D-5-14")
@pytest.mark.erratum("ERR-D37")
@each("C", [0.3, 2.0, 100.0])
def test_the_gap_is_the_sum_of_what_must_vanish(C):
    """½‖w - v‖² + Σ α s + Σ (C - α) ξ = ½‖w‖² + C Σ ξ - (Σ α - ½‖v‖²), v = Σ α y x, wherever Σ α y = 0."""
    rng, Z = np.random.default_rng(5), signed(X, MIXED)
    for _ in range(10):
        u, alpha = rng.normal(size=4), ip.balance_classes(rng.uniform(0, C, 30), MIXED)
        gap, value = ip.duality_gap(Z @ u, u, alpha @ Z, alpha, C)
        assert value == pytest.approx(svm.primal_objective(u[:3], u[3], X, MIXED, C), rel=1e-12)
        assert gap == pytest.approx(value - svm.dual_objective(alpha, X @ X.T, MIXED), rel=1e-11)
        assert gap > 0


def test_the_gap_of_a_hard_margin_scales_to_the_margin_1():
    rng, Z = np.random.default_rng(6), signed(X, Y)
    best = solve(X, Y, np.inf)
    for c in (0.2, 1.0, 5.0):
        u, alpha = c * np.append(best.w, best.b), ip.balance_classes(rng.uniform(0, 1, 30), Y)
        gap, value = ip.duality_gap(Z @ u, u, alpha @ Z, alpha, np.inf)
        assert value == pytest.approx(best.w @ best.w / 2, rel=1e-10)
        assert gap == pytest.approx(value - svm.dual_objective(alpha, X @ X.T, Y), rel=1e-10)
    for u in (-np.append(best.w, best.b), np.zeros(4)):
        assert ip.duality_gap(Z @ u, u, alpha @ Z, alpha, np.inf) == (np.inf, np.inf)
    nan = np.full(4, np.nan)
    assert ip.duality_gap(Z @ nan, nan, alpha @ Z, alpha, 1.0)[0] == np.inf
    assert ip.duality_gap(Z @ nan, nan, alpha @ Z, alpha, np.inf) == (np.inf, np.inf)


@each("excess", [0.0, 1.5, -1.5])
def test_balanced_makes_one_class_smaller(excess):
    rng = np.random.default_rng(7)
    alpha = rng.uniform(0, 1, 30)
    a = ip.balance_classes(alpha, MIXED, excess)
    assert a @ MIXED + excess == pytest.approx(0, abs=1e-13)
    assert (a <= alpha).all() and a.min() >= 0
    ratio = a / alpha
    assert sorted(np.ptp(ratio[MIXED == label]) < 1e-15 for label in (-1, 1)) == [True, True]
    assert max(ratio) == 1


# --- guessing the samples on the margin -----------------------------------------------------------------------


def test_the_saddle_is_the_optimality_of_those_on_the_margin():
    """[[R, -Aᵀ], [A, 0]] (du, dα) = (ρ, r)."""
    rng = np.random.default_rng(8)
    A, rho, r = rng.normal(size=(2, 4)), rng.normal(size=4), rng.normal(size=2)
    K = ip.saddle_matrix(A)
    expected = np.zeros((6, 6))
    expected[0, 0] = expected[1, 1] = expected[2, 2] = 1
    expected[:4, 4:], expected[4:, :4] = -A.T, A
    np.testing.assert_array_equal(K, expected)
    for allow_dependent in (False, True):
        du, da = ip.margin_step(A, r, rho, allow_dependent)
        np.testing.assert_allclose(A @ du, r, rtol=1e-12)
        np.testing.assert_allclose(np.diag([1, 1, 1, 0]) @ du - A.T @ da, rho, rtol=1e-12, atol=1e-12)


def test_dependent_samples_share_the_smallest_multipliers_if_one_is_sure():
    """The same sample three times: a third each; not sure, the matrix is singular and the answer none."""
    rng = np.random.default_rng(9)
    a, other, rho = rng.normal(size=4), rng.normal(size=4), rng.normal(size=4)
    A = np.array([a, a, a, other])
    du, da = ip.margin_step(A, np.array([0.5, 0.5, 0.5, -1.0]), rho, True)
    one_du, one_da = ip.margin_step(np.array([a, other]), np.array([0.5, -1.0]), rho, True)
    np.testing.assert_allclose(du, one_du, rtol=1e-10)
    np.testing.assert_allclose(da, [*[one_da[0] / 3] * 3, one_da[1]], rtol=1e-10)
    zero = np.zeros((2, 4))
    assert all(np.isnan(step).all() for step in ip.margin_step(zero, np.zeros(2), rho, False))


def near_optimum(X, y, C, steps=8):
    program = program_of(X, y, C)
    points = list(islice(ip.newton_iterates(program, y), steps + 1))
    return program, *points[-1]


@each("y, C", [(Y, np.inf), (Y, 0.5), (MIXED, 0.5), (MIXED, 20.0)])
def test_settled_solves_for_the_exact_optimum(y, C):
    program, point, pure = near_optimum(X, y, C)
    u, alpha = ip.active_set_polish(program, point, pure)
    margins = program.Z @ u
    np.testing.assert_allclose(alpha @ program.Z, np.append(u[:3], 0), atol=1e-11 * max(1, alpha.max()))
    on = (alpha > 0) & (alpha < C)
    np.testing.assert_allclose(margins[on], 1, rtol=1e-11)
    assert (alpha[margins > 1 + 1e-9] == 0).all() and (alpha[margins < 1 - 1e-9] == C).all()
    assert 0 < on.sum() <= 4
    before = point.P.copy()
    ip.active_set_polish(program, point, pure, allow_dependent=True)
    np.testing.assert_array_equal(point.P, before)


@each("C", [np.inf, 0.5])
def test_a_wrong_guess_is_refused(C):
    """One of those on the margin taken off it, one off the margin taken on it, or (C) all taken at C."""
    y = Y if C == np.inf else MIXED
    program, point, pure = near_optimum(X, y, C)
    _, alpha = ip.active_set_polish(program, point, pure)
    on, off = int(np.flatnonzero((alpha > 0) & (alpha < C))[0]), int(np.flatnonzero(alpha == 0)[0])
    for n, value in ((on, -1.0), (off, 0.0)):
        wrong = pure.copy()
        wrong[0, n] = value
        assert ip.active_set_polish(program, point, wrong) is None
    if C < np.inf:
        for n in (on, off):
            wrong = pure.copy()
            wrong[0, n], wrong[1, n] = 0.0, -1.0
            assert ip.active_set_polish(program, point, wrong) is None
        full = int(np.flatnonzero(alpha == C)[0])
        wrong = pure.copy()
        wrong[:, full] = -1.0, 0.0
        assert ip.active_set_polish(program, point, wrong) is None
        wrong[:, full] = 0.0, 0.0
        assert ip.active_set_polish(program, point, wrong) is None
    everything = np.zeros_like(pure)
    assert ip.active_set_polish(program, point, everything) is None


def test_a_guess_with_no_sample_on_the_margin_must_be_in_balance():
    """All three at C: Σ α y = C. With w and b near 0 all y f < 1, but no hyperplane has these multipliers."""
    program = program_of(np.array([[0.0], [2.0], [3.0]]), LI_Y, 0.01)
    alpha = np.full(3, 0.005)
    point = Point(np.zeros(2), np.array([alpha, alpha]), np.ones((2, 3)))
    pure = np.array([[0.0] * 3, [-1.0] * 3])
    for allow_dependent in (True, False):
        assert ip.active_set_polish(program, point, pure, allow_dependent) is None


@each("angle", np.arange(0.1, 2, 0.1))
def test_a_multiplier_that_is_0_on_the_margin_may_be_rounded_below_it(angle):
    """(4, 2) lies on the margin of Li Hang's others, with λ = 0: taken to be on it, its λ is 0 or some -1e-17."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    Z = np.array([[3.0, 3.0], [4.0, 2.0], [1.0, 1.0]]) @ turn.T
    program, point, pure = near_optimum(Z, LI_Y, np.inf)
    pure = pure * [1, 0, 1]
    u, alpha = ip.active_set_polish(program, point, pure)
    np.testing.assert_allclose(alpha, [0.25, 0, 0.25], atol=1e-12)
    assert alpha.min() >= 0
    np.testing.assert_allclose(u[:2], turn @ [0.5, 0.5], atol=1e-12)


def test_the_middle_of_b_by_hand():
    """x = 0, 1 (-1) and 3, 5 (+1), w = 0.1, b = 0: f = 0, .1, .3, .5. All at C: y f <= 1 for b in [-1, .5].
    With the first and the last at 0: -b >= 1 and .5 + b >= 1 have none; b = (−1 + .5)/2 again halves what they lack."""
    f, y = np.array([0.0, 0.1, 0.3, 0.5]), np.array([-1.0, -1, 1, 1])
    assert ip.midpoint_shift(y * f, y, np.ones(4, bool)) == pytest.approx((-1 + 0.5) / 2)
    full = np.array([False, True, True, True])  # b <= -1 and b >= -1.1
    assert ip.midpoint_shift(y * f, y, full) == pytest.approx((-1.1 - 1) / 2)
    full = np.array([True, True, True, False])  # b >= 0.5, b >= -1.1, b >= -1; b <= 0.7
    assert ip.midpoint_shift(y * f, y, full) == pytest.approx((0.5 + 0.7) / 2)
    for full in ([True, False], [False, True]):  # bounded on one side only
        assert ip.midpoint_shift(np.array([0.5, 0.7]), np.array([1.0, -1.0]), np.array(full)) == 0.0


# --- the whole program ----------------------------------------------------------------------------------------


def gap_of(w, b, alpha, X, y, C):
    """P - D by the two objectives, of Σ α y = 0."""
    if C == np.inf:
        margin = svm.functional_margin(w, b, X, y)
        value = w @ w / 2 / margin**2 if margin > 0 else np.inf
    else:
        value = svm.primal_objective(w, b, X, y, C)
    return value - svm.dual_objective(alpha, X @ X.T, y)


ITERATES = [(X, Y, np.inf), (X, Y, 0.3), (X, MIXED, 0.3), (X, MIXED, 30.0), (LI_X, LI_Y, np.inf)]


@pytest.mark.equation("D-5-8", "D-5-14", "E-margin-8")
@each("X, y, C", ITERATES)
def test_iterates_go_to_the_optimum_inside_the_bounds(X, y, C):
    states = list(interior_point_iterates(X, y, C))
    assert 5 < len(states) < ip.MAX_STEPS
    first, last = states[0], states[-1]
    assert (first.w == 0).all()
    centre = X - X.mean(axis=0)
    for state in states:
        assert 0 < state.alpha.min() and state.alpha.max() < C
        assert abs(state.alpha @ y) <= 1e-13 * state.alpha.sum()
        b = state.b + X.mean(axis=0) @ state.w
        exact = gap_of(state.w, b, state.alpha, centre, y, C)
        size = first.alpha.sum()
        assert state.gap == pytest.approx(exact, rel=1e-9, abs=1e-11 * size) or state.gap == exact == np.inf
        assert type(state.b) is type(state.gap) is float
    gaps = [state.gap for state in states if state.gap < np.inf]
    assert min(gaps) == gaps[-1] and gaps[-1] <= 1e-13 * last.alpha.sum()
    assert all(after < before for before, after in zip(gaps[-4:], gaps[-3:], strict=False))
    best = solve(X, y, C)
    np.testing.assert_allclose(last.w, best.w, atol=1e-7)
    assert last.b == pytest.approx(best.b, abs=1e-7 * (1 + abs(best.b)))
    np.testing.assert_allclose(last.alpha, best.alpha, atol=1e-6 * best.alpha.max())


def test_iterates_are_copies():
    states, again = list(interior_point_iterates(X, MIXED, 1.0)), interior_point_iterates(X, MIXED, 1.0)
    for kept in states:
        fresh = next(again)
        np.testing.assert_array_equal(kept.w, fresh.w)
        np.testing.assert_array_equal(kept.alpha, fresh.alpha)
        fresh.w[:], fresh.alpha[:] = np.nan, np.nan
    assert next(again, None) is None


def test_iterates_end_where_nothing_separates():
    states = list(interior_point_iterates(XOR_X, XOR_Y))
    assert 1 < len(states) <= ip.MAX_STEPS and all(state.gap == np.inf for state in states)
    assert all(np.isfinite(state.alpha).all() for state in states)


@each(
    "call, message",
    [
        (lambda: interior_point_iterates(LI_X, [1, 1, 1]), r"y holds only \+1"),
        (lambda: interior_point_iterates(LI_X, LI_Y, C=0.0), "C must be > 0, found 0"),
        (lambda: interior_point_iterates(LI_X[0], LI_Y), r"X must be of shape \(N, d\); found shape \(2,\)"),
    ],
)
def test_bad_arguments_are_named_at_the_call(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.equation("D-5-16", "D-5-8")
@each("C", [np.inf, 0.1, 1.0, 100.0])
def test_solve_meets_the_conditions_to_rounding(C):
    y = Y if C == np.inf else MIXED
    best = solve(X, y, C)
    assert max(svm.kkt_residuals(best.w, best.b, best.alpha, X, y, C)) < 1e-11 * max(1, best.alpha.max())
    margins = y * (X @ best.w + best.b)
    assert (best.alpha[margins > 1 + 1e-9] == 0).all() and (best.alpha[margins < 1 - 1e-9] == C).all()
    assert best.gap <= 1e-12 * best.alpha.sum() and best.n_iter <= 20
    alpha = best.alpha
    exact = gap_of(best.w, best.b, alpha, X, y, C) if C < np.inf else best.w @ best.w - alpha.sum()
    assert best.gap == pytest.approx(exact, abs=1e-11 * alpha.sum())


def test_max_iter_ends_it_early_with_its_true_gap():
    gaps = []
    for most in (1, 2, 3):
        part = solve(X, MIXED, 1.0, max_iter=most)
        assert part.n_iter == most
        assert part.gap == pytest.approx(gap_of(part.w, part.b, part.alpha, X, MIXED, 1.0), rel=1e-10)
        assert abs(part.alpha @ MIXED) < 1e-12 and 0 <= part.alpha.min() and part.alpha.max() <= 1
        gaps.append(part.gap)
    assert gaps[0] > gaps[1] > gaps[2] > 1e-6


@pytest.mark.parametrize("y, C", [(Y, np.inf), (Y, 0.5), (MIXED, 0.5), (MIXED, 20.0)])
def test_without_a_guess_the_steps_alone_go_on_to_rounding(y, C, monkeypatch):
    """The best of them is kept: the last ones may be worse."""
    exact = solve(X, y, C)
    monkeypatch.setattr(ip, "active_set_polish", lambda *_, **__: None)
    found = solve(X, y, C, tol=1e-15)
    value = exact.alpha.sum() - exact.w @ exact.w / 2
    assert found.gap <= 1e-13 * value and exact.n_iter < found.n_iter < ip.MAX_STEPS
    np.testing.assert_allclose(found.w, exact.w, atol=1e-6)
    coarse = solve(X, y, C, tol=1e-3)
    assert coarse.n_iter < found.n_iter and coarse.gap <= 1e-3 * (value + coarse.gap)


def test_points_end_where_multipliers_run_away():
    """XOR has no hard margin: α grows without end; the points stop at a number, and MAX_STEPS is the cap."""
    seen = list(ip.newton_iterates(program_of(XOR_X, XOR_Y, np.inf), XOR_Y))
    assert 1 < len(seen) <= ip.MAX_STEPS and seen[0][1] is None and seen[1][1] is not None
    assert all(np.isfinite(point.P).all() for point, _ in seen)
    assert seen[-1][0].P.max() <= ip.DIVERGED_ALPHA


@each("C", [0.1, 1.0, np.inf])
def test_frames_measure_from_anywhere_in_any_unit(C):
    """A frame's rows, margins and sums are those of the samples measured from m in the unit s."""
    Z = X * [1.0, 3.0, 5.0] + [10.0, -20.0, 3.0]
    frame = ip.standardize(Z, Y, 1.0)
    assert np.log2(frame.s) == int(np.log2(frame.s))
    assert 1 <= np.abs((Z - frame.m) / frame.s).max() < 2
    np.testing.assert_allclose(frame.m, (Z.min(axis=0) + Z.max(axis=0)) / 2, rtol=1e-14)
    rows = frame.rows(slice(None))
    np.testing.assert_allclose(rows, signed((Z - frame.m) / frame.s, Y), rtol=1e-14)
    some = np.array([3, 7, 7])
    np.testing.assert_array_equal(frame.rows(some), rows[some])
    u, a = np.array([1.0, -2.0, 0.5, 0.25]), np.random.default_rng(10).normal(size=30)
    np.testing.assert_allclose(frame.margins(u), rows @ u, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(frame.total(a), a @ rows, rtol=1e-12, atol=1e-13)
    program = frame.program(C)
    assert program.C == C and (program.c == 0).all()
    np.testing.assert_array_equal(program.Z, rows)


def test_a_frame_of_one_place_has_a_unit_too():
    frame = ip.standardize(np.full((3, 2), 7.0), LI_Y, 1.0)
    assert frame.s > 0 and (frame.rows(slice(None))[:, :2] == 0).all() and frame.m.tolist() == [7, 7]
    wide = ip.standardize(np.array([[-1.5e308], [1.5e308]]), np.array([-1.0, 1]), 1.0)
    assert np.isfinite(wide.s) and wide.m.tolist() == [0]


def test_frames_of_large_sets_go_by_blocks():
    rng = np.random.default_rng(11)
    Z, y = rng.normal(size=(20000, 11)), np.where(rng.random(20000) < 0.5, 1.0, -1.0)
    frame = ip.standardize(Z, y, 1.0)
    rows, u, a = signed((Z - frame.m) / frame.s, y), rng.normal(size=12), rng.normal(size=20000)
    np.testing.assert_allclose(frame.margins(u), rows @ u, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(frame.total(a), a @ rows, rtol=1e-9, atol=1e-9)


def test_turned_keeps_all_inner_products():
    rng = np.random.default_rng(12)
    Z, y = rng.normal(size=(4, 9)), np.array([1.0, -1, 1, -1])
    frame = ip.standardize(Z, y, 1.0)
    inner, back = ip.rotate_to_span(frame)
    A = (Z - frame.m) / frame.s
    assert inner.X.shape == (4, 4)
    np.testing.assert_allclose(inner.X @ inner.X.T, A @ A.T, atol=1e-12)
    u = rng.normal(size=5)
    np.testing.assert_allclose(frame.margins(back(u)), inner.margins(u), atol=1e-12)
    assert back(u)[-1] == u[-1] and len(back(u)) == 10
    same, identity = ip.rotate_to_span(ip.standardize(Z.T, np.where(np.arange(9) < 3, 1.0, -1.0), 1.0))
    assert identity(u) is u and same.X.shape == (9, 4)


def test_steps_do_not_go_in_circles():
    """Here the pure step is short, and the products dP dS of a whole one make α and s change places forever."""
    X = np.array([[-1, 3, 0], [0, -2, -3], [0, -4, 4], [1, 1, 4], [-4, 1, 2], [2, 2, -4], [-2, -3, 4]]) / 4
    y = np.array([-1.0, -1, 1, -1, -1, 1, -1])
    Phi = kernels.polynomial_features(X, 1.0, 2)
    gaps = [state.gap for state in interior_point_iterates(Phi, y, 64.0)]
    assert len(gaps) < 30 and gaps[-1] < 1e-12
    end, dual = svm.fit(Phi, y, 64.0), svm.fit_dual(Phi @ Phi.T, y, 64.0)
    assert end.converged and dual.converged
    np.testing.assert_allclose(end.w, dual.alpha * y @ Phi, rtol=1e-6, atol=1e-9)

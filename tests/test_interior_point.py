"""Newton's method for the linear support vector machine (a tool of chapter 10): each step, each guess, each end."""

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from cases import slow

from linmodels import kernels, svm
from linmodels.datasets import separable
from linmodels.solvers import interior_point as ip
from linmodels.solvers.interior_point import Point, solve
from linmodels.svm import interior_point_iterates

LI_X, LI_Y = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1.0, 1.0, -1.0])
XOR_X, XOR_Y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
RNG = np.random.default_rng(0)
X, Y, _, _ = separable(30, 3, gap=0.3, rng=RNG)
MIXED = np.where(np.random.default_rng(1).random(30) < 0.2, -Y, Y)


def signed(X, y):
    """z_n = y_n (x_n, 1)."""
    return y[:, None] * np.column_stack([X, np.ones(len(X))])


class Program(NamedTuple):
    """Samples Z, the bound C of their α, and c = Σ α_n z_n of samples whose α is fixed: Ru = Zᵀα + c."""

    Z: np.ndarray
    C: float
    c: np.ndarray


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
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("seed", range(3))
def test_the_step_solves_all_linearised_conditions(program, seed):
    """The elimination to d + 1 unknowns gives the step of the whole system, first with μ = 0, then with μ and the
    products dP dS of the first, μ = (what is left after the first step, cut at the bounds / now)³ of now (Mehrotra)."""
    point = inside(program, np.random.default_rng(seed))
    new, pure = ip.newton_step(program.Z, program.c, point)
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


@pytest.mark.parametrize("program", PROGRAMS)
def test_linear_conditions_that_hold_keep_holding(program):
    """Ru = Zᵀα + c, Zu - 1 = s - ξ and α + β = C are linear: a whole step meets them, a part of it as much."""
    point = inside(program, np.random.default_rng(3))
    sums = lambda q: program.C - q.P.sum(axis=0) if len(q.P) > 1 else np.zeros(1)  # noqa: E731

    def missed(q):
        r = 1 - program.Z @ q.u + (q.S[0] - q.S[1] if len(q.S) > 1 else q.S[0])
        return np.append(ip.dual_residual(program.Z, program.c, q.u, q.P[0]), r)

    for _ in range(8):
        new, _ = ip.newton_step(program.Z, program.c, point)
        before, after = missed(point), missed(new)
        k = np.abs(before).argmax()
        part = after[k] / before[k] if np.abs(before).max() > 1e-6 else 0.0
        assert -1e-9 <= part < 1
        np.testing.assert_allclose(after, part * before, atol=1e-7 * (1 + np.abs(before).max()))
        assert np.abs(sums(new)).max() <= 1e-12 * (1 + program.C if program.C < np.inf else 1)
        point = new


def test_first_step_by_hand():
    """0 (-1) and 2 (+1), C = inf, u = 0, α = s = 1: W = 1, Z = (0 -1; 2 1), ρ = (2, 0). Pure: q = 1, so
    (5, 2; 2, 2) du = ρ + Zᵀ1 = (4, 0): du = (4/3, -4/3), dα = 1 - Z du = (-1/3, -1/3)."""
    program = program_of(np.array([[0.0], [2.0]]), np.array([-1.0, 1.0]), np.inf)
    _, pure = ip.newton_step(program.Z, program.c, Point(np.zeros(2), np.ones((1, 2)), np.ones((1, 2))))
    np.testing.assert_allclose(pure, [[-1 / 3, -1 / 3]], rtol=1e-14)


@pytest.mark.parametrize("C", [np.inf, 0.4, 1e6])
@pytest.mark.parametrize("y", [Y, np.where(np.arange(30) < 2, 1.0, -1.0)])
def test_the_start_lies_off_all_bounds_and_in_balance(C, y):
    point = ip.starting_point(signed(X, y), C)
    assert (point.u == 0).all() and (point.S == 2).all() and point.S.shape == point.P.shape
    assert abs(point.P[0] @ y) <= 1e-12 * point.P[0].sum()
    assert point.P.min() > 0
    if C < np.inf:
        assert point.P[0].max() == C / 2  # those of the smaller class
        np.testing.assert_allclose(point.P.sum(axis=0), C, rtol=1e-15)
    else:
        twice = ip.starting_point(2 * signed(X, y) / [2, 2, 2, 1] * [1, 1, 1, 0.5], C)
        assert len(point.P) == 1 and twice.P.shape == point.P.shape


def test_the_start_of_a_hard_margin_grows_as_the_classes_draw_near():
    """Σ α of a class is 20/‖m₊ - m₋‖²: as α, in units of 1/X². Of classes about one point it stays in range."""
    for t in (1.0, 3.0):
        point = ip.starting_point(signed(t * LI_X, LI_Y), np.inf)
        assert point.P[0, 2] == pytest.approx(20 / (t * t * (2.5**2 + 2**2)), rel=1e-12)
        np.testing.assert_allclose(point.P[0, :2], point.P[0, 2] / 2, rtol=1e-15)
    assert np.isfinite(ip.starting_point(signed(XOR_X, XOR_Y), np.inf).P).all()


# --- the gap --------------------------------------------------------------------------------------------------


def distance(u, v):
    """k -> ½‖kw - v‖²."""
    return lambda k: np.sum((k * u - v)[:-1] ** 2) / 2


@pytest.mark.equation("D-5-14")
@pytest.mark.erratum("ERR-D37")
@pytest.mark.parametrize("C", [0.3, 2.0, 100.0])
def test_the_gap_is_the_sum_of_what_must_vanish(C):
    """½‖w - v‖² + Σ α s + Σ (C - α) ξ = ½‖w‖² + C Σ ξ - (Σ α - ½‖v‖²), v = Σ α y x, wherever Σ α y = 0."""
    rng, Z = np.random.default_rng(5), signed(X, MIXED)
    for _ in range(10):
        u, alpha = rng.normal(size=4), svm.balanced(rng.uniform(0, C, 30), MIXED)
        gap, k = ip.smallest_gap(Z @ u, alpha, C, distance(u, alpha @ Z))
        value = svm.primal_objective(u[:3], u[3], X, MIXED, C)
        assert k == 1 and gap == pytest.approx(value - svm.dual_objective(alpha, X @ X.T, MIXED), rel=1e-11)
        assert gap > 0


def test_the_gap_of_a_hard_margin_scales_to_the_margin_1():
    rng, Z = np.random.default_rng(6), signed(X, Y)
    best = solve(X, Y, np.inf)
    for c in (0.2, 1.0, 5.0):
        u, alpha = c * np.append(best.w, best.b), svm.balanced(rng.uniform(0, 1, 30), Y)
        dual = svm.dual_objective(alpha, X @ X.T, Y)
        for C in (np.inf, 1e12)[: 1 + (c >= 1)]:  # a large C makes ξ dear: of a plane that has none the same
            gap, k = ip.smallest_gap(Z @ u, alpha, C, distance(u, alpha @ Z))
            assert gap == pytest.approx(best.w @ best.w / 2 - dual, rel=1e-10)
            assert k == pytest.approx(1 / c, rel=1e-10)
    for u in (-np.append(best.w, best.b), np.zeros(4), np.full(4, np.nan)):
        assert ip.smallest_gap(Z @ u, alpha, np.inf, distance(u, alpha @ Z))[0] == np.inf
    assert ip.smallest_gap(Z @ u, alpha, 1.0, distance(u, alpha @ Z))[0] == np.inf


@pytest.mark.parametrize("excess", [0.0, 1.5, -1.5])
def test_balanced_makes_one_class_smaller(excess):
    alpha = np.random.default_rng(7).uniform(0, 1, 30)
    point = Point(np.zeros(4), alpha[None], np.ones((1, 30)))
    _, _, a = ip.with_gap(signed(X, MIXED), np.inf, np.array([0, 0, 0, excess]), point)
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
    for many in (False, True):
        du, da = ip.margin_step(A, r, rho, many)
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
    with pytest.raises(np.linalg.LinAlgError):
        ip.margin_step(np.zeros((2, 4)), np.zeros(2), rho, False)


def near_optimum(X, y, C, steps=8):
    program = program_of(X, y, C)
    point = ip.starting_point(program.Z, C)
    for _ in range(steps):
        point, pure = ip.newton_step(program.Z, program.c, point)
    return program, point, pure


@pytest.mark.parametrize("y, C", [(Y, np.inf), (Y, 0.5), (MIXED, 0.5), (MIXED, 20.0)])
def test_settled_solves_for_the_exact_optimum(y, C):
    program, point, pure = near_optimum(X, y, C)
    u, alpha = ip.polish(*program, point, pure, False)
    margins = program.Z @ u
    np.testing.assert_allclose(alpha @ program.Z, np.append(u[:3], 0), atol=1e-11 * max(1, alpha.max()))
    on = (alpha > 0) & (alpha < C)
    np.testing.assert_allclose(margins[on], 1, rtol=1e-11)
    assert (alpha[margins > 1 + 1e-9] == 0).all() and (alpha[margins < 1 - 1e-9] == C).all()
    assert 0 < on.sum() <= 4
    before = point.P.copy()
    ip.polish(*program, point, pure, True)
    np.testing.assert_array_equal(point.P, before)


@pytest.mark.parametrize("C", [np.inf, 0.5])
def test_a_wrong_guess_is_refused(C):
    """One of those on the margin taken off it, one off the margin taken on it, or (C) all taken at C."""
    y = Y if C == np.inf else MIXED
    program, point, pure = near_optimum(X, y, C)
    _, alpha = ip.polish(*program, point, pure, False)
    on, off = int(np.flatnonzero((alpha > 0) & (alpha < C))[0]), int(np.flatnonzero(alpha == 0)[0])
    for n, value in ((on, -1.0), (off, 0.0)):
        wrong = pure.copy()
        wrong[0, n] = value
        assert ip.polish(*program, point, wrong, False) is None
    if C < np.inf:
        for n in (on, off):
            wrong = pure.copy()
            wrong[0, n], wrong[1, n] = 0.0, -1.0
            assert ip.polish(*program, point, wrong, False) is None
        full = int(np.flatnonzero(alpha == C)[0])
        wrong = pure.copy()
        wrong[:, full] = -1.0, 0.0
        assert ip.polish(*program, point, wrong, False) is None
        wrong[:, full] = 0.0, 0.0
        assert ip.polish(*program, point, wrong, False) is None
    everything = np.zeros_like(pure)
    assert ip.polish(*program, point, everything, False) is None


def test_a_guess_with_no_sample_on_the_margin_must_be_in_balance():
    """All three at C: Σ α y = C. With w and b near 0 all y f < 1, but no hyperplane has these multipliers."""
    program = program_of(np.array([[0.0], [2.0], [3.0]]), LI_Y, 0.01)
    alpha = np.full(3, 0.005)
    point = Point(np.zeros(2), np.array([alpha, alpha]), np.ones((2, 3)))
    pure = np.array([[0.0] * 3, [-1.0] * 3])
    for many in (True, False):
        assert ip.polish(*program, point, pure, many) is None


@pytest.mark.parametrize("angle", np.arange(0.1, 2, 0.1))
def test_a_multiplier_that_is_0_on_the_margin_may_be_rounded_below_it(angle):
    """(4, 2) lies on the margin of Li Hang's others, with λ = 0: taken to be on it, its λ is 0 or some -1e-17."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    Z = np.array([[3.0, 3.0], [4.0, 2.0], [1.0, 1.0]]) @ turn.T
    program, point, pure = near_optimum(Z, LI_Y, np.inf)
    pure = pure * [1, 0, 1]
    u, alpha = ip.polish(*program, point, pure, False)
    np.testing.assert_allclose(alpha, [0.25, 0, 0.25], atol=1e-12)
    assert alpha.min() >= 0
    np.testing.assert_allclose(u[:2], turn @ [0.5, 0.5], atol=1e-12)


def test_the_middle_of_b_by_hand():
    """x = 0, 1 (-1) and 3, 5 (+1), w = 0.1, b = 0: f = 0, .1, .3, .5. All at C: y f <= 1 for b in [-1, .5].
    With the first and the last at 0: -b >= 1 and .5 + b >= 1 have none; b = (−1 + .5)/2 again halves what they lack."""
    f, y = np.array([0.0, 0.1, 0.3, 0.5]), np.array([-1.0, -1, 1, 1])
    assert ip.midpoint_shift(y * (1 - y * f), np.where(np.ones(4, bool), y < 0, y > 0)) == pytest.approx((-1 + 0.5) / 2)
    full = np.array([False, True, True, True])  # b <= -1 and b >= -1.1
    assert ip.midpoint_shift(y * (1 - y * f), np.where(full, y < 0, y > 0)) == pytest.approx((-1.1 - 1) / 2)
    full = np.array([True, True, True, False])  # b >= 0.5, b >= -1.1, b >= -1; b <= 0.7
    assert ip.midpoint_shift(y * (1 - y * f), np.where(full, y < 0, y > 0)) == pytest.approx((0.5 + 0.7) / 2)
    for full in ([True, False], [False, True]):  # bounded on one side only
        assert ip.midpoint_shift(np.array([0.5, -0.3]), np.array([full[1]] * 2)) == 0.0


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
@pytest.mark.parametrize("X, y, C", ITERATES)
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


@pytest.mark.parametrize(
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
@pytest.mark.parametrize("C", [np.inf, 0.1, 1.0, 100.0])
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
    monkeypatch.setattr(ip, "polish", lambda *_, **__: None)
    found = solve(X, y, C, tol=1e-15)
    value = exact.alpha.sum() - exact.w @ exact.w / 2
    assert found.gap <= 1e-13 * value and exact.n_iter < found.n_iter < ip.MAX_STEPS
    np.testing.assert_allclose(found.w, exact.w, atol=1e-6)
    coarse = solve(X, y, C, tol=1e-3)
    assert coarse.n_iter < found.n_iter and coarse.gap <= 1e-3 * (value + coarse.gap)


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


@pytest.mark.parametrize("seed", [35, 60, 90, *range(20)])
@pytest.mark.parametrize("C", [1e7, 1e8, 1e10, 1e12])
def test_margins_rounded_below_1_cost_no_large_C(C, seed):
    """One ulp short, times C = 1e8, is 2e-8: above the tolerance, where the best w is known to the last digit."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 3))
    v = X @ rng.normal(size=3)
    y = np.where(v > np.median(v), 1.0, -1.0)
    best, hard = solve(X, y, C), solve(X, y, np.inf)
    np.testing.assert_allclose(best.w, hard.w, rtol=1e-12)
    for found in (best, solve(np.repeat(X, 2, axis=0)[::2], y, C), solve(np.asfortranarray(X), y, C)):
        assert found.gap <= 1e-9 * (hard.w @ hard.w / 2)


@pytest.mark.parametrize("seed", [1381, *range(20)])
def test_no_multiplier_exceeds_C_by_a_digit(seed):
    """Samples on a grid share their multipliers; in 1381 rounding left one ulp beyond C."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (int(rng.integers(4, 30)), 2)).astype(float)
    y = np.where(rng.random(len(X)) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    C = float(10.0 ** rng.uniform(-4, 6))
    alpha = solve(X, y, C).alpha
    assert alpha.min() >= 0 and alpha.max() <= C


# --- many samples ---------------------------------------------------------------------------------------------


def large_set(seed, N, kind):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(2, 6))
    w = rng.normal(size=d)
    w /= np.linalg.norm(w)
    Z = rng.normal(size=(N, d))
    y = np.where(Z @ w > (2 if kind == "few" else 0), 1.0, -1.0)
    gap = {"apart": 0.05, "few": 0.02, "near": -0.3, "mixed": -1.5, "one": -0.05}[kind]
    Z += (gap * np.abs(rng.normal(size=N)) * y)[:, None] * w if gap < 0 else gap * y[:, None] * w
    if kind == "one":  # all in order but one sample
        Z, y = Z - 0.2 * -y[:, None] * w, y.copy()
        y[np.argmax(Z @ w)] = -1
    return Z + rng.normal(size=d), y


def band_and_whole(Z, y, C):
    """The optimum by the samples near the margin, and that by all at once."""
    with pytest.MonkeyPatch.context() as patch:
        band = solve(Z, y, C, 1e-9)
        patch.setattr(ip, "MAX_FULL_SAMPLES", 10**9)
        return band, solve(Z, y, C, 1e-9)


KINDS = ["apart", "few", "near", "mixed", "one"]
SOME = [("apart", np.inf), ("few", 0.01), ("near", 1.0), ("mixed", np.inf), ("one", 0.01), ("mixed", 1.0)]


@pytest.mark.parametrize("kind, C", [*SOME, *slow(product(KINDS, [np.inf, 0.01, 1.0]))])
def test_of_many_samples_those_near_the_margin_tell_the_optimum_of_all(kind, C):
    Z, y = large_set(0, 9000, kind)
    band, whole = band_and_whole(Z, y, C)
    if C == np.inf and kind not in ("apart", "few"):
        assert band.gap == whole.gap == np.inf
        return
    value = whole.alpha.sum() - whole.w @ whole.w / 2
    assert band.gap <= 1e-9 * value and whole.gap <= 1e-9 * value
    np.testing.assert_allclose(band.w, whole.w, atol=1e-4 * np.sqrt(value))
    assert band.alpha.sum() - band.w @ band.w / 2 == pytest.approx(value, rel=1e-9)
    margins = y * (Z @ band.w + band.b)
    assert (band.alpha[margins > 1 + 1e-8] == 0).all() and (band.alpha[margins < 1 - 1e-8] == C).all()
    assert abs(band.alpha @ y) <= 1e-9 * band.alpha.sum()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 13))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("C", [np.inf, 1e-3, 0.1, 10.0])
def test_of_many_samples_more_sets(kind, C, seed):
    Z, y = large_set(seed, 8001 + 1500 * seed, kind)
    band, whole = band_and_whole(Z, y, C)
    assert (band.gap == np.inf) == (whole.gap == np.inf)
    if whole.gap < np.inf:
        value = whole.alpha.sum() - whole.w @ whole.w / 2
        assert band.gap <= 1e-9 * value and whole.gap <= 1e-9 * value
        assert band.alpha.sum() - band.w @ band.w / 2 == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("C", [0.1, np.inf])
def test_the_order_of_many_samples_changes_nothing(C):
    Z, y = large_set(3, 9000, "apart" if C == np.inf else "near")
    order = np.random.default_rng(13).permutation(9000)
    one, other = solve(Z, y, C), solve(Z[order], y[order], C)
    np.testing.assert_allclose(other.w, one.w, rtol=1e-7)
    assert other.b == pytest.approx(one.b, rel=1e-7)
    np.testing.assert_allclose(other.alpha, one.alpha[order], atol=1e-6 * one.alpha.max())

"""Newton's method for the linear support vector machine (a tool of chapter 10): its step, its guess, its ends."""

import numpy as np
import pytest
from cases import slow

from linmodels import kernels, svm
from linmodels.datasets import separable
from linmodels.solvers import interior_point as ip
from linmodels.solvers.interior_point import Point, solve

INF = np.inf
LI_Y = np.array([1.0, 1.0, -1.0])
XOR_X, XOR_Y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
X, Y, _, _ = separable(30, 3, gap=0.3, rng=np.random.default_rng(0))
MIXED = np.where(np.random.default_rng(1).random(30) < 0.2, -Y, Y)


def signed(X, y):
    """z_n = y_n (x_n, 1)."""
    return y[:, None] * np.column_stack([X, np.ones(len(X))])


# --- one Newton step ----------------------------------------------------------------------------------------


def inside(Z, C, rng):
    """A point off all bounds, nothing about it special: Σ α y, Zu - 1 - s + ξ and the products are all wrong."""
    N, n = Z.shape
    alpha = rng.uniform(0.1, 0.9, N) * (C if C < INF else 2.0)
    P = np.array([alpha, C - alpha]) if C < INF else alpha[None]
    return Point(rng.normal(size=n), P, rng.uniform(0.2, 3, P.shape))


def missed(Z, c, point):
    """What the linear conditions lack: Ru = Zᵀα + c, and Zu - 1 = s - ξ."""
    r = 1 - Z @ point.u + (point.S[0] - point.S[1] if len(point.S) > 1 else point.S[0])
    return np.append(np.append(point.u[:-1], 0) - point.P[0] @ Z - c, r)


def all_conditions(Z, c, point, products):
    """(du, dP, dS) from the whole linear system of the docstring, with all of its unknowns."""
    (N, n), k, P, S = Z.shape, len(point.P), point.P, point.S
    R, one, none = np.diag(np.append(np.ones(n - 1), 0.0)), np.eye(N), np.zeros((N, N))
    signs = [one, -one][:k]
    A = np.block(
        [
            [R, -Z.T, np.zeros((n, k * N))],
            [Z, none, *(-s for s in signs)],
            *(
                [np.zeros((N, n)), np.diag(S[i]) @ signs[i], *(np.diag(P[i]) * (i == j) for j in range(k))]
                for i in range(k)
            ),
        ]
    )
    step = np.linalg.solve(A, np.concatenate([-missed(Z, c, point)[:n], missed(Z, c, point)[n:], *products]))
    dalpha = step[n : n + N]
    return step[:n], np.array([dalpha, -dalpha][:k]), step[n + N :].reshape(k, N)


PROGRAMS = {
    "hard": (signed(X, Y), INF, np.zeros(4)),
    "some fixed": (signed(X, MIXED), 50.0, np.array([0.3, -1.0, 2.0, 0.5])),
    "two samples": (signed(X[:2], np.array([1.0, -1.0])), 1.0, np.zeros(4)),
}


@pytest.mark.equation("D-5-12", "D-5-15", "E-margin-8")
@pytest.mark.parametrize("Z, C, c", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("seed", range(2))
def test_the_step_solves_all_linearized_conditions(Z, C, c, seed):
    """The elimination to d + 1 unknowns gives the step of the whole system, first with μ = 0, then with μ and the
    products dP dS of the first, μ = (what is left after the first step, cut at the bounds / now)³ of now (Mehrotra).
    What the linear conditions lack falls by the length of the step."""
    point = inside(Z, C, np.random.default_rng(seed))
    new, pure = ip.newton_step(Z, c, point)
    u, P, S = point
    _, dP, dS = all_conditions(Z, c, point, -P * S)
    np.testing.assert_allclose(pure * P, dP, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose((-1 - pure) * S, dS, rtol=1e-8, atol=1e-8)
    tau = 1 / max(1, np.max(-dP / P), np.max(-dS / S))
    now, left = np.mean(P * S), np.mean((P + tau * dP) * (S + tau * dS))
    du, dP, dS = all_conditions(Z, c, point, (left / now) ** 3 * now - P * S - dP * dS)
    tau = min(1, 0.995 / max(np.max(-dP / P), np.max(-dS / S)))
    for after, before, d in ((new.u, u, du), (new.P, P, dP), (new.S, S, dS)):
        np.testing.assert_allclose(after, before + tau * d, rtol=1e-8, atol=1e-8)
    assert new.P.min() > 0 and new.S.min() > 0
    np.testing.assert_allclose(missed(Z, c, new), (1 - tau) * missed(Z, c, point), atol=1e-7)


def test_first_step_by_hand():
    """0 (-1) and 2 (+1), C = inf, u = 0, α = s = 1: W = 1, Z = (0 -1; 2 1), ρ = (2, 0). Pure: q = 1, so
    (5, 2; 2, 2) du = ρ + Zᵀ1 = (4, 0): du = (4/3, -4/3), dα = 1 - Z du = (-1/3, -1/3)."""
    Z = signed(np.array([[0.0], [2.0]]), np.array([-1.0, 1.0]))
    _, pure = ip.newton_step(Z, np.zeros(2), Point(np.zeros(2), np.ones((1, 2)), np.ones((1, 2))))
    np.testing.assert_allclose(pure, [[-1 / 3, -1 / 3]], rtol=1e-14)


@pytest.mark.parametrize("C", [INF, 0.4])
def test_the_start_lies_off_all_bounds_and_in_balance(C):
    """α = C/2 in the smaller class. C = inf: Σ α of a class is 20/‖m₊ - m₋‖², in units of 1/X² as α; of classes about
    one point it stays in range."""
    Z = signed(np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), LI_Y)
    size = C if C < INF else 2 * 20 / (2.5**2 + 2**2)
    point = ip.starting_point(Z, C)
    assert (point.u == 0).all() and (point.S == 2).all() and point.S.shape == point.P.shape
    np.testing.assert_allclose(point.P[0], [size / 4, size / 4, size / 2])
    assert C == INF or (point.P.sum(axis=0) == C).all()
    assert np.isfinite(ip.starting_point(signed(XOR_X, XOR_Y), INF).P).all()


# --- the gap ------------------------------------------------------------------------------------------------


def gap_of(u, alpha, Z, C):
    return ip.smallest_gap(Z @ u, alpha, C, lambda k: np.sum((k * u - alpha @ Z)[:-1] ** 2) / 2)


@pytest.mark.equation("D-5-14")
@pytest.mark.erratum("ERR-D37")
@pytest.mark.parametrize("C", [0.3, 100.0])
def test_the_gap_is_the_sum_of_what_must_vanish(C):
    """½‖w - v‖² + Σ α s + Σ (C - α) ξ = ½‖w‖² + C Σ ξ - (Σ α - ½‖v‖²), v = Σ α y x, wherever Σ α y = 0."""
    rng = np.random.default_rng(5)
    for _ in range(5):
        u, alpha = rng.normal(size=4), svm.balanced(rng.uniform(0, C, 30), MIXED)
        gap, k = gap_of(u, alpha, signed(X, MIXED), C)
        value = svm.primal_objective(u[:3], u[3], X, MIXED, C)
        assert k == 1 and gap == pytest.approx(value - svm.dual_objective(alpha, X @ X.T, MIXED), rel=1e-11) and gap > 0


@pytest.mark.parametrize("c, C", [(0.2, INF), (1.0, INF), (5.0, INF), (1.0, 1e12), (5.0, 1e12)])
def test_the_gap_of_a_hard_margin_scales_to_the_margin_1(c, C):
    """So does that of a C which makes ξ dear, of a plane that has none."""
    Z, best = signed(X, Y), solve(X, Y, INF)
    u, alpha = c * np.append(best.w, best.b), svm.balanced(np.random.default_rng(6).uniform(0, 1, 30), Y)
    gap, k = gap_of(u, alpha, Z, C)
    assert gap == pytest.approx(best.w @ best.w / 2 - svm.dual_objective(alpha, X @ X.T, Y), rel=1e-10)
    assert k == pytest.approx(1 / c, rel=1e-10)
    for none in (-u, np.zeros(4), np.full(4, np.nan)):
        assert gap_of(none, alpha, Z, INF)[0] == INF
    assert gap_of(np.full(4, np.nan), alpha, Z, 1.0)[0] == INF


@pytest.mark.parametrize("excess", [0.0, 1.5, -1.5])
def test_a_point_has_the_gap_of_its_balanced_multipliers_one_class_made_smaller(excess):
    u, alpha = np.array([0.5, -1.0, 2.0, 0.25]), np.random.default_rng(7).uniform(0, 1, 30)
    point = Point(u, np.array([alpha, 2 - alpha]), np.ones((2, 30)))
    gap, _, a = ip.with_gap(signed(X, MIXED), 2.0, np.array([0, 0, 0, excess]), point)
    assert a @ MIXED + excess == pytest.approx(0, abs=1e-13)
    ratio = a / alpha
    assert a.min() >= 0 and max(ratio) == 1
    assert all(np.ptp(ratio[MIXED == label]) < 1e-15 for label in (-1, 1))
    v, slack = (a * MIXED) @ X, MIXED * (X @ u[:3] + u[3]) - 1
    by_hand = np.sum((u[:3] - v) ** 2) / 2 + a @ np.maximum(slack, 0) + (2 - a) @ np.maximum(-slack, 0)
    assert gap == pytest.approx(by_hand, rel=1e-12)


# --- guessing the samples on the margin ---------------------------------------------------------------------


@pytest.mark.parametrize("many", [False, True])
def test_the_saddle_is_the_optimality_of_those_on_the_margin(many):
    """[[R, -Aᵀ], [A, 0]] (du, dα) = (ρ, r). The same sample three times gets a third each; if that is not sure, the
    matrix is singular and the answer none."""
    rng = np.random.default_rng(8)
    A, rho, r = rng.normal(size=(2, 4)), rng.normal(size=4), rng.normal(size=2)
    du, da = ip.margin_step(A, r, rho, many)
    np.testing.assert_allclose(A @ du, r, rtol=1e-12)
    np.testing.assert_allclose(np.diag([1, 1, 1, 0]) @ du - A.T @ da, rho, rtol=1e-12, atol=1e-12)
    if many:
        again_du, again = ip.margin_step(A[[0, 0, 0, 1]], r[[0, 0, 0, 1]], rho, True)
        np.testing.assert_allclose(again_du, du, rtol=1e-10)
        np.testing.assert_allclose(again, [*[da[0] / 3] * 3, da[1]], rtol=1e-10)
    else:
        with pytest.raises(np.linalg.LinAlgError):
            ip.margin_step(np.zeros((2, 4)), np.zeros(2), rho, False)


def near_optimum(X, y, C):
    Z, c = signed(X, y), np.zeros(X.shape[1] + 1)
    point = ip.starting_point(Z, C)
    for _ in range(8):
        point, pure = ip.newton_step(Z, c, point)
    return (Z, C, c, point), pure


@pytest.mark.parametrize(
    "y, C, unit", [(Y, INF, 1.0), (Y, INF, 1e9), (Y, 0.5, 1.0), (MIXED, 0.5, 1.0), (MIXED, 20.0, 1.0)]
)
def test_a_right_guess_solves_for_the_exact_optimum(y, C, unit):
    program, pure = near_optimum(unit * X, y, C)
    Z, *_, point = program
    u, alpha = ip.polish(*program, pure, False)
    margins, on = Z @ u, (alpha > 0) & (alpha < C)
    np.testing.assert_allclose(alpha @ Z, np.append(u[:3], 0), atol=1e-11 * max(1, alpha.max()))
    np.testing.assert_allclose(margins[on], 1, rtol=1e-11)
    assert (alpha[margins > 1 + 1e-9] == 0).all() and (alpha[margins < 1 - 1e-9] == C).all()
    assert 0 < on.sum() <= 4
    before = point.P.copy()
    ip.polish(*program, pure, True)
    np.testing.assert_array_equal(point.P, before)


@pytest.mark.parametrize("y, C", [(Y, INF), (MIXED, 0.5)], ids=["hard", "soft"])
def test_a_wrong_guess_is_refused(y, C):
    """One of those on the margin taken off it, one off the margin taken on it, or (C) one taken at C, or not."""
    program, pure = near_optimum(X, y, C)
    _, alpha = ip.polish(*program, pure, False)
    on, off = int(np.flatnonzero((alpha > 0) & (alpha < C))[0]), int(np.flatnonzero(alpha == 0)[0])
    guesses = [(on, [-1.0, 0.0]), (off, [0.0, 0.0])]  # dP/P of the two factors: at 0, on the margin
    if C < INF:
        full = int(np.flatnonzero(alpha == C)[0])
        guesses += [(on, [0.0, -1.0]), (off, [0.0, -1.0]), (full, [-1.0, 0.0]), (full, [0.0, 0.0])]
    for n, value in guesses:
        wrong = pure.copy()
        wrong[:, n] = value[: len(pure)]
        assert ip.polish(*program, wrong, False) is None
    assert ip.polish(*program, np.zeros_like(pure), False) is None


@pytest.mark.parametrize("many", [True, False])
def test_a_guess_with_no_sample_on_the_margin_must_be_in_balance(many):
    """All three at C: Σ α y = C. With w and b near 0 all y f < 1, but no hyperplane has these multipliers."""
    alpha = np.full(3, 0.005)
    point = Point(np.zeros(2), np.array([alpha, alpha]), np.ones((2, 3)))
    Z, pure = signed(np.array([[0.0], [2.0], [3.0]]), LI_Y), np.array([[0.0] * 3, [-1.0] * 3])
    assert ip.polish(Z, 0.01, np.zeros(2), point, pure, many) is None


@pytest.mark.parametrize("angle", np.arange(0.1, 2, 0.5))
def test_a_multiplier_that_is_0_on_the_margin_may_be_rounded_below_it(angle):
    """(4, 2) lies on the margin of Li Hang's others, with λ = 0: taken to be on it, its λ is 0 or some -1e-17."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    program, pure = near_optimum(np.array([[3.0, 3.0], [4.0, 2.0], [1.0, 1.0]]) @ turn.T, LI_Y, INF)
    u, alpha = ip.polish(*program, pure * [1, 0, 1], False)
    np.testing.assert_allclose(alpha, [0.25, 0, 0.25], atol=1e-12)
    assert alpha.min() >= 0
    np.testing.assert_allclose(u[:2], turn @ [0.5, 0.5], atol=1e-12)


@pytest.mark.parametrize(
    "full, middle",
    [
        ([True, True, True, True], (-1 + 0.5) / 2),
        ([False, True, True, True], (-1.1 - 1) / 2),  # b <= -1 and b >= -1.1
        ([True, True, True, False], (0.5 + 0.7) / 2),  # b >= 0.5, b >= -1.1, b >= -1; b <= 0.7
    ],
)
def test_the_middle_of_b_by_hand(full, middle):
    """x = 0, 1 (-1) and 3, 5 (+1), w = 0.1, b = 0: f = 0, .1, .3, .5. All at C: y f <= 1 for b in [-1, .5]."""
    f, y = np.array([0.0, 0.1, 0.3, 0.5]), np.array([-1.0, -1, 1, 1])
    assert ip.midpoint_shift(y * (1 - y * f), np.where(full, y < 0, y > 0)) == pytest.approx(middle)
    for side in (True, False):  # bounded on one side only
        assert ip.midpoint_shift(np.array([0.5, -0.3]), np.array([side] * 2)) == 0.0


# --- the whole program --------------------------------------------------------------------------------------


def value_of(found):
    return found.alpha.sum() - found.w @ found.w / 2


@pytest.mark.equation("D-5-16", "D-5-8")
@pytest.mark.parametrize("y, C", [(Y, INF), (MIXED, 0.1), (MIXED, 1.0), (MIXED, 100.0)])
def test_solve_meets_the_conditions_to_rounding(y, C):
    best = solve(X, y, C)
    assert max(svm.kkt_residuals(best.w, best.b, best.alpha, X, y, C)) < 1e-11 * max(1, best.alpha.max())
    assert best.gap <= 1e-12 * best.alpha.sum() and best.n_iter <= 20
    exact = svm.primal_dual_gap(best.w, best.b, best.alpha, X, y, C)
    assert best.gap == pytest.approx(exact, abs=1e-11 * best.alpha.sum())


@pytest.mark.parametrize("y, C", [(Y, INF), (MIXED, 0.5), (MIXED, 20.0)])
def test_without_a_guess_the_steps_alone_go_on_to_rounding(y, C, monkeypatch):
    """The best of them is kept: the last ones may be worse."""
    exact = solve(X, y, C)
    monkeypatch.setattr(ip, "polish", lambda *_, **__: None)
    found, coarse = solve(X, y, C, tol=1e-15), solve(X, y, C, tol=1e-3)
    assert found.gap <= 1e-13 * value_of(exact) and exact.n_iter < found.n_iter < ip.MAX_STEPS
    np.testing.assert_allclose(found.w, exact.w, atol=1e-6)
    assert coarse.n_iter < found.n_iter and coarse.gap <= 1e-3 * (value_of(exact) + coarse.gap)


def test_steps_do_not_go_in_circles():
    """Here the pure step is short, and the products dP dS of a whole one make α and s change places forever."""
    X = np.array([[-1, 3, 0], [0, -2, -3], [0, -4, 4], [1, 1, 4], [-4, 1, 2], [2, 2, -4], [-2, -3, 4]]) / 4
    y = np.array([-1.0, -1, 1, -1, -1, 1, -1])
    Phi = kernels.polynomial_features(X, 1.0, 2)
    gaps = [state.gap for state in svm.interior_point_iterates(Phi, y, 64.0)]
    assert len(gaps) < 30 and gaps[-1] < 1e-12
    end, dual = svm.fit(Phi, y, 64.0), svm.fit_dual(Phi @ Phi.T, y, 64.0)
    assert end.converged and dual.converged
    np.testing.assert_allclose(end.w, dual.alpha * y @ Phi, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("seed", [35, 60, 90, 0, 1, *slow(range(2, 20))])
@pytest.mark.parametrize("C", [1e7, 1e8, 1e12])
def test_margins_rounded_below_1_cost_no_large_C(C, seed):
    """One ulp short, times C = 1e8, is 2e-8: above the tolerance, where the best w is known to the last digit."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 3))
    v = X @ rng.normal(size=3)
    y = np.where(v > np.median(v), 1.0, -1.0)
    best, hard = solve(X, y, C), solve(X, y, INF)
    np.testing.assert_allclose(best.w, hard.w, rtol=1e-12)
    for found in (best, solve(np.repeat(X, 2, axis=0)[::2], y, C), solve(np.asfortranarray(X), y, C)):
        assert found.gap <= 1e-9 * (hard.w @ hard.w / 2)


@pytest.mark.parametrize("seed", [1381, 0, 1, *slow(range(2, 20))])
def test_no_multiplier_exceeds_C_by_a_digit(seed):
    """Samples on a grid share their multipliers; in 1381 rounding left one ulp beyond C."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (int(rng.integers(4, 30)), 2)).astype(float)
    y = np.where(rng.random(len(X)) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    C = float(10.0 ** rng.uniform(-4, 6))
    alpha = solve(X, y, C).alpha
    assert alpha.min() >= 0 and alpha.max() <= C


# --- many samples -------------------------------------------------------------------------------------------


def large_set(seed, N, kind):
    """Classes with a gap, with few samples in one, that overlap a little, much, or in one sample."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(2, 6))
    w = rng.normal(size=d)
    w /= np.linalg.norm(w)
    Z = rng.normal(size=(N, d))
    y = np.where(Z @ w > (2 if kind == "few" else 0), 1.0, -1.0)
    gap = {"apart": 0.05, "few": 0.02, "near": -0.3, "mixed": -1.5, "one": -0.05}[kind]
    Z += (gap * np.abs(rng.normal(size=N)) * y)[:, None] * w if gap < 0 else gap * y[:, None] * w
    if kind == "one":
        Z, y = Z + 0.2 * y[:, None] * w, y.copy()
        y[np.argmax(Z @ w)] = -1
    return Z + rng.normal(size=d), y


QUICK = [("apart", INF), ("few", 0.01), ("near", 1.0), ("mixed", INF), ("one", 0.01), ("mixed", 1.0)]
MORE = [(kind, C, seed) for kind in ("apart", "few", "near", "mixed", "one") for C in (INF, 0.1) for seed in (1, 5)]


@pytest.mark.parametrize("kind, C, seed", [*((*case, 0) for case in QUICK), *slow(MORE)])
def test_of_many_samples_those_near_the_margin_tell_the_optimum_of_all(kind, C, seed, monkeypatch):
    Z, y = large_set(seed, 9000, kind)
    band = solve(Z, y, C, 1e-9)
    monkeypatch.setattr(ip, "MAX_FULL_SAMPLES", 10**9)
    whole = solve(Z, y, C, 1e-9)
    if C == INF and kind not in ("apart", "few"):
        assert band.gap == whole.gap == INF
        return
    assert band.n_iter < 40  # the samples of a good guess are not asked again
    value = value_of(whole)
    for found in (band, whole):
        assert found.gap <= 1e-9 * value and value_of(found) == pytest.approx(value, rel=1e-9)
        np.testing.assert_allclose(found.w, whole.w, atol=1e-4 * np.sqrt(value))
    margins = y * (Z @ band.w + band.b)
    assert (band.alpha[margins > 1 + 1e-8] == 0).all() and (band.alpha[margins < 1 - 1e-8] == C).all()
    assert abs(band.alpha @ y) <= 1e-9 * band.alpha.sum()

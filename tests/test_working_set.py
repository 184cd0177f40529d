"""The linear support vector machine on any number of samples (a tool of chapter 10): few tell about all."""

from itertools import product

import numpy as np
import pytest
from cases import each

from linmodels.solvers import interior_point as ip
from linmodels.solvers import working_set
from linmodels.solvers.interior_point import Frame
from linmodels.solvers.working_set import solve


def test_judged_lengthens_w_where_a_large_C_meets_rounding():
    """Margins of 1 - 1e-12 cost C·1e-12 = 1e4 each at C = 1e16, a w longer by 1e-12 next to nothing."""
    frame = Frame(np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), np.zeros(1), 1.0)
    u, alpha = np.array([1 - 1e-12, 0.0]), np.array([0.5, 0.5])
    longer, _, gap = working_set.evaluate(frame, u, alpha, 1e16, 1e-9)
    assert longer[0] == pytest.approx(1, rel=1e-10) and longer[0] > u[0]
    assert gap <= 1e-9 < ip.duality_gap(frame.margins(u), u, np.array([1.0, 0.0]), alpha, 1e16)[0]
    same, _, _ = working_set.evaluate(frame, u, alpha, 1.0, 1e-9)
    assert same is u
    against = np.array([-1.0, 0.0])  # wrong for both: no length helps
    assert working_set.evaluate(frame, against, alpha, 1e16, 1e-9)[0] is against


@each("seed", [35, 60, 90, *range(20)])
@each("C", [1e7, 1e8, 1e10, 1e12])
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


@each("seed", [1381, *range(20)])
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


def test_nearest_takes_half_of_either_class():
    distance = np.array([5.0, 1, 4, 2, 3, 9, 8, 7])
    y = np.array([1.0, 1, 1, 1, 1, -1, -1, -1])
    assert np.flatnonzero(working_set.nearest_samples(distance, y, 4)).tolist() == [1, 3, 4, 5, 6, 7]
    assert np.flatnonzero(working_set.nearest_samples(distance, y, 2)).tolist() == [1, 3, 6, 7]
    assert working_set.nearest_samples(distance, y, 100).all()


def test_sample_is_the_same_each_time_and_has_both_classes():
    y = np.where(np.arange(20000) < 300, 1.0, -1.0)
    I = working_set.stratified_sample(y, 16)
    np.testing.assert_array_equal(I, working_set.stratified_sample(y, 16))
    assert (y[I] > 0).sum() == 300 and (y[I] < 0).sum() == 19700 // 16 and len(set(I)) == len(I)


@each("k", [1e-3, 0.5])
def test_central_slacks_solve_their_conditions(k):
    """s - ξ = v, and α = Ck/s, β = Ck/ξ, which have αs = βξ, add up to C."""
    v = np.array([-100.0, -1.0, 0.0, 0.2, 50.0])
    s, xi = working_set.central_slacks(v, k)
    np.testing.assert_allclose(s - xi, v, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(k / s + k / xi, 1, rtol=1e-9)
    assert s.min() > 0 and xi.min() > 0


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
        patch.setattr(working_set, "MAX_FULL_SAMPLES", 10**9)
        return band, solve(Z, y, C, 1e-9)


KINDS = ["apart", "few", "near", "mixed", "one"]
SOME = [("apart", np.inf), ("few", 0.01), ("near", 1.0), ("mixed", np.inf), ("one", 0.01), ("mixed", 1.0)]


@each("kind, C", SOME, more=product(KINDS, [np.inf, 0.01, 1.0]))
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


@pytest.mark.parametrize(
    "C, kind, error, size",
    [
        (np.inf, "apart", 0.1, 800),
        (np.inf, "few", 0.1, 300),
        (0.1, "near", 0.007, 300),
        (0.01, "one", 0.01, 300),
        (0.01, "near", 0.02, 800),
    ],
)
def test_samples_left_out_by_mistake_join_until_none_is_left(C, kind, error, size, monkeypatch):
    """From a hyperplane a little off, and with few samples at first, it takes several programs, none of them whole."""
    Z, y = large_set(5, 9000, kind)
    monkeypatch.setattr(working_set, "MAX_FULL_SAMPLES", 10**9)
    whole = solve(Z, y, C)
    monkeypatch.setattr(working_set, "MAX_FULL_SAMPLES", 8000)
    frame, sizes, follow = ip.standardize(Z, y, 1.0), [], ip.solve_program
    off = np.append(whole.w * frame.s, whole.b + whole.w @ frame.m)
    off = off + error * np.abs(off[:-1]).max() * np.random.default_rng(14).normal(size=len(off))

    def counted(program, *rest):
        sizes.append(len(program.Z))
        return follow(program, *rest)

    monkeypatch.setattr(working_set, "subsample_guess", lambda *_: (off, 5, [size] * 50))
    monkeypatch.setattr(working_set, "solve_program", counted)
    found = solve(Z, y, C)
    assert 1 < len(sizes) < 50 and max(sizes) < 9000
    assert found.n_iter > 5 + len(sizes)
    value = whole.alpha.sum() - whole.w @ whole.w / 2
    assert found.gap <= 1e-9 * value and found.alpha.sum() - found.w @ found.w / 2 == pytest.approx(value, rel=1e-9)
    np.testing.assert_allclose(found.w, whole.w, rtol=1e-6)


@pytest.mark.slow
@each("seed", range(1, 13))
@each("kind", KINDS)
@each("C", [np.inf, 1e-3, 0.1, 10.0])
def test_of_many_samples_more_sets(kind, C, seed):
    Z, y = large_set(seed, 8001 + 1500 * seed, kind)
    band, whole = band_and_whole(Z, y, C)
    assert (band.gap == np.inf) == (whole.gap == np.inf)
    if whole.gap < np.inf:
        value = whole.alpha.sum() - whole.w @ whole.w / 2
        assert band.gap <= 1e-9 * value and whole.gap <= 1e-9 * value
        assert band.alpha.sum() - band.w @ band.w / 2 == pytest.approx(value, rel=1e-9)


@each("C", [0.1, np.inf])
def test_the_order_of_many_samples_changes_nothing(C):
    Z, y = large_set(3, 9000, "apart" if C == np.inf else "near")
    order = np.random.default_rng(13).permutation(9000)
    one, other = solve(Z, y, C), solve(Z[order], y[order], C)
    np.testing.assert_allclose(other.w, one.w, rtol=1e-7)
    assert other.b == pytest.approx(one.b, rel=1e-7)
    np.testing.assert_allclose(other.alpha, one.alpha[order], atol=1e-6 * one.alpha.max())


def test_the_guess_lies_near_the_optimum():
    """After the steps with the gradient of all samples far fewer than the band holds are on the wrong side of 1."""
    Z, y = large_set(4, 20000, "near")
    frame = ip.standardize(Z, y, 1.0)
    u, n, sizes = working_set.subsample_guess(frame, frame.s**2, 100)
    best = solve(Z, y, 1.0)
    there = frame.margins(np.append(best.w * frame.s, best.b + best.w @ frame.m))
    wrong = (frame.margins(u) < 1) != (there < 1)
    assert 2 * wrong.mean() < sizes[0] / 20000 and n > 0
    I = working_set.stratified_sample(y, 16)
    part = Frame(Z[I], y[I], frame.m, frame.s)
    before, _, _ = ip.solve_program(part.program(frame.s**2 * 20000 / len(I)), y[I], ip.GUESS_GAP, 100)
    goal = np.append(best.w * frame.s, best.b + best.w @ frame.m)
    assert np.linalg.norm(u - goal) < np.linalg.norm(before - goal)
    assert sizes == [20000 // 16, *[20000 // 64] * 4]
    hard = ip.standardize(*large_set(4, 20000, "apart"), np.inf)
    u, n, sizes = working_set.subsample_guess(hard, np.inf, 100)
    assert set(sizes) == {min(40 * len(u), 20000 // 8)} and n > 0
    assert np.sort(hard.margins(u))[: 20000 // 100].min() > 0.5

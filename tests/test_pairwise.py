"""The dual of the support vector machine by pairs: one step, the sequence, the maximum, and matrices of no kernel."""

import re
from fractions import Fraction
from itertools import islice, pairwise

import numpy as np
import pytest
from cases import slow

from linmodels import datasets, kernels, svm
from linmodels.solvers import interior_point
from linmodels.solvers.pairwise import (
    center_on_first_sample,
    evaluate,
    exact_dot,
    principal_blocks,
    problem_of,
    solve,
)
from linmodels.solvers.pairwise import (
    gradient as gradient_of,
)
from linmodels.svm import pairwise_iterates

INF = np.inf
EPS = np.finfo(float).eps

LI_K, LI_Y = np.array([[18.0, 21, 6], [21, 25, 7], [6, 7, 2]]), np.array([1.0, 1, -1])  # (3, 3), (4, 3) | (1, 1)
CORNERS = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])
XOR_K, XOR_Y = (1 + CORNERS @ CORNERS.T) ** 2, np.array([-1.0, 1, 1, -1])
SQUARE_K, SQUARE_Y = CORNERS @ CORNERS.T, np.array([-1.0, -1, 1, 1])  # by the first coordinate


def labels(rng, N):
    """N random labels, both of them present."""
    y = np.where(rng.random(N) > 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    return y


def overlapping(N, d, seed=0, shift=0.5):
    rng = np.random.default_rng(seed)
    y = labels(rng, N)
    return rng.normal(size=(N, d)) + shift * y[:, None] / np.sqrt(d), y


def apart(N, d, seed=0):
    X, y, _, _ = datasets.separable(N, d, gap=0.2, rng=np.random.default_rng(seed))
    return X, y


def gaussian_gram(X, sigma=1.0):
    return kernels.gram(lambda A, B: kernels.gaussian(A, B, sigma), X)


def petals():
    """Versicolor and virginica by the length and width of their petals: they overlap."""
    iris = datasets.iris()
    two = iris.y > 0
    return iris.X[two][:, 2:], np.where(iris.y[two] == 2, 1.0, -1.0)


X_OVER, Y_OVER = overlapping(40, 2)
PETALS, SPECIES = petals()
MILLIMETRES = np.round(10 * PETALS)  # whole numbers: their K is the same on every machine
PROBLEMS = {
    "Li Hang": (LI_K, LI_Y, INF),
    "XOR": (XOR_K, XOR_Y, INF),
    "square": (SQUARE_K, SQUARE_Y, 0.3),
    "gaussian, hard": (gaussian_gram(X_OVER, 0.3), Y_OVER, INF),
    "gaussian, soft": (gaussian_gram(X_OVER), Y_OVER, 1.0),
    "gaussian, wide": (gaussian_gram(X_OVER, 3.0), Y_OVER, 10.0),
    "linear, soft": (X_OVER @ X_OVER.T, Y_OVER, 0.5),
    "linear, costly": (X_OVER @ X_OVER.T, Y_OVER, 100.0),
    "linear, hard": (lambda X, y: (X @ X.T, y, INF))(*apart(30, 3)),
    "one column": (X_OVER[:, :1] @ X_OVER[:, :1].T, Y_OVER, 2.0),
    "petals": (MILLIMETRES @ MILLIMETRES.T, SPECIES, 10.0),
    "no kernel trick": (np.eye(6), np.array([1.0, -1, -1, -1, 1, -1]), 1.0),
}
LONG = "gaussian, hard", "linear, costly"  # a thousand pairs
problems = pytest.mark.parametrize(
    "K, y, C", [*[PROBLEMS[name] for name in PROBLEMS if name not in LONG], *slow([PROBLEMS[name] for name in LONG])]
)


STATES, ENDS = {}, {}  # of the problems that several tests solve


def problem_key(K, y, C):
    return K.tobytes(), np.asarray(y).tobytes(), C


def path(K, y, C, most=60):
    sequence, seen = STATES.setdefault(problem_key(K, y, C), (pairwise_iterates(K, y, C), []))
    seen += islice(sequence, max(0, most - len(seen)))
    return seen[:most]


def ended(K, y, C, most=50_000):
    """The last state; a sequence that runs on forever fails here."""
    key = problem_key(K, y, C)
    if key not in ENDS:
        for n, state in enumerate(islice(pairwise_iterates(K, y, C), most)):  # noqa: B007
            assert n < most - 1
        ENDS[key] = state
    return ENDS[key]


def gradient(alpha, K, y):
    """F = y - Kβ, β = αy."""
    return y - K @ (alpha * y)


def can_go(alpha, y, C):
    """Which β_n may go up, and which down."""
    return np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)


def size_of(alpha, K):
    """What the terms of F and G are made of: rounding is a part of that."""
    return 1 + np.abs(K).max() * alpha.sum()


def gap_at(alpha, b, K, y, C):
    """½‖w‖² + C Σ ξ_n - Γ(α); for C = inf that of (w, b) scaled to the margin 1."""
    if C == INF:
        return svm.duality_gap(alpha, b, K, y)
    beta = alpha * y
    return beta @ K @ beta / 2 + C * np.sum(svm.hinge(beta, b, K, y)) - svm.dual_objective(alpha, K, y)


def steps(K, y, C, most=60):
    """(before, after, δ, F_i - F_j, curvature) of the pairs."""
    for before, after in pairwise(path(K, y, C, most)):
        i, j = after.i, after.j
        F = gradient(before.alpha, K, y)
        yield before, after, (after.alpha - before.alpha)[i] * y[i], F[i] - F[j], K[i, i] + K[j, j] - 2 * K[i, j]


# --- one step -----------------------------------------------------------------------------------------------


@pytest.mark.equation("D-5-14")
@problems
@pytest.mark.slow
def test_a_step_gains_what_its_parabola_says(K, y, C):
    """G(after) - G(before) = δ (F_i - F_j) - ½ δ² (K_ii + K_jj - 2 K_ij)."""
    for before, after, delta, rise, curvature in steps(K, y, C):
        gained = svm.dual_objective(after.alpha, K, y) - svm.dual_objective(before.alpha, K, y)
        rounding = 1e-13 * size_of(after.alpha, K) * (1 + after.alpha.sum())
        assert gained == pytest.approx(delta * rise - delta**2 * curvature / 2, rel=1e-9, abs=rounding)
        assert delta > 0 and rise > 0


@problems
def test_a_step_is_of_the_best_length_or_ends_at_a_bound(K, y, C):
    """δ = (F_i - F_j)/curvature, where that is in the box; else one of the two is at 0 or C, and δ is less."""
    cut = 0
    for _, after, delta, rise, curvature in steps(K, y, C):
        at_bound = np.isin(after.alpha[[after.i, after.j]], [0, C]).any()
        rounding = 1e-13 * size_of(after.alpha, K)
        if not at_bound:
            assert delta * curvature == pytest.approx(rise, rel=1e-9, abs=rounding)
        assert delta * curvature <= rise * (1 + 1e-9) + rounding
        cut += at_bound
    assert cut or C == INF


@problems
def test_the_pair_is_that_of_the_largest_gain(K, y, C):
    """i has the largest F of all that can go up; no other j gains more with it, had it room."""
    for before, after in pairwise(path(K, y, C)):
        F, i, j = gradient(before.alpha, K, y), after.i, after.j
        up, down = can_go(before.alpha, y, C)
        rounding = 1e-13 * size_of(before.alpha, K)
        assert up[i] and down[j]
        assert F[i] >= F[up].max() - rounding
        rise = np.where(down, np.maximum(F[i] - F, 0), 0)
        curvature = np.maximum(K[i, i] + K.diagonal() - 2 * K[i], 1e-12 * K.max())
        assert rise[j] ** 2 / curvature[j] >= (rise**2 / curvature).max() * (1 - 1e-9) - rounding / curvature[j]


@pytest.mark.parametrize("C", [Fraction(1, 4), Fraction(3, 2), 20])
@pytest.mark.parametrize("seed", [*range(3), *slow(range(3, 40))])
def test_the_sequence_is_that_of_exact_numbers(seed, C):
    """The same in fractions; of pairs that are equally good, as a pair just changed is, the one that was taken."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-64, 65, (7, 3)) / 32
    y, K = labels(rng, 7), X @ X.T + np.diag(rng.integers(1, 32, 7) / 32)
    k, beta, signs = [[Fraction(float(a)) for a in row] for row in K], [Fraction(0)] * 7, [int(a) for a in y]
    lo, hi = [min(0, C * a) for a in signs], [max(0, C * a) for a in signs]
    for _, state in pairwise(path(K, y, float(C), 13)):
        F = [signs[n] - sum(k[n][m] * beta[m] for m in range(7)) for n in range(7)]
        i, j = state.i, state.j
        assert F[i] == max(F[n] for n in range(7) if beta[n] < hi[n])
        down = [n for n in range(7) if beta[n] > lo[n] and F[n] < F[i]]
        gains = {n: (F[i] - F[n]) ** 2 / (k[i][i] + k[n][n] - 2 * k[i][n]) for n in down}
        assert gains[j] == max(gains.values())
        delta = min((F[i] - F[j]) / (k[i][i] + k[j][j] - 2 * k[i][j]), hi[i] - beta[i], beta[j] - lo[j])
        beta[i], beta[j] = beta[i] + delta, beta[j] - delta
        np.testing.assert_allclose(state.alpha, [float(b * a) for b, a in zip(beta, signs, strict=True)], atol=1e-13)


def test_a_step_is_cut_at_C_where_i_meets_it_and_where_j_does():
    """K = 1: the free step is δ = 2/2 = 1, up to C = 1/2 for both. With α = C for 0 and 1, F = ±1/2 and b = 0."""
    _, state = path(np.eye(2), np.array([1.0, -1]), 0.5)
    assert state.alpha.tolist() == [0.5, 0.5] and (state.b, state.violation) == (0, -1)


def test_a_step_is_cut_at_0():
    """x = 0, 2, 1 of the labels +, -, +, K = xz, so F = y - x Σ βx. First i = 0, j = 1: δ = 2/4, F = y + x = (1, 1, 2).
    Then i = 2, and 0 and 1 are as good: j = 0, δ = 1/1, but α_0 = ½: cut, F = y + x/2 = (1, 0, 3/2).
    Last i = 2, j = 1: δ = (3/2)/1, F = y + 2x = (1, 3, 3): f = -2x + 3, 0 has y f = 3.
    """
    x = np.array([0.0, 2.0, 1.0])
    states = path(np.outer(x, x), np.array([1.0, -1, 1]), INF)
    assert [(s.i, s.j) for s in states] == [(-1, -1), (0, 1), (2, 0), (2, 1)]
    assert [s.alpha.tolist() for s in states] == [[0, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0.5], [0, 2, 2]]
    assert [s.b for s in states] == [0, 3 / 2, 3 / 4, 3] and [s.violation for s in states] == [2, 1, 3 / 2, 0]


@pytest.mark.parametrize("C", [0.25, 0.5, 4.0, INF])
def test_the_sum_stays_0_exactly_where_no_digit_is_lost(C):
    """Halves and quarters: distances² of 2 and 8 between the corners of a square."""
    for K, y in ((SQUARE_K, SQUARE_Y), (XOR_K, XOR_Y)):
        for state in path(K, y, C):
            assert state.alpha @ y == 0
            assert (state.alpha * 1024 == np.round(state.alpha * 1024)).all()


# --- worked values ------------------------------------------------------------------------------------------


@pytest.mark.equation("D-5-14", "D-5-17")
def test_li_hang_in_one_step():
    """(3, 3) | (1, 1): distance² 8, δ = 2/8, so w = ½(1, 1), b = -2, and (4, 3) has y f = 3/2 > 1: done."""
    start, end = path(LI_K, LI_Y, INF)
    assert (start.i, start.j, start.b, start.violation) == (-1, -1, 0, 2) and not start.alpha.any()
    assert (end.i, end.j, end.b, end.violation) == (0, 2, -2, 0) and end.alpha.tolist() == [0.25, 0, 0.25]
    best = solve(LI_K, LI_Y)
    assert best.alpha.tolist() == [0.25, 0, 0.25] and (best.b, best.gap, best.converged) == (-2, 0, True)


@pytest.mark.equation("D-5-14", "D-5-17")
@pytest.mark.parametrize("flip", [1, -1])
def test_two_points(flip):
    """x = 1 | 5: α = 2/4² = 1/8, w = -1/2, b = 3/2; C = 1/16 halves α and w = -1/4, and b is the middle:
    f(1) = 1 asks for b = 5/4, f(5) = -1 for b = 1/4; between them both cost the same: 3/4."""
    K, y = np.outer([1.0, 5.0], [1.0, 5.0]), flip * np.array([1.0, -1.0])
    best, soft = solve(K, y), solve(K, y, 1 / 16)
    assert best.alpha.tolist() == [1 / 8, 1 / 8] and best.b == flip * 3 / 2 and best.gap == 0 and best.converged
    assert soft.alpha.tolist() == [1 / 16, 1 / 16] and soft.b == flip * 3 / 4 and soft.gap == 0 and soft.converged
    for C, b in ((INF, 3 / 2), (1 / 16, 3 / 4)):
        assert path(K, y, C)[-1].b == flip * b and len(path(K, y, C)) == 2


@pytest.mark.equation("D-5-14")
def test_haykin_xor():
    """(1 + x·z)²: K has 9 on the diagonal and 1 off it; Kβ = 8β as Σβ = 0, so β = y/8, and Γ = 4/8 - ½ 4·8/64 = ¼."""
    *_, end = path(XOR_K, XOR_Y, INF)
    best = solve(XOR_K, XOR_Y)
    for found in (end, best):
        assert found.alpha.tolist() == [1 / 8] * 4 and found.b == 0
    assert best.gap == 0 and best.converged and svm.dual_objective(best.alpha, XOR_K, XOR_Y) == 1 / 4
    assert not np.signbit(best.b)


def test_the_square():
    """The corners by their first coordinate: w = (1, 0), b = 0. Many α give that; each has Σ α = ‖w‖² = 1."""
    best = solve(SQUARE_K, SQUARE_Y)
    assert best.converged and best.gap == 0 and best.b == 0
    assert (best.alpha * SQUARE_Y @ CORNERS).tolist() == [1, 0] and best.alpha.sum() == 1


@pytest.mark.equation("D-5-14", "D-5-17")
@pytest.mark.parametrize(
    "C, plus, minus, b",
    [
        (INF, 3 / 2, 1 / 2, -1 / 2),
        (1.0, 1, 1 / 3, -2 / 3),
        (0.25, 1 / 4, 1 / 12, -11 / 12),
        (2.0, 3 / 2, 1 / 2, -1 / 2),
    ],
)
def test_samples_at_right_angles(C, plus, minus, b):
    """K = 1, one sample + and three -: F = y - β = b of the free ones. Free all, b = mean y = -1/2; else α_+ = C,
    α_- = C/3 and b = -1 + C/3."""
    y = np.array([-1.0, 1, -1, -1])
    best, last = solve(np.eye(4), y, C), ended(np.eye(4), y, C)
    for found in (best, last):
        np.testing.assert_allclose(found.alpha, np.where(y > 0, plus, minus), rtol=1e-14)
        assert found.b == pytest.approx(b, rel=1e-14)
    assert best.converged and (best.alpha[1] == C) == (C <= 1)


def test_all_at_C_leaves_b_an_interval():
    """K = diag(1, ½), C = ½: F = (1 - ½, -1 + ¼), so -3/4 <= b <= 1/2; its middle is -1/8, the violation -5/4."""
    K, y = np.diag([1.0, 0.5]), np.array([1.0, -1.0])
    best, last = solve(K, y, 0.5), path(K, y, 0.5)[-1]
    assert best.alpha.tolist() == last.alpha.tolist() == [0.5, 0.5]
    assert best.b == last.b == -1 / 8 and last.violation == -5 / 4
    assert best.gap == 0 and best.converged


@pytest.mark.parametrize("C", [0.5, 2.0, 1e5])
def test_a_kernel_of_zeros(C):
    """K = 0: no w; every sample of the smaller class costs 2C, α = C for it, and b is the label of the larger."""
    y = np.array([1.0, -1, -1])
    best = solve(np.zeros((3, 3)), y, C)
    assert best.alpha[0] == C and best.alpha[1:].sum() == C and best.b == -1 and best.converged and best.gap == 0


@pytest.mark.parametrize("C", [1e99, 1e101, 1e140])
def test_where_k_is_0_any_c_is_reached(C):
    """No w: α = C in the smaller class, however large C is, and the gap is 0."""
    best = solve(np.zeros((3, 3)), np.array([1.0, -1, -1]), C)
    assert best.alpha[0] == C and best.alpha[1:].sum() == pytest.approx(C) and best.converged and best.gap == 0
    assert best.n_iter < 20


# --- the sequence -------------------------------------------------------------------------------------------


@problems
def test_the_start_comes_first(K, y, C):
    start = next(pairwise_iterates(K, y, C))
    assert (start.i, start.j, start.b, start.violation) == (-1, -1, 0, 2)
    assert start.alpha.tolist() == [0] * len(y) and not np.signbit(start.alpha).any()


@problems
def test_states_are_copies_and_arguments_stay(K, y, C):
    K, y = K.copy(), y.copy()
    kept = K.copy(), y.copy()
    K.flags.writeable = y.flags.writeable = False
    states = path(K, y, C, 8)
    frozen = [state.alpha.copy() for state in path(K, y, C, 8)]
    assert not any(np.shares_memory(a.alpha, b.alpha) for a, b in pairwise(states))
    sequence = pairwise_iterates(K, y, C)
    for expected in frozen:
        alpha = next(sequence).alpha
        np.testing.assert_array_equal(alpha, expected)
        alpha[:] = 7
    solve(K, y, C)
    np.testing.assert_array_equal(K, kept[0])
    np.testing.assert_array_equal(y, kept[1])


@problems
def test_b_and_violation_are_those_of_alpha(K, y, C):
    for state in path(K, y, C, 200):
        F, (up, down) = gradient(state.alpha, K, y), can_go(state.alpha, y, C)
        top, bottom = F[up].max(initial=-INF), F[down].min(initial=INF)
        rounding = 1e-13 * size_of(state.alpha, K)
        assert state.b == pytest.approx((top + bottom) / 2, abs=rounding)
        assert state.violation == pytest.approx(top - bottom, abs=rounding)


@problems
def test_every_state_is_feasible_and_none_is_worse(K, y, C):
    states = path(K, y, C, 300)
    for state in states:
        assert (state.alpha >= 0).all() and (state.alpha <= C).all() and not np.signbit(state.alpha).any()
        assert abs(state.alpha @ y) <= 1e-13 * state.alpha.sum()
    values = [svm.dual_objective(state.alpha, K, y) for state in states]
    noise = [1e-14 * size_of(state.alpha, K) * (1 + state.alpha.sum()) for state in states]
    assert all(b >= a - e for (a, b), e in zip(pairwise(values), noise, strict=False))
    assert values[-1] > values[0] == 0


@problems
def test_the_end_is_the_optimum(K, y, C):
    """What is left of the violation is rounding, so no pair gains, and the duality gap is at most N C of it."""
    last = ended(K, y, C)
    rounding = 1e-13 * size_of(last.alpha, K)
    assert last.violation <= rounding
    value = svm.dual_objective(last.alpha, K, y)
    most = (C if C < INF else last.alpha.max()) * len(y)
    assert gap_at(last.alpha, last.b, K, y, C) <= 4 * most * rounding + 1e-13 * value


@pytest.mark.parametrize("C", [1e-3, 1.0, *slow([0.1, 1000.0])])
def test_every_soft_problem_ends(C):
    for N in (2, 3, 5, 10, 30):
        soft_problem_ends(N, C)


@pytest.mark.parametrize("N", [2, 3])
def test_a_few_samples_end_at_a_large_C(N):
    soft_problem_ends(N, 1000.0)


def soft_problem_ends(N, C):
    X, y = overlapping(N, 2, seed=N)
    for K in (X @ X.T, gaussian_gram(X), np.round(X) @ np.round(X).T):
        last = ended(K, y, C)
        assert last.violation <= 1e-12 * size_of(last.alpha, K), (N, C)


@pytest.mark.parametrize("C", [1000.0, *slow([1.0, 100.0])])
def test_rounding_lets_the_petals_end(C):
    """A step that changes no digit of β ends it: rounding of F would else ask for it again and again."""
    K = PETALS @ PETALS.T
    last = ended(K, SPECIES, C)
    assert last.violation <= 1e-13 * size_of(last.alpha, K)
    value = svm.dual_objective(last.alpha, K, SPECIES)
    assert svm.duality_gap(last.alpha, last.b, K, SPECIES, C) <= 1e-9 * value


@pytest.mark.parametrize("n", [200, pytest.param(2000, marks=pytest.mark.slow)])
def test_no_hyperplane_lets_alpha_grow(n):
    early, late = (list(islice(pairwise_iterates(SQUARE_K, XOR_Y), k))[-1].alpha.sum() for k in (3, 3 * n // 2))
    assert late > n / 20 * early
    sums = [state.alpha.sum() for state in islice(pairwise_iterates(X_OVER @ X_OVER.T, Y_OVER), n)]
    assert sums[n - 1] > 2 * sums[n // 2 - 1] > 4 * sums[n // 4 - 1] / 2 and len(sums) == n


@pytest.mark.parametrize("i, j", [(0, 3), (3, 0)])
def test_one_sample_of_both_labels(i, j):
    """C = inf: no maximum, an error names the two; C < inf: both have α = C, and Γ has 2C of them."""
    X = np.array([[1.0, 2], [4, 0], [-3, 1], [1, 2]])
    y = np.array([0.0, 1, -1, 0])
    y[i], y[j] = 1, -1
    with pytest.raises(ValueError, match=r"samples 0 and 3, .* different labels .* same place in K; a finite C"):
        pairwise_iterates(X @ X.T, y)
    best = solve(X @ X.T, y)
    assert best.gap == INF and not best.converged and np.isfinite(best.alpha).all()
    soft = solve(X @ X.T, y, 3.0)
    assert soft.converged and soft.alpha[[0, 3]].tolist() == [3, 3]
    assert ended(X @ X.T, y, 3.0).alpha[[0, 3]].tolist() == [3, 3]


def test_one_sample_twice_with_one_label_is_no_contradiction():
    X, y = np.array([[1.0, 2], [1, 2], [-3, 1]]), np.array([1.0, 1, -1])
    once = solve(X[1:] @ X[1:].T, y[1:])
    for found in (solve(X @ X.T, y), ended(X @ X.T, y, INF)):
        assert found.alpha[:2].sum() == pytest.approx(once.alpha[0], rel=1e-14)
        assert found.b == pytest.approx(once.b, rel=1e-13)


# --- the maximum --------------------------------------------------------------------------------------------


def assert_optimal(best, K, y, C, tol=1e-12):
    """The box, Σ αy = 0, and a gap that is the documented one and small."""
    assert best.converged and (best.alpha >= 0).all() and (best.alpha <= C).all()
    assert not np.signbit(best.alpha).any()
    assert abs(best.alpha @ y) <= 4 * EPS * best.alpha.sum()
    value = svm.dual_objective(best.alpha, K, y)
    assert 0 <= best.gap <= tol * (value + best.gap) * (1 + 1e-9)
    rounding = 1e-13 * size_of(best.alpha, K) * max(1, best.alpha.sum() if C == INF else C * len(y))
    assert gap_at(best.alpha, best.b, K, y, C) == pytest.approx(best.gap, abs=rounding)
    assert svm.duality_gap(best.alpha, best.b, K, y, C) <= best.gap + rounding


@problems
def test_the_maximum_is_where_the_sequence_ends(K, y, C):
    best, last = solve(K, y, C), ended(K, y, C)
    assert_optimal(best, K, y, C)
    values = [svm.dual_objective(found.alpha, K, y) for found in (best, last)]
    assert values[0] == pytest.approx(values[1], rel=1e-9)
    assert best.b == pytest.approx(last.b, abs=1e-6 * (1 + abs(best.b)))
    assert type(best.b) is type(best.gap) is float and type(best.n_iter) is int and type(best.converged) is bool


@pytest.mark.parametrize("seed", [*range(1), *slow(range(1, 60))])
@pytest.mark.parametrize("C", [0.05, 1.0, 30.0, INF])
@pytest.mark.slow
def test_a_strictly_positive_kernel_has_one_maximum(seed, C):
    """Both ways reach the same α, and it fulfils the KKT conditions in exact zeros and Cs."""
    X, y = overlapping(25 + seed, 3, seed)
    K = gaussian_gram(X, 0.7)
    best, last = solve(K, y, C), ended(K, y, C)
    assert_optimal(best, K, y, C)
    np.testing.assert_allclose(best.alpha, last.alpha, atol=1e-8 * best.alpha.max())
    margin = y * (K @ (best.alpha * y) + best.b)
    near = 1e-6 * size_of(best.alpha, K) / len(y)
    assert (best.alpha[margin > 1 + near] == 0).all() and (best.alpha[margin < 1 - near] == C).all()
    free = (best.alpha > 0) & (best.alpha < C)
    np.testing.assert_allclose(margin[free], 1, atol=near)


@pytest.mark.parametrize("seed", [*range(4), *slow(range(4, 60))])
@pytest.mark.parametrize("C", [0.01, 1.0, 20.0])
def test_a_linear_kernel_gives_what_the_features_give(seed, C):
    """Pairs on XXᵀ, Newton's method on X: one w and, where some α is free, one b."""
    X, y = overlapping(20 + 7 * seed, 1 + seed % 4, seed)
    K = X @ X.T
    best, linear = svm.fit_dual(K, y, C), interior_point.solve(X, y, C, 1e-12)  # falls back where solve gives up
    assert_optimal(best, K, y, C, tol=1e-9)
    near = 1e-5 * np.linalg.norm(linear.w) + 1e-12 * best.alpha.sum()  # w is 0 in one problem
    np.testing.assert_allclose(svm.primal(best.alpha, y, X), linear.w, atol=near)
    primal = svm.primal_objective(linear.w, linear.b, X, y, C)
    assert svm.dual_objective(best.alpha, K, y) == pytest.approx(primal, rel=1e-10)
    assert svm.primal_objective(svm.primal(best.alpha, y, X), best.b, X, y, C) == pytest.approx(primal, rel=1e-10)


@pytest.mark.parametrize("seed", [*range(6), *slow(range(6, 60))])
def test_a_hard_margin_gives_what_the_features_give(seed):
    X, y = apart(10 + 5 * seed, 2 + seed % 3, seed)
    best, linear = solve(X @ X.T, y), interior_point.solve(X, y, INF, 1e-12)
    assert_optimal(best, X @ X.T, y, INF)
    np.testing.assert_allclose(svm.primal(best.alpha, y, X), linear.w, rtol=1e-5, atol=1e-6 * np.linalg.norm(linear.w))
    assert best.b == pytest.approx(linear.b, rel=1e-5, abs=1e-6 * np.linalg.norm(linear.w))


@problems
@pytest.mark.parametrize("most", [1, 2, 7, 100_000])
def test_the_gap_is_the_primal_minus_the_dual_value(K, y, C, most):
    """Σ_n (hi_n - β_n)(F_n - b)₊ + (β_n - lo_n)(b - F_n)₊ on the way too, never below 0."""
    best = solve(K, y, C, max_iter=most)
    assert best.gap >= 0 and best.n_iter <= most
    if best.gap == INF:
        margin = y * (K @ (best.alpha * y) + best.b)
        assert C == INF and margin.min() <= 1e-12 * size_of(best.alpha, K)
        return
    rounding = 1e-13 * size_of(best.alpha, K) * max(1, best.alpha.sum() if C == INF else C * len(y))
    assert best.gap == pytest.approx(gap_at(best.alpha, best.b, K, y, C), rel=1e-9, abs=rounding)
    if C < INF:
        beta, F = best.alpha * y, gradient(best.alpha, K, y)
        lo, hi = np.minimum(0, C * y), np.maximum(0, C * y)
        terms = (hi - beta) @ np.maximum(F - best.b, 0) + (beta - lo) @ np.maximum(best.b - F, 0)
        assert best.gap == pytest.approx(terms, rel=1e-9, abs=rounding)


@pytest.mark.parametrize("C", [1.0, INF])
def test_it_ends_when_told(C):
    K, y = gaussian_gram(X_OVER, 0.5), Y_OVER
    few = solve(K, y, C, max_iter=3)
    assert few.n_iter == 3 and not few.converged and few.alpha.any()
    ends = [solve(K, y, C, tol) for tol in (0.5, 1e-3, 1e-12)]
    for end, tol in zip(ends, (0.5, 1e-3, 1e-12), strict=True):
        assert_optimal(end, K, y, C, tol)
    assert ends[0].n_iter <= ends[1].n_iter <= ends[2].n_iter
    never = solve(K, y, C, 1e-300)
    assert never.n_iter < 3000 and never.gap <= EPS * never.alpha.sum() * size_of(never.alpha, K)
    assert never.converged == (never.gap == 0)


# --- what must not matter -----------------------------------------------------------------------------------


def same(found, alpha, b, rel=1e-9):
    np.testing.assert_allclose(found.alpha, alpha, rtol=rel, atol=rel * np.max(alpha))
    assert found.b == pytest.approx(b, rel=rel, abs=rel)


UNIQUE = pytest.mark.parametrize("C", [0.3, 2.0, 50.0, INF])
K_ONE = gaussian_gram(X_OVER, 0.6)


@UNIQUE
def test_the_order_of_the_samples(C):
    best, order = solve(K_ONE, Y_OVER, C), np.random.default_rng(1).permutation(len(Y_OVER))
    same(solve(K_ONE[np.ix_(order, order)], Y_OVER[order], C), best.alpha[order], best.b)


@UNIQUE
def test_the_names_of_the_classes(C):
    best = solve(K_ONE, Y_OVER, C)
    same(solve(K_ONE, -Y_OVER, C), best.alpha, -best.b)


@UNIQUE
@pytest.mark.parametrize("c", [1.0, 1000.0])
def test_a_constant_added_to_a_kernel(C, c):
    """K + c, a feature √c more: Σ β = 0 leaves Kβ, so α and b."""
    best = solve(K_ONE, Y_OVER, C)
    same(solve(K_ONE + c, Y_OVER, C), best.alpha, best.b, 1e-13 * c + 1e-9)


@UNIQUE
def test_a_shift_in_the_space_of_features(C):
    """φ - Σ_n p_n φ(x_n): K_nm - (Kp)_n - (Kp)_m + p·Kp has the same α and b + (Kp)·β."""
    best, p = solve(K_ONE, Y_OVER, C), np.random.default_rng(2).normal(size=len(Y_OVER))
    moved = K_ONE - (K_ONE @ p)[:, None] - K_ONE @ p + p @ K_ONE @ p
    same(solve((moved + moved.T) / 2, Y_OVER, C), best.alpha, best.b + p @ K_ONE @ (best.alpha * Y_OVER), 1e-8)


@pytest.mark.parametrize("s", [1e-140, 1e140])
def test_a_kernel_in_a_far_unit(s):
    """Li Hang's points in another unit; C = 1 is none for 1e140 K, and all α for 1e-140 K."""
    hard = solve(s * LI_K / 25, LI_Y)
    same(hard, np.array([0.25, 0, 0.25]) * 25 / s, -2, 1e-13)
    assert hard.converged
    soft = solve(s * LI_K / 25, LI_Y, 1.0)
    assert soft.converged
    if s > 1:
        same(soft, hard.alpha, -2, 1e-13)
    else:
        assert soft.alpha.max() == 1 and soft.alpha[2] == 1 and soft.alpha[:2].sum() == pytest.approx(1)


@UNIQUE
def test_every_sample_twice_at_half_the_price(C):
    best, twice = solve(K_ONE, Y_OVER, C), solve(np.tile(K_ONE, (2, 2)), np.tile(Y_OVER, 2), C / 2)
    assert twice.converged
    same(twice._replace(alpha=twice.alpha.reshape(2, -1).sum(axis=0)), best.alpha, best.b, 1e-8)


@UNIQUE
def test_a_sample_well_inside_its_class(C):
    """One more sample with y f > 1 has α = 0 and leaves the rest."""
    best = solve(K_ONE, Y_OVER, C)
    far = np.zeros(len(Y_OVER) + 1)
    far[:-1] = best.alpha * Y_OVER * 4
    extended = np.vstack([np.eye(len(Y_OVER)), far[:-1]])
    K = extended @ K_ONE @ extended.T  # φ of the new one: 4w, where f = 4‖w‖² + b
    w2 = (best.alpha * Y_OVER) @ K_ONE @ (best.alpha * Y_OVER)
    assert 4 * w2 + best.b > 1
    more = solve((K + K.T) / 2, np.append(Y_OVER, 1.0), C)
    assert more.alpha[-1] == 0
    same(more._replace(alpha=more.alpha[:-1]), best.alpha, best.b, 1e-8)


def test_the_size_of_C():
    """Beyond the largest α of the hard margin C binds nothing; below what any margin needs it binds all it can."""
    hard = solve(K_ONE, Y_OVER)
    for C in (1.01 * hard.alpha.max(), 1e9, 1e101, 1e300):
        same(solve(K_ONE, Y_OVER, C), hard.alpha, hard.b, 1e-8)
    even = np.tile([1.0, -1], len(Y_OVER) // 2)
    for C in (1e-3, 1e-90, 3.1622776601704487e-118, 1e-149):
        for found in (solve(K_ONE, even, C), ended(K_ONE, even, C)):
            assert (found.alpha == C).all()
        assert solve(K_ONE, even, C).converged
    assert (solve(1e-149 * K_ONE, even, 1e-149).alpha == 1e-149).all()


@pytest.mark.parametrize("C", [*10.0 ** np.arange(-149, -100, 7.3), 1e-60, 1e-5])
def test_a_tiny_C_where_one_class_is_larger(C):
    """w = 0 up to C: every sample of the smaller class at C, none of the larger beyond it, and b its label."""
    y = np.array([1.0, -1, -1, -1])
    K = np.eye(4) + 1
    for found in (solve(K, y, C), ended(K, y, C)):
        assert found.alpha[0] == C and (found.alpha <= C).all()
        assert found.alpha.sum() == pytest.approx(2 * C, rel=1e-14)
        assert found.b == pytest.approx(-1, abs=2 * C)


# --- where it is difficult ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [*range(2), *slow(range(2, 60))])
@pytest.mark.parametrize("C", [0.1, 10.0, 1000.0])
def test_a_kernel_of_low_rank(seed, C):
    """40 samples of one or two features, and what is left of a smooth kernel: systems that are singular."""
    X, y = overlapping(40, 1 + seed % 2, seed, shift=1.0)
    for K in (X @ X.T, (1 + X @ X.T) ** 2, np.round(X) @ np.round(X).T):
        assert_optimal(svm.fit_dual(K, y, C, 1e-9), K, y, C, 1e-9)
    K = gaussian_gram(X, 10.0)
    best = svm.fit_dual(K, y, C, 1e-6)
    assert_optimal(best, K, y, C, 1e-6)


@pytest.mark.parametrize("K, y", [(SQUARE_K, XOR_Y), (PETALS @ PETALS.T, SPECIES), (np.zeros((2, 2)), XOR_Y[:2])])
def test_no_hyperplane_is_said_in_bounded_time(K, y):
    best = solve(K, y)
    assert best.gap == INF and not best.converged and best.n_iter < 1000
    assert np.isfinite(best.alpha).all() and np.isfinite(best.b) and abs(best.alpha @ y) <= 1e-9 * best.alpha.sum()


@pytest.mark.parametrize("seed", [*range(4), *slow(range(4, 60))])
def test_what_no_hyperplane_separates_has_no_gap(seed):
    X, y = overlapping(20 + 3 * seed, 1 + seed % 3, seed, shift=0.2)
    inseparable = not svm.fit(X, y).converged
    best = solve(X @ X.T, y)
    assert (best.gap == INF) == inseparable and best.n_iter < 5000


def test_more_samples_than_are_looked_at():
    """300 samples, many free and many at C, some repeated."""
    X, y = overlapping(300, 2, 3)
    X[250:] = X[:50]
    for C in (1.0, 30.0):
        K = gaussian_gram(X)
        assert_optimal(solve(K, y, C, 1e-10), K, y, C, 1e-10)


# --- matrices of no kernel ----------------------------------------------------------------------------------

COSINES = np.array([[1.0, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])  # (1, -1, 1) has 3 - 6·.9; pairs are sound


def refused(K, y, C=1.0):
    """The z and z·Kz of the message of solve; the sequence refuses K too, at the call."""
    with pytest.raises(ValueError, match="K must be positive semidefinite, found"):
        pairwise_iterates(K, y, C)
    with pytest.raises(ValueError, match="K must be positive semidefinite, found") as caught:
        solve(K, y, C)
    message = str(caught.value)
    assert "kernels.is_positive_semidefinite(K) gives such a z" in message
    z = np.zeros(len(K))
    for n, a in re.findall(r"z\[(\d+)\] = (\S+?),? ", message):
        z[int(n)] = float(a)
    return z, float(re.search(r"z·Kz = (\S+) < 0", message)[1]), "..." in message


@pytest.mark.parametrize(
    "K",
    [
        np.diag([1.0, -0.5, 2.0]),
        -np.eye(3),
        np.array([[1.0, 2, 0], [2, 1, 0], [0, 0, 1]]),
        np.array([[1.0, 0, 0], [0, 1, -3], [0, -3, 1]]),
        np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 0]]),
        COSINES,
        2 * np.eye(3) - LI_K,
        1e140 * np.diag([1.0, -0.5, 2.0]) / 2,
        1e-140 * COSINES,
    ],
)
@pytest.mark.parametrize("C", [1.0, INF])
def test_a_matrix_of_no_kernel_gives_its_witness(K, C):
    z, value, more = refused(K, np.array([1.0, -1, 1]), C)
    assert not more and np.abs(z).max() == 1
    assert z @ K @ z == pytest.approx(value, rel=0.02) and value < 0
    assert not kernels.is_positive_semidefinite(K)[0]


@pytest.mark.parametrize("first, c", [(0, 0.2), (4, 0.3)])
def test_a_witness_of_many_samples(first, c):
    """1 on the diagonal, -c off it among the last m samples: z = (1, ..., 1) has m(1 - (m - 1)c) there."""
    K, m = np.eye(9), 9 - first
    K[first:, first:] = (1 + c) * np.eye(m) - c
    _, value, more = refused(K, labels(np.random.default_rng(0), 9))
    assert more and value == pytest.approx(m * (1 - (m - 1) * c), rel=1e-5)
    flat, z = kernels.is_positive_semidefinite(K)
    assert not flat and z @ K @ z < 0


HIDDEN = [2, 203, 404]


def hidden(block):
    """600 samples, among them a block on three that are not looked at together before."""
    K = np.eye(600)
    K[np.ix_(HIDDEN, HIDDEN)] = block
    y = np.where(np.arange(600) % 2, 1.0, -1.0)
    assert not any(np.isin(HIDDEN, some).sum() > 1 for some in principal_blocks(600))
    return K, y


@pytest.mark.parametrize("N", [401, 600, 1999])
def test_every_sample_is_looked_at(N):
    """Each with its neighbours, and some from everywhere."""
    parts = principal_blocks(N)
    assert np.unique(np.concatenate(parts)).tolist() == list(range(N)) and max(map(len, parts)) <= 200


@pytest.mark.parametrize("N, C", [(400, 1.0), (1000, INF), *slow([(400, INF), (1000, 1.0)])])
def test_what_is_no_kernel_in_its_last_samples_only(N, C):
    """The three cosines of which (1, -1, 1) has -2.4, as the last three of N samples, none of which need move."""
    K, y = np.eye(N), np.where(np.arange(N) % 2, 1.0, -1.0)
    K[-3:, -3:] = COSINES
    z, value, _ = refused(K, y, C)
    assert z @ K @ z == pytest.approx(value, rel=1e-4) == pytest.approx(-2.4)
    assert (z[-3:] * z[-3]).tolist() == pytest.approx([1, -1, 1], rel=1e-4)


@pytest.mark.parametrize(
    "size, C", [(1.0, 2.0), (1e-140, INF), *slow([(1.0, 1e-140), (1.0, INF), (1e-140, 1e-140), (1e-140, 2.0)])]
)
def test_a_pair_of_no_kernel_is_found_on_the_way(size, C):
    """K_ii = K_jj = ½, K_ij = .9: z = (1, -1) has ½ + ½ - 1.8 = -.8; the first pair, as nothing gains more. The value
    is that of the K given, in whatever unit C asks to compute."""
    K, y = hidden(np.array([[0.5, 0.9, 0], [0.9, 0.5, 0], [0, 0, 1]]))
    (i, j), y[:2] = HIDDEN[:2], -1
    y[i], y[j] = 1, -1
    z, value, more = refused(size * K, y, C / size)
    assert not more and np.flatnonzero(z).tolist() == [i, j] and z[i] == -z[j] and abs(z[i]) == 1
    assert value == pytest.approx(-0.8 * size, rel=1e-5) and value == pytest.approx(z @ (size * K) @ z, rel=1e-5)


@pytest.mark.parametrize("size", [1.0, 1e140])
def test_a_beta_that_runs_away_is_a_witness(size):
    """Three cosines as above, pairs all sound: α grows with every pair until β·Kβ < 0 says why."""
    K, y = hidden(COSINES)
    y[HIDDEN] = -1, 1, -1
    _, value, more = refused(size * K, y, INF)
    assert more and -10 < value / size < -0.01


@pytest.mark.parametrize("size, C", [(1.0, INF), (2.0**400, 30.0), *slow([(1.0, 30.0), (2.0**400, INF)])])
@pytest.mark.slow
def test_a_free_direction_of_no_kernel_is_found_on_the_way(size, C):
    """1 - 1.01 uuᵀ, ‖u‖ = 1, has u·Ku = -.01: pairs do not see so little, the system of the free samples does.
    u lives on samples that are not looked at together before, Σ u = 0."""
    K, y = np.eye(600), np.where(np.arange(600) % 2, 1.0, -1.0)
    u = np.random.default_rng(1).normal(size=40)
    u = (u - u.mean()) / np.linalg.norm(u - u.mean())
    K[2::15, 2::15] -= 1.01 * np.outer(u, u)
    with pytest.raises(ValueError, match=r"found z·Kz = -\S+ < 0 for z\[.* \.\.\., 0 else") as caught:
        solve(size * K, y, C / size)
    assert -10 < float(re.search(r"z·Kz = (\S+) <", str(caught.value))[1]) / size < -1e-6


@pytest.mark.parametrize("below", [1e-17, 1e-12])
def test_rounding_is_no_witness(below):
    """A sample in the middle of the others has K_nn = 0, or as little below as rounding makes it."""
    x = np.array([1.0, 0, -1, 2, -2])
    K, y = np.outer(x, x), np.array([1.0, 1, -1, 1, -1])
    K[1, 1] = -below
    best = solve(K, y, 1.0)
    assert best.converged and best.alpha.tolist() == solve(np.outer(x, x), y, 1.0).alpha.tolist()
    ended(K, y, 1.0)
    K[1, 1], K[0, 0] = 0, 1 - below
    K[0, 3] = K[3, 0] = K[0, 3] + below
    assert solve(K, y, 1.0).converged


# --- kernels that are hard to tell apart, and large C ---------------------------------------------------------


def gap_in_fractions(alpha, b, K, y, C):
    """P - D and D of the very numbers, nothing rounded: of w as it is, or scaled to the margin 1."""
    beta = [Fraction(float(a)) * int(t) for a, t in zip(alpha, y, strict=True)]
    f = [sum((Fraction(float(k)) * c for k, c in zip(row, beta, strict=True)), Fraction(0)) for row in K]
    square = sum(c * v for c, v in zip(beta, f, strict=True))
    margins = [int(t) * (v + Fraction(float(b))) for t, v in zip(y, f, strict=True)]
    values = [square / 2 + Fraction(C) * sum(max(Fraction(0), 1 - m) for m in margins)] if C < INF else []
    values += [square / 2 / min(margins) ** 2] if min(margins) > 0 else []
    dual = sum(map(abs, beta)) - square / 2
    return min(values) - dual, dual


@pytest.mark.parametrize("N, seed", [(20, 2), *slow([(60, 1), (100, 1)])])
def test_a_kernel_of_nearly_one_number(N, seed):
    """A Gaussian kernel a hundred times as wide as the data, any labels, C = 1e8: β up to 1e8 times K = 1 but for its
    last digits. The gap that is reported is that of the very K, α and b."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(N, 2)), labels(rng, N)
    K = gaussian_gram(X, 100.0)
    best = svm.fit_dual(K, y, 1e8, 1e-9)
    assert best.converged and best.n_iter < 5000
    gap, dual = gap_in_fractions(best.alpha, best.b, K, y, 1e8)
    assert 0 <= gap <= Fraction(best.gap) + Fraction(1e-11) * dual <= Fraction(2e-9) * dual
    assert f"objective of {float(dual):.6g} " in best.reason


@pytest.mark.parametrize("seed", [0, *slow(range(1, 6))])
def test_features_of_different_size_and_a_large_C(seed):
    """Features of size 1, 1e-4, 1e-7, any labels and C = 1e8: the rounding of Kβ alone would hide the true gap."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(8, 3)) * [1, 1e-4, 1e-7], labels(rng, 8)
    K = X @ X.T
    best = solve(K, y, 1e8, 1e-9)
    gap, dual = gap_in_fractions(best.alpha, best.b, K, y, 1e8)
    assert 0 <= gap <= Fraction(best.gap) * (1 + Fraction(1e-9)) + Fraction(1e-13) * dual


def test_measured_from_the_first_sample():
    """1001·1001 = 1002001 and so on: K_nm - K_0m - K_n0 + K_00 are the products of 0, 1, 3. Where one entry is twice
    another, K stays as it is."""
    x = np.array([1001.0, 1002, 1004])
    K = np.outer(x, x)
    assert center_on_first_sample(K).tolist() == np.outer(x - 1001, x - 1001).tolist()
    for other in (np.eye(3), -K, np.zeros((3, 3)), np.outer(x - 1000, x - 1000)):
        assert center_on_first_sample(other) is other
    K = gaussian_gram(np.random.default_rng(0).normal(size=(6, 2)), 50.0)
    exact = [[Fraction(k) for k in row] for row in K.tolist()]
    for n, m in np.ndindex(K.shape):
        assert Fraction(center_on_first_sample(K)[n, m]) == exact[n][m] - exact[0][m] - exact[n][0] + exact[0][0]
    assert (K == gaussian_gram(np.random.default_rng(0).normal(size=(6, 2)), 50.0)).all()


@pytest.mark.parametrize("c", [1.0, 1e6])
def test_what_is_no_kernel_beside_a_large_constant(c):
    """c + S, S the cosines in thousandths, z·Sz < 0 for z = (1, -1, 1, -1) of sum 0 (the last label makes it so): of
    1e6 + S the pairs and the shifted diagonal see nothing, of S alone they do."""
    K = c + 1e-3 * np.block([[COSINES, np.zeros((3, 1))], [np.zeros((1, 3)), np.array([[1e-3]])]])
    z, value, _ = refused(K, np.array([1.0, -1, 1, -1]), 1e6)
    assert abs(z.sum()) <= 0.01 and value < -1e-3 and z @ K @ z == pytest.approx(value, rel=0.1, abs=c * 1e-3)


def test_a_large_C_is_no_price_on_rounding():
    """A narrow Gaussian kernel separates any labels: ξ = 0 but for rounding, of which C = 1e12 must not make a gap."""
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(40, 2)), labels(rng, 40)
    K = gaussian_gram(X, 0.3)
    best = solve(K, y, 1e12, 1e-9)
    assert best.converged and best.alpha.max() < 1e6
    gap, dual = gap_in_fractions(best.alpha, best.b, K, y, 1e12)
    assert 0 <= gap <= Fraction(best.gap) + Fraction(1e-12) * dual


def test_products_summed_without_rounding():
    """Σ a b in Fractions, rounded once: (1 + e)(1 - e) - 1 = -e², e = 2^-30, and on random numbers."""
    assert exact_dot(np.array([1 + 2.0**-30, -1.0]), np.array([1 - 2.0**-30, 1.0])) == -(2.0**-60)
    rng = np.random.default_rng(0)
    for size in (1.0, 1e-60, 1e60):
        a, b = size * rng.normal(size=50), rng.normal(size=50) * 10.0 ** rng.integers(-8, 8, 50)
        exact = sum(Fraction(p) * Fraction(q) for p, q in zip(a.tolist(), b.tolist(), strict=True))
        assert exact_dot(a, b) == float(exact)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("C", [1e-6, 1e-60])
def test_a_tiny_C_has_the_gap_of_its_own(C, seed):
    """Ended after one step, the gap is not in proportion to that of a larger C: it is at least what G lacks."""
    X, y = overlapping(10 + seed, 1 + seed % 3, seed, shift=seed)
    K = X @ X.T
    best = svm.dual_objective(solve(K, y, C).alpha, K, y)
    for found in (solve(K, y, C, max_iter=1), svm.fit(X, y, C, max_iter=1)):
        assert found.gap >= (best - svm.dual_objective(found.alpha, K, y)) * (1 - 1e-9)
        assert found.gap == pytest.approx(gap_at(found.alpha, found.b, K, y, C), rel=1e-2)


def test_an_alpha_from_elsewhere_gets_its_best_b():
    """Numbers 0, 1 | 3, 5, all α = C = .01: w = 7C, f - b = 0, .07, .21, .35, so y f < 1 for b from -1 to .65."""
    x, y = np.array([0.0, 1, 3, 5]), np.array([-1.0, -1, 1, 1])
    problem = problem_of(np.outer(x, x), y, 0.01)
    beta = y * 0.01 * problem.unit
    alpha, b, gap, *_, value = evaluate(problem, beta, gradient_of(problem, beta), 0.0, 0)
    assert alpha.tolist() == [0.01] * 4 and b == pytest.approx((-1 + 0.65) / 2, rel=1e-12)
    assert gap == pytest.approx(0, abs=1e-16) and value == pytest.approx(0.04 - 0.07**2 / 2, rel=1e-12)


def test_samples_at_one_place_go_to_their_bound_in_one_step():
    """K = 0: Γ = λ_1 + λ_2 has no curvature that could end the step before C."""
    states = list(pairwise_iterates(np.zeros((2, 2)), np.array([-1.0, 1.0]), 4.0))
    assert [state.alpha.tolist() for state in states] == [[0.0, 0.0], [4.0, 4.0]]


@pytest.mark.parametrize("seed", range(20))
def test_samples_that_see_nothing_of_each_other_share_their_multipliers_without_a_warning(seed):
    """A narrow Gaussian kernel: beside its diagonal K holds the last numbers above 0, 5e-324 to 1e-308.

    Σ α over either class is one number A: α_n = A/N_±, and A = 2/(1/N_+ + 1/N_-) is the maximum of 2A - ½A²(...).
    """
    rng = np.random.default_rng(seed)
    y = labels(rng, int(rng.integers(3, 10)))
    y = np.append(y, [1.0, -1.0])
    K = gaussian_gram(np.arange(len(y))[:, None] * 1.0, rng.uniform(0.0258, 0.0266))
    n = np.where(y > 0, np.sum(y > 0), np.sum(y < 0))
    A = 2 / (1 / np.sum(y > 0) + 1 / np.sum(y < 0))
    np.testing.assert_allclose(svm.fit_dual(K, y).alpha, A / n, rtol=1e-9)

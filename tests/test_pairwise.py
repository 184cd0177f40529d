"""The dual of the support vector machine by pairs: the maximum, its gap, and matrices of no kernel."""

import re
from fractions import Fraction

import numpy as np
import pytest
from cases import slow

from linmodels import datasets, kernels, svm
from linmodels.solvers import pairwise
from linmodels.solvers.pairwise import (
    center_on_first_sample,
    exact_dot,
    principal_blocks,
    solve,
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
    return kernels.gaussian(X, X, sigma)


def petals():
    """Versicolor and virginica by the length and width of their petals, in millimeters: they overlap."""
    iris = datasets.iris()
    two = iris.y > 0
    X = np.round(10 * iris.X[two][:, 2:])  # whole numbers: their K is the same on every machine
    return X @ X.T, np.where(iris.y[two] == 2, 1.0, -1.0)


X_OVER, Y_OVER = overlapping(40, 2)
X_APART, Y_APART = apart(30, 3)
PROBLEMS = {
    "Li Hang": (LI_K, LI_Y, INF),
    "XOR": (XOR_K, XOR_Y, INF),
    "square": (SQUARE_K, SQUARE_Y, 0.3),
    "gaussian, hard": (gaussian_gram(X_OVER, 0.3), Y_OVER, INF),
    "gaussian, soft": (gaussian_gram(X_OVER), Y_OVER, 1.0),
    "linear, costly": (X_OVER @ X_OVER.T, Y_OVER, 100.0),
    "linear, hard": (X_APART @ X_APART.T, Y_APART, INF),
    "one column": (X_OVER[:, :1] @ X_OVER[:, :1].T, Y_OVER, 2.0),
    "petals": (*petals(), 10.0),
}
problems = pytest.mark.parametrize("K, y, C", PROBLEMS.values(), ids=PROBLEMS)


def rounding_of(alpha, K, y, C):
    """What rounding may leave of the gap: a part of what the terms of F, and then of Γ, are made of."""
    return 1e-13 * (1 + np.abs(K).max() * alpha.sum()) * max(1, alpha.sum() if C == INF else C * len(y))


def gap_at(alpha, b, K, y, C):
    """½‖w‖² + C Σ ξ_n - Γ(α); for C = inf that of (w, b) scaled to the margin 1."""
    if C == INF:
        return svm.duality_gap(alpha, b, K, y)
    beta = alpha * y
    return beta @ K @ beta / 2 + C * np.sum(svm.hinge(beta, b, K, y)) - svm.dual_objective(alpha, K, y)


def gap_in_fractions(alpha, b, K, y, C):
    """P - D and D of the very numbers, nothing rounded: of w as it is, or scaled to the margin 1."""
    beta = [Fraction(float(a)) * int(t) for a, t in zip(alpha, y, strict=True)]
    f = [sum((Fraction(float(k)) * c for k, c in zip(row, beta, strict=True)), Fraction(0)) for row in K]
    square = sum(c * v for c, v in zip(beta, f, strict=True))
    margins = [int(t) * (v + Fraction(float(b))) for t, v in zip(y, f, strict=True)]
    values = [square / 2 + Fraction(C) * sum(max(Fraction(0), 1 - m) for m in margins)]
    values += [square / 2 / min(margins) ** 2] if min(margins) > 0 else []
    dual = sum(map(abs, beta)) - square / 2
    return min(values) - dual, dual


def assert_optimal(best, K, y, C, tol=1e-12):
    """The box, Σ αy = 0, and a gap that is the documented one and small: by weak duality it is the maximum."""
    assert best.converged and (best.alpha >= 0).all() and (best.alpha <= C).all()
    assert not np.signbit(best.alpha).any()
    assert abs(best.alpha @ y) <= 4 * EPS * best.alpha.sum()
    value, rounding = svm.dual_objective(best.alpha, K, y), rounding_of(best.alpha, K, y, C)
    assert 0 <= best.gap <= tol * (value + best.gap) * (1 + 1e-9)
    assert gap_at(best.alpha, best.b, K, y, C) == pytest.approx(best.gap, abs=rounding)
    assert svm.duality_gap(best.alpha, best.b, K, y, C) <= best.gap + rounding


# --- worked values ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.5, 1e5, 1e101, 1e140])
def test_a_kernel_of_zeros(C):
    """K = 0: no w; every sample of the smaller class costs 2C, α = C for it, and b is the label of the larger."""
    best = solve(np.zeros((3, 3)), np.array([1.0, -1, -1]), C)
    assert best.alpha[0] == C and best.alpha[1:].sum() == pytest.approx(C) and best.b == -1
    assert best.converged and best.gap == 0 and best.n_iter < 20


@pytest.mark.parametrize("C", [1e-149, 4e-128, 1e-60, 1e-5])
def test_a_tiny_C_where_one_class_is_larger(C):
    """w = 0 up to C: every sample of the smaller class at C, none of the larger beyond it, and b its label."""
    best = solve(np.eye(4) + 1, np.array([1.0, -1, -1, -1]), C)
    assert best.alpha[0] == C and (best.alpha <= C).all()
    assert best.alpha.sum() == pytest.approx(2 * C, rel=1e-14)
    assert best.b == pytest.approx(-1, abs=2 * C)


@pytest.mark.parametrize("C", [1e-6, 1e-60])
def test_a_tiny_C_has_the_gap_of_its_own(C):
    """Ended after one step, the gap is not in proportion to that of a larger C: it is at least what G lacks."""
    X, y = overlapping(12, 3, 2, shift=2)
    K = X @ X.T
    best = svm.dual_objective(solve(K, y, C).alpha, K, y)
    for found in (solve(K, y, C, max_iter=1), svm.fit(X, y, C, max_iter=1)):
        assert found.gap >= (best - svm.dual_objective(found.alpha, K, y)) * (1 - 1e-9)
        assert found.gap == pytest.approx(gap_at(found.alpha, found.b, K, y, C), rel=1e-2)


def test_free_multipliers_go_on_from_the_bound_that_one_of_them_meets():
    """K = diag(1, 2, 1, 1), y = (1, 1, -1, -1), C = 1: β_0 meets 1 on the way to 1 - β_0 = b. Of the others, which sum
    to -1, 1 - 2β_1 = -1 - β_2 = -1 - β_3 = b = -1/5."""
    problem = pairwise.problem_of(np.diag([1.0, 2, 1, 1]), SQUARE_Y[::-1].copy(), 1.0)
    beta = np.array([1.0, 1, -1, -1]) / 8 * problem.unit
    assert pairwise.move_free(problem, beta, pairwise.gradient(problem, beta), 9) == 2
    np.testing.assert_allclose(beta / problem.unit, [1, 0.6, -0.8, -0.8], rtol=1e-12)


# --- the maximum --------------------------------------------------------------------------------------------


@problems
def test_the_maximum_proves_itself(K, y, C):
    best = solve(K, y, C)
    assert_optimal(best, K, y, C)
    assert type(best.b) is type(best.gap) is float and type(best.n_iter) is int and type(best.converged) is bool


@problems
@pytest.mark.parametrize("most", [1, 7])
def test_an_early_end_knows_its_gap(K, y, C, most):
    """Primal minus dual value, never below 0; inf where the hard margin has no plane yet."""
    best = solve(K, y, C, max_iter=most)
    assert best.gap >= 0 and best.n_iter <= most
    if best.gap == INF:
        margin = y * (K @ (best.alpha * y) + best.b)
        assert C == INF and margin.min() <= 1e-12 * (1 + np.abs(K).max() * best.alpha.sum())
        return
    rounding = rounding_of(best.alpha, K, y, C)
    assert best.gap == pytest.approx(gap_at(best.alpha, best.b, K, y, C), rel=1e-9, abs=rounding)


@pytest.mark.parametrize("seed", [0, 1, *slow(range(2, 12))])
@pytest.mark.parametrize("C", [0.1, 1000.0])
def test_a_kernel_of_low_rank(seed, C):
    """40 samples of one or two features, and what is left of a smooth kernel: systems that are singular."""
    X, y = overlapping(40, 1 + seed % 2, seed, shift=1.0)
    for K in (X @ X.T, (1 + X @ X.T) ** 2, np.round(X) @ np.round(X).T):
        assert_optimal(svm.fit_dual(K, y, C, 1e-9), K, y, C, 1e-9)
    K = gaussian_gram(X, 10.0)
    assert_optimal(svm.fit_dual(K, y, C, 1e-6), K, y, C, 1e-6)


@pytest.mark.parametrize("C", [1.0, INF])
def test_it_ends_when_told(C):
    K, y, tols = gaussian_gram(X_OVER, 0.5), Y_OVER, (0.5, 1e-3, 1e-12)
    few = solve(K, y, C, max_iter=3)
    assert few.n_iter == 3 and not few.converged and few.alpha.any()
    ends = [solve(K, y, C, tol) for tol in tols]
    for end, tol in zip(ends, tols, strict=True):
        assert_optimal(end, K, y, C, tol)
    assert ends[0].n_iter <= ends[1].n_iter <= ends[2].n_iter
    never = solve(K, y, C, 1e-300)
    assert never.n_iter < 3000 and never.gap <= EPS * never.alpha.sum() * (1 + np.abs(K).max() * never.alpha.sum())
    assert never.converged == (never.gap == 0)


@pytest.mark.parametrize("K, y", [(SQUARE_K, XOR_Y), petals(), (np.zeros((2, 2)), XOR_Y[:2])])
def test_no_hyperplane_is_said_in_bounded_time(K, y):
    best = solve(K, y)
    assert best.gap == INF and not best.converged and best.n_iter < 1000
    assert np.isfinite(best.alpha).all() and np.isfinite(best.b) and abs(best.alpha @ y) <= 1e-9 * best.alpha.sum()


# --- what must not matter -----------------------------------------------------------------------------------


def same(found, alpha, b, rel=1e-9):
    np.testing.assert_allclose(found.alpha, alpha, rtol=rel, atol=rel * np.max(alpha))
    assert found.b == pytest.approx(b, rel=rel, abs=rel)


K_ONE, N_ONE = gaussian_gram(X_OVER, 0.6), len(Y_OVER)


@pytest.mark.parametrize("C", [0.3, 50.0, INF])
def test_what_must_not_matter(C):
    """Order, labels, a constant √c more as a feature, another origin of the features, and all samples twice."""
    best, rng = solve(K_ONE, Y_OVER, C), np.random.default_rng(1)
    order, p = rng.permutation(N_ONE), rng.normal(size=N_ONE)
    same(solve(K_ONE[np.ix_(order, order)], Y_OVER[order], C), best.alpha[order], best.b)
    same(solve(K_ONE, -Y_OVER, C), best.alpha, -best.b)
    for c in (1.0, 1000.0):  # Σ β = 0 leaves Kβ, so α and b
        same(solve(K_ONE + c, Y_OVER, C), best.alpha, best.b, 1e-13 * c + 1e-9)
    moved = K_ONE - (K_ONE @ p)[:, None] - K_ONE @ p + p @ K_ONE @ p  # φ - Σ_n p_n φ(x_n): b + (Kp)·β
    same(solve((moved + moved.T) / 2, Y_OVER, C), best.alpha, best.b + p @ K_ONE @ (best.alpha * Y_OVER), 1e-8)
    twice = solve(np.tile(K_ONE, (2, 2)), np.tile(Y_OVER, 2), C / 2)
    assert twice.converged
    same(twice._replace(alpha=twice.alpha.reshape(2, -1).sum(axis=0)), best.alpha, best.b, 1e-8)


def test_the_size_of_C():
    """Beyond the largest α of the hard margin C binds nothing; below what any margin needs it binds all it can."""
    hard = solve(K_ONE, Y_OVER)
    for C in (1.01 * hard.alpha.max(), 1e9, 1e101, 1e300):
        same(solve(K_ONE, Y_OVER, C), hard.alpha, hard.b, 1e-8)
    even = np.tile([1.0, -1], N_ONE // 2)
    for C in (1e-3, 1e-90, 3.1622776601704487e-118, 1e-149):
        best = solve(K_ONE, even, C)
        assert best.converged and (best.alpha == C).all()
    assert (solve(1e-149 * K_ONE, even, 1e-149).alpha == 1e-149).all()


@pytest.mark.parametrize("seed", range(3))
def test_samples_that_see_nothing_of_each_other_share_their_multipliers_without_a_warning(seed):
    """A narrow Gaussian kernel: beside its diagonal K holds the last numbers above 0, 5e-324 to 1e-308.

    Σ α over either class is one number A: α_n = A/N_±, and A = 2/(1/N_+ + 1/N_-) is the maximum of 2A - ½A²(...).
    """
    rng = np.random.default_rng(seed)
    y = np.append(labels(rng, int(rng.integers(3, 10))), [1.0, -1.0])
    K = gaussian_gram(np.arange(len(y))[:, None] * 1.0, rng.uniform(0.0258, 0.0266))
    n = np.where(y > 0, np.sum(y > 0), np.sum(y < 0))
    A = 2 / (1 / np.sum(y > 0) + 1 / np.sum(y < 0))
    np.testing.assert_allclose(svm.fit_dual(K, y).alpha, A / n, rtol=1e-9)


# --- matrices of no kernel ----------------------------------------------------------------------------------

COSINES = np.array([[1.0, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])  # (1, -1, 1) has 3 - 6·.9; pairs are sound
WITNESS = r"K must be positive semidefinite, found z·Kz = (\S+) < 0 for (.*) else; kernels.is_positive_semidef"


def refused(K, y, C=1.0):
    """The z and z·Kz of the message of solve; the sequence refuses K too, at the call."""
    with pytest.raises(ValueError, match="K must be positive semidefinite, found"):
        pairwise_iterates(K, y, C)
    with pytest.raises(ValueError, match=WITNESS) as caught:
        solve(K, y, C)
    value, entries = re.search(WITNESS, str(caught.value)).groups()
    z = np.zeros(len(K))
    for n, a in re.findall(r"z\[(\d+)\] = (\S+?),? ", entries):
        z[int(n)] = float(a)
    return z, float(value), "..." in entries


@pytest.mark.parametrize("C", [1.0, INF])
@pytest.mark.parametrize(
    "K",
    [
        np.diag([1.0, -0.5, 2.0]),
        -np.eye(3),
        np.array([[1.0, 0, 0], [0, 1, -3], [0, -3, 1]]),
        np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 0]]),
        COSINES,
        2 * np.eye(3) - LI_K,
        1e140 * np.diag([1.0, -0.5, 2.0]) / 2,
        1e-140 * COSINES,
    ],
)
def test_a_matrix_of_no_kernel_gives_its_witness(K, C):
    z, value, more = refused(K, np.array([1.0, -1, 1]), C)
    assert not more and np.abs(z).max() == 1
    assert z @ K @ z == pytest.approx(value, rel=0.02) and value < 0


@pytest.mark.parametrize("N", [401, 600, 1999])
def test_every_sample_is_looked_at(N):
    """Each with its neighbors, and some from everywhere."""
    parts = principal_blocks(N)
    assert np.unique(np.concatenate(parts)).tolist() == list(range(N)) and max(map(len, parts)) <= 200


def test_what_is_no_kernel_in_its_last_samples_only():
    """The three cosines of which (1, -1, 1) has -2.4, as the last three of 600 samples, none of which need move."""
    K, y = np.eye(600), np.where(np.arange(600) % 2, 1.0, -1.0)
    K[-3:, -3:] = COSINES
    z, value, _ = refused(K, y)
    assert z @ K @ z == pytest.approx(value, rel=1e-4) == pytest.approx(-2.4)
    assert (z[-3:] * z[-3]).tolist() == pytest.approx([1, -1, 1], rel=1e-4)


HIDDEN = [2, 203, 404]


def hidden(block):
    """600 samples, among them a block on three that are not looked at together before."""
    K = np.eye(600)
    K[np.ix_(HIDDEN, HIDDEN)] = block
    y = np.where(np.arange(600) % 2, 1.0, -1.0)
    assert not any(np.isin(HIDDEN, some).sum() > 1 for some in principal_blocks(600))
    return K, y


@pytest.mark.parametrize("size, C", [(1.0, 2.0), (1e-140, INF), *slow([(1e-140, 1e-140)])])
def test_a_pair_of_no_kernel_is_found_on_the_way(size, C):
    """K_ii = K_jj = ½, K_ij = .9: z = (1, -1) has ½ + ½ - 1.8 = -.8; the first pair, as nothing gains more. The value
    is that of the K given, in whatever unit C asks to compute."""
    K, y = hidden(np.array([[0.5, 0.9, 0], [0.9, 0.5, 0], [0, 0, 1]]))
    (i, j), y[:2] = HIDDEN[:2], -1
    y[i], y[j] = 1, -1
    z, value, more = refused(size * K, y, C / size)
    assert not more and np.flatnonzero(z).tolist() == [i, j] and z[i] == -z[j] and abs(z[i]) == 1
    assert value == pytest.approx(-0.8 * size, rel=1e-5) and value == pytest.approx(z @ (size * K) @ z, rel=1e-5)


@pytest.mark.parametrize("size", [1.0, *slow([1e140])])
def test_a_beta_that_runs_away_is_a_witness(size):
    """Three cosines as above, pairs all sound: α grows with every pair until β·Kβ < 0 says why."""
    K, y = hidden(COSINES)
    y[HIDDEN] = -1, 1, -1
    _, value, more = refused(size * K, y, INF)
    assert more and -10 < value / size < -0.01


@pytest.mark.slow
@pytest.mark.parametrize("size, C", [(1.0, INF), (2.0**400, 30.0)])
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
    x, y = np.array([1.0, 0, -1, 2, -2]), np.array([1.0, 1, -1, 1, -1])
    K = np.outer(x, x)
    exact = solve(K, y, 1.0)
    K[1, 1] = -below
    best = solve(K, y, 1.0)
    assert best.converged and best.alpha.tolist() == exact.alpha.tolist()
    pairwise_iterates(K, y, 1.0)  # is not refused
    K[1, 1], K[0, 0] = 0, 1 - below
    K[0, 3] = K[3, 0] = K[0, 3] + below
    assert solve(K, y, 1.0).converged


@pytest.mark.parametrize("c", [1.0, 1e6])
def test_what_is_no_kernel_beside_a_large_constant(c):
    """c + S, S the cosines in thousandths, z·Sz < 0 for z = (1, -1, 1, -1) of sum 0 (the last label makes it so): of
    1e6 + S the pairs and the shifted diagonal see nothing, of S alone they do."""
    K = c + 1e-3 * np.block([[COSINES, np.zeros((3, 1))], [np.zeros((1, 3)), np.array([[1e-3]])]])
    z, value, _ = refused(K, np.array([1.0, -1, 1, -1]), 1e6)
    assert abs(z.sum()) <= 0.01 and value < -1e-3 and z @ K @ z == pytest.approx(value, rel=0.1, abs=c * 1e-3)


# --- kernels that are hard to tell apart, and large C -------------------------------------------------------


def nearly_one_number(rng):
    """A Gaussian kernel a hundred times as wide as the data: β up to 1e8 times K = 1 but for its last digits."""
    return gaussian_gram(rng.normal(size=(20, 2)), 100.0)


def features_of_different_size(rng):
    """1, 1e-4, 1e-7: the rounding of Kβ alone would hide the true gap."""
    X = rng.normal(size=(8, 3)) * [1, 1e-4, 1e-7]
    return X @ X.T


def narrow(rng):
    """It separates any labels: ξ = 0 but for rounding, of which C = 1e12 must not make a gap."""
    return gaussian_gram(rng.normal(size=(40, 2)), 0.3)


@pytest.mark.parametrize("seed", [0, *slow([1, 2])])
@pytest.mark.parametrize(
    "kernel, C, tol",
    [
        (nearly_one_number, 1e8, 1e-9),
        (features_of_different_size, 1e7, 1e-9),
        (features_of_different_size, 1e8, 1e-8),  # 1e-9 is within reach on some processors only: K's last digits decide
        (narrow, 1e12, 1e-9),
    ],
)
def test_the_gap_at_a_large_C_is_that_of_the_very_numbers(kernel, C, tol, seed):
    rng = np.random.default_rng(seed)
    K = kernel(rng)
    y = labels(rng, len(K))
    for best in (solve(K, y, C, tol), svm.fit_dual(K, y, C, tol)):
        gap, dual = gap_in_fractions(best.alpha, best.b, K, y, C)
        assert 0 <= gap <= Fraction(best.gap) * (1 + Fraction(1e-9)) + Fraction(1e-11) * dual
    assert best.converged and best.n_iter < 5000 and gap <= Fraction(2 * tol) * dual
    assert f"objective of {float(dual):.6g} " in best.reason


def test_measured_from_the_first_sample():
    """1001·1001 = 1002001 and so on: K_nm - K_0m - K_n0 + K_00 are the products of 0, 1, 3. Where one entry is twice
    another, K stays as it is."""
    x = np.array([1001.0, 1002, 1004])
    K = np.outer(x, x)
    assert center_on_first_sample(K).tolist() == np.outer(x - 1001, x - 1001).tolist()
    for other in (np.eye(3), -K, np.zeros((3, 3)), np.outer(x - 1000, x - 1000)):
        assert center_on_first_sample(other) is other
    K = gaussian_gram(np.random.default_rng(0).normal(size=(6, 2)), 50.0)
    k, D = [[Fraction(a) for a in row] for row in K.tolist()], center_on_first_sample(K)
    assert all(Fraction(D[n, m]) == k[n][m] - k[0][m] - k[n][0] + k[0][0] for n, m in np.ndindex(K.shape))
    assert K[0, 0] == 1  # the argument stays


def test_products_summed_without_rounding():
    """Σ a b in Fractions, rounded once: (1 + e)(1 - e) - 1 = -e², e = 2^-30, and on random numbers."""
    assert exact_dot(np.array([1 + 2.0**-30, -1.0]), np.array([1 - 2.0**-30, 1.0])) == -(2.0**-60)
    rng = np.random.default_rng(0)
    for size in (1.0, 1e-60, 1e60):
        a, b = size * rng.normal(size=50), rng.normal(size=50) * 10.0 ** rng.integers(-8, 8, 50)
        exact = sum(Fraction(p) * Fraction(q) for p, q in zip(a.tolist(), b.tolist(), strict=True))
        assert exact_dot(a, b) == float(exact)

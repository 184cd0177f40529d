"""Sums over samples, normal equations, inverses in units of the columns, origins."""

import numpy as np
import pytest

from linmodels.solvers import cholesky, moments
from linmodels.solvers.cholesky import column_rank, unit_inverse
from linmodels.solvers.least_squares import normal_equations as solve
from linmodels.solvers.moments import blocks, class_gram, class_sums, origin, second_moments, weighted_gram
from linmodels.solvers.units import power_of_two, unit_columns

RNG = np.random.default_rng(0)
X, y, Y = RNG.normal(size=(11, 3)), RNG.normal(size=11), RNG.normal(size=(11, 2))
R = RNG.uniform(size=11)
P = RNG.dirichlet(np.ones(4), size=11)


@pytest.fixture(params=[1, 7, 2**16], ids=lambda n: f"block of {n}")
def block(request, monkeypatch):
    """Blocks of one row, of two rows (the last one shorter), of all rows."""
    monkeypatch.setattr(moments, "BLOCK", request.param)


# --- sums over samples --------------------------------------------------------------------------------------


def test_second_moments_by_hand():
    XX, XY = second_moments(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 6.0]))
    assert XX.tolist() == [[10, 14], [14, 20]]
    assert XY.tolist() == [23, 34]
    np.testing.assert_allclose(second_moments(X, Y)[1], sum(np.outer(*pair) for pair in zip(X, Y, strict=True)))


def test_weighted_gram(block):
    """Weights 4, 0 and 9 of (1, 2), anything, (1, -1); and the sum over samples."""
    G = weighted_gram(np.array([[1.0, 2.0], [7.0, 7.0], [1.0, -1.0]]), np.array([4.0, 0.0, 9.0]))
    assert G.tolist() == [[13, -1], [-1, 25]]
    expected = sum(r * np.outer(x, x) for r, x in zip(R, X, strict=True))
    np.testing.assert_allclose(weighted_gram(X, R), expected, rtol=1e-13)
    np.testing.assert_array_equal(weighted_gram(X, R), weighted_gram(X, R).T)


@pytest.mark.parametrize("copies", [1, 2, 100])
def test_blocks_of_copies_cover_every_row_once(block, copies):
    assert [i for rows in blocks(X, copies) for i in range(11)[rows]] == list(range(11))


@pytest.mark.parametrize("copies, lengths", [(1, [8, 3]), (2, [4, 4, 3]), (9, [1] * 11)])
def test_blocks_hold_the_copies_too(monkeypatch, copies, lengths):
    """Rows of 3 numbers, blocks of 24: 8 rows, or 4 of which there are two copies, or 1, be it too long."""
    monkeypatch.setattr(moments, "BLOCK", 24)
    assert [len(range(11)[rows]) for rows in blocks(X, copies)] == lengths


def test_class_sums(block):
    t, m = np.array([0, 2, 1, 2, 2, 0, 1, 2, 0, 0, 1]), np.array([1.0, -2.0, 0.5])
    for k, (total, measured) in enumerate(zip(class_sums(X, t), class_sums(X, t, m), strict=True)):
        np.testing.assert_allclose(total, X[t == k].sum(axis=0), rtol=1e-13)
        np.testing.assert_allclose(measured, (X[t == k] - m).sum(axis=0), rtol=1e-13, atol=1e-14)
    np.testing.assert_array_equal(class_sums(X, np.full(11, 1))[0], 0)  # a class without samples


# --- the Hessian of K classes -------------------------------------------------------------------------------


def test_class_gram_by_hand():
    """x = (1, 2), p = (1, 3)/4: xxᵀ ⊗ 3/16 (1, -1; -1, 1)."""
    H = class_gram(np.array([[1.0, 2.0]]), np.array([[1.0, 3.0]]) / 4)
    assert H.shape == (2, 2, 2, 2)
    assert (16 / 3 * H.reshape(4, 4)).tolist() == [[1, -1, 2, -2], [-1, 1, -2, 2], [2, -2, 4, -4], [-2, 2, -4, 4]]


def test_class_gram_is_the_sum_over_samples(block):
    by_hand = sum(np.kron(np.outer(x, x), np.diag(p) - np.outer(p, p)) for x, p in zip(X, P, strict=True))
    H = class_gram(X, P)
    np.testing.assert_allclose(H.reshape(12, 12), by_hand, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(H.sum(axis=3), 0, atol=1e-14)  # what all classes share changes nothing


def test_class_gram_takes_blocks_that_hold_all_classes(monkeypatch):
    copies = []
    monkeypatch.setattr(moments, "blocks", lambda X, n=1: copies.append(n) or blocks(X, n))
    class_gram(X, P)
    assert copies == [4]


@pytest.mark.parametrize("rare", [1e-20, 1e-100])
def test_class_gram_of_a_class_next_to_certain_loses_no_digit(rare):
    """p = (1 - ε, ε) is (1, ε) in double precision: p_0(1 - p_0) would be 0, and is p_0 p_1 = ε."""
    H = class_gram(np.ones((1, 1)), np.array([[1.0, rare]]))[0, :, 0, :]
    np.testing.assert_allclose(H, rare * np.array([[1, -1], [-1, 1]]), rtol=1e-15)


# --- the normal equations -----------------------------------------------------------------------------------


def test_solve_by_hand():
    """(0, 0), (1, 1), (2, 3): 5a + 3b = 7, 3a + 3b = 4; and with λ = (1, 3): 6a + 3b = 7, 3a + 6b = 4. Of two equal
    columns (1, 1, 1) and y = 1, by symmetry, 3(2w) + λw = 3."""
    Z, t = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]), np.array([0.0, 1.0, 3.0])
    w, correction = solve(Z, t)
    np.testing.assert_allclose(w, [3 / 2, -1 / 6], rtol=1e-14)
    assert correction < 1e-14
    np.testing.assert_allclose(solve(Z, t, lam=np.array([1.0, 3.0]))[0], [10 / 9, 1 / 9], rtol=1e-14)
    np.testing.assert_allclose(solve(np.ones((3, 2)), np.ones(3), lam=0.5)[0], [3 / 6.5, 3 / 6.5], rtol=1e-14)


@pytest.mark.parametrize("lam", [0.0, 0.7, np.array([0.5, 2.0, 0.0])], ids=["none", "one for all", "one per column"])
@pytest.mark.parametrize("targets", [y, Y, np.column_stack([Y, y])], ids=["one target", "two", "as many as columns"])
def test_solve_meets_the_normal_equations(targets, lam):
    """XᵀXw + λw = Xᵀy, for each of several targets."""
    w, correction = solve(X, targets, lam)
    assert w.shape == (3, *targets.shape[1:])
    np.testing.assert_allclose(X.T @ (targets - X @ w), (lam * w.T).T, atol=1e-13)
    by_hand = np.linalg.solve(X.T @ X + np.diag(np.broadcast_to(lam, 3)), X.T @ targets)
    np.testing.assert_allclose(w, by_hand, rtol=1e-11)
    assert 0 <= correction < 1e-13


def test_solve_of_several_targets_tells_the_largest_part_the_refinement_added():
    """Of a target that is 0 nothing is corrected; beside it the other loses what it loses alone."""
    Z, t = np.array([[1.0, 1.0], [0.0, 1e-4], [1.0, 1.0]]), np.array([1.0, 2, 3])
    both, correction = solve(Z, np.column_stack([0 * t, t]))
    assert correction == pytest.approx(solve(Z, t)[1], rel=0.5)
    np.testing.assert_array_equal(both[:, 0], 0)
    assert solve(Z, np.zeros((3, 2)))[1] == solve(Z, np.zeros(3))[1] == 0


def test_the_refinement_wins_back_what_the_square_of_the_condition_costs():
    """δ = 2⁻¹³, so that Xw = y is exact: the error is rounding times cond X, not times its square."""
    Z, w = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-13], [1.0, 1.0]]), np.array([2.0, -1.0])
    found, correction = solve(Z, Z @ w)
    assert np.abs(found - w).max() < 50 * np.finfo(float).eps * np.linalg.cond(Z)
    assert 1e3 * np.abs(found - w).max() < correction < 1e-6


# what no pivot of Cholesky tells: after a small one (columns 1 and 2 of X at the sine 1e-3, say) that of a dependent
# column is rounding, larger than the 1e-6 of half the digits
UNTOLD = np.array([[3.8, 2.5, 2.7, 1], [-0.5, -2.3, -1.6, 1], [0.4, 2.9, 1.9, 1]])


@pytest.mark.parametrize("Z", [
    np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]),
    np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]),
    np.array([[1.0, 1.0], [1.0, 1.0 + 1e-7], [1.0, 1.0]]),
    np.array([[1.0, np.nan], [0.0, 1.0], [1.0, 1.0]]),
    np.array([[1.0, -np.inf], [0.0, 1.0], [1.0, 1.0]]),
    UNTOLD,
], ids=["dependent", "a zero column", "dependent to half the digits", "nan", "inf", "after a small pivot"])  # fmt: skip
def test_solve_says_where_it_cannot(Z):
    for target in (np.array([1.0, 2.0, 3.0]), np.eye(3)):
        assert solve(Z, target) == (None, np.inf)
    assert solve(np.array([[1.0, 1.0], [1.0, 1.0 + 1e-5], [1.0, 1.0]]), np.ones(3))[0] is not None


# --- the inverse in units of the columns, and the rank ----------------------------------------------------------


@pytest.mark.parametrize("u", [np.ones(2), np.array([1e-60, 1e60]), np.array([1e70, 1.0])], ids=str)
def test_symmetric_solve_in_units_of_each_row(u):
    """(2 1; 1 2) of units u: β = u⁻¹(1, 1)/3 · (1, 1) for y = u(1, 1); LU takes the longest row first, and loses it."""
    A = np.array([[2.0, 1.0], [1.0, 2.0]]) * u * u[:, None]
    np.testing.assert_allclose(u * cholesky.symmetric_solve(A, u), [1 / 3, 1 / 3], rtol=1e-14)
    indefinite = np.array([[0.0, 2.0], [2.0, -3.0]])
    np.testing.assert_allclose(cholesky.symmetric_solve(indefinite, indefinite @ [5.0, 7.0]), [5, 7], rtol=1e-14)


def test_unit_inverse_by_hand():
    """A = (4 2; 2 9): s = (2, 3), the off-diagonal entry 1/3, L = (1 0; 1/3 √8/3), R = L⁻¹ = (1 0; -1/√8 3/√8)."""
    s, R = unit_inverse(np.array([[4.0, 2.0], [2.0, 9.0]]))
    assert s.tolist() == [2, 3]
    np.testing.assert_allclose(R, [[1, 0], [-1 / np.sqrt(8), 3 / np.sqrt(8)]], rtol=1e-15)


@pytest.mark.parametrize("sine, known", [(1e-3, True), (2e-6, True), (5e-7, False), (0.0, False)])
def test_unit_inverse_gives_up_at_half_of_all_digits(sine, known):
    """Columns at the angle φ: the last row of R is (-cos φ, 1)/sin φ, however long they are."""
    r = np.sqrt((1 - sine) * (1 + sine))
    _, R = unit_inverse(np.array([[1.0, 1e6 * r], [1e6 * r, 1e12]]))
    assert (R is not None) == known
    if known:
        np.testing.assert_allclose(R[1], [-r / sine, 1 / sine], rtol=1e-3)
        assert unit_inverse(np.array([[1.0, r], [r, 1.0]]), most=0.9 / sine)[1] is None


@pytest.mark.parametrize("A", [
    np.diag([1.0, 0.0]),
    np.ones((3, 3)),
    np.diag([1.0, np.inf]),
    np.diag([1.0, np.nan]),
    np.array([[1.0, 2.0], [2.0, 1.0]]),
    UNTOLD.T @ UNTOLD,
], ids=["a column of zeros", "rank 1", "inf", "nan", "not positive", "after a small pivot"])  # fmt: skip
def test_unit_inverse_says_where_it_cannot(A):
    s, R = unit_inverse(A)
    assert R is None
    np.testing.assert_array_equal(s, np.sqrt(A.diagonal()))


def test_column_rank():
    assert column_rank(UNTOLD) == 3 and column_rank(UNTOLD.T) == 3 and column_rank(np.tile(UNTOLD, (3, 1))) == 3
    assert column_rank(np.zeros((3, 2))) == 0
    assert column_rank(np.diag([1.0, 1e-9])) == column_rank(np.diag([1.0, 1e9])) == 2  # a unit is no dependence
    nearly = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-13], [1.0, 1.0]])
    assert column_rank(nearly) == 2 and column_rank(np.round(nearly, 9)) == 1


def test_pivoted_cholesky_by_hand():
    """[[4, 2], [2, 5]]: first the pivot 5, then 4 - 2²/5 = 16/5; of rank 1: xxᵀ has x itself, up to its sign."""
    F = cholesky.pivoted_cholesky(np.array([[4.0, 2], [2, 5]]), 2)
    np.testing.assert_allclose(F, [[2 / np.sqrt(5), 4 / np.sqrt(5)], [np.sqrt(5), 0]], atol=1e-15)
    x = np.array([1.0, -3, 2])
    np.testing.assert_allclose(cholesky.pivoted_cholesky(np.outer(x, x), 1), -x[:, None], rtol=1e-15)
    assert cholesky.pivoted_cholesky(np.eye(3), 2) is None and cholesky.pivoted_cholesky(np.eye(3), 3).shape == (3, 3)
    assert cholesky.pivoted_cholesky(np.zeros((3, 3)), 0).shape == (3, 0)
    for k in range(1, 200):  # k - (k/√k)² is rounding, and no second feature
        np.testing.assert_allclose(cholesky.pivoted_cholesky(np.array([[float(k)]]), 1), [[np.sqrt(k)]], rtol=1e-15)
    K = np.diag([1.0, 1e-10])
    assert cholesky.pivoted_cholesky(K, 2).shape == (2, 2) and cholesky.pivoted_cholesky(K, 2, 1e-9).shape == (2, 1)


# --- units --------------------------------------------------------------------------------------------------


def test_unit_columns():
    long = X * [1e-70, 1e70, 0.0]
    Z, s = unit_columns(long)
    np.testing.assert_allclose(np.linalg.norm(Z, axis=0), [1, 1, 0], rtol=1e-14)
    np.testing.assert_allclose(Z * s, long, rtol=1e-14)


def test_power_of_two_is_next_to_the_largest_entry():
    """A half to once the entry, and a power of two: dividing by it loses no digit."""
    assert power_of_two(np.array([3.0, -5.0])) == 4
    assert power_of_two(np.array([-8.0])) == 8
    assert power_of_two(np.array([[3.0, -0.3], [1.0, 0.1]]), axis=0).tolist() == [2, 0.25]
    for a in (1e-75, 0.7, 1e75):
        unit = power_of_two(np.array([a]))
        assert 1 <= a / unit < 2
        assert np.frexp(unit)[0] == 0.5
        assert a / unit * unit == a


# --- where to measure from ----------------------------------------------------------------------------------

Z = np.column_stack([X[:, 0], np.full(11, 7.0), X[:, 1]])


def test_measured_from_the_means_the_constant_column_drops_out():
    """The other columns and y are orthogonal to it, and (ȳ - m·w)/7 brings its weight back."""
    one, m, mean = origin(Z, y)
    assert one == 1 and mean == y.mean() and origin(Z).mean == 0
    np.testing.assert_allclose(m, [X[:, 0].mean(), 0, X[:, 1].mean()], rtol=1e-14)
    np.testing.assert_allclose(((Z - m).T @ Z[:, one])[[0, 2]], 0, atol=1e-13)
    w, _ = solve(Z - m, y - mean)
    assert w[one] == pytest.approx(0, abs=1e-15)
    kept = w.copy()
    np.testing.assert_allclose(origin(Z, y).uncentered(w, Z), np.linalg.lstsq(Z, y)[0], rtol=1e-12)
    np.testing.assert_array_equal(w, kept)
    both = np.column_stack([w, 2 * w])  # several weights at once, of scores that keep their mean
    np.testing.assert_allclose(Z @ origin(Z).uncentered(both, Z), (Z - m) @ both, rtol=1e-12, atol=1e-12)
    assert origin(X, y).uncentered(w, X) is w  # without a constant column nothing comes back


@pytest.mark.parametrize("other", [
    X,
    np.column_stack([X, np.zeros(11)]),
    np.column_stack([X, np.where(np.arange(11) == 5, 2.0, 1.0)]),
], ids=["none", "zeros", "constant but for one in the middle"])  # fmt: skip
def test_origin_is_zero_where_no_column_is_constant(other):
    one, m, mean = origin(other, y)
    assert one is None and mean == 0
    np.testing.assert_array_equal(m, 0)


@pytest.mark.parametrize("free, one", [(True, 1), ([1, 0, 1, 1], 3), ([1, 0, 1, 0], None), ([0, 1, 0, 0], 1)], ids=str)
def test_origin_takes_the_constant_column_that_is_free(free, one):
    """A penalized constant column is no bias: measuring from the mean would change the problem."""
    assert origin(np.column_stack([Z, np.ones(11)]), y, free=np.array(free, bool)).one == one


def test_origin_of_one_sample():
    one, m, mean = origin(np.array([[3.0, 4.0]]), np.array([5.0]))
    assert (one, m.tolist(), mean) == (0, [0, 4], 5)

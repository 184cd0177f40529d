"""Sums over samples, normal equations, inverses in units of the columns, origins."""

import numpy as np
import pytest

from linmodels.solvers import cholesky, moments
from linmodels.solvers.cholesky import column_rank, unit_inverse
from linmodels.solvers.least_squares import normal_equations as solve
from linmodels.solvers.moments import (
    blocks,
    class_gram,
    class_sums,
    origin,
    second_moments,
    weighted_gram,
)
from linmodels.solvers.units import power_of_two, unit_columns

RNG = np.random.default_rng(0)
X, y, Y = RNG.normal(size=(11, 3)), RNG.normal(size=11), RNG.normal(size=(11, 2))
R = RNG.uniform(size=11)
M = np.array([1.0, -2.0, 0.5])  # to measure from


@pytest.fixture(params=[1, 7, 2**16], ids=lambda n: f"block of {n}")
def block(request, monkeypatch):
    """Blocks of one row, of two rows (the last one shorter), of all rows."""
    monkeypatch.setattr(moments, "BLOCK", request.param)


# --- worked value and identities ----------------------------------------------------------------------------


def test_worked():
    XX, XY = second_moments(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 6.0]))
    assert XX.tolist() == [[10, 14], [14, 20]]
    assert XY.tolist() == [23, 34]


@pytest.mark.parametrize("target", [y, Y], ids=["one target", "two targets"])
def test_is_the_sum_over_samples(target):
    XX, XY = second_moments(X, target)
    np.testing.assert_allclose(XX, sum(np.outer(x, x) for x in X), rtol=1e-13)
    np.testing.assert_allclose(XY, sum(np.multiply.outer(x, t) for x, t in zip(X, target, strict=True)), rtol=1e-13)


def test_a_whole_weight_is_a_repeated_sample():
    repeated = second_moments(np.vstack([X, X]), np.append(y, y))[0]
    np.testing.assert_allclose(weighted_gram(X, np.full(11, 2.0)), repeated, rtol=1e-13)


def test_weighted_gram(block):
    """Weights 4, 0 and 9 of (1, 2), anything, (1, -1); and the sum over samples."""
    G = weighted_gram(np.array([[1.0, 2.0], [7.0, 7.0], [1.0, -1.0]]), np.array([4.0, 0.0, 9.0]))
    assert G.tolist() == [[13, -1], [-1, 25]]
    np.testing.assert_allclose(
        weighted_gram(X, R), sum(r * np.outer(x, x) for r, x in zip(R, X, strict=True)), rtol=1e-13
    )
    np.testing.assert_array_equal(weighted_gram(X, R), weighted_gram(X, R).T)


@pytest.mark.parametrize("copies", [1, 2, 3, 100])
def test_blocks_of_copies_cover_every_row_once(block, copies):
    assert [i for rows in blocks(X, copies) for i in range(11)[rows]] == list(range(11))


def test_blocks_hold_the_copies_too(monkeypatch):
    """Rows of 3 numbers, blocks of 24: 8 rows, or 4 of which there are two copies, or 1, be it too long."""
    monkeypatch.setattr(moments, "BLOCK", 24)
    assert [len(range(11)[rows]) for rows in blocks(X)] == [8, 3]
    assert [len(range(11)[rows]) for rows in blocks(X, 2)] == [4, 4, 3]
    assert [len(range(11)[rows]) for rows in blocks(X, 9)] == [1] * 11


# --- the Hessian of K classes -------------------------------------------------------------------------------

P = RNG.dirichlet(np.ones(4), size=11)


def test_class_gram_by_hand():
    """x = (1, 2), p = (1, 3)/4: xxᵀ ⊗ 3/16 (1, -1; -1, 1)."""
    H = class_gram(np.array([[1.0, 2.0]]), np.array([[1.0, 3.0]]) / 4)
    assert H.shape == (2, 2, 2, 2)
    assert (16 / 3 * H.reshape(4, 4)).tolist() == [[1, -1, 2, -2], [-1, 1, -2, 2], [2, -2, 4, -4], [-2, 2, -4, 4]]


def test_class_gram_is_the_sum_over_samples(block):
    by_hand = sum(np.kron(np.outer(x, x), np.diag(p) - np.outer(p, p)) for x, p in zip(X, P, strict=True))
    H = class_gram(X, P).reshape(12, 12)
    np.testing.assert_allclose(H, by_hand, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(H, H.T, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(class_gram(X, P).sum(axis=3), 0, atol=1e-14)  # what all classes share changes nothing


def test_class_gram_takes_blocks_that_hold_all_classes(monkeypatch):
    copies = []
    monkeypatch.setattr(moments, "blocks", lambda X, n=1: copies.append(n) or blocks(X, n))
    class_gram(X, P)
    assert copies == [4]


def test_class_gram_of_two_classes_is_a_weighted_gram(block):
    two = np.column_stack([R, 1 - R])
    H, expected = class_gram(X, two), weighted_gram(X, R * (1 - R))
    for k in range(2):
        for j in range(2):
            np.testing.assert_allclose(H[:, k, :, j], expected if j == k else -expected, rtol=1e-12)


def test_class_gram_permutes_with_samples_and_classes():
    order, classes = [4, 0, 10, 1, 9, 2, 8, 3, 7, 6, 5], [2, 0, 3, 1]
    H = class_gram(X, P)
    np.testing.assert_allclose(class_gram(X[order], P[order]), H, rtol=1e-12, atol=1e-14)
    turned = class_gram(X, P[:, classes])
    np.testing.assert_allclose(turned, H[:, classes][..., classes], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(class_gram(np.vstack([X, X]), np.vstack([P, P])), 2 * H, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("rare", [1e-20, 1e-100])
def test_class_gram_of_a_class_next_to_certain_loses_no_digit(rare):
    """p = (1 - ε, ε) is (1, ε) in double precision: p_0(1 - p_0) would be 0, and is p_0 p_1 = ε."""
    H = class_gram(np.ones((1, 1)), np.array([[1.0, rare]]))[0, :, 0, :]
    np.testing.assert_allclose(H, rare * np.array([[1, -1], [-1, 1]]), rtol=1e-15)


# --- the normal equations -----------------------------------------------------------------------------------


def test_solve_worked():
    """(0, 0), (1, 1), (2, 3): 5a + 3b = 7, 3a + 3b = 4; and with λ = (1, 3): 6a + 3b = 7, 3a + 6b = 4."""
    Z, t = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]), np.array([0.0, 1.0, 3.0])
    w, correction = solve(Z, t)
    np.testing.assert_allclose(w, [3 / 2, -1 / 6], rtol=1e-14)
    assert correction < 1e-14
    np.testing.assert_allclose(solve(Z, t, lam=np.array([1.0, 3.0]))[0], [10 / 9, 1 / 9], rtol=1e-14)


@pytest.mark.parametrize("lam", [0.0, 0.7, np.array([0.5, 2.0, 0.0])], ids=["none", "one for all", "one per column"])
def test_solve_meets_the_normal_equations(lam):
    """Xᵀ(y - Xw) = λw."""
    w, correction = solve(X, y, lam)
    np.testing.assert_allclose(X.T @ (y - X @ w), lam * w, atol=1e-13)
    by_hand = np.linalg.solve(X.T @ X + np.diag(np.broadcast_to(lam, 3)), X.T @ y)
    np.testing.assert_allclose(w, by_hand, rtol=1e-11)
    assert 0 <= correction < 1e-13


@pytest.mark.parametrize("lam", [0.0, 0.7, np.array([0.5, 2.0, 0.0])], ids=["none", "one for all", "one per column"])
@pytest.mark.parametrize("K", [1, 2, 3])
def test_solve_of_several_targets_is_that_of_each(K, lam):
    """K = 3 is the number of columns of X: nothing may be mixed up then either."""
    targets = np.column_stack([Y, y])[:, :K]
    w, correction = solve(X, targets, lam)
    assert w.shape == (3, K)
    for k in range(K):
        np.testing.assert_allclose(w[:, k], solve(X, targets[:, k], lam)[0], rtol=1e-12)
    np.testing.assert_allclose(X.T @ (targets - X @ w), (lam * w.T).T, atol=1e-13)
    assert 0 <= correction < 1e-13


def test_solve_of_several_targets_tells_the_largest_part_the_refinement_added():
    """Of a target that is 0 nothing is corrected; beside it the other loses what it loses alone."""
    Z, t = np.array([[1.0, 1.0], [0.0, 1e-4], [1.0, 1.0]]), np.array([1.0, 2, 3])
    both, correction = solve(Z, np.column_stack([0 * t, t]))
    assert correction == pytest.approx(solve(Z, t)[1], rel=0.5)
    np.testing.assert_array_equal(both[:, 0], 0)
    assert solve(Z, np.zeros((3, 2)))[1] == 0


def test_what_the_refinement_adds_grows_with_the_condition():
    """Columns (1, 0), (1, δ): XᵀX has a condition of about 4/δ², and half of the digits are gone at δ = 1e-4."""
    correction = [
        solve(np.array([[1.0, 1.0], [0.0, d], [1.0, 1.0]]), np.array([1.0, 2, 3]))[1] for d in (1.0, 1e-2, 1e-4)
    ]
    assert correction[0] < 1e-14 < correction[2] < 1e-6


def test_the_refinement_wins_back_what_the_square_of_the_condition_costs():
    """δ = 2⁻¹³, so that Xw = y is exact: the error is rounding times cond X, not times its square."""
    Z, w = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-13], [1.0, 1.0]]), np.array([2.0, -1.0])
    found, correction = solve(Z, Z @ w)
    assert np.abs(found - w).max() < 50 * np.finfo(float).eps * np.linalg.cond(Z)
    assert correction > 1e3 * np.abs(found - w).max()


def test_solve_gives_up_at_half_of_all_digits():
    Z = np.ones((3, 2))
    found = []
    for Z[1, 1] in (1 + 1e-5, 1 + 1e-7):
        found.append(solve(Z, np.ones(3))[0] is not None)
    assert found == [True, False]


@pytest.mark.parametrize(
    "Z",
    [
        [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]],
        [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]],
        [[1.0, 1.0], [1.0, 1.0 + 1e-9], [1.0, 1.0]],
    ],
    ids=["dependent", "a zero column", "dependent to half the digits"],
)
def test_solve_says_where_it_cannot(Z):
    for target in (np.array([1.0, 2.0, 3.0]), np.eye(3)):
        assert solve(np.array(Z), target) == (None, np.inf)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("target", [y, Y], ids=["one target", "two targets"])
def test_solve_says_so_where_an_entry_is_no_number(bad, target):
    Z = X.copy()
    Z[4, 1] = bad
    assert solve(Z, target) == solve(Z, target, lam=1.0) == (None, np.inf)


def test_a_penalty_makes_dependent_columns_solvable():
    """Two equal columns (1, 1, 1), y = 1: by symmetry 3(2w) + λw = 3."""
    w, _ = solve(np.ones((3, 2)), np.ones(3), lam=0.5)
    np.testing.assert_allclose(w, [3 / 6.5, 3 / 6.5], rtol=1e-14)


def test_solve_of_a_zero_target():
    w, correction = solve(X, np.zeros(11))
    assert w.tolist() == [0, 0, 0]
    assert correction == 0


# --- the inverse in units of the columns, and the rank ----------------------------------------------------------


def test_symmetric_solve_in_units_of_each_row():
    """(2 1; 1 2) of units u: β = u⁻¹(1, 1)/3 · (1, 1) for y = u(1, 1); LU takes the longest row first, and loses it."""
    for u in (np.ones(2), np.array([1e-60, 1e60]), np.array([1e70, 1.0])):
        A = np.array([[2.0, 1.0], [1.0, 2.0]]) * u * u[:, None]
        np.testing.assert_allclose(u * cholesky.symmetric_solve(A, u), [1 / 3, 1 / 3], rtol=1e-14)
    indefinite = np.array([[0.0, 2.0], [2.0, -3.0]])
    np.testing.assert_allclose(cholesky.symmetric_solve(indefinite, indefinite @ [5.0, 7.0]), [5, 7], rtol=1e-14)


def test_unit_inverse_by_hand():
    """A = (4 2; 2 9): s = (2, 3), the off-diagonal entry 1/3, L = (1 0; 1/3 √8/3), R = L⁻¹ = (1 0; -1/√8 3/√8)."""
    s, R = unit_inverse(np.array([[4.0, 2.0], [2.0, 9.0]]))
    assert s.tolist() == [2, 3]
    np.testing.assert_allclose(R, [[1, 0], [-1 / np.sqrt(8), 3 / np.sqrt(8)]], rtol=1e-15)


def test_unit_inverse_is_the_root_of_the_inverse_and_leaves_the_matrix_as_it_is():
    A = X.T @ X
    before = A.copy()
    A.setflags(write=False)
    s, R = unit_inverse(A)
    assert (A == before).all() and (np.triu(R, 1) == 0).all() and (R.diagonal() > 0).all()
    np.testing.assert_allclose(R.T @ R / s[:, None] / s @ A, np.eye(3), atol=1e-14)


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
    np.zeros((2, 2)),
    np.diag([1.0, 0.0]),
    np.ones((3, 3)),
    np.diag([1.0, np.inf]),
    np.diag([1.0, np.nan]),
    np.array([[1.0, 2.0], [2.0, 1.0]]),
], ids=["zero", "a column of zeros", "rank 1", "inf", "nan", "not positive"])  # fmt: skip
def test_unit_inverse_says_where_it_cannot(A):
    s, R = unit_inverse(A)
    assert R is None
    np.testing.assert_array_equal(s, np.sqrt(A.diagonal()))


# what no pivot of Cholesky tells: after a small one (columns 1 and 2 of X at the sine 1e-3, say) that of a dependent
# column is rounding, larger than the 1e-6 of half the digits
UNTOLD = np.array([[3.8, 2.5, 2.7, 1], [-0.5, -2.3, -1.6, 1], [0.4, 2.9, 1.9, 1]])


def test_a_dependent_column_after_a_small_pivot_is_found():
    A = UNTOLD.T @ UNTOLD
    s = np.sqrt(A.diagonal())
    assert np.linalg.cholesky(A / np.outer(s, s)).diagonal().min() > 1e-6
    assert unit_inverse(A)[1] is None
    assert solve(UNTOLD, np.array([1.0, 2.0, 3.0])) == (None, np.inf)
    thrice = np.tile(UNTOLD, (3, 1))
    assert solve(thrice, np.arange(9.0)) == (None, np.inf)


def test_column_rank():
    assert column_rank(UNTOLD) == 3 and column_rank(UNTOLD.T) == 3 and column_rank(np.tile(UNTOLD, (3, 1))) == 3
    assert column_rank(np.zeros((3, 2))) == 0
    assert column_rank(np.diag([1.0, 1e-9])) == column_rank(np.diag([1.0, 1e9])) == 2  # a unit is no dependence
    nearly = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-13], [1.0, 1.0]])
    assert column_rank(nearly) == 2 and column_rank(np.round(nearly, 9)) == 1


# --- sums by class, columns of unit length ------------------------------------------------------------------


@pytest.mark.parametrize("block", [3, moments.BLOCK])
def test_class_sums(block, monkeypatch):
    monkeypatch.setattr(moments, "BLOCK", block)
    t = np.array([0, 2, 1, 2, 2, 0, 1, 2, 0, 0, 1])
    for k, (total, measured) in enumerate(zip(class_sums(X, t), class_sums(X, t, M), strict=True)):
        np.testing.assert_allclose(total, X[t == k].sum(axis=0), rtol=1e-13)
        np.testing.assert_allclose(measured, (X[t == k] - M).sum(axis=0), rtol=1e-13, atol=1e-14)
    np.testing.assert_array_equal(class_sums(X, np.full(11, 1))[0], 0)  # a class without samples


def test_unit_columns():
    long = X * [1e-70, 1e70, 0.0]
    Z, s = unit_columns(long)
    np.testing.assert_allclose(np.linalg.norm(Z, axis=0), [1, 1, 0], rtol=1e-14)
    np.testing.assert_allclose(Z * s, long, rtol=1e-14)


# --- where to measure from ----------------------------------------------------------------------------------

Z = np.column_stack([X[:, 0], np.full(11, 7.0), X[:, 1]])


def test_origin_is_the_mean_where_a_column_is_constant():
    one, m, mean = origin(Z, y)
    assert one == 1
    np.testing.assert_allclose(m, [X[:, 0].mean(), 0, X[:, 1].mean()], rtol=1e-14)
    assert mean == y.mean()


def test_measured_from_the_origin_the_constant_drops_out():
    """The other columns and y are orthogonal to it, and (ȳ - m·w)/7 brings its weight back."""
    one, m, mean = origin(Z, y)
    np.testing.assert_allclose(((Z - m).T @ Z[:, one])[[0, 2]], 0, atol=1e-13)
    assert (y - mean) @ Z[:, one] == pytest.approx(0, abs=1e-13)
    w, _ = solve(Z - m, y - mean)
    assert w[one] == pytest.approx(0, abs=1e-15)
    kept = w.copy()
    np.testing.assert_allclose(origin(Z, y).uncentered(w, Z), np.linalg.lstsq(Z, y)[0], rtol=1e-12)
    np.testing.assert_array_equal(w, kept)
    w[one] += (mean - m @ w) / 7
    np.testing.assert_array_equal(origin(Z, y).uncentered(kept, Z), w)
    both = np.column_stack([kept, 2 * kept])  # several weights at once, of scores that keep their mean
    np.testing.assert_allclose(Z @ origin(Z).uncentered(both, Z), (Z - m) @ both, rtol=1e-12, atol=1e-12)


def test_without_an_origin_nothing_comes_back():
    w = np.ones(3)
    assert origin(X[:, :3], y).uncentered(w, X[:, :3]) is w and origin(Z).mean == 0


def test_origin_is_zero_where_no_column_is_constant():
    nearly = np.ones(11)
    nearly[5] = 2  # like its first and last entry but for one between them
    for other in (X, Z[:, [0, 2]], np.column_stack([X, np.zeros(11)]), np.column_stack([X, nearly])):
        one, m, mean = origin(other, y)
        assert one is None
        np.testing.assert_array_equal(m, 0)
        assert mean == 0


def test_origin_takes_the_constant_column_that_is_free():
    """A penalised constant column is no bias: measuring from the mean would change the problem."""
    two = np.column_stack([Z, np.ones(11)])
    assert origin(two, y)[0] == 1
    assert origin(two, y, free=np.array([True, False, True, True]))[0] == 3
    assert origin(two, y, free=np.array([True, False, True, False]))[0] is None
    assert origin(two, y, free=np.array([False, True, False, False]))[0] == 1


def test_origin_of_one_sample():
    one, m, mean = origin(np.array([[3.0, 4.0]]), np.array([5.0]))
    assert (one, m.tolist(), mean) == (0, [0, 4], 5)


# --- units without rounding ---------------------------------------------------------------------------------


def test_power_of_two_is_next_to_the_largest_entry():
    """A half to once the entry, and a power of two: dividing by it loses no digit."""
    assert power_of_two(np.array([3.0, -5.0])) == 4
    assert power_of_two(np.array([-8.0])) == 8
    assert power_of_two(np.array([[3.0, -0.3], [1.0, 0.1]]), axis=0).tolist() == [2, 0.25]
    for a in (1e-75, 1e-5, 1.0, 0.7, 1e75):
        unit = power_of_two(np.array([a]))
        assert 1 <= a / unit < 2
        assert np.frexp(unit)[0] == 0.5
        assert a / unit * unit == a


# --- edges --------------------------------------------------------------------------------------------------


def test_inputs_stay_unchanged_in_any_layout():
    wide = np.arange(24.0).reshape(4, 6)
    view = wide[:, ::2]
    view.setflags(write=False)
    got, expected = second_moments(view, view), second_moments(view.copy(), view.copy())
    np.testing.assert_array_equal(got[0], expected[0])
    np.testing.assert_array_equal(got[1], expected[1])
    np.testing.assert_array_equal(wide, np.arange(24.0).reshape(4, 6))


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

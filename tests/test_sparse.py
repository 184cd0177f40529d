"""Quadratic minimization with an L1 penalty: the two ways to the signs, and what they work on."""

from itertools import pairwise

import numpy as np
import pytest
from cases import each

from linmodels.solvers import sparse

RNG = np.random.default_rng(0)


def problem(N, d, *, free=0, ridge=0.0, seed=0):
    """X, y and penalties l1, l2 of random samples; the last `free` columns have none."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, d)) + 0.5 * rng.normal(size=(N, 1))
    l1, l2 = np.full(d, 0.3 * np.sqrt(N)), np.full(d, ridge)
    if free:
        l1[-free:] = l2[-free:] = 0
    return X, rng.normal(size=N) + X[:, :2].sum(axis=1), l1, l2


PROBLEMS = {
    "tall": problem(30, 8),
    "tall, free": problem(30, 8, free=2),
    "tall, both": problem(30, 8, ridge=2.0),
    "square": problem(8, 8, free=1),
    "wide": problem(6, 20),
    "wide, free": problem(6, 20, free=2),
    "wide, both": problem(6, 20, ridge=2.0),
    "one sample": problem(1, 4),
    "one column": problem(5, 1),
    "all free": problem(9, 3, free=3),
}
problems = each("X, y, l1, l2", PROBLEMS.values(), ids=PROBLEMS)


def test_nearest_subgradient_by_hand():
    """Where w_j is not 0 the subgradient is one number; where it is, an interval, which holds 0 if |g_j| <= l_j."""
    g, w = np.array([1.0, 1.0, 1.0, -3.0, 3.0]), np.array([2.0, -2.0, 0.0, 0.0, 0.0])
    assert sparse.nearest_subgradient(g, w, np.array([0.5, 0.5, 2.0, 2.0, 2.0])).tolist() == [1.5, 0.5, 0, -1, 1]


def system_of(X, y, l1, l2, m=0.0):
    return sparse.system_of(X, y, m, l1, l2)


def matrix(system):
    return np.column_stack([system.product(e) for e in np.eye(len(system.c))])


def violation(system, v, lam=1.0):
    """How far (Av)_a = c_a - λ l_a s_a/2 in the columns in use, |c - Av|_j <= λ l_j/2 in others, are from true."""
    g, half = system.c - system.product(v), lam * system.l / 2
    return np.max(np.where(v != 0, np.abs(g - half * np.sign(v)), np.maximum(np.abs(g) - half, 0)))


# --- the system ---------------------------------------------------------------------------------------------


def test_a_system_by_hand():
    """Columns 3·(1, 0) and (0, 4), y = (5, 6): lengths 3 and 4, c = Xᵀy / length, penalties / length."""
    system, s = system_of(np.diag([3.0, 4.0]), np.array([5.0, 6.0]), np.array([6.0, 8.0]), np.zeros(2))
    assert s.tolist() == [3, 4] and system.c.tolist() == [5, 6] and system.l.tolist() == [2, 2]
    assert matrix(system).tolist() == [[1, 0], [0, 1]]
    v, _, _ = sparse.minimize(system, np.zeros(2))
    assert v.tolist() == [4, 5]  # c - l/2
    with_l2, s = system_of(np.diag([3.0, 4.0]), np.array([5.0, 6.0]), np.zeros(2), np.array([14.0, 0.0]))
    assert s.tolist() == [4, 4] and with_l2.c.tolist() == [15 / 4, 6]  # 3² + 14/2 = 4²


@problems
def test_the_system_is_the_loss_in_columns_of_length_one(X, y, l1, l2):
    """w = v/s: v·Av - 2c·v + Σ l_j|v_j| + ‖y‖² = ‖Xw - y‖² + Σ l1_j|w_j| + l2_j/2 w_j²."""
    system, s = system_of(X, y, l1, l2)
    np.testing.assert_allclose(np.diag(matrix(system)), 1, rtol=1e-14)
    for v in RNG.normal(size=(5, len(l1))):
        w = v / s
        loss = np.sum((X @ w - y) ** 2) + l1 @ np.abs(w) + l2 @ w**2 / 2
        value = v @ system.product(v) - 2 * system.c @ v + system.l @ np.abs(v) + y @ y
        assert value == pytest.approx(loss, rel=1e-12)


@problems
def test_columns_and_blocks_are_those_of_the_product(X, y, l1, l2):
    system, _ = system_of(X, y, l1, l2)
    A, a = matrix(system), np.arange(len(l1))[::2]
    np.testing.assert_allclose(A, A.T, atol=1e-14)
    np.testing.assert_allclose(system.block(a), A[np.ix_(a, a)], atol=1e-14)
    for j in range(len(l1)):
        np.testing.assert_allclose(system.column(a, j), A[a, j], atol=1e-14)
    assert np.linalg.matrix_rank(A) <= system.rank


@problems
def test_moments_give_the_same_system(X, y, l1, l2):
    by_samples, s = system_of(X, y, l1, l2)
    by_moments, t = sparse.system_of_moments(X.T @ X, X.T @ y, l1, l2)
    np.testing.assert_allclose(s, t, rtol=1e-13)
    np.testing.assert_allclose(by_samples.c, by_moments.c, atol=1e-12)
    np.testing.assert_allclose(by_samples.l, by_moments.l, rtol=1e-13)
    np.testing.assert_allclose(matrix(by_samples), matrix(by_moments), atol=1e-13)


@each("N, d", [(12, 4), (3, 6)])
def test_measuring_from_a_point_is_moving_the_samples(N, d):
    X, y, l1, l2 = problem(N, d, ridge=1.0)
    m = np.arange(float(d))
    (moved, s), (there, t) = system_of(X, y, l1, l2, m), system_of(X - m, y, l1, l2)
    np.testing.assert_allclose(s, t, rtol=1e-13)
    np.testing.assert_allclose(moved.c, there.c, rtol=1e-12)
    np.testing.assert_allclose(matrix(moved), matrix(there), atol=1e-13)


@each("scale", [1e-70, 1e70])
@each("N, d", [(12, 4), (3, 6)])
def test_the_units_of_a_column_leave_the_system(N, d, scale):
    X, y, l1, l2 = problem(N, d)
    unit = np.where(np.arange(d) == 1, scale, 1.0)
    (system, s), (other, t) = system_of(X, y, l1, l2), system_of(X * unit, y, l1 * unit, l2)
    np.testing.assert_allclose(t, s * unit, rtol=1e-13)
    np.testing.assert_allclose(other.c, system.c, rtol=1e-12)
    np.testing.assert_allclose(other.l, system.l, rtol=1e-13)
    np.testing.assert_allclose(matrix(other), matrix(system), atol=1e-13)


@each("N", [2, 4])
def test_a_column_of_zeros_stays_out(N):
    X, y, l1, l2 = problem(N, 3)
    X[:, 1] = 0
    system, s = system_of(X, y, l1, l2)
    assert s[1] > 0 and system.c[1] == 0 and not matrix(system)[:, 1].any()
    assert sparse.minimize(system, np.zeros(3))[0][1] == 0


# --- both ways to the signs ---------------------------------------------------------------------------------


@problems
@each("factor", [0.1, 1.0, 3.0])
def test_guessing_and_following_end_at_the_same_minimum(X, y, l1, l2, factor):
    system, _ = system_of(X, y, factor * l1, l2)
    guessed, n = sparse.solve_by_signs(system, np.zeros(len(l1)))
    *_, (lam, followed, change) = sparse.knots(system, 1.0)
    assert lam == 1 and change == 0 and n >= 1
    assert violation(system, followed) <= 1e-11
    if guessed is not None:
        assert violation(system, guessed) <= 1e-11
        np.testing.assert_allclose(guessed, followed, atol=1e-10)
        assert ((guessed != 0) == (followed != 0)).all()


def test_guessing_from_the_solution_confirms_it():
    """From the solution the first guess confirms itself: one linear system."""
    tall = {name: data for name, data in PROBLEMS.items() if name.startswith("tall")}
    for X, y, l1, l2 in tall.values():
        system, _ = system_of(X, y, l1, l2)
        v, _, _ = sparse.minimize(system, np.zeros(len(l1)))
        again, n = sparse.solve_by_signs(system, v)
        assert n == 1
        np.testing.assert_allclose(again, v, atol=1e-13)


@problems
def test_the_start_does_not_matter(X, y, l1, l2):
    system, _ = system_of(X, y, l1, l2)
    v, _, _ = sparse.minimize(system, np.zeros(len(l1)))
    assert violation(system, v) <= 1e-11
    for start in (v, -v, 10 * RNG.normal(size=len(v))):
        before = start.copy()
        np.testing.assert_allclose(sparse.minimize(system, start)[0], v, atol=1e-10)
        assert start.tolist() == before.tolist()


@problems
def test_no_other_point_is_lower(X, y, l1, l2):
    system, _ = system_of(X, y, l1, l2)
    value = lambda v: v @ system.product(v) - 2 * system.c @ v + system.l @ np.abs(v)  # noqa: E731
    v, _, _ = sparse.minimize(system, np.zeros(len(l1)))
    for size in (1e-3, 1.0):
        assert all(value(v + size * step) > value(v) - 1e-13 for step in RNG.normal(size=(20, len(v))))


def test_without_penalties_it_is_least_squares():
    X, y, l1, l2 = PROBLEMS["all free"]
    system, s = system_of(X, y, l1, l2)
    v, _ = sparse.solve_by_signs(system, np.zeros(3))
    np.testing.assert_allclose(v / s, np.linalg.lstsq(X, y)[0], rtol=1e-12)


# --- guesses that come to nothing ---------------------------------------------------------------------------


def system_with(A, c, l):
    A = np.array(A, float)
    return sparse.system_of_moments(A, np.array(c, float), np.array(l, float), np.zeros(len(A)))[0]


def test_copies_make_a_singular_block():
    """Both columns are guessed in: [[1, 1], [1, 1]] has no inverse. The path takes one of them."""
    system = system_with([[1, 1], [1, 1]], [1, 1], [0.2, 0.2])
    assert sparse.solve_by_signs(system, np.zeros(2))[0] is None
    v, _, _ = sparse.minimize(system, np.zeros(2))
    assert v.sum() == pytest.approx(0.9) and np.count_nonzero(v) == 1


def test_a_block_singular_up_to_rounding_is_no_solution():
    """Three columns that depend on each other, and a c that no v reaches: what the solver makes up is refused."""
    Z = np.array([[0.1, 0.2, 0.3], [0.7, 0.1, 0.8], [0.3, 0.3, 0.6]])
    system = system_with(Z.T @ Z, [3, 2, 1], [0, 0, 0])
    assert sparse.solve_by_signs(system, np.zeros(3))[0] is None


def test_more_columns_than_the_rank_are_no_solution():
    """One sample, two columns: both are guessed in, but only one can be solved for."""
    system, _ = system_of(np.array([[1.0, 1.0]]), np.array([1.0]), np.full(2, 0.2), np.zeros(2))
    assert system.rank == 1
    assert sparse.solve_by_signs(system, np.zeros(2))[0] is None
    assert violation(system, sparse.minimize(system, np.zeros(2))[0]) <= 1e-14


def test_guesses_end_and_the_minimum_is_found_all_the_same():
    """Of 12 columns of 4 samples, most guesses hold too many or go round in circles."""
    for seed in range(40):
        X, y, l1, l2 = problem(4, 12, seed=seed)
        system, _ = system_of(X, y, 0.3 * l1, l2)
        found, n = sparse.solve_by_signs(system, np.zeros(12))
        assert n < sparse.MOST_GUESSES and (found is None or violation(system, found) <= 1e-11)
        assert violation(system, sparse.minimize(system, np.zeros(12))[0]) <= 1e-11


# --- following the path -------------------------------------------------------------------------------------


@problems
@each("stop", [0.0, 0.01, 1.0])
def test_every_knot_is_the_minimum_at_its_penalty(X, y, l1, l2, stop):
    system, _ = system_of(X, y, l1, l2)
    knots = list(sparse.knots(system, stop))
    lams = [lam for lam, _, _ in knots]
    assert lams[-1] == stop and all(a > b for a, b in pairwise(lams))
    for (lam, v, _), (after, w, _) in pairwise([*knots, knots[-1]]):
        assert violation(system, v, lam) <= 1e-10
        assert violation(system, (v + w) / 2, (lam + after) / 2) <= 1e-10  # straight in between


@problems
def test_changes_name_who_comes_and_who_goes(X, y, l1, l2):
    system, _ = system_of(X, y, l1, l2)
    inside = set(np.flatnonzero(l1 == 0) + 1)
    knots = list(sparse.knots(system, 0.0))
    for (_, v, change), (_, w, _) in pairwise(knots):
        assert (change not in inside) if change > 0 else (-change in inside)
        inside ^= {abs(change)}
        assert set(np.flatnonzero(v + w) + 1) == inside
    assert knots[-1][2] == 0


def test_a_stop_above_the_first_knot_is_the_only_knot():
    X, y, l1, l2 = PROBLEMS["tall"]
    ((lam, v, change),) = sparse.knots(system_of(X, y, l1, l2)[0], 1e6)
    assert (lam, change) == (1e6, 0) and not v.any()


def test_free_columns_are_in_from_the_start():
    X, y, l1, l2 = PROBLEMS["tall, free"]
    system, s = system_of(X, y, l1, l2)
    _, v, change = sparse.knots(system, 0.0)[0]
    alone = np.linalg.lstsq(X[:, -2:], y)[0]
    np.testing.assert_allclose((v / s)[-2:], alone, rtol=1e-12)
    assert not v[:-2].any() and 0 < change <= 6
    free = [abs(change) for _, _, change in sparse.knots(system, 0.0) if abs(change) > 6]
    assert free == []  # and never leave


def test_the_end_of_the_path_is_least_squares():
    X, y, l1, l2 = PROBLEMS["tall"]
    system, s = system_of(X, y, l1, l2)
    *_, (_, v, _) = sparse.knots(system, 0.0)
    np.testing.assert_allclose(v / s, np.linalg.lstsq(X, y)[0], rtol=1e-11)


def test_what_a_reader_does_to_a_knot_changes_nothing():
    X, y, l1, l2 = PROBLEMS["tall"]
    system, _ = system_of(X, y, l1, l2)
    expected = [v for _, v, _ in sparse.knots(system, 0.0)]
    seen = []
    for _, v, _ in sparse.knots(system, 0.0):
        seen.append(v.copy())
        v[:] = 99
    np.testing.assert_array_equal(seen, expected)


def test_columns_that_meet_their_bounds_at_once():
    """Orthonormal columns with the same |c|: all enter at λ = 2, one after the other, and end at c."""
    system = system_with(np.eye(3), [1, -1, 1], [1, 1, 1])
    knots = list(sparse.knots(system, 0.0))
    assert [lam for lam, _, _ in knots] == [2, 2, 2, 0]
    assert sorted(change for _, _, change in knots) == [0, 1, 2, 3]
    np.testing.assert_allclose(knots[-1][1], [1, -1, 1], rtol=1e-14)


# --- the inverse that grows and shrinks ---------------------------------------------------------------------


@each("N, d", [(20, 8), (5, 9)])
def test_the_inverse_stays_that_of_its_block(N, d):
    X, y, l1, l2 = problem(N, d)
    system, _ = system_of(X, y, l1, l2)
    A, used = matrix(system), sparse._ActiveColumns(system)
    rng = np.random.default_rng(1)
    for _ in range(60):
        outside = np.setdiff1d(np.arange(d), used.a)
        if len(used.a) < min(N, d) - 1 and (len(used.a) == 0 or rng.random() < 0.6):
            assert used.enter(rng.choice(outside))
        else:
            used.leave(rng.integers(len(used.a)))
        n = len(used.a)
        assert n == len(set(used.a))
        np.testing.assert_allclose(used.M @ used.M.T @ A[np.ix_(used.a, used.a)], np.eye(n), atol=1e-9)
        np.testing.assert_allclose(used.block, A[np.ix_(used.a, used.a)], atol=1e-13)
        b = rng.standard_normal(n)
        direction, A_direction = used.solve(b)
        np.testing.assert_allclose(A_direction[used.a], b, atol=1e-9)
        np.testing.assert_allclose(A_direction, A @ direction, atol=1e-9)
        assert not np.delete(direction, used.a).any()


def test_a_dependent_column_is_not_taken_in():
    used = sparse._ActiveColumns(system_with([[1, 0, 1], [0, 1, 1], [1, 1, 2]], [1, 1, 1], [1, 1, 1]))
    assert [used.enter(j) for j in range(3)] == [True, True, False]
    assert used.a.tolist() == [0, 1]
    used.leave(0)
    assert used.enter(2) and used.a.tolist() == [1, 2]

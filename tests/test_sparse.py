"""Squared error with an L1 penalty: the two ways to the signs, and the few rows that they work on."""

from itertools import pairwise

import numpy as np
import pytest
from cases import slow

from linmodels.solvers import sparse


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
    "wide, free": problem(6, 20, free=2),
    "wide, both": problem(6, 20, ridge=2.0),
    "one sample": problem(1, 4),
    "all free": problem(9, 3, free=3),
}
problems = pytest.mark.parametrize("X, y, l1, l2", PROBLEMS.values(), ids=PROBLEMS)


def unit_problem(X, y, l1, l2):
    """Z, root, b, h of ‖Zv - b‖² + ‖root v‖² + Σ 2h_j|v_j|, w = v/s, and s."""
    Z, root, b, s = sparse.few_rows(X, y, l2)
    return Z, root, b, l1 / 2 / s, s


def violation(Z, root, b, h, v):
    """How far Zᵀ(b - Zv) - root² v = hs in the columns in use, and within h in the others, are from true."""
    g = (b - Z @ v) @ Z - root**2 * v
    return np.max(np.where(v != 0, np.abs(g - h * np.sign(v)), np.maximum(np.abs(g) - h, 0)))


def by_signs(Z, root, b, h, v=None):
    A = Z.T @ Z + np.diag(root**2)
    return sparse.solve_by_signs(A, b @ Z, h, np.zeros(len(h)) if v is None else v)


def by_path(Z, root, b, h):
    found, why = sparse.knots(Z, root, b, h, 1.0)
    lam, v, change = found[-1]
    assert (lam, change, why) == (1, 0, "")
    return v


# --- few rows -----------------------------------------------------------------------------------------------


def test_few_rows_by_hand():
    """Columns 3·(1, 0) and (0, 4): lengths 3 and 4, Z = I, and c - h = (5, 6) - (1, 1)."""
    X, y = np.diag([3.0, 4.0]), np.array([5.0, 6.0])
    Z, root, b, s = sparse.few_rows(X, y, np.zeros(2))
    assert s.tolist() == [3, 4] and Z.tolist() == [[1, 0], [0, 1]] and b.tolist() == [5, 6] and not root.any()
    assert by_signs(Z, root, b, np.ones(2))[0].tolist() == by_path(Z, root, b, np.ones(2)).tolist() == [4, 5]
    Z, root, b, s = sparse.few_rows(X, y, np.array([14.0, 0.0]))  # 3² + 14/2 = 4²
    assert s.tolist() == [4, 4] and b.tolist() == [15 / 4, 6] and not root.any()
    Z, root, b, s = sparse.few_rows(np.array([[3.0, 4.0]]), y[:1], np.array([14.0, 0.0]))
    assert s.tolist() == [4, 4] and Z.tolist() == [[3 / 4, 1]] and b.tolist() == [5]
    np.testing.assert_allclose(root, [np.sqrt(7) / 4, 0], rtol=1e-15)


@problems
def test_few_rows_have_the_loss_of_all_but_for_a_constant(X, y, l1, l2):
    Z, root, b, _, s = unit_problem(X, y, l1, l2)
    assert len(Z) <= len(s) and (len(X) < len(s) or not root.any())
    np.testing.assert_allclose(np.sum(Z * Z, axis=0) + root**2, 1, rtol=1e-13)
    V = np.random.default_rng(1).normal(size=(5, len(s)))
    few = [np.sum((Z @ v - b) ** 2) + np.sum((root * v) ** 2) for v in V]
    all_of_them = [np.sum((X @ (v / s) - y) ** 2) + l2 @ (v / s) ** 2 / 2 for v in V]
    np.testing.assert_allclose(np.diff(few), np.diff(all_of_them), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e8])
def test_few_rows_keep_the_digits_that_second_moments_lose(offset):
    """The same where X is far from 0: Zv has the length of Xv/s to the last digits, however short it is."""
    X = np.round(8 * problem(30, 3)[0]) + offset
    Z, _, _, s = sparse.few_rows(X, X[:, 0], np.zeros(3))
    v = np.array([1.0, -1.0, 0.0]) * s
    assert np.linalg.norm(Z @ v) == pytest.approx(np.linalg.norm(X[:, 0] - X[:, 1]), rel=1e-14 * (10 + offset))


# --- the ways to the signs ----------------------------------------------------------------------------------


@problems
@pytest.mark.parametrize("factor", [0.1, 1.0, 3.0])
def test_guessing_and_following_end_at_the_same_minimum(X, y, l1, l2, factor):
    """And from the solution the first guess confirms itself: one linear system."""
    Z, root, b, h, _ = unit_problem(X, y, factor * l1, l2)
    followed, (guessed, n) = by_path(Z, root, b, h), by_signs(Z, root, b, h)
    assert violation(Z, root, b, h, followed) <= 1e-11 and n < sparse.MOST_GUESSES
    if guessed is not None:
        np.testing.assert_allclose(guessed, followed, atol=1e-10)
        assert ((guessed != 0) == (followed != 0)).all()
        before = guessed.copy()
        again, n = by_signs(Z, root, b, h, guessed)
        assert n == 1 and guessed.tolist() == before.tolist()
        np.testing.assert_allclose(again, guessed, atol=1e-13)
    assert guessed is not None or factor != 1 or len(X) <= len(l1)


@pytest.mark.parametrize("seed", [*range(6), *slow(range(6, 36))])
def test_columns_that_depend_on_each_other_take_turns(seed):
    """Small whole numbers, more columns than samples or copies of all of them: one enters for another that leaves."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-2, 3, size=(4, 5)).astype(float), rng.integers(-5, 6, size=4).astype(float)
    for A in (X, np.hstack([X[:, :2], 2 * X[:, :2], -X[:, 1:2]])):
        for lam in (1e-3, 0.5, 4.0):
            Z, root, b, h, _ = unit_problem(A, y, np.full(5, lam), np.zeros(5))
            assert violation(Z, root, b, h, by_path(Z, root, b, h)) <= 1e-11


def test_copies_make_a_singular_block():
    """Both columns are guessed in: [[1, 1], [1, 1]] has no inverse. The path takes one of them."""
    Z, root, b, h = np.ones((1, 2)), np.zeros(2), np.ones(1), np.full(2, 0.1)
    assert by_signs(Z, root, b, h)[0] is None
    v = by_path(Z, root, b, h)
    assert v.sum() == pytest.approx(0.9) and np.count_nonzero(v) == 1


def test_a_block_singular_up_to_rounding_is_no_solution():
    """Three columns that depend on each other, and a c that no v reaches: what the solver makes up is refused."""
    Z = np.array([[0.1, 0.2, 0.3], [0.7, 0.1, 0.8], [0.3, 0.3, 0.6]])
    A = Z.T @ Z
    s = np.sqrt(A.diagonal())
    assert sparse.solve_by_signs(A / s / s[:, None], np.array([3.0, 2, 1]) / s, np.zeros(3), np.zeros(3))[0] is None


# --- following the path -------------------------------------------------------------------------------------


@problems
@pytest.mark.parametrize("stop", [0.0, 1.0])
def test_every_knot_is_the_minimum_at_its_penalty_and_names_who_comes_and_who_goes(X, y, l1, l2, stop):
    """Free columns are in from the start and never leave; between knots the solution is straight."""
    *data, h, _ = unit_problem(X, y, l1, l2)
    knots, why = sparse.knots(*data, h, stop)
    lams, inside = [lam for lam, _, _ in knots], set(np.flatnonzero(l1 == 0) + 1)
    assert why == "" and lams[-1] == stop and all(a > b for a, b in pairwise(lams)) and knots[-1][2] == 0
    for (lam, v, change), (after, w, _) in pairwise(knots):
        assert violation(*data, lam * h, v) <= 1e-10
        assert violation(*data, (lam + after) / 2 * h, (v + w) / 2) <= 1e-10
        assert (change not in inside) if change > 0 else (-change in inside and l1[-change - 1] > 0)
        inside ^= {abs(change)}
        assert set(np.flatnonzero(v + w) + 1) == inside
    assert violation(*data, stop * h, knots[-1][1]) <= 1e-10


def test_a_stop_above_the_first_knot_is_the_only_knot():
    *data, h, _ = unit_problem(*PROBLEMS["tall"])
    [(lam, v, change)], why = sparse.knots(*data, h, 1e6)
    assert (lam, change, why) == (1e6, 0, "") and not v.any()


def test_columns_that_meet_their_bounds_at_once():
    """Orthonormal columns with the same |c|: all enter at λ = 2, one after the other, and end at c."""
    knots, _ = sparse.knots(np.eye(3), np.zeros(3), np.array([1.0, -1, 1]), np.full(3, 0.5), 0.0)
    assert [lam for lam, _, _ in knots] == [2, 2, 2, 0]
    assert sorted(change for _, _, change in knots) == [0, 1, 2, 3]
    np.testing.assert_allclose(knots[-1][1], [1, -1, 1], rtol=1e-14)


# --- the factors that grow and shrink -----------------------------------------------------------------------


@pytest.mark.parametrize("N, d, ridge", [(20, 8, 0.0), (5, 9, 0.0), (5, 9, 2.0)])
def test_the_factors_stay_those_of_the_active_columns(N, d, ridge):
    Z, root, _, _, _ = unit_problem(*problem(N, d, ridge=ridge))
    A, used = np.vstack([Z, np.diag(root)]), sparse._ActiveColumns(Z, root)
    rng = np.random.default_rng(1)
    for _ in range(30):
        outside = np.setdiff1d(np.arange(d), used.a)
        if len(used.a) < min(N, d) - 1 and (len(used.a) == 0 or rng.random() < 0.6):
            assert used.enter(rng.choice(outside))
        else:
            used.leave(rng.integers(len(used.a)))
        n = len(used.a)
        assert n == len(set(used.a))
        np.testing.assert_allclose(used.Q.T @ used.Q, np.eye(n), atol=1e-12)
        rows = np.append(np.arange(len(Z)), len(Z) + used.a)
        np.testing.assert_allclose(A[np.ix_(rows, used.a)] @ used.T, used.Q, atol=1e-12)
        f = rng.standard_normal(n)
        direction, A_direction = used.solve(f)
        np.testing.assert_allclose(A_direction[used.a], f, atol=1e-11)
        np.testing.assert_allclose(A_direction, A.T @ (A @ direction), atol=1e-11)
        assert not np.delete(direction, used.a).any()


def test_a_dependent_column_is_not_taken_in():
    used = sparse._ActiveColumns(np.array([[1.0, 0, 1], [0, 1, 1], [0, 0, 0]]), np.zeros(3))
    assert [used.enter(j) for j in range(3)] == [True, True, False]
    assert used.a.tolist() == [0, 1]
    used.leave(0)
    assert used.enter(2) and used.a.tolist() == [1, 2]

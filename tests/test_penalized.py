"""Ridge and elastic net to the last digits (the solver of chapter 02): every way on its own, and the gap as a proof."""

import numpy as np
import pytest

from linmodels import regularization
from linmodels.solvers import least_squares, penalized, sparse

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(12, 4)) + 1, RNG.normal(size=12)
WIDE, WIDE_Y = RNG.normal(size=(4, 7)), RNG.normal(size=4)
L1, L2 = np.array([1.0, 3.0, 0.5, 0.0]), np.array([2.0, 0.0, 1.0, 0.0])
RIDGES = {
    "the door": regularization.ridge,
    "by QR": penalized.ridge_by_qr,
    "by samples": lambda X, y, lam: penalized._ridge_by_samples(X, y, lam)[0],
}


@pytest.mark.parametrize("X, y", [(X, Y), (WIDE, WIDE_Y)], ids=["tall", "wide"])
@pytest.mark.parametrize("way", RIDGES.values(), ids=RIDGES)
def test_every_way_to_ridge_leads_to_one_place(way, X, y):
    lam = np.arange(1.0, X.shape[1] + 1)
    expected = np.linalg.solve(X.T @ X + np.diag(lam), X.T @ y)
    np.testing.assert_allclose(way(X, y, lam), expected, rtol=1e-11)


def test_more_columns_than_samples_are_solved_by_samples():
    """To the last bit: the ways by QR would round otherwise."""
    lam = np.arange(1.0, 8.0)
    by_samples, correction = penalized._ridge_by_samples(WIDE, WIDE_Y, lam)
    np.testing.assert_array_equal(by_samples, regularization.ridge(WIDE, WIDE_Y, lam))
    assert correction < penalized.ACCURATE


def test_ridge_with_a_free_constant_column_far_from_0():
    """The means take the offset of 1e7 away, for which the normal equations lack the digits."""
    lam, offset = np.array([0.5, 1.0, 2.0, 0.0]), np.array([1e7, 1e7, 1e7, 0.0])
    near = np.column_stack([X[:, :3], np.full(12, 2.0)])
    assert not least_squares.normal_equations(near + offset, Y, lam=lam)[1] < 1e-10
    far = regularization.ridge(near + offset, Y, lam)
    np.testing.assert_allclose(far[:3], regularization.ridge(near, Y, lam)[:3], rtol=1e-6)


@pytest.mark.parametrize("k, known", [(26, True), (40, True), (46, False), (60, False)])
@pytest.mark.parametrize("unit", [np.ones(2), np.array([2.0**20, 2.0**-20])], ids=["alike", "apart"])
def test_the_dual_is_refused_where_no_digit_would_be_right(unit, k, known):
    """K of condition 2^k in units of each sample."""
    K = np.array([[1.0, 1.0 - 2.0**-k], [1.0 - 2.0**-k, 1.0]]) * unit * unit[:, None]
    if known:
        penalized.require_dual_inverse(K, 0.0)
    else:
        with pytest.raises(np.linalg.LinAlgError, match="singular to rounding with lam = 0; give a larger lam"):
            penalized.require_dual_inverse(K, 0.0)


@pytest.mark.parametrize("lam", [np.zeros(4), np.array([0.0, 0.0, 1.0, 1.0]), np.full(4, 1e-18)])
def test_a_sum_of_xx_and_penalties_without_an_inverse_is_an_error(lam):
    twice = np.column_stack([X[:, 0], 2 * X[:, 0], X[:, 1:3]])
    with pytest.raises(np.linalg.LinAlgError, match=r"singular to rounding: .* larger lam, or leave one of them out"):
        penalized.require_inverse(twice, lam)
    penalized.require_inverse(twice, lam + 0.1)


def test_every_way_to_the_elastic_net_proves_itself():
    w, gap, n, converged, reason = penalized.elastic_net(X, Y, L1, L2)
    assert 0 <= gap < 1e-12 and n >= 1 and converged and reason.startswith(f"duality gap {gap:.3g} after {n} ")
    for way in (penalized._solve_by_signs, sparse.solve_by_path):
        found, *_ = way(X, Y, L1, L2)
        np.testing.assert_allclose(found, w, atol=1e-12)
        gap, tolerance = penalized._gap_and_tolerance(found, X, Y, L1, L2)
        loss = np.sum((X @ found - Y) ** 2) + L1 @ np.abs(found) + L2 @ found**2 / 2
        assert 0 <= gap <= tolerance <= 1.001e-10 * loss


def test_an_offset_of_the_target_does_not_change_what_counts_as_converged():
    """With a free bias, the gap and the weights are those of y - ȳ, however far from 0 the target is."""
    Z, far = np.column_stack([X[:, :3], np.ones(12)]), np.round(8 * Y) / 8 + 2.0**30
    (v, gap, *_), (w, other, *_) = (penalized.elastic_net(Z, y, L1, L2) for y in (far, far - 2.0**30))
    np.testing.assert_allclose(v[:3], w[:3], rtol=1e-9)
    assert max(gap, other) <= 1e-12


def test_a_constant_column_with_a_square_penalty_is_not_free():
    """l1 = 0 and l2 = 2λ on every column, the ones too: ridge, not the ridge of what is measured from the means."""
    X = np.array([[1.0, 1], [2, 1], [4, 1], [5, 1]])
    y, lam = np.array([3.0, 4, 4, 9]), np.array([0.5, 2.0])
    for solve in (penalized.elastic_net, sparse.solve_by_path):
        w = solve(X, y, np.zeros(2), 2 * lam)[0]
        np.testing.assert_allclose(w, np.linalg.solve(X.T @ X + np.diag(lam), X.T @ y), rtol=1e-12)

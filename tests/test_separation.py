"""separation and machines: the nearest points of two hulls, and what the dual machine does with rounds and points."""

import numpy as np
import pytest

from linmodels import kernels, svm
from linmodels.solvers import machines, pairwise
from linmodels.solvers.separation import nearest_points


def hulls(N, seed, shift=0.0):
    """Features of N samples, half of either label, one class moved by `shift`."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
    return rng.standard_normal((N, 3)) + shift * (y[:, None] > 0), y


@pytest.mark.parametrize("start", [[1.0, 1, 1, 1], [0.1, 7, 0, 3], [1.0, 3, 5, 2]])
def test_nearest_points_by_hand(start):
    """The triangle (0, 2), (2, 0), (3, 3) and the origin: (1, 1) is nearest, in the middle of the first side."""
    Phi, y = np.array([[0.0, 2], [2, 0], [3, 3], [0, 0]]), np.array([1.0, 1, 1, -1])
    a = nearest_points(Phi, y, np.array(start))
    np.testing.assert_allclose(a, [0.5, 0.5, 0, 1], atol=1e-15)
    np.testing.assert_allclose((a * y) @ Phi, [1, 1], rtol=1e-15)
    assert nearest_points(Phi, y, np.array([0, 2.0, 0, 5])).tolist() == [0, 1, 0, 1]  # of two samples no other points


@pytest.mark.parametrize("seed", range(5))
def test_no_sample_in_use_lies_nearer_than_the_nearest_points(seed):
    """φ·v = p·v where a > 0 in one class and q·v in the other, v = p - q. Weights add up to 1."""
    Phi, y = hulls(40, seed, shift=3.0)
    start = svm.fit(Phi, y, 1.0).alpha
    start.setflags(write=False)
    a = nearest_points(Phi, y, start)
    assert a.min() >= 0 and a[y > 0].sum() == pytest.approx(1, abs=1e-14) == a[y < 0].sum()
    v = (a * y) @ Phi
    for used in ((y > 0) & (a > 0), (y < 0) & (a > 0)):
        assert np.abs((Phi[used] - a[used] @ Phi[used]) @ v).max() <= 1e-13


@pytest.mark.parametrize("seed", range(2))
def test_from_the_multipliers_the_same_distance_as_the_hard_margin(seed):
    """‖v‖ is twice the margin 1/‖w‖, and α = 2a/‖v‖²."""
    Phi, y = hulls(30, seed, shift=6.0)
    best = svm.fit(Phi, y)
    for start in (best.alpha, best.alpha * np.random.default_rng(seed).uniform(0.5, 2, 30)):
        a = nearest_points(Phi, y, start)
        v = (a * y) @ Phi
        np.testing.assert_allclose(v, 2 * best.w / (best.w @ best.w), rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(2 * a / (v @ v), best.alpha, rtol=1e-8, atol=1e-10)


def test_where_the_features_are_too_many_the_last_of_more_rounds_counts(monkeypatch):
    rng = np.random.default_rng(0)
    y, X = np.where(rng.random(200) < 0.5, 1.0, -1.0), rng.normal(size=(200, 2))
    K = kernels.gaussian(X, X, 0.3)
    *before, last = pairwise.rounds_of_pairs(K, y, 100.0, 1e-9, 10_000)
    monkeypatch.setattr(machines, "FEW_ROUNDS", 2)
    end = machines.dual(K, y, 100.0, 1e-9, 10_000)
    assert len(before) > 3 and not any(end.converged for end in before)
    assert end.converged and end.gap == last.gap and end.n_iter == last.n_iter


def test_the_machine_tries_the_multipliers_of_the_nearest_points(monkeypatch):
    """Those of a hard margin, Σ α = ‖w‖², where pairs and the linear machine end without one."""
    tried, improved = [], pairwise.improved
    monkeypatch.setattr(
        pairwise, "improved", lambda K, y, C, alpha, *a: tried.append(alpha) or improved(K, y, C, alpha, *a)
    )
    y, X = np.where(np.arange(40) < 20, 1.0, -1.0), np.random.default_rng(1).standard_normal((40, 2))
    K = kernels.gaussian(X, X, kernels.median_width(X))
    svm.fit_dual(K, y)
    assert len(tried) == 2 and tried[1] @ y == pytest.approx(0, abs=1e-9 * tried[1].sum())
    assert (tried[1] * y) @ K @ (tried[1] * y) == pytest.approx(tried[1].sum(), rel=1e-6)

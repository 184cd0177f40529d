"""moments: X'X and X'Y in one pass, in blocks."""

import numpy as np
import pytest

from linmodels import moments
from linmodels.moments import blocks, centred, second_moments

RNG = np.random.default_rng(0)
X, y, Y = RNG.normal(size=(11, 3)), RNG.normal(size=11), RNG.normal(size=(11, 2))
R = RNG.uniform(size=11)


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
def test_is_the_sum_over_samples(block, target):
    XX, XY = second_moments(X, target)
    np.testing.assert_allclose(XX, sum(np.outer(x, x) for x in X), rtol=1e-13)
    np.testing.assert_allclose(XY, sum(np.multiply.outer(x, t) for x, t in zip(X, target, strict=True)), rtol=1e-13)


@pytest.mark.parametrize("target", [y, Y], ids=["one target", "two targets"])
def test_weighted_and_centred(block, target):
    m = np.array([1.0, -2.0, 0.5])
    XX, XY = second_moments(X, target, m, R)
    np.testing.assert_allclose(XX, sum(r * np.outer(x - m, x - m) for r, x in zip(R, X, strict=True)), rtol=1e-13)
    np.testing.assert_allclose(
        XY, sum(r * np.multiply.outer(x - m, t) for r, x, t in zip(R, X, target, strict=True)), rtol=1e-13, atol=1e-14
    )


def test_a_whole_weight_is_a_repeated_sample():
    twice = second_moments(X, y, weights=np.full(11, 2.0))
    repeated = second_moments(np.vstack([X, X]), np.append(y, y))
    for a, b in zip(twice, repeated, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13)


def test_blocks_cover_every_row_once(block):
    assert [i for rows in blocks(X) for i in range(11)[rows]] == list(range(11))


def test_more_columns_than_a_block_holds(monkeypatch):
    monkeypatch.setattr(moments, "BLOCK", 2)
    assert len(list(blocks(X))) == 11


# --- edges --------------------------------------------------------------------------------------------------


def test_centred_copies_only_where_it_must():
    assert centred(X, 0.0) is X
    np.testing.assert_array_equal(centred(X, X[0])[0], 0)
    assert centred(X, np.zeros(3)) is not X


def test_inputs_stay_unchanged_in_any_layout():
    wide = np.arange(24.0).reshape(4, 6)
    view = wide[:, ::2]
    view.setflags(write=False)
    got, expected = second_moments(view, view, 1.0), second_moments(view.copy(), view.copy(), 1.0)
    np.testing.assert_array_equal(got[0], expected[0])
    np.testing.assert_array_equal(got[1], expected[1])
    np.testing.assert_array_equal(wide, np.arange(24.0).reshape(4, 6))


def test_centring_keeps_the_digits_that_a_far_origin_loses():
    """Σ(x - m)² of 1e8 + {-1, 0, 1} is 2; as Σx² - N m² nothing of it is left in double precision."""
    far = 1e8 + np.array([[-1.0], [0.0], [1.0]])
    assert second_moments(far, far[:, 0], far.mean(axis=0))[0] == 2

"""derivatives: central_difference, jacobian, check_gradient. They judge every gradient of the book, so first they."""

import numpy as np
import pytest

from linmodels.derivatives import central_difference, check_gradient, jacobian

M = np.array([[1.0, 2.0], [3.0, 5.0], [-1.0, 4.0]])
W = np.array([0.5, -2.0])


def squares(w):
    return np.sum(w**2)


# --- central_difference, jacobian ---------------------------------------------------------------------------


def test_slopes_by_hand_have_the_shape_of_f_then_that_of_w():
    """∇(w_1 w_2) = (w_2, w_1); that of a linear map is its matrix; a number has a number as its slope."""
    np.testing.assert_allclose(central_difference(lambda w: w[0] * w[1], [3, 7]), [7, 3], rtol=1e-9)
    slope = central_difference(lambda a: a**3, 2.0)
    assert np.ndim(slope) == 0 and slope == pytest.approx(12, rel=1e-9)
    np.testing.assert_allclose(central_difference(squares, M), 2 * M, rtol=1e-9)
    np.testing.assert_allclose(jacobian(lambda w: M @ w, W), M, atol=1e-9)
    J = jacobian(lambda V: V.sum(axis=0), M)
    assert J.shape == (2, 3, 2)
    np.testing.assert_allclose(J[1], [[0, 1]] * 3, atol=1e-9)


def test_exact_for_a_quadratic():
    """Two-sided differences have no error of first order; one-sided ones miss this slope by 1000 h = 0.006."""
    np.testing.assert_allclose(central_difference(lambda w: 1e3 * w @ w, W), 2e3 * W, rtol=1e-9)


def test_the_step_balances_the_formula_against_rounding():
    """Of f = exp, h²f'''/6 and εf/h are both some ε^(2/3) = 4e-11 of f where h = ε^(1/3). With ε^(1/4) the first is
    2e-9, with ε^(2/3) the second 3e-6."""
    w = np.linspace(-1, 1, 21)
    slopes = np.array([central_difference(np.exp, each) for each in w])
    np.testing.assert_allclose(slopes, np.exp(w), rtol=5 * np.finfo(float).eps ** (2 / 3))


def test_the_step_grows_with_large_weights():
    """h = 1e-5 would vanish next to 1e12."""
    np.testing.assert_allclose(central_difference(squares, [1e12, -3e12]), [2e12, -6e12], rtol=1e-8)


def test_only_numbers_have_a_gradient_and_one_of_another_shape_is_an_error_not_a_broadcast():
    with pytest.raises(ValueError, match=r"f\(w\) must be a number, found shape \(2,\)"):
        central_difference(lambda w: w, [1.0, 2.0])
    with pytest.raises(ValueError, match="w is empty"):
        jacobian(lambda w: w, [])
    with pytest.raises(ValueError, match=r"gradient\(w\) has shape \(2, 1\); that of w, \(2,\), is expected"):
        check_gradient(squares, lambda w: 2 * w[:, None], W)


# --- check_gradient: the judge lets the right pass and no other ---------------------------------------------


def test_the_right_gradient_passes_and_w_stays_as_it_is():
    w = np.array([0.3, 0.1])
    w.setflags(write=False)
    assert check_gradient(lambda w: np.exp(w @ W), lambda w: np.exp(w @ W) * W, w) < 1e-8


@pytest.mark.parametrize(
    "wrong",
    [lambda w: w, lambda w: -2 * w, lambda w: 2 * w[::-1], lambda w: 2 * w + [0, 0.01]],
    ids=["a factor forgotten", "the sign turned", "components exchanged", "a small term too much"],
)
def test_a_wrong_gradient_is_caught(wrong):
    assert check_gradient(squares, wrong, W) > 1e-3


def test_the_error_is_relative_to_large_gradients_and_absolute_to_small_ones():
    large = check_gradient(lambda w: 1e9 * squares(w), lambda w: 2e9 * w * (1 + 1e-3), W)
    assert large == pytest.approx(1e-3, rel=1e-3)
    assert check_gradient(lambda w: 0.0, lambda w: np.array([1e-3, 0]), W) == pytest.approx(1e-3)

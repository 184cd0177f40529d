"""special: sign, sigmoid, sigmoid_derivative, logit, softplus, soft_threshold, logsumexp, softmax (all chapters)."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from linmodels.derivatives import central_difference, jacobian
from linmodels.special import (
    logit,
    logsumexp,
    sigmoid,
    sigmoid_derivative,
    sign,
    soft_threshold,
    softmax,
    softplus,
)

A = np.array([-3.0, -0.5, 0.0, 0.25, 2.0])  # scores
P = np.array([0.1, 0.5, 0.8])  # probabilities
SCORES = np.random.default_rng(0).normal(size=(4, 3))  # four samples, three classes
EXTREMES = [800.0, -800.0, 1e308, -1e308, np.inf, -np.inf]

# --- sign ---------------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.1-5", "B-model-2")
@pytest.mark.erratum("ERR-D26")
def test_sign_is_plus_one_from_zero_on():
    assert sign([-2.0, -1e-300, 0.0, -0.0, 3.0]).tolist() == [-1, -1, 1, 1, 1]
    assert np.sign(0.0) == 0  # no label at all


# --- sigmoid and its derivative -----------------------------------------------------------------------------


@pytest.mark.equation("C-3.1-1", "D-2-1")
def test_sigmoid_at_the_logarithms_of_odds():
    """At odds of 3 to 1 the probability is 3/4; a σ(2x) would give 9/10."""
    np.testing.assert_allclose(sigmoid([0.0, np.log(3), -np.log(3)]), [1 / 2, 3 / 4, 1 / 4], rtol=1e-15)


@pytest.mark.equation("C-3.1-4", "D-2-4")
def test_sigmoid_derivative_worked():
    """3/4 · 1/4 at ±ln 3; 1/4 at 0, its largest value."""
    np.testing.assert_allclose(sigmoid_derivative([0.0, np.log(3), -np.log(3)]), [1 / 4, 3 / 16, 3 / 16], rtol=1e-15)
    assert (sigmoid_derivative(np.concatenate([np.arange(-40.0, 0), np.arange(1.0, 41)])) < 1 / 4).all()


LINES_OF_D_2_4 = {
    1: lambda x: central_difference(lambda x: (1 + np.exp(-x)) ** -1, x),
    2: lambda x: -((1 + np.exp(-x)) ** -2) * -np.exp(-x),
    3: lambda x: 1 / (1 + np.exp(-x)) * (np.exp(-x) / (1 + np.exp(-x))),
    4: lambda x: 1 / (1 + np.exp(-x)) * (1 - 1 / (1 + np.exp(-x))),
    5: lambda x: sigmoid(x) * (1 - sigmoid(x)),
}


@pytest.mark.equation("D-2-4")
@pytest.mark.parametrize("line", LINES_OF_D_2_4)
def test_derivative_of_sigmoid_line_by_line(line):
    for a in A:
        assert sigmoid_derivative(a) == pytest.approx(LINES_OF_D_2_4[line](a), rel=1e-13 if line > 1 else 1e-8)


@pytest.mark.equation("C-3.1-3", "C-3.1-4")
def test_sigmoid_is_symmetric_and_its_derivative_even():
    """σ(-a) = 1 - σ(a), so σ' = σ(a)(1 - σ(a)) = σ(a)σ(-a)."""
    np.testing.assert_allclose(sigmoid(-A), 1 - sigmoid(A), rtol=1e-14)
    np.testing.assert_allclose(sigmoid_derivative(A), sigmoid(A) * sigmoid(-A), rtol=1e-14)
    np.testing.assert_array_equal(sigmoid_derivative(-A), sigmoid_derivative(A))


@pytest.mark.equation("D-2-3")
@pytest.mark.erratum("D11")
def test_the_range_of_sigmoid_is_open():
    """Printed [0, 1]: σ(40) = 1 by rounding only; 1 - σ(40) is e⁻⁴⁰/(1 + e⁻⁴⁰), and it rises at every score."""
    with localcontext() as context:
        context.prec = 400
        for a in (-700, -40, 40, 700):
            exact = 1 / (1 + Decimal(-a).exp())
            assert 0 < exact < 1
            assert float(1 - exact) == pytest.approx(sigmoid(-a), rel=1e-13)
            assert float(exact * (1 - exact)) == pytest.approx(sigmoid_derivative(a), rel=1e-13)
    assert sigmoid(40.0) == 1 and 0 < sigmoid(-40.0) < 1e-17


@pytest.mark.equation("D-0-5")
@pytest.mark.parametrize("a", EXTREMES)
def test_activations_stay_in_their_range(a):
    """An activation function maps any score into its range: sign to a label, σ to a probability."""
    assert sign(a) in (-1, 1)
    assert 0 <= sigmoid(a) <= 1
    assert sigmoid(a) == pytest.approx(float(a > 0), abs=1e-300)
    assert sigmoid_derivative(a) == 0


# --- logit, softplus, soft_threshold ------------------------------------------------------------------------


def test_logit_is_the_logarithm_of_the_odds():
    np.testing.assert_allclose(logit([1 / 2, 3 / 4, 1 / 4]), [0, np.log(3), -np.log(3)], atol=1e-15)
    np.testing.assert_allclose(logit(1e-300), np.log(1e-300), rtol=1e-15)
    assert logit([0.0, 1.0]).tolist() == [-np.inf, np.inf]


@pytest.mark.parametrize("p", [2.0, -0.5, 1.0 + 2.0**-52, -5e-324])
def test_logit_of_what_is_no_probability_is_nan_without_a_warning(p):
    assert np.isnan(logit(p)) and np.isnan(logit([p, 0.5])).tolist() == [True, False]


@pytest.mark.equation("D-0-4")
@pytest.mark.erratum("ERR-D10")
def test_the_activation_of_note_D_is_the_inverse_of_the_link_of_note_A():
    """One letter g, two functions: D's maps a score to a probability, A's maps the probability back to the score."""
    assert abs(logit(0.9) - sigmoid(0.9)) > 1
    np.testing.assert_allclose(logit(sigmoid(A)), A, atol=1e-14)
    np.testing.assert_allclose(sigmoid(logit(P)), P, rtol=1e-14)


def test_softplus_is_minus_the_logarithm_of_sigmoid():
    """ln(1 + 3) at ln 3; e^a far below 0, a far above."""
    np.testing.assert_allclose(softplus([0.0, np.log(3)]), [np.log(2), np.log(4)], rtol=1e-15)
    np.testing.assert_allclose(softplus(A), -np.log(sigmoid(-A)), rtol=1e-14)
    np.testing.assert_allclose(softplus(-700.0), np.exp(-700.0), rtol=1e-14)
    assert [softplus(a) for a in EXTREMES] == [max(a, 0) for a in EXTREMES]


def test_soft_threshold_by_hand():
    assert soft_threshold(np.array([3.0, -3, 1, -1, 0.5, 0]), 1).tolist() == [2, -2, 0, 0, 0, 0]


@pytest.mark.parametrize("a", [-2.5, -1.0, -0.25, 0.0, 0.75, 3.0])
@pytest.mark.parametrize("t", [0.0, 0.5, 1.0])
def test_soft_threshold_is_the_minimum(a, t):
    """½(w - a)² + t|w| on a grid that holds the answer, where a - w is in t ∂|w|."""
    w, grid = soft_threshold(a, t), np.arange(-16, 17) / 4
    costs = (grid - a) ** 2 / 2 + t * np.abs(grid)
    assert grid[costs.argmin()] == w
    assert a - w == t * np.sign(w) if w else abs(a) <= t


# --- logsumexp, softmax -------------------------------------------------------------------------------------


def test_logsumexp_and_softmax_worked():
    np.testing.assert_allclose(logsumexp(np.log([[1, 2, 3], [4, 4, 8]])), np.log([6, 16]), rtol=1e-15)
    np.testing.assert_allclose(softmax(np.log([1, 2, 5])), [1 / 8, 2 / 8, 5 / 8], rtol=1e-15)


def test_logsumexp_and_softmax_of_two_are_softplus_and_sigmoid():
    np.testing.assert_allclose(logsumexp(np.stack([A, 0 * A], axis=1)), softplus(A), rtol=1e-14)
    np.testing.assert_allclose(softmax(SCORES[:, :2])[:, 0], sigmoid(SCORES[:, 0] - SCORES[:, 1]), rtol=1e-14)


def test_softmax_is_exp_of_a_minus_logsumexp_and_forgets_a_shift():
    P = np.exp(SCORES - logsumexp(SCORES)[:, None])
    np.testing.assert_allclose(softmax(SCORES), P, rtol=1e-14)
    np.testing.assert_allclose(softmax(SCORES + 7), P, rtol=1e-14)
    np.testing.assert_allclose(P.sum(axis=-1), 1, rtol=1e-15)
    np.testing.assert_allclose(logsumexp(SCORES + 7), logsumexp(SCORES) + 7, rtol=1e-14)


@pytest.mark.parametrize(
    "scores, log_sum, shares",
    [
        ([800, 800], 800 + np.log(2), [1 / 2, 1 / 2]),
        ([-800, -800], -800 + np.log(2), [1 / 2, 1 / 2]),
        ([1e308, -1e308], 1e308, [1, 0]),
        ([0, -np.inf], 0, [1, 0]),
    ],
)
def test_logsumexp_and_softmax_of_extremes(scores, log_sum, shares):
    assert logsumexp(scores) == pytest.approx(log_sum, rel=1e-15) and softmax(scores).tolist() == shares
    assert logsumexp([-np.inf, -np.inf]) == -np.inf and logsumexp([np.inf, 1000]) == np.inf


# --- derivatives --------------------------------------------------------------------------------------------

SOFTMAX = softmax(SCORES[0])
DERIVATIVES = {
    "σ' = σ(1 - σ)": (sigmoid, A, np.diag(sigmoid_derivative(A))),
    "σ'' = σ'(1 - 2σ)": (sigmoid_derivative, A, np.diag(sigmoid_derivative(A) * (1 - 2 * sigmoid(A)))),
    "softplus' = σ": (softplus, A, np.diag(sigmoid(A))),
    "logit' = 1/p(1 - p)": (logit, P, np.diag(1 / (P * (1 - P)))),
    "logsumexp' = softmax": (logsumexp, SCORES[0], SOFTMAX),
    "softmax' = diag(s) - ssᵀ": (softmax, SCORES[0], np.diag(SOFTMAX) - np.outer(SOFTMAX, SOFTMAX)),
}


@pytest.mark.equation("C-3.1-4")
@pytest.mark.parametrize("f, at, expected", DERIVATIVES.values(), ids=DERIVATIVES)
def test_derivatives(f, at, expected):
    np.testing.assert_allclose(jacobian(f, at), expected, atol=1e-7 if f is logit else 1e-9)


# --- shapes, NaN: more in test_equations.py ------------------------------------------------------------------

of_classes = pytest.mark.parametrize("function", [logsumexp, softmax])


@of_classes
@pytest.mark.parametrize("other", [0.0, 1000.0])
def test_nan_makes_the_sum_of_its_row_nan(function, other):
    assert np.isnan(function([np.nan, other])).all()
    assert np.isfinite(function([[np.nan, other], [1.0, 2.0]])[1]).all()


@of_classes
def test_the_sums_are_along_the_axis(function):
    assert function(SCORES).shape == ((4, 3) if function is softmax else (4,))
    np.testing.assert_array_equal(function(SCORES.T, axis=0), function(SCORES).T)
    assert function(1000.0) == (1000.0 if function is logsumexp else 1.0)  # of a number alone

"""Chapter 04, logistic regression: every equation of notes A 3, C 3.1 and D 2, and where the notes are wrong."""

from fractions import Fraction
from itertools import combinations_with_replacement, islice, pairwise, permutations, product
from math import exp, log

import numpy as np
import pytest
from cases import one_in, slow
from hypothesis import assume, given
from hypothesis import strategies as st

from linmodels import datasets, glm, optimize
from linmodels import logistic_regression as lr
from linmodels.derivatives import central_difference, check_gradient, jacobian
from linmodels.design import augment, free_bias, gaussian_basis, monomials
from linmodels.guards.shapes import unchecked
from linmodels.linear_regression import least_squares
from linmodels.logistic_regression import (
    bfgs_iterates,
    fit,
    fit_l1,
    gradient,
    gradient_iterates,
    hessian,
    irls_step,
    l1_optimality,
    largest_step,
    likelihood,
    log_likelihood,
    log_odds,
    loss,
    newton_iterates,
    newton_step,
    odds,
    penalty,
    posterior,
    predict,
    stochastic_iterates,
    unit_step,
    working_response,
)
from linmodels.optimize import run, trajectory
from linmodels.special import logit, sigmoid, softplus

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(40, 2))
X = augment(POINTS)
T = (RNG.random(40) < sigmoid(POINTS @ [1.0, -1.0])).astype(float)  # not separable
W = np.array([0.7, -0.4, 0.3])  # weights to differentiate at
LAM = np.array([0.5, 2.0, 0.0])
penalties = pytest.mark.parametrize("lam", [0.0, 0.7, LAM], ids=["none", "one for all", "one per column"])

ODDS_X = np.array([[1.0], [-1.0], [0.0]])  # with w = ln 3 odds of 3, 1/3 and 1: p = 3/4, 1/4 and 1/2
ODDS_T = np.array([1.0, 1.0, 0.0])
LN3 = np.array([log(3)])

SIX = augment([[2, -8], [6, 25], [0, -2], [-1, 0], [-26, -2], [0, -1]])  # plain Newton diverges here
SIX_T = np.array([0.0, 1, 1, 1, 1, 0])

EIGHT = np.array([1.0, 1, 1, 1, 1, 1, 0, 0])  # 6 of 8
ONE = np.ones((8, 1))


def gains(direction, X, t):
    """What moving along the direction does to each w·x in favor of the label: none < 0, and no w is best."""
    return (2 * np.asarray(t) - 1) * (np.asarray(X) @ direction)


def proves_separable(found, X, t):
    """One product: no sample loses, one gains; and the fit says that it has no minimum."""
    assert not found.converged
    assert "no finite minimum" in found.reason
    assert np.isfinite(found.w).all()
    gain = gains(found.direction, X, t)
    return gain.max() > 0.1 and gain.min() >= -1e-9 * gain.max()


# --- the model ----------------------------------------------------------------------------------------------


@pytest.mark.equation("A-3.1-6", "A-3.1-7", "A-3.1-8", "C-3.1-5", "C-3.1-6", "C-3.1-8", "D-2-5", "D-2-13")
def test_odds_of_three_to_one():
    """w = ln 3 and x = 1, -1, 0: odds 3, 1/3, 1 and probabilities 3/4, 1/4, 1/2."""
    np.testing.assert_allclose(log_odds(LN3, ODDS_X), [log(3), -log(3), 0], rtol=1e-15)
    np.testing.assert_allclose(odds(LN3, ODDS_X), [3, 1 / 3, 1], rtol=1e-15)
    np.testing.assert_allclose(posterior(LN3, ODDS_X), [3 / 4, 1 / 4, 1 / 2], rtol=1e-15)


@pytest.mark.equation("A-3.1-7", "A-3.1-8", "A-3.1-9", "D-2-7")
def test_log_odds_are_the_logarithm_of_the_odds():
    p = posterior(W, X)
    np.testing.assert_allclose(odds(W, X), p / (1 - p), rtol=1e-13)
    np.testing.assert_allclose(np.log(p / (1 - p)), X @ W, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(logit(p), log_odds(W, X), rtol=1e-12, atol=1e-13)


@pytest.mark.equation("A-3.2-3", "A-3.2-9", "C-3.1-6", "D-2-6", "C-1-8")
def test_the_forms_of_both_posteriors():
    """1/(1 + e^-a) = e^a/(1 + e^a), and what is left is 1/(1 + e^a) = e^-a/(1 + e^-a)."""
    a, p = X @ W, posterior(W, X)
    np.testing.assert_allclose(p, 1 / (1 + np.exp(-a)), rtol=1e-14)
    np.testing.assert_allclose(p, np.exp(a) / (1 + np.exp(a)), rtol=1e-14)
    np.testing.assert_allclose(1 - p, 1 / (1 + np.exp(a)), rtol=1e-13)
    np.testing.assert_allclose(1 - p, np.exp(-a) / (1 + np.exp(-a)), rtol=1e-13)


@pytest.mark.equation("A-3.1-1", "A-3.2-1", "A-3.2-2", "C-1-3")
def test_the_bias_is_the_weight_of_a_column_of_ones():
    np.testing.assert_allclose(log_odds(np.append(W[:2], W[2]), X), POINTS @ W[:2] + W[2], rtol=1e-13, atol=1e-15)


@pytest.mark.equation("A-3.1-2", "A-3.1-3")
def test_scores_leave_every_range_and_probabilities_stay_in_theirs():
    far = np.array([[-1e3], [-30.0], [0.0], [30.0], [1e3]])
    assert log_odds(np.ones(1), far).tolist() == far[:, 0].tolist()
    p = posterior(np.ones(1), far)
    assert ((p >= 0) & (p <= 1)).all()
    assert (np.diff(p) >= 0).all()


@pytest.mark.equation("A-3.1-4")
def test_the_unit_step_is_the_limit_of_steeper_models():
    """σ(kw·x) for k = 1, 10, 1000 comes to 0, 1/2 and 1; at a = 0 it stays 1/2."""
    z = np.array([-2.0, -0.5, 0.0, 0.5, 2.0])
    assert unit_step(z).tolist() == [0, 0, 0.5, 1, 1]
    away = [np.abs(posterior(np.array([k]), z[:, None]) - unit_step(z)).max() for k in (1.0, 10.0, 1000.0)]
    assert away[0] > away[1] > away[2]
    assert away[2] < 1e-200


@pytest.mark.equation("C-3.1-7", "C-1-11")
def test_prediction_by_hand():
    """p = 3/4, 1/4, 1/2; a tie goes to class 1."""
    assert predict(LN3, ODDS_X).tolist() == [1, 0, 1]
    for threshold, labels in {0.0: [1, 1, 1], 0.2: [1, 1, 1], 0.4: [1, 0, 1], 0.6: [1, 0, 0], 1.0: [0, 0, 0]}.items():
        assert predict(LN3, ODDS_X, threshold).tolist() == labels


@pytest.mark.equation("C-3.1-7")
@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.73])
def test_prediction_compares_the_posterior_with_the_threshold(threshold):
    np.testing.assert_array_equal(predict(W, X, threshold), posterior(W, X) >= threshold)
    np.testing.assert_array_equal(predict(W, X), X @ W >= 0)
    at = np.array([[logit(threshold)]])  # on the boundary itself
    assert predict(np.ones(1), at, threshold).tolist() == [1]


@pytest.mark.equation("C-1-11")
def test_the_threshold_of_unequal_costs():
    """1 costs c_0 (1 - p), 0 costs c_1 p: 1 is cheaper from p = c_0/(c_0 + c_1) on."""
    c_0, c_1, p = 1.0, 4.0, posterior(W, X)
    chosen = predict(W, X, c_0 / (c_0 + c_1))
    cost = np.where(chosen == 1, c_0 * (1 - p), c_1 * p)
    np.testing.assert_allclose(cost, np.minimum(c_0 * (1 - p), c_1 * p), rtol=1e-14)
    assert (chosen != predict(W, X)).any()


@pytest.mark.equation("C-3.1-2", "C-3.1-5", "C-3.1-7")
@pytest.mark.parametrize(
    "points, t, basis",
    [
        ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], lambda P: monomials(P, 2)),
        ([[-3], [-2], [-1], [0], [1], [2], [3]], [1, 1, 0, 0, 0, 1, 1], lambda P: monomials(P, 2)),
        ([[-3], [-2], [-1], [0], [1], [2], [3]], [1, 1, 0, 0, 0, 1, 1], lambda P: gaussian_basis(P, [[0]], 1.0)),
        (
            [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [2, 2], [2, -2], [-2, 2], [-2, -2]],
            [0, 0, 0, 0, 0, 1, 1, 1, 1],
            lambda P: monomials(P, 2),
        ),
    ],
    ids=["exclusive or", "outside an interval", "outside a bump", "a ring"],
)
def test_basis_functions_give_a_boundary_that_no_line_can(points, t, basis):
    """On x itself the likelihood has a maximum, so nothing separates the classes; on φ(x) a direction does."""
    on_x = fit(augment(points), t)
    assert on_x.converged
    assert (predict(on_x.w, augment(points)) != t).any()
    Phi = augment(basis(np.array(points)))
    assert np.linalg.matrix_rank(Phi) == min(Phi.shape)
    found = fit(Phi, t, free_bias(1e-3, Phi.shape[1]))
    assert found.converged
    np.testing.assert_array_equal(predict(found.w, Phi), t)
    if len(Phi) >= Phi.shape[1]:
        assert proves_separable(fit(Phi, t), Phi, t)


# --- likelihood and loss ------------------------------------------------------------------------------------

FORMS = {  # -E, each as it is printed
    "A-3.2-4": lambda a, p, t: log(np.prod([p[n] ** t[n] * (1 - p[n]) ** (1 - t[n]) for n in range(len(t))])),
    "A-3.2-5": lambda a, p, t: sum(t[n] * log(p[n]) + (1 - t[n]) * log(1 - p[n]) for n in range(len(t))),
    "A-3.2-6": lambda a, p, t: sum(t[n] * log(p[n] / (1 - p[n])) + log(1 - p[n]) for n in range(len(t))),
    "A-3.2-7": lambda a, p, t: sum(t[n] * a[n] - log(1 + exp(a[n])) for n in range(len(t))),
    "C-3.1-10": lambda a, p, t: np.sum(t * np.log(p) + (1 - t) * np.log(1 - p)),  # E is minus this
    "D-2-9": lambda a, p, t: len(t) * np.mean(t * np.log(p) + (1 - t) * np.log(1 - p)),  # the risk is minus the mean
}


def test_likelihood_by_hand():
    """3/4 · 1/4 · 1/2 = 3/32."""
    assert likelihood(LN3, ODDS_X, ODDS_T) == pytest.approx(3 / 32, rel=1e-14)
    assert log_likelihood(LN3, ODDS_X, ODDS_T) == pytest.approx(log(3 / 32), rel=1e-14)
    assert loss(LN3, ODDS_X, ODDS_T) == pytest.approx(log(32 / 3), rel=1e-14)
    assert loss(LN3, ODDS_X, ODDS_T, 2.0) == pytest.approx(log(32 / 3) + log(3) ** 2, rel=1e-14)
    assert loss(np.zeros(3), X, T) == pytest.approx(40 * log(2), rel=1e-14)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.equation("A-3.2-4", "A-3.2-5", "A-3.2-6", "A-3.2-7", "C-3.1-9", "C-3.1-10", "D-2-9")
def test_the_printed_forms_of_the_likelihood_are_one(form):
    for w in (W, -2 * W, np.zeros(3)):
        value = FORMS[form](X @ w, 1 / (1 + np.exp(-X @ w)), T)
        assert log_likelihood(w, X, T) == pytest.approx(value, rel=1e-12)
        assert loss(w, X, T) == pytest.approx(-value, rel=1e-12)
        assert likelihood(w, X, T) == pytest.approx(exp(value), rel=1e-11)


@pytest.mark.equation("D-2-8", "D-2-9")
def test_cross_entropy_of_the_label_distribution():
    """q_n = (1 - t_n, t_n) puts everything on the label that was seen."""
    q, p = np.column_stack([1 - T, T]), posterior(W, X)
    assert -np.sum(q * np.log(np.column_stack([1 - p, p]))) / 40 == pytest.approx(loss(W, X, T) / 40, rel=1e-13)


def test_the_product_underflows_and_its_logarithm_does_not():
    Z, t = np.zeros((2000, 1)), np.ones(2000)
    assert likelihood(np.ones(1), Z, t) == 0
    assert log_likelihood(np.ones(1), Z, t) == pytest.approx(-2000 * log(2), rel=1e-13)


@pytest.mark.parametrize("a, t, E", [(800, 1, 0), (800, 0, 800), (-800, 1, 800), (-800, 0, 0), (1e300, 0, 1e300)])
def test_loss_and_derivatives_of_extreme_scores(a, t, E):
    """Without a warning: the suite makes errors of them. p - t is 0 or ±1 there, and p(1 - p) is 0."""
    w, Z, t = np.ones(1), np.array([[float(a)]]), np.array([float(t)])
    assert loss(w, Z, t) == E
    assert gradient(w, Z, t).tolist() == [a * (float(a > 0) - t[0])]
    assert hessian(w, Z).tolist() == [[0]]


@pytest.mark.equation("C-3.1-22", "C-3.1-23")
def test_penalty_by_hand():
    """w = (3, -4, 2), λ = 2: Σ|w|^q is 29, 9 and √3 + 2 + √2; without the last column 25."""
    w = np.array([3.0, -4.0, 2.0])
    assert penalty(w, 2.0, 2) == 29
    assert penalty(w, 2.0, 1) == 9
    assert penalty(w, 2.0, 0.5) == pytest.approx(3**0.5 + 2 + 2**0.5, rel=1e-15)
    assert penalty(w, free_bias(2.0, 3), 2) == 25
    assert loss(w, X, T, LAM) == pytest.approx(loss(w, X, T) + (0.5 * 9 + 2 * 16) / 2, rel=1e-14)
    assert loss(w, X, T, 0.7) == pytest.approx(loss(w, X, T) + 0.35 * 29, rel=1e-14)


# --- gradient and Hessian -----------------------------------------------------------------------------------


@pytest.mark.equation("C-3.1-11", "C-3.1-17")
def test_gradient_and_hessian_by_hand():
    """p - t = -1/4, -3/4, 1/2 and p(1 - p) = 3/16, 3/16, 1/4."""
    g = Fraction(-1, 4) * 1 + Fraction(-3, 4) * -1 + Fraction(1, 2) * 0
    H = Fraction(3, 16) + Fraction(3, 16)
    assert gradient(LN3, ODDS_X, ODDS_T) == pytest.approx([float(g)], rel=1e-14)
    assert gradient(LN3, ODDS_X, ODDS_T, 2.0) == pytest.approx([float(g) + 2 * log(3)], rel=1e-14)
    assert hessian(LN3, ODDS_X) == pytest.approx(np.array([[float(H)]]), rel=1e-14)
    assert hessian(LN3, ODDS_X, 2.0) == pytest.approx(np.array([[float(H) + 2]]), rel=1e-14)


def test_at_zero_all_is_rational():
    """p = 1/2: ∇E = Xᵀ(1/2 - t), ∇²E = XᵀX/4."""
    Z, t = np.array([[1.0, 1.0], [2.0, 1.0]]), np.array([0.0, 1.0])
    assert gradient(np.zeros(2), Z, t).tolist() == [-0.5, 0]
    assert hessian(np.zeros(2), Z).tolist() == [[5 / 4, 3 / 4], [3 / 4, 2 / 4]]
    assert hessian(np.zeros(2), Z, np.array([3.0, 0.0])).tolist() == [[17 / 4, 3 / 4], [3 / 4, 2 / 4]]


@penalties
@pytest.mark.equation("C-3.1-11", "C-3.1-16", "C-3.1-22")
def test_gradient_is_the_derivative_of_the_loss(lam):
    for w in (W, 3 * W, np.zeros(3)):
        assert check_gradient(lambda w: loss(w, X, T, lam), lambda w: gradient(w, X, T, lam), w) < 1e-8


@pytest.mark.equation("C-3.1-11", "C-3.1-12", "C-3.1-16")
def test_gradient_is_the_sum_of_those_of_single_samples():
    each = [(sigmoid(W @ X[n]) - T[n]) * X[n] for n in range(40)]
    np.testing.assert_allclose(gradient(W, X, T), np.sum(each, axis=0), rtol=1e-12)
    np.testing.assert_allclose([gradient(W, X[n : n + 1], T[n : n + 1]) for n in range(40)], each, rtol=1e-12)
    np.testing.assert_allclose(gradient(W, X, T), X.T @ (posterior(W, X) - T), rtol=1e-14)


@pytest.mark.equation("C-0-1", "C-3.1-16")
def test_in_note_c_the_label_is_t_and_the_output_y():
    """Φᵀ(y - t) is the gradient for y = σ(Φw) and the label t; with the letters of note D, y the label, it is not."""
    slope = central_difference(lambda w: loss(w, X, T), W)
    for y, t, same in [(posterior(W, X), T, True), (T, posterior(W, X), False)]:
        assert np.allclose(X.T @ (y - t), slope, rtol=1e-7) == same


@penalties
@pytest.mark.equation("C-3.1-17", "C-3.1-22")
def test_hessian_is_the_derivative_of_the_gradient(lam):
    for w in (W, 3 * W, np.zeros(3)):
        H = hessian(w, X, lam)
        np.testing.assert_allclose(H, jacobian(lambda w: gradient(w, X, T, lam), w), atol=1e-7 * np.abs(H).max())
        np.testing.assert_allclose(H, H.T, rtol=1e-13)


@pytest.mark.equation("C-3.1-17")
def test_hessian_is_a_sum_of_outer_products():
    p = posterior(W, X)
    H = sum(p[n] * (1 - p[n]) * np.outer(X[n], X[n]) for n in range(40))
    np.testing.assert_allclose(hessian(W, X), H, rtol=1e-12)
    np.testing.assert_allclose(hessian(W, X), X.T @ np.diag(p * (1 - p)) @ X, rtol=1e-12)


LINES_OF_D_2_10 = {  # for each sample, to be summed and divided by -N
    1: lambda y, p: y * (p * (1 - p) / p) - (1 - y) * (p * (1 - p) / (1 - p)),
    2: lambda y, p: y * (1 - p) - (1 - y) * p,
    3: lambda y, p: y - p,
}


def line_of_d_2_10(line, w):
    return -X.T @ LINES_OF_D_2_10[line](T, posterior(w, X)) / 40


@pytest.mark.equation("D-2-10")
@pytest.mark.parametrize("line", LINES_OF_D_2_10)
def test_gradient_of_the_risk_line_by_line(line):
    assert check_gradient(lambda w: loss(w, X, T) / 40, lambda w: line_of_d_2_10(line, w), W) < 1e-8
    np.testing.assert_allclose(line_of_d_2_10(line, W), gradient(W, X, T) / 40, rtol=1e-12)


@pytest.mark.equation("D-2-10")
@pytest.mark.erratum("D16")
def test_the_printed_gradient_lacks_its_minus():
    """Printed (1/N) Σ x(y - ŷ): that is uphill turned downhill; the lines above it carry the minus."""

    def printed(w):
        return X.T @ (T - posterior(w, X)) / 40

    assert check_gradient(lambda w: loss(w, X, T) / 40, printed, W) > 0.1
    np.testing.assert_allclose(printed(W), -central_difference(lambda w: loss(w, X, T) / 40, W), atol=1e-9)
    assert check_gradient(lambda w: loss(w, X, T) / 40, lambda w: -printed(w), W) < 1e-8
    assert loss(W + 0.1 * printed(W), X, T) < loss(W, X, T) < loss(W - 0.1 * printed(W), X, T)


@pytest.mark.equation("D-2-10")
@pytest.mark.erratum("D15")
def test_a_sample_number_is_no_power():
    """Printed ŷ^{n} without parentheses: as a power it gives no gradient; as the prediction of sample n it does."""
    p, n = posterior(W, X), np.arange(1, 41)
    as_powers = -X.T @ (T * (1 - p**n) - (1 - T) * p) / 40
    assert np.abs(as_powers - central_difference(lambda w: loss(w, X, T) / 40, W)).max() > 0.01
    np.testing.assert_allclose(line_of_d_2_10(2, W), central_difference(lambda w: loss(w, X, T) / 40, W), atol=1e-9)


# --- Newton's method: iteratively reweighted least squares --------------------------------------------------


@pytest.mark.equation("C-3.1-15", "C-3.1-19", "C-3.1-20", "C-3.1-21")
def test_newton_is_irls_is_weighted_least_squares_step_by_step():
    """The three lines of the notes, and the minimum of (z - Xw)ᵀR(z - Xw), along four steps."""
    w = np.zeros(3)
    for _ in range(4):
        g, H, p = gradient(w, X, T), hessian(w, X), posterior(w, X)
        r, z = p * (1 - p), working_response(w, X, T)
        np.testing.assert_allclose(z, X @ w - (p - T) / r, rtol=1e-12)
        newton = w - np.linalg.solve(H, g)
        second = np.linalg.solve(H, H @ w - X.T @ (p - T))
        third = np.linalg.solve(H, X.T @ (r * z))
        weighted = np.linalg.lstsq(np.sqrt(r)[:, None] * X, np.sqrt(r) * z)[0]
        for other in (second, third, weighted, irls_step(w, X, T)):
            np.testing.assert_allclose(other, newton, rtol=1e-10, atol=1e-13)
        assert central_difference(lambda v, z=z, r=r: (z - X @ v) @ (r * (z - X @ v)), newton) == pytest.approx(
            np.zeros(3), abs=1e-7
        )
        w = newton
    assert np.abs(gradient(w, X, T)).max() < 1e-6


@pytest.mark.equation("C-3.1-22")
def test_a_penalised_step_is_least_squares_with_rows_added():
    """√λ_j e_j with the target 0 below the rows √r x."""
    p = posterior(W, X)
    root, z = np.sqrt(p * (1 - p)), working_response(W, X, T)
    A = np.vstack([root[:, None] * X, np.diag(np.sqrt(LAM))])
    by_rows = np.linalg.lstsq(A, np.append(root * z, np.zeros(3)))[0]
    newton = W - np.linalg.solve(hessian(W, X, LAM), gradient(W, X, T, LAM))
    np.testing.assert_allclose(irls_step(W, X, T, LAM), newton, rtol=1e-11)
    np.testing.assert_allclose(by_rows, newton, rtol=1e-11)


@pytest.mark.equation("C-3.1-20")
def test_working_response_by_hand():
    """z = a + (t - p)/(p(1 - p)): ±2 at a = 0; ln 3 + 4/3 where t = 1 and p = 3/4, -ln 3 + 4 where p = 1/4."""
    assert working_response(np.zeros(1), np.ones((2, 1)), np.array([0.0, 1.0])).tolist() == [-2, 2]
    np.testing.assert_allclose(working_response(LN3, ODDS_X, ODDS_T), [log(3) + 4 / 3, -log(3) + 4, -2], rtol=1e-14)


@pytest.mark.equation("C-3.1-15", "C-3.1-19")
def test_first_steps_of_a_constant_by_hand():
    """3 of 4: from 0 to (3 - 2)/(4/4) = 1; from ln 2, p = 2/3, by (3 - 8/3)/(8/9) = 3/8."""
    Z, t = np.ones((4, 1)), np.array([1.0, 1, 1, 0])
    assert irls_step(np.zeros(1), Z, t).tolist() == [1]
    assert irls_step(np.log([2.0]), Z, t) == pytest.approx([log(2) + 3 / 8], rel=1e-14)
    path = trajectory(newton_iterates(Z, t), 1)
    assert path[:, 0].tolist() == [0, 1]


@pytest.mark.equation("C-3.1-15")
def test_the_error_of_newton_is_squared():
    """3 of 4 ones, w* = ln 3: E'''/(2E'') = (1 - 2p)/2 = -1/4 is the factor of the square."""
    Z, t = np.ones((4, 1)), np.array([1.0, 1, 1, 0])
    for error in (1e-1, 1e-2, 1e-3):
        after = irls_step(LN3 + error, Z, t)[0] - log(3)
        assert after / error**2 == pytest.approx(-1 / 4, abs=error)


@pytest.mark.equation("C-3.1-15", "C-3.1-19")
@penalties
def test_newton_iterates_are_irls_steps_where_these_lower_the_loss(lam):
    path = list(islice(newton_iterates(X, T, lam), 6))
    np.testing.assert_array_equal(path[0].w, np.zeros(3))
    for before, after in pairwise(path):
        np.testing.assert_allclose(before.gradient, gradient(before.w, X, T, lam), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(after.w, irls_step(before.w, X, T, lam), rtol=1e-9, atol=1e-12)
    assert np.abs(path[-1].gradient).max() < 1e-9


@pytest.mark.equation("C-3.1-15", "C-3.1-19")
@pytest.mark.erratum("C08")
def test_plain_newton_steps_may_diverge_where_halved_ones_do_not():
    """Six samples, not separable: 4.16, 2.56, 2.21, 2.02, 1.90, 11.3, beyond 8000, and the next H has rank 1."""
    w, losses = np.zeros(3), [loss(np.zeros(3), SIX, SIX_T)]
    for _ in range(6):
        w = irls_step(w, SIX, SIX_T)
        losses.append(loss(w, SIX, SIX_T))
    np.testing.assert_allclose(losses[:6], [4.16, 2.56, 2.21, 2.02, 1.90, 11.3], atol=0.05)
    assert losses[6] > 8000
    assert np.linalg.matrix_rank(hessian(w, SIX)) == 1
    path = [loss(w, SIX, SIX_T) for w in trajectory(newton_iterates(SIX, SIX_T), 8)]
    np.testing.assert_allclose(path[:5], losses[:5], rtol=1e-9)
    assert all(after < before for before, after in pairwise(path))
    for found in (run(newton_iterates(SIX, SIX_T)), fit(SIX, SIX_T), fit_l1(SIX, SIX_T, 0.0)):
        assert found.converged
        np.testing.assert_allclose(found.w, [-1.443, 0.476, 0.915], atol=5e-4)
        np.testing.assert_allclose(gradient(found.w, SIX, SIX_T), 0, atol=1e-8)
        assert loss(found.w, SIX, SIX_T) == pytest.approx(1.7574, abs=5e-5)


@pytest.mark.equation("C-3.1-20")
@pytest.mark.erratum("C08")
def test_the_working_response_of_a_sure_sample_is_infinite_and_the_step_is_not():
    """x = 1, t = 0 with w = 800: R⁻¹ is 1/0. A second sample keeps H regular, and H⁻¹∇E is found without z."""
    Z, t, w = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.0, 1.0]), np.array([800.0, 0.0])
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert working_response(w, Z, t).tolist() == [-np.inf, 2]
    np.testing.assert_allclose(irls_step(w, Z, t, 1e-3), [-1000, 2 / 1.004], rtol=1e-12)


@pytest.mark.equation("C-3.1-20")
def test_the_working_response_of_a_sure_and_right_sample():
    """t = 1: z = a + (1 - p)/(p(1 - p)) = a + 1/p, that is a + 1 + e^-a; t = 0: a - 1 - e^a."""
    for a in (30.0, 40.0):
        w = np.array([a])
        z = working_response(w, np.array([[1.0], [-1.0]]), np.array([1.0, 0.0]))
        np.testing.assert_allclose(z, [a + 1 + exp(-a), -a - 1 - exp(-a)], rtol=1e-12)


@pytest.mark.equation("C-3.1-15")
@pytest.mark.erratum("C21")
def test_hessian_and_gradient_are_those_of_the_old_point():
    """Printed w - H⁻¹∇E(w), at which w not said: left at the start they make w run away in equal steps."""
    Z, t = np.ones((4, 1)), np.array([1.0, 1, 1, 0])
    g, H, w = gradient(np.zeros(1), Z, t), hessian(np.zeros(1), Z), np.zeros(1)
    for _ in range(5):
        w = w - np.linalg.solve(H, g)
    assert w.tolist() == [5]
    for _ in range(6):
        w = irls_step(w, Z, t) if abs(w[0]) < 2 else np.zeros(1)
    assert w == pytest.approx(LN3, rel=1e-12)


@pytest.mark.equation("C-3.1-18")
@pytest.mark.erratum("C06")
def test_the_hessian_is_positive_semidefinite_and_definite_with_full_rank_only():
    """Two columns 1 : 2: (2, -1)H(2, -1)ᵀ = 0 at every w. Scores beyond ±745: H = 0 outright."""
    Z, null = np.array([[1.0, 2.0], [2.0, 4.0], [-3.0, -6.0]]), np.array([2.0, -1.0])
    for w in (np.zeros(2), np.array([0.5, -1.0])):
        assert null @ hessian(w, Z) @ null == pytest.approx(0, abs=1e-14)
        assert np.linalg.eigvalsh(hessian(w, Z)).min() > -1e-14
    with pytest.raises(np.linalg.LinAlgError, match="2 columns of X without penalty have rank 1"):
        newton_iterates(Z, [0, 1, 0])
    assert not hessian(np.array([800.0, 0.0]), np.array([[1.0, 1.0], [-1.0, 1.0]])).any()
    for w in np.random.default_rng(1).normal(size=(50, 3)) * 3:
        assert np.linalg.eigvalsh(hessian(w, X)).min() > 0  # rank 3 and 0 < p < 1


@pytest.mark.equation("C-3.1-18")
@pytest.mark.erratum("C07")
def test_a_definite_hessian_makes_the_minimum_unique_if_there_is_one():
    """Separable: H is definite at every w, E falls forever. Not separable: one end from every start."""
    Z, t = augment([[0], [1], [2], [3]]), np.array([0.0, 0, 1, 1])
    for w in np.random.default_rng(2).normal(size=(20, 2)) * 3:
        assert np.linalg.eigvalsh(hessian(w, Z)).min() > 0
    found = fit(Z, t)
    assert proves_separable(found, Z, t)
    falling = [loss(c * found.direction, Z, t) for c in (0.0, 1.0, 10.0, 100.0)]
    assert all(after < before for before, after in pairwise(falling))
    ends = [run(newton_iterates(X, T, w=w)).w for w in np.random.default_rng(3).normal(size=(5, 3))]
    np.testing.assert_allclose(ends, np.tile(fit(X, T).w, (5, 1)), atol=1e-8)


# --- gradient descent and quasi-Newton ----------------------------------------------------------------------


@pytest.mark.equation("A-3.2-10", "D-2-11")
def test_gradient_descent_by_hand():
    """The update as note D prints it, (α/N) Σ x(y - ŷ) from w = 0, with α = ηN."""
    eta, w = 0.03, np.zeros(3)
    for state in islice(gradient_iterates(X, T, eta=eta), 5):
        np.testing.assert_allclose(state.w, w, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(state.gradient, gradient(w, X, T), rtol=1e-11)
        w = w + eta * 40 / 40 * sum(X[n] * (T[n] - sigmoid(w @ X[n])) for n in range(40))
    first = trajectory(gradient_iterates([[2.0], [0.0]], [1, 0], eta=0.5), 1)
    assert first[:, 0].tolist() == [0, 0.5]  # ∇E(0) = 2(1/2 - 1)


@pytest.mark.equation("D-2-9", "D-2-11")
@pytest.mark.erratum("D17")
def test_the_same_step_is_n_times_as_long_on_a_sum_as_on_a_mean():
    """N = 40: α = 2 lowers note D's mean at every step; on the sum it is longer than the largest step."""
    alpha = 2.0
    as_mean = [loss(w, X, T) for w in trajectory(gradient_iterates(X, T, eta=alpha / 40), 30)]
    assert all(after < before for before, after in pairwise(as_mean))
    as_sum = [loss(w, X, T) for w in trajectory(gradient_iterates(X, T, eta=alpha), 30)]
    assert max(as_sum) > as_sum[0]
    assert alpha / 40 < largest_step(X) < alpha


@pytest.mark.equation("A-3.2-10", "D-2-11")
@penalties
def test_gradient_descent_bfgs_and_newton_end_at_one_point(lam):
    found = fit(X, T, lam)
    for iterates in (
        gradient_iterates(X, T, lam, eta=0.9 * largest_step(X, lam)),
        gradient_iterates(X, T, lam, eta=0.9 * largest_step(X, lam), w=W),
        bfgs_iterates(X, T, lam),
        bfgs_iterates(X, T, lam, w=W),
        newton_iterates(X, T, lam, w=W),
    ):
        end = run(iterates)
        assert end.converged, end.reason
        np.testing.assert_allclose(end.w, found.w, atol=1e-7)


def test_largest_step_by_hand():
    """Two ones: XᵀX/4 = 1/2. Columns of squared length 4 and 16: 4 is the larger quarter."""
    assert largest_step(np.ones((2, 1))) == pytest.approx(4, rel=1e-14)
    assert largest_step(np.ones((2, 1)), 1.0) == pytest.approx(4 / 3, rel=1e-14)
    assert largest_step(np.diag([2.0, 4.0])) == pytest.approx(1 / 2, rel=1e-14)
    assert largest_step(np.diag([2.0, 4.0]), np.array([1.0, 0.0])) == pytest.approx(2 / 5, rel=1e-14)


def test_no_longer_step_would_do():
    """x = 1 twice, t = 1 and 0: w ← w - η tanh(w/2), and near 0 a step of η > 4 leads to a larger |w|."""
    Z, t, start = np.ones((2, 1)), np.array([1.0, 0.0]), np.array([0.01])
    for factor in (0.999, 1.001):
        w = trajectory(gradient_iterates(Z, t, eta=4 * factor, w=start), 1)[1]
        assert w[0] == pytest.approx(0.01 - 4 * factor * np.tanh(0.005), rel=1e-9)
        assert (loss(w, Z, t) < loss(start, Z, t)) == (factor < 1)


def test_too_long_a_step_ends_in_a_cycle_and_the_run_says_so():
    """η = 5: w ← w - 5 tanh(w/2) comes to ±w with 2w = 5 tanh(w/2), and the loss stays above its minimum 2 ln 2."""
    Z, t = np.ones((2, 1)), np.array([1.0, 0.0])
    found = run(gradient_iterates(Z, t, eta=5.0, w=[0.1]), max_iter=1000)
    assert not found.converged
    assert found.n_iter == 1000
    assert "max_iter = 1000 steps reached at max |gradient|" in found.reason
    w = abs(found.w[0])
    assert w > 1
    assert 2 * w == pytest.approx(5 * np.tanh(w / 2), rel=1e-12)
    assert loss(found.w, Z, t) > 2 * log(2) + 0.1
    assert run(gradient_iterates(Z, t, eta=3.9, w=[0.1])).converged


def test_a_step_to_overflow_is_told():
    """From 1e-75 by a step of 1e150 · 1e75: λw is no number there. The last finite w is kept."""
    found = run(gradient_iterates([[1e75], [1e75]], [1, 0], 1e150, eta=1e150, w=[1e-75]), max_iter=50)
    assert not found.converged
    assert found.w.tolist() == [1e-75]
    assert "the gradient is not finite after 1 steps: eta = 1e+150 is too long a step" in found.reason


@st.composite
def small(draw, most=7, widest=3):
    """X of small integers, labels t, a penalty per column."""
    N, d = draw(st.integers(1, most)), draw(st.integers(1, widest))
    X = np.array(draw(st.lists(st.integers(-4, 4), min_size=N * d, max_size=N * d)), float).reshape(N, d)
    t = np.array(draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=N, max_size=N)))
    lam = np.array(draw(st.lists(st.sampled_from([0.0, 0.25, 1.0, 3.0]), min_size=d, max_size=d)))
    return X, t, lam


@given(small(), st.integers(-3, 3), st.floats(0.05, 0.95))
def test_a_step_below_the_largest_always_lowers_the_loss(problem, at, share):
    """E(w - ηg) <= E(w) - η(1 - η/η_max)‖g‖², for ∇²E is nowhere above 2/η_max."""
    X, t, lam = problem
    assume(X.any())
    top = largest_step(X, lam)
    eta, w = share * top, np.full(X.shape[1], at / 2)
    before, after = islice(gradient_iterates(X, t, lam, eta=eta, w=w), 2)
    fall = eta * (1 - share) * np.sum(before.gradient**2)
    assert loss(after.w, X, t, lam) <= loss(w, X, t, lam) - fall + 1e-12 * (1 + loss(w, X, t, lam))


# --- stochastic gradient descent ----------------------------------------------------------------------------


@pytest.mark.equation("C-3.1-12", "C-3.1-13", "C-3.1-14")
def test_stochastic_steps_by_hand():
    """X = I: sample n moves w_n alone, once an epoch and in any order, by -η(σ(w_n) - t_n)."""
    t, eta = np.array([1.0, 0, 1, 0, 1]), 0.5
    for seed in (0, 1):
        path = trajectory(stochastic_iterates(np.eye(5), t, eta=eta, rng=np.random.default_rng(seed)), 15)
        assert not path[0].any()
        w = np.zeros(5)
        for epoch in range(3):
            moved = [np.flatnonzero(after - before) for before, after in pairwise(path[5 * epoch : 5 * epoch + 6])]
            assert sorted(np.concatenate(moved)) == [0, 1, 2, 3, 4]
            w = w - eta * (sigmoid(w) - t)
            np.testing.assert_allclose(path[5 * epoch + 5], w, rtol=1e-14)


@pytest.mark.equation("C-3.1-14")
@penalties
def test_a_batch_of_all_samples_is_gradient_descent(lam):
    stochastic = stochastic_iterates(X, T, lam, eta=0.02, batch=40, rng=np.random.default_rng(0))
    np.testing.assert_allclose(
        trajectory(stochastic, 10), trajectory(gradient_iterates(X, T, lam, eta=0.02), 10), rtol=1e-11, atol=1e-14
    )


@pytest.mark.equation("C-3.1-22")
def test_the_penalty_is_shared_out_among_the_samples():
    """x = 0: only the penalty moves w, in batches of 4, 4 and 2 of 10 by (1 - ηλ·4/10)² (1 - ηλ·2/10)."""
    t, rng = np.zeros(10), np.random.default_rng(0)
    path = trajectory(stochastic_iterates(np.zeros((10, 1)), t, 0.5, eta=0.1, batch=4, rng=rng, w=[1.0]), 3)
    np.testing.assert_allclose(path[:, 0], [1, 0.98, 0.98**2, 0.98**2 * 0.99], rtol=1e-14)


@pytest.mark.equation("C-3.1-13", "C-3.1-14")
@pytest.mark.parametrize("lam", [1.0, *slow([0.0])])
@pytest.mark.parametrize(
    "batch", [pytest.param(1, marks=pytest.mark.slow), 5, pytest.param(40, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_stochastic_descent_in_any_order_comes_to_the_newton_solution(lam, batch, seed):
    """With steps that fall like 1/epoch the distance does too: 16 times the epochs leave less than a quarter."""
    steps, w = 40 // batch, run(newton_iterates(X, T, lam)).w
    iterates = stochastic_iterates(
        X, T, lam, eta=lambda k: 0.3 / (1 + k / steps), batch=batch, rng=np.random.default_rng(seed)
    )
    away = np.linalg.norm(trajectory(iterates, 320 * steps)[:: 20 * steps] - w, axis=1)
    assert away[16] < away[1] / 4 or away[16] < 1e-9
    assert away[16] < 1e-2 * away[0]


@pytest.mark.equation("C-3.1-13", "C-3.1-14")
@pytest.mark.parametrize("order", [
    pytest.param(np.arange(40), marks=pytest.mark.slow),
    pytest.param(np.arange(40)[::-1], marks=pytest.mark.slow),
    np.argsort(T, kind="stable"),
], ids=["forwards", "backwards", "by class"])  # fmt: skip
def test_the_samples_may_come_in_a_fixed_order_again_and_again(order):
    """Forwards, backwards, one class after the other: with falling steps all end where ∇E = 0."""
    w, end, away, step = np.zeros(3), fit(X, T).w, [], unchecked(gradient)
    for epoch in range(400):
        for n in order:
            w = w - 0.3 / (1 + epoch) * step(w, X[n : n + 1], T[n : n + 1])
        away.append(np.linalg.norm(w - end))
    assert away[-1] < away[24] / 4
    assert away[-1] < 1e-2 * np.linalg.norm(end)


@pytest.mark.slow
def test_a_constant_step_does_not_come_to_rest():
    """At the minimum the gradients of single samples are not 0: the path stays some way off, however long."""
    w = fit(X, T).w
    iterates = stochastic_iterates(X, T, eta=0.3, rng=np.random.default_rng(0), w=w)
    away = np.linalg.norm(trajectory(iterates, 4000)[2000:] - w, axis=1)
    assert away.mean() > 0.1
    assert all(
        state.gradient is None for state in islice(stochastic_iterates(X, T, eta=0.3, rng=np.random.default_rng(1)), 3)
    )
    cut = run(stochastic_iterates(X, T, eta=0.3, rng=np.random.default_rng(0)), max_iter=5)
    assert (cut.converged, cut.n_iter) == (False, 5)


# --- fit: worked and published values -----------------------------------------------------------------------


@pytest.mark.equation("A-3.2-8", "A-3.1-10")
def test_a_constant_alone_is_the_logit_of_the_frequency():
    found = fit(ONE, EIGHT)
    assert found.converged
    np.testing.assert_allclose(found.w, [log(3)], rtol=1e-9)
    np.testing.assert_allclose(fit(2 * ONE, EIGHT).w, [log(3) / 2], rtol=1e-9)


@pytest.mark.equation("A-3.2-8", "A-3.2-9", "A-3.1-12")
def test_two_groups_are_two_frequencies():
    """1 of 4 against 3 of 4: the weight is the logarithm of the odds ratio 9, the posteriors are the frequencies."""
    Z = augment([[0], [0], [0], [0], [1], [1], [1], [1]])
    w = fit(Z, [1, 0, 0, 0, 1, 1, 1, 0]).w
    np.testing.assert_allclose(w, [2 * log(3), -log(3)], rtol=1e-9)
    np.testing.assert_allclose(posterior(w, Z), np.repeat([1 / 4, 3 / 4], 4), rtol=1e-9)


@pytest.mark.equation("C-3.1-22")
def test_a_penalty_by_hand():
    """One sample x = 1, t = 1, w = ln 2: σ(w) = 2/3, so λ = (1 - 2/3)/ln 2."""
    np.testing.assert_allclose(fit([[1.0]], [1], 1 / (3 * log(2))).w, [log(2)], rtol=1e-9)


def test_orings_as_published():
    """Dalal, Fowlkes and Hoadley: 15.0429 - 0.2322 · temperature for flights with any distress."""
    table = datasets.orings()
    found = fit(augment(table.X), table.y)
    assert found.converged
    np.testing.assert_allclose(found.w, [-0.2322, 15.0429], atol=5e-5)


@penalties
@pytest.mark.equation("A-3.2-8", "C-3.1-18", "C-3.1-22")
def test_fit_ends_where_the_gradient_vanishes(lam):
    found = fit(X, T, lam)
    assert found.converged
    assert found.direction is None
    assert found.reason
    np.testing.assert_allclose(gradient(found.w, X, T, lam), 0, atol=1e-9)
    for step in np.random.default_rng(4).normal(size=(20, 3)) * 0.1:
        assert loss(found.w + step, X, T, lam) > loss(found.w, X, T, lam)


def test_many_samples():
    """From 65536 numbers on a part of the samples shows the way; the end is the same."""
    rng = np.random.default_rng(0)
    Z = augment(rng.normal(size=(2**15, 1)))
    t = (rng.random(2**15) < sigmoid(Z @ [1.0, -0.5])).astype(float)
    found = fit(Z, t)
    assert found.converged
    decrement = np.linalg.solve(hessian(found.w, Z), gradient(found.w, Z, t))
    assert np.abs(Z @ decrement).max() < 1e-6 * np.abs(Z @ found.w).max()


@pytest.mark.equation("A-3.1-12")
def test_probabilities_add_up_to_what_was_seen():
    """A free bias makes Σp = Σt; a free indicator of a group makes it so in the group: approximate probabilities."""
    w = fit(X, T, free_bias(3.0, 3)).w
    assert posterior(w, X).sum() == pytest.approx(T.sum(), rel=1e-9)
    group = (POINTS[:, 0] > 0).astype(float)
    Z = np.column_stack([POINTS, group, np.ones(40)])
    p = posterior(fit(Z, T, [1.0, 1.0, 0.0, 0.0]).w, Z)
    for members in (group == 1, group == 0):
        assert p[members].sum() == pytest.approx(T[members].sum(), rel=1e-9)


@pytest.mark.equation("C-3.1-25")
def test_a_growing_penalty_shrinks_the_weights():
    for t in (T, (POINTS[:, 0] > 0).astype(float)):  # separable the second
        sizes = [np.linalg.norm(fit(X, t, lam).w) for lam in (0.01, 0.1, 1.0, 10.0, 1e3, 1e6)]
        assert all(after < before for before, after in pairwise(sizes))
        assert sizes[-1] < 1e-4


@pytest.mark.parametrize("lam", [1e-2, 1e-4, 1.0])
@pytest.mark.parametrize("X, t", [([[1.0], [-1.0]], [1, 0]), (augment([[0], [1], [2], [3]]), [0, 0, 1, 1])])
def test_any_penalty_makes_a_minimum(X, t, lam):
    found = fit(X, t, lam)
    assert found.converged
    np.testing.assert_allclose(gradient(found.w, np.array(X), np.array(t), lam), 0, atol=1e-9)


@pytest.mark.parametrize("X, t, lam", [([[2.0], [-2.0]], [0, 1], 1e-3), ([[2.0, 1.0], [1.0, 1.0]], [1, 1], 1e-2)])
def test_a_minimum_of_small_loss_is_reached(X, t, lam):
    """E is small beside the a and ta that cancel in it: their rounding is no rise of E."""
    assert fit(X, t, lam).converged


# --- fit: no minimum ----------------------------------------------------------------------------------------

SEPARABLE = {
    "two groups": ([[0], [1], [2], [3]], [0, 0, 1, 1]),
    "the other way round": ([[0], [1], [2], [3]], [1, 1, 0, 0]),
    "but for a tie": ([[0], [1], [1], [2]], [0, 0, 1, 1]),
    "a tie of all of one class": ([[0], [1], [1], [1]], [0, 0, 1, 1]),
    "a tie on a line": ([[0, 0], [1, 1], [1, 0], [2, 1], [3, 0]], [0, 1, 0, 0, 0]),
    "corner": ([[-3, -1], [3, -3], [-2, -1], [-2, 1]], [0, 1, 1, 1]),
    "all zeros": ([[0.5], [-1], [2]], [0, 0, 0]),
    "all ones": ([[0.5], [-1], [2]], [1, 1, 1]),
}
separable = pytest.mark.parametrize("case", SEPARABLE)


@separable
@pytest.mark.equation("A-3.2-8")
@pytest.mark.erratum("A25", "C07")
@pytest.mark.parametrize("method", [fit, *slow([lambda X, t: fit_l1(X, t, 0.0)])])
def test_separable_classes_have_no_minimum_and_a_direction_that_proves_it(case, method):
    """One product: no (2t - 1) w·x falls along the direction, and one rises; so does the likelihood, forever."""
    points, t = SEPARABLE[case]
    Z, t = augment(points), np.array(t, float)
    found = method(Z, t)
    assert proves_separable(found, Z, t)
    falling = [loss(c * found.direction, Z, t) for c in (0.0, 1.0, 2.0, 4.0)]
    assert all(after < before for before, after in pairwise(falling))
    assert fit(Z, t, 0.1).converged


@pytest.mark.erratum("A25", "C07")
@pytest.mark.parametrize("seed", [*range(2), *slow(range(2, 5))])
def test_separable_data_are_never_said_to_converge(seed):
    points, y, w, b = datasets.separable(20, 3, gap=0.1, rng=np.random.default_rng(seed))
    Z, t = augment(points), (y + 1) / 2
    assert gains(np.append(w, b), Z, t).min() > 0.09
    for found in (fit(Z, t), fit_l1(Z, t, 0.0), fit(1e3 * Z, t), fit(1e-3 * Z, t)):
        assert not found.converged
        assert found.direction is not None
        gain = gains(found.direction, Z, t)
        assert gain.max() > 0
        assert gain.min() > -1e-9 * gain.max()


@pytest.mark.erratum("A25", "C07")
@pytest.mark.parametrize(
    "N, step",
    [
        (2, 5),
        (3, 8),
        pytest.param(2, 1, marks=pytest.mark.slow),
        pytest.param(3, 1, marks=pytest.mark.slow),
        pytest.param(4, 1, marks=pytest.mark.slow),
    ],
)
def test_on_a_line_there_is_a_minimum_where_the_classes_overlap(N, step):
    """All samples of x = 0, 1, 2: classes that overlap by more than a point converge; else the direction says why."""
    seen = set()
    for samples in list(combinations_with_replacement(product((0.0, 1.0, 2.0), (0.0, 1.0)), N))[::step]:
        x, t = np.array(samples).T
        if len(set(x)) == 1:
            continue  # dependent on the constant column
        zeros, ones = x[t == 0], x[t == 1]
        overlap = len(zeros) > 0 < len(ones) and zeros.max() > ones.min() and ones.max() > zeros.min()
        Z = augment(x[:, None])
        seen.add(overlap)
        for found in (fit(Z, t), fit_l1(Z, t, 0.0)):
            assert found.converged == overlap, samples
            if overlap:
                assert found.direction is None
                np.testing.assert_allclose(gradient(found.w, Z, t), 0, atol=1e-8)
            else:
                assert proves_separable(found, Z, t), samples
    assert seen == ({False, True} if N > 2 else {False})


@pytest.mark.erratum("A25", "C07")
@one_in(12)
def test_no_order_and_no_relabelling_makes_separable_data_converge(step):
    """x = 0, 1, t = 1 at 0 always, at 1 once and once not: the weight falls forever, b = -w rises."""
    x, t = np.array([0.0, 0, 1, 1]), np.array([1.0, 1, 0, 1])
    for order in list(permutations(range(4)))[::step]:
        Z, labels = augment(x[list(order), None]), t[list(order)]
        for seen in (labels, 1 - labels):
            assert proves_separable(fit(Z, seen), Z, seen)


@pytest.mark.erratum("A25", "C07")
def test_ties_leave_the_loss_above_what_it_tends_to():
    """x = 0, 1, 1, 2: of w(x - 1) the two ties cost ln 2 each, and the others less and less: inf E = 2 ln 2."""
    Z, t = augment([[0], [1], [1], [2]]), np.array([0.0, 0, 1, 1])
    found = fit(Z, t)
    np.testing.assert_allclose(Z @ found.direction / found.direction[0], [-1, 0, 0, 1], atol=1e-9)
    assert [loss(c * np.array([1.0, -1.0]), Z, t) for c in (5.0, 10.0)] == pytest.approx(
        [2 * log(2) + 2 * softplus(-5), 2 * log(2) + 2 * softplus(-10)], rel=1e-14
    )


@pytest.mark.equation("A-3.2-8", "A-3.2-10")
@pytest.mark.erratum("A25")
def test_on_separable_data_the_weights_grow_like_a_logarithm():
    """x = ±1, t = 1, 0: w ← w + 2η/(1 + e^w). Of f(w) = e^w + w, convex, each step adds between 2η and 2ηe^η."""
    Z, t, eta = np.array([[1.0], [-1.0]]), np.array([1.0, 0.0]), 0.5
    w = trajectory(gradient_iterates(Z, t, eta=eta), 3000)[:, 0]
    k = np.arange(3001)
    f = np.exp(w) + w
    assert (f >= 1 + 2 * eta * k - 1e-9 * k).all()
    assert (f <= 1 + 2 * eta * exp(eta) * k + 1e-9 * k).all()
    assert loss(w[-1:], Z, t) < 1e-3 * loss(w[:1], Z, t)
    assert not run(gradient_iterates(Z, t, eta=eta), max_iter=3000).converged
    found = fit(Z, t, 0.01)
    assert found.converged
    assert 2 * sigmoid(-found.w[0]) == pytest.approx(0.01 * found.w[0], rel=1e-9)


# --- the identity with chapter 03 ---------------------------------------------------------------------------


@penalties
def test_logistic_regression_is_the_bernoulli_model(lam):
    """One formula, two rooms: loss, derivatives, steps and the fit of glm.bernoulli."""
    for w in (W, np.zeros(3), -3 * W):
        assert loss(w, X, T, lam) == pytest.approx(glm.loss(w, X, T, glm.bernoulli, lam), rel=1e-10)
        np.testing.assert_allclose(
            gradient(w, X, T, lam), glm.gradient(w, X, T, glm.bernoulli, lam), rtol=1e-10, atol=1e-12
        )
        np.testing.assert_allclose(hessian(w, X, lam), glm.hessian(w, X, T, glm.bernoulli, lam), rtol=1e-10)
        np.testing.assert_allclose(irls_step(w, X, T), glm.irls_step(w, X, T, glm.bernoulli), rtol=1e-10)
        np.testing.assert_allclose(posterior(w, X), glm.predict(w, X, glm.bernoulli), rtol=1e-14)
        np.testing.assert_allclose(working_response(w, X, T), glm.working_response(w, X, T, glm.bernoulli), rtol=1e-10)
    np.testing.assert_allclose(fit(X, T, lam).w, glm.fit(X, T, glm.bernoulli, lam).w, rtol=1e-10)
    ours, theirs = newton_iterates(X, T, lam), glm.irls_iterates(X, T, glm.bernoulli, lam)
    np.testing.assert_allclose(trajectory(ours, 4), trajectory(theirs, 4), rtol=1e-10)


# --- the L1 penalty -----------------------------------------------------------------------------------------


@pytest.mark.equation("C-3.1-23")
@pytest.mark.parametrize("lam, w", [(0, log(3)), (1, log(5 / 3)), (1.75, log(17 / 15)), (2, 0), (2.5, 0), (100, 0)])
def test_soft_threshold_of_a_frequency(lam, w):
    """6 of 8: 8σ(w) = 6 - λ, as long as that is above 4: then w = 0, exactly. The other labels give -w."""
    for t, sign in ((EIGHT, 1), (1 - EIGHT, -1)):
        found = fit_l1(ONE, t, lam)
        assert found.converged
        np.testing.assert_allclose(found.w, [sign * w], rtol=1e-9)
        assert l1_optimality(found.w, ONE, t, lam) < 1e-9
        np.testing.assert_allclose(fit_l1(-ONE, t, lam).w, [-sign * w], rtol=1e-9)


@pytest.mark.equation("C-3.1-23")
def test_groups_are_zeroed_one_by_one():
    """Indicators of groups with 7 of 8, 6 of 8, 4 of 8, 1 of 8: each its own threshold |k - 4|, here 3, 2, 0, 3."""
    k = np.array([7, 6, 4, 1])
    Z = np.kron(np.eye(4), np.ones((8, 1)))
    t = np.concatenate([np.arange(8) < k_j for k_j in k]).astype(float)
    for lam in (0.5, 1.0, 2.0, 2.5, 3.0):
        kept = np.maximum(np.abs(k - 4) - lam, 0)
        expected = np.sign(k - 4) * logit(0.5 + kept / 8)
        found = fit_l1(Z, t, lam)
        np.testing.assert_allclose(found.w, expected, rtol=1e-9)
        np.testing.assert_array_equal(found.w == 0, kept == 0)
    per_column = fit_l1(Z, t, np.array([0.0, 2.0, 1.0, 3.5])).w
    np.testing.assert_allclose(per_column, [log(7), 0, 0, 0], rtol=1e-9)


def test_l1_optimality_by_hand():
    """6 of 8, λ = 1: at 0 g = -2, 1 too far; at ln(5/3) g = -1 = -λ; at ln 3 g = 0, λ too far; at -ln 3 g = -4."""
    for w, value in ((0.0, 1), (log(5 / 3), 0), (log(3), 1), (-log(3), 5)):
        assert l1_optimality(np.array([w]), ONE, EIGHT, 1.0) == pytest.approx(value, abs=1e-14)
    assert l1_optimality(np.zeros(1), ONE, EIGHT, 2.0) == 0
    assert l1_optimality(np.zeros(1), ONE, EIGHT, 3.0) == 0


def test_l1_optimality_is_the_steepest_way_down():
    """Of the slopes along e_j and -e_j the lower one, if any goes down; at a kink they are not opposite."""
    lam = np.array([0.5, 3.0, 0.0])
    for w in ([0.7, 0.0, 0.3], [0.0, -0.4, 0.0], [0.0, 0.0, 0.0], [0.7, -0.4, 0.3]):
        w, h = np.array(w), 1e-6

        def along(v, w=w):
            return loss(w + v, X, T) + lam @ np.abs(w + v)

        slopes = [(along(s * h * e) - along(0 * e)) / h for e in np.eye(3) for s in (1, -1)]
        assert l1_optimality(w, X, T, lam) == pytest.approx(max(0, -min(slopes)), abs=1e-4)


@pytest.mark.equation("C-3.1-23")
@pytest.mark.parametrize("lam", [0.0, 0.3, 2.0, np.array([0.5, 4.0, 0.0]), free_bias(4.0, 3)], ids=str)
def test_conditions_at_the_kinks(lam):
    """g_j = -λ_j sign w_j where w_j is not 0, |g_j| <= λ_j where it is."""
    found = fit_l1(X, T, lam)
    assert found.converged
    assert found.direction is None
    g, each = gradient(found.w, X, T), np.broadcast_to(lam, 3)
    np.testing.assert_allclose(g[found.w != 0], (-each * np.sign(found.w))[found.w != 0], atol=1e-9)
    assert (np.abs(g) <= each + 1e-9).all()
    assert l1_optimality(found.w, X, T, lam) < 1e-9
    best = loss(found.w, X, T) + np.sum(each * np.abs(found.w))
    for step in np.random.default_rng(5).normal(size=(20, 3)) * 0.1:
        assert loss(found.w + step, X, T) + np.sum(each * np.abs(found.w + step)) > best


def test_the_smallest_penalty_that_leaves_nothing():
    """|Xᵀ(1/2 - t)|_max where all columns pay; with a free bias |Xᵀ(t̄ - t)|_max of the others."""
    top = np.abs(X.T @ (0.5 - T)).max()
    assert not fit_l1(X, T, top * (1 + 1e-9)).w.any()
    assert np.count_nonzero(fit_l1(X, T, 0.99 * top).w) == 1
    top = np.abs(POINTS.T @ (T.mean() - T)).max()
    w = fit_l1(X, T, free_bias(top * (1 + 1e-9), 3)).w
    assert not w[:2].any()
    assert w[2] == pytest.approx(logit(T.mean()), rel=1e-9)
    assert np.count_nonzero(fit_l1(X, T, free_bias(0.99 * top, 3)).w[:2]) == 1


def test_without_penalty_l1_is_the_fit():
    np.testing.assert_allclose(fit_l1(X, T, 0.0).w, fit(X, T).w, rtol=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_below_a_condition_number_of_1e9_no_layout_changes_the_verdict(seed):
    """Two columns that differ by 1e-4 to 1e-8 of their length, in four layouts. Above, one in ten such draws flips."""
    rng = np.random.default_rng(seed)
    Z, t = rng.normal(size=(int(rng.integers(6, 20)), 2)), rng.integers(0, 2, 20).astype(float)
    twin = Z[:, 0] + 10.0 ** -rng.uniform(4, 8) * rng.normal(size=len(Z))
    A, t = np.column_stack([Z, twin, np.ones(len(Z))]), t[: len(Z)]
    if np.linalg.cond(A / np.linalg.norm(A, axis=0)) > 1e9:
        return
    plain = fit(A, t)
    assert plain.converged or plain.direction is not None
    for same in (np.asfortranarray(A), np.repeat(A, 2, axis=0)[::2], np.repeat(A, 2, axis=1)[:, ::2]):
        found = fit(same, t)
        assert (found.converged, found.direction is None) == (plain.converged, plain.direction is None)


@pytest.mark.parametrize("k", [-15, -12, -10, -9, -8, -4, -1])
@pytest.mark.parametrize("n", [1, 3])
def test_a_lasso_of_samples_that_a_line_separates_but_for_some_on_it(k, n):
    """x = -1 with either label, x = 1 with t = 1, 2n times each: 2nσ(-(w + b)) = λ and w = b, so w = ½ ln(2n/λ - 1).

    The weights p(1 - p) are 1/4 and λ/2n. The columns, which are independent, are not blamed where the digits end.
    """
    lam, Z = 10.0**k, np.repeat([[-1.0, 1.0], [1.0, 1.0]], 2 * n, axis=0)
    found = fit_l1(Z, np.append(np.tile([0.0, 1.0], n), np.ones(2 * n)), lam)
    assert found.converged or (k < -9 and found.reason.endswith("give a larger lam")), found.reason
    if found.converged:  # up to what 4n ε in a sum of 4n residuals of 1/2 is beside λ
        np.testing.assert_allclose(found.w, np.full(2, np.log(2 * n / lam - 1) / 2), rtol=1e-7, atol=1e-15 * n / lam)


@pytest.mark.slow
def test_l1_by_proximal_steps():
    """w ← S(w - η∇E, ηλ), thousands of times, comes to the same point."""
    lam, eta, w = np.array([0.5, 4.0, 1.0]), largest_step(X) / 2, np.zeros(3)
    for _ in range(3000):
        v = w - eta * gradient(w, X, T)
        w = np.sign(v) * np.maximum(np.abs(v) - eta * lam, 0)
    found = fit_l1(X, T, lam)
    np.testing.assert_allclose(found.w, w, atol=1e-9)
    np.testing.assert_array_equal(found.w == 0, w == 0)


@given(small())
def test_l1_ends_at_a_minimum_or_with_a_proof(problem):
    """Dependent columns, ties, one class: the kink conditions hold, or a direction without penalty proves why not."""
    X, t, lam = problem
    found = fit_l1(X, t, lam)
    if found.converged:
        assert l1_optimality(found.w, X, t, lam) < 1e-7
    else:
        assert proves_separable(found, X, t)
        assert not found.direction[lam > 0].any()


def test_l1_of_separable_classes():
    """Every column pays: there is a minimum. The bias is free and the others are not: still one."""
    Z, t = augment([[0], [1], [2], [3]]), np.array([0.0, 0, 1, 1])
    for lam in (0.5, free_bias(0.5, 2)):
        found = fit_l1(Z, t, lam)
        assert found.converged
        assert l1_optimality(found.w, Z, t, lam) < 1e-9
    found = fit_l1(Z, t, np.array([0.0, 5.0]))  # x >= 0 alone does not separate, and a bias costs
    assert found.converged
    assert l1_optimality(found.w, Z, t, np.array([0.0, 5.0])) < 1e-9
    Z = augment([[-2], [-1], [1], [2]])  # x alone does
    found = fit_l1(Z, t, np.array([0.0, 5.0]))
    assert proves_separable(found, Z, t)
    assert found.direction[1] == 0
    assert "a penalty on the columns it uses gives one" in found.reason


def test_more_columns_than_samples():
    """Without penalty many w, refused; L1 uses N of them at most; L2 gives w = Xᵀ(t - p)/λ."""
    Z, t = np.random.default_rng(6).normal(size=(4, 7)), np.array([0.0, 1, 1, 0])
    with pytest.raises(np.linalg.LinAlgError, match="7 columns of X without penalty have rank 4"):
        fit(Z, t)
    sparse = fit_l1(Z, t, 0.1)
    assert sparse.converged
    assert 1 <= np.count_nonzero(sparse.w) <= 4
    assert l1_optimality(sparse.w, Z, t, 0.1) < 1e-9
    w = fit(Z, t, 0.5).w
    np.testing.assert_allclose(w, Z.T @ (t - posterior(w, Z)) / 0.5, rtol=1e-8, atol=1e-10)


# --- where the notes are wrong ------------------------------------------------------------------------------


@pytest.mark.equation("A-3.1-4", "A-3.1-5")
@pytest.mark.erratum("A21")
def test_the_step_is_monotone_but_neither_differentiable_nor_invertible():
    """Printed "not monotone and differentiable, so no g": it never falls; and z → p would be g⁻¹, as σ is logit⁻¹."""
    z = np.linspace(-2, 2, 41)
    assert (np.diff(unit_step(z)) >= 0).all()
    slopes = [(unit_step(h) - unit_step(-h)) / (2 * h) for h in (1e-1, 1e-3, 1e-6)]
    np.testing.assert_allclose(slopes, [5, 500, 500_000], rtol=1e-12)  # no limit
    assert unit_step(1.0) == unit_step(2.0)  # no inverse
    np.testing.assert_allclose(glm.logit.g(posterior(np.ones(1), z[:, None])), z, atol=1e-14)
    np.testing.assert_allclose(glm.logit.inverse(z), posterior(np.ones(1), z[:, None]), rtol=1e-14)


@pytest.mark.equation("A-3.1-10", "D-2-7")
@pytest.mark.erratum("A22", "D40")
def test_the_model_is_of_the_log_odds_of_the_probability_not_of_the_label():
    """Printed "log odds of the labels": these are ±inf, no line reaches them; that of the frequency 6/8 is ln 3."""
    assert logit(EIGHT).tolist() == [np.inf] * 6 + [-np.inf] * 2
    with pytest.raises(ValueError, match="y holds inf"):
        least_squares(ONE, logit(EIGHT))
    assert log_odds(fit(ONE, EIGHT).w, ONE)[0] == pytest.approx(logit(EIGHT.mean()), rel=1e-9)
    assert logit(EIGHT.mean()) == pytest.approx(log(3), rel=1e-14)


@pytest.mark.equation("A-3.1-11")
@pytest.mark.erratum("A23")
def test_log_odds_linear_in_x_are_an_assumption():
    """x = ±1: 1 of 4 is positive; x = ±3: 3 of 4. Linear in x there is nothing to see, p = 1/2 everywhere; with x²
    the frequencies are met: a + b = -ln 3, a + 9b = ln 3."""
    x = np.repeat([-3.0, -1.0, 1.0, 3.0], 4)[:, None]
    t = np.array([1.0, 1, 1, 0] + 2 * [1.0, 0, 0, 0] + [1.0, 1, 1, 0])
    linear = fit(augment(x), t).w
    np.testing.assert_allclose(posterior(linear, augment(x)), 1 / 2, rtol=1e-9)
    squares = augment(monomials(x, 2))
    w = fit(squares, t).w
    np.testing.assert_allclose(w, [0, log(3) / 4, -5 / 4 * log(3)], atol=1e-9)
    np.testing.assert_allclose(posterior(w, squares), np.repeat([3, 1, 1, 3], 4) / 4, rtol=1e-9)


@pytest.mark.equation("A-3.1-11")
@pytest.mark.erratum("A23")
def test_normal_classes_of_unequal_variance_have_quadratic_log_odds():
    """N(0, 4) against N(0, 0.49): the second difference of ln p_1/p_0 is 1/0.49 - 1/4, and 0 for equal variances."""

    def log_density(x, variance):
        return -(x**2) / (2 * variance) - np.log(2 * np.pi * variance) / 2

    x = np.arange(-3.0, 4.0)
    unequal = np.diff(log_density(x, 4.0) - log_density(x, 0.49), 2)
    np.testing.assert_allclose(unequal, 1 / 0.49 - 1 / 4, rtol=1e-12)
    np.testing.assert_allclose(np.diff(log_density(x - 1, 4.0) - log_density(x, 4.0), 2), 0, atol=1e-13)


@pytest.mark.equation("A-3.1-13")
@pytest.mark.erratum("A24")
def test_the_logarithm_is_concave_and_the_negative_log_likelihood_is_convex():
    """Printed "the logarithm is convex", where σ is most likely meant: ln 2, midway from 1 to 3, is above ln(3)/2; σ
    bends both ways, E upwards."""
    assert log(2) > (log(1) + log(3)) / 2
    assert sigmoid(-2.0) < (sigmoid(-1.0) + sigmoid(-3.0)) / 2
    assert sigmoid(2.0) > (sigmoid(1.0) + sigmoid(3.0)) / 2
    rng = np.random.default_rng(7)
    for v, w in zip(rng.normal(size=(50, 3)) * 3, rng.normal(size=(50, 3)) * 3, strict=True):
        assert loss((v + w) / 2, X, T) < (loss(v, X, T) + loss(w, X, T)) / 2
        assert np.linalg.eigvalsh(hessian(w, X)).min() > 0


@pytest.mark.equation("A-3.2-8", "A-3.2-10")
@pytest.mark.erratum("A26")
def test_the_likelihood_is_climbed():
    """Printed max L by gradient descent: down L the likelihood falls; up L, which is down E = -L, it rises."""
    L = log_likelihood(W, X, T)
    uphill = central_difference(lambda w: log_likelihood(w, X, T), W)
    assert log_likelihood(W - 0.01 * uphill, X, T) < L < log_likelihood(W + 0.01 * uphill, X, T)
    np.testing.assert_allclose(uphill, -gradient(W, X, T), atol=1e-7)
    after = trajectory(gradient_iterates(X, T, eta=0.01, w=W), 1)[1]
    np.testing.assert_allclose(after, W + 0.01 * uphill, rtol=1e-8)


@pytest.mark.equation("C-3.1-22")
@pytest.mark.erratum("C09")
def test_a_penalised_bias_moves_the_base_rate():
    """185 of 200 positive, 0.925. With the bias in w·w and λ = 50, 200σ(b) + 50b = 185: 0.706. Freed: 0.925."""
    Z, t = np.ones((200, 1)), np.repeat([1.0, 0.0], [185, 15])
    b = fit(Z, t, 50.0).w
    assert 200 * sigmoid(b[0]) + 50 * b[0] == pytest.approx(185, rel=1e-10)
    assert posterior(b, Z)[0] == pytest.approx(0.706, abs=5e-4)
    assert posterior(fit(Z, t, free_bias(50.0, 1)).w, Z)[0] == pytest.approx(0.925, rel=1e-9)
    lam = free_bias(50.0, 2)
    centred = augment(np.tile([-1.0, 1.0], 100)[:, None])
    assert posterior(fit(centred, t, lam).w, centred).mean() == pytest.approx(0.925, rel=1e-9)
    assert posterior(fit(centred, t, 50.0).w, centred).mean() < 0.72


@pytest.mark.equation("C-3.1-23")
@pytest.mark.erratum("C10")
def test_the_penalty_runs_over_the_weights_that_there_are():
    """w_0 ... w_3, M = 4, the bias first as in note C. Printed j = 1 to M asks for w_4; to M - 1 it frees the bias."""
    w, M = np.array([5.0, 3.0, -4.0, 2.0]), 4
    with pytest.raises(IndexError):
        sum(abs(w[j]) ** 2 for j in range(1, M + 1))
    freed = sum(abs(w[j]) ** 2 for j in range(1, M)) / 2
    assert freed == 29 / 2
    assert penalty(np.roll(w, -1), free_bias(1.0, 4), 2) == freed  # ours has the bias last
    assert penalty(w, 1.0, 2) == w @ w / 2


@pytest.mark.equation("C-3.1-23")
@pytest.mark.erratum("C11")
def test_the_general_penalty_is_convex_from_one_on_only():
    """Between 0 and 1: (1/2)^q against 1/2; q = 2, 1, 1/2 give -1/4, 0 and +0.207 above the mean."""
    zero, one = np.zeros(1), np.ones(1)

    def above_the_mean(v, w, q):
        return penalty((v + w) / 2, 2.0, q) - (penalty(v, 2.0, q) + penalty(w, 2.0, q)) / 2

    assert above_the_mean(zero, one, 2) == -1 / 4
    assert above_the_mean(zero, one, 1) == 0
    assert above_the_mean(zero, one, 0.5) == pytest.approx(0.5**0.5 - 0.5, rel=1e-14)
    rng = np.random.default_rng(8)
    for q, (v, w) in product((1, 1.5, 2, 3), rng.normal(size=(20, 2, 3))):
        assert above_the_mean(v, w, q) <= 1e-14
    for q in (0.1, 0.5, 0.9):
        assert above_the_mean(zero, one, q) > 0.01


@pytest.mark.equation("C-3.1-23")
@pytest.mark.erratum("C11")
def test_below_one_the_penalty_makes_two_minima():
    """7 of 8, q = 1/2, λ such that the slope vanishes at w = 1: 8σ(1) - 7 + λ/4 = 0. There E curves up; and at 0,
    where the penalty is infinitely steep, is another minimum. With q = 1 there is one, with q = 2 no zero."""
    t = np.array([1.0] * 7 + [0.0])
    lam = 4 * (7 - 8 * sigmoid(1.0))

    def F(w, q):
        return loss(np.array([w]), ONE, t) + penalty(np.array([w]), lam, q)

    assert central_difference(lambda w: F(w, 0.5), 1.0) == pytest.approx(0, abs=1e-7)
    for near in (0.9, 1.1):
        assert F(near, 0.5) > F(1.0, 0.5)
    for near in (-1e-3, 1e-3):
        assert F(near, 0.5) > F(0.0, 0.5)
    between = max(F(w, 0.5) for w in np.linspace(0, 1, 101))
    assert between > max(F(0.0, 0.5), F(1.0, 0.5)) + 1e-3
    w = fit_l1(ONE, t, lam / 2).w[0]  # λ/2 |w| in the general penalty
    assert 8 * sigmoid(w) == pytest.approx(7 - lam / 2, rel=1e-9)
    assert fit_l1(ONE, t, 3.0).w[0] == 0
    assert fit(ONE, t, 1e4).w[0] > 0
    assert check_gradient(lambda w: loss(w, ONE, t, lam), lambda w: gradient(w, ONE, t, lam), np.ones(1)) < 1e-8


@pytest.mark.equation("D-2-7")
@pytest.mark.erratum("D12")
def test_both_posteriors_are_of_the_same_x():
    """x = 2.6, w = 1/2: printed 1 - p(y = 1|1) is that of the sample 1, and p(x = 0|x) is 0, for x is 2.6."""
    w, x = np.array([0.5]), np.array([[2.6]])
    p, of_one = posterior(w, x)[0], posterior(w, np.ones((1, 1)))[0]
    assert abs(log(p / (1 - of_one)) - 1.3) > 0.5
    with np.errstate(divide="ignore"):
        assert np.log(p / np.float64(x[0, 0] == 0)) == np.inf
    assert log(p / (1 - p)) == pytest.approx(1.3, rel=1e-14) == log_odds(w, x)[0]


@pytest.mark.equation("D-2-8")
@pytest.mark.erratum("D13")
def test_a_label_is_no_true_probability():
    """Eight times the same x, six labels 1: as p(y = 1|x) they would be 1 and 0 at once. Their mean cross entropy is
    that of the frequency 3/4, least at p = 3/4 and not 0 there."""
    assert len(set(EIGHT)) == 2  # two "true probabilities" of one x
    frequency = EIGHT.mean()
    for w in (np.zeros(1), LN3, np.array([-1.0])):
        p = posterior(w, ONE)[0]
        expected = -(frequency * log(p) + (1 - frequency) * log(1 - p))
        assert loss(w, ONE, EIGHT) / 8 == pytest.approx(expected, rel=1e-13)
    found = fit(ONE, EIGHT).w
    assert posterior(found, ONE)[0] == pytest.approx(3 / 4, rel=1e-9)
    assert loss(found, ONE, EIGHT) / 8 == pytest.approx(log(4) - 0.75 * log(3), rel=1e-12)


@pytest.mark.equation("D-2-8", "D-2-9")
@pytest.mark.erratum("D14")
def test_each_label_is_that_of_its_own_sample():
    """x = ±ln 3 with labels 1 and 0, w = 1: ŷ = 3/4, 1/4. Printed, p_r(y = 1|x) has one x for all samples, and so one
    label for all: the sum is ln(16/3)/2 whichever x that is. With x^(n) it is ln(4/3), the library's E/N."""
    Z, t, w = np.array([[log(3)], [-log(3)]]), np.array([1.0, 0]), np.ones(1)
    p = posterior(w, Z)

    def risk(q):
        return -np.mean(q * np.log(p) + (1 - q) * np.log(1 - p))

    assert [risk(label) for label in t] == pytest.approx([log(16 / 3) / 2] * 2, rel=1e-14)
    assert risk(t) == pytest.approx(log(4 / 3), rel=1e-14)
    assert loss(w, Z, t) / 2 == pytest.approx(log(4 / 3), rel=1e-14)


# --- metamorphic relations ----------------------------------------------------------------------------------

fits = pytest.mark.parametrize("method", [fit, fit_l1])


@fits
def test_the_order_of_the_samples_does_not_matter(method):
    order = np.random.default_rng(9).permutation(40)
    np.testing.assert_allclose(method(X[order], T[order], LAM).w, method(X, T, LAM).w, rtol=1e-8)


@fits
def test_columns_and_weights_are_permuted_together(method):
    order = [2, 0, 1]
    np.testing.assert_allclose(method(X[:, order], T, LAM[order]).w, method(X, T, LAM).w[order], rtol=1e-8)


@pytest.mark.parametrize("s", [np.array([1e-3, 50.0, 1.0]), np.array([-2.0, 1e6, 3.0])])
def test_scaled_columns(s):
    """x_j ← s x_j: w_j/s, if the penalty goes with it: λ_j s² of squares, λ_j |s| of absolute values."""
    np.testing.assert_allclose(fit(X * s, T).w, fit(X, T).w / s, rtol=1e-7)
    np.testing.assert_allclose(fit(X * s, T, LAM * s**2).w, fit(X, T, LAM).w / s, rtol=1e-7)
    np.testing.assert_allclose(fit_l1(X * s, T, LAM * np.abs(s)).w, fit_l1(X, T, LAM).w / s, rtol=1e-7)


@fits
def test_swapped_labels_turn_the_weights_round(method):
    np.testing.assert_allclose(method(X, 1 - T, LAM).w, -method(X, T, LAM).w, rtol=1e-8)
    np.testing.assert_allclose(posterior(-W, X), 1 - posterior(W, X), rtol=1e-13)


@fits
def test_every_sample_twice_is_half_the_penalty(method):
    twice = method(np.vstack([X, X]), np.append(T, T), 2 * LAM).w
    np.testing.assert_allclose(twice, method(X, T, LAM).w, rtol=1e-8)


@fits
def test_shifted_features_move_a_free_bias_only(method):
    """x ← x + m: the same weights, and b - m·w, if b is free."""
    m = np.array([5.0, -3.0])
    w, moved = method(X, T, free_bias(1.0, 3)).w, method(augment(POINTS + m), T, free_bias(1.0, 3)).w
    np.testing.assert_allclose(moved, [*w[:2], w[2] - m @ w[:2]], rtol=1e-8)
    pays = method(augment(POINTS + m), T, 1.0).w
    assert np.abs(pays[:2] - method(X, T, 1.0).w[:2]).max() > 0.01


def test_a_column_of_zeros_takes_no_part():
    Z = np.column_stack([X, np.zeros(40)])
    np.testing.assert_allclose(fit(Z, T, 0.5).w, [*fit(X, T, 0.5).w, 0], rtol=1e-9)
    np.testing.assert_allclose(fit_l1(Z, T, 0.5).w, [*fit_l1(X, T, 0.5).w, 0], rtol=1e-9)


def test_the_same_column_twice_shares_the_weight():
    """λ/2 w² twice on w/2 is half of it: one column with λ/2."""
    Z = np.column_stack([X, np.ones(40)])
    w = fit(Z, T, np.array([1.0, 1.0, 0.6, 0.6])).w
    np.testing.assert_allclose(w[2], w[3], rtol=1e-9)
    np.testing.assert_allclose([*w[:2], w[2] + w[3]], fit(X, T, np.array([1.0, 1.0, 0.3])).w, rtol=1e-8)


# --- edges --------------------------------------------------------------------------------------------------


def test_a_constant_column_twice_is_singular():
    Z = np.column_stack([X, np.ones(40)])
    for call in (lambda: fit(Z, T), lambda: newton_iterates(Z, T)):
        with pytest.raises(
            np.linalg.LinAlgError, match=r"4 columns of X without penalty have rank 3: many w .*lam > 0"
        ):
            call()
    with pytest.raises(np.linalg.LinAlgError):
        irls_step(np.zeros(4), np.column_stack([SIX, np.ones(6)]), SIX_T)
    end = run(bfgs_iterates(Z, T))  # one of the many
    assert end.converged
    w = fit(X, T).w
    np.testing.assert_allclose([*end.w[:2], end.w[2] + end.w[3]], w, atol=1e-7)
    sparse = fit_l1(Z, T, 0.0)  # not all columns are used
    assert sparse.converged
    np.testing.assert_allclose(gradient(sparse.w, Z, T), 0, atol=1e-9)


@pytest.mark.parametrize("only", [0, 1])
def test_one_class(only):
    t = np.full(40, float(only))
    for found in (fit(X, t), fit_l1(X, t, 0.0), fit_l1(X, t, free_bias(1.0, 3))):
        assert proves_separable(found, X, t)
    assert f"only {only} was observed" in fit(X, t).reason
    found = fit(X, t, 0.1)
    assert found.converged
    assert (predict(found.w, X) == only).all()


def test_a_single_sample():
    """σ(w) = 1 - λ sign w for L1: λ = 1/4 gives ln 3, λ = 1/2 gives 0."""
    assert fit_l1([[1.0]], [1], 0.25).w == pytest.approx(LN3, rel=1e-9)
    assert fit_l1([[1.0]], [1], 0.5).w.tolist() == [0]
    assert fit_l1([[2.0]], [0], 0.5).w == pytest.approx(-LN3 / 2, rel=1e-9)
    assert proves_separable(fit([[1.0]], [1]), [[1.0]], [1])


def test_features_far_from_zero():
    """An offset of 1e8 with a free constant column: the same weights. Points are multiples of 2⁻²⁰, so it is exact."""
    points = np.round(POINTS * 2**20) / 2**20
    far, w, sparse = augment(points + 1e8), fit(augment(points), T).w, fit_l1(augment(points), T, free_bias(1.0, 3)).w
    for expected, found in ((w, fit(far, T)), (sparse, fit_l1(far, T, free_bias(1.0, 3)))):
        assert found.converged
        np.testing.assert_allclose(found.w[:2], expected[:2], rtol=1e-7)
        np.testing.assert_allclose(found.w[2], expected[2] - 1e8 * expected[:2].sum(), rtol=1e-7)
    with pytest.raises(np.linalg.LinAlgError, match=r"singular to rounding.*center and rescale X"):
        newton_iterates(far, T)


@pytest.mark.equation("C-3.1-15")
def test_newton_step_by_hand():
    """At w = 0 every p is ½ and R = ¼: (¼ XᵀX)⁻¹ Xᵀ(t - ½) = 2(t_1 - t_0 ...) for one sample a column."""
    X, t = np.diag([1.0, 2.0]), np.array([1.0, 0.0])
    assert newton_step(np.zeros(2), X, t).tolist() == [2.0, -1.0]  # ½/(¼·1), -1/(¼·4)
    np.testing.assert_allclose(newton_step(np.zeros(2), X, t, 1.0), [0.4, -0.5], rtol=1e-15)  # ½/(¼ + 1), -1/(1 + 1)


@pytest.mark.equation("C-3.1-15", "C-3.1-19")
@pytest.mark.parametrize("seed", range(10))
def test_newton_and_irls_take_the_same_step(seed):
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(30, 3)), rng.normal(size=3)
    t = (rng.random(30) > 0.5) * 1.0
    np.testing.assert_allclose(newton_step(w, X, t, 0.3), irls_step(w, X, t, 0.3), rtol=1e-11, atol=1e-12)


# --- doors --------------------------------------------------------------------------------------------------


def test_a_start_is_not_changed():
    start = W.copy()
    start.setflags(write=False)
    for iterates in (
        gradient_iterates(X, T, eta=0.01, w=start),
        stochastic_iterates(X, T, eta=0.01, rng=np.random.default_rng(0), w=start),
        newton_iterates(X, T, w=start),
        bfgs_iterates(X, T, w=start),
    ):
        first, second = islice(iterates, 2)
        np.testing.assert_array_equal(first.w, W)
        assert (second.w != W).any()


def test_results_are_frozen():
    found = fit(X, T)
    with pytest.raises(AttributeError):
        found.converged = False
    assert isinstance(optimize.run(newton_iterates(X, T)), optimize.Solution)


# --- what an audit found -------------------------------------------------------------------------------------

DROWNED = {
    "a long sample twice": ([[8, 8], [2, 1], [8, 8]], [0, 1, 1], 0.0),
    "a long sample on both sides": ([[256, 256], [2, 1], [-32, -32], [256, 256]], [0, 1, 1, 1], 0.0),
    "three columns": ([[-2, 0, 1], [1, -1, 1], [-2, 2, 1], [0, -1, 1], [-2, -2, 1]], [0, 0, 1, 0, 1], 0.0),
    "a penalty that does not help": ([[-1, 1, -2], [2, 1, 0], [-2, 2, -1]], [0, 1, 1], [0.0, 0, 1]),
}


@pytest.mark.erratum("A25", "C07")
@pytest.mark.parametrize("Z, t, lam", DROWNED.values(), ids=DROWNED)
def test_a_sure_sample_beside_longer_ones_is_not_forgotten(Z, t, lam):
    """What it would still add to the gradient, e^-33, is less than the rounding of the others."""
    Z, t = np.array(Z, float), np.array(t, float)
    for found in (fit(Z, t, lam), fit_l1(Z, t, lam)):
        assert not found.converged
        assert gains(found.direction, Z, t).min() > -1e-12
        assert gains(found.direction, Z, t).max() > 0.1


def test_a_short_sample_on_the_other_side_is_no_proof():
    """x = 1 and 1e-15: w = 35 is a minimum, and a direction would have to lose on the second."""
    found = fit(np.array([[1.0], [1e-15]]), np.array([1.0, 0.0]))
    assert found.direction is None
    assert fit_l1(np.array([[1.0], [1e-15]]), np.array([1.0, 0.0]), 0.0).converged


@pytest.mark.parametrize("seed", [*range(20), *slow(range(20, 70))])
def test_bfgs_falls_as_far_as_newton_in_any_units_up_to_a_million(seed):
    """One feature or both in units of 1 to 1e6 beside a bias: -∇E, the first direction, is far too long then."""
    rng = np.random.default_rng(seed)
    unit = 10 ** rng.uniform(0, 6)
    Z = augment(rng.normal(size=(30, 2)) * ([unit, 1] if seed % 2 else unit))
    t = (rng.random(30) < 0.5).astype(float)
    best = fit(Z, t)
    assert best.converged
    start, least = loss(np.zeros(3), Z, t), loss(best.w, Z, t)
    assert loss(run(bfgs_iterates(Z, t)).w, Z, t) - least <= 1e-2 * (start - least)


@one_in(10)
@pytest.mark.parametrize("iterates", [newton_iterates, bfgs_iterates])
def test_iterates_end_where_only_rounding_is_left(iterates, step):
    assert len(list(islice(iterates([[-1, 1], [0, 1], [1, 1], [1, 1]], [0, 0, 1, 0], 2.0), 200))) < 50
    rng = np.random.default_rng(0)
    for _ in range(100 // step):
        assert len(list(islice(iterates(rng.normal(size=(8, 2)), [0, 1] * 4, 1.0), 200))) < 100


@pytest.mark.erratum("A59")
def test_the_unit_step_is_ideal_only_without_noise():
    """Where one label of three differs on the same side, the step says 0, and the share does not."""
    X, t = np.ones((3, 1)), np.array([1.0, 1, 0])
    step = np.prod(np.where(t == 1, lr.unit_step(X @ [1.0]), 1 - lr.unit_step(X @ [1.0])))
    fitted = np.prod(np.where(t == 1, lr.posterior(lr.fit(X, t).w, X), 1 - lr.posterior(lr.fit(X, t).w, X)))
    assert step == 0 and fitted == pytest.approx(4 / 27)
    clean = np.array([1.0, 1, 1])
    assert np.prod(np.where(clean == 1, lr.unit_step(X @ [1.0]), 0)) == 1


@pytest.mark.erratum("A60")
def test_scores_of_bounded_samples_are_bounded():
    """|w·x + b| <= ‖w‖ r + |b| on a ball of radius r: only an unbounded set lets a score take every value."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3))
    X *= 2 / np.maximum(2, np.linalg.norm(X, axis=1))[:, None]
    w, b = np.array([3.0, -1, 2]), 0.5
    assert np.abs(X @ w + b).max() <= 2 * np.linalg.norm(w) + 0.5
    assert abs(1e6 * w @ w + b) > 1e6  # along w, without a bound


@pytest.mark.erratum("C23")
@pytest.mark.parametrize("eta", [0.5, 0.1, 0.02])
def test_a_fixed_stochastic_step_never_comes_to_rest(eta):
    """Two labels that contradict each other: each visit pulls its own way, by about eta/2, forever."""
    X, t = np.ones((2, 1)), np.array([0.0, 1])
    states = islice(lr.stochastic_iterates(X, t, eta=eta, rng=np.random.default_rng(0)), 2000, 2100)
    w = np.array([state.w[0] for state in states])
    assert 0.2 * eta < np.abs(np.diff(w)).max() < eta


@pytest.mark.erratum("D42")
def test_descent_on_separable_classes_falls_for_ever():
    X, t = np.array([[-1.0], [1.0]]), np.array([0.0, 1])
    ways = [state.w[0] for state in islice(lr.gradient_iterates(X, t, eta=1.0), 300)]
    assert np.all(np.diff(ways) > 0) and ways[-1] > 5
    assert np.all(np.diff([lr.loss(np.array([w]), X, t) for w in (1.0, 5.0, 20.0, 80.0)]) < 0)


@pytest.mark.equation("D-2-14")
def test_training_minimizes_the_empirical_risk():
    """The mean loss over the samples rises in every direction from the w that is found; descent goes there too."""
    found, rng = fit(X, T).w, np.random.default_rng(0)
    risk = loss(found, X, T) / len(T)
    for step in 1e-3 * rng.standard_normal((200, len(found))):
        assert loss(found + step, X, T) / len(T) > risk
    descended = optimize.run(gradient_iterates(X, T, eta=largest_step(X) / 2), tol=1e-8, max_iter=200_000).w
    assert loss(descended, X, T) / len(T) == pytest.approx(risk, abs=1e-9)

"""Chapter 04, logistic regression: every equation of notes A 3, C 3.1 and D 2, and where the notes are wrong."""

import pathlib
import re
from fractions import Fraction
from itertools import islice, pairwise, product
from math import exp, log

import numpy as np
import pytest
from cases import slow
from hypothesis import given
from hypothesis import strategies as st

from linmodels import datasets, glm
from linmodels import logistic_regression as lr
from linmodels.book import notebooks
from linmodels.derivatives import central_difference, check_gradient, jacobian
from linmodels.design import augment, free_bias, gaussian_basis, monomials
from linmodels.linear_regression import least_squares
from linmodels.logistic_regression import fit, fit_l1, gradient, hessian, irls_step, loss, posterior, predict
from linmodels.optimize import run, trajectory
from linmodels.special import logit, sigmoid

ROOT = pathlib.Path(__file__).parents[1]

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(40, 2))
X = augment(POINTS)
T = (RNG.random(40) < sigmoid(POINTS @ [1.0, -1.0])).astype(float)  # not separable
W = np.array([0.7, -0.4, 0.3])  # weights to differentiate at
SLOPE_OF_THE_RISK = central_difference(lambda w: loss(w, X, T) / 40, W)
LAM = np.array([0.5, 2.0, 0.0])
penalties = pytest.mark.parametrize("lam", [0.0, 0.7, LAM], ids=["none", "one for all", "one per column"])

ODDS_X = np.array([[1.0], [-1.0], [0.0]])  # with w = ln 3 odds of 3, 1/3 and 1: p = 3/4, 1/4 and 1/2
ODDS_T = np.array([1.0, 1.0, 0.0])
LN3 = np.array([log(3)])

SIX = augment([[2, -8], [6, 25], [0, -2], [-1, 0], [-26, -2], [0, -1]])  # plain Newton diverges here
SIX_T = np.array([0.0, 1, 1, 1, 1, 0])

EIGHT = np.array([1.0, 1, 1, 1, 1, 1, 0, 0])  # 6 of 8
ONE = np.ones((8, 1))


def proves_separable(found, X, t):
    """One product: along the direction no sample loses, one gains; and the fit says that it has no minimum."""
    assert not found.converged and "no finite minimum" in found.reason and np.isfinite(found.w).all()
    gain = (2 * np.asarray(t) - 1) * (np.asarray(X) @ found.direction)
    return gain.max() > 0.1 and gain.min() >= -1e-9 * gain.max()


# --- the model ----------------------------------------------------------------------------------------------


@pytest.mark.equation("A-3.1-6", "A-3.1-7", "A-3.1-8", "C-3.1-5", "C-3.1-6", "C-3.1-8", "D-2-5", "D-2-13")
def test_odds_of_three_to_one():
    """w = ln 3 and x = 1, -1, 0: odds 3, 1/3, 1 and probabilities 3/4, 1/4, 1/2."""
    np.testing.assert_allclose(lr.log_odds(LN3, ODDS_X), [log(3), -log(3), 0], rtol=1e-15)
    np.testing.assert_allclose(lr.odds(LN3, ODDS_X), [3, 1 / 3, 1], rtol=1e-15)
    np.testing.assert_allclose(posterior(LN3, ODDS_X), [3 / 4, 1 / 4, 1 / 2], rtol=1e-15)


@pytest.mark.equation("A-3.1-1", "A-3.1-7", "A-3.1-8", "A-3.1-9", "A-3.2-1", "A-3.2-2", "C-1-3", "D-2-7")
@pytest.mark.equation("A-3.2-3", "A-3.2-9", "C-3.1-6", "D-2-6", "C-1-8")
def test_the_logarithm_of_the_odds_is_linear():
    """p = 1/(1 + e^-a) = e^a/(1 + e^a), 1 - p = 1/(1 + e^a), so ln p/(1 - p) = a; the bias is the weight of ones."""
    a, p = POINTS @ W[:2] + W[2], posterior(W, X)
    np.testing.assert_allclose(lr.log_odds(W, X), a, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(lr.odds(W, X), p / (1 - p), rtol=1e-13)
    np.testing.assert_allclose(logit(p), a, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(p, 1 / (1 + np.exp(-a)), rtol=1e-13)
    np.testing.assert_allclose(p, np.exp(a) / (1 + np.exp(a)), rtol=1e-13)
    np.testing.assert_allclose(1 - p, 1 / (1 + np.exp(a)), rtol=1e-13)


@pytest.mark.equation("A-3.1-2", "A-3.1-3")
@pytest.mark.erratum("A60")
def test_scores_leave_every_range_of_unbounded_samples_and_probabilities_stay_in_theirs():
    """On a ball of radius 2 no score is beyond |w·x + b| <= 2‖w‖ + |b|."""
    far = np.array([[-1e3], [-30.0], [0.0], [30.0], [1e3]])
    assert lr.log_odds(np.ones(1), far).tolist() == far[:, 0].tolist()
    p = posterior(np.ones(1), far)
    assert ((p >= 0) & (p <= 1)).all() and (np.diff(p) >= 0).all()
    ball, w = POINTS * 2 / np.maximum(2, np.linalg.norm(POINTS, axis=1))[:, None], np.array([3.0, -1])
    assert np.abs(lr.log_odds([*w, 0.5], augment(ball))).max() <= 2 * np.linalg.norm(w) + 0.5


@pytest.mark.equation("A-3.1-4")
def test_the_unit_step_is_the_limit_of_steeper_models():
    """σ(kw·x) for k = 1, 10, 1000 comes to 0, 1/2 and 1; at a = 0 it stays 1/2."""
    z = np.array([-2.0, -0.5, 0.0, 0.5, 2.0])
    assert lr.unit_step(z).tolist() == [0, 0, 0.5, 1, 1]
    away = [np.abs(posterior(np.array([k]), z[:, None]) - lr.unit_step(z)).max() for k in (1.0, 10.0, 1000.0)]
    assert away[0] > away[1] > away[2]
    assert away[2] < 1e-200


@pytest.mark.equation("C-3.1-7", "C-1-11")
def test_prediction_compares_the_posterior_with_the_threshold():
    """p = 3/4, 1/4, 1/2; a tie goes to class 1."""
    assert predict(LN3, ODDS_X).tolist() == [1, 0, 1]
    for threshold, labels in {0.0: [1, 1, 1], 0.2: [1, 1, 1], 0.4: [1, 0, 1], 0.6: [1, 0, 0], 1.0: [0, 0, 0]}.items():
        assert predict(LN3, ODDS_X, threshold).tolist() == labels
        np.testing.assert_array_equal(predict(W, X, threshold), posterior(W, X) >= threshold)
    assert predict(np.ones(1), np.array([[logit(0.73)]]), 0.73).tolist() == [1]  # on the boundary itself


@pytest.mark.equation("C-1-11")
def test_the_threshold_of_unequal_costs():
    """1 costs c_0 (1 - p), 0 costs c_1 p: 1 is cheaper from p = c_0/(c_0 + c_1) on."""
    c_0, c_1, p = 1.0, 4.0, posterior(W, X)
    chosen = predict(W, X, c_0 / (c_0 + c_1))
    cost = np.where(chosen == 1, c_0 * (1 - p), c_1 * p)
    np.testing.assert_allclose(cost, np.minimum(c_0 * (1 - p), c_1 * p), rtol=1e-14)
    assert (chosen != predict(W, X)).any()


@pytest.mark.equation("C-3.1-2", "C-3.1-5", "C-3.1-7")
def test_basis_functions_give_a_boundary_that_no_line_can():
    """On x the likelihood has a maximum, so nothing separates the classes; on a bump φ(x) a direction does."""
    points, t = np.arange(-3.0, 4.0)[:, None], np.array([1, 1, 0, 0, 0, 1, 1])
    on_x = fit(augment(points), t)
    assert on_x.converged and (predict(on_x.w, augment(points)) != t).any()
    Phi = augment(gaussian_basis(points, [[0]], 1.0))
    assert proves_separable(fit(Phi, t), Phi, t)
    np.testing.assert_array_equal(predict(fit(Phi, t, free_bias(1e-3, 2)).w, Phi), t)


# --- likelihood and loss ------------------------------------------------------------------------------------

FORMS = {  # -E, each as it is printed
    "A-3.2-4": lambda a, p, t: log(np.prod([p[n] ** t[n] * (1 - p[n]) ** (1 - t[n]) for n in range(len(t))])),
    "A-3.2-5": lambda a, p, t: sum(t[n] * log(p[n]) + (1 - t[n]) * log(1 - p[n]) for n in range(len(t))),
    "A-3.2-6": lambda a, p, t: sum(t[n] * log(p[n] / (1 - p[n])) + log(1 - p[n]) for n in range(len(t))),
    "A-3.2-7": lambda a, p, t: sum(t[n] * a[n] - log(1 + exp(a[n])) for n in range(len(t))),
    "C-3.1-10": lambda a, p, t: np.sum(t * np.log(p) + (1 - t) * np.log(1 - p)),  # E is minus this
    "D-2-8": lambda a, p, t: np.sum(np.column_stack([1 - t, t]) * np.log(np.column_stack([1 - p, p]))),  # q ln p
    "D-2-9": lambda a, p, t: len(t) * np.mean(t * np.log(p) + (1 - t) * np.log(1 - p)),  # the risk is minus the mean
}


def test_likelihood_by_hand():
    """3/4 · 1/4 · 1/2 = 3/32. The product of many underflows, its logarithm does not."""
    assert lr.likelihood(LN3, ODDS_X, ODDS_T) == pytest.approx(3 / 32, rel=1e-14)
    assert lr.log_likelihood(LN3, ODDS_X, ODDS_T) == pytest.approx(log(3 / 32), rel=1e-14)
    assert loss(LN3, ODDS_X, ODDS_T) == pytest.approx(log(32 / 3), rel=1e-14)
    assert loss(LN3, ODDS_X, ODDS_T, 2.0) == pytest.approx(log(32 / 3) + log(3) ** 2, rel=1e-14)
    Z, t = np.zeros((2000, 1)), np.ones(2000)
    assert lr.likelihood(np.ones(1), Z, t) == 0
    assert lr.log_likelihood(np.ones(1), Z, t) == pytest.approx(-2000 * log(2), rel=1e-13)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.equation("A-3.2-4", "A-3.2-5", "A-3.2-6", "A-3.2-7", "C-3.1-9", "C-3.1-10", "D-2-8", "D-2-9")
def test_the_printed_forms_of_the_likelihood_are_one(form):
    for w in (W, -2 * W, np.zeros(3)):
        value = FORMS[form](X @ w, 1 / (1 + np.exp(-X @ w)), T)
        assert lr.log_likelihood(w, X, T) == pytest.approx(value, rel=1e-12)
        assert loss(w, X, T) == pytest.approx(-value, rel=1e-12)
        assert lr.likelihood(w, X, T) == pytest.approx(exp(value), rel=1e-11)


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
    assert lr.penalty(w, 2.0, 2) == 29
    assert lr.penalty(w, 2.0, 1) == 9
    assert lr.penalty(w, 2.0, 0.5) == pytest.approx(3**0.5 + 2 + 2**0.5, rel=1e-15)
    assert lr.penalty(w, free_bias(2.0, 3), 2) == 25
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


@penalties
@pytest.mark.equation("C-3.1-11", "C-3.1-16", "C-3.1-17", "C-3.1-22")
def test_gradient_and_hessian_are_the_derivatives_of_the_loss(lam):
    for w in (W, 3 * W, np.zeros(3)):
        assert check_gradient(lambda w: loss(w, X, T, lam), lambda w: gradient(w, X, T, lam), w) < 1e-8
        H = hessian(w, X, lam)
        np.testing.assert_allclose(H, jacobian(lambda w: gradient(w, X, T, lam), w), atol=1e-7 * np.abs(H).max())
        np.testing.assert_allclose(H, H.T, rtol=1e-13)


@pytest.mark.equation("C-0-1", "C-3.1-12", "C-3.1-16")
def test_in_note_c_the_label_is_t_and_the_output_y():
    """Φᵀ(y - t) is the gradient for y = σ(Φw) and the label t; with the letters of note D, y the label, it is not."""
    each = [(posterior(W, x) - t) * x for x, t in zip(X, T, strict=True)]
    np.testing.assert_allclose(gradient(W, X, T), np.sum(each, axis=0), rtol=1e-12)
    for y, t, same in [(posterior(W, X), T, True), (T, posterior(W, X), False)]:
        assert np.allclose(X.T @ (y - t), 40 * SLOPE_OF_THE_RISK, rtol=1e-7) == same


LINES_OF_D_2_10 = {  # for each sample, to be summed and divided by -N
    1: lambda y, p: y * (p * (1 - p) / p) - (1 - y) * (p * (1 - p) / (1 - p)),
    2: lambda y, p: y * (1 - p) - (1 - y) * p,
    3: lambda y, p: y - p,
}


@pytest.mark.equation("D-2-10")
@pytest.mark.parametrize("line", LINES_OF_D_2_10.values(), ids=LINES_OF_D_2_10)
def test_gradient_of_the_risk_line_by_line(line):
    risen = -X.T @ line(T, posterior(W, X)) / 40
    np.testing.assert_allclose(risen, SLOPE_OF_THE_RISK, atol=1e-9)
    np.testing.assert_allclose(risen, gradient(W, X, T) / 40, rtol=1e-12)


@pytest.mark.equation("D-2-10")
@pytest.mark.erratum("D16")
def test_the_printed_gradient_lacks_its_minus():
    """Printed (1/N) Σ x(y - ŷ): that is uphill turned downhill; the lines above it carry the minus."""
    printed = X.T @ (T - posterior(W, X)) / 40
    np.testing.assert_allclose(printed, -SLOPE_OF_THE_RISK, atol=1e-9)
    assert loss(W + 0.1 * printed, X, T) < loss(W, X, T) < loss(W - 0.1 * printed, X, T)


@pytest.mark.equation("D-2-10")
@pytest.mark.erratum("D15")
def test_a_sample_number_is_no_power():
    """Printed ŷ^{n} without parentheses: as a power it gives no gradient; as the prediction of sample n line 2 does."""
    p, n = posterior(W, X), np.arange(1, 41)
    as_powers = -X.T @ (T * (1 - p**n) - (1 - T) * p) / 40
    assert np.abs(as_powers - SLOPE_OF_THE_RISK).max() > 0.01


# --- Newton's method: iteratively reweighted least squares --------------------------------------------------


@pytest.mark.equation("C-3.1-15", "C-3.1-19", "C-3.1-20", "C-3.1-21")
def test_newton_is_irls_is_weighted_least_squares_step_by_step():
    """The three lines of the notes, and the minimum of (z - Xw)ᵀR(z - Xw), along four steps."""
    w = np.zeros(3)
    for _ in range(4):
        g, H, p = gradient(w, X, T), hessian(w, X), posterior(w, X)
        r, z = p * (1 - p), lr.working_response(w, X, T)
        np.testing.assert_allclose(z, X @ w - (p - T) / r, rtol=1e-12)
        newton = w - np.linalg.solve(H, g)
        for other in (
            np.linalg.solve(H, H @ w - X.T @ (p - T)),
            np.linalg.solve(H, X.T @ (r * z)),
            np.linalg.lstsq(np.sqrt(r)[:, None] * X, np.sqrt(r) * z)[0],
            irls_step(w, X, T),
        ):
            np.testing.assert_allclose(other, newton, rtol=1e-10, atol=1e-13)
        w = newton
    assert np.abs(gradient(w, X, T)).max() < 1e-6


@pytest.mark.equation("C-3.1-20")
def test_working_response_by_hand():
    """z = a + (t - p)/(p(1 - p)): ±2 at a = 0; ln 3 + 4/3 where t = 1 and p = 3/4, -ln 3 + 4 where p = 1/4.

    Of a sure and right sample it is a + 1/p = a + 1 + e^-a for t = 1, a - 1 - e^a for t = 0.
    """
    assert lr.working_response(np.zeros(1), np.ones((2, 1)), np.array([0.0, 1.0])).tolist() == [-2, 2]
    np.testing.assert_allclose(lr.working_response(LN3, ODDS_X, ODDS_T), [log(3) + 4 / 3, -log(3) + 4, -2], rtol=1e-14)
    for a in (30.0, 40.0):
        z = lr.working_response(np.array([a]), np.array([[1.0], [-1.0]]), np.array([1.0, 0.0]))
        np.testing.assert_allclose(z, [a + 1 + exp(-a), -a - 1 - exp(-a)], rtol=1e-12)


@pytest.mark.equation("C-3.1-15", "C-3.1-19")
def test_newton_steps_by_hand():
    """x = e_1 and 2e_2, w = 0: (¼ XᵀX)⁻¹ Xᵀ(t - ½) = (½/¼, -1/1); with λ = 1 (½/(¼ + 1), -1/(1 + 1)).

    A constant, 3 of 4: from 0 to (3 - 2)/(4/4) = 1; from ln 2, p = 2/3, by (3 - 8/3)/(8/9) = 3/8.
    """
    Z, t = np.diag([1.0, 2.0]), np.array([1.0, 0.0])
    assert lr.newton_step(np.zeros(2), Z, t).tolist() == [2.0, -1.0]
    for step in (lr.newton_step(np.zeros(2), Z, t, 1.0), trajectory(lr.newton_iterates(Z, t, 1.0), 1)[1]):
        np.testing.assert_allclose(step, [0.4, -0.5], rtol=1e-15)
    Z, t = np.ones((4, 1)), np.array([1.0, 1, 1, 0])
    assert irls_step(np.zeros(1), Z, t).tolist() == [1]
    assert irls_step(np.log([2.0]), Z, t) == pytest.approx([log(2) + 3 / 8], rel=1e-14)


def test_irls_keeps_the_digits_of_a_p_that_is_rounded_to_1():
    """a = ±36 and more, each on its side: t - p = s e^-|a|, R = e^-|a|, so that Rz = R(a + s): least squares of a + s.

    x = -1 and 1 weigh e^36 times as much as the others: it is the line through (-1, -36 - 1) and (1, 37 + 1).
    """
    X = augment(np.array([[-3.0], [-2], [-1], [1], [2], [4]]))
    w, t = np.array([36.5, 0.5]), np.array([0.0, 0, 0, 1, 1, 1])
    np.testing.assert_allclose(irls_step(w, X, t), [37.5, 0.5], rtol=1e-12)


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
    path = [loss(w, SIX, SIX_T) for w in trajectory(lr.newton_iterates(SIX, SIX_T), 8)]
    np.testing.assert_allclose(path[:5], losses[:5], rtol=1e-9)
    assert all(after < before for before, after in pairwise(path))
    for found in (run(lr.newton_iterates(SIX, SIX_T)), fit(SIX, SIX_T), fit_l1(SIX, SIX_T, 0.0)):
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
        assert lr.working_response(w, Z, t).tolist() == [-np.inf, 2]
    np.testing.assert_allclose(irls_step(w, Z, t, 1e-3), [-1000, 2 / 1.004], rtol=1e-12)


@pytest.mark.equation("C-3.1-15")
@pytest.mark.erratum("C21")
def test_hessian_and_gradient_are_those_of_the_old_point():
    """Printed w - H⁻¹∇E(w), at which w not said: left at the start they make w run away in equal steps of 1."""
    Z, t, start = np.ones((4, 1)), np.array([1.0, 1, 1, 0]), np.zeros(1)
    assert np.linalg.solve(hessian(start, Z), gradient(start, Z, t)).tolist() == [-1]
    w = start
    for _ in range(6):
        w = irls_step(w, Z, t)
    assert w == pytest.approx(LN3, rel=1e-12)


@pytest.mark.equation("C-3.1-18")
@pytest.mark.erratum("C06")
def test_the_hessian_is_positive_semidefinite_and_definite_with_full_rank_only():
    """Two columns 1 : 2: (2, -1)H(2, -1)ᵀ = 0 at every w. Scores beyond ±745: H = 0 outright."""
    Z, null = np.array([[1.0, 2.0], [2.0, 4.0], [-3.0, -6.0]]), np.array([2.0, -1.0])
    for w in (np.zeros(2), np.array([0.5, -1.0])):
        assert null @ hessian(w, Z) @ null == pytest.approx(0, abs=1e-14)
        assert np.linalg.eigvalsh(hessian(w, Z)).min() > -1e-14
    assert not hessian(np.array([800.0, 0.0]), np.array([[1.0, 1.0], [-1.0, 1.0]])).any()
    for w in np.random.default_rng(1).normal(size=(50, 3)) * 3:
        assert np.linalg.eigvalsh(hessian(w, X)).min() > 0  # rank 3 and 0 < p < 1


@pytest.mark.equation("C-3.1-18")
@pytest.mark.erratum("C07")
def test_a_definite_hessian_makes_the_minimum_unique_if_there_is_one():
    """Separable: H is definite at every w, and there is none. Not separable: one end from every start."""
    Z, t = augment([[0], [1], [2], [3]]), np.array([0.0, 0, 1, 1])
    for w in np.random.default_rng(2).normal(size=(20, 2)) * 3:
        assert np.linalg.eigvalsh(hessian(w, Z)).min() > 0
    assert proves_separable(fit(Z, t), Z, t)
    ends = [run(lr.newton_iterates(X, T, w=w)).w for w in np.random.default_rng(3).normal(size=(5, 3))]
    np.testing.assert_allclose(ends, np.tile(fit(X, T).w, (5, 1)), atol=1e-8)


# --- gradient descent and quasi-Newton ----------------------------------------------------------------------


@pytest.mark.equation("A-3.2-10", "D-2-9", "D-2-11")
@pytest.mark.erratum("D17")
def test_gradient_descent_by_hand():
    """The update as note D prints it, (α/N) Σ x(y - ŷ) from w = 0, with α = ηN. η = 2 is too long for the sum."""
    eta, w = 0.03, np.zeros(3)
    for state in islice(lr.gradient_iterates(X, T, eta=eta), 5):
        np.testing.assert_allclose(state.w, w, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(state.gradient, gradient(w, X, T), rtol=1e-11)
        w = w + eta * 40 / 40 * sum(X[n] * (T[n] - sigmoid(w @ X[n])) for n in range(40))
    for eta, falls in ((2 / 40, True), (2, False)):
        start, *losses = [loss(w, X, T) for w in trajectory(lr.gradient_iterates(X, T, eta=eta), 30)]
        assert (max(losses) < start) == falls == (eta < lr.largest_step(X))


@pytest.mark.equation("A-3.2-10", "D-2-11")
@penalties
def test_gradient_descent_bfgs_and_newton_end_at_one_point(lam):
    found = fit(X, T, lam)
    for iterates in (
        lr.gradient_iterates(X, T, lam, eta=0.9 * lr.largest_step(X, lam)),
        lr.gradient_iterates(X, T, lam, eta=0.9 * lr.largest_step(X, lam), w=W),
        lr.bfgs_iterates(X, T, lam),
        lr.bfgs_iterates(X, T, lam, w=W),
        lr.newton_iterates(X, T, lam, w=W),
    ):
        end = run(iterates)
        assert end.converged, end.reason
        np.testing.assert_allclose(end.w, found.w, atol=1e-7)


def test_largest_step_by_hand():
    """Two ones: XᵀX/4 = 1/2. Columns of squared length 4 and 16: 4 is the larger quarter.

    x = 1 twice, t = 1 and 0: w ← w - η tanh(w/2), and near 0 a step of η > 4 leads to a larger |w|.
    """
    assert lr.largest_step(np.ones((2, 1))) == pytest.approx(4, rel=1e-14)
    assert lr.largest_step(np.ones((2, 1)), 1.0) == pytest.approx(4 / 3, rel=1e-14)
    assert lr.largest_step(np.diag([2.0, 4.0])) == pytest.approx(1 / 2, rel=1e-14)
    assert lr.largest_step(np.diag([2.0, 4.0]), np.array([1.0, 0.0])) == pytest.approx(2 / 5, rel=1e-14)
    for factor in (0.999, 1.001):
        path = trajectory(lr.gradient_iterates(np.ones((2, 1)), [1, 0], eta=4 * factor, w=[0.01]), 1)
        assert path[1, 0] == pytest.approx(0.01 - 4 * factor * np.tanh(0.005), rel=1e-9)
        assert (abs(path[1, 0]) < 0.01) == (factor < 1)


# --- stochastic gradient descent ----------------------------------------------------------------------------


@pytest.mark.equation("C-3.1-12", "C-3.1-13", "C-3.1-14")
def test_stochastic_steps_by_hand():
    """X = I: sample n moves w_n alone, once an epoch and in any order, by -η(σ(w_n) - t_n)."""
    t, eta = np.array([1.0, 0, 1, 0, 1]), 0.5
    for seed in (0, 1):
        path = trajectory(lr.stochastic_iterates(np.eye(5), t, eta=eta, rng=np.random.default_rng(seed)), 15)
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
    stochastic = lr.stochastic_iterates(X, T, lam, eta=0.02, batch=40, rng=np.random.default_rng(0))
    np.testing.assert_allclose(
        trajectory(stochastic, 10), trajectory(lr.gradient_iterates(X, T, lam, eta=0.02), 10), rtol=1e-11, atol=1e-14
    )


@pytest.mark.equation("C-3.1-22")
def test_the_penalty_is_shared_out_among_the_samples():
    """x = 0: only the penalty moves w, in batches of 4, 4 and 2 of 10 by (1 - ηλ·4/10)² (1 - ηλ·2/10)."""
    t, rng = np.zeros(10), np.random.default_rng(0)
    path = trajectory(lr.stochastic_iterates(np.zeros((10, 1)), t, 0.5, eta=0.1, batch=4, rng=rng, w=[1.0]), 3)
    np.testing.assert_allclose(path[:, 0], [1, 0.98, 0.98**2, 0.98**2 * 0.99], rtol=1e-14)


@pytest.mark.equation("C-3.1-13", "C-3.1-14")
@pytest.mark.parametrize("lam, batch, seed", [(1.0, 20, 0), *slow([(1.0, 5, 0), (0.0, 1, 1), (1.0, 40, 1)])])
def test_stochastic_descent_in_any_order_comes_to_the_newton_solution(lam, batch, seed):
    """With steps that fall like 1/epoch the distance does too: 16 times the epochs leave less than a quarter."""
    steps, w, rng = 40 // batch, fit(X, T, lam).w, np.random.default_rng(seed)
    iterates = lr.stochastic_iterates(X, T, lam, eta=lambda k: 0.3 / (1 + k / steps), batch=batch, rng=rng)
    away = np.linalg.norm(trajectory(iterates, 320 * steps)[:: 20 * steps] - w, axis=1)
    assert away[16] < away[1] / 4 or away[16] < 1e-9
    assert away[16] < 1e-2 * away[0]


@pytest.mark.erratum("C23")
@pytest.mark.parametrize("eta", [0.5, *slow([0.1, 0.02])])
def test_a_fixed_stochastic_step_never_comes_to_rest(eta):
    """Two labels that contradict each other: each visit pulls its own way, by about eta/2, forever."""
    many, rng = int(100 / eta), np.random.default_rng(0)
    states = islice(lr.stochastic_iterates(np.ones((2, 1)), [0, 1], eta=eta, rng=rng), many, many + 100)
    w = np.array([state.w[0] for state in states])
    assert 0.2 * eta < np.abs(np.diff(w)).max() < eta


# --- fit: worked and published values -----------------------------------------------------------------------


@pytest.mark.equation("A-3.2-8", "A-3.2-9", "A-3.1-10", "A-3.1-12")
def test_two_groups_are_two_frequencies():
    """x = 2, 6 of 8: ln(3)/2. 1 of 4 against 3 of 4: the weight is the logarithm of the odds ratio 9."""
    np.testing.assert_allclose(fit(2 * ONE, EIGHT).w, [log(3) / 2], rtol=1e-9)
    Z = augment([[0], [0], [0], [0], [1], [1], [1], [1]])
    w = fit(Z, [1, 0, 0, 0, 1, 1, 1, 0]).w
    np.testing.assert_allclose(w, [2 * log(3), -log(3)], rtol=1e-9)
    np.testing.assert_allclose(posterior(w, Z), np.repeat([1 / 4, 3 / 4], 4), rtol=1e-9)


@penalties
@pytest.mark.equation("A-3.2-8", "C-3.1-18", "C-3.1-22", "D-2-14")
def test_fit_ends_where_the_gradient_vanishes_and_every_step_away_costs(lam):
    """So the mean loss, the empirical risk, is least there, too."""
    found = fit(X, T, lam)
    assert found.converged and found.direction is None and found.reason
    np.testing.assert_allclose(gradient(found.w, X, T, lam), 0, atol=1e-9)
    for step in np.random.default_rng(4).normal(size=(20, 3)) * 1e-2:
        assert loss(found.w + step, X, T, lam) > loss(found.w, X, T, lam)


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


# --- fit: no minimum ----------------------------------------------------------------------------------------

SEPARABLE = {
    "two groups": ([[0], [1], [2], [3]], [0, 0, 1, 1]),
    "but for a tie": ([[0], [1], [1], [2]], [0, 0, 1, 1]),
    "a tie on a line": ([[0, 0], [1, 1], [1, 0], [2, 1], [3, 0]], [0, 1, 0, 0, 0]),
    "all ones": ([[0.5], [-1], [2]], [1, 1, 1]),
}
DROWNED = {  # what a sure sample would still add to the gradient, e^-33, is less than the rounding of longer ones
    "a long sample twice": ([[8, 8], [2, 1], [8, 8]], [0, 1, 1], 0.0),
    "a long sample on both sides": ([[256, 256], [2, 1], [-32, -32], [256, 256]], [0, 1, 1, 1], 0.0),
    "three columns": ([[-2, 0, 1], [1, -1, 1], [-2, 2, 1], [0, -1, 1], [-2, -2, 1]], [0, 0, 1, 0, 1], 0.0),
    "a penalty that does not help": ([[-1, 1, -2], [2, 1, 0], [-2, 2, -1]], [0, 1, 1], [0.0, 0, 1]),
}


@pytest.mark.equation("A-3.2-8")
@pytest.mark.erratum("A25", "C07")
@pytest.mark.parametrize(
    "Z, t, lam", [*((augment(x), t, 0.0) for x, t in SEPARABLE.values()), *DROWNED.values()], ids=SEPARABLE | DROWNED
)
def test_separable_classes_have_no_minimum_and_a_direction_that_proves_it(Z, t, lam):
    """One product: no (2t - 1) w·x falls along the direction, and one rises; so does the likelihood, forever."""
    Z, t = np.array(Z, float), np.array(t, float)
    for found in (fit(Z, t, lam), fit_l1(Z, t, lam)):
        assert proves_separable(found, Z, t)
        falling = [loss(c * found.direction, Z, t, lam) for c in (0.0, 1.0, 2.0, 4.0)]
        assert all(after < before for before, after in pairwise(falling))
    assert fit(Z, t, 0.1).converged


@pytest.mark.equation("A-3.2-8", "A-3.2-10")
@pytest.mark.erratum("A25", "D42")
def test_on_separable_data_the_weights_grow_like_a_logarithm():
    """x = ±1, t = 1, 0: w ← w + 2η/(1 + e^w). Of f(w) = e^w + w, convex, each step adds between 2η and 2ηe^η."""
    Z, t, eta = np.array([[1.0], [-1.0]]), np.array([1.0, 0.0]), 0.5
    w = trajectory(lr.gradient_iterates(Z, t, eta=eta), 2000)[:, 0]
    k, f = np.arange(2001), np.exp(w) + w
    assert (np.diff(w) > 0).all()
    assert (f >= 1 + 2 * eta * k - 1e-9 * k).all()
    assert (f <= 1 + 2 * eta * exp(eta) * k + 1e-9 * k).all()
    assert loss(w[-1:], Z, t) < 1e-3 * loss(w[:1], Z, t)
    found = fit(Z, t, 0.01)
    assert found.converged
    assert 2 * sigmoid(-found.w[0]) == pytest.approx(0.01 * found.w[0], rel=1e-9)


# --- the identity with chapter 03 ---------------------------------------------------------------------------


@penalties
def test_logistic_regression_is_the_bernoulli_model(lam):
    """One formula, two rooms: loss, derivatives, steps and the fit of glm.bernoulli."""
    for ours, theirs in (
        (posterior(W, X), glm.predict(W, X, glm.bernoulli)),
        (loss(W, X, T, lam), glm.loss(W, X, T, glm.bernoulli, lam)),
        (gradient(W, X, T, lam), glm.gradient(W, X, T, glm.bernoulli, lam)),
        (hessian(W, X, lam), glm.hessian(W, X, T, glm.bernoulli, lam)),
        (irls_step(W, X, T), glm.irls_step(W, X, T, glm.bernoulli)),
        (lr.working_response(W, X, T), glm.working_response(W, X, T, glm.bernoulli)),
        (fit(X, T, lam).w, glm.fit(X, T, glm.bernoulli, lam).w),
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


# --- the L1 penalty -----------------------------------------------------------------------------------------


@pytest.mark.equation("C-3.1-23")
@pytest.mark.parametrize("lam", [0.0, 0.5, 1.75, 2.0, 3.0, 100.0])
def test_groups_are_zeroed_one_by_one(lam):
    """Of a group with k of 8: 8σ(w) = k - λ as long as that is above 4, k + λ below 4, else w = 0, exactly."""
    k = np.array([7, 6, 4, 1])
    Z = np.kron(np.eye(4), np.ones((8, 1)))
    t = np.concatenate([np.arange(8) < k_j for k_j in k]).astype(float)
    for each in (np.full(4, lam), lam * np.array([0.0, 1, 3, 1])):
        kept = np.maximum(np.abs(k - 4) - each, 0)
        found = fit_l1(Z, t, each)
        assert found.converged and lr.l1_optimality(found.w, Z, t, each) < 1e-9
        np.testing.assert_allclose(found.w, np.sign(k - 4) * logit(0.5 + kept / 8), rtol=1e-9)
        np.testing.assert_array_equal(found.w == 0, kept == 0)


def test_l1_optimality_by_hand():
    """6 of 8, λ = 1: at 0 g = -2, 1 too far; at ln(5/3) g = -1 = -λ; at ln 3 g = 0, λ too far; at -ln 3 g = -4."""
    for w, lam, value in ((0.0, 1, 1), (log(5 / 3), 1, 0), (log(3), 1, 1), (-log(3), 1, 5), (0.0, 2, 0), (0.0, 3, 0)):
        assert lr.l1_optimality(np.array([w]), ONE, EIGHT, lam) == pytest.approx(value, abs=1e-14)


def test_l1_optimality_is_the_steepest_way_down():
    """Of the slopes along e_j and -e_j the lower one, if any goes down; at a kink they are not opposite."""
    lam = np.array([0.5, 3.0, 0.0])
    for w in ([0.7, 0.0, 0.3], [0.0, -0.4, 0.0], [0.0, 0.0, 0.0], [0.7, -0.4, 0.3]):
        w, h = np.array(w), 1e-6

        def along(v, w=w):
            return loss(w + v, X, T) + lam @ np.abs(w + v)

        slopes = [(along(s * h * e) - along(0 * e)) / h for e in np.eye(3) for s in (1, -1)]
        assert lr.l1_optimality(w, X, T, lam) == pytest.approx(max(0, -min(slopes)), abs=1e-4)


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


@pytest.mark.parametrize("seed", [*range(4), *slow(range(4, 40))])
def test_below_a_condition_number_of_1e9_no_layout_changes_the_verdict(seed):
    """Two columns that differ by 1e-4 to 1e-8 of their length, in four layouts. Above, one in ten such draws flips."""
    rng = np.random.default_rng(seed)
    Z, t = rng.normal(size=(12, 2)), rng.integers(0, 2, 12).astype(float)
    A = augment(np.column_stack([Z, Z[:, 0] + 10.0 ** -rng.uniform(4, 8) * rng.normal(size=12)]))
    if np.linalg.cond(A / np.linalg.norm(A, axis=0)) > 1e9:
        return
    layouts = (A, np.asfortranarray(A), np.repeat(A, 2, axis=0)[::2], np.repeat(A, 2, axis=1)[:, ::2])
    (verdict,) = {(found.converged, found.direction is None) for found in (fit(same, t) for same in layouts)}
    assert verdict in ((True, True), (False, False))


@pytest.mark.parametrize("n, k", [(1, -15), (3, -9), (3, -8), (3, -1), *slow(product((1, 3), (-12, -10, -4)))])
def test_a_lasso_of_samples_that_a_line_separates_but_for_some_on_it(n, k):
    """x = -1 with either label, x = 1 with t = 1, 2n times each: 2nσ(-(w + b)) = λ and w = b, so w = ½ ln(2n/λ - 1).

    The weights p(1 - p) are 1/4 and λ/2n. The columns, which are independent, are not blamed where the digits end: the
    scores are known to some 4n ε/λ, and from λ = 1e-9 on it is luck, another on each processor, whether they settle.
    """
    lam, Z = 10.0**k, np.repeat([[-1.0, 1.0], [1.0, 1.0]], 2 * n, axis=0)
    found = fit_l1(Z, np.append(np.tile([0.0, 1.0], n), np.ones(2 * n)), lam)
    assert found.converged or (k < -8 and found.reason.endswith("give a larger lam")), found.reason
    if found.converged:  # up to what 4n ε in a sum of 4n residuals of 1/2 is beside λ
        np.testing.assert_allclose(found.w, np.full(2, np.log(2 * n / lam - 1) / 2), rtol=1e-7, atol=1e-15 * n / lam)


@st.composite
def small(draw, most=7, widest=3):
    """X of small integers, labels t, a penalty per column."""
    N, d = draw(st.integers(1, most)), draw(st.integers(1, widest))
    X = np.array(draw(st.lists(st.integers(-4, 4), min_size=N * d, max_size=N * d)), float).reshape(N, d)
    t = np.array(draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=N, max_size=N)))
    lam = np.array(draw(st.lists(st.sampled_from([0.0, 0.25, 1.0, 3.0]), min_size=d, max_size=d)))
    return X, t, lam


@given(small())
def test_l1_ends_at_a_minimum_or_with_a_proof(problem):
    """Dependent columns, ties, one class: the kink conditions hold, or a direction without penalty proves why not."""
    X, t, lam = problem
    found = fit_l1(X, t, lam)
    if found.converged:
        assert lr.l1_optimality(found.w, X, t, lam) < 1e-7
    else:
        assert proves_separable(found, X, t)
        assert not found.direction[lam > 0].any()


# --- where the notes are wrong ------------------------------------------------------------------------------


@pytest.mark.equation("A-3.1-4", "A-3.1-5")
@pytest.mark.erratum("A21")
def test_the_step_is_monotone_but_neither_differentiable_nor_invertible():
    """Printed "not monotone and differentiable, so no g": it never falls; and z → p would be g⁻¹, as σ is logit⁻¹."""
    z = np.linspace(-2, 2, 41)
    assert (np.diff(lr.unit_step(z)) >= 0).all()
    slopes = [(lr.unit_step(h) - lr.unit_step(-h)) / (2 * h) for h in (1e-1, 1e-3, 1e-6)]
    np.testing.assert_allclose(slopes, [5, 500, 500_000], rtol=1e-12)  # no limit
    assert lr.unit_step(1.0) == lr.unit_step(2.0)  # no inverse
    np.testing.assert_allclose(glm.logit.g(posterior(np.ones(1), z[:, None])), z, atol=1e-14)


@pytest.mark.equation("A-3.1-10", "D-2-7")
@pytest.mark.erratum("A22", "D40")
def test_the_model_is_of_the_log_odds_of_the_probability_not_of_the_label():
    """Printed "log odds of the labels": these are ±inf, no line reaches them; that of the frequency 6/8 is ln 3."""
    assert logit(EIGHT).tolist() == [np.inf] * 6 + [-np.inf] * 2
    with pytest.raises(ValueError, match="y holds inf"):
        least_squares(ONE, logit(EIGHT))
    assert lr.log_odds(fit(ONE, EIGHT).w, ONE)[0] == pytest.approx(logit(EIGHT.mean()), rel=1e-9)
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


@pytest.mark.equation("A-3.1-13")
@pytest.mark.erratum("A24")
def test_the_logarithm_is_concave_and_the_negative_log_likelihood_is_convex():
    """Printed "the logarithm is convex", where σ is most likely meant: ln 2, midway from 1 to 3, is above ln(3)/2; σ
    bends both ways, E upwards."""
    assert log(2) > (log(1) + log(3)) / 2
    assert sigmoid(-2.0) < (sigmoid(-1.0) + sigmoid(-3.0)) / 2
    assert sigmoid(2.0) > (sigmoid(1.0) + sigmoid(3.0)) / 2
    for v, w in np.random.default_rng(7).normal(size=(50, 2, 3)) * 3:
        assert loss((v + w) / 2, X, T) < (loss(v, X, T) + loss(w, X, T)) / 2


@pytest.mark.equation("A-3.2-8", "A-3.2-10")
@pytest.mark.erratum("A26")
def test_the_likelihood_is_climbed():
    """Printed max L by gradient descent: down L the likelihood falls; up L, which is down E = -L, it rises."""
    uphill = central_difference(lambda w: lr.log_likelihood(w, X, T), W)
    down, here, up = (lr.log_likelihood(W + step * uphill, X, T) for step in (-0.01, 0, 0.01))
    assert down < here < up
    after = trajectory(lr.gradient_iterates(X, T, eta=0.01, w=W), 1)[1]
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


@pytest.mark.equation("C-3.1-23")
@pytest.mark.erratum("C10")
def test_the_penalty_runs_over_the_weights_that_there_are():
    """w_0 ... w_3, M = 4, the bias first as in note C. Printed j = 1 to M asks for w_4; to M - 1 it frees the bias."""
    w, M = np.array([5.0, 3.0, -4.0, 2.0]), 4
    with pytest.raises(IndexError):
        sum(abs(w[j]) ** 2 for j in range(1, M + 1))
    freed = sum(abs(w[j]) ** 2 for j in range(1, M)) / 2
    assert freed == lr.penalty(np.roll(w, -1), free_bias(1.0, 4), 2) == 29 / 2  # ours has the bias last


@pytest.mark.equation("C-3.1-23")
@pytest.mark.erratum("C11")
@pytest.mark.parametrize("q, above", [(2, -1 / 4), (1, 0), (0.5, 0.5**0.5 - 0.5), (0.1, 0.5**0.1 - 0.5)])
def test_the_general_penalty_is_convex_from_one_on_only(q, above):
    """Between 0 and 1: (1/2)^q against the mean 1/2 of the ends."""
    ends = [lr.penalty(np.array([w]), 2.0, q) for w in (0.0, 1.0)]
    assert lr.penalty(np.array([0.5]), 2.0, q) - sum(ends) / 2 == pytest.approx(above, rel=1e-13)


@pytest.mark.equation("C-3.1-23")
@pytest.mark.erratum("C11")
def test_below_one_the_penalty_makes_two_minima():
    """7 of 8, q = 1/2, λ such that the slope vanishes at w = 1: 8σ(1) - 7 + λ/4 = 0. There E curves up; and at 0,
    where the penalty is infinitely steep, is another minimum. With q = 1 there is one, with q = 2 no zero."""
    t = np.array([1.0] * 7 + [0.0])
    lam = 4 * (7 - 8 * sigmoid(1.0))

    def F(w):
        return loss(np.array([w]), ONE, t) + lr.penalty(np.array([w]), lam, 0.5)

    assert central_difference(F, 1.0) == pytest.approx(0, abs=1e-7)
    assert F(1.0) < min(F(0.9), F(1.1)) and F(0.0) < min(F(-1e-3), F(1e-3))
    assert max(F(w) for w in np.linspace(0, 1, 101)) > max(F(0.0), F(1.0)) + 1e-3
    assert fit_l1(ONE, t, 3.0).w[0] == 0
    assert fit(ONE, t, 1e4).w[0] > 0


@pytest.mark.equation("D-2-7")
@pytest.mark.erratum("D12")
def test_both_posteriors_are_of_the_same_x():
    """x = 2.6, w = 1/2: printed 1 - p(y = 1|1) is that of the sample 1, and p(x = 0|x) is 0, for x is 2.6."""
    w, x = np.array([0.5]), np.array([[2.6]])
    p, of_one = posterior(w, x)[0], posterior(w, np.ones((1, 1)))[0]
    assert abs(log(p / (1 - of_one)) - 1.3) > 0.5
    with np.errstate(divide="ignore"):
        assert np.log(p / np.float64(x[0, 0] == 0)) == np.inf
    assert log(p / (1 - p)) == pytest.approx(1.3, rel=1e-14) == lr.log_odds(w, x)[0]


@pytest.mark.equation("D-2-8")
@pytest.mark.erratum("D13")
def test_a_label_is_no_true_probability():
    """Eight times the same x, six labels 1: as p(y = 1|x) they would be 1 and 0 at once. Their mean cross entropy is
    that of the frequency 3/4, least at p = 3/4 and not 0 there."""
    assert set(EIGHT) == {0, 1}  # two "true probabilities" of one x
    for w in (np.zeros(1), LN3, np.array([-1.0])):
        p = posterior(w, ONE)[0]
        assert loss(w, ONE, EIGHT) / 8 == pytest.approx(-3 / 4 * log(p) - 1 / 4 * log(1 - p), rel=1e-13)
    found = fit(ONE, EIGHT).w
    assert posterior(found, ONE)[0] == pytest.approx(3 / 4, rel=1e-9)
    assert loss(found, ONE, EIGHT) / 8 == pytest.approx(log(4) - 0.75 * log(3), rel=1e-12)


@pytest.mark.equation("D-2-8", "D-2-9")
@pytest.mark.erratum("D14")
def test_each_label_is_that_of_its_own_sample():
    """x = ±ln 3 with labels 1 and 0, w = 1: ŷ = 3/4, 1/4. Printed, p_r(y = 1|x) has one x for all samples, and so one
    label for all: the sum is ln(16/3)/2 whichever x that is. With x^(n) it is ln(4/3), the library's E/N."""
    Z, t, w = np.array([[log(3)], [-log(3)]]), np.array([1.0, 0]), np.ones(1)
    for label in t:
        assert loss(w, Z, np.full(2, label)) / 2 == pytest.approx(log(16 / 3) / 2, rel=1e-14)
    assert loss(w, Z, t) / 2 == pytest.approx(log(4 / 3), rel=1e-14)


# --- metamorphic relations ----------------------------------------------------------------------------------


def test_the_lasso_follows_order_names_units_and_copies():
    """x_j ← s x_j: w_j/s, if λ_j goes with |s|."""
    w, order, s = fit_l1(X, T, LAM).w, np.random.default_rng(9).permutation(40), np.array([-2.0, 1e6, 3.0])
    np.testing.assert_allclose(fit_l1(X[order], T[order], LAM).w, w, rtol=1e-8)
    np.testing.assert_allclose(fit_l1(X[:, [2, 0, 1]], T, LAM[[2, 0, 1]]).w, w[[2, 0, 1]], rtol=1e-8)
    np.testing.assert_allclose(fit_l1(X, 1 - T, LAM).w, -w, rtol=1e-8)
    np.testing.assert_allclose(fit_l1(X * s, T, LAM * np.abs(s)).w, w / s, rtol=1e-7)
    np.testing.assert_allclose(fit_l1(np.vstack([X, X]), np.append(T, T), 2 * LAM).w, w, rtol=1e-8)


# --- edges --------------------------------------------------------------------------------------------------


def test_a_constant_column_twice_is_singular():
    """For Newton; BFGS finds one of the many minima, and L1 does not use all columns."""
    Z = np.column_stack([X, np.ones(40)])
    with pytest.raises(np.linalg.LinAlgError):
        irls_step(np.zeros(4), np.column_stack([SIX, np.ones(6)]), SIX_T)
    end = run(lr.bfgs_iterates(Z, T))
    np.testing.assert_allclose([*end.w[:2], end.w[2] + end.w[3]], fit(X, T).w, atol=1e-7)
    sparse = fit_l1(Z, T, 0.0)
    assert end.converged and sparse.converged
    np.testing.assert_allclose(gradient(sparse.w, Z, T), 0, atol=1e-9)


def test_features_far_from_zero():
    """An offset of 1e8 with a free constant column: the same weights. Points are multiples of 2⁻²⁰, so it is exact."""
    points, lam = np.round(POINTS * 2**20) / 2**20, free_bias(1.0, 3)
    w, found = fit_l1(augment(points), T, lam).w, fit_l1(augment(points + 1e8), T, lam)
    assert found.converged
    np.testing.assert_allclose(found.w, [*w[:2], w[2] - 1e8 * w[:2].sum()], rtol=1e-7)
    with pytest.raises(np.linalg.LinAlgError, match=r"singular to rounding.*center and rescale X"):
        lr.newton_iterates(augment(points + 1e8), T)


@pytest.mark.parametrize("seed", [*range(4), *slow(range(4, 70))])
def test_bfgs_falls_as_far_as_newton_in_any_units_up_to_a_million(seed):
    """One feature or both in units of 1 to 1e6 beside a bias: -∇E, the first direction, is far too long then."""
    rng = np.random.default_rng(seed)
    unit = 10 ** rng.uniform(0, 6)
    Z = augment(rng.normal(size=(30, 2)) * ([unit, 1] if seed % 2 else unit))
    t = (rng.random(30) < 0.5).astype(float)
    best = fit(Z, t)
    assert best.converged
    start, least = loss(np.zeros(3), Z, t), loss(best.w, Z, t)
    assert loss(run(lr.bfgs_iterates(Z, t)).w, Z, t) - least <= 1e-2 * (start - least)


@pytest.mark.parametrize("seed", [0, *slow(range(1, 50))])
@pytest.mark.parametrize("iterates", [lr.newton_iterates, lr.bfgs_iterates])
def test_iterates_end_where_only_rounding_is_left(iterates, seed):
    assert len(list(islice(iterates([[-1, 1], [0, 1], [1, 1], [1, 1]], [0, 0, 1, 0], 2.0), 200))) < 50
    Z = np.random.default_rng(seed).normal(size=(8, 2))
    assert len(list(islice(iterates(Z, [0, 1] * 4, 1.0), 200))) < 100


@pytest.mark.erratum("A59")
def test_the_unit_step_is_ideal_only_without_noise():
    """Where one label of three differs on the same side, the step says 0, and the share does not."""
    t, side = np.array([1.0, 1, 0]), lr.unit_step(1.0)
    assert np.prod(np.where(t == 1, side, 1 - side)) == 0
    assert lr.likelihood(fit(ONE[:3], t).w, ONE[:3], t) == pytest.approx(4 / 27)


@pytest.mark.slow
@pytest.mark.parametrize("lam", [0.1, 1.0, 20.0])
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn(lam):
    """The fenced block of the chapter, as it stands there, on its flowers: C = 1/λ, and a bias without a penalty."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    cells = notebooks.read(ROOT / "notebooks" / "04_logistic_regression.ipynb")["cells"]
    (text,) = (notebooks.text(cell["source"]) for cell in cells if cell["id"] == "ch04-sklearn")
    iris = datasets.iris()
    pair = iris.y > 0
    Z, t = augment(iris.X[pair, 2:] - iris.X[pair, 2:].mean(axis=0)), (iris.y[pair] == 2) * 1.0
    names = {"np": np, "X": Z, "t": t, "lam": lam}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], names)
    np.testing.assert_allclose(names["w"].ravel(), fit(Z, t, free_bias(lam, 3)).w, rtol=1e-5)

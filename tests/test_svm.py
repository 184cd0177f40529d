"""Chapter 10, the support vector machine: every equation of notes D 5 and E (margin), and where the notes are wrong."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from cases import slow

from linmodels import kernels, perceptron
from linmodels.book import notebooks
from linmodels.datasets import separable
from linmodels.derivatives import central_difference, check_gradient
from linmodels.solvers import cholesky, machines
from linmodels.svm import (
    bias,
    canonical,
    decision_function,
    distances,
    dual_decision_function,
    dual_objective,
    dual_predict,
    duality_gap,
    fit,
    fit_dual,
    functional_margin,
    geometric_margin,
    hinge,
    kkt_residuals,
    lagrangian,
    lagrangian_gradient,
    predict,
    primal,
    primal_objective,
    support_vectors,
)

INF = np.inf
# Li Hang, Statistical Learning Methods, examples 7.1 and 7.2: w = (1/2, 1/2), b = -2, λ = (1/4, 0, 1/4), γ = √2
LI_X, LI_Y = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1.0, 1.0, -1.0])
LI_K, W, B, LAMBDA = LI_X @ LI_X.T, np.array([0.5, 0.5]), -2.0, np.array([0.25, 0.0, 0.25])
SQUARE_X, SQUARE_Y = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]), np.array([1.0, 1.0, -1.0, -1.0])
SQ = (SQUARE_X, SQUARE_Y)
XOR_X, XOR_Y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
PAIR_X, PAIR_Y = np.array([[0.0], [2.0]]), np.array([-1.0, 1.0])  # w = 1, b = -1, λ = (1/2, 1/2)
RNG = np.random.default_rng(0)
X, Y, PLANE, OFFSET = separable(20, 2, gap=0.3, rng=RNG)
G = X @ X.T
MIXED = np.where(np.random.default_rng(1).random(20) < 0.3, -Y, Y)  # labels that no line separates


def feasible(y, C, rng):
    """A λ with 0 <= λ <= C and Σ λ y = 0: of the class with more in sum, all are made smaller alike."""
    alpha = rng.uniform(0, C, len(y))
    sums = alpha[y > 0].sum(), alpha[y < 0].sum()
    return alpha * np.where(y > 0, min(sums) / sums[0], min(sums) / sums[1])


def assert_same_machine(found, w, b, rtol=1e-9):
    np.testing.assert_allclose(found.w, w, rtol=0, atol=rtol * np.abs(w).max())
    assert found.b == pytest.approx(b, rel=rtol, abs=rtol * max(1, np.abs(w).max()))


def assert_proof_that_nothing_separates(result, Z, y):
    """Weights a >= 0 with Σ a = 1 and Σ a_n y_n (x_n, 1) = 0, so that Σ a_n y_n f(x_n) = 0 for every plane."""
    proof = result.certificate
    assert not result.converged and not proof.separable
    assert result.gap == INF and result.b == 0
    assert result.reason == (machines.INSEPARABLE if hasattr(result, "w") else machines.INSEPARABLE_FEATURES)
    np.testing.assert_array_equal(result.alpha, proof.weights)
    assert proof.weights.min() >= 0 and proof.weights.sum() == pytest.approx(1, rel=1e-12)
    signed = y[:, None] * np.column_stack([Z, np.ones(len(Z))])
    assert np.abs(proof.weights @ signed).max() <= 1e-9 * np.abs(signed).max()


# --- worked values ------------------------------------------------------------------------------------------


@pytest.mark.equation("D-5-8", "E-margin-7", "D-5-5", "E-margin-1")
def test_li_hang_example_7_1():
    """Published: w = (1/2, 1/2), b = -2; so γ = 1/‖w‖ = √2."""
    result = fit(LI_X, LI_Y)
    np.testing.assert_allclose([*result.w, result.b], [*W, B], rtol=1e-14)
    assert geometric_margin(result.w, result.b, LI_X, LI_Y) == pytest.approx(np.sqrt(2), rel=1e-14)
    assert result.converged and result.certificate is None and 0 <= result.gap <= 1e-15 and result.n_iter >= 1
    assert result.reason.startswith("duality gap ") and f"of 0.25 after {result.n_iter} steps" in result.reason


@pytest.mark.equation("D-5-14", "D-5-12", "D-5-17")
def test_li_hang_example_7_2():
    """Published: λ = (1/4, 0, 1/4), Γ = 1/4, from which w and b follow."""
    for result in (fit(LI_X, LI_Y), fit_dual(LI_K, LI_Y)):
        np.testing.assert_allclose(result.alpha, LAMBDA, rtol=1e-13)
        assert result.b == pytest.approx(B, rel=1e-13)
        assert result.alpha[1] == 0 and result.converged
    assert dual_objective(LAMBDA, LI_K, LI_Y) == 1 / 4
    assert primal(LAMBDA, LI_Y, LI_X).tolist() == [0.5, 0.5]
    assert bias(LAMBDA, LI_K, LI_Y) == -2
    assert support_vectors(LAMBDA).tolist() == [0, 2]


@pytest.mark.parametrize("x_minus, x_plus", [([0.0, 0.0], [3.0, 4.0]), ([2.0], [-1.0])], ids=["plane", "line"])
def test_two_samples_by_hand(x_minus, x_plus):
    """The plane halves the way: w = 2v/v·v with v = x₊ - x₋, λ = 2/v·v; where C < 2/v·v, w = Cv and b as before
    half way."""
    points, y = np.array([x_minus, x_plus]), np.array([-1.0, 1.0])
    v, middle = points[1] - points[0], points.mean(axis=0)
    for C, lam in ((INF, 2 / (v @ v)), (10.0, 2 / (v @ v)), (0.5 / (v @ v), 0.5 / (v @ v))):
        result, dual = fit(points, y, C), fit_dual(points @ points.T, y, C)
        np.testing.assert_allclose([*result.w, result.b], [*(lam * v), -lam * v @ middle], rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose([result.alpha, dual.alpha], [[lam, lam]] * 2, rtol=1e-13)
        assert result.converged and dual.converged and dual.b == pytest.approx(result.b, rel=1e-12)


@pytest.mark.equation("D-5-7", "D-5-16")
@pytest.mark.erratum("ERR-D32")
def test_on_the_margin_is_not_yet_a_support_vector():
    """Printed: the samples with y f = 1 are the support vectors. All four corners of the square have that, but
    λ = (1/2, 0, 1/2, 0) and (0, 1/2, 0, 1/2) need two each; w = (1, 0), b = 0 is the same for all their mixtures."""
    K, w = SQUARE_X @ SQUARE_X.T, np.array([1.0, 0.0])
    assert (SQUARE_Y * decision_function(w, 0.0, SQUARE_X)).tolist() == [1, 1, 1, 1]
    for lam, support in (([1, 0, 1, 0], [0, 2]), ([0, 1, 0, 1], [1, 3]), ([0.5, 0.5, 0.5, 0.5], [0, 1, 2, 3])):
        alpha = np.array(lam) / 2
        assert support_vectors(alpha).tolist() == support
        assert (primal(alpha, SQUARE_Y, SQUARE_X).tolist(), bias(alpha, K, SQUARE_Y)) == ([1, 0], 0)
        assert dual_objective(alpha, K, SQUARE_Y) == 1 / 2 == primal_objective(w, 0.0, SQUARE_X, SQUARE_Y)
        assert tuple(kkt_residuals(w, 0.0, alpha, SQUARE_X, SQUARE_Y)) == (0, 0, 0, 0)
    result, dual = fit(SQUARE_X, SQUARE_Y), fit_dual(K, SQUARE_Y)
    np.testing.assert_allclose([*result.w, result.b, dual.b], [1, 0, 0, 0], atol=1e-14)
    np.testing.assert_allclose(primal(dual.alpha, SQUARE_Y, SQUARE_X), [1, 0], atol=1e-14)


@pytest.mark.erratum("ERR-D32")
def test_a_sample_on_the_margin_may_have_no_multiplier_even_where_lambda_is_unique():
    """(4, 2): f = 2 + 1 - 2 = 1, but (3, 3) and (1, 1) alone make w; three samples off one line have one λ only."""
    points = np.array([[3.0, 3.0], [4.0, 2.0], [1.0, 1.0]])
    result, dual = fit(points, LI_Y), fit_dual(points @ points.T, LI_Y)
    np.testing.assert_allclose([result.alpha, dual.alpha], [LAMBDA, LAMBDA], atol=1e-12)
    assert decision_function(result.w, result.b, points)[1] == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("sign", [1, -1])
def test_xor_on_bits_by_hand(sign):
    """k = (x·z + 1)² on (0, 0), (1, 1), (0, 1), (1, 0): Kβ + b = y with Σ β = 0 has the solution
    β = (10/3, 2, -8/3, -8/3), b = 1 for y = (1, 1, -1, -1), by fractions; all λ > 0, so it is the optimum."""
    K, y = kernels.gram(kernels.polynomial, XOR_X), -sign * XOR_Y
    beta = [Fraction(10, 3), Fraction(2), Fraction(-8, 3), Fraction(-8, 3)]
    scores = [sum(int(k) * beta_n for k, beta_n in zip(row, beta, strict=True)) + 1 for row in K]
    assert scores == [1, 1, -1, -1] and sum(beta) == 0
    result = fit_dual(K, y)
    np.testing.assert_allclose([*result.alpha, result.b], [10 / 3, 2, 8 / 3, 8 / 3, sign], rtol=1e-12)
    assert dual_predict(result.alpha, result.b, y, K).tolist() == y.tolist()
    small = fit_dual(K, y, C=3.0)  # the largest is cut there
    assert small.alpha.max() == 3 and small.converged


@pytest.mark.equation("D-5-4", "E-margin-5", "E-margin-10", "E-margin-4")
def test_margins_by_hand():
    """w = (3, 4), b = -5: f = -5, 20, 0; y = (-1, 1, -1): y f = 5, 20, 0, a fifth of it is the distance."""
    w, points, y = np.array([3.0, 4.0]), np.array([[0.0, 0], [3, 4], [3, -1]]), np.array([-1.0, 1.0, -1.0])
    assert distances(w, -5.0, points, y).tolist() == [1, 4, 0]
    assert functional_margin(w, -5.0, points[:2], y[:2]) == 5
    assert geometric_margin(w, -5.0, points[:2], y[:2]) == 1
    assert geometric_margin([1, 0], -2, [[3, 0], [0, 0]], [-1, -1]) == -1  # a wrong side: no distance
    w_1, b_1 = canonical(w, -5.0, points[:2], y[:2])
    np.testing.assert_allclose([*w_1, b_1], [3 / 5, 4 / 5, -1], rtol=1e-15)


@pytest.mark.equation("E-margin-7", "D-5-5")
def test_objectives_by_hand():
    """w = (1, 2), b = 1, x = (1, 1), (-1, 0), (0, -1), y = 1, -1, -1: f = 4, 0, -1, ξ = 0, 1, 0; ½‖w‖² = 5/2."""
    w, points, y = np.array([1.0, 2.0]), np.array([[1.0, 1], [-1, 0], [0, -1]]), np.array([1.0, -1.0, -1.0])
    assert hinge(w, 1.0, points, y).tolist() == [0, 1, 0]
    assert primal_objective(w, 1.0, points, y, C=3.0) == 5.5
    assert primal_objective(w, 1.0, points, y) == INF
    assert primal_objective(w, 1.0, points[::2], y[::2]) == 2.5 == primal_objective(w, 1.0, points[::2], y[::2], C=9.0)
    lam = np.array([1.0, 10, 100])
    assert lagrangian(w, 1.0, lam, points, y) == 2.5 + 1 * (1 - 4) + 10 * 1 + 100 * 0
    gw, gb = lagrangian_gradient(w, 1.0, lam, points, y)
    assert (gw.tolist(), gb) == ([1 - (1 + 10), 2 - (1 + 100)], 109)
    assert dual_objective(np.array([1.0, 1, 0]), points @ points.T, y) == 2 - 0.5 * (2 + 1 + 2)


# --- margins ------------------------------------------------------------------------------------------------


@pytest.mark.equation("D-5-3")
@pytest.mark.erratum("ERR-D30")
def test_the_distance_has_two_forms_on_the_right_side_only():
    """Printed: |f|/‖w‖ = y f/‖w‖ for every sample. For a plane that is wrong for some, the signs differ there."""
    assert decision_function is perceptron.decision_function and predict is perceptron.predict
    w, b = np.array([-PLANE[1], PLANE[0]]), 0.1  # across the one that separates
    right = predict(w, b, X) == Y
    absolute, signed = np.abs(X @ w + b) / np.linalg.norm(w), distances(w, b, X, Y)
    assert 0 < right.sum() < 20
    np.testing.assert_allclose(absolute, np.where(right, signed, -signed), rtol=1e-14)
    foot = X - (signed * Y)[:, None] * w / np.linalg.norm(w)  # from each sample so far along the normal: on the plane
    np.testing.assert_allclose(decision_function(w, b, foot), 0, atol=1e-14)


@pytest.mark.parametrize("b, margin", [(0.0, "-2"), (-1.0, "-1"), (-2.0, "-1"), (-3.0, "-2")])
def test_no_canonical_form_where_nothing_is_separated(b, margin):
    """Divided by a margin below 0, the plane would be turned round."""
    with pytest.raises(ValueError, match=rf"^w, b must separate the samples, found min y_n.* = {margin};"):
        canonical([1.0], b, [[1.0], [2.0]], [1, -1])
    with pytest.raises(ValueError, match=r"found min y_n.* = 0;"):  # a sample on the plane
        canonical([1.0, -1.0], 3.0, [[0.0, 3.0], [2.0, 0.0]], [1, 1])
    with pytest.raises(ValueError, match=r"^there is no finite result here: w is 0"):
        distances([0.0], 1.0, [[1.0]], [1])


@pytest.mark.equation("D-5-19", "E-margin-2", "E-margin-6", "E-margin-10", "D-5-6")
@pytest.mark.parametrize("c", [1e-3, 1e5])
def test_scaling_leaves_distances_and_canonical_form(c):
    """Of length 1 both margins are one; of functional margin 1 the other is 1/‖w‖."""
    w, b, gamma = c * PLANE, c * OFFSET, functional_margin(PLANE, OFFSET, X, Y)
    assert gamma == pytest.approx(geometric_margin(PLANE, OFFSET, X, Y), rel=1e-14)
    np.testing.assert_allclose(distances(w, b, X, Y), distances(PLANE, OFFSET, X, Y), rtol=1e-12)
    assert functional_margin(w, b, X, Y) == pytest.approx(c * gamma, rel=1e-12)
    v, a = canonical(w, b, X, Y)
    np.testing.assert_allclose([*v, a], np.append(*canonical(PLANE, OFFSET, X, Y)))
    assert functional_margin(v, a, X, Y) == pytest.approx(1, rel=1e-14)
    assert 1 / np.linalg.norm(v) == pytest.approx(geometric_margin(v, a, X, Y), rel=1e-14) == pytest.approx(gamma)


@pytest.mark.equation("E-margin-3")
def test_unit_vectors_are_no_convex_set():
    """(1, 0) and (0, 1) have length 1, their mean √½; of w and -w it is 0."""
    u, v = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert np.linalg.norm((u + v) / 2) == pytest.approx(np.sqrt(1 / 2)) and np.linalg.norm((u - u) / 2) == 0


@pytest.mark.equation("E-margin-9")
def test_the_margin_over_the_length_is_not_concave():
    """On Li Hang's samples (w, b) and 2(w, b) both have y f >= γ^ = 1: γ^/‖w‖ = √2 and √2/2 there, but 2√2/3 half
    way, less than their mean 3√2/4."""
    assert all(functional_margin(c * W, c * B, LI_X, LI_Y) >= 1 for c in (1.0, 1.5, 2.0))
    values = [1 / np.linalg.norm(c * W) for c in (1.0, 1.5, 2.0)]
    np.testing.assert_allclose(values, [np.sqrt(2), 2 * np.sqrt(2) / 3, np.sqrt(2) / 2], rtol=1e-14)
    assert values[1] < (values[0] + values[2]) / 2


@pytest.mark.equation("E-margin-4", "E-margin-5")
@pytest.mark.erratum("ERR-E01")
def test_functional_margins_exceed_the_functional_margin_not_the_distances():
    """Printed: all distances are >= γ^. Of Li Hang's plane times 10, γ^ = 10, but the distances begin at √2."""
    w, b = 10 * W, 10 * B
    smallest, away = functional_margin(w, b, LI_X, LI_Y), distances(w, b, LI_X, LI_Y)
    assert smallest == 10 and not (away >= smallest).any()
    assert (LI_Y * decision_function(w, b, LI_X) >= smallest).all()
    assert away.min() == pytest.approx(smallest / np.linalg.norm(w), rel=1e-14) == pytest.approx(np.sqrt(2))


@pytest.mark.equation("E-margin-4", "D-5-6", "E-margin-6")
@pytest.mark.erratum("ERR-D31")
def test_the_normalised_problem_maximises_the_inverse_length():
    """Printed: max γ under y f >= 1, where γ no longer occurs, and ‖w‖γ = 1. c(w, b), c >= 1, meets the constraints,
    always with the same γ: max γ does not choose, and ‖w‖γ = c is not 1. 1/‖w‖ = γ/c does, at c = 1."""
    gamma = geometric_margin(W, B, LI_X, LI_Y)
    for c in (0.99, 1.0, 1000.0):
        assert (functional_margin(c * W, c * B, LI_X, LI_Y) >= 1) == (c >= 1)
        assert geometric_margin(c * W, c * B, LI_X, LI_Y) == pytest.approx(gamma, rel=1e-12)
        assert np.linalg.norm(c * W) * gamma == pytest.approx(c, rel=1e-12)
    assert 1 / np.linalg.norm(fit(LI_X, LI_Y).w) == pytest.approx(gamma, rel=1e-12)


@pytest.mark.equation("D-5-5", "E-margin-1", "D-5-6")
@pytest.mark.parametrize("seed", range(2))
def test_no_direction_in_the_plane_has_a_larger_margin(seed):
    """Along a unit v the best γ is half the way from max v·x₋ to min v·x₊. An angle off by δ loses at most δR."""
    points, y, *_ = separable(30, 2, gap=0.2, rng=np.random.default_rng(seed))
    result, angles = fit(points, y), np.linspace(0, 2 * np.pi, 20001)
    projected = points @ np.array([np.cos(angles), np.sin(angles)])
    widths = (projected[y > 0].min(axis=0) - projected[y < 0].max(axis=0)) / 2
    gamma = geometric_margin(result.w, result.b, points, y)
    assert gamma == pytest.approx(1 / np.linalg.norm(result.w), rel=1e-12)
    assert widths.max() <= gamma * (1 + 1e-12)
    assert widths.max() >= gamma - np.pi / 20000 * np.linalg.norm(points, axis=1).max()


@pytest.mark.equation("D-5-1", "D-5-18")
def test_the_larger_margin_bears_the_larger_noise():
    """Every sample may move by r < γ in any direction without crossing, straight towards the plane too. Of a plane with
    the smaller margin γ', some sample crosses when it moves so by an r between γ' and γ."""
    best, other = fit(X, Y), perceptron.fit(X, Y)
    gamma, smaller = (geometric_margin(f.w, f.b, X, Y) for f in (best, other))
    assert 0 < smaller < 0.9 * gamma
    r = (smaller + gamma) / 2
    for f, stands in ((best, True), (other, False)):
        worst = X - r * Y[:, None] * f.w / np.linalg.norm(f.w)
        assert (predict(f.w, f.b, worst) == Y).all() == stands


# --- the sets of samples ------------------------------------------------------------------------------------


@pytest.mark.equation("D-5-2")
@pytest.mark.erratum("ERR-D29")
def test_separable_means_a_hyperplane_with_every_sample_on_its_side():
    """Printed: y^(n)(w·x + b) > 0 without the index of x. For one x and labels of both classes no (w, b) does that."""
    result = fit(X, Y)
    assert (Y * decision_function(result.w, result.b, X) > 0).all()
    assert all((Y * decision_function(result.w, result.b, x[None]) <= 0).any() for x in X)
    assert perceptron.certificate(X, Y).separable and not perceptron.certificate(X[[0, 0]], [-1, 1]).separable


@pytest.mark.erratum("ERR-D28")
def test_a_sample_and_its_label_have_one_index():
    """Printed: {(x^(n), y^(n)} and y_n side by side. Labels under another index are another set: Li Hang's with the
    labels turned round, -1 at (3, 3), +1 at (1, 1) and (4, 3), has no separating line of the published kind."""
    turned = fit(LI_X, LI_Y[::-1])
    assert not np.allclose(turned.w, W) and fit(LI_X[::-1], LI_Y[::-1]).w == pytest.approx(W)


# --- the Lagrangian and the dual ----------------------------------------------------------------------------


@pytest.mark.equation("D-5-10", "D-5-11", "D-5-9")
@pytest.mark.erratum("ERR-D35")
def test_gradient_of_the_lagrangian():
    """Printed: ∂Λ/∂b = +Σ λ y. It is the negative, by differences."""
    rng = np.random.default_rng(4)
    u, lam = rng.normal(size=3), rng.uniform(0, 1, 20)
    value = lambda u: lagrangian(u[:2], u[2], lam, X, Y)  # noqa: E731
    assert check_gradient(value, lambda u: np.append(*lagrangian_gradient(u[:2], u[2], lam, X, Y)), u) < 1e-9
    assert central_difference(value, u)[2] == pytest.approx(-np.sum(lam * Y), rel=1e-8)
    assert abs(np.sum(lam * Y)) > 0.1


@pytest.mark.equation("D-5-9")
@pytest.mark.parametrize("c", [1 + 1e-12, 1.5, 4.0])
def test_lagrangian_never_exceeds_the_primal_value_where_that_is_finite(c):
    """λ >= 0 times 1 - y f <= 0: Λ <= ½‖w‖² at every feasible plane, = at λ = 0 and where λ(1 - y f) = 0."""
    rng, best = np.random.default_rng(5), fit(X, Y)
    value = primal_objective(c * best.w, c * best.b, X, Y)
    assert lagrangian(c * best.w, c * best.b, rng.uniform(0, 3, 20), X, Y) <= value < INF
    assert lagrangian(c * best.w, c * best.b, np.zeros(20), X, Y) == value
    assert lagrangian(best.w, best.b, best.alpha, X, Y) == pytest.approx(best.w @ best.w / 2, rel=1e-12)


@pytest.mark.equation("D-5-14", "D-5-12")
def test_the_four_lines_of_the_dual_at_any_lambda():
    """w = Σ λ y x and Σ λ y = 0; each line as it is printed, for any b, and the code's two forms of the last."""
    rng = np.random.default_rng(0)
    lam, b, n = feasible(Y, 3.0, rng), rng.normal(), range(20)
    w = primal(lam, Y, X)
    np.testing.assert_allclose(w, sum(lam[i] * Y[i] * X[i] for i in n), rtol=1e-12, atol=1e-12)
    one = w @ w / 2 + sum(lam[i] * (1 - Y[i] * (w @ X[i] + b)) for i in n)
    two = w @ w / 2 - sum(lam * Y * (X @ w)) - sum(lam * Y * b) + sum(lam)
    three = w @ sum(lam[i] * Y[i] * X[i] for i in n) / 2 - w @ ((lam * Y) @ X) + sum(lam)
    four = -sum(lam[j] * lam[i] * Y[j] * Y[i] * (X[j] @ X[i]) for i in n for j in n) / 2 + sum(lam)
    for line in (one, two, three, four, lagrangian(w, b, lam, X, Y)):
        assert line == pytest.approx(dual_objective(lam, G, Y), rel=1e-11, abs=1e-11)
    gw, gb = lagrangian_gradient(w, b, lam, X, Y)
    np.testing.assert_allclose([*gw, gb], 0, atol=1e-11)
    assert lagrangian(w + rng.normal(size=2), b, lam, X, Y) > dual_objective(lam, G, Y)  # Λ is least in w there


@pytest.mark.equation("D-5-14")
@pytest.mark.erratum("ERR-D37")
def test_the_dual_is_a_maximum_and_meets_the_primal():
    """Printed: Γ(λ), without a maximum. At any feasible λ it is a lower bound of ½‖w‖² only; the largest meets it."""
    rng, best = np.random.default_rng(7), fit(X, Y)
    value = best.w @ best.w / 2
    for _ in range(20):
        lam = feasible(Y, rng.uniform(0.01, 5), rng)
        assert dual_objective(lam, G, Y) < 0.999 * value
        assert dual_objective(0.9 * best.alpha + 0.1 * lam, G, Y) < value
    assert dual_objective(best.alpha, G, Y) == pytest.approx(value, rel=1e-12)


@pytest.mark.equation("D-5-14", "D-5-9", "D-5-13")
@pytest.mark.erratum("ERR-D34", "ERR-D36")
@pytest.mark.parametrize("t", [5.0, 1e4])
def test_without_the_signs_of_lambda_the_dual_has_no_maximum(t):
    """Printed without λ >= 0. Along a δ with Σ δ y = 0, Σ δ y x = 0 and Σ δ > 0, Γ(λ + tδ) = Γ(λ) + t Σ δ.
    Printed too is that min ½‖w‖² with w = Σ λ y x, Σ λ y = 0 is equivalent. It has the same (w, b), but λ + tδ serves
    as well as λ: only the dual, with λ >= 0 and slackness, has the multipliers."""
    best, constraints = fit(X, Y), np.column_stack([Y[:, None] * X, Y])
    delta = np.linalg.svd(constraints.T)[2][3:]  # 17 orthonormal ones
    delta = delta.T @ delta.sum(axis=1)
    assert np.abs(constraints.T @ delta).max() < 1e-12 and delta.sum() > 1e-3
    other, value = best.alpha + t * delta, dual_objective(best.alpha, G, Y)
    assert dual_objective(other, G, Y) == pytest.approx(value + t * delta.sum(), rel=1e-9)
    np.testing.assert_allclose(primal(other, Y, X), best.w, rtol=1e-12 * t)
    residuals = kkt_residuals(best.w, best.b, other, X, Y)
    assert residuals.stationarity < 1e-12 * t and residuals.primal < 1e-12
    assert residuals.dual > 0.01 and residuals.slackness > 0.01
    assert max(kkt_residuals(best.w, best.b, best.alpha, X, Y)) < 1e-12


@pytest.mark.equation("D-5-17", "D-5-12")
@pytest.mark.erratum("ERR-D38")
def test_decision_functions_of_primal_and_dual_are_one():
    """Printed: sgn(Σ λ y x^(n) + b). That is a vector, the same for every x."""
    best, new = fit(X, Y), np.random.default_rng(8).normal(size=(50, 2))
    K = kernels.linear(new, X)
    f = dual_decision_function(best.alpha, best.b, Y, K)
    np.testing.assert_allclose(f, decision_function(best.w, best.b, new), rtol=1e-11, atol=1e-11)
    np.testing.assert_array_equal(dual_predict(best.alpha, best.b, Y, K), predict(best.w, best.b, new))
    assert dual_predict(np.zeros(20), 0.0, Y, K).tolist() == [1.0] * 50
    assert f[0] == pytest.approx(sum(best.alpha[n] * Y[n] * (X[n] @ new[0]) for n in range(20)) + best.b, rel=1e-11)
    assert (primal(best.alpha, Y, X) + best.b).shape == (2,)


@pytest.mark.equation("D-5-17")
@pytest.mark.erratum("ERR-D39")
def test_bias_is_what_every_support_vector_says():
    """Printed: b "follows" from λ. From Σ λ y x alone it does not; y_s = f(x_s) on the margin gives it, for each s.
    A soft margin asks only those between 0 and C."""
    best = fit(X, Y)
    s = support_vectors(best.alpha)
    assert len(s) >= 2 and set(Y[s]) == {-1, 1}
    np.testing.assert_allclose(Y[s] - X[s] @ best.w, best.b, rtol=1e-12)
    halfway = -(np.min(X[Y > 0] @ best.w) + np.max(X[Y < 0] @ best.w)) / 2
    assert bias(best.alpha, G, Y) == pytest.approx(best.b, rel=1e-12) == pytest.approx(halfway, rel=1e-12)
    soft = fit(X, MIXED, C=1.0)
    assert 0 < ((soft.alpha > 0) & (soft.alpha < 1)).sum() < len(support_vectors(soft.alpha))
    assert bias(soft.alpha, G, MIXED, C=1.0) == pytest.approx(soft.b, rel=1e-12)
    assert bias(soft.alpha, G, MIXED) != pytest.approx(soft.b, rel=1e-3)


@pytest.mark.equation("D-5-15", "D-5-16", "D-5-12")
@pytest.mark.parametrize("y, C", [(Y, INF), (MIXED, 0.3), (MIXED, 2.0), (Y, 1e-8), (MIXED, 1e-8), (MIXED, 1e8)])
def test_kkt_conditions_hold_at_the_optimum(y, C):
    """α is exactly 0 where y f > 1, exactly C where y f < 1. C = 1e8: the ξ of the least sum, within ½‖w‖²/C of it."""
    best, dual = fit(X, y, C), fit_dual(G, y, C)
    residuals = kkt_residuals(best.w, best.b, best.alpha, X, y, C)
    assert best.converged and max(residuals) < 1e-11 * max(1, best.alpha.max())
    margins = y * decision_function(best.w, best.b, X)
    assert (best.alpha >= 0).all() and (best.alpha <= C).all()
    assert (best.alpha[margins > 1 + 1e-9] == 0).all() and (best.alpha[margins < 1 - 1e-9] == C).all()
    if C < INF:
        value = np.sum(best.alpha) - best.w @ best.w / 2
        assert primal_objective(best.w, best.b, X, y, C) == pytest.approx(value, rel=1e-9)
        assert dual_objective(dual.alpha, G, y) == pytest.approx(value, rel=1e-9 if C < 1e8 else 1e-7)  # 1e16 in λ·Gλ
    if C < 1e8:
        residuals = kkt_residuals(primal(dual.alpha, y, X), dual.b, dual.alpha, X, y, C)
        assert max(residuals) < 1e-9 * max(1, dual.alpha.max())


@pytest.mark.parametrize(
    "w, b, alpha, X, y, C, expected",
    [
        (W, B, LAMBDA, LI_X, LI_Y, INF, (0, 0, 0, 0)),
        # λ = (1/2, 0, 1/2): w - Σ λ y x = -(1/2, 1/2); all else stands
        (W, B, 2 * LAMBDA, LI_X, LI_Y, INF, (0.5, 0, 0, 0)),
        # at x = 0 a λ more changes Σ λ y only
        ([1.0], -1.0, [1.5, 0.5], PAIR_X, PAIR_Y, INF, (1, 0, 0, 0)),
        ([1.0], -1.0, [0.5, 0.5, 0.0], [*PAIR_X, [1.5]], [-1.0, 1, 1], INF, (0, 0.5, 0, 0)),
        # (3, -1, 3, -1)/4: the square's λ that is none
        ([1.0, 0.0], 0.0, [0.75, -0.25, 0.75, -0.25], SQUARE_X, SQUARE_Y, INF, (0, 0, 0.25, 0)),
        # 2λ_2 + 4λ_3 = 1, but y f = 3 at the last: λ_3 (1 - 3) = -1/4
        ([1.0], -1.0, [0.375, 0.25, 0.125], [[0.0], [2.0], [4.0]], [-1.0, 1, 1], INF, (0, 0, 0, 0.25)),
        # a soft margin, C = 1/4: w = 1/2, both ξ = 1/2; with C = 1/2, (C - λ)ξ = (1/2 - 1/4)/2
        ([0.5], -0.5, [0.25, 0.25], PAIR_X, PAIR_Y, 0.25, (0, 0, 0, 0)),
        ([0.5], -0.5, [0.5, 0.5], PAIR_X, PAIR_Y, 0.5, (0.5, 0, 0, 0)),
        # one far sample more, whose λ = ξ = 0 hides nothing
        ([0.5], -0.5, [0.25, 0.25, 0.0], [*PAIR_X, [5.0]], [-1.0, 1, 1], 0.5, (0, 0, 0, 0.125)),
        ([1.0], -1.0, [0.5, 0.5, 0.0], [*PAIR_X, [5.0]], [-1.0, 1, 1], 0.25, (0, 0, 0.25, 0)),
        # λ = 1/4 above C = 1/8, ξ = 1/2: (C - λ)ξ = -1/16
        ([0.5], -0.5, [0.25, 0.25], PAIR_X, PAIR_Y, 0.125, (0, 0, 0.125, 0.0625)),
        # of a hard margin, what lacks is charged to the primal alone, the λ there to slackness
        ([0.5], -0.5, [0.25, 0.25], PAIR_X, PAIR_Y, INF, (0, 0.5, 0, 0.125)),
    ],
)
@pytest.mark.equation("D-5-12", "D-5-15")
@pytest.mark.erratum("ERR-D37")
def test_each_residual_tells_its_own_condition(w, b, alpha, X, y, C, expected):
    """Printed: complementary slackness alone. Each of the others can fail while it holds: it does not prove λ."""
    residuals = kkt_residuals(np.array(w), b, np.array(alpha), np.array(X), np.array(y), C)
    assert tuple(residuals) == expected and all(type(r) is float for r in residuals)
    assert residuals._fields == ("stationarity", "primal", "dual", "slackness")


@pytest.mark.parametrize("C", [0.1, 30.0])
def test_duality_gap_is_primal_minus_dual_and_never_negative(C):
    rng, best = np.random.default_rng(9), fit(X, MIXED, C)
    value = primal_objective(best.w, best.b, X, MIXED, C)
    for _ in range(5):
        lam, b = feasible(MIXED, C, rng), rng.normal()
        gap, reached = duality_gap(lam, b, G, MIXED, C), dual_objective(lam, G, MIXED)
        assert gap == pytest.approx(primal_objective(primal(lam, MIXED, X), b, X, MIXED, C) - reached, rel=1e-11)
        assert gap >= value - reached > 0  # so much can Γ still grow
    assert duality_gap(best.alpha, best.b, G, MIXED, C) == pytest.approx(0, abs=1e-12 * value)


@pytest.mark.parametrize("t", [0.5, 3.0])
def test_duality_gap_of_the_hard_margin_scales_to_the_margin_1(t):
    """Li Hang's λ times t: w = t(1/2, 1/2), the canonical one has ½‖w‖² = 1/4, Γ = t/2 - t²/4."""
    gap = duality_gap(t * LAMBDA, -2.0 * t, LI_K, LI_Y)
    assert gap == pytest.approx(1 / 4 - t / 2 + t * t / 4, abs=1e-15)
    assert duality_gap([0.5, 0.5], -1.5, [[9, 3], [3, 1]], [1, -1], C=10) == 1.5  # f = 1.5, -½: twice as long, no ξ
    assert duality_gap(LAMBDA, -10.0, LI_K, LI_Y) == duality_gap(0 * LAMBDA, 0.0, LI_K, LI_Y) == INF


@pytest.mark.equation("E-margin-8", "E-margin-7")
@pytest.mark.parametrize("t", [0.25, 0.5, 0.75])
def test_the_program_is_convex_with_linear_constraints(t):
    """Of two planes with y f >= 1 all those between have it, and ½‖w‖² there is below the chord."""
    best, (v, c) = fit(X, Y), canonical(PLANE, OFFSET, X, Y)
    w, b = t * best.w + (1 - t) * 3 * v, t * best.b + (1 - t) * 3 * c
    assert functional_margin(w, b, X, Y) >= 1 - 1e-12
    assert best.w @ best.w / 2 < w @ w / 2 < t * best.w @ best.w / 2 + (1 - t) * 9 * v @ v / 2


# --- the optimum, which proves itself -----------------------------------------------------------------------


CASES = {"apart": (X, Y, INF), "mixed": (X, MIXED, 0.5), "mixed, dear": (X, MIXED, 30.0), "Li Hang": (LI_X, LI_Y, INF)}
ROTATION, SHIFT = np.array([[0.6, -0.8], [0.8, 0.6]]), np.array([3.0, -7.0])


@pytest.mark.parametrize("X, y, C", CASES.values(), ids=CASES)
def test_a_rotation_and_empty_features_do_to_the_machine_what_they_do_to_the_samples(X, y, C):
    """The bounds are sharper here than with random numbers."""
    result = fit(X, y, C)
    w, b, alpha = result.w, result.b, result.alpha
    empty = np.column_stack([X, np.full(len(y), 5.0), np.zeros(len(y))])
    for Z, v, c in ((X @ ROTATION.T + SHIFT, ROTATION @ w, b - SHIFT @ ROTATION @ w), (empty, [*w, 0, 0], b)):
        found = fit(Z, y, C)
        assert_same_machine(found, np.array(v), c)
        np.testing.assert_allclose(found.alpha, alpha, rtol=1e-8, atol=1e-11)
        assert found.gap <= 1e-12 * max(1, alpha.sum())


@pytest.mark.parametrize("X, y, C", CASES.values(), ids=CASES)
def test_only_support_vectors_make_the_machine(X, y, C):
    """Samples with α = 0 may go, and others beyond the margin come."""
    result = fit(X, y, C)
    w, b, keep = result.w, result.b, support_vectors(result.alpha)
    assert len(keep) < len(y) or C == 30
    assert_same_machine(fit(X[keep], y[keep], C), w, b)
    far = X + 5 * y[:, None] * w / np.linalg.norm(w) * (1 + 1 / np.linalg.norm(w))
    beyond = y * decision_function(w, b, far) > 1
    more = fit(np.vstack([X, far[beyond]]), np.append(y, y[beyond]), C)
    assert_same_machine(more, w, b)
    assert (more.alpha[len(y) :] == 0).all()


def test_a_larger_C_buys_a_smaller_slack():
    *soft, last, beyond = [fit(X, MIXED, C) for C in (0.01, 0.1, 0.3, 1.0, 10.0, 100.0)]
    lengths, slacks = np.transpose([(r.w @ r.w, hinge(r.w, r.b, X, MIXED).sum()) for r in (*soft, last)])
    assert (np.diff(lengths) > 0.01).all() and (np.diff(slacks) < -0.01).all()
    assert_same_machine(beyond, last.w, last.b)  # no slack is left that a longer w would buy
    hard = fit(X, Y)  # of separable samples nothing changes once C exceeds the largest multiplier
    assert_same_machine(fit(X, Y, 1.01 * hard.alpha.max()), hard.w, hard.b)
    assert np.linalg.norm(fit(X, Y, 0.5 * hard.alpha.max()).w) < np.linalg.norm(hard.w)


# --- edges --------------------------------------------------------------------------------------------------

INSEPARABLE = {
    "XOR": (XOR_X, XOR_Y),
    "both labels": (np.array([[1.0, 2], [1, 2], [3, 4], [0, 0]]), np.array([1.0, -1, 1, -1])),
    "origin": (np.zeros((3, 1)), np.array([1.0, -1, 1])),  # K = 0 has features of no dimension
    "mixed": (X, MIXED),
    "large": (XOR_X * 1e70, XOR_Y),
    "small": (XOR_X * 1e-70, XOR_Y),
}


@pytest.mark.erratum("E36", "ERR-D29")
@pytest.mark.parametrize("Z, y", INSEPARABLE.values(), ids=INSEPARABLE)
def test_no_hyperplane_comes_with_its_proof(Z, y):
    """The hard margin has no solution then; the soft one has. Of XOR the four constraints add up to 0 >= 4."""
    result = fit(Z, y)
    assert_proof_that_nothing_separates(result, Z, y)
    assert result.w.tolist() == [0] * Z.shape[1]
    assert_proof_that_nothing_separates(fit_dual(Z @ Z.T, y), Z, y)
    assert fit(Z, y, 1 / (np.abs(Z).max() or 1.0) ** 2).converged


@pytest.mark.parametrize("C", [1e-149, 0.125, 1.25e279])
def test_samples_at_one_place_need_no_unit_for_c(C):
    """w = 0 whatever C is, every ξ is 1 at b = 0, and λ = C: their only length is that of C itself."""
    result = fit(np.full((4, 2), 3.0), np.array([1.0, -1, -1, 1]), C)
    assert result.converged and result.w.tolist() == [0, 0] and result.alpha.tolist() == [C] * 4


def test_contradictory_samples_with_a_soft_margin():
    """-1 and +1 in one place, (1, 2), and (3, 4), (0, 0): both of the place have ξ > 0 or both margins 1: λ = C."""
    Z, y = INSEPARABLE["both labels"]
    for result in (fit(Z, y, C=1.0), fit_dual(Z @ Z.T, y, C=1.0)):
        assert result.converged and result.alpha[:2].tolist() == [1, 1]
        np.testing.assert_allclose(result.alpha[2:], 2 / 25, rtol=1e-12)  # of the others alone, ‖(3, 4)‖² = 25
        assert result.b == pytest.approx(-1, rel=1e-12)


@pytest.mark.parametrize("C", [1e-8, 1.0, 100.0])
@pytest.mark.parametrize("Z, y", [([[0.0], [3.0], [1.0]], LI_Y), (XOR_X, XOR_Y)], ids=["between", "XOR"])
def test_where_one_class_surrounds_the_other_the_best_w_is_0(Z, y, C):
    """w = 0, b that of the larger class: Σ λ y x = 0 and λ = C of the smaller. P = D = C times twice its number."""
    Z = np.array(Z) * (0.1 if C == 1.0 else 1.0)
    value = 2 * C * min((y > 0).sum(), (y < 0).sum())
    result, dual = fit(Z, y, C), fit_dual(Z @ Z.T, y, C)
    for r in (result, dual):
        assert r.converged and r.gap <= 1e-9 * value and f"objective of {value:.6g} " in r.reason
        assert dual_objective(r.alpha, Z @ Z.T, y) == pytest.approx(value, rel=1e-12)
    assert result.w @ result.w / 2 <= 1e-9 * value
    assert primal_objective(result.w, result.b, Z, y, C) == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("C", [0.05, 1.0, INF])
def test_more_features_than_samples(C):
    """w lies in the span of the samples."""
    Z, y = np.random.default_rng(11).normal(size=(4, 30)), np.array([1.0, -1.0, 1.0, -1.0])
    result, dual = fit(Z, y, C), fit_dual(Z @ Z.T, y, C)
    assert result.converged and dual.converged and result.w.shape == (30,)
    np.testing.assert_allclose(result.w, primal(dual.alpha, y, Z), atol=1e-9)
    assert max(kkt_residuals(result.w, result.b, result.alpha, Z, y, C)) < 1e-12


def test_separable_samples_not_yet_separated_are_no_proof():
    """One step is too few for a narrow gap in 6 dimensions: no plane yet, but no certificate against one either."""
    Z, y, _, _ = separable(40, 6, gap=0.01, rng=np.random.default_rng(1))
    early, late = fit(Z, y, max_iter=1), fit(Z, y)
    assert not early.converged and early.gap == INF and early.certificate is None
    assert early.reason.startswith("1 steps found neither a hyperplane nor a proof that none separates")
    assert late.converged and functional_margin(late.w, late.b, Z, y) == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("y, C", [(MIXED, 0.1), (MIXED, 1.0), (Y, INF)], ids=["0.1", "1", "hard"])
@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-12])
def test_the_gap_is_at_most_tol(tol, y, C):
    best = dual_objective(fit(X, y, C).alpha, G, y)
    for r in (fit(X, y, C, tol=tol), fit_dual(G, y, C, tol=tol)):
        value = dual_objective(r.alpha, G, y)
        assert r.converged and r.gap <= tol * (value + r.gap)
        assert best - value <= r.gap + 1e-13 * value


# --- where digits run out -----------------------------------------------------------------------------------


def test_what_can_be_separated_is_never_said_to_be_inseparable():
    """0 | 1, 3e9: w = 2, b = -1. Units so far apart may leave the optimum unfound, but prove nothing."""
    found = fit([[0.0], [1.0], [3e9]], [-1, 1, 1])
    assert found.certificate is None and (found.converged or "neither" in found.reason)
    K = np.array([[0.0, 0, 0], [0, 1, 1e7], [0, 1e7, 1e14]])  # of the numbers 0, 1, 1e7
    found = fit_dual(K, np.array([-1.0, 1, 1]))
    assert found.certificate is None and found.alpha.tolist() == [2, 2, 0] and found.b == -1


@pytest.mark.parametrize("C", [1.0, 1e-10, 1e-140])
@pytest.mark.parametrize("unit", [1e-4, 1e-30])
def test_so_small_a_C_that_no_digit_of_f_shows_it(C, unit):
    """0 | 1, 2 times the unit: α = (C, C, 0), w = C times the unit, b = 1 but for w·x."""
    X, y = unit * np.array([[0.0], [1.0], [2.0]]), np.array([-1.0, 1, 1])
    for found, w in ((f := fit(X, y, C), f.w), (f := fit_dual(X @ X.T, y, C), primal(f.alpha, y, X))):
        np.testing.assert_allclose(w, [C * unit], rtol=1e-9)
        np.testing.assert_allclose(found.alpha, [C, C, 0], rtol=1e-9)
        assert found.converged and found.alpha.max() <= C


def test_where_all_multipliers_are_at_their_bounds_b_is_the_middle_of_its_interval():
    """-3, -1 | -2 with C = 1/16: Σαy must be 0, so one of the two +1 is at 0; b from 0.8125 to 0.875."""
    X, y = np.array([[-2.0], [-1.0], [-3.0]]), np.array([1.0, -1.0, 1.0])
    assert fit(X, y, 1 / 16).b == fit_dual(X @ X.T, y, 1 / 16).b == 0.84375


@pytest.mark.parametrize("seed", range(4))
def test_the_optimum_satisfies_its_constraints_in_spite_of_rounding(seed):
    X, y, _, _ = separable(12, 3, gap=0.1, rng=np.random.default_rng(seed))
    found = fit(X, y)
    assert primal_objective(found.w, found.b, X, y) == pytest.approx(found.w @ found.w / 2)
    assert primal_objective(0.999 * found.w, 0.999 * found.b, X, y) == INF


@pytest.mark.parametrize("N, told", [(400, False), (401, True)])
def test_the_reason_says_how_much_of_K_was_looked_at(N, told):
    """All of 400 samples are looked at together, of more 200 at a time."""
    found = fit_dual(np.eye(N), np.where(np.arange(N) % 2, 1.0, -1.0), 1.0)
    assert found.converged and ("200 samples at a time" in found.reason) == told


@pytest.mark.parametrize("most", [1, 2])
def test_the_steps_of_both_solvers_are_counted(most):
    """Pairs that do not end within max_iter are followed by the machine on the features, with max_iter of its own."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 2))
    y = np.where(X[:, 0] + rng.normal(size=12) > 0, 1.0, -1.0)
    found = fit_dual(X @ X.T, y, C=2.0, max_iter=most)
    assert not found.converged and found.n_iter == 2 * most
    assert f"after {2 * most} steps" in found.reason and "raise max_iter" in found.reason


@pytest.mark.parametrize("sigma", [1.0, *slow([3.0])])
def test_a_hard_margin_in_more_features_than_digits_ends(sigma):
    """300 samples of any labels: mathematically separable, by a margin below the digits of K; no features of so many
    are searched. Of few features all are: nothing separates, and this is proved."""
    rng = np.random.default_rng(0)
    points, y = rng.normal(size=(300, 4)), np.where(rng.random(300) < 0.5, 1.0, -1.0)
    found = fit_dual(kernels.gaussian(points, points, sigma), y)
    assert found.n_iter < 10_000 and (found.converged or found.gap > 0) and found.certificate is None
    low = np.round(points[:, :2])
    assert_proof_that_nothing_separates(fit_dual(low @ low.T, y), low, y)


def test_alphas_that_have_grown_are_a_proof():
    """Random labels of 340 samples in 155 dimensions: too many features to search, but the pairs end with the proof."""
    rng = np.random.default_rng(0)
    points, y = rng.normal(size=(340, 155)), np.where(rng.random(340) < 0.5, 1.0, -1.0)
    assert cholesky.pivoted_cholesky(points @ points.T, 150) is None
    found = fit_dual(points @ points.T, y)
    a = found.certificate.weights
    assert not found.converged and found.gap == INF
    assert found.reason == machines.INSEPARABLE_FEATURES
    assert a.min() >= 0 and a.sum() == pytest.approx(1, rel=1e-12) and abs(a @ y) <= 1e-12
    assert np.linalg.norm((a * y) @ points) <= 1e-7 * np.linalg.norm(points, axis=1).max()


@pytest.mark.parametrize("seed, share", [(0, 0.25), (0, 1.0), (3, 0.5), *slow([(1, 0.5), (2, 0.75), (6, 0.25)])])
def test_the_hard_margin_of_overlapping_classes_ends_with_a_margin_or_a_proof(seed, share):
    """100 normal samples whose labels overlap, and a Gaussian kernel of a share of the median width: it separates by
    the last digits of K only. The digits of K tell squares of distances down to about 1e-14."""
    rng = np.random.default_rng(seed)
    y, X = np.where(np.arange(100) < 50, 1.0, -1.0), rng.standard_normal((100, 2))
    X[y > 0, 0] += [0.0, 0.5, 1.0, 2.0][seed % 4]
    K = kernels.gaussian(X, X, share * kernels.median_width(X))
    found = fit_dual(K, y)
    if found.certificate is not None:
        a = found.certificate.weights
        assert not found.converged and "no hyperplane separates" in found.reason
        assert a.min() >= 0 and a.sum() == pytest.approx(1, abs=1e-12) and abs(a @ y) < 1e-12
        assert (a * y) @ K @ (a * y) < 1e-14
        return
    rounding, margins = 100 * np.finfo(float).eps * found.alpha.sum(), y * (K @ (found.alpha * y) + found.b)
    assert found.converged and found.alpha.min() >= 0 and abs(found.alpha @ y) <= rounding
    assert margins.min() >= 1 - rounding
    assert np.abs(margins[found.alpha > 0] - 1).max() <= rounding  # those that make w lie on the margin
    assert "last digits" in found.reason or found.gap <= 1e-9 * found.alpha.sum()


@pytest.mark.slow
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn():
    """The fenced block of the chapter, as it stands there, on two clouds that overlap."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    cells = notebooks.read(Path(__file__).parents[1] / "notebooks" / "10_svm.ipynb")["cells"]
    (text,) = (notebooks.text(cell["source"]) for cell in cells if cell["id"] == "ch10-sklearn")
    rng = np.random.default_rng(0)
    y = np.repeat([-1.0, 1.0], 20)
    X = rng.normal(size=(40, 2)) + 0.8 * y[:, None]
    names = {"X": X, "y": y}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], names)
    ours = fit(X, y, C=1.0)
    np.testing.assert_allclose([*names["w"], names["b"]], [*ours.w, ours.b], atol=5e-3)
    curved = fit_dual(kernels.gaussian(X, X, 0.5), y, C=1.0)
    Z = rng.normal(size=(30, 2))
    scores = kernels.gaussian(Z, X, 0.5) @ (curved.alpha * y) + curved.b
    np.testing.assert_allclose(names["curve"].decision_function(Z), scores, atol=5e-3)

"""Chapter 02, regularization: every equation of notes A 1.2 and 1.3 on penalties, and where the notes are wrong."""

import pathlib
import re
import tracemalloc
from itertools import islice, pairwise

import numpy as np
import pytest
from cases import slow
from exact import exact_ridge

from linmodels import datasets, optimize
from linmodels.book import notebooks
from linmodels.derivatives import central_difference, check_gradient
from linmodels.design import augment, free_bias
from linmodels.linear_regression import largest_step, least_squares, minimum_norm, predict
from linmodels.linear_regression import loss as squares
from linmodels.regularization import (
    coordinate_iterates,
    coordinate_step,
    dual_loss,
    dual_points,
    duality_gap,
    elastic_net,
    elastic_net_path,
    folds,
    interpolate,
    lasso,
    lasso_path,
    loss,
    optimality,
    penalty,
    proximal_iterates,
    ridge,
    ridge_dual,
    ridge_gradient,
    ridge_loss,
    ridge_normal_equations,
    ridge_path,
    ridge_rows,
    smallest_zero_lam,
    soft_threshold,
    subgradient,
)
from linmodels.solvers import penalized, sparse

SLOPE, STEEP, FLAT_LINE = np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0, 2]), np.array([-1.0, 0, 1])  # x·x = 2

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(12, 4))
Y, W = RNG.normal(size=12), RNG.normal(size=4)
X = POINTS + 0.8 * POINTS[:, [1, 2, 3, 0]]  # correlated columns
WIDE, WIDE_Y = RNG.normal(size=(4, 7)), RNG.normal(size=4)

FLAT = np.array([[1.0, 2.0, 2.0], [3.0, 6.0, 0.0], [0.0, 0.0, 1.0], [2.0, 4.0, 1.0]])  # column 2 is twice column 1
FLAT_Y = np.array([1.0, 2.0, 3.0, 5.0])

LAM, EPS = 3.0, np.finfo(float).eps
shapes = pytest.mark.parametrize("X, y", [(X, Y), (WIDE, WIDE_Y), (FLAT, FLAT_Y)], ids=["tall", "wide", "flat"])
mixtures = pytest.mark.parametrize("rho", [0.0, 0.3, 1.0])
mixed_shapes = pytest.mark.parametrize("rho, X, y", [(0.0, WIDE, WIDE_Y), (0.3, X, Y), (1.0, FLAT, FLAT_Y)])


# --- worked values ------------------------------------------------------------------------------------------


@pytest.mark.equation("A-1.2-14", "A-1.2-15", "A-1.2-16", "A-1.3-3")
def test_penalties_and_losses_by_hand():
    """‖(3, -4)‖₁ = 7, ‖(3, -4)‖² = 25. At w = 1 the residuals of y = (-2, 0, 2) are -1, 0, 1."""
    w = np.array([3.0, -4.0])
    assert penalty(w, 2.0) == 2 * 7
    assert penalty(w, 2.0, 0.0) == 2 / 2 * 25
    assert penalty(w, 2.0, 0.5) == 2 * (7 / 2 + 25 / 4)
    assert penalty(w, np.array([2.0, 0.0]), 0.5) == 2 * (3 / 2 + 9 / 4)
    w = np.array([1.0])
    assert loss(w, SLOPE, STEEP, 3.0) == 2 + 3
    assert loss(w, SLOPE, STEEP, 3.0, 0.5) == 2 + 3 / 2 + 3 / 4
    assert ridge_loss(w, SLOPE, STEEP, 3.0) == 2 + 3
    assert ridge_gradient(w, SLOPE, STEEP, 3.0).tolist() == [2 * (2 - 4) + 2 * 3]


@pytest.mark.equation("A-1.2-15", "A-1.3-1")
@pytest.mark.parametrize("lam, w", [(0.0, 2), (1.0, 4 / 3), (6.0, 1 / 2)])
def test_ridge_through_three_points(lam, w):
    """w = x·y / (x·x + λ) = 4 / (2 + λ)."""
    np.testing.assert_allclose(ridge(SLOPE, STEEP, lam), [w], rtol=1e-15)
    np.testing.assert_allclose(ridge_normal_equations(SLOPE, STEEP, lam), [w], rtol=1e-15)
    np.testing.assert_allclose(ridge_path(SLOPE, STEEP, [lam]), [[w]], rtol=1e-15)


def test_ridge_by_samples_and_of_a_constant_by_hand():
    """One sample x = (1, 2), y = 3: XXᵀ = 5, β = 3/(5 + λ), w = βx. Of N ones the weight is Nȳ/(N + λ)."""
    np.testing.assert_allclose(ridge([[1.0, 2.0]], [3.0], 1.0), [1 / 2, 1], rtol=1e-15)
    np.testing.assert_allclose(ridge_dual([[5.0]], [3.0], 1.0), [1 / 2], rtol=1e-15)
    np.testing.assert_allclose(ridge(np.ones((4, 1)), [1.0, 2, 3, 6], 4.0), [12 / 8], rtol=1e-15)
    rows, y = ridge_rows([[1.0, 2.0]], [3.0], [4.0, 9.0])
    assert rows.tolist() == [[1, 2], [2, 0], [0, 3]]
    assert y.tolist() == [3, 0, 0]


@pytest.mark.equation("A-1.2-14", "A-1.2-16")
@pytest.mark.parametrize("lam, w", [(0.0, 1), (0.6, 0.85), (2.0, 0.5), (4.0, 0), (6.0, 0)])
def test_lasso_and_elastic_net_through_three_points(lam, w):
    """w = S(x·y, λ/2) / x·x = max(2 - λ/2, 0) / 2; and max(2 - λ/4, 0) / (2 + λ/4) for ρ = 1/2."""
    fit = lasso(SLOPE, FLAT_LINE, lam)
    np.testing.assert_allclose(fit.w, [w], rtol=1e-15)
    assert fit.converged and (w > 0 or fit.w[0] == 0)
    np.testing.assert_allclose(elastic_net(SLOPE, FLAT_LINE, lam, 0.5).w, [(2 - lam / 4) / (2 + lam / 4)], rtol=1e-15)


def test_coordinate_steps_by_hand():
    """w = (9, 1) in x_1 = (1, 1), x_2 = (0, 2), y = (4, 4): r = y - x_2 = (4, 2), x_1·r = 6, x_1·x_1 = 2."""
    Z, y, w = np.array([[1.0, 0.0], [1.0, 2.0]]), np.array([4.0, 4.0]), np.array([9.0, 1.0])
    assert coordinate_step(0, w, Z, y, 4.0) == (6 - 2) / 2
    assert coordinate_step(0, w, Z, y, 4.0, 0.5) == (6 - 1) / (2 + 1)
    assert coordinate_step(0, w, Z, y, np.array([4.0, 99.0])) == 2
    assert coordinate_step(0, w, Z, y, 20.0) == 0
    first = next(islice(coordinate_iterates(Z, y, 4.0, w=w), 1, None)).w  # then x_2·(y - 2x_1) = 4, (4 - 2)/4
    assert first.tolist() == [2, 1 / 2]


def test_proximal_steps_by_hand():
    """η = 1/8: from 0 to 4/8, shrunk by 0.6/8; then w/2 + 1/2 - 0.075. Elastic net: (1/2 - 1.5/8)/(1 + 1.5/8)."""
    path = optimize.trajectory(proximal_iterates(SLOPE, FLAT_LINE, 0.6, eta=1 / 8), 2)[:, 0]
    np.testing.assert_allclose(path, [0, 0.425, 0.6375], rtol=1e-15)
    path = optimize.trajectory(proximal_iterates(SLOPE, FLAT_LINE, 3.0, 0.5, eta=1 / 8), 1)[:, 0]
    np.testing.assert_allclose(path, [0, 5 / 19], rtol=1e-15)


def test_path_of_orthonormal_columns_by_hand():
    """Each column enters at 2|x_j·y| and grows with slope 1/2."""
    path = lasso_path(np.eye(3), [3.0, -1.0, 2.0])
    np.testing.assert_allclose(path.lams, [6, 4, 2, 0], atol=1e-14)
    np.testing.assert_allclose(path.W, [[0, 0, 0], [1, 0, 0], [2, 0, 1], [3, -1, 2]], atol=1e-14)
    assert path.changes.tolist() == [1, 3, 2, 0]
    np.testing.assert_allclose(interpolate(path, 3.0), [1.5, 0, 0.5], atol=1e-14)
    np.testing.assert_allclose(interpolate(path, 2.0), [2, 0, 1], atol=1e-14)
    assert interpolate(path, 6.001).tolist() == [0, 0, 0]


def test_a_column_that_leaves_and_comes_back_by_hand():
    """x_1 = (4, 0), x_2 = (2, 1), y = (1, 1), μ = λ/2. First w_1 = (4 - μ)/16, until x_2·r = 1 + μ/2 = μ. Then
    XᵀX d = (1, 1) has d = (-3, 8)/16: w_1 = 1/8 - 3(2 - μ)/16 is 0 at μ = 4/3. Then w_2 = (3 - μ)/5, until
    x_1·r = 4 - 8w_2 = -μ; and at 0 the two samples are met by w = (-1/4, 1)."""
    path = lasso_path([[4.0, 2.0], [0.0, 1.0]], [1.0, 1.0])
    assert path.changes.tolist() == [1, 2, -1, 1, 0]
    np.testing.assert_allclose(path.lams, [8, 4, 8 / 3, 8 / 13, 0], rtol=1e-13)
    np.testing.assert_allclose(path.W, [[0, 0], [1 / 8, 0], [0, 1 / 3], [0, 7 / 13], [-1 / 4, 1]], atol=1e-14)


def test_optimality_and_the_smallest_zero_lam_by_hand():
    """At w = 1 the squares are flat: only the penalty pulls. At 0 their slope is -4."""
    assert smallest_zero_lam(SLOPE, FLAT_LINE) == 4
    assert smallest_zero_lam(SLOPE, FLAT_LINE, 0.5) == 8
    assert smallest_zero_lam([[1.0, -3.0]], [2.0]) == 12
    assert optimality([1.0], SLOPE, FLAT_LINE, 3.0, 0.5) == 1.5 + 1.5
    for w, lam, most in ((1.0, 0.6, 0.6), (0.0, 0.6, 4 - 0.6), (0.0, 4.0, 0), (0.0, [0.0], 4)):
        assert optimality([w], SLOPE, FLAT_LINE, lam) == pytest.approx(most, rel=1e-15)


@pytest.mark.equation("A-1.2-14", "A-1.2-16")
def test_subgradients_by_hand():
    """x_1 = (1, 1), x_2 = (0, 2), y = (4, 4): at w = (1, 0) 2Xᵀ(Xw - y) = (-12, -12), and λ(1 - ρ)w of the L2 part."""
    Z, y, w = np.array([[1.0, 0.0], [1.0, 2.0]]), np.array([4.0, 4.0]), np.array([1.0, 0.0])
    assert subgradient(w, Z, y, 4.0).tolist() == [-12 + 4, -12 + 4]
    assert subgradient(w, Z, y, 16.0).tolist() == [-12 + 16, 0]
    assert subgradient(w, Z, y, np.array([16.0, 4.0]), 0.5).tolist() == [-12 + 8 + 8, -12 + 2]
    assert subgradient(-w, Z, y, 4.0).tolist() == [-20 - 4, -20 + 4]


@pytest.mark.equation("A-1.2-14", "A-1.2-16")
def test_duals_by_hand():
    """x = y = (-1, 0, 1): θ = ty has 2t·2 - 2t² below it, and 2x·θ = 4t. At w = 0 θ = y has the slope 4, so λ = 2
    leaves half of it, and λρ = 1 a quarter, or all."""
    assert dual_loss(FLAT_LINE / 4, SLOPE, FLAT_LINE, 2.0) == 1 - 1 / 8
    assert dual_loss(FLAT_LINE, SLOPE, FLAT_LINE, 2.0, 0.5) == 4 - 2 - (4 - 1) ** 2 / 2
    assert dual_loss(FLAT_LINE, SLOPE, FLAT_LINE, np.array([4.0]), 0.0) == 4 - 2 - 4**2 / 8
    assert [theta.tolist() for theta in dual_points([0.0], SLOPE, FLAT_LINE, 2.0)] == [[-0.5, 0, 0.5]]
    quarter, whole = dual_points([0.0], SLOPE, FLAT_LINE, 2.0, 0.5)
    assert quarter.tolist() == [-0.25, 0, 0.25] and whole.tolist() == [-1, 0, 1]
    assert dual_points([0.0], SLOPE, FLAT_LINE, 8.0)[0].tolist() == [-1, 0, 1]  # 4 <= 8: nothing is cut


def test_duality_gap_by_hand():
    """λ = 2, w* = 1/2 with the loss 3/2. At 0: u = 4, k = 1/2, gap ‖y/2‖² = 1/2, what is really missing.
    At 1: r = 0, so θ = 0 and the gap is the whole loss, 2; 1/2 is missing."""
    for w, gap, value in ((0.0, 1 / 2, 2), (1.0, 2, 2), (1 / 2, 0, 3 / 2)):
        assert duality_gap([w], SLOPE, FLAT_LINE, 2.0) == gap
        assert loss(np.array([w]), SLOPE, FLAT_LINE, 2.0) == value


# --- derivatives --------------------------------------------------------------------------------------------


@mixtures
@pytest.mark.equation("A-1.2-14", "A-1.2-16")
@pytest.mark.parametrize("lam", [LAM, np.array([0.0, 1.0, 2.0, 5.0])], ids=["one", "each"])
def test_gradients_are_the_derivatives_of_the_losses_where_no_weight_is_zero(rho, lam):
    assert check_gradient(lambda w: ridge_loss(w, X, Y, lam), lambda w: ridge_gradient(w, X, Y, lam), W) < 1e-8
    assert check_gradient(lambda w: loss(w, X, Y, lam, rho), lambda w: subgradient(w, X, Y, lam, rho), W) < 1e-8


@pytest.mark.parametrize("rho", [0.0, 0.3])
def test_the_dual_loss_is_flat_where_the_residual_is_best(rho):
    """Its maximum is θ = y - Xw at the best w: there its derivative is 0, and it is the smallest loss itself."""
    w = elastic_net(X, Y, LAM, rho).w
    theta = Y - X @ w
    np.testing.assert_allclose(central_difference(lambda v: dual_loss(v, X, Y, LAM, rho), theta), 0, atol=1e-7)
    assert dual_loss(theta, X, Y, LAM, rho) == pytest.approx(loss(w, X, Y, LAM, rho), rel=1e-13)


@pytest.mark.equation("A-1.2-15", "A-1.3-1", "A-1.3-3")
@pytest.mark.erratum("A09")
@pytest.mark.parametrize("P", [np.eye(5), np.diag([1.0, 1, 1, 1, 0])], ids=["all", "free bias"])
def test_closed_form_is_the_stationary_point(P):
    """The algorithm ends at "solve arg min" without a formula: (XᵀX + λP)⁻¹Xᵀy is where all differences vanish."""
    Z = augment(X)
    w = np.linalg.inv(Z.T @ Z + LAM * P) @ Z.T @ Y
    np.testing.assert_allclose(central_difference(lambda w: squares(w, Z, Y) + LAM * w @ P @ w, w), 0, atol=1e-8)
    for solve in (ridge, ridge_normal_equations):
        np.testing.assert_allclose(solve(Z, Y, LAM * np.diag(P)), w, rtol=1e-12)


@pytest.mark.equation("A-1.3-1", "A-1.3-4", "A-1.2-15")
@pytest.mark.erratum("A09")
def test_the_learned_model_is_the_same_for_every_x():
    """Printed: f(x_i) = w·x + b, an index too many; f is a function of any x, in the sample or not."""
    w = ridge(augment(X), Y, free_bias(LAM, 5))
    for x in np.vstack([X[0], np.zeros(4), np.random.default_rng(1).normal(size=4)]):
        assert predict(w, augment(x[None]))[0] == pytest.approx(w[:-1] @ x + w[-1], rel=1e-13)
        assert predict(w, augment(x[None]))[0] != pytest.approx(w[:-1] @ X[1] + w[-1], rel=1e-3)


# --- ridge: identities --------------------------------------------------------------------------------------


@shapes
@pytest.mark.equation("A-1.2-15", "A-1.3-1", "A-1.3-3")
def test_ridge_in_six_ways(X, y):
    d, (U, s, Vt) = X.shape[1], np.linalg.svd(X, full_matrices=False)
    for w in (
        np.linalg.inv(X.T @ X + LAM * np.eye(d)) @ X.T @ y,
        ridge_normal_equations(X, y, LAM),
        least_squares(*ridge_rows(X, y, LAM)),
        X.T @ ridge_dual(X @ X.T, y, LAM),
        Vt.T @ (s / (s**2 + LAM) * (U.T @ y)),
        ridge_path(X, y, [1.0, LAM])[1],
    ):
        np.testing.assert_allclose(ridge(X, y, LAM), w, rtol=1e-12)


@shapes
def test_one_lam_per_column_is_another_unit_per_column(X, y):
    """(XᵀX + diag λ)⁻¹Xᵀy: λ_j is x_j/√λ_j at λ = 1, and x_j/λ_j for the lasso."""
    lam = np.linspace(0.5, 4, X.shape[1])
    w = ridge(X, y, lam)
    np.testing.assert_allclose(w, np.linalg.solve(X.T @ X + np.diag(lam), X.T @ y), rtol=1e-12)
    np.testing.assert_allclose(w, ridge_normal_equations(X, y, lam), rtol=1e-12)
    np.testing.assert_allclose(w, ridge(X / np.sqrt(lam), y, 1.0) / np.sqrt(lam), rtol=1e-12)
    np.testing.assert_allclose(ridge_gradient(w, X, y, lam), 0, atol=1e-13)
    np.testing.assert_allclose(lasso(X, y, lam).w, lasso(X / lam, y, 1.0).w / lam, rtol=1e-12)


def test_kernel_ridge_is_ridge_in_feature_space():
    """K of (1 + x·z)² has the features 1, √2 x, x²: predictions Kβ and Φw agree. Without penalty Kβ = y."""
    x, y = np.linspace(-1, 1, 6)[:, None], np.arange(6.0) ** 2
    K, Phi = (1 + x @ x.T) ** 2, np.column_stack([np.ones(6), np.sqrt(2) * x, x**2])
    beta, w = ridge_dual(K, y, 0.5), ridge(Phi, y, 0.5)
    np.testing.assert_allclose(K @ beta, Phi @ w, rtol=1e-12)
    np.testing.assert_allclose((K + 0.5 * np.eye(6)) @ beta, y, atol=1e-12)
    K = np.exp(-((x - x.T) ** 2) / 0.1)
    np.testing.assert_allclose(K @ ridge_dual(K, y, 0.0), y, atol=1e-11)


@shapes
@pytest.mark.equation("A-1.2-18")
@pytest.mark.parametrize("lam", [1e-2, 1e-6])
def test_the_limit_of_ridge_is_the_shortest_solution(X, y, lam):
    """Each part of X⁺y is shrunk by λ/(s² + λ), so the distance is below λ/s_min² ‖X⁺y‖; above it, minus roundings."""
    shortest, s = minimum_norm(X, y), np.linalg.svd(X)[1]
    s = s[s > 1e-12]
    parts = lam / (s**2 + lam) * np.linalg.norm(shortest)
    distance = np.linalg.norm(ridge(X, y, lam) - shortest)
    assert parts.min() * (1 - 1e-6) <= distance <= parts.max() * (1 + 1e-6)
    np.testing.assert_allclose(ridge_path(X, y, [0.0])[0], shortest, rtol=1e-12)


@shapes
@mixtures
@pytest.mark.equation("A-1.2-17")
def test_the_penalty_falls_and_the_squares_rise_as_lam_grows(X, y, rho):
    """w_1 is best at λ_1 and w_2 at λ_2: add the two inequalities, (λ_1 - λ_2)(R(w_1) - R(w_2)) <= 0."""
    W = [elastic_net(X, y, lam, rho).w for lam in (0.01, 0.1, 1.0, 3.0, 10.0)]
    assert (np.diff([penalty(w, 1.0, rho) for w in W]) < 0).all()
    assert (np.diff([squares(w, X, y) for w in W]) > 0).all()


# --- the bias -----------------------------------------------------------------------------------------------

BIAS = {
    "ridge": lambda X, y, lam: ridge(X, y, lam),
    "lasso": lambda X, y, lam: lasso(X, y, lam).w,
    "elastic net": lambda X, y, lam: elastic_net(X, y, lam, 0.5).w,
}
with_bias = pytest.mark.parametrize("solve", BIAS.values(), ids=BIAS)


@with_bias
@pytest.mark.equation("A-1.2-14", "A-1.2-15", "A-1.2-16", "A-1.3-3")
@pytest.mark.erratum("A06")
def test_a_penalized_bias_does_not_follow_the_target(solve):
    """Printed: ‖w~‖ with the bias in it. Then y + 100 does not move the predictions by 100."""
    Z = augment(X)
    moved = predict(solve(Z, Y + 100, 50.0), Z) - predict(solve(Z, Y, 50.0), Z)
    assert np.abs(moved - 100).max() > 1
    lam = free_bias(50.0, 5)
    moved = predict(solve(Z, Y + 100, lam), Z) - predict(solve(Z, Y, lam), Z)
    np.testing.assert_allclose(moved, 100, rtol=1e-12)


@with_bias
@pytest.mark.parametrize("X, y", [(X, Y), (WIDE, WIDE_Y)], ids=["tall", "wide"])
def test_a_free_bias_is_the_same_as_centering(solve, X, y):
    """Of a column of sevens, in the first place, a seventh."""
    m, mean = X.mean(axis=0), y.mean()
    w = solve(X - m, y - mean, LAM)
    b, lam = mean - m @ w, free_bias(LAM, X.shape[1] + 1)
    np.testing.assert_allclose(solve(augment(X), y, lam), [*w, b], rtol=1e-11, atol=1e-14)
    sevens = np.column_stack([np.full(len(X), 7.0), X])
    np.testing.assert_allclose(solve(sevens, y, lam[::-1]), [b / 7, *w], rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("rho, slope", [(1.0, (4 - 0.25) / 2), (0.5, (4 - 0.125) / (2 + 0.125)), (0.0, 4 / 2.25)])
@pytest.mark.parametrize("offset", [1e6, 1e12])
def test_features_far_from_zero(offset, rho, slope):
    """x = offset + (-1, 0, 1) beside a free constant: the slope of three points, and the bias that belongs to it.

    With the best bias, a slope that is off by e costs at least 2e² more, and the gap bounds that, up to the rounding of
    the loss (it is a difference of numbers of that size).
    """
    Z, lam = augment(SLOPE + offset), free_bias(0.5, 2)
    fit, rounding = elastic_net(Z, STEEP, lam, rho), EPS * loss(np.array([slope]), SLOPE, STEEP, 0.5, rho)
    assert fit.converged and 2 * (fit.w[0] - slope) ** 2 <= fit.gap + 4 * rounding
    assert fit.w[1] == pytest.approx(-fit.w[0] * offset, rel=1e-12)
    np.testing.assert_allclose(ridge(Z[:, ::-1] * [7, 1], STEEP, [0.0, 1.0]), [-4 / 21 * offset, 4 / 3], rtol=1e-12)


# --- two problems that the notes call by one name -----------------------------------------------------------


@pytest.mark.equation("A-1.2-16")
@pytest.mark.erratum("A07")
def test_the_elastic_net_without_l1_is_ridge_of_half_lam():
    """Printed: λρ‖w‖₁ + λ(1 - ρ)/2 ‖w‖² beside ridge's λ‖w‖². At ρ = 0, λ = 2: 4/(2 + 1) and 4/(2 + 2)."""
    np.testing.assert_allclose(elastic_net(SLOPE, STEEP, 2.0, 0.0).w, [4 / 3], rtol=1e-15)
    np.testing.assert_allclose(ridge(SLOPE, STEEP, 2.0), [1], rtol=1e-15)
    w = elastic_net(X, Y, LAM, 0.0).w
    np.testing.assert_allclose(w, ridge(X, Y, LAM / 2), rtol=1e-12)
    near = [np.abs(elastic_net(X, Y, LAM, rho).w - w).max() for rho in (1e-2, 1e-4, 1e-6)]
    assert near[0] > 10 * near[1] > 100 * near[2]  # and it is its limit: excluding ρ = 0 and 1 excludes ends only


@pytest.mark.equation("A-1.3-1", "A-1.3-3")
@pytest.mark.erratum("A08")
def test_the_norm_without_its_square_is_another_problem():
    """Printed: λ‖w~‖ in the algorithm. It has an exact zero from λ = 2‖Xᵀy‖ on; ridge has none."""
    zero_from = 2 * np.linalg.norm(X.T @ Y)
    for w in np.random.default_rng(2).normal(size=(20, 4)):
        assert squares(w, X, Y) + zero_from * np.linalg.norm(w) > Y @ Y
    for lam in (zero_from, 1e3 * zero_from):
        assert np.abs(ridge(X, Y, lam)).min() > 0
    w = ridge(X, Y, LAM)  # it solves the printed problem of another λ, 2λ‖w‖
    for lam, is_flat in ((LAM, False), (2 * LAM * np.linalg.norm(w), True)):
        slope = central_difference(lambda w, lam=lam: squares(w, X, Y) + lam * np.linalg.norm(w), w)
        assert (np.abs(slope).max() < 1e-7) == is_flat


COPIES = np.hstack([SLOPE, SLOPE])


@pytest.mark.equation("A-1.2-14", "A-1.2-18")
@pytest.mark.erratum("A58")
def test_the_lasso_of_copies_has_many_solutions():
    """Printed: a penalty, L1 among them, cures the many solutions. (s, 0) and (s/3, 2s/3) cost the same, s = 0.85."""
    s, least = 0.85, lasso(COPIES, FLAT_LINE, 0.6)
    for w in (np.array([s, 0]), np.array([s / 3, 2 * s / 3]), least.w):
        assert loss(w, COPIES, FLAT_LINE, 0.6) == pytest.approx(2 * 0.15**2 + 0.6 * s, rel=1e-14)
        assert optimality(w, COPIES, FLAT_LINE, 0.6) < 1e-14
    assert least.converged and least.w.sum() == pytest.approx(s, rel=1e-14)


@pytest.mark.equation("A-1.2-15", "A-1.2-16", "A-1.2-18")
@pytest.mark.erratum("A58")
def test_ridge_and_elastic_net_divide_copies_equally():
    """4w + λw = 2 at λ = 1; 4w + 3/4 w = 5/4 at λ = 3, ρ = 1/2: both have one solution."""
    np.testing.assert_allclose(ridge(COPIES, FLAT_LINE, 1.0), [2 / 5, 2 / 5], rtol=1e-14)
    np.testing.assert_allclose(elastic_net(COPIES, FLAT_LINE, 3.0, 0.5).w, [5 / 19, 5 / 19], rtol=1e-14)


# --- one coordinate, iterations -----------------------------------------------------------------------------


@mixed_shapes
def test_a_sweep_is_one_step_for_each_column(X, y, rho):
    lam, w = np.linspace(1, 2, X.shape[1]), np.linspace(-1, 1, X.shape[1])
    for after in islice(coordinate_iterates(X, y, lam, rho, w=w.copy()), 4):
        np.testing.assert_allclose(after.w, w, rtol=1e-12, atol=1e-14)
        for j in range(len(w)):
            w[j] = coordinate_step(j, w, X, y, lam, rho)


ITERATIONS = {
    "coordinates": coordinate_iterates,
    "proximal": lambda X, y, lam, rho, **start: proximal_iterates(X, y, lam, rho, eta=largest_step(X) / 2, **start),
}


@pytest.mark.parametrize("iterates", ITERATIONS.values(), ids=ITERATIONS)
@mixed_shapes
@pytest.mark.equation("A-1.2-14", "A-1.2-16")
def test_iterations_fall_to_the_exact_solution_and_stay_there(iterates, X, y, rho):
    solution = optimize.run(iterates(X, y, LAM, rho), tol=1e-11, max_iter=100_000)
    assert solution.converged
    losses = [loss(w, X, y, LAM, rho) for w in optimize.trajectory(iterates(X, y, LAM, rho), 30)]
    assert all(b <= a * (1 + 1e-14) for a, b in pairwise(losses)) and losses[1] < losses[0]
    w = elastic_net(X, y, LAM, rho).w
    np.testing.assert_allclose(solution.w, w, atol=1e-9)
    assert ((solution.w != 0) == (w != 0)).all()  # zeros are zeros, not small numbers
    for iterate in islice(iterates(X, y, LAM, rho, w=w), 3):
        np.testing.assert_allclose(iterate.w, w, atol=1e-14)
        np.testing.assert_allclose(iterate.gradient, 0, atol=1e-12)


def test_a_column_of_zeros_in_coordinate_descent():
    """Its weight gains nothing: 0 where it has a penalty, and no NaN where it is free."""
    Z = np.column_stack([SLOPE, np.zeros(3)])
    assert coordinate_step(1, [0.0, 5.0], Z, FLAT_LINE, 0.0) == 0
    for lam in (0.6, [0.6, 0.0]):
        solution = optimize.run(coordinate_iterates(Z, FLAT_LINE, lam, w=[0.0, 5.0]), tol=1e-14)
        assert solution.w[0] == pytest.approx(0.85, rel=1e-15)
        assert solution.w[1] == 0 or lam != 0.6
        assert loss(solution.w, Z, FLAT_LINE, np.array([0.6, 0])) == pytest.approx(2 * 0.15**2 + 0.6 * 0.85)


# --- lasso and elastic net: identities ----------------------------------------------------------------------


@pytest.mark.parametrize("unit", [1e-16, 1.0, 1e12])
def test_the_gap_of_free_columns_is_the_whole_excess_in_any_units(unit):
    """y = x/unit has the loss 0, and w = (0, 2) the loss 1 + 0 + 4: of two free columns the gap leaves nothing out."""
    Z, y = np.column_stack([np.array([1.0, 2, 4]) * unit, np.ones(3)]), np.array([1.0, 2, 4])
    assert duality_gap(np.array([0.0, 2]), Z, y, 0.0) == pytest.approx(5, rel=1e-12)


def test_orthonormal_columns_are_thresholded_one_by_one():
    """XᵀX = I: w = S(Xᵀy, λ/2), and the elastic net divides it by 1 + λ(1 - ρ)/2."""
    Q = np.linalg.qr(X)[0]
    a = Q.T @ Y
    lam = 2 * np.sort(np.abs(a))[1:3].mean()  # two of four are below
    w = lasso(Q, Y, lam).w
    np.testing.assert_allclose(w, soft_threshold(a, lam / 2), atol=1e-14)
    assert np.count_nonzero(w == 0.0) == 2
    np.testing.assert_allclose(elastic_net(Q, Y, LAM, 0.3).w, soft_threshold(a, 0.45) / 2.05, atol=1e-14)


@pytest.mark.equation("A-1.2-16")
@shapes
def test_the_elastic_net_is_a_lasso_of_more_rows(X, y):
    """Rows √(λ(1 - ρ)/2) I below X, zeros below y."""
    rows, zeros = ridge_rows(X, y, LAM * 0.7 / 2)
    np.testing.assert_allclose(elastic_net(X, y, LAM, 0.3).w, lasso(rows, zeros, LAM * 0.3).w, rtol=1e-10, atol=1e-14)


def test_the_lasso_uses_no_more_columns_than_it_needs():
    """At most as many as there are samples; of copies the longest, where a weight is cheapest; others may go."""
    assert np.count_nonzero(lasso(WIDE, WIDE_Y, 0.01).w) <= len(WIDE) < np.count_nonzero(ridge(WIDE, WIDE_Y, 0.01))
    assert not lasso(np.hstack([X, X, -2 * X]), Y, LAM).w[:8].any()
    w = lasso(X, Y, 8.0).w
    assert 0 < np.count_nonzero(w) < 4
    np.testing.assert_allclose(lasso(X[:, w != 0], Y, 8.0).w, w[w != 0], rtol=1e-12)


@pytest.mark.parametrize("rho", [0.25, 1.0])
@shapes
@pytest.mark.equation("A-1.2-14")
def test_zero_from_the_smallest_zero_lam_on(X, y, rho):
    for share, none in ((10.0, True), (1 + 1e-12, True), (1 - 1e-9, False)):
        lam, zero = share * smallest_zero_lam(X, y, rho), np.zeros(X.shape[1])
        assert (not elastic_net(X, y, lam, rho).w.any()) == none == (optimality(zero, X, y, lam, rho) == 0)


# --- the path -----------------------------------------------------------------------------------------------


def test_a_knot_is_where_a_column_comes_or_goes():
    """Of the path of diabetes, on which the seventh column leaves and comes back (Efron et al. 2004)."""
    data = datasets.diabetes()
    path = lasso_path(data.X, data.y - data.y.mean())
    assert path.changes.tolist() == [3, 9, 4, 7, 2, 10, 5, 8, 6, 1, -7, 7, 0]
    used = [set(), *({*np.flatnonzero(a + b) + 1} for a, b in pairwise(path.W))]
    for w, change, (before, after) in zip(path.W, path.changes, pairwise(used), strict=False):
        assert w[abs(change) - 1] == 0
        assert (after - before, before - after) == (({change}, set()) if change > 0 else (set(), {-change}))


def test_without_penalty_it_is_least_squares():
    W = elastic_net_path(X, Y, [0.0, smallest_zero_lam(X, Y) * 1.001], 1.0)
    np.testing.assert_allclose(W, [least_squares(X, Y), np.zeros(4)], rtol=1e-11)
    np.testing.assert_allclose(WIDE @ lasso(WIDE, WIDE_Y, 0.0).w, WIDE_Y, rtol=1e-11)
    for Z, y in ((X, Y), (WIDE, WIDE_Y), (FLAT, FLAT_Y)):
        np.testing.assert_allclose(Z @ lasso_path(Z, y).W[-1], Z @ minimum_norm(Z, y), rtol=1e-11)


def test_of_dependent_columns_not_all_enter():
    path, copies = lasso_path(FLAT, FLAT_Y), lasso_path(COPIES, FLAT_LINE)
    assert 1 not in path.changes and not path.W[:, 0].any()  # twice the column is the cheaper one
    assert np.count_nonzero(copies.W[-1]) == 1 and copies.W[-1].sum() == pytest.approx(1)


@pytest.mark.parametrize("data", [(X, 0 * Y), (np.zeros((3, 2)), np.ones(3)), (np.array([[1.0], [1]]), [1.0, -1])])
def test_a_path_that_stays_at_zero(data):
    path = lasso_path(*data)
    assert path.lams.tolist() == [0] and not path.W.any() and path.changes.tolist() == [0]
    assert not interpolate(path, 0.0).any() and not interpolate(path, 3.0).any()


@shapes
@pytest.mark.parametrize("share", [0.1, 1.0, 3.0])
def test_a_path_down_to_least_is_the_part_above_it(X, y, share):
    """The same knots above, and at its end the whole path's weights; above the first knot that end is all there is."""
    whole, least = lasso_path(X, y), share * smallest_zero_lam(X, y)
    path = lasso_path(X, y, least=least)
    above = np.count_nonzero(whole.lams > least)
    assert path.lams[-1] == least and path.changes.tolist() == [*whole.changes[:above], 0]
    for lam in (least, *path.lams[:-1], 100 * least):
        np.testing.assert_allclose(interpolate(path, lam), interpolate(whole, lam), rtol=1e-11, atol=1e-14)
    with pytest.raises(ValueError, match=r"lam must be >= .*, found .*; lasso_path\(X, y, least=lam\) goes on to it"):
        interpolate(path, 0.9 * least)


def longest_path(d):
    """Mairal and Yu (2012): each further row and column triples the pieces of the path, (3^d + 1)/2 of them."""
    Z, y = np.ones((1, 1)), np.ones(1)
    for k in range(1, d):
        last = smallest_zero_lam(Z, y) if k == 1 else lasso_path(Z, y).lams[-2]
        a = last / 4 / (2 * y @ y + 1)
        Z = np.block([[Z, 2 * a * y[:, None]], [np.zeros((1, k)), np.full((1, 1), a)]])
        y = np.append(y, 1.0)
    return Z, y


@pytest.mark.parametrize("d, rtol", [(2, 1e-8), (3, 1e-8), (4, 1e-8), (5, 1e-4)])
def test_a_path_of_as_many_pieces_as_there_can_be(d, rtol):
    Z, y = longest_path(d)
    path = lasso_path(Z, y)
    assert len(path.lams) == (3**d + 1) // 2 or d == 5
    np.testing.assert_allclose(path.W[-1], np.linalg.solve(Z, y), rtol=rtol)


def test_a_path_that_cannot_end_is_an_error_and_no_path(monkeypatch):
    """More knots than the cap: `lasso_path` says how many; `lasso`, on the same walk, what its gap still is."""
    (Z, y), lam = longest_path(4), 1e-6
    monkeypatch.setattr(sparse, "MOST_KNOTS", 3)
    with pytest.raises(np.linalg.LinAlgError, match="the path has more than 3 knots"):
        lasso_path(Z, y)
    monkeypatch.setattr(sparse, "MOST_GUESSES", 2)
    fit = lasso(Z, y, lam)
    assert not fit.converged and "more than 3 knots" in fit.reason and f"{fit.gap:.3g}" in fit.reason
    assert fit.gap >= loss(fit.w, Z, y, lam) - loss(np.linalg.solve(Z, y), Z, y, lam)


def test_a_path_through_a_tie_goes_on():
    """At λ = 1 the first and third column meet their bounds at once; both together depend on the others."""
    Z = np.array([[-1.0, -1, 1, 1], [1, 1, -1, -1], [1, 1, 1, 1], [1, -1, -1, 1], [-1, 1, 1, -1]])
    y = np.array([0.0, 1, 1, 2, 3])
    path = lasso_path(Z, y)
    assert len(path.lams) < 20
    np.testing.assert_allclose(Z @ path.W[-1], Z @ minimum_norm(Z, y), atol=1e-12)
    for lam in (0.25, 0.5, 0.75):
        assert optimality(interpolate(path, lam), Z, y, lam) <= 1e-12
        assert optimality(elastic_net_path(Z, y, [lam], 1.0)[0], Z, y, lam) <= 1e-12
        assert lasso(Z, y, lam).converged


@pytest.mark.parametrize("seed", [*range(5), *slow(range(5, 40))])
def test_a_path_of_columns_in_unlike_units_is_the_lasso(seed):
    """Units from 1e-9 to 1e9, their columns independent: no path is refused, and none is off on the way."""
    rng = np.random.default_rng(seed)
    Z, y = rng.normal(size=(6, 3)) * 10 ** rng.uniform(-9, 9, size=3), rng.normal(size=6)
    path = lasso_path(Z, y)
    np.testing.assert_allclose(Z @ path.W[-1], Z @ least_squares(Z, y), atol=1e-8 * np.abs(y).max())
    for lam in path.lams[0] * np.array([0.5, 0.1, 1e-3, 1e-9, 1e-12]):
        apart = loss(interpolate(path, lam), Z, y, lam) - loss(lasso(Z, y, lam).w, Z, y, lam)
        assert apart <= 1e-10 * y @ y


# --- elastic net for many λ ---------------------------------------------------------------------------------


@mixed_shapes
@pytest.mark.equation("A-1.2-16")
def test_many_lams_are_one_lam_at_a_time_in_any_order(X, y, rho):
    lams = np.array([1.0, 30.0, 0.1, 1.0, 3.0])
    W = elastic_net_path(X, y, lams, rho)
    for lam, w in zip(lams, W, strict=True):
        assert duality_gap(w, X, y, lam, rho) <= 1e-10 * loss(w, X, y, lam, rho)
        np.testing.assert_allclose(w, elastic_net(X, y, lam, rho).w, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(elastic_net_path(X, y, lams[::-1], rho), W[::-1], rtol=1e-9, atol=1e-12)


def test_a_path_of_few_samples_forms_no_matrix_of_columns():
    """5 samples of 1500 columns: XᵀX alone would take 18 MB."""
    rng = np.random.default_rng(0)
    Z, y = rng.normal(size=(5, 1500)), rng.normal(size=5)
    tracemalloc.start()
    elastic_net_path(Z, y, [2.0, 1.0], 1.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1500**2 * 8 / 4


# --- folds --------------------------------------------------------------------------------------------------


@pytest.mark.equation("C-1-7")
@pytest.mark.parametrize("N, k", [(10, 5), (11, 3), (2, 2)])
def test_folds_hold_each_sample_out_once(N, k):
    """Parameters from the one part, λ from the other: no sample is ever in both."""
    pairs = folds(N, k, rng=np.random.default_rng(0))
    assert len(pairs) == k
    for train, test in pairs:
        assert sorted([*train, *test]) == list(range(N)) and len(test) in (N // k, -(-N // k))
        assert (np.diff(train) > 0).all() and (np.diff(test) > 0).all()
    assert sorted(np.concatenate([test for _, test in pairs])) == list(range(N))


@pytest.mark.equation("C-1-7")
def test_folds_are_dealt_at_random():
    dealt = [[test.tolist() for _, test in folds(20, 4, rng=np.random.default_rng(seed))] for seed in (0, 0, 1)]
    assert dealt[0] == dealt[1] != dealt[2]
    assert dealt[0] != [list(range(i, i + 5)) for i in (0, 5, 10, 15)]


@pytest.mark.equation("C-1-7")
def test_leaving_one_out_for_ridge_needs_no_second_fit():
    """k = N: the error at a sample left out is r_i/(1 - H_ii), H = X(XᵀX + λI)⁻¹Xᵀ."""
    H = X @ np.linalg.solve(X.T @ X + LAM * np.eye(4), X.T)
    short = (Y - H @ Y) / (1 - np.diag(H))
    for train, test in folds(12, 12, rng=np.random.default_rng(0)):
        w = ridge(X[train], Y[train], LAM)
        np.testing.assert_allclose(Y[test] - X[test] @ w, short[test], rtol=1e-11)


# --- metamorphic relations ----------------------------------------------------------------------------------


def net(X, y, l1, l2):
    """The minimizer of ‖Xw - y‖² + l1‖w‖₁ + l2/2 ‖w‖²: the elastic net by the penalty of each part."""
    return elastic_net(X, y, l1 + l2, l1 / (l1 + l2)).w


RELATIONS = {  # other data and penalties, and what their weights are in terms of w, those of X, y, l1, l2
    "samples in another order": lambda X, y, l1, l2, w: (X[::-1], y[::-1], l1, l2, w),
    "columns in another order": lambda X, y, l1, l2, w: (X[:, ::-1], y, l1, l2, w[::-1]),
    "columns of the other sign": lambda X, y, l1, l2, w: (-X, y, l1, l2, -w),
    "targets in other units": lambda X, y, l1, l2, w: (X, -7 * y, 7 * l1, l2, -7 * w),
    "columns in other units": lambda X, y, l1, l2, w: (X / 8, y, l1 / 8, l2 / 64, 8 * w),
    "every sample twice": lambda X, y, l1, l2, w: (np.vstack([X, X]), np.append(y, y), 2 * l1, 2 * l2, w),
    "a sample and a column of zeros": lambda X, y, l1, l2, w: (np.pad(X, (0, 1)), np.append(y, 0), l1, l2, [*w, 0]),
}


@pytest.mark.parametrize(
    "X, y, l1, l2", [(X, Y, 1.0, 3.0), (WIDE, WIDE_Y, 2.0, 0.0), (FLAT, FLAT_Y, 0.0, 4.0)], ids=["tall", "wide", "flat"]
)
@pytest.mark.parametrize("relation", RELATIONS.values(), ids=RELATIONS)
def test_metamorphic_relations(relation, X, y, l1, l2):
    *other, w = relation(X, y, l1, l2, net(X, y, l1, l2))
    np.testing.assert_allclose(net(*other), w, rtol=1e-10, atol=1e-13)


def test_a_rotation_rotates_ridge_but_not_the_lasso():
    """‖w‖ is the same in all directions, ‖w‖₁ is not."""
    Q = np.linalg.qr(np.random.default_rng(5).normal(size=(4, 4)))[0]
    np.testing.assert_allclose(ridge(X @ Q, Y, LAM), Q.T @ ridge(X, Y, LAM), rtol=1e-11)
    assert np.abs(lasso(X @ Q, Y, LAM).w - Q.T @ lasso(X, Y, LAM).w).max() > 1e-2


# --- edges --------------------------------------------------------------------------------------------------

SOLVERS = {  # and their weight of x = 2, y = 3, λ = 3
    "ridge": (lambda X, y: ridge(X, y, LAM), 6 / 7),
    "ridge rows": (lambda X, y: least_squares(*ridge_rows(X, y, LAM)), 6 / 7),
    "ridge path": (lambda X, y: ridge_path(X, y, [LAM])[0], 6 / 7),
    "lasso": (lambda X, y: lasso(X, y, LAM).w, (6 - 3 / 2) / 4),
    "elastic net": (lambda X, y: elastic_net(X, y, LAM, 0.5).w, (6 - 3 / 4) / (4 + 3 / 4)),
    "elastic net path": (lambda X, y: elastic_net_path(X, y, [LAM], 0.5)[0], (6 - 3 / 4) / (4 + 3 / 4)),
    "lasso path": (lambda X, y: interpolate(lasso_path(X, y), LAM), (6 - 3 / 2) / 4),
    "coordinates": (lambda X, y: optimize.trajectory(coordinate_iterates(X, y, LAM), 5)[-1], (6 - 3 / 2) / 4),
}


@pytest.mark.parametrize("solve, w", SOLVERS.values(), ids=SOLVERS)
def test_one_sample_of_one_column_and_nothing_but_zeros(solve, w):
    assert solve([[2.0]], [3.0])[0] == pytest.approx(w, rel=1e-14)
    assert not solve(X, 0 * Y).any() and not solve(WIDE, 0 * WIDE_Y).any()
    assert solve(np.zeros((3, 2)), [1.0, 2.0, 3.0]).tolist() == [0, 0]


@pytest.mark.parametrize("matrix", [FLAT, WIDE, np.zeros((4, 3))], ids=["flat", "wide", "zeros"])
def test_dependent_columns_without_penalty_are_an_error(matrix):
    with_a_penalized_one = np.column_stack([matrix, [1.0, 2, 4, 8]]), FLAT_Y, [0.0] * matrix.shape[1] + [1.0]
    for solve in (ridge, ridge_normal_equations):
        for problem in ((matrix, FLAT_Y, 0.0), with_a_penalized_one):
            with pytest.raises(np.linalg.LinAlgError, match="columns of X without penalty are dependent"):
                solve(*problem)


def unlike_lengths(seed):
    """K of fewer features than samples, whose lengths are 1e-6 to 1e6."""
    rng = np.random.default_rng(seed)
    N = int(rng.integers(3, 7))
    V = rng.normal(size=(N, int(rng.integers(1, N)))) * 10.0 ** rng.uniform(-6, 6, size=(N, 1))
    return V @ V.T


@pytest.mark.parametrize(
    "K, lam",
    [(np.diag([1.0, -2.0]), 2.0), (np.ones((3, 3)), 1e-20), *((unlike_lengths(seed), 0.0) for seed in (481, 3067))],
)
def test_a_singular_dual_system_is_an_error(K, lam):
    with pytest.raises(np.linalg.LinAlgError, match=rf"K \+ λI is singular to rounding with lam = {lam:g}; .*larger"):
        ridge_dual(K, np.arange(1.0, len(K) + 1), lam)


@pytest.mark.parametrize("ratio, lost", [(1e8, 1e-6), (1e16, 1e3)], ids=str)
def test_the_printed_form_loses_the_weight_of_a_short_column_and_ridge_does_not(ratio, lost):
    """Against fractions, the median of 20 draws: `lost` bounds what is said of the printed form, from above."""
    errors = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        Z = np.column_stack([rng.normal(size=8) / np.sqrt(ratio), rng.normal(size=8) * np.sqrt(ratio), np.ones(8)])
        y = rng.normal(size=8)
        right = exact_ridge(Z, y, np.ones(3)).astype(float)
        np.testing.assert_allclose(ridge(Z, y, 1.0), right, rtol=1e-12)
        errors.append(np.abs(ridge_normal_equations(Z, y, 1.0) / right - 1))
    first, *others = np.median(errors, axis=0)
    assert 1e-16 * ratio / 100 < first < lost and max(others) < 1e-12


def test_an_attempt_that_fails_does_not_cost_what_was_found(monkeypatch):
    """Columns that differ by 1e-6: the gap tells what one way leaves, and the path closes it; without path it stays."""
    rng = np.random.default_rng(22)
    Z = rng.standard_normal((8, 7))
    Z[:, -1] = Z[:, 0] + 1e-6 * rng.standard_normal(8)
    y = rng.standard_normal(8)
    best, rough = lasso(Z, y, 1e-3), np.append(least_squares(Z[:, :6], y), 0.0)
    monkeypatch.setattr(penalized, "_solve_by_signs", lambda *args: (rough, 1, ""))
    again = lasso(Z, y, 1e-3)
    assert best.converged and again.converged
    np.testing.assert_allclose(again.w, best.w, rtol=1e-6)
    monkeypatch.setattr(sparse, "MOST_KNOTS", 1)
    left = lasso(Z, y, 1e-3)
    assert not left.converged and left.w.tolist() == rough.tolist()
    assert loss(best.w, Z, y, 1e-3) < loss(left.w, Z, y, 1e-3) < loss(np.zeros(7), Z, y, 1e-3)


def test_ridge_where_units_hide_what_is_dependent_says_so():
    """More rows than columns, one 1e70 times as long as the others: no digit of these is left beside it."""
    Z = np.array([[1e70, 2e70], [1.0, 1.0], [3.0, 1.0]])
    with pytest.raises(np.linalg.LinAlgError, match=r"singular to rounding.*rescale X"):
        ridge(Z, np.ones(3), 1e-3)
    with pytest.raises(np.linalg.LinAlgError, match=r"rank cannot be told; rescale X"):
        ridge_path(Z, np.ones(3), [1e-3])


@pytest.mark.slow
@pytest.mark.parametrize("lam", [0.5, 100.0])
@pytest.mark.parametrize("rho", [0.3, 0.9])
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn(lam, rho):
    """The fenced block of the chapter, as it stands there, on the patients: alpha = λ, or λ/2N, and a free bias."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    page = pathlib.Path(__file__).parents[1] / "notebooks" / "02_regularization.ipynb"
    (text,) = (notebooks.text(cell["source"]) for cell in notebooks.read(page)["cells"] if cell["id"] == "ch02-sklearn")
    patients = datasets.diabetes()
    Z, y = patients.X + 0.1, patients.y
    names = {"X": Z, "y": y, "lam": lam, "rho": rho}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], names)
    free, both = free_bias(lam, 11), augment(Z)
    for model, w in (
        ("ridge", ridge(both, y, free)),
        ("lasso", lasso(both, y, free).w),
        ("net", elastic_net(both, y, free, rho).w),
    ):
        found = np.append(names[model].coef_, names[model].intercept_)
        np.testing.assert_allclose(found, w, rtol=1e-5, atol=1e-3, err_msg=model)

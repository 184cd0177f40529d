"""Chapter 02, regularization: every equation of notes A 1.2 and 1.3 on penalties, and where the notes are wrong."""

import tracemalloc
from fractions import Fraction
from itertools import islice, pairwise, product

import numpy as np
import pytest
from cases import one_in, slow

from linmodels import datasets, optimize
from linmodels.derivatives import central_difference, check_gradient
from linmodels.design import augment, free_bias
from linmodels.linear_regression import gradient, largest_step, least_squares, minimum_norm, predict
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

LAM = 3.0
shapes = pytest.mark.parametrize("X, y", [(X, Y), (WIDE, WIDE_Y), (FLAT, FLAT_Y)], ids=["tall", "wide", "flat"])
mixtures = pytest.mark.parametrize("rho", [0.0, 0.3, 1.0])
ALL_MIXTURES = [(rho, *data) for rho in (0.0, 0.3, 1.0) for data in ((X, Y), (WIDE, WIDE_Y), (FLAT, FLAT_Y))]


def net(X, y, l1, l2):
    """The minimizer of ‖Xw - y‖² + l1‖w‖₁ + l2/2 ‖w‖²: the elastic net by the penalty of each part."""
    return elastic_net(X, y, l1 + l2, l1 / (l1 + l2)).w


penalties = pytest.mark.parametrize("l1, l2", [(2.0, 0.0), (1.0, 3.0), (0.0, 4.0)], ids=["lasso", "both", "ridge"])


def exact_solution(A, c):
    """Gauss-Jordan in fractions; None where A is singular."""
    rows = [[*row, v] for row, v in zip(A, c, strict=True)]
    for i in range(len(rows)):
        pivot = next((k for k in range(i, len(rows)) if rows[k][i] != 0), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for k in range(len(rows)):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


class Exact:
    """‖Xw - y‖² + Σ l1_j|w_j| + l2_j/2 w_j² of integers or fractions, minimized by trying every pattern of signs."""

    def __init__(self, X, y, l1, l2):
        self.columns = [[Fraction(v) for v in column] for column in np.transpose(X).tolist()]
        self.y = [Fraction(v) for v in y]
        self.l1, self.l2 = [Fraction(v) for v in l1], [Fraction(v) for v in l2]
        d, dot = len(self.columns), lambda a, b: sum(p * q for p, q in zip(a, b, strict=True))
        self.A = [
            [dot(p, q) + (self.l2[i] / 2 if i == j else 0) for j, q in enumerate(self.columns)]
            for i, p in enumerate(self.columns)
        ]
        self.c = [dot(p, self.y) for p in self.columns]
        tried = [self.with_signs(s) for s in product((0, 1, -1), repeat=d)]
        self.minimizers = [w for w in tried if w is not None]
        self.least = self.loss(self.minimizers[0])

    def with_signs(self, s):
        """The stationary point in the columns with a sign; None where it is none, or its signs are others."""
        a = [j for j, sign in enumerate(s) if sign]
        v = exact_solution([[self.A[i][j] for j in a] for i in a], [self.c[i] - self.l1[i] * s[i] / 2 for i in a])
        if v is None:
            return None
        w = [Fraction(0)] * len(s)
        for i, value in zip(a, v, strict=True):
            w[i] = value
        kept = all(w[i] * s[i] >= 0 for i in a if self.l1[i])
        return w if kept and all(2 * abs(g) <= l for g, l, j in self.slopes(w) if j not in a) else None

    def slopes(self, w):
        return [
            (c - sum(p * q for p, q in zip(row, w, strict=True)), l, j)
            for j, (row, c, l) in enumerate(zip(self.A, self.c, self.l1, strict=True))
        ]

    def loss(self, w):
        w = [Fraction(v) for v in w]
        r = [t - sum(v * x[i] for v, x in zip(w, self.columns, strict=True)) for i, t in enumerate(self.y)]
        costs = sum(a * abs(v) + b / 2 * v * v for a, b, v in zip(self.l1, self.l2, w, strict=True))
        return sum(v * v for v in r) + costs

    def certain_zeros(self):
        """Columns that no minimizer uses: |slope| is below its bound, not at it."""
        return [j for g, l, j in self.slopes(self.minimizers[0]) if 2 * abs(g) < l]


def integer_problems(count, seed=0):
    """Small integers with ties, columns of zeros, copies, a free constant column: X, y, lam (d,), rho."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        N, d = rng.integers(1, 6), rng.integers(1, 5 if k % 4 == 0 else 4)
        X = rng.integers(-3, 4, size=(N, d)).astype(float)
        lam = np.full(d, rng.choice([0.5, 1.0, 2.0, 4.0, 8.0, 16.0]))
        if k % 3 == 0 and d > 1:
            X[:, 0] = X[:, 1] * rng.choice([-1, 1, 2])
        if k % 5 == 0:
            X[:, 0] = 0
        if k % 2 == 0:
            X[:, -1], lam[-1] = rng.choice([1, 7]), 0
        if k % 7 == 0:
            lam = rng.choice([0.0, 1.0, 4.0], size=d)
        yield X, rng.integers(-5, 6, size=N).astype(float), lam, rng.choice([0.25, 0.5, 1.0, 1.0])


# --- worked values ------------------------------------------------------------------------------------------


@pytest.mark.equation("A-1.2-14", "A-1.2-15", "A-1.2-16")
def test_penalties_by_hand():
    """‖(3, -4)‖₁ = 7, ‖(3, -4)‖² = 25."""
    w = np.array([3.0, -4.0])
    assert penalty(w, 2.0) == 2 * 7
    assert penalty(w, 2.0, 0.0) == 2 / 2 * 25
    assert penalty(w, 2.0, 0.5) == 2 * (7 / 2 + 25 / 4)
    assert penalty(w, np.array([2.0, 0.0]), 0.5) == 2 * (3 / 2 + 9 / 4)


@pytest.mark.equation("A-1.2-14", "A-1.2-15", "A-1.2-16", "A-1.3-3")
def test_losses_by_hand():
    """At w = 1 the residuals of y = (-2, 0, 2) are -1, 0, 1."""
    w = np.array([1.0])
    assert loss(w, SLOPE, STEEP, 3.0) == 2 + 3
    assert loss(w, SLOPE, STEEP, 3.0, 0.5) == 2 + 3 / 2 + 3 / 4
    assert ridge_loss(w, SLOPE, STEEP, 3.0) == 2 + 3
    assert ridge_gradient(w, SLOPE, STEEP, 3.0).tolist() == [2 * (2 - 4) + 2 * 3]


@pytest.mark.equation("A-1.2-15", "A-1.3-1")
@pytest.mark.parametrize("lam, w", [(0.0, 2), (1.0, 4 / 3), (2.0, 1), (6.0, 1 / 2)])
def test_ridge_through_three_points(lam, w):
    """w = x·y / (x·x + λ) = 4 / (2 + λ)."""
    np.testing.assert_allclose(ridge(SLOPE, STEEP, lam), [w], rtol=1e-15)
    np.testing.assert_allclose(ridge_normal_equations(SLOPE, STEEP, lam), [w], rtol=1e-15)
    np.testing.assert_allclose(ridge_path(SLOPE, STEEP, [lam]), [[w]], rtol=1e-15)


def test_ridge_with_more_columns_than_samples_by_hand():
    """One sample x = (1, 2), y = 3: XXᵀ = 5, β = 3/(5 + λ), w = βx."""
    np.testing.assert_allclose(ridge([[1.0, 2.0]], [3.0], 1.0), [1 / 2, 1], rtol=1e-15)
    np.testing.assert_allclose(ridge_dual([[5.0]], [3.0], 1.0), [1 / 2], rtol=1e-15)


def test_ridge_rows_by_hand():
    rows, y = ridge_rows([[1.0, 2.0]], [3.0], [4.0, 9.0])
    assert rows.tolist() == [[1, 2], [2, 0], [0, 3]]
    assert y.tolist() == [3, 0, 0]


def test_a_penalized_constant_is_the_mean_shrunk():
    """On a column of N ones the weight is Nȳ/(N + λ)."""
    np.testing.assert_allclose(ridge(np.ones((4, 1)), [1.0, 2, 3, 6], 4.0), [12 / 8], rtol=1e-15)


@pytest.mark.equation("A-1.2-14")
@pytest.mark.parametrize("lam, w", [(0.0, 1), (0.6, 0.85), (2.0, 0.5), (4.0, 0), (6.0, 0)])
def test_lasso_through_three_points(lam, w):
    """w = S(x·y, λ/2) / x·x = max(2 - λ/2, 0) / 2."""
    fit = lasso(SLOPE, FLAT_LINE, lam)
    np.testing.assert_allclose(fit.w, [w], rtol=1e-15)
    assert fit.converged and (w > 0 or fit.w[0] == 0)


@pytest.mark.equation("A-1.2-16")
def test_elastic_net_through_three_points():
    """(x·y - λρ/2) / (x·x + λ(1 - ρ)/2) = (2 - 3/4) / (2 + 3/4)."""
    np.testing.assert_allclose(elastic_net(SLOPE, FLAT_LINE, 3.0, 0.5).w, [5 / 11], rtol=1e-15)


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


def test_a_column_that_leaves_and_comes_back_by_hand():
    """x_1 = (4, 0), x_2 = (2, 1), y = (1, 1), μ = λ/2. First w_1 = (4 - μ)/16, until x_2·r = 1 + μ/2 = μ. Then
    XᵀX d = (1, 1) has d = (-3, 8)/16: w_1 = 1/8 - 3(2 - μ)/16 is 0 at μ = 4/3. Then w_2 = (3 - μ)/5, until
    x_1·r = 4 - 8w_2 = -μ; and at 0 the two samples are met by w = (-1/4, 1)."""
    path = lasso_path([[4.0, 2.0], [0.0, 1.0]], [1.0, 1.0])
    assert path.changes.tolist() == [1, 2, -1, 1, 0]
    np.testing.assert_allclose(path.lams, [8, 4, 8 / 3, 8 / 13, 0], rtol=1e-13)
    np.testing.assert_allclose(path.W, [[0, 0], [1 / 8, 0], [0, 1 / 3], [0, 7 / 13], [-1 / 4, 1]], atol=1e-14)


def test_optimality_by_hand():
    """At w = 1 the squares are flat: only the penalty pulls. At 0 their slope is -4."""
    assert optimality([1.0], SLOPE, FLAT_LINE, 0.6) == pytest.approx(0.6, rel=1e-15)
    assert optimality([1.0], SLOPE, FLAT_LINE, 3.0, 0.5) == 1.5 + 1.5
    assert optimality([0.0], SLOPE, FLAT_LINE, 0.6) == 4 - 0.6
    assert optimality([0.0], SLOPE, FLAT_LINE, 4.0) == 0
    assert optimality([0.0], SLOPE, FLAT_LINE, [0.0]) == 4


@pytest.mark.equation("A-1.2-14", "A-1.2-16")
def test_subgradients_by_hand():
    """x_1 = (1, 1), x_2 = (0, 2), y = (4, 4): at w = (1, 0) 2Xᵀ(Xw - y) = (-12, -12), and λ(1 - ρ)w of the L2 part."""
    Z, y, w = np.array([[1.0, 0.0], [1.0, 2.0]]), np.array([4.0, 4.0]), np.array([1.0, 0.0])
    assert subgradient(w, Z, y, 4.0).tolist() == [-12 + 4, -12 + 4]
    assert subgradient(w, Z, y, 16.0).tolist() == [-12 + 16, 0]
    assert subgradient(w, Z, y, np.array([16.0, 4.0]), 0.5).tolist() == [-12 + 8 + 8, -12 + 2]
    assert subgradient(-w, Z, y, 4.0).tolist() == [-20 - 4, -20 + 4]


@pytest.mark.equation("A-1.2-14", "A-1.2-16")
def test_dual_losses_by_hand():
    """y = (-1, 0, 1), x = y: θ = ty has 2t·2 - 2t² below it, and 2x·θ = 4t."""
    for t in (0.0, 0.25, 0.5):
        assert dual_loss(t * FLAT_LINE, SLOPE, FLAT_LINE, 2.0) == 4 * t - 2 * t * t
    assert dual_loss(FLAT_LINE, SLOPE, FLAT_LINE, 2.0, 0.5) == 4 - 2 - (4 - 1) ** 2 / 2
    assert dual_loss(FLAT_LINE, SLOPE, FLAT_LINE, np.array([4.0]), 0.0) == 4 - 2 - 4**2 / 8


@pytest.mark.equation("A-1.2-14", "A-1.2-16")
def test_dual_points_by_hand():
    """x = y = (-1, 0, 1): at w = 0 θ = y has the slope 4, so λ = 2 leaves half of it, and λρ = 1 a quarter, or all."""
    assert [theta.tolist() for theta in dual_points([0.0], SLOPE, FLAT_LINE, 2.0)] == [[-0.5, 0, 0.5]]
    quarter, whole = dual_points([0.0], SLOPE, FLAT_LINE, 2.0, 0.5)
    assert quarter.tolist() == [-0.25, 0, 0.25] and whole.tolist() == [-1, 0, 1]
    assert dual_points([0.0], SLOPE, FLAT_LINE, 8.0)[0].tolist() == [-1, 0, 1]  # 4 <= 8: nothing is cut


@pytest.mark.parametrize("seed", range(5))
def test_dual_points_keep_to_what_the_lasso_asks(seed):
    """|2x_j·θ| <= λ_j, and 0 in the columns without penalty: then no loss lies below the dual loss of θ."""
    rng = np.random.default_rng(seed)
    Z, y, w = rng.normal(size=(20, 4)), rng.normal(size=20), rng.normal(size=4)
    lam = np.array([0.0, 1.0, 2.0, 0.0])
    (theta,) = dual_points(w, Z, y, lam)
    assert np.abs(2 * Z.T @ theta)[[1, 2]] == pytest.approx(np.abs(2 * Z.T @ theta)[[1, 2]].clip(max=lam[[1, 2]]))
    np.testing.assert_allclose(Z[:, [0, 3]].T @ theta, 0, atol=1e-13)
    assert dual_loss(theta, Z, y, lam) <= lasso(Z, y, lam).gap + loss(lasso(Z, y, lam).w, Z, y, lam)


def test_duality_gap_by_hand():
    """λ = 2, w* = 1/2 with the loss 3/2. At 0: u = 4, k = 1/2, gap ‖y/2‖² = 1/2, what is really missing.
    At 1: r = 0, so θ = 0 and the gap is the whole loss, 2; 1/2 is missing."""
    assert duality_gap([0.0], SLOPE, FLAT_LINE, 2.0) == 1 / 2
    assert duality_gap([1.0], SLOPE, FLAT_LINE, 2.0) == 2
    assert duality_gap([1 / 2], SLOPE, FLAT_LINE, 2.0) == 0
    assert loss(np.zeros(1), SLOPE, FLAT_LINE, 2.0) - loss(np.array([0.5]), SLOPE, FLAT_LINE, 2.0) == 1 / 2


def test_smallest_zero_lam_by_hand():
    assert smallest_zero_lam(SLOPE, FLAT_LINE) == 4
    assert smallest_zero_lam(SLOPE, FLAT_LINE, 0.5) == 8
    assert smallest_zero_lam([[1.0, -3.0]], [2.0]) == 12


ORDER = [3, 9, 4, 7, 2, 10, 5, 8, 6, 1, -7, 7]


def test_diabetes_as_published():
    """The order in which the ten features enter, and the seventh leaves and comes back (Efron et al. 2004)."""
    data = datasets.diabetes()
    assert lasso_path(data.X, data.y - data.y.mean()).changes.tolist() == [*ORDER, 0]


# --- derivatives --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lam", [LAM, np.array([0.0, 1.0, 2.0, 5.0])], ids=["one", "each"])
def test_ridge_gradient_is_the_derivative_of_the_loss(lam):
    assert check_gradient(lambda w: ridge_loss(w, X, Y, lam), lambda w: ridge_gradient(w, X, Y, lam), W) < 1e-8


@mixtures
@pytest.mark.equation("A-1.2-14", "A-1.2-16")
@pytest.mark.parametrize("lam", [LAM, np.array([0.0, 1.0, 2.0, 5.0])], ids=["one", "each"])
def test_the_subgradient_is_the_derivative_where_no_weight_is_zero(rho, lam):
    assert check_gradient(lambda w: loss(w, X, Y, lam, rho), lambda w: subgradient(w, X, Y, lam, rho), W) < 1e-8


@pytest.mark.parametrize("rho", [0.0, 0.3])
def test_the_dual_loss_is_flat_where_the_residual_is_best(rho):
    """Its maximum is θ = y - Xw at the best w: there its derivative is 0, and it is the smallest loss itself."""
    w = elastic_net(X, Y, LAM, rho).w
    theta = Y - X @ w
    np.testing.assert_allclose(central_difference(lambda v: dual_loss(v, X, Y, LAM, rho), theta), 0, atol=1e-7)
    assert dual_loss(theta, X, Y, LAM, rho) == pytest.approx(loss(w, X, Y, LAM, rho), rel=1e-13)


@mixtures
@pytest.mark.equation("A-1.2-14", "A-1.2-16")
def test_optimality_is_the_derivative_where_no_weight_is_zero(rho):
    numeric = central_difference(lambda w: loss(w, X, Y, LAM, rho), W)
    assert optimality(W, X, Y, LAM, rho) == pytest.approx(np.abs(numeric).max(), rel=1e-8)


@mixtures
def test_optimality_is_the_steepest_one_sided_slope(rho):
    """Where w_j = 0 the loss has two slopes; the distance to 0 is what the better one still gains, if any."""
    w, h = np.array([0.0, 0.7, 0.0, -0.2]), 1e-7
    fall = [(loss(w, X, Y, LAM, rho) - loss(w + s * h * e, X, Y, LAM, rho)) / h for e in np.eye(4) for s in (1, -1)]
    assert optimality(w, X, Y, LAM, rho) == pytest.approx(max(0, *fall), abs=1e-5)


@pytest.mark.equation("A-1.2-15", "A-1.3-1", "A-1.3-3")
@pytest.mark.erratum("A09")
@pytest.mark.parametrize("P", [np.eye(5), np.diag([1.0, 1, 1, 1, 0])], ids=["all", "free bias"])
def test_closed_form_is_the_stationary_point(P):
    """The algorithm ends at "solve arg min" without a formula: (XᵀX + λP)⁻¹Xᵀy is where all differences vanish."""
    Z = augment(X)
    w = np.linalg.inv(Z.T @ Z + LAM * P) @ Z.T @ Y
    objective = lambda w: np.sum((Y - Z @ w) ** 2) + LAM * w @ P @ w  # noqa: E731
    np.testing.assert_allclose(central_difference(objective, w), 0, atol=1e-8)
    np.testing.assert_allclose(ridge(Z, Y, LAM * np.diag(P)), w, rtol=1e-12)
    np.testing.assert_allclose(ridge_normal_equations(Z, Y, LAM * np.diag(P)), w, rtol=1e-12)
    without = np.linalg.inv(Z.T @ Z) @ Z.T @ Y
    assert np.abs(central_difference(objective, without)).max() > 1e-2


@pytest.mark.equation("A-1.3-1", "A-1.3-4", "A-1.2-15")
@pytest.mark.erratum("A09")
def test_the_learned_model_is_the_same_for_every_x():
    """Printed: f(x_i) = w·x + b, an index too many; f is a function of any x, in the sample or not."""
    w = ridge(augment(X), Y, free_bias(LAM, 5))
    for x in np.vstack([X[0], np.zeros(4), np.random.default_rng(1).normal(size=4)]):
        assert predict(w, augment(x[None]))[0] == pytest.approx(w[:-1] @ x + w[-1], rel=1e-13)
        assert predict(w, augment(x[None]))[0] != pytest.approx(w[:-1] @ X[1] + w[-1], rel=1e-3)


@mixtures
def test_a_coordinate_step_is_flat_or_at_the_kink(rho):
    for j in range(4):
        w = W.copy()
        w[j] = coordinate_step(j, W, X, Y, LAM, rho)
        along = lambda t, j=j, w=w: loss(w + t * np.eye(4)[j], X, Y, LAM, rho)  # noqa: E731
        if w[j] != 0:
            assert central_difference(along, 0.0) == pytest.approx(0, abs=1e-8)
        assert all(along(t) > along(0) for t in (-1, -1e-3, 1e-3, 1))


# --- ridge: identities --------------------------------------------------------------------------------------


@shapes
@pytest.mark.equation("A-1.2-15", "A-1.3-1", "A-1.3-3")
def test_ridge_in_six_ways(X, y):
    d, (U, s, Vt) = X.shape[1], np.linalg.svd(X, full_matrices=False)
    w = ridge(X, y, LAM)
    np.testing.assert_allclose(w, np.linalg.inv(X.T @ X + LAM * np.eye(d)) @ X.T @ y, rtol=1e-12)
    np.testing.assert_allclose(w, ridge_normal_equations(X, y, LAM), rtol=1e-12)
    np.testing.assert_allclose(w, least_squares(*ridge_rows(X, y, LAM)), rtol=1e-12)
    np.testing.assert_allclose(w, X.T @ ridge_dual(X @ X.T, y, LAM), rtol=1e-12)
    np.testing.assert_allclose(w, Vt.T @ (s / (s**2 + LAM) * (U.T @ y)), rtol=1e-12)
    np.testing.assert_allclose(w, ridge_path(X, y, [1.0, LAM])[1], rtol=1e-12)


@shapes
@pytest.mark.equation("A-1.2-15", "A-1.2-18", "A-1.3-3")
def test_no_other_weights_have_a_smaller_ridge_loss(X, y):
    """E(w + v) - E(w) = ‖Xv‖² + λ‖v‖² > 0: one minimum, whatever the rank of X."""
    w = ridge(X, y, LAM)
    for v in np.random.default_rng(1).normal(size=(20, X.shape[1])):
        higher = ridge_loss(w + v, X, y, LAM) - ridge_loss(w, X, y, LAM)
        assert higher == pytest.approx(np.sum((X @ v) ** 2) + LAM * v @ v, rel=1e-9)


@pytest.mark.equation("A-1.2-18")
@pytest.mark.parametrize("matrix", [FLAT, WIDE], ids=["flat", "wide"])
def test_the_penalty_lifts_the_smallest_eigenvalue_to_lam(matrix):
    A = matrix.T @ matrix
    assert np.linalg.eigvalsh(A)[0] == pytest.approx(0, abs=1e-13)
    assert np.linalg.eigvalsh(A + LAM * np.eye(len(A)))[0] == pytest.approx(LAM)


@pytest.mark.parametrize("wide", [False, True])
def test_one_lam_per_column(wide):
    """(XᵀX + diag λ)⁻¹Xᵀy, and the same by samples: λ_j is x_j/√λ_j at λ = 1."""
    Z, y = (WIDE, WIDE_Y) if wide else (X, Y)
    lam = np.linspace(0.5, 4, Z.shape[1])
    w = ridge(Z, y, lam)
    np.testing.assert_allclose(w, np.linalg.solve(Z.T @ Z + np.diag(lam), Z.T @ y), rtol=1e-12)
    np.testing.assert_allclose(w, ridge_normal_equations(Z, y, lam), rtol=1e-12)
    np.testing.assert_allclose(w, ridge(Z / np.sqrt(lam), y, 1.0) / np.sqrt(lam), rtol=1e-12)
    np.testing.assert_allclose(ridge_gradient(w, Z, y, lam), 0, atol=1e-13)


def test_kernel_ridge_is_ridge_in_feature_space():
    """K of (1 + x·z)² has the features 1, √2 x, x²: predictions Kβ and Φw agree."""
    x, y = np.linspace(-1, 1, 6)[:, None], np.arange(6.0) ** 2
    K, Phi = (1 + x @ x.T) ** 2, np.column_stack([np.ones(6), np.sqrt(2) * x, x**2])
    beta, w = ridge_dual(K, y, 0.5), ridge(Phi, y, 0.5)
    np.testing.assert_allclose(K @ beta, Phi @ w, rtol=1e-12)
    np.testing.assert_allclose((K + 0.5 * np.eye(6)) @ beta, y, atol=1e-12)


def test_kernel_ridge_without_penalty_passes_through_every_sample():
    x = np.linspace(0, 1, 4)
    K = np.exp(-((x[:, None] - x) ** 2) / 0.1)
    np.testing.assert_allclose(K @ ridge_dual(K, [1.0, -2, 3, 0], 0.0), [1, -2, 3, 0], atol=1e-11)


def test_without_penalty_it_is_least_squares():
    np.testing.assert_allclose(ridge(X, Y, 0.0), least_squares(X, Y), rtol=1e-13)
    np.testing.assert_allclose(ridge_path(X, Y, [0.0])[0], least_squares(X, Y), rtol=1e-12)
    np.testing.assert_allclose(ridge_path(FLAT, FLAT_Y, [0.0])[0], minimum_norm(FLAT, FLAT_Y), rtol=1e-12)


@shapes
@pytest.mark.equation("A-1.2-18")
@pytest.mark.parametrize("lam", [1e-2, 1e-4, 1e-6])
def test_the_limit_of_ridge_is_the_shortest_solution(X, y, lam):
    """Each part of X⁺y is shrunk by λ/(s² + λ), so the distance is below λ/s_min² ‖X⁺y‖; above it, minus roundings."""
    shortest, s = minimum_norm(X, y), np.linalg.svd(X)[1]
    s = s[s > 1e-12]
    parts = lam / (s**2 + lam) * np.linalg.norm(shortest)
    distance = np.linalg.norm(ridge(X, y, lam) - shortest)
    assert parts.min() * (1 - 1e-6) <= distance <= parts.max() * (1 + 1e-6)


@shapes
@pytest.mark.equation("A-1.2-17")
def test_ridge_shrinks_as_lam_grows(X, y):
    lams = 10.0 ** np.arange(-3, 5)
    W = ridge_path(X, y, lams)
    np.testing.assert_allclose(W, [ridge(X, y, lam) for lam in lams], rtol=1e-9)
    assert (np.diff(np.linalg.norm(W, axis=1)) < 0).all()
    assert (np.diff([squares(w, X, y) for w in W]) > 0).all()


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
def test_a_free_bias_is_the_same_as_centring(solve, X, y):
    m, mean = X.mean(axis=0), y.mean()
    w = solve(X - m, y - mean, LAM)
    whole = solve(augment(X), y, free_bias(LAM, X.shape[1] + 1))
    np.testing.assert_allclose(whole, [*w, mean - m @ w], rtol=1e-11, atol=1e-14)


@with_bias
def test_a_free_constant_column_of_any_size_and_place(solve):
    *w, b = solve(augment(X), Y, free_bias(LAM, 5))
    sevens = solve(np.column_stack([np.full(12, 7.0), X]), Y, [0.0, *[LAM] * 4])
    np.testing.assert_allclose(sevens, [b / 7, *w], rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("offset", [1e4, 1e8, 1e12])
def test_ridge_of_features_far_from_zero(offset):
    """x = offset + (-1, 0, 1) beside a free constant: the slope of three points, and the bias that belongs to it."""
    w = ridge(augment(SLOPE + offset), STEEP, free_bias(1.0, 2))
    np.testing.assert_allclose(w, [4 / 3, -4 / 3 * offset], rtol=1e-12)
    sevens = np.column_stack([np.full(3, 7.0), SLOPE + offset])
    np.testing.assert_allclose(ridge(sevens, STEEP, [0.0, 1.0]), [-4 / 21 * offset, 4 / 3], rtol=1e-12)


@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_a_penalized_constant_is_not_taken_for_a_bias(offset):
    """Far from zero the weights are measured from the means where the bias is free; here it is not."""
    Z, y, lam = augment(SLOPE + offset), [1.0, 2.0, 6.0], np.array([1.0, 4.0])
    system = Exact(Z, y, 0 * lam, 2 * lam)
    exact = np.array(exact_solution(system.A, system.c), float)
    error = np.abs(ridge(Z, y, lam) - exact).max()
    assert error <= 50 * np.finfo(float).eps * offset * np.abs(exact).max()  # eps cond X
    fit = lasso(Z, y, lam)
    with_l1 = Exact(Z, y, lam, 0 * lam)
    assert 0 <= with_l1.loss(fit.w) - with_l1.least <= Fraction(fit.gap) + Fraction(1e-12) * with_l1.least


@pytest.mark.parametrize("rho, slope", [(1.0, (4 - 0.25) / 2), (0.5, (4 - 0.125) / (2 + 0.125))])
@pytest.mark.parametrize("offset", [1e2, 1e4, 1e6, 1e8, 1e12])
def test_the_lasso_of_features_far_from_zero(offset, rho, slope):
    """The same: with the best bias, a slope that is off by e costs at least 2e² more, and the gap bounds that, up to
    the rounding of the loss (it is a difference of numbers of that size)."""
    fit = elastic_net(augment(SLOPE + offset), STEEP, free_bias(0.5, 2), rho)
    assert fit.converged
    rounding = 4 * np.finfo(float).eps * loss(np.array([slope]), SLOPE, STEEP, 0.5, rho)
    assert 2 * (fit.w[0] - slope) ** 2 <= fit.gap + rounding
    assert fit.w[1] == pytest.approx(-fit.w[0] * offset, rel=1e-12)


@with_bias
def test_a_target_far_from_zero(solve):
    w = solve(augment(SLOPE), STEEP + 1e8, free_bias(0.5, 2))
    np.testing.assert_allclose(w, [solve(SLOPE, STEEP, 0.5)[0], 1e8], rtol=1e-8)


# --- two problems that the notes call by one name -----------------------------------------------------------


@pytest.mark.equation("A-1.2-16")
@pytest.mark.erratum("A07")
def test_the_elastic_net_without_l1_is_ridge_of_half_lam():
    """Printed: λρ‖w‖₁ + λ(1 - ρ)/2 ‖w‖² beside ridge's λ‖w‖². At ρ = 0, λ = 2: 4/(2 + 1) and 4/(2 + 2)."""
    np.testing.assert_allclose(elastic_net(SLOPE, STEEP, 2.0, 0.0).w, [4 / 3], rtol=1e-15)
    np.testing.assert_allclose(ridge(SLOPE, STEEP, 2.0), [1], rtol=1e-15)
    w = elastic_net(X, Y, LAM, 0.0).w
    assert np.abs(w - ridge(X, Y, LAM)).max() > 1e-2
    np.testing.assert_allclose(w, ridge(X, Y, LAM / 2), rtol=1e-12)
    np.testing.assert_allclose(elastic_net(X, Y, 2 * LAM, 0.0).w, ridge(X, Y, LAM), rtol=1e-12)
    np.testing.assert_allclose(elastic_net(X, Y, LAM, 1.0).w, lasso(X, Y, LAM).w, rtol=1e-15)
    near = [np.abs(elastic_net(X, Y, LAM, rho).w - w).max() for rho in (1e-2, 1e-4, 1e-6)]
    assert near[0] > 10 * near[1] > 100 * near[2]  # and it is its limit: excluding ρ = 0 and 1 excludes ends only


def plain_norm(X, y, lam):
    """arg min ‖Xw - y‖² + λ‖w‖: its prox shortens v by ηλ."""
    shorten = lambda v, eta: v * max(0.0, 1 - eta * lam / max(np.linalg.norm(v), 1e-300))  # noqa: E731
    w, eta = np.zeros(X.shape[1]), largest_step(X) / 2
    return optimize.run(optimize.proximal_gradient(lambda w: gradient(w, X, y), shorten, w, eta=eta), tol=1e-12).w


@pytest.mark.equation("A-1.3-1", "A-1.3-3")
@pytest.mark.erratum("A08")
def test_the_norm_without_its_square_is_another_problem():
    """Printed: λ‖w~‖ in the algorithm. It has an exact zero from λ = 2‖Xᵀy‖ on; ridge has none."""
    zero_from = 2 * np.linalg.norm(X.T @ Y)
    assert plain_norm(X, Y, 1.0001 * zero_from).tolist() == [0, 0, 0, 0]
    for w in np.random.default_rng(2).normal(size=(20, 4)):
        assert squares(w, X, Y) + zero_from * np.linalg.norm(w) > Y @ Y
    assert np.abs(plain_norm(X, Y, 0.9999 * zero_from)).min() > 0
    for lam in (zero_from, 1e3 * zero_from):
        assert np.abs(ridge(X, Y, lam)).min() > 0
    w, lam = plain_norm(X, Y, zero_from / 2), zero_from / 2
    assert np.abs(w - ridge(X, Y, lam)).max() > 1e-2
    assert np.abs(central_difference(lambda w: squares(w, X, Y) + lam * np.linalg.norm(w), ridge(X, Y, lam))).max() > 1
    np.testing.assert_allclose(w, ridge(X, Y, lam / (2 * np.linalg.norm(w))), rtol=1e-9)  # a ridge, of another λ


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
    w = elastic_net(COPIES, FLAT_LINE, 3.0, 0.5).w
    np.testing.assert_allclose(w, [5 / 19, 5 / 19], rtol=1e-14)
    for shift in (0.1, -0.2):
        other = w + np.array([shift, -shift])
        higher = loss(other, COPIES, FLAT_LINE, 3.0, 0.5) - loss(w, COPIES, FLAT_LINE, 3.0, 0.5)
        assert higher == pytest.approx(3 / 4 * 2 * shift**2)


# --- one coordinate, iterations -----------------------------------------------------------------------------


@mixtures
@shapes
def test_a_sweep_is_one_step_for_each_column(X, y, rho):
    lam, w = np.linspace(1, 2, X.shape[1]), np.linspace(-1, 1, X.shape[1])
    for after in islice(coordinate_iterates(X, y, lam, rho, w=w.copy()), 4):
        np.testing.assert_allclose(after.w, w, rtol=1e-12, atol=1e-14)
        for j in range(len(w)):
            w[j] = coordinate_step(j, w, X, y, lam, rho)


ITERATIONS = {
    "coordinates": lambda X, y, lam, rho, **start: coordinate_iterates(X, y, lam, rho, **start),
    "proximal": lambda X, y, lam, rho, **start: proximal_iterates(X, y, lam, rho, eta=largest_step(X) / 2, **start),
}
iterations = pytest.mark.parametrize("iterates", ITERATIONS.values(), ids=ITERATIONS)


@iterations
@pytest.mark.parametrize("rho, X, y", [(0.0, WIDE, WIDE_Y), (0.3, X, Y), (1.0, FLAT, FLAT_Y), *slow(ALL_MIXTURES)])
@pytest.mark.equation("A-1.2-14", "A-1.2-16")
def test_iterations_fall_to_the_exact_solution(iterates, X, y, rho):
    solution = optimize.run(iterates(X, y, LAM, rho), tol=1e-11, max_iter=100_000)
    assert solution.converged
    losses = [loss(w, X, y, LAM, rho) for w in optimize.trajectory(iterates(X, y, LAM, rho), 30)]
    assert all(b <= a * (1 + 1e-14) for a, b in pairwise(losses)) and losses[1] < losses[0]
    exact = elastic_net(X, y, LAM, rho).w
    np.testing.assert_allclose(solution.w, exact, atol=1e-9)
    assert ((solution.w != 0) == (exact != 0)).all()  # zeros are zeros, not small numbers


@iterations
def test_iterations_start_where_they_are_told(iterates):
    assert next(iterates(X, Y, LAM, 1.0)).w.tolist() == [0, 0, 0, 0]
    start = W.copy()
    assert next(iterates(X, Y, LAM, 1.0, w=start)).w.tolist() == W.tolist()
    optimize.trajectory(iterates(X, Y, LAM, 1.0, w=start), 3)
    assert start.tolist() == W.tolist()


@iterations
def test_what_a_reader_does_to_an_iterate_changes_nothing(iterates):
    expected = optimize.trajectory(iterates(X, Y, LAM, 0.5), 4)
    seen = []
    for iterate in islice(iterates(X, Y, LAM, 0.5), 5):
        seen.append(iterate.w.copy())
        iterate.w[:] = 99
        iterate.gradient[:] = 99
    np.testing.assert_array_equal(seen, expected)


@iterations
def test_a_start_changed_after_the_call_changes_nothing(iterates):
    start = W.copy()
    running = iterates(X, Y, LAM, 1.0, w=start)
    next(running)
    start[:] = 99
    expected = optimize.trajectory(iterates(X, Y, LAM, 1.0, w=W), 1)[1]
    np.testing.assert_array_equal(next(running).w, expected)


@mixtures
def test_a_vanishing_subgradient_is_a_fixed_point_of_the_prox(rho):
    """w = S(w - ηg, ηλρ)/(1 + ηλ(1 - ρ)) says the same as 0 in ∂E(w), whatever η: per column, at w = 0 too."""
    w = elastic_net(X, Y, 10.0, rho).w
    for at in (w, np.where(np.arange(4) == 1, 0.0, W)):
        step = next(proximal_iterates(X, Y, 10.0, rho, eta=1e-3, w=at)).gradient
        assert ((np.abs(step) < 1e-11) == (np.abs(subgradient(at, X, Y, 10.0, rho)) < 1e-10)).all()
    assert np.abs(subgradient(w, X, Y, 10.0, rho)).max() == optimality(w, X, Y, 10.0, rho) < 1e-11


@iterations
def test_the_minimum_is_a_fixed_point(iterates):
    w = lasso(X, Y, LAM).w
    for iterate in islice(iterates(X, Y, LAM, 1.0, w=w), 3):
        np.testing.assert_allclose(iterate.w, w, atol=1e-14)
        np.testing.assert_allclose(iterate.gradient, 0, atol=1e-12)


@iterations
@mixtures
def test_a_run_that_converged_is_proved_by_its_gap_and_one_cut_short_says_so(iterates, rho):
    """Converged: the subgradient is below tol, and the gap says what may be missing. Cut short: the cap is named."""
    full = optimize.run(iterates(X, Y, LAM, rho), tol=1e-9)
    assert full.converged and "max |gradient| <= 1e-09" in full.reason
    assert duality_gap(full.w, X, Y, LAM, rho) <= 1e-8
    short = optimize.run(iterates(X, Y, LAM, rho), tol=0.0, max_iter=2)
    assert (short.n_iter, short.converged) == (2, False) and short.reason.startswith("max_iter = 2 steps reached at")
    missing = loss(short.w, X, Y, LAM, rho) - loss(full.w, X, Y, LAM, rho)
    assert 0 < missing <= duality_gap(short.w, X, Y, LAM, rho)


def test_a_path_that_cannot_end_is_an_error_and_no_path(monkeypatch):
    """More knots than the cap: `lasso_path` says how many; `lasso`, on the same walk, what its gap still is."""
    Z, y = longest_path(4)
    assert len(lasso_path(Z, y).lams) > 20
    monkeypatch.setattr(sparse, "MOST_KNOTS", 3)
    with pytest.raises(np.linalg.LinAlgError, match="the path has more than 3 knots"):
        lasso_path(Z, y)
    monkeypatch.setattr(sparse, "MOST_GUESSES", 2)
    fit, lam = lasso(Z, y, 1e-6), 1e-6
    assert not fit.converged and "more than 3 knots" in fit.reason and f"{fit.gap:.3g}" in fit.reason
    assert fit.gap >= loss(fit.w, Z, y, lam) - loss(np.linalg.solve(Z, y), Z, y, lam)


@pytest.mark.parametrize("share", [1.4, pytest.param(1.1, marks=pytest.mark.slow)])
def test_too_long_a_proximal_step_diverges(share):
    above = optimize.run(proximal_iterates(X, Y, 1e-3, eta=share * largest_step(X)), max_iter=100_000)
    assert not above.converged and "too long a step" in above.reason


def test_a_column_of_zeros_in_coordinate_descent():
    """Its weight gains nothing: 0 where it has a penalty, and no NaN where it is free."""
    Z = np.column_stack([SLOPE, np.zeros(3)])
    for lam in (0.6, [0.6, 0.0]):
        solution = optimize.run(coordinate_iterates(Z, FLAT_LINE, lam, w=[0.0, 5.0]), tol=1e-14)
        assert solution.w[0] == pytest.approx(0.85, rel=1e-15)
        assert solution.w[1] == 0 or lam != 0.6
        assert loss(solution.w, Z, FLAT_LINE, np.array([0.6, 0])) == pytest.approx(2 * 0.15**2 + 0.6 * 0.85)


# --- lasso and elastic net: the exact minimum ---------------------------------------------------------------


@pytest.mark.equation("A-1.2-14", "A-1.2-16")
@one_in(4)
def test_against_every_pattern_of_signs_in_fractions(step):
    """Nothing is lost to rounding in the comparison: the loss of the floats given back is computed exactly too."""
    for X, y, lam, rho in integer_problems(120 // step):
        exact = Exact(X, y, lam * rho, lam * (1 - rho))  # powers of two: no rounding
        fit = elastic_net(X, y, lam, rho)
        missing = exact.loss(fit.w) - exact.least
        rounding = Fraction(1e-24) * (1 + sum(v * v for v in exact.y))
        assert 0 <= missing <= Fraction(1e-10) * exact.least + rounding, (X, y, lam, rho)
        assert missing <= Fraction(fit.gap) + Fraction(1e-14) * exact.least + rounding, (X, y, lam, rho)
        assert all(fit.w[j] == 0 for j in exact.certain_zeros()), (X, y, lam, rho)
        assert fit.converged and "duality gap" in fit.reason


def test_the_oracle_knows_the_solution_by_hand():
    assert Exact(SLOPE, FLAT_LINE, [3], [0]).minimizers == [[Fraction(1, 4)]]
    assert Exact(SLOPE, FLAT_LINE, ["3/2"], ["3/2"]).minimizers == [[Fraction(5, 11)]]
    assert Exact(SLOPE, FLAT_LINE, [6], [0]).minimizers == [[0]]
    copies = Exact(COPIES, FLAT_LINE, ["3/5"] * 2, [0, 0])
    assert sorted(copies.minimizers) == [[0, Fraction(17, 20)], [Fraction(17, 20), 0]]


@one_in(4)
def test_ridge_in_fractions(step):
    for X, y, lam, _ in integer_problems(60 // step, seed=1):
        lam = lam + (lam == 0)
        A = Exact(X, y, 0 * lam, 2 * lam)
        exact = [float(v) for v in exact_solution(A.A, A.c)]
        np.testing.assert_allclose(ridge(X, y, lam), exact, rtol=1e-12, atol=1e-14)


@shapes
@pytest.mark.parametrize("rho", [0.3, 1.0])
@pytest.mark.parametrize("share", [0.9, 0.3, 0.01])
@pytest.mark.equation("A-1.2-14", "A-1.2-16")
def test_the_conditions_of_a_minimum_hold(X, y, rho, share):
    lam = share * smallest_zero_lam(X, y, rho)
    fit = elastic_net(X, y, lam, rho)
    assert fit.converged and 0 <= fit.gap <= 1e-10 * loss(fit.w, X, y, lam, rho)
    assert optimality(fit.w, X, y, lam, rho) <= 1e-11 * np.abs(X.T @ y).max()


def test_orthonormal_columns_are_thresholded_one_by_one():
    """XᵀX = I: w = S(Xᵀy, λ/2), and the elastic net divides it by 1 + λ(1 - ρ)/2."""
    Q = np.linalg.qr(X)[0]
    a = Q.T @ Y
    lam = 2 * np.sort(np.abs(a))[1:3].mean()
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


def test_one_penalty_per_column_is_another_unit_per_column():
    lam = np.array([0.5, 1.0, 2.0, 4.0])
    np.testing.assert_allclose(lasso(X, Y, lam).w, lasso(X / lam, Y, 1.0).w / lam, rtol=1e-12)


def test_without_l1_and_l2_it_is_least_squares():
    np.testing.assert_allclose(lasso(X, Y, 0.0).w, least_squares(X, Y), rtol=1e-12)
    for rho in (0.0, 0.5, 1.0):
        np.testing.assert_allclose(elastic_net(X, Y, [0.0] * 4, rho).w, least_squares(X, Y), rtol=1e-12)
    np.testing.assert_allclose(WIDE @ lasso(WIDE, WIDE_Y, 0.0).w, WIDE_Y, rtol=1e-11)


def test_lasso_uses_at_most_as_many_columns_as_there_are_samples():
    for lam in (0.01, 0.1, 1.0):
        assert np.count_nonzero(lasso(WIDE, WIDE_Y, lam).w) <= len(WIDE)
    assert np.count_nonzero(ridge(WIDE, WIDE_Y, 0.01)) == 7


@pytest.mark.parametrize("rho", [0.25, 0.5, 1.0])
@shapes
@pytest.mark.equation("A-1.2-14")
def test_zero_from_the_smallest_zero_lam_on(X, y, rho):
    lam = smallest_zero_lam(X, y, rho)
    assert elastic_net(X, y, lam * (1 + 1e-12), rho).w.any() == 0
    assert elastic_net(X, y, 10 * lam, rho).w.any() == 0
    assert np.count_nonzero(elastic_net(X, y, lam * (1 - 1e-9), rho).w) >= 1
    assert optimality(np.zeros(X.shape[1]), X, y, lam * (1 - 1e-9), rho) > 0
    assert optimality(np.zeros(X.shape[1]), X, y, lam * (1 + 1e-12), rho) == 0


def test_copies_of_a_column_cost_nothing_to_accuracy():
    Z = np.hstack([X, X, -2 * X])
    for rho in (0.4, 1.0):
        fit = elastic_net(Z, Y, LAM, rho)
        assert fit.converged
        assert fit.gap <= 1e-10 * loss(fit.w, Z, Y, LAM, rho)
    assert fit.w[:8].tolist() == [0] * 8  # the lasso takes the columns of twice the length, where a weight is cheapest


# --- duality gap --------------------------------------------------------------------------------------------


@pytest.mark.equation("A-1.2-14", "A-1.2-16")
@one_in(4)
def test_the_gap_bounds_what_is_missing(step):
    """Exactly, for random weights of random integer problems, free columns among them."""
    rng = np.random.default_rng(3)
    for X, y, lam, rho in integer_problems(60 // step, seed=2):
        exact = Exact(X, y, lam * rho, lam * (1 - rho))  # powers of two: no rounding
        for w in rng.integers(-3, 4, size=(3, X.shape[1])) / 2:
            gap, missing = duality_gap(w, X, y, lam, rho), float(exact.loss(w) - exact.least)
            assert gap >= missing * (1 - 1e-13) - 1e-12, (X, y, lam, rho, w)


@pytest.mark.parametrize("rho", [0.0, 0.3])
@shapes
def test_no_loss_lies_below_a_dual_loss(X, y, rho):
    """Whatever θ and w where every column has an L2 part; θ = 0 says only that no loss is negative."""
    rng = np.random.default_rng(8)
    assert dual_loss(np.zeros(len(y)), X, y, LAM, rho) == 0
    for theta, w in zip(rng.normal(size=(20, len(y))), rng.normal(size=(20, X.shape[1])), strict=True):
        assert dual_loss(theta, X, y, LAM, rho) <= loss(w, X, y, LAM, rho)


@mixtures
@shapes
def test_the_gap_closes_at_the_minimum_only(X, y, rho):
    w = elastic_net(X, y, LAM, rho).w
    least = loss(w, X, y, LAM, rho)
    assert 0 <= duality_gap(w, X, y, LAM, rho) <= 1e-14 * (y @ y)
    for t in (1e-3, 1e-1, 10):
        other = w + t * np.arange(1, len(w) + 1)
        missing = loss(other, X, y, LAM, rho) - least
        assert 0 < missing <= duality_gap(other, X, y, LAM, rho)


@pytest.mark.parametrize("rho", [0.5, 1.0])
def test_the_gap_with_free_columns_closes_too(rho):
    Z, lam = augment(X), free_bias(LAM, 5)
    fit = elastic_net(Z, Y + 100, lam, rho)
    assert fit.converged
    assert duality_gap(fit.w, Z, Y + 100, lam, rho) <= 1e-14 * np.sum((Y + 100) ** 2)
    for t in (1e-3, 1.0, 10.0):  # a bias that is off by t costs N t² more, and leaves all else optimal
        gap = duality_gap(fit.w + t * np.eye(5)[4], Z, Y + 100, lam, rho)
        assert gap == pytest.approx(12 * t * t, rel=1e-7)


@pytest.mark.parametrize("unit", 10.0 ** np.array([-16, -9, 0, 7, 12]))
def test_the_gap_of_free_columns_is_the_whole_excess_in_any_units(unit):
    """y = x/unit has the loss 0, and w = (0, 2) the loss 1 + 0 + 4: of two free columns the gap leaves nothing out."""
    Z, y = np.column_stack([np.array([1.0, 2, 4]) * unit, np.ones(3)]), np.array([1.0, 2, 4])
    assert duality_gap(np.array([0.0, 2]), Z, y, 0.0) == pytest.approx(5, rel=1e-12)


# --- the path -----------------------------------------------------------------------------------------------


def on_the_way(path):
    """Each knot, and a point between it and the next."""
    return [*path.lams, *(path.lams[1:] + path.lams[:-1]) / 2]


@shapes
@pytest.mark.equation("A-1.2-14")
def test_the_path_is_optimal_at_its_knots_and_between(X, y):
    path = lasso_path(X, y)
    assert path.lams[0] == pytest.approx(smallest_zero_lam(X, y), rel=1e-14) and path.lams[-1] == 0
    assert (np.diff(path.lams) < 0).all() and not path.W[0].any()
    for lam in on_the_way(path):
        assert optimality(interpolate(path, lam), X, y, lam) <= 1e-10 * path.lams[0]


@shapes
@pytest.mark.equation("A-1.2-14")
def test_the_path_at_lam_is_the_lasso(X, y):
    path = lasso_path(X, y)
    for lam in on_the_way(path)[1:]:
        w = interpolate(path, lam)
        assert loss(w, X, y, lam) == pytest.approx(loss(lasso(X, y, lam).w, X, y, lam), rel=1e-10, abs=1e-13)


@pytest.mark.equation("A-1.2-14")
@one_in(4)
def test_the_path_of_integers_in_fractions(step):
    """Ties and dependent columns: the path is a minimum at every rational λ tried."""
    for X, y, _, _ in integer_problems(40 // step, seed=4):
        path, d = lasso_path(X, y), X.shape[1]
        for lam in (Fraction(1, 2), 2, 5, 11):
            exact = Exact(X, y, [lam] * d, [0] * d)
            missing = exact.loss(interpolate(path, float(lam))) - exact.least
            assert missing <= Fraction(1e-10) * exact.least + Fraction(1e-20), (X, y, lam)


def test_a_knot_is_where_a_column_comes_or_goes():
    data = datasets.diabetes()
    path = lasso_path(data.X, data.y - data.y.mean())
    used = [set(), *({*np.flatnonzero(a + b) + 1} for a, b in pairwise(path.W))]
    for w, change, (before, after) in zip(path.W, path.changes, pairwise(used), strict=False):
        assert w[abs(change) - 1] == 0
        assert (after - before, before - after) == (({change}, set()) if change > 0 else (set(), {-change}))


def test_the_path_of_diabetes_is_optimal_and_ends_at_least_squares():
    data = datasets.diabetes()
    y = data.y - data.y.mean()
    path = lasso_path(data.X, y)
    for lam in on_the_way(path):
        w = interpolate(path, lam)
        assert duality_gap(w, data.X, y, lam) <= 1e-10 * loss(w, data.X, y, lam)
    np.testing.assert_allclose(path.W[-1], least_squares(data.X, y), rtol=1e-9)


def test_the_end_of_the_path():
    np.testing.assert_allclose(lasso_path(X, Y).W[-1], least_squares(X, Y), rtol=1e-11)
    np.testing.assert_allclose(WIDE @ lasso_path(WIDE, WIDE_Y).W[-1], WIDE_Y, rtol=1e-11)
    np.testing.assert_allclose(FLAT @ lasso_path(FLAT, FLAT_Y).W[-1], FLAT @ minimum_norm(FLAT, FLAT_Y), rtol=1e-12)


def test_of_dependent_columns_not_all_enter():
    path = lasso_path(FLAT, FLAT_Y)
    assert 1 not in path.changes and not path.W[:, 0].any()  # twice the column is the cheaper one
    copies = lasso_path(COPIES, FLAT_LINE)
    assert np.count_nonzero(copies.W[-1]) == 1 and copies.W[-1].sum() == pytest.approx(1)


@pytest.mark.parametrize("data", [(X, 0 * Y), (np.zeros((3, 2)), np.ones(3)), (np.array([[1.0], [1]]), [1.0, -1])])
def test_a_path_that_stays_at_zero(data):
    path = lasso_path(*data)
    assert path.lams.tolist() == [0] and not path.W.any() and path.changes.tolist() == [0]
    assert not interpolate(path, 0.0).any() and not interpolate(path, 3.0).any()


@shapes
@pytest.mark.parametrize("share", [1e-3, 0.1, 0.9, 1.0, 3.0])
def test_a_path_down_to_least_is_the_part_above_it(X, y, share):
    """The same knots above, and at its end the whole path's weights; above the first knot that end is all there is."""
    whole, least = lasso_path(X, y), share * smallest_zero_lam(X, y)
    path = lasso_path(X, y, least=least)
    above = np.count_nonzero(whole.lams > least)
    assert path.lams[-1] == least and path.changes.tolist() == [*whole.changes[:above], 0]
    np.testing.assert_allclose(path.lams[:-1], whole.lams[:above], rtol=1e-13)
    np.testing.assert_allclose(path.W[:-1], whole.W[:above], rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(path.W[-1], interpolate(whole, least), rtol=1e-11, atol=1e-14)
    for lam in (least, 1.5 * least, 100 * least):
        np.testing.assert_allclose(interpolate(path, lam), interpolate(whole, lam), rtol=1e-11, atol=1e-14)
    with pytest.raises(ValueError, match=r"lam must be >= .*, found .*; lasso_path\(X, y, least=lam\) goes on to it"):
        interpolate(path, 0.9 * least)


def test_interpolation():
    path = lasso_path(X, Y)
    for lam, w in zip(path.lams, path.W, strict=True):
        np.testing.assert_allclose(interpolate(path, lam), w, rtol=1e-14)
    assert interpolate(path, 1.0001 * path.lams[0]).tolist() == [0] * 4
    a, b = path.lams[1:3]
    np.testing.assert_allclose(interpolate(path, (3 * a + b) / 4), (3 * path.W[1] + path.W[2]) / 4, rtol=1e-13)


# What Mairal and Yu (2012) prove: each of their rows and columns triples the pieces of the path, (3^d + 1)/2 of them.


def longest_path(d):
    Z, y = np.ones((1, 1)), np.ones(1)
    for k in range(1, d):
        last = smallest_zero_lam(Z, y) if k == 1 else lasso_path(Z, y).lams[-2]
        a = last / 4 / (2 * y @ y + 1)
        Z = np.block([[Z, 2 * a * y[:, None]], [np.zeros((1, k)), np.full((1, 1), a)]])
        y = np.append(y, 1.0)
    return Z, y


@pytest.mark.parametrize("d", [2, 3, 4])
def test_a_path_of_as_many_pieces_as_there_can_be(d):
    Z, y = longest_path(d)
    path = lasso_path(Z, y)
    assert len(path.lams) == (3**d + 1) // 2
    np.testing.assert_allclose(path.W[-1], np.linalg.solve(Z, y), rtol=1e-8)


# --- elastic net for many λ ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rho, X, y", [(0.0, WIDE, WIDE_Y), (0.3, X, Y), (1.0, FLAT, FLAT_Y), *slow(ALL_MIXTURES)])
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


def test_many_lams_down_to_none():
    W = elastic_net_path(X, Y, [0.0, smallest_zero_lam(X, Y) * 1.001], 1.0)
    np.testing.assert_allclose(W[0], least_squares(X, Y), rtol=1e-11)
    assert not W[1].any()


# --- folds --------------------------------------------------------------------------------------------------


@pytest.mark.equation("C-1-7")
@pytest.mark.parametrize("N, k", [(10, 5), (11, 3), (4, 4), (2, 2)])
def test_folds_hold_each_sample_out_once(N, k):
    """Parameters from the one part, λ from the other: no sample is ever in both."""
    pairs = folds(N, k, rng=np.random.default_rng(0))
    assert len(pairs) == k
    for train, test in pairs:
        assert sorted([*train, *test]) == list(range(N)) and len(test) in (N // k, -(-N // k))
        assert (np.diff(train) > 0).all() and (np.diff(test) > 0).all()
    assert sorted(np.concatenate([test for _, test in pairs])) == list(range(N))


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


@penalties
@shapes
def test_the_order_of_samples_does_not_matter(X, y, l1, l2):
    order = np.random.default_rng(3).permutation(len(y))
    np.testing.assert_allclose(net(X[order], y[order], l1, l2), net(X, y, l1, l2), rtol=1e-10, atol=1e-13)


@penalties
@shapes
def test_columns_and_weights_are_permuted_together(X, y, l1, l2):
    order = np.random.default_rng(4).permutation(X.shape[1])
    np.testing.assert_allclose(net(X[:, order], y, l1, l2), net(X, y, l1, l2)[order], rtol=1e-10, atol=1e-13)


@penalties
@shapes
def test_a_column_of_the_other_sign_has_a_weight_of_the_other_sign(X, y, l1, l2):
    signs = (-1.0) ** np.arange(X.shape[1])
    np.testing.assert_allclose(net(X * signs, y, l1, l2), net(X, y, l1, l2) * signs, rtol=1e-10, atol=1e-13)


@penalties
@shapes
@pytest.mark.parametrize("c", [0.1, -7.0])
def test_units_of_target_and_features(X, y, l1, l2, c):
    """y → cy asks for |c| l1; X → cX for |c| l1 and c² l2. Ridge needs c² λ too."""
    w, size = net(X, y, l1, l2), abs(c)
    np.testing.assert_allclose(net(X, c * y, size * l1, l2), c * w, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(net(c * X, y, size * l1, c * c * l2), w / c, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(ridge(c * X, y, c * c * LAM), ridge(X, y, LAM) / c, rtol=1e-11)


@penalties
@shapes
def test_every_sample_twice_is_twice_the_penalty(X, y, l1, l2):
    twice = net(np.vstack([X, X]), np.append(y, y), 2 * l1, 2 * l2)
    np.testing.assert_allclose(twice, net(X, y, l1, l2), rtol=1e-10, atol=1e-13)


@penalties
@shapes
def test_zeros_change_nothing(X, y, l1, l2):
    """A sample of zeros with target 0, and a column of zeros, which gets the weight 0."""
    padded = np.pad(X, (0, 1))
    np.testing.assert_allclose(net(padded, np.append(y, 0), l1, l2), [*net(X, y, l1, l2), 0], rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(ridge(padded, np.append(y, 0), LAM), [*ridge(X, y, LAM), 0], rtol=1e-11)


def test_a_rotation_rotates_ridge_but_not_the_lasso():
    """‖w‖ is the same in all directions, ‖w‖₁ is not."""
    Q = np.linalg.qr(np.random.default_rng(5).normal(size=(4, 4)))[0]
    np.testing.assert_allclose(ridge(X @ Q, Y, LAM), Q.T @ ridge(X, Y, LAM), rtol=1e-11)
    assert np.abs(lasso(X @ Q, Y, LAM).w - Q.T @ lasso(X, Y, LAM).w).max() > 1e-2


def test_a_column_nobody_uses_may_go():
    w = lasso(X, Y, 8.0).w
    used = w != 0
    assert 0 < np.count_nonzero(used) < 4
    np.testing.assert_allclose(lasso(X[:, used], Y, 8.0).w, w[used], rtol=1e-12)


# --- edges --------------------------------------------------------------------------------------------------

SOLVERS = {
    "ridge": lambda X, y: ridge(X, y, LAM),
    "ridge rows": lambda X, y: least_squares(*ridge_rows(X, y, LAM)),
    "ridge path": lambda X, y: ridge_path(X, y, [LAM])[0],
    "lasso": lambda X, y: lasso(X, y, LAM).w,
    "elastic net": lambda X, y: elastic_net(X, y, LAM, 0.5).w,
    "elastic net path": lambda X, y: elastic_net_path(X, y, [LAM], 0.5)[0],
    "lasso path": lambda X, y: interpolate(lasso_path(X, y), LAM),
    "coordinates": lambda X, y: optimize.trajectory(coordinate_iterates(X, y, LAM), 5)[-1],
    "proximal": lambda X, y: optimize.trajectory(proximal_iterates(X, y, LAM, eta=0.01), 5)[-1],
}
solvers = pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS)


@pytest.mark.parametrize("name", SOLVERS)
def test_one_sample_and_one_column(name):
    """x = 2, y = 3, λ = 3: ridge 6/7, lasso (6 - 3/2)/4, elastic net (6 - 3/4)/(4 + 3/4).

    Five proximal steps w ← w - 0.01 (8w - 12) - 0.03 = 0.92 w + 0.09 from 0 end at 1 - 0.92⁵ of the lasso's w.
    """
    kind = next((kind for kind in ("ridge", "elastic net") if name.startswith(kind)), "lasso")
    w = {"ridge": 6 / 7, "lasso": 4.5 / 4, "elastic net": 5.25 / 4.75}[kind]
    part = 1 - 0.92**5 if name == "proximal" else 1.0
    assert SOLVERS[name]([[2.0]], [3.0])[0] == pytest.approx(part * w, rel=1e-14)


@solvers
def test_a_target_of_zeros(solve):
    assert not solve(X, 0 * Y).any() and not solve(WIDE, 0 * WIDE_Y).any()


@solvers
def test_samples_of_zeros(solve):
    assert solve(np.zeros((3, 2)), [1.0, 2.0, 3.0]).tolist() == [0, 0]


@pytest.mark.parametrize("matrix", [FLAT, WIDE, np.zeros((4, 3)), np.ones((4, 2))])
def test_dependent_columns_without_penalty_are_an_error(matrix):
    with pytest.raises(np.linalg.LinAlgError, match="columns of X without penalty are dependent"):
        ridge(matrix, FLAT_Y, 0.0)
    with pytest.raises(np.linalg.LinAlgError, match="columns of X without penalty are dependent"):
        ridge(np.column_stack([matrix, [1.0, 2, 4, 8]]), FLAT_Y, [0.0] * matrix.shape[1] + [1.0])
    with pytest.raises(np.linalg.LinAlgError, match="columns of X without penalty are dependent"):
        ridge_normal_equations(matrix, FLAT_Y, 0.0)


@pytest.mark.parametrize(
    "K, lam",
    [
        (np.ones((2, 2)), 0.0),
        (np.zeros((2, 2)), 0.0),
        (np.diag([1e140, 0.0]), 0.0),
        (np.diag([1.0, -2.0]), 2.0),
        (np.ones((3, 3)), 1e-20),
    ],
)
def test_a_singular_dual_system_is_an_error(K, lam):
    with pytest.raises(
        np.linalg.LinAlgError, match=rf"K \+ λI is singular to rounding with lam = {lam:g}; .*larger lam"
    ):
        ridge_dual(K, np.arange(1.0, len(K) + 1), lam)


@pytest.mark.parametrize("ratio, lost", [(1e8, 1e-6), (1e16, 1e3)], ids=str)
def test_the_printed_form_loses_the_weight_of_a_short_column_and_ridge_does_not(ratio, lost):
    """Against fractions, the median of 20 draws: `lost` bounds what is said of the printed form, from above."""
    errors = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        Z = np.column_stack([rng.normal(size=8) / np.sqrt(ratio), rng.normal(size=8) * np.sqrt(ratio), np.ones(8)])
        y = rng.normal(size=8)
        A, c = np.vectorize(Fraction, otypes="O")(Z), np.vectorize(Fraction, otypes="O")(y)
        exact = np.array(exact_solution(A.T @ A + np.eye(3, dtype=int), A.T @ c), float)
        np.testing.assert_allclose(ridge(Z, y, 1.0), exact, rtol=1e-12)
        errors.append(np.abs(ridge_normal_equations(Z, y, 1.0) / exact - 1))
    first, *others = np.median(errors, axis=0)
    assert 1e-16 * ratio / 100 < first < lost and max(others) < 1e-12


@pytest.mark.parametrize("seed", [481, 3067, 3869, *range(40)])
def test_a_singular_dual_system_of_samples_of_unlike_lengths_is_an_error(seed):
    """Fewer features than samples, lengths of 1e-6 to 1e6: by the digits of β in units of its sample none would be."""
    rng = np.random.default_rng(seed)
    N = int(rng.integers(3, 7))
    V = rng.normal(size=(N, int(rng.integers(1, N)))) * 10.0 ** rng.uniform(-6, 6, size=(N, 1))
    with pytest.raises(np.linalg.LinAlgError, match=r"K \+ λI is singular to rounding with lam = 0; give a larger lam"):
        ridge_dual(V @ V.T, rng.normal(size=N), 0.0)


def test_nearly_dependent_columns_end_honestly():
    """Powers, columns that differ by 1e-9, two far from zero: right to 1e-10 of the loss, or it says that it is not.
    What is really missing is computed in fractions."""
    x, y = np.arange(1, 7) / 8, np.array([1.0, -2, 0, 3, 1, -1])
    twins = np.column_stack([x, x + 2.0**-30 * np.array([0, 1, 0, 0, 1, 0]), np.ones(6)])
    far = np.array([[0.0, 1], [1, 3], [2, 1], [3, 0], [1, 1], [0, 2]]) + 1e7
    for Z in (np.vander(x, 4), twins, far):
        for lam in (0.0, 2.0**-20, 2.0**-10, 1.0):
            fit = lasso(Z, y, lam)
            exact = Exact(Z, y, [lam] * Z.shape[1], [0] * Z.shape[1])
            missing = float(exact.loss(fit.w) - exact.least)
            assert 0 <= missing <= fit.gap + 1e-14 * float(exact.least)
            assert fit.converged == (fit.gap <= 1e-10 * loss(fit.w, Z, y, lam)), fit.reason
            assert fit.converged or "lost to rounding" in fit.reason


def test_an_attempt_that_fails_does_not_cost_what_was_found(monkeypatch):
    """Columns that differ by 1e-6: the gap tells what one way leaves, and the path closes it; without path it stays."""
    rng = np.random.default_rng(22)
    Z = rng.standard_normal((8, 7))
    Z[:, -1] = Z[:, 0] + 1e-6 * rng.standard_normal(8)
    y = rng.standard_normal(8)
    exact, rough = lasso(Z, y, 1e-3), np.append(least_squares(Z[:, :6], y), 0.0)
    monkeypatch.setattr(penalized, "_solve_by_signs", lambda *args: (rough, 1, ""))
    again = lasso(Z, y, 1e-3)
    assert exact.converged and again.converged
    np.testing.assert_allclose(again.w, exact.w, rtol=1e-6)
    monkeypatch.setattr(sparse, "MOST_KNOTS", 1)
    left = lasso(Z, y, 1e-3)
    assert not left.converged and left.w.tolist() == rough.tolist()
    assert loss(exact.w, Z, y, 1e-3) < loss(left.w, Z, y, 1e-3) < loss(np.zeros(7), Z, y, 1e-3)


# --- doors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: ridge_dual(np.eye(3), [1.0, 2.0], 1.0),
            r"y must be of shape \(N,\), N = 3 as in K; found shape \(2,\)",
        ),
        (lambda: folds(3, 4, rng=np.random.default_rng(0)), "k must be from 2 to N = 3, found 4; every part needs"),
    ],
)
def test_bad_settings_are_named_at_the_call(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# --- numbers of very different size ---------------------------------------------------------------------------


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


def test_a_path_of_122_pieces_reaches_its_end():
    Z, y = longest_path(5)
    np.testing.assert_allclose(lasso_path(Z, y).W[-1], np.linalg.solve(Z, y), rtol=1e-4)


def test_a_path_of_features_far_from_zero():
    Z, y = np.array([[0.0, 1], [1, 3], [2, 1], [3, 0]]) + 1e6, np.array([1.0, -2, 0, 3])
    np.testing.assert_allclose(lasso_path(Z, y).W[-1], least_squares(Z, y), rtol=1e-3)


@pytest.mark.parametrize("seed", [*range(40), *slow(range(40, 90))])
def test_a_path_ends_at_least_squares_or_says_that_it_does_not(seed):
    """A feature of 1e3 to 1e7 beside a column of ones. Up to 1e4 it does not refuse."""
    rng = np.random.default_rng(seed)
    N, size = int(rng.integers(5, 12)), rng.uniform(3, 7)
    Z = np.column_stack([np.round(10**size) + np.round(9 * rng.normal(size=N)), np.ones(N)])
    y = np.round(3 * rng.normal(size=N))
    try:
        w = lasso_path(Z, y).W[-1]
    except np.linalg.LinAlgError:
        assert size > 4
        return
    excess = np.sum((Z @ (w - least_squares(Z, y))) ** 2)  # of its loss, by Pythagoras
    assert excess <= 1e-8 * y @ y


@pytest.mark.parametrize("seed", [*range(25), *slow(range(25, 75))])
def test_a_path_of_columns_in_unlike_units_is_the_lasso(seed):
    """Units from 1e-9 to 1e9, their columns independent: no path is refused, and none is off on the way."""
    rng = np.random.default_rng(seed)
    Z, y = rng.normal(size=(6, 3)) * 10 ** rng.uniform(-9, 9, size=3), rng.normal(size=6)
    path = lasso_path(Z, y)
    np.testing.assert_allclose(Z @ path.W[-1], Z @ least_squares(Z, y), atol=1e-8 * np.abs(y).max())
    for lam in path.lams[0] * np.array([0.5, 0.1, 1e-3, 1e-9, 1e-12]):
        apart = loss(interpolate(path, lam), Z, y, lam) - loss(lasso(Z, y, lam).w, Z, y, lam)
        assert apart <= 1e-10 * y @ y


def test_ridge_of_few_samples_far_from_zero():
    """Every column is penalized, so there is one solution; the rows of `ridge_rows` find it."""
    Z, y = np.array([[0.0, 1, 3], [2, 0, 1]]) + 1e8, np.array([1.0, 2.0])
    np.testing.assert_allclose(ridge(Z, y, 1.0), least_squares(*ridge_rows(Z, y, 1.0)), rtol=1e-6)


RIDGES = {
    "ridge": ridge,
    "ridge rows": lambda X, y, lam: least_squares(*ridge_rows(X, y, lam)),
    "elastic net": lambda X, y, lam: elastic_net(X, y, 2 * lam, 0.0).w,
    "elastic net path": lambda X, y, lam: elastic_net_path(X, y, [2 * lam], 0.0)[0],
}
ridges = pytest.mark.parametrize("solve", RIDGES.values(), ids=RIDGES)


@ridges
@pytest.mark.parametrize("Z", [np.diag([1e70, 1.0, 0.0])[:2], np.diag([1e70, 1.0]), np.diag([1e-70, 1.0, 1.0])])
def test_ridge_of_columns_in_units_1e70_apart(solve, Z):
    """x_j = s_j e_j: w_j = s_j y_j/(s_j² + λ), each as if it were alone."""
    s, y = Z.diagonal(), np.full(len(Z), 1e10)
    w = np.zeros(Z.shape[1])
    w[: len(s)] = [value * 1e10 / (value * value + 1) for value in s]
    np.testing.assert_allclose(solve(Z, y, 1.0), w, rtol=1e-12)


def test_ridge_of_samples_in_units_1e69_apart():
    """The first equation holds as good as exactly; of all that fit it, the second takes the best: β in fractions."""
    Z, y = np.array([[2.0**230, 2.0**231, 0.0], [1.0, 1.0, 0.5]]), np.array([1.0, 1.0])
    Zf = np.vectorize(Fraction, otypes="O")(Z)
    (a, b), (_, c) = (Zf @ Zf.T + np.eye(2, dtype=int)).tolist()
    beta = np.array([c - b, a - b]) / (a * c - b * b)
    np.testing.assert_allclose(ridge(Z, y, 1.0), (Zf.T @ beta).astype(float), rtol=1e-10)


def test_ridge_where_units_hide_what_is_dependent_says_so():
    """More rows than columns, one 1e70 times as long as the others: no digit of these is left beside it."""
    Z = np.array([[1e70, 2e70], [1.0, 1.0], [3.0, 1.0]])
    with pytest.raises(np.linalg.LinAlgError, match=r"singular to rounding.*rescale X"):
        ridge(Z, np.ones(3), 1e-3)
    with pytest.raises(np.linalg.LinAlgError, match=r"rank cannot be told; rescale X"):
        ridge_path(Z, np.ones(3), [1e-3])


def test_ridge_where_rows_and_columns_each_hide_half_of_the_digits():
    """diag(2^26, 1) Z diag(2^26, 1): of full rank, as ridge finds in fractions; singular values cannot tell it."""
    unit, lam = np.array([2.0**26, 1.0]), 2.0**-100
    Z = np.array([[9.0, 7.0], [1.0, 1.0]]) * unit * unit[:, None]
    y = Z @ [2.0, 2.0**26]
    A = Exact(Z, y, [0, 0], [2 * lam] * 2)
    np.testing.assert_allclose(ridge(Z, y, lam), np.array(exact_solution(A.A, A.c), float), rtol=1e-12)
    with pytest.raises(np.linalg.LinAlgError, match="rescale X"):
        ridge_path(Z, y, [lam])


def test_the_dual_in_units_of_each_sample():
    """K = diag(1e140, 1) + λI."""
    np.testing.assert_allclose(ridge_dual(np.diag([1e140, 1.0]), [1e10, 1e10], 1.0), [1e-130, 5e9], rtol=1e-14)
    np.testing.assert_allclose(ridge_dual(np.diag([1e-140, 1.0]), [1e-150, 1.0], 0.0), [1e-10, 1], rtol=1e-14)

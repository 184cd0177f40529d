"""Chapter 01, linear regression: every equation of notes A 1 and D 1, and where the notes are wrong."""

from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from cases import slow

from linmodels import datasets, optimize
from linmodels.derivatives import central_difference, check_gradient, jacobian
from linmodels.design import augment, monomials
from linmodels.linear_regression import (
    best_step,
    gradient,
    gradient_iterates,
    hat_matrix,
    hessian,
    largest_step,
    least_squares,
    loss,
    minimum_norm,
    normal_equations,
    null_space,
    predict,
    stochastic_iterates,
)

SOLVERS = [normal_equations, least_squares, minimum_norm]
solvers = pytest.mark.parametrize("solve", SOLVERS)

LINE_X, LINE_Y = augment([[0], [1], [2]]), np.array([0.0, 1.0, 3.0])  # its line, by hand: y = 3/2 x - 1/6

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(9, 2))
X, Y, W = augment(POINTS), RNG.normal(size=9), RNG.normal(size=3)

FLAT = np.array([[1.0, 2.0, 2.0], [3.0, 6.0, 0.0], [0.0, 0.0, 1.0], [2.0, 4.0, 1.0]])  # column 2 is twice column 1
FLAT_Y = np.array([1.0, 2.0, 3.0, 5.0])


def digits(w, exact):
    """The number of right significant decimal digits, of the worst entry."""
    w, exact = np.asarray(w), np.asarray(exact, float)
    return -np.log10(np.max(np.abs(w - exact) / np.abs(exact)) + 1e-17)


def solve_exactly(X, y):
    """The normal equations by Gaussian elimination in fractions: no rounding at all."""
    X, y = [[Fraction(v) for v in row] for row in X], [Fraction(v) for v in y]
    d = len(X[0])
    rows = [[sum(x[i] * x[j] for x in X) for j in range(d)] for i in range(d)]
    rows = [[*row, sum(x[i] * t for x, t in zip(X, y, strict=True))] for i, row in enumerate(rows)]
    for i in range(d):
        pivot = next(k for k in range(i, d) if rows[k][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for k in range(d):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


# --- worked values ------------------------------------------------------------------------------------------


@solvers
@pytest.mark.equation("A-1.1-5", "A-1.2-9", "D-1-8")
def test_line_through_three_points(solve):
    """Means 1 and 4/3, slope Σ(x - 1)y / Σ(x - 1)² = 3/2, so b = 4/3 - 3/2."""
    np.testing.assert_allclose(solve(LINE_X, LINE_Y), [3 / 2, -1 / 6], rtol=1e-14)


@pytest.mark.equation("A-1.1-4", "A-1.2-6", "A-1.2-7")
def test_loss_gradient_hessian_of_three_points():
    """Residuals 1/6, -1/3, 1/6 at the line; at w = 0 the gradient is -2(Σxy, Σy)."""
    assert loss(np.array([3 / 2, -1 / 6]), LINE_X, LINE_Y) == pytest.approx(1 / 36 + 4 / 36 + 1 / 36)
    assert gradient(np.zeros(2), LINE_X, LINE_Y).tolist() == [-14, -8]
    assert hessian(np.zeros(2), LINE_X, LINE_Y).tolist() == [[10, 6], [6, 6]]


def test_steps_of_three_points():
    """XᵀX = [[5, 3], [3, 3]] has the eigenvalues 4 ± √10."""
    assert largest_step(LINE_X) == pytest.approx(1 / (4 + np.sqrt(10)), rel=1e-14)
    assert best_step(LINE_X) == pytest.approx(1 / 8, rel=1e-14)


def test_shortest_solution_by_hand():
    """x_1 + x_2 = 2 in the one equation 1·w_1 + 1·w_2 = 2: the shortest is (1, 1); (1, -1)/√2 may be added."""
    np.testing.assert_allclose(minimum_norm([[1.0, 1.0]], [2.0]), [1, 1], rtol=1e-14)
    np.testing.assert_allclose(np.abs(null_space([[1.0, 1.0]])), np.full((2, 1), np.sqrt(1 / 2)), rtol=1e-14)


def test_hat_matrix_of_the_mean():
    """On a column of ones, the projection takes the mean."""
    np.testing.assert_allclose(hat_matrix(np.ones((4, 1))), np.full((4, 4), 1 / 4), rtol=1e-14)


def test_cars_as_published():
    """R: lm(dist ~ speed, cars) prints 3.9324 and -17.5791."""
    w = least_squares(augment(datasets.cars().X), datasets.cars().y)
    np.testing.assert_allclose(w, [3.9324, -17.5791], atol=5e-5)


def test_noint1():
    """NIST StRD NoInt1: a line through the origin."""
    w = least_squares(np.arange(60.0, 71.0)[:, None], np.arange(130.0, 141.0))
    assert digits(w, [2.07438016528926]) >= 14


def test_wampler1():
    """NIST StRD Wampler1: y = 1 + x + ... + x⁵ exactly, x = 0 ... 20; the columns reach 3.2e6."""
    x = np.arange(21.0)
    w = least_squares(augment(monomials(x[:, None], 5)), sum(x**k for k in range(6)))
    assert digits(w, np.ones(6)) >= 9


CANNOT_BE_TOLD = "so short beside others that their digits are lost, and the rank cannot be told; rescale X"


def sixth_differences():
    """Integers on x = 0 ... 20, orthogonal to every polynomial of degree 5: sums of 1, -6, 15, -20, 15, -6, 1."""
    stencil, delta = [1, -6, 15, -20, 15, -6, 1], np.zeros(21)
    for start in (0, 3, 7, 9, 14):
        delta[start : start + 7] += stencil
    return delta


@pytest.mark.parametrize("size, least", [(2.0**6, 9), (2.0**13, 7), (2.0**20, 5)])
def test_large_residuals_as_wampler_built_them(size, least):
    """As NIST StRD Wampler 3, 4, 5: to y = 1 + x + ... + x⁵ comes what is orthogonal to it; every weight stays 1."""
    x = np.arange(21.0)
    Z, delta = augment(monomials(x[:, None], 5)), size * sixth_differences()
    assert not (Z.T @ delta).any()  # exact: integers below 2^53
    assert digits(least_squares(Z, Z.sum(axis=1) + delta), np.ones(6)) >= least


def test_raw_powers_to_the_tenth_as_in_filip():
    """As NIST StRD Filip: 82 samples of -9 < x < -3, powers to the tenth as they are, cond 5e9 at unit length.

    `least_squares` keeps 6.5 digits of the exact answer, in fractions of the decimals. What the others would need is
    beyond 1/ε, the square of that condition number or the lengths of the columns, and they say so.
    """
    x = [Fraction(-8800 + 71 * k - 7 * (k % 3), 1000) for k in range(82)]
    y = [Fraction(round(1e4 * (0.85 + 0.05 * np.sin(float(v)))), 10**4) for v in x]
    exact = solve_exactly([[*(v**k for k in range(1, 11)), 1] for v in x], y)
    Z, target = augment(monomials([[float(v)] for v in x], 10)), [float(v) for v in y]
    assert np.linalg.cond(Z / np.linalg.norm(Z, axis=0)) > 1e9
    assert digits(least_squares(Z, target), exact) >= 6.5
    with pytest.raises(np.linalg.LinAlgError, match=CANNOT_BE_TOLD):
        minimum_norm(Z, target)
    with pytest.raises(np.linalg.LinAlgError, match=r"XᵀX is singular to rounding.*see least_squares"):
        normal_equations(Z, target)


def longley():
    table = datasets.longley()
    decimal = [[*map(repr, row.tolist()), "1"] for row in table.X], list(map(repr, table.y.tolist()))
    return augment(table.X), table.y, [float(v) for v in solve_exactly(*decimal)]


def test_longley_exact_solution_is_the_published_one():
    """NIST StRD Longley, in the units of R's table: the employed in millions, the product in billions."""
    published = [
        1.50618722713733e-2,
        -3.58191792925910e-2,
        -2.02022980381683e-2,
        -1.03322686717359e-2,
        -5.11041056535807e-2,
        1.82915146461355,
        -3482.25863459582,
    ]
    assert digits(longley()[2], published) > 13.5


def test_longley_least_squares_keeps_its_digits():
    X, y, exact = longley()
    assert digits(least_squares(X, y), exact) >= 12


@pytest.mark.equation("D-1-8")
@pytest.mark.erratum("ERR-D06")
def test_longley_normal_equations_lose_half_their_digits():
    """(XXᵀ)⁻¹Xy says what, and leaves open how: computed as printed, XᵀX squares the condition number, 2e7 here."""
    X, y, exact = longley()
    assert np.linalg.cond(X.T @ X) > 1e7 * np.linalg.cond(X) > 1e14
    assert digits(np.linalg.inv(X.T @ X) @ X.T @ y, exact) < 9
    assert digits(normal_equations(X, y), exact) < 9
    assert digits(least_squares(X, y), exact) >= 12


# --- derivatives --------------------------------------------------------------------------------------------


@pytest.mark.equation("A-1.2-7")
def test_gradient_is_the_derivative_of_the_loss():
    assert check_gradient(lambda w: loss(w, X, Y), lambda w: gradient(w, X, Y), W) < 1e-8


def test_hessian_is_the_derivative_of_the_gradient():
    np.testing.assert_allclose(hessian(W, X, Y), jacobian(lambda w: gradient(w, X, Y), W), rtol=1e-8)


X_D, Y_D, W_D = np.array([[1.0, 2.0, 0.0, -1.0], [3.0, -1.0, 2.0, 5.0]]), np.array([2.0, 1, -3, 4]), np.array([0.5, -2])
LINES_OF_D_1_6 = {
    1: lambda X, y, w: central_difference(lambda w: (y - X.T @ w) @ (y - X.T @ w), w),
    2: lambda X, y, w: central_difference(lambda w: (y.T - w.T @ X) @ (y - X.T @ w), w),
    3: lambda X, y, w: central_difference(lambda w: y @ y - y @ X.T @ w - w @ X @ y + w @ X @ X.T @ w, w),
    4: lambda X, y, w: (
        -central_difference(lambda w: y @ X.T @ w, w)
        - central_difference(lambda w: w @ X @ y, w)
        + central_difference(lambda w: w @ X @ X.T @ w, w)
    ),
    5: lambda X, y, w: -X @ y - X @ y + (X @ X.T + X @ X.T) @ w,
    6: lambda X, y, w: -2 * X @ y + 2 * X @ X.T @ w,
    7: lambda X, y, w: 2 * X @ (X.T @ w - y),
}


@pytest.mark.equation("D-1-6")
@pytest.mark.parametrize("line", LINES_OF_D_1_6)
def test_gradient_of_note_D_line_by_line(line):
    """Samples as columns: X is (2, 4). Every line is the book's gradient of X.T."""
    np.testing.assert_allclose(LINES_OF_D_1_6[line](X_D, Y_D, W_D), gradient(W_D, X_D.T, Y_D), rtol=1e-8)


@pytest.mark.equation("D-1-6")
@pytest.mark.erratum("ERR-D04")
def test_the_last_numerator_of_line_four_lost_its_derivative_sign():
    """Printed: w'XX'w itself instead of its derivative, a number added to vectors."""
    X, y, w = X_D, Y_D, W_D
    without = -central_difference(lambda w: y @ X.T @ w, w) - central_difference(lambda w: w @ X @ y, w)
    right = gradient(w, X.T, y)
    assert np.abs(without + w @ X @ X.T @ w - right).max() > 1
    np.testing.assert_allclose(without + central_difference(lambda w: w @ X @ X.T @ w, w), right, rtol=1e-8)


@pytest.mark.equation("D-1-11")
def test_gradient_is_the_direction_of_steepest_ascent():
    """u·∇f <= ‖∇f‖ for every unit u, with equality for u = ∇f/‖∇f‖; the slope along u is u·∇f."""
    g = gradient(W, X, Y)
    for u in np.random.default_rng(1).normal(size=(50, 3)):
        u = u / np.linalg.norm(u)
        slope = central_difference(lambda a, u=u: loss(W + a * u, X, Y), 0.0)
        assert slope == pytest.approx(u @ g, abs=1e-6)
        assert slope < np.linalg.norm(g)
    along = central_difference(lambda a: loss(W + a * g / np.linalg.norm(g), X, Y), 0.0)
    assert along == pytest.approx(np.linalg.norm(g))


@pytest.mark.equation("D-1-11")
@pytest.mark.erratum("ERR-D08")
def test_the_loss_falls_along_the_negative_gradient_only():
    step = 1e-3 * gradient(W, X, Y)
    assert loss(W + step, X, Y) > loss(W, X, Y) > loss(W - step, X, Y)


# --- identities ---------------------------------------------------------------------------------------------


@pytest.mark.equation("A-0-2", "A-1.1-2", "A-1.1-3", "A-1.2-10", "A-1.3-4", "D-0-1", "D-0-2")
def test_model_in_matrix_form_is_the_sum_over_features():
    w, b = W[:-1], W[-1]
    assert w.shape == (2,)
    for prediction, x in zip(predict(W, X), POINTS, strict=True):
        assert prediction == pytest.approx(w[0] * x[0] + w[1] * x[1] + b, rel=1e-14)


@pytest.mark.equation("D-1-1")
def test_model_of_note_D_has_no_bias():
    """f(x; w) = w_1 x_1 + ... + w_m x_m: 0 at x = 0."""
    np.testing.assert_allclose(predict(W[:2], POINTS), [W[0] * x[0] + W[1] * x[1] for x in POINTS], rtol=1e-13)
    assert predict(W[:2], np.zeros((1, 2))) == 0


@pytest.mark.equation("A-1.1-4", "A-1.2-3", "A-1.2-6", "D-1-2", "D-1-4")
def test_loss_is_the_sum_of_squares():
    w, b, residual = W[:-1], W[-1], Y - X @ W
    by_hand = sum((w @ x + b - y) ** 2 for x, y in zip(POINTS, Y, strict=True))
    assert loss(W, X, Y) == pytest.approx(by_hand, rel=1e-14)
    assert residual.T @ residual == pytest.approx(by_hand, rel=1e-14)


@pytest.mark.equation("A-1.2-3")
@pytest.mark.erratum("ERR-A03")
def test_the_matrix_form_needs_augmented_rows():
    with pytest.raises(ValueError, match=r"X must be of shape \(N, d\), d = 3 as in w; found shape \(9, 2\)"):
        loss(W, POINTS, Y)  # as printed in 1.2: rows x_i without the 1
    assert loss(W, X, Y) == pytest.approx(np.sum((POINTS @ W[:2] + W[2] - Y) ** 2))


@pytest.mark.equation("D-1-3", "D-1-4", "D-1-8")
def test_note_D_is_note_A_transposed():
    """R(w) = (y - X'w)'(y - X'w) and w = (XX')⁻¹Xy with samples as columns."""
    columns = X.T
    r = Y - columns.T @ W
    assert r @ r == pytest.approx(loss(W, X, Y), rel=1e-14)
    np.testing.assert_allclose(np.linalg.inv(columns @ columns.T) @ columns @ Y, normal_equations(X, Y), rtol=1e-12)


@solvers
@pytest.mark.equation("A-1.1-5", "A-1.2-5", "D-1-5")
def test_no_other_weights_fit_better(solve):
    """E(w + v) - E(w) = ‖Xv‖² >= 0 for every v."""
    w = solve(X, Y)
    for v in np.random.default_rng(2).normal(size=(50, 3)):
        assert loss(w + v, X, Y) - loss(w, X, Y) == pytest.approx(np.sum((X @ v) ** 2), rel=1e-9)


@solvers
@pytest.mark.equation("A-1.2-8", "D-1-7")
def test_residual_is_orthogonal_to_every_column(solve):
    w = solve(X, Y)
    np.testing.assert_allclose(X.T @ (Y - X @ w), 0, atol=1e-13)
    np.testing.assert_allclose(gradient(w, X, Y), 0, atol=1e-13)


@solvers
@pytest.mark.equation("A-1.2-5", "A-1.2-9", "D-1-8")
def test_closed_form_at_full_rank(solve):
    assert np.linalg.matrix_rank(X) == X.shape[1]
    inverse = np.linalg.inv(X.T @ X) @ X.T @ Y
    np.testing.assert_allclose(solve(X, Y), inverse, rtol=1e-12)
    np.testing.assert_allclose(solve(X, Y), np.linalg.lstsq(X, Y)[0], rtol=1e-12)


@pytest.mark.equation("A-1.2-13")
def test_rank_of_the_normal_matrix():
    """rank XᵀX = rank X <= min(N, n + 1), for integers whose dependence is exact."""
    for N, n, rank in [(2, 3, 2), (4, 3, 4), (9, 3, 4)]:
        Z = augment(np.vander(np.arange(1.0, N + 1), n + 1)[:, :n])
        assert np.linalg.matrix_rank(Z) == np.linalg.matrix_rank(Z.T @ Z) == rank == min(N, n + 1)
        assert null_space(Z).shape == (n + 1, n + 1 - rank)  # the book's own rank, where s_4 is 0.0004 s_1
    assert np.linalg.matrix_rank(FLAT.T @ FLAT) == np.linalg.matrix_rank(FLAT) == 2 < 3
    assert null_space(FLAT).shape == (3, 1)


def test_hat_matrix_is_a_projection():
    H = hat_matrix(X)
    np.testing.assert_allclose(H @ H, H, atol=1e-14)
    np.testing.assert_allclose(H, H.T, atol=1e-15)
    np.testing.assert_allclose(H @ X, X, atol=1e-14)
    np.testing.assert_allclose(H @ Y, predict(least_squares(X, Y), X), rtol=1e-12)
    np.testing.assert_allclose(H, X @ np.linalg.inv(X.T @ X) @ X.T, atol=1e-14)
    assert np.trace(H) == pytest.approx(3)


def test_hat_matrix_at_deficient_rank_projects_on_what_there_is():
    H = hat_matrix(FLAT)
    assert np.trace(H) == pytest.approx(2)
    np.testing.assert_allclose(H @ FLAT, FLAT, atol=1e-14)


# --- rank deficiency ----------------------------------------------------------------------------------------


@pytest.mark.equation("D-1-10")
@pytest.mark.erratum("ERR-D07")
def test_the_features_of_most_data_are_independent():
    """Printed: most data violate the condition, so one uses descent. The condition is one on features: of the book's
    twelve tables only the digits violate it, some of whose pixels never have ink."""
    names = "anes cars diabetes digits iris longley menarche orings recreation titanic trees wine".split()
    tables = {name: augment(getattr(datasets, name)().X) for name in names}
    dependent = [name for name, Z in tables.items() if np.linalg.matrix_rank(normed(Z)) < Z.shape[1]]
    assert dependent == ["digits"]
    samples = [name for name, Z in tables.items() if np.linalg.matrix_rank(normed(Z)) < len(Z)]
    assert samples == names  # the samples themselves are dependent in all of them, and it does no harm


def normed(Z):
    """Columns of length 1, so that units do not decide the rank; a column of zeros stays."""
    return Z / np.maximum(np.linalg.norm(Z, axis=0), 1e-300)


@pytest.mark.equation("A-1.2-11", "D-1-10")
@pytest.mark.erratum("ERR-A10", "ERR-D07")
def test_many_minimisers_and_the_shortest():
    """Printed: "several" solutions, so use gradient descent. There are infinitely many, X⁺y + z with Xz = 0, and
    gradient descent does not choose among them: it keeps the part of its start that X does not see."""
    shortest, Z = minimum_norm(FLAT, FLAT_Y), null_space(FLAT)
    assert Z.shape == (3, 1)
    for a in (-2.0, 0.5, 3.0):
        other = shortest + a * Z[:, 0]
        assert loss(other, FLAT, FLAT_Y) == pytest.approx(loss(shortest, FLAT, FLAT_Y))
        assert np.linalg.norm(other) > np.linalg.norm(shortest)

    def descend(start):
        return optimize.run(gradient_iterates(FLAT, FLAT_Y, eta=best_step(FLAT), w=start), tol=1e-12).w

    np.testing.assert_allclose(descend(np.zeros(3)), shortest, atol=1e-12)  # from 0 it is the shortest
    np.testing.assert_allclose(descend(5 * Z[:, 0]), shortest + 5 * Z[:, 0], atol=1e-11)  # and from elsewhere not
    ridge = [np.linalg.solve(FLAT.T @ FLAT + lam * np.eye(3), FLAT.T @ FLAT_Y) for lam in (1e-3, 1e-6)]
    assert np.abs(ridge[1] - shortest).max() < 1e-5 < np.abs(ridge[0] - shortest).max()  # the limit of ridge, λ → 0


def test_shortest_solution_is_the_pseudoinverse():
    np.testing.assert_allclose(minimum_norm(FLAT, FLAT_Y), np.linalg.pinv(FLAT) @ FLAT_Y, rtol=1e-12)
    np.testing.assert_allclose(minimum_norm(FLAT[:2], FLAT_Y[:2]), np.linalg.pinv(FLAT[:2]) @ FLAT_Y[:2], rtol=1e-12)


def test_null_space_is_orthonormal_and_unseen():
    for matrix, dimension in [(FLAT, 1), (FLAT[:1], 2), (X, 0), (np.zeros((2, 3)), 3)]:
        Z = null_space(matrix)
        assert Z.shape == (3, dimension)
        np.testing.assert_allclose(Z.T @ Z, np.eye(dimension), atol=1e-14)
        np.testing.assert_allclose(matrix @ Z, 0, atol=1e-14)


@pytest.mark.equation("A-1.2-12", "A-1.2-13")
@pytest.mark.erratum("ERR-A05")
def test_as_many_samples_as_features_are_too_few():
    """Printed: XᵀX is n x n, singular if N < n. It is (n + 1) x (n + 1), and N = n is already too few."""
    n = 3
    cube = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
    ranks = {}
    for N in (2, 3, 4, 5):
        Z = augment(cube[:N])
        assert (Z.T @ Z).shape == (n + 1, n + 1)
        ranks[N] = np.linalg.matrix_rank(Z.T @ Z)
    assert ranks == {2: 2, 3: 3, 4: 4, 5: 4}  # N = 3 = n is singular though N < n is false
    collinear = augment(cube[[0, 1, 2, 4, 4, 1, 0]][:, [0, 1, 0]])
    assert np.linalg.matrix_rank(collinear.T @ collinear) == 3  # and N >= n + 1 = 4 is not sufficient
    for Z in (augment(cube[:3]), collinear):
        with pytest.raises(np.linalg.LinAlgError, match="rank 3 of 4"):
            normal_equations(Z, np.arange(float(len(Z))))


@pytest.mark.equation("D-1-9")
@pytest.mark.erratum("ERR-D05")
def test_features_must_be_independent_not_samples():
    """X of note D is features x samples. Printed: different samples must not be dependent. They always are if n > m."""
    samples = np.array([[1, 0], [0, 1], [1, 1], [1, 1], [2, 2]]).T  # five dependent samples, one of them twice
    assert np.linalg.matrix_rank(samples) == 2 < samples.shape[1]
    assert np.linalg.matrix_rank(samples @ samples.T) == 2  # yet XX' can be inverted
    least_squares(samples.T, np.arange(5.0))
    features = np.vstack([samples, samples[0] - samples[1]])  # one dependent feature
    assert np.linalg.matrix_rank(features @ features.T) == 2 < 3
    with pytest.raises(np.linalg.LinAlgError, match="rank 2 of 3"):
        least_squares(features.T, np.arange(5.0))


@pytest.mark.parametrize("solve", [normal_equations, least_squares])
def test_singular_systems_say_where_to_go(solve):
    for Z in (FLAT, FLAT[:2], np.zeros((4, 3)), np.ones((4, 2))):
        with pytest.raises(np.linalg.LinAlgError, match=r"many solutions; see minimum_norm .*null_space"):
            solve(Z, FLAT_Y[: len(Z)])


@pytest.mark.parametrize("solve", [normal_equations, least_squares])
@pytest.mark.parametrize("seed", [0, 1, 1567])
def test_dependence_up_to_rounding_is_found_too(solve, seed):
    """The third column is a combination of two others, rounded; 1567 is a set whose XᵀX Cholesky still takes."""
    rng = np.random.default_rng(seed)
    N = rng.integers(4, 40)
    A = rng.normal(size=(N, 2))
    Z = np.column_stack([A, A @ rng.normal(size=2), np.ones(N)])
    with pytest.raises(np.linalg.LinAlgError, match="rank 3 of 4"):
        solve(Z, rng.normal(size=N))


# --- gradient descent ---------------------------------------------------------------------------------------


@pytest.mark.equation("D-1-12")
def test_first_step_of_gradient_descent_by_hand():
    """w = 0, η = 1/16, ∇E = (-14, -8): w = (7/8, 1/2)."""
    states = list(islice(gradient_iterates(LINE_X, LINE_Y, eta=1 / 16), 2))
    assert states[0].w.tolist() == [0, 0]
    assert states[0].gradient.tolist() == [-14, -8]
    assert states[1].w.tolist() == [7 / 8, 1 / 2]


@pytest.mark.equation("A-1.2-1", "D-1-12")
def test_gradient_descent_reaches_the_closed_form():
    solution = optimize.run(gradient_iterates(X, Y, eta=best_step(X)), tol=1e-10)
    assert solution.converged
    np.testing.assert_allclose(solution.w, normal_equations(X, Y), atol=1e-10)


def test_far_from_0_the_gradient_keeps_the_digits_that_its_expanded_form_loses():
    """2Xᵀ(Xw - y) takes the residuals first. Of 2(XᵀXw - Xᵀy) the two terms agree in all but a few digits."""
    rng = np.random.default_rng(0)
    x = rng.uniform(1950, 2020, 2000)
    y = 300 * x + rng.normal(size=2000)
    *_, state = islice(gradient_iterates(x[:, None], y, eta=best_step(x[:, None])), 4)
    w = Fraction(state.w[0])
    exact = float(sum(2 * a * (a * w - b) for a, b in zip(map(Fraction, x), map(Fraction, y), strict=True)))
    rounding = np.finfo(float).eps * np.linalg.norm(2 * x * y)  # of the fitted values, at random
    assert abs(state.gradient[0] - exact) <= rounding
    assert abs(2 * ((x @ x) * state.w[0] - x @ y) - exact) > rounding


def test_huge_numbers_end_with_a_reason():
    end = optimize.run(gradient_iterates(np.full((1000, 1), 1e70), np.ones(1000), eta=1.0))
    assert not end.converged and "huge numbers" in end.reason


@pytest.mark.equation("A-1.2-1", "D-1-12")
@pytest.mark.parametrize("factor, factor_per_step", [(0.99, 0.98), (1.01, 1.02)])
def test_just_below_and_just_above_the_largest_step(factor, factor_per_step):
    """Along the steepest axis the error is multiplied by 1 - 2ηλ_max = -0.98 or -1.02 in each step."""
    exact, top = least_squares(X, Y), np.linalg.eigh(X.T @ X)[1][:, -1]
    path = islice(gradient_iterates(X, Y, eta=factor * largest_step(X), w=exact + top), 6)
    errors = [np.linalg.norm(s.w - exact) for s in path]
    np.testing.assert_allclose(errors, factor_per_step ** np.arange(6), rtol=1e-10)


@pytest.mark.equation("A-1.2-1")
@pytest.mark.parametrize("share", [0.1, pytest.param(0.01, marks=pytest.mark.slow)])
def test_converges_below_and_diverges_above(share):
    below = optimize.run(gradient_iterates(X, Y, eta=(1 - share) * largest_step(X)), tol=1e-8)
    assert below.converged
    above = optimize.run(gradient_iterates(X, Y, eta=(1 + share) * largest_step(X)), max_iter=100_000)
    assert not above.converged
    assert "too long a step" in above.reason


def test_best_step_contracts_as_promised():
    """XᵀX = diag(4, 1): L = 8, μ = 2, and every step leaves exactly (L - μ)/(L + μ) = 3/5 of the error."""
    Z, y = np.diag([2.0, 1.0]), np.array([2.0, 1.0])
    assert best_step(Z) == pytest.approx(1 / 5)
    errors = [np.linalg.norm(s.w - [1, 1]) for s in islice(gradient_iterates(Z, y, eta=best_step(Z)), 6)]
    np.testing.assert_allclose(np.divide(errors[1:], errors[:-1]), 3 / 5, rtol=1e-12)
    for other in (0.9, 1.1):  # any other step leaves more, in one of the two directions
        factors = np.abs(1 - 2 * other * best_step(Z) * np.array([4, 1]))
        assert factors.max() > 3 / 5


def test_best_step_at_deficient_rank_forgets_the_unseen_directions():
    eigenvalues = np.linalg.eigvalsh(FLAT.T @ FLAT)
    assert best_step(FLAT) == pytest.approx(1 / (eigenvalues[1] + eigenvalues[2]))


@pytest.mark.equation("D-1-2")
@pytest.mark.erratum("ERR-D17")
def test_a_step_on_the_mean_is_n_times_shorter():
    """D-1 sums, D-2 and D-3 take means and call the step by the same name: α_mean = N η_sum."""
    N, eta, w = len(Y), 0.01, np.zeros(3)
    _, second = islice(gradient_iterates(X, Y, eta=eta), 2)
    on_the_mean = central_difference(lambda w: loss(w, X, Y) / N, w)
    assert np.abs(w - eta * on_the_mean - second.w).max() > 1e-3
    np.testing.assert_allclose(w - N * eta * on_the_mean, second.w, atol=1e-9)


# --- stochastic gradient descent ----------------------------------------------------------------------------

TWO_X, TWO_Y = np.ones((2, 1)), np.array([0.0, 2.0])  # the minimum lies between the two, at 1


def stochastic(X, y, steps, seed=0, **settings):
    return np.array(
        [s.w for s in islice(stochastic_iterates(X, y, rng=np.random.default_rng(seed), **settings), steps)]
    )


def test_one_stochastic_step_by_hand():
    """η = 1/8, y = 0 leaves w = 0; y = 2 leads to 2·2/8 = 1/2."""
    assert stochastic(TWO_X, TWO_Y, 2, eta=1 / 8)[1] in (0, 1 / 2)
    assert stochastic(TWO_X[1:], TWO_Y[1:], 2, eta=1 / 8)[1] == 1 / 2


def test_the_batch_of_all_is_gradient_descent():
    whole = stochastic(X, Y, 10, eta=0.01, batch=9)
    plain = [s.w for s in islice(gradient_iterates(X, Y, eta=0.01), 10)]
    np.testing.assert_allclose(whole, plain, rtol=1e-12)


@pytest.mark.parametrize("eta", [1 / 16, *slow([1 / 4, 1 / 64])])
def test_a_constant_step_has_a_noise_floor(eta):
    """An error e becomes (1 - 2η)e ± 2η: after |e| < η comes more than η. Of two in a row one is always outside."""
    errors = np.abs(stochastic(TWO_X, TWO_Y, 2001, eta=eta, w=np.array([1.0])) - 1)[:, 0]
    assert (np.maximum(errors[1:], errors[:-1]) >= eta).all()
    assert errors.max() <= 1  # a mean of the targets, never further than they are


def test_decreasing_steps_reach_the_minimum():
    """With η_k = 1/(2(k + 1)) w is the running mean of the targets: 1 after every pass."""
    path = stochastic(TWO_X, TWO_Y, 21, eta=lambda k: 1 / (2 * (k + 1)))
    np.testing.assert_allclose(path[2::2], 1, rtol=1e-13)


def test_without_noise_there_is_no_floor():
    """Where a w fits every sample, every single gradient vanishes there."""
    path = stochastic(X, X @ W, 2001, eta=0.5 / np.max(np.sum(X**2, axis=1)))
    np.testing.assert_allclose(path[-1], W, atol=1e-12)


def test_the_same_seed_gives_the_same_path():
    a, b, c = (stochastic(X, Y, 20, seed, eta=0.01) for seed in (1, 1, 2))
    np.testing.assert_array_equal(a, b)
    assert (a != c).any()


# --- metamorphic relations ----------------------------------------------------------------------------------

ORDER, SHIFT = np.random.default_rng(3).permutation(9), np.array([3.0, -2.0])
RELATIONS = {  # other data, and what their weights are in terms of w, those of X and Y
    "the order of samples does not matter": (X[ORDER], Y[ORDER], lambda w: w),
    "features and weights are permuted together": (X[:, [2, 0, 1]], Y, lambda w: w[[2, 0, 1]]),
    "every sample twice changes nothing": (np.vstack([X, X]), np.append(Y, Y), lambda w: w),
    "shifted features move the bias only": (augment(POINTS + SHIFT), Y, lambda w: [*w[:2], w[2] - w[:2] @ SHIFT]),
    "shifted and scaled targets": (X, 5 * Y + 2, lambda w: 5 * w + [0, 0, 2]),
}


@pytest.mark.parametrize("other, y, weights", RELATIONS.values(), ids=RELATIONS)
@pytest.mark.parametrize("solve", [least_squares, minimum_norm])
def test_metamorphic_relations(solve, other, y, weights):
    np.testing.assert_allclose(solve(other, y), weights(solve(X, Y)), rtol=1e-12)


@pytest.mark.parametrize("solve", [least_squares, minimum_norm])
def test_a_sample_on_the_plane_changes_nothing_and_a_constant_target_is_the_bias(solve):
    w, x = solve(X, Y), np.array([1.0, -4.0, 1.0])
    np.testing.assert_allclose(solve(np.vstack([X, x]), np.append(Y, w @ x)), w, rtol=1e-11)
    np.testing.assert_allclose(solve(X, np.full(9, 7.0)), [0, 0, 7], atol=1e-13)


def test_a_second_constant_column_has_no_weight_of_its_own():
    """The shortest solution shares the bias between the two."""
    *w, b = minimum_norm(X, Y)
    np.testing.assert_allclose(minimum_norm(augment(X), Y), [*w, b / 2, b / 2], rtol=1e-12)


def test_a_rotation_of_the_features_rotates_the_shortest_solution():
    Q = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]
    np.testing.assert_allclose(minimum_norm(FLAT @ Q, FLAT_Y), Q.T @ minimum_norm(FLAT, FLAT_Y), atol=1e-13)


# --- claims of the notes ------------------------------------------------------------------------------------


@pytest.mark.equation("A-0-4")
@pytest.mark.erratum("ERR-A01")
def test_weights_measure_importance_only_on_one_scale():
    """y = x_1 + x_2, x_2 then written in thousandths: the same model, the same fit, a weight 1000 times smaller."""
    features = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    y = features.sum(axis=1)
    raw = features * [1, 1000]
    w = least_squares(augment(raw), y)
    np.testing.assert_allclose(w, [1, 1 / 1000, 0], atol=1e-15)
    np.testing.assert_allclose(predict(w, augment(raw)), y)
    standardised = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    np.testing.assert_allclose(least_squares(augment(standardised), y), [1, 1, 0], atol=1e-15)


@pytest.mark.equation("A-0-4")
@pytest.mark.erratum("ERR-A01")
def test_weights_of_collinear_features_measure_nothing():
    """Copies of a feature fit alike with the weights (1, 0), (0, 1), (50, -49)."""
    copies, y = np.array([[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]), np.array([1.0, 2.0, 4.0])
    assert [loss(np.array(w), copies, y) for w in ([1, 0], [0, 1], [50, -49])] == [0, 0, 0]


@pytest.mark.equation("D-1-1")
@pytest.mark.erratum("ERR-D02")
def test_a_model_without_bias_needs_the_feature_one():
    """y = 5 + 2x at x = 0, 1, 2: through the origin the slope is Σxy/Σx² = 25/5, with the feature 1 it is 2."""
    x = np.array([[0.0], [1.0], [2.0]])
    y = 5 + 2 * x[:, 0]
    np.testing.assert_allclose(least_squares(x, y), [5], rtol=1e-15)
    np.testing.assert_allclose(least_squares(augment(x), y), [2, 5], rtol=1e-14)


@pytest.mark.equation("D-1-8")
@pytest.mark.erratum("ERR-D06")
def test_the_explicit_inverse_loses_what_least_squares_keeps():
    """y = x + x² + ... + x⁹ on [0, 1]: cond X = 1e7, so cond XᵀX = 1e14."""
    Z = augment(monomials(np.linspace(0, 1, 30)[:, None], 9))
    exact = np.append(np.ones(9), 0)
    y = Z @ exact
    by_inverse = np.linalg.inv(Z.T @ Z) @ Z.T @ y
    assert np.abs(by_inverse - exact).max() > 1e-4
    assert np.abs(least_squares(Z, y) - exact).max() < 1e-7  # cond X times the rounding of y, 1e-15


# --- edges --------------------------------------------------------------------------------------------------


@solvers
def test_one_sample_and_one_column(solve):
    np.testing.assert_allclose(solve([[4.0]], [2.0]), [1 / 2])


@pytest.mark.parametrize("unit", [1e70, 1e-70, 1e12])
def test_where_lengths_hide_the_rank_it_is_not_guessed(unit):
    """Diagonal, of full rank, and with a column of zeros: least squares take any units, the others a rescaled X."""
    Z = np.diag([unit, 1.0])
    np.testing.assert_allclose(least_squares(Z, [1e10, 1e10]), [1e10 / unit, 1e10], rtol=1e-12)
    np.testing.assert_allclose(hat_matrix(Z), np.eye(2), atol=1e-15)
    for A in (Z, np.column_stack([Z, np.zeros(2)])):
        for call in (lambda A: minimum_norm(A, [1e10, 1e10]), null_space):
            with pytest.raises(np.linalg.LinAlgError, match=CANNOT_BE_TOLD):
                call(A)
    near = np.diag([2.0**20, 1.0, 0.0])[:2]
    np.testing.assert_allclose(minimum_norm(near, [2.0**30, 2.0**30]), [2.0**10, 2.0**30, 0], rtol=1e-12)
    np.testing.assert_allclose(np.abs(null_space(near)), [[0], [0], [1]], atol=1e-15)


def test_the_shortest_solution_of_columns_in_different_units():
    """x·w = y in one equation: w = yx/x·x, though its entries are 1e20 apart."""
    x = np.array([[1.0, 1e10, 1e-10]])
    np.testing.assert_allclose(x[0] * minimum_norm(x, [1.0]), [1e-20, 1, 1e-40], atol=1e-15)


@pytest.mark.parametrize("k", [30, 40, 60])
def test_a_short_column_beside_dependent_ones_is_no_part_of_what_is_unseen(k):
    """Columns (a, 2a, b/2ᵏ): the shortest w is (.175, .35, 2ᵏ/8), and (2, -1, 0) is what X does not see."""
    plain = np.array([[1.0, 2, 1], [2, 4, 2], [-1, -2, 3], [1, 2, 5]])
    np.testing.assert_allclose(minimum_norm(plain * [1, 1, 2.0**-10], [4.0, 0, -1, 2]), [0.175, 0.35, 128], rtol=1e-9)
    Z = plain * [1, 1, 2.0**-k]
    with pytest.raises(np.linalg.LinAlgError, match=CANNOT_BE_TOLD):
        minimum_norm(Z, [4.0, 0, -1, 2])
    with pytest.raises(np.linalg.LinAlgError, match=CANNOT_BE_TOLD):
        null_space(Z)


def test_rows_in_different_units_are_not_guessed_either():
    """Independent equations of more weights, (1, 2, 3)w = 1 and (1, -1, 1)w = 2."""
    rows, y = np.array([[1.0, 2, 3], [1, -1, 1]]), np.array([1.0, 2.0])
    for unit in (np.array([2.0**20, 1.0]), np.array([1.0, 2.0**20])):
        np.testing.assert_allclose(minimum_norm(rows * unit[:, None], y * unit), minimum_norm(rows, y), rtol=1e-9)
    unit = np.array([1e70, 1.0])
    for call in (minimum_norm, lambda X, y: null_space(X), lambda X, y: hat_matrix(X)):
        with pytest.raises(np.linalg.LinAlgError, match=CANNOT_BE_TOLD):
            call(rows * unit[:, None], y * unit)


def test_the_shortest_solution_of_many_weights_takes_no_matrix_of_them():
    """N rows of d = 100 000 columns: d x d numbers would be 80 GB."""
    rows = np.random.default_rng(0).normal(size=(3, 100_000)) * [[1e-3], [1.0], [1.0]]
    np.testing.assert_allclose(rows @ minimum_norm(rows, [1.0, 2.0, 3.0]), [1.0, 2.0, 3.0], rtol=1e-9)


@pytest.mark.parametrize("offset", [1e4, 1e8, 1e12])
def test_features_far_from_zero(offset):
    """x = offset + 0, 1, 2, ... and y = x - offset: slope 1, bias -offset, both exact."""
    x = np.arange(6.0)
    w = least_squares(augment((x + offset)[:, None]), x)
    np.testing.assert_allclose(w, [1, -offset], rtol=1e-12)


def test_features_far_from_zero_without_a_constant_column():
    """Two columns at 1e8, almost parallel: y = 3 x_1 - 2 x_2 is exact in integers."""
    base = np.array([[0, 0], [1, 0], [0, 1], [3, 1], [2, 5]]) + 1e8
    np.testing.assert_allclose(least_squares(base, base @ [3, -2]), [3, -2], rtol=1e-7)


def test_a_target_far_from_zero():
    np.testing.assert_allclose(least_squares(LINE_X, LINE_Y + 1e8), [3 / 2, 1e8 - 1 / 6], rtol=1e-8)


def test_any_constant_column_is_a_bias():
    """A column of sevens instead of ones, in the first place: its weight is b/7."""
    Z = np.column_stack([np.full(3, 7.0), [1e8, 1e8 + 1, 1e8 + 2]])
    np.testing.assert_allclose(least_squares(Z, LINE_Y), [(-1 / 6 - 1.5e8) / 7, 3 / 2], rtol=1e-12)


@pytest.mark.parametrize("distance", [1e-3, 1e-6, 1e-9])
def test_nearly_parallel_columns(distance):
    """The second column is the first but for `distance` in one entry; error at most rounding times cond X."""
    Z = np.array([[1.0, 1.0], [1.0, 1.0 + distance], [1.0, 1.0]])
    exact = np.array([2.0, -1.0])
    error = np.abs(least_squares(Z, Z @ exact) - exact).max()
    assert error <= 50 * np.finfo(float).eps * np.linalg.cond(Z)


def test_more_rows_than_a_block():
    """X is read in blocks of 2^16 numbers: 40 000 rows of 2 are more than one."""
    x = np.arange(40_000.0) % 7
    np.testing.assert_allclose(least_squares(augment(x[:, None]), 3 * x - 2), [3, -2], rtol=1e-12)


@pytest.mark.parametrize("step", [largest_step, best_step])
def test_steps_of_zeros(step):
    with pytest.raises(ValueError, match="X holds only zeros"):
        step(np.zeros((3, 2)))


# --- doors --------------------------------------------------------------------------------------------------


def test_a_start_of_another_length_is_named_at_the_call():
    with pytest.raises(ValueError, match=r"w must be of shape \(d,\), d = 3 as in X; found shape \(2,\)"):
        gradient_iterates(X, Y, eta=0.1, w=[0.0, 0.0])

"""Chapter 01, linear regression: every equation of notes A 1 and D 1, and where the notes are wrong."""

import pathlib
import re
from itertools import islice

import numpy as np
import pytest
from cases import slow
from exact import exact, exact_ridge

from linmodels import datasets, optimize
from linmodels.book import notebooks
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

solvers = pytest.mark.parametrize("solve", [normal_equations, least_squares, minimum_norm])

LINE_X, LINE_Y = augment([[0], [1], [2]]), np.array([0.0, 1.0, 3.0])  # its line, by hand: y = 3/2 x - 1/6

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(9, 2))
X, Y, W = augment(POINTS), RNG.normal(size=9), RNG.normal(size=3)

FLAT = np.array([[1.0, 2.0, 2.0], [3.0, 6.0, 0.0], [0.0, 0.0, 1.0], [2.0, 4.0, 1.0]])  # column 2 is twice column 1
FLAT_Y = np.array([1.0, 2.0, 3.0, 5.0])


# --- worked values ------------------------------------------------------------------------------------------


@solvers
@pytest.mark.equation("A-1.1-5", "A-1.2-9", "D-1-8")
def test_line_through_three_points(solve):
    """Means 1 and 4/3, slope Σ(x - 1)y / Σ(x - 1)² = 3/2, so b = 4/3 - 3/2."""
    np.testing.assert_allclose(solve(LINE_X, LINE_Y), [3 / 2, -1 / 6], rtol=1e-14)
    np.testing.assert_allclose(solve([[4.0]], [2.0]), [1 / 2], rtol=1e-15)


@pytest.mark.equation("A-1.1-4", "A-1.2-6", "A-1.2-7")
def test_loss_gradient_hessian_and_steps_of_three_points():
    """Residuals 1/6, -1/3, 1/6 at the line; at w = 0 the gradient is -2(Σxy, Σy). XᵀX has the eigenvalues 4 ± √10."""
    assert loss(np.array([3 / 2, -1 / 6]), LINE_X, LINE_Y) == pytest.approx(1 / 36 + 4 / 36 + 1 / 36)
    assert gradient(np.zeros(2), LINE_X, LINE_Y).tolist() == [-14, -8]
    assert hessian(np.zeros(2), LINE_X, LINE_Y).tolist() == [[10, 6], [6, 6]]
    assert largest_step(LINE_X) == pytest.approx(1 / (4 + np.sqrt(10)), rel=1e-14)
    assert best_step(LINE_X) == pytest.approx(1 / 8, rel=1e-14)


def test_shortest_solution_by_hand():
    """x_1 + x_2 = 2 in the one equation 1·w_1 + 1·w_2 = 2: the shortest is (1, 1); (1, -1)/√2 may be added."""
    np.testing.assert_allclose(minimum_norm([[1.0, 1.0]], [2.0]), [1, 1], rtol=1e-14)
    np.testing.assert_allclose(np.abs(null_space([[1.0, 1.0]])), np.full((2, 1), np.sqrt(1 / 2)), rtol=1e-14)


# --- published values, and how many digits of them are right ------------------------------------------------


def digits(w, right):
    """The number of right significant decimal digits, of the worst entry."""
    w, right = np.asarray(w), np.asarray(right, float)
    return -np.log10(np.max(np.abs(w - right) / np.abs(right)) + 1e-17)


def test_cars_as_published():
    """R: lm(dist ~ speed, cars) prints 3.9324 and -17.5791."""
    w = least_squares(augment(datasets.cars().X), datasets.cars().y)
    np.testing.assert_allclose(w, [3.9324, -17.5791], atol=5e-5)


def sixth_differences():
    """Integers on x = 0 ... 20, orthogonal to every polynomial of degree 5: sums of 1, -6, 15, -20, 15, -6, 1."""
    stencil, delta = [1, -6, 15, -20, 15, -6, 1], np.zeros(21)
    for start in (0, 3, 7, 9, 14):
        delta[start : start + 7] += stencil
    return delta


@pytest.mark.parametrize("size, least", [(0.0, 9), (2.0**6, 9), (2.0**13, 7), (2.0**20, 5)])
def test_large_residuals_as_wampler_built_them(size, least):
    """As NIST StRD Wampler 1, 3, 4, 5: to y = 1 + x + ... + x⁵ comes what is orthogonal to it; every weight stays 1."""
    x = np.arange(21.0)
    Z, delta = augment(monomials(x[:, None], 5)), size * sixth_differences()
    assert not (Z.T @ delta).any()  # exact: integers below 2^53
    assert digits(least_squares(Z, Z.sum(axis=1) + delta), np.ones(6)) >= least


CANNOT_BE_TOLD = "so short beside others that their digits are lost, and the rank cannot be told; rescale X"


def test_raw_powers_to_the_tenth_as_in_filip():
    """As NIST StRD Filip: 82 samples of -9 < x < -3, powers to the tenth as they are, cond 5e9 at unit length.

    `least_squares` keeps 6.5 digits of the exact answer, in fractions of the decimals. What the others would need is
    beyond 1/ε, the square of that condition number or the lengths of the columns, and they say so.
    """
    x = exact([f"{-8800 + 71 * k - 7 * (k % 3)}/1000" for k in range(82)])
    y = exact([f"{1e4 * (0.85 + 0.05 * np.sin(float(v))):.0f}/10000" for v in x])
    right = exact_ridge(np.column_stack([*(x**k for k in range(1, 11)), x**0]), y, np.zeros(11))
    Z, target = augment(monomials(x.astype(float)[:, None], 10)), y.astype(float)
    assert np.linalg.cond(Z / np.linalg.norm(Z, axis=0)) > 1e9
    assert digits(least_squares(Z, target), right) >= 6.5
    with pytest.raises(np.linalg.LinAlgError, match=CANNOT_BE_TOLD):
        minimum_norm(Z, target)
    with pytest.raises(np.linalg.LinAlgError, match=r"XᵀX is singular to rounding.*see least_squares"):
        normal_equations(Z, target)


@pytest.mark.equation("D-1-8")
@pytest.mark.erratum("ERR-D06")
def test_longley_normal_equations_lose_half_their_digits():
    """(XXᵀ)⁻¹Xy says what, and leaves open how: computed as printed, XᵀX squares the condition number, 2e7 here.

    The judge is exact: the decimals of the table in fractions. NIST StRD Longley publishes what that gives.
    """
    table = datasets.longley()
    X, y = augment(table.X), table.y
    right = exact_ridge(augment(table.X).astype(str), y.astype(str), np.zeros(7))
    published = [1.50618722713733e-2, -3.58191792925910e-2, -2.02022980381683e-2, -1.03322686717359e-2]
    assert digits([*published, -5.11041056535807e-2, 1.82915146461355, -3482.25863459582], right) > 13.5
    assert np.linalg.cond(X.T @ X) > 1e7 * np.linalg.cond(X) > 1e14
    assert digits(np.linalg.inv(X.T @ X) @ X.T @ y, right) < 9
    assert digits(normal_equations(X, y), right) < 9
    assert digits(least_squares(X, y), right) >= 12


# --- derivatives --------------------------------------------------------------------------------------------


@pytest.mark.equation("A-1.2-7")
def test_gradient_and_hessian_are_the_derivatives_of_the_loss():
    assert check_gradient(lambda w: loss(w, X, Y), lambda w: gradient(w, X, Y), W) < 1e-8
    np.testing.assert_allclose(hessian(W, X, Y), jacobian(lambda w: gradient(w, X, Y), W), rtol=1e-8)


X_D, Y_D, W_D = np.array([[1.0, 2.0, 0.0, -1.0], [3.0, -1.0, 2.0, 5.0]]), np.array([2.0, 1, -3, 4]), np.array([0.5, -2])
D = central_difference
LINES_OF_D_1_6 = {
    1: lambda X, y, w: D(lambda w: (y - X.T @ w) @ (y - X.T @ w), w),
    2: lambda X, y, w: D(lambda w: (y.T - w.T @ X) @ (y - X.T @ w), w),
    3: lambda X, y, w: D(lambda w: y @ y - y @ X.T @ w - w @ X @ y + w @ X @ X.T @ w, w),
    4: lambda X, y, w: D(lambda w: -y @ X.T @ w, w) - D(lambda w: w @ X @ y, w) + D(lambda w: w @ X @ X.T @ w, w),
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
    without, right = -D(lambda w: y @ X.T @ w, w) - D(lambda w: w @ X @ y, w), gradient(w, X.T, y)
    assert np.abs(without + w @ X @ X.T @ w - right).max() > 1
    np.testing.assert_allclose(without + D(lambda w: w @ X @ X.T @ w, w), right, rtol=1e-8)


@pytest.mark.equation("D-1-11")
@pytest.mark.erratum("ERR-D08")
def test_gradient_is_the_direction_of_steepest_ascent():
    """u·∇f <= ‖∇f‖ for every unit u, with equality for u = ∇f/‖∇f‖; the slope along u is u·∇f. The loss falls along
    -∇f, not along ∇f."""
    g = gradient(W, X, Y)
    assert loss(W + 1e-3 * g, X, Y) > loss(W, X, Y) > loss(W - 1e-3 * g, X, Y)
    for u in [*np.random.default_rng(1).normal(size=(10, 3)), g]:
        u = u / np.linalg.norm(u)
        assert D(lambda a, u=u: loss(W + a * u, X, Y), 0.0) == pytest.approx(u @ g, abs=1e-6)
        assert u @ g <= np.linalg.norm(g) * (1 + 1e-15)
    assert u @ g == pytest.approx(np.linalg.norm(g), rel=1e-15)  # the last u is along g


# --- identities ---------------------------------------------------------------------------------------------


@pytest.mark.equation("A-0-2", "A-1.1-2", "A-1.1-3", "A-1.2-10", "A-1.3-4", "D-0-1", "D-0-2", "D-1-1")
def test_model_in_matrix_form_is_the_sum_over_features():
    """Note D's f(x; w) = w_1 x_1 + ... + w_m x_m has no bias: it is 0 at x = 0."""
    w, b = W[:-1], W[-1]
    by_hand = [w[0] * x[0] + w[1] * x[1] for x in POINTS]
    np.testing.assert_allclose(predict(W, X), np.add(by_hand, b), rtol=1e-13)
    np.testing.assert_allclose(predict(w, POINTS), by_hand, rtol=1e-13)
    assert predict(w, np.zeros((1, 2))) == 0


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
@pytest.mark.equation("A-1.1-5", "A-1.2-5", "A-1.2-8", "A-1.2-9", "D-1-5", "D-1-7", "D-1-8")
def test_closed_form_at_full_rank(solve):
    """(XᵀX)⁻¹Xᵀy leaves a residual orthogonal to every column, so E(w + v) - E(w) = ‖Xv‖² >= 0 for every v."""
    w = solve(X, Y)
    np.testing.assert_allclose(w, np.linalg.inv(X.T @ X) @ X.T @ Y, rtol=1e-12)
    np.testing.assert_allclose(X.T @ (Y - X @ w), 0, atol=1e-13)
    np.testing.assert_allclose(gradient(w, X, Y), 0, atol=1e-13)
    for v in np.random.default_rng(2).normal(size=(10, 3)):
        assert loss(w + v, X, Y) - loss(w, X, Y) == pytest.approx(np.sum((X @ v) ** 2), rel=1e-9)


def test_hat_matrix_is_a_projection():
    H = hat_matrix(X)
    np.testing.assert_allclose(H, X @ np.linalg.inv(X.T @ X) @ X.T, atol=1e-14)
    np.testing.assert_allclose(H @ Y, predict(least_squares(X, Y), X), rtol=1e-12)


# --- rank deficiency ----------------------------------------------------------------------------------------


@pytest.mark.equation("D-1-10")
@pytest.mark.erratum("ERR-D07")
def test_the_features_of_most_data_are_independent():
    """Printed: most data violate the condition, so one uses descent. The condition is one on features: of the book's
    thirteen tables of numbers only the digits violate it, some of whose pixels never have ink."""
    names = "anes cars diabetes digits iris longley menarche orings outliers recreation titanic trees wine".split()
    tables = {name: augment(getattr(datasets, name)().X) for name in names}
    ranks = {name: np.linalg.matrix_rank(at_unit_length(Z)) for name, Z in tables.items()}
    assert [name for name, Z in tables.items() if ranks[name] < Z.shape[1]] == ["digits"]
    assert all(ranks[name] < len(Z) for name, Z in tables.items())  # the samples are dependent, which does no harm


def at_unit_length(Z):
    """Columns of length 1, so that units do not decide the rank; a column of zeros stays."""
    return Z / np.maximum(np.linalg.norm(Z, axis=0), 1e-300)


@pytest.mark.equation("A-1.2-11", "D-1-10")
@pytest.mark.erratum("ERR-A10", "ERR-D07")
def test_many_minimizers_and_the_shortest():
    """Printed: "several" solutions, so use gradient descent. There are infinitely many, X⁺y + z with Xz = 0, and
    gradient descent does not choose among them: it keeps the part of its start that X does not see."""
    shortest, Z = minimum_norm(FLAT, FLAT_Y), null_space(FLAT)
    np.testing.assert_allclose(shortest, np.linalg.pinv(FLAT) @ FLAT_Y, rtol=1e-12)
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
def test_dependent_columns_say_where_to_go(solve):
    """Of the last, the third column is a combination of two others, rounded; Cholesky still takes its XᵀX."""
    rng = np.random.default_rng(1567)
    N = rng.integers(4, 40)
    A = rng.normal(size=(N, 2))
    rounded = np.column_stack([A, A @ rng.normal(size=2), np.ones(N)])
    for Z, rank in [(FLAT, "2 of 3"), (FLAT[:2], "2 of 3"), (np.zeros((4, 3)), "0 of 3"), (rounded, "3 of 4")]:
        with pytest.raises(np.linalg.LinAlgError, match=rf"rank {rank}: many solutions; see minimum_norm .*null_space"):
            solve(Z, np.arange(float(len(Z))))


# --- gradient descent ---------------------------------------------------------------------------------------


@pytest.mark.equation("D-1-12")
def test_first_step_of_gradient_descent_by_hand():
    """w = 0, η = 1/16, ∇E = (-14, -8): w = (7/8, 1/2)."""
    states = list(islice(gradient_iterates(LINE_X, LINE_Y, eta=1 / 16), 2))
    assert states[0].w.tolist() == [0, 0]
    assert states[0].gradient.tolist() == [-14, -8]
    assert states[1].w.tolist() == [7 / 8, 1 / 2]


def test_far_from_0_the_gradient_keeps_the_digits_that_its_expanded_form_loses():
    """2Xᵀ(Xw - y) takes the residuals first. Of 2(XᵀXw - Xᵀy) the two terms agree in all but a few digits."""
    rng = np.random.default_rng(0)
    x = rng.uniform(1950, 2020, 200)
    y = 300 * x + rng.normal(size=200)
    w = optimize.trajectory(gradient_iterates(x[:, None], y, eta=best_step(x[:, None])), 3)[-1]
    right = float(2 * exact(x) @ (exact(x) * exact(w) - exact(y)))
    rounding = np.finfo(float).eps * np.linalg.norm(2 * x * y)  # of the fitted values, at random
    assert abs(gradient(w, x[:, None], y)[0] - right) <= rounding
    assert abs(2 * ((x @ x) * w[0] - x @ y) - right) > rounding


@pytest.mark.equation("A-1.2-1", "D-1-12")
@pytest.mark.parametrize("factor, factor_per_step", [(0.99, 0.98), (1.01, 1.02)])
def test_just_below_and_just_above_the_largest_step(factor, factor_per_step):
    """Along the steepest axis the error is multiplied by 1 - 2ηλ_max = -0.98 or -1.02 in each step."""
    exact, top = least_squares(X, Y), np.linalg.eigh(X.T @ X)[1][:, -1]
    path = islice(gradient_iterates(X, Y, eta=factor * largest_step(X), w=exact + top), 6)
    errors = [np.linalg.norm(s.w - exact) for s in path]
    np.testing.assert_allclose(errors, factor_per_step ** np.arange(6), rtol=1e-10)


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
    on_the_mean = D(lambda w: loss(w, X, Y) / N, w)
    assert np.abs(w - eta * on_the_mean - second.w).max() > 1e-3
    np.testing.assert_allclose(w - N * eta * on_the_mean, second.w, atol=1e-9)


# --- stochastic gradient descent ----------------------------------------------------------------------------

TWO_X, TWO_Y = np.ones((2, 1)), np.array([0.0, 2.0])  # the minimum lies between the two, at 1


def stochastic(X, y, steps, **settings):
    return optimize.trajectory(stochastic_iterates(X, y, rng=np.random.default_rng(0), **settings), steps)


def test_one_stochastic_step_by_hand():
    """η = 1/8, y = 0 leaves w = 0; y = 2 leads to 2·2/8 = 1/2."""
    assert stochastic(TWO_X, TWO_Y, 1, eta=1 / 8)[1] in (0, 1 / 2)
    assert stochastic(TWO_X[1:], TWO_Y[1:], 1, eta=1 / 8)[1] == 1 / 2


def test_the_batch_of_all_is_gradient_descent():
    plain = optimize.trajectory(gradient_iterates(X, Y, eta=0.01), 9)
    np.testing.assert_allclose(stochastic(X, Y, 9, eta=0.01, batch=9), plain, rtol=1e-12)


@pytest.mark.parametrize("eta", [1 / 16, *slow([1 / 4, 1 / 64])])
def test_a_constant_step_has_a_noise_floor(eta):
    """An error e becomes (1 - 2η)e ± 2η: after |e| < η comes more than η. Of two in a row one is always outside."""
    errors = np.abs(stochastic(TWO_X, TWO_Y, 500, eta=eta, w=np.array([1.0])) - 1)[:, 0]
    assert (np.maximum(errors[1:], errors[:-1]) >= eta).all()
    assert errors.max() <= 1  # a mean of the targets, never further than they are


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
    standardized = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    np.testing.assert_allclose(least_squares(augment(standardized), y), [1, 1, 0], atol=1e-15)


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


# --- edges: lengths and offsets -----------------------------------------------------------------------------

ROWS, DEPENDENT = np.array([[1.0, 2, 3], [1, -1, 1]]), np.array([[1.0, 2, 1], [2, 4, 2], [-1, -2, 3], [1, 2, 5]])
UNCLEAR = {
    "a long column": np.diag([1e12, 1.0]),
    "a short column": np.diag([1e-70, 1.0]),
    "a long column and one of zeros": np.diag([1e70, 1.0, 0.0])[:2],
    "a short column beside dependent ones": DEPENDENT * [1, 1, 2.0**-30],
    "a shorter one": DEPENDENT * [1, 1, 2.0**-60],
    "a long row": ROWS * [[1e70], [1.0]],
}


@pytest.mark.parametrize("Z", UNCLEAR.values(), ids=UNCLEAR)
def test_where_lengths_hide_the_rank_it_is_not_guessed(Z):
    for call in (minimum_norm, lambda Z, y: null_space(Z)):
        with pytest.raises(np.linalg.LinAlgError, match=CANNOT_BE_TOLD):
            call(Z, np.ones(len(Z)))


def test_lengths_that_hide_no_rank_cost_no_digits():
    """Columns (a, 2a, b/2¹⁰): the shortest w is (.175, .35, 2¹⁰/8). x·w = y in one equation: w = yx/x·x."""
    np.testing.assert_allclose(
        minimum_norm(DEPENDENT * [1, 1, 2.0**-10], [4.0, 0, -1, 2]), [0.175, 0.35, 128], rtol=1e-9
    )
    near = np.diag([2.0**20, 1.0, 0.0])[:2]
    np.testing.assert_allclose(minimum_norm(near, [2.0**30, 2.0**30]), [2.0**10, 2.0**30, 0], rtol=1e-12)
    np.testing.assert_allclose(np.abs(null_space(near)), [[0], [0], [1]], atol=1e-15)
    x, y = np.array([[1.0, 1e10, 1e-10]]), np.array([1.0, 2.0])
    np.testing.assert_allclose(x[0] * minimum_norm(x, [1.0]), [1e-20, 1, 1e-40], atol=1e-15)
    for unit in (np.array([2.0**20, 1.0]), np.array([1.0, 2.0**20])):
        np.testing.assert_allclose(minimum_norm(ROWS * unit[:, None], y * unit), minimum_norm(ROWS, y), rtol=1e-9)


@pytest.mark.parametrize("unit", [1e70, 1e-70, 1e12])
def test_least_squares_and_the_hat_matrix_take_columns_in_any_units_but_not_rows(unit):
    np.testing.assert_allclose(least_squares(np.diag([unit, 1.0]), [1e10, 1e10]), [1e10 / unit, 1e10], rtol=1e-12)
    np.testing.assert_allclose(hat_matrix(np.diag([unit, 1.0])), np.eye(2), atol=1e-15)
    with pytest.raises(np.linalg.LinAlgError, match=CANNOT_BE_TOLD):
        hat_matrix(UNCLEAR["a long row"])


def test_the_shortest_solution_of_many_weights_takes_no_matrix_of_them():
    """N rows of d = 100 000 columns: d x d numbers would be 80 GB."""
    rows = np.random.default_rng(0).normal(size=(3, 100_000)) * [[1e-3], [1.0], [1.0]]
    np.testing.assert_allclose(rows @ minimum_norm(rows, [1.0, 2.0, 3.0]), [1.0, 2.0, 3.0], rtol=1e-9)


@pytest.mark.parametrize("offset", [1e4, 1e8, 1e12])
def test_features_far_from_zero(offset):
    """x = offset + 0, 1, 2, ... and y = x - offset: slope 1, bias -offset, both exact; of a column of sevens a 7th."""
    x = np.arange(6.0)
    np.testing.assert_allclose(least_squares(augment((x + offset)[:, None]), x), [1, -offset], rtol=1e-12)
    sevens = np.column_stack([np.full(6, 7.0), x + offset])
    np.testing.assert_allclose(least_squares(sevens, x), [-offset / 7, 1], rtol=1e-12)
    np.testing.assert_allclose(least_squares(LINE_X, LINE_Y + offset), [3 / 2, offset - 1 / 6], rtol=1e-15 * offset)


# --- what the chapter says --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn():
    """The fenced block of the chapter, as it stands there, on its cars."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    path = pathlib.Path(__file__).parents[1] / "notebooks" / "01_linear_regression.ipynb"
    (told,) = (notebooks.text(c["source"]) for c in notebooks.read(path)["cells"] if c["id"] == "ch01-sklearn")
    cars = datasets.cars()
    names = {"np": np, "X": augment(cars.X), "y": cars.y}
    exec(re.search(r"```python\n(.*?)```", told, re.DOTALL)[1], names)
    np.testing.assert_allclose(names["w"], least_squares(names["X"], cars.y), rtol=1e-9)


def test_a_new_car_keeps_to_the_bounds_of_the_chapter_as_often_as_it_says():
    """Lines drawn with Gaussian noise of one spread: about 95 of 100 new targets lie within two standard errors."""
    rng = np.random.default_rng(0)
    cars = augment(datasets.cars().X)
    inside = []
    for _ in range(2000):
        y = cars @ [4.0, -18.0] + 15 * rng.normal(size=50)
        w, new = least_squares(cars, y), np.array([21.0, 1.0])
        width = 2 * np.sqrt(loss(w, cars, y) / 48 * (1 + new @ np.linalg.solve(cars.T @ cars, new)))
        inside.append(abs(new @ [4.0, -18.0] + 15 * rng.normal() - new @ w) < width)
    assert 0.93 < np.mean(inside) < 0.97

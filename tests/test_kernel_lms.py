"""Chapter 11, least mean squares on features and kernels: every equation of note E on it, and where it is wrong."""

import ast
import pathlib
import re
from fractions import Fraction
from itertools import islice, pairwise

import numpy as np
import pytest
from cases import slow
from counted import Counted
from exact import exact
from hypothesis import given
from hypothesis import strategies as st

from linmodels import linear_regression, optimize
from linmodels.book import notebooks
from linmodels.derivatives import check_gradient
from linmodels.design import augment
from linmodels.guards.shapes import unchecked
from linmodels.kernel_lms import (
    beta_after,
    beta_step,
    beta_updates,
    feature_iterates,
    feature_step,
    gradient,
    largest_step,
    loss,
    predict,
    primal,
    stochastic_beta_step,
    stochastic_beta_updates,
    stochastic_feature_iterates,
)
from linmodels.kernels import (
    cubic_features,
    cubic_sum,
    expansion,
    gaussian,
    gram,
)
from linmodels.regularization import ridge_dual

FOUR_X, FOUR_Y = np.array([[1.0], [2.0], [3.0], [-1.0]]), np.array([1.0, -2.0, 0.5, 4.0])
FOUR_K = np.array([[4.0, 15, 40, 0], [15, 85, 259, -5], [40, 259, 820, -20], [0, -5, -20, 4]])  # 1 + s + s² + s³
LINE_PHI, LINE_Y = np.array([[1.0, 1.0], [1.0, 2.0], [1.0, -1.0]]), np.array([2.0, 1.0, 0.0])  # φ = (1, x)

RNG = np.random.default_rng(0)
X, Y, X_NEW = RNG.normal(size=(8, 2)), RNG.normal(size=8), RNG.normal(size=(5, 2))
PHI, K = cubic_features(X), gram(cubic_sum, X)
ETA = largest_step(K) / 2  # half of the bound: the first eigen-direction is fitted at once
ORDER = [5, 2, 2, 7, 0, 1, 3, 6, 4]


def after(sequence, steps):
    """The state after so many updates of a *_updates, or at this index of a *_iterates."""
    return next(islice(sequence, steps, None))


def betas(K, y, eta, steps):
    return [update.beta for update in islice(beta_updates(K, y, eta), steps)]


def thetas(Phi, y, eta, steps):
    """The start and the first steps."""
    return [iterate.w for iterate in islice(feature_iterates(Phi, y, eta), steps + 1)]


def close(actual, expected, digits=1e-12):
    """Equal to rounding, in units of the largest entry."""
    np.testing.assert_allclose(actual, expected, rtol=0, atol=digits * max(np.abs(expected).max(), 1e-300))


# --- worked values ------------------------------------------------------------------------------------------


@pytest.mark.equation("E-kernel-12", "E-kernel-13", "E-kernel-7")
def test_two_kernel_steps_by_hand():
    """β_1 = ηy, β_2 = 2ηy - η²Ky with Ky = (-6, -45.5, -148, 16), η = 1/100."""
    assert gram(cubic_sum, FOUR_X).tolist() == FOUR_K.tolist()
    assert (FOUR_K @ FOUR_Y).tolist() == [-6, -45.5, -148, 16]
    first, second = islice(beta_updates(FOUR_K, FOUR_Y, 0.01), 2)
    np.testing.assert_allclose(first.beta, [0.01, -0.02, 0.005, 0.04], rtol=1e-15)
    np.testing.assert_allclose(second.beta, [0.0206, -0.03545, 0.0248, 0.0784], rtol=1e-14)
    np.testing.assert_allclose(first.residual, [1.06, -1.545, 1.98, 3.84], rtol=1e-14)


@pytest.mark.equation("E-lms-3", "E-kernel-7")
def test_stochastic_passes_by_hand():
    """x = 1, 2, -1, φ = (1, x), y = 2, 1, 0, η = 1/20, order 2, 0, 1. Residuals 0, 2, 7/10; 7/200, 339/200, 109/400:
    θ = 0, (1, 1)/10, (27, 34)/200; (547, 673)/4000, (443, 506)/2000, (1881, 2242)/8000.
    On K = [[2, 3, 0], [3, 5, -1], [0, -1, 2]] β_2 = 0, β_0 = 2/20, β_1 = (1 - 3/10)/20.
    """
    path = list(islice(stochastic_feature_iterates(LINE_PHI, LINE_Y, 0.05, order=[2, 0, 1]), 7))
    assert [state.i for state in path] == [-1, 2, 0, 1, 2, 0, 1]
    by_hand = [[0, 0], [0, 0], [0.1, 0.1], [0.135, 0.17], [0.13675, 0.16825], [0.2215, 0.253], [0.235125, 0.28025]]
    np.testing.assert_allclose([state.theta for state in path], by_hand, rtol=1e-13)
    path = list(islice(stochastic_beta_updates(LINE_PHI @ LINE_PHI.T, LINE_Y, 0.05, order=[2, 0, 1]), 3))
    assert [state.i for state in path] == [2, 0, 1]
    np.testing.assert_allclose([s.beta for s in path], [[0, 0, 0], [0.1, 0, 0], [0.1, 0.035, 0]], rtol=1e-14)


@pytest.mark.equation("E-lms-1", "E-lms-2", "E-kernel-3")
def test_loss_gradient_and_a_batch_step_by_hand():
    """At θ = (1, 1) the residuals are (0, -2, 0): E = 2, ∇E = 2(1, 2). From 0: ηΦᵀy = (3, 4)/4 for η = 1/4."""
    theta = np.ones(2)
    assert loss(theta, LINE_PHI, LINE_Y) == 2
    assert gradient(theta, LINE_PHI, LINE_Y).tolist() == [2, 4]
    start, first = islice(feature_iterates(LINE_PHI, LINE_Y, 0.25), 2)
    assert (start.w.tolist(), start.gradient.tolist()) == ([0, 0], [-3, -4])
    assert first.w.tolist() == [0.75, 1]


@pytest.mark.equation("E-lms-3", "E-kernel-5", "E-kernel-7", "E-kernel-12", "E-kernel-13")
def test_single_steps_by_hand():
    """θ = (1, 1), φ = (1, 2), y = 1, η = 1/4: residual -2, θ - (1, 2)/2. β = (1, 0, 2), K = ΦΦᵀ, y = (2, 1, 0),
    η = 1/4: Kβ = (2, 1, 4), residuals (0, 0, -4); in the entry 2 alone, or in all.
    """
    assert feature_step(np.ones(2), LINE_PHI[1], LINE_Y[1], 0.25).tolist() == [0.5, 0]
    G, beta = LINE_PHI @ LINE_PHI.T, np.array([1.0, 0.0, 2.0])
    assert (G @ beta).tolist() == [2, 1, 4]
    assert beta_step(beta, G, LINE_Y, 0.25).tolist() == [1, 0, 1]
    assert stochastic_beta_step(2, beta, G, LINE_Y, 0.25).tolist() == [1, 0, 1]
    assert stochastic_beta_step(0, np.zeros(3), G, LINE_Y, 0.25).tolist() == [0.5, 0, 0]
    assert beta.tolist() == [1, 0, 2]


@pytest.mark.equation("E-kernel-4", "E-kernel-15")
def test_weights_and_predictions_by_hand():
    """1·(1, 1) + 2·(1, 2) - 1·(1, -1) = (2, 6); at x = 3: 2 + 18 = Σ β_i (1 + 3 x_i) = 4 + 14 + 2."""
    beta = np.array([1.0, 2.0, -1.0])
    assert primal(beta, LINE_PHI).tolist() == [2, 6]
    assert predict(beta, np.array([[4.0, 7.0, -2.0]])).tolist() == [20]


def test_largest_step_by_hand():
    """[[2, 1], [1, 2]] has the eigenvalues 1 and 3; ΦᵀΦ = [[3, 2], [2, 6]] has 7 and 2, as has ΦΦᵀ beside 0."""
    assert largest_step([[2.0, 1.0], [1.0, 2.0]]) == pytest.approx(2 / 3, rel=1e-14)
    assert largest_step(LINE_PHI @ LINE_PHI.T) == pytest.approx(2 / 7, rel=1e-14)
    assert largest_step(np.diag([4.0, -1e-12])) == 0.5  # negative by rounding
    assert largest_step(1e138 * LINE_PHI @ LINE_PHI.T) == pytest.approx(2e-138 / 7, rel=1e-14)


def test_three_coefficients_after_four_steps_by_hand():
    """K = diag(1, 2, 0), η = 1/2: (1 - 1/2⁴)y_1, y_2/2 (there at once), and 4·y_3/2, which nothing stops."""
    assert beta_after(np.diag([1.0, 2.0, 0.0]), [16.0, 6.0, 1.0], 0.5, 4).tolist() == [15, 3, 2]


# --- derivatives --------------------------------------------------------------------------------------------


@pytest.mark.equation("E-lms-1", "E-lms-2")
@pytest.mark.erratum("ERR-E34")
def test_the_step_is_down_half_the_sum_of_squares():
    """Chapter 01's loss has no half: its gradient is twice this one, and the notes' α is twice its step."""
    theta = np.random.default_rng(1).normal(size=15)
    assert linear_regression.loss(theta, PHI, Y) == pytest.approx(2 * loss(theta, PHI, Y), rel=1e-14)
    close(linear_regression.gradient(theta, PHI, Y), 2 * gradient(theta, PHI, Y), 1e-14)
    direction = (Y - PHI @ theta) @ PHI  # the step of the notes without α
    assert check_gradient(lambda w: linear_regression.loss(w, PHI, Y), lambda _: -direction, theta) > 0.1
    assert check_gradient(lambda w: loss(w, PHI, Y), lambda _: -direction, theta) < 1e-8


@pytest.mark.equation("E-lms-1")
@pytest.mark.erratum("ERR-E07")
def test_the_printed_sum_over_r_repeats_one_sample():
    """Printed Σ_{r=1}^n with the summand (i): n times the term of one i, for no i the step of all samples."""
    theta, n = np.array([1.0, -1.0]), 3
    terms = [(t - theta @ phi) * phi for phi, t in zip(LINE_PHI, LINE_Y, strict=True)]
    for i in range(n):
        printed = sum(terms[i] for r in range(n))
        assert np.abs(printed + gradient(theta, LINE_PHI, LINE_Y)).max() >= 1
    assert sum(terms).tolist() == (-gradient(theta, LINE_PHI, LINE_Y)).tolist()


@pytest.mark.equation("E-lms-2", "E-lms-3")
def test_a_step_on_one_sample_goes_down_its_part_of_the_loss():
    theta = np.random.default_rng(2).normal(size=2)
    for phi, target in zip(LINE_PHI, LINE_Y, strict=True):
        one = phi[None], np.array([target])
        downhill = lambda w: w - feature_step(w, phi, target, 1.0)  # noqa: B023, E731
        assert check_gradient(lambda w: loss(w, *one), downhill, theta) < 1e-8  # noqa: B023
        fitted = feature_step(theta, phi, target, 1 / (phi @ phi))  # η = 1/‖φ‖² leaves no residual
        assert loss(fitted, *one) == pytest.approx(0, abs=1e-28)
        np.testing.assert_allclose(feature_step(fitted, phi, target, 1.0), fitted, rtol=1e-13)


@pytest.mark.equation("A-0-5", "E-featmap-1", "E-featmap-3")
def test_a_cubic_is_fitted_by_a_linear_model_of_its_features():
    """y = 2x³ - 3x + 1: no line passes through it, w = (-3, 0, 2), b = 1 on φ(x) = (x, x², x³) does."""
    x = np.arange(-2.0, 3.0)
    y = 2 * x**3 - 3 * x + 1
    line = linear_regression.least_squares(augment(x[:, None]), y)
    assert linear_regression.loss(line, augment(x[:, None]), y) > 1
    Phi = augment(cubic_features(x[:, None])[:, 1:])
    close(linear_regression.least_squares(Phi, y), [-3, 0, 2, 1])


# --- the equivalence of weights and coefficients ------------------------------------------------------------


@st.composite
def targets(draw):
    """X and y of whole numbers, a sample twice or not, and a unit for y."""
    N, d = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    X, y = (np.array([draw(st.integers(-most, most)) for _ in range(n)], float) for n, most in ((N * d, 3), (N, 9)))
    X = X.reshape(N, d)
    if draw(st.booleans()):
        X[-1] = X[0]
    return X, y, 2.0 ** draw(st.integers(-240, 240))


@pytest.mark.equation("E-kernel-4", "E-kernel-5", "E-kernel-6", "E-kernel-7", "E-kernel-12", "E-kernel-13", "E-lms-2")
@given(targets(), st.integers(4, 9), st.integers(1, 7), st.integers(-100, 100).map(lambda k: 4.0**k))
def test_coefficients_follow_the_weights_and_the_residual_a_power(problem, power, steps, u):
    """β_t in fractions: y - Kβ_t = (I - ηK)^t y, θ_t = Φᵀβ_t. Targets in the unit s, K in the unit u, η in 1/u: then
    the same to the last digit, s/u times as large."""
    X, y, s = problem
    K, eta = X @ X.T, 2.0**-power
    beta, residual = 0 * exact(y), exact(y)
    plain, in_units = beta_updates(K, y, eta), beta_updates(u * K, s * y, eta / u)
    weights = islice(feature_iterates(np.sqrt(u) * X, s * y, eta / u), 1, None)
    for t, one, state, theta in zip(range(1, steps + 1), plain, in_units, weights, strict=False):
        beta, residual = beta + exact(eta) * residual, residual - exact(eta) * (exact(K) @ residual)
        assert (residual == exact(y) - exact(K) @ beta).all()
        np.testing.assert_array_equal(state.beta * (u / s), one.beta)
        size = 1e-13 * (np.abs(beta.astype(float)).max() + 1) * (1 + eta * K.diagonal().sum()) ** t
        for found, expected, scale in [
            (beta_after(u * K, s * y, eta / u, t) * u / s, beta, 1),
            (state.beta * u / s, beta, 1),
            (state.residual / s, residual, 1 + K.diagonal().sum()),
            (theta.w * np.sqrt(u) / s, exact(X).T @ beta, 1 + np.abs(X).sum()),
        ]:
            np.testing.assert_allclose(found, expected.astype(float), rtol=0, atol=size * scale)


@pytest.mark.equation("E-lms-3", "E-kernel-7")
@given(targets(), st.integers(3, 8), st.data())
def test_stochastic_coefficients_follow_the_stochastic_weights(problem, power, data):
    """In any order of visits, some samples more often than others, and in any unit of the targets."""
    X, y, s = problem
    more = data.draw(st.lists(st.integers(0, len(y) - 1), max_size=4))
    order, eta = [*data.draw(st.permutations(range(len(y)))), *more], 2.0**-power
    weights = islice(stochastic_feature_iterates(X, s * y, eta, order), 1, 2 * len(order) + 1)
    coefficients = islice(stochastic_beta_updates(X @ X.T, s * y, eta, order), 2 * len(order))
    for t, (theta, beta) in enumerate(zip(weights, coefficients, strict=True)):
        assert theta.i == beta.i == order[t % len(order)]
        size = 1e-12 * s * (1 + np.abs(y).max())
        np.testing.assert_allclose(primal(beta.beta, X), theta.theta, rtol=0, atol=size)


@pytest.mark.equation("E-lms-3", "E-kernel-5", "E-kernel-6", "E-kernel-7", "E-kernel-12")
@pytest.mark.parametrize("seed", [0, *slow([1, 2])])
def test_the_induction_step_line_by_line(seed):
    """From any β, in fractions: lines (1), (2), (3) of the derivation, and the updates of β it leads to, of all
    entries or of one."""
    rng = np.random.default_rng(seed)
    Phi, y, beta = (exact(rng.integers(-5, 6, size)) for size in [(4, 3), 4, 4])
    alpha, n, phi, G = Fraction(1, 7), range(4), list(Phi), Phi @ Phi.T
    theta = sum(beta[i] * phi[i] for i in n)
    line_1 = theta + alpha * sum((y[i] - theta @ phi[i]) * phi[i] for i in n)
    line_2 = sum(beta[i] * phi[i] for i in n) + alpha * sum((y[i] - theta @ phi[i]) * phi[i] for i in n)
    new = np.array([beta[i] + alpha * (y[i] - theta @ phi[i]) for i in n])
    line_3 = sum(new[i] * phi[i] for i in n)
    assert line_1.tolist() == line_2.tolist() == line_3.tolist() == unchecked(primal)(new, Phi).tolist()
    assert (theta - alpha * unchecked(gradient)(theta, Phi, y)).tolist() == line_1.tolist()
    inner = [beta[i] + alpha * (y[i] - sum(beta[j] * (phi[j] @ phi[i]) for j in n)) for i in n]
    assert inner == new.tolist() == unchecked(beta_step)(beta, G, y, alpha).tolist()
    for i in n:
        step = unchecked(stochastic_beta_step)(i, beta, G, y, alpha)
        assert step.tolist() == [new[j] if j == i else beta[j] for j in n]
        assert (Phi.T @ step).tolist() == unchecked(feature_step)(theta, phi[i], y[i], alpha).tolist()


@pytest.mark.equation("E-kernel-5", "E-kernel-6", "E-kernel-7")
@pytest.mark.erratum("ERR-E10")
def test_the_printed_indices_name_attributes_not_samples():
    """Printed φ(x_i), y_(i), x_(j). x_i is the i-th attribute, a number: with d = 2 attributes and n = 3 samples there
    is no x_3, and φ(x_1) has 4 entries where θ has 15. With x^(i), y^(i) the lines hold.
    """
    samples, y, beta = np.array([[1.0, 2.0], [0.0, 1.0], [-1.0, 1.0]]), np.array([1.0, 0, 2]), np.array([1.0, -1, 2])
    Phi, x = cubic_features(samples), samples[0]
    theta = primal(beta, Phi)
    with pytest.raises(IndexError):
        x[2]
    with pytest.raises(ValueError, match="mismatch"):
        theta @ cubic_features([[x[0]]])[0]
    right = [beta[i] + 0.5 * (y[i] - theta @ cubic_features(samples[[i]])[0]) for i in range(3)]
    assert right == (beta + 0.5 * (y - gram(cubic_sum, samples) @ beta)).tolist()


@pytest.mark.equation("E-lms-3", "E-kernel-7", "E-kernel-12")
@pytest.mark.erratum("ERR-E11")
def test_all_at_once_is_another_sequence_than_one_after_the_other():
    """K = [[1, 1/2], [1/2, 1]], y = (1, 1), η = 1/2: at once β = (1/2, 1/2), in place β_2 = (1 - 1/4)/2 = 3/8."""
    K2, y = np.array([[1.0, 0.5], [0.5, 1.0]]), np.ones(2)
    assert betas(K2, y, 0.5, 1)[-1].tolist() == [0.5, 0.5]
    assert after(stochastic_beta_updates(K2, y, 0.5), 1).beta.tolist() == [0.5, 0.375]
    batch, one_by_one = betas(K, Y, ETA, 5)[-1], after(stochastic_beta_updates(K, Y, ETA, ORDER), 5 * 9 - 1).beta
    assert np.abs(batch - one_by_one).max() > 1e-3 * np.abs(batch).max()


@pytest.mark.equation("E-kernel-15", "E-kernel-16")
@pytest.mark.erratum("ERR-E18")
def test_predictions_need_only_the_kernel():
    """Printed θφ(x) and φ(x^(i))φ(x), two columns: they have no product. With the transposes it is a number."""
    beta, new = betas(K, Y, ETA, 9)[-1], cubic_features(X_NEW)
    theta, column = primal(beta, PHI)[:, None], new[0][:, None]
    with pytest.raises(ValueError, match="mismatch"):
        theta @ column
    with pytest.raises(ValueError, match="mismatch"):
        PHI[0][:, None] @ column
    close((theta.T @ column).item(), predict(beta, cubic_sum(X_NEW, X))[0])
    close(predict(beta, cubic_sum(X_NEW, X)), new @ theta[:, 0])
    close(predict(beta, cubic_sum(X_NEW, X)), expansion(cubic_sum, X_NEW, X, beta))


# --- costs, by counting multiplications ---------------------------------------------------------------------


def counted(a):
    return np.vectorize(Counted, otypes=[object])(np.asarray(a, float))


def multiplications(equation, *arguments):
    """How many there are in the body of an equation."""
    Counted.multiplications = 0
    unchecked(equation)(*arguments)
    return Counted.multiplications


@pytest.mark.equation("E-kernel-14", "E-kernel-13", "E-kernel-7")
@pytest.mark.erratum("ERR-E16")
@pytest.mark.parametrize("n", [4, 8, 16, 32])
def test_an_iteration_multiplies_n_squared_times(n):
    """Printed O(n). Kβ takes n² products and η(y - Kβ) another n: twice the samples, nearly four times the products.
    Only the update of a single β_i takes n + 1.
    """
    samples = np.random.default_rng(n).normal(size=(n, 2))
    of_samples = counted(samples[:, 1]), counted(gram(gaussian, samples)), counted(samples[:, 0]), 0.125
    assert multiplications(beta_step, *of_samples) == n**2 + n
    assert multiplications(stochastic_beta_step, 0, *of_samples) == n + 1


@pytest.mark.equation("E-kernel-2", "E-kernel-15")
@pytest.mark.erratum("ERR-E09")
def test_order_d_cubed_is_avoidable():
    """ "Unavoidable", they print. Where one cubic step on θ takes 2np products, one on β takes n² + n, for any d.

    With d = 1000 (p = 10⁹, 8 GB for one θ): e_1 and 2e_1000 have K = [[4, 1], [1, 85]], so for y = (1, 2), η = 1/64
    β_1 = y/64, β_2 = 2y/64 - Ky/64² with Ky = (6, 171). The features of the other 998 attributes are 0.
    """
    assert multiplications(gradient, counted(np.ones(15)), counted(PHI), counted(Y)) == 2 * 8 * 15
    assert multiplications(primal, counted(Y), counted(PHI)) == 8 * 15
    assert multiplications(predict, counted(Y), counted(K)) == 8 * 8
    wide = np.zeros((2, 1000))
    wide[0, 0], wide[1, 999] = 1, 2
    G = gram(cubic_sum, wide)
    assert G.tolist() == [[4, 1], [1, 85]]
    beta = betas(G, [1.0, 2.0], 1 / 64, 2)[-1]
    assert beta.tolist() == [2 / 64 - 6 / 64**2, 4 / 64 - 171 / 64**2]
    narrow = cubic_features(wide[:, [0, 999]])
    assert (narrow @ thetas(narrow, [1.0, 2.0], 1 / 64, 2)[-1]).tolist() == predict(beta, G).tolist()


# --- the residual, its step and its limit -------------------------------------------------------------------


@pytest.mark.equation("E-lms-1", "E-kernel-12", "E-kernel-13")
@pytest.mark.erratum("ERR-E17")
def test_the_step_is_bounded_by_the_largest_eigenvalue():
    """No bound on α is printed: with 1.9/λ_max the residual falls at every step, with 2.1/λ_max it grows by 1.1 along
    the first eigenvector, as with a step that looks small, 0.1, where the cubic kernel's λ_max is in the hundreds.
    With 2/λ_max itself, K = diag(2, 1), it only turns round.
    """
    lam, V = np.linalg.eigh(FOUR_K)
    lam_max, v = lam[-1], V[:, -1]
    assert largest_step(FOUR_K) == pytest.approx(2 / lam_max, rel=1e-14)
    assert lam[0] > 0 and lam_max > 100
    short = [u.residual for u in islice(beta_updates(FOUR_K, FOUR_Y, 1.9 / lam_max), 100)]
    assert all(np.linalg.norm(b) < np.linalg.norm(a) for a, b in pairwise([FOUR_Y, *short]))
    long = [u.residual for u in islice(beta_updates(FOUR_K, FOUR_Y, 2.1 / lam_max), 100)]
    np.testing.assert_allclose([v @ r for r in long], [(-1.1) ** t * (v @ FOUR_Y) for t in range(1, 101)], rtol=1e-9)
    assert np.linalg.norm(after(beta_updates(FOUR_K, FOUR_Y, 0.1), 9).residual) > 1e14
    turning = [u.residual.tolist() for u in islice(beta_updates(np.diag([2.0, 1.0]), np.ones(2), 1.0), 3)]
    assert turning == [[-1, 0], [1, 0], [-1, 0]]


@pytest.mark.erratum("E17")
def test_the_bound_of_the_step_is_for_every_target():
    """Below it K beta converges, and beta itself only in the range of K; above it some targets still do."""
    K = np.diag([4.0, 1.0, 0.0])
    outside = [beta_after(K, [1, 1, 1], 0.1, steps) for steps in (50, 200)]
    np.testing.assert_allclose([beta[2] for beta in outside], [5, 20])  # grows forever, by eta a step
    np.testing.assert_allclose(K @ outside[1], [1, 1, 0], atol=1e-8)
    lucky = beta_after(K, [0, 1, 0], 1.0, 50)  # eta = 1 > 2/4
    np.testing.assert_allclose(lucky, [0, 1, 0])
    assert abs(beta_after(K, [1, 0, 0], 1.0, 50)[0]) > 1e20


@pytest.mark.equation("E-lms-2", "E-kernel-13")
def test_on_features_the_bound_is_the_same():
    """λ_max(ΦΦᵀ) = λ_max(ΦᵀΦ), and chapter 01's bound is half of it: its loss has no half."""
    assert largest_step(PHI @ PHI.T) == pytest.approx(largest_step(PHI.T @ PHI), rel=1e-13)
    assert largest_step(PHI @ PHI.T) == pytest.approx(2 * linear_regression.largest_step(PHI), rel=1e-13)


@pytest.mark.equation("E-lms-2", "E-kernel-3")
@pytest.mark.parametrize(
    "Phi, y",
    [
        (LINE_PHI, LINE_Y),
        (np.array([[1.0, 2.0, 2.0], [0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 1.0, 1.0]]), np.array([1.0, 2, 3, 5])),
        (np.array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]]), np.array([1.0, 2.0])),
    ],
    ids=["full rank", "columns 2 and 3 equal", "more features than samples"],
)
def test_the_limit_is_the_shortest_least_squares_solution(Phi, y):
    """From θ = 0 the steps stay in the rows' span: of all minima they end in the shortest."""
    lam = np.linalg.eigvalsh(Phi.T @ Phi)
    eta = 2 / (lam[-1] + lam[lam > 1e-10][0])
    shortest = linear_regression.minimum_norm(Phi, y)
    close(thetas(Phi, y, eta, 400)[-1], shortest)
    close(primal(beta_after(Phi @ Phi.T, y, eta, 400), Phi), shortest)
    found = optimize.run(feature_iterates(Phi, y, eta), tol=1e-10)
    assert found.converged
    close(found.w, shortest, 1e-9)


@pytest.mark.equation("E-kernel-13")
def test_with_a_full_rank_the_limit_solves_the_system():
    """A narrow Gaussian kernel: λ from about 0.5 to 1.5, so 60 steps leave nothing."""
    K = gram(lambda X, Z: gaussian(X, Z, sigma=0.3), X)
    solved = np.linalg.solve(K, Y)
    close(beta_after(K, Y, 1.0, 60), solved)
    close(after(stochastic_beta_updates(K, Y, 1.0, ORDER), 60 * 9).beta, solved)
    close(solved, ridge_dual(K, Y, 0.0))


@pytest.mark.equation("E-kernel-13")
@pytest.mark.parametrize("steps", [1, 100])
def test_early_stopping_and_ridge_shrink_the_same_directions(steps):
    """By 1 - (1 - ηλ)^t and λ/(λ + L). As (1 - x/t)^t <= 1/(1 + x), x = ηtλ, ridge with L = 1/ηt shrinks at least as
    much in every direction.
    """
    K = gram(gaussian, X)
    eta = largest_step(K) / 2
    L = 1 / (eta * steps)
    lam, V = np.linalg.eigh(K)
    assert lam[0] > 1e-6
    stopped = (V.T @ (K @ beta_after(K, Y, eta, steps))) / (V.T @ Y)
    shrunk = (V.T @ (K @ ridge_dual(K, Y, L))) / (V.T @ Y)
    np.testing.assert_allclose(stopped, 1 - (1 - eta * lam) ** steps, rtol=0, atol=1e-11)
    np.testing.assert_allclose(shrunk, lam / (lam + L), rtol=0, atol=1e-11)
    assert (stopped >= shrunk - 1e-12).all()


# --- samples twice, and matrices that are no kernels --------------------------------------------------------


def test_duplicate_samples_share_the_coefficient():
    """Every sample twice, half the step: the same θ, half of β each."""
    beta = betas(K, Y, ETA, 9)[-1]
    close(betas(np.tile(K, (2, 2)), np.tile(Y, 2), ETA / 2, 9)[-1], np.tile(beta / 2, 2))
    close(beta_after(np.tile(K, (4, 4)), np.tile(Y, 4), ETA / 4, 9), np.tile(beta / 4, 4))
    close(thetas(np.tile(PHI, (2, 1)), np.tile(Y, 2), ETA / 2, 9)[-1], thetas(PHI, Y, ETA, 9)[-1])


@pytest.mark.parametrize(
    "K",
    [K, np.zeros((9, 9)), np.diag([1.0, -1, -1, 0, 0, 0, 0, -1e-3]), np.eye(8)[::-1] * 0.5],
    ids=["a kernel", "zero", "negative eigenvalues", "nothing on the diagonal"],
)
def test_beta_after_is_where_the_updates_are(K):
    """The updates are defined for any symmetric K."""
    y, eta = np.arange(1.0, len(K) + 1), 0.25 / max(1.0, np.abs(K).max())
    close(beta_after(K, y, eta, 50), betas(K, y, eta, 50)[-1], 1e-11)
    assert beta_after(K, y, eta, 0).tolist() == [0] * len(K)


# --- steps too long, orders, states -------------------------------------------------------------------------

SEQUENCES = {
    "theta": lambda eta: feature_iterates(PHI, Y, eta),
    "stochastic theta": lambda eta: stochastic_feature_iterates(PHI, Y, eta, ORDER),
    "beta": lambda eta: beta_updates(K, Y, eta),
    "stochastic beta": lambda eta: stochastic_beta_updates(K, Y, eta, ORDER),
}


@pytest.mark.parametrize("run", SEQUENCES.values(), ids=SEQUENCES)
@pytest.mark.parametrize("eta", [1e3 * largest_step(K), 1e150], ids=["a thousand bounds", "1e150"])
def test_a_step_too_long_says_so(run, eta):
    """Every state before the error is finite, and there is an error, not a warning."""
    with pytest.raises(FloatingPointError, match=re.escape(f"eta = {eta:g} is too long a step")) as error:
        for state in islice(run(eta), 10_000):
            assert all(np.isfinite(part).all() for part in state)
    words = f"the coefficients overflow: eta = {eta:g} is too long a step; largest_step(K) bounds it"
    assert str(error.value) == words or run is SEQUENCES["theta"]


def test_one_coefficient_that_overflows_is_enough():
    """K = diag(1e140, 0), η = 1, y = 1: β_1 = 1, 2 - 1e140, 1e280, then inf, while the other is 1, 2, 3, 4. And
    K = 1e140, η = 1e120, y = 1e70: β = 1e190 is finite, Kβ is not.
    """
    K, y = np.diag([1e140, 0.0]), np.ones(2)
    assert beta_after(K, y, 1.0, 3)[1] == 3
    with pytest.raises(FloatingPointError, match="the coefficients overflow: eta = 1 is too long"):
        beta_after(K, y, 1.0, 4)
    for sequence in (beta_updates(K, y, 1.0), stochastic_beta_updates(K, y, 1.0)):
        with pytest.raises(FloatingPointError, match="eta = 1 is too long"):
            after(sequence, 6)
    with pytest.raises(FloatingPointError, match=r"eta = 1e\+120 is too long a step"):
        next(beta_updates([[1e140]], [1e70], 1e120))


@pytest.mark.parametrize("run", SEQUENCES.values(), ids=SEQUENCES)
def test_states_are_copies(run):
    """What is done to one yielded state changes neither the next ones nor those kept."""
    kept = list(islice(run(ETA), 8))
    for state, expected in zip(run(ETA), kept, strict=False):
        for mine, right in zip(state, expected, strict=True):
            np.testing.assert_array_equal(mine, right)
            if isinstance(mine, np.ndarray):
                mine[...] = np.nan


def test_the_order_is_visited_again_and_again():
    visits = [s.i for s in islice(stochastic_beta_updates(K, Y, ETA, ORDER), 20)]
    assert visits == (ORDER * 3)[:20]
    assert [s.i for s in islice(stochastic_feature_iterates(PHI, Y, ETA, ORDER), 21)] == [-1, *visits]
    assert [s.i for s in islice(stochastic_beta_updates(K, Y, ETA), 10)] == [*range(8), 0, 1]
    assert [s.i for s in islice(stochastic_feature_iterates(PHI, Y, ETA), 10)] == [-1, *range(8), 0]


def test_the_chapter_predicts_the_same_by_weights_and_by_the_kernel():
    printed = "".join(notebooks.text(out["text"]) for out in chapter_cells()["ch11-predict-code"]["outputs"])
    by_weights, by_kernel = re.findall(r"^by .*: +(\[.*\])$", printed, re.MULTILINE)
    assert by_weights == by_kernel
    assert "wrong labels of the 80: 0\n" in printed
    assert "both lines agree: True\n" in printed


def test_folded_cells_leave_the_names_of_the_chapter_alone():
    """beta, K and eta are those of ch11-side-code from there on: a folded picture has names of its own."""
    folded = {
        name: {
            node.id
            for node in _outside_functions(ast.parse(notebooks.text(cell["source"])))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        for name, cell in chapter_cells().items()
        if "hide-input" in cell["metadata"].get("tags", [])
    }
    assert {"beta", "K", "eta"} <= folded.pop("ch11-side-code")
    assert {name: kept for name, stored in folded.items() if (kept := stored & {"beta", "K", "eta"})} == {}


def _outside_functions(tree):
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            yield node
            yield from _outside_functions(node)


def chapter_cells():
    path = pathlib.Path(__file__).parents[1] / "notebooks" / "11_kernel_lms.ipynb"
    return {cell["id"]: cell for cell in notebooks.read(path)["cells"]}


@pytest.mark.slow
@pytest.mark.parametrize(("part", "L"), [(0.5, 1.0), (0.1, 20.0)])
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn(part, L):
    """The fenced block of the chapter, as it stands there: five rounds in turn on θ, and kernel ridge regression."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    text = notebooks.text(chapter_cells()["ch11-sklearn"]["source"])
    eta, K_new = part / K.max(), cubic_sum(X_NEW, X)
    names = {"eta": eta, "L": L, "Phi": PHI, "y": Y, "K": K, "K_new": K_new}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], names)
    theta = after(stochastic_feature_iterates(PHI, Y, eta), 5 * len(Y)).theta
    np.testing.assert_allclose(names["theta"], theta, rtol=1e-9)
    np.testing.assert_allclose(names["f"], K_new @ ridge_dual(K, Y, L), rtol=1e-9)

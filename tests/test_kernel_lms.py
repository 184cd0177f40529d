"""Chapter 11, least mean squares on features and kernels: every equation of note E on it, and where it is wrong."""

from fractions import Fraction
from itertools import islice, pairwise

import numpy as np
import pytest

from linmodels import linear_regression, optimize
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
    linear,
    polynomial,
    polynomial_features,
)
from linmodels.regularization import ridge_dual

EPS = np.finfo(float).eps

FOUR_X, FOUR_Y = np.array([[1.0], [2.0], [3.0], [-1.0]]), np.array([1.0, -2.0, 0.5, 4.0])
FOUR_K = np.array([[4.0, 15, 40, 0], [15, 85, 259, -5], [40, 259, 820, -20], [0, -5, -20, 4]])  # 1 + s + s² + s³
LINE_PHI, LINE_Y = np.array([[1.0, 1.0], [1.0, 2.0], [1.0, -1.0]]), np.array([2.0, 1.0, 0.0])  # φ = (1, x)

RNG = np.random.default_rng(0)
X, Y, X_NEW = RNG.normal(size=(8, 2)), RNG.normal(size=8), RNG.normal(size=(5, 2))
PHI, K = cubic_features(X), gram(cubic_sum, X)
ETA = largest_step(K) / 2  # half of the bound: the first eigen-direction is fitted at once
ORDER = [5, 2, 2, 7, 0, 1, 3, 6, 4]

LOW_X = np.linspace(-1.5, 2.0, 24)[:, None]
KERNEL_MATRICES = {  # their ranks are 3, 4, 1, 24, 8, 8 and 0
    "polynomial, low rank": gram(polynomial, LOW_X),
    "cubic, low rank": gram(cubic_sum, LOW_X),
    "linear, rank 1": gram(linear, LOW_X),
    "gaussian, narrow": gram(lambda X, Z: gaussian(X, Z, sigma=0.1), LOW_X),
    "gaussian": gram(gaussian, X),
    "cubic, full rank": K,
    "zero": np.zeros((9, 9)),
}
kernel_matrices = pytest.mark.parametrize("K", KERNEL_MATRICES.values(), ids=KERNEL_MATRICES)


def exact(a):
    """a as an array of fractions: sums and products without rounding."""
    return np.vectorize(Fraction, otypes=[object])(np.asarray(a, float))


def at_once(K, y, eta, steps):
    """β_i := β_i + η (y_i - Σ_j β_j K_ij) as it is printed, every entry from the old β."""
    n, beta = len(y), [0] * len(y)
    for _ in range(steps):
        beta = [beta[i] + eta * (y[i] - sum(beta[j] * K[i][j] for j in range(n))) for i in range(n)]
    return np.array(beta)


def in_place(K, y, eta, order):
    """The same line, an entry after the other into the one β."""
    n, beta = len(y), [0] * len(y)
    for i in order:
        beta[i] = beta[i] + eta * (y[i] - sum(beta[j] * K[i][j] for j in range(n)))
    return np.array(beta)


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


class Counted:
    """A number that counts the multiplications it takes part in."""

    multiplications = 0

    def __init__(self, value):
        self.value = value

    def __mul__(self, other):
        Counted.multiplications += 1
        return Counted(self.value * getattr(other, "value", other))

    def __add__(self, other):
        return Counted(self.value + getattr(other, "value", other))

    def __sub__(self, other):
        return Counted(self.value - getattr(other, "value", other))

    def __rsub__(self, other):
        return Counted(other - self.value)

    def __neg__(self):
        return Counted(-self.value)

    __rmul__, __radd__ = __mul__, __add__


def counted(a):
    return np.vectorize(Counted, otypes=[object])(np.asarray(a, float))


def values(a):
    return np.vectorize(lambda c: getattr(c, "value", c), otypes=[float])(a)


def multiplications(call, *arguments):
    """(how many there were, the result)."""
    Counted.multiplications = 0
    result = getattr(call, "__wrapped__", call)(*arguments)  # the body alone: what is counted is no float
    return Counted.multiplications, result


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
    hundredth = Fraction(1, 100)
    by_fractions = at_once(exact(FOUR_K), exact(FOUR_Y), hundredth, 2)
    assert [str(b) for b in by_fractions] == ["103/5000", "-709/20000", "31/1250", "49/625"]


@pytest.mark.equation("E-lms-3")
def test_two_stochastic_passes_by_hand():
    """x = 1, 2, -1, φ = (1, x), y = 2, 1, 0, η = 1/20, order 2, 0, 1. Residuals 0, 2, 7/10; 7/200, 339/200, 109/400:
    θ = 0, (1, 1)/10, (27, 34)/200; (547, 673)/4000, (443, 506)/2000, (1881, 2242)/8000.
    """
    path = list(islice(stochastic_feature_iterates(LINE_PHI, LINE_Y, 0.05, order=[2, 0, 1]), 7))
    assert [state.i for state in path] == [-1, 2, 0, 1, 2, 0, 1]
    by_hand = [[0, 0], [0, 0], [0.1, 0.1], [0.135, 0.17], [0.13675, 0.16825], [0.2215, 0.253], [0.235125, 0.28025]]
    np.testing.assert_allclose([state.theta for state in path], by_hand, rtol=1e-13)


@pytest.mark.equation("E-lms-3", "E-kernel-7")
def test_one_stochastic_kernel_pass_by_hand():
    """K = [[2, 3, 0], [3, 5, -1], [0, -1, 2]], η = 1/20, order 2, 0, 1: β_2 = 0, β_0 = 2/20, β_1 = (1 - 3/10)/20."""
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


def test_three_coefficients_after_four_steps_by_hand():
    """K = diag(1, 2, 0), η = 1/2: (1 - 1/2⁴)y_1, y_2/2 (there at once), and 4·y_3/2, which nothing stops."""
    assert beta_after(np.diag([1.0, 2.0, 0.0]), [16.0, 6.0, 1.0], 0.5, 4).tolist() == [15, 3, 2]


# --- derivatives --------------------------------------------------------------------------------------------


@pytest.mark.equation("E-lms-1", "E-lms-2")
@pytest.mark.parametrize("Phi, y", [(PHI, Y), (LINE_PHI, LINE_Y), (X, Y)], ids=["cubic", "line", "plain x"])
def test_gradient_is_the_derivative_of_the_loss(Phi, y):
    theta = np.random.default_rng(1).normal(size=Phi.shape[1])
    assert check_gradient(lambda w: loss(w, Phi, y), lambda w: gradient(w, Phi, y), theta) < 1e-8


@pytest.mark.equation("E-lms-1")
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


# --- features -----------------------------------------------------------------------------------------------


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


@pytest.mark.equation("E-kernel-4", "E-kernel-5", "E-kernel-6", "E-kernel-7", "E-kernel-12", "E-kernel-13")
@pytest.mark.parametrize("X, steps", [(X, 40), (LOW_X, 40), (FOUR_X, 40)], ids=["p > N", "p < N", "p = N"])
def test_the_weights_are_the_combination_of_the_features_at_every_step(X, steps):
    y = np.random.default_rng(2).normal(size=len(X))
    Phi, K = cubic_features(X), gram(cubic_sum, X)
    eta = largest_step(K) / 2
    start, *path = thetas(Phi, y, eta, steps)
    assert start.tolist() == primal(np.zeros(len(y)), Phi).tolist() == [0] * Phi.shape[1]  # the base case
    for theta, update in zip(path, beta_updates(K, y, eta), strict=False):
        close(primal(update.beta, Phi), theta)
        close(predict(update.beta, K), Phi @ theta)
        close(update.residual, y - Phi @ theta)


@pytest.mark.equation("E-kernel-4", "E-lms-3", "E-kernel-7")
@pytest.mark.parametrize("order", [None, ORDER])
def test_the_stochastic_weights_too_in_the_same_order(order):
    path = stochastic_feature_iterates(PHI, Y, ETA, order)
    assert next(path).theta.tolist() == [0] * 15
    for theta, beta in islice(zip(path, stochastic_beta_updates(K, Y, ETA, order), strict=False), 50):
        assert theta.i == beta.i
        close(primal(beta.beta, PHI), theta.theta)
        close(predict(beta.beta, K), PHI @ theta.theta)


@pytest.mark.equation("E-kernel-5", "E-kernel-6", "E-kernel-7")
@pytest.mark.parametrize("seed", range(3))
def test_the_induction_step_line_by_line(seed):
    """From any β, in fractions: lines (1), (2), (3) of the derivation, and the two updates of β it leads to."""
    rng = np.random.default_rng(seed)
    Phi, y, beta = (exact(rng.integers(-5, 6, size)) for size in [(4, 3), 4, 4])
    alpha, n, phi = Fraction(1, 7), range(4), list(Phi)
    theta = sum(beta[i] * phi[i] for i in n)
    line_1 = theta + alpha * sum((y[i] - theta @ phi[i]) * phi[i] for i in n)
    line_2 = sum(beta[i] * phi[i] for i in n) + alpha * sum((y[i] - theta @ phi[i]) * phi[i] for i in n)
    new = [beta[i] + alpha * (y[i] - theta @ phi[i]) for i in n]
    line_3 = sum(new[i] * phi[i] for i in n)
    assert line_1.tolist() == line_2.tolist() == line_3.tolist() == unchecked(primal)(np.array(new), Phi).tolist()
    assert (theta - alpha * unchecked(gradient)(theta, Phi, y)).tolist() == line_1.tolist()
    inner = [beta[i] + alpha * (y[i] - sum(beta[j] * (phi[j] @ phi[i]) for j in n)) for i in n]
    assert inner == new == (beta + alpha * (y - Phi @ Phi.T @ beta)).tolist()


@pytest.mark.equation("E-lms-3", "E-kernel-5", "E-kernel-6", "E-kernel-7", "E-kernel-12")
@pytest.mark.parametrize("seed", range(3))
def test_a_step_of_the_coefficients_is_one_of_the_weights(seed):
    """From any β, on all samples and on one: whole numbers and η = 1/8, so that nothing is rounded."""
    rng = np.random.default_rng(seed)
    Phi, y, beta = (rng.integers(-5, 6, size).astype(float) for size in [(4, 3), 4, 4])
    eta, G, theta = 1 / 8, Phi @ Phi.T, primal(beta, Phi)
    batch = theta - eta * gradient(theta, Phi, y)
    assert primal(beta_step(beta, G, y, eta), Phi).tolist() == batch.tolist()
    assert sum(feature_step(theta, Phi[i], y[i], eta) - theta for i in range(4)).tolist() == (batch - theta).tolist()
    for i in range(4):
        step = stochastic_beta_step(i, beta, G, y, eta)
        assert primal(step, Phi).tolist() == feature_step(theta, Phi[i], y[i], eta).tolist()
        assert np.delete(step, i).tolist() == np.delete(beta, i).tolist()
        assert step[i] == beta_step(beta, G, y, eta)[i]


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
    """K = [[1, 1/2], [1/2, 1]], y = (1, 1), η = 1/2: at once β = (1/2, 1/2), in place β_2 = (1 - 1/4)/2 = 3/8. The
    first is batch LMS on θ, the second stochastic LMS.
    """
    K2, y = np.array([[1.0, 0.5], [0.5, 1.0]]), np.ones(2)
    assert in_place(K2, y, 0.5, [0, 1]).tolist() == [0.5, 0.375] != at_once(K2, y, 0.5, 1).tolist() == [0.5, 0.5]
    batch, one_by_one = betas(K, Y, ETA, 5)[-1], after(stochastic_beta_updates(K, Y, ETA), 5 * 8 - 1).beta
    assert np.abs(batch - one_by_one).max() > 1e-3 * np.abs(batch).max()
    close(batch, at_once(K, Y, ETA, 5))
    close(one_by_one, in_place(K, Y, ETA, [*range(8)] * 5))
    close(PHI.T @ batch, thetas(PHI, Y, ETA, 5)[-1])
    close(PHI.T @ one_by_one, after(stochastic_feature_iterates(PHI, Y, ETA), 5 * 8).theta)


@pytest.mark.equation("E-lms-3", "E-kernel-7")
def test_in_place_updates_are_exactly_stochastic_lms():
    """Small integers and η = 1/16: no rounding, so θ = Φᵀβ to the last bit for two passes."""
    Phi, y = np.array([[1.0, 2.0], [2.0, -1.0], [0.0, 1.0]]), np.array([3.0, -1.0, 2.0])
    order = [1, 0, 2]
    weights = [s.theta for s in islice(stochastic_feature_iterates(Phi, y, 1 / 16, order), 1, 7)]
    coefficients = [s.beta for s in islice(stochastic_beta_updates(Phi @ Phi.T, y, 1 / 16, order), 6)]
    assert [primal(b, Phi).tolist() for b in coefficients] == [w.tolist() for w in weights]
    fractions = [in_place(exact(Phi @ Phi.T), exact(y), Fraction(1, 16), (order * 2)[:k]) for k in range(1, 7)]
    assert [b.tolist() for b in coefficients] == [f.tolist() for f in fractions]


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


@pytest.mark.equation("E-kernel-16")
def test_two_feature_maps_of_one_kernel_give_one_predictor():
    """(x·z + 1)²: each product once with a weight, or the 9 features of (x, 1)(x, 1)ᵀ, or these turned."""
    once = [polynomial_features(Z) for Z in (X, X_NEW)]
    all_pairs = [np.einsum("ni,nj->nij", augment(Z), augment(Z)).reshape(len(Z), -1) for Z in (X, X_NEW)]
    Q = np.linalg.qr(np.random.default_rng(3).normal(size=(9, 9)))[0]
    assert once[0].shape[1] == 6 and all_pairs[0].shape[1] == 9
    eta = largest_step(gram(polynomial, X)) / 2
    beta = betas(gram(polynomial, X), Y, eta, 12)[-1]
    for Phi, Phi_new in (once, all_pairs, [P @ Q for P in all_pairs]):
        close(Phi_new @ thetas(Phi, Y, eta, 12)[-1], predict(beta, polynomial(X_NEW, X)))


# --- costs, by counting multiplications ---------------------------------------------------------------------


@pytest.mark.equation("E-kernel-14", "E-kernel-13", "E-kernel-7")
@pytest.mark.erratum("ERR-E16")
def test_an_iteration_multiplies_n_squared_times():
    """Printed O(n). Kβ takes n² products and η(y - Kβ) another n: twice the samples, nearly four times the products.
    Only the update of a single β_i takes n + 1.
    """
    counts = {}
    for n in (4, 8, 16, 32):
        samples = np.random.default_rng(n).normal(size=(n, 2))
        G, y = gram(gaussian, samples), samples[:, 0]
        update = after(beta_updates(G, y, 0.125), 0).beta
        counts[n], following = multiplications(
            lambda K, y, beta: beta + 0.125 * (y - K @ beta), counted(G), counted(y), counted(update)
        )
        close(values(following), after(beta_updates(G, y, 0.125), 1).beta)
        two_loops, beta = multiplications(at_once, counted(G), counted(y), 0.125, 2)
        assert two_loops == 2 * counts[n]
        close(values(beta), values(following))
        n_visits, beta = multiplications(in_place, counted(G), counted(y), 0.125, range(n))
        assert n_visits == n * (n + 1)
        close(values(beta), after(stochastic_beta_updates(G, y, 0.125), n - 1).beta)
    assert counts == {n: n**2 + n for n in counts}
    assert all(counts[2 * n] > 3.5 * counts[n] for n in (4, 8, 16))  # of a count O(n), as printed, it were 2


@pytest.mark.equation("E-kernel-2", "E-kernel-15")
@pytest.mark.erratum("ERR-E09")
def test_order_d_cubed_is_avoidable():
    """ "Unavoidable", they print. Where one cubic step on θ takes 2np products, one on β takes n² + n, for any d.

    With d = 1000 (p = 10⁹, 8 GB for one θ): e_1 and 2e_1000 have K = [[4, 1], [1, 85]], so for y = (1, 2), η = 1/64
    β_1 = y/64, β_2 = 2y/64 - Ky/64² with Ky = (6, 171). The features of the other 998 attributes are 0.
    """
    Phi, y = cubic_features(X), Y
    cost, _ = multiplications(gradient, counted(np.ones(15)), counted(Phi), counted(y))
    assert cost == 2 * 8 * 15
    cost, predicted = multiplications(predict, counted(Y), counted(K))
    assert cost == 8 * 8
    close(values(predicted), K @ Y)
    cost, _ = multiplications(primal, counted(Y), counted(Phi))
    assert cost == 8 * 15
    wide = np.zeros((2, 1000))
    wide[0, 0], wide[1, 999] = 1, 2
    G = gram(cubic_sum, wide)
    assert G.tolist() == [[4, 1], [1, 85]]
    beta = after(beta_updates(G, [1.0, 2.0], 1 / 64), 1).beta
    assert beta.tolist() == [2 / 64 - 6 / 64**2, 4 / 64 - 171 / 64**2]
    narrow = cubic_features(wide[:, [0, 999]])
    assert (narrow @ thetas(narrow, [1.0, 2.0], 1 / 64, 2)[-1]).tolist() == predict(beta, G).tolist()


# --- the sequence of residuals, its step and its limit ------------------------------------------------------


@pytest.mark.equation("E-kernel-13")
@kernel_matrices
def test_the_residual_is_a_power_of_the_matrix(K):
    """y - Kβ_t = (I - ηK)^t y, and β_t = η Σ_{s<t} (I - ηK)^s y."""
    y = np.random.default_rng(4).normal(size=len(K))
    eta = largest_step(K) * 0.6 if K.any() else 0.5
    residual, beta = y, np.zeros(len(y))
    for update in islice(beta_updates(K, y, eta), 25):
        beta, residual = beta + eta * residual, residual - eta * (K @ residual)
        close(update.residual, residual, 1e-11)
        close(update.beta, beta, 1e-11)
        close(update.residual, y - K @ update.beta, 1e-11)


@pytest.mark.equation("E-kernel-13")
@kernel_matrices
@pytest.mark.parametrize("steps", [1, 3, 40])
def test_what_is_fitted_is_a_filter_of_the_eigenvalues(K, steps):
    """Kβ_t = (I - (I - ηK)^t) y: each eigen-direction of y times 1 - (1 - ηλ)^t."""
    y = np.random.default_rng(5).normal(size=len(K))
    eta = largest_step(K) * 0.6 if K.any() else 0.5
    lam, V = np.linalg.eigh(K)
    fitted = K @ betas(K, y, eta, steps)[-1]
    np.testing.assert_allclose(V.T @ fitted, (1 - (1 - eta * lam) ** steps) * (V.T @ y), rtol=0, atol=1e-11)


@pytest.mark.equation("E-lms-1", "E-kernel-12", "E-kernel-13")
@pytest.mark.erratum("ERR-E17")
def test_the_step_is_bounded_by_the_largest_eigenvalue():
    """No bound on α is printed: with 1.9/λ_max the residual falls at every step, with 2.1/λ_max it grows by 1.1 along
    the first eigenvector, as with a step that looks small, 0.1, where the cubic kernel's λ_max is in the hundreds.
    """
    lam, V = np.linalg.eigh(FOUR_K)
    lam_max, v = lam[-1], V[:, -1]
    assert largest_step(FOUR_K) == pytest.approx(2 / lam_max, rel=1e-14)
    assert lam[0] > 0 and lam_max > 100
    short = [u.residual for u in islice(beta_updates(FOUR_K, FOUR_Y, 1.9 / lam_max), 400)]
    assert all(np.linalg.norm(b) < np.linalg.norm(a) for a, b in pairwise([FOUR_Y, *short]))
    long = [u.residual for u in islice(beta_updates(FOUR_K, FOUR_Y, 2.1 / lam_max), 400)]
    np.testing.assert_allclose([v @ r for r in long], [(-1.1) ** t * (v @ FOUR_Y) for t in range(1, 401)], rtol=1e-9)
    assert np.linalg.norm(long[-1]) > 1e14
    assert np.linalg.norm(after(beta_updates(FOUR_K, FOUR_Y, 0.1), 9).residual) > 1e14


@pytest.mark.equation("E-lms-2", "E-kernel-13")
def test_on_features_the_bound_is_the_same():
    """λ_max(ΦΦᵀ) = λ_max(ΦᵀΦ), and chapter 01's bound is half of it: its loss has no half."""
    assert largest_step(PHI @ PHI.T) == pytest.approx(largest_step(PHI.T @ PHI), rel=1e-13)
    assert largest_step(PHI @ PHI.T) == pytest.approx(2 * linear_regression.largest_step(PHI), rel=1e-13)
    bound = largest_step(LINE_PHI @ LINE_PHI.T)
    shorter, longer = (
        [loss(w, LINE_PHI, LINE_Y) for w in thetas(LINE_PHI, LINE_Y, c * bound, 60)] for c in (0.95, 1.05)
    )
    assert all(b <= a for a, b in pairwise(shorter))
    assert longer[-1] > 100 * longer[0]


def test_at_the_bound_itself_the_first_direction_only_turns_round():
    """K = diag(2, 1), η = 1 = 2/2: the residual (1, 1) becomes (-1, 0), (1, 0), (-1, 0) ..."""
    path = [u.residual.tolist() for u in islice(beta_updates(np.diag([2.0, 1.0]), np.ones(2), 1.0), 3)]
    assert path == [[-1, 0], [1, 0], [-1, 0]]


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
    """A narrow Gaussian kernel: λ from about 0.5 to 1.5, so 200 steps leave nothing."""
    K = gram(lambda X, Z: gaussian(X, Z, sigma=0.3), X)
    solved = np.linalg.solve(K, Y)
    close(beta_after(K, Y, 1.0, 300), solved)
    close(after(stochastic_beta_updates(K, Y, 1.0, ORDER), 300 * 9).beta, solved)
    close(solved, ridge_dual(K, Y, 0.0))


def test_conflicting_targets_of_one_point_are_averaged_while_beta_runs_away():
    """K = [[1, 1], [1, 1]], y = (0, 2), η = 1/2: fitted (1, 1) at once, residual (-1, 1) forever, β = (1 ∓ t)/2 ..."""
    path = list(islice(beta_updates(np.ones((2, 2)), [0.0, 2.0], 0.5), 5))
    assert [u.residual.tolist() for u in path] == [[-1, 1]] * 5
    assert [u.beta.tolist() for u in path] == [[(1 - t) / 2, (1 + t) / 2] for t in range(1, 6)]


@pytest.mark.equation("E-lms-1")
def test_plain_features_are_the_gradient_descent_of_chapter_01_with_half_the_step():
    """Φ = X, η = 1/32 and 1/64: half the gradient, twice the step; small integers make both exact for three steps."""
    whole = np.array([[1.0, 2.0], [3.0, -1.0], [0.0, 1.0]]), np.array([1.0, -2.0, 4.0])
    other = [i.w.tolist() for i in islice(linear_regression.gradient_iterates(*whole, eta=1 / 64), 4)]
    assert [w.tolist() for w in thetas(*whole, 1 / 32, 3)] == other
    same_step = [i.w.tolist() for i in islice(linear_regression.gradient_iterates(*whole, eta=1 / 32), 4)]
    assert same_step[1] == [2 * w for w in other[1]] != other[1]
    G = gram(linear, whole[0])
    assert [primal(b, whole[0]).tolist() for b in betas(G, whole[1], 1 / 32, 3)] == other[1:]


# --- early stopping beside ridge ----------------------------------------------------------------------------


@pytest.mark.equation("E-kernel-13")
@pytest.mark.parametrize("steps", [1, 10, 100])
def test_early_stopping_and_ridge_shrink_the_same_directions(steps):
    """Factors 1 - (1 - ηλ)^t and λ/(λ + L): both between 0 and 1 for 0 < λ < 1/η, both rising with λ."""
    K = gram(gaussian, X)
    eta = largest_step(K) / 2
    L = 1 / (eta * steps)
    lam, V = np.linalg.eigh(K)
    assert lam[0] > 1e-6
    stopped = (V.T @ (K @ beta_after(K, Y, eta, steps))) / (V.T @ Y)
    shrunk = (V.T @ (K @ ridge_dual(K, Y, L))) / (V.T @ Y)
    np.testing.assert_allclose(stopped, 1 - (1 - eta * lam) ** steps, rtol=0, atol=1e-11)
    np.testing.assert_allclose(shrunk, lam / (lam + L), rtol=0, atol=1e-11)
    for factors in (stopped, shrunk):
        assert (factors > 0).all() and (factors <= 1 + 1e-12).all() and (np.diff(factors) > -1e-12).all()
    # (1 - x/t)^t <= 1/(1 + x) with x = ηtλ: with L = 1/ηt, ridge shrinks at least as much in every direction
    assert (stopped >= shrunk - 1e-12).all()


# --- beta_after ---------------------------------------------------------------------------------------------


@pytest.mark.equation("E-kernel-13")
@kernel_matrices
@pytest.mark.parametrize("steps", [1, 2, 7, 300])
def test_beta_after_is_where_the_updates_are(K, steps):
    y = np.random.default_rng(6).normal(size=len(K))
    eta = largest_step(K) * 0.7 if K.any() else 0.5
    close(beta_after(K, y, eta, steps), betas(K, y, eta, steps)[-1], 1e-11)


@kernel_matrices
def test_after_no_step_there_is_nothing(K):
    assert beta_after(K, np.ones(len(K)), 0.5, 0).tolist() == [0] * len(K)


@pytest.mark.parametrize("seed", range(4))
def test_beta_after_in_fractions(seed):
    """Integer features of rank 2 for 12 samples, and a full-rank matrix of 5, against exact sums."""
    rng = np.random.default_rng(seed)
    F, A = rng.integers(-3, 4, (12, 2)).astype(float), rng.integers(-3, 4, (5, 5)).astype(float)
    for K, y in [(F @ F.T, rng.integers(-5, 6, 12)), (A @ A.T, rng.integers(-5, 6, 5))]:
        expected = at_once(exact(K), exact(y), Fraction(1, 64), 6).astype(float)
        close(beta_after(K, y, 1 / 64, 6), expected, 1e-13)


@pytest.mark.parametrize("scale", [2.0**-300, 1.0, 2.0**300])
def test_beta_after_in_any_units(scale):
    """Powers of two, so K·scale with η/scale gives β/scale."""
    K, y = KERNEL_MATRICES["cubic, low rank"], np.random.default_rng(7).normal(size=24)
    close(beta_after(K * scale, y, 0.01 / scale, 9) * scale, beta_after(K, y, 0.01, 9), 1e-12)


def test_a_small_but_real_direction_is_kept():
    """A feature of size 1e-5 beside one of size 1: its λ is 1e-10 of the first, and 1e10 more steps than one count."""
    Phi = np.column_stack([np.ones(16), np.tile([1e-5, -1e-5], 8)])
    y = np.tile([1.0, 0.0], 8)
    eta = 1 / 16  # λ = 16 and 16e-10: factors 1 and 1 - (1 - 1e-10)^t
    fitted = Phi @ Phi.T @ beta_after(Phi @ Phi.T, y, eta, 100)
    assert fitted[0] - fitted[1] == pytest.approx(1e-8, rel=1e-6)


@pytest.mark.parametrize("steps", [1000, 20_000])
def test_a_long_run_on_a_low_rank_keeps_its_digits(steps):
    """y = 1 + 2x lies in the span of φ = (1, x), so β_t = Φ(ΦᵀΦ)⁻¹θ_t, θ_t = (I - (I - ηΦᵀΦ)^t)(1, 2). With x from
    -1 to 1 in 17 points ΦᵀΦ = diag(17, 6.375): and a step adds some ε of y.
    """
    x = np.arange(-8.0, 9.0) / 8
    Phi, lam = np.column_stack([np.ones(17), x]), np.array([17.0, 6.375])
    y, eta = Phi @ [1.0, 2.0], 1 / 32
    expected = Phi @ ((1 - (1 - eta * lam) ** steps) * [1.0, 2.0] / lam)
    np.testing.assert_allclose(
        beta_after(Phi @ Phi.T, y, eta, steps), expected, rtol=0, atol=16 * EPS * (1 + eta * steps)
    )


RING = np.zeros((6, 6))  # the neighbours 0, 1, 4, 3 of a ring, and two samples by themselves
RING[[0, 1, 4, 3], [1, 4, 3, 0]] = RING[[1, 4, 3, 0], [0, 1, 4, 3]] = 1


@pytest.mark.parametrize(
    "K",
    [np.diag([1.0, -1, -1, -1, -1, -1, -1, -1]), np.eye(8)[::-1] * 0.5, np.diag([1.0, 0, 0, 0, 0, 0, 0, -1e-3]), RING],
    ids=["negative eigenvalues", "nothing on the diagonal", "one that is a little negative", "rank 2, zero diagonal"],
)
@pytest.mark.parametrize("steps", [5, 50])
def test_beta_after_is_where_the_updates_are_for_matrices_that_are_no_kernels(K, steps):
    """The updates are defined for any symmetric K; then no K = FFᵀ may be supposed."""
    y = np.arange(1.0, len(K) + 1)
    close(beta_after(K, y, 0.25, steps), betas(K, y, 0.25, steps)[-1])


# --- metamorphic relations ----------------------------------------------------------------------------------


def test_permuted_samples_permute_the_coefficients():
    p = np.random.default_rng(8).permutation(8)
    close(betas(K[np.ix_(p, p)], Y[p], ETA, 9)[-1], betas(K, Y, ETA, 9)[-1][p])
    close(thetas(PHI[p], Y[p], ETA, 9)[-1], thetas(PHI, Y, ETA, 9)[-1])
    place = np.argsort(p)  # where the sample with the old number now is
    for a, b in islice(
        zip(
            stochastic_beta_updates(K, Y, ETA, ORDER),
            stochastic_beta_updates(K[np.ix_(p, p)], Y[p], ETA, place[ORDER]),
            strict=False,
        ),
        30,
    ):
        assert p[b.i] == a.i
        close(b.beta, a.beta[p])


def test_duplicate_samples_share_the_coefficient():
    """Every sample twice, half the step: the same θ, half of β each."""
    beta = betas(K, Y, ETA, 9)[-1]
    close(betas(np.tile(K, (2, 2)), np.tile(Y, 2), ETA / 2, 9)[-1], np.tile(beta / 2, 2))
    close(beta_after(np.tile(K, (4, 4)), np.tile(Y, 4), ETA / 4, 9), np.tile(beta / 4, 4))
    close(thetas(np.tile(PHI, (2, 1)), np.tile(Y, 2), ETA / 2, 9)[-1], thetas(PHI, Y, ETA, 9)[-1])


def test_rotated_features_rotate_the_weights_and_leave_the_coefficients():
    Q = np.linalg.qr(np.random.default_rng(10).normal(size=(15, 15)))[0]
    close(thetas(PHI @ Q, Y, ETA, 9)[-1], Q.T @ thetas(PHI, Y, ETA, 9)[-1])
    turned = PHI @ Q
    close(betas((turned @ turned.T + (turned @ turned.T).T) / 2, Y, ETA, 9)[-1], betas(K, Y, ETA, 9)[-1])
    a, b = (after(stochastic_feature_iterates(P, Y, ETA, ORDER), 20).theta for P in (PHI, turned))
    close(b, Q.T @ a)


# --- edges --------------------------------------------------------------------------------------------------

TOO_LONG = 1e3 * largest_step(K)


@pytest.mark.parametrize(
    "run",
    [
        lambda eta: beta_updates(K, Y, eta),
        lambda eta: stochastic_beta_updates(K, Y, eta),
        lambda eta: stochastic_feature_iterates(PHI, Y, eta),
    ],
    ids=["beta", "stochastic beta", "stochastic theta"],
)
@pytest.mark.parametrize("eta", [TOO_LONG, 1e100, 1e150])
def test_a_step_too_long_says_so(run, eta):
    """Every state before the error is finite, and there is an error, not a warning."""
    states = []
    with pytest.raises(FloatingPointError) as error:
        for state in islice(run(eta), 10_000):
            states.append(state)
    assert str(error.value) == (
        f"the coefficients overflow: eta = {eta:g} is too long a step; largest_step(K) bounds it"
    )
    assert all(np.isfinite(state[-1]).all() and np.isfinite(state[0]).all() for state in states)


@pytest.mark.parametrize("eta", [TOO_LONG, 1e100, 1e150])
def test_a_step_too_long_on_features_says_so(eta):
    with pytest.raises(FloatingPointError, match="is too long a step"):
        after(feature_iterates(PHI, Y, eta), 10_000)


@pytest.mark.parametrize("name", ["cubic, full rank", "cubic, low rank", "gaussian"])
def test_too_many_steps_too_long_say_so(name):
    K = KERNEL_MATRICES[name]
    eta = 1e3 * largest_step(K)
    message = f"the coefficients overflow: eta = {eta:g} is too long a step; largest_step(K) bounds it"
    with pytest.raises(FloatingPointError) as error:
        beta_after(K, np.ones(len(K)), eta, 5000)
    assert str(error.value) == message
    assert np.isfinite(beta_after(K, np.ones(len(K)), eta, 20)).all()


@pytest.mark.parametrize("N", [2, 8], ids=["full rank", "low rank"])
def test_one_coefficient_that_overflows_is_enough(N):
    """K = diag(1e140, 0, ...), η = 1, y = 1: β_1 = 1, 2 - 1e140, 1e280, then inf, while the others are 1, 2, 3, 4."""
    K = np.zeros((N, N))
    K[0, 0] = 1e140
    assert beta_after(K, np.ones(N), 1.0, 3)[1] == 3
    with pytest.raises(FloatingPointError, match="eta = 1 is too long"):
        beta_after(K, np.ones(N), 1.0, 4)
    for sequence in (beta_updates(K, np.ones(N), 1.0), stochastic_beta_updates(K, np.ones(N), 1.0)):
        with pytest.raises(FloatingPointError, match="eta = 1 is too long"):
            after(sequence, 3 * N)


def test_the_residual_may_overflow_before_the_coefficients():
    """K = 1e140, η = 1e120, y = 1e70: β = 1e190 is finite, Kβ is not."""
    with pytest.raises(FloatingPointError, match=r"eta = 1e\+120 is too long a step"):
        next(beta_updates([[1e140]], [1e70], 1e120))


@pytest.mark.parametrize(
    "K, message",
    [
        (np.zeros((3, 3)), "K holds only zeros"),
        (-np.eye(2), "K must be positive semidefinite, found the eigenvalue -1: "),
        (np.diag([1.0, 2.0, -1e-6]), "K must be positive semidefinite, found the eigenvalue -1e-06: "),
    ],
)
def test_a_matrix_of_no_kernel_bounds_no_step(K, message):
    """Along a negative eigenvalue any step diverges; where K = 0 none changes Kβ."""
    with pytest.raises(ValueError, match=message):
        largest_step(K)


def test_eigenvalues_that_are_negative_by_rounding_bound_the_step_as_0():
    assert largest_step(np.diag([4.0, -1e-12])) == 0.5
    assert largest_step(gram(cubic_sum, LOW_X)) == pytest.approx(2 / np.linalg.norm(cubic_features(LOW_X), 2) ** 2)


def test_one_sample():
    """K = 4, y = 3, η = 1/8: the residual halves, β_t = (1 - 2^-t)·3/4, in all four sequences."""
    expected = [(1 - 2.0**-t) * 3 / 4 for t in range(1, 6)]
    assert [b.item() for b in betas([[4.0]], [3.0], 1 / 8, 5)] == expected
    assert [s.beta.item() for s in islice(stochastic_beta_updates([[4.0]], [3.0], 1 / 8), 5)] == expected
    assert [w.item() / 2 for w in thetas([[2.0]], [3.0], 1 / 8, 5)[1:]] == expected
    assert [s.theta.item() / 2 for s in islice(stochastic_feature_iterates([[2.0]], [3.0], 1 / 8), 1, 6)] == expected
    assert [beta_after([[4.0]], [3.0], 1 / 8, t).item() for t in range(1, 6)] == expected
    assert largest_step([[4.0]]) == 0.5


def test_zero_targets_are_fitted_at_the_start():
    zero = np.zeros(8)
    for update in islice(beta_updates(K, zero, ETA), 3):
        assert not update.beta.any() and not update.residual.any()
    assert not after(stochastic_beta_updates(K, zero, ETA), 9).beta.any()
    assert not after(stochastic_feature_iterates(PHI, zero, ETA), 9).theta.any()
    assert not thetas(PHI, zero, ETA, 3)[-1].any()
    assert not beta_after(K, zero, ETA, 9).any()


SEQUENCES = {
    "feature": lambda: feature_iterates(PHI, Y, ETA),
    "stochastic feature": lambda: stochastic_feature_iterates(PHI, Y, ETA, ORDER),
    "beta": lambda: beta_updates(K, Y, ETA),
    "stochastic beta": lambda: stochastic_beta_updates(K, Y, ETA, ORDER),
}


@pytest.mark.parametrize("make", SEQUENCES.values(), ids=SEQUENCES)
def test_states_are_copies(make):
    """What is done to one yielded state changes neither the next ones nor those kept."""
    untouched = list(islice(make(), 8))
    for state, expected in zip(make(), untouched, strict=False):
        for mine, right in zip(state, expected, strict=True):
            np.testing.assert_array_equal(mine, right)
            if isinstance(mine, np.ndarray):
                mine[...] = np.nan
    for state, expected in zip(untouched, make(), strict=False):
        for kept, right in zip(state, expected, strict=True):
            np.testing.assert_array_equal(kept, right)


def test_arguments_are_not_changed():
    frozen = [a.copy() for a in (PHI, K, Y, KERNEL_MATRICES["cubic, low rank"], np.array(ORDER))]
    for a in frozen:
        a.setflags(write=False)
    Phi, G, y, low, order = frozen
    for sequence in (
        feature_iterates(Phi, y, ETA),
        stochastic_feature_iterates(Phi, y, ETA, order),
        beta_updates(G, y, ETA),
        stochastic_beta_updates(G, y, ETA, order),
    ):
        after(sequence, 12)
    beta_after(G, y, ETA, 5), beta_after(low, np.ones(24), 0.01, 5), largest_step(G)
    loss(np.ones(15), Phi, y), gradient(np.ones(15), Phi, y), primal(y, Phi), predict(y, G)
    for a, b in zip(frozen, (PHI, K, Y, KERNEL_MATRICES["cubic, low rank"], ORDER), strict=True):
        np.testing.assert_array_equal(a, b)


def test_the_order_is_visited_again_and_again():
    visits = [s.i for s in islice(stochastic_beta_updates(K, Y, ETA, ORDER), 20)]
    assert visits == (ORDER * 3)[:20]
    assert [s.i for s in islice(stochastic_feature_iterates(PHI, Y, ETA, ORDER), 21)] == [-1, *visits]
    assert [s.i for s in islice(stochastic_beta_updates(K, Y, ETA), 10)] == [*range(8), 0, 1]
    assert [s.i for s in islice(stochastic_feature_iterates(PHI, Y, ETA), 10)] == [-1, *range(8), 0]


def test_lists_and_integers_are_taken_as_numbers():
    whole = np.arange(6).reshape(3, 2)
    G, y = whole @ whole.T, [1, 2, 3]
    assert (
        betas(G.tolist(), y, 0.01, 2)[-1].tolist() == betas(G.astype(float), np.array(y, float), 0.01, 2)[-1].tolist()
    )
    assert thetas(whole.tolist(), y, 0.01, 2)[-1].dtype == float
    assert after(stochastic_beta_updates(G, y, 0.01), 3).beta.dtype == float
    assert after(stochastic_feature_iterates(whole, y, 0.01), 3).theta.dtype == float


# --- doors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("door", [feature_iterates, stochastic_feature_iterates])
@pytest.mark.parametrize(
    "Phi, y, message",
    [
        (LINE_PHI, [1, 2], r"y must be of shape \(N,\), N = 3 as in Phi; found shape \(2,\)"),
        (LINE_PHI, LINE_Y[:, None], r"y must be of shape \(N,\), .*found shape \(3, 1\); y.ravel\(\) converts"),
        (LINE_Y, LINE_Y, r"Phi must be of shape \(N, p\); found shape \(3,\)"),
        ([[1, np.inf], [2, 3]], [1, -1], "Phi holds inf at row 0, column 1"),
        (LINE_PHI, [1, np.nan, 2], "y holds nan at position 1"),
        (np.empty((0, 2)), [], "Phi is empty"),
    ],
)
def test_bad_features_are_named_at_the_call(door, Phi, y, message):
    with pytest.raises(ValueError, match=message):
        door(Phi, y, 0.1)


@pytest.mark.parametrize("door", [beta_updates, stochastic_beta_updates, lambda K, y, eta: beta_after(K, y, eta, 1)])
@pytest.mark.parametrize(
    "K, y, message",
    [
        (LINE_PHI, LINE_Y, r"K must be of shape \(N, N\); found shape \(3, 2\)"),
        (FOUR_K, LINE_Y, r"y must be of shape \(N,\), N = 4 as in K; found shape \(3,\)"),
        (np.triu(FOUR_K), FOUR_Y, r"K must be symmetric, found K\[1, 2\] = 259 but K\[2, 1\] = 0"),
        (FOUR_K, FOUR_Y[:, None], r"y must be of shape \(N,\), .*found shape \(4, 1\); y.ravel\(\) converts"),
        ([[np.nan]], [1], "K holds nan at row 0, column 0"),
        ([[1]], [np.inf], "y holds inf at position 0"),
    ],
)
def test_bad_kernel_matrices_are_named_at_the_call(door, K, y, message):
    with pytest.raises(ValueError, match=message):
        door(K, y, 0.1)


@pytest.mark.parametrize(
    "door",
    [
        lambda eta: feature_iterates(LINE_PHI, LINE_Y, eta),
        lambda eta: stochastic_feature_iterates(LINE_PHI, LINE_Y, eta),
        lambda eta: beta_updates(FOUR_K, FOUR_Y, eta),
        lambda eta: stochastic_beta_updates(FOUR_K, FOUR_Y, eta),
        lambda eta: beta_after(FOUR_K, FOUR_Y, eta, 1),
    ],
    ids=["feature", "stochastic feature", "beta", "stochastic beta", "after"],
)
@pytest.mark.parametrize(
    "eta, kind, message",
    [
        (0, ValueError, "eta must be > 0, found 0"),
        (-0.5, ValueError, "eta must be > 0, found -0.5"),
        (np.nan, ValueError, "eta must be a finite number > 0, found nan"),
        (np.inf, ValueError, "eta must be a finite number > 0, found inf"),
        ("0.1", TypeError, "eta must be a finite number > 0, found '0.1'"),
    ],
)
def test_a_bad_step_is_named_at_the_call(door, eta, kind, message):
    with pytest.raises(kind, match=message):
        door(eta)


@pytest.mark.parametrize(
    "door",
    [
        lambda order: stochastic_feature_iterates(FOUR_X, FOUR_Y, 0.1, order),
        lambda order: stochastic_beta_updates(FOUR_K, FOUR_Y, 0.1, order),
    ],
    ids=["feature", "beta"],
)
@pytest.mark.parametrize(
    "order, kind, message",
    [
        ([0, 1, 2], ValueError, "order leaves out sample 3"),
        ([0, 1, 2, 4], ValueError, r"order must hold indices 0\.\.3, found 0\.\.4"),
        ([0.0, 1.0, 2.0, 3.0], TypeError, r"order must be a list of sample indices 0\.\.3"),
    ],
)
def test_a_bad_order_is_named_at_the_call(door, order, kind, message):
    with pytest.raises(kind, match=message):
        door(order)


@pytest.mark.parametrize(
    "steps, kind, message",
    [
        (-1, ValueError, "steps must be a whole number >= 0, found -1"),
        (1.5, TypeError, r"steps must be a whole number >= 0, found 1\.5"),
        (True, TypeError, "steps must be a whole number >= 0, found True"),
    ],
)
def test_a_bad_number_of_steps_is_named(steps, kind, message):
    with pytest.raises(kind, match=message):
        beta_after(FOUR_K, FOUR_Y, 0.1, steps)


def test_a_bad_matrix_bounds_no_step():
    with pytest.raises(ValueError, match=r"K must be of shape \(N, N\); found shape \(3, 2\)"):
        largest_step(LINE_PHI)
    with pytest.raises(ValueError, match="K must be symmetric"):
        largest_step(np.triu(FOUR_K))


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

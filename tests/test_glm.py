"""Chapter 03, generalized linear models: every equation of note A 2, and where the notes are wrong."""

import pathlib
import re
from dataclasses import replace
from itertools import islice, pairwise
from math import factorial
from statistics import NormalDist

import numpy as np
import pytest
from cases import slow

from linmodels import datasets, glm, logistic_regression, optimize
from linmodels.book import notebooks
from linmodels.derivatives import central_difference, check_gradient, jacobian
from linmodels.design import augment, free_bias
from linmodels.glm import bernoulli, categorical, fit, gaussian, gaussian_with, gradient, hessian, log_density, loss
from linmodels.linear_regression import least_squares
from linmodels.solvers import likelihood
from linmodels.special import sigmoid

ROOT = pathlib.Path(__file__).parents[1]
ETA = np.array([-3.0, -0.5, 0.0, 0.25, 2.0])
PHI = np.array([0.1, 0.2, 0.3, 0.4])  # four classes
ETA_4 = np.log(PHI[:3] / PHI[3])
SCALAR = [gaussian, gaussian_with(0.5), gaussian_with(2.0), bernoulli, glm.poisson]
scalar = pytest.mark.parametrize("family", SCALAR, ids=lambda family: family.name)

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(40, 2))
X = augment(POINTS)
TARGETS = {  # targets of every family, none of them separable
    "gaussian": (gaussian, POINTS @ [1.0, -2.0] + 3 + RNG.normal(size=40)),
    "gaussian of another width": (gaussian_with(2.0), POINTS @ [1.0, -2.0] + 3 + RNG.normal(size=40)),
    "bernoulli": (bernoulli, (RNG.random(40) < sigmoid(POINTS @ [1.0, -1.0])).astype(float)),
    "poisson": (glm.poisson, RNG.poisson(np.exp(POINTS @ [0.5, -0.5] + 1)).astype(float)),
    "categorical": (categorical, np.append(RNG.integers(0, 3, 37), [0, 1, 2]).astype(float)),
}
families = pytest.mark.parametrize("name", TARGETS)
single = pytest.mark.parametrize("name", [name for name in TARGETS if name != "categorical"])
LAM = np.array([0.5, 2.0, 0.0])
penalties = pytest.mark.parametrize("lam", [0.0, 0.7, LAM], ids=["none", "one for all", "one per column"])
ONE = np.ones((8, 1))
EIGHT = np.array([0.0, 1, 1, 0, 0, 1, 0, 0])  # 3 of 8


def weights(name):
    """Weights of the shape the family needs, to differentiate at."""
    return np.random.default_rng(1).normal(size=(3, 2) if name == "categorical" else 3) / 2


def newton_decrement(w, X, y, family, lam=0.0):
    """√(gᵀH⁻¹g): how far w is from the minimum, in standard errors, whatever the units."""
    g, H = gradient(w, X, y, family, lam).ravel(), hessian(w, X, y, family, lam)
    s = np.sqrt(np.diag(H))
    return np.sqrt((g / s) @ np.linalg.solve(H / np.outer(s, s), g / s))


def usual_density(family, y, eta):
    """p(y) as it stands in any table, by the mean or probability."""
    if family is bernoulli:
        return sigmoid(eta) ** y * (1 - sigmoid(eta)) ** (1 - y)
    if family is glm.poisson:
        return np.exp(eta) ** y * np.exp(-np.exp(eta)) / factorial(int(y))
    s = {gaussian.name: 1.0, SCALAR[1].name: 0.5, SCALAR[2].name: 2.0}[family.name]
    return np.exp(-((y - s**2 * eta) ** 2) / (2 * s**2)) / (np.sqrt(2 * np.pi) * s)


# --- families -----------------------------------------------------------------------------------------------


@pytest.mark.equation("A-2.3.2-2")
def test_bernoulli_of_three_tenths():
    """η = ln(3/7), a = -ln 0.7. What is neither 0 nor 1 has probability 0."""
    assert bernoulli.eta(0.3) == pytest.approx(-0.8472978603872036, rel=1e-15)
    assert bernoulli.a(bernoulli.eta(0.3)) == pytest.approx(0.35667494393873245, rel=1e-15)
    assert bernoulli.variance(bernoulli.eta(0.3)) == pytest.approx(0.21, rel=1e-15)
    assert (bernoulli.b(2.0), bernoulli.log_b(2.0), log_density(2.0, 0.0, bernoulli)) == (0, -np.inf, -np.inf)


@pytest.mark.equation("A-2.3.1-2")
def test_gaussian_by_hand():
    """σ = 2, μ = 3: η = 3/4, a = 9/8, and b(0) = 1/(2√(2π)), b(-4) = b(0)e⁻²."""
    family = gaussian_with(2.0)
    assert (family.eta(3.0), family.a(0.75), family.mean(0.75), family.variance(0.75)) == (0.75, 9 / 8, 3, 4)
    assert family.b(0.0) == pytest.approx(1 / (2 * np.sqrt(2 * np.pi)), rel=1e-15)
    assert family.b(-4.0) == pytest.approx(np.exp(-2) / (2 * np.sqrt(2 * np.pi)), rel=1e-14)
    assert family.log_b(-4.0) == pytest.approx(-2 - np.log(2 * np.sqrt(2 * np.pi)), rel=1e-14)


def test_poisson_by_hand():
    """λ = 2: p(3) = 8/6 e⁻². Stirling: p(λ; λ) = 1/√(2πλ) · (1 - 1/12λ + ...); 10⁶! itself is out of range."""
    assert glm.poisson.b(3.0) == pytest.approx(1 / 6, rel=1e-14)
    assert np.exp(log_density(3.0, np.log(2), glm.poisson)) == pytest.approx(8 / 6 * np.exp(-2), rel=1e-14)
    at_the_mean = np.exp(log_density(1e6, np.log(1e6), glm.poisson))
    assert at_the_mean == pytest.approx(1 / np.sqrt(2e6 * np.pi), rel=1e-6)


@pytest.mark.equation("A-2.3.3-6", "A-2.3.3-8")
def test_categorical_by_hand():
    """φ = (1, 2, 5)/8: η = (ln 1/5, ln 2/5), a = ln 8/5. A common factor of φ, as counts have it, leaves η."""
    eta = glm.categorical_eta(np.array([1, 2, 5]) / 8)
    np.testing.assert_allclose(eta, [np.log(1 / 5), np.log(2 / 5)], rtol=1e-14)
    np.testing.assert_allclose(glm.categorical_eta([1, 2, 5]), eta, rtol=1e-14)
    assert glm.categorical_a(eta) == pytest.approx(np.log(8 / 5), rel=1e-14)
    np.testing.assert_allclose(glm.with_reference(eta), np.log([1 / 5, 2 / 5, 1]), rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(categorical.link(np.array([1 / 8, 2 / 8])), eta, rtol=1e-14)  # of the means alone
    assert (categorical.eta, categorical.a) == (glm.categorical_eta, glm.categorical_a)
    np.testing.assert_allclose(categorical.mean(eta), [1 / 8, 2 / 8], rtol=1e-14)
    np.testing.assert_allclose(64 * glm.categorical_variance(eta), [[7, -2], [-2, 12]], rtol=1e-13)


@pytest.mark.equation("A-2.2-2", "A-2.3.3-3", "A-2.3.3-4")
def test_the_statistic_by_hand():
    """Class numbers from 0: T(0) = e_1, ..., the last class is the zero vector. Of numbers T(y) = y."""
    assert glm.categorical_T([0, 1, 2, 3]).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert glm.categorical_T([1, 0], K=4).tolist() == [[0, 1, 0], [1, 0, 0]]
    assert glm.categorical_T(1, K=4).tolist() == glm.statistic(1, [0, 0, 0], glm.categorical).tolist() == [0, 1, 0]
    eta = np.log([[1.0, 2], [3, 4]])  # probabilities (1, 2, 1)/4 and (3, 4, 1)/8
    np.testing.assert_allclose(np.exp(glm.log_density(1, eta, glm.categorical)), [1 / 2, 1 / 2], rtol=1e-15)
    assert np.exp(glm.log_density(2, eta[0], glm.categorical)) == pytest.approx(1 / 4, rel=1e-15)
    assert glm.statistic([1, 0], np.zeros((2, 3)), categorical).tolist() == [[0, 1, 0], [1, 0, 0]]
    assert glm.statistic([1.0, 4.0], np.zeros(2), glm.poisson).tolist() == [1, 4]


@scalar
@pytest.mark.equation("A-2.2-2", "A-2.3.1-1", "A-2.3.2-1")
def test_the_exponential_form_is_the_usual_density(family):
    """b(y) e^(ηT(y) - a(η)), factor by factor and as the logarithm."""
    for eta in ETA:
        for y in (0.0, 1.0) if family is bernoulli else (0.0, 1.0, 5.0):
            expected = usual_density(family, y, eta)
            assert family.b(y) * np.exp(eta * family.T(y) - family.a(eta)) == pytest.approx(expected, rel=1e-12)
            assert log_density(y, eta, family) == pytest.approx(np.log(expected), rel=1e-12)
            assert np.log(family.b(y)) == pytest.approx(family.log_b(y), abs=1e-12)


@scalar
@pytest.mark.equation("A-2.2-2", "A-2.2-4")
def test_the_density_sums_to_one_and_has_this_mean_and_variance(family):
    """Σ p, Σ T p and Σ (T - E)² p; a sum of steps, too, is exact to rounding where p vanishes at both ends."""
    y, h, one = {"bernoulli": (np.arange(2.0), 1, 1e-15), "poisson": (np.arange(101.0), 1, 1e-14)}.get(
        family.name, (np.arange(-40, 40, 0.05), 0.05, 1e-13)
    )
    for eta in (-0.5, 0.25, 1.0):
        p = h * np.exp(log_density(y, np.full(len(y), eta), family))
        assert p.sum() == pytest.approx(1, rel=one)
        assert p @ y == pytest.approx(family.mean(eta), abs=1e-12)
        assert p @ (y - p @ y) ** 2 == pytest.approx(family.variance(eta), rel=1e-11)


@scalar
@pytest.mark.equation("A-2.2-4", "A-2.3.1-2", "A-2.3.2-2", "A-2.3.2-3")
def test_derivatives_of_a_are_mean_and_variance_and_eta_is_the_inverse_of_the_mean(family):
    np.testing.assert_allclose(np.diag(jacobian(family.a, ETA)), glm.mean(ETA, family), atol=1e-8)
    np.testing.assert_allclose(np.diag(jacobian(family.mean, ETA)), glm.variance(ETA, family), atol=1e-8)
    np.testing.assert_allclose(family.eta(family.mean(ETA)), ETA, atol=1e-14)


LINES_OF_A_2_3_3_5 = {
    1: lambda y, phi, T, K: np.prod([phi[i] ** (y == i) for i in range(K)]),
    2: lambda y, phi, T, K: (
        np.prod([phi[i] ** (y == i) for i in range(K - 1)]) * phi[K - 1] ** (1 - sum(y == i for i in range(K - 1)))
    ),
    3: lambda y, phi, T, K: np.prod(phi[:-1] ** T) * phi[K - 1] ** (1 - T.sum()),
    4: lambda y, phi, T, K: np.exp(T @ np.log(phi[:-1]) + (1 - T.sum()) * np.log(phi[K - 1])),
    5: lambda y, phi, T, K: np.exp(T @ np.log(phi[:-1] / phi[K - 1]) + np.log(phi[K - 1])),
}


@pytest.mark.equation("A-2.3.3-4", "A-2.3.3-5")
@pytest.mark.parametrize("line", LINES_OF_A_2_3_3_5)
def test_categorical_derivation_line_by_line(line):
    """Every line is the probability of the class, for each class."""
    for y in range(4):
        value = LINES_OF_A_2_3_3_5[line](y, PHI, glm.categorical_T([y], 4)[0], 4)
        assert value == pytest.approx(PHI[y], rel=1e-14)
        assert value == pytest.approx(np.exp(log_density([y], ETA_4[None], categorical))[0], rel=1e-14)


@pytest.mark.equation("A-2.3.3-7", "A-2.3.3-8", "A-2.3.3-9", "A-2.3.3-10", "A-2.3.3-12")
def test_categorical_in_exponential_form():
    """p(y; φ) = exp(η·T(y) + ln φ_K): b = 1 and a = -ln φ_K; φ_i = φ_K e^η_i, whose sum gives φ_K."""
    T = glm.categorical_T(np.arange(4))
    np.testing.assert_allclose(np.exp(T @ ETA_4 + np.log(PHI[3])), PHI, rtol=1e-14)
    b, a = categorical.b(np.arange(4)), categorical.a(ETA_4)
    np.testing.assert_array_equal(b, 1)
    assert a == pytest.approx(-np.log(PHI[3]), rel=1e-14)
    np.testing.assert_allclose(b * np.exp(T @ categorical.eta(PHI) - a), PHI, rtol=1e-14)
    p = np.exp(log_density(np.arange(4), np.tile(ETA_4, (4, 1)), categorical))
    np.testing.assert_allclose(p, PHI, rtol=1e-14)
    np.testing.assert_allclose(PHI[3] * np.exp(ETA_4), PHI[:3], rtol=1e-14)
    assert glm.categorical_phi(ETA_4)[3] == pytest.approx(1 / (1 + np.exp(ETA_4).sum()), rel=1e-14)


@pytest.mark.equation("A-2.3.3-6", "A-2.3.3-11")
def test_categorical_there_and_back():
    """Of two classes, the second the reference, it is the Bernoulli family."""
    np.testing.assert_allclose(glm.categorical_phi(glm.categorical_eta(PHI)), PHI, rtol=1e-14)
    eta = np.random.default_rng(2).normal(size=(5, 3))
    by_hand = np.column_stack([np.exp(eta), np.ones(5)]) / (1 + np.exp(eta).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(glm.categorical_phi(eta), by_hand, rtol=1e-14)
    np.testing.assert_allclose(categorical.mean(eta), by_hand[:, :3], rtol=1e-14)
    np.testing.assert_allclose(glm.categorical_eta(glm.categorical_phi(eta)), eta, atol=1e-14)
    np.testing.assert_allclose(glm.categorical_phi(ETA[:, None])[:, 0], sigmoid(ETA), rtol=1e-14)
    np.testing.assert_allclose(categorical.a(ETA[:, None]), bernoulli.a(ETA), rtol=1e-14)


@pytest.mark.equation("A-2.2-4", "A-2.3.3-8")
def test_the_derivative_of_the_class_means_is_the_covariance_of_the_statistic():
    eta = np.array([0.3, -1.2, 0.7])
    np.testing.assert_allclose(jacobian(categorical.mean, eta), glm.variance(eta, categorical), atol=1e-9)
    phi = glm.categorical_phi(eta)
    T = glm.categorical_T(np.arange(4)) - phi[:3]
    np.testing.assert_allclose((T.T * phi) @ T, glm.categorical_variance(eta), rtol=1e-13)


def test_extreme_parameters_of_numbers():
    for eta, phi in ((800.0, 1), (-800.0, 0)):
        assert (bernoulli.a(eta), bernoulli.mean(eta), bernoulli.variance(eta)) == (max(eta, 0), phi, 0)
        assert [log_density(y, eta, bernoulli) for y in (0.0, 1.0)] == [-max(eta, 0), -max(-eta, 0)]
    assert gaussian.a(800.0) == gaussian.a(-800.0) == 320_000
    assert log_density(800.0, 800.0, gaussian) == pytest.approx(-np.log(2 * np.pi) / 2)
    assert (glm.poisson.mean(-800.0), log_density(0.0, -800.0, glm.poisson)) == (0, 0)
    assert log_density(2.0, -800.0, glm.poisson) == pytest.approx(-1600 - np.log(2), rel=1e-15)


def test_extreme_parameters_of_classes():
    eta = np.array([[800.0, -800.0], [-800.0, -800.0], [800.0, 800.0]])
    np.testing.assert_allclose(categorical.a(eta), [800, 0, 800 + np.log(2)], rtol=1e-15)
    np.testing.assert_allclose(glm.categorical_phi(eta), [[1, 0, 0], [0, 0, 1], [0.5, 0.5, 0]], atol=1e-300)
    assert log_density([1, 2, 0], eta, categorical) == pytest.approx([-1600, 0, -np.log(2)])
    assert np.isfinite(glm.categorical_variance(eta)).all()
    with np.errstate(divide="ignore"):
        assert glm.categorical_eta([0, 1]) == -np.inf  # a class that never occurs
    assert categorical.a([-np.inf, 0.0]) == pytest.approx(np.log(2), rel=1e-15)
    assert categorical.a([]) == 0  # one class only: φ_K = 1


# --- links --------------------------------------------------------------------------------------------------


@pytest.mark.equation("A-2.1-1")
@pytest.mark.parametrize(
    "link, mean, extremes",
    [
        (glm.identity, ETA, {-1e300: -1e300, 1e300: 1e300}),
        (glm.log, np.array([1e-9, 0.2, 1.0, 7.0, 1e9]), {-800.0: 0, 700.0: np.exp(700)}),
        (glm.logit, np.array([1e-9, 0.1, 0.5, 0.7, 0.999]), {-800.0: 0, 800.0: 1}),
    ],
    ids=["identity", "log", "logit"],
)
def test_links_are_invertible_and_increasing(link, mean, extremes):
    eta = link.g(mean)
    np.testing.assert_allclose(link.inverse(eta), mean, rtol=1e-13)
    np.testing.assert_allclose(link.g(link.inverse(ETA)), ETA, atol=1e-14)
    assert (np.diff(eta) > 0).all() and (link.derivative(mean) > 0).all()
    np.testing.assert_allclose(np.diag(jacobian(link.g, mean[1:4])), link.derivative(mean[1:4]), rtol=1e-7)
    for score, value in extremes.items():
        assert link.inverse(score) == pytest.approx(value, rel=1e-14, abs=1e-300)


@pytest.mark.equation("A-2.1-1", "A-2.3.2-3", "A-2.3.2-4", "C-1-6", "D-0-4")
@pytest.mark.parametrize(
    "link, family",
    [(glm.identity, gaussian), (glm.log, glm.poisson), (glm.logit, bernoulli)],
    ids=["identity", "log", "logit"],
)
def test_the_two_definitions_agree(link, family):
    """g(E[y|x]) = w·x + b is what the family says: a' is the inverse of its own link."""
    w, b = np.array([0.7, -0.4]), 0.3
    mean = glm.predict(np.append(w, b), X, family)
    np.testing.assert_allclose(mean, link.inverse(POINTS @ w + b), rtol=1e-13)
    np.testing.assert_allclose(link.g(mean), POINTS @ w + b, atol=1e-13)
    np.testing.assert_allclose(link.derivative(mean) * family.variance(POINTS @ w + b), 1, rtol=1e-12)
    np.testing.assert_allclose(family.eta(mean), link.g(mean), atol=1e-13)
    if link is glm.logit:
        np.testing.assert_allclose(mean, logistic_regression.posterior(np.append(w, b), X), rtol=1e-13)


@pytest.mark.erratum("A64")
def test_probit_is_a_strictly_monotone_link_but_not_the_canonical_one():
    """Φ(x) rises, but its natural parameter, the log odds, is no linear function of x; that of σ(x) is."""
    x = np.linspace(-2, 2, 9)
    p = np.array([NormalDist().cdf(v) for v in x])
    assert np.all(np.diff(p) > 0)
    assert np.ptp(np.diff(bernoulli.eta(p))) > 0.1
    np.testing.assert_allclose(np.diff(bernoulli.eta(1 / (1 + np.exp(-x)))), 0.5, rtol=1e-12)


# --- loss, gradient, Hessian --------------------------------------------------------------------------------


def test_loss_and_derivatives_by_hand():
    """At w = 0: bernoulli N ln 2 and Σ(1/2 - y)x; poisson Σ(1 + ln y!) and Σ(1 - y)x; x = 2 of the last class 2/3."""
    Z, t, y = np.array([[1.0, 1.0], [2.0, 1.0]]), np.array([0.0, 1.0]), np.array([3.0, 0.0])
    assert loss(np.zeros(2), Z, t, bernoulli) == pytest.approx(2 * np.log(2), rel=1e-15)
    assert gradient(np.zeros(2), Z, t, bernoulli).tolist() == [-0.5, 0]
    assert hessian(np.zeros(2), Z, t, bernoulli).tolist() == [[5 / 4, 3 / 4], [3 / 4, 2 / 4]]
    assert loss(np.zeros(2), Z, y, glm.poisson) == pytest.approx(2 + np.log(6), rel=1e-14)
    assert gradient(np.zeros(2), Z, y, glm.poisson).tolist() == [0, -1]
    of_classes = gradient(np.zeros((1, 2)), np.array([[2.0]]), np.array([2.0]), categorical)
    np.testing.assert_allclose(of_classes, [[2 / 3, 2 / 3]], rtol=1e-15)
    priced = loss(np.ones(2), Z, t, bernoulli, lam=np.array([2.0, 0.0]))
    assert priced == pytest.approx(np.log1p(np.exp(2)) + np.log1p(np.exp(-3)) + 1, rel=1e-14)


@penalties
@families
@pytest.mark.equation("A-2.2-1", "A-2.2-3")
def test_loss_is_minus_the_logarithm_of_the_likelihood(name, lam):
    family, y = TARGETS[name]
    w = weights(name)
    each = [log_density(y[n : n + 1], X[n : n + 1] @ w, family)[0] for n in range(40)]
    cost = sum(np.broadcast_to(lam, 3)[j] * np.sum(w[j] ** 2) for j in range(3)) / 2
    assert loss(w, X, y, family, lam) == pytest.approx(cost - sum(each), rel=1e-13)


@penalties
@families
def test_gradient_and_hessian_are_the_derivatives_of_the_loss(name, lam):
    (family, y), w = TARGETS[name], weights(name)
    assert check_gradient(lambda w: loss(w, X, y, family, lam), lambda w: gradient(w, X, y, family, lam), w) < 1e-8
    H = hessian(w, X, y, family, lam)
    by_differences = jacobian(lambda w: gradient(w, X, y, family, lam).ravel(), w).reshape(w.size, w.size)
    np.testing.assert_allclose(H, by_differences, atol=1e-7 * np.abs(H).max())
    np.testing.assert_allclose(H, H.T, rtol=1e-13)
    assert np.linalg.eigvalsh(H).min() > 0


# --- iteratively reweighted least squares -------------------------------------------------------------------


def test_working_response_by_hand():
    """At w = 0: bernoulli (y - 1/2)/(1/4) = ±2, poisson y - 1, gaussian with σ = 2 y/4."""
    w, y = np.zeros(1), np.array([0.0, 1.0])
    assert glm.working_response(w, np.ones((2, 1)), y, bernoulli).tolist() == [-2, 2]
    assert glm.working_response(w, np.ones((2, 1)), y, glm.poisson).tolist() == [-1, 0]
    assert glm.working_response(w, np.ones((2, 1)), 8 * y, gaussian_with(2.0)).tolist() == [0, 2]


def test_an_irls_step_by_hand():
    """x = 1 and 1, t = 0 and 1, w = ln 3: R = 3/16, z = ln 3 - 4 and ln 3 + 4/3; λ = 5/8 makes XᵀRX + λ = 1."""
    w = np.array([np.log(3)])
    step = glm.irls_step(w, np.ones((2, 1)), np.array([0.0, 1.0]), bernoulli, 5 / 8)
    np.testing.assert_allclose(step, [3 / 8 * np.log(3) - 1 / 2], rtol=1e-14)


@single
@pytest.mark.parametrize("lam", [np.zeros(3), LAM], ids=["free", "penalty"])
def test_an_irls_step_is_a_newton_step_is_a_weighted_least_squares(name, lam):
    """A penalty is a row √λ_j e_j with the target 0 for each weight."""
    (family, y), w = TARGETS[name], weights(name)
    newton = w - np.linalg.solve(hessian(w, X, y, family, lam), gradient(w, X, y, family, lam))
    np.testing.assert_allclose(glm.irls_step(w, X, y, family, lam), newton, rtol=1e-10)
    root, z = np.sqrt(glm.variance(X @ w, family)), glm.working_response(w, X, y, family)
    rows = np.vstack([root[:, None] * X, np.diag(np.sqrt(lam))])
    np.testing.assert_allclose(np.linalg.lstsq(rows, np.append(root * z, np.zeros(3)))[0], newton, rtol=1e-10)


@pytest.mark.equation("A-2.3.1-3")
def test_gaussian_fit_and_one_step_from_anywhere_are_least_squares():
    y = TARGETS["gaussian"][1]
    step = glm.irls_step(weights("gaussian"), X, y, gaussian)
    np.testing.assert_allclose(step, least_squares(X, y), rtol=1e-12)
    for t in (y, 1e8 + POINTS[:, 0], 1e-9 * POINTS[:, 1] ** 2):
        np.testing.assert_allclose(fit(X, t, gaussian).w, least_squares(X, t), rtol=1e-10, atol=1e-10 * np.abs(t).max())


@families
def test_iterates_start_at_zero_and_end_where_fit_does(name):
    family, y = TARGETS[name]
    start, *_ = islice(glm.irls_iterates(X, y, family, 0.3), 1)
    np.testing.assert_array_equal(start.w, 0 * weights(name))
    np.testing.assert_allclose(start.gradient, gradient(start.w, X, y, family, 0.3), rtol=1e-13, atol=1e-13)
    for w in (None, weights(name)):
        end = optimize.run(glm.irls_iterates(X, y, family, 0.3, w=w))
        assert end.converged
        np.testing.assert_allclose(end.w, fit(X, y, family, 0.3).w, atol=1e-9)


@pytest.mark.parametrize("name", ["bernoulli", "poisson"])
def test_iterates_are_irls_steps_where_these_lower_the_loss(name):
    family, y = TARGETS[name]
    near = fit(X, y, family).w + 0.1
    for before, after in pairwise(islice(glm.irls_iterates(X, y, family, w=near), 4)):
        step = glm.irls_step(before.w, X, y, family)
        assert loss(step, X, y, family) < loss(before.w, X, y, family) + 1e-12
        np.testing.assert_allclose(after.w, step, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("offset", [1e3, 1e6])
def test_iterates_far_from_zero_end_at_the_fit(offset):
    """The digits of H⁻¹∇E are those of the gradient: w' - w of two steps near each other would lose them."""
    rng = np.random.default_rng(0)
    Z = rng.integers(-20, 21, (30, 2)) / 8
    X, y = np.column_stack([Z + offset, np.ones(30)]), Z[:, 1] + rng.normal(size=30)
    *_, last = glm.irls_iterates(X, y, gaussian)
    np.testing.assert_allclose(last.w[:2], fit(X, y, gaussian).w[:2], rtol=1e-4)


# --- fit ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "family, y, w",
    [
        (gaussian, EIGHT, 3 / 8),
        (gaussian_with(2.0), EIGHT, 3 / 32),
        (bernoulli, EIGHT, np.log(3 / 5)),
        (glm.poisson, 4 * EIGHT, np.log(12 / 8)),
        (categorical, [0, 1, 1, 2, 2, 2, 2, 2], [np.log(1 / 5), np.log(2 / 5)]),
    ],
    ids=["gaussian", "gaussian of sigma 2", "bernoulli", "poisson", "categorical"],
)
def test_a_constant_alone_is_the_link_of_the_mean(family, y, w):
    found = fit(ONE, y, family)
    assert found.converged
    np.testing.assert_allclose(found.w, np.atleast_2d(w) if family is categorical else [w], rtol=1e-9)


@pytest.mark.parametrize("family, lam", [(glm.poisson, 1e-6), (bernoulli, 1e-6), (bernoulli, 1e-12)])
def test_with_any_penalty_there_is_a_minimum(family, lam):
    """x = ±1, y = 1 and 0 (3 and 0): by symmetry 2σ(-w) = λw; 3 - e^w + e^-w = λw."""
    found = fit([[1.0], [-1.0]], [1, 0] if family is bernoulli else [3, 0], family, lam)
    assert found.converged
    w = found.w[0]
    left = 2 * sigmoid(-w) if family is bernoulli else 3 - np.exp(w) + np.exp(-w)
    assert left == pytest.approx(lam * w, rel=1e-6, abs=0 if family is bernoulli else 1e-12)


def test_recreation_as_published():
    """R, AER: glm(trips ~ ., RecreationDemand, poisson)."""
    table = datasets.recreation()
    assert table.features == ("quality", "skiyes", "income", "userfeeyes", "costC", "costS", "costH")
    published = [0.4717259, 0.4182137, -0.1113232, 0.8981653, -0.0034297, -0.0425364, 0.0361336, 0.2649934]
    found = fit(augment(table.X), table.y, glm.poisson)
    assert found.converged
    np.testing.assert_allclose(found.w, published, atol=6e-8)


@pytest.mark.parametrize("name", ["bernoulli", "poisson", "categorical"])
def test_a_family_without_a_solver_of_its_own_ends_at_the_same_weights(name):
    family, y = TARGETS[name]
    plain = fit(X, y, replace(family, solver=None), 0.3)
    assert plain.converged
    np.testing.assert_allclose(plain.w, fit(X, y, family, 0.3).w, atol=1e-8)


def test_a_family_of_ones_own():
    """Times to failure, p(y) = λe^(-λy) = exp(ηy + ln(-η)), η = -λ: the minimum is at η = -1/mean."""
    exponential = glm.Family(
        name="exponential",
        b=lambda y: np.ones(np.shape(y)),
        log_b=lambda y: np.zeros(np.shape(y)),
        T=lambda y: y,
        eta=lambda mu: -1 / mu,
        a=lambda eta: -np.log(-eta),
        mean=lambda eta: -1 / eta,
        variance=lambda eta: 1 / eta**2,
        observed=lambda y: np.asarray(y, float),
    )
    y = np.array([1.0, 2, 3, 6])
    found = optimize.run(glm.irls_iterates(np.ones((4, 1)), y, exponential, w=[-0.5]))
    np.testing.assert_allclose(found.w, [-1 / 3], rtol=1e-9)
    np.testing.assert_allclose(fit(np.ones((4, 1)), y, exponential).w, [-1 / 3], rtol=1e-9)
    assert log_density(2.0, -1 / 3, exponential) == pytest.approx(np.log(1 / 3) - 2 / 3)


# --- fit: no minimum, or many -------------------------------------------------------------------------------


def test_counts_of_zero_in_a_group_have_no_minimum():
    """The rate of the second group is 0 = e^-inf; the first keeps its mean 3."""
    Z, y = augment([[0], [0], [0], [1], [1]]), np.array([3.0, 2, 4, 0, 0])
    found = fit(Z, y, glm.poisson)
    assert not found.converged and re.search("no finite minimum.*zero counts", found.reason)
    np.testing.assert_allclose(Z @ found.direction / np.abs(found.direction).max(), [0, 0, 0, -1, -1], atol=1e-6)
    assert found.w[1] == pytest.approx(np.log(3), rel=1e-6)
    assert fit(Z, y, glm.poisson, [0.1, 0.0]).converged


# --- fit: numbers of any size, and many of them -------------------------------------------------------------


def test_any_constant_column_is_a_bias():
    """A column of minus threes, in the first place, and features far from zero: its weight is -b/3."""
    t, Z = TARGETS["bernoulli"][1], np.round(4 * POINTS)
    *slopes, b = fit(augment(Z), t, bernoulli).w
    w = fit(np.column_stack([np.full(40, -3.0), Z + 1e8]), t, bernoulli).w
    np.testing.assert_allclose(w[1:], slopes, rtol=1e-7)
    np.testing.assert_allclose(w[0], -(b - 1e8 * sum(slopes)) / 3, rtol=1e-7)


def test_one_huge_count_among_small_ones():
    """The full step of the iterates overshoots to e^1000: halved, silently."""
    Z, y = augment(np.linspace(-3, 3, 40)[:, None]), np.append(1e6, np.ones(39))
    found = fit(Z, y, glm.poisson)
    assert found.converged
    assert newton_decrement(found.w, Z, y, glm.poisson) < 1e-6
    path = optimize.run(glm.irls_iterates(Z, y, glm.poisson), tol=1e-4)
    np.testing.assert_allclose(path.w, found.w, rtol=1e-8)
    losses = [loss(s.w, Z, y, glm.poisson) for s in islice(glm.irls_iterates(Z, y, glm.poisson), 20)]
    assert all(after <= before for before, after in pairwise(losses[:10]))


@pytest.mark.parametrize(
    "name, lam", [("bernoulli", 0.0), ("poisson", 100.0), ("categorical", 0.0), *slow([("gaussian", 100.0)])]
)
def test_the_short_way_for_many_samples_ends_where_the_long_one_does(name, lam, monkeypatch):
    """So many samples that a part of them shows the way."""
    rng, N = np.random.default_rng(5), likelihood.MANY // 4 + 1
    points = rng.normal(size=(N, 3))
    eta = points @ [1.0, -0.5, 0.2] - 1
    family, y = {
        "gaussian": (gaussian, eta + rng.normal(size=N)),
        "bernoulli": (bernoulli, (rng.random(N) < sigmoid(eta)).astype(float)),
        "poisson": (glm.poisson, rng.poisson(np.exp(eta)).astype(float)),
        "categorical": (categorical, (eta[:, None] + rng.logistic(size=(N, 1)) > [-2.0, 0.0]).sum(axis=1)),
    }[name]
    Z, lam = augment(points), free_bias(lam, 4)
    short = fit(Z, y, family, lam)
    monkeypatch.setattr(likelihood, "MANY", 2**60)
    long = fit(Z, y, family, lam)
    assert short.converged and long.converged
    np.testing.assert_allclose(short.w, long.w, atol=1e-6 * np.abs(long.w).max())
    assert np.abs(gradient(short.w, Z, y, family, lam)).max() / len(y) < 1e-8
    assert newton_decrement(long.w, Z, y, family, lam) < 1e-6


# --- dispersion and log-linear regression -------------------------------------------------------------------


def test_dispersion_by_hand():
    """(0, 0), (1, 1), (2, 3): residuals 1/6, -1/3, 1/6 with one degree of freedom left. σ = 2 measures it in 4.

    Counts 1, 2, 3, 6 around 3: (4 + 1 + 0 + 9)/3 over three degrees of freedom.
    """
    Z, y = augment([[0], [1], [2]]), np.array([0.0, 1, 3])
    w = least_squares(Z, y)
    assert glm.dispersion(w, Z, y, gaussian) == pytest.approx(1 / 6, rel=1e-12)
    assert glm.dispersion(w / 4, Z, y, gaussian_with(2.0)) == pytest.approx(1 / 24, rel=1e-12)
    counts = glm.dispersion(np.array([np.log(3)]), np.ones((4, 1)), np.array([1.0, 2, 3, 6]), glm.poisson)
    assert counts == pytest.approx(14 / 9, rel=1e-13)


@pytest.mark.equation("A-2.1-2", "A-2.1-3")
def test_log_linear_regression_without_noise():
    """y = e^(2x - 1) is linear in its logarithm, not in itself."""
    x = augment([[0.0], [0.5], [1.0], [3.0]])
    y = np.exp(x @ [2, -1])
    np.testing.assert_allclose(glm.log_linear_regression(x, y), [2, -1], rtol=1e-14)
    np.testing.assert_allclose(np.exp(x @ glm.log_linear_regression(x, y)), y, rtol=1e-13)
    assert np.abs(x @ least_squares(x, y) - y).max() > 1


@pytest.mark.equation("A-2.1-3")
@pytest.mark.erratum("A13")
def test_log_linear_regression_estimates_the_median_not_the_mean():
    """ln y = wx + b + 0.8z, z the quantiles of the normal distribution at each x: nothing is left to luck.

    The fit is exact and e^(wx+b) the median; the mean is higher by e^(0.32) = 1.377.
    """
    s, w, b = 0.8, 1.5, -0.5
    z = np.array([NormalDist().inv_cdf((i + 0.5) / 9999) for i in range(9999)])
    x = np.array([-1.0, 0.0, 2.0])
    y = np.exp(w * x[:, None] + b + s * z)
    found = glm.log_linear_regression(augment(np.repeat(x, 9999)[:, None]), y.ravel())
    np.testing.assert_allclose(found, [w, b], rtol=1e-11)
    claimed = np.exp(found[0] * x + found[1])
    np.testing.assert_allclose(np.median(y, axis=1), claimed, rtol=1e-11)
    assert (y.mean(axis=1) > 1.37 * claimed).all()
    np.testing.assert_allclose(y.mean(axis=1), claimed * np.exp(s**2 / 2), rtol=1e-3)
    straight = np.sum((y - y.mean(axis=1, keepdims=True)) ** 2)
    assert np.sum((y - claimed[:, None]) ** 2) > straight * 1.05  # nor does it come nearest to y


@pytest.mark.erratum("A13")
def test_log_linear_regression_needs_positive_targets_and_the_model_of_counts_does_not():
    with pytest.raises(ValueError, match=r"y must be > 0, found 0 at position 1"):
        glm.log_linear_regression([[1.0], [2.0]], [1.0, 0.0])
    assert fit([[1.0], [1.0]], [4, 0], glm.poisson).w[0] == pytest.approx(np.log(2))


# --- where the notes are wrong ------------------------------------------------------------------------------


@pytest.mark.equation("A-2.1-1")
@pytest.mark.erratum("A12")
def test_the_link_acts_on_the_mean_not_on_the_label():
    """Printed g(y) = w·x + b: the logit of a label is ±inf, no line reaches it; that of the mean 3/8 is ln(3/5)."""
    assert glm.logit.g(np.array([0.0, 1.0])).tolist() == [-np.inf, np.inf]
    with pytest.raises(ValueError, match="y holds"):
        least_squares(ONE, glm.logit.g(EIGHT))
    assert fit(ONE, EIGHT, bernoulli).w[0] == pytest.approx(glm.logit.g(EIGHT.mean()), rel=1e-9)
    assert glm.logit.g(EIGHT.mean()) == pytest.approx(np.log(3 / 5), rel=1e-15)


@pytest.mark.equation("A-2.2-2")
@pytest.mark.erratum("A14")
def test_a_vector_parameter_needs_the_inner_product():
    """Printed ηT(y): for four classes an array of three numbers, and no probability; η·T(y) is one."""
    T = glm.categorical_T([1], 4)[0]
    printed = np.exp(ETA_4 * T - categorical.a(ETA_4))
    assert printed.shape == (3,)
    assert np.abs(printed - PHI[1]).max() > 0.1
    assert np.exp(ETA_4 @ T - categorical.a(ETA_4)) == pytest.approx(PHI[1], rel=1e-14)
    assert log_density([1], ETA_4[None], categorical).shape == (1,)
    assert categorical.dot(np.array([[1.0, 2], [0, 1]]), np.array([[3.0, 4], [5, 6]])).tolist() == [11, 6]
    assert glm.poisson.dot(np.array([2.0, 1]), np.array([3.0, 5])).tolist() == [6, 5]


@pytest.mark.equation("A-2.3.1-2")
@pytest.mark.erratum("A15")
def test_a_of_the_gaussian_is_a_function_of_eta():
    """Printed μ²/2σ²: its derivative is μ/σ², and only as σ²η²/2 it is the mean."""
    mu, s = 1.5, 2.0
    as_printed = central_difference(lambda mu: mu**2 / (2 * s**2), mu)
    assert as_printed == pytest.approx(mu / s**2)
    assert abs(as_printed - mu) > 1
    family = gaussian_with(s)
    assert family.a(mu / s**2) == mu**2 / (2 * s**2)
    assert central_difference(family.a, mu / s**2) == pytest.approx(mu)


@pytest.mark.equation("A-2.3.1-3")
@pytest.mark.erratum("A15")
def test_linear_regression_is_the_gaussian_model_of_width_one_only():
    """y = 3x with σ = 2: η = w·x has w = 3/4, not 3, and the mean is σ²w·x."""
    x = np.array([[1.0], [2.0], [4.0]])
    y = 3 * x[:, 0]
    w = fit(x, y, gaussian_with(2.0)).w
    np.testing.assert_allclose(w, [3 / 4], rtol=1e-14)
    assert np.abs(x @ w - y).max() > 2  # printed: the mean is w·x
    np.testing.assert_allclose(glm.predict(w, x, gaussian_with(2.0)), y, rtol=1e-14)
    np.testing.assert_allclose(fit(x, y, gaussian).w, [3], rtol=1e-14)


@pytest.mark.equation("A-2.3.2-1", "A-2.3.2-2")
@pytest.mark.erratum("A16", "A19")
def test_a_bernoulli_variable_is_a_binomial_one_of_one_trial():
    """Printed "Bernoulli (binomial)": with two trials p(0) + p(1) = 1 - φ², and the formula gives no p(2).

    Printed a = -ln(1 - φ): its derivative is 1/(1 - φ), and only as ln(1 + e^η) it is the mean φ.
    """
    phi = 0.3
    printed = {y: phi**y * (1 - phi) ** (1 - y) for y in (0, 1, 2)}
    two_trials = {0: (1 - phi) ** 2, 1: 2 * phi * (1 - phi), 2: phi**2}
    assert printed[0] + printed[1] == pytest.approx(1)
    assert two_trials[0] + two_trials[1] == pytest.approx(1 - phi**2)
    assert all(abs(printed[y] - two_trials[y]) > 0.01 for y in (0, 1, 2))
    eta = np.log(phi / (1 - phi))
    for y in (0.0, 1.0):
        assert np.exp(log_density(y, eta, bernoulli)) == pytest.approx(printed[y], rel=1e-14)
    assert central_difference(lambda phi: -np.log(1 - phi), phi) == pytest.approx(1 / 0.7)
    assert bernoulli.a(eta) == pytest.approx(-np.log(1 - phi), rel=1e-14)
    assert central_difference(bernoulli.a, eta) == pytest.approx(phi)


@pytest.mark.equation("A-2.2-2", "A-2.3.3-1", "A-2.3.3-2", "A-2.3.3-5")
@pytest.mark.erratum("A17")
def test_one_of_k_classes_is_no_vector_of_k_coins():
    """Printed "multivariate Bernoulli": K coins fall on exactly one head k with φ_k Π(1 - φ_j), 2^K outcomes in all;
    one of K classes has the probabilities φ_k themselves, and these sum to 1 by normalisation."""
    coins = np.array([PHI[k] * np.prod(np.delete(1 - PHI, k)) for k in range(4)])
    assert coins[0] == pytest.approx(0.1 * 0.8 * 0.7 * 0.6)
    assert coins.sum() < 0.5
    p = np.exp(log_density(np.arange(4), np.tile(ETA_4, (4, 1)), categorical))
    np.testing.assert_allclose(p, PHI, rtol=1e-14)
    assert p.sum() == pytest.approx(1, rel=1e-15)
    assert p[3] == pytest.approx(1 - p[:3].sum(), rel=1e-14)
    np.testing.assert_allclose(glm.categorical_phi(ETA_4), PHI, rtol=1e-14)


@pytest.mark.equation("A-2.3.3-3")
@pytest.mark.erratum("A18")
def test_the_printed_statistic_makes_probabilities_that_sum_to_more():
    """Printed T(K - 1) = 0, as T(K): then the class K - 1 gets φ_K, and the sum is 1.1."""
    right = glm.categorical_T(np.arange(4))
    printed = right.copy()
    printed[2] = 0
    p = np.exp(printed @ ETA_4 - categorical.a(ETA_4))
    np.testing.assert_allclose(p, [0.1, 0.2, 0.4, 0.4], rtol=1e-14)
    assert p.sum() == pytest.approx(1.1, rel=1e-14)
    np.testing.assert_allclose(np.exp(right @ ETA_4 - categorical.a(ETA_4)), PHI, rtol=1e-14)


@pytest.mark.equation("A-2.3.3-8")
@pytest.mark.erratum("A19")
def test_a_of_the_classes_is_a_function_of_eta():
    """Printed -ln φ_K: with φ_K = 1 - Σφ_i its derivatives are all 1/φ_K; by η they are the φ_i."""
    printed = central_difference(lambda phi: -np.log(1 - phi.sum()), PHI[:3])
    np.testing.assert_allclose(printed, 1 / PHI[3], rtol=1e-8)
    assert np.abs(printed - PHI[:3]).min() > 1
    assert categorical.a(ETA_4) == pytest.approx(-np.log(PHI[3]), rel=1e-14)
    np.testing.assert_allclose(central_difference(categorical.a, ETA_4), PHI[:3], atol=1e-9)


@pytest.mark.erratum("A61")
def test_a_bias_is_a_weight_of_an_appended_one():
    w, b = np.array([0.4, -0.7]), 1.3
    np.testing.assert_allclose(X @ [*w, b], POINTS @ w + b, rtol=1e-14)
    assert not np.allclose(POINTS @ w, POINTS @ w + b)  # without it eta is another one


@pytest.mark.equation("C-1-6")
@pytest.mark.erratum("C04")
def test_an_activation_alone_does_not_fix_the_loss():
    """y = f(w·x) with the squared error, x = e_1, e_2 and t = 0: the curvature along each is p²(1 - p)(2 - 3p),
    -9/256 at p = 3/4 and 1/16 at p = 1/2. The likelihood of the same model curves upwards everywhere."""
    Z, t, w = np.eye(2), np.zeros(2), np.array([np.log(3), 0.0])

    def squared_gradient(w):
        p = glm.predict(w, Z, bernoulli)
        return Z.T @ ((p - t) * p * (1 - p))

    assert check_gradient(lambda w: np.sum((glm.predict(w, Z, bernoulli) - t) ** 2) / 2, squared_gradient, w) < 1e-8
    squared = jacobian(squared_gradient, w)
    np.testing.assert_allclose(squared, np.diag([-9 / 256, 1 / 16]), atol=1e-8)
    assert np.linalg.eigvalsh(squared)[0] < 0 < np.linalg.eigvalsh(squared)[1]
    np.testing.assert_allclose(hessian(w, Z, t, bernoulli), np.diag([3 / 16, 1 / 4]), rtol=1e-14)
    for point in np.random.default_rng(7).normal(size=(20, 3)) * 3:
        assert np.linalg.eigvalsh(hessian(point, X, TARGETS["bernoulli"][1], bernoulli)).min() > 0


# --- what a family cannot take ------------------------------------------------------------------------------


REFUSED = {  # words, and what is refused with them; shapes and codes are in the tables of test_equations.py
    "measurements are no counts": (
        r"y must hold counts .* found 0\.5 at position 1; for measurements take glm\.gaussian",
        lambda: fit(ONE, EIGHT / 2, glm.poisson),
    ),
    "a working response of vectors": (
        "family must have a number η for each sample, found categorical",
        lambda: glm.working_response(np.zeros(3), X, TARGETS["categorical"][1], categorical),
    ),
    "unknown classes": (
        r"y must hold the class numbers 0\.\.2, found",
        lambda: glm.statistic(3 * EIGHT, np.zeros((8, 2)), categorical),
    ),
    "a number for a family of vectors": (
        "eta must be a vector, the family is categorical; found a number",
        lambda: glm.mean(2.0, categorical),
    ),
    "one natural parameter as a number": (
        r"eta must be of shape \(k,\) or of shape \(N, k\); found shape \(\)",
        lambda: glm.categorical_phi(2.0),
    ),
    "no probability": (
        "phi must be >= 0, found -0.1 at position 0",
        lambda: glm.categorical_eta([-0.1, 0.6, 0.5]),
    ),
    "no residual left": (
        "X has 3 rows for 3 weights; more samples than weights are needed",
        lambda: glm.dispersion(np.zeros(3), X[:3], np.zeros(3), gaussian),
    ),
}


@pytest.mark.parametrize("told, call", REFUSED.values(), ids=REFUSED)
def test_what_a_family_cannot_take_is_refused_in_its_words(told, call):
    with pytest.raises(ValueError, match=told):
        call()


@pytest.mark.slow
@pytest.mark.parametrize("lam", [0.5, 5.0, 200.0])
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn(lam):
    """The fenced block of the chapter, as it stands there, on its trips: alpha = λ/N, and a bias without a penalty."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    cells = notebooks.read(ROOT / "notebooks" / "03_glm.ipynb")["cells"]
    (text,) = (notebooks.text(cell["source"]) for cell in cells if cell["id"] == "ch03-sklearn")
    trips = datasets.recreation()
    names = {"np": np, "X": augment(trips.X), "y": trips.y, "lam": lam}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], names)
    np.testing.assert_allclose(names["w"], fit(names["X"], trips.y, glm.poisson, free_bias(lam, 8)).w, rtol=1e-5)


def test_the_sandwich_of_the_chapter_is_right_where_the_variance_is_not():
    """Counts with three times the variance of Poisson: the sandwich, and not H⁻¹, is the scatter of the weights."""
    rng = np.random.default_rng(4)
    A = augment(np.linspace(-1, 1, 200)[:, None])
    mean = np.exp(A @ [0.5, 1.0])
    found, told, poisson_told = [], [], []
    for _ in range(300):
        y = rng.negative_binomial(mean / 2, 1 / 3)  # mean m, variance 3m
        w = fit(A, y, glm.poisson).w
        cov = np.linalg.inv(hessian(w, A, y, glm.poisson))
        found.append(w[0])
        told.append((cov @ ((A.T * (y - np.exp(A @ w)) ** 2) @ A) @ cov)[0, 0])
        poisson_told.append(cov[0, 0])
    assert np.mean(told) == pytest.approx(np.var(found), rel=0.2)
    assert np.mean(poisson_told) == pytest.approx(np.var(found) / 3, rel=0.2)

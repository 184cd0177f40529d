"""Chapter 08, naive Bayes: every equation of notes C 1 (Bayes' rule) and C 4, and where the notes are wrong."""

import re
from fractions import Fraction as F
from itertools import product
from math import fsum, log, prod
from pathlib import Path

import numpy as np
import pytest
from cases import slow

from linmodels import datasets, logistic_regression, softmax_regression
from linmodels import naive_bayes as nb
from linmodels.book import notebooks
from linmodels.derivatives import central_difference
from linmodels.design import augment, one_hot
from linmodels.naive_bayes import (
    Model,
    as_linear,
    bernoulli,
    class_conditional,
    fit,
    log_joint,
    log_likelihood,
    log_odds,
    posterior,
    predict,
    sample,
    smoothed,
)
from linmodels.special import sigmoid

ROOT = Path(__file__).parent.parent
RNG = np.random.default_rng(0)
LABELS = np.append(RNG.integers(0, 2, 58), [0, 1])
BITS = (RNG.random((60, 4)) < np.where(LABELS[:, None] == 1, [0.7, 0.3, 0.5, 0.6], [0.4, 0.5, 0.5, 0.2])).astype(int)
CLASSES = np.append(RNG.integers(0, 3, 57), [0, 1, 2])
VALUES = np.column_stack([(CLASSES + RNG.integers(0, 2, 60)) % 3, RNG.integers(0, [2, 4], (60, 2))])
SIZES = [3, 2, 4]  # how many values each of the three features has
ONE_HOT = np.hstack([one_hot(VALUES[:, i], M) for i, M in enumerate(SIZES)])

PI, MU_1, MU_0 = F(1, 4), [F(1, 2), F(1, 3)], [F(1, 5), F(3, 4)]  # the model of the values by hand
BY_HAND = bernoulli(1 / 4, [1 / 2, 1 / 3], [1 / 5, 3 / 4])


def corners(d):
    """{0,1}^d."""
    return np.array(list(product((0, 1), repeat=d)))


def bit(mu, x):
    """p(x|C_k) of bits as printed, Π_i μ_i^x_i (1 - μ_i)^(1 - x_i), in fractions."""
    return prod(m ** int(v) * (1 - m) ** (1 - int(v)) for m, v in zip(mu, x, strict=True))


def counted(X, t, s=0, s_prior=0, sizes=None):
    """The estimates by counting, in fractions: π_k = prior[k], θ_iv|k = theta[k][i][v]."""
    K, sizes = max(t) + 1, [2] * len(X[0]) if sizes is None else sizes
    prior = [F(sum(c == k for c in t) + s_prior, len(t) + K * s_prior) for k in range(K)]
    theta = [
        [
            [F(sum(c == k and x[i] == v for x, c in zip(X, t, strict=True)) + s, sum(c == k for c in t) + M * s)
             for v in range(M)]
            for i, M in enumerate(sizes)
        ]
        for k in range(K)
    ]  # fmt: skip
    return prior, theta


def flat(model):
    """θ_iv|k of all pairs (i, v), (K, Σ M_i)."""
    return np.hstack([model.theta[:, i, :M] for i, M in enumerate(model.n_values)])


def assert_is(model, prior, theta):
    """The model has these fractions, and 0 for values beyond those of a feature."""
    np.testing.assert_allclose(model.prior, [float(p) for p in prior], rtol=1e-14)
    assert model.n_values.tolist() == [len(shares) for shares in theta[0]]
    padded = [[[*shares, *[0] * (max(model.n_values) - len(shares))] for shares in table] for table in theta]
    np.testing.assert_allclose(model.theta, np.array(padded, float), rtol=1e-14)


# --- the model ----------------------------------------------------------------------------------------------


@pytest.mark.equation("C-4-1", "C-4.1-2", "C-4.1-3", "C-4.2-1", "C-4.2-2", "C-4.2-3")
def test_the_joint_probabilities_by_hand():
    """x = (1, 0): 1/4 · 1/2 · 2/3 = 1/12 and 3/4 · 1/5 · 1/4 = 3/80."""
    np.testing.assert_allclose(BY_HAND.prior, [3 / 4, 1 / 4], rtol=1e-15)  # class 0, the C_2 of the notes, is first
    np.testing.assert_allclose(BY_HAND.mu, [[1 / 5, 3 / 4], [1 / 2, 1 / 3]], rtol=1e-15)
    np.testing.assert_allclose(BY_HAND.theta[1], [[1 / 2, 1 / 2], [2 / 3, 1 / 3]], rtol=1e-15)
    np.testing.assert_allclose(log_joint(BY_HAND, [[1, 0]]), np.log([[3 / 80, 1 / 12]]), rtol=1e-14)


@pytest.mark.equation("C-4.1-1", "C-4.1-2", "C-4.1-4", "C-4.2-2", "C-4.2-3")
def test_the_joint_is_the_prior_times_the_printed_product():
    X, model = corners(4), fit(BITS, LABELS)
    prior, theta = counted(BITS, LABELS, 1)
    for k in (0, 1):
        printed = np.array([bit([share[1] for share in theta[k]], x) for x in X])
        np.testing.assert_allclose(class_conditional(model.mu[k], X), printed.astype(float), rtol=1e-14)
        assert printed.sum() == 1  # over {0,1}^d
        np.testing.assert_allclose(np.exp(log_joint(model, X)[:, k]), (prior[k] * printed).astype(float), rtol=1e-13)


@pytest.mark.equation("C-4.1-2", "C-4.1-3")
def test_features_are_independent_given_the_class_but_not_otherwise():
    X, p = corners(2), np.exp(log_joint(BY_HAND, corners(2)))
    for k in (0, 1):
        q = p[:, k] / p[:, k].sum()
        single = [q[X[:, i] == 1].sum() for i in (0, 1)]
        np.testing.assert_allclose(single, BY_HAND.mu[k], rtol=1e-14)
        assert q[3] == pytest.approx(single[0] * single[1], rel=1e-14)
    q = p.sum(axis=1)
    assert abs(q[3] - q[X[:, 0] == 1].sum() * q[X[:, 1] == 1].sum()) > 0.02


def test_models_are_equal_where_all_their_numbers_are_and_cannot_be_changed():
    X, t = np.array([[0, 1], [1, 1], [0, 0]]), [0, 1, 1]
    model = fit(X, t)
    assert model == fit(X[::-1], t[::-1]) and model in [None, model]
    assert model != fit(X, t, smoothing=2.0) and model != fit(X[:, :1], t) and model != fit(X, t, n_values=3)
    assert model != fit(X, [1, 0, 0]) and model != "model"
    with pytest.raises(AttributeError):
        model.prior = np.array([0.5, 0.5])


# --- learning: the estimates --------------------------------------------------------------------------------


@pytest.mark.equation("C-4.2-6", "C-4.2-7", "C-4.3-3")
def test_counts_by_hand():
    """Of class 1, three samples: x_1 = 1 twice, x_2 = 1 once. Of categories with a value that never occurs."""
    X, t = [[1, 0], [1, 1], [0, 0], [0, 1]], [1, 1, 1, 0]
    np.testing.assert_array_equal(nb.counts(X, t), [[[1, 0], [0, 1]], [[1, 2], [2, 1]]])
    categories = [[2, 0], [0, 1], [2, 1]]
    expected = [[[0, 0, 1, 0], [1, 0, 0, 0]], [[1, 0, 1, 0], [0, 2, 0, 0]]]
    np.testing.assert_array_equal(nb.counts(categories, [0, 1, 1], n_values=[4, 2]), expected)


@pytest.mark.equation("C-4.2-5", "C-4.2-6", "C-4.2-7", "C-4.2-8")
@pytest.mark.erratum("C15", "C16")
def test_the_sums_are_the_counts():
    """π = Σ t/N, μ_i|1 = Σ t x_i/Σ t, μ_i|0 = Σ (1 - t) x_i/Σ (1 - t); 1{.} and I{.}, both printed, are one symbol.

    The last without its parentheses, as printed, is (Σ 1) - t_n: another number for every sample."""
    X, t = [[1, 0], [1, 1], [0, 1], [1, 1]], [0, 1, 1, 0]
    model = fit(X, t, 0)
    np.testing.assert_allclose(model.prior, [1 / 2, 1 / 2], rtol=1e-15)
    np.testing.assert_allclose(model.mu, [[1, 1 / 2], [1 / 2, 1]], rtol=1e-15)
    literal = len(t) - np.array(t)
    assert set(literal) == {3, 4} and (1 - np.array(t)).sum() == 2
    assert (np.abs(2 / literal - model.mu[0, 0]) >= 1 / 3).all()  # Σ (1 - t) x_1 = 2, μ_1|0 = 1
    t, N = LABELS, len(LABELS)
    model = fit(BITS, LABELS, 0)
    np.testing.assert_allclose(model.prior, [1 - t.sum() / N, t.sum() / N], rtol=1e-14)
    np.testing.assert_allclose(model.mu, [(1 - t) @ BITS / (1 - t).sum(), t @ BITS / t.sum()], rtol=1e-14)


@pytest.mark.equation("C-4.2-8", "C-4.3-3", "C-4.4-3", "C-4.4-4")
@pytest.mark.parametrize("s, s_prior", [(0, 1), (3, F(5, 2)), *slow([(F(1, 2), 0), (1, 1)])])
@pytest.mark.parametrize("X, sizes", [(BITS, None), (VALUES, SIZES)], ids=["bits", "categories"])
def test_the_estimates_are_the_counted_fractions(X, sizes, s, s_prior):
    """By default as the notes have it: μ_i|k = (count + 1)/(N_k + 2), but π_k = N_k/N."""
    found = fit(X, CLASSES, float(s), float(s_prior), n_values=sizes)
    assert_is(found, *counted(X, CLASSES, s, s_prior, sizes))
    assert_is(fit(X, CLASSES, n_values=sizes), *counted(X, CLASSES, 1, 0, sizes))


@pytest.mark.equation("C-4.2-8", "C-4.3-3")
def test_titanic_as_published():
    """The help page of naiveBayes in the R package e1071: Survived ~ Class + Sex + Age, without smoothing."""
    table = datasets.titanic()
    model = fit(table.X, table.y, 0, n_values=[4, 2, 2])
    np.testing.assert_allclose(model.prior, [0.676965, 0.323035], atol=5e-7)
    published = [
        [[0.08187919, 0.11208054, 0.35436242, 0.45167785], [0.91543624, 0.08456376], [0.96510067, 0.03489933]],
        [[0.28551336, 0.16596343, 0.25035162, 0.29817159], [0.51617440, 0.48382560], [0.91983122, 0.08016878]],
    ]
    for found, shares in zip(model.theta, published, strict=True):
        for i, row in enumerate(shares):
            np.testing.assert_allclose(found[i, : len(row)], row, atol=5e-9)
    np.testing.assert_allclose(model.theta[1, 0] * 711, [203, 118, 178, 212], rtol=1e-14)


@pytest.mark.equation("C-4.2-4", "C-4.3-3")
def test_the_likelihood_is_the_printed_product():
    """Π_n p(x_n, C_1)^t_n p(x_n, C_2)^(1 - t_n), in fractions; of three classes Π_n p(x_n, C_t_n)."""
    X, t = [[1, 0], [1, 1], [0, 1], [0, 0], [1, 0]], [0, 1, 1, 0, 1]
    one, zero = ([p * bit(mu, x) for x in X] for p, mu in ((PI, MU_1), (1 - PI, MU_0)))
    printed = prod(a**c * b ** (1 - c) for a, b, c in zip(one, zero, t, strict=True))
    assert log_likelihood(BY_HAND, X, t) == pytest.approx(log(printed.numerator) - log(printed.denominator), rel=1e-14)
    model = fit(VALUES, CLASSES, 0, n_values=SIZES)
    total = sum(log(model.prior[c]) for c in CLASSES)
    total += sum(log(model.theta[c, i, v]) for x, c in zip(VALUES, CLASSES, strict=True) for i, v in enumerate(x))
    assert log_likelihood(model, VALUES, CLASSES) == pytest.approx(total, rel=1e-13)


def of(parameters):
    """ln p(t, X|π, μ) of BITS at (π, μ_1, μ_0)."""
    return log_likelihood(bernoulli(parameters[0], parameters[1:5], parameters[5:]), BITS, LABELS)


def slope(parameters):
    """Its derivatives on paper: Σ (t - π)/(π(1 - π)), Σ t(x_i - μ_i|1)/(μ_i|1(1 - μ_i|1)), the same with 1 - t."""
    pi, one, zero = parameters[0], parameters[1:5], parameters[5:]
    t, k = LABELS, LABELS[:, None]
    d_one, d_zero = (k * (BITS - one)).sum(axis=0), ((1 - k) * (BITS - zero)).sum(axis=0)
    return np.hstack([(t - pi).sum() / (pi * (1 - pi)), d_one / (one * (1 - one)), d_zero / (zero * (1 - zero))])


def best():
    model = fit(BITS, LABELS, 0)
    return np.hstack([model.prior[1], model.mu[1], model.mu[0]])


@pytest.mark.equation("C-4.2-4", "C-4.2-5", "C-4.2-6", "C-4.2-7")
def test_the_gradient_of_the_likelihood_vanishes_at_the_estimates():
    """By differences of steps h = 6e-6: off by h²/6 times a third derivative, at most 2N/μ² <= 1.2e4."""
    assert 0.1 < best().min() and best().max() < 0.9
    np.testing.assert_allclose(central_difference(of, best()), 0, atol=1e-6)
    np.testing.assert_allclose(slope(best()), 0, atol=1e-11)
    for other in np.random.default_rng(1).uniform(0.2, 0.8, (2, 9)):
        g = central_difference(of, other)
        np.testing.assert_allclose(g, slope(other), rtol=1e-6, atol=1e-6)
        assert np.abs(g).max() > 1


@pytest.mark.equation("C-4.2-5", "C-4.2-6", "C-4.2-7")
@pytest.mark.parametrize("spread", [1.0, 1e-3, *slow([0.1])])
def test_no_other_parameters_are_more_likely(spread):
    """By Σ_j n_j ln (φ^_j/φ_j), a Kullback-Leibler divergence per coin: >= 0, and 0 only there."""
    n, p = np.bincount(LABELS), best()
    tosses = np.repeat([60, n[1], n[0]], [1, 4, 4])
    for other in np.random.default_rng(0).uniform(0.05, 0.95, (10, 9)):
        q = p + spread * (other - p)
        less = of(p) - of(q)
        assert less > 0
        assert less == pytest.approx(tosses @ (p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))), rel=1e-6)


# --- smoothing ----------------------------------------------------------------------------------------------


@pytest.mark.equation("C-4.4-2", "C-4.4-3")
@pytest.mark.erratum("C22", "C02")
def test_smoothed_by_hand():
    """z = 1, 1, 3 of 1..4: (2, 0, 1, 0)/3, then (3, 1, 2, 1)/7. One share per value j = 1..k, whatever the number m of
    samples: the k of the values is neither the class k nor, as printed in φ_i, i = 1..m, their number."""
    counts = np.bincount([0, 0, 2], minlength=4)
    np.testing.assert_allclose(smoothed(counts, 0) * 3, [2, 0, 1, 0], rtol=1e-15)
    np.testing.assert_allclose(smoothed(counts) * 7, [3, 1, 2, 1], rtol=1e-15)
    np.testing.assert_allclose(smoothed([2, 0, 1, 0], 0.5) * 10, [5, 1, 3, 1], rtol=1e-15)
    assert smoothed(counts).shape == (4,) != (3,)


@pytest.mark.equation("C-4.4-3")
@pytest.mark.parametrize("s", [1, 3])
@pytest.mark.parametrize("counts", [(2, 5), (4, 0, 1), *slow([((3, 0),), ((0, 0, 0),)])], ids=str)
def test_smoothed_is_the_mean_of_the_posterior_of_a_dirichlet_prior(counts, s):
    """∫ φ Π_j φ_j^(n_j + s - 1) dφ / ∫ Π_j φ_j^(n_j + s - 1) dφ, polynomials, exact by Gauss: uniform for s = 1."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    u, r = (nodes + 1) / 2, weights / 2
    if len(counts) == 2:
        phi = np.stack([u, 1 - u])
    else:  # φ = (u, (1 - u)v, (1 - u)(1 - v)), so dφ = (1 - u) du dv
        v, r = np.tile(u, 12), np.repeat(r, 12) * np.tile(r, 12)
        u = np.repeat(u, 12)
        phi, r = np.stack([u, (1 - u) * v, (1 - u) * (1 - v)]), r * (1 - u)
    density = r * np.prod(phi ** (np.array(counts) + s - 1)[:, None], axis=0)
    np.testing.assert_allclose(smoothed(counts, s), phi @ density / density.sum(), rtol=1e-12)


@pytest.mark.equation("C-4.4-3", "C-4.4-4")
@pytest.mark.parametrize("X, M", [(BITS, 2), (VALUES, 4)], ids=["bits", "categories"])
def test_smoothing_is_maximum_likelihood_with_more_samples(X, M, s=3):
    """To each class s times M samples are added, (v, v, ...) for every value v: so to N_k come Ms."""
    d = X.shape[1]
    pseudo = np.tile(np.repeat(np.arange(M), d).reshape(M, d), (3 * s, 1))
    more = fit(np.vstack([X, pseudo]), np.append(CLASSES, np.repeat(np.arange(3), M * s)), 0, n_values=M)
    same = fit(X, CLASSES, s, M * s, n_values=M)
    np.testing.assert_allclose(more.prior, same.prior, rtol=1e-14)
    np.testing.assert_allclose(more.theta, same.theta, rtol=1e-14)


@pytest.mark.equation("C-4.4-1")
@pytest.mark.erratum("C17")
def test_zeros_are_0_over_0_only_where_their_bits_are_1():
    """μ_1|1 = μ_2|0 = 0, else 1/2: of x = (1, 1) p(x, C_k) = 0, 0. But of (0, 0) 1/4, 1/4; of (1, 0) 0, 1/4."""
    model = bernoulli(0.5, [0, 0.5], [0.5, 0])
    np.testing.assert_allclose(posterior(model, [[0, 0]]), [[1 / 2, 1 / 2]], rtol=1e-15)
    np.testing.assert_allclose(np.exp(log_joint(model, [[0, 0]])), [[1 / 4, 1 / 4]], rtol=1e-15)
    np.testing.assert_array_equal(posterior(model, [[1, 0], [0, 1]]), [[1, 0], [0, 1]])
    np.testing.assert_array_equal(log_joint(model, [[1, 1]]), -np.inf)
    for question in (posterior, predict, log_odds):
        with pytest.raises(ValueError, match=r"the sample in row 2 has probability 0 in every class: .* 0/0; .*4\.4"):
            question(model, [[0, 0], [0, 1], [1, 1]])


@pytest.mark.equation("C-4.4-1", "C-4.4-4")
@pytest.mark.erratum("C18")
def test_a_mu_of_1_does_the_same():
    """No μ is 0, as asked for, but μ_1|1 = μ_2|0 = 1: x = (0, 0) is 0/0. 0 < μ < 1, which smoothing gives, is right."""
    X, t = [[1, 0], [1, 1], [0, 1], [1, 1]], [1, 1, 0, 0]
    never, some = fit(X, t, 0), fit(X, t)
    assert never.mu.tolist() == [[0.5, 1], [1, 0.5]]
    np.testing.assert_array_equal(log_joint(never, [[0, 0]]), -np.inf)
    with pytest.raises(ValueError, match="row 0 has probability 0 in every class"):
        posterior(never, [[0, 0]])
    np.testing.assert_array_equal(posterior(never, [[1, 0]]), [[0, 1]])
    assert some.mu.min() > 0 and some.mu.max() < 1
    np.testing.assert_allclose(posterior(some, [[0, 0]]), [[1 / 2, 1 / 2]], rtol=1e-14)


@pytest.mark.equation("C-4.4-3", "C-4.4-4")
@pytest.mark.erratum("C19")
def test_the_prior_is_left_unsmoothed():
    """Ten samples, none of class 1. Without smoothing μ_i|1 = 0/0; smoothed as printed 1/2, but π = 0 keeps the class
    out forever. The rule of the same section gives π = (0 + 1)/(10 + 2)."""
    with pytest.raises(ValueError, match="counts are all 0: without smoothing the shares are 0/0"):
        smoothed([[7, 3], [0, 0]], 0)
    mu_0, mu_1 = smoothed([[7, 3], [0, 0]])[:, [1]]
    assert mu_1 == 1 / 2 and mu_0 == pytest.approx(4 / 12, rel=1e-15)
    as_printed = bernoulli(smoothed([10, 0], 0)[1], mu_1, mu_0)
    np.testing.assert_array_equal(posterior(as_printed, [[0], [1]]), [[1, 0], [1, 0]])
    by_the_rule = bernoulli(smoothed([10, 0])[1], mu_1, mu_0)
    assert by_the_rule.prior[1] == pytest.approx(1 / 12, rel=1e-15)
    np.testing.assert_allclose(posterior(by_the_rule, [[1]]), [[22 / 25, 3 / 25]], rtol=1e-14)  # 11/36 : 1/24
    with pytest.raises(ValueError, match="t holds only 0; at least two classes"):
        fit(np.ones((10, 1)), np.zeros(10))  # so fit asks for samples of each class


@pytest.mark.equation("C-4.3-3", "C-4.4-3")
@pytest.mark.erratum("C20")
def test_with_m_values_the_denominator_grows_by_m():
    """Printed for bits, (N_iv|k + 1)/(N_k + 2), and "can be extended": of three values such shares sum to
    (N_k + 3)/(N_k + 2). With N_k + M_i they sum to 1, for every number of values."""
    n = nb.counts(VALUES, CLASSES, SIZES)
    for k, N_k in enumerate(np.bincount(CLASSES)):
        assert sum(F(int(c) + 1, int(N_k) + 2) for c in n[k, 0, :3]) == F(int(N_k) + 3, int(N_k) + 2) != 1
    np.testing.assert_allclose(fit(VALUES, CLASSES, n_values=SIZES).theta.sum(axis=2), 1, rtol=1e-15)


@pytest.mark.equation("C-4.3-3", "C-4.4-3", "C-4.4-4")
def test_a_value_never_seen():
    """One feature of five values, 0, 1, 1 seen in class 0 and 1 in class 1: 1/8 and 1/6 of value 4, ML 0 of both."""
    X, t = [[0], [1], [1], [1]], [0, 0, 0, 1]
    model = fit(X, t, n_values=5)
    np.testing.assert_allclose(model.theta[0] * 8, [[2, 3, 1, 1, 1]], rtol=1e-14)
    np.testing.assert_allclose(model.theta[1] * 6, [[1, 2, 1, 1, 1]], rtol=1e-14)
    np.testing.assert_allclose(posterior(model, [[4]]), [[9 / 13, 4 / 13]], rtol=1e-14)  # 3/4 · 1/8 : 1/4 · 1/6
    unsmoothed = fit(X, t, 0, n_values=5)
    np.testing.assert_array_equal(log_joint(unsmoothed, [[4]]), -np.inf)
    np.testing.assert_array_equal(posterior(unsmoothed, [[0]]), [[1, 0]])


# --- inference ----------------------------------------------------------------------------------------------


@pytest.mark.equation("C-1-9", "C-4-2", "C-4-3", "C-4.3-1", "C-4.3-2")
def test_the_posterior_by_hand():
    """1/12 : 3/80 = 20 : 9, so 20/29 and 9/29, a = ln 20/9."""
    np.testing.assert_allclose(posterior(BY_HAND, [[1, 0]]), [[9 / 29, 20 / 29]], rtol=1e-14)
    np.testing.assert_allclose(log_odds(BY_HAND, [[1, 0]]), [log(20 / 9)], rtol=1e-14)
    assert predict(BY_HAND, [[1, 0]]).tolist() == [1]
    assert predict(bernoulli(0.5, [0.5], [0.5]), [[0], [1]]).tolist() == [0, 0]  # a tie: the first


@pytest.mark.equation("C-4.3-2")
def test_the_line_by_hand():
    """w_1 = ln (1/2 · 4/5)/(1/5 · 1/2) = ln 4, w_2 = ln (1/3 · 1/4)/(3/4 · 2/3) = -ln 6,
    b = ln 1/3 + ln (1/2)/(4/5) + ln (2/3)/(1/4) = ln 5/9."""
    w, b = as_linear(BY_HAND)
    np.testing.assert_allclose(w, [log(4), -log(6)], rtol=1e-14)
    assert b == pytest.approx(log(5 / 9), rel=1e-14)


@pytest.mark.equation("C-1-9", "C-1-10", "C-4-2", "C-4-3", "C-4.2-2", "C-4.2-3", "C-4.3-1", "C-4.3-2")
@pytest.mark.parametrize("s", [0, 1])
def test_the_posterior_is_the_printed_quotient_a_sigmoid_and_a_line(s):
    """In fractions, over {0,1}^4: p(t = 0|x) = 1 - p(t = 1|x) = σ(-a), a = w·x + b."""
    model, X = fit(BITS, LABELS, s), corners(4)
    (_, pi), (zero, one) = counted(BITS, LABELS, s)
    of = [[bit([m[1] for m in mu], x) for mu in (zero, one)] for x in X]
    quotient = [pi * p1 / (pi * p1 + (1 - pi) * p0) for p0, p1 in of]
    np.testing.assert_allclose(posterior(model, X), np.array([[1 - q, q] for q in quotient], float), rtol=1e-13)
    a = np.log([float(pi * p1 / ((1 - pi) * p0)) for p0, p1 in of])
    w, b = as_linear(model)
    np.testing.assert_allclose(log_odds(model, X), a, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(X @ w + b, a, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(sigmoid(log_odds(model, X)), posterior(model, X)[:, 1], rtol=1e-13)
    assert predict(model, X).tolist() == [int(q > F(1, 2)) for q in quotient] == (a > 0).tolist()


@pytest.mark.equation("C-1-9", "C-4.3-3")
def test_the_posterior_is_the_softmax_of_the_log_joint_linear_in_one_hot_bits():
    """A class's ln p(x, C_k) is its score in chapter 05, Σ_iv z_iv ln θ_iv|k + ln π_k with z_iv = 1 where x_i = v."""
    np.testing.assert_allclose(fit(ONE_HOT, CLASSES, 0).mu, flat(fit(VALUES, CLASSES, 0, n_values=SIZES)), rtol=1e-14)
    model = fit(VALUES, CLASSES, n_values=SIZES)
    W = np.log(np.column_stack([flat(model), model.prior])).T  # w_kiv = ln θ_iv|k, the bias ln π_k
    np.testing.assert_allclose(softmax_regression.posterior(W, augment(ONE_HOT)), posterior(model, VALUES), rtol=1e-13)


@pytest.mark.equation("C-4.3-3")
def test_categories_taken_for_independent_bits_count_twice():
    """One feature of 3 values, θ = (1, 1, 2)/4 and (2, 1, 1)/4. As bits, x = v also says "not the others":
    for x = 2 then (2/4 · 3/4 · 3/4)/(1/4 · 2/4 · 3/4) = 3, but the odds are 2."""
    X, t = np.array([0, 1, 2, 2, 0, 0, 1, 2])[:, None], [1, 1, 1, 1, 0, 0, 0, 0]
    assert np.exp(log_odds(fit(X, t, 0, n_values=3), [[2]]))[0] == pytest.approx(2, rel=1e-14)
    assert np.exp(log_odds(fit(one_hot(X[:, 0]), t, 0), [[0, 0, 1]]))[0] == pytest.approx(3, rel=1e-14)


def test_one_bit_is_logistic_regression():
    """Nothing to assume: p(C_1|x) is the share of class 1 among the samples with that x, 2/5 and 3/4."""
    X, t = np.repeat([0, 1], [5, 4])[:, None], [1, 1, 0, 0, 0, 1, 1, 1, 0]
    model = fit(X, t, 0)
    np.testing.assert_allclose(posterior(model, [[0], [1]])[:, 1], [2 / 5, 3 / 4], rtol=1e-14)
    w, b = as_linear(model)
    np.testing.assert_allclose(logistic_regression.fit(augment(X), t).w, [w[0], b], rtol=1e-9)
    np.testing.assert_allclose([w[0], b], [log(3 / (2 / 3)), log(2 / 3)], rtol=1e-13)


# --- logarithms ---------------------------------------------------------------------------------------------


@pytest.mark.equation("C-4-3", "C-4.1-4", "C-4.3-1")
@pytest.mark.parametrize("d", [2000, *slow([100_000])])
def test_many_features_do_not_underflow(d):
    """The first feature has μ = 4/5 and 2/5, all others 1/2: p(C_1|x) = 2/3 of x_1 = 1, 1/4 of 0; π = 1/2.

    The product as printed is 2^-d: 0, and the quotient 0/0.
    """
    one, zero = np.full(d, 0.5), np.full(d, 0.5)
    one[0], zero[0] = 4 / 5, 2 / 5
    X = np.random.default_rng(2).integers(0, 2, (2, d))
    X[:, 0] = [1, 0]
    model = bernoulli(0.5, one, zero)
    np.testing.assert_array_equal(class_conditional(one, X), 0)
    np.testing.assert_array_equal(class_conditional(zero, X), 0)
    np.testing.assert_allclose(posterior(model, X)[:, 1], [2 / 3, 1 / 4], rtol=1e-9)  # ln 2^-d itself has 1e-11
    np.testing.assert_allclose(log_odds(model, X), np.log([2, 1 / 3]), rtol=1e-9)
    np.testing.assert_allclose(log_joint(model, X)[:, 1], np.log([0.4, 0.1]) - (d - 1) * log(2), rtol=1e-12)
    w, b = as_linear(model)
    np.testing.assert_allclose(X @ w + b, np.log([2, 1 / 3]), rtol=1e-13)


@pytest.mark.parametrize("d, N", [(3, 2), (1000, 2), (1001, 5), (100_000, 1), *slow([(1001, 1), (100_000, 5)])])
def test_a_sum_over_many_features_keeps_its_digits(d, N):
    """Against the sum that is rounded once. 1000 terms at a time, and d/1000 sums: no more than (1000 + d/1000) ε."""
    rng = np.random.default_rng(d + N)
    X = rng.integers(0, 2, (N, d))
    mu = rng.choice([0.3, 0.5, 0.6], d)
    exact = [fsum([log(0.5), *np.log(np.where(x, mu, 1 - mu))]) for x in X]
    rtol = (1000 + d / 1000) * np.finfo(float).eps
    np.testing.assert_allclose(log_joint(bernoulli(0.5, mu, mu), X), np.transpose([exact, exact]), rtol=rtol)


@pytest.mark.equation("C-4.1-4", "C-4.2-2", "C-4.2-3", "C-4.4-1")
@pytest.mark.parametrize("pi", [F(0), F(1, 3), F(1)], ids=str)
def test_impossible_samples_are_minus_infinity_never_nan(pi):
    """All μ of 0, 1/2, 1 with all x of {0,1}², the prior 0 and 1 among others: ln 0 = -inf just where p is 0."""
    X = corners(2)
    for mu in product((F(0), F(1, 2), F(1)), repeat=2):
        exact = np.array([[(1 - pi) * F(1, 4), pi * bit(mu, x)] for x in X], float)
        model = bernoulli(float(pi), np.array(mu, float), [0.5] * 2)
        found = log_joint(model, X)
        np.testing.assert_array_equal(np.isneginf(found), exact == 0)
        np.testing.assert_allclose(np.exp(found), exact, rtol=1e-14)
        np.testing.assert_array_equal(class_conditional(model.mu[1], X), np.array([bit(mu, x) for x in X], float))


@pytest.mark.equation("C-4-2")
def test_odds_of_one_impossible_class_are_infinite():
    model, X = bernoulli(0.5, [0.0, 0.5], [0.5, 1.0]), [[1, 1], [0, 0]]
    np.testing.assert_array_equal(log_odds(model, X), [-np.inf, np.inf])
    np.testing.assert_array_equal(sigmoid(log_odds(model, X)), posterior(model, X)[:, 1])
    assert predict(model, X).tolist() == [0, 1]
    assert log_likelihood(model, X, [1, 1]) == -np.inf
    assert log_likelihood(model, X, [0, 1]) == pytest.approx(log(1 / 2 * 1 / 2 * 1 / 2 * 1 / 2), rel=1e-14)


# --- new data -----------------------------------------------------------------------------------------------


def within(share, expected, N):
    """Five standard errors √(p(1 - p)/N) of a binomial share; shares of 0 and 1 exactly."""
    return (np.abs(share - expected) <= 5 * np.sqrt(expected * (1 - expected) / N) + 1e-15).all()


@pytest.mark.equation("C-1-10", "C-4.3-3")
def test_new_samples_have_the_probabilities_of_the_model():
    """p(x, C_k) of all cells: features of 3, 1, 4 and 2 values, some of which never occur: the first, one between, the
    last. A fit of many recovers the model."""
    theta = np.zeros((3, 4, 4))
    theta[:, 0, :3] = [[0, 0.3, 0.7], [0.2, 0.5, 0.3], [1, 0, 0]]
    theta[:, 1, 0] = 1
    theta[:, 2] = [[0.1, 0.2, 0.3, 0.4], [0.5, 0, 0.5, 0], [0.25, 0.25, 0.25, 0.25]]
    theta[:, 3, :2] = [[0.5, 0.5], [0, 1], [0.9, 0.1]]
    N, model = 200_000, Model(np.array([0.2, 0.5, 0.3]), theta, np.array([3, 1, 4, 2]))
    X, t = sample(model, N, rng=np.random.default_rng(2))
    assert X.shape == (N, 4) and t.shape == (N,) and X.dtype == t.dtype == int
    values = list(product(range(3), range(1), range(4), range(2)))
    cells = np.bincount(t + 3 * (X @ [8, 0, 2, 1]), minlength=72).reshape(24, 3) / N
    p = np.exp(log_joint(model, values))
    assert within(cells, p, N) and within(cells.sum(axis=1), p.sum(axis=1), N) and not within(cells[::-1], p, N)
    found = fit(X, t, 0, n_values=[3, 1, 4, 2])
    assert within(found.prior, model.prior, N)
    assert all(within(found.theta[k], theta[k], found.prior[k] * N) for k in range(3))
    np.testing.assert_array_equal(found.theta == 0, theta == 0)


class Always(np.random.Generator):
    """Draws u, whatever is asked for."""

    def __init__(self, u):
        super().__init__(np.random.PCG64(0))
        self.u = u

    def random(self, size):
        return np.full(size, self.u)


def test_a_draw_of_almost_1_is_still_a_value_of_the_feature_and_one_of_0_is_none_of_probability_0():
    """The shares 7/10, 2/10, 1/10 sum to 1 - 1e-16 at most, and a draw may lie beyond."""
    theta = np.zeros((2, 2, 10))
    theta[:, 0], theta[:, 1, :3] = np.full(10, 0.1), [0.7, 0.2, 0.1 - 1e-16]
    model = Model(np.array([0.5, 0.5]), theta, np.array([10, 3]))
    X, t = sample(model, 2, rng=Always(np.nextafter(1, 0)))
    assert X.tolist() == [[9, 2], [9, 2]] and t.tolist() == [1, 1]
    model = Model(np.array([0.0, 1.0]), np.array([[[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]]]), np.array([3]))
    X, t = sample(model, 2, rng=Always(0.0))
    assert X.tolist() == [[2], [2]] and t.tolist() == [1, 1]


# --- refusals of its own: others are in the table of test_doors.py ----------------------------------------------


@pytest.mark.equation("C-4.3-2")
@pytest.mark.parametrize("pi, one, zero", [(0.5, 0, 0.5), (0.5, 0.5, 1), (0, 0.5, 0.5), (1, 0.5, 0.5)])
def test_no_line_has_an_infinite_weight(pi, one, zero):
    with pytest.raises(ValueError, match="its weight would be infinite; fit with smoothing > 0"):
        as_linear(bernoulli(pi, [one], [zero]))


@pytest.mark.parametrize("counts, smoothing", [([-1, 5], 1), ([1, 2], -1), ([3, np.inf], 0)])
def test_smoothed_refuses_what_is_no_count(counts, smoothing):
    with pytest.raises(ValueError, match="counts and smoothing must be finite numbers >= 0"):
        smoothed(counts, smoothing)


def test_a_table_beyond_all_measure_is_refused():
    with pytest.raises(
        ValueError, match=r"n_values reach 1e\+06: a table of 1e\+08 probabilities a class is too large"
    ):
        fit(np.zeros((4, 100), int), [0, 1, 0, 1], n_values=[10**6, *[2] * 99])


# --- the chapter, and scikit-learn ------------------------------------------------------------------------------


def cell(name):
    """The text of a cell of chapter 08."""
    cells = notebooks.read(ROOT / "notebooks" / "08_naive_bayes.ipynb")["cells"]
    (text,) = (notebooks.text(cell["source"]) for cell in cells if cell["id"] == name)
    return text


def test_the_counts_of_the_page_are_those_of_the_library():
    """mu, one mean per class; a word is a draw of V values; each as its cell computes it."""
    names = {"np": np, "X": BITS, "t": LABELS}
    exec("\n".join(line for line in cell("ch08-learn-counts").splitlines() if re.match("(pi|mu) =", line)), names)
    model = fit(BITS, LABELS, smoothing=0.0)
    np.testing.assert_allclose(names["mu"], model.mu, rtol=1e-14)
    assert names["pi"] == pytest.approx(model.prior[1], rel=1e-14)
    exec(cell("ch08-words-models"), names)
    C, t = np.array([[2, 0, 1], [0, 1, 0], [1, 3, 0]]), np.array([0, 1, 1])
    theta = [[3 / 6, 1 / 6, 2 / 6], [2 / 8, 5 / 8, 1 / 8]]
    by_hand = [[log(1 / 3) + log(3 / 6) + log(1 / 6), log(2 / 3) + log(2 / 8) + log(5 / 8)]]
    np.testing.assert_allclose(names["scores_of_words"](C, t, np.array([[1, 1, 0]])), by_hand, rtol=1e-14)
    assert np.sum(theta, axis=1) == pytest.approx([1, 1])


@pytest.mark.slow
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn():
    """The fenced block, as it stands there; and the cells with words and measurements beside their classes."""
    skl = pytest.importorskip("sklearn.naive_bayes", exc_type=ImportError)
    names = {"np": np, "X": BITS, "t": LABELS}
    exec(re.search(r"```python\n(.*?)```", cell("ch08-sklearn"), re.DOTALL)[1], names)
    model = fit(BITS, LABELS)
    np.testing.assert_array_equal(names["classes"], predict(model, BITS))
    np.testing.assert_allclose(names["p"], posterior(model, BITS), rtol=1e-9)
    exec(cell("ch08-words-models"), names)
    exec(cell("ch08-gauss-code"), names)
    counts = np.random.default_rng(1).poisson(0.5, (60, 9))
    theirs = skl.MultinomialNB(alpha=1.0).fit(counts, LABELS).predict_joint_log_proba(counts)
    np.testing.assert_allclose(names["scores_of_words"](counts, LABELS, counts), theirs, rtol=1e-9)
    iris = datasets.iris()
    theirs = skl.GaussianNB(var_smoothing=0.0).fit(iris.X, iris.y).predict_joint_log_proba(iris.X)
    np.testing.assert_allclose(names["gaussian_scores"](iris.X, iris.y, iris.X), theirs, rtol=1e-9)


@pytest.mark.parametrize("call", [nb.posterior, nb.predict, nb.log_joint, nb.as_linear, nb.log_odds])
def test_what_is_no_model_is_refused_in_words(call):
    given = ([0.5, 0.5],) if call is nb.as_linear else ([0.5, 0.5], [[0, 1]])
    with pytest.raises(TypeError, match=r"^model must be a naive_bayes.Model, as `fit` gives one; found list$"):
        call(*given)

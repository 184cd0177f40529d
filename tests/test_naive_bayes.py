"""Chapter 08, naive Bayes: every equation of notes C 1 (Bayes' rule) and C 4, and where the notes are wrong."""

from fractions import Fraction as F
from itertools import product
from math import fsum, log, prod

import numpy as np
import pytest
from cases import one_in

from linmodels import datasets, logistic_regression, softmax_regression
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
from linmodels.naive_bayes import counts as counts_of
from linmodels.solvers import moments
from linmodels.special import sigmoid

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


def joint(prior, theta, x):
    """p(x, C_k) = π_k Π_i θ_i,x_i|k of each class, in fractions."""
    return [
        p * prod(shares[v] for shares, v in zip(rows, x, strict=True)) for p, rows in zip(prior, theta, strict=True)
    ]


def flat(model):
    """θ_iv|k of all pairs (i, v), (K, Σ M_i)."""
    return np.hstack([model.theta[:, i, :M] for i, M in enumerate(model.n_values)])


def assert_is(model, prior, theta):
    """The model has these fractions, and 0 for values beyond those of a feature."""
    np.testing.assert_allclose(model.prior, [float(p) for p in prior], rtol=1e-14)
    assert model.n_values.tolist() == [len(shares) for shares in theta[0]]
    assert model.theta.shape == (len(prior), len(theta[0]), max(model.n_values))
    for k, table in enumerate(theta):
        for i, shares in enumerate(table):
            np.testing.assert_allclose(model.theta[k, i, : len(shares)], [float(p) for p in shares], rtol=1e-14)
            assert not model.theta[k, i, len(shares) :].any()


def assert_same(a, b, rtol=1e-14):
    np.testing.assert_allclose(a.prior, b.prior, rtol=rtol)
    np.testing.assert_allclose(a.theta, b.theta, rtol=rtol)
    np.testing.assert_array_equal(a.n_values, b.n_values)


# --- the model ----------------------------------------------------------------------------------------------


@pytest.mark.equation("C-4-1", "C-4.1-2", "C-4.1-3", "C-4.2-1", "C-4.2-2", "C-4.2-3")
def test_the_joint_probabilities_by_hand():
    """x = (1, 0): 1/4 · 1/2 · 2/3 = 1/12 and 3/4 · 1/5 · 1/4 = 3/80."""
    np.testing.assert_allclose(BY_HAND.prior, [3 / 4, 1 / 4], rtol=1e-15)  # class 0, the C_2 of the notes, is first
    np.testing.assert_allclose(BY_HAND.mu, [[1 / 5, 3 / 4], [1 / 2, 1 / 3]], rtol=1e-15)
    np.testing.assert_allclose(BY_HAND.theta[1], [[1 / 2, 1 / 2], [2 / 3, 1 / 3]], rtol=1e-15)
    np.testing.assert_allclose(log_joint(BY_HAND, [[1, 0]]), np.log([[3 / 80, 1 / 12]]), rtol=1e-14)


@pytest.mark.equation("C-1-9", "C-4-2", "C-4-3", "C-4.3-1", "C-4.3-2")
def test_the_posterior_by_hand():
    """1/12 : 3/80 = 20 : 9, so 20/29 and 9/29, a = ln 20/9."""
    np.testing.assert_allclose(posterior(BY_HAND, [[1, 0]]), [[9 / 29, 20 / 29]], rtol=1e-14)
    np.testing.assert_allclose(log_odds(BY_HAND, [[1, 0]]), [log(20 / 9)], rtol=1e-14)
    assert predict(BY_HAND, [[1, 0]]).tolist() == [1]


@pytest.mark.equation("C-4.3-2")
def test_the_line_by_hand():
    """w_1 = ln (1/2 · 4/5)/(1/5 · 1/2) = ln 4, w_2 = ln (1/3 · 1/4)/(3/4 · 2/3) = -ln 6,
    b = ln 1/3 + ln (1/2)/(4/5) + ln (2/3)/(1/4) = ln 5/9."""
    w, b = as_linear(BY_HAND)
    np.testing.assert_allclose(w, [log(4), -log(6)], rtol=1e-14)
    assert b == pytest.approx(log(5 / 9), rel=1e-14)


@pytest.mark.equation("C-4.1-1", "C-4.1-4")
def test_the_class_conditional_is_the_printed_product():
    X = corners(2)
    for mu in (MU_1, MU_0):
        found = class_conditional(np.array(mu, float), X)
        np.testing.assert_allclose(found, [float(bit(mu, x)) for x in X], rtol=1e-15)


@pytest.mark.equation("C-4.1-2", "C-4.1-4", "C-4.2-2", "C-4.2-3")
def test_the_joint_is_prior_times_conditional():
    X = corners(4)
    model = fit(BITS, LABELS)
    for k in (0, 1):
        p = model.prior[k] * class_conditional(model.mu[k], X)
        np.testing.assert_allclose(np.exp(log_joint(model, X)[:, k]), p, rtol=1e-13)
        assert class_conditional(model.mu[k], X).sum() == pytest.approx(1, rel=1e-14)  # over {0,1}^d


@pytest.mark.equation("C-1-10", "C-4.1-2")
@pytest.mark.parametrize("sizes", [[2, 2, 2], [3, 2, 4], [1, 5]], ids=str)
def test_the_probabilities_of_all_samples_sum_to_1(sizes):
    """Σ_x p(x|C_k) = 1 and Σ_x Σ_k p(x, C_k) = 1."""
    rng = np.random.default_rng(1)
    theta = np.zeros((3, len(sizes), max(sizes)))
    for i, M in enumerate(sizes):
        theta[:, i, :M] = rng.dirichlet(np.ones(M), 3)
    model = Model(np.array([0.5, 0.2, 0.3]), theta, np.array(sizes))
    X = list(product(*map(range, sizes)))
    np.testing.assert_allclose(np.exp(log_joint(model, X)).sum(axis=0), model.prior, rtol=1e-13)


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


# --- inference ----------------------------------------------------------------------------------------------


@pytest.mark.equation("C-1-9", "C-1-10", "C-4-2", "C-4-3", "C-4.2-2", "C-4.2-3", "C-4.3-1", "C-4.3-2")
@pytest.mark.parametrize("s", [0, 1])
def test_the_posterior_is_the_printed_quotient_a_sigmoid_and_a_line(s):
    """In fractions, over {0,1}^4: p(t = 0|x) = 1 - p(t = 1|x) = σ(-a), a = w·x + b."""
    model, X = fit(BITS, LABELS, s), corners(4)
    (_, pi), (zero, one) = counted(BITS, LABELS, s)
    of = [[bit([m[1] for m in mu], x) for mu in (zero, one)] for x in X]
    quotient = [pi * p1 / (pi * p1 + (1 - pi) * p0) for p0, p1 in of]
    np.testing.assert_allclose(posterior(model, X)[:, 1], np.array(quotient, float), rtol=1e-13)
    np.testing.assert_allclose(posterior(model, X)[:, 0], np.array([1 - q for q in quotient], float), rtol=1e-13)
    a = np.log([float(pi * p1 / ((1 - pi) * p0)) for p0, p1 in of])
    w, b = as_linear(model)
    np.testing.assert_allclose(log_odds(model, X), a, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(X @ w + b, a, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(sigmoid(log_odds(model, X)), posterior(model, X)[:, 1], rtol=1e-13)
    assert predict(model, X).tolist() == [int(q > F(1, 2)) for q in quotient] == (a > 0).tolist()


@pytest.mark.equation("C-1-9", "C-1-10", "C-4-1", "C-4.3-1", "C-4.3-3")
@pytest.mark.parametrize("s", [0, 1])
@pytest.mark.slow
def test_the_posterior_of_many_classes_and_values(s):
    """p(C_k|x) = p(x, C_k)/p(x), p(x) = Σ_k p(x, C_k), in fractions, for all x of 3 · 2 · 4."""
    model = fit(VALUES, CLASSES, s, n_values=SIZES)
    exact = [joint(*counted(VALUES, CLASSES, s, sizes=SIZES), x) for x in VALUES]
    shares = np.array([[p / sum(row) for p in row] for row in exact], float)
    np.testing.assert_allclose(np.exp(log_joint(model, VALUES)), np.array(exact, float), rtol=1e-13)
    np.testing.assert_allclose(posterior(model, VALUES), shares, rtol=1e-13)
    np.testing.assert_allclose(posterior(model, VALUES).sum(axis=1), 1, rtol=1e-15)
    assert predict(model, VALUES).tolist() == [row.index(max(row)) for row in exact]


@pytest.mark.equation("C-1-9")
def test_the_posterior_is_the_softmax_of_the_log_joint():
    """A class's ln p(x, C_k) is its score in chapter 05, linear in the one-hot coded features."""
    model = fit(VALUES, CLASSES, n_values=SIZES)
    W = np.log(np.column_stack([flat(model), model.prior])).T  # w_kiv = ln θ_iv|k, the bias ln π_k
    np.testing.assert_allclose(softmax_regression.posterior(W, augment(ONE_HOT)), posterior(model, VALUES), rtol=1e-13)


@pytest.mark.equation("C-4.3-3")
def test_categories_are_one_hot_bits_of_one_multinomial_each():
    """Σ_i ln θ_i,x_i|k = Σ_iv z_iv ln θ_iv|k with z_iv = 1 where x_i = v: as sums of the one-hot product."""
    for s in (0, 0.5, 1):
        model = fit(VALUES, CLASSES, s, n_values=SIZES)
        theta, a = flat(model), log_joint(model, VALUES)
        possible = ONE_HOT @ (theta == 0).T == 0
        products = np.log(model.prior) + ONE_HOT @ np.log(np.where(theta > 0, theta, 1.0)).T
        np.testing.assert_allclose(a[possible], products[possible], rtol=1e-13)
        np.testing.assert_array_equal(np.isneginf(a), ~possible)
    unsmoothed = fit(VALUES, CLASSES, 0, n_values=SIZES)
    np.testing.assert_allclose(fit(ONE_HOT, CLASSES, 0).mu, flat(unsmoothed), rtol=1e-14)


@pytest.mark.equation("C-4.3-3")
def test_categories_taken_for_independent_bits_count_twice():
    """One feature of 3 values, θ = (1, 1, 2)/4 and (2, 1, 1)/4. As bits, x = v also says "not the others":
    for x = 2 then (2/4 · 3/4 · 3/4)/(1/4 · 2/4 · 3/4) = 3, but the odds are 2."""
    X, t = np.array([0, 1, 2, 2, 0, 0, 1, 2])[:, None], [1, 1, 1, 1, 0, 0, 0, 0]
    assert np.exp(log_odds(fit(X, t, 0, n_values=3), [[2]]))[0] == pytest.approx(2, rel=1e-14)
    assert np.exp(log_odds(fit(one_hot(X[:, 0]), t, 0), [[0, 0, 1]]))[0] == pytest.approx(3, rel=1e-14)


@pytest.mark.equation("C-4.1-1", "C-4.3-3")
@pytest.mark.parametrize("s", [0, 1, 2.5])
def test_two_values_are_bits(s):
    """The number 2 for n_values, one per feature, or none: one model."""
    bits = fit(BITS, LABELS, s)
    for sizes in (2, [2, 2, 2, 2], np.array([2.0, 2.0, 2.0, 2.0])):
        assert_same(fit(BITS, LABELS, s, n_values=sizes), bits)


def test_a_tie_goes_to_the_first_class():
    same = bernoulli(0.5, [0.5, 0.5], [0.5, 0.5])
    assert predict(same, corners(2)).tolist() == [0, 0, 0, 0]
    np.testing.assert_array_equal(log_odds(same, corners(2)), 0)


def test_a_feature_that_says_nothing():
    """μ_i|1 = μ_i|0: its weight is 0, and the posterior does not look at it."""
    model = bernoulli(0.3, [0.8, 0.6], [0.1, 0.6])
    assert as_linear(model)[0][1] == 0
    p = posterior(model, corners(2))
    np.testing.assert_allclose(p[[0, 2]], p[[1, 3]], rtol=1e-14)


# --- learning: worked and published values ------------------------------------------------------------------

# Li Hang, Statistical Learning Methods, table 4.1: x_1 = 1, 2, 3; x_2 = S, M, L; y = -1, 1, here numbered from 0
LI_HANG = np.column_stack([np.repeat([0, 1, 2], 5), ["SML".index(v) for v in "SMMSSSMMLLLMMLL"]])
LI_HANG_T = [0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0]
TWO_S = [[1, 0]]


@pytest.mark.equation("C-4.2-8", "C-4.3-3")
def test_li_hang_table_4_1():
    """x = (2, S): 9/15 · 3/9 · 1/9 = 1/45 and 6/15 · 2/6 · 3/6 = 1/15, so y = -1 (example 4.1)."""
    model = fit(LI_HANG, LI_HANG_T, 0, n_values=3)
    prior, theta = counted(LI_HANG, LI_HANG_T, sizes=[3, 3])
    assert joint(prior, theta, TWO_S[0]) == [F(6, 15) * F(2, 6) * F(3, 6), F(9, 15) * F(3, 9) * F(1, 9)]
    np.testing.assert_allclose(np.exp(log_joint(model, TWO_S)), [[1 / 15, 1 / 45]], rtol=1e-14)
    np.testing.assert_allclose(posterior(model, TWO_S), [[3 / 4, 1 / 4]], rtol=1e-14)
    assert predict(model, TWO_S).tolist() == [0]
    np.testing.assert_allclose(model.theta[1] * 9, [[2, 3, 4], [1, 4, 4]], rtol=1e-14)
    np.testing.assert_allclose(model.theta[0] * 6, [[3, 2, 1], [3, 2, 1]], rtol=1e-14)


@pytest.mark.equation("C-4.3-3", "C-4.4-3", "C-4.4-4")
@pytest.mark.erratum("C19")
def test_li_hang_table_4_1_smoothed():
    """Example 4.2: 10/17 · 4/12 · 2/12 = 0.0327 and 7/17 · 3/9 · 4/9 = 0.0610, the prior by the same rule.

    As note C prints it the prior stays: 9/15 · 4/12 · 2/12 = 1/30 = 0.0333, 6/15 · 3/9 · 4/9 = 8/135 = 0.0593."""
    both = np.exp(log_joint(fit(LI_HANG, LI_HANG_T, 1, 1, n_values=3), TWO_S))
    np.testing.assert_allclose(both, [[0.0610, 0.0327]], atol=5e-5)
    np.testing.assert_allclose(both, [[7 / 17 * 4 / 27, 10 / 17 / 18]], rtol=1e-14)
    of_notes = np.exp(log_joint(fit(LI_HANG, LI_HANG_T, n_values=3), TWO_S))
    np.testing.assert_allclose(of_notes, [[0.0593, 0.0333]], atol=5e-5)
    np.testing.assert_allclose(of_notes, [[8 / 135, 1 / 30]], rtol=1e-14)


@pytest.mark.equation("C-4.3-1", "C-4.4-4")
def test_documents_of_a_textbook():
    """Manning, Raghavan and Schütze, Introduction to Information Retrieval, example 13.2: words Beijing, Chinese,
    Japan, Macao, Shanghai, Tokyo; class 1 is China.

    "Chinese Chinese Chinese Tokyo Japan": 3/4 · 4/5 · 1/5 · 1/5 · (3/5)³ = 0.005 and 1/4 · (2/3)³ · (2/3)³ = 0.022.
    """
    X = [[1, 1, 0, 0, 0, 0], [0, 1, 0, 0, 1, 0], [0, 1, 0, 1, 0, 0], [0, 1, 1, 0, 0, 1]]
    model = fit(X, [1, 1, 1, 0])
    np.testing.assert_allclose(model.prior, [1 / 4, 3 / 4], rtol=1e-15)
    np.testing.assert_allclose(model.mu[1] * 5, [2, 4, 1, 2, 2, 1], rtol=1e-14)
    np.testing.assert_allclose(model.mu[0] * 3, [1, 2, 2, 1, 1, 2], rtol=1e-14)
    p = np.exp(log_joint(model, [[0, 1, 1, 0, 0, 1]]))
    np.testing.assert_allclose(p, [[0.022, 0.005]], atol=5e-4)
    np.testing.assert_allclose(p, [[16 / 729, 81 / 15625]], rtol=1e-13)
    assert predict(model, [[0, 1, 1, 0, 0, 1]]).tolist() == [0]


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


# --- learning: the estimates --------------------------------------------------------------------------------


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
    np.testing.assert_allclose(model.theta.sum(axis=2), 1, rtol=1e-15)


@pytest.mark.equation("C-4.2-6", "C-4.2-7", "C-4.3-3")
def test_counts_by_hand():
    """Of class 1, three samples: x_1 = 1 twice, x_2 = 1 once. Of categories with a value that never occurs."""
    X, t = [[1, 0], [1, 1], [0, 0], [0, 1]], [1, 1, 1, 0]
    np.testing.assert_array_equal(counts_of(X, t), [[[1, 0], [0, 1]], [[1, 2], [2, 1]]])
    categories = [[2, 0], [0, 1], [2, 1]]
    expected = [[[0, 0, 1, 0], [1, 0, 0, 0]], [[1, 0, 1, 0], [0, 2, 0, 0]]]
    np.testing.assert_array_equal(counts_of(categories, [0, 1, 1], n_values=[4, 2]), expected)


@pytest.mark.equation("C-4.2-6", "C-4.2-7", "C-4.3-3", "C-4.4-4")
@pytest.mark.parametrize("sizes", [None, SIZES], ids=["bits", "categories"])
def test_a_fit_is_the_shares_of_the_counts(sizes):
    """Each feature of a class was seen N_k times, and (N_iv|k + 1)/(N_k + M_i) are its shares."""
    X = BITS if sizes is None else VALUES
    n, model = counts_of(X, CLASSES, sizes), fit(X, CLASSES, n_values=sizes)
    assert n.shape == model.theta.shape
    np.testing.assert_array_equal(n.sum(axis=2), np.tile(np.bincount(CLASSES)[:, None], X.shape[1]))
    np.testing.assert_array_equal(n.sum(axis=(0, 2)), [60] * X.shape[1])
    for i, M in enumerate([2] * 4 if sizes is None else SIZES):
        np.testing.assert_allclose(model.theta[:, i, :M], smoothed(n[:, i, :M]), rtol=1e-15)
        assert not n[:, i, M:].any()


@pytest.mark.equation("C-4.2-8", "C-4.3-3", "C-4.4-3", "C-4.4-4")
@pytest.mark.parametrize("s", [0, 1, F(1, 2), 3])
@pytest.mark.parametrize("s_prior", [0, 1, F(5, 2)])
def test_the_estimates_are_the_counted_fractions(s, s_prior):
    assert_is(fit(BITS, LABELS, float(s), float(s_prior)), *counted(BITS, LABELS, s, s_prior))
    assert_is(fit(BITS, CLASSES, float(s), float(s_prior)), *counted(BITS, CLASSES, s, s_prior))
    of_values = fit(VALUES, CLASSES, float(s), float(s_prior), n_values=SIZES)
    assert_is(of_values, *counted(VALUES, CLASSES, s, s_prior, SIZES))


@pytest.mark.equation("C-4.4-4")
def test_by_default_as_the_notes_have_it():
    """μ_i|k = (count + 1)/(N_k + 2), but π = N_1/N."""
    assert_is(fit(BITS, LABELS), *counted(BITS, LABELS, 1, 0))
    assert_is(fit(VALUES, CLASSES, n_values=SIZES), *counted(VALUES, CLASSES, 1, 0, SIZES))


@pytest.mark.equation("C-4.2-4")
def test_the_likelihood_is_the_printed_product():
    """Π_n p(x_n, C_1)^t_n p(x_n, C_2)^(1 - t_n), in fractions."""
    X, t = [[1, 0], [1, 1], [0, 1], [0, 0], [1, 0]], [0, 1, 1, 0, 1]
    one, zero = ([p * bit(mu, x) for x in X] for p, mu in ((PI, MU_1), (1 - PI, MU_0)))
    printed = prod(a**c * b ** (1 - c) for a, b, c in zip(one, zero, t, strict=True))
    assert log_likelihood(BY_HAND, X, t) == pytest.approx(log(printed.numerator) - log(printed.denominator), rel=1e-14)


@pytest.mark.equation("C-4.2-4", "C-4.3-3")
def test_the_likelihood_of_categories():
    """Σ_k N_k ln π_k + Σ_ikv N_iv|k ln θ_iv|k, only of what was seen."""
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
    for other in np.random.default_rng(1).uniform(0.2, 0.8, (5, 9)):
        g = central_difference(of, other)
        np.testing.assert_allclose(g, slope(other), rtol=1e-6, atol=1e-6)
        assert np.abs(g).max() > 1


@pytest.mark.equation("C-4.2-5", "C-4.2-6", "C-4.2-7")
@one_in(4)
def test_no_other_parameters_are_more_likely(step):
    """By Σ_j n_j ln (φ^_j/φ_j), a Kullback-Leibler divergence per coin: >= 0, and 0 only there."""

    def divergence(share, other):
        return share * np.log(share / other) + (1 - share) * np.log((1 - share) / (1 - other))

    n = np.bincount(LABELS)
    tosses = np.repeat([60, n[1], n[0]], [1, 4, 4])
    for spread in (1.0, 0.1, 1e-3):
        for other in np.random.default_rng(0).uniform(0.05, 0.95, (100, 9))[::step]:
            other = best() + spread * (other - best())
            less = of(best()) - of(other)
            assert less > 0
            assert less == pytest.approx(tosses @ divergence(best(), other), rel=1e-6)


def test_one_bit_is_logistic_regression():
    """Nothing to assume: p(C_1|x) is the share of class 1 among the samples with that x, 2/5 and 3/4."""
    X, t = np.repeat([0, 1], [5, 4])[:, None], [1, 1, 0, 0, 0, 1, 1, 1, 0]
    model = fit(X, t, 0)
    np.testing.assert_allclose(posterior(model, [[0], [1]])[:, 1], [2 / 5, 3 / 4], rtol=1e-14)
    w, b = as_linear(model)
    np.testing.assert_allclose(logistic_regression.fit(augment(X), t).w, [w[0], b], rtol=1e-9)
    np.testing.assert_allclose([w[0], b], [log(3 / (2 / 3)), log(2 / 3)], rtol=1e-13)


# --- smoothing ----------------------------------------------------------------------------------------------


@pytest.mark.equation("C-4.4-2", "C-4.4-3")
@pytest.mark.erratum("C22", "C02")
def test_smoothed_by_hand():
    """z = 1, 1, 3 of 1..4: (2, 0, 1, 0)/3, then (3, 1, 2, 1)/7. One share per value j = 1..k, whatever the number m of
    samples: the k of the values is neither the class k nor, as printed in φ_i, i = 1..m, their number."""
    counts = np.bincount([0, 0, 2], minlength=4)
    np.testing.assert_allclose(smoothed(counts, 0) * 3, [2, 0, 1, 0], rtol=1e-15)
    np.testing.assert_allclose(smoothed(counts) * 7, [3, 1, 2, 1], rtol=1e-15)
    np.testing.assert_allclose(smoothed(counts, 1) * 7, [3, 1, 2, 1], rtol=1e-15)
    np.testing.assert_allclose(smoothed([2, 0, 1, 0], 0.5) * 10, [5, 1, 3, 1], rtol=1e-15)
    assert smoothed(counts).shape == (4,) != (3,)


@pytest.mark.equation("C-4.4-3")
def test_smoothed_shares_sum_to_1_and_are_positive():
    counts = np.random.default_rng(2).integers(0, 4, (3, 5, 6))
    for s in (1e-12, 1.0, 1e3):
        phi = smoothed(counts, s)
        np.testing.assert_allclose(phi.sum(axis=-1), 1, rtol=1e-14)
        assert phi.min() > 0
        np.testing.assert_allclose(phi[1, 2], smoothed(counts[1, 2], s), rtol=1e-15)
    np.testing.assert_allclose(smoothed(counts, 1e12), 1 / 6, rtol=1e-11)


@pytest.mark.equation("C-4.4-3")
@pytest.mark.parametrize("s", [1, 2, 3])
@pytest.mark.parametrize("counts", [(3, 0), (2, 5), (4, 0, 1), (0, 0, 0)], ids=str)
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
@pytest.mark.parametrize("s", [1, 3])
def test_smoothing_is_maximum_likelihood_with_more_samples(s):
    """To each class s times M samples are added, (v, v, ...) for every value v: so to N_k come Ms."""
    for X, t, M in ((BITS, LABELS, 2), (BITS, CLASSES, 2), (LI_HANG, np.array(LI_HANG_T), 3)):
        K, d = max(t) + 1, X.shape[1]
        pseudo = np.tile(np.repeat(np.arange(M), d).reshape(M, d), (K * s, 1))
        more = fit(np.vstack([X, pseudo]), np.append(t, np.repeat(np.arange(K), M * s)), 0, n_values=M)
        assert_same(more, fit(X, t, s, M * s, n_values=M))


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


@pytest.mark.equation("C-4.4-1")
@pytest.mark.erratum("C17")
def test_a_single_zero_overrules_all_other_features():
    """Nine features say class 1, each 99 : 1; the tenth, never seen with class 1, alone decides."""
    model = bernoulli(0.5, [0.99] * 9 + [0], [0.01] * 9 + [0.5])
    np.testing.assert_array_equal(posterior(model, [[1] * 10]), [[1, 0]])
    assert log_odds(model, [[1] * 10]).tolist() == [-np.inf]
    seen = bernoulli(0.5, [0.99] * 9 + [1e-9], [0.01] * 9 + [0.5])
    assert posterior(seen, [[1] * 10])[0, 1] > 0.999


@pytest.mark.equation("C-4.4-1", "C-4.4-4")
@pytest.mark.erratum("C18")
def test_a_mu_of_1_does_the_same():
    """No μ is 0, as asked for, but μ_1|1 = μ_2|0 = 1: x = (0, 0) is 0/0. 0 < μ < 1, which smoothing gives, is right."""
    model = bernoulli(0.5, [1, 0.5], [0.5, 1])
    assert model.mu.min() > 0
    np.testing.assert_array_equal(log_joint(model, [[0, 0]]), -np.inf)
    with pytest.raises(ValueError, match="row 0 has probability 0 in every class"):
        posterior(model, [[0, 0]])
    np.testing.assert_array_equal(posterior(model, [[1, 0]]), [[0, 1]])
    np.testing.assert_array_equal(log_odds(model, [[0, 1]]), [-np.inf])
    X, t = [[1, 0], [1, 1], [0, 1], [1, 1]], [1, 1, 0, 0]  # that model, but for the other μ, has seen such samples
    never = fit(X, t, 0)
    assert never.mu[1, 0] == never.mu[0, 1] == 1 and never.mu.min() > 0
    with pytest.raises(ValueError, match="0/0"):
        posterior(never, [[0, 0]])
    some = fit(X, t)
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
    with pytest.raises(ValueError, match="each of them and at least two"):
        fit(np.ones((10, 1)), np.zeros(10))  # so fit asks for samples of each class
    assert fit([[0], [1], [1]], [0, 1, 1]).prior[1] == pytest.approx(2 / 3, rel=1e-15)
    assert fit([[0], [1], [1]], [0, 1, 1], prior_smoothing=1).prior[1] == pytest.approx(3 / 5, rel=1e-15)


@pytest.mark.equation("C-4.3-3", "C-4.4-3")
@pytest.mark.erratum("C20")
def test_with_m_values_the_denominator_grows_by_m():
    """Printed for bits, (N_iv|k + 1)/(N_k + 2), and "can be extended": of three values such shares sum to
    (N_k + 3)/(N_k + 2). With N_k + M_i they sum to 1, for every number of values."""
    _, theta = counted(LI_HANG, LI_HANG_T, sizes=[3, 3])
    for k, n in enumerate((6, 9)):
        assert sum((share * n + 1) / (n + 2) for share in theta[k][0]) == F(n + 3, n + 2) != 1
    model = fit(VALUES, CLASSES, n_values=SIZES)
    np.testing.assert_allclose(model.theta.sum(axis=2), 1, rtol=1e-15)
    for (k, n), (i, M) in product(enumerate(np.bincount(CLASSES)), enumerate(SIZES)):
        counts = np.bincount(VALUES[CLASSES == k, i], minlength=M)
        np.testing.assert_allclose(model.theta[k, i, :M], (counts + 1) / (n + M), rtol=1e-14)


@pytest.mark.equation("C-4.3-3", "C-4.4-3", "C-4.4-4")
def test_a_value_never_seen():
    """One feature of five values, 0, 1, 1 seen in class 0 and 1 in class 1: 1/8 and 1/6 of value 4, ML 0 of both."""
    X, t = [[0], [1], [1], [1]], [0, 0, 0, 1]
    model = fit(X, t, n_values=5)
    np.testing.assert_allclose(model.theta[0] * 8, [[2, 3, 1, 1, 1]], rtol=1e-14)
    np.testing.assert_allclose(model.theta[1] * 6, [[1, 2, 1, 1, 1]], rtol=1e-14)
    np.testing.assert_allclose(posterior(model, [[4]]), [[9 / 13, 4 / 13]], rtol=1e-14)  # 3/4 · 1/8 : 1/4 · 1/6
    assert_same(model, fit(X, t, n_values=[5]))
    with pytest.raises(ValueError, match=r"X holds 5 at row 0, column 0; feature 0 has the values 0\.\.4"):
        log_joint(model, [[5]])
    unsmoothed = fit(X, t, 0, n_values=5)
    np.testing.assert_array_equal(log_joint(unsmoothed, [[4]]), -np.inf)
    np.testing.assert_array_equal(posterior(unsmoothed, [[0]]), [[1, 0]])


# --- logarithms ---------------------------------------------------------------------------------------------


@pytest.mark.equation("C-4-3", "C-4.1-4", "C-4.3-1")
@pytest.mark.parametrize("d", [2000, 100_000])
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


@pytest.mark.parametrize("N", [1, 2, 5])
@pytest.mark.parametrize("d", [3, 1000, 1001, 100_000])
def test_a_sum_over_many_features_keeps_its_digits(d, N):
    """Against the sum that is rounded once. 1000 terms at a time, and d/1000 sums: no more than (1000 + d/1000) ε."""
    rng = np.random.default_rng(d + N)
    X = rng.integers(0, 2, (N, d))
    for mu in (np.full(d, 0.5), rng.choice([0.3, 0.5, 0.6], d), rng.random(d)):
        model = bernoulli(0.5, mu, mu)
        exact = [fsum([log(0.5), *np.log(np.where(x, mu, 1 - mu))]) for x in X]
        rtol = (1000 + d / 1000) * np.finfo(float).eps
        np.testing.assert_allclose(log_joint(model, X), np.transpose([exact, exact]), rtol=rtol)


@pytest.mark.equation("C-4.3-1", "C-4.3-3")
def test_many_categories_do_not_underflow():
    """The first of 2000 features has θ = (1, 1, 2)/4 and (2, 1, 1)/4, the others 1/3: odds 2 of x_1 = 2."""
    theta = np.full((2, 2000, 3), 1 / 3)
    theta[:, 0] = np.array([[2, 1, 1], [1, 1, 2]]) / 4
    model = Model(np.array([0.5, 0.5]), theta, np.full(2000, 3))
    X = np.random.default_rng(3).integers(0, 3, (3, 2000))
    X[:, 0] = [0, 1, 2]
    np.testing.assert_allclose(posterior(model, X)[:, 1], [1 / 3, 1 / 2, 2 / 3], rtol=1e-10)
    assert log_joint(model, X).max() < -2000


@pytest.mark.equation("C-4.1-4", "C-4.2-2", "C-4.2-3", "C-4.4-1")
def test_impossible_samples_are_minus_infinity_never_nan():
    """All μ of 0, 1/2, 1 with all x of {0,1}^3, the prior 0 and 1 among others: ln 0 = -inf just where p is 0."""
    X = corners(3)
    for mu in product((F(0), F(1, 2), F(1)), repeat=3):
        for pi in (F(0), F(1, 3), F(1)):
            exact = np.array([[(1 - pi) * F(1, 8), pi * bit(mu, x)] for x in X], float)
            bits = bernoulli(float(pi), np.array(mu, float), [0.5] * 3)
            wide = np.pad(bits.theta, ((0, 0), (0, 0), (0, 1)))
            for model in (bits, Model(bits.prior, wide, np.array([2, 3, 2]))):  # as bits, and by tables
                found = log_joint(model, X)
                np.testing.assert_array_equal(np.isneginf(found), exact == 0)
                np.testing.assert_allclose(np.exp(found), exact, rtol=1e-14)
            np.testing.assert_array_equal(class_conditional(bits.mu[1], X), np.array([bit(mu, x) for x in X], float))


def test_three_classes_two_of_them_impossible():
    model = fit([[0, 0], [1, 0], [2, 1], [2, 0]], [0, 1, 2, 2], 0, n_values=[3, 2])
    p = posterior(model, [[0, 0], [1, 0], [2, 1]])
    np.testing.assert_array_equal(p, np.eye(3))
    assert predict(model, [[0, 0], [1, 0], [2, 1]]).tolist() == [0, 1, 2]
    for question in (posterior, predict):
        with pytest.raises(ValueError, match="row 1 has probability 0 in every class"):
            question(model, [[0, 0], [0, 1], [1, 1]])


@pytest.mark.equation("C-4-2")
def test_odds_of_one_impossible_class_are_infinite():
    model = bernoulli(0.5, [0.0, 0.5], [0.5, 1.0])
    np.testing.assert_array_equal(log_odds(model, [[1, 1], [0, 0]]), [-np.inf, np.inf])
    np.testing.assert_array_equal(sigmoid(log_odds(model, [[1, 1], [0, 0]])), posterior(model, [[1, 1], [0, 0]])[:, 1])
    assert predict(model, [[1, 1], [0, 0]]).tolist() == [0, 1]


def test_the_likelihood_of_an_impossible_sample_is_minus_infinity():
    model = bernoulli(0.5, [0.0], [0.5])
    assert log_likelihood(model, [[1], [0]], [1, 0]) == -np.inf
    assert log_likelihood(model, [[1], [0]], [0, 1]) == pytest.approx(log(1 / 4 * 1 / 2), rel=1e-14)


# --- metamorphic relations ----------------------------------------------------------------------------------

CASES = {
    "bits": (BITS, LABELS, None),
    "bits of three classes": (BITS, CLASSES, None),
    "values": (VALUES, CLASSES, SIZES),
}
cases = pytest.mark.parametrize("case", CASES)
smoothings = pytest.mark.parametrize("s", [0.0, 1.0])


@cases
@smoothings
def test_the_order_of_samples_does_not_matter_that_of_features_permutes_tables(case, s):
    X, t, sizes = CASES[case]
    plain, order = fit(X, t, s, n_values=sizes), np.random.default_rng(3).permutation(60)
    assert_same(fit(X[order], t[order], s, n_values=sizes), plain)
    np.testing.assert_allclose(posterior(plain, X[order]), posterior(plain, X)[order], rtol=1e-14)
    turn = np.random.default_rng(4).permutation(X.shape[1])
    turned = fit(X[:, turn], t, s, n_values=None if sizes is None else np.array(sizes)[turn])
    assert_same(turned, Model(plain.prior, plain.theta[:, turn], plain.n_values[turn]))
    np.testing.assert_allclose(posterior(turned, X[:, turn]), posterior(plain, X), rtol=1e-12)


@cases
@smoothings
def test_relabelling_the_classes_permutes_them(case, s):
    X, t, sizes = CASES[case]
    K, plain = t.max() + 1, fit(X, t, s, n_values=sizes)
    new = np.roll(np.arange(K), 1)  # class k is new[k] now
    found = fit(X, new[t], s, n_values=sizes)
    assert_same(Model(found.prior[new], found.theta[new], found.n_values), plain)
    np.testing.assert_allclose(posterior(found, X)[:, new], posterior(plain, X), rtol=1e-13)
    assert predict(found, X).tolist() == new[predict(plain, X)].tolist()


@pytest.mark.equation("C-4.4-3")
@cases
@smoothings
def test_renaming_the_values_permutes_their_shares(case, s):
    X, t, sizes = CASES[case]
    plain, names = fit(X, t, s, n_values=sizes), X.copy()
    theta = plain.theta.copy()
    for i, M in enumerate(plain.n_values):
        new = np.roll(np.arange(M), 1)
        names[:, i], theta[:, i, new] = new[X[:, i]], plain.theta[:, i, :M]
    found = fit(names, t, s, n_values=sizes)
    assert_same(found, Model(plain.prior, theta, plain.n_values))
    np.testing.assert_allclose(posterior(found, names), posterior(plain, X), rtol=1e-12)


def test_turning_a_bit_turns_the_sign_of_its_weight():
    w, b = as_linear(fit(BITS, LABELS))
    turned, c = as_linear(fit(np.abs(BITS - [0, 1, 0, 0]), LABELS))
    np.testing.assert_allclose(turned, w * [1, -1, 1, 1], rtol=1e-12)
    assert c == pytest.approx(b + w[1], rel=1e-12)
    turned, c = as_linear(fit(BITS, 1 - LABELS))
    np.testing.assert_allclose(np.append(turned, c), np.append(-w, -b), rtol=1e-12)


@pytest.mark.equation("C-4.4-3")
@cases
def test_samples_twice_with_twice_the_smoothing(case):
    X, t, sizes = CASES[case]
    plain = fit(X, t, 1.5, 0.5, n_values=sizes)
    assert_same(fit(np.vstack([X, X]), np.append(t, t), 3, 1, n_values=sizes), plain)
    assert np.abs(fit(np.vstack([X, X]), np.append(t, t), 1.5, 1, n_values=sizes).theta - plain.theta).max() > 1e-3


@cases
def test_more_samples_than_a_block_holds(case):
    """Counted and summed block by block: 60 samples so often that they fill more than two."""
    X, t, sizes = CASES[case]
    copies = 2 * moments.BLOCK // X.size + 7
    many, plain = np.tile(X, (copies, 1)), fit(X, t, 0, n_values=sizes)
    assert len(list(moments.blocks(many))) > 2
    assert_same(fit(many, np.tile(t, copies), 0, n_values=sizes), plain)
    np.testing.assert_allclose(log_joint(plain, many), np.tile(log_joint(plain, X), (copies, 1)), rtol=1e-13)


@pytest.mark.equation("C-4.1-2")
@pytest.mark.parametrize("sizes", [None, 3])
def test_a_feature_copied_ten_times_counts_ten_times(sizes):
    """What is said once and repeated is taken for ten independent proofs: with π = 1/2 the log odds are ten times."""
    X, t = LI_HANG[:, 1:] if sizes else (LI_HANG[:, 1:] > 0), np.array(LI_HANG_T)
    X, t = X[3:], t[3:]
    X, t = np.vstack([X, X[t == 0]]), np.append(t, t[t == 0])
    assert np.bincount(t).tolist() == [8, 8]
    one, ten = fit(X, t, n_values=sizes), fit(np.repeat(X, 10, axis=1), t, n_values=sizes)
    np.testing.assert_allclose(log_odds(ten, np.repeat(X, 10, axis=1)), 10 * log_odds(one, X), rtol=1e-12, atol=1e-12)
    assert np.abs(log_odds(one, X)).max() > 0.3
    unequal = fit(X[3:], t[3:], n_values=sizes)
    prior = log(unequal.prior[1] / unequal.prior[0])
    ten = fit(np.repeat(X[3:], 10, axis=1), t[3:], n_values=sizes)
    found = log_odds(ten, np.repeat(X, 10, axis=1)) - prior
    np.testing.assert_allclose(found, 10 * (log_odds(unequal, X) - prior), rtol=1e-12, atol=1e-12)


def test_a_feature_of_one_value_changes_nothing():
    """θ = 1 in every class; as a bit that is never set, smoothed, it is 1/(N_k + 2) and does say something."""
    constant = np.column_stack([VALUES, np.zeros(60, int)])
    found, plain = fit(constant, CLASSES, n_values=[*SIZES, 1]), fit(VALUES, CLASSES, n_values=SIZES)
    np.testing.assert_array_equal(found.theta[:, 3], [[1, 0, 0, 0]] * 3)
    np.testing.assert_allclose(log_joint(found, constant), log_joint(plain, VALUES), rtol=1e-13)
    alone = fit(np.zeros((4, 2)), [0, 1, 1, 2], n_values=1)
    np.testing.assert_array_equal(alone.theta, np.ones((3, 2, 1)))
    np.testing.assert_allclose(posterior(alone, [[0, 0]]), [[1 / 4, 1 / 2, 1 / 4]], rtol=1e-14)
    as_bit = fit(np.zeros((4, 1)), [0, 1, 1, 1])
    np.testing.assert_allclose(as_bit.mu, [[1 / 3], [1 / 5]], rtol=1e-14)


# --- new data -----------------------------------------------------------------------------------------------


def within(share, expected, N):
    """Five standard errors √(p(1 - p)/N) of a binomial share; shares of 0 and 1 exactly."""
    expected = np.asarray(expected)
    return (np.abs(share - expected) <= 5 * np.sqrt(expected * (1 - expected) / N) + 1e-15).all()


@pytest.mark.equation("C-1-10")
def test_new_samples_have_the_probabilities_of_the_model():
    """p(x, C_k) of all 2 · 8 cells, so p(x) = Σ_k p(x|C_k)p(C_k) of the 8."""
    N, model = 200_000, bernoulli(0.3, [0.2, 0.9, 0.5], [0.6, 0.1, 0.4])
    X, t = sample(model, N, rng=np.random.default_rng(0))
    assert X.shape == (N, 3) and t.shape == (N,) and X.dtype == t.dtype == int
    cells = np.bincount(8 * t + X @ [4, 2, 1], minlength=16).reshape(2, 8).T / N
    p = np.exp(log_joint(model, corners(3)))
    assert within(cells, p, N)
    assert within(cells.sum(axis=1), p.sum(axis=1), N)
    assert not within(cells[::-1], p, N)


@pytest.mark.equation("C-1-10", "C-4.3-3")
def test_a_fit_of_new_categories_recovers_the_model():
    """Features of 3, 1, 4 and 2 values, some of which never occur: the first, one between, the last."""
    theta = np.zeros((3, 4, 4))
    theta[:, 0, :3] = [[0, 0.3, 0.7], [0.2, 0.5, 0.3], [1, 0, 0]]
    theta[:, 1, 0] = 1
    theta[:, 2] = [[0.1, 0.2, 0.3, 0.4], [0.5, 0, 0.5, 0], [0.25, 0.25, 0.25, 0.25]]
    theta[:, 3, :2] = [[0.5, 0.5], [0, 1], [0.9, 0.1]]
    N, model = 200_000, Model(np.array([0.2, 0.5, 0.3]), theta, np.array([3, 1, 4, 2]))
    X, t = sample(model, N, rng=np.random.default_rng(2))
    found = fit(X, t, 0, n_values=[3, 1, 4, 2])
    assert within(found.prior, model.prior, N)
    for k in range(3):
        assert within(found.theta[k], theta[k], found.prior[k] * N)
    np.testing.assert_array_equal(found.theta == 0, theta == 0)
    pair = np.mean((X[t == 0, 2] == 3) & (X[t == 0, 0] == 2))  # independent given the class
    assert within(pair, 0.4 * 0.7, (t == 0).sum())


def test_samples_of_a_sure_class():
    for pi in (0.0, 1.0):
        X, t = sample(bernoulli(pi, [1.0, 0.0], [0.0, 1.0]), 1000, rng=np.random.default_rng(3))
        np.testing.assert_array_equal(t, pi)
        np.testing.assert_array_equal(X, np.tile([pi, 1 - pi], (1000, 1)))
    never = Model(np.array([0.5, 0.0, 0.5]), np.ones((3, 1, 1)), np.array([1]))
    assert set(sample(never, 1000, rng=np.random.default_rng(4))[1]) == {0, 2}


class Always(np.random.Generator):
    """Draws u, whatever is asked for."""

    def __init__(self, u):
        super().__init__(np.random.PCG64(0))
        self.u = u

    def random(self, size):
        return np.full(size, self.u)


def test_a_draw_of_almost_1_is_still_a_value_of_the_feature():
    """The shares 7/10, 2/10, 1/10 sum to 1 - 1e-16 at most, and a draw may lie beyond."""
    theta = np.zeros((2, 2, 10))
    theta[:, 0], theta[:, 1, :3] = np.full(10, 0.1), [0.7, 0.2, 0.1 - 1e-16]
    model = Model(np.array([0.5, 0.5]), theta, np.array([10, 3]))
    X, t = sample(model, 2, rng=Always(np.nextafter(1, 0)))
    assert X.tolist() == [[9, 2], [9, 2]] and t.tolist() == [1, 1]


def test_a_draw_of_0_is_no_value_of_probability_0():
    model = Model(np.array([0.0, 1.0]), np.array([[[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]]]), np.array([3]))
    X, t = sample(model, 2, rng=Always(0.0))
    assert X.tolist() == [[2], [2]] and t.tolist() == [1, 1]


def test_one_seed_one_sample():
    model = fit(VALUES, CLASSES, n_values=SIZES)
    first, second, other = (sample(model, 20, rng=np.random.default_rng(seed)) for seed in (5, 5, 6))
    np.testing.assert_array_equal(np.column_stack(first), np.column_stack(second))
    assert (np.column_stack(first) != np.column_stack(other)).any()


# --- doors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [list, bool, np.int8, np.uint8, np.float32, float, object], ids=str)
def test_any_form_of_numbers(form):
    def cast(a):
        return a.tolist() if form is list else a.astype(form)

    expected, x = fit(BITS, LABELS), corners(4)
    for found in (fit(cast(BITS), cast(LABELS)), fit(cast(BITS), cast(LABELS), n_values=2)):
        assert_same(found, expected)
    np.testing.assert_allclose(log_joint(expected, cast(x)), log_joint(expected, x), rtol=1e-15)
    np.testing.assert_allclose(posterior(expected, cast(x)), posterior(expected, x), rtol=1e-15)
    if form not in (bool, list, object):
        np.testing.assert_allclose(class_conditional(expected.mu[0], cast(x)), [bit(expected.mu[0], v) for v in x])
    if form is not bool:
        model = fit(VALUES, CLASSES, n_values=SIZES)
        assert_same(fit(cast(VALUES), cast(CLASSES), n_values=SIZES), model)
        np.testing.assert_allclose(log_joint(model, cast(VALUES)), log_joint(model, VALUES), rtol=1e-15)


def test_more_values_than_an_int8_has_and_more_places_than_it_can_count():
    """X as int8 and uint8: k, i, v are numbered up to 2 · 3 · 300."""
    X, t = np.random.default_rng(5).integers(0, 100, (50, 3)), np.arange(50) % 2
    for form in (np.int8, np.uint8):
        assert_same(fit(X.astype(form), t, n_values=300), fit(X, t, n_values=300))
    assert_is(fit(X.astype(np.int8), t.astype(np.int8), n_values=300), *counted(X, t, 1, 0, [300] * 3))


def test_read_only_and_strided_arrays_are_left_as_they_are():
    for X, t, sizes in CASES.values():
        wide = np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3]
        turned, labels = np.asfortranarray(X), np.repeat(t, 2)[::2]
        for a in (wide, turned, labels):
            a.setflags(write=False)
        expected = fit(X, t, n_values=sizes)
        for view in (wide, turned):
            assert_same(fit(view, labels, n_values=sizes), expected)
            np.testing.assert_allclose(log_joint(expected, view), log_joint(expected, X), rtol=1e-14)
            np.testing.assert_array_equal(view, X)


def test_a_data_frame_is_taken_by_position():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(VALUES, index=np.arange(60)[::-1], columns=["c", "a", "b"])
    labels = pandas.Series(CLASSES, index=np.roll(np.arange(60), 7))
    found = fit(frame, labels, n_values=SIZES)
    assert_same(found, fit(VALUES, CLASSES, n_values=SIZES))
    np.testing.assert_allclose(posterior(found, frame), posterior(found, VALUES), rtol=1e-14)
    bits = pandas.DataFrame(BITS.astype(bool), index=np.arange(60)[::-1])
    assert_same(fit(bits, pandas.Series(LABELS)), fit(BITS, LABELS))


GOOD, TWO = [[0, 1], [1, 1], [1, 0]], [0, 1, 1]
BAD = {
    "counts for bits": ([*GOOD[:2], [3, 0]], TWO, {}, ValueError, r"3 at row 2, column 0; bits, 0 and 1, .* X > 0"),
    "signs for bits": ([[-1, 1], *GOOD[1:]], TWO, {}, ValueError, "X holds -1 at row 0, column 0; bits"),
    "NaN": ([[0, np.nan], *GOOD[1:]], TWO, {}, ValueError, "X holds nan at row 0, column 1"),
    "NaN among categories": ([[0, np.nan], *GOOD[1:]], TWO, {"n_values": 3}, ValueError, "nan at row 0, column 1"),
    "half a category": ([[0, 0.5], *GOOD[1:]], TWO, {"n_values": 3}, ValueError, r"0.5 at row 0, column 1; .* 0\.\.2"),
    "beyond its values": ([*GOOD[:2], [1, 2]], TWO, {"n_values": [4, 2]}, ValueError, r"feature 1 .* 0\.\.1"),
    "below its values": ([[0, -1], *GOOD[1:]], TWO, {"n_values": 3}, ValueError, "X holds -1 at row 0, column 1"),
    "names": ([["a", "b"]] * 3, TWO, {"n_values": 3}, TypeError, r"X holds text; .* np\.unique\(X\[:, i\]"),
    "another length of n_values": (
        GOOD,
        TWO,
        {"n_values": [2, 2, 2]},
        ValueError,
        r"d = 2 as in X; found shape \(3,\)",
    ),
    "no value": (GOOD, TWO, {"n_values": [2, 0]}, ValueError, r"n_values must hold whole numbers from 1"),
    "half a value": (GOOD, TWO, {"n_values": 2.5}, ValueError, r"n_values must hold whole numbers from 1"),
    "one class": (GOOD, [0, 0, 0], {}, ValueError, "at least two"),
    "a class without samples": (GOOD, [0, 2, 2], {}, ValueError, "each of them"),
    "a class without samples, categories": (GOOD, [0, 2, 2], {"n_values": 2}, ValueError, "each of them"),
    "classes from 1": (GOOD, [1, 2, 2], {}, ValueError, r"0\.\.K-1"),
    "another length": (
        GOOD,
        [0, 1],
        {},
        ValueError,
        r"t must be of shape \(N,\), N = 3 as in X; found shape \(2,\); give one per sample",
    ),
    "a column": (GOOD, [[0], [1], [1]], {}, ValueError, r"t must be of shape .*; t.ravel\(\) converts"),
    "one dimension": ([0, 1, 1], TWO, {}, ValueError, r"X must be of shape \(N, d\); found shape \(3,\)"),
    "empty": (np.empty((0, 2)), [], {}, ValueError, "X is empty"),
    "negative smoothing": (GOOD, TWO, {"smoothing": -1}, ValueError, "smoothing must be >= 0, found -1"),
    "NaN smoothing": (GOOD, TWO, {"smoothing": np.nan}, ValueError, "smoothing must be a finite number"),
    "negative prior smoothing": (GOOD, TWO, {"prior_smoothing": -0.5}, ValueError, "prior_smoothing must be >= 0"),
}


@pytest.mark.parametrize("case", BAD)
def test_fit_names_what_is_wrong(case):
    X, t, settings, error, message = BAD[case]
    with pytest.raises(error, match=message):
        fit(X, t, **settings)


@pytest.mark.parametrize("question", [log_joint, posterior, predict, log_odds])
def test_samples_that_the_model_does_not_know(question):
    bits, values = fit(BITS, LABELS), fit(VALUES, LABELS, n_values=SIZES)
    for model, X, message in (
        (bits, [[0, 1, 2, 0]], "X holds 2 at row 0, column 2; bits"),
        (bits, [[0, 1]], "X has 2 features; 4 are expected"),
        (bits, [0, 1, 1, 0], r"X must be of shape \(N, d\); found shape \(4,\)"),
        (bits, [[0, 1, np.nan, 0]], "X holds nan"),
        (bits, np.empty((0, 4)), "X is empty"),
        (values, [[0, 0, 0], [0, 2, 0]], r"X holds 2 at row 1, column 1; feature 1 has the values 0\.\.1"),
        (values, [[0, 0]], "X has 2 features; 3 are expected"),
        (values, [[0, 0, -1]], "X holds -1"),
        (values, [[0, 0, np.nan]], "X holds nan"),
    ):
        with pytest.raises(ValueError, match=message):
            question(model, X)


def test_odds_and_lines_are_of_two_classes():
    three = fit(BITS, CLASSES)
    with pytest.raises(ValueError, match="the model has 3 classes; the odds are of two"):
        log_odds(three, BITS)
    with pytest.raises(ValueError, match=r"theta has shape \(3, 4, 2\); two classes of bits"):
        as_linear(three)
    with pytest.raises(ValueError, match="two classes of bits"):
        as_linear(fit(VALUES, LABELS, n_values=SIZES))


@pytest.mark.equation("C-4.3-2")
@pytest.mark.parametrize("pi, one, zero", [(0.5, 0, 0.5), (0.5, 0.5, 0), (0.5, 0.5, 1), (0, 0.5, 0.5), (1, 0.5, 0.5)])
def test_no_line_has_an_infinite_weight(pi, one, zero):
    model = bernoulli(pi, [one], [zero])
    with pytest.raises(ValueError, match="its weight would be infinite; fit with smoothing > 0"):
        as_linear(model)


@pytest.mark.equation("C-4.2-1", "C-4.1-3")
def test_bernoulli_takes_probabilities():
    for pi, one, zero, message in (
        (1.5, [0.5], [0.5], "pi must be from 0 to 1, found 1.5"),
        (-0.1, [0.5], [0.5], "pi must be from 0 to 1"),
        (0.5, [1.2], [0.5], "mu_1 must be from 0 to 1"),
        (0.5, [0.5], [-0.2], "mu_0 must be from 0 to 1"),
        (0.5, [0.5, 0.5], [0.5], r"mu_0 must be of shape \(d,\), d = 2 as in mu_1; found shape \(1,\)"),
        (0.5, 0.5, 0.5, r"mu_1 must be of shape \(d,\)"),
        (0.5, [np.nan], [0.5], "mu_1 holds nan"),
    ):
        with pytest.raises(ValueError, match=message):
            bernoulli(pi, one, zero)


def test_sample_takes_a_number_and_a_generator():
    with pytest.raises(ValueError, match="N must be a whole number >= 1, found 0"):
        sample(BY_HAND, 0, rng=np.random.default_rng(0))
    with pytest.raises(TypeError, match=r"N must be a whole number >= 1, found 2\.0"):
        sample(BY_HAND, 2.0, rng=np.random.default_rng(0))
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator"):
        sample(BY_HAND, 2, rng=0)


def test_models_are_frozen():
    with pytest.raises(AttributeError):
        BY_HAND.prior = np.array([0.5, 0.5])


def test_models_are_equal_where_all_their_numbers_are():
    X, t = np.array([[0, 1], [1, 1], [0, 0]]), [0, 1, 1]
    model = fit(X, t)
    assert model == fit(X[::-1], t[::-1]) and model in [None, model]
    assert model != fit(X, t, smoothing=2.0) and model != fit(X[:, :1], t) and model != fit(X, t, n_values=3)
    assert model != fit(X, [1, 0, 0]) and model != "model"


@pytest.mark.parametrize("counts, smoothing", [([-1, 5], 1), ([1, 2], -1), ([3, np.inf], 0)])
def test_smoothed_refuses_what_is_no_count(counts, smoothing):
    with pytest.raises(ValueError, match="counts and smoothing must be finite numbers >= 0"):
        smoothed(counts, smoothing)


def test_a_table_beyond_all_measure_is_refused():
    with pytest.raises(
        ValueError, match=r"n_values reach 1e\+06: a table of 1e\+08 probabilities a class is too large; num"
    ):
        fit(np.zeros((4, 100), int), [0, 1, 0, 1], n_values=10**6)


@pytest.mark.parametrize("t", [[0, 1, 2], [0, -1, 1], [0.5, 0, 1]], ids=str)
def test_log_likelihood_knows_its_classes(t):
    model = bernoulli(0.5, [0.2, 0.4], [0.6, 0.8])
    with pytest.raises(ValueError, match=r"t must hold the class numbers 0\.\.1, found"):
        log_likelihood(model, np.zeros((3, 2)), t)

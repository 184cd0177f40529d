"""Chapter 07, linear discriminant analysis: every equation of notes A 4, and where the notes are wrong."""

from fractions import Fraction
from functools import partial
from math import erf, sqrt

import numpy as np
import pytest
from cases import one_in, slow

from linmodels import datasets, lda, linear_regression
from linmodels.derivatives import central_difference
from linmodels.lda import (
    covariances,
    direction,
    directions,
    discriminants,
    means,
    predict,
    predict_by_threshold,
    prior_threshold,
    project,
    ratio_trace,
    rayleigh_quotient,
    scatter_between,
    scatter_of_means,
    scatter_total,
    scatter_within,
    svd_direction,
    threshold,
    trace_ratio,
)
from linmodels.least_squares_classifier import fisher_targets
from linmodels.solvers.scatter import within_scatter
from linmodels.special import softmax

# Two classes of 2 and 4 samples: μ_0 = (1, 1), μ_1 = (5, 2), S_w = (2, 2; 2, 2) + (4, 0; 0, 16) = (6, 2; 2, 18).
PAIR = np.array([[0.0, 0], [2, 2], [4, 0], [6, 0], [4, 4], [6, 4]])
BITS = np.array([0, 0, 1, 1, 1, 1])
FISHER = np.array([-35, 1]) / 52  # S_w⁻¹(-4, -1) = (18, -2; -2, 6)(-4, -1)/104
LARGEST = 139 / 52  # (-4, -1)·FISHER

# Three classes of 2, 2 and 4 samples: μ = (-1, 2), (1, 2), (0, -2), S_w = 6I, S_b = (4, 0; 0, 32).
ROUND = np.array([[0.0, 3], [-2, 1], [0, 3], [2, 1], [1, -2], [-1, -2], [0, -1], [0, -3]])
THIRDS = np.repeat([0, 1, 2], [2, 2, 4])
SHEAR = np.array([[1.0, 2], [0, 1]])
SHEARED = ROUND @ SHEAR

# One feature, two classes: μ = 5, 1, S_w = 2 + 4, so S_w/N = 1.
LINE = np.array([[4.0], [6], [0], [2], [0], [2]])

RNG = np.random.default_rng(0)
LABELS = np.append(np.repeat([0, 1, 2], [8, 12, 17]), [0, 1, 2])
CENTRES = np.array([[0.0, 0, 0, 0], [1, 0, -1, 0.5], [0, 1.5, 0, 1]])
CLOUD = RNG.normal(size=(40, 4)) @ [[1, 0.5, 0, -0.3], [0, 1, 0.4, 0], [0, 0, 1, 0.7], [0, 0, 0, 1]] + CENTRES[LABELS]
TWO = LABELS < 2
CLOUD_2, LABELS_2 = CLOUD[TWO], LABELS[TWO]
MAP = np.random.default_rng(1).normal(size=(4, 4))  # a regular map of the features


def deltas(X, t):
    """μ_0 - μ_1, by NumPy's mean."""
    return X[t == 0].mean(axis=0) - X[t == 1].mean(axis=0)


def scatter(X):
    return (X - X.mean(axis=0)).T @ (X - X.mean(axis=0))


def within_by_hand(X, t):
    return sum(scatter(X[t == k]) for k in range(max(t) + 1))


def parallel(v, w):
    """How far unit vectors along v and w are apart: they point to the same side."""
    v, w = v / np.abs(v).max(), w / np.abs(w).max()
    return np.abs(v / np.linalg.norm(v) - w / np.linalg.norm(w)).max()


def squared_distances(X, M, S):
    """(x - μ_k)ᵀS⁻¹(x - μ_k), Mahalanobis's, of each sample and class."""
    return np.array([[(x - m) @ np.linalg.solve(S, x - m) for m in M] for x in X])


def by_least_squares(X, t):
    """Chapter 06: the shortest w that regresses N/N_0, -N/N_1 on the centred samples."""
    return linear_regression.minimum_norm(X - X.mean(axis=0), fisher_targets(t))


def exactly(points, t):
    """S_w⁻¹(μ_0 - μ_1) of samples in the plane, in fractions, by Cramer's rule."""
    S, mu = [[Fraction(0)] * 2 for _ in range(2)], []
    for k in (0, 1):
        of_k = [[Fraction(int(v)) for v in x] for x, label in zip(points, t, strict=True) if label == k]
        m = [sum(x[i] for x in of_k) / len(of_k) for i in range(2)]
        S = [[S[i][j] + sum((x[i] - m[i]) * (x[j] - m[j]) for x in of_k) for j in range(2)] for i in range(2)]
        mu.append(m)
    (a, b), (_, c) = S
    u, v = (mu[0][i] - mu[1][i] for i in range(2))
    return (c * u - b * v) / (a * c - b * b), (a * v - b * u) / (a * c - b * b)


# --- means and scatters -------------------------------------------------------------------------------------


@pytest.mark.equation("A-4.1.1-1", "A-4.1.2-1", "A-4.1.2-2", "A-4.2-7")
def test_two_classes_by_hand():
    """The mean of all is (22, 8)/6, S_b = 2·4/6 (16, 4; 4, 1) and S_t = (82, 22; 22, 58)/3."""
    np.testing.assert_array_equal(means(PAIR, BITS), [[1, 1], [5, 2]])
    np.testing.assert_array_equal(scatter_within(PAIR, BITS), [[6, 2], [2, 18]])
    np.testing.assert_array_equal(scatter_of_means(PAIR, BITS), [[16, 4], [4, 1]])
    np.testing.assert_allclose(3 * scatter_between(PAIR, BITS), [[64, 16], [16, 4]], rtol=1e-14)
    np.testing.assert_allclose(3 * scatter_total(PAIR), [[82, 22], [22, 58]], rtol=1e-14)


@pytest.mark.equation("A-4.2-1", "A-4.2-2", "A-4.2-3", "A-4.2-6", "A-4.2-7")
def test_three_classes_by_hand():
    """m = 2, 2, 4: the mean, weighted by them, is 0; S_b = 2 (1, -2; -2, 4) + 2 (1, 2; 2, 4) + 4 (0, 0; 0, 4)."""
    assert np.bincount(THIRDS).tolist() == [2, 2, 4]
    np.testing.assert_array_equal(means(ROUND, THIRDS), [[-1, 2], [1, 2], [0, -2]])
    np.testing.assert_array_equal(np.bincount(THIRDS) @ means(ROUND, THIRDS) / 8, ROUND.mean(axis=0))
    np.testing.assert_array_equal(scatter_within(ROUND, THIRDS), [[6, 0], [0, 6]])
    np.testing.assert_allclose(scatter_between(ROUND, THIRDS), [[4, 0], [0, 32]], atol=1e-14)
    np.testing.assert_array_equal(scatter_total(ROUND), [[10, 0], [0, 38]])


@pytest.mark.equation("A-4.1.1-1", "A-4.1.2-1", "A-4.2-2", "A-4.2-3", "A-4.2-4", "A-4.2-6", "A-4.2-7")
def test_means_and_scatters_sample_by_sample():
    mu, S_w, S_b = [], 0, 0
    for k in range(3):
        of_k = [x for x, t in zip(CLOUD, LABELS, strict=True) if t == k]
        mu.append(sum(of_k) / len(of_k))
        S_wk = sum(np.outer(x - mu[k], x - mu[k]) for x in of_k)
        np.testing.assert_allclose(scatter_total(of_k), S_wk, rtol=1e-12)  # S_wi, of the samples of one class
        S_w, S_b = S_w + S_wk, S_b + len(of_k) * np.outer(mu[k] - CLOUD.mean(axis=0), mu[k] - CLOUD.mean(axis=0))
    np.testing.assert_allclose(means(CLOUD, LABELS), mu, rtol=1e-12)
    np.testing.assert_allclose(scatter_within(CLOUD, LABELS), S_w, rtol=1e-12)
    np.testing.assert_allclose(scatter_between(CLOUD, LABELS), S_b, rtol=1e-11, atol=1e-12)


@pytest.mark.equation("A-4.2-6", "A-4.2-7")
@pytest.mark.parametrize("X, t", [(CLOUD, LABELS), (CLOUD_2, LABELS_2), (SHEARED, THIRDS), (CLOUD, np.arange(40) % 7)])
def test_the_total_scatter_is_within_and_between(X, t):
    np.testing.assert_allclose(scatter_total(X), scatter_within(X, t) + scatter_between(X, t), rtol=1e-12, atol=1e-12)


@pytest.mark.equation("A-4.1.2-2", "A-4.2-15")
def test_ranks_of_the_scatters():
    """Each class of N_k samples has N_k - 1 directions, the means of K classes have K - 1."""
    assert np.linalg.matrix_rank(scatter_of_means(CLOUD_2, LABELS_2)) == 1
    assert np.linalg.matrix_rank(scatter_between(CLOUD, LABELS)) == 2
    wide = np.random.default_rng(2).normal(size=(9, 20))
    assert np.linalg.matrix_rank(scatter_within(wide, [0, 0, 0, 1, 1, 1, 1, 2, 2])) == 6


@pytest.mark.equation("A-4.1-1")
@pytest.mark.erratum("A11")
def test_labels_have_one_symbol_and_two_values():
    """Printed ỹ_i in the pairs and y_i in {0, 1}: both are t here, 0 or 1, and other codes are refused."""
    assert set(BITS.tolist()) == {0, 1}
    for two in (direction, svd_direction, scatter_of_means):
        with pytest.raises(ValueError, match=r"t must hold 0 and 1 only, found \[-1\.  1\.\]; keep two"):
            two(PAIR, 2 * BITS - 1)
    of_w = [partial(f, [1.0, 0.0]) for f in (rayleigh_quotient, threshold, prior_threshold)]
    for two in (direction, svd_direction, scatter_of_means, *of_w):
        with pytest.raises(ValueError, match=r"t must hold 0 and 1 only, found .*; keep two classes, X\[t < 2\]"):
            two(ROUND, THIRDS)


@pytest.mark.equation("A-4.2-2")
@pytest.mark.erratum("A33")
def test_the_mean_is_over_the_samples_of_a_class():
    """Printed x_i in D_i, with one i for class and sample: that reads as the one sample i, if it is of class i."""
    as_printed = [sum(ROUND[n] for n in [i] if THIRDS[n] == i) / m for i, m in enumerate(np.bincount(THIRDS))]
    assert as_printed[0].tolist() == [0, 3 / 2]  # x_0/2; classes 1 and 2 have no such sample
    assert as_printed[1:] == [0, 0]
    np.testing.assert_array_equal(means(ROUND, THIRDS)[0], (ROUND[0] + ROUND[1]) / 2)


@pytest.mark.equation("A-4.1.1-1", "A-4.1.1-4", "A-4.2-2")
def test_covariances_by_hand():
    """(1, 1; 1, 1) of two samples, (1, 0; 0, 4) of four. w = (3, 4): the variances of 0, 14 and 12, 18, 28, 34."""
    assert covariances(PAIR, BITS).tolist() == [[[1, 1], [1, 1]], [[1, 0], [0, 4]]]
    w = np.array([3.0, 4.0])
    assert covariances(project(w, PAIR)[:, None], BITS).ravel().tolist() == [49, 73]
    assert (w @ covariances(PAIR, BITS) @ w).tolist() == [49, 73]


@pytest.mark.equation("A-4.1.1-1", "A-4.1.1-4", "A-4.2-2", "A-4.2-5")
@pytest.mark.erratum("A27", "A34")
def test_covariances_of_classes_make_their_scatters_and_those_of_projected_samples():
    Sigma, W = covariances(CLOUD, LABELS), MAP[:, :2]
    for k, of_k in enumerate(Sigma):
        np.testing.assert_allclose(of_k, np.cov(CLOUD[LABELS == k].T, bias=True), rtol=1e-11)
    np.testing.assert_allclose(np.tensordot(np.bincount(LABELS), Sigma, 1), scatter_within(CLOUD, LABELS), rtol=1e-11)
    np.testing.assert_allclose(covariances(project(W, CLOUD), LABELS), W.T @ Sigma @ W, rtol=1e-10, atol=1e-12)


@pytest.mark.equation("A-4.1.1-1")
def test_the_covariance_of_one_sample_is_0():
    assert covariances([[1, 2], [0, 0], [4, 2]], [0, 1, 1]).tolist() == [[[0, 0], [0, 0]], [[4, 2], [2, 1]]]


@pytest.mark.equation("A-4.2-5")
@pytest.mark.erratum("A34")
def test_a_scatter_is_not_a_covariance():
    """Printed S_wi = Σ_i. The four samples of class 1 have the scatter (4, 0; 0, 16), four times their covariance."""
    of_1 = PAIR[BITS == 1]
    np.testing.assert_array_equal(scatter_total(of_1), [[4, 0], [0, 16]])
    np.testing.assert_allclose(np.cov(of_1.T, bias=True), [[1, 0], [0, 4]], atol=1e-15)
    for k, m in enumerate(np.bincount(LABELS)):
        of_k = CLOUD[LABELS == k]
        np.testing.assert_allclose(scatter_total(of_k), m * np.cov(of_k.T, bias=True), rtol=1e-11)
        np.testing.assert_allclose(scatter_total(of_k), (m - 1) * np.cov(of_k.T), rtol=1e-11)
    shares = sum(m * np.cov(CLOUD[LABELS == k].T, bias=True) for k, m in enumerate(np.bincount(LABELS)))
    np.testing.assert_allclose(scatter_within(CLOUD, LABELS), shares, rtol=1e-11)


@pytest.mark.equation("A-4.1.1-1", "A-4.1.2-1")
@pytest.mark.erratum("A27")
def test_adding_covariances_gives_another_direction():
    """Printed S_w = Σ_0 + Σ_1 = Σ Σ (x - μ)(x - μ)ᵀ. Here Σ_0 + Σ_1 = (1, 1; 1, 1) + (1, 0; 0, 4) = (2, 1; 1, 5), and
    (5, -1; -1, 2)(-4, -1)/9 = (-19, 2)/9, of J = 74²/2086 < 139/52.

    With classes of one size, S_w = m (Σ_0 + Σ_1): no difference.
    """
    covariances = sum(np.cov(PAIR[BITS == k].T, bias=True) for k in (0, 1))
    np.testing.assert_allclose(covariances, [[2, 1], [1, 5]], rtol=1e-14)
    as_printed = np.linalg.solve(covariances, deltas(PAIR, BITS))
    np.testing.assert_allclose(9 * as_printed, [-19, 2], rtol=1e-14)
    assert parallel(direction(PAIR, BITS), as_printed) > 0.05
    assert rayleigh_quotient(as_printed, PAIR, BITS) == pytest.approx(74**2 / 2086, rel=1e-13)
    assert 74**2 / 2086 < LARGEST
    one_size = np.delete(np.arange(20), [8, 9, 10, 11])
    X, t = CLOUD_2[one_size], LABELS_2[one_size]
    assert np.bincount(t).tolist() == [8, 8]
    covariances = sum(np.cov(X[t == k].T, bias=True) for k in (0, 1))
    np.testing.assert_allclose(scatter_within(X, t), 8 * covariances, rtol=1e-11)
    assert parallel(direction(X, t), np.linalg.solve(covariances, deltas(X, t))) < 1e-11


@pytest.mark.equation("A-4.1.2-1")
@pytest.mark.erratum("A28")
def test_the_second_sum_is_over_the_other_class():
    """Printed D_0 in both sums: then S_w = (2, 2; 2, 2) + (34, 10; 10, 4), w = (-1, 1)/6, and J = 9/20."""
    of_0, (_, mu_1) = PAIR[BITS == 0], means(PAIR, BITS)
    as_printed = scatter(of_0) + (of_0 - mu_1).T @ (of_0 - mu_1)
    np.testing.assert_array_equal(as_printed, [[36, 12], [12, 6]])
    w = np.linalg.solve(as_printed, deltas(PAIR, BITS))
    np.testing.assert_allclose(6 * w, [-1, 1], rtol=1e-13)
    assert rayleigh_quotient(w, PAIR, BITS) == pytest.approx(9 / 20, rel=1e-13)
    assert 9 / 20 < rayleigh_quotient(direction(PAIR, BITS), PAIR, BITS)


@pytest.mark.equation("A-4.2-5", "A-4.2-8")
@pytest.mark.erratum("A35")
def test_scatters_are_not_projected_and_one_centre_is_no_covariance():
    """Printed: S_wi describes projected points, (μ_i - μ)(μ_i - μ)ᵀ is a covariance matrix. The first is d x d, and the
    scatter of projected points is wᵀS_wi w; the second has rank 1, and the covariance of class 0 has rank 4."""
    of_0, w = CLOUD[LABELS == 0], MAP[0]
    assert scatter_total(of_0).shape == (4, 4)
    assert scatter_total(project(w, of_0)[:, None]).item() == pytest.approx(w @ scatter_total(of_0) @ w, rel=1e-12)
    centre = means(CLOUD, LABELS)[0] - CLOUD.mean(axis=0)
    assert np.linalg.matrix_rank(np.outer(centre, centre)) == 1
    assert np.linalg.matrix_rank(np.cov(of_0.T)) == 4


@pytest.mark.equation("A-4.2-8")
def test_the_size_of_a_class_is_its_weight():
    """The class (0, -2) once more: μ = (0, -2/3) and S_b = (4, 0; 0, 2·2·(8/3)² + 8·(4/3)²); unweighted, it stays."""
    X, t = np.vstack([ROUND, ROUND[4:]]), np.append(THIRDS, THIRDS[4:])
    np.testing.assert_allclose(means(X, t), means(ROUND, THIRDS), atol=1e-15)
    np.testing.assert_allclose(scatter_between(X, t), [[4, 0], [0, 128 / 3]], atol=1e-13)


@pytest.mark.equation("A-4.1.2-2", "A-4.2-7")
@pytest.mark.erratum("A36")
def test_the_two_between_scatters_differ_by_a_factor():
    """One name for two: S_b of section 4.2 is N_0 N_1/N = 4/3 of that of 4.1. So is J; the direction is the same."""
    np.testing.assert_allclose(scatter_between(PAIR, BITS), 4 / 3 * scatter_of_means(PAIR, BITS), rtol=1e-14)
    assert np.abs(scatter_between(PAIR, BITS) - scatter_of_means(PAIR, BITS)).max() > 5
    for X, t in ((PAIR, BITS), (CLOUD_2, LABELS_2)):
        n = np.bincount(t)
        np.testing.assert_allclose(scatter_between(X, t), n.prod() / n.sum() * scatter_of_means(X, t), rtol=1e-11)
        w, (W, ratios) = direction(X, t), directions(X, t)
        assert ratios == pytest.approx([n.prod() / n.sum() * rayleigh_quotient(w, X, t)], rel=1e-11)
        assert min(parallel(W[:, 0], w), parallel(-W[:, 0], w)) < 1e-12


# --- projection and the criterion ---------------------------------------------------------------------------


@pytest.mark.equation("A-4.1.1-2", "A-4.1.1-3", "A-4.1.1-4")
def test_projection_by_hand():
    """w = (3, 4): 7 and 23 are the projected means, wᵀS_w w = 54 + 48 + 288."""
    w = np.array([3.0, 4.0])
    np.testing.assert_array_equal(project(w, PAIR), [0, 14, 12, 18, 28, 34])
    np.testing.assert_array_equal(project(w, means(PAIR, BITS)), [7, 23])
    assert scatter_within(project(w, PAIR)[:, None], BITS).item() == 7**2 * 2 + 11**2 + 5**2 + 5**2 + 11**2
    assert 7**2 * 2 + 11**2 + 5**2 + 5**2 + 11**2 == w @ scatter_within(PAIR, BITS) @ w == 390


@pytest.mark.equation("A-4.1.1-3", "A-4.1.1-4", "A-4.2-12")
def test_projecting_commutes_with_means_and_covariances():
    w, W = MAP[0], MAP[:, :2]
    assert project(W, CLOUD).shape == (40, 2)
    np.testing.assert_allclose(project(W, CLOUD)[:, 1], [W[:, 1] @ x for x in CLOUD], rtol=1e-12)
    np.testing.assert_allclose(means(project(W, CLOUD), LABELS), means(CLOUD, LABELS) @ W, rtol=1e-11, atol=1e-13)
    for k in range(3):
        of_k = CLOUD[LABELS == k]
        assert np.var(project(w, of_k)) == pytest.approx(w @ np.cov(of_k.T, bias=True) @ w, rel=1e-12)
    for f in (scatter_within, scatter_between):
        np.testing.assert_allclose(f(project(W, CLOUD), LABELS), W.T @ f(CLOUD, LABELS) @ W, rtol=1e-10, atol=1e-11)


@pytest.mark.equation("A-4.1.1-2", "A-4.1.2-5")
@pytest.mark.erratum("A29")
def test_w_x_is_a_coordinate_for_unit_w_only():
    """Printed: the line y = wᵀx and the projection wᵀx. x = (1, 2) falls on the line along w = (3, 4) at 11/25 w, which
    is 11/5 from 0, while w·x = 11 = ‖w‖·11/5. J does not see the factor."""
    w, x = np.array([3.0, 4.0]), np.array([[1.0, 2.0]])
    assert project(w, x) == 11
    assert project(w / 5, x)[0] == pytest.approx(11 / 5, rel=1e-15)
    foot = 11 / 25 * w
    assert np.linalg.norm(foot) == pytest.approx(11 / 5, rel=1e-15)
    assert (x[0] - foot) @ w == pytest.approx(0, abs=1e-14)
    assert rayleigh_quotient(w / 5, PAIR, BITS) == pytest.approx(rayleigh_quotient(w, PAIR, BITS), rel=1e-14)


@pytest.mark.equation("A-4.1.1-7", "A-4.1.2-3")
def test_rayleigh_quotient_by_hand():
    """w = (3, 4): (7 - 23)²/390; w = (1, 0): 16/6."""
    assert rayleigh_quotient([3, 4], PAIR, BITS) == pytest.approx(256 / 390, rel=1e-14)
    assert rayleigh_quotient([1, 0], PAIR, BITS) == pytest.approx(16 / 6, rel=1e-14)


@pytest.mark.equation("A-4.1.1-7", "A-4.1.2-3", "A-4.1.2-5")
@pytest.mark.parametrize("seed", range(5))
def test_rayleigh_quotient_in_all_its_forms(seed):
    w = np.random.default_rng(seed).normal(size=4)
    S_b, S_w = scatter_of_means(CLOUD_2, LABELS_2), scatter_within(CLOUD_2, LABELS_2)
    J = rayleigh_quotient(w, CLOUD_2, LABELS_2)
    assert pytest.approx(w @ S_b @ w / (w @ S_w @ w), rel=1e-11) == J
    z = CLOUD_2 @ w
    m_0, m_1 = z[LABELS_2 == 0].mean(), z[LABELS_2 == 1].mean()
    assert pytest.approx((m_0 - m_1) ** 2 / np.sum((z - np.where(LABELS_2 == 0, m_0, m_1)) ** 2), rel=1e-11) == J
    for c in (-1.0, 1e-3, 1e70, -1e-70):
        assert rayleigh_quotient(c * w, CLOUD_2, LABELS_2) == pytest.approx(J, rel=1e-11)


@pytest.mark.equation("A-4.1.2-7")
@pytest.mark.parametrize("seed", range(3))
def test_the_derivative_of_the_quotient(seed):
    """∇J = 2(S_b w - J S_w w)/wᵀS_w w, so where it is zero S_b w = λS_w w with λ = J."""
    w = np.random.default_rng(seed).normal(size=4)
    S_b, S_w = scatter_of_means(CLOUD_2, LABELS_2), scatter_within(CLOUD_2, LABELS_2)
    J = rayleigh_quotient(w, CLOUD_2, LABELS_2)
    slope = central_difference(lambda w: rayleigh_quotient(w, CLOUD_2, LABELS_2), w)
    np.testing.assert_allclose(slope, 2 * (S_b @ w - J * S_w @ w) / (w @ S_w @ w), atol=1e-8)
    assert np.abs(slope).max() > 1e-3


# --- the direction of two classes ---------------------------------------------------------------------------


@pytest.mark.equation("A-4.1.2-9", "A-4.1.2-10")
def test_direction_by_hand():
    np.testing.assert_allclose(direction(PAIR, BITS), FISHER, rtol=1e-13)
    np.testing.assert_allclose(svd_direction(PAIR, BITS), FISHER, rtol=1e-13)
    assert rayleigh_quotient(FISHER, PAIR, BITS) == pytest.approx(LARGEST, rel=1e-13)


@pytest.mark.equation("A-4.1.2-9", "A-4.1.2-10")
@pytest.mark.parametrize("seed", range(6))
def test_direction_of_whole_numbers_in_fractions(seed):
    rng = np.random.default_rng(seed)
    points, t = rng.integers(-9, 10, size=(9, 2)), np.repeat([0, 1], [3, 6])
    w = np.array(exactly(points, t), float)
    np.testing.assert_allclose(direction(points, t), w, rtol=1e-11)
    np.testing.assert_allclose(svd_direction(points, t), w, rtol=1e-11)


@pytest.mark.equation("A-4.1.2-9")
def test_two_published_examples():
    """Gutierrez-Osuna, linear discriminant analysis (lecture 10 of CSCE 666): S_w = (13.2, -2.2; -2.2, 26.4), w =
    (0.91, 0.39) up to sign and rounding, λ = 15.65 with a fifth of S_w. Fisher (1936), setosa against versicolor."""
    X = np.array([[4, 1], [2, 4], [2, 3], [3, 6], [4, 4], [9, 10], [6, 8], [9, 5], [8, 7], [10, 8]])
    t = np.repeat([0, 1], 5)
    np.testing.assert_allclose(scatter_within(X, t), [[13.2, -2.2], [-2.2, 26.4]], rtol=1e-13)
    w = direction(X, t)
    np.testing.assert_allclose(w / np.linalg.norm(w), [-0.92, -0.39], atol=0.005)
    assert 5 * rayleigh_quotient(w, X, t) == pytest.approx(15.65, abs=0.01)
    table = datasets.iris()
    w = direction(table.X[table.y < 2], table.y[table.y < 2])
    np.testing.assert_allclose(w / w[0], [1, 5.9037, -7.1299, -10.1036], atol=1.1e-4)


@pytest.mark.equation("A-4-1", "C-2-2", "A-4.1.2-4", "A-4.1.2-9")
def test_no_direction_has_a_larger_quotient():
    """Close within a class, far between them: J at its maximum δᵀS_w⁻¹δ = δ·w, where its derivative is zero."""
    w = direction(CLOUD_2, LABELS_2)
    delta = deltas(CLOUD_2, LABELS_2)
    J = rayleigh_quotient(w, CLOUD_2, LABELS_2)
    assert pytest.approx(delta @ np.linalg.solve(scatter_within(CLOUD_2, LABELS_2), delta), rel=1e-10) == J
    assert pytest.approx(delta @ w, rel=1e-10) == J
    unit = w / np.linalg.norm(w)
    slope = central_difference(lambda w: rayleigh_quotient(w, CLOUD_2, LABELS_2), unit)
    np.testing.assert_allclose(slope, 0, atol=1e-8)
    for v in np.random.default_rng(4).normal(size=(200, 4)):
        assert rayleigh_quotient(v, CLOUD_2, LABELS_2) < J
        assert rayleigh_quotient(unit + 0.01 * v, CLOUD_2, LABELS_2) < J


@pytest.mark.equation("A-4.1.1-5", "A-4.1.1-6", "A-4.1.1-7")
def test_neither_aim_alone_gives_the_direction():
    """Of unit length, δ = (-4, -1) has the farthest means and J = 17²/130; the v of least vᵀS_w v, which is 12 - √40,
    solves (6, 2; 2, 18)v = (12 - √40)v, v = (3 + √10, -1). J of both is below 139/52."""
    delta = deltas(PAIR, BITS)
    assert delta.tolist() == [-4, -1]
    for v in np.random.default_rng(5).normal(size=(50, 2)):
        v /= np.linalg.norm(v)
        assert (delta @ v) ** 2 <= delta @ delta
        assert v @ scatter_within(PAIR, BITS) @ v >= 12 - sqrt(40)
    closest = np.array([3 + sqrt(10), -1])
    np.testing.assert_allclose(scatter_within(PAIR, BITS) @ closest, (12 - sqrt(40)) * closest, rtol=1e-12)
    assert rayleigh_quotient(delta, PAIR, BITS) == pytest.approx(289 / 130, rel=1e-13)
    assert rayleigh_quotient(closest, PAIR, BITS) < LARGEST
    assert 289 / 130 < LARGEST


@pytest.mark.equation("A-4.1.2-6", "A-4.1.2-9")
@pytest.mark.erratum("A30")
def test_the_length_of_w_cannot_be_free_twice():
    """Printed: wᵀS_w w = 1, and later λ_w = λ as the length is free. w = S_w⁻¹δ has wᵀS_w w = δ·w = J = 139/52, so
    λ_w = J; of wᵀS_w w = 1 it is w/√J, and λ_w = √J. Both have -wᵀS_b w = -J on that constraint, the least."""
    for X, t in ((PAIR, BITS), (CLOUD_2, LABELS_2)):
        w, S_w, S_b, delta = direction(X, t), scatter_within(X, t), scatter_of_means(X, t), deltas(X, t)
        J = rayleigh_quotient(w, X, t)
        assert w @ S_w @ w == pytest.approx(J, rel=1e-10) == pytest.approx(delta @ w, rel=1e-10)
        assert abs(w @ S_w @ w - 1) > 0.1
        v = w / np.sqrt(J)
        assert v @ S_w @ v == pytest.approx(1, rel=1e-10)
        assert delta @ v == pytest.approx(np.sqrt(J), rel=1e-10)
        assert abs(delta @ v - J) > 0.1
        assert -v @ S_b @ v == pytest.approx(-J, rel=1e-10)
        for u in np.random.default_rng(6).normal(size=(50, len(w))):
            u /= np.sqrt(u @ S_w @ u)
            assert -u @ S_b @ u > -J


@pytest.mark.equation("A-4.1.2-7", "A-4.1.2-8")
@pytest.mark.erratum("A56")
def test_the_lagrange_condition_is_necessary_only():
    """Printed "equivalent". v = (1, -4) has δ·v = 0, so S_b v = 0 = 0·S_w v: a solution with λ = 0, and J = 0 is the
    minimum. What is needed is the largest λ; then S_b w = (δ·w)δ, and δ = S_w w up to length."""
    S_b, S_w, delta = scatter_of_means(PAIR, BITS), scatter_within(PAIR, BITS), deltas(PAIR, BITS)
    v = np.array([1.0, -4.0])
    np.testing.assert_array_equal(S_b @ v, 0 * (S_w @ v))
    assert rayleigh_quotient(v, PAIR, BITS) == 0 < rayleigh_quotient(direction(PAIR, BITS), PAIR, BITS)
    np.testing.assert_allclose(central_difference(lambda w: rayleigh_quotient(w, PAIR, BITS), v), 0, atol=1e-9)
    w = direction(PAIR, BITS)
    np.testing.assert_allclose(S_b @ w, LARGEST * (S_w @ w), rtol=1e-12)
    np.testing.assert_allclose(S_b @ w, (delta @ w) * delta, rtol=1e-12)
    eigenvalues = np.linalg.eigvals(np.linalg.solve(S_w, S_b))
    np.testing.assert_allclose(np.sort(eigenvalues), [0, LARGEST], atol=1e-13)
    X, t = CLOUD_2, LABELS_2
    delta, v = deltas(X, t), MAP[0]
    np.testing.assert_allclose(scatter_of_means(X, t) @ v, (delta @ v) * delta, rtol=1e-10)
    v = v - (delta @ v) / (delta @ delta) * delta
    assert rayleigh_quotient(v, X, t) == pytest.approx(0, abs=1e-25)


@pytest.mark.equation("A-4.1.2-9")
def test_direction_is_least_squares_of_fishers_targets():
    """Chapter 06, there with a column of ones; by hand (S_w + N_0 N_1/N δδᵀ)w = Nδ, w = N/(1 + N_0 N_1/N J) S_w⁻¹δ."""
    for X, t in ((PAIR, BITS), (CLOUD_2, LABELS_2)):
        n, w = np.bincount(t), direction(X, t)
        factor = len(t) / (1 + n.prod() / n.sum() * rayleigh_quotient(w, X, t))
        np.testing.assert_allclose(by_least_squares(X, t), factor * w, rtol=1e-10)


@pytest.mark.equation("A-4.1.2-10")
@pytest.mark.parametrize("X, t", [(PAIR, BITS), (CLOUD_2, LABELS_2), (LINE, BITS)], ids=["pair", "cloud", "line"])
def test_the_svd_of_a_regular_scatter_gives_the_same(X, t):
    U, s, Vt = np.linalg.svd(scatter_within(X, t))
    w = Vt.T @ np.diag(1 / s) @ U.T @ deltas(X, t)
    np.testing.assert_allclose(svd_direction(X, t), w, rtol=1e-9)
    np.testing.assert_allclose(svd_direction(X, t), direction(X, t), rtol=1e-10)
    np.testing.assert_allclose(U, Vt.T, atol=1e-12)  # symmetric, positive definite: U = V


@pytest.mark.equation("A-4.1.2-10")
@pytest.mark.erratum("A31")
def test_the_svd_of_a_singular_scatter_by_hand():
    """Printed: S_w⁻¹ = VΣ⁻¹Uᵀ is stable. Class 0: (0, 0), (2, 0), class 1: (1, 3), (3, 3): S_w = (4, 0; 0, 0), whose
    Σ⁻¹ divides by 0. The pseudo-inverse gives (-1/4, 0), of J = 1/4, and does not see the second feature, which alone
    tells the classes apart: J = inf. `direction` sees it: v = (0, 1/3) has vᵀS_t v = 1, and w = v(δ·v)."""
    X, t = np.array([[0.0, 0], [2, 0], [1, 3], [3, 3]]), [0, 0, 1, 1]
    np.testing.assert_array_equal(scatter_within(X, t), [[4, 0], [0, 0]])
    U, s, Vt = np.linalg.svd(scatter_within(X, t))
    with np.errstate(divide="ignore", invalid="ignore"):
        assert not np.isfinite(Vt.T @ (U.T @ [-1, -3] / s)).all()
    np.testing.assert_allclose(svd_direction(X, t), [-1 / 4, 0], atol=1e-15)
    assert rayleigh_quotient(svd_direction(X, t), X, t) == pytest.approx(1 / 4, rel=1e-14)
    np.testing.assert_allclose(direction(X, t), [0, -1 / 3], atol=1e-15)
    assert rayleigh_quotient([0, -1], X, t) == np.inf
    np.testing.assert_allclose(by_least_squares(X, t), [0, -4 / 3], atol=1e-14)


@pytest.mark.equation("A-4.1.2-10")
@pytest.mark.erratum("A31")
def test_the_svd_of_fewer_samples_than_features():
    """9 samples of 10 features: S_w has rank 7, and Σ⁻¹ multiplies rounding by 1e15. Cut off, it stays in the range of
    S_w; there J is finite, and outside of it, where the means differ too, J is inf; S_w + εI turns there."""
    rng = np.random.default_rng(7)
    X, t = rng.normal(size=(9, 10)), np.repeat([0, 1], [4, 5])
    S, delta = scatter_within(X, t), deltas(X, t)
    assert np.linalg.matrix_rank(S) == 7
    U, s, Vt = np.linalg.svd(S)
    as_printed, w = Vt.T @ (U.T @ delta / s), svd_direction(X, t)
    assert np.linalg.norm(as_printed) > 1e8 * np.linalg.norm(w)
    assert np.linalg.norm(w) < 10
    np.testing.assert_allclose(w, np.linalg.pinv(S, rcond=1e-10) @ delta, rtol=1e-9)
    assert rayleigh_quotient(w, X, t) < 100
    assert rayleigh_quotient(direction(X, t), X, t) > 1e20
    penalised = np.linalg.solve(S + 1e-6 * np.eye(10), delta)
    assert rayleigh_quotient(penalised, X, t) > 1e3 * rayleigh_quotient(w, X, t)
    assert parallel(np.linalg.solve(S + 1e-10 * np.eye(10), delta), direction(X, t)) < 1e-4


# --- thresholds ---------------------------------------------------------------------------------------------


@pytest.mark.equation("A-4-2")
@pytest.mark.erratum("A32")
def test_a_threshold_and_a_side_are_needed():
    """Printed: by the position of the projection. LINE: w = 4/6 > 0, all w·x >= 0, so 0 puts all in class 0, 4 of 6
    wrongly; τ = 2/3·3 makes no mistake, and with -w and -τ, the other side, all are mistakes."""
    w = direction(LINE, BITS)
    assert w == pytest.approx([2 / 3], rel=1e-14)
    assert predict_by_threshold(w, 0.0, LINE).tolist() == [0] * 6
    tau = threshold(w, LINE, BITS)
    assert tau == pytest.approx(2, rel=1e-14)
    assert predict_by_threshold(w, tau, LINE).tolist() == BITS.tolist()
    assert predict_by_threshold(-w, -tau, LINE).tolist() == (1 - BITS).tolist()


@pytest.mark.equation("A-4-2")
def test_class_0_lies_above_and_a_tie_is_of_class_0():
    for X, t in ((PAIR, BITS), (CLOUD_2, LABELS_2), (LINE, BITS)):
        w = direction(X, t)
        m_0, m_1 = project(w, means(X, t))
        assert m_0 > threshold(w, X, t) > m_1
        assert threshold(w, X, t) == pytest.approx((m_0 + m_1) / 2, rel=1e-12)
        assert predict_by_threshold(w, threshold(w, X, t), means(X, t)).tolist() == [0, 1]
    one = np.array([[2.0], [3.0], [np.nextafter(3.0, 0)]])
    assert predict_by_threshold(np.ones(1), 3.0, one).tolist() == [1, 0, 1]
    assert threshold([1.0], LINE, BITS) == 3


@pytest.mark.equation("A-4-2")
@pytest.mark.erratum("A32")
def test_prior_threshold_by_hand():
    """LINE along w = 1: means 5 and 1, s² = 1, N_0 : N_1 = 1 : 2, so τ = 3 - ln(1/2)/4: class 1, the larger, gains.
    Along Σ⁻¹δ = N S_w⁻¹δ it is the midpoint less ln(N_0/N_1)."""
    assert prior_threshold([1.0], LINE, BITS) == pytest.approx(3 + np.log(2) / 4, rel=1e-14)
    assert prior_threshold([-2.0], LINE, BITS) == pytest.approx(-6 - np.log(2) / 2, rel=1e-14)
    for X, t in ((LINE, BITS), (PAIR, BITS), (CLOUD_2, LABELS_2)):
        w, n = len(t) * direction(X, t), np.bincount(t)
        assert prior_threshold(w, X, t) == pytest.approx(threshold(w, X, t) - np.log(n[0] / n[1]), rel=1e-11)
    w = np.array([3.0, 4.0])  # two samples of each class: ln 1 = 0
    assert prior_threshold(w, PAIR[:4], BITS[:4]) == threshold(w, PAIR[:4], BITS[:4])


@pytest.mark.equation("A-4-2")
def test_prior_threshold_is_where_two_normal_classes_are_equally_likely():
    """Any w, not only Fisher's, and either sign of it."""
    X, t = CLOUD_2, LABELS_2
    shares = np.bincount(t) / len(t)
    for w in (direction(X, t), -direction(X, t), *MAP):
        tau, (m_0, m_1) = prior_threshold(w, X, t), project(w, means(X, t))
        s2 = w @ scatter_within(X, t) @ w / len(t)
        log_odds = np.log(shares[0] / shares[1]) - (tau - m_0) ** 2 / (2 * s2) + (tau - m_1) ** 2 / (2 * s2)
        assert log_odds == pytest.approx(0, abs=1e-11)
        assert abs(tau - threshold(w, X, t)) > 1e-3


@pytest.mark.equation("A-4-2")
def test_no_threshold_makes_fewer_mistakes_with_normal_classes():
    """The share of mistakes, N_0/N Φ((τ - m_0)/s) + N_1/N Φ((m_1 - τ)/s), has its minimum there."""
    X, t = CLOUD_2, LABELS_2
    w = direction(X, t)
    w = w / np.linalg.norm(w)
    m_0, m_1 = project(w, means(X, t))
    s = sqrt(w @ scatter_within(X, t) @ w / len(t))
    normal = lambda z: (1 + erf(z / sqrt(2))) / 2  # noqa: E731
    n = np.bincount(t) / len(t)
    mistakes = lambda tau: n[0] * normal((tau - m_0) / s) + n[1] * normal((m_1 - tau) / s)  # noqa: E731
    tau = prior_threshold(w, X, t)
    assert central_difference(lambda v: mistakes(v.item()), [tau]) == pytest.approx([0], abs=1e-9)
    assert abs(central_difference(lambda v: mistakes(v.item()), [threshold(w, X, t)])[0]) > 1e-3
    assert mistakes(tau) < min(mistakes(threshold(w, X, t)), mistakes(tau - 0.1), mistakes(tau + 0.1))


def test_no_threshold_where_projected_means_coincide():
    with pytest.raises(ValueError, match="w·μ_0 = w·μ_1: no threshold on w·x tells the classes apart"):
        prior_threshold([1.0, -4.0], PAIR, BITS)


# --- more classes -------------------------------------------------------------------------------------------


@pytest.mark.equation("A-4.2-13", "A-4.2-14")
def test_directions_by_hand():
    """S_w = 6I and S_b = (4, 0; 0, 32): λ = 32/6 along e_2/√6, 4/6 along e_1/√6. The samples Bᵀx have the vectors B⁻¹v,
    here (-2, 1)/√6, turned round for its largest entry to be positive, and (1, 0)/√6."""
    W, ratios = directions(ROUND, THIRDS)
    np.testing.assert_allclose(ratios, [16 / 3, 2 / 3], rtol=1e-13)
    np.testing.assert_allclose(sqrt(6) * W, [[0, 1], [1, 0]], atol=1e-14)
    W, ratios = directions(SHEARED, THIRDS)
    np.testing.assert_allclose(ratios, [16 / 3, 2 / 3], rtol=1e-13)
    np.testing.assert_allclose(sqrt(6) * W, [[2, 1], [-1, 0]], atol=1e-13)


@pytest.mark.equation("A-4.2-13", "A-4.2-14")
@pytest.mark.parametrize(
    "X, t", [(CLOUD, LABELS), (CLOUD_2, LABELS_2), (SHEARED, THIRDS), (CLOUD, np.arange(40) % 6)], ids=str
)
def test_directions_solve_the_generalised_problem(X, t):
    W, ratios = directions(X, t)
    S_w, S_b = scatter_within(X, t), scatter_between(X, t)
    assert W.shape == (X.shape[1], min(X.shape[1], t.max()))
    np.testing.assert_allclose(S_b @ W, S_w @ W * ratios, atol=1e-11)
    np.testing.assert_allclose(W.T @ S_w @ W, np.eye(len(ratios)), atol=1e-12)
    np.testing.assert_allclose(W.T @ S_b @ W, np.diag(ratios), atol=1e-11)
    assert (np.diff(ratios) < 0).all() and ratios[-1] > 0
    assert (W[np.abs(W).argmax(axis=0), np.arange(len(ratios))] > 0).all()
    eigenvalues = np.sort(np.linalg.eigvals(np.linalg.solve(S_w, S_b)).real)[::-1]
    np.testing.assert_allclose(eigenvalues[: len(ratios)], ratios, rtol=1e-9)
    np.testing.assert_allclose(eigenvalues[len(ratios) :], 0, atol=1e-12)


@pytest.mark.equation("A-4.2-14")
def test_iris_as_published():
    """The coefficients that R's MASS::lda prints for the irises, W √(N - K), and their shares of the trace."""
    table = datasets.iris()
    W, ratios = directions(table.X, table.y)
    scaling = W * np.sqrt(147)
    published = [[0.8293776, 1.5344731, -2.2012117, -2.8104603], [0.02410215, 2.16452123, -0.93192121, 2.83918785]]
    np.testing.assert_allclose(scaling[:, 0] * -1, published[0], atol=5e-8)
    np.testing.assert_allclose(scaling[:, 1], published[1], atol=5e-9)
    np.testing.assert_allclose(ratios / ratios.sum(), [0.9912, 0.0088], atol=5e-5)


@pytest.mark.equation("A-4.2-12", "A-4.2-15")
def test_fewer_directions_are_the_first_ones():
    W, ratios = directions(CLOUD, LABELS)
    for m in (1, 2):
        few, largest = directions(CLOUD, LABELS, m)
        np.testing.assert_array_equal(few, W[:, :m])
        np.testing.assert_array_equal(largest, ratios[:m])
        assert project(few, CLOUD).shape == (40, m)
    with pytest.raises(ValueError, match="n_components is 3, but S_b of 3 classes in 4 features has rank 2: no more"):
        directions(CLOUD, LABELS, 3)
    with pytest.raises(ValueError, match="n_components must be a whole number >= 1, found 0"):
        directions(CLOUD, LABELS, n_components=0)
    with pytest.raises(TypeError, match=r"n_components must be a whole number >= 1, found 1\.0"):
        directions(CLOUD, LABELS, 1.0)


@pytest.mark.equation("A-4.2-10", "A-4.2-11")
def test_trace_and_determinant_are_sums_and_products_of_eigenvalues():
    """(WᵀS_w W)⁻¹WᵀS_b W of any two columns; by hand, of W = I and ROUND, (4/6, 0; 0, 32/6)."""
    assert ratio_trace(np.eye(2), ROUND, THIRDS) == pytest.approx(4 / 6 + 32 / 6, rel=1e-13)
    S_w, S_b = scatter_within(ROUND, THIRDS), scatter_between(ROUND, THIRDS)
    ratios = directions(ROUND, THIRDS)[1]
    assert np.linalg.det(S_b) / np.linalg.det(S_w) == pytest.approx(32 / 9, rel=1e-12)
    assert ratios.prod() == pytest.approx(32 / 9, rel=1e-12)
    W = MAP[:, :2]
    A = np.linalg.solve(W.T @ scatter_within(CLOUD, LABELS) @ W, W.T @ scatter_between(CLOUD, LABELS) @ W)
    assert ratio_trace(W, CLOUD, LABELS) == pytest.approx(np.linalg.eigvals(A).real.sum(), rel=1e-10)
    assert np.linalg.det(A) == pytest.approx(np.linalg.eigvals(A).real.prod(), rel=1e-10)


@pytest.mark.equation("A-4.2-9", "A-4.2-13", "A-4.2-14")
@pytest.mark.erratum("A37")
def test_the_trace_ratio_is_not_largest_at_the_eigenvectors():
    """Printed: the leading eigenvectors maximise tr(WᵀS_b W)/tr(WᵀS_w W). ROUND: (e_2, e_1)/√6 has (32 + 4)/12 = 3, but
    (e_2, e_2), the first vector twice, 32/6 = λ_1; and twice the second one, which solves the same problem, 48/30."""
    W, ratios = directions(ROUND, THIRDS)
    assert trace_ratio(W, ROUND, THIRDS) == pytest.approx(3, rel=1e-13)
    twice = W[:, [0, 0]]
    assert trace_ratio(twice, ROUND, THIRDS) == pytest.approx(16 / 3, rel=1e-13)
    S_w, S_b = scatter_within(ROUND, THIRDS), scatter_between(ROUND, THIRDS)
    np.testing.assert_allclose(S_b @ (W * [1, 2]), S_w @ (W * [1, 2]) * ratios, atol=1e-13)
    assert trace_ratio(W * [1, 2], ROUND, THIRDS) == pytest.approx(48 / 30, rel=1e-13)
    W, ratios = directions(CLOUD, LABELS)
    assert trace_ratio(W, CLOUD, LABELS) == pytest.approx(ratios.mean(), rel=1e-11)
    assert trace_ratio(W[:, [0, 0]], CLOUD, LABELS) == pytest.approx(ratios[0], rel=1e-11)
    slope = central_difference(lambda W: trace_ratio(W, CLOUD, LABELS), W)
    assert np.abs(slope).max() > 0.01 * ratios[0]  # not even stationary
    for V in np.random.default_rng(8).normal(size=(100, 4, 2)):
        assert trace_ratio(V, CLOUD, LABELS) < ratios[0]  # λ_1 is the least upper bound


@pytest.mark.equation("A-4.2-9", "A-4.2-14")
@pytest.mark.erratum("A37")
@one_in(4)
def test_nor_with_orthonormal_columns(step):
    """Under WᵀW = I columns cannot repeat; an iteration finds the maximum, which no eigenvectors span."""
    eigenvectors = np.linalg.qr(directions(CLOUD, LABELS)[0])[0]
    S_b, S_w, best = scatter_between(CLOUD, LABELS), scatter_within(CLOUD, LABELS), np.eye(4)[:, :2]
    for _ in range(50):  # the leading eigenvectors of S_b - ρS_w, ρ = their ratio
        rho = np.trace(best.T @ S_b @ best) / np.trace(best.T @ S_w @ best)
        best = np.linalg.eigh(S_b - rho * S_w)[1][:, -2:]
    np.testing.assert_allclose(best.T @ best, np.eye(2), atol=1e-13)
    largest = trace_ratio(best, CLOUD, LABELS)
    assert largest > 1.005 * trace_ratio(eigenvectors, CLOUD, LABELS)
    for V in np.random.default_rng(9).normal(size=(200, 4, 2))[::step]:
        assert trace_ratio(np.linalg.qr(V)[0], CLOUD, LABELS) < largest


@pytest.mark.equation("A-4.2-9", "A-4.2-14")
@pytest.mark.erratum("A37")
@one_in(4)
def test_with_columns_of_unit_scatter_it_is(step):
    """Under WᵀS_w W = I the ratio is tr(WᵀS_b W)/m, at most the mean of the m largest λ: the corrected statement."""
    W, ratios = directions(CLOUD, LABELS)
    S_w = scatter_within(CLOUD, LABELS)
    for m in (1, 2):
        assert trace_ratio(W[:, :m], CLOUD, LABELS) == pytest.approx(ratios[:m].mean(), rel=1e-11)
        for V in np.random.default_rng(10).normal(size=(100, 4, m))[::step]:
            V = V @ np.linalg.inv(np.linalg.cholesky(V.T @ S_w @ V)).T
            np.testing.assert_allclose(V.T @ S_w @ V, np.eye(m), atol=1e-9)
            assert trace_ratio(V, CLOUD, LABELS) < ratios[:m].mean()


@pytest.mark.equation("A-4.2-14")
@pytest.mark.erratum("A37")
@one_in(4)
def test_what_the_eigenvectors_maximize(step):
    """tr((WᵀS_w W)⁻¹WᵀS_b W) = λ_1 + ... + λ_m; it depends on the span of the columns only, and is stationary there. So
    is det(WᵀS_b W)/det(WᵀS_w W) = λ_1 ... λ_m."""
    W, ratios = directions(CLOUD, LABELS)
    S_w, S_b = scatter_within(CLOUD, LABELS), scatter_between(CLOUD, LABELS)
    determinants = lambda V: np.linalg.det(V.T @ S_b @ V) / np.linalg.det(V.T @ S_w @ V)  # noqa: E731
    assert ratio_trace(W @ MAP[:2, :2], CLOUD, LABELS) == pytest.approx(ratios.sum(), rel=1e-10)
    assert determinants(W @ MAP[:2, :2]) == pytest.approx(ratios.prod(), rel=1e-10)
    for m in (1, 2):
        assert ratio_trace(W[:, :m], CLOUD, LABELS) == pytest.approx(ratios[:m].sum(), rel=1e-11)
        slope = central_difference(lambda V: ratio_trace(V, CLOUD, LABELS), W[:, :m])
        np.testing.assert_allclose(slope, 0, atol=1e-7)
        for V in np.random.default_rng(11).normal(size=(100, 4, m))[::step]:
            assert ratio_trace(V, CLOUD, LABELS) < ratios[:m].sum()
            assert determinants(V) < ratios[:m].prod()


@pytest.mark.equation("A-4.2-9")
def test_trace_ratio_and_ratio_trace_by_hand():
    """ROUND, W = (1, 1; 0, 2): WᵀS_b W = (4, 4; 4, 132), WᵀS_w W = 6 (1, 1; 1, 5); the inverse is (5, -1; -1, 1)/24."""
    W = np.array([[1.0, 1], [0, 2]])
    assert trace_ratio(W, ROUND, THIRDS) == pytest.approx(136 / 36, rel=1e-13)
    assert ratio_trace(W, ROUND, THIRDS) == pytest.approx((5 * 4 - 4 - 4 + 132) / 24, rel=1e-13)
    one = np.array([[1.0], [1.0]])
    assert trace_ratio(one, ROUND, THIRDS) == pytest.approx(36 / 12, rel=1e-13)
    assert ratio_trace(one, ROUND, THIRDS) == pytest.approx(36 / 12, rel=1e-13)


@pytest.mark.equation("A-4.2-13")
@pytest.mark.erratum("A38")
def test_every_column_has_a_factor_of_its_own():
    """Printed S_b W = λS_w W with one λ: Λ = diag(16/3, 2/3), and the number that fits both columns best, 3, leaves
    (16/3 - 2/3)/2 times the length of S_w w, which is √6, in each."""
    W, ratios = directions(ROUND, THIRDS)
    S_w, S_b = scatter_within(ROUND, THIRDS), scatter_between(ROUND, THIRDS)
    np.testing.assert_allclose(S_b @ W, S_w @ W @ np.diag(ratios), atol=1e-13)
    for one in np.linspace(0, 6, 61):
        assert np.linalg.norm(S_b @ W - one * S_w @ W, axis=0).max() > 7 / 3 * sqrt(6) * (1 - 1e-12)


@pytest.mark.equation("A-4.2-9", "A-4.2-15")
@pytest.mark.erratum("A39")
def test_six_classes_in_two_features_have_two_directions():
    """Printed W in R^(n x (M-1)), here 2 x 5: S_b has rank min(n, M - 1) = 2, and five columns are dependent."""
    t = np.tile(np.arange(6), 5)
    X = np.random.default_rng(12).normal(size=(30, 2)) + np.array([[0, 0], [3, 0], [0, 4], [5, 5], [-3, 1], [1, -4]])[t]
    assert np.linalg.matrix_rank(scatter_between(X, t)) == 2
    W, ratios = directions(X, t)
    assert W.shape == (2, 2) and ratios.shape == (2,)
    with pytest.raises(ValueError, match="n_components is 5, but S_b of 6 classes in 2 features has rank 2"):
        directions(X, t, 5)


@pytest.mark.equation("A-4.2-15")
@pytest.mark.erratum("A39")
def test_means_on_a_line_have_one_direction():
    """Fewer even than min(n, M - 1): μ = (0, 0), (3, 3), (5, 5), four samples each, S_w = 6I, so S_b = 4·38/3 (1, 1; 1,
    1), the mean being 8/3 (1, 1), and λ = 2·4·38/3/6 along (1, 1)/√12."""
    t = np.repeat([0, 1, 2], 4)
    X = np.array([[0.0, 1], [0, -1], [1, 0], [-1, 0]] * 3) + np.array([[0], [3], [5]])[t]
    W, ratios = directions(X, t)
    np.testing.assert_allclose(scatter_between(X, t), np.full((2, 2), 152 / 3), rtol=1e-13)
    np.testing.assert_allclose(ratios, [152 / 9], rtol=1e-13)
    np.testing.assert_allclose(W, np.full((2, 1), 1 / sqrt(12)), rtol=1e-13)
    with pytest.raises(ValueError, match="n_components is 2, but S_b of 3 classes in 2 features has rank 1"):
        directions(X, t, 2)


# --- classes of new samples ---------------------------------------------------------------------------------


@pytest.mark.equation("A-4-1", "A-4-2")
def test_the_nearest_projected_mean():
    grid = np.random.default_rng(13).normal(size=(200, 4)) * 3
    M = means(CLOUD, LABELS)
    for W in (MAP[:, :1], MAP[:, :2], MAP[:, :3], np.eye(4)):
        nearest = [min(range(3), key=lambda k: np.linalg.norm(W.T @ (x - M[k]))) for x in grid]
        np.testing.assert_array_equal(predict(W, M, grid), nearest)
        assert set(nearest) == {0, 1, 2}
    np.testing.assert_array_equal(predict(MAP[:, 0], M, grid), predict(MAP[:, :1], M, grid))


@pytest.mark.equation("A-4-2")
def test_a_tie_goes_to_the_first():
    """x = -1/2 is as far from 1 as from -2, x = 5/2 from 4 as from 1."""
    W, M = np.ones((1, 1)), np.array([[4.0], [1.0], [-2.0]])
    assert predict(W, M, np.array([[-0.5], [-0.6], [2.4], [2.5], [2.6]])).tolist() == [1, 2, 1, 0, 0]


@pytest.mark.equation("A-4-2")
def test_the_nearest_mean_of_two_is_the_midpoint():
    grid = np.random.default_rng(14).normal(size=(200, 4)) * 3
    w = direction(CLOUD_2, LABELS_2)
    by_threshold = predict_by_threshold(w, threshold(w, CLOUD_2, LABELS_2), grid)
    np.testing.assert_array_equal(predict(w, means(CLOUD_2, LABELS_2), grid), by_threshold)
    assert 0 < by_threshold.mean() < 1
    assert predict(np.ones(1), means(LINE, BITS), np.array([[3.0], [2.9], [3.1]])).tolist() == [0, 1, 0]


@pytest.mark.equation("A-4-1", "A-4-2", "A-4.2-14")
def test_with_all_directions_it_is_the_nearest_mean_in_units_of_the_scatter():
    """(x - μ_k)ᵀS_w⁻¹(x - μ_k), Mahalanobis's distance: what W leaves out is the same for all k."""
    grid = np.random.default_rng(15).normal(size=(300, 4)) * 3
    W, M, S = directions(CLOUD, LABELS)[0], means(CLOUD, LABELS), scatter_within(CLOUD, LABELS)
    squares = squared_distances(grid, M, S)
    np.testing.assert_array_equal(predict(W, M, grid), squares.argmin(axis=1))
    left = squares - [[np.sum((W.T @ (x - m)) ** 2) for m in M] for x in grid]
    np.testing.assert_allclose(left, np.tile(left[:, :1], 3), atol=1e-10)


def test_prediction_far_from_zero():
    """Whole numbers, so that the shift is exact; the halfway line is met exactly by some."""
    X, t = np.round(4 * CLOUD), LABELS
    W = directions(X, t)[0]
    np.testing.assert_array_equal(predict(W, means(X + 1e8, t), X + 1e8), predict(W, means(X, t), X))
    two = np.array([[1e9], [1e9 + 1]])  # apart by far less than a square loses
    assert predict(np.ones(1), two, two).tolist() == [0, 1]


# --- normal classes of one covariance -----------------------------------------------------------------------


def log_densities(X, t, grid):
    """ln p(x, C_k) of normal classes, Σ = S_w/N."""
    S = scatter_within(X, t) / len(t)
    constants = np.log(np.bincount(t) / len(t)) - np.linalg.slogdet(2 * np.pi * S)[1] / 2
    return constants - squared_distances(grid, means(X, t), S) / 2


def test_discriminants_by_hand():
    """LINE: Σ = 1 and μ = 5, 1, so a_0 - a_1 = 4x - 12 + ln(1/2): even odds at 3 + ln(2)/4."""
    W, b = discriminants(LINE, BITS)
    assert W.shape == (1, 2) and b.shape == (2,)
    assert W[0, 0] - W[0, 1] == pytest.approx(4, rel=1e-14)
    assert b[0] - b[1] == pytest.approx(-12 - np.log(2), rel=1e-14)
    p = softmax(np.array([[3.0]]) @ W + b)[0]
    np.testing.assert_allclose(p, [1 / 3, 2 / 3], rtol=1e-13)


def test_discriminants_give_the_posterior_of_normal_classes():
    grid = np.random.default_rng(16).normal(size=(50, 4)) * 2
    for X, t in ((CLOUD, LABELS), (CLOUD_2, LABELS_2)):
        W, b = discriminants(X, t)
        joint = np.exp(log_densities(X, t, grid))
        np.testing.assert_allclose(softmax(grid @ W + b), joint / joint.sum(axis=1, keepdims=True), rtol=1e-8)
        for k in range(1, t.max() + 1):
            slope = np.linalg.solve(scatter_within(X, t) / len(t), means(X, t)[0] - means(X, t)[k])
            np.testing.assert_allclose(W[:, 0] - W[:, k], slope, rtol=1e-9)


def test_discriminants_of_two_classes_tie_at_the_prior_threshold():
    """W_0 - W_1 = N S_w⁻¹δ, and a_0 = a_1 exactly where w·x = τ."""
    for X, t in ((PAIR, BITS), (CLOUD_2, LABELS_2), (LINE, BITS)):
        (W, b), w = discriminants(X, t), direction(X, t)
        np.testing.assert_allclose(W[:, 0] - W[:, 1], len(t) * w, rtol=1e-9)
        tau = prior_threshold(w, X, t)
        for x in np.random.default_rng(17).normal(size=(5, len(w))):
            x = x + (tau - w @ x) / (w @ w) * w
            assert w @ x == pytest.approx(tau, abs=1e-13)
            assert x @ (W[:, 0] - W[:, 1]) + b[0] - b[1] == pytest.approx(0, abs=1e-10)
        side = predict_by_threshold(w, tau, X)
        np.testing.assert_array_equal(np.argmax(X @ W + b, axis=1), side)


def test_discriminants_of_classes_of_one_size_choose_the_nearest_mean():
    t = np.arange(39) % 3
    X = CLOUD[:39] + 2 * np.eye(4)[t]
    W, b = discriminants(X, t)
    np.testing.assert_array_equal(np.argmax(X @ W + b, axis=1), predict(directions(X, t)[0], means(X, t), X))


def test_discriminants_need_a_regular_scatter():
    for X, t in ((np.column_stack([PAIR, PAIR[:, 0]]), BITS), (PAIR[[0, 2]], [0, 1]), (np.eye(3), [0, 1, 2])):
        with pytest.raises(np.linalg.LinAlgError, match=r"S_w is singular.*Σ⁻¹ does not exist.*`directions` and `pred"):
            discriminants(X, t)


# --- singular scatters --------------------------------------------------------------------------------------


@pytest.mark.parametrize("constant", [0.0, 7.0, -1e5])
def test_a_feature_without_variance_has_no_weight(constant):
    """J at the maximum is that of the others; the shortest w leaves it out."""
    X = np.column_stack([CLOUD_2, np.full(len(CLOUD_2), constant)])
    w, without = direction(X, LABELS_2), direction(CLOUD_2, LABELS_2)
    np.testing.assert_allclose(w, np.append(without, 0), rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(svd_direction(X, LABELS_2), np.append(without, 0), rtol=1e-9, atol=1e-13)
    X = np.column_stack([np.full(40, constant), CLOUD])
    W, ratios = directions(X, LABELS)
    expected, same = directions(CLOUD, LABELS)
    np.testing.assert_allclose(ratios, same, rtol=1e-10)
    np.testing.assert_allclose(W, np.vstack([np.zeros(2), expected]), atol=1e-11)


def test_a_feature_given_twice_shares_its_weight():
    X = np.column_stack([CLOUD_2, CLOUD_2[:, 1]])
    w = direction(CLOUD_2, LABELS_2)
    halves = np.append(w * [1, 1 / 2, 1, 1], w[1] / 2)
    np.testing.assert_allclose(direction(X, LABELS_2), halves, rtol=1e-9)
    np.testing.assert_allclose(svd_direction(X, LABELS_2), halves, rtol=1e-9)
    assert parallel(by_least_squares(X, LABELS_2), halves) < 1e-11
    (W, ratios), (expected, same) = (directions(Z, LABELS) for Z in (np.column_stack([CLOUD, CLOUD[:, 1]]), CLOUD))
    np.testing.assert_allclose(ratios, same, rtol=1e-10)
    np.testing.assert_allclose(np.vstack([W[0], W[1] + W[4], W[2:4]]), expected, rtol=1e-9)
    np.testing.assert_allclose(W[1], W[4], rtol=1e-9)


SINGULAR = {
    "zero column": np.column_stack([CLOUD_2, np.zeros(len(CLOUD_2))]),
    "twice": np.column_stack([CLOUD_2, 2 * CLOUD_2[:, 0]]),
    "a mix": np.column_stack([CLOUD_2, CLOUD_2 @ [1.0, -2.0, 0.5, 3.0]]),
    "a mix and a constant": np.column_stack([CLOUD_2, CLOUD_2[:, 0] - CLOUD_2[:, 1], np.ones(len(CLOUD_2))]),
}


@pytest.mark.equation("A-4.1.2-9")
@pytest.mark.parametrize("X", SINGULAR.values(), ids=SINGULAR.keys())
def test_dependent_features_change_no_quotient(X):
    """S_w w = δ still has solutions; `direction` is the shortest, as least squares gives it."""
    w = direction(X, LABELS_2)
    np.testing.assert_allclose(scatter_within(X, LABELS_2) @ w, deltas(X, LABELS_2), atol=1e-11)
    shortest = np.linalg.pinv(scatter_within(X, LABELS_2), rcond=1e-12) @ deltas(X, LABELS_2)
    np.testing.assert_allclose(w, shortest, rtol=1e-8, atol=1e-13)
    assert parallel(w, by_least_squares(X, LABELS_2)) < 1e-11
    largest = rayleigh_quotient(direction(CLOUD_2, LABELS_2), CLOUD_2, LABELS_2)
    assert rayleigh_quotient(w, X, LABELS_2) == pytest.approx(largest, rel=1e-10)
    n = np.bincount(LABELS_2)
    W, ratios = directions(X, LABELS_2)
    assert ratios == pytest.approx([largest * n.prod() / n.sum()], rel=1e-10)
    assert W[:, 0] @ scatter_within(X, LABELS_2) @ W[:, 0] == pytest.approx(1, rel=1e-10)


@pytest.mark.equation("A-4.1.2-4", "A-4.1.2-9")
@pytest.mark.parametrize("shape", [(9, 10), (5, 50), (2, 3), (12, 11)], ids=str)
def test_fewer_samples_than_features(shape):
    """N - 2 < d: some directions see each class as a point. w meets Fisher's targets exactly, as least squares does."""
    X, t = np.random.default_rng(18).normal(size=shape), np.arange(shape[0]) % 2
    w = direction(X, t)
    assert parallel(w, by_least_squares(X, t)) < 1e-11
    assert rayleigh_quotient(w, X, t) > 1e20
    z = project(w, X)
    assert z[t == 0].min() > z[t == 1].max()
    W, ratios = directions(X, t)
    assert ratios.tolist() == [np.inf]
    assert W[:, 0] @ scatter_total(X) @ W[:, 0] == pytest.approx(1, rel=1e-10)
    assert min(parallel(W[:, 0], w), parallel(-W[:, 0], w)) < 1e-12
    n = np.bincount(t)
    assert w @ deltas(X, t) == pytest.approx(n.sum() / n.prod(), rel=1e-10)  # (δ·v)² of vᵀS_t v = 1


@pytest.mark.parametrize("step, others", [(1.0, 4), (1e-3, 4), (1e3, 4), (1.0, 0), (-2.0, 1)])
def test_a_feature_constant_within_each_class_is_enough(step, others):
    """It alone has J = inf, and the others, which only blur it, get no weight."""
    X = np.column_stack([CLOUD_2[:, :others], step * LABELS_2])
    w = direction(X, LABELS_2)
    assert directions(X, LABELS_2)[1].tolist() == [np.inf]
    assert parallel(w, np.append(np.zeros(others), -np.sign(step))) < 1e-12
    assert parallel(w, by_least_squares(X, LABELS_2)) < 1e-12
    assert rayleigh_quotient(np.append(np.zeros(others), 1), X, LABELS_2) > 1e25  # inf up to rounding
    if others:
        blind = svd_direction(X, LABELS_2)
        np.testing.assert_allclose(blind[:-1], direction(X[:, :-1], LABELS_2), rtol=1e-9)
        assert abs(blind[-1]) < 1e-12 * np.abs(blind).max()


def test_a_feature_constant_within_each_of_two_large_classes():
    """The sum of 500 times 0.21 and of 500 times 0.3 is rounded 500 times: that is no scatter."""
    t = np.arange(1000) % 2
    X = np.column_stack([np.where(t == 1, 0.3, 0.21), np.arange(1000) % 7 - 3.0])
    assert directions(X, t)[1].tolist() == [np.inf]
    assert rayleigh_quotient([1.0, 0.0], X, t) > 1e25
    assert abs(svd_direction(X, t)[0]) < 1e-12 * abs(svd_direction(X, t)[1])


@pytest.mark.equation("A-4.2-14")
@pytest.mark.parametrize("N, values", [
    (71_562, [2.54388117e00, 1.22464697e01, -2.97526844e04, -8.10814583e-07]),
    (31_183, [1.62277000e04, 1.11029195e-06, 2.71668399e-06, 1.72856075e-05]),
    (8207, [5.56528166e-04, 1.39742258e06, -1.48124023e01]),
    (5825, [8.76242196e-01, 2.56485627e-07]),
])  # fmt: skip
def test_what_rounding_leaves_of_many_equal_samples_is_no_scatter(N, values):
    """Every class is one point; the sums of its samples are rounded, and their means are not quite that point."""
    t = np.arange(N) % len(values)
    A = np.array(values)[t][:, None]
    assert directions(A, t)[1].tolist() == [np.inf]


def test_infinite_and_finite_ratios_together():
    """Feature 1 has the means 1, 2, 3 and S_w = 6, S_b = 4; feature 2 is 0, 3, 0 and has S_b = 12, no S_w. They are
    uncorrelated: λ = inf along e_2/√12, of wᵀS_t w = 1, then 4/6 along e_1/√6."""
    X, t = np.array([[0.0, 0], [2, 0], [1, 3], [3, 3], [2, 0], [4, 0]]), np.repeat([0, 1, 2], 2)
    W, ratios = directions(X, t)
    assert ratios[0] == np.inf
    assert ratios[1] == pytest.approx(2 / 3, rel=1e-13)
    np.testing.assert_allclose(W, [[0, 1 / sqrt(6)], [1 / sqrt(12), 0]], atol=1e-14)
    W, ratios = directions(X, t, 1)
    assert W.shape == (2, 1) and ratios.tolist() == [np.inf]
    mixed = X @ [[1, 3], [1, 2]]  # no single feature tells the same: B⁻¹ = (-2, 3; 1, -1)
    W, ratios = directions(mixed, t)
    assert ratios[0] == np.inf
    assert ratios[1] == pytest.approx(2 / 3, rel=1e-12)
    np.testing.assert_allclose(W, [[3 / sqrt(12), 2 / sqrt(6)], [-1 / sqrt(12), -1 / sqrt(6)]], rtol=1e-12)


@pytest.mark.equation("A-4.2-15")
@pytest.mark.parametrize("d, rank", [(1, 1), (2, 2), (3, 3), (6, 3)])
def test_one_sample_per_class(d, rank):
    """K = N: S_w = 0, every λ is inf, and each sample is the mean of its class."""
    X, t = np.random.default_rng(19).normal(size=(4, d)), np.arange(4)
    np.testing.assert_allclose(means(X, t), X, rtol=1e-14)
    np.testing.assert_allclose(scatter_within(X, t), 0, atol=1e-30)
    W, ratios = directions(X, t)
    assert ratios.tolist() == [np.inf] * rank
    np.testing.assert_allclose(W.T @ scatter_total(X) @ W, np.eye(rank), atol=1e-12)
    assert predict(W, means(X, t), X).tolist() == [0, 1, 2, 3]


def test_two_samples():
    """x = (1, 2) and (4, 6): w along their difference (-3, -4), w·δ = N²/(N_0 N_1)/N = 2, so w = 2/25 of it."""
    X, t = np.array([[1.0, 2], [4, 6]]), [0, 1]
    w = direction(X, t)
    np.testing.assert_allclose(w, [-6 / 25, -8 / 25], rtol=1e-13)
    assert rayleigh_quotient(w, X, t) == np.inf
    assert threshold(w, X, t) == pytest.approx((-22 / 25 - 72 / 25) / 2, rel=1e-13)
    assert prior_threshold(w, X, t) == pytest.approx(threshold(w, X, t), rel=1e-14)
    np.testing.assert_array_equal(svd_direction(X, t), 0)  # blind to all that S_w = 0 is blind to
    W, ratios = directions(X, t)
    np.testing.assert_allclose(W[:, 0], [sqrt(2) * 3 / 25, sqrt(2) * 4 / 25], rtol=1e-13)
    assert ratios.tolist() == [np.inf]
    assert direction([[3.0], [1.0]], t) > 0 > direction([[1.0], [3.0]], t)


def test_equal_means_have_no_direction():
    equal = np.array([[0.0, 0], [2, 2], [0, 2], [2, 0]]), [0, 0, 1, 1]  # S_w regular
    flat = np.array([[0.0, 0], [2, 2], [-1, -1], [3, 3]]), [0, 0, 1, 1]  # S_w singular
    one = np.full((4, 3), 0.1), [0, 1, 0, 1]  # S_t = 0
    blurred = np.vstack([CLOUD - CLOUD.mean(axis=0), 3 * (CLOUD - CLOUD.mean(axis=0))]), np.repeat([0, 1], 40)
    far = equal[0] + 1e8, equal[1]
    for X, t in (equal, flat, one, blurred, far):
        for f in (direction, directions):
            with pytest.raises(np.linalg.LinAlgError, match="all class means are equal: J = 0 for every w, and no dir"):
                f(X, t)
    np.testing.assert_array_equal(svd_direction(*equal), 0)
    with pytest.raises(np.linalg.LinAlgError, match="all class means are equal"):
        directions(np.vstack([equal[0], equal[0][:2]]), [0, 0, 1, 1, 2, 2])
    near = np.ldexp(1.0, -43)  # 1e-13, where rounding makes 1e-15: the S_w of `equal` is 4I
    nearly = equal[0] + near * np.outer(equal[1], [1, 2])
    np.testing.assert_allclose(direction(nearly, equal[1]), [-near / 4, -near / 2], rtol=1e-9)


def test_the_quotient_of_a_w_that_tells_nothing_apart():
    with pytest.raises(
        ValueError, match="w·x is the same for all samples: J is 0/0; give a w that tells samples apart"
    ):
        rayleigh_quotient([0.0, 0.0], PAIR, BITS)
    with pytest.raises(ValueError, match=r"X must be of shape \(N, d\), d = 3 as in w; found shape \(6, 2\)"):
        rayleigh_quotient([1.0, 2.0, 3.0], PAIR, BITS)
    with pytest.raises(ValueError, match=r"X must be of shape \(N, d\), d = 1 as in w; found shape \(6, 2\)"):
        threshold([1.0], PAIR, BITS)
    for f in (rayleigh_quotient, threshold, prior_threshold):
        with pytest.raises(ValueError, match="X holds nan at row 2, column 1"):
            f([1.0, 2.0], np.vstack([PAIR[:2], [4, np.nan], PAIR[3:]]), BITS)


# --- units, offsets -----------------------------------------------------------------------------------------


def test_a_sample_without_a_score_has_no_class():
    far = np.array([[1.0, 2], [np.nan, 0]])
    for f in (lambda X: predict(FISHER, means(PAIR, BITS), X), lambda X: predict_by_threshold(FISHER, 0.0, X)):
        assert f(far[:1]).shape == (1,)
        with pytest.raises(ValueError, match="X holds nan at row 1, column 0; remove or replace it"):
            f(far)
    with pytest.raises(ValueError, match="tau must be a finite number, found nan"):
        predict_by_threshold(FISHER, np.nan, PAIR)


@pytest.mark.parametrize("units", [(1e7, 1.0), (1e-9, 1e9), (1e-70, 1e70), (1e70, 1e-70)], ids=str)
def test_mixed_units(units):
    units = np.array(units)
    np.testing.assert_allclose(direction(PAIR * units, BITS) * units, FISHER, rtol=1e-11)
    W, ratios = directions(SHEARED * units, THIRDS)
    np.testing.assert_allclose(ratios, [16 / 3, 2 / 3], rtol=1e-11)
    np.testing.assert_allclose(np.abs(W * units[:, None]) * sqrt(6), [[2, 1], [1, 0]], atol=1e-11)


@pytest.mark.parametrize(
    "exponents", [(0, 0, 40, 0, 0), (-40, 0, 0, 40, 0), (-240, 0, 240, 0, 0), (0, 0, 0, 0, 240)], ids=str
)
def test_mixed_units_of_dependent_features(exponents):
    """The last feature is the first in another unit, a power of two: in those units each has half of the weight."""
    X, units = np.column_stack([CLOUD_2, CLOUD_2[:, 0]]), np.ldexp(1.0, exponents)
    w = direction(CLOUD_2, LABELS_2)
    np.testing.assert_allclose(
        direction(X * units, LABELS_2) * units, np.append(w * [1 / 2, 1, 1, 1], w[0] / 2), rtol=1e-8
    )
    _, ratios = directions(X * units, LABELS_2)
    assert ratios == pytest.approx(directions(CLOUD_2, LABELS_2)[1], rel=1e-9)


@pytest.mark.parametrize("unit", [2.0**-30, 1.0, 2.0**30])
@pytest.mark.parametrize("factor", [2.0**-15, 4.0, 2.0**15])
def test_the_shortest_of_features_of_like_size_is_that_of_their_numbers(unit, factor):
    """Sizes within 1e6: x and fx have weights as 1 : f, whatever the unit of all. Zero columns do not count."""
    X, w = np.column_stack([CLOUD_2, factor * CLOUD_2[:, 0], 0 * CLOUD_2[:, 0]]), direction(CLOUD_2, LABELS_2)
    shares = np.append(w * [1 / (1 + factor**2), 1, 1, 1], [w[0] * factor / (1 + factor**2), 0])
    np.testing.assert_allclose(direction(X * unit, LABELS_2) * unit, shares, rtol=1e-8, atol=1e-13)


@pytest.mark.parametrize("exponent", [10, 14, 18, 20])
def test_nearly_dependent_features(exponent):
    """Features x and x + 2⁻ᵉy, exactly: w = B⁻¹ FISHER, and digits are lost as 2ᵉ, not as its square."""
    B = np.array([[1.0, 1.0], [0.0, 2.0**-exponent]])
    np.testing.assert_allclose(B @ direction(PAIR @ B, BITS), FISHER, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(direction(PAIR @ B, BITS), np.linalg.inv(B) @ FISHER, rtol=1e-9)
    np.testing.assert_allclose(directions(PAIR @ B, BITS)[1], [4 / 3 * LARGEST], rtol=1e-11)


def test_the_quotient_far_out():
    """J depends on no origin: not even in its digits."""
    w = np.array([0.1, 0.3])
    J = (0.4 + 0.3) ** 2 / (6 * 0.01 + 4 * 0.03 + 18 * 0.09)
    assert rayleigh_quotient(w, PAIR + 1e8, BITS) == pytest.approx(J, rel=1e-13)


def test_a_small_spread_far_from_zero():
    """Features of size 1, one of them with a spread of 1e-12, and one twice: the units are those of the spread."""
    units = np.array([2.0**-40, 1.0, 1.0])
    X = PAIR[:, [0, 1, 1]] * units + [1.0, 0.0, 0.0]
    np.testing.assert_allclose(direction(X, BITS) * units, [FISHER[0], FISHER[1] / 2, FISHER[1] / 2], rtol=1e-11)
    small = np.array([2.0**-15, 1.0])  # 3e-5 at 1e8, whose rounding is 1e-8
    for f in (direction, svd_direction):
        np.testing.assert_allclose(f(PAIR * small + 1e8, BITS) * small, FISHER, rtol=1e-11)
    expected = scatter_within(PAIR, BITS) * np.outer(small, small)
    np.testing.assert_array_equal(scatter_within(PAIR * small + 1e8, BITS), expected)
    small = np.array([2.0**-60, 1.0])  # beside a feature of another size it is no rounding
    expected = scatter_within(PAIR, BITS) * np.outer(small, small)
    np.testing.assert_array_equal(scatter_within(PAIR * small, BITS), expected)


@pytest.mark.parametrize("apart", [1e3, 1e6])
def test_a_large_ratio_is_not_infinite(apart):
    """Means 1e6 spreads apart, and a feature given twice: λ is that of the features without it."""
    X = CLOUD_2 + apart * np.outer(LABELS_2, [1, 0, 0, 0])
    w, (W, ratios) = direction(X, LABELS_2), directions(X, LABELS_2)
    assert ratios[0] > apart**2 / 10
    twice = np.column_stack([X, X[:, 1]])
    V, same = directions(twice, LABELS_2)
    np.testing.assert_allclose(same, ratios, rtol=1e-6)
    np.testing.assert_allclose(V[:, 0], np.append(W[:, 0] * [1, 1 / 2, 1, 1], W[1, 0] / 2), rtol=1e-6)
    np.testing.assert_allclose(direction(twice, LABELS_2), np.append(w * [1, 1 / 2, 1, 1], w[1] / 2), rtol=1e-6)


def test_a_ratio_of_1e26_is_not_infinite():
    """δ = (-4 - 2⁴⁵, -1), so λ = 4/3 δ·(18, -2; -2, 6)δ/104, exactly. With a feature given twice S_w is singular; what
    is within is 1e-13 of S_t, and known to a hundredth."""
    X, u = PAIR + 2.0**45 * np.outer(BITS, [1, 0]), Fraction(-4 - 2**45)
    ratio = float(Fraction(4, 3) * (18 * u * u + 4 * u + 6) / 104)
    np.testing.assert_allclose(directions(X, BITS)[1], [ratio], rtol=1e-12)
    np.testing.assert_allclose(directions(X[:, [0, 1, 1]], BITS)[1], [ratio], rtol=0.05)


@pytest.mark.equation("A-4.1.1-2")
@pytest.mark.parametrize("offset", [[3.0, -1.0, 2.0, 5.0], [1e4] * 4, [1e8, -1e8, 1e8, -2.0]], ids=str)
def test_a_shift_of_all_samples(offset):
    """The notes drop b: no scatter and no w depends on it. τ and the means move. Whole numbers, so that it is exact."""
    X, t = np.round(4 * CLOUD), LABELS
    Z, z, offset = X + offset, t[TWO], np.array(offset)
    np.testing.assert_allclose(means(Z, t) - offset, means(X, t), atol=1e-15 * np.abs(Z).max())
    for f in (scatter_within, scatter_between):
        np.testing.assert_allclose(f(Z, t), f(X, t), rtol=1e-11, atol=1e-10)
    np.testing.assert_allclose(scatter_total(Z), scatter_total(X), rtol=1e-11)
    for f in (direction, svd_direction):
        np.testing.assert_allclose(f(Z[TWO], z), f(X[TWO], z), rtol=1e-10)
    for a, b in zip(directions(Z, t), directions(X, t), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)
    w = direction(X[TWO], z)
    rounding = 20 * np.finfo(float).eps * np.abs(offset * w).sum()  # of w·x, whose terms are that large
    for f in (threshold, prior_threshold):
        assert f(w, Z[TWO], z) - offset @ w == pytest.approx(f(w, X[TWO], z), abs=rounding)
    (W, b), (expected, same) = discriminants(Z, t), discriminants(X, t)
    np.testing.assert_allclose(np.diff(W, axis=1), np.diff(expected, axis=1), rtol=1e-9)
    there, terms = np.diff(b + offset @ W), np.abs(offset) @ np.abs(W)
    np.testing.assert_allclose(there, np.diff(same), atol=1e-14 * terms.sum() + 1e-10)


@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_singular_scatters_far_from_zero(offset):
    X = np.round(4 * CLOUD_2)
    twice = np.column_stack([X, X[:, 0]])
    np.testing.assert_allclose(direction(twice + offset, LABELS_2), direction(twice, LABELS_2), rtol=1e-9)
    apart = np.column_stack([X, LABELS_2])
    assert directions(apart + offset, LABELS_2)[1].tolist() == [np.inf]
    assert parallel(direction(apart + offset, LABELS_2), np.array([0, 0, 0, 0, -1.0])) < 1e-12


# --- metamorphic relations ----------------------------------------------------------------------------------


def test_order_of_samples():
    order = np.random.default_rng(20).permutation(40)
    for f in (scatter_within, scatter_between):
        np.testing.assert_allclose(f(CLOUD[order], LABELS[order]), f(CLOUD, LABELS), rtol=1e-11, atol=1e-12)
    (W, ratios), (found, same) = directions(CLOUD, LABELS), directions(CLOUD[order], LABELS[order])
    np.testing.assert_allclose(same, ratios, rtol=1e-11)
    np.testing.assert_allclose(found, W, rtol=1e-9)
    order = order[LABELS[order] < 2]
    for f in (direction, svd_direction):
        np.testing.assert_allclose(f(CLOUD[order], LABELS[order]), f(CLOUD_2, LABELS_2), rtol=1e-9)


def test_names_of_the_classes():
    """Two classes exchanged turn w round, and τ with it; three, in another order, change neither W nor λ."""
    for f in (direction, svd_direction):
        np.testing.assert_allclose(f(CLOUD_2, 1 - LABELS_2), -f(CLOUD_2, LABELS_2), rtol=1e-10)
    w = direction(CLOUD_2, LABELS_2)
    for f in (threshold, prior_threshold):
        assert f(-w, CLOUD_2, 1 - LABELS_2) == pytest.approx(-f(w, CLOUD_2, LABELS_2), rel=1e-11)
    assert rayleigh_quotient(MAP[0], CLOUD_2, 1 - LABELS_2) == pytest.approx(
        rayleigh_quotient(MAP[0], CLOUD_2, LABELS_2), rel=1e-12
    )
    new = np.array([2, 0, 1])
    (W, ratios), (found, same) = directions(CLOUD, LABELS), directions(CLOUD, new[LABELS])
    np.testing.assert_allclose(same, ratios, rtol=1e-11)
    np.testing.assert_allclose(found, W, rtol=1e-9)
    np.testing.assert_allclose(means(CLOUD, new[LABELS])[new], means(CLOUD, LABELS), rtol=1e-12)
    renamed = predict(W, means(CLOUD, new[LABELS]), CLOUD)
    np.testing.assert_array_equal(renamed, new[predict(W, means(CLOUD, LABELS), CLOUD)])
    (W, b), (found, same) = discriminants(CLOUD, LABELS), discriminants(CLOUD, new[LABELS])
    np.testing.assert_allclose(softmax(CLOUD @ found + same)[:, new], softmax(CLOUD @ W + b), rtol=1e-9)


@pytest.mark.parametrize(
    "B", [MAP, np.eye(4)[[2, 0, 3, 1]], np.diag([1e-70, 1.0, 1e70, 1e8])], ids=["any", "another order", "units"]
)
def test_any_regular_map_of_the_features(B):
    """x -> Bᵀx: S -> BᵀSB and w -> B⁻¹w; w·x, λ and the classes stay."""
    X = CLOUD @ B
    for f in (scatter_within, scatter_between):
        np.testing.assert_allclose(f(X, LABELS), B.T @ f(CLOUD, LABELS) @ B, rtol=1e-10, atol=1e-10)
    for f in (direction, svd_direction) if np.linalg.cond(B) < 1e6 else (direction,):
        np.testing.assert_allclose(B @ f(CLOUD_2 @ B, LABELS_2), f(CLOUD_2, LABELS_2), rtol=1e-8)
    (W, ratios), (found, same) = directions(CLOUD, LABELS), directions(X, LABELS)
    np.testing.assert_allclose(same, ratios, rtol=1e-10)
    signs = np.sign(np.sum(B @ found * W, axis=0))
    np.testing.assert_allclose(B @ found * signs, W, rtol=1e-8)
    np.testing.assert_array_equal(predict(found, means(X, LABELS), X), predict(W, means(CLOUD, LABELS), CLOUD))
    (W, b), (found, same) = discriminants(CLOUD, LABELS), discriminants(X, LABELS)
    np.testing.assert_allclose(softmax(X @ found + same), softmax(CLOUD @ W + b), rtol=1e-8)


def test_samples_twice_double_the_scatters():
    """So w, by S_w⁻¹, is half as long, J half as large; λ, of which both scatters double, stays, as do τ and p."""
    X, t = np.vstack([CLOUD, CLOUD]), np.append(LABELS, LABELS)
    np.testing.assert_allclose(means(X, t), means(CLOUD, LABELS), rtol=1e-12)
    for f in (scatter_within, scatter_between):
        np.testing.assert_allclose(f(X, t), 2 * f(CLOUD, LABELS), rtol=1e-10, atol=1e-11)
    (W, ratios), (found, same) = directions(CLOUD, LABELS), directions(X, t)
    np.testing.assert_allclose(same, ratios, rtol=1e-11)
    np.testing.assert_allclose(found, W / sqrt(2), rtol=1e-9)
    for f in (trace_ratio, ratio_trace):
        assert f(MAP[:, :2], X, t) == pytest.approx(f(MAP[:, :2], CLOUD, LABELS), rel=1e-11)
    (W, b), (found, same) = discriminants(CLOUD, LABELS), discriminants(X, t)
    np.testing.assert_allclose(softmax(CLOUD @ found + same), softmax(CLOUD @ W + b), rtol=1e-9)
    X, t = np.vstack([CLOUD_2, CLOUD_2]), np.append(LABELS_2, LABELS_2)
    np.testing.assert_allclose(scatter_of_means(X, t), scatter_of_means(CLOUD_2, LABELS_2), rtol=1e-11)
    w = direction(CLOUD_2, LABELS_2)
    for f in (direction, svd_direction):
        np.testing.assert_allclose(f(X, t), w / 2, rtol=1e-9)
    assert rayleigh_quotient(w, X, t) == pytest.approx(rayleigh_quotient(w, CLOUD_2, LABELS_2) / 2, rel=1e-12)
    for f in (threshold, prior_threshold):
        assert f(w, X, t) == pytest.approx(f(w, CLOUD_2, LABELS_2), rel=1e-11)


def test_nothing_is_changed_and_lists_will_do():
    X, t = PAIR.copy(), BITS.copy()
    X.flags.writeable = t.flags.writeable = False
    w = direction(X, t)
    for same in ((X.tolist(), t.tolist()), (X.astype(int), t.astype(float)), (np.asfortranarray(X), t)):
        np.testing.assert_allclose(direction(*same), w, rtol=1e-14)
        np.testing.assert_allclose(directions(*same)[0], directions(X, t)[0], rtol=1e-14)
        np.testing.assert_array_equal(means(*same), means(X, t))
    np.testing.assert_array_equal(X, PAIR)


# --- the edge of rounding -----------------------------------------------------------------------------------


def test_an_infinite_ratio_beside_a_large_one():
    """x_1 is constant in each class. For x_2 beside it λ = (S_b22 - S_b12²/S_b11)/S_w22, with S_b = (4/3, -2000/3;
    -2000/3, 4·10⁶/3) and S_w22 = 6: (4·10⁶/3 - 10⁶/3)/6 = 500000/3."""
    A = np.array([[0, 1], [0, -1], [0, 1001], [0, 999], [1, 1], [1, -1.0]])
    W, ratios = directions(A, [0, 0, 1, 1, 2, 2])
    assert ratios[0] == np.inf
    assert ratios[1] == pytest.approx(1e6 / 6, rel=1e-9)
    assert abs(W[1, 0]) < 1e-12 * abs(W[0, 0])


@pytest.mark.parametrize("power", [4, 8, 16])
def test_large_ratios_beside_a_copied_column(power):
    """The copy sends the problem through the scatter of all; λ stays that of the two columns alone."""
    small = 2.0**-power
    A = np.array([[0, small], [small, -small], [1, small], [1 + small, -small], [0, 1 + small], [small, 1 - small]])
    t = np.array([0, 0, 1, 1, 2, 2])
    _, ratios = directions(A, t)
    _, same = directions(np.column_stack([A, A[:, 0]]), t)
    np.testing.assert_allclose(same, ratios, rtol=1e-7)


def test_a_class_number_among_features_10000_times_as_large():
    rng = np.random.default_rng(0)
    t = np.arange(60) % 2
    A = np.column_stack([1e4 * rng.normal(size=(60, 50)), t])
    assert directions(A, t)[1].tolist() == [np.inf]


def test_infinite_ratios_are_all_found():
    """8 samples of 6 classes: S_w has rank 2, as two classes have two samples; x_5 = x_1 + x_2, so S_t has rank 4, and
    4 - 2 ratios are inf."""
    A = np.array([[2, -2, -2, -2, 0], [-1, -1, 0, -3, -2], [3, 2, -2, -2, 5], [3, 3, -2, 2, 6],
                  [-2, 3, -1, 2, 1], [1, -2, -3, 0, -1], [-2, 3, 0, 3, 1], [-2, 1, 2, 0, -1.0]])  # fmt: skip
    ratios = directions(A, [1, 5, 4, 0, 2, 5, 2, 3])[1]
    assert np.isinf(ratios).tolist() == [True, True, False, False]


@pytest.mark.parametrize("N, power", [(10, 40), (1000, 38), (10_000, 36), (100_000, 33)])
def test_a_small_spread_is_not_taken_for_rounding(N, power):
    """Classes at 0 and 1, each sample 2⁻ᵖ above or below: S_w = 4N 4⁻ᵖ of 4N samples, S_b = 4N/4, so λ = 4ᵖ⁻¹."""
    n = np.arange(4 * N)
    t = n % 2
    A = (t + np.where(n // 2 % 2, 1, -1) * 2.0**-power)[:, None]
    assert scatter_within(A, t)[0, 0] == pytest.approx(4 * N * 4.0**-power, rel=1e-3)
    assert directions(A, t)[1] == pytest.approx(4.0 ** (power - 1), rel=1e-3)


def test_no_scatter_depends_on_the_origin():
    """Whole numbers at 2⁵², where every difference is exact, and their means are not."""
    rng = np.random.default_rng(0)
    X, t = rng.integers(0, 9, (30, 2)) * 1.0, np.arange(30) % 3 % 2
    far = X + 2.0**52
    for f in (scatter_within, scatter_between, direction, svd_direction, scatter_of_means):
        np.testing.assert_allclose(f(far, t), f(X, t), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(scatter_total(far), scatter_total(X), rtol=1e-12)
    np.testing.assert_allclose(directions(far, t)[0], directions(X, t)[0], rtol=1e-12)
    np.testing.assert_allclose(discriminants(far, t)[0], discriminants(X, t)[0], rtol=1e-12)
    assert ratio_trace(np.eye(2), far, t) == pytest.approx(ratio_trace(np.eye(2), X, t), rel=1e-12)


@pytest.mark.parametrize("N", [4, 10, 1000])
def test_equal_projected_means_are_seen_though_their_sums_are_rounded(N):
    """The mean of N numbers 0.1 is not 0.1: measured from the first sample it is 0."""
    t = (np.arange(N) >= N // 2 + 1).astype(int)
    with pytest.raises(ValueError, match="no threshold on w·x tells the classes apart"):
        prior_threshold([1.0, 0.0], np.column_stack([np.full(N, 0.1), np.arange(N)]), t)


def test_whole_numbers_far_out_lose_nothing():
    """Two classes of two samples 1 apart, at 2⁵²: 1/2 + 1/2."""
    X = 2.0**52 + np.array([[0.0], [1], [4], [5]])
    assert within_scatter(X, np.array([0, 0, 1, 1])).tolist() == [[1.0]]


def test_a_shift_of_some_features_turns_nothing_where_the_scatter_is_singular():
    A = np.array([[-2, -2, 1, 1.0625], [3, -2, -3, 1.5], [2, -1, -3, 1.5]])
    t = [0, 1, 1]
    np.testing.assert_allclose(direction(A + np.array([1e8, 1e8, 1e8, 0]), t), direction(A, t), rtol=1e-9)


@pytest.mark.parametrize("W", [[[0.1, 0.3], [0.2, 0.6]], [[1.0, 2], [1, 2]]], ids=str)
def test_ratio_trace_needs_a_plane(W):
    with pytest.raises(np.linalg.LinAlgError, match=r"WᵀS_w W is singular: give columns of W"):
        ratio_trace(np.array(W), PAIR, BITS)


def test_two_classes_have_one_direction_even_where_rounding_makes_a_second():
    A = [[0, 0], [2, 2], [1, 3], [1e-7, 0], [2, 2 + 1e-7], [1, 3]]
    W, ratios = directions(A, [0, 0, 0, 1, 1, 1])
    assert (W.shape, ratios.shape) == ((2, 1), (1,))


def test_nearly_dependent_features_have_directions_but_no_discriminants():
    """x_2 = x_1 + 2⁻¹⁷ u: Σ⁻¹ would lose nine digits, and is refused; J of `direction` is that of (x_1, u)."""
    rng = np.random.default_rng(0)
    t = np.arange(40) % 2
    u = rng.integers(-8, 9, (40, 2)) + np.outer(t, [3, 5])
    A = np.column_stack([u[:, 0], u[:, 0] + 2.0**-17 * u[:, 1]])
    assert rayleigh_quotient(direction(A, t), A, t) == pytest.approx(rayleigh_quotient(direction(u, t), u, t), rel=1e-9)
    with pytest.raises(np.linalg.LinAlgError, match="S_w is singular"):
        discriminants(A, t)


# --- many samples -----------------------------------------------------------------------------------------------


def many(N, offset=0.0):
    rng = np.random.default_rng(11)
    t = rng.integers(0, 3, N)
    return rng.normal(size=(N, 3)) + 5 * np.eye(3)[t] + offset, t


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 1, 9_999])
def test_a_bad_entry_is_found_wherever_it_stands(bad, row):
    X, t = many(10_000)
    X[row, 1] = bad
    doors = [lda.scatter_within, lda.directions, lda.discriminants, lambda X, t: lda.scatter_total(X)]
    doors += [lambda X, t: lda.direction(X, np.minimum(t, 1))]
    for door in doors:
        with pytest.raises(ValueError, match=f"X holds {bad} at row {row}, column 1; remove or replace it"):
            door(X, t)


@pytest.mark.erratum("A27")
def test_two_scatters_may_have_one_direction_by_chance():
    """Neither equal classes nor proportional covariances are needed: here the means differ along a common axis."""
    Sigma_0, Sigma_1, delta = np.diag([1.0, 2.0]), np.diag([1.0, 5.0]), np.array([1.0, 0.0])
    by_covariances, by_sums = (
        np.linalg.solve(Sigma_0 + Sigma_1, delta),
        np.linalg.solve(2 * Sigma_0 + 7 * Sigma_1, delta),
    )
    assert by_covariances[1] == by_sums[1] == 0 < min(by_covariances[0], by_sums[0])
    off_axis = np.array([1.0, 1.0])
    u, v = np.linalg.solve(Sigma_0 + Sigma_1, off_axis), np.linalg.solve(2 * Sigma_0 + 7 * Sigma_1, off_axis)
    assert abs(u[0] * v[1] - u[1] * v[0]) > 1e-3  # in general the directions differ


@pytest.mark.erratum("A31")
def test_the_two_factors_of_a_singular_scatter_agree_only_where_it_is_not_zero():
    """S = U Σ Vᵀ of a symmetric positive semidefinite S: U = V beside the null space, where any signs will do."""
    S = np.array([[2.0, 2.0], [2.0, 2.0]])
    U, s, Vt = np.linalg.svd(S)
    np.testing.assert_allclose(U[:, 0], Vt[0], atol=1e-12)
    assert s[1] < 1e-12
    V = Vt.T * [1, -1]  # another decomposition of the same S
    np.testing.assert_allclose((U * s) @ V.T, S, atol=1e-12)
    assert not (np.allclose(U, Vt.T) and np.allclose(U, V))


@pytest.mark.erratum("A67")
def test_many_classes_need_a_regular_scatter():
    """Collinear features, and too few samples: S_w has no inverse, and the door says so."""
    t = np.repeat([0, 1, 2], 2)
    line = np.array([[0.0, 0], [1, 2], [4, 8], [5, 10], [8, 16], [9, 18]])
    assert np.linalg.matrix_rank(lda.scatter_within(line, t)) == 1
    few = np.random.default_rng(0).normal(size=(6, 5))  # N - M = 3 < 5 features
    assert np.linalg.matrix_rank(lda.scatter_within(few, t)) == 3
    for X in (line, few):
        with pytest.raises((ValueError, np.linalg.LinAlgError)):
            lda.discriminants(X, t)


@pytest.mark.parametrize("seed", [*range(12), *slow(range(12, 62))])
def test_a_feature_repeated_in_other_units_changes_no_ratio(seed):
    """Kelvin beside Fahrenheit: the copy, rounded, has nothing of its own; the ratios are those without it."""
    rng = np.random.default_rng(seed)
    t = np.arange(30) % 3
    X = np.column_stack([300 + 3 * rng.normal(size=30) + t, rng.normal(size=30)])
    copy = (X[:, 0] + rng.uniform(-700, 700)) * rng.choice([1.8, 1.19, 1 / 2.54])
    expected = lda.directions(X, t)[1]
    found = lda.directions(np.column_stack([X, copy]), t)[1]
    np.testing.assert_allclose(found, expected, rtol=1e-6)

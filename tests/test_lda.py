"""Chapter 07, linear discriminant analysis: every equation of notes A 4, and where the notes are wrong."""

import pathlib
import re
from fractions import Fraction
from functools import partial
from math import erf, sqrt

import numpy as np
import pytest
from cases import slow

from linmodels import datasets, linear_regression
from linmodels.book import notebooks
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

ROOT = pathlib.Path(__file__).parents[1]

# Two classes of 2 and 4 samples: μ_0 = (1, 1), μ_1 = (5, 2), S_w = (2, 2; 2, 2) + (4, 0; 0, 16) = (6, 2; 2, 18).
PAIR = np.array([[0.0, 0], [2, 2], [4, 0], [6, 0], [4, 4], [6, 4]])
BITS = np.array([0, 0, 1, 1, 1, 1])
FISHER = np.array([35, -1]) / 52  # S_w⁻¹(4, 1) = (18, -2; -2, 6)(4, 1)/104
LARGEST = 139 / 52  # (4, 1)·FISHER

# Three classes of 2, 2 and 4 samples: μ = (-1, 2), (1, 2), (0, -2), S_w = 6I, S_b = (4, 0; 0, 32).
ROUND = np.array([[0.0, 3], [-2, 1], [0, 3], [2, 1], [1, -2], [-1, -2], [0, -1], [0, -3]])
THIRDS = np.repeat([0, 1, 2], [2, 2, 4])

# One feature, two classes: μ = 5, 1, S_w = 2 + 4, so S_w/N = 1.
LINE = np.array([[4.0], [6], [0], [2], [0], [2]])

RNG = np.random.default_rng(0)
LABELS = np.append(np.repeat([0, 1, 2], [8, 12, 17]), [0, 1, 2])
CENTERS = np.array([[0.0, 0, 0, 0], [1, 0, -1, 0.5], [0, 1.5, 0, 1]])
CLOUD = RNG.normal(size=(40, 4)) @ [[1, 0.5, 0, -0.3], [0, 1, 0.4, 0], [0, 0, 1, 0.7], [0, 0, 0, 1]] + CENTERS[LABELS]
CLOUD_2, LABELS_2 = CLOUD[LABELS < 2], LABELS[LABELS < 2]
MAP = np.random.default_rng(1).normal(size=(4, 4))  # a regular map of the features

two_classes = pytest.mark.parametrize("X, t", [(PAIR, BITS), (CLOUD_2, LABELS_2)], ids=["pair", "cloud"])


def deltas(X, t):
    """μ_1 - μ_0, by NumPy's mean."""
    return X[t == 1].mean(axis=0) - X[t == 0].mean(axis=0)


def parallel(v, w):
    """How far unit vectors along v and w are apart: they point to the same side."""
    v, w = v / np.abs(v).max(), w / np.abs(w).max()
    return np.abs(v / np.linalg.norm(v) - w / np.linalg.norm(w)).max()


def squared_distances(X, M, S):
    """(x - μ_k)ᵀS⁻¹(x - μ_k), Mahalanobis's, of each sample and class."""
    return np.array([[(x - m) @ np.linalg.solve(S, x - m) for m in M] for x in X])


def by_least_squares(X, t):
    """Chapter 06: the shortest w that regresses -N/N_0, N/N_1 on the centered samples."""
    return linear_regression.minimum_norm(X - X.mean(axis=0), -fisher_targets(t))


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
    np.testing.assert_array_equal(means(ROUND, THIRDS), [[-1, 2], [1, 2], [0, -2]])
    np.testing.assert_array_equal(np.bincount(THIRDS) @ means(ROUND, THIRDS) / 8, ROUND.mean(axis=0))
    np.testing.assert_array_equal(scatter_within(ROUND, THIRDS), [[6, 0], [0, 6]])
    np.testing.assert_allclose(scatter_between(ROUND, THIRDS), [[4, 0], [0, 32]], atol=1e-14)
    np.testing.assert_array_equal(scatter_total(ROUND), [[10, 0], [0, 38]])


@pytest.mark.equation("A-4.1-1")
@pytest.mark.erratum("A11")
def test_labels_have_one_symbol_and_two_values():
    """Printed ỹ_i in the pairs and y_i in {0, 1}: both are t here, 0 or 1, and other codes are refused."""
    with pytest.raises(ValueError, match=r"t must hold 0 and 1 only, found \[-1\.  1\.\]; np\.unique"):
        direction(PAIR, 2 * BITS - 1)
    np.testing.assert_allclose(means(PAIR, BITS), [PAIR[BITS == k].mean(axis=0) for k in (0, 1)], rtol=1e-15)


@pytest.mark.equation("A-4.2-2")
@pytest.mark.erratum("A33")
def test_the_mean_is_over_the_samples_of_a_class():
    """Printed x_i in D_i, with one i for class and sample: that reads as the one sample i, if it is of class i."""
    as_printed = [sum(ROUND[n] for n in [i] if THIRDS[n] == i) / m for i, m in enumerate(np.bincount(THIRDS))]
    assert as_printed[0].tolist() == [0, 3 / 2] and as_printed[1:] == [0, 0]  # classes 1 and 2 have no such sample
    np.testing.assert_array_equal(means(ROUND, THIRDS)[0], (ROUND[0] + ROUND[1]) / 2)


@pytest.mark.equation("A-4.1.1-1", "A-4.1.1-4", "A-4.2-2")
def test_covariances_by_hand():
    """(1, 1; 1, 1) of two samples, (1, 0; 0, 4) of four. w = (3, 4): the variances of 0, 14 and 12, 18, 28, 34."""
    assert covariances(PAIR, BITS).tolist() == [[[1, 1], [1, 1]], [[1, 0], [0, 4]]]
    w = np.array([3.0, 4.0])
    assert covariances(project(w, PAIR)[:, None], BITS).ravel().tolist() == [49, 73]
    assert (w @ covariances(PAIR, BITS) @ w).tolist() == [49, 73]
    assert covariances([[1, 2], [0, 0], [4, 2]], [0, 1, 1]).tolist() == [[[0, 0], [0, 0]], [[4, 2], [2, 1]]]


@pytest.mark.equation("A-4.1.1-1", "A-4.1.1-3", "A-4.1.1-4", "A-4.2-2", "A-4.2-4", "A-4.2-5", "A-4.2-12")
@pytest.mark.erratum("A27", "A34")
def test_a_scatter_is_not_a_covariance():
    """Printed S_wi = Σ_i. The scatter of a class is N_i times its covariance; and so are those of its projections."""
    np.testing.assert_array_equal(scatter_total(PAIR[BITS == 1]), [[4, 0], [0, 16]])
    n, Sigma, W = np.bincount(LABELS), covariances(CLOUD, LABELS), MAP[:, :2]
    for k in range(3):
        np.testing.assert_allclose(Sigma[k], np.cov(CLOUD[LABELS == k].T, bias=True), rtol=1e-11)
        np.testing.assert_allclose(scatter_total(CLOUD[LABELS == k]), n[k] * Sigma[k], rtol=1e-11)
    np.testing.assert_allclose(np.tensordot(n, Sigma, 1), scatter_within(CLOUD, LABELS), rtol=1e-11)
    Z, S_b = project(W, CLOUD), scatter_between(CLOUD, LABELS)
    np.testing.assert_allclose(means(Z, LABELS), means(CLOUD, LABELS) @ W, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(covariances(Z, LABELS), W.T @ Sigma @ W, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(scatter_between(Z, LABELS), W.T @ S_b @ W, rtol=1e-10, atol=1e-11)


@pytest.mark.equation("A-4.1.1-1", "A-4.1.2-1")
@pytest.mark.erratum("A27")
def test_adding_covariances_gives_another_direction():
    """Printed S_w = Σ_0 + Σ_1 = Σ Σ (x - μ)(x - μ)ᵀ. Here Σ_0 + Σ_1 = (1, 1; 1, 1) + (1, 0; 0, 4) = (2, 1; 1, 5), and
    (5, -1; -1, 2)(4, 1)/9 = (19, -2)/9, of J = 74²/2086 < 139/52.

    With classes of one size, S_w = m (Σ_0 + Σ_1): no difference.
    """
    as_printed = np.linalg.solve(covariances(PAIR, BITS).sum(axis=0), deltas(PAIR, BITS))
    np.testing.assert_allclose(9 * as_printed, [19, -2], rtol=1e-14)
    assert rayleigh_quotient(as_printed, PAIR, BITS) == pytest.approx(74**2 / 2086, rel=1e-13)
    assert 74**2 / 2086 < LARGEST
    X, t = CLOUD_2[:16], np.repeat([0, 1], 8)
    np.testing.assert_allclose(scatter_within(X, t), 8 * covariances(X, t).sum(axis=0), rtol=1e-11)


@pytest.mark.equation("A-4.1.2-1")
@pytest.mark.erratum("A28")
def test_the_second_sum_is_over_the_other_class():
    """Printed D_0 in both sums: then S_w = (2, 2; 2, 2) + (34, 10; 10, 4), w = (1, -1)/6, and J = 9/20."""
    of_0, (_, mu_1) = PAIR[BITS == 0], means(PAIR, BITS)
    as_printed = scatter_total(of_0) + (of_0 - mu_1).T @ (of_0 - mu_1)
    np.testing.assert_array_equal(as_printed, [[36, 12], [12, 6]])
    w = np.linalg.solve(as_printed, deltas(PAIR, BITS))
    np.testing.assert_allclose(6 * w, [1, -1], rtol=1e-13)
    assert rayleigh_quotient(w, PAIR, BITS) == pytest.approx(9 / 20, rel=1e-13)
    assert 9 / 20 < LARGEST


@pytest.mark.equation("A-4.2-5", "A-4.2-8")
@pytest.mark.erratum("A35")
def test_scatters_are_not_projected_and_one_center_is_no_covariance():
    """Printed: S_wi describes projected points, (μ_i - μ)(μ_i - μ)ᵀ is a covariance matrix. The first is d x d, and the
    scatter of projected points is wᵀS_wi w; the second has rank 1, and the covariance of class 0 has rank 4."""
    of_0, w = CLOUD[LABELS == 0], MAP[0]
    assert scatter_total(of_0).shape == (4, 4)
    assert scatter_total(project(w, of_0)[:, None]).item() == pytest.approx(w @ scatter_total(of_0) @ w, rel=1e-12)
    center = of_0.mean(axis=0) - CLOUD.mean(axis=0)
    assert np.linalg.matrix_rank(np.outer(center, center)) == 1
    assert np.linalg.matrix_rank(covariances(CLOUD, LABELS)[0]) == 4


@pytest.mark.equation("A-4.1.2-2", "A-4.2-7")
@pytest.mark.erratum("A36")
@two_classes
def test_the_two_between_scatters_differ_by_a_factor(X, t):
    """One name for two: S_b of section 4.2 is N_0 N_1/N, here 4/3 or so, of that of 4.1. So is J; the direction is the
    same."""
    factor = np.bincount(t).prod() / len(t)
    assert factor >= 4 / 3
    np.testing.assert_allclose(scatter_between(X, t), factor * scatter_of_means(X, t), rtol=1e-11)
    w, (W, ratios) = direction(X, t), directions(X, t)
    assert ratios == pytest.approx([factor * rayleigh_quotient(w, X, t)], rel=1e-11)
    assert min(parallel(W[:, 0], w), parallel(-W[:, 0], w)) < 1e-12


# --- projection and the criterion ---------------------------------------------------------------------------


@pytest.mark.equation("A-4.1.1-2", "A-4.1.1-3", "A-4.1.1-4")
def test_projection_by_hand():
    """w = (3, 4): 7 and 23 are the projected means, wᵀS_w w = 54 + 48 + 288."""
    w = np.array([3.0, 4.0])
    np.testing.assert_array_equal(project(w, PAIR), [0, 14, 12, 18, 28, 34])
    np.testing.assert_array_equal(project(w, means(PAIR, BITS)), [7, 23])
    assert scatter_within(project(w, PAIR)[:, None], BITS).item() == w @ scatter_within(PAIR, BITS) @ w == 390


@pytest.mark.equation("A-4.1.1-2", "A-4.1.2-5")
@pytest.mark.erratum("A29")
def test_w_x_is_a_coordinate_for_unit_w_only():
    """Printed: the line y = wᵀx and the projection wᵀx. x = (1, 2) falls on the line along w = (3, 4) at 11/25 w, which
    is 11/5 from 0, while w·x = 11 = ‖w‖·11/5."""
    w, x = np.array([3.0, 4.0]), np.array([1.0, 2.0])
    assert project(w, x[None]) == 11
    assert project(w / 5, x[None]) == pytest.approx(11 / 5, rel=1e-15) == np.linalg.norm(11 / 25 * w)
    assert (x - 11 / 25 * w) @ w == pytest.approx(0, abs=1e-14)


@pytest.mark.equation("A-4.1.1-7", "A-4.1.2-3", "A-4.1.2-5")
def test_rayleigh_quotient_by_hand_and_in_both_forms():
    """w = (3, 4): (7 - 23)²/390; w = (1, 0): 16/6."""
    assert rayleigh_quotient([3, 4], PAIR, BITS) == pytest.approx(256 / 390, rel=1e-14)
    assert rayleigh_quotient([1, 0], PAIR, BITS) == pytest.approx(16 / 6, rel=1e-14)
    S_b, S_w = scatter_of_means(CLOUD_2, LABELS_2), scatter_within(CLOUD_2, LABELS_2)
    for w in MAP:
        J = w @ S_b @ w / (w @ S_w @ w)
        for c in (1.0, -1.0, 1e70, -1e-70):
            assert rayleigh_quotient(c * w, CLOUD_2, LABELS_2) == pytest.approx(J, rel=1e-11)


@pytest.mark.equation("A-4.1.2-7")
def test_the_derivative_of_the_quotient():
    """∇J = 2(S_b w - J S_w w)/wᵀS_w w, so where it is zero S_b w = λS_w w with λ = J."""
    S_b, S_w = scatter_of_means(CLOUD_2, LABELS_2), scatter_within(CLOUD_2, LABELS_2)
    for w in MAP:
        J = rayleigh_quotient(w, CLOUD_2, LABELS_2)
        slope = central_difference(lambda w: rayleigh_quotient(w, CLOUD_2, LABELS_2), w)
        np.testing.assert_allclose(slope, 2 * (S_b @ w - J * S_w @ w) / (w @ S_w @ w), atol=1e-8)
        assert np.abs(slope).max() > 1e-3


# --- the direction of two classes ---------------------------------------------------------------------------


@pytest.mark.equation("A-4.1.2-9", "A-4.1.2-10")
def test_direction_by_hand():
    """A regular S_w = UΣVᵀ is symmetric and positive definite: U = V, and both forms of its inverse are one."""
    for f in (direction, svd_direction):
        np.testing.assert_allclose(f(PAIR, BITS), FISHER, rtol=1e-13)
        np.testing.assert_allclose(f(LINE, BITS), [-4 / 6], rtol=1e-13)
    U, s, Vt = np.linalg.svd(scatter_within(CLOUD_2, LABELS_2))
    np.testing.assert_allclose(U, Vt.T, atol=1e-12)
    w = Vt.T @ np.diag(1 / s) @ U.T @ deltas(CLOUD_2, LABELS_2)
    np.testing.assert_allclose(svd_direction(CLOUD_2, LABELS_2), w, rtol=1e-9)


@pytest.mark.equation("A-4-1", "C-2-2", "A-4.1.2-4", "A-4.1.2-9")
def test_no_direction_has_a_larger_quotient():
    """Close within a class, far between them: J at its maximum δᵀS_w⁻¹δ = δ·w, where its derivative is zero."""
    w, delta = direction(CLOUD_2, LABELS_2), deltas(CLOUD_2, LABELS_2)
    J = partial(rayleigh_quotient, X=CLOUD_2, t=LABELS_2)
    best = delta @ np.linalg.solve(scatter_within(CLOUD_2, LABELS_2), delta)
    assert J(w) == pytest.approx(best, rel=1e-10) == pytest.approx(delta @ w, rel=1e-10)
    unit = w / np.linalg.norm(w)
    np.testing.assert_allclose(central_difference(J, unit), 0, atol=1e-8)
    for v in np.random.default_rng(4).normal(size=(20, 4)):
        assert max(J(v), J(unit + 0.01 * v)) < J(w)


@pytest.mark.equation("A-4.1.1-5", "A-4.1.1-6", "A-4.1.1-7")
def test_neither_aim_alone_gives_the_direction():
    """Of unit length, δ = (-4, -1) has the farthest means and J = 17²/130; the v of least vᵀS_w v, which is 12 - √40,
    solves (6, 2; 2, 18)v = (12 - √40)v, v = (3 + √10, -1). J of both is below 139/52."""
    delta, S_w, closest = deltas(PAIR, BITS), scatter_within(PAIR, BITS), np.array([3 + sqrt(10), -1])
    for v in np.random.default_rng(5).normal(size=(20, 2)):
        v /= np.linalg.norm(v)
        assert (delta @ v) ** 2 <= delta @ delta
        assert v @ S_w @ v >= 12 - sqrt(40)
    np.testing.assert_allclose(S_w @ closest, (12 - sqrt(40)) * closest, rtol=1e-12)
    assert rayleigh_quotient(delta, PAIR, BITS) == pytest.approx(289 / 130, rel=1e-13)
    assert max(289 / 130, rayleigh_quotient(closest, PAIR, BITS)) < LARGEST


@pytest.mark.equation("A-4.1.2-6", "A-4.1.2-9")
@pytest.mark.erratum("A30")
@two_classes
def test_the_length_of_w_cannot_be_free_twice(X, t):
    """Printed: wᵀS_w w = 1, and later λ_w = λ as the length is free. w = S_w⁻¹δ has wᵀS_w w = δ·w = J, in PAIR 139/52,
    so λ_w = J; of wᵀS_w w = 1 it is w/√J, and λ_w = √J. Both have -wᵀS_b w = -J on that constraint, the least."""
    w, S_w, S_b, delta = direction(X, t), scatter_within(X, t), scatter_of_means(X, t), deltas(X, t)
    J = rayleigh_quotient(w, X, t)
    assert w @ S_w @ w == pytest.approx(J, rel=1e-10) == pytest.approx(delta @ w, rel=1e-10)
    v = w / np.sqrt(J)
    assert abs(J - 1) > 0.1 and v @ S_w @ v == pytest.approx(1, rel=1e-10)
    assert delta @ v == pytest.approx(np.sqrt(J), rel=1e-10)
    np.testing.assert_allclose(np.abs(directions(X, t)[0][:, 0]), np.abs(v), rtol=1e-8)
    for u in np.random.default_rng(6).normal(size=(20, len(w))):
        u /= np.sqrt(u @ S_w @ u)
        assert -u @ S_b @ u > -J == pytest.approx(-v @ S_b @ v, rel=1e-10)


@pytest.mark.equation("A-4.1.2-7", "A-4.1.2-8")
@pytest.mark.erratum("A56")
def test_the_lagrange_condition_is_necessary_only():
    """Printed "equivalent". v = (1, -4) has δ·v = 0, so S_b v = 0 = 0·S_w v: a solution with λ = 0, and J = 0 is the
    minimum. What is needed is the largest λ; then S_b w = (δ·w)δ, and δ = S_w w up to length."""
    S_b, S_w, delta = scatter_of_means(PAIR, BITS), scatter_within(PAIR, BITS), deltas(PAIR, BITS)
    v, w = np.array([1.0, -4.0]), direction(PAIR, BITS)
    np.testing.assert_array_equal(S_b @ v, 0 * (S_w @ v))
    assert rayleigh_quotient(v, PAIR, BITS) == 0 < rayleigh_quotient(w, PAIR, BITS)
    np.testing.assert_allclose(S_b @ w, LARGEST * (S_w @ w), rtol=1e-12)
    np.testing.assert_allclose(S_b @ w, (delta @ w) * delta, rtol=1e-12)
    u = directions(PAIR, BITS)[0][:, 0]
    assert u[0] * w[1] == pytest.approx(u[1] * w[0], rel=1e-12)
    np.testing.assert_allclose(np.sort(np.linalg.eigvals(np.linalg.solve(S_w, S_b))), [0, LARGEST], atol=1e-13)


@pytest.mark.equation("A-4.1.2-9")
@two_classes
def test_direction_is_least_squares_of_fishers_targets(X, t):
    """Chapter 06, there with a column of ones; by hand (S_w + N_0 N_1/N δδᵀ)w = Nδ, w = N/(1 + N_0 N_1/N J) S_w⁻¹δ."""
    n, w = np.bincount(t), direction(X, t)
    factor = len(t) / (1 + n.prod() / n.sum() * rayleigh_quotient(w, X, t))
    np.testing.assert_allclose(by_least_squares(X, t), factor * w, rtol=1e-10)


@pytest.mark.equation("A-4.1.2-10")
@pytest.mark.erratum("A31")
def test_the_svd_of_a_singular_scatter_by_hand():
    """Printed: S_w⁻¹ = VΣ⁻¹Uᵀ is stable. Class 0: (0, 0), (2, 0), class 1: (1, 3), (3, 3): S_w = (4, 0; 0, 0), whose
    Σ⁻¹ divides by 0. The pseudo-inverse gives (1/4, 0), of J = 1/4, and does not see the second feature, which alone
    tells the classes apart: J = inf. `direction` sees it: v = (0, 1/3) has vᵀS_t v = 1, and w = v(δ·v), δ = (1, 3)."""
    X, t = np.array([[0.0, 0], [2, 0], [1, 3], [3, 3]]), [0, 0, 1, 1]
    U, s, Vt = np.linalg.svd(scatter_within(X, t))
    assert s.tolist() == [4, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        assert not np.isfinite(Vt.T @ (U.T @ [1, 3] / s)).all()
    np.testing.assert_allclose(svd_direction(X, t), [1 / 4, 0], atol=1e-15)
    assert rayleigh_quotient(svd_direction(X, t), X, t) == pytest.approx(1 / 4, rel=1e-14)
    np.testing.assert_allclose(direction(X, t), [0, 1 / 3], atol=1e-15)
    assert rayleigh_quotient([0, -1], X, t) == np.inf
    np.testing.assert_allclose(by_least_squares(X, t), [0, 4 / 3], atol=1e-14)


# --- thresholds ---------------------------------------------------------------------------------------------


@pytest.mark.equation("A-4-2")
@pytest.mark.erratum("A32")
def test_a_threshold_and_a_side_are_needed():
    """Printed: by the position of the projection. LINE: w = -4/6 < 0, all w·x <= 0, so 0 puts the four below
    it in class 0, two of them wrongly; τ = -2/3·3 makes no mistake, and with -w and -τ, the other side, all are."""
    w = direction(LINE, BITS)
    tau = threshold(w, LINE, BITS)
    assert [w[0], tau] == pytest.approx([-2 / 3, -2], rel=1e-14)
    assert predict_by_threshold(w, 0.0, LINE).tolist() == [0, 0, 1, 0, 1, 0]
    assert predict_by_threshold(w, tau, LINE).tolist() == BITS.tolist()
    assert predict_by_threshold(-w, -tau, LINE).tolist() == (1 - BITS).tolist()
    assert predict_by_threshold([1.0], 3.0, np.array([[4.0], [3.0]])).tolist() == [1, 1]  # a tie is of class 1


@pytest.mark.equation("A-4-2")
@pytest.mark.erratum("A32")
def test_prior_threshold_by_hand():
    """LINE along w = 1: means 5 and 1, s² = 1, N_0 : N_1 = 1 : 2, so τ = 3 - ln(1/2)/4: class 1, the larger, gains.
    Along Σ⁻¹δ = N S_w⁻¹δ it is the midpoint plus ln(N_0/N_1)."""
    assert prior_threshold([1.0], LINE, BITS) == pytest.approx(3 + np.log(2) / 4, rel=1e-14)
    assert prior_threshold([-2.0], LINE, BITS) == pytest.approx(-6 - np.log(2) / 2, rel=1e-14)
    w, n = len(LABELS_2) * direction(CLOUD_2, LABELS_2), np.bincount(LABELS_2)
    middle = threshold(w, CLOUD_2, LABELS_2)
    assert prior_threshold(w, CLOUD_2, LABELS_2) == pytest.approx(middle + np.log(n[0] / n[1]), rel=1e-11)


@pytest.mark.equation("A-4-2")
@pytest.mark.parametrize("w", [direction(CLOUD_2, LABELS_2), MAP[0], -MAP[0]], ids=["Fisher's", "any", "turned"])
def test_no_threshold_makes_fewer_mistakes_with_normal_classes(w):
    """Of mistakes there are N_0/N Φ((τ - m_0)/s) + N_1/N Φ((m_1 - τ)/s) if m_0 is the larger one: least where both
    classes are equally likely, for any w, not only Fisher's, and either sign of it."""
    X, t = CLOUD_2, LABELS_2
    n, (m_0, m_1) = np.bincount(t) / len(t), project(w, means(X, t))
    s, side, tau = sqrt(w @ scatter_within(X, t) @ w / len(t)), np.sign(m_0 - m_1), prior_threshold(w, X, t)

    def mistakes(tau):
        z_0, z_1 = side * (tau - m_0) / s, side * (m_1 - tau) / s
        return n[0] * (1 + erf(z_0 / sqrt(2))) / 2 + n[1] * (1 + erf(z_1 / sqrt(2))) / 2

    assert central_difference(mistakes, tau) * s == pytest.approx(0, abs=1e-9)
    assert mistakes(tau) < min(mistakes(threshold(w, X, t)), mistakes(tau - 0.1 * s), mistakes(tau + 0.1 * s))


def test_equal_projected_means_are_seen_though_their_sums_are_rounded():
    """The mean of 10 numbers 0.1 is not 0.1: measured from the first sample it is 0."""
    X, t = np.column_stack([np.full(10, 0.1), np.arange(10)]), np.repeat([0, 1], [6, 4])
    with pytest.raises(ValueError, match="no threshold on w·x tells the classes apart"):
        prior_threshold([1.0, 0.0], X, t)
    X, t = np.array([[2.8], [1.5], [2.3], [2.7], [2.6], [1.5], [1.3], [2.9]]), np.repeat([0, 1], [3, 5])
    with pytest.raises(ValueError, match="no threshold on w·x tells the classes apart"):
        prior_threshold([1.0], X, t)  # both means are 2.2
    m_0, m_1 = means(CLOUD_2, LABELS_2)
    with pytest.raises(ValueError, match="no threshold on w·x tells the classes apart"):
        prior_threshold(
            [m_0[1] - m_1[1], m_1[0] - m_0[0], 0.0, 0.0], CLOUD_2, LABELS_2
        )  # across the line through the means


def test_shares_of_a_whole_have_no_spread_along_their_sum():
    """Each row is (a, 1 - a), and w = (1, 1): w·x is 1 up to rounding, and J would be a share of it."""
    a = np.array([0.8, 0.6, 0.5, 0.2, 0.3, 0.0])
    X, t = np.column_stack([a, 1 - a]), np.repeat([0, 1], 3)
    for J in (lambda: rayleigh_quotient([1.0, 1.0], X, t), lambda: trace_ratio([[1.0], [1.0]], X, t)):
        with pytest.raises(ValueError, match="the same for all samples"):
            J()
    assert rayleigh_quotient([1.0, 1.0 + 1e-9], X, t) == pytest.approx(rayleigh_quotient([0.0, 1.0], X, t), rel=1e-6)


# --- more classes -------------------------------------------------------------------------------------------


@pytest.mark.equation("A-4.2-13", "A-4.2-14")
def test_directions_by_hand():
    """S_w = 6I and S_b = (4, 0; 0, 32): λ = 32/6 along e_2/√6, 4/6 along e_1/√6. The samples Bᵀx have the vectors B⁻¹v,
    here (-2, 1)/√6, turned round for its largest entry to be positive, and (1, 0)/√6."""
    W, ratios = directions(ROUND, THIRDS)
    np.testing.assert_allclose(ratios, [16 / 3, 2 / 3], rtol=1e-13)
    np.testing.assert_allclose(sqrt(6) * W, [[0, 1], [1, 0]], atol=1e-14)
    W, ratios = directions(ROUND @ [[1, 2], [0, 1]], THIRDS)
    np.testing.assert_allclose(ratios, [16 / 3, 2 / 3], rtol=1e-13)
    np.testing.assert_allclose(sqrt(6) * W, [[2, 1], [-1, 0]], atol=1e-13)


@pytest.mark.equation("A-4.2-12", "A-4.2-15")
@pytest.mark.parametrize("m", [1, 2])
def test_fewer_directions_are_the_first_ones(m):
    (W, ratios), (few, largest) = directions(CLOUD, LABELS), directions(CLOUD, LABELS, m)
    np.testing.assert_array_equal(few, W[:, :m])
    np.testing.assert_array_equal(largest, ratios[:m])
    assert project(few, CLOUD).shape == (40, m)


@pytest.mark.equation("A-4.2-9", "A-4.2-10", "A-4.2-11")
def test_trace_and_determinant_are_sums_and_products_of_eigenvalues():
    """(WᵀS_w W)⁻¹WᵀS_b W of any two columns; by hand, of W = I and ROUND, (4/6, 0; 0, 32/6). W = (1, 1; 0, 2): WᵀS_b W
    = (4, 4; 4, 132), WᵀS_w W = 6 (1, 1; 1, 5); the inverse is (5, -1; -1, 1)/24."""
    W = np.array([[1.0, 1], [0, 2]])
    assert trace_ratio(W, ROUND, THIRDS) == pytest.approx(136 / 36, rel=1e-13)
    assert ratio_trace(W, ROUND, THIRDS) == pytest.approx((5 * 4 - 4 - 4 + 132) / 24, rel=1e-13)
    S_w, S_b = scatter_within(ROUND, THIRDS), scatter_between(ROUND, THIRDS)
    assert np.linalg.det(S_b) / np.linalg.det(S_w) == pytest.approx(32 / 9, rel=1e-12)
    assert directions(ROUND, THIRDS)[1].prod() == pytest.approx(32 / 9, rel=1e-12)
    W = MAP[:, :2]
    A = np.linalg.solve(W.T @ scatter_within(CLOUD, LABELS) @ W, W.T @ scatter_between(CLOUD, LABELS) @ W)
    assert ratio_trace(W, CLOUD, LABELS) == pytest.approx(np.linalg.eigvals(A).real.sum(), rel=1e-10)


@pytest.mark.equation("A-4.2-9", "A-4.2-13", "A-4.2-14")
@pytest.mark.erratum("A37")
def test_the_trace_ratio_is_not_largest_at_the_eigenvectors():
    """Printed: the leading eigenvectors maximize tr(WᵀS_b W)/tr(WᵀS_w W). ROUND: (e_2, e_1)/√6 has (32 + 4)/12 = 3, but
    (e_2, e_2), the first vector twice, 32/6 = λ_1; and twice the second one, which solves the same problem, 48/30."""
    W, _ = directions(ROUND, THIRDS)
    for V, value in ((W, 3), (W[:, [0, 0]], 16 / 3), (W * [1, 2], 48 / 30)):
        assert trace_ratio(V, ROUND, THIRDS) == pytest.approx(value, rel=1e-13)
    W, ratios = directions(CLOUD, LABELS)
    slope = central_difference(lambda W: trace_ratio(W, CLOUD, LABELS), W)
    assert np.abs(slope).max() > 0.01 * ratios[0]  # not even stationary
    for V in np.random.default_rng(8).normal(size=(20, 4, 2)):
        assert trace_ratio(V, CLOUD, LABELS) < ratios[0]  # λ_1 is the least upper bound


@pytest.mark.equation("A-4.2-9", "A-4.2-14")
@pytest.mark.erratum("A37")
@pytest.mark.parametrize("m", [1, 2])
def test_what_the_eigenvectors_maximize(m):
    """tr((WᵀS_w W)⁻¹WᵀS_b W) = λ_1 + ... + λ_m; it depends on the span of the columns only, and is stationary there. So
    is det(WᵀS_b W)/det(WᵀS_w W) = λ_1 ... λ_m. Under WᵀS_w W = I the ratio of traces is the mean of the λ at most."""
    W, ratios = (part[..., :m] for part in directions(CLOUD, LABELS))
    S_w, S_b = scatter_within(CLOUD, LABELS), scatter_between(CLOUD, LABELS)

    def values(V):
        U = V @ np.linalg.inv(np.linalg.cholesky(V.T @ S_w @ V)).T  # UᵀS_w U = I
        determinants = np.linalg.det(V.T @ S_b @ V) / np.linalg.det(V.T @ S_w @ V)
        return np.array([ratio_trace(V, CLOUD, LABELS), determinants, trace_ratio(U, CLOUD, LABELS)])

    largest = [ratios.sum(), ratios.prod(), ratios.mean()]
    np.testing.assert_allclose(values(W @ MAP[:m, :m]), largest, rtol=1e-10)
    np.testing.assert_allclose(trace_ratio(W, CLOUD, LABELS), ratios.mean(), rtol=1e-11)
    slope = central_difference(lambda V: ratio_trace(V, CLOUD, LABELS), W)
    np.testing.assert_allclose(slope, 0, atol=1e-7)
    for V in np.random.default_rng(11).normal(size=(20, 4, m)):
        assert (values(V) < largest).all()


@pytest.mark.equation("A-4.2-13")
@pytest.mark.erratum("A38")
def test_every_column_has_a_factor_of_its_own():
    """Printed S_b W = λS_w W with one λ: Λ = diag(16/3, 2/3), and no number fits both columns."""
    W, ratios = directions(ROUND, THIRDS)
    S_w, S_b = scatter_within(ROUND, THIRDS), scatter_between(ROUND, THIRDS)
    np.testing.assert_allclose(S_b @ W, S_w @ W @ np.diag(ratios), atol=1e-13)
    np.testing.assert_allclose(ratios, [16 / 3, 2 / 3], rtol=1e-13)


@pytest.mark.equation("A-4.2-9", "A-4.2-15")
@pytest.mark.erratum("A39")
def test_six_classes_in_two_features_have_two_directions():
    """Printed W in R^(n x (M-1)), here 2 x 5: S_b has rank min(n, M - 1) = 2, and five columns are dependent."""
    X, t = np.random.default_rng(12).normal(size=(30, 2)), np.tile(np.arange(6), 5)
    assert np.linalg.matrix_rank(scatter_between(X, t)) == 2
    assert directions(X, t)[0].shape == (2, 2)
    with pytest.raises(ValueError, match="n_components is 5, but S_b of 6 classes in 2 features has rank 2: no more"):
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

GRID = np.random.default_rng(13).normal(size=(200, 4)) * 3


@pytest.mark.equation("A-4-1", "A-4-2")
@pytest.mark.parametrize("m", [1, 3])
def test_the_nearest_projected_mean(m):
    """x = -1/2 is as far from 1 as from -2, x = 5/2 from 4 as from 1: a tie goes to the first."""
    M, W = means(CLOUD, LABELS), MAP[:, :m]
    nearest = [min(range(3), key=lambda k: np.linalg.norm(W.T @ (x - M[k]))) for x in GRID]
    np.testing.assert_array_equal(predict(W, M, GRID), nearest)
    M = np.array([[4.0], [1.0], [-2.0]])
    assert predict(np.ones((1, 1)), M, np.array([[-0.5], [-0.6], [2.5], [2.6]])).tolist() == [1, 2, 0, 0]


@pytest.mark.equation("A-4-2")
def test_the_nearest_mean_of_two_is_the_midpoint():
    w = direction(CLOUD_2, LABELS_2)
    by_threshold = predict_by_threshold(w, threshold(w, CLOUD_2, LABELS_2), GRID)
    np.testing.assert_array_equal(predict(w, means(CLOUD_2, LABELS_2), GRID), by_threshold)
    two = np.array([[1e9], [1e9 + 1]])  # apart by far less than a square loses
    assert predict(np.ones(1), two, two).tolist() == [0, 1]


@pytest.mark.equation("A-4-1", "A-4-2", "A-4.2-14")
def test_with_all_directions_it_is_the_nearest_mean_in_units_of_the_scatter():
    """(x - μ_k)ᵀS_w⁻¹(x - μ_k), Mahalanobis's distance: what W leaves out is the same for all k."""
    W, M, S = directions(CLOUD, LABELS)[0], means(CLOUD, LABELS), scatter_within(CLOUD, LABELS)
    squares = squared_distances(GRID, M, S)
    np.testing.assert_array_equal(predict(W, M, GRID), squares.argmin(axis=1))
    left = squares - [[np.sum((W.T @ (x - m)) ** 2) for m in M] for x in GRID]
    np.testing.assert_allclose(left, np.tile(left[:, :1], 3), atol=1e-10)


# --- normal classes of one covariance -----------------------------------------------------------------------


def test_discriminants_by_hand():
    """LINE: Σ = 1 and μ = 5, 1, so a_0 - a_1 = 4x - 12 + ln(1/2): even odds at 3 + ln(2)/4."""
    W, b = discriminants(LINE, BITS)
    assert W.shape == (1, 2) and b.shape == (2,)
    assert W[0, 0] - W[0, 1] == pytest.approx(4, rel=1e-14)
    assert b[0] - b[1] == pytest.approx(-12 - np.log(2), rel=1e-14)
    np.testing.assert_allclose(softmax(np.array([[3.0]]) @ W + b), [[1 / 3, 2 / 3]], rtol=1e-13)


def test_discriminants_give_the_posterior_of_normal_classes():
    W, b = discriminants(CLOUD, LABELS)
    S, n = scatter_within(CLOUD, LABELS) / 40, np.bincount(LABELS)
    joint = n / 40 * np.exp(-squared_distances(GRID[:50], means(CLOUD, LABELS), S) / 2)
    np.testing.assert_allclose(softmax(GRID[:50] @ W + b), joint / joint.sum(axis=1, keepdims=True), rtol=1e-8)


@two_classes
def test_discriminants_of_two_classes_tie_at_the_prior_threshold(X, t):
    """W_1 - W_0 = N S_w⁻¹δ, and a_0 = a_1 exactly where w·x = τ."""
    (W, b), w = discriminants(X, t), direction(X, t)
    np.testing.assert_allclose(W[:, 1] - W[:, 0], len(t) * w, rtol=1e-9)
    x = prior_threshold(w, X, t) * w / (w @ w)
    assert x @ (W[:, 0] - W[:, 1]) + b[0] - b[1] == pytest.approx(0, abs=1e-10)


@pytest.mark.erratum("A67")
@pytest.mark.parametrize("X, t", [
    (np.array([[0.0, 0], [1, 2], [4, 8], [5, 10], [8, 16], [9, 18]]), np.repeat([0, 1, 2], 2)),
    (np.random.default_rng(0).normal(size=(6, 5)), np.repeat([0, 1, 2], 2)),  # N - K = 3 < 5 features
    (PAIR[[0, 2]], [0, 1]),
    (PAIR @ [[1, 1], [0, 2.0**-17]], BITS),  # regular, but Σ⁻¹ would lose nine digits
], ids=["on a line", "few samples", "one of each", "nearly on a line"])  # fmt: skip
def test_discriminants_need_a_regular_scatter(X, t):
    with pytest.raises(np.linalg.LinAlgError, match=r"S_w is singular.*Σ⁻¹ does not exist.*`directions` and `pred"):
        discriminants(X, t)


# --- singular scatters --------------------------------------------------------------------------------------


@pytest.mark.equation("A-4.1.2-9")
def test_dependent_features_change_no_quotient():
    """S_w w = δ still has solutions; `direction` is the shortest, as least squares gives it."""
    X = np.column_stack([CLOUD_2, CLOUD_2 @ [1.0, -2.0, 0.5, 3.0], np.ones(len(CLOUD_2))])
    w, S = direction(X, LABELS_2), scatter_within(X, LABELS_2)
    shortest = np.linalg.pinv(S, rcond=1e-12) @ deltas(X, LABELS_2)
    for found in (w, svd_direction(X, LABELS_2)):
        np.testing.assert_allclose(found, shortest, rtol=1e-8, atol=1e-13)
    assert parallel(w, by_least_squares(X, LABELS_2)) < 1e-11
    largest = rayleigh_quotient(direction(CLOUD_2, LABELS_2), CLOUD_2, LABELS_2)
    assert rayleigh_quotient(w, X, LABELS_2) == pytest.approx(largest, rel=1e-10)
    n, (W, ratios) = np.bincount(LABELS_2), directions(X, LABELS_2)
    assert ratios == pytest.approx([largest * n.prod() / n.sum()], rel=1e-10)
    assert W[:, 0] @ S @ W[:, 0] == pytest.approx(1, rel=1e-10)


@pytest.mark.equation("A-4.1.2-4", "A-4.1.2-9", "A-4.1.2-10")
@pytest.mark.erratum("A31")
@pytest.mark.parametrize("shape", [(9, 10), (12, 11), *slow([((5, 50),)])], ids=str)
def test_fewer_samples_than_features(shape):
    """N - 2 < d: some directions see each class as a point. w meets Fisher's targets exactly, as least squares does."""
    X, t = np.random.default_rng(18).normal(size=shape), np.arange(shape[0]) % 2
    w, blind, (W, ratios) = direction(X, t), svd_direction(X, t), directions(X, t)
    assert parallel(w, by_least_squares(X, t)) < 1e-11
    assert rayleigh_quotient(w, X, t) > 1e20 and ratios.tolist() == [np.inf]
    np.testing.assert_allclose(blind, np.linalg.pinv(scatter_within(X, t), rcond=1e-10) @ deltas(X, t), rtol=1e-9)
    assert rayleigh_quotient(blind, X, t) < 1e3  # it stays in the range of S_w, where J is finite
    assert W[:, 0] @ scatter_total(X) @ W[:, 0] == pytest.approx(1, rel=1e-10)
    assert min(parallel(W[:, 0], w), parallel(-W[:, 0], w)) < 1e-12
    assert w @ deltas(X, t) == pytest.approx(len(t) / np.bincount(t).prod(), rel=1e-10)  # (δ·v)² of vᵀS_t v = 1


@pytest.mark.parametrize("step, others", [(1e-3, 4), (1e3, 4), (-2.0, 1)])
def test_a_feature_constant_within_each_class_is_enough(step, others):
    """It alone has J = inf, and the others, which only blur it, get no weight."""
    X = np.column_stack([CLOUD_2[:, :others], step * LABELS_2])
    only = np.append(np.zeros(others), np.sign(step))
    assert directions(X, LABELS_2)[1].tolist() == [np.inf]
    assert parallel(direction(X, LABELS_2), only) < 1e-12
    assert rayleigh_quotient(only, X, LABELS_2) > 1e25  # inf up to rounding
    blind = svd_direction(X, LABELS_2)
    np.testing.assert_allclose(blind[:-1], direction(X[:, :-1], LABELS_2), rtol=1e-9)
    assert abs(blind[-1]) < 1e-12 * np.abs(blind).max()


@pytest.mark.equation("A-4.2-14")
@pytest.mark.parametrize("N, values", [
    (71_562, [2.54388117e00, 1.22464697e01, -2.97526844e04, -8.10814583e-07]),
    (5825, [8.76242196e-01, 2.56485627e-07]),
], ids=["4 classes", "2 classes"])  # fmt: skip
def test_what_rounding_leaves_of_many_equal_samples_is_no_scatter(N, values):
    """Every class is one point; the sums of its samples are rounded, and their means are not quite that point."""
    t = np.arange(N) % len(values)
    A = np.array(values)[t][:, None]
    assert directions(A, t)[1].tolist() == [np.inf]
    if len(values) == 2:
        w = svd_direction(np.column_stack([A, np.arange(N) % 7 - 3.0]), t)
        assert rayleigh_quotient([1.0], A, t) > 1e25 and abs(w[0]) < 1e-12 * abs(w[1])


def test_infinite_and_finite_ratios_together():
    """Feature 1 has the means 1, 2, 3 and S_w = 6, S_b = 4; feature 2 is 0, 3, 0 and has S_b = 12, no S_w. They are
    uncorrelated: λ = inf along e_2/√12, of wᵀS_t w = 1, then 4/6 along e_1/√6. Mixed by B, no single feature tells the
    same: B⁻¹ = (-2, 3; 1, -1)."""
    X, t = np.array([[0.0, 0], [2, 0], [1, 3], [3, 3], [2, 0], [4, 0]]), np.repeat([0, 1, 2], 2)
    W, ratios = directions(X, t)
    np.testing.assert_allclose(ratios, [np.inf, 2 / 3], rtol=1e-13)
    np.testing.assert_allclose(W, [[0, 1 / sqrt(6)], [1 / sqrt(12), 0]], atol=1e-14)
    W, ratios = directions(X, t, 1)
    assert W.shape == (2, 1) and ratios.tolist() == [np.inf]
    W, ratios = directions(X @ [[1, 3], [1, 2]], t)
    np.testing.assert_allclose(ratios, [np.inf, 2 / 3], rtol=1e-12)
    np.testing.assert_allclose(W, [[3 / sqrt(12), 2 / sqrt(6)], [-1 / sqrt(12), -1 / sqrt(6)]], rtol=1e-12)


def test_two_samples():
    """x = (1, 2) and (4, 6): w along their difference (3, 4), w·δ = N²/(N_0 N_1)/N = 2, so w = 2/25 of it."""
    X, t = np.array([[1.0, 2], [4, 6]]), [0, 1]
    w, (W, ratios) = direction(X, t), directions(X, t)
    np.testing.assert_allclose(w, [6 / 25, 8 / 25], rtol=1e-13)
    assert rayleigh_quotient(w, X, t) == ratios[0] == np.inf
    assert prior_threshold(w, X, t) == pytest.approx((22 / 25 + 72 / 25) / 2, rel=1e-13)
    np.testing.assert_array_equal(svd_direction(X, t), 0)  # blind to all that S_w = 0 is blind to
    np.testing.assert_allclose(W[:, 0], [sqrt(2) * 3 / 25, sqrt(2) * 4 / 25], rtol=1e-13)


EQUAL = np.array([[0.0, 0], [2, 2], [0, 2], [2, 0]])


@pytest.mark.parametrize("X, t", [
    (EQUAL + 1e8, [0, 0, 1, 1]),
    (np.vstack([CLOUD - CLOUD.mean(axis=0), 3 * (CLOUD - CLOUD.mean(axis=0))]), np.repeat([0, 1], 40)),
], ids=["far out", "to rounding"])  # fmt: skip
def test_equal_means_have_no_direction(X, t):
    for f in (direction, directions):
        with pytest.raises(np.linalg.LinAlgError, match="all class means are equal: J = 0 for every w, and no dir"):
            f(X, t)


def test_nearly_equal_means_have_a_direction():
    """2⁻⁴³ is 1e-13, where rounding makes 1e-15: the S_w of EQUAL is 4I."""
    near, t = np.ldexp(1.0, -43), np.array([0, 0, 1, 1])
    np.testing.assert_array_equal(svd_direction(EQUAL, t), 0)
    np.testing.assert_allclose(direction(EQUAL + near * np.outer(t, [1, 2]), t), [near / 4, near / 2], rtol=1e-9)


def test_ratio_trace_needs_a_plane():
    with pytest.raises(np.linalg.LinAlgError, match=r"WᵀS_w W is singular: columns of W depend on one another"):
        ratio_trace(np.array([[0.1, 0.3], [0.2, 0.6]]), PAIR, BITS)
    with pytest.raises(np.linalg.LinAlgError, match=r"or along one each class is a single point$"):
        ratio_trace(np.array([[1.0], [0.0]]), np.array([[0.0, 1], [0, 2], [1, 1], [1, 3]]), [0, 0, 1, 1])


# --- units, offsets, rounding -------------------------------------------------------------------------------


def test_any_regular_map_of_the_features():
    """x -> Bᵀx: w -> B⁻¹w, up to a sign in W; w·x, λ and the classes stay."""
    X, B = CLOUD @ MAP, MAP
    for f in (direction, svd_direction):
        np.testing.assert_allclose(B @ f(CLOUD_2 @ B, LABELS_2), f(CLOUD_2, LABELS_2), rtol=1e-8)
    (W, ratios), (found, same) = directions(CLOUD, LABELS), directions(X, LABELS)
    np.testing.assert_allclose(same, ratios, rtol=1e-10)
    np.testing.assert_allclose(B @ found * np.sign(np.sum(B @ found * W, axis=0)), W, rtol=1e-8)
    np.testing.assert_array_equal(predict(found, means(X, LABELS), X), predict(W, means(CLOUD, LABELS), CLOUD))
    (W, b), (found, same) = discriminants(CLOUD, LABELS), discriminants(X, LABELS)
    np.testing.assert_allclose(softmax(X @ found + same), softmax(CLOUD @ W + b), rtol=1e-8)


@pytest.mark.parametrize("unit", [2.0**-30, *slow([1.0, 2.0**30])])
@pytest.mark.parametrize("factor", [2.0**-15, 2.0**15, *slow([4.0])])
def test_the_shortest_of_features_of_like_size_is_that_of_their_numbers(unit, factor):
    """Sizes within 1e6: x and fx have weights as 1 : f, whatever the unit of all. Zero columns do not count."""
    X, w = np.column_stack([CLOUD_2, factor * CLOUD_2[:, 0], 0 * CLOUD_2[:, 0]]), direction(CLOUD_2, LABELS_2)
    shares = np.append(w * [1 / (1 + factor**2), 1, 1, 1], [w[0] * factor / (1 + factor**2), 0])
    np.testing.assert_allclose(direction(X * unit, LABELS_2) * unit, shares, rtol=1e-8, atol=1e-13)


@pytest.mark.parametrize("exponent", [10, 17, 20, *slow([14, 18])])
def test_nearly_dependent_features(exponent):
    """Features x and x + 2⁻ᵉy, exactly: w = B⁻¹ FISHER, and digits are lost as 2ᵉ, not as its square."""
    B = np.array([[1.0, 1.0], [0.0, 2.0**-exponent]])
    w = direction(PAIR @ B, BITS)
    np.testing.assert_allclose(B @ w, FISHER, rtol=1e-8, atol=1e-9)
    assert rayleigh_quotient(w, PAIR @ B, BITS) == pytest.approx(LARGEST, rel=1e-9)
    np.testing.assert_allclose(directions(PAIR @ B, BITS)[1], [4 / 3 * LARGEST], rtol=1e-11)


@pytest.mark.parametrize("seed", [0, 1, *slow(range(2, 20))])
def test_a_feature_repeated_in_other_units_changes_no_ratio(seed):
    """Kelvin beside Fahrenheit: the copy, rounded, has nothing of its own; the ratios are those without it."""
    rng = np.random.default_rng(seed)
    t = np.arange(30) % 3
    X = np.column_stack([300 + 3 * rng.normal(size=30) + t, rng.normal(size=30)])
    copy = (X[:, 0] + rng.uniform(-700, 700)) * rng.choice([1.8, 1.19, 1 / 2.54])
    np.testing.assert_allclose(directions(np.column_stack([X, copy]), t)[1], directions(X, t)[1], rtol=1e-6)


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


@pytest.mark.parametrize("N, power", [(10, 40), (1000, 38), *slow([(10_000, 36), (100_000, 33)])])
def test_a_small_spread_is_not_taken_for_rounding(N, power):
    """Classes at 0 and 1, each sample 2⁻ᵖ above or below: S_w = 4N 4⁻ᵖ of 4N samples, S_b = 4N/4, so λ = 4ᵖ⁻¹."""
    n = np.arange(4 * N)
    t = n % 2
    A = (t + np.where(n // 2 % 2, 1, -1) * 2.0**-power)[:, None]
    assert scatter_within(A, t)[0, 0] == pytest.approx(4 * N * 4.0**-power, rel=1e-3)
    assert directions(A, t)[1] == pytest.approx(4.0 ** (power - 1), rel=1e-3)


def test_a_ratio_of_1e26_is_not_infinite():
    """δ = (-4 - 2⁴⁵, -1), so λ = 4/3 δ·(18, -2; -2, 6)δ/104, exactly. With a feature given twice S_w is singular; what
    is within is 1e-13 of S_t, and known to a hundredth."""
    X, u = PAIR + 2.0**45 * np.outer(BITS, [1, 0]), Fraction(-4 - 2**45)
    ratio = float(Fraction(4, 3) * (18 * u * u + 4 * u + 6) / 104)
    np.testing.assert_allclose(directions(X, BITS)[1], [ratio], rtol=1e-12)
    np.testing.assert_allclose(directions(X[:, [0, 1, 1]], BITS)[1], [ratio], rtol=0.05)


@pytest.mark.parametrize("power", [4, 16])
def test_large_ratios_beside_a_copied_column(power):
    """The copy sends the problem through the scatter of all, and takes half of the weight; λ stays."""
    small = 2.0**-power
    A = np.array([[0, small], [small, -small], [1, small], [1 + small, -small], [0, 1 + small], [small, 1 - small]])
    t = np.array([0, 0, 1, 1, 2, 2])
    (W, ratios), (V, same) = directions(A, t), directions(np.column_stack([A, A[:, 0]]), t)
    np.testing.assert_allclose(same, ratios, rtol=1e-7)
    np.testing.assert_allclose(np.abs(V), np.abs([W[0] / 2, W[1], W[0] / 2]), rtol=1e-6, atol=1e-9 * np.abs(W).max())


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


def test_an_infinite_ratio_beside_a_large_one():
    """x_1 is constant in each class. For x_2 beside it λ = (S_b22 - S_b12²/S_b11)/S_w22, with S_b = (4/3, -2000/3;
    -2000/3, 4·10⁶/3) and S_w22 = 6: (4·10⁶/3 - 10⁶/3)/6 = 500000/3."""
    A = np.array([[0, 1], [0, -1], [0, 1001], [0, 999], [1, 1], [1, -1.0]])
    W, ratios = directions(A, [0, 0, 1, 1, 2, 2])
    np.testing.assert_allclose(ratios, [np.inf, 1e6 / 6], rtol=1e-9)
    assert abs(W[1, 0]) < 1e-12 * abs(W[0, 0])


def test_no_scatter_depends_on_the_origin():
    """Whole numbers at 2⁵², where every difference is exact, and their means are not."""
    rng = np.random.default_rng(0)
    X, t = rng.integers(0, 9, (30, 2)) * 1.0, np.arange(30) % 3 % 2
    far = X + 2.0**52
    np.testing.assert_allclose(scatter_total(far), scatter_total(X), rtol=1e-12)
    for f in (scatter_within, scatter_between, direction, svd_direction, scatter_of_means):
        np.testing.assert_allclose(f(far, t), f(X, t), rtol=1e-12, atol=1e-12)
    for f in (directions, discriminants):
        np.testing.assert_allclose(f(far, t)[0], f(X, t)[0], rtol=1e-12)
    for f in (ratio_trace, trace_ratio):
        assert f(np.eye(2), far, t) == pytest.approx(f(np.eye(2), X, t), rel=1e-12)
    assert within_scatter(2.0**52 + np.array([[0.0], [1], [4], [5]]), np.array([0, 0, 1, 1])).tolist() == [[1.0]]


@pytest.mark.equation("A-4.1.1-2")
@pytest.mark.parametrize("offset", [[3.0, -1.0, 2.0, 5.0], [1e8, -1e8, 1e8, -2.0]], ids=str)
def test_a_shift_of_all_samples_moves_the_thresholds(offset):
    """The notes drop b: J and w do not see it. Whole numbers, so that it is exact."""
    X, t, offset = np.round(4 * CLOUD_2), LABELS_2, np.array(offset)
    w = direction(X, t)
    assert rayleigh_quotient(w, X + offset, t) == pytest.approx(rayleigh_quotient(w, X, t), rel=1e-13)
    rounding = 20 * np.finfo(float).eps * np.abs(offset * w).sum()  # of w·x, whose terms are that large
    for f in (threshold, prior_threshold):
        assert f(w, X + offset, t) - offset @ w == pytest.approx(f(w, X, t), abs=rounding)


@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_singular_scatters_far_from_zero(offset):
    X = np.round(4 * CLOUD_2)
    twice, apart = np.column_stack([X, X[:, 0]]), np.column_stack([X, LABELS_2])
    np.testing.assert_allclose(direction(twice + offset, LABELS_2), direction(twice, LABELS_2), rtol=1e-9)
    assert directions(apart + offset, LABELS_2)[1].tolist() == [np.inf]
    assert parallel(direction(apart + offset, LABELS_2), np.array([0, 0, 0, 0, 1.0])) < 1e-12


def test_a_shift_of_some_features_turns_nothing_where_the_scatter_is_singular():
    A = np.array([[-2, -2, 1, 1.0625], [3, -2, -3, 1.5], [2, -1, -3, 1.5]])
    t = [0, 1, 1]
    np.testing.assert_allclose(direction(A + np.array([1e8, 1e8, 1e8, 0]), t), direction(A, t), rtol=1e-9)


@pytest.mark.slow
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn():
    """The fenced block of the chapter, as it stands there, on irises in unequal shares."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    cells = notebooks.read(ROOT / "notebooks" / "07_lda.ipynb")["cells"]
    (text,) = (notebooks.text(cell["source"]) for cell in cells if cell["id"] == "ch07-sklearn")
    iris = datasets.iris()
    X, t = iris.X[:120], iris.y[:120]
    names = {"np": np, "X": X, "t": t}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], names)
    W, b = discriminants(X, t)
    np.testing.assert_array_equal(names["classes"], np.argmax(X @ W + b, axis=1))
    np.testing.assert_allclose(names["p"], softmax(X @ W + b), atol=1e-9)

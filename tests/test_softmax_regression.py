"""Chapter 05, softmax regression: every equation of notes A 3.3, C 3.2 and D 3, and where the notes are wrong."""

import pathlib
import re
from functools import partial
from itertools import islice, pairwise

import numpy as np
import pytest
from cases import slow

from linmodels import datasets, glm, logistic_regression, optimize
from linmodels import softmax_regression as sr
from linmodels.book import notebooks
from linmodels.derivatives import central_difference, check_gradient
from linmodels.derivatives import jacobian as by_differences
from linmodels.design import augment, free_bias, one_hot
from linmodels.softmax_regression import centered, fit, gradient, hessian, loss, posterior, scores, to_reference
from linmodels.softmax_regression import likelihood as probability
from linmodels.solvers import families, likelihood
from linmodels.special import sigmoid, softmax

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(40, 2))
X = augment(POINTS)
LABELS = np.append(RNG.integers(0, 3, 37), [0, 1, 2])  # three classes that overlap
T = one_hot(LABELS)
W = RNG.normal(size=(3, 3)) / 2
V = np.array([0.5, -2.0, 1.0])  # what all columns may have in common

penalties = pytest.mark.parametrize(
    "lam", [0.0, 0.7, np.array([0.5, 2.0, 0.0])], ids=["none", "one for all", "one per column"]
)

P = np.array([1.0, 2.0, 5.0]) / 8  # softmax of A
A = np.log([1.0, 2.0, 5.0])


def optimum(lam=0.0):
    return fit(X, T, lam).W


# --- the model ----------------------------------------------------------------------------------------------


@pytest.mark.equation("C-1-8", "C-3.2-1", "C-3.2-2", "C-3.2-4", "D-3-1", "D-3-3", "D-3-14")
def test_posterior_is_a_softmax_of_a_score_per_class():
    """x = 2 and w = (ln 3/2, ln 6/2, ln 15/2): a score for every class, ln 3, ln 6 and ln 15, so 1 : 2 : 5."""
    x, w = np.array([[2.0]]), np.log([[3.0, 6.0, 15.0]]) / 2
    np.testing.assert_allclose(scores(w, x), np.log([[3.0, 6.0, 15.0]]), rtol=1e-15)
    np.testing.assert_allclose([posterior(w, x)[0], softmax(A)], [P, P], rtol=1e-15)
    z = np.array([W.T @ x for x in X])
    np.testing.assert_allclose(scores(W, X), z, rtol=1e-13)
    np.testing.assert_allclose(posterior(W, X), [np.exp(a) / sum(np.exp(a)) for a in z], rtol=1e-13)


@pytest.mark.equation("D-3-3", "D-3-4")
@pytest.mark.erratum("D23")
def test_the_decision_needs_no_softmax():
    """Printed y ∈ 1, 2, ..., C without braces: y is one member of the set {1, ..., C}, here of {0, ..., C - 1}."""
    classes = sr.predict(W, X)
    assert classes.shape == (40,) and set(classes.tolist()) <= {0, 1, 2} == set(range(W.shape[1]))
    np.testing.assert_array_equal(classes, posterior(W, X).argmax(axis=1))
    np.testing.assert_array_equal(classes, [max(range(3), key=lambda k: W[:, k] @ x) for x in X])
    assert sr.predict(np.array([[1.0, 1.0, 0.0]]), np.array([[1.0], [-1.0]])).tolist() == [0, 2]  # a tie: the first


@pytest.mark.equation("D-3-5", "C-3.2-4", "C-3.2-7")
def test_one_hot_targets():
    np.testing.assert_array_equal(T, [[float(t == c) for c in range(3)] for t in LABELS])
    np.testing.assert_array_equal(T.sum(axis=1), 1)
    assert loss(W, X, T) == pytest.approx(-np.sum(T * np.log(posterior(W, X))), rel=1e-14)


@pytest.mark.equation("D-3-1")
@pytest.mark.erratum("D18")
def test_softmax_is_a_function_of_all_entries():
    """Printed softmax(x_1): x_1 = 0 in (0, 0, 0) and in (0, ln 2, ln 3), but 1/3 and 1/6. The sum runs over classes."""
    assert softmax(np.zeros(3))[0] == pytest.approx(1 / 3, rel=1e-15)
    assert softmax(np.log([1.0, 2.0, 3.0]))[0] == pytest.approx(1 / 6, rel=1e-15)
    np.testing.assert_allclose(posterior(W, X).sum(axis=1), 1, rtol=1e-15)  # over the C = 3 classes, printed N,
    assert (posterior(W, X).sum(axis=0) > 2).all()  # which is the number of samples


# --- K weight vectors or K - 1 ------------------------------------------------------------------------------


@pytest.mark.equation("A-3.3-1")
def test_both_codings_have_the_same_posteriors():
    """v·x = ln 2, ln 5: 2/8, 5/8, and 1/8 for the last class, the reference. A fit is that of glm's classes."""
    by_hand = sr.reference_posterior(np.log([[2.0, 5.0]]), np.ones((1, 1)))
    np.testing.assert_allclose(by_hand, [[2 / 8, 5 / 8, 1 / 8]], rtol=1e-15)
    v = to_reference(W)
    np.testing.assert_allclose(sr.from_reference(v) - W, np.tile(-W[:, 2:], 3), rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(to_reference(sr.from_reference(v)), v)
    np.testing.assert_allclose(sr.reference_posterior(v, X), posterior(W, X), rtol=1e-13)
    np.testing.assert_allclose(to_reference(optimum()), glm.fit(X, LABELS, glm.categorical).w, atol=1e-10)


def test_centred_is_the_shortest_of_all_with_these_posteriors():
    c = centered(W)
    np.testing.assert_allclose(c.sum(axis=1), 0, atol=1e-15)
    np.testing.assert_allclose(posterior(c, X), posterior(W, X), rtol=1e-13)
    assert np.vdot(c, np.tile(V[:, None], 3)) == pytest.approx(0, abs=1e-14)  # any way off it is longer
    assert np.linalg.norm(c) < min(np.linalg.norm(W), np.linalg.norm(sr.from_reference(to_reference(W))))


@pytest.mark.equation("A-3.3-1", "D-3-13")
def test_two_classes_are_logistic_regression():
    w = np.array([[0.7], [-1.0], [0.4]])
    np.testing.assert_allclose(sr.reference_posterior(w, X)[:, 0], sigmoid(X @ w[:, 0]), rtol=1e-14)
    t, two = (LABELS > 0).astype(float), W[:, :2]
    w = sr.two_class_weights(two)
    np.testing.assert_array_equal(w, W[:, 1] - W[:, 0])
    np.testing.assert_allclose(posterior(two, X)[:, 1], logistic_regression.posterior(w, X), rtol=1e-13)
    assert loss(two, X, one_hot(t)) == pytest.approx(logistic_regression.loss(w, X, t), rel=1e-13)
    g = logistic_regression.gradient(w, X, t)
    np.testing.assert_allclose(gradient(two, X, one_hot(t)), np.column_stack([-g, g]), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(hessian(two, X)[1::2, 1::2], logistic_regression.hessian(w, X), rtol=1e-12)


@pytest.mark.equation("C-3.2-1", "C-3.2-2")
@pytest.mark.erratum("C12", "D43")
def test_a_vector_for_every_class_is_one_too_many():
    """Printed: learn w_k for each class. What all have in common changes nothing: the minimum is not unique, and the
    Hessian has rank (K - 1)d. With w_K = 0, or a penalty, it has full rank and there is one minimum."""
    shifted = W + V[:, None]
    np.testing.assert_allclose(posterior(shifted, X), posterior(W, X), rtol=1e-12)
    assert loss(shifted, X, T) == pytest.approx(loss(W, X, T), rel=1e-13)
    best = optimum()
    np.testing.assert_allclose(gradient(best + V[:, None], X, T), 0, atol=1e-12)  # another minimum
    H = hessian(W, X)
    assert np.linalg.matrix_rank(H) == 6 < W.size
    assert np.linalg.eigvalsh(H)[3] > 0.1
    common = np.kron(np.eye(3), np.ones((3, 1)))  # the same for all columns of W, feature by feature
    np.testing.assert_allclose(H @ common, 0, atol=1e-13)
    assert np.linalg.eigvalsh(glm.hessian(to_reference(W), X, LABELS, glm.categorical)).min() > 0.1
    assert np.linalg.eigvalsh(hessian(W, X, 0.3)).min() == pytest.approx(0.3, rel=1e-12)
    assert gradient(optimum(0.3) + V[:, None], X, T, 0.3) == pytest.approx(0.3 * np.tile(V[:, None], 3))


# --- the Jacobian of softmax --------------------------------------------------------------------------------


@pytest.mark.equation("C-3.2-3", "D-3-2", "D-3-8")
def test_jacobian_is_the_derivative_of_softmax():
    """p = (1, 2, 5)/8: 64 (diag p - ppᵀ). Of P one for each row."""
    np.testing.assert_allclose(64 * sr.jacobian(P), [[7, -2, -5], [-2, 12, -10], [-5, -10, 15]], rtol=1e-14)
    p = posterior(W, X)
    for a, row, J in zip(scores(W, X), p, sr.jacobian(p), strict=True):
        np.testing.assert_allclose(J, by_differences(softmax, a), atol=1e-9)
        np.testing.assert_allclose(J, np.diag(row) - np.outer(row, row), rtol=1e-13, atol=1e-17)


LINES_OF_D_3_2 = {  # of softmax(x)_i, by x_i alone; E is exp(x)
    3: lambda E, i: E[i] / E.sum() + (-1) * E[i] * E.sum() ** -2 * E[i],
    4: lambda E, i: E[i] / E.sum() - E[i] ** 2 * E.sum() ** -2,
    5: lambda E, i: E[i] / E.sum() - (E[i] / E.sum()) ** 2,
    6: lambda E, i: E[i] / E.sum() * (1 - E[i] / E.sum()),
}


@pytest.mark.equation("D-3-2")
@pytest.mark.parametrize("line", LINES_OF_D_3_2.values(), ids=LINES_OF_D_3_2)
def test_the_diagonal_line_by_line(line):
    for i in range(3):
        assert line(np.exp(A), i) == pytest.approx(by_differences(softmax, A)[i, i], abs=1e-9)
        assert line(np.exp(A), i) == pytest.approx(sr.jacobian(P)[i, i], rel=1e-13)


@pytest.mark.equation("D-3-2", "D-3-8")
@pytest.mark.erratum("D19")
def test_the_diagonal_alone_gives_a_wrong_gradient():
    """Printed: "the derivative of softmax" is s_i(1 - s_i). With the third class right and p = (1, 2, 5)/8 the chain
    rule makes (0, 0, -3/8) of it; the gradient of -ln p_3 is p - t = (1/8, 2/8, -3/8), as from the full matrix."""
    t = np.array([0.0, 0.0, 1.0])
    slope = central_difference(lambda a: -np.log(softmax(a)[2]), A)
    np.testing.assert_allclose(slope, [1 / 8, 2 / 8, -3 / 8], atol=1e-9)
    np.testing.assert_allclose(-np.diag(P * (1 - P)) @ (t / P), [0, 0, -3 / 8], rtol=1e-14, atol=1e-16)
    np.testing.assert_allclose(-sr.jacobian(P) @ (t / P), P - t, rtol=1e-14)


@pytest.mark.equation("D-3-2")
@pytest.mark.erratum("D20")
def test_the_square_needs_its_index():
    """Printed softmax(x_i) - softmax(x)²: less a vector, so another number for each entry; only the i-th is right."""
    np.testing.assert_allclose(64 * (P[0] - P**2), [7, 4, -17], rtol=1e-13)
    assert by_differences(softmax, A)[0, 0] == pytest.approx(7 / 64, abs=1e-9)


@pytest.mark.equation("D-3-8")
@pytest.mark.erratum("D21")
def test_the_letter_in_the_jacobian_is_the_posterior_not_the_label():
    """Printed diag(y) - yyᵀ: of a one-hot label that is 0, and the derivative, that with ŷ = softmax(z), is not."""
    for y in np.eye(3):
        np.testing.assert_array_equal(np.diag(y) - np.outer(y, y), 0)
    assert np.abs(by_differences(softmax, A)).min() > 0.03


# --- the gradient, line by line -----------------------------------------------------------------------------

x0, y0 = np.array([1.5, -0.5, 2.0, 1.0]), np.array([0.0, 1.0, 0.0])  # one sample, D = 4, C = 3
W0 = np.array([[0.2, -0.4, 0.1], [0.5, 0.3, -0.2], [-0.3, 0.1, 0.4], [0.0, 0.2, -0.1]])
p0 = softmax(W0.T @ x0)


def with_column(w, c):
    changed = W0.copy()
    changed[:, c] = w
    return changed


M = partial(sr.score_jacobian, K=3)


@pytest.mark.equation("D-3-9", "D-3-10")
def test_the_derivatives_of_the_scores_carry_the_gradient():
    """x = (2, 5) in the first of three columns. ∂E/∂w_c = M_c(x)(p - t): column c of the gradient of one sample."""
    assert sr.score_jacobian([2, 5], 0, 3).tolist() == [[2, 0, 0], [5, 0, 0]]
    with pytest.raises(IndexError, match="3 is out of bounds"):
        sr.score_jacobian(x0, 3, 3)
    for c in range(3):
        rows_of_a = by_differences(lambda w, c=c: scores(with_column(w, c), x0), W0[:, c])
        np.testing.assert_allclose(M(x0, c), rows_of_a.T, atol=1e-9)
        np.testing.assert_allclose(M(x0, c) @ (p0 - y0), gradient(W0, x0[None], y0[None])[:, c], rtol=1e-13)


def sample_loss(w):
    return -y0 @ np.log(softmax(w.T @ x0))


LINES_OF_D_3_10 = {
    1: lambda c: central_difference(lambda w: sample_loss(with_column(w, c)), W0[:, c]),
    2: lambda c: (
        -by_differences(lambda w: with_column(w, c).T @ x0, W0[:, c]).T
        @ by_differences(softmax, W0.T @ x0).T
        @ by_differences(np.log, p0).T
        @ y0
    ),
    3: lambda c: -M(x0, c) @ (np.diag(p0) - np.outer(p0, p0)) @ np.linalg.inv(np.diag(p0)) @ y0,
    4: lambda c: -M(x0, c) @ (np.eye(3) - np.outer(p0, np.ones(3))) @ y0,
    5: lambda c: -M(x0, c) @ (y0 - p0 * (np.ones(3) @ y0)),
    6: lambda c: -M(x0, c) @ (y0 - p0),
    7: lambda c: -x0 * (y0 - p0)[c],
}


@pytest.mark.equation("D-3-9", "D-3-10", "D-3-11", "D-3-14", "C-3.2-9")
@pytest.mark.parametrize("line", LINES_OF_D_3_10)
def test_the_derivation_line_by_line(line):
    """Each line is column c of the gradient of one sample, for each class c; the first is by differences."""
    expected = gradient(W0, x0[None], y0[None])
    assert loss(W0, x0[None], y0[None]) == pytest.approx(sample_loss(W0), rel=1e-13)
    for c in range(3):
        np.testing.assert_allclose(LINES_OF_D_3_10[line](c), expected[:, c], atol=1e-8 if line < 3 else 1e-14)


@pytest.mark.equation("C-3.2-7", "D-3-10")
def test_the_sixth_line_needs_targets_of_sum_one():
    """1ᵀy = 1 turns line 5 into line 6; for y = (1, 1, 0) the derivative is 2p - y, which only line 5 has."""
    y = np.array([1.0, 1.0, 0.0])
    slope = central_difference(lambda z: -y @ np.log(softmax(z)), A)
    np.testing.assert_allclose(slope, -(y - P * y.sum()), atol=1e-8)
    assert np.abs(slope - (P - y)).max() > 0.1


@pytest.mark.equation("D-3-9", "D-3-10")
@pytest.mark.erratum("D24")
def test_the_chain_runs_from_left_to_right_in_one_layout_only():
    """z = Wᵀx is a vector and W a matrix, printed x_i = wᵀx. By rows of z, ∂z/∂w_c is C x D, and the printed product
    has no such shape; where D = C it has, and is wrong. As D x C, x in column c, it is the gradient."""
    for c in range(3):
        rows_of_z = by_differences(lambda w: with_column(w, c).T @ x0, W0[:, c])  # noqa: B023
        assert rows_of_z.shape == (3, 4)
        np.testing.assert_allclose(rows_of_z.T, M(x0, c), atol=1e-9)
        with pytest.raises(ValueError, match="matmul"):
            rows_of_z @ sr.jacobian(p0)
    x, p = x0[:3], softmax(W0[:3].T @ x0[:3])  # D = C
    np.testing.assert_allclose(M(x, 1) @ (p - y0), x * (p - y0)[1], rtol=1e-14)
    assert np.abs(M(x, 1).T @ (p - y0) - x * (p - y0)[1]).max() > 0.1


# --- loss, gradient, Hessian --------------------------------------------------------------------------------


@pytest.mark.equation("C-3.2-5", "C-3.2-6")
def test_likelihood_and_loss_by_hand():
    """p = (1, 2, 5)/8 for three samples of the classes 2, 2, 0: 5/8 · 5/8 · 1/8.

    The product of many underflows, the sum of their logarithms does not.
    """
    one, t = np.ones((3, 1)), one_hot([2, 2, 0], 3)
    assert probability(A[None], one, t) == pytest.approx(25 / 512, rel=1e-14)
    assert loss(A[None], one, t) == pytest.approx(np.log(512 / 25), rel=1e-14)
    one, t = np.ones((1000, 1)), one_hot(np.zeros(1000), 3)
    assert probability(np.zeros((1, 3)), one, t) == 0
    assert loss(np.zeros((1, 3)), one, t) == pytest.approx(1000 * np.log(3), rel=1e-13)


@penalties
@pytest.mark.equation("C-3.2-5", "C-3.2-6")
def test_loss_is_minus_the_logarithm_of_the_likelihood_and_half_of_all_squares(lam):
    p = posterior(W, X)
    assert probability(W, X, T) == pytest.approx(np.prod([p[n, t] for n, t in enumerate(LABELS)]), rel=1e-12)
    assert loss(W, X, T) == pytest.approx(-np.log(probability(W, X, T)), rel=1e-13)
    cost = sum(np.broadcast_to(lam, 3)[i] * W[i, k] ** 2 for i in range(3) for k in range(3)) / 2
    assert loss(W, X, T, lam) - loss(W, X, T) == pytest.approx(cost, rel=1e-12)


@pytest.mark.equation("D-3-6", "D-3-7")
@pytest.mark.erratum("D17", "D22")
def test_the_risk_of_note_d_is_a_mean_and_a_number():
    """Both lines of R are E/N. Printed R(w) = -1/N Σ x(y - ŷ)ᵀ: the right side is a matrix, the derivative ∇E/N, so the
    α of note D is N times the η of a sum."""
    p = posterior(W, X)
    double_sum = -sum(T[n, c] * np.log(p[n, c]) for n in range(40) for c in range(3)) / 40
    inner = -sum(T[n] @ np.log(p[n]) for n in range(40)) / 40
    assert loss(W, X, T) / 40 == pytest.approx(double_sum, rel=1e-13) == pytest.approx(inner, rel=1e-13)
    slope = central_difference(lambda W: np.mean(-np.sum(T * np.log(posterior(W, X)), axis=1)), W)
    right = -sum(np.outer(x, t - softmax(W.T @ x)) for x, t in zip(X, T, strict=True)) / 40
    np.testing.assert_allclose(right, slope, atol=1e-9)
    np.testing.assert_allclose(gradient(W, X, T) / 40, slope, atol=1e-9)
    assert np.abs(slope - gradient(W, X, T)).max() > 1


@penalties
@pytest.mark.equation("A-3.3-2", "C-3.2-8", "D-3-7", "D-3-11")
def test_gradient_and_hessian_are_the_derivatives_of_the_loss(lam):
    assert check_gradient(lambda W: loss(W, X, T, lam), lambda W: gradient(W, X, T, lam), W) < 1e-8
    H = hessian(W, X, lam)
    slope = by_differences(lambda W: gradient(W, X, T, lam).ravel(), W).reshape(9, 9)
    np.testing.assert_allclose(H, slope, atol=1e-8 * np.abs(H).max())
    np.testing.assert_allclose(H, H.T, rtol=1e-13, atol=1e-14)


@pytest.mark.equation("A-3.3-2", "C-3.2-8", "C-3.2-9")
def test_gradient_is_a_sum_over_samples_class_by_class():
    """At W = 0, K = 3: Σ x(1/3 - t); x = 3 of class 0 and x = 6 of class 2. With a reference class the same columns."""
    g = gradient(np.zeros((1, 3)), np.array([[3.0], [6.0]]), one_hot([0, 2], 3))
    np.testing.assert_allclose(g, [[1 - 3 + 2, 1 + 2, 1 + 2 - 6]], atol=1e-15)
    for j in range(3):
        expected = sum((p - t)[j] * x for p, t, x in zip(posterior(W, X), T, X, strict=True))
        np.testing.assert_allclose(gradient(W, X, T)[:, j], expected, rtol=1e-12, atol=1e-13)
    slope = central_difference(lambda v: loss(sr.from_reference(v), X, T), to_reference(W))
    np.testing.assert_allclose(slope, gradient(W, X, T)[:, :2], atol=1e-7)


def test_hessian_by_hand_and_without_the_reference_class():
    """One sample x = 2 at p = (1, 2, 5)/8: 4 (diag p - ppᵀ), and λ on its diagonal. Without the last class glm's."""
    H = hessian(A[None] / 2, np.array([[2.0]]), 3.0)
    np.testing.assert_allclose(16 * (H - 3 * np.eye(3)), [[7, -2, -5], [-2, 12, -10], [-5, -10, 15]], rtol=1e-12)
    keep = [3 * i + k for i in range(3) for k in range(2)]
    of_glm = glm.hessian(to_reference(W), X, LABELS, glm.categorical)
    np.testing.assert_allclose(hessian(W, X)[np.ix_(keep, keep)], of_glm, rtol=1e-12, atol=1e-13)


# --- edges: warnings are errors in this suite ---------------------------------------------------------------


@pytest.mark.equation("C-3.2-6")
def test_cross_entropy_of_extreme_scores():
    """Scores ±1000: p is 0 or 1 to rounding, but -ln p is 0 where right, 2000 where wrong, ln 2 at a tie."""
    one, w = np.ones((1, 1)), np.array([[1000.0, -1000.0, 1000.0]])
    np.testing.assert_array_equal(posterior(w, one), [[0.5, 0, 0.5]])
    assert loss(w, one, one_hot([1], 3)) == pytest.approx(2000 + np.log(2), rel=1e-15)
    assert loss(w, one, one_hot([0], 3)) == pytest.approx(np.log(2), rel=1e-12)
    assert loss(w[:, :2], one, one_hot([0], 2)) == 0
    np.testing.assert_array_equal(gradient(w[:, :2], one, one_hot([1], 2)), [[1, -1]])
    assert probability(w[:, :2], one, one_hot([1], 2)) == 0
    np.testing.assert_array_equal(hessian(w[:, :2], one), np.zeros((2, 2)))
    assert sr.jacobian(posterior(w, one)).tolist() == [[[0.25, 0, -0.25], [0, 0, 0], [-0.25, 0, 0.25]]]


# --- iterations ---------------------------------------------------------------------------------------------


@penalties
@pytest.mark.equation("D-3-12", "C-3.2-8")
def test_gradient_descent_is_the_training_of_note_d(lam):
    """α = ηN, from W = 0."""
    eta, path = 0.02, list(islice(sr.gradient_iterates(X, T, lam, eta=0.02), 5))
    w = np.zeros((3, 3))
    for step in path:
        np.testing.assert_allclose(step.w, w, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(step.gradient, gradient(w, X, T, lam), rtol=1e-11, atol=1e-13)
        mean = sum(np.outer(x, t - softmax(w.T @ x)) for x, t in zip(X, T, strict=True)) / 40
        w = w + eta * 40 * mean - eta * (np.broadcast_to(lam, 3) * w.T).T


@pytest.mark.parametrize(
    "iterates",
    [lambda W: sr.gradient_iterates(X, T, eta=0.9 * sr.largest_step(X), W=W), lambda W: sr.newton_iterates(X, T, W=W)],
)
def test_from_a_start_of_its_own_the_common_part_stays(iterates):
    """Without λ no gradient moves what all columns have in common: another minimum, the same posteriors."""
    begin = W + V[:, None]
    end = optimize.run(iterates(begin), tol=1e-10)
    assert end.converged
    np.testing.assert_allclose(end.w.sum(axis=1), begin.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(centered(end.w), optimum(), atol=1e-10)


def test_largest_step_by_hand():
    """x = 2: 2/(4/2) = 1; with λ = 3, 2/(2 + 3); the largest of several λ counts.

    x = 1 of both classes: along (1, -1) the curvature at W = 0 is 1 = 2/`largest_step`. A longer step runs away.
    """
    assert sr.largest_step([[2.0]]) == pytest.approx(1, rel=1e-14)
    assert sr.largest_step([[2.0]], 3.0) == pytest.approx(2 / 5, rel=1e-14)
    assert sr.largest_step([[2.0, 0.0], [0.0, 1.0]], np.array([0.0, 3.0])) == pytest.approx(2 / 5, rel=1e-14)
    Z, t, near = np.ones((2, 1)), one_hot([0, 1]), np.array([[1e-3, -1e-3]])
    assert sr.largest_step(Z) == pytest.approx(2, rel=1e-14)
    for eta, grows in ((1.9, False), (2.1, True)):
        sizes = [np.abs(s.w).max() for s in islice(sr.gradient_iterates(Z, t, eta=eta, W=near), 5)]
        assert all((after > before) == grows for before, after in pairwise(sizes))


@pytest.mark.equation("C-3.2-9", "C-3.2-10")
@penalties
def test_stochastic_steps_are_gradient_steps_of_the_samples_drawn(lam):
    """Eight equal samples, so that the order does not matter; each carries an eighth of the penalty."""
    x, t, w = X[4], np.array([0.0, 1.0, 0.0]), W
    path = sr.stochastic_iterates([x] * 8, [t] * 8, lam, eta=0.3, batch=3, rng=np.random.default_rng(0), W=W)
    for n, step in zip((3, 3, 2, 3, 3), path, strict=False):  # 8 = 3 + 3 + 2
        np.testing.assert_allclose(step.w, w, rtol=1e-12, atol=1e-14)
        share = (np.broadcast_to(lam, 3) * w.T).T / 8
        w = w - 0.3 * n * (np.outer(x, softmax(w.T @ x) - t) + share)


@pytest.mark.equation("C-3.2-10")
def test_an_epoch_visits_every_sample_once():
    """With a step of 1e-9 the gradient stands still: 14 steps of 3 samples at most sum to one step of all 40."""
    path = sr.stochastic_iterates(X, T, 0.7, eta=1e-9, batch=3, rng=np.random.default_rng(1), W=W)
    end = list(islice(path, 15))[-1].w
    np.testing.assert_allclose((W - end) / 1e-9, gradient(W, X, T, 0.7), atol=1e-5)


@pytest.mark.equation("C-3.2-10")
@pytest.mark.erratum("C13")
def test_all_classes_move_at_once():
    """Printed: SGD for each w_j separately. x = 1 of class 0, W = 0, η = (3/2) ln 4: at once, η(2, -1, -1)/3.

    One after the other, p anew each time: w_0 = ln 4 makes p_1 = 1/6 and w_1 = -ln √2; then p_2 = 1/(5 + 1/√2). Such
    steps do not sum to 0, as those of the gradient of E_n do.
    """
    eta, x, t = 1.5 * np.log(4), np.ones((1, 1)), np.array([[1.0, 0.0, 0.0]])
    separately = np.zeros((1, 3))
    for j in range(3):
        separately[:, j] -= eta * (posterior(separately, x) - t)[0, j]
    np.testing.assert_allclose(separately, [[np.log(4), -np.log(2) / 2, -eta / (5 + 1 / np.sqrt(2))]], rtol=1e-13)
    at_once = optimize.trajectory(sr.stochastic_iterates(x, t, eta=eta, rng=np.random.default_rng(0)), 1)[1]
    np.testing.assert_allclose(at_once, [[2 * eta / 3, -eta / 3, -eta / 3]], rtol=1e-14)
    assert abs(at_once.sum()) < 1e-15 and separately.sum() > 0.4


def test_newton_step_by_hand():
    """x = 1 of classes 0, 0, 1 at W = 0: ∇E = 3/2 - (2, 1), H = 3/4 (1, -1)(1, -1)ᵀ, the shortest step (1, -1)/3.

    H + 3/2 I is 3 along (1, -1).
    """
    Z, t, w = np.ones((3, 1)), one_hot([0, 0, 1]), np.zeros((1, 2))
    np.testing.assert_allclose(sr.newton_step(w, Z, t), [[1 / 3, -1 / 3]], rtol=1e-14)
    np.testing.assert_allclose(sr.newton_step(w, Z, t, 1.5), [[1 / 6, -1 / 6]], rtol=1e-14)


@penalties
def test_newton_steps_are_the_shortest_that_the_hessian_allows(lam):
    start = optimum(lam) + 0.01 * W
    first, second = islice(sr.newton_iterates(X, T, lam, W=start), 2)
    step = -np.linalg.pinv(hessian(start, X, lam), rcond=1e-10) @ gradient(start, X, T, lam).ravel()
    np.testing.assert_array_equal(first.w, start)
    for after in (second.w, sr.newton_step(start, X, T, lam)):
        np.testing.assert_allclose(after - start, step.reshape(3, 3), rtol=1e-9, atol=1e-12)


def test_a_newton_step_where_columns_share_their_weight():
    """A penalty on the columns that depend on each other makes H regular; a column of zeros without one does not."""
    twice, w = np.column_stack([X, 2 * X[:, 0] - X[:, 2]]), np.vstack([W, W[0]])
    full = np.linalg.solve(hessian(w, twice, 0.5), gradient(w, twice, T, 0.5).ravel())
    np.testing.assert_allclose(sr.newton_step(w, twice, T, 0.5), w - full.reshape(4, 3), rtol=1e-9)
    with pytest.raises(np.linalg.LinAlgError):
        sr.newton_step(w, np.column_stack([X, np.zeros(40)]), T)


@penalties
def test_newton_starts_at_zero_goes_down_and_ends_where_fit_does(lam):
    path = list(islice(sr.newton_iterates(X, T, lam), 100))
    assert len(path) < 100
    np.testing.assert_array_equal(path[0].w, 0)
    np.testing.assert_allclose(path[0].gradient, X.T @ (1 / 3 - T), rtol=1e-13, atol=1e-13)
    losses = [loss(s.w, X, T, lam) for s in path]
    assert all(after <= before * (1 + 1e-14) for before, after in pairwise(losses))
    np.testing.assert_allclose(path[-1].w, optimum(lam), atol=1e-12)


@pytest.mark.parametrize("seed, scale", [(0, 1e-60), (1, 1e21), *slow([(2, 1e-21), (3, 1e60), (4, 1e-60), (5, 1e21)])])
def test_newton_in_any_unit_of_all_features_beside_a_column_of_ones(seed, scale):
    """A pivot in the row of the ones would swallow a feature of 1e-21, whose square is 1e-42."""
    rng = np.random.default_rng(seed)
    Z, t = rng.normal(size=(24, 3)), np.append([0, 1, 2], rng.integers(0, 3, 21))
    end = optimize.run(sr.newton_iterates(augment(Z * scale), one_hot(t)), tol=0.0, max_iter=50)
    best = optimize.run(sr.newton_iterates(augment(Z), one_hot(t)), tol=1e-10).w
    np.testing.assert_allclose((centered(end.w).T * [scale, scale, scale, 1]).T, best, atol=1e-9)


def test_dependent_columns_are_an_error_that_counts():
    """A penalty on one of them is enough: the posteriors are those without it."""
    twice, lam = np.column_stack([X, 2 * X[:, 0] - X[:, 2]]), [0.0, 0.0, 0.0, 0.1]
    for method in (fit, sr.newton_iterates):
        with pytest.raises(np.linalg.LinAlgError, match=r"the 4 columns of X without penalty have rank 3: .* lam > 0"):
            method(twice, T)
    assert optimize.run(sr.newton_iterates(twice, T, lam), tol=1e-9).converged
    np.testing.assert_allclose(posterior(fit(twice, T, lam).W, twice), posterior(optimum(), X), atol=1e-8)


# --- fit: worked and published values -----------------------------------------------------------------------


def test_a_constant_alone_is_the_share_of_each_class():
    """Shares 1/8, 2/8, 5/8: ln of them less the mean of the ln, (ln 10)/3 above ln 1."""
    found = fit(np.ones((8, 1)), one_hot([0, 1, 1, 2, 2, 2, 2, 2]))
    assert found.converged
    np.testing.assert_allclose(found.W, [A - np.log(10) / 3], rtol=1e-12)


# --- fit: where the gradient vanishes -----------------------------------------------------------------------


@penalties
def test_fit_ends_at_the_exact_minimum(lam):
    """The gradient is zero up to the rounding of its 40 terms; of all W with these posteriors it is the shortest."""
    found = fit(X, T, lam)
    assert found.converged and found.direction is None and found.reason
    np.testing.assert_allclose(gradient(found.W, X, T, lam), 0, atol=1e-13)
    np.testing.assert_allclose(found.W.sum(axis=1), 0, atol=1e-14)


# --- fit: no minimum ----------------------------------------------------------------------------------------


def test_a_class_without_samples_runs_away_alone():
    """The column of ones against it, the classes that were seen equal: that alone is what no penalty holds."""
    four = one_hot(LABELS, 4)
    found = fit(X, four)
    ways = scores(found.direction, X)
    assert not found.converged and (ways[:, 3] < ways[:, :3].min(axis=1)).all()
    np.testing.assert_allclose(ways[:, :2], ways[:, 1:3], atol=1e-9)
    without_fourth = np.column_stack([posterior(optimum(), X), np.zeros(40)])
    np.testing.assert_allclose(posterior(found.W, X), without_fourth, atol=1e-6)
    assert fit(X, four, [0.0, 0.0, 0.1]).converged


@pytest.mark.parametrize("lam", [1e-3, 1e-6, 1e-12])
def test_with_any_penalty_there_is_a_minimum(lam):
    """Five samples, twenty columns: separable, but for λ > 0 the loss grows in every direction."""
    Z, t = np.random.default_rng(0).normal(size=(5, 20)), one_hot([0, 2, 1, 0, 1])
    found = fit(Z, t, lam)
    assert found.direction is None
    assert "no finite minimum" not in found.reason
    if found.converged:
        problem = likelihood.Problem(Z, t, families.ALL_CLASSES, np.full(20, lam))
        exact = likelihood.gradient(found.W, problem)  # P - T would cancel
        np.testing.assert_allclose(exact, 0, atol=1e-6 * lam)
    assert found.converged or lam < 1e-6


# --- fit: many samples --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lam", [0.0, *slow([3.0, np.array([5.0, 0.0, 5.0, 0.0])])], ids=str)
def test_many_samples_end_where_newton_does(lam):
    """From a part of the samples on by exact gradients: no score is off by more than 1e-6 of the largest."""
    rng = np.random.default_rng(5)
    N = likelihood.MANY // 4 + 1
    points = rng.normal(size=(N, 3))
    noisy = points @ rng.normal(size=(3, 4)) + rng.gumbel(size=(N, 4))
    Z, t = augment(points), one_hot(noisy.argmax(axis=1))
    found, exact = fit(Z, t, lam), optimize.run(sr.newton_iterates(Z, t, lam), tol=1e-7)
    assert found.converged and exact.converged
    assert found.reason.startswith("after") and "passes the last step changed no w·x by more than" in found.reason
    a = scores(centered(exact.w), Z)
    assert np.abs(scores(found.W, Z) - a).max() < 1e-6 * np.abs(a).max()
    np.testing.assert_allclose(found.W.sum(axis=1), 0, atol=1e-13)
    assert loss(found.W, Z, t, lam) == pytest.approx(loss(exact.w, Z, t, lam), rel=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("lam", [0.1, 1.0, 20.0])
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn(lam):
    """The fenced block of the chapter, as it stands there, on its flowers: C = 1/λ, and a bias without a penalty."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    path = pathlib.Path(__file__).parents[1] / "notebooks" / "05_softmax_regression.ipynb"
    (text,) = (notebooks.text(c["source"]) for c in notebooks.read(path)["cells"] if c["id"] == "ch05-sklearn")
    iris = datasets.iris()
    Z = augment(iris.X[:, 2:] - iris.X[:, 2:].mean(axis=0))
    names = {"np": np, "X": Z, "y": iris.y, "lam": lam}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], names)
    exact = fit(Z, one_hot(iris.y), free_bias(lam, 3)).W
    np.testing.assert_allclose(centered(names["W"]), exact, rtol=1e-4, atol=1e-5)

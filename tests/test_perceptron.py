"""Chapter 09, the perceptron: every equation of notes A 5, B and D 4, and where the notes are wrong."""

from itertools import islice, pairwise, permutations

import numpy as np
import pytest
from cases import one_in, slow

from linmodels import linear_regression, perceptron
from linmodels.datasets import separable
from linmodels.derivatives import central_difference, check_gradient
from linmodels.design import augment
from linmodels.kernels import gram, linear
from linmodels.perceptron import (
    certificate,
    decision_function,
    distance,
    distance_slope,
    dual_decision_function,
    dual_update,
    dual_updates,
    fit,
    fit_dual,
    gradient,
    loss,
    margin,
    misclassified,
    novikoff_bound,
    predict,
    primal,
    random_updates,
    total_distance,
    update,
    updates,
)
from linmodels.solvers import mistakes
from linmodels.special import sign

# Li Hang, Statistical Learning Methods, examples 2.1 and 2.2
LI_X, LI_Y = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1.0, 1.0, -1.0])
XOR_X, XOR_Y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
W, B = np.array([3.0, -4.0]), 5.0  # the line 3 x_1 - 4 x_2 + 5 = 0, ‖w‖ = 5

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 2)), np.where(RNG.normal(size=20) > 0, 1.0, -1.0)  # labels at random: many mistakes
PLANES = np.random.default_rng(11).normal(size=(20, 3)) * [1, 1, 8]  # of each row w and b: far from 0, most of them


def textbook(X, y, eta=1.0, order=None, start=None, most=100):
    """The algorithm as it is printed, one visit at a time: the first `most` updates as (i, w, b)."""
    w, b = (np.zeros(X.shape[1]), 0.0) if start is None else start
    order, path, clean = range(len(X)) if order is None else order, [], False
    while not clean:
        clean = True
        for i in order:
            if y[i] * (w @ X[i] + b) <= 0:
                w, b, clean = w + eta * y[i] * X[i], b + eta * y[i], False
                path.append((i, w, b))
                if len(path) == most:
                    return path
    return path


def textbook_dual(G, y, eta=1.0, order=None, most=100):
    """The dual algorithm as it is printed: the first `most` updates as (i, alpha, b)."""
    alpha, b, path, clean = np.zeros(len(y)), 0.0, [], False
    while not clean:
        clean = True
        for i in range(len(y)) if order is None else order:
            if y[i] * (sum(alpha[j] * y[j] * G[j, i] for j in range(len(y))) + b) <= 0:
                alpha = alpha + eta * (np.arange(len(y)) == i)
                b, clean = b + eta * y[i], False
                path.append((i, alpha, b))
                if len(path) == most:
                    return path
    return path


def every(sequence):
    """All updates of a run that must end; a library that does not end must fail here, not hang."""
    path = list(islice(sequence, 10_000))
    assert len(path) < 10_000
    return path


def assert_same_path(path, expected):
    assert [s[0] for s in path] == [s[0] for s in expected]
    for (_, v, b), (_, v_expected, b_expected) in zip(path, expected, strict=True):
        np.testing.assert_array_equal(v, v_expected)
        assert b == b_expected


def integer_set(rng, most=40):
    """Small integers: every score is exact, and many lie on the plane."""
    N, d = rng.integers(2, most), rng.integers(1, 4)
    y = np.where(rng.integers(0, 2, N) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return rng.integers(-4, 5, (N, d)).astype(float), y


# --- worked values ------------------------------------------------------------------------------------------


def test_scores_distances_and_labels_by_hand():
    points = np.array([[0.0, 0.0], [1.0, 2.0], [0.0, 5.0]])
    assert decision_function(W, B, points).tolist() == [5, 0, -15]
    assert distance(W, B, points).tolist() == [1, 0, 3]
    assert predict(W, B, points).tolist() == [1, 1, -1]


@pytest.mark.equation("A-5.3.1-2", "B-learn-5", "D-4-3")
def test_one_update_by_hand():
    w, b = update(np.array([1.0, 2.0]), 3.0, np.array([5.0, -1.0]), -1.0, eta=2.0)
    assert (w.tolist(), b) == ([-9, 4], 1)


@pytest.mark.equation("A-5.3.1-4", "B-primal-1", "A-5.3.1-2", "B-learn-5")
def test_li_hang_example_2_1():
    """Published: x1, x3, x3, x3, x1, x3, x3 and the line x_1 + x_2 - 3 = 0."""
    path = every(updates(LI_X, LI_Y))
    assert [u.i for u in path] == [0, 2, 2, 2, 0, 2, 2]
    steps = [([3, 3], 1), ([2, 2], 0), ([1, 1], -1), ([0, 0], -2), ([3, 3], -1), ([2, 2], -2), ([1, 1], -3)]
    assert [(u.w.tolist(), u.b) for u in path] == steps
    result = fit(LI_X, LI_Y)
    assert (result.w.tolist(), result.b, result.n_iter, result.converged) == ([1, 1], -3, 7, True)
    assert result.reason == "no sample misclassified after 7 updates"


@pytest.mark.equation("A-5.3.4-2", "B-dualalg-1")
def test_li_hang_example_2_2():
    """Published: the same steps in the dual form, α = (2, 0, 5), b = -3."""
    G = gram(linear, LI_X)
    assert [u.i for u in every(dual_updates(G, LI_Y))] == [0, 2, 2, 2, 0, 2, 2]
    result = fit_dual(G, LI_Y)
    assert (result.alpha.tolist(), result.b, result.n_iter, result.converged) == ([2, 0, 5], -3, 7, True)
    w, b = primal(result.alpha, LI_Y, LI_X)
    assert (w.tolist(), b) == ([1, 1], -3)


def test_margin_and_bound_by_hand():
    """Li Hang's line: y f = 3, 4, 1, ‖(1, 1, -3)‖² = 11, R² = 4² + 3² + 1: (R/γ)² = 26·11."""
    w = np.array([1.0, 1.0])
    assert margin(w, -3.0, LI_X, LI_Y) == pytest.approx(1 / np.sqrt(11), rel=1e-15)
    assert novikoff_bound(w, -3.0, LI_X, LI_Y) == pytest.approx(286, rel=1e-14)


def test_loss_and_gradient_by_hand():
    """f = (5, 0, -15), y = (-1, +1, +1): the first counts 5, the second lies on the plane, the third counts 15."""
    points, y = np.array([[0.0, 0.0], [1.0, 2.0], [0.0, 5.0]]), np.array([-1.0, 1.0, 1.0])
    assert misclassified(W, B, points, y).tolist() == [True, True, True]
    assert loss(W, B, points, y) == 20
    gw, gb = gradient(W, B, points, y)
    assert (gw.tolist(), gb) == ([-1, -7], -1)


def test_certificate_by_hand():
    """Separable: -1 at 0, +1 at 2, best line x = 1. Not: +1 at 0 and 2, -1 between them, their mean."""
    yes = certificate([[0.0], [2.0]], [-1, 1])
    assert yes.separable
    assert yes.weights is None
    np.testing.assert_allclose(-yes.b / yes.w, [1], rtol=1e-14)
    no = certificate([[0.0], [2.0], [1.0]], [1, 1, -1])
    assert not no.separable
    assert no.w is no.b is no.margin is None
    np.testing.assert_allclose(no.weights, [1 / 4, 1 / 4, 1 / 2], rtol=1e-14)


def test_certificate_of_xor():
    np.testing.assert_allclose(certificate(XOR_X, XOR_Y).weights, [1 / 4] * 4, rtol=1e-14)


# --- derivatives --------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.1-1", "B-learn-4", "D-4-5")
def test_gradient_is_the_derivative_off_the_planes_of_the_samples():
    for u in np.random.default_rng(1).normal(size=(20, 3)):
        off = check_gradient(lambda u: loss(u[:2], u[2], X, Y), lambda u: np.append(*gradient(u[:2], u[2], X, Y)), u)
        assert off < 1e-8


@pytest.mark.equation("A-5.3.1-1", "B-learn-4")
def test_gradient_is_minus_the_sum_over_the_misclassified():
    M = [i for i in range(20) if Y[i] * (W @ X[i] + B) <= 0]
    gw, gb = gradient(W, B, X, Y)
    np.testing.assert_allclose(gw, -sum(Y[i] * X[i] for i in M), rtol=1e-14)
    assert gb == -sum(Y[i] for i in M)
    assert 0 < len(M) < 20


def test_gradient_without_mistakes_is_zero():
    gw, gb = gradient(np.array([1.0, 1.0]), -3.0, LI_X, LI_Y)
    assert (gw.tolist(), gb) == ([0, 0], 0)


@pytest.mark.equation("A-5.2-4", "B-loss-4")
@pytest.mark.erratum("ERR-A57", "ERR-B03")
def test_the_number_of_mistakes_shows_no_way_down():
    """Printed: not (continuously) differentiable. Nearly everywhere it is, with the derivative 0: no direction."""
    for u in np.random.default_rng(2).normal(size=(20, 3)):
        slope = central_difference(lambda u: np.sum(misclassified(u[:2], u[2], X, Y)), u)
        assert slope.tolist() == [0, 0, 0]
        assert misclassified(u[:2], u[2], X, Y).any()
        assert np.abs(central_difference(lambda u: loss(u[:2], u[2], X, Y), u)).max() > 0.1


# --- identities: model, distance, loss ----------------------------------------------------------------------


@pytest.mark.equation("A-5.1-4", "B-model-1", "A-5.1-1", "D-0-4")
def test_perceptron_is_the_sign_of_the_score():
    """Decision function after discriminant, g∘f: two labels, +1 and -1."""
    for label, x in zip(predict(W, B, X), X, strict=True):
        assert label == (1 if W[0] * x[0] + W[1] * x[1] + B >= 0 else -1)
    assert set(predict(W, B, 3 * X)) == {-1, 1}


@pytest.mark.equation("D-4-1")
@pytest.mark.erratum("ERR-D02", "ERR-D26")
def test_perceptron_of_note_D_is_augmented():
    """ŷ = sgn(w·x) without a bias cannot label 1 and 3 differently; with x~ = (x, 1) it can, and sgn(0) is +1."""
    x, y = np.array([[1.0], [3.0]]), [-1, 1]
    assert not any(predict(np.array([w]), 0.0, x).tolist() == y for w in (-2.0, -0.1, 0.1, 2.0))
    assert predict(np.array([1.0, -2.0]), 0.0, np.column_stack([x, [1, 1]])).tolist() == y
    assert np.sign(0.0) == 0
    assert predict(np.array([1.0]), -1.0, x)[0] == 1


@pytest.mark.equation("D-0-3")
def test_one_score_two_uses():
    """Regression predicts the score itself, classification the decision on it."""
    score = linear_regression.predict(np.append(W, B), augment(X))
    np.testing.assert_allclose(score, decision_function(W, B, X), rtol=1e-13)
    assert not set(score) <= {-1, 1}
    np.testing.assert_array_equal(sign(score), predict(W, B, X))


@pytest.mark.equation("C-2-3")
def test_perceptron_is_one_unit_of_a_multilayer_perceptron():
    """XOR, which no perceptron computes, is (x_1 or x_2) and not (x_1 and x_2): two perceptrons, and one on top."""
    hidden = [predict(np.array([1.0, 1.0]), -0.5, XOR_X), predict(np.array([-1.0, -1.0]), 1.5, XOR_X)]
    assert predict(np.array([1.0, 1.0]), -1.0, np.column_stack(hidden)).tolist() == XOR_Y.tolist()
    assert not certificate(XOR_X, XOR_Y).separable


@pytest.mark.equation("B-model-4")
@pytest.mark.erratum("ERR-B01")
def test_the_hypotheses_are_the_signs_not_the_scores():
    """f = w·x + b and 2f are two scores and one hypothesis."""
    assert (decision_function(W, B, X) != decision_function(2 * W, 2 * B, X)).all()
    np.testing.assert_array_equal(predict(W, B, X), predict(2 * W, 2 * B, X))


@pytest.mark.equation("B-model-5")
@pytest.mark.erratum("ERR-B02")
def test_weights_are_a_vector_like_the_samples():
    """Printed: x is a column, so w must be a row. Then w + ηyx is neither: row and column give a square."""
    row, column = np.array([[1.0, 2.0, 3.0]]), np.array([[4.0], [5.0], [6.0]])
    assert (row + 0.5 * column).shape == (3, 3)
    w, _ = update(row[0], 0.0, column[:, 0], 1.0, eta=0.5)
    assert w.tolist() == [3, 4.5, 6]
    assert row[0] @ column[:, 0] == (row @ column).item() == 32  # w·x = wᵀx


@pytest.mark.equation("A-5.1-6")
@pytest.mark.erratum("ERR-A40")
def test_normal_and_intercept_of_the_hyperplane():
    """Differences of points of S are orthogonal to w; the origin lies at b/‖w‖ from S, not at the printed b."""
    on_S = np.array([[1.0, 2.0], [-3.0, -1.0], [5.0, 5.0]])
    assert decision_function(W, B, on_S).tolist() == [0, 0, 0]
    assert ((on_S - on_S[0]) @ W).tolist() == [0, 0, 0]
    foot = -B * W / (W @ W)  # the point of S nearest to the origin
    assert decision_function(W, B, foot[None]) == pytest.approx(0, abs=1e-15)
    assert np.linalg.norm(foot) == pytest.approx(B / np.linalg.norm(W)) == distance(W, B, np.zeros((1, 2)))
    assert np.linalg.norm(foot) != B


@pytest.mark.equation("A-5.1-7")
@pytest.mark.erratum("ERR-A40")
def test_the_positive_side_is_where_w_points():
    """Printed: the points "above" S. With w = (1, -2), b = 1 the point (0, 10), far above S, is negative."""
    w, b = np.array([1.0, -2.0]), 1.0
    assert 10 > (0 + 1) / 2  # S is the line x_2 = (x_1 + 1)/2
    assert predict(w, b, np.array([[0.0, 10.0]])) == -1
    on_S = np.array([[1.0, 1.0]])
    assert predict(w, b, on_S + 0.1 * w) == 1
    assert predict(w, b, on_S - 0.1 * w) == -1


@pytest.mark.equation("A-5.1-2", "B-model-3")
def test_each_class_of_the_hyperplane_is_a_half_space():
    """Convex: between two points of one label every point has that label; S splits the space in two, with no third."""
    labels = predict(W, B, 3 * X)
    a = np.linspace(0, 1, 11)[:, None]
    for i, j in zip(*np.triu_indices(20, 1), strict=True):
        between = predict(W, B, 3 * (a * X[i] + (1 - a) * X[j]))
        changes = np.count_nonzero(np.diff(between))
        assert changes == (labels[i] != labels[j])


@pytest.mark.equation("A-5.2-6", "B-loss-1")
def test_distance_is_the_way_to_the_foot_of_the_perpendicular():
    for x, d in zip(X, distance(W, B, X), strict=True):
        foot = x - (W @ x + B) / (W @ W) * W
        assert W @ foot + B == pytest.approx(0, abs=1e-14)
        assert np.linalg.norm(x - foot) == pytest.approx(d, rel=1e-13)


@pytest.mark.equation("A-5.2-7")
def test_distance_of_a_misclassified_sample_needs_no_absolute_value():
    M = misclassified(W, B, X, Y)
    np.testing.assert_array_equal(-(Y * decision_function(W, B, X))[M] / np.linalg.norm(W), distance(W, B, X)[M])
    assert (-(Y * decision_function(W, B, X))[~M] < 0).all()


@pytest.mark.equation("A-5.2-5", "B-loss-2")
def test_total_distance_by_hand():
    """w = (3, 4), b = -30: Li Hang's points have the scores -9, -6, -23, so both of +1 are wrong: (9 + 6)/5."""
    w = np.array([3.0, 4.0])
    assert decision_function(w, -30.0, LI_X).tolist() == [-9, -6, -23]
    assert total_distance(w, -30.0, LI_X, LI_Y) == 3
    assert total_distance(np.array([1.0, 1.0]), -3.0, LI_X, LI_Y) == 0  # no mistakes


@pytest.mark.equation("A-5.2-5", "A-5.2-7", "B-loss-2")
def test_total_distance_is_the_sum_of_the_distances_of_the_misclassified():
    for w, b in zip(PLANES[:, :2], PLANES[:, 2], strict=True):
        M = misclassified(w, b, X, Y)
        assert total_distance(w, b, X, Y) == pytest.approx(distance(w, b, X)[M].sum(), rel=1e-13)


@pytest.mark.equation("A-5.2-5", "A-5.2-10")
@pytest.mark.erratum("ERR-A44", "ERR-A45")
def test_total_distance_is_blind_to_the_scale_that_the_loss_sees():
    for c in (2.0, 2.0**-20):
        assert total_distance(c * W, c * B, X, Y) == pytest.approx(total_distance(W, B, X, Y), rel=1e-14)
        assert loss(c * W, c * B, X, Y) == c * loss(W, B, X, Y)


@pytest.mark.equation("A-5.2-8", "B-loss-3", "A-5.2-13", "D-4-4")
def test_two_forms_of_the_loss():
    """-Σ over M of y f = Σ max(0, -y f), each term 0 or linear."""
    over_M = -sum(y * (W @ x + B) for x, y in zip(X, Y, strict=True) if y * (W @ x + B) <= 0)
    terms = [max(0.0, -y * (W @ x + B)) for x, y in zip(X, Y, strict=True)]
    assert loss(W, B, X, Y) == pytest.approx(over_M) == pytest.approx(sum(terms))
    assert 0 < np.count_nonzero(terms) < 20


@pytest.mark.equation("D-4-4", "D-4-1")
def test_loss_of_one_augmented_sample():
    for x, y in zip(X, Y, strict=True):
        u, x_aug = np.append(W, B), np.append(x, 1)
        assert loss(u, 0.0, x_aug[None], np.array([y])) == pytest.approx(max(0, -y * u @ x_aug), rel=1e-14)


# --- identities: separation and mistakes --------------------------------------------------------------------


@pytest.mark.equation("A-5.2-1", "A-5.2-2", "B-sep-1", "D-4-2")
def test_separation_in_two_forms_and_with_a_proof():
    """w·x + b > 0 for +1 and < 0 for -1, that is y(w·x + b) > 0. Li Hang's points can be separated, XOR cannot."""
    proof = certificate(LI_X, LI_Y)
    f = decision_function(proof.w, proof.b, LI_X)
    assert proof.separable
    assert (f[LI_Y == 1] > 0).all()
    assert (f[LI_Y == -1] < 0).all()
    assert (LI_Y * f > 0).all()
    assert not certificate(XOR_X, XOR_Y).separable


@pytest.mark.equation("A-5.2-3", "B-loss-5", "A-5.3.1-4", "B-primal-1")
@pytest.mark.erratum("ERR-A42", "ERR-B04")
def test_a_sample_on_the_plane_is_misclassified():
    """Printed: wrong means y f < 0, yet the algorithm updates at y f <= 0, and sign(0) = +1 calls a positive right.
    On the plane y f is neither > 0 nor < 0; the book says <= 0 everywhere, and keeps sign(0) for prediction."""
    on_plane, y = np.array([[1.0, 2.0], [1.0, 2.0]]), np.array([1.0, -1.0])
    score = y * decision_function(W, B, on_plane)
    assert not (score > 0).any()
    assert not (score < 0).any()  # printed definition: neither is wrong
    assert (predict(W, B, on_plane) == y).tolist() == [True, False]  # by the sign only one is
    assert misclassified(W, B, on_plane, y).tolist() == [True, True]
    x = np.array([[1.0, 2.0], [9.0, 9.0]])  # the second is right, on the negative side
    first = next(updates(x, [1, -1], start=(W, B)))
    assert first.i == 0


@pytest.mark.equation("A-5.2-3")
@pytest.mark.erratum("ERR-A41")
def test_the_condition_is_about_one_sample():
    """Printed: (w·x + b) y_i, with a sample x and a label y_i that need not be of the same index."""
    crossed = np.outer(LI_Y, decision_function(np.array([1.0, 1.0]), -3.0, LI_X))
    assert (crossed <= 0).any()  # some x with another's label looks wrong
    assert (np.diag(crossed) > 0).all()  # each with its own is right


@pytest.mark.equation("A-5.2-9", "A-5.3.1-3")
@pytest.mark.erratum("ERR-A43")
def test_neither_mistakes_nor_loss_fall_steadily():
    """Printed: M shrinks, L decreases to 0. Here the first is 1, 2, 0 and the second 1, 8, 0 after the updates."""
    x, y = np.array([[0.0, 0.0], [1.0, 3.0], [2.0, 2.0]]), np.array([-1.0, 1.0, -1.0])
    path = every(updates(x, y))
    assert [np.sum(misclassified(u.w, u.b, x, y)) for u in path] == [1, 2, 0]
    assert [loss(u.w, u.b, x, y) for u in path] == [1, 8, 0]
    assert len(path) <= novikoff_bound(path[-1].w, path[-1].b, x, y)  # what holds: the updates are finitely many


@pytest.mark.equation("A-5.2-10", "A-5.3-1", "B-learn-2")
@pytest.mark.erratum("ERR-A44")
def test_the_least_loss_is_reached_by_a_useless_hyperplane():
    """Printed: 1/‖w‖ may be dropped, the loss ends at 0 anyway. Without it L(cw, cb) = cL, and w = 0 has L = 0."""
    assert loss(np.zeros(2), 0.0, LI_X, LI_Y) == 0
    assert misclassified(np.zeros(2), 0.0, LI_X, LI_Y).all()
    for c in (2.0, 2.0**-20):
        assert loss(c * W, c * B, X, Y) == c * loss(W, B, X, Y) > 0
        assert distance(c * W, c * B, X).sum() == pytest.approx(distance(W, B, X).sum())  # the distances do not shrink
    on_the_plane, b = np.array([1.0, -1.0]), 0.0  # x_1 = x_2 runs through samples 1 and 3: L = 0, no separation
    assert loss(on_the_plane, b, LI_X[[0, 2]], LI_Y[[0, 2]]) == 0
    assert margin(on_the_plane, b, LI_X[[0, 2]], LI_Y[[0, 2]]) == 0
    result = fit(LI_X, LI_Y)  # stopping on mistakes, not on L
    assert margin(result.w, result.b, LI_X, LI_Y) > 0


@pytest.mark.equation("A-5.3-1")
@pytest.mark.erratum("ERR-A47")
def test_min_is_a_number_arg_min_a_hyperplane():
    """Printed: w*, b* = min L. The minimum is the number 0; w*, b* are where it is reached."""
    result = fit(LI_X, LI_Y)
    least = loss(result.w, result.b, LI_X, LI_Y)
    assert (np.shape(least), least) == ((), 0)
    assert np.shape(result.w) == (2,)
    for u in np.random.default_rng(0).normal(size=(20, 3)):
        assert loss(u[:2], u[2], LI_X, LI_Y) >= least


@pytest.mark.equation("A-5.2-12")
@pytest.mark.erratum("ERR-A45")
def test_a_smaller_loss_does_not_mean_fewer_or_closer_mistakes():
    """-1 at 0, +1 at 2 and 3: f = (1 - x)/100 is wrong at all of them, 1 + 1 + 2 away, and has the loss 0.04;
    f = 10x - 25 is wrong at 2 only, 1/2 away, and has the loss 5."""
    x, y = np.array([[0.0], [2.0], [3.0]]), np.array([-1.0, 1.0, 1.0])

    def judged(w, b):
        M = misclassified(np.array([w]), b, x, y)
        return int(M.sum()), distance(np.array([w]), b, x)[M].sum(), loss(np.array([w]), b, x, y)

    assert judged(-0.01, 0.01) == (3, pytest.approx(4), pytest.approx(0.04))
    assert judged(10.0, -25.0) == (1, pytest.approx(0.5), pytest.approx(5))  # fewer, closer, and the larger loss
    assert judged(-1.0, 1.0) == (3, pytest.approx(4), pytest.approx(4))  # the distance is blind to the scale, L is not


@pytest.mark.equation("A-5.2-14", "D-4-5")
@pytest.mark.erratum("ERR-A46")
def test_the_loss_has_kinks():
    """Printed: continuously differentiable. On a sample's plane the slopes differ: 0 to its right side, -‖x‖² to
    the wrong one. Continuous, convex and piecewise linear is what holds."""
    x, y, w = np.array([[1.0, 2.0]]), np.array([1.0]), np.array([-2.0, 1.0])

    def along(a):
        return loss(w + a * x[0], 0.0, x, y)

    assert [along(a) for a in (-1, -0.5, 0, 0.5, 1)] == [5, 2.5, 0, 0, 0]  # slope -5 = -‖x‖², then 0
    for u, v in np.random.default_rng(3).normal(size=(50, 2, 3)):
        middle = loss(*((u + v)[:2] / 2, (u + v)[2] / 2), X, Y)
        assert middle <= (loss(u[:2], u[2], X, Y) + loss(v[:2], v[2], X, Y)) / 2 + 1e-12


@pytest.mark.equation("D-4-5", "D-4-3")
@pytest.mark.erratum("ERR-D25")
def test_the_strict_rule_never_starts():
    """Printed: -yx for y w·x < 0, and the start w = 0, where every sample has y w·x = 0. The subdifferential there is
    conv{0, -yx}; the book takes -yx."""

    def strict(w, b, i):
        return LI_Y[i] * (w @ LI_X[i] + b) < 0

    assert not any(strict(np.zeros(2), 0.0, i) for i in range(3))  # so w = 0 would be the answer
    gw, gb = gradient(np.zeros(2), 0.0, LI_X[:1], LI_Y[:1])
    assert (gw.tolist(), gb) == ([-3, -3], -1)
    assert fit(LI_X, LI_Y).converged
    for a in (0.0, 0.3, 1.0):  # every a(-yx) supports the convex loss at 0
        for v in np.random.default_rng(4).normal(size=(20, 2)):
            assert loss(v, 0.0, LI_X[:1], LI_Y[:1]) >= a * (-LI_Y[0] * LI_X[0]) @ v - 1e-12


# --- the algorithm ------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.1-4", "B-primal-1")
@pytest.mark.parametrize("seed", [*range(12), *slow(range(12, 62))])
def test_updates_are_those_of_the_printed_loop(seed):
    """Update by update, on sets with and without a separating plane, from several starts, in random orders."""
    rng = np.random.default_rng(seed)
    X, y = integer_set(rng)
    eta = 2.0 ** rng.integers(-3, 4)
    order = [None, rng.permutation(len(X)), np.append(rng.permutation(len(X)), rng.integers(0, len(X), 5))][seed % 3]
    start = None if seed % 2 else (rng.integers(-5, 6, X.shape[1]).astype(float), float(rng.integers(-5, 6)))
    path = list(islice(updates(X, y, eta, order, start), 100))
    assert_same_path(path, textbook(X, y, eta, order, start))


@pytest.mark.equation("A-5.3.4-2", "B-dualalg-1")
@pytest.mark.parametrize("seed", [*range(12), *slow(range(12, 62))])
def test_dual_updates_are_those_of_the_printed_loop(seed):
    rng = np.random.default_rng(seed)
    X, y = integer_set(rng, most=12)
    eta, order = 2.0 ** rng.integers(-3, 4), [None, rng.permutation(len(X))][seed % 2]
    path = list(islice(dual_updates(X @ X.T, y, eta, order), 40))
    assert_same_path(path, textbook_dual(X @ X.T, y, eta, order, most=40))


@pytest.mark.equation("A-5.3.1-4", "B-primal-1")
@pytest.mark.parametrize("eta", [0.125, *slow([1.0])])
def test_fit_makes_the_updates_of_the_printed_loop_where_mistakes_are_rare(eta):
    """900 samples, mistakes far apart: `fit` judges many visits at once, and each of its updates is the loop's."""
    X, y, *_ = separable(900, gap=0.02, rng=np.random.default_rng(5))
    X, order = np.round(X * 1024), np.random.default_rng(6).permutation(900)
    for way in (None, order):
        expected = textbook(X, y, eta, way, most=10_000)
        assert_same_path(every(updates(X, y, eta, way)), expected)
        found = list(mistakes.primal(X, y, eta, way, np.zeros(2), 0.0))
        assert len(found) == len(expected) and len({i for i, *_ in expected}) > 10
        for (w, b), (_, *end) in zip(found, expected, strict=True):
            assert [*w, b] == [*end[0], end[1]]


@pytest.mark.equation("A-5.3.1-4", "B-primal-1", "A-5.3.4-2", "B-dualalg-1")
@pytest.mark.parametrize("seed", [*range(10), *slow(range(10, 60))])
def test_fit_and_fit_dual_end_where_the_printed_loops_end(seed):
    """Whole numbers and η a power of two: nothing is rounded, so every sum decides alike, also on the hyperplane."""
    rng = np.random.default_rng(seed)
    X, y = integer_set(rng, most=12)
    eta, order = 2.0 ** rng.integers(-3, 4), [None, rng.permutation(len(X))][seed % 2]
    for n in (1, 3, 40):
        _, w, b = textbook(X, y, eta, order, most=n)[-1]
        found = fit(X, y, eta, order, max_updates=n)
        assert [*found.w, found.b] == [*w, b]
        _, alpha, b = textbook_dual(X @ X.T, y, eta, order, most=n)[-1]
        found = fit_dual(X @ X.T, y, eta, order, max_updates=n)
        assert [*found.alpha, found.b] == [*alpha, b]


@pytest.mark.equation("A-5.3.4-2", "B-dualalg-1")
def test_dual_update_and_decision_function_by_hand():
    alpha, b = dual_update(2, np.array([1.0, 0.0, 0.5]), 0.5, -1.0, eta=0.5)
    assert alpha.tolist() == [1.0, 0.0, 1.0] and b == 0.0
    y, row = np.array([1.0, 1.0, -1.0]), np.array([6.0, 5.0, 2.0])  # x_j·x of x = (1, 1) and Li Hang's samples
    assert dual_decision_function(alpha, b, y, row) == 6 - 2
    assert dual_decision_function(alpha, b, y, np.stack([row, 2 * row])).tolist() == [4.0, 8.0]


@pytest.mark.equation("A-5.3.4-2")
@pytest.mark.parametrize("seed", range(10))
def test_the_dual_decision_function_is_the_primal_one(seed):
    rng = np.random.default_rng(seed)
    X, y = integer_set(rng, most=12)
    alpha = rng.integers(0, 5, len(y)) / 4
    w, b = primal(alpha, y, X)
    Z = rng.integers(-9, 10, (5, X.shape[1])) * 1.0
    np.testing.assert_array_equal(dual_decision_function(alpha, b, y, Z @ X.T), perceptron.decision_function(w, b, Z))


def test_states_of_the_path_stay_as_they_were():
    """list(updates) is the path: later updates do not change earlier states."""
    for path in (every(updates(LI_X, LI_Y)), every(dual_updates(LI_X @ LI_X.T, LI_Y))):
        assert not any(np.shares_memory(a[1], b[1]) for a, b in pairwise(path))


@pytest.mark.parametrize("run", [
    lambda: updates(LI_X, LI_Y),
    lambda: dual_updates(G, LI_Y),
    lambda: random_updates(LI_X, LI_Y, rng=np.random.default_rng(0)),
], ids=["in turn", "dual", "at random"])  # fmt: skip
def test_what_a_reader_does_to_a_state_does_not_change_the_run(run):
    plain, spoilt = [(u.i, *u[1], u.b) for u in every(run())], []
    for u in islice(run(), 100):
        spoilt.append((u.i, *u[1], u.b))
        u[1][:] = 99
    assert len(plain) > 3 and spoilt == plain


@pytest.mark.equation("A-5.3.1-2", "B-learn-5")
@pytest.mark.parametrize("seed", range(20))
def test_random_updates_pick_misclassified_samples_only(seed):
    """The start is zero, each update is of a misclassified sample, and when it ends none is left."""
    X, y, *_ = separable(15, gap=0.1, rng=np.random.default_rng(seed))
    w, b = np.zeros(2), 0.0
    for u in every(random_updates(X, y, rng=np.random.default_rng(seed))):
        assert misclassified(w, b, X, y)[u.i]
        w, b = update(w, b, X[u.i], y[u.i])
        np.testing.assert_array_equal(u.w, w)
        assert u.b == b
    assert not misclassified(w, b, X, y).any()


def test_random_updates_follow_their_seed():
    paths = [[u.i for u in islice(random_updates(X, Y, rng=np.random.default_rng(s)), 30)] for s in (1, 1, 2)]
    assert paths[0] == paths[1] != paths[2]


def test_fit_is_the_last_update():
    for most in (1, 3, 7, 8):
        result = fit(LI_X, LI_Y, max_updates=most)
        last = list(islice(updates(LI_X, LI_Y), most))[-1]
        assert (result.w.tolist(), result.b) == (last.w.tolist(), last.b)
        assert (result.n_iter, result.converged) == (min(most, 7), most >= 7)


def test_fit_of_a_separating_start_makes_no_update():
    result = fit(LI_X, LI_Y, start=([1, 1], -3))
    assert (result.w.tolist(), result.b, result.n_iter, result.converged) == ([1, 1], -3, 0, True)


def test_fit_says_why_it_did_not_end():
    for result in (fit(XOR_X, XOR_Y, max_updates=50), fit_dual(XOR_X @ XOR_X.T, XOR_Y, max_updates=50)):
        assert (result.converged, result.n_iter) == (False, 50)
        assert result.reason.startswith("50 updates and still mistakes; ") and "certificate(X, y)" in result.reason


@pytest.mark.equation("B-learn-3", "A-5.3.1-2")
@pytest.mark.erratum("ERR-B05")
def test_one_sample_at_a_time_is_not_gradient_descent():
    """Printed: "gradient descent (stochastic gradient descent)". The first sums over M, the second takes one of M."""
    w0, b0 = np.array([-1.0, -1.0]), 2.0  # any hyperplane: here all three samples are wrong
    assert misclassified(w0, b0, LI_X, LI_Y).tolist() == [True, True, True]
    first, whole = next(updates(LI_X, LI_Y, start=(w0, b0))), gradient(w0, b0, LI_X, LI_Y)
    assert (w0 - whole[0]).tolist() != first.w.tolist()
    one_w, one_b = gradient(w0, b0, LI_X[:1], LI_Y[:1])
    assert ((w0 - one_w).tolist(), b0 - one_b) == (first.w.tolist(), first.b)


@pytest.mark.equation("B-learn-6", "A-5.3.1-3")
@pytest.mark.erratum("ERR-B06")
def test_stop_when_no_mistake_is_left_not_when_the_loss_is_zero():
    """Printed: iterate until the loss is 0. At the start w = 0 it is."""
    assert loss(np.zeros(2), 0.0, LI_X, LI_Y) == 0
    path = every(updates(LI_X, LI_Y))
    assert len(path) == 7
    assert not misclassified(path[-1].w, path[-1].b, LI_X, LI_Y).any()
    assert all(misclassified(u.w, u.b, LI_X, LI_Y).any() for u in path[:-1])


@pytest.mark.equation("A-5.3.1-2", "B-learn-5")
@pytest.mark.erratum("ERR-A48")
def test_the_step_only_scales_a_run_from_zero():
    """Printed: η in (0, 1]. From zero any η > 0 makes the same mistakes, and (w, b) is η times that of η = 1."""
    reference = every(updates(LI_X, LI_Y))
    for eta in (2.0**-6, 32.0, 1024.0):
        path = every(updates(LI_X, LI_Y, eta))
        assert [u.i for u in path] == [u.i for u in reference]
        assert all((u.w == eta * v.w).all() and u.b == eta * v.b for u, v in zip(path, reference, strict=True))
    elsewhere = [fit(LI_X, LI_Y, eta, start=([3, -2], 1)).n_iter for eta in (0.25, 1.0, 32.0)]
    assert len(set(elsewhere)) > 1  # from another start it matters, and η > 1 is as good
    assert fit(LI_X, LI_Y, 32.0, start=([3, -2], 1)).converged


# --- the geometric reading (A 5.3.2) ------------------------------------------------------------------------

STEP_X, STEP_Y, STEP_W, STEP_B = np.array([2.0, -1.0]), -1.0, np.array([3.0, 1.0]), 4.0  # y f = -9: misclassified


def lines_of_A_5_3_2_1(eta):
    """The five lines, as ledger and errata correct them."""
    x, y, w, b = STEP_X, STEP_Y, STEP_W, STEP_B
    w2, b2 = update(w, b, x, y, eta)
    n, n2 = np.linalg.norm(w), np.linalg.norm(w2)
    return [
        abs(w2 @ x + b2) / n2 - abs(w @ x + b) / n,
        -y * (w2 @ x + b2) / n2 + y * (w @ x + b) / n,
        -y / n * ((w2 - w) @ x + (b2 - b)),
        -y / n * (eta * y * x @ x + eta * y),
        -eta * y**2 / n * (x @ x + 1),
    ]


@pytest.mark.equation("A-5.3.2-1")
@pytest.mark.erratum("ERR-A50")
def test_effect_of_an_update_on_the_distance_line_by_line():
    """Lines 1 = 2 and 3 = 4 = 5 exactly. Printed: 2 ≃ 3. The error of that shrinks like η, as the step itself does:
    by Taylor it is η (y f)(y w·x)/‖w‖³ + O(η²), here 45/10^1.5 η beside a step of -6/10^0.5 η."""
    for eta in (1e-3, 1e-4, 1e-5):
        one, two, three, four, five = lines_of_A_5_3_2_1(eta)
        assert one == pytest.approx(two, rel=1e-9)
        assert three == pytest.approx(four, rel=1e-9)
        assert four == pytest.approx(five, rel=1e-12)
        assert five / eta == pytest.approx(-6 / np.sqrt(10), rel=1e-12)
        assert (two - three) / eta == pytest.approx(45 / 10**1.5, rel=5 * eta)  # not o(η)


@pytest.mark.equation("A-5.3.2-1")
@pytest.mark.erratum("ERR-A49")
def test_the_last_line_lost_a_factor():
    """Printed: -(y²/‖w‖)(η x·x + 1); the line before gives -(ηy²/‖w‖)(x·x + 1)."""
    eta = 1e-2
    *_, four, five = lines_of_A_5_3_2_1(eta)
    printed = -(STEP_Y**2) / np.linalg.norm(STEP_W) * (eta * STEP_X @ STEP_X + 1)
    assert printed / four > 10
    assert five == pytest.approx(four, rel=1e-12)


@pytest.mark.equation("A-5.3.2-1")
@pytest.mark.erratum("ERR-A49", "ERR-A50")
def test_slope_of_the_distance_by_hand():
    """w = (1, 0), b = -6, x = (-1, 0), y = +1: f = -7, -2 + 7 = 5, away. w = (3, 1), b = 4, x = (2, -1), y = -1:
    f = 9, (-6·10 + 9·5)/10^1.5 = -15/10^1.5, nearer. On the plane the second term is 0: -(9 + 1)/5."""
    assert distance_slope(np.array([1.0, 0.0]), -6.0, np.array([-1.0, 0.0]), 1.0) == 5
    slope = distance_slope(np.array([3.0, 1.0]), 4.0, np.array([2.0, -1.0]), -1.0)
    assert slope == pytest.approx(-15 / 10**1.5, rel=1e-14)
    assert distance_slope(W, -9.0, np.array([3.0, 0.0]), 1.0) == -2


@pytest.mark.equation("A-5.3.2-1")
@pytest.mark.erratum("ERR-A49", "ERR-A50")
def test_slope_of_the_distance_by_differences():
    """In η at 0, for misclassified samples; both signs occur, so an update may go either way."""
    slopes = []
    for (w_1, w_2, b), x in zip(PLANES, X, strict=True):
        w, y = np.array([w_1, w_2]), -float(predict(np.array([w_1, w_2]), b, x))
        by_eta = central_difference(lambda eta: distance(*update(w, b, x, y, eta.item()), x), np.zeros(1))  # noqa: B023
        slopes.append(distance_slope(w, b, x, y))
        assert slopes[-1] == pytest.approx(by_eta.item(), rel=1e-6, abs=1e-8)
    assert min(slopes) < 0 < max(slopes)


@pytest.mark.equation("A-5.3.2-1", "A-5.3.2-2", "B-learn-7")
@pytest.mark.erratum("ERR-A50", "ERR-B07")
@pytest.mark.parametrize("eta", [1e-1, 1e-2, 1e-3, 1e-4])
def test_the_plane_may_move_away_from_the_sample(eta):
    """Printed: an update moves the plane towards its sample. w = (1, 0), b = -10, x = (-1/2, 0), y = +1: away,
    by 4η. What always holds: y f rises by η(‖x‖² + 1), and so does the angle of u = (w, b) with yx~."""
    w, b, x, y = np.array([1.0, 0.0]), -10.0, np.array([-0.5, 0.0]), 1.0
    w2, b2 = update(w, b, x, y, eta)
    assert misclassified(w2, b2, x[None], np.array([y]))
    further = distance(w2, b2, x[None])[0] - distance(w, b, x[None])[0]
    assert further > 0
    assert further / eta == pytest.approx(4, rel=eta)  # -(x·x + 1)/‖w‖ + (yf)(y w·x)/‖w‖³ = -1.25 + 5.25
    rise = y * (decision_function(w2, b2, x[None]) - decision_function(w, b, x[None]))[0]
    assert rise == pytest.approx(eta * (x @ x + 1), rel=1e-9)


@pytest.mark.equation("A-5.3.2-2", "B-learn-7")
@pytest.mark.erratum("ERR-A50", "ERR-B07")
def test_in_augmented_space_an_update_always_turns_towards_the_sample():
    """y u·x~/‖u‖ rises for every η > 0, and y f by η(‖x‖² + 1)."""
    for u, x_aug, eta in zip(
        np.random.default_rng(7).normal(size=(20, 3)), augment(X), np.arange(0.1, 20), strict=True
    ):
        y = -1.0 if u @ x_aug > 0 else 1.0
        w, b = update(u[:2], u[2], x_aug[:2], y, eta)
        after = np.append(w, b)
        assert y * after @ x_aug / np.linalg.norm(after) > y * u @ x_aug / np.linalg.norm(u)
        assert y * after @ x_aug == pytest.approx(y * u @ x_aug + eta * x_aug @ x_aug)


@pytest.mark.equation("B-learn-7", "A-5.3.2-2")
@pytest.mark.erratum("ERR-B07")
def test_one_update_need_not_be_enough():
    """Li Hang's third point is still wrong after its first and its second update."""
    path = every(updates(LI_X, LI_Y))
    assert [bool(misclassified(u.w, u.b, LI_X, LI_Y)[2]) for u in path[1:4]] == [True, True, False]


@pytest.mark.equation("A-5.3.2-3", "A-5.3.3-4", "B-learn-8")
def test_the_solution_depends_on_order_and_start():
    """Six orders and another start, several hyperplanes, each of them separating."""
    fits = [fit(LI_X, LI_Y, order=order) for order in permutations(range(3))] + [fit(LI_X, LI_Y, start=([5, 0], 0))]
    assert all(f.converged and margin(f.w, f.b, LI_X, LI_Y) > 0 for f in fits)
    assert len({(*f.w, f.b) for f in fits[:6]}) > 1
    assert (fits[6].w != fits[0].w).any()


# --- convergence --------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.3-1")
@pytest.mark.erratum("ERR-A51")
def test_a_unit_vector_separates_with_a_margin():
    """y_i(w_opt·x_i + b_opt) >= r > 0 for all i. Printed: x without its index, true for no r for all the labels."""
    proof = certificate(LI_X, LI_Y)
    u, Z = np.append(proof.w, proof.b), np.column_stack([LI_X, np.ones(3)])
    assert np.linalg.norm(u) == pytest.approx(1)
    assert proof.margin > 0
    assert (LI_Y * (Z @ u) >= proof.margin * (1 - 1e-12)).all()
    for x in Z:  # one x for all i: its score against labels of both signs
        assert min(LI_Y * (x @ u)) < 0


@pytest.mark.equation("A-5.3.3-2", "A-5.3.3-3")
@pytest.mark.parametrize("seed", range(20))
def test_novikoff(seed):
    """k <= (R/r)² for every order and step, and the two inequalities of its proof after every update."""
    rng = np.random.default_rng(seed)
    w, b = np.array([3.0, -2.0, 1.0])[: 1 + seed % 3], 0.5  # no integer point lies on this plane
    X, eta = rng.integers(-5, 6, (20, len(w))).astype(float), 2.0 ** rng.integers(-3, 4)
    y = np.where(decision_function(w, b, X) > 0, 1.0, -1.0)
    u = np.append(w, b) / np.linalg.norm(np.append(w, b))
    r, R2 = margin(w, b, X, y), max(x @ x + 1 for x in X)
    path = every(updates(X, y, eta, rng.permutation(20)))
    assert len(path) <= novikoff_bound(w, b, X, y) == pytest.approx(R2 / r**2)
    for k, (_, w_k, b_k) in enumerate(path, 1):
        assert u @ np.append(w_k, b_k) >= k * eta * r * (1 - 1e-12)
        assert w_k @ w_k + b_k**2 <= k * eta**2 * R2 * (1 + 1e-12)
    assert not misclassified(path[-1].w, path[-1].b, X, y).any()


@pytest.mark.equation("A-5.3.3-2")
def test_novikoff_bound_can_be_reached():
    """Two samples (±1, 0), y = x_1: u = (1, 0, 0) has r = 1, R² = 2: two updates at most, and two it needs."""
    x, y = np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0])
    assert novikoff_bound(np.array([1.0, 0.0]), 0.0, x, y) == pytest.approx(2)
    assert fit(x, y).n_iter == 2
    assert fit(x + np.array([1, 0]), y).n_iter > 2  # the appended 1 counts: the same two points elsewhere are harder


@pytest.mark.parametrize("w, b", [([-1.0, 0.0], 0.0), ([0.0, 1.0], 0.0), ([0.0, 0.0], 0.0)])
def test_no_bound_without_separation(w, b):
    """Wrong side, on the plane, no plane at all."""
    x, y = np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0])
    assert novikoff_bound(np.array(w), b, x, y) == np.inf


@pytest.mark.equation("A-5.3.3-2", "A-5.3.1-4")
@pytest.mark.erratum("ERR-A52")
def test_the_bound_holds_for_a_zero_start_only():
    """Printed: for any w_0, b_0. From c times the negated solution the updates grow with c, past every bound."""
    w, b = np.array([1.0, 1.0]), -3.0
    bound = novikoff_bound(w, b, LI_X, LI_Y)
    assert bound == pytest.approx(286)
    assert fit(LI_X, LI_Y).n_iter == 7 <= bound
    far = [fit(LI_X, LI_Y, start=(-c * w, -c * b)) for c in (1, 10, 100, 1000)]
    assert [f.n_iter > bound for f in far] == [False, False, True, True]
    assert all(f.converged for f in far)  # finite all the same
    assert all(a.n_iter < b.n_iter for a, b in pairwise(far))


@pytest.mark.equation("A-5.2-11", "B-sep-2", "A-5.3.3-6")
def test_on_xor_the_updates_go_round_in_circles():
    """Not separable: no end. The weights stay bounded, and after a while the same states come again and again."""
    path = [(u.i, *u.w, u.b) for u in islice(updates(XOR_X, XOR_Y), 300)]
    assert len(path) == 300
    assert set(path[100:200]) == set(path[200:])
    assert len(set(path)) < 20
    assert max(np.abs(s[1:]).max() for s in path) <= 3


# --- the dual form ------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.4-1", "B-dual-1", "B-dual-2", "B-dual-4")
@pytest.mark.erratum("ERR-A55", "ERR-B08", "ERR-B10")
def test_weights_are_what_the_updates_have_added_up():
    """α_i = n_i η >= 0, n_i the updates by sample i (A leaves α undefined): w = Σ α_i y_i x_i and b = Σ α_i y_i
    after every update. The n_i, from i = 1 on, add up to the number of updates (printed n, which is the dimension)."""
    eta, counts = 0.5, np.zeros(3)
    for k, u in enumerate(every(updates(LI_X, LI_Y, eta)), 1):
        counts[u.i] += 1
        w, b = primal(eta * counts, LI_Y, LI_X)
        assert (w.tolist(), b) == (u.w.tolist(), u.b)
        assert sum(counts[i] for i in range(3)) == k
    assert (counts.tolist(), k) == ([2, 0, 5], 7)
    assert counts[1:].sum() != k  # the first index matters
    assert k != LI_X.shape[1]  # n is not n


@pytest.mark.equation("A-5.3.4-2", "A-5.3.4-1", "A-5.3.4-5", "B-dual-2", "B-dualalg-1")
@pytest.mark.parametrize("seed", [*range(3), *slow(range(3, 20))])
def test_primal_and_dual_agree_update_by_update(seed):
    """On integers and with η a power of two, exactly; so the dual form converges where the primal does."""
    rng = np.random.default_rng(seed)
    X, y = integer_set(rng)
    eta, order = 2.0 ** rng.integers(-3, 4), rng.permutation(len(X))
    pairs = zip(updates(X, y, eta, order), dual_updates(X @ X.T, y, eta, order), strict=True)
    for a, d in islice(pairs, 100):
        w, b = primal(d.alpha, y, X)
        assert (a.i, a.w.tolist(), a.b) == (d.i, w.tolist(), b)
        assert d.b == b
        assert (d.alpha >= 0).all()


@pytest.mark.equation("A-5.3.4-5")
def test_the_dual_form_has_several_solutions_too():
    G = gram(linear, LI_X)
    fits = [fit_dual(G, LI_Y, order=order) for order in permutations(range(3))]
    assert all(f.converged for f in fits)
    assert len({tuple(f.alpha) for f in fits}) > 1


@pytest.mark.equation("A-5.3.4-3", "A-5.3.4-2")
def test_only_inner_products_are_needed():
    """Rotate the samples: other coordinates, the same inner products, the same run. (A rotation by 90°: exact.)"""
    rotated = LI_X @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    np.testing.assert_array_equal(gram(linear, rotated), gram(linear, LI_X))
    assert (rotated != LI_X).any()
    assert fit_dual(gram(linear, rotated), LI_Y).alpha.tolist() == [2, 0, 5]
    assert fit(rotated, LI_Y).w.tolist() == [-1, 1]


def test_a_kernel_in_place_of_the_inner_product_separates_xor():
    """K = (x·z + 1)²: the dual algorithm ends, with Σ_j α_j y_j K_ji + b of the right sign for each i."""
    K = (XOR_X @ XOR_X.T + 1) ** 2
    result = fit_dual(K, XOR_Y)
    assert result.converged
    assert (XOR_Y * (K @ (result.alpha * XOR_Y) + result.b) > 0).all()


@pytest.mark.equation("A-5.3.4-2", "A-5.3.4-4")
@pytest.mark.erratum("ERR-A53", "ERR-A54")
def test_the_condition_needs_all_pairs_of_indices():
    """Printed: x_j·x, with an x that is no sample, and G = [x_i·x_i], its diagonal. With the diagonal alone the
    mistakes are others; with x_j·x_i they are those of the primal."""
    G = gram(linear, LI_X)
    pairs = [u.i for u in every(dual_updates(G, LI_Y))]
    diagonal = [u.i for u in islice(dual_updates(np.diag(np.diag(G)), LI_Y), 20)]
    assert pairs == [u.i for u in every(updates(LI_X, LI_Y))]
    assert diagonal != pairs
    alpha = np.array([1.0, 0.0, 0.0])
    scores = {tuple(x): (alpha * LI_Y) @ (LI_X @ x) for x in LI_X}
    assert len(set(scores.values())) == 3  # Σ α_j y_j x_j·x is no number until x is one of the x_i


@pytest.mark.equation("B-dual-3")
@pytest.mark.erratum("ERR-B09")
def test_more_updates_do_not_mean_closer_to_the_plane():
    """Printed: the more often a sample is updated, the closer it lies. Here 17 updates at 0.63 beside 15 at 0.32;
    with η = 1 α_i counts them, and that is all it says."""
    x, y = np.array([[-2.0, -2.0], [-2.0, -1.0], [1.0, -2.0]]), np.array([1.0, -1.0, -1.0])
    counts = np.bincount([u.i for u in every(updates(x, y))])
    result = fit_dual(x @ x.T, y, eta=1.0)
    assert result.alpha.tolist() == counts.tolist() == [15, 17, 5]
    w, b = primal(result.alpha, y, x)
    d = distance(w, b, x)
    np.testing.assert_allclose(d, np.array([1, 2, 2]) / np.sqrt(10), rtol=1e-14)
    assert counts[1] > counts[0]
    assert d[1] > d[0]


# --- certificates -------------------------------------------------------------------------------------------


def verify(proof, X, y):
    """Both kinds of certificate, checked by one product."""
    if proof.separable:
        assert np.linalg.norm(np.append(proof.w, proof.b)) == pytest.approx(1, rel=1e-12)
        assert proof.margin == pytest.approx(margin(proof.w, proof.b, X, y), rel=1e-12)
        assert (y * decision_function(proof.w, proof.b, X) > 0).all()
    else:
        a, Z = proof.weights, y[:, None] * np.column_stack([X, np.ones(len(X))])
        assert (a >= 0).all()
        assert a.sum() == pytest.approx(1, rel=1e-12)
        np.testing.assert_allclose(a @ Z / np.abs(Z).max(axis=0), 0, atol=1e-9)


@pytest.mark.equation("A-5.2-1", "B-sep-1")
@pytest.mark.parametrize("seed", [*range(16), *slow(range(16, 40))])
def test_certificates_prove_what_they_say_and_fit_agrees(seed):
    """Separable: fit ends within the bound that the certificate gives. Not: no weights can make a·(y f) positive."""
    X, y = integer_set(np.random.default_rng(seed), most=8)
    proof = certificate(X, y)
    verify(proof, X, y)
    most = novikoff_bound(proof.w, proof.b, X, y) if proof.separable else 500
    assert fit(X, y, max_updates=int(most)).converged == proof.separable


def test_certificate_of_a_narrow_gap():
    """Integers up to 1000 whose classes are 1/‖w‖ apart, w = (377, 610)."""
    grid = np.array([[a, b] for a in range(-20, 21) for b in range(-20, 21)], float)
    f = grid @ [377, 610] - 0.5
    y = np.where(f > 0, 1.0, -1.0)
    verify(certificate(grid, y), grid, y)
    assert certificate(grid, y).separable
    y[np.abs(f).argmin()] *= -1
    y[np.abs(f).argmax()] *= -1  # one label deep inside turned: no longer
    verify(certificate(grid, y), grid, y)
    assert not certificate(grid, y).separable


@one_in(4)
@pytest.mark.parametrize("gap", [2.0**-25, 2.0**-30, 2.0**-35, 2.0**-45])
def test_a_narrow_gap_is_no_proof_of_the_contrary(gap, step):
    """Two or three samples at either end of a gap of 1e-8 to 1e-14 of the width, others beyond: separated by x_1 = 0 in
    exact numbers. To 1e-11 the plane is found; below, at worst, rounding hides it."""
    for seed in range(30 // step):
        rng = np.random.default_rng(seed)
        y = np.where(np.arange(8) % 2, 1.0, -1.0)
        X = rng.integers(-3, 4, size=(8, 3)).astype(float)
        X[:, 0] = y * (gap + rng.choice([0, 0, 1, 3], size=8))
        try:
            assert certificate(X, y).separable
        except np.linalg.LinAlgError as error:
            assert gap < 1e-11 and "lost in rounding" in str(error)


def test_certificate_of_touching_classes():
    """Two samples in one place with both labels: half of each is the proof."""
    proof = certificate([[1.0, 2.0], [5.0, 5.0], [1.0, 2.0]], [1, 1, -1])
    np.testing.assert_allclose(proof.weights, [1 / 2, 0, 1 / 2], atol=1e-15)


@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_certificate_far_from_zero_and_with_a_feature_that_says_nothing(offset):
    for X, y in ((LI_X, LI_Y), (XOR_X, XOR_Y)):
        for Z in (X + offset, np.column_stack([X, np.full(len(X), offset)])):
            proof = certificate(Z, y)
            verify(proof, Z, y)
            assert proof.separable == certificate(X, y).separable


# --- metamorphic relations ----------------------------------------------------------------------------------

BOTH = [(LI_X, LI_Y), (XOR_X, XOR_Y), *(integer_set(np.random.default_rng(s), most=10) for s in range(6))]
sets = pytest.mark.parametrize("X, y", BOTH)


def path(X, y, **settings):
    return list(islice(updates(X, y, **settings), 60))


@sets
def test_permuted_samples_in_the_permuted_order_make_the_same_run(X, y):
    order = np.random.default_rng(0).permutation(len(X))
    permuted = path(X[order], y[order], order=np.argsort(order))
    assert [order[u.i] for u in permuted] == [u.i for u in path(X, y)]
    assert certificate(X[order], y[order]).separable == certificate(X, y).separable


@sets
@pytest.mark.parametrize("change, changed", [
    (lambda X, y: (X[:, ::-1], y), lambda w, b: (w[::-1], b)),
    (lambda X, y: (X, -y), lambda w, b: (-w, -b)),
    (lambda X, y: (np.column_stack([X, 0 * y]), y), lambda w, b: (np.append(w, 0), b)),
], ids=["features permuted", "labels exchanged", "a feature of zeros"])  # fmt: skip
def test_what_is_done_to_the_data_is_done_to_every_hyperplane(X, y, change, changed):
    for u, v in zip(path(*change(X, y)), path(X, y), strict=True):
        w, b = changed(v.w, v.b)
        assert (u.i, u.w.tolist(), u.b) == (v.i, w.tolist(), b)


@sets
def test_every_sample_twice_in_a_row_makes_the_same_steps(X, y):
    """The second copy is visited just after the first: as in an order that visits each sample twice in a row."""
    twice, order = (np.repeat(X, 2, axis=0), np.repeat(y, 2)), np.repeat(np.arange(len(X)), 2)
    for u, v in zip(path(*twice), path(X, y, order=order), strict=True):
        assert (u.i // 2, u.w.tolist(), u.b) == (v.i, v.w.tolist(), v.b)
    assert certificate(*twice).separable == certificate(X, y).separable


@sets
def test_an_appended_constant_shares_the_bias(X, y):
    """Its weight is b itself; the scores are those of a bias counted twice."""
    for u in path(np.column_stack([X, np.ones(len(X))]), y):
        assert u.w[-1] == u.b
    assert certificate(np.column_stack([X, np.ones(len(X))]), y).separable == certificate(X, y).separable


@sets
def test_separability_survives_shifts_scales_and_shears(X, y):
    d = X.shape[1]
    moved = (X * [1, -3, 1000][:d] + [7, -50, 1e6][:d]) @ (np.eye(d) + np.triu(np.ones((d, d)), 1))
    verify(certificate(moved, y), moved, y)
    assert certificate(moved, y).separable == certificate(X, y).separable


def test_margin_ignores_the_length_of_the_hyperplane():
    for c in (1e-3, 7.0):
        assert margin(c * W, c * B, X, Y) == pytest.approx(margin(W, B, X, Y))
        assert predict(c * W, c * B, X).tolist() == predict(W, B, X).tolist()


# --- edges --------------------------------------------------------------------------------------------------


def test_more_features_than_samples_are_always_separable():
    X = np.random.default_rng(0).normal(size=(5, 20))
    y = np.array([1.0, -1, 1, -1, 1])
    assert fit(X, y).converged
    verify(certificate(X, y), X, y)


def test_inputs_in_any_layout_and_type_give_the_same():
    wide = np.repeat(LI_X, 2, axis=1)
    view, y = wide[:, ::2], LI_Y.copy()
    view.setflags(write=False)
    y.setflags(write=False)
    for X_, y_ in [
        (view, y),
        (LI_X.tolist(), LI_Y.tolist()),
        (LI_X.astype(int), LI_Y.astype(np.int8)),
        (LI_X.astype(np.float32), LI_Y.astype(np.float32)),
        (np.asfortranarray(LI_X), y),
    ]:
        assert_same_path(every(updates(X_, y_)), every(updates(LI_X, LI_Y)))
        assert certificate(X_, y_).separable
        assert fit_dual(np.asarray(X_) @ np.asarray(X_).T, y_).alpha.tolist() == [2, 0, 5]


def test_the_start_is_not_changed():
    w0 = np.array([3.0, -2.0])
    fit(LI_X, LI_Y, start=(w0, 1.0))
    assert w0.tolist() == [3, -2]


# --- doors --------------------------------------------------------------------------------------------------

G = LI_X @ LI_X.T
DOORS = [
    updates,
    fit,
    certificate,
    lambda X, y: random_updates(X, y, rng=np.random.default_rng(0)),
]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    "X, y, message",
    [
        (LI_X, [0, 0, 1], r"y must hold -1 and \+1 only, found \[0\. 1\.\]; design\.signs\(y\) converts"),
        (LI_X, [1, 1, 1], r"y holds only \+1; both classes"),
        (LI_X, [1, -1], r"y must be of shape \(N,\), N = 3 as in X; found shape \(2,\)"),
        (LI_X, LI_Y[:, None], r"y must be of shape .*found shape \(3, 1\); y.ravel\(\) converts"),
        (LI_Y, LI_Y, r"X must be of shape \(N, d\); found shape \(3,\)"),
        ([[1, np.inf], [2, 3]], [1, -1], "X holds inf at row 0, column 1"),
    ],
)
def test_bad_data_are_named_at_the_call(door, X, y, message):
    with pytest.raises(ValueError, match=message):
        door(X, y)


@pytest.mark.parametrize("door", [dual_updates, fit_dual])
@pytest.mark.parametrize(
    "G, y, message",
    [
        (LI_X, LI_Y, r"G must be of shape \(N, N\); found shape \(3, 2\); from samples X it is X @ X\.T"),
        (G[:2, :2], LI_Y, r"y must be of shape \(N,\), N = 2 as in G; found shape \(3,\)"),
        (np.triu(G), LI_Y, "G must be symmetric"),
        (G, [0, 1, 1], r"y must hold -1 and \+1 only"),
    ],
)
def test_bad_gram_matrices_are_named_at_the_call(door, G, y, message):
    with pytest.raises(ValueError, match=message):
        door(G, y)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: updates(LI_X, LI_Y, eta=0.0), "eta must be > 0, found 0"),
        (lambda: dual_updates(G, LI_Y, eta=-1.0), "eta must be > 0, found -1"),
        (lambda: random_updates(LI_X, LI_Y, np.nan, rng=np.random.default_rng(0)), "eta must be a finite number"),
        (lambda: updates(LI_X, LI_Y, order=[0, 1]), "order leaves out sample 2"),
        (lambda: dual_updates(G, LI_Y, order=[0, 1, 5]), r"order must hold indices 0\.\.2, found 0\.\.5"),
        (lambda: updates(LI_X, LI_Y, start=([1.0], 0.0)), "w0 has 1 entries; 2 are expected"),
        (lambda: fit(LI_X, LI_Y, max_updates=0), "max_updates must be a whole number >= 1, found 0"),
        (lambda: fit_dual(G, LI_Y, max_updates=0), "max_updates must be a whole number >= 1, found 0"),
    ],
)
def test_bad_settings_are_named_at_the_call(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_seed_is_refused_at_the_call():
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator, found 0"):
        random_updates(LI_X, LI_Y, rng=0)


@pytest.mark.parametrize("units", [[1e-75, 1e-75], [1.0, 1e-70], [1e-70, 1e70]])
def test_a_certificate_holds_in_any_units(units):
    """Of a plane with ‖(w, b)‖ = 1; w and b may differ by the whole width of the wall."""
    proof = certificate(LI_X * units, LI_Y)
    assert proof.separable and proof.margin > 0
    assert np.min(LI_Y * (LI_X * units @ proof.w + proof.b)) == pytest.approx(proof.margin, rel=1e-12, abs=0)


@pytest.mark.erratum("B12")
def test_the_gradient_is_one_of_many_on_a_kink():
    """A sample on the line: the slopes of the loss on both sides differ, and the formula gives one of them."""
    X, y, w = np.array([[1.0]]), np.array([1.0]), np.array([1.0])
    left, right = (
        abs(h) / h * (perceptron.loss(w, -1 + h, X, y) - perceptron.loss(w, -1.0, X, y)) / abs(h) for h in (-0.5, 0.5)
    )
    assert (left, right) == (-1, 0)
    assert left <= perceptron.gradient(w, -1.0, X, y)[1] <= right


@pytest.mark.erratum("D41")
def test_without_separable_classes_there_is_no_goal():
    """Note D says that the perceptron tries to find w*, and leaves open what happens where there is none. XOR: a sum of
    conditions is 0 > 0, so no w makes all products positive, and the rule is stopped by its limit."""
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1.0, 1, 1, -1])
    assert not np.any(y @ np.column_stack([X, np.ones(4)]))  # weights 1 for all: the products of any w sum to 0
    assert not perceptron.fit(X, y, max_updates=500).converged


@pytest.mark.equation("A-5.1-3")
@pytest.mark.parametrize("d", [1, 2, 7])
def test_the_machine_takes_any_vector_and_answers_with_one_of_two_labels(d):
    """From R^d, also far out and on the plane itself, to {-1, +1}."""
    rng = np.random.default_rng(d)
    w, Z = rng.normal(size=d), rng.normal(size=(200, d)) * 10.0 ** rng.integers(-3, 9, 200)[:, None]
    Z[0] = 0
    assert set(predict(w, 0.0, Z)) == {-1.0, 1.0} and predict(w, 0.0, Z)[0] == 1


@pytest.mark.equation("B-model-3")
def test_the_machine_is_discriminative_and_knows_no_probability():
    """The label depends on x through the sign of a linear score alone: a longer (w, b) says nothing more."""
    Z = np.random.default_rng(0).normal(size=(100, len(W)))
    for c in (2.0**-10, 3.0, 1e6):
        np.testing.assert_array_equal(predict(c * W, c * B, Z), predict(W, B, Z))
    score = perceptron.decision_function(W, B, Z)
    np.testing.assert_allclose(
        perceptron.decision_function(W, B, (Z[:50] + Z[50:]) / 2), (score[:50] + score[50:]) / 2, atol=1e-12
    )

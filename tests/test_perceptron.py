"""Chapter 09, the perceptron: every equation of notes A 5, B and D 4, and where the notes are wrong."""

import json
import pathlib
import re
from itertools import islice, pairwise, permutations

import numpy as np
import pytest
from cases import slow
from exact import exact

from linmodels import linear_regression
from linmodels.datasets import separable
from linmodels.derivatives import central_difference, check_gradient
from linmodels.design import augment
from linmodels.kernels import gram, linear, mercer_features, polynomial
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

CHAPTER = pathlib.Path(__file__).parents[1] / "notebooks" / "09_perceptron.ipynb"

# Li Hang, Statistical Learning Methods, examples 2.1 and 2.2
LI_X, LI_Y = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1.0, 1.0, -1.0])
LI_G, LI_W, LI_B = LI_X @ LI_X.T, np.array([1.0, 1.0]), -3.0  # the line they publish
XOR_X, XOR_Y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
W, B = np.array([3.0, -4.0]), 5.0  # the line 3 x_1 - 4 x_2 + 5 = 0, ‖w‖ = 5
POINTS = np.array([[0.0, 0.0], [1.0, 2.0], [0.0, 5.0]])  # f = 5, 0, -15 there

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 2)), np.where(RNG.normal(size=20) > 0, 1.0, -1.0)  # labels at random: many mistakes
PLANES = np.random.default_rng(11).normal(size=(20, 3)) * [1, 1, 8]  # of each row w and b: far from 0, most of them


def every(sequence):
    """All updates of a run that must end; a library that does not end must fail here, not hang."""
    path = list(islice(sequence, 10_000))
    assert len(path) < 10_000
    return path


def integer_set(rng, most=40):
    """Small integers: every score is exact, and many lie on the plane."""
    N, d = rng.integers(2, most), rng.integers(1, 4)
    y = np.where(rng.integers(0, 2, N) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return rng.integers(-4, 5, (N, d)).astype(float), y


GRID, GRID_Y = integer_set(np.random.default_rng(0))  # 34 samples of 2 features


# --- model, distance, loss ----------------------------------------------------------------------------------


@pytest.mark.equation("A-5.2-2", "A-5.2-5", "A-5.3-1", "A-5.3.1-1", "B-learn-4")
@pytest.mark.erratum("ERR-A47")
def test_scores_distances_labels_and_loss_by_hand():
    """y = (-1, +1, +1): the first counts 5, the second lies on the plane, the third counts 15. Without mistakes L is 0,
    the least there is. Printed: w*, b* = min L; but the minimum is a number, w*, b* are where it is reached."""
    assert decision_function(W, B, POINTS).tolist() == [5, 0, -15]
    assert distance(W, B, POINTS).tolist() == [1, 0, 3]
    assert predict(W, B, POINTS).tolist() == [1, 1, -1]
    y = np.array([-1.0, 1.0, 1.0])
    assert misclassified(W, B, POINTS, y).tolist() == [True, True, True]
    assert (loss(W, B, POINTS, y), total_distance(W, B, POINTS, y)) == (20, 4)
    gw, gb = gradient(W, B, POINTS, y)
    assert (gw.tolist(), gb) == ([-1, -7], -1)
    of_right = (LI_W, LI_B, LI_X, LI_Y)
    assert not misclassified(*of_right).any() and loss(*of_right) == total_distance(*of_right) == 0
    assert [part.tolist() for part in gradient(*of_right)] == [[0, 0], 0]


@pytest.mark.equation("A-5.1-4", "B-model-1", "A-5.1-1", "D-0-4", "A-5.1-3")
def test_perceptron_is_the_sign_of_the_score():
    """From R^d to {-1, +1}, also far out, and +1 on the plane itself."""
    far = np.vstack([X, 1e9 * X, POINTS])
    labels = [1 if W[0] * x[0] + W[1] * x[1] + B >= 0 else -1 for x in far]
    assert predict(W, B, far).tolist() == labels and set(labels) == {-1, 1}


@pytest.mark.equation("D-4-1")
@pytest.mark.erratum("ERR-D02", "ERR-D26")
def test_perceptron_of_note_D_is_augmented():
    """ŷ = sgn(w·x) without a bias cannot label 1 and 3 differently; with x~ = (x, 1) it can, and sgn(0) is +1."""
    x, y = np.array([[1.0], [3.0]]), [-1, 1]
    assert not any(predict(np.array([w]), 0.0, x).tolist() == y for w in (-2.0, -0.1, 0.1, 2.0))
    assert predict(np.array([1.0, -2.0]), 0.0, augment(x)).tolist() == y
    assert np.sign(0.0) == 0 and predict(np.array([1.0]), -1.0, x)[0] == 1


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


@pytest.mark.equation("B-model-4", "B-model-3")
@pytest.mark.erratum("ERR-B01")
@pytest.mark.parametrize("c", [2.0**-10, 2.0, 1e6])
def test_the_hypotheses_are_the_signs_not_the_scores(c):
    """f = w·x + b and cf are two scores and one hypothesis: a longer (w, b) says nothing more."""
    assert (decision_function(W, B, X) != decision_function(c * W, c * B, X)).all()
    np.testing.assert_array_equal(predict(W, B, X), predict(c * W, c * B, X))
    assert margin(c * W, c * B, X, Y) == pytest.approx(margin(W, B, X, Y))


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
    assert predict(w, b, on_S + 0.1 * w) == 1 and predict(w, b, on_S - 0.1 * w) == -1


@pytest.mark.equation("A-5.1-2", "B-model-3")
def test_each_class_of_the_hyperplane_is_a_half_space():
    """Convex: between two points of one label every point has that label; S splits the space in two, with no third."""
    labels, a = predict(W, B, 3 * X), np.linspace(0, 1, 11)[:, None]
    for i, j in zip(*np.triu_indices(20, 1), strict=True):
        between = predict(W, B, 3 * (a * X[i] + (1 - a) * X[j]))
        assert np.count_nonzero(np.diff(between)) == (labels[i] != labels[j])


@pytest.mark.equation("A-5.2-5", "A-5.2-6", "A-5.2-7", "B-loss-1", "B-loss-2")
def test_total_distance_is_the_sum_of_the_distances_of_the_misclassified():
    """Of these -y f is the absolute value; of the others it is negative."""
    for w, b in zip(PLANES[:, :2], PLANES[:, 2], strict=True):
        feet = X - np.outer(X @ w + b, w) / (w @ w)  # of the perpendiculars
        np.testing.assert_allclose(np.linalg.norm(X - feet, axis=1), distance(w, b, X), rtol=1e-12)
        M, signed = misclassified(w, b, X, Y), -Y * decision_function(w, b, X)
        np.testing.assert_array_equal(signed[M] / np.linalg.norm(w), distance(w, b, X)[M])
        assert (signed[~M] < 0).all()
        assert total_distance(w, b, X, Y) == pytest.approx(distance(w, b, X)[M].sum(), rel=1e-13)


@pytest.mark.equation("A-5.2-8", "B-loss-3", "A-5.2-13", "D-4-4", "D-4-1")
def test_forms_of_the_loss():
    """-Σ over M of y f = Σ max(0, -y f), each term 0 or linear; of x~ = (x, 1) and (w, b) as one vector the same."""
    scores = [y * (W @ x + B) for x, y in zip(X, Y, strict=True)]
    over_M, terms = -sum(s for s in scores if s <= 0), [max(0.0, -s) for s in scores]
    assert 0 < np.count_nonzero(terms) < 20
    assert loss(W, B, X, Y) == pytest.approx(over_M) == pytest.approx(sum(terms))
    for x, y, term in zip(augment(X), Y, terms, strict=True):
        assert loss(np.append(W, B), 0.0, x[None], np.array([y])) == pytest.approx(term, rel=1e-13)


# --- derivatives --------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.1-1", "B-learn-4", "D-4-5")
def test_gradient_is_the_derivative_off_the_planes_of_the_samples():
    for u in np.random.default_rng(1).normal(size=(20, 3)):
        off = check_gradient(lambda u: loss(u[:2], u[2], X, Y), lambda u: np.append(*gradient(u[:2], u[2], X, Y)), u)
        assert off < 1e-8


@pytest.mark.equation("A-5.2-4", "B-loss-4")
@pytest.mark.erratum("ERR-A57", "ERR-B03")
def test_the_number_of_mistakes_shows_no_way_down():
    """Printed: not (continuously) differentiable. Nearly everywhere it is, with the derivative 0: no direction."""
    for u in np.random.default_rng(2).normal(size=(20, 3)):
        slope = central_difference(lambda u: np.sum(misclassified(u[:2], u[2], X, Y)), u)
        assert slope.tolist() == [0, 0, 0] and misclassified(u[:2], u[2], X, Y).any()
        assert np.abs(central_difference(lambda u: loss(u[:2], u[2], X, Y), u)).max() > 0.1
    on_the_plane, y = np.array([[1.0, 2.0], [1.0, 2.0], [9.0, 9.0]]), np.array([1.0, -1.0, -1.0])
    assert np.sum(misclassified(W, B, on_the_plane, y)) == 2  # y f <= 0, so the first and the second count


@pytest.mark.equation("A-5.2-14", "A-5.2-13", "B-loss-3", "D-4-4", "D-4-5")
@pytest.mark.erratum("ERR-A46", "B12")
def test_the_loss_has_kinks():
    """Printed: continuously differentiable. On a sample's plane the slopes differ: 0 to its right side, -‖x‖² to
    the wrong one, and the gradient is one of many. Continuous, convex and piecewise linear is what holds."""
    x, y, w = np.array([[1.0, 2.0]]), np.array([1.0]), np.array([-2.0, 1.0])
    along = [loss(w + a * x[0], 0.0, x, y) for a in (-1, -0.5, 0, 0.5, 1)]
    assert along == [5, 2.5, 0, 0, 0]  # slope -5 = -‖x‖², then 0
    assert -5 <= gradient(w, 0.0, x, y)[0] @ x[0] <= 0
    for u, v in np.random.default_rng(3).integers(-5, 6, size=(50, 2, 3)).astype(float):  # on many of the planes
        gw, gb = gradient(u[:2], u[2], GRID, GRID_Y)
        L_u, L_v = (loss(a[:2], a[2], GRID, GRID_Y) for a in (u, v))
        assert L_v >= L_u + gw @ (v - u)[:2] + gb * (v - u)[2]
        assert L_u == gw @ u[:2] + gb * u[2]


# --- separation and mistakes --------------------------------------------------------------------------------


@pytest.mark.equation("A-5.2-3", "B-loss-5", "A-5.3.1-4", "B-primal-1", "D-4-2")
@pytest.mark.erratum("ERR-A42", "ERR-B04")
def test_a_sample_on_the_plane_is_misclassified():
    """Printed: wrong means y f < 0, yet the algorithm updates at y f <= 0, and sign(0) = +1 calls a positive right.
    On the plane y f is neither > 0 nor < 0; the book says <= 0 everywhere, and keeps sign(0) for prediction."""
    on_plane, y = np.array([[1.0, 2.0], [1.0, 2.0]]), np.array([1.0, -1.0])
    assert (y * decision_function(W, B, on_plane)).tolist() == [0, 0]  # by the printed definition neither is wrong
    assert (predict(W, B, on_plane) == y).tolist() == [True, False]  # by the sign only one is
    assert misclassified(W, B, on_plane, y).tolist() == [True, True]
    x = np.array([[1.0, 2.0], [9.0, 9.0]])  # the second is right, on the negative side
    assert next(updates(x, [1, -1], start=(W, B))).i == 0


@pytest.mark.equation("A-5.2-3")
@pytest.mark.erratum("ERR-A41")
def test_the_condition_is_about_one_sample():
    """Printed: (w·x + b) y_i, with a sample x and a label y_i that need not be of the same index."""
    crossed = np.outer(LI_Y, decision_function(LI_W, LI_B, LI_X))
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


@pytest.mark.equation("A-5.2-10", "A-5.3-1", "B-learn-2", "A-5.2-5")
@pytest.mark.erratum("ERR-A44", "ERR-A45")
def test_the_least_loss_is_reached_by_a_useless_hyperplane():
    """Printed: 1/‖w‖ may be dropped, the loss ends at 0 anyway. Without it L(cw, cb) = cL, and w = 0 has L = 0."""
    assert loss(np.zeros(2), 0.0, LI_X, LI_Y) == 0 and misclassified(np.zeros(2), 0.0, LI_X, LI_Y).all()
    for c in (2.0, 2.0**-20):
        assert loss(c * W, c * B, X, Y) == c * loss(W, B, X, Y) > 0
        assert total_distance(c * W, c * B, X, Y) == pytest.approx(total_distance(W, B, X, Y), rel=1e-14)
    on_the_plane, two = np.array([1.0, -1.0]), [0, 2]  # x_1 = x_2 runs through samples 1 and 3: L = 0, no separation
    assert loss(on_the_plane, 0.0, LI_X[two], LI_Y[two]) == margin(on_the_plane, 0.0, LI_X[two], LI_Y[two]) == 0
    result = fit(LI_X, LI_Y)  # stopping on mistakes, not on L
    assert margin(result.w, result.b, LI_X, LI_Y) > 0


@pytest.mark.equation("A-5.2-12")
@pytest.mark.erratum("ERR-A45")
@pytest.mark.parametrize("w, b, wrong, way, value", [(-0.01, 0.01, 3, 4, 0.04), (10, -25, 1, 0.5, 5), (-1, 1, 3, 4, 4)])
def test_a_smaller_loss_does_not_mean_fewer_or_closer_mistakes(w, b, wrong, way, value):
    """-1 at 0, +1 at 2 and 3: f = (1 - x)/100 is wrong at all of them, 1 + 1 + 2 away, and has the loss 0.04;
    f = 10x - 25 is wrong at 2 only, 1/2 away, and has the loss 5. The distance is blind to the scale, L is not."""
    x, y, w = np.array([[0.0], [2.0], [3.0]]), np.array([-1.0, 1.0, 1.0]), np.array([w])
    assert misclassified(w, b, x, y).sum() == wrong
    assert total_distance(w, b, x, y) == pytest.approx(way) and loss(w, b, x, y) == pytest.approx(value)


@pytest.mark.equation("D-4-5", "D-4-3")
@pytest.mark.erratum("ERR-D25")
def test_the_strict_rule_never_starts():
    """Printed: -yx for y w·x < 0, and the start w = 0, where every sample has y w·x = 0. The subdifferential there is
    conv{0, -yx}; the book takes -yx."""
    assert (LI_Y * decision_function(np.zeros(2), 0.0, LI_X)).tolist() == [0, 0, 0]  # so w = 0 would be the answer
    gw, gb = gradient(np.zeros(2), 0.0, LI_X[:1], LI_Y[:1])
    assert (gw.tolist(), gb) == ([-3, -3], -1)
    assert fit(LI_X, LI_Y).converged
    for a in (0.0, 0.3, 1.0):  # every a(-yx) supports the convex loss at 0
        for v in np.random.default_rng(4).normal(size=(20, 2)):
            assert loss(v, 0.0, LI_X[:1], LI_Y[:1]) >= a * (-LI_Y[0] * LI_X[0]) @ v - 1e-12


# --- the algorithm ------------------------------------------------------------------------------------------


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
    again = fit(LI_X, LI_Y, start=([1, 1], -3))  # already separates
    assert (again.w.tolist(), again.b, again.n_iter, again.converged) == ([1, 1], -3, 0, True)


@pytest.mark.equation("A-5.3.4-2", "B-dualalg-1")
def test_li_hang_example_2_2():
    """Published: the same steps in the dual form, α = (2, 0, 5), b = -3."""
    G = gram(linear, LI_X)
    assert [u.i for u in every(dual_updates(G, LI_Y))] == [0, 2, 2, 2, 0, 2, 2]
    result = fit_dual(G, LI_Y)
    assert (result.alpha.tolist(), result.b, result.n_iter, result.converged) == ([2, 0, 5], -3, 7, True)
    w, b = primal(result.alpha, LI_Y, LI_X)
    assert (w.tolist(), b) == ([1, 1], -3)


@pytest.mark.equation("A-5.3.1-4", "B-primal-1", "A-5.3.4-2", "A-5.3.4-1", "A-5.3.4-5", "B-dual-2", "B-dualalg-1")
@pytest.mark.parametrize("seed", [*range(6), *slow(range(6, 40))])
def test_the_printed_loop_in_four_ways(seed):
    """The loop, its dual, and both solvers, update by update, from any start and in any order. Whole numbers and η a
    power of two: nothing is rounded, so every sum decides alike, also on the hyperplane. From zero in any unit of η and
    of the samples."""
    rng = np.random.default_rng(seed)
    X, y = integer_set(rng)
    eta, w, b = 2.0 ** rng.integers(-3, 4), rng.integers(-5, 6, X.shape[1]).astype(float), float(rng.integers(-5, 6))
    order = [None, rng.permutation(len(X)), np.append(rng.permutation(len(X)), rng.integers(0, len(X), 5))][seed % 3]
    before = w, b
    ways = updates(X, y, eta, order, (w, b)), mistakes.primal(X, y, eta, order, w, b)
    for u, (v, c) in islice(zip(*ways, strict=True), 100):
        assert y[u.i] * (before[0] @ X[u.i] + before[1]) <= 0
        assert u.w.tolist() == (before[0] + eta * y[u.i] * X[u.i]).tolist() == v.tolist()
        assert u.b == before[1] + eta * y[u.i] == c
        before = u.w, u.b
    X, eta = X * 2.0 ** rng.integers(-200, 200), eta * 2.0 ** rng.integers(-400, 400)
    ways = updates(X, y, eta, order), dual_updates(X @ X.T, y, eta, order), mistakes.dual(X @ X.T, y, eta, order)
    for u, dual, (alpha, b) in islice(zip(*ways, strict=True), 100):
        w, b_of_alpha = primal(dual.alpha, y, X)
        assert (u.i, u.w.tolist(), u.b) == (dual.i, w.tolist(), b_of_alpha)
        assert dual.b == b == u.b and dual.alpha.tolist() == alpha.tolist() and alpha.min() >= 0


@pytest.mark.equation("A-5.3.1-4", "B-primal-1")
@pytest.mark.parametrize("eta", [0.125, *slow([1.0])])
def test_fit_makes_the_updates_of_the_loop_where_mistakes_are_rare(eta):
    """900 samples, mistakes far apart: `fit` judges many visits at once, and each of its updates is the loop's."""
    X, y, *_ = separable(900, gap=0.02, rng=np.random.default_rng(5))
    X = np.round(X * 1024)
    for order in (None, np.random.default_rng(6).permutation(900)):
        path = every(updates(X, y, eta, order))
        found = list(mistakes.primal(X, y, eta, order, np.zeros(2), 0.0))
        assert len({u.i for u in path}) > 10
        assert [[*w, b] for w, b in found] == [[*u.w, u.b] for u in path]


@pytest.mark.parametrize("most", [1, 3, 7, 8])
def test_fit_is_the_last_of_so_many_updates(most):
    result, dual = fit(LI_X, LI_Y, max_updates=most), fit_dual(LI_G, LI_Y, max_updates=most)
    *_, last = islice(updates(LI_X, LI_Y), most)
    *_, dual_last = islice(dual_updates(LI_G, LI_Y), most)
    assert (result.w.tolist(), result.b) == (last.w.tolist(), last.b)
    assert (dual.alpha.tolist(), dual.b) == (dual_last.alpha.tolist(), dual_last.b)
    for end in (result, dual):
        assert (end.n_iter, end.converged) == (min(most, 7), most >= 7)
        told = f"{most} update{'s' * (most > 1)} and still mistakes; "
        assert end.reason.startswith(told) == (most < 7)
        assert ("certificate(X, y)" in end.reason) == (most < 7)


@pytest.mark.parametrize("degree", [1, 2])
def test_with_a_kernel_its_features_tell_whether_the_updates_end(degree):
    """Four corners, equal labels opposite: no line separates them, a curve of degree 2 does."""
    X, y = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]]), [1, 1, -1, -1]
    G = gram(lambda X, Z: polynomial(X, Z, degree=degree), X)
    ends = fit_dual(G, y, max_updates=1000).converged
    assert ends == certificate(mercer_features(G), y).separable == (degree == 2)


@pytest.mark.parametrize("run", [
    lambda: updates(LI_X, LI_Y),
    lambda: dual_updates(LI_G, LI_Y),
    lambda: random_updates(LI_X, LI_Y, rng=np.random.default_rng(0)),
], ids=["in turn", "dual", "at random"])  # fmt: skip
def test_what_a_reader_does_to_a_state_does_not_change_the_run(run):
    plain, spoilt = [(u.i, *u[1], u.b) for u in every(run())], []
    for u in islice(run(), 100):
        spoilt.append((u.i, *u[1], u.b))
        u[1][:] = 99
    assert len(plain) > 3 and spoilt == plain


@pytest.mark.equation("A-5.3.1-2", "B-learn-5")
@pytest.mark.parametrize("seed", range(4))
def test_random_updates_pick_misclassified_samples_only(seed):
    """The start is zero, each update is of a misclassified sample, and when it ends none is left."""
    X, y, *_ = separable(15, gap=0.1, rng=np.random.default_rng(seed))
    w, b = np.zeros(2), 0.0
    path = every(random_updates(X, y, rng=np.random.default_rng(seed)))
    for u in path:
        assert misclassified(w, b, X, y)[u.i]
        w, b = update(w, b, X[u.i], y[u.i])
        assert (u.w.tolist(), u.b) == (w.tolist(), b)
    assert not misclassified(w, b, X, y).any()
    again, other = (random_updates(X, y, rng=np.random.default_rng(s)) for s in (seed, seed + 1))
    assert [u.i for u in path] == [u.i for u in again] != [u.i for u in other]


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
    left = [bool(misclassified(u.w, u.b, LI_X, LI_Y).any()) for u in every(updates(LI_X, LI_Y))]
    assert left == [True] * 6 + [False]


@pytest.mark.equation("A-5.3.1-2", "B-learn-5")
@pytest.mark.erratum("ERR-A48")
def test_the_step_only_scales_a_run_from_zero():
    """Printed: η in (0, 1]. From zero any η > 0 makes the same mistakes, and (w, b) is η times that of η = 1."""
    reference = every(updates(LI_X, LI_Y))
    for eta in (2.0**-6, 32.0, 1024.0):
        scaled = [(u.i, (eta * u.w).tolist(), eta * u.b) for u in reference]
        assert [(u.i, u.w.tolist(), u.b) for u in every(updates(LI_X, LI_Y, eta))] == scaled
    elsewhere = [fit(LI_X, LI_Y, eta, start=([3, -2], 1)) for eta in (0.25, 1.0, 32.0)]
    assert len({f.n_iter for f in elsewhere}) > 1  # from another start it matters, and η > 1 is as good
    assert all(f.converged for f in elsewhere)


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
@pytest.mark.erratum("ERR-A49", "ERR-A50")
@pytest.mark.parametrize("eta", [1e-2, 1e-3, 1e-5])
def test_effect_of_an_update_on_the_distance_line_by_line(eta):
    """Lines 1 = 2 and 3 = 4 = 5 exactly. Printed: 2 ≃ 3. The error of that shrinks like η, as the step itself does:
    by Taylor it is η (y f)(y w·x)/‖w‖³ + O(η²), here 45/10^1.5 η beside a step of -6/10^0.5 η. Printed too is a last
    line -(y²/‖w‖)(η x·x + 1), which has lost a factor."""
    one, two, three, four, five = lines_of_A_5_3_2_1(eta)
    assert one == pytest.approx(two, rel=1e-9) and three == pytest.approx(four, rel=1e-9)
    assert four == pytest.approx(five, rel=1e-12) and five / eta == pytest.approx(-6 / np.sqrt(10), rel=1e-12)
    assert (two - three) / eta == pytest.approx(45 / 10**1.5, rel=5 * eta)  # not o(η)
    printed = -(STEP_Y**2) / np.linalg.norm(STEP_W) * (eta * STEP_X @ STEP_X + 1)
    assert printed / four > 10


@pytest.mark.equation("A-5.3.2-1")
@pytest.mark.erratum("ERR-A49", "ERR-A50")
def test_slope_of_the_distance_by_hand_and_by_differences():
    """w = (1, 0), b = -6, x = (-1, 0), y = +1: f = -7, -2 + 7 = 5, away. w = (3, 1), b = 4, x = (2, -1), y = -1:
    f = 9, (-6·10 + 9·5)/10^1.5 = -15/10^1.5, nearer. In η at 0, for misclassified samples, both signs occur."""
    assert distance_slope(np.array([1.0, 0.0]), -6.0, np.array([-1.0, 0.0]), 1.0) == 5
    assert distance_slope(STEP_W, STEP_B, STEP_X, STEP_Y) == pytest.approx(-15 / 10**1.5, rel=1e-14)
    slopes = []
    for (w_1, w_2, b), x in zip(PLANES, X, strict=True):
        w, y = np.array([w_1, w_2]), -float(predict(np.array([w_1, w_2]), b, x))
        by_eta = central_difference(lambda eta: distance(*update(w, b, x, y, eta.item()), x), np.zeros(1))  # noqa: B023
        slopes.append(distance_slope(w, b, x, y))
        assert slopes[-1] == pytest.approx(by_eta.item(), rel=1e-6, abs=1e-8)
    assert min(slopes) < 0 < max(slopes)


@pytest.mark.equation("A-5.3.2-1", "A-5.3.2-2", "B-learn-7")
@pytest.mark.erratum("ERR-A50", "ERR-B07")
@pytest.mark.parametrize("eta", [1e-1, 1e-4])
def test_the_plane_may_move_away_from_the_sample(eta):
    """Printed: an update moves the plane towards its sample. w = (1, 0), b = -10, x = (-1/2, 0), y = +1: away,
    by 4η = (-(x·x + 1)/‖w‖ + (yf)(y w·x)/‖w‖³)η = (-1.25 + 5.25)η."""
    w, b, x, y = np.array([1.0, 0.0]), -10.0, np.array([[-0.5, 0.0]]), np.array([1.0])
    w2, b2 = update(w, b, x[0], 1.0, eta)
    assert misclassified(w2, b2, x, y)
    further = distance(w2, b2, x)[0] - distance(w, b, x)[0]
    assert further > 0 and further / eta == pytest.approx(4, rel=eta)


@pytest.mark.equation("A-5.3.2-2", "B-learn-7")
@pytest.mark.erratum("ERR-A50", "ERR-B07")
def test_in_augmented_space_an_update_always_turns_towards_the_sample():
    """y u·x~/‖u‖ rises for every η > 0, and y f by η(‖x‖² + 1)."""
    planes = np.random.default_rng(7).normal(size=(20, 3))
    for u, x_aug, eta in zip(planes, augment(X), np.arange(0.1, 20), strict=True):
        y = -1.0 if u @ x_aug > 0 else 1.0
        after = np.append(*update(u[:2], u[2], x_aug[:2], y, eta))
        assert y * after @ x_aug / np.linalg.norm(after) > y * u @ x_aug / np.linalg.norm(u)
        assert y * after @ x_aug == pytest.approx(y * u @ x_aug + eta * x_aug @ x_aug)


@pytest.mark.equation("A-5.3.2-3", "A-5.3.3-4", "B-learn-8", "A-5.3.4-5")
def test_the_solution_depends_on_order_and_start():
    """Six orders and another start, several hyperplanes, each of them separating; so too in the dual form."""
    fits = [fit(LI_X, LI_Y, order=order) for order in permutations(range(3))] + [fit(LI_X, LI_Y, start=([5, 0], 0))]
    assert all(f.converged and margin(f.w, f.b, LI_X, LI_Y) > 0 for f in fits)
    assert len({(*f.w, f.b) for f in fits[:6]}) > 1 and (fits[6].w != fits[0].w).any()
    for order, f in zip(permutations(range(3)), fits[:6], strict=True):
        last = every(updates(LI_X, LI_Y, order=order))[-1]
        assert (*last.w, last.b) == (*f.w, f.b)
    last = every(updates(LI_X, LI_Y, start=([5, 0], 0)))[-1]
    assert (*last.w, last.b) == (*fits[6].w, fits[6].b)
    dual = [fit_dual(LI_G, LI_Y, order=order) for order in permutations(range(3))]
    assert all(f.converged for f in dual) and len({tuple(f.alpha) for f in dual}) > 1


# --- convergence --------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.3-1")
@pytest.mark.erratum("ERR-A51")
def test_a_unit_vector_separates_with_a_margin():
    """y_i(w_opt·x_i + b_opt) >= r > 0 for all i. Printed: x without its index, true for no r for all the labels."""
    proof = certificate(LI_X, LI_Y)
    u, Z = np.append(proof.w, proof.b), augment(LI_X)
    assert np.linalg.norm(u) == pytest.approx(1) and proof.margin > 0
    assert (LI_Y * (Z @ u) >= proof.margin * (1 - 1e-12)).all()
    assert margin(5 * proof.w, 5 * proof.b, LI_X, LI_Y) == pytest.approx(proof.margin)  # it makes the vector a unit
    assert all(min(LI_Y * (x @ u)) < 0 for x in Z)  # one x for all i: its score against labels of both signs


@pytest.mark.equation("A-5.3.3-2", "A-5.3.3-3")
@pytest.mark.parametrize("seed", range(6))
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
    assert len(every(random_updates(X, y, eta, rng=rng))) <= novikoff_bound(w, b, X, y)


TWO_X, TWO_Y = np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0])


@pytest.mark.equation("A-5.3.3-2")
def test_novikoff_bound_can_be_reached():
    """Two samples (±1, 0), y = x_1: u = (1, 0, 0) has r = 1, R² = 2: two updates at most, and two it needs.
    A plane that is on the wrong side, runs through a sample, or is none, gives no bound."""
    assert novikoff_bound(np.array([1.0, 0.0]), 0.0, TWO_X, TWO_Y) == pytest.approx(2)
    assert fit(TWO_X, TWO_Y).n_iter == 2
    assert fit(TWO_X + np.array([1, 0]), TWO_Y).n_iter > 2  # elsewhere they are harder: the appended 1 counts
    for w in ([-1.0, 0.0], [0.0, 1.0], [0.0, 0.0]):
        assert novikoff_bound(np.array(w), 0.0, TWO_X, TWO_Y) == np.inf


@pytest.mark.equation("A-5.3.3-2", "A-5.3.1-4")
@pytest.mark.erratum("ERR-A52")
def test_the_bound_holds_for_a_zero_start_only():
    """Printed: for any w_0, b_0. From c times the negated solution the updates grow with c, past every bound. Li Hang's
    line has y f = 3, 4, 1, ‖(1, 1, -3)‖² = 11, R² = 4² + 3² + 1: (R/r)² = 26·11."""
    w, b = LI_W, LI_B
    bound = novikoff_bound(w, b, LI_X, LI_Y)
    assert margin(w, b, LI_X, LI_Y) == pytest.approx(1 / np.sqrt(11), rel=1e-15)
    assert bound == pytest.approx(286, rel=1e-14)
    far = [fit(LI_X, LI_Y, start=(-c * w, -c * b)) for c in (1, 10, 100, 1000)]
    assert [f.n_iter > bound for f in far] == [False, False, True, True]
    assert all(f.converged for f in far)  # finite all the same
    assert all(a.n_iter < b.n_iter for a, b in pairwise(far))


@pytest.mark.equation("A-5.2-11", "B-sep-2", "A-5.3.3-6")
@pytest.mark.erratum("D41")
def test_on_xor_the_updates_go_round_in_circles():
    """Not separable: a sum of conditions is 0 > 0. No end: the weights stay bounded, and after a while the same states
    come again and again; note D leaves that open."""
    assert not np.any(XOR_Y @ augment(XOR_X))  # weights 1 for all: the products of any w sum to 0
    path = [(u.i, *u.w, u.b) for u in islice(updates(XOR_X, XOR_Y), 300)]
    assert set(path[100:200]) == set(path[200:]) and len(path) == 300 and len(set(path)) < 20
    assert max(np.abs(s[1:]).max() for s in path) <= 3
    assert not fit(XOR_X, XOR_Y, max_updates=500).converged


# --- the dual form ------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.4-2", "B-dualalg-1")
def test_dual_update_and_decision_function_by_hand():
    alpha, b = dual_update(2, np.array([1.0, 0.0, 0.5]), 0.5, -1.0, eta=0.5)
    assert alpha.tolist() == [1.0, 0.0, 1.0] and b == 0.0
    y, row = np.array([1.0, 1.0, -1.0]), np.array([6.0, 5.0, 2.0])  # x_j·x of x = (1, 1) and Li Hang's samples
    assert dual_decision_function(alpha, b, y, row) == 6 - 2
    assert dual_decision_function(alpha, b, y, np.stack([row, 2 * row])).tolist() == [4.0, 8.0]


@pytest.mark.equation("A-5.3.4-1", "B-dual-1", "B-dual-2", "B-dual-4", "A-5.3.4-2")
@pytest.mark.erratum("ERR-A55", "ERR-B08", "ERR-B10")
def test_weights_are_what_the_updates_have_added_up():
    """α_i = n_i η >= 0, n_i the updates by sample i (A leaves α undefined): w = Σ α_i y_i x_i and b = Σ α_i y_i
    after every update. The n_i, from i = 1 on, add up to the number of updates (printed n, which is the dimension)."""
    eta, counts, Z = 0.5, np.zeros(3), np.array([[5.0, -7.0], [0.0, 1.0]])
    for k, u in enumerate(every(updates(LI_X, LI_Y, eta)), 1):
        counts[u.i] += 1
        w, b = primal(eta * counts, LI_Y, LI_X)
        assert (w.tolist(), b, sum(counts)) == (u.w.tolist(), u.b, k)
        f = dual_decision_function(eta * counts, b, LI_Y, Z @ LI_X.T)
        assert f.tolist() == decision_function(w, b, Z).tolist()
    assert (counts.tolist(), k) == ([2, 0, 5], 7)
    assert counts[1:].sum() != k  # the first index matters
    assert k != LI_X.shape[1]  # n is not n


@pytest.mark.equation("A-5.3.4-3", "A-5.3.4-2")
def test_only_inner_products_are_needed():
    """Rotate the samples: other coordinates, the same inner products, the same run. (A rotation by 90°: exact.)"""
    rotated = LI_X @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    np.testing.assert_array_equal(gram(linear, rotated), LI_G)
    assert fit_dual(gram(linear, rotated), LI_Y).alpha.tolist() == [2, 0, 5]
    assert fit(rotated, LI_Y).w.tolist() == [-1, 1]


@pytest.mark.equation("A-5.3.4-2", "A-5.3.4-4")
@pytest.mark.erratum("ERR-A53", "ERR-A54")
def test_the_condition_needs_all_pairs_of_indices():
    """Printed: x_j·x, with an x that is no sample, and G = [x_i·x_i], its diagonal. With the diagonal alone the
    mistakes are others; with x_j·x_i they are those of the primal."""
    pairs = [u.i for u in every(dual_updates(LI_G, LI_Y))]
    diagonal = [u.i for u in islice(dual_updates(np.diag(np.diag(LI_G)), LI_Y), 20)]
    assert pairs == [u.i for u in every(updates(LI_X, LI_Y))] != diagonal
    scores = {(np.array([1.0, 0.0, 0.0]) * LI_Y) @ (LI_X @ x) for x in LI_X}
    assert len(scores) == 3  # Σ α_j y_j x_j·x is no number until x is one of the x_i


@pytest.mark.equation("B-dual-3")
@pytest.mark.erratum("ERR-B09")
def test_more_updates_do_not_mean_closer_to_the_plane():
    """Printed: the more often a sample is updated, the closer it lies. Here 17 updates at 0.63 beside 15 at 0.32;
    with η = 1 α_i counts them, and that is all it says."""
    x, y = np.array([[-2.0, -2.0], [-2.0, -1.0], [1.0, -2.0]]), np.array([1.0, -1.0, -1.0])
    counts = np.bincount([u.i for u in every(updates(x, y))])
    result = fit_dual(x @ x.T, y, eta=1.0)
    assert result.alpha.tolist() == counts.tolist() == [15, 17, 5]
    d = distance(*primal(result.alpha, y, x), x)
    np.testing.assert_allclose(d, np.array([1, 2, 2]) / np.sqrt(10), rtol=1e-14)


# --- certificates -------------------------------------------------------------------------------------------


def verify(proof, X, y):
    """Both kinds of certificate, checked by one product: that of a plane in fractions, and no row may be 0 or less."""
    if proof.separable:
        u = exact(np.append(proof.w, proof.b))
        assert np.linalg.norm(u.astype(float)) == pytest.approx(1, rel=1e-12) and proof.margin > 0
        least = min(exact(y) * (exact(augment(X)) @ u))
        rounding = 8 * np.finfo(float).eps * np.abs(augment(X) * u.astype(float)).sum(axis=1).max()
        assert least > 0 and float(least) == pytest.approx(proof.margin, rel=1e-12, abs=rounding)
    else:
        a, Z = proof.weights, y[:, None] * augment(X)
        assert (a >= 0).all() and a.sum() == pytest.approx(1, rel=1e-12)
        np.testing.assert_allclose(a @ (Z / np.maximum(np.abs(Z).max(axis=0), 1e-300)), 0, atol=1e-12)


def test_certificate_by_hand():
    """Separable: -1 at 0, +1 at 2, best line x = 1. Not: +1 at 0 and 2, -1 between them, their mean."""
    yes = certificate([[0.0], [2.0]], [-1, 1])
    assert yes.separable and yes.weights is None
    np.testing.assert_allclose(-yes.b / yes.w, [1], rtol=1e-14)
    no = certificate([[0.0], [2.0], [1.0]], [1, 1, -1])
    assert not no.separable and no.w is no.b is no.margin is None
    np.testing.assert_allclose(no.weights, [1 / 4, 1 / 4, 1 / 2], rtol=1e-14)
    np.testing.assert_allclose(certificate(XOR_X, XOR_Y).weights, [1 / 4] * 4, rtol=1e-14)
    touching = certificate([[1.0, 2.0], [5.0, 5.0], [1.0, 2.0]], [1, 1, -1])  # one place with both labels
    np.testing.assert_allclose(touching.weights, [1 / 2, 0, 1 / 2], atol=1e-15)


@pytest.mark.equation("A-5.2-1", "A-5.2-2", "B-sep-1", "D-4-2")
@pytest.mark.parametrize("seed", [*range(6), *slow(range(6, 30))])
def test_certificates_prove_what_they_say_in_any_units(seed):
    """Separable: fit ends within the bound that the certificate gives. Not: no weights can make a·(y f) positive."""
    rng = np.random.default_rng(seed)
    X, y = integer_set(rng, most=8)
    d, proof = X.shape[1], certificate(X, y)
    verify(proof, X, y)
    most = novikoff_bound(proof.w, proof.b, X, y) if proof.separable else 500
    assert fit(X, y, max_updates=int(most)).converged == proof.separable
    sheared = (X * [1, -3, 1000][:d] + [7, -50, 1e6][:d]) @ (np.eye(d) + np.triu(np.ones((d, d)), 1))
    units = 2.0 ** (rng.integers(-60, 61, d) + rng.choice([0, -140, 140]))
    for Z in (sheared, X + 1e8, np.column_stack([X, np.full(len(X), 1e8)]), X * units):
        verify(certificate(Z, y), Z, y)
        assert certificate(Z, y).separable == proof.separable


@pytest.mark.parametrize("seed", [*range(0, 30, 4), *slow(s for s in range(30) if s % 4)])
@pytest.mark.parametrize("gap", [2.0**-25, 2.0**-35, 2.0**-45])
def test_a_narrow_gap_is_no_proof_of_the_contrary(gap, seed):
    """Two or three samples at either end of a gap of 1e-8 to 1e-14 of the width, others beyond: separated by x_1 = 0 in
    exact numbers. To 1e-11 the plane is found; below, at worst, rounding hides it."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(8) % 2, 1.0, -1.0)
    X = rng.integers(-3, 4, size=(8, 3)).astype(float)
    X[:, 0] = y * (gap + rng.choice([0, 0, 1, 3], size=8))
    try:
        assert certificate(X, y).separable
    except np.linalg.LinAlgError as error:
        assert gap < 1e-11 and "lost in rounding" in str(error)


# --- metamorphic relations ----------------------------------------------------------------------------------

SETS = {"Li Hang": (LI_X, LI_Y), "XOR": (XOR_X, XOR_Y), "integers": integer_set(np.random.default_rng(2), most=10)}
sets = pytest.mark.parametrize("X, y", SETS.values(), ids=SETS)


def path(X, y, **settings):
    return list(islice(updates(X, y, **settings), 60))


@sets
def test_permuted_samples_in_the_permuted_order_make_the_same_run(X, y):
    order = np.random.default_rng(0).permutation(len(X))
    permuted = path(X[order], y[order], order=np.argsort(order))
    assert [order[u.i] for u in permuted] == [u.i for u in path(X, y)]


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


@pytest.mark.slow
def test_the_lines_for_scikit_learn_say_what_the_chapter_says():
    """The block of the chapter, as it stands there."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    cells = json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
    (told,) = ["".join(cell["source"]) for cell in cells if cell["id"] == "ch09-sklearn"]
    (block,) = re.findall(r"```python\n(.*?)```", told, re.DOTALL)
    names = {"X": LI_X, "y": LI_Y}
    exec(block, names)
    *_, last = updates(LI_X, LI_Y, order=[0, 2, 1])
    assert names["w"].tolist() == last.w.tolist() == [3, 1] and names["b"] == last.b == -5

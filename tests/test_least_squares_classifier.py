"""Chapter 06, least-squares classification: the equations of notes C 1, C 2 and C 3.3, and when it goes wrong."""

from fractions import Fraction

import numpy as np
import pytest

from linmodels import datasets, linear_regression, logistic_regression, softmax_regression
from linmodels import least_squares_classifier as lsc
from linmodels.derivatives import central_difference
from linmodels.design import augment, monomials, one_hot, signs
from linmodels.least_squares_classifier import (
    closed_form,
    decision_function,
    fisher_targets,
    fit,
    logistic_loss,
    predict,
    squared_loss,
    zero_one_loss,
)

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(40, 2))
LABELS = np.append(RNG.integers(0, 3, 37), [0, 1, 2])
POINTS[LABELS == 1] += [1.0, 2.0]
POINTS[LABELS == 2] += [-2.0, 1.0]
X, T = augment(POINTS), one_hot(LABELS)
BITS = (LABELS > 0).astype(float)

both_forms = pytest.mark.parametrize("fit", [fit, closed_form])

LINE = np.array([-5, -4.5, -4, -3.5, -3, -1, -0.5, 0, 0.5, 1, 3, 3.5, 4, 4.5, 5])  # three classes side by side
THIRDS = np.repeat([0, 1, 2], 5)


def exact_line(x, t):
    """Slope and intercept of the least-squares line, in fractions."""
    x, t = [Fraction(v) for v in x], [Fraction(int(v)) for v in t]
    n, sx, st = len(x), sum(x), sum(t)
    slope = (n * sum(a * b for a, b in zip(x, t, strict=True)) - sx * st) / (n * sum(a * a for a in x) - sx**2)
    return slope, (st - slope * sx) / n


# --- the model ----------------------------------------------------------------------------------------------


@both_forms
@pytest.mark.equation("C-1-5", "C-2-1")
def test_three_samples_by_hand(fit):
    """x = 0, 1, 2 of the classes 0, 1, 1: the line through 0, 1, 1 is x/2 + 1/6, the other one 1 less it."""
    Z = augment([[0], [1], [2]])
    W = fit(Z, one_hot([0, 1, 1]))
    np.testing.assert_allclose(W, [[-1 / 2, 1 / 2], [5 / 6, 1 / 6]], rtol=1e-13)
    np.testing.assert_allclose(decision_function(W, Z), [[5 / 6, 1 / 6], [1 / 3, 2 / 3], [-1 / 6, 7 / 6]], rtol=1e-12)
    assert predict(W, Z).tolist() == [0, 1, 1]


@pytest.mark.equation("C-1-5")
def test_decision_function_is_linear_in_x_with_a_bias_per_class():
    W = RNG.normal(size=(3, 3))
    for n, x in enumerate(POINTS):
        np.testing.assert_allclose(decision_function(W, X)[n], [W[:2, k] @ x + W[2, k] for k in range(3)], rtol=1e-12)


@pytest.mark.equation("C-2-1")
def test_the_prediction_is_the_largest_output():
    W = fit(X, T)
    np.testing.assert_array_equal(predict(W, X), [max(range(3), key=lambda k: W[:, k] @ x) for x in X])
    assert predict(np.array([[1.0, 1.0, 0.0]]), np.array([[1.0], [-1.0]])).tolist() == [0, 2]  # a tie: the first
    with pytest.raises(ValueError, match="X holds nan at row 1, column 0; remove or replace it"):
        predict(W, np.vstack([X[:1], np.nan * X[:1]]))


@both_forms
@pytest.mark.equation("C-2-1")
def test_the_normal_equations_hold(fit):
    W = fit(X, T)
    np.testing.assert_allclose(X.T @ (X @ W - T), 0, atol=1e-13)
    np.testing.assert_allclose(W, np.linalg.solve(X.T @ X, X.T @ T), rtol=1e-11)
    np.testing.assert_allclose(W, np.linalg.pinv(X) @ T, rtol=1e-11)


@both_forms
@pytest.mark.equation("C-2-1")
def test_each_column_is_a_regression_of_its_own_and_no_other_has_less_loss(fit):
    W = fit(X, T)
    for k in range(3):
        np.testing.assert_allclose(W[:, k], linear_regression.least_squares(X, T[:, k]), rtol=1e-11)
    squares = lambda W: np.sum((X @ W - T) ** 2)  # noqa: E731
    np.testing.assert_allclose(central_difference(squares, W), 0, atol=1e-8)
    assert squares(W) < squares(W + 0.01 * np.random.default_rng(1).normal(size=W.shape))


@pytest.mark.equation("C-1-4", "C-2-1")
@pytest.mark.erratum("C01")
def test_the_coding_is_one_of_k():
    """Printed "K-to-1": one number for K classes. That depends on how they are numbered, and one of K entries does not.

    x = 0, 1, 2 of the classes 0, 1, 2: the line is x itself. Numbered 0, 2, 1 it is x/2 + 1/2, and the sample of class
    2 gets the number 1.
    """
    Z = augment([[0], [1], [2]])
    np.testing.assert_array_equal(one_hot([0, 2, 1]).sum(axis=1), 1)
    assert one_hot([0, 2, 1]).shape == (3, 3)
    np.testing.assert_allclose(Z @ linear_regression.least_squares(Z, [0, 1, 2]), [0, 1, 2], atol=1e-14)
    np.testing.assert_allclose(Z @ linear_regression.least_squares(Z, [0, 2, 1]), [1 / 2, 1, 3 / 2], rtol=1e-14)
    with pytest.raises(ValueError, match=r"T must be of shape \(N, K\).*found shape \(3,\); design\.one_hot"):
        fit(Z, [0, 1, 2])
    for order in ([0, 2, 1], [2, 0, 1]):
        renumbered = fit(X, T[:, order])
        np.testing.assert_allclose(renumbered, fit(X, T)[:, order], rtol=1e-12)
        np.testing.assert_array_equal(np.array(order)[predict(renumbered, X)], predict(fit(X, T), X))


@pytest.mark.equation("C-1-4")
@pytest.mark.erratum("C03")
def test_targets_are_vectors_predictions_numbers():
    """Printed a plain t for the code (0, ..., 1, ..., 0)ᵀ: it is a row of T, and the label y = h(x) one number."""
    assert T[0].shape == (3,)
    assert np.ndim(predict(fit(X, T), X)[0]) == 0


# --- outputs are no probabilities ---------------------------------------------------------------------------


@pytest.mark.equation("C-1-5", "C-2-1")
def test_outputs_sum_to_one():
    """T1 = 1 and the column of ones is regressed on itself exactly: W1 = (0, ..., 0, 1)."""
    W = fit(X, T)
    np.testing.assert_allclose(W.sum(axis=1), [0, 0, 1], atol=1e-14)
    elsewhere = augment(100 * np.random.default_rng(2).normal(size=(20, 2)))
    np.testing.assert_allclose(decision_function(W, elsewhere).sum(axis=1), 1, atol=1e-12)


def test_without_the_column_of_ones_they_do_not():
    """x = 1, 2 of the classes 0, 1: w = Σxt/Σx² = (1, 2)/5, so 3/5 at x = 1; any other constant column will do."""
    x, t = np.array([[1.0], [2.0]]), one_hot([0, 1])
    W = fit(x, t)
    np.testing.assert_allclose(W, [[1 / 5, 2 / 5]], rtol=1e-14)
    np.testing.assert_allclose(decision_function(W, x).sum(axis=1), [3 / 5, 6 / 5], rtol=1e-14)
    sevens = np.column_stack([np.full(40, 7.0), POINTS])
    np.testing.assert_allclose(decision_function(fit(sevens, T), sevens).sum(axis=1), 1, rtol=1e-13)


def test_where_columns_are_dependent_they_sum_to_one_at_the_samples_only():
    """One sample x = 1 of class 0: the shortest w with w_1 + w_0 = 1 is (1, 1)/2, which is 2 at x = 3."""
    W = fit([[1.0, 1.0]], [[1.0, 0.0]])
    np.testing.assert_allclose(W, [[1 / 2, 0], [1 / 2, 0]], atol=1e-15)
    assert decision_function(W, np.array([[1.0, 1.0], [3.0, 1.0]])).sum(axis=1) == pytest.approx([1, 2])


def test_outputs_leave_the_unit_interval():
    """At the samples already (7/6 and -1/6 above), and without bound farther out; softmax never does."""
    x = augment([[-100.0], [0.0], [1.0], [2.0], [100.0]])
    f = decision_function(fit(x[1:4], one_hot([0, 1, 1])), x)
    np.testing.assert_allclose(f[[0, 3, 4], 1], [1 / 6 - 50, 7 / 6, 1 / 6 + 50], rtol=1e-12)
    W = fit(X, T)
    assert decision_function(W, X).min() < 0
    p = softmax_regression.posterior(W, X)
    assert 0 < p.min() and p.max() < 1


# --- two classes --------------------------------------------------------------------------------------------


def test_two_classes_are_a_regression_on_signs():
    """w_1 - w_0 = X⁺(t_1 - t_0) is the regression on ±1: class 1 where it is above 0, and, with a constant column,
    where the regression on 0/1, half of 1 more, is above 1/2."""
    W = fit(X, one_hot(BITS))
    w = linear_regression.least_squares(X, signs(BITS))
    np.testing.assert_allclose(W[:, 1] - W[:, 0], w, rtol=1e-11)
    np.testing.assert_allclose(W[:, 1], (w + np.eye(3)[2]) / 2, rtol=1e-11)
    np.testing.assert_array_equal(predict(W, X), X @ w > 0)
    np.testing.assert_array_equal(predict(W, X), X @ linear_regression.least_squares(X, BITS) > 1 / 2)
    assert 0 < predict(W, X).mean() < 1


def test_without_a_constant_column_the_two_thresholds_differ():
    """x = 1, 2 of the classes 0, 1: on signs w = 1/5, above 0 at both; on 0/1 w = 2/5, above 1/2 at x = 2 only."""
    x, t = np.array([[1.0], [2.0]]), np.array([0.0, 1.0])
    assert predict(fit(x, one_hot(t)), x).tolist() == [1, 1]
    assert (x @ linear_regression.least_squares(x, signs(t)) > 0).tolist() == [True, True]
    assert (x @ linear_regression.least_squares(x, t) > 1 / 2).tolist() == [False, True]


@pytest.mark.equation("C-3.3-1")
def test_on_symmetric_data_it_draws_the_line_of_logistic_regression():
    """x = -2, -1, 1 of class 0 and -1, 1, 2 of class 1: turning the line round swaps the classes, so both cut at 0.

    Regression on signs: Σxy/Σx² = 4/12, and the slope of logistic regression is not that, but of its sign.
    """
    x, t = np.array([-2.0, -1, 1, -1, 1, 2]), np.repeat([0.0, 1.0], 3)
    W, w = fit(augment(x[:, None]), one_hot(t)), logistic_regression.fit(augment(x[:, None]), t).w
    np.testing.assert_allclose(W[:, 1] - W[:, 0], [1 / 3, 0], atol=1e-14)
    assert w[0] > 1 / 3
    assert w[1] == pytest.approx(0, abs=1e-9)


# --- Fisher's targets ---------------------------------------------------------------------------------------


def within(points, t):
    """S_w, the scatters of both classes added up, and μ_0 - μ_1."""
    parts = [points[t == k] for k in (0, 1)]
    scatter = sum((part - part.mean(axis=0)).T @ (part - part.mean(axis=0)) for part in parts)
    return scatter, parts[0].mean(axis=0) - parts[1].mean(axis=0)


def parallel(v, w):
    return np.abs(v / np.linalg.norm(v) - w / np.linalg.norm(w)).max()


def test_fisher_targets_by_hand():
    assert fisher_targets([0, 1, 1, 1]).tolist() == [4, -4 / 3, -4 / 3, -4 / 3]
    assert fisher_targets([1, 0]).tolist() == [-2, 2]
    assert fisher_targets(BITS).sum() == pytest.approx(0, abs=1e-12)


def test_fisher_targets_make_least_squares_fishers_direction_by_hand():
    """Class 0: (0, 0), (2, 0), (1, 3), class 1: (4, 0), (6, 2), (5, 1), so μ_0 - μ_1 = (-4, 0), S_w = (4, 2; 2, 8)
    and S_w⁻¹(μ_0 - μ_1) = (-8, 2)/7.

    With w = a·that, (S_w + (N_0 N_1/N) δδᵀ)w = Nδ reads a(1 + 3/2 · 32/7) = 6: a = 42/55, and b = -w·(3, 1).
    """
    points, t = np.array([[0.0, 0], [2, 0], [1, 3], [4, 0], [6, 2], [5, 1]]), np.repeat([0.0, 1.0], 3)
    S, delta = within(points, t)
    assert (S.tolist(), delta.tolist()) == ([[4, 2], [2, 8]], [-4, 0])
    w = linear_regression.least_squares(augment(points), fisher_targets(t))
    np.testing.assert_allclose(55 * w, [-48, 12, 132], rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_fisher_targets_of_classes_of_any_size(seed):
    """S_w is a sum of scatters: the mean of two covariances is another matrix where the classes differ in size."""
    rng = np.random.default_rng(seed)
    t = np.repeat([0.0, 1.0], [7, 30])
    points = rng.normal(size=(37, 3)) @ rng.normal(size=(3, 3)) + np.outer(t, rng.normal(size=3))
    points[t == 1] *= [1.0, 3.0, 0.5]
    w = linear_regression.least_squares(augment(points), fisher_targets(t))
    S, delta = within(points, t)
    assert parallel(w[:3], np.linalg.solve(S, delta)) < 1e-11
    covariances = sum(np.cov(points[t == k].T) for k in (0, 1))
    assert parallel(w[:3], np.linalg.solve(covariances, delta)) > 1e-3
    assert w[3] == pytest.approx(-w[:3] @ points.mean(axis=0), rel=1e-10)  # the cut through the mean of all


def test_signs_give_the_same_direction_with_another_bias():
    """Targets of two values are c y + c': c scales w, c' goes into the bias, whatever the sizes of the classes."""
    w = linear_regression.least_squares(X, fisher_targets(BITS))
    v = linear_regression.least_squares(X, -signs(BITS))
    assert parallel(w[:2], v[:2]) < 1e-12
    assert abs(w[2] / w[0] - v[2] / v[0]) > 1e-3


def test_two_species_as_published():
    """Fisher (1936), setosa against versicolor: x_1 + 5.9037 x_2 - 7.1299 x_3 - 10.1036 x_4."""
    table = datasets.iris()
    two = table.y < 2
    assert table.classes[:2] == ("setosa", "versicolor")
    w = linear_regression.least_squares(augment(table.X[two]), fisher_targets(table.y[two]))
    np.testing.assert_allclose(w[:4] / w[0], [1, 5.9037, -7.1299, -10.1036], atol=1.1e-4)


@pytest.mark.parametrize(
    "t, message",
    [
        ([1, 1, 1], "t holds only 1; both classes, 0 and 1, are expected"),
        ([0.0], "t holds only 0; both classes, 0 and 1, are expected"),
        ([-1, 1], r"t must hold 0 and 1 only, found \[-1\.  1\.\]; keep two"),
        ([0, 1, 2], "t must hold 0 and 1 only"),
        ([[0, 1]], r"t must be of shape \(N,\); found shape \(1, 2\); t\.ravel\(\) converts"),
        ([], "t is empty"),
        ([0, np.nan], "t holds nan at position 1"),
    ],
)
def test_fisher_targets_need_two_classes(t, message):
    with pytest.raises(ValueError, match=message):
        fisher_targets(t)


# --- outliers and masking -----------------------------------------------------------------------------------


@pytest.mark.equation("C-2-1")
@pytest.mark.erratum("A20")
def test_linear_regression_of_labels_is_a_poor_classifier():
    """Printed: linear regression also classifies. It fits 0 and 1 like measurements, and one sample far on its own side
    turns another into a mistake, though x = 0 parts the classes.

    x = -2, -1 of class 0, 1, 2 and M of class 1: slope (2M + 15)/(4M² + 50), mean 3/5 at M/5, so the line is at 1/2
    where x = (3M - 5)/(2M + 15): at 0.19 for M = 3, at 1 for M = 20, and beyond it for a larger M, up to 3/2.
    """
    x, t = [-2, -1, 1, 2], [0, 0, 1, 1, 1]
    for M, found in ((3, [0, 0, 1, 1, 1]), (30, [0, 0, 0, 1, 1]), (3000, [0, 0, 0, 1, 1])):
        slope, intercept = exact_line([*x, M], t)
        cut = (Fraction(1, 2) - intercept) / slope
        assert (slope, cut) == (Fraction(2 * M + 15, 4 * M**2 + 50), Fraction(3 * M - 5, 2 * M + 15))
        Z = augment([[v] for v in [*x, M]])
        W = fit(Z, one_hot(t))
        np.testing.assert_allclose(W[:, 1], [float(slope), float(intercept)], rtol=1e-10)
        assert predict(W, Z).tolist() == found
        w = logistic_regression.fit(Z, t, [0.1, 0.0]).w  # separable: with a price on the slope there is a minimum
        assert logistic_regression.predict(w, Z).tolist() == t


@pytest.mark.equation("C-3.3-2")
def test_outliers_turn_least_squares_and_not_logistic_regression():
    """The figure of Bishop (2006), 4.4: the line of least squares turns by 44.2471320768497 degrees.

    Each outlier adds (1 - p)x to the gradient of the likelihood, and 1 - p < e^-w·x is less than 1e-9 there; to that of
    the squares it adds (w·x - 1)x.
    """
    table = datasets.outliers()
    Z, t = augment(table.X), table.y
    assert (t[:25] == 0).all() and (t[25:] == 1).all()

    def turned(weights):
        u, v = (weights(Z[:n], t[:n])[:2] for n in (50, 55))
        return np.degrees(abs(np.arctan2(u[0] * v[1] - u[1] * v[0], u @ v)))

    def by_least_squares(Z, t):
        W = fit(Z, one_hot(t))
        return W[:, 1] - W[:, 0]

    for weights in (by_least_squares, lambda Z, t: linear_regression.least_squares(Z, signs(t))):
        assert turned(weights) == pytest.approx(44.2471320768497, abs=1e-8)
    assert turned(lambda Z, t: logistic_regression.fit(Z, t).w) < 1e-3
    w = logistic_regression.fit(Z[:50], t[:50]).w
    assert np.exp(-Z[50:] @ w).max() < 1e-9
    assert (Z[50:] @ by_least_squares(Z[:50], t[:50])).min() > 1  # far beyond the right side, and yet charged


@pytest.mark.equation("C-3.3-3")
def test_the_class_in_the_middle_is_masked():
    """Fifteen points, symmetric about 0: Σx² = 335/2, Σx over class 0 is -20, over the middle one 0.

    The fitted lines are 1/3 - 8x/67, 1/3 and 1/3 + 8x/67: away from x = 0 the middle one is never the largest.
    """
    exact = [exact_line(LINE, THIRDS == k) for k in range(3)]
    third = Fraction(1, 3)
    assert exact == [(Fraction(-8, 67), third), (Fraction(0), third), (Fraction(8, 67), third)]
    for x in map(Fraction, LINE):
        f = [slope * x + intercept for slope, intercept in exact]
        assert sum(f) == 1
        assert (f[1] < max(f)) == (x != 0)
    Z = augment(LINE[:, None])
    W = fit(Z, one_hot(THIRDS))
    np.testing.assert_allclose(W, np.array(exact, float).T, atol=1e-15)
    found = predict(W, Z)
    assert np.sum(found[THIRDS == 1] == 1) <= 1  # x = 0 is a tie
    np.testing.assert_array_equal(found[THIRDS != 1], THIRDS[THIRDS != 1])


@pytest.mark.equation("C-3.3-3")
@pytest.mark.erratum("C14")
def test_which_method_masks_can_be_computed_if_not_seen():
    """Printed: least squares is the right panel; the figure is lost. What the text says of the methods holds: of three
    classes that lines separate least squares loses the middle one, and the logistic model none."""
    Z, t = augment(LINE[:, None]), one_hot(THIRDS)
    assert np.sum(predict(fit(Z, t), Z) != THIRDS) >= 4
    found = softmax_regression.fit(Z, t)
    assert found.direction is not None  # some class is separable; samples may lie on the boundaries of the proof
    np.testing.assert_array_equal(softmax_regression.predict(found.W, Z), THIRDS)
    np.testing.assert_array_equal(softmax_regression.predict(softmax_regression.fit(Z, t, 0.01).W, Z), THIRDS)
    squares = augment(monomials(LINE[:, None], 2))  # nor is it the method alone: with x² no class is masked
    np.testing.assert_array_equal(predict(fit(squares, t), squares), THIRDS)


# --- the losses as functions of the margin ------------------------------------------------------------------

MARGINS = np.array([-3.0, -1.0, -1e-9, 0.0, 1e-9, 0.5, 1.0, 3.0])


@pytest.mark.equation("C-3.3-2")
def test_losses_by_hand():
    assert squared_loss([-1, 0, 1, 3]).tolist() == [4, 1, 0, 4]
    np.testing.assert_allclose(logistic_loss([0.0, np.log(3), -np.log(3)]), np.log([2, 4 / 3, 4]), rtol=1e-15)
    assert zero_one_loss([-1, -1e-9, 0, 1e-9, 1]).tolist() == [1, 1, 1, 0, 0]
    assert (squared_loss(3), logistic_loss(0), zero_one_loss(0)) == (4, np.log(2), 1)


@pytest.mark.equation("C-3.3-2")
def test_the_squared_loss_grows_again_on_the_right_side():
    """Its slope is 2(m - 1), positive beyond m = 1: m = 3 costs as much as the mistake m = -1. The slope of the
    logistic loss is -σ(-m), negative everywhere, and dying out."""
    for m in MARGINS:
        assert central_difference(squared_loss, m) == pytest.approx(2 * (m - 1), abs=1e-8)
        assert central_difference(logistic_loss, m) == pytest.approx(-1 / (1 + np.exp(m)), abs=1e-8)
    assert squared_loss(3.0) == squared_loss(-1.0)
    many = np.linspace(-10, 30, 81)
    assert (np.diff(squared_loss(many[many >= 1])) > 0).all() and (np.diff(squared_loss(many[many <= 1])) < 0).all()
    assert (np.diff(logistic_loss(many)) < 0).all() and (np.diff(zero_one_loss(many)) <= 0).all()


@pytest.mark.equation("C-3.3-2")
def test_both_losses_bound_the_number_of_mistakes():
    """m <= 0: 1 + e^-m >= 2 and (1 - m)² >= 1. m > 0: no loss is negative. So ln 2 and 1 times the mistakes."""
    m = np.concatenate([MARGINS, np.linspace(-20, 20, 401)])
    assert (logistic_loss(m) >= np.log(2) * zero_one_loss(m)).all()
    assert (squared_loss(m) >= zero_one_loss(m)).all()
    assert logistic_loss(0.0) == np.log(2) * zero_one_loss(0.0)  # with no larger factor
    assert (logistic_loss(m) < zero_one_loss(m)).any()


def test_the_losses_are_what_the_two_methods_add_up():
    w, y = np.array([0.7, -0.4, 0.3]), signs(BITS)
    f = X @ w
    assert squared_loss(y * f).sum() == pytest.approx(np.sum((f - y) ** 2), rel=1e-13)
    assert squared_loss(y * f).sum() == pytest.approx(linear_regression.loss(w, X, y), rel=1e-13)
    assert logistic_loss(y * f).sum() == pytest.approx(logistic_regression.loss(w, X, BITS), rel=1e-13)
    assert zero_one_loss(y * f).sum() == np.sum((f > 0) != BITS)


def test_losses_of_extreme_margins():
    assert logistic_loss([1000.0, -1000.0]).tolist() == [0, 1000]
    assert squared_loss(-1e100) == 1e200
    assert zero_one_loss([-1e300, 1e300]).tolist() == [1, 0]
    assert np.isnan([f(np.nan) for f in (zero_one_loss, logistic_loss, squared_loss)]).all()


# --- metamorphic relations ----------------------------------------------------------------------------------


def test_order_of_samples_features_and_classes_and_samples_twice():
    W, order = fit(X, T), np.random.default_rng(3).permutation(40)
    np.testing.assert_allclose(fit(X[order], T[order]), W, rtol=1e-11)
    np.testing.assert_allclose(fit(X[:, [2, 0, 1]], T), W[[2, 0, 1]], rtol=1e-11)
    np.testing.assert_allclose(fit(X, T[:, [1, 2, 0]]), W[:, [1, 2, 0]], rtol=1e-11)
    np.testing.assert_allclose(fit(np.vstack([X, X]), np.vstack([T, T])), W, rtol=1e-11)


def test_any_affine_map_of_the_features_changes_no_output():
    (B, c) = np.split(np.random.default_rng(1).normal(size=(3, 2)), [2])
    Z = augment(POINTS @ B + c)
    np.testing.assert_allclose(decision_function(fit(Z, T), Z), decision_function(fit(X, T), X), atol=1e-12)


@pytest.mark.parametrize("offset", [1e4, 1e6, 1e8])
def test_features_far_from_zero(offset):
    """Whole numbers, so that the shift is exact: the slopes stay."""
    Z = np.round(4 * POINTS)
    near, far = fit(augment(Z), T), fit(augment(Z + offset), T)
    np.testing.assert_allclose(far[:2], near[:2], rtol=1e-10)
    np.testing.assert_allclose(far[2], near[2] - offset * near[:2].sum(axis=0), rtol=1e-10)
    f = decision_function(far, augment(Z + offset))
    rounding = np.finfo(float).eps * offset * np.abs(near).max()  # of w·x, whose terms are that large
    np.testing.assert_allclose(f, decision_function(near, augment(Z)), atol=1e-12 + 20 * rounding)


# --- rank ---------------------------------------------------------------------------------------------------


def shortest(W, X, T):
    """X⁺T: the normal equations hold, and W has no part in the null space."""
    np.testing.assert_allclose(X.T @ (X @ W - T), 0, atol=1e-12)
    np.testing.assert_allclose(linear_regression.null_space(X).T @ W, 0, atol=1e-12)
    np.testing.assert_allclose(W, np.linalg.pinv(X) @ T, atol=1e-12)


@both_forms
@pytest.mark.equation("C-2-1")
def test_fewer_samples_than_columns_give_the_shortest(fit):
    Z, t = np.random.default_rng(4).normal(size=(5, 20)), one_hot([0, 1, 2, 1, 0])
    W = fit(Z, t)
    shortest(W, Z, t)
    np.testing.assert_allclose(Z @ W, t, atol=1e-12)  # every sample is met


@both_forms
@pytest.mark.equation("C-2-1")
@pytest.mark.parametrize(
    "extra",
    [X[:, 0], X[:, 2], 2 * X[:, 0] - X[:, 2], 0 * X[:, 0]],
    ids=["a feature twice", "ones twice", "a mix", "zeros"],
)
def test_dependent_columns_give_the_shortest(fit, extra):
    twice = np.column_stack([X, extra])
    W = fit(twice, T)
    shortest(W, twice, T)
    np.testing.assert_allclose(twice @ W, X @ fit(X, T), atol=1e-12)


@pytest.mark.equation("C-2-1")
def test_the_closed_form_does_not_guess_the_rank_of_columns_in_very_different_units():
    with pytest.raises(np.linalg.LinAlgError, match="the rank cannot be told; rescale X first"):
        closed_form(POINTS * [1.0, 1e-20], T)


def test_nearly_dependent_columns_are_solved_to_the_last_digits():
    """X = (1, 1; 1, 1 + δ), T = I: W = X⁻¹ = (1 + 1/δ, -1/δ; -1/δ, 1/δ). δ is a power of 2, so that X is exact."""
    for bits in (13, 19, 25):
        n = 2.0**bits
        W = fit([[1, 1], [1, 1 + 1 / n]], np.eye(2))
        np.testing.assert_allclose(W, [[1 + n, -n], [-n, n]], rtol=1e-15 * 8 * n)


def test_a_class_without_samples_has_the_output_zero():
    W = fit(X, one_hot(LABELS, 4))
    np.testing.assert_array_equal(W[:, 3], 0)
    np.testing.assert_allclose(W[:, :3], fit(X, T), rtol=1e-12)


# --- doors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "X, T, message",
    [
        (X, LABELS, r"T must be of shape \(N, K\), N = 40 as in X; found shape \(40,\); design\.one_hot"),
        (X, np.ones((40, 1)), r"T must have K >= 2 columns, one per class, found shape \(40, 1\); design\.one_hot"),
        (X, np.full((40, 3), 1 / 3), r"T must hold a single 1 per row and zeros, found \[0\.33.* in row 0; design"),
        (X, np.where(np.arange(40)[:, None] == 7, np.nan, T), "T holds nan at row 7, column 0"),
        (X, T[:39], r"T must be of shape \(N, K\), N = 40 as in X; found shape \(39, 3\)"),
        (np.empty((0, 3)), T, r"X is empty, shape \(0, 3\)"),
        (X * np.inf, T, r"X holds -?inf at row 0, column 0"),
    ],
)
def test_bad_data_are_named(X, T, message):
    with np.errstate(invalid="ignore"), pytest.raises(ValueError, match=message):
        fit(X, T)


def test_inputs_in_any_layout_stay_unchanged():
    wide = np.repeat(X, 2, axis=1)
    view, target = wide[:, ::2], np.asfortranarray(T)
    for a in (view, target):
        a.setflags(write=False)
    W = fit(X, T)
    np.testing.assert_allclose(fit(view, target), W, rtol=1e-12)
    np.testing.assert_allclose(fit(X.tolist(), T.astype(int).tolist()), W, rtol=1e-12)
    np.testing.assert_allclose(fit(np.asfortranarray(X), T.astype(bool)), W, rtol=1e-12)
    Z = np.round(4 * POINTS)
    assert fit(Z.astype(np.float32), T).dtype == float
    np.testing.assert_allclose(fit(Z.astype(int), T), fit(Z, T), rtol=1e-13)


@pytest.mark.equation("C-1-1")
def test_data_go_in_and_a_predictor_comes_out():
    """D gives h, and y = h(x) is a class for any new x: the same each time, and another h for other data."""
    rng = np.random.default_rng(0)
    X, t = rng.normal(size=(30, 2)) + np.repeat([[0, 0], [3, 0], [0, 3]], 10, axis=0), np.repeat([0, 1, 2], 10)
    W = lsc.fit(augment(X), one_hot(t))
    new = augment(rng.normal(size=(50, 2)) * 3)
    y = lsc.predict(W, new)
    assert y.shape == (50,) and set(y) <= {0, 1, 2}
    np.testing.assert_array_equal(lsc.predict(W, new), y)
    other = lsc.fit(augment(X), one_hot((t + 1) % 3))
    np.testing.assert_array_equal(lsc.predict(other, new), (y + 1) % 3)

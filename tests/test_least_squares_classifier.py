"""Chapter 06, least-squares classification: the equations of notes C 1, C 2 and C 3.3, and when it goes wrong."""

import pathlib
import re
from fractions import Fraction

import numpy as np
import pytest

from linmodels import datasets, linear_regression, logistic_regression, softmax_regression
from linmodels.book import notebooks
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

ROOT = pathlib.Path(__file__).parents[1]
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
    assert predict([[1.0, 1.0, 0.0]], [[1.0], [-1.0]]).tolist() == [0, 2]  # a tie: the first


@both_forms
@pytest.mark.equation("C-2-1")
def test_each_column_is_a_regression_of_its_own_and_no_other_has_less_loss(fit):
    W = fit(X, T)
    np.testing.assert_allclose(W, np.linalg.solve(X.T @ X, X.T @ T), rtol=1e-11)
    for k in range(3):
        np.testing.assert_allclose(W[:, k], linear_regression.least_squares(X, T[:, k]), rtol=1e-11)
    np.testing.assert_allclose(central_difference(lambda W: np.sum((X @ W - T) ** 2), W), 0, atol=1e-8)
    np.testing.assert_array_equal(fit(X, one_hot(LABELS, 4))[:, 3], 0)  # a class without samples


@both_forms
@pytest.mark.equation("C-2-1")
@pytest.mark.parametrize("X, t", [
    (np.random.default_rng(4).normal(size=(5, 20)), [0, 1, 2, 1, 0]),
    (np.column_stack([X, 2 * X[:, 0] - X[:, 2]]), LABELS),
    (np.column_stack([X, 0 * X[:, 0]]), LABELS),
], ids=["fewer samples than columns", "a mix", "zeros"])  # fmt: skip
def test_dependent_columns_give_the_shortest(fit, X, t):
    """X⁺T: the normal equations hold, and W has no part in the null space."""
    T = one_hot(t)
    W = fit(X, T)
    np.testing.assert_allclose(X.T @ (X @ W - T), 0, atol=1e-12)
    np.testing.assert_allclose(linear_regression.null_space(X).T @ W, 0, atol=1e-12)
    np.testing.assert_allclose(W, np.linalg.pinv(X) @ T, atol=1e-12)


@pytest.mark.equation("C-2-1")
def test_the_closed_form_does_not_guess_the_rank_of_columns_in_very_different_units():
    with pytest.raises(np.linalg.LinAlgError, match="the rank cannot be told; rescale X first"):
        closed_form(POINTS * [1.0, 1e-20], T)


@pytest.mark.parametrize("bits", [13, 25])
def test_nearly_dependent_columns_are_solved_to_the_last_digits(bits):
    """X = (1, 1; 1, 1 + δ), T = I: W = X⁻¹ = (1 + 1/δ, -1/δ; -1/δ, 1/δ). δ is a power of 2, so that X is exact."""
    n = 2.0**bits
    np.testing.assert_allclose(fit([[1, 1], [1, 1 + 1 / n]], np.eye(2)), [[1 + n, -n], [-n, n]], rtol=1e-15 * 8 * n)


@pytest.mark.equation("C-1-4", "C-2-1")
@pytest.mark.erratum("C01")
def test_the_coding_is_one_of_k():
    """Printed "K-to-1": one number for K classes. That depends on how they are numbered, and one of K entries does not.

    x = 0, 1, 2 of the classes 0, 1, 2: the line is x itself. Numbered 0, 2, 1 it is x/2 + 1/2, and the sample of class
    2 gets the number 1.
    """
    Z = augment([[0], [1], [2]])
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


@pytest.mark.equation("C-1-1")
def test_data_go_in_and_a_predictor_comes_out():
    """D gives h, and y = h(x) is a class for any new x: the same each time, and another h for other data."""
    new = augment(np.random.default_rng(1).normal(size=(50, 2)) * 3)
    W, other = fit(X, T), fit(X, one_hot((LABELS + 1) % 3))
    y = predict(W, new)
    assert y.shape == (50,) and set(y) == {0, 1, 2}
    np.testing.assert_array_equal(predict(W, new), y)
    np.testing.assert_array_equal(predict(other, new), (y + 1) % 3)


# --- outputs are no probabilities ---------------------------------------------------------------------------


def test_without_the_column_of_ones_outputs_do_not_sum_to_one():
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
    W = fit(x[1:4], one_hot([0, 1, 1]))
    np.testing.assert_allclose(decision_function(W, x)[[0, 3, 4], 1], [1 / 6 - 50, 7 / 6, 1 / 6 + 50], rtol=1e-12)
    p = softmax_regression.posterior(W, x[1:4])
    assert 0 < p.min() and p.max() < 1


# --- two classes --------------------------------------------------------------------------------------------


def test_without_a_constant_column_the_two_thresholds_differ():
    """x = 1, 2 of the classes 0, 1: on signs w = 1/5, above 0 at both; on 0/1 w = 2/5, above 1/2 at x = 2 only. With
    it, they are one: the regression on 0/1 is half of that on signs and 1."""
    x, t = np.array([[1.0], [2.0]]), np.array([0.0, 1.0])
    assert predict(fit(x, one_hot(t)), x).tolist() == [1, 1]
    assert (x @ linear_regression.least_squares(x, signs(t)) > 0).tolist() == [True, True]
    assert (x @ linear_regression.least_squares(x, t) > 1 / 2).tolist() == [False, True]
    W = fit(X, one_hot(BITS))
    np.testing.assert_allclose(W[:, 1] - W[:, 0], linear_regression.least_squares(X, signs(BITS)), rtol=1e-11)
    found = predict(W, X)
    np.testing.assert_array_equal(found, X @ linear_regression.least_squares(X, signs(BITS)) > 0)
    np.testing.assert_array_equal(found, X @ linear_regression.least_squares(X, BITS) > 1 / 2)


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


def test_fisher_targets_by_hand():
    assert fisher_targets([0, 1, 1, 1]).tolist() == [4, -4 / 3, -4 / 3, -4 / 3]
    assert fisher_targets([1, 0]).tolist() == [-2, 2]


def test_fisher_targets_make_least_squares_fishers_direction_by_hand():
    """Class 0: (0, 0), (2, 0), (1, 3), class 1: (4, 0), (6, 2), (5, 1), so μ_0 - μ_1 = (-4, 0), S_w = (4, 2; 2, 8)
    and S_w⁻¹(μ_0 - μ_1) = (-8, 2)/7.

    With w = a·that, (S_w + (N_0 N_1/N) δδᵀ)w = Nδ reads a(1 + 3/2 · 32/7) = 6: a = 42/55, and b = -w·(3, 1).
    """
    points, t = np.array([[0.0, 0], [2, 0], [1, 3], [4, 0], [6, 2], [5, 1]]), np.repeat([0.0, 1.0], 3)
    w = linear_regression.least_squares(augment(points), fisher_targets(t))
    np.testing.assert_allclose(55 * w, [-48, 12, 132], rtol=1e-12)


def test_signs_give_the_same_direction_with_another_bias():
    """Targets of two values are c y + c': c scales w, c' goes into the bias, whatever the sizes of the classes. With
    Fisher's, the cut goes through the mean of all."""
    w = linear_regression.least_squares(X, fisher_targets(BITS))
    v = linear_regression.least_squares(X, -signs(BITS))
    np.testing.assert_allclose(w[:2] / np.linalg.norm(w[:2]), v[:2] / np.linalg.norm(v[:2]), atol=1e-12)
    assert abs(w[2] / w[0] - v[2] / v[0]) > 1e-3
    assert w[2] == pytest.approx(-w[:2] @ POINTS.mean(axis=0), rel=1e-10)


# --- outliers and masking -----------------------------------------------------------------------------------


@pytest.mark.equation("C-2-1")
@pytest.mark.erratum("A20")
@pytest.mark.parametrize("M, found", [(3, [0, 0, 1, 1, 1]), (30, [0, 0, 0, 1, 1]), (3000, [0, 0, 0, 1, 1])])
def test_linear_regression_of_labels_is_a_poor_classifier(M, found):
    """Printed: linear regression also classifies. It fits 0 and 1 like measurements, and one sample far on its own side
    turns another into a mistake, though x = 0 parts the classes.

    x = -2, -1 of class 0, 1, 2 and M of class 1: slope (2M + 15)/(4M² + 50), mean 3/5 at M/5, so the line is at 1/2
    where x = (3M - 5)/(2M + 15): at 0.19 for M = 3, at 1 for M = 20, and beyond it for a larger M, up to 3/2.
    """
    x, t = [-2, -1, 1, 2, M], [0, 0, 1, 1, 1]
    slope, intercept = exact_line(x, t)
    assert slope == Fraction(2 * M + 15, 4 * M**2 + 50)
    assert (Fraction(1, 2) - intercept) / slope == Fraction(3 * M - 5, 2 * M + 15)
    Z = augment([[v] for v in x])
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

    def turned(weights):
        u, v = (weights(Z[:n], t[:n])[:2] for n in (50, 55))
        return np.degrees(abs(np.arctan2(u[0] * v[1] - u[1] * v[0], u @ v)))

    def by_least_squares(Z, t):
        W = fit(Z, one_hot(t))
        return W[:, 1] - W[:, 0]

    assert turned(by_least_squares) == pytest.approx(44.2471320768497, abs=1e-8)
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


@pytest.mark.equation("C-3.3-2")
def test_losses_by_hand():
    assert squared_loss([-1, 0, 1, 3]).tolist() == [4, 1, 0, 4]
    np.testing.assert_allclose(logistic_loss([0.0, np.log(3), -np.log(3)]), np.log([2, 4 / 3, 4]), rtol=1e-15)
    assert zero_one_loss([-1, -1e-9, 0, 1e-9, 1]).tolist() == [1, 1, 1, 0, 0]
    assert (squared_loss(3), logistic_loss(0), zero_one_loss(0)) == (4, np.log(2), 1)
    assert logistic_loss([1000.0, -1000.0]).tolist() == [0, 1000]
    assert zero_one_loss([-1e300, 1e300]).tolist() == [1, 0]


@pytest.mark.equation("C-3.3-2")
def test_the_squared_loss_grows_again_on_the_right_side():
    """Its slope is 2(m - 1), positive beyond m = 1: m = 3 costs as much as the mistake m = -1. The slope of the
    logistic loss is -σ(-m), negative everywhere, and dying out."""
    for m in (-3.0, 0.0, 0.5, 1.0, 3.0):
        assert central_difference(squared_loss, m) == pytest.approx(2 * (m - 1), abs=1e-8)
        assert central_difference(logistic_loss, m) == pytest.approx(-1 / (1 + np.exp(m)), abs=1e-8)
    assert squared_loss(3.0) == squared_loss(-1.0)


@pytest.mark.equation("C-3.3-2")
def test_both_losses_bound_the_number_of_mistakes():
    """m <= 0: 1 + e^-m >= 2 and (1 - m)² >= 1. m > 0: no loss is negative. So ln 2 and 1 times the mistakes."""
    m = np.append(np.linspace(-20, 20, 401), [-1e-9, 1e-9])
    assert (logistic_loss(m) >= np.log(2) * zero_one_loss(m)).all()
    assert (squared_loss(m) >= zero_one_loss(m)).all()
    assert logistic_loss(0.0) == np.log(2) * zero_one_loss(0.0)  # with no larger factor
    assert (logistic_loss(m) < zero_one_loss(m)).any()


def test_the_losses_are_what_the_two_methods_add_up():
    w, y = np.array([0.7, -0.4, 0.3]), signs(BITS)
    f = X @ w
    assert squared_loss(y * f).sum() == pytest.approx(linear_regression.loss(w, X, y), rel=1e-13)
    assert logistic_loss(y * f).sum() == pytest.approx(logistic_regression.loss(w, X, BITS), rel=1e-13)
    assert zero_one_loss(y * f).sum() == np.sum((f > 0) != BITS)


@pytest.mark.slow
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn():
    """The fenced block of the chapter, as it stands there, on irises in unequal shares."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    cells = notebooks.read(ROOT / "notebooks" / "06_least_squares_classifier.ipynb")["cells"]
    (text,) = (notebooks.text(cell["source"]) for cell in cells if cell["id"] == "ch06-sklearn")
    iris = datasets.iris()
    X, t, lam = augment(iris.X[:120]), iris.y[:120], 0.7
    names = {"np": np, "X": X, "t": t, "lam": lam}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], names)
    W = np.linalg.solve(X.T @ X + np.diag([lam] * 4 + [0]), X.T @ one_hot(t))
    np.testing.assert_allclose(names["A"], X @ W, atol=1e-9)
    np.testing.assert_array_equal(names["classes"], predict(W, X))

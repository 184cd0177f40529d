"""Mathematical relations on many small cases that hypothesis invents (and shrinks where one fails).

Small integers and powers of two: every score is exact, ties happen often, and what the theory calls equal is equal.
"""

from fractions import Fraction
from itertools import islice, pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from linmodels import glm, kernel_lms, kernels, lda, svm
from linmodels import least_squares_classifier as lsc
from linmodels import linear_regression as lr
from linmodels import logistic_regression as logreg
from linmodels import naive_bayes as nb
from linmodels import perceptron as pc
from linmodels import regularization as reg
from linmodels import softmax_regression as smr
from linmodels.design import augment, monomials, one_hot, signs
from linmodels.optimize import nonnegative_least_squares
from linmodels.special import sigmoid

EPS = np.finfo(float).eps
steps = st.integers(-4, 4).map(lambda k: 2.0**k)


def whole(n, most):
    """n whole numbers, as floats."""
    return st.lists(st.integers(-most, most), min_size=n, max_size=n).map(lambda numbers: np.array(numbers, float))


@st.composite
def matrices(draw, least=1, most=8, widest=4):
    """Small integers; dependent rows and columns are common."""
    N, d = draw(st.integers(least, most)), draw(st.integers(1, widest))
    return draw(whole(N * d, 4)).reshape(N, d)


@st.composite
def problems(draw):
    """X, y of a regression."""
    X = draw(matrices())
    return X, draw(whole(len(X), 9))


@st.composite
def labelled(draw):
    """X, y of two classes, separable or not."""
    X = draw(matrices(least=2, widest=3))
    y = np.array(draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=len(X), max_size=len(X))))
    assume(abs(y.sum()) < len(y))
    return X, y


@st.composite
def separated(draw):
    """X, y and a plane (w, b) that separates them; b is an odd half, so that no integer point lies on it."""
    X = draw(matrices(least=2, widest=3))
    w = draw(whole(X.shape[1], 3))
    b = draw(st.integers(-6, 5)) + 0.5
    y = np.where(X @ w + b > 0, 1.0, -1.0)
    assume(abs(y.sum()) < len(y))
    return X, y, w, b


def exact_rank(X):
    """By elimination in fractions: no threshold."""
    rows, rank = [[Fraction(v) for v in row] for row in X], 0
    for j in range(X.shape[1]):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][j]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            ratio = rows[i][j] / rows[rank][j]
            rows[i] = [a - ratio * b for a, b in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


# --- linear regression --------------------------------------------------------------------------------------


@pytest.mark.equation("A-1.2-8", "D-1-7")
@given(problems())
def test_the_residual_of_the_shortest_solution_is_orthogonal_to_the_columns(problem):
    X, y = problem
    np.testing.assert_allclose(X.T @ (y - X @ lr.minimum_norm(X, y)), 0, atol=1e-10)


@pytest.mark.equation("A-1.2-9", "D-1-8", "A-1.2-13", "D-1-9")
@given(problems())
def test_a_unique_solution_exactly_at_full_rank(problem):
    """rank X = d: the three closed forms agree. rank X < d: an error that names the rank."""
    X, y = problem
    d, rank = X.shape[1], exact_rank(X)
    assert rank == exact_rank(X.T @ X) <= min(X.shape)
    for solve in (lr.least_squares, lr.normal_equations):
        if rank == d:
            np.testing.assert_allclose(solve(X, y), lr.minimum_norm(X, y), atol=1e-8)
        else:
            with pytest.raises(np.linalg.LinAlgError, match=f"rank {rank} of {d}"):
                solve(X, y)


@pytest.mark.equation("A-1.2-11")
@given(problems(), whole(4, 5))
def test_the_null_space_is_what_may_be_added(problem, a):
    """Its dimension is d - rank; what it adds leaves the loss and makes the shortest solution longer."""
    X, y = problem
    Z, w = lr.null_space(X), lr.minimum_norm(X, y)
    assert Z.shape == (X.shape[1], X.shape[1] - exact_rank(X))
    np.testing.assert_allclose(X @ Z, 0, atol=1e-12)
    np.testing.assert_allclose(Z.T @ Z, np.eye(Z.shape[1]), atol=1e-13)
    other = w + Z @ a[: Z.shape[1]]
    assert lr.loss(other, X, y) == pytest.approx(lr.loss(w, X, y), abs=1e-8)
    assert np.linalg.norm(other) >= np.linalg.norm(w) - 1e-12


@given(matrices())
def test_the_hat_matrix_is_the_projection_onto_the_columns(X):
    H = lr.hat_matrix(X)
    np.testing.assert_allclose(H @ H, H, atol=1e-12)
    np.testing.assert_allclose(H, H.T, atol=1e-14)
    np.testing.assert_allclose(H @ X, X, atol=1e-11)
    assert np.trace(H) == pytest.approx(exact_rank(X), abs=1e-12)


@pytest.mark.equation("A-1.1-5", "A-1.2-5", "D-1-5")
@given(problems(), whole(4, 9))
def test_no_weights_have_a_smaller_loss(problem, w):
    X, y = problem
    assert lr.loss(lr.minimum_norm(X, y), X, y) <= lr.loss(w[: X.shape[1]], X, y) + 1e-9


@pytest.mark.equation("A-1.2-1", "D-1-12")
@given(problems(), st.floats(0.05, 0.95))
def test_every_step_below_the_largest_lowers_the_loss(problem, fraction):
    """E(w - η∇E) <= E(w) - η(1 - ηL/2)‖∇E‖², L = 1/(largest step)·2: strictly less until the gradient is 0."""
    X, y = problem
    assume(X.any())
    eta = fraction * lr.largest_step(X)
    path = list(islice(lr.gradient_iterates(X, y, eta=eta), 10))
    for a, b in pairwise(path):
        promised = eta * (1 - fraction) * a.gradient @ a.gradient
        assert lr.loss(b.w, X, y) <= lr.loss(a.w, X, y) - promised + 1e-9


@given(problems())
def test_nonnegative_least_squares_meets_its_optimality_conditions(problem):
    """a >= 0, no way down along a free coordinate, none into the interior along one at 0."""
    A, c = problem
    a = nonnegative_least_squares(A, c)
    downhill = A.T @ (c - A @ a)
    assert (a >= 0).all()
    assert (downhill <= 1e-9).all()
    assert np.abs(a * downhill).max() <= 1e-9


# --- regularization -----------------------------------------------------------------------------------------

penalties = st.integers(-8, 8).map(lambda k: 2.0**k)
shares = st.sampled_from([0.0, 0.25, 0.5, 1.0])


def lasso_kkt(w, X, y, l1, l2):
    """Of ‖Xw - y‖² + Σ l1|w| + l2/2 w², by its own words: g = 2Xᵀ(y - Xw) - l2 w is l1 sign(w), or |g| <= l1."""
    g = 2 * X.T @ (y - X @ w) - l2 * w
    return np.where(w != 0, np.abs(g - l1 * np.sign(w)), np.maximum(np.abs(g) - l1, 0)).max()


@pytest.mark.equation("A-1.2-14", "A-1.2-16")
@given(problems(), penalties, shares, st.integers(-190, 190), st.integers(-190, 190))
def test_the_elastic_net_meets_its_optimality_conditions(problem, lam, rho, i, j):
    """Whatever the shape, the rank and the units: X in 2^i, y in 2^j, λρ in both of them, λ(1 - ρ) in 4^i."""
    X, y = problem
    j = j if rho in (0, 1) else i  # one λ holds both parts
    l1, l2 = lam * rho, lam * (1 - rho)
    units = 2.0 ** (i + j)
    cost = l1 * units + l2 * 4.0**i
    found = reg.elastic_net(2.0**i * X, 2.0**j * y, cost, l1 * units / cost)
    assert found.converged
    w = 2.0 ** (i - j) * found.w
    assert lasso_kkt(w, X, y, l1, l2) <= 1e-9 * (1 + np.abs(X.T @ y).max())
    value = reg.loss(w, X, y, lam, rho)
    assert 0 <= found.gap <= 1e-9 * 4.0**j * (1 + value)
    for step in 0.1 * np.vstack([np.eye(len(w)), -np.eye(len(w))]):
        assert reg.loss(w + step, X, y, lam, rho) >= value - 1e-9 * (1 + value)


@pytest.mark.equation("A-1.2-14")
@given(problems(), penalties, whole(4, 2).map(abs))
def test_a_lasso_with_a_penalty_for_each_column_meets_its_optimality_conditions(problem, lam, each):
    """Columns without penalty included, where those are independent."""
    X, y = problem
    lam = lam * each[: X.shape[1]]
    assume(exact_rank(X[:, lam == 0]) == (lam == 0).sum())
    found = reg.lasso(X, y, lam)
    assert found.converged
    assert lasso_kkt(found.w, X, y, lam, 0.0) <= 1e-9 * (1 + np.abs(X.T @ y).max())


@pytest.mark.equation("A-1.2-15", "A-1.3-1", "A-1.3-3")
@given(problems(), penalties)
def test_ridge_in_four_ways(problem, lam):
    """The equations, the stacked rows, the dual and the decomposition."""
    X, y = problem
    w = reg.ridge(X, y, lam)
    scale = 1e-9 * (1 + np.abs(w).max())
    np.testing.assert_allclose(X.T @ (X @ w - y) + lam * w, 0, atol=1e-9 * (1 + np.abs(X.T @ y).max()))
    np.testing.assert_allclose(lr.least_squares(*reg.ridge_rows(X, y, lam)), w, atol=scale)
    np.testing.assert_allclose(X.T @ reg.ridge_dual(X @ X.T, y, lam), w, atol=scale)
    np.testing.assert_allclose(reg.ridge_path(X, y, [2 * lam, lam])[1], w, atol=scale)


@pytest.mark.equation("A-1.2-14")
@given(problems(), st.lists(st.integers(1, 48), min_size=3, max_size=3))
def test_the_path_is_the_lasso(problem, parts):
    """At its knots and between them, by loss (where columns depend, weights differ) and by optimality."""
    X, y = problem
    path = reg.lasso_path(X, y)
    top = reg.smallest_zero_lam(X, y)
    assert path.lams[0] == pytest.approx(top) and path.lams[-1] == 0 and (np.diff(path.lams) <= 0).all()
    for lam in [*path.lams, *(part / 32 * top for part in parts)]:
        w = reg.interpolate(path, lam)
        assert lasso_kkt(w, X, y, lam, 0.0) <= 1e-9 * (1 + top)
        best = reg.loss(reg.lasso(X, y, lam).w, X, y, lam)
        assert reg.loss(w, X, y, lam) == pytest.approx(best, rel=1e-9, abs=1e-9)


# --- generalized linear models ------------------------------------------------------------------------------


@st.composite
def observations(draw):
    """X, family and y that it may observe."""
    X = draw(matrices(least=2, widest=3)) / 4
    K = draw(st.sampled_from([0, 1, 2, 3]))
    values = [st.integers(-9, 9), st.integers(0, 1), st.integers(0, 9), st.integers(0, 2)][K]
    y = np.array(draw(st.lists(values, min_size=len(X), max_size=len(X))), float)
    family = [glm.gaussian, glm.bernoulli, glm.poisson, glm.categorical][K]
    assume(family is not glm.categorical or set(y) in ({0, 1}, {0, 1, 2}))
    return X, y, family


@pytest.mark.equation("A-2.2-1", "A-2.2-4")
@given(observations(), st.sampled_from([0.0, 0.25, 4.0]))
def test_a_glm_ends_where_its_gradient_is_0_or_says_why_not(data, lam):
    """E' = Xᵀ(a'(η) - T(y)) + λw = 0, or a direction along which E falls forever, or dependent columns."""
    X, y, family = data
    if lam == 0 and exact_rank(X) < X.shape[1]:
        with pytest.raises(np.linalg.LinAlgError, match=f"have rank {exact_rank(X)}"):
            glm.fit(X, y, family)
        return
    found = glm.fit(X, y, family, lam)
    if found.converged:
        assert np.abs(glm.gradient(found.w, X, y, family, lam)).max() <= 1e-7 * (1 + np.abs(y).sum())
        return
    assert lam == 0 and family is not glm.gaussian and "no finite minimum" in found.reason
    far = [glm.loss(found.w + tau * found.direction, X, y, family) for tau in (0, 1, 4, 16)]
    assert all(b <= a + 1e-12 * (1 + a) for a, b in pairwise(far))


# --- classifiers --------------------------------------------------------------------------------------------


@st.composite
def classified(draw, K=None):
    """X, T of K classes (2 to 4 unless given), some of them perhaps without samples."""
    X = draw(matrices(least=2, widest=3)) / 4
    K = K or draw(st.integers(2, 4))
    return X, one_hot(draw(st.lists(st.integers(0, K - 1), min_size=len(X), max_size=len(X))), K)


@st.composite
def weights(draw, shape, size=8):
    """Eighths of integers; for each number up to 12 of them."""
    return np.resize(draw(whole(12, size)), shape) / 8


lams = st.sampled_from([0.0, 0.25, 4.0])


@pytest.mark.equation("C-3.2-1", "D-3-3", "A-3.3-1", "D-3-13")
@given(classified(), st.data(), st.floats(-1e3, 1e3))
def test_posteriors_of_classes_sum_to_1_and_see_only_differences(data, draw, c):
    """For all scores; what all columns of W have in common changes neither posteriors nor the loss."""
    X, T = data
    W = draw.draw(weights((X.shape[1], T.shape[1]), size=200))
    P = smr.posterior(W, X)
    assert (P >= 0).all()
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-14)
    moved = W + c * np.arange(1, len(W) + 1)[:, None]
    scale = 1e-15 * (1 + np.abs(X @ moved).max())
    np.testing.assert_allclose(smr.posterior(moved, X), P, atol=10 * scale)
    assert smr.loss(moved, X, T) == pytest.approx(smr.loss(W, X, T), abs=100 * scale * len(X))
    np.testing.assert_allclose(smr.reference_posterior(smr.to_reference(W), X), P, atol=1e-13)
    np.testing.assert_allclose(smr.gradient(W, X, T).sum(axis=1), 0, atol=1e-13)


@pytest.mark.equation("A-3.1-6", "C-3.1-6", "D-2-6", "A-3.1-7")
@given(matrices(), st.data())
def test_posteriors_of_two_classes_change_places_with_the_sign_of_the_weights(X, draw):
    w = draw.draw(weights(X.shape[1], size=200))
    p = logreg.posterior(w, X)
    assert ((0 <= p) & (p <= 1)).all()
    np.testing.assert_allclose(p + logreg.posterior(-w, X), 1, rtol=1e-14)
    assert (logreg.predict(w, X) == (p >= 0.5)).all()
    np.testing.assert_array_equal(smr.predict(np.column_stack([0 * w, w]), X), X @ w > 0)


@pytest.mark.equation("A-3.1-13", "C-3.1-18", "C-3.1-22", "C-3.1-23")
@given(classified(), lams, st.sampled_from([1.0, 1.5, 2.0]), st.data(), st.floats(0, 1))
def test_losses_of_classifiers_are_convex_along_segments(data, lam, q, draw, share):
    """E((1 - s)u + sv) <= (1 - s)E(u) + sE(v), and E(v) >= E(u) + ∇E(u)·(v - u)."""
    X, T = data
    d, K = X.shape[1], T.shape[1]
    u, v = (draw.draw(weights((d, K), size=60)) for _ in range(2))
    for E, g, a, b in [
        (lambda W: smr.loss(W, X, T, lam), lambda W: smr.gradient(W, X, T, lam), u, v),
        (lambda w: logreg.loss(w, X, T[:, 0], lam), lambda w: logreg.gradient(w, X, T[:, 0], lam), u[:, 0], v[:, 0]),
        (lambda w: logreg.loss(w, X, T[:, 0]) + logreg.penalty(w, lam, q), None, u[:, 0], v[:, 0]),
    ]:
        rounding = 1e-13 * (1 + E(a) + E(b))
        assert E((1 - share) * a + share * b) <= (1 - share) * E(a) + share * E(b) + rounding
        assert g is None or E(b) >= E(a) + np.vdot(g(a), b - a) - rounding


def proves(direction, margins):
    """No margin is lowered along it, and some are raised."""
    return direction is not None and margins.min() >= -1e-9 * margins.max() and margins.max() > 0


@pytest.mark.equation("A-3.2-8", "C-3.1-18", "C-3.1-22", "C-3.2-6", "C-3.2-8", "D-3-13", "A-3.3-2")
@pytest.mark.parametrize("module", [logreg, smr], ids=["logistic", "softmax"])
@given(classified(), lams, st.data())
def test_no_weights_are_likelier_than_those_of_a_fit(module, data, lam, draw):
    """Or dependent columns are named, or a direction proves that there is no maximum: then any weights are beaten."""
    X, T = data
    t = T if module is smr else T[:, 1]
    if lam == 0 and exact_rank(X) < X.shape[1]:
        with pytest.raises(np.linalg.LinAlgError, match=f"have rank {exact_rank(X)}"):
            module.fit(X, t)
        return
    found = module.fit(X, t, lam)
    best = found.w if module is logreg else found.W
    w = draw.draw(weights(best.shape, size=60))
    assert module is logreg or np.abs(best.sum(axis=1)).max() <= 1e-12 * (1 + np.abs(best).max())
    if found.converged:
        assert found.direction is None
        np.testing.assert_allclose(module.gradient(best, X, t, lam), 0, atol=1e-7)
        assert module.loss(best, X, t, lam) <= module.loss(w, X, t, lam) + 1e-9
        return
    assert lam == 0 and "no finite minimum" in found.reason
    gains = X @ found.direction
    assert proves(found.direction, signs(t) * gains if module is logreg else np.sum(T * gains, axis=1)[:, None] - gains)
    assert module.loss(w + found.direction, X, t) < module.loss(w, X, t)


@pytest.mark.equation("D-3-13", "C-3.1-6", "C-3.2-1")
@given(classified(K=2), lams, st.integers(-240, 240))
def test_softmax_regression_of_two_classes_is_logistic_regression(data, lam, k):
    """w = w_1 - w_0; ±w/2 costs λ/2 (‖w/2‖² + ‖w/2‖²), so λ counts half. In any units."""
    X, T = data
    assume(lam > 0 or exact_rank(X) == X.shape[1])
    c = 2.0**k
    X, lam = c * X, c * c * lam
    both, one = smr.fit(X, T, lam), logreg.fit(X, T[:, 1], lam / 2)
    assert both.converged == one.converged and (both.direction is None) == (one.direction is None)
    if one.converged:
        np.testing.assert_allclose(c * smr.two_class_weights(both.W), c * one.w, rtol=1e-7, atol=1e-7)
        assert smr.loss(both.W, X, T, lam) == pytest.approx(logreg.loss(one.w, X, T[:, 1], lam / 2), abs=1e-9)
    else:
        w = smr.two_class_weights(both.direction)
        assert proves(w, signs(T[:, 1]) * (X @ w))


@pytest.mark.equation("C-3.1-23")
@given(classified(K=2), st.sampled_from([0.125, 1.0, 4.0]), whole(3, 2).map(abs), st.data())
def test_no_weights_are_better_than_those_of_a_logistic_lasso(data, lam, each, draw):
    """g = Xᵀ(p - t) is -λ sign(w), or at most λ where w = 0; or a direction of columns without penalty proves more."""
    X, t = data[0], data[1][:, 1]
    lam = lam * each[: X.shape[1]]
    assume(exact_rank(X[:, lam == 0]) == (lam == 0).sum())
    found = logreg.fit_l1(X, t, lam)
    w = draw.draw(weights(X.shape[1], size=60))

    def E(w):
        return logreg.loss(w, X, t) + lam @ np.abs(w)

    if found.converged:
        g = logreg.gradient(found.w, X, t)
        assert np.where(found.w != 0, np.abs(g + lam * np.sign(found.w)), np.maximum(np.abs(g) - lam, 0)).max() < 1e-7
        assert E(found.w) <= E(w) + 1e-9
        return
    assert (found.direction[lam > 0] == 0).all()
    assert proves(found.direction, signs(t) * (X @ found.direction))
    assert E(w + found.direction) < E(w)


@pytest.mark.equation("D-2-11", "D-3-12")
@given(classified(), lams, st.floats(0.05, 0.95))
def test_every_step_of_a_classifier_below_the_largest_lowers_the_loss(data, lam, share):
    """E(w - η∇E) <= E(w) - η(1 - η/η_largest)‖∇E‖²."""
    X, T = data
    assume(X.any() or lam > 0)
    for module, targets in ((logreg, T[:, 0]), (smr, T)):
        eta = share * module.largest_step(X, lam)
        for a, b in pairwise(islice(module.gradient_iterates(X, targets, lam, eta=eta), 6)):
            promised = eta * (1 - share) * np.vdot(a.gradient, a.gradient)
            before = module.loss(a.w, X, targets, lam)
            assert module.loss(b.w, X, targets, lam) <= before - promised + 1e-12 * (1 + before)


@pytest.mark.equation("C-2-1", "C-1-5")
@given(classified())
def test_the_outputs_of_least_squares_sum_to_1_where_there_is_a_bias(data):
    """Everywhere, not at the samples alone; the rows of T sum to 1, and 1 is among what a bias can fit."""
    X, T = data
    A = augment(X)
    W = lsc.fit(A, T)
    size = 1e-11 * (1 + np.abs(W).max())
    np.testing.assert_allclose(A.T @ (A @ W - T), 0, atol=size)
    elsewhere = augment(X - 3.0)
    if exact_rank(A) == A.shape[1]:
        np.testing.assert_allclose(lsc.decision_function(W, elsewhere).sum(axis=1), 1, atol=10 * size)
    else:
        np.testing.assert_allclose(lsc.decision_function(W, A).sum(axis=1), 1, atol=10 * size)
        np.testing.assert_allclose(W, np.linalg.pinv(A) @ T, atol=10 * size)


@pytest.mark.equation("C-2-1")
@given(classified(K=2))
def test_least_squares_of_two_classes_are_a_regression_on_signs(data):
    """y_1 - y_0 = w·x with w = A⁺(2t - 1): one column says all."""
    X, T = data
    A = augment(X)
    w = lr.minimum_norm(A, signs(T[:, 1]))
    np.testing.assert_allclose(smr.two_class_weights(lsc.fit(A, T)), w, atol=1e-10 * (1 + np.abs(w).max()))


# --- Fisher's discriminant ----------------------------------------------------------------------------------


@st.composite
def classes(draw, K=None):
    """X, t of K classes (2 to 4 unless given), all with samples."""
    K = K or draw(st.integers(2, 4))
    X = draw(matrices(least=K, most=10))
    t = [*range(K), *draw(st.lists(st.integers(0, K - 1), min_size=len(X) - K, max_size=len(X) - K))]
    return X, np.array(draw(st.permutations(t)))


def exact_scatters(X, t):
    """S_w, S_b and the means of integers, as fractions."""
    rows = [[Fraction(v) for v in row] for row in X.tolist()]

    def mean(group):
        return [sum(column) / len(group) for column in zip(*group, strict=True)]

    def scatter(deviations):
        d = len(rows[0])
        return np.array([[sum(v[i] * v[j] for v in deviations) for j in range(d)] for i in range(d)], object)

    groups = [[x for x, k in zip(rows, t, strict=True) if k == c] for c in range(t.max() + 1)]
    M, m = [mean(group) for group in groups], mean(rows)
    within = [[a - b for a, b in zip(x, M[k], strict=True)] for x, k in zip(rows, t, strict=True)]
    between = [[a - b for a, b in zip(M[k], m, strict=True)] for k in t]
    return scatter(within), scatter(between), np.array(M, object)


@pytest.mark.equation("A-4.2-1", "A-4.2-3", "A-4.2-5", "A-4.2-6", "A-4.2-7")
@given(classes())
def test_scatters_are_those_of_fractions_and_sum_to_the_whole(data):
    """S_t = S_w + S_b; S_b has at most the rank K - 1."""
    X, t = data
    S_w, S_b, M = exact_scatters(X, t)
    np.testing.assert_allclose(lda.means(X, t), M.astype(float), atol=1e-14)
    np.testing.assert_allclose(lda.scatter_within(X, t), S_w.astype(float), atol=1e-12)
    np.testing.assert_allclose(lda.scatter_between(X, t), S_b.astype(float), atol=1e-12)
    np.testing.assert_allclose(lda.scatter_total(X), S_w.astype(float) + S_b.astype(float), atol=1e-12)
    assert exact_rank(S_b) <= min(t.max(), X.shape[1])
    if t.max() == 1:
        N_0, N_1 = np.bincount(t)
        np.testing.assert_allclose(
            lda.scatter_between(X, t), N_0 * N_1 / len(t) * lda.scatter_of_means(X, t), atol=1e-12
        )


@pytest.mark.equation("A-4.2-13", "A-4.2-14", "A-4.2-15")
@given(classes(), st.permutations(range(4)), st.integers(-6, 6), whole(4, 9))
def test_directions_solve_the_eigenproblem(data, order, k, shift):
    """S_b w = λ S_w w, WᵀS_w W = I, as many as S_b has rank, λ real and sorted, their sum the ratio of the traces; and
    they follow relabelled, shifted and scaled samples. Where S_w is singular, in the same words for S_t."""
    X, t = data
    S_w, S_b, _ = exact_scatters(X, t)
    m, regular = exact_rank(S_b), exact_rank(S_w) == X.shape[1]
    blind = exact_rank(S_w + S_b) - exact_rank(S_w)  # the differences that S_w does not see
    if m == 0:
        with pytest.raises(np.linalg.LinAlgError, match="all class means are equal"):
            lda.directions(X, t)
        return
    W, ratios = lda.directions(X, t)
    S_w, S_b = S_w.astype(float), S_b.astype(float)
    assert W.shape == (X.shape[1], m) and ratios.shape == (m,) and m <= min(t.max(), X.shape[1])
    assert (ratios > 0).all() and (ratios[1:] <= ratios[:-1] * (1 + 1e-12)).all()
    assert (W[np.abs(W).argmax(axis=0), np.arange(m)] > 0).all()
    size = np.abs(W).max() * np.abs(X).max()
    finite = np.isfinite(ratios)
    assert np.sum(~finite) == blind
    V, lam = W[:, finite], ratios[finite]
    np.testing.assert_allclose((S_b @ V - S_w @ V * lam) / (1 + lam), 0, atol=1e-8 * size)
    np.testing.assert_allclose(V.T @ S_w @ V, np.eye(len(lam)), atol=1e-8 * size**2)
    np.testing.assert_allclose(S_w @ W[:, ~finite], 0, atol=1e-8 * size)
    assert all(w @ (S_w + S_b) @ w == pytest.approx(1) for w in W[:, ~finite].T)
    if regular:
        assert lda.ratio_trace(W, X, t) == pytest.approx(ratios.sum(), rel=1e-7)
        assert np.trace(np.linalg.solve(S_w, S_b)) == pytest.approx(ratios.sum(), rel=1e-7)
    numbers = np.array([i for i in order if i <= t.max()])
    moved = 2.0**k * (X + shift[: X.shape[1]])
    again, same = lda.directions(moved, numbers[t])
    np.testing.assert_allclose(same, ratios, rtol=1e-6)
    if finite.all() and (ratios[1:] < 0.999 * ratios[:-1]).all():  # else any basis of their plane would do
        np.testing.assert_allclose(np.abs(2.0**k * again), np.abs(W), atol=1e-6 * np.abs(W).max())


@pytest.mark.equation("A-4.1.2-3", "A-4.1.2-4", "A-4.1.2-5", "A-4.1.2-9")
@given(classes(K=2), whole(4, 9), st.sampled_from([1e-70, 1e-35, 1.0, 1e35, 1e70]))
def test_no_direction_has_a_larger_quotient(data, v, c):
    """In any units, all samples far off too; w's own length does not matter; class 0 falls on the larger side."""
    X, t = data
    S_w, S_b, _ = exact_scatters(X, t)
    if exact_rank(S_b) == 0:
        with pytest.raises(np.linalg.LinAlgError, match="all class means are equal"):
            lda.direction(X, t)
        return
    w = lda.direction(X, t)
    best = lda.rayleigh_quotient(w, X, t)
    means = lda.means(X, t) @ w
    assert means[0] > means[1] and means[0] > lda.threshold(w, X, t) > means[1]
    if exact_rank(S_w) == X.shape[1]:
        np.testing.assert_allclose(S_w.astype(float) @ w, lda.means(X, t)[0] - lda.means(X, t)[1], atol=1e-9)
        np.testing.assert_allclose(lda.svd_direction(X, t), w, atol=1e-8 * np.abs(w).max())
    other = v[: X.shape[1]]
    if np.ptp(X @ other) > 0:
        assert lda.rayleigh_quotient(other, X, t) <= best * (1 + 1e-9) or best > 1e24  # infinite up to rounding
        assert lda.rayleigh_quotient(-0.125 * other, X, t) == lda.rayleigh_quotient(other, X, t)
    scaled = lda.direction(c * X, t) * c
    np.testing.assert_allclose(scaled, w, rtol=1e-6, atol=1e-9 * np.abs(w).max())
    far = lda.direction(X + 2.0**20, t)
    np.testing.assert_allclose(far, w, rtol=1e-9, atol=1e-12 * np.abs(w).max())
    np.testing.assert_allclose(lda.direction(X, 1 - t), -w, rtol=1e-6, atol=1e-9 * np.abs(w).max())


@given(classes(), st.integers(1, 3))
def test_repeated_samples_leave_the_directions(data, times):
    """Each as often: S_w and S_b grow alike, λ stays."""
    X, t = data
    _, S_b, _ = exact_scatters(X, t)
    assume(exact_rank(S_b) > 0)
    (_, ratios), (_, same) = lda.directions(X, t), lda.directions(np.tile(X, (times, 1)), np.tile(t, times))
    np.testing.assert_allclose(same, ratios, rtol=1e-7)


# --- naive Bayes --------------------------------------------------------------------------------------------


@st.composite
def categorised(draw, K=None, bits=False):
    """X, t and n_values; values and classes such that each class, but not each value, occurs."""
    _, t = draw(classes(K))
    M = draw(st.lists(st.just(2) if bits else st.integers(1, 4), min_size=1, max_size=5))
    columns = [draw(st.lists(st.integers(0, m - 1), min_size=len(t), max_size=len(t))) for m in M]
    return np.array(columns).T, t, M


def everything(M):
    """All samples there can be."""
    return np.stack(np.meshgrid(*map(np.arange, M), indexing="ij"), axis=-1).reshape(-1, len(M))


@pytest.mark.equation("C-4.2-6", "C-4.2-7", "C-4.4-4", "C-1-9")
@given(categorised(), st.sampled_from([0.0, 1e-12, 0.5, 1.0, 3.0, 1e12]), st.sampled_from([0.0, 1.0]))
def test_posteriors_sum_to_1_or_are_refused_but_never_nan(data, smoothing, prior_smoothing):
    """θ and π are shares; p(x, C_k) over all x sums to π_k; smoothing > 0 leaves nothing impossible."""
    X, t, M = data
    model = nb.fit(X, t, smoothing, prior_smoothing, n_values=M)
    K, A = t.max() + 1, everything(M)
    assert model.theta.shape == (K, len(M), max(M)) and model.prior.shape == (K,) and model.n_values.tolist() == M
    assert (model.theta >= 0).all() and model.prior.min() > 0
    np.testing.assert_allclose(model.theta.sum(axis=2), 1, rtol=1e-12)
    assert all((model.theta[:, i, m:] == 0).all() for i, m in enumerate(M))
    joint = nb.log_joint(model, A)
    np.testing.assert_allclose(np.exp(joint).sum(axis=0), model.prior, rtol=1e-11)
    possible = np.isfinite(joint).any(axis=1)
    assert possible.all() or smoothing == 0
    P = nb.posterior(model, A[possible])
    assert (P >= 0).all() and np.isfinite(P).all()
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-14)
    k = nb.predict(model, A[possible])
    assert (P[np.arange(len(k)), k] >= P.max(axis=1) * (1 - 1e-12)).all()
    if not possible.all():
        for f in (nb.posterior, nb.predict):
            with pytest.raises(ValueError, match=rf"row {np.flatnonzero(~possible)[0]} .*0/0; fit with smoothing > 0"):
                f(model, A)
    assert np.isfinite(joint[:, t][(A[:, None] == X).all(axis=2)]).all()  # what was seen is possible


@pytest.mark.equation("C-4.2-6", "C-4.2-7")
@given(categorised(), st.sampled_from([0, 1, 2]))
def test_shares_are_those_of_fractions(data, s):
    X, t, M = data
    theta = nb.fit(X, t, s, n_values=M).theta
    for k in range(t.max() + 1):
        for i, m in enumerate(M):
            n = [int(np.sum((t == k) & (X[:, i] == v))) for v in range(m)]
            assert theta[k, i, :m].tolist() == [float(Fraction(a + s, sum(n) + m * s)) for a in n]


@pytest.mark.equation("C-4.3-2", "C-4-2", "C-4-3")
@given(categorised(K=2, bits=True), st.sampled_from([0.5, 1.0, 3.0]))
def test_the_linear_form_is_the_posterior(data, smoothing):
    """On all bits: σ(w·x + b), = log_odds; and bits are categories of two values."""
    X, t, M = data
    model, A = nb.fit(X, t, smoothing), everything(M)
    w, b = nb.as_linear(model)
    np.testing.assert_allclose(A @ w + b, nb.log_odds(model, A), atol=1e-12)
    np.testing.assert_allclose(sigmoid(A @ w + b), nb.posterior(model, A)[:, 1], rtol=1e-12)
    same = nb.fit(X, t, smoothing, n_values=M)
    np.testing.assert_array_equal(same.theta, model.theta)
    mu_0, mu_1 = model.mu
    np.testing.assert_allclose(nb.bernoulli(model.prior[1], mu_1, mu_0).theta, model.theta, rtol=1e-12)


@given(categorised(), st.randoms(use_true_random=False), st.sampled_from([0.5, 1.0]))
def test_a_fit_does_not_depend_on_order_and_names(data, random, smoothing):
    """Samples, features, classes and values in another order: the same numbers there."""
    X, t, M = data
    model = nb.fit(X, t, smoothing, n_values=M)
    rows, columns, names = ([*range(n)] for n in (len(X), len(M), t.max() + 1))
    for order in (rows, columns, names):
        random.shuffle(order)
    other = nb.fit(X[rows][:, columns], np.array(names)[t[rows]], smoothing, n_values=np.array(M)[columns])
    np.testing.assert_array_equal(other.theta[names], model.theta[:, columns])
    np.testing.assert_array_equal(other.prior[names], model.prior)
    mirrored = nb.fit(np.array(M) - 1 - X, t, smoothing, n_values=M)
    for i, m in enumerate(M):
        np.testing.assert_array_equal(mirrored.theta[:, i, :m], model.theta[:, i, :m][:, ::-1])


@given(categorised(), st.integers(1, 40), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1.0]))
def test_samples_are_what_their_model_can_give(data, N, seed, smoothing):
    """Whole numbers in range, none of probability 0: a fit takes them back."""
    X, t, M = data
    model = nb.fit(X, t, smoothing, n_values=M)
    drawn, classes_drawn = nb.sample(model, N, rng=np.random.default_rng(seed))
    assert drawn.shape == (N, len(M)) and classes_drawn.shape == (N,)
    assert drawn.dtype.kind == classes_drawn.dtype.kind == "i"
    assert (0 <= drawn).all() and (drawn < M).all() and (0 <= classes_drawn).all() and (classes_drawn <= t.max()).all()
    assert np.isfinite(nb.log_likelihood(model, drawn, classes_drawn))
    numbers = np.r_[classes_drawn, np.arange(t.max() + 1)]
    again = nb.fit(np.vstack([drawn, np.zeros((t.max() + 1, len(M)), int)]), numbers, n_values=M)
    assert again.theta.shape == model.theta.shape


# --- perceptron ---------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.3-2", "A-5.3.3-3", "D-4-2")
@given(separated(), steps, st.randoms(use_true_random=False))
def test_novikoff_bound_in_every_order_and_for_every_step(data, eta, random):
    X, y, w, b = data
    order = random.sample(range(len(X)), len(X))
    bound = pc.novikoff_bound(w, b, X, y)
    result = pc.fit(X, y, eta, order)
    assert result.converged
    assert result.n_iter <= bound * (1 + 1e-12)
    assert pc.margin(result.w, result.b, X, y) > 0
    rng = np.random.default_rng(random.randrange(2**32))
    assert len(list(islice(pc.random_updates(X, y, eta, rng=rng), 10_000))) <= bound * (1 + 1e-12)


@pytest.mark.equation("A-5.3.4-1", "B-dual-1", "B-dual-3", "B-dual-4")
@given(labelled(), steps)
def test_dual_coefficients_count_the_updates(data, eta):
    X, y = data
    path = list(islice(pc.dual_updates(X @ X.T, y, eta), 50))
    counts = np.bincount([u.i for u in path], minlength=len(X))
    assert path[-1].alpha.tolist() == (eta * counts).tolist()
    assert counts.sum() == len(path)


@pytest.mark.equation("A-5.3.2-1")
@given(labelled(), steps)
def test_an_update_raises_the_functional_margin_of_its_sample(data, eta):
    """By η(‖x‖² + 1), exactly; it is <= 0 before."""
    X, y = data
    w, b = np.zeros(X.shape[1]), 0.0
    for u in islice(pc.updates(X, y, eta), 30):
        before, after = y[u.i] * (w @ X[u.i] + b), y[u.i] * (u.w @ X[u.i] + u.b)
        assert before <= 0
        assert after == before + eta * (X[u.i] @ X[u.i] + 1)
        w, b = u.w, u.b


def verified(proof, X, y):
    """The answer of a certificate, after one product has proved it."""
    if proof.separable:
        assert (y * (X @ proof.w + proof.b) > 0).all()
        assert np.hypot(np.linalg.norm(proof.w), proof.b) == pytest.approx(1)
    else:
        a, Z = proof.weights, y[:, None] * augment(X)
        assert (a >= 0).all()
        assert a.sum() == pytest.approx(1)
        np.testing.assert_allclose(a @ Z, 0, atol=1e-9 * np.abs(Z).max())
    return proof.separable


@pytest.mark.equation("A-5.2-1", "A-5.2-11", "B-sep-1", "B-sep-2")
@given(labelled())
def test_certificates_are_proofs_and_fit_agrees(data):
    X, y = data
    proof = pc.certificate(X, y)
    separable = verified(proof, X, y)
    most = int(pc.novikoff_bound(proof.w, proof.b, X, y)) if separable else 200
    assert pc.fit(X, y, max_updates=most).converged == separable


@given(labelled(), st.integers(-10, 10), whole(3, 9), st.randoms())
def test_certificates_do_not_depend_on_units_origin_or_order(data, k, shift, random):
    X, y = data
    moved = X * 2.0**k + shift[: X.shape[1]]
    order = random.sample(range(len(X)), len(X))
    features = random.sample(range(X.shape[1]), X.shape[1])
    answers = {
        verified(pc.certificate(A, b), A, b)
        for A, b in [(X, y), (moved, y), (X[order], y[order]), (X[:, features], y), (X, -y)]
    }
    assert len(answers) == 1


@pytest.mark.equation("A-5.2-8", "A-5.2-13", "A-5.2-14", "B-loss-3", "D-4-4")
@given(labelled(), whole(8, 5))
def test_the_gradient_of_the_loss_is_a_subgradient(data, numbers):
    """Convex, kinks or not: L(v) >= L(u) + ∇L(u)·(v - u) for all u, v; and L is positively homogeneous."""
    X, y = data
    d = X.shape[1]
    u, v = numbers[: d + 1], numbers[-d - 1 :]
    gw, gb = pc.gradient(u[:d], u[d], X, y)
    L_u, L_v = (pc.loss(a[:d], a[d], X, y) for a in (u, v))
    assert L_v >= L_u + gw @ (v - u)[:d] + gb * (v - u)[d]
    assert L_u == gw @ u[:d] + gb * u[d] >= 0
    assert pc.loss(2 * u[:d], 2 * u[d], X, y) == 2 * L_u


# --- kernels ------------------------------------------------------------------------------------------------

KERNELS = {
    "linear": kernels.linear,
    "polynomial": lambda X, Z: kernels.polynomial(X, Z, 0.5, 3),
    "cubic_sum": kernels.cubic_sum,
    "gaussian": lambda X, Z: kernels.gaussian(X, Z, 1.5),
}
some_kernel = st.sampled_from(sorted(KERNELS)).map(KERNELS.get)
costs = st.integers(-6, 6).map(lambda k: 2.0**k)


@st.composite
def symmetric(draw):
    """K of small integers, positive semidefinite or not."""
    A = draw(matrices(most=5))
    if draw(st.booleans()):
        return A @ A.T
    N = len(A)
    B = draw(whole(N * N, 4)).reshape(N, N)
    return np.tril(B) + np.tril(B, -1).T


def exactly_semidefinite(K):
    """By elimination in fractions: pivots >= 0, and where one is 0, so is its row."""
    rows = [[Fraction(v) for v in row] for row in K]
    for k, row in enumerate(rows):
        if row[k] < 0 or (row[k] == 0 and any(row[k:])):
            return False
        for other in rows[k + 1 :]:
            ratio = other[k] / row[k] if row[k] else Fraction(0)
            other[k:] = [a - ratio * b for a, b in zip(other[k:], row[k:], strict=True)]
    return True


@pytest.mark.equation("E-nec-2", "E-nec-3", "E-suff-1")
@given(matrices(), some_kernel, some_kernel, costs, whole(8, 9))
def test_kernels_their_sums_and_products_are_positive_semidefinite(X, k, other, c, z):
    """z·Kz >= 0 for the z that was drawn, too; and K_ij² <= K_ii K_jj."""
    K, L = kernels.gram(k, X), kernels.gram(other, X)
    z = z[: len(X)]
    for G in (K, c * K + L, K * L):
        assert kernels.is_positive_semidefinite(G) == (True, None)
        np.testing.assert_array_equal(G, G.T)
        assert z @ G @ z >= -1e-12 * np.abs(z) @ np.abs(G) @ np.abs(z)
        assert (G * G <= np.outer(G.diagonal(), G.diagonal()) * (1 + 1e-12)).all()


@pytest.mark.equation("E-nec-2", "E-suff-1")
@given(symmetric(), st.integers(-200, 200))
def test_what_is_positive_semidefinite_is_told_as_fractions_tell_it(K, k):
    """In any unit; a witness proves that it is not, features prove that it is."""
    answer, z = kernels.is_positive_semidefinite(2.0**k * K)
    assert answer == exactly_semidefinite(K) and (z is None) == answer
    if answer:
        Phi = kernels.mercer_features(K)
        assert Phi.shape == (len(K), exact_rank(K))
        np.testing.assert_allclose(Phi @ Phi.T, K, atol=1e-12 * (1 + np.abs(K).max()))
        return
    assert z @ K @ z < 0
    with pytest.raises(ValueError, match="K must be positive semidefinite"):
        kernels.mercer_features(K)


@pytest.mark.equation("E-prop-3", "E-prop-7", "E-prop-9", "E-kernel-9", "E-kernel-10")
@given(matrices(), matrices(), st.sampled_from([0.0, 0.25, 1.0, 4.0]), st.integers(0, 4))
def test_kernels_are_inner_products_of_their_features(X, Z, c, degree):
    d = min(X.shape[1], Z.shape[1])
    X, Z = X[:, :d], Z[:, :d]
    size = 1e-12 * (c + 16 * d) ** max(degree, 3)  # |x·z| <= 16 d
    maps = [
        (lambda X: kernels.quadratic_features(X, c), kernels.polynomial(X, Z, c, 2), (d * d + d + 1) if c else d * d),
        (
            lambda X: kernels.polynomial_features(X, c, degree),
            kernels.polynomial(X, Z, c, degree),
            kernels.feature_dimension(d, degree),
        ),
        (kernels.cubic_features, kernels.cubic_sum(X, Z), 1 + d + d**2 + d**3),
    ]
    for phi, K, dimension in maps:
        assert phi(X).shape[1] == phi(Z).shape[1] == dimension
        np.testing.assert_allclose(phi(X) @ phi(Z).T, K, atol=size + 1e-12)


@pytest.mark.equation("E-sim-2", "E-sim-3")
@given(matrices(), st.integers(-60, 60), whole(4, 2**20), st.randoms())
def test_the_gaussian_kernel_sees_distances_alone(X, k, shift, random):
    """1 on the diagonal, at most 1 beside it; the same for moved, turned about, and in other units with their width."""
    K = kernels.gram(lambda X, Z: kernels.gaussian(X, Z, 1.5), X)
    assert (K.diagonal() == 1).all() and (K >= 0).all() and (K <= 1).all()
    columns = random.sample(range(X.shape[1]), X.shape[1])
    other = 2.0**k * (X[:, columns] + shift[: X.shape[1]])
    np.testing.assert_allclose(kernels.gaussian(other, other, 1.5 * 2.0**k), K, rtol=1e-12)
    if len(X) > 1 and len(np.unique(X, axis=0)) == len(X):
        distances = [np.linalg.norm(x - z) for n, x in enumerate(X) for z in X[:n]]
        assert kernels.median_width(other) == pytest.approx(2.0**k * np.median(distances), rel=1e-12)


@pytest.mark.equation("E-kernel-15", "E-kernel-16", "D-5-17")
@given(matrices(), some_kernel, whole(8, 9), st.randoms())
def test_a_kernel_matrix_is_centered_normalized_and_expanded_as_its_features_are(X, k, c, random):
    K, c = kernels.gram(k, X), c[: len(X)]
    size = 1e-11 * (1 + np.abs(K).max())
    Phi = kernels.mercer_features(K) if K.any() else np.zeros((len(K), 1))
    deviations = Phi - Phi.mean(axis=0)
    np.testing.assert_allclose(kernels.center(K), deviations @ deviations.T, atol=size)
    np.testing.assert_allclose(kernels.center(K).sum(axis=1), 0, atol=size * len(K))
    order = random.sample(range(len(X)), len(X))
    found = kernels.expansion(k, X[order], X, c)
    np.testing.assert_allclose(found, (Phi @ (Phi.T @ c))[order], atol=100 * size)
    np.testing.assert_allclose(found, kernel_lms.predict(c, k(X[order], X)), atol=100 * size)
    if K.diagonal().min() > 0:
        C = kernels.normalize(K)
        np.testing.assert_allclose(C.diagonal(), 1, rtol=1e-14)
        assert np.abs(C).max() <= 1 + 1e-14 and kernels.is_positive_semidefinite(C)[0]


# --- support vector machine ---------------------------------------------------------------------------------


def largest_margin(w, b, alpha, X, y, C):
    """The value of the largest margin, after (w, b) and α, each in its own words, have proved that it is: primal and
    dual value differ by 1e-9 of it at most. Then w and Σ αyx differ by the root of that at most."""
    v, hinge = (alpha * y) @ X, np.maximum(0, 1 - y * (X @ w + b)).sum()
    assert (alpha >= 0).all() and (alpha <= C).all()
    assert abs(alpha @ y) <= 1e-9 * alpha.sum()
    if np.isinf(C):
        assert hinge <= 1e-8
        hinge, C = 0.0, 0.0
    value = w @ w / 2 + C * hinge
    assert abs(value - (alpha.sum() - v @ v / 2)) <= 2e-9 * value
    assert np.linalg.norm(w - v) <= 1e-4 * np.sqrt(value)
    return value


def dual_weights(end, X, y, C):
    """(w, b, α) of a dual fit; a hard margin's w is scaled to the functional margin 1."""
    w, b = svm.primal(end.alpha, y, X), end.b
    return (*(svm.canonical(w, b, X, y) if np.isinf(C) else (w, b)), end.alpha)


@pytest.mark.equation("D-5-5", "D-5-8", "D-5-12", "D-5-14", "D-5-15", "D-5-16", "E-margin-7")
@given(labelled(), costs)
def test_primal_and_dual_support_vector_machines_prove_each_other_optimal(data, soft):
    """At any C; at C = inf where a plane separates, else both prove that there is none."""
    X, y = data
    for C in (soft, np.inf):
        end, dual = svm.fit(X, y, C), svm.fit_dual(X @ X.T, y, C)
        if np.isinf(C) and not pc.certificate(X, y).separable:
            assert not end.converged and not verified(end.certificate, X, y)
            a = dual.certificate.weights
            assert not dual.converged and (a >= 0).all() and a.sum() == pytest.approx(1)
            np.testing.assert_allclose([a @ y, *((a * y) @ X)], 0, atol=1e-7 * (1 + np.abs(X).max()))
            continue
        assert end.converged and dual.converged and end.certificate is dual.certificate is None
        value = largest_margin(end.w, end.b, end.alpha, X, y, C)
        assert largest_margin(*dual_weights(dual, X, y, C), X, y, C) == pytest.approx(value, rel=4e-9)
        assert np.linalg.norm(end.w - svm.primal(dual.alpha, y, X)) <= 2e-4 * np.sqrt(value)
        errors = svm.kkt_residuals(end.w, end.b, end.alpha, X, y, C)
        assert max(errors.stationarity, errors.slackness) <= 1e-4 * max(1, value) and errors.dual == 0
        assert svm.duality_gap(end.alpha, end.b, X @ X.T, y, C) <= 1e-4 * value


@pytest.mark.equation("D-5-4", "D-5-6", "D-5-19", "E-margin-1", "E-margin-5", "E-margin-6", "E-margin-8", "E-margin-10")
@given(separated())
def test_no_plane_has_a_larger_margin_than_the_largest(data):
    """Of a plane known to separate: its margin, twice as long or not; (w, b)/γ^ has the functional margin 1."""
    X, y, w, b = data
    assume(w.any())
    hard, margin = svm.fit(X, y), svm.geometric_margin(w, b, X, y)
    assert hard.converged and margin == svm.distances(w, b, X, y).min() > 0
    largest = svm.geometric_margin(hard.w, hard.b, X, y)
    assert margin <= largest * (1 + 1e-9) and largest == pytest.approx(1 / np.linalg.norm(hard.w), rel=1e-8)
    assert svm.geometric_margin(2 * w, 2 * b, X, y) == pytest.approx(margin)
    assert svm.functional_margin(2 * w, 2 * b, X, y) == 2 * svm.functional_margin(w, b, X, y)
    v, c = svm.canonical(w, b, X, y)
    assert svm.functional_margin(v, c, X, y) == pytest.approx(1) and margin == pytest.approx(1 / np.linalg.norm(v))
    assert svm.hinge(v, c, X, y).max() == pytest.approx(0, abs=1e-12)
    assert hard.w @ hard.w <= v @ v * (1 + 1e-8)


@given(
    labelled(),
    st.sampled_from([0.125, 1.0, 8.0, np.inf]),
    st.sampled_from([1e-66, 1e-9, 1 / 3, 7.0, 2.0**40, 1e66]),
    st.lists(st.integers(-999, 999) | st.sampled_from([10**8, -(2**26)]), min_size=3, max_size=3),
    st.randoms(use_true_random=False),
)
@example(
    (np.array([[-1.0, 0, -3], [1, 0, -1], [4, 0, 0], [-1, 1, -1]]), np.array([1.0, -1, 1, -1])),
    0.125,
    1e-66,
    [0, 0, 0],
    Random(0),
)
def test_support_vector_machines_follow_units_origin_labels_and_order(data, C, s, shift, random):
    """s(X + m) with C/s²: w/s and the same f; -y: -w and -b; other orders of samples and features: the same.

    P is strongly convex in w: a gap of 1e-9 P leaves ½‖w - w*‖² <= 1e-9 P. Where an α is off its bounds, b is one
    number.
    """
    X, y = data
    assume(C < np.inf or pc.certificate(X, y).separable)
    plain = svm.fit(X, y, C)
    value = largest_margin(plain.w, plain.b, plain.alpha, X, y, C)
    f, size = svm.decision_function(plain.w, plain.b, X), 1e-4 * np.sqrt(value)
    rows, columns = (random.sample(range(n), n) for n in X.shape)
    moved = s * (X + np.array(shift[: X.shape[1]], float))
    most = min(C, plain.alpha.max() * 2)
    one_b = ((plain.alpha > 1e-6 * most) & (plain.alpha < (1 - 1e-6) * most)).any()
    for A, t, c, unit, w, g in [
        (moved, y, C / s / s, s, lambda end: s * end.w, f),
        (X, -y, C, 1.0, lambda end: -end.w, -f),
        (X[rows][:, columns], y[rows], C, 1.0, lambda end: end.w[np.argsort(columns)], f[rows]),
    ]:
        end = svm.fit(A, t, c)
        assert end.converged
        np.testing.assert_allclose(w(end), plain.w, atol=size)
        if C < np.inf:
            rounding = C * len(y) * 4 * EPS * np.abs(A).max() * np.abs(end.w).sum()  # of each f, far from 0
            reached = svm.primal_objective(end.w, end.b, A, t, c) * unit * unit
            assert reached == pytest.approx(value, rel=1e-6, abs=rounding)
        if one_b:
            np.testing.assert_allclose(svm.decision_function(end.w, end.b, A), g, atol=10 * size)
    dual = svm.fit_dual(X @ X.T, -y, C)
    assert dual.converged
    np.testing.assert_allclose(svm.primal(dual.alpha, -y, X), -plain.w, atol=size)


@pytest.mark.equation("D-5-14")
@given(labelled(), costs, st.integers(2, 3))
def test_duplicates_share_the_multipliers_of_their_sample(data, C, times):
    """Each so many times at C/times, or once at C: one problem, the sum of their α one of its answers."""
    X, y = data
    once = svm.fit(X, y, C)
    A, t = np.tile(X, (times, 1)), np.tile(y, times)
    value = largest_margin(once.w, once.b, once.alpha, X, y, C)
    for end in (svm.fit(A, t, C / times), svm.fit_dual(A @ A.T, t, C / times)):
        assert end.converged and (end.alpha <= C / times).all()
        w = end.w if isinstance(end, svm.Fit) else svm.primal(end.alpha, t, A)
        shared = np.minimum(end.alpha.reshape(times, -1).sum(axis=0), C)
        assert largest_margin(w, end.b, shared, X, y, C) == pytest.approx(value, rel=1e-8)


@pytest.mark.equation("D-5-17")
@given(labelled(), costs, st.sampled_from([1, 2, 3]))
def test_a_kernel_machine_is_a_linear_one_on_the_features(data, C, degree):
    """(x·z + 1)^k: the same value, and the same f where that is unique: up to b."""
    X, y = data
    X = X / 4
    K, Phi = kernels.polynomial(X, X, 1.0, degree), kernels.polynomial_features(X, 1.0, degree)
    dual, end = svm.fit_dual(K, y, C), svm.fit(Phi, y, C)
    assert dual.converged and end.converged
    value = largest_margin(end.w, end.b, end.alpha, Phi, y, C)
    assert largest_margin(*dual_weights(dual, Phi, y, C), Phi, y, C) == pytest.approx(value, rel=4e-9)
    f = svm.dual_decision_function(dual.alpha, 0.0, y, K)
    np.testing.assert_allclose(f, Phi @ end.w, atol=2e-4 * np.sqrt(value) * np.linalg.norm(Phi, axis=1).max())
    f = kernels.expansion(lambda X, Z: kernels.polynomial(X, Z, 1.0, degree), X, X, dual.alpha * y)
    np.testing.assert_allclose(f, svm.dual_decision_function(dual.alpha, 0.0, y, K), atol=1e-10 * (1 + np.abs(f).max()))


@pytest.mark.equation("D-5-14")
@given(labelled(), costs)
def test_every_state_on_the_way_to_the_largest_margin_bounds_it(data, C):
    """Pairs raise Γ and keep 0 <= α <= C, Σ αy = 0; off the bounds as much as two can, so that F = y - Kβ is the same
    for both. Newton's states are a hyperplane and multipliers, and the gap between their values."""
    X, y = data
    K, best = X @ X.T, svm.fit(X, y, C)
    value = svm.primal_objective(best.w, best.b, X, y, C)
    before = -1e-12 * value
    for state in islice(svm.pairwise_iterates(K, y, C), 40):
        assert (state.alpha >= 0).all() and (state.alpha <= C).all()
        assert abs(state.alpha @ y) <= 1e-12 * (1 + state.alpha.sum())
        now = svm.dual_objective(state.alpha, K, y)
        assert before - 1e-12 * (value + abs(now)) <= now <= value * (1 + 1e-8)
        before = now
        pair = [state.i, state.j]
        if state.i >= 0 and (np.minimum(state.alpha, C - state.alpha)[pair] > 1e-9 * C).all():
            F = y - K @ (state.alpha * y)
            assert F[state.i] == pytest.approx(F[state.j], abs=1e-9 * (1 + np.abs(F).max()))
    for newton in islice(svm.interior_point_iterates(X, y, C), 40):
        assert (newton.alpha > 0).all() and (newton.alpha < C).all()
        assert abs(newton.alpha @ y) <= 1e-9 * newton.alpha.sum()
        primal = svm.primal_objective(newton.w, newton.b, X, y, C)
        dual = svm.dual_objective(newton.alpha, K, y)
        assert newton.gap == pytest.approx(primal - dual, rel=1e-6, abs=1e-7 * (primal + abs(dual)))
        assert dual <= value * (1 + 1e-8) and primal >= value * (1 - 1e-8)


# --- the ground floor ---------------------------------------------------------------------------------------


@given(matrices(), st.integers(1, 3))
def test_monomials_are_closed_under_products(X, degree):
    """Those of degree k + 1 start with those of degree k, and end with x_d^(k + 1)."""
    lower, higher = monomials(X, degree), monomials(X, degree + 1)
    np.testing.assert_array_equal(higher[:, : lower.shape[1]], lower)
    np.testing.assert_array_equal(higher[:, -1], X[:, -1] ** (degree + 1))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=9))
def test_one_hot_can_be_read_back(t):
    np.testing.assert_array_equal(one_hot(t, K=6).argmax(axis=1), t)
    np.testing.assert_array_equal(signs(np.array(t) > 2), np.where(np.array(t) > 2, 1, -1))

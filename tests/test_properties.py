"""Mathematical relations on many small cases that hypothesis invents (and shrinks where one fails).

Small integers and powers of two: every score is exact, ties happen often, and what the theory calls equal is equal.
"""

from itertools import islice, pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from exact import eliminated, exact
from hypothesis import assume, given
from hypothesis import strategies as st

from linmodels import glm, kernel_lms, kernels, lda, svm
from linmodels import logistic_regression as logreg
from linmodels import naive_bayes as nb
from linmodels import regularization as reg
from linmodels import softmax_regression as smr
from linmodels.design import one_hot, signs


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


def rank(X):
    """By elimination in fractions: no threshold."""
    return len(eliminated(exact(X))[1])


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


def of_family(family):
    """The functions of glm for a family, with the arguments that those of logistic and softmax regression have."""
    return SimpleNamespace(
        fit=lambda X, t, lam: glm.fit(X, t, family, lam),
        loss=lambda w, X, t, lam: glm.loss(w, X, t, family, lam),
        gradient=lambda w, X, t, lam: glm.gradient(w, X, t, family, lam),
    )


FAMILIES = {f.name: of_family(f) for f in (glm.gaussian, glm.bernoulli, glm.poisson, glm.categorical)}
MODELS = {"logistic": logreg, "softmax": smr, **FAMILIES}


@pytest.mark.equation("A-2.2-1", "A-2.2-4")
@pytest.mark.equation("A-3.2-8", "C-3.1-18", "C-3.1-22", "C-3.2-6", "C-3.2-8", "D-3-13", "A-3.3-2")
@pytest.mark.parametrize("name", MODELS)
@given(classified(), lams, st.data())
def test_no_weights_are_likelier_than_those_of_a_fit(name, data, lam, draw):
    """Or dependent columns are named, or there is no maximum: then a direction makes any weights likelier, forever."""
    X, T = data
    model, t = MODELS[name], {"softmax": T, "logistic": T[:, 1], "bernoulli": T[:, 1]}.get(name, T.argmax(axis=1))
    assume(name != "categorical" or T.any(axis=0).all())
    if lam == 0 and rank(X) < X.shape[1]:
        with pytest.raises(np.linalg.LinAlgError, match=f"have rank {rank(X)}"):
            model.fit(X, t, lam)
        return
    found = model.fit(X, t, lam)
    best = found.W if name == "softmax" else found.w
    w = draw.draw(weights(best.shape, size=60))
    assert name != "softmax" or np.abs(best.sum(axis=1)).max() <= 1e-12 * (1 + np.abs(best).max())
    if found.converged:
        assert found.direction is None
        np.testing.assert_allclose(model.gradient(best, X, t, lam), 0, atol=1e-7)
        assert model.loss(best, X, t, lam) <= model.loss(w, X, t, lam) + 1e-9
        return
    assert lam == 0 and name != "gaussian" and "no finite minimum" in found.reason
    along = [model.loss(w + tau * found.direction, X, t, lam) for tau in (0, 1, 4, 16)]
    assert all(b <= a + 1e-12 * (1 + a) for a, b in pairwise(along))
    assert along[1] < along[0] or name not in ("softmax", "logistic")


@pytest.mark.equation("D-3-13", "C-3.1-6", "C-3.2-1")
@given(classified(K=2), lams, st.integers(-240, 240))
def test_softmax_regression_of_two_classes_is_logistic_regression(data, lam, k):
    """w = w_1 - w_0; ±w/2 costs λ/2 (‖w/2‖² + ‖w/2‖²), so λ counts half. In any units."""
    X, T = data
    assume(lam > 0 or rank(X) == X.shape[1])
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


# --- Fisher's discriminant ----------------------------------------------------------------------------------


@st.composite
def classes(draw, K=None):
    """X, t of K classes (2 to 4 unless given), all with samples."""
    K = K or draw(st.integers(2, 4))
    X = draw(matrices(least=K, most=10))
    t = [*range(K), *draw(st.lists(st.integers(0, K - 1), min_size=len(X) - K, max_size=len(X) - K))]
    return X, np.array(draw(st.permutations(t)))


def exact_scatters(X, t):
    """S_w, S_b and the means of whole numbers, as fractions."""
    A = exact(X)
    M = np.array([A[t == k].mean(axis=0) for k in range(t.max() + 1)])
    within, between = A - M[t], M[t] - A.mean(axis=0)
    return within.T @ within, between.T @ between, M


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
    assert rank(S_b) <= min(t.max(), X.shape[1])
    if t.max() == 1:
        N_0, N_1 = np.bincount(t)
        np.testing.assert_allclose(
            lda.scatter_between(X, t), N_0 * N_1 / len(t) * lda.scatter_of_means(X, t), atol=1e-12
        )


@pytest.mark.equation("A-4.2-13", "A-4.2-14", "A-4.2-15")
@given(classes())
def test_directions_solve_the_eigenproblem(data):
    """S_b w = λ S_w w, WᵀS_w W = I, as many as S_b has rank, λ real and sorted, their sum the ratio of the traces.
    Where S_w is singular, in the same words for S_t. Every sample twice leaves λ."""
    X, t = data
    S_w, S_b, _ = exact_scatters(X, t)
    m, regular = rank(S_b), rank(S_w) == X.shape[1]
    blind = rank(S_w + S_b) - rank(S_w)  # the differences that S_w does not see
    if m == 0:
        with pytest.raises(np.linalg.LinAlgError, match="all class means are equal"):
            lda.directions(X, t)
        return
    W, ratios = lda.directions(X, t)
    np.testing.assert_allclose(lda.directions(np.vstack([X, X]), np.append(t, t))[1], ratios, rtol=1e-7)
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
    K = exact(K)
    while len(K):
        if K[0, 0] < 0 or (K[0, 0] == 0 and K[0].any()):
            return False
        K = (K - np.outer(K[0], K[0]) / (K[0, 0] or 1))[1:, 1:]
    return True


@pytest.mark.equation("E-nec-2", "E-suff-1")
@given(symmetric(), st.integers(-200, 200))
def test_what_is_positive_semidefinite_is_told_as_fractions_tell_it(K, k):
    """In any unit; a witness proves that it is not, features prove that it is."""
    answer, z = kernels.is_positive_semidefinite(2.0**k * K)
    assert answer == exactly_semidefinite(K) and (z is None) == answer
    if answer:
        Phi = kernels.mercer_features(K)
        assert Phi.shape == (len(K), rank(K))
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


@pytest.mark.equation("D-5-17")
@given(labelled(), costs, st.sampled_from([1, 2, 3]))
def test_a_kernel_machine_is_a_linear_one_on_the_features(data, C, degree):
    """(x·z + 1)^k: the same value, and the same f where that is unique: up to b."""
    X, y = data
    X = X / 4
    K, Phi = kernels.polynomial(X, X, 1.0, degree), kernels.polynomial_features(X, 1.0, degree)
    dual, end = svm.fit_dual(K, y, C), svm.fit(Phi, y, C)
    assert dual.converged and end.converged
    value = svm.primal_objective(end.w, end.b, Phi, y, C)
    assert svm.dual_objective(dual.alpha, K, y) == pytest.approx(value, rel=4e-9)
    f = svm.dual_decision_function(dual.alpha, 0.0, y, K)
    np.testing.assert_allclose(f, Phi @ end.w, atol=2e-4 * np.sqrt(value) * np.linalg.norm(Phi, axis=1).max())
    found = kernels.expansion(lambda X, Z: kernels.polynomial(X, Z, 1.0, degree), X, X, dual.alpha * y)
    np.testing.assert_allclose(found, f, atol=1e-10 * (1 + np.abs(f).max()))

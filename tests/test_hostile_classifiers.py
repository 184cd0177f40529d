"""Classifiers and generalized linear models where numbers are hostile: relations that must hold whatever the shape, the
units (1e-72 to 1e72), the origin (to 1e8), ties, copies, one sample, one class.

Whole numbers times powers of two: what is done to the data is exact, and so is what theory says of the answer. What is
computed is compared with fractions, or with decimals of 50 digits; who is separable is decided in fractions, too.
"""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from linmodels import glm, lda
from linmodels import least_squares_classifier as lsc
from linmodels import logistic_regression as logreg
from linmodels import naive_bayes as nb
from linmodels import softmax_regression as smr
from linmodels.design import augment, free_bias, one_hot
from linmodels.solvers import likelihood
from linmodels.solvers.families import ALL_CLASSES, BERNOULLI, POISSON
from linmodels.special import logit, logsumexp, sigmoid, sigmoid_derivative, softmax, softplus

EPS, LEAST = np.finfo(float).eps, 5e-324
exponents = st.integers(-240, 240)  # 2^240 is 2e72: small whole numbers stay within 1e-75 ... 1e75
mild = st.integers(-4, 4)
offsets = st.integers(-(2**27), 2**27)
lams = st.sampled_from([0.0, 0.25, 4.0])


@st.composite
def matrices(draw, least=1, most=9, widest=3):
    """Small whole numbers; ties are common, and so are rows and columns given twice."""
    N, d = draw(st.integers(least, most)), draw(st.integers(1, widest))
    X = np.array(draw(st.lists(st.integers(-4, 4), min_size=N * d, max_size=N * d)), float).reshape(N, d)
    if draw(st.booleans()):
        X[draw(st.integers(0, N - 1))] = X[0]
    return X


@st.composite
def classified(draw, least=2, most=9, widest=3, K=None, all_present=False):
    """X (N, d), t of K classes."""
    X = draw(matrices(least, most, widest))
    K = K or draw(st.integers(2, 5))
    t = np.array(draw(st.lists(st.integers(0, K - 1), min_size=len(X), max_size=len(X))))
    if all_present:
        assume(len(X) >= K)
        t[draw(st.permutations(range(len(X))))[:K]] = range(K)
    return X, t, K


@st.composite
def units(draw, d):
    """A power of two for each column: one for all of them, or any."""
    common = draw(exponents)
    each = draw(st.one_of(st.just([common] * d), st.lists(exponents, min_size=d, max_size=d)))
    return 2.0 ** np.array(each, float)


@st.composite
def observed(draw):
    """What the solver knows of a family, X with or without a bias, and T that the family may observe."""
    X, t, _ = draw(classified(K=3))
    family = draw(st.sampled_from([BERNOULLI, POISSON, ALL_CLASSES]))
    if draw(st.booleans()):
        X = augment(X)
    T = one_hot(t, 3) if family is ALL_CLASSES else np.minimum(t, 1.0) if family is BERNOULLI else t.astype(float)
    return family, X, T


def fit(family, X, T, lam=0.0):
    """w and the rest of what the family's own door gives."""
    if family is ALL_CLASSES:
        found = smr.fit(X, T, lam)
        return likelihood.Fit(found.W, found.n_iter, found.converged, found.reason, found.direction)
    return logreg.fit(X, T, lam) if family is BERNOULLI else glm.fit(X, T, glm.poisson, lam)


def exact(A):
    return [[Fraction(float(v)) for v in row] for row in A]


def reduced(rows, d):
    """The rows after the elimination of their first d columns, and the rank of these."""
    r = 0
    for j in range(d):
        p = next((i for i in range(r, len(rows)) if rows[i][j]), None)
        if p is None:
            continue
        rows[r], rows[p] = rows[p], rows[r]
        rows[r] = [v / rows[r][j] for v in rows[r]]
        for i, row in enumerate(rows):
            if i != r and row[j]:
                rows[i] = [v - row[j] * u for v, u in zip(row, rows[r], strict=True)]
        r += 1
    return rows, r


def solve(A, b):
    """A⁻¹b in fractions; None where A is singular."""
    rows, r = reduced([[*row, v] for row, v in zip(A, b, strict=True)], len(A))
    return [row[-1] for row in rows] if r == len(A) else None


def rank(A):
    return reduced(exact(A), len(A[0]))[1]


def balance(Z):
    """Whether positive weights make the rows of Z sum to 0: Zᵀ(1 + a) = 0 with a >= 0, by the simplex method in
    fractions, by Bland's rule. They do exactly where no d has Zd >= 0 but those with Zd = 0 (Stiemke)."""
    Z = exact(Z)
    m, n = len(Z[0]), len(Z)
    rows = [[z[j] for z in Z] + [-sum(z[j] for z in Z)] for j in range(m)]
    rows = [row if row[-1] >= 0 else [-v for v in row] for row in rows]
    basis = list(range(n, n + m))  # one artificial variable per row; once out it stays out
    while True:
        gain = [sum(row[j] for row, b in zip(rows, basis, strict=True) if b >= n) for j in range(n)]
        j = next((j for j in range(n) if j not in basis and gain[j] > 0), None)
        if j is None:
            return sum(row[-1] for row, b in zip(rows, basis, strict=True) if b >= n) == 0
        i = min((i for i in range(m) if rows[i][j] > 0), key=lambda i: (rows[i][-1] / rows[i][j], basis[i]))
        rows[i], basis[i] = [v / rows[i][j] for v in rows[i]], j
        for k in range(m):
            if k != i and rows[k][j]:
                rows[k] = [v - rows[k][j] * u for v, u in zip(rows[k], rows[i], strict=True)]


def proves(d, rows, unit):
    """Whether Zd >= 0 up to rounding, and not all 0; unit holds those of the columns of X."""
    each = np.repeat(unit, d.size // len(unit))
    gain, most = rows @ d.ravel(), np.abs(rows / each).sum(axis=1) * np.abs(d.ravel() * each).max()
    return (gain >= -1e-12 * most).all() and gain.max() > 0


def test_the_judge_by_hand():
    """(1), (-1) balance; (1), (0) do not; in the plane three directions at 120° do, two of them do not."""
    assert balance([[1.0], [-1.0]]) and not balance([[1.0], [0.0]]) and balance([[0.0]])
    assert balance([[1.0, 0], [-1, 2], [-1, -3]]) and not balance([[1.0, 0], [-1, 2]])
    assert not balance([[1.0, 0], [-1, 0], [0, 1]]) and balance([[1.0, 0], [-1, 0], [0, 1], [0, -2]])
    assert solve(exact([[2, 1], [1, 1]]), [3, 2]) == [1, 1] and solve(exact([[1, 1], [1, 1]]), [1, 1]) is None
    assert rank([[1.0, 2], [2, 4]]) == 1 and rank([[0.0, 2], [2, 4]]) == 2


# --- special ------------------------------------------------------------------------------------------------


def near(found, value, allowed):
    """Whether the float is the decimal up to `allowed` relative, or a step of the subnormal numbers."""
    return abs(Decimal(float(found)) - value) <= Decimal(float(allowed)) * abs(value) + 2 * Decimal(LEAST)


@given(st.floats(-1e3, 1e3))
@example(-745.0)
@example(745.0)
@example(-709.5)
@example(-36.7)
@example(5e-324)
def test_sigmoid_and_softplus_to_the_last_digits(a):
    with localcontext() as context:
        context.prec = 50
        e = (-Decimal(a)).exp()
        p, q = 1 / (1 + e), e / (1 + e)
        assert near(sigmoid(a), p, 4 * EPS) and near(sigmoid(-a), q, 4 * EPS)
        assert near(sigmoid_derivative(a), p * q, 8 * EPS)
        assert near(softplus(a), Decimal(a) - p.ln() - Decimal(a) if a < -40 else -q.ln(), 4 * EPS) or a < -40
        if a < -40:  # ln(1 + x) of a small x, which 50 digits would lose: x - x²/2 + x³/3
            x = Decimal(a).exp()
            assert near(softplus(a), x - x * x / 2 + x**3 / 3, 4 * EPS)


@given(st.floats(1e-300, 1, exclude_max=True))
def test_logit_to_the_last_digits(p):
    with localcontext() as context:
        context.prec = 50
        value = (Decimal(p) / (1 - Decimal(p))).ln()
        assert abs(Decimal(float(logit(p))) - value) <= 4 * Decimal(EPS) * max(1, abs(value))


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=5), st.integers(-300, 300))
def test_softmax_and_logsumexp_to_the_last_digits(a, shift):
    a = np.array(a) + shift
    with localcontext() as context:
        context.prec = 50
        m = Decimal(float(a.max()))
        e = [(Decimal(float(v)) - m).exp() for v in a]
        total = sum(e)
        for p, part, v in zip(softmax(a), e, a, strict=True):
            assert near(p, part / total, (8 + a.max() - v) * EPS)  # of the difference a - max, a rounding
        assert abs(Decimal(float(logsumexp(a))) - m - total.ln()) <= 4 * Decimal(EPS) * (abs(m) + 2)


@given(st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=5), st.floats(-1e300, 1e300))
def test_posteriors_of_any_scores_sum_to_1(a, b):
    a = np.array(a)
    for P in (softmax(a), smr.posterior(a[None], np.ones((1, 1)))[0], glm.categorical_phi(a)):
        assert ((P >= 0) & (P <= 1)).all() and P.sum() == pytest.approx(1, rel=1e-15)
    p, q = (logreg.posterior(np.array([v]), np.ones((1, 1)))[0] for v in (b, -b))
    assert 0 <= p <= 1 and p + q == pytest.approx(1, rel=1e-15)


# --- likelihoods: who has a minimum --------------------------------------------------------------------------


@given(observed(), st.data())
def test_there_is_a_direction_exactly_where_fractions_say_so(problem, draw):
    """In any units; no fit of data without a minimum converges, no fit of data with one gives a direction."""
    family, X, T = problem
    assume(rank(X) == X.shape[1])
    unit, rows = draw.draw(units(X.shape[1])), family.recession(X, T)
    found = fit(family, X * unit, T)
    if balance(rows):
        assert found.direction is None and found.converged
    else:
        assert not found.converged and "no finite minimum" in found.reason
        assert proves(found.direction, family.recession(X * unit, T), unit)


@given(observed(), st.lists(offsets, min_size=4, max_size=4))
def test_the_origin_does_not_change_who_is_separable(problem, at):
    family, X, T = problem
    X = augment(X)
    assume(rank(X) == X.shape[1])
    far = X + np.append(at[: X.shape[1] - 1], 0) if X.shape[1] > 1 else X
    found = fit(family, far, T)
    assert (found.direction is None) == found.converged == balance(family.recession(X, T))
    if found.direction is not None:
        bound = 16 * EPS * (np.abs(family.recession(far, T)) @ np.abs(found.direction.ravel()))
        assert (family.recession(far, T) @ found.direction.ravel() >= -bound - 1e-12).all()


@given(st.integers(3, 12), st.sampled_from([-1, 0, 1]), exponents, st.lists(mild, max_size=6))
def test_classes_a_hair_apart(digits, side, k, more):
    """A gap of 1e-3 to 1e-12 of the width, none, or an overlap: no wrong proof, none `converged` without a minimum.

    With the gap a plane separates them, and is found; one tie is still a direction; where they overlap there is none.
    """
    right = [1.0, *(1 + abs(v) for v in more)]
    gap = side * 10.0**-digits * (1 + max(right))
    x = np.array([-1.0, 0.0, gap, *right]) * 2.0 ** (k // 2)
    X = np.column_stack([x, np.full(len(x), 2.0 ** -(k // 3))])
    t = np.array([0.0, 0, 1, 1, *([1] * len(more))])
    separable = not balance(BERNOULLI.recession(X, t))
    assert separable == (side >= 0)
    try:
        found = logreg.fit(X, t)
    except np.linalg.LinAlgError:
        assert not separable  # to rounding: an overlap too small to be resolved
        return
    assert (found.direction is not None) == separable
    assert not (found.converged and separable)


@given(classified(), st.data())
def test_one_class_only(data, draw):
    """With a bias the loss falls forever along it; with a penalty it does not."""
    X, K = augment(data[0]), data[2]
    k = draw.draw(st.integers(0, K - 1))
    T = one_hot(np.full(len(X), k), K)
    for family, T_k in ((ALL_CLASSES, T), (BERNOULLI, np.full(len(X), float(k > 0))), (POISSON, 0.0 * X[:, 0])):
        if rank(X) == X.shape[1]:
            found = fit(family, X, T_k)
            assert not found.converged and proves(found.direction, family.recession(X, T_k), np.ones(X.shape[1]))
            assert "has no sample" in found.reason or "was observed" in found.reason
        else:
            with pytest.raises(np.linalg.LinAlgError, match=f"have rank {rank(X)}"):
                fit(family, X, T_k)
        found = fit(family, X, T_k, 1.0)
        assert found.converged and found.direction is None


# --- likelihoods: where the minimum is -----------------------------------------------------------------------


@given(observed(), lams, st.data())
def test_weights_follow_the_units_of_each_column(problem, lam, draw):
    """w_j → w_j/c_j where λ_j → c_j²λ_j, whatever the c_j, and no digit is lost: they are powers of two."""
    family, X, T = problem
    assume(lam > 0 or rank(X) == X.shape[1])
    unit = draw.draw(units(X.shape[1]))
    one, other = fit(family, X, T, lam), fit(family, X * unit, T, lam * unit**2)
    assert one.converged == other.converged
    if one.converged:
        np.testing.assert_allclose((other.w.T * unit).T, one.w, rtol=1e-6, atol=1e-7)


@given(observed(), st.lists(offsets, min_size=4, max_size=4), lams)
def test_a_shift_of_the_origin_moves_the_bias_alone(problem, at, lam):
    """w·(x + c) + b' = w·x + b for b' = b - w·c."""
    family, X, T = problem
    d = X.shape[1]
    near_0, far = augment(X), augment(X + np.array(at[:d], float))
    assume(rank(near_0) == d + 1)
    price = free_bias(lam, d + 1)
    one, other = fit(family, near_0, T, price), fit(family, far, T, price)
    assert one.converged == other.converged
    if one.converged:
        np.testing.assert_allclose(other.w[:-1], one.w[:-1], rtol=1e-5, atol=1e-6)
        back = other.w[-1] + np.array(at[:d], float) @ other.w[:-1]
        np.testing.assert_allclose(back, one.w[-1], rtol=1e-5, atol=1e-6 + 1e-14 * np.abs(other.w).max())


@given(observed(), lams, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(problem, lam, random):
    """Samples in any order; features with their weights; classes with their columns; 0 and 1 with the sign."""
    family, X, T = problem
    assume(lam > 0 or rank(X) == X.shape[1])
    N, d = X.shape
    rows, columns = random.sample(range(N), N), random.sample(range(d), d)
    one, other = fit(family, X, T, lam), fit(family, X[rows][:, columns], T[rows], lam)
    assert one.converged == other.converged and (one.direction is None) == (other.direction is None)
    named = None
    if family is ALL_CLASSES:
        classes = random.sample(range(3), 3)
        named, back = fit(family, X, T[:, classes], lam), lambda w: w[:, np.argsort(classes)]
    elif family is BERNOULLI:
        named, back = fit(family, X, 1 - T, lam), np.negative
    if one.converged:
        np.testing.assert_allclose(other.w, one.w[columns], rtol=1e-6, atol=1e-7)
        if named is not None:
            assert named.converged
            np.testing.assert_allclose(back(named.w), one.w, rtol=1e-6, atol=1e-7)
    elif named is not None:
        assert not named.converged and named.direction is not None


@given(observed(), lams, st.integers(2, 5))
def test_samples_given_again_are_a_smaller_penalty(problem, lam, times):
    family, X, T = problem
    assume(lam > 0 or rank(X) == X.shape[1])
    again = np.repeat(X, times, axis=0), np.repeat(T, times, axis=0), times * lam
    one, many = fit(family, X, T, lam), fit(family, *again)
    assert one.converged == many.converged and (one.direction is None) == (many.direction is None)
    if one.converged:
        np.testing.assert_allclose(many.w, one.w, rtol=1e-6, atol=1e-7)


@given(matrices(least=2), st.integers(0, 2**27), st.integers(0, 40), st.data())
def test_counts_of_any_size_beside_an_offset(X, origin, power, draw):
    """Poisson: with a bias the means of the counts are those of the predictions, Σ_n x_n (μ_n - y_n) = 0."""
    y = np.array(draw.draw(st.lists(st.integers(1, 9), min_size=len(X), max_size=len(X))), float) * 2.0**power
    A = augment(X + origin)
    assume(rank(augment(X)) == A.shape[1])
    found = glm.fit(A, y, glm.poisson)
    assert found.converged
    mu = np.exp(A @ found.w)
    assert np.abs(augment(X).T @ (mu - y)).max() <= 1e-6 * (np.abs(augment(X)).T @ y).max()


# --- linear discriminants ------------------------------------------------------------------------------------


def moments_of(X, t, K):
    """N_k, μ_k and S_w, in fractions."""
    X = exact(X)
    of = [[x for x, k in zip(X, t, strict=True) if k == c] for c in range(K)]
    mu = [[sum(column) / len(rows) for column in zip(*rows, strict=True)] for rows in of]
    Z = [[a - b for a, b in zip(x, mu[k], strict=True)] for x, k in zip(X, t, strict=True)]
    d = range(len(X[0]))
    return [len(rows) for rows in of], mu, [[sum(z[i] * z[j] for z in Z) for j in d] for i in d]


@given(classified(least=3, K=2, all_present=True), st.data(), st.lists(offsets, min_size=3, max_size=3))
def test_fishers_direction_in_fractions(data, draw, at):
    """S_w⁻¹(μ_0 - μ_1), in any units, or from any origin."""
    X, t, _ = data
    _, mu, S = moments_of(X, t, 2)
    w = solve(S, [a - b for a, b in zip(*mu, strict=True)])
    assume(w is not None and mu[0] != mu[1])
    w = np.array(w, float)
    unit = draw.draw(units(X.shape[1]))
    np.testing.assert_allclose(lda.direction(X * unit, t) * unit, w, rtol=1e-9, atol=1e-9 * np.abs(w).max())
    far = X + np.array(at[: X.shape[1]], float)
    np.testing.assert_allclose(lda.direction(far, t), w, rtol=1e-9, atol=1e-9 * np.abs(w).max())


def test_features_that_together_are_nearly_dependent_cost_no_digits():
    """Each depends on those before it but for a part above 1e-3, all of them together but for one below 1e-5."""
    d, c = 11, 0.86
    s = np.sqrt(1 - c * c)
    R = np.round(s ** np.arange(d)[:, None] * (np.eye(d) - c * np.triu(np.ones((d, d)), 1)) * 2.0**30) / 2.0**30
    rng = np.random.default_rng(0)
    t = np.arange(4 * d) % 2
    X = rng.integers(-3, 4, (4 * d, d)) @ R + np.outer(t, rng.integers(-3, 4, d))
    _, mu, S = moments_of(X, t, 2)
    w = np.array(solve(S, [a - b for a, b in zip(*mu, strict=True)]), float)
    np.testing.assert_allclose(lda.direction(X, t), w, atol=1e-12 * np.abs(w).max())


@given(classified(least=4, all_present=True), st.data(), st.integers(-220, 220), offsets)
def test_discriminants_in_fractions(data, draw, k, at):
    """a_k - a_0 = (μ_k - μ_0)ᵀΣ⁻¹(x - (μ_k + μ_0)/2) + ln N_k/N_0 at every sample: units and origin drop out."""
    X, t, K = data
    n, mu, S = moments_of(X, t, K)
    V = [solve(S, [len(X) * (a - b) for a, b in zip(m, mu[0], strict=True)]) for m in mu]
    assume(V[0] is not None)
    far = (X + at) * 2.0**k
    W, b = lda.discriminants(far, t)
    scores = (far - far[0]) @ W + (b + far[0] @ W)
    for v, m, n_k, found in zip(V, mu, n, (scores - scores[:, :1]).T, strict=True):
        halfway = [(a + c) / 2 for a, c in zip(m, mu[0], strict=True)]
        right = [float(sum(u * (x - h) for u, x, h in zip(v, row, halfway, strict=True))) for row in exact(X)]
        right = np.array(right) + np.log(n_k / n[0])
        size = (1 + np.abs(right).max()) * (1 + np.abs(np.array(v, float)).max())
        np.testing.assert_allclose(found, right, atol=(1e-9 + 64 * EPS * abs(at)) * size)


@given(classified(least=3, K=2, all_present=True), st.lists(mild, min_size=3, max_size=3), exponents)
def test_thresholds_in_fractions(data, w, k):
    """(w·μ_0 + w·μ_1)/2, and less s² ln(N_0/N_1)/(w·μ_0 - w·μ_1) where the classes are not equally large."""
    X, t, _ = data
    w = np.array(w[: X.shape[1]], float)
    n, mu, S = moments_of((X @ w)[:, None], t, 2)
    (m_0,), (m_1,) = mu
    assume(m_0 != m_1)
    unit = 2.0**k
    assert lda.threshold(w, X * unit, t) / unit == pytest.approx(float((m_0 + m_1) / 2), rel=1e-13, abs=1e-13)
    right = float((m_0 + m_1) / 2) - float(S[0][0] / len(X) / (m_0 - m_1)) * np.log(n[0] / n[1])
    assert lda.prior_threshold(w, X * unit, t) / unit == pytest.approx(right, rel=1e-12, abs=1e-12)
    J = lda.rayleigh_quotient(w, X * unit, t)
    assert J == (pytest.approx(float((m_0 - m_1) ** 2 / S[0][0]), rel=1e-12) if S[0][0] else np.inf)


@given(classified(least=3, all_present=True), st.data(), st.randoms(use_true_random=False))
def test_ratios_of_scatters_do_not_depend_on_units_order_and_names(data, draw, random):
    X, t, K = data
    _, mu, S = moments_of(X, t, K)
    assume(any(m != mu[0] for m in mu) and solve(S, mu[0]) is not None)
    W, ratios = lda.directions(X, t)
    unit = draw.draw(units(X.shape[1]))
    rows, names = np.array(random.sample(range(len(X)), len(X))), np.array(random.sample(range(K), K))
    V, same = lda.directions(X[rows] * unit, names[t[rows]])
    kept = min(len(ratios), len(same))  # a ratio of 1e-16 may be taken for 0
    np.testing.assert_allclose(same[:kept], ratios[:kept], rtol=1e-8, atol=1e-9 * ratios[0])
    V = V * unit[:, None]
    S = np.array(S, float)
    np.testing.assert_allclose(V.T @ S @ V, np.eye(len(same)), atol=1e-9)
    np.testing.assert_allclose(W.T @ S @ W, np.eye(len(ratios)), atol=1e-9)


@given(classified(least=2, all_present=True), st.data(), exponents)
def test_the_nearest_mean_does_not_depend_on_the_unit(data, draw, k):
    """Scores are whole numbers: ties are ties, and go to the first."""
    X, _, K = data
    W = np.array(draw.draw(st.lists(mild, min_size=2 * X.shape[1], max_size=2 * X.shape[1])), float).reshape(-1, 2)
    M = X[:K] * 4.0
    distance = ((X[:, None] @ W - M[:, None].swapaxes(0, 1) @ W) ** 2).sum(axis=2)
    chosen = lda.predict(W, M * 2.0**k, X * 2.0**k)
    assert (distance[np.arange(len(X)), chosen] <= distance.min(axis=1) + 1e-9 * distance.max()).all()


# --- least squares of classes --------------------------------------------------------------------------------


@given(classified(least=2), st.data(), offsets)
def test_least_squares_of_classes_in_fractions(data, draw, at):
    """(XᵀX)⁻¹XᵀT; in other units w_j/c_j, from another origin the same outputs, which sum to 1."""
    X, t, K = data
    X, T = augment(X), one_hot(t, K)
    A = exact(X)
    G = [[sum(x[i] * x[j] for x in A) for j in range(X.shape[1])] for i in range(X.shape[1])]
    right = [[sum(x[i] for x, k in zip(A, t, strict=True) if k == c) for i in range(len(G))] for c in range(K)]
    columns = [solve(G, c) for c in right]
    assume(columns[0] is not None)
    W = np.array(columns, float).T
    unit = draw.draw(units(X.shape[1]))
    np.testing.assert_allclose((lsc.fit(X * unit, T).T * unit).T, W, atol=1e-10 * (1 + np.abs(W).max()))
    far = augment(X[:, :-1] + at)
    Y = lsc.decision_function(lsc.fit(far, T), far)
    np.testing.assert_allclose(Y, X @ W, atol=1e-10 + 1e-14 * abs(at) * np.abs(W).max())
    np.testing.assert_allclose(Y.sum(axis=1), 1, atol=1e-10 + 1e-14 * abs(at) * np.abs(W).max())


# --- naive Bayes ---------------------------------------------------------------------------------------------


@given(classified(least=2, most=12, all_present=True), st.integers(0, 5), st.integers(1, 3))
def test_shares_and_joint_probabilities_in_fractions(data, smoothing, times):
    """(N_iv|k + s)/(N_k + M s), also of copied features; ln p(x, C_k) against the logarithm of the exact product."""
    X, t, K = data
    X, s = np.tile(np.abs(X).astype(int), times), Fraction(smoothing, 2)
    model = nb.fit(X, t, float(s), n_values=5)
    n = np.bincount(t, minlength=K)
    counts = [[[int(((x == v) & (t == k)).sum()) for v in range(5)] for x in X.T] for k in range(K)]
    theta = [[[(c + s) / (int(n_k) + 5 * s) for c in row] for row in of_k] for of_k, n_k in zip(counts, n, strict=True)]
    np.testing.assert_allclose(model.theta, np.array(theta, float), rtol=4 * EPS)
    np.testing.assert_allclose(model.prior, n / len(X), rtol=4 * EPS)
    A = nb.log_joint(model, X)
    with localcontext() as context:
        context.prec = 50
        for x, row in zip(X, A, strict=True):
            for k in range(K):
                p = Fraction(int(n[k]), len(X))
                for i, v in enumerate(x):
                    p *= theta[k][i][v]
                if not p:
                    assert row[k] == -np.inf
                    continue
                value = (Decimal(p.numerator) / Decimal(p.denominator)).ln()
                assert abs(Decimal(float(row[k])) - value) <= 16 * Decimal(EPS) * (1 + X.shape[1]) * (1 + abs(value))
    np.testing.assert_allclose(nb.posterior(model, X).sum(axis=1), 1, rtol=1e-14)


@given(classified(least=2, most=6, all_present=True), st.integers(100, 3000))
def test_thousands_of_features_leave_a_posterior(data, times):
    """Products to 1e-1000 and beyond: the ratio of two classes grows with the number of copies, and its sign stays."""
    X, t, _ = data
    bits = (X > 0).astype(int)
    one, many = nb.fit(bits, t), nb.fit(np.tile(bits, times), t)
    P = nb.posterior(many, np.tile(bits, times))
    assert np.isfinite(P).all()
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-14)
    of_one, of_many = (nb.log_joint(m, B) - np.log(m.prior) for m, B in ((one, bits), (many, np.tile(bits, times))))
    np.testing.assert_allclose(of_many, times * of_one, rtol=1e-10)

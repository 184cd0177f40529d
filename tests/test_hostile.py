"""Hostile numbers: relations that must hold whatever the shape, the units (1e-72 to 1e72), the origin (to 1e8), ties,
copies, gaps down to 1e-12 of the width, one sample, one class.

Whole numbers times powers of two: what is done to the data is exact, and so is what theory says of the answer. What is
computed is compared with fractions, or with decimals of 50 digits; an answer is right to what the condition of its
problem allows, or the library says that it cannot tell.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from exact import eliminated, exact, exact_ridge, solved
from hypothesis import assume, example, given
from hypothesis import strategies as st

from linmodels import glm, kernels, lda, optimize, svm
from linmodels import linear_regression as lr
from linmodels import logistic_regression as logreg
from linmodels import regularization as reg
from linmodels import softmax_regression as smr
from linmodels.design import augment, free_bias, one_hot
from linmodels.solvers import cholesky, least_squares, likelihood
from linmodels.solvers import units as scaling
from linmodels.solvers.families import ALL_CLASSES, BERNOULLI, POISSON
from linmodels.special import logit, logsumexp, sigmoid, sigmoid_derivative, softmax, softplus

EPS, LEAST, INF = np.finfo(float).eps, 5e-324, np.inf
exponents = st.integers(-240, 240)  # 2^240 is 2e72: small whole numbers stay within 1e-75 ... 1e75
far = exponents.map(lambda k: 2.0**k)
powers = st.integers(-190, 190).map(lambda k: 2.0**k)  # 1e-57 ... 1e57
near = st.integers(-10, 10).map(lambda k: 2.0**k)
offsets = st.integers(-(2**27), 2**27)
lams = st.sampled_from([0.0, 0.25, 4.0])


def whole(n, most):
    """n whole numbers, as floats."""
    return st.lists(st.integers(-most, most), min_size=n, max_size=n).map(lambda numbers: np.array(numbers, float))


@st.composite
def matrices(draw, least=1, most=9, widest=3, largest=4):
    """Small whole numbers; ties are common, and so are rows given twice."""
    N, d = draw(st.integers(least, most)), draw(st.integers(1, widest))
    X = draw(whole(N * d, largest)).reshape(N, d)
    if draw(st.booleans()):
        X[-1] = X[0]
    return X


def rank(X):
    return len(eliminated(exact(X))[1])


# --- special ------------------------------------------------------------------------------------------------


def close(found, value, allowed):
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
        assert close(sigmoid(a), p, 4 * EPS) and close(sigmoid(-a), q, 4 * EPS)
        assert close(sigmoid_derivative(a), p * q, 8 * EPS)
        assert close(softplus(a), Decimal(a) - p.ln() - Decimal(a) if a < -40 else -q.ln(), 4 * EPS) or a < -40
        if a < -40:  # ln(1 + x) of a small x, which 50 digits would lose: x - x²/2 + x³/3
            x = Decimal(a).exp()
            assert close(softplus(a), x - x * x / 2 + x**3 / 3, 4 * EPS)


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
            assert close(p, part / total, (8 + a.max() - v) * EPS)  # of the difference a - max, a rounding
        assert abs(Decimal(float(logsumexp(a))) - m - total.ln()) <= 4 * Decimal(EPS) * (abs(m) + 2)


# --- regression ---------------------------------------------------------------------------------------------


@st.composite
def columns(draw, unit=powers, widest=4):
    """Small integers with repeated, opposite and nearly equal columns, repeated rows, an offset, a constant; units."""
    X = draw(matrices(1, 6, widest, largest=9))
    d = X.shape[1]
    kind = draw(st.sampled_from(["plain", "plain", "copy", "near", "offset", "constant"]))
    if kind == "copy" and d > 1:
        X[:, -1] = draw(st.sampled_from([1, -2, 8])) * X[:, 0]
    if kind == "near" and d > 1:
        X[:, -1] = X[:, 0] + 2.0 ** -draw(st.integers(8, 40)) * X[:, -1]
    if kind == "offset":
        X = X + 10.0 ** draw(st.integers(2, 8))
    if kind in ("offset", "constant"):
        X[:, draw(st.integers(0, d - 1))] = 1.0
    return X * (draw(unit) if draw(st.booleans()) else [draw(unit) for _ in range(d)])


def too_short(X):
    """Whether a row and a column, zeros aside, are together a part of the longest below 1e-8."""
    B = np.abs(X)
    sizes = [v[v > 0].min(initial=B.max()) / (B.max() or 1.0) for v in (B.max(axis=0), B.max(axis=1))]
    return sizes[0] * sizes[1] < 1e-8


@st.composite
def problems(draw, unit=powers):
    """X and a target, which lies in the space of the columns or not."""
    X = draw(columns(unit))
    return X, draw(whole(len(X), 9)) * draw(unit)


@st.composite
def penalized_problems(draw):
    """X, y and λ > 0: one number, or one per column in its units; from no to nearly all of what a column weighs."""
    X, y = draw(problems())
    sizes = np.abs(X).max(axis=0)
    each = np.where(sizes > 0, sizes, 1.0) if draw(st.booleans()) else np.full(X.shape[1], sizes.max() or 1.0)
    return X, y, 4.0 ** draw(st.integers(-12, 12)) * each**2


def exact_shortest(X, y):
    """X⁺y = Cᵀ(CCᵀ)⁻¹(BᵀB)⁻¹Bᵀy where X = BC, B the pivot columns, C the nonzero rows of the echelon form."""
    X, y = exact(X), exact(y)
    echelon, pivots = eliminated(X)
    if not pivots:
        return X[0] * 0
    B, C = X[:, pivots], echelon[: len(pivots)]
    return C.T @ solved(C @ C.T, solved(B.T @ B, B.T @ y))


def lengths(X, lam=0.0):
    """Of the columns, penalty included: what a weight is measured by, so that units drop out; of zeros, the longest."""
    unit = np.maximum(np.abs(X).max(axis=0), np.sqrt(lam) * np.ones(X.shape[1]))
    return np.where(unit > 0, unit, unit.max() or 1.0)


def assert_near(w, best, unit, y, allowed):
    """max_j unit_j |w_j - best_j| <= allowed · (max_j unit_j |best_j| + max |y|)."""
    assert np.isfinite(w).all()
    off = max(np.abs(exact(unit) * (exact(w) - best)))
    top = max(np.abs(exact(unit) * best)) + max(np.abs(exact(y)))
    assert off <= Fraction(allowed) * top, (float(off / top) if top else off, allowed)


def condition(X):
    """Of the columns at unit length; inf where they are dependent."""
    s = np.linalg.svd(scaling.unit_columns(X)[0], compute_uv=False)
    return s[0] / s[-1] if len(s) == X.shape[1] and s[-1] > 0 else np.inf


@given(problems())
@example((2.0**-31 * np.array([[0.0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 1]]), np.array([0.0, 1, 0])))
def test_the_shortest_solution_is_that_of_fractions(problem):
    """X⁺y at any rank, wide or tall, where columns are not nearly dependent: w_j in units of its column.

    Of dependent columns the shortest solution has the square of their ratio for a condition: ε in one entry of the
    longest is worth ε·ratio² in the weights.
    """
    X, y = problem
    Z = scaling.unit_columns(X)[0]
    s = np.linalg.svd(Z, compute_uv=False)
    r = rank(X)
    assume(r == 0 or s[r - 1] > 1e-5 * s[0])
    sizes = np.abs(X).max(axis=0)
    assume(r in (0, X.shape[1]) or sizes[sizes > 0].min() > 1e-4 * sizes.max())
    try:
        w = lr.minimum_norm(X, y)
    except np.linalg.LinAlgError:
        assert too_short(X)
        return
    assert_near(w, exact_shortest(X, y), lengths(X), y, 1e-6 if r else 0.0)


@given(problems())
@example((np.array([[1e5, 1, 1e5], [1e5, 1, 1e5], [100001, 1, 100001]]), np.array([0.0, 0, 1])))
@example((np.column_stack([1e8 + np.array([7, -9, 5, -3]), np.full(4, 2.0**53)]), np.array([-4.0, -7, 1, 5])))
def test_the_residual_of_the_shortest_solution_is_orthogonal_to_what_the_decomposition_sees(problem):
    """|x_j·r| <= q (‖X‖‖r‖ + ‖x_j‖‖X‖‖w‖), q = (50 min(N, d) + 10 max(N, d)) ε: not in units of each column.

    w = A⁺y is exact for an A = X + F: ‖F‖ <= q‖X‖ holds what is cut off as zero (max(N, d) ε‖X‖), each of the up to
    min(N, d) entries beside the diagonal that LAPACK neglects (up to 50 ε‖X‖), reflections and products. Aᵀ(y - Aw) = 0
    for a_j = x_j + f_j reads x_j·r = a_j·Fw - f_j·r. The first term bears the length of the column, and the second
    that of X: beside long columns, a short one is seen to their rounding. (The second example is of rank 2, but cut
    off: its second singular value is 7e-16 of the first.)
    """
    X, y = problem
    try:
        w = lr.minimum_norm(X, y)
    except np.linalg.LinAlgError:
        return
    r = exact(y) - exact(X) @ exact(w)
    q, x = (50 * min(X.shape) + 10 * max(X.shape)) * EPS, np.linalg.norm(X, axis=0)
    s = least_squares.svd(X)[1]
    allowed = q * s.max(initial=0) * (np.linalg.norm(r.astype(float)) + x * np.linalg.norm(w))
    assert (np.abs(r @ exact(X)).astype(float) <= allowed).all()


@given(problems())
def test_the_null_space_is_as_large_as_fractions_say_and_the_shortest_solution_has_no_part_in_it(problem):
    """XZ = 0 beside the largest number of X, ZᵀZ = I, d - rank columns; or it cannot be told beside so long columns."""
    X, y = problem
    s, r = np.linalg.svd(scaling.unit_columns(X)[0], compute_uv=False), rank(X)
    assume(r == 0 or s[r - 1] > 1e-6 * s[0])
    try:
        Z, w = lr.null_space(X), lr.minimum_norm(X, y)
    except np.linalg.LinAlgError as error:
        assert "rank cannot be told" in str(error) and too_short(X)
        return
    assert Z.shape == (X.shape[1], X.shape[1] - r)
    np.testing.assert_allclose(Z.T @ Z, np.eye(Z.shape[1]), atol=1e-13)
    assert (np.abs(exact(X) @ exact(Z)) <= Fraction(1, 10**13) * Fraction(float(np.abs(X).max()))).all()
    assert (np.abs(w @ Z) <= 1e-9 * np.abs(w).max()).all()


@given(columns())
def test_the_hat_matrix_projects_onto_the_columns_whatever_their_units(X):
    Z, r = scaling.unit_columns(X)[0], rank(X)
    s = np.linalg.svd(Z, compute_uv=False)
    assume(r == 0 or s[r - 1] > 1e-6 * s[0])
    H = lr.hat_matrix(X)
    np.testing.assert_allclose(H @ H, H, atol=1e-12)
    np.testing.assert_allclose(H, H.T, atol=1e-14)
    np.testing.assert_allclose(H @ Z, Z, atol=1e-9)
    assert np.trace(H) == pytest.approx(r, abs=1e-9)


RIDGES = {
    "ridge": reg.ridge,
    "ridge path": lambda X, y, lam: reg.ridge_path(X, y, lam[:1])[0],
    "rows": lambda X, y, lam: lr.least_squares(*reg.ridge_rows(X, y, lam)),
    "elastic net": lambda X, y, lam: reg.elastic_net(X, y, 2 * lam, 0.0).w,
    "glm": lambda X, y, lam: glm.fit(X, y, glm.gaussian, lam).w,
}


@pytest.mark.parametrize("name", RIDGES)
@given(penalized_problems())
def test_ridge_in_each_of_its_forms_is_that_of_fractions_or_refused(name, problem):
    """(XᵀX + Λ)⁻¹Xᵀy, by columns, by samples, as rows of least squares, on a path, as an elastic net without L1."""
    X, y, lam = problem
    if name == "ridge path":
        lam = np.full(len(lam), lam[0])
    rows = np.vstack([X, np.diag(np.sqrt(lam))])
    assume(condition(rows) < 1e6)
    try:
        w = RIDGES[name](X, y, lam)
    except np.linalg.LinAlgError:
        assert name == "rows" or too_short(X / np.sqrt(lam)), "units alike are no reason to refuse"
        return
    assert_near(w, exact_ridge(X, y, lam), lengths(X, lam), y, 1e-6)


@pytest.mark.parametrize("lam, w", [(1e-15, [0.8, -4e7]), (1e-12, [1 / 251, -5e7 / 251]), (1e-6, [4e-9, -0.2])])
def test_ridge_of_whole_numbers_5e7_from_zero(lam, w):
    """y = x - 5e7: ridge in fractions, and about what it is. The path may not take its rank for 1."""
    X, y = np.column_stack([5e7 + np.arange(-2.0, 3), np.ones(5)]), np.arange(-2.0, 3)
    right = exact_ridge(X, y, np.full(2, lam)).astype(float)
    np.testing.assert_allclose(right, w, rtol=1e-6)
    np.testing.assert_allclose(reg.ridge(X, y, lam), right, rtol=1e-6)
    np.testing.assert_allclose(glm.fit(X, y, glm.gaussian, lam).w, right, rtol=1e-6)
    for solve in (lr.minimum_norm, lambda X, y: lr.null_space(X), lambda X, y: reg.ridge_path(X, y, [lam])):
        with pytest.raises(np.linalg.LinAlgError, match="rank cannot be told"):
            solve(X + 0.1 * y[:, None] ** 2 * [1, 0], y)


@given(st.integers(1, 5), st.data())
def test_the_dual_of_ridge_in_units_of_each_sample(N, data):
    """(K + λI)β = y with K = SGS: β in units 1/s of each sample, exactly; a singular K + λI is an error."""
    B, s = data.draw(whole(N * N, 4)).reshape(N, N), np.array([data.draw(far) for _ in range(N)])
    K, y = B @ B.T * s * s[:, None], data.draw(whole(N, 9))
    lam = data.draw(st.sampled_from([0.0, 1e-150, 1.0, 2.0**200]))
    A = exact(K) + exact(lam) * np.eye(N, dtype=int)
    unit = np.sqrt(K.diagonal() + lam)
    try:
        beta = reg.ridge_dual(K, y, lam)
    except np.linalg.LinAlgError:
        unit[unit == 0] = 1.0
        scaled = np.linalg.svd(K / unit / unit[:, None] + np.diag(lam / unit / unit), compute_uv=False)
        assert len(eliminated(A)[1]) < N or scaled[-1] < 1e-12 * scaled[0]
        return
    best = solved(A, exact(y))
    top = max(np.abs(exact(unit) * best)) + max(np.abs(exact(y)) / exact(unit))
    assert max(np.abs(exact(unit) * (exact(beta) - best))) <= Fraction(1, 10**3) * top


@given(columns(widest=5), st.data())
def test_nonnegative_least_squares_meets_its_conditions_whatever_the_units(A, data):
    """a >= 0, A_j·(c - Aa) <= 0, and = 0 where a_j > 0: in units of the columns."""
    c = data.draw(whole(len(A), 9)) * data.draw(near)
    a = optimize.nonnegative_least_squares(A, c)
    assert (a >= 0).all()
    unit = exact(lengths(A))
    downhill = exact(A).T @ (exact(c) - exact(A) @ exact(a)) / unit
    allowed = Fraction(1, 10**10) * len(A) * (max(np.abs(exact(c))) + unit @ exact(a))
    assert all(downhill <= allowed)
    assert all(abs(g) <= allowed for g, value in zip(downhill, a, strict=True) if value > 0)


# --- likelihoods --------------------------------------------------------------------------------------------


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
def units_of(draw, d):
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


def balance(Z):
    """Whether positive weights make the rows of Z sum to 0: Zᵀ(1 + a) = 0 with a >= 0, by the simplex method in
    fractions, by Bland's rule. They do exactly where no d has Zd >= 0 but those with Zd = 0 (Stiemke)."""
    n, m = Z.shape
    A = exact(np.column_stack([Z.T, -Z.sum(axis=0)]))
    A = np.where(A[:, -1:] < 0, -A, A)
    basis = np.arange(n, n + m)  # one artificial variable per row; once out it stays out
    while True:
        gain = A[basis >= n, :n].sum(axis=0)
        j = next((j for j in range(n) if j not in basis and gain[j] > 0), None)
        if j is None:
            return A[basis >= n, -1].sum() == 0
        i = min((i for i in range(m) if A[i, j] > 0), key=lambda i: (A[i, -1] / A[i, j], basis[i]))
        A[i], basis[i] = A[i] / A[i, j], j
        for k in range(m):
            if k != i:
                A[k] = A[k] - A[k, j] * A[i]


def proves(d, rows):
    """Whether Zd >= 0 up to rounding, and 1 at most: no row is lowered along d, and some are raised."""
    gain, rounding = rows @ d.ravel(), 16 * EPS * np.abs(rows) @ np.abs(d.ravel())
    return (gain >= -rounding - 1e-12).all() and gain.max() == pytest.approx(1)


def test_the_judges_by_hand():
    """(1), (-1) balance; (1), (0) do not; in the plane three directions at 120° do, two of them do not. Samples -1 and
    1 have the margin 1: w = 1, b = 0, α = 1/2 each, of value 1/2."""
    balanced = [[[1], [-1]], [[0]], [[1, 0], [-1, 2], [-1, -3]], [[1, 0], [-1, 0], [0, 1], [0, -2]]]
    assert all(balance(np.array(Z)) for Z in balanced)
    assert not any(balance(np.array(Z)) for Z in ([[1], [0]], [[1, 0], [-1, 2]], [[1, 0], [-1, 0], [0, 1]]))
    assert [rank(np.array(A)) for A in ([[1, 2], [2, 4]], [[0, 2], [2, 4]])] == [1, 2]
    assert semidefinite(exact([[1, 2], [2, 4]])) == (True, 1) and not semidefinite(exact([[1, 2], [2, 3]]))[0]
    beta, *rest = svm_in_fractions(exact([[1, -1], [-1, 1]]), exact([-1, 1]))
    assert (beta.tolist(), rest) == ([-1 / 2, 1 / 2], [0, 0, 1 / 2])


@given(observed(), st.data())
def test_there_is_a_direction_exactly_where_fractions_say_so(problem, draw):
    """In any units, from any origin; no fit of data without a minimum converges, none with one gives a direction."""
    family, X, T = problem
    if draw.draw(st.booleans()):
        unit, A = draw.draw(units_of(X.shape[1])), X
    else:
        X = augment(X)
        unit, A = np.ones(X.shape[1]), X + np.append(draw.draw(st.tuples(*[offsets] * (X.shape[1] - 1))), 0)
    assume(rank(X) == X.shape[1])
    found = fit(family, A * unit, T)
    if balance(family.recession(X, T)):
        assert found.direction is None and found.converged
    else:
        assert not found.converged and "no finite minimum" in found.reason
        assert proves(found.direction, family.recession(A * unit, T))


@given(st.integers(3, 12), st.sampled_from([-1, 0, 1]), exponents, st.lists(st.integers(0, 4), max_size=6))
def test_classes_a_hair_apart(digits, side, k, more):
    """A gap of 1e-3 to 1e-12 of the width, none, or an overlap: no wrong proof, none `converged` without a minimum.

    With the gap a plane separates them, and is found; one tie is still a direction; where they overlap there is none.
    """
    right = [1.0, *(1.0 + v for v in more)]
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
            assert not found.converged and proves(found.direction, family.recession(X, T_k))
            assert "has no sample" in found.reason or "was observed" in found.reason
        else:
            with pytest.raises(np.linalg.LinAlgError, match=f"have rank {rank(X)}"):
                fit(family, X, T_k)
        found = fit(family, X, T_k, 1.0)
        assert found.converged and found.direction is None


def same(one, other, back):
    """Both have a minimum, and back(w) of the other is w; or neither has one."""
    assert one.converged == other.converged and (one.direction is None) == (other.direction is None)
    if one.converged:
        np.testing.assert_allclose(back(other.w), one.w, rtol=1e-6, atol=1e-7)


@given(observed(), lams, st.integers(1, 5), st.data(), st.randoms(use_true_random=False))
def test_what_is_done_to_the_data_is_done_to_the_weights(problem, lam, times, draw, random):
    """w_j → w_j/c_j where λ_j → c_j²λ_j, and no digit is lost, the c_j being powers of two. Samples in any order, each
    so often; features with their weights; classes with their columns; 0 and 1 with the sign."""
    family, X, T = problem
    assume(lam > 0 or rank(X) == X.shape[1])
    unit = draw.draw(units_of(X.shape[1]))
    rows, columns, classes = (random.sample(range(n), n) for n in (*X.shape, 3))
    again, one = np.tile(rows, times), fit(family, X, T, lam)
    same(one, fit(family, X * unit, T, lam * unit**2), lambda w: (w.T * unit).T)
    same(one, fit(family, X[again][:, columns], T[again], times * lam), lambda w: w[np.argsort(columns)])
    if family is ALL_CLASSES:
        same(one, fit(family, X, T[:, classes], lam), lambda w: w[:, np.argsort(classes)])
    elif family is BERNOULLI:
        same(one, fit(family, X, 1 - T, lam), np.negative)


@given(observed(), st.tuples(*4 * [offsets]), lams)
def test_a_shift_of_the_origin_moves_the_bias_alone(problem, at, lam):
    """w·(x + c) + b' = w·x + b for b' = b - w·c."""
    family, X, T = problem
    d = X.shape[1]
    near_0, moved, at = augment(X), augment(X + at[:d]), np.array(at[:d], float)
    assume(rank(near_0) == d + 1)
    price = free_bias(lam, d + 1)
    one, other = fit(family, near_0, T, price), fit(family, moved, T, price)
    assert one.converged == other.converged
    if one.converged:
        np.testing.assert_allclose(other.w[:-1], one.w[:-1], rtol=1e-5, atol=1e-6)
        back = other.w[-1] + at @ other.w[:-1]
        np.testing.assert_allclose(back, one.w[-1], rtol=1e-5, atol=1e-6 + 1e-14 * np.abs(other.w).max())


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


# --- linear discriminants -----------------------------------------------------------------------------------


def moments_of(X, t, K):
    """N_k, μ_k and S_w, in fractions."""
    X = exact(X)
    mu = np.array([X[t == k].mean(axis=0) for k in range(K)])
    Z = X - mu[t]
    return np.bincount(t), mu, Z.T @ Z


@given(classified(least=3, K=2, all_present=True), st.data(), st.tuples(*3 * [offsets]))
def test_fishers_direction_in_fractions(data, draw, at):
    """S_w⁻¹(μ_1 - μ_0), in any units, or from any origin."""
    X, t, _ = data
    _, mu, S = moments_of(X, t, 2)
    w = solved(S, mu[1] - mu[0])
    assume(w is not None and (mu[0] != mu[1]).any())
    unit, w = draw.draw(units_of(X.shape[1])), w.astype(float)
    for found in (lda.direction(X * unit, t) * unit, lda.direction(X + at[: X.shape[1]], t)):
        np.testing.assert_allclose(found, w, rtol=1e-9, atol=1e-9 * np.abs(w).max())


def test_features_that_together_are_nearly_dependent_cost_no_digits():
    """Each depends on those before it but for a part above 1e-3, all of them together but for one below 1e-5."""
    d, c = 11, 0.86
    s = np.sqrt(1 - c * c)
    R = np.round(s ** np.arange(d)[:, None] * (np.eye(d) - c * np.triu(np.ones((d, d)), 1)) * 2.0**30) / 2.0**30
    rng = np.random.default_rng(0)
    t = np.arange(4 * d) % 2
    X = rng.integers(-3, 4, (4 * d, d)) @ R + np.outer(t, rng.integers(-3, 4, d))
    _, mu, S = moments_of(X, t, 2)
    w = solved(S, mu[1] - mu[0]).astype(float)
    np.testing.assert_allclose(lda.direction(X, t), w, atol=1e-12 * np.abs(w).max())


@given(classified(least=4, all_present=True), st.integers(-220, 220), offsets)
def test_discriminants_in_fractions(data, k, at):
    """a_k - a_0 = (μ_k - μ_0)ᵀΣ⁻¹(x - (μ_k + μ_0)/2) + ln N_k/N_0 at every sample: units and origin drop out."""
    X, t, K = data
    n, mu, S = moments_of(X, t, K)
    V = solved(S, len(X) * (mu - mu[0]).T)
    assume(V is not None)
    moved = (X + at) * 2.0**k
    W, b = lda.discriminants(moved, t)
    scores = (moved - moved[0]) @ W + (b + moved[0] @ W)
    for v, m, n_k, found in zip(V.T, mu, n, (scores - scores[:, :1]).T, strict=True):
        right = ((exact(X) - (m + mu[0]) / 2) @ v).astype(float) + np.log(n_k / n[0])
        size = (1 + np.abs(right).max()) * (1 + np.abs(v.astype(float)).max())
        np.testing.assert_allclose(found, right, atol=(1e-9 + 64 * EPS * abs(at)) * size)


@given(classified(least=3, all_present=True), st.data(), st.randoms(use_true_random=False))
def test_ratios_of_scatters_do_not_depend_on_units_order_and_names(data, draw, random):
    X, t, K = data
    _, mu, S = moments_of(X, t, K)
    assume((mu != mu[0]).any() and solved(S, mu[0]) is not None)
    W, ratios = lda.directions(X, t)
    unit = draw.draw(units_of(X.shape[1]))
    rows, names = np.array(random.sample(range(len(X)), len(X))), np.array(random.sample(range(K), K))
    V, same = lda.directions(X[rows] * unit, names[t[rows]])
    kept = min(len(ratios), len(same))  # a ratio of 1e-16 may be taken for 0
    np.testing.assert_allclose(same[:kept], ratios[:kept], rtol=1e-8, atol=1e-9 * ratios[0])
    V = V * unit[:, None]
    S = np.array(S, float)
    np.testing.assert_allclose(V.T @ S @ V, np.eye(len(same)), atol=1e-9)
    np.testing.assert_allclose(W.T @ S @ W, np.eye(len(ratios)), atol=1e-9)


# --- kernels and support vector machines --------------------------------------------------------------------


@st.composite
def labels(draw, N):
    y = np.array(draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=N, max_size=N)))
    assume(abs(y.sum()) < N)
    return y


@st.composite
def labelled(draw, least=2, most=6, widest=3):
    X = draw(matrices(least, most, widest, 5))
    return X, draw(labels(len(X)))


@st.composite
def apart(draw, most=6):
    """X, y with a gap of 1e-3 to 1e-12 of the width, or none at all, between the classes along the first feature."""
    N = draw(st.integers(2, most))
    gap = draw(st.sampled_from([1.0, 2.0**-10, 2.0**-20, 2.0**-30, 2.0**-40, 0.0]))
    y = draw(labels(N))
    X = draw(matrices(N, N, 2, 3))
    X[:, 0] = y * (gap / 2 + np.array(draw(st.lists(st.sampled_from([0.0, 0.0, 1.0, 3.0]), min_size=N, max_size=N))))
    return X, y


def semidefinite(K):
    """Is the symmetric K of fractions positive semidefinite? And its rank, if it is: by elimination, without a root."""
    found = 0
    while len(K):
        i = K.diagonal().argmax()
        if K[i, i] <= 0:
            return not K.any(), found
        K = np.delete(np.delete(K - np.outer(K[i], K[i]) / K[i, i], i, axis=0), i, axis=1)
        found += 1
    return True, found


def svm_in_fractions(K, y, C=None):
    """(α y, the least and the largest b, the value) of the optimum, by trying which α are 0, C, or between; None where
    C is None and no hyperplane separates. An optimum is among those whose free samples are affinely independent, and
    then their system has one solution."""
    for status in product(range(2 if C is None else 3), repeat=len(y)):
        beta = y * [C if s == 2 else Fraction(0) for s in status]
        (free,) = (np.array(status) == 1).nonzero()
        if free.size:
            A = exact(np.ones((len(free) + 1, len(free) + 1)))
            A[:-1, :-1], A[-1, -1] = K[np.ix_(free, free)], Fraction(0)
            found = solved(A, np.append(y[free] - K[free] @ beta, -beta.sum()))
            if found is None:
                continue
            beta[free] = found[:-1]
        alpha = beta * y
        if beta.sum() or (alpha < 0).any() or (C is not None and (alpha > C).any()):
            continue
        F, inside = y - K @ beta, C is None or alpha < C
        up, down = F[((y < 0) & (alpha > 0)) | ((y > 0) & inside)], F[((y > 0) & (alpha > 0)) | ((y < 0) & inside)]
        if max(up) <= min(down):
            return beta, max(up), min(down), alpha.sum() - beta @ K @ beta / 2
    return None


def true_gap(alpha, b, K, y, C):
    """(primal - dual value, dual value) in fractions: of w = Σ α y φ as it is, or scaled to the margin 1."""
    alpha, K, y = map(exact, (alpha, K, y))
    beta = alpha * y
    f = K @ beta
    square, margins = beta @ f, y * (f + exact(b))
    values = [] if C == INF else [square / 2 + Fraction(C) * np.maximum(0, 1 - margins).sum()]
    values += [square / 2 / min(margins) ** 2] if min(margins) > 0 else []
    dual = alpha.sum() - square / 2
    return (min(values) - dual if values else INF), dual


KERNELS = {
    "linear": (kernels.linear, lambda s: s),
    "polynomial": (lambda X, Z: kernels.polynomial(X, Z, 2.0, 3), lambda s: (s + 2) ** 3),
    "even": (lambda X, Z: kernels.polynomial(X, Z, 0.0, 2), lambda s: s**2),
    "constant": (lambda X, Z: kernels.polynomial(X, Z, 1.0, 0), lambda s: s**0),
    "cubic_sum": (kernels.cubic_sum, lambda s: 1 + s + s**2 + s**3),
}


@pytest.mark.equation("E-prop-2", "E-kernel-10", "E-nec-1", "E-nec-2", "E-suff-1")
@given(st.sampled_from(sorted(KERNELS)), matrices(most=6, widest=4, largest=5))
def test_a_gram_matrix_is_exact_on_whole_numbers_and_positive_semidefinite(name, X):
    """By fractions symmetric, semidefinite and of the rank that its factor finds."""
    kernel, k = KERNELS[name]
    K, expected = kernels.gram(kernel, X), k(exact(X) @ exact(X).T)
    np.testing.assert_array_equal(exact(K), expected)
    np.testing.assert_array_equal(K, K.T)
    sound, rank_of_K = semidefinite(expected)
    assert sound and kernels.is_positive_semidefinite(K) == (True, None)
    F = cholesky.pivoted_cholesky(K, len(K))
    assert F.shape == (len(K), rank_of_K)
    np.testing.assert_allclose(F @ F.T, K, atol=1e-13 * np.abs(K).max())
    assert rank_of_K == 0 or cholesky.pivoted_cholesky(K, rank_of_K - 1) is None


@pytest.mark.equation("D-5-8", "D-5-12", "D-5-14", "D-5-15", "D-5-16", "D-5-17")
@given(labelled(most=4, widest=2), st.sampled_from([Fraction(1, 64), Fraction(1, 2), Fraction(8), None]), far)
@example((np.array([[1.0, 2], [1, 2], [3, 4]]), np.array([1.0, -1, 1])), None, 1.0)
def test_the_optimum_of_four_samples_in_fractions(problem, C, s):
    """Both ways reach the exact w, b and value, prove it by a gap that is no smaller than the true one, and the KKT
    conditions hold; in any unit. Where nothing separates, C = inf says so with its proof."""
    X, y = problem
    best = svm_in_fractions(exact(X @ X.T), exact(y), C)
    C = INF if C is None else float(C)
    end, dual = svm.fit(s * X, y, C / s**2), svm.fit_dual((s * X) @ (s * X).T, y, C / s**2)
    for w, found in ((end.w, end), (svm.primal(dual.alpha, y, s * X), dual)):
        if best is None:
            assert not found.converged and not found.certificate.separable
            assert np.abs((found.alpha * y) @ augment(X)).max() <= 1e-9 * (1 + np.abs(X).max())
            continue
        beta, low, high, value = best
        right, alpha = (beta @ exact(X)).astype(float), found.alpha * s**2
        size = 1e-6 * (1 + np.abs(right).max())
        np.testing.assert_allclose(w * s, right, rtol=0, atol=size)
        assert float(low) - 100 * size <= found.b <= float(high) + 100 * size
        assert found.converged and 0 <= alpha.min() and alpha.max() <= C
        gap, reached = true_gap(alpha, found.b, X @ X.T, y, C)
        assert reached <= value * (1 + Fraction(1e-12)) and float(gap) >= -1e-12 * float(value)
        assert float(value - reached) <= found.gap * s**2 + 1e-12 * float(value)
        assert found.gap * s**2 <= 1e-9 * float(value) * (1 + 1e-6)
        errors = svm.kkt_residuals(w * s, found.b, alpha, X, y, C)
        assert max(errors) <= 1e-4 * (1 + np.abs(X).max()) * (1 + float(value))


# a gap of 1e-6 and one sample far outside: the soft machine stops at a gap of an eighth, and says so
UNFINISHED = np.array([[2.0**-21, 3], [1 + 2.0**-21, 0], [-(2.0**-21), 3], [2.0**-21, 3]]), np.array([1.0, 1, -1, 1])


@pytest.mark.equation("D-5-5", "E-margin-7", "D-5-4")
@given(apart(), st.integers(-200, 200).map(lambda k: 2.0**k))
@example(UNFINISHED, 1.0)
def test_the_hard_margin_is_a_soft_one_at_a_high_price_however_narrow_the_gap(problem, s):
    """Gaps of 1 to 1e-12 of the width, in any unit; the hard margin is the soft one at a price above all α."""
    X, y = problem
    end = svm.fit(s * X, y)
    if not end.converged:
        best = svm_in_fractions(exact(X) @ exact(X).T, exact(y))
        if best is None:
            assert end.certificate is not None or "neither" in end.reason
        else:  # of a gap below 1e-6 of the width: unfound is an honest answer, a proof of the contrary is none
            assert end.certificate is None and float(best[3]) > 1e11
        return
    margin = svm.geometric_margin(end.w, end.b, s * X, y)
    assert 0 < margin == pytest.approx(1 / np.linalg.norm(end.w), rel=1e-6)
    size = np.linalg.norm(end.w)
    soft = svm.fit(s * X, y, 2 * end.alpha.max())
    if soft.converged:
        np.testing.assert_allclose(soft.w, end.w, rtol=0, atol=1e-5 * size)
    assert np.linalg.norm(soft.w - end.w) <= np.sqrt(2 * soft.gap) + 1e-5 * size  # the objective holds ½‖w‖²


@given(labelled(), st.sampled_from([1e-6, 1.0, 1e6, INF]), st.integers(1, 3))
@example((np.array([[0.0, 0, 0], [-2, 1, 2], [1, 0, 2], [0, 0, 0]]), np.array([-1.0, 1, -1, 1])), 1e6, 3)
@example(
    (np.array([[4.0, -4, 4], [0, 4, 0], [-2, 0, -2], [5, 2, 5], [4, -4, 4]]), np.array([1.0, 1, -1, -1, -1])), 1e6, 3
)
def test_few_steps_never_claim_more_than_they_have(problem, C, most):
    """The gap of an early end is that of its own w, b and α, and bounds what a full run still gains, in Fractions."""
    X, y = problem

    def dual_value(end):
        """In fractions: where α K α is 1e13, its rounding is larger than the gap."""
        w = exact(end.alpha * y) @ exact(X)
        return exact(end.alpha).sum() - w @ w / 2

    full = svm.fit_dual(X @ X.T, y, C)
    best = dual_value(full)
    for found in (svm.fit(X, y, C, max_iter=most), svm.fit_dual(X @ X.T, y, C, max_iter=most)):
        if found.certificate is not None:
            assert C == INF and full.certificate is not None
            continue
        assert found.converged == (found.gap <= 1e-9 * svm.dual_objective(found.alpha, X @ X.T, y) * (1 + 1e-6))
        if found.gap < INF:
            missing, last_digit = best - dual_value(found), Fraction(np.spacing(found.gap))
            assert Fraction(found.gap) + 4 * last_digit >= missing - Fraction(1e-9) * best  # the gap is a rounded sum
        assert str(found.n_iter) in found.reason

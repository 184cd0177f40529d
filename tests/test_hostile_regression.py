"""Regression on hostile numbers: columns of 1e-57 and 1e57 side by side, offsets to 1e8, rows and columns repeated or
nearly so, more columns than rows, one row, one column. What is exactly true is computed in fractions; an answer is
right to what the condition of its problem allows, or the library says that it cannot tell.

Units are powers of two, so that they change no digit: what theory calls dependent is dependent in float64 too.
"""

from fractions import Fraction

import numpy as np
import pytest
from cases import slow
from exact import eliminated, exact, exact_ridge, solved
from hypothesis import assume, example, given
from hypothesis import strategies as st

from linmodels import glm, optimize
from linmodels import linear_regression as lr
from linmodels import regularization as reg
from linmodels.solvers import least_squares, penalized, units

EPS = np.finfo(float).eps
powers = st.integers(-190, 190).map(lambda k: 2.0**k)  # 1e-57 ... 1e57
near = st.integers(-10, 10).map(lambda k: 2.0**k)
up_to_4, up_to_6 = st.integers(1, 4), st.integers(1, 6)


# --- problems -----------------------------------------------------------------------------------------------


@st.composite
def matrices(draw, unit=powers, rows=up_to_6, columns=up_to_4):
    """Small integers with repeated, opposite and nearly equal columns, repeated rows, an offset, a constant; units."""
    N, d = draw(rows), draw(columns)
    X = np.array(draw(st.lists(st.integers(-9, 9), min_size=N * d, max_size=N * d)), float).reshape(N, d)
    kind = draw(st.sampled_from(["plain", "plain", "copy", "near", "offset", "constant", "rows"]))
    if kind == "copy" and d > 1:
        X[:, -1] = draw(st.sampled_from([1, -2, 8])) * X[:, 0]
    if kind == "near" and d > 1:
        X[:, -1] = X[:, 0] + 2.0 ** -draw(st.integers(8, 40)) * X[:, -1]
    if kind == "offset":
        X = X + 10.0 ** draw(st.integers(2, 8))
    if kind in ("offset", "constant"):
        X[:, draw(st.integers(0, d - 1))] = 1.0
    if kind == "rows":
        X[-1] = X[0]
    if draw(st.booleans()):
        return X * draw(unit)
    return X * [draw(unit) for _ in range(d)]


def too_short(X):
    """Whether a row and a column, zeros aside, are together a part of the longest below 1e-8."""
    B = np.abs(X)
    sizes = [v[v > 0].min(initial=B.max()) / (B.max() or 1.0) for v in (B.max(axis=0), B.max(axis=1))]
    return sizes[0] * sizes[1] < 1e-8


@st.composite
def problems(draw, unit=powers, **shape):
    """X and a target, which lies in the space of the columns or not."""
    X = draw(matrices(unit, **shape))
    y = np.array(draw(st.lists(st.integers(-9, 9), min_size=len(X), max_size=len(X))), float)
    return X, y * draw(unit)


@st.composite
def penalized_problems(draw, unit=powers):
    """X, y and λ > 0: one number, or one per column in its units; from no to nearly all of what a column weighs."""
    X, y = draw(problems(unit))
    sizes = np.abs(X).max(axis=0)
    part = draw(st.integers(-12, 12).map(lambda k: 4.0**k))
    if draw(st.booleans()):
        return X, y, part * np.where(sizes > 0, sizes, 1.0) ** 2
    return X, y, np.full(X.shape[1], part * (sizes.max() or 1.0) ** 2)


# --- exact answers ------------------------------------------------------------------------------------------


def exact_rank(X):
    return len(eliminated(exact(X))[1])


def exact_shortest(X, y):
    """X⁺y = Cᵀ(CCᵀ)⁻¹(BᵀB)⁻¹Bᵀy where X = BC, B the pivot columns, C the nonzero rows of the echelon form."""
    X, y = exact(X), exact(y)
    echelon, pivots = eliminated(X)
    if not pivots:
        return X[0] * 0
    B, C = X[:, pivots], echelon[: len(pivots)]
    return C.T @ solved(C @ C.T, solved(B.T @ B, B.T @ y))


def exact_loss(w, X, y, l1, l2):
    X, y, w, l1, l2 = map(exact, (X, y, w, l1, l2))
    r = X @ w - y
    return r @ r + l1 @ np.abs(w) + (l2 / 2 * w) @ w


# --- how far an answer may be off ---------------------------------------------------------------------------


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
    s = np.linalg.svd(units.unit_columns(X)[0], compute_uv=False)
    return s[0] / s[-1] if len(s) == X.shape[1] and s[-1] > 0 else np.inf


# --- least squares ------------------------------------------------------------------------------------------


NEARLY_DEPENDENT = np.array([[1.0, 1], [2, 2 + 2.0**-33], [3, 3]]), np.array([1.0, 2, 4])  # no square resolves them


@given(problems())
@example(NEARLY_DEPENDENT)
def test_least_squares_is_exact_to_the_condition_of_its_columns_or_refused(problem):
    """Error of a backward stable method: ε (κ‖w‖ + κ²‖r‖), in units of the columns. Refused: κ beyond 1/ε.

    The residual: |x_j·r| <= 1e-11 ‖x_j‖ (‖y‖ + Σ_k ‖x_k‖|w_k|), however nearly dependent the columns are.
    """
    X, y = problem
    kappa = condition(X)
    try:
        w = lr.least_squares(X, y)
    except np.linalg.LinAlgError as error:
        assert kappa > 1e13 and "many solutions" in str(error)
        return
    assert exact_rank(X) == X.shape[1]
    assert_near(w, exact_shortest(X, y), lengths(X), y, min(1.0, 1e3 * EPS * (kappa + kappa * kappa)))
    unit = exact(lengths(X))
    allowed = Fraction(1, 10**11) * len(X) * (max(np.abs(exact(y))) + unit @ np.abs(exact(w)))
    assert all(np.abs((exact(y) - exact(X) @ exact(w)) @ exact(X)) <= unit * allowed)


@given(problems())
def test_normal_equations_square_the_condition(problem):
    X, y = problem
    kappa = condition(X)
    try:
        w = lr.normal_equations(X, y)
    except np.linalg.LinAlgError:
        assert kappa > 9e6
        return
    assert kappa <= 1e7 * (1 + 1e-6)
    assert_near(w, exact_shortest(X, y), lengths(X), y, 1e3 * EPS * (1 + kappa * kappa))


@given(problems())
@example((2.0**-31 * np.array([[0.0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 1]]), np.array([0.0, 1, 0])))
def test_the_shortest_solution_is_that_of_fractions(problem):
    """X⁺y at any rank, wide or tall, where columns are not nearly dependent: w_j in units of its column.

    Of dependent columns the shortest solution has the square of their ratio for a condition: ε in one entry of the
    longest is worth ε·ratio² in the weights.
    """
    X, y = problem
    Z = units.unit_columns(X)[0]
    s = np.linalg.svd(Z, compute_uv=False)
    rank = exact_rank(X)
    assume(rank == 0 or s[rank - 1] > 1e-5 * s[0])
    sizes = np.abs(X).max(axis=0)
    assume(rank in (0, X.shape[1]) or sizes[sizes > 0].min() > 1e-4 * sizes.max())
    try:
        w = lr.minimum_norm(X, y)
    except np.linalg.LinAlgError:
        assert too_short(X)
        return
    assert_near(w, exact_shortest(X, y), lengths(X), y, 1e-6 if rank else 0.0)


FLAT = np.array([[1e5, 1, 1e5], [1e5, 1, 1e5], [100001, 1, 100001]]), np.array([0.0, 0, 1])
CUT = (  # of rank 2, but the second singular value is 7e-16 of the first and cut off as zero
    np.array([[1e8 + 7, 2.0**53], [1e8 - 9, 2.0**53], [1e8 + 5, 2.0**53], [1e8 - 3, 2.0**53]]),
    np.array([-4.0, -7, 1, 5]),
)


@given(problems())
@example(FLAT)
@example(CUT)
def test_the_residual_of_the_shortest_solution_is_orthogonal_to_what_the_decomposition_sees(problem):
    """|x_j·r| <= q (‖X‖‖r‖ + ‖x_j‖‖X‖‖w‖), q = (50 min(N, d) + 10 max(N, d)) ε: not in units of each column.

    w = A⁺y is exact for an A = X + F: ‖F‖ <= q‖X‖ holds what is cut off as zero (max(N, d) ε‖X‖), each of the up to
    min(N, d) entries beside the diagonal that LAPACK neglects (up to 50 ε‖X‖), reflections and products. Aᵀ(y - Aw) = 0
    for a_j = x_j + f_j reads x_j·r = a_j·Fw - f_j·r. The first term bears the length of the column, and the second
    that of X: beside long columns, a short one is seen to their rounding.
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
    s, rank = np.linalg.svd(units.unit_columns(X)[0], compute_uv=False), exact_rank(X)
    assume(rank == 0 or s[rank - 1] > 1e-6 * s[0])
    try:
        Z, w = lr.null_space(X), lr.minimum_norm(X, y)
    except np.linalg.LinAlgError as error:
        assert "rank cannot be told" in str(error) and too_short(X)
        return
    assert Z.shape == (X.shape[1], X.shape[1] - rank)
    np.testing.assert_allclose(Z.T @ Z, np.eye(Z.shape[1]), atol=1e-13)
    assert (np.abs(exact(X) @ exact(Z)) <= Fraction(1, 10**13) * Fraction(float(np.abs(X).max()))).all()
    assert (np.abs(w @ Z) <= 1e-9 * np.abs(w).max()).all()


@given(matrices())
def test_the_hat_matrix_projects_onto_the_columns_whatever_their_units(X):
    Z, rank = units.unit_columns(X)[0], exact_rank(X)
    s = np.linalg.svd(Z, compute_uv=False)
    assume(rank == 0 or s[rank - 1] > 1e-6 * s[0])
    H = lr.hat_matrix(X)
    np.testing.assert_allclose(H @ H, H, atol=1e-12)
    np.testing.assert_allclose(H, H.T, atol=1e-14)
    np.testing.assert_allclose(H @ Z, Z, atol=1e-9)
    assert np.trace(H) == pytest.approx(rank, abs=1e-9)


@given(problems())
def test_what_the_refinement_added_tells_how_many_digits_are_right(problem):
    """normal_equations: where the one refinement adds less than 1e-10, 9 digits are right, in units of the columns."""
    X, y = problem
    w, relative_correction = least_squares.normal_equations(X, y)
    assume(relative_correction < least_squares.ACCURATE)
    best = exact_shortest(X, y)
    off = max(np.abs(exact(lengths(X)) * (exact(w) - best)))
    top = max(np.abs(exact(lengths(X)) * best))
    kappa = condition(X)
    assert off <= Fraction(1, 10**9) * top + Fraction(100 * EPS * kappa**2) * max(np.abs(exact(y)))


# --- ridge --------------------------------------------------------------------------------------------------

RIDGES = {
    "ridge": reg.ridge,
    "ridge path": lambda X, y, lam: reg.ridge_path(X, y, lam[:1])[0],
    "rows": lambda X, y, lam: lr.least_squares(*reg.ridge_rows(X, y, lam)),
    "elastic net": lambda X, y, lam: reg.elastic_net(X, y, 2 * lam, 0.0).w,
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


def far_from_zero(seed):
    """X, y, λ: some features 10² to 10⁹ times as far from 0 as they spread, one of them perhaps twice, and ones."""
    rng = np.random.default_rng(seed)
    N, d = rng.integers(3, 16), rng.integers(1, 4)
    X = 10 ** rng.uniform(2, 9) * rng.uniform(0.5, 1, d) + rng.normal(size=(N, d))
    X = np.column_stack([X, *([X[:, 0]] if seed % 3 == 0 else []), np.ones(N)])
    return X, rng.normal(size=N), 10 ** rng.uniform(-16, 1)


WITH_PENALIZED_BIAS = {
    "ridge": reg.ridge,
    "glm": lambda X, y, lam: glm.fit(X, y, glm.gaussian, lam).w,
    "path": lambda X, y, lam: reg.ridge_path(X, y, [lam])[0],
}


@pytest.mark.parametrize("name", WITH_PENALIZED_BIAS)
@pytest.mark.parametrize("seed", [*range(6), *slow(range(6, 46))])
def test_ridge_loses_no_slope_to_an_offset_where_the_bias_has_a_penalty(name, seed):
    """The loss, in fractions, is the smallest there is, to 1e-4 of that of w = 0; or they say that they cannot."""
    X, y, lam = far_from_zero(seed)
    try:
        w = WITH_PENALIZED_BIAS[name](X, y, lam)
    except np.linalg.LinAlgError:
        assert np.abs(X).max() > 1e6, "10 digits of the spread are left: no reason to refuse"
        return
    l2 = np.full(X.shape[1], 2 * lam)
    missing = exact_loss(w, X, y, 0 * l2, l2) - exact_loss(exact_ridge(X, y, l2 / 2), X, y, 0 * l2, l2)
    assert missing <= Fraction(1, 10**4) * (exact(y) @ exact(y))


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
    B = np.array(data.draw(st.lists(st.integers(-4, 4), min_size=N * N, max_size=N * N)), float).reshape(N, N)
    s = np.array([data.draw(st.integers(-240, 240).map(lambda k: 2.0**k)) for _ in range(N)])
    K, y = B @ B.T * s * s[:, None], np.array([data.draw(st.integers(-9, 9)) for _ in range(N)], float)
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


# --- lasso and elastic net ----------------------------------------------------------------------------------


@st.composite
def nets(draw, unit=powers):
    """X, y, λ in the units of X·y, ρ."""
    X, y = draw(problems(unit))
    rho = draw(st.sampled_from([0.0, 0.25, 1.0]))
    sizes = np.abs(X).max(), np.abs(y).max() if rho else np.abs(X).max()
    return X, y, draw(st.integers(-20, 3).map(lambda k: 2.0**k)) * (sizes[0] * sizes[1] or 1.0), rho


def rounding(w, X, y):
    """(8ε(‖y‖ + Σ_j ‖x_j‖|w_j|))²: what the loss of a w in float64 may differ by."""
    size = max(np.abs(exact(y))) + exact(np.abs(X).max(axis=0)) @ np.abs(exact(w))
    return (Fraction(8 * EPS) * len(X) * size) ** 2


@given(nets(), st.data())
def test_no_weights_have_a_loss_lower_than_the_gap_says(problem, data):
    """loss(w) - gap <= loss(v) for the w of the fit and any other v: its own neighbours, 0, ridge; in fractions."""
    X, y, lam, rho = problem
    try:
        fit = reg.elastic_net(X, y, lam, rho)
    except np.linalg.LinAlgError as error:
        assert "dependent" in str(error)
        return
    assert 0 <= fit.gap < np.inf and fit.n_iter >= 0 and fit.reason
    l1, l2 = np.full(X.shape[1], lam * rho), np.full(X.shape[1], lam * (1 - rho))
    value = exact_loss(fit.w, X, y, l1, l2)
    others = [0 * fit.w, fit.w * 1.001, fit.w * (1 - 2.0**-30)]
    step = np.array([data.draw(st.integers(-3, 3)) for _ in fit.w])
    others.append(fit.w + 2.0**-20 * step * np.abs(y).max() / lengths(X))
    for v in others:
        assert value - Fraction(fit.gap) * Fraction(101, 100) - rounding(fit.w, X, y) <= exact_loss(v, X, y, l1, l2)
    if fit.converged:
        assert Fraction(fit.gap) <= value * Fraction(11, 10**11) + 4 * rounding(fit.w, X, y) * len(X)


@given(nets(), st.data())
def test_the_duality_gap_bounds_the_loss_of_any_weights(problem, data):
    """gap(w) >= loss(w) - loss(v), whatever w and v, the best included."""
    X, y, lam, rho = problem
    l1, l2 = np.full(X.shape[1], lam * rho), np.full(X.shape[1], lam * (1 - rho))
    size = np.abs(y).max() / lengths(X, l2)
    w, v = (np.array([data.draw(st.integers(-9, 9)) / 4 for _ in size]) * size for _ in range(2))
    best = reg.elastic_net(X, y, lam, rho).w
    w = data.draw(st.sampled_from([w, 0 * w, best / 2, best * (1 + 2.0**-10)]))
    gap = penalized.duality_gap(w, X, y, l1, l2)[0]
    assert 0 <= gap < np.inf
    above = exact_loss(w, X, y, l1, l2) - min(exact_loss(v, X, y, l1, l2), exact_loss(best, X, y, l1, l2))
    assert above <= Fraction(gap) * Fraction(10**9 + 1, 10**9) + rounding(w, X, y)


@given(problems(near), st.integers(1, 9))
def test_the_path_is_the_lasso_at_every_lam(problem, part):
    """Its knots fall; between them the loss is that of `lasso`, to 1e-8 of ‖y‖². Or it says that it cannot go on."""
    X, y = problem
    first = reg.smallest_zero_lam(X, y)
    assume(first > 0)
    lam = first * part / 10
    try:
        path = reg.lasso_path(X, y, least=lam / 2)
    except np.linalg.LinAlgError as error:
        assert "dependent to rounding" in str(error)
        return
    assert path.lams[0] == pytest.approx(first, rel=1e-9) and (np.diff(path.lams) <= 1e-9 * first).all()
    zero = np.zeros(X.shape[1])
    w, fit = reg.interpolate(path, lam), reg.lasso(X, y, lam)
    l1 = np.full(len(w), lam)
    apart = abs(exact_loss(w, X, y, l1, zero) - exact_loss(fit.w, X, y, l1, zero))
    assert apart <= Fraction(fit.gap) + exact(y) @ exact(y) / 10**8 + 100 * rounding(w, X, y)


@given(matrices(columns=st.integers(1, 5)), st.data())
def test_nonnegative_least_squares_meets_its_conditions_whatever_the_units(A, data):
    """a >= 0, A_j·(c - Aa) <= 0, and = 0 where a_j > 0: in units of the columns."""
    c = np.array([data.draw(st.integers(-9, 9)) for _ in A], float) * data.draw(near)
    a = optimize.nonnegative_least_squares(A, c)
    assert (a >= 0).all()
    unit = exact(lengths(A))
    downhill = exact(A).T @ (exact(c) - exact(A) @ exact(a)) / unit
    allowed = Fraction(1, 10**10) * len(A) * (max(np.abs(exact(c))) + unit @ exact(a))
    assert all(downhill <= allowed)
    assert all(abs(g) <= allowed for g, value in zip(downhill, a, strict=True) if value > 0)

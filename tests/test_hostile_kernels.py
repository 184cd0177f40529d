"""Mathematical relations of kernels, perceptrons and support vector machines on numbers that are hard on them.

Scales from 1e-72 to 1e72, repeated rows and columns, gaps down to 1e-12 of the width, nearly constant kernels, one
sample, one feature. Where it can be, the reference is exact: whole numbers and powers of two in fractions.
"""

from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from linmodels import kernel_lms, kernels, svm
from linmodels import perceptron as pc
from linmodels.solvers import cholesky

EPS, INF = np.finfo(float).eps, np.inf
far = st.integers(-240, 240).map(lambda k: 2.0**k)  # 1e-72 to 1e72, the units of X
wide = st.integers(-460, 460).map(lambda k: 2.0**k)  # 1e-138 to 1e138, the units of K

KERNELS = {
    "linear": (kernels.linear, lambda s: s),
    "polynomial": (lambda X, Z: kernels.polynomial(X, Z, 2.0, 3), lambda s: (s + 2) ** 3),
    "even": (lambda X, Z: kernels.polynomial(X, Z, 0.0, 2), lambda s: s**2),
    "constant": (lambda X, Z: kernels.polynomial(X, Z, 1.0, 0), lambda s: Fraction(1)),
    "cubic_sum": (kernels.cubic_sum, lambda s: 1 + s + s**2 + s**3),
}
named = st.sampled_from(sorted(KERNELS))


@st.composite
def whole(draw, least=1, most=6, widest=4, largest=5):
    """Whole numbers, rows and columns often repeated."""
    N, d = draw(st.integers(least, most)), draw(st.integers(1, widest))
    X = np.array(draw(st.lists(st.integers(-largest, largest), min_size=N * d, max_size=N * d)), float).reshape(N, d)
    if N > 1 and draw(st.booleans()):
        X[-1] = X[0]
    if d > 1 and draw(st.booleans()):
        X[:, -1] = X[:, 0]
    return X


@st.composite
def labels(draw, N):
    y = np.array(draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=N, max_size=N)))
    assume(abs(y.sum()) < N)
    return y


@st.composite
def labelled(draw, least=2, most=6, widest=3):
    X = draw(whole(least, most, widest))
    return X, draw(labels(len(X)))


@st.composite
def apart(draw, most=6):
    """X, y with a gap of 1e-3 to 1e-12 of the width, or none at all, between the classes along the first feature."""
    N = draw(st.integers(2, most))
    gap = draw(st.sampled_from([1.0, 2.0**-10, 2.0**-20, 2.0**-30, 2.0**-40, 0.0]))
    y = draw(labels(N))
    X = draw(whole(N, N, 2, 3))
    X[:, 0] = y * (gap / 2 + np.array(draw(st.lists(st.sampled_from([0.0, 0.0, 1.0, 3.0]), min_size=N, max_size=N))))
    return X, y


def exact(a):
    """Fractions in lists of the shape of a."""
    return [exact(b) for b in a] if np.ndim(a) else Fraction(float(a))


def dot(u, v):
    return sum((p * q for p, q in zip(u, v, strict=True)), Fraction(0))


def solved(A, c):
    """The solution of Ax = c in Fractions, None where A is singular."""
    n, M = len(A), [[*row, v] for row, v in zip(A, c, strict=True)]
    for j in range(n):
        i = next((i for i in range(j, n) if M[i][j]), None)
        if i is None:
            return None
        M[j], M[i] = M[i], [v / M[i][j] for v in M[j]] if i == j else M[j]
        M[j] = [v / M[j][j] for v in M[j]]
        M = [row if k == j or not row[j] else [a - row[j] * b for a, b in zip(row, M[j], strict=True)]
             for k, row in enumerate(M)]  # fmt: skip
    return [row[n] for row in M]


def semidefinite(K):
    """Is the symmetric K of Fractions positive semidefinite? And its rank, if it is: by elimination, without a root."""
    K, rank = [list(row) for row in K], 0
    while K:
        i = max(range(len(K)), key=lambda i: K[i][i])
        if K[i][i] <= 0:
            return all(v == 0 for row in K for v in row), rank
        p, rank = K[i], rank + 1
        K = [[row[b] - row[i] * p[b] / p[i] for b in range(len(K)) if b != i] for a, row in enumerate(K) if a != i]
    return True, rank


def svm_in_fractions(K, y, C=None):
    """(α y, the least and the largest b, the value) of the optimum, by trying which α are 0, C, or between; None where
    C is None and no hyperplane separates. An optimum is among those whose free samples are affinely independent, and
    then their system has one solution."""
    N, y = len(y), [int(t) for t in y]
    for status in product((0, 1) if C is None else (0, 1, 2), repeat=N):
        free = [n for n in range(N) if status[n] == 1]
        beta = [C * y[n] if status[n] == 2 else Fraction(0) for n in range(N)]
        if free:
            A = [[*(K[n][m] for m in free), Fraction(1)] for n in free] + [[Fraction(1)] * len(free) + [Fraction(0)]]
            found = solved(A, [y[n] - dot(K[n], beta) for n in free] + [-sum(beta)])
            if found is None:
                continue
            for n, value in zip(free, found, strict=False):
                beta[n] = value
        if sum(beta) or any(b * t < 0 or (C is not None and b * t > C) for b, t in zip(beta, y, strict=True)):
            continue
        F = [t - dot(row, beta) for t, row in zip(y, K, strict=True)]
        up = [F[n] for n in range(N) if (beta[n] < (0 if y[n] < 0 else C) if C is not None or y[n] < 0 else True)]
        down = [F[n] for n in range(N) if (beta[n] > (0 if y[n] > 0 else -C) if C is not None or y[n] > 0 else True)]
        if max(up) <= min(down):
            return beta, max(up), min(down), sum(map(abs, beta)) - dot(beta, [dot(row, beta) for row in K]) / 2
    return None


def true_gap(alpha, b, K, y, C):
    """(primal - dual value, dual value) in Fractions: of w = Σ α y φ as it is, or scaled to the margin 1."""
    beta = [Fraction(float(a)) * int(t) for a, t in zip(alpha, y, strict=True)]
    f = [dot(row, beta) for row in exact(K)]
    square, margins = dot(beta, f), [int(t) * (v + Fraction(float(b))) for t, v in zip(y, f, strict=True)]
    values = [] if C == INF else [square / 2 + Fraction(C) * sum(max(Fraction(0), 1 - m) for m in margins)]
    values += [square / 2 / min(margins) ** 2] if min(margins) > 0 else []
    dual = sum(map(abs, beta)) - square / 2
    return (min(values) - dual if values else INF), dual


def exact_dual(alpha, K, y):
    """The value of the dual in Fractions: where α K α is 1e13, its rounding is larger than the gap."""
    beta = [Fraction(float(a)) * int(t) for a, t in zip(alpha, y, strict=True)]
    return sum(map(abs, beta)) - dot(beta, [dot(row, beta) for row in exact(K)]) / 2


# --- kernels --------------------------------------------------------------------------------------------------


@pytest.mark.equation("E-prop-2", "E-kernel-10", "E-nec-1", "E-nec-2", "E-suff-1")
@given(named, whole())
def test_a_gram_matrix_is_exact_on_whole_numbers_and_positive_semidefinite(name, X):
    """By Fractions symmetric, semidefinite and of the rank that its factor finds."""
    kernel, k = KERNELS[name]
    K = kernels.gram(kernel, X)
    rows = exact(X)
    expected = [[k(dot(x, z)) for z in rows] for x in rows]
    assert exact(K) == expected == [list(c) for c in zip(*expected, strict=True)]
    sound, rank = semidefinite(expected)
    assert sound and kernels.is_positive_semidefinite(K) == (True, None)
    F = cholesky.pivoted_cholesky(K, len(K))
    assert F.shape == (len(K), rank)
    np.testing.assert_allclose(F @ F.T, K, atol=1e-13 * np.abs(K).max())
    assert rank == 0 or cholesky.pivoted_cholesky(K, rank - 1) is None


# --- kernel LMS -----------------------------------------------------------------------------------------------


@st.composite
def targets(draw):
    X = draw(whole(most=5, widest=3, largest=3))
    return X, np.array(draw(st.lists(st.integers(-9, 9), min_size=len(X), max_size=len(X))), float)


@pytest.mark.equation("E-kernel-4", "E-kernel-5", "E-kernel-6", "E-kernel-7", "E-kernel-12", "E-kernel-13", "E-lms-2")
@given(targets(), st.integers(4, 9), st.integers(1, 7), far, st.integers(-100, 100).map(lambda k: 4.0**k))
def test_coefficients_follow_the_weights_and_the_residual_a_power(problem, power, steps, s, u):
    """β_t by Fractions: y - Kβ_t = (I - ηK)^t y, θ_t = Φᵀβ_t. Targets in the unit s, K in the unit u, η in 1/u: then
    the same to the last digit, s/u times as large."""
    X, y = problem
    K, eta = X @ X.T, 2.0**-power
    fractions = np.vectorize(Fraction, otypes=[object])
    exact_K, exact_y, exact_X, step = fractions(K), fractions(y), fractions(X), Fraction(eta)
    beta, residual = 0 * exact_y, exact_y
    plain = kernel_lms.beta_updates(K, y, eta)
    in_units = kernel_lms.beta_updates(u * K, s * y, eta / u)
    thetas = islice(kernel_lms.feature_iterates(np.sqrt(u) * X, s * y, eta / u), 1, None)
    for t, one, state, theta in zip(range(1, steps + 1), plain, in_units, thetas, strict=False):
        beta, residual = beta + step * (exact_y - exact_K @ beta), residual - step * (exact_K @ residual)
        assert (residual == exact_y - exact_K @ beta).all()
        np.testing.assert_array_equal(state.beta * (u / s), one.beta)
        after = kernel_lms.beta_after(u * K, s * y, eta / u, t) * u / s
        size = 1e-13 * (np.abs(beta.astype(float)).max() + 1) * (1 + eta * K.diagonal().sum()) ** t
        for found, expected, scale in [
            (after, beta, 1),
            (state.beta * u / s, beta, 1),
            (state.residual / s, residual, 1 + K.diagonal().sum()),
            (theta.w * np.sqrt(u) / s, exact_X.T @ beta, 1 + np.abs(X).sum()),
        ]:
            np.testing.assert_allclose(found, expected.astype(float), rtol=0, atol=size * scale)


@pytest.mark.equation("E-lms-3", "E-kernel-7")
@given(targets(), st.integers(3, 8), far, st.data())
def test_stochastic_coefficients_follow_the_stochastic_weights(problem, power, s, data):
    """In any order of visits, some samples more often than others, and in any unit of the targets."""
    X, y = problem
    more = data.draw(st.lists(st.integers(0, len(y) - 1), max_size=4))
    order, eta = [*data.draw(st.permutations(range(len(y)))), *more], 2.0**-power
    primal = islice(kernel_lms.stochastic_feature_iterates(X, s * y, eta, order), 1, 2 * len(order) + 1)
    dual = islice(kernel_lms.stochastic_beta_updates(X @ X.T, s * y, eta, order), 2 * len(order))
    for t, (theta, beta) in enumerate(zip(primal, dual, strict=True)):
        assert theta.i == beta.i == order[t % len(order)]
        size = 1e-12 * s * (1 + np.abs(y).max())
        np.testing.assert_allclose(kernel_lms.primal(beta.beta, X), theta.theta, rtol=0, atol=size)


@pytest.mark.equation("E-kernel-13")
@given(targets(), wide)
def test_the_largest_step_is_sharp(problem, s):
    """0.99 of it never lets the residual grow, whatever y; 1.01 of it does, along the eigenvector of λ_max: by 1.02 a
    step. In any unit of K."""
    X, y = problem
    assume(X.any() and y.any())
    K = X @ X.T
    eta = kernel_lms.largest_step(s * K)
    assert eta * s == pytest.approx(kernel_lms.largest_step(K), rel=1e-15)
    sizes = [np.linalg.norm(state.residual) for state in islice(kernel_lms.beta_updates(s * K, y, 0.99 * eta), 60)]
    assert all(b <= a * (1 + 1e-12) for a, b in zip([np.linalg.norm(y), *sizes], sizes, strict=False))
    v = np.linalg.eigh(K)[1][:, -1]
    for t, state in enumerate(islice(kernel_lms.beta_updates(s * K, v, 1.01 * eta), 60), 1):
        assert np.linalg.norm(state.residual) == pytest.approx(1.02**t, rel=1e-9)


# --- perceptron -----------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.1-4", "A-5.3.4-2", "A-5.3.4-1")
@pytest.mark.equation("A-5.3.1-2", "B-learn-5", "B-dual-2", "B-dualalg-1", "A-5.3.4-5")
@given(labelled(most=8), st.integers(-440, 440), st.integers(-200, 200).map(lambda k: 2.0**k), st.data())
def test_the_dual_perceptron_makes_the_same_mistakes_at_every_step_length(problem, power, unit, data):
    """η a power of two from 1e-132 to 1e132: nothing is rounded, so all scores are η times those of η = 1."""
    (X, y), eta = problem, 2.0**power
    order = data.draw(st.one_of(st.none(), st.permutations(range(len(y)))))
    X = X * unit
    plain = list(islice(pc.updates(X, y, 1.0, order), 40))
    primal = list(islice(pc.updates(X, y, eta, order), 40))
    dual = list(islice(pc.dual_updates(X @ X.T, y, eta, order), 40))
    assert [u.i for u in plain] == [u.i for u in primal] == [u.i for u in dual]
    for one, u, v in zip(plain, primal, dual, strict=True):
        np.testing.assert_array_equal(u.w, eta * one.w)
        w, b = pc.primal(v.alpha, y, X)
        np.testing.assert_array_equal(w, u.w)
        assert b == u.b == v.b == eta * one.b


@pytest.mark.equation("A-5.2-1", "B-sep-1")
@given(apart(), st.tuples(*2 * [st.integers(-60, 60)]), st.sampled_from([0, 0, -140, 140]))
def test_a_certificate_holds_in_fractions(problem, powers, power):
    """Columns in units of their own, and all in a far one, d = 1 and 2. Separable: y_i(w·x_i + b) >= margin > 0, but
    for rounding of the margin. Not: Σ a_i y_i (x_i, 1) = 0. Which of the two it is, the optimum in Fractions knows;
    only a gap below 1e-10 of the width may be said to be lost in rounding."""
    X, y = problem
    d = X.shape[1]
    rows = exact(X)
    best = svm_in_fractions([[dot(x, z) for z in rows] for x in rows], y)
    separable = best is not None
    units = 2.0 ** np.array(powers[:d]) * 2.0**power
    try:
        proof = pc.certificate(X * units, y)
    except np.linalg.LinAlgError as error:
        assert "rounding" in str(error) and separable and 1 / np.sqrt(2 * float(best[3])) < 1e-10
        return
    assert proof.separable == separable
    rows = exact(X * units)
    if separable:
        w, b = exact(proof.w), Fraction(proof.b)
        least = min(int(t) * (dot(w, x) + b) for x, t in zip(rows, y, strict=True))
        assert least > 0 and proof.margin > 0
        assert float(least) == pytest.approx(proof.margin, rel=1e-6, abs=4 * EPS * float(max(map(abs, [b, *w]))))
    else:
        a = exact(proof.weights)
        assert min(a) >= 0 and float(sum(a)) == pytest.approx(1, rel=1e-14)
        assert abs(float(dot(a, exact(y)))) <= 1e-13
        for j in range(d):
            column = [int(t) * x[j] for x, t in zip(rows, y, strict=True)]
            assert abs(dot(a, column)) <= Fraction(1e-12) * (max(map(abs, column)) or 1)


# --- support vector machines ----------------------------------------------------------------------------------


def machines(X, y, C, units=1.0):
    """(w, b, α, result) by both ways."""
    end, dual = svm.fit(units * X, y, C), svm.fit_dual((units * X) @ (units * X).T, y, C)
    return [(end.w, end.b, end.alpha, end), (svm.primal(dual.alpha, y, units * X), dual.b, dual.alpha, dual)]


@pytest.mark.equation("D-5-8", "D-5-12", "D-5-14", "D-5-15", "D-5-16", "D-5-17")
@given(labelled(most=4, widest=2), st.sampled_from([Fraction(1, 64), Fraction(1, 2), Fraction(8), None]), far)
@example((np.array([[1.0, 2], [1, 2], [3, 4]]), np.array([1.0, -1, 1])), None, 1.0)
def test_the_optimum_of_four_samples_in_fractions(problem, C, s):
    """Both ways reach the exact w, b and value, prove it by a gap that is no smaller than the true one, and the KKT
    conditions hold; in any unit. Where nothing separates, C = inf says so with its proof."""
    X, y = problem
    rows = exact(X)
    best = svm_in_fractions([[dot(x, z) for z in rows] for x in rows], y, C)
    C = INF if C is None else float(C)
    for w, b, alpha, found in machines(X, y, C / s**2, s):
        if best is None:
            assert found.certificate is not None and not found.certificate.separable and not found.converged
            assert np.abs((found.alpha * y) @ np.column_stack([X, np.ones(len(X))])).max() <= 1e-9 * (
                1 + np.abs(X).max()
            )
            continue
        beta, low, high, value = best
        right = [float(dot(beta, column)) for column in zip(*rows, strict=True)]
        size = 1e-6 * (1 + np.abs(right).max())
        np.testing.assert_allclose(w * s, right, rtol=0, atol=size)
        assert float(low) - 100 * size <= b <= float(high) + 100 * size
        assert found.converged and 0 <= alpha.min() and alpha.max() * s**2 <= C
        gap, dual = true_gap(alpha * s**2, b, X @ X.T, y, C)
        assert dual <= value * (1 + Fraction(1e-12)) and float(gap) >= -1e-12 * float(value)
        assert float(value - dual) <= found.gap * s**2 + 1e-12 * float(value)
        assert found.gap * s**2 <= 1e-9 * float(value) * (1 + 1e-6)
        errors = svm.kkt_residuals(w * s, b, alpha * s**2, X, y, C)
        assert max(errors) <= 1e-4 * (1 + np.abs(X).max()) * (1 + float(value))


@pytest.mark.equation("D-5-14")
@given(whole(2, 7, 3), st.integers(0, 5), st.integers(-3, 8), st.data())
def test_the_gap_of_an_almost_constant_kernel_is_no_smaller_than_the_true_one(X, wide, price, data):
    """σ from 1 to 1e5 times the width: K is 1 but for its last digits. The gap, in Fractions of the very K, α and b."""
    y = data.draw(labels(len(X)))
    K, C = kernels.gaussian(X, X, 10.0**wide), 10.0**price
    found = svm.fit_dual(K, y, C)
    assert 0 <= found.alpha.min() and found.alpha.max() <= C
    assert abs(found.alpha @ y) <= 1e-12 * found.alpha.sum()
    gap, dual = true_gap(found.alpha, found.b, K, y, C)
    assert gap <= Fraction(found.gap) + Fraction(1e-9) * dual
    assert found.converged == (found.gap <= 1e-9 * float(dual) * (1 + 1e-6)) and dual > 0


# a gap of 1e-6 and one sample far outside: the soft machine stops at a gap of an eighth, and says so
UNFINISHED = np.array([[2.0**-21, 3], [1 + 2.0**-21, 0], [-(2.0**-21), 3], [2.0**-21, 3]]), np.array([1.0, 1, -1, 1])


@pytest.mark.equation("D-5-5", "E-margin-7", "D-5-4")
@given(apart(), st.integers(-200, 200).map(lambda k: 2.0**k), st.lists(st.floats(-1e-3, 1e-3), min_size=3, max_size=3))
@example(UNFINISHED, 1.0, [0.0, 0.0, 0.0])
def test_no_plane_has_a_larger_margin_however_narrow_the_gap(problem, s, step):
    """Gaps of 1 to 1e-12 of the width, in any unit; the hard margin is the soft one at a price above all α."""
    X, y = problem
    end = svm.fit(s * X, y)
    if not end.converged:
        rows = exact(X)
        best = svm_in_fractions([[dot(x, z) for z in rows] for x in rows], y)
        if best is None:
            assert end.certificate is not None or "neither" in end.reason
        else:  # of a gap below 1e-6 of the width: unfound is an honest answer, a proof of the contrary is none
            assert end.certificate is None and float(best[3]) > 1e11
        return
    margin = svm.geometric_margin(end.w, end.b, s * X, y)
    assert 0 < margin == pytest.approx(1 / np.linalg.norm(end.w), rel=1e-6)
    size = np.linalg.norm(end.w)
    for k in (1.0, 1e-3, 1e-6):
        w, b = end.w / size + k * np.array(step[: len(end.w)]), end.b / size + k * s * step[2]
        if w.any():
            assert svm.geometric_margin(w, b, s * X, y) <= margin * (1 + 1e-6)
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
    full = svm.fit_dual(X @ X.T, y, C)
    best = exact_dual(full.alpha, X @ X.T, y)
    for found in (svm.fit(X, y, C, max_iter=most), svm.fit_dual(X @ X.T, y, C, max_iter=most)):
        if found.certificate is not None:
            assert C == INF and full.certificate is not None
            continue
        assert found.converged == (found.gap <= 1e-9 * svm.dual_objective(found.alpha, X @ X.T, y) * (1 + 1e-6))
        if found.gap < INF:
            missing, last_digit = best - exact_dual(found.alpha, X @ X.T, y), Fraction(np.spacing(found.gap))
            assert Fraction(found.gap) + 4 * last_digit >= missing - Fraction(1e-9) * best  # the gap is a rounded sum
        assert str(found.n_iter) in found.reason

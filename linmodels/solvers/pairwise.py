"""The dual of the support vector machine, two coordinates at a time (a tool of chapter 10; notes D 5, E).

Maximize G(α) = Σ_n α_n - ½ Σ_nm α_n α_m y_n y_m K_nm over 0 <= α_n <= C with Σ_n α_n y_n = 0; K (N, N) is a kernel
matrix, y (N,) holds -1 and +1, C = inf asks for a hard margin.

The equality forbids to change one α alone, so two change (sequential minimal optimization, SMO; Platt 1998). In signed
coefficients β_n = α_n y_n, between lo_n = min(0, C y_n) and hi_n = max(0, C y_n), it reads Σ_n β_n = 0, and
G = y·β - ½ β·Kβ has the gradient F = y - Kβ. Let β_i go up by δ and β_j down by δ: then Σ β stays, and G gains

    δ (F_i - F_j) - ½ δ² (K_ii + K_jj - 2 K_ij),   the most at   δ = (F_i - F_j) / (K_ii + K_jj - 2 K_ij),

namely ½ (F_i - F_j)² / (K_ii + K_jj - 2 K_ij); δ is cut where β_i or β_j meets its bound. We take the i of the largest
F that can go up, and for it the j of the largest gain (Fan, Chen and Lin 2005). No pair gains any more where
max F over those that can go up <= min F over those that can go down: the optimum, and b lies between the two.

Pairs soon tell which β are at a bound. Those between, and those about to leave one, are then moved together
(`_move_free`): the best step d for all of them, F_f - K_ff d = b with Σ d = 0, is one linear system, which no number of
pairs would solve to the last digit.

Where all K_nm are nearly one number (a wide Gaussian kernel, features far from 0), what tells the samples apart sits in
their last digits, and Kβ rounds it away. As Σ β = 0, the origin of the features is free: (φ_n - φ_0)·(φ_m - φ_0)
serves as well, and only b differs, by Σ_n β_n K_0n (`center_on_first_sample`).
"""

import math
from itertools import islice
from typing import NamedTuple

import numpy as np

from . import moments, units

EPS = np.finfo(float).eps
FLAT_CURVATURE = 1e-12  # a curvature below this part of the largest K_nn is zero up to rounding
UNREACHED_ALPHA = 1e100  # what no multiplier of samples with K_nn <= 1 reaches: rounding stops it near 1e16
RUNAWAY_GRADIENT = 1e100  # only where β·Kβ < 0 does F_i - F_j exceed it: else ‖w‖² <= 2 Σ α, and F <= ‖w‖
NEGATIVE_CURVATURE = 1e-8  # a curvature below minus this part of the largest K_nn is no rounding
FULL_CHECK_SIZE = 400  # up to so many samples the whole of K is checked for positive semidefiniteness: it costs N³
PART_SIZE = 200  # of more samples, parts of so many neighbors are checked, and one of so many from everywhere
COARSE_TOL = 0.1  # below this KKT violation pairs alone are no longer the fastest
FINE_TOL = 1e-12  # the relative gap that a move without a bound reaches: worth waiting for, though not asked for
TOUCHING_FACTOR = 45  # a squared distance below so many times the rounding of a K_nm counts as 0
MOVE_BUDGET = 15_000  # bounds moves times samples with β_n ≠ 0: a move of m free ones costs m³
PAIRS_PER_MOVE = 10  # pairs after a move that does not halve the gap, more where it stays: they free the right β


class DualOptimum(NamedTuple):
    """α, b, the primal minus the dual value there (inf: no hyperplane), n_iter pairs and systems, gap <= tol or not,
    and the dual value G(α)."""

    alpha: np.ndarray
    b: float
    gap: float
    n_iter: int
    converged: bool
    value: float


class _SamePlaceError(ValueError):
    """Two samples of different labels that K cannot tell apart, where C = inf: G grows without end along the pair."""


class _Problem(NamedTuple):
    """Maximize y·β - ½ β·Kβ over lo <= β <= hi, Σ β = 0, where α = yβ / unit; `given` is K in the reader's unit.

    size is the largest K_nn, half holds all ½ K_nn, noise is what rounding may have left of a K_nm as it came; flat is
    the curvature that stands for 0, and one below -negative is no rounding. first holds K_0n where K has
    been centered (`center_on_first_sample`).
    """

    K: np.ndarray
    y: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    C: float
    unit: float
    size: float
    half: np.ndarray
    noise: float
    flat: float
    negative: float
    given: np.ndarray
    first: np.ndarray | None


class _State(NamedTuple):
    """β, and F = y - Kβ twice: of those that can go up (above, -inf else) and that can go down (below, +inf else)."""

    beta: np.ndarray
    above: np.ndarray
    below: np.ndarray


class _Point(NamedTuple):
    """A β and b, the primal value there and how far the dual one is from it."""

    beta: np.ndarray
    b: float
    primal: float
    gap: float

    def gap_within(self, tol):
        """Whether the gap is at most tol times the primal value."""
        return bool(self.gap <= tol * self.primal < np.inf)


def solve(K, y, C=np.inf, tol=1e-12, max_iter=100_000):
    """The maximum: pairs first, then moves of all free β together, until gap <= tol · primal value.

    While moves halve the gap, it goes on beyond tol, to `FINE_TOL`; where they do not, a few pairs come between two
    moves. It also ends where the gap gets no smaller, where no hyperplane separates (C = inf), or at max_iter; `gap`
    says how good the end is. Raises ValueError where K turns out to be no kernel matrix.
    """
    least = 1e-3 / len(y) / (K.diagonal().max() or np.inf)
    if C < least:
        larger = solve(K, y, least, tol, max_iter)
        found, square = scale_optimum(larger, y, C, least), np.sum(larger.alpha) - larger.value  # ½ β·Kβ
        gap, value = evaluate(K, y, C, found.alpha)[2], float(np.sum(found.alpha) - (C / least) ** 2 * square)
        return found._replace(gap=gap, converged=gap <= tol * (value + gap), value=value)
    problem = _problem(K, y, C)
    point, n = _maximize(problem, tol, max_iter)
    gap, primal = float(point.gap / problem.unit), float(point.primal / problem.unit)
    b = _bias(problem, point.beta, point.b)
    return DualOptimum(_multipliers(problem, point.beta), b, gap, n, point.gap_within(tol), primal - gap)


def evaluate(K, y, C, alpha):
    """(α, b, gap, value) of an α from another solver, 0 <= α_n <= C, Σ α_n y_n = 0; b is that of the smallest gap."""
    problem = _problem(K, y, C)
    beta = np.clip(y * alpha * problem.unit, problem.lo, problem.hi)
    point = _point(problem, _recomputed_state(problem, beta, 0.0))
    gap, primal = float(point.gap / problem.unit), float(point.primal / problem.unit)
    return _multipliers(problem, point.beta), _bias(problem, point.beta, point.b), gap, primal - gap


def require_kernel(K, y, C=np.inf):
    """Refuse a K that is seen to be no kernel matrix; and, where C = inf, two labels for one place in K."""
    problem, k = _problem(K, y, C), K.diagonal()
    _reject_negative_eigenvalue(problem.K, problem.given, problem.negative, [np.arange(len(K))])
    distances = np.where(y[:, None] != y, k + k[:, None] - 2 * K, np.inf)
    i, j = np.unravel_index(distances.argmin(), K.shape)
    if C == np.inf and distances[i, j] <= problem.flat * problem.unit:
        raise _SamePlaceError(_same_place(i, j))


def _same_place(i, j):
    return (
        f"C = inf asks for a hyperplane between samples {min(i, j)} and {max(i, j)}, which have different labels "
        "but the same place in K; a finite C allows for that"
    )


def center_on_first_sample(K):
    """(φ_n - φ_0)·(φ_m - φ_0) = K_nm - K_0m - (K_n0 - K_00) where no K_nm is twice another, else K itself.

    Where no K_nm is twice another, float64 holds all digits of their differences.
    """
    if not K[0].max() < 2 * K[0].min() or not K.max() < 2 * K.min():
        return K
    D = K - K[0]
    D -= D[:, :1].copy()
    return D


def scale_optimum(found, y, C, larger):
    """The optimum for C from that for a larger one, so small still that f is within 1e-3 of one label m all over:
    α and b - m grow with C (and so does w, where there is one). The gap does not, unless it is 0."""
    m, k = np.sign(np.sum(y)), C / larger
    alpha = np.where(found.alpha == larger, C, np.minimum(k * found.alpha, C))
    return found._replace(alpha=alpha, b=float(m + k * (found.b - m)))


def _problem(K, y, C):
    """The problem in a unit in which the largest K_nn is about 1; a C that no α can reach there is a hard margin."""
    _reject_indefinite(K)
    given, size = K, float(K.diagonal().max())
    unit = float(units.power_of_two(size)) if size > 0 else 1.0
    if unit != 1:
        K, size = K / unit, size / unit
    box = C * unit if C * unit < UNREACHED_ALPHA or size == 0 else np.inf  # where K = 0, every C is reached
    lo, hi = np.where(y > 0, 0.0, -box), np.where(y > 0, box, 0.0)
    noise, D = EPS * size, center_on_first_sample(K)
    _reject_negative_eigenvalue(K, given, NEGATIVE_CURVATURE * size or 1.0)
    first, size = (None, size) if D is K else (K[0], float(D.diagonal().max()))
    flat = max(FLAT_CURVATURE * size, 16 * noise) or 1 / max(UNREACHED_ALPHA, min(C, 1e150))
    negative = max(NEGATIVE_CURVATURE * size, 4 * len(K) * noise) or 1.0
    if first is not None:
        _reject_negative_eigenvalue(D, given, negative)
    return _Problem(D, y, lo, hi, box, unit, size, D.diagonal() / 2, noise, flat, negative, given, first)


def _multipliers(problem, beta):
    return problem.y * beta / problem.unit + 0.0


def _bias(problem, beta, b):
    """b beside K as it came: Σ_n β_n K_nm = Σ_n β_n (φ_n - φ_0)·(φ_m - φ_0) + Σ_n β_n K_0n, as Σ β = 0."""
    return float(b if problem.first is None else b - _exact_dot(problem.first, beta)) + 0.0


def _exact_dot(a, b):
    """Σ_n a_n b_n, rounded once: the sum of all products and of what rounding takes from each (Dekker 1971)."""
    (a_1, a_2), (b_1, b_2), p = _split_digits(a), _split_digits(b), a * b
    return math.fsum([*p.tolist(), *(a_1 * b_1 - p + a_1 * b_2 + a_2 * b_1 + a_2 * b_2).tolist()])


def _split_digits(a):
    """a in two parts of half the digits each, of which products are exact."""
    c = (2.0**27 + 1) * a
    high = c - (c - a)
    return high, a - high


def _state(problem, beta, F=None):
    F = problem.y - problem.K @ beta if F is None else F
    return _State(beta, np.where(beta < problem.hi, F, -np.inf), np.where(beta > problem.lo, F, np.inf))


def _initial_state(problem):
    """β = 0, where F = y."""
    return _state(problem, np.zeros(len(problem.y)), problem.y)


def _gradient(state):
    return np.where(state.above > -np.inf, state.above, state.below)


def _bounds_of_b(state):
    """min F over those that can go down and max F over those that can go up: equal where one β is free."""
    return float(state.below.min()), float(state.above.max())


def _pairs(problem, state):
    """Update the pair of the largest gain, in place, again and again; yields i, j and the F_i - F_j it had.

    The sequence ends where no pair gains, or only in digits that β does not have.
    """
    while True:
        i, j, rise, curvature = _best_pair(problem, state)
        if rise > RUNAWAY_GRADIENT or (curvature <= problem.flat and rise > 0):
            _check_pair(problem, state.beta, i, j, rise)
        if rise <= 0 or not _update_pair(problem, state, i, j, rise / curvature):
            return
        yield i, j, rise


def _best_pair(problem, state):
    """i, j, F_i - F_j, which is 0 where no pair gains, and K_ii + K_jj - 2 K_ij, or `flat` where it is less."""
    i = int(state.above.argmax())
    rise = np.maximum(state.above.item(i) - state.below, 0.0)
    half = problem.half - problem.K[i]
    half += problem.half.item(i)
    np.maximum(half, problem.flat / 2, out=half)
    gain = rise * rise
    gain /= half
    j = int(gain.argmax())
    return i, j, rise.item(j), 2 * half.item(j)


def _check_pair(problem, beta, i, j, rise):
    """Raise where φ(x_i) = φ(x_j) leaves no maximum, where K_ii + K_jj < 2 K_ij, or where β·Kβ < 0 lets β run away."""
    K = problem.K
    if rise > RUNAWAY_GRADIENT:
        _raise_indefinite(problem.given, np.flatnonzero(beta), beta[beta != 0])
    if K.item(i, i) + K.item(j, j) - 2 * K.item(i, j) < -problem.negative:
        _raise_indefinite(problem.given, [i, j], [1.0, -1.0])
    if problem.C == np.inf and rise > 1:
        raise _SamePlaceError(_same_place(i, j))


def _update_pair(problem, state, i, j, delta):
    """β_i up and β_j down by δ, or to the first bound, in place; F ← F - δ (K_i - K_j). Does a digit of β change?"""
    beta, above, below = state
    beta_i, beta_j = beta.item(i), beta.item(j)
    room_i, room_j = problem.hi.item(i) - beta_i, beta_j - problem.lo.item(j)
    delta = min(delta, room_i, room_j)
    beta[i] = problem.hi[i] if delta == room_i else beta_i + delta
    beta[j] = problem.lo[j] if delta == room_j else beta_j - delta
    change = problem.K[i] - problem.K[j]
    change *= delta
    above -= change
    below -= change
    below[i], above[j] = above[i], below[j]
    if delta == room_i:
        above[i] = -np.inf
    if delta == room_j:
        below[j] = np.inf
    return beta.item(i) != beta_i or beta.item(j) != beta_j


def _run_pairs(problem, state, tolerance, most):
    """Update pairs until the KKT violation is at most the tolerance; returns how many it took."""
    n = 0
    for _, _, rise in islice(_pairs(problem, state), most):
        n += 1
        if rise <= tolerance and state.above.max() - state.below.min() <= tolerance:
            break
    return n


def _maximize(problem, tol, max_iter):
    """The best `_Point` found, and how many pairs and systems it took."""
    state, n, since = _initial_state(problem), 0, 0
    try:
        n = _run_pairs(problem, state, COARSE_TOL, min(len(problem.y) + 100, max_iter))
        best = _point(problem, state)
        while since < _max_stalled_moves(state, best.gap) and n < max_iter:
            if not _means_differ(problem, state.beta, _gradient(state)):
                break
            state, systems = _move_free(problem, state)
            point, n = _point(problem, state), n + systems
            if point.gap_within(tol):
                state = _recomputed_state(problem, state.beta, max(tol, FINE_TOL) * point.primal)
                point = _point(problem, state)
            since = 0 if point.gap < best.gap / 2 else since + 1
            best = point if point.gap <= best.gap else best
            if best.gap_within(min(tol, FINE_TOL)) or (best.gap_within(tol) and since):
                return best, n
            if since:  # else the next move takes along those that this one has shown to be drawn
                n += _run_pairs(problem, state, 0.0, min(PAIRS_PER_MOVE * (1 + 3 * since // 2), max_iter - n))
    except _SamePlaceError:
        return _point(problem, state)._replace(primal=np.inf, gap=np.inf), n
    return _point(problem, _recomputed_state(problem, best.beta, max(tol, FINE_TOL) * best.primal)), n


def _recomputed_state(problem, beta, least):
    """The state with F computed anew, without the rounding of the steps.

    Where the rounding of Kβ alone could make a gap of `least`, its products are summed exactly. Where K is centered on
    sample 0, the rounding error of Σ β counts, too.
    """
    rounding = EPS * problem.size * np.sqrt(beta @ beta) * np.abs(beta).sum()
    scores = problem.K @ beta if rounding < least else np.array([_exact_dot(row, beta) for row in problem.K])
    if problem.first is not None:
        scores += (problem.first - problem.first[0]) * math.fsum(beta)
    return _state(problem, beta, problem.y - scores)


def _max_stalled_moves(state, gap):
    """After so many moves that do not halve the gap we stop: rounding, no hyperplane, or too slow."""
    least, most = _bounds_of_b(state)
    moves = 15 if gap == np.inf else 30 if most - least > 8 * EPS * max(1.0, abs(least), abs(most)) else 5
    return min(moves, max(5, MOVE_BUDGET // (1 + np.count_nonzero(state.beta))))


def _move_free(problem, state):
    """The state at the maximum of G over the β of `_free_set`, and how many systems that took.

    Where some β meet a bound on the way there, it is the maximum over the others.
    """
    beta, F, (least, most) = state.beta.copy(), _gradient(state), _bounds_of_b(state)
    f = _free_set(problem, state, F)
    if len(f) < 2:
        return state, 0
    eps = (problem.size or 1.0) * max(1e-7 * min(most - least, 1.0), 1e-10 * len(f))  # keeps d short where K_ff is flat
    eps = max(eps, 4 * len(f) * problem.noise)
    n = _active_set_steps(problem, beta, f, F[f], (least + most) / 2, eps)
    return _state(problem, beta, F - (beta - state.beta)[f] @ problem.K[f]), n


def _free_set(problem, state, F):
    """The free β, and those that the gradient F draws off their bound more than any free one.

    Where the latter are many, they are left out: it is too early to tell which of them will be free. A sample that
    equals a free one is drawn as much as that one, and stays.
    """
    free = (state.beta > problem.lo) & (state.beta < problem.hi)
    if not free.any():
        return np.flatnonzero(free)
    near = 1e-9 * (state.above.max() - state.below.min())
    drawn = (state.above > F[free].max() + near) | (state.below < F[free].min() - near)
    few = np.count_nonzero(drawn) <= np.count_nonzero(free) / 3
    return np.flatnonzero(free | drawn if few else free)


def _active_set_steps(problem, beta, f, F, b, eps):
    """Steps d with (K_ff + ε)d + b = F_f, Σ d = -Σ β, in place, cut at the first bound, which leaves one free β less.

    `_drop_coordinate` turns the rest of the step into the step of the others alone, so one inverse serves all. Another
    round starts from the KKT residual and removes what rounding and ε have left. The first of these rounds that meets
    no bound is the last. Returns how many systems that were.
    """
    K_ff, m = problem.K[np.ix_(f, f)], len(f)
    lo, hi = np.append(problem.lo[f], -np.inf), np.append(problem.hi[f], np.inf)
    x, start, others = np.append(beta[f], b), beta[f], beta.sum() - beta[f].sum()  # b moves with the free β
    P, U, whole = _bordered_inverse(K_ff, eps), np.empty((m, m + 1)), 0
    out: list[int] = []  # those that met a bound
    _reject_negative_curvature(problem, f, P)
    while whole < 2 and len(out) < m - 1:
        d, cuts = _free_step(P, U[: len(out)], out, _kkt_residual(K_ff, F, x, start, others)), len(out)
        t, k = _first_bound(x, d, lo, hi)
        while t < 1 and len(out) < m - 1:
            x += t * d
            x[k] = hi[k] if d[k] > 0 else lo[k]
            d = _drop_coordinate(P, U, out, k, (1 - t) * d)
            t, k = _first_bound(x, d, lo, hi)
        x += min(t, 1.0) * d
        whole = whole + 1 if len(out) == cuts else 1
    beta[f] = x[:-1]
    i = int(np.minimum(x - lo, hi - x)[:-1].argmax())
    beta[f[i]] = min(max(beta[f[i]] - beta.sum(), lo[i]), hi[i])  # what rounding has left of Σ β
    return 1 + len(out)


def _kkt_residual(K_ff, F, x, start, others):
    """The residual of the optimality conditions (KKT) at x = (β_f, b): F_f - b and -Σ β."""
    return np.append(F - K_ff @ (x[:-1] - start) - x[-1], -(others + x[:-1].sum()))


def _free_step(P, U, out, r):
    """The step (P - UᵀU)r of the free β; it is 0 for those at a bound."""
    r[out] = 0.0
    d = P @ r - (U @ r) @ U
    d[out] = 0.0
    return d


def _drop_coordinate(P, U, out, k, d):
    """The step d where β_k stays at its bound; U gets one row more, so that P - UᵀU is the inverse without k.

    The inverse without row and column k is P - p pᵀ/P_kk, where p is column k of P.
    """
    p = P[k] - U[: len(out), k] @ U[: len(out)]
    p[out] = 0.0
    if p[k] <= EPS * len(p) * P[k, k]:  # no digit is left: the rest of the step is not worth taking
        return np.zeros(len(d))
    U[len(out)] = p / np.sqrt(p[k])
    out.append(k)
    d = d - d[k] / p[k] * p
    d[out] = 0.0
    return d


def _bordered_inverse(A, eps):
    """The inverse of [[A + ε, 1], [1ᵀ, 0]]."""
    m = len(A)
    M = np.ones((m + 1, m + 1))
    M[:m, :m] = A
    M.flat[: m * (m + 2) : m + 2] += eps
    M[m, m] = 0.0
    return np.linalg.inv(M)


def _first_bound(x, d, lo, hi):
    """The largest t for which x + t d is in the box, and which entry stops it."""
    t = np.full(len(x), np.inf)
    with np.errstate(over="ignore"):  # a d so small that no bound is near
        np.divide(np.where(d > 0, hi, lo) - x, d, out=t, where=d != 0)
    k = int(t.argmin())
    return t[k], k


def _point(problem, state):
    """gap = Σ_n (hi_n - β_n)(F_n - b)₊ + (β_n - lo_n)(b - F_n)₊: no term is negative, nothing cancels.

    It is least for the b that has as many F below it as there are positive samples. Where f separates, the w that is
    scaled to the functional margin 1 needs no ξ: of a large C, times what rounding makes of them, it has the less.
    """
    beta, F = state.beta, _gradient(state)
    if problem.C == np.inf:
        return _scaled_point(problem, beta.copy(), F)
    k = np.count_nonzero(problem.y > 0)
    b = np.partition(F, (k - 1, k))[k - 1 : k + 1].sum() / 2
    up, down = np.maximum(F - b, 0.0), np.maximum(b - F, 0.0)
    hinge = np.where(problem.y > 0, up, down).sum()
    gap = (problem.hi - beta) @ up + (beta - problem.lo) @ down
    point = _Point(beta.copy(), b, beta @ (problem.y - F) / 2 + problem.C * hinge, gap)
    scaled = _scaled_point(problem, point.beta, F) if hinge < 1 else point
    return scaled if scaled.gap < gap else point


def _scaled_point(problem, beta, F):
    """The primal value is ½‖w‖² of w scaled to the functional margin 1, b midway between the classes."""
    y, f = problem.y, problem.y - F
    positive, negative, square = f[y > 0].min(), f[y < 0].max(), beta @ f
    margin, b = (positive - negative) / 2, -(positive + negative) / 2
    if margin <= 0 or not _means_differ(problem, beta, F):
        return _Point(beta, b, np.inf, np.inf)
    primal = square / margin**2 / 2
    return _Point(beta, b, primal, max(primal - (np.abs(beta).sum() - square / 2), 0.0))


def dual_rounding(K, alpha):
    """How much the dual value of α changes where each K_nm changes in its last digits."""
    return 8 * EPS * (K.diagonal().max() * np.sum(alpha)) * np.sum(alpha)


def means_differ(K, y, a):
    """Whether the means Σ a_n φ(x_n) of the two classes, each of weight 1, differ by more than the rounding of K."""
    return (a * y) @ center_on_first_sample(K) @ (a * y) > TOUCHING_FACTOR * EPS * K.diagonal().max()


def _means_differ(problem, beta, F):
    """`means_differ` for a β that sums to more than 1 in either class; C < inf does not need it."""
    squared = beta @ (problem.y - F)
    return problem.C < np.inf or squared > TOUCHING_FACTOR * problem.noise * (np.abs(beta).sum() / 2) ** 2


def _reject_indefinite(K):
    """Raise where K is plainly indefinite: a K_ii is negative, or a K_ij exceeds every K_ii."""
    i, largest = int(K.diagonal().argmin()), K.diagonal().max()
    if K[i, i] < -NEGATIVE_CURVATURE * largest:
        _raise_indefinite(K, [i], [1.0])
    if max(max(B.max(), -B.min()) for B in map(K.__getitem__, moments.blocks(K))) > (1 + NEGATIVE_CURVATURE) * largest:
        i, j = np.unravel_index(np.abs(K).argmax(), K.shape)
        _raise_indefinite(K, [i, j], [1.0, -np.sign(K[i, j])])


def _principal_blocks(N):
    """The samples of the principal submatrices that are checked: all, or PART_SIZE neighbors, and PART_SIZE of all."""
    if N <= FULL_CHECK_SIZE:
        return [np.arange(N)]
    return [np.unique(np.linspace(0, N - 1, PART_SIZE).astype(int)), *np.array_split(np.arange(N), -(-N // PART_SIZE))]


def _reject_negative_eigenvalue(K, given, negative, parts=None):
    """Raise where K has an eigenvalue below -negative; its eigenvector z is the proof.

    Where K is centered on sample 0, z_0 is less by Σ z.
    """
    size = K.diagonal().max() or 1.0
    for some in parts or _principal_blocks(len(K)):
        A = (K if len(some) == len(K) else K[np.ix_(some, some)]) / size
        A.flat[:: len(A) + 1] += negative / size
        try:
            np.linalg.cholesky(A)
        except np.linalg.LinAlgError:
            z = np.zeros(len(K))
            z[some] = np.linalg.eigh(A)[1][:, 0]
            z[0] -= 0.0 if K[0].any() else z.sum()
            _raise_indefinite(given, np.flatnonzero(z), z[z != 0])


def _reject_negative_curvature(problem, f, P):
    """Raise where some z·Kz < 0: column k of P is a z with Σ z = 0 and z·Kz = P_kk."""
    k = int(P.diagonal()[:-1].argmin())
    if P[k, k] < 0:
        z = P[:-1, k]
        if z @ (problem.K[np.ix_(f, f)] @ z) < -problem.negative * (z @ z):
            _raise_indefinite(problem.given, f, z)


def _raise_indefinite(K, where, z):
    """Raise ValueError: z·Kz < 0, so K is indefinite."""
    where, z = np.asarray(where), np.asarray(z) / np.abs(z).max()
    value = z @ (K[np.ix_(where, where)] @ z)
    entries = ", ".join(f"z[{n}] = {a:.3g}" for n, a in zip(where[:4], z[:4], strict=True))
    raise ValueError(
        f"K must be positive semidefinite, found z·Kz = {value:.6g} < 0 for {entries}{' ...' if len(z) > 4 else ''}, "
        "0 else; kernels.is_positive_semidefinite(K) gives such a z: K is not the matrix of a kernel"
    )

"""The dual of the support vector machine, two coordinates at a time (a tool of chapter 10; notes D 5, E).

Maximize Γ(α) = Σ_n α_n - ½ Σ_nm α_n α_m y_n y_m K_nm over 0 <= α_n <= C with Σ_n α_n y_n = 0; K (N, N) is a kernel
matrix, y (N,) holds -1 and +1, C = inf asks for a hard margin.

In signed coefficients β_n = α_n y_n, between lo_n = min(0, C y_n) and hi_n = max(0, C y_n), Σ_n β_n = 0, and Γ = y·β -
½ β·Kβ has the gradient F = y - Kβ. Pairs change as in `svm_algorithms.pair_step` (sequential minimal optimization,
SMO; Platt 1998), but F is kept: β_i up and β_j down by δ makes F less by δ(K_i - K_j).

Pairs soon tell which β are at a bound. The others are then moved together (`move_free`): F_f = b for all of them and
Σ β = 0 is one linear system, which no number of pairs would solve to the last digit.

Where all K_nm are nearly one number (a wide Gaussian kernel, features far from 0), what tells the samples apart sits in
their last digits, and Kβ rounds it away. As Σ β = 0, the origin of the features is free: (φ_n - φ_0)·(φ_m - φ_0)
serves as well, and only b differs, by Σ_n β_n K_0n (`center_on_first_sample`).
"""

import math
from itertools import islice
from typing import NamedTuple

import numpy as np

from . import units
from .interior_point import UNREACHED, smallest_gap

EPS = np.finfo(float).eps
FLAT_CURVATURE = 1e-12  # a curvature below this part of the largest K_nn is zero up to rounding
NEGATIVE_CURVATURE = 1e-8  # a curvature below minus this part of the largest K_nn is no rounding
FULL_CHECK_SIZE = 400  # up to so many samples the whole of K is checked for positive semidefiniteness: it costs N³
PART_SIZE = 200  # of more samples, parts of so many neighbors are checked, and one of so many from everywhere
COARSE_TOL = 0.03  # below this KKT violation pairs alone are no longer the fastest
TOUCHING_FACTOR = 45  # a squared distance below so many times the rounding of a K_nm counts as 0
FINE_TOL = 1e-12  # the relative gap that steps without a ridge reach: worth another round, though not asked for
RIDGE = 1e-9  # times samples and the largest K_nn of a system: its inverse keeps digits where samples are dependent
LEAST_RIDGE = 1e-15  # the same where no inverse is made
MORE_PAIRS = 60  # after a round that does not halve the gap: they free the right β
MOST_STALLED = 10  # after so many such rounds in turn we stop


class DualOptimum(NamedTuple):
    """α, b, the primal minus the dual value there (inf: no hyperplane), n_iter pairs and systems, gap <= tol or not,
    and the dual value Γ(α)."""

    alpha: np.ndarray
    b: float
    gap: float
    n_iter: int
    converged: bool
    value: float


class Problem(NamedTuple):
    """Maximize y·β - ½ β·Kβ over lo <= β <= hi, Σ β = 0, where α = yβ / unit; `given` is K in the reader's unit.

    size is the largest K_nn, noise what rounding may have left of a K_nm as it came, flat the curvature that stands for
    0, and one below -negative is no rounding. first holds K_0n where K has been centered, else 0.
    """

    K: np.ndarray
    y: np.ndarray
    C: float
    lo: np.ndarray
    hi: np.ndarray
    unit: float
    size: float
    noise: float
    flat: float
    negative: float
    first: np.ndarray
    given: np.ndarray


def solve(K, y, C=np.inf, tol=1e-12, max_iter=100_000, rounds=100):
    """The maximum, or what is found after so many `rounds_of_pairs`; `gap` says how good it is."""
    *_, end = islice(rounds_of_pairs(K, y, C, tol, max_iter), rounds)
    return end


def rounds_of_pairs(K, y, C, tol, max_iter):
    """Pairs, then all free β together, and again: the best end after each round.

    The sequence ends where gap <= tol · primal value and the gap falls no more, at max_iter, and after many rounds that
    do not halve the gap; gap = inf where C = inf and no hyperplane is found. Raises ValueError where K turns out to be
    no kernel matrix.
    """
    least = 1e-3 / len(y) / (K.diagonal().max() or np.inf)
    if C < least:
        larger = solve(K, y, least, tol, max_iter)
        alpha = np.where(larger.alpha == least, C, np.minimum(C / least * larger.alpha, C))
        yield improved(K, y, C, alpha, tol, larger.n_iter)
        return
    problem = problem_of(K, y, C)
    beta, F, n = np.zeros(len(y)), y.copy(), 0
    best, stalled, tolerance, most = evaluate(problem, beta, F, tol, n), 0, COARSE_TOL, len(y) + 100
    while True:
        n += run_pairs(problem, beta, F, tolerance, min(most, max_iter - n))
        n += move_free(problem, beta, F, max_iter - n)
        F = gradient(problem, beta, tol)
        end = evaluate(problem, beta, F, tol, n)
        stalled = 0 if end.gap < best.gap / 2 else stalled + 1
        tolerance, most = 0.0, MORE_PAIRS if stalled else 0
        best = end if end.gap <= best.gap else best
        yield best._replace(n_iter=n)
        fine = best.gap <= min(tol, FINE_TOL) * best.value or (best.converged and stalled)
        if fine or stalled == MOST_STALLED or n >= max_iter:
            return


def improved(K, y, C, alpha, tol=0.0, n_iter=0):
    """The `DualOptimum` of an α from another solver, 0 <= α_n <= C, Σ α_n y_n = 0, or after one step from there."""
    problem = problem_of(K, y, C)
    beta = balanced(problem, np.clip(y * alpha * problem.unit, problem.lo, problem.hi))
    corrected, free = beta.copy(), np.flatnonzero((problem.lo < beta) & (beta < problem.hi))
    if len(free):
        correct_free(problem, corrected, free)
    ends = [evaluate(problem, end, gradient(problem, end, tol), tol, n_iter) for end in (beta, corrected)]
    return min(ends, key=lambda end: end.gap)


def evaluate(problem, beta, F, tol, n_iter):
    """The `DualOptimum` of a β; as many F lie below b as there are positive samples, or b is midway between classes."""
    y = problem.y
    alpha, square, k = np.abs(beta), beta @ (y - F), np.count_nonzero(y > 0)
    gap, b = min(
        (smallest_gap(1 - y * (F - b), alpha, problem.C, lambda k: (k - 1) ** 2 * square / 2)[0], b)
        for b in (np.partition(F, (k - 1, k))[k - 1 : k + 1].sum() / 2, (F[y > 0].max() + F[y < 0].min()) / 2)
    )
    if problem.C == np.inf and square <= TOUCHING_FACTOR * problem.noise * (alpha.sum() / 2) ** 2:
        gap = np.inf
    value = alpha.sum() - square / 2
    b = float(b - exact_dot(problem.first, beta)) + 0.0  # Σ_n β_n K_nm is Σ_n β_n K_0n more than of centered K
    converged = bool(gap <= tol * (value + gap) < np.inf)
    unit = problem.unit
    return DualOptimum(y * beta / unit + 0.0, b, float(gap / unit), n_iter, converged, float(value / unit))


def gradient(problem, beta, tol=0.0):
    """F = y - Kβ. Where K is centered on sample 0, the rounding error of Σ β counts, too.

    Where the rounding of Kβ alone could make a gap of tol times the value, its products are summed exactly.
    """
    rounds = 0 < tol <= EPS * problem.size * np.linalg.norm(beta)
    scores = np.array([exact_dot(row, beta) for row in problem.K]) if rounds else problem.K @ beta
    return problem.y - scores - (problem.first - problem.first[0]) * math.fsum(beta)


def exact_dot(a, b):
    """Σ_n a_n b_n, rounded once: the sum of all products and of what rounding takes from each (Dekker 1971)."""
    (a_1, a_2), (b_1, b_2), p = split_digits(a), split_digits(b), a * b
    return math.fsum([*p.tolist(), *(a_1 * b_1 - p + a_1 * b_2 + a_2 * b_1 + a_2 * b_2).tolist()])


def split_digits(a):
    """a in two parts of half the digits each, of which products are exact."""
    c = (2.0**27 + 1) * a
    high = c - (c - a)
    return high, a - high


def center_on_first_sample(K):
    """(φ_n - φ_0)·(φ_m - φ_0) = K_nm - K_0m - (K_n0 - K_00) where no K_nm is twice another, else K itself.

    Where no K_nm is twice another, float64 holds all digits of their differences.
    """
    if not K[0].max() < 2 * K[0].min() or not K.max() < 2 * K.min():
        return K
    D = K - K[0]
    D -= D[:, :1].copy()
    return D


def problem_of(K, y, C):
    """The problem in a unit in which the largest K_nn is about 1; a C that no α can reach there is a hard margin."""
    require_semidefinite(K, NEGATIVE_CURVATURE)
    given, unit = K, float(units.power_of_two(K.diagonal())) or 1.0
    K = K / unit if unit != 1 else K
    size = K.diagonal().max()
    box = C * unit if C * unit < UNREACHED or size == 0 else np.inf  # where K = 0, every C is reached
    noise, D = EPS * size, center_on_first_sample(K)
    first, size = (np.zeros(len(y)), size) if D is K else (K[0], D.diagonal().max())
    flat = max(FLAT_CURVATURE * size, 16 * noise) or 1 / max(UNREACHED, min(C, 1e150))
    negative = max(NEGATIVE_CURVATURE * size, 4 * len(K) * noise) or 1.0
    if D is not K:
        require_semidefinite(D, negative / (size or 1.0), given)
    lo, hi = np.where(y > 0, 0.0, -box), np.where(y > 0, box, 0.0)
    return Problem(D, y, box, lo, hi, unit, size, noise, flat, negative, first, given)


def run_pairs(problem, beta, F, tolerance, most):
    """How many pairs of the largest gain change, in place, until the KKT violation is at most the tolerance."""
    half = problem.K.diagonal() / 2
    above, below = np.where(beta < problem.hi, F, -np.inf), np.where(beta > problem.lo, F, np.inf)  # can go up, down
    n = 0
    while n < most:
        i, j, rise, curvature = best_pair(problem, half, above, below)
        if rise <= 0 or (rise <= tolerance and above.max() - below.min() <= tolerance):
            break
        n += 1
        if not update_pair(problem, beta, above, below, i, j, rise / curvature):
            break
    F[:] = np.where(above > -np.inf, above, below)
    return n


def best_pair(problem, half, above, below):
    """i of the largest F that can go up, the j that gains most with it, F_i - F_j, and K_ii + K_jj - 2 K_ij."""
    K, i = problem.K, int(above.argmax())
    rise = np.maximum(above.item(i) - below, 0.0)
    curvature = half - K[i]
    curvature += half.item(i)
    np.maximum(curvature, problem.flat / 2, out=curvature)
    gain = rise * rise
    gain /= curvature
    j = int(gain.argmax())
    if K.item(i, i) + K.item(j, j) - 2 * K.item(i, j) < -problem.negative:
        raise_indefinite(problem.given, [i, j], [1.0, -1.0])
    return i, j, rise.item(j), 2 * curvature.item(j)


def update_pair(problem, beta, above, below, i, j, delta):
    """β_i up and β_j down by δ, or to the first bound, in place; whether a digit of β changes and none runs away."""
    hi, lo, old = problem.hi.item(i), problem.lo.item(j), (beta.item(i), beta.item(j))
    delta = min(delta, hi - old[0], old[1] - lo)
    beta[i] = hi if delta == hi - old[0] else old[0] + delta
    beta[j] = lo if delta == old[1] - lo else old[1] - delta
    change = problem.K[i] - problem.K[j]
    change *= delta
    above -= change
    below -= change
    below[i], above[j] = above[i], below[j]
    above[i], below[j] = above[i] if beta[i] < hi else -np.inf, below[j] if beta[j] > lo else np.inf
    return (beta.item(i), beta.item(j)) != old and max(abs(beta.item(i)), abs(beta.item(j))) <= UNREACHED


def move_free(problem, beta, F, most):
    """Bring all free β to their best together, in place; how many steps that took.

    The step d of K_ff d + b = F_f, Σ d = -Σ β ends at the first bound. The entry that meets it stays there, and the
    others go on: without row and column k the inverse P is P - p pᵀ/P_kk, p its column k.
    """
    f = free_or_drawn(problem, beta, F)
    if len(f) < 2:
        return 0
    K_ff, F_f, lo, hi = problem.K[np.ix_(f, f)], F[f], problem.lo[f], problem.hi[f]
    left, n = np.ones(len(f), bool), 0
    P = np.linalg.inv(bordered(problem, K_ff, RIDGE * len(f)))
    while n < most and left.sum() > 1:
        d = (P @ np.append(np.where(left, F_f - F_f[left].mean(), 0.0), -beta.sum()))[:-1] * left
        if d @ (K_ff @ d) < -problem.negative * (d @ d):
            raise_indefinite(problem.given, f, d)
        t, k = first_bound(beta[f], d, lo, hi)
        beta[f] += t * d
        F_f -= t * (K_ff @ d)
        n += 1
        if t == 1:
            correct_free(problem, beta, f[left])
            break
        beta[f[k]], left[k] = hi[k] if d[k] > 0 else lo[k], False
        P -= P[k] * (P[k] / P[k, k])[:, None]
    balanced(problem, beta)
    return n


def free_or_drawn(problem, beta, F):
    """The β between their bounds, and those that F draws off their bound more than any of these, if they are few."""
    free = (problem.lo < beta) & (beta < problem.hi)
    near = 1e-9 * np.ptp(F)  # a sample that equals a free one is drawn no more
    drawn = ~free & np.where(
        beta == problem.lo, F > F[free].max(initial=-np.inf) + near, F < F[free].min(initial=np.inf) - near
    )
    return np.flatnonzero(free | drawn if 3 * drawn.sum() <= free.sum() else free)


def correct_free(problem, beta, f):
    """The same step without a ridge, where it meets no bound: it takes away what the ridge and rounding have left."""
    F_f, M = problem.y[f] - problem.K[f] @ beta, bordered(problem, problem.K[np.ix_(f, f)], LEAST_RIDGE * len(f))
    try:
        d = np.linalg.solve(M, np.append(F_f - F_f.mean(), -beta.sum()))[:-1]
    except np.linalg.LinAlgError:
        return
    if first_bound(beta[f], d, problem.lo[f], problem.hi[f])[0] == 1:
        beta[f] += d


def first_bound(x, d, lo, hi):
    """The largest t <= 1 with lo <= x + t d <= hi, and which entry stops it there."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        room = np.where(d != 0, (np.where(d > 0, hi, lo) - x) / d, np.inf)
    k = int(room.argmin())
    return min(room[k], 1.0), k


def bordered(problem, A, ridge):
    """[[A + ridge, 1], [1ᵀ, 0]], the ridge a part of the largest A_nn and no less than rounding where K is centered."""
    m, noise = len(A), problem.noise if problem.first.any() else 0.0
    M = np.ones((m + 1, m + 1))
    M[:m, :m] = A + max(ridge * (A.diagonal().max(initial=0.0) or 1.0), m * noise) * np.eye(m)
    M[m, m] = 0.0
    return M


def balanced(problem, beta):
    """β with Σ β = 0: the entry farthest from its bounds takes what rounding has left."""
    i = int(np.minimum(beta - problem.lo, problem.hi - beta).argmax())
    beta[i] = min(max(beta[i] - math.fsum(beta), problem.lo[i]), problem.hi[i])
    return beta


def dual_rounding(K, alpha):
    """How much the dual value of α changes where each K_nm changes in its last digits."""
    return 8 * EPS * (K.diagonal().max() * np.sum(alpha)) * np.sum(alpha)


def means_differ(K, y, a):
    """Whether the means Σ a_n φ(x_n) of the two classes, each of weight 1, differ by more than the rounding of K."""
    return (a * y) @ center_on_first_sample(K) @ (a * y) > TOUCHING_FACTOR * EPS * K.diagonal().max()


def require_kernel(K, y, C=np.inf):
    """Refuse a K that is seen to be no kernel matrix; and, where C = inf, two labels for one place in K."""
    problem, k = problem_of(K, y, C), K.diagonal()
    require_semidefinite(problem.K, problem.negative / (problem.size or 1.0), K, len(K))
    distances = np.where(y[:, None] != y, k + k[:, None] - 2 * K, np.inf)
    i, j = np.unravel_index(distances.argmin(), K.shape)
    if C == np.inf and distances[i, j] <= problem.flat * problem.unit:
        raise ValueError(
            f"C = inf asks for a hyperplane between samples {min(i, j)} and {max(i, j)}, which have different labels "
            "but the same place in K; a finite C allows for that"
        )


def require_semidefinite(K, share, given=None, full=FULL_CHECK_SIZE):
    """Raise where K has an eigenvalue below -share of its largest K_nn; its eigenvector z is the proof.

    Of more samples than `full`, principal submatrices are looked at. Where K is centered on sample 0, z_0 is less by
    Σ z.
    """
    N, size = len(K), K.diagonal().max() if K.diagonal().max() > 0 else np.abs(K).max() or 1.0
    for some in principal_blocks(N) if N > full else [np.arange(N)]:
        A = (K if len(some) == N else K[np.ix_(some, some)]) / size
        A.flat[:: len(A) + 1] += share
        try:
            np.linalg.cholesky(A)
        except np.linalg.LinAlgError:
            z = np.zeros(N)
            z[some] = np.linalg.eigh(A)[1][:, 0]
            z[0] -= 0.0 if given is None or K[0].any() else z.sum()
            raise_indefinite(K if given is None else given, np.flatnonzero(z), z[z != 0])


def principal_blocks(N):
    """PART_SIZE neighbors at a time, and PART_SIZE samples from everywhere."""
    return [np.unique(np.linspace(0, N - 1, PART_SIZE).astype(int)), *np.array_split(np.arange(N), -(-N // PART_SIZE))]


def raise_indefinite(K, where, z):
    """Raise ValueError: z·Kz < 0, so K is indefinite."""
    where, z = np.asarray(where), np.asarray(z) / np.abs(z).max()
    value = z @ (K[np.ix_(where, where)] @ z)
    entries = ", ".join(f"z[{n}] = {a:.3g}" for n, a in zip(where[:4], z[:4], strict=True))
    raise ValueError(
        f"K must be positive semidefinite, found z·Kz = {value:.6g} < 0 for {entries}{' ...' if len(z) > 4 else ''}, "
        "0 else; kernels.is_positive_semidefinite(K) gives such a z: K is not the matrix of a kernel"
    )

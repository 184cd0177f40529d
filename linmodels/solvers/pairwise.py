"""The dual of the support vector machine, two coordinates at a time (a tool of chapter 10; notes D 5, E).

Maximize Γ(α) = Σ_n α_n - ½ Σ_nm α_n α_m y_n y_m K_nm over 0 <= α_n <= C with Σ_n α_n y_n = 0; K (N, N) is a kernel
matrix, y (N,) holds -1 and +1, C = inf asks for a hard margin.

In signed coefficients β_n = α_n y_n, between lo_n = min(0, C y_n) and hi_n = max(0, C y_n), Σ_n β_n = 0, and Γ = y·β -
½ β·Kβ has the gradient F = y - Kβ. Pairs change as in `svm_algorithms.pair_step` (sequential minimal optimization,
SMO; Platt 1998), but F is kept: β_i up and β_j down by δ makes F less by δ(K_i - K_j).

Pairs soon tell which β are at a bound. The others are then found together (`active_set_steps`): F_f = b for all of them
and Σ β = 0 is one linear system, which no number of pairs would solve to the last digit.

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
COARSE_TOL = 0.1  # below this KKT violation pairs alone are no longer the fastest
TOUCHING_FACTOR = 45  # a squared distance below so many times the rounding of a K_nm counts as 0
FINE_TOL = 1e-12  # the relative gap that steps without a ridge reach: worth two more rounds, though not asked for
LEAST_RIDGE = 1e-15  # times samples and the largest K_nn: keeps a system regular whose samples are dependent
FIRST_RIDGE = 1e-4  # of the largest K_nn, keeps steps short where a whole one shows no set of free β
HARD_ROUNDS = 4  # after so many without a hyperplane we stop
GUESSES = 10  # of which β are free, from one end of the pairs


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


def solve(K, y, C=np.inf, tol=1e-12, max_iter=100_000, rounds=40):
    """The maximum, or what is found after so many `rounds_of_pairs`; `gap` says how good it is."""
    *_, end = islice(rounds_of_pairs(K, y, C, tol, max_iter), rounds)
    return end


def rounds_of_pairs(K, y, C, tol, max_iter):
    """Pairs, then all free β together, again from a smaller violation: the best end after each round.

    The sequence ends where gap <= tol · primal value, at max_iter, and where C = inf and it finds no hyperplane: then
    gap = inf. Raises ValueError where K turns out to be no kernel matrix.
    """
    least = 1e-3 / len(y) / (K.diagonal().max() or np.inf)
    if C < least:
        larger = solve(K, y, least, tol, max_iter)
        alpha = np.where(larger.alpha == least, C, np.minimum(C / least * larger.alpha, C))
        yield improved(K, y, C, alpha, tol, larger.n_iter)
        return
    problem = problem_of(K, y, C)
    beta, F, n = np.zeros(len(y)), y.copy(), 0
    best, converged, hard = evaluate(problem, beta, tol, n), 0, 0
    tolerance, most, ridge = COARSE_TOL, len(y) + 100, 0.0
    while True:
        n += run_pairs(problem, beta, F, tolerance, min(most, max_iter - n))
        found, F_found, steps = active_set_steps(problem, beta, F, ridge, min(GUESSES, max_iter - n))
        n, tolerance = n + steps, tolerance / 10
        if found is None:
            ridge, most = max(10 * ridge, FIRST_RIDGE), len(y) + 100
        else:
            beta, F, ridge, most = found, F_found, ridge / 10, 100
        end = evaluate(problem, beta, tol, n)
        best = end if end.gap <= best.gap else best
        yield best._replace(n_iter=n)
        converged, hard = converged + end.converged, hard + (best.gap == np.inf)
        fine = best.gap <= min(tol, FINE_TOL) * best.value
        if fine or converged == 3 or hard == HARD_ROUNDS or n >= max_iter:
            return


def improved(K, y, C, alpha, tol=0.0, n_iter=0):
    """The `DualOptimum` of an α from another solver, 0 <= α_n <= C, Σ α_n y_n = 0, or that of steps from there."""
    problem = problem_of(K, y, C)
    beta = balanced(problem, np.clip(y * alpha * problem.unit, problem.lo, problem.hi))
    steps, *_ = active_set_steps(problem, beta, gradient(problem, beta), 0.0, GUESSES)
    ends = [evaluate(problem, end, tol, n_iter) for end in (beta, steps) if end is not None]
    return min(ends, key=lambda end: end.gap)


def evaluate(problem, beta, tol, n_iter):
    """The `DualOptimum` of a β; as many F lie below b as there are positive samples, or b is midway between classes."""
    y, F = problem.y, gradient(problem, beta, tol)
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
    K, lo, hi, half = problem.K, problem.lo, problem.hi, problem.K.diagonal() / 2
    above, below = np.where(beta < hi, F, -np.inf), np.where(beta > lo, F, np.inf)  # of those that can go up, down
    n = 0
    while n < most:
        i = int(above.argmax())
        rise = np.maximum(above.item(i) - below, 0.0)
        curvature = half - K[i]
        curvature += half.item(i)
        np.maximum(curvature, problem.flat / 2, out=curvature)
        gain = rise * rise
        gain /= curvature
        j = int(gain.argmax())
        if K.item(i, i) + K.item(j, j) - 2 * K.item(i, j) < -problem.negative:
            raise_indefinite(problem.given, [i, j], [1.0, -1.0])
        if rise.item(j) <= 0 or (rise.item(j) <= tolerance and above.max() - below.min() <= tolerance):
            break
        n += 1
        room_i, room_j = hi.item(i) - beta.item(i), beta.item(j) - lo.item(j)
        delta, old = min(rise.item(j) / (2 * curvature.item(j)), room_i, room_j), (beta.item(i), beta.item(j))
        beta[i] = hi[i] if delta == room_i else old[0] + delta
        beta[j] = lo[j] if delta == room_j else old[1] - delta
        change = K[i] - K[j]
        change *= delta
        above -= change
        below -= change
        below[i], above[j] = above[i], below[j]
        above[i], below[j] = above[i] if beta[i] < hi[i] else -np.inf, below[j] if beta[j] > lo[j] else np.inf
        if (beta.item(i), beta.item(j)) == old or max(abs(beta.item(i)), abs(beta.item(j))) > UNREACHED:
            break
    F[:] = np.where(above > -np.inf, above, below)
    return n


def active_set_steps(problem, beta, F, ridge, most):
    """(β, F, systems): a β whose entries are at a bound or have F_n = b, or None where no guess of which holds.

    Free entries take the step d of K_ff d + b = F_f, Σ d = -Σ β. Those that it takes beyond a bound go there; those at
    a bound that F - b draws off it become free.
    """
    K, lo, hi = problem.K, problem.lo, problem.hi
    beta, F, free, settled = beta.copy(), F.copy(), (lo < beta) & (beta < hi), 0
    near = 1e-9 * max(F[beta < hi].max() - F[beta > lo].min(), 0.0)  # a sample that equals a free one is drawn no more
    for n in range(most):
        f = np.flatnonzero(free)
        if len(f) == 0:
            return None, F, n
        K_ff, m, noise = K[np.ix_(f, f)], len(f), problem.noise if problem.first.any() else 0.0
        M = np.ones((m + 1, m + 1))
        M[:m, :m] = K_ff + max(ridge * problem.size, m * LEAST_RIDGE * K_ff.diagonal().max(), m * noise) * np.eye(m)
        M[m, m] = 0.0
        try:
            step = np.linalg.solve(M, np.append(F[f], -beta.sum()))
        except np.linalg.LinAlgError:
            return None, F, n
        d, b = step[:-1], step[-1]
        if d @ (K_ff @ d) < -problem.negative * (d @ d):
            raise_indefinite(problem.given, f, d)
        beta[f] += d
        F -= d @ K[f]
        drawn = ~free & np.where(beta == lo, F > b + near, F < b - near)
        bounded = np.clip(beta, lo, hi)
        out = np.flatnonzero(bounded != beta)
        F += (beta - bounded)[out] @ K[out]
        beta, free = bounded, drawn | (free & (lo < bounded) & (bounded < hi))
        changes = len(out) + np.count_nonzero(drawn)
        if changes > 4 + m // 2:
            return None, F, n + 1
        settled = settled + 1 if changes == 0 else 0
        last = n == most - 1 or settled == 3
        if changes == 0 or (last and len(out) == 0):
            beta = balanced(problem, beta)
            F = gradient(problem, beta)
            if last or ridge > 0 or (np.abs(F[f] - b) <= EPS * (1 + np.abs(K[f]) @ np.abs(beta))).all():
                return beta, F, n + 1
    return None, F, most


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

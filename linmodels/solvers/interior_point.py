"""The linear SVM by Newton's method on its optimality conditions (a tool of chapter 10).

    minimize ½‖w‖² + C Σ_n ξ_n   subject to   y_n(w·x_n + b) >= 1 - ξ_n,  ξ_n >= 0        (C = inf: no ξ)

u = (w, b), R = diag(1 ... 1, 0), the rows of Z are z_n = y_n(x_n, 1): so ‖w‖² = uᵀRu and y_n f(x_n) = z_n·u. With
multipliers α_n of the first constraints and C - α_n of the second, and slacks s, ξ, the conditions (KKT) are

    Ru = Zᵀα + c,     Zu - 1 = s - ξ,     α_n s_n = μ,     (C - α_n) ξ_n = μ,     all α, C - α, s, ξ > 0

with μ = 0 and >= 0; c is the part of samples whose α is fixed, 0 if none is. For each μ > 0 one point fulfills them,
off all bounds: Newton's method follows it while μ falls. Its step (du, dα, ds, dξ) solves them with the products
linearized, t = μ - αs, t' = μ - (C - α)ξ:

    R du - Zᵀdα = ρ = Zᵀα + c - Ru            Z du - ds + dξ = r = 1 - Zu + s - ξ
    s_n dα_n + α_n ds_n = t_n                 -ξ_n dα_n + (C - α_n) dξ_n = t'_n

The last three give dα = W(q - Z du), W_n = 1/(s_n/α_n + ξ_n/(C - α_n)), q = r + t/α - t'/(C - α). In the first that
leaves one small system, weighted like a Newton step of logistic regression, so that a step costs O(N d²):

    (R + ZᵀWZ) du = ρ + ZᵀWq

The rows of P are α and C - α, those of S are s and ξ, those of T are t and t'; where C = inf, α, s and t alone.
"""

from typing import NamedTuple

import numpy as np

from . import units

EPS = np.finfo(float).eps
UNREACHED = 1e100  # what no multiplier of samples with ‖x‖ <= 1 reaches: rounding stops it near 1e16
MOST_BOUND = 1e20  # of C in units of 1/X², in a sequence that starts at C/2
MAX_STEPS = 100  # Newton steps on one program; a sound one needs less than half
GUESS_GAP, POLISH_GAP = 1e-2, 1e-7  # below this relative gap we guess the samples on the margin: if few, and always
MARGIN_ROUNDING = 1e-11  # the rounding of a margin y f
DIVERGED_ALPHA = 1e16  # where C = inf, so large an α shows that nothing separates: a margin of 1e-8 is rounding
MAX_FULL_SAMPLES = 4000  # of more samples, those near the margin are solved for first


class Optimum(NamedTuple):
    """The best hyperplane and multipliers found, the gap between their values, and how many Newton steps it took."""

    w: np.ndarray
    b: float
    alpha: np.ndarray
    gap: float
    n_iter: int


class Point(NamedTuple):
    """u = (w, b), multipliers P and slacks S."""

    u: np.ndarray
    P: np.ndarray
    S: np.ndarray


def require_reachable_bound(X, C=np.inf):
    """Refuse a finite C so large, in units of 1/X², that the way down to its α would be longer than all digits."""
    largest = np.max(np.sum((X - X.mean(axis=0)) ** 2, axis=1))
    if C < np.inf and C * largest > MOST_BOUND:
        raise ValueError(
            f"C must be at most {MOST_BOUND:g} in units of 1/X², found {C:g} for samples x of mean m with "
            f"‖x - m‖² = {largest:.3g}; give a smaller C, or inf where a plane separates the classes"
        )


def solve(X, y, C, tol=1e-9, max_iter=1000):
    """The optimum; α_n is exactly 0 where y f > 1 and exactly C where y f < 1, unless rounding hides which is which.

    X (N, d), y (N,) and C as in `svm.fit`; tol is the gap, relative to the primal value, with which it may end. Where
    all α are 0 or C, b is the middle of those that are optimal. gap = inf where C = inf and nothing separates.
    """
    m, s = middle_and_unit(X, C)
    A, (N, d) = (X - m) / s, X.shape
    bound = C * s * s if C * s * s < UNREACHED else np.inf
    back = None
    if d > N:  # N coordinates span the samples
        back, T = np.linalg.qr(A.T)
        A = T.T
    Z = (np.vstack([A.T, np.ones(N)]) * y).T  # each feature lies together in memory
    u, alpha, n = with_tiny_bound(lambda C: of_many(Z, C, tol, max_iter), bound, 1e-3 / X.size, np.sign(np.sum(y)))
    gap, k = smallest_gap(Z @ u, alpha, bound, lambda k: np.sum((k * u - alpha @ Z)[:-1] ** 2) / 2)
    *w, b = k * u
    w = np.array(w) / s if back is None else back @ w / s
    return Optimum(w, float(b - m @ w), np.where(alpha >= bound, C, alpha / s / s), float(gap / s / s), n)


def middle_and_unit(X, C):
    """Where to measure the samples from, and a power of two of about their size: no offset and no scale costs digits.

    A feature with values on both sides of 0 stays. Samples at one place have no size; then C sets the unit.
    """
    low, high = X.min(axis=0), X.max(axis=0)
    measure = high / 2 - low / 2 if (high > low).any() else np.full(1, C**-0.5 if C < np.inf else 1.0)
    m = np.where(np.sign(low) == np.sign(high), low / 2 + high / 2, 0.0)
    return m, float(units.power_of_two(measure)) or 1.0


def with_tiny_bound(solve, C, least, m):
    """(u, α, n) of solve(C); where C < least, from those of `least`: f is then within 1e-3 of one label m all over, and
    α, w and b - m grow with C."""
    u, alpha, n = solve(max(C, least))
    if C < least:
        b = m + C / least * (u[-1] - m)
        return np.append(C / least * u[:-1], b), np.where(alpha == least, C, np.minimum(C / least * alpha, C)), n
    return u, alpha, n


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def smallest_gap(margins, alpha, C, apart):
    """(gap, k): the primal value at k(w, b) less the dual one at α, for k = 1 and, where few ξ are left, for the k that
    makes the smallest margin 1 and needs none; the smaller of them. apart(k) = ½‖kw - Σ α_n y_n x_n‖².

    Where Σ α_n y_n = 0, it is apart + Σ α_n s_n + Σ (C - α_n) ξ_n, s and ξ the positive and the negative part of
    y f - 1: a sum of what the conditions want to vanish, in which no digit cancels.
    """
    xi, found = np.maximum(1 - margins, 0), [(np.inf, 1.0)]
    if C < np.inf:
        found.append((apart(1.0) + alpha @ np.maximum(margins - 1, 0) + np.maximum(C - alpha, 0) @ xi, 1.0))
    if margins.min() > 0 and (C == np.inf or np.sum(xi) < 1):
        k = 1 / margins.min()
        found.append((apart(k) + alpha @ np.maximum(k * margins - 1, 0), k))
    return min((gap, k) for gap, k in found if not np.isnan(gap))


def of_many(Z, C, tol, max_iter):
    """(u, α, Newton steps) for any number of samples.

    Of many, a few tell about where the margin is. Only those near it are then in the program, the others keep α = 0 or
    α = C: first a quarter of all, roughly, then fewer, to the end. Those for whom that turns out wrong join the
    program, until there are none: it is the optimum of all.
    """
    N, d = Z.shape
    n, joined = 0, np.zeros(N, bool)
    if N > max(MAX_FULL_SAMPLES, 200 * d):
        some = np.random.default_rng(0).permutation(N)[: max(MAX_FULL_SAMPLES // 2, N // 16)]
        some = np.union1d(some, np.concatenate([np.flatnonzero(Z[:, -1] == label)[:100] for label in (1, -1)]))
        u, _, n = solve_program(Z[some], C * (N / len(some)), np.zeros(d), GUESS_GAP, max_iter)
        few = max(N // 32, 100 * d)
        coarse = [(N // 4, max(tol, GUESS_GAP))] if few < N // 4 and C < np.inf else []
        for size, gap in [*coarse, *[(few, tol)] * 8]:
            margins = Z @ u
            near = joined | nearest(margins if C == np.inf else np.abs(margins - 1), Z[:, -1], size)
            full = (margins < 1) & ~near & (C < np.inf)
            alpha = np.where(full, C, 0.0)
            u, alpha[near], steps = solve_program(Z[near], C, alpha @ Z, gap, max_iter)
            n, margins = n + steps, Z @ u
            wrong = ~near & (np.where(full, margins - 1, 1 - margins) > MARGIN_ROUNDING)
            if gap == tol and (not wrong.any() or (C == np.inf and not margins[near].min() > 0)):
                return u, alpha, n  # without a hyperplane, not even these can be separated
            if gap == tol:
                joined |= wrong
                if wrong.mean() > 1 / 8:
                    break
    u, alpha, steps = solve_program(Z, C, np.zeros(d), tol, max_iter)
    return u, alpha, n + steps


def nearest(distance, y, size):
    """Which samples are the `size` nearest ones; half of them are of either class."""
    chosen = np.zeros(len(y), bool)
    for I in (np.flatnonzero(y > 0), np.flatnonzero(y < 0)):
        chosen[I[np.argsort(distance[I])[: size // 2]]] = True
    return chosen


def starting_point(Z, C):
    """u = 0, slacks of 2, multipliers of C/2, less in the larger class so that Σ α_n y_n = 0; where C = inf, ten
    times those of the plane half way between the class means."""
    n = np.where(Z[:, -1] > 0, np.sum(Z[:, -1] > 0), np.sum(Z[:, -1] < 0))
    between = (1 / n) @ Z[:, :-1]
    size = C / 2 * n.min() if C < np.inf else 20 / max(between @ between, 1e-6)
    P = np.array([size / n, C - size / n]) if C < np.inf else np.array([size / n])
    return Point(np.zeros(Z.shape[1]), P, np.full_like(P, 2.0))


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def newton_step(Z, c, point, careful=False):
    """The next point, and dP/P of the pure Newton step (μ = 0) from this one; dS/S of that is -1 - dP/P.

    μ, and the products dP dS that the linearization leaves out, are foreseen by the pure step (Mehrotra 1992); if one
    is `careful` nothing is, and all products go half way to 0.
    """
    u, P, S = point
    signs, margins, products = np.array([1.0, -1.0])[: len(P)], Z @ u, P * S
    W = 1 / (S / P).sum(axis=0)
    rho, A = dual_residual(Z, c, u, P[0]), Z.T * np.sqrt(W)
    A = A @ A.T  # a matrix times its own transpose: half the work
    A.flat[: -1 : len(A) + 1] += 1

    def direction(q):  # du and the rows dα, -dα
        du = np.linalg.solve(A, rho + (W * q) @ Z)
        return du, signs[:, None] * (W * (q - Z @ du))

    pure = direction(1 - margins)[1] / P
    tau = 1 / max(1, -pure.min(), 1 + pure.max())
    foreseen = (np.vdot(P + tau * pure * P, S - tau * (1 + pure) * S) / products.sum()) ** 3 * products.mean()
    T = products.mean() / 2 - products if careful else foreseen - products * (1 - pure * (1 + pure))
    du, dP = direction(1 - margins + signs @ (S + T / P))
    dS = (T - S * dP) / P
    tau = min(1, 0.995 / max(-(dP / P).min(), -(dS / S).min(), 0.5))  # not all the way to the nearest bound
    return Point(u + tau * du, P + tau * dP, S + tau * dS), pure


def dual_residual(Z, c, u, alpha):
    """Zᵀα + c - Ru."""
    rho = alpha @ Z + c
    rho[:-1] -= u[:-1]
    return rho


def solve_program(Z, C, c, tol, max_iter):
    """(u, α, Newton steps): Newton steps until `polish` guesses which samples lie on the margin, or rounding ends.

    What a short pure step foresees can lead in a circle: where the products rise although the linear conditions hold,
    the step is taken again with care.
    """
    point, best, n, left = starting_point(Z, C), None, 0, np.inf
    missed = np.abs(dual_residual(Z, c, point.u, point.P[0])).max()
    while n < min(max_iter, MAX_STEPS):
        try:
            new, pure = newton_step(Z, c, point)
            if np.vdot(new.P, new.S) > left and np.abs(dual_residual(Z, c, point.u, point.P[0])).max() < 1e-3 * missed:
                new, pure = newton_step(Z, c, point, careful=True)
        except np.linalg.LinAlgError:
            break
        left = np.vdot(new.P, new.S)
        if not 0 < left < np.inf or (C == np.inf and new.P.max() > DIVERGED_ALPHA):
            break
        point, n = new, n + 1
        value = point.u[:-1] @ point.u[:-1] / 2 + (C * point.S[1].sum() if C < np.inf else 0.0)
        if left <= GUESS_GAP * value:
            found = polish(Z, C, c, point, pure, left <= POLISH_GAP * value)
            if found is not None:
                return *found, n
        if left <= max(tol, POLISH_GAP) * value:
            found = with_gap(Z, C, c, point)
            if best is not None and found[0] > 10 * best[0]:
                break
            best = found if best is None or found[0] < best[0] else best
            if left <= EPS * EPS * value or (best[0] <= tol * value and POLISH_GAP < tol):
                break
    return *(best or with_gap(Z, C, c, point))[1:], n


def with_gap(Z, C, c, point):
    """(gap, u, α) of a point, the α of one class made a little smaller so that Σ α_n y_n = 0: else α bounds nothing."""
    u, alpha, y = point.u, point.P[0], Z[:, -1]
    plus, minus, rest = alpha[y > 0].sum(), alpha[y < 0].sum(), alpha @ y + c[-1]
    alpha = alpha * np.where(y > 0, 1 - max(rest, 0) / plus, 1 - max(-rest, 0) / minus)
    v = alpha @ Z + c
    return smallest_gap(Z @ u, alpha, C, lambda k: np.sum((k * u - v)[:-1] ** 2) / 2)[0], u, alpha


def polish(Z, C, c, point, pure, many):
    """(u, α) where each α is 0 or C or its sample lies on the margin, or None where that guess is wrong.

    The conditions are linear once we guess which is which. Of the two factors of a product that falls to 0, the pure
    step takes more than half from the factor that falls itself. If `many`, more samples than unknowns may lie on the
    margin.
    """
    u, y = point.u, Z[:, -1]
    zero, full = pure[0] < -0.5, pure[1] < -0.5 if C < np.inf else np.zeros(len(Z), bool)
    on = ~(zero | full)
    if on.sum() > len(u) and not many:
        return None
    alpha = np.where(on, point.P[0], np.where(full, C, 0.0))
    for accuracy in (1e-6, MARGIN_ROUNDING):  # the second round corrects what rounding left of the first
        try:
            du, dalpha = margin_step(Z[on], 1 - Z[on] @ u, dual_residual(Z, c, u, alpha), many)
        except np.linalg.LinAlgError:
            return None
        u, alpha[on] = u + du, alpha[on] + dalpha
        small = accuracy * alpha.max()
        if not (-small <= alpha.min() and alpha.max() <= C + small and abs((alpha @ Z + c)[-1]) <= small):
            return None
        alpha = np.where(alpha > EPS * alpha.max(), np.minimum(alpha, C), 0.0)
        if np.isin(alpha, (0, C)).all():
            u[-1] += midpoint_shift(y * (1 - Z @ u), np.where(alpha > 0, y < 0, y > 0))
        margins = Z @ u
        wrong = np.where(zero, 1 - margins, np.where(full, margins - 1, np.abs(margins - 1)))
        if not wrong.max() <= accuracy:
            return None
    return u, alpha


def margin_step(A, r, rho, many):
    """(du, dα) with A du = r and R du - Aᵀdα = ρ; if `many`, the smallest: the rows of A may then be dependent."""
    Q, T = np.linalg.qr(A) if many else (np.eye(len(A)), A)
    k, n = T.shape
    M = np.zeros((n + k, n + k))
    M[range(n - 1), range(n - 1)] = 1
    M[:n, n:], M[n:, :n] = -T.T, T
    right = np.append(rho, Q.T @ r)
    step = np.linalg.lstsq(M, right, rcond=None)[0] if many or k == 0 else np.linalg.solve(M, right)
    return step[:n], Q @ step[n:]


def midpoint_shift(room, lower):
    """How far b is from the middle of its interval: each sample bounds the shift by its room, from below or above."""
    return (room[lower].max() + room[~lower].min()) / 2 if 0 < lower.sum() < len(lower) else 0.0

"""The linear SVM's quadratic program by Newton's method on its optimality conditions (a tool of chapter 10).

    minimize ½‖w‖² + C Σ_n ξ_n   subject to   y_n(w·x_n + b) >= 1 - ξ_n,  ξ_n >= 0        (C = inf: no ξ)

u = (w, b), R = diag(1 ... 1, 0), the rows of Z are z_n = y_n(x_n, 1): so ‖w‖² = uᵀRu and y_n f(x_n) = z_n·u. With
multipliers α_n of the first constraints and β_n = C - α_n of the second, and slacks s, ξ, the conditions (KKT) are

    Ru = Zᵀα,     Zu - 1 = s - ξ,     α_n s_n = μ,     β_n ξ_n = μ,     all α, β, s, ξ > 0

with μ = 0 and >= 0. For each μ > 0 one point fulfills them, off all bounds: Newton's method follows it while μ falls.
A step (du, dα, ds, dξ), dβ = -dα, solves them with the products linearized:

    R du - Zᵀdα = ρ = Zᵀα - Ru                Z du - ds + dξ = r = 1 - Zu + s - ξ
    s_n dα_n + α_n ds_n = t_n                -ξ_n dα_n + β_n dξ_n = t'_n

t = μ - αs, t' = μ - βξ. The last three give dα = W(q - Z du), W_n = 1/(s_n/α_n + ξ_n/β_n), q = r + t/α - t'/β; in the
first that leaves one small system, weighted like a Newton step of logistic regression, so that a step costs O(N d²):

    (R + ZᵀWZ) du = ρ + ZᵀWq

In the code P has the rows (α, β) and S the rows (s, ξ), or only (α), (s) where C = inf; SIGNS @ S is s - ξ.
"""

from typing import NamedTuple

import numpy as np

from . import moments, pairwise, units

SIGNS = np.array([1.0, -1.0])
MOST_BOUND = 1e20  # of C in units of 1/X², in a sequence that starts at C/2
MAX_STEPS = 100  # Newton steps on one program; a sound one needs less than half
GUESS_GAP, POLISH_GAP = 1e-2, 1e-7  # below this relative gap we guess the samples on the margin: if few, and always
MARGIN_ROUNDING = 1e-11  # the rounding of a margin y f
DIVERGED_ALPHA = 1e16  # where C = inf, so large an α shows that nothing separates: a margin of 1e-8 is rounding
UNIT_SAMPLES = 4000  # about so many samples determine the unit


class Program(NamedTuple):
    """Samples Z, the bound C of their α, and c = Σ α_n z_n of samples whose α is fixed: Ru = Zᵀα + c."""

    Z: np.ndarray
    C: float
    c: np.ndarray


class Point(NamedTuple):
    """u = (w, b), multipliers P and slacks S."""

    u: np.ndarray
    P: np.ndarray
    S: np.ndarray


class Frame(NamedTuple):
    """Samples measured from the point m in the unit s, a power of two: neither an offset nor a scale costs digits."""

    X: np.ndarray
    y: np.ndarray
    m: np.ndarray
    s: float

    def bound(self, C):
        """C in this unit; where no α can reach it, it is the hard margin."""
        bound = C * self.s * self.s
        return bound if bound < pairwise.UNREACHED_ALPHA else np.inf

    def from_origin(self, I):
        """x_n - m of the samples I; a view where it can be one."""
        return self.X[I] - self.m if self.m.any() else self.X[I]

    def rows(self, I):
        """z_n of the samples I; each feature lies together in memory."""
        B = self.from_origin(I) / self.s
        return (np.vstack([B.T, np.ones(len(B))]) * self.y[I]).T

    def program(self, C):
        """The program of all samples."""
        return Program(self.rows(slice(None)), C, np.zeros(len(self.m) + 1))

    def margins(self, u):
        """y_n f(x_n) of all samples."""
        f = np.empty(len(self.y))
        for rows in moments.blocks(self.X):
            f[rows] = self.from_origin(rows) @ (u[:-1] / self.s)
        return self.y * (f + u[-1])

    def total(self, a):
        """Σ_n a_n z_n of all samples."""
        a, c = a * self.y, np.zeros(len(self.m))
        for rows in moments.blocks(self.X):
            c += (a[rows] / self.s) @ self.from_origin(rows)
        return np.append(c, a.sum())


def require_reachable_bound(X, C=np.inf):
    """Refuse a finite C so large, in units of 1/X², that the way down to its α would be longer than all digits."""
    largest = np.max(np.sum((X - X.mean(axis=0)) ** 2, axis=1))
    if C < np.inf and C * largest > MOST_BOUND:
        raise ValueError(
            f"C must be at most {MOST_BOUND:g} in units of 1/X², found {C:g} for samples of ‖x‖² = {largest:.3g}; C = "
            "inf is as good"
        )


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def duality_gap(margins, u, v, alpha, C):
    """(P - D, P): the primal value at u less the dual value at α, and the primal value; v = Σ α_n z_n.

    P - D = ½‖w - v‖² + Σ α_n s_n + Σ (C - α_n) ξ_n, s and ξ the positive and the negative part of y f - 1, because
    Σ α_n y_n = 0: a sum of what the conditions want to vanish, in which no digit cancels.
    """
    if np.isinf(C):
        if not margins.min() > 0:
            return np.inf, np.inf
        u, margins, C = u / margins.min(), margins / margins.min(), 0.0
    w, over, short = u[:-1], np.maximum(margins - 1, 0), np.maximum(1 - margins, 0)
    gap = np.sum((w - v[:-1]) ** 2) / 2 + alpha @ over + np.maximum(C - alpha, 0) @ short
    return (gap if gap < np.inf else np.inf), w @ w / 2 + C * np.sum(short)


def starting_point(Z, y, C):
    """u = 0, slacks of 2, multipliers of C/2, less in the larger class so that Σ α_n y_n = 0; where C = inf, about as
    large as those of the plane half way between the class means."""
    plus = y > 0
    n = np.count_nonzero(plus)
    if np.isinf(C):
        between = np.where(plus, 1 / n, 1 / (len(y) - n)) @ Z[:, :-1]
        size = 20 / max(between @ between, 1e-6)
    else:
        size = C / 2 * min(n, len(y) - n)
    alpha = np.where(plus, size / n, size / (len(y) - n))
    P = alpha[None] if np.isinf(C) else np.array([alpha, C - alpha])
    return Point(np.zeros(Z.shape[1]), P, np.full_like(P, 2.0))


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def newton_step(program, point, careful=False):
    """The next point, and dP/P of the pure Newton step (μ = 0) from this one; dS/S of that is -1 - dP/P.

    μ, and the products dP dS that the linearization leaves out, are foreseen by the pure step (Mehrotra 1992); if one
    is `careful` nothing is, and all products go half way to 0.
    """
    Z, (u, P, S) = program.Z, point
    signs, margins, products = SIGNS[: len(P)], Z @ u, P * S
    mu = products.sum() / products.size
    rho, r = dual_residual(program, u, P[0]), 1 - margins + signs @ S
    W = 1 / (S / P).sum(axis=0)
    A = newton_matrix(Z, W)

    def direction(q):
        du = np.linalg.solve(A, rho + (W * q) @ Z)
        return du, signs[:, None] * (W * (q - Z @ du))

    pure = direction(1 - margins)[1] / P  # t = -αs, t' = -βξ: all that is left of q
    tau = 1 / max(1, -pure.min(), 1 + pure.max())
    foreseen = np.vdot(P + tau * pure * P, S - tau * (1 + pure) * S) / products.size
    T = mu / 2 - products if careful else (foreseen / mu) ** 3 * mu - products * (1 - pure * (1 + pure))
    du, dP = direction(r + signs @ (T / P))
    dS = (T - S * dP) / P
    tau = min(1, 0.995 / max(-(dP / P).min(), -(dS / S).min(), 0.5))  # not all the way to the nearest bound
    return Point(u + tau * du, P + tau * dP, S + tau * dS), pure


def dual_residual(program, u, alpha):
    """ρ = Zᵀα + c - Ru."""
    rho = alpha @ program.Z + program.c
    rho[:-1] -= u[:-1]
    return rho


def newton_matrix(Z, W):
    """R + ZᵀWZ."""
    A = Z.T * np.sqrt(W)
    A = A @ A.T  # a matrix times its own transpose: half the work
    A.flat[: -1 : len(A) + 1] += 1
    return A


def newton_iterates(program, y):
    """The start, then the point after each Newton step with the pure step it began with, while numbers allow one.

    What a short pure step foresees can lead in a circle: where the products αs, βξ rise although the linear conditions
    hold, the step is taken again with care.
    """
    point, pure = starting_point(program.Z, y, program.C), None
    missed = np.abs(dual_residual(program, point.u, point.P[0])).max()
    for _ in range(MAX_STEPS):
        yield point, pure
        try:
            before, (point, pure) = point, newton_step(program, point)
            if np.vdot(point.P, point.S) > np.vdot(before.P, before.S):
                if np.abs(dual_residual(program, before.u, before.P[0])).max() < 1e-3 * missed:
                    point, pure = newton_step(program, before, careful=True)
        except np.linalg.LinAlgError:
            return
        runs_away = np.isinf(program.C) and point.P.max() > DIVERGED_ALPHA
        if runs_away or not 0 < np.vdot(point.P, point.S) < np.inf:
            return


def solve_program(program, y, tol, max_iter):
    """(u, α, Newton steps): Newton iterates until `active_set_polish` guesses which samples lie on the margin."""
    best = None
    for n, (point, pure) in enumerate(newton_iterates(program, y)):
        left, value = np.vdot(point.P, point.S), point.u[:-1] @ point.u[:-1] / 2
        value += program.C * point.S[1].sum() if len(point.S) > 1 else 0
        if pure is not None and left <= GUESS_GAP * value:
            found = active_set_polish(program, point, pure, allow_dependent=left <= POLISH_GAP * value)
            if found is not None:
                return *found, n
        if left <= max(tol, POLISH_GAP) * value:
            gap, *found = evaluate(program, y, point)
            if best is not None and gap > 10 * best[0]:
                break
            best = [gap, *found] if best is None or gap < best[0] else best
            if POLISH_GAP < tol and best[0] <= tol * value:
                break
        if n >= max_iter:
            break
    _, u, alpha = best or evaluate(program, y, point)
    return u, alpha, n


def evaluate(program, y, point):
    """(gap, u, α) of a point; `balance_classes` has been applied to its α."""
    u, alpha = point.u, balance_classes(point.P[0], y, program.c[-1])
    return duality_gap(program.Z @ u, u, alpha @ program.Z + program.c, alpha, program.C)[0], u, alpha


def balance_classes(alpha, y, excess=0.0):
    """α with that of one class made a little smaller, so that Σ α_n y_n + excess = 0: else α bounds nothing."""
    a = alpha * y
    sums = np.array([alpha.sum() + a.sum(), alpha.sum() - a.sum()]) / 2
    rest = sums[0] - sums[1] + excess
    return alpha * np.where(y > 0, *np.maximum(1 - np.maximum([rest, -rest], 0) / sums, 0))


def active_set_polish(program, point, pure, allow_dependent=False):
    """(u, α) where each α is 0 or C or its sample lies on the margin, or None where that guess is wrong.

    The conditions are linear once the active set is guessed. Of the two factors of a product that falls to 0, the pure
    step takes more than half from the factor that falls itself. With `allow_dependent` more samples than unknowns may
    lie on the margin.
    """
    Z, C, _ = program
    zero, full = pure[0] < -0.5, pure[1] < -0.5 if len(pure) > 1 else np.zeros(len(Z), bool)
    on = ~(zero | full)
    A, u, alpha = Z[on], point.u, np.where(on, point.P[0], 0.0)
    if len(A) > len(u) and not allow_dependent:
        return None
    if full.any():
        alpha[full] = C
    for accuracy in (1e-6, MARGIN_ROUNDING):  # the second round corrects what rounding left of the first
        rho = dual_residual(program, u, alpha)
        if len(A):
            du, dalpha = margin_step(A, 1 - A @ u, rho, allow_dependent)
            u, alpha[on] = u + du, alpha[on] + dalpha
        elif abs(rho[-1]) > accuracy * C:
            return None
        else:
            u = u + rho
            u[-1] += midpoint_shift(Z @ u, Z[:, -1], full)
        margins, small = Z @ u, accuracy * alpha.max()
        wrong = np.where(zero, 1 - margins, np.where(full, margins - 1, np.abs(margins - 1)))
        if not (wrong.max() <= accuracy and alpha.min() >= -small and alpha.max() <= C + small):
            return None
    alpha = np.clip(alpha, 0, C)
    if np.isin(alpha, (0, C)).all():
        u = np.append(u[:-1], u[-1] + midpoint_shift(Z @ u, Z[:, -1], alpha == C))
    return u, alpha


def margin_step(A, r, rho, allow_dependent):
    """(du, dα) with A du = r and R du - Aᵀdα = ρ; with allow_dependent the smallest, where rows of A are dependent."""
    n = len(rho)
    if allow_dependent:
        Q, T = np.linalg.qr(A)
        step = np.linalg.lstsq(saddle_matrix(T), np.append(rho, Q.T @ r), rcond=None)[0]
        return step[:n], Q @ step[n:]
    try:
        step = np.linalg.solve(saddle_matrix(A), np.append(rho, r))
    except np.linalg.LinAlgError:
        step = np.full(n + len(A), np.nan)
    return step[:n], step[n:]


def saddle_matrix(A):
    """The matrix [[R, -Aᵀ], [A, 0]]."""
    k, n = A.shape
    K = np.zeros((n + k, n + k))
    K[range(n - 1), range(n - 1)] = 1
    K[:n, n:], K[n:, :n] = -A.T, A
    return K


def midpoint_shift(margins, y, full):
    """How far b is from the middle of all b with y f >= 1 where α = 0 and y f <= 1 where α = C."""
    room = y * (1 - margins)
    lower = np.where(full, y < 0, y > 0)
    return (room[lower].max() + room[~lower].min()) / 2 if 0 < lower.sum() < len(lower) else 0.0


def standardize(X, y, C):
    """The frame in a unit of about the size of the samples, with the origin in their middle.

    The origin stays at 0 where the samples lie around it. Samples at one place have no size; then C sets the unit.
    """
    some = X[:: 1 + len(X) // UNIT_SAMPLES]
    low, high = some.min(axis=0), some.max(axis=0)
    measure = high / 2 - low / 2 if (high > low).any() else np.full(1, C**-0.5 if C < np.inf else 1.0)
    s = float(units.power_of_two(measure))
    middle = low / 2 + high / 2 if low.max() > 0 or high.min() < 0 else np.zeros(len(low))
    return Frame(X, y, middle, s if s > 0 else 1.0)


def rotate_to_span(frame):
    """Where d > N: the frame in N coordinates that span the samples, and the function that rotates its u back."""
    if len(frame.m) <= len(frame.y):
        return frame, lambda u: u
    Q, T = np.linalg.qr(((frame.X - frame.m) / frame.s).T)
    return Frame(T.T, frame.y, np.zeros(len(T)), 1.0), lambda u: np.append(Q @ u[:-1], u[-1])


def to_original_units(frame, u, alpha, gap):
    """w, b, α and the gap in the original units of the samples."""
    w, alpha = u[:-1] / frame.s, alpha / frame.s / frame.s
    return w, float(u[-1] - frame.m @ w), alpha, float(gap / frame.s / frame.s)

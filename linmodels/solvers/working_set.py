"""The linear SVM on any number of samples: Newton's method on those near the margin (a tool of chapter 10).

At the optimum a sample with y f(x) > 1 has α = 0 and one with y f(x) < 1 has α = C; only on the margin, y f(x) = 1, is
α something else. Of many samples a few tell about where the margin is; the program of `interior_point` then holds those
near it, the working set (工作集), with the α of the others fixed, and those for whom that was wrong join it.
"""

from typing import NamedTuple

import numpy as np

from . import pairwise
from .interior_point import (
    GUESS_GAP,
    MARGIN_ROUNDING,
    Frame,
    Program,
    duality_gap,
    newton_matrix,
    rotate_to_span,
    solve_program,
    standardize,
    to_original_units,
)

MAX_FULL_SAMPLES = 4000  # up to so many samples, or twice MIN_PER_UNKNOWN, each step uses them all
THINNING = 16  # of more samples, one in so many is near enough to the margin to matter
MIN_PER_UNKNOWN = 100  # but never fewer samples than so many for each unknown


class Optimum(NamedTuple):
    """The best hyperplane and multipliers found, the gap between their values, and how many Newton steps it took."""

    w: np.ndarray
    b: float
    alpha: np.ndarray
    gap: float
    n_iter: int


def solve(X, y, C, tol=1e-9, max_iter=1000):
    """The optimum; α_n is exactly 0 where y f > 1 and exactly C where y f < 1, unless rounding hides which is which.

    X (N, d), y (N,) and C as in `interior_point_iterates`, not checked; tol is the gap, relative to the value of
    (w, b), with which it may end. Where all α are 0 or C, b is the middle of those that are optimal. gap = inf where
    C = inf and nothing separates.
    """
    frame = standardize(X, y, C)
    bound, least = frame.bound(C), 1e-3 / X.size
    if bound < least:
        larger = least / frame.s / frame.s  # s is a power of two: the bound is then `least` to the last digit
        found = solve(X, y, larger, tol, max_iter)
        found = pairwise.scale_optimum(found, y, C, larger)._replace(w=C / larger * found.w)
        u, alpha = np.append(found.w * frame.s, found.b + frame.m @ found.w), found.alpha * frame.s * frame.s
        gap = duality_gap(frame.margins(u), u, frame.total(alpha), alpha, bound)[0]
        return found._replace(gap=gap / frame.s / frame.s)
    inner, back = rotate_to_span(frame)
    u, alpha, n = optimum(inner, bound, tol, max_iter)
    w, b, a, gap = to_original_units(frame, *evaluate(frame, back(u), alpha, bound, tol))
    return Optimum(w, b, np.where(alpha >= bound, C, a), gap, n)  # not one ulp beyond C


def optimum(frame, C, tol, max_iter):
    """(u, α, Newton steps) for any number of samples.

    Of many, only those near the margin are in the program, the others keep α = 0 or α = C. Those for whom that turns
    out wrong join the program, until there are none: then it is the optimum of all.
    """
    n, N = 0, len(frame.y)
    if N > max(MAX_FULL_SAMPLES, 2 * MIN_PER_UNKNOWN * len(frame.m)):
        u, n, sizes = subsample_guess(frame, C, max_iter)
        margins, joined = frame.margins(u), np.zeros(N, bool)
        for size in sizes:
            band = joined | nearest_samples(margins if np.isinf(C) else np.abs(margins - 1), frame.y, size)
            full = (margins < 1) & ~band & np.isfinite(C)
            near, alpha = np.flatnonzero(band), np.where(full, C, 0.0)
            program = Program(frame.rows(near), C, frame.total(alpha))
            u, alpha[near], steps = solve_program(program, frame.y[near], tol, max_iter)
            n, margins = n + steps, frame.margins(u)
            wrong = ~band & (np.where(full, margins - 1, 1 - margins) > MARGIN_ROUNDING)
            if not wrong.any() or (np.isinf(C) and not margins[near].min() > 0):  # not even these can be separated
                return u, alpha, n
            if np.mean(wrong) > 1 / 8:
                break
            joined |= wrong
    u, alpha, steps = solve_program(frame.program(C), frame.y, tol, max_iter)
    return u, alpha, n + steps


def nearest_samples(distance, y, size):
    """Which samples are the `size` nearest ones; half of them are of either class."""
    chosen = np.zeros(len(y), bool)
    for I in (np.flatnonzero(y > 0), np.flatnonzero(y < 0)):
        k = min(size // 2, len(I) - 1)
        chosen[I[np.argpartition(distance[I], k)[: k + 1]]] = True
    return chosen


def subsample_guess(frame, C, max_iter):
    """u from a subsample, the Newton steps it took, and how many samples the next programs are to hold.

    Where C < inf, two steps follow with the gradient of all samples and the matrix of the subsample: α_n and W_n are
    those of αs = βξ = μ where s - ξ is y f - 1, with a μ so small that few α are off 0 and C.
    """
    N, hard = len(frame.y), np.isinf(C)
    I = stratified_sample(frame.y, 4 * THINNING if hard else THINNING, max(500, MIN_PER_UNKNOWN * len(frame.m) // 4))
    part = Frame(frame.X[I], frame.y[I], frame.m, frame.s)
    program = part.program(C if hard else C * (N / len(I)))
    u, _, n = solve_program(program, part.y, 1e-9 if hard else GUESS_GAP, max_iter)
    if hard:
        few, margin = min(40 * len(u), N // 8), (program.Z @ u).min()
        return (u / margin if margin > 0 else u), n, [few] * 8
    for _ in range(2):
        margins = program.Z @ u
        k = np.quantile(np.abs(margins - 1), 1 / THINNING) / 10
        s, xi = central_slacks(margins - 1, k)
        rho = frame.total(C * k / central_slacks(frame.margins(u) - 1, k)[0])
        rho[:-1] -= u[:-1]
        u = u + np.linalg.solve(newton_matrix(program.Z, program.C * k / (s * s + xi * xi)), rho)
    many = max(N // THINNING, MIN_PER_UNKNOWN * len(u))
    return u, n, [many, *[many // 4] * 4]


def central_slacks(v, k):
    """s and ξ with s - ξ = v for which α = Ck/s and β = Ck/ξ add up to C."""
    root = np.hypot(v, 2 * k)
    return k + (root + v) / 2, k + (root - v) / 2


def stratified_sample(y, one_in, least=500):
    """Indices of one in so many samples, at least `least` of each class that has so many; always the same ones."""
    rng = np.random.default_rng(0)
    classes = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
    return np.concatenate([rng.permutation(I)[: max(len(I) // one_in, least)] for I in classes])


def evaluate(frame, u, alpha, C, tol):
    """(u, α, gap) on all samples; where C is large, a longer w avoids the cost C ξ of margins rounded below 1."""
    margins, v, best = frame.margins(u), frame.total(alpha), u
    gap, value = duality_gap(margins, u, v, alpha, C)
    if tol * value < gap < np.inf and margins.min() > 0:
        for more in (2, 8, 32):  # the margins of a longer w are rounded, too
            longer = u * (1 + more * max(1 - margins.min(), pairwise.EPS))
            less = duality_gap(frame.margins(longer), longer, v, alpha, C)[0]
            best, gap = (longer, less) if less < gap else (best, gap)
    return best, alpha, gap

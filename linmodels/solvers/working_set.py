"""The linear SVM on any number of samples: Newton's method on those near the margin (a tool of chapter 10).

At the optimum a sample with y f(x) > 1 has α = 0 and one with y f(x) < 1 has α = C; only on the margin, y f(x) = 1, is
α something else. Of many samples a few tell about where the margin is; the program of `interior_point` then holds those
near it, the working set (工作集), with the α of the others fixed, and those for whom that was wrong join it.
"""

from typing import NamedTuple

import numpy as np

from . import pairwise
from .interior_point import NEAR, ROUNDING, Frame, Program, duality_gap, follow, framed, newton_matrix, turned, unframed

SMALL = 4000  # samples that are all looked at in each step, as are twice as many as FEWEST
NEARBY = 16  # of more samples, one in so many is near enough to the margin to matter
FEWEST = 100  # but not fewer than so many for each unknown


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
    frame = framed(X, y, C)
    bound, least = frame.bound(C), 1e-3 / X.size
    if bound < least:
        larger = least / frame.s / frame.s  # s is a power of two: the bound is then `least` to the last digit
        found = solve(X, y, larger, tol, max_iter)
        found = pairwise.in_proportion(found, y, C, larger)._replace(w=C / larger * found.w)
        u, alpha = np.append(found.w * frame.s, found.b + frame.m @ found.w), found.alpha * frame.s * frame.s
        gap = duality_gap(frame.margins(u), u, frame.total(alpha), alpha, bound)[0]
        return found._replace(gap=gap / frame.s / frame.s)
    inner, back = turned(frame)
    u, alpha, n = optimum(inner, bound, tol, max_iter)
    w, b, a, gap = unframed(frame, *judged(frame, back(u), alpha, bound, tol))
    return Optimum(w, b, np.where(alpha == bound, C, a), gap, n)


def optimum(frame, C, tol, max_iter):
    """(u, α, Newton steps) for any number of samples.

    Of many, only those near the margin are in the program, the others keep α = 0 or α = C. Those for whom that turns
    out wrong join the program, until there are none: then it is the optimum of all.
    """
    n, N = 0, len(frame.y)
    if N > max(SMALL, 2 * FEWEST * len(frame.m)):
        u, n, sizes = guess(frame, C, max_iter)
        margins, joined = frame.margins(u), np.zeros(N, bool)
        for size in sizes:
            band = joined | nearest(margins if np.isinf(C) else np.abs(margins - 1), frame.y, size)
            full = (margins < 1) & ~band & np.isfinite(C)
            near, alpha = np.flatnonzero(band), np.where(full, C, 0.0)
            program = Program(frame.rows(near), C, frame.total(alpha))
            u, alpha[near], steps = follow(program, frame.y[near], tol, max_iter)
            n, margins = n + steps, frame.margins(u)
            wrong = ~band & (np.where(full, margins - 1, 1 - margins) > ROUNDING)
            if not wrong.any() or (np.isinf(C) and not margins[near].min() > 0):  # not even these can be separated
                return u, alpha, n
            if np.mean(wrong) > 1 / 8:
                break
            joined |= wrong
    u, alpha, steps = follow(frame.program(C), frame.y, tol, max_iter)
    return u, alpha, n + steps


def nearest(distance, y, size):
    """Which samples are the `size` nearest ones, half of them of either class."""
    chosen = np.zeros(len(y), bool)
    for I in (np.flatnonzero(y > 0), np.flatnonzero(y < 0)):
        k = min(size // 2, len(I) - 1)
        chosen[I[np.argpartition(distance[I], k)[: k + 1]]] = True
    return chosen


def guess(frame, C, max_iter):
    """u from a sample of the samples, the Newton steps it took, and how many of all to take into the next programs.

    Where C < inf, two steps follow with the gradient of all samples and the matrix of the sample: the α_n and W_n are
    those of αs = βξ = μ where s - ξ is y f - 1, with a μ so small that few α are off 0 and C.
    """
    N, hard = len(frame.y), np.isinf(C)
    I = sample(frame.y, 4 * NEARBY if hard else NEARBY, max(500, FEWEST * len(frame.m) // 4))
    part = Frame(frame.X[I], frame.y[I], frame.m, frame.s)
    program = part.program(C if hard else C * (N / len(I)))
    u, _, n = follow(program, part.y, 1e-9 if hard else NEAR, max_iter)
    if hard:
        few, margin = min(40 * len(u), N // 8), (program.Z @ u).min()
        return (u / margin if margin > 0 else u), n, [few] * 8
    for _ in range(2):
        margins = program.Z @ u
        k = np.quantile(np.abs(margins - 1), 1 / NEARBY) / 10
        s, xi = central(margins - 1, k)
        rho = frame.total(C * k / central(frame.margins(u) - 1, k)[0])
        rho[:-1] -= u[:-1]
        u = u + np.linalg.solve(newton_matrix(program.Z, program.C * k / (s * s + xi * xi)), rho)
    many = max(N // NEARBY, FEWEST * len(u))
    return u, n, [many, *[many // 4] * 4]


def central(v, k):
    """s and ξ with s - ξ = v for which α = Ck/s and β = Ck/ξ add up to C."""
    root = np.hypot(v, 2 * k)
    return k + (root + v) / 2, k + (root - v) / 2


def sample(y, one_in, least=500):
    """Indices of one in so many samples, but of each class not fewer than `least` if it has them; always the same."""
    rng = np.random.default_rng(0)
    classes = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
    return np.concatenate([rng.permutation(I)[: max(len(I) // one_in, least)] for I in classes])


def judged(frame, u, alpha, C, tol):
    """(u, α, gap) on all samples; a large C times what rounding leaves below the margin is worth a longer w."""
    margins, v = frame.margins(u), frame.total(alpha)
    gap, value = duality_gap(margins, u, v, alpha, C)
    if tol * value < gap < np.inf and margins.min() > 0:
        longer = u * (3 - 2 * min(margins.min(), 1))
        less = duality_gap(frame.margins(longer), longer, v, alpha, C)[0]
        return (longer, alpha, less) if less < gap else (u, alpha, gap)
    return u, alpha, gap

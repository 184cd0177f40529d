"""The support vector machine to its end: which solver, what if it fails, what was reached (the solver of chapter 10).

X (N, d) holds samples, K (N, N) a kernel matrix, y (N,) the labels -1 and +1; C = inf is the hard margin.
"""

from itertools import islice
from typing import NamedTuple

import numpy as np

from . import interior_point, pairwise, separation

FEW_ROUNDS, MORE_ROUNDS = 25, 75  # of pairs, before a linear machine on few features is tried, and if there are many
INSEPARABLE = "no hyperplane separates: Σ a_n y_n (x_n, 1) = 0 for the weights of the certificate; take C < inf"
INSEPARABLE_FEATURES = INSEPARABLE.replace("x_n", "φ(x_n)")


class Ending(NamedTuple):
    """Multipliers and bias, n_iter steps, the duality gap, converged or not and why; where nothing separates, alpha
    holds weights that prove it, and `proves` says so. w is None on a kernel matrix."""

    w: np.ndarray | None
    b: float
    alpha: np.ndarray
    n_iter: int
    gap: float
    converged: bool
    reason: str
    proves: bool = False


def linear(X, y, C, tol, max_iter):
    """The machine on samples; where C = inf and nothing separates, w = 0 and the proof."""
    best = interior_point.solve(X, y, C, tol, max_iter)
    if C == best.gap == np.inf and (weights := separation.inseparability(X, y)) is not None:
        return Ending(np.zeros(X.shape[1]), 0.0, weights, best.n_iter, np.inf, False, INSEPARABLE, True)
    value = np.sum(best.alpha) - best.w @ best.w / 2
    ended, reason = _verdict(best.gap, value, tol, best.n_iter, max_iter)
    return Ending(best.w, best.b, best.alpha, best.n_iter, best.gap, ended, reason)


def dual(K, y, C, tol, max_iter):
    """The machine on a kernel matrix: pairs, then a linear machine on few features of K, then the nearest points.

    The digits of K may hardly tell its features apart; on the features themselves no such digit is lost.
    """
    ends = pairwise.rounds_of_pairs(K, y, C, tol, max_iter)
    *_, best = islice(ends, FEW_ROUNDS)
    best = [best, *islice(ends, 2)][-1] if best.converged else best  # where digits are left, to the last of them
    n, rounding, Phi = best.n_iter, 0.0, None
    if not best.converged:
        Phi = separation.low_rank_features(K)
        if C == best.gap == np.inf and (weights := separation.kernel_inseparability(K, y, Phi, best.alpha)) is not None:
            return Ending(None, 0.0, weights, n, np.inf, False, INSEPARABLE_FEATURES, True)
        if Phi is None:
            best = [best, *islice(ends, MORE_ROUNDS)][-1]
            n = best.n_iter
    if Phi is not None:
        machine = interior_point.solve(Phi, y, C, tol, max_iter)
        n += machine.n_iter
        best = min(best, pairwise.improved(K, y, C, machine.alpha, tol), key=lambda end: end.gap)
        if C == np.inf and n < max_iter and not best.converged:
            a = separation.nearest_points(Phi, y, machine.alpha)
            if not pairwise.means_differ(K, y, a):
                return Ending(None, 0.0, a / 2, n, best.gap, False, INSEPARABLE_FEATURES, True)
            found = pairwise.improved(K, y, C, 2 * a / np.sum(((a * y) @ Phi) ** 2), tol)
            best = min(best, found, key=lambda end: end.gap)
            rounding = pairwise.dual_rounding(K, best.alpha)
    ended, reason = _verdict(best.gap, best.value, tol, n, max_iter, rounding)
    if len(K) > pairwise.FULL_CHECK_SIZE:
        reason += f"; K was seen to be positive semidefinite on {pairwise.PART_SIZE} samples at a time"
    return Ending(None, best.b, best.alpha, n, best.gap, ended, reason)


def _verdict(gap, value, tol, n_iter, max_iter, rounding=0.0):
    """Did it converge, and the sentence that says so; a gap of no more than `rounding` has no digit that counts."""
    advice = "take a smaller C, or bring the features, or the values of the kernel, to a like size"
    if gap == np.inf:
        return False, f"{n_iter} steps found neither a hyperplane nor a proof that none separates: {advice}"
    ended = bool(gap <= tol * abs(value))
    told = f"duality gap {gap:.1e} beside an objective of {value:.6g} after {n_iter} steps"
    advice = "raise max_iter" if n_iter >= max_iter else advice
    if not ended and gap <= rounding:
        return True, f"{told}: as small as the last digits of K allow"
    return ended, told if ended else f"{told}: above tol = {tol:g}; {advice}"

"""Can a hyperplane separate two classes? The proof of either answer (the solver of chapters 09 and 10).

`certificate` gives it for samples. On features that are known to the last digits of a kernel matrix only, the nearest
points of the two convex hulls decide.
Phi (N, p) holds the features φ(x_n), y (N,) their labels -1 and +1. The hard margin asks for the a >= 0, Σ a_n = 1 in
either class, for which v = Σ a_n y_n φ(x_n) is shortest: ‖v‖ is the distance of the hulls, v the normal of the plane
half way between, α = 2a/‖v‖² are the multipliers. Where v = 0 the hulls touch, and a is the proof.
"""

import numpy as np

from .. import optimize
from . import cholesky, pairwise

MAX_FEATURES = 150  # features that a kernel matrix may have for a linear machine on them to be quick
EPS = np.finfo(float).eps


def certificate(X, y):
    """(True, w, b, margin, None), or (False, None, None, None, weights), as `perceptron.Certificate` has it.

    The convex mixture of the signed samples y_i(x_i, 1) that lies nearest to 0 decides: of features measured from their
    means in units of their own, and samples at length 1. LinAlgError where rounding hides the answer.
    """
    constant = np.ptp(X, axis=0) == 0
    m = np.where(constant, X[0], X.mean(axis=0))
    s = np.where(constant, 1.0, np.abs(X - m).max(axis=0))
    # measured so, a separable set stays separable, and rounding does the least harm
    Z = y[:, None] * np.column_stack([(X - m) / s, np.ones(len(X))])
    lengths = np.linalg.norm(Z, axis=1)
    a = optimize.nonnegative_least_squares(np.vstack([Z.T / lengths, np.ones(len(X))]), np.eye(Z.shape[1] + 1)[-1])
    # the nearest mixture is as far along each of its samples: where it is short, its digits are in that condition
    for u in ((a / lengths) @ Z, np.linalg.lstsq(Z[a > 0], np.ones(np.count_nonzero(a > 0)), rcond=None)[0]):
        w, b = u[:-1] / s, u[-1] - (u[:-1] / s) @ m
        size = np.sqrt(w @ w + b * b)
        if size > 0 and (margin := np.min(y * (X @ (w / size) + b / size))) > 0:
            return True, w / size, b / size, float(margin), None
    a = a / lengths / np.sum(a / lengths)
    if np.abs(a @ Z).max() > 4e-15 * lengths.max():
        raise np.linalg.LinAlgError("the classes touch: whether a hyperplane separates them is lost in rounding")
    return False, None, None, None, a


def inseparability(X, y):
    """The weights that prove that no hyperplane separates, or None: one does, or rounding hides the answer."""
    try:
        return certificate(X, y)[-1]
    except np.linalg.LinAlgError:
        return None


def low_rank_features(K):
    """Φ (N, r) with ΦΦᵀ = K, centered or not, to N of its last digits; None where r is above MAX_FEATURES.

    A linear machine on Φ costs N r² a step.
    """
    least = len(K) * EPS * K.diagonal().max()
    Phi = cholesky.pivoted_cholesky(pairwise.center_on_first_sample(K), min(MAX_FEATURES, len(K)), least)
    return np.zeros((len(K), 1)) if Phi is not None and Phi.shape[1] == 0 else Phi


def kernel_inseparability(K, y, Phi, alpha):
    """`inseparability` for the features of K.

    Two samples of different labels at one place are a proof. So is an α with Σ α_n y_n φ(x_n) = 0 up to rounding.
    """
    plus, minus = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
    size = K.diagonal()[plus, None] + K.diagonal()[minus]
    distances = size - 2 * K[np.ix_(plus, minus)] - 4 * EPS * size
    if distances.min() <= 0:
        i, j = np.unravel_index(distances.argmin(), distances.shape)
        weights = np.zeros(len(y))
        weights[[plus[i], minus[j]]] = 0.5
        return weights
    proof, D = None if Phi is None else inseparability(Phi, y), pairwise.center_on_first_sample(K)
    for weights in ([] if proof is None else [proof]) + [alpha / (np.sum(alpha) or 1.0)]:
        if weights.any() and (weights * y) @ D @ (weights * y) <= 1e-15 * K.diagonal().max():  # ‖Σ a_n y_n φ(x_n)‖²
            return weights
    return None


def nearest_points(Phi, y, a):
    """The weights of the nearest points of the two hulls of the samples with a_n > 0, from weights a >= 0 (N,).

    The weight of one sample of each class is 1 minus the sum of the others, so least squares gives these. A sample
    whose weight falls to 0 on the way leaves.
    """
    a = a / np.where(y > 0, a[y > 0].sum(), a[y < 0].sum())
    while True:
        base = [int(np.argmax(np.where(y == label, a, -1))) for label in (1, -1)]
        others = np.setdiff1d(np.flatnonzero(a), base)
        D = y[others, None] * (Phi[others] - Phi[np.where(y[others] > 0, *base)])
        goal = np.zeros(len(a))
        goal[others] = np.linalg.lstsq(D.T, Phi[base[1]] - Phi[base[0]], rcond=None)[0]
        for i in base:
            goal[i] = 1 - goal[y == y[i]].sum()
        leaving = np.flatnonzero((a > 0) & (goal <= 0))
        if len(leaving) == 0:
            return goal
        t = a[leaving] / (a[leaving] - goal[leaving])
        a = np.maximum(a + t.min() * (goal - a), 0)
        a[leaving[t <= t.min()]] = 0.0

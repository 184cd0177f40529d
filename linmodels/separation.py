"""The nearest points of two convex hulls: they separate two classes, or prove that nothing does (a tool of chapter 10).

Phi (N, p) holds the features φ(x_n), y (N,) their labels -1 and +1. The hard margin asks for the a >= 0, Σ a_n = 1 in
either class, for which v = Σ a_n y_n φ(x_n) is shortest: ‖v‖ is the distance of the hulls, v the normal of the plane
half way between, α = 2a/‖v‖² are the multipliers. Where v = 0 the hulls touch, and a is the proof.
"""

import numpy as np

EPS = np.finfo(float).eps


def nearest_points(Phi, y, a, most=2000):
    """(a, k): the weights of the nearest points after k changes of the samples in use, from weights a >= 0 (N,).

    The sample that lies farthest on the wrong side of the plane through a class's nearest point joins those in use;
    one whose weight would turn negative leaves (Wolfe 1976). Ends where rounding would choose, or after `most`.
    """
    a, best, shortest = _one_in_each_class(a, y), None, np.inf
    for k in range(most):
        a = _weights_in_use(Phi, y, a)
        v = (a * y) @ Phi
        if not v @ v < shortest:
            return best, k
        best, shortest = a, v @ v
        n, ahead = _farthest(y * (Phi @ v), y, a)
        if ahead <= EPS * np.sqrt(shortest):
            return best, k
        a = a.copy()
        a[n] = EPS  # in use from here on
    return best, most


def _one_in_each_class(a, y):
    """The weights a, made to add up to 1 in either class; those of its first sample where a has none of it."""
    a = a.copy()
    for label in (1, -1):
        of_class = y == label
        if not a[of_class].any():
            a[of_class.argmax()] = 1.0
        a[of_class] /= a[of_class].sum()
    return a


def _farthest(f, y, a):
    """The sample that is farthest behind those in use of its class, f = y_n φ(x_n)·v being how far each lies ahead."""
    behind = np.empty(len(f))
    for label in (1, -1):
        of_class = y == label
        behind[of_class] = f[of_class & (a > 0)].min() - f[of_class]
    n = int(behind.argmax())
    return n, behind[n]


def _weights_in_use(Phi, y, a):
    """The shortest v of the samples in use, a > 0: those that meet 0 on the way there leave.

    The weight of one sample of each class is 1 less the others', so v is a plain least squares of these.
    """
    while True:
        (used,) = a.nonzero()
        base = [used[y[used] == label][a[used[y[used] == label]].argmax()] for label in (1, -1)]
        others = np.setdiff1d(used, base)
        own_base = np.where(y[others] > 0, *base)
        D = y[others, None] * (Phi[others] - Phi[own_base])
        goal = np.zeros(len(a))
        goal[others] = np.linalg.lstsq(D.T, Phi[base[1]] - Phi[base[0]], rcond=None)[0]
        for i in base:
            goal[i] = 1 - goal[y == y[i]].sum()
        leaving = (a > 0) & (goal <= 0)
        if not leaving.any():
            return goal
        t = a[leaving] / (a[leaving] - goal[leaving])
        a = a + t.min() * (goal - a)
        a[np.flatnonzero(leaving)[t <= t.min()]] = 0.0
        a = np.maximum(a, 0.0)

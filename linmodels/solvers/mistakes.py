"""The perceptron's mistakes, several visits tested at once (the solver of chapter 09).

X (N, d) holds samples, G (N, N) their inner products, y (N,) the labels -1 and +1; order (n,) the visits of a pass, or
None for 0..N-1. The mistakes and their order are those of the plain loops of the chapter, but for rounding.
"""

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

SHORTEST_WINDOW, LONGEST_WINDOW = 128, 8192  # visits tested at once: few after a mistake, then more and more


def mistaken_visits(n: int, wrong: Callable[[slice], np.ndarray]) -> Iterator[int]:
    """The visits, pass after pass over 0..n-1, that find a mistake, until n visits in a row find none.

    wrong(rows) tests several visits at once: nothing changes between two mistakes, so the order is the plain loop's.
    """
    p, correct, window = 0, 0, SHORTEST_WINDOW
    while correct < n:
        found = wrong(slice(p, p + window))
        k = int(found.argmax())
        if found[k]:
            yield p + k
            p, correct, window = (p + k + 1) % n, 0, SHORTEST_WINDOW
        else:
            p, correct, window = (p + len(found)) % n, correct + len(found), min(4 * window, LONGEST_WINDOW)


def primal(X, y, eta, order, w, b):
    """(w, b) after each update w ← w + η y_i x_i, b ← b + η y_i."""
    if order is not None:
        X, y = X[order], y[order]

    def wrong(rows):
        return ~(y[rows] * (X[rows] @ w + b) > 0)

    for p in mistaken_visits(len(X), wrong):
        w, b = w + eta * y[p] * X[p], b + eta * y[p]
        yield w, b


def dual(G, y, eta, order):
    """(α, b) after each update α_i ← α_i + η, b ← b + η y_i."""
    alpha, b, f = np.zeros(len(y)), 0.0, np.zeros(len(y))
    order = np.arange(len(y)) if order is None else order

    def wrong(rows):
        I = order[rows]
        return ~(y[I] * (f[I] + b) > 0)

    for p in mistaken_visits(len(order), wrong):
        i = order[p]
        alpha[i] += eta
        b = b + eta * y[i]
        f += eta * y[i] * G[i]  # f = G(αy), kept up to date: one row of G per mistake, none per visit
        yield alpha.copy(), b


def last(sequence, start, most, advice):
    """The last of at most `most` states (the start if there is none), their number, whether they ended, and why."""
    state, n = start, 0
    for n, state in enumerate(islice(sequence, most), 1):  # noqa: B007
        pass
    if next(sequence, None) is None:
        return *state, n, True, f"no sample misclassified after {n} updates"
    return *state, n, False, f"{n} update{'s' * (n != 1)} and still {advice}"

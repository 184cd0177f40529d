"""How often each value occurs in each class, in blocks (the solver of chapter 08)."""

import numpy as np

from ..guards import checks
from . import moments


def counts(X, t, n_values=None):
    """N_iv|k, (K, d, M), and how many values each feature has, (d,), of the samples X and the classes t of a reader."""
    if n_values is None:
        X, t = checks.matrix_and_classes(X, t)
        return of_bits(X, t), np.full(X.shape[1], 2)
    X, t, n_values = checks.category_classes(X, t, n_values)
    return of_values(X, t, n_values), n_values


def of_bits(X, t):
    """N_iv|k of bits, (K, d, 2). ValueError for what is no bit: a block is looked at while it lies in the cache."""
    k = np.arange(t.max() + 1)[:, None]
    ones = np.zeros((len(k), X.shape[1]))
    for rows in moments.blocks(X, 2 + len(k) // X.shape[1]):
        if not checks.are_bits(X[rows]):
            checks.bit_samples(X)
        ones += (t[rows] == k).astype(float) @ X[rows]
    return np.stack([np.bincount(t)[:, None] - ones, ones], axis=2)


def of_values(X, t, n_values):
    """N_iv|k, (K, d, M): every triple (k, i, v) has a place of its own, and one count serves all."""
    K, d, M = t.max() + 1, X.shape[1], n_values.max()
    first, counts = np.arange(0, K * d * M, M).reshape(K, d), np.zeros(K * d * M, int)
    for rows in moments.blocks(X, 2):
        place = first.take(t[rows], axis=0) + X[rows]
        counts += np.bincount(place.ravel(), minlength=len(counts))
    return counts.reshape(K, d, M)

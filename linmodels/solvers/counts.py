"""How often each value occurs in each class, and sums of log probabilities, in blocks (the solver of chapter 08)."""

import numpy as np

from . import moments


def of_bits(X, t):
    """N_iv|k of bits, (K, D, 2)."""
    k = np.arange(t.max() + 1)[:, None]
    ones = np.zeros((len(k), X.shape[1]))
    for rows in moments.blocks(X, 2 + len(k) // X.shape[1]):
        ones += (t[rows] == k).astype(float) @ X[rows]
    counts = np.empty((*ones.shape, 2))
    counts[:, :, 0], counts[:, :, 1] = np.bincount(t)[:, None] - ones, ones
    return counts


def of_values(X, t, n_values):
    """N_iv|k, (K, D, M): every triple (k, i, v) has a place of its own, and one count serves all."""
    K, D, M = t.max() + 1, X.shape[1], n_values.max()
    first, counts = np.arange(0, K * D * M, M).reshape(K, D), np.zeros(K * D * M, int)
    for rows in moments.blocks(X, 2):
        place = first.take(t[rows], axis=0) + X[rows]
        counts += np.bincount(place.ravel(), minlength=len(counts))
    return counts.reshape(K, D, M)


def sum_of_bits(log_theta, X):
    """Σ_i ln θ_i,x_i|k = Σ_i {x_i (ln θ_i1|k - ln θ_i0|k) + ln θ_i0|k}: one product, if ln 0 is told apart."""
    never = np.isneginf(log_theta)
    L = np.where(never, 0.0, log_theta)
    total = ((L[:, :, 1] - L[:, :, 0]) @ X.T).T  # class by class in memory
    total += L[:, :, 0].sum(axis=1)
    if never.any():
        impossible = X @ (never[:, :, 1] * 1.0 - never[:, :, 0]).T + never[:, :, 0].sum(axis=1)
        total[impossible > 0.5] = -np.inf
    return total


def sum_of_values(log_theta, X):
    """Σ_i ln θ_i,x_i|k, by a table of each feature, a row per value."""
    tables = np.ascontiguousarray(log_theta.transpose(1, 2, 0))
    total = np.zeros((len(X), len(log_theta)))
    for rows in moments.blocks(X):
        for table, values in zip(tables, np.ascontiguousarray(X[rows].T), strict=True):
            total[rows] += table.take(values, axis=0)
    return total

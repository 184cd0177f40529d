"""Objectives by their definition, in 80 bits, and by how much an answer misses its condition, 0 where it is right."""

import numpy as np

L, EPS = np.longdouble, np.finfo(float).eps


def far(*arrays):
    return [np.asarray(a, L) for a in arrays]


def part(missing, terms):
    """The largest missing entry, each as a part of the sum of the |terms| that cancel in it."""
    return float(np.max(np.abs(missing) / np.maximum(terms, np.finfo(float).tiny)))


# --- least squares and likelihoods: the objective at W, and its subgradient ---


def squares(W, X, Y, lam, l1):
    """‖XW - Y‖² + λ‖W‖² + l1‖W‖₁, and 1e-8 of its value at W = 0: parts of less than that are rounding."""
    W, X, Y = far(W, X, Y)
    return np.sum((X @ W - Y) ** 2) + np.sum(lam * (W * W).T) + np.sum(l1 * np.abs(W)) + L(1e-8) * np.sum(Y * Y)


def normal(W, X, Y, lam, l1):
    """Xᵀ(XW - Y) + λW + l1/2 sign W = 0."""
    W, X, Y = far(W, X, Y)
    return stationary(W, X, X @ W - Y, np.abs(X) @ np.abs(W) + np.abs(Y), lam, np.asarray(l1) / 2)


def stationary(W, X, R, terms, lam, l1):
    """The entry nearest to 0 of XᵀR + λW + l1 ∂‖W‖₁, |R| <= terms."""
    G = X.T @ R + (lam * W.T).T
    sizes = np.multiply.outer(np.abs(X).sum(axis=0), terms.max(axis=0)) + (lam * np.abs(W.T) + l1).T
    return part(np.where(W != 0, G + (l1 * np.sign(W.T)).T, np.maximum(np.abs(G.T) - l1, 0).T), sizes)


def class_scores(W, X, K):
    """XW (N, K), the last of them 0 where W has K - 1 columns."""
    A = np.matmul(*far(X, np.reshape(W, (X.shape[1], -1))))
    return np.column_stack([A, np.zeros((len(A), K - A.shape[1]))])


def of_classes(W, X, k, lam, l1):
    """-Σ ln p of the classes k, 2 of them for a w (d,), and penalties; plus 1e-8 of it at W = 0."""
    A, (W,) = class_scores(W, X, k.max() + 1), far(W)
    A = A - np.take_along_axis(A, k[:, None], 1)
    return np.sum(np.log(np.sum(np.exp(A), axis=1)) + L(1e-8)) + np.sum(lam * (W * W).T) / 2 + np.sum(l1 * np.abs(W))


def class_equations(W, X, k, lam, l1):
    """Xᵀ(P - T) + λW + l1 ∂‖W‖₁ = 0."""
    A, (W, X) = class_scores(W, X, k.max() + 1), far(W, X)
    P = np.exp(A - A.max(axis=1, keepdims=True))
    R = (P / P.sum(axis=1, keepdims=True) - np.eye(A.shape[1])[k])[:, : W[0].size].reshape(-1, *W.shape[1:])
    return stationary(W, X, R, np.abs(R), lam, l1)  # of separable classes all R pull one way: no R is small enough


def classes_fall(D, X, k, lam):
    """Along D no rival class gains on the own one, some loses, and no weight with a penalty moves."""
    A, sizes = class_scores(D, X, k.max() + 1), class_scores(np.abs(D), np.abs(X), k.max() + 1)
    return falls(np.take_along_axis(A, k[:, None], 1) - A, 2 * sizes.max(axis=1, keepdims=True), D, lam)


def of_counts(w, X, n, lam, _):
    """Half of the deviance of Poisson's counts, and penalties; plus 1e-8 of it at w = 0."""
    eta, (w,) = np.matmul(*far(X, w)), far(w)
    best = n - n * np.log(np.maximum(n, 1))
    return np.sum(np.exp(eta) - n * eta - best) + np.sum(lam * w * w) / 2 + L(1e-8) * np.sum(1 - best)


def count_equations(w, X, n, lam, l1):
    """Xᵀ(μ - n) + λw = 0."""
    w, X, n = far(w, X, n)
    return stationary(w, X, np.exp(X @ w) - n, np.exp(X @ w) + n, lam, l1)


def counts_fall(d, X, n, lam):
    """Along d the mean of no sample rises, of one with a count stays, of some falls."""
    eta = np.matmul(*far(X, d))
    return falls(np.where(n > 0, -np.abs(eta), -eta), np.abs(X) @ np.abs(d), d, lam)


def falls(gains, sizes, D, lam):
    moved = np.abs((np.broadcast_to(lam, len(D)) > 0) * np.abs(D).T).max() / np.abs(D).max()
    return np.max([part(np.minimum(gains, 0), sizes), moved]) if gains.max() > 1e-9 * np.max(sizes) else np.inf


# the loss, where its subgradient is 0, where it falls forever
CLASSES = of_classes, class_equations, classes_fall
COUNTS = of_counts, count_equations, counts_fall


# --- margins ---


def least_value(square, margins, C):
    """½‖w‖² + C Σ ξ, or that of (w, b) scaled to the smallest margin 1 if it is less; the only one for C = inf."""
    scaled = square / 2 / margins.min() ** 2 if margins.min() > 0 else L(np.inf)
    return scaled if C == np.inf else min(scaled, square / 2 + C * np.sum(np.maximum(0, 1 - margins)))


def optimal(value, alpha, square, y, C):
    """The gap value - (Σ α - square/2) = 0 as a part of the value, square = ‖Σ α y φ(x)‖²; Σ α y = 0, 0 <= α <= C."""
    outside = max(-alpha.min(), 0) / alpha.max() + (max(alpha.max() / C - 1, 0) if C < np.inf else 0)
    return np.max([(value - alpha.sum() + square / 2) / value, abs(alpha @ y) / alpha.sum(), outside])


def balanced(a, square, y, K):
    """√square = ‖Σ a_n y_n φ(x_n)‖ = 0 as a part of the longest φ(x); Σ a y = 0, Σ a = 1, a >= 0."""
    return np.max([np.sqrt(square / (K.diagonal().max() or 1)), abs(a @ y), abs(a.sum() - 1), -a.min()])


# --- scatters ---


def scatters(X, t):
    """S_w, and S_b = DᵀD by its D."""
    X = far(X)[0] - far(X)[0].mean(axis=0)
    M = np.array([X[t == k].mean(axis=0) for k in range(int(t.max()) + 1)])
    R = X - M[t.astype(int)]
    return R.T @ R, np.sqrt(np.bincount(t.astype(int)))[:, None] * M


def within_shares(W, X, t):
    """1 + wᵀS_w w / wᵀS_t w of each column w: 1 where each class falls onto one point, J = inf."""
    (W,), (S, D) = far(np.reshape(W, (X.shape[1], -1))), scatters(X, t)
    within, between = np.sum(W * (S @ W), axis=0), np.sum((D @ W) ** 2, axis=0)
    return 1 + within / (within + between)


def eigenvectors(W, X, t):
    """S_b w = μ S_t w for each column w; μ = 1 where S_w w = 0."""
    (W,), (S, D) = far(np.reshape(W, (X.shape[1], -1))), scatters(X, t)
    V = D.T @ (D @ W)
    total = S @ W + V
    return float(np.max(np.abs(V - total * np.sum(W * V, axis=0) / np.sum(W * total, axis=0)) / np.abs(V).max(axis=0)))

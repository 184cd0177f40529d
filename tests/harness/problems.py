"""Random problems: `problem(seed)` has all that any door takes, `rank_problem(seed)` a matrix with full rank or not."""

from types import SimpleNamespace

import numpy as np

KINDS = {  # of normal numbers F (N, d), N from 10 to 60, d from 1 to 6
    "ordinary": lambda rng, F: F,
    "correlated": lambda rng, F: F[:, :1] + 10 ** rng.uniform(-4, 0, F.shape[1]) * rng.standard_normal(F.shape),
    "few samples": lambda rng, F: F[: rng.integers(3, F.shape[1] + 4)],
    "separable": lambda rng, F: F,
    "deficient": lambda rng, F: np.column_stack([F[:, 1:], F[:, 1:] @ rng.integers(0, 4, F.shape[1] - 1)]),
    "duplicated": lambda rng, F: F[rng.integers(0, len(F) // 3, len(F))],
    "units": lambda rng, F: F * 10 ** rng.uniform(-6, 6, rng.choice([1, F.shape[1]])),
    "offsets": lambda rng, F: F + 10 ** rng.uniform(0, 6, rng.choice([1, F.shape[1]])),
}
RANKS = {  # of X (N, d), N from 10 to 30, d from 3 to 7
    "full rank": lambda rng, X: X,
    "duplicated column": lambda rng, X: np.column_stack([X, X[:, 0]]),
    "sum of columns": lambda rng, X: np.column_stack([X, X @ rng.uniform(-2, 2, X.shape[1])]),
    "constant beside bias": lambda rng, X: np.column_stack([X, np.full(len(X), rng.uniform(1, 9)), np.ones(len(X))]),
    "few samples": lambda rng, X: X[: rng.integers(2, X.shape[1])],
    "thin product": lambda rng, X: X[:, 1:] @ rng.standard_normal((X.shape[1] - 1, X.shape[1])),
}


class Problem(SimpleNamespace):
    """A seed, its kind, and the arguments of doors by their names in `doors`:

    F (N, d) features, X the same or with a last column of ones; targets y, signs, bits t, classes k of three, one-hot
    T, counts n. Penalties lam of squares, l1 of absolute values, a number or one per column, and many, lams. The bound
    C of a machine; a kernel matrix K; whole numbers Z, their inner products G; bits B.
    """


def problem(seed):
    """The problem of a seed. Its arrays are read-only: a door that writes into them is seen."""
    rng, kind = np.random.default_rng(seed), list(KINDS)[seed % len(KINDS)]
    F = KINDS[kind](rng, np.round(rng.standard_normal((rng.integers(10, 60), rng.integers(1, 7))), rng.choice([1, 16])))
    N, d = F.shape
    noise = 0.0 if kind == "separable" else rng.choice([0.3, 1.0, 3.0])
    scores = (F - F.mean(axis=0)) / (np.ptp(F, axis=0) + (np.ptp(F, axis=0) == 0))
    scores = 10 ** rng.uniform(0, 1) * scores @ rng.standard_normal((d, 3))
    z = scores[:, 0] - np.median(scores[:, 0])
    y = 10 ** rng.uniform(-2, 2) * (z + rng.uniform(-3, 3) + noise * rng.standard_normal(N))
    t = np.where(z + noise * rng.logistic(size=N) > 0, 1.0, 0.0)
    t[[z.argmin(), z.argmax()]] = 0, 1
    k = (scores + noise * rng.gumbel(size=(N, 3))).argmax(axis=1)
    k[:3] = k[:3] if len(set(k)) == 3 else rng.permutation(3)  # each class has a sample
    n = rng.poisson(np.exp(np.clip(z, -3, 3))) * (t if kind == "separable" else 1.0)
    X = np.column_stack([F, np.ones(N)]) if rng.random() < 0.5 else F
    lam = rng.choice([0.0, 10 ** rng.uniform(-6, 1) * np.median(np.sum(X * X, axis=0))])
    l1 = 10 ** rng.uniform(-3, 0.1) * np.abs(X.T @ (y - y.mean())).max()
    if X is not F and rng.random() < 0.5:  # the bias is free
        lam, l1 = (np.append(np.full(d, each), 0.0) for each in (lam, l1))
    C = np.inf if rng.random() < 0.4 else 10 ** rng.uniform(-2, 3) / (np.mean((F - F.mean(axis=0)) ** 2) or 1.0)
    squared = ((F[:, None] - F) ** 2).sum(axis=2)
    K = F @ F.T if rng.random() < 0.5 else np.exp(-squared / (np.median(squared) or 1.0))
    B, Z = np.where(z[:, None] + rng.standard_normal((N, d)) > 0, 1.0, 0.0), np.round(4 * F)
    p = Problem(seed=seed, kind=kind, F=F, X=X, Z=Z, G=Z @ Z.T, K=K, B=B, C=C, lam=lam, l1=l1, shift=np.max(lam))
    vars(p).update(y=y, t=t, k=k, n=n, signs=2 * t - 1, not_t=1 - t.astype(int), T=np.eye(3)[k], positive=np.exp(z))
    vars(p).update(lams=2 * np.abs(X.T @ y).max() * np.array([0.9, 0.3, 0.03, 1e-3]), width=np.abs(F).max() or 1.0)
    vars(p).update(half=0.5, one=1.0, none=None, many=1000)
    for array in (each for each in vars(p).values() if isinstance(each, np.ndarray)):
        array.setflags(write=False)
    return p


def rank_problem(seed):
    """X of full column rank for even seeds, without it for odd ones, in units 1e-3 to 1e3, and targets."""
    rng, kind = np.random.default_rng([seed, 1]), list(RANKS)[seed % 2 * (1 + seed // 2 % 5)]
    mean, places = (0.0, 16) if rng.random() < 0.5 else (10 ** rng.uniform(0, 4), 1)  # the others far from 0, rounded
    X = RANKS[kind](rng, np.round(mean + rng.standard_normal((rng.integers(10, 30), rng.integers(3, 8))), places))
    X, N = X * 10 ** rng.uniform(-3, 3, X.shape[1]), len(X)
    k, y, n = np.append([0, 1, 2], rng.integers(0, 3, N))[:N], rng.standard_normal(N), rng.poisson(2.0, N)
    return Problem(seed=seed, kind=kind, X=X, y=y, positive=np.exp(y), t=k % 2.0, k=k, T=np.eye(3)[k], n=n, lam=0.0)

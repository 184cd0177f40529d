"""The random data of the tasks: normal samples, and targets or classes that depend on them."""

import numpy as np

from linmodels import datasets, design, naive_bayes, special


def exact_line(N, d):
    """X, y and the weights that fit them best: the noise is at right angles to the columns and to 1."""
    rng = np.random.default_rng(1)
    X, w = rng.standard_normal((N, d)), rng.standard_normal(d + 1)
    noise = rng.standard_normal(N)
    A = design.augment(X)
    Q = np.linalg.qr(A)[0]
    return X, A @ w + noise - Q @ (Q.T @ noise), w


def sparse_line(N, d):
    """A linear target of noise 1; three columns have a part in it, or ten where there are many."""
    rng = np.random.default_rng(3)
    X, w = rng.standard_normal((N, d)), np.zeros(d)
    used = 3 if d < 50 else 10
    w[:used] = rng.standard_normal(used)
    return X, X @ w + rng.standard_normal(N)


def scores(N, d, spread=1):
    """X and η = w·x of standard deviation `spread`, whatever d, and what to draw more from."""
    rng = np.random.default_rng(4)
    X, w = rng.standard_normal((N, d)), rng.standard_normal(d)
    return X, X @ (spread * w / np.linalg.norm(w)), rng


def bits(N, d, spread=1):
    """X and classes 0 and 1 with the log-odds `scores`: noise for the most part where spread = 1, clear where 4."""
    X, eta, rng = scores(N, d, spread)
    return X, (rng.random(N) < special.sigmoid(eta)).astype(float)


def classes(N, d, K, spread=1):
    """X, classes drawn with posteriors whose scores have standard deviation `spread`, and these classes one-hot."""
    rng = np.random.default_rng(5)
    X, W = rng.standard_normal((N, d)), rng.standard_normal((d, K))
    P = special.softmax(X @ (spread * W / np.linalg.norm(W, axis=0)))
    t = (P.cumsum(axis=1) < rng.random(N)[:, None]).sum(axis=1)
    return X, t, design.one_hot(t, K)


def categories(N, d, K, M):
    """d features of M values each, drawn from random conditionals of K classes, and the classes."""
    rng = np.random.default_rng(6)
    model = naive_bayes.Model(np.full(K, 1 / K), rng.dirichlet(np.full(M, 10.0), (K, d)), np.full(d, M))
    return naive_bayes.sample(model, N, rng=rng)


def gapped(N, d, gap):
    """N samples none of which is nearer than gap to a plane, and the sides they lie on."""
    rng = np.random.default_rng(2)
    w = rng.standard_normal(d)
    w /= np.linalg.norm(w)
    X = rng.standard_normal((2 * N, d))
    f = X @ w + 0.3
    near = np.abs(f) < gap
    return X[~near][:N], np.sign(f[~near][:N])


def two_clusters(N, d, apart=2):
    """N/2 samples around either of two points so far apart, the origin halfway, in any order, and their signs."""
    rng = np.random.default_rng(7)
    w = rng.standard_normal(d)
    w *= apart / 2 / np.linalg.norm(w)
    X, t = datasets.clusters([-w, w], N // 2, rng=rng)
    order = rng.permutation(len(t))
    return X[order], design.signs(t[order])


def grid(n=400):
    """The n x n points of a picture: the two axes, and the points row by row."""
    axis = np.linspace(-3, 3, n)
    u, v = np.meshgrid(axis, axis)
    return axis, np.column_stack([u.ravel(), v.ravel()])


def error(found, exact) -> float:
    """The largest error beside the largest value."""
    return float(np.abs(found - exact).max() / np.abs(exact).max())

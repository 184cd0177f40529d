"""Chapters 09 and 10: the perceptron and the support vector machine."""

from functools import partial

import numpy as np

from linmodels import datasets, kernels, perceptron, svm

from .lines import Line
from .peers import available, decades, sklearn
from .problems import error, gapped, grid, two_clusters
from .race import Loosest, Measure, Task


def cyclic_perceptron(N, d, gap) -> Task:
    """The same visits for all, so (w, b) must be the same; the smaller the gap, the more mistakes on the way."""
    X, y = gapped(N, d, gap)
    w, b, n, passes = plain_perceptron(X, y)
    exact = np.append(w, b)

    def by_sklearn(Perceptron):
        """In the given order, for as many passes as the plain loop takes, which it then follows update by update."""
        model = Perceptron(shuffle=False, tol=None, max_iter=passes).fit(X, y)
        return np.append(model.coef_[0], model.intercept_)

    def ours():
        found = perceptron.fit(X, y)
        return np.append(found.w, found.b)

    return Task(
        f"{N} x {d}, {n} mistakes", N, (X, y), Measure("relative error", lambda found: error(found, exact), 1e-10),
        ours,
        {"plain loop": lambda: np.append(*plain_perceptron(X, y)[:2])}
        | available({"Perceptron": (sklearn("linear_model", "Perceptron"), by_sklearn)}),
    )  # fmt: skip


def dual_perceptron(N, d, gap) -> Task:
    """The Gram matrix is given; the loop of the notes adds up the scores of the samples with α > 0."""
    X, y = gapped(N, d, gap)
    G = X @ X.T
    _, n = plain_dual_perceptron(G, y)
    w, b, _, passes = plain_perceptron(X, y)

    def by_primal(Perceptron):
        model = Perceptron(shuffle=False, tol=None, max_iter=passes).fit(X, y)
        return np.append(model.coef_[0], model.intercept_)

    def wrong(found):
        hyperplane = np.append(*perceptron.primal(found, y, X)) if len(found) == N else found
        return error(hyperplane, np.append(w, b))

    return Task(
        f"{N} x {d}, {n} mistakes", N, (G, y), Measure("relative error", wrong, 1e-10),
        lambda: perceptron.fit_dual(G, y).alpha,
        {"plain loop": lambda: plain_dual_perceptron(G, y)[0]}
        | available({"Perceptron (primal)": (sklearn("linear_model", "Perceptron"), by_primal)}),
    )  # fmt: skip


def linear_on_grid(n) -> Task:
    """The class of every point of a picture: the sign of a linear score."""
    X, y = two_clusters(500, 2)
    model, points = svm.fit(X, y, 1.0), grid(n)[1]
    LinearSVC = sklearn("svm", "LinearSVC")
    fitted = LinearSVC and LinearSVC().fit(X, y)
    if fitted is not None:
        fitted.coef_, fitted.intercept_ = model.w[None], np.array([model.b])
    exact = np.sign(points @ model.w + model.b)
    return Task(
        f"{n} x {n} points", n * n, (points,), Measure("share unlike", lambda c: np.mean(c != exact), 0.0),
        lambda: svm.predict(model.w, model.b, points),
        available({"LinearSVC": (fitted, lambda fitted: fitted.predict(points))}),
    )  # fmt: skip


def soft_margin(N, d, C, apart=2) -> Task:
    """Judged by how much the primal value exceeds the dual one at our α, below which nobody gets.

    LinearSVC stops at 1000 rounds, unless told otherwise, far from there: it is given 100 000, and the loosest
    tolerance that comes as near as libsvm does by default. It penalises b as well, which costs it nothing here, where
    the origin is halfway between the classes; elsewhere it needs a larger intercept_scaling: with 10 it takes three
    times as long.
    """
    X, y = two_clusters(N, d, apart)
    peers = {"SVC": libsvm(lambda S, tol: hyperplane(S(kernel="linear", C=C, tol=tol).fit(X, y)))} if N <= 5_000 else {}
    if N >= 500:
        by_liblinear = Loosest(
            lambda L, tol: hyperplane(L(loss="hinge", C=C, tol=tol, max_iter=100_000).fit(X, y)), decades(0.1, 1e-6)
        )
        peers["LinearSVC"] = (sklearn("svm", "LinearSVC"), by_liblinear)
    return Task(
        f"{N} x {d}, C = {C:g}" + (f", {apart} apart" if apart != 2 else ""), N, (X, y),
        Measure("duality gap / objective", excess(svm.fit(X, y, C).alpha, X, y, C), 1e-4),
        lambda: hyperplane(svm.fit(X, y, C)), available(peers),
    )  # fmt: skip


def hard_margin(N, d) -> Task:
    """For libsvm, C = 1e6; judged by the same of (w, b) scaled to the margin 1."""
    X, y, _, _ = datasets.separable(N, d, gap=0.1, rng=np.random.default_rng(7))
    above = excess(svm.fit(X, y).alpha, X, y, np.inf)
    peers = {"SVC": libsvm(lambda S, tol: hyperplane(S(kernel="linear", C=1e6, tol=tol).fit(X, y)))}
    return Task(
        f"{N} x {d}", N, (X, y), Measure("duality gap / objective", lambda wb: above(svm.canonical(*wb, X, y)), 1e-3),
        lambda: hyperplane(svm.fit(X, y)), available(peers),
    )  # fmt: skip


def gaussian_machine(N, d, C) -> Task:
    """With the Gaussian kernel, ours with the computation of its matrix."""
    X, y = two_clusters(N, d)
    bell = partial(kernels.gaussian, sigma=np.sqrt(d / 2))
    K = kernels.gram(bell, X)
    least = svm.dual_objective(svm.fit_dual(K, y, C).alpha, K, y)

    def ours():
        found = svm.fit_dual(kernels.gram(bell, X), y, C)
        return found.alpha, found.b

    def by_libsvm(SVC, tol):
        model, alpha = SVC(C=C, gamma=1 / d, tol=tol).fit(X, y), np.zeros(N)
        alpha[model.support_] = np.abs(model.dual_coef_[0])
        return alpha, model.intercept_[0]

    def above(found):
        return (svm.duality_gap(*found, K, y, C) + svm.dual_objective(found[0], K, y)) / least - 1

    return Task(
        f"{N} x {d}, C = {C:g}", N, (X, y), Measure("duality gap / objective", above, 1e-4),
        ours, available({"SVC": libsvm(by_libsvm)}),
    )  # fmt: skip


def libsvm(run):
    return sklearn("svm", "SVC"), Loosest(run, decades(1e-3, 1e-9))


def excess(alpha, X, y, C):
    least = np.sum(alpha) - np.sum(svm.primal(alpha, y, X) ** 2) / 2
    return lambda wb: svm.primal_objective(*wb, X, y, C) / least - 1


def hyperplane(model):
    """(w, b) of ours, or of scikit-learn's."""
    return (model.w, model.b) if hasattr(model, "w") else (model.coef_[0], model.intercept_[0])


def plain_perceptron(X, y):
    """The algorithm as every textbook writes it; also counts its updates and passes."""
    w, b, n, passes, clean = np.zeros(X.shape[1]), 0.0, 0, 0, False
    while not clean:
        clean, passes = True, passes + 1
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i + b) <= 0:
                w, b, n, clean = w + y_i * x_i, b + y_i, n + 1, False
    return w, b, n, passes


def plain_dual_perceptron(G, y):
    alpha, b, n, clean = np.zeros(len(y)), 0.0, 0, False
    while not clean:
        clean = True
        for i, y_i in enumerate(y):
            if y_i * ((alpha * y) @ G[i] + b) <= 0:
                alpha[i] += 1
                b, n, clean = b + y_i, n + 1, False
    return alpha, n


LINES = [
    Line("09", "perceptron", cyclic_perceptron,
         {(150, 2, 0.2): {"Perceptron": 0.1}, (500, 10, 0.2): {"Perceptron": 0.35}},
         {(100_000, 20, 0.2): {"Perceptron": 0.6, "plain loop": 0.08},
          (100_000, 20, 0.05): {"Perceptron": 1.1, "plain loop": 0.08},
          (100_000, 100, 0.2): {"Perceptron": 0.6, "plain loop": 0.08}},
         "Perceptron", tuple((N, 20, 0.2) for N in (1_000, 10_000, 100_000, 300_000))),
    Line("09", "dual perceptron", dual_perceptron,
         {(150, 2, 0.1): {"plain loop": 0.1}},
         {(2_000, 10, 0.1): {"plain loop": 0.03}, (5_000, 10, 0.1): {"plain loop": 0.02}}),
    Line("10", "linear on a grid", linear_on_grid, {(400,): {"LinearSVC": 0.15}}),
    Line("10", "SVM", soft_margin,
         {(150, 2, 1.0): {"SVC": 1.0}, (500, 10, 1.0): {"SVC": 0.9}},
         {(2_000, 20, 1.0): {"SVC": 0.2}, (5_000, 20, 1.0): {"LinearSVC": 0.2}, (100_000, 20, 1.0): {"LinearSVC": 0.06},
          (100_000, 20, 1.0, 4): {"LinearSVC": 0.06}, (100_000, 50, 0.1): {"LinearSVC": 0.25}},
         "LinearSVC", tuple((N, 20, 1.0) for N in (1_000, 10_000, 100_000))),
    Line("10", "SVM, hard margin", hard_margin,
         {(100, 2): {"SVC": 0.8}, (500, 10): {"SVC": 1.1}},
         {(20_000, 10): {"SVC": 0.4}, (100_000, 20): {"SVC": 0.25}}),
    Line("10", "SVM, Gaussian", gaussian_machine,
         {(150, 2, 10.0): {"SVC": 1.3}, (500, 2, 10.0): {"SVC": 2.0}},
         {(1_000, 10, 1.0): {"SVC": 1.1}, (2_000, 10, 1.0): {"SVC": 1.1}, (2_000, 50, 1.0): {"SVC": 1.1},
          (5_000, 20, 1.0): {"SVC": 1.1}, (2_000, 2, 10.0): {"SVC": 1.5}},
         "SVC", tuple((N, 10, 1.0) for N in (250, 500, 1_000, 2_000, 4_000))),
]  # fmt: skip

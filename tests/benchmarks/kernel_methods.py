"""Chapters 11 and 12: kernel matrices, expansions in kernels, kernel LMS."""

from functools import partial

import numpy as np

from linmodels import kernel_lms, kernels

from .lines import Line, twenty
from .peers import available, sklearn
from .problems import error, grid, scores, two_clusters
from .race import Measure, Task


def gaussian(N, d) -> Task:
    """k(X, X), with 2σ² = d; judged by a hundred rows."""
    X = scores(N, d)[0]
    exact = np.exp(-squares_of_differences(X[:100], X) / d)
    return Task(
        f"{N} x {d}", N, (X,), Measure("relative error", lambda K: error(K[:100], exact), 1e-10),
        lambda: kernels.gram(bell(d), X),
        available({"rbf_kernel": (sklearn("metrics.pairwise", "rbf_kernel"), lambda rbf: rbf(X, gamma=1 / d))}),
    )  # fmt: skip


def polynomial(N, d, degree) -> Task:
    X = scores(N, d)[0]
    exact = (np.sum(X[:100, None] * X, axis=2) + 1) ** degree
    polynomial_kernel = sklearn("metrics.pairwise", "polynomial_kernel")
    return Task(
        f"{N} x {d}, degree {degree}", N, (X,), Measure("relative error", lambda K: error(K[:100], exact), 1e-10),
        lambda: kernels.gram(partial(kernels.polynomial, degree=degree), X),
        available({"polynomial_kernel": (polynomial_kernel, lambda f: f(X, degree=degree, gamma=1.0))}),
    )  # fmt: skip


def expansion(M, N, d) -> Task:
    """f(z) = Σ_n c_n k(x_n, z) at M samples z, N centres x_n.

    For SVC, half of the centres in either class, and so small a C that each α is C.
    """
    Z, (X, y) = scores(M, d)[0], two_clusters(N, d, 0)
    C = 1e-3
    exact = np.exp(-squares_of_differences(Z[:100], X) / d) @ (C * y)
    rbf_kernel, KernelRidge = sklearn("metrics.pairwise", "rbf_kernel"), sklearn("kernel_ridge", "KernelRidge")
    ridge, SVC = KernelRidge and KernelRidge(kernel="rbf", gamma=1 / d).fit(X, y), sklearn("svm", "SVC")
    if ridge is not None:
        ridge.dual_coef_ = C * y
    return Task(
        f"{M} x {d}, {N} centres", M, (Z, X), Measure("relative error", lambda f: error(f[:100], exact), 1e-10),
        lambda: kernels.expansion(bell(d), Z, X, C * y),
        available({
            "rbf_kernel @ c": (rbf_kernel, lambda rbf: rbf(Z, X, gamma=1 / d) @ (C * y)),
            "KernelRidge": (ridge, lambda ridge: ridge.predict(Z)),
            "SVC": (SVC and SVC(C=C, gamma=1 / d).fit(X, y), lambda svc: svc.decision_function(Z) - svc.intercept_),
        }),
    )  # fmt: skip


def gaussian_on_grid(n, N) -> Task:
    """The same at the points of a picture, where a Gaussian is a product of one factor per axis."""
    axis, points = grid(n)
    X, y = two_clusters(N, 2)
    exact = np.exp(-squares_of_differences(points[::997], X) / 2) @ y
    KernelRidge = sklearn("kernel_ridge", "KernelRidge")
    fitted = KernelRidge and KernelRidge(kernel="rbf", gamma=0.5).fit(X, y)
    if fitted is not None:
        fitted.dual_coef_ = y
    return Task(
        f"{n} x {n} points, {N} centres", n * n, (points, X),
        Measure("relative error", lambda f: error(np.ravel(f)[::997], exact), 1e-10),
        lambda: kernels.gaussian_on_grid(axis, axis, X, y),
        available({"KernelRidge": (fitted, lambda fitted: fitted.predict(points))}),
    )  # fmt: skip


def gaussian_updates(N, d, steps=1000, sigma=2) -> Task:
    """Kernel LMS with a Gaussian kernel: the wider it is, the lower is the rank of K up to rounding."""
    return updates(partial(kernels.gaussian, sigma=sigma), N, d, steps, f", {steps} steps, σ = {sigma}")


def cubic_updates(N, d, steps=1000) -> Task:
    return updates(kernels.cubic_sum, N, d, steps, f", {steps} steps, cubic")


def updates(kernel, N, d, steps, kind) -> Task:
    """Updates of all β; judged by Kβ beside that of the loop, the update as the notes print it."""
    X, score, _ = scores(N, d)
    K, y = kernels.gram(kernel, X), np.sin(2 * score)
    eta = 1 / np.abs(K).sum(axis=1).max()  # at most half of the largest step: no eigenvalue exceeds these sums
    exact = K @ plain_updates(K, y, eta, steps)
    return Task(
        f"{N} x {d}{kind}", N, (K, y), Measure("relative error", lambda beta: error(K @ beta, exact), 1e-8),
        lambda: kernel_lms.beta_after(K, y, eta, steps),
        {"plain loop": lambda: plain_updates(K, y, eta, steps)},
    )  # fmt: skip


def bell(d):
    """The Gaussian kernel with 2σ² = d, about as wide as scikit-learn's own choice for features of variance 1."""
    return partial(kernels.gaussian, sigma=np.sqrt(d / 2))


def squares_of_differences(Z, X):
    return np.sum((Z[:, None] - X) ** 2, axis=2)


def plain_updates(K, y, eta, steps):
    beta = np.zeros(len(y))
    for _ in range(steps):
        beta += eta * (y - K @ beta)
    return beta


LINES = [
    Line("11", "kernel LMS", gaussian_updates,
         {(200, 2): {}, (500, 2): {}},
         {(2_000, 2): {}, (2_000, 2, 1000, 1): {}},
         "plain loop", tuple((N, 2, 200) for N in (250, 500, 1_000, 2_000, 4_000))),
    Line("11", "kernel LMS", cubic_updates, {}, {(2_000, 3): {}}),
    Line("12", "Gaussian kernel", gaussian,
         {(150, 2): {"rbf_kernel": 0.3}, (500, 10): {"rbf_kernel": 0.5}},
         {(2_000, 20): {"rbf_kernel": 0.8}, (5_000, 20): {"rbf_kernel": 0.55}},
         "rbf_kernel", twenty(250, 500, 1_000, 2_000, 4_000)),
    Line("12", "polynomial kernel", polynomial,
         {(500, 10, 3): {"polynomial_kernel": 0.06}},
         {(2_000, 20, 3): {"polynomial_kernel": 0.15}, (5_000, 20, 3): {"polynomial_kernel": 0.15},
          (5_000, 20, 2): {"polynomial_kernel": 0.6}}),
    Line("12", "Gaussians at samples", expansion,
         {(10_000, 476, 10): {}},
         {(100_000, 476, 10): {"rbf_kernel @ c": 0.25, "SVC": 0.1},
          (100_000, 996, 20): {"rbf_kernel @ c": 0.25, "SVC": 0.1}}),
    Line("12", "Gaussians on a grid", gaussian_on_grid, {(400, 87): {"KernelRidge": 0.005}}),
]  # fmt: skip

"""Chapters 01 and 02: squared error, with and without a penalty."""

from itertools import islice

import numpy as np

from linmodels import design
from linmodels import linear_regression as lr
from linmodels import regularization as reg

from .lines import Line, twenty
from .peers import available, decades, sklearn, statsmodels
from .problems import error, exact_line, scores, sparse_line
from .race import Loosest, Measure, Task, quiet


def least_squares(N, d) -> Task:
    """Fits with an intercept, both sides check their input. Ridge is its fastest solver with next to no penalty."""
    X, y, w = exact_line(N, d)
    LinearRegression, Ridge = sklearn("linear_model", "LinearRegression"), sklearn("linear_model", "Ridge")
    return Task(
        f"{N} x {d}", N, (X, y), Measure("relative error", lambda found: error(found, w), 1e-10),
        lambda: lr.least_squares(design.augment(X), y),
        available({
            "LinearRegression": (LinearRegression, lambda L: with_bias(L().fit(X, y))),
            "Ridge": (Ridge, lambda R: with_bias(R(solver="cholesky", alpha=1e-12).fit(X, y))),
            "OLS": (statsmodels("api", "OLS"), lambda O: O(y, design.augment(X)).fit().params),
        }),
    )  # fmt: skip


def gradient_steps(N, d, steps=1000) -> Task:
    """Batch gradient descent, the last of its iterates, beside a loop that passes over X twice a step."""
    X, y, _ = exact_line(N, d)
    eta = lr.best_step(X)
    exact = plain_descent(X, y, eta, steps)
    return Task(
        f"{N} x {d}, {steps} steps", N, (X, y), Measure("relative error", lambda w: error(w, exact), 1e-10),
        lambda: next(islice(lr.gradient_iterates(X, y, eta=eta), steps, None)).w,
        {"plain loop": lambda: plain_descent(X, y, eta, steps)},
    )  # fmt: skip


def lms_epoch(N, d) -> Task:
    """One epoch, a sample a step, all in the same order; scikit-learn's loop is compiled."""
    X, eta, rng = scores(N, d)
    y, step = eta + rng.standard_normal(N), 1e-3
    exact, order = plain_lms(X, y, step), np.random.default_rng(0).permutation(N)
    X_in_order, y_in_order = X[order], y[order]

    def by_sklearn(SGD):
        model = SGD(penalty=None, learning_rate="constant", eta0=2 * step, max_iter=1, tol=None, fit_intercept=False,
                    shuffle=False)  # fmt: skip
        return quiet(model.fit, X=X_in_order, y=y_in_order).coef_

    peers = available({"SGDRegressor": (sklearn("linear_model", "SGDRegressor"), by_sklearn)})
    return Task(
        f"{N} x {d}", N, (X, y), Measure("relative error", lambda w: error(w, exact), 1e-10),
        lambda: next(islice(lr.stochastic_iterates(X, y, eta=step, rng=np.random.default_rng(0)), N, None)).w,
        {"plain loop": lambda: plain_lms(X, y, step)} | peers,
    )  # fmt: skip


def ridge(N, d) -> Task:
    """‖Xw - y‖² + λ‖w‖² at λ = 1. More columns than rows: both go over to the dual."""
    X, y = sparse_line(N, d)
    return Task(
        f"{N} x {d}", N, (X, y), Measure("|gradient| / that at 0", lambda w: ridge_slope(w, X, y, 1.0), 1e-10),
        lambda: reg.ridge(X, y, 1.0),
        available({"Ridge": (sklearn("linear_model", "Ridge"), lambda R: ridge_weights(R, X, y, 1.0))}),
    )  # fmt: skip


def ridge_path(N, d) -> Task:
    """100 values of λ. RidgeCV returns but the best of them, so it is judged by that one."""
    X, y = sparse_line(N, d)
    lams = np.geomspace(1e-2, 1e4, 100)

    def slope(found):
        pairs = found if isinstance(found, list) else zip(lams, found, strict=True)
        return max(ridge_slope(w, X, y, lam) for lam, w in pairs)

    return Task(
        f"{N} x {d}", N, (X, y), Measure("|gradient| / that at 0", slope, 1e-10),
        lambda: reg.ridge_path(X, y, lams),
        available({
            "100 Ridge": (sklearn("linear_model", "Ridge"),
                          lambda R: [(lam, ridge_weights(R, X, y, lam)) for lam in lams]),
            "RidgeCV": (sklearn("linear_model", "RidgeCV"), lambda R: best_of_path(R, X, y, lams)),
        }),
    )  # fmt: skip


def lasso(N, d, rho=1.0) -> Task:
    """One λ, a tenth of the smallest that leaves w = 0. With a Gram matrix scikit-learn is asked to compute it."""
    X, y = sparse_line(N, d)
    lam = 0.1 * reg.smallest_zero_lam(X, y, rho)
    alpha = lam / (2 * N)  # scikit-learn's loss is ours / 2N
    ElasticNet = sklearn("linear_model", "ElasticNet")

    def by_coordinates(E, tol, gram=False):
        return E(alpha=alpha, l1_ratio=rho, fit_intercept=False, tol=tol, precompute=gram, max_iter=10**5).fit(X, y)

    def run(gram):
        return Loosest(lambda E, tol: by_coordinates(E, tol, gram).coef_, decades(1e-4))

    name = "Lasso" if rho == 1 else "ElasticNet"
    peers = {name: (ElasticNet, run(False)), f"{name} on Gram": (ElasticNet, run(True))}
    if rho == 1:
        LassoLars = sklearn("linear_model", "LassoLars")
        peers["LassoLars"] = (LassoLars, lambda L: L(alpha=alpha, fit_intercept=False).fit(X, y).coef_)
    return Task(
        f"{N} x {d}", N, (X, y), Measure("duality gap / loss", lambda w: gap(w, X, y, lam, rho), 1e-6),
        lambda: reg.elastic_net(X, y, lam, rho).w, available(peers),
    )  # fmt: skip


def elastic_net(N, d) -> Task:
    """The same with half of the penalty squared."""
    return lasso(N, d, 0.5)


def lasso_path(N, d) -> Task:
    """Down to a hundredth of the first λ: ours and lars_path give the knots, coordinate descent 100 values of λ.

    Judged by the worst of every fifth of these, read off the knots where there are knots.
    """
    X, y = sparse_line(N, d)
    lams = reg.smallest_zero_lam(X, y) * np.geomspace(1, 1e-2, 100)

    def by_coordinates(f, tol):
        return f(X, y, alphas=lams / (2 * N), tol=tol, max_iter=10**5)[1].T

    def by_lars(f):
        alphas, _, W = f(X, y, method="lasso", alpha_min=lams[-1] / (2 * N))
        return reg.Path(2 * N * alphas, W.T, np.zeros(len(alphas)))

    return Task(
        f"{N} x {d}", N, (X, y), Measure("duality gap / loss", lambda found: worst_gap(found, X, y, lams, 1.0), 1e-6),
        lambda: reg.lasso_path(X, y, least=lams[-1]),
        available({
            "lasso_path": (sklearn("linear_model", "lasso_path"), Loosest(by_coordinates, decades(1e-4))),
            "lars_path": (sklearn("linear_model", "lars_path"), by_lars),
        }),
    )  # fmt: skip


def elastic_net_path(N, d) -> Task:
    """100 values of λ, half of the penalty squared."""
    X, y = sparse_line(N, d)
    lams = reg.smallest_zero_lam(X, y, 0.5) * np.geomspace(1, 1e-2, 100)

    def by_coordinates(f, tol):
        return f(X, y, l1_ratio=0.5, alphas=lams / (2 * N), tol=tol, max_iter=10**5)[1].T

    return Task(
        f"{N} x {d}", N, (X, y), Measure("duality gap / loss", lambda W: worst_gap(W, X, y, lams, 0.5), 1e-6),
        lambda: reg.elastic_net_path(X, y, lams, 0.5),
        available({"enet_path": (sklearn("linear_model", "enet_path"), Loosest(by_coordinates, decades(1e-4)))}),
    )  # fmt: skip


def with_bias(model):
    return np.append(model.coef_, model.intercept_)


def plain_descent(X, y, eta, steps):
    """The update as the notes print it."""
    w = np.zeros(X.shape[1])
    for _ in range(steps):
        w = w - eta * 2 * (X.T @ (X @ w - y))
    return w


def plain_lms(X, y, eta):
    w = np.zeros(X.shape[1])
    for i in np.random.default_rng(0).permutation(len(y)):
        w = w - eta * 2 * (w @ X[i] - y[i]) * X[i]
    return w


def ridge_weights(Ridge, X, y, lam):
    return Ridge(alpha=lam, fit_intercept=False).fit(X, y).coef_


def ridge_slope(w, X, y, lam):
    return np.abs(reg.ridge_gradient(w, X, y, lam)).max() / (2 * np.abs(X.T @ y).max())


def best_of_path(RidgeCV, X, y, lams):
    model = RidgeCV(alphas=lams, fit_intercept=False).fit(X, y)
    return [(model.alpha_, model.coef_)]


def gap(w, X, y, lam, rho):
    return reg.duality_gap(w, X, y, lam, rho) / reg.loss(w, X, y, lam, rho)


def worst_gap(found, X, y, lams, rho):
    W = [reg.interpolate(found, lam) for lam in lams] if isinstance(found, reg.Path) else found
    return max(gap(w, X, y, lam, rho) for w, lam in list(zip(W, lams, strict=True))[4::5])


LINES = [
    Line("01", "least squares", least_squares,
         {(150, 4): {"LinearRegression": 0.12, "OLS": 0.4}},
         {(100_000, 50): {"LinearRegression": 0.15, "OLS": 0.07, "Ridge": 0.65},
          (100_000, 100): {"LinearRegression": 0.12}},
         "LinearRegression", twenty(1_000, 10_000, 100_000, 1_000_000)),
    Line("01", "gradient descent", gradient_steps, {}, {(100_000, 20): {}}),
    Line("01", "stochastic epoch", lms_epoch, {}, {(100_000, 20): {}}),
    Line("02", "ridge", ridge,
         {(150, 4): {"Ridge": 0.08}},
         {(100_000, 50): {"Ridge": 0.6}, (200, 5_000): {"Ridge": 0.9}, (1_000, 2_000): {"Ridge": 1.0}},
         "Ridge", twenty(1_000, 10_000, 100_000, 1_000_000)),
    Line("02", "ridge path", ridge_path, {(150, 4): {}}, {(100_000, 50): {"100 Ridge": 0.01, "RidgeCV": 0.01}}),
    Line("02", "lasso", lasso,
         {(200, 10): {"Lasso": 0.35}},
         {(100_000, 100): {"Lasso": 0.6, "LassoLars": 0.6}}),
    Line("02", "lasso path", lasso_path,
         {(200, 10): {"lasso_path": 0.1}, (200, 2_000): {"lasso_path": 0.2}},
         {(100_000, 100): {"lasso_path": 0.6}},
         "lasso_path", twenty(1_000, 10_000, 100_000, 300_000)),
    Line("02", "elastic net", elastic_net,
         {(200, 10): {"ElasticNet": 0.3}},
         {(100_000, 100): {"ElasticNet": 0.6}}),
    Line("02", "elastic net path", elastic_net_path,
         {(200, 10): {"enet_path": 0.5}},
         {(100_000, 100): {"enet_path": 0.6}}),
]  # fmt: skip

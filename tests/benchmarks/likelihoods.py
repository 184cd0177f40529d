"""Chapters 03, 04 and 05: maximum likelihood without a penalty, which statsmodels does not know.

Judged by max |gradient| / N; each peer is given the loosest tolerance with which it gets below ENOUGH. The solver of
scikit-learn's is lbfgs, its default, unless another is named.
"""

from itertools import islice

import numpy as np

from linmodels import design, glm, special
from linmodels import logistic_regression as logr
from linmodels import softmax_regression as smr

from .lines import Line, twenty
from .peers import available, decades, sklearn, statsmodels
from .problems import bits, classes, error, grid, scores
from .race import Loosest, Measure, Task, quiet

ENOUGH = 1e-6
TOLERANCES = decades(1e-4)


def logistic(N, d, spread=1) -> Task:
    """The clearer the classes, the more passes everyone needs: spread 1 is the easy end, 4 the other."""
    X, t = bits(N, d, spread)
    Logit = statsmodels("api", "Logit")
    peers = {"LogisticRegression": by_sklearn(X, t, "lbfgs"), "newton-cholesky": by_sklearn(X, t, "newton-cholesky")}
    if N * d <= 10_000_000:
        peers["Logit"] = (Logit, Loosest(lambda L, tol: L(t, X).fit(disp=0, tol=tol).params, TOLERANCES))
    return likelihood(X, t, lambda: logr.fit(X, t).w, peers, lambda w: logr.gradient(w.ravel(), X, t), of(spread))


def unscaled_logistic(N, d) -> Task:
    """Features of scales 0.03 to 30, each shifted by as much, and an intercept; the gradient is that of scaled ones.

    lbfgs is left out: it does not converge in 20 s.
    """
    Z, t = bits(N, d)
    scales = np.geomspace(0.03, 30, d)
    X = (Z + 1) * scales
    scaled = design.augment(X / scales)

    def slope(w):
        return logr.gradient(w * np.append(scales, 1.0), scaled, t)

    def with_bias(LogisticRegression, tol):
        model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=tol, max_iter=1_000).fit(X, t)
        return np.append(model.coef_[0], model.intercept_)

    peers = {"newton-cholesky": (sklearn("linear_model", "LogisticRegression"), Loosest(with_bias, TOLERANCES))}
    return likelihood(X, t, lambda: logr.fit(design.augment(X), t).w, peers, slope)


def logistic_epoch(N, d) -> Task:
    """One epoch, a sample a step, all in the same order; scikit-learn's loop is compiled."""
    X, t = bits(N, d)
    step = 0.01
    exact, order = plain_epoch(X, t, step), np.random.default_rng(0).permutation(N)
    X_in_order, t_in_order = X[order], t[order]

    def by_sklearn(SGD):
        model = SGD(loss="log_loss", penalty=None, learning_rate="constant", eta0=step, max_iter=1, tol=None,
                    fit_intercept=False, shuffle=False)  # fmt: skip
        return quiet(model.fit, X=X_in_order, y=t_in_order).coef_[0]

    peers = available({"SGDClassifier": (sklearn("linear_model", "SGDClassifier"), by_sklearn)})
    return Task(
        f"{N} x {d}", N, (X, t), Measure("relative error", lambda w: error(w, exact), 1e-10),
        lambda: next(islice(logr.stochastic_iterates(X, t, eta=step, rng=np.random.default_rng(0)), N, None)).w,
        {"plain loop": lambda: plain_epoch(X, t, step)} | peers,
    )  # fmt: skip


def softmax(N, d, K, spread=1) -> Task:
    """Newton's peers at sizes where a call of theirs takes less than three seconds."""
    X, t, T = classes(N, d, K, spread)
    peers = {"LogisticRegression": by_sklearn(X, t, "lbfgs")}
    if N * d * K <= 20_000_000:
        peers["newton-cholesky"] = by_sklearn(X, t, "newton-cholesky")
    if N <= 1_000:
        peers["MNLogit"] = (statsmodels("api", "MNLogit"), Loosest(lambda M, tol: by_mnlogit(M, X, t, tol), TOLERANCES))
    kind = f", K = {K}{of(spread)}"
    return likelihood(X, t, lambda: smr.fit(X, T).W.T, peers, lambda W: smr.gradient(W.T, X, T), kind)


def poisson(N, d) -> Task:
    X, eta, rng = scores(N, d)
    y = rng.poisson(glm.mean(eta, glm.poisson)).astype(float)

    def by(solver):
        return Loosest(
            lambda P, tol: P(alpha=0.0, solver=solver, tol=tol, max_iter=1000, fit_intercept=False).fit(X, y).coef_,
            TOLERANCES,
        )

    def by_irls(GLM, tol):
        return GLM(y, X, family=statsmodels("genmod.families", "Poisson")()).fit(tol=tol).params

    PoissonRegressor = sklearn("linear_model", "PoissonRegressor")
    peers = {
        "PoissonRegressor": (PoissonRegressor, by("lbfgs")),
        "newton-cholesky": (PoissonRegressor, by("newton-cholesky")),
    }
    if N * d <= 2_000_000:
        peers["GLM"] = (statsmodels("api", "GLM"), Loosest(by_irls, TOLERANCES))
    return likelihood(X, y, lambda: glm.fit(X, y, glm.poisson).w, peers, lambda w: glm.gradient(w, X, y, glm.poisson))


def softmax_on_grid(n, K) -> Task:
    """The class of every point of a picture."""
    X, t, T = classes(500, 2, K)
    A, points = design.augment(X), grid(n)[1]
    W, LogisticRegression = smr.fit(A, T).W, sklearn("linear_model", "LogisticRegression")
    fitted = LogisticRegression and LogisticRegression(C=np.inf, tol=1e-9).fit(X, t)
    exact = np.argmax(design.augment(points) @ W, axis=1)
    return Task(
        f"{n} x {n} points, K = {K}", n * n, (points,), Measure("share unlike", lambda c: np.mean(c != exact), 1e-3),
        lambda: smr.predict(W, design.augment(points)),
        available({"LogisticRegression": (fitted, lambda model: model.predict(points))}),
    )  # fmt: skip


def of(spread):
    return "" if spread == 1 else ", clear"


def likelihood(X, t, ours, peers, gradient, kind="") -> Task:
    def slope(w):
        return np.abs(gradient(w)).max() / len(X)

    N, d = X.shape
    measure = Measure("max |gradient| / N", slope, ENOUGH)
    return Task(f"{N} x {d}{kind}", N, (X, t), measure, ours, available(peers))


def by_sklearn(X, t, solver):
    def run(LogisticRegression, tol):
        model = LogisticRegression(C=np.inf, solver=solver, tol=tol, max_iter=10_000, fit_intercept=False)
        return model.fit(X, t).coef_

    return sklearn("linear_model", "LogisticRegression"), Loosest(run, TOLERANCES)


def by_mnlogit(MNLogit, X, t, tol):
    """Its class 0 has the score 0."""
    return np.insert(np.asarray(MNLogit(t, X).fit(disp=0, tol=tol).params), 0, 0, axis=1).T


def plain_epoch(X, t, eta):
    w = np.zeros(X.shape[1])
    for i in np.random.default_rng(0).permutation(len(t)):
        w = w - eta * (special.sigmoid(w @ X[i]) - t[i]) * X[i]
    return w


LINES = [
    Line("03", "Poisson", poisson,
         {(150, 4): {"PoissonRegressor": 0.25, "GLM": 0.25}},
         {(100_000, d): {"PoissonRegressor": limit} for d, limit in ((20, 0.6), (50, 0.8), (100, 1.2))},
         "PoissonRegressor", twenty(1_000, 10_000, 100_000, 300_000)),
    Line("04", "logistic", logistic,
         {(150, 4): {"LogisticRegression": 0.2, "Logit": 0.4}},
         {(100_000, 20): {"LogisticRegression": 0.4, "newton-cholesky": 0.2, "Logit": 0.1},
          (100_000, 50): {"LogisticRegression": 0.5, "newton-cholesky": 0.2, "Logit": 0.1},
          (100_000, 100): {"LogisticRegression": 0.7, "newton-cholesky": 0.2, "Logit": 0.1},
          (100_000, 20, 4): {"LogisticRegression": 0.4, "newton-cholesky": 0.2},
          (100_000, 50, 4): {"LogisticRegression": 0.5, "newton-cholesky": 0.2},
          (100_000, 100, 4): {"LogisticRegression": 0.7, "newton-cholesky": 0.2},
          (1_000_000, 20): {"LogisticRegression": 0.35}},
         "LogisticRegression", twenty(1_000, 10_000, 100_000, 1_000_000)),
    Line("04", "logistic, unscaled", unscaled_logistic, {}, {(100_000, 50): {"newton-cholesky": 0.2}}),
    Line("04", "stochastic epoch", logistic_epoch, {}, {(100_000, 20): {}}),
    Line("05", "softmax", softmax,
         {(150, 4, 3): {"LogisticRegression": 0.4}, (500, 10, 5): {"LogisticRegression": 0.6}},
         {(100_000, 20, 3): {"LogisticRegression": 0.4, "newton-cholesky": 0.15},
          (100_000, 20, 10): {"LogisticRegression": 0.4, "newton-cholesky": 0.15},
          (100_000, 50, 10): {"LogisticRegression": 0.4},
          (100_000, 20, 3, 4): {"LogisticRegression": 0.4, "newton-cholesky": 0.15},
          (100_000, 20, 10, 4): {"LogisticRegression": 0.4},
          (100_000, 50, 10, 4): {"LogisticRegression": 0.4}},
         "LogisticRegression", tuple((N, 20, 3) for N in (1_000, 10_000, 100_000, 300_000))),
    Line("05", "softmax on a grid", softmax_on_grid, {(400, 3): {"LogisticRegression": 0.7}}),
]  # fmt: skip

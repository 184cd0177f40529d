"""What is raced. A new task is a generator of `Task`s, one per size, listed in TASKS; peers import inside of it."""

import importlib
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from linmodels import datasets, design, glm, kernel_lms, kernels, lda, naive_bayes, perceptron, special, svm
from linmodels import least_squares_classifier as lsc
from linmodels import linear_regression as lr
from linmodels import logistic_regression as logr
from linmodels import regularization as reg
from linmodels import softmax_regression as smr

from .race import Task

ALL_SIZES = [(150, 4), (1_000, 20), (10_000, 20), (100_000, 20), (100_000, 50)]
MID = 10_000  # numbers in X: below, the calls cost more than the arithmetic
EQUAL = 1e-8  # max |gradient| / N asked of every maximum of a likelihood, or that of ours where it is larger
TOLERANCES = [10.0**-k for k in range(4, 13)]


def least_squares(quick: bool) -> Iterator[Task]:
    """Fits with an intercept, on both sides with the checks of the input; quality: correct digits of the weights."""
    for N, d in [(150, 4), (1_000, 20), (10_000, 20), (100_000, 20), (100_000, 50)][: 3 if quick else None]:
        rng = np.random.default_rng(1)
        X, w = rng.standard_normal((N, d)), rng.standard_normal(d + 1)
        noise = rng.standard_normal(N)
        A = design.augment(X)
        Q = np.linalg.qr(A)[0]
        y = A @ w + noise - Q @ (Q.T @ noise)  # noise at right angles to the columns: w itself is the answer
        peers = {} if (LinearRegression := sklearn("linear_model", "LinearRegression")) is None else {
            "LinearRegression": lambda X=X, y=y: both(LinearRegression().fit(X, y))}  # fmt: skip
        yield Task(
            "least squares", f"{N} x {d}", N,
            lambda X=X, y=y: lr.least_squares(design.augment(X), y),
            peers, {"LinearRegression": 3.0},
            lambda found, w=w: f"{-np.log10(np.abs(found - w).max() / np.abs(w).max()):.1f} digits",
        )  # fmt: skip


def cyclic_perceptron(quick: bool) -> Iterator[Task]:
    """The same visits for all: w, b and the mistakes must agree. The gap makes about 1500 mistakes at 100000 x 20."""
    for N, d in [(150, 2), (1_000, 20), (10_000, 20), (100_000, 20)][: 3 if quick else None]:
        X, y = gapped(N, d, gap=0.06)
        n = perceptron.fit(X, y).n_iter
        peers = {"plain loop": lambda X=X, y=y: plain_perceptron(X, y)}
        if (Perceptron := sklearn("linear_model", "Perceptron")) is not None:
            epochs = plain_perceptron(X, y)[3]
            peers["Perceptron"] = lambda X=X, y=y, epochs=epochs: sklearn_perceptron(Perceptron, X, y, epochs)
        yield Task(
            "perceptron", f"{N} x {d}, {n} mistakes", N,
            lambda X=X, y=y: perceptron.fit(X, y),
            peers, {"plain loop": 15.0} if N == 100_000 else {},
            lambda found, X=X, y=y: errors(found, X, y),
        )  # fmt: skip


def ridge(quick: bool) -> Iterator[Task]:
    """‖Xw - y‖² + λ‖w‖²; quality: the largest |gradient| beside that at w = 0. More columns than rows: the dual."""
    yield from (ridge_task(N, d) for N, d in ALL_SIZES[: 3 if quick else None])
    yield from (ridge_task(N, d) for N, d in [(200, 5_000), (1_000, 2_000)][: 1 if quick else None])


def ridge_task(N, d) -> Task:
    X, y = sparse_problem(N, d)
    lam = 1.0
    return Task(
        "ridge", f"{N} x {d}", N,
        lambda: reg.ridge(X, y, lam),
        available({"Ridge": (sklearn("linear_model", "Ridge"), lambda R: ridge_coef(R, X, y, lam))}),
        {"Ridge": 12.5 if N < 200 else 1.7 if N > d else 1.1},
        lambda w: f"{np.abs(reg.ridge_gradient(w, X, y, lam)).max() / (2 * np.abs(X.T @ y).max()):.0e}",
    )  # fmt: skip


def ridge_path(quick: bool) -> Iterator[Task]:
    """100 values of λ. RidgeCV returns but the best of them, so its quality is that of one."""
    yield from (ridge_path_task(N, d) for N, d in [(150, 4), (1_000, 20), (100_000, 50)][: 2 if quick else None])


def ridge_path_task(N, d) -> Task:
    X, y = sparse_problem(N, d)
    lams = np.geomspace(1e-2, 1e4, 100)

    def quality(found):
        pairs = zip(*found, strict=True) if isinstance(found, tuple) else zip(found, lams, strict=True)
        worst = max(np.abs(reg.ridge_gradient(w, X, y, lam)).max() for w, lam in pairs)
        return f"{worst / (2 * np.abs(X.T @ y).max()):.0e}"

    return Task(
        "ridge path", f"{N} x {d}", N,
        lambda: reg.ridge_path(X, y, lams),
        available({
            "100 Ridge": (sklearn("linear_model", "Ridge"), lambda R: [ridge_coef(R, X, y, lam) for lam in lams]),
            "RidgeCV": (sklearn("linear_model", "RidgeCV"), lambda R: best_ridge(R, X, y, lams)),
        }),
        {"100 Ridge": 100.0, "RidgeCV": 100.0} if N >= 100_000 else {},
        quality,
    )  # fmt: skip


def lasso(quick: bool) -> Iterator[Task]:
    """One λ, a tenth of the smallest that leaves w = 0; quality: duality gap / loss."""
    sizes = [(200, 10), (1_000, 20), (10_000, 20), (200, 2_000), (100_000, 20), (100_000, 100)]
    yield from (one_lam_task(N, d, 1.0) for N, d in sizes[: 4 if quick else None])


def elastic_net(quick: bool) -> Iterator[Task]:
    """The same with half of the penalty squared."""
    sizes = [(200, 10), (1_000, 20), (10_000, 20), (200, 2_000), (100_000, 20), (100_000, 100)]
    yield from (one_lam_task(N, d, 0.5) for N, d in sizes[: 4 if quick else None])


def one_lam_task(N, d, rho) -> Task:
    X, y = sparse_problem(N, d)
    lam = 0.1 * reg.smallest_zero_lam(X, y, rho)
    alpha = lam / (2 * N)  # scikit-learn's loss is ours / 2N
    ElasticNet, LassoLars = sklearn("linear_model", "ElasticNet"), sklearn("linear_model", "LassoLars")
    peers = {
        "coordinates": (
            ElasticNet, lambda E: E(alpha=alpha, l1_ratio=rho, fit_intercept=False, max_iter=10**5).fit(X, y).coef_),
        "coordinates 1e-10": (
            ElasticNet,
            lambda E: E(alpha=alpha, l1_ratio=rho, fit_intercept=False, tol=1e-10, max_iter=10**5).fit(X, y).coef_),
    }  # fmt: skip
    if rho == 1:
        peers["LassoLars"] = (LassoLars, lambda L: L(alpha=alpha, fit_intercept=False).fit(X, y).coef_)
    goal = (1 / 0.35 if rho == 1 else 1 / 0.3) if N * d < MID else 1 / 0.6 if N >= 100_000 else None
    return Task(
        "lasso" if rho == 1 else "elastic net", f"{N} x {d}", N,
        lambda: reg.elastic_net(X, y, lam, rho).w,
        available(peers),
        {} if goal is None else {"coordinates": round(goal, 1)},
        lambda w: f"gap {reg.duality_gap(w, X, y, lam, rho) / reg.loss(w, X, y, lam, rho):.0e}, {np.sum(w != 0)} used",
    )  # fmt: skip


def lasso_path(quick: bool) -> Iterator[Task]:
    """Ours and lars_path give the knots down to λ = 0, coordinate descent 100 values of λ down to a hundredth.

    Quality: the largest duality gap / loss on these 100, read off the knots where there are knots.
    """
    sizes = [(200, 10), (1_000, 20), (200, 2_000), (10_000, 20), (100_000, 20), (100_000, 100)]
    yield from (path_task(N, d) for N, d in sizes[: 3 if quick else None])


def path_task(N, d) -> Task:
    X, y = sparse_problem(N, d)
    lams = reg.smallest_zero_lam(X, y) * np.geomspace(1, 1e-2, 100)
    coordinates, lars = sklearn("linear_model", "lasso_path"), sklearn("linear_model", "lars_path")

    def by_coordinates(lasso_path, tol):
        return lasso_path(X, y, alphas=lams / (2 * N), tol=tol, max_iter=10**5)[1].T

    def by_lars(lars_path):
        alphas, _, W = lars_path(X, y, method="lasso")
        return reg.Path(2 * N * alphas, W.T, np.zeros(len(alphas)))

    return Task(
        "lasso path", f"{N} x {d}", N,
        lambda: reg.lasso_path(X, y),
        available({
            "lasso_path": (coordinates, lambda f: by_coordinates(f, 1e-4)),
            "lasso_path 1e-8": (coordinates, lambda f: by_coordinates(f, 1e-8)),
            "lars_path": (lars, by_lars),
        }),
        {"lasso_path 1e-8": 5.0} if d > N else {"lasso_path": 10.0 if N == 200 else 1.7},
        lambda found: worst_gap(found, X, y, lams, 1.0),
    )  # fmt: skip


def elastic_net_path(quick: bool) -> Iterator[Task]:
    """100 values of λ, half of the penalty squared; quality: the largest duality gap / loss."""
    sizes = [(200, 10), (1_000, 20), (10_000, 20), (100_000, 20), (100_000, 100)]
    yield from (elastic_net_path_task(N, d) for N, d in sizes[: 2 if quick else None])


def elastic_net_path_task(N, d) -> Task:
    X, y = sparse_problem(N, d)
    lams = reg.smallest_zero_lam(X, y, 0.5) * np.geomspace(1, 1e-2, 100)
    enet_path = sklearn("linear_model", "enet_path")
    return Task(
        "elastic net path", f"{N} x {d}", N,
        lambda: reg.elastic_net_path(X, y, lams, 0.5),
        available({"enet_path": (enet_path, lambda f: f(X, y, l1_ratio=0.5, alphas=lams / (2 * N))[1].T)}),
        {"enet_path": 2.0 if N == 200 else 1.7},
        lambda W: worst_gap(W, X, y, lams, 0.5),
    )  # fmt: skip


def logistic(quick: bool) -> Iterator[Task]:
    """No penalty, which statsmodels does not know; quality: max |gradient| / N, for all of them as small as EQUAL."""
    sizes = [*ALL_SIZES, (100_000, 100), (20_000, 320)]
    yield from (logistic_task(N, d) for N, d in sizes[: 3 if quick else None])


def logistic_task(N, d) -> Task:
    X, eta, rng = scores(N, d)
    t = (rng.random(N) < glm.mean(eta, glm.bernoulli)).astype(float)
    LogisticRegression, Logit = sklearn("linear_model", "LogisticRegression"), statsmodels("api", "Logit")
    peers = {solver: (LogisticRegression, maximum_likelihood(X, t, solver)) for solver in ("lbfgs", "newton-cholesky")}
    if N * d <= 2_000_000:
        peers["Logit"] = (Logit, lambda L, tol: L(t, X).fit(disp=0, tol=tol).params)
    goals = {"newton-cholesky": 5.0, "Logit": 2.5 if N == 150 else 10.0}
    goals |= {"lbfgs": {4: 5.0, 20: 2.5, 50: 2.0, 100: 1.4}[d]} if N in (150, 100_000) else {}
    return likelihood_task(
        "logistic", X, lambda: logr.fit(X, t).w, peers, goals, lambda w: logr.gradient(w.ravel(), X, t)
    )


def softmax(quick: bool) -> Iterator[Task]:
    """The same for K classes."""
    sizes = [(150, 4, 3), (500, 10, 5), (10_000, 20, 3), (100_000, 20, 3), (100_000, 20, 10), (100_000, 50, 10)]
    yield from (softmax_task(N, d, K) for N, d, K in sizes[: 3 if quick else None])


def softmax_task(N, d, K) -> Task:
    X, t, T = classes(N, d, K)
    LogisticRegression, MNLogit = sklearn("linear_model", "LogisticRegression"), statsmodels("api", "MNLogit")
    solvers = ["lbfgs"] + ["newton-cholesky"] * (N * d * K <= 6_000_000)
    peers = {solver: (LogisticRegression, maximum_likelihood(X, t, solver)) for solver in solvers}
    if N <= 1_000:  # its class 0 has the score 0
        peers["MNLogit"] = (
            MNLogit, lambda M, tol: np.insert(np.asarray(M(t, X).fit(disp=0, tol=tol).params), 0, 0, axis=1).T
        )  # fmt: skip
    goals = {"lbfgs": 1.7 if N == 500 else 2.5} | ({"newton-cholesky": 6.7} if N > 1_000 else {})
    return likelihood_task(
        "softmax", X, lambda: smr.fit(X, T).W.T, peers, goals, lambda W: smr.gradient(W.T, X, T), f", K = {K}"
    )


def poisson(quick: bool) -> Iterator[Task]:
    """The same for counts."""
    sizes = [*ALL_SIZES, (100_000, 100)]
    yield from (poisson_task(N, d) for N, d in sizes[: 3 if quick else None])


def poisson_task(N, d) -> Task:
    X, eta, rng = scores(N, d)
    y = rng.poisson(glm.mean(eta, glm.poisson)).astype(float)

    def by(solver):
        return lambda P, tol: P(alpha=0.0, solver=solver, tol=tol, max_iter=1000, fit_intercept=False).fit(X, y).coef_

    def by_irls(GLM, tol):
        return GLM(y, X, family=statsmodels("genmod.families", "Poisson")()).fit(tol=tol).params

    PoissonRegressor, GLM = sklearn("linear_model", "PoissonRegressor"), statsmodels("api", "GLM")
    peers = {solver: (PoissonRegressor, by(solver)) for solver in ("lbfgs", "newton-cholesky")}
    if N * d <= 2_000_000:
        peers["GLM"] = (GLM, by_irls)
    goals = {"lbfgs": {4: 4.0, 20: 1.7, 50: 1.25, 100: 0.8}[d]} if N in (150, 100_000) else {}
    return likelihood_task(
        "poisson", X, lambda: glm.fit(X, y, glm.poisson).w, peers, goals,
        lambda w: glm.gradient(w, X, y, glm.poisson),
    )  # fmt: skip


def maximum_likelihood(X, t, solver):
    def run(LogisticRegression, tol):
        model = LogisticRegression(C=np.inf, solver=solver, tol=tol, max_iter=10_000, fit_intercept=False)
        return model.fit(X, t).coef_

    return run


def likelihood_task(name, X, ours, peers, goals, gradient, classes="") -> Task:
    """Each peer is given the loosest tolerance with which its gradient is as small as EQUAL, or as ours."""

    def quality(w):
        return np.abs(gradient(w)).max() / len(X)

    target = max(quality(ours()), EQUAL)
    return Task(
        name, f"{len(X)} x {X.shape[1]}{classes}", len(X), ours,
        {peer: loosest(run, lambda w: quality(w) <= target) for peer, run in available(peers).items()},
        goals, lambda w: f"{quality(w):.0e}",
    )  # fmt: skip


def loosest(run, good):
    """run(tol=...) of the largest tol 1e-4, 1e-5 ... 1e-12 whose result is good; of the smallest, if none is."""
    with warnings.catch_warnings():  # where a peer cannot reach it and says so, the table shows it
        warnings.simplefilter("ignore")
        tol = next((tol for tol in TOLERANCES if good(run(tol=tol))), TOLERANCES[-1])
    return partial(quiet, run, tol=tol)


def quiet(run, *args, **options):
    """run(...), without the warning of a peer that it does not converge: its quality says it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run(*args, **options)


def least_squares_classifier(quick: bool) -> Iterator[Task]:
    """One-hot classes regressed on x and 1, no penalty; quality: the largest |gradient| beside that at W = 0."""
    sizes = [(150, 4, 3), (1_000, 20, 3), (10_000, 20, 3), (100_000, 20, 3), (100_000, 50, 10)]
    yield from (least_squares_classifier_task(N, d, K) for N, d, K in sizes[: 3 if quick else None])


def least_squares_classifier_task(N, d, K) -> Task:
    X, t, T = classes(N, d, K)
    A = design.augment(X)

    def by_ridge(RidgeClassifier):
        model = RidgeClassifier(alpha=1e-12).fit(X, t)  # its classes are -1 and +1
        W = np.vstack([model.coef_.T, model.intercept_]) / 2
        W[-1] += 0.5
        return W

    return Task(
        "LS classifier", f"{N} x {d}, K = {K}", N,
        lambda: lsc.fit(design.augment(X), T),
        available({"RidgeClassifier": (sklearn("linear_model", "RidgeClassifier"), by_ridge)})
        | {"np.linalg.lstsq": lambda: np.linalg.lstsq(design.augment(X), T)[0]},
        {"RidgeClassifier": 10.0 if N == 150 else 2.5},
        lambda W: f"{np.abs(A.T @ (A @ W - T)).max() / np.abs(A.T @ T).max():.0e}",
    )  # fmt: skip


def fisher_discriminant(quick: bool) -> Iterator[Task]:
    """All K - 1 directions. scikit-learn gives them as part of a fit that goes on to the coefficients of a rule."""
    sizes = [(150, 4, 3), (1_000, 20, 5), (10_000, 20, 5), (100_000, 20, 5), (100_000, 50, 10), (100_000, 100, 10)]
    yield from (fisher_task(N, d, K) for N, d, K in sizes[: 3 if quick else None])


def fisher_task(N, d, K) -> Task:
    """Quality: the largest part of a column of S_b W that is not S_w W Λ, Λ the Rayleigh quotients of the columns."""
    X, t, _ = classes(N, d, K)
    S_w, S_b = lda.scatter_within(X, t), lda.scatter_between(X, t)
    LDA = sklearn("discriminant_analysis", "LinearDiscriminantAnalysis")

    def by(solver):
        return lambda L: L(solver=solver).fit(X, t).scalings_[:, : K - 1]

    def quality(W):
        ratios = np.sum(W * (S_b @ W), axis=0) / np.sum(W * (S_w @ W), axis=0)
        left = np.linalg.norm(S_b @ W - S_w @ W * ratios, axis=0) / np.linalg.norm(S_b @ W, axis=0)
        return f"{left.max():.0e}"

    return Task(
        "lda", f"{N} x {d}, K = {K}", N,
        lambda: lda.directions(X, t)[0],
        available({solver: (LDA, by(solver)) for solver in ("eigen", "svd")}),
        {"eigen": 10.0, "svd": 10.0} if N == 150 else {"eigen": 3.3, "svd": 10.0} if N >= 100_000 and d > 20 else {},
        quality,
    )  # fmt: skip


def bernoulli_and_categories(quick: bool) -> Iterator[Task]:
    """Naive Bayes, fit and prediction, of bits and of ten values per feature.

    BernoulliNB compares every number with a threshold, unless told to take the bits as they are, which it does
    unseen.
    """
    bits = [(150, 10, 2), (1_000, 100, 2), (10_000, 100, 2), (100_000, 100, 2), (100_000, 100, 10)]
    values = [(150, 4, 3), (1_000, 50, 3), (10_000, 50, 3), (100_000, 50, 3), (100_000, 50, 10)]
    for task, sizes in [
        (bits_fit_task, bits), (bits_predict_task, bits), (values_fit_task, values), (values_predict_task, values)
    ]:  # fmt: skip
        yield from (task(N, d, K) for N, d, K in sizes[: 3 if quick else None])


def bits_fit_task(N, d, K) -> Task:
    X, t = categories(N, d, K, 2)
    X = X.astype(float)
    BernoulliNB = sklearn("naive_bayes", "BernoulliNB")
    return Task(
        "bits fit", f"{N} x {d}, K = {K}", N,
        lambda: np.log(naive_bayes.fit(X, t).mu),
        available({
            "BernoulliNB": (BernoulliNB, lambda B: B().fit(X, t).feature_log_prob_),
            "BernoulliNB as is": (BernoulliNB, lambda B: B(binarize=None).fit(X, t).feature_log_prob_),
        }),
        {"BernoulliNB": 33.0, "BernoulliNB as is": 33.0} if N == 150 else
        {"BernoulliNB": 8.3, "BernoulliNB as is": 2.0} if N == 100_000 else {},
        lambda log_mu: unlike_counts(log_mu[:, :, None], X, t, [1], 2),
    )  # fmt: skip


def bits_predict_task(N, d, K) -> Task:
    X, t = categories(N, d, K, 2)
    X, model = X.astype(float), naive_bayes.fit(X, t)
    BernoulliNB = sklearn("naive_bayes", "BernoulliNB")
    return Task(
        "bits predict", f"{N} x {d}, K = {K}", N,
        lambda: naive_bayes.predict(model, X),
        available({
            "BernoulliNB": (BernoulliNB and BernoulliNB().fit(X, t), lambda fitted: fitted.predict(X)),
            "BernoulliNB as is": (
                BernoulliNB and BernoulliNB(binarize=None).fit(X, t), lambda fitted: fitted.predict(X)),
        }),
        {"BernoulliNB": 5.0} if N == 100_000 else {},
        lambda found: f"{np.sum(found != t)} wrong",
    )  # fmt: skip


def values_fit_task(N, d, K, M=10) -> Task:
    X, t = categories(N, d, K, M)
    CategoricalNB = sklearn("naive_bayes", "CategoricalNB")

    def peer(C):
        return np.stack(C(min_categories=M).fit(X, t).feature_log_prob_, axis=1)

    return Task(
        "values fit", f"{N} x {d}, K = {K}", N,
        lambda: np.log(naive_bayes.fit(X, t, n_values=M).theta),
        available({"CategoricalNB": (CategoricalNB, peer)}),
        {"CategoricalNB": 50.0 if N == 150 else 6.7 if K == 3 else 12.5} if N in (150, 100_000) else {},
        lambda log_theta: unlike_counts(log_theta, X, t, range(M), M),
    )  # fmt: skip


def values_predict_task(N, d, K, M=10) -> Task:
    X, t = categories(N, d, K, M)
    model, CategoricalNB = naive_bayes.fit(X, t, n_values=M), sklearn("naive_bayes", "CategoricalNB")
    fitted = CategoricalNB and CategoricalNB(min_categories=M).fit(X, t)
    return Task(
        "values predict", f"{N} x {d}, K = {K}", N,
        lambda: naive_bayes.predict(model, X),
        available({"CategoricalNB": (fitted, lambda fitted: fitted.predict(X))}),
        {"CategoricalNB": 2.0} if N == 100_000 else {},
        lambda found: f"{np.sum(found != t)} wrong",
    )  # fmt: skip


def support_vector_machines(quick: bool) -> Iterator[Task]:
    """The linear machine, soft and hard, and the Gaussian one, its kernel matrix included.

    Quality: by how much the value of the primal problem exceeds that of the dual one at our α, below which nobody gets.
    libsvm also runs with a tol that brings it nearer. LinearSVC cannot come near: it penalises b too, and stops after
    1000 rounds unless told otherwise.
    """
    soft = [(150, 2, 1.0), (500, 10, 1.0), (2_000, 20, 1.0), (5_000, 20, 1.0), (100_000, 20, 1.0), (100_000, 50, 0.1)]
    hard = [(100, 2), (500, 10), (20_000, 10), (100_000, 20)]
    curved = [(150, 2, 1.0), (500, 2, 10.0), (2_000, 2, 10.0), (1_000, 10, 1.0), (2_000, 10, 1.0)]
    for apart in (2, 4):
        yield from (soft_margin_task(N, d, C, apart) for N, d, C in soft[: 3 if quick else None])
    yield from (hard_margin_task(N, d) for N, d in hard[: 2 if quick else None])
    yield from (gaussian_machine_task(N, d, C) for N, d, C in curved[: 2 if quick else None])


def soft_margin_task(N, d, C, apart) -> Task:
    X, y = two_clusters(N, d, apart)
    alpha = svm.fit(X, y, C).alpha
    least = np.sum(alpha) - np.sum(svm.primal(alpha, y, X) ** 2) / 2
    peers = libsvm(lambda S, tol: hyperplane(S(kernel="linear", C=C, tol=tol).fit(X, y))) if N <= 5_000 else {}
    if N >= 5_000:
        peers["LinearSVC"] = (sklearn("svm", "LinearSVC"), lambda L: hyperplane(quiet(L(loss="hinge", C=C).fit, X, y)))
    goals = {150: {"SVC": 1.0}, 500: {"SVC": 1.1}, 2_000: {"SVC": 5.0}, 5_000: {"LinearSVC": 5.0}}
    return Task(
        "soft margin", f"{N} x {d}, C = {C:g}, apart = {apart}", N,
        lambda: hyperplane(svm.fit(X, y, C)),
        available(peers), goals.get(N, {"LinearSVC": 16.7 if d == 20 else 4.0}),
        lambda found: f"{svm.primal_objective(*found, X, y, C) / least - 1:.0e}",
    )  # fmt: skip


def hard_margin_task(N, d) -> Task:
    """Quality: the same of (w, b) scaled to the margin 1."""
    X, y, _, _ = datasets.separable(N, d, gap=0.1, rng=np.random.default_rng(7))
    alpha = svm.fit(X, y).alpha
    least = np.sum(alpha) - np.sum(svm.primal(alpha, y, X) ** 2) / 2
    return Task(
        "hard margin", f"{N} x {d}", N,
        lambda: hyperplane(svm.fit(X, y)),
        available(libsvm(lambda S, tol: hyperplane(S(kernel="linear", C=1e6, tol=tol).fit(X, y)), twice=N < MID)),
        {"SVC": {100: 1.25, 500: 0.9, 20_000: 2.5, 100_000: 4.0}[N]},
        lambda found: f"{np.sum(svm.canonical(*found, X, y)[0] ** 2) / 2 / least - 1:.0e}",
    )  # fmt: skip


def gaussian_machine_task(N, d, C) -> Task:
    X, y = two_clusters(N, d, 2)
    K = kernels.gram(bell(d), X)
    least = svm.dual_objective(svm.fit_dual(K, y, C).alpha, K, y)

    def ours():
        found = svm.fit_dual(kernels.gram(bell(d), X), y, C)
        return found.alpha, found.b

    def by_libsvm(SVC, tol):
        model, alpha = SVC(C=C, gamma=1 / d, tol=tol).fit(X, y), np.zeros(N)
        alpha[model.support_] = np.abs(model.dual_coef_[0])
        return alpha, model.intercept_[0]

    def quality(found):
        return f"{(svm.duality_gap(*found, K, y, C) + svm.dual_objective(found[0], K, y)) / least - 1:.0e}"

    goal = {150: 1 / 1.3, 500: 0.5, 1_000: 0.9, 2_000: 0.9 if d == 10 else 1 / 1.5}[N]
    return Task(
        "Gaussian SVM", f"{N} x {d}, C = {C:g}", N, ours, available(libsvm(by_libsvm)), {"SVC": round(goal, 2)}, quality
    )


def kernel_matrices(quick: bool) -> Iterator[Task]:
    """k(X, X), and f(z) = Σ_n c_n k(x_n, z); quality: the largest error on a hundred rows, beside the largest value."""
    sizes = [(150, 2), (500, 10), (2_000, 20), (5_000, 20)]
    yield from (gaussian_task(N, d) for N, d in sizes[: 3 if quick else None])
    for degree in (3, 2):
        yield from (polynomial_task(N, d, degree) for N, d in sizes[1 : 3 if quick else None])
    queries = [(10_000, 476, 10), (100_000, 476, 10), (100_000, 996, 20)]
    yield from (expansion_task(M, N, d) for M, N, d in queries[: 1 if quick else None])


def gaussian_task(N, d) -> Task:
    X = scores(N, d)[0]
    exact = squares_of_differences(X[:100], X)
    return Task(
        "Gaussian", f"{N} x {d}", N,
        lambda: kernels.gram(bell(d), X),
        available({"rbf_kernel": (sklearn("metrics.pairwise", "rbf_kernel"), lambda rbf: rbf(X, gamma=1 / d))}),
        {"rbf_kernel": {150: 3.3, 500: 2.0, 2_000: 1.25, 5_000: 1.8}[N]},
        lambda K: error(K[:100], np.exp(-exact / d)),
    )  # fmt: skip


def polynomial_task(N, d, degree) -> Task:
    X = scores(N, d)[0]
    exact = np.sum(X[:100, None] * X, axis=2) + 1
    polynomial_kernel = sklearn("metrics.pairwise", "polynomial_kernel")
    goals = {(500, 3): 16.7, (2_000, 3): 6.7, (5_000, 3): 6.7, (5_000, 2): 1.7}
    return Task(
        "polynomial", f"{N} x {d}, degree = {degree}", N,
        lambda: kernels.gram(partial(kernels.polynomial, degree=degree), X),
        available({"polynomial_kernel": (polynomial_kernel, lambda f: f(X, degree=degree, gamma=1.0))}),
        {"polynomial_kernel": goals[N, degree]} if (N, degree) in goals else {},
        lambda K: error(K[:100], exact**degree),
    )  # fmt: skip


def expansion_task(M, N, d) -> Task:
    """M queries, N centres; for SVC, half of them in either class, and so small a C that each α is C."""
    Z, (X, y) = scores(M, d)[0], two_clusters(N, d, 0)
    C = 1e-3
    exact = np.exp(-squares_of_differences(Z[:100], X) / d) @ (C * y)
    rbf_kernel, KernelRidge = sklearn("metrics.pairwise", "rbf_kernel"), sklearn("kernel_ridge", "KernelRidge")
    ridge, SVC = KernelRidge and KernelRidge(kernel="rbf", gamma=1 / d).fit(X, y), sklearn("svm", "SVC")
    if ridge is not None:
        ridge.dual_coef_ = C * y
    return Task(
        "expansion", f"{M} x {d}, centres = {N}", M,
        lambda: kernels.expansion(bell(d), Z, X, C * y),
        available({
            "rbf_kernel @ c": (rbf_kernel, lambda rbf: rbf(Z, X, gamma=1 / d) @ (C * y)),
            "KernelRidge": (ridge, lambda ridge: ridge.predict(Z)),
            "SVC": (SVC and SVC(C=C, gamma=1 / d).fit(X, y), lambda svc: svc.decision_function(Z) - svc.intercept_),
        }),
        {"rbf_kernel @ c": 4.0, "SVC": 10.0} if M == 100_000 else {},
        lambda f: error(f[:100], exact),
    )  # fmt: skip


def kernel_least_mean_squares(quick: bool) -> Iterator[Task]:
    """1000 updates of all β; quality: the error of Kβ beside (I - (I - ηK)^1000) y from the eigenvectors of K.

    The wider the Gaussian, the lower the rank of K up to rounding: σ = 2 about 110 at N = 2000, σ = 1 about 250.
    """
    for sigma in (2, 1):
        bell_shaped = partial(kernels.gaussian, sigma=sigma)
        sizes = [200, 500, 2_000][: 2 if quick else None]
        yield from (updates_task(f"Gaussian, σ = {sigma}", bell_shaped, N, 2) for N in sizes)
    yield from (updates_task("cubic_sum", kernels.cubic_sum, N, 3) for N in [200, 2_000][: 1 if quick else None])


def updates_task(kind, kernel, N, d) -> Task:
    X, score, _ = scores(N, d)
    K, y = kernels.gram(kernel, X), np.sin(2 * score)
    values, Q = np.linalg.eigh(K)
    eta = 1 / values[-1]
    exact = Q @ ((1 - (1 - eta * values) ** 1000) * (Q.T @ y))
    goals = {"Gaussian, σ = 2": {200: 1.0, 500: 5.0, 2_000: 50.0}, "cubic_sum": {2_000: 100.0}}
    return Task(
        "LMS", f"{N} x {d}, {kind}", N,
        lambda: kernel_lms.beta_after(K, y, eta, 1000),
        {"plain updates": lambda: plain_updates(K, y, eta, 1000)},
        {"plain updates": goals[kind][N]} if N in goals.get(kind, {}) else {},
        lambda beta: error(K @ beta, exact),
    )  # fmt: skip


TASKS: dict[str, Callable[[bool], Iterator[Task]]] = {
    "least_squares": least_squares,
    "ridge": ridge,
    "ridge_path": ridge_path,
    "lasso": lasso,
    "lasso_path": lasso_path,
    "elastic_net": elastic_net,
    "elastic_net_path": elastic_net_path,
    "logistic": logistic,
    "softmax": softmax,
    "poisson": poisson,
    "least_squares_classifier": least_squares_classifier,
    "lda": fisher_discriminant,
    "naive_bayes": bernoulli_and_categories,
    "perceptron": cyclic_perceptron,
    "svm": support_vector_machines,
    "kernel_lms": kernel_least_mean_squares,
    "kernels": kernel_matrices,
}


def sparse_problem(N, d):
    """Normal samples and a linear target of noise 1; three columns have a part in it, or ten where there are many."""
    rng = np.random.default_rng(3)
    X, w = rng.standard_normal((N, d)), np.zeros(d)
    used = 3 if d < 50 else 10
    w[:used] = rng.standard_normal(used)
    return X, X @ w + rng.standard_normal(N)


def scores(N, d):
    """Normal samples and η = w·x of variance 1, whatever d."""
    rng = np.random.default_rng(4)
    X, w = rng.standard_normal((N, d)), rng.standard_normal(d)
    return X, X @ (w / np.linalg.norm(w)), rng


def classes(N, d, K):
    """Normal samples, classes drawn with posteriors whose scores have variance 1, and these classes one-hot."""
    rng = np.random.default_rng(5)
    X, W = rng.standard_normal((N, d)), rng.standard_normal((d, K))
    P = special.softmax(X @ (W / np.linalg.norm(W, axis=0)))
    t = (P.cumsum(axis=1) < rng.random(N)[:, None]).sum(axis=1)
    return X, t, design.one_hot(t, K)


def categories(N, d, K, M):
    """d features of M values each, drawn from random conditionals of K classes, and the classes."""
    rng = np.random.default_rng(6)
    model = naive_bayes.Model(np.full(K, 1 / K), rng.dirichlet(np.full(M, 10.0), (K, d)), np.full(d, M))
    return naive_bayes.sample(model, N, rng=rng)


def unlike_counts(log_theta, X, t, values, M) -> str:
    """The largest relative error of e^log_theta (K, d, values) beside (n + 1)/(N_k + M), n counted class by class."""
    classes = [X[t == k] for k in range(t.max() + 1)]
    theta = [[(np.sum(B == v, axis=0) + 1) / (len(B) + M) for v in values] for B in classes]
    return f"{np.abs(np.exp(log_theta) / np.swapaxes(theta, 1, 2) - 1).max():.0e}"


def ridge_coef(Ridge, X, y, lam):
    return Ridge(alpha=lam, fit_intercept=False).fit(X, y).coef_


def best_ridge(RidgeCV, X, y, lams):
    """A path of one: the weights and their λ."""
    model = RidgeCV(alphas=lams, fit_intercept=False).fit(X, y)
    return [model.coef_], [model.alpha_]


def worst_gap(found, X, y, lams, rho) -> str:
    W = [reg.interpolate(found, lam) for lam in lams] if isinstance(found, reg.Path) else found
    pairs = list(zip(W, lams, strict=True))
    return f"gap {max(reg.duality_gap(w, X, y, lam, rho) / reg.loss(w, X, y, lam, rho) for w, lam in pairs):.0e}"


def plain_perceptron(X, y):
    """The algorithm as every textbook writes it; also counts its updates and passes."""
    w, b, n, passes, clean = np.zeros(X.shape[1]), 0.0, 0, 0, False
    while not clean:
        clean, passes = True, passes + 1
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i + b) <= 0:
                w, b, n, clean = w + y_i * x_i, b + y_i, n + 1, False
    return w, b, n, passes


def sklearn_perceptron(Perceptron, X, y, epochs):
    """In the given order, for as many passes as the plain loop takes, which it then follows update by update."""
    model = Perceptron(shuffle=False, tol=None, max_iter=epochs).fit(X, y)
    return model.coef_[0], model.intercept_[0], None


def errors(found, X, y) -> str:
    w, b, n = (found.w, found.b, found.n_iter) if hasattr(found, "n_iter") else found[:3]
    wrong = int(perceptron.misclassified(w, b, X, y).sum())
    return f"{wrong} wrong, |w| = {np.linalg.norm(w):.6g}" + ("" if n is None else f", {n} updates")


def gapped(N, d, gap):
    """N normal samples none of which is nearer than gap to a plane, and the sides they lie on."""
    rng = np.random.default_rng(2)
    w = rng.standard_normal(d)
    w /= np.linalg.norm(w)
    X = rng.standard_normal((2 * N, d))
    f = X @ w + 0.3
    near = np.abs(f) < gap
    return X[~near][:N], np.sign(f[~near][:N])


def two_clusters(N, d, apart):
    """N/2 normal samples of variance 1 around either of two points so far apart, in any order, and their signs."""
    rng = np.random.default_rng(7)
    w = rng.standard_normal(d)
    w *= apart / 2 / np.linalg.norm(w)
    X, t = datasets.clusters([-w, w], N // 2, rng=rng)
    order = rng.permutation(len(t))
    return X[order], design.signs(t[order])


def bell(d):
    """The Gaussian kernel with 2σ² = d, about as wide as scikit-learn's own choice for features of variance 1."""
    return partial(kernels.gaussian, sigma=np.sqrt(d / 2))


def squares_of_differences(Z, X):
    return np.sum((Z[:, None] - X) ** 2, axis=2)


def error(found, exact) -> str:
    return f"{np.abs(found - exact).max() / np.abs(exact).max():.0e}"


def plain_updates(K, y, eta, steps):
    """The update as the notes print it."""
    beta = np.zeros(len(y))
    for _ in range(steps):
        beta += eta * (y - K @ beta)
    return beta


def libsvm(run, twice=True) -> dict[str, tuple[Any, Callable[[Any], Any]]]:
    """SVC as it is, and more accurate, unless that takes too long."""
    SVC = sklearn("svm", "SVC")
    more = {"SVC 1e-6": (SVC, partial(run, tol=1e-6))} if twice else {}
    return {"SVC": (SVC, partial(run, tol=1e-3)), **more}


def hyperplane(model):
    """(w, b) of ours, or of scikit-learn's."""
    return (model.w, model.b) if hasattr(model, "w") else (model.coef_[0], model.intercept_[0])


def both(model):
    return np.append(model.coef_, model.intercept_)


def available(peers: dict[str, tuple[Any, Callable[[Any], Any]]]) -> dict[str, Callable[[], Any]]:
    """Of {name: (what the peer is called by, what to do with it)} those that are installed."""
    return {name: partial(run, found) for name, (found, run) in peers.items() if found is not None}


def sklearn(module: str, name: str) -> Any:
    """A class or function of scikit-learn, or None where it is not installed (the table says so)."""
    return imported(f"sklearn.{module}", name)


def statsmodels(module: str, name: str) -> Any:
    """The same of statsmodels."""
    return imported(f"statsmodels.{module}", name)


def imported(module: str, name: str) -> Any:
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError:
        return None

"""Chapters 06, 07 and 08: least squares on classes, Fisher's discriminant, naive Bayes."""

import numpy as np

from linmodels import design, lda, naive_bayes
from linmodels import least_squares_classifier as lsc

from .lines import Line
from .peers import available, sklearn
from .problems import categories, classes
from .race import Measure, Task


def least_squares_classifier(N, d, K) -> Task:
    """One-hot classes regressed on x and 1, no penalty."""
    X, t, T = classes(N, d, K)
    A = design.augment(X)
    at_zero = np.abs(A.T @ T).max()

    def by_ridge(RidgeClassifier):
        model = RidgeClassifier(alpha=1e-12).fit(X, t)  # its classes are -1 and +1
        W = np.vstack([model.coef_.T, model.intercept_]) / 2
        W[-1] += 0.5
        return W

    return Task(
        f"{N} x {d}, K = {K}", N, (X, T),
        Measure("|gradient| / that at 0", lambda W: np.abs(A.T @ (A @ W - T)).max() / at_zero, 1e-10),
        lambda: lsc.fit(design.augment(X), T),
        available({"RidgeClassifier": (sklearn("linear_model", "RidgeClassifier"), by_ridge)}),
    )  # fmt: skip


def fisher(N, d, K) -> Task:
    """All K - 1 directions. scikit-learn gives them as part of a fit that goes on to the coefficients of a rule.

    Judged by the largest part of a column of S_b W that is not S_w W Λ, Λ the Rayleigh quotients of the columns.
    """
    X, t, _ = classes(N, d, K)
    S_w, S_b = lda.scatter_within(X, t), lda.scatter_between(X, t)
    LDA = sklearn("discriminant_analysis", "LinearDiscriminantAnalysis")

    def by(solver):
        return LDA, lambda L: L(solver=solver).fit(X, t).scalings_[:, : K - 1]

    def left(W):
        ratios = np.sum(W * (S_b @ W), axis=0) / np.sum(W * (S_w @ W), axis=0)
        return np.max(np.linalg.norm(S_b @ W - S_w @ W * ratios, axis=0) / np.linalg.norm(S_b @ W, axis=0))

    return Task(
        f"{N} x {d}, K = {K}", N, (X, t), Measure("|S_b W - S_w W Λ| / |S_b W|", left, 1e-8),
        lambda: lda.directions(X, t)[0],
        available({f"LDA {solver}": by(solver) for solver in ("eigen", "svd")}),
    )  # fmt: skip


def bits_fit(N, d, K) -> Task:
    """BernoulliNB compares every number with a threshold, unless told to take the bits as they are ("as is")."""
    X, t = categories(N, d, K, 2)
    X, BernoulliNB = X.astype(float), sklearn("naive_bayes", "BernoulliNB")
    return Task(
        f"{N} x {d}, K = {K}", N, (X, t), counted(lambda log_mu: log_mu[:, :, None], X, t, [1], 2),
        lambda: np.log(naive_bayes.fit(X, t).mu),
        available({
            "BernoulliNB": (BernoulliNB, lambda B: B().fit(X, t).feature_log_prob_),
            "BernoulliNB as is": (BernoulliNB, lambda B: B(binarize=None).fit(X, t).feature_log_prob_),
        }),
    )  # fmt: skip


def bits_predict(N, d, K) -> Task:
    X, t = categories(N, d, K, 2)
    X, model, BernoulliNB = X.astype(float), naive_bayes.fit(X, t), sklearn("naive_bayes", "BernoulliNB")
    return Task(
        f"{N} x {d}, K = {K}", N, (X,), unlike(naive_bayes.log_joint(model, X)),
        lambda: naive_bayes.predict(model, X),
        available({
            "BernoulliNB": (BernoulliNB and BernoulliNB().fit(X, t), lambda fitted: fitted.predict(X)),
            "BernoulliNB as is": (
                BernoulliNB and BernoulliNB(binarize=None).fit(X, t), lambda fitted: fitted.predict(X)),
        }),
    )  # fmt: skip


def values_fit(N, d, K, M=10) -> Task:
    X, t = categories(N, d, K, M)

    def peer(C):
        return np.stack(C(min_categories=M).fit(X, t).feature_log_prob_, axis=1)

    return Task(
        f"{N} x {d}, K = {K}", N, (X, t), counted(lambda log_theta: log_theta, X, t, range(M), M),
        lambda: np.log(naive_bayes.fit(X, t, n_values=M).theta),
        available({"CategoricalNB": (sklearn("naive_bayes", "CategoricalNB"), peer)}),
    )  # fmt: skip


def values_predict(N, d, K, M=10) -> Task:
    X, t = categories(N, d, K, M)
    model, CategoricalNB = naive_bayes.fit(X, t, n_values=M), sklearn("naive_bayes", "CategoricalNB")
    fitted = CategoricalNB and CategoricalNB(min_categories=M).fit(X, t)
    return Task(
        f"{N} x {d}, K = {K}", N, (X,), unlike(naive_bayes.log_joint(model, X)),
        lambda: naive_bayes.predict(model, X),
        available({"CategoricalNB": (fitted, lambda fitted: fitted.predict(X))}),
    )  # fmt: skip


def counted(table, X, t, values, M) -> Measure:
    """The largest relative error of e^log_theta (K, d, values) beside (n + 1)/(N_k + M), n counted class by class."""
    classes = [X[t == k] for k in range(t.max() + 1)]
    theta = np.swapaxes([[(np.sum(B == v, axis=0) + 1) / (len(B) + M) for v in values] for B in classes], 1, 2)
    return Measure("relative error", lambda found: np.abs(np.exp(table(found)) / theta - 1).max(), 1e-10)


def unlike(log_joint) -> Measure:
    """The share of samples that are not given the class of the largest posterior."""
    exact = np.argmax(log_joint, axis=1)
    return Measure("share unlike", lambda found: np.mean(found != exact), 0.0)


LINES = [
    Line("06", "least-squares classes", least_squares_classifier,
         {(150, 4, 3): {"RidgeClassifier": 0.1}},
         {(100_000, 50, 10): {"RidgeClassifier": 0.4}},
         "RidgeClassifier", tuple((N, 20, 3) for N in (1_000, 10_000, 100_000, 300_000))),
    Line("07", "Fisher's LDA", fisher,
         {(150, 4, 3): {"LDA eigen": 0.1, "LDA svd": 0.1}},
         {(100_000, d, 10): {"LDA eigen": 0.3, "LDA svd": 0.1} for d in (50, 100)},
         "LDA eigen", tuple((N, 20, 5) for N in (1_000, 10_000, 100_000, 1_000_000))),
    Line("08", "Bayes, bits: fit", bits_fit,
         {(150, 10, 2): {"BernoulliNB as is": 0.03}},
         {(100_000, 100, K): {"BernoulliNB": 0.12, "BernoulliNB as is": 0.5} for K in (2, 10)},
         "BernoulliNB as is", tuple((N, 20, 2) for N in (1_000, 10_000, 100_000, 1_000_000))),
    Line("08", "Bayes, bits: predict", bits_predict,
         {(150, 10, 2): {}},
         {(100_000, 100, K): {"BernoulliNB": 0.2} for K in (2, 10)}),
    Line("08", "Bayes, values: fit", values_fit,
         {(150, 4, 3): {"CategoricalNB": 0.02}},
         {(100_000, 50, 3): {"CategoricalNB": 0.15}, (100_000, 50, 10): {"CategoricalNB": 0.08}},
         "CategoricalNB", tuple((N, 20, 3) for N in (1_000, 10_000, 100_000, 300_000))),
    Line("08", "Bayes, values: predict", values_predict,
         {(150, 4, 3): {}},
         {(100_000, 50, K): {"CategoricalNB": 0.5} for K in (3, 10)}),
]  # fmt: skip

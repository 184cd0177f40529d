"""Exercises of chapter 07, Fisher's discriminant (notes A 4). X comes without ones, class numbers are 0..K-1."""

from dataclasses import replace
from typing import Any

import numpy as np

from linmodels import lda

from .grading.checker import (
    Answer,
    Case,
    Construction,
    Exercise,
    Function,
    Known,
    Refused,
    Requirement,
    Result,
    Watched,
)

chapter = "07"


def _classes(rng, sizes, d):
    """X (N, d), N_k = sizes[k] samples of class k, each class with a scatter of its own; t (N,) in no order."""
    t = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    own = np.array([rng.normal(size=(d, d)) * rng.uniform(0.5, 2) for _ in sizes])
    Z = np.einsum("nij,nj->ni", own[t], rng.normal(size=(len(t), d)))
    return Z + 2 * rng.normal(size=(len(sizes), d))[t] + rng.uniform(1, 2, d), t


def _with_equal_means(rng, sizes, d):
    """The same with a first feature whose means are 0 in all classes, without rounding, but which the others follow.

    The column of S_w⁻¹S_b is 0 then, and np.linalg.eig gives its eigenvalue 0 first.
    """
    X, t = _classes(rng, sizes, d)
    for k, n in enumerate(sizes):
        X[t == k, 0] = rng.permutation(np.arange(n) - (n - 1) / 2)
    X[:, 1:] += np.outer(X[:, 0], rng.uniform(0.5, 1, d - 1))
    return X, t


def _mean(A):
    return A.mean(axis=0)


def _square(R):
    return R.T @ R


def _scatter(A):
    return _square(A - _mean(A))


def _within(X, t, *, classes=range, centre=_mean, product=_square, weigh=lambda S, n: S, finish=lambda S, X, t: S):
    parts = [X[t == k] for k in classes(t.max() + 1)]
    return finish(sum(weigh(product(A - centre(A)), len(A)) for A in parts), X, t)


_ALL_OF_S_W = {"classes": range, "centre": _mean, "weigh": lambda S, n: S}


def _alone(rest, mistakes):
    """Mistakes that use nothing of the rest, so that no other goes with them: its switches are set, to no effect."""
    return {text: {**rest, **switches} for text, switches in mistakes.items()}


def _sums_of_class_0(X, t):
    """Every sum over D_0, as the second is printed."""
    return sum(_square(X[t == 0] - m) for m in lda.means(X, t))


def _scatter_cases(rng):
    def one(label, sizes, d):
        return Case(label, _classes(rng, sizes, d), {"N": sum(sizes), "K": len(sizes)})

    return [
        one("three classes of unequal size", (5, 9, 4), 2),
        one("two classes", (6, 11), 3),
        one("four classes, one feature", (4, 7, 3, 5), 1),
    ]


within_scatter = Exercise(
    stars=1,
    notes="A 4.1.2, A 4.2, errata A28, A34",
    ask="The within-class scatter S_w = Σ_k Σ_{x in class k} (x - μ_k)(x - μ_k)ᵀ, μ_k the mean of the samples of "
    "class k: a sum over all samples, divided by nothing. X (N, d) holds a sample per row, t (N,) the class of each, "
    "whole numbers 0..K-1, all of which occur. Return S_w (d, d).",
    hints=(
        "X[t == k] are the samples of class k. With their x - μ_k as rows of R, Σ (x - μ_k)(x - μ_k)ᵀ is one product.",
        "RᵀR, summed over the classes; or once, with R = X - M[t], M (K, d) the means.",
    ),
    answer=lda.scatter_within,
    variant=_within,
    mistakes={
        "each class's scatter is divided by N_k: those are covariances; S_w adds the scatters themselves": {
            "weigh": lambda S, n: S / n
        },
        "each class's scatter is divided by N_k - 1, as np.cov does; S_w adds the scatters themselves": {
            "weigh": lambda S, n: S / (n - 1)
        },
        "each class's scatter is multiplied by N_k; it is a sum over the class's samples already": {
            "weigh": lambda S, n: S * n
        },
        "that is S_w/(N - K), the pooled covariance; S_w is divided by nothing": {
            "finish": lambda S, X, t: S / (len(t) - t.max() - 1)
        },
        "class 0 is left out: class numbers begin with 0": {"classes": lambda K: range(1, K)},
        "the last class is left out: range(K) ends with K - 1": {"classes": lambda K: range(K - 1)},
        "only the classes 0 and 1 are in it; there may be more": {"classes": lambda K: range(2)},
        "the means are missing: that is XᵀX; each sample must be less the mean of its class": {"centre": lambda A: 0.0},
        "A.mean() is one number for all features of a class; the mean of each feature is A.mean(axis=0)": {
            "centre": np.mean
        },
        "each sample is less the mean of its own features (axis 1); the mean of a class runs over its samples": {
            "centre": lambda A: A.mean(axis=1, keepdims=True)
        },
        "you took the medians of a class; μ_k is its mean": {"centre": lambda A: np.median(A, axis=0)},
        "beside the diagonal stands 0: (x - μ_k)(x - μ_k)ᵀ is an outer product, with all pairs of features": {
            "finish": lambda S, X, t: np.diag(np.diag(S))
        },
        "those are sums of squares of each feature, the diagonal of S_w; the pairs of features are missing": {
            "finish": lambda S, X, t: np.diag(S)
        },
        "that is a number, the trace of S_w: (x - μ_k)ᵀ(x - μ_k); the outer product (x - μ_k)(x - μ_k)ᵀ is a matrix": {
            "finish": lambda S, X, t: np.trace(S)
        },
        "each sample adds the number (x - μ_k)·(x - μ_k) to all entries: r @ r of a vector; np.outer(r, r) is wanted": {
            "finish": lambda S, X, t: np.full(S.shape, np.trace(S))
        },
        "all rows are the sums of squares of each feature, from r * r; np.outer(r, r) is wanted": {
            "finish": lambda S, X, t: np.tile(np.diag(S), (len(S), 1))
        },
        **_alone(
            _ALL_OF_S_W,
            {
                "the second sum runs over class 0, as note A prints it (erratum A28), and a third class is not in it": {
                    "finish": lambda S, X, t: _scatter(X[t == 0]) + _square(X[t == 0] - _mean(X[t == 1]))
                },
                "that is np.cov of all samples; S_w is divided by nothing, and each class has a mean of its own": {
                    "finish": lambda S, X, t: _scatter(X) / (len(X) - 1)
                },
                "all sums run over class 0, as note A prints it (erratum A28); that for μ_k runs over class k": {
                    "finish": lambda S, X, t: _sums_of_class_0(X, t)
                },
                "that is the total scatter S_t, all samples less the mean of all; each class has a mean of its own": {
                    "finish": lambda S, X, t: _scatter(X)
                },
                "each sample is less the mean of the class means; each class has a mean of its own": {
                    "finish": lambda S, X, t: _square(X - _mean(lda.means(X, t)))
                },
                "that is RRᵀ, (N, N), a row and a column per sample; with a sample per row it is RᵀR, (d, d)": {
                    "finish": lambda S, X, t: _square((X - lda.means(X, t)[t]).T)
                },
                "those are the K scatters of the classes, one after another; S_w is their sum": {
                    "finish": lambda S, X, t: np.array([_scatter(X[t == k]) for k in range(t.max() + 1)])
                },
                "the scatters are stacked on top of each other; S_w is their sum": {
                    "finish": lambda S, X, t: np.vstack([_scatter(X[t == k]) for k in range(t.max() + 1)])
                },
                "that is S_b, of the class means about the mean of all; S_w is of the samples about their class mean": {
                    "finish": lambda S, X, t: lda.scatter_between(X, t)
                },
                "that is S_b + 2S_w: the total scatter S_t was added to S_w, or S_w not subtracted from it": {
                    "finish": lambda S, X, t: lda.scatter_within(X, t) + _scatter(X)
                },
            },
        ),
    },
    stops={
        "boolean index": "t == k marks samples, which are the rows of X: X[t == k]",
        "broadcast": "A.mean(axis=0), (d,), is the mean of a class A; less it, the rows of R make RᵀR, (d, d)",
        "matmul": "samples are the rows of R: RᵀR is (d, d); with one sample r of shape (d,) it is np.outer(r, r)",
        "IndexError": "t holds the class of each row of X: X[t == k] are the samples of class k",
    },
    cases=_scatter_cases,
    factors={
        "1/N": "S_w is a sum, not a mean",
        "1/K": "the classes' scatters are added, not averaged",
        "2": "each sample counts once",
    },
    also_right=(
        lambda X, t: sum(_scatter(X[t == k]) for k in np.unique(t)),
        lambda X, t: sum(np.outer(x - m, x - m) for x, m in zip(X, lda.means(X, t)[t], strict=True)),
        lambda X, t: sum(
            np.cov(X[t == k].T, bias=True).reshape(2 * X.shape[1:]) * np.sum(t == k) for k in np.unique(t)
        ),
        lambda X, t: _scatter(X) - lda.scatter_between(X, t),  # S_w = S_t - S_b
        lambda X, t: X.T @ X - (lda.means(X, t).T * np.bincount(t)) @ lda.means(X, t),
    ),
)


def _counts(t):
    return np.bincount(t).astype(float)


def _mean_of_all(X, t):
    return _mean(X)


def _between(
    X,
    t,
    *,
    weights=_counts,
    centre=_mean_of_all,
    keep=lambda M: M,
    product=lambda M, n: (M.T * n) @ M,
    finish=lambda S, X, t: S,
):
    M = lda.means(X, t) - centre(X, t)
    return finish(product(keep(M), keep(weights(t))), X, t)


_ALL_OF_S_B = {"weights": _counts, "centre": _mean_of_all, "keep": lambda M: M}


def _all_pairs(X, t, weight=lambda n, m: 1.0):
    M, n = lda.means(X, t), np.bincount(t)
    pairs = [(k, l) for k in range(len(n)) for l in range(k)]
    return sum(weight(n[k], n[l]) * np.outer(M[k] - M[l], M[k] - M[l]) for k, l in pairs)


between_scatter = Exercise(
    stars=1,
    notes="A 4.2, erratum A36",
    ask="The between-class scatter of K classes, S_b = Σ_k N_k (μ_k - μ)(μ_k - μ)ᵀ: N_k is the number of samples of "
    "class k (m_i in the notes), μ_k their mean, and μ the mean of all N samples. X (N, d) holds a sample per row, "
    "t (N,) the class of each, whole numbers 0..K-1, all of which occur. Return S_b (d, d).",
    hints=(
        "np.bincount(t) counts the samples of each class. Is μ the mean of the means, if the classes differ in size?",
        "With the rows μ_k - μ in M (K, d): Mᵀ diag(N_0, ..., N_(K-1)) M, or S_t - S_w.",
    ),
    answer=lda.scatter_between,
    variant=_between,
    mistakes={
        "N_k is missing: each class counts as often as it has samples": {"weights": lambda t: np.ones(t.max() + 1)},
        "N_k is squared": {"weights": lambda t: _counts(t) ** 2},
        "N_k is rooted: √N_k (μ_k - μ) must stand on both sides, or N_k on one": {
            "weights": lambda t: np.sqrt(_counts(t))
        },
        "you divided by N_k; each class counts as often as it has samples, N_k times": {
            "weights": lambda t: 1 / _counts(t)
        },
        "N_k - 1 stands in place of N_k": {"weights": lambda t: _counts(t) - 1},
        "μ is the mean of all samples; the mean of the class means is another, where classes differ in size": {
            "centre": lambda X, t: _mean(lda.means(X, t))
        },
        "μ is missing: that is Σ N_k μ_k μ_kᵀ": {"centre": lambda X, t: 0.0},
        "X.mean() is one number for all features; μ has one for each, X.mean(axis=0)": {
            "centre": lambda X, t: X.mean()
        },
        "you took the medians of all samples; μ is their mean": {"centre": lambda X, t: np.median(X, axis=0)},
        "class 0 is left out: class numbers begin with 0": {"keep": lambda M: M[1:]},
        "the last class is left out: range(K) ends with K - 1": {"keep": lambda M: M[:-1]},
        "only the classes 0 and 1 are in it; there may be more": {"keep": lambda M: M[:2]},
        "beside the diagonal stands 0: (μ_k - μ)(μ_k - μ)ᵀ is an outer product, with all pairs of features": {
            "product": lambda M, n: np.diag(n @ M**2)
        },
        "those are sums of squares of each feature, the diagonal of S_b; the pairs of features are missing": {
            "product": lambda M, n: n @ M**2
        },
        "that is a number, the trace of S_b: (μ_k - μ)ᵀ(μ_k - μ); the outer product (μ_k - μ)(μ_k - μ)ᵀ is a matrix": {
            "product": lambda M, n: np.sum(n @ M**2)
        },
        "that is MMᵀ, (K, K), a row and a column per class; with a mean per row it is MᵀM, (d, d), weighted": {
            "product": lambda M, n: (np.sqrt(n)[:, None] * M) @ (np.sqrt(n)[:, None] * M).T
        },
        "those are the K terms one after another, (K, d, d); S_b is their sum": {
            "product": lambda M, n: n[:, None, None] * M[:, :, None] * M[:, None, :]
        },
        "each class adds the number (μ_k - μ)·(μ_k - μ) to all entries: r @ r of a vector; np.outer(r, r) is wanted": {
            "product": lambda M, n: np.full((M.shape[1], M.shape[1]), np.sum(n @ M**2))
        },
        "all rows are the sums of squares of each feature, from r * r; np.outer(r, r) is wanted": {
            "product": lambda M, n: np.tile(n @ M**2, (M.shape[1], 1))
        },
        **_alone(
            _ALL_OF_S_B,
            {
                "N_k is missing, and μ is the mean of the class means in place of that of all samples": {
                    "finish": lambda S, X, t: _scatter(lda.means(X, t))
                },
                "that is np.cov of the class means: N_k is missing, μ is the mean of all samples, no division": {
                    "finish": lambda S, X, t: _scatter(lda.means(X, t)) / t.max()
                },
                "that is (μ_0 - μ_1)(μ_0 - μ_1)ᵀ, the S_b of two classes (erratum A36); this is N_0 N_1/N times it": {
                    "finish": lambda S, X, t: _square(lda.means(X, t)[:1] - lda.means(X, t)[1:2])
                },
                "those are the differences of all pairs of classes, μ_k - μ_l, not those from the mean, μ_k - μ": {
                    "finish": lambda S, X, t: _all_pairs(X, t)
                },
                "those are N_k N_l times the differences of all pairs of classes, N S_b: to be divided by N": {
                    "finish": lambda S, X, t: _all_pairs(X, t, lambda n, m: n * m)
                },
                "that is S_w, of the samples about their class mean; S_b is of the class means about the mean of all": {
                    "finish": lambda S, X, t: lda.scatter_within(X, t)
                },
                "that is the total scatter S_t = S_w + S_b: S_w is to be subtracted": {
                    "finish": lambda S, X, t: _scatter(X)
                },
                "that is S_t + S_w = 2S_w + S_b: S_w is to be subtracted": {
                    "finish": lambda S, X, t: _scatter(X) + lda.scatter_within(X, t)
                },
                "that is the scatter of each class's samples about the mean of all, times N_k; it is of μ_k - μ": {
                    "finish": lambda S, X, t: (X - _mean(X)).T @ (_counts(t)[t][:, None] * (X - _mean(X)))
                },
            },
        ),
    },
    stops={
        "boolean index": "t == k marks samples, which are the rows of X: X[t == k]",
        "broadcast": "a column of weights, np.bincount(t)[:, None], belongs to the means, (K, d), a class per row",
        "matmul": "with a mean per row, MᵀM is (d, d); with one difference r of shape (d,) it is np.outer(r, r)",
        "IndexError": "t holds the class of each row of X: X[t == k] are the samples of class k",
    },
    cases=_scatter_cases,
    factors={"1/N": "N_k is a number of samples, not a share N_k/N", "1/K": "the K terms are added, not averaged"},
    also_right=(
        lambda X, t: _scatter(X) - lda.scatter_within(X, t),
        lambda X, t: (
            (lda.means(X, t).T * np.bincount(t)) @ (lda.means(X, t) - _mean(X))
        ),  # μ on one side: Σ N_k (μ_k - μ) is 0
        lambda X, t: _square(lda.means(X, t)[t] - _mean(X)),  # every sample replaced by the mean of its class
        lambda X, t: sum(np.sum(t == k) * np.outer(m - _mean(X), m - _mean(X)) for k, m in enumerate(lda.means(X, t))),
        lambda X, t: _all_pairs(X, t, lambda n, m: n * m / len(t)),
    ),
)


def _sum_of_scatters(A, B):
    return _scatter(A) + _scatter(B)


def _two_classes(rng):
    def one(label, sizes, d, classes=_classes):
        return Case(label, classes(rng, sizes, d), {"N": sum(sizes)})

    return [
        one("classes of unequal size", (9, 20), 2),
        one("a feature with equal means", (15, 8), 3, _with_equal_means),
        one("classes of equal size", (12, 12), 2),
        one("five features", (9, 14), 5),
    ]


def _sum_of_squares(a):
    return np.sum((a - a.mean()) ** 2)


def _quotient(
    w,
    X,
    t,
    *,
    above=lambda a, b: (a.mean() - b.mean()) ** 2,
    below=lambda a, b: _sum_of_squares(a) + _sum_of_squares(b),
    join=np.divide,
    finish=lambda J, w, X, t: J,
):
    a, b = X[t == 0] @ w, X[t == 1] @ w
    return finish(join(above(a, b), below(a, b)), w, X, t)


_ALL_OF_J = dict.fromkeys(("above", "below", "join"), lambda a, b: 0.0)


def _both(a, b):
    return np.append(a, b)


def _quotient_cases(rng):
    def one(case, side):
        """w·μ_0 > w·μ_1 for side 1, < for -1."""
        w = rng.normal(size=case.args[0].shape[1]) * rng.uniform(2, 3)
        w *= side * np.sign(w @ np.subtract(*lda.means(*case.args)))
        return Case(case.label, (w, *case.args), case.sizes)

    return [one(case, side) for case, side in zip(_two_classes(rng), (-1, 1, -1, 1), strict=True)]


rayleigh = Exercise(
    stars=1,
    notes="A 4.1.1, A 4.1.2, erratum A27",
    ask="Fisher's quotient J(w) = (w·μ_0 - w·μ_1)²/wᵀS_w w: the squared distance of the two class means along w, over "
    "the within-class scatter along w, S_w the sum of the scatters Σ(x - μ_k)(x - μ_k)ᵀ of both classes. w (d,) has "
    "any length, X (N, d) holds a sample per row, t (N,) the class of each, 0 or 1. Return a number.",
    hints=(
        "Project first: z = Xw is one number per sample. What are both parts of J for these numbers?",
        "(difference of the two means of z)² over the sum of all squared distances of z to the mean of its class.",
    ),
    answer=lda.rayleigh_quotient,
    variant=_quotient,
    mistakes={
        "the numerator is not squared": {"above": lambda a, b: a.mean() - b.mean()},
        "the numerator is |w·μ_0 - w·μ_1|; its square is wanted": {"above": lambda a, b: np.abs(a.mean() - b.mean())},
        "the sum of the projected means is squared; their difference is wanted": {
            "above": lambda a, b: (a.mean() + b.mean()) ** 2
        },
        "(w·μ_0)² - (w·μ_1)² is not (w·μ_0 - w·μ_1)²: check the brackets": {
            "above": lambda a, b: a.mean() ** 2 - b.mean() ** 2
        },
        "the numerator is wᵀS_b w with the S_b of K classes, Σ N_k (μ_k - μ)(μ_k - μ)ᵀ, N_0 N_1/N times this": {
            "above": lambda a, b: lda.scatter_between(_both(a, b)[:, None], np.repeat([0, 1], [len(a), len(b)]))[0, 0]
        },
        "covariances, divided by N_k, stand below (erratum A27); S_w is the sum of the scatters": {
            "below": lambda a, b: a.var() + b.var()
        },
        "covariances as np.cov has them, divided by N_k - 1, stand below; S_w is the sum of the scatters": {
            "below": lambda a, b: a.var(ddof=1) + b.var(ddof=1)
        },
        "S_w/(N - 2), the pooled covariance, stands below; S_w is divided by nothing": {
            "below": lambda a, b: (_sum_of_squares(a) + _sum_of_squares(b)) / (len(a) + len(b) - 2)
        },
        "standard deviations are added below; the scatters Σ(z - mean)² are wanted": {
            "below": lambda a, b: a.std() + b.std()
        },
        "the root of wᵀS_w w stands below; wᵀS_w w itself is wanted": {
            "below": lambda a, b: np.sqrt(_sum_of_squares(a) + _sum_of_squares(b))
        },
        "wᵀS_w w is squared": {"below": lambda a, b: (_sum_of_squares(a) + _sum_of_squares(b)) ** 2},
        "both sums of S_w run over class 0, as note A prints it (erratum A28); the second runs over class 1": {
            "below": lambda a, b: _sum_of_squares(a) + np.sum((a - b.mean()) ** 2)
        },
        "class 1 is left out of S_w": {"below": lambda a, b: _sum_of_squares(a)},
        "class 0 is left out of S_w": {"below": lambda a, b: _sum_of_squares(b)},
        "the scatter of class 1 is subtracted; S_w is the sum of both": {
            "below": lambda a, b: _sum_of_squares(a) - _sum_of_squares(b)
        },
        "the total scatter wᵀS_t w stands below: each sample must be less the mean of its own class": {
            "below": lambda a, b: _sum_of_squares(_both(a, b))
        },
        "below stands Σ(w·x)²: each sample must be less the mean of its class": {"below": lambda a, b: a @ a + b @ b},
        "upside down: the means' distance stands above, the scatter below": {"join": lambda n, d: d / n},
        "that is the root of J": {"join": lambda n, d: np.sqrt(n / d)},
        "that is the numerator alone": {"join": lambda n, d: n},
        "that is the denominator wᵀS_w w alone": {"join": lambda n, d: d},
        "that is a difference; J is a quotient": {"join": np.subtract},
        **_alone(
            _ALL_OF_J,
            {
                "the denominator is w·w: wᵀS_w w is wanted": {
                    "finish": lambda J, w, X, t: (w @ np.subtract(*lda.means(X, t))) ** 2 / (w @ w)
                },
                "S_w⁻¹ stands where w is S_w: that is (w·μ_0 - w·μ_1)²/wᵀS_w⁻¹w": {
                    "finish": lambda J, w, X, t: (
                        (w @ np.subtract(*lda.means(X, t))) ** 2 / (w @ np.linalg.solve(lda.scatter_within(X, t), w))
                    )
                },
                "only the diagonal of S_w is used: features belong together, the whole matrix counts": {
                    "finish": lambda J, w, X, t: (
                        (w @ np.subtract(*lda.means(X, t))) ** 2 / (w**2 @ np.diag(lda.scatter_within(X, t)))
                    )
                },
                "w is not in it: that is the distance of the means in all features, squared, over the trace of S_w": {
                    "finish": lambda J, w, X, t: (
                        np.sum(np.subtract(*lda.means(X, t)) ** 2) / np.trace(lda.scatter_within(X, t))
                    )
                },
                "that is the largest J of all w; the J of the given w is asked for": {
                    "finish": lambda J, w, X, t: np.subtract(*lda.means(X, t)) @ _fisher_direction(X, t)
                },
            },
        ),
    },
    stops={
        "boolean index": "t == k marks samples, which are the rows of X: X[t == k]",
        "broadcast": "A.mean(axis=0), (d,), is the mean of a class A; less it, the rows of R make RᵀR, (d, d)",
        "matmul": "w (d,) has an entry per feature: X @ w, (N,), are the projected samples",
        "IndexError": "t holds the class of each row of X: X[t == k] are the samples of class k",
    },
    cases=_quotient_cases,
    factors={"N": "S_w is a sum, not a mean", "1/N": "neither part is divided by N"},
    also_right=(
        lambda w, X, t: (w @ np.subtract(*lda.means(X, t))) ** 2 / (w @ lda.scatter_within(X, t) @ w),
        lambda w, X, t: w @ _all_pairs(X, t) @ w / (w @ _sum_of_scatters(X[t == 0], X[t == 1]) @ w),
        lambda w, X, t: lda.rayleigh_quotient(w / np.linalg.norm(w), X, t),
        lambda w, X, t: (X[t == 0] @ w).mean() ** 2 * 0 + lda.rayleigh_quotient(-w, X, t),
    ),
)


def _fisher_direction(X, t):
    mu_0, mu_1 = lda.means(X, t)
    return np.linalg.solve(lda.scatter_within(X, t), mu_0 - mu_1)


def _fisher(X, t, *, within=_sum_of_scatters, use=np.linalg.solve, difference=np.subtract):
    A, B = X[t == 0], X[t == 1]
    return use(within(A, B), difference(_mean(A), _mean(B)))


def _regression(columns, targets=lambda s: s):
    """Least squares on labels, which gives the direction where a column of ones is among the columns and w without it.

    In the place of S_w: of the samples A of class 0 and B of class 1.
    """

    def fitted(A, B):
        s = np.repeat([0.0, 1.0], [len(A), len(B)])
        return np.linalg.lstsq(columns(np.vstack([A, B])), targets(s), rcond=None)[0]

    return {"within": fitted, "use": lambda w, d: w}


def _ones(X):
    return np.column_stack([X, np.ones(len(X))])


def _eigenvector(at):
    """In the place of the solution: the eigenvector of the smallest (0) or largest (-1) eigenvalue."""
    return lambda S, d: np.linalg.eigh(S)[1][:, at]


def _inverse_root(S, d):
    sizes, V = np.linalg.eigh(S)
    return V @ (V.T @ d / np.sqrt(sizes))


class _Directions(Exercise):
    """What np.linalg.eig gives may be complex in type only, and may belong to the eigenvalue 0."""

    def _check(self, f: Function, seed: int) -> Result:
        def real(*args: Any) -> Any:
            out = f(*args)
            return out.real if isinstance(out, np.ndarray) and out.dtype.kind == "c" and not out.imag.any() else out

        return super()._check(real, seed)

    def _compared(self, known: Known, trials: list[Watched], found: list[Answer]) -> Result:
        result = super()._compared(known, trials, found)
        if result.text.startswith("wrong on "):
            for case, trial in zip(known.cases, trials, strict=True):
                answer = trial.calls[0].answer
                if answer and _blind(*answer, *case.args):
                    where = f"on '{case.label}' w·μ_k is the same for all classes"
                    return replace(result, text=f"{where}: S_b w = 0, so that λ = 0; the largest λ are wanted")
        return result


def _blind(W, X, t):
    """Is there a direction w != 0 in W (d,) or (d, m) along which all class means are one?"""
    lengths = np.linalg.norm(W, axis=0)
    seen = np.abs((lda.means(X, t) - _mean(X)) @ W).max(axis=0)
    return np.any((seen < 1e-10 * np.abs(X).max() * lengths) & (lengths > 0))  # not where W holds nan or inf


def _line(f, X, t):
    """w in length 1, its largest entry positive: all that counts of it."""
    w = f(X, t)[0]
    length = np.linalg.norm(w)
    return [w / (length * np.sign(w.flat[np.abs(w).argmax()])) if 0 < length < np.inf else w]


_S_W = {  # wrong S_w of two classes, which several exercises know
    "S_w adds covariances, each divided by N_k (erratum A27); it is the sum of the scatters": {
        "within": lambda A, B: _scatter(A) / len(A) + _scatter(B) / len(B)
    },
    "S_w adds covariances as np.cov has them, divided by N_k - 1; it is the sum of the scatters": {
        "within": lambda A, B: _scatter(A) / (len(A) - 1) + _scatter(B) / (len(B) - 1)
    },
    "the second sum of S_w runs over class 0 as note A prints it (erratum A28), or class 1 is left out of S_w": {
        "within": lambda A, B: _scatter(A)
    },
    "class 0 is left out of S_w, or both its sums run over class 1": {"within": lambda A, B: _scatter(B)},
    "S_w is Σ x xᵀ: each sample must be less the mean of its class": {"within": lambda A, B: _square(A) + _square(B)},
}

_STOPS = {
    "boolean index": "t == k marks samples, which are the rows of X: X[t == k]",
    "broadcast": "A.mean(axis=0), (d,), is the mean of a class A; less it, the rows of R make RᵀR, (d, d)",
    "LinAlgError": "S_b has rank 1, and RRᵀ, (N, N), no inverse either; S_w = RᵀR, (d, d), has one",
    "matmul": "samples are the rows of X: A.mean(axis=0) is (d,), and RᵀR (d, d)",
    "IndexError": "t holds the class of each row of X: X[t == k] are the samples of class k",
}

fisher_direction = _Directions(
    stars=2,
    notes="A 4.1.2, errata A27, A28",
    ask="Fisher's direction: the w (d,) for which J(w) = wᵀS_b w/wᵀS_w w is largest, S_b = (μ_0 - μ_1)(μ_0 - μ_1)ᵀ of "
    "the two class means, S_w the sum of the scatters Σ(x - μ_k)(x - μ_k)ᵀ of both classes. X (N, d) holds a sample "
    "per row, t (N,) the class of each, 0 or 1; S_w has an inverse. Any length and either sign of w are right.",
    hints=(
        "Whatever w is, S_b w points along μ_0 - μ_1. So where does S_w w point, if S_b w = λ S_w w?",
        "S_w w = μ_0 - μ_1, up to the length: np.linalg.solve, no inverse.",
    ),
    answer=_fisher_direction,
    variant=_fisher,
    mistakes={
        "S_w⁻¹ is missing, or S_b⁺ stands in its place: that is μ_0 - μ_1": {"use": lambda S, d: d},
        "you multiplied by S_w; S_w w = μ_0 - μ_1 is to be solved": {"use": np.matmul},
        **_S_W,
        "the scatters are weighted with N_k; S_w is their plain sum": {
            "within": lambda A, B: len(A) * _scatter(A) + len(B) * _scatter(B)
        },
        "the scatter of class 1 is subtracted; S_w is the sum of both": {
            "within": lambda A, B: _scatter(A) - _scatter(B)
        },
        "only the diagonal of S_w is used: features belong together, the whole matrix counts": {
            "use": lambda S, d: d / np.diag(S)
        },
        "1/S_w takes the reciprocal of each entry; the inverse of the matrix is wanted, np.linalg.solve": {
            "use": lambda S, d: (1 / S) @ d
        },
        "eigh takes the lower triangle for a symmetric matrix, but S_w⁻¹S_b is none: np.linalg.eig": {
            "use": lambda S, d: np.linalg.eigh(np.linalg.solve(S, np.outer(d, d)))[1][:, -1]
        },
        "the identity matrix is added to S_w, a penalty ‖w‖²": {
            "use": lambda S, d: np.linalg.solve(S + np.eye(len(S)), d)
        },
        "S_w⁻² stands in place of S_w⁻¹": {"use": lambda S, d: np.linalg.solve(S @ S, d)},
        "that is S_w^(-1/2)(μ_0 - μ_1), half of the way: the other half is S_w^(-1/2) once more": {
            "use": _inverse_root
        },
        "that is L⁻¹(μ_0 - μ_1) with S_w = LLᵀ, half of the way: w = L⁻ᵀL⁻¹(μ_0 - μ_1)": {
            "use": lambda S, d: np.linalg.solve(np.linalg.cholesky(S), d)
        },
        "the sum of the means stands in place of their difference": {"difference": np.add},
        "that is S_w⁻¹μ_0: the mean of class 1 is to be subtracted": {"difference": lambda m, n: m},
        "that is S_w⁻¹μ_1: the difference of the means is wanted": {"difference": lambda m, n: n},
        "that is S_w⁻¹(μ_0 - μ_1)², entry by entry; the difference itself is wanted": {
            "difference": lambda m, n: (m - n) ** 2
        },
        "that is the direction of the largest scatter of all samples (PCA), which asks for no class": {
            "within": lambda A, B: _scatter(np.vstack([A, B])),
            "use": _eigenvector(-1),
        },
        "wᵀS_w w alone is as small as can be: the distance of the means counts too": {"use": _eigenvector(0)},
        "wᵀS_w w alone is as large as can be: small it should be, and the distance of the means large": {
            "use": _eigenvector(-1)
        },
        "that is the regression of t on X without a column of ones; with one, its w has this direction": _regression(
            lambda X: X
        ),
        "that is the regression of ±1 on X without a column of ones; with one, its w has this direction": _regression(
            lambda X: X, lambda s: 1 - 2 * s
        ),
        "w has this direction, but the bias comes with it as a last entry; w (d,) alone is asked for": _regression(
            _ones
        ),
        "w has this direction, but the bias of ±1 comes with it as a last entry; w (d,) alone is asked for": (
            _regression(_ones, lambda s: 1 - 2 * s)
        ),
    },
    stops=_STOPS,
    cases=_two_classes,
    play=_line,
    judged=("w/‖w‖",),
    also_right=(
        lambda X, t: np.linalg.inv(_sum_of_scatters(X[t == 0], X[t == 1])) @ np.subtract(*lda.means(X, t)),
        lambda X, t: -3 * _fisher_direction(X, t),
        lambda X, t: 1e-6 * _fisher_direction(X, t),
        lambda X, t: np.linalg.solve(
            _scatter(X), lda.means(X, t)[0] - lda.means(X, t)[1]
        ),  # S_t has the same direction
        lambda X, t: np.linalg.solve(lda.scatter_within(X, t), _mean(X) - lda.means(X, t)[1]),
        lambda X, t: np.linalg.lstsq(_ones(X), t.astype(float), rcond=None)[0][:-1],  # and so has least squares
        lambda X, t: np.linalg.lstsq(X - _mean(X), np.where(t == 1, 7.0, -2.0), rcond=None)[0],
        lambda X, t: _leading(np.linalg.solve(lda.scatter_within(X, t), lda.scatter_between(X, t)), 1)[:, 0],
        lambda X, t: np.linalg.pinv(lda.scatter_within(X, t)) @ (lda.means(X, t)[1] - lda.means(X, t)[0]),
    ),
)


def _fisher_predict(X, t, X_new):
    w = lda.direction(X, t)
    return lda.predict(w, lda.means(X, t), X_new)


def _halfway(a, b):
    return (a.mean() + b.mean()) / 2


def _below(tau):
    """Class 1 below the threshold tau(a, b), a and b the projected samples of both classes."""
    return lambda z, a, b: z < tau(a, b)


def _prediction(
    X,
    t,
    X_new,
    *,
    within=_sum_of_scatters,
    use=np.linalg.solve,
    at=lambda X, X_new: X_new,
    decide=None,
    finish=lambda s: s,
):
    w, decide = _fisher(X, t, within=within, use=use), decide or _below(_halfway)
    return finish(np.asarray(decide(at(X, X_new) @ w, X[t == 0] @ w, X[t == 1] @ w), float))


def _prior_threshold(a, b):
    s2 = (_sum_of_squares(a) + _sum_of_squares(b)) / (len(a) + len(b))
    return (a.mean() + b.mean()) / 2 - s2 * np.log(len(a) / len(b)) / (a.mean() - b.mean())


def _in_own_deviations(z, a, b):
    return np.abs(z - a.mean()) / a.std() > np.abs(z - b.mean()) / b.std()


def _least_squares_threshold(a, b):
    """Where least squares of the labels on one feature gives 1/2."""
    slope, constant = np.polyfit(_both(a, b), np.repeat([0.0, 1.0], [len(a), len(b)]), 1)
    return (0.5 - constant) / slope


_THRESHOLDS = {
    "the threshold is 0; it is halfway between the projected means": lambda a, b: 0.0,
    "the threshold is the mean of all projected samples; it is halfway between the two means": (
        lambda a, b: _both(a, b).mean()
    ),
    "the threshold is the median of all projected samples; it is halfway between the two means": (
        lambda a, b: np.median(_both(a, b))
    ),
    "the threshold is halfway between the medians of both classes; it is halfway between their means": (
        lambda a, b: (np.median(a) + np.median(b)) / 2
    ),
    "the threshold w·μ_0 + w·μ_1 is not halved": lambda a, b: a.mean() + b.mean(),
    "the threshold is half of the difference w·μ_0 - w·μ_1; it is half of the sum": (
        lambda a, b: (a.mean() - b.mean()) / 2
    ),
    "the threshold is w·μ_0; it is halfway between both means": lambda a, b: a.mean(),
    "the threshold is w·μ_1; it is halfway between both means": lambda a, b: b.mean(),
    "the threshold takes the class sizes into account, as the Gaussian model does; here the nearer mean decides": (
        _prior_threshold
    ),
    "the output of least squares on the labels is compared with 1/2; that is no halfway for unequal classes": (
        _least_squares_threshold
    ),
}


def _boundaries(X, t):
    """The directions and thresholds of the right rule, which comes first, and of wrong ones."""
    for switches in ({}, *list(_S_W.values())[:2]):
        w = _fisher(X, t, **switches)
        yield w, _halfway(X[t == 0] @ w, X[t == 1] @ w)
    w = _fisher_direction(X, t)
    for threshold in _THRESHOLDS.values():
        yield w, threshold(X[t == 0] @ w, X[t == 1] @ w)


def _prediction_cases(rng):
    def one(case):
        """New samples close to each of the boundaries, on both sides, between every two, and elsewhere."""
        X, t = case.args
        (w, tau), *others = _boundaries(X, t)
        gap = np.subtract(*lda.means(X, t) @ w)
        along = lda.scatter_within(X, t) @ w / gap  # w·along = 1
        steps = np.outer([gap, -gap], [0.002, 0.02, 0.1, 0.3, 0.6, 1, 2, 4]).ravel()
        X_new = []
        for x in _mean(X) + 3 * rng.normal(size=(3, X.shape[1])) * X.std(axis=0):
            on = np.sort([(tau_v - v @ x) / (v @ along) for v, tau_v in ((w, tau), *others)])
            at = [(on[1:] + on[:-1]) / 2, on - 0.002 * gap, on + 0.002 * gap, tau - w @ x + steps]
            X_new += [x + s * along for s in np.concatenate(at)]
        X_new += [_mean(np.array(X_new)) + z * 0.002 * gap * along for z in (1, -1)]  # their mean stays about the same
        Z = rng.permutation(X_new)
        return Case(case.label, (X, t, Z[np.abs(Z @ w - tau) > 1e-4 * gap]))

    return [one(case) for case in _two_classes(rng)]


fisher_predict = Exercise(
    stars=2,
    notes="A 4, erratum A32",
    ask="Class numbers 0 or 1 for new samples: project on Fisher's direction w = S_w⁻¹(μ_0 - μ_1), S_w the sum of both "
    "classes' scatters, and take the class whose projected mean w·μ_k is nearer. X (N, d), t (N,) of 0 and 1 are the "
    "training samples and their classes, S_w has an inverse; X_new (M, d) are new samples, none equally near to both. "
    "Return (M,) of 0 and 1, which no multiple of w changes.",
    hints=(
        "Two numbers, w·μ_0 and w·μ_1, come from X and t; of each new sample only w·x counts.",
        "The threshold is (w·μ_0 + w·μ_1)/2. On which side class 1 lies depends on the sign of w: compare distances.",
    ),
    answer=_fisher_predict,
    variant=_prediction,
    mistakes={
        **{text: {"decide": _below(threshold)} for text, threshold in _THRESHOLDS.items()},
        "the mean of the new samples decides; the threshold comes from the training samples": {
            "decide": lambda z, a, b: z < z.mean()
        },
        "the distances are measured in each class's own standard deviation; here they are plain distances": {
            "decide": _in_own_deviations
        },
        "0 and 1 are swapped: with w = S_w⁻¹(μ_0 - μ_1) class 0 is on the larger side, with -w on the smaller": {
            "finish": lambda s: 1 - s
        },
        "S_w⁻¹ is missing: that is the class whose mean is nearer in all features": {"use": lambda S, d: d},
        "you multiplied by S_w; S_w w = μ_0 - μ_1 is to be solved": {"use": np.matmul},
        "only the diagonal of S_w is used: features belong together, the whole matrix counts": {
            "use": lambda S, d: d / np.diag(S)
        },
        **_S_W,
        "the coding is -1 and 1; here it is 0 and 1": {"finish": lambda s: 2 * s - 1},
        "the coding is 1 and -1, for class 0 and class 1; here it is 0 and 1": {"finish": lambda s: 1 - 2 * s},
        "class numbers begin with 0, not with 1": {"finish": lambda s: s + 1},
        "those are the projections w·x; the classes 0 and 1 are asked for": {"decide": lambda z, a, b: z},
        "that is w·x less the threshold; the classes 0 and 1 are asked for": {
            "decide": lambda z, a, b: z - (a.mean() + b.mean()) / 2
        },
        "those are the distances to both means; the number of the smaller one is asked for": {
            "decide": lambda z, a, b: np.column_stack([np.abs(z - a.mean()), np.abs(z - b.mean())])
        },
        "that is one-hot, a column per class; the class number is asked for": {
            "finish": lambda s: np.column_stack([1 - s, s])
        },
        "those are the classes of the training samples; those of X_new are asked for": {"at": lambda X, X_new: X},
    },
    stops={
        **dict.fromkeys(
            (",) (2,)", "(2,) ("), "z (M,) against the two means m (2,): z[:, None] - m compares all pairs"
        ),
        **_STOPS,
        "matmul": "w (d,) has an entry per feature: X_new @ w, (M,), are the projected samples",
        "truth value": "the projections are an array: np.where, or (... < ...).astype(int), not if",
    },
    cases=_prediction_cases,
    also_right=(
        lambda X, t, X_new: lda.predict(-_fisher_direction(X, t), lda.means(X, t), X_new),
        lambda X, t, X_new: X_new @ (w := _fisher_direction(X, t)) < (lda.means(X, t) @ w).mean(),
        lambda X, t, X_new: [  # the nearer mean in all features, measured with S_w⁻¹
            int(np.argmin([r @ np.linalg.solve(lda.scatter_within(X, t), r) for r in x - lda.means(X, t)]))
            for x in X_new
        ],
        lambda X, t, X_new: (
            X_new @ (w := np.linalg.lstsq(_ones(X), t * 1.0, rcond=None)[0][:-1]) > (lda.means(X, t) @ w).mean()
        ),
    ),
)


def _leading(A, m):
    """The eigenvectors of the m largest eigenvalues of a matrix that need not be symmetric."""
    ratios, V = np.linalg.eig(A)
    return V[:, np.argsort(-ratios.real)[:m]].real


def _discriminant_subspace(X, t):
    ratios, V = np.linalg.eig(np.linalg.solve(lda.scatter_within(X, t), lda.scatter_between(X, t)))
    largest = np.argsort(-ratios.real)[: t.max()]
    return V[:, largest].real


def _subspace(X, t, *, within=lda.scatter_within, between=lda.scatter_between, use=np.linalg.solve, basis=_leading):
    return basis(use(within(X, t), between(X, t)), t.max())


def _whitened(back):
    """The eigenvectors of the symmetric L⁻¹S_bL⁻ᵀ, S_w = LLᵀ, and what is made of them: back(L, U)."""

    def use(S_w, S_b):
        L = np.linalg.cholesky(S_w)
        return back(L, np.linalg.eigh(np.linalg.solve(L, np.linalg.solve(L, S_b).T))[1][:, ::-1])

    return {"use": use, "basis": lambda V, m: V[:, :m]}


def _span(f, X, t):
    """The projector onto the columns of W: all that counts of it."""
    (W,), wanted = f(X, t), (X.shape[1], int(t.max()))
    if W.shape != wanted:
        raise Refused(
            f"W must hold a direction in each of K - 1 columns, shape {wanted} here; it is of shape {W.shape}"
        )
    if not np.isfinite(W).all():
        return [np.full((len(W), len(W)), np.nan)]
    lengths = np.linalg.norm(W, axis=0)
    U, sizes, _ = np.linalg.svd(W / np.where(lengths > 0, lengths, 1.0), full_matrices=False)
    U = U[:, sizes > 1e-10]
    if 0 < U.shape[1] < W.shape[1]:
        raise Refused(f"the columns of W are dependent: they span {U.shape[1]}, not K - 1 = {W.shape[1]} dimensions")
    return [U @ U.T]


def _several_classes(rng):
    def one(label, sizes, d, classes=_classes):
        return Case(label, classes(rng, sizes, d))

    return [
        one("three classes", (7, 16, 10), 4),
        one("a feature with equal means", (8, 14, 11), 3, _with_equal_means),
        one("four classes", (9, 12, 8, 15), 6),
        one("two classes", (9, 17), 3),
    ]


discriminant_subspace = _Directions(
    stars=3,
    notes="A 4.2, errata A38, A39",
    ask="The K - 1 discriminant directions of K classes: W (d, K - 1), columns that span the same space as the "
    "eigenvectors of S_w⁻¹S_b with the K - 1 largest eigenvalues; S_w and S_b as in the first two exercises here. "
    "X (N, d), t (N,) class numbers 0..K-1; d >= K, S_w has an inverse and S_b the rank K - 1. Length, sign and order "
    "of the columns are free.",
    hints=(
        "S_w⁻¹S_b is not symmetric: np.linalg.eig, not eigh. It sorts nothing; .real drops what rounding made complex.",
        "Or without eigenvectors: S_b maps into the span of the μ_k - μ; so S_w⁻¹(μ_k - μ_0), k = 1..K-1, will do.",
    ),
    answer=_discriminant_subspace,
    variant=_subspace,
    mistakes={
        "S_w⁻¹ is missing: those are the eigenvectors of S_b or S_bS_w⁻¹, which span the μ_k - μ": {
            "use": lambda S_w, S_b: S_b
        },
        "you multiplied by S_w; it is S_w⁻¹S_b": {"use": np.matmul},
        "S_w⁻¹ stands on both sides, or twice on the left": {
            "use": lambda S_w, S_b: np.linalg.solve(S_w, np.linalg.solve(S_w, S_b))
        },
        "eigh takes the lower triangle for a symmetric matrix, but S_w⁻¹S_b is none: np.linalg.eig": {
            "basis": lambda A, m: np.linalg.eigh(A)[1][:, -m:]
        },
        "eigh takes S_w⁻¹S_b for symmetric, which it is not, and the first columns have the smallest eigenvalues": {
            "basis": lambda A, m: np.linalg.eigh(A)[1][:, :m]
        },
        "those are the first rows of the matrix of eigenvectors; the eigenvectors are its columns": {
            "basis": lambda A, m: np.linalg.eig(A)[1][:m].real.T
        },
        "those are the first rows of U of the SVD; its columns are the vectors": {
            "basis": lambda A, m: np.linalg.svd(A)[0][:m].T
        },
        "those are columns of S_w⁻¹ alone: S_b is missing": {
            "use": lambda S_w, S_b: np.linalg.inv(S_w),
            "basis": lambda A, m: A[:, :m],
        },
        "those are the directions of the smallest scatter within the classes, eigenvectors of S_w; S_b is missing": {
            "use": lambda S_w, S_b: np.linalg.inv(S_w)
        },
        "those are the directions of the largest scatter of all samples (PCA), which asks for no class": {
            "within": lambda X, t: np.eye(X.shape[1]),
            "between": lambda X, t: _scatter(X),
        },
        "u of the symmetric L⁻¹S_bL⁻ᵀ, S_w = LLᵀ, is not mapped back: w = L⁻ᵀu": _whitened(lambda L, U: U),
        "u of the symmetric L⁻¹S_bL⁻ᵀ, S_w = LLᵀ, is mapped back with L⁻¹: w = L⁻ᵀu": _whitened(np.linalg.solve),
        "u of the symmetric L⁻¹S_bL⁻ᵀ, S_w = LLᵀ, is mapped back with Lᵀ: w = L⁻ᵀu": _whitened(lambda L, U: L.T @ U),
        "those are means of classes; the K - 1 vectors S_w⁻¹(μ_k - μ_0) would do": {
            "within": lambda X, t: lda.means(X, t).T,
            "use": lambda M, S_b: M,
            "basis": lambda M, m: M[:, :m],
        },
        "those are vectors S_w⁻¹μ_k; the means must be less another one, S_w⁻¹(μ_k - μ_0), or less that of all": {
            "between": lambda X, t: lda.means(X, t).T,
            "basis": lambda V, m: V[:, :m],
        },
        "S_w adds covariances, each divided by N_k; it is the sum of the scatters": {
            "within": lambda X, t: _within(X, t, weigh=lambda S, n: S / n)
        },
        "S_w adds covariances as np.cov has them, divided by N_k - 1; it is the sum of the scatters": {
            "within": lambda X, t: _within(X, t, weigh=lambda S, n: S / (n - 1))
        },
        "all sums of S_w run over class 0, or the other classes are left out of S_w": {
            "within": lambda X, t: _scatter(X[t == 0])
        },
        "the last class is left out of S_w": {"within": lambda X, t: _within(X, t, classes=lambda K: range(K - 1))},
        "class 0 is left out of S_w": {"within": lambda X, t: _within(X, t, classes=lambda K: range(1, K))},
        "S_w is XᵀX: each sample must be less the mean of its class": {"within": lambda X, t: _square(X)},
        "only the diagonal of S_w is used: features belong together, the whole matrix counts": {
            "within": lambda X, t: np.diag(np.diag(lda.scatter_within(X, t)))
        },
        "the identity matrix is added to S_w": {"within": lambda X, t: lda.scatter_within(X, t) + np.eye(X.shape[1])},
        "S_b / S_w divides entry by entry; it is S_w⁻¹S_b, np.linalg.solve(S_w, S_b)": {
            "use": lambda S_w, S_b: S_b / S_w
        },
        "μ is missing in S_b: that is Σ N_k μ_k μ_kᵀ": {
            "between": lambda X, t: _between(X, t, centre=lambda X, t: 0.0)
        },
        "S_b is taken about one number, X.mean(); μ has one for each feature, X.mean(axis=0)": {
            "between": lambda X, t: _between(X, t, centre=lambda X, t: X.mean())
        },
    },
    stops={
        **_STOPS,
        "LinAlgError": "S_b has the rank K - 1 and no inverse; S_w has one: np.linalg.solve(S_w, S_b)",
        "matmul": "samples are the rows of X: RᵀR and CᵀC are (d, d)",
    },
    cases=_several_classes,
    play=_span,
    judged=("the projector onto the columns of W",),
    also_right=(
        lambda X, t: _leading(np.linalg.inv(lda.scatter_within(X, t)) @ lda.scatter_between(X, t), t.max()) * 5.0,
        lambda X, t: np.linalg.svd(np.linalg.solve(lda.scatter_within(X, t), lda.scatter_between(X, t)))[0][
            :, : t.max()
        ],
        lambda X, t: np.linalg.solve(lda.scatter_within(X, t), (lda.means(X, t)[1:] - lda.means(X, t)[0]).T),
        lambda X, t: _leading(np.linalg.solve(_scatter(X), lda.scatter_between(X, t)), t.max())[:, ::-1],  # S_t
        lambda X, t: _leading(np.linalg.solve(lda.scatter_within(X, t), _all_pairs(X, t)), t.max()),  # without N_k
        lambda X, t: np.linalg.lstsq(_ones(X), np.eye(t.max() + 1)[t], rcond=None)[0][:-1, :-1],  # least squares
        lambda X, t: _subspace(X, t, **_whitened(lambda L, U: np.linalg.solve(L.T, U))),
        lambda X, t: lda.directions(X, t)[0],
    ),
)


def _eigenvectors(S_w, S_b):
    """λ_1 >= λ_2 >= ... and V of S_b v = λS_w v, VᵀS_wV = I."""
    L = np.linalg.cholesky(S_w)
    ratios, U = np.linalg.eigh(np.linalg.solve(L, np.linalg.solve(L, S_b).T))
    return ratios[::-1], np.linalg.solve(L.T, U[:, ::-1])


def _trace_ratio(S_w, S_b, W):
    return np.trace(W.T @ S_b @ W) / np.trace(W.T @ S_w @ W)


def _larger(scale):
    """Has W a larger ratio than the eigenvectors in that length?"""

    def holds(S_w, S_b, W):
        V = _eigenvectors(S_w, S_b)[1][:, : W.shape[1]]
        return _trace_ratio(S_w, S_b, W) > _trace_ratio(S_w, S_b, scale(V)) * (1 + 1e-9)

    return holds


def _square_and_alike(S_w, S_b, W):
    return np.ndim(S_w) == 2 and np.shape(S_w) == np.shape(S_b) == 2 * np.shape(S_w)[:1] and np.size(S_w) > 0


def _symmetric(S):
    return np.allclose(S, S.T, rtol=0, atol=1e-9 * np.abs(S).max())


def _all_different(S_w, S_b, W):
    first = _eigenvectors(S_w, S_b)[0][: W.shape[1] + 1]
    return np.all(-np.diff(first) > 1e-6 * np.abs(first).max())


def _three_axes():
    S_w, S_b = np.diag([10.0, 100, 1]), np.diag([100.0, 200, 1])  # eigenvalues 10, 2, 1, but 200/100 weighs most
    W = np.array([[1.0, 0], [0, 0], [0, 1]])  # axes 1 and 3: (100 + 1)/(10 + 1), against 300/110 and (10 + 2)/2
    return S_w, S_b, W


_S, _B = np.diag([10.0, 100, 1]), np.diag([100.0, 200, 1])
_AXES_13 = np.eye(3)[:, [0, 2]]

trace_ratio_counterexample = Construction(
    stars=3,
    notes="A 4.2, erratum A37",
    ask="Note A says that tr(WᵀS_b W)/tr(WᵀS_w W) is largest for the m eigenvectors of S_w⁻¹S_b with the largest "
    "eigenvalues as columns. Return (S_w, S_b, W) that refute it: both symmetric (d, d), S_w positive definite, S_b "
    "semidefinite, the m + 1 largest eigenvalues different; W (d, m), 2 <= m < d, WᵀW = I, with a larger ratio than "
    "those eigenvectors, scaled to vᵀv = 1 as well as to vᵀS_w v = 1.",
    hints=(
        "Diagonal S_w, S_b will do: the eigenvectors are axes, the eigenvalues b_i/a_i. What is the ratio of m axes?",
        "Σ b_i/Σ a_i is not Σ b_i/a_i: an axis with the second largest b_i/a_i, but a large a_i, brings it down.",
    ),
    returns=("S_w", "S_b", "W"),
    requirements=(
        Requirement(
            "S_w and S_b must be square matrices (d, d) of one size", _square_and_alike, (_S, _B[:2, :2], _AXES_13)
        ),
        Requirement(
            "W must be a matrix (d, m): a row per feature, a direction in each column",
            lambda S_w, S_b, W: np.ndim(W) == 2 and len(W) == len(S_w),
            (_S, _B, _AXES_13.T),
        ),
        Requirement(
            "one column is not enough: for a single direction, the first eigenvector is the best; 2 <= m",
            lambda S_w, S_b, W: W.shape[1] >= 2,
            (_S, _B, _AXES_13[:, :1]),
        ),
        Requirement(
            "with m = d columns nothing is left out: m < d",
            lambda S_w, S_b, W: W.shape[1] < len(W),
            (_S, _B, np.eye(3)),
        ),
        Requirement(
            "S_w must be symmetric",
            lambda S_w, S_b, W: _symmetric(S_w),
            (_S + np.eye(3, k=1), _B, _AXES_13),
        ),
        Requirement(
            "S_b must be symmetric",
            lambda S_w, S_b, W: _symmetric(S_b),
            (_S, _B + np.eye(3, k=1), _AXES_13),
        ),
        Requirement(
            "S_w must be positive definite: all its eigenvalues above 0",
            lambda S_w, S_b, W: np.linalg.eigvalsh(S_w)[0] > 1e-9 * np.abs(S_w).max(),
            (np.diag([10.0, 100, 0]), _B, _AXES_13),
        ),
        Requirement(
            "S_b must be positive semidefinite: none of its eigenvalues below 0",
            lambda S_w, S_b, W: np.linalg.eigvalsh(S_b)[0] >= -1e-9 * np.abs(S_b).max(),
            (_S, np.diag([100.0, 200, -1]), _AXES_13),
        ),
        Requirement(
            "the columns of W must be orthonormal: WᵀW = I",
            lambda S_w, S_b, W: np.allclose(W.T @ W, np.eye(W.shape[1]), rtol=0, atol=1e-9),
            (_S, _B, [[1.0, 1], [0, 0], [0, 0.1]]),
        ),
        Requirement(
            "of the m + 1 largest eigenvalues of S_w⁻¹S_b two are equal: their eigenvectors are not determined",
            _all_different,
            (_S, np.diag([100.0, 200, 2]), _AXES_13),
        ),
        Requirement(
            "the eigenvectors in length 1 have a ratio at least as large: a large vᵀS_w v of the second would spoil it",
            _larger(lambda V: V / np.linalg.norm(V, axis=0)),
            (_S, _B, np.eye(3)[:, :2]),
        ),
        Requirement(
            "the eigenvectors with vᵀS_w v = 1 have a ratio at least as large, the mean of their m eigenvalues",
            _larger(lambda V: V),
            (np.diag([1.0, 100, 1]), np.diag([10.0, 200, 1]), _AXES_13),
        ),
    ),
    example=_three_axes,
)

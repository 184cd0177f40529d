"""Exercises of chapter 08, naive Bayes (note C 4). A sample is a row of bits; t = 1 is note C's C_1, t = 0 its C_2."""

from typing import Any

import numpy as np

from linmodels import naive_bayes, special

from .grading.checker import Case, Construction, Exercise, Requirement

chapter = "08"


def _shares_of_counts(X, t):
    mu_0, mu_1 = naive_bayes.smoothed(naive_bayes.counts(X, t), 0)[:, :, 1]
    return np.mean(t == 1), mu_1, mu_0


def _smoothed_shares_of_counts(X, t):
    mu_0, mu_1 = naive_bayes.smoothed(naive_bayes.counts(X, t), 1)[:, :, 1]
    return np.mean(t == 1), mu_1, mu_0


def _ones(X, t, k):
    return X[t == k].sum(axis=0)


def _size(X, t, k):
    return np.sum(t == k)


def _fitted(
    X,
    t,
    *,
    prior=lambda t: np.mean(t == 1),
    ones=_ones,
    size=_size,
    share=lambda n, N_k: n / N_k,
    mended=lambda mu_1, mu_0: (mu_1, mu_0),
    order=lambda pi, mu_1, mu_0: (pi, mu_1, mu_0),
):
    """ones and size count for each class k, share makes mu_k of them."""
    mu_1, mu_0 = (share(ones(X, t, k), size(X, t, k)) for k in (1, 0))
    return order(prior(t), *mended(mu_1, mu_0))


def _laplace_fitted(X, t, *, share=lambda n, N_k: (n + 1) / (N_k + 2), **switches):
    return _fitted(X, t, share=share, **switches)


_FIT_MISTAKES: dict[str, dict[str, Any]] = {  # with smoothing and without
    "the denominator of mu_k counts the samples of class k; you took all N": {"size": lambda X, t, k: len(t)},
    "the denominator of mu_k counts the samples of class k; you took those of the other class": {
        "size": lambda X, t, k: np.sum(t != k)
    },
    "that is p(t = k|x_i = 1), the ones of feature i as the denominator; mu_k is p(x_i = 1|t = k)": {
        "size": lambda X, t, k: X.sum(axis=0)
    },
    "the denominator of mu_0 is Σ (1 - t); without the brackets that erratum C15 adds it is 1 - Σ t": {
        "size": lambda X, t, k: t.sum() if k else 1 - t.sum()
    },
    "the denominator of mu_k is a number of samples; you took the number of all ones in class k": {
        "size": lambda X, t, k: X[t == k].sum()
    },
    "mu_0 is not 1 - mu_1: that is p(x_i = 0|t = 1); mu_0 comes from the samples with t = 0": {
        "mended": lambda mu_1, mu_0: (mu_1, 1 - mu_1)
    },
    "the zeros are counted: that is p(x_i = 0|t = k), 1 - mu_k": {"ones": lambda X, t, k: _ones(1 - X, t, k)},
    "the ones of all samples are counted in both classes; mu_k counts in class k alone": {
        "ones": lambda X, t, k: X.sum(axis=0)
    },
    "the factor 1 - t is lost in mu_0: its numerator counts the ones of all samples": {
        "ones": lambda X, t, k: _ones(X, t, 1) if k else X.sum(axis=0)
    },
    "the ones of all features are added up: mu_k has an entry for each feature, a sum with axis=0": {
        "ones": lambda X, t, k: X[t == k].sum()
    },
    "pi is p(t = 1), the share of class 1; you took that of class 0": {"prior": lambda t: np.mean(t == 0)},
    "pi is a share: the number of samples with t = 1 is divided by N": {"prior": np.sum},
    "pi is N_1/N, the share of class 1; you took the odds N_1/N_0": {"prior": lambda t: t.sum() / (1 - t).sum()},
    "pi is estimated, N_1/N; you took 1/2, as if the classes were equally likely": {"prior": lambda t: 0.5},
    "the classes are swapped throughout: pi, mu_1 belong to t = 1 (note C's C_1), mu_0 to t = 0 (its C_2)": {
        "order": lambda pi, mu_1, mu_0: (1 - pi, mu_0, mu_1)
    },
    "mu_1 and mu_0 are swapped: mu_1 belongs to t = 1 and comes first": {
        "order": lambda pi, mu_1, mu_0: (pi, mu_0, mu_1)
    },
    "the order is (pi, mu_1, mu_0); you returned (mu_1, mu_0, pi)": {"order": lambda pi, mu_1, mu_0: (mu_1, mu_0, pi)},
    "the order is (pi, mu_1, mu_0); you returned (mu_0, mu_1, pi)": {"order": lambda pi, mu_1, mu_0: (mu_0, mu_1, pi)},
}
_FIT_STOPS = {
    "boolean index": "t has an entry for each row of X: X[t == 1] are the rows of class 1, X[:, t == 1] are columns",
    "IndexError": "t has an entry for each row of X: X[t == 1] are the rows of class 1",
    "broadcast": "t has an entry for each row of X, t * X takes it for the columns: t @ X, or X[t == 1]",
    "matmul": "t @ X sums the rows of class 1; X @ t would need an entry of t for each column",
}


def _fit_cases(rng):
    def one(label, N, D, n_1, zeros=False):
        """zeros: in either class a feature that is always 0, and one that is always 1."""
        t = rng.permutation((np.arange(N) < n_1).astype(int))
        X = (rng.uniform(size=(N, D)) < rng.uniform(0.3, 0.7, (2, D))[t]).astype(int)
        if zeros:
            X[:, 0], X[:, 1] = t, 1 - t
        else:
            X[:2], X[2:4] = 0, 1  # no column without a 0 or a 1
        return Case(label, (X, t))

    return [
        one("more samples of class 0", 14, 3, 5),
        one("more samples of class 1", 17, 4, 11),
        one("features that a class knows as 0 or 1 only", 11, 5, 4, zeros=True),
        one("a class of one sample", 10, 3, 1),
    ]


bernoulli_nb_fit = Exercise(
    stars=1,
    notes="C 4.2, erratum C15",
    ask="The maximum-likelihood estimates of naive Bayes on bits, without smoothing: pi = p(t = 1), a number, and mu_1 "
    "and mu_0 (D,), entry i of mu_k being p(x_i = 1|t = k). X (N, D) holds the samples, a row of 0 and 1 each; t (N,) "
    "holds the class of each, 0 or 1, and both occur. Return (pi, mu_1, mu_0).",
    hints=(
        "p(x_i = 1|t = k) looks at the samples of class k alone: which share of them has x_i = 1?",
        "X[t == 1] are the rows of class 1, and the mean of bits, column by column (axis=0), is the share of ones.",
    ),
    answer=_shares_of_counts,
    variant=_fitted,
    mistakes={
        **_FIT_MISTAKES,
        "that is p(x_i = 1), of all samples, twice; mu_k is the share of ones within class k": {
            "ones": lambda X, t, k: X.sum(axis=0),
            "size": lambda X, t, k: len(t),
        },
        "mu_0 is taken over all samples, p(x_i = 1); it is the share of ones among those with t = 0": {
            "ones": lambda X, t, k: _ones(X, t, 1) if k else X.sum(axis=0),
            "size": lambda X, t, k: t.sum() if k else len(t),
        },
        "np.mean without axis=0 is one number for all features; mu_k has an entry for each": {
            "ones": lambda X, t, k: X[t == k].mean(),
            "size": lambda X, t, k: 1,
        },
        "axis=1 is the share of ones in each sample; mu_k is that of each feature, axis=0": {
            "ones": lambda X, t, k: X[t == k].mean(axis=1),
            "size": lambda X, t, k: 1,
        },
        "those are the numbers of ones: divide by the number of samples of the class": {"share": lambda n, N_k: n},
        "N_k - 1 is the denominator of a variance; a share is divided by N_k": {"share": lambda n, N_k: n / (N_k - 1)},
        "that is Laplace smoothing (note C 4.4); maximum likelihood adds nothing": {
            "share": lambda n, N_k: (n + 1) / (N_k + 2)
        },
        "those are the odds of x_i = 1 in class k, ones by zeros; mu_k is ones by samples": {
            "share": lambda n, N_k: n / (N_k - n)
        },
        "pi is smoothed, (N_1 + 1)/(N + 2); maximum likelihood adds nothing": {
            "prior": lambda t: (t.sum() + 1) / (len(t) + 2)
        },
    },
    stops=_FIT_STOPS,
    cases=_fit_cases,
    also_right=(
        lambda X, t: (np.mean(t == 1), X[t == 1].mean(axis=0), X[t == 0].mean(axis=0)),
        lambda X, t: (t.mean(), t @ X / t.sum(), (1 - t) @ X / np.sum(1 - t)),
        lambda X, t: [sum(t) / len(t), *(np.average(X, axis=0, weights=t == k) for k in (1, 0))],
        lambda X, t: (
            np.bincount(t)[1] / len(t),
            *([np.sum((t == k) & (x == 1)) / np.sum(t == k) for x in X.T] for k in (1, 0)),
        ),
        lambda X, t: ((m := naive_bayes.fit(X, t, smoothing=0.0)).prior[1], m.mu[1], m.mu[0]),
    ),
)


def _smoothed(
    z,
    M,
    *,
    counts=lambda z, M: np.bincount(z, minlength=M),
    share=lambda n, m, M: (n + 1) / (m + M),
    finish=lambda phi, z: phi,
):
    return finish(share(counts(z, M), len(z), M), z)


def _counts_of_seen(z, M):
    return np.unique(z, return_counts=True)[1]


def _observations(rng):
    def one(label, values, M):
        return Case(label, (rng.permutation(values), M), {"m": len(values), "M": M})

    return [
        one("the last value unseen", [0, 1, 1, 2, 2, 2, 2], 4),
        one("a value between unseen", [0, 0, 0, 1, 3, 3, 4, 4, 4, 4, 4], 5),
        one("every value seen", [0, 0, 1, 2, 2, 2, 2, 2], 3),
        one("the first and the last two unseen", [1, 2, 2, 2, 3, 3], 6),
        one("two values", [0, 0, 0, 1, 1], 2),
    ]


laplace_categorical = Exercise(
    stars=1,
    notes="C 4.4, errata C20, C22",
    ask="Laplace's estimates of the probabilities of M values: z (m,) holds m observations, whole numbers 0..M-1 (note "
    "C counts its k values from 1), and M is given: not every value need occur. Return phi (M,), entry v being the "
    "smoothed estimate of p(z = v).",
    hints=(
        "Every value counts as seen once more than it was. How many observations are there then, with M values?",
        "np.bincount(z, minlength=M) counts all M values, those too that do not occur; the M estimates sum to 1.",
    ),
    answer=lambda z, M: naive_bayes.smoothed(np.bincount(z, minlength=M)),
    variant=_smoothed,
    mistakes={
        "the denominator adds the number of values that occur; it is m + M, also for those that do not": {
            "share": lambda n, m, M: (n + 1) / (m + np.count_nonzero(n))
        },
        "values that do not occur have no entry: phi has M entries, 1/(m + M) for such a value": {
            "counts": _counts_of_seen
        },
        "only the values that occur are estimated, as if there were no others: phi has M entries, and M is given": {
            "counts": _counts_of_seen,
            "share": lambda n, m, M: (n + 1) / (m + len(n)),
        },
        "phi ends at the largest value that occurs: np.bincount(z, minlength=M) counts all M values": {
            "counts": lambda z, M: np.bincount(z)
        },
        "the largest observation is taken for the last value, max(z) + 1 for M; M is given": {
            "counts": lambda z, M: np.bincount(z),
            "share": lambda n, m, M: (n + 1) / (m + len(n)),
        },
        "the denominator is m + M, one for each value; you added 1": {"share": lambda n, m, M: (n + 1) / (m + 1)},
        "the denominator is m + M, one for each value; you added 2, which is right for bits": {
            "share": lambda n, m, M: (n + 1) / (m + 2)
        },
        "the denominator is m + M, one for each value; you added M - 1": {
            "share": lambda n, m, M: (n + 1) / (m + M - 1)
        },
        "the denominator is m + M, one for each value; you added M + 1": {
            "share": lambda n, m, M: (n + 1) / (m + M + 1)
        },
        "M is lost in the denominator: the estimates then sum to more than 1": {"share": lambda n, m, M: (n + 1) / m},
        "m is lost in the denominator: there are m observations, and M added ones": {
            "share": lambda n, m, M: (n + 1) / M
        },
        "the 1 is lost in the numerator: a value that does not occur still gets 0": {
            "share": lambda n, m, M: n / (m + M)
        },
        "nothing is smoothed: that is maximum likelihood": {"share": lambda n, m, M: n / m},
        "1/M is added to each count, 1 in all; Laplace adds 1 to each": {
            "share": lambda n, m, M: (n + 1 / M) / (m + 1)
        },
        "that adds 1/2 to each count; Laplace adds 1": {"share": lambda n, m, M: (n + 0.5) / (m + M / 2)},
        "1 is added to the shares, n/m + 1; Laplace adds to the counts, before the division": {
            "share": lambda n, m, M: (n / m + 1) / (1 + M)
        },
        "only the values that do not occur are smoothed; Laplace adds 1 to every count": {
            "share": lambda n, m, M: np.where(n == 0, 1 / (m + M), n / m)
        },
        "1 is added only to the values that do not occur; Laplace adds 1 to every count": {
            "share": lambda n, m, M: np.maximum(n, 1) / (m + M)
        },
        "brackets are missing: n + 1 / (m + M) divides the 1 alone": {"share": lambda n, m, M: n + 1 / (m + M)},
        "brackets are missing: (n + 1) / m + M adds M after the division": {"share": lambda n, m, M: (n + 1) / m + M},
        "brackets are missing: n + 1 / m + M divides the 1 alone": {"share": lambda n, m, M: n + 1 / m + M},
        "the smoothed counts are not divided: m + M is missing": {"share": lambda n, m, M: n + 1},
        "phi has one entry too many: the values are 0..M-1": {
            "counts": lambda z, M: np.bincount(z, minlength=M + 1),
        },
        "the values are 0..M-1; you counted 1..M": {"counts": lambda z, M: np.bincount(z, minlength=M + 1)[1:]},
        "counts[z] += 1 adds 1 to a value once, however often z holds it: np.bincount, or np.add.at(counts, z, 1)": {
            "counts": lambda z, M: np.minimum(np.bincount(z, minlength=M), 1)
        },
        "that is the estimate for each observation, phi[z]; an entry for each value is asked for": {
            "finish": lambda phi, z: phi[z]
        },
        "the estimates are in order of size; entry v belongs to the value v": {
            "finish": lambda phi, z: np.sort(phi)[::-1]
        },
        "those are the logarithms of the estimates": {"finish": lambda phi, z: np.log(phi)},
        "that is 1 - phi, the probability of all other values": {"finish": lambda phi, z: 1 - phi},
    },
    stops={
        "out of bounds": "the values are 0..M-1, so M places count them",
        "IndexError": "the values are 0..M-1, so M places count them",
        "broadcast": "z (m,) against M values: z[:, None] == np.arange(M) compares all pairs",
        "TypeError": "z is an array: np.bincount counts its values, z == v finds one of them",
        "AttributeError": "z is an array: np.bincount counts its values, np.sum(z == v) one of them",
        "KeyError": "a value that does not occur has the count 0, and an estimate too",
    },
    cases=_observations,
    factors={"M": "the M estimates sum to 1", "m": "the M estimates sum to 1"},
    also_right=(
        lambda z, M: np.array([np.sum(z == v) + 1 for v in range(M)]) / (len(z) + M),
        lambda z, M: np.bincount([*z, *range(M)]) / (len(z) + M),
        lambda z, M: np.mean(np.eye(M)[np.append(z, np.arange(M))], axis=0),
        lambda z, M: [(z.tolist().count(v) + 1) / (len(z) + M) for v in range(M)],
    ),
)

laplace_fit = Exercise(
    stars=2,
    notes="C 4.4, erratum C19",
    ask="The estimates of naive Bayes on bits with Laplace smoothing, as note C writes them: pi = p(t = 1), a number, "
    "is not smoothed; mu_1 and mu_0 (D,) are, entry i of mu_k being p(x_i = 1|t = k). X (N, D) holds the samples, a "
    "row of 0 and 1 each; t (N,) the class of each, 0 or 1, and both occur. Return (pi, mu_1, mu_0).",
    hints=(
        "Smoothing pretends that every value had been seen once more than it was. How many values has a bit?",
        "In class k one more 0 and one more 1: (ones of class k + 1)/(samples of class k + 2). pi stays a mean.",
    ),
    answer=_smoothed_shares_of_counts,
    variant=_laplace_fitted,
    mistakes={
        "pi is smoothed, (N_1 + 1)/(N + 2): that is the rule of 4.4 too (erratum C19), but note C leaves pi as it is": {
            "prior": lambda t: (t.sum() + 1) / (len(t) + 2)
        },
        "the denominator is N_k + 2, one for each value of a bit; you added 1": {
            "share": lambda n, N_k: (n + 1) / (N_k + 1)
        },
        "the denominator is N_k + 2, one for each value of a bit; you added D, the number of features": {
            "share": lambda n, N_k: (n + 1) / (N_k + np.size(n))
        },
        "the denominator is N_k + 2, one for each value of a bit; you added 2^D, one for each x": {
            "share": lambda n, N_k: (n + 1) / (N_k + 2.0 ** np.size(n))
        },
        "the 2 is lost in the denominator: p(x_i = 1|t = k) and p(x_i = 0|t = k) then sum to more than 1": {
            "share": lambda n, N_k: (n + 1) / N_k
        },
        "the 1 is lost in the numerator: a feature never 1 in class k still gets 0": {
            "share": lambda n, N_k: n / (N_k + 2)
        },
        "nothing is smoothed: that is maximum likelihood": {"share": lambda n, N_k: n / N_k},
        "that adds 1/2 to either count; Laplace adds 1": {"share": lambda n, N_k: (n + 0.5) / (N_k + 1)},
        "that adds 2 to either count; Laplace adds 1": {"share": lambda n, N_k: (n + 2) / (N_k + 4)},
        "1 is added to the share and 2 to 1: (n/N_k + 1)/3; Laplace adds to the counts, before the division": {
            "share": lambda n, N_k: (n / N_k + 1) / 3
        },
        "only the mu that are 0 are smoothed; Laplace adds to all counts alike": {
            "share": lambda n, N_k: np.where(n == 0, 1 / (N_k + 2), n / N_k)
        },
        "only the mu that are 0 or 1 are smoothed; Laplace adds to all counts alike": {
            "share": lambda n, N_k: np.where((n == 0) | (n == N_k), (n + 1) / (N_k + 2), n / N_k)
        },
        "brackets are missing: n + 1 / (N_k + 2) divides the 1 alone": {"share": lambda n, N_k: n + 1 / (N_k + 2)},
        "brackets are missing: (n + 1) / N_k + 2 adds the 2 after the division": {
            "share": lambda n, N_k: (n + 1) / N_k + 2
        },
        "brackets are missing: n + 1 / N_k + 2 divides the 1 alone": {"share": lambda n, N_k: n + 1 / N_k + 2},
        "the 1 is added to each bit: the numerator is the number of ones, plus 1 once": {
            "share": lambda n, N_k: (n + N_k) / (N_k + 2)
        },
        "the smoothed counts are not divided: N_k + 2 is missing": {"share": lambda n, N_k: n + 1},
        **_FIT_MISTAKES,
        "that is p(x_i = 1) of all samples, twice; mu_k counts within class k": {
            "ones": lambda X, t, k: X.sum(axis=0),
            "size": lambda X, t, k: len(t),
        },
        "axis=1 counts the ones of each sample; mu_k counts those of each feature, axis=0": {
            "ones": lambda X, t, k: X[t == k].sum(axis=1)
        },
        "mu_1 is smoothed, mu_0 is not: both classes have such counts": {
            "ones": lambda X, t, k: _ones(X, t, k) - (k == 0),
            "size": lambda X, t, k: _size(X, t, k) - 2 * (k == 0),
        },
    },
    stops=_FIT_STOPS,
    cases=_fit_cases,
    also_right=(
        lambda X, t: (t.mean(), (t @ X + 1) / (t.sum() + 2), ((1 - t) @ X + 1) / (np.sum(1 - t) + 2)),
        lambda X, t: [
            sum(t) / len(t),
            *(np.vstack([X[t == k], np.eye(2)[:, [0] * X.shape[1]]]).mean(axis=0) for k in (1, 0)),
        ],
        lambda X, t: (
            np.average(t),
            *([(np.sum((t == k) & (x == 1)) + 1) / (np.sum(t == k) + 2) for x in X.T] for k in (1, 0)),
        ),
        lambda X, t: ((m := naive_bayes.fit(X, t)).prior[1], m.mu[1], m.mu[0]),
    ),
)


def _log_of_bits(X, mu):
    """ln p(x_i|t = k), a term for each feature, (N, D)."""
    return X * np.log(mu) + (1 - X) * np.log(1 - mu)


def _log_joint(
    X,
    pi,
    mu_1,
    mu_0,
    *,
    prior=lambda pi: (np.log(1 - pi), np.log(pi)),
    terms=_log_of_bits,
    total=lambda L: L.sum(axis=1),
    joined=lambda log_prior, L, D: log_prior + L,
    finish=lambda A: A,
):
    """prior and terms are summed by total and joined for each class k; finish takes them as columns (N, 2)."""
    pairs = zip(prior(pi), (mu_0, mu_1), strict=True)
    return finish(np.column_stack([joined(b, total(terms(X, mu)), X.shape[1]) for b, mu in pairs]))


def _log_joint_of_bits(X, pi, mu_1, mu_0):
    return naive_bayes.log_joint(naive_bayes.bernoulli(pi, mu_1, mu_0), X)


def _raised(eps):
    """The logarithm of a product that is kept from 0."""
    return lambda log_prior, L, D: np.log(np.exp(log_prior + L) + eps)


_TERM_MISTAKES: dict[str, dict[str, Any]] = {  # of what the bits add, in ln p(x, t = k) and in the posterior
    "the factor (1 - mu_i)^(1 - x_i) is lost: x_i = 0 adds ln(1 - mu_i)": {"terms": lambda X, mu: X * np.log(mu)},
    "the factor mu_i^x_i is lost: x_i = 1 adds ln mu_i": {"terms": lambda X, mu: (1 - X) * np.log(1 - mu)},
    "x is missing: ln mu_i is added for every feature, x_i = 0 too, which adds ln(1 - mu_i)": {
        "terms": lambda X, mu: np.log(mu) + 0 * X
    },
    "the exponents are missing: ln mu_i belongs to x_i = 1 alone, ln(1 - mu_i) to x_i = 0": {
        "terms": lambda X, mu: np.log(mu * (1 - mu)) + 0 * X
    },
    "the factor 1 - x_i is lost: ln(1 - mu_i) belongs to the bits 0 alone": {
        "terms": lambda X, mu: X * np.log(mu) + np.log(1 - mu)
    },
    "the factor x_i is lost: ln mu_i belongs to the bits 1 alone": {
        "terms": lambda X, mu: np.log(mu) + (1 - X) * np.log(1 - mu)
    },
    "mu_i and 1 - mu_i are swapped: mu_i is the probability of x_i = 1": {
        "terms": lambda X, mu: _log_of_bits(1 - X, mu)
    },
    "ln(1 - mu_i) is not 1 - ln mu_i": {"terms": lambda X, mu: X * np.log(mu) + (1 - X) * (1 - np.log(mu))},
    "the sign of (1 - x_i) ln(1 - mu_i) is wrong: both terms are added": {
        "terms": lambda X, mu: X * np.log(mu) - (1 - X) * np.log(1 - mu)
    },
    "ln p is not x_i mu_i + (1 - x_i)(1 - mu_i): the logarithms of mu_i and 1 - mu_i are missing": {
        "terms": lambda X, mu: X * mu + (1 - X) * (1 - mu)
    },
    "the sum over the features is a mean here: a product has no 1/D": {"total": lambda L: L.mean(axis=1)},
    "the prior is lost: the factor p(t = k), pi or 1 - pi, is missing": {"prior": lambda pi: (0.0, 0.0)},
    "the priors are swapped: pi is that of t = 1, 1 - pi that of t = 0": {
        "prior": lambda pi: (np.log(pi), np.log(1 - pi))
    },
    "the prior is added as it is; its logarithm belongs to the logarithms": {"prior": lambda pi: (1 - pi, pi)},
    "the prior is there D times, within the sum over the features; it is one factor": {
        "joined": lambda log_prior, L, D: L + D * log_prior
    },
    "the logarithm of the prior is multiplied by the sum; it is added": {
        "joined": lambda log_prior, L, D: log_prior * L
    },
}
_MODEL_STOPS = {
    "Python scalars": "mu_1 and mu_0 are arrays: np.log takes them entry by entry, math.log takes one number",
    "OverflowError": "math.exp stops where np.exp gives inf",
    "ZeroDivisionError": "both probabilities round to 0 for D = 2000: compare their logarithms",
    **dict.fromkeys(
        ("math domain error", "positive input"),  # as older and newer versions of Python say it
        "the product rounds to 0 for D = 2000: add the logarithms of its factors",
    ),
    "truth value": "the scores are arrays: np.where, np.maximum and np.abs take them entry by entry",
    "matmul": "X (N, D) and a vector (D,): X @ np.log(mu_1) sums over the features, an entry for each sample",
    "broadcast": "X (N, D) and mu_1 (D,) meet feature by feature; a sum over the features, axis=1, is of shape (N,)",
}


def _model_cases(rng):
    def one(label, X, pi, mu_1, mu_0):
        return Case(label, (X, float(pi), mu_1, mu_0), {"N": X.shape[0], "D": X.shape[1]})

    def bits(*mus):
        return np.array([rng.uniform(size=len(mu)) < mu for mu in mus]).astype(int)

    def close(mu):
        """μ so near mu that the posterior of any sample is neither 0 nor 1."""
        return special.sigmoid(np.log(mu / (1 - mu)) + rng.normal(size=len(mu)) / len(mu) ** 0.5)

    def few(N, D):
        mu_1, mu_0 = rng.uniform(0.15, 0.85, (2, D))
        X = bits(*[(mu_1 + mu_0) / 2] * N)
        X[0], X[1] = 1, np.arange(D) % 2  # ones and zeros in any case
        return X, mu_1, mu_0

    X, mu_1, mu_0 = few(6, 4)
    first = one("ordinary data", X, rng.uniform(0.2, 0.4), mu_1, mu_0)
    X, mu_1, mu_0 = few(5, 7)
    second = one("more features than samples", X, rng.uniform(0.6, 0.8), mu_1, mu_0)
    mu_0 = rng.uniform(0.2, 0.8, 2000)
    mu_1 = close(mu_0)
    third = one("D = 2000, the classes alike", bits(*[mu_0] * 4, *[mu_1] * 3), rng.uniform(0.3, 0.45), mu_1, mu_0)
    mu_1, mu_0 = rng.uniform(0.8, 0.9, 2000), rng.uniform(0.1, 0.2, 2000)
    fourth = one("D = 2000, the classes far apart", bits(mu_1, mu_0, mu_0, mu_1, mu_0), 0.7, mu_1, mu_0)
    mu_0 = rng.uniform(0.02, 0.1, 2000)
    mu_1 = close(mu_0)
    X = np.vstack([bits(mu_0, mu_1, mu_0), 1 - bits(mu_1, mu_0)])
    return [first, second, third, fourth, one("D = 2000, samples unlike both classes", X, 0.6, mu_1, mu_0)]


joint_log_likelihood = Exercise(
    stars=2,
    notes="C 4.2",
    ask="ln p(x, t = k) of naive Bayes on bits, for every sample and class: (N, 2), column 0 the class t = 0, column 1 "
    "the class t = 1. X (N, D) holds the samples, a row of 0 and 1 each; pi = p(t = 1) is a number, mu_1 and mu_0 (D,) "
    "hold p(x_i = 1|t = 1) and p(x_i = 1|t = 0); none of them is 0 or 1. D reaches 2000: the result must be finite "
    "and right there.",
    hints=(
        "A product of 2000 numbers near 1/2 is 1e-602, and a float ends at 1e-308. What is the logarithm of a product?",
        "Column k: ln p(t = k) + Σ_i {x_i ln mu_ik + (1 - x_i) ln(1 - mu_ik)}, p(t = 0) = 1 - pi. X @ v sums over i.",
    ),
    answer=_log_joint_of_bits,
    variant=_log_joint,
    mistakes={
        "right for few features, but the product of 2000 rounds to 0, ln 0 is -inf: sum the logarithms": {
            "total": lambda L: np.log(np.exp(L).prod(axis=1))
        },
        **{
            f"{eps} in the logarithm hides that the product rounds to 0 and is wrong there: sum the logarithms": {
                "joined": _raised(eps)
            }
            for eps in (1e-300, 1e-100, 1e-15, 1e-12)
        },
        **{
            f"{eps} beside the product in the logarithm hides that it rounds to 0: sum the logarithms": {
                "total": lambda L, eps=eps: np.log(np.exp(L).prod(axis=1) + eps)
            }
            for eps in (1e-300, 1e-100, 1e-15, 1e-12)
        },
        **_TERM_MISTAKES,
        "both columns have the prior pi; that of t = 0 is 1 - pi": {"prior": lambda pi: (np.log(pi), np.log(pi))},
        "the sign of ln p(t = k) is wrong: it is added": {"joined": lambda log_prior, L, D: L - log_prior},
        "the columns are swapped: column k is the class t = k, so t = 0 comes first": {"finish": lambda A: A[:, ::-1]},
        "the logarithm is missing: that is p(x, t = k), which rounds to 0 for D = 2000": {"finish": np.exp},
        "the logarithms are natural ones; you took log2": {"finish": lambda A: A / np.log(2)},
        "the logarithms are natural ones; you took log10": {"finish": lambda A: A / np.log(10)},
        "that is ln p(t = k|x), divided by p(x); here x and t together are asked for": {
            "finish": lambda A: A - special.logsumexp(A)[:, None]
        },
        "that is ln p(x), both classes together; a column for each class is asked for": {"finish": special.logsumexp},
        "that is ln p(x, t = 1) - ln p(x, t = 0), the log odds; a column for each class is asked for": {
            "finish": lambda A: A[:, 1] - A[:, 0]
        },
        "the sum runs over the samples too: that is one number for each class": {"finish": lambda A: A.sum(axis=0)},
        "axis=0 sums over the samples; the product of p(x|t = k) runs over the features of a sample, axis=1": {
            "total": lambda L: L.sum(axis=0)
        },
        "the sum runs over samples and features; each sample has its own, axis=1": {"total": np.sum},
    },
    stops=_MODEL_STOPS,
    cases=_model_cases,
    factors={"-": "ln p is negative, and nothing turns it round here"},
    also_right=(
        lambda X, pi, mu_1, mu_0: np.column_stack(
            [
                np.log(p) + np.where(X == 1, np.log(mu), np.log1p(-mu)).sum(axis=1)
                for p, mu in ((1 - pi, mu_0), (pi, mu_1))
            ]
        ),
        lambda X, pi, mu_1, mu_0: [
            [np.log(np.append(np.where(x, m, 1 - m), p)).sum() for p, m in ((1 - pi, mu_0), (pi, mu_1))] for x in X
        ],
        lambda X, pi, mu_1, mu_0: (
            np.log([1 - pi, pi])
            + X @ np.log([mu_0 / (1 - mu_0), mu_1 / (1 - mu_1)]).T
            + np.log([1 - mu_0, 1 - mu_1]).sum(axis=1)
        ),
        lambda X, pi, mu_1, mu_0: naive_bayes.log_joint(naive_bayes.bernoulli(pi, mu_1, mu_0), X),
    ),
)


def _odds_posterior(X, pi, mu_1, mu_0):
    a = naive_bayes.log_odds(naive_bayes.bernoulli(pi, mu_1, mu_0), X)
    return special.sigmoid(a)


def _of_log_odds(f):
    return lambda A: f(A[:, 1] - A[:, 0])


def _of_products(f):
    return lambda A: f(*np.exp(A).T)


def _nb_posterior(X, pi, mu_1, mu_0, *, finish=lambda A: special.sigmoid(A[:, 1] - A[:, 0]), **switches):
    return _log_joint(X, pi, mu_1, mu_0, finish=finish, **switches)


def _without_own_maximum(A):
    E = np.exp(A - A.max())
    return E[:, 1] / E.sum(axis=1)


nb_posterior = Exercise(
    stars=2,
    notes="C 4, C 4.3",
    ask="The posterior p(t = 1|x) of naive Bayes on bits, one for every sample: (N,). X (N, D) holds the samples, a "
    "row of 0 and 1 each; pi = p(t = 1) is a number, mu_1 and mu_0 (D,) hold p(x_i = 1|t = 1) and p(x_i = 1|t = 0); "
    "none of them is 0 or 1. D reaches 2000, and p(x, t = 1)/p(x, t = 0) lies beyond e^1000 and below e^-1000 for some "
    "samples: the result must be right there.",
    hints=(
        "With D = 2000 both p(x, t = k) round to 0, but their ratio need not: write its logarithm a as a sum.",
        "p(t = 1|x) = σ(a), a = ln p(x, t = 1) - ln p(x, t = 0), and σ(a) = 1/(1 + e^-a) is right for a = ±1000 too.",
    ),
    answer=_odds_posterior,
    variant=_nb_posterior,
    mistakes={
        "right for few features, but nan, 0/0, for 2000: both products round to 0; σ(a) takes a, a sum of logarithms": {
            "finish": _of_products(lambda p, q: q / (p + q))
        },
        "both products round to 0 for D = 2000, and 0/0 is made 0: σ(a) takes a, a sum of logarithms": {
            "finish": _of_products(lambda p, q: np.nan_to_num(q / (p + q)))
        },
        "both products round to 0 for D = 2000, and 0/0 is made 1/2: σ(a) takes a, a sum of logarithms": {
            "finish": _of_products(lambda p, q: np.nan_to_num(q / (p + q), nan=0.5))
        },
        "both products round to 0 for D = 2000, and 0/0 is made 1: σ(a) takes a, a sum of logarithms": {
            "finish": _of_products(lambda p, q: np.nan_to_num(q / (p + q), nan=1.0))
        },
        "p(x) rounds to 0 for D = 2000, and ln p(x) is -inf: ln p(x) = m + ln Σ_k e^(A_k - m), m the larger A_k": {
            "finish": lambda A: np.exp(A[:, 1] - np.log(np.exp(A).sum(axis=1)))
        },
        "a is right, but e^a/(1 + e^a) is inf/inf for a = 1000; 1/(1 + e^-a) is the same, and 1 there": {
            "finish": _of_log_odds(lambda a: np.exp(a) / (1 + np.exp(a)))
        },
        "one maximum for all samples: far below it e^0 and e^1 are both 0, and 0/0 is nan; each has its own": {
            "finish": _without_own_maximum
        },
        **_TERM_MISTAKES,
        "not normalised: that is p(x, t = 1), which rounds to 0 for D = 2000; divide by p(x)": {
            "finish": lambda A: np.exp(A[:, 1])
        },
        "not normalised: that is p(x|t = 1), without prior and without p(x)": {
            "finish": lambda A: np.exp(A[:, 1]),
            "prior": lambda pi: (0.0, 0.0),
        },
        "those are the odds p(x, t = 1)/p(x, t = 0); the denominator is p(x), both classes together": {
            "finish": _of_log_odds(np.exp)
        },
        "that is a, the logarithm of the odds; its σ is missing": {"finish": _of_log_odds(lambda a: a)},
        "that is ln p(t = 1|x); the logarithm is to be undone": {
            "finish": _of_log_odds(lambda a: -special.softplus(-a))
        },
        "reversed: that is p(t = 0|x) = 1 - p(t = 1|x)": {"finish": _of_log_odds(lambda a: special.sigmoid(-a))},
        "reversed: p(t = 0|x), by e^-a/(1 + e^-a), inf/inf for a = -1000": {
            "finish": _of_log_odds(lambda a: np.exp(-a) / (1 + np.exp(-a)))
        },
        "that is the predicted class, 1 where a > 0; its probability is asked for": {
            "finish": _of_log_odds(lambda a: a > 0)
        },
        "both posteriors are there, (N, 2); p(t = 1|x) is column 1": {"finish": special.softmax},
        "the logarithms are divided by each other; ln p(x, t = k) are to be turned into probabilities first": {
            "finish": lambda A: A[:, 1] / A.sum(axis=1)
        },
        "that is tanh(a/2) = 2σ(a) - 1, between -1 and 1; a probability is σ(a)": {
            "finish": _of_log_odds(lambda a: np.tanh(a / 2))
        },
        "the softmax runs over the samples (axis 0); it must run over the two classes, axis 1": {
            "finish": lambda A: special.softmax(A, axis=0)[:, 1]
        },
        "the logarithms are natural ones; you took log10, and e^ does not undo it": {
            "finish": _of_log_odds(lambda a: special.sigmoid(a / np.log(10)))
        },
        "the logarithms are natural ones; you took log2, and e^ does not undo it": {
            "finish": _of_log_odds(lambda a: special.sigmoid(a / np.log(2)))
        },
    },
    stops=_MODEL_STOPS,
    cases=_model_cases,
    also_right=(
        lambda X, pi, mu_1, mu_0: 1 / (1 + np.exp(-np.diff(_log_joint(X, pi, mu_1, mu_0))[:, 0])),
        lambda X, pi, mu_1, mu_0: special.softmax(_log_joint(X, pi, mu_1, mu_0))[:, 1],
        lambda X, pi, mu_1, mu_0: np.exp((A := _log_joint(X, pi, mu_1, mu_0))[:, 1] - np.logaddexp(*A.T)),
        lambda X, pi, mu_1, mu_0: [
            1 / (1 + (1 - pi) / pi * np.prod(np.where(x, mu_0 / mu_1, (1 - mu_0) / (1 - mu_1)))) for x in X
        ],
        lambda X, pi, mu_1, mu_0: naive_bayes.posterior(naive_bayes.bernoulli(pi, mu_1, mu_0), X)[:, 1],
    ),
)


def _has_impossible_value(X, t, x, k):
    """Is there a value x_i that no sample of class k has, so that p(x|t = k) is 0?"""
    return not (X[t == k] == x).any(axis=0).all()


def _two_zeros():
    X = np.array([[1, 0], [1, 0], [0, 1]])  # class 1 never has x_2 = 1, class 0 never x_1 = 1
    t, x = np.array([1, 1, 0]), np.array([1, 1])
    return X, t, x


zero_over_zero = Construction(
    stars=2,
    notes="C 4.4, errata C17, C18",
    ask="Return (X, t, x): samples X (N, D) of bits 0 and 1, their classes t (N,), 0 and 1, both there, and a new x "
    "(D,) of bits for which the posterior p(t = 1|x) is 0/0 with the maximum-likelihood estimates of naive Bayes, "
    "although each value x_i occurs in column i of X: it is new to a class, not to the data. With Laplace smoothing of "
    "mu_1 and mu_0 it must be a number other than 1/2.",
    hints=(
        "One factor 0 makes p(x|t = 1) zero: a value x_i that no sample of class 1 has. And p(x|t = 0)?",
        "Two features: class 1 never has x_2 = 1, class 0 never x_1 = 1. Unequal classes keep smoothing off 1/2.",
    ),
    returns=("X", "t", "x"),
    requirements=(
        Requirement(
            "X must be a matrix (N, D), t of shape (N,) and x of shape (D,)",
            lambda X, t, x: (
                np.ndim(X) == 2 and np.size(X) > 0 and (np.shape(t), np.shape(x)) == ((len(X),), X[0].shape)
            ),
            ([[1, 0], [0, 1]], [1, 0], [[1, 1]]),
        ),
        Requirement(
            "X and x must hold 0 and 1 only",
            lambda X, t, x: np.isin(X, (0, 1)).all() and np.isin(x, (0, 1)).all(),
            ([[1, -1], [-1, 1]], [1, 0], [1, 1]),
        ),
        Requirement(
            "t must hold 0 and 1 only, and both: of a missing class mu itself is 0/0, and smoothing leaves its prior 0",
            lambda X, t, x: np.array_equal(np.unique(t), (0, 1)),
            ([[1, 0], [0, 1]], [1, 1], [1, 1]),
        ),
        Requirement(
            "x is a sample of X: in its own class no factor is 0; take an x that does not occur",
            lambda X, t, x: not (X == x).all(axis=1).any(),
            ([[1, 0], [0, 1]], [1, 0], [1, 0]),
        ),
        Requirement(
            "some x_i is a value that no sample has; each is to occur in its column of X, in one class at least",
            lambda X, t, x: (X == x).any(axis=0).all(),
            ([[1, 0], [0, 0], [1, 0]], [1, 0, 1], [1, 1]),
        ),
        Requirement(
            "no class gives x the probability 0: each x_i occurs in both classes; let it be missing in one",
            lambda X, t, x: _has_impossible_value(X, t, x, 0) or _has_impossible_value(X, t, x, 1),
            ([[1, 0], [0, 1], [1, 0], [0, 1]], [1, 1, 0, 0], [1, 1]),
        ),
        Requirement(
            "only one class gives x the probability 0: the posterior is 0 or 1, a decision; both classes must",
            lambda X, t, x: _has_impossible_value(X, t, x, 0) and _has_impossible_value(X, t, x, 1),
            ([[1, 0], [0, 1], [1, 0]], [1, 1, 0], [1, 1]),
        ),
        Requirement(
            "0/0 it is, but with smoothing the posterior is 1/2, which decides nothing: make the classes unequal",
            lambda X, t, x: abs(naive_bayes.log_odds(naive_bayes.fit(X, t), x[None])[0]) > 1e-9,
            ([[1, 0], [0, 1]], [1, 0], [1, 1]),
        ),
    ),
    example=_two_zeros,
)


def _logit(p):
    return np.log(p / (1 - p))


def _linear(
    pi,
    mu_1,
    mu_0,
    *,
    weights=lambda mu_1, mu_0: _logit(mu_1) - _logit(mu_0),
    prior=_logit,
    zeros=lambda mu_1, mu_0: np.log((1 - mu_1) / (1 - mu_0)),
    total=np.sum,
    finish=lambda w, b: (w, b),
):
    """b = prior of pi + total of zeros, what a feature adds where x_i = 0."""
    return finish(weights(mu_1, mu_0), prior(pi) + total(zeros(mu_1, mu_0)))


def _weights_and_bias(pi, mu_1, mu_0):
    return naive_bayes.as_linear(naive_bayes.bernoulli(pi, mu_1, mu_0))


def _linear_cases(rng):
    def one(label, D, pi, low, high):
        return Case(label, (float(pi), *rng.uniform(low, high, (2, D))), {"D": D})

    return [
        one("ordinary data", 4, rng.uniform(0.2, 0.4), 0.1, 0.9),
        one("pi above 1/2", 3, rng.uniform(0.6, 0.9), 0.1, 0.9),
        one("one feature", 1, rng.uniform(0.1, 0.3), 0.2, 0.8),
        one("mu near 0", 6, rng.uniform(0.01, 0.1), 0.001, 0.02),
        one("200 features", 200, 0.3, 0.1, 0.9),
    ]


nb_as_linear = Exercise(
    stars=3,
    notes="C 4, C 4.3",
    ask="Naive Bayes on bits is a linear classifier: return (w, b), w (D,) and b a number, such that p(t = 1|x) = "
    "σ(w·x + b) for every x of D bits. pi = p(t = 1) is a number, mu_1 and mu_0 (D,) hold p(x_i = 1|t = 1) and "
    "p(x_i = 1|t = 0); none of them is 0 or 1. Logarithms are natural ones.",
    hints=(
        "p(t = 1|x) = σ(a): write a = ln p(x, t = 1)/p(x, t = 0) as a sum over i. What multiplies x_i, what is left?",
        "x_i ln mu_i + (1 - x_i) ln(1 - mu_i) = x_i ln mu_i/(1 - mu_i) + ln(1 - mu_i); b also holds ln pi/(1 - pi).",
    ),
    answer=_weights_and_bias,
    variant=_linear,
    mistakes={
        "Σ_i ln (1 - mu_i1)/(1 - mu_i0) is lost in b: it is there for x = 0 already": {
            "zeros": lambda mu_1, mu_0: 0.0 * mu_1
        },
        "w_i = ln mu_i1/mu_i0 is what x_i = 1 adds; less what x_i = 0 adds, ln (1 - mu_i1)/(1 - mu_i0)": {
            "weights": lambda mu_1, mu_0: np.log(mu_1 / mu_0)
        },
        "the factor (1 - mu_i)^(1 - x_i) is lost in w and in b: x_i = 0 tells the classes apart too": {
            "weights": lambda mu_1, mu_0: np.log(mu_1 / mu_0),
            "zeros": lambda mu_1, mu_0: 0.0 * mu_1,
        },
        "the prior odds are lost in b: ln pi/(1 - pi) is missing": {"prior": lambda pi: 0.0},
        "b holds ln pi/(1 - pi); you took ln pi alone": {"prior": np.log},
        "b holds ln pi/(1 - pi); you took ln(1 - pi) alone": {"prior": lambda pi: np.log(1 - pi)},
        "ln pi/(1 - pi) is upside down: t = 1 stands above": {"prior": lambda pi: -_logit(pi)},
        "the logarithm is missing: b holds ln pi/(1 - pi), you took pi/(1 - pi)": {"prior": lambda pi: pi / (1 - pi)},
        "the logarithm is missing: b holds ln pi/(1 - pi), you took pi": {"prior": lambda pi: pi},
        "ln pi + ln(1 - pi) is no ratio: the odds pi/(1 - pi) have the logarithm ln pi - ln(1 - pi)": {
            "prior": lambda pi: np.log(pi) + np.log(1 - pi)
        },
        "the sign of w is wrong: t = 1 stands above in the ratios; b is right": {
            "weights": lambda mu_1, mu_0: _logit(mu_0) - _logit(mu_1)
        },
        "the sign of Σ_i ln (1 - mu_i1)/(1 - mu_i0) is wrong: t = 1 stands above": {
            "zeros": lambda mu_1, mu_0: np.log((1 - mu_0) / (1 - mu_1))
        },
        "mu_1 and mu_0 are swapped, in w and in b; ln pi/(1 - pi) is right": {
            "weights": lambda mu_1, mu_0: _logit(mu_0) - _logit(mu_1),
            "zeros": lambda mu_1, mu_0: np.log((1 - mu_0) / (1 - mu_1)),
        },
        "b sums ln (1 - mu_i1)/(1 - mu_i0), for x = 0; you summed ln mu_i1/mu_i0, for x = 1": {
            "zeros": lambda mu_1, mu_0: np.log(mu_1 / mu_0)
        },
        "b sums ln (1 - mu_i1)/(1 - mu_i0); you summed the w_i": {
            "zeros": lambda mu_1, mu_0: _logit(mu_1) - _logit(mu_0)
        },
        "class 0 is lost in b: the sum holds ln (1 - mu_i1)/(1 - mu_i0), you took ln(1 - mu_i1)": {
            "zeros": lambda mu_1, mu_0: np.log(1 - mu_1)
        },
        "the logarithm is missing in the sum of b: ln (1 - mu_i1)/(1 - mu_i0)": {
            "zeros": lambda mu_1, mu_0: (1 - mu_1) / (1 - mu_0)
        },
        "w_i is the logarithm of mu_i1(1 - mu_i0)/(mu_i0(1 - mu_i1)); you took the ratio itself": {
            "weights": lambda mu_1, mu_0: mu_1 * (1 - mu_0) / (mu_0 * (1 - mu_1))
        },
        "class 0 is lost in w: ln mu_i1/(1 - mu_i1), less the same of mu_i0": {
            "weights": lambda mu_1, mu_0: _logit(mu_1)
        },
        "that is what a bit 0 adds, ln (1 - mu_i1)/(1 - mu_i0); w_i is ln mu_i1/mu_i0 less that": {
            "weights": lambda mu_1, mu_0: np.log((1 - mu_1) / (1 - mu_0))
        },
        "w_i is ln mu_i1/mu_i0 less ln (1 - mu_i1)/(1 - mu_i0); you added it": {
            "weights": lambda mu_1, mu_0: np.log(mu_1 / mu_0) + np.log((1 - mu_1) / (1 - mu_0))
        },
        "the two logits are added in w; w_i is that of mu_i1 less that of mu_i0": {
            "weights": lambda mu_1, mu_0: _logit(mu_1) + _logit(mu_0)
        },
        "w_i is no difference of the mu; the difference of their logarithms ln mu_i/(1 - mu_i) is asked for": {
            "weights": lambda mu_1, mu_0: mu_1 - mu_0
        },
        "b is a number: sum ln (1 - mu_i1)/(1 - mu_i0) over the features": {"total": lambda terms: terms},
        "b sums over the features; you took their mean": {"total": np.mean},
        "the order is (w, b); you returned (b, w)": {"finish": lambda w, b: (b, w)},
        "w is summed: it has an entry for each feature": {"finish": lambda w, b: (w.sum(), b)},
        "the logarithms are natural ones; you took log2": {"finish": lambda w, b: (w / np.log(2), b / np.log(2))},
        "the logarithms are natural ones; you took log10": {"finish": lambda w, b: (w / np.log(10), b / np.log(10))},
    },
    stops=_MODEL_STOPS,
    cases=_linear_cases,
    factors={"-": "that is σ(w·x + b) = p(t = 0|x); in a the class t = 1 stands above"},
    also_right=(
        lambda pi, mu_1, mu_0: naive_bayes.as_linear(naive_bayes.bernoulli(pi, mu_1, mu_0)),
        lambda pi, mu_1, mu_0: (
            np.log(mu_1) - np.log(mu_0) - np.log1p(-mu_1) + np.log1p(-mu_0),
            np.log(pi) - np.log(1 - pi) + np.log1p(-mu_1).sum() - np.log1p(-mu_0).sum(),
        ),
        lambda pi, mu_1, mu_0: (
            (A := np.diff(_log_joint(np.eye(len(mu_1) + 1, len(mu_1)), pi, mu_1, mu_0))[:, 0])[:-1] - A[-1],
            A[-1],
        ),
        lambda pi, mu_1, mu_0: [
            [float(_logit(p) - _logit(q)) for p, q in zip(mu_1, mu_0, strict=True)],
            np.append(np.log((1 - mu_1) / (1 - mu_0)), _logit(pi)).sum(),
        ],
    ),
)

"""Exercises of chapter 08, naive Bayes (note C 4). A sample is a row of bits; t = 1 is note C's C_1, t = 0 its C_2."""

import numpy as np

from linmodels import naive_bayes, special

from .grading.by_hand import ByHand, once
from .grading.checker import Case, Construction, Exercise, Requirement, same_samples

chapter = "08"


def _fit_cases(rng):
    cases = []
    for N, d, n_1, zeros in ((14, 3, 5, 0), (17, 4, 11, 0), (11, 3, 4, 3), (10, 3, 1, 0), (9, 1, 4, 0)):
        t = rng.permutation((np.arange(N) < n_1).astype(int))
        X = (rng.uniform(size=(N, d)) < rng.uniform(0.3, 0.7, (2, d))[t]).astype(int)
        X[:2], X[2:4] = 0, 1  # no column without a 0 or a 1
        X = np.column_stack([X, *(t, 1 - t, 0 * t)[:zeros]])  # columns that are always 0 or 1 in a class
        cases.append(Case(f"{n_1} of {N} samples in class 1, {X.shape[1]} features", (X, t)))
    return cases


def _shares(X, t):
    mu = [X[t == k].sum(axis=0) / np.sum(t == k) for k in (1, 0)]
    return np.mean(t == 1), *mu


_COUNTS = (  # mistakes with smoothing and without
    ("np.sum(t == k)", "len(t)", "N stands below where N_k belongs: mu_k is a share in class k"),
    ("np.sum(t == k)", "X.sum(axis=0)", "that is p(t = k|x_i = 1), a share of all ones; mu_k is p(x_i = 1|t = k)"),
    ("np.sum(t == k)", "t.sum() if k else 1 - t.sum()", "class 0 has Σ (1 - t) samples, not 1 - Σ t (erratum C15)"),
    ("X[t == k].sum(axis=0)", "X.sum(axis=0)", "you counted the ones of all samples: mu_k counts in class k alone"),
    ("np.mean(t == 1)", "np.sum(t == 1)", "pi is a share: divide the number of samples with t = 1 by N"),
    ("np.mean(t == 1)", "0.5", "pi is estimated, N_1/N; you took 1/2, as if both classes were equally likely"),
    ("*mu", "mu[0], 1 - mu[0]", "mu_0 is not 1 - mu_1: it comes from the samples with t = 0"),
    ("mu = ", "t = 1 - t; mu = ", "the classes are swapped everywhere: pi and mu_1 belong to t = 1"),
)

bernoulli_nb_fit = Exercise(
    stars=1,
    notes="C 4.2, erratum C15",
    ask="Return (pi, mu_1, mu_0), the maximum-likelihood estimates of naive Bayes on bits, without smoothing: pi = "
    "p(t = 1), a number, and mu_1 and mu_0 (d,), where entry i of mu_k is p(x_i = 1|t = k). X (N, d) holds the "
    "samples, a row of 0 and 1 each; t (N,) holds the class of each, 0 or 1, and both occur.",
    hints=(
        "p(x_i = 1|t = k) looks at the samples of class k alone: which share of them has x_i = 1?",
        "X[t == 1] are the rows of class 1, and the mean of bits, column by column (axis=0), is the share of ones.",
    ),
    answer=_shares,
    mistakes=(
        *_COUNTS,
        (" / np.sum(t == k)", "", "those are the numbers of ones: divide by the number of samples of the class"),
        (".sum(axis=0) / np.sum(t == k)", ".mean(axis=1)", "axis=1 is the share of ones in each sample; take axis=0"),
        ("mu = ", "return _smoothed_shares(X, t); mu = ", "that is Laplace smoothing; maximum likelihood adds nothing"),
    ),
    cases=_fit_cases,
    returns=("pi", "mu_1", "mu_0"),
)


def _model_cases(rng):
    def one(label, pi, mu_1, mu_0, *rows):
        X = (rng.uniform(size=(len(rows), len(mu_1))) < rows).astype(int)  # a sample is drawn by each mu in rows
        return Case(label, (X, float(pi), mu_1, mu_0), {"N": len(X), "d": len(mu_1)})

    few, many, low = rng.uniform(0.15, 0.85, (2, 4)), rng.uniform(0.2, 0.8, 2000), rng.uniform(0.02, 0.1, 2000)
    noise = rng.normal(size=(2, 2000)) / 2000**0.5  # so small that no posterior is 0 or 1
    alike, alow = special.sigmoid(special.logit(np.array([many, low])) + noise)
    ends = np.abs(np.arange(5) % 2 - 10.0 ** -rng.uniform(9, 12, (2, 5)))  # near 0 and near 1 in turns
    up, down = rng.uniform(0.8, 0.9, 2000), rng.uniform(0.1, 0.2, 2000)
    return [
        one("ordinary data", rng.uniform(0.2, 0.4), *few, np.ones(4), np.arange(4) % 2, *[few.mean(axis=0)] * 4),
        one("d = 2000, the classes alike", rng.uniform(0.3, 0.45), alike, many, *[many] * 4, *[alike] * 3),
        one("d = 2000, the classes far apart", 0.7, up, down, up, down, down, up, down),
        one("d = 2000, samples unlike both classes", 0.6, alow, low, low, alow, low, 1 - alow, 1 - low),
        one("mu near 0 and near 1, pi near 0", 1e-6, *ends, np.ones(5), np.zeros(5), np.arange(5) < 3),
        one("one sample, p(t = 1|x) tiny", 0.4, up[:60], down[:60], down[:60]),
    ]


def _log_joint(X, pi, mu_1, mu_0):
    prior, mu = np.array([1 - pi, pi]), np.array([mu_0, mu_1]).T
    A = np.log(prior) + X @ np.log(mu) + (1 - X) @ np.log(1 - mu)
    return A


def _posterior(X, pi, mu_1, mu_0):
    prior, mu = np.array([1 - pi, pi]), np.array([mu_0, mu_1]).T
    A = np.log(prior) + X @ np.log(mu) + (1 - X) @ np.log(1 - mu)
    a = A[:, 1] - A[:, 0]
    return special.sigmoid(a)


_TERMS = (  # mistakes in ln p(x, t = k) and in the posterior
    (" + (1 - X) @ np.log(1 - mu)", "", "what the zeros add is missing: ln(1 - mu_i) where x_i = 0"),
    ("(1 - X) @", "np.ones_like(X) @", "the factor 1 - x_i is missing: ln(1 - mu_i) belongs to the bits 0 alone"),
    ("X @ np.log(mu)", "np.log(mu).sum(axis=0)", "the factor x_i is missing: ln mu_i belongs to the bits 1 alone"),
    ("A = np", "X = 1 - X; A = np", "mu_i and 1 - mu_i are swapped: mu_i is the probability of x_i = 1"),
    ("np.log(mu) + (1 - X) @ np.log(1 - mu)", "mu + (1 - X) @ (1 - mu)", "the logarithms of mu and 1 - mu are missing"),
    ("[mu_0, mu_1]", "[mu_1, mu_0]", "mu_1 and mu_0 are swapped: mu_1 belongs to t = 1, mu_0 to t = 0"),
    ("[1 - pi, pi]", "[pi, 1 - pi]", "the priors are swapped: pi is that of t = 1, 1 - pi that of t = 0"),
    ("np.log(prior) + ", "", "the prior is missing: the factor p(t = k) is pi or 1 - pi"),
    ("np.log(prior)", "prior", "the logarithm of the prior is missing: add ln pi or ln(1 - pi)"),
    ("np.log(prior)", "X.shape[1] * np.log(prior)", "you added the logarithm of the prior d times: add it once"),
)

_EPS = (1e-300, 1e-100, 1e-15, 1e-12, 1e-10)
joint_log_likelihood = Exercise(
    stars=2,
    notes="C 4.2",
    ask="Return ln p(x, t = k) of naive Bayes on bits: (N, 2), a row for each sample, column k for the class t = k, 0 "
    "or 1. X (N, d) holds the samples, rows of 0 and 1; pi = p(t = 1) is a number, mu_1 and mu_0 (d,) hold p(x_i = "
    "1|t = 1) and p(x_i = 1|t = 0); none of them is 0 or 1. d may be 2000: the result must be finite and right there.",
    hints=(
        "A product of 2000 numbers near 1/2 is 1e-602, and a float ends at 1e-308. What is the logarithm of a product?",
        "Column k: ln p(t = k) + Σ_i {x_i ln mu_ik + (1 - x_i) ln(1 - mu_ik)}, p(t = 0) = 1 - pi. X @ v sums over i.",
    ),
    answer=_log_joint,
    mistakes=(
        *_TERMS,
        ("return A", "return np.log(np.exp(A))", "the product rounds to 0 for d = 2000: sum the logarithms"),
        *(("return A", f"return np.log(np.exp(A) + {e})", f"{e} hides that a product is 0: sum ln") for e in _EPS),
        ("return A", "return A - special.logsumexp(A)[:, None]", "that is ln p(t = k|x): do not divide by p(x)"),
        ("return A", "return special.logsumexp(A)", "that is ln p(x), of both classes: return a column for each class"),
    ),
    cases=_model_cases,
)

nb_posterior = Exercise(
    stars=2,
    notes="C 4, C 4.3",
    ask="Return the posterior p(t = 1|x) of naive Bayes on bits, (N,). X (N, d) holds samples, rows of 0 and 1; pi = "
    "p(t = 1) is a number, mu_1 and mu_0 (d,) hold p(x_i = 1|t = 1) and p(x_i = 1|t = 0); none of them is 0 or 1. "
    "d may be 2000, and p(x, t = 1)/p(x, t = 0) above e^1000 or below e^-1000. A tiny posterior must have the right "
    "digits: 1e-30 is not 0.",
    hints=(
        "With d = 2000 both p(x, t = k) round to 0, but their ratio need not: write its logarithm a as a sum.",
        "p(t = 1|x) = σ(a), a = ln p(x, t = 1) - ln p(x, t = 0), and σ(a) = 1/(1 + e^-a) is right for a = ±1000 too.",
    ),
    answer=_posterior,
    mistakes=(
        *_TERMS,
        ("special.sigmoid(a)", "np.exp(A[:, 1]) / np.exp(A).sum(axis=1)", "0/0 for d = 2000: both products round to 0"),
        ("special.sigmoid(a)", "np.exp(a) / (1 + np.exp(a))", "e^a/(1 + e^a) is inf/inf: use 1/(1 + e^-a)"),
        ("special.sigmoid(a)", "(E := np.exp(A - A.max()))[:, 1] / E.sum(1)", "subtract from each row its own maximum"),
        ("special.sigmoid(a)", "1 - special.sigmoid(-a)", "1 - p(t = 0|x) and 1 + tanh(a/2) round a tiny p to 0: σ(a)"),
        ("special.sigmoid(a)", "np.exp(A[:, 1])", "that is p(x, t = 1), not normalized: divide by p(x)"),
        ("special.sigmoid(a)", "np.exp(a)", "those are the odds p(x, t = 1)/p(x, t = 0): return the probability σ(a)"),
        ("[1 - pi, pi]", "[1, pi]", "the prior of t = 0 is missing: 1 - pi"),
        (
            "special.sigmoid(a)",
            "np.clip(special.sigmoid(a), 1e-15, 1)",
            "a tiny posterior was clipped to 1e-15: it has digits",
        ),
        ("special.sigmoid(a)", "a", "that is a, the logarithm of the odds: return σ(a)"),
        ("special.sigmoid(a)", "a > 0", "that is the predicted class, 1 where a > 0: return its probability"),
        ("special.sigmoid(a)", "special.softmax(A)", "both posteriors are there, (N, 2): p(t = 1|x) is column 1"),
    ),
    cases=_model_cases,
)


def _linear(pi, mu_1, mu_0):
    ones, zeros = np.log(mu_1 / mu_0), np.log((1 - mu_1) / (1 - mu_0))  # what x_i = 1 adds, and what x_i = 0 adds
    return ones - zeros, np.log(pi / (1 - pi)) + np.sum(zeros)


nb_as_linear = Exercise(
    stars=3,
    notes="C 4, C 4.3",
    ask="Return (w, b), w (d,) and b a number, such that the posterior of naive Bayes on bits is p(t = 1|x) = "
    "σ(w·x + b) for every x of d bits. pi = p(t = 1) is a number, mu_1 and mu_0 (d,) hold p(x_i = 1|t = 1) and "
    "p(x_i = 1|t = 0); none of them is 0 or 1. Logarithms are natural ones.",
    hints=(
        "p(t = 1|x) = σ(a): write a = ln p(x, t = 1)/p(x, t = 0) as a sum over i. What multiplies x_i, what is left?",
        "x_i ln mu_i + (1 - x_i) ln(1 - mu_i) = x_i ln mu_i/(1 - mu_i) + ln(1 - mu_i); b also holds ln pi/(1 - pi).",
    ),
    answer=_linear,
    mistakes=(
        (" + np.sum(zeros)", "", "Σ_i ln (1 - mu_i1)/(1 - mu_i0) is missing in b: it is there even for x = 0"),
        ("+ np.sum(", "- np.sum(", "the sign of Σ_i ln (1 - mu_i1)/(1 - mu_i0) is wrong: add it"),
        ("np.sum(zeros)", "np.sum(ones)", "you summed ln mu_i1/mu_i0 in b: for x = 0 it is ln (1 - mu_i1)/(1 - mu_i0)"),
        ("np.sum(zeros)", "zeros", "b is a number: sum ln (1 - mu_i1)/(1 - mu_i0) over the features"),
        ("np.log(pi / (1 - pi)) + ", "", "the prior is missing in b: add ln pi/(1 - pi)"),
        ("np.log(pi / (1 - pi))", "np.log(pi)", "you took ln pi alone: b holds ln pi/(1 - pi)"),
        ("np.log(pi / (1 - pi))", "np.log(1 / pi - 1)", "the priors are swapped in b: it holds ln pi/(1 - pi)"),
        ("np.log(pi / (1 - pi))", "pi / (1 - pi)", "the logarithm of pi/(1 - pi) is missing in b"),
        ("ones - zeros", "ones", "w_i = ln mu_i1/mu_i0 is what x_i = 1 adds: subtract what x_i = 0 adds"),
        ("ones - zeros", "ones + zeros", "you added ln (1 - mu_i1)/(1 - mu_i0) in w: subtract it"),
    ),
    cases=lambda rng: [
        Case(f"d = {d}, mu {low:g} to {high:g}", (rng.uniform(0.1, 0.9), *rng.uniform(low, high, (2, d))), {"d": d})
        for d, low, high in ((4, 0.1, 0.9), (1, 0.2, 0.8), (3000, 0.3, 0.7), (5, 1e-12, 1e-9), (3, 0.999, 1 - 1e-9))
    ],
    returns=("w", "b"),
    factors={"-": "that gives σ(w·x + b) = p(t = 0|x)"},
)


def _zeros(X, t, x):
    """How many classes k have no sample with one of the x_i, so that p(x|t = k) is 0?"""
    return sum(not (np.array(X)[np.array(t) == k] == x).any(axis=0).all() for k in (0, 1))


_MAILS = np.array([[1, 0], [1, 0], [0, 0], [0, 0], [0, 1], [0, 1], [0, 1], [0, 0], [0, 0], [0, 0]])  # ch08-zero-code
_SPAM = np.repeat([1, 0], [4, 6])


def _two_zeros():
    return np.array([[1, 0], [1, 0], [0, 1]]), np.array([1, 1, 0]), np.array([1, 1])


_BITS = [[1, 0], [0, 1]]
_OLD = "x is a sample of X: in its own class no factor is 0; take an x that does not occur"
_NEVER = "no sample has one of the values x_i; each must occur in its column of X, in one class at least"
zero_over_zero = Construction(
    stars=2,
    notes="C 4.4, errata C17, C18",
    ask="Return (X, t, x): X (N, d) of bits 0 and 1, t (N,) that holds both classes 0 and 1, and a new x (d,) of bits "
    "whose posterior p(t = 1|x) is 0/0 with the maximum-likelihood estimates of naive Bayes, although each x_i occurs "
    "in column i of X: it is new to a class, not to the data. With Laplace smoothing of the mu it must not be 1/2.",
    hints=(
        "One factor 0 makes p(x|t = 1) zero: a value x_i that no sample of class 1 has. And p(x|t = 0)?",
        "Two features: class 1 never has x_2 = 1, class 0 never x_1 = 1. Unequal classes keep smoothing off 1/2.",
    ),
    returns=("X", "t", "x"),
    requirements=(
        Requirement(
            "X must be a matrix (N, d), t of shape (N,) and x of shape (d,)",
            lambda X, t, x: np.ndim(X) == 2 and X.size and (np.shape(t), np.shape(x)) == ((len(X),), X[0].shape),
            (_BITS, [1, 0], [[1, 1]]),
        ),
        Requirement(
            "X, t and x must hold only 0 and 1, and t both of them: without samples even mu is 0/0",
            lambda X, t, x: np.isin(X, (0, 1)).all() and np.isin(x, (0, 1)).all() and set(t) == {0, 1},
            (_BITS, [1, 1], [1, 1]),
        ),
        Requirement(_OLD, lambda X, t, x: not (X == x).all(axis=1).any(), (_BITS, [1, 0], [1, 0])),
        Requirement(_NEVER, lambda X, t, x: (X == x).any(axis=0).all(), ([[1, 0], [0, 0]], [1, 0], [1, 1])),
        Requirement(
            lambda X, t, x: f"{_zeros(X, t, x)} of the 2 classes give x the probability 0; for 0/0 both classes must",
            lambda X, t, x: _zeros(X, t, x) == 2,
            ([*_BITS, [1, 0]], [1, 1, 0], [1, 1]),
        ),
        Requirement(
            "it is 0/0, but with smoothing the posterior is 1/2, which decides nothing: make the classes unequal",
            lambda X, t, x: abs(naive_bayes.log_odds(naive_bayes.fit(X, t), x[None])[0]) > 1e-9,
            (_BITS, [1, 0], [1, 1]),
        ),
    ),
    example=_two_zeros,
    printed=lambda X, t, x: any(same_samples((X[:, ::order], _MAILS), (t, _SPAM)) for order in (1, -1)),
)


def _counts():
    X, t = np.array([[1, 0], [1, 1], [1, 0], [1, 1], [0, 1], [0, 0], [0, 1]]), np.array([1, 1, 1, 0, 0, 0, 0])
    model = naive_bayes.fit(X, t, smoothing=1.0)
    (win, hello), prior = model.mu.T, model.prior
    joint = prior * win * (1 - hello)  # p(10, class)
    p = joint / joint.sum()
    return prior[1], win[1], p[1]


_JOINT = "prior * win * (1 - hello)"
counts_by_hand = ByHand(
    stars=1,
    notes="C 4.3, C 4.4",
    ask="Give three numbers, with a pencil. Seven mails have two bits each: 1 if it says 'win', then 1 if it says "
    "'hello'. The three spam mails are 10, 11, 10; the four others 11, 01, 00, 01. Smooth the shares of the words by "
    "Laplace (in each class, one mail more with the word and one without), not those of the classes. Give p(spam), "
    "p(win | spam) and p(spam | 10), to three digits.",
    hints=(
        "p(win | spam) is a count over a count, each with the mails that Laplace adds.",
        "p(10 | spam) = p(win | spam) (1 - p(hello | spam)). Multiply by p(spam); the same without spam; divide.",
    ),
    returns=("p(spam)", "p(win | spam)", "p(spam | 10)"),
    answer=_counts,
    mistakes=(
        ("smoothing=1.0", "smoothing=0.0", "you did not smooth: Laplace adds one mail with the word and one without"),
        ("smoothing=1.0", "smoothing=1.0, prior_smoothing=1.0", "the shares of the classes are not smoothed here"),
        (_JOINT, "prior * win * hello", "that is p(spam | 11): 'hello' is not in this mail"),
        (_JOINT, "win * (1 - hello)", "p(spam | 10) needs the shares of the classes, too"),
        (_JOINT, "prior * win", "the second bit is left out of p(spam | 10): this mail does not say 'hello'"),
        ("p[1]", "p[0]", "p(spam) and p(win | spam) are right; the last is that of the other class"),
        ("model.mu.T", "model.mu.T * [6 / 5, 5 / 4]", "Laplace adds two mails to a class: both count below the line"),
        ("prior[1], win[1], p", "100 * prior[1], 100 * win[1], 100 * p", "give probabilities, numbers between 0 and 1"),
    ),
    cases=once,
)


def _laplace(z, M):
    n, N = np.bincount(z, minlength=M), len(z)
    return (n + 1) / (N + M)


_SMOOTHED = (  # mistakes with the values of one feature and of d
    ("N + M", "N + 1", "you added 1 in the denominator: add M, one for each value"),
    ("N + M", "N + 2", "you added 2 in the denominator, which fits bits: add M, one for each value"),
    ("N + M", "N", "M is missing in the denominator: the estimates sum to more than 1"),
    ("(n + 1)", "n", "the 1 is missing in the numerator: a value that does not occur still gets 0"),
    ("(n + 1) / (N + M)", "(n + 1 / M) / (N + 1)", "you added 1/M to each count; Laplace adds 1"),
    ("(n + 1) / (N + M)", "n + 1 / (N + M)", "brackets are missing: this divides the 1 alone, not n + 1"),
)


laplace_categorical = Exercise(
    stars=1,
    notes="C 4.4, errata C20, C22",
    ask="Return phi (M,), Laplace's estimates of the probabilities of M values: entry v is the smoothed estimate of "
    "p(z = v). z (m,) holds m observations, whole numbers 0..M-1 (note C counts its k values from 1), and M is given: "
    "some values may not occur in z.",
    hints=(
        "Every value counts as seen once more than it was. How many observations are there then, with M values?",
        "np.bincount(z, minlength=M) counts all M values, also those that do not occur; the M estimates sum to 1.",
    ),
    answer=_laplace,
    mistakes=(
        *_SMOOTHED,
        ("N + M", "N + np.sum(n > 0)", "you added the number of values that occur: M counts all values"),
        ("(z, minlength=M)", "(z)[np.unique(z)]", "values that do not occur have no entry: phi has M entries"),
        ("np.bincount(z, minlength=M)", "np.isin(range(M), z)", "counts[z] += 1 counts each value only once"),
        ("n, N = ", "M = z.max() + 1; n, N = ", "you took max(z) + 1 for M: the last values may not occur"),
        ("z, minlength=M", "z", "phi ends at the largest value that occurs: np.bincount(z, minlength=M)"),
        ("z, minlength=M)", "z, minlength=M + 1)[1:]", "the values are 0..M-1; you counted 1..M"),
    ),
    cases=lambda rng: [
        Case(f"the values occur {n} times", (rng.permutation(np.repeat(range(M), n)), M), {"m": sum(n), "M": M})
        for M, n in ((4, [1, 2, 4, 0]), (5, [3, 1, 0, 2, 5]), (8, [0, 1, 3, 2, 0, 0, 0, 0]), (2, [3, 2]), (1, [4]))
    ],
    factors={"M": "the M estimates sum to 1", "m": "the M estimates sum to 1"},
)


def _smoothed_shares(X, t):
    mu = [(X[t == k].sum(axis=0) + 1) / (np.sum(t == k) + 2) for k in (1, 0)]
    return np.mean(t == 1), *mu


laplace_fit = Exercise(
    stars=2,
    notes="C 4.4, erratum C19",
    ask="Return (pi, mu_1, mu_0), the estimates of naive Bayes on bits with Laplace smoothing, as note C writes them: "
    "pi = p(t = 1), a number, is not smoothed; mu_1 and mu_0 (d,) are, and entry i of mu_k is p(x_i = 1|t = k). X "
    "(N, d) holds the samples, a row of 0 and 1 each; t (N,) the class of each, 0 or 1, and both occur.",
    hints=(
        "Smoothing pretends that every value had been seen once more than it was. How many values has a bit?",
        "In class k one more 0 and one more 1: (ones of class k + 1)/(samples of class k + 2). pi stays a mean.",
    ),
    answer=_smoothed_shares,
    mistakes=(
        *_COUNTS,
        ("np.mean(t == 1)", "(t.sum() + 1) / (len(t) + 2)", "you smoothed pi too; note C does not (erratum C19)"),
        (" + 2)", " + 1)", "you added 1 in the denominator: it is N_k + 2, one for each value of a bit"),
        (" + 2)", ")", "the 2 is missing in the denominator, one for each value of a bit"),
        (" + 1)", ")", "the 1 is missing in the numerator: where no sample of class k has a 1, mu is still 0"),
    ),
    cases=_fit_cases,
    returns=("pi", "mu_1", "mu_0"),
)


def _category_shares(X, M):
    n, N = np.stack([np.sum(X == v, axis=0) for v in range(M)], axis=1), len(X)
    return (n + 1) / (N + M)


category_shares = Exercise(
    stars=2,
    notes="C 4.3, C 4.4, erratum C20",
    ask="Return the smoothed shares theta (d, M) of one class: theta_iv = (N_iv + 1)/(N + M), where N_iv counts the "
    "samples with x_i = v. X (N, d) holds the samples of this class, whole numbers 0..M-1, and M is given: some values "
    "may not occur.",
    hints=(
        "Take one value v: X == v is a matrix of True and False. In which direction must it be summed?",
        "np.sum(X == v, axis=0) counts for each feature. Stack these for v = 0..M-1 as columns, axis=1.",
    ),
    answer=_category_shares,
    mistakes=(
        *_SMOOTHED,
        ("N + M", "N + X.shape[1]", "you added d, the number of features: add M, the number of values"),
        ("np.sum(X == v, axis=0) for", "np.full(X.shape[1], np.sum(X == v)) for", "count for each feature: axis=0"),
        ("in range(M)", "in range(1, M + 1)", "the values are 0..M-1; you counted 1..M"),
        ("return", "n, N = n.sum(axis=0) + 0 * n, X.size; return", "you counted the values in all columns together"),
    ),
    cases=lambda rng: [
        Case(f"{N} samples, {d} features, {M} values", (rng.integers(0, seen, (N, d)), M), {"N": N, "d": d, "M": M})
        for N, d, M, seen in ((7, 3, 4, 3), (4, 2, 6, 6), (8, 1, 3, 3), (10, 3, 2, 2))
    ],
    factors={"M": "the M shares of a feature sum to 1", "N": "the M shares of a feature sum to 1"},
)

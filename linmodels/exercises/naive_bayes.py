"""Exercises of chapter 08, naive Bayes (note C 4). A sample is a row of bits; t = 1 is note C's C_1, t = 0 its C_2."""

import numpy as np

from linmodels import datasets, naive_bayes, special

from .grading.before import Question
from .grading.by_hand import ByHand, once
from .grading.checker import Case, Construction, Exercise, Requirement, same_samples
from .grading.derive import Derivation
from .grading.kinds import Loop, Project, per_cent_wrong, share_wrong
from .grading.prove import Decoy, Line, Proof

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


nb_posterior = Exercise(
    stars=1,
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


_BIT_1, _BIT_0 = "u**x*(1 - u)**(1 - x)", "v**x*(1 - v)**(1 - x)"
_PIECE_1, _PIECE_0 = "ln(u/v)", "ln((1 - u)/(1 - v))"
_PRIOR = "ln(pi/(1 - pi))"

posterior_as_sigmoid = Derivation(
    stars=2,
    notes="C 4, C 4.3",
    ask="One bit x. Class 1 has the prior pi and p(x = 1|C_1) = u; class 0 has 1 - pi and v. So p(x|C_1) = x*u + "
    "(1 - x)*(1 - u): a switch again. By Bayes' rule the first line is p(C_1|x). Turn it, one rule a line, into the "
    "sigmoid of a score in which x stands once. s(a) is σ(a) = 1/(1 + exp(-a)).",
    hints=(
        "As x is 0 or 1, the two switches can be written as powers, whose logarithm is easy to take.",
        "σ(a) has the numerator 1. By what must numerator and denominator be divided? What is e^-a then?",
        "The logarithm of a product is a sum, and an exponent goes before it. Then collect what is multiplied by x.",
    ),
    start="pi*(x*u + (1 - x)*(1 - u))/(pi*(x*u + (1 - x)*(1 - u)) + (1 - pi)*(x*v + (1 - x)*(1 - v)))",
    letters={"x": "0 or 1", "pi": "probability", "u": "probability", "v": "probability"},
    free_of=("exp",),
    once=("x",),
    lines=(
        f"pi*{_BIT_1}/(pi*{_BIT_1} + (1 - pi)*{_BIT_0})",
        f"1/(1 + (1 - pi)*{_BIT_0}/(pi*{_BIT_1}))",
        f"s({_PRIOR} + ln({_BIT_1}/({_BIT_0})))",
        f"s({_PRIOR} + x*{_PIECE_1} + (1 - x)*{_PIECE_0})",
        f"s({_PRIOR} + {_PIECE_0} + x*({_PIECE_1} - {_PIECE_0}))",
    ),
    slips=(
        (1, f"pi*{_BIT_1}/(pi*{_BIT_1} + (1 - pi)*{_BIT_1})", "does not follow"),
        (2, f"1/(1 + pi*{_BIT_1}/((1 - pi)*{_BIT_0}))", "does not follow"),
        (3, f"s(ln({_BIT_1}/({_BIT_0})))", "does not follow"),
        (3, f"s({_PRIOR} - ln({_BIT_1}/({_BIT_0})))", "the sign before"),
        (4, f"s({_PRIOR} + x*{_PIECE_1} - (1 - x)*{_PIECE_0})", "the sign before"),
        (5, f"s({_PRIOR} + x*({_PIECE_1} - {_PIECE_0}))", "does not follow"),
        (5, f"s({_PRIOR} + {_PIECE_0} + x*{_PIECE_1})", "does not follow"),
        (1, f"s({_PRIOR} + {_PIECE_0} + x*({_PIECE_1} - {_PIECE_0}))", "take one at a time"),
    ),
)


def _mails_to_weigh(rng):
    N1, N0 = rng.permutation([6, 8, 9, 10, 12, 14, 15])[:2]
    counts = [int(rng.integers(1, N)) for N in (N1, N0, N1, N0)]
    return [Case("your mails", (int(N1), int(N0), *counts))]


def _mail_by_hand(N1, N0, a1, a0, b1, b0):
    pi, u1, u0, v1, v0 = N1 / (N1 + N0), a1 / N1, a0 / N0, b1 / N1, b0 / N0
    w = np.log(u1 * (1 - u0) / (u0 * (1 - u1)))
    b = np.log(pi / (1 - pi)) + np.log((1 - u1) / (1 - u0)) + np.log((1 - v1) / (1 - v0))
    p = special.sigmoid(w + b)
    return w, b, p


_W = "w = np.log(u1 * (1 - u0) / (u0 * (1 - u1)))"
_B = "b = np.log(pi / (1 - pi)) + np.log((1 - u1) / (1 - u0)) + np.log((1 - v1) / (1 - v0))"

mail_by_hand = ByHand(
    stars=1,
    notes="C 4.3",
    ask="A line with a pencil. Of N1 spam mails a1 have the word A and b1 the word B; of the N0 others a0 and b0 have "
    "them. Nothing is smoothed. Give to three digits (1) the weight w of the word A in the score, (2) the bias b, (3) "
    "p(spam) of a new mail with A and without B. The counts are your own: check.me('your name') deals them.",
    hints=(
        "The weight is what a 1 adds, minus what a 0 adds. For both you need the two shares of A.",
        "The bias is the score of the empty mail: the prior speaks, and so does each word that is not there.",
    ),
    answer=_mail_by_hand,
    returns=("w", "b", "p"),
    one_by_one=True,
    mistakes=(
        (_W, "w = np.log(u1 / u0)", "w: that is what a 1 adds; subtract what a 0 adds"),
        (
            _W,
            "w = np.log(u0 * (1 - u1) / (u1 * (1 - u0)))",
            "w: the classes are exchanged: a positive w speaks for spam",
        ),
        (_W, "w = np.log(u1 * (1 - u1) / (u0 * (1 - u0)))", "w: what a 0 adds is subtracted, not added"),
        (_W, "w = np.log(v1 * (1 - v0) / (v0 * (1 - v1)))", "w: that is the weight of the word B"),
        (_W, "w = np.log(a1 * (N0 + 1 - a0) / (a0 * (N1 + 1 - a1)))", "w: count the mails without A once more"),
        (_W, "w = np.log((a1 + 1) * (N0 - a0 + 1) / ((a0 + 1) * (N1 - a1 + 1)))", "w: nothing is smoothed here"),
        (_W, "w = np.log10(u1 * (1 - u0) / (u0 * (1 - u1)))", "w: the logarithm is the natural one"),
        (_W, "w = u1 * (1 - u0) / (u0 * (1 - u1))", "w: take the logarithm of it"),
        (_W, "w = np.log(a1 / a0)", "w: those are counts: divide each by the number of mails of its class"),
        (
            _B,
            "b = np.log((1 - u1) / (1 - u0)) + np.log((1 - v1) / (1 - v0))",
            "b: the shares of the classes are missing",
        ),
        (_B, "b = np.log(pi / (1 - pi))", "b: each word that is not there speaks, too"),
        (_B, "b = np.log(pi / (1 - pi)) + np.log((1 - u1) / (1 - u0))", "b: the word B is not there, and speaks"),
        (_B, "b = np.log(pi / (1 - pi)) + np.log((1 - v1) / (1 - v0))", "b: in the empty mail A is missing, too"),
        (_B, "b = np.log(pi) + np.log((1 - u1) / (1 - u0)) + np.log((1 - v1) / (1 - v0))", "b: ln π alone? The odds"),
        (_B, "b = np.log(pi / (1 - pi)) + np.log(u1 / u0) + np.log(v1 / v0)", "b: that is the mail with both words"),
        (_B, "b = -np.log(pi / (1 - pi)) - np.log((1 - u1) / (1 - u0)) - np.log((1 - v1) / (1 - v0))", "b: the sign"),
        ("p = special.sigmoid(w + b)", "p = special.sigmoid(-w - b)", "p: that is the probability of the other class"),
        ("p = special.sigmoid(w + b)", "p = special.sigmoid(w)", "p: the bias is missing in the score"),
        ("p = special.sigmoid(w + b)", "p = special.sigmoid(b)", "p: that is the empty mail; this one has the word A"),
        ("p = special.sigmoid(w + b)", "p = np.exp(w + b)", "p: those are the odds"),
        ("p = special.sigmoid(w + b)", "p = w + b", "p: that is the score"),
        ("p = special.sigmoid(w + b)", "p = pi * u1 * (1 - v1)", "p: that is the joint probability: divide by p(x)"),
        (
            "p = special.sigmoid(w + b)",
            "p = u1 * (1 - v1) / (u1 * (1 - v1) + u0 * (1 - v0))",
            "p: the shares of the classes count, too",
        ),
        (
            "p = special.sigmoid(w + b)",
            "p = pi * u1 * v1 / (pi * u1 * v1 + (1 - pi) * u0 * v0)",
            "p: that is the mail with both words; here B is not there",
        ),
        (
            "p = special.sigmoid(w + b)",
            "p = pi * u1 / (pi * u1 + (1 - pi) * u0)",
            "p: the word B is not there, and that speaks, too",
        ),
    ),
    cases=_mails_to_weigh,
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
    stars=1,
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


def _two_words(rng):
    N1, N0 = rng.permutation([4, 5, 6, 7, 8, 9, 11, 12])[:2]
    return [Case("your mails", (int(N1), int(N0), int(rng.integers(1, N1)), 0, 0, int(rng.integers(1, N0))))]


def _smooth_by_hand(N1, N0, a1, a0, b1, b0):
    pi = N1 / (N1 + N0)
    u1, u0, v1, v0 = (a1 + 1) / (N1 + 2), (a0 + 1) / (N0 + 2), (b1 + 1) / (N1 + 2), (b0 + 1) / (N0 + 2)
    share = v1
    p = pi * u1 * v1 / (pi * u1 * v1 + (1 - pi) * u0 * v0)
    limit = pi
    return share, p, limit


_P = "p = pi * u1 * v1 / (pi * u1 * v1 + (1 - pi) * u0 * v0)"

smooth_by_hand = ByHand(
    stars=1,
    notes="C 4.3, C 4.4",
    ask="Smooth with a pencil. Of N1 spam mails a1 have the word A and b1 the word B; of the N0 others a0 and b0. The "
    "shares of the words are smoothed with s, (count + s)/(mails + 2s), those of the classes are not. Give to three "
    "digits (1) with s = 1, p(B | spam), (2) with s = 1, p(spam) of a mail with both words, (3) the number that this "
    "p(spam) comes near, if s grows without end. check.me('your name') deals your counts.",
    hints=(
        "Without smoothing the mail with both words has probability 0 in each class. What has it now?",
        "For a huge s, which number is every share of a word? What is left of Bayes' rule then?",
    ),
    answer=_smooth_by_hand,
    returns=("share", "p", "limit"),
    one_by_one=True,
    mistakes=(
        ("share = v1", "share = b1 / N1", "share: you did not smooth"),
        ("share = v1", "share = (b1 + 1) / (N1 + 1)", "share: two mails are added to a class, not one"),
        ("share = v1", "share = (b1 + 1) / N1", "share: the mails that are added count below the line, too"),
        ("share = v1", "share = u1", "share: that is the word A"),
        ("share = v1", "share = v0", "share: that is p(B | other)"),
        ("share = v1", "share = u0", "share: that is p(A | other)"),
        ("share = v1", "share = (b1 + 1) / (N1 + N0 + 2)", "share: below stand the mails of this class alone"),
        (_P, "p = u1 * v1 / (u1 * v1 + u0 * v0)", "p: the shares of the classes count, too"),
        (_P, "p = pi * u1 * v1", "p: that is the joint probability: divide by p(x)"),
        (_P, "p = (1 - pi) * u0 * v0 / (pi * u1 * v1 + (1 - pi) * u0 * v0)", "p: that is the other class"),
        (
            _P,
            "p = pi * u1 * (1 - v1) / (pi * u1 * (1 - v1) + (1 - pi) * u0 * (1 - v0))",
            "p: that is a mail with A and without B",
        ),
        (
            _P,
            "p = pi * (1 - u1) * v1 / (pi * (1 - u1) * v1 + (1 - pi) * (1 - u0) * v0)",
            "p: that is a mail with B and without A",
        ),
        (
            _P,
            "p = (N1 + 1) * u1 * v1 / ((N1 + 1) * u1 * v1 + (N0 + 1) * u0 * v0)",
            "p: the shares of the classes are not smoothed here",
        ),
        (_P, "p = pi * u1 * v1 / ((1 - pi) * u0 * v0)", "p: those are the odds"),
        (_P, "p = pi * u1 / (pi * u1 + (1 - pi) * u0)", "p: the word B is in the mail, too"),
        ("limit = pi", "limit = 0.5", "limit: the shares of the words come near ½; those of the classes stay"),
        ("limit = pi", "limit = 1 - pi", "limit: that is the other class"),
        ("limit = pi", "limit = pi / 4", "limit: divide by p(x): the factors ½ cancel"),
        ("limit = pi", "limit = pi / (1 - pi)", "limit: those are the odds"),
        ("limit = pi", "limit = 0.0", "limit: both joint probabilities shrink alike: what becomes of their quotient?"),
    ),
    cases=_two_words,
)


_SOFTMAX = "exp(a)/sum(exp(a))"

many_values = Derivation(
    stars=2,
    notes="C 4.4",
    ask="A variable has K values; n (K,) holds how often each was seen. Their probabilities are positive and sum to 1; "
    "so write them as softmax of K free scores a (K,), exp(a)/sum(exp(a)). The log-likelihood is n times their "
    "logarithms. Derive its derivative with respect to a, one rule a line, until no d and no ln is left. I is "
    "the identity, d(a, a). At the end look where it is 0.",
    hints=(
        "What is the logarithm of a quotient, and that of an exponential?",
        "n @ (a - c) with a number c is n @ a - sum(n)*c. The first part is linear in a.",
        "The derivative of ln(u) is d(u, a)/u. Leave d(u, a) for the next line.",
    ),
    start=f"d(n @ ln({_SOFTMAX}), a)",
    letters={"n": "positive K", "a": "K", "I": "identity K K"},
    free_of=("d", "ln"),
    lines=(
        "d(n @ (a - ln(sum(exp(a)))), a)",
        "d(n @ a, a) - sum(n)*d(ln(sum(exp(a))), a)",
        "n - sum(n)*d(ln(sum(exp(a))), a)",
        "n - sum(n)*d(sum(exp(a)), a)/sum(exp(a))",
        f"n - sum(n)*{_SOFTMAX}",
    ),
    slips=(
        (1, "d(n @ (a/ln(sum(exp(a)))), a)", "does not follow"),
        (2, "d(n @ a, a) - d(ln(sum(exp(a))), a)", "does not follow"),
        (2, "d(n @ a, a) + sum(n)*d(ln(sum(exp(a))), a)", "the sign before"),
        (4, "n - sum(n)/sum(exp(a))", "the inner derivative is missing"),
        (5, "n - sum(n)*sum(exp(a))/sum(exp(a))", "does not follow"),
        (5, f"n + sum(n)*{_SOFTMAX}", "the sign before"),
        (5, f"n - {_SOFTMAX}", "does not follow"),
        (1, f"n - sum(n)*{_SOFTMAX}", "take one at a time"),
    ),
)


def _all_on_one():
    return "for n = (3, 1) the share gives 3 ln ¾ + ln ¼ = -2.25, and φ = (1, 0) gives the second value ln 0, so -∞"


def _alone():
    terms = [f"{3 * np.log(phi):.2f} at {phi}" for phi in (0.75, 0.8, 0.9)]
    return f"for n = (3, 1) the first term 3 ln φ_1 is {', '.join(terms)}: alone it always grows"


def _above():
    return f"for u = 2, ln u is {np.log(2):.3f} and u - 1 is 1"


counts_are_best = Proof(
    stars=2,
    notes="C 4.4",
    ask="A slope of 0 is no proof of a maximum. m observations of K values, each seen, value j n_j times; f_j = n_j/m. "
    "Prove that no positive φ with Σφ_j = 1 makes Σ n_j ln φ_j larger than φ = f does, and that no other one makes it "
    "as large. Give the letters of the nine lines, each below what it uses; any such order is right. Three lines do "
    "not belong. After three wrong tries the letters are dealt anew.",
    hints=(
        "The curve of ln lies on one side of its tangent at 1. Put a ratio of two probabilities there.",
        "What do the φ_j sum to, and the f_j? Then the sum of their differences is known.",
    ),
    lines={
        "tangent": Line("ln u <= u - 1 for each u > 0, and ln u = u - 1 only at u = 1", "where the logarithm lies"),
        "ratio": Line("ln(φ_j/f_j) <= φ_j/f_j - 1 for each j", "the bound for one value", ("tangent",)),
        "weighted": Line("f_j ln(φ_j/f_j) <= φ_j - f_j, as f_j > 0", "the bound, times f_j", ("ratio",)),
        "sums": Line("Σφ_j = 1, and Σf_j = Σn_j/m = 1", "what both sum to"),
        "added": Line("Σ f_j ln(φ_j/f_j) <= Σφ_j - Σf_j = 0", "the sum of the bounds", ("weighted", "sums")),
        "opened": Line("m Σ f_j ln(φ_j/f_j) = Σ n_j ln φ_j - Σ n_j ln f_j", "what this sum is in counts"),
        "most": Line("Σ n_j ln φ_j <= Σ n_j ln f_j for every φ", "that no φ is better", ("added", "opened")),
        "only": Line(
            "if both are equal, then φ_j/f_j = 1 for each j", "when they are equal", ("added", "opened", "tangent")
        ),
        "claim": Line("the shares f_j = n_j/m are the only maximum", "the claim", ("most", "only")),
    },
    decoys={
        "above": Decoy("ln u >= u - 1 for each u > 0", _above),
        "alone": Decoy("each term n_j ln φ_j is largest at φ_j = f_j", _alone),
        "winner": Decoy("it is best to give all the probability to the most frequent value", _all_on_one),
    },
)


def _two_counts(rng):
    N = int(rng.integers(20, 41))
    a1, a0 = int(rng.integers(8, 16)), int(rng.integers(1, 6))
    c1, c0, V = a1 + int(rng.integers(2, 7)), a0 + int(rng.integers(1, 3)), 10 * int(rng.integers(6, 15))
    W1, W0 = (int(rng.integers(12, 25)) * 10 for _ in "10")
    return [Case("your counts", (N, a1, a0, W1, W0, c1, c0, V))]


def _words_by_hand(N, a1, a0, W1, W0, c1, c0, V):
    bits = (a1 + 1) / (N + 2) / ((a0 + 1) / (N + 2))
    words = ((c1 + 1) / (W1 + V) / ((c0 + 1) / (W0 + V))) ** 2
    return bits, words


_WORDS = "words = ((c1 + 1) / (W1 + V) / ((c0 + 1) / (W0 + V))) ** 2"
_BITS_LINE = "bits = (a1 + 1) / (N + 2) / ((a0 + 1) / (N + 2))"

words_by_hand = ByHand(
    stars=1,
    notes="C 4.1, C 4.4",
    ask="'Exam? Which exam?' Each class has N messages. In class 1, a1 messages have the word exam; together they have "
    "W1 words, and c1 of these are exam. In class 0: a0, W0, c0. V different words are known. Smooth all shares by "
    "Laplace. By what do the two exams in this message multiply the odds of class 1, to three digits, (1) in the model "
    "of bits, (2) in that of words? The counts are your own: check.me('your name') deals them.",
    hints=(
        "A bit says that the word is there. Does it say how often?",
        "In the model of words each word of the message is one more draw. From how many words is it drawn?",
    ),
    answer=_words_by_hand,
    returns=("bits", "words"),
    one_by_one=True,
    mistakes=(
        (_BITS_LINE, "bits = ((a1 + 1) / (a0 + 1)) ** 2", "bits: a bit is 1 or 0, however often the word occurs"),
        (_BITS_LINE, "bits = a1 / a0", "bits: smooth the shares"),
        (_BITS_LINE, "bits = (a0 + 1) / (a1 + 1)", "bits: that is for class 0"),
        (_BITS_LINE, "bits = (c1 + 1) / (c0 + 1)", "bits: count the messages with the word"),
        (
            _BITS_LINE,
            "bits = (a1 + 1) * (N - a0 + 1) / ((a0 + 1) * (N - a1 + 1))",
            "bits: that is e^w: there minus not",
        ),
        (_BITS_LINE, "bits = np.log((a1 + 1) / (a0 + 1))", "bits: that is the logarithm"),
        (_WORDS, "words = (c1 + 1) / (W1 + V) / ((c0 + 1) / (W0 + V))", "words: the word stands there twice"),
        (_WORDS, "words = 2 * (c1 + 1) / (W1 + V) / ((c0 + 1) / (W0 + V))", "words: two draws: do factors add?"),
        (_WORDS, "words = (c1 / W1 / (c0 / W0)) ** 2", "words: smooth the shares"),
        (_WORDS, "words = ((c1 + 1) / (W1 + 2) / ((c0 + 1) / (W0 + 2))) ** 2", "words: a draw has V values, not two"),
        (_WORDS, "words = ((c1 + 1) / W1 / ((c0 + 1) / W0)) ** 2", "words: what is added counts below the line, too"),
        (_WORDS, "words = ((c1 + 1) / (c0 + 1)) ** 2", "words: the classes do not have equally many words"),
        (_WORDS, "words = ((c0 + 1) / (W0 + V) / ((c1 + 1) / (W1 + V))) ** 2", "words: that is for class 0"),
        (_WORDS, "words = ((a1 + 1) / (W1 + V) / ((a0 + 1) / (W0 + V))) ** 2", "words: count the words, not messages"),
    ),
    cases=_two_counts,
)


def _copied(X, t, x, copies):
    """The log odds of x, where column 0 stands there so many times more."""
    extra = np.repeat(X[:, :1], copies, axis=1)
    model = naive_bayes.fit(np.hstack([X, extra]), t)
    return naive_bayes.log_odds(model, np.append(x, np.repeat(x[0], copies))[None])[0]


def _told_of_copies(X, t, x):
    p, copied = (special.sigmoid(_copied(X, t, x, k)) for k in (0, 1))
    return f"p(t = 1|x) is {p:.3f}, and with column 0 twice {copied:.3f}"


def _torn():
    X = np.zeros((16, 2))
    X[:8, 1] = 1  # the word of column 1 is in every sample of class 1
    X[[0, *range(8, 15)], 0] = 1  # that of column 0 in one of class 1, and in seven of class 0
    return X, np.repeat([1, 0], 8), np.array([1, 1])


_X_2, _T_2 = np.array([[0, 1], [0, 1], [1, 0], [1, 0]]), np.array([1, 1, 0, 0])
twice_counted = Construction(
    stars=2,
    notes="C 4.1",
    ask="Somebody writes one column of a table twice. Return (X, t, x), bits X (N, d) with d >= 2, classes t (N,) of 0 "
    "and 1, and a sample x (d,), such that naive Bayes says p(t = 1|x) > 0.6, and with column 0 written once more, in "
    "X and in x, it says p(t = 1|x) < 0.4. The shares of the bits are smoothed by Laplace, those of the classes "
    "not.",
    hints=(
        "What does a copy of column 0 add to the score, and which sign must that have?",
        "Two columns that do not agree: which of the two must speak louder, and by how much at most?",
    ),
    returns=("X", "t", "x"),
    requirements=(
        Requirement(
            "X must be a matrix (N, d) with d >= 2, t of shape (N,) and x of shape (d,)",
            lambda X, t, x: np.ndim(X) == 2 and len(X.T) > 1 and (np.shape(t), np.shape(x)) == ((len(X),), X[0].shape),
            (_X_2[:, :1], _T_2, np.array([1])),
        ),
        Requirement(
            "X, t and x must hold only 0 and 1, and t both of them",
            lambda X, t, x: np.isin(X, (0, 1)).all() and np.isin(x, (0, 1)).all() and set(t) == {0, 1},
            (_X_2, np.ones(4, int), np.array([1, 1])),
        ),
        Requirement(
            lambda X, t, x: f"{_told_of_copies(X, t, x)}: the copy must pull towards class 0",
            lambda X, t, x: _copied(X, t, x, 1) < _copied(X, t, x, 0),
            (_X_2, _T_2, np.array([0, 1])),
        ),
        Requirement(
            lambda X, t, x: f"{_told_of_copies(X, t, x)}: first it must be above 0.6",
            lambda X, t, x: special.sigmoid(_copied(X, t, x, 0)) > 0.6,
            (_X_2, _T_2, np.array([1, 1])),
        ),
        Requirement(
            lambda X, t, x: f"{_told_of_copies(X, t, x)}: then it must be below 0.4",
            lambda X, t, x: special.sigmoid(_copied(X, t, x, 1)) < 0.4,
            (np.array([[0, 1], [1, 1], [1, 0], [1, 0]]), _T_2, np.array([1, 1])),
        ),
    ),
    example=_torn,
)


def _smoothing_cases(rng):
    def one(label, sizes, d, n_1, strengths):
        N, part = sum(sizes), np.repeat(np.arange(len(sizes)), sizes)
        t = rng.permutation((np.arange(N) < n_1).astype(int))
        X = (rng.uniform(size=(N, d)) < rng.uniform(0.1, 0.9, (2, d))[t]).astype(int)
        return Case(label, (X, t, rng.permutation(part), np.array(strengths)))

    return [
        one("few samples", [6] * 3, 6, 7, [0.05, 0.4, 2.0, 30.0]),
        one("one class rare", [10] * 4, 4, 12, [3.0, 0.1, 0.7]),
        one("more features", [5] * 5, 9, 14, [0.2, 1.0, 5.0]),
        one("parts of unlike size", [2, 5, 13], 4, 8, [0.5, 1.0, 5.0]),
        one("one strength", [8] * 2, 3, 8, [1.5]),
    ]


def _best_smoothing(X, t, part, strengths):
    loss = list[float]()
    for s in strengths:
        p = np.zeros(len(t))
        for k in range(part.max() + 1):
            A, u, B = X[part != k], t[part != k], X[part == k]
            mu = np.array([(A[u == c].sum(axis=0) + s) / (np.sum(u == c) + 2 * s) for c in (0, 1)])
            scores = np.log([1 - np.mean(u), np.mean(u)]) + B @ np.log(mu).T + (1 - B) @ np.log(1 - mu).T
            p[part == k] = special.softmax(scores)[:, 1]
        loss.append(float(-np.mean(np.log(np.where(t == 1, p, 1 - p)))))
    return np.array(loss), strengths[np.argmin(loss)]


_LEARN = "X[part != k], t[part != k], X[part == k]"

best_smoothing = Loop(
    stars=2,
    notes="C 4.4",
    ask="Choose s honestly. X (N, d) are bits, t (N,) classes 0 and 1, part (N,) says in which of the parts 0, 1, ... "
    "each sample lies, strengths (S,) are values of s. For each s, and each part: learn from all samples outside of it "
    "the shares mu = (count + s)/(N_k + 2s) and pi = N_1/N, not smoothed; then take p(t|x) of those in it. Return "
    "(loss, best): loss (S,), the mean of -ln p of the true class over all N samples, and the s with the smallest.",
    hints=(
        "Inside both loops everything is learned anew, from X[part != k] and t[part != k].",
        "Keep p(t = 1|x) of each sample in an array of length N; after the last part it is full.",
    ),
    answer=_best_smoothing,
    returns=("loss", "best"),
    path="loss",
    step="strength",
    mistakes=(
        (_LEARN, "X, t, X[part == k]", "you learn from the part that is to be judged, too: leave it out"),
        (
            _LEARN,
            "X[part == k], t[part == k], X[part == k]",
            "you learn from the part itself: learn from all the others",
        ),
        ("np.sum(u == c) + 2 * s", "np.sum(u == c) + s", "below the line 2s is added, s for each value of a bit"),
        ("np.sum(u == c) + 2 * s", "np.sum(u == c) + 2", "below the line 2s is added, not 2"),
        ("(A[u == c].sum(axis=0) + s)", "(A[u == c].sum(axis=0) + 1)", "s is added above the line, not 1"),
        ("np.sum(u == c) + 2", "len(u) + 2", "N stands below where N_k belongs: mu_k is a share in class k"),
        ("[1 - np.mean(u), np.mean(u)]", "[0.5, 0.5]", "pi is missing: the classes are not equally frequent"),
        ("[1 - np.mean(u), np.mean(u)]", "[np.mean(u), 1 - np.mean(u)]", "the shares of the classes are exchanged"),
        ("[1 - np.mean(u), np.mean(u)]", "[1 - np.mean(t), np.mean(t)]", "pi is learned from the others, too"),
        (
            "[1 - np.mean(u), np.mean(u)]",
            "(np.bincount(u) + s) / (len(u) + 2 * s)",
            "pi is not smoothed here: pi = N_1/N",
        ),
        (" + (1 - B) @ np.log(1 - mu).T", "", "the bits that are 0 speak, too: ln(1 - mu_i)"),
        ("np.where(t == 1, p, 1 - p)", "p", "take p of the true class: 1 - p where t = 0"),
        ("np.where(t == 1, p, 1 - p)", "np.maximum(p, 1 - p)", "take p of the true class, not the larger one"),
        ("-np.mean(np.log(", "np.mean(np.log(", "the loss is -ln p"),
        ("-np.mean(np.log(", "-np.sum(np.log(", "the mean over the N samples is wanted, not the sum"),
        (
            "-np.mean(np.log(np.where(t == 1, p, 1 - p)))",
            "-np.mean([np.mean(np.log(np.where(t == 1, p, 1 - p))[part == k]) for k in range(part.max() + 1)])",
            "that is the mean of the parts' means: each sample counts once, whatever the size of its part",
        ),
        (
            "-np.mean(np.log(np.where(t == 1, p, 1 - p)))",
            "np.mean((p > 0.5) != t)",
            "that is the share of mistakes; the mean of -ln p is wanted",
        ),
        ("np.argmin(loss)", "np.argmax(loss)", "the best s has the smallest loss"),
        ("strengths[np.argmin(loss)]", "np.argmin(loss)", "best is the s itself, and not its place"),
        ("range(part.max() + 1)", "range(part.max())", "the last part is never left out: range(part.max() + 1)"),
    ),
    cases=_smoothing_cases,
)


def _ten_digits_data():
    digits = datasets.digits()
    return digits.X, digits.y


def _digits_only(predictions):
    return "" if np.isin(predictions, np.arange(10)).all() else "predictions must be whole numbers from 0 to 9"


def _moved_a_little(X, t, X_new):
    def moved(A):  # each picture as it is, and moved by one dot in each direction, (5, N, 64)
        P = np.pad(A.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
        return np.array(
            [P[:, i : i + 8, j : j + 8].reshape(-1, 64) for i, j in ((1, 1), (0, 1), (2, 1), (1, 0), (1, 2))]
        )

    shares, N = np.array([0.6, 0.1, 0.1, 0.1, 0.1]), np.bincount(t, minlength=10)
    seen = np.tensordot(shares, moved(X), 1)
    mu = (np.array([seen[t == k].sum(axis=0) for k in range(10)]) + 0.05) / (N[:, None] + 0.1)
    prior = (N + 1) / (len(t) + 10)  # a digit may be missing among fifty
    scores = [np.log(prior) + A @ np.log(mu).T + (1 - A) @ np.log(1 - mu).T for A in moved(X_new)]
    return np.argmax(np.logaddexp.reduce(np.log(shares)[:, None, None] + scores), axis=1)


fifty_pictures = Project(
    stars=2,
    notes="C 4",
    ask="Fifty pictures. Learn ten digits from 53 pictures, about five of each, read the other 1744. Write a function "
    "of X (bits), t (0 to 9; a digit may be missing) and X_new that returns a digit for each row of X_new, found "
    "without the other rows: naive Bayes, or what you make of it. Judged on 32 splits that your name deals: at most "
    "23.0 % wrong in the mean. Naive Bayes has about 28 % with s = 1, and about 24 % with the best s.",
    hints=(
        "With five pictures of a digit, how far does Laplace's 1 move a share? And what if a digit is missing?",
        "A 3 that stands one dot further left is still a 3. What does this tell of new pictures, and of the 53?",
    ),
    data=_ten_digits_data,
    score=share_wrong,
    said=per_cent_wrong,
    mark=0.23,
    splits=32,
    share=0.03,
    doubt=0.1,
    outputs=_digits_only,
    turned=lambda predictions: 9 - predictions,
    answer=_moved_a_little,
)


bernoulli_nb_fit = Exercise(
    stars=0,
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


_EPS = (1e-300, 1e-100, 1e-15, 1e-12, 1e-10)
joint_log_likelihood = Exercise(
    stars=0,
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


def _linear(pi, mu_1, mu_0):
    ones, zeros = np.log(mu_1 / mu_0), np.log((1 - mu_1) / (1 - mu_0))  # what x_i = 1 adds, and what x_i = 0 adds
    return ones - zeros, np.log(pi / (1 - pi)) + np.sum(zeros)


nb_as_linear = Exercise(
    stars=0,
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


def _counts():
    X, t = np.array([[1, 0], [1, 1], [1, 0], [1, 1], [0, 1], [0, 0], [0, 1]]), np.array([1, 1, 1, 0, 0, 0, 0])
    model = naive_bayes.fit(X, t, smoothing=1.0)
    (win, hello), prior = model.mu.T, model.prior
    joint = prior * win * (1 - hello)  # p(10, class)
    p = joint / joint.sum()
    return prior[1], win[1], p[1]


_JOINT = "prior * win * (1 - hello)"
counts_by_hand = ByHand(
    stars=0,
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
    ("N + M", "(N * M)", "N and M are multiplied below the line: add them, one observation more for each value"),
    ("(n + 1) / (N + M)", "n + 1 / (N + M)", "brackets are missing: this divides the 1 alone, not n + 1"),
)


laplace_categorical = Exercise(
    stars=0,
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
    stars=0,
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
        (" + 2)", " + X.shape[1])", "you added d in the denominator: it is N_k + 2, one for each value of a bit"),
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
    stars=0,
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


_MAIL_X = np.array([[1, 0], [1, 0], [1, 1], [0, 0], [0, 1], [0, 1], [1, 1], [0, 0], [0, 1], [0, 0]])  # ch08-kinds-code


def _ten_mails(x, s=0.0):
    """p(spam) of the mail x by the ten mails of the chapter."""
    model = naive_bayes.fit(_MAIL_X, _SPAM, smoothing=s)
    return naive_bayes.posterior(model, [x])[0, 1]


def _both_words(s):
    return naive_bayes.posterior(naive_bayes.fit(_MAILS, _SPAM, smoothing=s), [[1, 1]])[0, 1]


before = {
    "ch08-mail": Question(
        lambda: _ten_mails([1, 0]),
        {
            "that is the joint probability of spam and this mail; compare it with the other one": lambda: 0.225,
            "that is the other class": lambda: _ten_mails([1, 0], 0.0) * -1 + 1,
            "the shares of the two classes count, too": lambda: 0.5625 / (0.5625 + 1 / 18),
            "the second word is not in the mail: that has a probability, too": lambda: 0.3 / (0.3 + 0.1),
            "that is the mail with both words": lambda: _ten_mails([1, 1]),
            "those are the odds": lambda: 6.75,
        },
    ),
    "ch08-free": Question(
        lambda: [1023, 10],
        {
            "the probabilities of all samples sum to 1: one of them is not free": lambda: [1024, 10],
            "a bit has two values, whose probabilities sum to 1": lambda: [1023, 20],
            "both at once: the list sums to 1, and so do the two values of a bit": lambda: [1024, 20],
            "each bit doubles the number of samples": lambda: [19, 10],
        },
    ),
    "ch08-three": Question(
        lambda: 0.288,
        {
            "the bits that are 0 have a probability, too": lambda: 0.9,
            "for a bit that is 0 the factor is 1 - μ": lambda: 0.108,
            "independent events: their probabilities are multiplied": lambda: 2.1,
        },
    ),
    "ch08-tiny": Question(
        lambda: 1075,
        {
            "2^-1074 is a number that the computer has; with which factor does it become 0?": lambda: 1074,
            "that many factors of one tenth? A factor is one half here": lambda: 324,
        },
    ),
    "ch08-xor": Question(
        lambda: [0.5, 0.5, 0],
        {
            "which samples of class 1 have bit 1? And which of class 0?": lambda: [1, 0, 0],
            "both shares are right; the weight is the logarithm of a quotient": lambda: [0.5, 0.5, 1],
            "count in each class for itself: it has two corners": lambda: [0.25, 0.25, 0],
        },
    ),
    "ch08-lottery": Question(
        lambda: 1,
        {
            "a share of 0 is a factor 0: which class has it?": lambda: 0,
            "that is the joint probability with spam; divide by p(x)": lambda: 0.2,
            "what is the share of *lottery* among the others?": lambda: 0.4,
        },
        decimals=6,  # exactly 1
    ),
    "ch08-both": Question(
        lambda: _both_words(1.0),
        {
            "that is the other class": lambda: 1 - _both_words(1.0),
            "the shares of the classes count, too": lambda: 4 / 7,
            "that is the joint probability of spam: divide by p(x)": lambda: 1 / 30,
            "one mail more with the word and one without: two below the line": lambda: _both_words(0.5),
        },
    ),
    "ch08-fifteen": Question(
        lambda: [2 / 12, 5 / 12, 5 / 12],
        {
            "those are not smoothed": lambda: [1 / 9, 4 / 9, 4 / 9],
            "three values: below the line three are added, not two": lambda: [2 / 11, 5 / 11, 5 / 11],
            "the shares of the nine are asked, not of all fifteen": lambda: [2 / 18, 5 / 18, 5 / 18],
        },
    ),
    "ch08-copy": Question(
        lambda: 4.0,
        {
            "that is one column; now it stands there twice": lambda: 2,
            "the second column is a factor, too, and factors are multiplied": lambda: 3,
            "it changes, although nothing new is known": lambda: 1,
        },
    ),
    "ch08-shared": Question(
        lambda: 177**2 / 357,
        {
            "that is how many a test set has; how many of these are in the second one, too?": lambda: 177,
            "that is half of them; the test set has 177 of 357": lambda: 88.5,
            "the second test set is drawn from all 357, too": lambda: 0,
        },
    ),
}

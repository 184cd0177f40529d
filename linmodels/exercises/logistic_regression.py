"""Exercises of chapter 04, logistic regression (notes A 3.1-3.2, C 3.1, D 2). E is a sum, and labels t are 0 and 1."""

import numpy as np

from linmodels import logistic_regression, special

from .grading.checker import Answer, Case, Construction, Exercise, Function, Requirement, run

chapter = "04"


def _classified(rng, N, d):
    """X (N, d), whose last column is ones, and labels t (N,) of both classes."""
    X = np.column_stack([rng.normal(size=(N, d - 1)) + rng.uniform(0.2, 0.8, d - 1), np.ones(N)])
    return X, np.append([0.0, 1.0], rng.uniform(size=N - 2) < 0.6)


def _spread(rng, N, d):
    """w and X of d columns with scores from about -4 to 4, and labels on both sides: (w, X, t)."""
    X = np.column_stack([rng.permutation(np.linspace(-4, 4, N)), rng.normal(size=(N, d - 2)), np.ones(N)])
    w = np.append(1.0, 0.1 * rng.normal(size=d - 1))
    return w, X, np.where(rng.uniform(size=N) < 0.7, X[:, 0] > 0, X[:, 0] <= 0).astype(float)


def _sigmoid(a, *, of=lambda a: a, form=special.sigmoid):
    return form(of(a))


def _cut(c):
    return lambda a: np.clip(a, -c, c)


def _quotient(a):
    return np.exp(a) / (1 + np.exp(a))


def _sigmoid_cases(rng):
    return [
        Case("ordinary data", (rng.normal(size=7) * 2,)),
        Case("a matrix", (rng.normal(size=(3, 4)) * 2,)),
        Case("whole numbers", (rng.permutation(np.arange(-3, 4)),)),
        Case("-1000, 0 and 1000 among them", (np.append(rng.normal(size=3), [-1000.0, 0, 1000]),)),
        Case("a between -100 and -90, where σ(a) is e^a", (rng.uniform(-100, -90, 5),)),
    ]


sigmoid = Exercise(
    stars=1,
    notes="C 3.1, D 2, erratum D11",
    ask="The logistic function σ(a) = 1/(1 + e^-a), entry by entry. a is an array of any shape, of floats or whole "
    "numbers, and reaches from -1000 to 1000: the result, an array of floats of the same shape, must be right there.",
    hints=(
        "1/(1 + e^-a) and e^a/(1 + e^a) are equal on paper. Which is still a number where the exponential is inf?",
        "1/(1 + inf) is 0, inf/inf is nan. No warning either: e^min(a, 0)/(1 + e^-|a|).",
    ),
    answer=special.sigmoid,
    variant=_sigmoid,
    mistakes={
        "right in the middle, but e^a/(1 + e^a) is inf/inf for a = 1000; 1/(1 + e^-a) is the same, and 1 there": {
            "form": _quotient
        },
        "the sign of a is wrong: that is σ(-a) = 1 - σ(a)": {"of": np.negative},
        "the sign of a is wrong: that is e^-a/(1 + e^-a) = σ(-a), and inf/inf for a = -1000": {
            "of": np.negative,
            "form": _quotient,
        },
        "that is σ(2a) = (1 + tanh a)/2, twice as steep": {"of": lambda a: 2 * a},
        "that is σ(a/2): the exponent is -a": {"of": lambda a: a / 2},
        "right for a >= 0 only: 1/(1 + e^-|a|) is σ(|a|); for a < 0 it is 1 less that": {"of": np.abs},
        "right for a <= 0 only: e^-|a|/(1 + e^-|a|) is σ(-|a|); for a > 0 it is 1 less that": {
            "of": lambda a: -np.abs(a)
        },
        "a is cut at -20: σ falls on below, and σ(-40) is e^-40 = 4e-18, not e^-20": {"of": _cut(20)},
        "a is cut at -30: σ falls on below, and σ(-40) is e^-40 = 4e-18, not e^-30": {"of": _cut(30)},
        "a is cut at -50: σ falls on below, and σ(-90) is e^-90 = 8e-40, not e^-50": {"of": _cut(50)},
        "right to 16 decimals, but 1 + tanh(a/2) and 1 - 1/(1 + e^a) are 0 for a = -40, where σ is e^-40 = 4e-18": {
            "form": lambda a: (1 + np.tanh(a / 2)) / 2
        },
        "that is tanh(a) = 2σ(2a) - 1, between -1 and 1; σ lies between 0 and 1": {"form": np.tanh},
        "that is tanh(a/2) = 2σ(a) - 1, between -1 and 1; σ lies between 0 and 1": {"form": lambda a: np.tanh(a / 2)},
        "that is a step, 1 from a = 0 on: a predicted label; σ is smooth": {"form": lambda a: a >= 0},
        "that is a step, 1 beyond a = 0, as σ rounded: a predicted label; σ itself is smooth": {
            "form": lambda a: a > 0
        },
        "that is note A's step with 1/2 at a = 0; σ is the smooth function in its place": {
            "form": logistic_regression.unit_step
        },
        "a = 0 is left out: neither a > 0 nor a < 0 holds there, and σ(0) = 1/2": {
            "form": lambda a: special.sigmoid(a) * (a != 0)
        },
        "right but for whole numbers: an array made like a (np.zeros_like, np.empty_like) then cuts σ to 0": {
            "form": lambda a: special.sigmoid(a).astype(a.dtype)
        },
        "that is the derivative σ(a)(1 - σ(a)); σ(a) itself is asked for": {"form": special.sigmoid_derivative},
        "the 1 is missing in the denominator 1 + e^-a: that is e^a, the odds": {"form": np.exp},
        "the denominator is 1 + e^-a, not 1 - e^-a": {"form": lambda a: 1 / (1 - np.exp(-a))},
        "that is 1 + e^-a, which stands below the 1: 1 / 1 + ... needs brackets, 1 / (1 + ...)": {
            "form": lambda a: 1 + np.exp(-a)
        },
        "that is e^a/(1 + e^-a), one form above and the other below: it is 1/(1 + e^-a) or e^a/(1 + e^a)": {
            "form": lambda a: np.exp(a) / (1 + np.exp(-a))
        },
        "that is -ln σ(a) = ln(1 + e^-a)": {"form": lambda a: special.softplus(-np.asarray(a))},
        "that is ln(1 + e^a), the integral of σ": {"form": special.softplus},
        "that is the inverse, ln(a/(1 - a))": {"form": lambda a: np.log(a / (1 - a))},
        "that is a softmax over the entries; here each has a denominator of its own, 1 + e^-a": {
            "form": lambda a: special.softmax(np.ravel(a)).reshape(a.shape)
        },
        "you divide by Σ e^a over the entries, inf for a = 1000; each has a denominator of its own, 1 + e^-a": {
            "form": lambda a: np.exp(a) / np.exp(a).sum()
        },
    },
    stops={
        "OverflowError": "math.exp stops where np.exp gives inf",
        "truth value": "a is an array: use np.where, np.minimum and np.abs, not if",
        "Python scalars": "a is an array: np.exp takes it entry by entry, math.exp takes one number",
    },
    cases=_sigmoid_cases,
    also_right=(
        lambda a: 1 / (1 + np.exp(-a)),
        lambda a: np.exp(-np.logaddexp(0, -a)),
        lambda a: np.exp(a - np.logaddexp(0, a)),
        lambda a: np.where(a >= 0, 1 / (1 + np.exp(-a)), np.exp(a) / (1 + np.exp(a))),
    ),
)


def _gradient(
    w,
    X,
    t,
    *,
    predicted=special.sigmoid,
    residual=lambda p, t: p - t,
    weight=lambda a: 1.0,
    product=lambda X, r, a: X.T @ r,
):
    a = X @ w
    return product(X, residual(predicted(a), t) * weight(a), a)


def _sum(X, r, a):
    return r.sum()


def _ones_behind(X):
    return np.column_stack([X, np.ones(len(X))])


def _ones_in_front(X):
    return np.column_stack([np.ones(len(X)), X])


def _gradient_cases(rng):
    def one(label, N, d):
        return Case(label, (rng.normal(size=d), *_classified(rng, N, d)), {"N": N})

    return [
        one("ordinary data", 8, 3),
        one("one feature and the ones", 11, 2),
        one("three features and the ones", 13, 4),
        Case("scores from -4 to 4", _spread(rng, 12, 3), {"N": 12}),
    ]


_SHAPES = "samples are the rows of X, and its ones are there already; in note D's formulas samples are columns"
_VECTORS = "p and t must both be of shape (N,), or p - t is a matrix (N, N); its product with X is X.T @ (p - t)"

logistic_gradient = Exercise(
    stars=1,
    notes="C 3.1, D 2, erratum D16",
    ask="The gradient (d,) of the loss E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)}, p_n = σ(w·x_n): a sum over "
    "the samples, not a mean. X (N, d) is the design matrix as given, its last column ones: add none; t (N,) holds 0 "
    "and 1; w (d,).",
    hints=(
        "Differentiate -t ln p - (1 - t) ln(1 - p) by a = w·x, with dp/da = p(1 - p): much cancels.",
        "∇E = Σ_n (p_n - t_n) x_n: which product of X and the residuals p - t is this sum?",
    ),
    answer=logistic_regression.gradient,
    variant=_gradient,
    mistakes={
        "the residuals are weighted by p(1 - p): that is the slope of Σ (p - t)²/2; in -ln p it cancels": {
            "weight": special.sigmoid_derivative
        },
        "(p - t)/(p(1 - p)) is the slope by p (and R⁻¹(p - t) of IRLS); dp/da = p(1 - p) cancels the denominator": {
            "weight": lambda a: 1 / special.sigmoid_derivative(a)
        },
        "σ is missing: Xw - t is the residual of linear regression; here it is σ(Xw) - t": {"predicted": lambda a: a},
        "p is a probability; you took the predicted label, 0 or 1": {"predicted": lambda a: a >= 0},
        "the sign of w·x in σ is wrong: you took 1 - p for p": {"predicted": lambda a: special.sigmoid(-a)},
        "you took σ' = p(1 - p) for p": {"predicted": special.sigmoid_derivative},
        "you took ln p for p": {"predicted": lambda a: -special.softplus(-a)},
        "you took e^(w·x), the odds, for p = σ(w·x)": {"predicted": np.exp},
        "you took tanh(w·x) for σ(w·x)": {"predicted": np.tanh},
        "the labels are missing: Xᵀp is only one half of Xᵀ(p - t)": {"residual": lambda p, t: p},
        "the predictions are missing: -Xᵀt is only one half of Xᵀ(p - t)": {"residual": lambda p, t: -t},
        "t was turned into -1 and +1; the residual p - t wants 0 and 1": {"residual": lambda p, t: p - 2 * t + 1},
        "the samples with t = 0 add nothing (the formula for labels -1 and +1?); here they add p x": {
            "residual": lambda p, t: t * (p - 1)
        },
        "the samples with t = 1 add nothing; they add (p - 1)x": {"residual": lambda p, t: (1 - t) * p},
        "the residuals are squared; -ln p has the slope p - t by w·x itself": {"residual": lambda p, t: (p - t) ** 2},
        "the signs of the residuals are lost: p - t is negative where t = 1": {"residual": lambda p, t: np.abs(p - t)},
        "only signs of the residuals are left: 1 - 2t for p - t": {"residual": lambda p, t: 1 - 2 * t},
        "p - t is a matrix (N, N), of a column p and a vector t: p and t must both be of shape (N,)": {
            "residual": lambda p, t: p[:, None] - t
        },
        "p - t is a matrix (N, N), of a column and a vector: p and t must both be of shape (N,)": {
            "residual": lambda p, t: p - t[:, None]
        },
        "that is the loss itself; its gradient has one entry per weight": {
            "residual": lambda p, t: -t * np.log(p) - (1 - t) * np.log(1 - p),
            "product": _sum,
        },
        "Xᵀ is missing: those are the residuals; each multiplies its own sample x_n": {"product": lambda X, r, a: r},
        "Xᵀ is missing: you only summed the residuals; each multiplies its own sample x_n first": {"product": _sum},
        "the sum over the samples is missing: that is one gradient per sample": {
            "product": lambda X, r, a: X * r[:, None]
        },
        "axis=0 is missing in the sum: you summed over the features too, one number is left": {
            "product": lambda X, r, a: np.sum(X.T @ r)
        },
        "you summed over the features of each sample (axis=1); the sum runs over the samples": {
            "product": lambda X, r, a: X.sum(axis=1) * r
        },
        "each residual multiplies its own sample x_n, not the mean of all samples": {
            "product": lambda X, r, a: r.sum() * X.mean(axis=0)
        },
        "that is Newton's step H⁻¹∇E; the gradient itself is asked for": {
            "product": lambda X, r, a: np.linalg.solve((X.T * special.sigmoid_derivative(a)) @ X, X.T @ r)
        },
        "that is (XᵀX)⁻¹ times the gradient, as in least squares; the gradient itself is asked for": {
            "product": lambda X, r, a: np.linalg.solve(X.T @ X, X.T @ r)
        },
        "X has its ones already; you added a second column of them, and the last entry comes twice": {
            "product": lambda X, r, a: _ones_behind(X).T @ r
        },
        "X has its ones already, as last column; you added ones in front, and the last entry comes first too": {
            "product": lambda X, r, a: _ones_in_front(X).T @ r
        },
        "the last entry is missing: the column of ones, the bias, has a slope too": {
            "product": lambda X, r, a: X[:, :-1].T @ r
        },
        "the last entry is 0: the column of ones, the bias, has a slope too, Σ (p - t)": {
            "product": lambda X, r, a: np.append(X[:, :-1].T @ r, 0.0)
        },
    },
    stops={
        "Python scalars": "X @ w is an array: np.exp takes it entry by entry, math.exp takes one number",
        "broadcast": _VECTORS,
        "ValueError": _SHAPES,
    },
    cases=_gradient_cases,
    factors={
        "-": "that is the gradient of the log-likelihood; ∇E = Xᵀ(p - t), note D prints it without its minus",
        "1/N": "E is a sum here; note D takes the mean",
        "2": "there is no square here whose 2 could come down",
    },
    also_right=(
        lambda w, X, t: (special.sigmoid(X @ w) - t) @ X,
        lambda w, X, t: sum((1 / (1 + np.exp(-x @ w)) - t_n) * x for x, t_n in zip(X, t, strict=True)),
        lambda w, X, t: -((y := 2 * t - 1) / (1 + np.exp(y * (X @ w)))) @ X,
        lambda w, X, t: X.T @ special.sigmoid(X @ w) - X.T @ t,
    ),
)


def _logs(a):
    """ln p and ln(1 - p)."""
    return -special.softplus(-a), -special.softplus(a)


def _rounded_logs(a):
    p = special.sigmoid(a)
    return np.log(p), np.log(1 - p)


def _clipped_logs(eps):
    def logs(a):
        p = np.clip(special.sigmoid(a), eps, 1 - eps)
        return np.log(p), np.log(1 - p)

    return logs


def _raised_logs(eps):
    def logs(a):
        p = special.sigmoid(a)
        return np.log(p + eps), np.log(1 - p + eps)

    return logs


def _log_likelihood(
    w,
    X,
    t,
    *,
    logs=_logs,
    terms=lambda a, t, lp, lq: t * lp + (1 - t) * lq,
    collect=np.sum,
):
    a = X @ w
    return collect(terms(a, t, *logs(a)))


def _likelihood_cases(rng):
    def one(label, N, d, scores=(), labels=()):
        """The first samples have these scores and labels."""
        X, t = _classified(rng, N, d)
        w = rng.normal(size=d)
        w[-1] = 0.5
        X[: len(scores), :-1] = np.outer(np.subtract(scores, 0.5), w[:-1] / (w[:-1] @ w[:-1]))
        t[: len(labels)] = labels
        return Case(label, (w, X, t), {"N": N})

    return [
        one("ordinary data", 9, 3),
        one("one feature and the ones", 7, 2),
        one("w·x = 800, t = 1 among them", 6, 3, [800], [1]),
        one("w·x = -800, t = 0 among them", 8, 3, [-800], [0]),
        one("w·x = 800, t = 0 and w·x = -800, t = 1 among them", 10, 4, [800, -800], [0, 1]),
    ]


_FINITE = "keeps the logarithms finite, but wrong where p rounds to 0 or 1; ln(1 - p) = -ln(1 + e^a) stays right"

log_likelihood = Exercise(
    stars=2,
    notes="A 3.2, C 3.1",
    ask="The log-likelihood L(w) = Σ_n [t_n ln p_n + (1 - t_n) ln(1 - p_n)], p_n = σ(w·x_n): not its negative, and a "
    "sum, not a mean. X (N, d) is the design matrix as given, its last column ones; t (N,) holds 0 and 1; w (d,). "
    "Some w·x_n are -800 or 800: the result must be right there. Return a number.",
    hints=(
        "σ(800) is 1 as a float, and ln(1 - 1) is -inf. Write ln p and ln(1 - p) with a = w·x: what is left?",
        "L = Σ_n [t_n a_n - ln(1 + e^a_n)], and ln(1 + e^a) = max(a, 0) + ln(1 + e^-|a|), or np.logaddexp(0, a).",
    ),
    answer=logistic_regression.log_likelihood,
    variant=_log_likelihood,
    mistakes={
        "right in the middle, but e^a overflows for a = 800: take np.logaddexp(0, a) for ln(1 + e^a)": {
            "terms": lambda a, t, lp, lq: t * a - np.log(1 + np.exp(a))
        },
        "right for large a, but e^-a overflows for a = -800: take np.logaddexp(0, -a) for ln(1 + e^-a)": {
            "terms": lambda a, t, lp, lq: (t - 1) * a - np.log(1 + np.exp(-a))
        },
        "p is rounded to 0 or 1 far out, and 0 · ln 0 is nan: write ln p and ln(1 - p) with a = w·x": {
            "logs": _rounded_logs
        },
        "p is rounded to 0 or 1 far out, and ln 0 is -inf for the wrong label: write the logarithms with a = w·x": {
            "logs": _rounded_logs,
            "terms": lambda a, t, lp, lq: np.where(t == 1, lp, lq),
        },
        "e^a/(1 + e^a) is inf/inf for a = 800: write ln p and ln(1 - p) with a = w·x": {
            "logs": lambda a: (np.log(_quotient(a)), np.log(1 - _quotient(a)))
        },
        "the logarithms are natural ones; you took log10, and of a p that is rounded to 0 or 1 far out": {
            "logs": lambda a: np.divide(_rounded_logs(a), np.log(10))
        },
        "the logarithms are natural ones; you took log2, and of a p that is rounded to 0 or 1 far out": {
            "logs": lambda a: np.divide(_rounded_logs(a), np.log(2))
        },
        f"p cut at 1e-15 {_FINITE}": {"logs": _clipped_logs(1e-15)},
        f"p cut at 1e-12 {_FINITE}": {"logs": _clipped_logs(1e-12)},
        f"1e-15 added {_FINITE}": {"logs": _raised_logs(1e-15)},
        f"1e-12 added {_FINITE}": {"logs": _raised_logs(1e-12)},
        f"1e-10, cut or added, {_FINITE}": {"logs": _raised_logs(1e-10)},
        f"1e-9, cut or added, {_FINITE}": {"logs": _raised_logs(1e-9)},
        "σ is missing: you took the logarithm of w·x, not of p = σ(w·x)": {
            "logs": lambda a: (np.log(a), np.log(1 - a))
        },
        "-ln(1 + e^(-t a)) is for labels -1 and +1; for t = 0 it is -ln 2, whatever w·x": {
            "terms": lambda a, t, lp, lq: -special.softplus(-t * a)
        },
        "-ln(1 + e^(-t a)) is for labels -1 and +1; and it overflows for a = -800": {
            "terms": lambda a, t, lp, lq: -np.log(1 + np.exp(-t * a))
        },
        "the labels are turned into -1 and +1, but t a - ln(1 + e^a) wants 0 and 1": {
            "terms": lambda a, t, lp, lq: (2 * t - 1) * a + lq
        },
        "t is missing: you summed ln p over all samples, also where t = 0": {"terms": lambda a, t, lp, lq: lp},
        "the samples with t = 0 are missing: they add ln(1 - p)": {"terms": lambda a, t, lp, lq: t * lp},
        "the samples with t = 1 are missing: they add ln p": {"terms": lambda a, t, lp, lq: (1 - t) * lq},
        "t a is missing: that is Σ ln(1 - p), right if all t were 0": {"terms": lambda a, t, lp, lq: lq},
        "ln(1 + e^a) is missing: Σ t a alone grows for ever with w": {"terms": lambda a, t, lp, lq: t * a},
        "ln(1 + e^a) is subtracted, not added": {"terms": lambda a, t, lp, lq: t * a - lq},
        "p and 1 - p have changed places, or w·x has the wrong sign in σ": {
            "terms": lambda a, t, lp, lq: t * lq + (1 - t) * lp
        },
        "the factor 1 - t is missing: ln(1 - p) belongs to the samples with t = 0 alone": {
            "terms": lambda a, t, lp, lq: t * lp + lq
        },
        "the factor t is missing: ln p belongs to the samples with t = 1 alone": {
            "terms": lambda a, t, lp, lq: lp + (1 - t) * lq
        },
        "the sign of (1 - t) ln(1 - p) is wrong: both terms are added": {
            "terms": lambda a, t, lp, lq: t * lp - (1 - t) * lq
        },
        "max(a, 0) is ln(1 + e^a) far from 0 only: ln(1 + e^-|a|) is missing": {
            "terms": lambda a, t, lp, lq: t * a - np.maximum(a, 0)
        },
        "the logarithms are missing: that is the sum of the probabilities p or 1 - p of the labels": {
            "terms": lambda a, t, lp, lq: t * np.exp(lp) + (1 - t) * np.exp(lq)
        },
        "those are squared errors (t - p)²; the likelihood takes ln p and ln(1 - p)": {
            "terms": lambda a, t, lp, lq: (t - np.exp(lp)) ** 2
        },
        "that is the likelihood itself, a product; its logarithm is asked for": {"collect": lambda L: np.exp(L.sum())},
        "the sum over the samples is missing: that is one term per sample": {"collect": lambda L: L},
    },
    stops={
        "OverflowError": "math.exp stops where np.exp gives inf; let no exponential exceed 1",
        "truth value": "X @ w is an array: use np.where and np.maximum, not if and max",
        "Python scalars": "X @ w is an array: np.log and np.exp take it entry by entry, math.log takes one number",
        "broadcast": "t * X @ w is (t * X) @ w: write t * (X @ w)",
        "ValueError": "samples are the rows of X, and its ones are there already: X @ w has one entry per sample",
    },
    cases=_likelihood_cases,
    factors={
        "-": "that is the loss E(w) = -L(w)",
        "1/N": "L is a sum, not a mean",
        "2": "there is no 2 here",
    },
    also_right=(
        lambda w, X, t: t @ X @ w - np.logaddexp(0, X @ w).sum(),
        lambda w, X, t: -np.logaddexp(0, np.where(t == 1, -1, 1) * (X @ w)).sum(),
        lambda w, X, t: sum(
            (t_n - (a > 0)) * a - np.log1p(np.exp(-abs(a))) for a, t_n in zip(X @ w, t.tolist(), strict=True)
        ),
    ),
)


def _hessian(
    w,
    X,
    *,
    predicted=special.sigmoid,
    weight=lambda p: p * (1 - p),
    product=lambda X, r, p: (X.T * r) @ X,
):
    p = predicted(X @ w)
    return product(X, weight(p), p)


def _hessian_cases(rng):
    def one(label, N, d):
        return Case(label, (rng.normal(size=d), _classified(rng, N, d)[0]), {"N": N})

    return [
        one("ordinary data", 7, 3),
        one("one feature and the ones", 9, 2),
        one("three features and the ones", 12, 4),
        Case("scores from -4 to 4", _spread(rng, 10, 3)[:2], {"N": 10}),
    ]


logistic_hessian = Exercise(
    stars=2,
    notes="C 3.1, erratum C06",
    ask="The Hessian (d, d) of the loss E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)}, p_n = σ(w·x_n): a sum over "
    "the samples, not a mean, without a penalty. X (N, d) is the design matrix as given, its last column ones; w (d,). "
    "The labels do not enter.",
    hints=(
        "The gradient is Σ_n (p_n - t_n) x_n. Only p_n depends on w: what is its gradient?",
        "XᵀRX with the diagonal matrix R of all p_n(1 - p_n); (X.T * r) @ X needs no N by N matrix.",
    ),
    answer=logistic_regression.hessian,
    variant=_hessian,
    mistakes={
        "R is missing: XᵀX is the Hessian of half a squared error": {"weight": np.ones_like},
        "p(1 - p) is 1/4 at w = 0 only: XᵀX/4 bounds the Hessian": {"weight": lambda p: np.full(len(p), 0.25)},
        "R holds p(1 - p); you took p": {"weight": lambda p: p},
        "R holds p(1 - p); you took 1 - p": {"weight": lambda p: 1 - p},
        "R holds p(1 - p); you took (1 - p)²": {"weight": lambda p: (1 - p) ** 2},
        "R holds p(1 - p); you took p²": {"weight": lambda p: p**2},
        "R holds p(1 - p), not p(1 + p)": {"weight": lambda p: p * (1 + p)},
        "R holds p(1 - p), not 1 - p²": {"weight": lambda p: 1 - p**2},
        "R holds p(1 - p), not its root; √R on both sides, at X and at Xᵀ, makes R": {
            "weight": lambda p: np.sqrt(p * (1 - p))
        },
        "p(1 - p) is squared: R stands once between Xᵀ and X (or √R on both sides)": {
            "weight": lambda p: (p * (1 - p)) ** 2
        },
        "R holds p(1 - p), not 1/(p(1 - p)): that is R⁻¹": {"weight": lambda p: 1 / (p * (1 - p))},
        "you differentiated once too often: p(1 - p)(1 - 2p) is σ''": {"weight": lambda p: p * (1 - p) * (1 - 2 * p)},
        "p(1 - p) is taken of p(1 - p) once more; R holds p(1 - p) of p = σ(w·x)": {
            "weight": lambda p: p * (1 - p) * (1 - p * (1 - p))
        },
        "σ is applied twice: you took σ'(p) = σ(p)(1 - σ(p)), but R holds σ'(w·x) = p(1 - p)": {
            "weight": special.sigmoid_derivative
        },
        "all samples have the mean weight; each has its own p_n(1 - p_n)": {
            "weight": lambda p: np.full(len(p), np.mean(p * (1 - p)))
        },
        "p @ (1 - p) is one number for all; each sample has a weight of its own, p * (1 - p)": {
            "weight": lambda p: np.full(len(p), p @ (1 - p))
        },
        "R is diagonal; np.outer(p, 1 - p) has entries p_n(1 - p_m) beside the diagonal too": {
            "product": lambda X, r, p: X.T @ np.outer(p, 1 - p) @ X
        },
        "σ is missing: you took w·x for p": {"predicted": lambda a: a},
        "you took tanh(w·x) for p = σ(w·x)": {"predicted": np.tanh},
        "that is XXᵀR (N, N); samples are the rows here, so it is XᵀRX (d, d)": {
            "product": lambda X, r, p: X @ (X.T * r)
        },
        "that is R (N, N) alone: the Hessian is XᵀRX": {"product": lambda X, r, p: np.diag(r)},
        "those are the weights p(1 - p) alone: the Hessian is XᵀRX": {"product": lambda X, r, p: r},
        "that is Σ_n p_n(1 - p_n) x_n, a vector; the Hessian holds products x_n x_nᵀ": {
            "product": lambda X, r, p: X.T @ r
        },
        "X.T @ r * X is (Xᵀr) times each row of X; wanted: (X.T * r) @ X": {"product": lambda X, r, p: X.T @ r * X},
        "that is only the diagonal, ∂²E/∂w_j²; beside it stand the ∂²E/∂w_j∂w_k": {
            "product": lambda X, r, p: r @ (X * X)
        },
        "beside the diagonal stand the ∂²E/∂w_j∂w_k, which are not 0": {
            "product": lambda X, r, p: np.diag(r @ (X * X))
        },
        "the sum over the samples is missing: that is one matrix p(1 - p) x xᵀ per sample": {
            "product": lambda X, r, p: r[:, None, None] * X[:, :, None] * X[:, None, :]
        },
        "that is the inverse H⁻¹; H itself is asked for": {"product": lambda X, r, p: np.linalg.inv((X.T * r) @ X)},
        "there is a penalty in it: I is added": {"product": lambda X, r, p: (X.T * r) @ X + np.eye(X.shape[1])},
        "X has its ones already; you added a second column of them, and the last row and column come twice": {
            "product": lambda X, r, p: (_ones_behind(X).T * r) @ _ones_behind(X)
        },
        "X has its ones already, as last column; you added ones in front, where a row and column come again": {
            "product": lambda X, r, p: (_ones_in_front(X).T * r) @ _ones_in_front(X)
        },
        "the last row and column are missing: the column of ones, the bias, has second derivatives too": {
            "product": lambda X, r, p: ((X.T * r) @ X)[:-1, :-1]
        },
    },
    stops={
        "positional argument": "it is called with w and X alone: the labels do not enter",
        "Input must be": "p @ (1 - p) is one number; p * (1 - p) has an entry for each sample",
        "Python scalars": "X @ w is an array: np.exp takes it entry by entry, math.exp takes one number",
        "ValueError": "weigh the samples, the columns of Xᵀ: (X.T * r) @ X, or X.T @ np.diag(r) @ X; add no ones",
    },
    cases=_hessian_cases,
    factors={
        "-": "E is -L: its Hessian has no minus, E is convex",
        "1/N": "E is a sum here, not a mean",
        "2": "there is no square here whose 2 could come down",
    },
    also_right=(
        lambda w, X: X.T @ np.diag((p := special.sigmoid(X @ w)) * (1 - p)) @ X,
        lambda w, X: sum(np.outer(x, x) / (2 + 2 * np.cosh(x @ w)) for x in X),
        lambda w, X: (Z := X * np.sqrt(special.sigmoid_derivative(X @ w))[:, None]).T @ Z,
        lambda w, X: np.einsum("n,nj,nk->jk", special.sigmoid(-X @ w) * special.sigmoid(X @ w), X, X),
    ),
)


def _regularised(
    w,
    X,
    t,
    lam,
    *,
    residual=lambda a, t: special.sigmoid(a) - t,
    times=lambda N, lam: 1.0,
    penalty=lambda w, lam, N: lam * w,
):
    return times(len(X), lam) * (X.T @ residual(X @ w, t)) + penalty(w, lam, len(X))


def _regularised_cases(rng):
    def one(label, N, d, lam):
        w = rng.uniform(0.3, 1.5, d) * np.where(np.arange(d) % 2, -1, 1)
        return Case(label, (w, *_classified(rng, N, d), lam), {"N": N})

    return [
        one("ordinary data", 7, 3, float(rng.uniform(1.2, 1.8))),
        one("one feature and the ones", 10, 2, float(rng.uniform(2.5, 4))),
        one("lam < 1", 12, 4, float(rng.uniform(0.3, 0.7))),
    ]


regularised_gradient = Exercise(
    stars=2,
    notes="C 3.1, erratum C09",
    ask="The gradient (d,) of E(w) + lam/2 w·w, E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)}, p_n = σ(w·x_n): a "
    "sum, not a mean. As note C writes it, lam acts on every entry of w, the bias too. X (N, d) is the design matrix "
    "as given, its last column ones; t (N,) holds 0 and 1; w (d,); lam > 0 a number.",
    hints=(
        "The gradient of a sum is the sum of the gradients. What is that of lam/2 (w_1² + ... + w_d²)?",
        "Xᵀ(p - t) + lam w.",
    ),
    answer=logistic_regression.gradient,
    variant=_regularised,
    mistakes={
        "the penalty's gradient is lam w, not 2 lam w: the 2 of the square is used up by lam/2": {
            "penalty": lambda w, lam, N: 2 * lam * w
        },
        "the penalty's gradient is lam w, not lam/2 w: the square brings a 2 down": {
            "penalty": lambda w, lam, N: lam / 2 * w
        },
        "the bias, the last entry, is left free: wise, but here lam acts on every entry, as note C writes it": {
            "penalty": lambda w, lam, N: lam * np.append(w[:-1], 0.0)
        },
        "the first entry has no penalty: here lam acts on every entry, and the bias is the last": {
            "penalty": lambda w, lam, N: lam * np.append(0.0, w[1:])
        },
        "only the bias, the last entry, is penalised: lam acts on every entry": {
            "penalty": lambda w, lam, N: lam * w * (np.arange(len(w)) == len(w) - 1)
        },
        "the penalty is missing: lam w is to be added": {"penalty": lambda w, lam, N: 0.0},
        "w is missing in the penalty's gradient lam w": {"penalty": lambda w, lam, N: lam},
        "lam is missing in the penalty's gradient lam w": {"penalty": lambda w, lam, N: w},
        "lam w is added, not subtracted": {"penalty": lambda w, lam, N: -lam * w},
        "you added the penalty lam/2 w·w itself, a number; its gradient is lam w": {
            "penalty": lambda w, lam, N: lam / 2 * (w @ w)
        },
        "you added lam w·w, a number; the gradient of lam/2 w·w is lam w": {"penalty": lambda w, lam, N: lam * (w @ w)},
        "you added lam ‖w‖, a number; the gradient of lam/2 w·w is lam w": {
            "penalty": lambda w, lam, N: lam * np.linalg.norm(w)
        },
        "lam w/‖w‖ is the gradient of lam ‖w‖; the norm is squared here": {
            "penalty": lambda w, lam, N: lam * w / np.linalg.norm(w)
        },
        "lam sign(w) is the slope of lam ‖w‖₁; here the penalty is lam/2 w·w": {
            "penalty": lambda w, lam, N: lam * np.sign(w)
        },
        "lam |w| has lost the signs: the penalty's gradient is lam w": {"penalty": lambda w, lam, N: lam * np.abs(w)},
        "the entries of w are squared: lam/2 w_j² has the slope lam w_j": {"penalty": lambda w, lam, N: lam * w**2},
        "you added lam/2 w_j², the penalty entry by entry; its slope is lam w_j": {
            "penalty": lambda w, lam, N: lam / 2 * w**2
        },
        "you added lam Σ_j w_j to every entry; each has its own lam w_j": {"penalty": lambda w, lam, N: lam * w.sum()},
        "you took lam²: the penalty's gradient is lam w": {"penalty": lambda w, lam, N: lam**2 * w},
        "you divide by lam: the penalty's gradient is lam w": {"penalty": lambda w, lam, N: w / lam},
        "you took lam/N in the penalty: E is a sum, not a mean": {"penalty": lambda w, lam, N: lam / N * w},
        "the penalty is added for every sample, N lam w; it is there once": {"penalty": lambda w, lam, N: N * lam * w},
        "Xᵀ(p - t) is divided by N: E is a sum, not a mean": {"times": lambda N, lam: 1 / N},
        "Xᵀ(p - t) is multiplied by lam: lam belongs to the penalty alone": {"times": lambda N, lam: lam},
        "Xᵀ(p - t) has the wrong sign; lam w is right": {"times": lambda N, lam: -1.0},
        "Xᵀ(p - t) has a factor 2: there is no square here; lam w is right": {"times": lambda N, lam: 2.0},
        "Xᵀ(p - t) is missing: that is the gradient of the penalty alone": {"times": lambda N, lam: 0.0},
        "the residuals are weighted by p(1 - p): that is the slope of Σ (p - t)²/2; in -ln p it cancels": {
            "residual": lambda a, t: special.sigmoid_derivative(a) * (special.sigmoid(a) - t)
        },
        "σ is missing: Xw - t is the residual of ridge regression; here it is σ(Xw) - t": {
            "residual": lambda a, t: a - t
        },
        "p is a probability; you took the predicted label, 0 or 1": {"residual": lambda a, t: (a >= 0) - t},
        "t was turned into -1 and +1; the residual p - t wants 0 and 1": {
            "residual": lambda a, t: special.sigmoid(a) - 2 * t + 1
        },
        "the samples with t = 0 add nothing (the formula for labels -1 and +1?); here they add p x": {
            "residual": lambda a, t: t * (special.sigmoid(a) - 1)
        },
        "the sign of w·x in σ is wrong: you took 1 - p for p": {"residual": lambda a, t: special.sigmoid(-a) - t},
        "the labels are missing in the residual p - t": {"residual": lambda a, t: special.sigmoid(a)},
        "the predictions are missing in the residual p - t": {"residual": lambda a, t: -t},
    },
    stops={
        "Python scalars": "X @ w is an array: np.exp takes it entry by entry, math.exp takes one number",
        "broadcast": "p and t must both be of shape (N,), Xᵀ(p - t) and what is added to it of shape (d,)",
        "ValueError": _SHAPES,
    },
    cases=_regularised_cases,
    factors={
        "-": "the gradient points uphill, to where E grows",
        "1/N": "E is a sum here, not a mean",
        "2": "only the square w·w brings a 2 down, and lam/2 takes it",
    },
    also_right=(
        lambda w, X, t, lam: (special.sigmoid(X @ w) - t) @ X + lam * w,
        lambda w, X, t, lam: sum(
            (1 / (1 + np.exp(-x @ w)) - t_n) * x + lam / len(X) * w for x, t_n in zip(X, t, strict=True)
        ),
        lambda w, X, t, lam: np.append(X, np.eye(len(w)), axis=0).T @ np.append(special.sigmoid(X @ w) - t, lam * w),
    ),
)


def _weighted(X, r, z, w):
    """arg min_v Σ_n r_n (z_n - v·x_n)²."""
    return np.linalg.solve((X.T * r) @ X, X.T @ (r * z))


def _change(X, r, z, w):
    return _weighted(X, r, z, w) - w


def _slope(X, r, z, w):
    """∇E, from a working response z."""
    return X.T @ (r * (X @ w - z))


def _halved(w, new, X, t):
    """The step from w to new, halved until E falls."""
    for _ in range(30):
        if logistic_regression.loss(new, X, t) <= logistic_regression.loss(w, X, t):
            break
        new = (w + new) / 2
    return new


def _irls_step(
    w,
    X,
    t,
    *,
    weight=lambda p: p * (1 - p),
    response=lambda a, p, t, r: a - (p - t) / r,
    fit=_weighted,
    move=lambda w, new, X, t: new,
    times=1,
):
    for _ in range(times):
        a = X @ w
        p = special.sigmoid(a)
        r = weight(p)
        w = move(w, fit(X, r, response(a, p, t, r), w), X, t)
    return w


def _irls_cases(rng):
    def one(label, N, d, start):
        """More than d samples come twice, with either label: no w separates them, and the best one is short."""
        X, t = _classified(rng, N, d)
        return Case(label, (start * rng.normal(size=d), np.vstack([X, X[: d + 2]]), np.append(t, 1 - t[: d + 2])))

    def too_far(label, N, d):
        """Each sample comes five times, once with t = 0; the scores are near 3, where σ is flat: the first step, by
        which they fall to about -1, raises E."""
        w = np.append(0.02 * rng.normal(size=d - 1), 3.1)
        return Case(label, (w, np.repeat(_classified(rng, N, d)[0], 5, axis=0), np.tile([0.0, 1, 1, 1, 1], N)))

    return [
        one("4 steps from w = 0", 8, 3, 0.0),
        one("4 steps from another w", 7, 2, 0.4),
        one("4 steps from another w, three features and the ones", 12, 4, 0.25),
        too_far("4 steps from another w, the first of which raises E", 6, 3),
    ]


def _four_steps(step: Function, w: np.ndarray, X: np.ndarray, t: np.ndarray) -> Answer:
    """The path of 4 steps. Wrong ones may run away: a path ends beyond |w·x| = 10, before p(1 - p) is rounded to 0."""
    path = np.full((4, len(w)), np.nan)
    for k in range(4):
        try:
            path[k] = w = run(step, (w,), [(X, t)])[0][0]
        except np.linalg.LinAlgError:
            if k == 0:
                raise
            break
        if not np.abs(X @ w).max() <= 10:
            break
    return [path]


irls_step = Exercise(
    stars=3,
    notes="C 3.1, erratum C08",
    ask="One step of IRLS on E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)}, p = σ(Xw): return the new "
    "w = (XᵀRX)⁻¹XᵀRz, where R is the diagonal matrix of all p_n(1 - p_n) and z = Xw - R⁻¹(p - t), with the w that "
    "came. X (N, d) as given, its last column ones; t (N,) holds 0 and 1; w (d,): leave it as it is. Whole runs are "
    "judged.",
    hints=(
        "It is Newton's step w - H⁻¹∇E(w). Which H, which ∇E?",
        "H = XᵀRX and ∇E = Xᵀ(p - t), so w - np.linalg.solve(H, ∇E); as weighted least squares: Rz = RXw - (p - t).",
    ),
    answer=logistic_regression.irls_step,
    variant=_irls_step,
    mistakes={
        "it goes uphill: z = Xw - R⁻¹(p - t), the new w is w - H⁻¹∇E": {"response": lambda a, p, t, r: a + (p - t) / r},
        "R⁻¹ is missing in z = Xw - R⁻¹(p - t), or ∇E has an R too many": {"response": lambda a, p, t, r: a - (p - t)},
        "z = Xw - R⁻¹(p - t); you took R for R⁻¹": {"response": lambda a, p, t, r: a - r * (p - t)},
        "t is missing in z = Xw - R⁻¹(p - t)": {"response": lambda a, p, t, r: a - p / r},
        "p is missing in z = Xw - R⁻¹(p - t)": {"response": lambda a, p, t, r: a + t / r},
        "you fitted the labels t, with weights; the target is z = Xw - R⁻¹(p - t)": {"response": lambda a, p, t, r: t},
        "t was turned into -1 and +1; the residual p - t wants 0 and 1": {
            "response": lambda a, p, t, r: a - (p - 2 * t + 1) / r
        },
        "the residual p - t takes the probability p; you took the predicted label, 0 or 1": {
            "response": lambda a, p, t, r: a - ((a >= 0) - t) / r
        },
        "σ is missing in the residual: it is p - t with p = σ(Xw), not Xw - t": {
            "response": lambda a, p, t, r: a - (a - t) / r
        },
        "R holds p(1 - p); you took p": {"weight": lambda p: p},
        "R holds p(1 - p); you took 1 - p": {"weight": lambda p: 1 - p},
        "R holds p(1 - p); you took its root": {"weight": lambda p: np.sqrt(p * (1 - p))},
        "R holds p(1 - p); you took 1/(p(1 - p)), that is R⁻¹": {"weight": lambda p: 1 / (p * (1 - p))},
        "R stays at 1/4, its value for w = 0; it must follow p: that is the R of IRLS, reweighted": {
            "weight": lambda p: np.full(len(p), 0.25)
        },
        "R is missing everywhere: H is XᵀRX, not XᵀX": {"weight": np.ones_like},
        "all samples have the mean weight; each has its own p_n(1 - p_n)": {
            "weight": lambda p: np.full(len(p), np.mean(p * (1 - p)))
        },
        "p @ (1 - p) is one number for all; each sample has a weight of its own, p * (1 - p)": {
            "weight": lambda p: np.full(len(p), p @ (1 - p))
        },
        "that is only the change -H⁻¹∇E: w itself is missing, or Xw in z": {"fit": _change},
        "H⁻¹ is missing: w - ∇E is gradient descent with step 1": {"fit": lambda X, r, z, w: w - _slope(X, r, z, w)},
        "w is multiplied by H⁻¹ too: it is w - H⁻¹∇E, not H⁻¹(w - ∇E)": {
            "fit": lambda X, r, z, w: np.linalg.solve((X.T * r) @ X, w - _slope(X, r, z, w))
        },
        "you multiply by H; the step is w - H⁻¹∇E": {"fit": lambda X, r, z, w: w - (X.T * r) @ X @ _slope(X, r, z, w)},
        "only the diagonal of H = XᵀRX was used": {"fit": lambda X, r, z, w: w - _slope(X, r, z, w) / (r @ (X * X))},
        "you divided by the entries of H one by one; H⁻¹∇E solves a system": {
            "fit": lambda X, r, z, w: w - (1 / ((X.T * r) @ X)) @ _slope(X, r, z, w)
        },
        "R is missing in XᵀRX: the left side is weighted too": {
            "fit": lambda X, r, z, w: np.linalg.solve(X.T @ X, X.T @ (r * z))
        },
        "R is missing in XᵀRz: the right side is weighted too": {
            "fit": lambda X, r, z, w: np.linalg.solve((X.T * r) @ X, X.T @ z)
        },
        "z is right, but fitted without weights: (XᵀRX)⁻¹XᵀRz holds R twice": {
            "fit": lambda X, r, z, w: np.linalg.solve(X.T @ X, X.T @ z)
        },
        "z was fitted with the weights √R: least squares on √R X and √R z has the weights R": {
            "fit": lambda X, r, z, w: _weighted(X, np.sqrt(r), z, w)
        },
        "z was fitted with the weights R²: multiply the rows of X and z by √R, not by R": {
            "fit": lambda X, r, z, w: _weighted(X, r**2, z, w)
        },
        "the rows of X are multiplied by √R, but z is not": {
            "fit": lambda X, r, z, w: np.linalg.solve((X.T * r) @ X, X.T @ (np.sqrt(r) * z))
        },
        "H is divided by N, but ∇E is not: both are sums": {"fit": lambda X, r, z, w: w + len(z) * _change(X, r, z, w)},
        "∇E is divided by N, but H is not: both are sums": {"fit": lambda X, r, z, w: w + _change(X, r, z, w) / len(z)},
        "the step is halved: IRLS takes the whole step w - H⁻¹∇E": {
            "fit": lambda X, r, z, w: w + _change(X, r, z, w) / 2
        },
        "the step is doubled: IRLS takes w - H⁻¹∇E": {"fit": lambda X, r, z, w: w + 2 * _change(X, r, z, w)},
        "I is added to H: that is the penalty w·w/2 in H, but not in ∇E": {
            "fit": lambda X, r, z, w: w - np.linalg.solve((X.T * r) @ X + np.eye(len(w)), _slope(X, r, z, w))
        },
        "I is added to XᵀRX: that is the step for E + w·w/2": {
            "fit": lambda X, r, z, w: np.linalg.solve((X.T * r) @ X + np.eye(len(w)), X.T @ (r * z))
        },
        "damped: right where E falls, but the question asks for the whole step": {"move": _halved},
        "those are two steps: return w after the first": {"times": 2},
        "that is the end of the iteration; one step from the w that came is asked for": {"times": 12},
        "every answer is w itself: it does not move": {"fit": lambda X, r, z, w: w},
    },
    stops={
        "Input must be": "p @ (1 - p) is one number; p * (1 - p) has an entry for each sample",
        "LinAlgError": "XᵀRX has an inverse here: R holds p(1 - p) of probabilities, not of labels, true or predicted",
        "Python scalars": "X @ w is an array: np.exp takes it entry by entry, math.exp takes one number",
        "ValueError": "weigh the samples, the columns of Xᵀ: (X.T * r) @ X; its ones are there already",
    },
    cases=_irls_cases,
    play=_four_steps,
    also_right=(
        lambda w, X, t: (
            w - np.linalg.inv((X.T * special.sigmoid_derivative(X @ w)) @ X) @ X.T @ (special.sigmoid(X @ w) - t)
        ),
        lambda w, X, t: np.linalg.lstsq(
            (s := np.sqrt(special.sigmoid_derivative(X @ w)))[:, None] * X,
            s * logistic_regression.working_response(w, X, t),
            rcond=None,
        )[0],
        lambda w, X, t: (
            np.linalg.pinv(X.T @ (R := np.diag(special.sigmoid_derivative(X @ w))) @ X)
            @ X.T
            @ R
            @ (X @ w - np.linalg.inv(R) @ (special.sigmoid(X @ w) - t))
        ),
    ),
)


def _separates(X, t, w):
    return np.all((2 * t - 1) * (X @ w) > 0)


def _example():
    X = np.array([[-2.0, 1.0], [-1.0, 1.0], [1.0, 1.0], [3.0, 1.0]])  # the second column makes the last weight a bias
    t, w = np.array([0, 0, 1, 1]), np.array([20.0, 0.0])  # the least |w·x| is 20, and e^-20 = 2e-9
    return X, t, w


_POINTS = [[-1.0], [1.0]]

no_finite_optimum = Construction(
    stars=3,
    notes="C 3.1, errata C07, A25",
    ask="Note C says: H is positive definite, so E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)}, p_n = σ(w·x_n), has "
    "a unique minimum. Return (X, t, w) where it has none: X (N, d) of rank d, t (N,) of 0 and 1, both there, and w "
    "(d,) with E(w) < 1e-6 < E(w/2), so that E falls towards 0 as w grows, and never gets there.",
    hints=(
        "E is small where every p_n is near its t_n: on which side of w·x = 0 must each sample lie, and how far out?",
        "One feature, t = 1 where x > 0: E(w) is about e^-w for the sample at x = 1, and e^-14 is about 1e-6.",
    ),
    returns=("X", "t", "w"),
    requirements=(
        Requirement(
            "X must be a matrix (N, d), t of shape (N,) and w of shape (d,)",
            lambda X, t, w: (
                np.ndim(X) == 2 and np.size(X) > 0 and (np.shape(t), np.shape(w)) == ((len(X),), X[0].shape)
            ),
            ([-1.0, 1.0], [0, 1], [20.0]),
        ),
        Requirement(
            "t must hold 0 and 1 only; -1 and +1 are the labels of margin models",
            lambda X, t, w: np.isin(t, (0, 1)).all(),
            (_POINTS, [-1, 1], [20.0]),
        ),
        Requirement(
            "both labels must occur: with one class alone a large bias does it",
            lambda X, t, w: 0 < np.sum(t) < len(t),
            ([[2.0], [1.0]], [1, 1], [20.0]),
        ),
        Requirement(
            "the columns of X are dependent: H is singular then for that reason alone (erratum C06)",
            lambda X, t, w: np.linalg.matrix_rank(X) == X.shape[1],
            ([[-1.0, -1.0], [1.0, 1.0]], [0, 1], [10.0, 10.0]),
        ),
        Requirement(
            "w does not separate the classes: w·x must be > 0 for each sample with t = 1, < 0 for each with t = 0",
            _separates,
            (_POINTS, [0, 1], [-20.0]),
        ),
        Requirement(
            "w separates the classes, but E(w) is not below 1e-6: take a longer w",
            lambda X, t, w: logistic_regression.loss(w, X, t) < 1e-6,
            (_POINTS, [0, 1], [5.0]),
        ),
        Requirement(
            "E(w) < 1e-6, but E(w/2) is not above 1e-6: take a shorter w",
            lambda X, t, w: logistic_regression.loss(w / 2, X, t) > 1e-6,
            (_POINTS, [0, 1], [60.0]),
        ),
    ),
    example=_example,
)

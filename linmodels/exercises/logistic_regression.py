"""Exercises of chapter 04, logistic regression (notes A 3.1-3.2, C 3.1, D 2). E is a sum, and labels t are 0 and 1."""

import numpy as np

from linmodels import datasets, design, logistic_regression, optimize, special

from .grading.before import Question
from .grading.by_hand import ByHand, wrong_line
from .grading.checker import Case, Construction, Exercise, Requirement, run, same_samples
from .grading.derive import Derivation
from .grading.kinds import Loop, Project, mean_surprise
from .grading.mistakes import edited, source_of
from .grading.prove import Decoy, Line, Proof

chapter = "04"


def _sigmoid(a):
    return np.exp(np.minimum(a, 0)) / (1 + np.exp(-np.abs(a)))


_SIGMA = "np.exp(np.minimum(a, 0)) / (1 + np.exp(-np.abs(a)))"
_CLIPPED = "you clipped a, but σ(a) goes on falling: σ(-40) is e^-40 = 4e-18, σ(-90) is e^-90 = 8e-40"

sigmoid = Exercise(
    stars=0,
    notes="C 3.1, D 2, erratum D11",
    ask="The logistic function σ(a) = 1/(1 + e^-a), entry by entry. a is an array of any shape, of floats or whole "
    "numbers from -1000 to 1000. Return an array of floats of the same shape, which is right everywhere: σ(-90) is "
    "e^-90, not 0.",
    hints=(
        "1/(1 + e^-a) and e^a/(1 + e^a) are equal on paper. Which of them is still a number where e^1000 is inf?",
        "1/(1 + inf) is 0, but inf/inf is nan. A form without a warning: e^min(a, 0)/(1 + e^-|a|).",
    ),
    answer=_sigmoid,
    mistakes=(
        (_SIGMA, "np.exp(a) / (1 + np.exp(a))", "e^a/(1 + e^a) is inf/inf = nan for a = 1000; 1/(1 + e^-a) is 1"),
        (_SIGMA, "np.exp(-a) / (1 + np.exp(-a))", "e^-a/(1 + e^-a) is σ(-a), and inf/inf = nan for a = -1000"),
        (_SIGMA, "1 / (1 + np.exp(a))", "1/(1 + e^a) is σ(-a): the exponent is -a"),
        *(("return", f"a = np.clip(a, -{c}, {c}); return", _CLIPPED) for c in (20, 30, 50)),
        (_SIGMA, "(1 + np.tanh(a / 2)) / 2", "1 + tanh(a/2) and 1 - 1/(1 + e^a) are 0 for a = -40; σ is e^-40"),
        (_SIGMA, "(a > 0) * 1.0", "that is a step; σ is smooth"),
        (_SIGMA, "(a >= 0) * 1.0", "that is a step, the predicted label; σ is smooth"),
        ("return", "return (a != 0) *", "a = 0 is left out: neither a > 0 nor a < 0 holds there, and σ(0) = 1/2"),
        (_SIGMA, f"({_SIGMA}).astype(a.dtype)", "an array like a of whole numbers holds no fractions: use floats"),
        (_SIGMA, "1 + np.exp(-a)", "that is 1 + e^-a, the denominator: write 1 / (1 + ...) with brackets"),
        (_SIGMA, "np.exp(a)", "the 1 is missing in the denominator 1 + e^-a: that is e^a, the odds"),
        (_SIGMA, "np.exp(a) / np.exp(a).sum()", "you divided by the sum of all e^a; each entry has its own 1 + e^-a"),
    ),
    cases=lambda rng: [
        Case("ordinary data", (rng.normal(size=7) * 2,)),
        Case("a matrix", (rng.normal(size=(3, 4)) * 2,)),
        Case("whole numbers", (rng.permutation(np.arange(-3, 4)),)),
        Case("-1000, 0 and 1000 among them", (np.append(rng.normal(size=3), [-1000.0, 0, 1000]),)),
        Case("a between -100 and -90, where σ(a) is e^a", (rng.uniform(-100, -90, 5),)),
    ],
)


def _odds_cases(rng):
    return [
        Case(
            "your numbers",
            (float(rng.integers(15, 45)) / 100, float(rng.integers(3, 9)) / 10, float(rng.integers(4, 22))),
        )
    ]


def _odds_and_back(p, rise, against):
    o = p / (1 - p)
    return 3 * o / (1 + 3 * o), 1 / (1 + np.exp(-(np.log(o) + rise))), -np.log(against)


odds_and_back = ByHand(
    stars=1,
    notes="A 3.1, D 2",
    ask="Three scales, to three digits. A probability is p. (1) The odds triple: which p is it now? (2) From the old "
    "p, the score rises by `rise`: which p is it now? (3) Which score has the odds 1 to `against`? The numbers are "
    "your own: check.me('your name') deals them, and they are shown below.",
    hints=(
        "The odds are p/(1 - p), and p is odds/(1 + odds). The score is the logarithm of the odds.",
        "A score that rises by 0.5 multiplies the odds by e^0.5.",
    ),
    answer=_odds_and_back,
    returns=("tripled", "risen", "score"),
    one_by_one=True,
    mistakes=(
        ("3 * o / (1 + 3 * o)", "o", "tripled: those are the odds of the old p"),
        ("3 * o / (1 + 3 * o)", "np.log(3 * o)", "tripled: that is the score; which p is it?"),
        ("3 * o / (1 + 3 * o)", "o / 3 / (1 + o / 3)", "tripled: three times the odds, not a third"),
        ("3 * o / (1 + 3 * o)", "3 * p", "tripled: the odds triple, not p"),
        ("3 * o / (1 + 3 * o)", "3 * o", "tripled: those are the odds; p is odds/(1 + odds)"),
        ("3 * o / (1 + 3 * o)", "o**3 / (1 + o**3)", "tripled: that is three times the score; the odds triple"),
        ("3 * o / (1 + 3 * o)", "3 * p / (1 + 3 * p)", "tripled: p was taken for the odds; they are p/(1 - p)"),
        ("3 * o / (1 + 3 * o)", "(3 + o) / (4 + o)", "tripled: 3 was added; the odds are multiplied by 3"),
        ("3 * o / (1 + 3 * o)", "3 / (o + 3)", "tripled: the odds stand upside down: they are p/(1 - p)"),
        ("1 / (1 + np.exp(-(np.log(o) + rise)))", "p + rise", "risen: the score rises, not p"),
        ("(np.log(o) + rise)", "(p + rise)", "risen: begin with the score of p, ln(p/(1 - p)), and not with p"),
        ("(np.log(o) + rise)", "(np.log(o) - rise)", "risen: the score rises, and yours falls"),
        (
            "1 / (1 + np.exp(-(np.log(o) + rise)))",
            "p + rise * p * (1 - p)",
            "risen: the slope p(1 - p) is that of now: it changes on the way",
        ),
        (
            "1 / (1 + np.exp(-(np.log(o) + rise)))",
            "o * np.exp(rise)",
            "risen: those are the odds; p is odds/(1 + odds)",
        ),
        (
            "1 / (1 + np.exp(-(np.log(o) + rise)))",
            "(o + rise) / (1 + o + rise)",
            "risen: the score rises, not the odds",
        ),
        ("-(np.log(o) + rise)", "-rise", "risen: begin with the score of p, and add to it"),
        ("-(np.log(o) + rise)", "-(np.log10(o) + rise)", "risen: the score is the natural logarithm of the odds"),
        ("-(np.log(o) + rise)", "-(np.log(p) + rise)", "risen: the score is the logarithm of the odds, not of p"),
        ("1 / (1 + np.exp(-(np.log(o) + rise)))", "p * np.exp(rise)", "risen: e^rise multiplies the odds, not p"),
        ("1 / (1 + np.exp(-(np.log(o) + rise)))", "np.log(o) + rise", "risen: that is the new score; which p is it?"),
        ("-(np.log(o) + rise)", "-(np.log(3 * o) + rise)", "risen: begin with the old p, not with the tripled odds"),
        ("-np.log(against)", "1 / against", "score: those are the odds; the score is their logarithm"),
        (
            "-np.log(against)",
            "np.log(against)",
            "score: that is the score of the odds against : 1, which are upside down",
        ),
        (
            "-np.log(against)",
            "-np.log(against - 1)",
            "score: 1/against was taken for p; it is the odds, and the score is their logarithm",
        ),
        ("-np.log(against)", "-np.log10(against)", "score: the logarithm is the natural one"),
        ("-np.log(against)", "-np.log(against + 1)", "score: it is ln of the odds 1/against, not of p"),
    ),
    cases=_odds_cases,
)


def _bad_loss(a, t):
    p = np.clip(1 / (1 + np.exp(-a)), 1e-15, 1 - 1e-15)
    return -t * np.log(p) - (1 - t) * np.log(1 - p)


def _exact_loss(a, t):
    return special.softplus((1 - 2 * t) * a)  # softplus(a) - a would lose all digits for a large a


def _two_scores():
    return 100.0, 100.0, 34.0, np.exp(-34.0)  # ln(1 + e^100) is 100, and ln(1 + e^-34) is e^-34


def _another_loss(place, t):
    """What tells that the second of two numbers is not the loss at the first, and what it is, where that is known."""

    def told(*made):
        score, loss = made[place : place + 2]
        rounded = "bad_loss says that, and so does np.log(1 + np.exp(-b)): both round 1 + e^-b first"
        other = {
            (rounded if t else "that is what bad_loss says"): _bad_loss(score, t),
            "the loss is small, but it is not 0": 0.0,
            "those are two large numbers whose difference is rounded, ln(1 + e^b) - b": (
                special.softplus(score) - t * score
            ),
            "that is the loss of the other label": _exact_loss(score, 1 - t),
            "a loss is never negative": -_exact_loss(score, t),
            "those are the odds": np.exp(score),
            "that is p": 1 / (1 + np.exp(-score)),
        }
        found = (text for text, x in other.items() if np.isclose(loss, x, rtol=1e-3, atol=0))
        where = f"the loss that you give for {score:g} with t = {t} is not the exact one"
        return ": ".join([where, next(found, "compute it from the score, without p")])

    return told


def _missed_by(a, t):
    return abs(_bad_loss(a, t) / _exact_loss(a, t) - 1)


def _is(loss, a, t):
    return np.isclose(loss, _exact_loss(a, t), rtol=1e-3, atol=0)


break_the_formula = Construction(
    stars=2,
    notes="A 3.2, C 3.1",
    ask="A program cuts p so that no logarithm is infinite: bad_loss(a, t) takes p = 1/(1 + e^-a), cuts it to [1e-15, "
    "1 - 1e-15], and returns -t ln p - (1 - t) ln(1 - p), in float64. Break it twice. Return (a, loss_a, b, loss_b): a "
    "score a at which bad_loss(a, 0) is less than half of the exact loss; and a score b at which nothing is cut, but "
    "bad_loss(b, 1) is wrong by more than 1 %. loss_a and loss_b are the exact losses there.",
    hints=(
        "With t = 0 the exact loss is ln(1 + e^a). Which loss is the largest that the program can return?",
        "Floats just below 1 lie 1.1e-16 apart. For which b is 1 - p only a few times as large as that?",
    ),
    returns=("a", "loss_a", "b", "loss_b"),
    requirements=(
        Requirement(
            "a, loss_a, b and loss_b must be four numbers",
            lambda *made: all(np.ndim(x) == 0 for x in made),
            ([100.0], 100.0, 34.0, 1e-15),
        ),
        Requirement(
            "take scores between -1e6 and 1e6", lambda a, x, b, y: max(abs(a), abs(b)) <= 1e6, (1e7, 1e7, 34.0, 1e-15)
        ),
        Requirement(
            lambda a, x, b, y: (
                f"bad_loss({a:g}, 0) is {_bad_loss(a, 0):.3g}, and that is more than half of the exact loss"
                + ("; with t = 0 a negative score is right: the loss is small there" if a < 0 else "")
            ),
            lambda a, x, b, y: _bad_loss(a, 0) < _exact_loss(a, 0) / 2,
            (-40.0, 1.0, 34.0, 1e-15),
        ),
        Requirement(
            _another_loss(0, 0),
            lambda a, x, b, y: _is(x, a, 0),
            (100.0, 34.54, 34.0, 1e-15),
        ),
        Requirement(
            lambda a, x, b, y: f"at b = {b:g} the program cuts p: find a b at which 1e-15 < p < 1 - 1e-15",
            lambda a, x, b, y: 1e-15 < 1 / (1 + np.exp(-b)) < 1 - 1e-15,
            (100.0, 100.0, 40.0, 4e-18),
        ),
        Requirement(
            lambda a, x, b, y: (
                f"bad_loss({b:g}, 1) is wrong by {100 * _missed_by(b, 1):.2g} %: find a b at which it is more than 1 %"
            ),
            lambda a, x, b, y: _missed_by(b, 1) > 0.01,
            (100.0, 100.0, 20.0, 2e-9),
        ),
        Requirement(
            _another_loss(2, 1),
            lambda a, x, b, y: _is(y, b, 1),
            (100.0, 100.0, 34.0, 0.0),
        ),
    ),
    example=_two_scores,
)

pull = Derivation(
    stars=1,
    notes="C 3.1, A 3.1",
    ask="How hard does one sample pull? Its loss is -t ln s(a) - (1 - t) ln(1 - s(a)), with s = σ and the score a. "
    "Derive dE/da, line by line and one rule a line, until no d and no ln is left, and t stands there once. d(e, a) "
    "is the derivative of e by a, and s(a)*(1 - s(a)) is that of s(a).",
    hints=(
        "First the sum rule: t and 1 - t are constants, and go before the d.",
        "The derivative of ln(u) is d(u, a)/u. Do that for both terms, and leave d(s(a), a) for the next line.",
        "With d(s(a), a) = s(a)*(1 - s(a)) one factor cancels in each term.",
    ),
    start="d(-t*ln(s(a)) - (1 - t)*ln(1 - s(a)), a)",
    letters={"a": "number", "t": "0 or 1"},
    free_of=("d", "ln"),
    once=("t",),
    lines=(
        "-t*d(ln(s(a)), a) - (1 - t)*d(ln(1 - s(a)), a)",
        "-t*d(s(a), a)/s(a) + (1 - t)*d(s(a), a)/(1 - s(a))",
        "-t*(1 - s(a)) + (1 - t)*s(a)",
        "s(a) - t",
    ),
    slips=(
        (2, "-t*d(s(a), a)/s(a) - (1 - t)*d(s(a), a)/(1 - s(a))", "the sign before"),
        (2, "-t/s(a) + (1 - t)*d(s(a), a)/(1 - s(a))", "the inner derivative is missing at `-t / s(a)`"),
        (3, "-t*(1 - s(a)) - (1 - t)*s(a)", "the sign before `(1 - t) * s(a)` is wrong"),
        (4, "t - s(a)", "the sign of the whole line is reversed"),
        (1, "s(a) - t", "uses the derivative of ln and the derivative of σ"),
    ),
)


def _who_pulls(p, t, length):
    odds = (p / (1 - p)) ** np.array([[1], [2]])  # e^a and e^2a
    p = odds / (1 + odds)
    now, doubled = np.abs(p - t) * length
    return now, doubled


_PULLS = "np.abs(p - t) * length"
_OF_P = "you doubled p; with 2w each score is doubled: find the score or the odds of p first"

who_pulls = ByHand(
    stars=1,
    notes="C 3.1, D 2",
    ask="Who pulls? Of six samples you see the probability p of the model, the label t, and the length of x. Each "
    "sample pulls w along its x. Give two lists of six lengths, to three digits as in 0.0123: (1) of the pulls, (2) of "
    "the pulls after w is doubled. The numbers are your own: check.me('your name') deals them.",
    hints=(
        "The gradient is a sum with one vector for each sample. How long is the vector of one sample?",
        "What becomes of the odds e^a when the score a is doubled? Begin with the odds p/(1 - p), and end with p.",
    ),
    answer=_who_pulls,
    returns=("now", "doubled"),
    one_by_one=True,
    mistakes=(
        (_PULLS, "p * length", "those are p times the length: where does the label enter?"),
        (_PULLS, "np.where(t == 1, p, 1 - p) * length", "you took the sample that is right for the one that is wrong"),
        (_PULLS, "np.abs(p - t)", "‖x‖ is missing: the pull is a number times x"),
        (" * length", " / length", "you divided by ‖x‖: a long x is pulled along more, not less"),
        (" * length", " * length**2", "one ‖x‖ is enough"),
        (_PULLS, "(p - t) * length", "a length is never below 0"),
        (_PULLS, "(t - p) * length", "a length is never below 0"),
        ("(p - t)", "(2 * t - 1 - p)", "the labels are 0 and 1 here, not -1 and +1"),
        ("(p - t)", "((p - t) * p * (1 - p))", "p(1 - p) belongs to the squared loss; here it cancels"),
        (_PULLS, "-np.log(np.where(t == 1, p, 1 - p)) * length", "-ln p is the loss; the pull is made of its slope"),
        ("[[1], [2]]", "[[1], [1]]", "doubled: with 2w the scores are others, and so are the p"),
        (_PULLS, "np.abs(np.array([[1], [2]]) * p[0] - t) * length", f"doubled: {_OF_P}"),
        (_PULLS, "np.abs(np.minimum(1, [[1], [2]] * p[:1]) - t) * length", f"doubled: {_OF_P}"),
        ("** np.array([[1], [2]])", "* np.array([[1], [2]])", "doubled: the score is doubled, not the odds"),
        ("[[1], [2]]", "[[1], [0.5]]", "doubled: you halved the scores"),
        (_PULLS, "np.abs(p - t) * [[1], [2]] * length", "doubled: x stays as it is; only p changes with w"),
        (_PULLS, "np.abs(p[:1] - t) * [[1], [2]] * length", "doubled: w is doubled, and not the pull"),
    ),
    cases=lambda rng: [
        Case(
            "your six samples",
            (
                rng.permutation([0.1, 0.25, 0.5, 0.75, 0.9, rng.choice([0.2, 0.8])]),
                rng.permutation([0, 0, 0, 1, 1, 1]),
                rng.permutation(np.arange(2, 9))[:6] / 2,
            ),
        )
    ],
)


def _classified(rng, N, d):
    """X (N, d), whose last column is ones, and labels t (N,) of both classes."""
    X = np.column_stack([rng.normal(size=(N, d - 1)) + rng.uniform(0.2, 0.8, d - 1), np.ones(N)])
    return X, rng.permutation(np.append([0.0, 1.0], rng.uniform(size=N - 2) < 0.6))


_P = "special.sigmoid(X @ w)"


def _gradient_cases(rng):
    return [
        Case(f"N = {N}, d = {d}", (size * rng.normal(size=d), *_classified(rng, N, d)), {"N": N})
        for N, d, size in ((8, 3, 1), (11, 2, 1), (13, 4, 1), (12, 3, 3))
    ]


def _gradient(w, X, t):
    p = special.sigmoid(X @ w)
    return X.T @ (p - t)


_SQUARED = "you weighted p - t by p(1 - p), as the squared loss does; here it cancels"

logistic_gradient = Exercise(
    stars=0,
    notes="C 3.1, D 2, erratum D16",
    ask="The gradient (d,) of the loss E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)}, p_n = σ(w·x_n): a sum over "
    "the samples, not a mean. X (N, d) is the design matrix as given, its last column is ones: add none; t (N,) holds "
    "0 and 1; w (d,).",
    hints=(
        "Differentiate -t ln p - (1 - t) ln(1 - p) by a = w·x, with dp/da = p(1 - p): much cancels.",
        "∇E = Σ_n (p_n - t_n) x_n. Which product of X and the residuals p - t is this sum?",
    ),
    answer=_gradient,
    mistakes=(
        ("(p - t)", "(p * (1 - p) * (p - t))", _SQUARED),
        (_P, "X @ w", "σ is missing: Xw - t is the residual of linear regression; here it is σ(Xw) - t"),
        (_P, "(X @ w >= 0)", "p is a probability; you took the predicted label, 0 or 1"),
        (_P, "np.exp(X @ w)", "you took the odds e^(w·x) for p = σ(w·x)"),
        (_P, "0", "the predictions are missing: -Xᵀt is only one part of Xᵀ(p - t)"),
        ("- t)", "- 2 * t + 1)", "you turned t into -1 and +1; the residual p - t needs 0 and 1"),
        ("X.T @ (p - t)", "np.sum(p - t)", "Xᵀ is missing: multiply each p_n - t_n by its x_n, then sum"),
        ("p - t", "p[:, None] - t", "p - t is a matrix (N, N): both must be of shape (N,)"),
        ("X.T @ ", "", "Xᵀ is missing: those are the p_n - t_n; multiply each by its x_n, then sum"),
    ),
    cases=_gradient_cases,
    factors={"-": "that is ∇L, and E is -L; note D forgets this minus", "1/N": "E is a sum, note D's is a mean"},
)


def _descend(X, t, eta, tol, max_steps):
    w, losses = np.zeros(X.shape[1]), list[float]()
    for _ in range(max_steps):
        gradient = X.T @ (special.sigmoid(X @ w) - t)
        if np.max(np.abs(gradient)) <= tol:
            break
        w = w - eta * gradient
        losses.append(np.sum(special.softplus(X @ w) - t * (X @ w)))
    return w, np.array(losses)


def _descend_cases(rng):
    def one(label, N, d, share, steps, max_steps):
        """No w separates them; tol is met after these steps, if any, and the largest entry is negative then."""
        X, t = _classified(rng, N, d)
        X, t = np.vstack([X, X[: d + 2]]), np.append(t, 1 - t[: d + 2])
        eta = share * logistic_regression.largest_step(X)
        w = optimize.trajectory(logistic_regression.gradient_iterates(X, t, eta=eta), steps)[steps]
        last = logistic_regression.gradient(w, X, t)
        t = t if (-last.min() > last.max()) == (steps > 0) else 1 - t
        tol = 1.001 * np.abs(last).max() if steps else 1e-9
        return Case(label, (X, t, eta, tol, max_steps), {"N": float(len(X))})

    rest = np.array([[-1.0, 1], [1, 1], [-1, 1], [1, 1]])
    return [
        one("it comes to rest", 9, 3, 0.2, 12, 20),
        one("one feature", 6, 2, 0.3, 18, 25),
        Case(
            "one weight rests from the start",
            (np.tile([[1.0, 1], [-1, 1]], (3, 1)), np.array([1.0, 1, 1, 1, 0, 0]), rng.uniform(0.2, 0.3), 0.01, 40),
            {"N": 6.0},
        ),
        one("four features", 12, 5, 0.9, 18, 25),
        one("max_steps are done", 11, 4, 0.2, 0, 7),
        Case("the gradient is 0 at the start", (rest, np.array([0.0, 0, 1, 1]), 0.5, 0.1, 9), {"N": 4.0}),
    ]


_TEST = """if np.max(np.abs(gradient)) <= tol:
            break
        w = w - eta * gradient
        losses.append(np.sum(special.softplus(X @ w) - t * (X @ w)))"""
_MOVE = "w = w - eta * gradient"
_NOTED = "losses.append(np.sum(special.softplus(X @ w) - t * (X @ w)))"
_STOP = "if np.max(np.abs(gradient)) <= tol:\n            break"
_LARGEST = "np.max(np.abs(gradient))"
_LATE = f"{_MOVE}\n        {_NOTED}\n        if {_LARGEST} <= tol:\n            break"
_FALL = f"{_MOVE}\n        {_NOTED}\n        if losses[1:] and abs(losses[-1] - losses[-2]) <= tol:\n            break"
_AFTER = _LATE.replace("gradient)) <=", "X.T @ (special.sigmoid(X @ w) - t))) <=")

descend = Loop(
    stars=2,
    notes="A 3.2, D 2",
    ask="Write the whole descent. From w = 0, step by step w = w - eta times the gradient of the loss E, a sum. Before "
    "each step test the gradient at the w of now: if no entry of it is larger than tol in size, stop; stop also when "
    "max_steps are done. Return (w, losses): losses holds E after each step, so it is as long as the number of steps. "
    "X (N, d) is as given, its last column is ones; t (N,) holds 0 and 1.",
    hints=(
        "What changes in each step, and what does not? Write the loop for one step first, and print E.",
        "The gradient is made with the p of now. Which two ways out does the loop have, and what is losses then?",
    ),
    answer=_descend,
    returns=("w", "losses"),
    path="losses",
    mistakes=(
        ("X.T @ (special", "X.T / len(X) @ (special", "the gradient is divided by N; E is a sum here, not a mean"),
        (_MOVE, "w = w + eta * gradient", "the sign of the step is reversed: E grows"),
        (_MOVE, "w = -eta * gradient", "the old w is lost: the step is added to it"),
        (_MOVE, "w = w - gradient", "eta is missing in the step"),
        (_MOVE, "w = w - eta * gradient * np.append(np.ones(len(w) - 1), 0)", "the bias, the last weight, must move"),
        (_MOVE, f"{_MOVE} / np.linalg.norm(gradient)", "the step is eta times the gradient, and not of the length eta"),
        ("special.sigmoid(X @ w) - t", "0.5 - t", "p is made once, at w = 0: it must be made anew in each step"),
        ("special.sigmoid(X @ w) - t", "X @ w - t", "σ is missing in the gradient: that is linear regression"),
        ("special.sigmoid(X @ w) - t", "(X @ w >= 0) - t", "p is a probability; you took the predicted label"),
        (
            "special.sigmoid(X @ w) - t",
            "special.sigmoid(X @ w) - 2 * t + 1",
            "the labels are 0 and 1 in the gradient, not -1 and +1",
        ),
        (
            "(special.sigmoid(X @ w) - t)",
            "((p := special.sigmoid(X @ w)) * (1 - p) * (p - t))",
            "p(1 - p) belongs to the gradient of the squared loss; here it cancels",
        ),
        ("w, losses =", "X = design.augment(X)\n    w, losses =", "X has its column of ones already: add none"),
        ("np.zeros(X", "np.ones(X", "start from w = 0"),
        (_TEST, _LATE, "you test the gradient after the step, at the old w: test before the step, at the w of now"),
        (_TEST, _FALL, "you test how much E falls; the gradient is to be tested, before each step"),
        (_TEST, _AFTER, "where the gradient is small at the start no step is made: test before each step"),
        (_LARGEST, "np.linalg.norm(gradient)", "you test the length of the gradient; test its largest entry"),
        (_LARGEST, "np.max(gradient)", "an entry of the gradient may be large and negative: take np.abs"),
        (_LARGEST, "np.abs(np.sum(gradient))", "the entries of a sum can cancel: test the largest one"),
        (
            _LARGEST,
            "np.min(np.abs(gradient))",
            "you test the smallest entry, or any; all must be small: test the largest",
        ),
        (_LARGEST, "np.sum(np.abs(gradient))", "you test the sum of the entries' sizes; test the largest one"),
        (_LARGEST, "np.mean(np.abs(gradient))", "you test the mean of the entries; test the largest one"),
        (_LARGEST, "np.max(np.abs(gradient)) / len(X)", "you test the gradient of the mean; E is a sum"),
        (_LARGEST, "np.max(np.abs(w))", "you test w, but the gradient is to be small: w = 0 is only the start"),
        (_LARGEST, "eta * np.max(np.abs(gradient))", "you test the step; the gradient, without eta, is to be tested"),
        (_LARGEST, "tol + 1", "it never stops before max_steps: where is the test of the gradient?"),
        ("range(max_steps)", "range(max_steps + 1)", "where max_steps end the run, you make one step too many"),
        ("range(max_steps)", "range(max_steps - 1)", "where max_steps end the run, you make one step too few"),
        (
            f"{_MOVE}\n        {_NOTED}",
            f"{_NOTED}\n        {_MOVE}",
            "losses holds E before each step; take it after the step, at the new w",
        ),
        (_TEST, f"{_NOTED}\n        {_STOP}\n        {_MOVE}", "losses holds E before each step, and before you stop"),
        ("list[float]()", "[len(X) * np.log(2)]", "losses begins after the first step: leave out E at w = 0"),
        ("append(np.sum(", "append(np.mean(", "losses holds means; E is a sum"),
        ("append(np.sum(", "append(-np.sum(", "losses holds the log-likelihood; E is its negative"),
        ("np.array(losses)", "np.array(losses[-1:])", "losses holds the last loss only; append one in each step"),
        ("np.array(losses)", "len(losses)", "that is how many steps were made; losses is the list of E"),
    ),
    cases=_descend_cases,
)

curvature = Derivation(
    stars=2,
    notes="A 3.2, C 3.1",
    ask="How does the loss bend? Note A writes p = e^a/(1 + e^a) with a = Xw, so the gradient is Xᵀ(e^a/(1 + e^a) - t)."
    " Derive the Hessian, its derivative by w, one rule a line, until no d and no exp is left. s is σ, "
    "and diag(v) is the matrix with v on its diagonal. d(e, w) of a vector e has a row for each entry of e.",
    hints=(
        "Which function do you know that is e^a/(1 + e^a)? With its name in the line no exp is left.",
        "d(s(X@w), w) has a row for each sample: which matrix multiplies row n by the slope of sample n?",
    ),
    start="d(X.T @ (exp(X@w)/(1 + exp(X@w)) - t), w)",
    letters={"X": "N d", "w": "d", "t": "0 or 1 N"},
    free_of=("d", "exp"),
    once=("t",),
    lines=(
        "d(X.T @ (s(X@w) - t), w)",
        "X.T @ d(s(X@w) - t, w)",
        "X.T @ d(s(X@w), w)",
        "X.T @ diag(s(X@w)*(1 - s(X@w))) @ X",
    ),
    slips=(
        (1, "X.T @ diag(s(X@w)*(1 - s(X@w))) @ X", "uses the derivative of exp and the derivative of σ"),
        (1, "X.T @ d(s(X@w), w)", "uses what the functions are and the derivative of what is linear"),
        (1, "d(X.T @ (1/(1 + exp(X@w)) - t), w)", "the sign of the whole line is reversed"),
        (4, "X.T @ (s(X@w)*(1 - s(X@w))) @ X", "the shapes do not fit"),
        (4, "X.T @ X", "the derivative of s(a) is s(a)*(1 - s(a)): it is missing between `X.T` and `X`"),
        (4, "X.T @ diag(s(X@w)) @ X", "the derivative of s(a) is s(a)*(1 - s(a))"),
        (4, "X.T @ diag(s(X@w)*(1 + s(X@w))) @ X", "the sign before `s(X @ w)` is wrong"),
        (4, "X.T @ diag(s(X@w)*(1 - s(X@w)))", "of shape (3, 4)"),
        (4, "-X.T @ diag(s(X@w)*(1 - s(X@w))) @ X", "the sign of the whole line is reversed"),
        (2, "d(s(X@w) - t, w)", "of shape (4, 3)"),
    ),
)


def _of_the_flights():
    """Of the flights in standard deviations, at w = (-0.5, -0.5): X, R, p - t, w, and where Newton's step goes."""
    flights = datasets.orings()
    X = design.augment((flights.X - flights.X.mean(axis=0)) / flights.X.std(axis=0))
    w = np.array([-0.5, -0.5])
    p = logistic_regression.posterior(w, X)
    return X, np.diag(p * (1 - p)), p - flights.y, w, logistic_regression.newton_step(w, X, flights.y)


def _goes_to(z):
    """Where weighted least squares goes with another target than Newton's."""
    X, R, wrong, w, new = _of_the_flights()
    found = np.linalg.solve(X.T @ R @ X, X.T @ R @ z(X @ w, R, wrong))
    return (
        f"on the flights, from w = (-0.5, -0.5), this line goes to ({found[0]:.3f}, {found[1]:.3f}), and Newton's step "
        f"to ({new[0]:.3f}, {new[1]:.3f})"
    )


def _other_sign():
    return _goes_to(lambda a, R, wrong: a + np.linalg.solve(R, wrong))


def _not_inverted():
    return _goes_to(lambda a, R, wrong: a - R @ wrong)


def _canceled():
    X, R, *_ = _of_the_flights()
    left, right = np.linalg.solve(X.T @ R @ X, X.T @ R), np.linalg.solve(X.T @ X, X.T)
    return (
        f"R stands between Xᵀ and X, and they are not square: for the flights, at w = (-0.5, -0.5), the first entry is "
        f"{left[0, 0]:.4f} on the left and {right[0, 0]:.4f} on the right"
    )


newton_proof = Proof(
    stars=2,
    notes="C 3.1",
    ask="Newton's step is a weighted least squares. X (N, d) has independent columns, R is the diagonal matrix of all "
    "p_n(1 - p_n), and every score is finite. Give the letters of the twelve lines that prove it, from the gradient "
    "and H to w_new = (XᵀRX)⁻¹XᵀRz. Each stands below what it uses; any such order is right. Three lines do not "
    "belong. After three wrong tries the letters are dealt anew.",
    hints=(
        "Before H⁻¹ may be written, some lines must say that it exists. Which property of R and which of X is needed?",
        "The bracket has two terms. Bring each of them into the form (XᵀRX)⁻¹XᵀR times a vector.",
    ),
    lines={
        "gradient": Line("∇E = Xᵀ(p - t)", "what the gradient is"),
        "Hessian": Line("H = XᵀRX", "what H is"),
        "positive": Line("each entry p_n(1 - p_n) of R is > 0, as 0 < p_n < 1", "that R is positive"),
        "columns": Line("Xv ≠ 0 for each v ≠ 0, as the columns are independent", "that no Xv is 0"),
        "definite": Line(
            "vᵀHv = Σ_n p_n(1 - p_n)(v·x_n)² > 0 for each v ≠ 0",
            "that vᵀHv is positive",
            ("Hessian", "positive", "columns"),
        ),
        "inverse": Line("Hv = 0 for no v ≠ 0, so H⁻¹ exists", "that H has an inverse", ("definite",)),
        "step": Line("w_new = w - H⁻¹∇E", "what Newton's step is", ("inverse",)),
        "inserted": Line(
            "w_new = w - (XᵀRX)⁻¹Xᵀ(p - t)", "the step with H and ∇E put in", ("step", "gradient", "Hessian")
        ),
        "old": Line("w = (XᵀRX)⁻¹XᵀRXw", "how w is written with XᵀRX", ("inverse", "Hessian")),
        "residuals": Line("Xᵀ(p - t) = XᵀR R⁻¹(p - t)", "how R comes before p - t", ("positive",)),
        "bracket": Line("w_new = (XᵀRX)⁻¹XᵀR[Xw - R⁻¹(p - t)]", "the common factor", ("inserted", "old", "residuals")),
        "claim": Line("w_new = (XᵀRX)⁻¹XᵀRz with z = Xw - R⁻¹(p - t)", "the claim", ("bracket",)),
    },
    decoys={
        "sign": Decoy("w_new = (XᵀRX)⁻¹XᵀR[Xw + R⁻¹(p - t)]", _other_sign),
        "inverse of R": Decoy("w_new = (XᵀRX)⁻¹XᵀR[Xw - R(p - t)]", _not_inverted),
        "canceled": Decoy("(XᵀRX)⁻¹XᵀR = (XᵀX)⁻¹Xᵀ, as R cancels", _canceled),
    },
)


def _irls(w, X, t):
    p = special.sigmoid(X @ w)
    r = p * (1 - p)  # the diagonal of R
    Rz = r * (X @ w) - (p - t)  # without R⁻¹: an entry of R may round to 0
    return np.linalg.solve((X.T * r) @ X, X.T @ Rz)


def _irls_cases(rng):
    def both(N, d):
        """More than d samples come twice, with either label: no w separates them."""
        X, t = _classified(rng, N, d)
        return np.vstack([X, X[: d + 2]]), np.append(t, 1 - t[: d + 2])

    found = []
    for N, d, size in ((8, 3, 0.0), (7, 2, 0.4), (12, 4, 0.25)):
        found.append((f"d = {d}, a start of the size {size}", size * rng.normal(size=d), *both(N, d)))
    X, t = both(9, 3)
    found.append(("a start near the minimum", logistic_regression.fit(X, t).w + 0.003 * rng.normal(size=3), X, t))
    (X, t), w = both(9, 3), np.append(1.5, 0.3 * rng.normal(size=2))
    X[:2, 0] += (rng.uniform(40, 50, 2) - X[:2] @ w) / w[0]  # p rounds to 1, and one of these labels is 0
    found.append(("entries of R that round to 0", w, X, np.append([1.0, 0.0], t[2:])))
    for label, N, d, score in (("a start with large scores", 5, 2, 6.5), ("a step that raises E", 6, 3, 3.1)):
        X = np.repeat(_classified(rng, N, d)[0], 5, axis=0)  # four of the five have t = 1: the step goes too far
        found.append((label, np.append(0.02 * rng.normal(size=d - 1), score), X, np.tile([0.0, 1, 1, 1, 1], N)))
    return [Case(label, ((w,), [(X, t)])) for label, w, X, t in found]


_FIT = "np.linalg.solve((X.T * r) @ X, X.T @ Rz)"
_RZ = "r * (X @ w) - (p - t)"
_DAMPED = "list(zip(range(2), logistic_regression.newton_iterates(X, t, w=w)))[1][1].w"

irls_step = Exercise(
    stars=1,
    notes="C 3.1, erratum C08",
    ask="One step of IRLS on E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)}, p = σ(Xw): return the new "
    "w = (XᵀRX)⁻¹XᵀRz, where R is the diagonal matrix of all p_n(1 - p_n) and z = Xw - R⁻¹(p - t), both of the old "
    "w. Some p_n(1 - p_n) round to 0, so do without R⁻¹. X (N, d) is as given, its last column is ones; t (N,) holds 0 "
    "and 1; w (d,): leave it as it is.",
    hints=(
        "It is Newton's step w - H⁻¹∇E(w). Which H, which ∇E?",
        "H = XᵀRX and ∇E = Xᵀ(p - t), so w - np.linalg.solve(H, ∇E); as weighted least squares: Rz = RXw - (p - t).",
    ),
    answer=_irls,
    singular="did you invert R? where a p_n(1 - p_n) rounds to 0 it has no inverse: do without R⁻¹",
    mistakes=(
        (_RZ, "r * (X @ w - (p - t) / r)", "an entry of R rounds to 0, and R⁻¹ is inf there: Rz is R Xw - (p - t)"),
        ("- (p - t)", "- r * (p - t)", "R⁻¹ is missing in z = Xw - R⁻¹(p - t), or ∇E has one R too many"),
        (_RZ, "-(p - t)", "that is only the change -H⁻¹∇E: w itself is missing, or Xw in z"),
        ("p * (1 - p)", "p", "R holds p(1 - p); you took p"),
        ("p * (1 - p)", "np.ones(len(p))", "R is missing everywhere: H is XᵀRX, not XᵀX"),
        (_RZ, "r * (X @ w + (p - t) / r)", "the sign in z: it is Xw - R⁻¹(p - t); and do without R⁻¹"),
        ("- (p - t)", "+ (p - t)", "the sign of p - t is wrong: the step goes up"),
        ("(X.T * r) @ X", "(X.T * r) @ X + np.eye(len(w))", "there is no penalty: add no λI to XᵀRX"),
        (_RZ, "r * t", "you fitted the labels t with weights; the target is z = Xw - R⁻¹(p - t)"),
        ("X.T @ Rz", "X.T @ (Rz / r)", "R is missing in XᵀRz: weight the right side too"),
        ("(X.T * r) @ X", "X.T @ X", "R is missing in XᵀRX: weight the left side too"),
        ("- (p - t)", "- (p - t) * len(t)", "H is divided by N, but ∇E is not: both are sums"),
        ("- (p - t)", "- (p - t) / len(t)", "∇E is divided by N, but H is not: both are sums"),
        (_FIT, "w - X.T @ (p - t)", "H⁻¹ is missing: w - ∇E is gradient descent with step 1"),
        (_FIT, _DAMPED, "you halved the step where it raises E; take the whole step w - H⁻¹∇E here"),
    ),
    cases=_irls_cases,
    play=run,
)

_BITS = "t must hold 0 and 1, not -1 and +1"


def _half_runs():
    X = np.array([[0.0, 1], [0, 1], [0, 3], [0, 3], [2, 0], [-1, 5]])
    return design.augment(X), np.array([0.0, 1, 0, 1, 1, 0]), np.array([1.0, 0, 0])


def _gains(X, t, v):
    """v·x_n, with the other sign where t_n = 0, in parts of the largest that it could be."""
    return (2 * t - 1) * (X @ v) / (np.linalg.norm(v) * np.linalg.norm(X, axis=1).max())


def _mixed_places(X, t, v):
    """The different places on the line v·x = 0 that have samples of both labels."""
    still = np.abs(_gains(X, t, v)) <= 1e-9
    ones, zeros = ({tuple(x + 0.0) for x in X[still & (t == label)]} for label in (1, 0))
    return [", ".join(f"{x:g}" for x in place[:-1]) for place in sorted(ones & zeros)]


def _first_loser(X, t, v):
    n = int(np.argmin(_gains(X, t, v)))
    turned = "; with -v no sample loses" if np.all(_gains(X, t, -v) >= -1e-9) else ""
    return f"along v sample {n} loses: its label is {t[n]:g}, and v·x is {X[n] @ v:.3g}{turned}"


def _too_few_places(X, t, v):
    places = _mixed_places(X, t, v)
    still = int(np.sum(np.abs(_gains(X, t, v)) <= 1e-9))
    some = f"only one place there has both labels, ({places[0]})" if places else "no place there has both labels"
    return f"v·x = 0 for {still} of your samples, and {some}: two different ones are wanted"


_PAIR = [[0.0, 1, 1], [0, 1, 1], [1, 0, 1], [-1, 0, 1]], [0.0, 1, 1, 0]

half_runs_away = Construction(
    stars=3,
    notes="C 3.1, errata C07, A25",
    ask="Half runs away. Return data for which some probabilities run to 0 or 1 and others stay between for ever, "
    "and the direction that proves it: X (N, 3) of rank 3, two features and a 1 at the end, at most 20 samples; t "
    "(N,) of 0 and 1; v (3,). Along w + τ v, as τ grows, no sample may lose, and not all may stand still. At two "
    "different places or more, two samples with different labels must lie together and stand still.",
    hints=(
        "Draw the line v·x = 0 on paper. Which samples never move, and where may those with t = 1 lie?",
        "Two samples at the same point with both labels: which scores can please both? Now a second such pair.",
    ),
    returns=("X", "t", "v"),
    requirements=(
        Requirement(
            "X must be (N, 3) with at most 20 samples, t of shape (N,), and v of shape (3,)",
            lambda X, t, v: (np.shape(X)[1:], np.shape(v)) == ((3,), (3,)) and np.shape(t) == (len(X),) and len(X) < 21,
            (np.eye(2), [0.0, 1], [1.0, 0]),
        ),
        Requirement(_BITS, lambda X, t, v: np.isin(t, (0, 1)).all(), (np.eye(3), [-1.0, 1, 1], np.ones(3))),
        Requirement(
            lambda X, t, v: f"the last column of X must hold ones; yours is {X[:, 2].tolist()}",
            lambda X, t, v: np.all(X[:, 2] == 1),
            (np.eye(3), [0.0, 1, 1], np.ones(3)),
        ),
        Requirement(
            lambda X, t, v: f"the rank of X is {np.linalg.matrix_rank(X)}, not 3: its columns are dependent",
            lambda X, t, v: np.linalg.matrix_rank(X) == 3,
            (np.ones((4, 3)), [0.0, 1, 1, 0], np.ones(3)),
        ),
        Requirement(
            "v = 0 moves no score", lambda X, t, v: np.max(np.abs(_gains(X, t, v))) > 1e-9, (*_PAIR, np.zeros(3))
        ),
        Requirement(_first_loser, lambda X, t, v: np.min(_gains(X, t, v)) >= -1e-9, (*_PAIR, [-1.0, 0, 0])),
        Requirement(
            "all of your samples run away: none has v·x = 0, so none stays",
            lambda X, t, v: np.min(np.abs(_gains(X, t, v))) <= 1e-9,
            ([[1.0, 0, 1], [2, 1, 1], [-1, 0, 1]], [1.0, 1, 0], [1.0, 0, 0]),
        ),
        Requirement(_too_few_places, lambda X, t, v: len(_mixed_places(X, t, v)) > 1, (*_PAIR, [1.0, 0, 0])),
    ),
    example=_half_runs,
)


def train(X, t, lam, steps):
    t = np.where(t > 0, 1.0, 0.0)
    X = X - X.mean(axis=0)
    X = np.column_stack([X, np.ones(len(X))])
    penalized = np.append(np.ones(X.shape[1] - 1), 0.0)
    eta = 1 / (np.linalg.norm(X, 2) ** 2 / 4 + lam)
    start = np.zeros(X.shape[1])
    w = start
    for _ in range(steps):
        p = 1 / (1 + np.exp(-X @ w))
        gradient = X.T @ (p - t) + lam * penalized * w
        w = w - eta * gradient
    return w, X @ w >= 0


_FAULTS = (
    ("X.T @ (p - t)", "X.T @ (p - t) / len(t)", "the sum is a mean"),
    ("-X @ w", "-X @ start", "p stays that of the start"),
    ("1.0, 0.0)\n", "1.0, -1.0)\n", "the labels are -1 and +1"),
    ("np.append(np.ones(X.shape[1] - 1), 0.0)", "np.ones(X.shape[1])", "the penalty holds the bias"),
    (">= 0\n", ">= 0.5\n", "the threshold of p is that of the score"),
    ("X = X - X.mean", "X -= X.mean", "the caller's X is changed"),
)


def _line_of_the_fault(program):
    source = source_of(train)
    return source[: source.index(_FAULTS[program][0])].count("\n") + 1


def _with_numbers(program):
    """The text of a faulty program, with the number of each line in a remark."""
    old, new, _ = _FAULTS[program]
    lines = source_of(train).replace(old, new).splitlines()
    return "\n".join(line.ljust(60) + f"# {k}" for k, line in enumerate(lines, start=1))


def _ends(edits, X, t):
    """Where a program ends: w and the labels, and what has become of X."""
    X = np.array(X, float)
    return (*edited(train, edits)(X, np.array(t, float), 1.0, 20), X)


def _parted(program, X, t):
    """By how much w changes when the program is mended, as a share of its largest entry; inf: labels or X change."""
    (w, labels, kept), (v, others, changed) = _ends((), X, t), _ends((_FAULTS[program],), X, t)
    if not (np.array_equal(labels, others) and np.allclose(kept, changed)):
        return np.inf
    return np.max(np.abs(w - v)) / max(np.max(np.abs(w)), np.max(np.abs(v)), 1e-9)


def _where_it_shows(program):
    X, t = np.array([[1.0], [2.0], [3.0], [4.0], [9.0]]), np.array([0.0, 1, 1, 0, 1])
    Z, lam = design.augment(X - X.mean(axis=0)), design.free_bias(1.0, 2)
    steps = logistic_regression.gradient_iterates(Z, t, lam=lam, eta=1 / (np.linalg.norm(Z, 2) ** 2 / 4 + 1))
    return (11, 10, 2, 5, 13, 3)[program], X, t, optimize.trajectory(steps, 20)[20]


def _hidden(program):
    """The right line, and samples on which nobody sees the fault."""
    cross = np.array([[1.0], [-1.0], [1.0], [-1.0]]), np.array([1.0, 0, 0, 1])
    X, t = {2: (np.zeros((1, 1)), np.ones(1)), 4: (cross[0][:2], cross[1][:2])}.get(program, cross)
    return _line_of_the_fault(program), X, t, np.zeros(2)


def _no_end(line, X, t, w, program):
    """What w is, that is not where the mended program ends."""
    faulty = _ends((_FAULTS[program],), X, t)[0]
    if np.shape(w) == faulty.shape and np.allclose(w, faulty, rtol=1e-3, atol=1e-6):
        return "your data show the fault, but w is that of the program as it stands: mend it, and run it again"
    wanted = f"{len(faulty)} numbers, the bias last"
    return f"your data show the fault, but the mended program ends at another w: {wanted}; nothing else may change"


mend_the_loop = Construction(
    stars=2,
    notes="C 3.1, D 2",
    ask="Below stands a program with one wrong line. It should minimize the loss, a sum, plus lam/2 times the "
    "squares of all weights but the bias; measure X from its mean; predict 1 where p >= 1/2; and change nothing "
    "that it gets. Mend it. Return (line, X, t, w): the number of the line, at most 8 samples, and the w of "
    "train(X, t, 1.0, 20) once mended. On your samples the mend must change a label, what becomes of X, or w by 10 "
    "%. The argument program is its number.",
    hints=(
        "Check one promise of the question after the other: what would you see if it were broken, and on which data?",
        "Give it two or three samples of which you know the right answer, and print w, p and X after each line.",
    ),
    returns=("line", "X", "t", "w"),
    own=lambda rng: (int(rng.integers(len(_FAULTS))),),
    shows=_with_numbers,
    requirements=(
        Requirement(
            "X must be (N, d) with at most 8 samples, t of shape (N,), and line one of the numbers 1 to 13",
            lambda line, X, t, w, program: (
                np.ndim(X) == 2
                and X.size
                and len(X) <= 8
                and np.shape(t) == (len(X),)
                and np.ndim(line) == 0
                and line in range(1, 14)
            ),
            (0, [[1.0]], [1.0], [0.0, 0.0]),
        ),
        Requirement(
            "t must hold 0 and 1 only",
            lambda line, X, t, w, program: np.isin(t, (0, 1)).all(),
            (2, [[1.0]], [-1.0], [0.0, 0.0]),
        ),
        Requirement(
            lambda line, X, t, w, program: (
                "on your data the fault does not show: mended, the program gives the same labels, leaves the same X, "
                f"and its w differs by {100 * _parted(program, X, t):.2g} %"
            ),
            lambda line, X, t, w, program: _parted(program, X, t) > 0.1,
            _hidden,
        ),
        Requirement(
            _no_end,
            lambda line, X, t, w, program: (
                np.shape(w) == (X.shape[1] + 1,) and np.allclose(w, _ends((), X, t)[0], rtol=1e-3, atol=1e-6)
            ),
            lambda program: (*_where_it_shows(program)[:3], np.ones(2)),
        ),
        Requirement(
            lambda line, X, t, w, program: f"data and w are right, but line {line:g} may stay as it is",
            lambda line, X, t, w, program: line == _line_of_the_fault(program),
            lambda program: (12, *_where_it_shows(program)[1:]),
        ),
    ),
    example=_where_it_shows,
)


def _flowers(rng):
    """Two measurements of a hundred irises, from their mean, and ones; 1 for virginica; a penalty."""
    iris = datasets.iris()
    pair = iris.y > 0
    two = iris.X[pair][:, rng.permutation(4)[:2]]
    return design.augment(two - two.mean(axis=0)), (iris.y[pair] == 2) * 1.0, float(rng.integers(5, 50)) / 10


def _flowers_in_words(X, t, lam):
    first = ", ".join(f"{x:.3g}" for x in X[0])
    return (
        "X (100, 3): two measurements of 100 irises in cm, from their mean, and a 1; "
        f"the first row is ({first})\nt (100,): 1 for a virginica, 0 for a versicolor\nlam = {lam:g}"
    )


def _lower_bound(q, X, t, lam):
    """Below the loss with its penalty, for every w: ln(1 + e^a) >= q a + h(q), then the smallest over w."""
    return np.sum(-q * np.log(q) - (1 - q) * np.log(1 - q)) - np.sum((X.T @ (q - t)) ** 2) / (2 * lam)


def _may_fall(w, q, X, t, lam):
    """By how much the minimum may be lower than the loss at w, as far as q shows."""
    return logistic_regression.loss(w, X, t, lam) - _lower_bound(q, X, t, lam)


def _proof_so_far(w, q, X, t, lam):
    told = f"by your numbers the minimum may be {_may_fall(w, q, X, t, lam):.3g} lower than the loss at your w"
    other_lam = (
        ("your w is the best one without the penalty", 0 * lam),
        ("your w is the best one with a free bias; here lam acts on the bias, too", design.free_bias(lam, 3)),
        ("your w is the best one for the penalty lam w·w; here it is half of that", 2 * lam),
        ("your w is the best one for the mean of the losses; here it is the sum", lam * len(t)),
    )
    for text, other in other_lam:
        if np.allclose(w, logistic_regression.fit(X, t, other).w, rtol=1e-2):
            return "; ".join([told, text])
    p = logistic_regression.posterior(w, X)
    if np.allclose(q, p, atol=1e-3):
        return f"{told}; your q belongs to your w, so go on with w"
    if np.allclose(q, 1 - p, atol=1e-3):
        return f"{told}; your q are the probabilities of t = 0"
    if _may_fall(w, np.clip(p, 1e-12, 1 - 1e-12), X, t, lam) <= 0.001:
        return f"{told}; your w is good enough, and your q does not show it"
    if _may_fall(-X.T @ (q - t) / lam, q, X, t, lam) <= 0.001:
        return f"{told}; your q is good enough, and your w is not"
    return f"{told}; 0.001 is allowed"


def _prove_the_minimum(X, t, lam):
    w = logistic_regression.fit(X, t, lam).w
    return w, logistic_regression.posterior(w, X)


prove_the_minimum = Construction(
    stars=2,
    notes="C 3.1",
    ask="A certificate. For 100 irises make E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)} + lam/2 w·w small; p_n = "
    "σ(w·x_n), and lam acts on every entry of w. For every w and for all q_n between 0 and 1, E(w) is at least "
    "Σ_n h(q_n) - ‖Xᵀ(q - t)‖²/(2 lam), with h(q) = -q ln q - (1 - q) ln(1 - q). Return (w, q), w (3,) and q (100,), "
    "which prove in this way that no other w is better than yours by more than 0.001.",
    hints=(
        "The bound comes from ln(1 + e^a) >= q a + h(q), for each sample. Draw both sides: for which q are they equal?",
        "Take any method to lower the left side. Print its distance to the right side, with the q of hint 1.",
    ),
    returns=("w", "q"),
    own=_flowers,
    shows=_flowers_in_words,
    requirements=(
        Requirement(
            "w must be of shape (3,), and q of shape (100,)",
            lambda w, q, X, t, lam: (np.shape(w), np.shape(q)) == ((3,), (100,)),
            ([0.0, 0, 0], 0.5),
        ),
        Requirement(
            lambda w, q, X, t, lam: (
                f"q must lie between 0 and 1, and reach neither; yours go from {np.min(q):.3g} to {np.max(q):.3g}"
            ),
            lambda w, q, X, t, lam: 0 < np.min(q) and np.max(q) < 1,
            lambda X, t, lam: (np.zeros(3), t),
        ),
        Requirement(
            _proof_so_far,
            lambda w, q, X, t, lam: _may_fall(w, q, X, t, lam) <= 0.001,
            (np.zeros(3), np.full(100, 0.5)),
        ),
    ),
    example=_prove_the_minimum,
)


def _voters():
    """The voters of one of the two parties, and 1 for the Republicans."""
    voters = datasets.anes()
    chosen = voters.y != 3
    return voters.X[chosen], np.where(voters.y[chosen] > 3, 1.0, 0.0)


def _model_cases(rng):
    X, t = _voters()
    half = rng.permutation(len(X))[: len(X) // 2]
    center, spread = X[half].mean(axis=0), X[half].std(axis=0)
    w = logistic_regression.fit(design.augment((X[half] - center) / spread), t[half]).w
    return [Case("your half of the voters", (np.round(w, 3), np.round(center, 2), np.round(spread, 2)))]


def _read_the_model(w, mean, sd):
    factor = np.exp(2 * w[1] / sd[1])
    income = mean[4] - sd[4] * w[5] / w[4]
    return factor, income, 1 / (1 + np.exp(-w[5]))


read_the_model = ByHand(
    stars=2,
    notes="A 3.1",
    ask="Read a model of voters, fitted on your half of them: w holds five weights, per standard deviation of "
    "log_population, left_right, age, education, income, and last the bias; mean and sd are those of the five. Give "
    "to three digits (1) the factor of the odds of Republican for two points more of left_right, the rest held fixed, "
    "(2) the income, on its scale of 24 steps, at which p is 1/2, the rest at its mean, (3) p of a voter who is "
    "average in everything.",
    hints=(
        "Two points are 2/sd standard deviations, and the weight is per standard deviation. Odds multiply by "
        "e^(change).",
        "At the mean all standardized features are 0. p = 1/2 means that the score is 0.",
    ),
    answer=_read_the_model,
    returns=("factor", "income", "average"),
    one_by_one=True,
    mistakes=(
        (
            "np.exp(2 * w[1] / sd[1])",
            "2 * np.exp(w[1] / sd[1])",
            "factor: each point multiplies: square it, do not double",
        ),
        (
            "np.exp(2 * w[1] / sd[1])",
            "1 / (1 + np.exp(-2 * w[1] / sd[1]))",
            "factor: that is σ, a probability; odds are multiplied by e^(change)",
        ),
        ("np.exp(2 * w[1] / sd[1])", "10 ** (2 * w[1] / sd[1])", "factor: it is e to the change, not 10"),
        (
            "2 * w[1] / sd[1]",
            "w[1] * (2 - mean[1]) / sd[1]",
            "factor: two points more than before, not from the mean to 2",
        ),
        ("2 * w[1] / sd[1]", "2 * w[0] / sd[0]", "factor: that is log_population; left_right is the second"),
        ("2 * w[1] / sd[1]", "2 * w[1]", "factor: the weight is per standard deviation: two points are 2/sd of them"),
        ("2 * w[1] / sd[1]", "w[1] / sd[1]", "factor: that is the factor for one point"),
        (
            "np.exp(2 * w[1] / sd[1])",
            "2 * w[1] / sd[1]",
            "factor: that is the change of the score; the odds multiply by e^it",
        ),
        (
            "np.exp(2 * w[1] / sd[1])",
            "np.exp(2 * w[1] / sd[1]) - 1",
            "factor: a factor, not how much more in per cent",
        ),
        ("2 * w[1] / sd[1]", "2 * w[1] * sd[1]", "factor: divide by sd, do not multiply"),
        ("2 * w[1] / sd[1]", "2 * w[2] / sd[2]", "factor: that is the weight of age; left_right is the second"),
        ("mean[4] - sd[4] * w[5] / w[4]", "-sd[4] * w[5] / w[4]", "income: add its mean"),
        ("- sd[4] * w[5] / w[4]", "+ sd[4] * (0.5 - w[5]) / w[4]", "income: p = 1/2 is at the score 0, not at 1/2"),
        ("- sd[4] * w[5] / w[4]", "- w[5] / w[4] / sd[4]", "income: from standard deviations back to steps: times sd"),
        (
            "mean[4] - sd[4] * w[5] / w[4]",
            "mean[4] - w[5] / w[4]",
            "income: -w_bias/w_income is in standard deviations",
        ),
        ("mean[4] - sd[4] * w[5] / w[4]", "-w[5] / w[4]", "income: that is in standard deviations, from the mean"),
        ("w[5] / w[4]", "w[5] / w[3]", "income: that is the weight of education; income is the fifth"),
        (
            "np.exp(2 * w[1] / sd[1])",
            "1 + 2 * w[1] / sd[1]",
            "factor: odds multiply by e^(change); 1 + change is not it",
        ),
        ("2 * w[1] / sd[1]", "w[1]", "factor: that is for one standard deviation more"),
        ("np.exp(2", "np.exp(-2", "factor: that is the factor for two points less"),
        ("np.exp(-w[5])", "np.exp(w[5])", "average: that is the p of a Democrat"),
        ("mean[4] - sd[4] * w[5] / w[4]", "mean[4] + sd[4] * w[5] / w[4]", "income: the sign: w_income z + bias = 0"),
        ("np.exp(-w[5])", "np.exp(-w[0])", "average: the bias is the last weight, not the first"),
        ("np.exp(-w[5])", "np.exp(-(w[:5] @ mean + w[5]))", "average: at the mean a standardized feature is 0"),
        ("np.exp(-w[5])", "np.exp(-np.sum(w))", "average: at the mean a standardized feature is 0, not 1"),
        ("1 / (1 + np.exp(-w[5]))", "0.5", "average: the score at the mean is the bias, and that is not 0"),
        ("1 / (1 + np.exp(-w[5]))", "w[5]", "average: that is the score; the probability is asked"),
        ("1 / (1 + np.exp(-w[5]))", "np.exp(w[5])", "average: those are the odds; the probability is asked"),
    ),
    cases=_model_cases,
)


def _probabilities(predictions):
    """What is wrong with numbers that should be probabilities."""
    if np.all((predictions > 0) & (predictions < 1)):
        return ""
    if np.isin(predictions, (-1, 0, 1)).all():
        return "those are labels; the probability of 1 is asked, between 0 and 1"
    if predictions.min() < 0 or predictions.max() > 1:
        return (
            f"those reach from {predictions.min():.3g} to {predictions.max():.3g}: a score, whose σ is the probability?"
        )
    return "a probability is exactly 0 or 1: the scores are huge. Is a step too long, or a column not standardized?"


def _five_features(X, t, X_new):
    center, spread = X.mean(axis=0), X.std(axis=0)
    w = logistic_regression.fit(design.augment((X - center) / spread), t, lam=1.0).w
    return logistic_regression.posterior(w, design.augment((X_new - center) / spread))


election_night = Project(
    stars=1,
    notes="A 3.1, C 3.1",
    ask="Election night. Of 907 voters you get five answers each, X, without a column of ones, and the party of one "
    "half, t (1 Republican, 0 Democrat). Write a function of X, t and X_new: the probability of 1 for each row of "
    "X_new, found without the other rows. A voter costs -ln of the probability that you gave to the true party. The "
    "mean on 20 halves, which your name deals, must be at most 0.465. Who says the share of t to all gets 0.69.",
    hints=(
        "Standardize with the mean and the spread of X, never of X_new. Then begin with one feature, left_right.",
        "Which features help? Split X once more, and compare on the part that was not used for the weights.",
    ),
    data=_voters,
    score=mean_surprise,
    said=lambda score: f"{score:.3f}",
    mark=0.465,
    splits=20,
    doubt=0.35,
    outputs=_probabilities,
    turned=lambda p: 1 - p,
    answer=_five_features,
)


def _likelihood_cases(rng):
    sizes = (9, 2, (), ()), (6, 3, (800,), (1,)), (8, 3, (-800,), (0,)), (10, 4, (800, -800, 800), (0, 1, 1))
    cases = []
    for N, d, scores, labels in sizes:  # those of the first samples
        X, t = _classified(rng, N, d)
        w = np.append(rng.normal(size=d - 1), 0.5)
        X[: len(scores), :-1] = np.outer(np.subtract(scores, 0.5), w[:-1] / (w[:-1] @ w[:-1]))
        t[: len(labels)] = labels
        cases.append(Case(f"{N} samples, the first scores {scores}", (w, X, t), {"N": N}))
    return cases


def _log_likelihood(w, X, t):
    a = X @ w
    return np.sum(t * a - np.logaddexp(0, a))


_TERM = "t * a - np.logaddexp(0, a)"
_TWO_LOGS = "(t * np.log(p := special.sigmoid(a)) + (1 - t) * np.log(1 - p))"
_CHOSEN = "np.where(t == 1, p := special.sigmoid(a), 1 - p)"
_KEPT = "keeps ln p finite, but wrong far out: use np.logaddexp(0, a)"
_EPS = ("1e-15", "1e-12", "1e-10", "1e-9", "1e-8")

log_likelihood = Exercise(
    stars=0,
    notes="A 3.2, C 3.1",
    ask="The log-likelihood L(w) = Σ_n [t_n ln p_n + (1 - t_n) ln(1 - p_n)], p_n = σ(w·x_n): not its negative, and a "
    "sum, not a mean. X (N, d) is the design matrix as given, its last column is ones; t (N,) holds 0 and 1; w (d,). "
    "Some w·x_n are -800 or 800: the result must be right there too. Return a number.",
    hints=(
        "σ(800) is 1 as a float, and ln(1 - 1) is -inf. Write ln p and ln(1 - p) with a = w·x: what is left?",
        "L = Σ_n [t_n a_n - ln(1 + e^a_n)], and ln(1 + e^a) = max(a, 0) + ln(1 + e^-|a|), or np.logaddexp(0, a).",
    ),
    answer=_log_likelihood,
    mistakes=(
        ("addexp(0, a)", "(1 + np.exp(a))", "e^a overflows for a = 800: take np.logaddexp(0, a) for ln(1 + e^a)"),
        ("np.logaddexp(0, a)", "a - np.log(1 + np.exp(-a))", "e^-a overflows for a = -800: use np.logaddexp(0, -a)"),
        (_TERM, _TWO_LOGS, "0 ln 0 is nan where p is rounded to 0 or 1: write t a - ln(1 + e^a) for both terms"),
        (_TERM, f"np.log({_CHOSEN})", "ln 0 is -inf for a wrong label far out: write t a - ln(1 + e^a), a = w·x"),
        *((_TERM, f"np.log({_CHOSEN} + {e})", f"{e}, added or as a limit, {_KEPT}") for e in _EPS),
        *(("= X @ w", f"= special.logit(np.clip({_P}, {e}, 1 - {e}))", f"p cut at {e} {_KEPT}") for e in _EPS[:2]),
        *(("X @ w", f"np.clip(X @ w, -{c}, {c})", f"you clipped scores at ±{c}: use np.logaddexp") for c in (500, 700)),
        ("t * a", "(2 * t - 1) * a", "you turned t into -1 and +1, but t a - ln(1 + e^a) needs 0 and 1"),
        (_TERM, "-np.logaddexp(0, -t * a)", "-ln(1 + e^(-t a)) is for labels -1 and +1; for t = 0 it is -ln 2"),
        ("np.log", "t * np.log", "the samples with t = 0 are missing: they add ln(1 - p)"),
        ("np.log", "(1 + t) * np.log", "the factor 1 - t is missing: ln(1 - p) belongs to t = 0"),
    ),
    cases=_likelihood_cases,
    factors={"-": "that is the loss E(w) = -L(w)", "1/N": "L is a sum, not a mean", "2": "there is no 2 here"},
)


def _entropy_lines(a, t):
    """Both sides of each line, as numbers."""
    p = logistic_regression.posterior(np.array([a]), np.ones((1, 1)))[0]
    loss = -t * np.log(p) - (1 - t) * np.log(1 - p)
    soft, wrong = special.softplus(a), 1 / (1 + np.exp(a)) - t
    return [(loss, -t * (a - soft) + (1 - t) * soft), (loss, soft - t * a), (p - t, wrong), (wrong, 1 - p - t)]


def _line_of_the_slope():
    return 3, 2.0, 1.0, 1 / (1 + np.exp(-2.0)) - 1


wrong_line_of_the_gradient = Construction(
    stars=0,
    notes="C 3.1, D 2",
    ask="One of four lines is wrong; p = σ(a), E the loss of one sample. (1) -t ln p - (1 - t) ln(1 - p) = (1 - t) "
    "ln(1 + e^a) - t(a - ln(1 + e^a)). (2) E = ln(1 + e^a) - t a. (3) dE/da = 1/(1 + e^a) - t. (4) 1/(1 + e^a) - t = "
    "1 - p - t. Return (line, a, t, right): its number, an a and a t (0 or 1) for which its two sides differ, and the "
    "number that should stand on its right side there.",
    hints=(
        "Choose t = 1 and a = 2 and compute both sides of each line. A derivative can be checked by a difference.",
        "What is the derivative of ln(1 + e^a)? Use the chain rule.",
    ),
    returns=("line", "a", "t", "right"),
    requirements=(
        Requirement(
            "t must be 0 or 1, and a lie between -30 and 30",
            lambda k, a, t, right: np.ndim(a) == np.ndim(t) == 0 and t in (0, 1) and abs(a) <= 30,
            (3, 1.0, 2.0, 0.0),
        ),
        *wrong_line(
            _entropy_lines,
            (2, 2.0, 1.0, 0.0),
            some=lambda rng: (rng.uniform(-5, 5), rng.integers(2)),
            slips=(
                ("that is σ(a), whatever t is", lambda a, t: special.sigmoid(a)),
                ("does E rise or fall with a there?", lambda a, t: t - special.sigmoid(a)),
            ),
        ),
    ),
    example=_line_of_the_slope,
)


def _hessian(w, X):
    p = special.sigmoid(X @ w)
    r = p * (1 - p)  # the diagonal of R
    return (X.T * r) @ X


_XRX = "(X.T * r) @ X"

logistic_hessian = Exercise(
    stars=0,
    notes="C 3.1, erratum C06",
    ask="The Hessian (d, d) of the loss E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)}, p_n = σ(w·x_n): a sum over "
    "the samples, not a mean, without a penalty. X (N, d) is the design matrix as given, its last column is ones; "
    "w (d,). The labels do not enter.",
    hints=(
        "The gradient is Σ_n (p_n - t_n) x_n. Only p_n depends on w: what is its gradient?",
        "XᵀRX with the diagonal matrix R of all p_n(1 - p_n); (X.T * r) @ X needs no N by N matrix.",
    ),
    answer=_hessian,
    mistakes=(
        ("p * (1 - p)", "1.0", "R is missing: XᵀX is the Hessian of half the squared loss"),
        ("p * (1 - p)", "p", "R holds p(1 - p); you took p"),
        ("p * (1 - p)", "p @ (1 - p)", "p @ (1 - p) is one number; p * (1 - p) has an entry for each sample"),
        (_XRX, "X @ (X.T * r)", "that is XXᵀR, (N, N); samples are the rows here, so it is XᵀRX, (d, d)"),
        (_XRX, "X.T @ r", "that is Σ_n p_n(1 - p_n) x_n, a vector; the Hessian holds products x_n x_nᵀ"),
        (_XRX, "X.T @ r * X", "X.T @ r * X multiplies each row of X by Xᵀr; write (X.T * r) @ X"),
        (_XRX, "np.linalg.inv((X.T * r) @ X)", "that is the inverse H⁻¹; return H itself"),
    ),
    cases=lambda rng: [case._replace(args=case.args[:2]) for case in _gradient_cases(rng)],
    factors={"-": "E is -L: its Hessian has no minus, E is convex", "1/N": "E is a sum here, not a mean"},
)


def _example():
    X = np.array([[-2.0, 1.0], [-1.0, 1.0], [1.0, 1.0], [3.0, 1.0]])  # the second column makes the last weight a bias
    t, w = np.array([0, 0, 1, 1]), np.array([20.0, 0.0])  # the least |w·x| is 20, and e^-20 = 2e-9
    return X, t, w


_POINTS = [[-1.0], [1.0]]
_BOOK = np.array([-2.0, -1.2, -0.4, 0.5, 1, 1.8])  # ch04-separable-code
_E = logistic_regression.loss

_ONE_CLASS = "both labels must occur: with one class alone a large bias is enough"
_MIXED = "w does not separate the classes: w·x must be > 0 for each sample with t = 1, < 0 for each with t = 0"
_SHORT, _LONG = "w separates, but E(w) > 1e-6: take a longer w", "E(w/2) is below 1e-6 too: take a shorter w"
no_finite_optimum = Construction(
    stars=0,
    notes="C 3.1, errata C07, A25",
    ask="Note C says: H is positive definite, so E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)}, p_n = σ(w·x_n), "
    "has a unique minimum. Return (X, t, w) where it has none: X (N, d) of rank d (it needs no column of ones), t "
    "(N,) in which both 0 and 1 occur, and w (d,) with E(w) < 1e-6 < E(w/2), so that E falls towards 0 as w "
    "grows, and never gets there.",
    hints=(
        "E is small where every p_n is near its t_n: on which side of w·x = 0 must each sample lie, and how far out?",
        "One feature, t = 1 where x > 0: E(w) is about e^-w for the sample at x = 1, and e^-14 is about 1e-6.",
    ),
    returns=("X", "t", "w"),
    requirements=(
        Requirement(
            "X must be a matrix (N, d), t of shape (N,) and w of shape (d,)",
            lambda X, t, w: np.ndim(X) == 2 and np.size(X) and (np.shape(t), np.shape(w)) == ((len(X),), X[0].shape),
            ([-1.0, 1.0], [0, 1], [20.0]),
        ),
        Requirement(_BITS, lambda X, t, w: np.isin(t, (0, 1)).all(), (_POINTS, [-1, 1], [20])),
        Requirement(_ONE_CLASS, lambda X, t, w: 0 < np.sum(t) < len(t), ([[2.0], [1.0]], [1, 1], [20.0])),
        Requirement(
            "the columns of X are dependent: H is singular then for that reason alone (erratum C06)",
            lambda X, t, w: np.linalg.matrix_rank(X) == X.shape[1],
            ([[-1.0, -1.0], [1.0, 1.0]], [0, 1], [10.0, 10.0]),
        ),
        Requirement(_MIXED, lambda X, t, w: np.all((2 * t - 1) * (X @ w) > 0), (_POINTS, [0, 1], [-20.0])),
        Requirement(_SHORT, lambda X, t, w: _E(w, X, t) < 1e-6, (_POINTS, [0, 1], [5])),
        Requirement(_LONG, lambda X, t, w: _E(w / 2, X, t) > 1e-6, (_POINTS, [0, 1], [60])),
    ),
    example=_example,
    printed=lambda X, t, w: any(
        same_samples((X, book), (t, _BOOK > 0)) for book in (_BOOK[:, None], np.column_stack([_BOOK, np.ones(6)]))
    ),
)


def _regularized(w, X, t, lam):
    p = special.sigmoid(X @ w)
    return X.T @ (p - t) + lam * w


regularised_gradient = Exercise(
    stars=0,
    notes="C 3.1, erratum C09",
    ask="The gradient (d,) of E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)} + lam/2 w·w, p_n = σ(w·x_n): a "
    "sum, not a mean. As note C writes it, lam acts on every entry of w, the bias too. X (N, d) is the design matrix "
    "as given, its last column is ones; t (N,) holds 0 and 1; w (d,); lam > 0 a number.",
    hints=(
        "The gradient of a sum is the sum of the gradients. What is that of lam/2 (w_1² + ... + w_d²)?",
        "Xᵀ(p - t) + lam w.",
    ),
    answer=_regularized,
    mistakes=(
        ("lam * w", "lam * np.append(w[:-1], 0)", "you left the bias, the last entry, free; lam acts on every entry"),
        ("lam * w", "lam * np.append(0, w[1:])", "the first entry has no penalty; here lam acts on every entry"),
        ("lam * w", "lam", "w is missing in the penalty's gradient lam w"),
        ("+ lam", "- lam", "add lam w, do not subtract it"),
        ("lam * w", "lam / 2 * (w @ w)", "you added the penalty lam/2 w·w itself, a number; its gradient is lam w"),
        ("lam * w", "lam / len(t) * w", "you took lam/N in the penalty; E is a sum, not a mean"),
        ("(p - t)", "(p - t) / len(t)", "you divided Xᵀ(p - t) by N; E is a sum, not a mean"),
        ("(p - t)", "(p * (1 - p) * (p - t))", _SQUARED),
        ("special.sigmoid(X @ w)", "X @ w", "σ is missing: Xw - t is the residual of ridge regression"),
    ),
    cases=lambda rng: [case._replace(args=(*case.args, rng.uniform(0.3, 4))) for case in _gradient_cases(rng)],
    factors={"-": "the gradient points uphill, to where E grows", "1/N": "E is a sum here, not a mean"},
)


def _wrong_flowers(step):
    """How many flowers the line of chapter 04 has wrong after some steps of descent from w = 0."""
    iris = datasets.iris()
    petals, t = iris.X[iris.y > 0, 2:], (iris.y[iris.y > 0] == 2).astype(float)
    X = design.augment(petals - petals.mean(axis=0))
    w = optimize.trajectory(logistic_regression.gradient_iterates(X, t, eta=0.05), step)[-1]
    return np.sum(logistic_regression.predict(w, X) != t)


def _weights_of_the_flights():
    flights = datasets.orings()
    return logistic_regression.fit(design.augment(flights.X), flights.y).w


def _half_of_the_flights():
    w, b = _weights_of_the_flights()
    return -b / w


before = {
    "ch04-ladder": Question(
        lambda: [1 / 2, 3 / 4, 1 / 10],
        {
            "e^(-2 ln 3) is 1/9, and e^(2 ln 3) is 9: which of them does σ(-2 ln 3) need?": lambda: [
                1 / 2,
                3 / 4,
                9 / 10,
            ],
            "the 1 is missing in 1 + e^-a": lambda: [1, 3, 1 / 9],
            "the score of the second one is positive, so its probability is above 1/2": lambda: [1 / 2, 1 / 4, 1 / 10],
        },
    ),
    "ch04-factor": Question(
        lambda: [2, 2 / 3],
        {
            "the odds are e^a: what does e^(a + ln 2) do to them?": lambda: [np.log(2), 2 / 3],
            "the odds double, and not p: odds of 2 to 1 are which p?": lambda: [2, 1],
        },
    ),
    "ch04-sure": Question(
        lambda: [-np.log(0.4), -np.log(0.01)],
        {
            "the flower is a versicolor: its probability is 1 - p": lambda: [-np.log(0.6), -np.log(0.99)],
            "a loss is never negative: mind the minus": lambda: [np.log(0.4), np.log(0.01)],
            "the logarithm is the natural one": lambda: [-np.log10(0.4), -np.log10(0.01)],
            "the logarithm is the natural one, and not that of base 2": lambda: [-np.log2(0.4), -np.log2(0.01)],
            "those are the probabilities of what happened: take -ln of them": lambda: [0.4, 0.01],
            "those are the p; how surprised is the model by a versicolor?": lambda: [0.6, 0.99],
            "give three digits": lambda: [0.92, 4.6],
        },
    ),
    "ch04-pull": Question(
        lambda: 0.9 / 0.1,
        {
            "the first flower is the one that is nearly right": lambda: 0.1 / 0.9,
            "that is the ratio of the losses; the pull is how fast the loss changes": lambda: np.log(0.1) / np.log(0.9),
        },
    ),
    "ch04-wrong": Question(
        lambda: np.sign(_wrong_flowers(2000) - _wrong_flowers(10)),
        {"the loss falls; does it count the wrong flowers?": lambda: -1},
    ),
    "ch04-bend": Question(
        lambda: [1 / 2, 1 / 4],
        {
            "the weight is p(1 - p), and not p": lambda: [1, 1],
            "p is right; the weight is p(1 - p)": lambda: [1 / 2, 1 / 2],
        },
    ),
    "ch04-half": Question(
        _half_of_the_flights,
        {
            "the score is 0 there: mind the sign": lambda: -_half_of_the_flights(),
            "that is b; divide it by the weight": lambda: _weights_of_the_flights()[1],
        },
    ),
    "ch04-valley-question": Question(
        lambda: -7,
        {
            "the scores grow by about 7, and b must take that back": lambda: 7,
            "w is multiplied by a temperature near 70, and b is not": lambda: -0.1,
        },
    ),
    "ch04-double": Question(
        lambda: 0, {"that is the loss of w = 0 for one sample": lambda: np.log(2), "the p come near to that": lambda: 1}
    ),
    "ch04-free": Question(lambda: 0),
    "ch04-cost": Question(
        lambda: 1 / 101,
        {
            "a cancellation costs 1 - p, and not 1": lambda: 1 / 100,
            "that is the threshold of equal costs": lambda: 1 / 2,
            "above that p a launch for nothing would be the worse one: which side has the factor 100?": lambda: (
                100 / 101
            ),
        },
    ),
}

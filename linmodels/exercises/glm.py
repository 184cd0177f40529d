"""Exercises of chapter 03, generalized linear models (note A 2). Those of the last part are only to be typed."""

import numpy as np

from linmodels import datasets, design, glm, special

from .grading.before import Question
from .grading.by_hand import ByHand
from .grading.cases import table
from .grading.checker import Case, Construction, Exercise, Requirement
from .grading.derive import Derivation
from .grading.kinds import Loop, Project
from .grading.prove import Decoy, Line, Proof

chapter = "03"


def _one_unit_more(m, w, hours, p):
    warmer = m * np.exp(3 * w)
    longer = m * hours / 5
    odds = p / (1 - p) * np.exp(w * 3)
    return warmer, longer, odds / (1 + odds)


one_unit_more = ByHand(
    stars=1,
    notes="A 2.1, C 1",
    ask="A cart is open for 5 hours and sells m cups on average. The linear predictor is w x + b + ln(hours), x in "
    "degrees; the term without a weight is called an offset (偏移量). The link is the log. Give to three digits the "
    "mean (1) in 5 hours, if it is 3 degrees warmer, (2) in `hours` hours, as warm as before. The share p of the "
    "customers take two scoops; here the link is the logit, and w the same. Give (3) the share, 3 degrees warmer.",
    hints=(
        "Equal steps of the linear predictor multiply the mean under the log link. And under the logit?",
        "The offset changes by ln(hours) - ln 5, and no weight stands before it: what is e to that?",
    ),
    answer=_one_unit_more,
    returns=("warmer", "longer", "share"),
    one_by_one=True,
    mistakes=(
        ("m * np.exp(3 * w)", "m * np.exp(w)", "warmer: that is for one degree more"),
        ("m * np.exp(3 * w)", "m + 3 * w", "warmer: that is the identity link; the log link multiplies the mean"),
        ("m * np.exp(3 * w)", "m * (1 + 3 * w)", "warmer: the factor is e^(3w); 1 + 3w is near it for a small w only"),
        ("m * np.exp(3 * w)", "m * 3 * w", "warmer: the factor is e to the change of the linear predictor"),
        ("m * np.exp(3 * w)", "m * np.exp(-3 * w)", "warmer: that is 3 degrees colder"),
        ("m * np.exp(3 * w)", "np.exp(3 * w)", "warmer: that is the factor; the mean is asked"),
        ("m * np.exp(3 * w)", "np.log(m) + 3 * w", "warmer: that is the linear predictor; the mean is asked"),
        ("m * hours / 5", "m", "longer: the hours are in the linear predictor, too, as ln(hours)"),
        ("m * hours / 5", "m * hours", "longer: m is for 5 hours, not for one"),
        ("m * hours / 5", "m + np.log(hours / 5)", "longer: ln(hours) is added to the linear predictor only"),
        ("m * hours / 5", "m * np.exp(w * (hours - 5))", "longer: w belongs to the degrees; ln(hours) has no weight"),
        ("m * hours / 5", "m * np.exp(hours - 5)", "longer: the offset is ln(hours), not the hours"),
        ("p / (1 - p) * np.exp(w * 3)", "p * np.exp(w * 3)", "share: e^(3w) multiplies the odds p/(1 - p), not p"),
        ("odds / (1 + odds)", "odds", "share: those are the new odds; the share is odds/(1 + odds)"),
        ("odds / (1 + odds)", "np.log(odds)", "share: that is the new linear predictor"),
        ("odds / (1 + odds)", "p * np.exp(w * 3)", "share: that is the log link; the logit multiplies the odds"),
        ("odds / (1 + odds)", "p + 3 * w", "share: the linear predictor grows by 3w, not the share"),
        ("np.exp(w * 3)", "np.exp(w)", "share: that is for one degree more"),
    ),
    cases=lambda rng: [
        Case(
            "your numbers",
            (
                float(rng.integers(20, 60)),
                float(rng.integers(6, 15)) / 100,
                float(rng.choice([2, 3, 4, 7, 8])),
                float(rng.integers(15, 45)) / 100,
            ),
        )
    ],
)


slope_is_the_mean = Derivation(
    stars=2,
    notes="A 2.2",
    ask="A response can be one of K numbers, the entries of y. T(y) = y, and b holds the K positive numbers b(y). Then "
    "a(eta) = ln(sum(b*exp(eta*y))). Derive a'(eta), one rule a line, until no d and no ln is left. Then read the last "
    "line: which mean is it? eta is a number, * goes entry by entry, d(e, eta) is the derivative of e with respect to "
    "eta.",
    hints=(
        "From outside to inside: first the derivative of ln, and leave d(sum(...), eta) for the next line.",
        "b does not depend on eta. The derivative of exp(u) is exp(u)*d(u, eta), and then d(eta*y, eta) is left.",
        "sum is linear: d may go into it. Each entry of eta*y has its own derivative.",
    ),
    start="d(ln(sum(b*exp(eta*y))), eta)",
    letters={"eta": "number", "y": "K", "b": "positive K"},
    free_of=("d", "ln"),
    lines=(
        "d(sum(b*exp(eta*y)), eta)/sum(b*exp(eta*y))",
        "sum(b*d(exp(eta*y), eta))/sum(b*exp(eta*y))",
        "sum(b*exp(eta*y)*d(eta*y, eta))/sum(b*exp(eta*y))",
        "sum(y*b*exp(eta*y))/sum(b*exp(eta*y))",
    ),
    slips=(
        (1, "1/sum(b*exp(eta*y))", "the inner derivative is missing"),
        (4, "sum(y*b*exp(eta*y))/sum(b*exp(eta*y))**2", "does not follow"),
        (3, "sum(b*exp(eta*y))/sum(b*exp(eta*y))", "does not follow"),
        (1, "sum(y*b*exp(eta*y))/sum(b*exp(eta*y))", "take one at a time"),
    ),
)


def _another_family(q):
    eta = np.log(q)
    a = -np.log(1 - q)
    mean = q / (1 - q)
    variance = mean / (1 - q)
    return eta, a, mean, variance


another_family = ByHand(
    stars=2,
    notes="A 2.2, A 2.3",
    ask="A new family. You throw a coin until tails comes; q is the probability of heads, and y = 0, 1, 2, ... counts "
    "the heads before: p(y) = (1 - q) q^y. Bring it into the form b(y) exp(η T(y) - a(η)) with b(y) = 1 and T(y) = y, "
    "and write a as a function of η. Give to three digits, for your q, (1) η, (2) a(η), (3) the mean, (4) the "
    "variance. Find the last two without any sum. The number q is your own: check.me('your name') deals it.",
    hints=(
        "q^y = e^(y ln q). What multiplies y, and what is left?",
        "a(η) = -ln(1 - e^η). Differentiate it twice, by the chain rule, and put q = e^η back.",
    ),
    answer=_another_family,
    returns=("eta", "a", "mean", "variance"),
    one_by_one=True,
    mistakes=(
        ("eta = np.log(q)", "eta = q", "eta: e^(η y) is to be q^y, so η is not q itself"),
        ("eta = np.log(q)", "eta = np.log10(q)", "eta: take the natural logarithm"),
        ("eta = np.log(q)", "eta = -np.log(q)", "eta: q^y falls as y grows, and so must e^(η y)"),
        ("eta = np.log(q)", "eta = np.log(q / (1 - q))", "eta: 1 - q stands there once, and not y times: it is in a"),
        ("eta = np.log(q)", "eta = np.log(1 - q)", "eta: that multiplies no y; which factor has y as its exponent?"),
        ("a = -np.log(1 - q)", "a = np.log(1 - q)", "a: the exponent holds -a(η), and not a(η)"),
        ("a = -np.log(1 - q)", "a = -np.log(q)", "a: that belongs to y; a is what is left without y"),
        ("a = -np.log(1 - q)", "a = 1 - q", "a: it stands in the exponent, so take the logarithm of 1 - q"),
        ("a = -np.log(1 - q)", "a = np.log(1 + np.exp(q))", "a: that is the a of Bernoulli, and q stands where η does"),
        ("a = -np.log(1 - q)", "a = np.log(1 + q)", "a: that is ln(1 + e^η), of Bernoulli"),
        ("mean = q / (1 - q)", "mean = q", "mean: the derivative of ln(1 - u) is -u'/(1 - u); the denominator is lost"),
        ("mean = q / (1 - q)", "mean = 1 / (1 - q)", "mean: the inner derivative, of e^η, is missing"),
        ("mean = q / (1 - q)", "mean = -q / (1 - q)", "mean: a mean of counts cannot be below 0"),
        ("mean = q / (1 - q)", "mean = (1 - q) / q", "mean: that is upside down; is it large for a q near 1?"),
        ("mean = q / (1 - q)", "mean = q / (1 + q)", "mean: that is σ(η), of Bernoulli"),
        ("variance = mean / (1 - q)", "variance = q * (1 - q)", "variance: that is Bernoulli's: y is more than 0 or 1"),
        ("variance = mean / (1 - q)", "variance = mean", "variance: it is the mean for Poisson counts only"),
        ("variance = mean / (1 - q)", "variance = mean**2", "variance: differentiate the mean with respect to η"),
        ("variance = mean / (1 - q)", "variance = 1 / (1 - q) ** 2", "variance: that is d/dq; η is ln q, so times e^η"),
        ("mean / (1 - q)", "np.sqrt(q) / (1 - q)", "variance: that is its root, the standard deviation"),
    ),
    cases=lambda rng: [Case("your number", (float(rng.choice([*range(21, 48), *range(53, 80)])) / 100,))],
)


residuals_of_all = Derivation(
    stars=2,
    notes="A 2.2",
    ask="A Poisson count y with the mean m has the loss m - y ln m, without what holds no m. Now m = exp(X@w); X "
    "(N, d) has a sample in each row, y is (N,), w (d,). Derive the gradient of the sum over all samples with respect "
    "to w, one rule a line, until no d and no ln is left, and y stands in a bracket with what the model predicts.",
    hints=(
        "What is ln(exp(u))? Then the sum rule: two terms, two d.",
        "One of the terms is linear in w. In the other one, each entry of X@w has its own exp, and X.T collects them.",
        "d(sum(exp(X@w)), w) is X.T @ exp(X@w): every sample is multiplied by its own mean.",
    ),
    start="d(sum(exp(X@w) - y*ln(exp(X@w))), w)",
    letters={"X": "N d", "y": "N", "w": "d"},
    free_of=("d", "ln"),
    once=("X",),
    lines=(
        "d(sum(exp(X@w) - y*(X@w)), w)",
        "d(sum(exp(X@w)), w) - d(y @ (X@w), w)",
        "X.T @ exp(X@w) - d(y @ (X@w), w)",
        "X.T @ exp(X@w) - X.T @ y",
        "X.T @ (exp(X@w) - y)",
    ),
    slips=(
        (3, "exp(X@w) - d(y @ (X@w), w)", "the shapes do not fit"),
        (4, "X.T @ exp(X@w) + X.T @ y", "the sign before"),
        (5, "X.T @ (y - exp(X@w))", "the sign of the whole line is reversed"),
        (1, "X.T @ (exp(X@w) - y)", "take one at a time"),
    ),
)


def _not_the_square():
    phi = 0.3
    return f"for a Bernoulli answer with φ = {phi} a'' is {phi * (1 - phi):.2f}, and E[T²] is {phi:.2f}"


def _two_equal_columns():
    X, v = np.array([[1.0, 1], [2, 2], [3, 3]]), np.array([1.0, -1])
    y, w = np.array([1.0, 0, 2]), np.array([0.2, 0.1])
    at = [glm.loss(w + r * v, X, y, glm.poisson) for r in (0.0, 5.0)]
    return f"with two equal columns and v = (1, -1) three counts have E(w) = {at[0]:.4f} and E(w + 5v) = {at[1]:.4f}"


def _slope_below_0():
    g = glm.gradient([0.0], [[1.0], [1], [1]], [2, 3, 4], glm.poisson)
    return f"a' is positive for counts; yet for 2, 3, 4 with x = 1 and w = 0 the slope of the loss is {g[0]:g}"


def _squares_curve_down():
    p = special.sigmoid(-2.0)
    return f"for y = 1 and η = -2 the second derivative of (1 - σ(η))² is {2 * p * (1 - p) ** 2 * (3 * p - 1):.4f}"


one_minimum = Proof(
    stars=2,
    notes="A 2.2",
    ask="Prove that no wrong minimum exists: where the gradient of the loss is 0, the loss is smallest. Here f(r) = "
    "E(w + r v) is the loss on the straight way from w along any v, and E[ ] a mean at one η. Give the letters of the "
    "eleven lines that you need, each below what it uses; any such order is right. Four lines do not belong. After "
    "three wrong tries the letters are dealt anew.",
    hints=(
        "One chain shows that a'' is a variance. It begins with a sum over y, and differentiates it twice in all.",
        "The other chain takes f', then f''. The chains meet in f'' >= 0. At last use that the gradient is 0.",
    ),
    lines={
        "sum": Line("Σ_y T b e^(ηT) = a' e^a for every η", "the derivative of Σ_y b e^(ηT) = e^a"),
        "mean": Line("E[T] = a'", "that a' is the mean", ("sum",)),
        "sum 2": Line("Σ_y T² b e^(ηT) = a'' e^a + a'² e^a", "the second derivative of the sum", ("sum",)),
        "square": Line("E[T²] = a'' + a'²", "what E[T²] is", ("sum 2",)),
        "variance": Line("a'' = E[T²] - E[T]² = E[(T - E[T])²] >= 0", "that a'' is a variance", ("square", "mean")),
        "slope": Line("f'(r) = Σ_n (a'(η_n + r v·x_n) - T(y_n)) v·x_n", "the slope of f"),
        "curvature": Line("f''(r) = Σ_n a''(η_n + r v·x_n) (v·x_n)²", "the curvature of f", ("slope",)),
        "convex": Line("f''(r) >= 0 for every r", "that the slope of f never falls", ("curvature", "variance")),
        "flat": Line("f'(0) = v·∇E(w) = 0", "that the slope begins with 0"),  # the chain rule
        "rises": Line("f'(r) >= 0 for every r >= 0", "that f never goes down", ("convex", "flat")),
        "smallest": Line("E(w + v) = f(1) >= f(0) = E(w) for every v", "the claim", ("rises",)),
    },
    decoys={
        "square of T": Decoy("a'' = E[T²] >= 0, because T² is never negative", _not_the_square),
        "strict": Decoy("f''(r) > 0 for every v ≠ 0, so only one w is best", _two_equal_columns),
        "positive": Decoy("f'(r) > 0 for every r, because a' > 0", _slope_below_0),
        "any loss": Decoy("f'' >= 0 for Σ_n (a'(η_n) - y_n)², too, as squares are never negative", _squares_curve_down),
    },
)


def _one_step(y, m):
    eta = np.log(m)
    z = eta + (y - m) / m
    weight = m
    w = np.mean(z)
    return z, weight, w, np.exp(w)


one_step = ByHand(
    stars=1,
    notes="A 2.2",
    ask="One step of IRLS by hand, for Poisson counts with the log link. The only column of X is the 1, so there is "
    "one weight, w. You have three counts, y, and now every mean is m: e^w = m. Give to three digits (1) the three "
    "targets z in one list, (2) the weight R that each sample has, (3) the new w, (4) the new mean of each sample. The "
    "numbers are your own: check.me('your name') deals them.",
    hints=(
        "η is ln m for all three. An error of y - m in the mean is how much on the scale of η?",
        "With the same weight for all, weighted least squares of z on a constant is a plain mean.",
    ),
    answer=_one_step,
    returns=("z", "weight", "w", "mean"),
    one_by_one=True,
    mistakes=(
        ("(y - m) / m", "(y - m)", "z: the error y - m is on the scale of the mean: divide it by a''(η)"),
        ("(y - m) / m", "(m - y) / m", "z: it moves towards y, so the error is y - m"),
        ("(y - m) / m", "(y - m) / np.sqrt(m)", "z: divide by the variance a'', not by its root"),
        ("(y - m) / m", "(y - m) / (m * (1 - m))", "z: m(1 - m) is for yes or no; for Poisson counts a'' is the mean"),
        ("eta + (y - m) / m", "(y - m) / m", "z: the old η is missing: z begins at ln m"),
        ("eta + (y - m) / m", "m + (y - m) / m", "z: it begins at η = ln m, not at m"),
        ("eta + (y - m) / m", "np.log(y + 1e-300)", "z: that is ln y; the link acts on the mean, not on an answer"),
        ("weight = m", "weight = 1 / m", "weight: 1/m is the variance of a target; a large variance must count less"),
        ("weight = m", "weight = np.sqrt(m)", "weight: its root multiplies a row of X; the weight itself is asked"),
        ("weight = m", "weight = m * (1 - m)", "weight: that is for yes or no; for Poisson counts a'' is the mean"),
        ("weight = m", "weight = eta", "weight: it is a''(η), and not η"),
        ("w = np.mean(z)", "w = np.sum(z)", "w: a mean of the targets, not their sum"),
        ("w = np.mean(z)", "w = np.mean(z) * m", "w: the weights stand above and below, and cancel"),
        ("w = np.mean(z)", "w = np.log(np.mean(y))", "w: that is where all steps lead; one step is asked"),
        ("w = np.mean(z)", "w = np.mean(z) - eta", "w: that is the change of w: add the old one"),
        ("np.exp(w)", "w", "mean: that is w; the mean is e^w"),
        ("np.exp(w)", "np.mean(y)", "mean: that is where all steps lead; one step comes near it"),
    ),
    cases=lambda rng: [Case("your numbers", (_three(rng), float(rng.integers(6, 12))))],
)


def _three(rng):
    """Three different counts above 0 with a mean of 3 to 5."""
    while True:
        y = np.sort(rng.choice(np.arange(1, 10), 3, replace=False)).astype(float)
        if 9 <= y.sum() <= 15:
            return y


def _reweighted(X, y, tol, max_steps):
    w, path = np.append(np.zeros(X.shape[1] - 1), np.log(y.mean())), []
    for _ in range(max_steps):
        m = np.exp(X @ w)
        z = X @ w + (y - m) / m
        new = np.linalg.solve((X.T * m) @ X, X.T @ (m * z))
        path.append(new)
        moved = np.abs(new - w).max()
        w = new
        if moved <= tol:
            break
    return np.array(path), np.exp(X @ w)


def _reweighted_cases(rng):
    """Counts of both kinds, 0 and more, that follow the model; the last two runs are cut off."""

    def one(N, d, size, tol, steps):
        X = np.column_stack([rng.uniform(-1, 1, (N, d - 1)), np.ones(N)])
        w = np.append(rng.uniform(0.5, 1, d - 1) * rng.choice([-1, 1], d - 1), size)
        y = rng.poisson(np.exp(X @ w)).astype(float)
        y[:2] = 0, 5  # both kinds occur
        return Case(f"N = {N}, d = {d}, tol = {tol:g}, max_steps = {steps}", (X, y, tol, steps), {"N": N})

    return [one(30, 2, 1.0, 1e-8, 9), one(40, 3, 0.5, 1e-3, 9), one(25, 2, 1.5, 1e-12, 3), one(35, 4, 0.5, 1e-8, 2)]


_NEW = "np.linalg.solve((X.T * m) @ X, X.T @ (m * z))"

reweighted = Loop(
    stars=2,
    notes="A 2.2",
    ask="Write IRLS for Poisson counts with the log link. Start with all weights 0 but the last one, the bias: it is "
    "ln of the mean of y. In each step make the means m, the targets z and the weights of the samples with the old w, "
    "and let w be their weighted least squares. Stop after the step that moves no weight by more than tol, or after "
    "max_steps. Return (path, m): a row of path is w after a step, none is the start; m (N,) are the means at the end. "
    "X (N, d) ends with ones.",
    hints=(
        "Three lines for each step: the mean, the target, a solve. For Poisson counts a'' is the mean.",
        "XᵀRX is (X.T * m) @ X, and the right side is X.T @ (m * z). Keep the old w until you have compared.",
    ),
    answer=_reweighted,
    returns=("path", "m"),
    path="path",
    step="step",
    mistakes=(
        ("np.log(y.mean())", "0.0", "the start is not 0: its bias is ln of the mean of y"),
        ("np.log(y.mean())", "np.log(y + 1).mean()", "the start: ln of the mean of y, not a mean of logarithms"),
        ("np.log(y.mean())", "y.mean()", "the start: the bias is ln of the mean of y"),
        ("for _ in", "path = [w]\n    for _ in", "path has a row for each step, and none for the start"),
        ("(y - m) / m", "(y - m)", "the target divides the error y - m by a''(η), which is m here"),
        ("(y - m) / m", "(y - m) / (m * (1 - m))", "m(1 - m) belongs to yes or no; for counts a'' is the mean m"),
        ("z = X @ w + (y - m) / m", "z = (y - m) / m", "the old η = Xw is missing in the target"),
        ("z = X @ w + (y - m) / m", "z = np.log(y + 1)", "the target is η + (y - m)/m, not a logarithm of y"),
        ("z = X @ w + (y - m) / m", "z = y", "you fitted y itself with weights; the target is η + (y - m)/m"),
        ("(m * z)", "z", "R is missing on the right side: XᵀRz"),
        ("(X.T * m) @ X", "X.T @ X", "R is missing on the left side: XᵀRX"),
        (_NEW, "np.linalg.lstsq(X, z, rcond=None)[0]", "the weights R are missing on both sides"),
        (_NEW, "np.linalg.solve((X.T * m**2) @ X, X.T @ (m**2 * z))", "the weight of a sample is m, not its square"),
        (_NEW, "np.linalg.solve((X.T / m) @ X, X.T @ (z / m))", "the weight of a sample is a'' = m, not 1/m"),
        ("np.exp(X @ w)\n        z", "special.sigmoid(X @ w)\n        z", "σ is for yes or no; counts have e^η"),
        ("range(max_steps)", "range(max_steps + 1)", "it makes one step too many where tol is not reached"),
        ("range(max_steps)", "range(max_steps - 1)", "it makes one step too few where tol is not reached"),
        ("moved <= tol", "moved <= 100 * tol", "it stops too early: no weight may move by more than tol"),
        ("moved <= tol", "False", "it never stops before max_steps: compare with tol after each step"),
        ("path), np.exp(X @ w)", "path), m", "m is of the last step's old w: make the means at the end anew"),
    ),
    cases=_reweighted_cases,
)


def _boats_cases(rng):
    """Four features of your half of the households that rate the lake, and one of the others."""
    trips = datasets.recreation()
    rated = trips.X[:, 0] > 0
    X, y = trips.X[rated][:, [0, 1, 5, 6]], trips.y[rated]  # quality, skiyes, costS, costH
    half, rest = np.split(rng.permutation(len(X)), [len(X) // 2])
    w = glm.fit(design.augment(X[half]), y[half], glm.poisson).w
    spread = glm.dispersion(w, design.augment(X[half]), y[half], glm.poisson)
    near = rest[(X[rest, 2] < 100) & (X[rest, 1] == 1)]
    return [Case("your half", (np.round(w, 4), X[near[0]].astype(int).astype(float), float(np.round(spread, 1))))]


def _read_the_boats(w, x, dispersion):
    ski = np.exp(w[1])
    farther = np.exp(10 * (w[2] + w[3]))
    trips = np.exp(x @ w[:4] + w[4])
    errors = np.sqrt(dispersion)
    return ski, farther, trips, errors


read_the_boats = ByHand(
    stars=1,
    notes="A 2.1, A 2.2",
    ask="Read a model with the log link, fitted on your half of the households that rate the lake. w holds the weights "
    "of quality, skiyes, costS, costH, and last the bias. Give to three digits (1) the factor for a household that "
    "water-skis, the rest held fixed, (2) the factor for a house from which both costs are 10 dollars more, (3) the "
    "mean for the household x, (4) by which factor the standard errors of the Poisson model must grow, for this "
    "dispersion.",
    hints=(
        "Two costs that rise together change the linear predictor by both of their weights.",
        "The dispersion is the factor of the variance. A standard error is the root of a variance.",
    ),
    answer=_read_the_boats,
    returns=("ski", "farther", "trips", "errors"),
    one_by_one=True,
    mistakes=(
        ("ski = np.exp(w[1])", "ski = w[1]", "ski: that is the weight; the factor is e to it"),
        ("ski = np.exp(w[1])", "ski = 1 + w[1]", "ski: the factor is e^w, and 1 + w is near it for a small w only"),
        ("ski = np.exp(w[1])", "ski = np.exp(w[1]) - 1", "ski: a factor, not how much more"),
        ("ski = np.exp(w[1])", "ski = np.exp(w[0])", "ski: that is for a point of quality; skiyes is the second"),
        ("ski = np.exp(w[1])", "ski = np.exp(-w[1])", "ski: that is for a household that stops"),
        ("np.exp(10 * (w[2] + w[3]))", "np.exp(10 * w[2])", "farther: costH rises, too; add the two weights"),
        ("np.exp(10 * (w[2] + w[3]))", "np.exp(10 * w[3])", "farther: costS rises, too; add the two weights"),
        ("np.exp(10 * (w[2] + w[3]))", "np.exp(10 * (w[2] - w[3]))", "farther: costH rises and does not fall"),
        ("np.exp(10 * (w[2] + w[3]))", "np.exp(w[2] + w[3])", "farther: that is for one dollar more"),
        ("np.exp(10 * (w[2] + w[3]))", "10 * np.exp(w[2] + w[3])", "farther: ten times the change, and not the factor"),
        ("np.exp(10 * (w[2] + w[3]))", "10 * (w[2] + w[3])", "farther: that is the change of the linear predictor"),
        ("np.exp(10 * (w[2] + w[3]))", "np.exp(-10 * (w[2] + w[3]))", "farther: that is for 10 dollars less"),
        ("np.exp(x @ w[:4] + w[4])", "x @ w[:4] + w[4]", "trips: that is the linear predictor; the mean is e to it"),
        ("np.exp(x @ w[:4] + w[4])", "np.exp(x @ w[:4])", "trips: the bias is missing"),
        ("np.exp(x @ w[:4] + w[4])", "np.exp(x @ w[:4]) + w[4]", "trips: the bias belongs to the linear predictor"),
        ("np.sqrt(dispersion)", "dispersion", "errors: that is the factor of the variance"),
        ("np.sqrt(dispersion)", "1 / np.sqrt(dispersion)", "errors: they grow, so the factor is above 1"),
        ("np.sqrt(dispersion)", "dispersion**2", "errors: take the root, not the square"),
    ),
    cases=_boats_cases,
)


def _households():
    trips = datasets.recreation()
    return trips.X, trips.y


def _surprise_of_counts(means, y):
    """The mean Poisson deviance, 2 (y ln y/m - y + m): 0 for means that are the counts."""
    logs = np.where(y > 0, y * np.log(np.maximum(y, 1) / means), 0.0)
    return float(2 * np.mean(logs - y + means))


def _means(predictions):
    return "" if np.all(predictions > 0) else "a mean of counts must be above 0: a 0 says that a trip is impossible"


def _within_reach(X, y, X_new):
    seen = lambda X: np.column_stack([X[:, 0] > 0, X[:, :4], np.log(X[:, 4:])])  # noqa: E731  # costs: by factors
    A, B = seen(X), seen(X_new)
    center, spread = A.mean(axis=0), A.std(axis=0)
    spread[spread == 0] = 1  # in a half, perhaps nobody pays the fee
    A, B = design.augment((A - center) / spread), design.augment((B - center) / spread)
    w = glm.fit(A, y, glm.poisson, design.free_bias(10.0, A.shape[1])).w
    return np.exp(np.minimum(B @ w, np.quantile(A @ w, 0.98)))  # nobody is beyond all that was seen


boats_to_come = Project(
    stars=3,
    notes="A 2.1, A 2.2",
    ask="Boats to come. You get seven features X of one half of the 659 households and their trips y. From X, y and "
    "X_new return the mean number of trips, above 0, for each row of X_new. Quality 0 says, by the description, that "
    "they had not been there. It is judged by the mean Poisson deviance 2(y ln(y/m) - y + m) of the others, on 20 "
    "halves that your name deals: at most 3.1. The mean of y gets about 7.4, least squares on ln(1 + y), with "
    "max(e^η - 1, 0.01) as the way back, about 3.8.",
    hints=(
        "Fit all features, and print the largest prediction. Cap it, at max(y) for example: that is allowed.",
        "A cost of 490 lies far out: logarithms help, but not alone. Quality 0 is no quality: give it a feature.",
        "Nobody pays the fee? Penalize: glm.fit(A, y, glm.poisson, design.free_bias(lam, A.shape[1])).w, A with ones.",
    ),
    data=_households,
    score=_surprise_of_counts,
    said=lambda score: f"{score:.2f}",
    mark=3.1,
    splits=20,
    doubt=1.0,
    outputs=_means,
    turned=lambda means: means,
    answer=_within_reach,
)


def _zeros_run():
    X = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [2.0, -1.0, 1.0]])
    return X, np.array([2.0, 3.0, 0.0, 0.0]), np.array([1.0, 1.0, -1.0])


def _but(X=None, y=None, v=None):
    """The example with another part."""
    return tuple(new if new is not None else old for new, old in zip((X, y, v), _zeros_run(), strict=True))


_FOUR = _zeros_run()[0]
_STILL = 1e-9


def _along(X, v):
    """How η changes along v, by a v whose largest entry is 1: its length does not matter."""
    return X @ v / max(np.abs(v).max(), np.finfo(float).tiny)


zeros_run_away = Construction(
    stars=3,
    notes="A 2.2",
    ask="Some zeros run away. Return Poisson counts for which no finite weights are best, and the direction that "
    "proves it: X (N, 3) of rank 3, two features and a 1 at the end, at most 12 samples; y (N,), counts; v (3,). Along "
    "w + r v, as r grows, the loss must fall for ever. Counts above 0 must stand at two different places or more, a "
    "0 must run away, another 0 must stay where it is, and both features must have a weight other than 0 in v.",
    hints=(
        "The loss of a sample is e^η - y η. Along v, η changes by r v·x. What may it do where y > 0, and where y = 0?",
        "v·x must be 0 where y > 0: a line through your positive counts. On which side of it may zeros lie?",
    ),
    returns=("X", "y", "v"),
    requirements=(
        Requirement(
            "X must be a matrix (N, 3) with at most 12 rows, y of shape (N,) and v of shape (3,)",
            lambda X, y, v: (
                np.ndim(X) == 2 and (np.shape(X)[1], *np.shape(y), *np.shape(v)) == (3, len(X), 3) and 0 < len(X) < 13
            ),
            _but(v=[1.0, 1.0]),
        ),
        Requirement(
            "y must hold counts 0, 1, 2, ...",
            lambda X, y, v: np.all((y >= 0) & (y == np.rint(y))),
            _but(y=[2.0, 3.0, -1.0, 0.0]),
        ),
        Requirement(
            "the last column of X must hold ones",
            lambda X, y, v: np.all(X[:, 2] == 1),
            _but(X=_FOUR * [1.0, 1.0, 2.0]),
        ),
        Requirement(
            "the columns of X are dependent: then many weights are equally good for that reason alone",
            lambda X, y, v: np.linalg.matrix_rank(X) == 3,
            _but(X=_FOUR[:, [0, 0, 2]]),
        ),
        Requirement(
            "counts above 0 must stand at two different places or more",
            lambda X, y, v: len(np.unique(X[y > 0], axis=0)) > 1,
            _but(y=[2.0, 0.0, 0.0, 0.0]),
        ),
        Requirement(
            "v·x is not 0 for a count above 0: then e^η - y η grows without end along v",
            lambda X, y, v: np.all(np.abs(_along(X[y > 0], v)) < _STILL),
            _but(v=[1.0, 0.0, -1.0]),
        ),
        Requirement(
            "v·x is above 0 for a zero: its mean e^η grows without end along v",
            lambda X, y, v: np.all(_along(X[y == 0], v) < _STILL),
            _but(v=[-1.0, -1.0, 1.0]),
        ),
        Requirement(
            "no zero runs away: along v nothing changes, so the loss does not fall",
            lambda X, y, v: np.any(_along(X[y == 0], v) < -_STILL),
            _but(v=[0.0, 0.0, 0.0]),
        ),
        Requirement(
            "another zero must stay where it is, with v·x = 0",
            lambda X, y, v: np.any(np.abs(_along(X[y == 0], v)) < _STILL),
            _but(X=[[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [-1.0, -1.0, 1.0]]),
        ),
        Requirement(
            "one feature is not in v: that is the ice cream cart again",
            lambda X, y, v: np.all(v[:2] != 0),
            (
                [[0.0, 1.0, 1.0], [0.0, 2.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 5.0, 1.0]],
                [2.0, 3.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
            ),
        ),
    ),
    example=_zeros_run,
)


# --- more to type ---

_FAR = np.array([800, 700, 60, -60, -700, -800])
_SLOPE = "a factor mean'(Xw), as of the squared loss, is too much: leave it out"
_ONE_FOR_ALL = "φ_K is right, but the others have denominators 1 + e^η_i: it is one for all"


def _positive(rng, N, d, size=1.0, spread=0.4):
    """X > 0 and y > 0 with noise that multiplies, so that ln y has residuals, and means that are not 0."""
    X = rng.uniform(0.2, 2, (N, d))
    return X, size * np.exp(X @ rng.uniform(-1, 1.5, d) + 0.7 + spread * rng.normal(size=N))


def _log_linear_fit(X, y):
    A = np.column_stack([X, np.ones(len(X))])
    w = np.linalg.lstsq(A, np.log(y), rcond=None)[0]
    return w


log_linear_fit = Exercise(
    stars=0,
    notes="A 2.1, erratum A13",
    ask="Find the (w, b) that minimize Σ_i (w·x_i + b - ln y_i)². Return them as one array (d + 1,), the bias last: "
    "plain least squares on ln y. X (N, d) comes without the column of ones, y (N,) > 0 may be tiny.",
    hints=(
        "With z = ln y this is linear regression. Which function of chapter 01 does it?",
        "Append the ones to X, then least squares on np.log(y): np.linalg.lstsq(A, z)[0].",
    ),
    answer=_log_linear_fit,
    mistakes=(
        ("np.log(y)", "y", "the logarithm is missing: that is least squares on y itself"),
        ("np.log(y)", "np.log1p(y)", "you took ln(1 + y): the targets are ln y"),
        ("np.log(y)", "np.log(y + 1e-8)", "you added 1e-8 to y: y is small here, but never 0"),
        ("[X,", "[np.log(X),", "you took the logarithm of X, too: w·x holds x as it is"),
        ("np.column_stack([X, np.ones(len(X))])", "X", "the bias is missing: append a column of ones to X first"),
        ("return w", "return np.append(w[:-1], np.log(y).mean())", "w·mean(x) is missing: b = mean(ln y) - w·mean(x)"),
        ("return w", "return np.append(w[:-1], np.exp(w[-1]))", "you took exp of b: it is asked for as it is"),
        ("return w", "return np.exp(A @ w)", "those are the predictions exp(w·x + b): the coefficients are asked for"),
        ("return w", "return A @ w", "those are the fitted values of ln y: the coefficients are asked for"),
        ("return w", "w[-1] += np.var(np.log(y) - A @ w) / 2; return w", "you added s²/2 to b, as for the mean of y"),
    ),
    cases=lambda rng: table(rng, _positive, "N d size", (9, 3), (6, 1), (6, 4), (12, 2, 1, 8), (8, 2, 1e-14)),
)


def _exponential_density(y, eta, b, T, a):
    return b(y) * np.exp(eta * T(y) - a(eta))


def _families(rng):
    g, p, (x, y), eta = glm.gaussian_with(1.5), glm.poisson, rng.uniform(0.3, 2, (2, 4)), rng.uniform(0.5, 0.8, 3)
    return [
        Case("a Gaussian", (3 * x - 3, float(eta[0]), g.b, g.T, g.a)),
        Case("Poisson counts", (np.array([3.0, 0, 1, 5, 2, 7]), float(2 * eta[1]), p.b, p.T, p.a)),
        Case("b = y, T = -y²/2", (y, float(3 * eta[2]), np.positive, lambda y: -(y**2) / 2, lambda z: -np.log(z))),
    ]


exponential_density = Exercise(
    stars=0,
    notes="A 2.2",
    ask="Return the density p(y; η) = b(y) exp(η T(y) - a(η)) of an exponential family that is given by its functions: "
    "b, T and a are callables, b(y) and T(y) take the array y (N,), a(eta) takes the number eta. The result is (N,).",
    hints=(
        "Call the three functions: b and T on y, a on eta.",
        "b(y) * np.exp(eta * T(y) - a(eta)); only what is in the brackets is in the exponent.",
    ),
    answer=_exponential_density,
    mistakes=(
        (" - a", " + a", "you added a(η) in the exponent: subtract it"),
        (" - a(eta)", "", "a(η) is missing: without it the density does not integrate to 1"),
        (" - a(eta))", ") / a(eta)", "you divided by a(η): subtract it in the exponent, which divides by exp(a(η))"),
        (" - a(eta))", ") - a(eta)", "a(η) is outside the exponential: check the brackets"),
        ("a(eta)", "eta * a(eta)", "η multiplies T(y) alone, not the difference T(y) - a(η): check the brackets"),
        ("T(y)", "y", "T is missing: the exponent holds η T(y), not η y"),
        ("eta * T", "T", "η is missing: the exponent holds η T(y), not T(y)"),
        ("b(y) * np.exp(", "np.exp(b(y) + ", "b(y) is in the exponent: it stands before the exponential"),
        ("b(y) * ", "", "b(y) is missing: it multiplies the exponential"),
        ("np.exp", "", "the exponential is missing: that is b(y)(η T(y) - a(η))"),
    ),
    cases=_families,
)


def _natural_parameter(phi):
    return np.log(phi) - np.log1p(-phi)


natural_parameter = Exercise(
    stars=0,
    notes="A 2.3.2",
    ask="The Bernoulli distribution p(y) = φ^y (1-φ)^(1-y), y being 0 or 1, is exp(η y - a(η)): give its natural "
    "parameter η from φ. phi (m,) holds values of φ strictly between 0 and 1, some of them as small as 1e-300: η must "
    "be right there, too. Return η (m,), natural logarithms.",
    hints=(
        "Take the logarithm of p(y) and collect the factor of y.",
        "y ln φ + (1 - y) ln(1 - φ) = y [ln φ - ln(1 - φ)] + ln(1 - φ).",
    ),
    answer=_natural_parameter,
    mistakes=(
        ("np.log(phi) - np.log1p(-phi)", "phi / (1 - phi)", "those are the odds φ/(1 - φ): η is their logarithm"),
        ("np.log(phi) - np.log1p(-phi)", "np.log(phi / 1 - phi)", "phi / 1 - phi is 0: write phi / (1 - phi)"),
        ("np.log(phi) - np.log1p(-phi)", "1 / (1 + np.exp(-phi))", "σ is the inverse: it gives φ from η"),
        ("np.log(phi) - np.log1p(-phi)", "1 / (phi * (1 - phi))", "1/(φ(1 - φ)) is the derivative of η by φ"),
        ("np.log(phi) -", "-", "that is -ln(1 - φ), the log-partition a: η is the factor of y"),
        (" - np.log1p(-phi)", "", "that is ln φ alone: (1 - y) ln(1 - φ) holds y, too, and adds -ln(1 - φ)"),
        (" - np.log1p(-phi)", " / (1 - phi)", "that is (ln φ)/(1 - φ): take the logarithm of the whole φ/(1 - φ)"),
        (" - ", " / ", "that is ln φ/ln(1 - φ): the logarithm of a quotient is a difference"),
        (" - ", " + ", "that is ln φ(1 - φ): ln(1 - φ) is subtracted"),
        ("return", "phi = np.clip(phi, 1e-12, 1 - 1e-12); return", "you cut φ off at 1e-12: it is never 0 or 1 here"),
    ),
    cases=lambda rng: [
        Case("ordinary data", (np.append(rng.uniform(0.05, 0.95, 7), 0.5),)),
        Case("phi near 0 and near 1", (np.array([1 - 1e-10, 1e-9, 1e-20, 1 - 1e-4, 1e-300, 1 - 1e-9]),)),
        Case("small phi", (10.0 ** rng.uniform(-4, -1.5, 5),)),
    ],
    factors={"-": "φ is the probability of y = 1: it stands in the numerator"},
)


def _log_partition(eta):
    e = np.exp(-np.abs(eta))
    return np.maximum(eta, 0) + np.log1p(e)


bernoulli_log_partition = Exercise(
    stars=0,
    notes="A 2.3.2, erratum A19",
    ask="Return the log-partition of the Bernoulli distribution as a function of its natural parameter, a(η) = ln(1 + "
    "e^η), entry by entry. eta (m,) reaches from -800 to 800: the result must be finite there and right.",
    hints=(
        "e^800 is no float64. For a large η take e^η out of the logarithm: ln(1 + e^η) = η + ...?",
        "ln(1 + e^η) = max(η, 0) + ln(1 + e^-|η|): this exponential never exceeds 1.",
    ),
    answer=_log_partition,
    mistakes=(
        ("e = ", "return np.log(1 + np.exp(eta)); e = ", "e^η overflows for large η: ln(1 + e^η) = η + ln(1 + e^-η)"),
        ("e = ", "return -np.log(1 - 1 / (1 + np.exp(-eta))); e = ", "φ is rounded to 1 for η > 37: write a with η"),
        ("e = ", "return eta + np.log(1 + np.exp(-eta)); e = ", "e^-η overflows for η = -800: use this for η > 0 only"),
        ("e = ", "return np.log1p(np.exp(np.minimum(eta, 700))); e = ", "you cut η off at 700: a(800) is 800"),
        ("e = ", "return -np.log(1 - eta); e = ", "you put η where φ stands in -ln(1 - φ): a(η) = ln(1 + e^η)"),
        ("e = ", "return 1 / (1 + np.exp(-eta)); e = ", "that is a'(η) = σ(η), the mean: a itself is asked for"),
        ("np.maximum(eta, 0)", "np.maximum(-eta, 0)", "the sign of η is wrong: that is ln(1 + e^-η)"),
        ("np.maximum(eta, 0) + ", "", "that is ln(1 + e^-|η|): max(η, 0) is missing"),
        (" + np.log1p(e)", "", "max(η, 0) is a(η) far from 0 only: ln(1 + e^-|η|) is missing"),
        ("-np.abs(eta)", "-eta", "that is max(η, 0) + ln(1 + e^-η): the exponential holds |η|"),
    ),
    cases=lambda rng: [
        Case("ordinary eta", (rng.normal(size=6) * 2,)),
        Case("eta from -40 to 40", (rng.uniform(-1, 1, 33) + np.arange(-40, 41, 2.5),)),
        Case("eta far out, to -800 and 800", (np.append(rng.normal(size=3), rng.uniform(0.95, 1, 6) * _FAR),)),
        Case("eta from -22 to -3", (np.array([-8, -21, -4, -17, -12]) + rng.uniform(-1, 1, 5),)),
    ],
)


def _gaussian(y, mu, sigma):
    b = np.exp(-(y**2) / (2 * sigma**2)) / (np.sqrt(2 * np.pi) * sigma)
    eta = mu / sigma**2
    a = mu**2 / (2 * sigma**2)
    return b, y, eta, a


gaussian_as_exponential = Exercise(
    stars=0,
    notes="A 2.3.1, erratum A15",
    ask="Write the density of the Gaussian with mean mu and known sigma > 0 as b(y) exp(η T(y) - a(η)), where T(y) = y "
    "and b holds every factor without mu. Return the values (b, T, eta, a): b(y) and T(y), both (N,), the numbers η "
    "and a(η). y (N,), mu and sigma numbers.",
    hints=(
        "Multiply (y - mu)² out: which of the three terms hold only y, only mu, both?",
        "-y²/2σ² goes to b with 1/(√(2π) σ), yμ/σ² is η T(y), and a = μ²/2σ² = σ²η²/2.",
    ),
    answer=_gaussian,
    returns=("b", "T", "eta", "a"),
    mistakes=(
        (" y, eta", " 2 * y, eta / 2", "T(y) is y and eta mu/sigma², not 2y and mu/(2 sigma²)"),
        (" y, eta", " y / sigma**2, mu", "sigma² belongs to eta: T(y) = y and eta = mu/sigma²"),
        ("eta, a", "eta, a + np.log(sigma)", "ln sigma is in a: it holds no mu, so it stands in b, as 1/sigma"),
        ("eta, a", "eta, a + np.log(np.sqrt(2 * np.pi) * sigma)", "1/(√(2π) sigma) is in b, not in a: it has no mu"),
        ("-(y**2)", "-((y - mu) ** 2)", "mu is in b, that is the whole density: b holds the factors without mu"),
        (" / (np.sqrt(2 * np.pi) * sigma)", "", "1/(√(2π) sigma) is missing in b: it holds no mu"),
        (" * sigma)", ")", "1/sigma is missing in b: the constant is 1/(√(2π) sigma)"),
        ("np.exp(-", "np.exp(", "the minus in the exponent of b is missing: -y²/(2 sigma²)"),
        ("-(y**2) / (2 *", "-(y**2) / (", "the factor 1/2 in the exponent of b is missing: -y²/(2 sigma²)"),
    ),
    cases=lambda rng: [
        Case("sigma = 2", (rng.normal(size=5) * 2 + 1, 1.5, 2.0)),
        Case("sigma = 1/2", (rng.normal(size=4) - 1, -0.75, 0.5)),
    ],
)


def _observed(rng, N, d, family, values, far=0.6):
    X, w = rng.normal(size=(N, d)) + 0.3, rng.normal(size=d) * far
    return X, rng.permutation(np.resize(values, N)), w, family.mean


def _score(X, y, w, mean):
    return X.T @ (y - mean(X @ w))


glm_score = Exercise(
    stars=0,
    notes="A 2.2",
    ask="Give the gradient with respect to w of the log-likelihood Σ_i ln p(y_i; w·x_i), not of its negative, and not "
    "a mean, for a family with T(y) = y. mean is the callable a', which gives E[y] from an array of η = w·x. X (N, d) "
    "is the design matrix as given, y (N,), w (d,). Return (d,).",
    hints=(
        "ln p(y_i; η_i) = ln b(y_i) + η_i y_i - a(η_i): differentiate by η_i first, then η_i = w·x_i by w.",
        "Σ_i (y_i - a'(w·x_i)) x_i, as a product of Xᵀ and a vector of residuals.",
    ),
    answer=_score,
    mistakes=(
        ("mean(X @ w)", "X @ w", "mean is missing: the residual is y - mean(Xw), on the scale of y"),
        ("mean(X @ w)", "1 / (1 + np.exp(-X @ w))", "you took σ for every family: use the mean that is given"),
        ("mean(X @ w)", "mean(X) @ w", "mean acts on w·x, a number per sample: mean(X @ w), not mean(X) @ w"),
        ("y - mean(X @ w)", "y", "the predictions are missing: the residual is y - mean(Xw)"),
        ("X.T @", "(X.T * mean(X @ w) * (1 - mean(X @ w))) @", "m(1 - m) belongs to the squared loss: leave it out"),
        ("X.T @ ", "", "Xᵀ is missing: those are the residuals; each multiplies its own sample x_i"),
        ("X.T @ (", "sum(", "Xᵀ is missing: you only summed the residuals; each multiplies its own x_i first"),
        ("X.T @ (", "np.linalg.pinv(X) @ (", "that is (XᵀX)⁻¹ times the gradient, a least-squares step: leave it out"),
        ("X.T @ (", "(X.T * (mean(X @ w + 1e-6) - mean(X @ w - 1e-6)) / 2e-6) @ (", _SLOPE),
    ),
    cases=lambda rng: [
        Case("a Gaussian, sigma = 2", _observed(rng, 7, 3, glm.gaussian_with(2.0), [2.5, -1, 0.3]), {"N": 7}),
        Case("Bernoulli", _observed(rng, 10, 2, glm.bernoulli, [0.0, 1, 0], 4), {"N": 10}),
        *table(rng, _observed, "N d", (8, 4, glm.poisson, [0.0, 3, 1, 6]), (5, 1, glm.poisson, [2.0, 0, 4])),
    ],
    factors={"-": "that is the gradient of the loss -Σ ln p", "1/N": "the log-likelihood is a sum, not a mean"},
)


def _categorical_phi(eta):
    return special.softmax(np.append(eta, 0))


categorical_phi = Exercise(
    stars=0,
    notes="A 2.3.3",
    ask="K classes have K - 1 natural parameters η_i = ln(φ_i/φ_K), the last class being the reference. From eta "
    "(K - 1,), whose entries are at most 10 in size, all K probabilities: return φ (K,), the reference last, sum 1.",
    hints=(
        "φ_i = φ_K e^η_i, and the φ sum to 1: what follows for φ_K?",
        "φ_K = 1/(1 + Σ_{j<K} e^η_j): the reference class has e^0 = 1 in every sum.",
    ),
    answer=_categorical_phi,
    mistakes=(
        ("np.append(eta, 0)", "eta", "that is the softmax of K - 1 numbers: append η = 0 for the reference class"),
        ("np.append(eta, 0)", "np.append(eta, 1)", "the reference class has η = 0, e^0 = 1; you gave it η = 1"),
        ("special.softmax(", "np.exp(", "you did not normalize: divide by 1 + Σ_{j<K} e^η_j"),
        ("softmax(", "sigmoid(", "that is σ for each class: they must share the denominator 1 + Σ_{j<K} e^η_j"),
        ("softmax(np.append(eta, 0))", "sigmoid(eta)", "that is σ(η_i) for each class, and φ_K is missing"),
        ("return", "E = np.exp(eta); return np.append(E, 1 - sum(E));", "e^η_i is φ_i/φ_K, not φ_i: multiply by φ_K"),
        ("special.softmax(", "1 / sum(np.exp(eta)) * np.exp(", "the denominator lacks the 1 of the reference class"),
        ("return", "E = np.exp(eta); return np.append(E / (1 + E), 1 / (1 + sum(E)));", _ONE_FOR_ALL),
    ),
    cases=lambda rng: [
        *table(rng, lambda rng, K, a, b: (rng.uniform(a, b, K - 1),), "K", (4, -2, 2.5), (2, 0.3, 2), (5, -3, -1)),
        Case("large eta", (rng.permutation([9.5, -9.5, *rng.uniform(-10, 10, 3)]),), {"K": 6}),
    ],
)


before = {
    "ch03-cups": Question(
        lambda: [np.log(4), np.log(2), 4],
        {
            "e^b is to be 2, and so b is its logarithm": lambda: [6, 2, 4],
            "those are the means of the logarithms: take the logarithms of the means": lambda: [
                np.log(60) / 2 - np.log(3) / 2,
                np.log(3) / 2,
                np.sqrt(20),
            ],
            "w alone is the difference: e^(w + b) is to be 8": lambda: [np.log(8), np.log(2), 8],
            "the factor is that from 2 to 8": lambda: [np.log(4), np.log(2), 8],
            "the factor: w is added to η; by what does this multiply e^η?": lambda: [np.log(4), np.log(2), np.log(4)],
        },
    ),
    "ch03-above": Question(
        lambda: [50, 1],
        {
            "16 of 100 have z > 1; y is above the curve where z > 0": lambda: [16, 1],
            "84 of 100 have z < 1; y is above the curve where z > 0": lambda: [84, 1],
            "are fewer above than below? How often is z above 0?": lambda: [40, 1],
            "give how many of 100, and not a share": lambda: [0.5, 1],
            "half of the noise is positive; but e^s lies farther from 1 than e^-s": lambda: [50, 0],
            "e^s adds more than e^-s takes away": lambda: [50, -1],
        },
    ),
    "ch03-bars": Question(
        lambda: [2, 3],
        {
            "the factor e^η is there in both; y! differs, too": lambda: [6, 6],
            "the quotient is e^η/(y + 1), with y the smaller of the two counts": lambda: [3, 2],
            "that is for η = 0: the factor e^η is missing": lambda: [1 / 3, 1 / 2],
            "that is upside down: how many times as probable is the larger count?": lambda: [1 / 2, 1 / 3],
            "those are the quotients of the counts themselves": lambda: [3 / 2, 2],
            "η is ln 6, so e^η is 6": lambda: [np.log(6) / 3, np.log(6) / 2],
            "3! is 6 and 2! is 2: in the quotient y! goes down, so divide": lambda: [18, 12],
        },
    ),
    "ch03-three": Question(
        lambda: [0, 0.5, 1],
        {
            "those are the values of a; differentiate": lambda: [0, np.log(2), 1],
            "the inner derivative: ln u has the derivative u'/u": lambda: [0, 1, 1],
            "1/4 is the slope of σ at 0; differentiate ln(1 + e^η) once": lambda: [0, 1 / 4, 1],
            "those are the second derivatives; differentiate once": lambda: [1, 1 / 4, 1],
        },
    ),
    "ch03-push": Question(
        lambda: [special.sigmoid(-10.0) - 1, -2 * special.sigmoid(-10.0) * (1 - special.sigmoid(-10.0)) ** 2],
        {
            "the factor σ'(η) is missing in the second one": lambda: [
                special.sigmoid(-10.0) - 1,
                2 * (special.sigmoid(-10.0) - 1),
            ],
            "the factor 2 is missing in the second one": lambda: [
                special.sigmoid(-10.0) - 1,
                -special.sigmoid(-10.0) * (1 - special.sigmoid(-10.0)) ** 2,
            ],
            "the loss falls as η grows: both slopes are negative": lambda: [
                1 - special.sigmoid(-10.0),
                2 * special.sigmoid(-10.0) * (1 - special.sigmoid(-10.0)) ** 2,
            ],
        },
    ),
    "ch03-one-solve": Question(
        lambda: 1,
        {"it is already least squares: where do the targets change?": lambda: 2},
    ),
    "ch03-costs": Question(
        lambda: [-1, 1, 1],
        {
            "an expensive way to another lake brings them here": lambda: [-1, -1, -1],
            "an expensive trip to this lake: more trips here, or fewer?": lambda: [1, 1, 1],
            "turn it around: who pays more for a lake, goes there less often": lambda: [1, -1, -1],
            "Conroe and Houston both compete with this lake: why should they differ?": lambda: [-1, -1, 1],
            "Houston and Conroe both compete with this lake: why should they differ?": lambda: [-1, 1, -1],
            "think of this lake alone; and of Conroe as you did of Houston": lambda: [1, -1, 1],
            "think of this lake alone; and of Houston as you did of Conroe": lambda: [1, 1, -1],
        },
    ),
    "ch03-cold": Question(
        lambda: 0,
        {
            "that is the mean for the bias 0; no cup at all was sold": lambda: 1,
            "that is the mean of all five days; what were the cold ones?": lambda: 6 / 5,
            "that is a warm day's mean": lambda: 3,
            "a mean of counts is asked, and it cannot be below 0": lambda: -1,
            "is a smaller mean not better still?": lambda: 0.01,
        },
    ),
}

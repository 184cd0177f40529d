"""Exercises of chapter 10, the support vector machine (notes D 5). alpha holds the multipliers, note D's λ."""

from itertools import product

import numpy as np

from linmodels import datasets, kernels, perceptron, svm

from .grading.before import Question
from .grading.by_hand import ByHand, wrong_line
from .grading.checker import Case, Construction, Exercise, Requirement
from .grading.derive import Derivation
from .grading.kinds import Loop, Project, per_cent_wrong, share_wrong
from .grading.prove import Decoy, Line, Proof
from .perceptron import EYE_LABELS, EYE_POINTS, LINE, TURNED, eye_margins, points_where

chapter = "10"


def _widest():
    """The distance of the best line to the nearest of the eight points."""
    machine = svm.fit(EYE_POINTS, EYE_LABELS)
    return svm.geometric_margin(machine.w, machine.b, EYE_POINTS, EYE_LABELS)


def _street():
    return np.array([-1.0, 2.0]), -2.0  # parallel to the edge from (2, 1) to (6, 3), half way to (2, 3) and (4, 4)


def _narrow(w, b):
    m = eye_margins(w, b) / np.linalg.norm(w)
    nearest = points_where(m < m.min() + 0.05)
    return f"the nearest points are {m.min():.3f} away, less than 95 % of what is possible: move away from {nearest}"


street_by_eye = Construction(
    stars=1,
    notes="D 5",
    ask="Draw the widest street by eye, the band around a separating line that reaches to the nearest points: return "
    "(w, b) of a line that separates the positive points (1, 4), (2, 3), (3, 5), (4, 4) from the negative ones (2, "
    "1), (4, 2), (5, 1), (6, 3), and whose distance to the nearest point is at least 95 % of the largest possible; w "
    "has any length. Do it without svm.fit.",
    hints=(
        "Which points would the street touch? On each side of the line the nearest ones must be equally far.",
        "Take the edge of one class, a line through two of its points. The best line is parallel to it, in the middle.",
    ),
    returns=("w", "b"),
    requirements=(
        *LINE,
        TURNED,
        Requirement(
            lambda w, b: (
                f"first it must separate them; on the wrong side or on the line: {points_where(eye_margins(w, b) <= 0)}"
            ),
            lambda w, b: np.all(eye_margins(w, b) > 0),
            (np.array([0.0, 1]), -2.5),
        ),
        Requirement(
            _narrow,
            lambda w, b: svm.geometric_margin(w, b, EYE_POINTS, EYE_LABELS) >= 0.95 * _widest(),
            (np.array([-1.0, 2.0]), -3.5),
        ),
    ),
    example=_street,
)


def _labels(rng, N):
    """y (N,) with both labels more than once, of which neither is always the first."""
    return rng.permutation(np.concatenate([[1.0, 1, -1, -1], rng.choice([-1.0, 1.0], N - 4)]))


def _at_distances(rng, d, y, distances):
    """(w, b, X, y): a plane of a length other than 1, samples at these signed distances."""
    w, b = rng.normal(size=d), rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 2)
    w, Z = w * rng.uniform(2, 5) / np.linalg.norm(w), 2 * rng.normal(size=(len(y), d))
    return w, b, Z + np.outer(y * distances - (Z @ w + b) / np.linalg.norm(w), w) / np.linalg.norm(w), y


_WRONG_SIDE = (8, 2, -1, [-2.0, -0.1, 0.3]), (6, 1, 1, [-1.0, 0.2])  # N, d, the class of the nearest, the first
_SEPARATED = (7, 2, -1, [0.3]), (9, 3, 1, [0.2]), (6, 1, -1, [3000.0])  # distances; the others are larger


def _margin_cases(rng, settings):
    cases = []
    for N, d, nearest, first in settings:
        distances = np.append(first, np.abs(first).max() * rng.uniform(1.1, 3, N - len(first))) * rng.uniform(0.5, 1.5)
        w, b, X, y = _at_distances(rng, d, np.append(nearest, _labels(rng, N - 1)), distances)
        order = rng.permutation(N)
        label = f"{N} samples, {d} features, a {nearest:+} at about {first[0]}"
        cases.append(Case(label, (w, b, X[order], y[order]), {"N": N}))
    return cases


def _geometric_margin(w, b, X, y):
    return np.min(y * (X @ w + b)) / np.linalg.norm(w)


geometric_margin = Exercise(
    stars=0,
    notes="D 5, erratum D30",
    ask="Return the geometric margin of the plane w·x + b = 0, a number: the smallest of the signed distances of the "
    "samples to it, where the distance of a sample on the wrong side of the plane counts negative. w (d,) of any "
    "length but 0, b a number, X (N, d), y (N,) of -1 and +1.",
    hints=(
        "Doubling w and b must not change a distance. What is its sign for a sample of the class -1 on the right side?",
        "y_n(w·x_n + b)/‖w‖ is the signed distance of sample n; the smallest of these N numbers is wanted.",
    ),
    answer=_geometric_margin,
    mistakes=(
        ("y * (X @ w + b)", "np.abs(X @ w + b)", "|w·x_n + b| hides a wrong side (erratum D30)"),
        ("y * (X @ w + b)", "y * (X @ w) + b", "brackets are missing: y_n multiplies b too"),
        ("np.min", "", "those are all N signed distances: return the smallest"),
        ("np.min", "np.max", "you took the largest: take the smallest"),
        (" / np.linalg.norm(w)", "", "that is the functional margin, which grows with w: divide by ‖w‖"),
        ("np.linalg.norm(w)", "np.linalg.norm(np.append(w, b))", "you divided by ‖(w, b)‖: divide by ‖w‖ alone"),
        ("np.linalg.norm(w)", "(w @ w)", "you divided by ‖w‖²: a distance needs ‖w‖"),
        ("np.min(y * (X @ w + b))", "1", "1/‖w‖ is the margin of the canonical (w, b) only"),
    ),
    cases=lambda rng: _margin_cases(rng, _WRONG_SIDE + _SEPARATED),
    factors={"2": "that is the width between the classes, of which the margin is half"},
)


def _two_points(rng):
    """Two points that differ in both features, and by how much the second one is stretched."""
    while True:
        p, m = rng.integers(-4, 5, (2, 2)).astype(float)
        d = p - m
        if d.all() and abs(d[0]) != abs(d[1]):
            return [Case("your two points", (p, m, float(rng.choice([2, 4, 5]))))]


def _stretched_axis(p, m, c):
    d = p - m
    return np.sqrt(d @ d) / 2, -d[0] / d[1], np.hypot(d[0], c * d[1]) / 2, -d[0] / (c**2 * d[1])


_OLD, _NEW = "-d[0] / d[1]", "-d[0] / (c**2 * d[1])"

stretched_axis = ByHand(
    stars=1,
    notes="D 5",
    ask="The widest street between two samples, p with the label +1 and m with -1. Give (1) its margin, and (2) the "
    "slope of its line, by how much x_2 changes along the line if x_1 grows by 1. Then x_2 is measured in a smaller "
    "unit, so all its numbers become c times as large. Give (3) the margin of the street that is the widest now, in "
    "the new numbers, and (4) the slope of its line, told in the old numbers again.",
    hints=(
        "The line is halfway, at a right angle to p - m. How long is p - m, before and after?",
        "Write the score with the new x_2, then put in c times the old x_2. What stands before the old x_2?",
    ),
    answer=_stretched_axis,
    returns=("margin", "slope", "new_margin", "new_slope"),
    one_by_one=True,
    mistakes=(
        ("np.sqrt(d @ d) / 2,", "np.sqrt(d @ d),", "margin: that is the whole width of the street"),
        ("np.sqrt(d @ d) / 2,", "(d @ d) / 2,", "margin: the root is missing"),
        ("np.sqrt(d @ d) / 2,", "np.sqrt(p @ p) / 2,", "margin: that is half the length of p, not of p - m"),
        (_OLD + ",", "d[1] / d[0],", "slope: that is the slope of w, and the line stands at a right angle to it"),
        (_OLD + ",", "d[0] / d[1],", "slope: w·x stays the same along the line, so what does x_2 do when x_1 grows?"),
        (_OLD + ",", "-d[1] / d[0],", "slope: the two features are exchanged"),
        ("np.hypot(d[0], c * d[1]) / 2", "np.hypot(d[0], c * d[1])", "new_margin: that is the whole width"),
        ("np.hypot(d[0], c * d[1]) / 2", "c * np.sqrt(d @ d) / 2", "new_margin: only x_2 is stretched"),
        ("np.hypot(d[0], c * d[1]) / 2", "np.hypot(c * d[0], d[1]) / 2", "new_margin: x_2 is stretched, not x_1"),
        (_NEW, "-d[0] / (c * d[1])", "new_slope: that is the slope in the new numbers; tell it in the old ones"),
        (_NEW, _OLD, "new_slope: then the line would stay; the new w is another one, too"),
        (_NEW, "-d[0] * c**2 / d[1]", "new_slope: does x_2 count for more now, or for less?"),
        (_NEW, "c**2 * d[1] / d[0]", "new_slope: that is the slope of w"),
        (_NEW, "d[0] / (c**2 * d[1])", "new_slope: w·x stays the same along the line: what does x_2 do?"),
    ),
    cases=_two_points,
)


_THREE = np.array([[3.0, 3], [4, 3], [1, 1]]), np.array([1.0, 1, -1])  # the samples of the chapter


def _not_at_0():
    w, b = np.array([0.5, 0.5]), -2.0
    X, y = _THREE
    at = 0.1 * (1 - y[1] * (X[1] @ w + b))
    return f"for (4, 3) with α = 0.1, and the line x_1 + x_2 = 4 in canonical length, this is {at:g}"


def _below_the_smallest():
    X, y = _THREE
    alpha = np.array([0.2, 0.05, 0.25])
    above = svm.lagrangian(np.array([0.5, 0.5]), -2.0, alpha, X, y)
    smallest = svm.dual_objective(alpha, X @ X.T, y)
    told = "for the three samples of the chapter and α = (0.2, 0.05, 0.25), Γ is"
    return f"{told} {smallest:g}, and Λ is {above:g} at w = (½, ½), b = -2"


def _a_narrow_line():
    X, y = _THREE
    bound = 1 / np.sqrt(2 * svm.dual_objective(np.array([0.25, 0, 0.25]), X @ X.T, y))
    narrow = svm.geometric_margin(np.array([1.0, 0]), -2.0, X, y)
    told = f"for the three samples and α = (¼, 0, ¼), 1/√(2Γ) is {bound:.4g}"
    return f"{told}, and the line x_1 = 2 has the margin {narrow:g}"


weak_duality = Proof(
    stars=2,
    notes="D 5, erratum D34",
    ask="Prove that multipliers bound every margin. f is w·x + b, Λ the Lagrangian ½‖w‖² + Σ α_n(1 - y_n f(x_n)), and "
    "Γ(α) its smallest value over all w and b. Give the letters of the nine lines, each below what it uses; any such "
    "order is right. Three lines do not belong. After three wrong tries the letters are dealt anew.",
    hints=(
        "Γ(α) <= something <= ½‖w‖². What stands between the two, and which sign has each term of its sum?",
        "A bound for ½‖w‖² is one for ‖w‖. What has ‖w‖ to do with the margin, and for which (w, b)?",
    ),
    lines={
        "open": Line("Let all α_n >= 0, and let (w, b) have y_n f(x_n) >= 1 for all n", "what α and (w, b) are"),
        "least": Line("Γ(α) <= Λ(w, b, α), the value at one place", "how Γ compares with Λ", ("open",)),
        "short": Line("1 - y_n f(x_n) <= 0 for each n", "the sign of each bracket", ("open",)),
        "terms": Line("α_n(1 - y_n f(x_n)) <= 0 for each n", "the sign of each term", ("open", "short")),
        "below": Line("Λ(w, b, α) <= ½‖w‖²", "how Λ compares with ½‖w‖²", ("terms",)),
        "chain": Line("Γ(α) <= ½‖w‖²", "the bound for ½‖w‖²", ("least", "below")),
        "length": Line("If Γ(α) > 0, then 1/‖w‖ <= 1/√(2Γ(α))", "the bound for 1/‖w‖", ("chain",)),
        "margin": Line(
            "Each line that separates has such a (w, b) whose 1/‖w‖ is its margin", "what 1/‖w‖ is", ("open",)
        ),
        "claim": Line("If Γ(α) > 0, no line has a margin above 1/√(2Γ(α))", "the claim", ("length", "margin")),
    },
    decoys={
        "zero": Decoy("α_n(1 - y_n f(x_n)) = 0 for each n", _not_at_0),
        "above": Decoy("Γ(α) >= Λ(w, b, α), for Γ(α) is an extreme value", _below_the_smallest),
        "narrow": Decoy("If Γ(α) > 0, no line has a margin below 1/√(2Γ(α))", _a_narrow_line),
    },
)

slopes_of_the_lagrangian = Derivation(
    stars=1,
    notes="D 5, erratum D35",
    ask="Derive the gradient of the Lagrangian with respect to w, one rule a line, until no d is left. X (N, d) has a "
    "sample in each row, y and alpha are (N,), and 1 - y*(X@w + b) is what each sample lacks. d(e, w) is the gradient "
    "of e with respect to w.",
    hints=(
        "Take the two terms apart first. One is a square, the other is linear in w.",
        "Which matrix takes a sum over the samples to the place of w? Look at the shapes: (d,) is wanted.",
    ),
    start="d(w@w/2 + sum(alpha*(1 - y*(X@w + b))), w)",
    letters={"X": "N d", "w": "d", "b": "number", "y": "N", "alpha": "N"},
    free_of=("d",),
    lines=(
        "d(w@w/2, w) + d(sum(alpha*(1 - y*(X@w + b))), w)",
        "w + d(sum(alpha*(1 - y*(X@w + b))), w)",
        "w - X.T@(alpha*y)",
    ),
    slips=(
        (2, "2*w + d(sum(alpha*(1 - y*(X@w + b))), w)", "does not follow"),
        (3, "w + X.T@(alpha*y)", "the sign before"),
        (3, "w - X.T@alpha", "does not follow"),
        (3, "-X.T@(alpha*y)", "does not follow"),
        (3, "w - X@(alpha*y)", "line 4"),
    ),
)


def _at_the_smallest(letters):
    """Labels, multipliers in balance, and the w where the Lagrangian is smallest."""
    y, alpha = np.sign(letters["y"]), letters["alpha"]
    alpha = alpha - y * (y @ alpha) / len(y)
    return {**letters, "y": y, "alpha": alpha, "w": letters["X"].T @ (alpha * y)}


dual_by_lines = Derivation(
    stars=2,
    notes="D 5, erratum D37",
    ask="Derive the dual function. Start from the Lagrangian, where w = X.T@(alpha*y) and sum(alpha*y) = 0, and go on, "
    "one rule a line, until neither w nor b is left. To open brackets is one line, and so is each use of what is known "
    "of w and alpha. X (N, d), y and alpha (N,).",
    hints=(
        "Multiply out, until b stands before a sum which you know, and w alone beside X.T@(alpha*y).",
        "sum(alpha*y*(X@w)) is an inner product of w with a vector that you know. Which one?",
        "How many w@w are left? Only then put in what w is.",
    ),
    start="w@w/2 + sum(alpha*(1 - y*(X@w + b)))",
    letters={"X": "N d", "w": "d", "b": "number", "y": "N", "alpha": "N"},
    bound=_at_the_smallest,
    bound_as="w = X.T@(alpha*y), sum(alpha*y) = 0 and y = ±1",  # with ±1 at the end, to open brackets is another rule
    free_of=("w", "b"),
    lines=(
        "w@w/2 + sum(alpha) - sum(alpha*y*(X@w)) - b*sum(alpha*y)",
        "w@w/2 + sum(alpha) - sum(alpha*y*(X@w))",
        "w@w/2 + sum(alpha) - (X.T@(alpha*y))@w",
        "w@w/2 + sum(alpha) - w@w",
        "sum(alpha) - w@w/2",
        "sum(alpha) - (X.T@(alpha*y))@(X.T@(alpha*y))/2",
    ),
    slips=(
        (1, "w@w/2 + sum(alpha) + sum(alpha*y*(X@w)) - b*sum(alpha*y)", "the sign before"),
        (1, "w@w/2 + 1 - sum(alpha*y*(X@w)) - b*sum(alpha*y)", "does not follow"),
        (4, "w@w/2 + sum(alpha) + w@w", "the sign before"),
        (5, "sum(alpha) + w@w/2", "the sign before"),
        (6, "sum(alpha) - (X.T@alpha)@(X.T@alpha)/2", "does not follow"),
    ),
)


def _two(x_plus, x_minus):
    difference = x_plus - x_minus
    alpha = 2 / (difference @ difference)
    w = alpha * difference
    return alpha, w, 1 - w @ x_plus


def _two_cases(rng):
    cases = []
    for d, apart in ((2, 0.3), (1, 0.6), (5, 2), (3, 1e-4)):
        middle, step = 2 * rng.normal(size=d), apart * rng.uniform(0.5, 1.5, d) * rng.choice([-1, 1], d)
        cases.append(Case(f"{d} features, differences of about {apart}", (middle + step, middle - step)))
    return cases


two_point_svm = Exercise(
    stars=1,
    notes="D 5",
    ask="Return (alpha, w, b) of the plane of the largest margin between two different samples, x_plus (d,) with the "
    "label +1 and x_minus (d,) with -1: alpha, the one multiplier that both share, a number; w (d,) and the number b "
    "in the canonical length, w·x_plus + b = 1 and w·x_minus + b = -1.",
    hints=(
        "Σ alpha_n y_n = 0 says that both alphas are equal, w = alpha(x_plus - x_minus). What is w·(x_plus - x_minus)?",
        "It is 1 - (-1) = 2, so alpha = 2/‖x_plus - x_minus‖², and b = 1 - w·x_plus.",
    ),
    answer=_two,
    mistakes=(
        ("2 / (", "1 / (", "alpha and w are half of what they must be: w·(x_plus - x_minus) is 1 - (-1) = 2"),
        ("difference @ difference", "np.linalg.norm(difference)", "square the length: alpha = 2/‖x_plus - x_minus‖²"),
        ("2 / (difference @ difference)", "difference @ difference / 2", "alpha is 1 over this, 2/‖x_plus - x_minus‖²"),
        ("alpha * difference", "difference", "alpha is missing in w = alpha(x_plus - x_minus)"),
        ("alpha * difference", "alpha * (x_plus + x_minus)", "the label -1 is missing: w = alpha(x_plus - x_minus)"),
        ("x_plus - x_minus", "x_minus - x_plus", "w points the wrong way: it is alpha(x_plus - x_minus)"),
        ("1 - w @ x_plus", "0.0", "b is 0: the plane goes through the midpoint of the samples, not through the origin"),
        ("1 - w @ x_plus", "-w @ x_plus", "b = -w·x_plus puts the plane through x_plus: w·x_plus + b is 1, not 0"),
        ("1 - w @ x_plus", "1 - w @ x_minus", "you took b = 1 - w·x_minus; the label of x_minus is -1"),
    ),
    cases=_two_cases,
    returns=("alpha", "w", "b"),
    factors={"1/2": "w·x goes from -1 to 1, by 2, on the way from x_minus to x_plus"},
)


def _balanced(rng, sizes, zeros=0):
    """(alpha, y) of classes of these sizes, alpha > 0 with the sum 1 in each, and of samples with alpha = 0."""
    alpha = [(1 + rng.multinomial(16 - n, np.full(n, 1 / n))) / 16 for n in sizes]  # without rounding
    y = np.append(np.repeat([-1.0, 1.0], sizes), rng.choice([-1.0, 1.0], zeros))
    order = rng.permutation(len(y))
    return np.concatenate([*alpha, np.zeros(zeros)])[order], y[order]


def _optimum(rng, w, b, Z, sizes, margins):
    """(alpha, y, X) whose plane of the largest margin is (w, b), and samples with alpha = 0 at these margins.

    Without rounding, for w, b and Z (N, d) of whole numbers, if ‖w‖² is a power of two.
    """
    alpha, y = _balanced(rng, sizes, len(margins))
    alpha, f = alpha * (w @ w) / 2, y.copy()
    f[alpha == 0] *= margins
    Z[(alpha > 0) & (y < 0)] += (alpha * y) @ Z * 2 / (w @ w)
    return alpha, y, Z + np.outer(f - b - Z @ w, w) / (w @ w)


def _plane_cases(rng):
    def one(label, d, sizes, margins, zero, first, scale=1.0):
        w, b = rng.choice([-2.0, -1.0, 1.0, 2.0], d), rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 2)
        alpha, y, X = _optimum(rng, w, b, rng.normal(size=(sum(sizes) + len(margins), d)), sizes, margins)
        while alpha[zero].any() or y[alpha > 0][0] != first:  # zero: where alpha is 0
            order = rng.permutation(len(y))
            alpha, y, X = alpha[order], y[order], X[order]
        return Case(label, (alpha / scale**2, y, scale * X), {"N": len(y)})

    return [
        one("three support vectors", 2, (2, 1), [1.5, 3.0, 2.0, 2.6], [0, 2, -1], -1),
        one("four support vectors", 3, (1, 3), [2.5, 1.7], [1, -2], 1),
        one("a sample with alpha = 0 on the margin", 4, (3, 2), [2.0, 1.0, 4.0], [3], -1),
        one("one feature", 1, (1, 2), [2.2, 1.4, 3.0], [-3], 1),
        one("large numbers", 2, (2, 1), [1.5, 2.4], [0], 1, 2.0**10),
    ]


def _plane_of(alpha, y, X):
    w = (alpha * y) @ X
    s = alpha > 0
    return w, np.mean(y[s] - X[s] @ w)


primal_from_dual = Exercise(
    stars=0,
    notes="D 5, errata D32, D39",
    ask="Return (w, b) of the plane of the largest margin in its canonical length, w (d,) and b a number, from the "
    "multipliers alpha (N,) of the hard margin at its optimum: alpha_n >= 0, and some of them are exactly 0. y (N,) "
    "of -1 and +1, X (N, d).",
    hints=(
        "w is where ∂Λ/∂w = 0. For b: alpha_s(1 - y_s(w·x_s + b)) = 0; what follows where alpha_s > 0?",
        "y_s(w·x_s + b) = 1 and y_s = ±1 give b = y_s - w·x_s for each support vector s; take their mean.",
    ),
    answer=_plane_of,
    mistakes=(
        ("(alpha * y)", "alpha", "the labels are missing in w = Σ_n alpha_n y_n x_n"),
        ("(alpha * y)", "((alpha > 0) * y)", "every support vector counts once in w: weight it by alpha_n"),
        ("alpha > 0", "alpha >= 0", "you took b over all samples: y_n(w·x_n + b) = 1 holds where alpha_n > 0"),
        ("alpha > 0", "[0]", "you took b from sample 0, whose alpha may be 0: take a support vector"),
        ("np.mean", "np.sum", "you took the sum for b: take the mean over the support vectors"),
        ("np.mean(y[s] - X[s] @ w)", "alpha @ y", "Σ_n alpha_n y_n is 0 at the optimum: take b = y_s - w·x_s"),
        ("y[s] -", "1 -", "b = 1 - w·x_s fits the class +1 only: take y_s - w·x_s"),
        ("return w, ", "return w, 1 - (X @ w)[s][0] + 0 * ", "b = 1 - w·x_s fits the class +1 only: take y_s - w·x_s"),
        ("return w, ", "return w, 1 - (y * (X @ w))[s][0] + 0 * ", "that is y_s b: multiply by y_s, b = y_s - w·x_s"),
        ("y[s] - X[s] @ w", "1 - y[s] * (X[s] @ w)", "that is y_s b: multiply by y_s, b = y_s - w·x_s"),
        ("y[s] - ", "-", "y_s is missing in b: w·x_s + b is y_s there, not 0"),
    ),
    cases=_plane_cases,
    returns=("w", "b"),
    factors={"-": "the same plane, but with the classes on the other sides"},
)


def _sixteen(rng):
    """Samples whose street three hold: with two, svm.fit's digits are those of 2/‖d‖², which anybody may find."""
    while True:
        X, y, _, _ = datasets.separable(16, gap=0.6, rng=rng)
        X = np.round(X, 2)
        if np.sum(svm.fit(X, y).alpha > 0) == 3:
            return X, y


def _gamma_of(alpha, X, y):
    return svm.dual_objective(alpha, X @ X.T, y)


def _unbalanced(w, b, alpha, X, y):
    plus, minus = (alpha[y == side].sum() for side in (1, -1))
    return f"Σ alpha_n y_n must be 0, and the alpha of the class +1 sum to {plus:.6g}, those of -1 to {minus:.6g}"


def _not_proved(w, b, alpha, X, y):
    bound, margin = 1 / np.sqrt(2 * _gamma_of(alpha, X, y)), svm.geometric_margin(w, b, X, y)
    best = svm.fit(X, y)
    widest = svm.geometric_margin(best.w, best.b, X, y)
    lack = "move the line" if margin < 0.99 * widest else "your line is good: take a better alpha"
    return f"proved: no margin is above {bound:.5g}; your line has {margin:.5g}, less than 99 % of it: {lack}"


def _certified(X, y):
    K, beta = X @ X.T, np.zeros(len(y))  # beta_n = alpha_n y_n; the pair that climbs best, until the bound is good
    for _ in range(5000):
        g = y - K @ beta
        i = np.argmax(np.where((y > 0) | (beta < 0), g, -np.inf))
        gain = np.where((y < 0) | (beta > 0), np.maximum(0, g[i] - g), 0.0)
        if gain.max() < 1e-6:
            break
        curve = np.maximum(K[i, i] + np.diag(K) - 2 * K[i], 1e-12)
        j = np.argmax(gain**2 / curve)
        most = [gain[j] / curve[j], -beta[i] if y[i] < 0 else np.inf, beta[j] if y[j] > 0 else np.inf]
        beta[[i, j]] += min(most), -min(most)
    w = beta @ X
    return w, -(np.min(X[y > 0] @ w) + np.max(X[y < 0] @ w)) / 2, beta * y


def _of_the_book(w, b, alpha, X, y):
    return any(np.array_equal(alpha, found.alpha) for found in (svm.fit(X, y), svm.fit_dual(X @ X.T, y)))


def _spread(size):
    """Any line that separates, and the same multiplier for all of each class."""

    def made(X, y):
        found = svm.fit(X, y)
        return found.w, found.b, size * np.where(y > 0, 1 / np.sum(y > 0), 1 / np.sum(y < 0))

    return made


certify_the_margin = Construction(
    stars=3,
    notes="D 5, errata D34, D37",
    ask="A certificate. X (16, 2) and y (16,) are separable samples of your own. Return (w, b, alpha): a line of any "
    "length that separates them, and multipliers alpha (16,), all >= 0 with Σ alpha_n y_n = 0, which prove by their "
    "dual value Γ(alpha) that the margin of your line is at least 99 % of the largest possible. check.me('your name') "
    "deals the samples. Any method of your own will do; what svm.fit or svm.fit_dual returns does not count.",
    hints=(
        "No margin is above 1/√(2Γ(alpha)). You need a good line, and an alpha with a large Γ.",
        "If you know two or three samples that hold the street, the KKT conditions are a few linear equations.",
        "Or climb: change two alpha at a time so that Σ alpha_n y_n stays 0, and none becomes negative.",
    ),
    returns=("w", "b", "alpha"),
    own=_sixteen,
    printed=_of_the_book,
    requirements=(
        Requirement(
            "w must be of shape (2,), alpha of shape (16,), and b one number",
            lambda w, b, alpha, X, y: np.shape(w) == (2,) and np.shape(b) == () and np.shape(alpha) == (16,),
            ([1.0], 0.0, np.ones(16)),
        ),
        Requirement(
            lambda w, b, alpha, X, y: f"no alpha_n may be negative; sample {int(np.argmin(alpha)) + 1} has one",
            lambda w, b, alpha, X, y: alpha.min() >= 0,
            ([1.0, 0.0], 0.0, -np.ones(16)),
        ),
        Requirement(
            _unbalanced,
            lambda w, b, alpha, X, y: abs(alpha @ y) <= 1e-9 * (1e-9 + alpha.sum()),
            ([1.0, 0.0], 0.0, np.arange(16.0) ** 2),
        ),
        Requirement(
            lambda w, b, alpha, X, y: f"Γ(alpha) = {_gamma_of(alpha, X, y):.4g}: only a Γ above 0 bounds the margin",
            lambda w, b, alpha, X, y: _gamma_of(alpha, X, y) > 0,
            ([1.0, 0.0], 0.0, np.zeros(16)),
        ),
        Requirement(
            lambda w, b, alpha, X, y: f"your line does not separate: {int(np.sum(y * (X @ w + b) <= 0))} are wrong",
            lambda w, b, alpha, X, y: np.all(y * (X @ w + b) > 0),
            lambda X, y: (np.zeros(2), 1.0, _certified(X, y)[2]),
        ),
        Requirement(
            _not_proved,
            lambda w, b, alpha, X, y: svm.geometric_margin(w, b, X, y) >= 0.99 / np.sqrt(2 * _gamma_of(alpha, X, y)),
            _spread(1e-3),
        ),
    ),
    example=_certified,
)


def _street_and_six(rng):
    """One feature: samples beyond the street, on both edges and inside; all numbers without rounding."""
    while True:
        w, b, C = rng.choice([-2.0, -1, -0.5, 0.5, 1, 2]), float(rng.integers(-2, 3)), rng.choice([0.5, 2.0, 4.0])
        inside = rng.permutation([rng.choice([0.25, 0.5, 0.75]), rng.choice([-0.25, -0.5, -1.0])])
        on_edge = (w**2 - C * inside.sum()) / 2
        if b and 0 < on_edge < C and on_edge != C / 2:
            m = np.array([*rng.choice([1.5, 2.0, 3.0], 2), 1.0, 1.0, *inside])
            order, y = rng.permutation(6), np.array([1.0, -1, 1, -1, 1, -1])
            return [Case("your street", (w, b, C, ((y * m - b) / w)[order], y[order]))]


def _points_of_a_street(w, b, C, x, y):
    m = y * (w * x + b)
    alpha = np.where(m < 1, C, 0.0)
    edge = m == 1
    alpha[edge] = (w - (alpha * y) @ x) / np.sum((y * x)[edge])
    return np.maximum(0, 1 - m), alpha


_SLACK, _FULL = "np.maximum(0, 1 - m)", "np.where(m < 1, C, 0.0)"

points_of_a_street = ByHand(
    stars=2,
    notes="D 5",
    ask="A soft margin with one feature. The score is w x + b, and w, b are optimal for this C and the six samples x "
    "with the labels y. Give (1) the six ξ_n, and (2) the six multipliers α_n, each list in the order of the samples. "
    "Those on the edges follow from Σ α_n y_n = 0 and w = Σ α_n y_n x_n. Your own numbers: check.me('your name').",
    hints=(
        "First the six margins y_n(w x_n + b). Which are above 1, which are 1, which are below?",
        "Of the samples beyond the street and inside it you know α_n at once. Two are left, and two equations.",
    ),
    answer=_points_of_a_street,
    returns=("xi", "alpha"),
    one_by_one=True,
    mistakes=(
        (_SLACK, "np.maximum(0, -m)", "xi: a sample must reach the margin 1, and not only the right side"),
        (_SLACK, "1 - m", "xi: a sample beyond the street lacks nothing"),
        (_SLACK, "np.abs(1 - m)", "xi: a sample beyond the street lacks nothing"),
        (_SLACK, "np.where(m < 1, 1.0, 0.0)", "xi: how much does each one lack? It is no count"),
        (_SLACK, "C * np.maximum(0, 1 - m)", "xi: C is not part of the slack, only of its cost"),
        (_SLACK, "np.maximum(0, 1 - m / y)", "xi: the label is missing in the margin"),
        (_FULL, "np.where(m < 0, C, 0.0)", "alpha: a sample inside the street has ξ > 0, even if it is on its side"),
        (_FULL, "np.where(m > 1, C, 0.0)", "alpha: beyond the street slackness leaves one value only"),
        (_FULL, "np.where(m < 1, 1.0, 0.0)", "alpha: where ξ_n > 0, ν_n = 0, and what is C - α_n - ν_n?"),
        (_FULL, "np.where(m < 1, C, 0.0) * np.maximum(0, 1 - m)", "alpha: where ξ_n > 0 it does not depend on ξ_n"),
        ("(w - (alpha * y) @ x)", "(w - 0 * x[0])", "alpha: the samples inside count in w = Σ α_n y_n x_n, too"),
        ("(w - (alpha * y) @ x)", "(w + (alpha * y) @ x)", "alpha: those inside go to the other side of the equation"),
        ("(w - (alpha * y) @ x)", "(w - alpha @ x)", "alpha: y_n is missing in w = Σ α_n y_n x_n"),
        ("alpha[edge] =", "alpha[edge] = 0 *", "alpha: those on the edges are not 0 here: look at both equations"),
        ("alpha[edge] =", "alpha[edge] = C + 0 *", "alpha: those on the edges are not C here: look at both equations"),
        ("alpha[edge] =", "alpha[edge] = C / 2 + 0 *", "alpha: those on the edges are not C/2: look at both equations"),
    ),
    cases=_street_and_six,
)


def _hinge_cases(rng):
    def one(N, d, C, eta, steps, early=False):
        while True:  # drawn until the smallest F is noted before the last step, where that is wanted
            y = _labels(rng, N)
            X = rng.normal(size=(N, d)) + np.outer(y, rng.uniform(0.3, 0.9, d)) + rng.uniform(0.2, 0.6, d)
            if not early or np.argmin(_hinge_descent(X, y, C, eta, steps)[2]) < steps - 1:
                break
        return Case(f"{N} samples, {d} features, C = {C:g}, {steps} steps", (X, y, C, eta, steps), {"N": N, "d": d})

    return [one(9, 2, 0.7, 0.05, 30), one(14, 3, 2.0, 0.3, 25, early=True), one(7, 1, 0.2, 0.4, 12)]


def _hinge_descent(X, y, C, eta, steps):
    w, b, lowest, losses = np.zeros(X.shape[1]), 0.0, np.inf, list[float]()
    for k in range(1, steps + 1):
        M = y * (X @ w + b) < 1
        to_w, to_b = w - C * (y[M] @ X[M]), -C * np.sum(y[M])
        w, b = w - eta / np.sqrt(k) * to_w, b - eta / np.sqrt(k) * to_b
        losses.append(w @ w / 2 + C * np.sum(np.maximum(0, 1 - y * (X @ w + b))))
        if losses[-1] < lowest:
            lowest, best = losses[-1], (w, b)
    return *best, np.array(losses)


_BOTH = "w, b = w - eta / np.sqrt(k) * to_w, b - eta / np.sqrt(k) * to_b"
_ONE_AFTER_THE_OTHER = """w = w - eta / np.sqrt(k) * to_w
        M = y * (X @ w + b) < 1
        b = b + eta / np.sqrt(k) * C * np.sum(y[M])"""
_NOTED = "losses.append(w @ w / 2 + C * np.sum(np.maximum(0, 1 - y * (X @ w + b))))"

hinge_descent = Loop(
    stars=2,
    notes="D 5",
    ask="Write the whole descent on F = ½‖w‖² + C Σ max(0, 1 - y_n(w·x_n + b)). From w = 0, b = 0 make `steps` steps; "
    "step k goes eta/√k against the gradient, w and b at once, where a sample counts if y_n(w·x_n + b) < 1. After "
    "each step note F. Return (w, b, losses): the (w, b) with the smallest F of all that were noted, and the list of "
    "F. X (N, d), y (N,) of -1 and +1.",
    hints=(
        "M = y * (X @ w + b) < 1 says which samples have a slope. The gradient is w plus a sum over them.",
        "Compute both parts of the gradient before you change w or b. Keep a copy of the best pair.",
    ),
    answer=_hinge_descent,
    returns=("w", "b", "losses"),
    path="losses",
    mistakes=(
        (
            "y * (X @ w + b) < 1\n",
            "y * (X @ w + b) < 0\n",
            "nothing moves: at w = 0 all margins are 0; a sample counts below 1, not below 0",
        ),
        ("y * (X @ w + b) < 1\n", "y * (X @ w + b) <= 0\n", "those are the perceptron's mistakes: count up to 1"),
        ("y * (X @ w + b) < 1\n", "y < 2\n", "all samples pull: only those with a margin below 1 may"),
        ("w - C * (y[M] @ X[M])", "-C * (y[M] @ X[M])", "the slope of ½‖w‖² is missing: w shrinks too"),
        ("w - C * (y[M] @ X[M])", "2 * w - C * (y[M] @ X[M])", "the slope of ½‖w‖² is w, not 2w"),
        ("w - C * (y[M] @ X[M])", "w - (y[M] @ X[M])", "C is missing in the gradient for w"),
        ("w - C * (y[M] @ X[M])", "w - C * (y[M] @ X[M]) / len(y)", "the loss is a sum over the samples, no mean"),
        ("w - C * (y[M] @ X[M])", "w + C * (y[M] @ X[M])", "the sign of the hinge's slope is wrong: it is -y x"),
        ("w - C * (y[M] @ X[M])", "w - C * X[M].sum(axis=0)", "y is missing in the slope of the hinge"),
        ("-C * np.sum(y[M])", "b - C * np.sum(y[M])", "b has no penalty: only w is in ½‖w‖²"),
        ("-C * np.sum(y[M])", "-np.sum(y[M])", "C is missing in the derivative for b"),
        ("-C * np.sum(y[M])", "C * np.sum(y[M])", "b goes the wrong way: its derivative is -C Σ y_n"),
        ("-C * np.sum(y[M])", "0.0", "b never moves"),
        (_BOTH, _ONE_AFTER_THE_OTHER, "b is moved with the new w: find both parts of the gradient before you change w"),
        ("eta / np.sqrt(k) * to_w, b - eta / np.sqrt(k)", "eta * to_w, b - eta", "the step must fall: eta/√k"),
        (
            "eta / np.sqrt(k) * to_w, b - eta / np.sqrt(k)",
            "eta / k * to_w, b - eta / k",
            "the step is eta/√k, not eta/k",
        ),
        (
            "eta / np.sqrt(k) * to_w, b - eta / np.sqrt(k)",
            "eta / np.sqrt(k + 1) * to_w, b - eta / np.sqrt(k + 1)",
            "the first step is eta itself: k begins with 1",
        ),
        ("if losses[-1] < lowest", "if True", "that is the last (w, b): return the one with the smallest F"),
        ("if losses[-1] < lowest", "if k == 1", "that is the first (w, b): return the one with the smallest F"),
        ("range(1, steps + 1)", "range(1, steps)", "one step is missing: k goes up to steps"),
        ("w @ w / 2 + C *", "w @ w + C *", "the penalty of F is ½‖w‖²"),
        ("w @ w / 2 + C *", "C *", "½‖w‖² is missing in losses"),
        ("w @ w / 2 + C *", "w @ w / 2 +", "C is missing in losses"),
        ("np.maximum(0, 1 - y * (X @ w + b))", "np.maximum(0, -y * (X @ w + b))", "losses has the perceptron's loss"),
        ("np.array(losses)", "lowest", "losses is the list of all F, not the smallest alone"),
    ),
    cases=_hinge_cases,
)


def _three_on_a_line(rng):
    """Three different samples, whole numbers, coefficients with the sum 0, and a new point."""
    while True:
        x, z, b = (
            rng.permutation([-3.0, -2, -1, 1, 2, 3])[:3],
            rng.choice([-2.0, -1, 1, 2]),
            rng.choice([-2.0, -1, 1, 3]),
        )
        c = np.array([rng.choice([0.25, 0.5, 1.0]), -rng.choice([0.75, 1.25, 2.0]), 0])
        c[2] = -c.sum()
        if c[2] > 0 and abs(c @ x) > 0.1 and abs(c @ x**2) > 0.1 and z not in x and x[0] * x[1] not in (-1, -2):
            return [Case("your samples", (x, c, b, z))]


def _kernel_by_hand(x, c, b, z):
    k = (x * z + 1) ** 2
    return (x[0] * x[1] + 1) ** 2, c @ k + b, np.array([c @ x**2, 2 * (c @ x), np.sum(c) + b])


kernel_by_hand = ByHand(
    stars=1,
    notes="D 5",
    ask="A score with a kernel, for one feature: f(x) = Σ c_n k(x_n, x) + b with k(x, z) = (xz + 1)², three samples "
    "x_1, x_2, x_3 and three coefficients c_n (in a support vector machine, c_n is α_n y_n). Give (1) the entry "
    "K_12 of the Gram matrix; (2) the score f at the new point z; (3) the three numbers p, q, r of f(x) = p x² + q x + "
    "r. check.me('your name') deals your own numbers.",
    hints=(
        "f(z) = Σ c_n k(x_n, z) + b: three squares.",
        "Open the square of x_n x + 1 and sort by powers of x. And what is Σ c_n here?",
    ),
    answer=_kernel_by_hand,
    returns=("entry", "score", "coefficients"),
    one_by_one=True,
    mistakes=(
        ("(x[0] * x[1] + 1) ** 2,", "x[0] * x[1] + 1,", "entry: that is only a part of what k does with x_1 and x_2"),
        ("(x[0] * x[1] + 1) ** 2,", "x[0] * x[1],", "entry: that is the inner product, without the kernel"),
        ("(x[0] * x[1] + 1) ** 2,", "(x[0] * x[1]) ** 2 + 1,", "entry: add the 1 before you square"),
        ("(x[0] * x[1] + 1) ** 2,", "c[0] * c[1] * (x[0] * x[1] + 1) ** 2,", "entry: K holds no multipliers"),
        ("c @ k + b", "c @ k", "score: b is missing"),
        ("c @ k + b", "c @ (x * z + 1) + b", "score: the squares are missing"),
        ("c @ k + b", "np.abs(c) @ k + b", "score: c_n keeps its sign"),
        ("c @ k + b", "np.sum(k) + b", "score: the c_n are missing"),
        ("2 * (c @ x)", "c @ x", "coefficients: the 2 of the mixed term is missing in q"),
        ("c @ x**2", "(c @ x) ** 2", "coefficients: p is a sum of squares x_n², not the square of a sum"),
        ("np.sum(c) + b", "np.sum(np.abs(c)) + b", "coefficients: in r, too, each c_n has its sign"),
        ("np.sum(c) + b", "0 * b", "coefficients: b belongs to r"),
        ("np.sum(c) + b", "3 + b", "coefficients: each 1 in r has its c_n as a factor"),
    ),
    cases=_three_on_a_line,
)


def _eights_among_others():
    """The digits 3, 5, 8 and 9, as 64 bits; y is +1 for an 8."""
    digits = datasets.digits()
    alike = np.isin(digits.y, (3, 5, 8, 9))
    return digits.X[alike], np.where(digits.y[alike] == 8, 1.0, -1.0)


def _sides_only(predictions):
    return "" if np.isin(predictions, (-1, 1)).all() else "predictions must be -1 or +1"


def _by_folds(X, y, X_new):
    part = np.random.default_rng(0).permutation(len(y)) % 5

    def wrong(sigma, C):
        K, count = kernels.gaussian(X, X, sigma), 0
        for p in range(5):
            a, b = np.flatnonzero(part != p), np.flatnonzero(part == p)
            m = svm.fit_dual(K[np.ix_(a, a)], y[a], C=C)
            count += np.sum(svm.dual_predict(m.alpha, m.b, y[a], K[np.ix_(b, a)]) != y[b])
        return count

    sigma, C = min(product((1.5, 2.0, 3.0), (1.0, 10.0)), key=lambda pair: wrong(*pair))
    m = svm.fit_dual(kernels.gaussian(X, X, sigma), y, C=C)
    return svm.dual_predict(m.alpha, m.b, y, kernels.gaussian(X_new, X, sigma))


eights_by_kernel = Project(
    stars=3,
    notes="D 5",
    ask="Eights among 3, 5 and 9: 719 written digits of 64 bits, y is +1 for an 8, else -1. Write a function of X, y "
    "and X_new that returns -1 or +1 for each row of X_new, by a support vector machine whose kernel and C you choose "
    "on X and y alone; compute K once for each σ. Judged on eight halves that your name deals, each in at most 30 s: "
    "at most 3.2 % wrong in the mean. With C = 1 a line has about 5 %, and a Gaussian kernel with σ = 1 about 14 %.",
    hints=(
        "Two pictures are 3.87 apart, in the median. A σ far below it makes K = I, far above it all samples are alike.",
        "Five folds of X, a few σ and a few C, a factor 2 or 10 apart. For a fold, cut rows and columns out of K.",
    ),
    data=_eights_among_others,
    score=share_wrong,
    said=per_cent_wrong,
    mark=0.032,
    doubt=0.008,
    outputs=_sides_only,
    answer=_by_folds,
)


def _canonical(w, b, X, y):
    m = np.min(y * (X @ w + b))
    return w / m, b / m


canonical_hyperplane = Exercise(
    stars=0,
    notes="D 5",
    ask="Return (w, b) of the same plane in its canonical length, in which the smallest of the y_n(w·x_n + b) is "
    "exactly 1. The plane separates the classes, and comes as (w, b) of any length. w (d,), b a number, X (N, d), y "
    "(N,) of -1 and +1; make a new w, do not overwrite it.",
    hints=(
        "For c > 0 the plane of (cw, cb) is that of (w, b). What does c do to the smallest y_n(w·x_n + b)?",
        "m = min_n y_n(w·x_n + b) is > 0, since the plane separates: return w/m, b/m.",
    ),
    answer=_canonical,
    mistakes=(
        ("b / m", "b", "b stays as it came: whatever divides w divides b too"),
        ("w / m", "w", "w stays as it came: whatever divides b divides w too"),
        ("np.min(y * (X @ w + b))", "np.linalg.norm(w)", "you divided by ‖w‖: then the smallest y f is not 1"),
        ("b))", "b)) / np.linalg.norm(w)", "you divided by the geometric margin: do not divide it by ‖w‖"),
        ("np.min", "np.max", "the largest is now 1: the smallest must be"),
        ("y * (X @ w + b)", "y * (X @ w)", "b is missing in y_n(w·x_n + b)"),
        ("y * (X @ w + b)", "y * (X @ w) + b", "brackets are missing: y_n multiplies b too"),
    ),
    cases=lambda rng: _margin_cases(rng, _SEPARATED),
    returns=("w", "b"),
    factors={"-": "the same plane, but with the classes on the other sides: the factor must be > 0"},
)


def _lagrangian_gradient(w, b, alpha, X, y):
    return w - (alpha * y) @ X, -np.sum(alpha * y)


lagrangian_gradient = Exercise(
    stars=0,
    notes="D 5, erratum D35",
    ask="Return (by w, by b), the derivatives of the Lagrangian Λ = ½‖w‖² + Σ_n alpha_n(1 - y_n(w·x_n + b)) at any w, "
    "b and alpha, the first of shape (d,), the second a number. w (d,), b a number, alpha (N,), X (N, d), y (N,) of "
    "-1 and +1.",
    hints=(
        "Λ is a sum: what is the derivative of ½‖w‖², and of -alpha_n y_n(w·x_n + b), by w, and by b?",
        "(alpha * y) @ X is Σ_n alpha_n y_n x_n. Both sums come with the minus of 1 - y_n(w·x_n + b).",
    ),
    answer=_lagrangian_gradient,
    mistakes=(
        ("-np.sum", "np.sum", "the minus is missing: ∂Λ/∂b = -Σ_n alpha_n y_n, not as in note D (erratum D35)"),
        ("w - (", "-(", "w is missing: it is the gradient of ½‖w‖²"),
        ("w - (", "(", "that is the w at which ∂Λ/∂w is 0; at any other w the gradient is w minus this sum"),
        ("return", "alpha = alpha * (y * (X @ w + b) < 1)\n    return", "you left out n with y f >= 1: sum over all"),
    ),
    cases=lambda rng: [
        Case(label, (w, b, rng.permutation(np.append([0.0, -0.7], rng.uniform(0.2, 2, len(y) - 2))), X, y), sizes)
        for label, (w, b, X, y), sizes in _margin_cases(rng, _WRONG_SIDE + _SEPARATED[:2])
    ],
    returns=("by w", "by b"),
    factors={"-": "Λ is ½‖w‖² plus alpha_n(1 - y_n(w·x_n + b))"},
)


def _dual_cases(rng):
    cases = []
    for sizes, zeros, d, scale in (((3, 4), 0, 2, 1), ((4, 2), 3, 3, 8), ((2, 3), 0, 7, 2), ((5, 3), 0, 3, 2.0**-16)):
        alpha, y = _balanced(rng, sizes, zeros)
        X = rng.normal(size=(len(y), d)) + 0.6
        label = f"{len(y)} samples, {d} features, Σ alpha_n = {2 * scale:g}, {zeros} of the alpha 0"
        cases.append(Case(label, (alpha * scale, X @ X.T, y), {"N": len(y)}))
    return cases


def _dual_objective(alpha, K, y):
    beta = alpha * y
    return np.sum(alpha) - beta @ K @ beta / 2


dual_objective = Exercise(
    stars=0,
    notes="D 5, erratum D37",
    ask="Return the dual objective Γ(alpha), a number, to be maximized: the Lagrangian Λ = ½‖w‖² + Σ_n alpha_n(1 - "
    "y_n(w·x_n + b)) at w = Σ_n alpha_n y_n x_n, where Σ_n alpha_n y_n = 0. Compute it from K (N, N) = [x_n·x_m], "
    "without w and b. alpha (N,) >= 0, y (N,) of -1 and +1.",
    hints=(
        "Multiply the brackets out: Σ alpha_n y_n w·x_n is w·w at that w, and what is Σ alpha_n y_n b?",
        "½w·w - w·w + Σ alpha_n, and w·w = Σ_n Σ_m alpha_n alpha_m y_n y_m K_nm.",
    ),
    answer=_dual_objective,
    mistakes=(
        (" / 2", "", "the ½ before the double sum is missing: ½w·w - w·w is -½w·w"),
        ("np.sum(alpha) - ", "-", "Σ_n alpha_n is missing; only Σ_n alpha_n y_n, beside b, is 0"),
        ("beta / 2", "alpha / 2", "one label is missing: the double sum has alpha_n alpha_m y_n y_m K_nm"),
        ("alpha * y", "y", "the alphas are missing in the double sum: alpha_n alpha_m y_n y_m K_nm"),
        ("K @", "np.diag(np.diag(K)) @", "you took n = m only: the double sum runs over all pairs"),
        ("K @", "np.triu(K, 1) @", "you took n < m once: the double sum has these pairs twice, and n = m once"),
    ),
    cases=_dual_cases,
    factors={"-": "that is -Γ, which is minimized; Γ itself is wanted"},
)


def _kkt_cases(rng):
    y, X = _labels(rng, 8), rng.normal(size=(8, 3))
    alpha = np.append(-6.0, rng.uniform(0.3, 1, 7) + 4 * (y[1:] > 0))
    unbalanced = (alpha * y) @ X + np.append(-0.4, rng.uniform(0.1, 0.3, 2)), -9 * y[0], alpha, X, y
    alpha, y = _balanced(rng, (5, 4))
    w, b, X, y = _at_distances(rng, 2, y, rng.uniform(0.8, 2, 9))
    separating = w, b, alpha, X, y
    w, b, Z = rng.choice([-1.0, 1.0], 4), rng.choice([-1.0, 1.0]), rng.integers(-3, 4, (8, 4)).astype(float)
    alpha, y, X = _optimum(rng, w, b, Z, (2, 3), rng.choice([1.0, 2.0, 3.0], 3))  # not a digit is lost: 0 is 0
    i, j, _ = np.flatnonzero(alpha == 0)
    moved = alpha.copy()
    moved[[i, j]] = -1 / 8, y[i] * y[j] / 8  # Σ alpha_n y_n is still 0
    return [
        Case("Σ alpha_n y_n far from 0", unbalanced, {"N": 8}),
        Case("a plane that separates", separating, {"N": 9}),
        Case("the optimum", (w, b, alpha, X, y), {"N": 8}),
        Case("near the optimum", (w, b + 1 / 4, moved, X, y), {"N": 8}),
    ]


def _residuals(w, b, alpha, X, y):
    g = np.append(w - (alpha * y) @ X, -np.sum(alpha * y))
    m = 1 - y * (X @ w + b)
    primal, dual = (max(0, missed.max()) for missed in (m, -alpha))
    return np.abs(g).max(), primal, dual, np.abs(alpha * m).max()


kkt_residuals = Exercise(
    stars=0,
    notes="D 5, errata D34, D37",
    ask="Return four numbers >= 0, (stationarity, primal, dual, slackness): by how much (w, b, alpha) misses the KKT "
    "conditions of the hard margin. Each is the largest miss, in absolute value, of each kind: of ∇Λ = 0, all d + 1 "
    "derivatives; of y_n(w·x_n + b) >= 1; of alpha_n >= 0; of alpha_n(1 - y_n(w·x_n + b)) = 0. w (d,), b a number, "
    "alpha (N,), X (N, d), y (N,) of -1 and +1.",
    hints=(
        "a = 0 is missed by |a|, y f >= 1 by 1 - y f, or by 0 where it holds, and alpha >= 0 by -alpha, or by 0.",
        "∇Λ has the entries of w - Σ alpha_n y_n x_n, and -Σ alpha_n y_n: the largest |·| of all d + 1.",
        "With m = 1 - y * (X @ w + b): max(0, m.max()), max(0, -alpha.min()) and np.abs(alpha * m).max().",
    ),
    answer=_residuals,
    mistakes=(
        ("np.abs(g)", "np.abs(g[:-1])", "stationarity leaves out ∂Λ/∂b = -Σ alpha_n y_n: ∇Λ has d + 1 entries"),
        ("np.abs(g)", "g", "a negative entry of ∇Λ is a miss too: stationarity takes the largest |entry|"),
        ("np.abs(g).max()", "np.linalg.norm(g)", "stationarity is the largest |entry| of ∇Λ; you took its length"),
        ("(alpha * y) @ X", "alpha @ X", "y is missing in w - Σ alpha_n y_n x_n"),
        ("(m, -alpha)", "(np.abs(m), -alpha)", "primal counts y f > 1 as a miss: take max(0, 1 - y f)"),
        ("(m, -alpha)", "(m - 1, -alpha)", "primal is the miss of y f >= 1, not of y f >= 0"),
        ("(m, -alpha)", "(m, np.abs(alpha))", "dual is the largest |alpha_n|: only alpha_n < 0 misses, by -alpha_n"),
        ("(m, -alpha)", "(m, 0 * m)", "dual is always 0: alpha_n may be < 0"),
        ("(m, -alpha)", "(m, abs(g[-1:]))", "dual is the miss of alpha_n >= 0; Σ alpha_n y_n belongs to ∇Λ"),
        ("max(0, missed.max())", "missed.max()", "a condition that holds misses nothing: primal and dual are >= 0"),
        ("alpha * m", "alpha * (m - 1)", "the 1 is missing in slackness: alpha_n(1 - y f)"),
        ("alpha * m", "alpha * np.maximum(0, m)", "alpha_n > 0 where y f > 1 is a miss of slackness too: no max(0, ·)"),
        ("np.abs(alpha * m)", "(alpha * m)", "slackness takes the largest |alpha_n(1 - y f)|, also of negative ones"),
        ("np.abs(alpha * m).max()", "abs(alpha @ m)", "in slackness terms of both signs cancel: take the largest |·|"),
        ("y * (X @ w + b)", "(X @ w + b)", "y is missing in y_n(w·x_n + b), in primal and in slackness"),
    ),
    cases=_kkt_cases,
    returns=("stationarity", "primal", "dual", "slackness"),
)


def _machine_lines(c, s):
    """The dual of two points x, -x with labels +1, -1, x·x = s and both multipliers c: w = 2c x, w·w = 4c²s."""
    square = 4 * c**2 * s
    return [
        (2 * c * np.sqrt(s), np.sqrt(square)),
        (c - c, 0.0),
        (square / 2 - (square - 2 * c), square / 2 - square + 2 * c),
        (square / 2 - square + 2 * c, square / 2 + 2 * c),
    ]


def _line_of_the_dual():
    return 4, 1.0, 2.0, 2 - 4.0


wrong_line_of_the_dual = Construction(
    stars=0,
    notes="D 5",
    ask="Find the one wrong line of four. The two points are x and -x, with labels +1 and -1; s = x·x, both "
    "multipliers are c, and L is the Lagrangian at w = Σ α_i y_i x_i. (1) ‖w‖ = 2c√s. (2) Σ α_i y_i = 0. (3) L = "
    "w·w/2 - (w·w - Σ α_i). (4) L = w·w/2 + Σ α_i. Return (line, c, s, right): its number, a c > 0 and an s > 0 for "
    "which its two sides differ, and the value of L that should stand there.",
    hints=(
        "Take c = 1 and s = 2: what are w·w and Σ α_i? Compute both sides of each line.",
        "In line 4 two terms with w·w become one: 1/2 - 1 is not 1/2.",
    ),
    returns=("line", "c", "s", "right"),
    requirements=(
        Requirement("c and s must be positive", lambda k, c, s, right: c > 0 and s > 0, (4, -1.0, 2.0, 0.0)),
        *wrong_line(
            _machine_lines,
            (3, 1.0, 2.0, 0.0),
            some=lambda rng: rng.uniform(0.1, 4, 2),
            slips=(("the signs of w·w and Σ α_i: look at line 3", lambda c, s: 2 * c**2 * s - 2 * c),),
        ),
    ),
    example=_line_of_the_dual,
)


def _of_the_claim():
    X, y = _THREE
    w, alpha = np.array([0.6, 0.4]), np.array([0.2, 0.05, 0.25])
    return w @ w / 2, svm.dual_objective(alpha, X @ X.T, y)


def _of_new_samples():
    """The case of the question: how many times as often the perceptron is wrong, with a gap of 0.3."""
    wrong = np.zeros(2)
    for seed in range(40):
        X, y, _, _ = datasets.separable(300, gap=0.3, rng=np.random.default_rng(seed))
        for k, m in enumerate((perceptron.fit(X[:24], y[:24]), svm.fit(X[:24], y[:24]))):
            wrong[k] += np.sum(perceptron.predict(m.w, m.b, X[24:]) != y[24:])
    times = wrong[0] / wrong[1]
    return 3 if times > 10 else 2 if times > 1.5 else 1


before = {
    "ch10-trust": Question(_of_new_samples, words="yes; now open the fold below, and see by how much"),
    "ch10-two-lines": Question(
        lambda: [1, np.sqrt(2)],
        {
            "divide by the length of w: it is not 1 for the second line": lambda: [1, 2],
            "the nearest sample counts, not the farthest": lambda: [2, 3 / np.sqrt(2)],
            "give three significant digits": lambda: [1, 1.4],
        },
    ),
    "ch10-five": Question(
        lambda: [10, np.sqrt(2)],
        {
            "does the line move, if w and b are both multiplied by 5?": lambda: [10, 5 * np.sqrt(2)],
            "the first number is not divided by the length of w": lambda: [np.sqrt(2), np.sqrt(2)],
            "that is the first number for w and b themselves": lambda: [2, np.sqrt(2)],
            "the smallest product counts": lambda: [15, 3 / np.sqrt(2)],
            "divide by the length of 5w for the second one": lambda: [10, 10],
        },
    ),
    "ch10-canonical": Question(
        lambda: 1 / 4,
        {
            "that is before the division: the smallest product must be 1": lambda: 1,
            "½‖w‖², with the ½": lambda: 1 / 2,
            "that is ‖w‖": lambda: np.sqrt(0.5),
            "that is the margin": lambda: np.sqrt(2),
        },
    ),
    "ch10-price": Question(
        lambda: [1, 1 / 2],
        {
            "the derivative of ½w² is w": lambda: [2, 1 / 2],
            "at w = 1 the second term of Λ is 0; what is left?": lambda: [1, 1],
            "the second term of Λ is 0 at w = 1, and the first one is not": lambda: [1, 0],
        },
    ),
    "ch10-three-dual": Question(
        lambda: [1 / 4, 1 / 4],
        {
            "w·w is 8a²; the ½ before it makes 4a²": lambda: [1 / 8, 1 / 8],
            "two multipliers are a: their sum is 2a": lambda: [1 / 8, 1 / 16],
            "that is w·w; the bound is Γ": lambda: [1 / 4, 1 / 2],
        },
    ),
    "ch10-move": Question(
        lambda: [1 / 3, 1 / 3, -1],
        {
            "the right line, but not in canonical length: which scores have the two support vectors?": lambda: [
                1,
                1,
                -3,
            ],
            "does this line run halfway between (0, 0) and (3, 3)?": lambda: [1 / 3, 1 / 3, 0],
            "that is the line before the move": lambda: [1 / 2, 1 / 2, -2],
            "the classes are on the other sides": lambda: [-1 / 3, -1 / 3, 1],
        },
    ),
    "ch10-claim": Question(
        lambda: np.subtract(*_of_the_claim()),
        {
            "that is the primal value": lambda: _of_the_claim()[0],
            "that is the dual value": lambda: _of_the_claim()[1],
            "that is the primal value minus the minimum; take the dual value of these multipliers": lambda: 0.01,
            "the sign: primal minus dual": lambda: -np.subtract(*_of_the_claim()),
            "the ½ before w·w is missing in Γ": lambda: 0.26 - (0.5 - 0.5525),
        },
    ),
    "ch10-slack": Question(
        lambda: [0, 0.6, 3],
        {
            "no slack is negative": lambda: [-0.7, 0.6, 3],
            "the margin must reach 1, and not only 0": lambda: [0, 0, 2],
            "the third one must go up from below 0 to 1": lambda: [0, 0.6, 1],
            "the third is below 0: how far is it up to 1?": lambda: [0, 0.6, 2],
        },
    ),
    "ch10-narrow": Question(
        lambda: 1,
        {
            "no multiplier needs to reach C here: where is α - ½α² largest?": lambda: 10,
            "the derivative of α - ½α² is 1 - α": lambda: 1 / 2,
            "then Γ = 0, and it can be larger": lambda: 0,
        },
    ),
    "ch10-xor": Question(
        lambda: 1 / 8,
        {
            "the labels count: in each row two of the ones are subtracted": lambda: 1 / 12,
            "the derivative of 16a² is 32a": lambda: 1 / 4,
            "the ½ before the double sum is missing": lambda: 1 / 16,
            "only the diagonal is in it": lambda: 1 / 9,
        },
    ),
}

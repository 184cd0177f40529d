"""Exercises of chapter 10, the support vector machine (notes D 5). alpha holds the multipliers, note D's λ."""

import numpy as np

from linmodels import svm

from .grading.by_hand import wrong_line
from .grading.checker import Case, Construction, Exercise, Requirement
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
    return f"the nearest points are {m.min():.3f} away, and {_widest():.3f} is possible: move away from {nearest}"


street_by_eye = Construction(
    stars=2,
    notes="D 5",
    ask="Draw the widest street by eye, the band around a separating line that reaches to the nearest points: return "
    "(w, b) of a line that separates the positive points (1, 4), (2, 3), (3, 5), (4, 4) from the negative ones (2, "
    "1), (4, 2), (5, 1), (6, 3), and whose distance to the nearest point is at least 95 % of the largest possible; w "
    "has any length.",
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
    stars=1,
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


def _canonical(w, b, X, y):
    m = np.min(y * (X @ w + b))
    return w / m, b / m


canonical_hyperplane = Exercise(
    stars=1,
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
        ("b / m", "b", "divide b too: with w alone the plane moves"),
        ("w / m", "w", "divide w too: with b alone the plane moves"),
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
    stars=1,
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


def _balanced(rng, sizes, zeros=0):
    """(alpha, y) of classes of these sizes, alpha > 0 with the sum 1 in each, and of samples with alpha = 0."""
    alpha = [(1 + rng.multinomial(16 - n, np.full(n, 1 / n))) / 16 for n in sizes]  # without rounding
    y = np.append(np.repeat([-1.0, 1.0], sizes), rng.choice([-1.0, 1.0], zeros))
    order = rng.permutation(len(y))
    return np.concatenate([*alpha, np.zeros(zeros)])[order], y[order]


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
    stars=2,
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
    stars=2,
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
    stars=3,
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
    stars=2,
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
    stars=3,
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

"""Exercises of chapter 09, the perceptron (notes A 5, B, D 4). Whole numbers and dyadic steps: ties are real ties."""

import numpy as np

from linmodels import kernels, perceptron

from .grading.cases import integer_points, separated_points
from .grading.checker import Case, Construction, Exercise, Requirement, run

chapter = "09"


def _loss(w, b, X, y, *, bias=1, chosen=None, term=lambda m: np.maximum(0, -m), norm=lambda w, b: 1.0):
    f = X @ w + bias * b
    return np.sum(term(y * f) if chosen is None else -(y * f)[chosen(f)]) / norm(w, b)


def _loss_cases(rng):
    def one(label, N, d, y=None):
        X, labels = integer_points(rng, N, d)
        w, b = rng.integers(1, 4, d).astype(float), float(rng.choice([-2, -1, 1, 2]))
        y = labels if y is None else y(X @ w + b)
        wrong = np.sum(y * (X @ w + b) <= 0)
        return Case(label, (w, b, X, y), {"N": N, "M": max(wrong, 1)})

    return [
        one("ordinary data", 9, 2),
        one("three features", 12, 3),
        one("every sample wrong", 8, 2, lambda f: np.where(f < 0, 1.0, -1.0)),
        one("no sample wrong", 7, 2, lambda f: np.where(f < 0, -1.0, 1.0)),
        one("one feature", 10, 1),
    ]


perceptron_loss = Exercise(
    stars=1,
    notes="A 5.2, B",
    ask="The loss L(w, b) = -Σ y_i(w·x_i + b), a sum over the misclassified samples only, those with "
    "y_i(w·x_i + b) <= 0; 0 where there are none. w (d,), b a number, X (N, d), y (N,) of -1 and +1. Return a number.",
    hints=(
        "Compute all N margins y_i(w·x_i + b) first. Which of them belong to the sum?",
        "Each sample gives max(0, -y_i(w·x_i + b)).",
    ),
    answer=perceptron.loss,
    variant=_loss,
    mistakes={
        "the sum runs over the misclassified samples only; you took all": {"term": lambda m: -m},
        "the sum runs over the misclassified samples; you took the others": {"term": lambda m: -np.maximum(0, m)},
        "that counts the mistakes; each weighs -y_i(w·x_i + b)": {"term": lambda m: m <= 0},
        "max(0, 1 - m) is the hinge loss of the SVM; the perceptron's is max(0, -m)": {
            "term": lambda m: np.maximum(0, 1 - m)
        },
        "the margins are squared: they enter as they are": {"term": lambda m: np.maximum(0, -m) ** 2},
        "b is missing: the margin is y_i(w·x_i + b)": {"bias": 0},
        "y is missing where you choose the samples: misclassified is y_i(w·x_i + b) <= 0": {"chosen": lambda f: f <= 0},
        "that is the sum of distances; the perceptron's loss leaves 1/‖w‖ out": {
            "norm": lambda w, b: np.linalg.norm(w)
        },
    },
    cases=_loss_cases,
    factors={
        "-": "the margins of misclassified samples are negative, the loss is not",
        "1/N": "the loss is a sum, not a mean",
        "1/M": "M is the number of misclassified samples: the loss is their sum, not their mean",
    },
    also_right=(
        lambda w, b, X, y: -sum(min(0.0, t * (w @ x + b)) for x, t in zip(X, y, strict=True)),
        lambda w, b, X, y: -np.sum((y * (X @ w + b))[y * (X @ w + b) <= 0]),
    ),
)


def _rule(score, y, *, wrong=np.less_equal, tie=None):
    """Does a visit update? tie: the label that a score of exactly 0 is taken for."""
    return wrong(score, 0) and not (score == 0 and y == tie)


def _step(
    w, b, x, y, eta, *, label=True, bias=1, length=lambda eta: eta, x_label=True, b_label=True, b_by=None, **rule
):
    if _rule((y if label else 1) * (w @ x + bias * b), y, **rule):
        w_by = length(eta)
        b_by = w_by if b_by is None else b_by
        return w + w_by * (y if x_label else 1) * x, b + b_by * (y if b_label else 1)
    return w, b


def _always(score, zero):
    return True


def _visits(rng, X, y, eta, first):
    """30 visits, the first to sample 0 or 1, that is to a +1 or to a -1."""
    order = np.append(first, rng.integers(len(y), size=29))
    return [(X[i], float(y[i]), eta) for i in order]


def _step_cases(rng):
    def one(start, N, first, eta):
        X, y = integer_points(rng, N)
        w, b = start * eta * rng.integers(-3, 4, 2), start * eta * float(rng.integers(-3, 4))
        label = "a run from another start" if start else "a run from w = 0, b = 0"
        return Case(label, ((w, b), _visits(rng, X, y, eta, first)))

    return [one(0, 5, 0, 0.5), one(0, 7, 1, 0.25), one(1, 6, 0, 0.25), one(1, 8, 1, 0.5)]


perceptron_step = Exercise(
    stars=1,
    notes="A 5.3.1, B, D 4",
    ask="Visit one sample: if y(w·x + b) <= 0, return (w + eta y x, b + eta y), else (w, b), new or as they came. "
    "w, x (d,), b and eta > 0 numbers, y -1 or +1; leave w as it is. Whole runs are judged.",
    hints=(
        "A sample is right where y and w·x + b have the same sign. From w = 0, b = 0 no sample is right.",
        "Test y * (w @ x + b) <= 0, not < 0; both w and b then move by eta * y times their input, x or 1.",
    ),
    answer=lambda w, b, x, y, eta: (
        perceptron.update(w, b, x, y, eta) if perceptron.misclassified(w, b, x, y) else (w, b)
    ),
    variant=_step,
    mistakes={
        "y(w·x + b) = 0 counts as a mistake: with < 0 nothing ever starts from w = 0": {"wrong": np.less},
        "with sign(0) = +1 a positive sample on the plane is skipped: test y(w·x + b) <= 0": {"tie": 1},
        "with sign(0) = -1 a negative sample on the plane is skipped: test y(w·x + b) <= 0": {"tie": -1},
        "y is missing in the test: right or wrong is the sign of y(w·x + b)": {"label": False},
        "b is missing in the test y(w·x + b) <= 0": {"bias": 0},
        "every sample is updated; only the misclassified ones may be": {"wrong": _always},
        "the test is the wrong way round: you update the samples that are right": {"wrong": np.greater},
        "samples with y(w·x + b) <= 1 are updated; that is the SVM's margin, here the limit is 0": {
            "wrong": lambda score, zero: score <= 1
        },
        "y is missing in the step of w: it is eta y x": {"x_label": False},
        "y is missing in the step of b: it is eta y": {"b_label": False},
        "b must move too, by eta y": {"b_by": 0.0},
        "eta is missing in the step of b": {"b_by": 1.0},
        "the step goes the wrong way: eta y x is added": {"length": lambda eta: -eta},
        "eta is missing in the step": {"length": lambda eta: 1.0},
        "the step is twice as long: y - ŷ is 2y at a mistake, the perceptron adds eta y x": {
            "length": lambda eta: 2 * eta
        },
    },
    cases=_step_cases,
    play=run,
    also_right=(
        lambda w, b, x, y, eta: (w + eta * y * x, b + eta * y) if np.sign(w @ x + b) != y else (w, b),
        lambda w, b, x, y, eta: [w + (m := eta * y * (y * (x @ w + b) <= 0)) * x, b + m],
    ),
)


def _gram(X, *, of=lambda X: X, products=lambda X: X @ X.T):
    return products(of(X))


def _unit_rows(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def _squared_distances(X):
    return np.sum((X[:, None] - X) ** 2, axis=2)


def _gram_cases(rng):
    def one(label, N, d):
        return Case(label, (rng.integers(1, 5, (N, d)) * rng.choice([-1.0, 1.0], (N, d)),), {"N": N, "d": d})

    return [one("ordinary data", 5, 2), one("fewer samples than features", 3, 4), one("three features", 7, 3)]


gram = Exercise(
    stars=1,
    notes="A 5.3.4, B",
    ask="The Gram matrix G (N, N) of all inner products, G_ij = x_i·x_j. X (N, d), a sample per row, as it is: "
    "no labels, no column of ones.",
    hints=(
        "How many pairs of samples are there? G_ij needs row i and row j of X.",
        "Entry (i, j) of a matrix product is row i of the left times column j of the right factor.",
    ),
    answer=lambda X: kernels.gram(kernels.linear, X),
    variant=_gram,
    mistakes={
        "that is XᵀX (d, d), products of features; samples are the rows, so it is XXᵀ": {"products": lambda X: X.T @ X},
        "you scaled the samples to length 1: those are cosines": {"of": _unit_rows},
        "you subtracted the mean of the samples first; G takes them as they are": {"of": lambda X: X - X.mean(axis=0)},
        "you appended the 1 of the bias: every entry is 1 too large": {"products": lambda X: X @ X.T + 1},
        "those are squared distances ‖x_i - x_j‖², not inner products": {"products": _squared_distances},
        "those are distances ‖x_i - x_j‖, not inner products": {"products": lambda X: np.sqrt(_squared_distances(X))},
        "that is only the diagonal x_i·x_i; every pair of samples is asked for": {
            "products": lambda X: np.sum(X * X, axis=1)
        },
        "beside the diagonal x_i·x_i (note A prints it, erratum A54) stand the products x_i·x_j of all pairs": {
            "products": lambda X: np.diag(np.sum(X * X, axis=1))
        },
    },
    cases=_gram_cases,
    also_right=(lambda X: np.inner(X, X), lambda X: [[x @ z for z in X] for x in X]),
)


def _to_primal(alpha, y, X, *, counts=lambda a: a, w_labels=True, b_labels=True, bias=1):
    alpha = counts(alpha)
    return (alpha * y if w_labels else alpha) @ X, bias * np.sum(alpha * y if b_labels else alpha)


def _primal_cases(rng):
    def one(label, N, d, eta):
        X, y = integer_points(rng, N, d)
        return Case(label, (eta * np.append([1, 3, 0], rng.integers(0, 4, N - 3)), y, X), {"N": N})

    return [one("ordinary data", 6, 2, 1.0), one("three features", 9, 3, 0.5), one("eta = 1/4", 7, 2, 0.25)]


dual_to_primal = Exercise(
    stars=1,
    notes="A 5.3.4, B",
    ask="From the dual coefficients alpha (N,) of the perceptron, the hyperplane (w, b), w (d,) and b a number: "
    "w = Σ_i alpha_i y_i x_i, and b the sum of its own updates eta y_i from b = 0. y (N,) of -1 and +1, X (N, d).",
    hints=(
        "alpha_i is eta times the number of updates at sample i. By what did each of them change w, and b?",
        "b is what w would be for the feature that is always 1: Σ_i alpha_i y_i.",
    ),
    answer=perceptron.primal,
    variant=_to_primal,
    mistakes={
        "the labels y_i are missing in w = Σ alpha_i y_i x_i": {"w_labels": False},
        "the labels y_i are missing in b = Σ alpha_i y_i": {"b_labels": False},
        "b is not 0: it is Σ alpha_i y_i": {"bias": 0},
        "every sample with alpha_i > 0 counts once; it must count alpha_i": {"counts": lambda a: a > 0},
        "alpha is missing: you summed over all samples alike": {"counts": np.ones_like},
        "alpha is divided by its sum; w and b would keep their direction, but their size is asked too": {
            "counts": lambda a: a / a.sum()
        },
    },
    cases=_primal_cases,
    factors={"1/N": "these are sums, not means", "-": "each update adds eta y_i x_i"},
    also_right=(
        lambda alpha, y, X: [sum(a * t * x for a, t, x in zip(alpha, y, X, strict=True)), alpha @ y],
        lambda alpha, y, X: (X.T @ (alpha * y), np.array(y @ alpha)),
    ),
)


def _score(alpha, i, G, y):
    return G[i] @ (alpha * y)


def _dual_step(alpha, b, i, G, y, eta, *, score=_score, label=True, bias=1, use_eta=True, grow=None, db=None, **rule):
    score = score(alpha, i, G, y) + bias * b
    if not _rule((y[i] if label else 1) * score, y[i], **rule):
        return alpha, b
    alpha, eta = alpha.copy(), eta if use_eta else 1.0
    growing = slice(None) if grow == "all" else i
    alpha[growing] = (grow if callable(grow) else lambda a, eta, y: a + eta)(alpha[growing], eta, y[i])
    return alpha, b + (db or (lambda eta, y: eta * y))(eta, y[i])


def _dual_cases(rng):
    def one(start, N, first, eta):
        X, y = integer_points(rng, N)
        alpha = start * eta * rng.integers(0, 4, N)
        order = np.append(first, rng.integers(N, size=29))
        label = "a run from another alpha" if start else "a run from alpha = 0"
        return Case(label, ((alpha, float(alpha @ y)), [(int(i), X @ X.T, y, eta) for i in order]))

    return [one(0, 5, 0, 0.5), one(0, 7, 1, 0.25), one(1, 6, 0, 0.25), one(1, 8, 1, 0.5)]


perceptron_dual_step = Exercise(
    stars=2,
    notes="A 5.3.4, B",
    ask="Visit sample i in the dual form: if y_i(Σ_j alpha_j y_j G_ij + b) <= 0, alpha_i grows by eta and b by "
    "eta y_i. Return (alpha, b), new or as they came. alpha (N,), G (N, N) = [x_i·x_j], y (N,) of -1 and +1, b and "
    "eta > 0 numbers; leave alpha as it is. Whole runs are judged.",
    hints=(
        "With w = Σ_j alpha_j y_j x_j, what is w·x_i? Which row of G does it need?",
        "The score is G[i] @ (alpha * y) + b. alpha counts the updates, y_i stands already in alpha_i y_i x_i.",
    ),
    answer=lambda alpha, b, i, G, y, eta: (
        perceptron.dual_update(i, alpha, b, y[i], eta)
        if y[i] * perceptron.dual_decision_function(alpha, b, y, G[i]) <= 0
        else (alpha, b)
    ),
    variant=_dual_step,
    mistakes={
        "y_i(...) = 0 counts as a mistake: with < 0 nothing starts from alpha = 0": {"wrong": np.less},
        "with sign(0) = +1 a positive sample on the plane is skipped: test y_i(...) <= 0": {"tie": 1},
        "with sign(0) = -1 a negative sample on the plane is skipped: test y_i(...) <= 0": {"tie": -1},
        "the labels y_j are missing in Σ_j alpha_j y_j G_ij": {"score": lambda alpha, i, G, y: G[i] @ alpha},
        "the sum Σ_j runs over all samples; you took j = i only": {
            "score": lambda alpha, i, G, y: alpha[i] * y[i] * G[i, i]
        },
        "y_i is missing in the test y_i(...) <= 0": {"label": False},
        "b is missing in the test": {"bias": 0},
        "every sample is updated; only the misclassified ones may be": {"wrong": _always},
        "the test is the wrong way round: you update the samples that are right": {"wrong": np.greater},
        "alpha_i grows by eta, not eta y_i: y_i stands already in alpha_i y_i x_i": {
            "grow": lambda a, eta, y: a + eta * y
        },
        "only alpha_i grows; you let all of alpha grow": {"grow": "all"},
        "alpha_i is set to eta; it must grow by eta each time": {"grow": lambda a, eta, y: eta},
        "b grows by eta y_i, not by eta": {"db": lambda eta, y: eta},
        "b must move too, by eta y_i": {"db": lambda eta, y: 0.0},
        "eta is missing: you added 1": {"use_eta": False},
    },
    cases=_dual_cases,
    play=run,
    also_right=(
        lambda alpha, b, i, G, y, eta: [
            np.where((np.arange(len(y)) == i) & (m := y[i] * (sum(alpha * y * G[:, i]) + b) <= 0), alpha + eta, alpha),
            b + m * eta * y[i],
        ],
    ),
)


def _still_wrong(w, b, x, y, eta):
    w, b = perceptron.update(w, b, x, y, eta)
    return y * perceptron.decision_function(w, b, x) < 0


def _farther(w, b, x, y, eta):
    new_w, new_b = perceptron.update(w, b, x, y, eta)
    return perceptron.distance(new_w, new_b, x) > perceptron.distance(w, b, x) * (1 + 1e-9)


def _example():
    w, b = np.array([1.0, 0.0]), -100.0  # far away, so that ‖w‖ matters: d = |w·x + b|/‖w‖
    x, y, eta = np.array([-1.0, 0.0]), 1, 0.1  # x points against y w, so the update shortens w
    return w, b, x, y, eta


perceptron_moves_away = Construction(
    stars=2,
    notes="A 5.3.2, erratum A50",
    ask="Note A says that an update with a small step brings a misclassified sample nearer to the plane. Return "
    "(w, b, x, y, eta) with y(w·x + b) < 0 where it ends farther away, on the same wrong side: w, x (d,), b a number, "
    "y -1 or +1, 0 < eta <= 1.",
    hints=(
        "The distance is |w·x + b|/‖w‖. The update lowers the numerator; what may it do to the denominator?",
        "In one dimension: x opposite to y w, so that |w| shrinks, and |b| so large that the numerator hardly changes.",
    ),
    returns=("w", "b", "x", "y", "eta"),
    requirements=(
        Requirement(
            "w and x must be vectors of one length, shape (d,), and b, y, eta numbers",
            lambda w, b, x, y, eta: (
                np.ndim(w) == 1 and np.shape(w) == np.shape(x) and np.size(w) and not any(map(np.ndim, (b, y, eta)))
            ),
            ([1.0, 0.0], -1.0, [1.0], 1, 0.5),
        ),
        Requirement(
            "w must not be 0: there is no plane", lambda w, b, x, y, eta: np.any(w), ([0.0], -1.0, [1.0], 1, 0.5)
        ),
        Requirement("y must be -1 or +1", lambda w, b, x, y, eta: y in (-1, 1), ([1.0], -9.0, [-1.0], 2, 0.5)),
        Requirement(
            "eta must lie in 0 < eta <= 1", lambda w, b, x, y, eta: 0 < eta <= 1, ([1.0], -9.0, [-1.0], 1, 1.5)
        ),
        Requirement(
            "x must be misclassified, y(w·x + b) < 0, and not on the plane, where any distance is farther",
            lambda w, b, x, y, eta: y * perceptron.decision_function(w, b, x) < 0,
            ([1.0], 1.0, [-1.0], 1, 0.5),
        ),
        Requirement(
            "the update makes w = 0: there is no plane any more",
            lambda w, b, x, y, eta: np.linalg.norm(w + eta * y * x) > 1e-9 * np.linalg.norm(w),
            ([0.5], -9.0, [-1.0], 1, 0.5),
        ),
        Requirement(
            "the plane jumped over the sample, which is right now; note A means small steps: take a smaller eta",
            _still_wrong,
            ([1.0, 0.0], -4.0, [3.0, 0.0], 1, 1.0),
        ),
        Requirement(
            "the sample is not farther away; look for a large |b| and an x opposite to y w",
            _farther,
            ([1.0, 0.0], 0.0, [-1.0, 0.0], 1, 0.1),
        ),
    ),
    example=_example,
)


def _augmented(w, b):
    return np.sqrt(w @ w + b * b)


def _bound(w, b, X, y, *, one=1, norm=_augmented, radius=np.max, label=True, nearest=np.min, power=2, ratio=np.divide):
    R = np.sqrt(radius(np.sum(X * X, axis=1) + one))
    return ratio(R, nearest((y if label else 1) * (X @ w + b)) / norm(w, b)) ** power


def _bound_cases(rng):
    def one(label, N, d):
        w, b, X, y = separated_points(rng, N, d)
        f = X @ w + b
        side = 1.0 if f.max() > -f.min() else -1.0  # the farthest sample is a +1: min f is no margin then
        return Case(label, (side * w, side * b, X, side * y), {"N": N})

    return [one("ordinary data", 8, 2), one("one feature", 6, 1), one("four features", 15, 4)]


novikoff_bound = Exercise(
    stars=3,
    notes="A 5.3.3",
    ask="The bound (R/γ)² on the number of updates from a zero start, for a (w, b) that separates: with x~ = (x, 1), "
    "R = max_i ‖x~_i‖ and γ = min_i y_i(w·x_i + b) once (w, b) is scaled to ‖(w, b)‖ = 1, the r of the theorem; here "
    "it comes in any length. w (d,), b a number, X (N, d), y (N,) of -1 and +1. Return a number.",
    hints=(
        "Doubling (w, b) must not change the bound: divide the margins by a length. Of which vector?",
        "R² = max ‖x_i‖² + 1 and γ = min y_i(w·x_i + b)/√(w·w + b²).",
    ),
    answer=perceptron.novikoff_bound,
    variant=_bound,
    mistakes={
        "γ needs ‖(w, b)‖ = √(w·w + b²); you divided by ‖w‖": {"norm": lambda w, b: np.linalg.norm(w)},
        "γ is the margin for ‖(w, b)‖ = 1: divide by √(w·w + b²) first": {"norm": lambda w, b: 1.0},
        "γ is divided by w·w + b², the square of the length": {"norm": lambda w, b: w @ w + b * b},
        "R is the largest ‖(x_i, 1)‖; you left the 1 of the bias out": {"one": 0},
        "R is the largest of the lengths, not their mean (of the squares)": {"radius": np.mean},
        "y is missing: γ is the smallest of the y_i(w·x_i + b), not of the scores": {"label": False},
        "γ is the smallest margin, not the mean": {"nearest": np.mean},
        "γ is the smallest margin, not the largest": {"nearest": np.max},
        "the square is missing: the bound is (R/γ)²": {"power": 1},
        "upside down: the bound is (R/γ)², large where the margin is small": {"ratio": lambda R, gamma: gamma / R},
    },
    cases=_bound_cases,
    also_right=(
        lambda w, b, X, y: (
            max(x @ x + 1 for x in X) * (w @ w + b * b) / min(t * (w @ x + b) for x, t in zip(X, y, strict=True)) ** 2
        ),
    ),
)

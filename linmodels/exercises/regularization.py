"""Exercises of chapter 02, regularization (notes A 1.2, 1.3, C 1). The squared loss is a sum without 1/2."""

import numpy as np

from linmodels import datasets, linear_regression, regularization

from .grading.before import Question
from .grading.by_hand import ByHand
from .grading.cases import regression, table
from .grading.checker import Case, Construction, Exercise, Refused, Requirement
from .grading.derive import Derivation
from .grading.kinds import Loop, Project
from .grading.prove import Decoy, Line, Proof

chapter = "02"


def _one_weight_cases(rng):
    """Three samples of whole numbers x and y, and a lam below that of w = 0."""
    while True:
        x, y = rng.integers(-3, 4, 3).astype(float), rng.integers(-6, 7, 3).astype(float)
        c, q = x @ x, x @ y
        lam = float(rng.integers(2, 12))
        if c >= 4 and abs(q) >= lam / 2 + 3 and q % c:
            return [Case("your samples", (x, y, lam))]


def _one_weight(x, y, lam):
    c, q = x @ x, x @ y
    return q / (c + lam), np.sign(q) * (abs(q) - lam / 2) / c, 2 * abs(q)


_LASSO_ONE = "np.sign(q) * (abs(q) - lam / 2) / c"

one_weight = ByHand(
    stars=1,
    notes="A 1.2",
    ask="One weight with a pencil, to three digits. The model is w x, without a bias, and the squared loss Σ (w x - "
    "y)² is a sum over your three samples. Give (1) the w that minimizes it with the penalty lam w², (2) the w with "
    "the penalty lam |w|, (3) the smallest penalty lam for which the second one is 0. The numbers are your own: "
    "check.me('your name') deals them.",
    hints=(
        "Multiply out: the error is (Σ x²) w² - 2 (Σ x y) w + Σ y². The last term does not matter.",
        "On which side of 0 is the weight without a penalty? There |w| is w, or it is -w.",
    ),
    answer=_one_weight,
    returns=("ridge", "lasso", "limit"),
    one_by_one=True,
    mistakes=(
        ("q / (c + lam)", "q / c", "ridge: that is the weight without a penalty"),
        ("q / (c + lam)", "q / (c + lam / 2)", "ridge: both squares have the factor 2 in their derivatives"),
        ("q / (c + lam)", "q / (c + 2 * lam)", "ridge: both squares have the factor 2 in their derivatives"),
        ("q / (c + lam)", "q / (c + 3 * lam)", "ridge: the penalty counts once, and not once for each sample"),
        ("q / (c + lam)", "(q - lam) / c", "ridge: the derivative of lam w² is 2 lam w: it divides"),
        ("q / (c + lam)", "abs(q) / (c + lam)", "ridge: on which side of 0 is Σ x y?"),
        ("q / (c + lam)", "q / c / (1 + lam)", "ridge: 1/(1 + lam) is right only where Σ x² is 1"),
        (_LASSO_ONE, "q / c", "lasso: that is the weight without a penalty"),
        (_LASSO_ONE, "np.sign(q) * (abs(q) - lam) / c", "lasso: the square has a factor 2, and |w| has none: lam/2"),
        (_LASSO_ONE, "np.sign(q) * (abs(q) - 2 * lam) / c", "lasso: divide by the factor 2 of the square, lam/2"),
        (_LASSO_ONE, "np.sign(q) * (abs(q) + lam / 2) / c", "lasso: the penalty must bring w nearer to 0"),
        (_LASSO_ONE, "(abs(q) - lam / 2) / c", "lasso: on which side of 0 is the weight without a penalty?"),
        (_LASSO_ONE, "np.sign(q) * (abs(q) / c - lam / 2)", "lasso: divide lam/2 by Σ x², too"),
        (_LASSO_ONE, "np.sign(q) * (abs(q) / c - lam)", "lasso: what is taken away is lam/(2 Σ x²)"),
        (_LASSO_ONE, "q / (c + lam / 2)", "lasso: you divided, as ridge does; |w| takes away"),
        ("2 * abs(q)", "abs(q)", "limit: at w = 0 the slope of the error is -2 Σ x y"),
        ("2 * abs(q)", "2 * q", "limit: lam is positive: take the size of the slope"),
        ("2 * abs(q)", "2 * abs(q) / c", "limit: at w = 0 the slope of the error is -2 Σ x y, without Σ x²"),
        ("2 * abs(q)", "c", "limit: that is Σ x²; how steep is the error at w = 0?"),
    ),
    cases=_one_weight_cases,
)

ridge_equation = Derivation(
    stars=2,
    notes="A 1.2, A 1.3",
    ask="Derive the gradient of the loss of ridge, ‖Xw - y‖² + λ‖w‖², one rule a line, until no d is left and w "
    "stands there once. d(e, w) is the gradient of e with respect to w; for u @ u it is 2*d(u, w).T @ u. lam is λ, and "
    "I is the identity matrix.",
    hints=(
        "Take the two terms apart first; lam is a constant.",
        "Both terms are products u @ u of a vector with itself. Keep the d(u, w) for the next line.",
        "How does w become a product with a matrix, so that the two terms with w have a common factor?",
    ),
    start="d((X@w - y) @ (X@w - y) + lam*(w @ w), w)",
    letters={"X": "N d", "w": "d", "y": "N", "lam": "positive", "I": "identity d d"},
    free_of=("d",),
    once=("w",),
    lines=(
        "d((X@w - y) @ (X@w - y), w) + lam*d(w @ w, w)",
        "2*d(X@w - y, w).T @ (X@w - y) + lam*d(w @ w, w)",
        "2*X.T @ (X@w - y) + lam*d(w @ w, w)",
        "2*X.T @ (X@w - y) + 2*lam*w",
        "2*(X.T@X + lam*I) @ w - 2*X.T @ y",
    ),
    slips=(
        (3, "2*X @ (X@w - y) + lam*d(w @ w, w)", "the shapes do not fit"),
        (4, "2*X.T @ (X@w - y) + lam*w", "the factor 2"),
        (5, "2*(X.T@X + lam*I) @ w + 2*X.T @ y", "the sign before"),
    ),
)


def _penalized(rng, N, d, lam, sign=1):
    X, y = regression(rng, N, d)
    return X, sign * y, lam


_RIDGE = _penalized, "N d lam", (9, 3, 4), (7, 1, 0.002), (12, 4, 300), (6, 5, 3, -1)


def _ridge(X, y, lam):
    A = np.column_stack([X, np.ones(len(X))])
    w = np.linalg.solve(A.T @ A + lam * np.eye(len(A.T)), A.T @ y)
    return w


_A = "np.column_stack([X, np.ones(len(X))])"

ridge = Exercise(
    stars=0,
    notes="A 1.2, 1.3",
    ask="Return the w~ = (w, b) of shape (d + 1,), the bias last, that minimizes ‖X~w~ - y‖² + lam ‖w~‖², where X~ is "
    "X with a column of ones appended: as in note A, b is penalized like the weights, and there is no 1/2 and no mean. "
    "X (N, d) comes without the ones, y (N,), lam > 0 a number.",
    hints=(
        "Where is the gradient 2X~ᵀ(X~w~ - y) + 2 lam w~ zero? Both terms have the same factor.",
        "Solve (X~ᵀX~ + lam I)w~ = X~ᵀy; np.eye(d + 1) is I.",
    ),
    answer=_ridge,
    mistakes=(
        ("np.eye(len(A.T))", "np.diag(np.append(0 * X[0] + 1, 0))", "b is left free; here lam ‖w~‖² holds b too"),
        (
            "np.eye(len(A.T))",
            "np.diag(np.append(0, X[0] * 0 + 1))",
            "you left w_1 free; here lam ‖w~‖² holds all of w~",
        ),
        (
            _A,
            "np.column_stack([np.ones(len(X)), X])",
            "the ones stand first in your X~: they belong last, as b does in w~",
        ),
        ("lam * np.eye(len(A.T))", "lam", "lam is added to every entry; lam I has it on the diagonal only"),
        ("np.column_stack([X, np.ones(len(X))])", "X", "the bias is missing: append a column of ones to X first"),
        ("lam * np", "len(X) * lam * np", "you took N lam: the squared loss is a sum, not a mean"),
        ("lam * np", "lam / len(X) * np", "you took lam/N: the squared loss is a sum, not a mean"),
        ("return w", "return A @ w", "those are the predictions X~w~; the coefficients w~ are wanted"),
    ),
    cases=lambda rng: table(rng, *_RIDGE),
)


def _equal_after(X, y, lam, more):
    """The weights of ridge for both penalties."""
    return [np.linalg.solve(X.T @ X + one * np.eye(X.shape[1]), X.T @ y) for one in (lam, more)]


def _how_far(X, y, lam, more):
    before, after = _equal_after(X, y, lam, more)
    return f"w_1 goes from {before[0]:.3g} to {after[0]:.3g}: make it at least twice as large in size"


def _collinear():
    X = np.array([[1.0, 1.0], [1.0, 1.1], [-1.0, -1.0], [-1.0, -1.1]])
    return X, X @ [0.0, 1.0], 0.001, 1.0


weight_that_grows = Construction(
    stars=2,
    notes="A 1.2",
    ask="Ridge shrinks the whole vector w. Return data for which one weight grows: X (N, 2), at most 6 samples, y "
    "(N,), and two penalties 0 < lam < more, such that w_1, which minimizes ‖Xw - y‖² + lam ‖w‖² together with w_2, is "
    "at least twice as large in size for `more` as for `lam`, and not 0 for `lam`. Nothing is centered, no bias is "
    "added.",
    hints=(
        "Why did the weight of GNP grow among the economic series? Two columns must have something in common.",
        "Let two columns be nearly equal, and let y need the second one alone. What does a large penalty do then?",
    ),
    returns=("X", "y", "lam", "more"),
    requirements=(
        Requirement(
            "X must be (N, 2) with at most 6 rows, y (N,), and lam and more numbers",
            lambda X, y, lam, more: (
                np.ndim(X) == 2
                and 1 <= len(X) <= 6
                and np.shape(X)[1:] == (2,)
                and np.shape(y) == (len(X),)
                and np.ndim(lam) == np.ndim(more) == 0
            ),
            (np.eye(3), np.ones(3), 1.0, 2.0),
        ),
        Requirement(
            "it must be 0 < lam < more", lambda X, y, lam, more: 0 < lam < more, (np.eye(2), np.ones(2), 2.0, 1.0)
        ),
        Requirement(
            "w_1 is 0 for lam, up to rounding: then it is nothing to grow from",
            lambda X, y, lam, more: abs(_equal_after(X, y, lam, more)[0][0]) > 1e-9 * np.max(np.abs(y), initial=1e-300),
            (np.eye(2), np.array([0.0, 1.0]), 1.0, 2.0),
        ),
        Requirement(
            _how_far,
            lambda X, y, lam, more: (
                abs(_equal_after(X, y, lam, more)[1][0]) >= 2 * abs(_equal_after(X, y, lam, more)[0][0])
            ),
            (np.eye(2), np.array([1.0, 1.0]), 1.0, 2.0),
        ),
    ),
    example=_collinear,
)


def _soft_threshold(a, t):
    return np.sign(a) * np.maximum(np.abs(a) - t, 0)


_SOFT = "np.sign(a) * np.maximum(np.abs(a) - t, 0)"

soft_threshold = Exercise(
    stars=0,
    notes="A 1.2",
    ask="Return the soft threshold S(a, t): for each entry of a, the number w that minimizes ½(w - a)² + t|w|. a is "
    "(m,), of floats or whole numbers, t >= 0 a number; the result is (m,).",
    hints=(
        "Three cases: a > t, a < -t, and what lies between. What remains of a in each?",
        "The length that remains is max(|a| - t, 0), and it keeps the sign of a.",
    ),
    answer=_soft_threshold,
    mistakes=(
        (" - t, 0)", ", 0) * (np.abs(a) > t)", "that is the hard threshold; what stays must move towards 0 by t"),
        ("np.sign(a) * np.maximum(np.abs(a)", "np.maximum(a", "the negative side is missing: for a < -t it is a + t"),
        ("np.maximum(np.abs(a) - t, 0)", "(np.abs(a) - t)", "max(..., 0) is missing: entries with |a| < t change sign"),
        ("np.sign(a) * np", "a - t\n    np", "you subtracted t from every entry; move each towards 0"),
        ("np.sign(a) * np", "(a - t) * (np.abs(a) > t)\n    np", "below -t you subtracted t too; there it is a + t"),
        ("np.sign(a) * np", "a / (1 + t)\n    np", "that is the shrinkage of t w²/2; t|w| takes t from every entry"),
        ("np.sign(a) * np", "np.where(np.abs(a) > t, a - t * np.sign(a), a)\n    np", "entries with |a| <= t become 0"),
        (_SOFT, f"({_SOFT}).astype(a.dtype)", "an array of whole numbers cuts off fractions: make one of floats"),
    ),
    cases=lambda rng: [
        Case("|a| = t among them", (np.append([-4, -2.5, -2, -1, 0, 0.5, 2, 3], 5 * rng.normal(size=6)), 2.0)),
        Case("t = 0", (np.append([0, 2, -2], rng.normal(size=6)), 0.0)),
        Case("an array of integers", (np.array([-7, 4, 1, 0, -2, 9]), 1.5)),
        Case("far out values", (np.array([1e4, -1e4, 3e4, 20, -20]) + rng.normal(), 10.0)),
    ],
)


def _path_cases(rng):
    """Three numbers of different sizes and not all of one sign; at λ = 4 one is 0 already, and one lives on at 8."""
    sizes = rng.permutation([float(rng.integers(1, 3)), 3.0, float(rng.integers(5, 9))])
    signs = rng.permutation([1.0, -1.0, float(rng.choice([-1, 1]))])
    return [Case("your targets", (sizes * signs,))]


def _path(y):
    X = np.eye(3)
    w = [regularization.lasso(X, y, lam).w for lam in (0.0, 2.0, 4.0, 8.0)]
    return np.array(w)


_LASSO = "regularization.lasso(X, y, lam).w"

predict_the_path = ByHand(
    stars=1,
    notes="A 1.3, C 1",
    ask="Predict the picture of a lasso path before you draw it. X is the identity matrix (3, 3) and y has three "
    "numbers of your own: check.me('your name') deals them. The loss is ‖Xw - y‖² + λ Σ_j |w_j|. Sketch the three "
    "weights against λ. Then give them, a row (w_1, w_2, w_3) for each of λ = 0, 2, 4, 8.",
    hints=(
        "The loss is a sum of three: (w_j - y_j)² + λ|w_j|. Take out a factor 2: then it is the problem of the kink.",
        "Every weight moves straight towards 0, and stays there. Which one arrives first?",
    ),
    returns=("the rows",),
    answer=_path,
    mistakes=(
        ("y, lam)", "y, 2 * lam)", "each weight moves by λ/2, not by λ: the square gives a factor 2"),
        ("y, lam)", "y, lam / 2)", "each weight moves by λ/2, not by λ/4: take out the factor 2 once"),
        (_LASSO, "y / (1 + lam)", "that is ridge, which divides; the lasso subtracts"),
        (_LASSO, "y / (1 + lam / 2)", "you divided, as ridge does; the lasso subtracts"),
        (_LASSO, "y - np.sign(y) * lam / 2", "a weight went through 0: is the loss smaller on the other side?"),
        (_LASSO, "y - lam / 2", "a weight that begins below 0: in which direction does it move?"),
        (_LASSO, "np.maximum(y - lam / 2, 0)", "a weight that begins below 0: sketch it, too"),
        (_LASSO, "y * (abs(y) > lam / 2)", "the weights that survive shrink, too"),
        (_LASSO, "abs(regularization.lasso(X, y, lam).w)", "a weight keeps its sign"),
    ),
    cases=_path_cases,
)


one_coordinate = Derivation(
    stars=1,
    notes="A 1.2",
    ask="Only one weight of the lasso moves, w, and it is not 0. Its column is x, r is what the other weights leave of "
    "the targets, and the loss is ‖w x - r‖² + λ g w, where g is the sign of w, a constant there. Derive the slope of "
    "the loss with respect to w, one rule a line, until no d is left. d(e, w) is the derivative of e with respect to "
    "w; for u @ u it is 2*d(u, w).T @ u. lam is λ.",
    hints=(
        "Open the square first, or take the two terms apart.",
        "w is a number: d(w**2, w) is 2*w, and x @ x, x @ r and lam*g are constants.",
    ),
    start="d((w*x - r) @ (w*x - r) + lam*g*w, w)",
    letters={"w": "number", "x": "N", "r": "N", "lam": "positive", "g": "±1"},
    free_of=("d",),
    lines=(
        "d(w**2*(x @ x) - 2*w*(x @ r) + r @ r + lam*g*w, w)",
        "d(w**2, w)*(x @ x) - d(2*w*(x @ r), w) + d(r @ r, w) + d(lam*g*w, w)",
        "2*w*(x @ x) - d(2*w*(x @ r), w) + d(r @ r, w) + d(lam*g*w, w)",
        "2*w*(x @ x) - 2*(x @ r) + lam*g",
    ),
    slips=(
        (1, "d(w**2*(x @ x) - w*(x @ r) + r @ r + lam*g*w, w)", "the factor 2"),
        (1, "d(w**2*(x @ x) + 2*w*(x @ r) + r @ r + lam*g*w, w)", "the sign before"),
        (4, "2*w*(x @ x) - 2*(x @ r) + lam*g*w", "does not follow"),
    ),
)


def _sweeps_of(X, y, lam):
    """The weights before the first sweep, and after each of 60."""
    iterates = regularization.coordinate_iterates(X, y, lam)
    return np.array([state.w for state, _ in zip(iterates, range(61), strict=False)])


def _lasso_sweeps_cases(rng):
    def one(label, N, d, part, k, max_sweeps):
        """tol is met after k sweeps, not before, and only by the largest change in size; or never, if k is 0.

        With a small part, no weight is at rest in the first sweep.
        """
        while True:
            X = rng.normal(size=(N, d)) @ (np.eye(d) + 0.5)
            y = X @ (rng.uniform(1, 4, d) * rng.choice([-1, 1], d) * (np.arange(d) != 1)) + rng.normal(size=N)
            y *= rng.choice([-1, 1])
            lam = part * regularization.smallest_zero_lam(X, y)
            W = _sweeps_of(X, y, lam)
            D = np.diff(W, axis=0)
            F = np.array([regularization.loss(w, X, y, lam) for w in W[1:]])
            if not k and np.abs(D[max_sweeps - 1 : max_sweeps + 1]).max(axis=1).min() > 1e-3:
                return Case(label, (X, y, lam, 1e-12, max_sweeps), {"N": float(N)})
            moves = np.abs(D).max(axis=1)
            tol = 1.001 * moves[k - 1]
            small = np.flatnonzero(moves <= tol)
            signed, lengths = np.flatnonzero(D.max(axis=1) <= tol), np.flatnonzero(np.linalg.norm(D, axis=1) <= tol)
            still = np.flatnonzero(np.abs(D).min(axis=1) <= tol)
            falls = np.flatnonzero(np.append(np.inf, -np.diff(F)) <= tol)
            first = lambda places: places[0] if len(places) else -1  # noqa: E731
            if part < 0.05 and first(still) == 0:
                continue
            if k and first(small) == k - 1 and len({first(p) for p in (small, signed, lengths, falls)} | {0}) == 5:
                return Case(label, (X, y, lam, tol, max_sweeps), {"N": float(N)})

    return [
        one("it comes to rest", 9, 3, 0.2, 6, 30),
        one("four columns", 12, 4, 0.1, 7, 30),
        one("more columns", 14, 5, 0.3, 5, 25),
        one("max_sweeps are done", 8, 3, 0.15, 0, 5),
        one("a small penalty", 11, 4, 0.01, 8, 40),
    ]


def _lasso_sweeps(X, y, lam, tol, max_sweeps):
    w, r, losses = np.zeros(X.shape[1]), y.copy(), list[float]()
    for _ in range(max_sweeps):
        old = w.copy()
        for j, x in enumerate(X.T):
            r += w[j] * x
            w[j] = np.sign(x @ r) * max(abs(x @ r) - lam / 2, 0) / (x @ x)
            r -= w[j] * x
        losses.append(r @ r + lam * np.sum(np.abs(w)))
        if np.max(np.abs(w - old)) <= tol:
            break
    return w, np.array(losses)


_THRESHOLD, _MOVED = "max(abs(x @ r) - lam / 2, 0)", "np.max(np.abs(w - old))"
_STEP = """r += w[j] * x
            w[j] = np.sign(x @ r) * max(abs(x @ r) - lam / 2, 0) / (x @ x)
            r -= w[j] * x"""
_AT_ONCE = """q = x @ (y - X @ old + old[j] * x)
            w[j] = np.sign(q) * max(abs(q) - lam / 2, 0) / (x @ x)
        r = y - X @ w"""
_SUM = "lam * np.sum(np.abs(w))"
_OWN = """q = x @ (y - X @ w)
            w[j] = np.sign(q) * max(abs(q) - lam / 2, 0) / (x @ x)
        r = y - X @ w"""
_NOTED = """losses.append(r @ r + lam * np.sum(np.abs(w)))
        if np.max(np.abs(w - old)) <= tol:
            break"""
_TOO_LATE = """if np.max(np.abs(w - old)) <= tol:
            break
        losses.append(r @ r + lam * np.sum(np.abs(w)))"""

lasso_sweeps = Loop(
    stars=2,
    notes="A 1.2",
    ask="Write the lasso as a whole. From w = 0, sweep by sweep: for each column j from the first to the last, give "
    "w_j the value that makes F = ‖Xw - y‖² + lam ‖w‖₁ smallest while the others stay. After a sweep note F; then stop "
    "if no weight has moved by more than tol in it, or if max_sweeps are done. Return (w, losses), losses with one F "
    "for each sweep. X (N, d) is as given, every column has the penalty and none is 0; y (N,).",
    hints=(
        "What do the other weights leave of y for column j to explain? Print F after each single step: it never rises.",
        "Keep the residual y - Xw: add w_j x_j to it before the step, and take the new w_j x_j away after it.",
    ),
    answer=_lasso_sweeps,
    returns=("w", "losses"),
    path="losses",
    step="sweep",
    mistakes=(
        ("lam / 2, 0)", "lam, 0)", "the threshold is lam/2: the square has the factor 2, and |w_j| has none"),
        ("lam / 2, 0)", "len(y) * lam / 2, 0)", "N is too much in the threshold: the squared loss is a sum"),
        ("lam / 2, 0)", "lam / 2 * (x @ x), 0)", "divide by x_j·x_j after the threshold, or divide lam/2 too"),
        (_THRESHOLD, "abs(x @ r) * (abs(x @ r) > lam / 2)", "what survives the threshold must move towards 0, too"),
        (_THRESHOLD, "(abs(x @ r) - lam / 2)", "max(..., 0) is missing: below the threshold w_j is 0"),
        (f"np.sign(x @ r) * {_THRESHOLD}", "max(x @ r - lam / 2, 0)", "the negative side of the threshold is missing"),
        (" / (x @ x)", "", "x_j·r must be divided by x_j·x_j"),
        (f"np.sign(x @ r) * {_THRESHOLD} / (x @ x)", "(x @ r) / (x @ x + lam)", "that is the step of ridge"),
        ("r += w[j] * x", "r += 0 * x", "the old term w_j x_j is not taken out of Xw before the step"),
        (_STEP, _OWN, "in y - Xw the column itself is still in: add the old w_j x_j before the step"),
        (_STEP, _AT_ONCE, "all weights of a sweep see the old ones: each must see the newest of the others"),
        ("np.zeros(X.shape[1]), y.copy()", "np.ones(X.shape[1]), y - X.sum(axis=1)", "start from w = 0"),
        ("enumerate(X.T)", "reversed(list(enumerate(X.T)))", "a sweep goes from the first column to the last"),
        ("enumerate(X.T)", "enumerate(X.T[:-1])", "the last column is never visited"),
        ("range(max_sweeps)", "range(max_sweeps + 1)", "where max_sweeps end the run, you make one sweep too many"),
        ("range(max_sweeps)", "range(max_sweeps - 1)", "where max_sweeps end the run, you make one sweep too few"),
        (_MOVED, "np.linalg.norm(w - old)", "you test the length of the move; test the largest move of a weight"),
        (_MOVED, "np.max(w - old)", "a weight may move far down: take np.abs"),
        ("w.copy()", "w", "old = w is w itself, so no move is seen: take old = w.copy()"),
        (_MOVED, "np.min(np.abs(w - old))", "one weight at rest is not enough: the largest move counts"),
        (_MOVED, "(losses[-2] if losses[1:] else np.inf) - losses[-1]", "you test how much F falls; test the weights"),
        (_MOVED, "tol + 1", "it never stops before max_sweeps: where is the test of the weights?"),
        (_NOTED, _TOO_LATE, "the last sweep is missing in losses: note F before you stop"),
        ("r @ r +", "r @ r / 2 +", "the squared loss of F has no 1/2"),
        ("r @ r +", "r @ r / len(y) +", "the squared loss of F is a sum, and not a mean"),
        (f"r @ r + {_SUM}", "r @ r", "the penalty is missing in losses"),
        (_SUM, f"{_SUM} / 2", "the penalty of F is lam ‖w‖₁, without 1/2"),
        (_SUM, "lam * (w @ w)", "losses has the penalty of ridge; here it is lam ‖w‖₁"),
        ("list[float]()", "[y @ y]", "losses begins after the first sweep: leave out F at w = 0"),
        ("np.array(losses)", "len(losses)", "that is how many sweeps were made; losses is the list of F"),
    ),
    cases=_lasso_sweeps_cases,
)


_PAIR = np.array([[1.0, 2], [0, 1]]), np.array([3.0, -5])  # two columns and two targets, for the decoys


def _turned_around():
    (X, y), lam, v = _PAIR, 4.0, np.array([-1.0, 1])
    gained = np.sum((X @ v - y) ** 2) - y @ y + lam * np.abs(v).sum()
    claimed = np.sum((X @ v) ** 2) + np.sum((lam - 2 * np.abs(X.T @ y)) * np.abs(v))
    return (
        "for X = (1, 2; 0, 1), y = (3, -5), λ = 4 and v = (-1, 1) the left side is "
        f"{gained:g} and the right side {claimed:g}"
    )


def _as_a_length():
    X, y = np.eye(2), np.array([3.0, 4])
    largest = next(lam for lam in (7.9, 8.0, 10.0) if not regularization.lasso(X, y, lam).w.any())
    return f"for X = I and y = (3, 4) the lasso is 0 from λ = {largest:g} on, and 2‖Xᵀy‖ is {2 * np.hypot(3, 4):g}"


def _no_derivative():
    slope = linear_regression.gradient(np.zeros(1), np.ones((1, 1)), np.array([3.0]))[0]
    return (
        f"for X = 1, y = 3 and λ = 8 the slope of F right of 0 is {slope + 8:g} and left of it {slope - 8:g}: there is "
        "no derivative"
    )


all_zero_proof = Proof(
    stars=2,
    notes="A 1.2",
    ask="Prove from which λ on the lasso is 0. F(v) = ‖Xv - y‖² + λ‖v‖₁, x_j is column j of X and no column is 0. Give "
    "the letters of the eleven lines that you need, each below what it uses; any such order is right. Three lines do "
    "not belong. After three wrong tries the letters are dealt anew.",
    hints=(
        "Two halves: a large λ, where no v is better than 0, and a small one, where some v is. Both begin with F(v) - "
        "F(0).",
        "For the second half move one weight only, and only a little. Which one, and in which direction?",
    ),
    lines={
        "difference": Line(
            "F(v) - F(0) = ‖Xv‖² - 2 Σ_j v_j x_j·y + λ Σ_j |v_j| for each v", "how F(v) and F(0) differ"
        ),
        "size": Line("v_j x_j·y <= |v_j| |x_j·y|", "how large v_j x_j·y can be"),
        "below": Line(
            "F(v) - F(0) >= ‖Xv‖² + Σ_j (λ - 2|x_j·y|) |v_j|", "what is below F(v) - F(0)", ("difference", "size")
        ),
        "large": Line("First case: λ >= 2|x_j·y| for every j", "that λ is large"),
        "square": Line("‖Xv‖² >= 0", "that a square is not negative"),
        "enough": Line("F(v) >= F(0) for each v: 0 is a minimum", "the first case", ("below", "large", "square")),
        "small": Line("Second case: λ < 2|x_k·y| for some k", "that λ is small"),
        "move": Line("v_k = ε sign(x_k·y) with ε > 0, and v_j = 0 for all other j", "which weight moves"),
        "change": Line(
            "F(v) - F(0) = ε² ‖x_k‖² - ε (2|x_k·y| - λ)", "how F changes for this move", ("difference", "move")
        ),
        "down": Line("for a small ε this is negative: 0 is no minimum", "the second case", ("change", "small")),
        "claim": Line("0 is a minimum exactly if λ >= 2 max_j |x_j·y|", "the claim", ("enough", "down")),
    },
    decoys={
        "turned": Decoy("F(v) - F(0) <= ‖Xv‖² + Σ_j (λ - 2|x_j·y|) |v_j|", _turned_around),
        "length": Decoy("0 is a minimum exactly if λ >= 2‖Xᵀy‖", _as_a_length),
        "derivative": Decoy("at a minimum the derivative of F with respect to each v_j is 0", _no_derivative),
    },
)


def _eight_rows(rng):
    """Whole numbers, and a lam for which some weights of the lasso are 0, and some are not, none of them nearly."""
    while True:
        X, y = rng.integers(-3, 4, (8, 4)).astype(float), rng.integers(-9, 10, 8).astype(float)
        lam = float(rng.integers(10, 60))
        w = regularization.lasso(X, y, lam).w
        if (np.sum(X * X, axis=0) > 6).all() and 1 <= np.sum(w == 0) <= 2 and np.min(np.abs(w[w != 0])) > 0.1:
            return X, y, lam


def _steepest(theta, X, lam):
    """The column at which theta breaks its condition most."""
    return int(np.argmax(np.abs(X.T @ theta)))


def _not_allowed(w, theta, X, y, lam):
    j = _steepest(theta, X, lam)
    excess = 2 * abs(X[:, j] @ theta) - lam
    told = f"theta is not allowed: |2 x_j·theta| is larger than lam = {lam:g} by {excess:.2g} for column {j} (from 0)"
    return f"{told}; make it shorter" if np.allclose(theta, y - X @ w) else told


def _still(w, theta, X, y, lam):
    """By how much F may still fall, as far as theta shows."""
    return regularization.loss(w, X, y, lam) - regularization.dual_loss(theta, X, y, lam)


def _proof_so_far(w, theta, X, y, lam):
    told = f"by your numbers F may be {_still(w, theta, X, y, lam):.3g} lower than at your w"
    others = (
        ("your w is that of ridge", regularization.ridge(X, y, lam)),
        ("your w is the lasso of 2 lam", regularization.lasso(X, y, 2 * lam).w),
        ("your w is the lasso of lam/2", regularization.lasso(X, y, lam / 2).w),
        ("your w is that of least squares", np.linalg.lstsq(X, y)[0]),
    )
    for text, other in others:
        if np.allclose(w, other, atol=1e-3):
            return "; ".join([told, text])
    best = regularization.lasso(X, y, lam).w
    if np.allclose(theta, X @ w - y, rtol=1e-2):
        return f"{told}; the residual that points the right way is y - Xw"
    if _still(w, y - X @ best, X, y, lam) <= 0.001:
        return f"{told}; your w is good enough, and your theta does not show it"
    if _still(best, theta, X, y, lam) <= 0.001:
        return f"{told}; your theta is good enough, and your w is not"
    return f"{told}; 0.001 is allowed"


def _prove_the_lasso(X, y, lam):
    w = regularization.lasso(X, y, lam).w
    r = y - X @ w
    return w, r * min(1.0, lam / np.max(np.abs(2 * X.T @ r)))


prove_the_lasso = Construction(
    stars=2,
    notes="A 1.2",
    ask="A certificate. Make F(w) = ‖Xw - y‖² + lam ‖w‖₁ small, by any method. Then prove it: every theta (N,) with "
    "|2 x_j·theta| <= lam for all columns x_j of X gives 2 theta·y - ‖theta‖² <= F(v) for every v. Return (w, theta), "
    "w (d,), which prove in this way that no v has an F lower than F(w) by more than 0.001. X, y and lam are your own.",
    hints=(
        "Your sweeps will do for w. For theta: with which vector (N,) is it compared in the last line of the bound?",
        "At the minimum the residual y - Xw is allowed, before it a little too long. After many sweeps it may pass.",
    ),
    returns=("w", "theta"),
    own=_eight_rows,
    requirements=(
        Requirement(
            "w must be of shape (4,), and theta of shape (8,)",
            lambda w, theta, X, y, lam: (np.shape(w), np.shape(theta)) == ((4,), (8,)),
            (np.zeros(4), np.zeros(4)),
        ),
        Requirement(
            _not_allowed,
            lambda w, theta, X, y, lam: np.max(np.abs(2 * X.T @ theta)) <= lam * (1 + 1e-9),
            lambda X, y, lam: (np.linalg.lstsq(X, y)[0], 100 * X[:, 0]),
        ),
        Requirement(
            _proof_so_far,
            lambda w, theta, X, y, lam: _still(w, theta, X, y, lam) <= 0.001,
            (np.zeros(4), np.zeros(8)),
        ),
    ),
    example=_prove_the_lasso,
)


def _patients():
    patients = datasets.diabetes()
    return patients.X, patients.y


def _root_mean_square(predictions, y):
    return float(np.sqrt(np.mean((predictions - y) ** 2)))


def _ridge_by_folds(X, y, X_new):
    def model(A, s, lam):
        mean, scale = A.mean(axis=0), A.std(axis=0)
        Z = (A - mean) / scale
        w = np.linalg.solve(Z.T @ Z + lam * len(A) * np.eye(A.shape[1]), Z.T @ (s - s.mean()))
        return lambda B: s.mean() + (B - mean) / scale @ w

    fold, lams = np.arange(len(y)) % 5, np.geomspace(0.01, 10, 16)
    miss = lambda k, lam: model(X[fold != k], y[fold != k], lam)(X[fold == k]) - y[fold == k]  # noqa: E731
    errors = [sum(np.sum(miss(k, lam) ** 2) for k in range(5)) for lam in lams]
    return model(X, y, lams[np.argmin(errors)])(X_new)


choose_lambda = Project(
    stars=2,
    notes="A 1.2, C 1",
    ask="Thirty patients with diabetes: ten measurements X (30, 10) and y (30,), how far the disease has gone a year "
    "later. From X, y and X_new return a prediction for each row of X_new: with a penalty, its strength chosen by "
    "folds of these 30 alone. It is judged by the root mean squared error on 412 others, in the mean of 40 choices "
    "that your name deals: at most 66. Least squares misses it. A fixed λ between about 0.05 and 3 per sample passes, "
    "too: the mark does not test the choice.",
    hints=(
        "Write a function that learns from some rows, with one lam, and predicts others. Whose mean and scale?",
        "A loop over lam, and in it a loop over the folds. At the end learn once more, from all 30.",
    ),
    data=_patients,
    score=_root_mean_square,
    said=lambda score: f"{score:.1f}",
    mark=66.0,
    splits=40,
    share=0.068,
    doubt=52.0,
    answer=_ridge_by_folds,
)


# --- more to type -----------------------------------------------------------------------------------------------


def _ridge_free_bias(X, y, lam):
    m, n = X.mean(axis=0), y.mean()
    Z = X - m
    w = np.linalg.solve(Z.T @ Z + lam * np.eye(len(m)), Z.T @ (y - n))
    return np.append(w, n - w @ m)


_FIRST_FREE = """A = np.column_stack([X, np.ones(len(X))])
    return np.linalg.solve(A.T @ A + lam * np.diag(np.append(0, 0 * X[0] + 1)), A.T @ y)"""

ridge_free_bias = Exercise(
    stars=0,
    notes="A 1.2, erratum A06",
    ask="Return the w~ = (w, b) of shape (d + 1,), the bias last, that minimizes Σ_i (w·x_i + b - y_i)² + lam ‖w‖²: "
    "the weights are penalized, the bias is not, so that y + c only moves b by c. The loss is a sum without 1/2. X (N, "
    "d) comes without the ones, y (N,), lam > 0 a number.",
    hints=(
        "Set the derivative by b to zero: what does it say about b, the mean of y and the mean of X?",
        "Ridge on X - mean(X) and y - mean(y) gives w, then b = mean(y) - w·mean(x); or lam I ends in a 0.",
    ),
    answer=_ridge_free_bias,
    mistakes=(
        ("m, n", "return _ridge(X, y, lam)\n    m, n", "b is penalized too: the last place of lam I must be 0"),
        ("m, n", f"{_FIRST_FREE}\n    m, n", "you left w_1 free: b is the last, so the last place of lam I is 0"),
        ("w = ", "w = _ridge(X, y, lam)[:-1]\n    v = ", "w is ridge with a penalized b; a free b changes w too"),
        ("m, n", "return regularization.ridge(X, y, lam)\n    m, n", "the bias is missing: append ones or center"),
        ("X - m", "X", "you centered only y for w: center X too"),
        ("X - m", "X\n    y = y + n", "you fitted w without b and added b after; fit both together, or center first"),
        ("Z = X - m", "Z, m = X, 0 * m", "you centered y but not X: center both, then b = mean(y) - w·mean(x)"),
        ("X.mean(axis=0)", "X.mean() + 0 * X[0]", "X.mean() is one number; each column has its own mean(axis=0)"),
        ("n - w @ m", "n", "w is right, but b = mean(y) forgets X: subtract w·mean(x)"),
        ("n - w @ m", "n + w @ m", "w is right, but b has a wrong sign in it: b = mean(y) - w·mean(x), not +"),
        ("lam * np", "len(X) * lam * np", "you took N lam: the squared loss is a sum, not a mean"),
    ),
    cases=lambda rng: table(rng, *_RIDGE),
)


def _sweeps(f, w, X, y, *penalty):
    """Three times over the columns, each new w_j put into w before the next: the new weights in the order they came."""
    path = []
    for j in [*range(len(w))] * 3:
        [new] = f(j, w, X, y, *penalty)
        if new.shape:
            raise Refused(f"it must return the new w_j alone, a number; an array of shape {new.shape} came out")
        w = np.where(np.arange(len(w)) == j, new, w)
        path.append(new)
    return [np.array(path)]


def _run(rng, N, d, part, rho, start, ones=0):
    """Weights of both signs that become 0; with a small lam they do not, and start beyond any threshold with the sign
    that they will not keep."""
    X = rng.normal(size=(N, d)) + 0.5
    X[:, d - ones :] = 1
    signs = np.resize([1.0, -1.0], d) * rng.choice([-1, 1])
    y = X @ (signs * rng.uniform(2, 4, d) * (np.arange(d) != 2)) + rng.normal(size=N)
    lam = part * regularization.smallest_zero_lam(X, y, rho)
    return start * np.linalg.lstsq(X, y)[0], X, y, lam, *([rho] if rho < 1 else [])


def _runs(rng, a, b, c):
    rows = (9, 3, 0.8, a, -1), (14, 5, 0.35, b, 0), (7, 4, 0.02, c, -4), (8, 3, 0, b, -1), (1, 2, 0.3, c, -1)
    return table(rng, _run, "N d lam/lam_max", *rows, the_last_column_ones=(10, 3, 0.1, a, -1, 1))


_COORDINATE = (
    (" + x * w[j]", "", "the own term w_j x_j is still in the residual: r = y - Σ_{k≠j} w_k x_k"),
    ("y - X @ w + x * w[j]", "X @ w - x * w[j] - y", "the residual has the wrong sign: r = y - Σ_{k≠j} w_k x_k"),
    ("max(abs(a) - t, 0)", "abs(a) * (abs(a) > t)", "hard threshold: x_j·r must move towards 0 where it stays, too"),
    ("max(abs(a) - t, 0)", "(abs(a) - t)", "max(..., 0) is missing: below the threshold w_j is 0"),
    ("np.sign(a) * max(abs(a)", "max(a", "the negative side is missing: it is sign(a) max(|a| - t, 0)"),
    ("np.sign(a) * ", "", "the sign of x_j·r is missing: it is sign(a) max(|a| - t, 0)"),
)


def _lasso_coordinate(j, w, X, y, lam):
    x = X[:, j]
    r = y - X @ w + x * w[j]
    a, t = x @ r, lam / 2
    return np.sign(a) * max(abs(a) - t, 0) / (x @ x)


lasso_coordinate = Exercise(
    stars=0,
    notes="A 1.2",
    ask="Return the number w_j that minimizes ‖Xw - y‖² + lam ‖w‖₁, a sum without 1/2, while all other weights stay "
    "as they are. Leave w as it is. j counts from 0; w (d,), X (N, d) the design matrix as given, y (N,), "
    "lam >= 0 a number. Whole runs are judged: 3 sweeps over the columns, each new w_j put into w.",
    hints=(
        "Without the term of x_j the residual is r = y - Σ_{k≠j} w_k x_k. What remains is ‖w_j x_j - r‖² + lam |w_j|.",
        "Divide by 2 x_j·x_j: ½(w_j - a)² + t|w_j| with a = x_j·r/x_j·x_j and t = (lam/2)/x_j·x_j, so w_j = S(a, t).",
    ),
    answer=_lasso_coordinate,
    mistakes=(
        *_COORDINATE,
        ("lam / 2", "lam / 2 * (x @ x)", "divide by x_j·x_j after the threshold, or divide lam/2 too"),
        (" / (x @ x)", "", "you did not divide by x_j·x_j"),
        (" / (x @ x)", " / (x @ x) * 2", "that is twice the w_j: S(2x_j·r, lam) belongs over 2 x_j·x_j"),
        ("return ", "return a / (x @ x + lam)\n    ", "that is the w_j of ridge; |w_j| takes a threshold"),
    ),
    cases=lambda rng: _runs(rng, 1, 1, 1),
    play=_sweeps,
)


def _decided(rng, N, d, scale, sign, place):
    """The x_j·y that is largest in size has this sign and this place j, the others have the other sign."""
    X, y = regression(rng, N, d)
    c = X.T @ y
    X = (X * np.sign(c))[:, np.argsort(-np.abs(c))] * np.where(np.arange(d) == 0, sign, -sign)
    return scale * np.roll(X, place, axis=1), y


def _smallest_zero_lam(X, y):
    return 2 * np.max(np.abs(X.T @ y))


lasso_lambda_max = Exercise(
    stars=0,
    notes="A 1.2",
    ask="Return the smallest lam for which w = 0 minimizes ‖Xw - y‖² + lam ‖w‖₁, a sum without 1/2: the lasso's path "
    "starts there. X (N, d) is the design matrix as given, every column penalized, nothing centered; y (N,).",
    hints=(
        "At w = 0 the penalty's slope by w_j is anything between -lam and lam. What is the slope of ‖Xw - y‖² there?",
        "w = 0 is the minimum where |2x_j·y| <= lam for all j.",
    ),
    answer=_smallest_zero_lam,
    mistakes=(
        ("2 * np.max(np.abs(X.T @ y))", "np.argmax(np.abs(X.T @ y))", "np.argmax gives the place, not the value"),
        ("np.abs(X.T @ y)", "X.T @ y", "the absolute value is missing: a large negative x_j·y moves w_j too"),
        ("np.max(np.abs(X.T @ y))", "np.linalg.norm(X.T @ y)", "that is the 2-norm of 2Xᵀy; take the largest entry"),
        ("np.max", "np.sum", "that is the sum of the |2x_j·y|; the largest decides"),
        ("np.max", "np.min", "that is the smallest |2x_j·y|; all must be <= lam, so the largest decides"),
        ("X.T @ y", "(X - X.mean(axis=0)).T @ y", "you centered X or y; here they are taken as given"),
        ("X.T @ y", "np.append(X.T @ y, y.sum())", "X is the design matrix as given; you added a column of ones"),
        ("X.T @ y", "X.T @ y / (X * X).sum(axis=0)", "you divided by x_j·x_j; the slope at w = 0 is -2x_j·y"),
    ),
    cases=lambda rng: [
        *table(rng, _decided, "N d", (9, 3, 1, -1, 1), (7, 2, 0.1, -1, 0), (12, 4, 1, 1, 2), (8, 5, 1, -1, 4)),
        Case("ones decide", (np.vander(0.3 * rng.normal(size=10), 3), rng.normal(size=10) + 2), {"N": 10}),
    ],
    factors={"1/2": "the slope of ‖Xw - y‖² at w = 0 is -2Xᵀy", "1/N": "the squared loss is a sum, not a mean"},
)


def _elastic_net_coordinate(j, w, X, y, lam, rho):
    x = X[:, j]
    r = y - X @ w + x * w[j]
    a, t, c = x @ r, lam * rho / 2, lam * (1 - rho) / 2
    return np.sign(a) * max(abs(a) - t, 0) / (x @ x + c)


elastic_net_coordinate = Exercise(
    stars=0,
    notes="A 1.2, erratum A07",
    ask="Return the number w_j that minimizes ‖Xw - y‖² + lam rho ‖w‖₁ + lam (1 - rho)/2 ‖w‖², as note A writes it, "
    "while all other weights stay as they are. Leave w as it is. j counts from 0; w (d,), X (N, d) as given, "
    "y (N,), lam >= 0, 0 < rho < 1. Whole runs are judged: 3 sweeps, each new w_j put into w.",
    hints=(
        "As for the lasso, with r = y - Σ_{k≠j} w_k x_k. The L2 part is a square of w_j: to which term does it add?",
        "The slope is 2(x_j·x_j w_j - x_j·r) + lam rho sign(w_j) + lam (1 - rho) w_j; divide by 2 and collect w_j.",
    ),
    answer=_elastic_net_coordinate,
    mistakes=(
        *_COORDINATE,
        ("rho / 2, lam * (1 - rho)", "(1 - rho) / 2, lam * rho", "rho and 1 - rho are swapped: rho is the share of L1"),
        ("lam * rho / 2", "lam * rho", "the threshold is lam rho/2, not lam rho: ‖Xw - y‖² stands without 1/2"),
        ("lam * rho / 2", "lam / 2", "rho is missing in the threshold lam rho/2"),
        ("(1 - rho) / 2", "(1 - rho)", "the 1/2 of the L2 part is missing: divide by x_j·x_j + lam (1 - rho)/2"),
        ("lam * (1 - rho) / 2", "lam / 2", "1 - rho is missing in the denominator x_j·x_j + lam (1 - rho)/2"),
        (" + c", "", "the L2 part is missing in the denominator: that is the lasso's step with lam rho"),
        ("x @ x + c", "1 + c", "you put 1 in place of x_j·x_j: right only for columns of length 1"),
    ),
    cases=lambda rng: _runs(rng, 0.7, 0.3, 0.5),
    play=_sweeps,
)


def _square(f, *args):
    """‖Aw - c‖² = w·AᵀAw - 2w·Aᵀc + c·c: all that it says of (A, c), whatever the rows and their order."""
    A, c = f(*args)
    if A.ndim != 2 or c.ndim != 1:
        raise Refused(f"A must be a matrix and c a vector; they are of shape {A.shape} and {c.shape}")
    if len(A) != len(c):
        raise Refused(f"A has {len(A)} rows but c has {len(c)} entries: every row needs its target")
    return [A.T @ A, A.T @ c, c @ c]


def _ridge_rows(X, y, lam):
    d = X.shape[1]
    return np.vstack([X, np.sqrt(lam) * np.eye(d)]), np.append(y, np.zeros(d))


ridge_as_least_squares = Exercise(
    stars=0,
    notes="A 1.2",
    ask="Ridge is least squares on more rows: return (A, c), A with d columns and c with one entry per row of A, so "
    "that ‖Aw - c‖² = ‖Xw - y‖² + lam ‖w‖² for every w (d,). The order of the rows is free. X (N, d) is the design "
    "matrix as given: add no column; every w_j is penalized. y (N,), lam > 0 a number.",
    hints=(
        "The penalty is Σ_j lam w_j². Write one term as (a·w - c)²: which row a, which target c?",
        "There are d more rows: below X stands √lam I, below y stand d zeros.",
    ),
    answer=_ridge_rows,
    returns=("A", "c"),
    mistakes=(
        ("np.zeros(d)", "np.ones(d)", "the new targets are ones: they draw the weights to 1/√lam; take zeros"),
        ("y, np.zeros(d)", "np.zeros(d), y", "the zeros belong to the new rows: rows and targets have one order"),
        ("d = ", "return np.hstack([X, lam**0.5 * np.eye(len(X))]), y\n    d = ", "you appended columns, not rows"),
        ("d = ", "return X.T @ X + lam * np.eye(len(X.T)), X.T @ y\n    d = ", "that is (XᵀX + lam I, Xᵀy)"),
        ("d = ", "return np.vstack([X, lam**0.5 + 0 * X[0]]), np.r_[y, 0]\n    d = ", "each weight needs its own row"),
        ("np.eye(d)", "np.ones((d, d))", "all entries below X are √lam; √lam I has them on the diagonal only"),
        ("d = ", "X = np.c_[X, 0 * y + 1]\n    d = ", "X is the design matrix as given; you added a column of ones"),
    ),
    cases=lambda rng: [
        *table(rng, _penalized, "N d lam", (7, 3, 4), (9, 2, 0.05), (4, 6, 40)),
        Case("a last column of ones", (np.vander(rng.normal(size=8), 3), rng.normal(size=8), 4.0), {"N": 8}),
    ],
    play=_square,
    judged=("AᵀA", "Aᵀc", "c·c"),
)

before = {
    "ch02-slopes": Question(
        lambda: [0.08, 4],
        {
            "the slope of λ|w| is λ, however near to 0 you are": lambda: [0.08, 0.04],
            "the derivative of w² is 2w": lambda: [0.04, 4],
            "those are the penalties themselves; how steep are they there?": lambda: [0.0004, 0.04],
        },
    ),
    "ch02-determinant": Question(
        lambda: 3,
        {
            "that is without λ": lambda: 0,
            "add λ to both entries of the diagonal": lambda: 1,
            "the product of the other two entries is subtracted": lambda: 4,
        },
    ),
    "ch02-split": Question(
        lambda: [3, 3],
        {
            "then the sum of the squares is 36; can it be less?": lambda: [6, 0],
            "their sum must be 6": lambda: [0, 0],
        },
    ),
    "ch02-infinite": Question(
        lambda: [30, 30, 30],
        {
            "the bias is free, so it does not go to 0": lambda: [0, 0, 0],
            "a line through all three needs a weight": lambda: [10, 20, 60],
            "the best constant for the squared loss is not the median": lambda: [20, 20, 20],
        },
    ),
    "ch02-kink": Question(
        lambda: [2, -2, 0],
        {
            "towards 0: for a = -3 the weight grows": lambda: [2, -4, 0],
            "on the positive side w = a - t is right only where it is positive": lambda: [2, -2, -0.6],
            "what is subtracted is t, and not a part of a": lambda: [1.5, -1.5, 0.2],
            "the weights that are not 0 move, too": lambda: [3, -3, 0],
            "those minimize the square alone: t|w| pulls, too": lambda: [3, -3, 0.4],
        },
    ),
    "ch02-largest": Question(
        lambda: 10,
        {
            "the second one is larger in size": lambda: 6,
            "the squared loss has the slope -2 x_j·y at 0": lambda: 5,
            "each column has a kink of its own: they need not be held together": lambda: 16,
        },
    ),
    "ch02-half": Question(
        lambda: 1,
        {
            "the term has a 1/2": lambda: 2,
            "the 1/2 is in the elastic net, not in ridge": lambda: 4,
            "that is the factor alone; the term has the λ of the net, too": lambda: 1 / 2,
        },
    ),
    "ch02-overfitting": Question(lambda: 0, {"that would hold w at 0; which λ lets it fit best?": lambda: 300}),
    "ch02-belief": Question(
        lambda: 9 / 4,
        {
            "more noise must give more penalty: which of the two is on top?": lambda: 4 / 9,
            "those are standard deviations; the formula has variances": lambda: 3 / 2,
        },
    ),
}

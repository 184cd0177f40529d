"""Exercises of chapter 01, linear regression (notes A 1.1-1.3, D 1). E is a sum of squares, and the bias comes last."""

import numpy as np

from linmodels import datasets, design, linear_regression, optimize

from .grading.before import Question
from .grading.by_hand import ByHand
from .grading.cases import regression, table
from .grading.checker import Case, Construction, Exercise, Requirement, run
from .grading.derive import Derivation
from .grading.kinds import Loop, Mutants, Project
from .grading.prove import Decoy, Line, Proof

chapter = "01"

_NEARLY = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 1e-3]])  # the last column is nearly the first
_REPEATED, _SIZES = [0, 1, 2, 3, 0], [2, 1, 1.5, 5e-4, 2]
_BOUND = "the bound is 2 divided by 2λ_max, the largest eigenvalue of the Hessian 2XᵀX"
_PLUS = "w is right, but b has a wrong sign in it: b = mean(y) - w·mean(x), not +"
_APART = "you fitted w without b and added b after; fit both together, or w on centered data"
_ONLY_Y = "you centered y but not X: center both, then b = mean(y) - w·mean(x)"
_NOT_SHORTEST = "that minimizes the loss, but is not the shortest: you set w_j = 0 in dependent columns"
_ONES_AND_NONE = "you added a column of ones and dropped its weight: the model has no bias here"


def _augment(X):
    return np.column_stack([X, np.ones(len(X))])


add_bias = Exercise(
    stars=0,
    notes="A 1.2",
    ask="From X (N, d), a sample per row, make X~ (N, d + 1): every row x becomes x~ = (x, 1), the 1 last, whatever X "
    "holds. Return a new array and leave X as it is.",
    hints=(
        "A column has one entry per sample: how many ones, and in which shape?",
        "np.column_stack([X, ones]) puts vectors beside X as columns; np.ones(len(X)) has one entry per sample.",
    ),
    answer=_augment,
    mistakes=(
        ("X, np.ones(len(X))", "np.ones(len(X)), X", "you put the ones first, as note C does; here they come last"),
        ("return", "return np.vstack([X, X[:1] * 0 + 1])\n    return", "you appended a row of ones, not a column"),
        ("return np", "return np.append(X, 1)\n    np", "np.append(X, 1) makes one long vector with only one 1 in it"),
        ("return np.column_stack([X, np", "return np.append(X, [np", "np.append without axis=1 makes one long vector"),
        ("np.ones(len(X))", "np.zeros(len(X))", "the new column holds zeros: then b would be multiplied by 0"),
        ("X, np.ones(len(X))", "X", "it returns X as it was: the column of ones is missing"),
        ("X, np.ones(len(X))", "X + 1", "you added 1 to every entry; the 1 is a new column beside X"),
    ),
    cases=lambda rng: [
        Case("ordinary data", (rng.normal(size=(5, 3)),)),
        Case("one sample", (rng.normal(size=(1, 4)),)),
        Case("an array of integers", (rng.integers(2, 9, (4, 2)),)),
        Case("a last column that holds ones already", (_augment(rng.normal(size=(7, 2))),)),
    ],
)


gradient_of_squares = Derivation(
    stars=2,
    notes="A 1.2, D 1",
    ask="How does the loss change with w? Derive the gradient of the sum of squares, line by line and one rule a line, "
    "until no d is left. d(e, w) is the derivative of e with respect to w; of a vector e it has a row for each entry.",
    hints=(
        "First write the sum of squares as an inner product of a vector with itself.",
        "The product rule gives two equal terms, so u @ u leaves 2*d(u, w).T @ u. Keep the d for the next line.",
        "y does not hold w, and X@w is linear in w: d(X@w, w) is X. Mind the minus.",
    ),
    start="d(sum((y - X@w)**2), w)",
    letters={"X": "N d", "w": "d", "y": "N"},
    free_of=("d",),
    lines=(
        "d((y - X@w) @ (y - X@w), w)",
        "2*d(y - X@w, w).T @ (y - X@w)",
        "-2*X.T @ (y - X@w)",
        "2*X.T @ (X@w - y)",
    ),
    slips=(
        (3, "2*X.T @ (y - X@w)", "the sign"),
        (3, "-X.T @ (y - X@w)", "the factor 2"),
        (1, "2*X.T @ (X@w - y)", "take one at a time"),
    ),
)


def _gradient(w, X, y):
    return 2 * (X.T @ (X @ w - y))


squared_error_gradient = Exercise(
    stars=0,
    notes="A 1.2, D 1",
    ask="Return the gradient (d,) of the loss E(w) = ‖Xw - y‖², a sum over the samples, not a mean, and without 1/2. "
    "X (N, d) is the design matrix as given: add no column; w (d,), y (N,).",
    hints=(
        "Differentiate one term (w·x_i - y_i)² by w: the chain rule gives a factor, the residual and x_i.",
        "∇E = 2 Σ_i (w·x_i - y_i) x_i: which product of X and the residuals Xw - y is this sum?",
    ),
    answer=_gradient,
    mistakes=(
        ("2 * (X.T @ (X @ w - y))", "2 * X.T @ X @ w - X.T @ y", "the factor 2 is missing before Xᵀy"),
        ("X @ w - y", "X @ w + y", "you added the targets; the residuals are Xw - y"),
        ("X @ w - y", "(X @ w - y) ** 2", "the residuals are still squared: the derivative of r² is 2r"),
        ("X.T @ (X @ w - y)", "X @ w - y", "Xᵀ is missing: each residual multiplies its own sample x_i"),
        ("X.T @ (X @ w - y)", "(X @ w - y).sum()", "you only summed the residuals; each multiplies its x_i first"),
        ("X.T @ (X @ w - y)", "X.T @ X", "that is the Hessian 2XᵀX; the gradient is a vector (d,)"),
        ("2 * (X.T @", "sum((X @ w - y) ** 2)  # ((", "that is the loss itself; its gradient has one entry per weight"),
    ),
    cases=lambda rng: [
        *table(rng, lambda rng, N, d: (rng.normal(size=d), *regression(rng, N, d)), "N d", (7, 3), (9, 1), (4, 6)),
        Case("w of whole numbers", (np.array([2, -1]), *regression(rng, 5, 2)), {"N": 5}),
    ],
    factors={"1/2": "the factor 2 of the square is missing", "1/N": "the loss is a sum, not a mean"},
)


def _three_points(x, y):
    w, b = np.linalg.solve([[x @ x, x.sum()], [x.sum(), 3]], [x @ y, y.sum()])
    return w, b, np.sum((w * x + b - y) ** 2)


def _points_of_a_reader(rng):
    x = np.array([0, rng.integers(1, 4), rng.integers(5, 8)])
    return [Case("your points", (x, rng.permutation(np.arange(1, 10))[:3]))]


three_points = ByHand(
    stars=1,
    notes="A 1.2, D 1",
    ask="The normal equations, with a pencil. For the line w x + b through your three points (x, y) write down XᵀX and "
    "Xᵀy, and solve the two equations. Give w, b, and the smallest loss E = Σ_i (w x_i + b - y_i)², each to three "
    "digits. The numbers are your own: check.me('your name') deals them.",
    hints=(
        "The rows of X are (x_i, 1). Which sums stand in XᵀX, and which in Xᵀy?",
        "The equations are Σx² w + Σx b = Σxy and Σx w + 3b = Σy. Take b from the second one.",
    ),
    returns=("w", "b", "E"),
    answer=_three_points,
    one_by_one=True,
    mistakes=(
        ("3]]", "1]]", "w: the last entry of XᵀX is 1·1 + 1·1 + 1·1, the number of points"),
        ("w, b = np", "w, b = x @ y / (x @ x), 0.0\n    _ = np", "w: that is the best line through the origin"),
        ("w, b = np", "w, b = (y[2] - y[0]) / x[2], y[0]\n    _ = np", "w: that line goes through two of the points"),
        ("[x @ y, y.sum()]", "[x @ y, y.mean()]", "w: the last entry of Xᵀy is the sum of the y, not their mean"),
        ("return w, b", "return w, -b", "b: draw the line; where it meets the axis x = 0, it has the height b"),
        ("return w, b", "return w, y.mean()", "b: that is the mean of y; the line has this height at the mean of x"),
        (
            "return w, b",
            "return w, y.mean() + w * x.mean()",
            "b: at mean(x) the line has the height mean(y); go back from there to x = 0",
        ),
        ("return w, b", "return w, y.sum() - w * x.sum()", "b: that is 3b: divide by the number of points"),
        (
            "np.sum((w * x + b - y) ** 2)",
            "np.linalg.norm(w * x + b - y)",
            "E: that is the root of the sum: take no root",
        ),
        ("np.sum", "np.mean", "E: that is the mean of the squares; E is their sum"),
        (" ** 2)", ")", "E: those are the residuals, not yet squared: their sum is always 0"),
        ("np.sum((w * x + b - y) ** 2)", "np.sum(abs(w * x + b - y))", "E: you added sizes; square each residual"),
        ("np.sum((w * x + b - y) ** 2)", "np.sum((w * x - y) ** 2)", "E: the bias is missing in the predictions"),
        ("+ b - y) ** 2", "+ b) ** 2", "E: those are the squared predictions: subtract the y first"),
    ),
    cases=_points_of_a_reader,
)


def _slope_and_bias(x, y):
    u = x - x.mean()
    w = u @ (y - y.mean()) / (u @ u)
    return w, y.mean() - w * x.mean()


def _three_hidden():
    return np.array([2.0, 0.0, 1.0, 5.0]), np.array([1.0, -3.0, -2.0, 4.0])


hide_three_faults = Mutants(
    stars=2,
    notes="A 1.2, D 1",
    ask="With u = x - mean(x) the best line has w = p/q with p = u·(y - mean(y)) and q = u·u, and b = mean(y) - w "
    "mean(x). Six programs differ in one place each: (1) q = x·x, (2) p = x·(y - mean(y)), (3) p = x·y, (4) b = "
    "mean(y), (5) u = x - x[0], (6) medians in b. Of 2, 3 and 5 one is always right; two are wrong, but not on all "
    "data. Return data (x, y), 3 to 9 points, on which 1, 4 and 6 give another line, and 2, 3 and 5 the right one: "
    "three are to be seen, two hidden, one is right.",
    hints=(
        "What is the sum of all u, and of all y - mean(y)? So which of the programs 2, 3 and 5 is always right?",
        "x·y = u·y + mean(x) Σ y_i. For which y is the last term 0? And for which x is x - x[0] the same as u?",
    ),
    returns=("x", "y"),
    program=_slope_and_bias,
    faults=(
        ("/ (u @ u)", "/ (x @ x)", "program 1 divides by x·x"),
        ("return w, y.mean() - w * x.mean()", "return w, y.mean()", "program 4 forgets mean(x) in b"),
        (
            "return w, y.mean() - w * x.mean()",
            "return w, np.median(y) - w * np.median(x)",
            "program 6 takes medians",
        ),
    ),
    spared=(
        ("u @ (y - y.mean())", "x @ (y - y.mean())", "program 2 has x for u"),
        ("u @ (y - y.mean())", "x @ y", "program 3 has x·y"),
        ("x - x.mean()\n", "x - x[0]\n", "program 5 measures x from the first point"),
    ),
    requirements=(
        Requirement(
            "x and y must be of the same shape (N,), with N from 3 to 9",
            lambda x, y: np.ndim(x) == 1 and 3 <= len(x) <= 9 and np.shape(x) == np.shape(y),
            (np.arange(2.0), np.arange(2.0)),
        ),
        Requirement(
            "all x are equal: no line is the only best one",
            lambda x, y: np.ptp(x) > 0,
            (np.ones(3), np.arange(3.0)),
        ),
    ),
    example=_three_hidden,
)


def _dependent(rng):
    """X (5, 3) of small whole numbers whose last column is made of the other two, and y."""
    while True:
        A = rng.integers(-3, 4, (5, 2)).astype(float)
        p, q = rng.choice([-3, -2, 2, 3], 2)
        y = rng.integers(-5, 6, 5).astype(float)
        if np.linalg.matrix_rank(A) == 2 and np.linalg.norm(A.T @ y) > 3:
            return np.column_stack([A, p * A[:, 0] + q * A[:, 1]]), y


def _excess(w, X, y):
    """How far the loss of w is above the smallest one."""
    return linear_regression.loss(w, X, y) - linear_regression.loss(linear_regression.minimum_norm(X, y), X, y)


def _not_best(name, k):
    def told(*made):
        w, (X, y) = made[k], made[-2:]
        return f"the loss of {name} is {linear_regression.loss(w, X, y):.4g}, and a smaller one is possible"

    return told


def _two_best(X, y):
    w, z = linear_regression.minimum_norm(X, y), linear_regression.null_space(X)[:, 0]
    return w, w + z, 2 * z


two_best = Construction(
    stars=2,
    notes="A 1.2, errata A05, A10",
    ask="Two different weights, one loss. Your X (5, 3) has dependent columns; take it as it is, without a column of "
    "ones. Return (w, v, x): two different w and v, each with the smallest possible loss ‖Xw - y‖², and a new sample x "
    "(3,) for which they predict different numbers, at least 1 apart. The data are your own: check.me('your name') "
    "deals them, and the function gets them.",
    hints=(
        "How do you make the last column of X from the other two? That gives a z with Xz = 0.",
        "Leave out the last column to find one best w. The other one is w + z. Which x does z notice?",
    ),
    returns=("w", "v", "x"),
    own=_dependent,
    requirements=(
        Requirement(
            "w, v and x must be of shape (3,)",
            lambda w, v, x, X, y: np.shape(w) == np.shape(v) == np.shape(x) == (3,),
            ([0.0, 1.0], [1.0, 0.0], [1.0, 1.0]),
        ),
        Requirement(
            _not_best("w", 0),
            lambda w, v, x, X, y: _excess(w, X, y) < 1e-3,
            lambda X, y: (np.zeros(3), _two_best(X, y)[1], np.ones(3)),
        ),
        Requirement(
            _not_best("v", 1),
            lambda w, v, x, X, y: _excess(v, X, y) < 1e-3,
            lambda X, y: (_two_best(X, y)[0], np.zeros(3), np.ones(3)),
        ),
        Requirement(
            "both are best, but w and v are the same, or nearly so",
            lambda w, v, x, X, y: np.max(np.abs(w - v)) > 0.01,
            lambda X, y: (_two_best(X, y)[0], _two_best(X, y)[0], np.ones(3)),
        ),
        Requirement(
            lambda w, v, x, X, y: (
                f"w and v are best; at x they predict {w @ x:.4g} and {v @ x:.4g}: they must be at least 1 apart"
            ),
            lambda w, v, x, X, y: abs((w - v) @ x) >= 1 - 1e-6,  # a difference of 1 may have lost a digit
            lambda X, y: (*_two_best(X, y)[:2], X[0]),
        ),
    ),
    example=_two_best,
)


def _trees():
    trees = datasets.trees()
    return trees.X, trees.y


def _off(predictions, y):
    return float(np.sqrt(np.mean((predictions - y) ** 2)))


def _cubic_feet(X, y, X_new):
    trunk, new = (design.augment(A[:, :1] ** 2 * A[:, 1:]) for A in (X, X_new))
    return new @ linear_regression.least_squares(trunk, y)


cubic_feet = Project(
    stars=3,
    notes="A 1.1, A 1.2",
    ask="How much wood is in a tree? X holds the diameter in inches and the height in feet of black cherry trees, y "
    "their volume in cubic feet. Write a function of X, y and X_new that predicts the volume for each row of X_new: a "
    "linear model, with this chapter's functions and NumPy. It is judged on 40 splits of the 31 trees into halves, by "
    "the root of the mean squared error: at most 2.95. A model linear in the two features gets 4.5.",
    hints=(
        "The model must be linear in w; it need not be linear in the features: make new columns of the old ones.",
        "A tree twice as thick, and as tall as before, has how many times the wood? And one that is twice as tall?",
        "Few columns are better than many here: compare on a part of X that you keep aside.",
    ),
    data=_trees,
    score=_off,
    said=lambda score: f"{score:.2f} cubic feet",
    mark=2.95,
    splits=40,
    doubt=1.5,
    answer=_cubic_feet,
)


def _two_steps(x, y, eta):
    slope = lambda w: 2 * x @ (w * x - y)  # noqa: E731
    first = 0 - eta * slope(0)
    return first, first - eta * slope(first)


def _steps_of_a_reader(rng):
    x, y = rng.permutation([1, 1, 2, 2, 3])[:3], rng.integers(2, 10, 3)
    return [Case("your samples", (x, y, float(rng.choice([0.01, 0.02]))))]


descent_by_hand = ByHand(
    stars=1,
    notes="A 1.2, D 1",
    ask="With a pencil: two steps of gradient descent. You have three samples (x, y). The model is w·x with one weight "
    "and no bias, the loss is E(w) = Σ_i (w x_i - y_i)². Start at w = 0 and use your eta. Give w after the first and "
    "after the second step, to three digits. The numbers are your own: check.me('your name') deals them.",
    hints=(
        "What is E'(w)? It needs only two sums, Σ x_i² and Σ x_i y_i.",
        "For Σ x² = 6 and Σ xy = 10 it would be E'(w) = 2(6w - 10). A step is -eta E'(w), at the w of now.",
    ),
    returns=("w after one step", "w after two steps"),
    answer=_two_steps,
    mistakes=(
        ("lambda w: 2", "lambda w: -2", "you went uphill: a step goes against the derivative"),
        ("2 * x @ (", "x @ (", "that is Σ x_i (w x_i - y_i) for E': E is a sum of squares"),
        ("2 * x @ (", "2 / 3 * x @ (", "you took the mean over the three samples: E is their sum"),
        ("2 * x @ (", "2 * sum(", "each residual is multiplied by its x_i first"),
        ("first - eta * slope(first)", "2 * first", "take the derivative for the second step at the new w"),
        ("first - eta * slope(first)", "-eta * slope(first)", "the second step starts where the first one ended"),
        ("return first", "return slope(0), slope(first)\n    return first", "those are the derivatives, not w"),
    ),
    cases=_steps_of_a_reader,
)


def _walk_down(X, y, eta, tol, max_steps):
    path, end = [np.zeros(X.shape[1])], 0
    for _ in range(max_steps):
        r = X @ path[-1] - y
        if np.max(np.abs(2 * X.T @ r)) <= tol:
            end = 1
            break
        if r @ r > y @ y:
            end = -1
            break
        path.append(path[-1] - eta * 2 * X.T @ r)
    return np.array(path), end


def _walks(rng):
    def one(label, N, d, share, steps, max_steps):
        """tol is met after these steps, if any; the largest entry of the gradient is negative there."""
        X, y = regression(rng, N, d)
        eta = share * linear_regression.largest_step(X)
        w = optimize.trajectory(linear_regression.gradient_iterates(X, y, eta=eta), steps)[-1]
        last = linear_regression.gradient(w, X, y)
        y = y if -last.min() > last.max() else -y
        return Case(label, (X, y, eta, 1.001 * np.abs(last).max() if steps else 1e-9, max_steps), {"N": float(N)})

    return [
        one("it comes to rest", 9, 3, 0.4, 12, 30),
        one("one weight", 6, 1, 0.2, 7, 30),
        one("max_steps are done", 11, 4, 0.3, 0, 7),
        one("the last step would come to rest", 8, 2, 0.4, 5, 5),
        one("one step, and too long", 7, 2, 1.4, 0, 1),
        one("too long a step", 8, 2, 1.4, 0, 40),
        one("too long a step, and few of them", 7, 3, 1.1, 0, 4),
        Case(
            "E falls first, and then it grows",
            (np.diag([3.0, 1]), rng.uniform([0.8, 4], [1.2, 6]), 0.1145, 1e-9, 40),
            {"N": 2.0},
        ),
        Case("the gradient is 0 at the start", (np.ones((4, 1)), np.array([1.0, -1, 2, -2]), 0.1, 0.1, 9), {"N": 4.0}),
        Case("y is a linear function", (np.eye(2), np.array([2.0, -1]), 0.25, 0.1, 30), {"N": 2.0}),
        Case("no step is to be made", (np.ones((4, 1)), np.array([1.0, -1, 2, -2]), 0.1, 0.1, 0), {"N": 4.0}),
    ]


_REST = "np.max(np.abs(2 * X.T @ r)) <= tol"
_STEP = "path[-1] - eta * 2 * X.T @ r"
_HIGHER = "r @ r > y @ y"
walk_down = Loop(
    stars=2,
    notes="A 1.2, D 1",
    ask="Write the whole walk, with its three ends. From w = 0, step by step against the gradient of E(w) = ‖Xw - y‖², "
    "times eta. Before each step look at the w of now: if no entry of the gradient exceeds tol in size, end = 1; "
    "else, if E is larger than at w = 0, end = -1; both stop the walk. After max_steps steps do not look again: end "
    "= 0. Return (path, end): path has a row for each w, the start and all later ones. X (N, d) is as given, y (N,).",
    hints=(
        "One loop. In it: the residuals at the last row of the path, two tests, one step. E at w = 0 is y·y.",
        "Write down by hand what path and end are if max_steps is 0, and if the gradient is 0 at the start.",
    ),
    answer=_walk_down,
    returns=("path", "end"),
    path="path",
    mistakes=(
        (_STEP, "path[-1] + eta * 2 * X.T @ r", "the sign of the step is reversed: E grows"),
        (_STEP, "-eta * 2 * X.T @ r", "the old w is lost: the step is added to it"),
        (_STEP, "path[-1] - eta * X.T @ r", "the factor 2 is missing in the step: E has no 1/2"),
        (_STEP, "path[-1] - 2 * X.T @ r", "eta is missing in the step"),
        (_STEP, "path[-1] - eta * 2 / len(X) * X.T @ r", "the gradient is divided by N; E is a sum here, not a mean"),
        ("np.zeros(X", "np.ones(X", "start from w = 0"),
        (_REST, "np.linalg.norm(2 * X.T @ r) <= tol", "you test the length of the gradient; test its largest entry"),
        (_REST, "np.max(2 * X.T @ r) <= tol", "an entry of the gradient may be large and negative: take np.abs"),
        (_REST, "np.max(np.abs(X.T @ r)) <= tol", "the factor 2 is missing in the test of the gradient"),
        (_REST, "abs(np.sum(2 * X.T @ r)) <= tol", "the entries of a sum can cancel: test the largest one"),
        (_REST, "np.max(np.abs(eta * 2 * X.T @ r)) <= tol", "you test the step; test the gradient, without eta"),
        (_REST, "False", "it never ends with 1: where is the test of the gradient?"),
        (_REST, "r @ r <= tol", "you test the loss: the smallest loss is not 0; test the gradient"),
        (_HIGHER, "False", "it never ends with -1: compare E with that of w = 0"),
        (
            _HIGHER,
            "len(path) > 1 and r @ r > np.sum((X @ path[-2] - y) ** 2)",
            "compare E with that of w = 0, not with the last one",
        ),
        ("range(max_steps)", "range(max_steps + 1)", "where max_steps end the walk, you make one step too many"),
        ("range(max_steps)", "range(max_steps - 1)", "where max_steps end the walk, you make one step too few"),
        (
            "np.array(path), end",
            "np.array(path[1:]) if path[1:] else np.zeros((0, X.shape[1])), end",
            "the first row is missing: the start, w = 0",
        ),
        ("np.array(path), end", "np.array(path[-1:]), end", "path holds the last w only; append one in each step"),
    ),
    cases=_walks,
)


slope_along_a_step = Derivation(
    stars=2,
    notes="A 1.2, D 1",
    ask="How long is the best step? From w go eta times against the gradient g = 2*X.T@(X@w - y). How does the loss "
    "change with eta? Derive its derivative, one rule a line, until no d, no w and no y is left: only eta, g and X. "
    "d(e, eta) is the derivative of e with respect to eta; g does not change with eta.",
    hints=(
        "An inner product u @ u has the derivative 2*d(u, eta) @ u. Keep that d for the next line.",
        "X@(w - eta*g) - y is linear in eta: which vector does eta multiply?",
        "Open the bracket. Where does g @ X.T @ (X@w - y) stand, and what is it by the definition of g?",
    ),
    start="d((X@(w - eta*g) - y) @ (X@(w - eta*g) - y), eta)",
    letters={"X": "N d", "w": "d", "g": "d", "y": "N", "eta": "number"},
    bound=lambda at: {**at, "g": 2 * at["X"].T @ (at["X"] @ at["w"] - at["y"])},
    bound_as="g = 2*X.T@(X@w - y)",
    free_of=("d", "w", "y"),
    lines=(
        "2*d(X@(w - eta*g) - y, eta) @ (X@(w - eta*g) - y)",
        "-2*(X@g) @ (X@(w - eta*g) - y)",
        "2*eta*(X@g) @ (X@g) - 2*(X@g) @ (X@w - y)",
        "2*eta*(X@g) @ (X@g) - g @ g",
    ),
    slips=(
        (2, "2*(X@g) @ (X@(w - eta*g) - y)", "the sign"),
        (2, "-(X@g) @ (X@(w - eta*g) - y)", "the factor 2"),
        (4, "2*eta*(X@g) @ (X@g) - 2*(g @ g)", "does not follow"),
    ),
)


_CARS = np.array([13.67, 50.11])  # the eigenvalues of the cars, in the units of the chapter


def _half_a_factor():
    end = abs(1 - 2 * 0.03 * _CARS[1])
    return (
        f"for λ = {_CARS[1]} and η = 0.03 that number is {1 - 0.03 * _CARS[1]:.2f}, "
        f"but one step makes {end:.2f} times as much of the error"
    )


def _one_is_enough():
    a, b = 1 - 2 * 0.03 * _CARS
    return (
        f"with η = 0.03 and the λ of the cars the factors are {a:.2f} and {b:.2f}: one part goes to 0, the other grows"
    )


def _wrong_way():
    return "with one sample x = 1, y = 0 and w = 1, w* = 0: a step of η = 0.1 makes e = 0.8, and this line says 1.2"


def _one_factor_for_all():
    a, b = 1 - 2 * 0.005 * _CARS
    return f"with η = 0.005 the part of e along the flat axis is multiplied by {a:.3f}, and not by {b:.3f}"


bound_of_the_step = Proof(
    stars=3,
    notes="A 1.2, D 1",
    ask="Prove the bound: w ← w - η·2Xᵀ(Xw - y), η > 0, converges to w* from every start exactly if η < 1/λ_max(XᵀX). "
    "The columns of X are independent, and e = w - w*. Give the letters of the eleven lines that prove it. Each stands "
    "below what it uses; any such order is right. Four lines do not belong. After three wrong tries the letters are "
    "dealt anew.",
    hints=(
        "Begin with a step, and subtract w* on both sides. What do the normal equations say of Xᵀy?",
        "Split e along the eigenvectors. What does a step do to one part, and what do k steps do?",
        "Powers go to 0 exactly if the number lies between -1 and 1: these are two inequalities, for every j.",
    ),
    lines={
        "step": Line("e_new = e - 2η(XᵀXw - Xᵀy)", "what a step does to e"),
        "normal": Line("Xᵀy = XᵀXw*", "the normal equations"),
        "error": Line("e_new = e - 2ηXᵀXe", "that e_new depends on e alone", ("step", "normal")),
        "parts": Line(
            "e = Σ_j a_j v_j with orthogonal unit vectors v_j and XᵀXv_j = λ_j v_j, as XᵀX is symmetric",
            "the parts of e",
        ),
        "positive": Line(
            "λ_j = ‖Xv_j‖² > 0 for every j, as the columns are independent", "the sign of λ_j", ("parts",)
        ),
        "times": Line("a step multiplies a_j by 1 - 2ηλ_j", "what a step does to a part", ("error", "parts")),
        "powers": Line("k steps multiply a_j by (1 - 2ηλ_j)^k", "what k steps do to a part", ("times",)),
        "limit": Line(
            "e goes to 0 from every start exactly if -1 < 1 - 2ηλ_j < 1 for every j", "when powers go to 0", ("powers",)
        ),
        "right": Line("1 - 2ηλ_j < 1 holds for every η > 0", "the right inequality", ("positive",)),
        "left": Line("-1 < 1 - 2ηλ_j holds for every j exactly if η < 1/λ_max", "the left inequality", ("positive",)),
        "bound": Line(
            "descent converges from every start exactly if η < 1/λ_max", "the claim", ("limit", "right", "left")
        ),
    },
    decoys={
        "half": Decoy("a step multiplies a_j by 1 - ηλ_j", _half_a_factor),
        "one": Decoy("e goes to 0 from every start if -1 < 1 - 2ηλ_j < 1 for one j", _one_is_enough),
        "uphill": Decoy("e_new = e + 2ηXᵀXe", _wrong_way),
        "same": Decoy("e_new = (1 - 2ηλ_max) e for every e", _one_factor_for_all),
    },
)


def _what_happens(flat, steep, etas):
    factors = 1 - 2 * np.outer([flat, steep], etas)
    fates = np.where(np.abs(factors).max(axis=0) >= 1, -1, np.all(factors > 0, axis=0))
    steps = np.ceil(np.log(1e-3) / np.log(1 - 2 * min(etas) * flat))
    return fates, steps


def _bowl_of_a_reader(rng):
    while True:
        flat, steep = float(rng.integers(3, 9)), float(rng.integers(15, 60))
        etas = np.round(rng.permutation([0.35, 0.7, 0.92, 1.1, 1.6, 2.3]) / steep, 4)
        steps = np.log(1e-3) / np.log(1 - 2 * min(etas) * flat)
        if 0.1 < steps % 1 < 0.9 and steep > 2.5 * flat:
            return [Case("your bowl", (flat, steep, etas))]


_FATES = "np.where(np.abs(factors).max(axis=0) >= 1, -1, np.all(factors > 0, axis=0))"
_MANY = "np.ceil(np.log(1e-3) / np.log(1 - 2 * min(etas) * flat))"
what_will_happen = ByHand(
    stars=2,
    notes="A 1.2, D 1",
    ask="Predict six walks. E is a sum of squares, XᵀX has the two eigenvalues `flat` and `steep`, and there are six "
    "steps eta. (1) For each of them: 1 if every part of the error shrinks and keeps its sign, 0 if every part shrinks "
    "and one swings from side to side, -1 if a part grows. (2) With the smallest eta, after how many steps is for the "
    "first time less than a thousandth of the flat part left? The numbers are your own: check.me('your name').",
    hints=(
        "A step multiplies each part of the error by its own number. Which number? Compute both for one eta.",
        "The powers of a number q between 0 and 1 are below 1/1000 from k > ln(1000)/(-ln q) on.",
    ),
    returns=("fates", "steps"),
    answer=_what_happens,
    one_by_one=True,
    mistakes=(
        ("1 - 2 * np.outer", "1 - np.outer", "fates: the factor 2 is missing: a step multiplies by 1 - 2 eta λ"),
        (_FATES, "np.where(np.abs(factors)[0] >= 1, -1, factors[0] > 0)", "fates: the steep part moves, too"),
        (
            _FATES,
            "np.where(np.any(factors < 0, axis=0), -1, 1)",
            "fates: a factor between -1 and 0 swings, and shrinks",
        ),
        (_FATES, "np.where(np.abs(factors).max(axis=0) >= 1, -1, 1)", "fates: a factor below 0 changes the sign"),
        (
            _FATES,
            "np.where(np.any(np.abs(factors) >= 1, axis=0), 1, np.where(np.all(factors > 0, axis=0), -1, 0))",
            "fates: 1 is for a walk that shrinks, -1 for one that grows",
        ),
        (_MANY, "np.ceil(np.log(1e-3) / np.log(1 - 2 * min(etas) * steep))", "steps: that is the steep part"),
        (_MANY, "np.ceil(np.log(1e-3) / np.log(1 - min(etas) * flat))", "steps: the factor 2 is missing"),
        (_MANY, "np.ceil(np.log(1e-2) / np.log(1 - 2 * min(etas) * flat))", "steps: that is a hundredth"),
        (_MANY, "np.log(1e-3) / np.log(1 - 2 * min(etas) * flat)", "steps: a whole number of steps is asked"),
        (_MANY, "np.floor(np.log(1e-3) / np.log(1 - 2 * min(etas) * flat))", "steps: after so many it is not yet less"),
    ),
    cases=_bowl_of_a_reader,
)


def _normal_equations(X, y):
    A = np.column_stack([X, np.ones(len(X))])
    w = np.linalg.solve(A.T @ A, A.T @ y)
    return w


normal_equations = Exercise(
    stars=0,
    notes="A 1.2-1.3, D 1",
    ask="Return the weights and the bias that minimize Σ_i (w·x_i + b - y_i)², as one array w~ = (w, b) of shape (d + "
    "1,), the bias last. X (N, d) comes without the column of ones, a sample per row; y (N,); the columns of X and the "
    "ones are independent, though some may be nearly dependent.",
    hints=(
        "First append the ones. Where is the gradient 2X~ᵀ(X~w~ - y) zero?",
        "Solve X~ᵀX~ w~ = X~ᵀy with np.linalg.solve; note D writes XXᵀ because its samples are columns.",
    ),
    answer=_normal_equations,
    mistakes=(
        ("np.column_stack([X, np.ones(len(X))])", "X", "the bias is missing: append a column of ones to X first"),
        ("return w", "return np.append(w[:-1], y.mean())", "w is right, but b = mean(y) forgets X: subtract w·mean(x)"),
        ("return w", "return np.append(w[:-1], 2 * y.mean() - w[-1])", _PLUS),
        ("w =", "w = np.linalg.lstsq(X, y)[0]; return np.append(w, np.mean(y - X @ w)) #", _APART),
        ("w =", "m = y.mean(); return np.append(np.linalg.lstsq(X, y - m)[0], m)  #", _ONLY_Y),
        ("return w", "return A.T @ y", "that is X~ᵀy: the system X~ᵀX~ w~ = X~ᵀy is still to be solved"),
        ("return w", "return A @ w", "those are the predictions X~w~; the coefficients w~ are wanted"),
        ("return w", "return np.linalg.pinv(A, 1e-2) @ y", "a small singular value is not 0: take a smaller rcond"),
    ),
    cases=lambda rng: [
        *table(rng, regression, "N d", (9, 3), (6, 1), (5, 4)),
        Case("nearly dependent columns", (rng.normal(size=(10, 3)) @ _NEARLY, rng.normal(size=10)), {"N": 10}),
    ],
)


def _descent(rng, N, d, least=0.3):
    X, y = regression(rng, N, d)
    eta = rng.uniform(least, least + 0.3) * linear_regression.largest_step(X)
    return (rng.normal(size=d),), [(X, y, eta)] * 20


def _gd_step(w, X, y, eta):
    g = 2 * (X.T @ (X @ w - y))
    return w - eta * g


_IN_TURN = "for e in np.eye(len(w)): w = w - eta * 2 * e * (X.T @ (X @ w - y))\n    return w\n    g ="
_ONE_BY_ONE = "for x, t in zip(X, y): w = w - eta * 2 * (w @ x - t) * x\n    return w\n    g ="

gd_step = Exercise(
    stars=0,
    notes="A 1.2, D 1",
    ask="Make one step of gradient descent with step eta > 0 on the loss E(w) = ‖Xw - y‖², a sum without 1/2: return "
    "the new w (d,). X (N, d) is the design matrix as given, y (N,); leave w as it is. Runs of many steps are judged.",
    hints=(
        "Go from w against the gradient, by eta times the gradient.",
        "w - eta * gradient, and the gradient is 2Xᵀ(Xw - y).",
    ),
    answer=_gd_step,
    mistakes=(
        ("w - eta", "-eta", "w itself is missing: the step starts at the old w"),
        ("w - eta", "eta", "that is eta times the gradient; subtract it from w"),
        ("2 * ", "1 / len(X) * ", "you divided by N, and the factor 2 is missing: the gradient is 2Xᵀ(Xw - y)"),
        ("2 * ", "2 / len(X) * ", "you divided by N: the loss is a sum, not a mean"),
        ("X @ w - y", "-y", "the predictions Xw are missing in the residuals Xw - y"),
        ("X @ w - y", "(X @ w - y) ** 2", "the residuals are still squared: the derivative of r² is 2r"),
        ("X.T @ (X @ w - y)", "(X @ w - y).sum()", "you only summed the residuals; each multiplies its x_i first"),
        ("g =", _IN_TURN, "all entries of w must move at once; you used entries that had already moved"),
        ("g =", _ONE_BY_ONE, "w moved after each sample; sum over all samples at the old w, then move once"),
    ),
    cases=lambda rng: table(rng, _descent, "N d", (8, 3, 0.3), (6, 1, 0.3), (1, 3, 0.3), too_long_steps=(9, 2, 1.05)),
    play=run,
)


def _largest_step(X):
    return 1 / np.linalg.eigvalsh(X.T @ X)[-1]


largest_stable_step = Exercise(
    stars=0,
    notes="A 1.2, D 1",
    ask="The largest step of gradient descent: w ← w - eta · 2Xᵀ(Xw - y), for the loss ‖Xw - y‖², a sum, converges "
    "from any start for every eta > 0 below one number, and diverges from almost every start for an eta above it. "
    "Return this number. X (N, d) is the design matrix as given, its columns are independent.",
    hints=(
        "The error e = w - w* obeys e ← (I - 2 eta XᵀX)e. By what is it multiplied along an eigenvector of XᵀX?",
        "|1 - 2 eta λ| < 1 for all eigenvalues λ of XᵀX; the largest decides. np.linalg.eigvalsh gives them in order.",
    ),
    answer=_largest_step,
    mistakes=(
        ("[-1]", "[0]", "you took the smallest eigenvalue; along the largest the steps would diverge"),
        ("[-1]", ".sum()", "1/trace(XᵀX) is safe, but too small: the trace is the sum of all eigenvalues"),
        ("[-1]", "[[0, -1]].sum()", "1/(λ_max + λ_min) is the fastest step, not the largest"),
        ("eigvalsh(X.T @ X)[-1]", "eigvals(X.T @ X)[0]", "eigvals does not sort; take the largest with max()"),
        ("eigvalsh(X.T @ X)[-1]", "eigvals(X.T @ X)[-1]", "eigvals does not sort: [-1] need not be the largest"),
        ("eigvalsh(X.T @ X)[-1]", "norm(X.T @ X)", "norm is the root of Σλ² here; norm(XᵀX, 2) is λ_max"),
        ("eigvalsh(X.T @ X)[-1]", "norm(X, axis=0).max() ** 2", "the largest x_j·x_j is not the largest eigenvalue"),
        ("X.T @ X", "X.T @ (X - X.mean(axis=0))", "X is the design matrix as given; you centered it"),
    ),
    cases=lambda rng: [
        Case("columns of different size", (rng.normal(size=(9, 4)) * [10, 1, 0.5, 2] + 1,), {"N": 9}),
        Case("one feature", (2 * rng.normal(size=(5, 1)) + 1,), {"N": 5}),
        Case("one feature per sample", (np.diag([2.0, 5, 1, 3]).repeat(2, axis=0),), {"N": 8}),
        Case("nearly equal eigenvalues", (np.linalg.qr(rng.normal(size=(10, 3)))[0] * [2.999, 3, 1],), {"N": 10}),
    ],
    factors={"2": _BOUND, "1/2": _BOUND},
)


def _visits(rng, N, d, scale=1.0):
    X, y = regression(rng, N, d)
    eta = rng.uniform(0.2, 0.4) / np.max(np.sum(X * X, axis=1)) / scale**2
    return (rng.normal(size=d),), [(scale * X[i], float(scale * y[i]), eta) for i in rng.integers(N, size=20)]


def _sgd_step(w, x, y, eta):
    g = 2 * (w @ x - y) * x
    return w - eta * g


sgd_step = Exercise(
    stars=0,
    notes="E, LMS",
    ask="Make one step of stochastic gradient descent with step eta > 0 on the term (w·x - y)² of one sample, without "
    "1/2: return the new w (d,). x (d,), y a number; leave w as it is. Runs of many steps are judged.",
    hints=(
        "The sum has only one term now: what is the gradient of (w·x - y)² by w?",
        "w - eta * 2(w·x - y)x; w·x - y is a number, x a vector.",
    ),
    answer=_sgd_step,
    mistakes=(
        ("w - eta", "-eta", "w itself is missing: the step starts at the old w"),
        ("w - eta", "eta", "that is eta times the gradient; subtract it from w"),
        ("eta * g", "eta * g / (x @ x)", "you divided by x·x: that is another rule, here eta alone scales the step"),
        (" * x", "", "the factor x is missing: each weight moves in proportion to its feature"),
        ("w @ x - y", "-y", "the prediction w·x is missing in the residual w·x - y"),
        ("w @ x - y", "w * x - y", "w * x is a vector; w·x is a number, w @ x"),
        ("(w @ x - y)", "(w @ x - y) ** 2", "the residual is still squared: the derivative of r² is 2r"),
    ),
    cases=lambda rng: table(rng, _visits, "N d", (8, 3, 1), (6, 1, 1), (12, 4, -1), (9, 3, 1e-3)),
    play=run,
)


def _minimum_norm(X, y):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    r = np.sum(s > 1e-12 * s[0])  # the rank: smaller singular values are 0 up to rounding
    U, s, Vt = U[:, :r], s[:r], Vt[:r]
    return Vt.T @ ((U.T @ y) / s)


min_norm_solution = Exercise(
    stars=0,
    notes="A 1.2",
    ask="Return, of all w (d,) that minimize ‖Xw - y‖² where XᵀX is singular, the one with the smallest ‖w‖. "
    "X (N, d) is the design matrix as given: add no column; y (N,). A singular value of X that is 1/10000 of the "
    "largest is small, but not 0.",
    hints=(
        "All minimizers differ by some z with Xz = 0. The shortest has none: it combines the rows of X.",
        "w = X⁺y with X⁺ = V S⁺ Uᵀ from X = U S Vᵀ; singular values that are 0 up to rounding are not inverted.",
    ),
    answer=_minimum_norm,
    singular="XᵀX is singular in this exercise, so it has no inverse: the shortest w is X⁺y",
    mistakes=(
        ("return", "return np.linalg.pinv(X * (np.arange(len(X.T)) < r)) @ y  #", _NOT_SHORTEST),
        ("(U.T @ y) / s", "(U.T @ y) * s", "that is Xᵀy: divide by the singular values instead of multiplying"),
        ("(U.T @ y) / s", "(U.T @ y) / s**2", "you divided by s²; w = V S⁺ Uᵀy divides by s once"),
        ("return Vt.T @ ((U.T @ y) / s)", "return (U.T @ y) / s", "Vᵀw is not w yet: multiply by V"),
        ("return", "return X @", "those are the predictions Xw; the weights w are wanted"),
        ("svd(X", "svd(np.c_[X, 0 * y + 1]", "X is the design matrix as given; you added a column of ones"),
        ("1e-12 * s[0]", "-1", "singular values that are 0 up to rounding must not be inverted"),
        ("r =", "return np.linalg.pinv(X, 1e-3) @ y\n    r =", "a small singular value is not 0: cut at 1e-12"),
        ("X, full_matrices=False)", "X := np.c_[X, 0 * y + 1], False); Vt = Vt[:, :-1]", _ONES_AND_NONE),
    ),
    cases=lambda rng: [
        *table(rng, regression, "N d", (4, 7)),
        Case("a repeated column", (rng.normal(size=(9, 4))[:, _REPEATED], rng.normal(size=9)), {"N": 9}),
        Case("a sum of columns", (rng.normal(size=(7, 2)) @ [[1, 0, 1], [0, 1, 1]], rng.normal(size=7)), {"N": 7}),
        Case("one singular value small, one 0", (np.eye(8, 4)[:, _REPEATED] * _SIZES, rng.normal(size=8)), {"N": 8}),
    ],
)


def _stable(eta, part=-1):
    """The factors of the steep part of the error of the cars for these steps; part 0 is the flat one."""
    X = _in_tens()
    return 1 - 2 * np.asarray(eta) * np.linalg.eigvalsh(X.T @ X)[part]


def _in_tens():
    return design.augment((datasets.cars().X - 15) / 10)


def _pull(speed):
    return np.hypot(speed, 1)


def _losses(eta, steps=20):
    cars, X = datasets.cars(), _in_tens()
    W = optimize.trajectory(linear_regression.gradient_iterates(X, cars.y, eta=eta), steps)
    return linear_regression.loss(W[-1], X, cars.y)


before = {
    "ch01-better": Question(
        lambda: [16, 4],
        {
            "square each residual, and add up": lambda: [4, 2],
            "the loss is a sum of squares: it is never negative": lambda: [-16, -4],
            "the loss is a sum over the points, and no mean": lambda: [16 / 3, 4 / 3],
            "the first number is E of the line 3x, the second that of x": lambda: [4, 16],
            "those are residuals: square each one, and add up": lambda: [-4, 2],
            "the loss of this chapter has no factor 1/2": lambda: [8, 2],
        },
    ),
    "ch01-pull": Question(
        lambda: _pull(25) / _pull(4),
        {
            "that is the quotient of the speeds; x has a 1 at the end": lambda: 25 / 4,
            "the faster car pulls harder": lambda: _pull(4) / _pull(25),
            "take the lengths, and not their squares": lambda: (_pull(25) / _pull(4)) ** 2,
            "the misses are equal; what else stands in the gradient?": lambda: 1,
        },
    ),
    "ch01-worse": Question(
        lambda: -1,
        {
            "can the old line be written with the new column?": lambda: 1,
            "it would stay the same only if the new weight were best at 0": lambda: 0,
        },
    ),
    "ch01-km": Question(
        lambda: 0,
        {"does the new column say anything new?": lambda: -1, "can the old weights still be used?": lambda: 1},
    ),
    "ch01-twice": Question(
        lambda: np.sign(_losses(0.02) - _losses(0.01)),
        {"run the next cell, and look again": lambda: -1},
    ),
    "ch01-border": Question(
        lambda: _stable([0.019, 0.02, 0.021]),
        {
            "the factor 2 is missing: it is 1 - 2 eta λ": lambda: (1 + _stable([0.019, 0.02, 0.021])) / 2,
            "mind the sign: does the error change its side?": lambda: -_stable([0.019, 0.02, 0.021]),
            "that is the flat part: the steep one has the larger eigenvalue": lambda: _stable([0.019, 0.02, 0.021], 0),
            "that is 2 eta λ, which is taken away from 1": lambda: 1 - _stable([0.019, 0.02, 0.021]),
            "three decimals: is it beyond -1 or not?": lambda: [_stable(0.019), -1, _stable(0.021)],
            "give the third decimal too: at the border it decides": lambda: _stable([0.019, 0.02, 0.021]).round(2),
        },
        decimals=3,
    ),
    "ch01-one": Question(
        lambda: 1, {"by which number is each part multiplied? See what is left after one step": lambda: 2}
    ),
    "ch01-sum": Question(
        lambda: 0, {"the pulls add up to the gradient with a minus; how large is it at the minimum?": lambda: 1}
    ),
    "ch01-far": Question(
        lambda: 4,
        {
            "how far is 25 from the mean, 15.4? And 4?": lambda: 25,
            "the leverage grows with the distance from the mean": lambda: 15,
            "that is the mean": lambda: 15.4,
        },
    ),
}

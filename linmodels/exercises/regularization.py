"""Exercises of chapter 02, regularization (notes A 1.2, 1.3). The squared error is a sum and stands without 1/2."""

import numpy as np

from linmodels import regularization

from .grading.by_hand import ByHand, once
from .grading.cases import regression, table
from .grading.checker import Case, Exercise, Refused

chapter = "02"


def _penalized(rng, N, d, lam, sign=1):
    X, y = regression(rng, N, d)
    return X, sign * y, lam * rng.uniform(0.7, 1.4)


_RIDGE = _penalized, "N d lam", (9, 3, 4), (7, 1, 0.002), (12, 4, 300), (6, 5, 3, -1)


def _ridge(X, y, lam):
    A = np.column_stack([X, np.ones(len(X))])
    w = np.linalg.solve(A.T @ A + lam * np.eye(len(A.T)), A.T @ y)
    return w


ridge = Exercise(
    stars=1,
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
        ("lam * np.eye(len(A.T))", "lam", "lam is added to every entry; lam I has it on the diagonal only"),
        ("np.column_stack([X, np.ones(len(X))])", "X", "the bias is missing: append a column of ones to X first"),
        ("lam * np", "len(X) * lam * np", "you took N lam: the squared error is a sum, not a mean"),
        ("lam * np", "lam / len(X) * np", "you took lam/N: the squared error is a sum, not a mean"),
        ("return w", "return A @ w", "those are the predictions X~w~; the coefficients w~ are wanted"),
    ),
    cases=lambda rng: table(rng, *_RIDGE),
)


def _ridge_free_bias(X, y, lam):
    m, n = X.mean(axis=0), y.mean()
    Z = X - m
    w = np.linalg.solve(Z.T @ Z + lam * np.eye(len(m)), Z.T @ (y - n))
    return np.append(w, n - w @ m)


ridge_free_bias = Exercise(
    stars=2,
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
        ("w = ", "w = _ridge(X, y, lam)[:-1]\n    v = ", "w is ridge with a penalized b; a free b changes w too"),
        ("m, n", "return regularization.ridge(X, y, lam)\n    m, n", "the bias is missing: append ones or center"),
        ("X - m", "X", "you centered only y for w: center X too"),
        ("X - m", "X\n    y = y + n", "you fitted w without b and added b after; fit both together, or center first"),
        ("Z = X - m", "Z, m = X, 0 * m", "you centered y but not X: center both, then b = mean(y) - w·mean(x)"),
        ("X.mean(axis=0)", "X.mean() + 0 * X[0]", "X.mean() is one number; each column has its own mean(axis=0)"),
        ("n - w @ m", "n", "w is right, but b = mean(y) forgets X: subtract w·mean(x)"),
        ("n - w @ m", "n + w @ m", "w is right, but b has a wrong sign in it: b = mean(y) - w·mean(x), not +"),
        ("lam * np", "len(X) * lam * np", "you took N lam: the squared error is a sum, not a mean"),
    ),
    cases=lambda rng: table(rng, *_RIDGE),
)


def _soft_threshold(a, t):
    return np.sign(a) * np.maximum(np.abs(a) - t, 0)


soft_threshold = Exercise(
    stars=1,
    notes="A 1.2",
    ask="Return the soft threshold S(a, t), entry by entry: the number w that minimizes ½(w - a)² + t|w|. Every entry "
    "moves towards 0 by t, and those with |a| <= t become 0. a is (m,), t >= 0 a number; the result is (m,).",
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
    ),
    cases=lambda rng: [
        Case("|a| = t among them", (np.append([-4, -2.5, -2, -1, 0, 0.5, 2, 3], 5 * rng.normal(size=6)), 2.0)),
        Case("t = 0", (np.append([0, 2, -2], rng.normal(size=6)), 0.0)),
        Case("an array of integers", (np.array([-7, 4, 1, 0, -2, 9]), 1.5)),
        Case("far out values", (np.array([1e4, -1e4, 3e4, 20, -20]) + rng.normal(), 10.0)),
    ],
)


def _path():
    X, y = np.eye(3), np.array([5.0, -3, 1])
    w = [regularization.lasso(X, y, lam).w for lam in (0.0, 2.0, 4.0, 8.0)]
    return np.array(w)


_LASSO = "regularization.lasso(X, y, lam).w"

predict_the_path = ByHand(
    stars=2,
    notes="A 1.3, C 1",
    ask="Predict the picture of a lasso path before you draw it. X is the identity matrix (3, 3) and y = (5, -3, "
    "1); the loss is ‖Xw - y‖² + λ Σ_j |w_j|. Sketch the three weights against λ. Then give them, a row (w_1, "
    "w_2, w_3) for each of λ = 0, 2, 4, 8.",
    hints=(
        "The loss falls apart into three: (w_j - y_j)² + λ|w_j|. Where is the derivative of one of them 0?",
        "Every weight moves straight towards 0, by λ/2, and stays there. Which one arrives first?",
    ),
    returns=("the rows",),
    answer=_path,
    mistakes=(
        ("y, lam)", "y, 2 * lam)", "each weight moves by λ/2, not by λ: the square gives a factor 2"),
        (_LASSO, "y / (1 + lam)", "that is ridge, which divides; the lasso subtracts"),
        (_LASSO, "y / (1 + lam / 2)", "you divided, as ridge does; the lasso subtracts"),
        (_LASSO, "y - np.sign(y) * lam / 2", "a weight went through 0: is the loss smaller on the other side?"),
        (_LASSO, "y - lam / 2", "w_2 begins below 0: in which direction does it move?"),
        (_LASSO, "np.maximum(y - lam / 2, 0)", "w_2 begins below 0: sketch it, too"),
        (_LASSO, "y * (abs(y) > lam / 2)", "the weights that survive shrink, too"),
    ),
    cases=once,
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
    stars=3,
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
    stars=3,
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
    factors={"1/2": "the slope of ‖Xw - y‖² at w = 0 is -2Xᵀy", "1/N": "the squared error is a sum, not a mean"},
)


def _elastic_net_coordinate(j, w, X, y, lam, rho):
    x = X[:, j]
    r = y - X @ w + x * w[j]
    a, t, c = x @ r, lam * rho / 2, lam * (1 - rho) / 2
    return np.sign(a) * max(abs(a) - t, 0) / (x @ x + c)


elastic_net_coordinate = Exercise(
    stars=3,
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
    stars=2,
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

"""Exercises of chapter 01, linear regression (notes A 1.1-1.3, D 1)."""

import numpy as np

from linmodels import linear_regression

from .grading.by_hand import ByHand, once
from .grading.cases import regression, table
from .grading.checker import Case, Exercise, run

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
    stars=1,
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


def _gradient(w, X, y):
    return 2 * (X.T @ (X @ w - y))


squared_error_gradient = Exercise(
    stars=1,
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


def _normal_equations(X, y):
    A = np.column_stack([X, np.ones(len(X))])
    w = np.linalg.solve(A.T @ A, A.T @ y)
    return w


normal_equations = Exercise(
    stars=2,
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


def _two_steps():
    X, y, w = np.array([[1.0], [1], [2]]), np.array([1.0, 3, 3]), [np.zeros(1)]
    for _ in range(2):
        w.append(w[-1] - 0.05 * linear_regression.gradient(w[-1], X, y))
    return w[1][0], w[2][0]


descent_by_hand = ByHand(
    stars=1,
    notes="A 1.2, D 1",
    ask="With a pencil: two steps of gradient descent. The samples (x, y) are (1, 1), (1, 3) and (2, 3). The model "
    "is w·x with one weight and no bias, the loss is E(w) = Σ_i (w x_i - y_i)². Start at w = 0 and use eta = "
    "0.05. Give w after the first and after the second step.",
    hints=(
        "What is E'(w)? It needs only two sums, Σ x_i² and Σ x_i y_i.",
        "E'(w) = 2(6w - 10). A step is -eta E'(w): E'(0) = -20, and 0.05 · 20 = 1.",
    ),
    returns=("w after one step", "w after two steps"),
    answer=_two_steps,
    mistakes=(
        ("w[-1] - 0.05", "w[-1] + 0.05", "you went uphill: a step goes against the derivative"),
        ("* linear_regression", "/ 2 * linear_regression", "that is Σ x_i (w x_i - y_i) for E': E is a sum of squares"),
        ("0.05 *", "0.05 / 3 *", "you took the mean over the three samples: E is their sum"),
        ("0.05 *", "", "eta is missing: you went the whole derivative"),
        ("gradient(w[-1], X, y)", "gradient(w[0], X, y)", "take the derivative for the second step at the new w"),
        ("w.append(w[-1] -", "w.append(-", "the second step starts where the first one ended"),
        ("return w[1][0], w[2][0]", "return -20 * w[1][0], 20 * (w[1] - w[2])[0]", "those are the derivatives, not w"),
    ),
    cases=once,
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
    stars=1,
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
    stars=3,
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
    stars=1,
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
    stars=2,
    notes="A 1.2",
    ask="Return, of all w (d,) that minimize ‖Xw - y‖² where XᵀX is singular, the one with the smallest ‖w‖. "
    "X (N, d) is the design matrix as given: add no column; y (N,). A singular value of X that is 1/10000 of the "
    "largest is small, but not 0.",
    hints=(
        "All minimizers differ by some z with Xz = 0. The shortest has none: it combines the rows of X.",
        "w = X⁺y with X⁺ = V S⁺ Uᵀ from X = U S Vᵀ; singular values that are 0 up to rounding are not inverted.",
    ),
    answer=_minimum_norm,
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

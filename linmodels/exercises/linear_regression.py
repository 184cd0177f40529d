"""Exercises of chapter 01, linear regression (notes A 1.1-1.3, D 1)."""

import numpy as np

from linmodels import linear_regression

from .grading.by_hand import ByHand, once
from .grading.cases import regression
from .grading.checker import Case, Exercise, run

chapter = "01"


def _bias_cases(rng):
    return [
        Case("ordinary data", (rng.normal(size=(5, 3)),)),
        Case("one sample", (rng.normal(size=(1, 4)),)),
        Case("one feature", (rng.normal(size=(6, 1)),)),
        Case("an array of integers", (rng.integers(2, 9, (4, 2)),)),
        Case("a last column that holds ones already", (np.column_stack([rng.normal(size=(7, 2)), np.ones(7)]),)),
    ]


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
        ("return", "return np.vstack([X[:1] * 0 + 1, X])\n    return", "you put a row of ones on top; append a column"),
        ("return np", "return np.append(X, 1)\n    np", "np.append(X, 1) makes one long vector with only one 1 in it"),
        ("return np.column_stack([X, np", "return np.append(X, [np", "np.append without axis=1 makes one long vector"),
        ("X, np.ones(len(X))", "X.T, np.ones(X.shape[1])", "samples are the rows of X: do not transpose it"),
        ("np.ones(len(X))", "np.zeros(len(X))", "the new column holds zeros: then b would be multiplied by 0"),
        ("np.ones(len(X))", "np.arange(len(X)) == 0", "only the first row has its 1; every sample needs one"),
        ("np.ones(len(X))", "np.arange(len(X)) == len(X) - 1", "only the last row has its 1; every sample needs one"),
        ("np.ones(len(X))", "np.arange(len(X))", "the new column holds 0, 1, 2, ...; it must hold ones"),
        ("np.ones(len(X))", "np.full(len(X), len(X))", "the new column holds N; it must hold ones"),
        ("np.ones(len(X))", "np.ones((len(X), 2))", "you appended two columns of ones; one is enough"),
        ("X, np.ones(len(X))", "np.ones(len(X)), X, np.ones(len(X))", "there are ones on both sides; put them last"),
        ("X, np.ones(len(X))", "X[:, :-1], np.ones(len(X))", "the ones replace the last feature; append them"),
        ("X, np.ones(len(X))", "X", "it returns X as it was: the column of ones is missing"),
        ("X, np.ones(len(X))", "X + 1", "you added 1 to every entry; the 1 is a new column beside X"),
        ("X, np.ones(len(X))", "np.ones(len(X))", "that is only the column of ones; X must stand before it"),
    ),
    cases=_bias_cases,
)


def _gradient_cases(rng):
    def one(label, N, d):
        return Case(label, (rng.normal(size=d), *regression(rng, N, d)), {"N": N})

    wide = one("more features than samples", 4, 6)
    X, y = regression(rng, 5, 2)
    whole = Case("w of whole numbers, large residuals", (np.array([2, -1]), X, 100 * y), {"N": 5})
    return [one("ordinary data", 7, 3), one("one feature", 9, 1), wide, one("one sample", 1, 2), whole]


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
        ("X @ w - y", "X @ w", "the targets y are missing: that is 2XᵀXw, without its second term -2Xᵀy"),
        ("X @ w - y", "-y", "the predictions Xw are missing: that is -2Xᵀy, without the term 2XᵀXw"),
        ("X @ w - y", "X @ w + y", "you added the targets; the residuals are Xw - y"),
        ("X @ w - y", "(X @ w - y) ** 2", "the residuals are still squared: the derivative of r² is 2r"),
        ("X @ w - y", "np.abs(X @ w - y)", "you took absolute values; the residuals keep their signs"),
        ("X @ w - y", "np.sign(X @ w - y)", "only the signs of the residuals are used: that belongs to Σ|w·x_i - y_i|"),
        ("X.T @ (X @ w - y)", "X @ w - y", "Xᵀ is missing: each residual multiplies its own sample x_i"),
        ("X.T @ (X @ w - y)", "(X @ w - y).sum()", "you only summed the residuals; each multiplies its x_i first"),
        ("X.T @ (X @ w - y)", "X * (X @ w - y)[:, None]", "that is one gradient per sample; sum them over the samples"),
        ("X.T @ (X @ w - y)", "(X * (X @ w - y)[:, None]).max(0)", "you took the largest term; the sum is wanted"),
        ("X.T @ (X @ w - y)", "X.sum(0) * (X @ w - y).sum()", "multiply each residual by its x_i first, then sum"),
        ("X.T @ (X @ w - y)", "X[0] * (X @ w - y)[0]", "only the first sample is used: is `return` in the loop?"),
        ("X.T @ (X @ w - y)", "X[-1] * (X @ w - y)[-1]", "only the last sample is used: g += in the loop, not g ="),
        ("X.T @ (X @ w - y)", "X[:-1].T @ (X @ w - y)[:-1]", "the last sample is missing: range(N) ends with N - 1"),
        ("X.T @ (X @ w - y)", "X.T @ X", "that is the Hessian 2XᵀX; the gradient is a vector (d,)"),
        (
            "2 * (X.T @ (X @ w - y))",
            "np.sum((X @ w - y) ** 2)",
            "that is the loss itself; its gradient has one entry per weight",
        ),
        ("return 2", "return 1 / np.linalg.norm(X @ w - y)", "that is the gradient of ‖Xw - y‖, without the square"),
        ("return 2", "return w - 2", "that is a step w - ∇E; only the gradient ∇E is wanted"),
        ("2 * (X.T @ (X @ w - y))", "np.linalg.lstsq(X, y)[0]", "those are the best w; ∇E at the given w is wanted"),
    ),
    cases=_gradient_cases,
    factors={
        "-": "the residuals are Xw - y; the gradient points uphill",
        "1/2": "the factor 2 of the square is missing",
        "1/N": "the loss is a sum, not a mean",
    },
)


def _fit_cases(rng):
    def one(label, N, d):
        return Case(label, regression(rng, N, d), {"N": N})

    first, few, (X, y) = one("ordinary data", 9, 3), one("just enough samples", 5, 4), regression(rng, 10, 2)
    near = np.column_stack([X, X[:, 0] + 1e-3 * rng.normal(size=10)])
    return [first, one("one feature", 6, 1), few, Case("nearly dependent columns", (near, y), {"N": 10})]


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
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]", "the bias comes last, w~ = (w, b); you put the ones first"),
        ("return w", "return w[:-1]", "w is right, but b = mean(y) - w·mean(x) must follow as the last entry"),
        ("return w", "return w[-1]", "that is only b; w~ = (w, b) has d + 1 entries"),
        ("return w", "return np.append(w[:-1], 0)", "w is right, but b is 0: b = mean(y) - w·mean(x)"),
        ("return w", "return np.append(w[:-1], y.mean())", "w is right, but b = mean(y) forgets X: subtract w·mean(x)"),
        (
            "return w",
            "return np.append(w[:-1], 2 * y.mean() - w[-1])",
            "w is right, but b has a wrong sign in it: b = mean(y) - w·mean(x), not +",
        ),
        ("return w", "return np.append(w[:-1], -w[-1])", "w is right, but the sign of b is wrong: was the column -1?"),
        (
            "return w",
            "w = np.linalg.lstsq(X, y)[0]; return np.append(w, np.mean(y - X @ w))",
            "you fitted w without b and added b after; fit both together, or w on centered data",
        ),
        (
            "return w",
            "return np.append(np.linalg.lstsq(X, y)[0], 0)",
            "w was fitted alone, and b is 0: append the ones",
        ),
        (
            "return w",
            "m = y.mean(); return np.append(np.linalg.lstsq(X, y - m)[0], m)",
            "you centered y but not X: center both, then b = mean(y) - w·mean(x)",
        ),
        ("return w", "return np.append(w[:-1] * X.std(0), y.mean())", "that is w~ of standardized columns, not of X"),
        (
            "return w",
            "w = y @ (X - X.mean(0)) / X.var(0) / len(X)\n    return np.append(w, np.mean(y - X @ w))",
            "each slope was fitted alone; the features depend on each other: fit all at once",
        ),
        ("return w", "return A.T @ y", "that is X~ᵀy: the system X~ᵀX~ w~ = X~ᵀy is still to be solved"),
        ("return w", "return np.linalg.inv(A.T @ A)", "that is (X~ᵀX~)⁻¹; it still has to multiply X~ᵀy"),
        ("return w", "return A @ w", "those are the predictions X~w~; the coefficients w~ are wanted"),
        ("return w", "return y - A @ w", "those are the residuals y - X~w~; the coefficients w~ are wanted"),
        ("A.T @ A,", "A.T @ A + np.eye(len(A.T)),", "you added I to X~ᵀX~: that is ridge regression"),
        ("return w", "return np.linalg.pinv(A, 1e-2) @ y", "a small singular value is not 0: take a smaller rcond"),
    ),
    cases=_fit_cases,
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
        (
            "linear_regression.gradient(w[-1], X, y)",
            "X.T @ (X @ w[-1] - y)",
            "that is Σ x_i (w x_i - y_i) for E': E is a sum of squares",
        ),
        ("0.05 *", "0.05 / 3 *", "you took the mean over the three samples: E is their sum"),
        ("0.05 *", "", "eta is missing: you went the whole derivative"),
        ("gradient(w[-1], X, y)", "gradient(w[0], X, y)", "take the derivative for the second step at the new w"),
        ("w.append(w[-1] -", "w.append(-", "the second step starts where the first one ended"),
        ("gradient(w[-1], X, y)", "gradient(w[-1], X[:1], y[:1])", "only the first sample is in your sums"),
        ("return w[1][0], w[2][0]", "return -20 * w[1][0], 20 * (w[1] - w[2])[0]", "those are the derivatives, not w"),
    ),
    cases=once,
)


def _gd_cases(rng):
    def one(label, N, d, long=0.3):
        X, y = regression(rng, N, d)
        eta = rng.uniform(long, long + 0.3) * linear_regression.largest_step(X)
        return Case(label, ((rng.normal(size=d),), [(X, y, eta)] * 20))

    one_feature, one_sample = one("a run on one feature", 6, 1), one("a run on one sample", 1, 3)
    too_long = one("a run with steps that are too long", 9, 2, 1.05)
    return [one("a run of 20 steps", 8, 3), one_feature, one_sample, one("a run on four features", 12, 4), too_long]


def _gd_step(w, X, y, eta):
    g = 2 * (X.T @ (X @ w - y))
    return w - eta * g


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
        ("w - eta", "w + eta", "it goes uphill: subtract eta times the gradient"),
        ("2 * ", "", "the factor 2 is missing: the gradient of ‖Xw - y‖² is 2Xᵀ(Xw - y)"),
        ("2 * ", "2 / len(X) * ", "you divided by N: the loss is a sum, not a mean"),
        ("2 * ", "1 / len(X) * ", "you divided by N, and the factor 2 is missing: the gradient is 2Xᵀ(Xw - y)"),
        ("eta * g", "g", "eta is missing: the step is eta times the gradient"),
        ("eta * g", "g / eta", "you divided by eta; the step is eta times the gradient"),
        ("eta * g", "eta * g / np.linalg.norm(g)", "you divided the gradient by its length; its length counts"),
        ("eta * g", "eta * np.sign(g)", "you used only the signs of the gradient; its size counts"),
        ("w - eta", "-eta", "w itself is missing: the step starts at the old w"),
        ("w - eta", "eta", "that is eta times the gradient; subtract it from w"),
        ("w - eta * g", "eta * (w - g)", "eta multiplies the gradient only, not w: check the brackets"),
        ("X @ w - y", "X @ w", "the targets y are missing in the residuals Xw - y"),
        ("X @ w - y", "-y", "the predictions Xw are missing in the residuals Xw - y"),
        ("X @ w - y", "(X @ w - y) ** 2", "the residuals are still squared: the derivative of r² is 2r"),
        ("X.T @ (X @ w - y)", "(X @ w - y).sum()", "you only summed the residuals; each multiplies its x_i first"),
        ("X.T @ (X @ w - y)", "X[0] * (X @ w - y)[0]", "only the first sample is used: is `return` in the loop?"),
        ("X.T @ (X @ w - y)", "X[-1] * (X @ w - y)[-1]", "only the last sample is used: g += in the loop, not g ="),
        (
            "g =",
            "for e in np.eye(len(w)): w = w - eta * 2 * e * (X.T @ (X @ w - y))\n    return w\n    g =",
            "all entries of w must move at once; you used entries that had already moved",
        ),
        (
            "g =",
            "for x, t in zip(X, y): w = w - eta * 2 * (w @ x - t) * x\n    return w\n    g =",
            "w moved after each sample; sum over all samples at the old w, then move once",
        ),
        ("w - eta * g", "np.linalg.lstsq(X, y)[0]", "that is the minimum itself; one step towards it is wanted"),
    ),
    cases=_gd_cases,
    play=run,
)


def _step_cases(rng):
    """Eigenvalues that np.linalg.eigvals gives in no order; and two nearly equal ones, for slow power iteration."""

    def one(label, N, scales):
        return Case(label, (rng.normal(size=(N, len(scales))) * scales + 1,), {"N": N, "d": len(scales)})

    apart = np.vstack([np.diag([2, 5, 1, 3] * rng.uniform(1, 1.2, 4)), np.diag([1, 3, 1, 2.0])[1::2]])
    near = np.linalg.qr(rng.normal(size=(10, 3)))[0] * [2.999, 3, 1]
    return [
        one("ordinary data", 7, [1, 1, 1]),
        one("columns of different size", 9, [10, 1, 0.5, 2]),
        one("one feature", 5, [2]),
        Case("samples with one feature each", (apart,), {"N": 6, "d": 4}),
        Case("nearly equal eigenvalues", (near,), {"N": 10, "d": 3}),
    ]


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
        ("[-1]", "[-1] ** 0.5", "that is 1/σ_max(X); the eigenvalues of XᵀX are squares of singular values"),
        ("[-1]", ".sum()", "1/trace(XᵀX) is safe, but too small: the trace is the sum of all eigenvalues"),
        ("[-1]", "[[0, -1]].sum()", "1/(λ_max + λ_min) is the fastest step, not the largest"),
        ("1 / np", "np", "that is the largest eigenvalue; the step is 1 over it"),
        ("[-1]", ".prod()", "you divided by the determinant; the largest eigenvalue decides"),
        ("eigvalsh(X.T @ X)[-1]", "eigvals(X.T @ X)[0]", "eigvals does not sort; take the largest with max()"),
        ("eigvalsh(X.T @ X)[-1]", "eigvals(X.T @ X)[-1]", "eigvals does not sort: [-1] need not be the largest"),
        ("eigvalsh(X.T @ X)[-1]", "norm(X.T @ X)", "norm is the root of Σλ² here; norm(XᵀX, 2) is λ_max"),
        ("eigvalsh(X.T @ X)[-1]", "norm(X.T @ X, 1)", "the largest row sum may be above λ_max; norm(XᵀX, 2) is λ_max"),
        ("eigvalsh(X.T @ X)[-1]", "norm(X, axis=0).max() ** 2", "the largest x_j·x_j is not the largest eigenvalue"),
        ("eigvalsh(X.T @ X)[-1]", "norm(X, axis=1).max() ** 2", "you used only the longest sample; use all of X"),
        ("X.T @ X", "X.T @ (X - X.mean(axis=0))", "X is the design matrix as given; you centered it"),
        ("X.T @ X", "X @ X.T + 1", "X is the design matrix as given; you added a column of ones"),
    ),
    cases=_step_cases,
    factors={
        "2": "the Hessian is 2XᵀX: the bound is 2 divided by 2λ_max",
        "1/2": "the bound is 2 divided by the largest eigenvalue 2λ_max of the Hessian, not 1",
        "N": "the loss is a sum, not a mean",
    },
)


def _sgd_cases(rng):
    def one(label, N, d):
        X, y = regression(rng, N, d)
        eta = rng.uniform(0.2, 0.4) / np.max(np.sum(X * X, axis=1))
        return Case(label, ((rng.normal(size=d),), [(X[i], float(y[i]), eta) for i in rng.integers(N, size=20)]))

    first, *others = one("a run of 20 visits", 8, 3), one("a run on one feature", 6, 1), one("on four features", 12, 4)
    (w,), visits = first.args
    mirrored = Case("the first run with -w and -y", ((-w,), [(x, -y, eta) for x, y, eta in visits]))
    small = Case("the first run with small numbers", ((w,), [(x / 1e3, y / 1e3, eta * 1e6) for x, y, eta in visits]))
    return [first, *others, mirrored, small]


def _sgd_step(w, x, y, eta):
    r = w @ x - y
    return w - eta * 2 * r * x


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
        ("w - eta", "w + eta", "it goes uphill: subtract eta times the gradient"),
        ("2 * ", "", "the factor 2 is missing: the gradient of (w·x - y)² is 2(w·x - y)x"),
        ("eta * 2", "2", "eta is missing: the step is eta times the gradient"),
        ("eta * 2", "eta * 2 / len(w)", "you divided by d, the number of features; do not divide"),
        ("eta * 2", "eta * 2 / (x @ x)", "you divided by x·x: that is another rule, here eta alone scales the step"),
        ("eta * 2", "eta * 2 / np.linalg.norm(x)", "you divided by ‖x‖: here eta alone scales the step"),
        ("eta * 2 *", "eta * 2 / abs(r) *", "you used only the sign of w·x - y; its size counts"),
        ("w - eta", "-eta", "w itself is missing: the step starts at the old w"),
        ("w - eta", "eta", "that is eta times the gradient; subtract it from w"),
        ("w - eta * 2 * r * x", "eta * (w - 2 * r * x)", "eta multiplies the gradient only, not w: check the brackets"),
        (" * x", "", "the factor x is missing: each weight moves in proportion to its feature"),
        (" * x", " * x.sum()", "you summed x; each weight moves in proportion to its own feature"),
        (" * x", " * w", "you multiplied by w; the gradient of w·x by w is x"),
        ("w @ x - y", "w @ x", "the target y is missing in the residual w·x - y"),
        ("w @ x - y", "-y", "the prediction w·x is missing in the residual w·x - y"),
        ("w @ x - y", "w * x - y", "w * x is a vector; w·x is a number, w @ x"),
        ("w @ x - y", "(w @ x - y) ** 2", "the residual is still squared: the derivative of r² is 2r"),
        ("w @ x - y", "abs(w @ x - y)", "you took the absolute value; the residual keeps its sign"),
        (
            "r = w @ x - y",
            "for e in np.eye(len(w)): w = w - eta * 2 * (w @ x - y) * e * x\n    return w",
            "all entries of w must move at once; you used entries that had already moved",
        ),
    ),
    cases=_sgd_cases,
    play=run,
)


def _singular_cases(rng):
    wide, tall, (X, y) = regression(rng, 4, 7), regression(rng, 9, 3), regression(rng, 10, 2)
    near = np.linalg.qr(rng.normal(size=(8, 4)))[0] * [2, 1, 1.5, 5e-4] @ np.linalg.qr(rng.normal(size=(4, 4)))[0]
    return [
        Case("fewer samples than weights", wide, {"N": 4}),
        Case("a repeated column", (tall[0][:, [0, 1, 2, 1]], tall[1]), {"N": 9}),
        Case("a column that is the sum of the others", (np.column_stack([X, X.sum(axis=1)]), y), {"N": 10}),
        Case("a small singular value, and one that is 0", (near[:, [0, 1, 2, 3, 0]], rng.normal(size=8)), {"N": 8}),
    ]


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
        (
            "return Vt.T @ ((U.T @ y) / s)",
            "return np.append(np.linalg.lstsq(X[:, : len(s)], y)[0], 0 * X[0, len(s) :])",
            "that minimizes the loss, but is not the shortest: you set w_j = 0 in dependent columns",
        ),
        ("U.T @ y) / s)", "U.T @ (y - X.sum(1))) / s) + 1", "it minimizes the loss, but is nearest to (1, ..., 1)"),
        ("(U.T @ y) / s", "0 * s", "w = 0 is the shortest of all w, but does not minimize the loss"),
        ("(U.T @ y) / s", "(U.T @ y) * s", "that is Xᵀy: divide by the singular values instead of multiplying"),
        ("(U.T @ y) / s", "U.T @ y", "divide by the singular values: w = V S⁺ Uᵀy"),
        ("(U.T @ y) / s", "(U.T @ y) / s**2", "you divided by s²; w = V S⁺ Uᵀy divides by s once"),
        ("(U.T @ y) / s", "(U.T @ y) / s * (s == s[0])", "only the largest singular value is used"),
        ("return Vt.T @ ((U.T @ y) / s)", "return (U.T @ y) / s", "Vᵀw is not w yet: multiply by V"),
        ("return", "return X @", "those are the predictions Xw; the weights w are wanted"),
        ("return", "return y - X @", "those are the residuals y - Xw; the weights w are wanted"),
        ("svd(X", "svd(np.c_[X, 0 * y + 1]", "X is the design matrix as given; you added a column of ones"),
        ("1e-12 * s[0]", "-1", "singular values that are 0 up to rounding must not be inverted"),
        ("r =", "return np.linalg.pinv(X, 1e-3) @ y\n    r =", "a small singular value is not 0: cut at 1e-12"),
        ("(U.T @ y) / s", "(U.T @ y) / (s + 1 / s)", "you added I to XᵀX: that is ridge regression"),
        (
            "svd(X, full_matrices=False)",
            "svd(X := np.c_[X, 0 * y + 1], False); Vt = Vt[:, :-1]",
            "you added a column of ones and dropped its weight: the model has no bias here",
        ),
    ),
    cases=_singular_cases,
)

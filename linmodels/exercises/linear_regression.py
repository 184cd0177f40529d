"""Exercises of chapter 01, linear regression (notes A 1.1-1.3, D 1)."""

import numpy as np

from linmodels import design, linear_regression

from .grading.cases import regression
from .grading.checker import Case, Exercise, run

chapter = "01"


def _add_bias(X, *, first=False, row=False, value=1.0, append=True):
    if not append:
        return X
    N, d = X.shape
    ones = np.full((1, d) if row else (N, 1), value)
    return np.concatenate([ones, X] if first else [X, ones], axis=0 if row else 1)


def _bias_cases(rng):
    return [
        Case("ordinary data", (rng.normal(size=(5, 3)),)),
        Case("one sample", (rng.normal(size=(1, 4)),)),
        Case("one feature", (rng.normal(size=(6, 1)),)),
        Case("whole numbers", (rng.integers(2, 9, (4, 2)),)),
    ]


add_bias = Exercise(
    stars=1,
    notes="A 1.2",
    ask="From X (N, d), a sample per row, make X~ (N, d + 1): every row x becomes x~ = (x, 1), the 1 last. "
    "Return a new array and leave X as it is.",
    hints=(
        "A column has one entry per sample: how many ones, and in which shape?",
        "np.column_stack([X, ones]) puts vectors beside X as columns; np.ones(len(X)) has one entry per sample.",
    ),
    answer=design.augment,
    variant=_add_bias,
    mistakes={
        "the ones come last, w~ = (w, b); you put them first (as note C does with φ_0 = 1)": {"first": True},
        "you appended a row of ones; every sample needs a 1 of its own: append a column": {"row": True},
        "the new column holds zeros: it must hold ones, or b is multiplied by 0": {"value": 0.0},
        "it returns X as it was: the column of ones is missing": {"append": False},
    },
    cases=_bias_cases,
    also_right=(
        lambda X: np.c_[X, np.ones(len(X))],
        lambda X: np.pad(X, ((0, 0), (0, 1)), constant_values=1),
        lambda X: [[*x, 1] for x in X.tolist()],
    ),
)


def _gradient(w, X, y, *, residuals=lambda p, y: p - y, product=lambda X, r: X.T @ r):
    return 2 * product(X, residuals(X @ w, y))


def _gradient_cases(rng):
    def one(label, N, d):
        return Case(label, (rng.normal(size=d), *regression(rng, N, d)), {"N": N})

    return [one("ordinary data", 7, 3), one("one feature", 9, 1), one("more features than samples", 4, 6)]


squared_error_gradient = Exercise(
    stars=1,
    notes="A 1.2, D 1",
    ask="The gradient (d,) of the loss E(w) = ‖Xw - y‖², a sum over the samples, not a mean, and without 1/2. "
    "X (N, d) is the design matrix as given: add no column; w (d,), y (N,).",
    hints=(
        "Differentiate one term (w·x_i - y_i)² by w: the chain rule leaves a factor, the residual and x_i.",
        "∇E = 2 Σ_i (w·x_i - y_i) x_i: which product of X and the residuals Xw - y is this sum?",
    ),
    answer=linear_regression.gradient,
    variant=_gradient,
    mistakes={
        "the targets are missing: 2XᵀXw is only one half of 2Xᵀ(Xw - y)": {"residuals": lambda p, y: p},
        "the predictions are missing: -2Xᵀy is only one half of 2Xᵀ(Xw - y)": {"residuals": lambda p, y: -y},
        "the residuals are still squared: (Xw - y)² becomes 2(Xw - y) when you differentiate": {
            "residuals": lambda p, y: (p - y) ** 2
        },
        "only signs of the residuals are left: that is the gradient of Σ|w·x_i - y_i|, up to a factor": {
            "residuals": lambda p, y: np.sign(p - y)
        },
        "that is the loss itself; its gradient has one entry per weight": {"product": lambda X, r: r @ r / 2},
        "Xᵀ is missing: by the chain rule each residual multiplies its own sample x_i": {"product": lambda X, r: r},
        "Xᵀ is missing: you only summed the residuals; each multiplies its sample x_i first": {
            "product": lambda X, r: r.sum()
        },
        "the sum over the samples is missing: that is one gradient per sample": {
            "product": lambda X, r: X * r[:, None]
        },
    },
    stops={"ValueError": "samples are the rows of X here; in note D's formulas they are its columns"},
    cases=_gradient_cases,
    factors={
        "-": "the residual is Xw - y; the gradient points uphill",
        "1/2": "the 2 of the square is lost",
        "1/N": "the loss is a sum, not a mean",
    },
    also_right=(
        lambda w, X, y: 2 * sum((x @ w - t) * x for x, t in zip(X, y, strict=True)),
        lambda w, X, y: 2 * (X.T @ X @ w - X.T @ y),
    ),
)


def _gd_step(w, X, y, eta, *, sign=-1, two=2, mean=False, use_eta=True, keep=True, target=True, sweep=False):
    rate = sign * two * (eta if use_eta else 1.0) / (len(X) if mean else 1)
    if not sweep:
        return keep * w + rate * X.T @ (X @ w - target * y)
    w = w.copy()
    for j in range(len(w)):
        w[j] = keep * w[j] + rate * X[:, j] @ (X @ w - target * y)
    return w


def _gd_cases(rng):
    def one(label, N, d):
        X, y = regression(rng, N, d)
        eta = rng.uniform(0.3, 0.6) * linear_regression.largest_step(X)
        return Case(label, ((rng.normal(size=d),), [(X, y, eta)] * 20))

    return [one("a run of 20 steps", 8, 3), one("a run on one feature", 6, 1), one("a run on four features", 12, 4)]


gd_step = Exercise(
    stars=1,
    notes="A 1.2, D 1",
    ask="One step of gradient descent with step eta > 0 on the loss E(w) = ‖Xw - y‖², a sum without 1/2: return "
    "the new w (d,). X (N, d) is the design matrix as given, y (N,); leave w as it is. Whole runs are judged.",
    hints=(
        "Go from w against the gradient; how far is eta times its length.",
        "w - eta * gradient, and the gradient is 2Xᵀ(Xw - y).",
    ),
    answer=lambda w, X, y, eta: w - eta * linear_regression.gradient(w, X, y),
    variant=_gd_step,
    mistakes={
        "it goes uphill: subtract eta times the gradient": {"sign": 1},
        "the 2 is lost: the gradient of ‖Xw - y‖² is 2Xᵀ(Xw - y)": {"two": 1},
        "the gradient is divided by N: the loss is a sum, not a mean": {"mean": True},
        "eta is missing: you go the whole length of the gradient": {"use_eta": False},
        "w itself is missing: the step is added to the old w": {"keep": False},
        "the targets y are missing in the residuals Xw - y": {"target": False},
        "all entries of w must move at once; you used entries that had already moved": {"sweep": True},
    },
    stops={"ValueError": "samples are the rows of X here; in note D's formulas they are its columns"},
    cases=_gd_cases,
    play=run,
    also_right=(lambda w, X, y, eta: w + 2 * eta * X.T @ (y - X @ w),),
)


def _sgd_step(w, x, y, eta, *, sign=-1, two=2, use_eta=True, keep=True, target=True, sample=True, normed=False):
    rate = sign * two * (eta if use_eta else 1.0) / (x @ x if normed else 1)
    return keep * w + rate * (w @ x - target * y) * (x if sample else 1)


def _sgd_cases(rng):
    def one(label, N, d):
        X, y = regression(rng, N, d)
        eta = rng.uniform(0.2, 0.4) / np.max(np.sum(X * X, axis=1))
        return Case(label, ((rng.normal(size=d),), [(X[i], float(y[i]), eta) for i in rng.integers(N, size=20)]))

    return [one("a run of 20 visits", 8, 3), one("a run on one feature", 6, 1), one("a run on four features", 12, 4)]


sgd_step = Exercise(
    stars=1,
    notes="E, LMS",
    ask="One step of stochastic gradient descent with step eta > 0 on the term (w·x - y)² of one sample, without 1/2: "
    "return the new w (d,). x (d,), y a number; leave w as it is. Whole runs are judged.",
    hints=(
        "The sum has one term now: what is the gradient of (w·x - y)² by w?",
        "w - eta * 2(w·x - y)x; w·x - y is a number, x a vector.",
    ),
    answer=lambda w, x, y, eta: w - eta * linear_regression.gradient(w, x[None], [y]),
    variant=_sgd_step,
    mistakes={
        "it goes uphill: subtract eta times the gradient": {"sign": 1},
        "the 2 is lost: the gradient of (w·x - y)² is 2(w·x - y)x": {"two": 1},
        "eta is missing: you go the whole length of the gradient": {"use_eta": False},
        "w itself is missing: the step is added to the old w": {"keep": False},
        "the target y is missing in the residual w·x - y": {"target": False},
        "the factor x is missing: each weight moves in proportion to its feature": {"sample": False},
        "the step is divided by x·x; that is another rule, here eta alone says how far": {"normed": True},
    },
    stops={"ValueError": "x is one sample, an array of d numbers: x * a scales it, x @ w is a number, it has no .T"},
    cases=_sgd_cases,
    play=run,
    also_right=(lambda w, x, y, eta: w + 2 * eta * (y - x @ w) * x,),
)


def _fit(A, y):
    return np.linalg.solve(A.T @ A, A.T @ y)


def _ones_first(X):
    return np.column_stack([np.ones(len(X)), X])


def _slopes(X, y):
    return _fit(X - X.mean(0), y - y.mean())


def _normal_equations(X, y, *, fit=lambda X, y: _fit(_add_bias(X), y)):
    return fit(X, y)


def _fit_cases(rng):
    def one(label, N, d):
        return Case(label, regression(rng, N, d), {"N": N})

    return [one("ordinary data", 9, 3), one("one feature", 6, 1), one("just enough samples", 6, 4)]


normal_equations = Exercise(
    stars=2,
    notes="A 1.2-1.3, D 1",
    ask="The weights and the bias that minimise Σ_i (w·x_i + b - y_i)², as one array w~ = (w, b) of shape (d + 1,), "
    "the bias last. X (N, d) comes without the column of ones, a sample per row; y (N,); the columns of X and the "
    "ones are independent.",
    hints=(
        "First append the ones. Where is the gradient 2X~ᵀ(X~w~ - y) zero?",
        "Solve X~ᵀX~ w~ = X~ᵀy with np.linalg.solve; note D writes XXᵀ because its samples are columns.",
    ),
    answer=lambda X, y: linear_regression.normal_equations(np.column_stack([X, np.ones(len(X))]), y),
    variant=_normal_equations,
    mistakes={
        "the bias is missing: append a column of ones to X first, the answer has d + 1 entries": {"fit": _fit},
        "the bias comes last, w~ = (w, b); you put the ones first": {"fit": lambda X, y: _fit(_ones_first(X), y)},
        "b is missing: w is right, but b = mean(y) - w·mean(x) must follow as the last entry": {"fit": _slopes},
        "w is right, but b is 0: for centred data b = mean(y) - w·mean(x)": {
            "fit": lambda X, y: np.append(_slopes(X, y), 0.0)
        },
        "w is right, but b = mean(y) forgets the means of X: b = mean(y) - w·mean(x)": {
            "fit": lambda X, y: np.append(_slopes(X, y), y.mean())
        },
        "w must be fitted together with b (or on centred data); you fitted w without b and added b after": {
            "fit": lambda X, y: np.append(_fit(X, y), (y - X @ _fit(X, y)).mean())
        },
        "that is X~ᵀy: the system X~ᵀX~ w~ = X~ᵀy is still to be solved": {"fit": lambda X, y: _add_bias(X).T @ y},
        "those are the predictions X~w~; the coefficients w~ are asked for": {
            "fit": lambda X, y: _add_bias(X) @ _fit(_add_bias(X), y)
        },
    },
    stops={"ValueError": "samples are the rows of X here; in note D's formulas they are its columns"},
    cases=_fit_cases,
    also_right=(
        lambda X, y: np.linalg.lstsq(_add_bias(X), y, rcond=None)[0],
        lambda X, y: np.linalg.inv(_add_bias(X).T @ _add_bias(X)) @ _add_bias(X).T @ y,
        lambda X, y: np.append(_slopes(X, y), y.mean() - _slopes(X, y) @ X.mean(0)),
    ),
)


def _basic(X, y):
    """A solution that is 0 outside the first independent columns."""
    used: list[int] = []
    for j in range(X.shape[1]):
        if np.linalg.matrix_rank(X[:, [*used, j]]) > len(used):
            used.append(j)
    w = np.zeros(X.shape[1])
    w[used] = np.linalg.lstsq(X[:, used], y, rcond=None)[0]
    return w


def _from_ones(X, y):
    return 1 + np.linalg.lstsq(X, y - X.sum(axis=1), rcond=None)[0]


def _min_norm(X, y, *, fit=lambda X, y: np.linalg.lstsq(X, y, rcond=None)[0]):
    return fit(X, y)


def _singular_cases(rng):
    wide, tall, collinear = regression(rng, 4, 7), regression(rng, 9, 3), regression(rng, 10, 2)
    repeated = tall[0][:, [0, 1, 2, 1]]
    summed = np.column_stack([collinear[0], collinear[0].sum(axis=1)])
    return [
        Case("fewer samples than weights", wide, {"N": 4}),
        Case("a repeated column", (repeated, tall[1]), {"N": 9}),
        Case("a column that is the sum of the others", (summed, collinear[1]), {"N": 10}),
    ]


min_norm_solution = Exercise(
    stars=2,
    notes="A 1.2",
    ask="Of all w (d,) that minimise ‖Xw - y‖² where XᵀX is singular, the one of least ‖w‖. "
    "X (N, d) is the design matrix as given: add no column; y (N,).",
    hints=(
        "All minimisers differ by some z with Xz = 0. The shortest has none: it combines the rows of X.",
        "w = X⁺y with X⁺ = V S⁺ Uᵀ from X = U S Vᵀ; singular values that are 0 up to rounding are not inverted.",
    ),
    answer=linear_regression.minimum_norm,
    variant=_min_norm,
    mistakes={
        "it minimises the loss, but is not the shortest: you set w_j = 0 in the columns that depend on earlier ones": {
            "fit": _basic
        },
        "it minimises the loss, but is the minimiser nearest to (1, ..., 1): start from w = 0 instead": {
            "fit": _from_ones
        },
        "w = 0 is the shortest of all w, but does not minimise the loss": {"fit": lambda X, y: np.zeros(X.shape[1])},
        "X is the design matrix as given; you added a column of ones": {"fit": lambda X, y: _min_norm(_add_bias(X), y)},
        "that is Xᵀy; it still has to be multiplied by the pseudo-inverse of XᵀX": {"fit": lambda X, y: X.T @ y},
        "those are the predictions Xw; the weights w are asked for": {"fit": lambda X, y: X @ _min_norm(X, y)},
    },
    stops={"LinAlgError": "XᵀX has no inverse here, that is the point: use the pseudoinverse or the SVD of X"},
    cases=_singular_cases,
    also_right=(
        lambda X, y: np.linalg.pinv(X, rcond=1e-12) @ y,
        lambda X, y: X.T @ np.linalg.pinv(X @ X.T, rcond=1e-12) @ y,
    ),
)


def _largest_step(X, *, columns=lambda X: X, step=lambda lam: 1 / lam[-1]):
    return step(np.linalg.eigvalsh(columns(X).T @ columns(X)))


def _step_cases(rng):
    def one(label, N, scales):
        X = rng.normal(size=(N, len(scales))) * scales + 1
        return Case(label, (X,), {"N": N, "d": len(scales)})

    return [
        one("ordinary data", 7, [1, 1, 1]),
        one("columns of different size", 9, [10, 1, 0.5, 2]),
        one("two features", 5, [1, 2]),
    ]


largest_stable_step = Exercise(
    stars=3,
    notes="A 1.2, D 1",
    ask="The number below which every eta > 0 makes w ← w - eta · 2Xᵀ(Xw - y) converge from any start, and above which "
    "it diverges from almost all: the loss is the sum ‖Xw - y‖². X (N, d) as given, of rank d. Return a number.",
    hints=(
        "The error e = w - w* obeys e ← (I - 2 eta XᵀX)e. By what is it multiplied along an eigenvector of XᵀX?",
        "|1 - 2 eta λ| < 1 for all eigenvalues λ of XᵀX; the largest decides. np.linalg.eigvalsh gives them in order.",
    ),
    answer=linear_regression.largest_step,
    variant=_largest_step,
    mistakes={
        "the smallest eigenvalue does not decide: along the largest the steps would already diverge": {
            "step": lambda lam: 1 / lam[0]
        },
        "that is 1/σ_max(X); the eigenvalues of XᵀX are the squares of the singular values": {
            "step": lambda lam: 1 / np.sqrt(lam[-1])
        },
        "1/trace(XᵀX) is safe, but not the largest: the trace is the sum of all eigenvalues": {
            "step": lambda lam: 1 / lam.sum()
        },
        "that is the largest eigenvalue; the step is its inverse": {"step": lambda lam: lam[-1]},
        "1/(λ_max + λ_min) is the fastest step, not the largest": {"step": lambda lam: 1 / (lam[-1] + lam[0])},
        "X is the design matrix as given; you added a column of ones": {"columns": _add_bias},
    },
    cases=_step_cases,
    factors={
        "2": "the Hessian is 2XᵀX: the bound is 2 divided by 2λ_max",
        "1/2": "the bound is 2 divided by the largest eigenvalue 2λ_max of the Hessian, not 1",
        "N": "the loss is a sum, not a mean",
    },
    also_right=(lambda X: np.linalg.norm(X, 2) ** -2, lambda X: [1 / np.linalg.svd(X)[1].max() ** 2][0]),
)

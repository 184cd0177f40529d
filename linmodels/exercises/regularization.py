"""Exercises of chapter 02, regularization (notes A 1.2, 1.3). The squared error is a sum and stands without 1/2."""

import numpy as np

from linmodels import regularization

from .grading.cases import regression
from .grading.checker import Case, Exercise, Refused

chapter = "02"


def _ones(X):
    return np.column_stack([X, np.ones(len(X))])


def _penalized(A, y, costs):
    return np.linalg.solve(A.T @ A + costs, A.T @ y)


def _every_column(X, y, lam):
    return _penalized(_ones(X), y, lam * np.eye(X.shape[1] + 1))


def _all_but_last(X, y, lam):
    return _penalized(_ones(X), y, lam * np.diag([1.0] * X.shape[1] + [0.0]))


def _without_bias(X, y, lam):
    return _penalized(X, y, lam * np.eye(X.shape[1]))


def _ones_first(X, y, lam):
    return _penalized(np.column_stack([np.ones(len(X)), X]), y, lam * np.eye(X.shape[1] + 1))


def _every_entry(X, y, lam):
    return _penalized(_ones(X), y, lam)


def _norm_itself(X, y, lam):
    """arg min ‖X~w - y‖² + λ‖w‖: ridge with the μ for which 2μ‖w‖ = λ, or 0 where no μ is large enough."""
    e, V = np.linalg.eigh(_ones(X).T @ _ones(X))
    c = V.T @ _ones(X).T @ y
    low, high = 1e-12, 1e12
    for _ in range(100):
        mu = np.sqrt(low * high)
        low, high = (mu, high) if 2 * mu * np.linalg.norm(c / (e + mu)) < lam else (low, mu)
    return V @ (c / (e + mu))


def _ridge(X, y, lam, *, fit=_every_column, weight=lambda lam, N: lam):
    return fit(X, y, weight(lam, len(X)))


def _ridge_cases(rng):
    def one(label, N, d):
        return Case(label, (*regression(rng, N, d), rng.uniform(2.5, 6)), {"N": N})

    first, *others = one("ordinary data", 9, 3), one("one feature", 7, 1), one("four features", 12, 4)
    X, y, lam = first.args
    return [first, *others, Case("the first data with -y", (X, -y, lam), first.sizes)]


ridge = Exercise(
    stars=1,
    notes="A 1.2, 1.3",
    ask="The w~ = (w, b) of shape (d + 1,), the bias last, that minimises ‖X~w~ - y‖² + lam ‖w~‖², where X~ is X with "
    "a column of ones appended: as in note A, b is penalised like the weights, and there is no 1/2 and no mean. "
    "X (N, d) comes without the ones, y (N,), lam > 0 a number.",
    hints=(
        "Where is the gradient 2X~ᵀ(X~w~ - y) + 2 lam w~ zero? Both terms have the same factor.",
        "Solve (X~ᵀX~ + lam I)w~ = X~ᵀy; np.eye(d + 1) is I.",
    ),
    answer=lambda X, y, lam: regularization.ridge_normal_equations(np.column_stack([X, np.ones(len(X))]), y, lam),
    variant=_ridge,
    mistakes={
        "b is left free; here, as note A writes it, lam ‖w~‖² holds b too: lam stands in all d + 1 places": {
            "fit": _all_but_last
        },
        "lam is added to every entry of X~ᵀX~; lam I has it on the diagonal only": {"fit": _every_entry},
        "the norm is not squared (note A 1.3 prints it so, erratum A08): the penalty is lam ‖w~‖²": {
            "fit": _norm_itself
        },
        "the bias is missing: append a column of ones to X first, the answer has d + 1 entries": {"fit": _without_bias},
        "the bias comes last, w~ = (w, b); you put the ones first": {"fit": _ones_first},
        "lam I is added to X~ᵀX~, not subtracted": {"weight": lambda lam, N: -lam},
        "lam is missing: that is least squares": {"fit": lambda X, y, lam: np.linalg.lstsq(_ones(X), y, rcond=None)[0]},
        "that is least squares divided by 1 + lam; ridge is that only for orthonormal columns": {
            "fit": lambda X, y, lam: np.linalg.lstsq(_ones(X), y, rcond=None)[0] / (1 + lam)
        },
        "those are the predictions X~w~; the coefficients w~ are asked for": {
            "fit": lambda X, y, lam: _ones(X) @ _every_column(X, y, lam)
        },
        "that is X~ᵀy divided by its penalty alone; the system with X~ᵀX~ + lam I is to be solved": {
            "fit": lambda X, y, lam: _ones(X).T @ y / lam
        },
        "you took N lam: the squared error is a sum, not a mean": {"weight": lambda lam, N: N * lam},
        "you took lam/N: the squared error is a sum, not a mean": {"weight": lambda lam, N: lam / N},
        "you took lam/2: the penalty is lam ‖w~‖², its gradient 2 lam w~; the 2 is that of 2X~ᵀ(X~w~ - y)": {
            "weight": lambda lam, N: lam / 2
        },
        "you took 2 lam: the 2 of the gradient 2 lam w~ cancels that of 2X~ᵀ(X~w~ - y)": {
            "weight": lambda lam, N: 2 * lam
        },
        "you used lam²; lam itself stands on the diagonal (and √lam in rows below X~)": {
            "weight": lambda lam, N: lam**2
        },
    },
    stops={"LinAlgError": "X~ᵀX~ + lam I has an inverse for every lam > 0: is lam on its diagonal?"},
    cases=_ridge_cases,
    also_right=(
        lambda X, y, lam: np.linalg.inv(_ones(X).T @ _ones(X) + lam * np.eye(X.shape[1] + 1)) @ _ones(X).T @ y,
        lambda X, y, lam: _ones(X).T @ np.linalg.solve(_ones(X) @ _ones(X).T + lam * np.eye(len(X)), y),
        lambda X, y, lam: np.linalg.lstsq(
            np.vstack([_ones(X), np.sqrt(lam) * np.eye(X.shape[1] + 1)]), np.append(y, np.zeros(X.shape[1] + 1))
        )[0],
    ),
)


def _hard(a, t):
    return np.where(np.abs(a) > t, a, 0.0)


def _soft(a, t):
    return np.where(a > t, a - t, np.where(a < -t, a + t, 0.0))


def _soft_threshold(a, t, *, rule=_soft, limit=lambda t: t):
    return rule(a, limit(t))


def _soft_cases(rng):
    def one(label, a, t):
        return Case(label, (np.append(a, rng.normal(size=6) * 2 * t), float(t)))

    return [
        one("|a| = t among them", np.array([-4, -2.5, -2, -1, 0, 0.5, 2, 3]), 2),
        one("a small t", np.array([-0.25, 0.25, 1, -1]), 0.25),
        one("a large t", np.array([5.0, -5, 9, -9, 4, -1, 0]), 5),
    ]


soft_threshold = Exercise(
    stars=1,
    notes="A 1.2",
    ask="The soft threshold S(a, t), entry by entry: the number w that minimises ½(w - a)² + t|w|. Every entry moves "
    "towards 0 by t, and those with |a| <= t become 0. a (m,), t > 0 a number; return (m,).",
    hints=(
        "Three cases: a > t, a < -t, and what lies between. What is left of a in each?",
        "The length that is left is max(|a| - t, 0), and it keeps the sign of a.",
    ),
    answer=regularization.soft_threshold,
    variant=_soft_threshold,
    mistakes={
        "that is the hard threshold: the entries that stay must move towards 0 by t": {"rule": _hard},
        "that is the hard threshold, and it keeps |a| = t: all entries must move towards 0 by t": {
            "rule": lambda a, t: np.where(np.abs(a) >= t, a, 0.0)
        },
        "the negative side is lost: for a < -t the result is a + t": {"rule": lambda a, t: np.maximum(a - t, 0)},
        "the sign of a is lost: for a < -t the result is a + t < 0": {
            "rule": lambda a, t: np.maximum(np.abs(a) - t, 0)
        },
        "max(..., 0) is missing: entries with |a| < t jump to the other side of 0": {
            "rule": lambda a, t: np.sign(a) * (np.abs(a) - t)
        },
        "t is subtracted from every entry; each must move towards 0, and stop there": {"rule": lambda a, t: a - t},
        "below -t you subtract t too, away from 0: there the result is a + t": {
            "rule": lambda a, t: np.where(np.abs(a) > t, a - t, 0.0)
        },
        "that is what is cut off, a - S(a, t): a held between -t and t": {"rule": lambda a, t: np.clip(a, -t, t)},
        "above t you add t, below -t you subtract it: the entries move away from 0": {
            "rule": lambda a, t: np.where(np.abs(a) > t, a + t * np.sign(a), 0.0)
        },
        "that is the shrinkage a/(1 + t) of the penalty t w²/2; t|w| takes the same t from every entry": {
            "rule": lambda a, t: a / (1 + t)
        },
        "every answer is 0: only entries between -t and t become 0, the others move towards 0 by t": {
            "rule": lambda a, t: 0 * a
        },
        "only signs are left: entries beyond t are ±(|a| - t)": {"rule": lambda a, t: np.sign(_soft(a, t))},
        "you took t/2: S(a, t) moves by t itself": {"limit": lambda t: t / 2},
        "you took 2t: ½(w - a)² has the slope w - a, so S(a, t) moves by t itself": {"limit": lambda t: 2 * t},
    },
    stops={"ValueError": "a is an array: use np.where and np.maximum, not if and max"},
    cases=_soft_cases,
    also_right=(
        lambda a, t: a - np.clip(a, -t, t),
        lambda a, t: np.maximum(a - t, 0) + np.minimum(a + t, 0),
        lambda a, t: a * np.maximum(1 - t / np.maximum(np.abs(a), 1e-300), 0),
    ),
)


def _centered(X, y, lam):
    return _without_bias(X - X.mean(axis=0), y - y.mean(), lam)


def _with_bias(w, X, y):
    return np.append(w, y.mean() - w @ X.mean(axis=0))


def _standardized(X, y, lam):
    return _centered(X / X.std(axis=0), y, lam)


def _ones_first_and_free(X, y, lam):
    return np.roll(_all_but_last(X, y, lam), 1)


def _penalized_after(X, y, lam):
    w = _every_column(X, y, lam)[:-1]
    return _with_bias(w, X, y)


def _fitted_apart(X, y, lam):
    return _with_bias(_without_bias(X, y, lam), X, y)


def _targets_centered(X, y, lam):
    return np.append(_without_bias(X, y - y.mean(), lam), y.mean())


def _targets_centered_only(X, y, lam):
    return _with_bias(_without_bias(X, y - y.mean(), lam), X, y)


def _one_mean(X, y, lam):
    return _without_bias(X - X.mean(), y - y.mean(), lam)


def _last_for_first(X, y, lam):
    return _penalized(_ones(X), y, lam * np.diag([0.0] + [1.0] * X.shape[1]))


ridge_free_bias = Exercise(
    stars=2,
    notes="A 1.2, erratum A06",
    ask="The w~ = (w, b) of shape (d + 1,), the bias last, that minimises Σ_i (w·x_i + b - y_i)² + lam ‖w‖²: the "
    "weights are penalised, the bias is not, so that y + c only moves b by c. A sum without 1/2. X (N, d) comes "
    "without the ones, y (N,), lam > 0 a number.",
    hints=(
        "Set the derivative by b to zero: what does it say about b, the mean of y and the mean of X?",
        "Ridge on X - mean(X) and y - mean(y) gives w, then b = mean(y) - w·mean(x); or lam I ends in a 0.",
    ),
    answer=lambda X, y, lam: regularization.ridge_normal_equations(
        np.column_stack([X, np.ones(len(X))]), y, np.append(np.full(X.shape[1], lam), 0)
    ),
    variant=lambda X, y, lam, *, fit=_all_but_last, weight=lambda lam, N: lam: fit(X, y, weight(lam, len(X))),
    mistakes={
        "b is penalised too: the last place of lam I must be 0": {"fit": _every_column},
        "w is ridge with a penalised b, only b was computed anew; a free b changes w too": {"fit": _penalized_after},
        "w must be fitted together with b (or on centred data); you fitted w without b and added b after": {
            "fit": _fitted_apart
        },
        "X is not centred; with y centred alone w still has to carry the means of X, and b = mean(y) is wrong": {
            "fit": _targets_centered
        },
        "b follows from the means, but w was fitted with y centred alone: centre X too": {
            "fit": _targets_centered_only
        },
        "b is missing: w is right, but b = mean(y) - w·mean(x) must follow as the last entry": {"fit": _centered},
        "w is right, but b is 0: for centred data b = mean(y) - w·mean(x)": {
            "fit": lambda X, y, lam: np.append(_centered(X, y, lam), 0.0)
        },
        "w is right, but b = mean(y) forgets the means of X: b = mean(y) - w·mean(x)": {
            "fit": lambda X, y, lam: np.append(_centered(X, y, lam), y.mean())
        },
        "the bias is missing: append a column of ones to X (or centre); the answer has d + 1 entries": {
            "fit": _without_bias
        },
        "the weights are left free and b is penalised: the 0 belongs in the last place of lam I": {
            "fit": lambda X, y, lam: _penalized(_ones(X), y, lam * np.diag([0.0] * X.shape[1] + [1.0]))
        },
        "X was standardised, and w and b = mean(y) are those of the new columns: they are asked for X as it is given": {
            "fit": lambda X, y, lam: np.append(_standardized(X, y, lam), y.mean())
        },
        "X was standardised, and the new columns' w used for X as it is: centre X, but do not divide it": {
            "fit": lambda X, y, lam: _with_bias(_standardized(X, y, lam), X, y)
        },
        "X was standardised, and w taken back: but then lam fell on w_j std(x_j), not on w_j": {
            "fit": lambda X, y, lam: _with_bias(_standardized(X, y, lam) / X.std(axis=0), X, y)
        },
        "the bias comes last, w~ = (w, b); you put it first": {"fit": _ones_first_and_free},
        "w is right, but b has a wrong sign in it: b = mean(y) - w·mean(x), not +": {
            "fit": lambda X, y, lam: np.append(_centered(X, y, lam), y.mean() + _centered(X, y, lam) @ X.mean(axis=0))
        },
        "w was fitted without b, and b is 0: fit both together, or w on centred data": {
            "fit": lambda X, y, lam: np.append(_without_bias(X, y, lam), 0.0)
        },
        "w is right, but b has the wrong sign: b = mean(y) - w·mean(x), not w·mean(x) - mean(y)": {
            "fit": lambda X, y, lam: np.append(_centered(X, y, lam), _centered(X, y, lam) @ X.mean(axis=0) - y.mean())
        },
        "the 0 in lam I must stand where the ones stand: last": {"fit": _last_for_first},
        "X was centred by X.mean(), one number for all; each column has its own mean: X.mean(axis=0)": {
            "fit": lambda X, y, lam: _with_bias(_one_mean(X, y, lam), X, y)
        },
        "X was centred and b computed by X.mean(), one number for all; each column has its own mean: X.mean(axis=0)": {
            "fit": lambda X, y, lam: np.append(_one_mean(X, y, lam), y.mean() - _one_mean(X, y, lam).sum() * X.mean())
        },
        "w is right, but b was computed by X.mean(), one number; each column has its own mean: X.mean(axis=0)": {
            "fit": lambda X, y, lam: np.append(_centered(X, y, lam), y.mean() - _centered(X, y, lam).sum() * X.mean())
        },
        "w * X.mean() is an array, w·mean(x) a number; each column has its own mean: X.mean(axis=0)": {
            "fit": lambda X, y, lam: np.append(_one_mean(X, y, lam), y.mean() - _one_mean(X, y, lam) * X.mean())
        },
        "lam is added to every entry; it belongs on the diagonal, but for the last place": {"fit": _every_entry},
        "lam is missing: that is least squares": {"weight": lambda lam, N: 0.0},
        "you took N lam: the squared error is a sum, not a mean": {"weight": lambda lam, N: N * lam},
        "you took lam/N: the squared error is a sum, not a mean": {"weight": lambda lam, N: lam / N},
        "you took lam/2: the penalty is lam ‖w‖², its gradient 2 lam w; the 2 is that of the squared error": {
            "weight": lambda lam, N: lam / 2
        },
        "you took 2 lam: the 2 of the gradient 2 lam w cancels that of the squared error": {
            "weight": lambda lam, N: 2 * lam
        },
    },
    stops={"enough dimensions": "each column has its own mean: X.mean(axis=0)"},
    cases=_ridge_cases,
    also_right=(
        lambda X, y, lam: _with_bias(_centered(X, y, lam), X, y),
        lambda X, y, lam: _with_bias(_without_bias(X - X.mean(axis=0), y, lam), X, y),  # y need not be centred then
        lambda X, y, lam: np.linalg.lstsq(
            np.vstack([_ones(X), np.sqrt(lam) * np.eye(X.shape[1], X.shape[1] + 1)]), np.append(y, np.zeros(X.shape[1]))
        )[0],
    ),
)


def _square(f, *args):
    """‖Aw - c‖² = w·AᵀAw - 2w·Aᵀc + c·c: all that it says of (A, c), whatever the rows and their order."""
    A, c = f(*args)
    if A.ndim != 2 or c.ndim != 1:
        raise Refused(f"A must be a matrix and c a vector; they are of shape {A.shape} and {c.shape}")
    if len(A) != len(c):
        raise Refused(f"A has {len(A)} rows but c has {len(c)} entries: every row needs its target")
    return [A.T @ A, A.T @ c, c @ c]


def _rows(X, y, lam, *, columns=lambda X: X, root=lambda lam, N: np.sqrt(lam), below=np.eye, pad=lambda lam: 0.0):
    X = columns(X)
    B = root(lam, len(X)) * below(X.shape[1])
    return np.vstack([X, B]), np.append(y, np.full(len(B), pad(lam)))


def _wide(X, y, lam, **switches):
    return np.hstack([X, np.sqrt(lam) * np.eye(len(X))]), y


def _normal_equations(X, y, lam, **switches):
    return X.T @ X + lam * np.eye(X.shape[1]), X.T @ y


def _triangle(X, y, lam, **switches):
    """d rows of the same minimum, R and Qᵀy."""
    Q, R = np.linalg.qr(_rows(X, y, lam)[0])
    return R, Q.T @ _rows(X, y, lam)[1]


def _rows_or_columns(X, y, lam, *, append=_rows, **switches):
    return append(X, y, lam, **switches)


ridge_as_least_squares = Exercise(
    stars=2,
    notes="A 1.2",
    ask="Ridge is least squares on more rows: return (A, c), A with d columns and c with one entry per row of A, so "
    "that ‖Aw - c‖² = ‖Xw - y‖² + lam ‖w‖² for every w (d,). The order of the rows is free. X (N, d) is the design "
    "matrix as given: add no column; every w_j is penalised. y (N,), lam > 0 a number.",
    hints=(
        "The penalty is Σ_j lam w_j². Write one term as (a·w - c)²: which row a, which target c?",
        "d rows more: below X stands √lam I, below y stand d zeros.",
    ),
    answer=regularization.ridge_rows,
    variant=_rows_or_columns,
    mistakes={
        "the rows below X are lam I; squared, their penalty would be lam² ‖w‖²: take √lam I": {
            "root": lambda lam, N: lam
        },
        "the rows below X are I: √lam is missing, the penalty would be ‖w‖²": {"root": lambda lam, N: 1.0},
        "you took √(lam/2): the penalty is lam ‖w‖², without 1/2": {"root": lambda lam, N: np.sqrt(lam / 2)},
        "you took √(2 lam): the penalty is lam ‖w‖²": {"root": lambda lam, N: np.sqrt(2 * lam)},
        "you took √(N lam): the squared error is a sum, not a mean": {"root": lambda lam, N: np.sqrt(N * lam)},
        "the new rows' targets are ones: that draws the weights to 1/√lam; they must be zeros": {
            "pad": lambda lam: 1.0
        },
        "the new rows' targets are √lam: that draws the weights to 1; they must be zeros": {"pad": np.sqrt},
        "the new rows' targets are lam: that draws the weights to √lam; they must be zeros": {"pad": lambda lam: lam},
        "you appended columns, that is new weights; the penalty needs new rows": {"append": _wide},
        "these are the normal equations (XᵀX + lam I, Xᵀy); wanted: rows A, c, say N + d, with ‖Aw - c‖² as the loss": {
            "append": _normal_equations
        },
        "‖Aw - c‖² has the right minimum, but is less than the loss by a constant: c·c must be y·y": {
            "append": _triangle
        },
        "one row of √lam penalises (Σ_j w_j)²; every weight needs a row of its own": {
            "below": lambda d: np.ones((1, d))
        },
        "all entries below X are √lam; √lam I has them on the diagonal only": {"below": lambda d: np.ones((d, d))},
        "the last weight has no penalty; here every column of X is penalised": {"below": lambda d: np.eye(d)[:-1]},
        "X is the design matrix as given; you added a column of ones": {"columns": _ones},
        "there is no penalty in it: that is least squares": {"below": lambda d: np.zeros((d, d))},
    },
    stops={"ValueError": "np.vstack puts rows below rows: X (N, d) and I (d, d); c has N + d entries"},
    cases=lambda rng: [
        Case(label, (*regression(rng, N, d), rng.uniform(2.5, 6)))
        for label, N, d in (("ordinary data", 7, 3), ("two features", 9, 2), ("more features than samples", 4, 6))
    ],
    play=_square,
    judged=("AᵀA", "Aᵀc", "c·c"),
    also_right=(
        lambda X, y, lam: (np.vstack([np.sqrt(lam) * np.eye(X.shape[1]), X]), [0.0] * X.shape[1] + list(y)),
        lambda X, y, lam: (-np.concatenate([X, np.eye(X.shape[1]) * lam**0.5]), -np.pad(y, (0, X.shape[1]))),
    ),
)


def _sweeps(f, w, X, y, *penalty):
    """Three times over the columns, each new w_j put into w before the next: the new weights in the order they came."""
    path = []
    for j in [*range(len(w))] * 3:
        [new] = f(j, w, X, y, *penalty)
        if new.shape:
            raise Refused(f"it must return the new w_j alone, a number; an array of shape {new.shape} came out")
        w = w.copy()
        w[j] = new
        path.append(new)
    return [np.array(path)]


def _residual(j, w, X, y):
    others = w.copy()
    others[j] = 0
    return y - X @ others


def _full_residual(j, w, X, y):
    return y - X @ w


def _targets(j, w, X, y):
    return y


def _negative_residual(j, w, X, y):
    return -_residual(j, w, X, y)


def _mean_residual(j, w, X, y):
    return _residual(j, w, X, y) / len(y)


def _residual_by_square(j, w, X, y):
    return _residual(j, w, X, y) / (X[:, j] @ X[:, j])


def _after_small_step(j, w, X, y):
    """The r for which x_j·r = w_j - eta·slope, with eta = 1/(2‖X‖²)."""
    x = X[:, j]
    return w[j] * x / (x @ x) + (y - X @ w) / np.linalg.norm(X, 2) ** 2


def _old(a, old):
    return old


def _shrunk(a, t):
    return max(a - t, 0.0) + min(a + t, 0.0)


def _kept(a, t):
    return a if abs(a) > t else 0.0


def _positive(a, t):
    return max(a - t, 0.0)


def _unchanged(a, t):
    return a


def _nothing(a, t):
    return 0.0


def _two_cases(a, t):
    return a - t if a > t else a + t


def _between_kept(a, t):
    return a if abs(a) <= t else _shrunk(a, t)


_COLUMN = {
    "truth value": "x_j·r is one number: X[:, j] @ r",
    "ValueError": "X[j] is sample j; column j is X[:, j]",
    "TypeError": "x_j·r is one number, not an array",
    "IndexError": "j counts from 0; X[:, j] is the column x_j, w[j] its weight",
}


def _lasso_coordinate(
    j,
    w,
    X,
    y,
    lam,
    *,
    residual=_residual,
    threshold=lambda lam, x: lam / 2,
    of=lambda a, old: a,
    rule=_shrunk,
    sign=None,
    length=lambda x, lam: x @ x,
    keep=0,
):
    x = X[:, j]
    new = rule(of(x @ residual(j, w, X, y), w[j]), threshold(lam, x)) / length(x, lam)
    return keep * w[j] + (new if sign is None else sign(w[j]) * abs(new))


def _sparse(rng, N, d):
    """X (N, d) and y (N,) that needs weights of both signs, and a start w."""
    X = rng.normal(size=(N, d)) + 0.5
    signs = np.resize([1.0, -1.0], d) * rng.choice([-1, 1])
    return rng.normal(size=d), X, X @ (signs * rng.uniform(2, 4, d) * (np.arange(d) != 2)) + rng.normal(size=N)


def _runs(rng, *rho):
    """Weights that become 0, and with a small lam that do not: these start beyond any threshold, each with the sign
    it will not keep. One run mirrored: no sign is right by chance."""

    def one(label, N, d, part, start=lambda w, X, y: w):
        w, X, y = _sparse(rng, N, d)
        return Case(label, (start(w, X, y), X, y, part * regularization.smallest_zero_lam(X, y, *rho), *rho))

    first = one("3 sweeps over three columns", 9, 3, 0.8)
    w, X, y, *penalty = first.args
    return [
        first,
        one("3 sweeps over five columns from w = 0", 14, 5, 0.35, start=lambda w, X, y: 0 * w),
        one("3 sweeps with a small lam", 7, 4, 0.02, start=lambda w, X, y: -4 * np.linalg.lstsq(X, y, rcond=None)[0]),
        Case("the first run with -w and -y", (-w, X, -y, *penalty)),
    ]


lasso_coordinate = Exercise(
    stars=3,
    notes="A 1.2",
    ask="The w_j that minimises ‖Xw - y‖² + lam ‖w‖₁, a sum without 1/2, while all other weights stay as they are: "
    "return this number, and leave w as it is. j counts from 0; w (d,), X (N, d) the design matrix as given, y (N,), "
    "lam > 0 a number. Whole runs are judged: 3 sweeps over the columns, each new w_j put into w.",
    hints=(
        "Without the term of x_j the residual is r = y - Σ_{k≠j} w_k x_k. What is left is ‖w_j x_j - r‖² + lam |w_j|.",
        "Divide by 2 x_j·x_j: ½(w_j - a)² + t|w_j| with a = x_j·r/x_j·x_j and t = (lam/2)/x_j·x_j, so w_j = S(a, t).",
    ),
    answer=lambda j, w, X, y, lam: regularization.coordinate_step(j, w, X, y, lam),
    variant=_lasso_coordinate,
    mistakes={
        "the threshold is lam/2, not lam: ‖Xw - y‖² stands without 1/2": {"threshold": lambda lam, x: lam},
        "the threshold is lam/2, not N lam: ‖Xw - y‖² stands without 1/(2N)": {
            "threshold": lambda lam, x: len(x) * lam
        },
        "the threshold is lam/2, not lam/4: S(x_j·r, lam/2)/x_j·x_j": {"threshold": lambda lam, x: lam / 4},
        "the threshold is lam/2, not 2 lam: ‖w_j x_j - r‖² has the slope 2(x_j·x_j w_j - x_j·r); divide by its 2": {
            "threshold": lambda lam, x: 2 * lam
        },
        "the threshold is lam/2, not N lam/2: x_j·r and x_j·x_j are sums, not means": {
            "threshold": lambda lam, x: len(x) * lam / 2
        },
        "x_j·r is divided by N: it is a sum, not a mean": {"residual": _mean_residual},
        "every answer is 0: what is left of x_j·r beyond lam/2, divided by x_j·x_j, is the new w_j": {"rule": _nothing},
        "x_j·r is missing: you shrink the old w_j, which does not enter at all": {
            "of": _old,
            "length": lambda x, lam: 1.0,
        },
        "x_j·r is missing: you shrink the old w_j and divide it by x_j·x_j; it does not enter at all": {"of": _old},
        "the sign is that of x_j·r, not that of the old w_j": {"sign": np.sign},
        "the penalty's slope is taken at the old w_j, lam sign(w_j); the new w_j has its own sign, or is 0": {
            "of": lambda a, old: (a, np.sign(old)),
            "rule": lambda a, t: a[0] - t * a[1],
        },
        "between -lam/2 and lam/2 the new w_j is 0; you took x_j·r + lam/2 there": {"rule": _two_cases},
        "between -lam/2 and lam/2 the new w_j is 0; you left x_j·r there as it is": {"rule": _between_kept},
        "dividing by x_j·x_j comes after the threshold (or divide the threshold too)": {
            "threshold": lambda lam, x: lam / 2 * (x @ x)
        },
        "the threshold of a step eta is eta lam: S(w_j - eta slope, eta lam), here with eta = 1/(2 x_j·x_j)": {
            "threshold": lambda lam, x: lam * (x @ x)
        },
        "the threshold of a step eta is eta lam, not lam; and eta is to be 1/(2 x_j·x_j): then S gives the minimum": {
            "residual": _after_small_step,
            "threshold": lambda lam, x: lam,
            "length": lambda x, lam: 1.0,
        },
        "the own term w_j x_j is still in the residual: r = y - Σ_{k≠j} w_k x_k": {"residual": _full_residual},
        "the other weights are missing in the residual: r = y - Σ_{k≠j} w_k x_k": {"residual": _targets},
        "the residual has the wrong sign: r = y - Σ_{k≠j} w_k x_k": {"residual": _negative_residual},
        "the step from the full residual is added to w_j; the threshold must act on x_j·r, r without w_j x_j": {
            "residual": _full_residual,
            "keep": 1,
        },
        "the old w_j is added: S(x_j·r, lam/2)/x_j·x_j is the new w_j itself": {"keep": 1},
        "dividing by x_j·x_j is missing": {"length": lambda x, lam: 1.0},
        "you divide by N; it is x_j·x_j, which is N only for columns scaled so": {"length": lambda x, lam: len(x)},
        "you divide by ‖x_j‖; it is x_j·x_j = ‖x_j‖²": {"length": lambda x, lam: np.sqrt(x @ x)},
        "that is twice the w_j: S(2x_j·r, lam) belongs over 2 x_j·x_j": {"length": lambda x, lam: x @ x / 2},
        "you divide by 2 x_j·x_j: the 2 of the gradient is used up by lam/2": {"length": lambda x, lam: 2 * (x @ x)},
        "that is ridge's w_j = x_j·r/(x_j·x_j + lam); |w_j| takes a threshold": {
            "rule": _unchanged,
            "length": lambda x, lam: x @ x + lam,
        },
        "the threshold is missing: that is the least-squares w_j": {"rule": _unchanged},
        "that is a hard threshold: beyond lam/2, x_j·r must move towards 0 by lam/2": {"rule": _kept},
        "the negative side is lost: the threshold is sign(a) max(|a| - t, 0)": {"rule": _positive},
        "the sign of x_j·r is lost: the threshold is sign(a) max(|a| - t, 0)": {
            "rule": lambda a, t: max(abs(a) - t, 0.0)
        },
        "max(..., 0) is missing: below the threshold w_j is 0": {"rule": lambda a, t: a - t * np.sign(a)},
    },
    stops=_COLUMN,
    cases=_runs,
    play=_sweeps,
    also_right=(
        lambda j, w, X, y, lam: _shrunk(2 * X[:, j] @ _residual(j, w, X, y), lam) / (2 * X[:, j] @ X[:, j]),
        lambda j, w, X, y, lam: _shrunk(
            w[j] + X[:, j] @ (y - X @ w) / (X[:, j] @ X[:, j]), lam / 2 / (X[:, j] @ X[:, j])
        ),
    ),
)


def _lambda_max(X, y, *, centre=False, columns=lambda X: X, of=lambda X, y: X.T @ y, size=lambda c: np.abs(c).max()):
    if centre:
        X, y = X - X.mean(axis=0), y - y.mean()
    return 2 * size(of(columns(X), y))


def _lambda_cases(rng):
    """The x_j·y that is largest in size has this sign and this place j, the others have the other sign."""

    def one(label, N, d, scale, sign, place):
        X = rng.normal(size=(N, d)) + 0.5
        y = X @ rng.normal(size=d) + rng.normal(size=N)
        X, y = scale * X, y - y.mean() + 2
        c = X.T @ y
        largest = np.arange(d) == np.abs(c).argmax()
        X = np.roll(X * np.sign(c) * np.where(largest, sign, -sign), place - largest.argmax(), axis=1)
        return Case(label, (X, y), {"N": N, "d": d})

    return [
        one("ordinary data", 9, 3, 1, -1, 1),
        one("small features", 7, 2, 0.1, -1, 0),
        one("four features", 12, 4, 1, 1, 2),
    ]


lasso_lambda_max = Exercise(
    stars=3,
    notes="A 1.2",
    ask="The smallest lam for which w = 0 minimises ‖Xw - y‖² + lam ‖w‖₁, a sum without 1/2: the lasso's path starts "
    "there. X (N, d) is the design matrix as given, every column penalised, nothing centred; y (N,). Return a number.",
    hints=(
        "At w = 0 the penalty's slope by w_j is anything between -lam and lam. What is the slope of ‖Xw - y‖² there?",
        "w = 0 is the minimum where |2x_j·y| <= lam for all j.",
    ),
    answer=regularization.smallest_zero_lam,
    variant=_lambda_max,
    mistakes={
        "the absolute value is missing: a large negative x_j·y keeps w_j from 0 too": {"size": lambda c: c.max()},
        "that is the 2-norm of 2Xᵀy (right for the penalty ‖w‖ not squared); ‖w‖₁ asks for the largest entry": {
            "size": np.linalg.norm
        },
        "that is the sum of the |2x_j·y|; the largest decides": {"size": lambda c: np.abs(c).sum()},
        "the smallest |2x_j·y| does not decide: all of them must be <= lam, so the largest does": {
            "size": lambda c: np.abs(c).min()
        },
        "that is the mean of the |2x_j·y|; the largest decides": {"size": lambda c: np.abs(c).mean()},
        "that is |2 Σ_j x_j·y|; every column has a condition of its own, the largest |2x_j·y| decides": {
            "size": lambda c: np.abs(c.sum())
        },
        "X or y was centred; here they are taken as given": {"centre": True},
        "X is the design matrix as given; you added a column of ones": {"columns": _ones},
        "x_j·y is divided by x_j·x_j: that is a coefficient; the slope at w = 0 is -2x_j·y": {
            "of": lambda X, y: X.T @ y / (X * X).sum(axis=0)
        },
        "x_j·y is divided by ‖x_j‖; the slope at w = 0 is -2x_j·y, whatever the length of x_j": {
            "of": lambda X, y: X.T @ y / np.linalg.norm(X, axis=0)
        },
        "that is the largest of the least-squares weights; the slope at w = 0 is asked for": {
            "of": lambda X, y: np.linalg.lstsq(X, y, rcond=None)[0] / 2
        },
        "that is twice the largest of the least-squares weights; the slope at w = 0 is asked for": {
            "of": lambda X, y: np.linalg.lstsq(X, y, rcond=None)[0]
        },
        "that is the largest eigenvalue of XᵀX; lam is a penalty here and depends on y": {
            "of": lambda X, y: np.linalg.eigvalsh(X.T @ X) / 2
        },
        "that is twice the largest eigenvalue of XᵀX; lam is a penalty here and depends on y": {
            "of": lambda X, y: np.linalg.eigvalsh(X.T @ X)
        },
        "that is the place j of the largest |x_j·y|, as np.argmax gives it; 2|x_j·y| itself is asked for": {
            "size": lambda c: np.abs(c).argmax() / 2
        },
    },
    cases=_lambda_cases,
    factors={
        "1/2": "the slope of ‖Xw - y‖², without 1/2, at w = 0 is -2Xᵀy",
        "1/N": "the squared error is a sum, not a mean",
        "-": "lam is not negative: take absolute values",
    },
    also_right=(
        lambda X, y: 2 * np.linalg.norm(X.T @ y, np.inf),
        lambda X, y: max(abs(2 * x @ y) for x in X.T),
    ),
)


def _elastic_coordinate(
    j,
    w,
    X,
    y,
    lam,
    rho,
    *,
    residual=_residual,
    l1=lambda lam, rho, N: lam * rho / 2,
    l2=lambda lam, rho, N: lam * (1 - rho) / 2,
    numerator=0,
    of=lambda a, old: a,
    rule=_shrunk,
    sign=None,
    length=lambda x: x @ x,
    late=False,
    times=lambda x: 1.0,
    keep=0,
):
    x, N = X[:, j], len(y)
    a = of(x @ residual(j, w, X, y) - numerator * l2(lam, rho, N) * w[j], w[j])
    denominator = np.asarray(length(x) + (1 - numerator) * l2(lam, rho, N))
    new = times(x) * rule(a, l1(lam, rho, N) * (denominator if late else 1)) / denominator
    return keep * w[j] + (new if sign is None else sign(w[j]) * abs(new))


elastic_net_coordinate = Exercise(
    stars=3,
    notes="A 1.2, erratum A07",
    ask="The w_j that minimises ‖Xw - y‖² + lam rho ‖w‖₁ + lam (1 - rho)/2 ‖w‖², as note A writes it, while all other "
    "weights stay as they are: return this number, and leave w as it is. j counts from 0; w (d,), X (N, d) as given, "
    "y (N,), lam > 0, 0 < rho < 1. Whole runs are judged: 3 sweeps, each new w_j put into w.",
    hints=(
        "As for the lasso, with r = y - Σ_{k≠j} w_k x_k. The L2 part is a square of w_j: to which term does it add?",
        "The slope is 2(x_j·x_j w_j - x_j·r) + lam rho sign(w_j) + lam (1 - rho) w_j; divide by 2 and collect w_j.",
    ),
    answer=lambda j, w, X, y, lam, rho: regularization.coordinate_step(j, w, X, y, lam, rho),
    variant=_elastic_coordinate,
    mistakes={
        "rho and 1 - rho are swapped: rho is the share of the L1 part, the threshold": {
            "l1": lambda lam, rho, N: lam * (1 - rho) / 2,
            "l2": lambda lam, rho, N: lam * rho / 2,
        },
        "the threshold is lam rho/2, not lam rho: ‖Xw - y‖² stands without 1/2": {"l1": lambda lam, rho, N: lam * rho},
        "rho is missing in the threshold lam rho/2": {"l1": lambda lam, rho, N: lam / 2},
        "the 1/2 of the L2 part is lost: the denominator is x_j·x_j + lam (1 - rho)/2": {
            "l2": lambda lam, rho, N: lam * (1 - rho)
        },
        "1 - rho is missing in the denominator x_j·x_j + lam (1 - rho)/2": {"l2": lambda lam, rho, N: lam / 2},
        "the denominator is x_j·x_j + lam (1 - rho)/2, not lam (1 - rho)/4: the slope of w_j²/2 is w_j": {
            "l2": lambda lam, rho, N: lam * (1 - rho) / 4
        },
        "the L2 part is missing: that is the lasso's step with lam rho": {"l2": lambda lam, rho, N: 0.0},
        "that is the lasso's step: rho and the L2 part are missing": {
            "l1": lambda lam, rho, N: lam / 2,
            "l2": lambda lam, rho, N: 0.0,
        },
        "dividing by the denominator comes after the threshold (or divide the threshold too)": {"late": True},
        "every answer is 0: what is left of x_j·r beyond lam rho/2, divided by the denominator, is the new w_j": {
            "rule": _nothing
        },
        "x_j·r is missing: you shrink the old w_j, which does not enter at all": {
            "of": _old,
            "length": lambda x: 1.0,
            "l2": lambda lam, rho, N: 0.0,
        },
        "x_j·r is missing: you shrink the old w_j and divide it; it does not enter at all": {"of": _old},
        "x_j·r and x_j·x_j are sums, not means": {
            "l1": lambda lam, rho, N: N * lam * rho / 2,
            "l2": lambda lam, rho, N: N * lam * (1 - rho) / 2,
        },
        "x_j·r is divided by N: it is a sum, not a mean": {"residual": _mean_residual},
        "the sign is that of x_j·r, not that of the old w_j": {"sign": np.sign},
        "between -lam rho/2 and lam rho/2 the new w_j is 0; you took x_j·r + lam rho/2 there": {"rule": _two_cases},
        "the L2 part stands in the numerator, with the old w_j; it belongs in the denominator": {"numerator": 1},
        "‖Xw - y‖² stands without 1/(2N): take lam rho/2 and lam (1 - rho)/2, not N times lam rho and lam (1 - rho)": {
            "l1": lambda lam, rho, N: N * lam * rho,
            "l2": lambda lam, rho, N: N * lam * (1 - rho),
        },
        "the own term w_j x_j is still in the residual: r = y - Σ_{k≠j} w_k x_k": {"residual": _full_residual},
        "the other weights are missing in the residual: r = y - Σ_{k≠j} w_k x_k": {"residual": _targets},
        "the residual has the wrong sign: r = y - Σ_{k≠j} w_k x_k": {"residual": _negative_residual},
        "that is twice the w_j: S(2x_j·r, lam rho) belongs over 2 x_j·x_j + lam (1 - rho)": {"times": lambda x: 2.0},
        "that is half of the w_j: S(x_j·r, lam rho/2) belongs over x_j·x_j + lam (1 - rho)/2": {"times": lambda x: 0.5},
        "the old w_j is added: the quotient is the new w_j itself": {"keep": 1},
        "x_j·x_j is missing in the denominator x_j·x_j + lam (1 - rho)/2": {"length": lambda x: 0.0},
        "1 stands in place of x_j·x_j, right only for columns of length 1": {"length": lambda x: 1.0},
        "S(x_j·r/x_j·x_j, lam rho/2)/(1 + lam (1 - rho)/2) is right for columns of length 1; "
        "x_j·x_j belongs in place of the 1": {
            "residual": _residual_by_square,
            "length": lambda x: 1.0,
        },
        "1 + lam (1 - rho)/2 would be right for columns of length 1; "
        "divide S(x_j·r, lam rho/2) by x_j·x_j + lam (1 - rho)/2": {
            "times": lambda x: 1 / (x @ x),
            "length": lambda x: 1.0,
        },
        "the threshold is missing; rho < 1 leaves an L1 part": {"rule": _unchanged},
        "that is a hard threshold: beyond lam rho/2, x_j·r must move towards 0 by lam rho/2": {"rule": _kept},
        "the negative side is lost: the threshold is sign(a) max(|a| - t, 0)": {"rule": _positive},
        "max(..., 0) is missing: below the threshold w_j is 0": {"rule": lambda a, t: a - t * np.sign(a)},
    },
    stops=_COLUMN,
    cases=lambda rng: _runs(rng, 0.7),
    play=_sweeps,
    also_right=(
        lambda j, w, X, y, lam, rho: (
            _shrunk(2 * X[:, j] @ _residual(j, w, X, y), lam * rho) / (2 * X[:, j] @ X[:, j] + lam * (1 - rho))
        ),
        lambda j, w, X, y, lam, rho: (
            _shrunk(X[:, j] @ (y - X @ w) + w[j] * (X[:, j] @ X[:, j]), lam * rho / 2)
            / (sum(X[:, j] ** 2) + (lam - lam * rho) / 2)
        ),
    ),
)

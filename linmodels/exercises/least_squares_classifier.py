"""Exercises of chapter 06, least-squares classification (notes A 3, C 1, 2, 3.3). Class numbers are 0..K-1."""

from typing import Any

import numpy as np

from linmodels import design, perceptron, special
from linmodels import least_squares_classifier as lsc

from .grading.checker import Case, Construction, Exercise, Function, Requirement, Result

chapter = "06"


def _as_is(a):
    return a


def _rows_of_identity(t, K):
    return np.eye(K)[t]


def _one_hot(t, K, *, of=_as_is, coding=_rows_of_identity, finish=lambda T, t: T):
    return finish(coding(of(t), K), t)


def _filled(t, K, *, rows):
    T = np.zeros((len(t), K))
    T[t if rows else slice(None), slice(None) if rows else t] = 1
    return T


def _label_cases(rng):
    def one(label, t, K):
        return Case(label, (rng.permutation(t), K))

    return [
        one("ordinary data", [0, 1, 2, 3, 0, 2, 2], 4),
        one("the last class unseen", [0, 1, 2, 0, 1, 1], 4),
        one("a class between unseen", [0, 1, 3, 4, 0, 3, 3, 1], 5),
        one("two classes", [0, 1, 1, 0, 1], 2),
    ]


one_hot = Exercise(
    stars=1,
    notes="C 1, D 3, erratum C01",
    ask="The 1-of-K coding of class numbers: T_nk = 1 where t_n = k, else 0. t (N,) holds the class numbers, whole "
    "numbers 0..K-1, and K is given: not every class need occur. Return T (N, K).",
    hints=(
        "Row n of T is one row of the K x K identity matrix. Which?",
        "np.eye(K)[t]; or compare the column t[:, None] with np.arange(K).",
    ),
    answer=_rows_of_identity,
    variant=_one_hot,
    mistakes={
        "K is taken from max(t): where the last class does not occur its column is missing; K is given": {
            "coding": lambda t, K: np.eye(max(t) + 1)[t]
        },
        "there are columns only for the classes that occur; K is given": {
            "coding": lambda t, K: (t[:, None] == np.unique(t)).astype(float)
        },
        "class numbers begin with 0, column 0; with t - 1 class 0 wraps round to the last column": {
            "of": lambda t: t - 1
        },
        "class numbers begin with 0, column 0; you compared with 1..K, so that class 0 has a row of 0": {
            "coding": lambda t, K: np.equal.outer(t, np.arange(1, K + 1)).astype(float)
        },
        "there is a column too many: class numbers are 0..K-1, so K columns": {"coding": lambda t, K: np.eye(K + 1)[t]},
        "the last class is all zero: that is the coding of K - 1 parameters; here it has its own column": {
            "coding": lambda t, K: np.eye(K)[t] * (np.arange(K) < K - 1)
        },
        "the last column is missing: that is the coding of K - 1 parameters; here every class has its own": {
            "coding": lambda t, K: np.eye(K)[t][:, :-1]
        },
        "the first column is missing: that is the coding of K - 1 parameters; here every class has its own": {
            "coding": lambda t, K: np.eye(K)[t][:, 1:]
        },
        "T[:, t] = 1 fills whole columns, in every row; T[np.arange(N), t] = 1 takes one place of each row": {
            "coding": lambda t, K: _filled(t, K, rows=False)
        },
        "T[t] = 1 fills whole rows, those with the numbers in t; T[np.arange(N), t] = 1 takes one place of each": {
            "coding": lambda t, K: _filled(t, K, rows=True)
        },
        "the columns are in reverse order: class 0 belongs to the first": {
            "coding": lambda t, K: np.eye(K)[t][:, ::-1]
        },
        "the coding is ±1, as for margins; here it is 1 and 0": {"finish": lambda T, t: 2 * T - 1},
        "1 and 0 are swapped": {"finish": lambda T, t: 1 - T},
        "T_nk is 1, not the class number, where t_n = k": {"finish": lambda T, t: T * t[:, None]},
        "T_nk is 1 for k = t_n only, not for all k <= t_n": {
            "coding": lambda t, K: np.greater_equal.outer(t, np.arange(K)).astype(float)
        },
        "T_nk is 1 for k = t_n only, not for all k >= t_n": {
            "coding": lambda t, K: np.less_equal.outer(t, np.arange(K)).astype(float)
        },
        "those are the class numbers as they came": {"finish": lambda T, t: t},
        "those are the numbers of samples of the classes; a row per sample is asked for": {
            "finish": lambda T, t: T.sum(axis=0)
        },
        "that is which samples are of one class, (N, N); T_nk compares t_n with the class number k": {
            "coding": lambda t, K: np.equal.outer(t, t).astype(float)
        },
    },
    stops={
        "out of bounds": "t holds 0..K-1, a place in np.eye(K) for each",
        "broadcast": "t (N,) against K numbers: t[:, None] == np.arange(K) compares all pairs",
        "IndexError": "t holds whole numbers 0..K-1: np.eye(K)[t]",
        "TypeError": "t is an array; np.eye(K)[t] takes all its rows at once",
    },
    cases=_label_cases,
    also_right=(
        lambda t, K: np.eye(K)[t],
        lambda t, K: t[:, None] == np.arange(K),
        lambda t, K: [[int(k == c) for k in range(K)] for c in t],
        lambda t, K: np.array([t == k for k in range(K)]).T.astype(int),
    ),
)


def _ones(X):
    return np.column_stack([X, np.ones(len(X))])


def _largest(Y):
    return Y.argmax(axis=1)


def _predict(W, X, *, columns=_ones, weights=_as_is, outputs=_as_is, choose=_largest, finish=_as_is):
    return finish(choose(outputs(columns(X) @ weights(W))))


def _expected_class(Y):
    return Y @ np.arange(Y.shape[1])


def _predict_cases(rng):
    def one(label, N, d, K):
        """Outputs around 1/K that sum to 1, as those of least squares do, and reach beyond [0, 1]."""
        W = rng.normal(size=(d + 1, K)) * 2
        W -= W.mean(axis=1, keepdims=True)
        W[-1] += 1 / K
        return Case(label, (W, rng.normal(size=(N, d)) + 0.5))

    # outputs on which the nearly right rules differ: none or several above 1/2, or above 1
    some = [[0.6, 0.8, -0.4], [1.4, 2.1, -2.5], [0.3, 0.3, 0.4], [-1.2, 0.9, 1.3], [-3, 1.7, 2.3], [0.1, 0.47, 0.43]]
    Y = np.array([*some, [2.2, -0.1, -1.1], [-1.3, 0.2, 2.1], [0.46, 0.1, 0.44], [2, -2, 1]])
    W = np.vstack([np.eye(3) + 0.2 * rng.normal(size=(3, 3)), rng.normal(size=3)])
    X = np.linalg.solve(W[:-1].T, (Y - W[-1]).T).T
    return [
        Case("outputs outside [0, 1]", (W, X)),
        one("four classes", 21, 2, 4),
        one("two classes", 16, 3, 2),
        one("more classes than features", 24, 3, 5),
    ]


ls_predict = Exercise(
    stars=1,
    notes="C 1, C 2",
    ask="The class number 0..K-1 with the largest output y_k(x) = w_k·x + b_k, for every sample. W (d + 1, K) has a "
    "column per class and the biases in the last row, X (N, d) comes without the ones. The outputs are no "
    "probabilities: they may lie below 0 and above 1. Return (N,).",
    hints=(
        "Outputs first: how does the last row of W come in?",
        "(X @ W[:-1] + W[-1]) has a row per sample; np.argmax along the classes, axis=1.",
    ),
    answer=lambda W, X: lsc.predict(W, design.augment(X)),
    variant=_predict,
    mistakes={
        "the arg max runs over the samples (axis 0); it must run over the classes of one sample, axis 1": {
            "choose": lambda Y: Y.argmax(axis=0)
        },
        "that tells of every output whether it is above 1/2; the class number of the largest is asked for": {
            "choose": lambda Y: Y > 0.5
        },
        "you took the first class above 1/2; several may be, or none: take the largest": {
            "choose": lambda Y: (Y > 0.5).argmax(axis=1)
        },
        "you took the first class above 0; several are: take the largest": {"choose": lambda Y: (Y > 0).argmax(axis=1)},
        "the outputs are cut off at 0 and 1, which makes ties: take the largest as it is": {
            "outputs": lambda Y: np.clip(Y, 0, 1)
        },
        "the outputs are rounded, which makes ties: take the largest as it is": {"outputs": np.round},
        "you took the output nearest to 1, so that 2 loses against 0.9; the largest decides": {
            "choose": lambda Y: np.abs(Y - 1).argmin(axis=1)
        },
        "you took the output of largest size; a large negative one speaks against its class": {"outputs": np.abs},
        "that is the class with the smallest output": {"outputs": np.negative},
        "that is the one-hot coding of the class; its number is asked for": {
            "finish": lambda t: np.eye(int(t.max()) + 1)[t]
        },
        "that is the largest output itself; the number of its class is asked for": {"choose": lambda Y: Y.max(axis=1)},
        "those are the outputs; the number of the class with the largest is asked for": {"choose": _as_is},
        "that is the softmax of the outputs; the number of the class with the largest is asked for": {
            "choose": special.softmax
        },
        "class numbers begin with 0, not with 1": {"finish": lambda t: t + 1},
        "that is the rounded mean Σ_k k y_k, as after regression on class numbers; the largest output decides": {
            "choose": lambda Y: np.round(_expected_class(Y))
        },
        "the biases are missing: the last row of W is to be added": {
            "columns": _as_is,
            "weights": lambda W: W[:-1],
        },
        "the biases are the last row of W; you put the ones first": {
            "columns": lambda X: np.column_stack([np.ones(len(X)), X])
        },
        "that is one arg max over all N K outputs; every sample has its own": {"choose": lambda Y: Y.argmax()},
    },
    stops={
        "matmul": "W has one row more than X has columns, the biases: X @ W[:-1] + W[-1], or append ones to X",
        "truth value": "the outputs are an array: np.argmax(..., axis=1) compares them",
        "TypeError": "the outputs are an array: np.argmax(..., axis=1) compares them",
    },
    cases=_predict_cases,
    also_right=(
        lambda W, X: np.argmax(X @ W[:-1] + W[-1], axis=1),
        lambda W, X: [max(range(W.shape[1]), key=lambda k: x @ W[:-1, k] + W[-1, k]) for x in X],
        lambda W, X: np.argsort(X @ W[:-1] + W[-1], axis=1)[:, -1],
        lambda W, X: np.argmax(special.softmax(X @ W[:-1] + W[-1]), axis=1),  # an increasing function changes nothing
    ),
)


def _losses(
    m,
    *,
    square=lambda m: (1 - m) ** 2,
    logistic=lambda m: special.softplus(-m),
    unit=1.0,
    count=lambda m: np.where(m <= 0, 1.0, 0.0),
    order=lambda s, l, z: (s, l, z),
    total=_as_is,
):
    return tuple(map(total, order(square(m), logistic(m) / unit, count(m))))


def _overflowing(m):
    return np.log(1 + np.exp(-m))


class _ThreeRows(Exercise):
    """An array (3, n), as np.stack makes it, is as right as a tuple of its rows."""

    def _check(self, f: Function, seed: int) -> Result:
        def rows(*args: Any) -> Any:
            out = f(*args)
            return tuple(out) if isinstance(out, np.ndarray) and out.ndim == 2 and len(out) == 3 else out

        return super()._check(rows, seed)


def _margin_cases(rng):
    return [
        Case("ordinary margins", (np.append(2 * rng.normal(size=6), [0.5, 1.5]),)),
        Case("m = 0 and m = 1 among them", (np.append(rng.normal(size=3), [0.0, 1, 0, -1, 2, 1]),)),
        Case("m from -800 to 800", (np.append(5 * rng.normal(size=2), [-800.0, -40, 0, 40, 800]),)),
    ]


margin_losses = _ThreeRows(
    stars=1,
    notes="C 3.3",
    ask="Three losses of the margin y f of a sample, y being -1 or +1 and f its score: (1 - m)² = (y - f)² of least "
    "squares, ln(1 + e^-m) of logistic regression, and the number of mistakes, 1 for m <= 0, else 0. m (n,) reaches "
    "from -800 to 800. Return the values (square, logistic, zero_one), each (n,), finite and right.",
    hints=(
        "e^800 is no float64. For negative m take e^-m out of the logarithm: ln(1 + e^-m) = -m + ...?",
        "ln(1 + e^-m) = max(-m, 0) + ln(1 + e^-|m|); np.logaddexp(0, -m) does it too. np.where(m <= 0, 1, 0) counts.",
    ),
    answer=lambda m: (lsc.squared_loss(m), lsc.logistic_loss(m), lsc.zero_one_loss(m)),
    variant=_losses,
    mistakes={
        "the sign of m is wrong in the square: (1 - m)² is 0 for a score that meets its label, m = 1": {
            "square": lambda m: (1 + m) ** 2
        },
        "the target is missing in the square: (1 - m)², not m²": {"square": lambda m: m**2},
        "the square is missing: (1 - m)², not 1 - m": {"square": lambda m: 1 - m},
        "that is |1 - m|, not its square": {"square": lambda m: np.abs(1 - m)},
        "the square stops at m = 1, as the squared hinge does; least squares punishes m > 1 too: (1 - m)²": {
            "square": lambda m: np.maximum(0, 1 - m) ** 2
        },
        "max(0, 1 - m) is the hinge loss of the SVM; least squares has (1 - m)², for m > 1 too": {
            "square": lambda m: np.maximum(0, 1 - m)
        },
        "there is no 1/2 before the square here": {"square": lambda m: (1 - m) ** 2 / 2},
        "1 - m² is not (1 - m)²: check the brackets": {"square": lambda m: 1 - m**2},
        "that is the squared error of σ(m), not of the score: (1 - m)²": {"square": lambda m: special.sigmoid(-m) ** 2},
        "right in the middle, but e^-m overflows for m = -800: ln(1 + e^-m) = -m + ln(1 + e^m)": {
            "logistic": _overflowing
        },
        "right for m = -800, but e^m overflows for m = 800: take -m + ln(1 + e^m) for m < 0 only": {
            "logistic": lambda m: -m + np.log(1 + np.exp(m))
        },
        **{
            f"right in the middle, but np.clip makes {c} of the 800 at m = -800: ln(1 + e^-m) = -m + ln(1 + e^m)": {
                "logistic": lambda m, c=c: special.softplus(np.clip(-m, -c, c))
            }
            for c in (500, 700)
        },
        "the sign of m is wrong in the logarithm: ln(1 + e^-m) falls with m": {"logistic": special.softplus},
        "the sign of m is wrong in the logarithm, and e^m overflows for m = 800: ln(1 + e^-m)": {
            "logistic": lambda m: np.log(1 + np.exp(m))
        },
        "the logarithm is the natural one; you took log2, which draws the curve through (0, 1)": {"unit": np.log(2)},
        "the sign of the logistic loss is wrong: -ln σ(m) = ln(1 + e^-m) > 0": {"unit": -1.0},
        "that is ln(1 + e^-|m|): max(-m, 0) is missing": {"logistic": lambda m: np.log1p(np.exp(-np.abs(m)))},
        "max(-m, 0) is the perceptron's loss: ln(1 + e^-|m|) is missing": {"logistic": lambda m: np.maximum(-m, 0)},
        "max(0, 1 - m) is the hinge loss of the SVM; the logistic loss is ln(1 + e^-m)": {
            "logistic": lambda m: np.maximum(0, 1 - m)
        },
        "e^-m is the exponential loss of boosting; the logistic loss is ln(1 + e^-m)": {
            "logistic": lambda m: np.exp(-m)
        },
        "that is σ(m), the probability of being right; the loss is -ln σ(m)": {"logistic": special.sigmoid},
        "that is 1 - σ(m), the probability of being wrong; the loss is -ln σ(m)": {
            "logistic": lambda m: special.sigmoid(-m)
        },
        "m = 0 counts as a mistake: 1 for m <= 0": {"count": lambda m: np.where(m < 0, 1.0, 0.0)},
        "m = 0 counts as a whole mistake, not as half of one": {"count": lambda m: np.heaviside(-m, 0.5)},
        "1 and 0 are swapped: a mistake, m <= 0, costs 1": {"count": lambda m: np.where(m > 0, 1.0, 0.0)},
        "the limit is m = 0, not m = 1: a sample is right where y f > 0": {"count": lambda m: np.where(m <= 1, 1.0, 0)},
        "that is the sign of m; a mistake costs 1, the others 0": {"count": np.sign},
        "a mistake costs 1, whatever its m: you took -m, the perceptron's loss": {"count": lambda m: np.maximum(0, -m)},
        "that is the number of all mistakes; 1 or 0 of each sample is asked for": {"count": lambda m: np.sum(m <= 0)},
        "the order is (square, logistic, zero_one); you returned (logistic, square, zero_one)": {
            "order": lambda s, l, z: (l, s, z)
        },
        "the order is (square, logistic, zero_one); you returned (zero_one, logistic, square)": {
            "order": lambda s, l, z: (z, l, s)
        },
        "those are sums over the samples; the losses of each are asked for": {"total": np.sum},
        "those are means over the samples; the losses of each are asked for": {"total": np.mean},
    },
    stops={
        "OverflowError": "math.exp stops where np.exp gives inf; let no exponential exceed 1",
        "truth value": "m is an array: use np.where and np.maximum, not if and max",
        "Python scalars": "m is an array: np.log and np.exp take it entry by entry, math.log takes one number",
    },
    cases=_margin_cases,
    also_right=(
        lambda m: ((m - 1) ** 2, np.logaddexp(0, -m), (m <= 0).astype(int)),
        lambda m: np.stack([(1 - m) ** 2, np.logaddexp(0, -m), m <= 0]),
        lambda m: [np.square(1 - m), np.maximum(-m, 0) + np.log1p(np.exp(-np.abs(m))), m <= 0],
        lambda m: (
            1 - 2 * m + m * m,
            [-a + np.log1p(np.exp(a)) if a < 0 else np.log1p(np.exp(-a)) for a in m],
            1 - (m > 0),
        ),
    ),
)


def _least_squares(A, Y):
    return np.linalg.lstsq(A, Y, rcond=None)[0]


def _classifier(X, T, *, columns=_ones, targets=_as_is, weights=None, fit=_least_squares, finish=lambda W, X, T: W):
    A, Y = columns(X), targets(T)
    if weights is not None:
        r = np.sqrt(weights(T))
        A, Y = (r * A.T).T, (r * Y.T).T
    return finish(fit(A, Y), X, T)


def _with_bias_row(b):
    """The bias row replaced by b of the mean of X, the mean of T, and W."""
    return lambda W, X, T: np.vstack([W[:-1], b(X.mean(axis=0), T.mean(axis=0), W[:-1])])


def _classifier_cases(rng):
    def one(label, N, d, K, first):
        """first: how many samples of class 0; the others share the rest."""
        t = np.append(np.zeros(first, int), np.resize(np.arange(1, K), N - first))
        X = rng.normal(size=(N, d)) + rng.normal(size=(K, d))[t] + rng.uniform(1, 2, d)
        return Case(label, (X, np.eye(K)[t]), {"N": N})

    return [
        one("classes of unequal size", 12, 2, 3, 6),
        one("two classes", 9, 3, 2, 6),
        one("four classes, one feature", 15, 1, 4, 8),
    ]


ls_classifier = Exercise(
    stars=2,
    notes="C 1, C 2",
    ask="Least-squares classification: the W that minimises ‖X~W - T‖², the sum of all squares, where X~ is X with a "
    "column of ones appended. Return W (d + 1, K), a column per class, the biases in the last row. X (N, d) comes "
    "without the ones, T (N, K) holds the classes one-hot.",
    hints=(
        "The columns of T do not meet in ‖X~W - T‖²: column k of W is the regression of column k of T.",
        "Append the ones to X, then np.linalg.lstsq(A, T)[0], or solve X~ᵀX~W = X~ᵀT.",
    ),
    answer=lambda X, T: lsc.closed_form(np.column_stack([X, np.ones(len(X))]), T),
    variant=_classifier,
    mistakes={
        "the biases are missing: append a column of ones to X first, the answer has d + 1 rows": {"columns": _as_is},
        "that is regression without ones, with a row of 0 for the biases: append a column of ones to X first": {
            "columns": _as_is,
            "finish": lambda W, X, T: np.vstack([W, 0 * W[:1]]),
        },
        "the biases come last; you put the ones first": {"finish": lambda W, X, T: np.roll(W, 1, axis=0)},
        "the bias row is missing: the weights are right, but the biases must follow as the last row": {
            "finish": lambda W, X, T: W[:-1]
        },
        "the weights are right, but the biases are 0: for centred data b = mean(t) - Wᵀmean(x)": {
            "finish": _with_bias_row(lambda m, q, W: 0 * q)
        },
        "the weights are right, but b = mean(t) forgets the means of X: b = mean(t) - Wᵀmean(x)": {
            "finish": _with_bias_row(lambda m, q, W: q)
        },
        "the weights are right, but b has a wrong sign in it: b = mean(t) - Wᵀmean(x), not +": {
            "finish": _with_bias_row(lambda m, q, W: q + m @ W)
        },
        "T was centred, and its mean not put back: b = mean(t) - Wᵀmean(x)": {"targets": lambda T: T - T.mean(axis=0)},
        "that is regression on the class numbers: one vector, as if class 1 lay between 0 and 2; T has K columns": {
            "targets": lambda T: T.argmax(axis=1)
        },
        "that is regression on the class numbers 1..K: one vector, as if class 2 lay between 1 and 3": {
            "targets": lambda T: T.argmax(axis=1) + 1
        },
        "T was recoded to ±1; the targets are 1 and 0 as T holds them": {"targets": lambda T: 2 * T - 1},
        "every column of T was divided by the size of its class; the targets are 1 and 0": {
            "targets": lambda T: T / T.sum(axis=0)
        },
        "the samples are weighted so that every class counts alike; each sample's squares count once": {
            "weights": lambda T: T @ (1 / T.sum(axis=0))
        },
        "there is a penalty in it, ‖W‖²; the plain sum of squares is asked for": {
            "fit": lambda A, T: np.linalg.solve(A.T @ A + np.eye(A.shape[1]), A.T @ T)
        },
        "that is X~ᵀT, the right side; the system X~ᵀX~W = X~ᵀT is still to be solved": {"fit": lambda A, T: A.T @ T},
        "that is X~ᵀX~X~ᵀT: solve with X~ᵀX~, do not multiply": {"fit": lambda A, T: A.T @ A @ (A.T @ T)},
        "those are the outputs X~W; the weights W are asked for": {"finish": lambda W, X, T: _ones(X) @ W},
        "those are the predicted class numbers; the weights W are asked for": {
            "finish": lambda W, X, T: (_ones(X) @ W).argmax(axis=1)
        },
        "the last column is missing: every class has its own, though the outputs sum to 1": {
            "finish": lambda W, X, T: W[:, :-1]
        },
        "the last column is subtracted from all, as for softmax regression; here that changes the outputs": {
            "finish": lambda W, X, T: W - W[:, -1:]
        },
        "X was standardised, and the weights and biases are those of the new columns; X is as it is given": {
            "columns": lambda X: _ones((X - X.mean(axis=0)) / X.std(axis=0))
        },
        "X was divided by its standard deviations, and the weights are those of the new columns": {
            "columns": lambda X: _ones(X / X.std(axis=0))
        },
    },
    stops={
        "LinAlgError": "X~ᵀX~ (d + 1, d + 1) has an inverse here; X~X~ᵀ (N, N) has none",
        "matmul": "samples are the rows of X~: X~ᵀX~ (d + 1, d + 1) and X~ᵀT (d + 1, K)",
        "ValueError": "samples are the rows of X~ and of T: N of both",
    },
    cases=_classifier_cases,
    factors={"1/N": "X~ᵀX~ and X~ᵀT are both sums", "N": "X~ᵀX~ and X~ᵀT are both sums"},
    also_right=(
        lambda X, T: np.linalg.solve(_ones(X).T @ _ones(X), _ones(X).T @ T),
        lambda X, T: np.linalg.pinv(_ones(X)) @ T,
        lambda X, T: np.column_stack([_least_squares(_ones(X), t) for t in T.T]),
        lambda X, T: _with_bias_row(lambda m, q, W: q - m @ W)(
            np.vstack([_least_squares(X - X.mean(axis=0), T), 0 * T[0]]), X, T
        ),
    ),
)


def _outputs(X, t, K, at):
    return lsc.decision_function(lsc.fit(design.augment(X), design.one_hot(t, K)), design.augment(at))


def _in_units_of(X, *others):
    """X and others measured from the mean of X, in its largest deviations: no hyperplane or least squares minds."""
    m = X.mean(axis=0)
    s = np.where(np.ptp(X, axis=0) == 0, 1.0, np.abs(X - m).max(axis=0))
    return [(A - m) / s for A in (X, *others)]


def _margins(X, t, at, label):
    """How far least squares on (X, t) has the samples `at` on the side of their label, 0 or 1."""
    Y = _outputs(X, t, 2, at)
    return design.signs(label) * (Y[:, 1] - Y[:, 0])


def _margins_together(X, t, Z, s):
    """How far least squares on X and Z has the samples of X on the side of their label."""
    X, Z = _in_units_of(X, Z)
    return _margins(np.vstack([X, Z]), np.append(t, s), X, t)


def _samples_with_labels(X, t):
    return np.ndim(X) == 2 and np.ndim(t) == 1 and len(X) == len(t) and np.size(X) > 0


def _right(m):
    return np.all(m > 1e-9)


def _separable(X, t, Z=None, s=()):
    """Can a hyperplane separate the classes of X, and of Z, which may lie very far out?

    It does where it has all y(x, 1) on one side, whatever their lengths: in length 1, and measured in units of X, those
    far out cannot hide the others. With all -y(x, 1) on the other side it passes through 0.
    """
    A = np.vstack(_in_units_of(X, X[:0] if Z is None else Z))
    R = design.signs(np.append(t, s))[:, None] * design.augment(A)
    R /= np.linalg.norm(R, axis=1, keepdims=True)
    return perceptron.certificate(np.vstack([R, -R]), np.repeat([1, -1], len(R))).separable


def _with_outliers():
    X, t = np.array([[-3.0], [-2], [-1], [1], [2], [3]]), np.array([0, 0, 0, 1, 1, 1])
    Z, s = np.array([[30.0], [40.0]]), np.array([1, 1])  # far on their own side: least squares wants y = 1 there too
    return X, t, Z, s


_LINE, _HALVES = [[-3.0], [-2], [-1], [1], [2], [3]], [0, 0, 0, 1, 1, 1]

outlier_data = Construction(
    stars=2,
    notes="C 3.3, A 3, erratum A20",
    ask="Return (X, t, Z, s): two classes on which least squares is right, X (N, d) and t (N,) of 0 and 1, and fewer "
    "added samples Z (M, d), s (M,), each far on its own side. Together all must be separable, so that logistic "
    "regression errs on none; but least squares on all of them must err on a sample of X.",
    hints=(
        "One feature is enough. Least squares wants the output 1 for every sample of class 1: what if x is very large?",
        "Samples far on the right side pull the line flat, and with it the boundary towards themselves.",
    ),
    returns=("X", "t", "Z", "s"),
    requirements=(
        Requirement(
            "X (N, d) and Z (M, d) must hold samples of the same features, t (N,) and s (M,) a label for each",
            lambda X, t, Z, s: _samples_with_labels(X, t) and _samples_with_labels(Z, s) and X.shape[1] == Z.shape[1],
            (_LINE, _HALVES, [30.0, 40.0], [1, 1]),
        ),
        Requirement(
            "t and s must hold 0 and 1 only, and t both of them",
            lambda X, t, Z, s: np.isin(s, (0, 1)).all() and np.array_equal(np.unique(t), (0, 1)),
            (_LINE, [-1, -1, -1, 1, 1, 1], [[30.0], [40.0]], [1, 1]),
        ),
        Requirement(
            "the added samples must be fewer than the first: M < N",
            lambda X, t, Z, s: len(Z) < len(X),
            (_LINE, _HALVES, [[9.0]] * 6, [1] * 6),
        ),
        Requirement(
            "Z is too far out for the arithmetic: stay below 10^10 times the width of X",
            lambda X, t, Z, s: np.abs(_in_units_of(X, Z)[1]).max() < 1e10,
            (_LINE, _HALVES, [[1e12]], [1]),
        ),
        Requirement(
            "X and Z together must be separable: if they are not, logistic regression errs too",
            _separable,
            (_LINE, _HALVES, [[30.0], [40.0]], [0, 0]),
        ),
        Requirement(
            "least squares must have every sample of X right before Z is added",
            lambda X, t, Z, s: _right(_margins(X, t, X, t)),
            ([[-2.0], [-1], [1], [2], [40]], [0, 0, 1, 1, 1], [[3.0]], [1]),
        ),
        Requirement(
            "least squares on X alone must have Z right too: the added samples are to lie far on their own side",
            lambda X, t, Z, s: _right(_margins(X, t, Z, s)),
            (_LINE, _HALVES, [[-0.5]], [1]),
        ),
        Requirement(
            "least squares on all samples still has every sample of X right: move Z farther out, or take more",
            lambda X, t, Z, s: np.any(_margins_together(X, t, Z, s) < -1e-12),  # far out, 1e-10 is much
            (_LINE, _HALVES, [[4.0], [5.0]], [1, 1]),
        ),
    ),
    example=_with_outliers,
)


def _each_pair_separable(X, t):
    pairs = [np.isin(t, pair) for pair in ((0, 1), (0, 2), (1, 2))]
    return all(_separable(X[rows], (t[rows] == t[rows].max()).astype(float)) for rows in pairs)


def _one_never_predicted(X, t):
    """Is the output of a class nowhere the only largest? Rounding must not decide a tie."""
    Y = _outputs(X, t, 3, X)
    ahead = [Y[:, k] - np.delete(Y, k, axis=1).max(axis=1) for k in range(3)]
    return any(np.all(margin <= 1e-9 * np.median(np.abs(margin))) for margin in ahead)


def _three_in_a_row():
    X = np.array([[-2.0], [-1.8], [0.0], [0.1], [2.0], [2.2]])  # class 1 in the middle: its output is nearly flat
    t = np.array([0, 0, 1, 1, 2, 2])
    return X, t


masking_data = Construction(
    stars=2,
    notes="C 3.3, erratum C14",
    ask="Return (X, t): samples X (N, d) of three classes, t (N,) of 0, 1 and 2, at least two samples each, every two "
    "classes separable by a hyperplane, where least-squares classification on 1-of-K targets (with bias) predicts one "
    "of the three classes for no sample of X.",
    hints=(
        "The output of a class is linear in x. Where must a class lie, if no linear function is large on it alone?",
        "Three groups on one line: the middle one's targets 0, 1, 0 are fitted by an almost constant output near 1/3.",
    ),
    returns=("X", "t"),
    requirements=(
        Requirement(
            "X must be samples (N, d) and t a label for each, (N,)",
            _samples_with_labels,
            ([-2.0, -1.8, 0.0, 0.1, 2.0, 2.2], [0, 0, 1, 1, 2, 2]),
        ),
        Requirement(
            "t must hold 0, 1 and 2, and no other label",
            lambda X, t: np.array_equal(np.unique(t), (0, 1, 2)),
            ([[-2.0], [-1.8], [0.0], [0.1], [2.0], [2.2]], [1, 1, 2, 2, 3, 3]),
        ),
        Requirement(
            "every class needs at least two samples",
            lambda X, t: min(np.sum(t == k) for k in range(3)) >= 2,
            ([[-2.0], [0.0], [2.0]], [0, 1, 2]),
        ),
        Requirement(
            "two of the classes cannot be separated by a hyperplane: keep each in one place",
            _each_pair_separable,
            ([[-2.0], [-1.8], [0.0], [3.0], [2.0], [2.2]], [0, 0, 1, 1, 2, 2]),
        ),
        Requirement(
            "least squares predicts all three classes: put one of them between the two others",
            _one_never_predicted,
            ([[0.0, 0], [0, 1], [4, 0], [5, 0], [2, 4], [2, 5]], [0, 0, 1, 1, 2, 2]),
        ),
    ),
    example=_three_in_a_row,
)

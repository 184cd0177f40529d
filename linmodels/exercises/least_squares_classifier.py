"""Exercises of chapter 06, least-squares classification (notes A 3, C 1, 2, 3.3). Class numbers are 0..K-1."""

import numpy as np

from linmodels import design, perceptron
from linmodels import least_squares_classifier as lsc

from .grading.by_hand import ByHand, once
from .grading.cases import table
from .grading.checker import Case, Construction, Exercise, Requirement, same_samples

chapter = "06"

_FILLS_COLUMNS = "all rows are alike: T[:, t] = 1 fills columns, [[0] * K] * N repeats one row: T[np.arange(N), t] = 1"
_E_OVERFLOWS = "e^800 and ln 0 are no numbers: for m = -800 use ln(1 + e^-m) = -m + ln(1 + e^m)"
_E_OVERFLOWS_ABOVE = "e^m overflows for m = 800: use -m + ln(1 + e^m) only where m < 0"
_ROUNDED = "1 + e^-m rounds to 1 for m > 37, and its logarithm to 0: np.log1p(x) keeps a small x"
_CLIPPED = "np.clip makes 500 of the 800 at m = -800: there, ln(1 + e^-m) = -m + ln(1 + e^m)"


def _one_hot(t, K):
    T = np.zeros((len(t), K))
    T[np.arange(len(t)), t] = 1
    return T


one_hot = Exercise(
    stars=1,
    notes="C 1, D 3",
    ask="Return the 1-of-K coding T (N, K) of class numbers: T_nk = 1 where t_n = k, else 0. t (N,) holds the class "
    "numbers, whole numbers 0..K-1. K is given, because not every class need occur in t.",
    hints=(
        "Row n of T is one row of the K x K identity matrix. Which?",
        "np.eye(K)[t]; or compare the column t[:, None] with np.arange(K).",
    ),
    answer=_one_hot,
    mistakes=(
        ("(t), K)", "(t), max(t) + 1)", "you took K from max(t), but the last class need not occur: use the given K"),
        ("return T", "return T[:, np.unique(t)]", "there are columns only for the classes that occur: make K of them"),
        (", t]", ", t - min(t)]", "you numbered from the smallest class that occurs: class k has column k"),
        (", t]", ", t - 1]", "class numbers begin with 0: with t - 1 class 0 goes to the last column"),
        ("[np.arange(len(t)), t", "[:, t", _FILLS_COLUMNS),
        ("np.zeros(", "-np.ones(", "the coding is -1 and 1, as for margins; here it is 0 and 1"),
        ("= 1", "= t", "T_nk is 1 where t_n = k, not the class number t_n"),
    ),
    cases=lambda rng: [
        Case(f"{K} classes, of which {np.unique(t)} occur", (rng.permutation(t), K))
        for t, K in (([0, 1, 2, 3, 0, 2, 2], 4), ([0, 1, 2, 0, 1, 1], 4), ([2, 1, 2, 1, 2], 3), ([0], 3))
    ],
)

# where the nearly right rules differ: none or several outputs are above 1/2, or above 1
_SOME = [[0.6, 0.8, -0.4], [1.4, 2.1, -2.5], [0.3, 0.3, 0.4], [-1.2, 0.9, 1.3], [-3, 1.7, 2.3], [0.1, 0.47, 0.43]]
_OUTPUTS = np.array([*_SOME, [-0.6, -0.2, -0.4], [2.2, -0.1, -1.1], [-1.3, 0.2, 2.1], [0.46, 0.1, 0.44], [2, -2, 1]])


def _ls_predict(W, X):
    Y = X @ W[:-1] + W[-1]
    return np.argmax(Y, axis=1)


def _with_outputs(rng):
    W = np.vstack([np.eye(3) + 0.2 * rng.normal(size=(3, 3)), rng.normal(size=3)])
    return W, np.linalg.solve(W[:-1].T, (_OUTPUTS - W[-1]).T).T


def _anywhere(rng, N, d, K):
    return rng.normal(size=(d + 1, K)), rng.normal(size=(N, d)) + 0.5


ls_predict = Exercise(
    stars=1,
    notes="C 1, C 2",
    ask="Return the class numbers 0..K-1 (N,): for each sample the class with the largest output a_k(x) = w_k·x + b_k. "
    "W (d + 1, K) has a column for each class, and the biases in its last row. X (N, d) comes without the ones. "
    "Outputs may lie below 0 and above 1.",
    hints=(
        "Compute the outputs first. Which part do the biases in the last row of W play?",
        "X @ W[:-1] + W[-1] has a row per sample; np.argmax along the classes, axis=1.",
    ),
    answer=_ls_predict,
    mistakes=(
        ("axis=1", "axis=0", "the arg max runs over the samples (axis 0): compare the classes of one sample, axis 1"),
        (", axis=1", "", "that is one arg max over all N K outputs: every sample has its own, axis=1"),
        ("np.argmax(Y, axis=1)", "Y > 0.5", "that tells which outputs are above 1/2: return the class of the largest"),
        ("(Y,", "(Y > 0.5,", "you took the first class above 1/2: there may be several or none, so take the largest"),
        ("(Y,", "(np.clip(Y, 0, 1),", "you cut the outputs off at 0 and 1, which makes ties: take them as they are"),
        ("(Y,", "(-np.abs(Y - 1),", "you took the output nearest to 1, so that 0.9 wins against 2: take the largest"),
        ("(Y,", "(np.abs(Y),", "you took the largest |y|: a large negative output speaks against its class"),
        ("argmax", "max", "that is the largest output itself: return the number of its class"),
        (" + W[-1]", "", "the biases are missing: add the last row of W"),
        ("X @ W[:-1] + W[-1]", "X @ W[1:] + W[0]", "the biases are the last row of W: you put the ones first"),
    ),
    cases=lambda rng: [
        Case("outputs outside [0, 1]", _with_outputs(rng)),
        *table(rng, _anywhere, "n d k", (21, 2, 4), (16, 3, 2), (24, 3, 5), (1, 2, 3)),
    ],
)


def _ls_classifier(X, T):
    A = np.column_stack([X, np.ones(len(X))])
    W = np.linalg.solve(A.T @ A, A.T @ T)
    return W


def _in_classes(rng, N, d, sizes, scale=1.0):
    t = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    X = rng.normal(size=(N, d)) + rng.normal(size=(len(sizes), d))[t] + rng.uniform(1, 2, d)
    return X * np.append(scale, np.ones(d - 1)), np.eye(len(sizes))[t]


ls_classifier = Exercise(
    stars=2,
    notes="C 1, C 2",
    ask="Return the W (d + 1, K) that minimizes ‖X~W - T‖², the sum of all squares. X~ is X (N, d) with a column of "
    "ones appended, and X~ᵀX~ has an inverse. T (N, K) holds the classes one-hot. W has a column for each class, and "
    "the biases in its last row.",
    hints=(
        "Each column of W appears with one column of T only: column k of W is the regression of column k of T.",
        "Append the ones to X, then np.linalg.lstsq(A, T)[0], or solve X~ᵀX~W = X~ᵀT.",
    ),
    answer=_ls_classifier,
    mistakes=(
        ("A =", "A = X  #", "the biases are missing: append a column of ones to X, so that W has d + 1 rows"),
        ("[X, np.ones(len(X))]", "[np.ones(len(X)), X]", "you put the ones first: append them, the biases come last"),
        ("A.T @ T", "A.T @ (T - T.mean(axis=0))", "T was centered: add its mean to the biases again"),
        ("[X, np", "[X - X.mean(axis=0), np", "the weights are right; the biases are those of a centered X"),
        ("A.T @ T", "A.T @ T.argmax(axis=1)", "that is regression on the class numbers, one vector: T has K columns"),
        ("A.T @ T", "A.T @ (2 * T - 1)", "T was changed to -1 and 1: the targets are 0 and 1, as T holds them"),
        ("W =", "W = A.T @ T  #", "that is X~ᵀT, the right-hand side: solve X~ᵀX~W = X~ᵀT"),
        ("return W", "return A @ W", "those are the outputs X~W: return the weights W"),
    ),
    cases=lambda rng: [
        *table(rng, _in_classes, "N d sizes", (12, 2, (6, 2, 4)), (9, 3, (6, 3)), (15, 1, (8, 3, 3, 1))),
        *table(rng, _in_classes, "N", one_feature_a_thousand_times_as_large=(12, 2, (5, 4, 3), 1000)),
    ],
    factors={"1/N": "X~ᵀX~ and X~ᵀT are both sums", "N": "X~ᵀX~ and X~ᵀT are both sums"},
)


def _margin_losses(m):
    square = (1 - m) ** 2
    logistic = np.maximum(-m, 0) + np.log1p(np.exp(-np.abs(m)))
    zero_one = np.where(m <= 0, 1.0, 0.0)
    return square, logistic, zero_one


margin_losses = Exercise(
    stars=1,
    notes="C 3.3",
    ask="Return three losses (square, logistic, zero_one) of the margins m (n,), each (n,): (1 - m)² of least squares, "
    "ln(1 + e^-m) of logistic regression, and the number of mistakes, 1 for m <= 0, else 0. The margins reach from "
    "-800 to 800; all values must be finite, and have the right digits: a loss of 1e-16 is not 0.",
    hints=(
        "e^800 is no float64. For negative m take e^-m out of the logarithm: ln(1 + e^-m) = -m + ...?",
        "ln(1 + e^-m) = max(-m, 0) + ln(1 + e^-|m|); np.logaddexp(0, -m) does it too. np.where(m <= 0, 1, 0) counts.",
    ),
    answer=_margin_losses,
    mistakes=(
        ("np.where(m <= 0, 1.0, 0.0)", "(1 - np.sign(m)) / 2", "m = 0 counts as a whole mistake, not as half of one"),
        ("(1 - m) ** 2", "1 - m**2", "square is 1 - m² here: put 1 - m in brackets, then square it"),
        ("(1 - m) ** 2", "np.maximum(0, 1 - m) ** 2", "that is the squared hinge: least squares punishes m > 1 too"),
        ("(1 - m) ** 2", "np.maximum(0, 1 - m)", "max(0, 1 - m) is the hinge loss of the SVM: square is (1 - m)²"),
        ("np.maximum(-m, 0)", "np.log(1 + np.exp(-m))  #", _E_OVERFLOWS),
        ("np.maximum(-m, 0)", "-m + np.log(1 + np.exp(m))  #", _E_OVERFLOWS_ABOVE),
        *(("np.maximum(-m, 0)", f"np.log(1 + np.exp(np.clip(-m, -{c}, {c})))  #", _CLIPPED) for c in (500, 700, 709)),
        ("np.log1p(np.exp(-np.abs(m)))", "np.log(1 + np.exp(-np.abs(m)))", _ROUNDED),
        (
            "np.maximum(-m, 0)",
            "-m + np.logaddexp(0, m)  #",
            "for large m the small difference of -m and ln(1 + e^m) has no digits",
        ),
        ("0) +", "0)  #", "max(-m, 0) is the loss of the perceptron: add ln(1 + e^-|m|)"),
        ("np.maximum(-m, 0)", "np.exp(-m)  #", "e^-m is the exponential loss: logistic is ln(1 + e^-m)"),
        ("m <= 0", "m < 0", "m = 0 counts as a mistake too: 1 for m <= 0"),
        ("m <= 0", "m <= 1", "the limit is m = 0, not m = 1: a sample is right where y f > 0"),
    ),
    cases=lambda rng: [
        Case("ordinary margins", (np.append(2 * rng.normal(size=6), [0.5, 1.5]),)),
        Case("m = 0 and m = 1 among them", (np.append(rng.normal(size=3), [0.0, 1, 0, -1, 2, 1]),)),
        Case("m from 35 to 45, losses below 1e-15", (35 + 2.5 * np.arange(5.0) + rng.random(5),)),
        Case("m from -800 to 800", (np.append(5 * rng.normal(size=2), [-800.0, -760, -40, 0, 40, 800]),)),
    ],
    returns=("square", "logistic", "zero_one"),
)


def _labeled(X, t, labels):
    """Does X hold samples and t a label for each, every one of these labels and no other?"""
    return np.ndim(X) == 2 and np.size(X) > 0 and np.shape(t) == (len(X),) and np.array_equal(np.unique(t), labels)


def _in_units_of(X, Z):
    """Both measured from the mean of X, in its largest deviations: no hyperplane or least squares minds."""
    m = X.mean(axis=0)
    s = np.where(np.ptp(X, axis=0) == 0, 1.0, np.abs(X - m).max(axis=0))
    return (X - m) / s, (Z - m) / s


def _margins(X, t, Z, s):
    """How far least squares has samples on the side of their label: on X, of X and of Z; on X and Z, of X."""
    x, z = map(design.augment, _in_units_of(X, Z))
    alone, both = (
        lsc.fit(A, design.one_hot(labels, 2)) @ [-1, 1] for A, labels in ((x, t), (np.vstack([x, z]), np.append(t, s)))
    )
    return design.signs(t) * (x @ alone), design.signs(s) * (z @ alone), design.signs(t) * (x @ both)


def _separable(X, t, Z, s):
    """Can a hyperplane separate the classes? Is there one through 0 with all y(x, 1) on one side?"""
    R = design.signs(np.append(t, s))[:, None] * design.augment(np.vstack(_in_units_of(X, Z)))
    R /= np.linalg.norm(R, axis=1, keepdims=True)  # in length 1 samples of Z very far out cannot hide the others
    return perceptron.certificate(np.vstack([R, -R]), np.repeat([1, -1], len(R))).separable


def _with_outliers():
    X, t = np.array([[-3.0], [-2], [-1], [1], [2], [3]]), np.array([0, 0, 0, 1, 1, 1])
    Z, s = np.array([[30.0], [40.0]]), np.array([1, 1])  # far on their own side: least squares wants y = 1 there too
    return X, t, Z, s


_X, _T, _Z, _S = _with_outliers()
_WIDE = [[-2.0], [-1], [1], [2], [40]]
_FEW = "add at least one sample Z, but fewer than there are in X: 1 <= M < N"
_SHAPES = "X (N, d), Z (M, d) must hold samples of the same features, t (N,), s (M,) a 0 or 1 for each, t both"
_TOO_FAR = "Z is too far out for the arithmetic: stay below 10^10 times the width of X"
_BOTH = "X and Z together must be separable: if they are not, logistic regression errs too"
_BEFORE = "least squares must have every sample of X right before Z is added"
_OWN_SIDE = "least squares on X alone must have Z right too: each added sample lies far on its own side"
_STILL = "least squares on all samples still has every sample of X right: put Z far out, on one side only"


def _same_features(X, t, Z, s):
    return _labeled(X, t, (0, 1)) and _labeled(Z, s, np.unique(s)) and np.isin(s, t).all() and len(X.T) == len(Z.T)


outlier_data = Construction(
    stars=2,
    notes="C 3.3, A 3",
    ask="Return (X, t, Z, s): two classes on which least squares is right, X (N, d) and t (N,) of 0 and 1, and fewer "
    "added samples Z (M, d), s (M,), at least one, each far on its own side. Together all must be separable, so that "
    "logistic regression errs on none; but least squares on all of them must err on a sample of X.",
    hints=(
        "One feature is enough. Least squares wants the output 1 for every sample of class 1: what if x is very large?",
        "Samples far on the right side make the line flat and pull the boundary towards themselves.",
    ),
    returns=("X", "t", "Z", "s"),
    requirements=(
        Requirement(_FEW, lambda X, t, Z, s: 0 < np.size(s) < np.size(t), (_X, _T, np.zeros((0, 1)), [])),
        Requirement(_SHAPES, _same_features, (_X, 2 * _T - 1, _Z, _S)),
        Requirement(_TOO_FAR, lambda X, t, Z, s: np.abs(_in_units_of(X, Z)[1]).max() < 1e10, (_X, _T, [[1e12]], [1])),
        Requirement(_BOTH, _separable, (_X, _T, _Z, 1 - _S)),
        Requirement(_BEFORE, lambda *data: np.all(_margins(*data)[0] > 1e-9), (_WIDE, [0, 0, 1, 1, 1], [[3.0]], [1])),
        Requirement(_OWN_SIDE, lambda *data: np.all(_margins(*data)[1] > 1e-9), (_X, _T, [[-0.5]], [1])),
        Requirement(_STILL, lambda *data: np.any(_margins(*data)[2] < -1e-12), (_X, _T, [[4.0], [5.0]], [1, 1])),
    ),
    example=_with_outliers,
)


def _masked():
    X, t = design.augment(np.array([[0.0], [1], [2], [3], [5], [6], [7], [8]])), np.array([0, 0, 0, 1, 1, 2, 2, 2])
    return lsc.predict(lsc.fit(X, design.one_hot(t)), X)


_FITTED = "lsc.predict(lsc.fit(X, design.one_hot(t)), X)"

predict_the_masking = ByHand(
    stars=2,
    notes="C 3.3",
    ask="Predict a picture: eight samples on a line, x = 0, 1, 2, 3, 5, 6, 7, 8, with the classes 0, 0, 0, 1, 1, 2, "
    "2, 2. Least squares fits a straight line to each column of one-hot targets, and predicts the class whose "
    "line is highest. Sketch the three lines, and give the eight classes that it predicts.",
    hints=(
        "The line of class 1 has the targets 0, 0, 0, 1, 1, 0, 0, 0. Which slope does it have?",
        "It is flat, at 2/8. The line of class 0 falls through the mean 3/8 at x = 4. Where are the two equal?",
    ),
    returns=("the classes",),
    answer=_masked,
    mistakes=(
        (_FITTED, "t", "those are the classes themselves: sketch the lines"),
        (_FITTED, "(X[:, 0] > 4) * 1", "the line of class 1 is flat: is it the highest on the right?"),
        (_FITTED, "np.ones(8)", "sketch the other two lines: they are not flat"),
        (_FITTED, "np.where(abs(X[:, 0] - 4) < 3, 1, t)", "the line of class 1 is flat"),
        ("lsc.predict(", "2 - lsc.predict(", "sketch the line of class 0 again: where are its targets 1?"),
        ("lsc.predict(", "1 + lsc.predict(", "the question calls the classes 0, 1 and 2"),
    ),
    cases=once,
)


def _each_pair_separable(X, t):
    pairs = [np.isin(t, pair) for pair in ((0, 1), (0, 2), (1, 2))]
    return all(_separable(X[rows], t[rows] == t[rows].max(), X[:0], []) for rows in pairs)


def _predictions(X, t):
    """For how many samples of X the output of each class is the only largest: rounding must not decide a tie."""
    Y = (design.augment(X) @ lsc.fit(design.augment(X), design.one_hot(t, 3))).T
    ahead = np.array([Y[k] - np.delete(Y, k, axis=0).max(axis=0) for k in range(3)])
    return np.sum(ahead > 1e-9 * np.median(np.abs(ahead), axis=1, keepdims=True), axis=1)


def _seen(X, t):
    counts = "{}, {}, {} samples of X, and one number must be 0".format(*_predictions(X, t))
    return f"least squares predicts the classes 0, 1, 2 for {counts}: {_EVENLY}"


def _three_in_a_row():
    X = np.array([[-2.0], [-1.8], [0.0], [0.1], [2.0], [2.2]])  # class 1 in the middle: its output is nearly flat
    t = np.array([0, 0, 1, 1, 2, 2])
    return X, t


_ROW, _LABELS = _three_in_a_row()
_EIGHT = np.array([[0.0], [1], [2], [3], [5], [6], [7], [8]]), np.array([0, 0, 0, 1, 1, 2, 2, 2])
_FIFTEEN = 4.0 * np.repeat([-1, 0, 1], 5) + np.tile([-1, -0.5, 0, 0.5, 1], 3)  # ch06-line-code
_TWICE = "X must be samples (N, d), t a label 0, 1 or 2 for each, (N,), and each label must occur at least twice"
_APART = "two of the classes cannot be separated by a hyperplane: keep each in one place"
_EVENLY = "classes of one size, evenly spaced on a line, hide the middle one"

masking_data = Construction(
    stars=2,
    notes="C 3.3",
    ask="Return (X, t): samples X (N, d) of three classes, t (N,) of 0, 1 and 2, at least two samples each, every two "
    "classes separable by a hyperplane, such that least-squares classification on 1-of-K targets (with bias) "
    "never predicts one of the three classes, for no sample of X.",
    hints=(
        "The output of a class is linear in x. Where must a class lie if no linear function is large on it alone?",
        "Three groups on one line: the middle one's targets 0, 1, 0 are fitted by an almost constant output near 1/3.",
    ),
    returns=("X", "t"),
    requirements=(
        Requirement(
            _TWICE,
            lambda X, t: _labeled(X, t, (0, 1, 2)) and min(np.sum(t == k) for k in range(3)) >= 2,
            (_ROW[::2], [0, 1, 2]),
        ),
        Requirement(_APART, _each_pair_separable, (_ROW[[0, 1, 2, 5, 4, 5]], _LABELS)),
        Requirement(
            _seen,
            lambda X, t: _predictions(X, t).min() == 0,
            ([[0.0, 0], [0, 1], [4, 0], [5, 0], [2, 4], [2, 5]], _LABELS),
        ),
    ),
    example=_three_in_a_row,
    printed=lambda X, t: (
        same_samples((X, _FIFTEEN[:, None]), (t, np.repeat([0, 1, 2], 5)))
        or same_samples((X, _EIGHT[0]), (t, _EIGHT[1]))
    ),
)

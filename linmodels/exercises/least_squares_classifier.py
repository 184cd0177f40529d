"""Exercises of chapter 06, least-squares classification (notes A 3, C 1, 2, 3.3). Class numbers are 0..K-1."""

import numpy as np

from linmodels import datasets, design, linear_regression, perceptron
from linmodels import least_squares_classifier as lsc

from .grading.before import Question
from .grading.by_hand import ByHand, once
from .grading.cases import table
from .grading.checker import Case, Construction, Exercise, Requirement
from .grading.derive import Derivation
from .grading.kinds import Loop, Project, per_cent_wrong, share_wrong
from .grading.prove import Decoy, Line, Proof

chapter = "06"

_FILLS_COLUMNS = "all rows are alike: T[:, t] = 1 fills columns, [[0] * K] * N repeats one row: T[np.arange(N), t] = 1"


def _one_hot(t, K):
    T = np.zeros((len(t), K))
    T[np.arange(len(t)), t] = 1
    return T


one_hot = Exercise(
    stars=0,
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
        ("[np.arange(len(t)), t", "[t", "T[t] = 1 fills whole rows: T[np.arange(N), t] = 1 sets one entry of each"),
        ("np.zeros(", "-np.ones(", "the coding is -1 and 1, as for margins; here it is 0 and 1"),
        ("= 1", "= t", "T_nk is 1 where t_n = k, not the class number t_n"),
    ),
    cases=lambda rng: [
        Case(f"{K} classes, of which {np.unique(t)} occur", (rng.permutation(t), K))
        for t, K in (([0, 1, 2, 3, 0, 2, 2], 4), ([0, 1, 2, 0, 1, 1], 4), ([2, 1, 2, 1, 2], 3), ([0], 3))
    ],
)

# where the nearly right rules differ: none or several outputs are above 1/2, or above 1

all_classes_at_once = Derivation(
    stars=2,
    notes="C 2",
    ask="Move all weights at once, from W to W + h U: h is a number, and U (d, K) is any direction. How fast does the "
    "squared loss, a sum over samples and classes, change? Derive its derivative with respect to h, one rule a line, "
    "until neither d nor X@U is left. * goes entry by entry, so sum(A*B) adds up all products of two matrices, and "
    "sum(A*(X@U)) is sum((X.T@A)*U). Then see what U is multiplied by.",
    hints=(
        "d of a sum is the sum of the d. Then each entry is a square: 2 times the error, times its d.",
        "X@(W + h*U) - T is linear in h: what stands beside h?",
        "In sum(A*(X@U)) bring X to the other factor, so that U stands alone. Which A is it here?",
    ),
    start="d(sum((X@(W + h*U) - T)**2), h)",
    letters={"X": "N d", "W": "d K", "U": "d K", "T": "N K", "h": "number"},
    free_of=("d", "X@U"),
    once=("U", "X"),
    lines=(
        "sum(d((X@(W + h*U) - T)**2, h))",
        "sum(2*(X@(W + h*U) - T)*d(X@(W + h*U) - T, h))",
        "sum(2*(X@(W + h*U) - T)*(X@U))",
        "2*sum((X.T@(X@(W + h*U) - T))*U)",
    ),
    slips=(
        (2, "sum(2*(X@(W + h*U) - T))", "does not follow"),
        (2, "sum((X@(W + h*U) - T)*d(X@(W + h*U) - T, h))", "the factor 2"),
        (3, "sum(2*(X@(W + h*U) - T)*(X@W))", "does not follow"),
        (3, "sum(2*(X@(W + h*U) - T)*U)", "the shapes do not fit"),
        (4, "2*sum((X.T@(X@(W + h*U) + T))*U)", "the sign before"),
        (4, "2*sum((X@(X@(W + h*U) - T))*U)", "the shapes do not fit"),
        (1, "2*sum((X.T@(X@(W + h*U) - T))*U)", "take one at a time"),
    ),
)


def _of_three_samples():
    """X and W of the chapter's first example: x = 0, 1, 2 of the classes 0, 0, 1."""
    X = design.augment(np.array([[0.0], [1], [2]]))
    return X, lsc.fit(X, design.one_hot([0, 0, 1]))


def _targets_met():
    X, W = _of_three_samples()
    return f"for x = 0, 1, 2 of the classes 0, 0, 1 the first entry of T is 1, and that of XW is {(X @ W)[0, 0]:.4f}"


def _orthonormal():
    X, _ = _of_three_samples()
    return f"for x = 0, 1, 2 the first entry of XᵀX is {(X.T @ X)[0, 0]:.0f}, and not 1"


def _between_0_and_1():
    _, W = _of_three_samples()
    return f"for the three samples 0, 1, 2 the output of class 0 at x = 3 is {W[0, 0] * 3 + W[1, 0]:.4f}"


sum_is_one = Proof(
    stars=2,
    notes="C 2",
    ask="Prove that the K outputs add up to 1 at every x. X (N, d) ends with a column of ones, so e = (0, ..., 0, 1) "
    "takes this column, and each x ends with a 1. W1 and T1 are sums over the columns, with a vector 1 of K ones. Give "
    "the letters of the ten lines, each below what it uses; any such order is right. Three lines do not belong. After "
    "three wrong tries the letters are dealt anew.",
    hints=(
        "Which system of equations has W1 as its solution? And which other vector solves it?",
        "Both right-hand sides are Xᵀ times a vector of ones. When has a system only one solution?",
    ),
    lines={
        "normal": Line("XᵀXW = XᵀT, as W fits best", "the normal equations"),
        "times": Line("XᵀX(W1) = Xᵀ(T1)", "which equations W1 solves", ("normal",)),
        "rows": Line("T1 is N ones, as each row of T holds a single 1", "what T1 is"),
        "last": Line("Xe is N ones, the last column of X", "what Xe is"),
        "same": Line("XᵀX(W1) = XᵀX e", "that W1 and e solve one system", ("times", "rows", "last")),
        "regular": Line("XᵀX has an inverse, as the columns of X are independent", "that XᵀX has an inverse"),
        "found": Line("W1 = e", "what W1 is", ("same", "regular")),
        "sum": Line("Σ_k a_k(x) = Σ_k w_k·x = (W1)·x", "what the sum of the outputs is"),
        "one": Line("e·x = 1, as x ends with a 1", "what e·x is"),
        "claim": Line("Σ_k a_k(x) = 1 for every x", "the claim", ("found", "sum", "one")),
    },
    decoys={
        "met": Decoy("XW = T, as the errors are smallest", _targets_met),
        "orthonormal": Decoy("XᵀX = I", _orthonormal),
        "shares": Decoy("0 <= a_k(x) <= 1 for each class", _between_0_and_1),
    },
)

pull_of_a_sample = Derivation(
    stars=1,
    notes="C 3.3",
    ask="Least squares asks a score f for the label y, which is -1 or +1. Derive the derivative of the loss (y - f)**2 "
    "with respect to f, one rule a line, until neither d nor f is left: m stands for the product y*f. Then one sees "
    "for which m the loss still falls.",
    hints=(
        "First the square, with the derivative of what is inside.",
        "y**2 is 1. Where can you write it, so that the product y*f comes out?",
    ),
    start="d((y - f)**2, f)",
    letters={"y": "±1", "f": "number", "m": "number"},
    bound=lambda at: {**at, "m": at["y"] * at["f"]},
    bound_as="m is y*f",
    free_of=("d", "f"),
    lines=("2*(y - f)*d(y - f, f)", "-2*(y - f)", "-2*(y - y**2*f)", "-2*(y - y*m)", "-2*y*(1 - m)"),
    slips=(
        (1, "2*(y - f)", "the sign of the whole line"),
        (1, "(y - f)*d(y - f, f)", "the factor 2"),
        (2, "2*(y - f)", "the sign"),
        (3, "-2*(1 - y**2*f)", "does not follow"),
        (4, "-2*(y - m)", "does not follow"),
    ),
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
    stars=1,
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
    stars=1,
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


def _a_row(rng):
    """Three classes in a row, the one in the middle the largest: sizes, means, and the scatter of all samples."""
    while True:
        N = rng.integers(3, 8, 3)
        N[1] = max(N[0], N[2]) + rng.integers(1, 4)
        z = np.cumsum([rng.integers(0, 4), *rng.integers(3, 7, 2)])
        m = z - N @ z / N.sum()
        S_t = int(np.ceil(N @ m**2 + rng.integers(10, 40)))
        u = (N[1] - N[2]) / (N[2] * m[2] - N[1] * m[1])
        if abs(m[1]) > 0.2 and u > 0 and N[1] * (1 + u * m[1]) > N[0] * (1 + u * m[0]) and N[0] != N[2]:
            return [Case("your row", (*map(int, N), *map(int, z), S_t))]


def _window(N_0, N_1, N_2, z_0, z_1, z_2, S_t):
    N = N_0 + N_1 + N_2
    center = (N_0 * z_0 + N_1 * z_1 + N_2 * z_2) / N
    v_1, v_2 = N_1 * (z_1 - center) / S_t, N_2 * (z_2 - center) / S_t
    return N_1 / N, v_2, center + (N_1 / N - N_2 / N) / (v_2 - v_1)


_HEIGHT, _V_1, _V_2 = "return N_1 / N", "N_1 * (z_1 - center) / S_t", "N_2 * (z_2 - center) / S_t"
_END = "center + (N_1 / N - N_2 / N) / (v_2 - v_1)"

window_by_hand = ByHand(
    stars=2,
    notes="C 3.3",
    ask="Three classes lie in a row on a line, N_0, N_1 and N_2 samples with the means z_0 < z_1 < z_2; S_t is the sum "
    "of the squared distances of all samples from their mean. The class in the middle is the largest. Give to three "
    "digits (1) its output at the mean of all samples, (2) the slope of class 2, (3) the x to the right of which class "
    "1 no longer wins. The numbers are your own: check.me('your name') deals them.",
    hints=(
        "First the mean of all samples: each class mean counts as often as the class has samples.",
        "Two lines, of class 1 and of class 2: you know a height and a slope of each. Where do they cross?",
    ),
    answer=_window,
    returns=("height", "slope", "end"),
    one_by_one=True,
    mistakes=(
        (_HEIGHT, "return 1 / 3", "height: the classes are not equally large"),
        (_HEIGHT, "return N_1 / (N_0 + N_2)", "height: a share is of all samples"),
        (_HEIGHT, "return N_2 / N", "height: that is the share of class 2"),
        (_HEIGHT, "return N_1 / N + v_1 * (z_1 - center)", "height: that is its output at its own mean"),
        (_V_2, "(z_2 - center) / S_t", "slope: N_2 is missing"),
        (_V_2, "N_2 * z_2 / S_t", "slope: measure the mean of the class from the mean of all"),
        (_V_2, "N_2 * (z_2 - (z_0 + z_1 + z_2) / 3) / S_t", "slope: the mean of all is no mean of the three means"),
        (_V_2, "N_2 * (z_2 - z_1) / S_t", "slope: measure from the mean of all samples, not from class 1"),
        (_V_2, "N_2 / N * (z_2 - center) / S_t", "slope: you divided by N, which stands in neither N_2 nor S_t"),
        (_V_2, "N_2 * (z_2 - center) / S_t**0.5", "slope: S_t is the scatter already, take no root"),
        (_V_2, "(z_2 - center) / (S_t / N_2 / N_2)", "slope: N_2 stands there once"),
        (_END, "(N_1 / N - N_2 / N) / (v_2 - v_1)", "end: that is the distance from the mean of all; add this mean"),
        (_END, "center + (N_1 / N - N_2 / N) / v_2", "end: class 1 has a slope, too"),
        (_END, "center + (N_1 / N - N_2 / N) / (v_2 + v_1)", "end: subtract the two slopes"),
        (_END, "center + (N_1 - N_2) / (v_2 - v_1)", "end: the heights are shares: divide by N"),
        (_END, "center - (N_1 / N - N_2 / N) / (v_2 - v_1)", "end: that lies to the left: mind the sign"),
        (_END, "(z_1 + z_2) / 2", "end: where do the two lines cross? Halfway between the means is no crossing"),
    ),
    cases=_a_row,
)


def _each_pair_separable(X, t):
    pairs = [np.isin(t, pair) for pair in ((0, 1), (0, 2), (1, 2))]
    return all(_separable(X[rows], t[rows] == t[rows].max(), X[:0], []) for rows in pairs)


def _predictions(X, t):
    """For how many samples of X the output of each class is the only largest: rounding must not decide a tie."""
    Y = (design.augment(X) @ lsc.fit(design.augment(X), design.one_hot(t, 3))).T
    ahead = np.array([Y[k] - np.delete(Y, k, axis=0).max(axis=0) for k in range(3)])
    return np.sum(ahead > 1e-9 * np.median(np.abs(ahead), axis=1, keepdims=True), axis=1)


def _sizes(t):
    return np.array([np.sum(np.equal(t, k)) for k in range(3)])


def _largest(t):
    return int(np.argmax(_sizes(t)))


def _seen(X, t):
    counts = _predictions(X, t)
    told = "least squares predicts the classes 0, 1, 2 for {}, {}, {} samples".format(*counts)
    if 0 in counts:
        return f"{told}: a class is hidden, but not the largest one"
    return f"{told}, and for the largest class it must be 0: {_WHERE}"


def _window_without_samples():
    X = np.array([[-3.2], [-3.0], [-2.8], [-1.0], [-0.9], [0.9], [1.0], [2.8], [3.0], [3.2]])
    return X, np.repeat([0, 1, 2], (3, 4, 3))


_ROW, _LABELS = _window_without_samples()
_TWICE = "X must be samples (N, d), t a label 0, 1 or 2 for each, (N,), and each label must occur at least twice"
_LARGEST = "one class must have more samples than each of the two others"
_APART = "two of the classes cannot be separated by a hyperplane: keep each in one place"
_WHERE = "in which part of the line does it win, and where are its samples?"

mask_the_largest = Construction(
    stars=3,
    notes="C 3.3",
    ask="Hide the largest class. Return (X, t): samples X (N, d) of three classes, t (N,) of 0, 1 and 2, each at least "
    "twice, every two classes separable by a hyperplane, and one class with more samples than each of the others. Yet "
    "least squares on one-hot targets, with biases, must predict this largest class for no sample of X.",
    hints=(
        "On a line the largest class, in the middle, wins in a window. How wide is it, if its lead is one sample?",
        "A class need not sit at its mean: which samples have their mean in the window, and none inside?",
    ),
    returns=("X", "t"),
    requirements=(
        Requirement(
            _TWICE,
            lambda X, t: _labeled(X, t, (0, 1, 2)) and min(_sizes(t)) >= 2,
            (_ROW[::4], [0, 1, 2]),
        ),
        Requirement(
            _LARGEST,
            lambda X, t: np.sum(_sizes(t) == max(_sizes(t))) == 1,
            (_ROW[1:9], np.repeat([0, 1, 2], (2, 3, 3))),
        ),
        Requirement(_APART, _each_pair_separable, (_ROW[[3, 1, 2, 0, 4, 5, 6, 7, 8, 9]], _LABELS)),
        Requirement(
            _seen,
            lambda X, t: _predictions(X, t)[_largest(t)] == 0,
            (_ROW + 0.9 * np.sign(_ROW) * (abs(_ROW) > 2) - 0.8 * np.sign(_ROW) * (abs(_ROW) < 2), _LABELS),
        ),
    ),
    example=_window_without_samples,
)


def _scores_of(rng, N, rare, noise=1.0):
    """Scores of least squares for a frequent class 0 and a rare class 1, in no order."""
    t = rng.permutation(np.repeat([0, 1], (N - rare, rare)))
    X = rng.normal(size=(N, 2)) + 2 / noise * np.outer(t, [1, 0])
    return design.augment(X) @ linear_regression.least_squares(design.augment(X), design.signs(t)), t


def _cut_cases(rng):
    return [
        Case("nine to one", _scores_of(rng, 40, 4)),
        Case("two to one", _scores_of(rng, 21, 7)),
        Case("class 1 is the frequent one", _scores_of(rng, 16, 11)),
        Case("a cut with no mistake", (np.array([0.3, -2.0, 1.5, -0.4, 0.1, -1.0]), np.array([1, 0, 1, 0, 1, 0]))),
        Case("several best cuts", (np.array([4.0, 1, 3, 2, 6, 5.5]), np.array([0, 0, 1, 1, 1, 0]))),
        Case("the worst order", (np.array([-2.0, -1, 0.5, 3]), np.array([1, 1, 0, 0]))),
    ]


def _cut_anew(f, t):
    order = np.argsort(f)
    z, labels = f[order], t[order]
    now = np.sum(t == 0)  # a cut below all scores: class 1 is predicted for every sample
    wrong = []
    for n in range(len(f) - 1):
        now = now + (1 if labels[n] == 1 else -1)
        wrong.append(now)
    k = int(np.argmin(wrong))
    return (z[k] + z[k + 1]) / 2, np.array(wrong)


_PASSED = "1 if labels[n] == 1 else -1"

cut_anew = Loop(
    stars=2,
    notes="C 3.3",
    ask="Keep the direction, and choose the cut anew. f (N,) are the scores of the samples, all different, and t (N,) "
    "their classes, 0 and 1. Above a cut class 1 is predicted. Try a cut between each two neighbors of the sorted "
    "scores, from low to high: N - 1 cuts, each with samples on both sides. Return (cut, wrong): wrong holds, for "
    "each of them, how many samples are wrong, and cut is the midpoint of the two scores with the fewest, the lowest "
    "if there are several.",
    hints=(
        "What changes when a cut moves up by one sample? Only this sample gets another class.",
        "Begin below all scores: which samples are wrong there? Then go up, and add or subtract 1.",
    ),
    answer=_cut_anew,
    returns=("cut", "wrong"),
    path="wrong",
    step="cut",
    mistakes=(
        ("np.argsort(f)", "np.argsort(-f)", "you go from high to low; the cuts are asked for from low to high"),
        ("np.argsort(f)", "np.arange(len(f))", "the scores are not sorted"),
        ("t[order]", "t", "the scores are sorted and the classes are not: each keeps its own"),
        ("now = np.sum(t == 0)", "now = 0", "you begin with no mistake; below all scores class 1 is said of all"),
        ("now = np.sum(t == 0)", "now = np.sum(t == 1)", "below all scores class 1 is predicted, and class 0 is wrong"),
        ("now = np.sum(t == 0)", "now = len(t)", "below all scores not every sample is wrong: which ones are?"),
        (_PASSED, "-1 if labels[n] == 1 else 1", "below the cut class 0 is predicted: which samples become wrong?"),
        (_PASSED, "1 if labels[n] == 1 else 0", "a sample of class 0 that falls below the cut becomes right"),
        (_PASSED, "0 if labels[n] == 1 else -1", "a sample of class 1 that falls below the cut becomes wrong"),
        ("np.argmin(wrong)", "np.argmax(wrong)", "that is the cut with the most mistakes"),
        (
            "np.argmin(wrong)",
            "len(wrong) - 1 - np.argmin(wrong[::-1])",
            "cut: of several best cuts you took the highest; take the lowest",
        ),
        ("(z[k] + z[k + 1]) / 2", "z[k]", "cut: that is a score; take the midpoint of it and the next"),
        ("(z[k] + z[k + 1]) / 2", "z[k + 1]", "cut: that is a score; take the midpoint of it and the one before"),
        ("(z[k] + z[k + 1]) / 2", "(z[k] + z[k - 1]) / 2", "cut: you are one place too low"),
        ("(z[k] + z[k + 1]) / 2", "k", "cut: that is its number; give its place"),
        ("(z[k] + z[k + 1]) / 2", "0.0", "cut: that is the old one; take the one with the fewest mistakes"),
        ("np.array(wrong)", "np.array(wrong) / len(f)", "wrong holds shares; it counts the samples"),
        ("np.array(wrong)", "len(f) - np.array(wrong)", "wrong counts those that are right"),
        ("np.array(wrong)", "np.min(wrong)", "that is the smallest number; wrong has one for each cut"),
        (
            "np.array(wrong)",
            "np.array([np.sum(t == 0), *wrong, np.sum(t == 1)])",
            "there are N - 1 cuts, each between two scores: you tried one below all scores and one above all, too",
        ),
        (
            "np.array(wrong)",
            "np.array([np.sum(t == 0), *wrong])",
            "there are N - 1 cuts, each between two scores: you tried one below all scores, too",
        ),
    ),
    cases=_cut_cases,
)


def _digits():
    digits = datasets.digits()
    return digits.X, digits.y


def _digits_only(predictions):
    return "" if np.isin(predictions, np.arange(10)).all() else "predictions must be whole numbers from 0 to 9"


def _products_of_neighbors(X, t, X_new):
    at = np.arange(64).reshape(8, 8)
    pairs = [(at[:, 1:], at[:, :-1]), (at[1:], at[:-1]), (at[1:, 1:], at[:-1, :-1]), (at[1:, :-1], at[:-1, 1:])]
    i, j = (np.concatenate([pair[k].ravel() for pair in pairs]) for k in (0, 1))
    A, B = (design.augment(np.hstack([Z, Z[:, i] * Z[:, j]])) for Z in (X, X_new))
    W = np.linalg.solve(A.T @ A + np.eye(A.shape[1]), A.T @ np.eye(10)[t])
    return np.argmax(B @ W, axis=1)


digits_at_once = Project(
    stars=2,
    notes="C 2",
    ask="Ten digits, and no iteration. X (N, 64) are the bits of 8 by 8 pictures, 0 or 1, row by row; t (N,) are "
    "the digits. Write a function of X, t and X_new that returns a digit for each row of X_new, by least squares on "
    "one-hot targets, with features and a penalty of your choice. Judged on eight halves that your name deals: at most "
    "7 % wrong in the mean. The 64 bits alone have about 13 %.",
    hints=(
        "What is the square of a bit? Which other features bend, if each entry is 0 or 1?",
        "A product of two bits says that both have ink. All pairs are 2016: which of them are worth a column?",
    ),
    data=_digits,
    score=share_wrong,
    said=per_cent_wrong,
    mark=0.07,
    doubt=0.02,
    outputs=_digits_only,
    answer=_products_of_neighbors,
)


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
    stars=0,
    notes="C 1, C 2",
    ask="Return the class numbers 0..K-1 (N,): for each sample the class with the largest output a_k(x) = w_k·x + b_k. "
    "W (d + 1, K) has a column for each class, and the biases in its last row. X (N, d) comes without the ones "
    "(here d is without the 1). "
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
    stars=0,
    notes="C 1, C 2",
    ask="Return the W (d + 1, K) that minimizes ‖X~W - T‖², the sum of all squares. X~ is X (N, d) (here d is without "
    "the 1) with a column of "
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


_E_OVERFLOWS = "e^800 and ln 0 are no numbers: for m = -800 use ln(1 + e^-m) = -m + ln(1 + e^m)"
_E_OVERFLOWS_ABOVE = "e^m overflows for m = 800: use -m + ln(1 + e^m) only where m < 0"
_ROUNDED = "1 + e^-m rounds to 1 for m > 37, and its logarithm to 0: np.log1p(x) keeps a small x"
_CLIPPED = "np.clip makes 500 of the 800 at m = -800: there, ln(1 + e^-m) = -m + ln(1 + e^m)"


def _margin_losses(m):
    square = (1 - m) ** 2
    logistic = np.maximum(-m, 0) + np.log1p(np.exp(-np.abs(m)))
    zero_one = np.where(m <= 0, 1.0, 0.0)
    return square, logistic, zero_one


margin_losses = Exercise(
    stars=0,
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


def _of_nine_to_one():
    """Where the score of least squares is 0, and where two Gaussian classes are equally likely: means 0 and 2."""
    slope = 2 * 0.09 * 2 / 1.36
    return [0.2 + 0.8 / slope, 1 + np.log(9) / 2]


before = {
    "ch06-cross": Question(
        lambda: 4 / 3,
        {
            "where is the line of class 1 zero? The question is where both lines have one height": lambda: 1 / 3,
            "that is where the line of class 0 is zero": lambda: 7 / 3,
            "that is the mean of x; through which height does each line go there?": lambda: 1,
            "halfway between the classes; compute the two lines": lambda: 3 / 2,
        },
    ),
    "ch06-orders": Question(
        lambda: 1,
        {
            "in this order a line has to go both ways": lambda: 2,
            "this order puts the largest petals in the middle": lambda: 3,
            "count the orders from 1": lambda: 0,
        },
    ),
    "ch06-three": Question(
        lambda: [-1 / 3, 4 / 3],
        {
            "those are the outputs at the last sample, x = 2": lambda: [1 / 6, 5 / 6],
            "first class 0, then class 1": lambda: [4 / 3, -1 / 3],
            "that is what a probability would do; put x = 3 into the two lines": lambda: [0, 1],
        },
    ),
    "ch06-six": Question(
        lambda: [25, 10],
        {
            "mind the sign: does the loss grow or fall with m?": lambda: [25, -10],
            "that is 1 - m itself; differentiate its square": lambda: [25, -5],
            "1 - 6 is squared": lambda: [36, 12],
            "the derivative has a factor 2": lambda: [25, 5],
        },
    ),
    "ch06-height": Question(
        lambda: [2 / 3, 1 / 3],
        {
            "first class 0, then class 1": lambda: [1 / 3, 2 / 3],
            "put x = 1 into both lines": lambda: [1 / 2, 1 / 2],
        },
    ),
    "ch06-flat": Question(
        lambda: [0, 1 / 3],
        {
            "the targets go up and down again: add up the middle samples": lambda: [1 / 4, 1 / 3],
            "the height at the mean is the mean of all targets": lambda: [0, 1],
            "the height at the mean is the mean of all fifteen targets": lambda: [0, 1 / 2],
            "first the slope, then the height": lambda: [1 / 3, 0],
        },
    ),
    "ch06-five": Question(
        lambda: 4,
        {
            "the parabola that fits the targets 0, 1, 0, 0, 0 is broad": lambda: 2,
            "which power goes through any five points?": lambda: 3,
            "two points need the power 1, three the power 2; and five?": lambda: 5,
        },
    ),
    "ch06-places": Question(
        _of_nine_to_one,
        {
            "first where f = 0, then where both are equally likely": lambda: _of_nine_to_one()[::-1],
            "f is -0.8 at the mean 0.2, not at 0": lambda: [0.8 * 1.36 / 0.36, 1 + np.log(9) / 2],
            "the second one: the logarithm of 9 is divided by the distance of the means": lambda: [
                _of_nine_to_one()[0],
                1 + np.log(9),
            ],
            "the second one moves towards the rare class": lambda: [_of_nine_to_one()[0], 1 - np.log(9) / 2],
        },
    ),
}

"""Exercises of chapter 05, softmax regression (notes A 3.3, C 3.2, D 3). The loss is a sum; classes are columns."""

import numpy as np

from linmodels import special

from .grading.cases import table
from .grading.checker import Case, Exercise, run

chapter = "05"

_OVERFLOW = "e^a overflows for scores near 1000: subtract the largest score of each row first"
_ONE_MAX = "one maximum for all rows: far below it every e^a is 0, and 0/0 is nan; each row has its own"
_CLIPPED = "makes large scores equal: subtract the largest score first"
_SIGMAS = "that is σ(a_k) for each class alone; the p of a sample must sum to 1"
_AXIS_0 = "the softmax runs over the samples, axis 0; a sample is a row: axis 1"
_PERCEPTRON = "that is the perceptron's rule: use the probabilities p, not 1 and 0"
_SCORES = "the scores stand where the probabilities belong: take their softmax"
_LARGE = np.array([1000.0, 1000, 1000, 600])  # np.clip at 700 makes some of them alike, at 500 all


def _one_hot_rows(rng, N, K):
    """N rows in which every class has its turn."""
    return np.eye(K)[rng.permutation(np.resize(np.arange(K), N))]


def _softmax(A, axis=-1):
    E = np.exp(A - np.max(A, axis=axis, keepdims=True))
    P = E / E.sum(axis=axis, keepdims=True)
    return P


_SHIFT, _ROW_MAX = "A - np.max(A, axis=axis, keepdims=True)", "np.max(A, axis=axis, keepdims=True)"
_FAR = np.array([[1000, 999, 1001], [-1000, -1001, -999], [-1000, 1000, 0], [0, 1, -1]])
_ROW_SUM = "E.sum(axis=axis, keepdims=True)"

softmax = Exercise(
    stars=1,
    notes="C 3.2, D 3",
    ask="Return the softmax of every row, (N, K): p_nk = exp(a_nk)/Σ_j exp(a_nj). A (N, K) holds the scores, a sample "
    "per row, K >= 1 classes. They reach from -1000 to 1000, and the result must be finite and right there.",
    hints=(
        "e^1000 is no float64. What happens to the quotient when one number is subtracted from all scores of a row?",
        "E = np.exp(A - the largest entry of each row), then divide each row by its sum; keepdims=True keeps a column.",
    ),
    answer=_softmax,
    mistakes=(
        (_SHIFT, "A", _OVERFLOW),
        (_ROW_MAX, "np.max(A)", _ONE_MAX),
        (_ROW_MAX, "np.max(A, axis=0)", "you subtracted the maximum of each column; subtract the maximum of each row"),
        (_SHIFT, "np.minimum(A, 700)", f"a limit at 700 {_CLIPPED}"),
        (_ROW_SUM, "E.sum(axis=0)", "the sums run over the samples (axis 0); sum over the classes of a sample, axis 1"),
        ("axis=-1", "axis=0", _AXIS_0),
        (_ROW_SUM, "1", "the sum is missing: divide each row of e^(a - max) by its sum"),
        ("return P", "return special.sigmoid(A)", _SIGMAS),
    ),
    cases=lambda rng: [
        Case("scores near ±1000", (0.3 * rng.normal(size=(4, 3)) + _FAR,)),
        *table(rng, lambda rng, N, K: (1.5 * rng.normal(size=(N, K)),), "N k", (5, 3), (7, 2), (3, 1), (1, 4)),
    ],
)


def _two_class_weights(W):
    return W[:, 1] - W[:, 0]


two_class_as_sigmoid = Exercise(
    stars=1,
    notes="C 3.2, D 3",
    ask="Return the vector w (d,) for which σ(w·x) is the softmax probability of class 1, for every x. W (d, 2) holds "
    "the columns w_0 and w_1 of the classes 0 and 1.",
    hints=(
        "p_1 = e^(w_1·x)/(e^(w_0·x) + e^(w_1·x)). Divide numerator and denominator by e^(w_1·x).",
        "p_1 = 1/(1 + e^(-(w_1 - w_0)·x)).",
    ),
    answer=_two_class_weights,
    mistakes=(
        ("- W[:, 0]", "+ W[:, 0]", "the sign of w_0 is wrong: only the difference w_1 - w_0 matters"),
        ("- W[:, 0]", "", "w_1 alone is not enough: that is right only where w_0 = 0"),
        ("W[:, 1] -", "", "that is w_0 alone; the difference w_1 - w_0 is wanted"),
        ("W[:, 1] - W[:, 0]", "W[1] - W[0]", "you subtracted rows of W; the classes are its columns"),
        ("- W[:, 0]", "/ W[:, 0]", "you divided w_1 by w_0; dividing the probabilities subtracts their exponents"),
        ("W[:, 1] - W[:, 0]", "_softmax(W)[:, 1]", "that is a softmax of the weights; take it of the scores"),
    ),
    cases=lambda rng: table(rng, lambda rng, d: (rng.normal(size=(d, 2)) + 0.4,), "d", (4,), (3,), (2,)),
    factors={"-": "σ(w·x) is the probability of class 1: w_1 - w_0", "1/2": "there is no 1/2 in w_1 - w_0"},
)


def _jacobian(p):
    return p[:, None] * (np.eye(len(p)) - p[None, :])


_J = "p[:, None] * (np.eye(len(p)) - p[None, :])"

softmax_jacobian = Exercise(
    stars=2,
    notes="C 3.2, D 3, erratum D19",
    ask="Return the Jacobian of the softmax, J_kj = ∂p_k/∂a_j, (K, K), from the probabilities p = softmax(a): p (K,) "
    "holds them already, positive, of sum 1.",
    hints=(
        "p_k = e^a_k/S with S = Σ_j e^a_j. Differentiate by a_k, where e^a_k changes too, and by another a_j.",
        "p_k(1 - p_k) on the diagonal and -p_k p_j beside it: p_k(I_kj - p_j), or diag(p) - ppᵀ.",
    ),
    answer=_jacobian,
    mistakes=(
        (_J, "np.outer(p, p)", "that is ppᵀ alone: J is diag(p) - ppᵀ"),
        ("- p[None, :]", "* (1 - p)", "note D derives only the diagonal (erratum D19); beside it stand -p_k p_j"),
        ("- p[None, :]", "", "-ppᵀ is missing: that is diag(p) alone"),
        ("- p[", "+ p[", "you added ppᵀ; subtract it: S grows with every a_j, and p_k = e^a_k/S falls"),
        (_J, "np.diag(p) - p @ p", "p @ p is the number p·p; the matrix of all p_k p_j is np.outer(p, p)"),
        (_J, "np.diag(p) - p * p", "beside the diagonal stands -p_j²; the matrix of all p_k p_j is np.outer(p, p)"),
        (_J, "np.diag(p) - (p * p)[:, None]", "beside the diagonal stands -p_k²: the second factor is p[None, :]"),
        (_J, "np.eye(len(p)) - np.outer(p, p)", "I stands in place of diag(p): it is p_k(I_kj - p_j)"),
        ("p[:, None]", "1", "that is the derivative of ln p_k, I_kj - p_j; multiply it by p_k"),
        ("return", "p = _softmax(p); return", "p holds the probabilities already; you took their softmax once more"),
    ),
    cases=lambda rng: table(rng, lambda rng, K: (special.softmax(2 * rng.normal(size=K)),), "k", (3,), (2,), (5,)),
    factors={"-": "p_k grows with its own a_k: the diagonal is positive"},
)


def _scored(rng, N, NK, all_rows=0, first_row=0, wrong=0, true=0):
    """Scores to which that much is added; so much lower are those of a wrong class, and of the first true class."""
    A, T, first = 1.5 * rng.normal(size=(N, NK // N)), _one_hot_rows(rng, N, NK // N), np.eye(N, 1)
    return A + all_rows + first_row * first - wrong * np.roll(T, 1, axis=1) - true * first * T, T


def _cross_entropy(A, T):
    m = A.max(axis=1, keepdims=True)
    log_p = A - m - np.log(np.exp(A - m).sum(axis=1, keepdims=True))
    return -np.sum(T * log_p)


_LOG_P = "A - m - np.log(np.exp(A - m).sum(axis=1, keepdims=True))"
_P = "np.exp(A - m) / np.exp(A - m).sum(axis=1, keepdims=True)"
_LOSS = "-np.sum(T * log_p)"
_SUM = "Σ_j e^a_j overflows for scores near 1000: m + ln Σ_j e^(a_j - m), m the largest of the row"
_ROUNDED = "a p is rounded to 0, and ln 0 is -inf: take ln p_k = a_k - ln Σ_j e^a_j from the scores"
_FAR_BELOW = "you used one maximum for all rows: in rows far below it the sum is 0, ln 0 = -inf; take one per row"
_ADDED = "added or as a limit, changes ln p: take ln p_k = a_k - ln Σ_j e^a_j from the scores"

cross_entropy = Exercise(
    stars=2,
    notes="C 3.2, D 3, erratum D17",
    ask="Return the loss E = -Σ_n Σ_k t_nk ln p_nk, one number: a sum, not note D's mean, with p_n the softmax of the "
    "scores. A (N, K) holds the scores, not probabilities, T (N, K) the classes one-hot. Scores reach 1000 and differ "
    "by 800: the result must be finite and right there.",
    hints=(
        "A p that is rounded to 0 has lost its logarithm. Write ln p_k with a_k and Σ_j e^a_j, before any rounding.",
        "ln p_k = a_k - m - ln Σ_j e^(a_j - m) with m the largest score of the row; T picks the true class.",
    ),
    answer=_cross_entropy,
    mistakes=(
        ("A - m - np.log", "A - np.log", "the maximum is subtracted below only: subtract it from a_k, too"),
        ("A.max(axis=1, keepdims=True)", "0", _SUM),
        (_LOSS, "np.sum(np.log(np.exp(A).sum(axis=1)) - A[T == 1])", _SUM),
        (_LOG_P, f"np.log({_P})", _ROUNDED),
        (_LOSS, "-np.sum(np.log(special.softmax(A)[T == 1]))", _ROUNDED),
        ("A.max(axis=1, keepdims=True)", "A.max()", _FAR_BELOW),
        *((_LOG_P, f"np.log({_P} + {e})", f"{e}, {_ADDED}") for e in ("1e-15", "1e-12", "1e-10", "1e-9", "1e-8")),
        (_LOG_P, "A - special.logsumexp(A, axis=0)", _AXIS_0),
        (_LOG_P, "np.log(A)", "A holds scores, not probabilities: take their softmax before the logarithm"),
        ("m = A", "A = special.softmax(A); m = A", "you took the softmax twice: A holds scores, and needs one"),
        ("T * log_p", "np.exp(log_p) * log_p", "-Σ p ln p is the entropy of the predictions: t stands before ln p"),
    ),
    cases=lambda rng: [
        *table(rng, _scored, "N NK", (6, 18), scores_near_1000=(5, 20, 1000), one_row_near_1000=(8, 24, 0, 1000)),
        *table(rng, _scored, "N NK", a_wrong_p_of_0=(7, 21, 1000, 0, 800), a_true_p_of_0=(4, 12, 1000, 0, 0, 800)),
    ],
    factors={"-": "ln p is negative: E has a minus", "1/N": "E is a sum", "1/NK": "np.mean divides by N and by K"},
)


def _weighted(rng, N, NK, d, size=1.0, biases=0.0, last=(1.0,)):
    """The last feature repeats these numbers, and its weights are about the biases."""
    X, W = rng.normal(size=(N, d)) + 0.3, size * rng.normal(size=(d, NK // N))
    X[:, -1], W[-1] = np.resize(last, N), W[-1] + biases
    return W, X, _one_hot_rows(rng, N, NK // N)


def _gradient(W, X, T):
    P = special.softmax(X @ W)
    return X.T @ (P - T)


_WX, _EXP = "special.softmax(X @ W)", "(E := np.exp({})) / E.sum(axis=1, keepdims=True)"

softmax_gradient = Exercise(
    stars=2,
    notes="C 3.2, D 3",
    ask="Return the gradient, of the shape of W, of E(W) = -Σ_n Σ_k t_nk ln p_nk, a sum, not note D's mean, "
    "with p_n the softmax of the scores Wᵀx_n. W (d, K), a column per class, X (N, d) the design matrix as given, T "
    "(N, K) the classes one-hot. Some scores are near 1000: the result must be finite there.",
    hints=(
        "Take one sample: what is the derivative of -ln p_true by the score a_k, for the true class and for another?",
        "It is p_k - t_k. Which product of X and P - T has the shape of W?",
    ),
    answer=_gradient,
    mistakes=(
        ("(P - T)", "(P * (1 - P) * (P - T))", "p(1 - p) belongs to squared errors"),
        (_WX, _EXP.format("X @ W"), _OVERFLOW),
        (_WX, _EXP.format("X @ W - (X @ W).max()"), _ONE_MAX),
        *(("X @ W", f"np.clip(X @ W, -{c}, {c})", f"a limit at {c} {_CLIPPED}") for c in (500, 700)),
        ("X @ W", "X @ W, axis=0", _AXIS_0),
        (_WX, "X @ W", _SCORES),
        (_WX, "1 / (1 + np.exp(-X @ W))", _SIGMAS),
        (_WX, "np.eye(len(W.T))[(X @ W).argmax(1)]", _PERCEPTRON),
        ("P - T", "T * (P - 1)", "the Jacobian's diagonal alone (erratum D19) gives -t(1 - p); take p - t"),
        ("X.T @ (P - T)", "P - T", "Xᵀ is missing: those are the p_n - t_n; multiply each by its x_n"),
        ("X.T @ (P - T)", "(P - T).sum(axis=0)", "Xᵀ is missing: multiply each p_n - t_n by its x_n, then sum"),
    ),
    cases=lambda rng: [
        *table(rng, _weighted, "N NK d", (7, 21, 4), (11, 55, 2), a_p_rounded_to_0=(6, 24, 3, 1e3)),
        *table(rng, _weighted, "N NK", scores_near_1000=(9, 36, 3, 1, _LARGE), both_signs=(6, 12, 3, 1, 1000, (1, -1))),
    ],
    factors={"-": "p - t is right; note D prints t - p behind a minus", "1/N": "E is a sum", "1/NK": "E is a sum"},
)


def _visits(rng, d, K, eta, size, biases=0.0):
    """To a sample per class, which ends in the 1 of the bias; after some visits it is nearly sure."""
    W, X, T = size * rng.normal(size=(d, K)), rng.normal(size=(K, d)), _one_hot_rows(rng, 30, K)
    W[-1] += biases
    X[:, -1] = 1
    return (W,), [(t @ X, t, eta) for t in T]


def _sgd_step(W, x, t, eta):
    p = special.softmax(x @ W)
    return W - eta * np.outer(x, p - t)


_IN_TURN = "for j in np.eye(len(t)): W = W - eta * np.outer(x, j * (special.softmax(x @ W) - t))\n    return W; W"
_XW = "special.softmax(x @ W)"

softmax_sgd_step = Exercise(
    stars=2,
    notes="C 3.2, erratum C13",
    ask="Return the new W after one step of stochastic gradient descent on E_n(W) = -Σ_k t_k ln p_k, p the softmax of "
    "Wᵀx, for one sample. Leave W as it is. W (d, K), a column per class, all of which move; x (d,) ends in the 1 of "
    "the bias; t (K,) one-hot; eta > 0 a number. Scores may reach 1000. Runs of many steps are judged.",
    hints=(
        "w_j moves by -eta (p_j - t_j) x. All p_j are those of the old W.",
        "W - eta * np.outer(x, p - t), with the largest score subtracted before np.exp.",
    ),
    answer=_sgd_step,
    mistakes=(
        ("p - t", "t * (p - t)", "only the true class moves; all w_j must move, the others by -eta p_j x"),
        ("p - t", "(1 - t) * p", "the true class does not move; it must move by eta (1 - p_j) x"),
        ("return W", _IN_TURN, "the w_j move one after another, with new p in between (erratum C13): take the old p"),
        ("p - t", "p * (1 - p) * (p - t)", "you multiplied p - t by p(1 - p), as squared errors through σ do"),
        (_XW, "np.eye(len(t))[(x @ W).argmax()]", _PERCEPTRON),
        (_XW, "special.sigmoid(x @ W)", _SIGMAS),
        (_XW, "x @ W", _SCORES),
        (_XW, "(E := np.exp(x @ W)) / E.sum()", "e^a overflows for large scores: subtract the largest first"),
        *((_XW, f"special.softmax(np.clip(x @ W, -{c}, {c}))", f"a limit at {c} {_CLIPPED}") for c in (500, 700)),
        ("W - eta", "-eta", "that is the step alone; add it to W"),
    ),
    cases=lambda rng: [
        *table(rng, _visits, "d k eta size", (3, 5, 0.5, 0.0), (4, 3, 0.75, 2.0)),
        *table(rng, _visits, "d", scores_beyond_1000=(3, 3, 0.5, 1500), scores_near_1000=(3, 4, 0.5, 1.0, _LARGE)),
    ],
    play=run,
)


def _to_reference(W):
    return W[:, :-1] - W[:, -1:]


drop_reference_class = Exercise(
    stars=2,
    notes="A 3.3, C 3.2, erratum C12",
    ask="Return the V (d, K - 1) with the same probabilities as W (d, K), for every x. W has a column for each class, "
    "as in note C. V has one for the first K - 1 classes, as in note A: the last class, the reference, has the score "
    "0.",
    hints=(
        "Adding one and the same vector to all columns of W changes no probability. Which makes the last column 0?",
        "v_k = w_k - w_K for k < K; W[:, -1:] is the last column as a column.",
    ),
    answer=_to_reference,
    mistakes=(
        (":-1] - W[:, -1:]", "1:] - W[:, :1]", "your reference is the first class; note A takes the last"),
        ("W[:, -1:]", "W[:, :1]", "you subtracted the first column and left out the last; subtract the last"),
        ("- W[:, -1:]", "", "the last column is gone, but not subtracted: subtract it before"),
        ("W[:, :-1] -", "W -", "the last column, which is 0 now, is still there: V is (d, K - 1)"),
        ("- W", "+ W", "the sign of w_K is wrong: v_k = w_k - w_K"),
        ("W[:, -1:]", "W.mean(axis=1, keepdims=True)", "you subtracted the mean of the columns; subtract the last"),
        ("- W", "/ W", "you divided w_k by w_K; dividing the probabilities subtracts their exponents"),
        ("W[:, :-1] - W[:, -1:]", "W[:-1] - W[-1:]", "you subtracted the last row; classes are columns"),
    ),
    cases=lambda rng: table(rng, lambda rng, d, K: (rng.normal(size=(d, K)) + 0.5,), "d k", (2, 4), (5, 3), (3, 2)),
    factors={"-": "p_k/p_K = exp(v_k·x) grows with w_k: v_k = w_k - w_K"},
)

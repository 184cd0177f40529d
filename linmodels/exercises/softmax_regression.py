"""Exercises of chapter 05, softmax regression (notes A 3.3, C 3.2, D 3). The loss is a sum; classes are columns."""

import numpy as np

from linmodels import special

from .grading.checker import Case, Exercise, run

chapter = "05"


def _one_hot_rows(rng, N, K):
    """N rows in which every class has its turn."""
    return np.eye(K)[rng.permutation(np.resize(np.arange(K), N))]


def _large_biases(K):
    """1000, but 600 for the last class: np.clip at 700 makes the others alike, at 500 all of them."""
    return np.append(np.full(K - 1, 1000.0), 600.0)


def _score_cases(rng):
    def one(label, N, K):
        return Case(label, (1.5 * rng.normal(size=(N, K)),))

    large = np.array([[1000.0, 999, 1001], [-1000, -1001, -999], [-1000, 1000, 0], [0, 1, -1]])
    return [
        one("ordinary data", 5, 3),
        Case("scores near ±1000", (large + 0.3 * rng.normal(size=large.shape),)),
        one("two classes", 7, 2),
        one("one class", 3, 1),
        one("one sample", 1, 4),
    ]


def _softmax(A, axis=-1):
    E = np.exp(A - np.max(A, axis=axis, keepdims=True))
    P = E / E.sum(axis=axis, keepdims=True)
    return P


_OVERFLOW = "e^a overflows for scores near 1000: subtract the largest score of each row first"
_ONE_MAX = "one maximum for all rows: far below it every e^a is 0, and 0/0 is nan; each row has its own"
_CLIPPED = "makes large scores equal: subtract the largest score first"
_SIGMAS = "that is σ(a_k) for each class alone; the p of a sample must sum to 1"
_AXIS_0 = "the softmax runs over the samples, axis 0; a sample is a row: axis 1"
_SHIFT = "A - np.max(A, axis=axis, keepdims=True)"
_ROW_MAX = "np.max(A, axis=axis, keepdims=True)"
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
        ("np.max(", "np.min(", "you subtracted the smallest score of each row, and e^a overflows; use the largest"),
        ("np.max(", "np.mean(", "you subtracted the mean of each row, and e^a overflows; subtract the largest score"),
        (_SHIFT, "np.clip(A, -700, 700)", f"clipping {_CLIPPED}"),
        (_SHIFT, "np.minimum(A, 700)", f"a limit at 700 {_CLIPPED}"),
        (_ROW_SUM, "E.sum(axis=0)", "the sums run over the samples (axis 0); sum over the classes of a sample, axis 1"),
        ("axis=-1", "axis=0", _AXIS_0),
        ("axis=-1", "axis=None", "that is one softmax over all N K entries; each row has its own maximum and sum"),
        (_ROW_SUM, "E.sum()", "you divided by the sum of the whole matrix; each row has its own sum"),
        (_ROW_SUM, "1", "the sum is missing: divide each row of e^(a - max) by its sum"),
        ("return P", "return A / A.sum(axis=1, keepdims=True)", "the exponential is missing: that is a_k/Σ_j a_j"),
        ("return P", "return special.sigmoid(A)", _SIGMAS),
        ("return P", "return A - special.logsumexp(A)[:, None]", "that is ln p; return p itself"),
        ("return P", "return np.eye(len(A.T))[A.argmax(axis=1)]", "that is 1 for the likeliest class; return every p"),
        ("E =", "A = -A; E =", "the sign of the scores is wrong: p_k grows with a_k"),
    ),
    cases=_score_cases,
)


def _two_class_weights(W):
    return W[:, 1] - W[:, 0]


_W = "W[:, 1] - W[:, 0]"

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
        (_W, "W[1] - W[0]", "you subtracted rows of W; the classes are its columns"),
        ("- W[:, 0]", "/ W[:, 0]", "you divided w_1 by w_0; dividing the probabilities subtracts their exponents"),
        ("- W[:, 0]", "* W[:, 0]", "you multiplied w_1 and w_0; dividing the probabilities subtracts their exponents"),
        (_W, "W - W.mean(1)[:, None]", "you subtracted the mean of both columns; return one vector, w_1 - w_0"),
        (_W, "_softmax(W)[:, 1]", "that is σ(w_1 - w_0), a softmax of the weights; it is taken of the scores, later"),
    ),
    cases=lambda rng: [
        Case(label, (rng.normal(size=(d, 2)) + 0.4,))
        for label, d in (("ordinary data", 4), ("three features", 3), ("two features", 2))
    ],
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
        ("np.eye(len(p))", "0", "diag(p) is missing: on the diagonal stands p_k - p_k²"),
        ("- p[None, :]", "", "-ppᵀ is missing: that is diag(p) alone"),
        ("- p[", "+ p[", "you added ppᵀ; subtract it: S grows with every a_j, and p_k = e^a_k/S falls"),
        (_J, "np.diag(p) - p @ p", "p @ p is the number p·p; the matrix of all p_k p_j is np.outer(p, p)"),
        (_J, "np.diag(p) - p * p", "beside the diagonal stands -p_j²; the matrix of all p_k p_j is np.outer(p, p)"),
        (_J, "np.diag(p) - (p * p)[:, None]", "beside the diagonal stands -p_k²: the second factor is p[None, :]"),
        (_J, "np.diag(p) + np.outer(p, p) - 2 * np.diag(p * p)", "beside the diagonal the sign is wrong: -p_k p_j"),
        (_J, "np.diag(p + p * p) - np.outer(p, p)", "right beside the diagonal, but on it stands p_k - p_k², not p_k"),
        (_J, "np.diag(p - p * p) - np.outer(p, p)", "p_k² is subtracted twice on the diagonal: diag(p) - ppᵀ is right"),
        ("np.eye(len(p))", "1", "p_k(1 - p_j) stands everywhere; the 1 is on the diagonal only, I_kj"),
        (_J, "np.eye(len(p)) - np.outer(p, p)", "I stands in place of diag(p): it is p_k(I_kj - p_j)"),
        ("p[:, None]", "1", "that is the derivative of ln p_k, I_kj - p_j; multiply it by p_k"),
        ("return", "p = _softmax(p); return", "p holds the probabilities already; you took their softmax once more"),
    ),
    cases=lambda rng: [
        *(Case(f"K = {K}", (special.softmax(1.2 * rng.normal(size=K)),)) for K in (3, 2, 5)),
        Case("one class nearly sure", (special.softmax(np.array([8.0, 0, 1, -1]) + rng.normal(size=4)),)),
    ],
    factors={"-": "p_k grows with its own a_k: the diagonal is positive"},
)


def _cross_entropy(A, T):
    m = A.max(axis=1, keepdims=True)
    log_p = A - m - np.log(np.exp(A - m).sum(axis=1, keepdims=True))
    return -np.sum(T * log_p)


def _entropy_cases(rng):
    def one(label, N, K, change=lambda A, T: 0.0):
        A, T = 1.5 * rng.normal(size=(N, K)), _one_hot_rows(rng, N, K)
        return Case(label, (A + change(A, T), T), {"N": N, "NK": N * K})

    def first(A):
        return (np.arange(len(A)) == 0)[:, None]

    return [
        one("ordinary data", 6, 3),
        one("scores near 1000", 5, 4, lambda A, T: 1000),
        one("one row near 1000, the others near 0", 8, 3, lambda A, T: 1000 * first(A)),
        one("a wrong class whose p is rounded to 0", 7, 3, lambda A, T: 1000 - 800 * np.roll(T, 1, axis=1)),
        one("a true class whose p is rounded to 0", 4, 3, lambda A, T: 1000 - 800 * T * first(A)),
        one("two classes", 9, 2),
    ]


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
        (_LOSS, "np.sum(A.max() + np.log(np.exp(A - A.max()).sum(axis=1)) - A[T == 1])", _FAR_BELOW),
        *((_LOG_P, f"np.log({_P} + {e})", f"{e}, {_ADDED}") for e in ("1e-15", "1e-12", "1e-10", "1e-9", "1e-8")),
        *(("m = A", f"A = np.clip(A, -{c}, {c}); m = A", f"a limit at {c} {_CLIPPED}") for c in (500, 700)),
        (_LOG_P, "A - m", "ln Σ_j e^a_j is not the largest score: ln Σ_j e^(a_j - m) is still missing"),
        (_LOG_P, "A - special.logsumexp(A, axis=0)", _AXIS_0),
        (_LOG_P, "np.log(A)", "A holds scores, not probabilities: take their softmax before the logarithm"),
        ("m = A", "A = special.softmax(A); m = A", "you took the softmax twice: A holds scores, and needs one"),
        ("T * log_p", "log_p", "T is missing: add ln p of the true class only, not of all K"),
        ("T * log_p", "T * np.exp(log_p)", "the logarithm is missing: that is -Σ t_nk p_nk"),
        ("T * log_p", "np.exp(log_p) * log_p", "-Σ p ln p is the entropy of the predictions: t stands before ln p"),
        ("T *", "(1 - T) * np.log(1 - np.exp(log_p)) + T *", "(1 - t) ln(1 - p) belongs to separate σ: leave it out"),
        ("T * log_p", "T * A - np.logaddexp(0, A)", _SIGMAS),
    ),
    cases=_entropy_cases,
    factors={"-": "ln p is negative: E has a minus", "1/N": "E is a sum", "1/NK": "np.mean divides by N and by K"},
)


def _gradient_cases(rng):
    def one(label, N, d, K, size=1.0, biases=0.0, last=None):
        """last: what the last feature repeats, where the weights of the last row are about the biases."""
        X, W = rng.normal(size=(N, d)) + 0.3, size * rng.normal(size=(d, K))
        if last is not None:
            X[:, -1] = np.resize(last, N)
            W[-1] += biases
        return Case(label, (W, X, _one_hot_rows(rng, N, K)), {"N": N, "NK": N * K})

    return [
        one("ordinary data", 7, 4, 3),
        one("more classes than features", 11, 2, 5),
        one("two classes, scores near ±1000", 6, 3, 2, biases=1000, last=(1, -1)),
        one("every score near 1000 or 600", 9, 3, 4, biases=_large_biases(4), last=1),
        one("a p that is rounded to 0", 6, 3, 4, size=1e3),
    ]


def _gradient(W, X, T):
    P = special.softmax(X @ W)
    return X.T @ (P - T)


_EXP = "(E := np.exp({})) / E.sum(axis=1, keepdims=True)"
_WX = "special.softmax(X @ W)"
_CHAIN = f"T + (P := {_WX}) * (-T / P + (T / P * P).sum(axis=1, keepdims=True))"  # + T, which P - T takes off again

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
        (_WX, _EXP.format("np.minimum(X @ W, 700)"), f"a limit at 700 {_CLIPPED}"),
        *(("X @ W", f"np.clip(X @ W, -{c}, {c})", f"a limit at {c} {_CLIPPED}") for c in (500, 700)),
        ("X @ W", "X @ W, axis=0", _AXIS_0),
        (_WX, "X @ W", "the scores XW stand where the probabilities belong: take their softmax"),
        (_WX, "1 / (1 + np.exp(-X @ W))", _SIGMAS),
        (
            _WX,
            "np.eye(len(W.T))[(X @ W).argmax(1)]",
            "that is the perceptron's rule: use the probabilities p, not 1 and 0",
        ),
        ("P - T", "T * (P - 1)", "the Jacobian's diagonal alone (erratum D19) gives -t(1 - p); take p - t"),
        (_WX, _CHAIN, "0/0 is nan where a p is rounded to 0: let -t/p and the Jacobian's p cancel"),
        ("- T)", ")", "T is missing: the residual is p - t"),
        (_WX, "0", "p is missing: the residual is p - t"),
        ("X.T @ (P - T)", "P - T", "Xᵀ is missing: those are the p_n - t_n; multiply each by its x_n"),
        ("X.T @ (P - T)", "(P - T).sum(axis=0)", "Xᵀ is missing: multiply each p_n - t_n by its x_n, then sum"),
        ("X.T @ (P - T)", "X.T @ (P - T)[:, :-1]", "the last column is missing: all K classes have weights"),
        ("return", "return W +", "you added W, as a penalty ‖W‖²/2 does; this loss has none"),
    ),
    cases=_gradient_cases,
    factors={"-": "p - t is right; note D prints t - p behind a minus", "1/N": "E is a sum", "1/NK": "E is a sum"},
)


def _sgd_step(W, x, t, eta):
    p = special.softmax(x @ W)
    return W - eta * np.outer(x, p - t)


def _sgd_cases(rng):
    """x ends in the 1 of the bias."""

    def one(label, d, K, start, eta, visits=8, biases=0.0):
        T = np.eye(K)[np.append(np.arange(K), rng.integers(K, size=visits - K))]
        W = start * rng.normal(size=(d, K))
        W[-1] += biases
        return Case(label, ((W,), [(np.append(rng.normal(size=d - 1), 1.0), t, eta) for t in T]))

    return [
        one("a run from W = 0", 3, 5, 0.0, 0.5),
        one("a run from another W", 4, 3, 2.0, 0.25, visits=20),
        one("a run with scores beyond ±1000", 3, 3, 1500.0, 0.5),
        one("a run with scores near 1000 and 600", 3, 3, 1.0, 0.5, biases=_large_biases(3)),
    ]


_IN_TURN = (
    "for j in np.eye(len(t)):\n        W = W - eta * np.outer(x, j * (special.softmax(x @ W) - t))\n    return W; W"
)
_SOFTMAX = "special.softmax(x @ W)"

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
        ("W - eta", "W + eta", "the step goes uphill: subtract eta x (p - t)ᵀ"),
        ("eta *", "", "eta is missing in the step"),
        ("eta *", "eta / len(t) *", "you divided the step by K: E_n is a sum over the classes, not a mean"),
        ("p - t", "p", "t is missing: the residual is p - t"),
        ("p - t", "-t", "p is missing: the residual is p - t"),
        ("p - t", "p * (1 - p) * (p - t)", "you multiplied p - t by p(1 - p), as squared errors through σ do"),
        (_SOFTMAX, "np.eye(len(t))[(x @ W).argmax()]", "that is the perceptron's rule: take p, not 1 and 0"),
        (_SOFTMAX, "special.sigmoid(x @ W)", _SIGMAS),
        (_SOFTMAX, "x @ W", "the scores stand where the probabilities p belong: take their softmax"),
        (_SOFTMAX, "(E := np.exp(x @ W)) / E.sum()", "e^a overflows for large scores: subtract the largest first"),
        (f"= {_SOFTMAX}", "= (E := np.exp(np.minimum(x @ W, 700))) / E.sum()", f"a limit at 700 {_CLIPPED}"),
        *((_SOFTMAX, f"special.softmax(np.clip(x @ W, -{c}, {c}))", f"a limit at {c} {_CLIPPED}") for c in (500, 700)),
        ("(x, p", "(np.append(x[:-1], 0), p", "the bias, the last row of W, does not move: x ends in its 1"),
        ("p - t", "np.append((p - t)[:-1], 0)", "the last class does not move; here all K classes have weights"),
        ("W - eta", "-eta", "that is the step alone; add it to W"),
        ("W - eta", "eta", "that is eta times the gradient alone; subtract it from W"),
        ("W - eta *", "", "that is the gradient alone; return the new W = W - eta x (p - t)ᵀ"),
    ),
    cases=_sgd_cases,
    play=run,
)


def _to_reference(W):
    return W[:, :-1] - W[:, -1:]


_V = "W[:, :-1] - W[:, -1:]"

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
        (_V, "W[:, 1:] - W[:, :1]", "you took the first class as reference; note A takes the last: v_k = w_k - w_K"),
        ("W[:, -1:]", "W[:, :1]", "you subtracted the first column and left out the last; subtract the last"),
        ("W[:, :-1]", "W[:, 1:]", "you subtracted the last column, but left out the first; leave out the last"),
        ("- W[:, -1:]", "", "the last column is gone, but not subtracted: subtract it before"),
        ("W[:, :-1] -", "W -", "the last column, which is 0 now, is still there: V is (d, K - 1)"),
        ("- W", "+ W", "the sign of w_K is wrong: v_k = w_k - w_K"),
        ("W[:, -1:]", "W.mean(axis=1, keepdims=True)", "you subtracted the mean of the columns; subtract the last"),
        (_V, "W - W.mean(1)[:, None]", "you subtracted the mean of the columns and kept all K; v_k = w_k - w_K"),
        ("W[:, -1:]", "W[:, 1:]", "you subtracted the next column from each; subtract the last from all"),
        ("- W", "/ W", "you divided w_k by w_K; dividing the probabilities subtracts their exponents"),
        (_V, "W[:-1] - W[-1:]", "you subtracted the last row and left it out; classes are columns"),
        ("W[:, -1:]", "W.max(axis=1, keepdims=True)", "you subtracted the largest entry of each row, not the last"),
    ),
    cases=lambda rng: [
        Case(label, (rng.normal(size=(d, K)) + 0.5,))
        for label, d, K in (("ordinary data", 2, 4), ("more features than classes", 5, 3), ("two classes", 3, 2))
    ],
    factors={"-": "p_k/p_K = exp(v_k·x) grows with w_k: v_k = w_k - w_K"},
)

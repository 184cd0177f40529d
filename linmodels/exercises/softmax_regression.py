"""Exercises of chapter 05, softmax regression (notes A 3.3, C 3.2, D 3). The loss is a sum; classes are columns."""

import numpy as np

from linmodels import softmax_regression, special

from .grading.checker import Answer, Case, Exercise, Known, run

chapter = "05"


def _as_is(A):
    return A


def _less_row_maximum(A):
    return A - A.max(axis=1, keepdims=True)


def _less_maximum(A):
    return A - A.max()


def _less_column_maximum(A):
    return A - A.max(axis=0)


def _by_row(E):
    return E / E.sum(axis=1, keepdims=True)


def _by_column(E):
    return E / E.sum(axis=0)


def _by_all(E):
    return E / E.sum()


def _log_softmax(A):
    return A - special.logsumexp(A)[:, None]


def _hard(P):
    """1 for the likeliest class, 0 for the others; P (K,) or (N, K)."""
    return np.eye(P.shape[-1])[P.argmax(axis=-1)]


def _overflowing(A):
    """The softmax without the shift; A (K,) or (N, K)."""
    E = np.exp(A)
    return E / E.sum(axis=-1, keepdims=True)


def _by_one_maximum(A):
    """The softmax with the largest of all scores subtracted."""
    return _by_row(np.exp(_less_maximum(A)))


def _clipped(form, c):
    """form(A), the scores cut off at ±c."""
    return lambda A: form(np.clip(A, -c, c))


_CUT = (500, 700)  # where readers cut the scores off, so that np.exp does not overflow


def _large_biases(K):
    """1000, but 600 for the last class: np.clip at 700 makes the others alike, at 500 all of them."""
    return np.append(np.full(K - 1, 1000.0), 600.0)


def _one_hot_rows(rng, N, K):
    """N rows in which every class has its turn."""
    return np.eye(K)[rng.permutation(np.resize(np.arange(K), N))]


def _softmax(A, *, of=_as_is, shift=_less_row_maximum, form=np.exp, norm=_by_row):
    return norm(form(shift(of(A))))


def _score_cases(rng):
    def one(label, N, K):
        return Case(label, (1.5 * rng.normal(size=(N, K)),))

    large = np.array([[1000.0, 999, 1001], [-1000, -1001, -999], [-1000, 1000, 0], [0, 1, -1]])
    return [
        one("ordinary data", 5, 3),
        Case("scores near ±1000", (large + 0.3 * rng.normal(size=large.shape),)),
        one("two classes", 7, 2),
        one("one class", 3, 1),
    ]


softmax = Exercise(
    stars=1,
    notes="C 3.2, D 3",
    ask="The softmax of every row: p_nk = exp(a_nk)/Σ_j exp(a_nj). A (N, K) holds the scores, a sample per row, K >= 1 "
    "classes; they reach from -1000 to 1000, and the result must be finite there and right. Return (N, K).",
    hints=(
        "e^1000 is no float64. What happens to the quotient when one number is subtracted from all scores of a row?",
        "E = np.exp(A - the largest entry of each row), then each row by its sum; keepdims=True keeps both columns.",
    ),
    answer=special.softmax,
    variant=_softmax,
    mistakes={
        "right for small scores, but e^a overflows near 1000: subtract each row's largest score first": {
            "shift": _as_is
        },
        "one maximum for all rows: in a row far below it every exp is 0, and 0/0 is nan; each row has its own": {
            "shift": _less_maximum
        },
        "the maximum of each column is subtracted; only one number for the whole row leaves its softmax as it is": {
            "shift": _less_column_maximum
        },
        "the smallest score of a row is subtracted: e^(a - min) may still overflow; subtract the largest": {
            "shift": lambda A: A - A.min(axis=1, keepdims=True)
        },
        "the mean of a row is subtracted: e^(a - mean) may still overflow; subtract the largest": {
            "shift": lambda A: A - A.mean(axis=1, keepdims=True)
        },
        "np.clip makes 999, 1000 and 1001 one number and their p equal; subtract each row's largest score instead": {
            "of": _clipped(_as_is, 700)
        },
        "the scores are divided by the row's largest, which changes the quotients; subtract it": {
            "shift": lambda A: A / A.max(axis=1, keepdims=True)
        },
        "the sums run over the samples (axis 0); they must run over the classes of one sample, axis 1": {
            "norm": _by_column
        },
        "maximum and sum run over the samples (axis 0); a row is a sample, so both belong to axis 1": {
            "shift": _less_column_maximum,
            "norm": _by_column,
        },
        "all entries are divided by the sum of the whole matrix; each row has its own sum": {"norm": _by_all},
        "that is one softmax over all N K entries; each row has its own maximum and its own sum": {
            "shift": _less_maximum,
            "norm": _by_all,
        },
        "the sum is missing: each row's largest entry is 1 now, but its sum must be 1": {
            "norm": lambda E: E / E.max(axis=1, keepdims=True)
        },
        "the sum is missing: those are e^a, and inf for large scores; each row must sum to 1": {
            "shift": _as_is,
            "norm": _as_is,
        },
        "each row is divided by its length √Σ e^2a, as np.linalg.norm gives it, not by its sum": {
            "norm": lambda E: E / np.linalg.norm(E, axis=1, keepdims=True)
        },
        "the denominator has a 1 too many: it belongs to K - 1 scores and a reference class; here all K have one": {
            "norm": lambda E: E / (1 + E.sum(axis=1, keepdims=True))
        },
        "the exponential is missing: that is a_k/Σ_j a_j": {"shift": _as_is, "form": _as_is},
        "the exponential is missing: you divided the shifted scores by their sum": {"form": _as_is},
        "the sign of the scores is wrong: p_k grows with a_k": {"of": np.negative},
        "that is σ(a_k) for each class alone: they do not sum to 1": {
            "shift": _as_is,
            "form": special.sigmoid,
            "norm": _as_is,
        },
        "σ(a_k) stands in place of e^a_k": {"shift": _as_is, "form": special.sigmoid},
        "that is ln p; p itself is asked for": {"shift": _as_is, "form": _log_softmax, "norm": _as_is},
        "that is ln p, and -inf where p is rounded to 0; p itself is asked for": {"norm": lambda E: np.log(_by_row(E))},
        "that is 1 for the likeliest class and 0 for the others, the arg max; all probabilities are asked for": {
            "norm": _hard
        },
    },
    stops={
        "broadcast": "a maximum or sum per row has shape (N,); keepdims=True keeps it a column, (N, 1)",
        "OverflowError": "math.exp stops where np.exp gives inf; subtract the largest score of the row first",
        "Python scalars": "A is an array: np.exp takes it entry by entry, math.exp takes one number",
        "truth value": "A is an array: A.max(axis=1, keepdims=True), not max(A)",
    },
    cases=_score_cases,
    also_right=(
        lambda A: special.softmax(A.T, axis=0).T,
        lambda A: np.exp(_log_softmax(A)),
        lambda A: [np.exp(a - max(a)) / sum(np.exp(a - max(a))) for a in A],
        lambda A: 1 / np.exp(A[:, None, :] - A[:, :, None]).sum(axis=2),
    ),
)


def _two_classes(W, *, columns=lambda W: (W[:, 0], W[:, 1]), join=lambda u, v: v - u, finish=lambda w: w):
    return finish(join(*columns(W)))


two_class_as_sigmoid = Exercise(
    stars=1,
    notes="C 3.2, D 3",
    ask="Softmax regression of two classes is logistic regression: from W (d, 2), the columns w_0 and w_1 of the "
    "classes 0 and 1, the vector w (d,) for which σ(w·x) is the softmax probability of class 1, for every x.",
    hints=(
        "p_1 = e^(w_1·x)/(e^(w_0·x) + e^(w_1·x)). Divide above and below by e^(w_1·x).",
        "p_1 = 1/(1 + e^(-(w_1 - w_0)·x)).",
    ),
    answer=softmax_regression.two_class_weights,
    variant=_two_classes,
    mistakes={
        "the sign of w_0 is wrong: only the difference w_1 - w_0 matters": {"join": lambda u, v: u + v},
        "w_1 alone is not enough: that is right only where w_0 = 0": {"join": lambda u, v: v},
        "that is w_0 alone; class 1 and the difference w_1 - w_0 are asked for": {"join": lambda u, v: u},
        "the rows of W are subtracted; classes are its columns": {"columns": lambda W: (W[0], W[1])},
        "w_1 is divided by w_0; the probabilities are divided, so their exponents are subtracted": {
            "join": lambda u, v: v / u
        },
        "w_1 and w_0 are multiplied; dividing e^(w_1·x) by e^(w_0·x) subtracts the exponents": {
            "join": lambda u, v: u * v
        },
        "the signs of w_1 - w_0 are lost": {"finish": np.abs},
        "w_1 - w_0 is scaled to length 1: σ(w·x) depends on the length": {"finish": lambda w: w / np.linalg.norm(w)},
        "that is (w_0 - mean, w_1 - mean), the same two columns shifted; one vector, w_1 - w_0, is asked for": {
            "join": lambda u, v: np.column_stack([(u - v) / 2, (v - u) / 2])
        },
        "that is σ(w_1 - w_0), entry by entry; σ is taken of w·x later": {"finish": special.sigmoid},
        "the entries of w_1 - w_0 are summed; w has one per feature": {"finish": np.sum},
    },
    stops={"IndexError": "W has d rows and two columns: W[:, 0] and W[:, 1] are the classes' weights"},
    cases=lambda rng: [
        Case(label, (rng.normal(size=(d, 2)) + 0.4,))
        for label, d in (("ordinary data", 4), ("three features", 3), ("two features", 2))
    ],
    factors={
        "-": "σ(w·x) is the probability of class 1: w_1 - w_0",
        "1/2": "p_1/p_0 = exp((w_1 - w_0)·x): there is no 1/2",
    },
    also_right=(
        lambda W: W @ np.array([-1.0, 1.0]),
        lambda W: np.diff(W, axis=1).ravel(),
        lambda W: [v - u for u, v in W],
    ),
)


def _jacobian(p, *, of=_as_is, diagonal=np.diag, product=lambda p: np.outer(p, p), sign=-1, finish=lambda J, p: J):
    p = of(p)
    return finish(diagonal(p) + sign * product(p), p)


class _AsItIsFirst(Exercise):
    """Where the transpose of one mistake is another, the reader's answer is looked up as it is before it is turned."""

    def _diagnose(self, known: Known, found: list[Answer]) -> str | None:
        as_it_is = (texts for (texts, made) in self.mistaken(known.cases, 1) if self._explains(made, found))
        return next(as_it_is, ("",))[0] or super()._diagnose(known, found)


softmax_jacobian = _AsItIsFirst(
    stars=2,
    notes="C 3.2, D 3, erratum D19",
    ask="The Jacobian of the softmax, J_kj = ∂p_k/∂a_j, (K, K), as a function of the probabilities p = softmax(a): "
    "p (K,) holds them already, positive, of sum 1.",
    hints=(
        "p_k = e^a_k/S with S = Σ_j e^a_j. Differentiate by a_k, where e^a_k moves too, and by another a_j.",
        "p_k(1 - p_k) on the diagonal and -p_k p_j beside it: p_k(I_kj - p_j), or diag(p) - ppᵀ.",
    ),
    answer=softmax_regression.jacobian,
    variant=_jacobian,
    mistakes={
        "beside the diagonal p_k(1 - p_k), all that note D derives (erratum D19), stand -p_k p_j": {
            "finish": lambda J, p: np.diag(np.diag(J))
        },
        "that is the diagonal p_k(1 - p_k) as a vector; every p_k depends on every a_j": {
            "finish": lambda J, p: np.diag(J)
        },
        "diag(p) is missing: on the diagonal stands p_k - p_k²": {"diagonal": lambda p: np.zeros((len(p), len(p)))},
        "-ppᵀ is missing: that is diag(p) alone": {"product": lambda p: 0.0},
        "ppᵀ is subtracted, not added: S grows with every a_j, and p_k = e^a_k/S falls": {"sign": 1},
        "p @ p (or p @ p.T) is the number p·p; the matrix of all p_k p_j is np.outer(p, p)": {
            "product": lambda p: p @ p
        },
        "beside the diagonal stands -p_j², the same in all rows, as from p * p or p * (I - p); it is -p_k p_j": {
            "product": lambda p: p * p
        },
        "beside the diagonal stands -p_k²: both factors are the column p[:, None]; the second is the row p[None, :]": {
            "product": lambda p: (p * p)[:, None]
        },
        "the diagonal is right, but beside it the sign is wrong: -p_k p_j, for p_k falls as another a_j grows": {
            "finish": lambda J, p: 2 * np.diag(np.diag(J)) - J
        },
        "beside the diagonal it is right, but on it stands p_k - p_k², not p_k": {
            "diagonal": lambda p: np.diag(p + p * p)
        },
        "p_k² is subtracted twice on the diagonal: diag(p) - ppᵀ, not diag(p(1 - p)) - ppᵀ": {
            "diagonal": lambda p: np.diag(p * (1 - p))
        },
        "p_k(1 - p_j) stands in every place; the 1 is on the diagonal only, I_kj": {"diagonal": lambda p: p[:, None]},
        "I stands in place of diag(p): it is p_k(I_kj - p_j)": {"diagonal": lambda p: np.eye(len(p))},
        "that is the derivative of ln p_k, I_kj - p_j; p_k as a factor is missing": {
            "finish": lambda J, p: np.eye(len(p)) - p
        },
        "that is p_k(1 - p_k) - p_k p_j: a softmax gradient spread over the row; the first term is on the diagonal": {
            "diagonal": lambda p: (p * (1 - p))[:, None]
        },
        "p holds the probabilities already; you took their softmax once more": {"of": special.softmax},
    },
    stops={
        "matmul": "p is a vector: the matrix of all p_k p_j is np.outer(p, p)",
        "TypeError": "p is an array: p_k(1 - p_k) is p * (1 - p), and np.diag makes a matrix of it",
    },
    cases=lambda rng: [
        *(Case(f"K = {K}", (special.softmax(1.2 * rng.normal(size=K)),)) for K in (3, 2, 5)),
        Case("one class nearly sure", (special.softmax(np.array([8.0, 0, 1, -1]) + rng.normal(size=4)),)),
    ],
    factors={"-": "p_k grows with its own a_k: the diagonal is positive"},
    also_right=(
        lambda p: np.diag(p) - np.outer(p, p),
        lambda p: p[:, None] * (np.eye(len(p)) - p),
        lambda p: [[p[k] * ((k == j) - p[j]) for j in range(len(p))] for k in range(len(p))],
    ),
)


def _cross_entropy(A, T, *, log_p=_log_softmax, terms=lambda L, T: T * L, total=np.sum):
    return -total(terms(log_p(A), T))


def _of_true_class(L, T):
    return np.where(T == 1, L, 0.0)


def _large_sum(A):
    return A - np.log(np.exp(A).sum(axis=1, keepdims=True))


def _log_rounded(A):
    return np.log(special.softmax(A))


def _log_overflowing(A):
    return np.log(_overflowing(A))


def _log_one_maximum(A):
    return _large_sum(_less_maximum(A))


def _log_one_maximum_rounded(A):
    return np.log(_by_one_maximum(A))


_ADDED = {  # numbers against ln 0, each a mistake of its own
    f"{e:g} in the logarithm against ln 0 costs a right answer: take ln p_k = a_k - ln Σ_j e^a_j from the scores": {
        "log_p": lambda A, e=e: np.log(special.softmax(A) + e)
    }
    for e in (1e-15, 1e-12, 1e-10, 1e-9)
}


_CUT_OFF = {  # differences that are lost
    f"np.clip at ±{c} makes the scores beyond it equal: subtract the largest score m of the row instead": {
        "log_p": _clipped(_log_softmax, c)
    }
    for c in _CUT
}


def _entropy_cases(rng):
    def one(label, N, K, change=lambda A, T: A):
        A, T = 1.5 * rng.normal(size=(N, K)), _one_hot_rows(rng, N, K)
        return Case(label, (change(A, T), T), {"N": N, "NK": N * K})

    def others_down(A, T):
        """In every row the score of one class that is not the true one: its p is 0 in float64."""
        return A - 800 * np.roll(T, 1, axis=1)

    def true_down(A, T):
        return A - 800 * T * (np.arange(len(A)) == 0)[:, None]

    def one_row_up(A, T):
        return A + 1000 * (np.arange(len(A)) == 1)[:, None]

    return [
        one("ordinary data", 6, 3),
        one("scores near 1000", 5, 4, lambda A, T: A + 1000),
        one("one row near 1000, the others near 0", 8, 3, one_row_up),
        one("a wrong class whose p is rounded to 0", 7, 3, others_down),
        one("a true class whose p is rounded to 0", 4, 3, true_down),
        one("two classes", 9, 2),
    ]


cross_entropy = Exercise(
    stars=2,
    notes="C 3.2, D 3, erratum D17",
    ask="The loss E = -Σ_n Σ_k t_nk ln p_nk, a sum, not note D's mean, with p_n the softmax of the scores: A (N, K) "
    "holds the scores, not probabilities, T (N, K) the classes one-hot. Scores reach 1000 and differ by 800: the "
    "result must be finite there and right. Return a number.",
    hints=(
        "A p that is rounded to 0 has lost its logarithm. Write ln p_k with a_k and Σ_j e^a_j, before any rounding.",
        "ln p_k = a_k - m - ln Σ_j e^(a_j - m) with m the largest score of the row; T picks the true class.",
    ),
    answer=lambda A, T: softmax_regression.loss(np.eye(A.shape[1]), A, T),  # W = I: the scores are A
    variant=_cross_entropy,
    mistakes={
        "e^a overflows for scores near 1000, and 0 ln 0 is nan: ln p_k = a_k - ln Σ_j e^a_j, less the row maximum": {
            "log_p": _log_overflowing
        },
        "e^a overflows for scores near 1000, and ln 0 is -inf: ln p_k = a_k - ln Σ_j e^a_j, less the row maximum": {
            "log_p": _log_overflowing,
            "terms": _of_true_class,
        },
        "a p is rounded to 0, and 0 ln 0 is nan: take ln p_k = a_k - ln Σ_j e^a_j from the scores": {
            "log_p": _log_rounded
        },
        "the p of a true class is rounded to 0, and -ln 0 is inf: take ln p_k = a_k - ln Σ_j e^a_j from the scores": {
            "log_p": _log_rounded,
            "terms": _of_true_class,
        },
        "Σ_j e^a_j overflows for scores near 1000, and 0 times inf is nan: take the largest score out first": {
            "log_p": _large_sum
        },
        "Σ_j e^a_j overflows for scores near 1000: take the largest score m of the row out, m + ln Σ_j e^(a_j - m)": {
            "log_p": _large_sum,
            "terms": _of_true_class,
        },
        "one maximum m for all rows: far below it Σ_j e^(a_j - m) is 0, ln 0 is -inf, 0 times inf nan; one per row": {
            "log_p": _log_one_maximum
        },
        "one maximum m for all rows: far below it Σ_j e^(a_j - m) is 0 and its ln -inf; each row has its own": {
            "log_p": _log_one_maximum,
            "terms": _of_true_class,
        },
        "one maximum for all rows: far below it p is 0/0, nan; elsewhere 0 ln 0 is nan: take ln p_k from the scores": {
            "log_p": _log_one_maximum_rounded
        },
        "one maximum for all rows: far below it p is 0/0, nan; elsewhere -ln 0 is inf: take ln p_k from the scores": {
            "log_p": _log_one_maximum_rounded,
            "terms": _of_true_class,
        },
        **_ADDED,
        **_CUT_OFF,
        "ln Σ_j e^a_j is not the largest score: ln Σ_j e^(a_j - m) is still to be added": {"log_p": _less_row_maximum},
        "ln Σ_j e^a_j is missing: that is -Σ t_nk a_nk": {"log_p": _as_is},
        "the softmax runs over the samples (axis 0); it must run over the classes of one sample, axis 1": {
            "log_p": lambda A: A - special.logsumexp(A, axis=0)
        },
        "the softmax is taken twice: A holds scores, and needs one": {
            "log_p": lambda A: _log_softmax(special.softmax(A))
        },
        "A holds scores, not probabilities: their softmax is missing before the logarithm": {"log_p": np.log},
        "that is -ln p of the likeliest class; T tells the true one": {"terms": lambda L, T: L.max(axis=1)},
        "T is missing: the sum holds ln p of the true class only, not of all K": {"terms": lambda L, T: L},
        "the logarithm is missing: that is -Σ t_nk p_nk": {"terms": lambda L, T: T * np.exp(L)},
        "T is missing: -Σ p ln p is the entropy of the predictions": {"terms": lambda L, T: np.exp(L) * L},
        "t and p are swapped: that is -Σ p_nk ln t_nk, and ln 0 is -inf": {"terms": lambda L, T: np.exp(L) * np.log(T)},
        "(1 - t) ln(1 - p) is added, which belongs to K separate σ; here the true class alone counts": {
            "terms": lambda L, T: T * L + (1 - T) * np.log(1 - np.exp(L))
        },
        "that is the loss of K separate logistic regressions, σ(a_k) each; here the p of a sample sum to 1": {
            "log_p": _as_is,
            "terms": lambda A, T: T * A - special.softplus(A),
        },
        "that is the squared error Σ (p - t)²; the loss is -Σ t ln p": {"terms": lambda L, T: -((np.exp(L) - T) ** 2)},
        "the sum over the samples is missing: that is one loss per sample": {
            "total": lambda terms: np.sum(terms, axis=1)
        },
        "that is one loss per class; the sum over the classes is missing": {
            "total": lambda terms: np.sum(terms, axis=0)
        },
    },
    stops={
        "broadcast": "ln Σ_j e^a_j of each row has shape (N,); keepdims=True keeps it a column, (N, 1)",
        "Python scalars": "A is an array: np.exp and np.log take it entry by entry, math.exp takes one number",
        "IndexError": "T is one-hot: T.argmax(axis=1) are the class numbers, or multiply by T and sum",
    },
    cases=_entropy_cases,
    factors={
        "-": "ln p is negative: the minus is lost",
        "1/N": "E is a sum; note D's risk is its mean",
        "1/NK": "E is a sum; np.mean divides by N and by K",
    },
    also_right=(
        lambda A, T: -np.sum(T * _log_softmax(A)),
        lambda A, T: -sum(_log_softmax(A)[range(len(A)), T.argmax(axis=1)]),
        lambda A, T: (
            np.log(np.exp(A - A[T == 1][:, None] - (m := A.max(1) - A[T == 1])[:, None]).sum(1)).sum() + m.sum()
        ),
        lambda A, T: np.array([special.logsumexp(A).sum() - np.vdot(T, A)])[0],
    ),
)


def _gradient(W, X, T, *, posterior=special.softmax, residual=np.subtract, product=lambda X, R: X.T @ R, add=None):
    G = product(X, residual(posterior(X @ W), T))
    return G if add is None else G + add(W)


def _last_zero(G):
    return np.column_stack([G[:, :-1], 0 * G[:, -1]])


def _gradient_cases(rng):
    def one(label, N, d, K, size=1.0, common=0.0):
        """common: by how much the weights of all classes are shifted together, which changes no p; the scores of the
        first sample are near it then, those of the second near -common."""
        X = rng.normal(size=(N, d)) + 0.3
        signs = rng.choice([-1, 1], d)
        W = size * rng.normal(size=(d, K)) + common * signs[:, None]
        if common:
            X[:2] = X[:2] / 10 + np.outer([1, -1], signs / d)
        return Case(label, (W, X, _one_hot_rows(rng, N, K)), {"N": N, "NK": N * K})

    def with_biases(W, X, T):
        return np.vstack([W, _large_biases(W.shape[1])]), np.column_stack([X, np.ones(len(X))]), T

    large = one("every score near 1000 or 600", 9, 2, 4)
    return [
        one("ordinary data", 7, 4, 3),
        one("more classes than features", 11, 2, 5),
        one("two classes, scores near ±1000", 6, 3, 2, common=1e3),
        large._replace(args=with_biases(*large.args)),
        one("a p that is rounded to 0", 6, 3, 4, size=1e3),
    ]


softmax_gradient = Exercise(
    stars=2,
    notes="C 3.2, D 3",
    ask="The gradient, of the shape of W, of E(W) = -Σ_n Σ_k t_nk ln p_nk, a sum, not note D's mean, with p_n the "
    "softmax of the scores Wᵀx_n. W (d, K), a column per class, X (N, d) the design matrix as given, T (N, K) the "
    "classes one-hot. Some scores are near 1000: the result must be finite there.",
    hints=(
        "Take one sample: what is the derivative of -ln p_true by the score a_k, for the true class and for another?",
        "It is p_k - t_k. Which product of X and P - T has the shape of W?",
    ),
    answer=softmax_regression.gradient,
    variant=_gradient,
    mistakes={
        "e^a overflows for large scores: subtract each row's largest score first": {"posterior": _overflowing},
        "one maximum for all rows: in a row far below it every exp is 0, and 0/0 is nan; each row has its own": {
            "posterior": _by_one_maximum
        },
        **{
            f"np.clip at ±{c} makes the scores beyond it equal: subtract each row's largest score instead": {
                "posterior": _clipped(special.softmax, c)
            }
            for c in _CUT
        },
        "the softmax runs over the samples (axis 0); it must run over the classes of one sample, axis 1": {
            "posterior": lambda A: special.softmax(A, axis=0)
        },
        "one softmax runs over all N K scores; each sample has its own": {
            "posterior": lambda A: special.softmax(A.ravel()).reshape(A.shape)
        },
        "the scores XW stand where the probabilities p belong: their softmax is missing": {"posterior": _as_is},
        "that is σ(a_k) for each class; the p_nk of a sample must sum to 1": {"posterior": special.sigmoid},
        "that is the perceptron's: 1 for the likeliest class in place of its probability": {"posterior": _hard},
        "you took ln p in place of p": {"posterior": _log_softmax},
        "right where no p is rounded to 0, but 0/0 is nan there: let the 1/p of -t/p and the Jacobian's p cancel": {
            "residual": lambda P, T: P * (-T / P - np.sum(-T / P * P, axis=1, keepdims=True))
        },
        "only the diagonal p_k(1 - p_k) of the Jacobian was used (erratum D19): it leaves -t(1 - p), not p - t": {
            "residual": lambda P, T: -T * (1 - P)
        },
        "T is missing: it is p - t": {"residual": lambda P, T: P},
        "p is missing: it is p - t": {"residual": lambda P, T: -T},
        "p - t is multiplied by p(1 - p): that is the slope of a squared error through σ": {
            "residual": lambda P, T: (P - T) * P * (1 - P)
        },
        "that is the gradient of the squared error ½ Σ (p - t)²; here the Jacobian and 1/p cancel to p - t": {
            "residual": lambda P, T: P * (P - T - np.sum(P * (P - T), axis=1, keepdims=True))
        },
        "-t/p is the derivative by p; the Jacobian ∂p/∂a is missing": {"residual": lambda P, T: -T / P},
        "the residuals are squared; they enter once": {"residual": lambda P, T: (P - T) ** 2},
        "the residuals' signs are lost: p - t, not |p - t|": {"residual": lambda P, T: np.abs(P - T)},
        "Xᵀ is missing: those are the residuals p - t; each multiplies its own sample x_n": {"product": lambda X, R: R},
        "Xᵀ is missing: you only summed the residuals; each multiplies its sample x_n first": {
            "product": lambda X, R: R.sum(axis=0)
        },
        "each residual multiplies its own sample x_n, not the mean of all samples": {
            "product": lambda X, R: np.outer(X.mean(axis=0), R.sum(axis=0))
        },
        "the sum over the samples is missing: that is one gradient per sample": {
            "product": lambda X, R: X[:, :, None] * R[:, None, :]
        },
        "the last column is 0: here all K classes have weights, none is the reference": {
            "product": lambda X, R: _last_zero(X.T @ R)
        },
        "the last column is missing: here all K classes have weights, none is the reference": {
            "product": lambda X, R: (X.T @ R)[:, :-1]
        },
        "the last row is too much: X is the design matrix as given, append no ones": {
            "product": lambda X, R: np.vstack([X.T @ R, R.sum(axis=0)])
        },
        "that is (XᵀX)⁻¹ times the gradient, a least-squares step; the gradient itself is asked for": {
            "product": lambda X, R: np.linalg.solve(X.T @ X, X.T @ R)
        },
        "W is added, as by a penalty ‖W‖²/2; this loss has none": {"add": _as_is},
    },
    stops={
        **dict.fromkeys(  # what d + 1 columns give on the first instance, N = 7, d = 4 and K = 3
            ("size 4 is different from 5", "size 5 is different from 4", "(7,5) and (4,3)", "(3,4) and (5,7)"),
            "X is the design matrix as given: append no ones",
        ),
        "broadcast": "a maximum or sum per row has shape (N,); keepdims=True keeps it a column, (N, 1)",
        "matmul": "samples are the rows of X, classes the columns of W: X @ W (N, K), X.T @ R (d, K)",
        "Python scalars": "W is an array: np.exp takes it entry by entry, math.exp takes one number",
    },
    cases=_gradient_cases,
    factors={
        "-": "x(p - t)ᵀ: p is the prediction and t the target; note D prints t - p behind a minus",
        "1/N": "E is a sum; note D's risk is its mean",
        "1/NK": "E is a sum; np.mean divides by N and by K",
        "2": "there is no square here whose 2 could come down",
    },
    also_right=(
        lambda W, X, T: sum(np.outer(x, special.softmax(x @ W) - t) for x, t in zip(X, T, strict=True)),
        lambda W, X, T: ((special.softmax(X @ W) - T).T @ X).T,
        lambda W, X, T: np.einsum("nd,nk->dk", X, special.softmax(X @ W)) - X.T @ T,
    ),
)


def _reference(W, *, kept=lambda W: W[:, :-1], base=lambda W: W[:, -1:], join=np.subtract):
    return join(kept(W), base(W))


def _all_columns(W):
    return W


def _first_lost(W):
    return W[:, 1:]


def _row_mean(W):
    return W.mean(axis=1, keepdims=True)


drop_reference_class = Exercise(
    stars=2,
    notes="A 3.3, C 3.2, erratum C12",
    ask="Note C gives every class a weight vector, note A only the first K - 1, and the last, the reference, the score "
    "0. From W (d, K), a column per class, the V (d, K - 1) that gives note A the same probabilities for every x.",
    hints=(
        "Adding one and the same vector to all columns of W changes no probability. Which makes the last column 0?",
        "v_k = w_k - w_K for k < K; W[:, -1:] is the last column as a column.",
    ),
    answer=softmax_regression.to_reference,
    variant=_reference,
    mistakes={
        "the first class is the reference; note A takes the last: v_k = w_k - w_K": {
            "kept": _first_lost,
            "base": lambda W: W[:, :1],
        },
        "w of the first class is subtracted, that of the last left out; both must be the last": {
            "base": lambda W: W[:, :1]
        },
        "the last column is only left out; it must be subtracted from the others too": {
            "base": lambda W: 0 * W[:, -1:]
        },
        "the first column is only left out; the last must be, and subtracted from the others too": {
            "kept": _first_lost,
            "base": lambda W: 0 * W[:, -1:],
        },
        "the mean of the columns is subtracted; the last column must be, so that the reference has the score 0": {
            "base": _row_mean
        },
        "the mean of the columns is subtracted: the same probabilities, but with K columns; v_k = w_k - w_K": {
            "kept": _all_columns,
            "base": _row_mean,
        },
        "the mean of the other columns is subtracted; the last column must be": {
            "base": lambda W: _row_mean(W[:, :-1]) if W.shape[1] > 2 else 0 * W[:, :1]
        },
        "right, but the last column, which is 0 now, is to be left out: V is (d, K - 1)": {"kept": _all_columns},
        "the last column is subtracted, but the first is left out in place of the last": {"kept": _first_lost},
        "the sign of w_K is wrong: v_k = w_k - w_K": {"join": np.add},
        "w_k is divided by w_K; the probabilities are divided, so their exponents are subtracted": {"join": np.divide},
        "each column is compared with the next one, w_k - w_(k+1); the reference is the last for all": {
            "base": _first_lost
        },
        "the last row is subtracted and left out; classes are the columns of W": {
            "kept": lambda W: W[:-1],
            "base": lambda W: W[-1:],
        },
        "the largest entry of each row is subtracted; it must be that of the last class, whatever its size": {
            "base": lambda W: W.max(axis=1, keepdims=True)
        },
    },
    stops={
        "broadcast": "W[:, -1] has shape (d,); W[:, -1:] keeps it a column, (d, 1)",
        "TypeError": "W is an array: W[:, :-1] are its first K - 1 columns",
    },
    cases=lambda rng: [
        Case(label, (rng.normal(size=(d, K)) + 0.5,))
        for label, d, K in (("ordinary data", 2, 4), ("more features than classes", 5, 3), ("two classes", 3, 2))
    ],
    factors={"-": "p_k/p_K = exp(v_k·x) grows with w_k: v_k = w_k - w_K"},
    also_right=(
        lambda W: (W - W[:, [-1]])[:, :-1],
        lambda W: np.column_stack([w - W.T[-1] for w in W.T[:-1]]),
        lambda W: W @ np.vstack([np.eye(W.shape[1] - 1), -np.ones(W.shape[1] - 1)]),
    ),
)


def _at_once(
    W,
    x,
    t,
    eta,
    *,
    posterior=special.softmax,
    residual=np.subtract,
    length=lambda eta, x, t: eta,
    step=np.outer,
    keep=1,
):
    return keep * W - length(eta, x, t) * step(x, residual(posterior(x @ W), t))


def _one_after_another(W, x, t, eta, **switches):
    for j in range(len(t)):
        W = np.column_stack([W[:, :j], _at_once(W, x, t, eta, **switches)[:, j], W[:, j + 1 :]])
    return W


def _sgd_step(W, x, t, eta, *, order=_at_once, **switches):
    return order(W, x, t, eta, **switches)


def _last_at_rest(x, r):
    return np.outer(x, r * (np.arange(len(r)) < len(r) - 1))


def _sgd_cases(rng):
    """x ends in the 1 of the bias."""

    def one(label, d, K, start, eta, visits=8, biases=0.0):
        T = np.eye(K)[np.append(np.arange(K), rng.integers(K, size=visits - K))]
        visits = [(np.append(rng.normal(size=d - 1), 1.0), t, eta) for t in T]
        W = start * rng.normal(size=(d, K))
        W[-1] += biases
        return Case(label, ((W,), visits))

    def sure(label, d, K):
        """The class of each sample is by far the likeliest at the start, the last two are not."""
        W, X = 2 * rng.normal(size=(d, K)), np.column_stack([3 * rng.normal(size=(8, d - 1)), np.ones(8)])
        t = np.append((X @ W).argmax(axis=1)[:6], rng.integers(K, size=2))
        return Case(label, ((W,), [(x, np.eye(K)[k], 0.25) for x, k in zip(X, t, strict=True)]))

    return [
        one("a run from W = 0", 3, 5, 0.0, 0.5),
        one("a run from another W", 4, 3, 2.0, 0.25, visits=20),
        sure("a run with sure samples", 3, 4),
        one("a run with scores beyond ±1000", 3, 3, 1500.0, 0.5),
        one("a run with scores near 1000 and 600", 3, 3, 1.0, 0.5, biases=_large_biases(3)),
    ]


softmax_sgd_step = Exercise(
    stars=2,
    notes="C 3.2, erratum C13",
    ask="One step of stochastic gradient descent on E_n(W) = -Σ_k t_k ln p_k, p the softmax of Wᵀx, for one sample: "
    "return the new W, and leave W as it is. W (d, K), a column per class, all of which move; x (d,) ends in the 1 of "
    "the bias; t (K,) one-hot; eta > 0 a number. Scores may reach 1000. Whole runs are judged.",
    hints=(
        "w_j moves by -eta (p_j - t_j) x. All p_j are those of the old W.",
        "W - eta * np.outer(x, p - t), with the largest score subtracted before np.exp.",
    ),
    answer=lambda W, x, t, eta: W - eta * softmax_regression.gradient(W, x[None], t[None]),
    variant=_sgd_step,
    mistakes={
        "only the true class moves; all w_j must, the others by -eta p_j x": {"residual": lambda p, t: t * (p - t)},
        "the true class does not move; all w_j must, that one by eta (1 - p_j) x": {
            "residual": lambda p, t: (1 - t) * p
        },
        "the w_j move one after another, with new p in between (erratum C13): all take the p of the old W": {
            "order": _one_after_another
        },
        "the step goes uphill: eta x (p - t)ᵀ is subtracted": {"length": lambda eta, x, t: -eta},
        "eta is missing in the step": {"length": lambda eta, x, t: 1.0},
        "the step is twice as long: there is no square here whose 2 could come down": {
            "length": lambda eta, x, t: 2 * eta
        },
        "the step is divided by K: E_n is a sum over the classes, not a mean": {
            "length": lambda eta, x, t: eta / len(t)
        },
        "the step is divided by x·x; it is eta x (p - t)ᵀ": {"length": lambda eta, x, t: eta / (x @ x)},
        "t is missing: it is p - t": {"residual": lambda p, t: p},
        "p is missing: it is p - t": {"residual": lambda p, t: -t},
        "p - t is multiplied by p(1 - p): that is the slope of a squared error through σ": {
            "residual": lambda p, t: (p - t) * p * (1 - p)
        },
        "only samples on the wrong side move W; that is the perceptron's rule, here every sample does": {
            "residual": lambda p, t: (p - t) * (p.argmax() != t.argmax())
        },
        "that is the perceptron's: 1 for the likeliest class in place of its probability": {"posterior": _hard},
        "that is σ(w_j·x) for each class; the p_j must sum to 1": {"posterior": special.sigmoid},
        "the scores stand where the probabilities p belong: their softmax is missing": {"posterior": _as_is},
        "e^a overflows for large scores: subtract the largest first": {"posterior": _overflowing},
        **{
            f"np.clip at ±{c} makes the scores beyond it equal: subtract the largest score instead": {
                "posterior": _clipped(special.softmax, c)
            }
            for c in _CUT
        },
        "x is missing in the step: it is eta x (p - t)ᵀ": {"step": lambda x, r: np.ones(len(x))[:, None] * r},
        "the bias does not move: x ends in its 1, so the last row of W moves too": {
            "step": lambda x, r: np.outer(np.append(x[:-1], 0.0), r)
        },
        "the last class does not move; here all K classes have weights, none is the reference": {"step": _last_at_rest},
        "W is missing: that is the step alone, and it is to be added to W": {"keep": 0},
        "that is the gradient alone; the new W = W - eta x (p - t)ᵀ is asked for": {
            "keep": 0,
            "length": lambda eta, x, t: -1.0,
        },
        "that is eta times the gradient alone; it is to be subtracted from W": {
            "keep": 0,
            "length": lambda eta, x, t: -eta,
        },
    },
    stops={
        **dict.fromkeys(  # what d + 1 features give on the first instance, d = 3 and K = 5
            ("size 3 is different from 4", "size 4 is different from 3", "(4,) and (3,5)", "(3,5) (4,5)"),
            "x ends in its 1 already: append none",
        ),
        "(3,5) (5,3)": "W is (d, K), so the step is np.outer(x, p - t), not np.outer(p - t, x)",
        "broadcast": "W is (d, K), x (d,) and p - t (K,): the step np.outer(x, p - t) is (d, K)",
        "matmul": "W is (d, K): the scores are x @ W, (K,), and the step is np.outer(x, p - t)",
        "Python scalars": "the scores are an array: np.exp takes it entry by entry, math.exp takes one number",
    },
    cases=_sgd_cases,
    play=run,
    also_right=(
        lambda W, x, t, eta: W - eta * x[:, None] * (special.softmax(x @ W) - t),
        lambda W, x, t, eta: np.column_stack(
            [w - eta * (p - s) * x for w, p, s in zip(W.T, special.softmax(W.T @ x), t, strict=True)]
        ),
    ),
)

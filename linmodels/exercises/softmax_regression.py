"""Exercises of chapter 05, softmax regression (notes A 3.3, C 3.2, D 3). The loss is a sum; classes are columns."""

import numpy as np

from linmodels import datasets, design, softmax_regression, special

from .grading.before import Question
from .grading.by_hand import ByHand
from .grading.cases import table
from .grading.checker import Case, Construction, Exercise, Requirement, run
from .grading.derive import Derivation
from .grading.kinds import Loop, Mutants, Project, per_cent_wrong, share_wrong
from .grading.prove import Decoy, Line, Proof

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


def _shares_and_ratios(a):
    e = np.exp(a)
    p = e / e.sum()
    r = p[2] / p[0]
    o = p * [2, 1, 1]
    return p, r, r**2, o / o.sum()


_RISEN = "o / o.sum()"

shares_and_ratios = ByHand(
    stars=1,
    notes="C 3.2, D 3",
    ask="Three classes have the scores a. Give, to three digits: (1) the three probabilities; (2) p_3/p_1, after 5 is "
    "added to all three scores; (3) p_3/p_1, after the old scores are all doubled; (4) the three probabilities, "
    "after only the first of the old scores has grown by ln 2. The numbers are your own: check.me('your name') "
    "deals them.",
    hints=(
        "Begin with the three exponentials. What happens to each of them in (2), (3) and (4)?",
        "In the quotient of two probabilities the sum cancels. In (4) it does not: the sum grows, too.",
    ),
    answer=_shares_and_ratios,
    returns=("p", "added", "doubled", "risen"),
    one_by_one=True,
    mistakes=(
        ("return p,", "return e,", "p: those are the exponentials; divide each by their sum"),
        ("return p,", "return a / a.sum(),", "p: those are shares of the scores; take the exponentials first"),
        ("return p,", "return 1 / (1 + np.exp(-a)),", "p: those are three sigmoids, and their sum is not 1"),
        ("return p,", "return np.exp(-a) / np.exp(-a).sum(),", "p: the largest score must get the largest probability"),
        ("return p,", "return 10**a / np.sum(10**a),", "p: the exponential is e^a, not 10^a"),
        ("return p,", "return 2**a / np.sum(2**a),", "p: the exponential is e^a, not 2^a"),
        ("return p,", "return a**2 / np.sum(a**2),", "p: those are shares of the squares; take the exponentials"),
        ("return p,", "return e / e.max(),", "p: you divided by the largest exponential; divide by their sum"),
        ("p, r, ", "p, 1 / r, ", "added: that is p_1/p_3"),
        ("p, r, ", "p, r * np.exp(5), ", "added: both exponentials are multiplied by e^5, not only one of them"),
        ("p, r, ", "p, a[2] - a[0], ", "added: that is the difference of the scores; which ratio belongs to it?"),
        ("p, r, ", "p, a[2] / a[0], ", "added: that is the ratio of the scores, not of the probabilities"),
        ("p, r, ", "p, (a[2] + 5) / (a[0] + 5), ", "added: that is the ratio of the scores, not of the probabilities"),
        ("p, r, ", "p, p[2] - p[0], ", "added: that is the difference of the probabilities; their ratio is asked"),
        ("p, r, ", "p, p[2], ", "added: that is p_3; divide it by p_1"),
        ("p, r, ", "p, p[1] / p[0], ", "added: that is p_2/p_1"),
        ("p, r, ", "p, p[2] / p[1], ", "added: that is p_3/p_2"),
        ("r**2", "r", "doubled: the difference of the two scores is doubled, so the ratio is not the old one"),
        ("r**2", "2 * r", "doubled: the score is doubled, not the exponential: e^(2a) is (e^a)²"),
        ("r**2", "r**-2", "doubled: that is p_1/p_3"),
        ("r**2", "np.sqrt(r)", "doubled: that is the ratio for halved scores"),
        ("r**2", "2 * (a[2] - a[0])", "doubled: that is the difference of the scores; which ratio belongs to it?"),
        ("r**2", "r * np.exp(2)", "doubled: the scores are multiplied by 2, and 2 is not added"),
        (_RISEN, "o", "risen: those do not sum to 1: the denominator grows, too"),
        (_RISEN, "p", "risen: those are the old ones"),
        (_RISEN, "p + np.log(2) * np.array([1, 0, 0])", "risen: ln 2 is added to the score, not to the probability"),
        (_RISEN, "p + np.log(2) * np.array([1 - p[0], -p[1], -p[2]]) * p[0]", "risen: the slopes change on the way"),
        (_RISEN, "(w := p * [0.5, 1, 1]) / w.sum()", "risen: e^(ln 2) is 2, and you halved the exponential"),
        (_RISEN, "(w := p * [1, 1, 2]) / w.sum()", "risen: the first score grows, not the last one"),
        (_RISEN, "(w := p * [np.log(2), 1, 1]) / w.sum()", "risen: the exponential is multiplied by e^(ln 2) = 2"),
        (_RISEN, "np.append(o[0], p[1:] - p[0] / 2)", "risen: p_1 is not doubled: its denominator grows, too"),
        (_RISEN, "np.append(o[0], p[1:] * (1 - o[0]) / (1 - p[0]))", "risen: the odds of class 1 double, and not p_1"),
    ),
    cases=lambda rng: [
        Case(
            "your scores",
            (rng.permutation([rng.integers(2, 7), rng.integers(9, 14), rng.integers(17, 23)]) / 10,),
        )
    ],
)


def _softmax(A, axis=-1):
    E = np.exp(A - np.max(A, axis=axis, keepdims=True))
    P = E / E.sum(axis=axis, keepdims=True)
    return P


_SHIFT, _ROW_MAX = "A - np.max(A, axis=axis, keepdims=True)", "np.max(A, axis=axis, keepdims=True)"
_FAR = np.array([[1000, 999, 1001], [-1000, -1001, -999], [-1000, 1000, 0], [0, 1, -1]])
_ROW_SUM = "E.sum(axis=axis, keepdims=True)"

softmax = Exercise(
    stars=0,
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
        (_ROW_SUM, "E.sum()", "the sum runs over all entries: take one sum for each row"),
        ("axis=-1", "axis=0", _AXIS_0),
        (_ROW_SUM, "1", "the sum is missing: divide each row of e^(a - max) by its sum"),
        ("return P", "return special.sigmoid(A)", _SIGMAS),
    ),
    cases=lambda rng: [
        Case("scores near ±1000", (0.3 * rng.normal(size=(4, 3)) + _FAR,)),
        *table(rng, lambda rng, N, K: (1.5 * rng.normal(size=(N, K)),), "N k", (5, 3), (7, 2), (3, 1), (1, 4)),
    ],
)


def _plain(a):
    with np.errstate(all="ignore"):
        e = np.exp(np.asarray(a, float))
        return e / e.sum()


def _wrong_by(program, a):
    """The relative error of each entry of program(a). The exact p may be below all floats, its logarithm is not."""
    a = np.asarray(a, float)
    with np.errstate(divide="ignore"):
        return np.abs(np.expm1(np.log(program(a)) - (a - special.logsumexp(a))))


def _per_cent(a):
    return 100 * np.max(_wrong_by(_plain, a))


def _repaired(a):
    """Where plain(a) is wrong by more than 1 %, and shifted(a) is not."""
    return (_wrong_by(_plain, a) > 0.01) & (_wrong_by(special.softmax, a) <= 0.01)


def _first_loss(b):
    return special.logsumexp(np.asarray(b, float)) - b[0]


def _another_loss(a, b, loss):
    told = f"loss is not -ln p_1 for your b, whose largest score is {np.max(b):g} and whose first is {b[0]:g}"
    others = (
        ("a loss is never negative: mind the sign", -_first_loss(b)),
        ("that is what a limit of 1e-15 makes of it", -np.log(1e-15)),
        ("that is what a limit of 1e-300 makes of it", -np.log(1e-300)),
        ("that is the first score; subtract it from the logarithm of the sum", b[0]),
        ("that is the logarithm of the sum; the first score is missing", special.logsumexp(np.asarray(b, float))),
        ("for that p the logarithm is not 0", 0 * loss),
    )
    found = (text for text, x in others if np.isclose(loss, x, rtol=1e-6, atol=1e-9))
    return told + "; " + next(found, "write -ln p_1 with the scores, before anything is rounded")


def _far_out():
    return np.array([-744.0, -743.0, -742.0]), np.array([0.0, 800.0, 0.0]), 800.0


break_the_softmax = Construction(
    stars=2,
    notes="C 3.2, D 3",
    ask="Break two programs, in float64. plain(a) takes e = np.exp(a) and returns e / e.sum(). shifted(b) subtracts "
    "the largest score first. Return (a, b, loss). a: three scores for which plain(a) is finite, no nan in it, "
    "but an entry is wrong by more than 1 % of itself, though shifted(a) has it right. b: three scores for which "
    "shifted(b)[0] is exactly 0. loss: the exact -ln p of the first class for b.",
    hints=(
        "Between 5e-324 and 2e-308 a float has fewer and fewer digits. For which scores does e^a lie there?",
        "-ln p_1 = ln(e^b_1 + e^b_2 + e^b_3) - b_1. Which of the three exponentials counts?",
    ),
    returns=("a", "b", "loss"),
    requirements=(
        Requirement(
            "a and b must hold three scores each, and loss is one number",
            lambda a, b, loss: (np.shape(a), np.shape(b), np.shape(loss)) == ((3,), (3,), ()),
            ([1.0, 2.0], [1.0, 2.0, 3.0], 0.0),
        ),
        Requirement(
            "take scores between -5000 and 5000",
            lambda a, b, loss: max(np.max(np.abs(a)), np.max(np.abs(b))) <= 5000,
            ([1e4, 0.0, 0.0], [0.0, 1e4, 0.0], 1e4),
        ),
        Requirement(
            lambda a, b, loss: (
                f"plain(a) is {np.array2string(_plain(a), precision=3)}: there everybody sees that it is wrong"
            ),
            lambda a, b, loss: bool(np.isfinite(_plain(a)).all()),
            ([1000.0, 0.0, 0.0], [0.0, 800.0, 0.0], 800.0),
        ),
        Requirement(
            lambda a, b, loss: (
                f"plain(a) is wrong by {_per_cent(a):.2g} %, and more than 1 % is wanted: go further out"
            ),
            lambda a, b, loss: _per_cent(a) > 1,
            ([-700.0, -701.0, -702.0], [0.0, 800.0, 0.0], 800.0),
        ),
        Requirement(
            "where plain(a) is wrong, shifted(a) is wrong, too: that p is too small for a float; a shift must mend it",
            lambda a, b, loss: bool(np.any(_repaired(a))),
            ([-800.0, 0.0, 0.0], [0.0, 800.0, 0.0], 800.0),
        ),
        Requirement(
            lambda a, b, loss: f"shifted(b)[0] is {special.softmax(b)[0]:.3g}, and not 0: it must be rounded to 0",
            lambda a, b, loss: special.softmax(b)[0] == 0,
            ([-744.0, -743.0, -742.0], [0.0, 700.0, 0.0], 700.0),
        ),
        Requirement(
            _another_loss,
            lambda a, b, loss: bool(np.isclose(loss, _first_loss(b), rtol=1e-9)),
            ([-744.0, -743.0, -742.0], [0.0, 800.0, 0.0], -800.0),
        ),
    ),
    example=_far_out,
)

all_slopes = Derivation(
    stars=2,
    notes="C 3.2, D 3, erratum D19",
    ask="The slopes of ln p. The probabilities are exp(a)/sum(exp(a)), with the vector a (K,) of the scores. Derive "
    "the derivative of their logarithms with respect to a, one rule a line, until no d and no ln is left. d(e, a) "
    "of a vector e is a matrix with a row for each entry of e; I is the identity, d(a, a). As in NumPy, matrix - "
    "vector subtracts the vector from each row.",
    hints=(
        "What is the logarithm of a quotient, and that of an exponential?",
        "The derivative of ln(u) is d(u, a)/u. Leave d(u, a) for the next line.",
        "d(sum(exp(a)), a) has one entry for each score: which one of the exponentials does it move?",
    ),
    start="d(ln(exp(a)/sum(exp(a))), a)",
    letters={"a": "K", "I": "identity K K"},
    free_of=("d", "ln"),
    lines=(
        "d(a - ln(sum(exp(a))), a)",
        "I - d(ln(sum(exp(a))), a)",
        "I - d(sum(exp(a)), a)/sum(exp(a))",
        "I - exp(a)/sum(exp(a))",
    ),
    slips=(
        (1, "d(a/ln(sum(exp(a))), a)", "does not follow"),
        (1, "d(a + ln(sum(exp(a))), a)", "the sign before"),
        (2, "I - 1/sum(exp(a))", "the inner derivative is missing"),
        (2, "I - ln(sum(exp(a)))", "does not follow"),
        (3, "I - d(exp(a), a)/sum(exp(a))", "does not follow"),
        (4, "I - sum(exp(a))/sum(exp(a))", "does not follow"),
        (4, "I + exp(a)/sum(exp(a))", "the sign before"),
        (4, "I - exp(a)", "does not follow"),
        (1, "I - exp(a)/sum(exp(a))", "take one at a time"),
    ),
)

_THREE = np.array([0.1, 0.2, 0.7])


def _common_part():
    J, v = softmax_regression.jacobian(_THREE), np.ones(3)
    return f"for p = (0.1, 0.2, 0.7) and v = (1, 1, 1), which is not 0, vᵀJv is {abs(v @ J @ v):.0f}"


def _diagonal_alone():
    A, v = np.array([[1.0, -2], [-2, 1]]), np.ones(2)
    return (
        f"a positive diagonal is not enough: with the rows (1, -2) and (-2, 1), v = (1, 1) gives vᵀAv = {v @ A @ v:g}"
    )


def _no_projection():
    J = softmax_regression.jacobian(_THREE)
    return f"for p = (0.1, 0.2, 0.7) the first entry of J is {J[0, 0]:.3f}, and that of J² is {(J @ J)[0, 0]:.3f}"


jacobian_proof = Proof(
    stars=2,
    notes="C 3.2, D 3",
    ask="Which changes of the scores does softmax not see? p holds K probabilities, all positive, and J their "
    "Jacobian. Give the letters of the ten lines that prove: J is positive semidefinite, and Jv = 0 exactly where "
    "all entries of v are equal. Each stands below what it uses; any such order is right. Three lines do not "
    "belong. After three wrong tries the letters are dealt anew.",
    hints=(
        "Half of the claim is one product, J times the vector of ones. The other half is about the number vᵀJv.",
        "Think of v_k as a number that is drawn with the probability p_k. Which of the lines is its variance?",
    ),
    lines={
        "Jacobian": Line("J = diag(p) - ppᵀ", "what J is"),
        "sum": Line("p·1 = 1, where 1 is the vector of ones", "that the p sum to 1"),
        "positive": Line("p_k > 0 for each k", "that the p are positive"),
        "ones": Line("J1 = p - p(p·1) = 0", "what J does to the ones", ("Jacobian", "sum")),
        "form": Line("vᵀJv = Σ_k p_k v_k² - (p·v)²", "what vᵀJv is", ("Jacobian",)),
        "variance": Line(
            "with m = p·v, Σ_k p_k(v_k - m)² = Σ_k p_k v_k² - 2m² + m² = Σ_k p_k v_k² - m²",
            "how the square opens",
            ("sum",),
        ),
        "equal": Line("vᵀJv = Σ_k p_k(v_k - m)²", "that vᵀJv is a variance", ("form", "variance")),
        "semidefinite": Line(
            "vᵀJv >= 0 for each v, so J is positive semidefinite", "that vᵀJv is not negative", ("equal", "positive")
        ),
        "only": Line(
            "if Jv = 0, then vᵀJv = 0, so every v_k = m", "that only equal entries give 0", ("equal", "positive")
        ),
        "claim": Line(
            "J is positive semidefinite, and Jv = 0 exactly for v = c1", "the claim", ("semidefinite", "only", "ones")
        ),
    },
    decoys={
        "definite": Decoy("vᵀJv > 0 for each v ≠ 0, as all p_k > 0", _common_part),
        "diagonal": Decoy("all J_kk = p_k(1 - p_k) > 0, so vᵀJv >= 0 for each v", _diagonal_alone),
        "projection": Decoy("J² = J, so vᵀJv = ‖Jv‖² >= 0", _no_projection),
    },
)

_SUM_OF_E = "sum(exp(W.T@x))"

pull_of_a_class = Derivation(
    stars=2,
    notes="C 3.2, D 3",
    ask="How does one sample pull on W? The scores are W.T@x, and its loss is ln(sum(exp(W.T@x))) - t @ (W.T@x). "
    "Derive the derivative with respect to W, one rule a line, until no d and no ln is left, and x stands there "
    "at most three times. It has the shape of W (d, K); x (d,) is between 0 and 1, t is (K,), and outer(u, v) "
    "holds all products u_i v_k.",
    hints=(
        "First take the two terms apart. The second is linear in W: entry (i, k) of W is multiplied by x_i and t_k.",
        "ln(u) has the derivative d(u, W)/u. Leave d(u, W) for the next line.",
        "Entry (i, k) of W stands in one exponential only, that of class k, and there it is multiplied by x_i.",
    ),
    start="d(ln(sum(exp(W.T@x))) - t @ (W.T@x), W)",
    letters={"W": "d K", "x": "probability d", "t": "K"},
    free_of=("d", "ln"),
    once=("x",),
    lines=(
        f"d(ln({_SUM_OF_E}), W) - d(t @ (W.T@x), W)",
        f"d(ln({_SUM_OF_E}), W) - outer(x, t)",
        f"d({_SUM_OF_E}, W)/{_SUM_OF_E} - outer(x, t)",
        f"outer(x, exp(W.T@x))/{_SUM_OF_E} - outer(x, t)",
        f"outer(x, exp(W.T@x)/{_SUM_OF_E} - t)",
    ),
    slips=(
        (3, f"1/{_SUM_OF_E} - outer(x, t)", "the inner derivative is missing"),
        (4, "outer(x, exp(W.T@x)) - outer(x, t)", "does not follow"),
        (5, f"outer(exp(W.T@x)/{_SUM_OF_E} - t, x)", "of shape (2, 3)"),
        (5, f"outer(x, t - exp(W.T@x)/{_SUM_OF_E})", "the sign of the whole line is reversed"),
        (2, f"d(ln({_SUM_OF_E}), W) - outer(t, x)", "the shapes do not fit"),
        (1, f"outer(x, exp(W.T@x)/{_SUM_OF_E} - t)", "take one at a time"),
    ),
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
    stars=0,
    notes="C 3.2, D 3",
    ask="Return the gradient, of the shape of W, of E(W) = -Σ_n Σ_k t_nk ln p_nk, a sum, not note D's mean, "
    "with p_n the softmax of the scores Wᵀx_n. W (d, K), a column per class, X (N, d) the design matrix as given, T "
    "(N, K) the classes one-hot. Some scores are near 1000: the result must be finite there.",
    hints=(
        "Take one sample: what is the slope of -ln p_true in the score a_k, for the true class and for another?",
        "It is p_k - t_k. Which product of X and P - T has the shape of W?",
    ),
    answer=_gradient,
    mistakes=(
        ("(P - T)", "(P * (1 - P) * (P - T))", "p(1 - p) belongs to the squared loss"),
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


def _boundary_cases(rng):
    """Weights for petals in cm, found from half of the irises; the columns are setosa, versicolor and virginica."""
    iris = datasets.iris()
    half = rng.permutation(150)[:75]
    petals = iris.X[half, 2:]
    mean = petals.mean(axis=0)
    W = softmax_regression.fit(design.augment(petals - mean), np.eye(3)[iris.y[half]], design.free_bias(1.0, 3)).W
    W[2] -= mean @ W[:2]
    return [Case("your half of the irises", (np.round(W, 2), float(rng.integers(46, 53)) / 10))]


def _read_the_boundary(W, length):
    v = W[:, 2] - W[:, 1]
    factor = np.exp(0.2 * v[0] + 0.1 * v[1])
    width = -(v[0] * length + v[2]) / v[1]
    e = np.exp(W.T @ [length, 1.6, 1])
    return factor, width, e[2] / e.sum()


_FACTOR, _WIDTH = "np.exp(0.2 * v[0] + 0.1 * v[1])", "-(v[0] * length + v[2]) / v[1]"

read_the_boundary = ByHand(
    stars=1,
    notes="A 3.3, C 3.2",
    ask="Read a model, fitted on your half of the irises. W (3, 3) has the columns setosa, versicolor, virginica and "
    "the rows petal length in cm, petal width in cm, bias. Give to three digits (1) the factor of the odds of "
    "virginica against versicolor for a petal that is 0.2 cm longer and 0.1 cm wider, (2) the width at which the "
    "two are equally probable for a petal of this length, (3) the probability of virginica for this length and a "
    "width of 1.6 cm.",
    hints=(
        "p_virginica/p_versicolor is the exponential of one number. Which one, and which weights does it need?",
        "Equally probable means equal scores: a line in length and width. In (3) all three classes count.",
    ),
    answer=_read_the_boundary,
    returns=("factor", "width", "virginica"),
    one_by_one=True,
    mistakes=(
        (
            _FACTOR,
            "np.exp(0.2 * W[0, 2] + 0.1 * W[1, 2])",
            "factor: the odds are against versicolor: take a difference",
        ),
        (_FACTOR, "0.2 * v[0] + 0.1 * v[1]", "factor: that is the change of the difference of the scores"),
        (_FACTOR, "np.exp(-0.2 * v[0] - 0.1 * v[1])", "factor: those are the odds of versicolor against virginica"),
        (_FACTOR, "np.exp(0.1 * v[0] + 0.2 * v[1])", "factor: 0.2 belongs to the length, and 0.1 to the width"),
        (_FACTOR, "np.exp(0.2 * v[0] + 0.1 * v[1] + v[2])", "factor: the bias does not change when the petal grows"),
        (_FACTOR, "np.exp(v[0] + v[1])", "factor: that is for 1 cm more of each"),
        (_FACTOR, "np.exp(0.2 * v[0])", "factor: the petal is also wider"),
        (_FACTOR, "1 / (1 + np.exp(-0.2 * v[0] - 0.1 * v[1]))", "factor: that is a sigmoid; the odds multiply by e^it"),
        (_FACTOR, "np.exp(0.2 * v[0]) + np.exp(0.1 * v[1])", "factor: the two factors are multiplied, not added"),
        (_FACTOR, "1 + 0.2 * v[0] + 0.1 * v[1]", "factor: e^change, and not 1 + change"),
        (
            _FACTOR,
            "np.exp(0.2 * (W[0, 2] - W[0, 0]) + 0.1 * (W[1, 2] - W[1, 0]))",
            "factor: those are the odds against setosa",
        ),
        (
            _WIDTH,
            "(v[0] * length + v[2]) / v[1]",
            "width: the two scores are equal there; what goes to the other side?",
        ),
        (_WIDTH, "-(v[0] * length - v[2]) / v[1]", "width: the sign of the bias"),
        (_WIDTH, "-v[0] * length / v[1]", "width: the difference of the biases is missing"),
        (_WIDTH, "-(v[1] * length + v[2]) / v[0]", "width: length and width are exchanged"),
        (
            _WIDTH,
            "-(W[0, 2] * length + W[2, 2]) / W[1, 2]",
            "width: that is where the score of virginica is 0; it must be equal to that of versicolor",
        ),
        (
            _WIDTH,
            "-((W[0, 1] - W[0, 0]) * length + W[2, 1] - W[2, 0]) / (W[1, 1] - W[1, 0])",
            "width: that is the boundary of setosa and versicolor",
        ),
        (_WIDTH, "-v[2] / v[1]", "width: the length is missing"),
        ("e[2] / e.sum()", "e[2] / e[1]", "virginica: those are the odds against versicolor"),
        ("e[2] / e.sum()", "e[1] / e.sum()", "virginica: that is versicolor"),
        ("e[2] / e.sum()", "e[2]", "virginica: that is the exponential; divide it by the sum of all three"),
        ("e[2] / e.sum()", "np.log(e[2])", "virginica: that is its score"),
        ("e[2] / e.sum()", "1 / (1 + 1 / e[2])", "virginica: that is the sigmoid of its score alone"),
        (
            "e[2] / e.sum()",
            "e[2] / e.sum() + 0.5 - e[2] / (e[1] + e[2])",
            "virginica: the width is 1.6, not that of (2)",
        ),
        ("[length, 1.6, 1]", "[length, 1.6, 0]", "virginica: are the biases in? A class has a column of W, not a row"),
        ("[length, 1.6, 1]", "[1.6, length, 1]", "virginica: length and width are exchanged"),
    ),
    cases=_boundary_cases,
)


def _learn_one_by_one(X, T, order, eta):
    W, losses = np.zeros((X.shape[1], T.shape[1])), list[float]()
    for k, n in enumerate(order):
        p = special.softmax(X[n] @ W)
        losses.append(-np.log(p @ T[n]))
        W = W - eta / (1 + k / len(X)) * np.outer(X[n], p - T[n])
    return W, np.array(losses)


def _loop_cases(rng):
    def one(label, N, d, K, visits, eta):
        X, T = rng.normal(size=(N, d)) + 0.4, _one_hot_rows(rng, N, K)
        X[:, -1] = 1
        order = np.concatenate([rng.permutation(N) for _ in range(1 + visits // N)])[:visits]
        return Case(label, (X, T, order, eta), {"N": float(N)})

    return [
        one("two epochs and a half", 8, 3, 3, 20, 0.4),
        one("less than one epoch", 12, 2, 4, 9, 0.7),
        one("two classes, three epochs", 6, 4, 2, 18, 0.5),
        one("large steps", 10, 3, 3, 25, 2.0),
    ]


_NOTED, _MOVE = "losses.append(-np.log(p @ T[n]))", "W = W - eta / (1 + k / len(X)) * np.outer(X[n], p - T[n])"
_TURN = (
    "for j in range(len(p)): W = W - eta / (1 + k / len(X)) * np.outer(X[n], np.eye(len(p))[j] * "
    "(special.softmax(X[n] @ W) - T[n]))"
)

learn_one_by_one = Loop(
    stars=2,
    notes="C 3.2, erratum C13",
    ask="Write the whole loop that learns from one sample at a time. W begins as zeros (d, K). order holds the "
    "numbers of the samples as they are visited; a sample may come often. Visit k, counted from 0, takes the step "
    "eta/(1 + k/N) against the gradient of that sample's loss. Return (W, losses): losses holds, for each visit, "
    "the loss of the sample before the step. X (N, d) is as given, its last column is ones; T (N, K) is one-hot.",
    hints=(
        "What is known before the step: the scores of this sample, its p, its loss. Then the step, with the same p.",
        "All columns of W move at once, by one outer product of x and p - t.",
    ),
    answer=_learn_one_by_one,
    returns=("W", "losses"),
    path="losses",
    step="visit",
    mistakes=(
        (
            f"{_NOTED}\n        {_MOVE}",
            f"{_MOVE}; p_after = special.softmax(X[n] @ W)\n        losses.append(-np.log(p_after @ T[n]))",
            "the loss is taken after the step; take it before",
        ),
        ("W = W - eta", "W = W + eta", "the sign of the step is reversed: the losses grow"),
        ("W = W - eta", "W = -eta", "the old W is lost: the step is added to it"),
        (" / (1 + k / len(X))", "", "the step does not fall: it is eta/(1 + k/N)"),
        ("k / len(X)", "k // len(X)", "the step falls once an epoch only; k/N is no whole number"),
        ("k / len(X)", "k", "the step falls N times too fast: it is eta/(1 + k/N)"),
        ("k / len(X)", "n / len(X)", "the step falls with the number of the sample; k counts the visits"),
        ("k / len(X)", "(k + 1) / len(X)", "you count the visits from 1; the first step is eta itself"),
        ("k / len(X)", "k / len(order)", "N is the number of samples, not of visits"),
        ("(1 + k / len(X))", "(1 + k / len(X)) ** 2", "the step falls with the square"),
        (
            "enumerate(order)",
            "enumerate(np.resize(np.arange(len(X)), len(order)))",
            "you visit them in turn, not in order",
        ),
        ("enumerate(order)", "enumerate(order[: len(X)])", "you stop after one epoch; order holds all visits"),
        ("p - T[n]", "T[n] * (p - 1)", "only the true class moves; all columns of W must move"),
        ("p - T[n]", "(1 - T[n]) * p", "the true class does not move; all columns of W must move"),
        ("p - T[n]", "p * (1 - p) * (p - T[n])", "p(1 - p) belongs to the squared loss"),
        ("p - T[n]", "np.eye(len(p))[p.argmax()] - T[n]", _PERCEPTRON),
        ("p - T[n]", "X[n] @ W - T[n]", _SCORES),
        ("special.softmax(X[n] @ W)", "special.sigmoid(X[n] @ W)", _SIGMAS),
        ("special.softmax(X[n] @ W)", "special.softmax(np.zeros(T.shape[1]))", "p stays that of W = 0"),
        (_MOVE, _TURN, "the columns move one after another, with new p in between (erratum C13): take the old p"),
        (
            "np.outer(X[n], p - T[n])",
            "X.T @ (special.softmax(X @ W) - T)",
            "the step uses all samples; only n is visited",
        ),
        (
            "np.outer(X[n], p - T[n])",
            "np.outer(np.append(X[n][:-1], 0), p - T[n])",
            "the biases, the last row, must move",
        ),
        ("p @ T[n]))", "p.max()))", "that is -ln of the largest p; the loss is -ln of the true class's p"),
        ("-np.log(p @ T[n])", "-np.sum(p * np.log(p))", "that is the entropy of p; the loss is -ln of the true p"),
        ("-np.log(p @ T[n])", "p @ T[n]", "those are the p of the true class; the loss is -ln of them"),
        ("-np.log(p @ T[n])", "np.log(p @ T[n])", "a loss is never negative: mind the sign of the logarithm"),
        ("np.log(p @", "np.log2(p @", "the logarithm is the natural one, not that of base 2"),
        ("np.zeros((", "np.ones((", "begin with W = 0"),
        ("np.array(losses)", "np.sum(losses)", "that is the sum of the losses; give the one of each visit"),
        ("np.array(losses)", "np.cumsum(losses)", "you added the losses up; give the one of each visit"),
        ("np.array(losses)", "np.array(losses[1:])", "the loss of the first visit is missing"),
    ),
    cases=_loop_cases,
)


def _step_of_all(W, X, T):
    A = X @ W
    E = np.exp(A - A.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    return P, W - 0.1 * X.T @ (P - T)


def _far_rows():
    W = np.array([[0.0, 1, 2], [1, 1, 1]])
    return W, np.array([[1.0, 0], [1, 800], [2, 1]]), np.eye(3)[[0, 1, 0]]


_ROW_MAX_OF_A = "A.max(axis=1, keepdims=True)"
_SMALL = np.zeros((2, 3)), np.ones((1, 2)), np.eye(3)[:1]

catch_the_six = Mutants(
    stars=3,
    notes="C 3.2, D 3, errata D18, D19",
    ask="Six faulty programs were made of step(W, X, T), which stands above. (1) subtracts nothing. (2) subtracts "
    "A.max(). (3) divides by E.sum(axis=0). (4) has T * (P - 1) in place of P - T, and (5) P * (1 - P) * (P - T). "
    "(6) has A = np.minimum(X @ W, 700). Return one (W, X, T), K = 3 and at most 3 samples, on which each of the "
    "six ends with other numbers, or nan, but (7) does not: it subtracts the mean of each row in place of the "
    "maximum.",
    hints=(
        "Which scores in one row show (1) and (6)? What must another row look like, so that (2) divides 0 by 0?",
        "(7) fails where a score lies more than 709 above the mean of its row. How can all scores of a row be large?",
    ),
    returns=("W", "X", "T"),
    program=_step_of_all,
    faults=(
        (f"A - {_ROW_MAX_OF_A}", "A - 0", "program 1 subtracts nothing"),
        (_ROW_MAX_OF_A, "A.max()", "program 2 subtracts one maximum from all rows"),
        ("E.sum(axis=1, keepdims=True)", "E.sum(axis=0)", "program 3 divides by sums over the samples"),
        ("(P - T)", "(T * (P - 1))", "program 4 moves the true class alone"),
        ("(P - T)", "(P * (1 - P) * (P - T))", "program 5 has the factor P(1 - P)"),
        ("A = X @ W", "A = np.minimum(X @ W, 700)", "program 6 cuts the scores at 700"),
    ),
    spared=((_ROW_MAX_OF_A, "A.mean(axis=1, keepdims=True)", "program 7 subtracts the mean and not the maximum"),),
    requirements=(
        Requirement(
            "X must be (N, d) with at most 3 samples, W (d, 3), and T (N, 3)",
            lambda W, X, T: (
                np.ndim(X) == 2 and 0 < len(X) <= 3 and np.shape(W) == (X.shape[1], 3) and np.shape(T) == (len(X), 3)
            ),
            (np.zeros((2, 3)), np.ones((4, 2)), np.ones((4, 3))),
        ),
        Requirement(
            "each row of T must hold a single 1, and zeros",
            lambda W, X, T: bool(np.isin(T, (0, 1)).all() and np.all(np.sum(T, axis=1) == 1)),
            (*_SMALL[:2], np.ones((1, 3))),
        ),
        Requirement(
            "take numbers between -10000 and 10000 in W and X",
            lambda W, X, T: max(np.max(np.abs(W)), np.max(np.abs(X))) <= 1e4,
            (1e5 * np.ones((2, 3)), *_SMALL[1:]),
        ),
    ),
    example=_far_rows,
)


def _four_samples(rng):
    """Four samples whose second feature is a line of the first, and weights of three classes."""
    slope, offset = rng.choice([-2.0, -1, 2, 3]), rng.choice([-2.0, -1, 1, 2])
    first = rng.permutation(np.arange(-3.0, 4))[:4]
    X = np.column_stack([first, slope * first + offset, np.ones(4)])
    return X, rng.permutation(np.arange(-4.0, 5)).reshape(3, 3) / 2


def _rows_of(A):
    return "\n".join("    " + "  ".join(f"{x:5g}" for x in row) for row in A)


def _samples_in_words(X, W):
    return f"X, whose rows are the samples:\n{_rows_of(X)}\nW, a column for each class:\n{_rows_of(W)}"


def _off_on(X, one, other):
    return float(np.max(np.abs(special.softmax(X @ one) - special.softmax(X @ other))))


def _where_V_differs(V, U, x, X, W):
    D = V - W
    k = int(np.argmax(np.ptp(D, axis=1)))
    z = np.eye(3)[k]
    told = f"V - W must leave all probabilities, at every x: at ({z[0]:g}, {z[1]:g}, {z[2]:g}) they differ by "
    return f"{told}{_off_on(z[None], V, W):.2g}; which parts of the scores does softmax not see?"


def _left_open(X, W):
    unseen = np.linalg.svd(X)[2][-1]  # X @ unseen is 0
    V, U = W + np.ones((3, 1)), W + 3 * np.outer(unseen, [1, 0, 0])
    far = [np.array([u, v, 1.0]) for u in range(-4, 5) for v in range(-4, 5)]
    return V, U, max(far, key=lambda x: _off_on(x[None], U, W))


left_open = Construction(
    stars=2,
    notes="A 3.3, C 3.2, errata C12, D43",
    ask="What do the data leave open? Below are four samples X, each with a 1 at the end, and weights W (3, 3). "
    "Return (V, U, x). V (3, 3) has the same probabilities as W at every point, but no column of W. U (3, 3) has "
    "the same probabilities as W on the four samples, and at x (3,), which ends with 1, other ones: by more than "
    "0.01. The numbers are your own.",
    hints=(
        "Softmax does not see a number that is added to all scores of a sample. Which change of W does that?",
        "The four samples lie on one line of the plane. Which vector has the inner product 0 with each of them?",
    ),
    returns=("V", "U", "x"),
    own=_four_samples,
    shows=_samples_in_words,
    requirements=(
        Requirement(
            "V and U must be of shape (3, 3), and x of shape (3,), with a 1 at the end",
            lambda V, U, x, X, W: (
                (np.shape(V), np.shape(U), np.shape(x)) == ((3, 3), (3, 3), (3,)) and np.isclose(x[2], 1)
            ),
            (np.eye(3), np.eye(3), [1.0, 2, 3]),
        ),
        Requirement(
            "a column of V is that of W",
            lambda V, U, x, X, W: bool(np.all(np.max(np.abs(V - W), axis=0) > 1e-6)),
            lambda X, W: (W, *_left_open(X, W)[1:]),
        ),
        Requirement(
            _where_V_differs,
            lambda V, U, x, X, W: bool(np.max(np.ptp(V - W, axis=1)) < 1e-6),
            lambda X, W: (2 * W + 0.1, *_left_open(X, W)[1:]),
        ),
        Requirement(
            lambda V, U, x, X, W: f"on the four samples the probabilities of U and W differ by {_off_on(X, U, W):.2g}",
            lambda V, U, x, X, W: _off_on(X, U, W) < 1e-6,
            lambda X, W: (_left_open(X, W)[0], W + np.eye(3), _left_open(X, W)[2]),
        ),
        Requirement(
            lambda V, U, x, X, W: (
                f"at your x the probabilities of U and W differ by {_off_on(np.array([x]), U, W):.2g}; 0.01 is wanted"
            ),
            lambda V, U, x, X, W: _off_on(np.array([x]), U, W) > 0.01,
            lambda X, W: (_left_open(X, W)[0], W, X[0]),
        ),
    ),
    example=_left_open,
)


def _ten_digits_data():
    digits = datasets.digits()
    return digits.X, digits.y


def _digits_only(predictions):
    return "" if np.isin(predictions, np.arange(10)).all() else "predictions must be whole numbers from 0 to 9"


def _with_a_penalty(X, t, X_new):
    Z, T, lam = design.augment(X), np.eye(10)[t], 2.0
    eta = softmax_regression.largest_step(Z, lam) / 2
    W = V = np.zeros((Z.shape[1], 10))
    for k in range(120):  # descent with momentum, which needs fewer steps
        old, W = W, V - eta * (Z.T @ (special.softmax(Z @ V) - T) + lam * V)
        V = W + k / (k + 3) * (W - old)
    return np.argmax(design.augment(X_new) @ W, axis=1)


ten_digits = Project(
    stars=1,
    notes="C 3.2, D 3",
    ask="Ten digits. 1797 written digits, 64 bits each. Write a function of X, without a column of ones, t (N,) of "
    "the whole numbers 0 to 9, and X_new that returns a number from 0 to 9 for each row of X_new, by softmax "
    "regression and what you make of it. It is judged on eight halves that your name deals: at most 8.7 % wrong in "
    "the mean. A model without a penalty, trained until it reads all digits of its own half rightly and its loss "
    "there is nearly 0, has about 12 %.",
    hints=(
        "Print the mistakes on the half that you train on, too. Is the model too stiff, or does it learn by heart?",
        "Split X once more, and compare a few penalties, or numbers of steps, on the part that was not used.",
    ),
    data=_ten_digits_data,
    score=share_wrong,
    said=per_cent_wrong,
    mark=0.087,
    doubt=0.02,
    outputs=_digits_only,
    answer=_with_a_penalty,
)


def _two_class_weights(W):
    return W[:, 1] - W[:, 0]


two_class_as_sigmoid = Exercise(
    stars=0,
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
    stars=0,
    notes="C 3.2, D 3, erratum D19",
    ask="Return the Jacobian of the softmax, J_kj = ∂p_k/∂a_j, (K, K), from the probabilities p = softmax(a): p (K,) "
    "holds them already, positive, of sum 1.",
    hints=(
        "p_k = e^a_k/S with S = Σ_j e^a_j. Differentiate in a_k, where e^a_k changes too, and in another a_j.",
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
    stars=0,
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
    stars=0,
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
        ("p - t", "p * (1 - p) * (p - t)", "you multiplied p - t by p(1 - p), as the squared loss through σ does"),
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
    stars=0,
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


def _wrong_after(steps):
    """The flowers that are wrong after so many steps of the film."""
    iris = datasets.iris()
    petals = iris.X[:, 2:]
    X, W = design.augment(petals - petals.mean(axis=0)), np.zeros((3, 3))
    for _ in range(steps):
        W = W - 0.007 * softmax_regression.gradient(W, X, np.eye(3)[iris.y])
    return int(np.sum(softmax_regression.predict(W, X) != iris.y))


before = {
    "ch05-square": Question(
        lambda: [1 / 10, 9 / 10],
        {
            "those are the shares with e^a; the question has a² in its place": lambda: special.softmax([1.0, -3.0]),
            "square the scores first: then no share is negative": lambda: [-1 / 2, 3 / 2],
            "the second class has the larger square": lambda: [9 / 10, 1 / 10],
            "those are the squares; divide by their sum": lambda: [1, 9],
        },
        "yes; what is wrong with it?",
    ),
    "ch05-corner": Question(
        lambda: [0, 0, 1],
        {
            "that is s = 0, where all scores are equal": lambda: [1 / 3, 1 / 3, 1 / 3],
            "that is s = 1": lambda: [0.09, 0.245, 0.665],
            "the largest score is that of class 3": lambda: [1, 0, 0],
        },
    ),
    "ch05-signs": Question(
        lambda: [1, -1],
        {
            "the sum of all p is 1: can both rise?": lambda: [1, 1],
            "the numerator of p_1 grows faster than the sum": lambda: [-1, 1],
            "the sum contains e^(a_1), and p_3 is divided by it": lambda: [1, 0],
        },
    ),
    "ch05-costs": Question(
        lambda: [-np.log(0.67), -np.log(0.09)],
        {
            "a loss is never negative: mind the minus": lambda: [np.log(0.67), np.log(0.09)],
            "the first number is for class 3": lambda: [-np.log(0.09), -np.log(0.67)],
            "the logarithm is the natural one": lambda: [-np.log10(0.67), -np.log10(0.09)],
            "the logarithm is the natural one, and not that of base 2": lambda: [-np.log2(0.67), -np.log2(0.09)],
            "those are the shares that the other classes get; take -ln p": lambda: [0.33, 0.91],
            "give three digits": lambda: [0.4, 2.4],
        },
    ),
    "ch05-pulls": Question(
        lambda: [-0.91, 0.24, 0.67],
        {
            "the sign: it is predicted minus observed": lambda: [0.91, -0.24, -0.67],
            "the flower is of class 1, not of class 3": lambda: [0.09, 0.24, -0.33],
            "the other two classes feel it, too": lambda: [-0.91, 0, 0],
            "those are the p; where does the label enter?": lambda: [0.09, 0.24, 0.67],
        },
    ),
    "ch05-wrong": Question(
        lambda: np.sign(_wrong_after(3000) - _wrong_after(40)),
        {
            "the loss falls; does it count the wrong flowers?": lambda: -1,
            "look at the titles of frames 6 and 9": lambda: 0,
        },
    ),
    "ch05-zero": Question(
        lambda: 0,
        {"each row of P sums to 1; and each row of T?": lambda: 1},
    ),
}

"""Exercises of chapter 07, Fisher's discriminant (notes A 4). X comes without ones, class numbers are 0..K-1."""

from itertools import permutations

import numpy as np

from linmodels import datasets, lda

from .grading.before import Question
from .grading.by_hand import ByHand
from .grading.cases import table
from .grading.checker import Case, Construction, Exercise, Refused, Requirement
from .grading.derive import Derivation
from .grading.kinds import Loop, Project, per_cent_wrong
from .grading.prove import Decoy, Line, Proof

chapter = "07"

_COVARIANCES = "you added covariances, divided by N_k (erratum A27): S_w adds the scatters"
_NP_COV = "you added covariances with N_k - 1, as np.cov does: S_w adds the scatters"
_ONE_NUMBER = "X.mean() is one number; the mean of each feature is X.mean(axis=0)"
_CLASS_0_TWICE = "all sums of S_w run over class 0, as note A prints it (erratum A28)"
_NO_MEANS = "S_w is XᵀX here: subtract from each sample the mean of its class"
_PAIRS = "those are the differences of all pairs, μ_k - μ_l: take μ_k - μ of each class"
_DIAGONAL = "only the diagonal of S_w is used: take the whole matrix"
_EIGH = "eigh is for symmetric matrices, S_w⁻¹S_b is not: np.linalg.eig"
_UNSORTED = "np.linalg.eig does not sort: take the columns of the largest eigenvalues"
_NOT_MAPPED = "u of the symmetric L⁻¹S_bL⁻ᵀ, S_w = LLᵀ, is not mapped back: w = L⁻ᵀu"
_PCA = "that is the largest scatter of all samples (PCA): the classes are not used"
_FROM_THE_NEW = "the threshold must not depend on X_new: it is halfway between the means of X"


def _data(rng, N, d, K, sizes, equal=False):
    """sizes[k] samples of class k, in no order; equal: feature 0 has the mean 0 in each: eig gives λ = 0 first."""
    t = rng.permutation(np.repeat(np.arange(K), sizes))
    own = rng.normal(size=(K, d, d)) * rng.uniform(0.5, 2, (K, 1, 1))
    X = np.einsum("nij,nj->ni", own[t], rng.normal(size=(N, d))) + 2 * rng.normal(size=(K, d))[t] + rng.uniform(1, 2, d)
    for k, n in enumerate(sizes if equal else ()):
        X[t == k, 0] = rng.permutation(np.arange(n) - (n - 1) / 2)
    X[:, 1:] += equal * np.outer(X[:, 0], rng.uniform(0.5, 1, d - 1))
    return X, t


_CLASSES = _data, "N d K", (18, 2, 3, (5, 9, 4)), (17, 3, 2, (6, 11), True), (19, 1, 5, (4, 1, 3, 5, 6))
_MORE = "N d", (33, 4, 3, (7, 16, 10)), (33, 3, 3, (8, 14, 11), True), (44, 6, 4, (9, 12, 8, 15)), (26, 3, 2, (9, 17))
_TWO = "N d", (29, 2, 2, (9, 20)), (23, 3, 2, (15, 8), True), (24, 2, 2, (12, 12)), (23, 5, 2, (9, 14))


def _scatter_within(X, t):
    M = np.array([X[t == k].mean(axis=0) for k in range(t.max() + 1)])
    R = X - M[t]  # each sample minus the mean of its class
    return R.T @ R


within_scatter = Exercise(
    stars=0,
    notes="A 4.1.2, A 4.2, errata A28, A34",
    ask="The within-class scatter S_w = Σ_k Σ_{x in class k} (x - μ_k)(x - μ_k)ᵀ, μ_k the mean of the samples of "
    "class k: a sum over all samples, divided by nothing. X (N, d) holds a sample per row, t (N,) the class of each, "
    "whole numbers 0..K-1, all of which occur. Return S_w (d, d).",
    hints=(
        "X[t == k] are the samples of class k. With their x - μ_k as rows of R, Σ (x - μ_k)(x - μ_k)ᵀ is one product.",
        "RᵀR, summed over the classes; or once, with R = X - M[t], M (K, d) the means.",
    ),
    answer=_scatter_within,
    mistakes=(
        ("R.T @ R", "R.T / np.bincount(t)[t] @ R", "you added covariances, divided by N_k: add the scatters"),
        ("R.T @ R", "R.T / (np.bincount(t)[t] - 1) @ R", "you added covariances with N_k - 1: add the scatters"),
        (
            "R.T @ R",
            "R.T * (np.bincount(t) / (np.bincount(t) - 1))[t] @ R",
            "np.cov divides by N_k - 1: times N_k it is no scatter",
        ),
        ("R.T @ R", "R[t < t.max()].T @ R[t < t.max()]", "the last class is missing: range(K) ends with K - 1"),
        ("R.T @ R", "R[t == t.max()].T @ R[t == t.max()]", "only the last class is left: S += in the loop, not S ="),
        ("R.T @ R", "R[t == 0].T @ R[t == 0]", "only class 0 is in it: does `return` stand inside the loop?"),
        ("R.T @ R", "np.sum(R * R)", "that is the trace of S_w: r @ r is a number, np.outer(r, r) a matrix"),
        ("M[t]", "X.mean(axis=0)", "that is the total scatter: subtract the mean of the sample's own class"),
        (".mean(axis=0)", ".mean(keepdims=True)[0]", _ONE_NUMBER),
        ("X - M[t]", "X", "the means are missing: subtract from each sample the mean of its class"),
        ("X - M[t]", "np.vstack(X[t == 0, None] - M)", _CLASS_0_TWICE),
    ),
    cases=lambda rng: table(rng, *_CLASSES),
    factors={"1/N": "S_w is a sum, not a mean", "1/K": "add the scatters of the classes, do not average them"},
)


_EYE = np.array([[0.0, 0], [0, 2], [4, 2], [4, 4], [1, 4], [1, 6], [5, 6], [5, 8]])
_SIDES = np.array([0, 0, 0, 0, 1, 1, 1, 1])
_SHRINK = "across which direction are both classes narrow?"
_MEAN_TO_MEAN = "that is the direction from mean to mean: it forgets the scatter, along which the classes overlap"


def _across():
    return np.array([-0.5, 1.0])  # nearly across both classes


def _heights(w):
    return [lda.rayleigh_quotient(v, _EYE, _SIDES) for v in (w, lda.direction(_EYE, _SIDES))]


def _dull(w):
    J, best = _heights(w)
    return f"J(w) = {J:.3f}, which is {100 * J / best:.0f} % of what is possible: {_SHRINK}"


def _beside_the_means(w):
    return abs(np.linalg.det([w, np.subtract(*lda.means(_EYE, _SIDES))])) > 1e-9


direction_by_eye = Construction(
    stars=1,
    notes="A 4.1",
    ask="Find Fisher's direction by eye. Class 0: (0, 0), (0, 2), (4, 2), (4, 4). Class 1: (1, 4), (1, 6), (5, 6), "
    "(5, 8). Return a w of two numbers, of any length, for which J(w) is at least 80 % of the largest possible. J(w) "
    "is the squared distance of the projected class means over the scatter within the projected classes.",
    hints=(
        "Both classes are long along a rising line, side by side. What happens if you project them along their length?",
        "Each class rises by 2 on 4. Take w about at a right angle to that.",
    ),
    returns=("w",),
    requirements=(
        Requirement("w must hold two numbers", lambda w: np.shape(w) == (2,), (np.ones(3),)),
        Requirement("w = (0, 0) is no direction", lambda w: w.any(), (np.zeros(2),)),
        Requirement(_MEAN_TO_MEAN, _beside_the_means, (np.array([1.0, 4.0]),)),
        Requirement(_dull, lambda w: np.divide(*_heights(w)) >= 0.8 - 1e-9, (np.array([0.0, 1.0]),)),
    ),
    example=_across,
)

slope_of_j = Derivation(
    stars=2,
    notes="A 4.1.2",
    ask="Where does J = (w·m)²/(wᵀSw) stand still? m is the difference of the means, and S, symmetric, is the scatter "
    "within. Derive the gradient of J with respect to w, one rule a line, until no d is left. d(e, w) is the gradient "
    "of e. At the end take out a common factor, so that one sees when the gradient is 0.",
    hints=(
        "A quotient u/v has the gradient (v d(u) - u d(v))/v². Leave d(u) and d(v) for the lines after that.",
        "(w @ m)**2 is the square of a number. And d(w @ S @ w, w) is (S + S.T) @ w: what is S.T here?",
        "Divide numerator and denominator by what they share, then take out 2*(w @ m)/(w @ S @ w).",
    ),
    start="d((w @ m)**2/(w @ S @ w), w)",
    letters={"m": "d", "S": "symmetric d d", "w": "d"},
    free_of=("d",),
    lines=(
        "(d((w @ m)**2, w)*(w @ S @ w) - (w @ m)**2*d(w @ S @ w, w))/(w @ S @ w)**2",
        "(2*(w @ m)*m*(w @ S @ w) - (w @ m)**2*d(w @ S @ w, w))/(w @ S @ w)**2",
        "(2*(w @ m)*m*(w @ S @ w) - (w @ m)**2*((S + S.T) @ w))/(w @ S @ w)**2",
        "(2*(w @ m)*m*(w @ S @ w) - (w @ m)**2*(2*S @ w))/(w @ S @ w)**2",
        "2*(w @ m)/(w @ S @ w)*(m - (w @ m)/(w @ S @ w)*(S @ w))",
    ),
    slips=(
        (1, "(d((w @ m)**2, w)*(w @ S @ w) + (w @ m)**2*d(w @ S @ w, w))/(w @ S @ w)**2", "the sign before"),
        (1, "(d((w @ m)**2, w)*(w @ S @ w) - (w @ m)**2*d(w @ S @ w, w))/(w @ S @ w)", "does not follow"),
        (
            2,
            "((w @ m)*m*(w @ S @ w) - (w @ m)**2*d(w @ S @ w, w))/(w @ S @ w)**2",
            "the factor 2 of `w @ m * m * (w @ S @ w)` is missing",
        ),
        (2, "(2*m*(w @ S @ w) - (w @ m)**2*d(w @ S @ w, w))/(w @ S @ w)**2", "does not follow"),
        (3, "(2*(w @ m)*m*(w @ S @ w) - (w @ m)**2*(S @ w))/(w @ S @ w)**2", "does not follow"),
        (5, "2*(w @ m)/(w @ S @ w)*(m + (w @ m)/(w @ S @ w)*(S @ w))", "the sign before"),
    ),
)


def _three_and_three(rng):
    """Two classes of three points, whose means are whole numbers; they differ, and no entry of S_w is 0."""
    while True:
        X0, X1 = rng.integers(-2, 3, (2, 3, 2)).astype(float)
        X0[2], X1[2] = -X0[:2].sum(axis=0), -X1[:2].sum(axis=0)
        shift = rng.integers(1, 5, (2, 2)) + np.array([[0, 0], [1, 2]])
        S, m = X0.T @ X0 + X1.T @ X1, shift[1] - shift[0]
        at = np.vstack([X0 + shift[0], X1 + shift[1]])
        scatters = X0.T @ X0, X1.T @ X1, at.T @ at, S * [[1, 2], [2, 1]]  # the last two are those of mistakes
        regular = min(abs(np.linalg.det(A)) for A in scatters) > 0.5
        turned = S[0, 1] * np.array([[0, 1], [1, 0]])
        ways = [S @ m, (S - 2 * turned) @ m, (S[::-1, ::-1]) @ m]
        ways += [np.linalg.solve(Z.T @ Z, m) for Z in (X0, X1)] if regular else [np.zeros(2)]
        w = np.linalg.solve(S, m) if np.all(np.abs(ways) > 0.01) else np.zeros(2)  # so that no slope is infinite
        if S.all() and np.abs(w).min() > 0.02 and (shift[0] != shift[1]).all():
            return [Case("your six points", (X0 + shift[0], X1 + shift[1]))]


def _scatters_by_hand(X0, X1):
    m = X1.mean(axis=0) - X0.mean(axis=0)
    R = np.vstack([X0 - X0.mean(axis=0), X1 - X1.mean(axis=0)])
    S = R.T @ R
    w = np.linalg.solve(S, m)
    return S[[0, 0, 1], [0, 1, 1]], w[1] / w[0], m @ w


_RR = "R.T @ R"
_SOLVE = "np.linalg.solve(S, m)"
_ADJUGATE = "np.array([[S[1, 1], -S[0, 1]], [-S[0, 1], S[0, 0]]]) @ m"

scatters_by_hand = ByHand(
    stars=1,
    notes="A 4.1.1, A 4.1.2",
    ask="Fisher with a pencil. Class 0 has the three points X0, class 1 the three points X1. Give (1) the scatter S_w, "
    "a sum over all six points: its three entries s_11, s_12 and s_22; (2) the slope w_2/w_1 of Fisher's direction; "
    "(3) J at this direction, the largest there is. Give each number to three digits. The points are your own: "
    "check.me('your name') deals them.",
    hints=(
        "Measure each point from the mean of its class. Then three sums: of squares, of products, of squares.",
        "S_w w = μ_1 - μ_0 are two equations. The largest J is the inner product of μ_1 - μ_0 with that w.",
    ),
    answer=_scatters_by_hand,
    returns=("scatter", "slope", "J"),
    one_by_one=True,
    mistakes=(
        (_RR, "R.T @ R / 3", "scatter: those are covariances, divided by 3; a scatter is a sum"),
        (_RR, "R.T @ R / 2", "scatter: you divided by N_k - 1, as np.cov does; a scatter is a sum"),
        (_RR, "R.T @ R / 6", "scatter: you divided by the number of points; a scatter is a sum"),
        (_RR, "R[:3].T @ R[:3]", "scatter: only class 0 is in it (erratum A28)"),
        (_RR, "R[3:].T @ R[3:]", "scatter: only class 1 is in it"),
        (_RR, "R.T @ R + 1.5 * np.outer(m, m)", "scatter: measure each point from the mean of its own class"),
        (_RR, "X0.T @ X0 + X1.T @ X1", "scatter: the class means are not subtracted"),
        (_RR, "R.T @ R * [[1, -1], [-1, 1]]", "scatter: mind the signs of the products in s_12"),
        (_RR, "R.T @ R * [[1, 2], [2, 1]]", "scatter: s_12 is the sum of the products once, not twice"),
        (_SOLVE, "m", "slope: that is the direction from mean to mean; where is S_w?"),
        (_SOLVE, "S @ m", "slope: you multiplied by S_w; solve S_w w = μ_1 - μ_0"),
        (_SOLVE, "m / np.diag(S)", "slope: s_12 is missing in the two equations"),
        (
            _SOLVE,
            f"{_ADJUGATE.replace('-S', '+S')} / np.linalg.det(S)",
            "slope: in the inverse of a 2 by 2 matrix the off-diagonal entries change their sign",
        ),
        (
            _SOLVE,
            "np.array([[S[0, 0], -S[0, 1]], [-S[0, 1], S[1, 1]]]) @ m / np.linalg.det(S)",
            "slope: in the inverse of a 2 by 2 matrix the diagonal entries change places",
        ),
        ("w[1] / w[0]", "w[0] / w[1]", "slope: that is w_1/w_2"),
        ("w[1] / w[0]", "-w[0] / w[1]", "slope: that is the slope of the boundary, at a right angle to w"),
        ("m @ w\n", f"m @ {_ADJUGATE}\n", "J: the determinant of S_w is missing"),
        ("m @ w\n", "(m @ m) ** 2 / (m @ S @ m)\n", "J: that is J of the direction from mean to mean"),
        ("m @ w\n", "(m @ w) ** 2\n", "J: that is the numerator alone; it is divided by wᵀS_w w"),
        ("m @ w\n", "3 * (m @ w)\n", "J: the denominator is wᵀS_w w, and S_w is a sum, no mean"),
        ("m @ w\n", "1.5 * (m @ w)\n", "J: here S_b is that of two means, without N_0 N_1/N"),
    ),
    cases=_three_and_three,
)


def _of_six_points():
    """S_w and the difference of the means of the six points of the chapter, and P with PᵀS_w P = I."""
    S, m = np.array([[16.0, 12], [12, 12]]), np.array([4.0, 0])
    return S, m, np.linalg.inv(np.linalg.cholesky(S)).T


def _wrong_order():
    S, _, P = _of_six_points()
    wrong, right = P.T @ P, np.linalg.inv(S)
    return f"for the six points the first entry of S_w⁻¹ is {right[0, 0]:.4f}, and that of PᵀP is {wrong[0, 0]:.4f}"


def _as_long():
    _, m, P = _of_six_points()
    u = P.T @ m
    return f"for the six points and u = Pᵀm, ‖u‖ is {np.linalg.norm(u):.4f} and ‖Pu‖ is {np.linalg.norm(P @ u):.4f}"


def _both_turned():
    _, m, P = _of_six_points()
    u = np.array([0.0, 1])
    return f"for the six points and u = (0, 1), (Pu)·m is {(P @ u) @ m:.4f}, and u·(Pm) is {u @ (P @ m):.4f}"


whitened_proof = Proof(
    stars=2,
    notes="A 4.1.2",
    ask="Prove that w = S_w⁻¹m has the largest J = (w·m)²/(wᵀS_w w), m the difference of the means. P is a square "
    "matrix that turns S_w into the identity, PᵀS_w P = I, and w = Pu. Give the letters of the ten lines, each below "
    "what it uses; any such order is right. Three lines do not belong. After three wrong tries the letters are dealt "
    "anew.",
    hints=(
        "Write both parts of J with u in place of w. What is compared with ‖u‖ then?",
        "Cauchy-Schwarz gives a bound without u. Which u reaches it, and which w = Pu is that?",
    ),
    lines={
        "white": Line("PᵀS_w P = I", "what P does"),
        "regular": Line("P has an inverse, so each w ≠ 0 is Pu for one u ≠ 0", "that every w is some Pu", ("white",)),
        "below": Line("wᵀS_w w = uᵀPᵀS_w P u = ‖u‖²", "what the denominator is", ("white",)),
        "above": Line("w·m = (Pu)·m = u·(Pᵀm)", "what the numerator is the square of"),
        "J": Line("J(w) = (u·(Pᵀm))²/‖u‖²", "J as a function of u", ("below", "above")),
        "Cauchy": Line("(u·v)² <= ‖u‖²‖v‖² for each v, and u = v gives equality", "how large an inner product can be"),
        "bound": Line("J(w) <= ‖Pᵀm‖² for every w", "a bound for all w", ("J", "Cauchy", "regular")),
        "reached": Line("u = Pᵀm reaches this bound: w = PPᵀm is best", "which u reaches the bound", ("bound",)),
        "inverse": Line("S_w = (Pᵀ)⁻¹P⁻¹, so S_w⁻¹ = PPᵀ", "what S_w⁻¹ is", ("white", "regular")),
        "claim": Line("w = S_w⁻¹m has the largest J", "the claim", ("reached", "inverse")),
    },
    decoys={
        "order": Decoy("S_w⁻¹ = PᵀP", _wrong_order),
        "length": Decoy("‖w‖ = ‖u‖, as P turns S_w into I", _as_long),
        "turned": Decoy("(Pu)·m = u·(Pm)", _both_turned),
    },
)


def _parts_cases(rng):
    def one(label, d, K, sizes, parts):
        X, t = _data(rng, sum(sizes), d, K, sizes)
        X = X + 0.7 * rng.normal(size=X.shape)
        return Case(label, (X, t, rng.permutation(np.arange(len(t)) % parts)))

    return [
        one("two classes, one rare", 2, 2, (60, 15), 5),
        one("three classes", 3, 3, (40, 22, 11), 4),
        one("more features", 6, 2, (17, 9), 3),
        one("four classes", 2, 4, (30, 12, 20, 9), 3),
    ]


def _left_out(X, t, part):
    guess, wrong = np.zeros(len(t), int), list[int]()
    for p in range(part.max() + 1):
        A, u = X[part != p], t[part != p]
        N_k = np.bincount(u)
        M = np.array([A[u == k].mean(axis=0) for k in range(len(N_k))])
        R = A - M[u]
        V = np.linalg.solve(R.T @ R / len(A), M.T)
        scores = X @ V - np.sum(M.T * V, axis=0) / 2 + np.log(N_k / len(A))
        guess[part == p] = np.argmax(scores, axis=1)[part == p]
        wrong.append(np.sum((guess != t)[part == p]))
    return guess, np.array(wrong)


left_out = Loop(
    stars=2,
    notes="A 4",
    ask="From data to an honest count. X (N, d) are samples, t (N,) class numbers 0..K-1, part (N,) says in which of "
    "the parts 0, 1, ... each lies. Part by part: learn LDA from all samples outside of it, and classify those in it, "
    "by the largest a_k(x) = μ_kᵀΣ⁻¹x - ½ μ_kᵀΣ⁻¹μ_k + ln(N_k/N), Σ = S_w/N. Return (guess, wrong): the class of each "
    "sample, and how many are wrong in each part. S_w has an inverse.",
    hints=(
        "Inside the loop everything is learned anew, from X[part != p] and t[part != p]: N_k, μ_k, Σ.",
        "V = Σ⁻¹ times the means as columns gives all classes at once: the scores are X @ V plus a number per class.",
    ),
    answer=_left_out,
    returns=("guess", "wrong"),
    path="wrong",
    step="part",
    mistakes=(
        ("X[part != p], t[part != p]", "X, t", "you learn from the part that is to be classified, too: leave it out"),
        (
            "X[part != p], t[part != p]",
            "X[part == p], t[part == p]",
            "you learn from the part itself: learn from all the others",
        ),
        (
            "R.T @ R / len(A)",
            "np.cov(A.T, bias=True)",
            "that is the scatter of all samples: subtract from each the mean of its own class",
        ),
        ("R.T @ R / len(A)", "R.T @ R", "S_w is not divided by N, so the shares hardly count: Σ = S_w/N"),
        (
            "R.T @ R / len(A)",
            "R.T / N_k[u] @ R",
            "you added covariances: Σ is the scatter of all classes, divided by N",
        ),
        ("R.T @ R / len(A)", "np.eye(A.shape[1])", "Σ is missing: that is the nearest mean"),
        ("R.T @ R / len(A)", "np.diag(np.mean(R * R, axis=0))", "only the diagonal of Σ is used: take all of it"),
        (" + np.log(N_k / len(A))", "", "ln(N_k/N) is missing: the shares count"),
        (" + np.log(N_k / len(A))", " + N_k / len(A)", "the logarithm of the shares is missing"),
        ("np.sum(M.T * V, axis=0) / 2", "np.sum(M.T * V, axis=0)", "the ½ before μ_kᵀΣ⁻¹μ_k is missing"),
        ("- np.sum", "+ np.sum", "the sign of ½ μ_kᵀΣ⁻¹μ_k is wrong: it is subtracted"),
        (" - np.sum(M.T * V, axis=0) / 2", "", "½ μ_kᵀΣ⁻¹μ_k is missing"),
        ("np.argmax(", "np.argmin(", "the largest score wins, not the smallest"),
        ("wrong.append(np.sum(", "wrong.append(np.mean(", "wrong holds shares; it counts how many are wrong"),
        ("(guess != t)", "(guess == t)", "wrong counts those that are right"),
        ("(guess != t)[part == p]", "(np.argmax(scores, axis=1) != t)", "wrong counts the samples of the part alone"),
        ("range(part.max() + 1)", "range(part.max())", "the last part is never left out: range(part.max() + 1)"),
        ("np.array(wrong)", "np.sum(wrong)", "wrong is one number for each part, not their sum"),
    ),
    cases=_parts_cases,
)


def _cut_cases(rng):
    z0, gap = int(rng.integers(1, 6)), int(rng.integers(3, 7))
    few = int(rng.choice([10, 20, 30, 40]))
    many = few * int(rng.integers(6, 13))
    variance, cost = float(rng.choice([1.5, 2.5, 3.5])), int(rng.integers(2, 6))
    return [Case("your numbers", (z0, z0 + gap, variance, many, few, cost))]


def _cut_by_hand(z0, z1, s2, N0, N1, cost):
    halfway = (z0 + z1) / 2
    tau = halfway + s2 * np.log(N0 / N1) / (z1 - z0)
    costly = halfway + s2 * np.log(N0 / N1 / cost) / (z1 - z0)
    return halfway, tau, costly


_TAU = "s2 * np.log(N0 / N1) / (z1 - z0)"
_COSTLY = "s2 * np.log(N0 / N1 / cost) / (z1 - z0)"

cut_by_hand = ByHand(
    stars=1,
    notes="A 4, erratum A32",
    ask="Along w two classes are Gaussian, with the means z0 and z1 and the same variance s2. Of class 0 there are N0 "
    "samples, of class 1 N1. Where do you cut, to three digits: (1) if both classes are equally frequent, (2) with the "
    "shares N0 : N1, (3) if besides it is `cost` times as bad to miss a sample of class 1 as to miss one of class 0? "
    "The numbers are your own: check.me('your name') deals them.",
    hints=(
        "At the cut N0 p(z|0) = N1 p(z|1). Take the logarithm of both sides: the two squares leave a line in z.",
        "Towards which class does a cut move, if that class is rare? A cost works like more samples of its class.",
    ),
    answer=_cut_by_hand,
    returns=("halfway", "shares", "costly"),
    one_by_one=True,
    mistakes=(
        ("halfway = (z0 + z1) / 2", "halfway = (z1 - z0) / 2", "halfway: that is half of the distance; add z0"),
        (
            "halfway = (z0 + z1) / 2",
            "halfway = (N0 * z0 + N1 * z1) / (N0 + N1)",
            "halfway: that is the mean of all samples; equally frequent classes are cut between the two means",
        ),
        (f"halfway + {_TAU}", f"halfway - {_TAU}", "shares: the cut moves towards the rare class, to the right"),
        (f"halfway + {_TAU}", "halfway + np.log(N0 / N1) / (z1 - z0)", "shares: the variance is missing"),
        (f"halfway + {_TAU}", f"halfway + np.sqrt(s2) * {_TAU[5:]}", "shares: the variance s2 is wanted, not its root"),
        (f"halfway + {_TAU}", f"halfway + s2 * {_TAU}", "shares: s2 is the variance already: do not square it"),
        (f"halfway + {_TAU}", "halfway + np.log(N0 / N1)", "shares: the variance and the distance are missing"),
        (f"halfway + {_TAU}", "halfway + s2 * np.log(N0 / N1)", "shares: divide by the distance of the means"),
        (f"halfway + {_TAU}", f"halfway + {_TAU} / 2", "shares: a factor ½ too much: (z - z0)² - (z - z1)² has a 2"),
        (f"halfway + {_TAU}", f"halfway + 2 * {_TAU}", "shares: a factor 2 too much: the exponent is divided by 2 s2"),
        (
            f"halfway + {_TAU}",
            "halfway + s2 * np.log10(N0 / N1) / (z1 - z0)",
            "shares: the logarithm is the natural one",
        ),
        (
            f"halfway + {_TAU}",
            "halfway + s2 * np.log(N0 / (N0 + N1)) / (z1 - z0)",
            "shares: the ratio of both shares counts, N0/N1, and not one of them alone",
        ),
        (
            f"halfway + {_TAU}",
            "(N0 * z1 + N1 * z0) / (N0 + N1)",
            "shares: no weighted mean: where do the curves cross?",
        ),
        (f"halfway + {_TAU}", f"z0 + {_TAU}", "shares: begin halfway, not at z0"),
        (
            f"halfway + {_COSTLY}",
            "halfway + s2 * np.log(N0 / N1 * cost) / (z1 - z0)",
            "costly: the cost is that of class 1: it makes the region of class 1 larger",
        ),
        (f"halfway + {_COSTLY}", f"halfway - {_COSTLY}", "costly: mind the sign: towards which class does it move?"),
        (f"halfway + {_COSTLY}", "tau / cost", "costly: the cost multiplies the share of class 1, not the cut"),
        (f"halfway + {_COSTLY}", f"halfway + {_TAU} / cost", "costly: the cost goes into the logarithm"),
        (f"halfway + {_COSTLY}", "tau", "costly: that is the cut without the cost"),
        (
            f"halfway + {_COSTLY}",
            "halfway - s2 * np.log(cost) / (z1 - z0)",
            "costly: the shares count as well as the cost",
        ),
    ),
    cases=_cut_cases,
)


def _scores_cases(rng):
    """The scores of three irises by their petals, learned from a half, and a flower near the boundary of two."""
    iris = datasets.iris()
    half = np.concatenate([rng.permutation(np.flatnonzero(iris.y == k))[:25] for k in range(3)])
    V, b = lda.discriminants(iris.X[half, 2:], iris.y[half])
    V, b = np.round(V - V[:, :1], 2), np.round(b - b[0], 2)  # the same for all classes may be dropped
    width = float(rng.integers(15, 18)) / 10
    tie = -(b[2] - b[1] + width * (V[1, 2] - V[1, 1])) / (V[0, 2] - V[0, 1])
    return [Case("your half of the irises", (V, b, np.array([np.round(tie + rng.choice([-0.2, 0.2]), 1), width])))]


def _read_the_scores(V, b, x):
    e = np.exp(x @ V + b - np.max(x @ V + b))
    p = e / e.sum()
    length = (b[1] - b[2] + x[1] * (V[1, 1] - V[1, 2])) / (V[0, 2] - V[0, 1])
    rarer = e[2] / (e[0] + e[1] + e[2] / 4) / 4
    return p[2], length, rarer


_LENGTH = "(b[1] - b[2] + x[1] * (V[1, 1] - V[1, 2])) / (V[0, 2] - V[0, 1])"
_P_OVER_4 = "rarer: you divided p by 4; then the three add up to less than 1: divide e^a_2 by 4, and add up anew"
_RARER = "e[2] / (e[0] + e[1] + e[2] / 4) / 4"

read_the_scores = ByHand(
    stars=2,
    notes="A 4, C 2",
    ask="Read a model of three irises (0 setosa, 1 versicolor, 2 virginica), learned from your half of the flowers, "
    "25 of each: a = x @ V + b, x the length and the width of a petal in cm. Setosa has zeros because its score "
    "is subtracted from all three, which changes no probability. Give to three digits (1) the probability that x "
    "is a virginica, (2) the length at which, with the width of x, versicolor and virginica tie, (3) the "
    "probability of (1) where virginicas are four times rarer.",
    hints=(
        "The probabilities are the softmax of the three scores. A tie means a_1 = a_2: one equation for the length.",
        "ln(N_k/N) stands in b_k: what is added to b_2, if the share of virginica is divided by 4?",
    ),
    answer=_read_the_scores,
    returns=("p", "length", "rarer"),
    one_by_one=True,
    mistakes=(
        ("p[2], length", "p[1], length", "p: that is versicolor; virginica is class 2"),
        ("p[2], length", "np.exp(b[2]) / np.exp(b).sum(), length", "p: the flower is missing: a = x @ V + b"),
        ("p[2], length", "(x @ V + b)[2], length", "p: that is the score a_2; the probability is one of the softmax"),
        ("p[2], length", "e[2] / e[1], length", "p: those are the odds against versicolor"),
        (
            "p[2], length",
            "1 / (1 + np.exp(-x @ (V[:, 2] - V[:, 1]))), length",
            "p: the constants b_k are missing in the scores",
        ),
        (
            f"length = {_LENGTH}",
            f"length = -{_LENGTH}",
            "length: solve a_1 = a_2 for the length; what goes to the other side?",
        ),
        (
            f"length = {_LENGTH}",
            "length = (b[1] - b[2]) / (V[0, 2] - V[0, 1])",
            "length: the width of the flower counts too: put it into both scores",
        ),
        (
            f"length = {_LENGTH}",
            "length = x[1] * (V[1, 1] - V[1, 2]) / (V[0, 2] - V[0, 1])",
            "length: the constants b_k are missing",
        ),
        (
            f"length = {_LENGTH}",
            "length = (b[1] - b[2] + x[0] * (V[0, 1] - V[0, 2])) / (V[1, 2] - V[1, 1])",
            "length: that is the width at which they tie, with the length of x",
        ),
        (
            f"length = {_LENGTH}",
            "length = (b[0] - b[1] + x[1] * (V[1, 0] - V[1, 1])) / (V[0, 1] - V[0, 0])",
            "length: that is the tie of setosa and versicolor",
        ),
        (f"rarer = {_RARER}", "rarer = p[2] / 4", _P_OVER_4),
        (
            f"rarer = {_RARER}",
            "rarer = 4 * e[2] / (e[0] + e[1] + 4 * e[2])",
            "rarer: that is four times more frequent",
        ),
        (
            f"rarer = {_RARER}",
            "rarer = e[2] * np.exp(-4) / (e[0] + e[1] + e[2] * np.exp(-4))",
            "rarer: b_2 falls by ln 4, and not by 4",
        ),
        (f"rarer = {_RARER}", "rarer = p[2]", "rarer: that is the old probability; ln 4 goes off b_2"),
        (
            f"rarer = {_RARER}",
            "rarer = e[2] / (e[0] + e[1] + e[2] / 4)",
            "rarer: only the sum has the new e^a_2: divide by 4 above the line, too",
        ),
    ),
    cases=_scores_cases,
)


def _few_irises():
    """The petals of all setosas and versicolors, and of ten virginicas: x, t, and the means of all and of each."""
    X, t = datasets.iris().X[:110, 2:], datasets.iris().y[:110]
    return X, t, X.mean(axis=0), lda.means(X, t)


def _around_the_wrong_mean():
    X, t, mu, _ = _few_irises()
    total = np.sum(X[t == 2, 0] - mu[0])
    return f"with the petals of 110 irises, the lengths of virginica, measured from μ, add up to {total:.1f} cm, not 0"


def _each_is_zero():
    X, _, mu, M = _few_irises()
    product = (X[0, 0] - M[0, 0]) * (M[0, 1] - mu[1])
    return f"for the first iris one entry of (x - μ_k)(μ_k - μ)ᵀ is {product:.4f}, not 0: only the sum vanishes"


def _without_the_sizes():
    _, _, mu, M = _few_irises()
    total = np.sum(M[:, 0] - mu[0])
    return f"with 50, 50 and 10 irises the lengths of the μ_k - μ add up to {total:.2f} cm: the N_k are missing"


scatters_add = Proof(
    stars=2,
    notes="A 4.2",
    ask="The scatter of all samples is S_t = Σ_x (x - μ)(x - μ)ᵀ, with the mean μ of all. Prove that S_t = S_w + S_b, "
    "with S_b = Σ_k N_k (μ_k - μ)(μ_k - μ)ᵀ. Σ_{x in k} is a sum over the samples x of class k. Give the letters of "
    "the nine lines, each below what it uses; any such order is right. Three lines do not belong. After three wrong "
    "tries the letters are dealt anew.",
    hints=(
        "Go from x to μ by way of μ_k, and multiply out: four products. Which of them vanish, and when?",
        "A mixed product does not vanish for one sample. Sum it over a class: what is the same for all its samples?",
    ),
    lines={
        "split": Line("x - μ = (x - μ_k) + (μ_k - μ)", "how the way is split"),
        "open": Line(
            "(x - μ)(x - μ)ᵀ = (x - μ_k)(x - μ_k)ᵀ + (x - μ_k)(μ_k - μ)ᵀ + (μ_k - μ)(x - μ_k)ᵀ + (μ_k - μ)(μ_k - μ)ᵀ",
            "the four products",
            ("split",),
        ),
        "mean": Line("Σ_{x in k} x = N_k μ_k", "what the mean of a class is"),
        "zero": Line("Σ_{x in k} (x - μ_k) = 0", "that the deviations of a class add up to 0", ("mean",)),
        "mixed": Line("Σ_{x in k} (x - μ_k)(μ_k - μ)ᵀ = 0", "that one mixed sum is 0", ("zero",)),
        "transposed": Line(
            "Σ_{x in k} (μ_k - μ)(x - μ_k)ᵀ = 0, the transpose", "that the other mixed sum is 0", ("mixed",)
        ),
        "same": Line("Σ_{x in k} (μ_k - μ)(μ_k - μ)ᵀ = N_k (μ_k - μ)(μ_k - μ)ᵀ", "what the last product adds up to"),
        "class": Line(
            "Σ_{x in k} (x - μ)(x - μ)ᵀ = Σ_{x in k} (x - μ_k)(x - μ_k)ᵀ + N_k (μ_k - μ)(μ_k - μ)ᵀ",
            "the claim for one class",
            ("open", "mixed", "transposed", "same"),
        ),
        "claim": Line("S_t = S_w + S_b, added over the classes", "the claim", ("class",)),
    },
    decoys={
        "of all": Decoy("Σ_{x in k} (x - μ) = 0, as μ is the mean", _around_the_wrong_mean),
        "each": Decoy("(x - μ_k)(μ_k - μ)ᵀ = 0 for each x", _each_is_zero),
        "means": Decoy("Σ_k (μ_k - μ) = 0", _without_the_sizes),
    },
)


def _discriminant_subspace(X, t):
    S_w, S_b = lda.scatter_within(X, t), lda.scatter_between(X, t)
    ratios, V = np.linalg.eig(np.linalg.solve(S_w, S_b))
    largest = np.argsort(-ratios.real)[: t.max()]
    return V[:, largest].real


def _span(f, X, t):
    """The projector onto the columns of W: all that counts of it."""
    W, wanted = f(X, t)[0], (X.shape[1], int(t.max()))
    if W.shape != wanted:
        raise Refused(f"W must hold a direction in each of K - 1 columns: its shape is {W.shape}, but must be {wanted}")
    U, sizes, _ = np.linalg.svd(W / np.maximum(np.linalg.norm(W, axis=0), 1e-300), full_matrices=False)
    U = U[:, sizes > 1e-10]
    if 0 < U.shape[1] < W.shape[1]:
        told = f"the columns of W are dependent: they span {U.shape[1]}, not K - 1 = {W.shape[1]} dimensions"
        raise Refused(f"{told}; those of the K - 1 largest eigenvalues are independent")
    return [U @ U.T]


_EIGEN = "ratios, V = np.linalg.eig(np.linalg.solve(S_w, S_b))"
_WHITE = "P = np.linalg.inv(np.linalg.cholesky(S_w))"
_RISING = "eigh sorts in rising order: the largest eigenvalues come last"
_NOT_WHITE = "PᵀS_w P is not I: with S_w = LLᵀ it is P = (L⁻¹)ᵀ that whitens, not L⁻¹"

discriminant_subspace = Exercise(
    stars=2,
    notes="A 4.2, errata A38, A39",
    ask="The K - 1 discriminant directions of K classes: W (d, K - 1), columns that span the same space as the "
    "eigenvectors of S_w⁻¹S_b with the K - 1 largest eigenvalues; S_w and S_b = Σ_k N_k (μ_k - μ)(μ_k - μ)ᵀ are sums. "
    "X (N, d), t (N,) class numbers 0..K-1; d >= K, S_w has an inverse and S_b the rank K - 1. Length, sign and order "
    "of the columns are free.",
    hints=(
        "Whiten first: S_w = LLᵀ, P = (L⁻¹)ᵀ and W = PU. Which symmetric matrix has the eigenvectors U?",
        "eigh puts the largest eigenvalues last. Or without any: S_w⁻¹(μ_k - μ_0), k = 1..K-1, span the same space.",
    ),
    answer=_discriminant_subspace,
    mistakes=(
        ("np.linalg.solve(S_w, S_b)", "S_b", "your columns span the μ_k - μ: S_w⁻¹ must stand on the left, S_w⁻¹S_b"),
        ("np.linalg.solve(S_w, S_b)", "S_b / S_w", "S_b / S_w divides entry by entry: np.linalg.solve(S_w, S_b)"),
        ("np.linalg.solve(S_w, S_b)", "lda.scatter_total(X)", _PCA),
        ("linalg.eig(", "linalg.eigh(", _EIGH),
        ("np.argsort(-ratios.real)", "np.arange(len(ratios))", _UNSORTED),
        ("V[:, largest].real", "V[largest].real.T", "those are rows of the matrix V; the eigenvectors are its columns"),
        ("eig(", "eigh((A := np.linalg.inv(np.linalg.cholesky(S_w))) @ S_b @ A.T)  #", _NOT_MAPPED),
        (_EIGEN, f"{_WHITE}.T; ratios, V = np.linalg.eigh(P.T @ S_b @ P); V, ratios = P @ V, -ratios", _RISING),
        (_EIGEN, f"{_WHITE}; ratios, V = np.linalg.eigh(P.T @ S_b @ P); V = P @ V", _NOT_WHITE),
        ("lda.scatter_within(X, t)", "sum(lda.covariances(X, t))", _COVARIANCES),
        ("lda.scatter_within(X, t)", "sum(np.cov(X[t == k].T) for k in set(t))", _NP_COV),
        ("lda.scatter_within(X, t)", "X.T @ X", _NO_MEANS),
        ("lda.scatter_between(X, t)", "(M := lda.means(X, t)).T @ M", "μ is missing in S_b: subtract it from each μ_k"),
    ),
    cases=lambda rng: table(rng, _data, *_MORE),
    play=_span,
    judged=("the projector onto the columns of W",),
)


def _wine_scatters(rng):
    """S_w and S_b of three measurements of the wines, in standard deviations."""
    wine = datasets.wine()
    some = rng.permutation(13)[:3]
    Z = (wine.X[:, some] - wine.X[:, some].mean(axis=0)) / wine.X[:, some].std(axis=0)
    return np.round(lda.scatter_within(Z, wine.y), 2), np.round(lda.scatter_between(Z, wine.y), 2)


def _ratio(w, S_w, S_b):
    return (w @ S_b @ w) / (w @ S_w @ w)


def _refuted_bound(w, lam, R, S_w, S_b):
    """A direction with a larger J than lam, where there is one; else that R does not fit."""
    ratios, V = np.linalg.eig(np.linalg.solve(S_w, S_b))
    v = V[:, np.argmax(ratios.real)].real
    if _ratio(v, S_w, S_b) > lam * (1 + 1e-9):
        v = v / np.abs(v).max()
        shown = ", ".join(f"{x:.2f}" for x in v)
        return f"no R can do that: J is {_ratio(v, S_w, S_b):.4g} at w = ({shown}), above your lam = {lam:.4g}"
    if np.allclose(R @ R.T, lam * S_w - S_b, atol=1e-6 * np.abs(S_w).max()):
        return "RRᵀ is lam S_w - S_b, and RᵀR is wanted: transpose R"
    off = np.abs(R.T @ R - (lam * S_w - S_b)).max()
    return f"lam is large enough, but RᵀR is not lam S_w - S_b: an entry differs by {off:.3g}"


def _holds(w, lam, R, S_w, S_b):
    return np.allclose(R.T @ R, lam * S_w - S_b, rtol=0, atol=1e-6 * np.abs(S_w).max())


def _short_of_lam(w, lam, R, S_w, S_b):
    """Which of the two is to be moved: the bound is proved already."""
    best = np.linalg.eigvals(np.linalg.solve(S_w, S_b)).real.max()
    lack = "take a better w" if _ratio(w, S_w, S_b) < 0.998 * best else "your w is good: take a smaller lam"
    return f"proved: no J is above {lam:.5g}; but J(w) is {_ratio(w, S_w, S_b):.5g}, less than 99.9 % of it: {lack}"


def _prove_the_maximum(S_w, S_b):
    L_inv = np.linalg.inv(np.linalg.cholesky(S_w))
    ratios, U = np.linalg.eigh(L_inv @ S_b @ L_inv.T)
    w, lam = L_inv.T @ U[:, -1], 1.0005 * ratios[-1]
    return w, lam, np.linalg.cholesky(lam * S_w - S_b).T


def _guess(S_w, S_b):
    """A wide bound with its proof, and the first axis."""
    lam = 3 * np.linalg.eigvals(np.linalg.solve(S_w, S_b)).real.max()
    return np.eye(3)[0], lam, np.linalg.cholesky(lam * S_w - S_b).T


prove_the_maximum = Construction(
    stars=2,
    notes="A 4.2",
    ask="A certificate. Let S_w and S_b be the scatters of three measurements of the wines. If lam S_w - S_b = RᵀR "
    "for some matrix R, then no direction has a J = wᵀS_b w/wᵀS_w w above lam. Return (w, lam, R), w (3,) and R (m, "
    "3), which prove in this way that J(w) is at least 99.9 % of the largest J. The scatters are your own: "
    "check.me('your name') deals them.",
    hints=(
        "vᵀ(lam S_w - S_b)v = ‖Rv‖² is never below 0: write that as a bound on J(v). How small can lam be?",
        "Find w and its J by any method. A lam a little above it makes lam S_w - S_b positive definite: it has a "
        "Cholesky factor.",
    ),
    returns=("w", "lam", "R"),
    own=_wine_scatters,
    requirements=(
        Requirement(
            "w must be of shape (3,), R of shape (m, 3), and lam one number",
            lambda w, lam, R, *own: np.shape(w) == (3,) and np.shape(lam) == () and np.shape(R)[1:] == (3,),
            ([1.0, 0.0], 1.0, np.eye(3)),
        ),
        Requirement("w = 0 is no direction", lambda w, lam, R, *own: w.any(), ([0.0, 0, 0], 1.0, np.eye(3))),
        Requirement(_refuted_bound, _holds, (np.ones(3), 0.01, np.eye(3))),
        Requirement(_short_of_lam, lambda w, lam, R, S_w, S_b: _ratio(w, S_w, S_b) >= 0.999 * lam, _guess),
    ),
    example=_prove_the_maximum,
)


def _four_measurements():
    """The first four measurements of the wines: alcohol, malic acid, ash and its alcalinity; and their cultivars."""
    wine = datasets.wine()
    return wine.X[:, :4], wine.y


_CELLAR = np.array([0.8, 0.1, 0.1])  # the shares of the three cultivars in the cellar


def _wrong_in_the_cellar(predictions, t):
    """The share of wrong wines where the cultivars have the shares of the cellar."""
    return float(sum(share * np.mean(predictions[t == k] != k) for k, share in enumerate(_CELLAR)))


def _cultivars_only(predictions):
    return "" if np.isin(predictions, (0, 1, 2)).all() else "predictions must be class numbers, 0, 1 and 2"


def _with_the_shares_of_the_cellar(X, t, X_new):
    V, b = lda.discriminants(X, t)
    return np.argmax(X_new @ V + b - np.log(np.bincount(t) / len(t)) + np.log(_CELLAR), axis=1)


def _of_normal_classes(X, t, X_new, shares, Sigma):
    """The class of the largest ln(share · density), Sigma a covariance matrix for each of the three."""
    parts = zip(lda.means(X, t), shares, Sigma, strict=True)
    return np.argmax(
        [
            np.log(share)
            - np.linalg.slogdet(S)[1] / 2
            - np.sum((X_new - mu) * np.linalg.solve(S, (X_new - mu).T).T, 1) / 2
            for mu, share, S in parts
        ],
        axis=0,
    )


def _shared(X, t):
    return np.repeat(lda.scatter_within(X, t)[None] / len(X), 3, axis=0)


def _cellar_of(shares, Sigma):
    return lambda X, t, X_new: _of_normal_classes(X, t, X_new, shares(t), Sigma(X, t))


def _of_the_cellar(t):
    return _CELLAR


def _of_the_samples(t):
    return np.bincount(t) / len(t)


def _of_all(X, t):
    return np.repeat(lda.scatter_total(X)[None] / len(X), 3, axis=0)


def _weighted(X, t):
    """The covariance of each cultivar, weighted by the shares of the cellar: what scikit-learn does with `priors`."""
    return np.repeat(np.tensordot(_CELLAR, lda.covariances(X, t), 1)[None], 3, axis=0)


def _diagonals(covariances):
    return lambda X, t: covariances(X, t) * np.eye(X.shape[1])


the_cellar = Project(
    stars=2,
    notes="A 4, C 2",
    ask="The cellar. X are four measurements of about 90 wines, t their cultivars 0, 1, 2, about as 3 : 4 : 3. In the "
    "cellar where your model will work, 80 % are of cultivar 0, 10 % of 1 and 10 % of 2. Write a function of X, t and "
    "X_new that returns a class number for each row of X_new, found without the other rows. Judged on 20 splits that "
    "your name deals, with the shares of the cellar: at most 10 % wrong in the mean. A model that always says 0 is "
    "wrong for 20 %.",
    hints=(
        "How many are wrong if the model believes that the cellar is like t? Measure it: learn from half of X.",
        "In the score of a class, one term holds its share, and the others do not. Which?",
    ),
    data=_four_measurements,
    score=_wrong_in_the_cellar,
    said=per_cent_wrong,
    mark=0.10,
    splits=20,
    doubt=0.02,
    outputs=_cultivars_only,
    turned=lambda predictions: 2 - predictions,
    answer=_with_the_shares_of_the_cellar,
    mistaken=(
        (_cellar_of(_of_the_samples, _shared), "that is LDA with the shares of t: in the cellar they are others"),
        (_cellar_of(lambda t: np.ones(3) / 3, _shared), "that is LDA with equal shares: in the cellar they are others"),
        (
            _cellar_of(_of_the_samples, lda.covariances),
            "that is QDA with the shares of t: in the cellar they are others, and about 30 wines are few for a matrix",
        ),
        (
            _cellar_of(_of_the_cellar, _of_all),
            "the shares are right, but the scatter is that of all samples: subtract from each the mean of its cultivar",
        ),
        (
            _cellar_of(_of_the_cellar, _weighted),
            "the shares are right, but the covariances are weighted by them, as scikit-learn does with `priors`: "
            "cultivars 1 and 2 are too small a part of the scatter",
        ),
        (
            _cellar_of(_of_the_cellar, lda.covariances),
            "the shares are right, but there are too many covariances: about 30 wines are few for a matrix of their "
            "own, so let the cultivars share one",
        ),
        (
            _cellar_of(_of_the_cellar, _diagonals(_shared)),
            "the shares are right, but the covariances of two measurements are left out",
        ),
        (
            _cellar_of(_of_the_cellar, _diagonals(lda.covariances)),
            "the shares are right, but the covariances of two measurements are left out: that is naive Bayes",
        ),
    ),
)


def _definite(S, least):
    """Is S symmetric with no eigenvalue below this, in units of its largest entry?"""
    S = S / np.abs(S).max()
    return np.abs(S - S.T).max() <= 1e-9 and np.linalg.eigvalsh(S)[0] >= least


def _leading(A, B, W):
    """The m + 1 largest eigenvalues of A⁻¹B, m the columns of W, and m eigenvectors in length 1."""
    ratios, V = np.linalg.eig(np.linalg.solve(A, B))
    order = np.argsort(-ratios.real)[: len(W.T) + 1]
    return ratios.real[order], V.real[:, order[:-1]]


def _ratio_of(A, B, U):
    return np.trace(U.T @ B @ U) / np.trace(U.T @ A @ U)


def _ahead(A, B, W):
    """By what the ratio of W is larger than those of the eigenvectors: in length 1, and with vᵀS_w v = 1."""
    ratios, V = _leading(A, B, W)
    made, best = (_ratio_of(A, B, U) for U in (W, V))
    return made / np.array([best, np.mean(ratios[:-1])])


def _beaten_in_length_1(A, B, W):
    made, best = _ratio_of(A, B, W), _ratio_of(A, B, _leading(A, B, W)[1])
    return (
        f"the ratio of W is {made:.4g}, and that of the eigenvectors in length 1 is {best:.4g}: in place of one with a "
        "large vᵀS_w v take another"
    )


def _beaten_scaled(A, B, W):
    made, best = _ratio_of(A, B, W), np.mean(_leading(A, B, W)[0][:-1])
    return (
        f"the ratio of W is {made:.4g}; the eigenvectors with vᵀS_w v = 1 have {best:.4g}, the mean of their m "
        "eigenvalues"
    )


def _of_the_irises(A, B, W):
    """Are those the scatters of the irises, up to a factor and the order of the features?  ch07-trace-code"""
    X, t = datasets.iris().X, datasets.iris().y
    one, book = (
        [S / np.trace(S) for S in pair] for pair in ((A, B), (lda.scatter_within(X, t), lda.scatter_between(X, t)))
    )
    orders = (list(order) for order in permutations(range(len(A)))) if A.shape == book[0].shape else ()
    return any(np.allclose([S[order][:, order] for S in one], book, atol=1e-6) for order in orders)


def _three_axes():
    S_w, S_b = np.diag([10.0, 100, 1]), np.diag([100.0, 200, 1])  # eigenvalues 10, 2, 1, but 200/100 weighs most
    W = np.array([[1.0, 0], [0, 0], [0, 1]])  # axes 1 and 3: (100 + 1)/(10 + 1), against 300/110 and (10 + 2)/2
    return S_w, S_b, W


_A, _B, _W = _three_axes()
_LOW = np.diag([10.0, 200, 1])
_SHAPES = "S_w, S_b must be (d, d), W (d, m), 2 <= m < d: for a single direction the first eigenvector is best"
_POSITIVE = "S_w must be symmetric and positive definite: all its eigenvalues above 0"
_NOT_NEGATIVE = "S_b must be symmetric and positive semidefinite: none of its eigenvalues below 0"
_ORTHONORMAL = "the columns of W must be orthonormal: WᵀW = I"
_EQUAL = "of the m + 1 largest eigenvalues of S_w⁻¹S_b two are equal: their eigenvectors are not determined"


def _fit_together(A, B, W):
    return np.shape(A) == np.shape(B) == 2 * np.shape(W)[:1] and 2 <= len(W.T) < len(W)


def _all_differ(A, B, W):
    ratios = _leading(A, B, W)[0]
    return np.all(-np.diff(ratios) > 1e-6 * np.abs(ratios).max())


trace_ratio_counterexample = Construction(
    stars=3,
    notes="A 4.2, erratum A37",
    ask="Note A says that tr(WᵀS_b W)/tr(WᵀS_w W) is largest for the m eigenvectors of S_w⁻¹S_b with the largest "
    "eigenvalues as columns. Refute it: return (S_w, S_b, W) with (1) S_w (d, d) symmetric and positive definite, "
    "(2) S_b (d, d) symmetric, no eigenvalue below 0, (3) the m + 1 largest eigenvalues of S_w⁻¹S_b all "
    "different, (4) W (d, m), 2 <= m < d, WᵀW = I, (5) a larger ratio for W than for the eigenvectors in length "
    "1, (6) and than for them with vᵀS_w v = 1.",
    hints=(
        "Diagonal S_w, S_b will do: the eigenvectors are axes, the eigenvalues b_i/a_i. What is the ratio of m axes?",
        "Σ b_i/Σ a_i is not Σ b_i/a_i: an axis with the second largest b_i/a_i, but a large a_i, brings it down.",
    ),
    returns=("S_w", "S_b", "W"),
    requirements=(
        Requirement(_SHAPES, _fit_together, (_A, _B, _W[:, :1])),
        Requirement(_POSITIVE, lambda A, B, W: _definite(A, 1e-9), (np.diag([10.0, 100, 0]), _B, _W)),
        Requirement(_NOT_NEGATIVE, lambda A, B, W: _definite(B, -1e-9), (_A, _B + np.eye(3, k=1), _W)),
        Requirement(_ORTHONORMAL, lambda A, B, W: np.allclose(W.T @ W, np.eye(len(W.T)), 0, 1e-9), (_A, _B, 2 * _W)),
        Requirement(_EQUAL, _all_differ, (_A, np.diag([100.0, 200, 2]), _W)),
        Requirement(_beaten_in_length_1, lambda A, B, W: _ahead(A, B, W)[0] > 1 + 1e-9, (_A, _B, np.eye(3)[:, :2])),
        Requirement(_beaten_scaled, lambda A, B, W: _ahead(A, B, W)[1] > 1 + 1e-9, (np.diag([1.0, 100, 1]), _LOW, _W)),
    ),
    example=_three_axes,
    printed=_of_the_irises,
)


def _with_a_direction(rng, N, d, *how):
    """w·μ_0 > w·μ_1 for odd N, < for even N."""
    X, t = _data(rng, N, d, *how)
    w = rng.normal(size=d)
    return w * np.sign(w @ np.subtract(*lda.means(X, t))) * (-1) ** (N + 1) * rng.choice([2.5, 0.01]), X, t


def _rayleigh_quotient(w, X, t):
    z = X @ w
    m_0, m_1 = z[t == 0].mean(), z[t == 1].mean()
    return (m_0 - m_1) ** 2 / np.sum((z - np.where(t == 0, m_0, m_1)) ** 2)


rayleigh = Exercise(
    stars=0,
    notes="A 4.1.1, A 4.1.2, erratum A27",
    ask="Fisher's quotient J(w) = (w·μ_1 - w·μ_0)²/wᵀS_w w: the squared distance of the two class means along w, over "
    "the within-class scatter along w, S_w the sum of the scatters Σ(x - μ_k)(x - μ_k)ᵀ of both classes. w (d,) has "
    "any length, X (N, d) holds a sample per row, t (N,) the class of each, 0 or 1. Return a number.",
    hints=(
        "Project first: z = Xw is one number per sample. What are both parts of J for these numbers?",
        "(difference of the two means of z)² over the sum of all squared distances of z to the mean of its class.",
    ),
    answer=_rayleigh_quotient,
    mistakes=(
        ("(m_0 - m_1) ** 2", "abs(m_0 - m_1)", "the numerator is not squared: (w·μ_0 - w·μ_1)²"),
        ("(m_0 - m_1) ** 2", "(m_0 - m_1)", "the numerator is not squared: (w·μ_0 - w·μ_1)²"),
        ("m_1)) ** 2", "m_1)) ** 2 / np.bincount(t)[t]", _COVARIANCES),
        ("m_1)) ** 2", "m_1)) ** 2 / (np.bincount(t)[t] - 1)", _NP_COV),
        ("z - np.where(t == 0, m_0, m_1)", "z[t == 0, None] - [m_0, m_1]", _CLASS_0_TWICE),
        ("m_0, m_1)", "m_0, z)", "class 1 is missing in S_w: add its scatter too"),
        ("z - np.where(", "z - z.mean() + 0 * np.where(", "you used the total scatter: subtract the class means"),
        ("- np.where(", "+ 0 * np.where(", "the denominator is Σ(w·x)²: subtract the class means first"),
        ("/ np", "# np", "that is only the numerator: divide by wᵀS_w w"),
        ("/ np", "/ (w**2 @ np.diag(lda.scatter_within(X, t)))  # np", _DIAGONAL),
    ),
    cases=lambda rng: table(rng, _with_a_direction, *_TWO),
    factors={"N": "S_w is a sum, not a mean", "1/N": "divide neither part by N"},
)


def _fisher_direction(X, t):
    mu_0, mu_1 = lda.means(X, t)
    S_w = lda.scatter_within(X, t)
    return np.linalg.solve(S_w, mu_1 - mu_0)


def _line(f, X, t):
    """w in length 1, its largest entry positive: all that counts of it."""
    w = f(X, t)[0]
    return [w / (np.linalg.norm(w) * np.sign(w.flat[np.abs(w).argmax()]) or 1.0)]


_RATIOS = "np.linalg.solve(S_w, lda.scatter_between(X, t))"

fisher_direction = Exercise(
    stars=0,
    notes="A 4.1.2, errata A27, A28",
    ask="Fisher's direction: the w (d,) for which J(w) = wᵀS_b w/wᵀS_w w is largest, S_b = (μ_1 - μ_0)(μ_1 - μ_0)ᵀ of "
    "the two class means, S_w the sum of the scatters Σ(x - μ_k)(x - μ_k)ᵀ of both classes. X (N, d) holds a sample "
    "per row, t (N,) the class of each, 0 or 1; S_w has an inverse. Any length and either sign of w are right.",
    hints=(
        "Whatever w is, S_b w points along μ_1 - μ_0. So where does S_w w point, if S_b w = λ S_w w?",
        "S_w w = μ_1 - μ_0, up to the length: np.linalg.solve, no inverse.",
    ),
    answer=_fisher_direction,
    mistakes=(
        ("return", "return mu_1 - mu_0  #", "that is μ_1 - μ_0: S_w⁻¹ is missing"),
        ("return", "return S_w @ (mu_1 - mu_0)  #", "you multiplied by S_w: solve S_w w = μ_1 - μ_0"),
        ("S_w =", "S_w = sum(lda.covariances(X, t))  #", _COVARIANCES),
        ("S_w =", "S_w = np.cov(X[t == 0].T) + np.cov(X[t == 1].T)  #", _NP_COV),
        ("S_w =", "S_w = X.T @ X  #", _NO_MEANS),
        ("return", "return (mu_1 - mu_0) / np.diag(S_w)  #", _DIAGONAL),
        ("return", "return 1 / S_w @ (mu_1 - mu_0)  #", "1/S_w inverts each entry, not the matrix: np.linalg.solve"),
        (
            "S_w =",
            "S_w = (R := X[t == 0] - mu_0).T @ R  #",
            "S_w is the sum of both scatters: that of class 1 is missing",
        ),
        ("mu_1 - mu_0)", "mu_0 + mu_1)", "the difference of the means is wanted, not their sum"),
        (
            "return",
            "return np.linalg.eigh(np.cov(X.T))[1][:, -1]  #",
            "that is the direction of largest variance: use t",
        ),
        ("return", f"return np.linalg.eigh({_RATIOS})[1][:, -1]  #", _EIGH),
        ("return", f"return np.linalg.eig({_RATIOS})[1][:, 0]  #", _UNSORTED),
        ("return", "return np.linalg.lstsq(np.c_[X, t**0], t)[0]  #", "the last entry is a bias: return w (d,) alone"),
    ),
    cases=lambda rng: table(rng, _data, *_TWO),
    play=_line,
    judged=("w/‖w‖",),
)


def _fisher_predict(X, t, X_new):
    mu_0, mu_1 = lda.means(X, t)
    w = np.linalg.solve(lda.scatter_within(X, t), mu_1 - mu_0)
    tau = (w @ mu_0 + w @ mu_1) / 2
    return np.where(X_new @ w > tau, 1, 0)


def _with_new_samples(rng, *how):
    """Three lines across the boundary, with w·x at small steps around the threshold, never on it."""
    X, t = _data(rng, *how)
    w = _fisher_direction(X, t)
    gap = -w @ np.subtract(*lda.means(X, t))
    z = lda.threshold(w, X, t) - gap * np.append(np.arange(-0.3925, 1, 0.005), np.arange(-4, 3.5, 0.0501))
    lines = X.mean(axis=0) + 3 * rng.normal(size=(3, X.shape[1])) * X.std(axis=0)
    across = lda.scatter_within(X, t) @ w / gap
    return X, t, rng.permutation(np.vstack([x + np.outer(z - x @ w, across) for x in lines]))


fisher_predict = Exercise(
    stars=0,
    notes="A 4, erratum A32",
    ask="Class numbers 0 or 1 for new samples: project on Fisher's direction w = S_w⁻¹(μ_1 - μ_0), S_w the sum of both "
    "classes' scatters, and take the class whose projected mean w·μ_k is nearer. X (N, d), t (N,) of 0 and 1 are the "
    "training samples and their classes, S_w has an inverse; X_new (M, d) are new samples, none equally near to both. "
    "Return (M,) of 0 and 1, whatever length of w you use.",
    hints=(
        "Two numbers, w·μ_0 and w·μ_1, come from X and t; of each new sample only w·x counts.",
        "The threshold is (w·μ_0 + w·μ_1)/2. On which side class 1 lies depends on the sign of w: compare distances.",
    ),
    answer=_fisher_predict,
    mistakes=(
        ("tau =", "tau = 0.0  #", "the threshold is 0; it is halfway between the projected means"),
        ("tau =", "tau = (X @ w).mean()  #", "the threshold is the mean of all w·x: take it halfway between the means"),
        (" / 2", "", "the threshold w·μ_0 + w·μ_1 is not divided by 2"),
        ("tau =", "tau = lda.prior_threshold(w, X, t)  #", "you used the class sizes: here the nearer mean decides"),
        ("w =", "w = mu_1 - mu_0  #", "S_w⁻¹ is missing: that is the class of the nearest mean"),
        ("lda.scatter_within(X, t)", "sum(lda.covariances(X, t))", _COVARIANCES),
        ("lda.scatter_within(X, t)", "sum(np.cov(X[t == k].T) * np.ones((1, 1)) for k in (0, 1))", _NP_COV),
        ("1, 0)", "1, -1)", "the classes are coded as -1 and 1: return 0 and 1"),
        ("X_new @", "X @", "those are the classes of the training samples: predict X_new"),
        ("X_new @ w > tau", "(X_new - X_new.mean(axis=0)) @ w > 0", _FROM_THE_NEW),
    ),
    cases=lambda rng: table(rng, _with_new_samples, *_TWO),
)


def _scatter_between(X, t):
    mu = X.mean(axis=0)
    M = np.array([X[t == k].mean(axis=0) - mu for k in range(t.max() + 1)])
    return (M.T * np.bincount(t)) @ M


between_scatter = Exercise(
    stars=0,
    notes="A 4.2, erratum A36",
    ask="The between-class scatter of K classes, S_b = Σ_k N_k (μ_k - μ)(μ_k - μ)ᵀ: N_k is the number of samples of "
    "class k (m_i in the notes), μ_k their mean, and μ the mean of all N samples. X (N, d) holds a sample per row, "
    "t (N,) the class of each, whole numbers 0..K-1, all of which occur. Return S_b (d, d).",
    hints=(
        "np.bincount(t) counts the samples of each class. Is μ the mean of the means if the classes differ in size?",
        "With the rows μ_k - μ in M (K, d): Mᵀ diag(N_0, ..., N_(K-1)) M, or S_t - S_w.",
    ),
    answer=_scatter_between,
    mistakes=(
        ("np.bincount(t)", "np.append(np.bincount(t)[:-1], 0)", "the last class is missing: range(K) ends with K - 1"),
        ("np.bincount(t)", "1", "N_k is missing: each term counts as often as its class has samples"),
        ("X.mean(axis=0)", "lda.means(X, t).mean(axis=0)", "μ is the mean of all samples, not of the class means"),
        (" - mu", "", "μ is missing: subtract it from each class mean μ_k"),
        ("X.mean(axis=0)", "X.mean()", _ONE_NUMBER),
        ("(M.T *", "np.outer(M[0] - M[1], M[0] - M[1])  #", "that is S_b of two classes (erratum A36), without N_k"),
        ("return", "M = (M[:, None] - M).reshape(len(M) ** 2, -1) / 2**0.5; return M.T @ M  #", _PAIRS),
        ("(M.T *", "(M := M[t][t == t.max()]).T @ M  #", "only the last class is left: S += in the loop, not S ="),
        ("(M.T *", "np.sum(M[t] ** 2)  #", "that is the trace of S_b: r @ r is a number, np.outer(r, r) a matrix"),
        ("(M.T *", "lda.scatter_within(X, t)  #", "that is S_w, of the samples in each class; S_b is of the means"),
        ("(M.T *", "lda.scatter_total(X)  #", "that is the total scatter S_t = S_w + S_b: subtract S_w"),
        ("(M.T *", "lda.scatter_between(X[t < 2], t[t < 2])  #", "that is S_b of the classes 0 and 1 alone: add all"),
    ),
    cases=lambda rng: table(rng, *_CLASSES),
    factors={"1/N": "N_k is a count, not a share", "N": "divide sums over pairs by N", "1/K": "add the K terms"},
)


def _angle_of_the_means():
    """The direction from mean to mean of the two clouds of chapter 07, in degrees."""
    rng = np.random.default_rng(4)
    oblong = np.linalg.cholesky([[4.0, 3.0], [3.0, 3.0]])
    X = np.vstack([rng.standard_normal((60, 2)) @ oblong.T + m for m in ([-1.6, -0.6], [1.6, 0.6])])
    (x, y) = np.subtract(*lda.means(X, np.repeat([1, 0], 60)))
    return np.degrees(np.arctan2(y, x))


before = {
    "ch07-gaps": Question(
        lambda: [0, 2],
        {
            "that is the distance of the means; the gap is between the nearest points": lambda: [4, 4],
            "of class 0, x1 - x2 is 0, -1 and 1: its largest value counts": lambda: [0, 3],
            "the classes touch in x1: 4 stands in both": lambda: [2, 2],
        },
    ),
    "ch07-ten": Question(
        lambda: 1,
        {
            "numerator and denominator are both squares: what becomes of the denominator?": lambda: 100,
            "both are squares of a length": lambda: 10,
        },
    ),
    "ch07-angle": Question(
        lambda: _angle_of_the_means() - 90,
        {
            "that is the direction from mean to mean; there the means are farthest apart": _angle_of_the_means,
            "give an angle between -90 and 90 degrees": lambda: _angle_of_the_means() + 90,
            "give three digits": lambda: np.round(_angle_of_the_means() - 90),
        },
    ),
    "ch07-shares": Question(
        lambda: 19,
        {
            "that is the share of class 0; how many times the other one?": lambda: 0.95,
            "halfway both curves have one height, but the classes have not one size": lambda: 1,
            "the other way round: class 0 is the frequent one": lambda: 1 / 19,
        },
    ),
    "ch07-parameters": Question(
        lambda: [91, 273],
        {
            "a covariance matrix is symmetric: count each pair of features once": lambda: [169, 507],
            "the variances on the diagonal count, too": lambda: [78, 234],
            "QDA has one matrix for each of the three classes": lambda: [91, 91],
            "the means are the same number in both: count the entries of covariances alone": lambda: [130, 312],
        },
    ),
    "ch07-factor": Question(
        lambda: 7.5,
        {
            "that holds for S_b of equal classes of size 1 each": lambda: 0.5,
            "both terms count: N_0 (N_1/N)² + N_1 (N_0/N)²": lambda: [30 / 16][0],
            "divide by N once": lambda: 300,
            "each mean counts as often as its class has samples": lambda: (1 + 9) / 16,
        },
    ),
    "ch07-rank": Question(
        lambda: [3, 2],
        {
            "the vectors μ_k - μ hang together: how many of K are independent?": lambda: [4, 2],
            "in a plane there are no five independent directions": lambda: [3, 5],
            "there can be no more directions than features": lambda: [4, 6],
        },
    ),
    "ch07-ratio": Question(
        lambda: 32,
        {
            "that is the mean of both, for columns of equal weight": lambda: 16.15,
            "that is their sum, which belongs to another criterion": lambda: 32.3,
            "which column is left, if the second one becomes ever shorter?": lambda: 0.3,
        },
    ),
}

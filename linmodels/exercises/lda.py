"""Exercises of chapter 07, Fisher's discriminant (notes A 4). X comes without ones, class numbers are 0..K-1."""

from itertools import permutations

import numpy as np

from linmodels import datasets, lda

from .grading.cases import table
from .grading.checker import Construction, Exercise, Refused, Requirement

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
    stars=1,
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
    stars=1,
    notes="A 4.1.1, A 4.1.2, erratum A27",
    ask="Fisher's quotient J(w) = (w·μ_0 - w·μ_1)²/wᵀS_w w: the squared distance of the two class means along w, over "
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

_LONG = np.array([[0.0, 0], [2, 1], [4, 2], [6, 3.5], [1, 2], [3, 3], [5, 4], [7, 5.5]])
_SIDES = np.array([0, 0, 0, 0, 1, 1, 1, 1])
_SHRINK = "along which direction does each class shrink to nearly a point?"
_MEAN_TO_MEAN = "that is the direction from mean to mean: it forgets the scatter, along which the classes overlap"


def _fisher():
    return np.array([-0.57, 1.0])  # at a right angle to both classes


def _heights(w):
    return [lda.rayleigh_quotient(v, _LONG, _SIDES) for v in (w, lda.direction(_LONG, _SIDES))]


def _dull(w):
    J, best = _heights(w)
    return f"J(w) = {J:.3f}, and {best:.3f} is possible: {_SHRINK}"


def _beside_the_means(w):
    return abs(np.linalg.det([w, np.subtract(*lda.means(_LONG, _SIDES))])) > 1e-9


direction_by_eye = Construction(
    stars=2,
    notes="A 4.1",
    ask="Find Fisher's direction by eye. Class 0: (0, 0), (2, 1), (4, 2), (6, 3.5). Class 1: (1, 2), (3, 3), (5, 4), "
    "(7, 5.5). Return a w of two numbers, of any length, for which J(w) is at least 40 % of the largest possible. J(w) "
    "is the squared distance of the projected class means over the scatter within the projected classes.",
    hints=(
        "Both classes are long and thin, side by side. What happens if you project them along their length?",
        "Each class lies nearly on a line of slope 0.58. Take w at a right angle to it.",
    ),
    returns=("w",),
    requirements=(
        Requirement("w must hold two numbers", lambda w: np.shape(w) == (2,), (np.ones(3),)),
        Requirement("w = (0, 0) is no direction", lambda w: w.any(), (np.zeros(2),)),
        Requirement(_MEAN_TO_MEAN, _beside_the_means, (np.array([1.0, 2.0]),)),
        Requirement(_dull, lambda w: np.divide(*_heights(w)) >= 0.4, (np.array([0.0, 1.0]),)),
    ),
    example=_fisher,
)


def _fisher_direction(X, t):
    mu_0, mu_1 = lda.means(X, t)
    S_w = lda.scatter_within(X, t)
    return np.linalg.solve(S_w, mu_0 - mu_1)


def _line(f, X, t):
    """w in length 1, its largest entry positive: all that counts of it."""
    w = f(X, t)[0]
    return [w / (np.linalg.norm(w) * np.sign(w.flat[np.abs(w).argmax()]) or 1.0)]


_RATIOS = "np.linalg.solve(S_w, lda.scatter_between(X, t))"

fisher_direction = Exercise(
    stars=2,
    notes="A 4.1.2, errata A27, A28",
    ask="Fisher's direction: the w (d,) for which J(w) = wᵀS_b w/wᵀS_w w is largest, S_b = (μ_0 - μ_1)(μ_0 - μ_1)ᵀ of "
    "the two class means, S_w the sum of the scatters Σ(x - μ_k)(x - μ_k)ᵀ of both classes. X (N, d) holds a sample "
    "per row, t (N,) the class of each, 0 or 1; S_w has an inverse. Any length and either sign of w are right.",
    hints=(
        "Whatever w is, S_b w points along μ_0 - μ_1. So where does S_w w point, if S_b w = λ S_w w?",
        "S_w w = μ_0 - μ_1, up to the length: np.linalg.solve, no inverse.",
    ),
    answer=_fisher_direction,
    mistakes=(
        ("return", "return mu_0 - mu_1  #", "that is μ_0 - μ_1: S_w⁻¹ is missing"),
        ("return", "return S_w @ (mu_0 - mu_1)  #", "you multiplied by S_w: solve S_w w = μ_0 - μ_1"),
        ("S_w =", "S_w = sum(lda.covariances(X, t))  #", _COVARIANCES),
        ("S_w =", "S_w = np.cov(X[t == 0].T) + np.cov(X[t == 1].T)  #", _NP_COV),
        ("S_w =", "S_w = X.T @ X  #", _NO_MEANS),
        ("return", "return (mu_0 - mu_1) / np.diag(S_w)  #", _DIAGONAL),
        ("return", "return 1 / S_w @ (mu_0 - mu_1)  #", "1/S_w inverts each entry, not the matrix: np.linalg.solve"),
        (
            "S_w =",
            "S_w = (R := X[t == 0] - mu_0).T @ R  #",
            "S_w is the sum of both scatters: that of class 1 is missing",
        ),
        ("mu_0 - mu_1)", "mu_0 + mu_1)", "the difference of the means is wanted, not their sum"),
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
    w = np.linalg.solve(lda.scatter_within(X, t), mu_0 - mu_1)
    tau = (w @ mu_0 + w @ mu_1) / 2
    return np.where(X_new @ w < tau, 1, 0)


def _with_new_samples(rng, *how):
    """Three lines across the boundary, with w·x at small steps around the threshold, never on it."""
    X, t = _data(rng, *how)
    w = _fisher_direction(X, t)
    gap = w @ np.subtract(*lda.means(X, t))
    z = lda.threshold(w, X, t) + gap * np.append(np.arange(-0.3925, 1, 0.005), np.arange(-4, 3.5, 0.0501))
    lines = X.mean(axis=0) + 3 * rng.normal(size=(3, X.shape[1])) * X.std(axis=0)
    across = lda.scatter_within(X, t) @ w / gap
    return X, t, rng.permutation(np.vstack([x + np.outer(z - x @ w, across) for x in lines]))


fisher_predict = Exercise(
    stars=2,
    notes="A 4, erratum A32",
    ask="Class numbers 0 or 1 for new samples: project on Fisher's direction w = S_w⁻¹(μ_0 - μ_1), S_w the sum of both "
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
        ("w =", "w = mu_0 - mu_1  #", "S_w⁻¹ is missing: that is the class of the nearest mean"),
        ("lda.scatter_within(X, t)", "sum(lda.covariances(X, t))", _COVARIANCES),
        ("lda.scatter_within(X, t)", "sum(np.cov(X[t == k].T) * np.ones((1, 1)) for k in (0, 1))", _NP_COV),
        ("1, 0)", "1, -1)", "the classes are coded as -1 and 1: return 0 and 1"),
        ("X_new @", "X @", "those are the classes of the training samples: predict X_new"),
        ("X_new @ w < tau", "(X_new - X_new.mean(axis=0)) @ w < 0", _FROM_THE_NEW),
    ),
    cases=lambda rng: table(rng, _with_new_samples, *_TWO),
)


def _scatter_between(X, t):
    mu = X.mean(axis=0)
    M = np.array([X[t == k].mean(axis=0) - mu for k in range(t.max() + 1)])
    return (M.T * np.bincount(t)) @ M


between_scatter = Exercise(
    stars=1,
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


discriminant_subspace = Exercise(
    stars=3,
    notes="A 4.2, errata A38, A39",
    ask="The K - 1 discriminant directions of K classes: W (d, K - 1), columns that span the same space as the "
    "eigenvectors of S_w⁻¹S_b with the K - 1 largest eigenvalues; S_w and S_b as in exercises 7.1 and 7.6. "
    "X (N, d), t (N,) class numbers 0..K-1; d >= K, S_w has an inverse and S_b the rank K - 1. Length, sign and order "
    "of the columns are free.",
    hints=(
        "S_w⁻¹S_b is not symmetric: np.linalg.eig, not eigh. It sorts nothing; .real drops what rounding made complex.",
        "Or without eigenvectors: S_b maps into the span of the μ_k - μ; so S_w⁻¹(μ_k - μ_0), k = 1..K-1, will do.",
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
        ("lda.scatter_within(X, t)", "sum(lda.covariances(X, t))", _COVARIANCES),
        ("lda.scatter_within(X, t)", "sum(np.cov(X[t == k].T) for k in set(t))", _NP_COV),
        ("lda.scatter_within(X, t)", "X.T @ X", _NO_MEANS),
        ("lda.scatter_between(X, t)", "(M := lda.means(X, t)).T @ M", "μ is missing in S_b: subtract it from each μ_k"),
    ),
    cases=lambda rng: table(rng, _data, *_MORE),
    play=_span,
    judged=("the projector onto the columns of W",),
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


def _ahead(A, B, W):
    """By what the ratio of W is larger than those of the eigenvectors: in length 1, and with vᵀS_w v = 1."""
    ratios, V = _leading(A, B, W)
    made, best = (np.trace(U.T @ B @ U) / np.trace(U.T @ A @ U) for U in (W, V))
    return made / np.array([best, np.mean(ratios[:-1])])


def _of_the_irises(A, B, W):
    """Are those the scatters of the irises, up to a factor and the order of the features?  ch07-trace-numbers"""
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
_LENGTH_1 = "W must beat the eigenvectors in length 1: in place of one with a large vᵀS_w v take another"
_SCALED = "the eigenvectors with vᵀS_w v = 1 have a ratio at least as large, the mean of their m eigenvalues"


def _fit_together(A, B, W):
    return np.shape(A) == np.shape(B) == 2 * np.shape(W)[:1] and 2 <= len(W.T) < len(W)


def _all_differ(A, B, W):
    ratios = _leading(A, B, W)[0]
    return np.all(-np.diff(ratios) > 1e-6 * np.abs(ratios).max())


trace_ratio_counterexample = Construction(
    stars=3,
    notes="A 4.2, erratum A37",
    ask="Note A says that tr(WᵀS_b W)/tr(WᵀS_w W) is largest for the m eigenvectors of S_w⁻¹S_b with the largest "
    "eigenvalues as columns. Return (S_w, S_b, W) that refute it: both symmetric (d, d), S_w positive definite, S_b "
    "semidefinite, the m + 1 largest eigenvalues different; W (d, m), 2 <= m < d, WᵀW = I, with a larger "
    "ratio than theirs, whether they are scaled to vᵀv = 1 or to vᵀS_w v = 1.",
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
        Requirement(_LENGTH_1, lambda A, B, W: _ahead(A, B, W)[0] > 1 + 1e-9, (_A, _B, np.eye(3)[:, :2])),
        Requirement(_SCALED, lambda A, B, W: _ahead(A, B, W)[1] > 1 + 1e-9, (np.diag([1.0, 100, 1]), _LOW, _W)),
    ),
    example=_three_axes,
    printed=_of_the_irises,
)

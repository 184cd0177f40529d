"""Exercises of chapter 11, feature maps and kernel LMS (note E; erratum E11: all at once is batch, in turn stochastic).

Runs start small and take steps that converge; kernel matrices come from several kernels, so that K_ii is not always 1.
"""

from functools import partial

import numpy as np

from linmodels import kernel_lms, kernels

from .grading.answers import equal
from .grading.cases import regression
from .grading.checker import Case, Exercise, Refused, run

chapter = "11"


def _cubic(x):
    return np.column_stack([np.ones(len(x)), x, x**2, x**3])


cubic_features = Exercise(
    stars=1,
    notes="E, feature maps",
    ask="Return Phi (N, 4), the feature map φ(x) = (1, x, x², x³) of each of the numbers x (N,): a row per number, "
    "the columns in this order, the 1 first.",
    hints=(
        "Column k holds the k-th powers of all the numbers; the column of ones has an entry per number.",
        "np.column_stack([np.ones(len(x)), x, ...]) puts vectors of N entries side by side as columns.",
    ),
    answer=_cubic,
    mistakes=(
        ("np.ones(len(x)), ", "", "the column of ones is missing: without it there is no θ_0"),
        (", x**3", "", "x³ is missing: the map goes up to degree 3, four columns"),
        ("x**3", "x**3, x**4", "there is a column too many: x³ is the last"),
        ("np.ones", "np.zeros", "your first column holds zeros: it must hold ones, or θ_0 is multiplied by 0"),
        ("x, x**2", "3**0.5 * x, 3**0.5 * x**2", "those are the features of (1 + xz)³; no power has a factor"),
        ("x, x**2, x**3", "x**2, x**3", "the column x itself is missing, degree 1"),
    ),
    cases=lambda rng: [
        Case(f"{len(x)} numbers", (x,), {"N": len(x)})
        for x in (2 * rng.normal(size=6), rng.uniform(2, 3, 1), rng.permutation(np.arange(-3, 5)))
    ],
)


def _lms_step(theta, Phi, y, eta):
    r = y - Phi @ theta
    return theta + eta * Phi.T @ r


def _runs(rng):
    """A label, K, targets of both signs and a step that converges; the last has small numbers and a long step."""
    for label, kernel, N, d, start, size, targets in (
        ("1 + s + s² + s³, from 0", kernels.cubic_sum, 6, 2, 0, 1.0, 1.0),
        ("a Gaussian kernel", lambda A, B: kernels.gaussian(A, B, 0.7), 8, 2, 1, 1.0, 1.0),
        ("(s + 1)²", kernels.polynomial, 5, 3, 1, 1.0, 1.0),
        ("small numbers and long steps, from 0", kernels.linear, 7, 4, 0, 1e-3, 1e-9),
    ):
        X, y = regression(rng, N, d)
        K = size * kernels.gram(kernel, 0.5 * X)
        yield label, start * rng.normal(size=N), K, targets * (y - y.mean()), rng.uniform(0.3, 0.6)


IN_TURN = "for f, t in zip(Phi, y):\n        theta = theta + eta * (t - f @ theta) * f\n    return theta"
ENTRIES = (
    "for e in np.eye(len(theta)):\n        theta = theta + eta * (Phi @ e) @ (y - Phi @ theta) * e\n    return theta"
)
lms_step = Exercise(
    stars=1,
    notes="E, LMS with features",
    ask="Return the new theta (p,) after one step of batch LMS, all samples at once: gradient descent with step eta > "
    "0, the notes' α, on E(θ) = ½ Σ_i (y_i - θ·φ(x_i))², a sum with 1/2. Phi (N, p) holds φ(x_i) as row i, add no "
    "column; y (N,); leave theta as it is. Runs of many steps are judged.",
    hints=(
        "Every sample pulls theta along its φ(x_i), by eta times its residual y_i - θ·φ(x_i).",
        "θ·φ(x_i) for all i is Phi @ theta; which product of Phi and the residuals is Σ_i (y_i - θ·φ(x_i)) φ(x_i)?",
    ),
    answer=_lms_step,
    mistakes=(
        ("eta *", "eta / len(y) *", "you divided the step by N: E is a sum over the samples, not a mean"),
        ("theta + ", "", "theta itself is missing: the step is added to the old theta"),
        (" - Phi @ theta", "", "the predictions θ·φ(x_i) are missing in the residual"),
        ("@ r", "@ r**2", "your residuals are still squared: the derivative of ½r² has r"),
        ("Phi.T @ r", "r.sum()", "φ(x_i) is missing: you summed the residuals; each multiplies its φ(x_i) first"),
        ("@ r", "@ (r / np.sum(Phi * Phi, axis=1))", "that is normalized LMS: do not divide by φ(x_i)·φ(x_i)"),
        ("r = y - Phi @ theta", IN_TURN, "theta moves after each sample: that is stochastic LMS, not batch LMS"),
        ("r = y - Phi @ theta", ENTRIES, "you moved the entries of theta one after another; move all at once"),
    ),
    cases=lambda rng: [
        Case(label, ((beta @ Phi,), [(Phi, y, part * kernel_lms.largest_step(Phi @ Phi.T))] * 20))
        for label, beta, K, y, part in _runs(rng)
        for Phi in [np.cumsum(kernels.mercer_features(K)[:, 1:], axis=1)]
    ],
    play=run,
)


def _gram_of(f, X):
    """ΦΦᵀ, as no order of the columns is told from another, their number, and 1 if a row depends on other rows of X."""
    (Phi,) = f(X)
    if Phi.ndim != 2 or len(Phi) != len(X):
        turned = ": it is transposed" if Phi.ndim == 2 and Phi.shape[1] == len(X) else ""
        raise Refused(f"Phi must have a row for each of the {len(X)} samples; it is of shape {Phi.shape}{turned}")
    (fewer,) = f(X[::-2])
    return [Phi @ Phi.T, np.array(float(Phi.shape[1])), np.array(float(not equal(fewer, Phi[::-2])))]


def _cubic_features(X):
    pairs = X[:, :, None] * X[:, None, :]
    triples = pairs[:, :, :, None] * X[:, None, None, :]
    return np.column_stack([np.ones(len(X)), X, pairs.reshape(len(X), -1), triples.reshape(len(X), -1)])


PAIRS, TRIPLES = "pairs.reshape(len(X), -1)", "triples.reshape(len(X), -1)"
ONCE = "return kernels.polynomial_features(X, 1.0, 3) / kernels.polynomial_features(X[:1] ** 0, 1.0, 3)"
CUBE = "X = np.column_stack([np.ones(len(X)), X])\n    return np.einsum('ni,nj,nk->nijk', X, X, X).reshape(len(X), -1)"
all_monomials = Exercise(
    stars=2,
    notes="E, the kernel trick, erratum E08",
    ask="Return Phi (N, 1 + d + d² + d³), all products of up to three attributes in every order: 1, all x_i, all x_i "
    "x_j, all x_i x_j x_k with i, j, k from 1 to d, so that x_1 x_2 and x_2 x_1 are both there. X (N, d), a sample "
    "per row. The order of the columns is free: the inner products of the rows are judged, 1 + s + s² + s³ "
    "for s = x·z; why, comes below.",
    hints=(
        "Four blocks side by side with 1, d, d² and d³ columns. How does the block of degree 2 follow from that of 1?",
        "X[:, :, None] * X[:, None, :] is (N, d, d) and holds all x_i x_j; a reshape to (N, -1) makes rows of them.",
        "For the pairs loop over i and j in range(d) and collect X[:, i] * X[:, j]; a third loop gives the triples.",
    ),
    answer=_cubic_features,
    mistakes=(
        ("return", f"{ONCE} #", "each product is there once; x_1 x_2 and x_2 x_1 are both wanted, for s²"),
        ("return", f"{CUBE} #", "you took all products of three out of (1, x_1, ..., x_d): that gives (1 + s)³"),
        ("np.ones(len(X)), ", "", "the constant 1 is missing: its column is the 1 of 1 + s + s² + s³"),
        (f"{PAIRS}, ", "", "the products of two are missing: ΦΦᵀ is only 1 + s + s³"),
        (f", {TRIPLES}", "", "degree 3 is missing: note E says less than 3 and means at most 3 (erratum E08)"),
        (f"{PAIRS}, {TRIPLES}", "X**2, X**3", "you took the powers x_i, x_i², x_i³ alone; x_i x_j is wanted too"),
        ("return", "return kernels.gram(kernels.cubic_sum, X) #", "that is the kernel matrix; its features are wanted"),
    ),
    cases=lambda rng: [
        Case(f"N = {N}, d = {d}", (rng.normal(size=(N, d)) + 0.3,), {"N": N, "d": d})
        for N, d in ((6, 2), (5, 3), (7, 1), (1, 4))
    ],
    play=_gram_of,
    judged=("ΦΦᵀ", "the number of columns", "the dependence on other rows"),
)


def _of_the_residual(i=""):
    """What goes wrong in eta (y - K beta) of all samples, or of sample i."""
    return (
        (f"K{i} @ beta", f"K{i} @ (beta * y)", "you multiplied by y_j, as the perceptron does; it is Σ_j beta_j K_ij"),
        (f"K{i} @ beta", f"beta{i}", "K is missing: the prediction for x_i is Σ_j beta_j K_ij, not beta_i"),
        (f"K{i} @ beta", f"(np.diag(K) * beta){i}", "the sum over j is missing: you took beta_i K_ii alone"),
        (f"K{i} @ beta", f"(K - np.diag(np.diag(K))){i} @ beta", "you left j = i out of the sum Σ_j beta_j K_ij"),
        (f"(y{i} - K", f"y{i} * (y{i} - K", "you multiplied the residual by y_i, as by a label; y_i is no label"),
        (f"(y{i} - K", f"(y{i} * (K{i} @ beta) <= 0) * (y{i} - K", "beta_i moves only where the signs differ"),
        ("eta *", "eta / len(y) *", "you divided the step by N: no mean is taken"),
    )


def _beta_step(beta, K, y, eta):
    return beta + eta * (y - K @ beta)


IN_ROWS = "for e in np.eye(len(y)):\n        beta = beta + eta * e * (y - K @ beta)\n    return beta #"
kernel_lms_step = Exercise(
    stars=2,
    notes="E, the kernel trick, eq. (11)",
    ask="Return the new beta (N,) after one step of batch LMS, eta > 0, on E(θ) = ½ Σ_i (y_i - θ·φ(x_i))², made on "
    "the coefficients beta of θ = Σ_j beta_j φ(x_j), all entries at once from the old ones. There is no Phi, only K "
    "(N, N) with K_ij = φ(x_i)·φ(x_j); y (N,) are any numbers, not labels; leave beta as it is. Runs of many steps "
    "are judged.",
    hints=(
        "θ grows by Σ_i eta (y_i - θ·φ(x_i)) φ(x_i). By what does the coefficient of φ(x_i) grow?",
        "θ·φ(x_i) = Σ_j beta_j K_ij: for all i at once K @ beta. Each beta_i grows by eta times its residual.",
    ),
    answer=_beta_step,
    mistakes=(
        *_of_the_residual(),
        ("eta * (y - K @ beta)", "eta * y - K @ beta", "eta multiplies the whole residual y - K beta"),
        ("(y - K", "K @ (y - K", "you have one K too many: beta itself grows by eta (y - K beta)"),
        ("return", IN_ROWS, "beta_i moves one after the other: that is stochastic LMS (erratum E11)"),
        ("beta + ", "", "beta itself is missing: the step is added to the old beta"),
        ("(y - K @ beta)", "np.sum(y - K @ beta)", "you added the sum of all residuals; each beta_i has its own"),
    ),
    cases=lambda rng: [
        Case(label, ((beta,), [(K, y, part * kernel_lms.largest_step(K))] * 20))
        for label, beta, K, y, part in _runs(rng)
    ],
    play=run,
)


def _predict(beta, X, X_new, k):
    return k(X_new, X) @ beta


def _predict_cases(rng):
    """Coefficients of both signs; predictions of both too, or a sign in place of them could be right by chance."""
    cases = []
    for N, M, d, sign in ((6, 4, 2, 1), (5, 9, 3, -1), (7, 3, 1, 1), (4, 1, 2, -1), (1, 3, 2, 1)):
        k = kernels.cubic_sum if sign > 0 else partial(kernels.gaussian, sigma=rng.uniform(0.6, 1.2))
        X, X_new = 0.6 * rng.normal(size=(N, d)) + 0.3, 0.6 * rng.normal(size=(M, d)) + 0.3
        beta = rng.permutation(np.resize([1.0, -1.0], N)) * rng.uniform(0.5, 2, N)
        beta *= sign * np.sign(kernel_lms.predict(beta, k(X_new, X))[0])
        cases.append(Case(f"{N} samples in the fit, {M} new, d = {d}", (beta, X, X_new, k), {"N": N, "M": M}))
    return cases


kernel_predict = Exercise(
    stars=2,
    notes="E, the kernel trick",
    ask="Return the predictions (M,), θ·φ(z) with θ = Σ_i beta_i φ(x_i), one for each row z of X_new (M, d). X (N, d) "
    "holds the x_i as rows, beta (N,) their coefficients. k is a function of two matrices of samples: k(A, B) is the "
    "matrix of all φ(a)·φ(b), a row for each row a of A, a column for each row b of B.",
    hints=(
        "θ·φ(z) = Σ_i beta_i φ(x_i)·φ(z): a new sample meets every sample of the fit.",
        "k(X_new, X) is (M, N), the samples of the fit along its rows. Which product with beta sums over them?",
    ),
    answer=_predict,
    mistakes=(
        ("X_new, X)", "X, X)", "those are the N predictions for X; the samples of X_new must meet those of X"),
        ("k(X_new, X)", "X_new @ X.T", "k is missing: you took inner products of samples, not of features"),
        ("X) @ beta", "(beta @ X)[None])[:, 0]", "you combined the samples; combine features, Σ_i beta_i k(x_i, z)"),
        ("@ beta", "@ beta / k(X_new, X).sum(axis=1)", "you divided by Σ_i k(x_i, z); no average is wanted"),
        (" @ beta", "", "that is the matrix k(X_new, X); its product with beta is missing"),
        ("@ beta", "@ beta + beta.mean()", "there is no bias: the prediction is Σ β_n k(x_new, x_n) alone"),
    ),
    factors={"1/N": "θ is the sum of the beta_i φ(x_i), not their mean", "-": "the beta_i come with their signs"},
    cases=_predict_cases,
)


def _visit(beta, i, K, y, eta):
    beta = beta.copy()
    beta[i] += eta * (y[i] - K[i] @ beta)
    return beta


kernel_lms_visit = Exercise(
    stars=2,
    notes="E, the kernel trick, erratum E11",
    ask="Return the coefficients (N,) of the new θ after a visit of sample i (counted from 0) in stochastic LMS: θ = "
    "Σ_j beta_j φ(x_j) moves by eta (y_i - θ·φ(x_i)) φ(x_i). Use K (N, N) with K_ij = φ(x_i)·φ(x_j) alone; y (N,) are "
    "any numbers, eta > 0. Return a new array, leave beta as it is. Runs of many steps are judged.",
    hints=(
        "θ moves along φ(x_i) alone: which of the coefficients beta_1, ..., beta_N change?",
        "new = beta.copy(); then new[i] grows by eta times the residual, and θ·φ(x_i) is K[i] @ beta.",
    ),
    answer=_visit,
    mistakes=(
        *_of_the_residual("[i]"),
        ("beta[i] +=", "beta +=", "all of beta moves by the residual of sample i; only beta_i may"),
        ("beta[i] += eta * (y[i] - K[i]", "beta += eta * (y - K", "you moved all of beta: that is the batch step"),
        ("beta[i] +=", "beta += K[i] *", "you moved beta along row i of K; only beta_i may change"),
        ("+=", "=", "you set beta_i to the step; it must grow by it"),
        ("return beta", "return beta * (np.arange(len(y)) == i)", "the other entries of beta must stay, not become 0"),
        ("eta *", "eta / K[i, i] *", "you divided the step by K_ii: that is normalized LMS, another rule"),
        ("beta = beta.copy()", "beta = beta.copy(); i -= 1", "you count the samples from 1: here i begins with 0"),
    ),
    cases=lambda rng: [
        Case(label, ((beta,), [(i, K, y, part / K.max()) for i in (rng.permutation(30) % len(y)).tolist()]))
        for label, beta, K, y, part in _runs(rng)
    ],
    play=run,
)


def _bound_cases(rng):
    drawn = ((kernels.cubic_sum, 5, 2), (kernels.linear, 4, 6), (kernels.polynomial, 2, 2))
    K = [kernels.gram(kernel, rng.normal(size=size)) for kernel, *size in drawn]
    near = np.diag([0.3, 1.999, 2.0, 0.7, 1.0]) * rng.uniform(1, 2)  # two eigenvalues nearly equal
    return [Case(f"K {K.shape}", (K,), {"N": len(K)}) for K in (*K[:2], 1e-3 * K[2], near)]


def _largest_step(K):
    return 2 / np.linalg.eigvalsh(K)[-1]


LARGEST = "np.linalg.eigvalsh(K)[-1]"
largest_step_of_kernel = Exercise(
    stars=3,
    notes="E, the kernel trick, erratum E17",
    ask="Return the number below which every eta > 0 makes beta ← beta + eta (y - K beta) converge from any start, "
    "and above which it diverges from almost all. K (N, N) is symmetric and positive definite.",
    hints=(
        "The residual r = y - K beta becomes (I - eta K) r. By what is it multiplied along an eigenvector of K?",
        "|1 - eta λ| < 1 for every eigenvalue λ of K; the largest decides. np.linalg.eigvalsh gives them in order.",
    ),
    answer=_largest_step,
    mistakes=(
        ("[-1]", "[0]", "you took the smallest eigenvalue: along the largest the residual would already grow"),
        (LARGEST, "np.linalg.eig(K)[0][0]", "np.linalg.eig does not sort the eigenvalues: take the largest"),
        (LARGEST, "np.trace(K)", "2/trace(K) is safe, but not the largest step: the trace sums all eigenvalues"),
        (LARGEST, f"np.sqrt({LARGEST})", "you took the root: K itself stands in the step, so its eigenvalue does"),
        (LARGEST, f"({LARGEST} + np.linalg.eigvalsh(K)[0])", "2/(λ_max + λ_min) is the fastest step, not the largest"),
        (LARGEST, "K.max()", "the largest entry, a K_ii, bounds single visits; the largest eigenvalue may be larger"),
        (LARGEST, "np.abs(K).sum(axis=1).max()", "the sums of |K_ij| over a row only bound the eigenvalue from above"),
        (LARGEST, "np.linalg.norm(K)", "np.linalg.norm(K) is no eigenvalue; the largest one is norm(K, 2)"),
        ("2 / ", "", "that is the largest eigenvalue; the step is 2 divided by it"),
    ),
    factors={
        "1/2": "1/λ_max is the bound for a loss without 1/2; here |1 - eta λ| < 1 allows 2/λ_max",
        "2": "the condition is |1 - eta λ_max| < 1, so eta λ_max < 2",
        "N": "the loss is a sum, not a mean",
        "1/N": "λ_max is that of K as it is, not of N K",
    },
    cases=_bound_cases,
)

"""Exercises of chapter 11, feature maps and kernel LMS (note E; erratum E11: all at once is batch, in turn stochastic).

Runs start small and take steps that converge; kernel matrices come from several kernels, so that K_ii is not always 1.
"""

import numpy as np

from linmodels import kernel_lms, kernels

from .grading.answers import equal
from .grading.cases import regression
from .grading.checker import Case, Exercise, Refused, run

chapter = "11"


def _cubic(x):
    return np.column_stack([np.ones(len(x)), x, x**2, x**3])


def _number_cases(rng):
    return [
        Case("ordinary data", (rng.normal(size=6) * 2,), {"N": 6}),
        Case("one number", (rng.uniform(2, 3, 1),), {"N": 1}),
        Case("numbers below 0", (-rng.uniform(0.5, 2, 5),), {"N": 5}),
        Case("whole numbers", (rng.permutation(np.arange(-3, 5)),), {"N": 8}),
    ]


ONES = "np.ones(len(x))"
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
        (f"{ONES}, x, x**2, x**3", f"x**3, x**2, x, {ONES}", "your powers go down, as in np.vander: increasing=True"),
        (f"{ONES}, x, x**2, x**3", f"x, x**2, x**3, {ONES}", "you put the 1 last; it comes first"),
        (f"{ONES}, ", "", "the column of ones is missing: without it there is no θ_0"),
        (", x**3", "", "x³ is missing: the map goes up to degree 3, four columns"),
        ("x**3", "x**3, x**4", "there is a column too many: x³ is the last"),
        ("np.ones", "np.zeros", "your first column holds zeros: it must hold ones, or θ_0 is multiplied by 0"),
        ("x**2, x**3", "2 * x, 3 * x", "you took the multiples 2x, 3x; the powers x², x³ are wanted: **"),
        ("x**2, x**3", "x**2 / 2, x**3 / 6", "you divided by k!, as in a Taylor series; the powers come as they are"),
        ("x, x**2", "3**0.5 * x, 3**0.5 * x**2", "those are the features of (1 + xz)³; no power has a factor"),
        ("x, x**2, x**3", "x**2, x**3", "the column x itself is missing, degree 1"),
    ),
    cases=_number_cases,
)


def _lms_step(theta, Phi, y, eta):
    r = y - Phi @ theta
    return theta + eta * Phi.T @ r


def _lms_cases(rng):
    def one(label, N, d, start, features=0.5, targets=1.0):
        X, y = regression(rng, N, d)
        Phi = kernels.cubic_features(0.5 * X) * features
        eta = rng.uniform(0.3, 0.6) * kernel_lms.largest_step(Phi @ Phi.T)
        return Case(label, ((start * rng.normal(size=Phi.shape[1]),), [(Phi, targets * y, eta)] * 20))

    return [
        one("a run of 20 steps", 7, 1, 1),
        one("a run from theta = 0", 9, 1, 0),
        one("a run with more features than samples", 6, 2, 1),
        one("a run with small numbers and long steps", 8, 1, 0, 0.03, 1e-9),
    ]


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
        ("theta + eta", "theta - eta", "you go uphill: with the residual y_i - θ·φ(x_i) the step is added"),
        ("eta *", "eta / len(y) *", "you divided the step by N: E is a sum over the samples, not a mean"),
        ("theta + ", "", "theta itself is missing: the step is added to the old theta"),
        (" - Phi @ theta", "", "the predictions θ·φ(x_i) are missing in the residual"),
        ("@ r", "@ np.sign(r)", "you took the signs of the residuals; their size belongs to the step"),
        ("@ r", "@ r**2", "your residuals are still squared: the derivative of ½r² has r"),
        ("Phi.T @ r", "r.sum()", "φ(x_i) is missing: you summed the residuals; each multiplies its φ(x_i) first"),
        ("@ r", "@ (r / np.sum(Phi * Phi, axis=1))", "that is normalized LMS: do not divide by φ(x_i)·φ(x_i)"),
        ("r = y - Phi @ theta", IN_TURN, "theta moves after each sample: that is stochastic LMS, not batch LMS"),
        ("r = y - Phi @ theta", ENTRIES, "you moved the entries of theta one after another; move all at once"),
    ),
    cases=_lms_cases,
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


def _monomial_cases(rng):
    sizes = ((6, 2), (5, 3), (7, 1), (1, 4))
    return [Case(f"N = {N}, d = {d}", (rng.normal(size=(N, d)) + 0.3,), {"N": N, "d": d}) for N, d in sizes]


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
        ("X, pairs", "pairs", "the features x_i themselves, degree 1, are missing"),
        (f"{PAIRS}, ", "", "the products of two are missing: ΦΦᵀ is only 1 + s + s³"),
        (f", {TRIPLES}", "", "degree 3 is missing: note E says less than 3 and means at most 3 (erratum E08)"),
        (f"np.ones(len(X)), X, {PAIRS}, ", "", "that is degree 3 alone; the degrees 0, 1 and 2 are wanted too"),
        (f"{PAIRS}, {TRIPLES}", "X**2, X**3", "you took the powers x_i, x_i², x_i³ alone; x_i x_j is wanted too"),
        (f"X, {PAIRS}, {TRIPLES}", "X.sum(1), (X**2).sum(1), (X**3).sum(1)", "you summed the powers over the features"),
        (TRIPLES, "X**3", "your degree 3 holds only the cubes x_i³; all x_i x_j x_k are wanted"),
        (
            "return",
            "return kernels.gram(kernels.cubic_sum, X) #",
            "that is the kernel matrix; the features that make it are wanted",
        ),
    ),
    cases=_monomial_cases,
    play=_gram_of,
    judged=("ΦΦᵀ", "the number of columns", "the dependence on other rows"),
)


def _gram_cases(rng):
    """A label, K, targets of both signs and a step that converges; the last has small numbers and a long step."""
    found = []
    for label, kernel, N, d, start, size, targets in (
        ("1 + s + s² + s³, from beta = 0", kernels.cubic_sum, 6, 2, 0, 1.0, 1.0),
        ("a Gaussian kernel", lambda A, B: kernels.gaussian(A, B, 0.7), 8, 2, 1, 1.0, 1.0),
        ("(s + 1)²", kernels.polynomial, 5, 3, 1, 1.0, 1.0),
        ("small numbers and long steps, from beta = 0", kernels.linear, 7, 4, 0, 1e-3, 1e-9),
    ):
        X, y = regression(rng, N, d)
        K = size * kernels.gram(kernel, 0.5 * X)
        found.append((label, start * rng.normal(size=N), K, targets * (y - y.mean()), rng.uniform(0.3, 0.6)))
    return found


def _step_cases(rng):
    runs = [(label, beta, K, y, part * kernel_lms.largest_step(K)) for label, beta, K, y, part in _gram_cases(rng)]
    return [Case(label, ((beta,), [(K, y, eta)] * 20)) for label, beta, K, y, eta in runs]


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
        ("eta * (y - K @ beta)", "eta * y - K @ beta", "eta multiplies the whole residual y - K beta"),
        ("(y - K", "K @ (y - K", "you have one K too many: beta itself grows by eta (y - K beta)"),
        ("K @ beta", "K @ (beta * y)", "you multiplied by y_j, as the perceptron does; here it is Σ_j beta_j K_ij"),
        ("(y - K", "y * (y - K", "you multiplied the residual by y_i, as by a label; y_i is no label"),
        ("return", IN_ROWS, "beta_i moves one after the other: that is stochastic LMS (erratum E11)"),
        ("eta *", "eta / len(y) *", "you divided the step by N: E is a sum over the samples, not a mean"),
        ("+ eta", "- eta", "you go uphill: with the residual y - K beta the step is added"),
        ("beta + ", "", "beta itself is missing: the step is added to the old beta"),
        (" - K @ beta", "", "K beta is missing in the residual: without it beta grows without end"),
        ("K @ beta", "beta", "K is missing: the prediction for x_i is Σ_j beta_j K_ij, not beta_i"),
        ("K @ beta", "K.diagonal() * beta", "the sum over j is missing: you took beta_i K_ii alone"),
        ("K @ beta", "(K - np.diag(K.diagonal())) @ beta", "you left j = i out of the sum Σ_j beta_j K_ij"),
        ("(y - K", "(y * (K @ beta) <= 0) * (y - K", "beta_i moves only where the signs differ; move it always"),
        ("(y - K @ beta)", "np.sum(y - K @ beta)", "you added the sum of all residuals; each beta_i has its own"),
    ),
    cases=_step_cases,
    play=run,
)


def _predict(beta, X, X_new, k):
    return k(X_new, X) @ beta


def _predict_cases(rng):
    """Coefficients of both signs; predictions of both too, or a sign in place of them could be right by chance."""

    def one(label, N, M, d, k, first):
        X, X_new = 0.6 * rng.normal(size=(N, d)) + 0.3, 0.6 * rng.normal(size=(M, d)) + 0.3
        beta = rng.permutation(np.resize([1.0, -1.0], N)) * rng.uniform(0.5, 2, N)
        beta *= first * np.sign(kernel_lms.predict(beta, k(X_new, X))[0])
        return Case(label, (beta, X, X_new, k), {"N": N, "M": M})

    sigma, c = rng.uniform(0.6, 1.2), rng.uniform(0.5, 1.5)
    return [
        one("1 + s + s² + s³", 6, 4, 2, kernels.cubic_sum, 1),
        one("a Gaussian kernel", 5, 9, 3, lambda A, B: kernels.gaussian(A, B, sigma), -1),
        one("(s + c)², one feature", 7, 3, 1, lambda A, B: kernels.polynomial(A, B, c), 1),
        one("one new sample", 4, 1, 2, lambda A, B: kernels.gaussian(A, B, sigma), -1),
        one("one sample in the fit", 1, 3, 2, kernels.cubic_sum, 1),
    ]


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
        ("@ beta", "@ np.maximum(beta, 0)", "you took beta_i > 0 alone, as in an SVM; negative ones count too"),
        ("k(X_new, X) @ beta", "(k(X_new, X) * beta).sum(axis=0)", "you summed over the new samples; sum over the x_i"),
        ("@ beta", "@ beta / k(X_new, X).sum(axis=1)", "you divided by Σ_i k(x_i, z); no average is wanted"),
        ("@ beta", "@ beta / beta.sum()", "you divided by Σ_i beta_i: beta holds coefficients of θ, not shares"),
        ("k(X_new, X) @ beta", "np.sign(k(X_new, X) @ beta)", "you took the sign; θ·φ(z) itself is wanted"),
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


def _visit_cases(rng):
    cases = []
    for label, beta, K, y, part in _gram_cases(rng):
        order = rng.permutation(np.resize(np.arange(len(y)), 30))
        cases.append(Case(label, ((beta,), [(int(i), K, y, part / K.diagonal().max()) for i in order])))
    return cases


ALONE = "that is the step alone: add it to the old beta"
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
        ("beta[i] +=", "beta +=", "all of beta moves by the residual of sample i; only beta_i may"),
        ("beta[i] += eta * (y[i] - K[i]", "beta += eta * (y - K", "you moved all of beta: that is the batch step"),
        ("beta[i] +=", "beta += K[i] *", "you moved beta along row i of K; only beta_i may change"),
        ("K[i] @ beta", "K[i, i] * beta[i]", "the sum over j is missing: you took beta_i K_ii alone"),
        ("K[i] @ beta", "(K[i] @ beta - K[i, i] * beta[i])", "you left j = i out of the sum Σ_j beta_j K_ij"),
        ("K[i] @ beta", "beta[i]", "K is missing: the prediction for x_i is Σ_j beta_j K_ij, not beta_i"),
        ("K[i] @ beta", "K[i] @ (beta * y)", "you multiplied by y_j, as the perceptron does; it is Σ_j beta_j K_ij"),
        ("+=", "=", "you set beta_i to the step; it must grow by it"),
        ("return beta", "return beta * (np.arange(len(y)) == i)", "the other entries of beta must stay, not become 0"),
        ("+=", "-=", "your step goes the wrong way: with the residual y_i - Σ_j beta_j K_ij it is added"),
        ("beta[i] += eta * (y[i] - K[i] @ beta)", "beta = np.eye(len(y))[i] * eta * (y - K @ beta)", ALONE),
        ("eta *", "eta / len(y) *", "you divided the step by N; one sample is visited, no mean is taken"),
        ("(y[i] - K[i] @ beta)", "y[i] * (y[i] * (K[i] @ beta) <= 0)", "that is the perceptron's rule, for labels"),
        ("(y[i] -", "(y[i] * (K[i] @ beta) <= 0) * (y[i] -", "beta_i moves only where the signs differ"),
        ("eta *", "eta / K[i, i] *", "you divided the step by K_ii: that is normalized LMS, another rule"),
        (" - K[i] @ beta", "", "the sum is missing in the residual: beta_i does not grow by eta y_i"),
        ("(y[i] -", "y[i] * (y[i] -", "you multiplied the residual by y_i, as by a label; y_i is no label"),
        ("beta = beta.copy()", "beta = beta.copy(); i -= 1", "you count the samples from 1: here i begins with 0"),
    ),
    cases=_visit_cases,
    play=run,
)


def _bound_cases(rng):
    def one(label, N, d, kernel, size=1.0):
        X = rng.normal(size=(N, d))
        return Case(label, (size * kernels.gram(kernel, X),), {"N": N})

    near = np.diag([0.3, 1.999, 2.0, 0.7, 1.0]) * rng.uniform(1, 2)
    return [
        one("1 + s + s² + s³", 5, 2, kernels.cubic_sum),
        one("a Gaussian kernel", 7, 3, lambda A, B: kernels.gaussian(A, B, 1.5)),
        one("inner products, also negative ones", 4, 6, kernels.linear),
        one("two samples, small numbers", 2, 2, kernels.polynomial, 1e-3),
        Case("a diagonal K, two eigenvalues nearly equal", (near,), {"N": 5}),
    ]


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
        (LARGEST, "np.mean(np.linalg.eigvalsh(K))", "you took the mean of the eigenvalues; the largest decides"),
        (LARGEST, f"{LARGEST} ** 2", "you squared the eigenvalue; K itself stands in the step"),
        (LARGEST, f"np.sqrt({LARGEST})", "you took the root: K itself stands in the step, so its eigenvalue does"),
        (LARGEST, f"({LARGEST} + np.linalg.eigvalsh(K)[0])", "2/(λ_max + λ_min) is the fastest step, not the largest"),
        (LARGEST, "K.max()", "the largest entry, a K_ii, bounds single visits; the largest eigenvalue may be larger"),
        (LARGEST, "np.abs(K).sum(axis=1).max()", "the sums of |K_ij| over a row only bound the eigenvalue from above"),
        (LARGEST, "np.linalg.norm(K)", "np.linalg.norm(K) is no eigenvalue; the largest one is norm(K, 2)"),
        ("2 / ", "0.5 * ", "you multiplied by the eigenvalue; the larger it is, the shorter the step: divide by it"),
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

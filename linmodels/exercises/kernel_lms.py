"""Exercises of chapter 11, feature maps and kernel LMS (note E; erratum E11: all at once is batch, in turn stochastic).

Runs start small and take steps that converge; kernel matrices come from several kernels, so that K_ii is not always 1.
"""

from itertools import combinations, combinations_with_replacement, product
from math import factorial

import numpy as np

from linmodels import kernel_lms, kernels

from .grading.cases import regression
from .grading.checker import Case, Exercise, Refused, run

chapter = "11"


def _cubic(x, *, column=np.power, degrees=range(4), weights=(1, 1, 1, 1), whole=lambda Phi: Phi):
    columns = [weights[k] * column(x.astype(float), k) for k in degrees]
    return whole(np.stack(columns, axis=1))


def _number_cases(rng):
    return [
        Case("ordinary data", (rng.normal(size=6) * 2,), {"N": 6}),
        Case("one number", (rng.uniform(2, 3, 1),), {"N": 1}),
        Case("numbers below 0", (-rng.uniform(0.5, 2, 5),), {"N": 5}),
        Case("whole numbers", (rng.permutation(np.arange(-3, 5)),), {"N": 8}),
    ]


cubic_features = Exercise(
    stars=1,
    notes="E, feature maps",
    ask="The feature map φ(x) = (1, x, x², x³) for each of the numbers x (N,): return Phi (N, 4), a row per number, "
    "the columns in this order, the 1 first.",
    hints=(
        "Column k holds the k-th powers of all the numbers; the column of ones has an entry per number.",
        "np.column_stack([np.ones(len(x)), x, ...]) puts vectors of N entries side by side as columns.",
    ),
    answer=lambda x: kernels.cubic_features(x[:, None]),
    variant=_cubic,
    mistakes={
        "the powers go down, as np.vander puts them (increasing=True turns them round): the 1 comes first": {
            "degrees": (3, 2, 1, 0)
        },
        "the 1 comes first, and the powers go up from there; you put it last": {"degrees": (1, 2, 3, 0)},
        "the column of ones is missing: without it there is no θ_0": {"degrees": (1, 2, 3)},
        "x³ is missing: the map goes up to degree 3, four columns": {"degrees": range(3)},
        "there is a column too many: x³ is the last": {"degrees": range(5), "weights": (1, 1, 1, 1, 1)},
        "the first column holds zeros: it must hold ones, or θ_0 is multiplied by 0": {"weights": (0, 1, 1, 1)},
        "those are the multiples x, 2x, 3x; the powers x, x², x³ are asked for": {
            "column": lambda x, k: k * x if k else x**0
        },
        "the columns are added up from left to right; each is one power alone": {
            "whole": lambda Phi: np.cumsum(Phi, axis=1)
        },
        "the columns are divided by k!, as in a Taylor series; the θ_k do that, the powers come as they are": {
            "weights": [1 / factorial(k) for k in range(4)]
        },
        "√3 stands in two columns: those are the features of (1 + xz)³; here no power has a factor": {
            "weights": (1, 3**0.5, 3**0.5, 1)
        },
        "the powers are summed in each row: φ(x) is a vector of four entries, θ·φ(x) comes later": {
            "whole": lambda Phi: Phi.sum(axis=1)
        },
    },
    stops={
        **dict.fromkeys(
            ("same shape", "inhomogeneous", "concatenation axis"),
            "the 1 must be as long as x, one for each number: np.ones(len(x))",
        ),
        "Python scalars": "x is an array: x**2 squares each of its entries",
        "IndexError": "x has one dimension, (N,): it is no matrix of samples",
    },
    cases=_number_cases,
    also_right=(
        lambda x: np.vander(x, 4, increasing=True),
        lambda x: x[:, None] ** np.arange(4),
        lambda x: [[1, a, a * a, a * a * a] for a in x.tolist()],
    ),
)


def _all_samples(theta, Phi, r):
    return Phi.T @ r


def _lms_step(
    theta,
    Phi,
    y,
    eta,
    *,
    length=lambda eta, y: eta,
    keep=True,
    residual=lambda f, y: y - f,
    direction=_all_samples,
    order="at once",
):
    by = length(eta, y)
    theta, old = theta.copy(), theta
    if order == "samples":
        for n in range(len(y)):
            theta += by * direction(theta, Phi[n : n + 1], residual(Phi[n : n + 1] @ theta, y[n : n + 1]))
    elif order == "weights":
        for j in range(len(theta)):
            theta[j] += by * direction(theta, Phi, residual(Phi @ theta, y))[j]
    elif order == "last":
        theta += by * direction(theta, Phi[-1:], residual(Phi[-1:] @ theta, y[-1:]))
    else:
        theta += by * direction(theta, Phi, residual(Phi @ theta, y))
    return theta if keep else theta - old


def _lms_cases(rng):
    def one(label, N, d, start):
        X, y = regression(rng, N, d)
        Phi = kernels.cubic_features(0.5 * X)
        eta = rng.uniform(0.3, 0.6) * kernel_lms.largest_step(Phi @ Phi.T)
        return Case(label, ((start * rng.normal(size=Phi.shape[1]),), [(Phi, y, eta)] * 20))

    return [
        one("a run of 20 steps", 7, 1, 1),
        one("a run from theta = 0", 9, 1, 0),
        one("a run with more features than samples", 6, 2, 1),
    ]


lms_step = Exercise(
    stars=1,
    notes="E, LMS with features",
    ask="One step of batch LMS: gradient descent with step eta > 0, the notes' α, on "
    "E(θ) = ½ Σ_i (y_i - θ·φ(x_i))², a sum with 1/2. Return the new theta (p,), from all samples at once. "
    "Phi (N, p) holds φ(x_i) as row i, add no column; y (N,); leave theta as it is. Whole runs are judged.",
    hints=(
        "Every sample pulls theta along its φ(x_i), by eta times its residual y_i - θ·φ(x_i).",
        "θ·φ(x_i) for all i is Phi @ theta; which product of Phi and the residuals is Σ_i (y_i - θ·φ(x_i)) φ(x_i)?",
    ),
    answer=lambda theta, Phi, y, eta: theta - eta * kernel_lms.gradient(theta, Phi, y),
    variant=_lms_step,
    mistakes={
        "it goes uphill: with the residual y_i - θ·φ(x_i) the step is added": {"length": lambda eta, y: -eta},
        "the step is twice as long: the 1/2 of E takes the 2 of the square away": {"length": lambda eta, y: 2 * eta},
        "the step is half as long: the 1/2 of E is gone once the square is differentiated": {
            "length": lambda eta, y: eta / 2
        },
        "the step is divided by N: E is a sum over the samples, not a mean": {"length": lambda eta, y: eta / len(y)},
        "eta is missing: you go the whole length of the gradient": {"length": lambda eta, y: 1.0},
        "theta itself is missing: the step is added to the old theta": {"keep": False},
        "the targets are missing in the residual y_i - θ·φ(x_i)": {"residual": lambda f, y: -f},
        "the predictions θ·φ(x_i) are missing in the residual": {"residual": lambda f, y: y},
        "only the signs of the residuals are left: their size belongs to the step": {
            "residual": lambda f, y: np.sign(y - f)
        },
        "the residuals are still squared: differentiated, ½(y_i - θ·φ(x_i))² leaves them as they are": {
            "residual": lambda f, y: (y - f) ** 2
        },
        "φ(x_i) is missing: you summed the residuals; each multiplies its φ(x_i) first": {
            "direction": lambda theta, Phi, r: r.sum() + 0 * theta
        },
        "each φ(x_i) is divided by φ(x_i)·φ(x_i): that is normalised LMS, another rule": {
            "direction": lambda theta, Phi, r: Phi.T @ (r / np.sum(Phi * Phi, axis=1))
        },
        "theta moves sample after sample: that is stochastic LMS; batch takes all residuals of the old theta": {
            "order": "samples"
        },
        "the entries of theta move one after another; all must move at once, from the old theta": {"order": "weights"},
        "only the last sample counts: a loop over the samples must add their steps up": {"order": "last"},
    },
    stops={"ValueError": "φ(x_i) is row i of Phi: Phi @ theta are the N predictions, Phi.T @ r sums over the samples"},
    cases=_lms_cases,
    play=run,
    also_right=(
        lambda theta, Phi, y, eta: theta + eta * (y - Phi @ theta) @ Phi,
        lambda theta, Phi, y, eta: theta + eta * sum((t - theta @ f) * f for f, t in zip(Phi, y, strict=True)),
    ),
)


def _ones(X):
    return np.ones((len(X), 1))


def _pairs(X):
    return np.reshape(X[:, :, None] * X[:, None, :], (len(X), -1))


def _triples(X):
    return np.reshape(X[:, :, None, None] * X[:, None, :, None] * X[:, None, None, :], (len(X), -1))


def _monomials(X, *, parts=(_ones, lambda X: X, _pairs, _triples)):
    return np.column_stack([part(X) for part in parts])


def _products(X, indices, scaled=False):
    def orders(chosen):
        return factorial(len(chosen)) / np.prod([factorial(chosen.count(i)) for i in set(chosen)])

    return np.column_stack([(orders(a) if scaled else 1) ** 0.5 * X[:, a].prod(axis=1) for a in map(list, indices)])


def _distinct(degree, scaled=False):
    """Each product of so many features once."""
    return lambda X: _products(X, combinations_with_replacement(range(X.shape[1]), degree), scaled)


def _different(degree):
    """The products of so many different features, of which there may be none."""

    def columns(X):
        found = list(combinations(range(X.shape[1]), degree))
        return _products(X, found) if found else np.empty((len(X), 0))

    return columns


def _of_augmented(X):
    return _triples(np.column_stack([np.ones(len(X)), X]))


def _cubic_kernel(X):
    return kernels.gram(kernels.cubic_sum, X)


def _gram_of(f, X):
    """Phi Phiᵀ and the number of features: no order of the columns is told from another."""
    [Phi] = f(X)
    if Phi.ndim != 2 or len(Phi) != len(X):
        turned = ": it is transposed" if Phi.ndim == 2 and Phi.shape[1] == len(X) else ""
        raise Refused(f"Phi must have a row for each of the {len(X)} samples; it is of shape {Phi.shape}{turned}")
    return [Phi @ Phi.T, np.asarray(float(Phi.shape[1]))]


def _monomial_cases(rng):
    def one(label, N, d):
        return Case(label, (rng.normal(size=(N, d)) + 0.3,), {"N": N, "d": d})

    return [
        one("two features", 6, 2),
        one("three features", 5, 3),
        one("one feature", 7, 1),
        one("one sample of four features", 1, 4),
    ]


all_monomials = Exercise(
    stars=2,
    notes="E, the kernel trick, erratum E08",
    ask="All products of up to three attributes in every order: 1, all x_i, all x_i x_j, all x_i x_j x_k with i, j, k "
    "from 1 to d, so that x_1 x_2 and x_2 x_1 are both there. X (N, d), a sample per row; return Phi "
    "(N, 1 + d + d² + d³). The order of the columns is free: its Gram matrix is judged, 1 + s + s² + s³ for s = x·z.",
    hints=(
        "Four blocks side by side with 1, d, d² and d³ columns. How does the block of degree 2 follow from that of 1?",
        "X[:, :, None] * X[:, None, :] is (N, d, d) and holds all x_i x_j; a reshape to (N, -1) makes rows of them.",
        "For the pairs loop over i and j in range(d) and collect X[:, i] * X[:, j]; a third loop gives the triples.",
    ),
    answer=kernels.cubic_features,
    variant=_monomials,
    mistakes={
        "each product is there once; x_1 x_2 and x_2 x_1 are both wanted, or the sum Σ_ij is not s²": {
            "parts": tuple(_distinct(k) for k in range(4))
        },
        "Φ Φᵀ is right, but by each product once with the root of its number of orders; repeat it instead": {
            "parts": tuple(_distinct(k, scaled=True) for k in range(4))
        },
        "that is every product of three out of (1, x_1, ..., x_d): its Gram matrix is (1 + s)³": {
            "parts": (_of_augmented,)
        },
        "the constant 1 is missing: its column is the 1 of 1 + s + s² + s³": {"parts": (lambda X: X, _pairs, _triples)},
        "the features x_i themselves, degree 1, are missing": {"parts": (_ones, _pairs, _triples)},
        "the products of two are missing: 1 + s + s³ is left of the Gram matrix": {
            "parts": (_ones, lambda X: X, _triples)
        },
        "degree 3 is missing: note E says less than 3 and means at most 3 (erratum E08)": {
            "parts": (_ones, lambda X: X, _pairs)
        },
        "that is degree 3 alone; the lower degrees 0, 1 and 2 are wanted too": {"parts": (_triples,)},
        "those are the powers x_i, x_i², x_i³ alone; products of different features are missing": {
            "parts": (_ones, lambda X: X, lambda X: X**2, lambda X: X**3)
        },
        "degree 3 holds only the cubes x_i³; all x_i x_j x_k are wanted": {
            "parts": (_ones, lambda X: X, _pairs, lambda X: X**3)
        },
        "each product has different features; i = j is allowed too, as in x_1²": {
            "parts": (_ones, lambda X: X, _different(2), _different(3))
        },
        "that is the kernel matrix 1 + s + s² + s³ itself; the features that make it are asked for": {
            "parts": (_cubic_kernel,)
        },
        "those are the features of one number, summed over the x_i: 1, Σ x_i, Σ x_i², Σ x_i³": {
            "parts": (_ones, *(lambda X, k=k: np.sum(X**k, axis=1) for k in (1, 2, 3)))
        },
    },
    stops={
        **dict.fromkeys(
            ("same shape", "number of dimensions", "concatenation axis", "inhomogeneous"),
            "each block needs a row for each sample, (N, ...): reshape it to (len(X), -1)",
        ),
        "out of bounds": "i, j, k are numbers of columns, 0 to d - 1; column i is X[:, i], X[i] is a sample",
    },
    cases=_monomial_cases,
    play=_gram_of,
    judged=("Φ Φᵀ", "the number of columns"),
    also_right=(
        lambda X: np.array([[1, *x, *np.outer(x, x).ravel(), *np.kron(x, np.kron(x, x))] for x in X]),
        lambda X: kernels.cubic_features(X)[:, ::-1],
        lambda X: np.column_stack(
            [
                np.ones(len(X)),
                *(X[:, list(a)].prod(axis=1) for k in (1, 2, 3) for a in product(range(len(X.T)), repeat=k)),
            ]
        ),
    ),
)


_NO_FEATURES = {
    **dict.fromkeys(
        ("'Phi'", "'phi'", "'theta'"), "neither θ nor φ is needed: θ·φ(x_i) = Σ_j beta_j K_ij, from row i of K"
    ),
    "'X'": "the samples are not needed: all of them that counts is in K",
}


def _beta_step(
    beta,
    K,
    y,
    eta,
    *,
    length=lambda eta, y: eta,
    keep=True,
    output=lambda beta, K, y: K @ beta,
    residual=lambda f, y: y - f,
    direction=lambda K, r: r,
    in_turn=False,
):
    by, old = length(eta, y), beta
    if in_turn:
        beta = beta.copy()
        for i in range(len(y)):
            beta[i] += by * direction(K, residual(output(beta, K, y), y))[i]
        return beta if keep else beta - old
    return keep * beta + by * direction(K, residual(output(beta, K, y), y))


def _gram_cases(rng):
    """Of several kernels the name, a matrix K, targets of both signs, and a step that converges."""

    def one(kernel, N, d):
        X, y = regression(rng, N, d)
        K = kernels.gram(kernel, 0.5 * X)
        return K, y - y.mean(), rng.uniform(0.3, 0.6) * kernel_lms.largest_step(K)

    return [
        ("1 + s + s² + s³", one(kernels.cubic_sum, 6, 2)),
        ("a Gaussian kernel", one(lambda A, B: kernels.gaussian(A, B, 0.7), 8, 2)),
        ("(s + 1)²", one(kernels.polynomial, 5, 3)),
    ]


def _step_cases(rng):
    cubic, gaussian, square = _gram_cases(rng)

    def one(given, start):
        label, (K, y, eta) = given
        label += "" if start else ", from beta = 0"
        return Case(label, ((start * rng.normal(size=len(y)),), [(K, y, eta)] * 20))

    return [one(cubic, 0), one(gaussian, 1), one(square, 1)]


kernel_lms_step = Exercise(
    stars=2,
    notes="E, the kernel trick, eq. (11)",
    ask="One step of batch LMS, eta > 0, on E(θ) = ½ Σ_i (y_i - θ·φ(x_i))², made on the coefficients beta (N,) of "
    "θ = Σ_j beta_j φ(x_j): return the new beta, all entries at once from the old ones. There is no Phi, only K (N, N) "
    "with K_ij = φ(x_i)·φ(x_j); y (N,) are any numbers, not labels; leave beta as it is. Whole runs are judged.",
    hints=(
        "θ grows by Σ_i eta (y_i - θ·φ(x_i)) φ(x_i). By what does the coefficient of φ(x_i) grow?",
        "θ·φ(x_i) = Σ_j beta_j K_ij: for all i at once K @ beta. Each beta_i grows by eta times its residual.",
    ),
    answer=kernel_lms.beta_step,
    variant=_beta_step,
    mistakes={
        "an extra K: eta K(y - K beta) descends along beta; θ descends where beta grows by eta (y - K beta)": {
            "direction": lambda K, r: K @ r
        },
        "y_j stands in the sum, as in the perceptron's alpha_j y_j; here it is Σ_j beta_j K_ij": {
            "output": lambda beta, K, y: K @ (beta * y)
        },
        "y_i multiplies the residual, as a label would; beta_i grows by eta (y_i - Σ_j beta_j K_ij)": {
            "residual": lambda f, y: y * (y - f)
        },
        "beta_i moves one after the other: that is stochastic LMS (erratum E11); take all residuals of the old beta": {
            "in_turn": True
        },
        "eta is missing: you added the whole residual": {"length": lambda eta, y: 1.0},
        "the step is divided by N: E is a sum over the samples, not a mean": {"length": lambda eta, y: eta / len(y)},
        "the step is twice as long: the 1/2 of E takes the 2 of the square away": {"length": lambda eta, y: 2 * eta},
        "it goes uphill: with the residual y - K beta the step is added": {"length": lambda eta, y: -eta},
        "beta itself is missing: the step is added to the old beta": {"keep": False},
        "y is missing in the residual y - K beta": {"residual": lambda f, y: -f},
        "K beta is missing in the residual: without it beta grows without end": {"residual": lambda f, y: y},
        "K is missing: the prediction for x_i is Σ_j beta_j K_ij, not beta_i": {"output": lambda beta, K, y: beta},
        "the sum over j is missing: you took beta_i K_ii alone": {"output": lambda beta, K, y: np.diag(K) * beta},
        "the diagonal is left out: j = i belongs to the sum Σ_j beta_j K_ij too": {
            "output": lambda beta, K, y: (K - np.diag(np.diag(K))) @ beta
        },
        "every beta_i grows by the sum of all residuals; each has its own, y_i - Σ_j beta_j K_ij": {
            "direction": lambda K, r: r.sum() + 0 * r
        },
        "only where y_i and the prediction differ in sign does beta_i grow; here every residual counts": {
            "residual": lambda f, y: (y - f) * (y * f <= 0)
        },
    },
    stops=_NO_FEATURES,
    cases=_step_cases,
    play=run,
    also_right=(
        lambda beta, K, y, eta: beta + eta * y - eta * (beta @ K),
        lambda beta, K, y, eta: (np.eye(len(y)) - eta * K) @ beta + eta * y,
        lambda beta, K, y, eta: [b + eta * (t - sum(beta * row)) for b, t, row in zip(beta, y, K, strict=True)],
    ),
)


def _visit(
    beta,
    i,
    K,
    y,
    eta,
    *,
    length=lambda eta, K, i: eta,
    target=lambda y, i: y[i],
    output=lambda beta, i, K, y: K[i] @ beta,
    residual=lambda f, t: t - f,
    moved=lambda K, i: np.arange(len(K)) == i,
    kept=lambda beta, i: beta,
):
    return kept(beta, i) + length(eta, K, i) * residual(output(beta, i, K, y), target(y, i)) * moved(K, i)


def _visit_cases(rng):
    cubic, gaussian, square = _gram_cases(rng)

    def one(given, start):
        label, (K, y, _) = given
        label += "" if start else ", from beta = 0"
        eta = rng.uniform(0.3, 0.6) / np.diag(K).max()
        order = rng.integers(len(y), size=30)
        return Case(label, ((start * rng.normal(size=len(y)),), [(int(i), K, y, eta) for i in order]))

    return [one(cubic, 0), one(gaussian, 1), one(square, 1)]


kernel_lms_visit = Exercise(
    stars=2,
    notes="E, the kernel trick, erratum E11",
    ask="Visit sample i (counted from 0) in stochastic LMS: θ = Σ_j beta_j φ(x_j) moves by "
    "eta (y_i - θ·φ(x_i)) φ(x_i). Return the coefficients (N,) of the new θ, from K (N, N) with K_ij = φ(x_i)·φ(x_j) "
    "alone; y (N,) are any numbers, eta > 0. Return a new array, leave beta as it is. Whole runs are judged.",
    hints=(
        "θ moves along φ(x_i) alone: which of the coefficients beta_1, ..., beta_N change?",
        "new = beta.copy(); then new[i] grows by eta times the residual, and θ·φ(x_i) is K[i] @ beta.",
    ),
    answer=lambda beta, i, K, y, eta: kernel_lms.stochastic_beta_step(i, beta, K, y, eta),
    variant=_visit,
    mistakes={
        "all of beta moves by the residual of sample i; only beta_i may": {"moved": lambda K, i: 1.0},
        "all of beta moves, each entry by its own residual: that is the batch step; only beta_i may": {
            "moved": lambda K, i: 1.0,
            "output": lambda beta, i, K, y: K @ beta,
            "target": lambda y, i: y,
        },
        "beta moves along row i of K; θ moves along φ(x_i), so beta_i alone changes": {"moved": lambda K, i: K[i]},
        "the sum over j is missing: you took beta_i K_ii alone": {"output": lambda beta, i, K, y: beta[i] * K[i, i]},
        "j = i is left out of the sum Σ_j beta_j K_ij": {
            "output": lambda beta, i, K, y: K[i] @ beta - beta[i] * K[i, i]
        },
        "K is missing: the prediction for x_i is Σ_j beta_j K_ij, not beta_i": {
            "output": lambda beta, i, K, y: beta[i]
        },
        "y_j stands in the sum, as in the perceptron's alpha_j y_j; here it is Σ_j beta_j K_ij": {
            "output": lambda beta, i, K, y: K[i] @ (beta * y)
        },
        "beta_i is set to the step; it must grow by it": {
            "kept": lambda beta, i: np.where(np.arange(len(beta)) == i, 0.0, beta)
        },
        "beta is missing: the other entries stay as they were, they do not become 0": {
            "kept": lambda beta, i: np.where(np.arange(len(beta)) == i, beta, 0.0)
        },
        "that is the step alone; it is to be added to the old beta": {"kept": lambda beta, i: 0 * beta},
        "eta is missing: you added the whole residual": {"length": lambda eta, K, i: 1.0},
        "the step goes the wrong way: with the residual y_i - Σ_j beta_j K_ij it is added": {
            "length": lambda eta, K, i: -eta
        },
        "the step is twice as long: the 1/2 of E takes the 2 of the square away": {"length": lambda eta, K, i: 2 * eta},
        "the step is divided by N; one sample is visited, there is nothing to take the mean of": {
            "length": lambda eta, K, i: eta / len(K)
        },
        "the step is divided by K_ii: that is normalised LMS, another rule": {
            "length": lambda eta, K, i: eta / K[i, i]
        },
        "y_i is missing in the residual y_i - Σ_j beta_j K_ij": {"residual": lambda f, t: -f},
        "the sum is missing in the residual: beta_i does not grow by eta y_i": {"residual": lambda f, t: t},
        "that is the perceptron's rule: eta y_i where the signs differ; LMS adds eta times the residual": {
            "residual": lambda f, t: t * (t * f <= 0)
        },
        "beta_i only moves where the signs differ, as in the perceptron; here every residual counts": {
            "residual": lambda f, t: (t - f) * (t * f <= 0)
        },
        "y_i multiplies the residual, as a label would; beta_i grows by eta (y_i - Σ_j beta_j K_ij)": {
            "residual": lambda f, t: t * (t - f)
        },
    },
    stops={
        **_NO_FEATURES,
        "IndexError": "i counts from 0; row i of K is K[i], the target of sample i is y[i]",
        "setting an array element": "beta_i is one number: Σ_j beta_j K_ij needs row i of K alone, K[i] @ beta",
    },
    cases=_visit_cases,
    play=run,
    also_right=(
        lambda beta, i, K, y, eta: [b + eta * (y[i] - K[:, i] @ beta) * (j == i) for j, b in enumerate(beta)],
        lambda beta, i, K, y, eta: beta + eta * (y - K @ beta) * np.eye(len(y))[i],
    ),
)


def _as_it_is(beta):
    return beta


def _predict(
    beta,
    X,
    X_new,
    k,
    *,
    kernel=lambda k, X, X_new, beta: k(X_new, X),
    weights=_as_it_is,
    total=lambda K, beta: K @ beta,
):
    return total(kernel(k, X, X_new, beta), weights(beta))


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
    ]


kernel_predict = Exercise(
    stars=2,
    notes="E, the kernel trick",
    ask="The predictions θ·φ(z) with θ = Σ_i beta_i φ(x_i), one for each row z of X_new (M, d): return (M,). X (N, d) "
    "holds the x_i as rows, beta (N,) their coefficients. k is a function of two matrices of samples: k(A, B) is the "
    "matrix of all φ(a)·φ(b), a row for each row a of A, a column for each row b of B.",
    hints=(
        "θ·φ(z) = Σ_i beta_i φ(x_i)·φ(z): a new sample meets every sample of the fit.",
        "k(X_new, X) is (M, N), the samples of the fit along its rows. Which product with beta sums over them?",
    ),
    answer=lambda beta, X, X_new, k: kernel_lms.predict(beta, k(X_new, X)),
    variant=_predict,
    mistakes={
        "those are the N predictions for X, by K = k(X, X); the samples of X_new are to meet those of X": {
            "kernel": lambda k, X, X_new, beta: k(X, X)
        },
        "k is missing: X_new Xᵀ are the inner products of the samples, not of their features": {
            "kernel": lambda k, X, X_new, beta: X_new @ X.T
        },
        "you combined the samples, k(Σ_i beta_i x_i, z); beta combines their features: Σ_i beta_i k(x_i, z)": {
            "kernel": lambda k, X, X_new, beta: k(X_new, (beta @ X)[None]),
            "weights": _as_it_is,
            "total": lambda K, beta: K[:, 0],
        },
        "beta is missing: you summed the kernel values alone": {"weights": np.ones_like},
        "only the samples with beta_i > 0 are in the sum, as in an SVM; negative ones count too": {
            "weights": lambda beta: np.maximum(beta, 0)
        },
        "you took |beta_i|; their signs belong to them": {"weights": np.abs},
        "the sum over i is missing: those are the beta_i k(x_i, z) one by one": {"total": lambda K, beta: K * beta},
        "the sum runs over the new samples; for each of them it must run over the x_i": {
            "total": lambda K, beta: np.sum(K * beta, axis=0)
        },
        "all is summed into one number; every new sample has its own prediction": {
            "total": lambda K, beta: np.sum(K @ beta)
        },
        "it is divided by Σ_i k(x_i, z): that would be an average of the beta_i": {
            "weights": _as_it_is,
            "total": lambda K, beta: K @ beta / K.sum(axis=1),
        },
        "it is divided by Σ_i beta_i: beta holds coefficients of θ, not shares": {
            "total": lambda K, beta: K @ beta / beta.sum()
        },
        "the sign is taken: θ·φ(z) itself is the prediction, a number and not a class": {
            "weights": _as_it_is,
            "total": lambda K, beta: np.sign(K @ beta),
        },
        "that is the matrix k(X_new, X); its product with beta is still to come": {"total": lambda K, beta: K},
    },
    stops={
        "of shape (N, d)": "k takes matrices, a sample per row: z[None] makes one of a single sample z",
        "coefficients must be": "beta is a vector (N,), one coefficient for each row of X",
        "Z must be of shape (M, d)": "k(A, B) transposes by itself: both take a sample per row",
        "matmul": "k(X_new, X) is (M, N), k(X, X_new) is (N, M): beta (N,) must meet the side of the N samples of X",
        "broadcast": "k(X_new, X) is (M, N), k(X, X_new) is (N, M): beta (N,) must meet the side of the N samples of X",
        "not callable": "k is a function: k(X_new, X)",
        "not subscriptable": "k is a function, not a matrix: k(X_new, X) makes the matrix",
    },
    cases=_predict_cases,
    factors={
        "1/N": "θ is the sum of the beta_i φ(x_i), not their mean",
        "-": "the beta_i come with their signs",
    },
    also_right=(
        lambda beta, X, X_new, k: beta @ k(X, X_new),
        lambda beta, X, X_new, k: [
            sum(b * k(x[None], z[None])[0, 0] for b, x in zip(beta, X, strict=True)) for z in X_new
        ],
        lambda beta, X, X_new, k: kernels.expansion(k, X_new, X, beta),
    ),
)


def _kernel_bound(K, *, size=lambda K: np.linalg.eigvalsh(K)[-1], step=lambda a: 2 / a):
    return step(size(K))


def _bound_cases(rng):
    def one(label, N, d, kernel):
        X = rng.normal(size=(N, d))
        return Case(label, (kernels.gram(kernel, X),), {"N": N})

    return [
        one("1 + s + s² + s³", 5, 2, kernels.cubic_sum),
        one("a Gaussian kernel", 7, 3, lambda A, B: kernels.gaussian(A, B, 1.5)),
        one("inner products, also negative ones", 4, 6, kernels.linear),
        one("two samples", 2, 2, kernels.polynomial),
    ]


largest_step_of_kernel = Exercise(
    stars=3,
    notes="E, the kernel trick, erratum E17",
    ask="The number below which every eta > 0 makes beta ← beta + eta (y - K beta) converge from any start, and above "
    "which it diverges from almost all. K (N, N) is symmetric and positive definite. Return a number.",
    hints=(
        "The residual r = y - K beta becomes (I - eta K) r. By what is it multiplied along an eigenvector of K?",
        "|1 - eta λ| < 1 for every eigenvalue λ of K; the largest decides. np.linalg.eigvalsh gives them in order.",
    ),
    answer=kernel_lms.largest_step,
    variant=_kernel_bound,
    mistakes={
        "the smallest eigenvalue does not decide: along the largest the residual would already grow": {
            "size": lambda K: np.linalg.eigvalsh(K)[0]
        },
        "2/trace(K) is safe, but not the largest: the trace is the sum of all eigenvalues": {"size": np.trace},
        "that is the mean of the eigenvalues, trace(K)/N; the largest alone decides": {
            "size": lambda K: np.trace(K) / len(K)
        },
        "the eigenvalue is squared: those of K are the squares of the singular values of Phi already": {
            "size": lambda K: np.linalg.eigvalsh(K)[-1] ** 2
        },
        "the root of the eigenvalue is taken: K itself stands in the step, so its eigenvalue does": {
            "size": lambda K: np.sqrt(np.linalg.eigvalsh(K)[-1])
        },
        "2/(λ_max + λ_min) is the fastest step, not the largest": {
            "size": lambda K: np.linalg.eigvalsh(K)[[0, -1]].sum()
        },
        "the largest entry, a K_ii, is not the largest eigenvalue, which is no smaller; it bounds single visits": {
            "size": np.max
        },
        "the largest sum of |K_ij| in a row only bounds the eigenvalue from above: safe, but not the largest step": {
            "size": lambda K: np.abs(K).sum(axis=1).max()
        },
        "np.linalg.norm(K) is the root of the sum of all squared entries; the largest eigenvalue is norm(K, 2)": {
            "size": np.linalg.norm
        },
        "upside down: the larger the eigenvalue, the shorter the step": {"step": lambda a: a / 2},
        "that is the largest eigenvalue; the step is 2 divided by it": {"step": lambda a: a},
    },
    stops={"Python scalars": "np.linalg.eigvalsh gives all eigenvalues: one of them decides"},
    cases=_bound_cases,
    factors={
        "1/2": "1/λ_max is the bound for a loss without 1/2; here |1 - eta λ| < 1 allows 2/λ_max",
        "2": "the condition is |1 - eta λ_max| < 1, so eta λ_max < 2",
        "N": "the loss is a sum, not a mean",
        "1/N": "λ_max is that of K as it is, not of N K",
    },
    also_right=(
        lambda K: 2 / np.linalg.norm(K, 2),
        lambda K: 2 / max(np.linalg.eigvals(K).real),
        lambda K: 2 / np.linalg.svd(K)[1][0],
    ),
)

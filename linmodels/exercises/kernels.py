"""Exercises of chapter 12, kernels (note E). Features are judged by their inner products: no basis is better."""

from math import factorial

import numpy as np

from linmodels import kernels

from .grading.checker import Case, Construction, Exercise, Refused, Requirement

chapter = "12"


def _two_samples(rng, N, M, d):
    """X (N, d) and Z (M, d) of one unit or so; no two of N, M, d are equal, so that no wrong product goes through."""
    return rng.normal(size=(N, d)) + 0.5, rng.normal(size=(M, d)) + 0.5


def _inner_products(f, X, *rest):
    """Φ Φᵀ: all that counts of features."""
    (Phi,) = f(X, *rest)
    if Phi.ndim != 2 or len(Phi) != len(X):
        raise Refused(f"it must be a matrix with a row per sample, {len(X)} here; it is of shape {Phi.shape}")
    return [Phi @ Phi.T]


def _dot(X, Z, c, degree):
    return X @ Z.T


def _polynomial(X, Z, c, degree, *, s=_dot, power=lambda s, c, k: (s + c) ** k):
    return power(s(X, Z, c, degree), c, degree)


def _polynomial_cases(rng):
    def one(label, N, M, d, degree, c=None):
        return Case(label, (*_two_samples(rng, N, M, d), rng.uniform(1.5, 3) if c is None else c, degree))

    return [
        one("degree 3", 5, 4, 3, 3),
        one("degree 2", 3, 6, 2, 2),
        one("degree 1", 4, 2, 5, 1),
        one("c = 0, degree 4", 6, 5, 3, 4, 0.0),
    ]


polynomial_kernel = Exercise(
    stars=1,
    notes="E, errata E20, E22",
    ask="The matrix of all k(x, z) = (x·z + c)^degree: entry (i, j) belongs to row i of X and row j of Z. X (N, d) and "
    "Z (M, d) hold a sample per row, c >= 0 is a number, degree >= 1 a whole number. Return (N, M).",
    hints=(
        "First all N M inner products at once: which product of X and Z has x_i·z_j in row i and column j?",
        "S = X @ Z.T; then add c to every entry, and raise every entry to the power: **.",
    ),
    answer=kernels.polynomial,
    variant=_polynomial,
    mistakes={
        "each feature is raised to the power before they are summed; the power is that of the sum x·z + c": {
            "s": lambda X, Z, c, k: X**k @ (Z**k).T,
            "power": lambda s, c, k: s + c,
        },
        "** binds before @: X @ Z.T ** degree + c raises the entries of Z; bracket (X @ Z.T + c) first": {
            "s": lambda X, Z, c, k: X @ Z.T**k,
            "power": lambda s, c, k: s + c,
        },
        "c is added after the power; it stands inside: (x·z + c)^degree": {"power": lambda s, c, k: s**k + c},
        "x·z and c are raised to the power each: (a + b)^k is not a^k + b^k": {"power": lambda s, c, k: s**k + c**k},
        "c is missing: that is (x·z)^degree": {"power": lambda s, c, k: s**k},
        "c is missing: that is (x·z + 1)^degree": {"power": lambda s, c, k: (s + 1) ** k},
        "c is a factor, (c x·z)^degree; it is added": {"power": lambda s, c, k: (c * s) ** k},
        "c is subtracted; it is added": {"power": lambda s, c, k: (s - c) ** k},
        "the power is missing: that is x·z + c": {"power": lambda s, c, k: s + c},
        "degree is a factor; it is the power": {"power": lambda s, c, k: k * (s + c)},
        "the square is taken whatever degree is": {"power": lambda s, c, k: (s + c) ** 2},
        "the power is one too high": {"power": lambda s, c, k: (s + c) ** (k + 1)},
        "that is degree^(x·z + c); x·z + c is the base": {"power": lambda s, c, k: float(k) ** (s + c)},
        "that is c + s + s² + ... up to the degree; the power of a binomial has the binomial coefficients": {
            "power": lambda s, c, k: c + sum(s**j for j in range(1, k + 1))
        },
        "that is 1 + s + s² + ... up to the degree, as in chapter 11; here it is (s + c)^degree": {
            "power": lambda s, c, k: sum(s**j for j in range(k + 1))
        },
        "c is added to every feature of x and z; it is added once, to x·z": {
            "s": lambda X, Z, c, k: (X + c) @ (Z + c).T - c
        },
        "x·z is divided by d, the default of a well-known library (gamma = 1/d); there is no such factor here": {
            "s": lambda X, Z, c, k: X @ Z.T / X.shape[1]
        },
        "that is X with itself; the columns belong to the rows of Z": {"s": lambda X, Z, c, k: X @ X.T},
        "that is Z with itself; the rows belong to the rows of X": {"s": lambda X, Z, c, k: Z @ Z.T},
        "you took squared distances ‖x - z‖²; it is x·z": {"s": lambda X, Z, c, k: _squared(X, Z)},
        "x and z are scaled to length 1: x·z is no cosine": {"s": lambda X, Z, c, k: _unit(X) @ _unit(Z).T},
    },
    stops={
        "bitwise_xor": "^ is no power in Python: **",
        "must be square": "np.linalg.matrix_power multiplies matrices; every entry to a power is **",
        "matmul": "samples are the rows of X and Z: X @ Z.T is (N, M)",
        "not aligned": "samples are the rows of X and Z: X @ Z.T is (N, M)",
        "could not be broadcast": "X * Z multiplies row by row; every row of X meets every row of Z in X @ Z.T",
    },
    cases=_polynomial_cases,
    also_right=(
        lambda X, Z, c, degree: [[(x @ z + c) ** degree for z in Z] for x in X],
        lambda X, Z, c, degree: np.power(np.einsum("ij,kj->ik", X, Z) + c, degree),
        lambda X, Z, c, degree: np.hstack([X, np.full((len(X), 1), c)]).dot(np.c_[Z, np.ones(len(Z))].T) ** degree,
    ),
)


def _unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def _every_pair(X):
    return (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)


def _each_pair_once(cross, square=1.0):
    """The x_i x_j with i <= j, those with i < j times cross and the squares times square."""

    def pairs(X):
        i, j = np.triu_indices(X.shape[1])
        return np.where(i < j, cross, square) * X[:, i] * X[:, j]

    return pairs


def _quadratic(
    X, c, *, pairs=_every_pair, first=lambda c: np.sqrt(2 * c), last=lambda c: c, finish=lambda Phi, X, c: Phi
):
    return finish(np.column_stack([pairs(X), first(c) * X, np.full(len(X), last(c))]), X, c)


def _quadratic_cases(rng):
    def one(label, N, d, c=None):
        return Case(label, (rng.normal(size=(N, d)) + 0.5, rng.uniform(2.5, 4) if c is None else c))

    return [one("two features", 9, 2), one("three features", 13, 3), one("c = 0", 6, 3, 0.0), one("c < 1", 8, 4, 0.3)]


quadratic_features = Exercise(
    stars=2,
    notes="E, errata E22, E23",
    ask="Features φ(x) with φ(x)·φ(z) = (x·z + c)² for all x and z. X (N, d) holds a sample per row, c >= 0 is a "
    "number. Return a matrix with φ(x_n) in row n, which may not depend on the other rows of X. Order, signs and "
    "number of its columns are free: the inner products of its rows are judged.",
    hints=(
        "(x·z + c)² = Σ_i Σ_j (x_i x_j)(z_i z_j) + Σ_i 2c x_i z_i + c². Each term is a product: what of x, what of z?",
        "x_i x_j for all i and j, both orders; √(2c) x_i; and c. Check it: Phi @ Phi.T against (X @ X.T + c)**2.",
        "(X[:, :, None] * X[:, None, :]).reshape(len(X), -1) holds all x_i x_j; np.column_stack joins the parts.",
    ),
    answer=kernels.quadratic_features,
    variant=_quadratic,
    mistakes={
        "the first-order features are 2c x_i: their products give 4c² x·z; take √(2c) x_i": {"first": lambda c: 2 * c},
        "the first-order features are √c x_i: the 2 of 2c x·z is lost; take √(2c) x_i": {"first": np.sqrt},
        "the first-order features are c x_i: their products give c² x·z; take √(2c) x_i": {"first": lambda c: c},
        "the first-order features are √2 c x_i: c stands under the root too, √(2c) x_i": {
            "first": lambda c: np.sqrt(2) * c
        },
        "the first-order features are 2√c x_i: 2 stands under the root too, √(2c) x_i": {
            "first": lambda c: 2 * np.sqrt(c)
        },
        "the first-order features are √2 x_i: c is lost in √(2c) x_i": {"first": lambda c: np.sqrt(2)},
        "the first-order features are x_i, without the factor √(2c)": {"first": lambda c: 1.0},
        "the first-order features √(2c) x_i are missing": {"first": lambda c: 0.0},
        "the constant feature is missing: φ ends with c": {"last": lambda c: 0.0},
        "the constant feature is √c, whose square is c; c² is needed: take c": {"last": np.sqrt},
        "the constant feature is c², whose square is c⁴; c² is needed: take c": {"last": lambda c: c * c},
        "the constant feature is 1; it is c": {"last": lambda c: 1.0},
        "c is missing: those are the features of (x·z)² alone": {"first": lambda c: 0.0, "last": lambda c: 0.0},
        "c is missing: those are the features of (x·z + 1)²": {"first": lambda c: np.sqrt(2), "last": lambda c: 1.0},
        "you appended c to x and took all products: that gives (x·z + c²)²; append √c": {
            "first": lambda c: np.sqrt(2) * c,
            "last": lambda c: c * c,
        },
        "x_i x_j stands there once for each pair i < j, but twice in the sum: times √2, or both orders": {
            "pairs": _each_pair_once(1.0)
        },
        "the x_i x_j with i < j weigh twice too much: each once times √2, or both orders without a factor": {
            "pairs": _each_pair_once(2.0)
        },
        "the squares x_i² are multiplied by √2 too; they occur once in the sum": {
            "pairs": _each_pair_once(np.sqrt(2), np.sqrt(2))
        },
        "all x_i x_j in both orders need no √2: it stands for the second order where each pair is there once": {
            "pairs": lambda X: np.sqrt(2) * _every_pair(X)
        },
        "the products x_i x_j with i ≠ j are missing: those are the squares alone": {"pairs": lambda X: X * X},
        "the squares x_i² are missing": {"pairs": _each_pair_once(np.sqrt(2), 0.0)},
        "the squares x_i² are missing, and each x_i x_j with i < j needs √2": {"pairs": _each_pair_once(1.0, 0.0)},
        "the products x_i x_j are missing": {"pairs": lambda X: 0 * X},
        "those are the (x·z + c)² themselves; wanted are features that have them as inner products": {
            "finish": lambda Phi, X, c: (X @ X.T + c) ** 2
        },
        "c is added to each feature and all is squared, (x_i + c)²; there is x·z first, the sum": {
            "finish": lambda Phi, X, c: (X + c) ** 2
        },
        "φ(x) is scaled to length 1: (x·x + c)² is no 1": {"finish": lambda Phi, X, c: _unit(Phi)},
        "the mean of the features is subtracted; φ(x) must not depend on the other samples": {
            "finish": lambda Phi, X, c: Phi - Phi.mean(axis=0)
        },
    },
    factors={
        "2": "φ is √2 times too long",
        "1/2": "φ is √2 times too short",
    },
    stops={
        "must match exactly": "all parts need N rows: np.column_stack, and np.full(len(X), c) for the constant feature",
        "could not be broadcast": "X[:, :, None] * X[:, None, :] is (N, d, d), all x_i x_j of each sample",
        "matmul": "all x_i x_j of each sample are (N, d, d): X[:, :, None] * X[:, None, :]",
    },
    cases=_quadratic_cases,
    play=_inner_products,
    judged=("φ(x)·φ(z)",),
    also_right=(
        lambda X, c: kernels.polynomial_features(X, c, 2),
        lambda X, c: np.hstack([_each_pair_once(np.sqrt(2))(X), -((2 * c) ** 0.5) * X, np.full((len(X), 1), c)]),
        lambda X, c: _every_pair(np.column_stack([X, np.full(len(X), c**0.5)])),
        lambda X, c: [[*np.outer(x, x).ravel(), *(np.sqrt(2 * c) * x), c] for x in X],
    ),
)


def _squared(X, Z):
    return np.sum((X[:, None] - Z) ** 2, axis=2)


def _expanded(cross):
    """x·x + z·z + cross x·z."""
    return lambda X, Z: np.sum(X * X, axis=1)[:, None] + np.sum(Z * Z, axis=1) + cross * (X @ Z.T)


def _gaussian(
    X, Z, sigma, *, distance=_squared, exponent=lambda D, s: -D / (2 * s**2), finish=lambda E, s, d: np.exp(E)
):
    return finish(exponent(distance(X, Z), sigma), sigma, X.shape[1])


def _gaussian_cases(rng):
    def one(label, N, M, d, far=1.0):
        X, Z = _two_samples(rng, N, M, d)
        X[0], X[1] = Z[1], Z[0] + far
        return Case(label, (X, Z, rng.uniform(1.3, 1.9)))

    return [
        one("ordinary data, two equal samples", 5, 4, 3),
        one("far samples", 3, 6, 2, 60.0),
        one("one feature", 4, 3, 1),
        one("more features than samples", 3, 2, 7),
    ]


gaussian_kernel = Exercise(
    stars=2,
    notes="E, erratum E25",
    ask="The matrix of all k(x, z) = exp(-‖x - z‖²/(2 sigma²)): entry (i, j) belongs to row i of X and row j of Z. "
    "X (N, d) and Z (M, d) hold a sample per row, sigma > 0 is a number. Return (N, M).",
    hints=(
        "All differences at once: X[:, None] - Z is (N, M, d). Which axis do you square and sum?",
        "Or ‖x - z‖² = x·x + z·z - 2 x·z: a column, a row and one product of matrices.",
        "k(x, x) must be 1, and all values lie from 0 to 1: the minus belongs inside exp.",
    ),
    answer=kernels.gaussian,
    variant=_gaussian,
    mistakes={
        "the exponent needs a minus, which note E loses (erratum E25): far samples have a k near 0": {
            "exponent": lambda D, s: D / (2 * s**2)
        },
        "the distance is not squared: it is ‖x - z‖²": {"distance": lambda X, Z: np.sqrt(_squared(X, Z))},
        "the 2 is missing: the exponent is -‖x - z‖²/(2 sigma²), not -‖x - z‖²/sigma²": {
            "exponent": lambda D, s: -D / s**2
        },
        "sigma is not squared: the exponent is -‖x - z‖²/(2 sigma²), not -‖x - z‖²/(2 sigma)": {
            "exponent": lambda D, s: -D / (2 * s)
        },
        "that is exp(-‖x - z‖²/sigma): sigma is not squared, and the 2 is missing": {"exponent": lambda D, s: -D / s},
        "2 sigma is squared as a whole; the exponent is -‖x - z‖²/(2 sigma²), with 2 once": {
            "exponent": lambda D, s: -D / (2 * s) ** 2
        },
        "D / 2 * sigma**2 multiplies by sigma²: put 2 * sigma**2 in parentheses": {
            "exponent": lambda D, s: -D / 2 * s**2
        },
        "you multiplied by 2 sigma²; ‖x - z‖² is divided by it": {"exponent": lambda D, s: -D * (2 * s**2)},
        "sigma is a factor, as the gamma of other books: it is a width, ‖x - z‖² is divided by 2 sigma²": {
            "exponent": lambda D, s: -s * D
        },
        "sigma is missing: that is exp(-‖x - z‖²/2)": {"exponent": lambda D, s: -D / 2},
        "sigma and the 2 are missing: that is exp(-‖x - z‖²)": {"exponent": lambda D, s: -D},
        "‖x - z‖² = x·x + z·z - 2 x·z; you subtracted x·z once": {"distance": _expanded(-1)},
        "‖x - z‖² = x·x + z·z - 2 x·z; you added 2 x·z": {"distance": _expanded(2)},
        "‖x - z‖² = x·x + z·z - 2 x·z; - 2 x·z is missing": {"distance": _expanded(0)},
        "you took x·z in place of ‖x - z‖²": {"distance": lambda X, Z: X @ Z.T},
        "those are Σ|x_i - z_i|, not the sums of squares": {
            "distance": lambda X, Z: np.sum(np.abs(X[:, None] - Z), axis=2)
        },
        "you summed first and squared then; ‖x - z‖² is a sum of squares": {
            "distance": lambda X, Z: np.sum(X[:, None] - Z, axis=2) ** 2
        },
        "that is the mean of the squares, np.mean; ‖x - z‖² is their sum": {
            "distance": lambda X, Z: _squared(X, Z) / X.shape[1]
        },
        "‖x - z‖² is squared once more: a sum of squares is ‖x - z‖² already": {
            "distance": lambda X, Z: _squared(X, Z) ** 2
        },
        "that is X with itself; the columns belong to the rows of Z": {"distance": lambda X, Z: _squared(X, X)},
        "that is Z with itself; the rows belong to the rows of X": {"distance": lambda X, Z: _squared(Z, Z)},
        "exp is missing: that is the exponent": {"finish": lambda E, s, d: E},
        "that is 1 - k: k is 1 where x = z": {"finish": lambda E, s, d: 1 - np.exp(E)},
        "that is a density, divided by √(2π) sigma; k(x, x) = 1, there is no such factor": {
            "finish": lambda E, s, d: np.exp(E) / (np.sqrt(2 * np.pi) * s)
        },
        "that is a density in d dimensions, divided by (√(2π) sigma)^d; k(x, x) = 1, there is no such factor": {
            "finish": lambda E, s, d: np.exp(E) / (np.sqrt(2 * np.pi) * s) ** d
        },
    },
    stops={
        "could not be broadcast": "X - Z has no pairs; X[:, None] - Z is (N, M, d), and x·x + z·z needs [:, None]",
        "matmul": "samples are the rows of X and Z: X @ Z.T is (N, M)",
        "not aligned": "samples are the rows of X and Z: X @ Z.T is (N, M)",
        "only length-1": "math.exp takes one number; np.exp all of them",
        "only 0-dimensional": "math.exp takes one number; np.exp all of them",
    },
    cases=_gaussian_cases,
    also_right=(
        lambda X, Z, sigma: [[np.exp(-(np.linalg.norm(x - z) ** 2) / 2 / sigma**2) for z in Z] for x in X],
        lambda X, Z, sigma: np.exp(-0.5 * _expanded(-2)(X, Z) / sigma**2),
        lambda X, Z, sigma: np.prod(np.exp(-(((X[:, None] - Z) / sigma) ** 2) / 2), axis=2),
    ),
)


def _rounding(K):
    return 1e-9 * np.abs(K).max()


def _is_symmetric(K):
    return np.abs(K - K.T).max() <= _rounding(K)


def _unasked(K):
    return True


def _psd(
    Ks,
    *,
    symmetric=_is_symmetric,
    of=np.linalg.eigvalsh,
    least=lambda K: -_rounding(K),
    above=np.greater_equal,
    every=np.all,
    finish=np.asarray,
):
    return finish([bool(symmetric(K) and every(above(of(K), least(K)))) for K in Ks])


def _leading_minors(K):
    return np.array([np.linalg.det(K[:k, :k]) for k in range(1, len(K) + 1)])


def _with_block(block, N, rest=1.0):
    """block in the first two rows and columns, rest on the diagonal after it."""
    K = rest * np.eye(N)
    K[:2, :2] = block
    return K


def _spectrum(rng, values):
    """A symmetric matrix with these eigenvalues and no 0 in it."""
    V = np.linalg.qr(rng.normal(size=2 * (len(values),)))[0]
    K = (V * values) @ V.T
    return (K + K.T) / 2


def _kernel_matrices(rng, N):
    """Right ones and wrong ones, each of which some wrong test takes for the other; all far from the limit or on it."""
    u, s = rng.permutation(np.resize([1.0, -1.0, 2.0], N)), float(rng.integers(1, 4))
    tiny = 2e-15 * (u @ u)
    apart = np.abs(np.subtract.outer(np.arange(N), np.arange(N)))
    off = np.ones((N, N)) - np.eye(N)
    slanted = _spectrum(rng, rng.uniform(1, 2, N))
    slanted[0, 1] *= 1 + 1e-14  # symmetric but for rounding
    right = [
        _spectrum(rng, rng.uniform(1, 9, N)),
        np.exp(-0.7 * s * apart**2),
        np.diag(np.resize([0.0, s, 1.0], N)),  # an eigenvalue 0, without rounding
        np.diag(np.append(np.full(N - 1, s), 0.0)),
        np.outer(u, u) - tiny * np.eye(N),  # of rank 1, with eigenvalues that rounding made negative
        np.outer(u, u) + tiny * np.eye(N),
        1 + 0.3 * np.eye(N),
        slanted,
    ]
    wrong = [
        np.eye(N) + (1 + s) * off,  # all entries positive, the diagonal too
        _spectrum(rng, np.append([-1.0, -2.0], rng.uniform(3, 9, N - 2))),  # two negative eigenvalues, det > 0
        _spectrum(rng, np.append(-0.1, rng.uniform(1, 3, N - 1))),
        _with_block([[0.0, 0.0], [0.0, -s]], N, 2 * s),  # no leading minor is negative
        np.diag(np.append(np.ones(N - 1), -s)),
        _with_block([[0.0, s], [s, 2.0]], N),
        -_spectrum(rng, rng.uniform(1, 9, N)),
        -0.5 * s * apart**2.0,  # no entry on the diagonal is negative, but it is 0
        _with_block([[1.0, s / 4], [0.0, 1.0]], N),  # not symmetric, but eigenvalues 1, and u·Ku >= 0
        _with_block([[1.0, 4 * s], [0.0, 1.0]], N),  # eigenvalues 1; u·Ku < 0 for some u
        _with_block([[1.0, 0.0], [4 * s, 1.0]], N),  # as eigvalsh looks at the lower triangle
        _with_block([[1.0, -2.0], [2.0, 1.0]], N),  # u·Ku = ‖u‖², eigenvalues not real
        _with_block([[2.0, -1.0], [1.0, 2.0]], N),
    ]
    Ks = rng.permutation(np.array(right + wrong))
    return Ks * 2.0 ** rng.integers(-3, 3, (len(Ks), 1, 1))  # so that no limit but 0 will do


def _is_psd(Ks):
    return np.array([kernels.is_positive_semidefinite(K)[0] for K in Ks])


def _psd_cases(rng):
    return [Case(f"matrices {N} by {N}", (_kernel_matrices(rng, N),)) for N in (3, 2, 4, 5)]


is_psd = Exercise(
    stars=2,
    notes="E, erratum E31",
    ask="Which of these M matrices can be kernel matrices? Ks (M, N, N) holds square matrices K. Return M booleans, "
    "True where K is symmetric and u·Ku >= 0 for every u (N,). Let tol = 1e-9 max |K_ij|: eigenvalues from -tol to 0, "
    "and differences |K_ij - K_ji| up to tol, are rounding and count as 0.",
    hints=(
        "With the eigenvectors as axes, u·Ku = Σ_k λ_k a_k². When is that never negative?",
        "np.linalg.eigvalsh looks at one triangle of K and never asks for symmetry: compare K with K.T first.",
        "Both tests need room for rounding: tol = 1e-9 * np.abs(K).max().",
    ),
    answer=_is_psd,
    variant=_psd,
    mistakes={
        "0 is allowed: you demand eigenvalues > 0 (as Cholesky does), positive definite": {
            "least": lambda K: 0.0,
            "above": np.greater,
        },
        "0 is allowed: you demand eigenvalues clearly above 0, which a kernel matrix need not have": {
            "least": _rounding
        },
        "eigenvalues a little below 0 are rounding: compare with -1e-9 np.abs(K).max(), not with 0": {
            "least": lambda K: 0.0
        },
        "K need not be K.T to the last digit: differences below 1e-9 np.abs(K).max() are rounding": {
            "symmetric": lambda K: np.array_equal(K, K.T)
        },
        "symmetry is not tested: eigvalsh and Cholesky look at one triangle of K only": {"symmetric": _unasked},
        "symmetry is not tested: positive eigenvalues (np.linalg.eigvals) do not make K symmetric": {
            "symmetric": _unasked,
            "of": lambda K: np.linalg.eigvals(K).real,
        },
        "symmetry is not tested: that is u·Ku >= 0 alone, which (K + K.T)/2 decides": {
            "symmetric": _unasked,
            "of": lambda K: np.linalg.eigvalsh((K + K.T) / 2),
        },
        "only the symmetry is tested; u·Ku >= 0 is asked too (|λ| and singular values say nothing about it)": {
            "of": lambda K: 0.0
        },
        "you ask whether the entries of K are >= 0; it is the eigenvalues that must be": {"of": lambda K: K},
        "you ask whether the entries of K are > 0; it is the eigenvalues that must be >= 0": {
            "of": lambda K: K,
            "least": lambda K: 0.0,
            "above": np.greater,
        },
        "the determinant is no test: two negative eigenvalues make it positive": {"of": np.linalg.det},
        "a diagonal >= 0 is necessary, but not enough: the eigenvalues must be >= 0": {"of": np.diag},
        "the trace is the sum of the eigenvalues; none of them may be negative": {"of": np.trace},
        "leading minors >= 0 are not enough where one is 0; look at the eigenvalues": {"of": _leading_minors},
        "one eigenvalue >= 0 is enough for you (np.any, or the largest); all must be": {"every": np.any},
        "the signs are reversed: that is u·Ku <= 0": {"of": lambda K: -np.linalg.eigvalsh(K)},
        "that is True for every K: |λ| and singular values are never negative; take the eigenvalues themselves": {
            "symmetric": _unasked,
            "of": lambda K: 0.0,
        },
        "the booleans are reversed: True where K is positive semidefinite": {"finish": np.logical_not},
        "u·Ku is tested for u = (1, ..., 1) alone; it must hold for every u": {"of": np.sum},
        "a diagonal that outweighs the rest of its row is enough, but not necessary; look at the eigenvalues": {
            "of": lambda K: np.diag(K) + np.abs(np.diag(K)) - np.abs(K).sum(axis=1)
        },
    },
    stops={
        "not positive definite": "Cholesky demands eigenvalues > 0; 0 is allowed: np.linalg.eigvalsh",
        "truth value": "wanted is one boolean for each K: loop over Ks, and .all() over the entries of a K",
        "could not be broadcast": "Ks is a stack of matrices: K.T is that of one of them; for all, Ks.swapaxes(1, 2)",
    },
    cases=_psd_cases,
    also_right=(
        lambda Ks: [np.allclose(K, K.T) and np.linalg.eigvalsh(K).min() >= -1e-9 * np.abs(K).max() for K in Ks],
        lambda Ks: (
            (np.abs(Ks - Ks.swapaxes(1, 2)).max(axis=(1, 2)) <= (tol := 1e-9 * np.abs(Ks).max(axis=(1, 2))))
            & (np.linalg.eigvalsh(Ks)[:, 0] > -tol)
        ),
        lambda Ks: np.array([np.isclose(K, K.T).all() and (np.linalg.eigh(K)[0] > -1e-10).all() for K in Ks], float),
    ),
)


def _cut_series(X, Z):
    """k(x, z) = 1 - ‖x - z‖²/8, where exp(-‖x - z‖²/8) is cut off."""
    return 1 - _squared(X, Z) / 8


def _form(X, u):
    return u @ _cut_series(X, X) @ u


def _least_form(X, u):
    """The largest that rounding could make of u·Ku = 0."""
    return 1e-9 * np.sum(u * u) * np.abs(_cut_series(X, X)).max()


def _two_far_points():
    X = np.array([[-3.0], [3.0]])  # ‖x - z‖ = 6 > 4, so k = 1 - 36/8 = -3.5
    u = np.array([1.0, 1.0])  # u·Ku = 1 + 1 - 2 * 3.5 = -5
    return X, u


not_a_kernel = Construction(
    stars=2,
    notes="E, erratum E31",
    ask="k(x, z) = 1 - ‖x - z‖²/8 looks like the Gaussian kernel with σ = 2 while x and z are near, and yet it is no "
    "kernel. Return (X, u) that prove it: points X (N, d), one per row, and weights u (N,) with u·Ku < 0, "
    "K_ij = k(x_i, x_j). N and d are free; u·Ku must be negative beyond rounding.",
    hints=(
        "Two points at a distance r: K = [[1, 1 - r²/8], [1 - r²/8, 1]]. For which r is 1 - r²/8 < -1?",
        "Weights with the sum 0 never do. Take u = (1, 1), or the eigenvector of the smallest eigenvalue of K.",
    ),
    returns=("X", "u"),
    requirements=(
        Requirement(
            "X must be a matrix (N, d), a point per row; points that are numbers make a column: [[-1.0], [1.0]]",
            lambda X, u: np.ndim(X) == 2 and np.size(X) > 0,
            ([-3.0, 3.0], [1.0, 1.0]),
        ),
        Requirement(
            "u must be a vector (N,): one weight for each row of X",
            lambda X, u: np.shape(u) == (len(X),),
            ([[-3.0], [3.0]], [1.0, 1.0, 1.0]),
        ),
        Requirement(
            "all weights are 0, and so is u·Ku",
            lambda X, u: np.any(u),
            ([[-3.0], [3.0]], [0.0, 0.0]),
        ),
        Requirement(
            "for one point K = k(x, x) = 1, and u·Ku = u² is never negative: take more, different ones",
            lambda X, u: np.ptp(X, axis=0).any(),
            ([[-3.0], [-3.0]], [1.0, -1.0]),
        ),
        Requirement(
            "for these points K is positive semidefinite, and no weights will do; take others, farther apart",
            lambda X, u: not kernels.is_positive_semidefinite(_cut_series(X, X))[0],
            ([[-1.0], [1.0]], [1.0, 1.0]),
        ),
        Requirement(
            "the weights sum to 0: then u·Ku = ‖Σ u_n x_n‖²/4 >= 0 whatever the points are",
            lambda X, u: np.abs(np.sum(u)) > 1e-9 * np.abs(u).max(),
            ([[-3.0], [3.0]], [1.0, -1.0]),
        ),
        Requirement(
            "u·Ku is not negative; for these points there are other weights with which it is",
            lambda X, u: _form(X, u) < _least_form(X, u),
            ([[-3.0], [3.0]], [1.0, 0.0]),
        ),
        Requirement(
            "u·Ku is 0 but for rounding; it must be negative: take points farther apart, or other weights",
            lambda X, u: _form(X, u) < -_least_form(X, u),
            ([[0.0, 0.0], [3.0, 3.0]], [1.0, 2.0]),
        ),
    ),
    example=_two_far_points,
)


def _powers(
    x,
    sigma,
    n,
    *,
    ks=range,
    base=lambda x, s: x / s,
    divisor=lambda k: factorial(k) ** 0.5,
    decay=lambda x, s: np.exp(-(x**2) / (2 * s**2)),
    finish=lambda Phi, x, s: Phi,
):
    columns = [decay(x, sigma) * base(x, sigma) ** k / divisor(k) for k in ks(n)]
    return finish(np.array(columns).reshape(-1, len(x)).T, x, sigma)


def _gaussian_features_cases(rng):
    def one(label, N, n):
        sigma = rng.uniform(1.3, 1.9)
        return Case(label, (sigma * np.append(rng.uniform(1, 2), rng.normal(size=N - 1)), sigma, n))

    return [one("four features", 6, 4), one("twelve features", 5, 12), one("one feature", 4, 1), one("n = 2", 7, 2)]


gaussian_features = Exercise(
    stars=3,
    notes="E",
    ask="The first n of the endlessly many features behind k(x, z) = exp(-(x - z)²/(2 sigma²)) of two numbers: those "
    "with the powers x^0 to x^(n - 1), from the power series of exp(xz/sigma²), whose terms are split evenly between "
    "x and z. x (N,) holds numbers, sigma > 0 is a number, n >= 1 a whole number. Return (N, n); order and signs of "
    "the columns are free.",
    hints=(
        "exp(-(x - z)²/(2σ²)) = exp(-x²/(2σ²)) exp(-z²/(2σ²)) exp(xz/σ²). The first two factors are split already.",
        "exp(u) = Σ_k u^k/k!, with u = (x/σ)(z/σ). Which part of u^k/k! belongs to x, so that z gets the same?",
        "φ_k(x) = exp(-x²/(2σ²)) (x/σ)^k/√k!, k = 0..n-1; math.factorial takes one k at a time.",
    ),
    answer=kernels.gaussian_features,
    variant=_powers,
    mistakes={
        "you divided by k!, but x and z both do: √k! each": {"divisor": factorial},
        "k! is missing: the series is Σ u^k/k!, √k! for x and as much for z": {"divisor": lambda k: 1.0},
        "you multiplied by √k!; divide by it": {"divisor": lambda k: 1 / factorial(k) ** 0.5},
        "the factorial is that of k + 1; it is k!, with 0! = 1": {"divisor": lambda k: factorial(k + 1) ** 0.5},
        "you divided by √k, without the factorial: it is √k!, with 0! = 1": {"divisor": lambda k: np.sqrt(max(k, 1))},
        "you divided by √n!, all columns alike; it is √k!": {
            "divisor": lambda k: 1.0,
            "finish": lambda Phi, x, s: Phi / factorial(Phi.shape[1]) ** 0.5,
        },
        "the factor exp(-x²/(2 sigma²)) is missing": {"decay": lambda x, s: np.ones_like(x)},
        "that is exp(-x²/sigma²), z's factor along with it; x's own is exp(-x²/(2 sigma²))": {
            "decay": lambda x, s: np.exp(-(x**2) / s**2)
        },
        "that is exp(-x²/(4 sigma²)): the factor exp(-x²/(2 sigma²)) is x's own already, do not halve it": {
            "decay": lambda x, s: np.exp(-(x**2) / (4 * s**2))
        },
        "the factor is exp(-x²/(2 sigma²)), with a minus": {"decay": lambda x, s: np.exp(x**2 / (2 * s**2))},
        "sigma is missing in the factor exp(-x²/(2 sigma²))": {"decay": lambda x, s: np.exp(-(x**2) / 2)},
        "sigma is not squared in the factor exp(-x²/(2 sigma²))": {"decay": lambda x, s: np.exp(-(x**2) / (2 * s))},
        "x is not squared in the factor exp(-x²/(2 sigma²))": {"decay": lambda x, s: np.exp(-x / (2 * s**2))},
        "sigma is missing in the power: it is (x/sigma)^k": {"base": lambda x, s: x},
        "that is (x/sigma²)^k; of xz/sigma² x gets x/sigma": {"base": lambda x, s: x / s**2},
        "that is (x/(√2 sigma))^k: the 2 of 2xz and that of 2 sigma² cancel, x/sigma is left": {
            "base": lambda x, s: x / (np.sqrt(2) * s)
        },
        "that is (√2 x/sigma)^k: the 2 of 2xz and that of 2 sigma² cancel, x/sigma is left": {
            "base": lambda x, s: np.sqrt(2) * x / s
        },
        "you multiplied by sigma: it is (x/sigma)^k": {"base": lambda x, s: x * s},
        "sigma is missing everywhere: that is its value 1": {
            "base": lambda x, s: x,
            "decay": lambda x, s: np.exp(-(x**2) / 2),
        },
        "the powers begin with k = 1; the first feature has k = 0": {"ks": lambda n: range(1, n + 1)},
        "there is one feature too many: n of them are k = 0..n-1": {"ks": lambda n: range(n + 1)},
        "the last feature is missing: n of them are k = 0..n-1": {"ks": lambda n: range(n - 1)},
        "the powers are 2k; odd powers belong to it too": {"ks": lambda n: range(0, 2 * n, 2)},
        "those are the k(x, z) themselves; wanted are features that give them as inner products": {
            "finish": lambda Phi, x, s: kernels.gaussian(x[:, None], x[:, None], s)
        },
        "those are the inner products already; wanted are the features": {"finish": lambda Phi, x, s: Phi @ Phi.T},
        "that is the sum of the features of x, one number each; they are n columns": {
            "finish": lambda Phi, x, s: Phi.sum(axis=1, keepdims=True)
        },
    },
    factors={"2": "φ is √2 times too long", "1/2": "φ is √2 times too short"},
    stops={
        "could not be broadcast": "x[:, None] is (N, 1), np.arange(n) is (n,): the power of all pairs is (N, n)",
        "integer scalar": "math.factorial takes one k at a time: [math.factorial(k) for k in range(n)]",
        "scalar": "math.factorial takes one k at a time: [math.factorial(k) for k in range(n)]",
        "cannot be interpreted as an integer": "math.factorial takes one whole number at a time",
        "has no attribute 'factorial'": "from math import factorial",
        "need at least one array": "n features are k = 0..n-1: for n = 1 that is one",
    },
    cases=_gaussian_features_cases,
    play=_inner_products,
    judged=("φ(x)·φ(z)",),
    also_right=(
        lambda x, sigma, n: np.stack(
            [np.exp(-(x**2) / 2 / sigma**2) * x**k / sigma**k / factorial(k) ** 0.5 for k in range(n)], axis=1
        ),
        lambda x, sigma, n: [
            [(-v / sigma) ** k * np.exp(-((v / sigma) ** 2) / 2) / np.sqrt(factorial(k)) for k in range(n)] for v in x
        ],
        lambda x, sigma, n: kernels.gaussian_features(x, sigma, n)[:, ::-1],
    ),
)


def _clipped(values):
    return np.sqrt(np.maximum(values, 0))


def _scaled_columns(V, r):
    return V * r


def _mercer(
    K, *, of=lambda K: K, root=_clipped, columns=lambda V: V, keep=lambda K, values: slice(None), make=_scaled_columns
):
    values, V = np.linalg.eigh(of(K))
    kept = keep(K, values)
    return make(columns(V)[:, kept], root(values)[kept])


def _centred(K):
    return K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()


def _rank(values):
    return int(np.sum(values > 1e-9 * values[-1]))


def _from_parts(split, make):
    return lambda K: make(*split(K))


def _gram_matrix(rng, N, r):
    """K (N, N) of rank r < N, whose other eigenvalues rounding has made negative, or of rank N."""
    values = rng.uniform(1, 4, r) * np.arange(1, r + 1)
    return _spectrum(rng, np.append(np.full(N - r, -2e-15 * values.max()), values))


mercer_features = Exercise(
    stars=3,
    notes="E",
    ask="For a kernel matrix K (N, N), symmetric and positive semidefinite, return features of its N samples: Phi with "
    "N rows and Phi Phiᵀ = K. K need not have full rank, and eigenvalues that rounding has made negative count as 0. "
    "Number, order and signs of the columns are free: Phi Phiᵀ is judged.",
    hints=(
        "K = V Λ Vᵀ, the eigenvectors as columns of V (np.linalg.eigh). Λ must be split evenly between left and right.",
        "Φ = V√Λ: column k of V times √λ_k. Where rounding made λ_k negative, √ would be nan: np.maximum(λ, 0) first.",
    ),
    answer=kernels.mercer_features,
    variant=_mercer,
    mistakes={
        "ΦΦᵀ is K²: an eigenvector is scaled by √λ, not by λ (and K itself is no answer)": {
            "root": lambda v: np.maximum(v, 0)
        },
        "ΦΦᵀ is I: the eigenvectors have length 1; scale each by √λ": {"root": np.ones_like},
        "ΦΦᵀ is I on the space of K: the eigenvectors with λ > 0 have length 1; scale each by √λ": {
            "root": lambda v: (v > 1e-9 * v[-1]).astype(float)
        },
        "that is √Λ Vᵀ or √Λ V, a diagonal ΦΦᵀ: a row belongs to a sample, √λ_k to column k of V": {
            "make": lambda V, r: (V * r).T
        },
        "that is √S Uᵀ of the SVD, a diagonal ΦΦᵀ: a row belongs to a sample, take its transpose U√S": {
            "make": lambda V, r: (V * r)[:, ::-1].T
        },
        "rounding made an eigenvalue negative, and its root is nan: np.maximum(λ, 0), or leave it out": {
            "root": lambda v: np.sqrt(v)
        },
        "the eigenvectors are the columns of V, V[:, k]; you took its rows": {"columns": lambda V: V.T},
        "eigh sorts the eigenvalues from small to large: you reversed them, but not the columns of V": {
            "root": lambda v: _clipped(v[::-1])
        },
        "only the largest eigenvalue is used; every one above 0 has a column": {"keep": lambda K, v: slice(-1, None)},
        "the largest eigenvalue is left out; every one above 0 has a column": {"keep": lambda K, v: slice(-1)},
        "the first columns of V have the smallest eigenvalues, those near 0; the last ones are wanted": {
            "keep": lambda K, v: slice(_rank(v))
        },
        "only two columns are kept; every eigenvalue above 0 has one": {"keep": lambda K, v: slice(-2, None)},
        "K is centred first, as in kernel PCA; ΦΦᵀ must be K": {"of": _centred},
        "K is scaled to a diagonal of 1 first, cosines; ΦΦᵀ must be K": {
            "of": lambda K: K / np.sqrt(np.outer(K.diagonal(), K.diagonal()))
        },
        "the roots are those of the entries of K; take those of its eigenvalues": {
            "make": lambda V, r: np.sqrt((V * r**2) @ V.T)
        },
        "the roots are those of the |entries| of K; take those of its eigenvalues": {
            "make": lambda V, r: np.sqrt(np.abs((V * r**2) @ V.T))
        },
        "that is λ^(1/4), the root twice: ΦΦᵀ = K needs √λ": {"root": lambda v: np.sqrt(_clipped(v))},
    },
    factors={"2": "φ is √2 times too long", "1/2": "φ is √2 times too short"},
    stops={
        "not positive definite": "Cholesky needs full rank: take the eigenvectors, np.linalg.eigh",
        "Singular matrix": "K need not have an inverse: take the eigenvectors, np.linalg.eigh",
    },
    cases=lambda rng: [
        Case(label, (_gram_matrix(rng, N, r),))
        for label, N, r in (("full rank", 5, 5), ("rank 3 of 6", 6, 3), ("rank 4 of 5", 5, 4), ("rank 1 of 3", 3, 1))
    ],
    play=_inner_products,
    judged=("ΦΦᵀ",),
    also_right=(
        _from_parts(np.linalg.eigh, lambda v, V: V * np.sqrt(np.maximum(v, 0))),
        _from_parts(np.linalg.eigh, lambda v, V: -(V * np.sqrt(np.abs(v)))[:, ::-1]),
        _from_parts(np.linalg.svd, lambda U, S, Vh: U * np.sqrt(S)),
        _from_parts(np.linalg.eigh, lambda v, V: (V * _clipped(v)) @ V.T),  # the root of K
    ),
)

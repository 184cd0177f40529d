"""Exercises of chapter 12, kernels (note E). Features are judged by their inner products: no basis is better."""

import math

import numpy as np

from .grading.answers import equal
from .grading.checker import Case, Construction, Exercise, Refused, Requirement

chapter = "12"
OTHER_ROWS = "φ(x_n) depends on other samples (are they in your matrix of products?); make it from x_n alone"
LONG = {"2": "φ is √2 times too long", "1/2": "φ is √2 times too short"}


def _inner_products(f, X, *rest):
    """ΦΦᵀ, all that counts of features, and 1 if a row of Φ depends on other rows of X, which it may if X is a K."""
    (Phi,) = f(X, *rest)
    if Phi.ndim != 2 or len(Phi) != len(X):
        raise Refused(f"it must be a matrix with a row per sample, {len(X)} here; it is of shape {Phi.shape}")
    if not rest:
        return [Phi @ Phi.T]
    (fewer,) = f(X[::-2], *rest)
    return [Phi @ Phi.T, np.array(float(not equal(fewer, Phi[::-2])))]


def _polynomial(X, Z, c, degree):
    return (X @ Z.T + c) ** degree


def _polynomial_cases(rng):
    cases, sizes = [], ((5, 5, 3, 3, 2.3), (3, 6, 2, 2, 1.7), (4, 1, 2, 5, 0.4), (6, 5, 3, 4, 0.0), (4, 2, 5, 1, 3.1))
    for N, M, d, degree, c in sizes:
        X, Z = rng.normal(size=(N, d)) + 0.5, rng.normal(size=(M, d)) + 0.5
        X[0] *= np.sqrt((c + 2) / (X[0] @ X[0]))
        Z[-1] = -X[0]  # x·z + c = -2
        cases.append(Case(f"degree {degree}, c = {c}, {M} rows of Z", (X, Z, c, degree)))
    return cases


def _quadratic(X, c):
    pairs = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    return np.column_stack([pairs, np.sqrt(2 * c) * X, np.full(len(X), c)])


PAIRS, FIRST, CONSTANT = "X[:, :, None] * X[:, None, :]", "np.sqrt(2 * c) * X", "np.full(len(X), c)"
quadratic_features = Exercise(
    stars=2,
    notes="E, errata E22, E23",
    ask="Return features φ(x) with φ(x)·φ(z) = (x·z + c)² for all x and z: a matrix with φ(x_n) in row n. X (N, d) "
    "holds a sample per row, c >= 0 is a number. Row n may not depend on the other rows of X. Order, signs and number "
    "of its columns are free: the inner products of its rows are judged.",
    hints=(
        "(x·z + c)² = Σ_i Σ_j (x_i x_j)(z_i z_j) + Σ_i 2c x_i z_i + c². Each term is a product: what of x, what of z?",
        "(X[:, :, None] * X[:, None, :]).reshape(len(X), -1) holds all x_i x_j; then √(2c) x_i and c: np.column_stack.",
    ),
    answer=_quadratic,
    mistakes=(
        (FIRST, "2 * c * X", "your 2c x_i gives 4c² x·z in the product: take √(2c) x_i"),
        (FIRST, "np.sqrt(c) * X", "your √c x_i gives c x·z in the product, without the 2: take √(2c) x_i"),
        (FIRST, "X", "the x_i need the factor √(2c): their part of the product is 2c x·z"),
        (f"{FIRST}, ", "", "the features √(2c) x_i are missing"),
        (f", {CONSTANT}", "", "the constant feature is missing: φ ends with c"),
        (CONSTANT, "np.full(len(X), np.sqrt(c))", "your constant feature √c gives c in the product, not c²: take c"),
        (PAIRS, f"np.triu({PAIRS})", "x_i x_j with i < j stands there once, but is twice in the sum: times √2"),
        (PAIRS, "X * X", "the products x_i x_j with i ≠ j are missing: those are the squares alone"),
        ("pairs =", "return (X @ X.T + c) ** 2 #", "those are the (x·z + c)²; features that give them are wanted"),
        (FIRST, f"{FIRST}, np.zeros((len(X), len(X)))", OTHER_ROWS),
    ),
    factors=LONG,
    cases=lambda rng: [
        Case(f"N = {N}, d = {d}, c = {c}", (rng.normal(size=(N, d)) + 0.5, c))
        for N, d, c in ((9, 2, 3.1), (6, 3, 0.0), (8, 4, 0.3), (5, 1, 1.6), (1, 3, 1.8))
    ],
    play=_inner_products,
    judged=("φ(x)·φ(z)", "the dependence on other rows"),
)


polynomial_kernel = Exercise(
    stars=1,
    notes="E, errata E20, E22",
    ask="Return the matrix (N, M) of all k(x, z) = (x·z + c)^degree: entry (i, j) belongs to row i of X and row j of "
    "Z. X (N, d) and Z (M, d) hold a sample per row, c >= 0 is a number, degree >= 1 a whole number.",
    hints=(
        "First all N M inner products at once: which product of X and Z has x_i·z_j in row i and column j?",
        "S = X @ Z.T; then add c to every entry, and raise every entry to the power: **.",
    ),
    answer=_polynomial,
    mistakes=(
        ("(X @ Z.T + c) ** degree", "X @ Z.T ** degree + c", "** binds before @ and +: put X @ Z.T + c in parentheses"),
        ("+ c) ** degree", ") ** degree + c", "you added c after the power; it stands inside: (x·z + c)^degree"),
        ("** degree", "* degree", "you multiplied by degree; it is the power: **"),
        ("** degree", "** 2", "you took the square; the power is degree"),
        ("X @ Z.T + c", "(X + c) @ (Z + c).T", "you added c to every feature; it is added once, to x·z"),
        ("X @ Z.T", "X @ Z.T / X.shape[1]", "you divided x·z by d, as a well-known library does (gamma = 1/d)"),
        ("Z.T", "X.T", "that is X with itself; the columns belong to the rows of Z"),
    ),
    cases=_polynomial_cases,
)


def _is_psd(Ks):
    def test(K):
        tol = 1e-9 * np.abs(K).max()
        return np.abs(K - K.T).max() <= tol and np.linalg.eigvalsh(K).min() >= -tol

    return np.array([test(K) for K in Ks])


def _spectrum(rng, values):
    """A symmetric matrix with these eigenvalues and no 0 in it."""
    V = np.linalg.qr(rng.normal(size=2 * (len(values),)))[0]
    K = (V * values) @ V.T
    return (K + K.T) / 2


def _kernel_matrices(rng, N):
    """Right ones and wrong ones, each of which some wrong test takes for the other, none near the limit."""
    u, s, tiny = rng.permutation(np.resize([1.0, -1.0, 2.0], N)), float(rng.integers(1, 4)), 5e-13
    I, shift, definite = np.eye(N), np.eye(N, k=1), _spectrum(rng, rng.uniform(2, 3, N))
    right = [_spectrum(rng, rng.uniform(1, 9, N)), np.diag(np.resize([0.0, s, 1.0], N)), definite + tiny * shift]
    right += [np.outer(u, u) - tiny * I, np.outer(u, u) + tiny * I]  # of rank 1, but for rounding
    wrong = [definite + 5e-3 * shift, _spectrum(rng, np.append(-5e-3, rng.uniform(2, 3, N - 1)))]
    wrong += [np.diag(np.resize([0.0, -s, 2 * s], N)), -0.5 * s * (u[:, None] - u) ** 2]  # no minor, no diagonal < 0
    wrong += [_spectrum(rng, np.append([-1.0, -2.0], rng.uniform(3, 9, N - 2))), 1 + s - s * I]  # det > 0, entries > 0
    wrong += [I + 4 * s * shift, I + 4 * s * shift.T, I + 2 * shift - 2 * shift.T, I - 4 * np.diag(I[-1])]
    return rng.permutation(np.array(right + wrong))


def _psd_cases(rng):
    cases = []
    for N, of, powers in ((3, "", [-2, 0]), (2, "tiny ", [-46, -43]), (4, "huge ", [40, 43]), (5, "all ", [-44, 42])):
        Ks = _kernel_matrices(rng, N)
        cases.append(Case(f"{of}matrices {N} by {N}", (Ks * 2.0 ** rng.choice(powers, (len(Ks), 1, 1)),)))
    return cases


SYMMETRIC, EIGENVALUES = "np.abs(K - K.T).max() <= tol", "np.linalg.eigvalsh(K)"
BOTH = f"{SYMMETRIC} and {EIGENVALUES}"
is_psd = Exercise(
    stars=2,
    notes="E, erratum E31",
    ask="Return M booleans: which of these M matrices can be kernel matrices? Ks (M, N, N) holds square matrices K. "
    "Let m be the largest |K_ij| of a matrix; it may be large or small. True where K is symmetric and u·Ku >= 0 for "
    "every u (N,). Rounding does not count: differences and negative eigenvalues below 1e-12 m are rounding, those "
    "above 1e-3 m are not; none lie between.",
    hints=(
        "With the eigenvectors as axes, u·Ku = Σ_k λ_k a_k². When is that never negative?",
        "np.linalg.eigvalsh looks at one triangle only: compare K with K.T too. In both, tol = 1e-9 * np.abs(K).max().",
    ),
    answer=_is_psd,
    mistakes=(
        (">= -tol", "> 0", "eigenvalues may be 0; you ask for more than 0, as Cholesky does (positive definite)"),
        (">= -tol", ">= 0", "eigenvalues a little below 0 are rounding: compare with -tol, not with 0"),
        ("1e-9 * np.abs(K).max()", "1e-9", "your tolerances are fixed numbers; they must grow with max |K_ij|"),
        (SYMMETRIC, "(K == K.T).all()", "K and K.T may differ by rounding: compare them with a tolerance"),
        (SYMMETRIC, "np.allclose(K, K.T)", "np.allclose takes all below 1e-8 as equal: set atol in proportion to K"),
        (BOTH, EIGENVALUES, "you do not test the symmetry: eigvalsh looks at one triangle of K only"),
        (BOTH, "np.linalg.eigvals(K).real", "you do not test the symmetry: eigvals > 0 do not make K symmetric"),
        (f" and {EIGENVALUES}.min() >= -tol", "", "you test the symmetry only; u·Ku >= 0 for every u is asked too"),
        (EIGENVALUES, "K", "you test the entries of K; its eigenvalues must be >= 0"),
        (EIGENVALUES, "np.linalg.det(K)", "the determinant is no test: two negative eigenvalues make it positive"),
        (".min() >=", ".max() >=", "one eigenvalue >= 0 is enough for you (np.any, or the largest); all must be"),
        ("np.array([test(K) for K in Ks])", "all(map(test, Ks))", "one answer for all: give one for each matrix"),
    ),
    cases=_psd_cases,
)


def _gaussian(X, Z, sigma):
    D = np.sum((X[:, None] - Z) ** 2, axis=2)
    return np.exp(-D / (2 * sigma**2))


def _gaussian_cases(rng):
    sizes = (5, 4, 3, 2, 0, 0), (4, 3, 1, 0.6, 0, 0), (3, 2, 7, 2, 60, 50), (4, 5, 2, 2, 0, 1e6), (5, 1, 3, 2, 9, 0)
    cases = []
    for N, M, d, sigma, away, far in sizes:
        X, Z = rng.normal(size=(N, d)) + away, rng.normal(size=(M, d))
        X[0] = Z[-1] if M > 1 else X[0]
        label = f"{M} rows of Z, d = {d}" + ", near 10^6, where ‖x‖² + ‖z‖² - 2x·z cancels" * (far > 50)
        cases.append(Case(label, (X + far + 0.5, Z + far + 0.5, sigma * rng.uniform(0.9, 1.1))))
    return cases


DENSITY = "(2 * np.pi * sigma**2) ** (-len(X.T) / 2)"
EXPANDED = "np.sum(X**2, axis=1)[:, None] + np.sum(Z**2, axis=1) - 2 * X @ Z.T"
SQUARES, WIDTH = "np.sum((X[:, None] - Z) ** 2, axis=2)", "(2 * sigma**2)"
gaussian_kernel = Exercise(
    stars=2,
    notes="E, erratum E25",
    ask="Return the matrix (N, M) of all k(x, z) = exp(-‖x - z‖²/(2 sigma²)): entry (i, j) belongs to row i of X and "
    "row j of Z. X (N, d) and Z (M, d) hold a sample per row, which may lie far from 0; sigma > 0 is a number.",
    hints=(
        "All differences at once: X[:, None] - Z is (N, M, d). Which axis do you square and sum?",
        "x·x + z·z - 2 x·z is the same, but far from 0 its digits are lost. The minus is inside exp: k(x, x) = 1.",
    ),
    answer=_gaussian,
    mistakes=(
        ("np.exp(-D", "1 / np.sqrt(2 * np.pi * sigma**2) * np.exp(-D", "that is a density: k(x, x) is 1"),
        ("-D", "D", "the exponent needs a minus, which note E leaves out (erratum E25): far samples have a k near 0"),
        ("-D", "-np.sqrt(D)", "the distance is not squared: it is ‖x - z‖²"),
        (WIDTH, "sigma**2", "the 2 is missing: divide ‖x - z‖² by 2 sigma²"),
        (WIDTH, "(2 * sigma) ** 2", "you squared 2 sigma as a whole: it is 2 sigma², only sigma is squared"),
        (WIDTH, "2 * sigma**2", "D / 2 * sigma**2 multiplies by sigma²: put 2 * sigma**2 in parentheses"),
        (SQUARES, EXPANDED, "far from 0 the digits of ‖x‖² + ‖z‖² - 2x·z are lost: square the differences"),
        ("(X[:, None] - Z) ** 2", "np.abs(X[:, None] - Z)", "you summed |x_i - z_i|; ‖x - z‖² is the sum of squares"),
        ("np.exp(", "(", "exp is missing: that is the exponent"),
        ("- Z", "- X", "that is X with itself; the columns belong to the rows of Z"),
        ("return", f"return {DENSITY} *", "that is a density in d dimensions: k(x, x) is 1"),
    ),
    cases=_gaussian_cases,
)


def _gaussian_features(x, sigma, n):
    u = x / sigma
    columns = [np.exp(-(u**2) / 2) * u**k / math.sqrt(math.factorial(k)) for k in range(n)]
    return np.stack(columns, axis=1)


def _gaussian_features_cases(rng):
    sizes = ((6, 4, 1.7), (5, 12, 1.4), (4, 1, 1.6), (7, 2, 0.6), (1, 3, 1.8), (2, 24, 0.7))
    draw = [(np.append(rng.uniform(1, 2), rng.normal(size=N - 1)), n, sigma) for N, n, sigma in sizes]
    far = {24: 2.5}  # where high powers count
    return [Case(f"{len(u)} numbers, n = {n}", (far.get(n, 1) * sigma * u, sigma, n)) for u, n, sigma in draw]


ROOT, DECAY = "math.sqrt(math.factorial(k))", "np.exp(-(u**2) / 2)"
gaussian_features = Exercise(
    stars=3,
    notes="E",
    ask="Return (N, n), the first n of infinitely many features behind k(x, z) = exp(-(x - z)²/(2 sigma²)) of two "
    "numbers: those with the powers x^0 to x^(n - 1), from the series of exp(xz/sigma²), each term split evenly "
    "between x and z. x (N,), sigma > 0, n >= 1 a whole number. Row i comes from x_i alone; order and signs of the "
    "columns are free.",
    hints=(
        "exp(-(x - z)²/(2σ²)) = exp(-x²/(2σ²)) exp(-z²/(2σ²)) exp(xz/σ²). The first two factors are split already.",
        "exp(u) = Σ_k u^k/k!, with u = (x/σ)(z/σ). Which part of u^k/k! belongs to x, so that z gets the same?",
        "φ_k(x) = exp(-x²/(2σ²)) (x/σ)^k/√k!, k = 0..n-1; math.factorial takes one k at a time.",
    ),
    answer=_gaussian_features,
    mistakes=(
        (ROOT, "math.factorial(k)", "you divided by k!, and z does so too: the product has k! twice; take √k!"),
        (ROOT, "1", "k! is missing: the series is Σ u^k/k!, so x and z are divided by √k! each"),
        (f"{DECAY} * ", "", "the factor exp(-x²/(2 sigma²)) is missing"),
        (DECAY, "np.exp(-(u**2))", "you took exp(-x²/sigma²); the factor of x is exp(-x²/(2 sigma²))"),
        ("u**k", "x**k", "sigma is missing in the power: it is (x/sigma)^k"),
        ("range(n)", "range(1, n + 1)", "your powers begin with k = 1; the first feature has k = 0"),
        ("u = x", "return _gaussian(x[:, None], x[:, None], sigma) #", "those are the k(x, z); features are wanted"),
        ("np.stack(columns, axis=1)", "np.pad(np.transpose(columns), ((0, 0), (0, len(x))))", OTHER_ROWS),
        ("range(n)", "range(n + 1)", "those are n + 1 powers, 0 to n: the series has n terms, 0 to n - 1"),
    ),
    factors=LONG,
    cases=_gaussian_features_cases,
    play=_inner_products,
    judged=("φ(x)·φ(z)", "the dependence on other rows"),
)


def _cut_series(X):
    """k(x, z) = 1 - ‖x - z‖²/8, where exp(-‖x - z‖²/8) is cut off."""
    return 1 - np.sum((X[:, None] - X) ** 2, axis=2) / 8


def _form(X, u):
    """u·Ku, in units of what rounding could make of 0."""
    K, u = _cut_series(X), u / np.abs(u).max()
    return u @ K @ u / (1e-9 * np.sum(u * u) * np.abs(K).max())


def _two_far_points():
    X = np.array([[-3.0], [3.0]])  # ‖x - z‖ = 6 > 4, so k = 1 - 36/8 = -3.5
    u = np.array([1.0, 1.0])  # u·Ku = 1 + 1 - 2 * 3.5 = -5
    return X, u


FAR = [[-3.0], [3.0]]
SHAPES = "X must be a matrix (N, d), a point per row (numbers make a column, [[-1.0], [1.0]]), u a vector (N,)"
LARGE = "your numbers are too large to compute with: distances of 10 are far enough"
ONE_POINT = "for one point u·Ku = u² is never negative: take more, different ones"
NEAR = "for these points K is positive semidefinite, and no weights will do: take points farther apart"
SUM_0 = "the weights sum to 0: then u·Ku = ‖Σ u_n x_n‖²/4 >= 0 whatever the points are"
POSITIVE = "u·Ku is not negative; for these points there are other weights with which it is"
ROUNDING = "u·Ku is 0 but for rounding; it must be negative: take points farther apart, or other weights"
not_a_kernel = Construction(
    stars=2,
    notes="E, erratum E31",
    ask="Return (X, u) that prove that k(x, z) = 1 - ‖x - z‖²/8 is no kernel, although it looks like the Gaussian one "
    "with σ = 2 while x and z are near: points X (N, d), one per row, and weights u (N,) with u·Ku < 0, K_ij = k(x_i, "
    "x_j). N and d are free; u·Ku must be negative beyond rounding.",
    hints=(
        "Two points at a distance r: K = [[1, 1 - r²/8], [1 - r²/8, 1]]. For which r is 1 - r²/8 < -1?",
        "Weights with the sum 0 never do. Take u = (1, 1), or the eigenvector of the smallest eigenvalue of K.",
    ),
    returns=("X", "u"),
    requirements=(
        Requirement(SHAPES, lambda X, u: np.ndim(X) == 2 and np.size(X) > 0 and np.shape(u) == (len(X),), (FAR, [1.0])),
        Requirement("all weights are 0, and so is u·Ku", lambda X, u: np.any(u), (FAR, [0.0, 0.0])),
        Requirement(LARGE, lambda X, u: np.abs(X).max() < 1e99, ([[-1e200], [1e200]], [1.0, 1.0])),
        Requirement(ONE_POINT, lambda X, u: np.ptp(X, axis=0).any(), ([[-3.0], [-3.0]], [1.0, -1.0])),
        Requirement(NEAR, lambda X, u: not _is_psd([_cut_series(X)]).all(), ([[-1.0], [1.0]], [1.0, 1.0])),
        Requirement(SUM_0, lambda X, u: np.abs(np.sum(u / np.abs(u).max())) > 1e-9, (FAR, [1.0, -1.0])),
        Requirement(POSITIVE, lambda X, u: _form(X, u) < 1, (FAR, [1.0, 0.0])),
        Requirement(ROUNDING, lambda X, u: _form(X, u) < -1, ([[0.0, 0.0], [3.0, 3.0]], [1.0, 2.0])),
    ),
    example=_two_far_points,
)


def _mercer_cases(rng):
    """K of rank r, whose other eigenvalues rounding has made negative; the smallest of the r may be small."""
    cases = []
    for N, r, size, smallest in ((5, 5, 1, 1), (6, 3, 1, 1), (5, 4, 2**20, 1e-5), (4, 2, 2**-42, 1), (3, 1, 1, 1)):
        values = rng.uniform(1, 4, r) * np.arange(1, r + 1) * np.append(smallest, np.ones(r - 1))
        K = size * _spectrum(rng, np.append(np.full(N - r, -2e-15 * values.max()), values))
        cases.append(Case(f"rank {r} of {N}, K of the size {size:.0e}", (K,)))
    return cases


def _mercer_features(K):
    values, V = np.linalg.eigh(K)
    values = np.maximum(values, 0)  # rounding may have made a λ of 0 negative
    return V * np.sqrt(values)


CUT, LAST = "np.maximum(values, 0)", "V * np.sqrt(values)"
mercer_features = Exercise(
    stars=3,
    notes="E",
    ask="Return features of the N samples of a kernel matrix K (N, N), symmetric and positive semidefinite: Phi with "
    "N rows and Phi Phiᵀ = K. K may have any size and need not have full rank; eigenvalues that rounding has made "
    "negative count as 0. Number, order and signs of the columns are free: Phi Phiᵀ is judged.",
    hints=(
        "K = V Λ Vᵀ, the eigenvectors as columns of V (np.linalg.eigh). Λ must be split evenly between left and right.",
        "Φ = V√Λ: column k of V times √λ_k. Where rounding made λ_k negative, √ would be nan: np.maximum(λ, 0) first.",
    ),
    answer=_mercer_features,
    mistakes=(
        ("np.sqrt(values)", "values", "ΦΦᵀ is K²: scale each eigenvector by √λ, not by λ"),
        (LAST, "V", "ΦΦᵀ is I: the eigenvectors have length 1; scale each of them by √λ"),
        (LAST, f"({LAST}).T", "that is √Λ V or √Λ Vᵀ; a row must belong to a sample: V√Λ"),
        (CUT, "values", "rounding made an eigenvalue negative, its root is nan: np.maximum(λ, 0) first"),
        ("V *", "V.T *", "the eigenvectors are the columns of V, V[:, k]; you took its rows"),
        (CUT, "values * (values == values.max())", "you used the largest eigenvalue only; each one > 0 counts"),
        (CUT, "values * (values > 1e-8)", "your limit is a fixed number; all eigenvalues of a small K may be below it"),
        (CUT, "values * (values > 1e-4 * values[-1])", "you left out small eigenvalues; only rounding counts as 0"),
        (LAST, "np.sqrt(K)", "you took the roots of the entries of K; take those of its eigenvalues"),
        (LAST, "V[:, -2:] * np.sqrt(values[-2:])", "only two eigenvectors are kept: K has more eigenvalues above 0"),
    ),
    factors=LONG,
    cases=_mercer_cases,
    play=_inner_products,
    judged=("ΦΦᵀ",),
)

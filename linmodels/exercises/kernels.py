"""Exercises of chapter 12, kernels (note E). Features are judged by their inner products: no basis is better."""

import math
from math import comb

import numpy as np

from linmodels import datasets, kernels, svm

from .grading.answers import equal
from .grading.before import Question
from .grading.by_hand import ByHand
from .grading.checker import Case, Construction, Exercise, Refused, Requirement
from .grading.kinds import Loop
from .grading.prove import Decoy, Line, Proof

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


def _count_and_weigh(d, m, c):
    merged = comb(d + m, m)
    exactly = comb(d + m - 1, m)
    a = math.sqrt(m * c ** (m - 1))
    return merged, exactly, a


MERGED, EXACTLY, WEIGHT = "comb(d + m, m)", "comb(d + m - 1, m)", "math.sqrt(m * c ** (m - 1))"
count_and_weigh = ByHand(
    stars=2,
    notes="E, erratum E23",
    ask="Your kernel is k(x, z) = (x·z + c)^m of d attributes; equal products count once. Find, to three "
    "digits, (1) how many features it has, (2) how many are left for c = 0, (3) the positive number a for which a x_1 "
    "is a feature, and no other feature is a multiple of x_1. The numbers are your own: check.me('your name') deals "
    "them.",
    hints=(
        "In (2) each product has exactly m attributes. Something to choose from is gone.",
        "(3) is about the linear term of (s + c)^m with s = x·z: the one with s to the power 1. Then split it evenly.",
    ),
    answer=_count_and_weigh,
    returns=("features", "without_c", "a"),
    one_by_one=True,
    mistakes=(
        (MERGED, "d**m", "features: in d^m each order counts, and lower products are missing"),
        (MERGED, "(d + 1) ** m", "features: in (d + 1)^m each order counts as another feature"),
        (MERGED, "(d ** (m + 1) - 1) // (d - 1)", "features: there each order counts as another feature"),
        (MERGED, "comb(d + m - 1, m)", "features: those are the products of exactly m attributes"),
        (MERGED, "comb(d + 1, m)", "features: an attribute may be taken again"),
        (MERGED, "comb(d + m, m) - 1", "features: the constant is a feature, too"),
        (MERGED, "comb(d + m + 1, m)", "features: you have one thing too many to choose from"),
        (EXACTLY, "comb(d + m, m)", "without_c: with c = 0 only products of exactly m attributes are left"),
        (EXACTLY, "d**m", "without_c: in d^m each order counts as another feature"),
        (EXACTLY, "comb(d, m)", "without_c: an attribute may be taken again"),
        (EXACTLY, "comb(d + m, m) - 1", "without_c: more than the constant goes"),
        (EXACTLY, "comb(d + m, m) - d - 1", "without_c: more than the orders 0 and 1 goes"),
        (EXACTLY, "comb(d + m - 1, m - 1)", "without_c: those are the ones that go; the others are left"),
        (WEIGHT, "m * c ** (m - 1)", "a: that stands before x_1 z_1; x_1 gets an even share of it"),
        (WEIGHT, "math.sqrt(c ** (m - 1))", "a: how often does the term s c^(m - 1) come?"),
        (WEIGHT, "math.sqrt(2 * c)", "a: that is the case m = 2"),
        (WEIGHT, "math.sqrt(m * c)", "a: all brackets but one give a c"),
        (WEIGHT, "math.sqrt(m * c**m)", "a: one of the brackets gives s, and no c"),
        (WEIGHT, "m * c ** (m - 1) / 2", "a: an even share of a product is not its half"),
    ),
    cases=lambda rng: [
        Case("your kernel", (int(rng.integers(5, 9)), int(rng.integers(3, 5)), float(rng.integers(13, 29)) / 10)),
    ],
)


def _zero_form():
    Phi, u = np.array([[1.0], [2]]), np.array([2.0, -1])
    return f"for Φ with the rows 1 and 2, and u = (2, -1), which is not 0, uᵀKu is {abs(u @ Phi @ Phi.T @ u):.0f}"


def _positive_entries():
    A, u = np.array([[1.0, 2], [2, 1]]), np.array([1.0, -1])
    return f"positive entries are not enough: the rows (1, 2) and (2, 1) with u = (1, -1) give {u @ A @ u:g}"


def _turned_product():
    Phi = np.array([[1.0], [2]])
    return f"for Φ with the rows 1 and 2, ΦΦᵀ is 2 by 2, and ΦᵀΦ is the number {(Phi.T @ Phi).item():g}"


gram_proof = Proof(
    stars=2,
    notes="E",
    ask="K = ΦΦᵀ, row i of Φ holds the features of x_i. Give the letters of the ten lines that prove: K is "
    "positive semidefinite, and Ku = 0 exactly where Φᵀu = 0. Each stands below what it uses; any such order is right. "
    "Three lines do not belong: they are false, prove nothing, or are true only for some Φ. After three wrong tries "
    "the letters are dealt anew.",
    hints=(
        "Which line turns the number uᵀKu into a length? What does it need?",
        "Half of the second claim is a product. The other half goes over the number uᵀKu.",
    ),
    lines={
        "gram": Line("K = ΦΦᵀ", "what K is"),
        "squares": Line("v·v = Σ_r v_r² >= 0 for each v, and it is 0 only for v = 0", "when a length is 0"),
        "symmetric": Line("Kᵀ = (ΦΦᵀ)ᵀ = ΦΦᵀ = K", "that K is symmetric", ("gram",)),
        "turned": Line("uᵀΦ = (Φᵀu)ᵀ", "what uᵀΦ is"),
        "form": Line("uᵀKu = uᵀΦΦᵀu = (Φᵀu)·(Φᵀu)", "that uᵀKu is a squared length", ("gram", "turned")),
        "semidefinite": Line("uᵀKu >= 0 for each u", "that uᵀKu is never negative", ("form", "squares")),
        "forward": Line("if Φᵀu = 0, then Ku = Φ(Φᵀu) = 0", "that Φᵀu = 0 gives Ku = 0", ("gram",)),
        "number": Line("if Ku = 0, then uᵀKu = u·0 = 0", "that Ku = 0 gives uᵀKu = 0"),
        "back": Line("if Ku = 0, then Φᵀu = 0", "that Ku = 0 gives Φᵀu = 0", ("number", "form", "squares")),
        "claim": Line(
            "K is positive semidefinite, and Ku = 0 exactly where Φᵀu = 0",
            "the claim",
            ("symmetric", "semidefinite", "forward", "back"),
        ),
    },
    decoys={
        "definite": Decoy("uᵀKu > 0 for each u ≠ 0", _zero_form),
        "entries": Decoy("all K_ij > 0, so uᵀKu = Σ_i Σ_j u_i K_ij u_j >= 0 for each u", _positive_entries),
        "commute": Decoy("ΦΦᵀ = ΦᵀΦ, so uᵀKu = uᵀΦᵀΦu = ‖Φu‖²", _turned_product),
    },
)


def _two_symmetric(rng):
    """One is a kernel matrix of rank 2, not all entries positive; of the other all principal minors of 2 rows are."""
    Phi = np.array([[1.0, 1], [1, -2], [2, 0]])[rng.permutation(3)] + rng.integers(0, 2, (3, 2))
    while np.linalg.matrix_rank(Phi) < 2 or (Phi @ Phi.T > 0).all():
        Phi = rng.integers(-2, 4, (3, 2)).astype(float)
    none, minors = np.zeros((3, 3)), np.zeros(3)
    while minors.min() <= 0 or np.linalg.eigvalsh(none)[0] > -0.3:
        half = np.triu(rng.integers(1, 6, (3, 3)), 1) + np.diag(rng.integers(3, 8, 3)) / 2
        none = half + half.T
        minors = np.array([none[i, i] * none[j, j] - none[i, j] ** 2 for i, j in ((0, 1), (0, 2), (1, 2))])
    pair = [Phi @ Phi.T, none]
    return tuple(pair[k] for k in rng.permutation(2))


def _rows_of(A):
    return "\n".join("    " + "  ".join(f"{x:4g}" for x in row) for row in A)


def _both_in_words(A, B):
    return f"the matrix A:\n{_rows_of(A)}\nthe matrix B:\n{_rows_of(B)}"


def _against(u, K):
    return u @ K @ u < -1e-9 * (u @ u)


def _forms_in_words(u, Phi, A, B):
    return f"u·Au is {u @ A @ u:.3g} and u·Bu is {u @ B @ u:.3g}: one of them must be negative"


def _other_product(u, Phi, A, B):
    K, name = (B, "B") if _against(u, A) else (A, "A")
    known = (
        (Phi.T @ Phi if Phi.shape == (3, 3) else 0, f"Φᵀ Φ is {name}, and ΦΦᵀ is not: a row belongs to a sample"),
        (Phi @ Phi.T @ np.linalg.pinv(K), f"ΦΦᵀ is {name} times {name}: split its eigenvalues evenly"),
        (Phi @ Phi.T + K - np.eye(3), "ΦΦᵀ is I: the eigenvectors alone do not know the eigenvalues"),
    )
    for made, text in known:
        if np.shape(made) == (3, 3) and np.allclose(made, K, atol=1e-6):
            return f"u is a witness; {text}"
    return f"u is a witness; ΦΦᵀ must be {name}, and an entry differs by {np.abs(Phi @ Phi.T - K).max():.3g}"


def _certified(A, B):
    bad, good = (A, B) if np.linalg.eigvalsh(A)[0] < -0.01 else (B, A)
    values, V = np.linalg.eigh(good)
    return np.linalg.eigh(bad)[1][:, 0], V * np.sqrt(np.maximum(values, 0))


two_matrices = Construction(
    stars=2,
    notes="E",
    ask="Below are two symmetric matrices, A and B. One of them is a kernel matrix, the other is none. Prove both: "
    "return (u, Phi). u (3,) has u·Ku < 0 for the matrix that is none. Phi has three rows, and Phi Phiᵀ is the other "
    "matrix, up to rounding. The numbers are your own.",
    hints=(
        "Which number decides, and in which direction u is u·Ku that number times u·u? np.linalg.eigh finds both.",
        "K = V Λ Vᵀ: write Λ as a product of two equal matrices. An exact 0 may come out as -9e-16: cut it off.",
    ),
    returns=("u", "Phi"),
    own=_two_symmetric,
    shows=_both_in_words,
    requirements=(
        Requirement(
            "u must be of shape (3,), and Phi must have three rows",
            lambda u, Phi, A, B: np.shape(u) == (3,) and np.ndim(Phi) == 2 and len(Phi) == 3,
            ([1.0, 2.0], np.eye(3)),
        ),
        Requirement(
            "take numbers between -10^6 and 10^6",
            lambda u, Phi, A, B: max(np.max(np.abs(u)), np.max(np.abs(Phi))) <= 1e6,
            ([1e9, 0.0, 0.0], np.eye(3)),
        ),
        Requirement(
            "for u = 0 the number is 0, whatever K is", lambda u, Phi, A, B: np.any(u), (np.zeros(3), np.eye(3))
        ),
        Requirement(
            _forms_in_words, lambda u, Phi, A, B: _against(u, A) or _against(u, B), ([1.0, 1.0, 1.0], np.eye(3))
        ),
        Requirement(
            _other_product,
            lambda u, Phi, A, B: bool(np.allclose(Phi @ Phi.T, B if _against(u, A) else A, atol=1e-4)),
            lambda A, B: (_certified(A, B)[0], np.eye(3)),
        ),
    ),
    example=_certified,
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
    wrong += [
        np.diag(np.resize([0.0, -s, 2 * s], N)),
        -0.5 * s * (u[:, None] - u) ** 2,
    ]  # no leading minor, no diagonal < 0
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
    "True where K is symmetric and u·Ku >= 0 for every u (N,). Rounding does not count: in both tests allow "
    "1e-9·max|K_ij|, for this largest entry may be of any size.",
    hints=(
        "With the eigenvectors as axes, u·Ku = Σ_k μ_k a_k². When is that never negative?",
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


def _features_of_both(f, Phi, Psi):
    """All inner products of the new features, and 1 if a row depends on other rows."""
    (fewer,) = f(Phi[::-2], Psi[::-2])
    (F,) = f(Phi, Psi)
    if F.ndim != 2 or len(F) != len(Phi):
        raise Refused(f"it must be a matrix with a row per sample, {len(Phi)} here; it is of shape {F.shape}")
    return [F @ F.T, np.array(float(not equal(fewer, F[::-2])))]


def _product(Phi, Psi):
    pairs = Phi[:, :, None] * Psi[:, None, :]
    return pairs.reshape(len(Phi), -1)


FLAT = "pairs.reshape(len(Phi), -1)"
product_features = Exercise(
    stars=2,
    notes="E",
    ask="Return features of the product of two kernels. Phi (N, p) holds the features of N samples for k_1, and Psi "
    "(N, q) those of the same samples for k_2. The inner products of your rows must be k_1(x_i, x_j) k_2(x_i, x_j). "
    "Row n may depend on the rows n only. Order, signs and number of your columns are free.",
    hints=(
        "Write both inner products as sums, over r and over s, and multiply the sums out. What belongs to x alone?",
        "Phi[:, :, None] is (N, p, 1). What must be done to Psi, so that the product is (N, p, q)?",
    ),
    answer=_product,
    mistakes=(
        (FLAT, "np.column_stack([Phi, Psi])", "those are features of the sum k_1 + k_2"),
        (
            FLAT,
            "pairs.diagonal(axis1=1, axis2=2)",
            "you multiplied feature r with feature r only; all pairs are needed",
        ),
        (FLAT, "pairs.sum(axis=2)", "you added the products up; each of them is a feature of its own"),
        (FLAT, "pairs.sum(axis=(1, 2))[:, None]", "you added the products up; each of them is a feature of its own"),
        (FLAT, "np.triu(pairs).reshape(len(Phi), -1)", "the pairs with r > s are missing: they are other products"),
        (FLAT, "(Phi @ Phi.T) * (Psi @ Psi.T)", "those are the values of the new kernel; features are wanted"),
        (FLAT, "Phi @ Phi.T", "that is k_1 alone, and its values; features are wanted"),
        ("* Psi[:, None, :]", "+ Psi[:, None, :]", "you added the features; multiply them"),
        ("Psi[:, None, :]", "Phi[:, None, :]", "those are features of the square of k_1; k_2 is missing"),
        (FLAT, "np.pad(pairs.reshape(len(Phi), -1), ((0, 0), (0, len(Phi))))", OTHER_ROWS),
    ),
    factors=LONG,
    cases=lambda rng: [
        Case(f"{N} samples, {p} and {q} features", (rng.normal(size=(N, p)) + 0.4, rng.normal(size=(N, q)) - 0.3))
        for N, p, q in ((6, 2, 3), (5, 3, 2), (4, 3, 3), (3, 1, 4), (7, 2, 2))
    ],
    play=_features_of_both,
    judged=("the products of the kernels", "the dependence on other rows"),
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
    stars=0,
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
    stars=2,
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


def _three_in_a_line():
    X = np.array([[-2.0], [0.0], [2.0]])  # k = 1/2 beside each other, and 1 - 16/8 = -1 at the ends
    u = np.array([1.0, -1.0, 1.0])  # u·Ku = 3 + 2 (-1/2 - 1/2 - 1) = -1
    return X, u


def _largest_distance(X):
    return np.sqrt(np.max(np.sum((X[:, None] - X) ** 2, axis=2)))


TRIO, SIDE = [[-2.0], [0.0], [2.0]], [[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
SHAPES = "X must be a matrix (N, d), a point per row (numbers make a column, [[-1.0], [1.0]]), u a vector (N,)"
FAR = "two of your points are more than 4 apart; then two are enough, and that is too easy"
ONE_POINT = "for one point u·Ku = u² is never negative: take more, different ones"
TWO_POINTS = "two points at most 4 apart have |k| <= 1, and no weights will do: take a third"
NEAR = "for these points K is positive semidefinite, and no weights will do: take others"
SUM_0 = "the weights sum to 0: then u·Ku = ‖Σ u_n x_n‖²/4 >= 0 whatever the points are"
POSITIVE = "u·Ku is not negative; for these points there are other weights with which it is"
ROUNDING = "u·Ku is 0 but for rounding; it must be negative: take points farther apart, or other weights"
not_a_kernel = Construction(
    stars=2,
    notes="E, erratum E31",
    ask="Return (X, u) that prove that k(x, z) = 1 - ‖x - z‖²/8 is no kernel, although it looks like the Gaussian one "
    "with σ = 2 while x and z are near: points X (N, d), one per row, of which no two are more than 4 apart, and "
    "weights u (N,) with u·Ku < 0, K_ij = k(x_i, x_j). N and d are free; u·Ku must be negative beyond rounding.",
    hints=(
        "Two points at most 4 apart have k from -1 to 1, and pass. Try three in a line, with a simple K.",
        "Weights with the sum 0 never do. Give the middle one another sign, or take an eigenvector of K.",
    ),
    returns=("X", "u"),
    requirements=(
        Requirement(
            SHAPES, lambda X, u: np.ndim(X) == 2 and np.size(X) > 0 and np.shape(u) == (len(X),), (TRIO, [1.0])
        ),
        Requirement("all weights are 0, and so is u·Ku", lambda X, u: np.any(u), (TRIO, [0.0, 0.0, 0.0])),
        Requirement(FAR, lambda X, u: _largest_distance(X) <= 4 + 1e-9, ([[-3.0], [3.0]], [1.0, 1.0])),
        Requirement(ONE_POINT, lambda X, u: np.ptp(X, axis=0).any(), ([[-3.0], [-3.0]], [1.0, -1.0])),
        Requirement(TWO_POINTS, lambda X, u: len(np.unique(X, axis=0)) > 2, ([[-2.0], [2.0]], [1.0, 1.0])),
        Requirement(NEAR, lambda X, u: not _is_psd([_cut_series(X)]).all(), (SIDE, [1.0, 1.0, 1.0])),
        Requirement(SUM_0, lambda X, u: np.abs(np.sum(u / np.abs(u).max())) > 1e-9, (TRIO, [1.0, -2.0, 1.0])),
        Requirement(POSITIVE, lambda X, u: _form(X, u) < 1, (TRIO, [1.0, 0.0, 1.0 / 2])),
        Requirement(ROUNDING, lambda X, u: _form(X, u) < -1, (TRIO, [1.0, 0.0, 1.0])),
    ),
    example=_three_in_a_line,
)


def _null_vector():
    x, a = np.array([1.0, 2.0]), np.array([2.0, -1.0])
    return f"for k(x, z) = xz, the numbers 1 and 2, and a = (2, -1), which is not 0, aᵀKa is {(a @ x) ** 2:g}"


def _negative_entry():
    x = np.array([1.0, -1.0])
    return f"for k(x, z) = xz the numbers 1 and -1 have k = {x[0] * x[1]:g}, and it is a kernel"


def _one_set_passes():
    x, u = np.array([0.0, 1.0, 2.0]), np.array([1.0, -1.0, 1.0])
    K = (np.abs(x[:, None] - x) <= 1).astype(float)
    return f"of neighbors, 0 alone gives a² >= 0, and 0, 1, 2 with (1, -1, 1) give {u @ K @ u:g}"


mercer_proof = Proof(
    stars=3,
    notes="E, erratum E31",
    ask="All functions f = Σ a_i k(·, x_i) and g = Σ b_j k(·, z_j) are sums of finitely many terms, and a and b stand "
    "for any numbers. Give the letters of the eleven lines that prove: under Mercer's condition, f·g of the definition "
    "is an inner product, and k has features. Each stands below what it uses; any such order is right. Three lines do "
    "not belong. After three wrong tries the letters are dealt anew.",
    hints=(
        "Put g = k(·, x) into the definition: what comes out? Half of the proof uses it.",
        "Cauchy-Schwarz needs only that f·f >= 0 and that the product is linear. What does it say of f·k(·, x)?",
    ),
    lines={
        "condition": Line("given: k(x, z) = k(z, x), and aᵀKa >= 0 for all points and all a", "the condition"),
        "definition": Line("definition: f·g = Σ_i Σ_j a_i b_j k(x_i, z_j)", "what f·g is"),
        "values": Line(
            "f·g = Σ_j b_j f(z_j) = Σ_i a_i g(x_i)", "what f·g is in values of f or g", ("definition", "condition")
        ),
        "well": Line(
            "f·g is the same for all ways to write f and g as sums", "that f·g knows f and g only", ("values",)
        ),
        "linear": Line(
            "f·g is linear in f and in g, and f·g = g·f",
            "that f·g is linear and symmetric",
            ("definition", "condition", "well"),
        ),
        "square": Line("f·f = aᵀKa >= 0", "that f·f is never negative", ("definition", "condition")),
        "reproduce": Line("f·k(·, x) = f(x)", "what f·k(·, x) is", ("values",)),
        "schwarz": Line("(f·g)² <= (f·f)(g·g)", "the inequality of Cauchy and Schwarz", ("linear", "square")),
        "zero": Line(
            "f(x)² <= (f·f) k(x, x), so f·f = 0 only for f = 0",
            "when f·f is 0",
            ("schwarz", "reproduce"),
        ),
        "features": Line("k(·, x)·k(·, z) = k(x, z), so φ(x) = k(·, x) will do", "what φ is", ("definition",)),
        "claim": Line(
            "f·g is an inner product, and φ(x) = k(·, x) are features of k",
            "the claim",
            ("linear", "square", "zero", "features"),
        ),
    },
    decoys={
        "independent": Decoy("aᵀKa = 0 only for a = 0, so f·f = 0 only for f = 0", _null_vector),
        "entries": Decoy("all K_ij >= 0, so f·f = Σ_i Σ_j a_i a_j K_ij >= 0", _negative_entry),
        "one": Decoy("if aᵀKa >= 0 for one set of points, it is so for all", _one_set_passes),
    },
)


def _left_out_values(K, y, fold, lam):
    f = np.zeros(len(y))
    for part in np.unique(fold):
        out, rest = fold == part, fold != part
        beta = np.linalg.solve(K[np.ix_(rest, rest)] + lam * np.eye(np.sum(rest)), y[rest])
        f[out] = K[np.ix_(out, rest)] @ beta
    return f


def _left_out_cases(rng):
    def one(label, N, parts, sigma, lam):
        X = rng.normal(size=(N, 2))
        y = np.where(X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=N) > 0, 1.0, -1.0)
        fold = rng.permutation(np.resize(parts, N))
        return Case(label, (_gaussian(X, X, sigma), y, fold, lam))

    return [
        one("three parts", 14, [0, 1, 2], 1.0, 0.3),
        one("parts with the numbers 2, 5 and 7", 11, [2, 5, 7], 0.7, 1.5),
        one("two parts, one of them large", 12, [1, 0, 0], 1.5, 0.05),
        one("each sample is a part", 9, range(9), 1.2, 0.6),
    ]


TRAINED, JUDGED = "K[np.ix_(rest, rest)] + lam * np.eye(np.sum(rest))", "K[np.ix_(out, rest)] @ beta"
left_out_values = Loop(
    stars=1,
    notes="E",
    ask="Judge kernel ridge regression on samples that were left out. K (N, N) is the kernel matrix of all samples, y "
    "(N,) their labels, fold (N,) the number of each sample's part, lam > 0. For each part, learn from the others: "
    "beta solves (K + lam I) beta = y there. Return f (N,): the value of each sample, by the machine that has not "
    "seen its part.",
    hints=(
        "np.ix_(rest, rest) picks rows and columns of K. Which rows and columns does the prediction need?",
        "np.unique(fold) are the parts. I has as many rows as there are samples to learn from.",
    ),
    answer=_left_out_values,
    returns=("f",),
    path="f",
    step="sample",
    mistakes=(
        (
            f"beta = np.linalg.solve({TRAINED}, y[rest])",
            "beta = np.linalg.solve(K + lam * np.eye(len(y)), y)[rest]",
            "you learned from all samples, and the left-out ones have helped: solve with the rest alone",
        ),
        (
            "out, rest = fold == part, fold != part",
            "out, rest = fold != part, fold == part",
            "you learned from one part",
        ),
        (
            "out, rest = fold == part, fold != part",
            "out, rest = fold == part, fold > -1",
            "you learned from all samples",
        ),
        (" + lam * np.eye(np.sum(rest))", "", "the penalty lam I is missing"),
        ("lam * np.eye(np.sum(rest))", "lam", "you added lam to each entry; it is added to the diagonal only"),
        ("lam * np.eye", "np.sum(rest) * lam * np.eye", "you multiplied lam by the number of samples"),
        ("lam * np.eye", "2 * lam * np.eye", "the penalty is lam, not 2 lam"),
        ("lam * np.eye", "lam**2 * np.eye", "you squared lam"),
        (f"np.linalg.solve({TRAINED}, y[rest])", "y[rest]", "beta is not y: solve for it"),
        (JUDGED, "K[np.ix_(out, rest)] @ (beta * y[rest])", "beta holds the labels already, unlike a dual alpha"),
        (JUDGED, f"np.sign({JUDGED})", "those are the labels that it predicts; give the values f"),
        ("return f", "return y * f", "those are y f; give the values f"),
        ("return f", "return y - f", "those are the residuals y - f; give the values f"),
        ("return f", "return np.sum(y * f <= 0)", "that is the number of mistakes; give the values f"),
        ("np.unique(fold)", "range(int(fold.max()))", "the last part is never left out"),
        ("np.unique(fold)", "range(len(set(fold)))", "the parts need not have the numbers 0, 1, 2: take np.unique"),
    ),
    cases=_left_out_cases,
)


def _choose_kernel(Ks, y, fold, lams):
    wrong = np.array([[np.sum(y * _left_out_values(K, y, fold, lam) <= 0) for lam in lams] for K in Ks])
    m, j = np.unravel_index(np.argmin(wrong), wrong.shape)
    beta = np.linalg.solve(Ks[m] + lams[j] * np.eye(len(y)), y)
    return wrong, m, j, beta


def _kernels_to_choose(rng, N, parts, curved, tie):
    """Drawn until another pair is best on the samples that were learned from; a curve, or else the line, wins."""
    while True:
        X = rng.normal(size=(N, 2))
        far = np.sum(X**2, axis=1) - 1.4 if curved else X[:, 0] - 0.5 * X[:, 1]
        y = np.where(far + 0.4 * rng.normal(size=N) > 0, 1.0, -1.0)
        fold, lams = rng.permutation(np.resize(parts, N)), np.array([3.0, 0.3, 0.03])
        Ks = np.array([X @ X.T, *(_gaussian(X, X, s) for s in rng.permutation([0.4, 0.9, 2.5]))])
        wrong, m, j, _ = _choose_kernel(Ks, y, fold, lams)
        fitted = [[np.sum(y * (K @ np.linalg.solve(K + lam * np.eye(N), y)) <= 0) for lam in lams] for K in Ks]
        by_first = int(np.argmin(wrong[:, 0]))
        by_means = int(np.argmin(wrong.mean(axis=1))), int(np.argmin(wrong.mean(axis=0)))
        other = divmod(int(np.argmin(fitted)), len(lams)) != (m, j) and (not tie or by_means != (m, j))
        other = other and (not curved or by_first != m)
        ties = np.sum(wrong == wrong.min()) > 1
        by_columns = np.unravel_index(np.argmin(wrong.T), wrong.T.shape)[::-1]
        other = other and (not tie or by_columns != (m, j))
        near = min(np.abs(_left_out_values(K, y, fold, lam)).min() for K in Ks for lam in lams)
        if near > 1e-6 and other and (m > 0) == curved and (not curved or (ties == tie and 0 < j != m)):
            return Ks, y, fold, lams


def _choice_cases(rng):
    sizes = ((24, range(4), True, False), (22, [1, 5, 5], True, True), (26, range(5), False, False))
    return [
        Case(
            f"{N} samples, {len(set(parts))} parts" + ", equal counts" * tie, _kernels_to_choose(rng, N, parts, c, tie)
        )
        for N, parts, c, tie in sizes
    ]


COUNT, PICK = "np.sum(y * _left_out_values(K, y, fold, lam) <= 0)", "np.argmin(wrong)"
FINAL = "np.linalg.solve(Ks[m] + lams[j] * np.eye(len(y)), y)"
choose_kernel = Loop(
    stars=2,
    notes="E",
    ask="Choose a kernel by samples that were left out. Ks (M, N, N) holds the matrices of M kernels, of the same N "
    "samples; y and fold (N,) are as in left_out_values, and lams (L,) are penalties. Count the mistakes, y f <= 0, of "
    "each kernel with each penalty. Return (wrong (M, L), m, j, beta): the counts; the numbers from 0 of the kernel "
    "and the penalty with the fewest, of equal ones the first, row by row; beta (N,), learned from all.",
    hints=(
        "The values of left-out samples: you have a function for them. It runs M L times.",
        "np.argmin counts through the rows of wrong; np.unravel_index, or divmod by L, gives the two numbers.",
    ),
    answer=_choose_kernel,
    returns=("wrong", "m", "j", "beta"),
    path="wrong",
    step="kernel",
    mistakes=(
        (
            "_left_out_values(K, y, fold, lam)",
            "(K @ np.linalg.solve(K + lam * np.eye(len(y)), y))",
            "you counted on the samples that it learned from; count on those that were left out",
        ),
        ("np.sum(y", "np.mean(y", "wrong holds counts, not shares"),
        ("np.sum(y", "len(y) - np.sum(y", "those are the numbers of samples that are right"),
        (COUNT, "np.sum((y - _left_out_values(K, y, fold, lam)) ** 2)", "those are squared residuals; count mistakes"),
        ("np.argmin(wrong)", "np.argmax(wrong)", "you chose the pair with the most mistakes"),
        (PICK, "wrong.size - 1 - np.argmin(wrong[::-1, ::-1])", "of equal counts you took the last pair; the first"),
        (
            f"np.unravel_index({PICK}, wrong.shape)",
            "np.unravel_index(np.argmin(wrong.T), wrong.T.shape)[::-1]",
            "of equal counts you took the first column by column; go row by row",
        ),
        (PICK, "np.argmin(wrong.T)", "your number counts through the columns of wrong, not through its rows"),
        (
            f"np.unravel_index({PICK}, wrong.shape)",
            "np.argmin(wrong.mean(axis=1)), np.argmin(wrong.mean(axis=0))",
            "you chose each by its mean; choose the pair",
        ),
        (
            f"np.unravel_index({PICK}, wrong.shape)",
            "np.argmin(wrong[:, 0]), np.argmin(wrong[np.argmin(wrong[:, 0])])",
            "you chose the kernel for the first lam alone; choose the pair",
        ),
        ("wrong, m, j, beta", "wrong, j, m, beta", "m and j are the other way round"),
        ("wrong, m, j, beta", "wrong, m + 1, j + 1, beta", "the numbers count from 0"),
        ("wrong, m, j, beta", "wrong, m, lams[j], beta", "j is the number of the penalty, not the penalty"),
        (FINAL, "np.linalg.solve(Ks[m] + lams[0] * np.eye(len(y)), y)", "beta: take the penalty that you have chosen"),
        (FINAL, "np.linalg.solve(Ks[0] + lams[j] * np.eye(len(y)), y)", "beta: take the kernel that you have chosen"),
        (
            FINAL,
            "(fold != fold.max()) * 1.0; rest = beta > 0; "
            "beta[rest] = np.linalg.solve(Ks[m][np.ix_(rest, rest)] + lams[j] * np.eye(sum(rest)), y[rest])",
            "beta: learn once more, from all samples; yours has left a part out",
        ),
    ),
    cases=_choice_cases,
)


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


polynomial_kernel = Exercise(
    stars=0,
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
    values = np.maximum(values, 0)  # rounding may have made a μ of 0 negative
    return V * np.sqrt(values)


CUT, LAST = "np.maximum(values, 0)", "V * np.sqrt(values)"
mercer_features = Exercise(
    stars=0,
    notes="E",
    ask="Return features of the N samples of a kernel matrix K (N, N), symmetric and positive semidefinite: Phi with "
    "N rows and Phi Phiᵀ = K. K may have any size and need not have full rank; eigenvalues that rounding has made "
    "negative count as 0. Number, order and signs of the columns are free: Phi Phiᵀ is judged.",
    hints=(
        "K = V Λ Vᵀ, the eigenvectors as columns of V (np.linalg.eigh). Λ must be split evenly between left and right.",
        "Φ = V√Λ: column k of V times √μ_k. Where rounding made μ_k negative, √ would be nan: np.maximum(μ, 0) first.",
    ),
    answer=_mercer_features,
    mistakes=(
        ("np.sqrt(values)", "values", "ΦΦᵀ is K²: scale each eigenvector by √μ, not by μ"),
        (LAST, "V", "ΦΦᵀ is I: the eigenvectors have length 1; scale each of them by √μ"),
        (LAST, f"({LAST}).T", "that is √Λ V or √Λ Vᵀ; a row must belong to a sample: V√Λ"),
        (CUT, "values", "rounding made an eigenvalue negative, its root is nan: np.maximum(μ, 0) first"),
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


def _larger_C():
    """Is the share of wrong samples on the rings of the chapter smaller for a larger C?"""
    X, t = datasets.rings([1.0, 2.2], 40, spread=0.25, rng=np.random.default_rng(0))
    y, K = np.where(t == 1, 1.0, -1.0), kernels.gaussian(X, X, 10.0)
    wrong = [np.sum(y * (K @ (m.alpha * y) + m.b) <= 0) for m in (svm.fit_dual(K, y, C=C) for C in (10.0, 1000.0))]
    return float(wrong[1] < wrong[0])


before = {
    "ch12-cost": Question(
        lambda: [784**2, 785],
        {
            "features and multiplications, in this order": lambda: [785, 784**2],
            "d is the number of the picture's numbers, 28 times 28": lambda: [28**2, 29],
            "the inner product is squared at the end": lambda: [784**2, 784],
            "how many products x_i x_j are there, if both orders count?": lambda: [784 * 785 // 2, 785],
            "the kernel needs none of the features": lambda: [784**2, 784**2],
        },
    ),
    "ch12-mirror": Question(
        lambda: 0.7,
        {
            "what becomes of x_i x_j if both change their signs?": lambda: -0.7,
            "the value is not lost": lambda: 0,
        },
    ),
    "ch12-merged": Question(
        lambda: comb(5, 2),
        {
            "those are the products x_i x_j alone, merged": lambda: 6,
            "that is the number of the pairs, or of what is merged away": lambda: 3,
            "only those with i and j different have a partner": lambda: 13 - 9,
            "the constant is a feature, too": lambda: 9,
            "each pair becomes one feature; it does not vanish": lambda: 7,
        },
    ),
    "ch12-two-forms": Question(
        lambda: [10, -3],
        {
            "the products u_1 K_12 u_2 and u_2 K_21 u_1 both count": lambda: [12, -1],
            "u_2 is negative, and so is u_1 u_2": lambda: [18, 5],
            "that is a vector; multiply by u once more": lambda: [0, -5],
            "mind the square of u_2 on the diagonal": lambda: [1, -3],
        },
    ),
    "ch12-three": Question(
        lambda: [1, 1, 0],
        {
            "take k_2 twice as large as k_1, and look at the diagonal of the difference": lambda: [1, 1, 1],
            "put the features of one behind those of the other": lambda: [0, 1, 0],
            "remember (x·z)²: that is a product of two kernels": lambda: [1, 0, 0],
        },
    ),
    "ch12-minus": Question(
        lambda: 2 - 2 * np.exp(2),
        {
            "the exponent is the square of the difference, divided by 2": lambda: 2 - 2 * np.exp(4),
            "the exponent is the square of the difference, divided by 2, not the difference": lambda: 2 - 2 * np.exp(1),
            "both entries beside the diagonal count": lambda: 2 - np.exp(2),
            "the minus is missing in this formula": lambda: 2 - 2 * np.exp(-2),
            "u has a negative entry": lambda: 2 + 2 * np.exp(2),
        },
    ),
    "ch12-neighbors": Question(
        lambda: -1,
        {
            "each pair stands in the matrix twice": lambda: 1,
            "the diagonal counts, too": lambda: -4,
            "mind the signs of the weights": lambda: 7,
        },
    ),
    "ch12-width": Question(
        lambda: [0, 1],
        {
            "small width first: is a point then similar to another one?": lambda: [1, 0],
            "for a large width the exponent comes near 0": lambda: [0, 0],
            "for a small width the exponent is far below 0": lambda: [1, 1],
        },
    ),
    "ch12-larger": Question(
        _larger_C, {"what does C limit? And which coefficients bend a nearly constant kernel?": lambda: 0}
    ),
}

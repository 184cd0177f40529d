"""Kernels: inner products of features that are never computed (核; chapter 12, a tool of 09-11; notes A 5.3.4, B, E).

X (N, d) and Z (M, d) hold samples as rows; a kernel k gives the matrix k(X, Z) (N, M), a feature map φ of X the rows
φ(x_n). s = x·z; c >= 0 and degree k are the polynomial kernel's, σ > 0 the width of the Gaussian one.
"""

from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np

from .guards import checks
from .solvers import distances, moments


def linear(X, Z):
    """k(x, z) = x·z: the kernel that changes nothing  [B-dualalg-2].

    X (N, d) and Z (M, d) give (N, M). Raises ValueError where they differ in their number of features.
    """
    X, Z = checks.pair_of_samples(X, Z)
    return X @ Z.T


def polynomial(X, Z, c=1.0, degree=2):
    """k(x, z) = (x·z + c)^k  [E-prop-2, E-prop-6, E-prop-9, E-prop-10; c < 0 gives no kernel: erratum E23].

    X (N, d) and Z (M, d) give (N, M) in O(d) a value. Raises ValueError where c < 0 or degree < 0, or where the powers
    overflow.
    """
    X, Z = checks.pair_of_samples(X, Z)
    c, degree = checks.nonnegative(c, "c"), checks.count(degree, "degree", least=0)
    left, right = np.column_stack([X, np.full(len(X), c)]), np.column_stack([Z, np.ones(len(Z))])

    def powers(rows, out):
        distances.power(left[rows] @ right.T, degree, out)  # (x, c)·(z, 1) = x·z + c

    return distances.in_blocks(powers, (len(X), len(Z)), f"(x·z + c)^{degree}")


def cubic_sum(X, Z):
    """k(x, z) = 1 + s + s² + s³, s = x·z: all products of up to three features  [E-kernel-9, E-kernel-10].

    X (N, d) and Z (M, d) give (N, M). Raises ValueError where s³ overflows.
    """
    X, Z = checks.pair_of_samples(X, Z)

    def sums(rows, out):
        s = X[rows] @ Z.T
        out[...] = 1 + s * (1 + s * (1 + s))

    return distances.in_blocks(sums, (len(X), len(Z)), "1 + s + s² + s³")


def gaussian(X, Z, sigma=1.0):
    """k(x, z) = exp(-‖x - z‖²/2σ²): 1 where x = z, near 0 where they are far apart
    [E-sim-2, E-sim-3; the notes lose the minus: erratum E25].

    X (N, d) and Z (M, d) give (N, M), in blocks: nothing else of that size is made. Raises ValueError where sigma <= 0.
    """
    X, Z = checks.pair_of_samples(X, Z)
    exponents = distances.exponents(X, Z, checks.width(sigma, "sigma"))
    K = np.empty((len(X), len(Z)))
    for rows in moments.blocks(K):
        exponents(rows, out=K[rows])
        np.exp(K[rows], out=K[rows])
    return K


def gram(kernel, X):
    """K = [k(x_i, x_j)], the Gram or kernel matrix (内核矩阵)
    [A-5.3.4-4, B-dualalg-3, E-nec-1, E-kernel-8; the notes print x_i·x_i: erratum A54].

    X (N, d) gives (N, N), symmetric. With `linear` this is the Gram matrix (Gram矩阵) of the notes, X Xᵀ.
    """
    return kernel(X, X)


def expansion(kernel, Z, X, coefficients):
    """f(z) = Σ_n c_n k(x_n, z), the function that samples and coefficients stand for  [E-kernel-15, D-5-17].

    Z (M, d) new samples, X (N, d) those of the fit, coefficients (N,): β of kernel LMS, αy of a dual (then add b).
    Gives (M,), in blocks of Z: k(Z, X) as a whole is never stored.
    """
    X, Z = checks.pair_of_samples(X, Z)
    c = checks.vector(coefficients, "coefficients", len(X), per="row of X")
    copies = -(-len(X) // X.shape[1] // 2)  # a row of Z becomes a row of len(X) kernel values, here of 2 MiB in all
    return np.concatenate([kernel(Z[rows], X) @ c for rows in moments.blocks(Z, copies)])


def gaussian_on_grid(x, y, X, coefficients, sigma=1.0):
    """f(x_j, y_i) = Σ_n c_n k(x_n, (x_j, y_i)), k the Gaussian kernel, at all points of a grid  [E-sim-2, E-kernel-15].

    e^-(a + b) = e^-a e^-b: the kernel of two features is the product of those of each, so f = E_y diag(c) E_xᵀ with
    E_x = k(x, X_1), E_y = k(y, X_2), and p + q exponentials a sample do the work of pq. x (p,) and y (q,) hold the
    points of either axis, X (N, 2) samples, coefficients (N,). Gives (q, p), as `expansion` does point by point. Raises
    ValueError where X has not two features, or sigma <= 0.
    """
    x, y, X = checks.targets(x, "x"), checks.targets(y, "y"), checks.samples(X)
    if X.shape[1] != 2:
        raise ValueError(f"X has {X.shape[1]} features; 2 are expected, one for either axis of the grid")
    c = checks.vector(coefficients, "coefficients", len(X), per="row of X")
    E_x, E_y = gaussian(x[:, None], X[:, :1], sigma), gaussian(y[:, None], X[:, 1:], sigma)
    return (E_y * c) @ E_x.T


def quadratic_features(X, c=0.0):
    """φ(x) = (x_i x_j for all i, j; √(2c) x_i; c), so that φ(x)·φ(z) = (x·z + c)²  [E-prop-3, E-prop-4, E-prop-7].

    X (N, d) gives (N, d² + d + 1), x_i x_j and x_j x_i both; (N, d²) for c = 0, where the rest is 0. Raises ValueError
    where c < 0.
    """
    X, c = checks.samples(X), checks.nonnegative(c, "c")
    pairs = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    return np.column_stack([pairs, np.sqrt(2 * c) * X, np.full(len(X), c)]) if c else pairs


def polynomial_features(X, c=1.0, degree=2):
    """φ_a(x) = √(k!/(a_0! a_1! ... a_d!) c^a_0) x_1^a_1 ... x_d^a_d, a_0 + ... + a_d = k: each distinct product once
    [E-prop-9; the repeated ones of the notes' maps merged: erratum E23].

    X (N, d) gives (N, C(d + k, k)) with φ(x)·φ(z) = (x·z + c)^k. Raises ValueError where c < 0 or degree < 0.
    """
    X, c = checks.samples(X), checks.nonnegative(c, "c")
    degree, d = checks.count(degree, "degree", least=0), X.shape[1]
    factors = np.column_stack([np.full(len(X), np.sqrt(c)), X])  # √c is the feature whose power fills up to degree k
    chosen = list(combinations_with_replacement(range(d + 1), degree))
    weights = [factorial(degree) / prod(factorial(a.count(i)) for i in set(a)) for a in chosen]
    with np.errstate(over="ignore", invalid="ignore"):
        Phi = np.stack([np.sqrt(w) * factors[:, a].prod(axis=1) for a, w in zip(chosen, weights, strict=True)], axis=1)
    return checks.finite(Phi, "the products of X")


def cubic_features(X):
    """φ(x) = (1; x_i; x_i x_j; x_i x_j x_k), in every order: 1 + d + d² + d³ features; of one feature (1, x, x², x³)
    [E-featmap-2, E-featmap-3, E-kernel-1, E-kernel-9; "degree less than 3" in the notes: erratum E08].

    X (N, d) gives (N, 1 + d + d² + d³) with φ(x)·φ(z) = 1 + s + s² + s³.
    """
    X = checks.samples(X)
    pairs = X[:, :, None] * X[:, None, :]
    triples = pairs[:, :, :, None] * X[:, None, None, :]
    return np.column_stack([np.ones(len(X)), X, pairs.reshape(len(X), -1), triples.reshape(len(X), -1)])


def gaussian_features(x, sigma=1.0, n=20):
    """φ_k(x) = exp(-x²/2σ²) (x/σ)^k / √k!, k = 0..n-1: the first of the endlessly many features behind the Gaussian
    kernel of numbers  [E-sim-4].

    x (N,) gives (N, n); φ(x)·φ(z) comes nearer to k(x, z) the larger n. Raises ValueError where sigma <= 0 or n < 1.
    """
    x, sigma, n = checks.targets(x, "x"), checks.width(sigma, "sigma"), checks.count(n, "n")
    u = x[:, None] / sigma
    with np.errstate(divide="ignore"):  # ln 0 = -inf: φ_k(0) = 0, k > 0
        logs = [-u * u / 2, np.log(np.abs(u)) - np.log(np.arange(1, n)) / 2]  # φ_k = φ_{k-1} u/√k, without overflow
    return np.where(u < 0, -1.0, 1.0) ** np.arange(n) * np.exp(np.cumsum(np.column_stack(logs), axis=1))


def feature_dimension(d, k):
    """C(d + k, k): how many products of at most k of d features there are  [E-prop-9, E-kernel-2].

    Raises ValueError where d < 1 or k < 0.
    """
    return comb(checks.count(d, "d") + checks.count(k, "k", least=0), k)


def is_positive_semidefinite(K):
    """Is z·Kz >= 0 for every z, and K = Kᵀ? What every kernel matrix must satisfy  [E-nec-2, E-nec-3, E-suff-1].

    K (N, N). Returns (True, None), or (False, z) with a witness z·Kz < 0, or (False, None) where K is not symmetric.
    Eigenvalues within rounding of 0 count as 0. One such matrix does not prove a kernel (erratum E31).
    """
    K = checks.square(K, "K")
    if not np.abs(K - K.T).max() <= 1e-10 * np.abs(K).max():
        return False, None
    z = _negative_direction(K, np.ones(len(K)))
    if z is None and np.ptp(K.diagonal()) > 0:  # a small feature hides behind a large one: measured in like units
        z = _negative_direction(K, np.sqrt(np.maximum(np.abs(K.diagonal()), 1e-5 * np.abs(K).max())))
    return z is None, z


def mercer_features(K):
    """Φ with ΦΦᵀ = K, from the eigenvectors, Φ = V√Λ: a positive semidefinite matrix is a Gram matrix  [E-suff-1].

    K (N, N) symmetric, positive semidefinite, gives (N, r), r its rank: features for these N samples only. Raises
    ValueError where K is not positive semidefinite.
    """
    K = checks.gram(K, "K")
    values, V = np.linalg.eigh(K)
    least = 10 * len(K) * np.finfo(float).eps * np.abs(values).max()
    if values[0] < -1e-10 * np.abs(values).max():
        raise ValueError(f"K must be positive semidefinite, found the eigenvalue {values[0]:.3g}: it has no features")
    return V[:, values > least] * np.sqrt(values[values > least])


def normalize(K):
    """K_ij/√(K_ii K_jj): the cosine of the angle between φ(x_i) and φ(x_j), a similarity from -1 to 1
    [E-sim-1; the notes' inner product also grows with the lengths: erratum E24].

    K (N, N) symmetric with a positive diagonal; raises ValueError where a sample has φ(x) = 0 and so no angle.
    """
    K = checks.gram(K, "K")
    if not K.diagonal().min() > 0:
        raise ValueError(
            f"K must have a positive diagonal, found K[{K.diagonal().argmin()}, {K.diagonal().argmin()}] = "
            f"{K.diagonal().min():.3g}: φ(x) = 0 has no direction; leave this sample out"
        )
    s = np.sqrt(K.diagonal())
    return K / s[:, None] / s


def center(K):
    """(I - 11ᵀ/N) K (I - 11ᵀ/N): the inner products of the features measured from their mean.

    K (N, N) symmetric.
    """
    K = checks.gram(K, "K")
    means = K.mean(axis=0)
    return K - means - means[:, None] + means.mean()


def median_width(X):
    """σ = the median of ‖x_i - x_j‖ over the pairs i < j: a width to begin with, neither all alike nor all apart.

    X (N, d), N >= 2. Raises ValueError where half of the pairs are equal samples: then the median is 0 and no width.
    """
    X = checks.samples(X)
    if len(X) < 2:
        raise ValueError("X has 1 row; at least two samples are expected: a distance needs a pair")
    squares = [np.sum((X[i + 1 :] - x) ** 2, axis=1) for i, x in enumerate(X)]  # never multiplied out
    sigma = np.median(np.sqrt(np.concatenate(squares)))
    if not sigma > 0:
        raise ValueError(
            "X holds mostly equal samples: the median distance is 0; distinct ones are expected, np.unique(X, axis=0)"
        )
    return sigma


def _negative_direction(K, s):
    """A unit z with z·Kz < 0 beyond rounding, from the smallest eigenvalue of K_ij/(s_i s_j), if there is one."""
    values, vectors = np.linalg.eigh((K + K.T) / 2 / np.outer(s, s))
    if values[0] >= -1e-10 * np.abs(values).max():
        return None
    z = vectors[:, 0] / s
    return z / np.linalg.norm(z)

"""Kernels: inner products of features that are never computed (核; chapter 12, a tool of 09-11; notes A 5.3.4, B, E).

X (N, d) and Z (M, d) hold samples as rows; a kernel k gives the matrix k(X, Z) (N, M), a feature map φ of X the rows
φ(x_n). s = x·z; c >= 0 and degree k are the polynomial kernel's, σ > 0 the width of the Gaussian one.
"""

from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np

from .guards.shapes import takes
from .solvers.distances import power, squared_distances

PART = 2**18  # kernel values of an expansion that are held at once, 2 MiB


@takes(X="N d", Z="M d")
def linear(X, Z):
    """k(x, z) = x·z: the kernel that changes nothing  [B-dualalg-2].

    X (N, d) and Z (M, d) give (N, M). Raises ValueError where they differ in their number of features.
    """
    return X @ Z.T


@takes(X="N d", Z="M d", c="number nonnegative", degree="whole")
def polynomial(X, Z, c=1.0, degree=2):
    """k(x, z) = (x·z + c)^degree  [E-prop-2, E-prop-6, E-prop-9, E-prop-10; c < 0 gives no kernel: erratum E23].

    X (N, d) and Z (M, d) give (N, M), each value in O(d). Raises ValueError where c < 0 or degree < 0, or where the
    powers overflow.
    """
    S = X @ Z.T + c
    return power(S, degree, out=S)  # by multiplications, in place


@takes(X="N d", Z="M d")
def cubic_sum(X, Z):
    """k(x, z) = 1 + s + s² + s³, s = x·z: all products of up to three attributes  [E-kernel-9, E-kernel-10].

    X (N, d) and Z (M, d) give (N, M). Raises ValueError where s³ overflows.
    """
    s = X @ Z.T
    return 1 + s * (1 + s * (1 + s))  # two multiplications (Horner)


@takes(X="N d", Z="M d", sigma="number positive")
def gaussian(X, Z, sigma=1.0):
    """k(x, z) = exp(-‖x - z‖²/2σ²): 1 where x = z, near 0 where they are far apart
    [E-sim-2, E-sim-3; the notes lose the minus: erratum E25].

    X (N, d) and Z (M, d) give (N, M). Raises ValueError where sigma <= 0.
    """
    exponents = -squared_distances(X, Z) / (2 * sigma**2)
    return np.exp(exponents, out=exponents)  # in place: nothing else of that size is made


def of_features(phi):
    """k(x, z) = φ(x)·φ(z), the kernel of a feature map φ  [E-kernel-11].

    phi takes samples X (N, d) to their features (N, p), as `cubic_features` does. Gives the function k(X, Z).
    """
    return lambda X, Z: phi(X) @ phi(Z).T


def gram(kernel, X):
    """K = [k(x_i, x_j)], the Gram or kernel matrix (内核矩阵)
    [A-5.3.4-4, B-dualalg-3, E-nec-1, E-kernel-8; the notes print x_i·x_i: erratum A54].

    X (N, d) gives (N, N), symmetric. With `linear` this is the Gram matrix (Gram矩阵) of the notes, X Xᵀ.
    """
    return kernel(X, X)


@takes(Z="M d", X="N d", coefficients="N")
def expansion(kernel, Z, X, coefficients):
    """f(z) = Σ_n c_n k(x_n, z), the function that samples and coefficients stand for  [E-kernel-15, D-5-17].

    Z (M, d) new samples, X (N, d) those of the fit, coefficients (N,): β of kernel LMS, αy of a dual (then add b).
    Gives (M,). Z is taken in parts: k(Z, X) as a whole is never stored.
    """
    parts = np.array_split(Z, min(len(Z), len(Z) * len(X) // PART + 1))
    return np.concatenate([kernel(part, X) @ coefficients for part in parts])


@takes(x="p", y="q", X="N 2", coefficients="N", sigma="number positive")
def gaussian_on_grid(x, y, X, coefficients, sigma=1.0):
    """f(x_j, y_i) = Σ_n c_n k(x_n, (x_j, y_i)), k the Gaussian kernel, at all points of a grid  [E-sim-2, E-kernel-15].

    e^-(a + b) = e^-a e^-b: the kernel of two features is the product of those of each. So f = E_y diag(c) E_xᵀ with
    E_x = k(x, X_1), E_y = k(y, X_2), and p + q exponentials a sample do the work of pq. x (p,) and y (q,) hold the
    points of either axis, X (N, 2) samples, coefficients (N,). Gives (q, p), as `expansion` does point by point. Raises
    ValueError where X has not two features, or sigma <= 0.
    """
    E_x, E_y = gaussian(x[:, None], X[:, :1], sigma), gaussian(y[:, None], X[:, 1:], sigma)
    return (E_y * coefficients) @ E_x.T


@takes(X="N d", c="number nonnegative")
def quadratic_features(X, c=0.0):
    """φ(x) = (x_i x_j for all i, j; √(2c) x_i; c), so that φ(x)·φ(z) = (x·z + c)²  [E-prop-3, E-prop-4, E-prop-7].

    X (N, d) gives (N, d² + d + 1), x_i x_j and x_j x_i both; (N, d²) for c = 0, where the rest is 0. Raises ValueError
    where c < 0.
    """
    pairs = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    return np.column_stack([pairs, np.sqrt(2 * c) * X, np.full(len(X), c)]) if c else pairs


@takes(X="N d", c="number nonnegative", degree="whole")
def polynomial_features(X, c=1.0, degree=2):
    """φ_a(x) = √(k!/(a_0! a_1! ... a_d!) c^a_0) x_1^a_1 ... x_d^a_d, a_0 + ... + a_d = k: each distinct product once
    [E-prop-9; the repeated ones of the notes' maps merged: erratum E23].

    X (N, d) gives (N, C(d + k, k)) with φ(x)·φ(z) = (x·z + c)^k. Raises ValueError where c < 0 or degree < 0, or where
    the products overflow.
    """
    factors = np.column_stack([np.full(len(X), np.sqrt(c)), X])  # √c is the feature whose power fills up to degree k
    products = list(combinations_with_replacement(range(X.shape[1] + 1), degree))  # x_1² x_3 is (1, 1, 3)
    orders = [factorial(degree) / prod(factorial(a.count(i)) for i in set(a)) for a in products]
    return np.stack([factors[:, a].prod(axis=1) for a in products], axis=1) * np.sqrt(orders)


@takes(X="N d")
def cubic_features(X):
    """φ(x) = (1; x_i; x_i x_j; x_i x_j x_k), in every order: 1 + d + d² + d³ features; of a number (1, x, x², x³)
    [E-featmap-2, E-featmap-3, E-kernel-1, E-kernel-9; "degree less than 3" in the notes: erratum E08].

    X (N, d) gives (N, 1 + d + d² + d³) with φ(x)·φ(z) = 1 + s + s² + s³.
    """
    pairs = X[:, :, None] * X[:, None, :]
    triples = pairs[:, :, :, None] * X[:, None, None, :]
    return np.column_stack([np.ones(len(X)), X, pairs.reshape(len(X), -1), triples.reshape(len(X), -1)])


@takes(x="N", sigma="number positive", n="count")
def gaussian_features(x, sigma=1.0, n=20):
    """φ_k(x) = exp(-x²/2σ²) (x/σ)^k / √k!, k = 0..n-1: the first of the infinitely many features behind the Gaussian
    kernel of numbers  [E-sim-4].

    x (N,) gives (N, n); φ(x)·φ(z) comes nearer to k(x, z) the larger n. Raises ValueError where sigma <= 0 or n < 1.
    """
    u, k = x[:, None] / sigma, np.arange(n)
    # exp(-u²/2) u^k/√k! by the logarithms of the three factors: where φ_k is about 1, each may leave float64
    log_u, log_factorials = np.log(np.maximum(np.abs(u), np.finfo(float).tiny)), np.cumsum(np.log(np.maximum(k, 1)))
    return np.sign(u) ** k * np.exp(-(u**2) / 2 + k * log_u - log_factorials / 2)


@takes(d="count", k="whole")
def feature_dimension(d, k):
    """C(d + k, k): how many products of at most k of d features there are  [E-prop-9, E-kernel-2].

    Raises ValueError where d < 1 or k < 0.
    """
    return comb(d + k, k)


@takes(K="N N")
def is_positive_semidefinite(K):
    """Is z·Kz >= 0 for every z, and K = Kᵀ? What every kernel matrix must satisfy  [E-nec-2, E-nec-3, E-suff-1].

    K (N, N). Returns (True, None), or (False, z) with a witness z·Kz < 0, or (False, None) where K is not symmetric.
    Eigenvalues within rounding of 0 count as 0. One such matrix does not prove a kernel (erratum E31).
    """
    size = np.abs(K).max() or 1.0
    if np.abs(K - K.T).max() > 1e-10 * size:
        return False, None
    s = np.sqrt(np.maximum(np.abs(K.diagonal()), 1e-5 * size))  # the lengths of the φ(x_i): short ones count, too
    values, V = np.linalg.eigh((K + K.T) / 2 / np.outer(s, s))
    if values[0] >= -1e-10 * np.abs(values).max():
        return True, None
    z = V[:, 0] / s  # z·Kz is the smallest eigenvalue
    return False, z / np.linalg.norm(z)


@takes(K="N N gram semidefinite")
def mercer_features(K):
    """Φ with ΦΦᵀ = K, from the eigenvectors, Φ = V√Λ: a positive semidefinite matrix is a Gram matrix  [E-suff-1].

    K (N, N) symmetric, positive semidefinite, gives (N, r), r its rank: features for these N samples only. Raises
    ValueError where K is not positive semidefinite.
    """
    values, V = np.linalg.eigh(K)
    positive = values > 10 * len(K) * np.finfo(float).eps * values.max()  # the others are 0 up to rounding
    return V[:, positive] * np.sqrt(values[positive])


def _positive_diagonal(K):
    """K_ii > 0: each φ(x_i) has a length, and so a direction."""
    i = K.diagonal().argmin()
    if not K[i, i] > 0:
        raise ValueError(
            f"K must have a positive diagonal, found K[{i}, {i}] = {K[i, i]:.3g}: φ(x) = 0 has no direction; leave "
            "this sample out"
        )


@takes(K="N N gram", together=_positive_diagonal)
def normalize(K):
    """K_ij/√(K_ii K_jj): the cosine of the angle between φ(x_i) and φ(x_j), a similarity from -1 to 1
    [E-sim-1; the notes' inner product also grows with the lengths: erratum E24].

    K (N, N) symmetric with a positive diagonal; raises ValueError where a sample has φ(x) = 0 and so no angle.
    """
    lengths = np.sqrt(K.diagonal())
    return K / lengths[:, None] / lengths


@takes(K="N N gram")
def center(K):
    """(I - 11ᵀ/N) K (I - 11ᵀ/N): the inner products of the features measured from their mean.

    K (N, N) symmetric.
    """
    means = K.mean(axis=0)
    return K - means - means[:, None] + means.mean()


def _mostly_distinct(X):
    """X (N, d), N >= 2, of which at most half of the pairs are equal: their median distance is not 0."""
    if len(X) < 2:
        raise ValueError("X has 1 row; at least two samples are expected: a distance needs a pair")
    copies = np.unique(X, axis=0, return_counts=True)[1]
    if np.sum(copies * (copies - 1) // 2) > len(X) * (len(X) - 1) // 2 // 2:
        raise ValueError(
            "X holds mostly equal samples: the median distance is 0; distinct ones are expected, np.unique(X, axis=0)"
        )


@takes(X="N d", together=_mostly_distinct)
def median_width(X):
    """σ = the median of ‖x_i - x_j‖ over the pairs i < j: a width to begin with, neither all alike nor all apart.

    X (N, d), N >= 2. Raises ValueError where half of the pairs are equal samples: then the median is 0 and no width.
    """
    pairs = np.triu(np.ones((len(X), len(X)), bool), k=1)
    return np.median(np.sqrt(squared_distances(X, X)[pairs]))

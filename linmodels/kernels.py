"""Kernels: inner products of features that are never computed (核; chapter 12, a tool of 09-11; notes A 5.3.4, B, E).

X (N, d) and Z (M, d) hold samples as rows; a kernel k gives the matrix k(X, Z) (N, M), a feature map φ of X the rows
φ(x_n). s = x·z; c >= 0 and degree k are the polynomial kernel's, σ > 0 the width of the Gaussian one.
"""

import math
from itertools import combinations_with_replacement

import numpy as np

from .guards.checks import matrix_of
from .guards.shapes import takes
from .solvers.distances import power, squared_distances

PART = 2**18  # kernel values of an expansion that are held at once, 2 MiB


@takes(X="N d", Z="M d")
def linear(X, Z):
    """k(x, z) = x·z: the kernel that changes nothing  [B-dualalg-2].

    >>> linear([[1, 2]], [[3, 1], [0, 5]])
    array([[ 5., 10.]])
    """
    return X @ Z.T


@takes(X="N d", Z="M d", c="number nonnegative", degree="whole")
def polynomial(X, Z, c=1.0, degree=2):
    """k(x, z) = (x·z + c)^degree  [E-prop-2, E-prop-6, E-prop-9, E-prop-10; c < 0 gives no kernel: erratum E23].

    It costs O(d) a value. Raises ValueError where the powers overflow.

    >>> polynomial([[1, 2]], [[3, -1], [0, 5]], c=2, degree=3)  # (1 + 2)³, (10 + 2)³
    array([[  27., 1728.]])
    """
    S = X @ Z.T + c
    return power(S, degree, out=S)  # by multiplications, in place


@takes(X="N d", Z="M d")
def cubic_sum(X, Z):
    """k(x, z) = 1 + s + s² + s³, s = x·z: all products of up to three attributes  [E-kernel-9, E-kernel-10].

    Raises ValueError where s³ overflows.

    >>> cubic_sum([[1, 2]], [[3, 1], [0, -1]])  # s = 5, -2
    array([[156.,  -5.]])
    """
    s = X @ Z.T
    return 1 + s * (1 + s * (1 + s))  # two multiplications (Horner)


@takes(X="N d", Z="M d", sigma="number positive")
def gaussian(X, Z, sigma=1.0):
    """k(x, z) = exp(-‖x - z‖²/2σ²): 1 where x = z, near 0 where they are far apart
    [E-sim-2, E-sim-3; the notes lose the minus: erratum E25].

    >>> gaussian([[0], [1]], [[0]]).round(3)  # 1, e^(-1/2)
    array([[1.   ],
           [0.607]])
    """
    exponents = -squared_distances(X, Z) / (2 * sigma**2)
    return np.exp(exponents, out=exponents)  # in place: nothing else of that size is made


def of_features(phi):
    """k(x, z) = φ(x)·φ(z), the kernel of a feature map φ  [E-kernel-11].

    phi takes samples X (N, d) to their features (N, p), as `cubic_features` does. Gives the function k(X, Z).

    >>> of_features(quadratic_features)([[1, 2]], [[3, 1]])  # (x·z)²
    array([[25.]])
    """
    phi = matrix_of(phi, "phi")
    return takes(X="N d", Z="M d")(lambda X, Z: phi(X) @ phi(Z).T)


@takes(X="N d")
def gram(kernel, X):
    """K = [k(x_i, x_j)], the Gram or kernel matrix (内核矩阵)
    [A-5.3.4-4, B-dualalg-3, E-nec-1, E-kernel-8; the notes print x_i·x_i: erratum A54].

    It calls kernel once, with all samples: kernel(X, X) gives (N, N). With `linear` this is the Gram matrix (Gram矩阵)
    of the notes, X Xᵀ.

    >>> gram(linear, [[3, 3], [1, 1]])
    array([[18.,  6.],
           [ 6.,  2.]])
    >>> gram(lambda X, Z: polynomial(X, Z, degree=3), [[1], [0]])  # a kernel with a parameter: 2³, 1
    array([[8., 1.],
           [1., 1.]])
    """
    k = matrix_of(kernel, "kernel")
    return k(X, X)


@takes(Z="M d", X="N d", coefficients="N")
def expansion(kernel, Z, X, coefficients):
    """f(z) = Σ_n c_n k(x_n, z), the function that samples and coefficients stand for  [E-kernel-15, D-5-17].

    Z holds new samples, X those of the fit. The coefficients are β of kernel LMS, or αy of a dual (then add b). Z is
    taken in parts: of many samples k(Z, X) is never stored as a whole.

    >>> expansion(linear, [[2]], [[3], [1]], [1, -1])  # 6 - 2
    array([4.])
    """
    k = matrix_of(kernel, "kernel")
    parts = np.array_split(Z, min(len(Z), len(Z) * len(X) // PART + 1))
    return np.concatenate([k(part, X) @ coefficients for part in parts])


@takes(x="p", y="q", X="N 2", coefficients="N", sigma="number positive")
def gaussian_on_grid(x, y, X, coefficients, sigma=1.0):
    """f(x_j, y_i) = Σ_n c_n k(x_n, (x_j, y_i)), k the Gaussian kernel, at all points of a grid  [E-sim-2, E-kernel-15].

    e^-(a + b) = e^-a e^-b: the kernel of two features is the product of those of each. So f = E_y diag(c) E_xᵀ with
    E_x = k(x, X_1), E_y = k(y, X_2), and p + q exponentials a sample do the work of pq. x (p,) and y (q,) hold the
    points of either axis. Gives (q, p), as `expansion` does point by point.

    >>> gaussian_on_grid([1, 2], [0], [[1, 0]], [2]).round(3)  # 2, 2 e^(-1/2)
    array([[2.   , 1.213]])
    """
    E_x, E_y = gaussian(x[:, None], X[:, :1], sigma), gaussian(y[:, None], X[:, 1:], sigma)
    return (E_y * coefficients) @ E_x.T


@takes(X="N d", c="number nonnegative")
def quadratic_features(X, c=0.0):
    """φ(x) = (x_i x_j for all i, j; √(2c) x_i; c), so that φ(x)·φ(z) = (x·z + c)²  [E-prop-3, E-prop-4, E-prop-7].

    Gives d² + d + 1 features, x_i x_j and x_j x_i both; d² for c = 0, where the rest is 0.

    >>> quadratic_features([[1, 2]], c=2)
    array([[1., 2., 2., 4., 2., 4., 2.]])
    """
    pairs = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    return np.column_stack([pairs, np.sqrt(2 * c) * X, np.full(len(X), c)]) if c else pairs


@takes(X="N d", c="number nonnegative", degree="whole")
def polynomial_features(X, c=1.0, degree=2):
    """φ_a(x) = √(k!/(a_0! a_1! ... a_d!) c^a_0) x_1^a_1 ... x_d^a_d, a_0 + ... + a_d = k: each distinct product once
    [E-prop-9; the repeated ones of the notes' maps merged: erratum E23].

    Gives C(d + k, k) features with φ(x)·φ(z) = (x·z + c)^k. Raises ValueError where the products overflow.

    >>> polynomial_features([[3, 2]]).round(3)  # 1, 3√2, 2√2, 9, 6√2, 4
    array([[1.   , 4.243, 2.828, 9.   , 8.485, 4.   ]])
    """
    factors = np.column_stack([np.full(len(X), np.sqrt(c)), X])  # √c is the feature whose power fills up to degree k
    products = list(combinations_with_replacement(range(X.shape[1] + 1), degree))  # x_1² x_3 is (1, 1, 3)
    orders = [math.factorial(degree) / math.prod(math.factorial(a.count(i)) for i in set(a)) for a in products]
    return np.stack([factors[:, a].prod(axis=1) for a in products], axis=1) * np.sqrt(orders)


@takes(X="N d")
def cubic_features(X):
    """φ(x) = (1; x_i; x_i x_j; x_i x_j x_k), in every order: 1 + d + d² + d³ features; of a number (1, x, x², x³)
    [E-featmap-2, E-featmap-3, E-kernel-1, E-kernel-9; "degree less than 3" in the notes: erratum E08].

    So φ(x)·φ(z) = 1 + s + s² + s³, s = x·z.

    >>> cubic_features([[2]])  # 1, x, x², x³
    array([[1., 2., 4., 8.]])
    """
    pairs = X[:, :, None] * X[:, None, :]
    triples = pairs[:, :, :, None] * X[:, None, None, :]
    return np.column_stack([np.ones(len(X)), X, pairs.reshape(len(X), -1), triples.reshape(len(X), -1)])


@takes(x="N", sigma="number positive", n="count")
def gaussian_features(x, sigma=1.0, n=20):
    """φ_k(x) = exp(-x²/2σ²) (x/σ)^k / √k!, k = 0..n-1: the first of the infinitely many features behind the Gaussian
    kernel of numbers  [E-sim-4].

    φ(x)·φ(z) tends to k(x, z) as n grows.

    >>> gaussian_features([2], sigma=2, n=3).round(3)  # e^(-1/2) (1, 1, 1/√2)
    array([[0.607, 0.607, 0.429]])
    """
    u, k = x[:, None] / sigma, np.arange(n)
    # exp(-u²/2) u^k/√k! by the logarithms of the three factors: where φ_k is about 1, each may leave float64
    log_u, log_factorials = np.log(np.maximum(np.abs(u), np.finfo(float).tiny)), np.cumsum(np.log(np.maximum(k, 1)))
    return np.sign(u) ** k * np.exp(-(u**2) / 2 + k * log_u - log_factorials / 2)


@takes(d="count", k="whole")
def feature_dimension(d, k):
    """C(d + k, k): how many products of at most k of d features there are  [E-prop-9, E-kernel-2].

    >>> feature_dimension(2, 3)  # 1; x_1, x_2; three of degree 2, four of degree 3
    10
    """
    return math.comb(d + k, k)


@takes(K="N N")
def is_positive_semidefinite(K):
    """Is z·Kz >= 0 for every z, and K = Kᵀ? What every kernel matrix must satisfy  [E-nec-2, E-nec-3, E-suff-1].

    Returns (True, None), or (False, z) with a witness z·Kz < 0, or (False, None) where K is not symmetric. Eigenvalues
    within rounding of 0 count as 0. One such matrix does not prove a kernel (erratum E31).

    >>> is_positive_semidefinite([[2, 1], [1, 2]])  # the eigenvalues are 1 and 3
    (True, None)
    """
    size = np.abs(K).max() or 1.0
    if np.abs(K - K.T).max() > 1e-10 * size:
        return False, None
    s = np.sqrt(np.maximum(np.abs(K.diagonal()), 1e-5 * size))  # the lengths of the φ(x_i), so that short ones count
    values, V = np.linalg.eigh((K + K.T) / 2 / np.outer(s, s))  # K_ij/(s_i s_j) has as many eigenvalues below 0 as K
    if values[0] >= -1e-10 * np.abs(values).max():
        return True, None
    z = V[:, 0] / s  # z·Kz is the smallest of them
    return False, z / np.linalg.norm(z)


@takes(K="N N gram semidefinite")
def mercer_features(K):
    """Φ with ΦΦᵀ = K, from the eigenvectors, Φ = V√Λ: a positive semidefinite matrix is a Gram matrix  [E-suff-1].

    Gives (N, r), r the rank of K: features for these N samples only. Raises ValueError where K is not positive
    semidefinite.

    >>> Phi = mercer_features([[4, 2], [2, 1]])  # (2, 1), or its negative
    >>> (Phi @ Phi.T).round(3)
    array([[4., 2.],
           [2., 1.]])
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
    """K_ij/√(K_ii K_jj): the cosine of the angle between φ(x_i) and φ(x_j), from -1 to 1 if K is a kernel's
    [E-sim-1; the notes' inner product also grows with the lengths: erratum E24].

    Raises ValueError where a sample has φ(x) = 0 and so no angle.

    >>> normalize([[4, 2], [2, 9]]).round(3)  # 2/(2 · 3)
    array([[1.   , 0.333],
           [0.333, 1.   ]])
    """
    lengths = np.sqrt(K.diagonal())
    return K / lengths[:, None] / lengths


@takes(K="N N gram")
def center(K):
    """(I - 11ᵀ/N) K (I - 11ᵀ/N): the inner products of the features measured from their mean.

    >>> center([[1, 2], [2, 4]])  # of the numbers 1, 2; from their mean they are -1/2, 1/2
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
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

    X has at least two samples. Raises ValueError where more than half of the pairs are equal samples: then the median
    is 0 and no width.

    >>> print(median_width([[0], [3], [4]]).round(3))  # of 3, 4, 1
    3.0
    """
    pairs = np.triu(np.ones((len(X), len(X)), bool), k=1)
    return np.median(np.sqrt(squared_distances(X, X)[pairs]))

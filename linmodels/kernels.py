"""Kernels: inner products of samples, plain or of their features (chapter 12, a tool of 09-11; notes A 5.3.4, E).

X (N, d) and Z (M, d) hold samples as rows; a kernel k gives the matrix k(X, Z) (N, M).
"""

from . import checks


def linear(X, Z):
    """k(x, z) = x·z: the kernel that changes nothing  [B-dualalg-2].

    X (N, d) and Z (M, d) give (N, M). Raises ValueError where they differ in their number of features.
    """
    X, Z = checks.samples(X), checks.samples(Z, "Z")
    if X.shape[1] != Z.shape[1]:
        raise ValueError(f"X has {X.shape[1]} features but Z has {Z.shape[1]}; compare samples of one kind")
    return X @ Z.T


def gram(kernel, X):
    """G = [k(x_i, x_j)]  [A-5.3.4-4, B-dualalg-3; the notes print x_i·x_i: erratum A54].

    X (N, d) gives (N, N), symmetric. With `linear` this is the Gram matrix (Gram矩阵) of the notes, X Xᵀ.
    """
    return kernel(X, X)

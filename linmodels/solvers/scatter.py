"""The eigenvectors of two scatters where the one within the classes is singular (the solver of chapter 07).

X (N, d), t (N,) the class of each sample, 0..K-1, N_k of them in class k. Means are measured from the first sample.
"""

import numpy as np

from ..special import sign
from . import cholesky, moments, units

EPS = np.finfo(float).eps


def solve(S, delta, X):
    """w = S⁻¹δ, S the scatter of samples X and δ a difference of their means; None where S is singular to rounding.

    Raises LinAlgError where δ is rounding.
    """
    A = whitening(S, X)
    if A is None:
        return None
    w = A @ (A.T @ delta)  # AAᵀ = S⁻¹
    require_apart(np.sqrt(len(X) * (delta @ w)) / 2, len(X))
    return w


def singular_direction(X, t):
    """A w of largest J, of the length that S_w⁻¹(μ_1 - μ_0) has where S_w is regular. LinAlgError if μ_0 = μ_1."""
    W, _ = through_total_scatter(X, t)
    mu_0, mu_1 = means_from_first(X, t)
    return W[:, 0] * (W[:, 0] @ (mu_1 - mu_0))


def singular_directions(X, t, n_components=None):
    """What `lda.directions` gives where S_w is singular. LinAlgError if all μ_k are equal."""
    W, ratios = through_total_scatter(X, t)
    m = _number_within_rank(n_components, len(ratios), X, t)
    return upright(W[:, :m]), ratios[:m]


def number_of_directions(s, X, t, n_components=None):
    """n_components, or the rank of S_b: how many of √λ_1 >= √λ_2 >= ... are not rounding, at most K - 1."""
    require_apart(s[0], len(X))
    return _number_within_rank(n_components, min(np.count_nonzero(s > 1e-10 * s[0]), t.max()), X, t)


def _number_within_rank(n_components, rank, X, t):
    if n_components is not None and n_components > rank:
        raise ValueError(
            f"n_components is {n_components}, but S_b of {t.max() + 1} classes in {X.shape[1]} features has rank "
            f"{rank}: no more directions than that; give at most {rank}"
        )
    return rank if n_components is None else n_components


def upright(W):
    """Each column with a sign such that its largest entry is positive."""
    return W * sign(W[np.abs(W).argmax(axis=0), np.arange(W.shape[1])])


def means_from_first(X, t):
    """The class means of x - x_0, x_0 the first sample: an offset of all samples costs no digits."""
    return moments.class_sums(X, t, X[0]) / np.bincount(t)[:, None]


def within_scatter(X, t):
    """S_w = Σ_n (x_n - μ_t_n)(x_n - μ_t_n)ᵀ, all measured from the first sample."""
    R = X - X[0]
    R -= means_from_first(X, t)[t]
    return R.T @ R


def weighted_means(M, t):
    """√N_k (μ_k - μ), one row per class: S_b is their scatter."""
    n = np.bincount(t)
    return np.sqrt(n)[:, None] * (M - n @ M / len(t))


def whitening(S, X, most=1e3):
    """A with AᵀSA = I, AAᵀ = S⁻¹; None where S, a scatter of X, is so near to singular that it costs over 6 digits.

    Where what is left of a feature is rounding, since it is constant in each class, that is told by its range in X.
    """
    if (np.sqrt(S.diagonal() / len(X)) <= len(X) * EPS * np.ptp(X, axis=0)).any():
        return None
    s, R = cholesky.unit_inverse(S, most)
    return None if R is None else R.T / s[:, None]


def through_total_scatter(X, t):
    """The same vectors from S_b v = μ S_t v, λ = μ/(1 - μ): S_t is nonsingular along the differences of means.

    Where vectors differ by what no sample tells apart, the shortest; if sizes of columns differ by more than 1e6, the
    shortest in units of the columns.
    """
    Z, unit = _rescaled(X)
    Z -= Z.mean(axis=0)
    require_apart(np.abs(Z).max(), 0)
    U, sigma, Vt = np.linalg.svd(Z, full_matrices=False)
    r = _rank_beyond_rounding(sigma, X / unit)
    U, sigma, Vt = U[:, :r], sigma[:r], Vt[:r]  # in the coordinates U = ZVΣ⁻¹, S_t = I
    M = U[0] + means_from_first(U, t)
    M += moments.class_sums(U - M[t], t) / np.bincount(t)[:, None]  # what the rounding of long sums left
    _, s, Qt = np.linalg.svd(weighted_means(M, t), full_matrices=False)  # S_b = DᵀD of the weighted means D
    m = number_of_directions(s, U, t)
    Q, mu = Qt[:m].T, s[:m] ** 2
    dominant = mu > 0.5  # where 1 - μ loses digits S_w = I - S_b has them: the same vectors, its smallest first
    _, _, R = np.linalg.svd((U - M[t]) @ Q[:, dominant], full_matrices=False)
    Q[:, dominant] = Q[:, dominant] @ R[::-1].T
    between, within = (np.linalg.norm(A @ Q, axis=0) for A in (weighted_means(M, t), U - M[t]))
    one_point = within <= 64 * EPS * np.linalg.norm(Q.T * (sigma[0] / sigma), axis=1)  # U_i is known to ε σ_1/σ_i
    within[one_point] = 1.0
    W = Vt.T / sigma @ Q / within / unit[:, None]
    return W, np.where(one_point, np.inf, (between / within) ** 2)


def _rank_beyond_rounding(sigma, X):
    """How many singular values of X - μ are more than the rounding of X, which offsets may make far from 0."""
    return int(np.count_nonzero(sigma > max(X.shape) * EPS * np.linalg.norm(X)))


def _rescaled(X):
    """X - x_0 in units of its largest entry, or of that of each column if these differ too much; and the units (d,)."""
    Z = X - X[0]
    sizes = units.power_of_two(Z, axis=0)
    used = sizes[Z.any(axis=0)]
    if 1e-6 * used.max(initial=0) < used.min(initial=np.inf):
        sizes[:] = used.max(initial=0) or 1.0
    return Z / sizes, sizes


def require_apart(distance, N):
    """Distance of the means in units of the scatter: rounding alone makes about N EPS of it."""
    if distance <= N * EPS:
        raise np.linalg.LinAlgError("all class means are equal: J = 0 for every w, and no direction is better")


def require_regular(X, t):
    """Raises LinAlgError where the inverse of S_w would lose half of all digits."""
    if whitening(within_scatter(X, t), X, most=1e4) is None:
        raise np.linalg.LinAlgError(
            "S_w is singular: Σ⁻¹ does not exist; drop features that are constant in each class or follow from others, "
            "or take more samples; `directions` and `predict` need no inverse"
        )


def require_independent(W, X, t):
    """Raises LinAlgError where WᵀS_w W is singular up to rounding."""
    Z = (X - X[0]) @ W
    if whitening(within_scatter(Z, t), Z, most=1e6) is None:
        raise np.linalg.LinAlgError(
            "WᵀS_w W is singular: columns of W depend on one another, or along one each class is a single point"
        )


def _rounding_along(w, X):
    """What the last digits of X can make of w·x."""
    return 4 * EPS * (np.abs(X) @ np.abs(w)).max()


def require_spread(w, X):
    """Raises ValueError where w·x is the same for all samples, up to rounding; w may be a matrix W."""
    if np.abs((X - X[0]) @ w).max() <= _rounding_along(w, X):
        raise ValueError("w·x is the same for all samples: J is 0/0; give a w that tells samples apart")


def require_apart_along(w, X, t):
    """Raises ValueError where the projected means of two classes are equal, up to rounding."""
    z = (X - X[0]) @ w
    if abs(z[t == 0].mean() - z[t == 1].mean()) <= _rounding_along(w, X):
        raise ValueError("w·μ_0 = w·μ_1: no threshold on w·x tells the classes apart; `lda.direction` gives a better w")


def require_like_units(X):
    """Raises LinAlgError where features spread so differently that a short one is lost beside a long one in S_w."""
    spread = np.ptp(X, axis=0)
    if spread[spread > 0].min(initial=np.inf) < 1e-5 * spread.max():
        raise np.linalg.LinAlgError(
            "features of X differ by more than 1e5 in size: beside the singular values of the large ones those of the "
            "small ones look like zero; rescale X, or take lda.direction"
        )

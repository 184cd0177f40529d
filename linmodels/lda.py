"""Fisher's linear discriminant analysis (线性判别分析, LDA; chapter 07; notes A 4, C 2).

X (N, d) holds the samples, without a column of ones; t (N,) the class of each, 0..K-1, N_k of them in class k (in the
notes m_i); a scatter S (d, d) is a sum, not a mean; w (d,) is a direction, W (d, m) has one in each column.
"""

import numpy as np

from .guards import checks
from .guards.shapes import takes
from .solvers import least_squares, scatter
from .special import sign


def means(X, t):
    """μ_k = 1/N_k Σ_{x in D_k} x, one row per class (K, d)  [A-4.1-1, A-4.1.1-1, A-4.2-1, A-4.2-2].

    X (N, d), t (N,) class numbers 0..K-1, each of them present.
    """
    X, t = checks.classes(X, t)
    return X[0] + scatter.means_from_first(X, t)


def scatter_within(X, t):
    """S_w = Σ_k Σ_{x in D_k} (x - μ_k)(x - μ_k)ᵀ = Σ_k N_k Σ_k  [A-4.1.2-1, A-4.2-5, A-4.2-6; errata A27, A28, A34].

    X (N, d), t (N,) class numbers 0..K-1, each of them present. A sum over samples; covariances Σ_k are means.
    """
    X, t = checks.classes(X, t)
    return scatter.means_and_within(X, t)[1]


def scatter_between(X, t):
    """S_b = Σ_k N_k (μ_k - μ)(μ_k - μ)ᵀ  [A-4.2-7; for two classes N_0 N_1/N times `scatter_of_means`: erratum A36].

    X (N, d), t (N,) class numbers 0..K-1, each of them present.
    """
    X, t = checks.classes(X, t)
    M = scatter.weighted_means(scatter.means_from_first(X, t), t)
    return M.T @ M


def scatter_of_means(X, t):
    """S_b = (μ_0 - μ_1)(μ_0 - μ_1)ᵀ, for two classes  [A-4.1.2-2].

    X (N, d), t (N,) of 0 and 1, both of them present.
    """
    X, t = checks.pair_of_classes(X, t)
    mu_0, mu_1 = scatter.means_from_first(X, t)
    return np.outer(mu_0 - mu_1, mu_0 - mu_1)


def scatter_total(X):
    """S_t = Σ_n (x_n - μ)(x_n - μ)ᵀ = S_w + S_b; of the samples of class i it is S_wi  [A-4.2-3, A-4.2-4].

    X (N, d).
    """
    X = checks.samples(X)
    t = np.zeros(len(X), int)
    return scatter.means_and_within(X, t)[1]


@takes(W="d or d m", X="N? d")
def project(W, X):
    """w·x, or Wᵀx, of each sample: ‖w‖ times its coordinate on the line  [A-4.1.1-2, A-4.1.1-3; erratum A29]."""
    return X @ W


def rayleigh_quotient(w, X, t):
    """J(w) = wᵀS_b w / wᵀS_w w = (w·μ_0 - w·μ_1)² / Σ_k Σ_{x in D_k} (w·x - w·μ_k)²  [A-4.1.1-7, A-4.1.2-3, A-4.1.2-5].

    w (d,), X (N, d), t (N,) of 0 and 1. Where each class falls onto one point, J is inf, up to rounding; where all
    samples fall onto one, 0/0, ValueError.
    """
    X, t = checks.pair_of_classes(X, t)
    M, S = scatter.means_and_within(_projected(w, X - X[0]), t)  # wᵀSw is the scatter of the numbers w·x
    return _quotient((M[0, 0] - M[1, 0]) ** 2, S[0, 0])


@takes(W="d m wall", X="N d finite")
def trace_ratio(W, X, t):
    """J(W) = tr(WᵀS_b W) / tr(WᵀS_w W), not maximised by the eigenvectors of `directions`  [A-4.2-9; erratum A37].

    W (d, m), X (N, d), t (N,) class numbers 0..K-1.
    """
    Z = X @ W
    return _quotient(np.trace(scatter_between(Z, t)), np.trace(scatter_within(Z, t)))


@takes(W="d m wall", X="N d finite")
def ratio_trace(W, X, t):
    """tr((WᵀS_w W)⁻¹ WᵀS_b W), which the leading eigenvectors do maximise: λ_1 + ... + λ_m  [A-4.2-14; erratum A37].

    W (d, m), X (N, d), t (N,) class numbers 0..K-1.
    """
    Z = X @ W
    A = scatter.whitening(scatter_within(Z, t), most=1e6)
    if A is None:
        raise np.linalg.LinAlgError("WᵀS_w W is singular: give columns of W that do not depend on one another")
    return np.trace(A.T @ scatter_between(Z, t) @ A)


def direction(X, t):
    """w = S_w⁻¹(μ_0 - μ_1), the maximum of J: class 0 falls on the larger side of w·x  [A-4.1.2-4, A-4.1.2-9].

    X (N, d), t (N,) of 0 and 1. Where S_w is singular, still a w of largest J, along what `minimum_norm` gives for the
    labels of X - μ: J = inf if there is a direction in which each class is one point. LinAlgError if μ_0 = μ_1.
    """
    X, t = checks.pair_of_classes(X, t)
    return scatter.direction(X, t)


def svd_direction(X, t):
    """w = VΣ⁺Uᵀ(μ_0 - μ_1) of S_w = UΣVᵀ, singular values of zero left out  [A-4.1.2-10; erratum A31].

    X (N, d), t (N,) of 0 and 1. Where S_w is far from singular equal to `direction`, else blind as S_w is.
    """
    X, t = checks.pair_of_classes(X, t)
    Z = X - X[0]
    M, S = scatter.means_from_first(Z, t), scatter_within(Z, t)
    s = np.sqrt(S.diagonal())  # in units of s, lest a feature in small units be taken for zero
    s[s == 0] = 1.0
    U, sigma, Vt = least_squares.svd(S / (s[:, None] * s))
    return Vt.T @ (U.T @ ((M[0] - M[1]) / s) / sigma) / s


def directions(X, t, n_components=None):
    """W and λ_1 >= λ_2 >= ... of S_b W = S_w W Λ, WᵀS_w W = I  [A-4.2-13, A-4.2-14, A-4.2-15; errata A38, A39].

    X (N, d), t (N,) class numbers 0..K-1; n_components or all, at most K - 1 and d. Gives W (d, m) and the ratios λ
    (m,); the largest entry of each column is positive. λ = inf where each class falls onto one point (there, wᵀS_t w =
    1). LinAlgError if all μ_k are equal.
    """
    X, t = checks.classes(X, t)
    W, ratios = scatter.directions(X, t)
    m = len(ratios) if n_components is None else checks.count(n_components, "n_components")
    if m > len(ratios):
        raise ValueError(
            f"n_components is {m}, but S_b of {t.max() + 1} classes in {X.shape[1]} features has rank {len(ratios)}: "
            f"no more directions than that; give at most {len(ratios)}"
        )
    W, ratios = W[:, :m], ratios[:m]
    largest = W[np.abs(W).argmax(axis=0), np.arange(m)]
    return W * sign(largest), ratios


def threshold(w, X, t):
    """τ = (w·μ_0 + w·μ_1)/2, halfway between the projected means  [A-4-2; erratum A32].

    w (d,), X (N, d), t (N,) of 0 and 1.
    """
    X, t = checks.pair_of_classes(X, t)
    z = _projected(w, X)
    return z[0, 0] + scatter.means_from_first(z, t).mean()


def prior_threshold(w, X, t):
    """τ = (w·μ_0 + w·μ_1)/2 - s² ln(N_0/N_1)/(w·μ_0 - w·μ_1), s² = wᵀS_w w/N  [A-4-2; erratum A32].

    There, classes that are normal along w, with one variance s² and the shares N_k/N, are equally likely. w (d,),
    X (N, d), t (N,) of 0 and 1.
    """
    X, t = checks.pair_of_classes(X, t)
    z, (N_0, N_1) = _projected(w, X), np.bincount(t)
    M, S = scatter.means_and_within(z, t)
    m_0, m_1 = z[0, 0] + M[:, 0]
    if m_0 == m_1:
        raise ValueError("w·μ_0 = w·μ_1: no threshold on w·x tells the classes apart; `lda.direction` gives a better w")
    s2 = S[0, 0] / len(t)
    return (m_0 + m_1) / 2 - s2 * np.log(N_0 / N_1) / (m_0 - m_1)


@takes(w="d finite", tau="number finite", X="N? d finite")
def predict_by_threshold(w, tau, X):
    """t̂ = I(w·x < τ): with the w of `direction`, class 1 lies below τ  [A-4-2]."""
    return (X @ w < tau).astype(int)


@takes(W="d m or d wall", M="K d wall", X="N d finite")
def predict(W, M, X):
    """arg min_k ‖Wᵀ(x - μ_k)‖, the class with the nearest projected mean  [A-4-1, A-4-2].

    W (d, m) or (d,), M (K, d) the `means`, X (N, d). For two classes and one w it is `threshold`.
    """
    m = M.mean(axis=0)
    Z, C = (((A - m) @ W).reshape(len(A), -1) for A in (X, M))
    return np.argmax(Z @ C.T - np.sum(C * C, axis=1) / 2, axis=1)  # ‖z - c‖² = ‖z‖² - 2(z·c - ‖c‖²/2)


def discriminants(X, t):
    """a_k(x) = μ_kᵀΣ⁻¹x - ½ μ_kᵀΣ⁻¹μ_k + ln(N_k/N), Σ = S_w/N: p(C_k|x) = softmax(a)_k, a_k = w_k·x + b_k.

    For normal classes of one covariance. X (N, d), t (N,) class numbers 0..K-1. Gives W (d, K), b (K,), the x and μ_k
    measured from the first sample, which adds the same to all a_k. LinAlgError where S_w is singular.
    """
    X, t = checks.classes(X, t)
    found = scatter.discriminants(X, t)
    if found is None:
        raise np.linalg.LinAlgError(
            "S_w is singular: Σ⁻¹ does not exist; drop features that repeat others; `directions` and `predict` need no "
            "inverse"
        )
    W, M = found
    shares = np.bincount(t) / len(t)
    return W, np.log(shares) - np.sum(W * M.T, axis=0) / 2 - X[0] @ W


def _quotient(between, within):
    if between == within == 0:
        raise ValueError("w·x is the same for all samples: J is 0/0; give a w that tells samples apart")
    return between / within if within > 0 else np.inf


def _projected(w, X):
    """w·x of each sample as the one feature of samples (N, 1), within the wall as w is."""
    w = checks.within_wall(checks.vector(w, "w", X.shape[1], per="feature"), "w", checks.SQUARED)
    return checks.within_wall(X @ w, "w·x")[:, None]

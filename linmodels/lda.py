"""Fisher's linear discriminant analysis (线性判别分析, LDA; chapter 07; notes A 4, C 2).

X (N, d) holds the samples, without a column of ones; t (N,) the class of each, 0..K-1, N_k >= 1 of them in class k (in
the notes m_i); a scatter S (d, d) is a sum, not a mean; w (d,) is a direction, W (d, m) has one in each column.
"""

import numpy as np

from .guards.shapes import takes
from .solvers import scatter


@takes(X="N d", t="N classes")
def means(X, t):
    """μ_k = 1/N_k Σ_{x in D_k} x, one row per class (K, d)  [A-4.1-1, A-4.1.1-1, A-4.2-1, A-4.2-2].

    >>> means([[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1])
    array([[1., 1.],
           [5., 0.]])
    """
    return np.array([(t == k) @ X / np.sum(t == k) for k in range(t.max() + 1)])


@takes(X="N d", t="N classes")
def scatter_within(X, t):
    """S_w = Σ_k Σ_{x in D_k} (x - μ_k)(x - μ_k)ᵀ = Σ_k N_k Σ_k  [A-4.1.2-1, A-4.2-5, A-4.2-6; errata A27, A28, A34].

    S_w is a sum over samples; the covariances Σ_k are means.

    >>> scatter_within([[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1])  # (2, 2; 2, 2) + (2, 0; 0, 0)
    array([[4., 2.],
           [2., 2.]])
    """
    X = X - X[0]  # no scatter depends on the origin: from here no offset costs a digit
    R = X - means(X, t)[t]  # each sample minus the mean of its class
    return R.T @ R


@takes(X="N d", t="N classes")
def scatter_between(X, t):
    """S_b = Σ_k N_k (μ_k - μ)(μ_k - μ)ᵀ  [A-4.2-7; for two classes N_0 N_1/N times `scatter_of_means`: erratum A36].

    >>> scatter_between([[0], [2], [5], [7]], [0, 0, 1, 1])  # 2 (1 - 3.5)² + 2 (6 - 3.5)²
    array([[25.]])
    """
    X = X - X[0]  # no scatter depends on the origin: from here no offset costs a digit
    M = means(X - X.mean(axis=0), t)  # μ_k - μ
    return (M.T * np.bincount(t)) @ M


@takes(X="N d", t="N binary")
def scatter_of_means(X, t):
    """S_b = (μ_0 - μ_1)(μ_0 - μ_1)ᵀ, for two classes  [A-4.1.2-2].

    >>> scatter_of_means([[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1])  # μ_0 - μ_1 = (-4, 1)
    array([[16., -4.],
           [-4.,  1.]])
    """
    mu_0, mu_1 = means(X - X[0], t)  # their difference depends on no origin
    return np.outer(mu_0 - mu_1, mu_0 - mu_1)


@takes(X="N d")
def scatter_total(X):
    """S_t = Σ_n (x_n - μ)(x_n - μ)ᵀ = S_w + S_b; of the samples of class i it is S_wi  [A-4.2-3, A-4.2-4].

    >>> scatter_total([[0], [2], [5], [7]])  # 3.5² + 1.5² + 1.5² + 3.5²
    array([[29.]])
    """
    X = X - X[0]  # no scatter depends on the origin: from here no offset costs a digit
    R = X - X.mean(axis=0)
    return R.T @ R


@takes(X="N d", t="N classes")
def covariances(X, t):
    """Σ_k = 1/N_k Σ_{x in D_k} (x - μ_k)(x - μ_k)ᵀ, one per class (K, d, d); of the numbers w·x it is wᵀΣ_k w
    [A-4.1.1-1, A-4.1.1-4, A-4.2-2, A-4.2-5; a scatter is N_k times as large: errata A27, A34].

    >>> covariances([[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1]).tolist()
    [[[1.0, 1.0], [1.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]]]
    """
    return np.stack([scatter_total(X[t == k]) / N_k for k, N_k in enumerate(np.bincount(t))])


@takes(W="d or d m", X="N? d")
def project(W, X):
    """w·x, or Wᵀx, of each sample: ‖w‖ times its coordinate on the line  [A-4.1.1-2, A-4.1.1-3; erratum A29].

    >>> project([3, 4], [[0, 0], [2, 2], [4, 0]])
    array([ 0., 14., 12.])
    """
    return X @ W


@takes(w="d", X="N d", t="N binary", infinite=True, together=scatter.require_spread)
def rayleigh_quotient(w, X, t):
    """J(w) = wᵀS_b w / wᵀS_w w = (w·μ_0 - w·μ_1)² / Σ_k Σ_{x in D_k} (w·x - w·μ_k)²  [A-4.1.1-7, A-4.1.2-3, A-4.1.2-5].

    Up to rounding, J is inf where each class falls onto one point. Raises ValueError where all samples fall onto one,
    up to rounding, too: J is 0/0.

    >>> print(rayleigh_quotient([1, 0], [[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1]))  # (1 - 5)²/4
    4.0
    """
    z = (X - X[0]) @ w  # J depends on no origin
    m_0, m_1 = z[t == 0].mean(), z[t == 1].mean()
    with np.errstate(divide="ignore"):
        return (m_0 - m_1) ** 2 / np.sum((z - np.where(t == 0, m_0, m_1)) ** 2)


@takes(W="d m", X="N d", t="N classes", infinite=True, together=lambda W, X: scatter.require_spread(W, X))
def trace_ratio(W, X, t):
    """J(W) = tr(WᵀS_b W) / tr(WᵀS_w W), not maximized by the eigenvectors of `directions`  [A-4.2-9; erratum A37].

    It is inf, or raises ValueError, where `rayleigh_quotient` does.

    >>> print(trace_ratio([[1], [0]], [[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1]))  # one column: J(w)
    4.0
    """
    Z = (X - X[0]) @ W  # WᵀSW is the scatter of the samples Wᵀx
    with np.errstate(divide="ignore"):
        return np.trace(scatter_between(Z, t)) / np.trace(scatter_within(Z, t))


@takes(W="d m", X="N d", t="N classes", infinite=True, together=scatter.require_independent)
def ratio_trace(W, X, t):
    """tr((WᵀS_w W)⁻¹ WᵀS_b W), which the leading eigenvectors do maximize: λ_1 + ... + λ_m  [A-4.2-14; erratum A37].

    Raises LinAlgError where WᵀS_w W is singular.

    >>> print(ratio_trace([[1], [0]], [[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1]))  # one column: J(w)
    4.0
    """
    Z = (X - X[0]) @ W
    return np.trace(np.linalg.solve(scatter_within(Z, t), scatter_between(Z, t)))


@takes(X="N d", t="N binary")
def direction(X, t):
    """w = S_w⁻¹(μ_1 - μ_0), the maximum of J: class 1 falls on the larger side of w·x  [A-4.1.2-4, A-4.1.2-9, C-2-2].

    Note A has μ_0 - μ_1, which is the same line, with class 0 on the larger side.

    Where S_w is singular, w is still one of largest J: along what `minimum_norm` gives for the labels of X - μ. There
    J = inf if in some direction each class is one point. Raises LinAlgError if μ_0 = μ_1.

    >>> direction([[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1]).round(3)  # (4, 2; 2, 2)⁻¹(4, -1)
    array([ 2.5, -3. ])
    """
    S_w = scatter_within(X, t)
    mu_0, mu_1 = means(X - X[0], t)  # their difference depends on no origin
    w = scatter.solve(S_w, mu_1 - mu_0, X)  # S_w⁻¹(μ_1 - μ_0), None where S_w is singular up to rounding
    return scatter.singular_direction(X, t) if w is None else w


@takes(X="N d", t="N binary", together=scatter.require_like_units)
def svd_direction(X, t):
    """w = VΣ⁺Uᵀ(μ_1 - μ_0) of S_w = UΣVᵀ, singular values of zero left out  [A-4.1.2-10; erratum A31].

    It equals `direction` where S_w is far from singular; elsewhere it ignores the null space of S_w. Raises LinAlgError
    where features differ by more than 1e5 in size.

    >>> svd_direction([[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1]).round(3)
    array([ 2.5, -3. ])
    """
    mu_0, mu_1 = means(X - X[0], t)  # their difference depends on no origin
    U, sigma, Vt = np.linalg.svd(scatter_within(X, t))
    kept = sigma > 1e-12 * sigma[0]
    return Vt[kept].T @ ((U.T[kept] @ (mu_1 - mu_0)) / sigma[kept])


@takes(X="N d", t="N classes", n_components="count or None", infinite=True)
def directions(X, t, n_components=None):
    """W and λ_1 >= λ_2 >= ... of S_b W = S_w W Λ, WᵀS_w W = I
    [A-4.1.2-6, A-4.1.2-7, A-4.2-13, A-4.2-14, A-4.2-15; errata A38, A39].

    Gives W (d, m) and the ratios λ (m,), m = n_components or all, at most K - 1 and d. The largest entry of each column
    is positive. λ = inf where each class falls onto one point (there, wᵀS_t w = 1). Raises LinAlgError if all μ_k are
    equal.

    >>> W, ratios = directions([[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1])
    >>> ratios.round(3)  # of two classes (μ_0 - μ_1)ᵀS_w⁻¹(μ_0 - μ_1), as N_0 N_1/N = 1
    array([13.])
    """
    P = scatter.whitening(scatter_within(X, t), X)  # PᵀS_w P = I, None where S_w is singular up to rounding
    if P is None:
        return scatter.singular_directions(X, t, n_components)
    M, N_k = means(X - X[0], t), np.bincount(t)  # μ_k from the first sample, as in `scatter_within`
    mu = N_k @ M / len(X)
    D = np.sqrt(N_k)[:, None] * (M - mu)  # √N_k (μ_k - μ) in row k: S_b = DᵀD
    _, s, Ut = np.linalg.svd(D @ P, full_matrices=False)  # PᵀS_b P = UΛUᵀ, Λ = diag(s²)
    m = scatter.number_of_directions(s, X, t, n_components)
    return scatter.upright((P @ Ut.T)[:, :m]), s[:m] ** 2


@takes(w="d", X="N d", t="N binary")
def threshold(w, X, t):
    """τ = (w·μ_0 + w·μ_1)/2, halfway between the projected means  [A-4-2; erratum A32].

    >>> print(threshold([1, 0], [[0, 0], [2, 2], [4, 0], [6, 0]], [0, 0, 1, 1]))  # (1 + 5)/2
    3.0
    """
    z = X @ w
    return (z[t == 0].mean() + z[t == 1].mean()) / 2


@takes(w="d", X="N d", t="N binary", together=scatter.require_apart_along)
def prior_threshold(w, X, t):
    """τ = (w·μ_0 + w·μ_1)/2 + s² ln(N_0/N_1)/(w·μ_1 - w·μ_0), s² = wᵀS_w w/N  [A-4-2; erratum A32].

    There, classes that are Gaussian along w, with one variance s² and the shares N_k/N, are equally likely. Raises
    ValueError where w·μ_0 = w·μ_1, up to rounding.

    >>> print(prior_threshold([1], [[4], [6], [0], [2], [0], [2]], [0, 0, 1, 1, 1, 1]).round(3))  # 3 - ln(1/2)/4
    3.173
    """
    z = (X - X[0]) @ w  # w·x, measured from the first sample
    z_0, z_1 = z[t == 0], z[t == 1]
    m_0, m_1 = z_0.mean(), z_1.mean()
    s2 = (np.sum((z_0 - m_0) ** 2) + np.sum((z_1 - m_1) ** 2)) / len(z)
    return X[0] @ w + (m_0 + m_1) / 2 + s2 * np.log(len(z_0) / len(z_1)) / (m_1 - m_0)


@takes(w="d", tau="number", X="N? d")
def predict_by_threshold(w, tau, X):
    """t̂ = I(w·x >= τ): with the w of `direction`, class 1 lies above τ, and a tie is of class 1  [A-4-2].

    >>> predict_by_threshold([2.5, -3], 6, [[0, 0], [4, 0]])  # w·x = 0, 10
    array([0, 1])
    """
    return (X @ w >= tau).astype(int)


@takes(W="d m or d", M="K d", X="N d")
def predict(W, M, X):
    """arg min_k ‖Wᵀ(x - μ_k)‖, the class with the nearest projected mean  [A-4-1, A-4-2].

    M holds the `means`. For two classes and one w with w·μ_1 > w·μ_0 it is `threshold`, ties aside.

    >>> predict([1, 0], [[1, 1], [5, 0]], [[2, 9], [4, 9]])
    array([0, 1])
    """
    W = W.reshape(len(W), -1)
    Z, centers = (X - M[0]) @ W, (M - M[0]) @ W  # Wᵀx and Wᵀμ_k, measured from μ_0
    return np.argmin([np.sum((Z - c) ** 2, axis=1) for c in centers], axis=0)


@takes(X="N d", t="N classes", together=scatter.require_regular)
def discriminants(X, t):
    """a_k(x) = μ_kᵀΣ⁻¹x - ½ μ_kᵀΣ⁻¹μ_k + ln(N_k/N), Σ = S_w/N: p(C_k|x) = softmax(a)_k, a_k = v_k·x + b_k.

    This holds for Gaussian classes of one covariance. Gives V (d, K) and b (K,). Here x and μ_k are measured from the
    first sample, which adds the same to all a_k. Raises LinAlgError where S_w is singular.

    >>> V, b = discriminants([[4], [6], [0], [2]], [0, 0, 1, 1])
    >>> V.round(3)  # Σ = 1, and μ_k - x_0 = 1, -3
    array([[ 1., -3.]])
    """
    M, N = means(X - X[0], t), len(X)  # μ_k - x_0
    V = np.linalg.solve(scatter_within(X, t) / N, M.T)  # Σ⁻¹(μ_k - x_0): -Σ⁻¹x_0 is the same in every class
    return V, np.log(np.bincount(t) / N) - np.sum(V * M.T, axis=0) / 2 - X[0] @ V

"""Fisher's linear discriminant analysis (线性判别分析, LDA; chapter 07; notes A 4, C 2).

X (N, d) holds the samples, without a column of ones; t (N,) the class of each, 0..K-1, N_k of them in class k (in the
notes m_i); a scatter S (d, d) is a sum, not a mean; w (d,) is a direction, W (d, m) has one in each column.
"""

import numpy as np

from . import checks, linear_regression, moments
from .shapes import takes
from .special import sign

EPS = np.finfo(float).eps


def means(X, t):
    """μ_k = 1/N_k Σ_{x in D_k} x, one row per class (K, d)  [A-4.1-1, A-4.1.1-1, A-4.2-1, A-4.2-2].

    X (N, d), t (N,) class numbers 0..K-1, each of them present.
    """
    X, t = checks.classes(X, t)
    return _in_range(X[0] + _means(X, t), "mean")


def scatter_within(X, t):
    """S_w = Σ_k Σ_{x in D_k} (x - μ_k)(x - μ_k)ᵀ = Σ_k N_k Σ_k  [A-4.1.2-1, A-4.2-5, A-4.2-6; errata A27, A28, A34].

    X (N, d), t (N,) class numbers 0..K-1, each of them present. A sum over samples; covariances Σ_k are means.
    """
    X, t = checks.classes(X, t, unread=True)
    return _in_range(_means_and_within(X, t)[1])


def scatter_between(X, t):
    """S_b = Σ_k N_k (μ_k - μ)(μ_k - μ)ᵀ  [A-4.2-7; for two classes N_0 N_1/N times `scatter_of_means`: erratum A36].

    X (N, d), t (N,) class numbers 0..K-1, each of them present.
    """
    X, t = checks.classes(X, t)
    return _in_range(_square(_weighted_means(_means(X, t), t)))


def scatter_of_means(X, t):
    """S_b = (μ_0 - μ_1)(μ_0 - μ_1)ᵀ, for two classes  [A-4.1.2-2].

    X (N, d), t (N,) of 0 and 1, both of them present.
    """
    X, t = checks.pair_of_classes(X, t)
    return _in_range(_square(-np.diff(_means(X, t), axis=0)))


def scatter_total(X):
    """S_t = Σ_n (x_n - μ)(x_n - μ)ᵀ = S_w + S_b; of the samples of class i it is S_wi  [A-4.2-3, A-4.2-4].

    X (N, d).
    """
    X = checks.samples(X, unread=True)
    t = np.zeros(len(X), int)
    return _in_range(_means_and_within(X, t)[1])


@takes(W="d or d m", X="N? d")
def project(W, X):
    """w·x, or Wᵀx, of each sample: ‖w‖ times its coordinate on the line  [A-4.1.1-2, A-4.1.1-3; erratum A29]."""
    return X @ W


def rayleigh_quotient(w, X, t):
    """J(w) = wᵀS_b w / wᵀS_w w = (w·μ_0 - w·μ_1)² / Σ_k Σ_{x in D_k} (w·x - w·μ_k)²  [A-4.1.1-7, A-4.1.2-3, A-4.1.2-5].

    w (d,), X (N, d), t (N,) of 0 and 1. Where each class falls onto one point, J is inf, up to rounding; where all
    samples fall onto one, 0/0, ValueError.
    """
    X = checks.samples(X)
    w = checks.vector(w, "w", X.shape[1], per="feature")
    z = ((X - X[0]) @ (w / moments.power_of_two(w)))[:, None]
    z = z / moments.power_of_two(z)  # wᵀSw is the scatter of the numbers w·x, and J depends on neither unit nor origin
    return _quotient(scatter_of_means(z, t)[0, 0], scatter_within(z, t)[0, 0])


@takes(W="d m finite", X="N d finite")
def trace_ratio(W, X, t):
    """J(W) = tr(WᵀS_b W) / tr(WᵀS_w W), not maximised by the eigenvectors of `directions`  [A-4.2-9; erratum A37].

    W (d, m), X (N, d), t (N,) class numbers 0..K-1.
    """
    Z = X @ W
    return _quotient(np.trace(scatter_between(Z, t)), np.trace(scatter_within(Z, t)))


@takes(W="d m finite", X="N d finite")
def ratio_trace(W, X, t):
    """tr((WᵀS_w W)⁻¹ WᵀS_b W), which the leading eigenvectors do maximise: λ_1 + ... + λ_m  [A-4.2-14; erratum A37].

    W (d, m), X (N, d), t (N,) class numbers 0..K-1.
    """
    Z = X @ W
    A = _whitening(scatter_within(Z, t), most=1e6)
    if A is None:
        raise np.linalg.LinAlgError("WᵀS_w W is singular: give columns of W that do not depend on one another")
    return np.trace(A.T @ scatter_between(Z, t) @ A)


def direction(X, t):
    """w = S_w⁻¹(μ_0 - μ_1), the maximum of J: class 0 falls on the larger side of w·x  [A-4.1.2-4, A-4.1.2-9].

    X (N, d), t (N,) of 0 and 1. Where S_w is singular, still a w of largest J, along what `minimum_norm` gives for the
    labels of X - μ: J = inf if there is a direction in which each class is one point. LinAlgError if μ_0 = μ_1.
    """
    X, t = checks.pair_of_classes(X, t, unread=True)
    M, S = _means_and_within(X, t)
    A = _whitening(S)
    if A is None:
        W, _ = _through_total_scatter(X, t)
        unit = moments.power_of_two(X, axis=0)
        M = _means(X / unit, t)  # in units, for means and scatters may leave the range of numbers where w does not
        return W[:, 0] * ((W[:, 0] * unit) @ (M[0] - M[1]))
    _require_apart(np.linalg.norm(_weighted_means(M, t) @ A), len(X))
    return A @ (A.T @ (M[0] - M[1]))  # AAᵀ = S_w⁻¹


def svd_direction(X, t):
    """w = VΣ⁺Uᵀ(μ_0 - μ_1) of S_w = UΣVᵀ, singular values of zero left out  [A-4.1.2-10; erratum A31].

    X (N, d), t (N,) of 0 and 1. Where S_w is far from singular equal to `direction`, else blind as S_w is.
    """
    X, t = checks.pair_of_classes(X, t)
    unit = moments.power_of_two(X - X[0], axis=0)
    Z = (X - X[0]) / unit
    M, S = _means(Z, t), scatter_within(Z, t)
    s = np.sqrt(S.diagonal())  # in units of s, lest a feature in small units be taken for zero
    s[s == 0] = 1.0
    U, sigma, Vt = linear_regression.svd(S / (s[:, None] * s))
    with np.errstate(over="ignore"):
        return _in_range(Vt.T @ (U.T @ ((M[0] - M[1]) / s) / sigma) / s / unit, "direction")


def directions(X, t, n_components=None):
    """W and λ_1 >= λ_2 >= ... of S_b W = S_w W Λ, WᵀS_w W = I  [A-4.2-13, A-4.2-14, A-4.2-15; errata A38, A39].

    X (N, d), t (N,) class numbers 0..K-1; n_components or all, at most K - 1 and d. Gives W (d, m) and the ratios λ
    (m,); the largest entry of each column is positive. λ = inf where each class falls onto one point (there, wᵀS_t w =
    1). LinAlgError if all μ_k are equal.
    """
    X, t = checks.classes(X, t, unread=True)
    M, S = _means_and_within(X, t)
    A = _whitening(S)
    W, ratios = _through_total_scatter(X, t) if A is None else _symmetric_problem(A, _weighted_means(M, t), len(X))
    m = len(ratios) if n_components is None else checks.count(n_components, "n_components")
    if m > len(ratios):
        raise ValueError(
            f"n_components is {m}, but S_b of {len(M)} classes in {X.shape[1]} features has rank {len(ratios)}: "
            f"no more directions than that; give at most {len(ratios)}"
        )
    W, ratios = W[:, :m], ratios[:m]
    largest = W[np.abs(W).argmax(axis=0), np.arange(m)]
    return W * sign(largest), ratios


def threshold(w, X, t):
    """τ = (w·μ_0 + w·μ_1)/2, halfway between the projected means  [A-4-2; erratum A32].

    w (d,), X (N, d), t (N,) of 0 and 1.
    """
    return means(_projected(w, X), checks.pair_of_classes(X, t)[1]).mean()


def prior_threshold(w, X, t):
    """τ = (w·μ_0 + w·μ_1)/2 - s² ln(N_0/N_1)/(w·μ_0 - w·μ_1), s² = wᵀS_w w/N  [A-4-2; erratum A32].

    There, classes that are normal along w, with one variance s² and the shares N_k/N, are equally likely. w (d,),
    X (N, d), t (N,) of 0 and 1.
    """
    X, t = checks.pair_of_classes(X, t)
    z, (N_0, N_1) = _projected(w, X), np.bincount(t)
    unit = moments.power_of_two(z)  # in which no square is too small or too large
    m_0, m_1 = means(z / unit, t)[:, 0]
    if m_0 == m_1:
        raise ValueError("w·μ_0 = w·μ_1: no threshold on w·x tells the classes apart; `lda.direction` gives a better w")
    s2 = scatter_within(z / unit, t)[0, 0] / len(t)
    return ((m_0 + m_1) / 2 - s2 * np.log(N_0 / N_1) / (m_0 - m_1)) * unit


@takes(w="d finite", tau="number finite", X="N? d finite")
def predict_by_threshold(w, tau, X):
    """t̂ = I(w·x < τ): with the w of `direction`, class 1 lies below τ  [A-4-2]."""
    return (X @ w < tau).astype(int)


@takes(W="d m or d finite", M="K d finite", X="N d finite")
def predict(W, M, X):
    """arg min_k ‖Wᵀ(x - μ_k)‖, the class with the nearest projected mean  [A-4-1, A-4-2].

    W (d, m) or (d,), M (K, d) the `means`, X (N, d). For two classes and one w it is `threshold`.
    """
    m = M.mean(axis=0)
    Z, C = (((A - m) @ W).reshape(len(A), -1) for A in (X, M))
    unit = moments.power_of_two(C)  # in which no square leaves the range of numbers
    Z, C = Z / unit, C / unit
    return np.argmax(Z @ C.T - np.sum(C * C, axis=1) / 2, axis=1)  # ‖z - c‖² = ‖z‖² - 2(z·c - ‖c‖²/2)


def discriminants(X, t):
    """a_k(x) = μ_kᵀΣ⁻¹x - ½ μ_kᵀΣ⁻¹μ_k + ln(N_k/N), Σ = S_w/N: p(C_k|x) = softmax(a)_k, a_k = w_k·x + b_k.

    For normal classes of one covariance. X (N, d), t (N,) class numbers 0..K-1. Gives W (d, K), b (K,), the x and μ_k
    measured from the first sample, which adds the same to all a_k. LinAlgError where S_w is singular.
    """
    X, t = checks.classes(X, t, unread=True)
    M, S = _means_and_within(X, t)
    A = _whitening(S, most=1e4)
    if A is None:
        raise np.linalg.LinAlgError(
            "S_w is singular, or beyond the range of float64: Σ⁻¹ does not exist; drop features that repeat others, or "
            "rescale; `directions` and `predict` need no inverse"
        )
    W = len(X) * A @ (A.T @ M.T)
    shares = np.bincount(t) / len(t)
    return W, np.log(shares) - np.sum(W * M.T, axis=0) / 2 - X[0] @ W


@np.errstate(over="ignore", invalid="ignore")  # beyond 1e±150: _whitening and _in_range tell
def _means(X, t):
    """The class means of x - x_0, x_0 the first sample: an offset of all samples costs no digits."""
    return moments.class_sums(X, t, X[0]) / np.bincount(t)[:, None]


@np.errstate(over="ignore", invalid="ignore")
def _means_and_within(X, t):
    """The class means of x - x_0, and S_w = Σ_k [Σ_n∈k (x_n - c_k)(x_n - c_k)ᵀ - N_k (μ_k - c_k)(μ_k - c_k)ᵀ].

    That holds for any c_k. One pass, if they lie near the μ_k: they are the class means of some thousand samples. Where
    the second sum is more than half of the first in a column (a rare class that these missed), again from the means
    found. X need not have been read: NaN and inf show in S.
    """
    n, some = np.bincount(t)[:, None], slice(None, None, 1 + len(X) // 4096)
    C = np.repeat(X[:1], len(n), axis=0)
    C += _scatter_around(C, X[some], t[some])[1]
    S, E = _scatter_around(C, X, t)
    if not (S.diagonal() - 2 * (n * E * E).sum(axis=0)).min() >= 0:  # also where X holds NaN or inf
        checks.samples(X)
        C += E
        S, E = _scatter_around(C, X, t)
    S -= E.T @ (n * E)
    M = C - X[0] + E
    spread = np.sqrt(np.maximum(S.diagonal(), 0) / len(X))
    constant = spread <= 2 * EPS * np.abs(M).max(axis=0)  # in each class: what is left is rounding
    if constant.any():
        S[constant] = S[:, constant] = 0.0
    return M, S


def _scatter_around(C, X, t):
    """Σ_n (x_n - c)(x_n - c)ᵀ, c that row of C which t_n says; and the class means of these differences, (K, d)."""
    S, sums, k = np.zeros((X.shape[1], X.shape[1])), np.zeros(C.shape), np.arange(len(C))[:, None]
    for rows in moments.blocks(X, 2 + len(C) // X.shape[1]):
        B = X[rows] - C.take(t[rows], axis=0)
        S += B.T @ B
        sums += (t[rows] == k).astype(float) @ B
    return S, sums / np.maximum(np.bincount(t, minlength=len(C)), 1)[:, None]


@np.errstate(over="ignore", invalid="ignore")
def _weighted_means(M, t):
    """√N_k (μ_k - μ), one row per class: S_b is their scatter."""
    n = np.bincount(t)
    return np.sqrt(n)[:, None] * (M - n @ M / len(t))


@np.errstate(over="ignore", invalid="ignore")
def _square(M):
    return M.T @ M


def _in_range(S, what="scatter"):
    if not np.isfinite(S).all():
        raise ValueError(f"the {what} of X leaves the range of float64; rescale the columns of X first")
    return S


def _whitening(S, most=1e3):
    """A with AᵀSA = I, AAᵀ = S⁻¹; None where S is out of range, or so near to singular that it costs over 6 digits."""
    s, R = moments.unit_inverse(S, most)
    return None if R is None else R.T / s[:, None]


def _symmetric_problem(A, M, N):
    """S_b v = λ S_w v is, with v = Au, AᵀS_b A u = λu, a symmetric problem; S_b = MᵀM, so the SVD of MA solves it."""
    _, sigma, Vt = np.linalg.svd(M @ A, full_matrices=False)
    _require_apart(sigma[0], N)
    kept = sigma > 1e-10 * sigma[0]
    kept[len(M) - 1 :] = False
    return A @ Vt[kept].T, sigma[kept] ** 2


def _through_total_scatter(X, t):
    """The same vectors from S_b v = μ S_t v, λ = μ/(1 - μ): S_t is never blind to a difference of means.

    Where vectors differ by what no sample tells apart, the shortest; if sizes of columns differ by more than 1e6, the
    shortest in units of the columns.
    """
    Z, unit = _near_one(X)
    Z -= Z.mean(axis=0)
    _require_apart(np.abs(Z).max(), 0)
    U, sigma, Vt = linear_regression.svd(Z)  # in the coordinates U = ZVΣ⁻¹, S_t = I
    M = U[0] + _means(U, t)
    M += moments.class_sums(U - M[t], t) / np.bincount(t)[:, None]  # what the rounding of long sums left
    Q, mu = _symmetric_problem(np.eye(len(sigma)), _weighted_means(M, t), len(U))
    near_1 = mu > 0.5  # where 1 - μ loses digits S_w = I - S_b has them: the same vectors, its smallest first
    _, _, R = np.linalg.svd((U - M[t]) @ Q[:, near_1], full_matrices=False)
    Q[:, near_1] = Q[:, near_1] @ R[::-1].T
    between, within = (np.linalg.norm(A @ Q, axis=0) for A in (_weighted_means(M, t), U - M[t]))
    one_point = within <= 64 * EPS * np.linalg.norm(Q.T * (sigma[0] / sigma), axis=1)  # U_i is known to ε σ_1/σ_i
    within[one_point] = 1.0
    with np.errstate(over="ignore"):
        W = _in_range(Vt.T / sigma @ Q / within / unit[:, None], "direction")
    return W, np.where(one_point, np.inf, (between / within) ** 2)


def _near_one(X):
    """X - x_0 in units of its largest entry, or of that of each column if these differ too much; and the units (d,)."""
    unit = moments.power_of_two(X, axis=0)
    Z = X / unit - X[0] / unit
    sizes = unit * moments.power_of_two(Z, axis=0)
    used = sizes[Z.any(axis=0)]
    if 1e-6 * used.max(initial=0) < used.min(initial=np.inf):
        sizes[:] = used.max(initial=0) or 1.0
    return Z * (unit / sizes), sizes


def _require_apart(distance, N):
    """Distance of the means in units of the scatter: rounding alone makes about N EPS of it."""
    if distance <= N * EPS:
        raise np.linalg.LinAlgError("all class means are equal: J = 0 for every w, and no direction is better")


def _quotient(between, within):
    if between == within == 0:
        raise ValueError("w·x is the same for all samples: J is 0/0; give a w that tells samples apart")
    return between / within if within > 0 else np.inf


def _projected(w, X):
    """w·x of each sample as the one feature of samples (N, 1)."""
    X = checks.samples(X)
    return (X @ checks.vector(w, "w", X.shape[1], per="feature"))[:, None]

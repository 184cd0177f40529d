"""Linear regression (线性回归; chapter 01; notes A 1.1-1.3, D 1).

X (N, d) is the design matrix as given: `design.augment` appends the ones, so that w (d,) ends with the bias b.
y (N,) holds the targets. Note D's X is our X.T: its samples are columns.
"""

import numpy as np

from . import optimize
from .guards import checks
from .guards.shapes import bare, takes
from .solvers import least_squares as solver
from .solvers import moments, units
from .solvers.least_squares import rank_revealing_svd, svd  # noqa: F401

EPS = np.finfo(float).eps
MANY = 1000  # samples from which on steps are made from XᵀX and Xᵀy


@takes(w="d", X="N? d")
def predict(w, X):
    """ŷ = Xw, that is ŷ_i = w·x_i + b for augmented samples  [A-0-2, A-1.1-2, A-1.1-3, A-1.2-10, D-0-1, D-1-1]."""
    return X @ w


@takes(w="d", X="N d", y="N")
def loss(w, X, y):
    """E(w) = (y - Xw)·(y - Xw) = Σ_i (ŷ_i - y_i)²  [A-1.1-4, A-1.2-3, A-1.2-6, D-1-2, D-1-4]."""
    r = y - X @ w
    return r @ r


@takes(w="d", X="N d", y="N")
def gradient(w, X, y):
    """∇E(w) = 2Xᵀ(Xw - y)  [A-1.2-7, D-1-6]."""
    return 2 * (X.T @ (X @ w - y))


@takes(w_0="d", g_0="d", w="d", XX="d d")
def gradient_from(w_0, g_0, w, XX):
    """∇E(w) = ∇E(w_0) + 2XᵀX(w - w_0): E is a parabola, so g_0 = ∇E(w_0) and XᵀX (d, d) tell it everywhere."""
    return g_0 + 2 * (XX @ (w - w_0))


@takes(w="d", X="N d", y="N")
def hessian(w, X, y):
    """∇²E(w) = 2XᵀX, the same for every w and y."""
    return 2 * (X.T @ X)


def normal_equations(X, y):
    """The w with XᵀXw = Xᵀy, so w = (XᵀX)⁻¹Xᵀy  [A-1.2-8, A-1.2-9, D-1-7, D-1-8].

    X (N, d), y (N,). As printed, and for that reason inaccurate where columns are nearly dependent or far from 0:
    forming XᵀX squares the condition number (erratum D06); `least_squares` is the accurate one. Raises LinAlgError
    where X has not full column rank: there are many solutions then; and where the square leaves no digit right.
    """
    X, y = checks.regression(X, y)
    s = np.linalg.svd(units.unit_columns(X)[0], compute_uv=False)
    solver.require_full_rank(solver.rank(s, X), X)
    if s[-1] < 1e-7 * s[0]:
        raise np.linalg.LinAlgError(
            f"XᵀX is singular to rounding, though X is not: squaring its condition number, {s[0] / s[-1]:.0e}, leaves "
            "no digit right; see least_squares, which does not form it"
        )
    return np.linalg.solve(X.T @ X, X.T @ y)


def least_squares(X, y):
    """arg min_w ‖Xw - y‖², accurately and in few passes over X  [A-1.1-5, A-1.2-5, D-1-5].

    X (N, d), y (N,). The normal equations of columns of unit length, refined once by the residual they leave. Where
    that lost digits: again with the columns and y measured from their means (if X has a column of ones, that is only
    another bias), and by QR where nothing else helps. Raises LinAlgError where X has not full column rank.
    """
    X, y = checks.regression(X, y)
    return solver.solve(X, y)


def minimum_norm(X, y):
    """X⁺y, the shortest of all w that minimise ‖Xw - y‖²  [A-1.2-11].

    X (N, d) of any rank, y (N,). Equal to `least_squares` where the rank is full. A singular value counts as zero
    below max(N, d) ε times the largest. Raises LinAlgError where rows or columns are so short beside others that the
    rank cannot be told.
    """
    X, y = checks.regression(X, y)
    return solver.minimum_norm(X, y)


def null_space(X):
    """An orthonormal basis, as columns (d, d - rank X), of all z with Xz = 0: what may be added to w unnoticed.

    X (N, d). Raises LinAlgError where its rows or columns differ so much in length that the rank cannot be told.
    """
    _, s, Vt = rank_revealing_svd(checks.samples(X))
    return np.linalg.svd(Vt)[2][len(s) :].T if len(s) else np.eye(Vt.shape[1])


def hat_matrix(X):
    """H = X(XᵀX)⁻¹Xᵀ, the projection onto the columns of X: ŷ = Hy  (N, N).

    With X = USVᵀ that is UUᵀ, which needs no inverse and stays a projection where XᵀX has none.
    X (N, d). Raises LinAlgError where rows are so short beside others that the rank cannot be told.
    """
    U, _, _ = rank_revealing_svd(units.unit_columns(checks.samples(X))[0])
    return U @ U.T


def largest_step(X):
    """sup of the steps for which gradient descent converges: 2/λ_max(2XᵀX) = 1/λ_max(XᵀX)."""
    return 1 / _eigenvalues(X)[-1]


def best_step(X):
    """η = 2/(L + μ) = 1/(λ_max + λ_min) of XᵀX, λ_min > 0: each step leaves at most (L - μ)/(L + μ) of the error."""
    lam = _eigenvalues(X)
    return 1 / (lam[-1] + lam[lam > len(lam) * EPS * lam[-1]][0])


def gradient_iterates(X, y, *, eta, w=None):
    """w ← w - η ∇E(w), from w = 0 unless given  [D-1-12].

    X (N, d), y (N,), 0 < eta < `largest_step(X)` for convergence. Yields optimize.Iterate(w, ∇E(w)) without end;
    `optimize.run` says when to stop. Of 1000 samples and more ∇E(w) comes from XᵀX, which is summed up once, and from
    its value at one point near the minimum (`gradient_from`).
    """
    X, y = checks.regression(X, y)
    w, eta = checks.start(w, X.shape[1]), checks.step(eta)
    if len(X) >= max(MANY, X.shape[1]):
        XX, Xy = moments.second_moments(X, y)
        w_0 = np.linalg.lstsq(XX, Xy)[0]
        g_0 = gradient(w_0, X, y)  # near the minimum, where 2(XᵀXw - Xᵀy) would be all rounding
        return optimize.gradient_descent(lambda w: bare(gradient_from)(w_0, g_0, w, XX), w, eta=eta)
    return optimize.gradient_descent(lambda w: bare(gradient)(w, X, y), w, eta=eta)


def stochastic_iterates(X, y, *, eta, batch=1, rng, w=None):
    """w ← w - η Σ_{i in I} 2(w·x_i - y_i) x_i, from w = 0 unless given: `batch` samples I a step, all once an epoch.

    X (N, d), y (N,); eta a number or a function of the step's number k; rng shuffles each epoch. Yields
    optimize.Iterate(w, None) without end.
    """
    X, y = checks.regression(X, y)
    w, rng, batch = checks.start(w, X.shape[1]), checks.generator(rng), checks.count(batch, "batch")
    eta = eta if callable(eta) else checks.step(eta)
    return optimize.stochastic_gradient_descent(
        lambda w, I: bare(gradient)(w, X[I], y[I]), w, len(X), eta=eta, batch=batch, rng=rng
    )


def _eigenvalues(X):
    X = checks.samples(X)
    if not X.any():
        raise ValueError("X holds only zeros: the loss does not depend on w; give samples that differ from 0")
    return np.linalg.eigvalsh(X.T @ X)

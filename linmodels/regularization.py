"""Regularisation (正则化; chapter 02; notes A 1.2, 1.3, C 1).

X (N, d) is the design matrix, y (N,) the targets, w (d,) the weights. λ >= 0 is one number or one per column
(`design.free_bias` leaves the bias free), ρ in [0, 1] the share of the L1 part. ‖Xw - y‖² stands without 1/2.
"""

from dataclasses import dataclass

import numpy as np

from . import linear_regression, optimize
from .guards import checks
from .guards.shapes import bare, takes
from .solvers import moments, penalized, sparse
from .special import soft_threshold


@dataclass(frozen=True)
class Fit:
    """Weights that minimise a penalised loss; no other weights have a loss lower than theirs by more than `gap`."""

    w: np.ndarray
    gap: float
    n_iter: int
    converged: bool
    reason: str


@dataclass(frozen=True)
class Path:
    """The lasso for every λ >= lams[-1]: W[k] (d,) at the knots lams[k], decreasing, straight lines between them.

    changes[k] is j for the j-th column, counted from 1, that enters at knot k, -j for one that leaves, 0 at the end.
    """

    lams: np.ndarray
    W: np.ndarray
    changes: np.ndarray


@takes(w="d", lam="number or d", rho="number")
def penalty(w, lam, rho=1.0):
    """λρ‖w‖₁ + λ(1 - ρ)/2 ‖w‖², column by column if λ is one per column."""
    return np.sum(lam * (rho * np.abs(w) + (1 - rho) / 2 * w * w))


@takes(w="d", X="N d", y="N", lam="number or d", rho="number")
def loss(w, X, y, lam, rho=1.0):
    """‖Xw - y‖² + λρ‖w‖₁ + λ(1 - ρ)/2 ‖w‖², the lasso's for ρ = 1  [A-1.2-14, A-1.2-16]."""
    return linear_regression.loss(w, X, y) + penalty(w, lam, rho)


@takes(w="d", X="N d", y="N", lam="number or d")
def ridge_loss(w, X, y, lam):
    """‖Xw - y‖² + λ‖w‖²  [A-1.2-15, A-1.3-3; note A 1.3 prints ‖w‖ without its square: erratum A08]."""
    return linear_regression.loss(w, X, y) + np.sum(lam * w * w)


@takes(w="d", X="N d", y="N", lam="number or d")
def ridge_gradient(w, X, y, lam):
    """2Xᵀ(Xw - y) + 2λw."""
    return linear_regression.gradient(w, X, y) + 2 * lam * w


def ridge(X, y, lam):
    """w = (XᵀX + λI)⁻¹Xᵀy, or (XᵀX + diag λ)⁻¹Xᵀy with one λ per column  [A-1.2-15, A-1.3-1].

    X (N, d), y (N,), lam >= 0 a number or (d,), in the units of X². With fewer samples than columns the N x N system
    of `ridge_dual` is solved instead. Raises LinAlgError where columns without penalty are dependent.
    """
    X, y = checks.regression(X, y)
    return penalized.ridge(X, y, checks.penalty(lam, X.shape[1]))


def ridge_dual(K, y, lam):
    """β = (K + λI)⁻¹y, and w = Xᵀβ if K = XXᵀ: ridge by samples instead of columns, or kernel ridge.

    K (N, N) symmetric, positive semidefinite, y (N,), lam >= 0. Predictions are Kβ. Raises LinAlgError where K + λI is
    singular.
    """
    K = checks.gram(K, "K")
    y, lam = checks.targets(y, "y", len(K), per="row of K"), checks.one_penalty(lam)
    return penalized.solve_dual(K, y, lam)


def ridge_rows(X, y, lam):
    """(X; √λ I), (y; 0): ridge is the least squares of these N + d rows."""
    X, y = checks.regression(X, y)
    lam = checks.penalty(lam, X.shape[1])
    return penalized.rows(X, y, lam)


def ridge_path(X, y, lams):
    """w(λ) = Σ_i v_i s_i/(s_i² + λ) (u_i·y), where X = Σ_i s_i u_i v_iᵀ: ridge for every λ by one decomposition.

    Of many samples that of XᵀX = Σ_i s_i² v_i v_iᵀ, where squaring costs no digits: s_i (u_i·y) is v_i·Xᵀy.
    X (N, d), y (N,), lams (m,) >= 0; λ = 0 gives the shortest least-squares solution. Every column is penalised:
    centre X and y first to leave a bias free. Gives (m, d).
    """
    X, y = checks.regression(X, y)
    lams = checks.penalties(lams)
    return penalized.ridge_path(X, y, lams)


@takes(w="d", X="N d", y="N", lam="number or d", rho="number")
def coordinate_step(j, w, X, y, lam, rho=1.0):
    """w_j = S(x_j·r, λρ/2) / (x_j·x_j + λ(1 - ρ)/2), r = y - Σ_{k≠j} w_k x_k: the minimum over w_j alone."""
    lam, x = np.broadcast_to(lam, w.shape)[j], X[:, j]
    r = y - X @ w + x * w[j]
    curvature = x @ x + lam * (1 - rho) / 2
    return soft_threshold(x @ r, lam * rho / 2) / curvature if curvature else 0.0  # 0: of zeros, and free of charge


def coordinate_iterates(X, y, lam, rho=1.0, *, w=None):
    """What `coordinate_step` does, for j = 1..d and again, each with the newest of the others.

    The residual y - Xw is kept up to date instead of computed anew.
    X (N, d), y (N,), lam >= 0 a number or (d,), 0 <= rho <= 1. Yields optimize.Iterate(w, subgradient) after each
    sweep, the start (w = 0 unless given) first, without end.
    """
    X, y, l1, l2 = _problem(X, y, lam, rho)
    return _sweeps(X, y, l1, l2, checks.start(w, X.shape[1]), np.sum(X * X, axis=0))


def proximal_iterates(X, y, lam, rho=1.0, *, eta, w=None):
    """w ← S(w - η 2Xᵀ(Xw - y), ηλρ) / (1 + ηλ(1 - ρ)): a gradient step on the squares, then the penalty (ISTA).

    X (N, d), y (N,), lam >= 0 a number or (d,), 0 <= rho <= 1, 0 < eta < `linear_regression.largest_step(X)`.
    Yields optimize.Iterate without end, the start (w = 0 unless given) first.
    """
    X, y, l1, l2 = _problem(X, y, lam, rho)
    return optimize.proximal_gradient(
        lambda w: bare(linear_regression.gradient)(w, X, y),
        lambda v, eta: soft_threshold(v, eta * l1) / (1 + eta * l2),
        checks.start(w, X.shape[1]),
        eta=checks.step(eta),
    )


def lasso(X, y, lam):
    """arg min_w ‖Xw - y‖² + λ‖w‖₁, exactly, with true zeros  [A-1.2-14].

    X (N, d), y (N,), lam >= 0 a number or (d,), in the units of X·y. Gives a `Fit`, as `elastic_net` does.
    """
    return elastic_net(X, y, lam, 1.0)


def elastic_net(X, y, lam, rho):
    """arg min_w ‖Xw - y‖² + λρ‖w‖₁ + λ(1 - ρ)/2 ‖w‖², exactly, with true zeros  [A-1.2-16].

    X (N, d), y (N,), lam >= 0 a number or (d,), 0 <= rho <= 1. Once the signs s of the solution are known, it solves
    the linear system (XᵀX + λ(1 - ρ)/2 I)w = Xᵀy - λρ/2 s in the columns with s ≠ 0: guess the signs, solve, guess
    again from what came out; where that does not settle, follow the `Path` down to λ, or take one column after the
    other. The result's `gap` proves how near it is; converged means gap <= 1e-10 of the loss, or a loss that is 0 up
    to rounding.
    """
    X, y, l1, l2 = _problem(X, y, lam, rho)
    w, gap, enough, n_iter = penalized.elastic_net(X, y, l1, l2)
    converged = bool(gap <= enough)
    reason = f"duality gap {gap:.3g} after {n_iter} linear system{'s' * (n_iter != 1)}"
    return Fit(
        w, float(gap), n_iter, converged, reason if converged else reason + "; further digits are lost to rounding"
    )


def elastic_net_path(X, y, lams, rho):
    """The elastic net at each of lams, (m, d): one pass over X, each solution the next one's first guess.

    X (N, d), y (N,), lams (m,) >= 0, 0 <= rho <= 1. Every column is penalised: centre X and y first to leave a bias
    free. Of dependent columns not all are used where rho = 1 or λ = 0. Raises LinAlgError where columns are dependent
    to rounding, but not exactly.
    """
    X, y = checks.regression(X, y)
    lams, rho = checks.penalties(lams), checks.fraction(rho, "rho")
    if len(X) < X.shape[1]:
        return _one_by_one(X, y, lams, rho)
    A, c = moments.second_moments(X, y)
    if _nearly_dependent(A):
        return _one_by_one(X, y, lams, rho)
    W, v = np.empty((len(lams), len(c))), np.zeros(len(c))
    for k in np.argsort(-lams):
        system, s = sparse.from_moments(A, c, lams[k] * rho, lams[k] * (1 - rho))
        v, _, why = sparse.minimise(system, v)
        if why:
            raise np.linalg.LinAlgError(why)
        W[k] = v / s
    return W


def lasso_path(X, y, *, least=0.0):
    """The lasso for all λ at once: w(λ) is linear between the knots where a column enters or leaves  [A-1.2-14].

    X (N, d), y (N,), least >= 0. Every column is penalised: centre X and y first to leave a bias free. Gives a `Path`
    from λ = `smallest_zero_lam(X, y)` down to `least`; `interpolate` reads it. Of dependent columns not all enter.
    Raises LinAlgError where columns are dependent to rounding, but not exactly.
    """
    X, y = checks.regression(X, y)
    least = checks.one_penalty(least, "least")
    d = X.shape[1]
    columns = X if len(X) >= d else np.asfortranarray(X)  # few of many are taken out at every knot
    system, s = sparse.system_of(columns, y, 0.0, np.ones(d), np.zeros(d))
    first = np.max(np.abs(system.c) / system.l)
    knots = sparse.knots(system, min(least, 4 * first))
    lams, W, changes = (np.array(values) for values in zip(*knots, strict=True))
    left_out = (W[-1] == 0) & X.any(axis=0)  # at λ = 0, as combinations of others: are they?
    if least == 0 and left_out.any():
        left = np.abs(moments.residual_moment(W[-1] / s, X, y) / s)
        rounding = 1e-13 * np.linalg.norm(y) + 100 * left[~left_out].max(initial=0.0)
        if left[left_out].max() > rounding:
            raise np.linalg.LinAlgError(sparse.DEPENDENT)
    return Path(np.append(lams[:-1], least), W / s, changes)


def interpolate(path, lam):
    """w(λ) on the straight piece of a `Path` that λ lies on; 0 above its first knot. ValueError below the last."""
    if not isinstance(path, Path):
        raise TypeError(f"path must be a Path, as lasso_path(X, y) gives it, found {path!r:.60}")
    lam = checks.nonnegative(lam, "lam")
    if lam < path.lams[-1]:
        raise ValueError(f"lam must be >= {path.lams[-1]:g}, found {lam:g}; lasso_path(X, y, least=lam) goes on to it")
    k = np.searchsorted(-path.lams, -lam)
    if k == 0:
        return np.zeros(path.W.shape[1])
    part = (path.lams[k - 1] - lam) / (path.lams[k - 1] - path.lams[k])
    return (1 - part) * path.W[k - 1] + part * path.W[k]


def smallest_zero_lam(X, y, rho=1.0):
    """2 max_j |x_j·y| / ρ: the smallest λ for which w = 0 minimises the lasso's loss, or the elastic net's.

    X (N, d), y (N,), 0 < rho <= 1. Every column is penalised: centre X and y first to leave a bias free.
    """
    X, y = checks.regression(X, y)
    rho = checks.positive(checks.fraction(rho, "rho"), "rho")
    return 2 * np.abs(X.T @ y).max() / rho


def optimality(w, X, y, lam, rho=1.0):
    """max_j of the distance from 0 to the subgradient: |2x_j·(Xw - y) + λρ s_j + λ(1 - ρ)w_j| with s_j = sign(w_j),
    or where w_j = 0 the best s_j in [-1, 1]. Zero exactly at a minimum.

    w (d,), X (N, d), y (N,), lam >= 0 a number or (d,), 0 <= rho <= 1.
    """
    X, y, l1, l2 = _problem(X, y, lam, rho)
    return np.abs(_subgradient(checks.weights(w, X.shape[1]), X, y, l1, l2)).max()


def duality_gap(w, X, y, lam, rho=1.0):
    """How far the loss of w can at most lie above the smallest one: its distance to the dual loss of θ = k(y - Xw).

    A sum of squares and of l(w_j) + l*(u_j) - u_j w_j >= 0, l the penalty of one weight, l* its conjugate, u = 2Xᵀθ.
    w (d,), X (N, d), y (N,), lam >= 0 a number or (d,), 0 <= rho <= 1.
    """
    X, y, l1, l2 = _problem(X, y, lam, rho)
    return penalized.duality_gap(checks.weights(w, X.shape[1]), X, y, l1, l2)[0]


def folds(N, k, *, rng):
    """k pairs (train, test) of index arrays: N samples dealt at random into k parts, each in turn held out  [C-1-7]."""
    N, k, rng = checks.count(N, "N", least=2), checks.count(k, "k", least=2), checks.generator(rng)
    if k > N:
        raise ValueError(f"k must be at most N = {N}, found {k}; every part needs a sample")
    parts = np.array_split(rng.permutation(N), k)
    return [(np.sort(np.concatenate(parts[:i] + parts[i + 1 :])), np.sort(part)) for i, part in enumerate(parts)]


def _problem(X, y, lam, rho):
    """X, y and what each weight costs: l1_j |w_j| + l2_j/2 w_j²."""
    X, y = checks.regression(X, y)
    lam, rho = checks.penalty(lam, X.shape[1]), checks.fraction(rho, "rho")
    return X, y, lam * rho, lam * (1 - rho)


def _sweeps(X, y, l1, l2, w, squares):
    curvature = np.where(squares + l2 > 0, squares + l2 / 2, 1.0)  # a column of zeros: w_j stays where it costs least
    while True:
        yield optimize.Iterate(w.copy(), _subgradient(w, X, y, l1, l2))
        w = w.copy()
        r = y - X @ w
        for j, x in enumerate(X.T):
            new = soft_threshold(x @ r + squares[j] * w[j], l1[j] / 2) / curvature[j]
            r += x * (w[j] - new)
            w[j] = new


def _subgradient(w, X, y, l1, l2):
    """The element of the subgradient nearest to 0."""
    return sparse.nearest_to_0(bare(linear_regression.gradient)(w, X, y) + l2 * w, w, l1)


def _one_by_one(X, y, lams, rho):
    fits = [elastic_net(X, y, lam, rho) for lam in lams]
    if not all(fit.converged for fit in fits):
        raise np.linalg.LinAlgError(sparse.DEPENDENT)
    return np.array([fit.w for fit in fits])


def _nearly_dependent(A):
    """Whether a Gram matrix has lost a quarter of all digits or more."""
    s = np.sqrt(np.where(A.diagonal() > 0, A.diagonal(), 1.0))
    return np.linalg.eigvalsh(A / np.outer(s, s))[0] < 1e-8

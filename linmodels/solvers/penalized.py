"""Least squares with a penalty, to the last digits (the solver of chapter 02).

X (N, d), y (N,). Ridge minimizes ‖Xw - y‖² + Σ_j λ_j w_j², lam (d,) >= 0. The elastic net minimizes
‖Xw - y‖² + Σ_j l1_j |w_j| + Σ_j l2_j w_j²/2, l1, l2 (d,) >= 0. The fastest way comes first and tells whether it has
lost digits. Then comes one by QR, in which no product XᵀX squares the condition number. The elastic net's `duality_gap`
proves how near a w is to the best.
"""

from contextlib import suppress

import numpy as np

from . import cholesky, least_squares, moments, sparse, units
from .least_squares import ACCURATE

EPS = np.finfo(float).eps
SINGULAR = (
    "XᵀX + diag λ is singular to rounding: columns of X without penalty are dependent, or lam is too small; give these "
    "columns a larger lam, or leave one of them out, or rescale X if its numbers are huge or its units differ very much"
)


def ridge(X, y, lam):
    """(XᵀX + diag λ)⁻¹Xᵀy, by samples where these are fewer and all λ_j > 0. LinAlgError where that has no inverse."""
    by_samples = len(X) < len(lam) and lam.min() > 0
    w, relative_correction = (_ridge_by_samples if by_samples else least_squares.normal_equations)(X, y, lam=lam)
    return w if relative_correction < ACCURATE else ridge_by_qr(X, y, lam)


def ridge_by_qr(X, y, lam):
    """The same without products of columns, measured from the means if X has a free constant column.

    By samples, w = Λ^-½u of the shortest (r, u) with r + Zu = y, Z = XΛ^-½, where these are fewer; else by `rows`.
    """
    try:
        if len(X) <= len(lam) and lam.min() > 0:
            return _shortest_with_residual(X / np.sqrt(lam), y) / np.sqrt(lam)
        free = X[:, lam == 0]
        if free.size and cholesky.column_rank(free) < free.shape[1]:
            raise np.linalg.LinAlgError
        unit = units.power_of_two(np.vstack([X, np.sqrt(lam)]), axis=0)
        Z = X / unit
        origin = moments.origin(Z, y, free=lam == 0)
        A, c = rows(Z - origin.m, y - origin.mean, lam / unit / unit)
        longest_first = np.argsort(-np.abs(A).max(axis=1))  # QR would lose short rows above much longer ones
        return origin.uncentered(least_squares.solve(A[longest_first], c[longest_first]), Z) / unit
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError(SINGULAR) from None


def _shortest_with_residual(Z, y):
    """The u of the shortest (r, u) with r + Zu = y, by QR of the samples (I, Z) at unit length, refined once.

    LinAlgError where the refinement finds fewer than three digits right.
    """
    N = len(Z)
    A, s = units.unit_columns(np.vstack([np.eye(N), Z.T]))
    Q, R = np.linalg.qr(A)
    x = Q @ np.linalg.solve(R.T, y / s)
    correction = Q @ np.linalg.solve(R.T, (y - x[:N] - Z @ x[N:]) / s)
    if not np.linalg.norm(correction) <= 1e-3 * np.linalg.norm(x):
        raise np.linalg.LinAlgError
    return (x + correction)[N:]


def rows(X, y, lam):
    """(X; √λ I), (y; 0): the rows whose least squares is ridge."""
    return np.vstack([X, np.diag(np.sqrt(lam))]), np.append(y, np.zeros(len(lam)))


def require_dual_inverse(K, lam):
    """Raises LinAlgError unless K + λI, in units of each sample, has an inverse of which digits are right.

    Pivots of Cholesky, none of them small, show that most have one, and the eigenvalues tell of the others.
    """
    A, s = cholesky.unit_diagonal(K + lam * np.eye(len(K)))
    floor = lam / s.max() ** 2  # below it A has no eigenvalue and no pivot, since K has none below 0
    with suppress(np.linalg.LinAlgError):
        if np.linalg.cholesky(A).diagonal().min() ** 2 > (floor / 2 if floor > 1e-11 else 1e-5):
            return
    if np.linalg.matrix_rank(A, rtol=max(1e-13, len(A) * EPS), hermitian=True) < len(A):
        raise np.linalg.LinAlgError(f"K + λI is singular to rounding with lam = {lam:g}; give a larger lam")


def require_inverse(X, lam):
    """Raises LinAlgError, which says what to do, unless XᵀX + diag λ has an inverse of which digits are right."""
    if cholesky.unit_inverse(X.T @ X + np.diag(lam))[1] is None:
        raise np.linalg.LinAlgError(SINGULAR)


def elastic_net(X, y, l1, l2):
    """The best w found, its gap, the number of linear systems it took, whether it converged, and the reason.

    By guessed signs where there are as many samples as columns; by the path where these have lost digits, too. All is
    measured from the means if X has a constant column without penalty.
    """
    origin = moments.origin(X, y, free=l1 + l2 == 0)
    Z, b = X - origin.m if origin.one is not None else X, y - origin.mean
    n, found, why = 0, [], ""
    for solve in (_solve_by_signs, sparse.solve_by_path):
        w, steps, why = solve(Z, b, l1, l2)
        n += steps
        if w is not None:
            found.append((*_gap_and_tolerance(w, Z, b, l1, l2), w))
            if found[-1][0] <= found[-1][1]:
                break
    gap, tolerance, w = min(found, key=lambda way: way[0])
    reason = f"duality gap {gap:.3g} after {n} linear system{'s' * (n != 1)}"
    converged = bool(gap <= tolerance)
    reason += f"; {why or 'further digits are lost to rounding'}" * (not converged)
    return origin.uncentered(w, X), float(gap), n, converged, reason


def _solve_by_signs(X, y, l1, l2):
    """The elastic net by guessed signs, and once more with the gradient of the true residuals; None if these fail."""
    if len(X) < len(l1):
        return None, 0, ""
    A, c, s = _unit_moments(moments.second_moments(X, y), l2)
    v, n = sparse.solve_by_signs(A, c, l1 / 2 / s, np.zeros(len(s)))
    if v is None:
        return None, n, ""
    slope = X.T @ (y - X @ (v / s)) / s - l2 / 2 / s / s * v
    refined, k = sparse.solve_by_signs(A, A @ v + slope, l1 / 2 / s, v)
    return (v if refined is None else refined) / s, n + k, ""


def _unit_moments(sums, l2):
    """XᵀX + diag l2/2 and Xᵀy, the sums, for columns of length s, and s."""
    A, s = cholesky.unit_diagonal(sums[0] + np.diag(l2 / 2))
    return A, sums[1] / s, s


def elastic_net_path(X, y, lams, rho):
    """The elastic net at each of lams, (m, d): one pass over X, and each solution is the next one's first guess.

    With fewer samples than columns, or columns that are nearly dependent, each λ is solved for itself. Raises
    LinAlgError where columns are dependent to rounding, but not exactly.
    """
    W, w, each = np.empty((len(lams), X.shape[1])), np.zeros(X.shape[1]), np.ones(X.shape[1])
    sums = moments.second_moments(X, y) if len(X) >= X.shape[1] else None
    known = sums is not None and np.linalg.eigvalsh(_unit_moments(sums, 0 * each)[0])[0] > 1e-8
    for k in np.argsort(-lams):
        l1, l2, v = lams[k] * rho * each, lams[k] * (1 - rho) * each, None
        if known:
            A, c, s = _unit_moments(sums, l2)
            v, _ = sparse.solve_by_signs(A, c, l1 / 2 / s, w * s)
        if v is not None:
            w = v / s
        else:
            w, _, _, converged, _ = elastic_net(X, y, l1, l2)
            if not converged:
                raise np.linalg.LinAlgError(sparse.DEPENDENT)
        W[k] = w
    return W


def duality_gap(w, X, y, l1, l2, exact=None):
    """The gap by θ, as a sum of squares and of l(w_j) + l*(u_j) - u_j w_j >= 0, u = 2Xᵀθ, so that no digit is lost.

    l is the penalty of one weight, l* its conjugate. θ is the vector nearest to y - Xw whose u_j in the columns
    `exact`, those without penalty unless given, are what the signs of w ask for; or kθ: then every |ku_j| <= l1_j.
    Gives also the loss of w.
    """
    exact = l1 + l2 == 0 if exact is None else exact
    r, asked = y - X @ w, l1 * np.sign(w) + l2 * w
    theta, u = r, 2 * (r @ X)
    if exact.any():
        theta = r - np.linalg.lstsq(X[:, exact].T, (u - asked)[exact] / 2, rcond=None)[0]
        u, rounding = 2 * (theta @ X), 16 * EPS * (np.abs(theta) @ np.abs(X))
        u = np.where(exact & ((asked == 0) | (np.abs(u - asked) <= rounding)), asked, u)
    over = np.abs(u) > l1
    k = np.min(l1[over] / np.abs(u[over]), initial=1.0)
    gaps = [_fenchel_gap(k, r, theta, u, w, l1, l2)]
    if k < 1 and l2[over].all():
        gaps.append(_fenchel_gap(1.0, r, theta, u, w, l1, l2))
    return min(gaps), r @ r + l1 @ np.abs(w) + l2 @ (w * w) / 2


@np.errstate(over="ignore")  # l* is infinite where l2 is next to nothing: a bound, if none that helps
def _fenchel_gap(k, r, theta, u, w, l1, l2):
    """‖r - kθ‖² + Σ_j [l(w_j) + l*(ku_j) - ku_j w_j]."""
    excess = np.where(l2 > 0, np.maximum(np.abs(k * u) - l1, 0), 0.0)  # without an L2 part, l* is 0 where it is finite
    parts = l1 * np.abs(w) - k * u * w + l2 / 2 * w * w + excess / np.where(l2 > 0, 2 * l2, 1.0) * excess
    return np.sum((r - k * theta) ** 2) + np.maximum(parts, 0).sum()


def _gap_and_tolerance(w, X, y, l1, l2):
    """The gap, and what counts as none: 1e-10 of the loss, or the square of what rounding leaves of y - Xw.

    A gap beyond it is asked again by the θ that the signs of all weights ask for: 2Xᵀ(y - Xw) is all rounding where
    y = Xw.
    """
    gap, value = duality_gap(w, X, y, l1, l2)
    terms = np.linalg.norm(y) + np.sqrt(np.einsum("ij,ij->j", X, X)) @ np.abs(w)
    tolerance, used = 1e-10 * value + (8 * EPS * terms) ** 2, (l1 + l2 == 0) | (w != 0)
    if gap > tolerance and used.sum() <= len(X):
        gap = min(gap, duality_gap(w, X, y, l1, l2, used)[0])
    return gap, tolerance


def _ridge_by_samples(X, y, lam):
    """w = Λ⁻¹Xᵀβ with (XΛ⁻¹Xᵀ + I)β = y, Λ = diag λ; and what β lacks at most, no eigenvalue being below 1."""
    Z = X / np.sqrt(lam)
    try:
        beta = np.linalg.solve(Z @ Z.T + np.eye(len(Z)), y)
    except np.linalg.LinAlgError:
        return None, np.inf
    w = Z.T @ beta
    return w / np.sqrt(lam), np.abs(y - Z @ w - beta).max() / max(np.abs(beta).max(), units.TINY)

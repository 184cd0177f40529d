"""Least squares with a penalty, to the last digits (the solver of chapter 02).

X (N, d), y (N,). Ridge minimises ‖Xw - y‖² + Σ_j λ_j w_j², lam (d,) >= 0, the elastic net ‖Xw - y‖² + Σ_j l1_j |w_j| +
Σ_j l2_j w_j²/2, l1, l2 (d,) >= 0. The fastest way comes first, and tells whether it has lost digits; then the same
measured from the means; then rows or singular values, where no product XᵀX squares the condition number. The elastic
net's `duality_gap` proves how near a w is to the best.
"""

import numpy as np

from . import cholesky, least_squares, moments, sparse, units
from .sparse import nearest_to_0

EPS = np.finfo(float).eps


def ridge(X, y, lam):
    """(XᵀX + diag λ)⁻¹Xᵀy. LinAlgError where columns without penalty are dependent."""
    w, lost = one_system(X, y, lam)
    return w if lost < 1e-10 else ridge_from_means(X, y, lam)


def one_system(X, y, lam):
    """Ridge by columns, or by samples where these are fewer; and which part of w, or of β, is in doubt.

    That part is inf, and w None, where the system is singular to rounding.
    """
    by_samples = len(X) < len(lam) and lam.min() > 0
    return _by_samples(X, y, lam) if by_samples else least_squares.normal_equations(X, y, lam=lam)


def ridge_from_means(X, y, lam):
    """(XᵀX + diag λ)⁻¹Xᵀy, in coordinates x - m, y - ȳ if X has a free constant column, whose weight there is 0.

    Raises LinAlgError where columns are dependent but for what rounding leaves of their penalties.
    """
    free = X[:, lam == 0]
    try:
        if not lam.any():
            return least_squares.solve(X, y)
        if free.size and cholesky.column_rank(free) < free.shape[1]:
            raise np.linalg.LinAlgError
        return _in_units_of_columns(X, y, lam)
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError(
            "XᵀX + diag λ is singular to rounding: columns of X without penalty are dependent, or lam is too small; "
            "give these columns a larger lam, or leave one of them out, or rescale X if its units differ very much"
        ) from None


def _in_units_of_columns(X, y, lam):
    """In units of the columns, x_j together with √λ_j."""
    root = np.sqrt(lam)
    unit = units.power_of_two(np.vstack([X, root]), axis=0)
    X, root = X / unit, root / unit
    origin = moments.origin(X, y, free=lam == 0)
    X_m, y_m = X - origin.m, y - origin.mean
    if origin.one is not None:
        root[origin.one] = root.max()
    w, lost = one_system(X_m, y_m, root * root)
    if not lost < 1e-10:
        w = _without_squares(X_m, y_m, root)
    return origin.back(w, X) / unit


def rows(X, y, lam):
    """(X; √λ I), (y; 0): the rows whose least squares is ridge."""
    return np.vstack([X, np.diag(np.sqrt(lam))]), np.append(y, np.zeros(len(lam)))


def solve_dual(K, y, lam):
    """β = (K + λI)⁻¹y, λ a number. Raises LinAlgError where that is singular to rounding.

    Where it seems so in the units given, once more with each sample measured by its own s_i = √(K_ii + λ).
    """
    K = K.copy()
    K.flat[:: len(K) + 1] += lam
    beta = _solved(K, y)
    if beta is None:
        s = np.sqrt(np.abs(K.diagonal()))
        s[s == 0] = 1.0
        beta = _solved(K / s / s[:, None], y / s)
        if beta is None:
            raise np.linalg.LinAlgError(f"K + λI is singular to rounding with lam = {lam:g}; give a larger lam")
        beta = beta / s
    return beta


def _solved(K, y):
    """K⁻¹y; None where it is so large that few of its digits are right."""
    try:
        beta = np.linalg.solve(K, y)
    except np.linalg.LinAlgError:
        return None
    grown = np.abs(beta).max() * np.abs(K.diagonal()).max() * EPS
    return beta if grown <= 1e-2 * np.abs(y).max() else None


def ridge_path(X, y, lams):
    """Ridge for every λ of lams (m,), one for all columns, by one decomposition: (m, d)."""
    if len(X) > X.shape[1]:
        W = _path_of_moments(X, y, lams)
        if W is not None:
            return W
    W = _path_of_singular_values(X, y, lams)
    return np.array([_one_of_path(X, y, lam) for lam in lams]) if W is None else W


def elastic_net(X, y, l1, l2):
    """The best w found, its gap, which gap is enough, and the number of linear systems it took."""
    w, gap, enough, n_iter, lost = _solution(X, y, l1, l2)
    for another in (_solution_from_means, _solution_by_rows):
        if gap <= enough and lost < 1e-10:
            break
        found = another(X, y, l1, l2)
        n_iter, lost = n_iter + found[3], 0.0  # digits lost are a reason for one more attempt, a wide gap for two
        if not found[1] > max(gap, found[2]):
            w, gap, enough = found[:3]
    return w, gap, enough, n_iter


def duality_gap(w, X, y, l1, l2):
    """The gap by θ = k(y - Xw), the loss of w, and the gradient of the squares."""
    r = y - _fitted(w, X)
    u = 2 * (r @ X)
    gap = _gap_of(_meeting(0.0, r, u, X, l1 + l2 == 0), r, w, l1, l2)
    return gap, r @ r + l1 @ np.abs(w) + (l2 * w) @ w / 2, -u


def _fitted(w, X):
    """Xw, of few of many columns."""
    (used,) = w.nonzero()
    return X[:, used] @ w[used] if 8 * len(used) < len(w) and len(X) < len(w) else X @ w


def _by_samples(X, y, lam):
    """w = Λ⁻¹Xᵀβ with (XΛ⁻¹Xᵀ + I)β = y, Λ = diag λ; and what β lacks at most, no eigenvalue being below 1."""
    root = np.sqrt(lam)
    Z = X / root
    K = Z @ Z.T
    try:
        beta = solve_dual(K, y, 1.0)
    except np.linalg.LinAlgError:
        return None, np.inf
    w = Z.T @ beta
    return w / root, np.abs(y - Z @ w - beta).max() / max(np.abs(beta).max(), units.TINY)


def _without_squares(X, y, root):
    """Ridge by QR or singular values, root = √λ: fewer samples by samples, dependent ones of like units by both."""
    if root.min() > 0:
        if len(X) < len(root):
            w = _by_independent_samples(X, y, root)
            if w is not None:
                return w
        w = _path_of_singular_values(X / root, y, np.ones(1))
        if w is not None:
            return w[0] / root
        if np.linalg.matrix_rank(units.unit_columns(rows(X, y, root * root)[0])[0], rtol=1e-6) < len(root):
            raise np.linalg.LinAlgError("columns in very different units are dependent to half of all digits")
    return _by_rows(X, y, root)


def _by_independent_samples(X, y, root):
    """w = Λ^-½u of the r and u with r + Zu = y, u = Zᵀr, Z = XΛ^-½: the shortest of all that fit y so.

    Of samples (I, Z) at unit length, so that their units cost no digits: r by their products, where r ≪ Zu; r and u by
    their QR, where products cost digits. None where neither way the two equations `_agree`.
    """
    N, Z = len(X), X / root
    A, s = units.unit_columns(np.vstack([np.eye(N), Z.T]))
    if np.linalg.matrix_rank(A) < N:
        return None
    Q, R = np.linalg.qr(A)
    v = np.linalg.solve(R.T, y / s)
    r = np.linalg.solve(R, v) / s
    by_products, by_qr = (r, r @ Z), np.split(Q @ v, [N])
    for r, u in (by_products, by_qr):
        if _agree(r, u, Z, y):
            return u / root
    return None


def _agree(r, u, Z, y):
    """Whether r + Zu = y and u = Zᵀr hold to 1e-10 of their terms, equation by equation."""
    B = np.abs(Z)
    fits = np.abs(r + Z @ u - y) <= 1e-10 * (np.abs(r) + B @ np.abs(u) + np.abs(y))
    shortest = np.abs(r @ Z - u) <= 1e-10 * (np.abs(r) @ B + np.abs(u))
    return fits.all() and shortest.all()


def _by_rows(X, y, root):
    A, c = rows(X, y, root * root)
    longest_first = np.argsort(-np.abs(A).max(axis=1))  # QR would lose short rows above much longer ones
    return least_squares.solve(A[longest_first], c[longest_first])


def _path_of_moments(X, y, lams):
    """w(λ) = Σ_i v_i (v_i·Xᵀy)/(e_i + λ) with XᵀX = Σ_i e_i v_i v_iᵀ; None where squaring X costs digits."""
    A, c = moments.second_moments(X, y)
    e, V = np.linalg.eigh(A)
    if e[0] + lams.min() < 1e-6 * e[-1]:
        return None
    return (V.T @ c) / (e + lams[:, None]) @ V.T


def _one_of_path(X, y, lam):
    """Ridge, or the shortest of all that fit best where λ = 0, for columns and samples in very different units."""
    return ridge_from_means(X, y, np.full(X.shape[1], lam)) if lam else least_squares.minimum_norm(X, y)


def _path_of_singular_values(X, y, lams):
    """The sum of `ridge_path`; None where singular values are small because rows or columns are short."""
    U, s, Vt = least_squares.svd(X)
    if units.unlike(X, s):
        return None
    return s * (U.T @ y) / (s**2 + lams[:, None]) @ Vt


def _solution(X, y, l1, l2, m=0.0):
    """By second moments; and once more with the gradient of the true residuals where they leave one.

    Gives w, its gap, which gap is enough, the number of linear systems, and which part of w came with the second.
    """
    system, s = sparse.system_of(X, y, m, l1, l2)
    v, n, _ = sparse.minimise(system, np.zeros(len(l1)))  # the gap tells whether it is one
    w, B, size, lost = v / s, moments.centred(X, m), np.linalg.norm(y), 0.0
    gap, value, gradient = duality_gap(w, B, y, l1, l2)
    slope = gradient + l2 * w
    if np.abs(nearest_to_0(slope, w, l1) / s).max() > 1e-13 * size:
        refined, k = sparse.by_signs(system._replace(c=system.product(v) - slope / 2 / s), v)
        lost = np.inf if refined is None else np.abs(refined - v).max() / np.abs(refined).max(initial=units.TINY)
        if refined is not None:
            v, w, n = refined, refined / s, n + k
            gap, value, _ = duality_gap(w, B, y, l1, l2)
    enough = _enough(value, size, v)
    if gap > enough:
        gap = _sharper_gap(gap, w, B, y, l1, l2)
    return w, gap, enough, n, lost


def _solution_from_means(X, y, l1, l2):
    """The same, measured from the means if X has a constant column that costs nothing."""
    origin = moments.origin(X, y, free=l1 + l2 == 0)
    found = _solution(X, y - origin.mean, l1, l2, origin.m)
    return origin.back(found[0], X), *found[1:]


def _solution_by_rows(X, y, l1, l2):
    """One column after the other, by QR of `rows`: where the second moments have lost the digits."""
    origin = moments.origin(X, y, free=l1 + l2 == 0)
    X_m, y_m = X - origin.m, y - origin.mean
    A, c = rows(X_m, y_m, l2 / 2)
    A, s = units.unit_columns(A)
    v, n = sparse.by_rows(A, c, l1 / s)
    v = np.zeros(len(l1)) if v is None else v
    w = v / s
    gap, value, _ = duality_gap(w, X_m, y_m, l1, l2)
    gap = _sharper_gap(gap, w, X_m, y_m, l1, l2)
    return origin.back(w, X), gap, _enough(value, np.linalg.norm(y_m), v), n, 0.0


def _enough(value, size, v):
    """Which gap counts as none: 1e-10 of the loss, or the square of what rounding leaves of y - Xw, ‖y‖ = size."""
    return 1e-10 * value + (8 * EPS * (size + np.abs(v).sum())) ** 2


def _sharper_gap(gap, w, X, y, l1, l2):
    """By the nearest θ with the slopes 2Xᵀθ that the signs of w ask for: 2Xᵀ(y - Xw) is all rounding where y = Xw."""
    used = (l1 + l2 == 0) | (w != 0)
    if used.sum() > len(X):
        return gap
    r, slopes = y - X @ w, (l1 * np.sign(w) + l2 * w)[used]
    return min(gap, _gap_of(_meeting(slopes, r, 2 * (r @ X), X, used), r, w, l1, l2))


def _meeting(slopes, r, u, X, a):
    """The θ nearest to r for which 2Xᵀθ has these slopes in the columns a, and u = 2Xᵀθ."""
    if not a.any():
        return r, u
    theta = r - np.linalg.lstsq(X[:, a].T, (u[a] - slopes) / 2, rcond=None)[0]
    u, rounding = 2 * (theta @ X), 16 * EPS * (np.abs(theta) @ np.abs(X[:, a]))
    u[a] = np.where((slopes == 0) | (np.abs(u[a] - slopes) <= rounding), slopes, u[a])
    return theta, u


def _gap_of(dual, r, w, l1, l2):
    """The smaller gap of θ and of kθ, for which every |k u_j| <= l1_j, as the lasso's dual asks."""
    theta, u = dual
    over = (np.abs(u) > l1).nonzero()
    k = (l1[over] / np.abs(u[over])).min(initial=1.0)
    gap = _fenchel(k, r, theta, u, w, l1, l2)
    return min(gap, _fenchel(1.0, r, theta, u, w, l1, l2)) if k < 1 and l2[over].all() else gap


@np.errstate(over="ignore")  # l* is infinite where l2 is next to nothing: a bound, if none that helps
def _fenchel(k, r, theta, u, w, l1, l2):
    """‖r - kθ‖² + Σ_j [l(w_j) + l*(ku_j) - ku_j w_j]."""
    parts = l1 * np.abs(w) - k * u * w
    if l2.any():  # without an L2 part, l* is 0 where it is finite
        excess = np.where(l2 > 0, np.maximum(np.abs(k * u) - l1, 0), 0.0)
        parts += l2 / 2 * w * w + excess / np.where(l2 > 0, 2 * l2, 1.0) * excess
    off = r - k * theta
    return off @ off + np.maximum(parts, 0).sum()

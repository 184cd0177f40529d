"""Squared error with an L1 penalty, exactly (the solver of chapters 02 and 04).

Minimize ‖Zv - b‖² + Σ_j root_j²v_j² + 2h_j|v_j| (h_j >= 0), the columns of A = (Z; diag root) at length 1 (or 0). Where
the signs s of the solution are known, it solves (AᵀAv)_a = (Zᵀb)_a - h_a s_a in the active columns a, those with s ≠ 0,
and |Zᵀb - AᵀAv|_j <= h_j holds in the others. There are two ways to the signs: guess and correct them
(`solve_by_signs`), or start where v = 0 and follow the solution while the penalties fall (`knots`).
"""

import numpy as np

from . import cholesky, moments, units

MOST_GUESSES = 50
MOST_KNOTS = 100_000
EPS = np.finfo(float).eps
SIDES = np.array([[1.0], [-1.0]])  # where a gradient meets its bound: above, below
DEPENDENT = "columns of X are dependent to rounding, but not exactly: center X, leave one of them out, or rescale X"
TIED = "columns enter and leave at one knot without end"


def few_rows(X, y, l2):
    """Z, root, b, s: ‖Xw - y‖² + Σ_j l2_j/2 w_j² but for a constant, w = v/s, Z of at most d rows.

    Z is the Cholesky factor of the second moments, or the R of a QR decomposition where these have lost digits; l2 is
    in it, and root 0, unless samples are fewer than columns.
    """
    root = np.sqrt(l2 / 2)
    if len(X) < len(root):
        s = np.sqrt(np.einsum("ij,ij->j", X, X) + root**2)
        s[s == 0] = 1.0
        return X / s, root / s, y, s
    A, c = moments.second_moments(X, y)
    s, R = cholesky.unit_inverse(A + np.diag(root**2), most=1e3)
    if R is not None:
        return cholesky.unit_cholesky(A + np.diag(root**2))[1].T, 0 * s, R @ (c / s), s
    Z, s = units.unit_columns(np.vstack([X, np.diag(root)]) if root.any() else X)
    Q, Z = np.linalg.qr(Z)
    return Z, 0 * s, y @ Q[: len(y)], s


def solve_by_signs(A, c, h, v):
    """The minimizer of v·Av - 2c·v + Σ_j 2h_j|v_j| by guessed signs, and the number of linear systems it took.

    One threshold step from v guesses, a linear system answers, until both agree. Gives None where the guesses do not
    settle: a tenth fewer of them must be wrong each time.
    """
    n, wrong, guess = 0, np.inf, _signs_beyond(v + c - A @ v, h)
    for n in range(1, MOST_GUESSES):
        s, (a,) = guess, guess.nonzero()
        v = np.zeros(len(c))
        try:
            v[a] = np.linalg.solve(A[a[:, None], a], c[a] - h[a] * s[a])
        except np.linalg.LinAlgError:
            break
        g = c - A @ v
        guess = _signs_beyond(v + g, h)
        before, wrong = wrong, int(np.count_nonzero(guess != s))
        if wrong == 0 and np.abs(g[a] - h[a] * s[a]).max(initial=0.0) <= 1e-9 * np.abs(c).max():
            return _without_wrong_signs(v, s, h), n
        if wrong > 0.9 * before or wrong == 0:
            break
    return None, n


def _signs_beyond(z, h):
    """The sign of each z_j beyond its threshold, 0 of the others."""
    return np.sign(z) * (np.abs(z) > h)


def _without_wrong_signs(v, s, h):
    """v with 0 for each weight against its sign: at a knot it is 0, and its sign is rounding."""
    return np.where((v * s < 0) & (h > 0), 0.0, v)


def _times_to_zero(v, d, s):
    """The t >= 0 at which each v + td meets 0; those without a sign are free and never do."""
    return np.maximum(np.divide(-v, d, out=np.full(len(v), np.inf), where=d * s < 0), 0.0)


def solve_by_path(X, y, l1, l2):
    """arg min_w ‖Xw - y‖² + Σ_j l1_j|w_j| + l2_j/2 w_j², the number of knots on the way, and why it is none, or ""."""
    Z, root, b, s = few_rows(X, y, l2)
    found, why = knots(Z, root, b, l1 / 2 / s, 1.0)
    return found[-1][1] / s, len(found), why


def lasso_path(X, y, least):
    """The knots of arg min_w ‖Xw - y‖² + λ‖w‖₁ down to λ = least: λ (m,), w (m, d), changes (m,).

    Raises LinAlgError where columns are dependent to rounding, but not exactly.
    """
    Z, root, b, s = few_rows(X, y, np.zeros(X.shape[1]))
    found, why = knots(Z, root, b, 0.5 / s, least)
    lams, V, changes = (np.array(values) for values in zip(*found, strict=True))
    if why or (least == 0 and not _is_least_squares(V[-1], Z, b)):
        raise np.linalg.LinAlgError(why or DEPENDENT)
    return lams, V / s, changes


def _is_least_squares(v, Z, b):
    """Whether nothing of b - Zv is left in the span of the columns."""
    r = b - Z @ v
    left = Z @ np.linalg.lstsq(Z, r)[0] if r @ r > 1e-8 * (b @ b) else r
    return left @ left <= 1e-8 * (b @ b)


def knots(Z, root, b, h, stop):
    """[(λ, v, change), ...] at the knots of the minimizers for the penalties λh, down to λ = stop; and why not, or "".

    With g = Zᵀb - AᵀAv: g_j = λh_j s_j in the active columns a, |g_j| <= λh_j in the others. As λ falls by t, v_a moves
    by td and g by -tAᵀAd, (AᵀA)_aa d = (hs)_a, until a |g_j| meets its bound or a v_j meets 0.
    """
    found, why = _followed_path(Z, root, b, h, stop)
    if why == TIED:  # several columns at one knot may come and go forever: let the penalties differ a little
        h = h * (1 + 1e-11 * np.random.default_rng(0).random(len(h)))
        found, why = _followed_path(Z, root, b, h, stop)
    return found, why


def _followed_path(Z, root, b, h, stop):
    active, s, free, c = _ActiveColumns(Z, root), np.zeros(len(h)), h == 0, b @ Z
    for j in np.flatnonzero(free):
        active.enter(j)
    v, slope = active.solve(c[active.a])
    g, size = c - slope, np.abs(c).max()
    lam = np.max(np.abs(g[~free]) / h[~free], initial=stop)
    found: list[tuple] = []
    closed, left, stalled_steps = free, (0, 0), 0
    while stalled_steps < 4 * len(h) + 8 and len(found) < MOST_KNOTS:
        a = active.a
        if np.abs(g[a] - lam * h[a] * s[a]).max(initial=0.0) > 1e-12 * size:  # rounding has added up
            e, slope = active.solve(g[a] - lam * h[a] * s[a])
            v, g = v + e, g - slope
        d, slope = active.solve(h[a] * s[a])
        enters_at, side, j = _next_column_to_enter(lam, g, h, slope, closed | (s != 0), left)
        times = _times_to_zero(v[a], d[a], s[a])
        leaves_at = lam - times.min(initial=np.inf)
        to = max(stop, enters_at, leaves_at)
        v, g = v + (lam - to) * d, g - (lam - to) * slope
        if (np.abs(g) > to * h + 1e-9 * size).any():
            return [*found, (lam, v, 0)], DEPENDENT
        if to == stop:
            return [*found, (stop, _without_wrong_signs(v, s, h), 0)], ""
        stalled_steps = 0 if lam - to > 1e-13 * to else stalled_steps + 1
        lam = to
        if leaves_at >= enters_at:
            p = int(times.argmin())
            j = a[p]
            left, s[j], v[j], closed = (s[j], j), 0.0, 0.0, free
            active.leave(p)
            found.append((lam, v, -(j + 1)))
        elif active.enter(j):
            s[j], left = side, (0, 0)
            found.append((lam, v, j + 1))
        else:
            closed = closed | (np.arange(len(h)) == j)  # it depends on the active columns: until one of them leaves
    why = TIED if len(found) < MOST_KNOTS else f"the path has more than {MOST_KNOTS} knots"
    return [*found, (lam, v, 0)], why


def _next_column_to_enter(lam, g, h, slope, closed, left):
    """The λ' below λ at which side (g_j - (λ - λ') slope_j), side = ±1, first meets λ'h_j; which side, and j.

    That is side (g_j - λ slope_j) = λ'(h_j - side slope_j): λh_j, large beside g in a column of small numbers, is not
    in it. The side and j that just `left` are not asked.
    """
    at_zero, pace = SIDES * (g - lam * slope), h - SIDES * slope
    with np.errstate(over="ignore"):  # a pace that is all rounding
        at = np.divide(at_zero, pace, out=np.full(pace.shape, -np.inf), where=(pace > 0) & ~closed)
    if left[0]:
        at[SIDES[:, 0] == left[0], left[1]] = -np.inf
    row, j = divmod(int(at.argmax()), len(g))
    return min(at[row, j], lam), SIDES[row, 0], j


class _ActiveColumns:
    """The active columns a, and Q, T with A_aT = Q, QᵀQ = I: TTᵀ = (AᵀA)_aa⁻¹. Rows of A_a that are 0 are left out."""

    def __init__(self, Z, root):
        self.Z, self.root, self.a = Z, root, np.zeros(0, int)
        self.Q, self.T = np.zeros((len(Z), 0)), np.zeros((0, 0))

    def solve(self, f):
        """The d with (AᵀA)_aa d_a = f that is 0 elsewhere, and AᵀAd."""
        d, u, N = np.zeros(len(self.root)), f @ self.T, len(self.Z)
        d[self.a], u = self.T @ u, self.Q @ u
        slope = u[:N] @ self.Z
        slope[self.a] += self.root[self.a] * u[N:]
        return d, slope

    def enter(self, j):
        """Take column j in, unless it depends on the active ones."""
        k = len(self.a)
        Q, z = np.vstack([self.Q, np.zeros((1, k))]), np.concatenate([self.Z[:, j], np.zeros(k), self.root[[j]]])
        r = z @ Q
        r += (z - Q @ r) @ Q  # once more: what rounding left of the others
        q, b = z - Q @ r, self.T @ r  # z = q + A_a b
        rest = np.linalg.norm(q)
        if rest <= 100 * EPS * (1 + np.abs(b).sum()):
            return False
        self.a, self.Q = np.append(self.a, j), np.column_stack([Q, q / rest])
        T, self.T = self.T, np.zeros((k + 1, k + 1))
        self.T[:k, :k], self.T[:k, k], self.T[k, k] = T, -b / rest, 1 / rest
        return True

    def leave(self, p):
        """Turned by one reflection, row p of T is (0 ... 0, ±|t|): it goes, and the last column of Q and T with it."""
        h = self.T[p].copy()
        h[-1] += np.copysign(np.linalg.norm(h), h[-1])
        h /= np.linalg.norm(h)
        Q, T = self.Q - 2 * np.outer(self.Q @ h, h), self.T - 2 * np.outer(self.T @ h, h)
        self.a, self.T = np.delete(self.a, p), np.delete(T, p, axis=0)[:, :-1]
        self.Q = np.delete(Q, len(self.Z) + p, axis=0)[:, :-1]

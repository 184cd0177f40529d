"""Squared error with an L1 penalty, exactly (the solver of chapters 02 and 04).

Minimize ‖Zv - b‖² + Σ_j 2h_j|v_j| (h_j >= 0), columns of Z at length 1 (or 0). Where the signs s of the solution are
known, it solves (ZᵀZv)_a = (Zᵀb)_a - h_a s_a in the active columns a, those with s ≠ 0, and |Zᵀ(b - Zv)|_j <= h_j holds
in the others. There are three ways to the signs: guess and correct them (`solve_by_signs`), let columns in while the
loss falls (`solve_by_columns`), or start where v = 0 and follow the solution while the penalties fall (`knots`).
"""

import numpy as np

from . import cholesky, moments, units

MOST_GUESSES = 50
MOST_KNOTS = 100_000
EPS = np.finfo(float).eps
SIDES = np.array([[1.0], [-1.0]])  # where a gradient meets its bound: above, below
DEPENDENT = "columns of X are dependent to rounding, but not exactly: center X, leave one of them out, or rescale X"
TIED = "columns enter and leave at one knot without end"


def few_rows(X, y):
    """Z, b, s with ‖Zv - b‖² = ‖Xv/s - y‖² but for a constant, Z of at most d rows, its columns of length 1.

    Z is the Cholesky factor of the second moments, or the R of a QR decomposition where these have lost digits.
    """
    if len(X) >= X.shape[1]:
        A, c = moments.second_moments(X, y)
        s, R = cholesky.unit_inverse(A, most=1e3)
        if R is not None:
            return cholesky.unit_cholesky(A)[1].T, R @ (c / s), s
    Z, s = units.unit_columns(X)
    if len(X) < X.shape[1]:
        return Z, y, s
    Q, Z = np.linalg.qr(Z)
    return Z, y @ Q, s


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


def solve_by_columns(Z, b, h, root):
    """arg min_v ‖Zv - b‖² + Σ_j 2h_j|v_j| + ‖root v‖², and the number of rounds; None where they do not end.

    Each round lets in the columns along which the loss falls fastest, or one where several help nothing, and goes to
    the minimum for the signs so far. A column that would change its sign on the way stops at 0 and leaves.
    """
    v, s = np.zeros(len(h)), np.zeros(len(h))
    refused, alone, n = np.zeros(len(h), bool), False, 0
    for n in range(20 * (len(h) + 1)):
        g = (b - Z @ v) @ Z - root**2 * v
        off = np.where((s == 0) & ~refused, np.abs(g) - h, -np.inf)
        if off.max() <= 1e-14 * np.linalg.norm(b):
            return v, n
        new = np.arange(len(h)) == off.argmax() if alone else off > off.max() / 2
        moved = _minimum_for_signs(Z, b, h, root, v, np.where(new, np.sign(g), s))
        if moved is None and alone:
            moved = _minimum_for_signs(Z, b, h, root, *_exchanged(Z, v, s, h, off.argmax(), np.sign(g[off.argmax()])))
        if moved is not None and ((moved[0] != v) | (moved[1] != s)).any():
            v, s = moved
            refused[:], alone = False, False
        elif alone:
            refused |= new  # all that it would change is rounding
        else:
            alone = True
    return None, n


def _minimum_for_signs(Z, b, h, root, v, s):
    """The minimizer for the signs s, or for those that are left on the way to it; None where columns are dependent."""
    v, s = v.copy(), s.copy()
    while s.any():
        (a,) = s.nonzero()
        rows = np.vstack([Z[:, a], np.diag(root[a])]) if root.any() else Z[:, a]
        if len(rows) < len(a):
            return None
        Q, R = np.linalg.qr(rows)
        if (np.abs(R.diagonal()) < 1e-13 * np.linalg.norm(R, axis=0)).any():
            return None
        goal = np.linalg.solve(R, b @ Q[: len(b)] - np.linalg.solve(R.T, h[a] * s[a]))
        t = _times_to_zero(v[a], goal - v[a], s[a] * (h[a] > 0))
        if t.min() >= 1:
            v[a] = goal
            break
        v[a] += t.min() * (goal - v[a])
        v[a[t == t.min()]] = s[a[t == t.min()]] = 0.0
    return v, s


def _exchanged(Z, v, s, h, j, side):
    """Column j, which depends on the active ones, takes over from them, Zv unchanged, until one of these is 0."""
    (a,) = s.nonzero()
    d = -side * np.linalg.lstsq(Z[:, a], Z[:, j])[0]
    t = _times_to_zero(v[a], d, s[a] * (h[a] > 0))
    v, s = v.copy(), s.copy()
    if t.min(initial=np.inf) < np.inf:
        v[a] += t.min() * d
        v[j], s[j] = t.min() * side, side
        v[a[t == t.min()]] = s[a[t == t.min()]] = 0.0
    return v, s


def _times_to_zero(v, d, s):
    """The t >= 0 at which each v + td meets 0; those without a sign are free and never do."""
    return np.maximum(np.divide(-v, d, out=np.full(len(v), np.inf), where=d * s < 0), 0.0)


def lasso_path(X, y, least):
    """The knots of arg min_w ‖Xw - y‖² + λ‖w‖₁ down to λ = least: λ (m,), w (m, d), changes (m,).

    Raises LinAlgError where columns are dependent to rounding, but not exactly.
    """
    Z, b, s = few_rows(X, y)
    lams, V, changes = (np.array(values) for values in zip(*knots(Z, b, 0.5 / s, least), strict=True))
    if least == 0:
        _require_least_squares(V[-1], Z, b)
    return lams, V / s, changes


def _require_least_squares(v, Z, b):
    """At λ = 0 nothing of b - Zv should be left in the span of the columns."""
    r = b - Z @ v
    left = Z @ np.linalg.lstsq(Z, r)[0] if r @ r > 1e-8 * (b @ b) else r
    if left @ left > 1e-8 * (b @ b):
        raise np.linalg.LinAlgError(DEPENDENT)


def knots(Z, b, h, stop):
    """[(λ, v, change), ...] at the knots of the minimizers of ‖Zv - b‖² + λ Σ_j 2h_j|v_j|, h_j > 0, down to λ = stop.

    With g = Zᵀ(b - Zv): g_j = λh_j s_j in the active columns a, |g_j| <= λh_j in the others. As λ falls by t, v_a moves
    by td and g by -tZᵀZd, (ZᵀZ)_aa d = (hs)_a, until a |g_j| meets its bound or a v_j meets 0. Raises LinAlgError where
    columns are dependent to rounding, but not exactly.
    """
    found, why = _followed_path(Z, b, h, stop)
    if why == TIED:  # several columns at one knot may come and go forever: let the penalties differ a little
        found, why = _followed_path(Z, b, h * (1 + 1e-11 * np.random.default_rng(0).random(len(h))), stop)
    if why:
        raise np.linalg.LinAlgError(why)
    return found


def _followed_path(Z, b, h, stop):
    """The knots, and why they end before `stop` where they do."""
    active, v, s, g = _ActiveColumns(Z), np.zeros(len(h)), np.zeros(len(h)), b @ Z
    size, lam = np.abs(g).max(), max(np.max(np.abs(g) / h), stop)
    found: list[tuple] = []
    closed, left, stalled_steps = np.zeros(len(h), bool), (0, 0), 0
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
            return found, DEPENDENT
        if to == stop:
            return [*found, (stop, _without_wrong_signs(v, s, h), 0)], ""
        stalled_steps = 0 if lam - to > 1e-13 * to else stalled_steps + 1
        lam = to
        if leaves_at >= enters_at:
            p = int(times.argmin())
            j = a[p]
            left, s[j], v[j], closed = (s[j], j), 0.0, 0.0, np.zeros(len(h), bool)
            active.leave(p)
            found.append((lam, v, -(j + 1)))
        elif active.enter(j):
            s[j], left = side, (0, 0)
            found.append((lam, v, j + 1))
        else:
            closed[j] = True  # it depends on the active columns: closed until one of them leaves
    return found, TIED if len(found) < MOST_KNOTS else f"the path has more than {MOST_KNOTS} knots"


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
    """The active columns a, and their Z_a = QR with T = R⁻¹, so that TTᵀ = (ZᵀZ)_aa⁻¹."""

    def __init__(self, Z):
        self.Z, self.a = np.asfortranarray(Z), np.zeros(0, int)  # columns are taken out of it
        self.Q, self.T = np.zeros((len(Z), 0)), np.zeros((0, 0))

    def solve(self, f):
        """The d with (ZᵀZ)_aa d_a = f that is 0 elsewhere, and ZᵀZd."""
        d, u = np.zeros(self.Z.shape[1]), f @ self.T
        d[self.a] = self.T @ u
        return d, (self.Q @ u) @ self.Z

    def enter(self, j):
        """Take column j in, unless it depends on the active ones."""
        z, k = self.Z[:, j], len(self.a)
        r = z @ self.Q
        r += (z - self.Q @ r) @ self.Q  # once more: what rounding left of the others
        q = z - self.Q @ r
        b = self.T @ r  # of column j, what the active ones explain
        rest = np.linalg.norm(q)
        if k == len(z) or rest <= 100 * EPS * (1 + np.abs(b).sum()):
            return False
        self.a, self.Q = np.append(self.a, j), np.column_stack([self.Q, q / rest])
        T, self.T = self.T, np.zeros((k + 1, k + 1))
        self.T[:k, :k], self.T[:k, k], self.T[k, k] = T, -b / rest, 1 / rest
        return True

    def leave(self, p):
        """Without column a_p, from the beginning."""
        self.a = np.delete(self.a, p)
        self.Q, R = np.linalg.qr(self.Z[:, self.a])
        self.T = np.linalg.inv(R)

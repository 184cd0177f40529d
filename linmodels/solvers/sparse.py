"""Quadratic minimization with an L1 penalty, exactly (the solver of chapters 02 and 04).

Minimize w·Aw - 2c·w + Σ_j l_j|w_j| (l_j >= 0), A positive semidefinite, in units in which every A_jj is 1 (or 0).
Where the signs s of the solution are known, it solves (Aw)_a = c_a - l_a s_a/2 in the active columns a, those with
s ≠ 0, and |c - Aw|_j <= l_j/2 holds in the others. There are two ways to the signs: guess and correct them
(`solve_by_signs`), or start where w = 0 and follow the solution while the penalties fall (`knots`), from one change of
sign to the next. `lasso_path` is the second for samples.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..special import soft_threshold
from . import moments

MOST_GUESSES = 50
MOST_KNOTS = 100_000
EPS = np.finfo(float).eps
SIDES = np.array([[1.0], [-1.0]])  # where a gradient meets its bound: above, below
DEPENDENT = "columns of X are dependent to rounding, but not exactly: center X, leave one of them out, or rescale X"
TIED = "columns enter and leave at one knot without end"


class System(NamedTuple):
    """Minimize w·Aw - 2c·w + Σ_j l_j|w_j|, in columns for which every A_jj is 1 (or 0)."""

    c: np.ndarray
    l: np.ndarray
    column: Callable  # indices a and j to A[a, j]
    block: Callable  # indices a to A[a, a]
    product: Callable  # w to Aw
    rank: int  # A has at most this rank
    wide: bool  # fewer samples than columns


def system_of(X, y, m, l1, l2):
    """The `System` of the samples, and the length s of each column: w = v / s."""
    if len(X) >= X.shape[1]:
        A, c = moments.second_moments(X, y, m)
        return system_of_moments(A, c, l1, l2)
    return _system_of_samples(moments.centered(X, m), y, l1, l2)


def _system_of_samples(X, y, l1, l2):
    """A = ZᵀZ + diag(l2/2s²), Z = X / s, never formed: Zᵀ(Zv) takes two products."""
    l2 = l2 / 2
    s = _column_lengths(np.einsum("ij,ij->j", X, X) + l2)
    rest = l2 / s / s

    def column(a, j):
        return (X[:, j] / s[j]) @ X[:, a] / s[a] + rest[j] * (a == j)

    def block(a):
        Z_a = X[:, a] / s[a]
        return Z_a.T @ Z_a + np.diag(rest[a])

    def product(v):
        (a,) = v.nonzero()
        return X[:, a] @ (v[a] / s[a]) @ X / s + rest * v

    rank = len(X) + int(np.count_nonzero(rest))
    return System(y @ X / s, l1 / s, column, block, product, rank, True), s


def system_of_moments(A, c, l1, l2):
    """The same from A = XᵀX and c = Xᵀy."""
    A = A.copy()
    A.flat[:: len(A) + 1] += l2 / 2
    s = _column_lengths(A.diagonal())
    A /= s[:, None] * s
    return _system_of_matrix(A, c / s, l1 / s), s


def _system_of_matrix(A, c, l):
    return System(c, l, lambda a, j: A[a, j], lambda a: A[a[:, None], a], A.__matmul__, len(c), False)


def _column_lengths(squares):
    return np.where(squares > 0, np.sqrt(squares), 1.0)


def nearest_subgradient(g, w, l):
    """The element nearest to 0 of the subgradient of f(w) + Σ_j l_j|w_j|, g = ∇f(w): 0 exactly at a minimum."""
    return np.where(w != 0, g + l * np.sign(w), soft_threshold(g, l))


def minimize(system, v):
    """The minimizer, the number of linear systems it took, and why it is none where rounding prevents it ("" else).

    It comes from signs guessed from v, or from the path. With more columns than samples a first guess would take far
    too many of them: there the penalties fall to l by halves, whatever v is.
    """
    v, n = _solve_by_halving(system) if system.wide else solve_by_signs(system, v)
    if v is None:
        on_the_way, why = _path_and_reason(system, 1.0)
        return on_the_way[-1][1], n + len(on_the_way), why
    return v, n, ""


def _solve_by_halving(system):
    """`solve_by_signs` for the penalties 2ᵏl ... 4l, 2l, l, from those at which w = 0.

    Each is solved in the columns that one threshold step from the last solution would use. One product with all
    columns then tells which others have to join.
    """
    half, v, g, n = system.l / 2, np.zeros(len(system.c)), system.c, 0
    first = np.max(np.abs(g[half > 0]) / half[half > 0], initial=1.0)
    for lam in 2.0 ** np.arange(int(np.log2(first)), -1, -1):
        used = np.zeros(len(g), bool)
        while (more := ~used & (np.abs(v + g) > lam * half)).any():
            used |= more
            a = used.nonzero()[0]
            if len(a) > system.rank:
                return None, n
            v_a, guesses = solve_by_signs(_subsystem(system, a, lam), v[a])
            n += guesses
            if v_a is None:
                return None, n
            v = np.zeros(len(g))
            v[a] = v_a
            g = system.c - system.product(v)
    return v, n


def _subsystem(system, a, lam):
    """The system of the columns a alone, with the penalties λl."""
    return _system_of_matrix(system.block(a), system.c[a], lam * system.l[a])


def solve_by_signs(system, v):
    """The minimizer by guessed signs: one threshold step from v guesses, a linear system answers, until both agree.

    Gives None where the guesses do not settle: a tenth fewer of them must be wrong each time.
    """
    c, half, wrong = system.c, system.l / 2, np.inf
    guess = _signs_beyond(v + c - system.product(v) if v.any() else c, half)
    for n in range(1, MOST_GUESSES):
        s, (a,) = guess, guess.nonzero()
        if len(a) > system.rank:
            break
        v, pull = np.zeros(len(c)), half[a] * s[a]
        try:
            v[a] = np.linalg.solve(system.block(a), c[a] - pull)
        except np.linalg.LinAlgError:
            break
        g = c - system.product(v)
        guess = _signs_beyond(v + g, half)
        before, wrong = wrong, int(np.count_nonzero(guess != s))
        if wrong > 0.9 * before:
            break
        if wrong == 0:
            solved = np.abs(g[a] - pull).max(initial=0.0) <= 1e-9 * np.abs(c).max()
            return (_without_wrong_signs(v, s, half) if solved else None), n
    return None, n


def _signs_beyond(z, half):
    """The sign of each z_j beyond its threshold, 0 of the others."""
    return np.sign(z) * (np.abs(z) > half)


def _without_wrong_signs(v, s, half):
    """v with 0 for each weight against its sign: at a knot it is 0, and its sign is rounding."""
    v[(v * s < 0) & (half > 0)] = 0.0
    return v


def knots(system, stop):
    """[(λ, v, change), ...] at the knots of the minimizers of v·Av - 2c·v + λ Σ_j l_j|v_j|, down to λ = stop.

    With g = c - Av: g_j = λ l_j/2 s_j in the active columns a, |g_j| <= λ l_j/2 in the others. As λ falls by t, v_a
    moves by t d and g by -t Ad, A_aa d = (l/2 s)_a, until a |g_j| meets its bound or a v_j meets 0. Raises LinAlgError
    where columns are dependent to rounding, but not exactly.
    """
    found, why = _path_and_reason(system, stop)
    if why:
        raise np.linalg.LinAlgError(why)
    return found


def lasso_path(X, y, least):
    """The knots of arg min_w ‖Xw - y‖² + λ‖w‖₁ down to λ = least: λ (m,), w (m, d), changes (m,).

    Raises LinAlgError where columns are dependent to rounding, but not exactly.
    """
    d = X.shape[1]
    columns = X if len(X) >= d else np.asfortranarray(X)  # few of many are taken out at every knot
    system, s = system_of(columns, y, 0.0, np.ones(d), np.zeros(d))
    first = np.max(np.abs(system.c) / system.l)
    lams, V, changes = (np.array(values) for values in zip(*knots(system, min(least, 4 * first)), strict=True))
    if least == 0:
        _require_explained_columns(V[-1] / s, X, y, s)
        _require_least_squares(V[-1] / s, X, y, s)
    return np.append(lams[:-1], least), V / s, changes


def _require_explained_columns(w, X, y, s):
    """At λ = 0 the columns without a weight should be combinations of the others, and x_j·(y - Xw) = 0; else raise."""
    excluded = (w == 0) & X.any(axis=0)
    if excluded.any():
        slopes = np.abs(moments.residual_moment(w, X, y) / s)
        rounding = 1e-13 * np.linalg.norm(y) + 100 * slopes[~excluded].max(initial=0.0)
        if slopes[excluded].max() > rounding:
            raise np.linalg.LinAlgError(DEPENDENT)


def _require_least_squares(w, X, y, s):
    """At λ = 0 nothing of y - Xw should be left in the span of the columns with a weight; else raise.

    XᵀX, by which the path goes, tells the columns apart with half of the digits that their QR decomposition has.
    """
    used = w != 0
    Z = X[:, used] / s[used]
    if used.any() and np.linalg.eigvalsh(Z.T @ Z)[0] < 1e-8:
        left = np.linalg.qr(Z)[0].T @ (y - X @ w)
        if left @ left > 1e-8 * (y @ y):
            raise np.linalg.LinAlgError(DEPENDENT)


def _path_and_reason(system, stop):
    """The knots, and why they end before `stop` where they do."""
    found, why = _followed_path(system, stop)
    if why == TIED:  # several columns at one knot may come and go forever: let the penalties differ a little
        l1_weights = system.l * (1 + 1e-11 * np.random.default_rng(0).random(len(system.l)))
        found, why = _followed_path(system._replace(l=l1_weights), stop)
    return found, why


def _followed_path(system, stop):
    unit = np.max(system.l, initial=0.0) / 2 or 1.0  # penalties are relative from here on: μ = λ unit
    half, active = system.l / 2 / unit, _ActiveColumns(system)
    found: list[tuple] = []
    for j in np.flatnonzero(half == 0):
        active.enter(j)
    s, (v, Av) = np.zeros(len(half)), active.solve(system.c[active.a])
    g, size = system.c - Av, np.abs(system.c).max()
    end = stop * unit
    mu = np.max(np.abs(g[half > 0]) / half[half > 0], initial=end)
    closed, left, stalled_steps = half == 0, (0, 0), 0
    while stalled_steps < 4 * len(half) + 8 and len(found) < MOST_KNOTS:
        a = active.a
        asked = half[a] * s[a]
        if np.abs(g[a] - mu * asked).max(initial=0.0) > 1e-12 * size:  # rounding has added up
            e, Ae = active.solve(g[a] - mu * asked)
            v, g = v + e, g - Ae
        d, slope = active.solve(asked)
        mu_enter, side, j = _next_column_to_enter(mu, g, half, slope, closed | (s != 0) | active.full, left)
        t_leave, p = _next_column_to_leave(v[a], d[a], s[a])
        to = max(end, mu_enter, mu - t_leave)
        v, g = v + (mu - to) * d, g - (mu - to) * slope
        if (np.abs(g) > to * half + 1e-9 * size).any():
            return [*found, (mu / unit, v, 0)], DEPENDENT
        if to == end:
            return [*found, (stop, _without_wrong_signs(v, s, half), 0)], ""
        leaves, stalled_steps = mu - t_leave >= mu_enter, 0 if mu - to > 1e-13 * to else stalled_steps + 1
        mu = to
        if leaves:
            j = a[p]
            left, s[j], v[j], closed = (s[j], j), 0.0, 0.0, half == 0
            active.leave(p)
            found.append((mu / unit, v, -(j + 1)))
        elif active.enter(j):
            s[j], left = side, (0, 0)
            found.append((mu / unit, v, j + 1))
        else:
            closed[j] = True  # it depends on the active columns: closed until one of them leaves
    why = TIED if len(found) < MOST_KNOTS else f"the path has more than {MOST_KNOTS} knots"
    return [*found, (mu / unit, v, 0)], why


def _next_column_to_enter(mu, g, half, slope, closed, left):
    """The μ' below μ at which side (g_j - (μ - μ') slope_j), side = ±1, first meets μ' half_j; which side, and j.

    That is side (g_j - μ slope_j) = μ' (half_j - side slope_j): μ half_j, large beside g in a column of small numbers,
    is not in it. The side and j that just `left` are not asked.
    """
    at_zero, pace = SIDES * (g - mu * slope), half - SIDES * slope
    with np.errstate(over="ignore"):  # a pace that is all rounding
        at = np.divide(at_zero, pace, out=np.full(pace.shape, -np.inf), where=(pace > 0) & ~closed)
    if left[0]:
        at[SIDES[:, 0] == left[0], left[1]] = -np.inf
    row, j = divmod(int(at.argmax()), len(g))
    return min(at[row, j], mu), SIDES[row, 0], j


def _next_column_to_leave(v, d, s):
    """The t at which the first v + t d meets 0, and which it is; those without a sign are free and never leave."""
    if len(v) == 0:
        return np.inf, 0
    t = np.divide(-v, d, out=np.full(len(v), np.inf), where=d * s < 0)
    p = t.argmin()
    return max(t[p], 0.0), p


def solve_by_rows(Z, y, l):
    """arg min_v ‖Zv - y‖² + Σ_j l_j|v_j|, slowly, without forming ZᵀZ: half of all digits would be lost with it.

    One column enters at a time, where the loss falls fastest. R v_a = Qᵀy - R⁻ᵀ(l/2 s)_a with the QR decomposition of
    the active columns. One that would change its sign on the way stops at 0 and leaves. Gives None where this does not
    end.
    """
    Q, Z = np.linalg.qr(Z)
    y, half, size = Q.T @ y, l / 2, np.linalg.norm(y)
    v, s, refused = np.zeros(len(l)), np.zeros(len(l)), np.zeros(len(l), bool)
    for n in range(20 * (len(l) + 1)):
        g = Z.T @ (y - Z @ v)
        off = np.where((s == 0) & ~refused, np.abs(g) - half, -np.inf)
        j = off.argmax()
        if off[j] <= 1e-14 * size:
            return v, n
        s[j] = np.sign(g[j])
        moved = _minimum_for_signs(Z, y, half, v, s)
        if moved is None or moved[1][j] == 0:
            s[j], refused[j] = 0.0, True  # it depends on the active columns
        else:
            v, s = moved
            refused[:] = False
    return None, n


def _minimum_for_signs(Z, y, half, v, s):
    """The minimizer for the signs s, or for those that are left on the way to it; None where columns are dependent."""
    v, s = v.copy(), s.copy()
    while s.any():
        a = np.flatnonzero(s)
        Q, R = np.linalg.qr(Z[:, a])
        if np.abs(R.diagonal()).min() < 1e-13:
            return None
        goal = np.linalg.solve(R, Q.T @ y - np.linalg.solve(R.T, half[a] * s[a]))
        t, p = _next_column_to_leave(v[a], goal - v[a], s[a] * (half[a] > 0))
        if t >= 1:
            v[a] = goal
            break
        v[a] += t * (goal - v[a])
        v[a[p]] = s[a[p]] = 0.0
    return v, s


class _ActiveColumns:
    """The active columns a, A_aa, and M with MMᵀ = A_aa⁻¹, which grow and shrink with them."""

    def __init__(self, system):
        most = min(system.rank, len(system.c))
        self.system, self.a = system, np.zeros(0, int)
        self._block, self._M = np.empty((most, most)), np.empty((most, most))

    @property
    def full(self):
        return len(self.a) == len(self._M)  # no more than the rank of A can be independent

    @property
    def block(self):
        return self._block[: len(self.a), : len(self.a)]

    @property
    def M(self):
        return self._M[: len(self.a), : len(self.a)]

    def solve(self, b):
        """The d with A_aa d_a = b that is 0 elsewhere, and Ad."""
        d = np.zeros(len(self.system.c))
        d[self.a] = self.M @ (b @ self.M)
        return d, self.system.product(d)

    def enter(self, j):
        """Take column j in, unless it depends on the active ones, or no more than those can be independent."""
        if self.full:
            return False
        k, a, M = len(self.a), np.append(self.a, j), self.M
        column = self.system.column(a, j)
        r, r_j = column[:k], column[k]
        b = M @ (r @ M)
        residual = r - self.block @ b
        refined = b + M @ (residual @ M)
        rest = r_j - r @ b - residual @ refined  # of column j, what the active ones do not explain
        if rest <= 100 * EPS * (1 + np.abs(refined).sum()) ** 2:
            return False
        self._M[:k, k], self._M[k, :k], self._M[k, k] = -refined / np.sqrt(rest), 0.0, 1 / np.sqrt(rest)
        self._block[:k, k], self._block[k, : k + 1] = r, column
        self.a = a
        return True

    def leave(self, p):
        """Reflected in its rows M has the same MMᵀ, and row p is (0 ... 0, ±|m|): it goes, and the last column too."""
        M, keep = self.M, np.arange(len(self.a)) != p
        h = M[p].copy()
        h[-1] += np.copysign(np.sqrt(h @ h), h[-1])
        reflected, block = M - np.outer(M @ h, 2 / (h @ h) * h), self.block[keep][:, keep]
        self.a = self.a[keep]
        self.M[:], self.block[:] = reflected[keep, :-1], block

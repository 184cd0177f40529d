"""Quadratic minimisation with a price on every |w_j|, exactly (the solver of chapters 02 and 04).

Minimise w·Aw - 2c·w + Σ_j l_j|w_j| (l_j >= 0), A positive semidefinite, in units in which every A_jj is 1 (or 0).
Where the signs s of the solution are known it solves (Aw)_a = c_a - l_a s_a/2 in the columns a with s ≠ 0, and
|c - Aw|_j <= l_j/2 in the others. Two ways to the signs: guess and correct (`by_signs`), or start where w = 0 and
follow the solution while the prices fall (`knots`), from one change of sign to the next.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..special import soft_threshold
from . import moments

MOST_GUESSES = 50
MOST_KNOTS = 100_000
EPS = np.finfo(float).eps
SIDES = np.array([[1.0], [-1.0]])  # on which a gradient meets its bound
DEPENDENT = "columns of X are dependent to rounding, but not exactly: centre X, leave one of them out, or rescale X"
TIED = "columns enter and leave at one knot without end"


class System(NamedTuple):
    """Minimise w·Aw - 2c·w + Σ_j l_j|w_j|, in columns for which every A_jj is 1 (or 0)."""

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
        return from_moments(A, c, l1, l2)
    return _of_samples(moments.centred(X, m), y, l1, l2)


def _of_samples(X, y, l1, l2):
    """A = ZᵀZ + diag(l2/2s²), Z = X / s, never formed: Zᵀ(Zv) takes two products."""
    l2 = l2 / 2
    s = _lengths(np.einsum("ij,ij->j", X, X) + l2)
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


def from_moments(A, c, l1, l2):
    """The same from A = XᵀX and c = Xᵀy."""
    A = A.copy()
    A.flat[:: len(A) + 1] += l2 / 2
    s = _lengths(A.diagonal())
    A /= s[:, None] * s
    return _of_matrix(A, c / s, l1 / s), s


def _of_matrix(A, c, l):
    return System(c, l, lambda a, j: A[a, j], lambda a: A[a[:, None], a], A.__matmul__, len(c), False)


def _lengths(squares):
    return np.where(squares > 0, np.sqrt(squares), 1.0)


def nearest_to_0(g, w, l):
    """The element nearest to 0 of the subgradient of f(w) + Σ_j l_j|w_j|, g = ∇f(w): 0 exactly at a minimum."""
    return np.where(w != 0, g + l * np.sign(w), soft_threshold(g, l))


def minimise(system, v):
    """The minimiser, the number of linear systems it took, and why it is none where rounding prevents it ("" else).

    By guessed signs from v, or along the path. With more columns than samples a first guess takes far too many of
    them: there, whatever v, the prices fall to l by halves.
    """
    v, n = _by_halves(system) if system.wide else by_signs(system, v)
    if v is None:
        on_the_way, why = _walk(system, 1.0)
        return on_the_way[-1][1], n + len(on_the_way), why
    return v, n, ""


def _by_halves(system):
    """`by_signs` for the prices 2ᵏl ... 4l, 2l, l, from those at which w = 0.

    Each in the columns that one threshold step from the last solution would use; one product with all columns then
    tells which others have to join.
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
            v_a, guesses = by_signs(_part(system, a, lam), v[a])
            n += guesses
            if v_a is None:
                return None, n
            v = np.zeros(len(g))
            v[a] = v_a
            g = system.c - system.product(v)
    return v, n


def _part(system, a, lam):
    """The system of the columns a alone, with the prices λl."""
    return _of_matrix(system.block(a), system.c[a], lam * system.l[a])


def by_signs(system, v):
    """Guess the signs by one threshold step from v, solve for them, until the guess confirms itself.

    None where the guesses do not settle: a tenth fewer of them must be wrong each time.
    """
    c, half, wrong = system.c, system.l / 2, np.inf
    guess = _signs(v + c - system.product(v) if v.any() else c, half)
    for n in range(1, MOST_GUESSES):
        s, (a,) = guess, guess.nonzero()
        if len(a) > system.rank:
            break
        v, price = np.zeros(len(c)), half[a] * s[a]
        try:
            v[a] = np.linalg.solve(system.block(a), c[a] - price)
        except np.linalg.LinAlgError:
            break
        g = c - system.product(v)
        guess = _signs(v + g, half)
        before, wrong = wrong, int(np.count_nonzero(guess != s))
        if wrong > 0.9 * before:
            break
        if wrong == 0:
            solved = np.abs(g[a] - price).max(initial=0.0) <= 1e-9 * np.abs(c).max()
            return (_without_wrong_signs(v, s, half) if solved else None), n
    return None, n


def _signs(z, half):
    return np.sign(z) * (np.abs(z) > half)


def _without_wrong_signs(v, s, half):
    """v: a weight against its sign is 0 up to rounding, exactly at a knot, and made 0."""
    v[(v * s < 0) & (half > 0)] = 0.0
    return v


def knots(system, stop):
    """[(λ, v, change), ...] at the knots of the minimisers of v·Av - 2c·v + λ Σ_j l_j|v_j|, down to λ = stop.

    With g = c - Av: g_j = λ l_j/2 s_j in the columns a that are in use, |g_j| <= λ l_j/2 in the others. As λ falls by
    t, v_a moves by t d and g by -t Ad, A_aa d = (l/2 s)_a, until a |g_j| meets its bound or a v_j meets 0. Raises
    LinAlgError where columns are dependent to rounding, but not exactly.
    """
    found, why = _walk(system, stop)
    if why:
        raise np.linalg.LinAlgError(why)
    return found


def _walk(system, stop):
    """The knots, and why they end before `stop` where they do."""
    found, why = _walk_at(system, stop)
    if why == TIED:  # several columns at one knot may come and go for ever: let the prices differ a little
        prices = system.l * (1 + 1e-11 * np.random.default_rng(0).random(len(system.l)))
        found, why = _walk_at(system._replace(l=prices), stop)
    return found, why


def _walk_at(system, stop):
    unit = np.max(system.l, initial=0.0) / 2 or 1.0  # prices are relative from here on: μ = λ unit
    half, used = system.l / 2 / unit, _Used(system)
    found: list[tuple] = []
    for j in np.flatnonzero(half == 0):
        used.enter(j)
    s, (v, Av) = np.zeros(len(half)), used.solve(system.c[used.a])
    g, size = system.c - Av, np.abs(system.c).max()
    end = stop * unit
    mu = np.max(np.abs(g[half > 0]) / half[half > 0], initial=end)
    closed, left, standing = half == 0, (0, 0), 0
    while standing < 4 * len(half) + 8 and len(found) < MOST_KNOTS:
        a = used.a
        asked = half[a] * s[a]
        if np.abs(g[a] - mu * asked).max(initial=0.0) > 1e-12 * size:  # rounding has added up
            e, Ae = used.solve(g[a] - mu * asked)
            v, g = v + e, g - Ae
        d, slope = used.solve(asked)
        t_enter, side, j = _next_to_enter(mu * half, g, half, slope, closed | (s != 0) | used.full, left)
        t_leave, p = _next_to_leave(v[a], d[a], s[a])
        t = min(mu - end, t_enter, t_leave)
        v, g = v + t * d, g - t * slope
        if (np.abs(g) > (mu - t) * half + 1e-9 * size).any():
            return [*found, (mu / unit, v, 0)], DEPENDENT
        if t == mu - end:
            return [*found, (stop, _without_wrong_signs(v, s, half), 0)], ""
        mu, standing = mu - t, 0 if t > 1e-13 * mu else standing + 1
        if t_leave <= t_enter:
            j = a[p]
            left, s[j], v[j], closed = (s[j], j), 0.0, 0.0, half == 0
            used.leave(p)
            found.append((mu / unit, v, -(j + 1)))
        elif used.enter(j):
            s[j], left = side, (0, 0)
            found.append((mu / unit, v, j + 1))
        else:
            closed[j] = True  # it depends on the columns in use: closed until one of them leaves
    why = TIED if len(found) < MOST_KNOTS else f"the path has more than {MOST_KNOTS} knots"
    return [*found, (mu / unit, v, 0)], why


def _next_to_enter(bound, g, speed, slope, closed, left):
    """When side (g_j - t slope_j), side = ±1, first meets bound_j - t speed_j, and for which side and j.

    Not at once for the side and j that just `left`.
    """
    room, pace = bound - SIDES * g, speed - SIDES * slope
    with np.errstate(over="ignore"):  # a pace that is rounding alone
        t = np.divide(room, pace, out=np.full(room.shape, np.inf), where=(pace > 0) & ~closed)
    if left[0]:
        t[SIDES[:, 0] == left[0], left[1]] = np.inf
    row, j = divmod(int(t.argmin()), len(g))
    return max(t[row, j], 0.0), SIDES[row, 0], j


def _next_to_leave(v, d, s):
    """When the first v + t d meets 0, and which; those without a sign are free and never leave."""
    if len(v) == 0:
        return np.inf, 0
    t = np.divide(-v, d, out=np.full(len(v), np.inf), where=d * s < 0)
    p = t.argmin()
    return max(t[p], 0.0), p


def by_rows(Z, y, l):
    """arg min_v ‖Zv - y‖² + Σ_j l_j|v_j|, slowly, without forming ZᵀZ: half of all digits would be lost with it.

    One column enters at a time, where the loss falls fastest; R v_a = Qᵀy - R⁻ᵀ(l/2 s)_a with QR of those in use; one
    that would change its sign on the way stops at 0 and leaves. None where this does not end.
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
        moved = _down_to_signs(Z, y, half, v, s)
        if moved is None or moved[1][j] == 0:
            s[j], refused[j] = 0.0, True  # it depends on the columns in use
        else:
            v, s = moved
            refused[:] = False
    return None, n


def _down_to_signs(Z, y, half, v, s):
    """The minimum for the signs s, or for those that are left on the way to it; None where columns are dependent."""
    v, s = v.copy(), s.copy()
    while s.any():
        a = np.flatnonzero(s)
        Q, R = np.linalg.qr(Z[:, a])
        if np.abs(R.diagonal()).min() < 1e-13:
            return None
        goal = np.linalg.solve(R, Q.T @ y - np.linalg.solve(R.T, half[a] * s[a]))
        t, p = _next_to_leave(v[a], goal - v[a], s[a] * (half[a] > 0))
        if t >= 1:
            v[a] = goal
            break
        v[a] += t * (goal - v[a])
        v[a[p]] = s[a[p]] = 0.0
    return v, s


class _Used:
    """The columns a in use, A_aa, and M with MMᵀ = A_aa⁻¹, which grow and shrink with them."""

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
        """Take column j in, unless it depends on those in use, or no more than those can be independent."""
        if self.full:
            return False
        k, a, M = len(self.a), np.append(self.a, j), self.M
        column = self.system.column(a, j)
        r, r_j = column[:k], column[k]
        b = M @ (r @ M)
        left = r - self.block @ b
        refined = b + M @ (left @ M)
        rest = r_j - r @ b - left @ refined  # of column j, what those in use do not explain
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

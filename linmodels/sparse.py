"""Quadratic minimisation with a price on every |w_j|, exactly (the solver of chapters 02 and 04).

Minimise w·Aw - 2c·w + Σ_j l_j|w_j| (l_j >= 0), A positive semidefinite, in units in which every A_jj is 1 (or 0).
Where the signs s of the solution are known it solves (Aw)_a = c_a - l_a s_a/2 in the columns a with s ≠ 0, and
|c - Aw|_j <= l_j/2 in the others. Two ways to the signs: guess and correct (`by_signs`), or start where w = 0 and
follow the solution while the prices fall (`knots`), from one change of sign to the next.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import moments
from .special import soft_threshold

MOST_GUESSES = 50
MOST_KNOTS = 100_000
DEPENDENT = "columns of X are dependent to rounding, but not exactly: centre X, or leave one of them out"
TIED = "columns enter and leave at one knot without end"


class System(NamedTuple):
    """Minimise w·Aw - 2c·w + Σ_j l_j|w_j|, in columns for which every A_jj is 1 (or 0)."""

    c: np.ndarray
    l: np.ndarray
    column: Callable  # j to A[:, j]
    block: Callable  # indices a to A[a, a]
    product: Callable  # w to Aw
    rank: int  # A has at most this rank
    wide: bool  # fewer samples than columns


def system_of(X, y, m, l1, l2):
    """The `System` of the samples, and the length s of each column: w = v / s."""
    if len(X) >= X.shape[1]:
        A, c, unit = moments_in_range(X, y, m)
        return from_moments(A, c, unit, l1, l2)
    unit = moments.power_of_two(X, axis=0)
    Z, l2 = moments.centred(X, m) / unit, l2 / unit**2
    s = _lengths(np.einsum("ij,ij->j", Z, Z) + l2 / 2)
    Z /= s
    rest = l2 / 2 / s**2
    system = System(
        c=y @ Z,
        l=l1 / unit / s,
        column=lambda j: Z[:, j] @ Z + rest[j] * (np.arange(len(rest)) == j),
        block=lambda a: Z[:, a].T @ Z[:, a] + np.diag(rest[a]),
        product=lambda v: Z.T @ (Z[:, v != 0] @ v[v != 0]) + rest * v,
        rank=len(Z) + int(np.count_nonzero(rest)),
        wide=True,
    )
    return system, s * unit


def from_moments(A, c, unit, l1, l2):
    """The same from A = XᵀX and c = Xᵀy of the columns X / unit."""
    A = A.copy()
    A.flat[:: len(A) + 1] += l2 / unit / unit / 2
    s = _lengths(A.diagonal())
    A /= s[:, None] * s
    block, product = lambda a: A[a[:, None], a], A.__matmul__
    return System(c / s, l1 / unit / s, A.__getitem__, block, product, len(c), False), s * unit


def _lengths(squares):
    return np.where(squares > 0, np.sqrt(squares), 1.0)


def moments_in_range(X, y, m=0.0):
    """Second moments of the columns X / unit, unit = 1 where the products stay in the range of numbers."""
    with np.errstate(over="ignore", invalid="ignore"):
        A, c = moments.second_moments(X, y, m)
    s = np.sqrt(A.diagonal())
    if moments.in_range(s) or (moments.in_range(s[s > 0]) and not X[:, s == 0].any()):
        return A, c, np.ones(len(c))
    unit = moments.power_of_two(X, axis=0)
    return *moments.second_moments(X / unit, y, m / unit), unit


def nearest_to_0(g, w, l):
    """The element nearest to 0 of the subgradient of f(w) + Σ_j l_j|w_j|, g = ∇f(w): 0 exactly at a minimum."""
    return np.where(w != 0, g + l * np.sign(w), soft_threshold(g, l))


def minimise(system, v):
    """The minimiser, the number of linear systems it took, and why it is none where rounding prevents it ("" else).

    By guessed signs from v, or along the path. With more columns than samples a first guess takes far too many of
    them; there the prices fall to l by halves.
    """
    n = 0
    for k in range(_halvings(system) if system.wide else 0, -1, -1):
        v, guesses = by_signs(system._replace(l=2.0**k * system.l), v)
        n += guesses
        if v is None:
            on_the_way, why = _walk(system, 1.0)
            return on_the_way[-1][1], n + len(on_the_way), why
    return v, n, ""


def _halvings(system):
    """From the prices at which w = 0 to l."""
    half, c = system.l / 2, np.abs(system.c)
    return int(np.log2(np.max(c[half > 0] / half[half > 0], initial=1.0)))


def by_signs(system, v):
    """Guess the signs by one threshold step from v, solve for them, until the guess confirms itself.

    None where the guesses do not settle: a tenth fewer of them must be wrong each time.
    """
    c, half, wrong = system.c, system.l / 2, np.inf
    guess = _signs(v + c - system.product(v), half)
    for n in range(1, MOST_GUESSES):
        s, a = guess, np.flatnonzero(guess)
        if len(a) > system.rank:
            break
        v = np.zeros(len(c))
        try:
            v[a] = np.linalg.solve(system.block(a), c[a] - half[a] * s[a])
        except np.linalg.LinAlgError:
            break
        g = c - system.product(v)
        guess = _signs(v + g, half)
        before, wrong = wrong, int(np.count_nonzero(guess != s))
        if wrong > 0.9 * before:
            break
        if wrong == 0:
            solved = np.abs(g[a] - half[a] * s[a]).max(initial=0.0) <= 1e-9 * np.abs(c).max()
            return (_without_wrong_signs(v, s, half) if solved else None), n
    return None, n


def _signs(z, half):
    return np.sign(z) * (np.abs(z) > half)


def _without_wrong_signs(v, s, half):
    """A weight against its sign is 0 up to rounding: exactly at a knot."""
    return np.where((v * s < 0) & (half > 0), 0.0, v)


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
    v, s = np.zeros(len(half)), np.zeros(len(half))
    v[used.a] = used.inverse @ system.c[used.a]
    g, size = system.c - system.product(v), np.abs(system.c).max()
    end = stop * unit
    mu = np.max(np.abs(g[half > 0]) / half[half > 0], initial=end)
    closed, left, standing = half == 0, (0, 0.0), 0
    while standing < 4 * len(half) + 8 and len(found) < MOST_KNOTS:
        a = used.a
        e = g[a] - mu * half[a] * s[a]
        if np.abs(e).max(initial=0.0) > 1e-12 * size:  # rounding has added up
            e = used.inverse @ e
            v[a] += e
            g -= e @ used.rows[: len(a)]
        d = used.inverse @ (half[a] * s[a])
        slope = d @ used.rows[: len(a)]
        no_room = len(a) == len(used.rows)
        t_enter, j = _next_to_enter(mu * half, g, half, slope, closed | no_room | (s != 0), left)
        t_leave, p = _next_to_leave(v[a], d, s[a])
        t = min(mu - end, t_enter, t_leave)
        v[a] += t * d
        g -= t * slope
        if (np.abs(g) > (mu - t) * half + 1e-9 * size).any():
            return [*found, (mu / unit, v, 0)], DEPENDENT
        if t == mu - end:
            return [*found, (stop, _without_wrong_signs(v, s, half), 0)], ""
        mu, standing = mu - t, 0 if t > 1e-13 * mu else standing + 1
        if t_leave <= t_enter:
            j = a[p]
            left, s[j], v[j], closed = (j, s[j]), 0.0, 0.0, half == 0
            used.leave(p)
            found.append((mu / unit, v.copy(), -(j + 1)))
        elif used.enter(j):
            s[j], left = np.sign(g[j]), (0, 0.0)
            found.append((mu / unit, v.copy(), j + 1))
        else:
            closed[j] = True  # it depends on the columns in use: closed until one of them leaves
    why = TIED if len(found) < MOST_KNOTS else f"the path has more than {MOST_KNOTS} knots"
    return [*found, (mu / unit, v, 0)], why


def _next_to_enter(bound, g, speed, slope, closed, left):
    """When |g_j - t slope_j| first meets bound_j - t speed_j, and for which j; not at once on the side just `left`."""
    t = np.full((2, len(g)), np.inf)
    with np.errstate(over="ignore"):
        np.divide(bound - g, speed - slope, out=t[0], where=~closed & (slope < speed))
        np.divide(bound + g, speed + slope, out=t[1], where=~closed & (-slope < speed))
    j, side = left
    if side:
        t[0 if side > 0 else 1, j] = np.inf
    j = t.min(axis=0).argmin()
    return max(t[:, j].min(), 0.0), j


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
    """The columns a in use, their A[:, j] as rows, and A_aa⁻¹, which grows and shrinks with them."""

    def __init__(self, system):
        self.system, self.a, most = system, np.zeros(0, int), min(system.rank, len(system.c))
        self.rows, self._inverse = np.empty((most, len(system.c))), np.empty((most, most))

    @property
    def inverse(self):
        return self._inverse[: len(self.a), : len(self.a)]

    def enter(self, j):
        """Take column j in, unless it depends on those in use, or no more than those can be independent."""
        row, k = self.system.column(j), len(self.a)
        if k == len(self.rows):
            return False
        block = self.rows[:k, self.a]
        b = self.inverse @ row[self.a]
        b += self.inverse @ (row[self.a] - block @ b)
        rest = row[j] - 2 * (row[self.a] @ b) + b @ block @ b  # of column j, what those in use do not explain
        if rest <= 100 * np.finfo(float).eps * (1 + np.abs(b).sum()) ** 2:
            return False
        self._inverse[:k, :k] += b[:, None] * (b / rest)
        self._inverse[k, :k] = self._inverse[:k, k] = -b / rest
        self._inverse[k, k] = 1 / rest
        self.rows[k], self.a = row, np.concatenate([self.a, [j]])
        return True

    def leave(self, p):
        k, keep = len(self.a), np.arange(len(self.a)) != p
        u = self.inverse[keep, p]
        self._inverse[: k - 1, : k - 1] = self.inverse[keep][:, keep] - u[:, None] * (u / self.inverse[p, p])
        self.rows[p : k - 1] = self.rows[p + 1 : k]
        self.a = self.a[keep]

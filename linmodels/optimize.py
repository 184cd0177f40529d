"""Minimization as sequences of iterates (all chapters; notes A 1.2, D 1).

`gradient_descent`, `newton` ... say what the sequence is, `run` says when to stop. w is an array (d,) or (d, m);
loss(w) is a number, gradient(w) has the shape of w, hessian(w) is (w.size, w.size); eta > 0 is the step.
`nonnegative_least_squares` is no sequence: it gives the exact answer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count, islice
from typing import NamedTuple

import numpy as np

from .guards import checks
from .guards.shapes import takes


class Iterate(NamedTuple):
    """One point of the sequence and what vanishes where it may stop (None where nothing tells)."""

    w: np.ndarray
    gradient: np.ndarray | None


@dataclass(frozen=True)
class Solution:
    """Where a run ended, after how many steps, whether it converged, and why it stopped."""

    w: np.ndarray
    n_iter: int
    converged: bool
    reason: str


@takes(w="d or d m", eta="number positive")
def gradient_descent(gradient, w, *, eta):
    """w ← w - η ∇E(w)  [D-1-12, A-1.2-1; note D prints one index for step and component: erratum D09].

    Yields Iterate(w, ∇E(w)), the start first, without end. Raises FloatingPointError at a gradient that is not
    finite: the step is too long.

    >>> trajectory(gradient_descent(lambda w: 2 * w, [8], eta=0.25), 3).ravel()  # of E = w²
    array([8., 4., 2., 1.])
    """
    gradient = _shaped(gradient)
    for k in count():
        with np.errstate(over="ignore", invalid="ignore"):  # a step too long overflows; the error says so
            g = _finite(gradient(w), k, eta)
            w_next = w - eta * g
        yield Iterate(w.copy(), g)
        w = w_next


@takes(w="d or d m", N="count", eta="schedule", batch="count", rng="rng")
def stochastic_gradient_descent(gradient_i, w, N, *, eta, batch=1, rng):
    """w ← w - η_k ∇E_I(w): the gradient of a few samples I stands in for that of all N.

    gradient_i(w, I) is the gradient on the samples with the indices I (an array of `batch` of them); each epoch visits
    all samples once, in a random order, and its last step takes those that are left. eta is a number or, for a
    decreasing step, a function of k = 0, 1, ... Yields Iterate(w, None), the start first, without end: no single sample
    tells that the minimum is reached.
    """
    gradient_i = _shaped(gradient_i)
    yield Iterate(w.copy(), None)
    for k, I in enumerate(_epochs(N, batch, rng)):
        eta_k = checks.schedule(eta(k)) if callable(eta) else eta
        with np.errstate(over="ignore", invalid="ignore"):  # a step too long overflows; the error says so
            w = _finite(w - eta_k * gradient_i(w, I), k + 1, eta_k, "w")
        yield Iterate(w.copy(), None)


@takes(w="d or d m")
def damped(loss, gradient, step, w):
    """w ← w + τ s, τ halved from 1 until the loss falls: what makes Newton's steps s = -H⁻¹∇E safe.

    step(w, ∇E(w)) is s, a downhill direction of the shape of w. Yields Iterate(w, ∇E(w)), the start first. It ends
    where no τ >= 1e-12 lowers the loss, or a step lowers neither the loss nor the gradient: at the minimum, or where
    a start is far from it. Raises LinAlgError where step meets a singular matrix.

    >>> trajectory(damped(lambda w: w @ w, lambda w: 2 * w, lambda w, g: -4 * g, [8]), 1).ravel()  # τ = 1/8
    array([8., 0.])
    """
    loss, gradient = _or_inf(loss, "loss"), _shaped(gradient)
    E, g = _finite_loss(loss(w)), _finite(gradient(w), 0)
    smallest = E, np.abs(g).max()
    for k in count(1):
        yield Iterate(w.copy(), g.copy())
        s = _step_or_reason(step, w, g, k)
        tau, E = _line_search(loss, w, E, g, s)
        if tau == 0:
            return
        w = w + tau * s
        g = _finite(gradient(w), k)
        before, smallest = smallest, _smallest_so_far(smallest, E, g)
        if smallest == before:  # neither the loss nor the gradient became smaller: the rest is rounding
            return


def newton(loss, gradient, hessian, w):
    """w ← w - τ H⁻¹∇E, the step halved from τ = 1 until the loss falls.

    Yields Iterate(w, ∇E(w)), the start first; ends as `damped` does. Raises LinAlgError where H is singular, unless
    rounding hides it.

    >>> trajectory(newton(lambda w: w @ w, lambda w: 2 * w, lambda w: 2 * np.eye(1), [8]), 1).ravel()
    array([8., 0.])
    """
    return damped(loss, gradient, lambda w, g: -solve_scaled(hessian(w), g.ravel()).reshape(w.shape), w)


@takes(H="d d", g="d")
def solve_scaled(H, g):
    """H⁻¹g, H measured so that its diagonal is ±1: the units of w then cost no digits.

    >>> solve_scaled([[4, 0], [0, 1]], [8, 3])
    array([2., 3.])
    """
    s = np.sqrt(np.abs(H.diagonal()))
    s[s == 0] = 1.0
    return np.linalg.solve(H / s / s[:, None], g / s) / s


@takes(w="d or d m")
def bfgs(loss, gradient, w):
    """w ← w - τ B ∇E, where B approaches H⁻¹ from the gradients alone (quasi-Newton, 拟牛顿法).

    Yields Iterate(w, ∇E(w)), the start first; ends as `damped` does.

    >>> run(bfgs(lambda w: (w - 1) @ (w - 1), lambda w: 2 * (w - 1), [8])).w.round(3)
    array([1.])
    """
    loss, gradient = _or_inf(loss, "loss"), _shaped(gradient)
    E, g, B = _finite_loss(loss(w)), _finite(gradient(w), 0), np.eye(w.size)
    smallest = E, np.abs(g).max()
    _finite(np.vdot(g, g), 0, name="∇E·∇E")
    for k in count(1):
        yield Iterate(w.copy(), g.copy())
        s = -(B @ g.ravel()).reshape(w.shape)
        unscaled = max(1.0, np.vdot(g, g)) if k == 1 else 1.0  # -∇E is in the units of 1/w: it may be far too long
        tau, E = _line_search(loss, w, E, g, s, least=1e-12 / unscaled)
        if tau == 0:
            return
        w, g_before = w + tau * s, g
        g = _finite(gradient(w), k)
        before, smallest = smallest, _smallest_so_far(smallest, E, g)
        if smallest == before:  # neither the loss nor the gradient became smaller: the rest is rounding
            return
        B = bfgs_update(B, tau * s.ravel(), (g - g_before).ravel(), first=k == 1)


@takes(B="d d", s="d", y="d")
def bfgs_update(B, s, y, first=False):
    """B ≈ H⁻¹ corrected by the change y of the gradient over the step s: the new B has By = s.

    >>> bfgs_update(np.eye(2), [1, 0], [2, 0])  # By = s
    array([[0.5, 0. ],
           [0. , 1. ]])
    """
    sy = s @ y
    if sy <= 1e-12 * np.linalg.norm(s) * np.linalg.norm(y) or y @ y < np.finfo(float).tiny:
        return B  # no curvature is seen along s: B stays positive definite
    B = B * (sy / (y @ y)) if first else B  # the scale of the problem, unknown to the identity we began with
    By = B @ y  # (I - syᵀ/sy) B (I - ysᵀ/sy) + ssᵀ/sy, multiplied out: B + usᵀ + suᵀ
    us = np.outer(s * ((1 + y @ By / sy) / (2 * sy)) - By / sy, s)
    return B + (us + us.T)


def backtracking(E, E_0, fall, rounding, least=1e-12):
    """τ and E(τ) for the first of τ = 1, 1/2, 1/4 ... with E(τ) <= E(0) - τ fall/10⁴ + rounding, fall = -E'(0) > 0.

    0 and E(0) where no τ >= least will do.

    >>> backtracking(lambda tau: (1 - 8 * tau) ** 2 / 2, 0.5, 8.0, 0.0)
    (0.125, 0.0)
    """
    tau = 1.0
    while tau >= least:
        E_new = E(tau)  # inf or NaN for a step too long
        if E_new <= E_0 - 1e-4 * tau * fall + rounding:
            return tau, E_new
        tau /= 2
    return 0.0, E_0


@takes(w="d or d m", eta="number positive")
def proximal_gradient(gradient, prox, w, *, eta):
    """w ← prox_η(w - η ∇E(w)): a gradient step on the smooth part, then the exact step on the rest (ISTA).

    prox(v, eta) minimizes ½‖w - v‖² + η R(w). Yields Iterate(w, (w - w')/η), w' the next iterate, the start first:
    what vanishes at the minimum of E + R.

    >>> positive_part = lambda v, eta: np.maximum(v, 0)  # of R = 0 where w >= 0, else inf
    >>> trajectory(proximal_gradient(lambda w: 2 * (w + 1), positive_part, [1], eta=0.25), 2).ravel()
    array([1., 0., 0.])
    """
    gradient, prox = _shaped(gradient), _shaped(prox, "prox")
    for k in count():
        with np.errstate(over="ignore", invalid="ignore"):  # a step too long overflows; the error says so
            w_next = _finite(prox(w - eta * _finite(gradient(w), k, eta), eta), k, eta, "the next w")
        yield Iterate(w.copy(), (w - w_next) / eta)
        w = w_next


@takes(A="m n", c="m")
def nonnegative_least_squares(A, c):
    """arg min ‖Aa - c‖² over a >= 0 (Lawson and Hanson 1974): exact, with few entries of a positive.

    A is (m, n), c (m,). An entry is freed where that lowers the loss fastest, in units in which each column is about 1,
    and fixed at 0 again when it would turn negative. Raises LinAlgError after 10 (m + n) changes.

    >>> nonnegative_least_squares(np.eye(2), [3, -1])
    array([3., 0.])
    """
    unit, size = (np.frexp(np.abs(v).max(axis=0))[1] for v in (A, c))  # powers of two, which lose no digit
    a, free, A, c = np.zeros(A.shape[1]), np.zeros(A.shape[1], bool), np.ldexp(A, -unit), np.ldexp(c, -size)
    for _ in range(10 * sum(A.shape)):
        downhill = np.where(free, -np.inf, A.T @ (c - A[:, free] @ a[free]))
        j = downhill.argmax()
        if downhill[j] <= 1e-14 * (np.linalg.norm(c) + a.sum()):  # zero up to rounding
            return np.ldexp(a, size - unit)
        free[j] = True
        a, free = _feasible_minimum(A, c, a, free)
    raise np.linalg.LinAlgError("nonnegative least squares did not end: the columns of A are dependent to rounding")


@takes(steps="whole")
def trajectory(iterates: Iterable[Iterate], steps: int) -> np.ndarray:
    """The start and the first `steps` points after it, (steps + 1, ...), or fewer where it ends: a path to draw.

    >>> trajectory(gradient_descent(lambda w: 2 * w, [8, 4], eta=0.25), 2)
    array([[8., 4.],
           [4., 2.],
           [2., 1.]])
    """
    return np.array([_iterate(each).w for each in islice(iterates, steps + 1)])


@takes(tol="number nonnegative", max_iter="whole")
def run(iterates: Iterable[Iterate], *, tol: float = 1e-8, max_iter: int = 10_000) -> Solution:
    """Follow iterates until max |gradient| <= tol, for max_iter steps at the most.

    Not converging is no error: the Solution says converged=False and why, with the last finite w. `newton` and others
    end where their steps lower the loss no more.

    >>> run(gradient_descent(lambda w: 2 * w, [8], eta=0.5)).reason
    'max |gradient| <= 1e-08 after 1 steps'
    """
    k, first, last = -1, None, None
    with np.errstate(over="ignore", invalid="ignore"):  # a step too long overflows; the reason says so
        try:
            for k, last in enumerate(map(_iterate, iterates)):
                first = last if k == 0 else first
                if last.gradient is not None and np.abs(last.gradient).max() <= tol:
                    return Solution(last.w, k, True, f"max |gradient| <= {tol:g} after {k} steps")
                if k == max_iter:
                    return Solution(last.w, k, False, _max_iter_reason(first or last, last, k, tol))
        except FloatingPointError as error:
            if last is None:
                raise
            return Solution(last.w, k, False, str(error))
    if last is None:
        raise ValueError("iterates is empty; give a sequence that begins with its start, such as gradient_descent(...)")
    why = "" if k else "; is the gradient that of the loss? Or begin with another start, or rescale X"
    return Solution(last.w, k, False, f"the iterates end after {k} steps, at {_norm_text(last)} > tol = {tol:g}{why}")


def _iterate(found) -> Iterate:
    if not isinstance(found, Iterate):
        raise TypeError(f"iterates must hold optimize.Iterate(w, gradient), found {found!r:.60}")
    return found


def _or_inf(f, name: str):
    """f(w), infinite where w or the result leaves float64: a step too long."""

    def value(w, *rest):
        try:
            found = f(w, *rest) if np.isfinite(w).all() else np.inf
        except checks.Overflow:
            return np.inf
        if found is None:
            raise TypeError(f"the {name} of w is None: is a `return` missing?")
        return found

    return value


def _shaped(gradient, name: str = "gradient"):
    """gradient(w), which must have the shape of w; infinite where w or the result leaves float64."""
    found = _or_inf(gradient, name)

    def value(w, *rest):
        g = np.asarray(found(w, *rest), float)
        if g.shape != w.shape and np.isfinite(g).all():  # NumPy would stretch one of them
            raise ValueError(f"the {name} must have the shape of w, {w.shape}; found {g.shape}")
        return g

    return value


def _finite_loss(E: float) -> float:
    """The loss E of the start, unless it is no finite number."""
    if np.ndim(E):
        raise ValueError(f"the loss must be a number, found an array of shape {np.shape(E)}: is a sum missing?")
    if not np.isfinite(E):
        raise ValueError(f"the loss is {E:g} at the start w; give another one, for most losses near 0, or rescale X")
    return E


def _finite(g, k: int, eta: float | None = None, name: str = "the gradient") -> np.ndarray:
    g = np.array(g, float)  # a copy: the caller may change what the sequence gives him
    if not (np.isfinite(np.vdot(g, g)) or np.isfinite(g).all()):  # the first is fast, but squares may overflow
        why = "" if eta is None else f": eta = {eta:g} is too long a step, or the data hold huge numbers"
        raise FloatingPointError(f"{name} is not finite after {k} steps{why}")
    return g


def _step_or_reason(step, w, g, k: int):
    """step(w, g); the error of a singular matrix says after how many steps it came."""
    try:
        return step(w, g)
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError(
            f"the Hessian is singular after {k - 1} steps: w is not determined, or runs away to infinity"
        ) from None


def _epochs(N: int, batch: int, rng: "np.random.Generator"):
    while True:
        order = rng.permutation(N)
        for i in range(0, N, batch):
            yield order[i : i + batch]


@np.errstate(over="ignore", invalid="ignore")  # a step too long; it is halved
def _line_search(loss, w, E, g, s, least=1e-12):
    """The τ for which w + τs lowers E, 0 where none does, and E there."""
    return backtracking(lambda tau: loss(w + tau * s), E, -np.vdot(g, s), 4 * np.finfo(float).eps * abs(E), least)


def _smallest_so_far(least, E, g):
    """The smallest loss and the smallest gradient so far: where neither gets smaller, all that is left is rounding."""
    return min(least[0], E), min(least[1], np.abs(g).max())


def _feasible_minimum(A, c, a, free):
    """Minimize over the free entries; on the way, fix those that reach 0."""
    while free.any():
        goal = np.zeros_like(a)
        goal[free] = np.linalg.lstsq(A[:, free], c, rcond=None)[0]
        blocking = free & (goal <= 0)
        if not blocking.any():
            return goal, free
        tau = (a[blocking] / np.maximum(a[blocking] - goal[blocking], np.finfo(float).tiny)).min()
        a = a + min(tau, 1.0) * (goal - a)
        free = free & (a > 1e-15 * a.max())
        a[~free] = 0.0
    return a, free


def _max_iter_reason(first: Iterate, last: Iterate, k: int, tol: float) -> str:
    if last.gradient is None or first.gradient is None:
        return f"ran the {k} steps it was given"
    begun = np.abs(first.gradient).max()
    grown = np.abs(last.gradient).max() > 1e3 * begun
    why = f", up from {begun:.3g}: eta may be too long a step" if grown else ""
    return f"max_iter = {k} steps reached at {_norm_text(last)} > tol = {tol:g}{why}"


def _norm_text(last: Iterate) -> str:
    return "an unknown gradient" if last.gradient is None else f"max |gradient| = {np.abs(last.gradient).max():.3g}"

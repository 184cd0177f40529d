"""Maximum likelihood for an exponential family in few passes over the samples (the solver of chapters 03-05).

It minimizes E(w) = Σ_n [a(η_n) - η_n·T_n] + λ/2 ‖w‖², η = Xw, without -ln b(y_n), which does not depend on w. Few
samples take Newton's method; many take it on some of them first. Where no w is best, a direction proves it.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .. import optimize
from . import cholesky, moments, penalized, units
from .families import BERNOULLI, Likelihood

EPS = np.finfo(float).eps
MOST_STEPS = 100
ENOUGH_STEPS = 30  # on separable data each adds about 1 to w·x: then it is time to look for a direction
SATURATED_SCORE = 20.0  # e^-20 of a sample beside one 10^7 times as large is rounding
MANY = 2**16  # numbers in X, from which on a subsample gives the start


class Problem(NamedTuple):
    """X (N, d), the targets T(y) (N,) or (N, m), what is known of the family, and lam >= 0, a number or (d,)."""

    X: np.ndarray
    targets: np.ndarray
    family: Likelihood
    lam: np.ndarray | float = 0.0


@dataclass(frozen=True)
class Fit:
    """Weights w (d,), or (d, m), of largest likelihood, after n_iter steps.

    converged says whether they are, reason why the search ended there. Where no w is best, the loss falls forever
    along `direction`, to rounding.
    """

    w: np.ndarray
    n_iter: int
    converged: bool
    reason: str
    direction: np.ndarray | None = None


def newton_iterates(problem, w):
    """w ← w - τ H⁻¹∇E(w), τ halved from 1 until E falls; H by the family's own form, ∇E without cancellation."""
    X, T, family, lam = problem
    return optimize.newton(
        loss=lambda w: negative_log_likelihood(natural_parameters(w, X), T, family) + _penalty(w, lam),
        gradient=lambda w: gradient(w, problem),
        hessian=lambda w: hessian(natural_parameters(w, X), problem),
        w=w,
    )


def maximize(problem, iterates=newton_iterates):
    """The w of largest likelihood, a `Fit`: where iterates(problem, w), Newton's method from w, end.

    Raises LinAlgError where columns without penalty are dependent.
    """
    problem = with_penalties(problem)
    if problem.family.quadratic:
        return _fit_quadratic(problem)
    if _is_large(problem.X) and (found := _fit_many(problem)):
        return found if _is_minimum(found, problem) else _unbounded(found, problem) or found
    require_independent(problem.X, problem.lam)
    near, back = _coordinates(problem)
    eta = natural_parameters(_constant_model(problem), problem.X)
    if not np.isfinite(E := negative_log_likelihood(eta, problem.targets, problem.family)):
        raise ValueError(f"the loss is {E} at the start; give glm.irls_iterates a start w at which it is finite")
    w, k, _, _ = _followed(iterates(near, np.linalg.lstsq(near.X, eta)[0]), near.X, 1e-4, ENOUGH_STEPS)
    last = _last_steps(w, k, near, k + 5)
    found = replace(last, w=back(last.w))
    if _is_minimum(found, problem):
        return found
    if unbounded := _unbounded(found, problem):
        return unbounded
    last = last if last.converged else _last_steps(last.w, last.n_iter, near, MOST_STEPS)
    return replace(last, w=back(last.w))


def _is_minimum(found, problem):
    """Whether it converged where E has a minimum."""
    return found.converged and (not _saturated(found.w, problem) or _has_minimum(found.w, problem))


def _unbounded(found, problem):
    """The `Fit` with a direction along which the loss falls forever; None where there is no such direction."""
    if (direction := recession_direction(problem, found.w)) is None:
        return None
    return replace(found, converged=False, reason=_unbounded_reason(found, problem), direction=direction)


def _coordinates(problem):
    """X less the means where a free constant column takes them, and orthonormal where no column has a penalty.

    The same problem in these coordinates, and the way back to w.
    """
    origin = moments.origin(problem.X, free=problem.lam == 0)
    near = problem._replace(X=problem.X - origin.m)
    if problem.lam.any():
        return near, lambda w: origin.uncentered(w, problem.X)
    A, s = units.unit_columns(near.X)
    Q, R = np.linalg.qr(A)
    return near._replace(X=Q), lambda v: origin.uncentered((np.linalg.solve(R, v).T / s).T, problem.X)


def _followed(iterates, X, enough, most=MOST_STEPS):
    """The first w whose step changed no w·x by more than `enough` of the largest, or of 1: w, steps, change, and if so.

    A singular Hessian ends it, too.
    """
    k, w, eta, change, near = -1, None, np.inf, np.inf, False
    try:
        for k, (w, _) in enumerate(iterates):
            eta, before = natural_parameters(w, X), eta
            change, near = _change(eta, eta - before, enough)
            if near or k == most:
                break
    except np.linalg.LinAlgError:
        if w is None:
            raise
    return w, k, change, near


@np.errstate(over="ignore", invalid="ignore")  # a step too long; it is halved
def _last_steps(w, k, problem, most):
    """On by Newton's steps, ∇E without cancellation, until one changes no w·x by more than 1e-8.

    Where E, all samples far on their side, has no digit left to fall, the slope along a step shows whether it is good:
    E is convex, so it is, unless it is steeper uphill after it than downhill before.
    """
    change, tau = np.inf, 1.0
    while k < most:
        eta, g = natural_parameters(w, problem.X), gradient(w, problem)
        try:
            step = _newton_step(eta, g, problem)
        except np.linalg.LinAlgError:
            break
        delta = natural_parameters(step, problem.X)
        if tau < 1 and change < 1e-3:  # so near, only rounding halves a step
            break
        change, ended = _change(eta + delta, delta, 1e-8)
        if ended:
            return Fit(w + step, k + 1, True, f"the last step changed no w·x by more than {change:.3g}")
        tau, fall = 1.0, -np.vdot(g, step)
        while not np.vdot(gradient(w + tau * step, problem), step) <= fall and tau > 1e-9:
            tau /= 2
        w, k = w + tau * step, k + 1
    if change == np.inf:
        return Fit(w, k, False, f"after {_steps(k)} the Hessian is singular to rounding: give a larger lam")
    told = f"after {_steps(k)} another would still change a w·x by {change:.3g}"
    return Fit(w, k, False, f"{told}; rounding hides the way on: give a larger lam")


def _newton_step(eta, g, problem):
    """-H⁻¹g; of one η per sample by QR of the rows √a''(η) x and √λ I, without the digits that forming H would lose."""
    X, _, family, lam = problem
    if eta.ndim == 2:
        return -optimize.solve_scaled(hessian(eta, problem), g.ravel()).reshape(g.shape)
    A, s = units.unit_columns(np.concatenate([X * np.sqrt(family.variance(eta))[:, None], np.diag(np.sqrt(lam))]))
    _, R = np.linalg.qr(A)
    return -np.linalg.solve(R, np.linalg.solve(R.T, g / s)) / s


def _change(eta, delta, enough):
    """The largest |w·x| of a step, and whether it is at most `enough` of the largest of w, or of 1."""
    change = np.abs(delta).max()
    return change, bool(change <= enough * max(np.abs(eta).max(), 1))


def _is_large(X):
    """Many numbers, and many samples for each column."""
    return X.size >= MANY and len(X) >= 500 * X.shape[1]


def _fit_many(problem):
    """Newton's method on an eighth of the samples, then `_quasi_newton_iterates` on all; None if that leads nowhere."""
    X, T, _, lam = problem
    few = len(X) // 8
    rows = np.random.default_rng(0).integers(0, len(X), few)
    part = problem._replace(X=X[rows], targets=T[rows], lam=lam * (few / len(X)))
    try:
        w, n, _, _ = _followed(newton_iterates(part, _constant_model(problem)), part.X, 1e-4)
    except np.linalg.LinAlgError:  # dependent among these few
        return None
    s, R = cholesky.unit_inverse(hessian(natural_parameters(w, part.X), part) * (len(X) / few))
    if R is None:
        return None
    w, k, change, near = _followed(_quasi_newton_iterates(problem, w, R.T @ R / s / s[:, None]), X, 1e-7)
    if not (near and np.isfinite(negative_log_likelihood(natural_parameters(w, X), T, problem.family))):
        return None
    return Fit(w, n + k, True, f"after {k} passes the last step changed no w·x by more than {change:.3g}")


def _quasi_newton_iterates(problem, w, B):
    """w ← w - B∇E(w), B by `bfgs_update`: a step costs a gradient.

    E is convex, so a step is good unless it is steeper uphill after it than downhill before: that ends it.
    """
    g = gradient(w, problem)
    while True:
        yield optimize.Iterate(w, g)
        s, before = -(B @ g.ravel()).reshape(w.shape), g
        w, g = w + s, gradient(w + s, problem)
        if not np.vdot(g, s) <= -np.vdot(before, s):
            return
        B = optimize.bfgs_update(B, s.ravel(), (g - before).ravel())


def with_penalties(problem):
    """The same problem with a λ for each column."""
    return problem if np.ndim(problem.lam) else problem._replace(lam=np.full(problem.X.shape[1], float(problem.lam)))


def require_independent(X, lam=0.0):
    """Raises LinAlgError where columns of X without penalty are dependent. lam is a number or (d,)."""
    if why := _dependence(X, lam):
        raise np.linalg.LinAlgError(why)


def require_newton_step(X, lam=0.0):
    """Raises LinAlgError where there is none: columns without penalty are dependent, XᵀX + λI is singular to rounding.

    lam is a number or (d,). Both are looked at closely only where the inverse loses digits.
    """
    A = moments.second_moments(X, X)[0] + lam * np.eye(X.shape[1])
    s, R = cholesky.unit_inverse(A)
    if R is None and (_dependence(X, lam) or np.linalg.matrix_rank(A / s / s[:, None]) < len(s)):
        raise np.linalg.LinAlgError(_singularity_reason(Problem(X, X, BERNOULLI, lam)))


def _fit_quadratic(problem):
    """a'(η) = σ²η: one linear system, (XᵀX + λ/σ² I)w = XᵀT/σ²."""
    X, T, family, lam = problem
    s2 = float(family.variance(0.0))
    try:
        w = penalized.ridge(X, T / s2, lam / s2)
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError(_singularity_reason(problem)) from None
    return Fit(w, 1, True, "the gradient is linear in w: one step")


def _saturated(w, problem):
    """Whether e^-|w·x|, at the largest |w·x|, may drown in the rounding of a gradient that should still feel it."""
    size = np.abs(natural_parameters(w, problem.X)).max()
    return size > SATURATED_SCORE and problem.family.recession is not None and (problem.lam == 0).any()


def _has_minimum(w, problem):
    """A proof from w alone that E falls along no direction forever, or False: then `recession_direction` decides.

    Along such a d every row z of `Likelihood.recession` has z·d >= 0, and ∇E(w) = -Σ p z with p > 0, no p below its
    part in H: so d·Hd <= Σ p (z·d)² <= max z·d |∇E·d|. But d·Hd >= e ‖d‖² with e the least eigenvalue of H, so there is
    none where max ‖z‖ ‖∇E‖ < e (e/2 here, for rounding). All is in units of the columns. H of some samples will do: it
    is no larger.
    """
    X, T, family, lam = problem
    rows = np.random.default_rng(0).permutation(len(X))[: max(4000, 8 * w.size)]
    H = hessian(natural_parameters(w, X[rows]), Problem(X[rows], T[rows], family, lam))
    s, R = cholesky.unit_inverse(H, most=1e7)
    if R is None:
        return False
    g, longest, unit = np.abs(gradient(w, problem)).ravel(), 0.0, s.reshape(len(X[0]), -1).min(axis=1)
    for rows in _blocks(problem):
        p = np.abs(residual(natural_parameters(w, X[rows]), T[rows], family))
        g = g + 16 * EPS * (p.T @ np.abs(X[rows])).T.ravel()  # what rounding may have taken from it
        longest = max(longest, np.sum((X[rows] / unit) ** 2, axis=1).max())
    return bool(np.sqrt(2 * longest) * np.linalg.norm(g / s) < 1 / np.linalg.norm(R, 2) ** 2 / 2)


def _penalty_gradient(w, lam):
    """λw, one λ per row of w."""
    return (np.asarray(lam) * w.T).T


def _penalty(w, lam):
    """λ/2 ‖w‖²."""
    return np.vdot(_penalty_gradient(w, lam), w) / 2


def natural_parameters(w, X):
    """η = Xw, class by class in memory: sums over the classes of a sample then run over whole columns."""
    return (w.T @ X.T).T


def negative_log_likelihood(eta, T, family):
    """Σ_n a(η_n) - η_n·T_n."""
    return family.a(eta).sum() - np.vdot(eta.T, T.T)


def residual(eta, T, family):
    """a'(η) - T, by the family's own form where the difference would cancel."""
    return family.mean(eta) - T if family.residual is None else family.residual(eta, T)


@np.errstate(over="ignore", invalid="ignore")  # a step too long; who takes it sees that
def gradient(w, problem):
    """∇E(w) = Xᵀ(a'(η) - T) + λw in one pass over X."""
    X, T, family, lam = problem
    g = _penalty_gradient(w, lam)
    for rows in _blocks(problem):
        g = g + (residual(natural_parameters(w, X[rows]), T[rows], family).T @ X[rows]).T
    return g


def _blocks(problem):
    """Slices of rows: X there, and the few arrays as large as η that are made of it, fit the cache."""
    X, T, _, _ = problem
    return moments.blocks(X, 2 + 4 * T[0].size // X.shape[1])


def hessian(eta, problem):
    """∇²E = Σ_n x_n x_nᵀ ⊗ a''(η_n) + λI at the natural parameters η, in the order of w.ravel()."""
    X, _, family, lam = problem
    d = X.shape[1] * eta[0].size
    if family.gram is not None:
        H = family.gram(X, eta)
    elif eta.ndim == 1:
        H = moments.weighted_gram(X, family.variance(eta))
    else:
        H = np.einsum("ni,nkl,nj->ikjl", X, family.variance(eta), X, optimize=True)
    H = H.reshape(d, d)
    H.flat[:: d + 1] += np.repeat(lam, d // len(lam))
    return H


def recession_direction(problem, w=None):
    """d along which the loss falls forever: Zd >= 0, not all 0, for the rows Z of `Likelihood.recession`.

    It holds up to rounding. None where there is no such d. w, where the search for a minimum ended, is tried first:
    often it is one.
    """
    X, T, family, lam = problem
    free = np.repeat(lam == 0, T[0].size)
    if family.recession is None or not free.any():
        return None
    origin = moments.origin(X, free=lam == 0)
    unit = units.power_of_two(X - origin.m, axis=0)
    near = Problem((X - origin.m) / unit, T, family, lam)
    d = sum(_unit_rows(Z).sum(axis=0) for Z in _recession_rows(near))
    if w is not None and free.all():
        v = _unit_rows((origin._replace(m=-origin.m).uncentered(w, X).T * unit).T.reshape(1, -1))[0]
        worst, gain = _most_violated_rows(v, near)
        d = v if gain > 1e-11 and not len(worst) else d
    d = _cone_point(d, near)
    if d is None:
        return None
    found = np.zeros(len(free))
    found[free] = d / max((Z @ d).max(initial=0.0) for Z in _recession_rows(near))
    return origin.uncentered((found.reshape(X.shape[1], -1).T / unit).T, X).reshape(X.shape[1], *T.shape[1:])


def _cone_point(d, problem):
    """From d to one with z·d >= 0 for all rows z, not all 0; None where d vanishes on the way.

    The shortest d + Rᵀa with a >= 0 has z·d >= 0 for the rows z of R, for a larger a_n would shorten it otherwise (the
    lemma of Farkas). R gets the rows that d violates most, until it violates none. Where Zc >= 0, c·d never falls on
    the way: so from d = Σ z, where c·d > 0 unless Zc = 0, d vanishes only if there is no other c. Each round begins
    with the d of the one before, at length 1: so rounding does not grow with the number of samples.
    """
    R = np.empty((0, len(d)))
    for _ in range(MOST_STEPS):
        d = _unit_rows(d[None])[0]
        worst, gain = _most_violated_rows(d, problem)
        if not len(worst):
            return d if gain > 1e-11 else None
        R = np.concatenate([R, worst])
        try:
            a = optimize.nonnegative_least_squares(R.T, -d)
        except np.linalg.LinAlgError:
            return None
        d, terms = d + R.T @ a, np.abs(d) + np.abs(R).T @ a
        if np.abs(d).max() <= 1e-13 * terms.max():  # rounding: the rows balance, every direction is uphill somewhere
            return None
    return None


def _most_violated_rows(d, problem):
    """The rows z, at length 1, with the most negative z·d, two per entry of d at most; and the largest z·d."""
    worst, gain = np.empty((0, 1 + len(d))), 0.0
    for Z in map(_unit_rows, _recession_rows(problem)):
        gains = Z @ d
        gain = max(gain, gains.max(initial=0.0))
        below = gains < -1e-13
        worst = np.concatenate([worst, np.column_stack([gains[below], Z[below]])])
        worst = worst[np.argsort(worst[:, 0])[: 2 * len(d)]]
    return worst[:, 1:], gain


def _recession_rows(problem):
    """The rows of `Likelihood.recession`, block by block, of the columns without penalty."""
    X, T, family, lam = problem
    free = np.repeat(lam == 0, T[0].size)
    for rows in moments.blocks(X, 2 + T[0].size ** 2):
        yield family.recession(X[rows], T[rows])[:, free]


def _unit_rows(Z):
    """The rows of Z over the sums of their |entries|."""
    return Z / np.maximum(np.abs(Z).sum(axis=1, keepdims=True), units.TINY)


def _singularity_reason(problem):
    """Why there is no Newton step from the start."""
    return _dependence(problem.X, problem.lam) or (
        "XᵀX + λI is singular to rounding, though the columns without penalty are independent: center and rescale X, "
        "or give a larger lam"
    )


def _dependence(X, lam):
    """What is wrong where columns of X without penalty are dependent; empty where they are not."""
    F = X[:, np.broadcast_to(np.equal(lam, 0), X.shape[1])]
    rank, d = cholesky.column_rank(F) if F.size else 0, F.shape[1]
    if rank == d:
        return ""
    return (
        f"the {d} columns of X without penalty have rank {rank}: many w are equally likely; leave dependent columns "
        "out, or give them a penalty lam > 0"
    )


def _constant_model(problem):
    """The best w with nothing but a free bias: a'(η) is the mean of T. 0 where there is no such bias."""
    X, T, family, lam = problem
    w = np.zeros((X.shape[1], *T.shape[1:]))
    one = moments.origin(X, free=lam == 0).one
    if one is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            eta = np.nan if family.link is None else family.link(T.mean(axis=0))
        if np.isfinite(eta).all():
            w[one] = eta / X[0, one]
    return w


def _unbounded_reason(found, problem):
    """Why there is no minimum, in words."""
    reason = problem.family.separated
    if problem.targets.min() == problem.targets.max():
        reason = f"only {problem.targets.flat[0]:g} was observed"
    elif problem.targets.ndim == 2 and not problem.targets.any(axis=0).all():
        reason = f"class {np.flatnonzero(~problem.targets.any(axis=0))[0]} has no sample"
    return (
        f"no finite minimum: along `direction` the loss falls forever ({reason}); stopped after "
        f"{_steps(found.n_iter)}; a penalty lam > 0 on the columns it uses gives one"
    )


def _steps(n):
    return f"{n} step{'s' * (n != 1)}"

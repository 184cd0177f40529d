"""Maximum likelihood for an exponential family in few passes over the samples (the solver of chapters 03-05).

It minimizes E(w) = Σ_n [a(η_n) - η_n·T_n] + λ/2 ‖w‖², η = Xw, without -ln b(y_n), which does not depend on w. Few
samples take Newton's method; many take it on some of them first. Where no w is best, a direction proves it.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .. import optimize
from . import cholesky, moments, penalized, units
from .families import BITS, Likelihood

EPS = np.finfo(float).eps
MOST_STEPS = 100
SATURATED_SCORE = 20.0  # e^-20 of a sample beside one 10^7 times as large is rounding
MANY = 2**16  # numbers in X, from which on a subsample gives the start


class Problem(NamedTuple):
    """X (N, d), T (N,) or (N, m), what is known of the family, and lam >= 0, a number or (d,)."""

    X: np.ndarray
    T: np.ndarray
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


def maximize(problem):
    """The w of largest likelihood, a `Fit`. Raises LinAlgError where columns without penalty are dependent."""
    problem = with_penalties(problem)
    if problem.family.quadratic:
        return _fit_quadratic(problem)
    if len(problem.X) < np.count_nonzero(problem.lam == 0):
        raise np.linalg.LinAlgError(_singularity_reason(problem))
    found, size = _fit_as_given(problem)
    if found is None:
        found, size = _fit_centered(problem)
    if found is not None and found.converged:
        if not _saturated(size, problem) or _has_minimum(found.w, problem):
            return found
    direction = recession_direction(problem, None if found is None else found.w)
    if direction is not None:
        found = found or Fit(np.zeros(direction.shape), 0, False, "")
        return replace(found, converged=False, reason=_unbounded_reason(found, problem), direction=direction)
    if found is None:
        raise np.linalg.LinAlgError(_singularity_reason(problem))
    return found if found.converged else _continued_by_slope(found, problem)


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
        raise np.linalg.LinAlgError(_singularity_reason(Problem(X, X, BITS, lam)))


def _fit_quadratic(problem):
    """a'(η) = σ²η: one linear system, (XᵀX + λ/σ² I)w = XᵀT/σ²."""
    X, T, family, lam = problem
    s2 = float(family.variance(0.0))
    try:
        w = penalized.ridge(X, T / s2, lam / s2)
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError(_singularity_reason(problem)) from None
    return Fit(w, 1, True, "the gradient is linear in w: one step")


def _saturated(size, problem):
    """Whether e^-|w·x|, at the largest |w·x|, may drown in the rounding of a gradient that should still feel it."""
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


def _fit_as_given(problem):
    """A `Fit` and the largest |w·x|. The fit is None where the Hessian is singular to rounding."""
    X = problem.X
    if len(X) >= 50 * X.shape[1] and X.size >= MANY:
        found, size = _fit_by_subsampling(problem)
        if found is not None:
            return found, size
    found, _, size = _newton(problem, _constant_model(problem))
    return found, size


def _fit_centered(problem):
    """The same in coordinates x - m, where a free constant column takes what is left; at last with steps by QR."""
    X, _, _, lam = problem
    origin = moments.origin(X, free=lam == 0)
    centered = problem._replace(X=X - origin.m)
    found, size = (None, 0.0) if origin.one is None else _fit_as_given(centered)
    if found is None:
        found, _, size = _newton(centered, _constant_model(problem), last_resort=True)
    return None if found is None else replace(found, w=origin.uncentered(found.w, X)), size


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


@np.errstate(over="ignore", invalid="ignore")  # a step too long; it is halved
def _newton(problem, w, enough=0.0, last_resort=False):
    """Newton's method, each step halved until the loss falls: a `Fit`, the last Hessian, the largest |w·x|.

    It ends where a step changes no w·x by more than 1e-8 of the largest, or than `enough`. After a step of at
    most 1e-5 the next takes the Hessian it has, which would hardly differ. With last_resort, steps go by QR where w is
    a vector, and where the Hessian becomes singular the fit is that of the step before, instead of None.
    """
    X, T, family, lam = problem
    eta, k, near = natural_parameters(w, X), 0, False
    E = E_0 = negative_log_likelihood(eta, T, family) + _penalty(w, lam)
    if not np.isfinite(E):
        raise ValueError(f"the loss is {E} at the start; give glm.irls_iterates a start w at which it is finite")
    for k in range(1, MOST_STEPS + 1):
        g = (residual(eta, T, family).T @ X).T + _penalty_gradient(w, lam)
        if not near:
            H = hessian(eta, problem)
        if last_resort and T.ndim == 1:
            step = _newton_step_by_qr(X, family.variance(eta), lam, g)
        else:
            step = _newton_step(H, g) if k > 1 else _first_newton_step(H, g, problem)
        if step is None:
            singular = Fit(w, k - 1, False, f"after {_steps(k - 1)} the Hessian is singular to rounding")
            return singular if last_resort and k > 1 else None, H, np.abs(eta).max()
        delta = natural_parameters(step, X)
        fall, change, size = -np.vdot(g, step), np.abs(delta).max(), np.abs(eta + delta).max()
        if change <= max(enough, 1e-8 * max(size, 1)):
            return Fit(w + step, k, True, f"the last step changed no w·x by more than {change:.3g}"), H, size
        if fall <= EPS * (abs(E) + abs(E_0)) and change > 0.1 * max(1, 1e-6 * size):
            break
        rounding = 4 * EPS * (abs(E) + np.vdot(np.abs(eta).T, T.T))  # of Σ a(η) - Σ η·T, which may cancel
        tau, E = optimize.backtracking(_loss_along(problem, w, eta, step, delta), E, fall, rounding, least=1e-15)
        if tau == 0:
            break
        w, eta, near = w + tau * step, eta + tau * delta, change <= 1e-5 * max(size, 1)
    return Fit(w, k, False, f"after {_steps(k)} another would still change a w·x by {change:.3g}"), H, size


@np.errstate(over="ignore", invalid="ignore")  # a step too long; it is halved
def _continued_by_slope(found, problem):
    """From where E, all samples far on their side, has no digit left to fall, on to the minimum that there is.

    E is convex: a step is good where the slope along it, of which no digit cancels, is smaller at its end.
    """
    w, n, change, tau = found.w, found.n_iter, np.inf, 1.0
    for k in range(1, MOST_STEPS + 1):
        g = gradient(w, problem)
        step = _newton_step(hessian(natural_parameters(w, problem.X), problem), g)
        if step is None or (tau < 1 and change < 1e-3):  # so near, only rounding halves a step
            break
        change, size = (np.abs(natural_parameters(v, problem.X)).max() for v in (step, w + step))
        if change <= 1e-8 * max(size, 1):
            return Fit(w + step, n + 1, True, f"the last step changed no w·x by more than {change:.3g}")
        tau, fall = 1.0, -np.vdot(g, step)
        while not np.vdot(gradient(w + tau * step, problem), step) <= fall / 2 and tau > 1e-9:
            tau /= 2
        w, n = w + tau * step, found.n_iter + k
    told = found.reason if change == np.inf else f"after {_steps(n)} another would still change a w·x by {change:.3g}"
    return Fit(w, n, False, f"{told}; rounding hides the way on: give a larger lam")


def _loss_along(problem, w, eta, step, delta):
    """τ to E(w + τ step), η + τ delta there: no product with X."""
    _, T, family, lam = problem
    return lambda tau: negative_log_likelihood(eta + tau * delta, T, family) + _penalty(w + tau * step, lam)


@np.errstate(over="ignore", invalid="ignore")  # where the subsample misleads; `fall` shows it
def _fit_by_subsampling(problem):
    """Newton's method on a subsample; from there, with its Hessian, quasi-Newton by exact gradients of all samples.

    The subsample decides how many passes it takes, not where they end: E is convex, so its slope along a step shows
    that the step was good, without E. A step after which it is steeper uphill than downhill before ends instead where
    the slope, were it linear, is 0. Also gives the largest |w·x|. (None, 0) where the subsample misleads, or where the
    passes do not end at a minimum.
    """
    N, nothing = len(problem.X), (None, 0.0)
    w, B, steps = _newton_on_subsample(problem)
    if B is None:
        return nothing
    g = gradient(w, problem)
    for k in range(1, MOST_STEPS + 1):
        step = -(B @ g.ravel()).reshape(w.shape)
        fall, before = -np.vdot(g, step), g
        if fall <= 1e-14 * N:  # Σ_n r_n (x_n·step)²; what this step leaves is smaller still
            w = w + step
            E, change, size = _loss_and_scores(w, step, problem)
            good = np.isfinite(E) and change <= 1e-6 * max(size, 1)
            reason = f"after {k} passes the last step changed no w·x by more than {change:.3g}"
            return (Fit(w, steps + k, True, reason), size) if good else nothing
        g = gradient(w + step, problem)
        if (rise := np.vdot(g, step)) > fall:
            step = step * (fall / (fall + rise))
            g = gradient(w + step, problem)
        if not (fall <= N and np.vdot(g, step) <= fall):
            return nothing
        w, B = w + step, optimize.bfgs_update(B, step.ravel(), (g - before).ravel())
    return nothing


def _newton_on_subsample(problem):
    """Newton's method on few samples, then one step on more: w, their H⁻¹ as if they were all N, and how many steps.

    The Hessian of `more` costs about what one gradient of all samples does; there is no such step where the few are as
    many. H⁻¹ is None where H is singular to rounding.
    """
    X, T, family, lam = problem
    (N, d), w = X.shape, _constant_model(problem)
    more = min(N // 4, max(4000, 40 * d, N // max(12, w.size // 16)))
    few = min(more, max(more // 4, 40 * d, 4 * w.size))
    rows = np.random.default_rng(0).integers(0, N, more)
    part = Problem(X[rows], T[rows], family, lam * (more / N))
    try:
        found, H, _ = _newton(Problem(part.X[:few], part.T[:few], family, lam * (few / N)), w, enough=1.0)
    except np.linalg.LinAlgError:  # dependent among these few
        return w, None, 0
    w, k = (w, 0) if found is None else (found.w, found.n_iter)
    if few == more:
        return w, None if found is None else np.linalg.inv(H * (N / more)), k
    H = hessian(natural_parameters(w, part.X), part)
    step = _newton_step(H, gradient(w, part))
    return (w, None, k) if step is None else (w + step, np.linalg.inv(H * (N / more)), k + 1)


def _loss_and_scores(w, step, problem):
    """E(w), and the largest |x·step| and |x·w|, in one pass over X."""
    X, T, family, lam = problem
    E, change, size = _penalty(w, lam), 0.0, 0.0
    for rows in _blocks(problem):
        eta, delta = natural_parameters(w, X[rows]), natural_parameters(step, X[rows])
        E = E + negative_log_likelihood(eta, T[rows], family)
        change, size = max(change, np.abs(delta).max()), max(size, np.abs(eta).max())
    return E, change, size


def _first_newton_step(H, g, problem):
    """-H⁻¹g. Raises where columns without penalty are dependent: H is singular then, though no pivot may show it."""
    s, R = cholesky.unit_inverse(H)
    if R is None:
        require_independent(problem.X, problem.lam)
        return _newton_step(H, g)
    return -(R.T @ (R @ (g.ravel() / s)) / s).reshape(g.shape)


def _newton_step(H, g):
    """-H⁻¹g by columns of unit length; None where H is singular to rounding."""
    s, L = cholesky.unit_cholesky(H)
    if L is None or L.diagonal().min() < 1e-7:
        return None
    return -(np.linalg.solve(H / (s[:, None] * s), g.ravel() / s) / s).reshape(g.shape)


def _newton_step_by_qr(X, r, lam, g):
    """-H⁻¹g from H = AᵀA, A the rows √r_n x_n and √λ I: QR keeps the digits that forming H would lose."""
    A = np.concatenate([X * np.sqrt(r)[:, None], np.diag(np.sqrt(lam))])
    A = A[np.argsort(-np.abs(A).max(axis=1))]  # the longest rows first: QR would lose short ones above them
    A, s = units.unit_columns(A)
    _, R = np.linalg.qr(A)
    if len(R) < len(g) or np.linalg.svd(R, compute_uv=False)[-1] < 1e-12:
        return None
    return -np.linalg.solve(R, np.linalg.solve(R.T, g / s)) / s


def _unbounded_reason(found, problem):
    """Why there is no minimum, in words."""
    reason = problem.family.separated
    if problem.T.min() == problem.T.max():
        reason = f"only {problem.T.flat[0]:g} was observed"
    elif problem.T.ndim == 2 and not problem.T.any(axis=0).all():
        reason = f"class {np.flatnonzero(~problem.T.any(axis=0))[0]} has no sample"
    return (
        f"no finite minimum: along `direction` the loss falls forever ({reason}); stopped after "
        f"{_steps(found.n_iter)}; a penalty lam > 0 on the columns it uses gives one"
    )


def _steps(n):
    return f"{n} step{'s' * (n != 1)}"

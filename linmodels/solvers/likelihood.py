"""Maximum likelihood for an exponential family in few passes over the samples (the solver of chapters 03-05).

Minimise E(w) = Σ_n [a(η_n) - η_n·T_n] + λ/2 ‖w‖², η = Xw, without -ln b(y_n), which does not depend on w. With few
samples Newton's method; with many, first on some of them. Where no w is best, a direction proves it.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from .. import optimize
from . import cholesky, moments, units

EPS = np.finfo(float).eps
MOST_STEPS = 100
SURE = 20.0  # e^-20 of a sample beside one 10^7 times as large is rounding
MANY = 2**16  # numbers in X: from here on a part of the samples shows the way


class Problem(NamedTuple):
    """X (N, d), T (N,) or (N, K - 1), a family (a, mean = a', its inverse link, variance = a'' ...), and lam (d,)."""

    X: np.ndarray
    T: np.ndarray
    family: Any
    lam: np.ndarray


@dataclass(frozen=True)
class Fit:
    """Weights of largest likelihood. Where there are none, along `direction` the loss falls for ever (to rounding)."""

    w: np.ndarray
    n_iter: int
    converged: bool
    reason: str
    direction: np.ndarray | None = None


def maximise(problem):
    """The w of largest likelihood. Raises LinAlgError where columns without penalty are dependent."""
    if len(problem.X) < np.count_nonzero(problem.lam == 0):
        raise np.linalg.LinAlgError(dependent(problem))
    found, size = _fit(problem)
    if found is None:
        found, size = _fit_from_means(problem)
    if found is not None and found.converged:
        if not _surprisingly_sure(size, problem) or _has_minimum(found.w, problem):
            return found
    direction = recession_direction(problem, None if found is None else found.w)
    if direction is not None:
        found = found or Fit(np.zeros(direction.shape), 0, False, "")
        return replace(found, converged=False, reason=_no_minimum(found, problem), direction=direction)
    if found is None:
        raise np.linalg.LinAlgError(dependent(problem))
    return found


def _surprisingly_sure(size, problem):
    """Whether e^-|w·x|, at the largest |w·x|, may drown in the rounding of a gradient that should still feel it."""
    return size > SURE and problem.family.recession is not None and (problem.lam == 0).any()


def _has_minimum(w, problem):
    """A proof from w alone that E falls along no direction for ever, or False: then `recession_direction` decides.

    Along such a d every row z of `Family.recession` has z·d >= 0, and ∇E(w) = -Σ p z with p > 0, no p below its part in
    H: so d·Hd <= Σ p (z·d)² <= max z·d |∇E·d|. But d·Hd >= e ‖d‖² with e the least eigenvalue of H, so there is none
    where max ‖z‖ ‖∇E‖ < e (e/2 here, for rounding). All in units of the columns; of H that of some samples will do,
    which is no larger.
    """
    X, T, family, lam = problem
    rows = np.random.default_rng(0).permutation(len(X))[: max(4000, 8 * w.size)]
    H = hessian(natural(w, X[rows]), Problem(X[rows], T[rows], family, lam))
    s, R = cholesky.unit_inverse(H, most=1e7)
    if R is None:
        return False
    g, longest, unit = np.abs(gradient(w, problem)).ravel(), 0.0, s.reshape(len(X[0]), -1).min(axis=1)
    for rows in _blocks(problem):
        p = np.abs(residual(natural(w, X[rows]), T[rows], family))
        g = g + 16 * EPS * (p.T @ np.abs(X[rows])).T.ravel()  # what rounding may have taken from it
        longest = max(longest, np.sum((X[rows] / unit) ** 2, axis=1).max())
    return bool(np.sqrt(2 * longest) * np.linalg.norm(g / s) < 1 / np.linalg.norm(R, 2) ** 2 / 2)


def shrinkage(w, lam):
    """λw, one λ per row of w."""
    return (np.asarray(lam) * w.T).T


def penalty(w, lam):
    """λ/2 ‖w‖²."""
    return np.vdot(shrinkage(w, lam), w) / 2


def natural(w, X):
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
    g = shrinkage(w, lam)
    for rows in _blocks(problem):
        g = g + (residual(natural(w, X[rows]), T[rows], family).T @ X[rows]).T
    return g


@np.errstate(over="ignore", invalid="ignore")
def loss_and_gradient(w, problem):
    """E(w) and ∇E(w) in one pass over X."""
    X, T, family, lam = problem
    E, g = penalty(w, lam), shrinkage(w, lam)
    for rows in _blocks(problem):
        eta = natural(w, X[rows])
        E = E + negative_log_likelihood(eta, T[rows], family)
        g = g + (residual(eta, T[rows], family).T @ X[rows]).T
    return E, g


def _blocks(problem):
    """Slices of rows: X there, and the few arrays as large as η that are made of it, fit the cache."""
    X, T, _, _ = problem
    return moments.blocks(X, 2 + 4 * T[0].size // X.shape[1])


def curvature(r, X, lam):
    """∇²E = Σ_n r_n x_n x_nᵀ + λI, r = a''(η); of matrices r_n in blocks, Σ_n x_n x_nᵀ ⊗ r_n, as w.ravel() has it."""
    if r.ndim == 1:
        H = moments.weighted_gram(X, r)
    else:
        d = X.shape[1] * r.shape[-1]
        H = np.einsum("ni,nkl,nj->ikjl", X, r, X, optimize=True).reshape(d, d)
    return penalised(H, lam)


def penalised(H, lam):
    """H + λI, one λ for all rows of w or one per row: H itself, changed."""
    H.flat[:: len(H) + 1] += np.repeat(lam, len(H) // np.size(lam))
    return H


def hessian(eta, problem):
    """∇²E at the natural parameters η."""
    X, _, family, lam = problem
    if family.gram is None:
        return curvature(family.variance(eta), X, lam)
    d = X.shape[1] * eta.shape[1]
    return penalised(family.gram(X, eta).reshape(d, d), lam)


def recession_direction(problem, w=None):
    """d along which the loss falls for ever: Zd >= 0, up to rounding, for the rows Z of `Family.recession`, not all 0.

    None where there is none. w, where the search for a minimum ended, is tried first: often it is one.
    """
    X, T, family, lam = problem
    free = np.repeat(lam == 0, T[0].size)
    if family.recession is None or not free.any():
        return None
    origin = moments.origin(X, free=lam == 0)
    unit = units.power_of_two(X - origin.m, axis=0)
    near = Problem((X - origin.m) / unit, T, family, lam)
    d = sum(_of_length_1(Z).sum(axis=0) for Z in _rows_of_recession(near))
    if w is not None and free.all():
        v = _of_length_1((origin._replace(m=-origin.m).back(w, X).T * unit).T.reshape(1, -1))[0]
        worst, gain = _most_violated(v, near)
        d = v if gain > 1e-11 and not len(worst) else d
    d = _into_the_cone(d, near)
    if d is None:
        return None
    found = np.zeros(len(free))
    found[free] = d / max((Z @ d).max(initial=0.0) for Z in _rows_of_recession(near))
    return origin.back((found.reshape(X.shape[1], -1).T / unit).T, X).reshape(X.shape[1], *T.shape[1:])


def _into_the_cone(d, problem):
    """From d to one with z·d >= 0 for all rows z, not all 0; None where d vanishes on the way.

    The shortest d + Rᵀa with a >= 0 has z·d >= 0 for the rows z of R, for a larger a_n would shorten it otherwise (the
    lemma of Farkas). R gets the rows that d violates most, until it violates none. Where Zc >= 0, c·d never falls on
    the way: so from d = Σ z, where c·d > 0 unless Zc = 0, d vanishes only if there is no other c. Each round begins
    with the d of the one before, at length 1: so rounding does not grow with the number of samples.
    """
    R = np.empty((0, len(d)))
    for _ in range(MOST_STEPS):
        d = _of_length_1(d[None])[0]
        worst, gain = _most_violated(d, problem)
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


def _most_violated(d, problem):
    """The rows z, at length 1, with the most negative z·d, two per entry of d at most; and the largest z·d."""
    worst, gain = np.empty((0, 1 + len(d))), 0.0
    for Z in map(_of_length_1, _rows_of_recession(problem)):
        gains = Z @ d
        gain = max(gain, gains.max(initial=0.0))
        below = gains < -1e-13
        worst = np.concatenate([worst, np.column_stack([gains[below], Z[below]])])
        worst = worst[np.argsort(worst[:, 0])[: 2 * len(d)]]
    return worst[:, 1:], gain


def _rows_of_recession(problem):
    """The rows of `Family.recession`, block by block, of the columns without penalty."""
    X, T, family, lam = problem
    free = np.repeat(lam == 0, T[0].size)
    for rows in moments.blocks(X, 2 + T[0].size ** 2):
        yield family.recession(X[rows], T[rows])[:, free]


def _of_length_1(Z):
    """The rows of Z over the sums of their |entries|."""
    return Z / np.maximum(np.abs(Z).sum(axis=1, keepdims=True), units.TINY)


def require_newton_step(w, problem):
    """Raises where there is none at w: the loss is not finite, or the columns are dependent."""
    E, g = loss_and_gradient(w, problem)
    if not (np.isfinite(E) and np.isfinite(g).all()):
        raise ValueError(f"the loss is {E:g} at the start w; give one nearer to 0, or rescale X")
    H = hessian(problem.X @ w, problem)
    if not np.isfinite(H).all() or (_newton_step(H, g) is None and np.linalg.matrix_rank(H) < len(H)):
        raise np.linalg.LinAlgError(dependent(problem))
    require_independent(problem, H)


def require_independent(problem, H):
    """Raises where columns without penalty are dependent: H is singular then, though its pivots may not tell."""
    free = np.count_nonzero(problem.lam == 0)
    if free and cholesky.unit_inverse(H)[1] is None and _rank_of_free_columns(problem) < free:
        raise np.linalg.LinAlgError(dependent(problem))


def dependent(problem):
    """Why there is no Newton step from the start."""
    free = problem.lam == 0
    if _rank_of_free_columns(problem) < free.sum():
        return (
            f"the {free.sum()} columns of X without penalty have rank {_rank_of_free_columns(problem)}: many w are "
            "equally likely; leave dependent columns out, or give them a penalty lam > 0"
        )
    return (
        "XᵀX + λI is singular to rounding, though the columns without penalty are independent: centre and rescale X, "
        "or give a larger lam"
    )


def _rank_of_free_columns(problem):
    F = problem.X[:, problem.lam == 0]
    return cholesky.column_rank(F) if F.size else 0


def _fit(problem):
    """What was found, and the largest |w·x|; None where the Hessian is singular to rounding."""
    X = problem.X
    if len(X) >= 50 * X.shape[1] and X.size >= MANY:
        found, size = _from_a_part(problem)
        if found is not None:
            return found, size
    found, _, size = _newton(problem, _constant(problem))
    return found, size


def _fit_from_means(problem):
    """The same in coordinates x - m, where a free constant column takes what is left; at last by rows."""
    X, _, _, lam = problem
    origin = moments.origin(X, free=lam == 0)
    centred = problem._replace(X=X - origin.m)
    found, size = (None, 0.0) if origin.one is None else _fit(centred)
    if found is None:
        found, _, size = _newton(centred, _constant(problem), last_resort=True)
    return None if found is None else replace(found, w=origin.back(found.w, X)), size


def _constant(problem):
    """The best w of which only a free bias is not 0: a'(η) is the mean of T. Or 0."""
    X, T, family, lam = problem
    w = np.zeros((X.shape[1], *T.shape[1:]))
    one = moments.origin(X, free=lam == 0).one
    if one is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            eta = (family.link or family.eta)(T.mean(axis=0))
        if np.isfinite(eta).all():
            w[one] = eta / X[0, one]
    return w


@np.errstate(over="ignore", invalid="ignore")  # a step too long; it is halved
def _newton(problem, w, enough=0.0, last_resort=False):
    """Newton's method, each step halved until the loss falls: what it found, the last Hessian, the largest |w·x|.

    It ends where a step changes no w·x by more than 1e-8 of the largest, or than `enough`. After a step of at
    most 1e-5 the next takes the Hessian it has, which would hardly differ. last_resort: steps by rows where w is a
    vector, and what was found before the Hessian became singular.
    """
    X, T, family, lam = problem
    eta, k, near = natural(w, X), 0, False
    E = E_0 = negative_log_likelihood(eta, T, family) + penalty(w, lam)
    if not np.isfinite(E):
        raise ValueError(f"the loss is {E} at the start; give glm.irls_iterates a start w at which it is finite")
    for k in range(1, MOST_STEPS + 1):
        g = (residual(eta, T, family).T @ X).T + shrinkage(w, lam)
        if not near:
            H = hessian(eta, problem)
        if k == 1:
            require_independent(problem, H)
        by_rows = last_resort and T.ndim == 1
        step = _newton_step_by_rows(X, family.variance(eta), lam, g) if by_rows else _newton_step(H, g)
        if step is None:
            singular = Fit(w, k - 1, False, f"after {_steps(k - 1)} the Hessian is singular to rounding")
            return singular if last_resort and k > 1 else None, H, np.abs(eta).max()
        delta = natural(step, X)
        fall, change, size = -np.vdot(g, step), np.abs(delta).max(), np.abs(eta + delta).max()
        if change <= max(enough, 1e-8 * max(size, 1)):
            return Fit(w + step, k, True, f"the last step changed no w·x by more than {change:.3g}"), H, size
        if fall <= EPS * (abs(E) + abs(E_0)) and change > 0.1 * max(1, 1e-6 * size):
            break
        rounding = 4 * EPS * (abs(E) + np.vdot(np.abs(eta).T, T.T))  # of Σ a(η) - Σ η·T, which may cancel
        tau, E = optimize.halved(_loss_along(problem, w, eta, step, delta), E, fall, rounding, least=1e-15)
        if tau == 0:
            break
        w, eta, near = w + tau * step, eta + tau * delta, change <= 1e-5 * max(size, 1)
    return Fit(w, k, False, f"after {_steps(k)} another would still change a w·x by {change:.3g}"), H, size


def _loss_along(problem, w, eta, step, delta):
    """τ to E(w + τ step), η + τ delta there: no product with X."""
    _, T, family, lam = problem
    return lambda tau: negative_log_likelihood(eta + tau * delta, T, family) + penalty(w + tau * step, lam)


@np.errstate(over="ignore", invalid="ignore")  # where the part misleads; `fall` tells
def _from_a_part(problem):
    """Newton's method on some samples; from there, with their Hessian, by exact gradients of all samples.

    The part decides how many passes it takes, not where they end: E is convex, so its slope along a step tells that the
    step was good, without E. A step after which it is steeper uphill than downhill before ends instead where the slope,
    were it a straight line, is 0. Also gives the largest |w·x|. (None, 0) where the part misleads, or where they do not
    end at a minimum.
    """
    N, nothing = len(problem.X), (None, 0.0)
    w, B, steps = _newton_on_a_part(problem)
    if B is None:
        return nothing
    g = gradient(w, problem)
    for k in range(1, MOST_STEPS + 1):
        step = -(B @ g.ravel()).reshape(w.shape)
        fall, before = -np.vdot(g, step), g
        if fall <= 1e-14 * N:  # Σ_n r_n (x_n·step)²; what this step leaves is smaller still
            w = w + step
            E, change, size = _at_the_end(w, step, problem)
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


def _newton_on_a_part(problem):
    """Newton's method on few samples, then one step on more: w, their H⁻¹ as if they were all N, and how many steps.

    More, if the few are not as many: such that their Hessian costs about what one gradient of all samples does. None
    for H⁻¹ where H is singular to rounding.
    """
    X, T, family, lam = problem
    (N, d), w = X.shape, _constant(problem)
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
    H = hessian(natural(w, part.X), part)
    step = _newton_step(H, gradient(w, part))
    return (w, None, k) if step is None else (w + step, np.linalg.inv(H * (N / more)), k + 1)


def _at_the_end(w, step, problem):
    """E(w), and the largest |x·step| and |x·w|, in one pass over X."""
    X, T, family, lam = problem
    E, change, size = penalty(w, lam), 0.0, 0.0
    for rows in _blocks(problem):
        eta, delta = natural(w, X[rows]), natural(step, X[rows])
        E = E + negative_log_likelihood(eta, T[rows], family)
        change, size = max(change, np.abs(delta).max()), max(size, np.abs(eta).max())
    return E, change, size


def _newton_step(H, g):
    """-H⁻¹g by columns of unit length; None where H is singular to rounding."""
    s, L = cholesky.unit_cholesky(H)
    if L is None or L.diagonal().min() < 1e-7:
        return None
    return -(np.linalg.solve(H / (s[:, None] * s), g.ravel() / s) / s).reshape(g.shape)


def _newton_step_by_rows(X, r, lam, g):
    """-H⁻¹g from H = AᵀA, A the rows √r_n x_n and √λ I: QR keeps the digits that forming H would lose."""
    A = np.concatenate([X * np.sqrt(r)[:, None], np.diag(np.sqrt(lam))])
    A = A[np.argsort(-np.abs(A).max(axis=1))]  # the longest rows first: QR would lose short ones above them
    A, s = units.unit_columns(A)
    _, R = np.linalg.qr(A)
    if len(R) < len(g) or np.linalg.svd(R, compute_uv=False)[-1] < 1e-12:
        return None
    return -np.linalg.solve(R, np.linalg.solve(R.T, g / s)) / s


def _no_minimum(found, problem):
    why = {"bernoulli": "the classes are separable", "categorical": "a class is separable", "poisson": "zero counts"}
    reason = why.get(problem.family.name, "as X and y are")
    if problem.T.min() == problem.T.max():
        reason = f"only {problem.T.flat[0]:g} was observed"
    elif problem.T.ndim == 2 and not problem.T.any(axis=0).all():
        reason = f"class {np.flatnonzero(~problem.T.any(axis=0))[0]} has no sample"
    return (
        f"no finite minimum: along `direction` the loss falls for ever ({reason}); stopped after "
        f"{_steps(found.n_iter)}; a penalty lam > 0 on the columns it uses gives one"
    )


def _steps(n):
    return f"{n} step{'s' * (n != 1)}"

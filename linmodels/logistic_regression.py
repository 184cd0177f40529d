"""Logistic regression (对数几率回归; chapter 04; notes A 3.1-3.2, C 1, C 3.1, D 2).

X (N, d) is the design matrix, t (N,) holds 0 and 1, w (d,) the weights, a = Xw the log odds, p (N,) the posteriors.
λ >= 0 is the penalty, one number or one per column (`design.free_bias` leaves the bias free). `glm.gradient` and
`glm.hessian` are the general form of the derivatives; here they are printed for the Bernoulli family.
"""

import numpy as np

from . import optimize
from .guards import checks
from .guards.shapes import takes
from .solvers import families, likelihood_l1
from .solvers.likelihood import Problem, maximize, require_newton_step
from .special import logit, sigmoid, sigmoid_derivative, sign, soft_threshold, softplus


@takes(a="... any")
def unit_step(a):
    """0, 1/2, 1 for a < 0, a = 0, a > 0: right without noise; σ is its smooth substitute  [A-3.1-4; erratum A59].

    >>> unit_step([-2, 0, 3])
    array([0. , 0.5, 1. ])
    """
    return (1 + np.sign(a)) / 2


@takes(w="d", X="N? d")
def log_odds(w, X):
    """a = w·x = ln p(t = 1|x)/p(t = 0|x)  [A-3.1-7, A-3.1-9, A-3.1-10, C-3.1-5, D-2-7].

    >>> log_odds([2, 1], [[3, 1], [5, 1]])
    array([ 7., 11.])
    """
    return X @ w


@takes(w="d", X="N? d", infinite=True)
def odds(w, X):
    """p(t = 1|x)/p(t = 0|x) = eᵃ  [A-3.1-8].

    >>> odds([np.log(3)], [[1], [2]]).round(3)
    array([3., 9.])
    """
    return np.exp(X @ w)


@takes(w="d", X="N? d")
def posterior(w, X):
    """p(t = 1|x) = σ(w·x) = eᵃ/(1 + eᵃ)
    [A-2.3.2-3, A-3.1-6, A-3.2-3, A-3.2-9, C-1-8, C-3.1-6, C-3.1-8, D-2-5, D-2-6, D-2-13].

    >>> posterior([np.log(3)], [[1], [2]]).round(3)  # 3/(1 + 3), 9/(1 + 9)
    array([0.75, 0.9 ])
    """
    return sigmoid(X @ w)


@takes(w="d", X="N? d", threshold="number share")
def predict(w, X, threshold=0.5):
    """1 where p(t = 1|x) >= threshold, else 0: where a >= ln(threshold/(1 - threshold))  [C-1-11, C-3.1-7].

    For 1/2 that is where a >= 0: `sign` is 1 at 0. Another p that equals the threshold may be rounded to either side.

    >>> predict([1, -2], [[3, 1], [1, 1]])  # a = 1, -1
    array([1., 0.])
    """
    return (1 + sign(X @ w - logit(threshold))) / 2


@takes(w="d", X="N d", t="N bits")
def likelihood(w, X, t):
    """p(t|w) = Π_n p_n^t_n (1 - p_n)^(1 - t_n); with many samples it underflows  [A-3.2-4, C-3.1-9].

    >>> print(likelihood([np.log(3)], [[1], [-1]], [1, 0]).round(4))  # 3/4 · (1 - 1/4)
    0.5625
    """
    p = sigmoid(X @ w)
    return np.prod(p**t * (1 - p) ** (1 - t))


@takes(w="d", X="N d", t="N bits")
def log_likelihood(w, X, t):
    """L(w) = Σ_n [t_n a_n - ln(1 + e^a_n)], never the ln of a p rounded to 0  [A-3.2-5, A-3.2-6, A-3.2-7].

    >>> print(log_likelihood([np.log(3)], [[1], [-1]], [1, 0]).round(3))  # 2 ln 3/4
    -0.575
    """
    a = X @ w
    return np.sum(t * a - softplus(a))


@takes(w="d", lam="number or d", q="number")
def penalty(w, lam, q):
    """λ/2 Σ_j |w_j|^q, convex for q >= 1; one λ per column leaves a bias free  [C-3.1-23; index: erratum C10].

    >>> print(penalty([3, -4], 2, 1), penalty([3, -4], 2, 2))
    7.0 25.0
    """
    return np.sum(lam * np.abs(w) ** q) / 2


@takes(w="d", X="N d", t="N bits", lam="number or d")
def loss(w, X, t, lam=0.0):
    """E(w) = -Σ_n {t_n ln p_n + (1 - t_n) ln(1 - p_n)} + λ/2 w·w  [C-3.1-10, C-3.1-22; D-2-9 is its mean E/N].

    >>> print(loss([0], [[1], [3]], [0, 1]).round(3))  # 2 ln 2
    1.386
    """
    return -log_likelihood(w, X, t) + np.sum(lam * w * w) / 2


@takes(w="d", X="N d", t="N bits", lam="number or d")
def gradient(w, X, t, lam=0.0):
    """∇E(w) = Σ_n (p_n - t_n) x_n + λw = Xᵀ(p - t) + λw  [C-3.1-11, C-3.1-12, C-3.1-16, D-2-10; sign: erratum D16].

    >>> gradient([0], [[1], [3]], [0, 1])  # 1/2 · 1 - 1/2 · 3
    array([-1.])
    """
    return X.T @ (sigmoid(X @ w) - t) + lam * w


@takes(w="d", X="N d", lam="number or d")
def hessian(w, X, lam=0.0):
    """∇²E(w) = Σ_n p_n(1 - p_n) x_n x_nᵀ + λI = XᵀRX + λI; t does not enter  [C-3.1-17].

    >>> hessian([0], [[1], [3]])  # (1 + 9)/4
    array([[2.5]])
    """
    r = sigmoid_derivative(X @ w)
    return (X.T * r) @ X + lam * np.eye(X.shape[1])


@takes(w="d", X="N d", t="N bits", infinite=True)
def working_response(w, X, t):
    """z = Xw - R⁻¹(p - t), that is a + 1/p for t = 1 and a - 1/(1 - p) for t = 0  [C-3.1-20; erratum C08].

    Both are a + s/σ(sa), s = 2t - 1. z is infinite where the probability of the label rounds to 0.

    >>> working_response([0], [[1], [3]], [0, 1])  # 0 - 1/(1/2), 0 + 1/(1/2)
    array([-2.,  2.])
    """
    a, s = X @ w, 2 * t - 1
    return a + s / sigmoid(s * a)


@takes(w="d", X="N d", t="N bits", lam="number or d")
def newton_step(w, X, t, lam=0.0):
    """w ← w - H⁻¹∇E(w), H = XᵀRX + λI  [C-3.1-15].

    Raises LinAlgError where H is singular, unless rounding hides it: `fit` refuses dependent columns.

    >>> newton_step([0], [[1], [3]], [0, 1]).round(3)  # 0 - (-1)/2.5
    array([0.4])
    """
    return w - np.linalg.solve(hessian(w, X, lam), gradient(w, X, t, lam))


@takes(w="d", X="N d", t="N bits", lam="number or d")
def irls_step(w, X, t, lam=0.0):
    """w ← (XᵀRX + λI)⁻¹XᵀRz, least squares of z weighted by R: `newton_step`, written otherwise
    [C-3.1-19, C-3.1-21].

    R⁻¹, which z holds, is never formed: Rz = Ra - (p - t). It keeps more digits where a p is near its t = 1. Raises
    LinAlgError as `newton_step` does.

    >>> irls_step([0], [[1], [3]], [0, 1]).round(3)  # the same as `newton_step`
    array([0.4])
    """
    a, s = X @ w, 2 * t - 1
    Rz = sigmoid_derivative(a) * a + s * sigmoid(-s * a)  # t - p = s σ(-sa): 1 - p would lose the digits of a p near 1
    return np.linalg.solve(hessian(w, X, lam), X.T @ Rz)


@takes(X="N d", lam="penalty", together=checks.curved)
def largest_step(X, lam=0.0):
    """2/(μ/4 + max λ), μ the largest eigenvalue of XᵀX: a shorter step lowers E, for no p(1 - p) is above 1/4.

    >>> print(largest_step([[2, 0], [0, 1]]).round(3))  # 2/(4/4)
    2.0
    """
    return 2 / (np.linalg.eigvalsh(X.T @ X)[-1] / 4 + np.max(lam))


@takes(X="N d", t="N bits", lam="penalty", eta="number positive", w="d or None")
def gradient_iterates(X, t, lam=0.0, *, eta, w=None):
    """w ← w - η ∇E(w), from w = 0 unless given  [A-3.2-10, D-2-11, whose α is ηN: its risk is a mean].

    This is gradient descent. lam is in the units of X². Below `largest_step` each step lowers E. Yields
    optimize.Iterate(w, ∇E(w)) without end.

    >>> optimize.trajectory(gradient_iterates([[1], [3]], [0, 1], eta=0.5), 1).ravel()
    array([0. , 0.5])
    """
    w = np.zeros(X.shape[1]) if w is None else w
    return optimize.gradient_descent(lambda w: gradient(w, X, t, lam), w, eta=eta)


@takes(X="N d", t="N bits", lam="penalty", eta="schedule", batch="count", rng="rng", w="d or None")
def stochastic_iterates(X, t, lam=0.0, *, eta, batch=1, rng, w=None):
    """w ← w - η Σ_{n in I} (p_n - t_n) x_n, from w = 0 unless given  [C-3.1-13, C-3.1-14].

    A step takes `batch` samples I, the last one of an epoch those that are left. lam is shared out among the samples.
    eta is a number or a function of the step's number k. rng shuffles each epoch.
    Yields optimize.Iterate(w, None) without end.
    """
    w = np.zeros(X.shape[1]) if w is None else w
    share = lam / len(X)  # of the penalty, for each sample
    return optimize.stochastic_gradient_descent(
        lambda w, I: gradient(w, X[I], t[I], share * len(I)), w, len(X), eta=eta, batch=batch, rng=rng
    )


@takes(X="N d", t="N bits", lam="penalty", w="d or None", together=require_newton_step)
def newton_iterates(X, t, lam=0.0, *, w=None):
    """w ← w - τ H⁻¹∇E(w), a `newton_step` for τ = 1; τ is halved until E falls  [C-3.1-15; erratum C08].

    lam is in the units of X². It starts at w = 0 unless given. Yields optimize.Iterate(w, ∇E(w)); ends as
    `optimize.damped` does. Raises LinAlgError where columns without penalty are dependent.

    >>> optimize.trajectory(newton_iterates([[1], [3]], [0, 1]), 1).ravel().round(3)
    array([0. , 0.4])
    """
    return optimize.newton(
        loss=lambda w: loss(w, X, t, lam),
        gradient=lambda w: gradient(w, X, t, lam),
        hessian=lambda w: hessian(w, X, lam),
        w=np.zeros(X.shape[1]) if w is None else w,
    )


@takes(X="N d", t="N bits", lam="penalty", w="d or None")
def bfgs_iterates(X, t, lam=0.0, *, w=None):
    """w ← w - τ B ∇E(w), B learned from gradients: the quasi-Newton method the notes name  [A-3.2-10].

    lam is in the units of X². It starts at w = 0 unless given. Yields optimize.Iterate(w, ∇E(w)); ends as
    `optimize.damped` does.

    >>> optimize.trajectory(bfgs_iterates([[1], [3]], [0, 1]), 1).ravel()  # B = I at first
    array([0., 1.])
    """
    w = np.zeros(X.shape[1]) if w is None else w
    return optimize.bfgs(lambda w: loss(w, X, t, lam), lambda w: gradient(w, X, t, lam), w)


@takes(X="N d", t="N bits", lam="penalty")
def fit(X, t, lam=0.0):
    """w* = arg min_w E(w) = arg max_w L(w) - λ/2 w·w, the end of `newton_iterates`  [A-3.2-8, C-3.1-18, C-3.1-22].

    lam is in the units of X². It acts on every column, the bias too, unless `design.free_bias` spares that. Gives a
    `solvers.likelihood.Fit` (w, n_iter, converged, reason, direction). converged means that the last step changed no
    w·x by more than 1e-8 of the largest, or of 1. For many samples 1e-7 is enough. A twin serves many samples: a part
    of them tells where to begin, and each step costs a gradient. Without a penalty no w is best on separable data:
    converged is False then, and `direction` proves it. Raises LinAlgError where columns without penalty are dependent.
    Where these columns, at length 1, have a condition number above 1e9, rounding decides on converged, and so may the
    layout in memory.

    >>> found = fit([[1], [1], [1], [1]], [1, 1, 1, 0])
    >>> found.w.round(3), found.converged  # ln 3, the log odds of 3 to 1
    (array([1.099]), True)
    """
    return maximize(Problem(X, t, families.BERNOULLI, lam), lambda p, w: newton_iterates(p.X, p.targets, p.lam, w=w))


@takes(w="d", X="N d", t="N bits", lam="penalty")
def l1_optimality(w, X, t, lam):
    """max_j of the distance from 0 to the subgradient of E(w) + λ‖w‖₁: |g_j + λ sign w_j|, or max(|g_j| - λ, 0) where
    w_j = 0; g = Xᵀ(p - t). It is 0 exactly at a minimum.

    lam is in the units of X.

    >>> print(l1_optimality([0], [[1], [3]], [0, 1], 1 / 4))  # |-1| - 1/4
    0.75
    """
    g = gradient(w, X, t)
    shortest_subgradient = np.where(w != 0, g + lam * np.sign(w), soft_threshold(g, lam))
    return np.max(np.abs(shortest_subgradient))


@takes(X="N d", t="N bits", lam="penalty")
def fit_l1(X, t, lam):
    """arg min_w E(w) + λ‖w‖₁, exactly, with true zeros: q = 1 in the general penalty, which has λ/2  [C-3.1-23].

    lam is in the units of X. Each Newton step is a lasso of the working response, weighted by R, and halved until the
    loss falls. Gives a `solvers.likelihood.Fit` (w, n_iter, converged, reason, direction). converged means that the
    last step changed no w·x by more than 1e-8 of the largest, or of 1. Where no w is best, `direction` proves it. Of
    dependent columns not all are used.

    >>> found = fit_l1([[1], [1], [1], [1]], [1, 1, 1, 0], 1 / 3)
    >>> found.w.round(3), found.converged  # ln 2, for 4 σ(ln 2) - 3 + 1/3 = 0
    (array([0.693]), True)
    """
    return likelihood_l1.fit(Problem(X, t, families.BERNOULLI, lam))

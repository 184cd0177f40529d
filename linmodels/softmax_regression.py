"""Softmax regression (多类逻辑回归, Softmax回归; chapter 05; notes A 3.3, C 3.2, D 3).

X (N, d) is the design matrix, T (N, K) the classes one-hot, W (d, K) one column of weights per class, A = XW (N, K) the
scores, P (N, K) the posteriors. λ >= 0 is the penalty, one number or one per row of W (`design.free_bias`).
`glm.gradient` and `glm.hessian` are the general form of the derivatives; here every class has a column of its own.
"""

from dataclasses import dataclass

import numpy as np

from . import optimize
from .guards import checks
from .guards.shapes import takes
from .solvers import families
from .solvers.likelihood import Problem, maximize, require_newton_step
from .special import logsumexp, softmax


@dataclass(frozen=True)
class Fit:
    """Weights W (d, K) of largest likelihood. Where there are none, along `direction` the loss falls forever."""

    W: np.ndarray
    n_iter: int
    converged: bool
    reason: str
    direction: np.ndarray | None = None


@takes(W="d K", X="N? d")
def scores(W, X):
    """a_k = w_k·x: one score per class; z = Wᵀx in note D  [C-3.2-2, D-3-14].

    >>> scores([[1, 0], [0, 2]], [[3, 4]])
    array([[3., 8.]])
    """
    return X @ W


@takes(W="d K", X="N? d")
def posterior(W, X):
    """p(C_k|x) = exp(a_k)/Σ_j exp(a_j), rows of sum 1  [C-1-8, C-3.2-1, C-3.2-4, D-3-3].

    >>> posterior(np.log([[1, 2, 5]]), [[1]]).round(3)
    array([[0.125, 0.25 , 0.625]])
    """
    return softmax(X @ W)


@takes(W="d K", X="N d")
def predict(W, X):
    """arg max_k p(C_k|x) = arg max_k w_k·x, the class number 0..K-1  [D-3-4].

    >>> predict([[1, 0], [0, 2]], [[3, 4], [3, 1]])  # the scores are 3, 8 and 3, 2
    array([1, 0])
    """
    return np.argmax(X @ W, axis=1)


@takes(p="K or N K")
def jacobian(p):
    """∂p_k/∂a_j = p_k(I_kj - p_j), the matrix diag(p) - ppᵀ  [C-3.2-3, D-3-2, D-3-8; off the diagonal: erratum D19].

    Of P it gives one such matrix per row.

    >>> jacobian([0.25, 0.75])
    array([[ 0.1875, -0.1875],
           [-0.1875,  0.1875]])
    """
    return p[..., :, None] * (np.eye(p.shape[-1]) - p[..., None, :])


@takes(x="d", c="whole")
def score_jacobian(x, c, K):
    """∂a/∂w_c = M_c(x) = [0, ..., x, ..., 0] (d, K), a = Wᵀx: x in column c of 0..K-1  [D-3-9; layout: erratum D24].

    >>> score_jacobian([3, 4], 1, 3)
    array([[0., 3., 0.],
           [0., 4., 0.]])
    """
    return np.outer(x, np.eye(K)[c])


@takes(W="d K", X="N d", T="N K onehot")
def likelihood(W, X, T):
    """p(T|W) = Π_n Π_k p_nk^t_nk  [C-3.2-5].

    >>> print(likelihood([[0, 0]], [[1], [3]], [[1, 0], [0, 1]]))  # 1/2 · 1/2
    0.25
    """
    return np.prod(softmax(X @ W) ** T)


@takes(W="d K", X="N d", T="N K onehot", lam="number or d")
def loss(W, X, T, lam=0.0):
    """E(W) = -Σ_n Σ_k t_nk ln p_nk + λ/2 Σ_k ‖w_k‖²  [C-3.2-6, C-3.2-7; D-3-6 is its mean E/N].

    >>> print(loss([[0, 0]], [[1], [3]], [[1, 0], [0, 1]]).round(3))  # 2 ln 2
    1.386
    """
    A = X @ W
    return np.sum(logsumexp(A) - np.sum(T * A, axis=1)) + np.sum(lam * (W * W).T) / 2  # row j of W with λ_j


@takes(W="d K", X="N d", T="N K onehot", lam="number or d")
def gradient(W, X, T, lam=0.0):
    """∇E(W) = Σ_n x_n (p_n - t_n)ᵀ + λW = Xᵀ(P - T) + λW  [C-3.2-8, C-3.2-9, D-3-7, D-3-10, D-3-11, A-3.3-2].

    >>> gradient(np.log([[1, 2, 5]]), [[1]], [[0, 0, 1]]).round(3)  # (1, 2, 5)/8 - (0, 0, 1)
    array([[ 0.125,  0.25 , -0.375]])
    """
    return X.T @ (softmax(X @ W) - T) + (lam * W.T).T  # row j of W times λ_j


@takes(W="d K", X="N d", lam="number or d")
def hessian(W, X, lam=0.0):
    """∂²E/∂w_k∂w_l = Σ_n p_nk(I_kl - p_nl) x_n x_nᵀ + λ I_kl I, in the order of W.ravel(): (dK, dK).

    >>> hessian([[0, 0]], [[2]])  # 1/4 · 2²
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    d, K = W.shape
    H = np.einsum("ni,nkl,nj->ikjl", X, jacobian(softmax(X @ W)), X, optimize=True)
    return H.reshape(d * K, d * K) + np.kron(lam * np.eye(d), np.eye(K))


@takes(W="d K", X="N d", T="N K onehot", lam="number or d")
def newton_step(W, X, T, lam=0.0):
    """W ← W - H⁺∇E(W), a whole Newton step, where the columns of X are independent or λ > 0.

    The posteriors stay where one vector is added to all columns of W. Without λ, H and ∇E do not see such a shift, H is
    singular, and this is the shortest of the steps that it allows. If the columns of X are dependent, too, LinAlgError
    is raised, or rounding hides it and the step is one of many: `fit` refuses such an X.

    >>> newton_step([[0, 0]], [[2]], [[1, 0]]).round(3)  # ∇E = (-1, 1), H = (1, -1; -1, 1)
    array([[ 0.5, -0.5]])
    """
    # without λ, one vector added to all columns changes no posterior: it is in the null space of H, and ∇E is not
    d, K = W.shape
    unseen = np.kron(np.diag((lam == 0) * np.sum(X * X, axis=0)), np.ones((K, K)) / K**2)
    H = hessian(W, X, lam) + unseen  # H is regular now; the step is the same for any multiple of what was added
    return W - optimize.solve_scaled(H, gradient(W, X, T, lam).ravel()).reshape(d, K)


@takes(V="d m", X="N? d")
def reference_posterior(V, X):
    """exp(v_k·x)/(1 + Σ_{j<K} exp(v_j·x)) for k < K, 1/(1 + Σ_{j<K} exp(v_j·x)) for the last class  [A-3.3-1].

    V (d, K - 1) has no column for the last class, the reference: its score is 0.

    >>> reference_posterior(np.log([[1 / 5, 2 / 5]]), [[1]]).round(3)
    array([[0.125, 0.25 , 0.625]])
    """
    return softmax(X @ from_reference(V))


@takes(W="d K")
def to_reference(W):
    """v_k = w_k - w_K for k < K: from K columns to K - 1, the same posteriors  [A-3.3-1; erratum C12].

    >>> to_reference([[1, 2, 5]])
    array([[-4., -3.]])
    """
    return W[:, :-1] - W[:, -1:]


@takes(V="d m")
def from_reference(V):
    """w_k = v_k for k < K, w_K = 0: from K - 1 columns to K, the same posteriors  [A-3.3-1; erratum C12].

    >>> from_reference([[-4, -3]])
    array([[-4., -3.,  0.]])
    """
    return np.column_stack([V, np.zeros(len(V))])


@takes(W="d K or K")
def centered(W):
    """W less the mean of its columns: the shortest of all W with these posteriors.

    >>> centered([[1, 2, 6]])
    array([[-2., -1.,  3.]])
    """
    return W - np.mean(W, axis=-1, keepdims=True)


centred = centered  # its name in the editions before; it goes with the next one


@takes(W="d 2")
def two_class_weights(W):
    """w = w_1 - w_0: of two classes, p(C_1|x) = σ(w·x)  [D-3-13].

    >>> two_class_weights([[1, 4], [5, 3]])
    array([ 3., -2.])
    """
    return W[:, 1] - W[:, 0]


@takes(X="N d", lam="penalty", together=checks.curved)
def largest_step(X, lam=0.0):
    """2/(μ/2 + max λ), μ the largest eigenvalue of XᵀX: a shorter step lowers E, for diag(p) - ppᵀ never exceeds 1/2.

    >>> print(largest_step([[2, 0], [0, 1]]).round(3))  # 2/(4/2)
    1.0
    """
    return 2 / (np.linalg.eigvalsh(X.T @ X)[-1] / 2 + np.max(lam))


@takes(X="N d", T="N K onehot", lam="penalty", eta="number positive", W="d K or None")
def gradient_iterates(X, T, lam=0.0, *, eta, W=None):
    """W ← W - η ∇E(W), from W = 0 unless given  [D-3-12, whose α is ηN: its risk is a mean].

    This is gradient descent. lam is in the units of X². Below `largest_step` each step lowers E. Yields
    optimize.Iterate(W, ∇E(W)) without end.

    >>> optimize.trajectory(gradient_iterates([[2]], [[1, 0]], eta=0.5), 1)[1]  # 0 - 0.5 (-1, 1)
    array([[ 0.5, -0.5]])
    """
    W = np.zeros((X.shape[1], T.shape[1])) if W is None else W
    return optimize.gradient_descent(lambda W: gradient(W, X, T, lam), W, eta=eta)


@takes(X="N d", T="N K onehot", lam="penalty", eta="schedule", batch="count", rng="rng",
       W="d K or None")  # fmt: skip
def stochastic_iterates(X, T, lam=0.0, *, eta, batch=1, rng, W=None):
    """w_j ← w_j - η Σ_{n in I} (p_nj - t_nj) x_n for all j at once, with the p_n of the old W  [C-3.2-10; erratum C13].

    lam is shared out among the samples. A step takes `batch` samples I, the last one of an epoch those that are left.
    eta is a number or a function of the step's number k. rng shuffles each epoch. Yields optimize.Iterate(W, None)
    without end.
    """
    W, N = np.zeros((X.shape[1], T.shape[1])) if W is None else W, len(X)
    return optimize.stochastic_gradient_descent(
        lambda W, I: gradient(W, X[I], T[I], lam * len(I) / N), W, N, eta=eta, batch=batch, rng=rng
    )


@takes(X="N d", T="N K onehot", lam="penalty", W="d K or None", together=require_newton_step)
def newton_iterates(X, T, lam=0.0, *, W=None):
    """W ← W + τ S, S = `newton_step` - W = -H⁺∇E(W), τ halved from 1 until E falls.

    lam is in the units of X². It starts at W = 0 unless given. Yields optimize.Iterate(W, ∇E(W)); ends as
    `optimize.damped` does. Raises LinAlgError where columns without penalty are dependent.

    >>> optimize.trajectory(newton_iterates([[1], [1], [1]], [[1, 0], [1, 0], [0, 1]]), 1)[1].round(3)
    array([[ 0.333, -0.333]])
    """
    return optimize.damped(
        loss=lambda W: loss(W, X, T, lam),
        gradient=lambda W: gradient(W, X, T, lam),
        step=lambda W, g: newton_step(W, X, T, lam) - W,
        w=np.zeros((X.shape[1], T.shape[1])) if W is None else W,
    )


@takes(X="N d", T="N K onehot", lam="penalty")
def fit(X, T, lam=0.0):
    """arg min_W E(W), the end of `newton_iterates`; of all W with the same posteriors the shortest, Σ_k w_k = 0.

    `design.one_hot` makes T of class numbers. lam is in the units of X². It acts on every row of W, the biases too,
    unless `design.free_bias` spares them. Gives a `Fit`. converged means that the last step changed no score by more
    than 1e-8 of the largest, or of 1. For many samples 1e-7 is enough. The Hessian is a twin, one product for all
    classes. Many samples begin where a part of them ends, and each step costs a gradient. Without a
    penalty no W is best where a class is separable: converged is False then, and `direction` proves it. With or without
    one, the same happens where a class has no sample and the columns without penalty have a direction along which all
    samples are positive, such as a column of ones. Raises LinAlgError where columns without penalty are dependent.

    >>> found = fit([[1], [1], [1], [1]], [[1, 0], [1, 0], [1, 0], [0, 1]])
    >>> found.W.round(3), found.converged  # (ln 3)/2 and its negative: odds of 3 to 1
    (array([[ 0.549, -0.549]]), True)
    """
    found = maximize(Problem(X, T, families.ALL_CLASSES, lam))
    direction = None if found.direction is None else centered(found.direction)
    return Fit(centered(found.w), found.n_iter, found.converged, found.reason, direction)

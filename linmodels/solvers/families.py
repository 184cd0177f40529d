"""What the likelihood solver asks of an exponential family (the solver of chapters 03-05).

η (N,) or (N, m) are natural parameters and T (N,) or (N, m) the statistics T(y) of what was observed, one row per
sample. The functions here keep digits that the printed forms in `glm` lose by cancellation, or take less time.
"""

from collections.abc import Callable
from math import lgamma
from typing import NamedTuple

import numpy as np

from ..guards.shapes import unchecked
from ..special import logit, logsumexp, sigmoid, sigmoid_derivative, softmax, softplus
from . import moments


class Likelihood(NamedTuple):
    """a(η), a'(η) and a''(η) of -ln p = a(η) - η·T - ln b. The other fields may stay None.

    gram(X, η) is Σ_n x_n x_nᵀ ⊗ a''(η_n), without the matrices a''(η_n). residual(η, T) is a'(η) - T, without
    cancellation. recession(X, T) gives rows z: the loss never rises along d if z·d >= 0 for all of them. link is the
    inverse of a'. separated says in words what data without a minimum have. quadratic: a' is linear.
    """

    a: Callable
    mean: Callable
    variance: Callable
    gram: Callable | None = None
    residual: Callable | None = None
    recession: Callable | None = None
    link: Callable | None = None
    separated: str = "as X and y are"
    quadratic: bool = False


def bit_residual(eta, T):
    """σ(η) - T = -sσ(-sη) = -s/(1 + e^sη), s = 2T - 1: 1 - p would lose what is left of a p near 1."""
    s = 2 * T - 1
    with np.errstate(over="ignore"):  # beyond 709, where the quotient is 0
        return -s / (1 + np.exp(s * eta))


def class_residual(P, T):
    """P - T, T one-hot. The own class gets minus the sum of the others: 1 - p would lose what is left of p."""
    R = P - T * P
    R -= T * R.sum(axis=1, keepdims=True)
    return R


def class_variance(P):
    """diag(p_n) - p_n p_nᵀ for each row p_n of P."""
    return P[..., :, None] * (np.eye(P.shape[-1]) - P[..., None, :])


def rivals(X, T):
    """Rows x ⊗ (e_t - e_k) for the class t of each sample x and every other class k: (N(K - 1), d, K), T one-hot."""
    against = T[:, None, :] - np.eye(T.shape[1])
    return (X[:, None, :, None] * against[:, :, None, :])[T == 0]


def centered_gram(X, P):
    """Σ_n x_n x_nᵀ ⊗ (diag p_n - p_n p_nᵀ), and 11ᵀ where neither that nor a gradient reaches: no step feels it.

    It is as large as the rest: beside a larger one, posteriors near 0 and 1 would leave the rest no digit.
    """
    H = moments.class_gram(X, P)
    same_column = np.einsum("ikil->ikl", H)  # a view of H
    same_column += same_column.trace(axis1=1, axis2=2)[:, None, None] / P.shape[1] ** 2
    return H


def log_factorial(y):
    """ln y!, and ∞ for what is no count, which has probability 0."""
    y = np.asarray(y, float)
    counts = (y >= 0) & (y == np.round(y))
    return np.where(counts, np.vectorize(lgamma, otypes=[float])(np.where(counts, y, 0) + 1), np.inf)


def with_reference(eta):
    """The score 0 of the reference class after those of the others."""
    return np.concatenate([eta, np.zeros((*eta.shape[:-1], 1))], axis=-1)


def all_classes(T):
    """One-hot rows of all K classes from the T(y) of K - 1."""
    return np.column_stack([T, 1 - T.sum(axis=1)])


def _log_shares(phi):
    """Scores of mean 0 whose softmax is φ."""
    scores = np.log(phi)
    return scores - scores.mean(axis=-1, keepdims=True)


BERNOULLI = Likelihood(
    a=unchecked(softplus),
    mean=unchecked(sigmoid),
    variance=unchecked(sigmoid_derivative),
    residual=bit_residual,
    recession=lambda X, T: (2 * T - 1)[:, None] * X,
    link=logit,
    separated="the classes are separable or touch",
)

POISSON = Likelihood(
    a=np.exp,
    mean=np.exp,
    variance=np.exp,
    recession=lambda X, T: np.concatenate([-X, X[T > 0]]),
    link=np.log,
    separated="zero counts",
)

CATEGORICAL = Likelihood(  # K - 1 scores; that of the last class is 0
    a=lambda eta: logsumexp(with_reference(eta)),
    mean=lambda eta: softmax(with_reference(eta))[..., :-1],
    variance=lambda eta: class_variance(softmax(with_reference(eta))[..., :-1]),
    gram=lambda X, eta: moments.class_gram(X, softmax(with_reference(eta)))[:, :-1, :, :-1],
    residual=lambda eta, T: class_residual(softmax(with_reference(eta)), all_classes(T))[:, :-1],
    recession=lambda X, T: rivals(X, all_classes(T))[:, :, :-1].reshape(-1, X.shape[1] * T.shape[1]),
    link=lambda m: np.log(m) - np.log(1 - np.sum(m, axis=-1, keepdims=True)),
    separated="a class is separable",
)

ALL_CLASSES = Likelihood(  # a score for each of the K classes; what all columns of w share changes nothing
    a=logsumexp,
    mean=softmax,
    variance=lambda A: class_variance(softmax(A)),
    gram=lambda X, A: centered_gram(X, softmax(A)),
    residual=lambda A, T: class_residual(softmax(A), T),
    recession=lambda X, T: rivals(X, T).reshape(-1, X.shape[1] * T.shape[1]),
    link=_log_shares,
    separated="a class is separable",
)

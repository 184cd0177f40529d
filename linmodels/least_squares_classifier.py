"""Least-squares classification (最小二乘分类; chapter 06; notes C 1, 2, 3.3).

X (N, d) is the design matrix, T (N, K) the classes in 1-of-K coding (`design.one_hot`), W (d, K) one column of weights
per class. m = y f is the margin of a sample: its score f times its label y of -1 or +1.
"""

import numpy as np

from .guards import checks
from .guards.shapes import takes
from .solvers import least_squares
from .special import sign, softplus


def fit(X, T):
    """W = X⁺T = (XᵀX)⁻¹XᵀT: each column of T regressed on X  [C-2-1].

    X (N, d), T (N, K) one-hot. Where columns of X are dependent, or N < d, the shortest of the many solutions.
    """
    X, T = checks.one_hot_labels(X, T)
    return least_squares.shortest(X, T)


@takes(W="d K", X="N? d")
def decision_function(W, X):
    """y_k(x) = w_k·x + w_k0, the ones of X being its last column; Σ_k y_k = 1 if columns are independent  [C-1-5]."""
    return X @ W


@takes(W="d K finite", X="N d finite")
def predict(W, X):
    """arg max_k y_k(x), the class number 0..K-1  [C-2-1]."""
    return np.argmax(X @ W, axis=1)


def fisher_targets(t):
    """N/N_0 for class 0, -N/N_1 for class 1: least squares of these gives w ∝ S_w⁻¹(μ_0 - μ_1)  (chapter 07).

    t (N,) of 0 and 1, both of them present.
    """
    t = checks.bits(t, "t")
    n = np.array([np.sum(t == 0), np.sum(t == 1)])
    if n.min() == 0:
        raise ValueError(f"t holds only {t[0]:g}; both classes, 0 and 1, are expected")
    return np.where(t == 0, len(t) / n[0], -len(t) / n[1])


@takes(m="...")
def squared_loss(m):
    """(1 - m)² = (y - f)², for y = ±1: it grows again where m > 1, the side that is right  [C-3.3-2]."""
    return (1 - m) ** 2


@takes(m="...")
def logistic_loss(m):
    """ln(1 + e⁻ᵐ) = -ln σ(m), what chapter 04 adds up  [C-3.3-2]."""
    return softplus(-m)


@takes(m="...")
def zero_one_loss(m):
    """1 for a mistake, m <= 0, else 0  [C-3.3-2]."""
    return (1 + sign(-m)) / 2

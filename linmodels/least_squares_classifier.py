"""Least-squares classification (最小二乘分类; chapter 06; notes C 1, 2, 3.3).

X (N, d) is the design matrix, T (N, K) the classes in 1-of-K coding (`design.one_hot`), W (d, K) one column of weights
per class. m = y f is the margin of a sample: its score f times its label y of -1 or +1.
"""

import numpy as np

from .guards.shapes import takes
from .solvers import least_squares
from .solvers.least_squares import svd
from .special import sign, softplus


@takes(X="N d", T="N K onehot")
def closed_form(X, T):
    """W = X⁺T, which is (XᵀX)⁻¹XᵀT where XᵀX has an inverse: each column of T is regressed on X  [C-2-1].

    X may have any rank. X = USVᵀ gives X⁺ = VS⁻¹Uᵀ. Where columns of X are dependent, or N < d, W is the shortest of
    the many solutions. Raises LinAlgError where rows or columns of X are so short beside others that the rank cannot be
    told.

    >>> closed_form([[0, 1], [1, 1], [2, 1]], [[1, 0], [0, 1], [0, 1]]).round(3)  # x/2 + 1/6 through 0, 1, 1
    array([[-0.5  ,  0.5  ],
           [ 0.833,  0.167]])
    """
    U, s, Vt = svd(X)  # X = USVᵀ, without the singular values that are 0
    return (Vt.T / s) @ (U.T @ T)


@takes(X="N d", T="N K onehot")
def fit(X, T):
    """arg min_W ‖XW - T‖², the W of `closed_form`; of many samples it is faster  [C-2-1].

    It solves the normal equations of all classes at once, and refines them. Where columns of X are dependent, or N < d,
    W is the shortest of the many solutions. Raises LinAlgError where their rank cannot be told.

    >>> W = fit([[0, 1], [1, 1], [2, 1]], [[1, 0], [0, 1], [0, 1]])
    >>> W.round(3)  # the line of class 1 is x/2 + 1/6, that of class 0 is 1 less it
    array([[-0.5  ,  0.5  ],
           [ 0.833,  0.167]])
    """
    return least_squares.shortest(X, T)


@takes(W="d K", X="N? d")
def decision_function(W, X):
    """a_k(x) = w_k·x, where X ends with a column of ones; Σ_k a_k = 1 if columns are independent  [C-1-5].

    >>> decision_function([[-1, 1], [1, 0]], [[0.25, 1]])
    array([[0.75, 0.25]])
    """
    return X @ W


@takes(W="d K", X="N d")
def predict(W, X):
    """arg max_k a_k(x), the class number 0..K-1  [C-2-1].

    >>> predict([[-1, 1], [1, 0]], [[0.25, 1], [2, 1]])  # the outputs are 3/4, 1/4 and -1, 2
    array([0, 1])
    """
    return np.argmax(X @ W, axis=1)


@takes(t="N binary")
def fisher_targets(t):
    """N/N_0 for class 0, -N/N_1 for class 1: least squares of these gives w ∝ S_w⁻¹(μ_0 - μ_1)  (chapter 07).

    >>> fisher_targets([0, 1, 1])
    array([ 3. , -1.5, -1.5])
    """
    N, N_0, N_1 = len(t), np.sum(t == 0), np.sum(t == 1)
    return np.where(t == 0, N / N_0, -N / N_1)


@takes(m="... any")
def squared_loss(m):
    """(1 - m)² = (y - f)² for y = ±1: it also penalizes correctly classified points with margin > 1  [C-3.3-2].

    >>> squared_loss([-1, 0, 1, 3])
    array([4., 1., 0., 4.])
    """
    return (1 - m) ** 2


@takes(m="... any")
def logistic_loss(m):
    """ln(1 + e⁻ᵐ) = -ln σ(m), whose sum chapter 04 minimizes  [C-3.3-2].

    >>> logistic_loss(np.log([1, 3])).round(3)  # ln 2, ln 4/3
    array([0.693, 0.288])
    """
    return softplus(-m)


@takes(m="... any")
def zero_one_loss(m):
    """1 for a mistake, m <= 0, else 0  [C-3.3-2].

    >>> zero_one_loss([-1, 0, 1])
    array([1., 1., 0.])
    """
    return (1 + sign(-m)) / 2

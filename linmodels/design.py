"""Design matrices and codings: from data to the X, y, T of the equations (all chapters; notes A 1.2, C 3.1, D 3, E).

X (N, d) holds one sample per row; the column of ones (增广) comes last, so that w~ = (w, b).
"""

import math
from itertools import combinations_with_replacement

import numpy as np

from .guards import checks
from .guards.shapes import takes

_MOST_FACTORS = 2**27  # numbers in the matrix of products, or in the list of their factors: 1 GiB
_MOST_CLASSES = 10**6  # a larger number is an identifier, not the number of a class


@takes(X="N d")
def augment(X):
    """X~ = (X, 1): every sample x becomes x~ = (x, 1), so that w~·x~ = w·x + b  [A-1.2-2, A-1.2-4, A-1.3-2, A-3.2-2].

    >>> augment([[1, 2], [3, 4]])
    array([[1., 2., 1.],
           [3., 4., 1.]])
    """
    return np.column_stack([X, np.ones(len(X))])


@takes(X="N d", degree="count")
def monomials(X, degree):
    """All products of 1 to `degree` features: x_1, ..., x_d, x_1², x_1 x_2, ...; `augment` appends the constant.

    They are C(d + degree, degree) - 1 columns, lower degrees first. Raises ValueError where degree < 1, or where the
    products are too many to hold.

    >>> monomials([[2, 3]], 2)
    array([[2., 3., 4., 6., 9.]])
    """
    products = math.comb(X.shape[1] + degree, degree) - 1
    if products * max(len(X), degree) > _MOST_FACTORS:
        raise ValueError(f"degree must be lower, found {degree}: of {X.shape[1]} features it makes too many products")
    columns = [c for k in range(1, degree + 1) for c in combinations_with_replacement(range(X.shape[1]), k)]
    return np.stack([X[:, c].prod(axis=1) for c in columns], axis=1)


@takes(X="N d", centers="M d", s="number positive")
def gaussian_basis(X, centers, s):
    """φ_m(x) = exp(-‖x - c_m‖² / 2s²), one bump around each center  [C-3.1-2].

    Row n of the result belongs to sample n, column m to center m.

    >>> gaussian_basis([[0], [3]], [[0]], 3).round(3)  # 1 on the center, e^(-1/2) at the distance s
    array([[1.   ],
           [0.607]])
    """
    return np.exp(-(((X[:, None] - centers) / s) ** 2).sum(axis=2) / 2)


def _numbered(t, K=None):
    """Class numbers t (N,) of 0..K-1, K at most a million; each of them occurs unless K is given."""
    most = max(1, int(min(t.max() + 1, _MOST_CLASSES))) if K is None else K
    if most > _MOST_CLASSES:
        raise ValueError(f"K must be at most {_MOST_CLASSES}, found {K}; number the classes 0, 1, 2, ...")
    bad = t[(t != np.round(t)) | (t < 0) | (t >= most)]
    if len(bad):
        numbered = "np.unique(t, return_inverse=True)[1] numbers the classes"
        numbered = numbered if K is None else "count the classes from 0, or give a larger K"
        raise ValueError(f"t must hold class numbers 0..{most - 1}, found {bad[0]:g}; {numbered}")
    if K is None and (left_out := np.flatnonzero(np.bincount(t.astype(int)) == 0)).size:
        raise ValueError(
            f"t must hold each class 0..{most - 1}, found none of class {left_out[0]}; "
            f"np.unique(t, return_inverse=True)[1] numbers the classes without gaps, K={most} keeps the class empty"
        )


@takes(t="N", K="count or None", together=_numbered)
def one_hot(t, K=None):
    """T[n, k] = 1 where t_n = k, else 0; for two classes the rows (1 - t_n, t_n)  [C-1-4, D-2-8, D-3-5].

    K is max(t) + 1 unless given, and then each class must occur. Each row sums to 1.

    >>> one_hot([0, 2, 1])
    array([[1., 0., 0.],
           [0., 0., 1.],
           [0., 1., 0.]])
    """
    k = t.astype(int)
    T = np.zeros((len(k), k.max() + 1 if K is None else K))
    T[np.arange(len(k)), k] = 1.0
    return T


@takes(t="N bits")
def signs(t):
    """y = 2t - 1: from the coding {0, 1} of probabilities to the {-1, +1} of margins.

    t may hold booleans, too.

    >>> signs([0, 1, 1])
    array([-1.,  1.,  1.])
    """
    return 2 * t - 1


def free_bias(lam, d):
    """(λ, ..., λ, 0): a penalty for each of the d columns but the last, the ones of `augment`.

    The column of ones counts: d = A.shape[1] of the augmented A.

    >>> free_bias(0.5, 3)
    array([0.5, 0.5, 0. ])
    """
    return np.append(checks.penalty(lam, checks.count(d, "d"))[:-1], 0.0)

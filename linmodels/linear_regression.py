"""Linear regression (线性回归; chapter 01; notes A 1.1-1.3, D 1).

X (N, d) is the design matrix as given: `design.augment` appends the ones, so that w (d,) ends with the bias b.
y (N,) holds the targets. Note D's X is our X.T: its samples are columns.
"""

import numpy as np

from . import optimize
from .guards import checks
from .guards.shapes import takes
from .solvers import least_squares as solver
from .solvers.least_squares import svd

EPS = np.finfo(float).eps


@takes(w="d", X="N? d")
def predict(w, X):
    """ŷ = Xw, that is ŷ_i = w·x_i + b if x ends with 1  [A-0-2, A-1.1-2, A-1.1-3, A-1.2-10, A-1.3-4, D-0-1, D-1-1].

    >>> predict([2, 1], [[3, 1], [5, 1]])
    array([ 7., 11.])
    """
    return X @ w


@takes(w="d", X="N d", y="N")
def loss(w, X, y):
    """E(w) = (y - Xw)·(y - Xw) = Σ_i (ŷ_i - y_i)²  [A-1.1-4, A-1.2-3, A-1.2-6, D-1-2, D-1-4].

    >>> print(loss([1, 0], [[0, 1], [1, 1], [2, 1]], [0, 1, 3]))
    1.0
    """
    r = y - X @ w
    return r @ r


@takes(w="d", X="N d", y="N")
def gradient(w, X, y):
    """∇E(w) = 2Xᵀ(Xw - y)  [A-1.2-7, D-1-6].

    >>> gradient([0, 0], [[0, 1], [1, 1], [2, 1]], [0, 1, 3])
    array([-14.,  -8.])
    """
    return 2 * (X.T @ (X @ w - y))


@takes(w="d", X="N d", y="N")
def hessian(w, X, y):
    """∇²E(w) = 2XᵀX, the same for every w and y.

    >>> hessian([0, 0], [[0, 1], [1, 1], [2, 1]], [0, 1, 3])
    array([[10.,  6.],
           [ 6.,  6.]])
    """
    return 2 * (X.T @ X)


@takes(X="N d", y="N", together=solver.require_full_rank)
def normal_equations(X, y):
    """The w with XᵀXw = Xᵀy, so w = (XᵀX)⁻¹Xᵀy  [A-1.2-8, A-1.2-9, D-1-7, D-1-8].

    Forming XᵀX squares the condition number (erratum D06). So this loses digits where columns are nearly dependent or
    far from 0; see `least_squares`. Raises LinAlgError where X has not full column rank, or where the square leaves few
    digits right.

    >>> normal_equations([[0, 1], [1, 1], [2, 1]], [0, 1, 3]).round(3)  # 3/2, -1/6
    array([ 1.5  , -0.167])
    """
    return np.linalg.solve(X.T @ X, X.T @ y)


@takes(X="N d", y="N")
def least_squares(X, y):
    """arg min_w ‖Xw - y‖², accurately and in few passes over X  [A-1.1-5, A-1.2-5, D-1-5].

    It equals `normal_equations`, but keeps the digits. It solves the normal equations of columns of unit length and
    refines once by the residual. Where that loses digits, it takes a QR decomposition of these columns, measured from
    their means if X has a column of ones. Raises LinAlgError where X has not full column rank.

    >>> least_squares([[0, 1], [1, 1], [2, 1]], [0, 1, 3]).round(3)  # 3/2, -1/6
    array([ 1.5  , -0.167])
    """
    return solver.solve(X, y)


@takes(X="N d", y="N")
def minimum_norm(X, y):
    """X⁺y, the shortest of all w that minimize ‖Xw - y‖²  [A-1.2-11].

    X may have any rank. X = USVᵀ gives X⁺ = VS⁻¹Uᵀ. A singular value counts as zero below max(N, d) ε times the
    largest. It equals `least_squares` where the rank is full. Raises LinAlgError where rows or columns are so short
    beside others that the rank cannot be told.

    >>> minimum_norm([[1, 1]], [2]).round(3)
    array([1., 1.])
    """
    U, s, Vt = svd(X)
    return Vt.T @ ((U.T @ y) / s)


@takes(X="N d")
def null_space(X):
    """An orthonormal basis, as columns (d, d - rank X), of all z with Xz = 0: adding z to w leaves Xw unchanged.

    Raises LinAlgError where rows or columns of X differ so much in length that the rank cannot be told.

    >>> np.abs(null_space([[1, 1]])).round(3)  # (1, -1)/√2, or its negative
    array([[0.707],
           [0.707]])
    """
    Vt = svd(X)[2]
    return np.linalg.svd(Vt)[2][len(Vt) :].T  # what completes the rows of Vᵀ to a basis


@takes(X="N d")
def hat_matrix(X):
    """H = X(XᵀX)⁻¹Xᵀ, the projection onto the columns of X: ŷ = Hy  (N, N).

    With X = USVᵀ it is UUᵀ, which needs no inverse and stays a projection where XᵀX has none. Raises LinAlgError where
    rows are so short beside others that the rank cannot be told.

    >>> hat_matrix([[1], [1]]).round(3)  # on a column of ones, ŷ is the mean
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    lengths = np.linalg.norm(X, axis=0)
    U, _, _ = svd(X / np.where(lengths > 0, lengths, 1))  # a column of U for each s_i > 0; lengths change no span
    return U @ U.T


@takes(X="N d", together=checks.curved)
def largest_step(X):
    """The bound for the step of gradient descent (梯度下降): 2/λ_max(2XᵀX) = 1/λ_max(XᵀX).

    X must not be all 0. Below this step gradient descent converges from every start, above it diverges from almost
    every one.

    >>> print(largest_step([[2, 0], [0, 1]]).round(3))  # XᵀX has the eigenvalues 4 and 1
    0.25
    """
    return 1 / np.linalg.eigvalsh(X.T @ X)[-1]


@takes(X="N d", together=checks.curved)
def best_step(X):
    """η = 2/(L + μ) = 1/(λ_max + λ_min) of XᵀX, λ_min > 0: each step leaves at most (L - μ)/(L + μ) of the error.

    X must not be all 0. L = 2λ_max and μ = 2λ_min are the largest and the smallest positive eigenvalue of ∇²E = 2XᵀX.

    >>> print(best_step([[2, 0], [0, 1]]).round(3))  # XᵀX has the eigenvalues 4 and 1
    0.2
    """
    values = np.linalg.eigvalsh(X.T @ X)
    positive = values[values > len(values) * EPS * values[-1]]  # the others are rounding of 0
    return 1 / (values[-1] + positive.min(initial=values[-1]))


@takes(X="N d", y="N", eta="number positive", w="d or None")
def gradient_iterates(X, y, *, eta, w=None):
    """w ← w - η ∇E(w), from w = 0 unless given  [D-1-12].

    This is gradient descent, which converges for 0 < eta < `largest_step(X)`. Yields optimize.Iterate(w, ∇E(w)) without
    end; `optimize.run` says when to stop.

    >>> optimize.trajectory(gradient_iterates([[2]], [4], eta=1 / 16), 3).ravel()  # w ← w/2 + 1
    array([0.  , 1.  , 1.5 , 1.75])
    """
    w = np.zeros(X.shape[1]) if w is None else w
    return optimize.gradient_descent(lambda w: gradient(w, X, y), w, eta=eta)


@takes(X="N d", y="N", eta="schedule", batch="count", rng="rng", w="d or None")
def stochastic_iterates(X, y, *, eta, batch=1, rng, w=None):
    """w ← w - η Σ_{i in I} 2(w·x_i - y_i) x_i, from w = 0 unless given: `batch` samples I a step, all once an epoch.

    eta is a number or a function of the step's number k; rng shuffles each epoch. Yields optimize.Iterate(w, None)
    without end.
    """
    w = np.zeros(X.shape[1]) if w is None else w
    return optimize.stochastic_gradient_descent(
        lambda w, I: gradient(w, X[I], y[I]), w, len(X), eta=eta, batch=batch, rng=rng
    )

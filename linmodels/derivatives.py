"""Derivatives by central differences: how the book checks every gradient it derives (all chapters).

f maps a parameter array w (of any shape) to a number or an array.
"""

import numpy as np

STEP = np.finfo(float).eps ** (1 / 3)  # balances the h² of the formula against the rounding eps/h


def central_difference(f, w):
    """∂f/∂w_j ≈ [f(w + h e_j) - f(w - h e_j)] / 2h for a number f(w); the result has the shape of w.

    >>> central_difference(lambda w: w[0] * w[1], [3, 7]).round(3)
    array([7., 3.])
    """
    w = np.asarray(w, float)
    if np.ndim(f(w)) != 0:
        raise ValueError(f"f(w) must be a number, found shape {np.shape(f(w))}; jacobian differentiates arrays")
    return jacobian(f, w)


def jacobian(f, w):
    """J[..., j] = ∂f/∂w_j for an array f(w); J has the shape of f(w) followed by that of w.

    >>> jacobian(lambda w: w**2, [1, 2]).round(3)
    array([[2., 0.],
           [0., 4.]])
    """
    w = np.asarray(w, float)
    if w.size == 0:
        raise ValueError("w is empty; give at least one number to differentiate by")
    columns = []
    for j in np.ndindex(w.shape):
        h = STEP * max(1.0, abs(w[j]))
        e = np.zeros_like(w)
        e[j] = h
        columns.append((np.asarray(f(w + e)) - np.asarray(f(w - e))) / (2 * h))
    return np.stack(columns, axis=-1).reshape(np.shape(columns[0]) + w.shape)


def check_gradient(f, gradient, w):
    """max_j |g_j - ∂f/∂w_j| / max(1, max_j |∂f/∂w_j|): about 1e-9 when gradient(w) is the derivative of f.

    f(w) is a number, gradient(w) has the shape of w. Do not check at a kink: there is no derivative there.

    >>> bool(check_gradient(lambda w: w @ w, lambda w: 2 * w, [1, 2]) < 1e-8)
    True
    """
    numeric, g = central_difference(f, w), np.asarray(gradient(np.asarray(w, float)))
    if g.shape != numeric.shape:
        raise ValueError(f"gradient(w) has shape {g.shape}; that of w, {numeric.shape}, is expected")
    return np.abs(g - numeric).max() / max(1.0, np.abs(numeric).max())

"""The functions every linear model needs, stable for every argument (chapters 01-12; notes A 3, C 3, D 2-3).

a is a score or an array of scores, p a probability in [0, 1], A scores with the classes along the last axis.
NaN in gives NaN out; no finite argument, however large, overflows or warns.
"""

import numpy as np

from .guards.shapes import takes


@takes(a="... any")
def sign(a):
    """sign(a) = +1 for a >= 0, -1 for a < 0: a label, never 0  [A-5.1-5, B-model-2, D-0-5].

    >>> sign([-2, 0, 3])
    array([-1.,  1.,  1.])
    """
    return np.where(a >= 0, 1.0, np.where(a < 0, -1.0, np.nan))[()]  # np.sign(0) is 0, which is no label


@takes(a="... any")
def sigmoid(a):
    """σ(a) = 1 / (1 + e⁻ᵃ)  [C-3.1-1, D-0-5, D-2-1].

    >>> sigmoid(np.log([1, 3, 1 / 3])).round(3)
    array([0.5 , 0.75, 0.25])
    """
    # of the two equal forms 1/(1 + e⁻ᵃ) and eᵃ/(1 + eᵃ), for a >= 0 and a < 0 the one that cannot overflow
    return np.exp(np.minimum(a, 0)) / (1 + np.exp(-np.abs(a)))


@takes(a="... any")
def sigmoid_derivative(a):
    """σ'(a) = σ(a)(1 - σ(a)) = σ(a)σ(-a) = e/(1 + e)², e = e^-|a|  [C-3.1-3, C-3.1-4, D-2-4].

    >>> sigmoid_derivative(np.log([1, 3])).round(4)  # 1/2 · 1/2, 3/4 · 1/4
    array([0.25  , 0.1875])
    """
    e = np.exp(-np.abs(a))
    return e / np.square(1 + e)  # 1 - σ(40) would be 0


@takes(p="... any")
def logit(p):
    """logit p = ln p/(1 - p), the inverse of σ; ∓inf at p = 0, 1, NaN beyond them  [A-2.3.2-2, A-3.1-9, D-2-7].

    >>> logit([3 / 4, 1 / 4]).round(3)  # ln 3, -ln 3
    array([ 1.099, -1.099])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(p) - np.log1p(-p)


@takes(a="... any")
def softplus(a):
    """ln(1 + eᵃ) = -ln σ(-a), the integral of σ: a(η) of `glm.bernoulli`  [A-2.3.2-2; erratum A19].

    >>> softplus(np.log([1, 3])).round(3)  # ln 2, ln 4
    array([0.693, 1.386])
    """
    return np.maximum(a, 0) + np.log1p(np.exp(-np.abs(a)))


@takes(a="... any", t="... any")
def soft_threshold(a, t):
    """S(a, t) = sign(a) max(|a| - t, 0), the w that minimizes ½(w - a)² + t|w|.

    >>> soft_threshold([3, -3, 0.5], 1)
    array([ 2., -2.,  0.])
    """
    return np.sign(a) * np.maximum(np.abs(a) - t, 0)


@takes(A="... any")
def logsumexp(A, axis=-1):
    """ln Σ_k exp(a_k) = m + ln Σ_k exp(a_k - m), m = max_k a_k.

    >>> logsumexp(np.log([[1, 2, 3], [4, 4, 8]])).round(3)  # ln 6, ln 16
    array([1.792, 2.773])
    """
    m = np.max(A, axis=axis, keepdims=True)
    m = np.where(np.isinf(m), 0.0, m)  # all -inf: ln 0, not inf - inf
    with np.errstate(divide="ignore", over="ignore"):
        return np.log(np.exp(A - m).sum(axis=axis)) + m.squeeze(axis)


@takes(A="... any")
def softmax(A, axis=-1):
    """softmax(a)_k = exp(a_k) / Σ_j exp(a_j)  [C-3.2-1, D-3-1].

    >>> softmax(np.log([1, 2, 5])).round(3)
    array([0.125, 0.25 , 0.625])
    """
    with np.errstate(over="ignore"):  # in the difference of 1e308 and -1e308
        E = np.exp(A - np.max(A, axis=axis, keepdims=True))  # a shift by the maximum changes nothing but the overflow
    E /= E.sum(axis=axis, keepdims=True)
    return E

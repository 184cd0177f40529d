"""The published cases speak their own language (bias first, "order", "1/m"); this maps it to the library, task by task.

Every function carries the name of its task and returns a dict of plain results. What a caller passes goes to the
library's doors as it is, so that the doors, not this file, refuse it. Tasks of chapters still unwritten are left out.
"""

from itertools import islice

import numpy as np

from linmodels import design, kernels, optimize, special
from linmodels import linear_regression as lr
from linmodels import perceptron as pc  # `perceptron` is a task


def ols(X, y, intercept=True):
    return {"coef": _bias_first(lr.least_squares(_design(X, intercept), y), intercept)}


def ols_minnorm(X, y, intercept=True):
    return {"coef": _bias_first(lr.minimum_norm(_design(X, intercept), y), intercept)}


def linreg_cost(X, y, theta, scale="1/(2m)", lam=0.0, penalize_intercept=False):
    """J = loss/2m: a mean, and halved."""
    if lam or scale != "1/(2m)":
        raise NotImplementedError("penalties come with chapter 02; J is a halved mean")
    X, y, w = *_arrays(design.augment(X), y), _bias_last(theta)
    return {"cost": lr.loss(w, X, y) / (2 * len(X)), "grad": _bias_first(lr.gradient(w, X, y) / (2 * len(X)))}


def linreg_gd(X, y, theta0, alpha, iterations, scale="1/m"):
    """θ ← θ - α s Xᵀ(Xθ - y), s = 1/m or 1; the library's gradient is twice Xᵀ(Xθ - y), so its η = αs/2."""
    X = design.augment(X)
    eta = alpha / 2 * {"1/m": 1 / len(X), "sum": 1.0}[scale]
    steps = lr.gradient_iterates(X, y, eta=eta, w=_bias_last(theta0))
    end = optimize.run(steps, tol=0.0, max_iter=iterations)
    return {"theta": _bias_first(end.w), "converged": end.converged, "steps": end.n_iter, "reason": end.reason}


def sigmoid(z):
    return {"value": special.sigmoid(z)}


def perceptron(X, y, eta=1.0, order="cyclic", bias=True, max_updates=100_000):
    """The sequence from `updates`, the end from `fit`: two calls, so that they check each other."""
    order = _order(order)
    if not bias:
        return _without_bias(X, y, eta, order, max_updates)
    end = pc.fit(X, y, eta, order, max_updates=max_updates)
    return _end(end, pc.updates(X, y, eta, order)) | {"w": end.w, "b": end.b}


def perceptron_sequence(X, y, sequence, eta=1.0):
    X, y = _arrays(X, y)
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, []
    for i in np.asarray(sequence, int):
        mistakes.append(bool(pc.misclassified(w, b, X[i], y[i])))
        w, b = pc.update(w, b, X[i], y[i], eta)
    return {"w": w, "b": b, "all_were_mistakes": all(mistakes)}


def perceptron_dual(X, y, eta=1.0, order="cyclic", max_updates=100_000):
    G, order = kernels.gram(kernels.linear, X), _order(order)
    end = pc.fit_dual(G, y, eta, order, max_updates)
    return _end(end, pc.dual_updates(G, y, eta, order)) | {"alpha": end.alpha, "b": end.b, "gram": G}


def perceptron_predict(X, w, b):
    return {"label": pc.predict(*_arrays(w, b, X))}


def perceptron_loss(X, y, w, b):
    return {"loss": pc.loss(*_arrays(w, b, X, y))}


def hyperplane_distance(X, w, b, y=None):
    return {"distance": pc.distance(*_arrays(w, b, X))}


def novikoff(X, y, w, b):
    w, b, X, y = _arrays(w, b, X, y)
    radius = np.linalg.norm(design.augment(X), axis=1).max()
    return {"R": radius, "gamma": pc.margin(w, b, X, y), "bound": pc.novikoff_bound(w, b, X, y)}


def _without_bias(X, y, eta, order, max_updates):
    """f_i = Σ_j α_j y_j G_ij + b with b = Σ_j α_j y_j is Σ_j α_j y_j (G_ij + 1): on G - 1 the bias cancels itself."""
    G = kernels.gram(kernels.linear, X) - 1
    end = pc.fit_dual(G, y, eta, order, max_updates)
    w, _ = pc.primal(end.alpha, y, X)
    return _end(end, pc.dual_updates(G, y, eta, order)) | {"w": w, "b": 0.0}


def _end(end, sequence):
    """How a run ended, and the samples of its updates in their order."""
    return {"converged": end.converged, "reason": end.reason, "updates": [s.i for s in islice(sequence, end.n_iter)]}


def _order(order):
    return None if order == "cyclic" else order


def _arrays(*arguments):
    """For the bare equations, which take arrays and check nothing."""
    return [np.asarray(a, float) for a in arguments]


def _design(X, intercept):
    return design.augment(X) if intercept else X


def _bias_first(w, intercept=True):
    return np.roll(w, 1) if intercept else w


def _bias_last(theta):
    return np.roll(theta, -1)

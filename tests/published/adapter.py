"""The published cases speak their own language (bias first, "order", "1/m"); this maps it to the library, task by task.

Every function carries the name of its task and returns a dict of plain results. What a caller passes goes to the
library's doors as it is, so that the doors, not this file, refuse it. Tasks of chapters still unwritten are left out.
"""

from itertools import islice

import numpy as np

from linmodels import design, kernels, optimize, regularization, special
from linmodels import glm as families  # `glm` is a task
from linmodels import linear_regression as lr
from linmodels import perceptron as pc  # so is `perceptron`


def ols(X, y, intercept=True):
    return {"coef": _bias_first(lr.least_squares(_design(X, intercept), y), intercept)}


def ols_minnorm(X, y, intercept=True):
    return {"coef": _bias_first(lr.minimum_norm(_design(X, intercept), y), intercept)}


def linreg_cost(X, y, theta, scale="1/(2m)", lam=0.0, penalize_intercept=False):
    """J = loss/2m: a mean, and halved."""
    if scale != "1/(2m)":
        raise NotImplementedError("J is a halved mean")
    X, lam = _penalised(X, lam, True, penalize_intercept)
    X, y, w = *_arrays(X, y), _bias_last(theta)
    J, gradient = regularization.ridge_loss(w, X, y, lam), regularization.ridge_gradient(w, X, y, lam)
    return {"cost": J / (2 * len(X)), "grad": _bias_first(gradient / (2 * len(X)))}


def linreg_gd(X, y, theta0, alpha, iterations, scale="1/m"):
    """θ ← θ - α s Xᵀ(Xθ - y), s = 1/m or 1; the library's gradient is twice Xᵀ(Xθ - y), so its η = αs/2."""
    X = design.augment(X)
    eta = alpha / 2 * {"1/m": 1 / len(X), "sum": 1.0}[scale]
    steps = lr.gradient_iterates(X, y, eta=eta, w=_bias_last(theta0))
    end = optimize.run(steps, tol=0.0, max_iter=iterations)
    return {"theta": _bias_first(end.w), "converged": end.converged, "steps": end.n_iter, "reason": end.reason}


def ridge(X, y, lam, intercept=True, penalize_intercept=False):
    X, lam = _penalised(X, lam, intercept, penalize_intercept)
    return {"coef": _bias_first(regularization.ridge(X, y, lam), intercept)}


def lasso(X, y, lam, intercept=True):
    X, lam = _penalised(X, lam, intercept)
    return _fitted(regularization.lasso(X, y, lam), intercept)


def elastic_net(X, y, lam, rho, intercept=True):
    X, lam = _penalised(X, lam, intercept)
    return _fitted(regularization.elastic_net(X, y, lam, rho), intercept)


def lasso_path_order(X, y, lams):
    """Which columns are in use at each λ, counted from 1: read off the exact path."""
    path = regularization.lasso_path(*_centred(X, y)[:2])
    return {"supports": [(np.flatnonzero(regularization.interpolate(path, lam)) + 1).tolist() for lam in lams]}


def lasso_path_points(X, y, lams, intercept=True):
    """A free bias by centring, b = ȳ - w·x̄: another way than the column of ones of `lasso`."""
    X, y, *means = _centred(X, y) if intercept else (X, y)
    path = regularization.lasso_path(X, y)
    W = [regularization.interpolate(path, lam) for lam in lams]
    return {"coefs": [[means[1] - w @ means[0], *w] for w in W] if intercept else W}


def loglinear(X, y, intercept=True):
    return {"coef": _bias_first(families.log_linear_regression(_design(X, intercept), y), intercept)}


def glm(X, y, family, link, intercept=True):
    return glm_ridge(X, y, family, link, 0.0, intercept)


def glm_ridge(X, y, family, link, lam, intercept=True, penalize_intercept=False):
    X, lam = _penalised(X, lam, intercept, penalize_intercept)
    return _fitted(families.fit(X, y, _family(family, link), lam), intercept)


def expfam(y, dist, phi=None, mu=None, sigma=None):
    """p(y) = b(y) exp(η·T(y) - a(η)), η from the usual parameter: μ with σ, φ, or a list of φ."""
    family = families.gaussian_with(sigma) if dist == "gaussian" else getattr(families, dist)
    eta = family.eta(*_arrays(mu if dist == "gaussian" else phi))
    return {"density": np.exp(families.log_density(*_arrays(y, eta), family)), "eta": eta, "a": family.a(eta)}


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


def _penalised(X, lam, intercept, bias_too=False):
    X = _design(X, intercept)
    return X, design.free_bias(lam, X.shape[1]) if intercept and not bias_too else lam


def _centred(X, y):
    X, y = _arrays(X, y)
    return X - X.mean(axis=0), y - y.mean(), X.mean(axis=0), y.mean()


def _fitted(end, intercept):
    return {"coef": _bias_first(end.w, intercept), "converged": end.converged, "reason": end.reason}


def _family(name, link):
    """The library fits each family with its own link, for which η = w·x + b."""
    if (name, link) not in {("gaussian", "identity"), ("bernoulli", "logit"), ("poisson", "log")}:
        raise NotImplementedError(f"{name} with link {link} is not in the notes")
    return getattr(families, name)


def _bias_first(w, intercept=True):
    return np.roll(w, 1) if intercept else w


def _bias_last(theta):
    return np.roll(theta, -1)

"""The published cases speak their own language (bias first, "order", "1/m"); this maps it to the library, task by task.

Every function carries the name of its task and returns a dict of plain results. What a caller passes goes to the
library's doors as it is, so that the doors, not this file, refuse it.
"""

import csv
import os
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from linmodels import design, kernels, optimize, regularization, special, svm
from linmodels import glm as families  # `glm` is a task
from linmodels import kernel_lms as klms  # and `kernel_lms`
from linmodels import lda as fisher  # and `lda`
from linmodels import least_squares_classifier as lsc
from linmodels import linear_regression as lr
from linmodels import logistic_regression as logreg
from linmodels import naive_bayes as nb
from linmodels import perceptron as pc
from linmodels import softmax_regression as smr


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


def logistic(X, y, intercept=True):
    X = _design(X, intercept)
    end = logreg.fit(X, y)
    found = _fitted(end, intercept) | {"proba_head10": logreg.posterior(end.w, np.asarray(X, float)[:10])}
    return found | {"se": _standard_errors(end.w, X, intercept)} if end.converged else found


def logistic_l2(X, y, lam, intercept=True, penalize_intercept=False):
    X, lam = _penalised(X, lam, intercept, penalize_intercept)
    end = logreg.fit(X, y, lam)
    accuracy = np.mean(logreg.predict(end.w, np.asarray(X, float)) == np.asarray(y))
    return _fitted(end, intercept) | {"accuracy": accuracy}


def logistic_l1(X, y, lam, intercept=True):
    X, lam = _penalised(X, lam, intercept)
    return _fitted(logreg.fit_l1(X, y, lam), intercept)


def logistic_cost_grad(X, y, theta, average, lam=0.0, penalize_intercept=False):
    """The library's E is a sum; with average, J = E/m, its penalty too."""
    X, lam = _penalised(X, lam, True, penalize_intercept)
    X, y, w = *_arrays(X, y), _bias_last(theta)
    m = len(X) if average else 1
    return {"cost": logreg.loss(w, X, y, lam) / m, "grad": _bias_first(logreg.gradient(w, X, y, lam) / m)}


def logistic_irls_steps(X, y, steps):
    X = design.augment(X)
    w = np.zeros(X.shape[1])
    for _ in range(steps):
        w = logreg.irls_step(w, *_arrays(X, y))
    return {"w": _bias_first(w)}


def softmax(X, y, classes, ref, intercept=True):
    """The reference comes last, as `to_reference` takes it; the others keep their order."""
    order = [c for c in classes if c != ref] + [ref]
    end = smr.fit(_design(X, intercept), _one_hot(y, order))
    coef = [_bias_first(v, intercept) for v in smr.to_reference(end.W).T]
    return {"coef": coef, "converged": end.converged, "reason": end.reason}


def softmax_l2(X, y, lam, classes, intercept=True, penalize_intercept=False):
    X, lam = _penalised(X, lam, intercept, penalize_intercept)
    end = smr.fit(X, _one_hot(y, classes), lam)
    return {"coef_full": [_bias_first(w, intercept) for w in end.W.T], "converged": end.converged}


def softmax_loss(z, y):
    """W = I, so that the scores are the samples."""
    (z,) = _arrays(z)
    W, T = np.eye(z.shape[1]), design.one_hot(y, z.shape[1])
    losses = [smr.loss(W, z[[n]], T[[n]]) for n in range(len(z))]
    return {"proba": smr.posterior(W, z), "loss": losses}


def softmax_jacobian(z):
    return {"J": smr.jacobian(special.softmax(*_arrays(z)))}


def ls_classify(X, y, classes, predict_csv=None, predict_X=None):
    """The error is that on the file if one is named, else on the samples themselves."""
    A = design.augment(X)
    W = lsc.fit(A, _one_hot(y, classes))
    if predict_csv is not None:
        X, y = _samples_of_file(predict_csv)
        A = design.augment(X)
    k, scores = lsc.predict(W, A), lsc.decision_function(W, A)
    best = np.sort(scores, axis=1)[:, -2:]
    tied = best[:, 1] - best[:, 0] < 1e-12
    found = {
        "error": np.mean(k != _one_hot(y, classes).argmax(axis=1)),
        "W_row_sum": _bias_first(W.sum(axis=1)),
        "n_pred_class2": np.sum(k == 1),
        "error_or_tie": bool((k[~tied] != 1).all()),  # masked: class 2 never wins alone
    }
    if predict_X is not None:
        found["scores_row_sum"] = lsc.decision_function(W, design.augment(predict_X)).sum(axis=1)
    return found


def ls_targets(X, y, intercept=True):
    w = lr.least_squares(_design(X, intercept), y)
    return {"w": w[:-1] if intercept else w}


def ls_vs_logistic(X, y, X_out, y_out):
    data = (X, y), (np.concatenate([X, X_out]), np.concatenate([y, y_out]))
    ls = [smr.two_class_weights(lsc.fit(design.augment(X), design.one_hot(t))) for X, t in data]
    fits = [logreg.fit(design.augment(X), t) for X, t in data]
    of_ls, of_logit = (_angle(*(w[:-1] for w in pair)) for pair in (ls, [end.w for end in fits]))
    ratio = of_ls / max(of_logit, np.finfo(float).tiny)
    converged = all(end.converged for end in fits)
    return {"angle_ls_deg": of_ls, "angle_logit_deg": of_logit, "ratio": ratio, "converged": converged}


def ls_vs_softmax(X, y, classes, lam):
    """The biases carry no penalty."""
    X, lam = _penalised(X, lam, True)
    T = _one_hot(y, classes)
    end = smr.fit(X, T, lam)
    middle = T[:, 1] == 1
    ls, soft = (np.mean(k[middle] == 1) for k in (lsc.predict(lsc.fit(X, T), X), smr.predict(end.W, X)))
    return {"recall_mid_ls": ls, "recall_mid_softmax": soft, "gap": soft - ls, "converged": end.converged}


def lda_binary(X, y):
    """Published with class 0 on the larger side of w·x: the other sign of `direction`."""
    w = -fisher.direction(X, y)
    (z, k) = _arrays(fisher.project(w, np.asarray(X, float)), y)
    return {
        "w": w,
        "Sw": fisher.scatter_within(X, y),
        "means": fisher.means(X, y),
        "projection_separates": bool(z[k == 0].min() > z[k == 1].max()),
    }


def lda(X, y, classes, priors=None):
    """S_b with the weights N_k, or N/K each where the priors are equal."""
    t = _class_numbers(y, classes)
    W, ratios = fisher.directions(X, t)
    M = fisher.means(X, t)
    if priors is not None:
        W, ratios = _with_priors(W, M, np.full(len(M), 1 / len(M)) if priors == "equal" else priors, len(t))
    S_w, S_b, S_t = fisher.scatter_within(X, t), fisher.scatter_between(X, t), fisher.scatter_total(X)
    infinite = np.isinf(ratios)
    found = {
        "eigenvalues": ratios,
        "eigenvalues_head4": ratios[:4],
        "trace_proportion": infinite / infinite.sum() if infinite.any() else ratios / ratios.sum(),
        "n_components": len(ratios),
        "means": M,
        "scatter_identity": np.abs(S_t - S_w - S_b).max() / np.abs(S_t).max(),
    }
    return found | {f"LD{j + 1}": w for j, w in enumerate(W.T)}


def lda_classify(X, y, classes, predict_csv=None):
    """By the largest posterior of normal classes of one covariance, with the shares of the classes as their priors."""
    t = _class_numbers(y, classes)
    W, b = fisher.discriminants(X, t)
    found = {"error_train": np.mean(np.argmax(np.asarray(X, float) @ W + b, axis=1) != t)}
    if predict_csv is not None:
        X, y = _samples_of_file(predict_csv)
        found["error_test"] = np.mean(np.argmax(X @ W + b, axis=1) != _class_numbers(y, classes))
    return found


def nb_bernoulli(X, y, alpha, query, smooth_prior=False):
    """Where the posterior is 0/0, it says so, and why."""
    model = nb.fit(X, y, alpha, alpha if smooth_prior else 0.0)
    mu_0, mu_1 = model.mu
    found = {"prior1": model.prior[1], "mu1": mu_1, "mu0": mu_0, "joint": np.exp(nb.log_joint(model, query))}
    try:
        return found | {"posterior1": nb.posterior(model, query)[:, 1], "not_silent": False}
    except ValueError as refusal:  # of 0/0 alone: log_joint has taken the query
        return found | {"not_silent": True, "reason": str(refusal)}


def nb_categorical(X, y, alpha, levels, classes, query, smooth_prior=False):
    n_values = [len(values) for values in levels]
    model = nb.fit(
        _level_numbers(X, levels),
        _class_numbers(y, classes),
        alpha,
        alpha if smooth_prior else 0.0,
        n_values=n_values,
    )
    asked = _level_numbers(query, levels)
    return {
        "prior": model.prior,
        "cond": [p for tables in model.theta for table, M in zip(tables, n_values, strict=True) for p in table[:M]],
        "joint": np.exp(nb.log_joint(model, asked)),
        "posterior": nb.posterior(model, asked),
        "label": [classes[k] for k in nb.predict(model, asked)],
    }


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


def svm_hard(X, y):
    end = svm.fit(X, y)
    if not end.converged:
        raise ValueError(end.reason)
    return {"w": end.w, "b": end.b, "alpha": end.alpha, "gap": end.gap, "support": svm.support_vectors(end.alpha)}


def svm_kernel(K, y):
    end = svm.fit_dual(K, y)
    found = {"alpha": end.alpha, "b": end.b, "gap": end.gap}
    return found | {"converged": end.converged, "reason": end.reason}


def feature_map(X, name, c=0.0):
    maps = {"monomials_upto3": kernels.cubic_features, "poly2": partial(kernels.quadratic_features, c=c)}
    return {"Phi": _named(name, maps)(X)}


def feature_map_inner(X, Z, name="ordered_monomials_upto3"):
    """The inner products twice: of the features, and by the kernel that does without them."""
    phi = _named(name, {"ordered_monomials_upto3": kernels.cubic_features})
    of_X, of_Z = phi(X), phi(Z)
    return {"inner": of_X @ of_Z.T, "kernel": kernels.cubic_sum(X, Z), "dim": [of_X.shape[1]]}


def kernel_lms(X, y, kernel, alpha, iterations, **settings):
    """β by the updates, the values that are fitted by `beta_after`: two calls, so that they check each other."""
    K = kernels.gram(_kernel(kernel, **settings), X)
    end = next(islice(klms.beta_updates(K, y, alpha), iterations - 1, None))
    return {"beta": end.beta, "fitted": klms.predict(klms.beta_after(K, y, alpha, iterations), K)}


def lms_sgd(X, y, alpha, epochs, order):
    """The notes' φ(x) has its 1 in front; here it comes last. The start is a state too."""
    order = np.asarray(order, int)
    visits = klms.stochastic_feature_iterates(design.augment(X), y, alpha, order)
    return {"theta": _bias_first(next(islice(visits, epochs * len(order), None)).theta)}


def kernel(X, Z, name, **settings):
    return {"K": _kernel(name, **settings)(X, Z)}


def kernel_ridge(X, y, kernel, lam, **settings):
    K = kernels.gram(_kernel(kernel, **settings), X)
    beta = regularization.ridge_dual(K, y, lam)
    return {"fitted": klms.predict(beta, K), "beta": beta}


def poly_feature_dim(d, k, dummy=None):
    return {"dim": [kernels.feature_dimension(d, k)]}


def is_psd(K):
    """Where it is not, the witness too: z with z·Kz < 0, or none where K is not symmetric."""
    psd, z = kernels.is_positive_semidefinite(K)
    return {"psd": [int(psd)], "witness": z}


def _kernel(name, **settings):
    known = {"linear": kernels.linear, "polynomial": kernels.polynomial, "gaussian": kernels.gaussian}
    return partial(_named(name, known | {"1+s+s2+s3": kernels.cubic_sum}), **settings)


def _named(name, known):
    if name not in known:
        raise NotImplementedError(f"{name} is not in the notes")
    return known[name]


def _without_bias(X, y, eta, order, max_updates):
    """f_i = Σ_j α_j y_j G_ij + b with b = Σ_j α_j y_j is Σ_j α_j y_j (G_ij + 1): on G - 1 the bias cancels itself."""
    G = kernels.gram(kernels.linear, X) - 1
    end = pc.fit_dual(G, y, eta, order, max_updates)
    w, _ = pc.primal(end.alpha, y, X)
    return _end(end, pc.dual_updates(G, y, eta, order)) | {"w": w, "b": 0.0}


def _standard_errors(w, X, intercept):
    """√ of the diagonal of H⁻¹."""
    variances = np.linalg.inv(logreg.hessian(*_arrays(w, X))).diagonal()
    return _bias_first(np.sqrt(variances), intercept)


def _one_hot(y, classes):
    """Labels of any kind, numbered in the order of classes; a label that is none of them is left to the door."""
    return np.equal(np.asarray(y, object)[:, None], np.array([*classes], object)).astype(float)


def _class_numbers(y, classes):
    """A label that is none of the classes is -1, for the door to refuse."""
    T = _one_hot(y, classes)
    return np.where(T.any(axis=1), T.argmax(axis=1), -1)


def _level_numbers(X, levels):
    """The place of each value in the levels of its feature; a value that is none of them is -1."""
    X = np.asarray(X, object)
    if X.ndim != 2 or X.shape[1] != len(levels):
        raise ValueError(f"X has shape {X.shape}; a column for each of the {len(levels)} lists in levels is expected")
    return np.column_stack([_class_numbers(column, values) for column, values in zip(X.T, levels, strict=True)])


def _with_priors(W, M, priors, N):
    """S_b = N Σ_k π_k (μ_k - μ)(μ_k - μ)ᵀ: whatever the π_k, its eigenvectors lie in the span of W."""
    C = fisher.project(W, M)
    B = np.sqrt(N * np.array(priors, float))[:, None] * (C - priors @ C)
    _, sigma, Vt = np.linalg.svd(B, full_matrices=False)
    m = W.shape[1]
    return W @ Vt[:m].T, sigma[:m] ** 2


def _samples_of_file(name):
    """X and y of a file in the folder that the caller keeps in CASES_DATA: y is the column of that name."""
    with open(Path(os.environ["CASES_DATA"]) / f"{name}.csv", encoding="utf-8", newline="") as file:
        columns = {head: np.array(column, float) for head, *column in zip(*csv.reader(file), strict=True)}
    return np.column_stack([column for head, column in columns.items() if head != "y"]), columns["y"]


def _angle(u, v):
    """In degrees, and to the last digits near 0, where the cosine is flat."""
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    return np.degrees(2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v)))


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

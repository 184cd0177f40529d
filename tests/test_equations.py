"""Bare equations against bad inputs: a function without a door gives the right answer or an error that names the
argument, NaN where NaN went in, and never a number made by stretching one shape over another.

EQUATIONS states of each argument what the equation asks: letters are sizes, as in linmodels.guards.shapes. What has a
door of its own is in test_doors.py; `test_every_public_function_is_listed` finds what is in neither.
"""

import dataclasses
import inspect
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from cases import slow
from test_doors import (
    DOORS,
    Bad,
    Door,
    Kind,
    complaint,
    family,
    forms,
    given,
    in_other_forms,
    inputs,
    leaves,
    numbers_of,
    public_functions,
    put,
)

from linmodels import glm, kernel_lms, lda, naive_bayes, optimize, perceptron, special, svm
from linmodels import least_squares_classifier as lsc
from linmodels import linear_regression as lr
from linmodels import logistic_regression as logreg
from linmodels import regularization as reg
from linmodels import softmax_regression as smr
from linmodels.guards.shapes import unchecked

SIZES = {"2": 2, "N": 6, "d": 3, "K": 4, "m": 2, "p": 3, "M": 5}
# What takes functions or a model instead of arrays, or is tested with the solver it belongs to.
APART = {"derivatives.central_difference", "derivatives.jacobian", "derivatives.check_gradient", "optimize.damped",
         "optimize.backtracking", "naive_bayes.as_linear", "naive_bayes.smoothed", "glm.categorical_T",
         "kernels.of_features", "linear_regression.svd", "regularization.coordinate_step"}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Equation(Door):
    given: dict[str, str] = dataclasses.field(default_factory=dict)  # of each argument its shape and its word


def equation(call, /, *, fixed=None, **shapes):
    kinds = {name: Kind(partial(made, name, text), bad(call, name, shapes, fixed)) for name, text in shapes.items()}
    kinds = {name: dataclasses.replace(kind, odd=odd(kind.good())) for name, kind in kinds.items()}
    fixed = {name: (family if name == "family" else given)(value) for name, value in (fixed or {}).items()}
    return Equation(call, kinds | fixed, given=shapes)


def made(name, text):
    """Whole numbers as float64, each within int8, their products not; of the kind that the words ask for."""
    shape = tuple(SIZES[letter] for letter in letters_of(text.replace("?", "")))
    rng = np.random.default_rng(sum(map(ord, name)))
    if "one-hot" in text:
        return np.eye(shape[1])[np.arange(shape[0]) % shape[1]]
    if text == "number signs":
        return -1.0
    if "signs" in text:
        return np.where(np.arange(*shape) % 3 == 0, -1.0, 1.0)
    if "bits" in text or "counts" in text:
        return np.where(np.arange(np.prod(shape)) % 3 == 0, 0.0, 1.0).reshape(shape)
    if "classes" in text:
        return np.arange(*shape) % 3.0
    if "share" in text:
        return rng.integers(1, 4, shape) / 4
    if not shape:
        return {"rho": 0.5, "eta": 0.5}.get(name, 3.0)
    a = rng.integers(-11, 12, shape).astype(float)
    a = np.abs(a) + 1 if "positive" in text else a
    return a + a.T if letters_of(text) == ["N", "N"] else a


def letters_of(text):
    """Of what is named first."""
    return [word for word in text.split(" or ")[0].split() if len(word.rstrip("?")) == 1]


def dimensions_of(text):
    """2 for "N d", 1 and 2 for "N? d", 0 and 1 for "number or d"."""
    options = [letters_of(option) for option in text.split(" or ")]
    return {len(letters) - k for letters in options for k in range(1 + any("?" in letter for letter in letters))}


NOT_NUMBERS = {
    "None": (lambda a: None, "None"),
    "text": (lambda a: np.asarray(a).astype(str), "text|'"),
    "masked": (lambda a: np.ma.masked_equal(a, np.ravel(a)[-1]), "masked"),
    "a list with None": (lambda a: [*np.ravel(a).tolist(), None], "None"),
}
WRONG_SHAPES = {
    "a column": lambda a: a[..., None],
    "a row": lambda a: a[None],
    "a dimension less": lambda a: a[0],
}
WRONG_SIZES = {
    "one more": lambda a, axis: np.concatenate([a, np.take(a, [0], axis)], axis),
    "one less": lambda a, axis: np.take(a, np.arange(a.shape[axis] - 1), axis),
    "one only": lambda a, axis: np.take(a, [0], axis),
    "none": lambda a, axis: np.take(a, np.arange(0), axis),
}
OTHER_CODING = {
    "signs": {"coded 0, 1": (0, 1), "coded 1, 2": (1, 2), "scores": (-0.3, 2.1)},
    "bits": {"coded -1, +1": (-1, 1), "coded 1, 2": (1, 2), "posteriors": (0.25, 0.75)},
    "one-hot": {"coded -1, +1": (-1, 1), "posteriors": (0.25, 0.25), "only ones": (1, 1)},
    "shares": {"percent": (50, 10), "negative": (-0.5, 0.5)},
    "counts": {"negative": (-1, 3), "halves": (0.5, 3)},
    "classes": {"negative": (-1, 1), "halves": (0.5, 1)},
}


def looked_at_by_nobody(text):
    return text.startswith("...") or text.endswith("any")


TOLD = r"\b(found|holds|has|is)\b"


def bad(call, name, shapes, fixed):
    """What is no number, has other dimensions or other sizes than the rest, or another coding."""
    text, a, found = shapes[name], made(name, shapes[name]), {}
    for label, (change, words) in NOT_NUMBERS.items():
        found[label] = Bad(change(a), words)
    if not looked_at_by_nobody(text):
        found["nan"] = Bad(put(np.asarray(a, float), -1, np.nan) if np.ndim(a) else np.nan, "nan")
    is_array = not (text.startswith("number") or looked_at_by_nobody(text))
    for label, change in WRONG_SHAPES.items() if is_array and np.ndim(a) else ():
        if np.ndim(change(a)) not in dimensions_of(text):
            found[label] = Bad(change(a), TOLD)
    met = [letter.rstrip("?") for other in shapes.values() for letter in letters_of(other)]
    for axis, letter in enumerate(letters_of(text)) if is_array else ():
        for label, change in WRONG_SIZES.items():
            if label == "none" or met.count(letter.rstrip("?")) > 1:
                found[f"{label} along axis {axis}"] = Bad(change(a, axis), TOLD)
    if text == "number signs":
        found |= {"coded 0": Bad(0.0, "found 0"), "coded 2": Bad(2.0, "found 2")}
    for label, values in of_other_coding(call, text, fixed) if letters_of(text) else ():
        found[label] = Bad(np.resize(values, np.shape(a)).astype(float), TOLD)
    return found


def of_other_coding(call, text, fixed):
    """In ∇²E of a glm y does not enter, T(y) is y; and what a family cannot give has probability 0."""
    unlikely = call in (glm.log_density, glm.loss) and fixed["family"] is not glm.categorical
    words = set() if unlikely or call in (glm.hessian, glm.statistic) else OTHER_CODING.keys() & set(text.split())
    return [item for word in words for item in OTHER_CODING[word].items()]


def odd(a):
    if np.ndim(a):
        return forms(a)
    return {"Fraction": Fraction(a), "float32": np.float32(a), "0-d array": np.array(a)}


W_X, W_X_y, W_X_t = {"w": "d", "X": "N? d"}, {"w": "d", "X": "N d", "y": "N"}, {"w": "d", "X": "N d", "t": "N bits"}
LAM = {"lam": "number or d"}
MATRIX, ONE_HOT = {"W": "d K", "X": "N? d"}, {"W": "d K", "X": "N d", "T": "N K one-hot"}
PLANE = {"w": "d", "b": "number", "X": "N d", "y": "N signs"}
EACH = {"w": "d", "b": "number", "X": "N? d", "y": "N? signs"}
DUAL = {"alpha": "N positive", "K": "N N", "y": "N signs"}
OUTPUT = {"alpha": "N positive", "b": "number", "y": "N signs", "K": "M? N"}
POINT = svm.newton_start(np.eye(6, 3), np.array([1.0, -1, 1, -1, 1, -1]), 1.0)
SADDLE = {"w": "d", "b": "number", "alpha": "N positive", "X": "N d", "y": "N signs"}
FAMILIES = [(glm.gaussian, "d", "N"), (glm.bernoulli, "d", "N bits"), (glm.poisson, "d", "N counts"),
            (glm.categorical, "d m", "N classes")]  # fmt: skip

EQUATIONS = [
    *(equation(f, a="...") for f in (special.sign, special.sigmoid, special.sigmoid_derivative, special.softplus)),
    equation(special.logit, p="... share"),
    equation(special.soft_threshold, a="...", t="..."),
    *(equation(f, A="N K any") for f in (special.logsumexp, special.softmax)),
    equation(optimize.bfgs_update, B="d d", s="d", y="d"),
    equation(optimize.solve_scaled, H="d d", g="d"),
    equation(optimize.nonnegative_least_squares, A="N d", c="N"),
    equation(lr.predict, **W_X),
    *(equation(f, **W_X_y) for f in (lr.loss, lr.gradient, lr.hessian)),
    equation(reg.penalty, w="d", **LAM, rho="number"),
    *(equation(f, **W_X_y, **LAM, rho="number") for f in (reg.loss, reg.subgradient)),
    equation(reg.dual_loss, theta="N", X="N d", y="N", **LAM, rho="number"),
    *(equation(f, **W_X_y, **LAM) for f in (reg.ridge_loss, reg.ridge_gradient)),
    *(equation(f, eta="...", fixed={"family": family})
      for f in (glm.mean, glm.variance) for family, _, _ in FAMILIES[:3]),
    *(equation(f, eta="N m any", fixed={"family": glm.categorical}) for f in (glm.mean, glm.variance)),
    *(equation(f, eta="N m any") for f in (glm.with_reference, glm.categorical_a, glm.categorical_phi,
                                       glm.categorical_variance)),
    equation(glm.categorical_eta, phi="K positive or N K positive"),
    *(equation(glm.statistic, y=f"{y} or number", eta="N or number", fixed={"family": family})
      for family, w, y in FAMILIES[:3]),
    equation(glm.statistic, y="N classes or number", eta="N m or m", fixed={"family": glm.categorical}),
    *(equation(glm.log_density, y=f"{y} or number", eta="N or number", fixed={"family": family})
      for family, w, y in FAMILIES[:3]),
    equation(glm.log_density, y="N classes or number", eta="N m or m", fixed={"family": glm.categorical}),
    *(equation(glm.predict, w=w, X="N? d", fixed={"family": family}) for family, w, _ in FAMILIES),
    *(equation(f, w=w, X="N d", y=y, **LAM, fixed={"family": family})
      for f in (glm.loss, glm.gradient, glm.hessian) for family, w, y in FAMILIES),
    *(equation(f, w="d", X="N d", y=y, fixed={"family": family})
      for f in (glm.working_response, glm.dispersion) for family, _, y in FAMILIES[:1]),
    equation(glm.irls_step, w="d", X="N d", y="N", **LAM, fixed={"family": glm.gaussian}),
    equation(logreg.unit_step, a="..."),
    *(equation(f, **W_X) for f in (logreg.log_odds, logreg.odds, logreg.posterior)),
    *(equation(f, **W_X_t) for f in (logreg.likelihood, logreg.log_likelihood, logreg.working_response)),
    equation(logreg.penalty, w="d", **LAM, q="number"),
    *(equation(f, **W_X_t, **LAM) for f in (logreg.loss, logreg.gradient)),
    *(equation(f, w="d share", X="N d share", t="N bits", **LAM) for f in (logreg.irls_step, logreg.newton_step)),
    equation(logreg.hessian, w="d", X="N d", **LAM),
    *(equation(f, **MATRIX) for f in (smr.scores, smr.posterior)),
    equation(smr.predict, W="d K", X="N d"),
    equation(smr.jacobian, p="K or N K"),
    equation(smr.score_jacobian, x="d", fixed={"c": 1, "K": 3}),
    equation(smr.likelihood, **ONE_HOT),
    *(equation(f, **ONE_HOT, **LAM) for f in (smr.loss, smr.gradient)),
    equation(smr.hessian, W="d K", X="N d", **LAM),
    equation(smr.newton_step, W="d K share", X="N d share", T="N K one-hot", **LAM),
    equation(smr.reference_posterior, V="d m", X="N? d"),
    equation(smr.from_reference, V="d m"),
    equation(smr.to_reference, W="d K"),
    equation(smr.centered, W="d K or K"),
    equation(smr.two_class_weights, W="d 2"),
    equation(lsc.decision_function, **MATRIX),
    equation(lsc.predict, W="d K", X="N d"),
    *(equation(f, m="...") for f in (lsc.squared_loss, lsc.logistic_loss, lsc.zero_one_loss)),
    equation(lda.project, W="d m or d", X="N? d"),
    *(equation(f, W="d m", X="N d", t="N classes") for f in (lda.trace_ratio, lda.ratio_trace)),
    equation(lda.predict_by_threshold, w="d", tau="number", X="N? d"),
    equation(lda.predict, W="d m or d", M="K d", X="N d"),
    equation(naive_bayes.class_conditional, mu="d shares", X="N d bits"),
    *(equation(f, w="d", b="number", X="N? d")
      for f in (perceptron.decision_function, perceptron.predict, perceptron.distance)),
    equation(perceptron.misclassified, **EACH),
    *(equation(f, **PLANE) for f in (perceptron.loss, perceptron.total_distance, perceptron.gradient, perceptron.margin,
                                     perceptron.novikoff_bound)),
    equation(perceptron.update, w="d", b="number", x_i="d", y_i="number signs", eta="number"),
    equation(perceptron.distance_slope, w="d", b="number", x_i="d", y_i="number signs"),
    equation(perceptron.dual_update, alpha="N", b="number", y_i="number signs", eta="number", fixed={"i": 1}),
    *(equation(f, alpha="N positive", y="N signs", X="N d") for f in (perceptron.primal, svm.primal)),
    *(equation(f, **EACH) for f in (svm.distances, svm.hinge)),
    *(equation(f, **PLANE) for f in (svm.functional_margin, svm.geometric_margin)),
    equation(svm.primal_objective, **PLANE, C="number"),
    *(equation(f, **SADDLE) for f in (svm.lagrangian, svm.lagrangian_gradient)),
    equation(svm.kkt_residuals, **SADDLE, C="number"),
    equation(svm.dual_objective, **DUAL),
    equation(svm.bias, **DUAL),
    *(equation(f, **OUTPUT) for f in (perceptron.dual_decision_function, svm.dual_predict)),
    equation(svm.support_vectors, alpha="N"),
    *(equation(f, **DUAL, C="number") for f in (svm.scores_by_direction, svm.best_pair)),
    equation(svm.pair_step, **DUAL, C="number", fixed={"i": 0, "j": 1}),
    equation(svm.balanced, alpha="N positive", y="N signs"),
    equation(svm.primal_dual_gap, **SADDLE, C="number"),
    equation(svm.newton_start, X="N d", y="N signs", C="number"),
    equation(svm.newton_direction, X="N d", y="N signs", fixed={"point": POINT, "target": 1.0}),
    equation(svm.newton_step, X="N d", y="N signs", fixed={"point": POINT}),
    equation(svm.duality_gap, alpha="N positive", b="number", K="N N", y="N signs", C="number"),
    *(equation(f, theta="p", Phi="N p", y="N") for f in (kernel_lms.loss, kernel_lms.gradient)),
    equation(kernel_lms.feature_step, theta="p", phi_i="p", y_i="number", eta="number"),
    equation(kernel_lms.beta_step, beta="N", K="N N", y="N", eta="number"),
    equation(kernel_lms.stochastic_beta_step, beta="N", K="N N", y="N", eta="number", fixed={"i": 5}),
    equation(kernel_lms.primal, beta="N", Phi="N p"),
    equation(kernel_lms.predict, beta="N", K="M? N"),
]  # fmt: skip

INFINITE = (perceptron.novikoff_bound, svm.scores_by_direction)  # where the answer is inf, of sound numbers too

each_equation = pytest.mark.parametrize("e", EQUATIONS, ids=[e.id for e in EQUATIONS])


def same(found, expected, which=""):
    for a, b in zip(leaves(found), leaves(expected), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12, err_msg=which)


def test_every_public_function_is_listed():
    listed = {d.call for d in [*DOORS, *EQUATIONS]}
    missing = [
        name for name, f in public_functions() if f not in listed and name not in APART and "datasets." not in name
    ]
    assert not missing, (
        f"{missing} is in no table: add to EQUATIONS in tests/test_equations.py a line equation(module.name, ...) with "
        "the shape of each argument, as its neighbors have it; or, where it refuses more than shapes (its @takes "
        "says binary, sides, gram ...), to DOORS in "
        "tests/test_doors.py"
    )


@each_equation
def test_whole_numbers_give_a_finite_answer_by_position_and_by_name(e):
    """Every argument is in the table."""
    names = inspect.signature(e.call).parameters
    assert set(e.kinds) == set(names) - {"axis", "first"} - ({"C"} if e.call is svm.bias else set())
    arguments = e.arguments()
    found = e.call(**arguments)
    assert all(np.isfinite(a).all() for a in numbers_of(found)) or e.call in INFINITE
    same(e.call(*(arguments[name] for name in names if name in arguments)), found)


@each_equation
def test_bad_inputs_are_refused_in_words(e):
    wrong = {f"{a}, {label}": why for a, label, entry in inputs(e, "bad") if (why := complaint(e, a, entry))}
    assert not wrong, wrong


@each_equation
@pytest.mark.parametrize("n", [2, *slow([16])])
def test_other_forms_of_the_same_numbers_give_the_same_answer_and_stay_as_they_were(e, n):
    expected = e.call(**e.arguments())
    for which, changed in in_other_forms(e, EQUATIONS.index(e), n):
        before = {name: np.array(a, float) for name, a in changed.items()}
        same(e.call(**e.arguments(**changed)), expected, which)
        for name, a in before.items():
            np.testing.assert_array_equal(np.array(changed[name], float), a)


UNLIKELY = [
    e for e in EQUATIONS if e.call in (glm.log_density, glm.loss) and {"bits", "counts"} & {*e.given["y"].split()}
]


@pytest.mark.parametrize("e", UNLIKELY, ids=lambda e: e.id)
def test_what_a_family_cannot_give_has_probability_0(e):
    word = {"bernoulli": "bits", "poisson": "counts"}[e.arguments()["family"].name]
    for values in OTHER_CODING[word].values():
        found = e.call(**e.arguments(y=np.resize(values, 6).astype(float)))
        assert not np.isfinite(found).all(), values


PASSED_ON = [e for e in EQUATIONS if any(map(looked_at_by_nobody, e.given.values()))]
PASSED_ON = [e for e in PASSED_ON if not e.id.startswith("glm.variance-gaussian")]  # which is 1 everywhere


@pytest.mark.parametrize("e", PASSED_ON, ids=lambda e: e.id)
def test_nan_in_is_nan_out_where_the_entries_are_not_looked_at(e):
    for name, value in e.arguments().items():
        if looked_at_by_nobody(e.given.get(name, "")):
            value = put(np.broadcast_to(value, np.shape(value) or 2).copy(), -1, np.nan)
            found = np.isnan(e.call(**e.arguments(**{name: value})))
            assert found[-1].any() and not found[0].any(), (
                f"NaN at the end of {name} must be NaN there, and nowhere else"
            )


@pytest.mark.parametrize("e", [e for e in EQUATIONS if "?" in " ".join(e.given.values())], ids=lambda e: e.id)
def test_one_sample_alone_has_its_share_of_the_answer(e):
    all_of_them = e.call(**e.arguments())
    several = {name: e.arguments()[name] for name, text in e.given.items() if "?" in text}
    for n in range(len(all_of_them)):
        alone = {name: a[n] for name, a in several.items()}
        same(e.call(**e.arguments(**alone)), all_of_them[n])
        if "y" in alone:
            with pytest.raises(ValueError, match=r"^y must be of shape \(N,\), N = "):
                e.call(**e.arguments(y=alone["y"]))


def test_a_body_alone_takes_fractions():
    """They stay exact, which derivations line by line are tested with."""
    y, Phi, theta = np.array([Fraction(1, 3)]), np.array([[Fraction(1, 7)]]), np.array([Fraction(2, 3)])
    assert unchecked(kernel_lms.loss)(theta, Phi, y) == (Fraction(1, 3) - Fraction(2, 21)) ** 2 / 2
    assert unchecked(lr.gradient)(theta, Phi, y)[0] == 2 * Fraction(1, 7) * (Fraction(2, 21) - Fraction(1, 3))

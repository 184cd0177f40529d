"""models: what a model asks of several arguments together, each check by itself;
through the chapters they are called in test_glm, test_naive_bayes, test_kernels and test_kernel_lms."""

import inspect

import numpy as np
import pytest
from cases import each

from linmodels import glm, naive_bayes
from linmodels.guards import models

inf = np.inf
X, ZEROS, LONG = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.zeros((3, 2)), np.array([[1e75]])
T, W, V = np.array([0.0, 1.0, 1.0]), np.zeros(2), np.zeros((2, 2))  # labels; weights of numbers η, and of vectors
bits = naive_bayes.bernoulli(0.5, [0.2, 0.7], [0.4, 0.9])
never = naive_bayes.bernoulli(0.5, [0.0, 0.5], [0.0, 0.5])  # x_0 = 1 has probability 0
alone = naive_bayes.bernoulli(1.0, [0.0, 0.5], [0.5, 0.5])  # so it has where class 0 is never met
sure = naive_bayes.bernoulli(1.0, [0.5, 0.5], [0.5, 0.5])
three, pair, triples = (  # of 3 classes of bits; of 2 and 3 classes of values 0, 1, 2
    naive_bayes.Model(np.full(K, 1 / K), np.full((K, 2, M), 1 / M), np.array([M, M]))
    for K, M in ((3, 2), (2, 3), (3, 3))
)
FAMILY = "family must be glm.gaussian, glm.bernoulli, glm.categorical, glm.poisson or another glm.Family, found "
NEVER = "the sample in row 0 has probability 0 in every class: its posterior is 0/0; fit with smoothing > 0"

BAD = [
    (models.values_to_count, (2 * X, T), "X holds 2 at row 0, column 0; bits, 0 and 1, are expected: X > 0 makes"),
    (models.values_to_count, (X, T, (2, 1)), "X holds 1 at row 1, column 1; feature 1 has the values 0..0 by n_val"),
    *((models.shares_exist, a, "counts and smoothing must be finite numbers >= 0") for a in ((-T,), (T, -1), (T, inf))),
    (models.shares_exist, (ZEROS, 0.0), "counts are all 0: without smoothing the shares are 0/0; give smoothing > 0"),
    (models.values_of_model, (bits, X[:, :1]), "X has 1 features; 2 are expected, as in the data of the fit"),
    (models.values_of_model, (triples, 3 * X), "X holds 3 at row 0, column 0; feature 0 has the values 0..2 by n_val"),
    (models.classes_of_model, (bits, 2 * X, T), "X holds 2 at row 0, column 0; bits, 0 and 1, are expected"),
    (models.classes_of_model, (bits, X, 2 * T), "t must hold the class numbers 0..1, found [0. 2.]; give those of"),
    (models.possible_in_model, (bits, 2 * X), "X holds 2 at row 0, column 0; bits, 0 and 1, are expected"),
    *((models.possible_in_model, (model, X), NEVER) for model in (never, alone)),
    (models.possible_in_two_classes, (triples, X), "the model has 3 classes; the odds are of two: see log_joint"),
    (models.possible_in_two_classes, (never, X), NEVER),
    (models.positive_model_of_bits, (three,), "theta has shape (3, 2, 2); two classes of bits, (2, d, 2), are exp"),
    (models.positive_model_of_bits, (pair,), "theta has shape (2, 2, 3); two classes of bits, (2, d, 2), are expec"),
    *((models.positive_model_of_bits, (m,), "a probability of the model is 0: its weight") for m in (never, sure)),
    *((models.exponential_family, (family,), FAMILY + repr(family)[:60]) for family in ("gaussian", glm.Family)),
    *((check, (T, T, None), FAMILY + "None") for check in (models.family_targets, models.family_numbers)),
    (models.family_weights, (V, glm.poisson), "w must have the shape (d,) for the family poisson, found (2, 2)"),
    (models.family_weights, (W, glm.categorical), "w must have the shape (d, K - 1), K classes, for the family cat"),
    (models.family_targets, (V, T, glm.poisson), "w must have the shape (d,) for the family poisson, found (2, 2)"),
    (models.family_targets, (W, 2 * T, glm.bernoulli), "y must hold 0 and 1 only, found [0. 2.]; compare with one"),
    (models.family_targets, (V, 3 * T, glm.categorical), "y must hold the class numbers 0..2, found [0. 3.]; give"),
    (models.family_numbers, (V, T, glm.categorical), "family must have a number η for each sample, found categori"),
    (models.family_numbers, (W, -T, glm.poisson), "y must hold counts 0, 1, 2, ..., found -1 at position 1"),
    (models.family_residuals, (V, T, glm.categorical), "family must have a number η for each sample, found categori"),
    (models.family_residuals, (W, T[:2], glm.poisson), "X has 2 rows for 2 weights; more samples than weights are"),
    (models.family_parameters, (T, V, glm.poisson), "eta must be a number for each y, the family is poisson; found"),
    (models.family_parameters, (T, 1.0, glm.categorical), "eta must be a vector for each y, the family is categor"),
    (models.family_parameters, (3 * T, W, glm.categorical), "y must hold the class numbers 0..2, found [0. 3.]; gi"),
    (models.family_parameters, (T, W, glm.poisson), "y and eta must be as many numbers, or one, found shapes (3,)"),
    (models.family_parameters, (T, T, None), FAMILY + "None"),
    (models.family_data, (T, None), FAMILY + "None"),
    (models.family_data, (T + 1, glm.categorical), "y must hold the class numbers 0..K-1, each of them and at least"),
    (models.family_start, (X, T / 2, glm.poisson), "y must hold counts 0, 1, 2, ..., found 0.5 at position 1"),
    (models.family_start, (X, T, glm.categorical, W), "w must have shape (2, 1), a row per column of X, found (2,)"),
    (models.curved, (ZEROS, W), "X holds only zeros: the loss does not depend on w; give samples that differ from 0"),
    (models.positive_diagonal, (np.diag([1.0, 0.0]),), "K must have a positive diagonal, found K[1, 1] = 0: φ(x)"),
    (models.mostly_distinct, (X[:1],), "X has 1 row; at least two samples are expected: a distance needs a pair"),
    (models.mostly_distinct, (ZEROS,), "X holds mostly equal samples: the median distance is 0; distinct ones are"),
    (models.powers_in_range, (LONG, LONG, 1.0, 3), "X has samples so long that (x·z + c)^3 may reach 1e+150^3"),
    (models.cubes_in_range, (LONG, LONG), "X has samples so long that 1 + s + s² + s³, s = x·z, may reach 1e+150^3"),
    (models.products_in_range, (LONG, 1.0, 5), "X has samples so long that a product of 5 features may reach 1e+75"),
]
GOOD = {
    models.values_to_count: [(X, T), (2 * X, T, 3), (X, T, (2, 2))],
    models.shares_exist: [(T,), (T, 0.0), (ZEROS,)],
    models.values_of_model: [(bits, X), (triples, 2 * X), (never, X)],
    models.classes_of_model: [(bits, X, T), (bits, X, 0 * T), (triples, 2 * X, 2 * T)],
    models.possible_in_model: [(bits, X), (never, X[1:2]), (alone, X[1:2]), (triples, 2 * X)],
    models.possible_in_two_classes: [(bits, X), (never, X[1:2])],
    models.positive_model_of_bits: [(bits,)],
    models.exponential_family: [(glm.gaussian,), (glm.bernoulli,), (glm.categorical,), (glm.poisson,)],
    models.family_weights: [(W, glm.gaussian_with(2.0)), (V, glm.categorical)],
    models.family_targets: [(W, -T, glm.gaussian), (V, 2 * T, glm.categorical)],
    models.family_numbers: [(W, T, glm.bernoulli)],
    models.family_residuals: [(W, 3 * T, glm.poisson)],
    models.family_parameters: [
        (T, 1.0, glm.poisson),
        (1, T, glm.poisson),
        (T, T, glm.poisson),
        (T, W, glm.categorical),
    ],
    models.family_data: [(3 * T, glm.poisson), (T, glm.categorical)],
    models.family_start: [(X, T, glm.poisson), (X, T, glm.poisson, W), (X, T, glm.categorical, V[:, :1])],
    models.curved: [(X,), (ZEROS, 0.1), (ZEROS, T[:2])],
    models.positive_diagonal: [(np.diag([1.0, 1e-150]),)],
    models.mostly_distinct: [(X,), (np.repeat(X[:2], 2, axis=0),)],
    models.powers_in_range: [(LONG, LONG), (LONG, LONG, 1.0, 0), (X, X, 0.0, 999), (ZEROS, X, 0.0, 3)],
    models.cubes_in_range: [(LONG, 1e-48 * LONG)],
    models.products_in_range: [(LONG, 1.0, 4), (X, 0.0, 999)],
}


@each("check, args, message", BAD, ids=lambda part: getattr(part, "__name__", ""))
def test_what_does_not_fit_together(check, args, message):
    with pytest.raises(TypeError if message.startswith(FAMILY) else ValueError) as refusal:
        check(*args)
    assert str(refusal.value).startswith(message)


@each("check", GOOD, ids=lambda check: check.__name__)
def test_what_fits_together(check):
    for args in GOOD[check]:
        check(*args)


def test_every_check_is_asked_for_good_and_bad():
    public = {f for name, f in inspect.getmembers(models, inspect.isfunction) if not name.startswith("_")}
    assert {row[0] for row in BAD} == set(GOOD) == public - {models.not_diverged}


def test_too_long_a_step_is_named():
    """Of an array, and of states, of which all before the error are finite."""

    @models.not_diverged
    def states(a, eta):
        return ((a * eta**k,) for k in range(3))

    message = r"^the coefficients overflow: eta = 1e\+200 is too long a step; largest_step\(K\) bounds it$"
    assert models.not_diverged(lambda a, eta: a * eta)(T, 2.0).tolist() == [0, 2, 2]
    assert [a.max() for (a,) in states(T, eta=2.0)] == [1, 2, 4]
    found = states(T, eta=np.float64(1e200))
    assert [next(found)[0].max(), next(found)[0].max()] == [1, 1e200]
    with pytest.raises(FloatingPointError, match=message):
        next(found)
    with pytest.raises(FloatingPointError, match=message):
        models.not_diverged(lambda a, eta: 1e200 * a * eta)(T, 1e200)

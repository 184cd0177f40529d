"""design: from data to the X, T, y of the equations."""

from itertools import product
from math import comb

import numpy as np
import pytest

from linmodels.design import augment, free_bias, gaussian_basis, monomials, one_hot, signs

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])  # N = 2 samples of d = 3 features
W, B = np.array([2.0, -1.0, 0.5]), 7.0

# --- augment ------------------------------------------------------------------------------------------------


@pytest.mark.equation("A-1.2-4", "A-1.3-2", "A-3.2-2")
def test_design_matrix_has_one_augmented_sample_per_row():
    assert augment(X).tolist() == [[1, 2, 3, 1], [4, 5, 6, 1]]


@pytest.mark.equation("A-1.2-2", "A-1.3-2", "A-0-1", "A-0-3")
def test_augmented_product_is_score_with_bias():
    """w~·x~ = w·x + b, the bias last in w~ as the 1 is last in x~."""
    assert X[0].shape == W.shape == (3,)
    for x, x_aug in zip(X, augment(X), strict=True):
        assert np.append(W, B) @ x_aug == W @ x + B


@pytest.mark.equation("D-1-3")
def test_columns_of_note_D_are_rows_of_note_A():
    X_D = np.column_stack([X[0], X[1]])  # samples as columns, as note D writes them
    assert X_D.shape == (3, 2)
    np.testing.assert_array_equal(X_D.T, X)


@pytest.mark.equation("A-1.2-4")
@pytest.mark.erratum("ERR-A03")
def test_plain_samples_do_not_fit_augmented_weights():
    w_aug = np.append(W, B)
    with pytest.raises(ValueError, match="mismatch"):
        X @ w_aug  # printed: rows x_i, n columns, against n + 1 weights
    np.testing.assert_array_equal(augment(X) @ w_aug, X @ W + B)


@pytest.mark.equation("A-1.2-4")
@pytest.mark.erratum("ERR-A04")
def test_sample_index_comes_first():
    """Entry (r, c) is feature c of sample r, x_(r,c); the printed x_(c,r) gives an array of the other shape."""
    x = dict(zip(product(range(2), range(3)), X.ravel(), strict=True))  # x[i, j] = x_(i,j), x_i = (x_i1, x_i2, x_i3)
    printed = [[x[c, r] for c in range(2)] for r in range(3)]
    right = [[x[r, c] for c in range(3)] for r in range(2)]
    assert np.shape(printed) != (2, 3)
    np.testing.assert_array_equal(right, augment(X)[:, :-1])


# --- monomials, gaussian_basis ------------------------------------------------------------------------------


@pytest.mark.parametrize("d, degree", [(1, 4), (2, 3), (3, 2)])
def test_monomials_are_products_of_features_as_many_as_the_binomial_says(d, degree):
    assert monomials([[2, 3]], 1).tolist() == [[2, 3]]
    assert monomials([[2, 3]], 3).tolist() == [[2, 3, 4, 6, 9, 8, 12, 18, 27]]
    assert monomials(np.ones((2, d)), degree).shape == (2, comb(d + degree, degree) - 1)


@pytest.mark.parametrize("N, d, degree", [(1, 1, 2**63), (1, 100, 20), (10**6, 2, 15)], ids=str)
def test_a_degree_beyond_reason_is_refused_before_it_takes_the_memory(N, d, degree):
    with pytest.raises(ValueError, match=rf"degree must be lower, found {degree}: of {d} features it makes too many"):
        monomials(np.ones((N, d)), degree)


def test_gaussian_basis_falls_with_the_distance_in_all_features():
    """1 on the center, e^(-1/2) at the distance s, e^(-2) at 2s, 0 far away; (3, 4) is 5 from 0."""
    Phi = gaussian_basis([[0.0], [3.0], [6.0], [1e75]], [[0.0]], s=3.0)
    np.testing.assert_allclose(Phi, np.exp([[0.0], [-0.5], [-2.0], [-np.inf]]), rtol=1e-15)
    np.testing.assert_allclose(gaussian_basis([[3.0, 4.0]], [[0, 0], [3, 4]], 5.0), [[np.exp(-0.5), 1]], rtol=1e-15)


# --- codings ------------------------------------------------------------------------------------------------


@pytest.mark.equation("C-1-2", "C-1-4", "D-2-8", "D-3-5")
def test_one_hot_codes_two_classes_and_more():
    assert one_hot([1, 0, 1]).tolist() == [[0, 1], [1, 0], [0, 1]]
    assert one_hot([2, 0, 1]).tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    assert one_hot([2, 0], K=4).tolist() == [[0, 0, 1, 0], [1, 0, 0, 0]]  # the classes 1 and 3 are empty


@pytest.mark.erratum("ERR-C03")
def test_a_label_is_a_number_its_one_hot_code_a_vector():
    """C prints a bold y for the scalar output and a plain t for the one-hot label: it is the other way round."""
    t = np.array([2, 0, 1])
    assert np.ndim(t[0]) == 0  # y = h(x): plain
    assert one_hot(t)[0].shape == (3,)  # t one-hot: bold
    np.testing.assert_array_equal(one_hot(t).argmax(axis=1), t)


@pytest.mark.parametrize(
    "t, K, message",
    [
        ([0, 2, 5], None, r"found none of class 1; np\.unique.*numbers .* without gaps"),  # would become six classes
        ([1, 2, 3], None, r"found none of class 0; np\.unique.*numbers .* without gaps"),
        ([1], None, r"found none of class 0; np\.unique.*numbers .* without gaps"),
        ([0, 3], 3, r"t must hold class numbers 0\.\.2, found 3"),
        ([-1, 0], 2, r"t must hold class numbers 0\.\.1, found -1"),
        ([0.5, 1], None, r"t must hold class numbers 0\.\.1, found 0.5"),
        ([0], 10**9, "K must be at most 1000000, found 1000000000"),
        (["setosa", "virginica"], None, r"t holds text; .*; np\.unique\(t, return_inverse=True\)\[1\] numbers"),
    ],
    ids=str,
)
def test_one_hot_refuses_what_numbers_no_class(t, K, message):
    with pytest.raises((ValueError, TypeError), match=message):
        one_hot(t, K)


def test_signs_worked():
    assert signs([0, 1, 1]).tolist() == [-1, 1, 1]
    assert signs(np.array([True, False])).tolist() == [1, -1]


def test_free_bias_frees_the_last_column():
    assert free_bias(0.5, 3).tolist() == [0.5, 0.5, 0]
    assert free_bias([1.0, 2.0, 3.0], 3).tolist() == [1, 2, 0]
    assert free_bias(2.0, 1).tolist() == [0]

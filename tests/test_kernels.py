"""kernels: the linear kernel and Gram matrices, as far as chapter 09 needs them."""

import numpy as np
import pytest

from linmodels.kernels import gram, linear

X = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]])  # Li Hang, Statistical Learning Methods, example 2.2
Z = np.array([[2.0, -1.0], [0.0, 5.0]])

# --- worked values ------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.4-4", "B-dualalg-3")
def test_gram_matrix_of_li_hang():
    assert gram(linear, X).tolist() == [[18, 21, 6], [21, 25, 7], [6, 7, 2]]


# --- identities ---------------------------------------------------------------------------------------------


@pytest.mark.equation("B-dualalg-2")
@pytest.mark.erratum("ERR-B11")
def test_an_inner_product_is_a_number():
    """Printed x_j^T·x_i: after the transpose the two differ in shape, and Σ of their products is (Σ x_j)(Σ x_i)."""
    column_j, column_i = np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]])
    assert np.sum(column_j.T * column_i) == (1 + 2) * (3 + 4)
    assert (column_j.T @ column_i).item() == 1 * 3 + 2 * 4
    product = column_j[:, 0] @ column_i[:, 0]  # the book's vectors have one dimension: no transpose
    assert np.ndim(product) == 0
    assert linear(column_j.T, column_i.T) == product == 11


@pytest.mark.equation("A-5.3.4-4", "B-dualalg-3")
def test_gram_is_every_pair_by_the_kernel():
    np.testing.assert_array_equal(gram(linear, X), [[a @ b for b in X] for a in X])
    np.testing.assert_array_equal(gram(linear, X), X @ X.T)


@pytest.mark.equation("A-5.3.4-4")
@pytest.mark.erratum("ERR-A54")
def test_the_printed_gram_matrix_is_its_diagonal():
    """[x_i·x_i] has no second index: one number per sample, not per pair."""
    printed = np.array([x @ x for x in X])
    assert printed.shape == (3,)
    np.testing.assert_array_equal(np.diag(gram(linear, X)), printed)
    assert (gram(linear, X) != np.diag(printed)).any()


def test_gram_is_symmetric_and_positive_semidefinite():
    """z·Gz = ‖Σ z_i x_i‖² >= 0, zero only where the samples are dependent (3 samples in the plane: once)."""
    G = gram(linear, X)
    np.testing.assert_array_equal(G, G.T)
    eigenvalues = np.linalg.eigvalsh(G)
    assert (eigenvalues >= -1e-14 * eigenvalues[-1]).all()
    assert np.linalg.matrix_rank(G) == 2


def test_gram_takes_any_kernel():
    np.testing.assert_array_equal(gram(lambda X, Z: linear(X, Z) ** 2, X), (X @ X.T) ** 2)


def test_linear_of_two_sets():
    assert linear(X, Z).tolist() == [[3, 15], [5, 15], [1, 5]]
    np.testing.assert_array_equal(linear(X, Z), linear(Z, X).T)


# --- edges --------------------------------------------------------------------------------------------------


def test_different_features():
    with pytest.raises(ValueError, match="X has 2 features but Z has 3"):
        linear(X, np.ones((2, 3)))


def test_bad_samples_are_named():
    with pytest.raises(ValueError, match="Z holds inf at row 0, column 1"):
        linear(X, [[1.0, np.inf]])
    with pytest.raises(ValueError, match="X must have 2 dimensions"):
        linear([1.0, 2.0], X)


def test_any_layout_and_integers():
    wide = np.arange(24).reshape(4, 6)
    wide.setflags(write=False)
    np.testing.assert_array_equal(gram(linear, wide[:, ::2]), gram(linear, wide[:, ::2].astype(float)))

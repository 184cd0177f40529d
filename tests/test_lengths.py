"""The room of rows and columns of very different lengths; chapter 01 opens it (test_linear_regression.py)."""

import numpy as np
import pytest

from linmodels import lengths


def test_alike_compares_rows_and_columns_zeros_aside():
    assert lengths.alike(np.array([[1.0, 0.0, 2e-3], [0.0, 0.0, -1.0]]), 1e-3)
    assert lengths.alike(np.zeros((2, 2)), 1.0)
    assert not lengths.alike(np.array([[1.0, 1e-4], [1.0, 1e-5]]), 1e-3)
    assert not lengths.alike(np.array([[1.0, 1.0], [1e-4, 1e-4]]), 1e-3)
    assert not lengths.alike(np.array([[1.0, 1e-2], [1e-2, 1e-5]]), 1e-3)


def test_singular_values_are_small_for_short_columns_or_for_dependent_ones():
    short, near = np.diag([1.0, 1e-9]), np.array([[1.0, 1.0], [1.0, 1.0 + 1e-9]])
    for X, expected in ((short, True), (near, False), (np.eye(2), False)):
        assert lengths.unlike(X, np.linalg.svd(X, compute_uv=False)) == expected


@pytest.mark.parametrize("X", [np.diag([1e9, 1.0, 0.0]), np.array([[3e150, 4e150, 0.0], [0.0, 0.0, 1e-150]])])
def test_at_unit_length_nothing_but_the_lengths_is_taken_out(X):
    Z, columns, rows = lengths.at_unit_length(X)
    np.testing.assert_allclose(rows[:, None] * Z * columns, X, rtol=1e-15)
    assert (columns[~X.any(axis=0)] == 0).all() and np.abs(Z).max() <= 1 + 1e-15


def test_the_shortest_weights_and_what_is_orthogonal_to_them():
    """w_1 c_1 + w_2 c_2 = h for c = (1e-120, 1e120): w = hc/‖c‖², and (c_2, -c_1)/‖c‖ beside it."""
    Vt, c = np.array([[1.0, 1.0]]) / np.sqrt(2), np.array([1e-120, 1e120])
    w = lengths.minimum_norm(c[None], np.array([3.0]))
    np.testing.assert_allclose(w, [0.0, 3e-120], rtol=1e-14, atol=1e-300)
    np.testing.assert_allclose(np.abs(lengths.orthogonal_to(Vt, c)), [[1.0], [1e-240]], rtol=1e-14)

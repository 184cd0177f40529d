"""datasets: real sets as published, generators as promised."""

import numpy as np
import pytest

from linmodels.datasets import cars, iris, longley, separable
from linmodels.perceptron import decision_function, distance


def rng(seed=0):
    return np.random.default_rng(seed)


# --- real sets: published figures ---------------------------------------------------------------------------


def test_cars():
    """R: summary(cars) gives the means 15.4 mph and 42.98 ft."""
    table = cars()
    assert (table.X.shape, table.y.shape) == ((50, 1), (50,))
    assert (table.X.mean(), table.y.mean()) == (15.4, 42.98)
    assert (table.features, table.target, table.classes) == (("speed",), "dist", ())


def test_longley():
    """R: the first row of `longley`, 1947, and the largest of each column, all in 1962 but Unemployed, Armed.Forces."""
    table = longley()
    assert table.X.shape == (16, 6)
    assert table.X[0].tolist() == [83.0, 234.289, 235.6, 159.0, 107.608, 1947]
    assert table.X.max(axis=0).tolist() == [116.9, 554.894, 480.6, 359.4, 130.081, 1962]
    assert (table.y[0], table.y[-1], table.target) == (60.323, 70.551, "Employed")


def test_iris():
    """Fisher (1936), table 2: the means of the three species."""
    table = iris()
    assert table.X.shape == (150, 4)
    assert np.bincount(table.y).tolist() == [50, 50, 50]
    assert table.classes == ("setosa", "versicolor", "virginica")
    means = [table.X[table.y == k].mean(axis=0) for k in range(3)]
    np.testing.assert_allclose(
        means,
        [[5.006, 3.428, 1.462, 0.246], [5.936, 2.770, 4.260, 1.326], [6.588, 2.974, 5.552, 2.026]],
        rtol=1e-14,
    )


@pytest.mark.parametrize("load", [cars, longley, iris])
def test_each_call_gives_arrays_of_its_own(load):
    load().X[0, 0] = -1
    assert load().X[0, 0] != -1


@pytest.mark.parametrize("load", [cars, longley, iris])
def test_a_table_says_where_it_comes_from(load):
    table = load()
    assert len(table.features) == table.X.shape[1]
    assert len(table.X) == len(table.y)
    assert table.source


# --- generators ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 5])
def test_separable_keeps_the_gap(d):
    X, y, w, b = separable(30, d, gap=0.25, rng=rng(3))
    assert (X.shape, y.shape, w.shape) == ((30, d), (30,), (d,))
    assert np.linalg.norm(w) == pytest.approx(1)
    assert (distance(w, b, X) > 0.25 * (1 - 1e-12)).all()
    np.testing.assert_array_equal(y, np.sign(decision_function(w, b, X)))
    assert set(y) == {-1, 1}


@pytest.mark.parametrize("N", [2, 20])
def test_separable_has_both_classes_whatever_the_seed(N):
    for seed in range(30):
        assert set(separable(N, d=3, gap=0.1, rng=rng(seed))[1]) == {-1, 1}


def test_the_seed_decides():
    first, again, other = (separable(5, gap=0.1, rng=rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first[0], again[0])
    np.testing.assert_array_equal(first[1], again[1])
    assert (first[0] != other[0]).any()


# --- doors --------------------------------------------------------------------------------------------------


def test_a_gap_too_wide():
    with pytest.raises(ValueError, match="gap = 10 leaves fewer than N = 5 samples"):
        separable(5, gap=10.0, rng=rng())


def test_a_gap_below_zero():
    with pytest.raises(ValueError, match="gap must be >= 0, found -1"):
        separable(5, gap=-1.0, rng=rng())


def test_too_few_samples():
    with pytest.raises(ValueError, match="N must be a whole number >= 2, found 1"):
        separable(1, gap=0.1, rng=rng())


@pytest.mark.parametrize("seed", [0, None])
def test_a_seed_is_no_generator(seed):
    with pytest.raises(TypeError, match=r"np\.random\.default_rng\(0\) makes one"):
        separable(5, gap=0.1, rng=seed)

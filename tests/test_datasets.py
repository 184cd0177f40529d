"""datasets: real sets as published, generators as promised."""

import numpy as np
import pytest

from linmodels import datasets
from linmodels.datasets import (
    anes,
    cars,
    clusters,
    diabetes,
    digits,
    iris,
    longley,
    menarche,
    messages,
    orings,
    outliers,
    recreation,
    rings,
    separable,
    titanic,
    trees,
    wine,
)
from linmodels.perceptron import decision_function, distance

REAL = [anes, cars, diabetes, digits, iris, longley, menarche, orings, outliers, recreation, titanic, trees, wine]


def rng(seed=0):
    return np.random.default_rng(seed)


# --- real sets: published figures ---------------------------------------------------------------------------


def test_cars_and_longley():
    """R: summary(cars) gives the means 15.4 mph and 42.98 ft; the first row of `longley`, 1947, and the largest of each
    column, all in 1962 but Unemployed, Armed.Forces."""
    table = cars()
    assert (table.X.shape, table.X.mean(), table.y.mean()) == ((50, 1), 15.4, 42.98)
    assert (table.features, table.target, table.classes) == (("speed",), "dist", ())
    table = longley()
    assert (len(table.X), table.y[0], table.y[-1], table.target) == (16, 60.323, 70.551, "Employed")
    assert table.X[0].tolist() == [83.0, 234.289, 235.6, 159.0, 107.608, 1947]
    assert table.X.max(axis=0).tolist() == [116.9, 554.894, 480.6, 359.4, 130.081, 1962]


def test_iris():
    """Fisher (1936), table 2: the means of the three species."""
    table = iris()
    assert np.bincount(table.y).tolist() == [50, 50, 50]
    assert table.classes == ("setosa", "versicolor", "virginica")
    means = [table.X[table.y == k].mean(axis=0) for k in range(3)]
    printed = [[5.006, 3.428, 1.462, 0.246], [5.936, 2.770, 4.260, 1.326], [6.588, 2.974, 5.552, 2.026]]
    np.testing.assert_allclose(means, printed, rtol=1e-14)


def test_diabetes():
    """scikit-learn's load_diabetes: columns of mean 0 and length 1; the mean of the target is its printed intercept."""
    table = diabetes()
    np.testing.assert_allclose(table.X.mean(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(table.X, axis=0), 1, rtol=1e-12)
    assert table.y.mean() == pytest.approx(152.13348416, abs=5e-9)
    assert (len(table.y), table.y[0], table.y[-1], table.y.min(), table.y.max()) == (442, 151, 57, 25, 346)
    assert table.features == ("age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6")


def test_trees():
    """R: summary(trees)."""
    table = trees()
    assert (table.X.shape, table.features, table.target) == ((31, 2), ("Girth", "Height"), "Volume")
    columns = [*table.X.T, table.y]
    assert [round(c.mean(), 2) for c in columns] == [13.25, 76, 30.17]
    assert [np.median(c) for c in columns] == [12.9, 76, 24.2]
    assert [(c.min(), c.max()) for c in columns] == [(8.3, 20.6), (63, 87), (10.2, 77)]


def test_menarche():
    """Milicer and Szczotka (1966): 3918 girls; none of the youngest group, all of the oldest."""
    table = menarche()
    age, total = table.X.T
    assert (table.features, table.target, len(age)) == (("Age", "Total"), "Menarche", 25)
    assert (total.sum(), age[0], age[-1]) == (3918, 9.21, 17.58)
    assert (table.y[0], table.y[-1]) == (0, total[-1])
    assert ((0 <= table.y) & (table.y <= total)).all() and (np.diff(age) > 0).all()


def test_recreation():
    """Cameron and Trivedi (1998): 659 households, 2.244 trips in the mean, none for 417 of them."""
    table = recreation()
    assert (table.X.shape, table.target) == ((659, 7), "trips")
    assert table.features == ("quality", "skiyes", "income", "userfeeyes", "costC", "costS", "costH")
    assert (round(table.y.mean(), 3), (table.y == 0).sum()) == (2.244, 417)
    assert all(set(table.X[:, j]) == {0, 1} for j in (1, 3)) and set(table.X[:, 0]) == {0, 1, 2, 3, 4, 5}
    assert (table.y >= 0).all() and (table.y == np.round(table.y)).all()


def test_orings():
    """Dalal, Fowlkes and Hoadley (1989), table 1: distress in 7 of 23 flights, in all four below 65 F."""
    table = orings()
    assert (table.X.shape, table.features, table.target) == ((23, 1), ("temperature",), "distress")
    temperature = table.X[:, 0]
    assert (temperature.min(), temperature.max(), table.y.sum(), set(table.y)) == (53, 81, 7, {0, 1})
    assert table.y[temperature < 65].tolist() == [1] * 4
    assert sorted(temperature[table.y == 1].tolist()) == [53, 57, 58, 63, 70, 70, 75]


def test_anes():
    """statsmodels' anes96: 944 voters, ln(population + 0.1), the scales of the questions, all seven parties."""
    table = anes()
    assert (table.X.shape, table.target, table.classes) == ((944, 5), "party", ())
    assert table.features == ("log_population", "left_right", "age", "education", "income")
    assert np.bincount(table.y.astype(int)).tolist() == [200, 180, 108, 37, 94, 150, 175]
    assert [set(table.X[:, j]) for j in (1, 3, 4)] == [set(range(1, m + 1)) for m in (7, 7, 24)]
    population = np.exp(table.X[:, 0]) - 0.1
    np.testing.assert_allclose(population, np.round(population), atol=1e-8 * (1 + population.max()))
    assert (population.min(), population.max(), table.X[:, 2].min(), table.X[:, 2].max()) == pytest.approx(
        (0, 7300, 19, 91), abs=1e-4
    )


def test_outliers():
    """Two classes of 25, five outliers of class 1 that come last and lie on its side, far off."""
    table = outliers()
    assert (table.X.shape, table.features, table.target, table.classes) == ((55, 2), ("x1", "x2"), "class", ())
    assert table.y.tolist() == [0] * 25 + [1] * 30
    assert np.linalg.norm(table.X[50:] - [5, 10], axis=1).max() < 4  # far from the 50, which reach a length of 3.4
    assert np.linalg.norm(table.X[:50], axis=1).max() < 3.4 < 8 < np.linalg.norm(table.X[50:], axis=1).min()
    np.testing.assert_allclose(table.X[:25].mean(axis=0), [-1, -1], atol=3 / np.sqrt(25))
    np.testing.assert_allclose(table.X[25:50].mean(axis=0), [1, 1], atol=3 / np.sqrt(25))


def test_wine():
    """UCI, wine.names: 59, 71 and 48 wines; scikit-learn's load_wine: the table of least, largest, mean and deviation;
    Coghlan, A Little Book of R for Multivariate Analysis: the means of the alcohol of each cultivar."""
    table = wine()
    assert (table.X.shape, table.target, table.y.dtype.kind) == ((178, 13), "cultivar", "i")
    assert np.bincount(table.y).tolist() == [59, 71, 48]
    assert table.classes == ("cultivar 1", "cultivar 2", "cultivar 3")
    alcohol = table.X[:, table.features.index("alcohol")]
    assert round(alcohol.mean(), 4) == 13.0006
    assert [round(alcohol[table.y == k].mean(), 6) for k in range(3)] == [13.744746, 12.278732, 13.15375]
    published = {
        "alcohol": (11.0, 14.8, 13.0, 0.8),
        "malic_acid": (0.74, 5.80, 2.34, 1.12),
        "ash": (1.36, 3.23, 2.37, 0.27),  # the mean is 2.3665, printed 2.36
        "alcalinity_of_ash": (10.6, 30.0, 19.5, 3.3),
        "magnesium": (70.0, 162.0, 99.7, 14.3),
        "total_phenols": (0.98, 3.88, 2.30, 0.63),  # 2.2951, printed 2.29
        "flavanoids": (0.34, 5.08, 2.03, 1.00),
        "nonflavanoid_phenols": (0.13, 0.66, 0.36, 0.12),
        "proanthocyanins": (0.41, 3.58, 1.59, 0.57),
        "color_intensity": (1.3, 13.0, 5.1, 2.3),
        "hue": (0.48, 1.71, 0.96, 0.23),
        "od280_od315_of_diluted_wines": (1.27, 4.00, 2.61, 0.71),
        "proline": (278, 1680, 747, 315),  # 746.89, printed 746
    }
    assert table.features == tuple(published)
    for x, figures in zip(table.X.T, published.values(), strict=True):
        digits = max(len(str(v).partition(".")[2]) for v in figures if isinstance(v, float)) if x.max() < 1000 else 0
        assert [round(v, digits) for v in (x.min(), x.max(), x.mean(), x.std(ddof=1))] == list(figures)


def test_digits():
    """UCI, optdigits.names, the set for tests: how many there are of each digit."""
    table = digits()
    assert (table.X.shape, table.target, table.classes) == ((1797, 64), "Digit", tuple("0123456789"))
    assert np.bincount(table.y).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    assert set(table.X.ravel()) == {0, 1} and table.y.dtype.kind == "i"
    assert table.features[:9:8] == ("row 0, column 0", "row 1, column 0")


@pytest.mark.slow  # to import scikit-learn
def test_the_bits_of_digits_are_those_of_scikit_learn():
    """Those with 8 of 16 dots of ink, or more."""
    load_digits = pytest.importorskip("sklearn.datasets", exc_type=ImportError).load_digits
    X, y = load_digits(return_X_y=True)
    np.testing.assert_array_equal(digits().X, X >= 8)
    np.testing.assert_array_equal(digits().y, y)


def test_titanic():
    """Dawson (1995), R's datasets::Titanic: its margins, and the survivors of each."""
    table = titanic()
    assert (table.X.shape, table.features, table.target) == ((2201, 3), ("Class", "Sex", "Age"), "Survived")
    assert table.classes == ("No", "Yes") and table.X.dtype.kind == table.y.dtype.kind == "i"
    people = [np.bincount(x).tolist() for x in table.X.T]
    survivors = [np.bincount(x, table.y).astype(int).tolist() for x in table.X.T]
    assert people == [[325, 285, 706, 885], [1731, 470], [2092, 109]]
    assert survivors == [[203, 118, 178, 212], [367, 344], [654, 57]]
    assert table.y.sum() == 711
    assert not (table.X == [3, 0, 1]).all(axis=1).any()  # the crew has no children


@pytest.mark.parametrize("load", REAL)
def test_a_table_says_where_it_comes_from_and_is_made_anew_by_each_call(load):
    table = load()
    assert table.X.shape == (len(table.y), len(table.features)) and table.source
    table.X[0, 0] = -1
    assert load().X[0, 0] != -1


def test_the_messages_are_invented_and_say_so():
    """52 about the library and 48 about the timetable, all different, in plain letters; made anew by each call."""
    desk = messages()
    assert len(desk.texts) == len(set(desk.texts)) == len(desk.y) == 100
    assert (desk.classes, np.bincount(desk.y).tolist()) == (("timetable", "library"), [48, 52])
    assert all(text.isascii() and text == text.strip() and text[-1] in ".?" for text in desk.texts)
    assert "written by the authors" in desk.source
    row = (datasets.FOLDER / "README.md").read_text("utf-8").split("`messages.csv`")[1].split("\n")[0]
    assert "invented" in row and "52 about the library and 48 about the timetable" in row
    desk.y[0] = -1
    assert messages().y[0] != -1


def test_every_set_has_a_row_in_the_readme():
    """File, rows, what, source, licence; and the number of rows is that of the file."""
    lines = (datasets.FOLDER / "README.md").read_text("utf-8").splitlines()
    rows = {line.split("`")[1]: [c.strip() for c in line.split("|")[1:-1]] for line in lines if line.startswith("| `")}
    assert set(rows) == {path.name for path in datasets.FOLDER.glob("*.csv")}
    assert set(rows) == {f"{f.__name__}.csv" for f in (*REAL, messages)}
    assert all(len(cells) == 5 and all(cells) for cells in rows.values())
    lines_of = {path.name: len(path.read_text("utf-8").splitlines()) for path in datasets.FOLDER.glob("*.csv")}
    assert {name: int(cells[1]) for name, cells in rows.items()} == {name: n - 1 for name, n in lines_of.items()}
    assert all(len(f().X) == lines_of[f"{f.__name__}.csv"] - 1 for f in REAL if f is not titanic)  # its rows are groups


# --- generators ---------------------------------------------------------------------------------------------

MEANS = [[0.0, 0.0], [5.0, -5.0], [1e6, 3.0]]


def test_clusters_lie_around_their_means():
    """The classes in turn; each mean within 5 standard errors, each variance within 5 of its own (√(2/N))."""
    X, t = clusters(MEANS, 400, spread=0.5, rng=rng(1))
    assert X.shape == (1200, 2) and t.dtype.kind == "i" and t.tolist() == [k for k in range(3) for _ in range(400)]
    for k, mean in enumerate(MEANS):
        deviations = (X[t == k] - mean) / 0.5
        np.testing.assert_allclose(deviations.mean(axis=0), 0, atol=5 / 20)
        np.testing.assert_allclose(deviations.var(axis=0), 1, atol=5 * np.sqrt(2 / 400))


def test_clusters_move_and_grow_as_their_arguments_do():
    """The same draws: a spread scales them, means move them; without a spread it is 1."""
    plain, t = clusters(MEANS, 7, rng=rng(3))
    wide, _ = clusters(np.add(MEANS, 2.0), 7, spread=3.0, rng=rng(3))
    centers = np.array(MEANS)[t]
    np.testing.assert_allclose(wide - centers - 2, 3 * (plain - centers), atol=1e-9)


@pytest.mark.parametrize("radii", [[1.0], [5.0, 0.5, 2.0]], ids=str)
def test_rings_lie_around_their_circles(radii):
    """The classes in turn; of N distances from the circle the mean is within 5 standard errors s/√N of 0, the
    variance within 5 of its own (√(2/N)); of the angles, uniform, each quadrant holds N/4 within 5 √(3N)/4."""
    N, s = 400, 0.05
    X, t = rings(radii, N, spread=s, rng=rng(1))
    assert X.shape == (len(radii) * N, 2) and t.dtype.kind == "i"
    assert t.tolist() == np.repeat(range(len(radii)), N).tolist()
    for k, radius in enumerate(radii):
        deviations = (np.hypot(*X[t == k].T) - radius) / s
        np.testing.assert_allclose(deviations.mean(), 0, atol=5 / np.sqrt(N))
        np.testing.assert_allclose(deviations.var(), 1, atol=5 * np.sqrt(2 / N))
        quadrants = np.bincount(2 * (X[t == k, 0] > 0) + (X[t == k, 1] > 0), minlength=4)
        np.testing.assert_allclose(quadrants, N / 4, atol=5 * np.sqrt(3 * N) / 4)


def test_rings_grow_as_their_arguments_do():
    """The same draws: radii and spread twice as large give samples twice as far; without a spread it is 0.1."""
    plain, _ = rings([1.0, 3.0], 7, rng=rng(3))
    twice, _ = rings([2.0, 6.0], 7, spread=0.2, rng=rng(3))
    np.testing.assert_allclose(twice, 2 * plain, rtol=1e-14)


@pytest.mark.parametrize("N, d", [(2, 3), (30, 1), (20, 5)])
def test_separable_keeps_the_gap_and_has_both_classes_whatever_the_seed(N, d):
    for seed in range(20):
        X, y, w, b = separable(N, d, gap=0.25, rng=rng(seed))
        assert (X.shape, y.shape, w.shape, set(y)) == ((N, d), (N,), (d,), {-1, 1})
        assert np.linalg.norm(w) == pytest.approx(1)
        assert (distance(w, b, X) > 0.25 * (1 - 1e-12)).all()
        np.testing.assert_array_equal(y, np.sign(decision_function(w, b, X)))
    with pytest.raises(ValueError, match=f"gap = 10 leaves fewer than N = {N} samples"):
        separable(N, d, gap=10.0, rng=rng())


@pytest.mark.parametrize(
    "make",
    [lambda r: clusters(MEANS, 7, rng=r), lambda r: rings([1, 3], 7, rng=r), lambda r: separable(5, gap=0.1, rng=r)],
    ids=["clusters", "rings", "separable"],
)
def test_the_seed_decides(make):
    first, again, other = (make(rng(seed))[0] for seed in (1, 1, 2))
    assert (first == again).all() and (first != other).any()

"""Data for chapters, exercises and tests: real sets with their source, and small generators with a seed (all chapters).

Real sets come as a `Table`; generators return plain arrays and draw from the rng they are given.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .guards.shapes import takes

FOLDER = Path(__file__).parent / "data"


class Table(NamedTuple):
    """Samples X (N, d) and their target y (N,), or class numbers where `classes` names the classes."""

    X: np.ndarray
    y: np.ndarray
    features: tuple[str, ...]
    target: str
    classes: tuple[str, ...]
    source: str


class Texts(NamedTuple):
    """Texts and the class number y (N,) of each."""

    texts: tuple[str, ...]
    y: np.ndarray
    classes: tuple[str, ...]
    source: str


def cars() -> Table:
    """50 cars of the 1920s: speed (mph) and the distance (ft) they took to stop."""
    return _table("cars", "Ezekiel (1930), Methods of Correlation Analysis; R datasets::cars")


def longley() -> Table:
    """16 years of US economy, 1947-1962: six strongly collinear series and the number employed (millions)."""
    return _table("longley", "Longley (1967), J. American Statistical Association 62, 819-841; R datasets::longley")


def iris() -> Table:
    """150 irises of three species: length and width of sepal and petal (cm); y numbers the species 0, 1, 2."""
    return _table("iris", "Anderson (1935); Fisher (1936), Annals of Eugenics 7, 179-188; R datasets::iris")


def diabetes() -> Table:
    """442 diabetes patients, ten features centered and of length 1; y tells how far the disease went in a year."""
    return _table("diabetes", "Efron, Hastie, Johnstone, Tibshirani (2004), Annals of Statistics 32, 407-499")


def trees() -> Table:
    """31 felled black cherry trees: diameter (inches; the data call it Girth), height (ft), timber (cubic ft)."""
    return _table("trees", "Ryan, Joiner, Ryan (1976), The Minitab Student Handbook; R datasets::trees")


def menarche() -> Table:
    """25 age groups of 3918 girls of Warsaw, 1965: mean age, number of girls; y of them had reached menarche."""
    return _table("menarche", "Milicer, Szczotka (1966), Human Biology 38, 199-203; R MASS::menarche")


def recreation() -> Table:
    """659 households of Texas, 1980: how many boating trips they made to Lake Somerville, and what one costs them.

    quality is the rating of the lake by its owner, 1 to 5, and 0 where there is none: all but two of these made no
    trip. skiyes, userfeeyes: 0 or 1; costC, costS, costH in dollars to the lakes Conroe, Somerville and Houston.
    """
    return _table("recreation", "Sellar, Stoll, Chavas (1985), Land Economics 61, 156-175; R AER::RecreationDemand")


def orings() -> Table:
    """23 flights of the Shuttle before Challenger: temperature (F) of the joints; y: was an O-ring in distress?"""
    source = "Dalal, Fowlkes, Hoadley (1989), J. American Statistical Association 84, 945-957; R vcd::SpaceShuttle"
    return _table("orings", source)


def anes() -> Table:
    """944 voters of the US, 1996; y is their party: 0 strong Democrat ... 3 independent ... 6 strong Republican.

    log_population: ln of the thousands of people of their place (and 0.1); left_right: where they place themselves, 1
    (left) to 7; age in years; education and income in 7 and 24 steps.
    """
    return _table("anes", "American National Election Study 1996; statsmodels datasets.anes96")


def wine() -> Table:
    """178 wines of one region of Italy, from three cultivars of grapes; y numbers the cultivars 0, 1, 2.

    13 measurements in very different units: alcohol (percent) about 13, proline (mg/l) about 750.
    """
    return _table("wine", "Forina et al. (1988), PARVUS; UCI Machine Learning Repository, Wine; scikit-learn load_wine")


def titanic() -> Table:
    """2201 people on board the Titanic, 1912; y: did they survive?

    Categories: Class 0 first, 1 second, 2 third, 3 crew; Sex 0 male, 1 female; Age 0 adult, 1 child.
    """
    table = _table("titanic", "Dawson (1995), J. Statistics Education 3 (3); R datasets::Titanic")
    people = table.X[:, 3].astype(int)  # a row of the file is a group
    X = np.repeat(table.X[:, :3].astype(int), people, axis=0)
    return table._replace(X=X, y=np.repeat(table.y, people), features=table.features[:3])


def digits() -> Table:
    """1797 handwritten digits as 8 x 8 pictures of bits, row by row: X (1797, 64), 1 is ink; y is the digit."""
    header, *rows = _rows("digits")
    X = np.unpackbits(np.array([list(bytes.fromhex(pixels)) for pixels, _ in rows], np.uint8), axis=1)
    features = tuple(f"row {i}, column {j}" for i in range(8) for j in range(8))
    source = "Alpaydin, Kaynak (1998), UCI Machine Learning Repository, Optical Recognition of Handwritten Digits"
    y = np.array([int(digit) for _, digit in rows])
    return Table(X.astype(float), y, features, header[-1], tuple("0123456789"), f"{source}; scikit-learn load_digits")


def messages() -> Texts:
    """100 short questions and requests to a help desk, invented for chapter 08: about the library, or the timetable."""
    _, *rows = _rows("messages")
    classes = ("timetable", "library")
    y = np.array([classes.index(kind) for _, kind in rows])
    return Texts(tuple(text for text, _ in rows), y, classes, "written by the authors of linmodels for chapter 08")


def outliers() -> Table:
    """25 and 25 normal samples around (-1, -1) and (1, 1), of the classes 0 and 1, then 5 outliers of class 1."""
    return _table("outliers", "drawn by ctgk/PRML, chapter 4, after Bishop (2006), figure 4.4")


@takes(means="K d", N="count", spread="number positive", rng="rng")
def clusters(means, N, *, spread=1.0, rng):
    """N normal samples around each of the K means, of standard deviation `spread`: X (KN, d), t (KN,) of 0..K-1.

    means (K, d). Raises ValueError where spread <= 0.
    """
    t = np.repeat(np.arange(len(means)), N)
    return means[t] + spread * rng.standard_normal((len(t), means.shape[1])), t


@takes(radii="K positive", N="count", spread="number positive", rng="rng")
def rings(radii, N, *, spread=0.1, rng):
    """N samples on each of K circles around 0, at a normal distance `spread` from it: X (KN, 2), t (KN,) of 0..K-1.

    radii (K,) > 0. Raises ValueError where spread <= 0.
    """
    t = np.repeat(np.arange(len(radii)), N)
    r, angle = radii[t] + spread * rng.standard_normal(len(t)), rng.uniform(0, 2 * np.pi, len(t))
    return np.column_stack([r * np.cos(angle), r * np.sin(angle)]), t


@takes(N="count", d="count", gap="number nonnegative", rng="rng")
def separable(N, d=2, *, gap, rng):
    """N normal samples, none nearer than gap to a random hyperplane, labeled by its side: X (N, d), y, w, b.

    gap >= 0 is a distance; (w, b), ‖w‖ = 1, is the hyperplane. A gap that leaves no sample raises ValueError.
    """
    if N < 2:
        raise ValueError(f"N must be a whole number >= 2, found {N}: both classes occur")
    w = rng.standard_normal(d)
    w, b = w / np.linalg.norm(w), rng.uniform(-0.5, 0.5)
    X = np.empty((0, d))
    for _ in range(100):
        drawn = rng.standard_normal((N, d))
        X = np.vstack([X, drawn[np.abs(drawn @ w + b) > gap]])
        y = np.where(X[:N] @ w + b > 0, 1.0, -1.0)
        if len(X) >= N and abs(y.sum()) < N:
            return X[:N], y, w, b
        X = X[:0] if len(X) >= N else X  # one class only: begin again
    raise ValueError(
        f"gap = {gap:g} leaves fewer than N = {N} samples of both classes in {100 * N}; give a smaller gap"
    )


def _table(name: str, source: str) -> Table:
    """The last column is the target; text there names classes, numbered in the order of their first sample."""
    header, *rows = _rows(name)
    X = np.array([row[:-1] for row in rows], float)
    last = [row[-1] for row in rows]
    classes = () if last[0].replace(".", "").isdigit() else tuple(dict.fromkeys(last))
    y = np.array([classes.index(name) for name in last] if classes else last, int if classes else float)
    return Table(X, y, tuple(header[:-1]), header[-1], classes, source)


def _rows(name: str) -> list[list[str]]:
    with open(FOLDER / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.reader(file))

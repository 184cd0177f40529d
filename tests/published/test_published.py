"""Results that others published, computed by the library through `adapter.py`.

`cases.json` holds one case per line: id, chapter, task, source, data, params, expect. A value printed as text counts
to half a unit of its last digit; a number to `rtol` (1e-12 unless given) or `atol`; a refusal is a part of its words.
"""

import csv
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import adapter
import numpy as np
import pytest

from linmodels import datasets

HERE = Path(__file__).parent
CASES = json.loads((HERE / "cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_published(case):
    data, task = load(case["data"]), getattr(adapter, case["task"])
    if case["expect"][0]["quantity"] == "refusal":
        with pytest.raises(ValueError, match=case["expect"][0]["value"]):
            task(**data, **case["params"])
        return
    result = task(**data, **case["params"])
    found = result | derived(case, data, result)
    for expect in case["expect"]:
        compare(expect, found[expect["quantity"]])


def load(data):
    if "csv" in data:
        return from_columns(data, columns(data["csv"]))
    if data.get("formula") == "powers of x":  # Wampler: x = 0..20, y = Σ_k (base x)^k up to k = 5, exact in float64
        P = np.arange(21.0)[:, None] ** np.arange(6)
        return {
            "X": P[:, 1:],
            "y": np.array([float(sum(Fraction(str(data["base"])) ** k * x**k for k in range(6))) for x in range(21)]),
        }
    if data.get("formula") == "all and none":  # D bits, all of which the one sample of class 1 has, and none of class 0
        return {"X": [[1] * data["D"], [0] * data["D"]], "y": [1, 0]}
    return data


def columns(name):
    path = next(
        folder / f"{name}.csv" for folder in (HERE / "data", datasets.FOLDER) if (folder / f"{name}.csv").exists()
    )
    with open(path, encoding="utf-8", newline="") as file:
        return {head: np.array(column) for head, *column in zip(*csv.reader(file), strict=True)}


def from_columns(data, table):
    X = np.column_stack([in_units(table[name].astype(float), data.get("units", {}).get(name)) for name in data["X"]])
    y = table[data["y"]]
    if "labels" in data:
        rows = np.isin(y, list(data["labels"]))
        return {"X": X[rows], "y": np.array([data["labels"][label] for label in y[rows]])}
    y = in_units(y.astype(float), data.get("units", {}).get(data["y"]))
    if "of" in data:
        return one_by_one(X, y.astype(int), table[data["of"]].astype(int))
    return {name: transformed(a, name, data) for name, a in {"X": X, "y": y}.items()}


def one_by_one(X, heads, of):
    """A row of the table is a group: so many samples, y = 1 for the first so many of them."""
    return {
        "X": np.repeat(X, of, axis=0),
        "y": np.concatenate([np.arange(n) < k for k, n in zip(heads, of, strict=True)]),
    }


def transformed(a, name, data):
    """Logarithms; mean 0 and variance 1, this with the divisor N minus the number given."""
    a = np.log(a) if name in data.get("log", ()) else a
    less = data.get("standardize", {}).get(name)
    return a if less is None else (a - a.mean(axis=0)) / a.std(axis=0, ddof=less)


def in_units(v, factor):
    """NIST certifies Longley in whole units, R stores it in tenths or thousands of them: 234.289 is exactly 234289."""
    return v if factor is None else np.rint(v * factor)


def derived(case, data, result):
    """What the test works out itself from the answer, in exact or plain arithmetic."""
    if "coef" in result:
        X = np.asarray(data["X"], float)
        A = np.column_stack([np.ones(len(X)), X]) if case["params"].get("intercept", True) else X
        if case["params"].get("family") == "poisson":
            return {"deviance": poisson_deviance(np.asarray(data["y"], float), A @ result["coef"])}
        if case["task"] in ("logistic", "softmax"):
            return {"loglik": log_likelihood(A, result["coef"], data["y"], **case["params"])}
        return {"rss": np.sum((data["y"] - A @ result["coef"]) ** 2)}
    if case["task"] in ("lda", "lda_binary"):
        return scalings(data, result)
    if case["task"].startswith("svm"):
        return optimality(data, result)
    if "Phi" in result:
        return {"inner": result["Phi"] @ result["Phi"].T, "dim": result["Phi"].shape[1]}
    if "witness" in result:
        return {"negative": result["witness"] is not None and result["witness"] @ data["K"] @ result["witness"] < 0}
    if "supports" in result:
        return {"moves": moves(result["supports"])}
    return replayed(case, data, result) if "updates" in result else {}


def scalings(data, result):
    """The direction in the units of others: Fisher's, of length 1, and R's, in which the pooled variance is 1."""
    freedom = len(data["y"]) - len(result["means"])
    if "w" not in result:
        return {f"scaling{j}": np.sqrt(freedom) * result[f"LD{j}"] for j in (1, 2)}
    w = result["w"]
    return {
        "compound": w / w[0],
        "unit": w / np.linalg.norm(w),
        "scaling": w / np.sqrt(w @ result["Sw"] @ w / freedom),
    }


def optimality(data, result):
    """α >= 0, Σ α y = 0, w = Σ α y x, y f >= 1, α (y f - 1) = 0 make a hyperplane the one of largest margin."""
    y, alpha, b = np.array(data["y"], float), result["alpha"], result["b"]
    K = data["K"] if "K" in data else np.array(data["X"], float) @ np.transpose(data["X"])
    margins = y * (K @ (alpha * y) + b)
    assert (alpha >= 0).all() and margins.min() >= 1 - 1e-9
    np.testing.assert_allclose([alpha @ y, *(alpha * (margins - 1))], 0, atol=1e-9)
    if "w" in result:
        np.testing.assert_allclose((alpha * y) @ np.array(data["X"], float), result["w"], rtol=1e-9, atol=1e-9)
    squared = (alpha * y) @ K @ (alpha * y)
    return {
        "min_margin": margins.min(),
        "on_margin": np.flatnonzero(margins <= 1 + 1e-9),
        "width": 2 / np.sqrt(squared),
        "w_norm2": squared,
        "dual_value": alpha.sum() - squared / 2,
    }


def poisson_deviance(y, eta):
    """2 Σ_n y_n ln(y_n/μ_n) - (y_n - μ_n), every y_n > 0."""
    return 2 * np.sum(y * (np.log(y) - eta) - y + np.exp(eta))


def log_likelihood(A, coef, y, classes=(0, 1), ref=0, **_):
    """Σ_n a_t - ln Σ_k e^a_k, where coef has a row for each class but the reference, whose score is 0."""
    others, a = [k for k, c in enumerate(classes) if c != ref], np.zeros((len(A), len(classes)))
    a[:, others] = A @ np.atleast_2d(coef).T
    return sum(row[classes.index(c)] - np.logaddexp.reduce(row) for row, c in zip(a, y, strict=True))


def moves(supports):
    """From one support to the next, j for a column that enters, -j for one that leaves, as `lars` prints them."""
    before = [[], *supports[:-1]]
    return [j if j in b else -j for a, b in zip(before, supports, strict=True) for j in sorted({*a} ^ {*b})]


def replayed(case, data, result):
    """Each update must have found a mistake; together they must lead to the answer."""
    X = [[Fraction(str(v)) for v in x] for x in np.asarray(data["X"]).tolist()]
    y, eta, with_bias = data["y"], Fraction(str(case["params"].get("eta", 1))), case["params"].get("bias", True)
    w, b, trace = [Fraction(0)] * len(X[0]), Fraction(0), []
    for i in result["updates"]:
        assert int(y[i]) * (sum(map(Fraction.__mul__, w, X[i])) + b) <= 0, f"sample {i} was no mistake"
        w = [wj + eta * int(y[i]) * xj for wj, xj in zip(w, X[i], strict=True)]
        b += eta * int(y[i]) * with_bias
        trace.append([*map(float, w), float(b)])
    if "w" in result:
        np.testing.assert_allclose([*result["w"], result["b"]], trace[-1], rtol=1e-9, atol=1e-9)
    return {"trace": trace, "n_updates": len(trace)}


def compare(expect, found):
    want = expect["value"]
    texts = [want] if isinstance(want, str) else np.ravel(want).tolist()
    if np.asarray(found).dtype.kind == "U":  # names of classes
        assert np.ravel(found).tolist() == texts, f"{expect['quantity']}: found {found}, published {texts}"
        return
    exact = [float(t) for t in texts]
    if isinstance(texts[0], str) and "atol" not in expect:
        atol = [half_a_unit(t) for t in texts]
        rtol = 1e-12  # a value that ends on the half unit
    else:
        atol, rtol = expect.get("atol", 0.0), expect.get("rtol", 1e-12)
    found = np.ravel(np.asarray(found, float))
    assert found.shape == np.shape(exact), f"{expect['quantity']} has shape {found.shape}"
    if expect.get("either_sign") and found @ exact < 0:
        found = -found
    error, allowed = np.abs(found - exact), np.add(atol, rtol * np.abs(exact))
    assert (error <= allowed).all(), f"{expect['quantity']}: found {found}, published {texts}"


def half_a_unit(printed):
    return 0.5 * 10.0 ** Decimal(printed).as_tuple().exponent


@pytest.mark.parametrize("expect, found, wrong, why", [
    ({"value": ["-1.50e-3"]}, -0.0015049, -0.0015051, "published"),
    ({"value": ["1.0"]}, 1.0, [1.0, 1.0], "shape"),
    ({"value": [1]}, 1.0, np.nan, "published"),
    ({"value": ["yes", "no"]}, ["yes", "no"], ["yes", "yes"], "published"),
    ({"value": ["1.0", "-2.0"], "either_sign": True}, [-1.0, 2.0], [1.0, 2.0], "published"),
    ({"value": ["1.0", "-2.0"]}, [1.0, -2.0], [-1.0, 2.0], "published"),
], ids=["half a unit", "shape", "nan", "names", "either sign", "the sign"])  # fmt: skip
def test_the_comparison_sees(expect, found, wrong, why):
    compare({"quantity": "w"} | expect, found)
    with pytest.raises(AssertionError, match=why):
        compare({"quantity": "w"} | expect, wrong)


def test_the_error_of_lda_on_a_file(tmp_path, monkeypatch):
    """Classes of one variance and one size, 0 and 4 in the mean: the boundary is 2. The file has 1.9, 2.1 and 9."""
    monkeypatch.setenv("CASES_DATA", str(tmp_path))
    (tmp_path / "new.csv").write_text("y,x\n0,1.9\n0,2.1\n1,9\n", "utf-8")
    X, y = [[-1.0], [1.0], [3.0], [5.0]], [0, 0, 1, 1]
    result = adapter.lda_classify(X, y, [0, 1], predict_csv="new")
    assert result == {"error_train": 0, "error_test": pytest.approx(1 / 3)}


def test_equal_priors_give_each_class_mean_one_weight():
    """d = 1: λ = S_b/S_w. 0, 2 and 10, 10, 10, 14: S_w = 2 + 12; with N/K = 3 each, S_b = 3·(5² + 5²), μ = 6; by the
    sizes S_b = 2·4/6·10²."""
    X, y = [[0.0], [2.0], [10.0], [10.0], [10.0], [14.0]], [0, 0, 1, 1, 1, 1]
    assert adapter.lda(X, y, [0, 1], priors="equal")["eigenvalues"] == pytest.approx([150 / 14])
    assert adapter.lda(X, y, [0, 1], priors=[2 / 6, 4 / 6])["eigenvalues"] == pytest.approx([400 / 3 / 14])
    assert adapter.lda(X, y, [0, 1])["eigenvalues"] == pytest.approx([400 / 3 / 14])


def test_a_value_that_is_no_level_is_refused():
    table = {"X": [[1, "S"], [2, "M"], [3, "S"]], "y": ["a", "b", "a"], "alpha": 1.0, "levels": [[1, 2, 3], ["S", "M"]]}
    asked = {"classes": ["a", "b"], "query": [[3, "M"]]}
    assert adapter.nb_categorical(**table, **asked)["label"] == ["a"]
    with pytest.raises(ValueError, match="X holds -1 at row 0, column 1"):
        adapter.nb_categorical(**table, **asked | {"query": [[3, "L"]]})
    with pytest.raises(ValueError, match="t must hold the class numbers"):
        adapter.nb_categorical(**table, **asked | {"classes": ["a", "c"]})


def test_a_replay_sees_an_update_without_a_mistake():
    case = {"params": {}}
    with pytest.raises(AssertionError, match="sample 0 was no mistake"):
        replayed(case, {"X": [[1], [-1]], "y": [1, -1]}, {"updates": [0, 0]})


def test_a_hyperplane_that_is_not_the_best_is_seen():
    """(0, 0) and (2, 0): w = (1, 0), b = -1, α = (1/2, 1/2). Further off; with another b; with α of one class more."""
    data, found = {"X": [[0, 0], [2, 0]], "y": [-1, 1]}, {"w": np.array([1.0, 0]), "b": -1.0, "alpha": np.full(2, 0.5)}
    derived_from_it = optimality(data, found)
    assert derived_from_it.pop("on_margin").tolist() == [0, 1]
    assert derived_from_it == pytest.approx({"min_margin": 1, "width": 2, "w_norm2": 1, "dual_value": 0.5})
    for wrong in ({"w": np.array([2.0, 0])}, {"b": -1.1}, {"alpha": np.array([0.5, 0.6])}, {"alpha": np.full(2, 1.0)}):
        with pytest.raises(AssertionError):
            optimality(data, found | wrong)


def test_moves_are_told_from_supports():
    assert moves([[3], [3, 9], [9], [2, 7, 9]]) == [3, 9, -3, 2, 7]


def test_groups_are_taken_apart():
    data = load(next(c["data"] for c in CASES if c["id"] == "menarche"))
    table = datasets.menarche()
    assert len(data["X"]) == len(data["y"]) == table.X[:, 1].sum()
    assert [data["y"][data["X"][:, 0] == age].sum() for age in table.X[:, 0]] == table.y.tolist()


def test_every_task_of_the_adapter_has_a_case():
    tasks = {name for name, f in vars(adapter).items() if getattr(f, "__module__", "") == "adapter" and name[0] != "_"}
    assert tasks == {c["task"] for c in CASES}


def test_the_cases_are_told_apart_and_say_where_they_come_from():
    assert len({c["id"] for c in CASES}) == len(CASES)
    assert all(c["source"] and c["expect"] and c["chapter"] in {f"{k:02}" for k in range(1, 13)} for c in CASES)


def test_every_file_of_data_is_used_and_has_its_origin_and_licence():
    files = {path.stem for path in (HERE / "data").glob("*.csv")}
    rows = {
        line.split("`")[1]: line
        for line in (HERE / "data" / "README.md").read_text("utf-8").splitlines()
        if line.startswith("| `")
    }
    assert set(rows) == {f"{name}.csv" for name in files}
    assert all(
        len(line.split("|")) == 7 and all(cell.strip() for cell in line.split("|")[1:-1]) for line in rows.values()
    )
    assert files <= {c["data"].get("csv") for c in CASES}


def test_the_units_of_longley_are_those_of_nist():
    data = load(next(c["data"] for c in CASES if c["id"] == "nist-longley"))
    assert data["X"][0].tolist() == [83.0, 234289, 2356, 1590, 107608, 1947] and data["y"][0] == 60323

"""Values that stand for missing ones are told from values: by a grid of scales and codes, and on real data."""

import re
import warnings

import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca import DataWarning


def notes(X, names=None):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rs.Covariance.from_data(X, names=names, correlation=True)
    return [str(one.message) for one in caught if "far outside" in str(one.message)]


def answers(rng, low, high, m=60, n=6):
    return rng.integers(low, high + 1, size=(m, n)).astype(float)


@pytest.mark.parametrize(
    ("low", "high", "code"),
    [
        (0, 10, 99), (0, 10, -99), (1, 5, 9), (1, 5, -9), (0, 100, 999), (1, 7, 77), (1, 5, 88), (0, 10, 98),
        (1, 4, 99.9), (0, 20, 9999), (1, 5, 123), (1, 5, 1e30), (-30, 30, -99.99), (1, 7, -999.9),
        (0, 1, 99),
    ],
)  # fmt: skip
def test_a_code_is_named_with_its_columns_cells_and_option(low, high, code):
    rng = np.random.default_rng(int(abs(code)) % 1000)
    X = answers(rng, low, high)
    cells = [(3, 1), (7, 1), (9, 1), (20, 4), (21, 4), (22, 4)]
    for i, j in cells:
        X[i, j] = code
    [note] = notes(X, [f"q{j}" for j in range(6)])
    value = f"{code:.15g}" if abs(code) < 1e15 else repr(float(code))
    assert note.startswith(f"{value} stands in 6 cells (q1 (3), q4 (3)), far outside the other values there (")
    others = np.delete(X[:, [1, 4]], [3, 7, 9, 20, 21, 22], axis=0)
    ends = re.search(r"there \((\S+) to (\S+)\)", note)
    assert (float(ends[1]), float(ends[2])) == (others.min(), others.max())
    assert f"give --na{'=' if code < 0 else ' '}{value} (na=[{value}] in rs.read" in note


def test_two_codes_at_one_end_and_one_at_the_other():
    X = answers(np.random.default_rng(1), 0, 10)
    X[[1, 2], 0], X[[3, 4], 0], X[[5, 6], 2] = 98, 99, -77
    found = notes(X)
    assert [re.match(r"\S+", note)[0] for note in found] == ["-77", "98", "99"]
    assert "-77 stands in 2 cells (x2 (2))" in found[0]


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: answers(rng, 0, 10),
        lambda rng: answers(rng, 0, 100),  # where 99 is one of the values
        lambda rng: rng.normal(size=(60, 5)),
        lambda rng: rng.lognormal(sigma=2, size=(60, 5)),
        lambda rng: rng.poisson(0.3, size=(60, 8)).astype(float),
        lambda rng: rng.geometric(0.5, size=(60, 8)).astype(float),
        lambda rng: (rng.random((60, 5)) < 0.1).astype(float),
        lambda rng: np.minimum(rng.gamma(2, 20, size=(60, 5)).round(), 90),  # a highest class
        lambda rng: rng.integers(18, 90, size=(60, 3)).astype(float),  # ages
        lambda rng: rng.choice([4.0, 6.0, 8.0], size=(60, 3)),  # cylinders
        lambda rng: rng.choice([1.0, 2.0, 4.0], size=(60, 3), p=[0.4, 0.3, 0.3]),
        lambda rng: rng.choice([1.0, 10.0, 100.0, 1000.0], size=(60, 3)),  # doses
        lambda rng: rng.choice([0.0, 5.0, 20.0, 80.0], size=(60, 3), p=[0.4, 0.3, 0.2, 0.1]),
        lambda rng: rng.choice([3.0, 5.0], size=(60, 3), p=[0.9, 0.1]),
    ],
)
def test_ordinary_columns_have_no_note(draw):
    rng = np.random.default_rng(0)
    assert [note for _ in range(draws(15, 40)) for note in notes(draw(rng))] == []


def test_data_of_the_world_have_no_note():
    datasets = pytest.importorskip("sklearn.datasets")
    for load in (datasets.load_wine, datasets.load_iris, datasets.load_breast_cancer, datasets.load_diabetes):
        assert notes(load().data) == []
    # Pixels: 0 almost everywhere at the edge, and single digits else.
    assert notes(datasets.load_digits().data) == []


def test_one_odd_cell_is_no_code_and_nothing_is_said_of_sparse_data():
    from scipy.sparse import csr_array

    X = answers(np.random.default_rng(2), 0, 10)
    X[3, 2] = 99
    assert notes(X) == []
    X[3, 1] = -(2.0**31)  # R's NA among integers
    assert len(notes(X)) == 1
    X[3, 1], X[4, 2] = 5, 99
    assert len(notes(X)) == 1
    assert notes(csr_array(X)) == []


MONTHS = np.array([100.0 * year + month for year in range(1990, 1995) for month in range(1, 13)])


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("Date", MONTHS),
        ("x", MONTHS[::-1]),
        ("t", np.array([20240101 + i % 28 + 100 * (i // 28) for i in range(60)], dtype=float)),
        ("year", np.linspace(1990, 2019.5, 60)),
        ("survey_time", np.cumsum(np.arange(60.0))),
        ("z", np.arange(60.0)[::-1]),
        ("nobody", np.random.default_rng(0).permutation(60) + 1001.0),
        *((name, np.random.default_rng(0).permutation(60) * 17.0) for name in ("zip_code", "id", "SampleID")),
    ],
)
def test_dates_and_identifiers_that_are_numbers_are_named(tmp_path, name, column):
    rng = np.random.default_rng(4)
    for at in (0, 2):
        X = np.insert(rng.normal(size=(60, 4)), at, column, axis=1)
        names = ["a", "b", "c", "d"]
        names.insert(at, name)
        with pytest.warns(DataWarning, match="seems to number or date observations") as caught:
            rs.Covariance.from_data(X, names=names)
        note = next(str(one.message) for one in caught if "number or date" in str(one.message))
        assert note.startswith(f"'{name}' ({column[0]:.15g}, {column[1]:.15g}, ...; 60 different values) ")
        assert f"with --exclude {name} (exclude=['{name}'] in rs.read)" in note
        np.savetxt(tmp_path / "t.csv", X, fmt="%.15g", delimiter=",", header=",".join(names), comments="")
        with pytest.warns(DataWarning, match=f"'{name}' .* seems to number or date observations"):
            rs.read(tmp_path / "t.csv")


def test_the_first_whole_column_in_order_and_no_other():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(20, 3))
    X[:, 0] = np.cumsum(rng.integers(1, 9, 20))
    with pytest.warns(DataWarning, match="'a' .* seems to number or date"):
        rs.Covariance.from_data(X, names=list("abc"))
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*number or date")
        rs.Covariance.from_data(X[:, [1, 0, 2]], names=list("bac"))
        rs.Covariance.from_data(rng.permutation(X), names=list("abc"))
        rs.Covariance.from_data(np.sort(rng.normal(size=(20, 2)), axis=0), names=list("ab"))
        ranks = rng.permuted(np.tile(np.arange(20.0), (3, 1)), axis=1).T
        rs.Covariance.from_data(ranks, names=list("abc"))

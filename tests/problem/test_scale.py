"""Units that decide what is found are warned of; homogeneous data and correlations are not nagged at."""

import warnings

import numpy as np
import pytest

import relaxspca as rs
from relaxspca import Covariance, DataWarning
from relaxspca.command.cli import main


def of(load):
    return getattr(pytest.importorskip("sklearn.datasets"), load)(as_frame=True).data


@pytest.mark.parametrize(
    ("load", "said"),
    [
        ("load_wine", r"1 of 13 variables has 99\.7 % of all variance \(proline\).*correlation=True"),
        ("load_breast_cancer", r"2 of 30 variables have 99\.1 % of all variance \(worst area, mean area\)"),
    ],
)
def test_one_variable_or_a_few_may_dwarf_the_others(load, said):
    with pytest.warns(DataWarning, match=said):
        Covariance.from_data(of(load))


ALIKE = {False: ("iris", "digits", "diabetes"), True: ("wine", "breast_cancer", "diabetes", "iris", "digits")}


@pytest.mark.parametrize(("correlation", "name"), [(each, name) for each in ALIKE for name in ALIKE[each]])
def test_variables_of_one_unit_are_not_warned_of(correlation, name):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        Covariance.from_data(of(f"load_{name}"), correlation=correlation)
    assert [one for one in said if not (correlation and "dropped" in str(one.message))] == []


def test_a_strong_factor_is_no_matter_of_units():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 20)) + 10 * rng.normal(size=(200, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Covariance.from_data(X)
        Covariance.from_data(np.exp(rng.normal(size=(50, 200))))


def test_the_command_line_says_it_and_suggests_the_option(tmp_path, capsys):
    wine = of("load_wine")
    wine.to_csv(tmp_path / "wine.csv", index=False)
    wine.cov().to_csv(tmp_path / "cov.csv")
    for name in ("wine.csv", "cov.csv"):
        assert main(["solve", str(tmp_path / name), "-k", "3", "-q"]) == 0
        said = capsys.readouterr().err
        assert "note: 1 of 13 variables has 99.7 % of all variance (proline)" in said
        assert "--correlation" in said
        assert main(["solve", str(tmp_path / name), "-k", "3", "-q", "--correlation"]) == 0
        assert "variance (" not in capsys.readouterr().err
    for make in (lambda: rs.read(tmp_path / "cov.csv"), lambda: Covariance(wine.cov().to_numpy(), list(wine))):
        with pytest.warns(DataWarning, match="proline") as said:
            make()
        assert len(said) == 1


def test_what_is_left_of_a_matrix_is_not_warned_of():
    wine = of("load_wine")
    with pytest.warns(DataWarning, match="proline"):
        cov = Covariance(wine.cov())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.components(cov, [2, 2, 2], deflation="projection")
        cov.restrict(["proline", "hue", "ash"])


def test_a_warning_points_to_the_line_that_brought_the_data(tmp_path):
    wine = of("load_wine")
    wine.to_csv(tmp_path / "wine.csv", index=False)
    makers = (Covariance.from_data, lambda w: Covariance(w.cov()), lambda w: rs.read(tmp_path / "wine.csv"))
    for make in makers:
        with pytest.warns(DataWarning) as said:
            make(wine)
        assert [w.filename for w in said] == [__file__]


def test_second_moments_are_not_called_variance():
    X = np.random.default_rng(0).normal(size=(30, 4)) + [0, 100, 0, 0]
    with pytest.warns(DataWarning, match=r"1 of 4 variables has 99.9 % of all second moments \(x1\)"):
        Covariance.from_data(X, centred=False)

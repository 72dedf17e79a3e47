"""Results of encoders, regression and applications have the forms of all results, and say what is true."""

import re
from fractions import Fraction

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.applications import (
    certify_subset,
    isometry_bounds,
    near_optimal_subsets,
    subset_path,
    subset_selection,
)
from relaxspca.encoders import batch_encoder, optimal_encoder
from relaxspca.regression import dsf_select
from relaxspca.results.status import Status

COV = rs.datasets.load_pitprops()
X = np.random.default_rng(3).standard_normal((30, 8))
F = X / np.linalg.norm(X, axis=0)
y = X @ [2.0, -1.0, 0.5, 0, 0, 0, 0, 0] + np.random.default_rng(4).standard_normal(30) + 5
NAMES = [f"v{i}" for i in range(8)]
OPTIONS = {"intercept": True, "names": NAMES}

MADE = {
    "encoder": lambda: batch_encoder(X, 2, 4),
    "optimal encoder": lambda: optimal_encoder(COV, 2),
    "isometry": lambda: isometry_bounds(F, 2),
    "features": lambda: dsf_select(X, X[:, :1], 2, 6),
    "selection": lambda: subset_selection(X, y, 3, **OPTIONS),
    "selections": lambda: subset_path(X, y, [1, 2, 3], **OPTIONS),
    "subset": lambda: certify_subset(X, y, ["v0", "v4"], **OPTIONS),
}


@pytest.fixture(scope="module")
def results():
    return {name: make() for name, make in MADE.items()}


@pytest.mark.parametrize("name", ["encoder", "optimal encoder", "isometry", "features"])
def test_every_form_of_what_no_command_answers_is_there(results, name, tmp_path):
    """The forms of all others: tests/command/test_answers.py."""
    result = results[name]
    assert repr(result).splitlines()[0] == result.statement.splitlines()[0]
    assert "<p>" in result._repr_html_()
    assert result.to_markdown()
    assert len(result.to_csv().splitlines()) == len(result.to_records()) + 1
    result.save(tmp_path / "saved.csv")
    assert (tmp_path / "saved.csv").read_text(encoding="utf-8") == result.to_csv()
    assert r"\caption" in result.to_latex(caption=True)
    pytest.importorskip("pandas")
    frame = result.to_frame()
    assert len(frame) == len(result.to_records())
    assert [column for column in frame if not column.startswith("loading ")] == list(result.to_records()[0])
    pytest.importorskip("matplotlib")
    with pytest.raises(rs.InputError, match="no figure"):
        result.plot()


def test_what_they_are_of_stands_in_the_statement(results):
    of = {
        "encoder": "30 observations of 8 variables",
        "optimal encoder": "the correlation matrix of 13 variables",
    }
    of |= {
        "features": "of 8 variables",
        **dict.fromkeys(["selection", "selections", "subset"], "30 observations"),
    }
    for name, said in of.items():
        assert said in results[name].statement
    assert "by 111.145, which is above the total" in results["optimal encoder"].statement
    named = pytest.importorskip("pandas").Series(y, name="price")
    listed = near_optimal_subsets(X, named, 3, **OPTIONS)
    for found in (subset_selection(X, named, 3, **OPTIONS), listed):
        assert "30 observations of price" in found.statement
        assert "30 observations of price" in found.to_latex(caption=True)


def test_the_words_of_isometry_constants(results):
    found = results["isometry"]
    assert found.lower <= found.upper
    assert 0 <= found.gap < 1
    assert isinstance(found.status, Status)
    assert found.statement.startswith("Isometry constant delta_2: ")


def test_lower_bounds_on_losses_are_rounded_down(results):
    optimal = results["optimal encoder"]
    printed = re.search(r"less than ([\d.]+)", optimal.statement)[1].rstrip(".")
    assert Fraction(printed) <= Fraction(optimal.loss_lower)
    assert float(printed) == pytest.approx(optimal.loss_lower, rel=1e-5)


def test_a_selection_has_its_coefficients_by_name_and_a_figure(results, tmp_path):
    found = results["selection"]
    pytest.importorskip("matplotlib")
    found.save(tmp_path / "saved.svg")
    assert "<svg" in (tmp_path / "saved.svg").read_text(encoding="utf-8")
    with pytest.raises(rs.InputError, match="no figure is written as .foo"):
        found.save(tmp_path / "saved.foo")
    assert found.support == tuple(NAMES[i] for i in found.indices)
    assert dict(found.by_name) == {NAMES[i]: found.coefficients[i] for i in found.indices}
    assert np.square(y - X @ found.coefficients - found.intercept).sum() == pytest.approx(found.upper)
    assert "intercept" in repr(found)
    assert "intercept" not in repr(subset_selection(X, y, 3))


def test_a_path_of_selections_is_a_list_of_them(results):
    path = results["selections"]
    assert len(path) == 3
    assert [fit.k for fit in path] == [1, 2, 3]
    assert path[2].indices == results["selection"].indices
    of = "Least squares on subsets of 8 variables and an intercept (30 observations): "
    assert path.statement.startswith(f"{of}3 of 3 subsets proved optimal")
    assert "No constant" not in path.statement
    without = subset_path(X, y, [1, 2], names=NAMES).statement
    of = "Least squares on subsets of 8 variables (30 observations): "
    assert without.startswith(f"{of}2 of 2 subsets proved optimal")
    assert without.endswith("No constant is fitted.")


def test_a_subset_of_somebody_else_is_judged_by_name(results):
    assert (results["subset"].status, results["subset"].support) == ("improvable", ("v0", "v4"))
    same = certify_subset(X, y, results["selections"][1].support, **OPTIONS)
    assert same.status == "optimal"
    assert "Proved optimal among subsets of 2 variables (to within " in same.statement


def test_encoders_name_their_variables(results):
    found = results["optimal encoder"]
    assert found.support == tuple(COV.names[i] for i in found.indices)
    assert set(found.loadings[0]) == set(found.support)
    assert found.support[0] in repr(found)
    pandas = pytest.importorskip("pandas")
    framed = batch_encoder(pandas.DataFrame(X, columns=NAMES), 2, 4)
    assert framed.support == tuple(NAMES[i] for i in results["encoder"].indices)
    assert results["encoder"].support == tuple(f"x{i}" for i in results["encoder"].indices)
    model = dsf_select(pandas.DataFrame(X, columns=NAMES), X[:, :1], 2, 6)
    assert model.support == tuple(NAMES[i] for i in model.columns)
    assert set(model.loadings[0]) <= set(model.support)

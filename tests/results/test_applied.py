"""Results of encoders, regression and applications have the forms of all results, and say what is true."""

import re
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import relaxspca as rs
from relaxspca.applications import clique_bounds, isometry_bounds
from relaxspca.encoders import batch_encoder, one_factor_loss_bound, optimal_encoder
from relaxspca.regression import dsf_select

COV = rs.datasets.load_pitprops()
X = np.random.default_rng(3).standard_normal((30, 8))


@pytest.fixture(scope="module")
def results():
    return [
        batch_encoder(X, 2, 4),
        optimal_encoder(COV, 2),
        one_factor_loss_bound(COV, 2),
        clique_bounds(nx.cycle_graph(5)),
        isometry_bounds(X / np.linalg.norm(X, axis=0), 2),
        dsf_select(X, X[:, :1], 2, 6),
    ]


def test_every_form_is_there(results, tmp_path):
    for at, result in enumerate(results):
        assert repr(result).splitlines()[0] == result.statement.splitlines()[0]
        assert "<p>" in result._repr_html_()
        assert result.to_markdown()
        assert len(result.to_csv().splitlines()) == len(result.to_records()) + 1
        result.save(tmp_path / f"{at}.csv")
        assert (tmp_path / f"{at}.csv").read_text() == result.to_csv()
        with pytest.raises(rs.InputError, match="no figure"):
            result.plot()


def test_lower_bounds_on_losses_are_rounded_down(results):
    optimal, bound = results[1], results[2]
    for result, proved in ((optimal, optimal.loss_lower), (bound, bound.loss)):
        printed = re.search(r"(?:less than|at least) ([\d.]+)", result.statement)[1].rstrip(".")
        assert Fraction(printed) <= Fraction(proved)
        assert float(printed) == pytest.approx(proved, rel=1e-7)


def test_a_clique_number_is_printed_with_its_clique(results):
    assert results[3].statement.splitlines()[0] == "the clique number is 2"


def test_the_isometry_constant_is_enclosed_as_printed(results):
    F = X / np.linalg.norm(X, axis=0)
    dots = np.abs(F.T @ F - np.eye(8))
    assert results[4].lower <= dots.max() + 1e-12
    assert results[4].upper >= dots.max() - 1e-12
    assert results[4].statement.startswith("delta_2")

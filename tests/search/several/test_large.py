"""Tables of many variables: what rows leave, against the search of all variables."""

import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca.certificate import Restrict
from relaxspca.search import heavy_rows, run
from relaxspca.search.several import large
from relaxspca.tasks import joint


def correlations(seed, n=14):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, n))
    X[:, :3] += 2 * rng.normal(size=(30, 1))
    X[:, 3:6] += 2 * rng.normal(size=(30, 1))
    return rs.Covariance.from_data(X, correlation=True)


@pytest.mark.parametrize("disjoint", [False, True])
@pytest.mark.parametrize("sizes", [[3, 3], [3, 2]])
@pytest.mark.parametrize("seed", range(draws(2, 8)))
def test_rows_lose_no_better_table(seed, sizes, disjoint, monkeypatch):
    cov = correlations(seed)
    whole = rs.components(cov, sizes, joint=True, disjoint=disjoint)
    for module in (large, joint, run):
        monkeypatch.setattr(module, "MANY", 5)
    monkeypatch.setattr(heavy_rows, "ENOUGH", 4)
    monkeypatch.setattr(heavy_rows, "WORTH", 0.95)
    found = rs.components(cov, sizes, joint=True, disjoint=disjoint)
    assert any(isinstance(node, Restrict) for node in found.certificate.tree)
    assert found.status == whole.status == "optimal"
    assert found.lower == pytest.approx(whole.lower, rel=1e-9)
    verdict = rs.verify(found.certificate)
    assert verdict, verdict.reasons


def test_a_table_of_more_variables_than_fit_in_one_search_has_bounds(monkeypatch):
    rng = np.random.default_rng(1)
    cov = rs.Covariance.from_data(rng.normal(size=(40, 30)), correlation=True)
    whole = rs.components(cov, [3, 3], joint=True, node_limit=1)
    for module in (large, joint, run):
        monkeypatch.setattr(module, "MANY", 5)
    monkeypatch.setattr(joint, "LARGEST", 20)
    monkeypatch.setattr(large, "MOST", (8, 12))
    monkeypatch.setattr(heavy_rows, "ENOUGH", 4)
    found = rs.components(cov, [3, 3], joint=True, node_limit=1)
    assert found.lower <= whole.upper
    assert whole.lower <= found.upper
    verdict = rs.verify(found.certificate)
    assert verdict, verdict.reasons

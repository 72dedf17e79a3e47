"""Several components proved together, as a user asks for them."""

import numpy as np
import pytest
from interrupts import interrupt

import relaxspca as rs
from relaxspca.relaxations import spectral
from relaxspca.tasks import joint

PITPROPS = rs.datasets.load_pitprops()


def test_components_keep_the_order_they_are_asked_in():
    """Their bound is below the sum of the single optima, and that of Ky Fan."""
    cov = PITPROPS.restrict(range(8))
    found = rs.components(cov, [2, 4], joint=True)
    assert found.status == "optimal"
    assert [len(support) for support in found.supports] == [2, 4]
    assert float(found.raw.sum()) == pytest.approx(found.lower, rel=1e-10)
    assert np.abs(found.loadings_array.T @ found.loadings_array - np.eye(2)).max() < 1e-14
    assert found.upper <= rs.solve(cov, 2).upper + rs.solve(cov, 4).upper
    assert found.upper <= found.dense
    assert found.upper <= found.root


@pytest.mark.usefixtures("unlisted")
def test_a_spent_limit_leaves_both_bounds():
    found = rs.components(PITPROPS, 4, 4, joint=True, disjoint=True, time_limit=0)
    assert found.status == "time limit"
    assert found.lower <= 8.535914 <= found.upper <= found.dense * (1 + 1e-9)
    few = rs.components(PITPROPS, 4, 4, joint=True, disjoint=True, node_limit=1)
    assert (few.status, few.node_count) == ("node limit", 1)
    assert 8.535913 <= few.upper <= 8.56
    seen = []
    stopped = rs.components(
        PITPROPS, 4, 4, joint=True, disjoint=True, callback=lambda p: seen.append(p) or True
    )
    assert stopped.status == "interrupted"
    assert stopped.lower - 1e-7 <= 8.5359129 <= stopped.upper
    assert len(seen) == 1


def test_one_component_is_one_and_sizes_that_cannot_all_be_used_are_at_most():
    text = rs.components(PITPROPS, [3], joint=True).statement
    assert "1 component of 3 variables: " in text
    assert "of what the first ordinary PC explains" in text
    few = rs.components(rs.Covariance(np.diag([3.0, 2.0, 1.0])), [2, 2], joint=True, disjoint=True)
    assert "of at most 2 variables each, no variable used twice" in few.statement
    alike = rs.components(PITPROPS.restrict(range(5)), 3, 2, joint=True, common=True)
    assert "of 2 orthogonal components of 3 variables in common" in alike.statement


def test_as_many_components_as_variables_on_all_variables_are_the_principal_ones():
    found = rs.components(PITPROPS, [13] * 13, joint=True)
    values, vectors = np.linalg.eigh(PITPROPS.matrix)
    assert found.status == "optimal"
    assert found.raw == pytest.approx(values[::-1], abs=1e-9)
    assert np.abs(np.sum(found.loadings_array * vectors[:, ::-1], axis=0)) == pytest.approx(1, abs=1e-9)
    assert found.lower <= found.raw.sum() + 1e-9
    assert rs.verify(found.certificate)


def test_ctrl_c_while_the_certificate_is_made_keeps_table_and_bounds(monkeypatch):
    cov = rs.Covariance(PITPROPS.matrix[:5, :5])
    whole = rs.components(cov, [2, 2], joint=True)
    interrupt(monkeypatch, joint, "table_certificate")
    found = rs.components(cov, [2, 2], joint=True)
    assert found.is_interrupted
    assert found.certificate is None
    assert found.lower == whole.lower <= whole.upper <= found.upper * (1 + 1e-12)
    assert "The bounds have no certificate." in repr(found)


@pytest.mark.parametrize(
    ("sizes", "told"), [((5, 4, 3), {}), ((5, 4, 3), {"disjoint": True}), ((5, 5), {"common": True})]
)
def test_a_search_that_is_stopped_proves_no_less_than_single_components_do(sizes, told):
    X = np.random.default_rng(7).normal(size=(20, 70))
    cov = rs.Covariance.from_data(X, correlation=True)
    found = rs.components(cov, sizes, joint=True, time_limit=0, **told)
    singles = [spectral.upper_bound(cov, "rowsum", k) for k in sizes]
    assert found.lower <= found.upper <= 1.001 * sum(singles)
    assert found.upper < 0.8 * np.linalg.eigvalsh(cov.matrix)[-len(sizes) :].sum()
    assert rs.verify(found.certificate, against=cov)


def test_conditions_are_said(cov):
    cov = cov.restrict(["topdiam", "length", "moist", "testsg", "knots"])
    found = rs.components(cov, [3, 2], joint=True, include=[["knots"], []], exclude=["topdiam"])
    assert "subject to knots included in component 1, topdiam excluded" in str(found)
    assert "No 2 orthogonal components of these sizes under these conditions can explain more" in str(found)
    assert "knots" in found.certificate.names
    assert found.certificate.exclude.tolist() == [0]
    both = rs.components(cov, [3, 2], joint=True, include=["knots"])
    assert "subject to knots included: " in str(both)

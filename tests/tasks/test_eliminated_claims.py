"""What is said of a covariance that left variables out is true of all variables, or is not said."""

import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st

import relaxspca as rs
from tests.small_covariances import optimum


def whole_and_part(seed, limit, n=9, decay=0.5):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((12, n)) @ rng.standard_normal((n, n)) * np.arange(1.0, n + 1) ** -decay
    return np.cov(X, rowvar=False), rs.Covariance.from_chunks([X[:7], X[7:]], limit=limit)


@examples(15)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 4), limit=st.integers(4, 8), decay=st.floats(0.0, 2.0))
def test_certify_path_and_components_enclose_the_optimum_over_everything(seed, k, limit, decay):
    Sigma, cov = whole_and_part(seed, limit, decay=decay)
    best = optimum(Sigma, k)
    judged = rs.certify(cov, rs.candidate(cov, k))
    row = rs.path(cov, k=k).rows[0]
    first = rs.components(cov, k, 1)
    for certificate in (judged.certificate, row.certificate, first.results[0].certificate):
        assert certificate.lower <= best * (1 + 1e-12)
        assert certificate.upper >= best * (1 - 1e-12)
        assert rs.verify(certificate, against=cov)
    assert judged.bound.upper == judged.upper == judged.certificate.upper
    assert first.total == pytest.approx(np.trace(Sigma))


def test_a_gap_that_the_elimination_leaves_is_not_called_optimal():
    """Three equal variables of which one is left out: nothing but its variance bounds its part."""
    cov = rs.Covariance.from_chunks(np.array([[1.0, 1, 1], [-1, -1, -1], [0, 0, 0]]), limit=2)
    found = rs.solve(cov, 2)
    assert found.lower == pytest.approx(2.0)
    assert found.status == "optimal"
    more = rs.Covariance.from_chunks(
        np.random.default_rng(0).standard_normal((30, 6)) * np.linspace(1, 0.9, 6), limit=3
    )
    found = rs.solve(more, 3)
    assert found.upper > found.lower * 1.01
    assert found.status == "elimination"


@pytest.mark.parametrize("claim", [{"nonnegative": True}, {"groups": {"pair": ["x0", "x1"]}}])
def test_a_claim_among_too_many_variables_is_refused(claim):
    cov = rs.Covariance.from_factor(np.ones((1, 4401)))
    with pytest.raises(rs.InputError, match="at most 4400 variables, not 4401"):
        rs.solve(cov, 2, **claim)

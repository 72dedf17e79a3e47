"""`solve` where variables are eliminated before the search."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.certify import reduced, solve
from relaxspca.certify.elimination import shrink


def wide_covariance(seed, n=80, m=25):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((m, n)) * rng.uniform(0.1, 1.0, n)
    X[:, :12] += 2 * rng.standard_normal((m, 1)) * rng.uniform(0.5, 1.5, 12)
    return rs.Covariance.from_data(X)


@pytest.mark.parametrize("seed", range(5))
def test_elimination_first_gives_the_optimum_of_the_whole_search(seed, monkeypatch):
    cov = wide_covariance(seed)
    whole = rs.solve(cov, 4)
    monkeypatch.setattr(solve, "LARGEST_BLOCK", 30)
    monkeypatch.setattr(reduced, "LARGEST_BLOCK", 30)
    found = rs.solve(cov, 4)
    assert found.certificate.n < cov.n
    assert found.certificate.eliminated.count == cov.n - found.certificate.n
    assert found.lower == pytest.approx(whole.lower, rel=1e-12)
    assert whole.lower <= found.upper
    assert found.candidate.loadings.shape == (cov.n,)
    assert found.support == whole.support
    x = found.candidate.loadings
    assert x @ cov.matrix @ x == pytest.approx(found.lower, rel=1e-9)
    verdict = rs.verify(found.certificate)
    assert verdict, verdict.reasons


def test_variables_that_were_eliminated_before_are_part_of_the_claim():
    cov = wide_covariance(7)
    whole = rs.solve(cov, 3)
    kept = shrink(cov, 0.2)
    found = rs.solve(kept, 3)
    assert found.upper >= whole.lower
    assert found.certificate.digest == kept.digest
    verdict = rs.verify(found.certificate, against=kept)
    assert verdict, verdict.reasons


def test_what_cannot_be_reduced_is_said(monkeypatch):
    monkeypatch.setattr(solve, "LARGEST_BLOCK", 5)
    monkeypatch.setattr(reduced, "LARGEST_BLOCK", 5)
    with pytest.raises(rs.InputError, match="cannot be eliminated"):
        rs.solve(rs.Covariance(np.eye(9) + 0.5), 2)
    with pytest.raises(rs.InputError, match="penalised"):
        rs.solve(shrink(rs.Covariance(np.diag([3.0, 2.0, 1.0])), 1.5), rho=0.1)

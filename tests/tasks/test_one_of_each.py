"""One variable of a group at most, and whole groups; against enumeration: tests/checker/test_reductions.py."""

import numpy as np
import pytest

import relaxspca as rs

PAIRS = {str(i): range(2 * i, 2 * i + 2) for i in range(6)}


@pytest.mark.usefixtures("splitting")
@pytest.mark.parametrize(
    ("asked", "jobs"),
    [
        ({"k": 4, "groups": PAIRS}, {"n_jobs": 2}),
        ({"k": 4, "nonnegative": True}, {"n_jobs": 2}),
        ({"groups": PAIRS, "most": 3}, {}),
    ],
)
def test_a_factor_and_several_processes_give_the_same(asked, jobs):
    X = np.random.default_rng(4).normal(size=(9, 12))
    dense = rs.solve(rs.Covariance(X.T @ X), **asked)
    factored = rs.solve(rs.Covariance.from_factor(X), **asked)
    together = rs.solve(rs.Covariance(X.T @ X), **asked, **jobs)
    assert factored.support == dense.support == together.support
    assert together.node_count == dense.node_count > 1
    assert factored.status == dense.status == "optimal"
    assert rs.verify(factored.certificate)
    assert rs.verify(dense.certificate, against=rs.Covariance(X.T @ X))


def test_groups_of_one_are_the_problem_without_groups(cov):
    found = rs.solve(cov, groups={name: [name] for name in cov.names}, most=3)
    plain = rs.solve(cov, 3)
    assert (found.groups, found.k, found.status) == (plain.support, 3, "optimal")
    assert abs(found.upper - plain.upper) < 1e-8

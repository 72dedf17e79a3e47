"""Whole groups; against enumeration: tests/checker/test_reductions.py."""

import relaxspca as rs


def test_groups_of_one_are_the_problem_without_groups(cov):
    found = rs.solve(cov, groups={name: [name] for name in cov.names}, most=3)
    plain = rs.solve(cov, 3)
    assert found.groups == plain.support
    assert found.k == 3
    assert abs(found.upper - plain.upper) < 1e-8
    assert found.status == "optimal"

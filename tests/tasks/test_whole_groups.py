"""Whole groups; against enumeration: tests/checker/test_reductions.py."""

import relaxspca as rs


def test_groups_of_one_are_the_problem_without_groups():
    cov = rs.datasets.load_pitprops()
    found = rs.solve(cov, groups={name: [name] for name in cov.names}, most=3)
    plain = rs.solve(cov, 3)
    assert found.groups == plain.support
    assert found.k == 3
    assert abs(found.upper - plain.upper) < 1e-8
    assert found.status == "optimal"


def test_what_it_says_and_saves(tmp_path):
    found = rs.solve(rs.datasets.load_pitprops(), groups={"a": [0, 1], "b": [2, 3], "c": [5, 6]}, most=2)
    assert "with at most 2 of 3 groups" in repr(found)
    assert found.to_records()[0]["k"] == 4
    found.save(tmp_path / "proof.json")
    assert rs.verify(tmp_path / "proof.json", against=rs.datasets.load_pitprops())

"""Whole groups; against enumeration: tests/checker/test_reductions.py."""

import pytest

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


@pytest.mark.parametrize(
    ("groups", "most", "said"),
    [
        ({"a": [0, 1], "b": [1, 2]}, 1, "length is in two groups"),
        ({}, 1, "groups must be a mapping"),
        ({"a": [0]}, 0, "most must be"),
        ({"a": [0]}, 1.5, "most must be"),
    ],
)
def test_what_cannot_be_is_named(groups, most, said):
    with pytest.raises(rs.InputError, match=said):
        rs.solve(rs.datasets.load_pitprops(), groups=groups, most=most)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"most": 2}, "give groups too"),
        ({"groups": {"a": [0]}}, "give the cardinality k, or most"),
        ({"groups": {"a": [0]}, "k": 2, "most": 1}, "give k, for at most one"),
        ({"groups": {"a": [0]}, "k": 2, "nonnegative": True}, "cannot be used together"),
        ({"groups": {"a": [0]}, "k": 2, "rho": 0.1}, "rho cannot be used with groups"),
        ({"groups": {"a": [0]}, "most": 1, "include": [1]}, "include cannot be used with most"),
        ({"nonnegative": True, "rho": 0.2}, "rho cannot be used with nonnegative"),
    ],
)
def test_restrictions_that_do_not_go_together(options, said):
    with pytest.raises(rs.InputError, match=said):
        rs.solve(rs.datasets.load_pitprops(), **options)

"""Variables that say the same are said to."""

import numpy as np
import pytest

import relaxspca as rs

COPIES = "Copies of each other (correlations of 1 or -1, to within 1e-10): a, b; d, e."


def drawn(units, **options):
    X = np.random.default_rng(0).normal(size=(40, 6))
    X[:, 1], X[:, 4] = units * X[:, 0], 7 - X[:, 3]
    return rs.Covariance.from_data(X, names=[*"abcdef"], **options)


def told(cov, k):
    return [line for line in rs.solve(cov, k).statement.splitlines() if line.startswith("Copies")]


@pytest.mark.parametrize("is_correlation", [False, True])
@pytest.mark.parametrize("units", [1.0, 2.54])
def test_columns_that_stand_twice_are_named(units, is_correlation):
    cov = drawn(units, correlation=is_correlation)
    for given in (cov, rs.Covariance(cov.matrix, names=cov.names)):
        assert told(given, 5) == [COPIES]


def test_nothing_is_said_of_others():
    assert not told(drawn(1.0).restrict([*"acdf"]), 4)
    near = np.array([[1.0, 1 - 1e-8, 0.0], [1 - 1e-8, 1.0, 0.0], [0.0, 0.0, 0.0]])
    assert not told(rs.Covariance(near), 3)
    assert not told(rs.Covariance([[1.0, 2.0], [2.0, 1.0]]), 2)  # no correlation is above one


@pytest.mark.usefixtures("short_starts")
@pytest.mark.parametrize("options", [{"time_limit": 0}, {"joint": True, "node_limit": 0}])
def test_tables_name_them_also_where_they_stand_in_two_components(options):
    found = rs.components(drawn(2.54, correlation=True), [4, 4], **options)
    assert COPIES in found.statement.splitlines()
    assert "Copies of each other" in found.to_latex(caption=True)
    apart = rs.components(drawn(1.0).restrict([*"acdf"]), [2, 2], **options)
    assert apart.copies == ()
    assert "Copies" not in repr(apart)


def test_a_list_names_copies_that_stand_in_different_sets():
    found = rs.near_optimal(drawn(1.0, correlation=True).restrict([*"abcd"]), 2, within=0.9)
    assert not any({"a", "b"} <= {*support} for support in found.supports[1:])
    assert "Copies of each other (correlations of 1 or -1, to within 1e-10): a, b." in repr(found).splitlines()
    assert "Copies" not in repr(rs.near_optimal(drawn(1.0).restrict([*"acdf"]), 2, within=0.9))


def test_assessed_sets_and_paths_name_them():
    cov = drawn(2.54, correlation=True)
    judged = rs.certify(cov, {"one": ["a", "d"], "two": ["b", "e"]})
    assert COPIES in judged.statement.splitlines()
    path = rs.path(cov, k=range(1, 7))
    assert COPIES in repr(path).splitlines()
    assert "Copies of each other" in path.to_latex()
    assert "Copies" not in repr(rs.path(cov.restrict([*"acdf"]), k=[2, 3]))

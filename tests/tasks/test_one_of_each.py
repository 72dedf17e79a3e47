"""At most one variable of each group; against enumeration: tests/checker/test_reductions.py."""

import numpy as np
import pytest

import relaxspca as rs

PAIRS = {str(i): range(2 * i, 2 * i + 2) for i in range(8)}


@pytest.mark.usefixtures("splitting")
@pytest.mark.parametrize(
    ("asked", "jobs"),
    [
        ({"k": 5, "groups": PAIRS}, {"n_jobs": 2}),
        ({"k": 5, "nonnegative": True}, {"n_jobs": 2}),
        ({"groups": PAIRS, "most": 3}, {}),
    ],
)
def test_a_factor_and_several_processes_give_the_same(asked, jobs):
    X = np.random.default_rng(4).normal(size=(12, 16))
    dense = rs.solve(rs.Covariance(X.T @ X), **asked)
    factored = rs.solve(rs.Covariance.from_factor(X), **asked)
    together = rs.solve(rs.Covariance(X.T @ X), **asked, **jobs)
    assert factored.support == dense.support == together.support
    assert together.node_count == dense.node_count > 1
    assert factored.status == dense.status == "optimal"
    assert rs.verify(factored.certificate)
    assert rs.verify(dense.certificate, against=rs.Covariance(X.T @ X))


def test_what_it_says_and_saves(tmp_path):
    groups = {"size": ["topdiam", "length"], "ring": [5, 6]}
    found = rs.solve(rs.datasets.load_pitprops(), 4, groups=groups)
    assert "subject to at most one variable of each of the groups size, ring" in repr(found)
    assert not {"topdiam", "length"} <= set(found.support)
    found.save(tmp_path / "proof.json")
    assert rs.verify(tmp_path / "proof.json", against=rs.datasets.load_pitprops())
    assert len(found.save_certificates(tmp_path)) == 1

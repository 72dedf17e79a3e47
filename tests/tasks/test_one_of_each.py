"""At most one variable of each group, against enumeration, with conditions too; every proof verifies."""

import itertools

import numpy as np
import pytest
from draws import draws
from small_covariances import KINDS, covariance, draw

import relaxspca as rs


def allowed(n, k, groups):
    supports = (T for m in range(1, k + 1) for T in itertools.combinations(range(n), m))
    return [T for T in supports if all(len(set(T) & set(group)) <= 1 for group in groups.values())]


@pytest.mark.parametrize("kind", KINDS)
def test_equals_enumeration_and_verifies(kind):
    for seed in range(draws(2, 5)):
        rng = np.random.default_rng([seed, 41])
        n, k = 8, int(rng.integers(1, 7))
        S = draw(kind, rng, n)
        order = rng.permutation(n).tolist()
        groups = {"a": order[:3], "b": order[3:5], "c": order[5:6]}
        supports = allowed(n, k, groups)
        best = max(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] for T in supports)
        found = rs.solve(covariance(S), k, groups=groups)
        room = 1e-12 * np.abs(S).max() + 5e-9 * abs(best)
        assert found.lower <= best + room
        assert best - room <= found.upper <= best + room
        assert tuple(found.candidate.indices.tolist()) in supports
        assert all(rs.verify(found.certificate, exact=exact) for exact in (True, False))
        stopped = rs.solve(covariance(S), k, groups=groups, node_limit=0)
        assert stopped.lower <= best + room
        assert stopped.upper >= best - room
        assert rs.verify(stopped.certificate)


def test_a_factor_and_several_processes_give_the_same():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(20, 30)) @ np.diag(rng.random(30) + 0.5)
    groups = {str(i): range(3 * i, 3 * i + 3) for i in range(8)}
    dense = rs.solve(rs.Covariance(X.T @ X), 5, groups=groups)
    factored = rs.solve(rs.Covariance.from_factor(X), 5, groups=groups)
    together = rs.solve(rs.Covariance(X.T @ X), 5, groups=groups, n_jobs=2)
    assert factored.support == dense.support == together.support
    assert together.node_count == dense.node_count
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


def test_two_of_one_group_cannot_be_included():
    with pytest.raises(rs.InputError, match="topdiam and length are to be included, but both are in the group"):
        rs.solve(rs.datasets.load_pitprops(), 4, groups={"size": [0, 1]}, include=[0, 1])


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ({"a": [0, 1], "b": [1, 2]}, "length is in two groups"),
        ({"a": ["nobody"]}, "there is no variable 'nobody'"),
        ({}, "groups must be a mapping"),
        ([[0, 1]], "groups must be a mapping"),
    ],
)
def test_groups_that_cannot_be_are_named(groups, said):
    with pytest.raises(rs.InputError, match=said):
        rs.solve(rs.datasets.load_pitprops(), 3, groups=groups)

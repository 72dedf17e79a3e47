"""At most one variable of each group, against enumeration; the parts of a proof verify and cover all."""

import itertools
import warnings

import numpy as np
import pytest
from small_covariances import KINDS, draw

import relaxspca as rs


def covariance(S):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.DataWarning)
        return rs.Covariance(S)


def allowed(n, k, groups):
    supports = (T for m in range(1, k + 1) for T in itertools.combinations(range(n), m))
    return [T for T in supports if all(len(set(T) & set(group)) <= 1 for group in groups.values())]


@pytest.mark.parametrize("kind", KINDS)
def test_equals_enumeration_and_its_parts_cover_all_that_is_allowed(kind):
    for seed in range(5):
        rng = np.random.default_rng([seed, 41])
        n, k = 8, int(rng.integers(1, 7))
        S = draw(kind, rng, n)
        order = rng.permutation(n).tolist()
        groups = {"a": order[:3], "b": order[3:5], "c": order[5:6]}
        supports = allowed(n, k, groups)
        best = max(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] for T in supports)
        found = rs.one_of_each(covariance(S), k, groups)
        room = 1e-12 * np.abs(S).max() + 5e-9 * abs(best)
        assert found.lower <= best + room
        assert best - room <= found.upper <= best + room
        assert tuple(found.candidate.indices.tolist()) in supports
        excluded = [set(part.certificate.exclude.tolist()) for part in found.parts]
        assert all(any(not set(T) & out for out in excluded) for T in supports)
        assert all(rs.verify(part.certificate) for part in found.parts)
        stopped = rs.one_of_each(covariance(S), k, groups, limit=2)
        assert stopped.lower <= best + room
        assert stopped.upper >= best - room


def test_what_it_says_and_saves(tmp_path):
    found = rs.one_of_each(rs.datasets.load_pitprops(), 4, {"size": ["topdiam", "length"], "ring": [5, 6]})
    assert "with at most one variable of each group" in repr(found)
    assert not {"topdiam", "length"} <= set(found.support)
    assert len(found.save_certificates(tmp_path)) == len(found.parts)


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
        rs.one_of_each(rs.datasets.load_pitprops(), 3, groups)

"""Verbs that search one cardinality take the same search: none leaves more open than `solve`."""

import numpy as np
import pytest

import relaxspca as rs


@pytest.fixture(scope="module")
def branching():
    signs = np.triu(np.sign(np.random.default_rng(2).normal(size=(12, 12))), 1)
    cov = rs.Covariance(16 / 3 * np.eye(12) + signs + signs.T)
    found = rs.solve(cov, 6)
    assert found.node_count > 1  # a matrix whose root leaves a gap
    return cov, found


def first_component(cov, k):
    return rs.components(cov, [k]).results[0]


def compared(cov, k):
    return rs.compare(cov, k, methods=["auto"]).result


@pytest.mark.parametrize("search", [first_component, compared])
def test_the_search_of_a_verb_is_that_of_solve(branching, search):
    cov, found = branching
    other = search(cov, 6)
    assert (other.node_count, other.lower, other.upper) == (found.node_count, found.lower, found.upper)


def test_paths_and_verdicts_prove_what_solve_proves(branching):
    cov, found = branching
    row = rs.path(cov, k=[6]).rows[0]
    judged = rs.certify(cov, found.candidate)
    assert row.upper == pytest.approx(found.upper, rel=1e-8)
    assert judged.upper == pytest.approx(found.upper, rel=1e-5)

"""Verbs that search share the search and the time limit, whatever the form of the matrix."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.applications import canonical_correlations, discriminant, discriminants
from relaxspca.tasks import components

FEW = rs.datasets.load_pitprops().restrict(range(6))
X = np.random.default_rng(0).normal(size=(60, 8))
VERBS = {  # where the name of its searches is looked up, their name, and what is asked
    "components": (components, "solve", lambda s: rs.components(FEW, 2, 3, time_limit=s)),
    "discriminants": (
        discriminant, "generalized", lambda s: discriminants(X, np.arange(60) % 4, 3, 3, time_limit=s)
    ),
    "canonical_correlations": (
        discriminant, "generalized", lambda s: canonical_correlations(X[:, :4], X[:, 4:], 3, 3, time_limit=s)
    ),
}  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_each_search_has_an_equal_part_of_what_is_left(verb, ten_seconds_each):
    module, search, asked = VERBS[verb]
    given = ten_seconds_each(module, search)
    for limit, expected in ((60.0, [20.0, 25.0, 40.0]), (15.0, [5.0, 2.5, 0.0]), (None, [None] * 3)):
        asked(limit)
        assert given == expected
        given.clear()


@pytest.mark.parametrize("verb", VERBS)
def test_a_limit_that_is_none_is_told_at_the_door(verb):
    with pytest.raises(rs.InputError, match="time_limit must be a number of at least 0, not 'soon'"):
        VERBS[verb][2]("soon")


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

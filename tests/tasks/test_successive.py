"""Searches that start from one another, and the exact path made of them."""

import numpy as np
import pytest
from small_covariances import draw, optimum

import relaxspca as rs
from relaxspca.problem.size import Cardinality
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.evaluate import expand
from relaxspca.search.limits import SearchLimits
from relaxspca.search.node import Effort, OpenNode
from relaxspca.search.run import Run, first_proof
from relaxspca.tasks import path as paths
from relaxspca.tasks.path import solve_each


def test_a_row_starts_from_the_row_before(monkeypatch):
    """With candidates that know nothing, the search still begins at the grown component."""
    cov, starts = rs.datasets.load_pitprops(), []

    def poor(cov, k, *, deadline):
        return rs.Candidate.from_support(cov, [10])

    class Spied(Run):
        def __init__(self, cov, size, start, **options):
            starts.append(start)
            super().__init__(cov, size, start, **options)

    monkeypatch.setattr(paths, "candidate", poor)
    monkeypatch.setattr(paths, "Run", Spied)
    solve_each(cov, [5, 3, 4])
    assert [s.k for s in starts] == [1, 4, 5]
    assert starts[1].value == pytest.approx(2.9374789467)  # enumeration: grown from the best three


def test_a_component_has_half_of_the_time_of_its_row(ten_seconds_each):
    """With a clock that stands still but for ten seconds a component: 60 / 3 / 2, 50 / 2 / 2, 40 / 1 / 2."""
    given = ten_seconds_each(paths, "candidate")
    found = solve_each(rs.datasets.load_pitprops(), [3, 4, 5], deadline=Deadline.after(60.0))
    assert given == [10.0, 12.5, 20.0]
    assert [row.status for row in found.values()] == ["optimal"] * 3


@pytest.mark.parametrize("stops", [1, 3, 5])
def test_searches_that_were_stopped_are_taken_up_again(stops, monkeypatch):
    """The first searches are given no time: what the others leave goes to them, and all are proved."""
    S = draw("correlation", np.random.default_rng(2), 9)
    calls = []

    class Stopped(Run):
        def advance(self, limits):
            calls.append(self.search.size.k)
            return super().advance(SearchLimits(Deadline.after(0)) if len(calls) <= stops else limits)

    monkeypatch.setattr(paths, "Run", Stopped)
    found = solve_each(rs.Covariance(S), [2, 3, 4], deadline=Deadline.after(600))
    assert len(calls) == 3 + stops
    for k, result in found.items():
        assert result.status == "optimal"
        assert result.lower == pytest.approx(optimum(S, k), rel=1e-9)
        assert rs.verify(result.certificate)


def test_a_root_out_of_time_is_not_split():
    """It is left as it is, to be gone on with; one that is given time is split."""
    signs = np.triu(np.sign(np.random.default_rng(0).normal(size=(20, 20))), 1)
    cov, size = rs.Covariance(10 * np.eye(20) + signs + signs.T), Cardinality(8)
    best = rs.candidate(cov, 8)
    root = OpenNode(np.arange(0), np.arange(20), 0, np.ones(20))
    proof = first_proof(cov, size)
    late = expand(cov, size, root, proof, best.value, best.value, Effort(deadline=Deadline.after(0)))
    assert (late.branch, late.node.depth) == (None, 0)
    in_time = expand(cov, size, late.node, late.proof, best.value, best.value, Effort(stages=1))
    assert in_time.branch is not None
    assert in_time.proof.bound < late.proof.bound

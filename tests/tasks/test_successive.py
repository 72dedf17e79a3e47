"""Searches that start from one another, and the exact path made of them."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from pools import Elsewhere
from small_covariances import draw, optimum

import relaxspca as rs
from relaxspca.problem.size import Cardinality
from relaxspca.results.status import Status
from relaxspca.runtime import task_queue
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.evaluate import expand
from relaxspca.search.limits import SearchLimits
from relaxspca.search.node import Effort, OpenNode
from relaxspca.search.run import Run, first_proof
from relaxspca.tasks import path as paths
from relaxspca.tasks.path import Proofs


def test_a_search_is_gone_on_with_from_the_row_before(monkeypatch):
    """With candidates that know nothing, and roots without time, trees still begin at the grown component."""
    cov, begun = rs.datasets.load_pitprops(), []

    class Spied(Run):
        def advance(self, limits):
            begun.append((self.search.size.k, self.candidate.value))
            return super().advance(SearchLimits(Deadline.after(0)) if len(begun) <= 3 else limits)

    monkeypatch.setattr(paths, "candidate", lambda cov, k, **_: rs.Candidate.from_support(cov, [10]))
    monkeypatch.setattr(paths, "Run", Spied)
    Proofs().by_cardinality(cov, [5, 3, 4])
    assert begun[:4] == [(3, 1.0), (4, 1.0), (5, 1.0), (3, 1.0)]
    assert begun[4] == (4, pytest.approx(2.9374789467))  # enumeration: grown from the best three
    assert begun[5][0] == 5


@pytest.fixture
def poor_for_five(monkeypatch):
    """Let a row of five variables begin with a poor component."""
    own, poor = paths.candidate, rs.Candidate.from_support(rs.datasets.load_pitprops(), [10])
    monkeypatch.setattr(paths, "candidate", lambda cov, k, **how: poor if k == 5 else own(cov, k, **how))


@pytest.mark.usefixtures("poor_for_five")
@pytest.mark.parametrize("is_whole", [True, False])
def test_a_row_explains_no_less_than_the_row_before(is_whole, monkeypatch):
    """The third row has a poor component of its own, and no time for more."""
    cov = rs.datasets.load_pitprops()
    monkeypatch.setattr(paths, "is_searched_whole", lambda _: is_whole)
    found = Proofs(deadline=Deadline.after(0.0)).by_cardinality(cov, [3, 4, 5])
    assert found[5].lower > found[4].lower
    assert found[5].upper >= found[5].lower
    assert all(rs.verify(row.certificate) for row in found.values())


@pytest.mark.usefixtures("poor_for_five")
@pytest.mark.parametrize("is_whole", [True, False])
def test_nothing_is_searched_after_ctrl_c(is_whole, monkeypatch):
    """It comes in the third row, whose component is poorer than that of the row before."""
    cov, asked = rs.datasets.load_pitprops(), []

    class Stopped(Run):
        def advance(self, limits):
            super().advance(limits)
            self.status = Status.INTERRUPTED if self.search.size.k == 5 else self.status

    def solved(cov, k, **options):
        asked.append(k)
        if k != 5:
            return rs.solve(cov, k, **options)
        return replace(rs.solve(cov, k, start=options["start"], node_limit=0), status=Status.INTERRUPTED)

    for name, new in {"solve": solved, "Run": Stopped}.items():
        monkeypatch.setattr(paths, name, new)
    monkeypatch.setattr(paths, "is_searched_whole", lambda _: is_whole)
    found = Proofs().by_cardinality(cov, [3, 4, 5])
    assert found[5].status == "interrupted"
    assert asked == ([] if is_whole else [3, 4, 5])
    assert not is_whole or found[5].lower > found[4].lower


def test_a_component_has_half_of_the_time_of_its_row(ten_seconds_each):
    """With a clock that stands still but for ten seconds a component: 60 / 3 / 2, 50 / 2 / 2, 40 / 1 / 2."""
    given = ten_seconds_each(paths, "candidate")
    found = Proofs(deadline=Deadline.after(60.0)).by_cardinality(rs.datasets.load_pitprops(), [3, 4, 5])
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
    found = Proofs(deadline=Deadline.after(600)).by_cardinality(rs.Covariance(S), [2, 3, 4])
    assert len(calls) == 3 + stops
    for k, result in found.items():
        assert result.status == "optimal"
        assert result.lower == pytest.approx(optimum(S, k), rel=1e-9)
        assert rs.verify(result.certificate)


@pytest.mark.parametrize("asked", [{"k": [4, 7]}, {"rho": [4.0, 6.0]}, {"k": [7, 8], "include": [0]}], ids=str)
def test_rows_that_others_prove_are_those_proved_here(asked, monkeypatch):
    X = np.random.default_rng(2).normal(size=(24, 24))
    cov = rs.Covariance(X.T @ X)
    alone, others = rs.path(cov, **asked), Elsewhere()
    monkeypatch.setattr(task_queue, "workers", lambda: nullcontext(others))
    monkeypatch.setattr(task_queue, "PATIENCE", 0.0)
    together = rs.path(cov, **asked)
    assert others.done > 0
    assert max(row.node_count for row in together.rows) > 1
    for one, other in zip(alone.rows, together.rows, strict=True):
        assert (one.lower, one.upper, one.node_count) == (other.lower, other.upper, other.node_count)
        assert one.certificate.tree == other.certificate.tree


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

"""Paths: every row is proved, by searches that start from one another."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from draws import draws
from pools import Elsewhere
from published import PITPROPS as OPTIMA
from small_covariances import draw, optimum

import relaxspca as rs
from relaxspca.problem.gap import penalty_line
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

PITPROPS = rs.datasets.load_pitprops()


def test_every_row_of_pitprops_is_proved_and_by_what():
    found = rs.path(PITPROPS)
    assert all(row.certified for row in found.rows)
    assert [row.upper for row in found.rows] == pytest.approx(OPTIMA, rel=1e-6)
    by = [row.by for row in found.rows]
    assert by == ["kkt", *["search"] * 9, "kkt", "kkt", "kkt"]
    assert all(rs.verify(certificate) for certificate in found.certificates.values())


def test_every_row_has_its_certificate_without_time_too(tmp_path):
    found = rs.path(PITPROPS, range(1, 14), time_limit=0)
    assert [row.k for row in found.rows if row.certified] == [1, 2, 13]
    certificates = found.certificates
    assert [certificate.k for certificate in certificates.values()] == list(certificates) == list(range(1, 14))
    written = found.save_certificates(tmp_path / "out")
    assert [file.name for file in written[::12]] == ["k01.json", "k13.json"]
    assert rs.verify(written[6])


def test_a_path_of_penalties_is_searched_and_bounds_every_cardinality():
    found = rs.path(PITPROPS, rho=[0.3, 0.1, 0.03, 2.0])
    assert all(row.certified for row in found.rows)
    assert [len(row.indices) for row in found.rows[:2]] == [6, 7]
    assert list(found.certificates) == [0.3, 0.1, 0.03, 2.0]
    assert (found.rows[3].lower, found.rows[3].support) == (0.0, ())
    assert all(row.lower >= 0 for row in found.rows)
    for k, value in enumerate(OPTIMA, 1):
        bounds = [penalty_line(row.upper, row.rho, k) for row in found.rows]
        assert min(bounds) >= value - 1e-9
        if k == 6:  # the component at 0.3 has six variables
            assert min(bounds) == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize("limit", draws([0, 0.05], [0, 0.05, 0.4]))
def test_more_variables_never_explain_less(limit):
    X = np.random.default_rng(1).normal(size=(50, 120))
    found = rs.path(rs.Covariance.from_data(X), k=range(1, 12), time_limit=limit)
    values = [row.candidate.value for row in found]
    assert values == pytest.approx(np.maximum.accumulate(values))


def test_a_search_is_gone_on_with_from_the_row_before(monkeypatch):
    """With candidates that know nothing, and roots without time, trees still begin at the grown component."""
    cov, begun = PITPROPS, []

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
    own, poor = paths.candidate, rs.Candidate.from_support(PITPROPS, [10])
    monkeypatch.setattr(paths, "candidate", lambda cov, k, **how: poor if k == 5 else own(cov, k, **how))


@pytest.mark.usefixtures("poor_for_five")
@pytest.mark.parametrize("is_whole", [True, False])
def test_a_row_explains_no_less_than_the_row_before(is_whole, monkeypatch):
    """The third row has a poor component of its own, and no time for more."""
    cov = PITPROPS
    monkeypatch.setattr(paths, "is_searched_whole", lambda _: is_whole)
    found = Proofs(deadline=Deadline.after(0.0)).by_cardinality(cov, [3, 4, 5])
    assert found[5].lower > found[4].lower
    assert found[5].upper >= found[5].lower
    assert all(rs.verify(row.certificate) for row in found.values())


@pytest.mark.usefixtures("poor_for_five")
@pytest.mark.parametrize("is_whole", [True, False])
def test_nothing_is_searched_after_ctrl_c(is_whole, monkeypatch):
    """It comes in the third row, whose component is poorer than that of the row before."""
    cov, asked = PITPROPS, []

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
    found = Proofs(deadline=Deadline.after(60.0)).by_cardinality(PITPROPS, [3, 4, 5])
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

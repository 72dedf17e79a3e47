"""The search and its tree: rounds, incumbents, what a pruned tree still proves."""

import itertools

import numpy as np
import pytest
from draws import draws
from small_covariances import draw, optimum

import relaxspca as rs
from relaxspca.certificate import Leaf, Split
from relaxspca.problem.size import Cardinality
from relaxspca.runtime.deadline import Deadline
from relaxspca.search import engine, evaluate
from relaxspca.search.branch_and_bound import Search
from relaxspca.search.node import MOST_ENUMERATED
from relaxspca.search.proof_tree import Points, Proof, ProofTree


def indefinite():
    with pytest.warns(rs.DataWarning):
        return rs.Covariance(draw("indefinite", np.random.default_rng(0), 9))


@pytest.mark.usefixtures("splitting")
def test_bounds_close_in_monotonically():
    history = rs.solve(indefinite(), 4).history
    assert len(history) > 3
    for before, after in itertools.pairwise(history):
        assert after.upper <= before.upper * (1 + 1e-12)
        assert after.lower >= before.lower
        assert after.node_count > before.node_count


@pytest.mark.usefixtures("splitting")
def test_bounded_memory_changes_the_order_and_not_the_answer(monkeypatch):
    cov = indefinite()
    best = rs.solve(cov, 4)
    monkeypatch.setattr(engine, "DIVE_ABOVE", 4)
    dived = rs.solve(cov, 4)
    assert max(p.open_count for p in dived.history) < max(p.open_count for p in best.history)
    assert dived.lower == best.lower == pytest.approx(optimum(cov.matrix, 4))
    assert dived.status == "optimal"
    assert rs.verify(dived.certificate)


@pytest.mark.parametrize(("seconds", "is_swapped"), [(None, True), (0, False)])
def test_supports_are_swapped_while_there_is_time(seconds, is_swapped):
    cov = rs.datasets.load_pitprops()
    search = Search(cov, Cardinality(3), rs.Candidate.from_support(cov, [2, 11, 12]), Proof("trace", None, 3.0))
    search.deadline = Deadline.after(seconds)
    search._consider((0, 2, 11))
    assert (search.candidate.indices.tolist() == [0, 1, 8]) == is_swapped


def test_a_tree_prunes_to_what_the_claim_needs():
    tree = ProofTree(Proof("trace", None, 10.0))
    inside, outside = tree.split(0, 3)
    tree.improve(inside, Proof("rowsum", None, 4.0))
    assert tree.upper == 10.0  # the other child still stands on the proof of the root
    tree.improve(outside, Proof("spectral", None, 6.0))
    tree.improve(outside, Proof("trace", None, 9.0))  # worse: not taken
    assert tree.upper == 6.0
    variances = rs.Covariance(np.diag([4.0, 1.0, 0.25, 9.0]))
    points = Points(variances)
    assert tree.pruned(10.0, points) == (Leaf("rows", 0),)
    # The roots of the variances: no row is above the trace.
    assert points.found[0].weights.tolist() == pytest.approx([2.0, 1.0, 0.5, 3.0])
    points = Points(variances)
    assert tree.pruned(6.0, points) == (Split(0, 3, 1, 2), Leaf("rows", 0), Leaf("rows"))
    assert points.found[0].weights.tolist() == [1.0] * 4


def test_a_node_whose_supports_are_many_is_not_listed(monkeypatch):
    """At a charge any number of free variables may be chosen, also where some are forced in."""
    counts, divided = [0], evaluate.divided

    def counted(work):
        division = divided(work)
        counts.append(len(division.ends))
        return division

    monkeypatch.setattr(evaluate, "divided", counted)
    for seed, n in itertools.product(range(draws(2, 4)), (7, 13)):
        X = np.random.default_rng(seed).standard_normal((30, n))
        rs.solve(rs.Covariance(X.T @ X / 30), rho=0.3, include=[0])
    assert 1 < max(counts) <= MOST_ENUMERATED

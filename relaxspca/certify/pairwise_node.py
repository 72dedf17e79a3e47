"""Evaluate a node of the search by the pairwise relaxation: fix variables by its prices, bound the rest."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.candidate import Candidate
from relaxspca.certify.node import Fixing, Node, Outcome
from relaxspca.certify.proof_tree import Proof
from relaxspca.covariance import Covariance
from relaxspca.relaxations.pairwise import node as positions
from relaxspca.relaxations.prices import RowPrices, price_matrix
from relaxspca.solvers.pairwise import PairwiseSolution, minimise

__all__ = ["evaluate_by_pairwise"]


def evaluate_by_pairwise(
    cov: Covariance,
    k: int,
    node: Node,
    candidate: Candidate,
    target: float,
    *,
    time_limit: float | None = None,
    max_iterations: int = 2000,
) -> Outcome:
    """Fix variables of a node, close it or say what is left and where to branch.

    Parameters
    ----------
    cov : Covariance
    k : int
        Cardinality.
    node : Node
    candidate : Candidate
        The best known; its optimality conditions give the start.
    target : float
        Bound at which a support is of no interest, at least the candidate's value (variance).
    time_limit : float, optional
        Seconds.
    max_iterations : int

    Returns
    -------
    Outcome
        Every fixing and the proof name a `PairwisePoint` that proves them; it covers the node at that time.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> best = rs.candidate(cov, 5)
    >>> root = Node(np.array([], dtype=np.int64), np.arange(13), 0, np.ones(13))
    >>> outcome = evaluate_by_pairwise(cov, 5, root, best, best.value * (1 + 1e-9))
    >>> outcome.node is None, len(outcome.fixings) > 0
    (True, True)
    """
    tol = max((target - candidate.value) / abs(candidate.value), 1e-12)
    solution = minimise(
        cov,
        k,
        support=candidate.support if candidate.cardinality == k else None,
        lower=candidate.value,
        inside=node.inside,
        free=node.free,
        tol=tol,
        time_limit=time_limit,
        max_iterations=max_iterations,
    )
    fixings = []
    for fixing in solution.fixings:
        proof = Proof("pairwise", fixing.point, fixing.worst)
        fixings += [Fixing(int(i), False, proof) for i in fixing.outside]
        fixings += [Fixing(int(i), True, proof) for i in fixing.inside]
    if solution.inside.size >= k or solution.value <= target:
        met = (tuple(int(i) for i in solution.inside),) if solution.inside.size == k else ()
        return Outcome(tuple(fixings), _last_proof(k, solution), None, None, met)
    kept = np.isin(node.variables, np.union1d(solution.inside, solution.free))
    left = Node(solution.inside, solution.free, node.depth, node.weights[kept])
    return Outcome(tuple(fixings), _last_proof(k, solution), left, _branch(k, solution), ())


def _last_proof(k: int, solution: PairwiseSolution) -> Proof:
    if solution.value == -math.inf:
        return Proof("void", None, -math.inf)
    if solution.inside.size == k:
        return Proof("support", None, solution.value)
    return Proof("pairwise", solution.point, solution.value)


def _branch(k: int, solution: PairwiseSolution) -> int:
    """Return the free variable that the prices are least decided about."""
    kept, forced = positions(solution.point, solution.inside, solution.free)
    rows = RowPrices(price_matrix(solution.point, kept), forced)
    either = np.maximum(rows.heaviest_with(k), rows.heaviest_without(k))[~forced]
    return int(solution.free[int(np.argmin(either))])

"""Evaluate one node: bound it by balanced row sums and then the Perron dual, and fix variables by both."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Node
from relaxspca.problem.size import Size
from relaxspca.relaxations.perron.weights import balance, forced_bounds
from relaxspca.runtime.threads import one_thread
from relaxspca.search.eigenvalue_screening import screen_by_eigenvalue, screened_branch
from relaxspca.search.last_supports import divided
from relaxspca.search.node import Effort, Expansion, OpenNode, Workspace
from relaxspca.search.proof_tree import Proof
from relaxspca.search.screening import fix_by_rows
from relaxspca.search.tighten import tighten


def expand(
    cov: Covariance, size: Size, node: OpenNode, proof: Proof, aim: float, target: float, effort: Effort
) -> Expansion:
    """Bound a node, fix variables by the bounds, and choose the branching variable if it stays open.

    Parameters
    ----------
    cov : Covariance.
    size : Cardinality or Penalty.
    node : OpenNode to evaluate.
    proof : the best proof of the node so far, often its parent's.
    aim : value towards which bounds are tightened (variance): that of the incumbent, or the target where all
        supports above a level are wanted.
    target : bound at which a node is closed (variance).
    effort : Effort.

    Returns
    -------
    Expansion
    """
    work = Workspace(cov, size, target, Node(node.inside, node.free), node.weights, proof, node.B)
    if work.is_closed:
        return work.expansion()
    with one_thread(len(work.variables)):
        return _evaluated(work, node, aim, effort)


def _evaluated(work: Workspace, node: OpenNode, aim: float, effort: Effort) -> Expansion:
    scores = fix_by_rows(work)
    if effort.by_eigenvalue and not work.is_closed:
        screen_by_eigenvalue(work)
    late = effort.deadline.is_over
    if not work.is_closed and effort.stages and not late and not work.can_enumerate(effort.most_entries):
        strong = tighten(work, aim, effort)
        scores = strong if strong is not None else scores
    if work.is_closed:
        return work.expansion()
    if work.can_enumerate(effort.most_entries):
        return work.expansion(division=divided(work))
    if effort.deadline.is_over and node.depth == 0:
        # A root is given all the time there is: taken up again, it goes on where it stopped.
        return work.expansion(node=work.node(0))
    branch = screened_branch(work) if effort.by_eigenvalue else None
    branch = _branch(work, scores) if branch is None else branch
    return work.expansion(node=work.node(node.depth + 1), branch=branch)


def _branch(work: Workspace, scores: tuple[Array, Array]) -> int:
    """Return the free variable of largest product of the two children's estimated decreases of the bound."""
    with_i, without_i = scores
    if len(with_i) != len(work.variables):
        found = balance(work.Sigma, work.is_inside, work.size, weights=work.weights, iterations=1)
        with_i, without_i = forced_bounds(work.Sigma, work.is_inside, work.size, found)
    top = max(work.proof.bound, float(np.max(with_i)), float(np.max(without_i[~work.is_inside])))
    tiny = 1e-6 * abs(top) + 1e-300
    # Scaled by a power of two, so that the product stays in the floating range.
    down, up = (np.ldexp(top - value + tiny, -math.frexp(top)[1]) for value in (with_i, without_i))
    merit = down * up
    merit[work.is_inside] = -np.inf
    return int(work.variables[int(np.argmax(merit))])

"""Evaluate one node: bound it and fix variables, or enumerate its supports where few are left."""

from __future__ import annotations

import math
from itertools import groupby

import numpy as np

from relaxspca.numerics.linalg import FEW, Array, Indices, eigenvalues_upper, is_proved_below
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Node
from relaxspca.problem.size import Size
from relaxspca.relaxations.perron.minimise import to_point
from relaxspca.relaxations.perron.weights import balance, forced_bounds
from relaxspca.runtime.threads import one_thread
from relaxspca.search.node import Division, Effort, Expansion, OpenNode, Workspace
from relaxspca.search.proof_tree import Proof
from relaxspca.search.screening import fix_by_rows, screen
from relaxspca.search.tighten import tighten

MOST_EXACT = 60  # variables up to which the eigenvalue without each is computed for branching


def expand(
    cov: Covariance, size: Size, node: OpenNode, proof: Proof, aim: float, target: float, effort: Effort
) -> Expansion:
    """Bound a node, fix variables by the bounds, and choose the branching variable if it stays open.

    The proof is the best one of the node so far, often its parent's. Bounds are tightened towards `aim`: the
    value of the incumbent, or the target where all supports above a level are wanted. A bound at the target
    closes the node.
    """
    here = Node(node.inside, node.free)
    work = Workspace(cov, size, target, here, node.weights, proof, node.B)
    if work.is_closed:
        return work.expansion()
    with one_thread(len(work.variables)):
        return _evaluated(work, node, aim, effort)


def _evaluated(work: Workspace, node: OpenNode, aim: float, effort: Effort) -> Expansion:
    scores = fix_by_rows(work)
    if effort.by_eigenvalue and not work.is_closed:
        screen_by_eigenvalue(work)
    if node.depth == 0 and work.B is not None and not work.is_closed:  # of a dual point that is known
        screen(work, to_point(work.variables, work.B), aim, effort.deadline)
    if effort.stages and not work.is_done(effort):
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


def screen_by_eigenvalue(work: Workspace) -> None:
    """Close a node whose whole block is below the target, or force in each variable that it needs to exceed it.

    Notes
    -----
    For a ratio this is the bound of Furnival and Wilson (Technometrics 16, 1974): a subset is no better than
    all of the variables it is chosen from. It helps where variables are nearly collinear and row charges give
    weak bounds.
    """
    m = len(work.variables)
    if is_proved_below(work.Sigma, work.target, work.rounding):
        work.improve(Proof("spectral", None, work.target))
        return
    if m > FEW:
        return
    shifted = work.Sigma - work.target * np.eye(m)
    try:
        inverse = np.diagonal(np.linalg.inv(shifted))
    except np.linalg.LinAlgError:
        return
    # If one eigenvalue exceeds the target, the block without variable i has none above it iff this is positive.
    without = np.full(m, np.inf)
    for i in np.flatnonzero(~work.is_inside & (inverse > 0)):
        kept = np.arange(m) != i
        if is_proved_below(work.Sigma[np.ix_(kept, kept)], work.target, work.rounding):
            without[i] = work.target
    work.fix(np.full(m, np.inf), without, "spectral", None)


def screened_branch(work: Workspace) -> int | None:
    """Return the free variable whose removal lowers the largest eigenvalue most; None for large nodes."""
    free = np.flatnonzero(~work.is_inside)
    if len(work.variables) > MOST_EXACT:
        return None
    values = [float(np.linalg.eigvalsh(np.delete(np.delete(work.Sigma, i, 0), i, 1))[-1]) for i in free]
    return int(work.variables[free[int(np.argmin(values))]])


def divided(work: Workspace) -> Division:
    """Split an open node into leaves of one support each, and bound each by the eigenvalue of its block.

    Notes
    -----
    Blocks of one size are evaluated in one stack, so that a hundred supports take a few milliseconds. Which
    variables are split first does not matter: a binary tree of so many leaves has so many splits, less one.
    """
    splits, alone = _splits(work)
    proofs = dict[int, Proof]()
    by_size = sorted(alone, key=lambda each: len(each[2]))
    for count, group in groupby(by_size, key=lambda each: len(each[2])):
        some = list(group)
        proofs |= zip((at for at, _, _ in some), _proofs(work, count, [T for _, _, T in some]), strict=True)
    ends = tuple((at, _leaf_outcome(work, last, T, proofs[at])) for at, last, T in alone)
    return Division(tuple(splits), ends)


def _splits(work: Workspace) -> tuple[list[tuple[int, int]], list[tuple[int, Node, Indices]]]:
    """Return the splits, and the leaves as triples (number, node, its only support)."""
    splits, alone, waiting = list[tuple[int, int]](), list[tuple[int, Node, Indices]](), [(0, work.here)]
    while waiting:
        at, node = waiting.pop()
        last = work.size_of_all.last_support(node.inside, node.free)
        if last is not None:
            alone.append((at, node, last))
            continue
        splits.append((at, int(node.free[0])))
        waiting += enumerate(work.size_of_all.halves(node, int(node.free[0])), start=2 * len(splits) - 1)
    return splits, alone


def _proofs(work: Workspace, count: int, supports: list[Indices]) -> list[Proof]:
    """Return the proofs of supports with `count` variables each."""
    if count == 0:
        return [Proof("void", None, -np.inf)] * len(supports)
    positions = np.searchsorted(work.variables, np.array(supports))
    blocks = work.Sigma[positions[:, :, None], positions[:, None, :]]
    bounds = eigenvalues_upper(blocks, work.rounding)
    return [Proof("support", None, work.size_of_all.net_upper(float(bound), count)) for bound in bounds]


def _leaf_outcome(work: Workspace, node: Node, support: Indices, proof: Proof) -> Expansion:
    """Return the outcome of a leaf of one support, which is reported if its bound exceeds the target."""
    better = (tuple(support.tolist()),) if len(support) and proof.bound > work.target else ()
    return Expansion((), proof, None, None, better, node)

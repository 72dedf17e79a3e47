"""Enumerate the supports of a node when few are left, in place of bounding the node further."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from relaxspca.numerics.linalg import eigenvalues_upper
from relaxspca.problem.node import Indices, Node
from relaxspca.search.node import Division, Expansion, Workspace
from relaxspca.search.proof_tree import Proof


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

"""Evidence about a block of variables as evidence about all: its variables and points have other numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from relaxspca.certificate import (
    Certificate,
    Evidence,
    Leaf,
    MultiplierPoint,
    Point,
    Restrict,
    RowsPoint,
    Single,
    Split,
    TreeNode,
    Vector,
    Witness,
)
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices


def in_whole(certificate: Certificate, cov: Covariance, kept: Indices) -> Certificate:
    """Return a claim about the block of some variables as one about all, of which no others may be used.

    The variables `kept` stand in increasing order.
    """
    claim = certificate.claim
    vectors = (Vector(kept[x.support], x.loadings) for x in certificate.witness.components)
    return replace(
        certificate,
        subject=cov.subject,
        claim=replace(
            claim,
            include=tuple(kept[J] for J in claim.forced),  # type: ignore[arg-type]
            exclude=np.setdiff1d(np.arange(cov.n), kept),
        ),
        witness=Witness(tuple(vectors)),
        evidence=_evidence_in_whole(certificate.evidence, kept),
    )


def _evidence_in_whole(evidence: Evidence, kept: Indices) -> Evidence:
    """Return the same evidence with the variables of a block named by their places among all."""
    singles = (Single(one.k, tuple(moved(node, 0, 0, kept) for node in one.tree)) for one in evidence.singles)
    return replace(
        evidence,
        points=tuple(placed(point, 0, kept) for point in evidence.points),
        tree=tuple(moved(node, 0, 0, kept) for node in evidence.tree),
        singles=tuple(singles),
        fewer=tuple(replace(one, evidence=_evidence_in_whole(one.evidence, kept)) for one in evidence.fewer),
    )


def moved(node: TreeNode, by: int, points: int, kept: Indices | None) -> TreeNode:
    """Return a node of a tree that stands later in another, beside points that stand later."""
    if isinstance(node, Split):
        i = node.variable if kept is None else int(kept[node.variable])
        return Split(node.part, i, node.inside + by, node.outside + by)
    if isinstance(node, Restrict):
        at = None if node.point is None else node.point + points
        some = node.kept if kept is None else tuple(kept[list(node.kept)].tolist())
        under = None if node.multipliers is None else node.multipliers + points
        return replace(node, point=at, kept=some, child=node.child + by, multipliers=under)
    if node.point is None:
        return node
    moved = tuple(at + points for at in node.points)
    return Leaf(node.kind, moved if isinstance(node.point, tuple) else moved[0])


def placed(point: Point, points: int, kept: Indices) -> Point:
    """Return a point of the variables kept as one of all."""
    if isinstance(point, MultiplierPoint):
        rows = tuple(None if at is None else at + points for at in point.rows)
        return replace(point, variables=kept[point.variables], rows=rows)
    if isinstance(point, RowsPoint) and point.paid is not None:
        return replace(point, variables=kept[point.variables], paid=kept[point.paid])
    return replace(point, variables=kept[point.variables])

"""The certificate of a set of components: the nodes and dual points that prove its upper bound."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from relaxspca.certificate import (
    Certificate,
    Claim,
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
from relaxspca.numerics.linalg import Indices
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.perron.formula import perron_point
from relaxspca.relaxations.several.formula import MultiplierMatrix
from relaxspca.search.proof_tree import Points, Proof
from relaxspca.search.several.run import Proved, Room


def table_certificate(cov: Covariance, proved: Proved) -> Certificate | None:
    """Return the certificate of proved components; None where their upper bound is not finite.

    Its upper bound leaves room for the roundings of the checker.
    """
    if not math.isfinite(proved.upper):
        return None
    shape, table, room = proved.shape, proved.table, Room(cov, proved.shape)
    # A leaf far below the others needs no room, however large the entries of its point.
    leaves = [leaf for leaf in proved.tree.leaves(proved.upper) if leaf[2].bound > -math.inf]
    points = TablePoints(cov)
    tree = proved.tree.pruned(proved.upper, points)
    kind = "common" if shape.is_common else "disjoint" if shape.is_disjoint else "orthogonal"
    return Certificate(
        subject=cov.subject,
        claim=Claim(
            kind="components",
            supports=kind,
            sizes=shape.sizes * shape.copies,
            include=tuple(np.array(J, dtype=np.int64) for J in shape.forced),  # type: ignore[arg-type]
            lower=proved.lower,
            upper=max([proved.upper, *(room.above(taken, proof) for _, taken, proof in leaves)]),
        ),
        witness=Witness(
            tuple(Vector(table.supports[t], table.given[table.supports[t], t]) for t in table.order)
        ),
        evidence=Evidence(points=tuple(points.found), tree=tree),
        made_by="relaxspca",
    )


class TablePoints(Points):
    """Points as they stand in a certificate, made clean: what the search mends silently is mended here."""

    def leaf(self, proof: Proof) -> Leaf:
        """Return the leaf of a proof, by no point, by one, or by many, each once."""
        point = proof.point
        if isinstance(point, tuple):
            return Leaf(proof.kind, tuple(dict.fromkeys(self._multipliers(one) for one in point)))
        return Leaf(proof.kind, None if point is None else self._multipliers(point))

    def _multipliers(self, point: MultiplierMatrix) -> int:
        y = point.multipliers
        rows = tuple(None if row is None else self._row(row) for row in point.rows)
        key = (point.variables.tobytes(), point.rest.tobytes(), y.tobytes(), str(rows).encode())
        return self.number(key, MultiplierPoint(point.variables, point.rest, y, rows))

    def _row(self, row: RowsPoint) -> int:
        if row not in self._numbers:  # nodes share their points with those above them
            kept = perron_point(row.variables, row.P, row.N)
            key = (kept.variables.tobytes(), kept.P.tobytes(), kept.N.tobytes())
            self._numbers[row] = self.number(key, kept)
        return self._numbers[row]


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

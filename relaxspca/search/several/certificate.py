"""The certificate of a set of components: the nodes and dual points that prove its upper bound."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.certificate import (
    Certificate,
    Claim,
    Evidence,
    Leaf,
    MultiplierPoint,
    RowsPoint,
    Vector,
    Witness,
)
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

"""The certificate of a table: the nodes and dual points that the proof of its upper bound needs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from relaxspca.certificate import (
    Certificate,
    Claim,
    Evidence,
    Leaf,
    MultiplierPoint,
    RowsPoint,
    Split,
    Vector,
    Witness,
)
from relaxspca.problem.claim import subject_of
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.relaxations.perron.formula import perron_point
from relaxspca.relaxations.several.formula import MultiplierMatrix
from relaxspca.search.several.run import Proved
from relaxspca.search.several.slack import Room

__all__ = ["among", "table_certificate"]

Point = MultiplierMatrix | tuple[MultiplierMatrix, ...] | None


def table_certificate(cov: Covariance, proved: Proved) -> Certificate | None:
    """Return the certificate of a proved table; None where its upper bound is not finite.

    Its upper bound leaves room for the roundings of the checker.

    Parameters
    ----------
    cov : Covariance that was searched.
    proved : Proved, as from `prove_table`.
    """
    if not math.isfinite(proved.upper):
        return None
    shape, table, room = proved.shape, proved.table, Room(cov, proved.shape)
    # A leaf far below the others needs no room, however large the entries of its point.
    leaves = [leaf for leaf in proved.tree.leaves(proved.upper) if leaf[1].bound > -math.inf]
    tree, points = _pruned(proved)
    kind = "common" if shape.is_common else "disjoint" if shape.is_disjoint else "orthogonal"
    return Certificate(
        subject=subject_of(cov),
        claim=Claim(
            kind="components",
            supports=kind,
            sizes=shape.sizes * shape.copies,
            include=tuple(np.array(J, dtype=np.int64) for J in shape.forced),  # type: ignore[arg-type]
            lower=proved.lower,
            upper=max([proved.upper, *(room.above(taken, proof) for taken, proof in leaves)]),
        ),
        witness=Witness(
            tuple(Vector(table.supports[t], table.given[table.supports[t], t]) for t in table.order)
        ),
        evidence=Evidence(points=points, tree=tree),
        made_by="relaxspca",
    )


def among(certificate: Certificate, cov: Covariance, kept: Indices) -> Certificate:
    """Return the same claim as one about all variables of a matrix, of which only some may be used.

    Parameters
    ----------
    certificate : of the block of the variables `kept`, which stand in increasing order.
    cov : Covariance of all.
    """
    claim, witness, evidence = certificate.claim, certificate.witness, certificate.evidence
    vectors = (Vector(kept[x.support], x.loadings) for x in witness.components)
    points = (replace(point, variables=kept[point.variables]) for point in evidence.points)
    tree = (
        replace(node, variable=int(kept[node.variable])) if isinstance(node, Split) else node
        for node in evidence.tree
    )
    return replace(
        certificate,
        subject=subject_of(cov),
        claim=replace(
            claim,
            include=tuple(kept[J] for J in claim.forced),  # type: ignore[arg-type]
            exclude=np.setdiff1d(np.arange(cov.n), kept),
        ),
        witness=replace(witness, components=tuple(vectors)),
        evidence=replace(evidence, points=tuple(points), tree=tuple(tree)),
    )


def _pruned(
    proved: Proved,
) -> tuple[tuple[Split | Leaf, ...], tuple[MultiplierPoint | RowsPoint, ...]]:
    """Return the nodes that the proof of the upper bound needs, renumbered, and the points that they use."""
    points = _Points()
    nodes: list[Split | Leaf | None] = [None]
    waiting = [(0, 0)]
    while waiting:
        old, new = waiting.pop()
        split, proof = proved.tree.node(old)
        if split is None or proof.bound <= proved.upper:
            nodes[new] = Leaf(proof.kind, points.numbers(proof.point))
            continue
        part, variable, inside, outside = split
        at = len(nodes)
        nodes += [None, None]
        nodes[new] = Split(part, variable, at, at + 1)
        waiting += [(outside, at + 1), (inside, at)]
    return tuple(node for node in nodes if node is not None), tuple(points.found)


class _Points:
    """Points as they stand in a certificate, each of them once."""

    def __init__(self) -> None:
        self.found: list[MultiplierPoint | RowsPoint] = []
        self._number: dict[tuple[bytes, ...], int] = {}

    def distinct(self, points: Iterable[MultiplierMatrix]) -> tuple[int, ...]:
        """Return the numbers of some points, each once."""
        return tuple(dict.fromkeys(self.number(point) for point in points))

    def numbers(
        self, point: MultiplierMatrix | tuple[MultiplierMatrix, ...] | None
    ) -> int | tuple[int, ...] | None:
        """Return the number of a point, or of each of some, or None."""
        if isinstance(point, tuple):
            return self.distinct(point)
        return None if point is None else self.number(point)

    def number(self, point: MultiplierMatrix) -> int:
        """Return the number of a point, made clean: what the search mends silently is mended here."""
        y = point.multipliers
        rows = tuple(None if row is None else self._row(row) for row in point.rows)
        key = (point.variables.tobytes(), point.rest.tobytes(), y.tobytes(), str(rows).encode())
        return self._kept(key, MultiplierPoint(point.variables, point.rest, y, rows))

    def _row(self, row: RowsPoint) -> int:
        kept = perron_point(row.variables, row.P, row.N)
        return self._kept((kept.variables.tobytes(), kept.P.tobytes(), kept.N.tobytes()), kept)

    def _kept(self, key: tuple[bytes, ...], point: MultiplierPoint | RowsPoint) -> int:
        if key not in self._number:
            self._number[key] = len(self.found)
            self.found.append(point)
        return self._number[key]

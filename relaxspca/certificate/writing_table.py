"""Write a certificate of several components, as `relaxspca.certificate.writing` does one of a component."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from relaxspca.certificate.arrays import Packer
from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.evidence import PerronPoint
from relaxspca.certificate.table_evidence import ComponentSplit, MultiplierPoint, TableLeaf, UseSplit
from relaxspca.certificate.writing import claimed_document, write_document
from relaxspca.certificate.writing_parts import (
    matrix_document,
    point_document,
    vector_document,
)

if TYPE_CHECKING:
    from relaxspca.certificate.table import TableCertificate

__all__ = ["write_table"]


def write_table(certificate: TableCertificate, path: Path) -> None:
    """Write a certificate of several components; each file appears whole or not at all."""
    points = (point for claim in certificate.beside for point in claim.points)
    holders = (certificate, *certificate.points, *points, certificate.description.deflation)
    write_document(certificate, path, holders, lambda pack: _parts(certificate, pack))


def _parts(certificate: TableCertificate, pack: Packer) -> dict[str, Any]:
    return {"matrix": matrix_document(certificate, pack), **_claimed_document(certificate, pack)}


def _claimed_document(certificate: TableCertificate, pack: Packer) -> dict[str, Any]:
    """Return claim, witness and evidence of a certificate, without the matrix."""
    order, total = certificate.order, certificate.total
    beside = [
        claimed_document(claim, pack) if isinstance(claim, Certificate) else _claimed_document(claim, pack)
        for claim in certificate.beside
    ]
    return {
        "claim": {
            "kind": "components",
            "supports": certificate.supports,
            "sizes": list(certificate.sizes),
            "lower": certificate.lower.hex(),
            "upper": certificate.upper.hex(),
        }
        | ({} if total is None else {"total": total}),
        "witness": {
            "components": [
                vector_document(T, certificate.loadings[:, t]) for t, T in enumerate(certificate.indices)
            ]
        },
        "evidence": {
            "points": [_table_point_document(point, pack) for point in certificate.points],
            "order": None if order is None else order.tolist(),
            "tree": [_node_document(node) for node in certificate.tree],
        }
        | ({} if total is None else {"beside": beside}),
    }


def _table_point_document(point: MultiplierPoint | PerronPoint, pack: Packer) -> dict[str, Any]:
    if isinstance(point, PerronPoint):
        return point_document(point, pack)
    arrays = {"M": pack(point.M), "y": pack(point.y)}
    return {"kind": "prices", "variables": point.variables.tolist()} | arrays | {"rows": list(point.rows)}


def _node_document(node: ComponentSplit | UseSplit | TableLeaf) -> list[Any]:
    if isinstance(node, ComponentSplit):
        kind = "alike" if node.is_alike else "split"
        return [kind, node.component, node.variable, node.inside, node.outside]
    if isinstance(node, UseSplit):
        return ["uses", node.variable, node.twice, node.once]
    return [node.kind, list(node.points) if node.kind == "tables" else node.point]

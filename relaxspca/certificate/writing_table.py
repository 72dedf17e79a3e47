"""Write a certificate of several components, as `relaxspca.certificate.writing` does one of a component."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from relaxspca.certificate.arrays import Packer
from relaxspca.certificate.evidence import PerronPoint
from relaxspca.certificate.table_evidence import ComponentSplit, MultiplierPoint, TableLeaf
from relaxspca.certificate.writing import write_document
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
    holders = (certificate, *certificate.points, certificate.description.deflation)
    write_document(certificate, path, holders, lambda pack: _parts(certificate, pack))


def _parts(certificate: TableCertificate, pack: Packer) -> dict[str, Any]:
    return {
        "matrix": matrix_document(certificate, pack),
        "claim": {
            "kind": "components",
            "supports": certificate.supports,
            "sizes": list(certificate.sizes),
            "lower": certificate.lower.hex(),
            "upper": certificate.upper.hex(),
        },
        "witness": {
            "components": [
                vector_document(T, certificate.loadings[:, t]) for t, T in enumerate(certificate.indices)
            ]
        },
        "evidence": {
            "points": [_table_point_document(point, pack) for point in certificate.points],
            "tree": [_node_document(node) for node in certificate.tree],
        },
    }


def _table_point_document(point: MultiplierPoint | PerronPoint, pack: Packer) -> dict[str, Any]:
    if isinstance(point, PerronPoint):
        return point_document(point, pack)
    arrays = {"M": pack(point.M), "y": pack(point.y)}
    return {"kind": "prices", "variables": point.variables.tolist()} | arrays | {"rows": list(point.rows)}


def _node_document(node: ComponentSplit | TableLeaf) -> list[Any]:
    if isinstance(node, ComponentSplit):
        return ["split", node.component, node.variable, node.inside, node.outside]
    return [node.kind, list(node.points) if node.kind == "choices" else node.point]

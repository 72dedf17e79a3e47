"""Write a certificate of a ratio."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from relaxspca.certificate.arrays import Packer
from relaxspca.certificate.pencil import DensePencil, Pencil
from relaxspca.certificate.writing import write_document
from relaxspca.certificate.writing_parts import (
    bounds_document,
    node_document,
    point_document,
    vector_document,
)

if TYPE_CHECKING:
    from relaxspca.certificate.ratio import RatioCertificate

__all__ = ["write_ratio"]


def write_ratio(certificate: RatioCertificate, path: Path) -> None:
    """Write a certificate of a ratio; each file appears whole or not at all."""
    holders = (certificate, certificate.pencil, *certificate.points)
    write_document(certificate, path, holders, lambda pack: _parts(certificate, pack))


def _parts(certificate: RatioCertificate, pack: Packer) -> dict[str, Any]:
    claim = {"kind": "ratio", "k": certificate.k, **bounds_document(certificate)}
    if certificate.budgets:
        claim["budgets"] = [{"variables": b.variables.tolist(), "k": b.k} for b in certificate.budgets]
    return {
        "pencil": {
            "digest": certificate.digest,
            "names": list(certificate.names),
            **_pencil_document(certificate.pencil, pack),
        },
        "claim": claim,
        "witness": vector_document(certificate.indices, certificate.loadings),
        "evidence": {
            "mu": certificate.mu.hex(),
            "exponents": list(certificate.exponents),
            "points": [point_document(point, pack) for point in certificate.points],
            "tree": [node_document(node) for node in certificate.tree],
            **({} if certificate.fit is None else {"fit": pack(certificate.fit)}),
        },
    }


def _pencil_document(pencil: Pencil, pack: Packer) -> dict[str, Any]:
    if isinstance(pencil, DensePencil):
        return {
            "storage": "dense",
            "numerator": pack(pencil.numerator),
            "denominator": pack(pencil.denominator),
        }
    return {
        "storage": "least_squares",
        "variables": pack(pencil.variables),
        "response": pack(pencil.response),
        "intercept": pencil.intercept,
    }

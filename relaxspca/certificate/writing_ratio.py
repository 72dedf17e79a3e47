"""Write a certificate of a ratio."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from relaxspca.certificate.arrays import Packer
from relaxspca.certificate.pencil import DensePencil, Pencil
from relaxspca.certificate.writing import FORMAT, VERSION, _node_document, _point_document, write_document

if TYPE_CHECKING:
    from relaxspca.certificate.ratio import RatioCertificate

__all__ = ["write_ratio"]


def write_ratio(certificate: RatioCertificate, path: Path) -> None:
    """Write a certificate of a ratio; each file appears whole or not at all."""
    holders = (certificate.pencil, *certificate.points)
    count = sum(value.size for holder in holders for value in vars(holder).values() if hasattr(value, "size"))
    count += 0 if certificate.fit is None else certificate.fit.size
    write_document(path, count, lambda pack: _document(certificate, pack))


def _document(certificate: RatioCertificate, pack: Packer) -> dict[str, Any]:
    claim: dict[str, Any] = {"kind": "ratio", "k": certificate.k}
    claim |= {"lower": certificate.lower.hex(), "upper": certificate.upper.hex()}
    for name in ("include", "exclude"):
        if len(getattr(certificate, name)):
            claim[name] = getattr(certificate, name).tolist()
    if certificate.budgets:
        claim["budgets"] = [{"variables": b.variables.tolist(), "k": b.k} for b in certificate.budgets]
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": certificate.made_by,
        "pencil": {
            "digest": certificate.digest,
            "names": list(certificate.names),
            **_pencil_document(certificate.pencil, pack),
        },
        "claim": claim,
        "witness": {
            "support": certificate.indices.tolist(),
            "loadings": [x.hex() for x in certificate.loadings[certificate.indices].tolist()],
        },
        "evidence": {
            "mu": certificate.mu.hex(),
            "exponents": list(certificate.exponents),
            "points": [_point_document(point, pack) for point in certificate.points],
            "tree": [_node_document(node) for node in certificate.tree],
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

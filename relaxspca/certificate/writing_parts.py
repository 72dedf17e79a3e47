"""Write the parts that claims of every kind have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from relaxspca.certificate.arrays import Packer
from relaxspca.certificate.description import Description
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.evidence import Leaf, Point, PsiPoint, Split, WeightsPoint
from relaxspca.certificate.values import Floats, Ints

if TYPE_CHECKING:
    from relaxspca.certificate.certificate import Certificate
    from relaxspca.certificate.ratio import RatioCertificate
    from relaxspca.certificate.table import TableCertificate

__all__ = ["bounds_document", "matrix_document", "node_document", "point_document", "vector_document"]


def matrix_document(certificate: Certificate | TableCertificate, pack: Packer) -> dict[str, Any]:
    """Return the matrix that a claim speaks of, and all that its digest binds."""
    is_factor = certificate.matrix is None
    return {
        "digest": certificate.digest,
        "storage": "factor" if is_factor else "dense",
        "entries": pack(certificate.factor if is_factor else certificate.matrix),
        "names": list(certificate.names),
        "description": _description_document(certificate.description, pack),
        "eliminated": _eliminated_document(certificate.eliminated, pack),
    }


def bounds_document(certificate: Certificate | RatioCertificate) -> dict[str, Any]:
    """Return the bounds, and which supports are meant."""
    conditions = {"include": certificate.include.tolist(), "exclude": certificate.exclude.tolist()}
    told = {name: indices for name, indices in conditions.items() if indices}
    return {"lower": certificate.lower.hex(), "upper": certificate.upper.hex(), **told}


def vector_document(indices: Ints, loadings: Floats) -> dict[str, Any]:
    """Return a vector: its support, and its loadings there."""
    return {"support": indices.tolist(), "loadings": [x.hex() for x in loadings[indices].tolist()]}


def point_document(point: Point, pack: Packer) -> dict[str, Any]:
    """Return a dual point of one component."""
    variables = {"variables": point.variables.tolist()}
    if isinstance(point, PsiPoint):
        numbers = {"rho": point.rho.hex(), "vectors": pack(point.vectors)}
        own = {"factor": pack(point.factor), "shift": point.shift.hex()}
        return {"kind": "psi"} | variables | numbers | own
    if isinstance(point, WeightsPoint):
        return {"kind": "weights"} | variables | {"weights": pack(point.weights)}
    return {"kind": "perron"} | variables | {"P": pack(point.P), "N": pack(point.N)}


def node_document(node: Split | Leaf) -> list[Any]:
    """Return a split or a leaf of a tree."""
    if isinstance(node, Split):
        return ["split", node.variable, node.inside, node.outside]
    return [node.kind, node.point]


def _description_document(description: Description, pack: Packer) -> dict[str, Any]:
    deflation = description.deflation
    return {
        "kind": description.kind,
        "observations": description.observations,
        "is_centred": description.is_centred,
        "deflation": None
        if deflation is None
        else {
            "method": deflation.method,
            "digest": deflation.digest,
            "names": list(deflation.names),
            "loadings": pack(deflation.loadings),
        },
    }


def _eliminated_document(eliminated: Eliminated | None, pack: Packer) -> dict[str, Any] | None:
    if eliminated is None:
        return None
    return {
        "names": list(eliminated.names),
        "variances": pack(eliminated.variances),
        "shift": eliminated.shift.hex(),
    }

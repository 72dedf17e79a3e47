"""Read a certificate of several components and believe nothing, as `relaxspca.certificate.reading` does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate.arrays import Unpacker
from relaxspca.certificate.evidence import PerronPoint
from relaxspca.certificate.reading import check_digest, version_of
from relaxspca.certificate.reading_parts import (
    Fields,
    description_in,
    entries_in,
    names_of,
    point_in,
    vector_in,
)
from relaxspca.certificate.strict import fields_of, integer, integers, list_of, real, string
from relaxspca.certificate.table_evidence import ComponentSplit, MultiplierPoint, TableLeaf
from relaxspca.errors import CertificateError

if TYPE_CHECKING:
    from relaxspca.certificate.table import TableCertificate

__all__ = ["KIND", "is_table", "table_in"]

KIND = "components"


def is_table(document: object) -> bool:
    """Say whether a document claims something of several components."""
    claim = document.get("claim") if isinstance(document, dict) else None
    return isinstance(claim, dict) and claim.get("kind") == KIND


def table_in(document: object, path: Path, make: Callable[..., TableCertificate]) -> TableCertificate:
    """Return the certificate of several components that a document holds."""
    version = version_of(document)
    if not is_table(document) or version != 2:
        raise CertificateError("this is no certificate of several components: read it with Certificate.load")
    names = ("format", "version", "made_by", "matrix", "claim", "witness", "evidence")
    root = fields_of(document, "certificate", names, optional=("arrays",))
    unpack = Unpacker(root, path)
    described = ("digest", "storage", "entries", "names", "description", "eliminated")
    matrix = fields_of(root["matrix"], "matrix", described)
    if matrix["eliminated"] is not None:
        raise CertificateError("a claim about several components has no eliminated variables")
    variables = names_of(matrix["names"], "names")
    evidence = fields_of(root["evidence"], "evidence", ("points", "tree"))
    found = make(
        names=variables,
        **entries_in(matrix["storage"], matrix["entries"], len(variables), unpack),
        description=description_in(matrix["description"], unpack),
        **_table_claim(root["claim"]),
        **_table_witness(root["witness"], len(variables)),
        points=tuple(_table_point(point, unpack) for point in list_of(evidence["points"], "points")),
        tree=tuple(_node(node) for node in list_of(evidence["tree"], "tree")),
        made_by=string(root["made_by"], "made_by"),
    )
    return check_digest(found, matrix["digest"])


def _table_claim(document: object) -> Fields:
    claim = fields_of(document, "claim", ("kind", "supports", "sizes", "lower", "upper"))
    return {
        "supports": string(claim["supports"], "supports"),
        "sizes": tuple(integers(claim["sizes"], "sizes").tolist()),
        "lower": real(claim["lower"], "lower"),
        "upper": real(claim["upper"], "upper"),
    }


def _table_witness(document: object, n: int) -> Fields:
    listed = list_of(fields_of(document, "witness", ("components",))["components"], "components")
    indices, loadings = [], np.zeros((n, len(listed)))
    for t, component in enumerate(listed):
        fields = fields_of(component, "a component", ("support", "loadings"))
        support, loadings[:, t] = vector_in(fields, n, f"support {t}")
        indices.append(support)
    return {"indices": tuple(indices), "loadings": loadings}


def _table_point(document: object, unpack: Unpacker) -> MultiplierPoint | PerronPoint:
    if not isinstance(document, dict) or document.get("kind") != "prices":
        found = point_in(document, unpack)
        if not isinstance(found, PerronPoint):
            raise CertificateError("a claim about components has points of the kinds multipliers and perron")
        return found
    p: dict[str, Any] = fields_of(document, "prices", ("kind", "variables", "M", "y", "rows"))
    rows = [None if at is None else integer(at, "rows") for at in list_of(p["rows"], "rows")]
    variables = integers(p["variables"], "variables of multipliers")
    v = len(variables)
    return MultiplierPoint(
        variables=variables,
        M=unpack(p["M"], "M of multipliers", (v, v)),
        y=unpack(p["y"], "y of multipliers", (v,)),
        rows=tuple(rows),
    )


def _node(document: object) -> ComponentSplit | TableLeaf:
    node = list_of(document, "node")
    if len(node) == 5 and node[0] == "split":
        component, variable, inside, outside = (integer(x, "split") for x in node[1:])
        return ComponentSplit(component, variable, inside, outside)
    if len(node) == 2:
        kind, point = string(node[0], "leaf kind"), node[1]
        if kind == "choices":
            return TableLeaf(kind, tuple(integers(point, "points of a choices leaf").tolist()))
        return TableLeaf(kind, None if point is None else integer(point, "leaf point"))
    raise CertificateError(f"{node!r} is neither a split nor a leaf"[:200])

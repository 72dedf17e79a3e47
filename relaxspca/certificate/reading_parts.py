"""Read the parts that claims of every kind have, and believe nothing of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.certificate.arrays import Unpacker
from relaxspca.certificate.description import MOST, Deflation, Description
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.evidence import (
    Leaf,
    PerronPoint,
    Point,
    PsiPoint,
    Split,
    WeightsPoint,
)
from relaxspca.certificate.strict import fields_of, integer, integers, list_of, real, string
from relaxspca.certificate.values import Floats, Ints, require
from relaxspca.errors import CertificateError

__all__ = [
    "Fields",
    "description_in",
    "eliminated_in",
    "entries_in",
    "names_of",
    "node_in",
    "point_in",
    "vector_in",
    "witness_in",
]

Fields = dict[str, Any]


def names_of(document: object, what: str) -> tuple[str, ...]:
    """Return a tuple of names."""
    return tuple(string(name, "name") for name in list_of(document, what))


def entries_in(storage: object, entries: object, n: int, unpack: Unpacker) -> Fields:
    """Return the entries of a matrix of n variables, under the name of what holds them: itself or a factor."""
    if storage not in ("dense", "factor"):
        raise CertificateError(f"unknown storage of a matrix {storage!r}"[:200])
    if storage == "dense":
        return {"matrix": unpack(entries, "matrix", (n, n))}
    return {"factor": unpack(entries, "factor", (None, n))}


def description_in(document: object, unpack: Unpacker) -> Description:
    """Return what is known of a matrix beyond its entries."""
    d = fields_of(document, "description", ("kind", "observations", "is_centred", "deflation"))
    if d["is_centred"] not in (None, True, False) or type(d["is_centred"]) is int:
        raise CertificateError("is_centred must be true, false or null")
    count = d["observations"]
    return Description(
        kind=string(d["kind"], "kind of matrix"),
        observations=None if count is None else integer(count, "the number of observations", MOST),
        is_centred=d["is_centred"],
        deflation=None if d["deflation"] is None else _deflation(d["deflation"], unpack),
    )


def eliminated_in(document: object, unpack: Unpacker) -> Eliminated | None:
    """Return what is known of variables that were eliminated, if any were."""
    if document is None:
        return None
    e = fields_of(document, "eliminated", ("names", "variances", "shift"))
    names = names_of(e["names"], "eliminated names")
    return Eliminated(
        names,
        unpack(e["variances"], "eliminated variances", (len(names),)),
        real(e["shift"], "shift"),
    )


def witness_in(document: object, n: int, has_list: bool = False) -> Fields:
    """Return the vector that attains a lower bound, beside which there may be a list."""
    names = ("support", "loadings", "listed") if has_list else ("support", "loadings")
    support, loadings = vector_in(fields_of(document, "witness", names), n)
    return {"indices": support, "loadings": loadings}


def vector_in(fields: Fields, n: int, what: str = "support") -> tuple[Ints, Floats]:
    """Return the support and the (n,) loadings of a vector."""
    support = integers(fields["support"], what)
    values = [real(x, "loading") for x in list_of(fields["loadings"], "loadings")]
    require(len(values) == len(support), f"{len(values)} loadings for a support of {len(support)}")
    require(bool(((support >= 0) & (support < n)).all()), f"{what} names a variable beyond n = {n}")
    loadings: Floats = np.zeros(n)
    loadings[support] = values
    return support, loadings


def point_in(document: object, unpack: Unpacker) -> Point:
    """Return a dual point of one component."""
    kind = document.get("kind") if isinstance(document, dict) else None
    if kind == "psi":
        p = fields_of(document, "psi point", ("kind", "variables", "rho", "vectors", "factor", "shift"))
        variables = integers(p["variables"], "psi variables")
        v = len(variables)
        return PsiPoint(
            variables=variables,
            rho=real(p["rho"], "psi rho"),
            vectors=unpack(p["vectors"], "psi vectors", (None, v)),
            shift=real(p["shift"], "psi shift"),
            factor=None if p["factor"] is None else unpack(p["factor"], "psi factor", (None, v)),
        )
    if kind == "weights":
        p = fields_of(document, "weights point", ("kind", "variables", "weights"))
        variables = integers(p["variables"], "weights variables")
        v = len(variables)
        return WeightsPoint(
            variables=variables,
            weights=unpack(p["weights"], "weights", (v,)),
        )
    if kind == "perron":
        p = fields_of(document, "perron point", ("kind", "variables", "P", "N"))
        variables = integers(p["variables"], "perron variables")
        v = len(variables)
        return PerronPoint(
            variables=variables,
            P=unpack(p["P"], "perron P", (v, v)),
            N=unpack(p["N"], "perron N", (v, v)),
        )
    raise CertificateError(f"unknown kind of point {kind!r}"[:200])


def node_in(document: object) -> Split | Leaf:
    """Return a split or a leaf of a tree."""
    node = list_of(document, "node")
    if len(node) == 4 and node[0] == "split":
        return Split(*(integer(x, "split") for x in node[1:]))
    if len(node) == 2:
        return Leaf(string(node[0], "leaf kind"), None if node[1] is None else integer(node[1], "leaf point"))
    raise CertificateError(f"{node!r} is neither a split nor a leaf"[:200])


def _deflation(document: object, unpack: Unpacker) -> Deflation:
    d = fields_of(document, "deflation", ("method", "digest", "names", "loadings"))
    names = names_of(d["names"], "names of what was deflated")
    return Deflation(
        method=string(d["method"], "deflation method"),
        digest=string(d["digest"], "digest of what was deflated"),
        names=names,
        loadings=unpack(d["loadings"], "deflated loadings", (len(names), None)),
    )

"""Read a certificate and believe nothing: sizes, depth, types, repeated keys, digests, every number.

See ``certificates/SPEC.md`` for the format.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate.arrays import Unpacker, content_of
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.evidence import (
    Floats,
    Leaf,
    PairwisePoint,
    PerronPoint,
    Point,
    PsiPoint,
    Split,
    WeightsPoint,
)
from relaxspca.certificate.strict import fields_of, integer, integers, list_of, parse, real, string
from relaxspca.certificate.writing import FORMAT, VERSION
from relaxspca.errors import CertificateError

if TYPE_CHECKING:
    from relaxspca.certificate.certificate import Certificate

MAX_JSON_BYTES = 1 << 28


def read(path: Path, make: Callable[..., Certificate], content: bytes | None = None) -> Certificate:
    """Read a certificate, or the given bytes as if they were there; CertificateError if they are not one.

    `make` is the class: it imports this module, which therefore cannot import it.
    """
    try:
        document = parse(content_of(path, MAX_JSON_BYTES) if content is None else content)
        return _certificate(document, path, make)
    except CertificateError as error:
        raise CertificateError(f"{path}: {error}") from None
    except RecursionError:
        raise CertificateError(f"{path}: nested too deeply") from None
    except Exception as error:  # hostile bytes make json, zipfile, its decompressors and numpy raise anything
        raise CertificateError(f"{path}: not readable as a certificate: {error}") from error


def _certificate(document: object, path: Path, make: Callable[..., Certificate]) -> Certificate:
    root = fields_of(
        document,
        "certificate",
        ("format", "version", "made_by", "claim", "witness", "points", "tree"),
        optional=("arrays", "eliminated"),
    )
    if root["format"] != FORMAT:
        raise CertificateError(f"format is {root['format']!r}, not {FORMAT!r}")
    if type(root["version"]) is not int or root["version"] != VERSION:
        raise CertificateError(f"version {root['version']!r} is not known; this reads {VERSION}")
    claim = fields_of(
        root["claim"], "claim", ("n", "names", "covariance", "cardinality", "penalty", "lower", "upper")
    )
    covariance = fields_of(claim["covariance"], "covariance", ("kind", "digest", "entries"))
    if covariance["kind"] not in ("dense", "factor"):
        raise CertificateError(f"unknown covariance kind {covariance['kind']!r}")
    witness = fields_of(root["witness"], "witness", ("support", "loadings"))
    unpack = Unpacker(root.get("arrays"), path)
    entries = unpack(covariance["entries"], "covariance entries")
    n = integer(claim["n"], "n")
    if len(list_of(claim["names"], "names")) != n:
        raise CertificateError(f"names must be {n} strings")
    certificate = make(
        n=n,
        names=tuple(string(name, "name") for name in list_of(claim["names"], "names")),
        matrix=entries if covariance["kind"] == "dense" else None,
        factor=entries if covariance["kind"] == "factor" else None,
        cardinality=None if claim["cardinality"] is None else integer(claim["cardinality"], "cardinality"),
        penalty=None if claim["penalty"] is None else real(claim["penalty"], "penalty"),
        lower=real(claim["lower"], "lower"),
        upper=real(claim["upper"], "upper"),
        support=integers(witness["support"], "support"),
        loadings=_loadings(witness, n),
        points=tuple(_point(point, unpack) for point in list_of(root["points"], "points")),
        tree=tuple(_node(node) for node in list_of(root["tree"], "tree")),
        **_eliminated(root.get("eliminated"), unpack),
        made_by=string(root["made_by"], "made_by"),
    )
    if covariance["digest"] != certificate.digest:
        raise CertificateError(f"the digest {covariance['digest']!r} is not that of the matrix")
    return certificate


def _loadings(witness: dict[str, Any], n: int) -> Floats:
    support = integers(witness["support"], "support")
    values = [real(x, "loading") for x in list_of(witness["loadings"], "loadings")]
    if len(values) != len(support):
        raise CertificateError(f"{len(values)} loadings for a support of {len(support)}")
    if not ((support >= 0) & (support < n)).all():
        raise CertificateError(f"support names a variable beyond n = {n}")
    loadings = np.zeros(n)
    loadings[support] = values
    return loadings


def _point(document: object, unpack: Unpacker) -> Point:
    kind = document.get("kind") if isinstance(document, dict) else None
    if kind == "psi":
        p = fields_of(document, "psi point", ("kind", "variables", "rho", "vectors", "factor", "shift"))
        return PsiPoint(
            variables=integers(p["variables"], "psi variables"),
            rho=real(p["rho"], "psi rho"),
            vectors=unpack(p["vectors"], "psi vectors"),
            shift=real(p["shift"], "psi shift"),
            factor=None if p["factor"] is None else unpack(p["factor"], "psi factor"),
        )
    if kind == "pairwise":
        p = fields_of(document, "pairwise point", ("kind", "variables", "V", "lam", "S", "L"))
        return PairwisePoint(
            variables=integers(p["variables"], "pairwise variables"),
            V=unpack(p["V"], "pairwise V"),
            lam=unpack(p["lam"], "pairwise lam"),
            S=None if p["S"] is None else unpack(p["S"], "pairwise S"),
            L=None if p["L"] is None else unpack(p["L"], "pairwise L"),
        )
    if kind == "weights":
        p = fields_of(document, "weights point", ("kind", "variables", "weights"))
        return WeightsPoint(
            variables=integers(p["variables"], "weights variables"), weights=unpack(p["weights"], "weights")
        )
    if kind == "perron":
        p = fields_of(document, "perron point", ("kind", "variables", "P", "N"))
        return PerronPoint(
            variables=integers(p["variables"], "perron variables"),
            P=unpack(p["P"], "perron P"),
            N=unpack(p["N"], "perron N"),
        )
    raise CertificateError(f"unknown kind of point {kind!r}")


def _eliminated(document: object, unpack: Unpacker) -> dict[str, Any]:
    if document is None:
        return {}
    e = fields_of(document, "eliminated", ("names", "variances", "shift", "rule"))
    rule = None if e["rule"] is None else _node(e["rule"])
    return {
        "elimination": rule,
        "eliminated": Eliminated(
            tuple(string(name, "name") for name in list_of(e["names"], "eliminated names")),
            unpack(e["variances"], "eliminated variances"),
            real(e["shift"], "shift"),
        ),
    }


def _node(document: object) -> Split | Leaf:
    node = list_of(document, "node")
    if len(node) == 4 and node[0] == "split":
        return Split(*(integer(x, "split") for x in node[1:]))
    if len(node) == 2:
        return Leaf(string(node[0], "leaf kind"), None if node[1] is None else integer(node[1], "leaf point"))
    raise CertificateError(f"{node!r} is neither a split nor a leaf"[:200])

"""Read a certificate of a ratio and believe nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relaxspca.certificate.arrays import Unpacker
from relaxspca.certificate.pencil import Budget, DensePencil, LeastSquaresData, Pencil
from relaxspca.certificate.reading import check_digest, version_of
from relaxspca.certificate.reading_parts import names_of, node_in, point_in, witness_in
from relaxspca.certificate.strict import fields_of, integer, integers, list_of, real, string
from relaxspca.errors import CertificateError

if TYPE_CHECKING:
    from relaxspca.certificate.ratio import RatioCertificate

__all__ = ["is_ratio", "ratio_in"]


def is_ratio(document: object) -> bool:
    """Say whether a document claims something of a ratio."""
    claim = document.get("claim") if isinstance(document, dict) else None
    return isinstance(claim, dict) and claim.get("kind") == "ratio"


def ratio_in(document: object, path: Path, make: Callable[..., RatioCertificate]) -> RatioCertificate:
    """Return the certificate that a document holds; `make` is the class."""
    if version_of(document) != 2 or not is_ratio(document):
        raise CertificateError("this is no certificate of a ratio: read it with Certificate.load")
    names = ("format", "version", "made_by", "pencil", "claim", "witness", "evidence")
    root = fields_of(document, "certificate", names, optional=("arrays",))
    optional = ("include", "exclude", "budgets")
    claim = fields_of(root["claim"], "claim", ("kind", "k", "lower", "upper"), optional=optional)
    given: dict[str, Any] = {name: integers(claim[name], name) for name in optional[:2] if name in claim}
    if "budgets" in claim:
        found = [fields_of(b, "budget", ("variables", "k")) for b in list_of(claim["budgets"], "budgets")]
        given["budgets"] = tuple(
            Budget(integers(b["variables"], "the variables of a budget"), integer(b["k"], "k")) for b in found
        )
    empty = [name for name, value in given.items() if not len(value)]
    if empty:
        raise CertificateError(f"{empty[0]} is empty: a claim without it leaves it out")
    unpack = Unpacker(root, path)
    held = root["pencil"]
    storage = held.get("storage") if isinstance(held, dict) else None
    rest = _pencil_fields(storage, held)
    variables = names_of(rest["names"], "names")
    pencil = _pencil(rest, len(variables), unpack)
    own = ("mu", "exponents", "points", "tree")
    evidence = fields_of(root["evidence"], "evidence", own, optional=("fit",))
    certificate = make(
        names=variables,
        pencil=pencil,
        k=integer(claim["k"], "k"),
        lower=real(claim["lower"], "lower"),
        upper=real(claim["upper"], "upper"),
        **given,
        **witness_in(root["witness"], len(variables)),
        mu=real(evidence["mu"], "mu"),
        exponents=tuple(integers(evidence["exponents"], "exponents").tolist()),
        points=tuple(point_in(point, unpack) for point in list_of(evidence["points"], "points")),
        tree=tuple(node_in(node) for node in list_of(evidence["tree"], "tree")),
        fit=unpack(evidence["fit"], "fit", (len(variables),)) if "fit" in evidence else None,
        made_by=string(root["made_by"], "made_by"),
    )
    return check_digest(certificate, rest["digest"], "pencil")


def _pencil_fields(storage: object, document: object) -> dict[str, Any]:
    own = {"dense": ("numerator", "denominator"), "least_squares": ("variables", "response", "intercept")}
    if not isinstance(storage, str) or storage not in own:
        raise CertificateError(f"unknown storage of a pencil {storage!r}"[:200])
    return fields_of(document, "pencil", ("digest", "names", "storage", *own[storage]))


def _pencil(held: dict[str, Any], n: int, unpack: Unpacker) -> Pencil:
    if held["storage"] == "dense":
        A, B = (unpack(held[name], name, (n, n)) for name in ("numerator", "denominator"))
        return DensePencil(A, B)
    X = unpack(held["variables"], "variables", (None, n))
    return LeastSquaresData(X, unpack(held["response"], "response", (len(X),)), held["intercept"])

"""Read a certificate of a ratio and believe nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relaxspca.certificate.arrays import Unpacker
from relaxspca.certificate.pencil import Budget, DensePencil, LeastSquaresData, Pencil
from relaxspca.certificate.reading import sealed, version_of
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
    pencil, rest = _pencil(storage, held, unpack)
    variables = names_of(rest["names"], "names")
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
        fit=unpack(evidence["fit"], "fit") if "fit" in evidence else None,
        made_by=string(root["made_by"], "made_by"),
    )
    return sealed(certificate, rest["digest"], "pencil")


def _pencil(storage: object, document: object, unpack: Unpacker) -> tuple[Pencil, dict[str, Any]]:
    common = ("digest", "names", "storage")
    if storage == "dense":
        d = fields_of(document, "pencil", (*common, "numerator", "denominator"))
        return DensePencil(unpack(d["numerator"], "numerator"), unpack(d["denominator"], "denominator")), d
    if storage == "least_squares":
        d = fields_of(document, "pencil", (*common, "variables", "response", "intercept"))
        data = unpack(d["variables"], "variables"), unpack(d["response"], "response")
        return LeastSquaresData(*data, d["intercept"]), d
    raise CertificateError(f"unknown storage of a pencil {storage!r}"[:200])

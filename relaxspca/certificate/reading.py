"""Read a certificate and believe nothing: sizes, depth, types, repeated keys, digests, every number.

See ``certificates/SPEC.md`` for the format. Version 1 is still read; it is a little flatter.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from relaxspca.certificate.arrays import Unpacker, content_of
from relaxspca.certificate.others import Others
from relaxspca.certificate.reading_parts import (
    Fields,
    description_in,
    eliminated_in,
    entries_in,
    names_of,
    node_in,
    point_in,
    witness_in,
)
from relaxspca.certificate.restriction import RESTRICTIONS, Restriction
from relaxspca.certificate.strict import fields_of, integer, integers, list_of, parse, real, string
from relaxspca.certificate.values import require
from relaxspca.certificate.writing import FORMAT
from relaxspca.errors import CertificateError

if TYPE_CHECKING:
    from relaxspca.certificate.certificate import Certificate

__all__ = ["parsed_file", "certificate_in", "claim_in", "claimed_in", "check_digest", "version_of"]

MAX_JSON_BYTES = 1 << 28
SCOPE = ("include", "exclude")
Read = TypeVar("Read")
Made = TypeVar("Made", bound=Any)
ELSEWHERE = {"components": "several components: TableCertificate", "ratio": "a ratio: RatioCertificate"}


def parsed_file(
    place: str | os.PathLike[str], read: Callable[[object, Path], Read], content: bytes | None = None
) -> Read:
    """Return what `read` makes of the JSON of a file, or of bytes as if they were there."""
    if not isinstance(place, str | os.PathLike):
        has_own = " (its own is its .certificate)" if hasattr(place, "certificate") else ""
        raise CertificateError(f"a certificate is read from a path, not from a {type(place).__name__}{has_own}")
    path = Path(place)
    try:
        if content is None and path.is_dir():
            raise CertificateError("not readable, a folder: name a file in it, or run relaxspca verify")
        return read(parse(content_of(path, MAX_JSON_BYTES) if content is None else content), path)
    except CertificateError as error:
        raise CertificateError(f"{path}: {error}") from None
    except RecursionError:
        raise CertificateError(f"{path}: nested too deeply") from None
    except Exception as error:  # hostile bytes make json, zipfile, its decompressors and numpy raise anything
        raise CertificateError(f"{path}: not readable as a certificate: {error}") from error


def certificate_in(document: object, path: Path, make: Callable[..., Certificate]) -> Certificate:
    """Return the certificate that a document holds.

    `make` is the class: it imports this module, which therefore cannot import it.
    """
    version = version_of(document)
    digest, fields = VERSIONS[version](document, path)
    return check_digest(make(**fields, version=version), digest)


def check_digest(made: Made, digest: object, what: str = "matrix") -> Made:
    """Return a certificate if a digest is that of what it speaks of."""
    said = f"the digest {digest!r} is not that of the {what}: one of them was changed"
    require(digest == made.digest, said[:300])
    return made


def version_of(document: object) -> int:
    """Return the version of the format that a document states; an error if this reader does not know it."""
    found = document if isinstance(document, dict) else fields_of(document, "certificate", ())
    if found.get("format") != FORMAT:
        raise CertificateError(f"format is {found.get('format')!r}, not {FORMAT!r}"[:200])
    version = found.get("version")
    if type(version) is not int or version not in VERSIONS:
        raise CertificateError(f"version {version!r} is not known; this reads 1 and 2"[:200])
    return version


def _second(document: object, path: Path) -> tuple[object, Fields]:
    """Return the digest that a document of version 2 states, and the fields of its certificate."""
    # The kind of claim first: a claim that this reader does not know may need other fields.
    claim = claim_in(document.get("claim") if isinstance(document, dict) else None)
    names = ("format", "version", "made_by", "matrix", "claim", "witness", "evidence")
    root = fields_of(document, "certificate", names, optional=("arrays",))
    unpack = Unpacker(root, path)
    described = ("digest", "storage", "entries", "names", "description", "eliminated")
    matrix = fields_of(root["matrix"], "matrix", described)
    variables = names_of(matrix["names"], "names")
    return matrix["digest"], {
        "names": variables,
        **entries_in(matrix["storage"], matrix["entries"], len(variables), unpack),
        "description": description_in(matrix["description"], unpack),
        "eliminated": eliminated_in(matrix["eliminated"], unpack),
        **claimed_in(claim, root, len(variables), unpack),
        "made_by": string(root["made_by"], "made_by"),
    }


def claimed_in(claim: Fields, root: Fields, n: int, unpack: Unpacker) -> Fields:
    """Return a claim about one component with its witness and its evidence."""
    evidence = fields_of(root["evidence"], "evidence", ("points", "tree", "elimination"))
    return {
        "n": n,
        **claim,
        **witness_in(root["witness"], n, "others" in claim),
        **_others(claim.get("others"), root["witness"], unpack),
        "points": tuple(point_in(point, unpack) for point in list_of(evidence["points"], "points")),
        "tree": tuple(node_in(node) for node in list_of(evidence["tree"], "tree")),
        "elimination": None if evidence["elimination"] is None else node_in(evidence["elimination"]),
    }


def _first(document: object, path: Path) -> tuple[object, Fields]:
    """Return the same of a document of version 1, which bound no names and described no matrix."""
    names = ("format", "version", "made_by", "claim", "witness", "points", "tree")
    root = fields_of(document, "certificate", names, optional=("arrays", "eliminated"))
    claimed = ("n", "names", "covariance", "cardinality", "penalty", "lower", "upper")
    claim = fields_of(root["claim"], "claim", claimed)
    covariance = fields_of(claim["covariance"], "covariance", ("kind", "digest", "entries"))
    unpack = Unpacker(root, path)
    n, eliminated, rule = integer(claim["n"], "n"), root.get("eliminated"), None
    if eliminated is not None:
        eliminated = dict(fields_of(eliminated, "eliminated", ("names", "variances", "shift", "rule")))
        rule = eliminated.pop("rule")
    k, rho = claim["cardinality"], claim["penalty"]
    variables = names_of(claim["names"], "names")
    if len(variables) != n:
        raise CertificateError(f"names must be {n} strings")
    return covariance["digest"], {
        "n": n,
        "names": variables,
        **entries_in(covariance["kind"], covariance["entries"], n, unpack),
        "k": None if k is None else integer(k, "cardinality"),
        "rho": None if rho is None else real(rho, "penalty"),
        **{name: real(claim[name], name) for name in ("lower", "upper")},
        **witness_in(root["witness"], n),
        "points": tuple(point_in(point, unpack) for point in list_of(root["points"], "points")),
        "tree": tuple(node_in(node) for node in list_of(root["tree"], "tree")),
        "eliminated": eliminated_in(eliminated, unpack),
        "elimination": None if rule is None else node_in(rule),
        "made_by": string(root["made_by"], "made_by"),
    }


VERSIONS: dict[int, Callable[[object, Path], tuple[object, Fields]]] = {1: _first, 2: _second}


def claim_in(document: object) -> Fields:
    """Return the size, the conditions and the bounds of a claim about one component."""
    kind = document.get("kind") if isinstance(document, dict) else None
    size: Fields = {}
    if kind == "cardinality":
        claim = fields_of(document, "claim", ("kind", "k", "lower", "upper"), optional=SCOPE)
        size["k"] = integer(claim["k"], "k")
    elif kind == "near_optimal":
        fields = ("kind", "k", "lower", "upper", "others", "listed")
        claim = fields_of(document, "claim", fields, optional=SCOPE)
        size["k"] = integer(claim["k"], "k")
        size["others"] = {"most": real(claim["others"], "others"), **_listed(claim["listed"])}
    elif kind in RESTRICTIONS:
        claim, size["restriction"] = _restricted(document, kind)
        size["k"] = integer(claim["k"], "k")
    elif kind == "penalty":
        claim = fields_of(document, "claim", ("kind", "rho", "lower", "upper"), optional=SCOPE)
        size["rho"] = real(claim["rho"], "rho")
    elif kind in ELSEWHERE:
        raise CertificateError(f"the claim is about {ELSEWHERE[kind]}.load reads it")
    else:
        kinds = ", ".join(map(repr, ("cardinality", "penalty", "near_optimal", *RESTRICTIONS, *ELSEWHERE)))
        known = f"this reader knows the kinds {kinds}"
        raise CertificateError(f"unknown kind of claim {kind!r}: {known}; a later one may know more"[:300])
    for name in SCOPE:
        if name in claim:
            size[name] = integers(claim[name], name)
            if not len(size[name]):
                raise CertificateError(f"{name} is empty: a claim without it leaves it out")
    return size | {name: real(claim[name], name) for name in ("lower", "upper")}


def _restricted(document: object, kind: str) -> tuple[Fields, Restriction]:
    """Return the claim and the restriction of one of the kinds that restrict vectors."""
    fields = ("kind", "k", "lower", "upper")
    if kind == "nonnegative":
        return fields_of(document, "claim", fields, optional=("exclude",)), Restriction(kind)
    optional = SCOPE if kind == "one_of_each" else ()
    claim = fields_of(document, "claim", (*fields, "groups"), optional=optional)
    groups = fields_of(claim["groups"], "groups", ("names", "members"))
    members = [integers(group, "a group") for group in list_of(groups["members"], "members")]
    return claim, Restriction(kind, names_of(groups["names"], "names of groups"), tuple(members))


def _listed(document: object) -> Fields:
    listed = fields_of(document, "listed", ("supports", "lower", "upper"))
    supports = [integers(support, "a support listed") for support in list_of(listed["supports"], "supports")]
    return {"indices": tuple(supports)} | {
        name: np.array([real(x, name) for x in list_of(listed[name], name)]) for name in ("lower", "upper")
    }


def _others(claimed: Fields | None, witness: Any, unpack: Unpacker) -> Fields:
    if claimed is None:
        return {}
    size = max(map(len, claimed["indices"]), default=0)
    loadings = unpack(witness["listed"], "loadings listed", (len(claimed["indices"]) or None, size or None))
    return {"others": Others(**claimed, loadings=loadings)}

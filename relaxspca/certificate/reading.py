"""Read a certificate and believe nothing: sizes, depth, types, repeated keys, digests, every number."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from relaxspca.certificate.arrays import Unpacker, content_of
from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.claim import Claim
from relaxspca.certificate.evidence import Evidence
from relaxspca.certificate.fields import Scope, read_object
from relaxspca.certificate.strict import fields_of, parse, string
from relaxspca.certificate.subject import SUBJECT
from relaxspca.certificate.values import require
from relaxspca.certificate.witness import Witness
from relaxspca.errors import CertificateError

__all__ = ["FORMAT", "VERSION", "load_certificate", "parsed_file"]

FORMAT, VERSION = "relaxspca-certificate", 3
MAX_JSON_BYTES = 1 << 28
Read = TypeVar("Read")


def load_certificate(path: str | os.PathLike[str]) -> Certificate:
    """Read a certificate from its file; raise CertificateError where it is none, whatever the bytes are."""
    return parsed_file(path, certificate_in)


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


def certificate_in(document: object, path: Path) -> Certificate:
    """Return the certificate that a document holds."""
    found = document if isinstance(document, dict) else fields_of(document, "certificate", ())
    if found.get("format") != FORMAT:
        raise CertificateError(f"format is {found.get('format')!r}, not {FORMAT!r}"[:200])
    version = found.get("version")
    if type(version) is not int or version != VERSION:
        raise CertificateError(f"version {version!r} is not known; this reads {VERSION}"[:200])
    names = ("format", "version", "made_by", "subject", "claim", "witness", "evidence")
    root = fields_of(document, "certificate", names, optional=("arrays",))
    unpack = Unpacker(root, path)
    scope = Scope(unpack, {})
    # The claim first: one of a kind that this reader does not know may need other fields.
    claim: Claim = read_object(Claim, root["claim"], "claim", scope)
    digest, subject = _subject(root["subject"], scope)
    listed = () if claim.listed is None else claim.listed.supports
    scope.known.update(names=subject.names, listed=listed, k=claim.k or 0)
    made = Certificate(
        subject=subject,
        claim=claim,
        witness=read_object(Witness, root["witness"], "witness", scope),
        evidence=read_object(Evidence, root["evidence"], "evidence", scope),
        made_by=string(root["made_by"], "made_by"),
    )
    unpack.close()
    _check_digest(made, digest, root["subject"]["kind"])
    return made


def _check_digest(made: Certificate, digest: object, kind: str) -> None:
    """Raise CertificateError unless a digest is that of what a certificate speaks of."""
    said = f"the digest {digest!r} is not that of the {kind}: one of them was changed"
    require(digest == made.digest, said[:300])


def _subject(document: Any, scope: Scope) -> tuple[object, Any]:
    """Return the digest that a file states, and what it speaks of."""
    require(isinstance(document, dict) and "digest" in document, "subject lacks 'digest'")
    rest = {name: value for name, value in document.items() if name != "digest"}
    return document["digest"], SUBJECT.read(rest, "subject", scope)

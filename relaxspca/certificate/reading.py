"""Read a certificate and believe nothing: sizes, depth, types, repeated keys, digests, every number."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from relaxspca.certificate.arrays import Unpacker
from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.fields import Scope, read_object
from relaxspca.certificate.values import content_of, parse, require
from relaxspca.errors import CertificateError

FORMAT, VERSION = "relaxspca-certificate", 3
MAX_JSON_BYTES = 1 << 28


def load_certificate(place: str | os.PathLike[str]) -> Certificate:
    """Read a certificate from its file; raise CertificateError where it is none, whatever the bytes are."""
    if not isinstance(place, str | os.PathLike):
        has_own = " (its own is its .certificate)" if hasattr(place, "certificate") else ""
        raise CertificateError(f"a certificate is read from a path, not from a {type(place).__name__}{has_own}")
    path = Path(place)
    try:
        if path.is_dir():
            raise CertificateError("not readable, a folder: name a file in it, or run relaxspca verify")
        return _certificate(parse(content_of(path, MAX_JSON_BYTES)), path)
    except CertificateError as error:
        raise CertificateError(f"{path}: {error}") from None
    except RecursionError:
        raise CertificateError(f"{path}: nested too deeply") from None
    except Exception as error:  # hostile bytes make json, zlib and numpy raise anything
        raise CertificateError(f"{path}: not readable as a certificate: {error}") from error


def _certificate(document: Any, path: Path) -> Certificate:
    """Return the certificate that a document holds."""
    require(isinstance(document, dict), "certificate must be an object")
    stated, version = document.get("format"), document.get("version")
    require(stated == FORMAT, f"format is {stated!r}, not {FORMAT!r}"[:200])
    is_known = type(version) is int and version == VERSION
    require(is_known, f"version {version!r} is not known; this program reads version {VERSION}"[:200])
    unpack = Unpacker(document, path)
    declared = {name: own for name, own in document.items() if name not in ("format", "version", "arrays")}
    made: Certificate = read_object(Certificate, declared, "", Scope(unpack, {}))
    unpack.close()
    return made

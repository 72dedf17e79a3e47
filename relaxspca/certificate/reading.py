"""Read a certificate and believe nothing: sizes, depth, types, repeated keys, digests, every number."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate import values
from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.fields import Scope, read_object
from relaxspca.certificate.values import Floats, require
from relaxspca.errors import CertificateError

if TYPE_CHECKING:
    from relaxspca.certificate.companion import Archive

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
        return _certificate(values.parse(values.content_of(path, MAX_JSON_BYTES)), path)
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


class Unpacker:
    """Turn packed arrays back, inline or from the companion, whose digest is checked first."""

    def __init__(self, document: dict[str, Any], path: Path) -> None:
        self.companion: Archive | None = None
        self.count = 0
        if "arrays" in document:
            from relaxspca.certificate.companion import archive

            self.companion = archive(document["arrays"], path)

    def __call__(self, packed: object, name: str, expected: tuple[int | None, ...]) -> Floats:
        """Return the array that was packed so; `name` is for messages.

        A shape that is not the expected one, in which None is any length, is refused before a number is read.
        """
        inline = isinstance(packed, dict) and "hex" in packed
        fields = values.fields_of(packed, name, ("shape", "hex" if inline else "npz"))
        shape = tuple(values.integers(fields["shape"], f"shape of {name}").tolist())
        values.require_shape(name, shape, expected)
        require(min(shape, default=0) >= 0, f"{name} has the impossible shape {shape}")
        self.count += math.prod(shape)
        is_small = self.count <= values.MAX_NUMBERS and max(shape, default=0) <= values.MAX_NUMBERS
        require(is_small, f"more than {values.MAX_NUMBERS} numbers")
        if not inline:
            key = values.checked_text(f"key of {name}", fields["npz"])
            if self.companion is None:
                raise CertificateError(f"{name} refers to {key!r} of a companion, and the file states none")
            return self.companion.array(key, shape, name)
        found = values.list_of(fields["hex"], name)
        fits = len(found) == math.prod(shape)
        require(fits, f"{name} has {len(found)} numbers for the shape {shape}")
        return np.array([values.real(x, name) for x in found], dtype=np.float64).reshape(shape)

    def close(self) -> None:
        """Raise CertificateError where the companion has more than the arrays that were read."""
        unread = set() if self.companion is None else self.companion.unread
        require(not unread, f"no array refers to {min(unread, default=b'')!r} of the companion")

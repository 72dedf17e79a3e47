"""Write a certificate: JSON with hexadecimal floats, big arrays in an .npz beside it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate.arrays import MAX_NPZ_BYTES, Packer, companion_of, content_of, sha256
from relaxspca.certificate.values import Floats
from relaxspca.certificate.writing_parts import (
    bounds_document,
    matrix_document,
    node_document,
    point_document,
    vector_document,
)
from relaxspca.errors import CertificateError
from relaxspca.runtime.files import replace

if TYPE_CHECKING:
    from relaxspca.certificate.certificate import Certificate

__all__ = ["FORMAT", "claimed_document", "write", "write_document"]

FORMAT, VERSION = "relaxspca-certificate", 2
# A list of whole numbers on lines of their own; no text has a line break.
WHOLE_NUMBERS = re.compile(r"\[\n\s*\d+(?:,\n\s*\d+)*\n\s*\]")
MAX_INLINE = 20_000  # numbers; more go into the companion


def write(certificate: Certificate, path: Path) -> None:
    """Write a certificate in format version 2; each file appears whole or not at all."""
    certificate = replace_fields(certificate, version=VERSION)  # what was read in version 1 has another digest
    deflation = certificate.description.deflation
    holders = (certificate, *certificate.points, certificate.eliminated, deflation, certificate.others)
    write_document(certificate, path, holders, lambda pack: _parts(certificate, pack))


def write_document(
    certificate: Any, path: Path, holders: Iterable[object], parts: Callable[[Packer], dict[str, Any]]
) -> None:
    """Write a certificate by its parts; `holders` are what holds its arrays, or None."""
    if path.suffix == ".npz":
        raise CertificateError(f"{path}: .npz is the suffix of a certificate's companion; use .json")
    arrays: dict[str, Floats] = {}
    is_special = path.exists() and not path.is_file()  # a device or a pipe has no file beside it
    values = (value for holder in holders if holder is not None for value in vars(holder).values())
    count = sum(value.size for value in values if isinstance(value, np.ndarray))
    pack = Packer(arrays, is_inline=is_special or count <= MAX_INLINE)
    document = {"format": FORMAT, "version": VERSION, "made_by": certificate.made_by, **parts(pack)}
    buffer, companion = io.BytesIO(), None
    if arrays:
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        digest = sha256(buffer.getvalue())
        companion = companion_of(path, digest)
        document["arrays"] = {"file": companion.name, "sha256": digest}
    earlier = None if is_special else _earlier(path)
    # The arrays first and under a name of their own, the old ones last: stopped anywhere, the pair is whole.
    if companion is not None:
        replace(companion, buffer.getvalue())
    text = WHOLE_NUMBERS.sub(_on_one_line, json.dumps(document, indent=1))
    replace(path, text.encode("ascii"))
    if earlier is not None and earlier != companion:
        earlier.unlink(missing_ok=True)


def _on_one_line(found: re.Match[str]) -> str:
    return "".join(found[0].split()).replace(",", ", ")


def _earlier(path: Path) -> Path | None:
    """Return the companion of the certificate to be replaced; nothing that is not proved to be one."""
    try:
        stated = json.loads(path.read_bytes())["arrays"]
        found = {
            place.name: place for place in (path.with_suffix(".npz"), companion_of(path, stated["sha256"]))
        }
        earlier = found[stated["file"]]
        return earlier if sha256(content_of(earlier, MAX_NPZ_BYTES)) == stated["sha256"] else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError, CertificateError):
        return None


def _parts(certificate: Certificate, pack: Packer) -> dict[str, Any]:
    return {"matrix": matrix_document(certificate, pack), **claimed_document(certificate, pack)}


def claimed_document(certificate: Certificate, pack: Packer) -> dict[str, Any]:
    """Return claim, witness and evidence of a certificate, without the matrix."""
    rule = certificate.elimination
    return {
        "claim": _claim_document(certificate),
        "witness": vector_document(certificate.indices, certificate.loadings)
        | ({} if certificate.others is None else {"listed": pack(certificate.others.loadings)}),
        "evidence": {
            "points": [point_document(point, pack) for point in certificate.points],
            "tree": [node_document(node) for node in certificate.tree],
            "elimination": None if rule is None else node_document(rule),
        },
    }


def _claim_document(certificate: Certificate) -> dict[str, Any]:
    bounds = bounds_document(certificate)
    if certificate.rho is not None:
        return {"kind": "penalty", "rho": certificate.rho.hex()} | bounds
    others, restriction = certificate.others, certificate.restriction
    if restriction is not None:
        members = [group.tolist() for group in restriction.groups]
        groups = {"groups": {"names": list(restriction.names), "members": members}} if members else {}
        return {"kind": restriction.kind, "k": certificate.k} | bounds | groups
    if others is None:
        return {"kind": "cardinality", "k": certificate.k} | bounds
    listed = {
        "supports": [support.tolist() for support in others.indices],
        "lower": [x.hex() for x in others.lower.tolist()],
        "upper": [x.hex() for x in others.upper.tolist()],
    }
    claim = {"kind": "near_optimal", "k": certificate.k}
    return claim | bounds | {"others": others.most.hex(), "listed": listed}

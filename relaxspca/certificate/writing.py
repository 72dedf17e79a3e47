"""Write a certificate: JSON with hexadecimal floats, big arrays in an .npz beside it."""

from __future__ import annotations

import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.companion import MAX_NPZ_BYTES, companion_of
from relaxspca.certificate.evidence import TreeNode
from relaxspca.certificate.fields import Declared, declared, says
from relaxspca.certificate.reading import FORMAT, VERSION
from relaxspca.certificate.values import Floats, content_of
from relaxspca.errors import CertificateError
from relaxspca.runtime.files import replace

# A list of whole numbers on lines of their own; no text has a line break.
WHOLE_NUMBERS = re.compile(r"\[\n\s*\d+(?:,\n\s*\d+)*\n\s*\]")
MAX_INLINE = 20_000  # numbers; more go into the companion


class Packer:
    """Pack an array inline as hexadecimal floats, or into the companion when there are many."""

    def __init__(self, arrays: dict[str, Floats], *, is_inline: bool) -> None:
        self.arrays, self.is_inline = arrays, is_inline

    def __call__(self, array: Floats) -> dict[str, Any]:
        """Return what stands for an array in the JSON file."""
        packed: dict[str, Any] = {"shape": list(array.shape)}
        if self.is_inline:
            return packed | {"hex": [x.hex() for x in array.ravel().tolist()]}
        key = f"a{len(self.arrays)}"
        self.arrays[key] = array
        return packed | {"npz": key}


def write(certificate: Certificate, path: Path) -> None:
    """Write a certificate; each file appears whole or not at all."""
    if path.suffix == ".npz":
        raise CertificateError(f"{path}: .npz is the suffix of a certificate's companion; use .json")
    is_special = path.exists() and not path.is_file()  # a device or a pipe has no file beside it
    arrays: dict[str, Floats] = {}
    document = _document(certificate, Packer(arrays, is_inline=False))
    if is_special or sum(array.size for array in arrays.values()) <= MAX_INLINE:
        arrays = {}
        document = _document(certificate, Packer(arrays, is_inline=True))
    buffer, companion = io.BytesIO(), None
    if arrays:
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        digest = hashlib.sha256(buffer.getvalue()).hexdigest()
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


def _document(certificate: Certificate, pack: Packer) -> dict[str, Any]:
    subject = _written(certificate.subject, pack)
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": certificate.made_by,
        "subject": {"kind": subject.pop("kind"), "digest": certificate.digest, **subject},
        "claim": _written(certificate.claim, pack),
        "witness": _written(certificate.witness, pack),
        "evidence": _written(certificate.evidence, pack),
    }


def _written(value: Any, pack: Packer) -> Any:
    """Return what stands for a value in the file."""
    if isinstance(value, Declared):
        fields = _fields(value, pack)
        return [*fields.values()] if isinstance(value, TreeNode) else fields
    if isinstance(value, tuple):
        return [_written(own, pack) for own in value]
    if isinstance(value, np.ndarray):
        return pack(value) if value.dtype == np.float64 else value.tolist()
    return value.hex() if isinstance(value, float) else value


def _fields(value: Declared, pack: Packer) -> dict[str, Any]:
    """Return the kind of an object, if it has one, and the fields that its class declares."""
    make: Any = type(value)
    found = {"kind": getattr(value, "kind", None)} if hasattr(value, "kind") else {}
    for key, codec in declared(make).items():
        own = getattr(value, key)
        if says(own) or not codec.is_optional:
            listed = tuple(own.tolist()) if codec.is_list else own
            found[codec.name or key] = _written(listed, pack)
    return found


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
        digest = hashlib.sha256(content_of(earlier, MAX_NPZ_BYTES)).hexdigest()
        return earlier if digest == stated["sha256"] else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError, CertificateError):
        return None

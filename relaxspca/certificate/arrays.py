"""Arrays in a certificate: hexadecimal floats inline, or members of the .npz beside it when there are many.

The specification is in ``certificates/SPEC.md``, section 4.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate.values import (
    MAX_NUMBERS,
    Floats,
    checked_text,
    fields_of,
    integers,
    list_of,
    real,
    require,
    require_shape,
)
from relaxspca.errors import CertificateError

if TYPE_CHECKING:
    from relaxspca.certificate.companion import Archive


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
        fields = fields_of(packed, name, ("shape", "hex" if inline else "npz"))
        shape = tuple(integers(fields["shape"], f"shape of {name}").tolist())
        require_shape(name, shape, expected)
        require(min(shape, default=0) >= 0, f"{name} has the impossible shape {shape}")
        self.count += math.prod(shape)
        is_small = self.count <= MAX_NUMBERS and max(shape, default=0) <= MAX_NUMBERS
        require(is_small, f"more than {MAX_NUMBERS} numbers")
        if not inline:
            key = checked_text(f"key of {name}", fields["npz"])
            if self.companion is None:
                raise CertificateError(f"{name} refers to {key!r} of a companion, and the file states none")
            return self.companion.array(key, shape, name)
        values = list_of(fields["hex"], name)
        fits = len(values) == math.prod(shape)
        require(fits, f"{name} has {len(values)} numbers for the shape {shape}")
        return np.array([real(x, name) for x in values], dtype=np.float64).reshape(shape)

    def close(self) -> None:
        """Raise CertificateError where the companion has more than the arrays that were read."""
        unread = set() if self.companion is None else self.companion.unread
        require(not unread, f"no array refers to {min(unread, default=b'')!r} of the companion")

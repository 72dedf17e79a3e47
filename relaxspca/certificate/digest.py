"""The digest of what a certificate speaks of, in 64 hexadecimal digits."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from relaxspca.certificate.values import Floats


def sha256_of(parts: Iterable[str | list[str] | tuple[str, ...] | Floats]) -> str:
    """Return the digest of lines, given as text, of lists of texts, and of arrays.

    Each text comes after its length and every array after its shape: no two subjects give the same bytes.
    """
    state = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            state.update(f"{part}\n".encode("ascii"))
        elif isinstance(part, np.ndarray):
            # 0.0 is added for -0.0, and before the bytes are put in order: an addition would put them back.
            state.update(np.asarray(part + 0.0).astype("<f8").tobytes())
        else:
            for text in part:
                content = text.encode()
                state.update(f"{len(content)}:".encode("ascii") + content + b"\n")
    return "sha256:" + state.hexdigest()

"""The digest of what a certificate speaks of, in 64 hexadecimal digits."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from relaxspca.certificate.values import Floats

if TYPE_CHECKING:
    from relaxspca.certificate.subject import Matrix

CENTRED = {None: "unknown", True: "yes", False: "no"}


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


def parts_of_matrix(matrix: Matrix) -> Iterator[str | list[str] | tuple[str, ...] | Floats]:
    """Yield what the digest of a matrix binds: entries, names, and what is known of it."""
    description, eliminated = matrix.description, matrix.eliminated
    yield "relaxspca matrix 2"
    yield f"{matrix.storage} {matrix.entries.shape[0]} {matrix.entries.shape[1]}"
    yield matrix.entries
    yield matrix.names
    yield [description.kind]
    yield f"observations {'unknown' if description.observations is None else description.observations}"
    yield f"centred {CENTRED[description.is_centred]}"
    deflation = description.deflation
    if deflation is None:
        yield "deflation none"
    else:
        yield f"deflation {deflation.loadings.shape[0]} {deflation.loadings.shape[1]}"
        yield [deflation.method, deflation.digest, *deflation.names]
        yield deflation.loadings
    yield f"eliminated {'none' if eliminated is None else eliminated.count}"
    if eliminated is not None:
        yield eliminated.names
        yield np.append(eliminated.variances, eliminated.shift)

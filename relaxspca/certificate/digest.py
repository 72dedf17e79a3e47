"""The digest of what a certificate speaks of, in 64 hexadecimal digits."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np

from relaxspca.certificate.description import Description
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.values import Floats, checked_array, checked_names

__all__ = ["digest_of", "sha256_of"]

CENTRED = {None: "unknown", True: "yes", False: "no"}


def digest_of(
    *,
    matrix: Floats | None = None,
    factor: Floats | None = None,
    names: Iterable[str] = (),
    description: Description | None = None,
    eliminated: Eliminated | None = None,
) -> str:
    """Return the canonical SHA-256 digest of a matrix with the names of its variables and what it is.

    Parameters
    ----------
    matrix : (n, n); or
    factor : (r, n)
        A, where the matrix is A'A.
    names : n str
        Of the variables, in their order.
    description : Description, optional
        None is `Description()`, a symmetric matrix of which no more is known.
    eliminated : Eliminated, optional
        Further variables, of which only the variances are known.

    Returns
    -------
    str
        ``sha256:`` and 64 hexadecimal digits, as ``certificates/SPEC.md``, section 4, says.

    Raises
    ------
    CertificateError
        The matrix is no array of doubles, or there is not one name for each variable.

    Examples
    --------
    >>> digest_of(matrix=np.eye(2), names="ab")[:15], digest_of(matrix=np.eye(2), names="ba")[:15]
    ('sha256:...', 'sha256:...')
    """
    storage, array = ("dense", matrix) if factor is None else ("factor", factor)
    entries = checked_array("the covariance", array, (None, None))
    found = checked_names("names", names, entries.shape[1])
    return sha256_of(_parts(storage, entries, found, description or Description(), eliminated))


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


def _parts(
    storage: str,
    entries: Floats,
    names: tuple[str, ...],
    description: Description,
    eliminated: Eliminated | None,
) -> Iterator[str | list[str] | tuple[str, ...] | Floats]:
    yield "relaxspca matrix 2"
    yield f"{storage} {entries.shape[0]} {entries.shape[1]}"
    yield entries
    yield names
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

"""The digest of a matrix: what a certificate speaks of, in 64 hexadecimal digits."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np

from relaxspca.certificate.description import Description
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.values import Floats, checked_array, checked_names

__all__ = ["VERSION", "digest_of"]

VERSION = 2  # of the format, and of the rule
CENTRED = {None: "unknown", True: "yes", False: "no"}


def digest_of(
    *,
    matrix: Floats | None = None,
    factor: Floats | None = None,
    names: Iterable[str] = (),
    description: Description | None = None,
    eliminated: Eliminated | None = None,
    version: int = VERSION,
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
    version : int
        2, or the rule of format 1, which binds neither names nor description.

    Returns
    -------
    str
        ``sha256:`` and 64 hexadecimal digits, as ``certificates/SPEC.md``, section 3, says.

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
    parts = _first_rule(storage, entries, eliminated)
    if version != 1:
        found = checked_names("names", names, entries.shape[1])
        parts = _second_rule(storage, entries, found, description or Description(), eliminated)
    state = hashlib.sha256()
    for part in parts:
        state.update(part)
    return "sha256:" + state.hexdigest()


def _first_rule(storage: str, entries: Floats, eliminated: Eliminated | None) -> Iterator[bytes]:
    yield _line(f"relaxspca covariance {storage} {entries.shape[0]} {entries.shape[1]}")
    yield _doubles(entries)
    if eliminated is not None:
        yield _line(f"eliminated {eliminated.count}")
        yield _doubles(np.append(eliminated.variances, eliminated.shift))


def _second_rule(
    storage: str,
    entries: Floats,
    names: tuple[str, ...],
    description: Description,
    eliminated: Eliminated | None,
) -> Iterator[bytes]:
    """Yield what is hashed; each part after its length: no two matrices give the same bytes."""
    yield _line("relaxspca matrix 2")
    yield _line(f"{storage} {entries.shape[0]} {entries.shape[1]}")
    yield _doubles(entries)
    yield from map(_text, names)
    yield _text(description.kind)
    yield _line(f"observations {'unknown' if description.observations is None else description.observations}")
    yield _line(f"centred {CENTRED[description.is_centred]}")
    deflation = description.deflation
    if deflation is None:
        yield _line("deflation none")
    else:
        yield _line(f"deflation {deflation.loadings.shape[0]} {deflation.loadings.shape[1]}")
        yield from map(_text, (deflation.method, deflation.digest, *deflation.names))
        yield _doubles(deflation.loadings)
    yield _line(f"eliminated {'none' if eliminated is None else eliminated.count}")
    if eliminated is not None:
        yield from map(_text, eliminated.names)
        yield _doubles(np.append(eliminated.variances, eliminated.shift))


def _line(text: str) -> bytes:
    return f"{text}\n".encode("ascii")


def _text(text: str) -> bytes:
    """Return the length in bytes, a colon, the text in UTF-8 and a line feed."""
    content = text.encode()
    return f"{len(content)}:".encode("ascii") + content + b"\n"


def _doubles(array: Floats) -> bytes:
    # 0.0 is added for -0.0, and before the bytes are put in order: an addition would put them back.
    return np.asarray(array + 0.0).astype("<f8").tobytes()

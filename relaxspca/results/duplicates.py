"""Which variables of a component say the same: columns that stand twice in the data, or in two units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.errors import in_line
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.results.claims import block_of

NEAR = 1e-10  # of 1: a correlation that is 1 but for rounding

Groups = tuple[tuple[str, ...], ...]


def copies(cov: Covariance, loadings: Array) -> Groups:
    """Return groups of variables with a loading whose correlations are 1 or -1, to within `NEAR`.

    Examples
    --------
    >>> import relaxspca as rs
    >>> S = [[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]
    >>> copies(rs.Covariance(S, names=["cm", "m", "kg"]), np.eye(3)[:, :2])
    (('cm', 'm'),)
    """
    used = np.flatnonzero(loadings.any(axis=1))
    return _alike(cov.submatrix(used), [cov.names[i] for i in used])


def duplicates_of(certificate: Certificate, indices: Iterable[int] | None = None) -> Groups:
    """Return such groups of some variables of a certificate, by default of those that its component uses."""
    T = certificate.indices if indices is None else np.fromiter(indices, dtype=np.int64)
    return _alike(block_of(certificate, T)[0], [certificate.names[i] for i in T])


def duplicates_reported(found: Iterable[Sequence[str]]) -> list[str]:
    """Return a line that names them, or none; a group that is a part of another is left out.

    Examples
    --------
    >>> duplicates_reported([["cm", "m"], ["cm", "in", "m"]]), duplicates_reported([])
    (['Copies of each other (correlations of 1 or -1, to within 1e-10): cm, in, m.'], [])
    """
    groups = dict.fromkeys(map(tuple, found))
    whole = [in_line(group) for group in groups if not any({*group} < {*other} for other in groups)]
    told = f"Copies of each other (correlations of 1 or -1, to within {NEAR:g}): "
    return [f"{told}{'; '.join(whole)}."] if whole else []


def _alike(block: Array, names: Sequence[str]) -> Groups:
    deviations = np.sqrt(np.maximum(np.diag(block), 0.0))
    with np.errstate(all="ignore"):  # a variance of 0 has no correlations
        correlations = block / deviations[:, None] / deviations
        alike = np.abs(np.abs(correlations) - 1) <= NEAR
    # Each variable goes to the first that it is like.
    groups: dict[int, list[str]] = {}
    for j, name in enumerate(names):
        groups.setdefault(int(np.argmax(alike[j])) if alike[j].any() else j, []).append(name)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)

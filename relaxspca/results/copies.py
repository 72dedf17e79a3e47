"""Which variables of a component say the same: columns that stand twice in the data, or in two units."""

from __future__ import annotations

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.numerics.linalg import Array

__all__ = ["NEAR", "block_in_use", "copies"]

NEAR = 1e-10  # of 1: a correlation that is 1 but for rounding


def copies(certificate: Certificate) -> list[list[str]]:
    """Return groups of variables of the component whose correlations are 1 or -1, to within `NEAR`.

    Examples
    --------
    >>> import relaxspca as rs
    >>> S = [[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]
    >>> copies(rs.solve(rs.Covariance(S, names=["cm", "m", "kg"]), 2).certificate)
    [['cm', 'm']]
    """
    block = block_in_use(certificate)
    deviations = np.sqrt(np.maximum(np.diag(block), 0.0))
    with np.errstate(all="ignore"):  # a variance of 0 has no correlations
        correlations = block / deviations[:, None] / deviations
        alike = np.abs(np.abs(correlations) - 1) <= NEAR
    # Each variable goes to the first that it is like.
    groups: dict[int, list[str]] = {}
    for j, i in enumerate(certificate.indices.tolist()):
        groups.setdefault(int(np.argmax(alike[j])) if alike[j].any() else j, []).append(certificate.names[i])
    return [group for group in groups.values() if len(group) > 1]


def block_in_use(certificate: Certificate) -> Array:
    """Return the entries of the matrix of a certificate on the variables of its component (variance)."""
    T = certificate.indices
    if certificate.matrix is not None:
        return np.asarray(certificate.matrix[np.ix_(T, T)])
    assert certificate.factor is not None
    return np.asarray(certificate.factor[:, T].T @ certificate.factor[:, T])

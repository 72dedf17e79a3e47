"""Truncation: the k largest entries of the leading eigenvector, of the diagonal or of a row."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.rows import Indices, in_parts, row_reader, support_values
from relaxspca.candidates.spectrum import leading_direction
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance

__all__ = ["SOURCES", "largest_entries", "thresholding", "truncations"]

SOURCES = ("eigenvector", "diagonal", "rows")


def thresholding(
    cov: Covariance,
    k: int,
    *,
    source: str = "all",
    max_rows: int = 1000,
    rng: np.random.Generator | None = None,
) -> Candidate:
    r"""Keep the k largest entries of the leading eigenvector, of the diagonal or of a row.

    .. math:: T = \text{indices of the } k \text{ largest } |u_i|, \qquad
              u \in \{u_1\} \cup \{\operatorname{diag} \Sigma\} \cup \{\Sigma_{i\cdot}\}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    source : {"all", "eigenvector", "diagonal", "rows"}
        The vector truncated; "all" takes the best of the three.
    max_rows : most rows truncated, those of largest variance first.
    rng : not used; the method is deterministic.

    Returns
    -------
    Candidate.

    Raises
    ------
    InputError
        `source` is not known.

    Notes
    -----
    The best of the three is within a factor :math:`n^{-1/3}` of the optimum [1]_ (over all n rows).

    References
    ----------
    .. [1] S. O. Chan, D. Papailiopoulos, A. Rubinstein, On the approximability of sparse PCA, COLT 2016.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> thresholding(load_pitprops(), 3, source="eigenvector").indices.tolist()
    [0, 1, 6]
    """
    k = cov.check_cardinality(k)
    if source != "all" and source not in SOURCES:
        raise InputError(f"source must be 'all' or one of {', '.join(SOURCES)}, not {source!r}")
    supports = truncations(cov, k, SOURCES if source == "all" else (source,), max_rows)
    best = int(np.argmax(support_values(row_reader(cov), supports)))
    return Candidate.from_support(cov, supports[best], method="thresholding")


def truncations(cov: Covariance, k: int, sources: tuple[str, ...] = SOURCES, max_rows: int = 1000) -> Indices:
    """Return the distinct sorted supports (s, k) of all truncations."""
    supports = []
    if "eigenvector" in sources:
        supports.append(largest_entries(leading_direction(cov)[None, :], k))
    if "diagonal" in sources:
        supports.append(largest_entries(cov.diagonal[None, :], k))
    if "rows" in sources:
        read_rows = row_reader(cov)
        chosen = np.argsort(-cov.diagonal, kind="stable")[:max_rows]
        for part in in_parts(chosen[:, None], cov.n):
            supports.append(largest_entries(read_rows(part[:, 0]), k))
    return np.unique(np.concatenate(supports), axis=0)


def largest_entries(V: Array, k: int) -> Indices:
    """Return, for each row of V (s, n), the sorted indices (s, k) of its k largest entries in modulus."""
    size = np.abs(V)
    if k == size.shape[1]:
        return np.tile(np.arange(k), (len(size), 1))
    # Entries equal up to rounding are taken in the order of the variables.
    rounded = np.round(size / np.maximum(size.max(axis=1, keepdims=True), np.finfo(float).tiny), 12)
    return np.sort(np.argsort(-rounded, axis=1, kind="stable")[:, :k], axis=1)

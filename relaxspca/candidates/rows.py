"""Rows of a covariance on demand, so that the n x n matrix of wide data is never formed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from relaxspca.numerics.linalg import AT_ONCE, MANY, Array, Indices
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import FOREVER, Deadline

RowReader = Callable[[Indices], Array]

EVALUATED = 1000  # supports that are evaluated one by one, and variables of thousands among which they are


def row_reader(cov: Covariance) -> RowReader:
    """Return a function that maps indices of any shape to the rows (*shape, n) of the covariance."""
    is_formed = "matrix" in vars(cov)
    if cov.n <= MANY or is_formed:
        Sigma = cov.matrix
        return lambda indices: Sigma[indices]
    return lambda indices: cov.columns(indices.ravel()).T.reshape(*indices.shape, cov.n)


def support_values(read_rows: RowReader, supports: Indices, deadline: Deadline = FOREVER) -> Array:
    """Return the largest eigenvalue of the block of each of the (s, k) supports, in floating point.

    After the deadline values are -inf, except those of the first part.
    """
    values: list[Array] = []
    for part in in_parts(supports, read_rows(supports[:1, :1]).shape[-1]):
        if values and deadline.is_over:
            values.append(np.full(len(part), -np.inf))
            continue
        blocks = np.take_along_axis(read_rows(part), part[:, None, :], axis=2)
        values.append(np.asarray(np.linalg.eigvalsh(blocks)[:, -1], dtype=np.float64))
    return np.concatenate(values)


def in_parts(supports: Indices, n: int) -> list[Indices]:
    """Split (s, t) supports so that the (s', t, n) rows of each part fit in little memory."""
    step = max(1, AT_ONCE // max(1, supports.shape[1] * n))
    return [supports[i : i + step] for i in range(0, len(supports), step)]


def distinct(supports: Indices) -> tuple[Indices, Indices]:
    """Return the distinct rows of an array, sorted, and where each stands first.

    Of `numpy.unique` with an axis a Ctrl-C may make a TypeError.

    Examples
    --------
    >>> [found.tolist() for found in distinct(np.array([[1, 2], [0, 3], [1, 2]]))]
    [[[0, 3], [1, 2]], [1, 0]]
    """
    order = np.lexsort(supports.T[::-1])
    ranked = supports[order]
    is_new = np.ones(len(ranked), dtype=bool)
    is_new[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    return ranked[is_new], order[is_new]

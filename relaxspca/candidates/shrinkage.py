"""Thresholding rules, unit loadings, and the penalty that reaches a cardinality."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from relaxspca.candidates.thresholding import largest_entries
from relaxspca.numerics.linalg import HALVINGS, Array, oriented
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance


def soft(c: Array, level: float | Array) -> Array:
    """Shrink every entry by `level` towards zero."""
    return np.sign(c) * np.maximum(np.abs(c) - level, 0.0)


def unit(c: Array) -> Array:
    """Return loadings of length 1 and fixed sign; zero stays zero."""
    norm = float(np.linalg.norm(c))
    return oriented(c / norm) if norm > 0.0 else c


def of_cardinality(
    cov: Covariance, k: int, solve: Callable[[float], Array], most: float, method: str
) -> Candidate:
    """Search in [0, most] for a penalty whose solution has k nonzero entries; return its re-fitted support.

    A larger penalty leaves fewer. Where the path of solutions skips k, the one of smallest cardinality above k
    that was found is cut, or one below k filled, and the name of the method says so.
    """
    low, high, best = 0.0, most, solve(0.0)
    size = int(np.count_nonzero(best))
    for _ in range(HALVINGS):
        if size <= k:
            break
        middle = 0.5 * (low + high)
        vector = solve(middle)
        count = int(np.count_nonzero(vector))
        if count < k:
            high = middle
            continue
        low = middle
        if count < size:
            best, size = vector, count
    name = method if size == k else f"{method} (k = {k} skipped, cut or filled from {size})"
    return Candidate.from_support(cov, largest_entries(best[None, :], k)[0], method=name)

"""Thresholding rules, unit loadings, and the penalty that reaches a cardinality."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from relaxspca.numerics.linalg import HALVINGS, Array, oriented


def soft(c: Array, level: float | Array) -> Array:
    """Shrink every entry by `level` towards zero."""
    return np.sign(c) * np.maximum(np.abs(c) - level, 0.0)


def hard(c: Array, level: float | Array) -> Array:
    """Keep the entries above `level` in modulus."""
    return np.where(np.abs(c) > level, c, 0.0)


def unit(c: Array) -> Array:
    """Return loadings of length 1 and fixed sign; zero stays zero."""
    norm = float(np.linalg.norm(c))
    return oriented(c / norm) if norm > 0.0 else c


def of_cardinality(solve: Callable[[float], Array], k: int, low: float, high: float) -> tuple[Array, int]:
    """Search in [low, high] for a penalty whose solution has k nonzero entries.

    Returned are the solution and their number; a larger penalty leaves fewer. Where the path of solutions skips
    k, the solution is the one of smallest cardinality above k that was found.
    """
    best = solve(low)
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
    return best, size


def skipping_name(method: str, cardinality: int, k: int) -> str:
    """Return the name of a method, with a note if no penalty gives cardinality k."""
    return method if cardinality == k else f"{method} (k = {k} skipped, cut or filled from {cardinality})"

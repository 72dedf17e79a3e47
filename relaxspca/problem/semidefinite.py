"""Thin factors of semidefinite matrices, and how far a symmetric matrix is from being one."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.numerics.linalg import Array, as_array

__all__ = ["compressed", "eigenvalue_factor", "shift_to_semidefinite"]


def shift_to_semidefinite(Sigma: Array) -> float:
    """Return how much must be added to the diagonal, 0 when only rounding is in the way."""
    n = Sigma.shape[0]
    size = float(np.abs(Sigma).max())
    tolerance = 16 * n * np.finfo(float).eps * size
    try:
        np.linalg.cholesky(Sigma + tolerance * np.eye(n))
        return 0.0
    except np.linalg.LinAlgError:
        smallest = float(np.linalg.eigvalsh(Sigma)[0])
        return -smallest + tolerance if smallest < -tolerance else 0.0


def eigenvalue_factor(Sigma: Array, shift: float) -> Array:
    """Return A of full numerical rank with A'A = Sigma + shift I up to rounding.

    The column of a variable without variance is exactly zero.
    """
    n = Sigma.shape[0]
    varying = np.flatnonzero(np.diagonal(Sigma) + shift > 0)
    values, vectors = np.linalg.eigh(Sigma[np.ix_(varying, varying)] + shift * np.eye(varying.size))
    kept = values > 8 * n * np.finfo(float).eps * values.max(initial=0.0)
    A = np.zeros((int(np.count_nonzero(kept)), n))
    A[:, varying] = (vectors[:, kept] * np.sqrt(values[kept])).T[::-1]
    return as_array(A)


def compressed(A: Array) -> Array:
    """Return a factor of the same A'A with as many rows as the rank."""
    values, vectors = np.linalg.eigh(A @ A.T)
    kept = values > max(A.shape) * np.finfo(float).eps * max(values[-1], 0.0)
    if not kept.any() or not math.isfinite(float(values[-1])):
        return as_array(A)
    return as_array((vectors[:, kept].T @ A)[::-1])

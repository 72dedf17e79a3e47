"""Thin factors of semidefinite matrices, and the diagonal shift that makes a symmetric matrix one."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.numerics.linalg import MANY, UNIT_ROUNDOFF, Array, as_array, least_eigenvalue


def shift_to_semidefinite(Sigma: Array) -> float:
    """Return the shift of the diagonal that makes Sigma semidefinite; 0 if it is one up to rounding."""
    n = Sigma.shape[0]
    size = float(np.abs(Sigma).max())
    tolerance = 16 * n * np.finfo(float).eps * size
    if _is_definite(Sigma, tolerance):
        return 0.0
    smallest = least_eigenvalue(Sigma)
    return -smallest + tolerance if smallest < -tolerance else 0.0


def provable_shift(block: Array, shift: float) -> float:
    """Return a shift, at least the given one, at which a checker in floating point can prove semidefiniteness.

    A claim about eliminated variables presupposes that no eigenvalue lies below -shift. If the shifted block
    is singular, floating-point arithmetic cannot prove that at the smallest valid shift.

    Examples
    --------
    >>> provable_shift(np.eye(3), 1e-15), 0 < provable_shift(np.ones((3, 3)), 1e-15) < 1e-12
    (1e-15, True)
    """
    n = block.shape[0]
    room = UNIT_ROUNDOFF * (8 * n**2 + 256 * n) * float(np.diagonal(block).max(initial=0.0))
    return float(shift if _is_definite(block, shift - room) else shift + room)


def eigenvalue_factor(Sigma: Array, shift: float) -> Array:
    """Return A of full numerical rank with A'A = Sigma + shift I up to rounding.

    The column of a variable without variance is exactly zero. Of many variables Cholesky's factor is taken if
    the rank is proved to be full, which is ten times as quick.
    """
    n = Sigma.shape[0]
    varying = np.flatnonzero(np.diagonal(Sigma) + shift > 0)
    block = Sigma[np.ix_(varying, varying)] + shift * np.eye(varying.size)
    zero = 8 * n * np.finfo(float).eps
    if n > MANY and _is_definite(block, -zero * float(np.abs(block).sum(axis=1).max(initial=0.0))):
        A = np.zeros((varying.size, n))
        A[:, varying] = np.linalg.cholesky(block).T
        return as_array(A)
    values, vectors = np.linalg.eigh(block)
    kept = values > zero * values.max(initial=0.0)
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


def _is_definite(Sigma: Array, shift: float) -> bool:
    """Say whether Sigma + shift I has a Cholesky factor in floating point; one copy of Sigma is made."""
    from scipy.linalg.lapack import dpotrf

    shifted = np.array(Sigma, order="F")
    shifted[np.diag_indices_from(shifted)] += shift
    return int(dpotrf(shifted, overwrite_a=True, clean=False)[1]) == 0

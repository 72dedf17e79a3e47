"""Round the primal matrix of psi to supports, by its leading eigenvector and random directions."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.rows import Indices
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance

__all__ = ["supports_at_penalty"]


def supports_at_penalty(
    cov: Covariance, rho: float, X: Array, *, rng: np.random.Generator | None = None
) -> list[Indices]:
    r"""Round the primal matrix of psi(rho) to distinct supports for the penalised problem.

    A support has the variables with :math:`(a_i'x)^2>\rho` for a unit direction x: the leading eigenvector of
    X, and 64 times :math:`X^{1/2}\xi` with Gaussian :math:`\xi`.

    Parameters
    ----------
    cov : Covariance of n variables with a factor of r rows.
    rho : penalty (variance).
    X : (r, r) symmetric positive semidefinite, as `relaxspca.relaxations.psi.minimise` returns it.
    rng : source of randomness; None is a fixed seed.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, Approximation bounds for sparse principal component
       analysis, Mathematical Programming 148:89-110, 2014.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> [support.tolist() for support in supports_at_penalty(cov, 0.5, np.outer([1, 0], [1, 0]))]
    [[0, 1]]
    """
    chosen = _scores(cov, X, rng) > rho
    return [np.flatnonzero(row) for row in np.unique(chosen, axis=0) if row.any()]


def _scores(cov: Covariance, X: Array, rng: np.random.Generator | None) -> Array:
    """Return (a_i'x)^2 for the leading and the random unit directions x, (65, n)."""
    r = cov.rank
    if X.shape != (r, r):
        raise InputError(f"the matrix to round is {X.shape}, but the covariance's factor has {r} rows")
    rng = np.random.default_rng(0) if rng is None else rng
    d, Q = np.linalg.eigh(X)
    directions = (Q * np.sqrt(np.maximum(d, 0))) @ rng.normal(size=(r, 64))
    directions = np.column_stack([Q[:, -1], directions])
    directions = directions / np.maximum(np.linalg.norm(directions, axis=0), np.finfo(float).tiny)
    return np.asarray((directions.T @ cov.factor) ** 2)

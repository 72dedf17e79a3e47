"""Backward elimination: repeatedly drop the variable whose removal lowers the largest eigenvalue least."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.removal import Resolvent
from relaxspca.candidates.rows import Indices
from relaxspca.numerics.linalg import HALVINGS, Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance

__all__ = ["backward_elimination", "elimination_order", "least_loss"]


def backward_elimination(cov: Covariance, k: int, *, rng: np.random.Generator | None = None) -> Candidate:
    r"""Start from all variables; at each step remove the one that leaves the largest leading eigenvalue.

    .. math:: I_{m-1} = I_m \setminus \{ \arg\max_{i \in I_m} \lambda_{\max}(\Sigma_{I_m - i,\, I_m - i}) \}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    rng : not used; the method is deterministic.

    Returns
    -------
    Candidate.

    Notes
    -----
    With the eigenpairs :math:`(\mu_l, q_l)` of the current block, the eigenvalues that remain after removing
    i are the roots of :math:`\sum_l q_{il}^2 / (\lambda - \mu_l) = 0` (Cauchy interlacing): one
    eigendecomposition serves all removals. It is taken of the r x r matrix :math:`\sum_{I} a_i a_i^T` where
    that is smaller. Otherwise one decomposition serves many steps: while bounds on the losses show which
    is the least, only an inverse is updated (`relaxspca.candidates.removal`).

    References
    ----------
    Moghaddam, Weiss and Avidan, "Spectral bounds for sparse PCA", NIPS 2006.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> backward_elimination(load_pitprops(), 5).indices.tolist()
    [0, 1, 6, 8, 9]
    """
    k = cov.check_cardinality(k)
    return Candidate.from_support(cov, np.sort(elimination_order(cov, k)[:k]), method="backward_elimination")


def elimination_order(cov: Covariance, k: int, *, screened_from: int = 60) -> Indices:
    """Return all variables: the k that remain, then the others, last removed first.

    Blocks of more than `screened_from` variables use bounds on the losses; smaller ones are as quick without.
    """
    thin = cov.is_factored and cov.factor.shape[0] < cov.n
    kept = np.arange(cov.n)
    removed: list[int] = []
    A = cov.factor if thin else None
    total = A @ A.T if A is not None else None
    resolvent: Resolvent | None = None
    while len(kept) > k:
        position = resolvent.cheapest() if resolvent is not None else None
        if position is None and A is not None and total is not None and len(kept) > A.shape[0]:
            squares, values = _thin_spectrum(A[:, kept], total)
            position = least_loss(values, squares)
        elif position is None:
            values, Q = np.linalg.eigh(cov.submatrix(kept))
            position = least_loss(values, Q * Q)
            resolvent = Resolvent.of(values, Q) if len(kept) > screened_from else None
        if resolvent is not None:
            resolvent = resolvent.without(position)
        removed.append(int(kept[position]))
        if A is not None and total is not None:
            a = A[:, kept[position]]
            total = total - np.outer(a, a)
        kept = np.delete(kept, position)
    return np.concatenate([kept, np.array(removed[::-1], dtype=np.int64)])


def _thin_spectrum(A: Array, total: Array) -> tuple[Array, Array]:
    """Return squared eigenvector entries (m, r + 1) and eigenvalues (r + 1,) of A'A, its null space merged."""
    values, U = np.linalg.eigh(total)
    values = np.maximum(values, 0.0)
    scale = np.where(values > values[-1] * 1e-13, values, np.inf)
    squares = (A.T @ U) ** 2 / scale
    rest = np.maximum(1.0 - squares.sum(axis=1), 0.0)
    return np.column_stack([rest, squares]), np.concatenate([[0.0], values])


def least_loss(values: Array, squares: Array) -> int:
    """Return the row whose removal lowers the eigenvalue least; values (m,) ascending, squares (rows, m)."""
    leading = squares[:, -1]
    first = int(np.argmin(leading))
    level = _remaining_value(values, squares[first])
    if level >= values[-1]:
        return first
    tiny = np.finfo(float).tiny
    # Removal i leaves more than `level` exactly when its secular function is still negative there.
    reciprocal = 1.0 / np.maximum(level - values[:-1], tiny)
    excess = leading / (values[-1] - level) - squares[:, :-1] @ reciprocal
    rivals = np.flatnonzero(excess < -1e-13 * np.abs(leading / (values[-1] - level)))
    best = first
    for i in rivals:
        value = _remaining_value(values, squares[i])
        if value > level:
            best, level = int(i), value
    return best


def _remaining_value(values: Array, square: Array) -> float:
    """Return the largest eigenvalue after removing the variable with these squared eigenvector entries."""
    low = float(values[-2])
    high = high_pole = float(values[-1])
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if square[-1] / (high_pole - middle) < float(np.sum(square[:-1] / (middle - values[:-1]))):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)

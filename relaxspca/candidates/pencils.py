r"""Supports for the largest ratio of two quadratic forms: growing, shrinking, truncated steps, exact swaps.

Swaps rest on one observation: with mu the ratio of a support, another support has a larger one just where the
largest eigenvalue of its block of A - mu B is above 0. So all swaps are judged as those of one matrix are.
"""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.local_search import best_swaps
from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices
from relaxspca.problem.pencil import Pencil

__all__ = ["best_support", "swapped_support"]

STEPS = 30  # truncated steps
MOST_SWAPS = 200
JITTER = 1e-13  # of a diagonal near 1, so that a singular block can be factored; a proposal needs no more


def best_support(pencil: Pencil, k: int) -> tuple[Indices, str]:
    """Return the best support of k variables found, and who found it.

    Parameters
    ----------
    pencil : Pencil of n variables.
    k : cardinality.

    Examples
    --------
    >>> from relaxspca.problem.pencil import MatrixPencil
    >>> support, _ = best_support(MatrixPencil(np.diag([1.0, 4.0, 3.0]), np.diag([1.0, 2.0, 1.0])), 1)
    >>> support.tolist()
    [2]
    """
    methods = {"greedy": _grown, "backward": _shrunk, "truncated power": _truncated}
    best, name, value = np.arange(k), "first variables", -np.inf
    for method, propose in methods.items():
        support = swapped_support(pencil, propose(pencil, k))
        found = pencil.fitted(support)[0]
        if found > value:
            best, name, value = support, method, found
    return best, name


def swapped_support(pencil: Pencil, support: Indices) -> Indices:
    """Return what best swaps make of a support."""
    support = np.sort(support)
    value = pencil.fitted(support)[0]
    for _ in range(MOST_SWAPS):
        if len(support) == pencil.n or not np.isfinite(value):
            return support
        trial = best_swaps(pencil.A - value * pencil.B, support, max_swaps=1)
        found = pencil.fitted(trial)[0]
        if found <= value:
            return support
        support, value = trial, found
    return support


def _grown(pencil: Pencil, k: int) -> Indices:
    """Add the variable that leads to the largest ratio, k times."""
    support = np.zeros(0, dtype=np.int64)
    for _ in range(k):
        outside = np.setdiff1d(np.arange(pencil.n), support)
        trials = np.column_stack([np.tile(support, (len(outside), 1)), outside]).astype(np.int64)
        rows, columns = trials[:, :, None], trials[:, None, :]
        values = _ratios(pencil.A[rows, columns], pencil.B[rows, columns])
        support = trials[int(np.argmax(values))]
    return np.sort(support)


def _ratios(A: Array, B: Array) -> Array:
    """Return the largest ratios of a stack of pairs of blocks."""
    factor = np.linalg.cholesky(B + JITTER * np.eye(B.shape[-1]))
    half = np.linalg.solve(factor, A)
    inner = np.linalg.solve(factor, np.swapaxes(half, -1, -2))
    return np.asarray(np.linalg.eigvalsh((inner + np.swapaxes(inner, -1, -2)) / 2)[..., -1])


def _shrunk(pencil: Pencil, k: int) -> Indices:
    """Leave out what the leading vector misses least, a part of what is too much at a time."""
    support = np.arange(pencil.n)
    while len(support) > k:
        block = np.ix_(support, support)
        _, x = pencil.fitted(support)
        inverse = np.diagonal(np.linalg.pinv(pencil.B[block], hermitian=True))
        worth = x**2 / np.maximum(inverse, 1e-300)
        dropped = max(1, (len(support) - k) // 8)
        support = np.delete(support, np.argsort(worth, kind="stable")[:dropped])
    return support


def _truncated(pencil: Pencil, k: int) -> Indices:
    """Take steps along the gradient of the ratio and keep the k largest entries (Tan et al. 2018)."""
    step = 1.0 / max(float(np.abs(pencil.B).sum(axis=1).max()), 1e-300)
    support = np.arange(pencil.n)
    _, x = pencil.fitted(support)
    for _ in range(STEPS):
        form, unit = float(x @ pencil.A @ x), float(x @ pencil.B @ x)
        if form <= 0 or unit <= 0:
            break
        moved = x + step * (unit / form * (pencil.A @ x) - pencil.B @ x)
        chosen = np.sort(np.argsort(-np.abs(moved), kind="stable")[:k])
        if np.array_equal(chosen, support):
            break
        support = chosen
        x = np.zeros(pencil.n)
        x[support] = pencil.fitted(support)[1]
    return support[:k]

"""Exchanges of one variable of a support for another, and of variables between two supports."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices

__all__ = ["best_swap", "exchanges"]

AT_ONCE = 2_000_000  # entries of the blocks that are decomposed together
RANK = 1e-9  # singular value below which others do not restrict a vector


def best_swap(Sigma: Array, others: Array, support: Indices) -> Indices | None:
    """Return the support one exchange away on which the best vector orthogonal to the others explains most."""
    outside = np.setdiff1d(np.arange(len(Sigma)), support)
    if len(outside) == 0:
        return None
    k, m = len(support), len(outside)
    trials = np.tile(support, (k, m, 1))
    trials[np.arange(k), :, np.arange(k)] = outside
    trials = trials.reshape(k * m, k)
    count = max(1, AT_ONCE // k**2)
    values = np.concatenate([_values(Sigma, others, trials[at : at + count]) for at in range(0, k * m, count)])
    return np.sort(trials[int(np.argmax(values))])


def exchanges(S: Indices, T: Indices) -> tuple[Indices, Indices]:
    """Return two disjoint supports after each exchange of a variable of one for one of the other, a row each.

    Examples
    --------
    >>> [some.tolist() for some in exchanges(np.array([0, 1]), np.array([2]))]
    [[[2, 1], [0, 2]], [[0], [1]]]
    """
    a, b = len(S), len(T)
    first, second = np.tile(S, (a, b, 1)), np.tile(T, (a, b, 1))
    first[np.arange(a), :, np.arange(a)] = T
    second[:, np.arange(b), np.arange(b)] = S[:, None]
    return first.reshape(a * b, a), second.reshape(a * b, b)


def _values(Sigma: Array, others: Array, supports: Indices) -> Array:
    """Return what the best vector orthogonal to the others explains on each of some supports."""
    U, lengths, _ = np.linalg.svd(others[supports], full_matrices=False)
    U = np.where(lengths[:, None, :] > RANK, U, 0.0)
    project = np.eye(supports.shape[1]) - U @ np.swapaxes(U, 1, 2)
    blocks = Sigma[supports[:, :, None], supports[:, None, :]]
    return np.asarray(np.linalg.eigvalsh(project @ blocks @ project)[:, -1])

"""Exchanges of one variable of a support for another."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices

__all__ = ["best_swap"]

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


def _values(Sigma: Array, others: Array, supports: Indices) -> Array:
    """Return what the best vector orthogonal to the others explains on each of some supports."""
    U, lengths, _ = np.linalg.svd(others[supports], full_matrices=False)
    U = np.where(lengths[:, None, :] > RANK, U, 0.0)
    project = np.eye(supports.shape[1]) - U @ np.swapaxes(U, 1, 2)
    blocks = Sigma[supports[:, :, None], supports[:, None, :]]
    return np.asarray(np.linalg.eigvalsh(project @ blocks @ project)[:, -1])

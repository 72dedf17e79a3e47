"""Exchanges of one variable of a support for another."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices

__all__ = ["best_swap"]


def best_swap(Sigma: Array, others: Array, support: Indices) -> Indices | None:
    """Return the support one exchange away on which the best vector orthogonal to the others explains most."""
    n, k = len(Sigma), len(support)
    outside = np.setdiff1d(np.arange(n), support)
    if len(outside) == 0:
        return None
    best, chosen = -np.inf, None
    for leaving in range(k):
        kept = np.delete(support, leaving)
        trials = np.concatenate([np.broadcast_to(kept, (len(outside), k - 1)), outside[:, None]], axis=1)
        A = others[trials]
        project = np.eye(k) - A @ np.linalg.pinv(A, rcond=1e-9)
        blocks = Sigma[trials[:, :, None], trials[:, None, :]]
        values = np.linalg.eigvalsh(project @ blocks @ np.swapaxes(project, 1, 2))[:, -1]
        at = int(np.argmax(values))
        if values[at] > best:
            best, chosen = float(values[at]), np.sort(trials[at])
    return chosen

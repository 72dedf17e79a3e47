"""Forward selection by the largest squared projection on the current component."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.rows import Indices, row_reader
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import FOREVER, Deadline

__all__ = ["selection_order"]


def selection_order(cov: Covariance, k: int, *, deadline: Deadline = FOREVER) -> Indices:
    r"""Return the first k variables in the order of selection, fewer if the deadline passes.

    .. math:: i_{t+1} = \arg\max_{i \notin I_t} (a_i^T x_t)^2, \qquad
              x_t = A z_t / \|A z_t\|, \quad a_i^T x_t = (\Sigma z_t)_i / \sqrt{\lambda_t}

    Every prefix is a support of its cardinality. A step costs one t x t eigenproblem.

    References
    ----------
    d'Aspremont, Bach and El Ghaoui, JMLR 9, 2008, section 4.2.
    """
    read_rows = row_reader(cov)
    order = [int(np.argmax(cov.diagonal))]
    rows = np.empty((k, cov.n))
    rows[0] = read_rows(np.array(order))[0]
    for size in range(1, k):
        if deadline.is_over:
            break
        loadings = np.linalg.eigh(rows[:size, order])[1][:, -1]
        projection = np.abs(loadings @ rows[:size])
        projection[order] = -1.0
        order.append(int(np.argmax(projection)))
        rows[size] = read_rows(np.array(order[-1:]))[0]
    return np.array(order, dtype=np.int64)

"""Forward selection by the largest squared projection on the current component."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.rows import Indices, row_reader
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import FOREVER, Deadline

__all__ = ["approximate_greedy", "selection_order"]


def approximate_greedy(
    cov: Covariance, k: int, *, start: int | None = None, rng: np.random.Generator | None = None
) -> Candidate:
    r"""Add, at each step, the variable with the largest squared projection on the current component.

    .. math:: i_{t+1} = \arg\max_{i \notin I_t} (a_i^T x_t)^2, \qquad
              x_t = A z_t / \|A z_t\|, \quad a_i^T x_t = (\Sigma z_t)_i / \sqrt{\lambda_t}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    start : first variable; None takes the one of largest variance.
    rng : not used; the method is deterministic.

    Returns
    -------
    Candidate.

    Notes
    -----
    Costs one t x t eigenproblem a step, O(n^3) for the whole path.

    References
    ----------
    d'Aspremont, Bach and El Ghaoui, JMLR 9, 2008, section 4.2.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> approximate_greedy(load_pitprops(), 3).indices.tolist()
    [0, 1, 8]
    """
    k = cov.check_cardinality(k)
    return Candidate.from_support(cov, selection_order(cov, k, start=start), method="approximate_greedy")


def selection_order(
    cov: Covariance, k: int, *, start: int | None = None, deadline: Deadline = FOREVER
) -> Indices:
    """Return the first k variables in the order of selection, fewer if the deadline passes.

    Every prefix is a support of its cardinality.
    """
    read_rows = row_reader(cov)
    order = [int(np.argmax(cov.diagonal)) if start is None else start]
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

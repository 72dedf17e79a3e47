"""Forward selection with backward steps (floating search)."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.backward import least_loss
from relaxspca.candidates.greedy import grow
from relaxspca.candidates.rows import Indices, row_reader, support_values
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance

__all__ = ["floating_search"]


def floating_search(
    cov: Covariance, k: int, *, start: int | None = None, rng: np.random.Generator | None = None
) -> Candidate:
    r"""Grow greedily, and drop variables again while that gives a better support of the smaller size.

    .. math:: I_{t+1} = I_t \cup \{i^*\}, \qquad
              \text{then } I_t \leftarrow I_{t+1} \setminus \{j^*\}
              \text{ if } \lambda_{\max}(\Sigma_{I_t I_t}) \text{ grows by it}

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
    Every step back raises the best value of its size, so the method terminates. It usually improves on the
    classical greedy method from the same start, though not always: the two paths diverge.

    References
    ----------
    d'Aspremont, Bach and El Ghaoui, JMLR 9, 2008, section 4; backward steps as in their PathSPCA software.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> floating_search(load_pitprops(), 5).indices.tolist()
    [0, 1, 6, 8, 9]
    """
    k = cov.check_cardinality(k)
    read_rows = row_reader(cov)
    first = int(np.argmax(cov.diagonal)) if start is None else start
    best: dict[int, tuple[float, Indices]] = {1: (float(cov.diagonal[first]), np.array([first]))}
    support = best[1][1]
    while len(support) < k:
        support = grow(read_rows, cov.diagonal, support[None, :], len(support) + 1)[0]
        value = float(support_values(read_rows, support[None, :])[0])
        while _is_better(value, best.get(len(support))):
            best[len(support)] = (value, support)
            if len(support) <= 2:
                break
            shorter = _without_least(cov, support)
            value = float(support_values(read_rows, shorter[None, :])[0])
            if not _is_better(value, best[len(shorter)]):
                break
            support = shorter
        support = best[len(support)][1]
    return Candidate.from_support(cov, best[k][1], method="floating_search")


def _is_better(value: float, known: tuple[float, Indices] | None) -> bool:
    return known is None or value > known[0] + 1e-12 * abs(known[0])


def _without_least(cov: Covariance, support: Indices) -> Indices:
    values, Q = np.linalg.eigh(cov.submatrix(support))
    return np.delete(support, least_loss(values, Q * Q))

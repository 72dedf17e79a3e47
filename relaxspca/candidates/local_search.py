"""Best-swap local search."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.rows import Indices, RowReader, row_reader
from relaxspca.candidates.secular import best_border
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance

__all__ = ["best_swaps", "local_search", "swap_until_best"]

# Numbers held at once: bounds the memory of a sweep over all swaps.
_CHUNK = 500_000


def local_search(
    cov: Covariance,
    k: int,
    *,
    start: Indices | None = None,
    max_swaps: int = 1000,
    rng: np.random.Generator | None = None,
) -> Candidate:
    r"""Exchange one variable for another while the largest eigenvalue grows.

    .. math:: T \leftarrow \arg\max \{ \lambda_{\max}(\Sigma_{UU}) : |U| = k,\ |U \setminus T| \le 1 \}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    start : (k,) first support; None takes the k variables of largest variance.
    max_swaps : most exchanges made.
    rng : not used; the search is deterministic.

    Returns
    -------
    Candidate that no single exchange improves, unless `max_swaps` was reached.

    Notes
    -----
    A support that no exchange improves has value at least v_k / k.

    References
    ----------
    Li and Xie, "Exact and approximation algorithms for sparse PCA", INFORMS J. Computing, 2024.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> local_search(load_pitprops(), 5).indices.tolist()
    [0, 1, 6, 8, 9]
    """
    if start is None:
        start = np.argsort(-cov.diagonal, kind="stable")[:k]
    support = swap_until_best(row_reader(cov), cov.diagonal, start, max_swaps=max_swaps)
    return Candidate.from_support(cov, support, method="local_search")


def best_swaps(Sigma: Array, support: Indices, *, max_swaps: int = 1000) -> Indices:
    """Return the (k,) support that best swaps reach from `support` in the (n, n) symmetric matrix."""
    return swap_until_best(lambda rows: Sigma[rows], np.diagonal(Sigma), support, max_swaps=max_swaps)


def swap_until_best(
    read_rows: RowReader, diagonal: Array, support: Indices, *, max_swaps: int = 1000
) -> Indices:
    """Return the (k,) support that best swaps reach from `support`, reading rows only."""
    support = np.sort(np.asarray(support, dtype=np.int64))
    if len(support) == len(diagonal):
        return support
    rows = read_rows(support)
    value = _block_value(rows, support)
    for _ in range(max_swaps):
        leaving, entering, estimate = _best_swap(rows, diagonal, support)
        if estimate <= value:
            break
        trial = np.sort(np.append(np.delete(support, leaving), entering))
        trial_rows = np.insert(
            np.delete(rows, leaving, axis=0),
            np.searchsorted(trial, entering),
            read_rows(np.array([entering])),
            axis=0,
        )
        trial_value = _block_value(trial_rows, trial)
        # Only a strict increase of the recomputed value counts: rounding in the roots cannot make a cycle.
        if trial_value <= value:
            break
        support, rows, value = trial, trial_rows, trial_value
    return support


def _best_swap(rows: Array, diagonal: Array, support: Indices) -> tuple[int, int, float]:
    """Return (position leaving, variable entering, value) of the best of the k (n - k) swaps."""
    k, n = rows.shape
    allowed = np.ones(n, dtype=bool)
    allowed[support] = False
    if k == 1:
        entering = int(np.argmax(np.where(allowed, diagonal, -np.inf)))
        return 0, entering, float(diagonal[entering])
    best = (0, 0, -np.inf)
    remaining = np.array([np.delete(np.arange(k), i) for i in range(k)])
    step = max(1, _CHUNK // (k * n))
    for start in range(0, k, step):
        kept = remaining[start : start + step]
        poles, Q = np.linalg.eigh(rows[kept[:, :, None], support[kept][:, None, :]])
        weights = np.matmul(Q.transpose(0, 2, 1), rows[kept]) ** 2
        index, value = best_border(poles, weights, diagonal, np.broadcast_to(allowed, (len(kept), n)))
        i = int(np.argmax(value))
        if value[i] > best[2]:
            best = (start + i, int(index[i]), float(value[i]))
    return best


def _block_value(rows: Array, support: Indices) -> float:
    return float(np.linalg.eigvalsh(rows[:, support])[-1])

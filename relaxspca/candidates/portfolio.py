"""The default: greedy growth, truncations and power iterations, each finished by best swaps."""

from __future__ import annotations

import numpy as np

from relaxspca.candidate import Candidate
from relaxspca.candidates.greedy import greedy_supports
from relaxspca.candidates.local_search import swap_until_best
from relaxspca.candidates.rows import Indices, row_reader, support_values
from relaxspca.candidates.thresholding import truncations
from relaxspca.candidates.truncated_power import power_supports
from relaxspca.covariance import Covariance

__all__ = ["auto"]

# The most promising supports are finished by swaps: at most so many, and fewer where one sweep is long.
_POLISHED = 16
_WORK = 50_000_000


def auto(cov: Covariance, k: int, *, rng: np.random.Generator | None = None) -> Candidate:
    """Return the best of greedy growth from every start, truncations and power iterations after best swaps.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    rng : not used; the portfolio is deterministic.

    Returns
    -------
    Candidate that no exchange of one variable improves.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> round(auto(load_pitprops(), 10).value, 8)
    4.17263766
    """
    read_rows = row_reader(cov)
    supports = _proposals(cov, k)
    values = support_values(read_rows, supports)
    polished = max(4, min(_POLISHED, _WORK // (k * k * cov.n)))
    promising = supports[np.argsort(-values, kind="stable")[:polished]]
    swapped = np.array([swap_until_best(read_rows, cov.diagonal, support) for support in promising])
    best = int(np.argmax(support_values(read_rows, swapped)))
    return Candidate.from_support(cov, swapped[best], method="auto")


def _proposals(cov: Covariance, k: int) -> Indices:
    found = [greedy_supports(cov, k), truncations(cov, k), power_supports(cov, k)]
    return np.unique(np.concatenate(found), axis=0)

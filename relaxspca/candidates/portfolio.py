"""The default heuristic: greedy growth and truncations, each finished by best swaps.

If there are few supports, all are evaluated, which is faster.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from relaxspca.candidates.greedy import WORK, greedy_supports, ranked_variables
from relaxspca.candidates.local_search import swap_until_best
from relaxspca.candidates.rows import EVALUATED, distinct, in_parts, row_reader, support_values
from relaxspca.candidates.thresholding import truncations
from relaxspca.numerics.linalg import HELD, Indices
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.threads import one_thread

# Most supports that are finished by swaps; `WORK` makes it fewer.
_POLISHED = 16
_ENTRIES = 400_000_000  # of rows that are looked at: of 20 000 variables all


def auto(cov: Covariance, k: int, *, deadline: Deadline = FOREVER) -> Candidate:
    """Return the best of greedy growth from every start and of truncations, after best swaps.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality.
    deadline : Deadline, after which only two truncations are made, and no support is finished by swaps.

    Returns
    -------
    Candidate that no exchange of one variable improves, unless the deadline came first.

    Notes
    -----
    With at most a thousand supports all are evaluated, so the candidate is optimal.

    With more than 4400 variables supports are proposed among the thousand that have the largest covariances.
    The best is finished by swaps with all others.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> round(auto(load_pitprops(), 10).value, 8)
    4.17263766
    """
    k = checked_cardinality(cov, k)
    if cov.n > HELD:
        kept = _promising_variables(cov, k, max(EVALUATED, 2 * k), deadline)
        support = kept[_best_support(cov.restrict(kept), k, deadline)]
        if not deadline.is_over:
            support = swap_until_best(row_reader(cov), cov.diagonal, support, deadline=deadline)
    else:
        with one_thread(cov.n):
            support = _best_support(cov, k, deadline)
    return Candidate.from_support(cov, support, method="auto")


def _best_support(cov: Covariance, k: int, deadline: Deadline) -> Indices:
    """Return the best of all supports if they are few, else of the proposals after swaps of the best ones."""
    read_rows = row_reader(cov)
    count = math.comb(cov.n, k)
    if count <= EVALUATED and count * k**3 <= WORK:
        supports = np.array(list(combinations(range(cov.n), k)), dtype=np.int64)
        return np.asarray(supports[int(np.argmax(support_values(read_rows, supports)))])
    found = [truncations(cov, k, of_rows=False)]  # those of all rows only if there is time
    if not deadline.is_over:
        found.append(greedy_supports(cov, k, deadline=deadline))
    if not deadline.is_over:
        found.append(truncations(cov, k))
    supports, places = distinct(np.concatenate(found))
    values = np.empty(len(supports))
    order = np.argsort(places)  # in the order of the proposals, so that the many truncations come last
    values[order] = support_values(read_rows, supports[order], deadline)
    polished = max(4, min(_POLISHED, WORK // (k * k * cov.n)))
    promising = supports[np.argsort(-values, kind="stable")[:polished]]
    swapped, seen = promising[:1], set[bytes]()
    for support in promising:
        if not deadline.is_over:
            end = swap_until_best(read_rows, cov.diagonal, support, seen=seen, deadline=deadline)
            swapped = np.vstack([swapped, end])
    return np.asarray(swapped[int(np.argmax(support_values(read_rows, swapped)))])


def _promising_variables(cov: Covariance, k: int, size: int, deadline: Deadline) -> Indices:
    """Return those of the largest norm of k entries of their row; where time allows no row, of the variance."""
    read_rows, norms = row_reader(cov), cov.diagonal.copy()
    for part in in_parts(ranked_variables(cov)[: _ENTRIES // cov.n, None], cov.n):
        if deadline.is_over:
            break
        entries = np.abs(read_rows(part[:, 0]))
        norms[part[:, 0]] = np.linalg.norm(np.partition(entries, cov.n - k, axis=1)[:, cov.n - k :], axis=1)
    return np.sort(np.argsort(-norms, kind="stable")[:size])

"""Tables whose scores are uncorrelated: no component's scores vary with another's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.candidates.several.alternation import alternated
from relaxspca.candidates.several.best_so_far import Start
from relaxspca.candidates.several.common import common_table
from relaxspca.candidates.several.portfolio import disjoint_table
from relaxspca.candidates.several.restarts import walked
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.runtime.deadline import FOREVER, Deadline

__all__ = ["uncorrelated_table"]


def uncorrelated_table(
    cov: Covariance,
    sizes: Sequence[int],
    *,
    deadline: Deadline = FOREVER,
    seen: list[Start] | None = None,
) -> CandidateTable | None:
    r"""Return unit vectors with :math:`x_t^T\Sigma x_s=0` whose variances have a large sum.

    The walk of `restarts.restarted_table`, with this in place of orthogonality.

    Parameters
    ----------
    cov : Covariance of n variables.
    sizes : cardinality of each component.
    deadline : when to stop.
    seen : as in `restarts.walked`.

    Returns
    -------
    CandidateTable or None
        None where no start led to such vectors: on small supports there may be none. Many vectors whose
        supports overlap take too long to be made exactly uncorrelated; there each support holds the smaller
        ones.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> table = uncorrelated_table(cov, [5, 5])
    >>> bool(abs(table.loadings[:, 0] @ cov.matrix @ table.loadings[:, 1]) < 1e-15)
    True
    """
    apart = disjoint_table(cov, sizes, deadline=deadline.part(2))
    first = None
    if apart is not None and all(map(_fits, apart.supports, sizes)):
        first = list(apart.supports)
    rng = np.random.default_rng(0)
    found = walked(cov, sizes, metric=cov.matrix, first=first, deadline=deadline, rng=rng, seen=seen)
    table = None if found is None else CandidateTable.uncorrelated(cov, found[1], found[2])
    return _nested(cov, sizes, deadline) if table is None else table


def _nested(cov: Covariance, sizes: Sequence[int], deadline: Deadline) -> CandidateTable | None:
    """Return a table each of whose supports holds the smaller ones, where many vectors can be uncorrelated."""
    k, r = max(sizes), len(sizes)
    common = common_table(cov, k, r, deadline=deadline) if r <= k else None
    if common is None:
        return None
    largest = common.supports[0]
    ranked = largest[np.argsort(-np.abs(common.loadings[largest, 0]), kind="stable")]
    supports = [np.sort(ranked[:size]) for size in sizes]
    X = alternated(cov.matrix, supports, cov.matrix)
    return None if X is None else CandidateTable.uncorrelated(cov, supports, X)


def _fits(support: Indices, size: int) -> bool:
    return len(support) == size

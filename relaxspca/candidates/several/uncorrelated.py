"""Tables whose scores are uncorrelated: no component's scores vary with another's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.candidates.several.alternation import best_given_others
from relaxspca.candidates.several.portfolio import disjoint_table
from relaxspca.candidates.several.restarts import rotated
from relaxspca.candidates.several.swaps import best_swap
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.runtime.deadline import FOREVER, Deadline

__all__ = ["uncorrelated_table"]

STARTS = 12
PASSES = 50


def uncorrelated_table(
    cov: Covariance, sizes: Sequence[int], *, deadline: Deadline = FOREVER
) -> CandidateTable | None:
    r"""Return unit vectors with :math:`x_t^T\Sigma x_s=0` whose variances have a large sum.

    One component after another gets the best support one exchange away, uncorrelated with the others, until
    none moves; the best of several starts.

    Parameters
    ----------
    cov : Covariance of n variables.
    sizes : cardinality of each component.
    deadline : when to stop.

    Returns
    -------
    CandidateTable or None
        None where no start led to such vectors: on small supports there may be none.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> table = uncorrelated_table(cov, [5, 5])
    >>> bool(abs(table.loadings[:, 0] @ cov.matrix @ table.loadings[:, 1]) < 1e-15)
    True
    """
    Sigma, rng, best = cov.matrix, np.random.default_rng(0), None
    vectors = leading_eigenpairs(cov, len(sizes))[1]
    apart = disjoint_table(cov, sizes, deadline=Deadline.after(deadline.share(2)))
    for at in range(STARTS):
        if at == 0 and apart is not None and all(map(_fits, apart.supports, sizes)):
            supports = list(apart.supports)
        else:
            supports = rotated(vectors, sizes, rng)
        found = _descended(Sigma, supports, deadline)
        table = None if found is None else CandidateTable.uncorrelated(cov, *found)
        if table is not None and (best is None or table.lower > best.lower):
            best = table
        if deadline.is_over:
            break
    return best


def _fits(support: Indices, size: int) -> bool:
    return len(support) == size


def _descended(Sigma: Array, supports: list[Indices], deadline: Deadline) -> tuple[list[Indices], Array] | None:
    """Improve one component after another, given what the others do."""
    X = np.zeros((len(Sigma), len(supports)))
    # A vector on few variables cannot give way to the others: the smallest support first.
    for t in sorted(range(len(supports)), key=lambda t: len(supports[t])):
        x = best_given_others(Sigma, Sigma @ X, supports[t])
        if x is None:
            return None
        X[:, t] = x
    for _ in range(PASSES):
        before = float(np.vdot(X, Sigma @ X))
        for t in range(len(supports)):
            others = Sigma @ np.delete(X, t, axis=1)
            for support in (supports[t], best_swap(Sigma, others, supports[t])):
                x = None if support is None else best_given_others(Sigma, others, support)
                if support is not None and x is not None and x @ Sigma @ x > X[:, t] @ Sigma @ X[:, t]:
                    X[:, t], supports[t] = x, support
        if np.vdot(X, Sigma @ X) <= before + 1e-12 * abs(before) or deadline.is_over:
            break
    return supports, X

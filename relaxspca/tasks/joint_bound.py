"""A bound on what orthogonal components of some sizes explain together, where it costs little."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from relaxspca.errors import DataWarning
from relaxspca.numerics.linalg import Array, sum_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.formula import charged_diagonal
from relaxspca.relaxations.several.minimise import minimise
from relaxspca.relaxations.several.shape import Shape
from relaxspca.relaxations.spectral import upper_bound
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.several.run import proof_at_first
from relaxspca.tasks.solve import solve

SMALL = (
    40  # variables up to which multipliers of all variables are fitted in the time of the components themselves
)
ROWS = 2000  # variables up to which row sums are taken
LARGE = 600  # variables up to which all eigenvectors take less time than the components
GAP = 0.05  # of single components: what is added up is not tight either


def quick_bound(
    cov: Covariance,
    sizes: Sequence[int],
    lower: float,
    *,
    first: float | None = None,
    deadline: Deadline = FOREVER,
) -> float | None:
    r"""Return a bound on the sum of variances of orthogonal components, or None where it would cost much.

    Of more than 40 variables it is the least of

    .. math:: \sum_t u_t(\Sigma),\qquad \sum_{i\le r}\lambda_i(\Sigma),\qquad
              \sum_t u_t(\Sigma-Z)+\text{the } \textstyle\sum_t k_t \text{ largest } Z_{jj},

    :math:`u_t\ge v_{k_t}` bounds on single components: of the largest size by a search of one node (or `first`,
    where that is given of `sizes[0]`), of smaller ones by row sums too. Z is what the r largest eigenvalues
    exceed the next one by. The third is (1) of docs/theory/several.md; of more than 600 variables the first is
    taken alone. `lower` is about what such a set explains: the bound is true for any number.
    """
    if len(sizes) < 2 or cov.eliminated is not None or lower <= 0:
        return None
    shape = Shape(tuple(sorted(map(int, sizes), reverse=True)))
    if cov.n <= SMALL:
        _, upper, _ = minimise(
            cov, shape, lower=lower, tol=1e-3, deadline=deadline, stages=8, iterations=100, may_list=False
        )
        return upper
    of_largest = first if sizes[0] == shape.sizes[0] else None
    uppers = [sum_upper(_singles(cov, shape.sizes, deadline, of_largest))]
    if cov.n <= LARGE and not deadline.is_over:
        uppers += [proof_at_first(cov, shape).bound, _by_multipliers(cov, shape.sizes, deadline)]
    return min(uppers)


def _by_multipliers(cov: Covariance, sizes: Sequence[int], deadline: Deadline) -> float:
    """Return the bound by the multiplier matrix of the leading eigenvectors."""
    values, vectors = cov.eigenpairs
    r = min(len(sizes), cov.n - 1)
    L = vectors[:, -r:] * np.sqrt(np.maximum(values[-r:] - values[-r - 1], 0.0))
    rest = cov.matrix - L @ L.T
    rest = (rest + rest.T) / 2
    delta, own = charged_diagonal(cov, np.arange(cov.n), rest)
    paid = np.sort(np.maximum(own, 0.0))[::-1][: sum(sizes)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the rest may be indefinite by a rounding error
        left = Covariance._of_entries(rest, None)
    singles = _singles(left, sizes, deadline)
    return sum_upper(np.concatenate([singles, paid, np.full(len(sizes), -delta)]))


def _singles(cov: Covariance, sizes: Sequence[int], deadline: Deadline, first: float | None = None) -> Array:
    """Return a proved bound on a single component of each size, the largest first; that one by a search."""
    if first is None:
        result = solve(cov, sizes[0], gap=GAP, node_limit=1, time_limit=deadline.left, verbose=False)
        if result.status is Status.INTERRUPTED:  # a search keeps Ctrl-C to itself
            raise KeyboardInterrupt
        first = result.upper
    kinds = ("trace", "rowsum") if cov.n <= ROWS else ("trace",)
    smaller = set(sizes) - {sizes[0]}
    known = {k: min(first, *(upper_bound(cov, kind, k) for kind in kinds)) for k in smaller}
    return np.array([known.get(k, first) for k in sizes])

"""How many variables keep a share of what the dense component explains: the smallest k, with proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from numbers import Real
from typing import Any

from relaxspca.candidates import candidate
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import MANY
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations import spectral
from relaxspca.results.path_table import Path
from relaxspca.runtime.deadline import Deadline


def smallest(
    cov: Covariance,
    share: float,
    dense: tuple[float, float],
    conditions: Conditions,
    rows_of: Callable[[dict[int, Candidate]], Path],
    deadline: Deadline,
) -> Path:
    r"""Return the rows up to the smallest k with :math:`v_k\ge\text{share}\cdot\lambda_1`.

    `dense` has bounds on :math:`\lambda_1`, that of all variables whatever the conditions, and `rows_of` bounds
    cardinalities, each with a component to start from. After half of the time components are less good, and no
    longer is every cardinality looked at: the interval in which the smallest lies is halved.

    :math:`v_k` does not fall with k, so the row before the last proves that no smaller k is enough: there the
    upper bound is below the share of a lower bound on :math:`\lambda_1`, and the last row attains that of an
    upper one.
    """
    least = max(len(conditions.include), 1)
    most = cov.n - len(conditions.exclude)
    named: dict[str, Any] = {"include": list(conditions.include), "exclude": list(conditions.exclude)}
    half = deadline.part(2)
    starts: dict[int, Candidate] = {}

    def is_enough(k: int) -> bool:
        if k not in starts:
            is_late = half.is_over and cov.n > MANY
            quick = {"method": "thresholding", "source": "eigenvector"} if is_late else {"deadline": half}
            starts[k] = candidate(cov, k, **quick, **named)
        return bool(starts[k].value >= share * dense[1])

    low, high = least - 1, most
    while high - low > 1:
        k = (low + high) // 2 if half.is_over and low >= least else low + 1
        low, high = (low, k) if is_enough(k) else (k, high)
    is_enough(high)
    found = rows_of({k: starts[k] for k in sorted(starts) if k <= high})
    while len(found.rows) > 1 and found.rows[-2].lower >= share * dense[1]:
        found = replace(found, rows=found.rows[:-1])
    return replace(found, dense=dense, asked=share)


def checked_share(cov: Covariance, share: Any) -> tuple[float, tuple[float, float]]:
    """Return a share as a float and bounds on what it is a share of, or say what is wrong with it."""
    if not isinstance(share, Real) or isinstance(share, bool) or not 0 < float(share) <= 1:
        raise InputError(f"share_of_dense must be a number above 0 and at most 1, such as 0.9, not {share!r}")
    cov.check_complete("a share of the dense component")
    leading = Candidate.from_loadings(cov, leading_eigenpairs(cov, 1)[1][:, 0])
    dense = leading.proved_value(cov), spectral.upper_bound(cov, "spectral", cov.n)
    if dense[0] <= 0:
        raise InputError("the dense component has no variance above 0, of which no part can be kept")
    return float(share), dense

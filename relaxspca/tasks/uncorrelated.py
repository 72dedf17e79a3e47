r"""Several components with uncorrelated scores: a table, and the bound that holds without orthogonality.

.. math:: \max\Big\{\sum_t x_t^T\Sigma x_t:\ |x_t|=1,\ x_t^T\Sigma x_s=0\ (s\ne t),\
          \mathrm{Card}(x_t)\le k_t\Big\}

The :math:`x_t` need not be orthogonal, so the bounds of orthogonal tables do not hold. Two others do: the sum
of the single optima, and for a semidefinite matrix the sum of the r largest eigenvalues. For with
:math:`u_t=\Sigma^{1/2}x_t/|\Sigma^{1/2}x_t|`, orthonormal,
:math:`u_t^T\Sigma u_t=|\Sigma x_t|^2/x_t^T\Sigma x_t\ge x_t^T\Sigma x_t`; where :math:`\Sigma x_t=0` nothing is
added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from relaxspca.candidates.several.best_so_far import Start
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.candidates.several.uncorrelated import uncorrelated_table
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import eigenvalue_upper, sum_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import largest_entry
from relaxspca.relaxations.several.shape import Shape
from relaxspca.results.joint import JointComponents
from relaxspca.results.settle import settle, vanishing
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.limits import SearchLimits
from relaxspca.search.several.opening import proof_at_first
from relaxspca.tasks.joint import check_table, largest_first
from relaxspca.tasks.solve import solve
from relaxspca.tasks.table_fields import table_fields

__all__ = ["uncorrelated_components"]


def uncorrelated_components(
    cov: Covariance, sizes: Sequence[int], *, gap: float = 0.0, limits: SearchLimits
) -> JointComponents:
    """Find components with uncorrelated scores, and bound what any such table explains.

    Parameters
    ----------
    cov : Covariance of n variables; one that is given by a factor is taken as its matrix, rounded to doubles.
    sizes : cardinality of each component.
    gap : relative gap at which each single optimum may stop.
    limits : how much time there is; no nodes are counted, and no callback is called.
    """
    check_table(cov)
    if limits.node_limit is not None or limits.callback is not None:
        raise InputError("node_limit and callback do not go with uncorrelated=True: the table is not searched")
    if cov.is_factored:
        # Vectors are made exactly uncorrelated for a matrix of numbers: that of the observations, as rounded.
        cov = Covariance._of_entries(cov.matrix, cov.names)._with(description=cov.description)
    deadline = limits.deadline
    table, is_stopped = _table(cov, sizes, deadline.part(2))
    if table is None:
        raise InputError(
            f"no {len(sizes)} uncorrelated components of these cardinalities were found: "
            "larger ones, or fewer components, leave more room"
        )
    singles, interrupted = _singles(cov, sizes, Deadline.after(0) if is_stopped else deadline, gap)
    upper = max(min(singles, _dense(cov, len(sizes))), table.lower)
    scale = vanishing(table.lower, largest_entry(cov))
    status = settle(None, table.lower, upper, scale=scale, gap=gap)
    place = largest_first(table.values, sizes, range(len(sizes)))
    X = table.loadings[:, place]
    return JointComponents(
        **table_fields(cov, X),
        supports=tuple(tuple(cov.names[i] for i in table.supports[t]) for t in place),
        sizes=tuple(sizes),
        kind="uncorrelated",
        lower=table.lower,
        upper=upper,
        status=Status.INTERRUPTED if is_stopped or interrupted else status,
        root=upper,
        node_count=0,
        seconds=deadline.elapsed,
    )


def _table(cov: Covariance, sizes: Sequence[int], deadline: Deadline) -> tuple[CandidateTable | None, bool]:
    """Return the best table found, and whether Ctrl-C came; then it is the best by then, or a quick one."""
    seen: list[Start] = []
    try:
        return uncorrelated_table(cov, sizes, deadline=deadline, seen=seen), False
    except KeyboardInterrupt:
        best = CandidateTable.uncorrelated(cov, seen[-1][1], seen[-1][2]) if seen else None
        return best or uncorrelated_table(cov, sizes, deadline=Deadline.after(0)), True


def _singles(cov: Covariance, sizes: Sequence[int], deadline: Deadline, gap: float) -> tuple[float, bool]:
    """Return the sum of proved bounds on single components, and whether Ctrl-C came."""
    uppers: dict[int, float] = {}
    interrupted = False
    for left, k in enumerate(sorted(set(sizes)), start=-len(set(sizes))):
        within = Deadline.after(0) if interrupted else deadline
        result = solve(cov, k, gap=gap, time_limit=within.share(-left), verbose=False)
        interrupted = interrupted or result.status is Status.INTERRUPTED
        uppers[k] = result.upper
    return sum_upper(np.array([uppers[k] for k in sizes])), interrupted


def _dense(cov: Covariance, r: int) -> float:
    """Return a proved bound on the sum of the r largest eigenvalues of a semidefinite matrix, or infinity."""
    if eigenvalue_upper(-cov.matrix, cov.rounding()) > 0:
        return math.inf
    return proof_at_first(cov, Shape((cov.n,) * r)).bound

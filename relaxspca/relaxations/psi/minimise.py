"""Minimise psi without a semidefinite solver: at a given rho, or for a given k at the best rho."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array, Indices, as_array, leading_eigenpair, spread
from relaxspca.problem.gap import penalty_line
from relaxspca.relaxations.psi.barrier import ascend
from relaxspca.relaxations.psi.formula import repair
from relaxspca.relaxations.psi.penalty_search import Problem
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.threads import one_thread

NEWTON_STEP = 2.5  # eigendecompositions that a step takes as long as


@dataclass(frozen=True, eq=False)
class PsiSolution:
    r"""A dual point of psi with upper and lower bounds on its optimum.

    Attributes
    ----------
    rho : penalty of a variable (variance).
    vectors : (r, n) y_i, feasible: :math:`y_iy_i'\succeq a_ia_i'-\rho I`; 0 where :math:`\|a_i\|^2\le\rho`.
    value : upper bound on psi(rho), in floating point.
    lower : lower bound on psi(rho) if rho was given, and on the minimum of psi(rho) + rho k over rho if k was.
    """

    rho: float
    vectors: Array
    value: float
    lower: float

    def bound(self, k: int) -> float:
        """Return the bound on the variance of every support of at most k variables."""
        return penalty_line(self.value, self.rho, k)


def minimise(A: Array, rho: float, *, tol: float = 1e-6, time_limit: float | None = None) -> PsiSolution:
    """Compute psi(rho) and its dual vectors from a factor A, to a relative duality gap.

    Examples
    --------
    >>> solution = minimise(np.array([[2.0, 1.0], [0.0, 1.0]]), 0.5)
    >>> bool(solution.lower <= solution.value <= solution.lower * (1 + 1e-6))
    True
    """
    deadline, (order, norms) = Deadline.after(time_limit), _ranked(A)
    with one_thread(max(A.shape)):
        active = order[norms[order] > rho]
        if active.size and deadline.allows(A.shape[0], times=NEWTON_STEP):
            return _ascended(A, active, norms, 0, rho, tol=tol, enough=-math.inf, deadline=deadline)
        # For want of time, multiples of the columns themselves.
        return _solution(A, active, A[:, active] * np.sqrt(1 - rho / norms[active]), rho)


def bound(
    A: Array,
    k: int,
    *,
    lower: float = -math.inf,
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> PsiSolution:
    """Minimise psi(rho) + rho k over rho: the relaxation's bound for k variables, from a factor A.

    The method stops once the bound shows that nothing is better than `lower`, a known value.

    Examples
    --------
    >>> A = np.array([[2.0, 1.0], [0.0, 1.0]])
    >>> round(bound(A, 1).bound(1), 5)
    4.0
    """
    deadline, (order, norms) = Deadline.after(time_limit), _ranked(A)
    with one_thread(max(A.shape)):
        largest = float(norms[order[0]])
        if k == 1 or largest == 0:  # the penalty of the largest variance gives the bound
            return _solution(A, order[:0], A[:, :0], largest, largest * k)
        return _ascended(A, order, norms, k, None, tol=tol, enough=lower, deadline=deadline)


def _ranked(A: Array) -> tuple[Indices, Array]:
    """Return the columns, the longest first, and the squared length of each."""
    norms = np.einsum("ji,ji->i", A, A)
    return np.argsort(-norms, kind="stable"), norms


def _ascended(
    A: Array,
    active: Indices,
    norms: Array,
    penalty: int,
    rho: float | None,
    *,
    tol: float,
    enough: float,
    deadline: Deadline,
) -> PsiSolution:
    """Search the matrix, and the penalty unless it is given; in the span of columns fewer than rows."""
    columns = A[:, active]
    rows = None if active.size >= len(A) else np.linalg.qr(columns)[0]
    problem = Problem(columns if rows is None else rows.T @ columns, norms[active], penalty, rho)
    found, lower = ascend(problem, tol=tol, enough=enough, deadline=deadline)
    used, vectors = active[found.active], found.vectors if rows is None else rows @ found.vectors
    return _solution(A, used, repair(A[:, used], vectors, found.rho), found.rho, lower)


def _solution(A: Array, used: Indices, vectors: Array, rho: float, lower: float | None = None) -> PsiSolution:
    """Return the dual point that is 0 but for some vectors; without a lower bound, what one direction gains."""
    value, x = leading_eigenpair(vectors @ vectors.T)
    gains = np.maximum((x @ A[:, used]) ** 2 - rho, 0.0)
    Y = as_array(spread(vectors.T, used, A.shape[1]).T)
    return PsiSolution(rho, Y, value, float(gains.sum()) if lower is None else lower)

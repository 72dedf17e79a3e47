"""Minimise psi without a semidefinite solver: at a given rho, or for a given k at the best rho."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array, Indices, as_array, leading_eigenpair
from relaxspca.problem.gap import penalty_line
from relaxspca.relaxations.psi.barrier import Problem, ascend
from relaxspca.relaxations.psi.formula import repair
from relaxspca.relaxations.psi.penalty_search import Columns
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
    with one_thread(max(A.shape)):
        search = _PsiSearch(A, time_limit)
        active = search.order[search.norms > rho]
        if active.size == 0:
            return search.without_variables(rho, 0)
        if not search.deadline.allows(A.shape[0], times=NEWTON_STEP):
            return search.collinear(active, rho)
        return search.ascended(active, 0, rho, tol)


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
    with one_thread(max(A.shape)):
        search = _PsiSearch(A, time_limit, lower)
        largest = float(search.norms[0])
        if k == 1 or largest == 0:
            return search.without_variables(largest, k)  # the penalty of the largest variance gives the bound
        return search.ascended(search.order, k, None, tol)


class _PsiSearch:
    """A run for one factor, of a covariance in a unit near its own size, and its limits."""

    def __init__(self, A: Array, time_limit: float | None, wanted: float = -math.inf) -> None:
        self.A, self.deadline, self.wanted = A, Deadline.after(time_limit), wanted
        norms = np.einsum("ji,ji->i", A, A)
        self.order = np.argsort(-norms, kind="stable")
        self.norms = norms[self.order]

    def ascended(self, active: Indices, penalty: int, rho: float | None, tol: float) -> PsiSolution:
        """Search the matrix, and the penalty unless it is given; in the span of columns fewer than rows."""
        A = self.A[:, active]
        rows = None if active.size >= len(A) else np.linalg.qr(A)[0]
        columns = Columns(A if rows is None else rows.T @ A, self.norms[: active.size])
        problem = Problem(columns, penalty, rho)
        spectral, lower = ascend(problem, tol=tol, enough=self.wanted, deadline=self.deadline)
        used = active[spectral.active]
        vectors = spectral.vectors if rows is None else rows @ spectral.vectors
        Y = np.zeros_like(self.A)
        Y[:, used] = repair(self.A[:, used], vectors, spectral.rho)
        value = float(np.linalg.eigvalsh(Y[:, used] @ Y[:, used].T)[-1])
        return PsiSolution(spectral.rho, as_array(Y), value, lower)

    def without_variables(self, rho: float, k: int) -> PsiSolution:
        """Return the solution where no variable contributes."""
        return PsiSolution(rho, as_array(np.zeros_like(self.A)), 0.0, rho * k)

    def collinear(self, active: Indices, rho: float) -> PsiSolution:
        """Return the dual point of multiples of the columns themselves."""
        A, Y = self.A[:, active], np.zeros_like(self.A)
        used = A * np.sqrt(1 - rho / self.norms[: active.size])
        Y[:, active] = used
        value, x = leading_eigenpair(used @ used.T)
        gains = np.maximum((x @ A) ** 2 - rho, 0.0).sum()
        return PsiSolution(rho, as_array(Y), value, float(gains))

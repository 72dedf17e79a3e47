"""Minimise psi without a semidefinite solver: for a given k, at the best rho."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array, as_array
from relaxspca.problem.gap import penalty_line
from relaxspca.relaxations.psi.barrier import Problem, ascend
from relaxspca.relaxations.psi.formula import repair
from relaxspca.relaxations.psi.penalty_search import Columns
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.threads import one_thread


@dataclass(frozen=True, eq=False)
class PsiSolution:
    r"""A dual point of psi with upper and lower bounds on its optimum.

    Attributes
    ----------
    rho : penalty of a variable (variance).
    vectors : (r, n) y_i, feasible: :math:`y_iy_i'\succeq a_ia_i'-\rho I`; 0 where :math:`\|a_i\|^2\le\rho`.
    value : upper bound on psi(rho), in floating point.
    lower : lower bound on the minimum of psi(rho) + rho k over rho.
    """

    rho: float
    vectors: Array
    value: float
    lower: float

    def bound(self, k: int) -> float:
        """Return the bound on the variance of every support of at most k variables."""
        return penalty_line(self.value, self.rho, k)


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
    deadline = Deadline.after(time_limit)
    with one_thread(max(A.shape)):
        norms = np.einsum("ji,ji->i", A, A)
        order = np.argsort(-norms, kind="stable")
        largest, columns = float(norms[order[0]]), A[:, order]
        if k == 1 or largest == 0:
            # The penalty of the largest variance gives the bound: no variable contributes.
            return PsiSolution(largest, as_array(np.zeros_like(A)), 0.0, largest * k)
        # Columns that are fewer than the rows are written in an orthonormal basis.
        rows, columns = (None, columns) if A.shape[1] >= len(A) else np.linalg.qr(columns)
        ascent = ascend(
            Problem(Columns(columns, norms[order]), k),
            np.eye(len(columns)) / len(columns),
            largest / 2,
            tol=tol,
            deadline=deadline,
            enough=lambda upper: upper <= lower,
        )
        spectral = ascent.best.spectral
        used = order[spectral.active]
        vectors = spectral.vectors if rows is None else rows @ spectral.vectors
        Y = np.zeros_like(A)
        Y[:, used] = repair(A[:, used], vectors, spectral.rho)
        value = float(np.linalg.eigvalsh(Y[:, used] @ Y[:, used].T)[-1])
        return PsiSolution(spectral.rho, as_array(Y), value, ascent.lower)

"""Hand a cone program to Clarabel or SCS; what they return is a proposal, never a proof."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from relaxspca.errors import InputError
from relaxspca.runtime.deadline import Deadline

__all__ = ["ConicOutcome", "solve_cone_program"]

# Above this many scalar variables an interior-point step costs more than a first-order solve.
CLARABEL_LIMIT = 2500
SHORTEST = 1e-3  # seconds; a limit of 0 is no limit to SCS
SOLVERS = ("auto", "clarabel", "scs")


@dataclass(frozen=True)
class ConicOutcome:
    """What a solver made of a problem.

    Attributes
    ----------
    solver : str
        "clarabel" or "scs".
    status : str
        "solved", "inaccurate" (usable after repair) or "failed" (no values).
    value : float
        Objective value as the solver states it; nan when it failed.
    seconds : float
    """

    solver: str
    status: str
    value: float
    seconds: float

    @property
    def usable(self) -> bool:
        """Whether the problem's variables and duals now hold values."""
        return self.status != "failed"


def solve_cone_program(
    problem: Any, *, solver: str = "auto", tol: float = 1e-6, time_limit: float | None = None
) -> ConicOutcome:
    """Solve a cvxpy problem in place and say how that went.

    Parameters
    ----------
    problem : cvxpy.Problem
        Its variables and constraints hold the raw primal and dual values afterwards.
    solver : "auto" (Clarabel when the problem is small, SCS else), "clarabel" or "scs".
    tol : float
        Relative accuracy asked of the solver.
    time_limit : float, optional
        Seconds for the solver itself.

    Returns
    -------
    ConicOutcome

    Raises
    ------
    InputError
        `solver` is not known.

    Notes
    -----
    A solver that gives up or breaks is an outcome ("failed"), not an exception: every caller has a valid
    bound without it.

    Examples
    --------
    >>> import cvxpy as cp
    >>> x = cp.Variable()
    >>> outcome = solve_cone_program(cp.Problem(cp.Minimize(x), [x >= 2]))
    >>> outcome.status, round(outcome.value, 5)
    ('solved', 2.0)
    """
    import cvxpy as cp

    if solver not in SOLVERS:
        raise InputError(f"solver must be one of {', '.join(SOLVERS)}, not {solver!r}")
    if solver == "auto":
        small = problem.size_metrics.num_scalar_variables <= CLARABEL_LIMIT
        solver = "clarabel" if small else "scs"
    clock = Deadline.after(None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            problem.solve(solver=solver.upper(), **_options(solver, tol, time_limit))
        status = {cp.OPTIMAL: "solved", cp.OPTIMAL_INACCURATE: "inaccurate"}.get(problem.status, "failed")
    except (cp.error.SolverError, ValueError, ArithmeticError):
        status = "failed"
    value = float("nan") if status == "failed" else float(problem.value)
    return ConicOutcome(solver, status, value, clock.elapsed)


def _options(solver: str, tol: float, time_limit: float | None) -> dict[str, Any]:
    if solver == "clarabel":
        options = {"tol_gap_abs": tol, "tol_gap_rel": tol, "tol_feas": tol}
        return options if time_limit is None else options | {"time_limit": time_limit}
    options = {"eps_abs": tol, "eps_rel": tol, "max_iters": 100_000}
    return options if time_limit is None else options | {"time_limit_secs": max(time_limit, SHORTEST)}

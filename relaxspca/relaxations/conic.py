"""Solve a cone program with any solver of cvxpy; the solution is a proposal, never a proof."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any

from relaxspca.errors import InputError

# Above this many scalar variables an interior-point step costs more than a first-order solve.
CLARABEL_LIMIT = 2500
SET_UP = 2e-10  # seconds that SCS takes to factor, by the square of the number of scalar variables
SHORTEST = 1e-3  # seconds; a limit of 0 is no limit to SCS


def solve_cone_program(
    problem: Any,
    *,
    solver: str = "auto",
    tol: float | None = 1e-6,
    time_limit: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> float:
    """Solve a cvxpy problem in place and return the value that the solver states; nan where it failed.

    The solver is one of `cvxpy.installed_solvers()`; "auto" is Clarabel when the problem is small, SCS else.
    Relative accuracy and seconds are asked of these two; other solvers take them among the options, which are
    passed on unchanged and override both. The factorisation of SCS cannot be stopped: it is not begun where it
    is expected to take longer than the limit, and the value is nan. `InputError` says that no such solver is
    installed.

    Notes
    -----
    A solver that gives up or breaks is no exception: every caller has a valid bound without it. Values that a
    solver calls inaccurate are repaired like others.

    Examples
    --------
    >>> import cvxpy as cp
    >>> x = cp.Variable()
    >>> round(solve_cone_program(cp.Problem(cp.Minimize(x), [x >= 2])), 5)
    2.0
    """
    import cvxpy as cp

    check_solver(solver)
    solver = solver.lower()
    if solver == "auto":
        solver = "clarabel" if _size(problem) <= CLARABEL_LIMIT else "scs"
    if solver == "scs" and time_limit is not None and SET_UP * _size(problem) ** 2 > max(time_limit, 1.0):
        return math.nan
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given = _options(solver, tol, time_limit) | dict(options or {})
            problem.solve(solver=solver.upper(), **given)
    except (cp.error.SolverError, ValueError, ArithmeticError):
        return math.nan
    return float(problem.value) if problem.status in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE) else math.nan


def check_solver(solver: str) -> None:
    """Raise `InputError` unless the solver is "auto" or installed for cvxpy."""
    if solver in ("auto", "clarabel", "scs"):  # always installed; asking cvxpy takes time
        return
    import cvxpy as cp

    installed = [name.lower() for name in cp.installed_solvers()]
    if not isinstance(solver, str) or solver.lower() not in installed:
        raise InputError(
            f"solver must be auto or one that is installed ({', '.join(installed)}), not {solver!r}"
        )


def _size(problem: Any) -> int:
    return int(problem.size_metrics.num_scalar_variables)


def _options(solver: str, tol: float | None, time_limit: float | None) -> dict[str, Any]:
    if solver == "clarabel":
        names, limit, least = ["tol_gap_abs", "tol_gap_rel", "tol_feas"], "time_limit", 0.0
    elif solver == "scs":
        names, limit, least = ["eps_abs", "eps_rel"], "time_limit_secs", SHORTEST
    else:
        return {}
    options: dict[str, Any] = {} if tol is None else dict.fromkeys(names, tol)
    if solver == "scs" and tol is not None:
        options["max_iters"] = 100_000
    return options if time_limit is None else options | {limit: max(time_limit, least)}

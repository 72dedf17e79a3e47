"""Cone programs: solved by a solver of cvxpy, or written to a file; a solution is a proposal, never a proof."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.problem.arguments import as_covariance
from relaxspca.problem.covariance import Covariance
from relaxspca.results.claims import matrix_words
from relaxspca.results.tables import saved

# Above this many scalar variables an interior-point step costs more than a first-order solve.
CLARABEL_LIMIT = 2500
SET_UP = 2e-10  # seconds that SCS takes to factor, by the square of the number of scalar variables


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
    passed on unchanged and override both. Without time the value is nan; so it is where the factorisation of
    SCS, which cannot be stopped, is expected to take longer than the limit. `InputError` says that no such
    solver is installed.

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
    set_up = SET_UP * _size(problem) ** 2 if solver == "scs" else 0.0
    if time_limit is not None and (time_limit <= 0 or set_up > max(time_limit, 1.0)):
        return math.nan

    def unpack(answer: Any, *rest: Any) -> None:
        if solver == "scs" and answer["info"]["status"] == "interrupted":
            raise KeyboardInterrupt  # which SCS keeps to itself
        cp.Problem.unpack_results(problem, answer, *rest)

    problem.unpack_results = unpack
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given = _options(solver, tol, time_limit) | dict(options or {})
            problem.solve(solver=solver.upper(), **given)
    except (cp.error.SolverError, ValueError, ArithmeticError):
        return math.nan
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # Clarabel's; it cannot be imported
            raise
        return math.nan
    finally:
        del problem.unpack_results
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
        names, limit = ["tol_gap_abs", "tol_gap_rel", "tol_feas"], "time_limit"
    elif solver == "scs":
        names, limit = ["eps_abs", "eps_rel"], "time_limit_secs"
    else:
        return {}
    options: dict[str, Any] = {} if tol is None else dict.fromkeys(names, tol)
    if solver == "scs" and tol is not None:
        options["max_iters"] = 100_000
    return options if time_limit is None else options | {limit: time_limit}


def write_cbf(cov: Covariance, k: int, path: str | os.PathLike[str], *, relaxed: bool = False) -> None:
    r"""Write a mixed-integer semidefinite program whose optimum is v_k, as a CBF file.

    .. math::
        v_k = \max\ \langle\Sigma,X\rangle:\quad \mathrm{tr}X=1,\ X\succeq0,\ \textstyle\sum_iz_i\le k,\
        X_{ii}\le z_i,\ |X_{ij}|\le z_i/2\ (j\ne i),\ z\in\{0,1\}^n

    Parameters
    ----------
    cov : Covariance of n variables; the file has about 2n^2 rows.
    k : int, the cardinality, 1 to n.
    path : str or path
        Replaced as a whole; nothing half-written is left.
    relaxed : bool
        Leave out the integrality of z: relaxation (18) of Bertsimas, Cory-Wright and Pauphilet, for solvers
        of continuous programs.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n, or variables were eliminated.

    Notes
    -----
    The rows hold X_ij only where supports allow it, so X lives on the support and :math:`\langle\Sigma,X\rangle
    \le\lambda_{\max}(\Sigma_{TT})`; xx' with the indicator of the support attains it, for a 2 by 2 minor of
    :math:`X\succeq0` with trace at most 1 has :math:`|X_{ij}|\le1/2`. Numbers are written with 17 digits: they
    are read back as the same floats. Variables are numbered as in `cov.names`, from 0.

    References
    ----------
    .. [1] H. A. Friberg, CBLIB 2014: a benchmark library for conic mixed-integer and continuous optimization,
       Mathematical Programming Computation 8, 2016 (the format).
    .. [2] D. Bertsimas, R. Cory-Wright and J. Pauphilet, JMLR 23, 2022, equation (18).

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "two.cbf"
    >>> write_cbf(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1, file)
    >>> file.read_text().splitlines()[2:6]
    ['VER', '4', '', 'OBJSENSE']
    """
    cov = as_covariance(cov)
    k = cov.check_cardinality(k)
    cov.check_complete("write_cbf")
    saved("".join(f"{line}\n" for line in _lines(cov, k, relaxed)), path)


def _lines(cov: Covariance, k: int, relaxed: bool) -> Iterator[str]:
    """Yield the lines of the file; its rows are the trace, the sum of z, then the bounds by z_i."""
    n, Sigma = cov.n, cov.matrix
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    yield f"# best component of {k} of {n} variables: {matrix_words(cov)}"
    yield f"# digest of the matrix: {cov.digest}"
    yield from ("VER", "4", "", "OBJSENSE", "MAX", "", "PSDVAR", "1", str(n), "")
    yield from ("VAR", f"{n} 1", f"L+ {n}", "")
    if not relaxed:
        yield from ("INT", str(n), *map(str, range(n)), "")
    # trace, -sum z + k >= 0 and 1 - z_i >= 0, z_i - X_ii >= 0, z_i/2 -+ X_ij >= 0.
    yield from ("CON", f"{2 + 2 * n + 2 * len(pairs)} 2", "L= 1", f"L+ {1 + 2 * n + 2 * len(pairs)}", "")
    yield from _section("OBJFCOORD", (f"0 {i} {j} {Sigma[i, j]!s}" for i, j in np.argwhere(np.tril(Sigma))))
    rows = [(0, i, i, 1.0) for i in range(n)] + [(2 + n + i, i, i, -1.0) for i in range(n)]
    linear = [(1, i, -1.0) for i in range(n)] + [(2 + i, i, -1.0) for i in range(n)]
    linear += [(2 + n + i, i, 1.0) for i in range(n)]
    for at, (i, j) in enumerate(pairs):
        first = 2 + 2 * n + 2 * at
        # A coefficient of the lower triangle counts for both halves of X.
        rows += [(first, max(i, j), min(i, j), -0.5), (first + 1, max(i, j), min(i, j), 0.5)]
        linear += [(first, i, 0.5), (first + 1, i, 0.5)]
    yield from _section("FCOORD", (f"{row} 0 {i} {j} {value}" for row, i, j, value in rows))
    yield from _section("ACOORD", (f"{row} {i} {value}" for row, i, value in linear))
    yield from _section("BCOORD", [f"0 {-1.0}", f"1 {float(k)}", *(f"{2 + i} {1.0}" for i in range(n))])


def _section(name: str, lines: Iterator[str] | list[str]) -> Iterator[str]:
    entries = list(lines)
    yield from (name, str(len(entries)), *entries, "")

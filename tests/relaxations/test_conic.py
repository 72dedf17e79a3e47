import math

import cvxpy as cp
import numpy as np
import pytest

from relaxspca import InputError
from relaxspca.relaxations.conic import solve_cone_program


def eigenvalue_problem(n):
    S = np.random.default_rng(0).normal(size=(n, n))
    S = S + S.T
    X = cp.Variable((n, n), PSD=True)
    return cp.Problem(cp.Maximize(cp.trace(S @ X)), [cp.trace(X) == 1])


def test_auto_gives_large_problems_to_scs():
    x = cp.Variable(3000)
    problem = cp.Problem(cp.Minimize(cp.sum(x)), [x >= 1])
    solve_cone_program(problem)
    assert problem.solver_stats.solver_name == "SCS"


@pytest.mark.parametrize("solver", ["clarabel", "scs"])
def test_an_infeasible_problem_has_no_value(solver):
    x = cp.Variable()
    assert math.isnan(solve_cone_program(cp.Problem(cp.Minimize(x), [x >= 1, x <= 0]), solver=solver))


def test_a_time_limit_may_leave_no_value():
    assert math.isnan(solve_cone_program(eigenvalue_problem(30), solver="clarabel", time_limit=1e-9))


def test_unknown_solver_is_named():
    with pytest.raises(InputError, match="'gurobi'"):
        solve_cone_program(eigenvalue_problem(2), solver="gurobi")

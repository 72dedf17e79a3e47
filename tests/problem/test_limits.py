"""What a caller may get wrong at the door: one InputError that says what to write instead."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.problem.arguments import check_limits

COV = rs.datasets.load_pitprops()
DOORS = {
    "solve": lambda S: rs.solve(S, 5),
    "solve at a penalty": lambda S: rs.solve(S, rho=0.2),
    "certify": lambda S: rs.certify(S, [0, 1]),
    "path": lambda S: rs.path(S, k=[2]),
    "path of penalties": lambda S: rs.path(S, rho=0.2),
    "candidate": lambda S: rs.candidate(S, 5),
    "components": lambda S: rs.components(S, 5),
    "psi": lambda S: rs.psi(S, 0.2),
    "upper_bound": lambda S: rs.upper_bound(S, 5),
    "compare": lambda S: rs.compare(S, 5),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_bare_matrix_is_told_what_to_become(door):
    S = np.array(COV.matrix)
    wrong = [S, S.tolist(), None]
    try:
        import pandas
    except ImportError:
        pass
    else:
        wrong.append(pandas.DataFrame(S))
    for matrix in wrong:
        with pytest.raises(rs.InputError, match=r"Covariance\.from_data\(X\) for observations"):
            DOORS[door](matrix)


@pytest.mark.parametrize(
    "limits",
    [
        {"k": None}, {"rho": 0.1}, {"k": 0}, {"k": 14}, {"k": 2.5}, {"k": True},
        *({"k": None, "rho": rho} for rho in (-1.0, np.nan, np.inf)), {"gap": -0.1}, {"gap": np.nan},
        {"node_limit": 1.5}, {"node_limit": -1}, {"node_limit": "3"}, {"node_limit": True},
        {"time_limit": "1"}, {"time_limit": -1.0}, {"time_limit": np.nan}, {"gap": "0"}, {"gap": None},
        {"n_jobs": 0},
        {"n_jobs": "2"}, {"n_jobs": 1.5}, {"start": "greedy"}, {"start": [0, 1]},
        {"start": rs.Candidate.empty(COV)}, {"gap": 10**400},
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_argument_of_solve_is_an_input_error(limits):
    with pytest.raises(rs.InputError):
        rs.solve(COV, **({"k": 5} | limits))


@pytest.mark.parametrize(
    "call",
    [
        lambda: rs.certify(COV, [0, 1], tol="a"),
        lambda: rs.solve(COV, rho=10**400),
        lambda: rs.path(COV, k=[2], tol="a"),
        lambda: rs.path(COV, k=[2], time_limit="1"),
        lambda: rs.candidate(COV, 5, method=["greedy"]),
        lambda: rs.compare(COV, 5, methods=[["greedy"]]),
        lambda: rs.upper_bound(COV, 5, relaxation=["psi"]),
        lambda: rs.compare(COV, 5, time_limit="1"),
        lambda: rs.psi(COV, 0.2, tol="a"),
        lambda: rs.psi(COV, 0.2, time_limit=-1),
    ],
)
def test_wrong_parameters_elsewhere(call):
    with pytest.raises(rs.InputError):
        call()


def test_right_limits_pass():
    check_limits(gap=0, time_limit=np.float32(1.5))
    check_limits(time_limit=None)
    for whole in (0, np.int64(7), None):
        check_limits(node_limit=whole)
    for jobs in (None, -1, np.int32(2)):
        check_limits(n_jobs=jobs)


@pytest.mark.parametrize("target", [{"k": 5}, {"rho": 0.2}])
def test_a_start_from_another_matrix_is_evaluated_on_this_one(target):
    other = rs.Covariance(100 * COV.matrix)
    start = rs.candidate(other, 5)
    found = rs.solve(COV, **target, start=start, node_limit=0)
    assert found.candidate.value == pytest.approx(start.value / 100)
    assert found.lower <= found.upper
    x = found.candidate.loadings
    assert found.candidate.value == pytest.approx(float(x @ COV.matrix @ x))


@pytest.mark.parametrize(
    "call",
    [
        lambda told: rs.solve(COV, 6, callback=told),
        lambda told: rs.components(COV, 3, 2, joint=True, common=True, callback=told),
        lambda told: rs.components(COV, [3, 3], joint=True, callback=told),
        lambda told: rs.solve(COV, 3, groups={"size": ["topdiam", "length"]}, callback=told),
        lambda told: rs.solve(COV, 3, nonnegative=True, callback=told),
        lambda told: rs.near_optimal(COV, 3, callback=told),
        lambda told: rs.generalized(COV, np.eye(13), 3, callback=told),
    ],
)
def test_a_callback_is_a_function(call):
    with pytest.raises(rs.InputError, match="callback must be a function of a Progress, not 3"):
        call(3)

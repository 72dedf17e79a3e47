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


def test_right_limits_pass():
    check_limits(gap=0, time_limit=np.float32(1.5))
    check_limits(time_limit=None)
    for whole in (0, np.int64(7), None):
        check_limits(node_limit=whole)


@pytest.mark.parametrize("target", [{"k": 5}, {"rho": 0.2}])
def test_a_start_from_another_matrix_is_evaluated_on_this_one(target):
    other = rs.Covariance(100 * COV.matrix)
    start = rs.candidate(other, 5)
    found = rs.solve(COV, **target, start=start, node_limit=0)
    assert found.candidate.value == pytest.approx(start.value / 100)
    assert found.lower <= found.upper
    x = found.candidate.loadings
    assert found.candidate.value == pytest.approx(float(x @ COV.matrix @ x))

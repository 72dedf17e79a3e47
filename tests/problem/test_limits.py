"""What a caller may get wrong at the door: one InputError that says what to write instead."""

import numpy as np
import pytest
from tasks.test_zero_matrix import VERBS

import relaxspca as rs

COV = rs.datasets.load_pitprops()
DOORS = [
    "solve", "solve, penalised", "certify", "path", "path of penalties", "candidate", "components", "psi",
    "upper_bound", "compare",
]  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_a_bare_matrix_is_told_what_to_become(door):
    S = np.array(COV.matrix)
    for matrix in (S, S.tolist(), None):
        with pytest.raises(rs.InputError, match=r"Covariance\.from_data\(X\) for observations"):
            VERBS[door](matrix)


@pytest.mark.parametrize("target", [{"k": 5}, {"rho": 0.2}])
def test_a_start_from_another_matrix_is_evaluated_on_this_one(target):
    other = rs.Covariance(100 * COV.matrix)
    start = rs.candidate(other, 5)
    found = rs.solve(COV, **target, start=start, node_limit=0)
    assert found.candidate.value == pytest.approx(start.value / 100)
    assert found.lower <= found.upper
    x = found.candidate.loadings
    assert found.candidate.value == pytest.approx(float(x @ COV.matrix @ x))

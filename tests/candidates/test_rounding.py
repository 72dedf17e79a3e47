import numpy as np
import pytest

from relaxspca import Candidate, InputError
from relaxspca.candidates.rounding import supports_at_penalty
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations.psi.minimise import minimise


def test_rank_one_matrix_gives_its_own_support():
    cov = load_pitprops()
    best = Candidate.from_support(cov, [0, 1, 6, 8, 9])
    x = cov.factor @ best.loadings
    X = np.outer(x, x) / (x @ x)
    scores = (cov.factor.T @ x) ** 2 / (x @ x)
    supports = supports_at_penalty(cov, np.sort(scores)[-5] * 0.999, X)
    assert [support.tolist() for support in supports] == [[0, 1, 6, 8, 9]]


def test_penalised_supports_come_close_to_psi():
    cov = load_pitprops()
    rho = 0.2
    solution = minimise(cov.factor, rho)
    values = [
        Candidate.from_support(cov, support).value - rho * support.size
        for support in supports_at_penalty(cov, rho, solution.X)
    ]
    assert 0.99 * solution.value <= max(values) <= solution.value


def test_size_of_the_matrix_is_checked():
    with pytest.raises(InputError, match="13 rows"):
        supports_at_penalty(load_pitprops(), 0.1, np.eye(4))

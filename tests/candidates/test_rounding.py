import numpy as np
import pytest

from relaxspca import Candidate, Covariance, InputError
from relaxspca.candidates.rounding import round_matrix, supports_at_penalty
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations.psi.minimise import bound, minimise


def test_optimal_wherever_psi_is_tight_on_pitprops():
    cov = load_pitprops()
    for k, optimum in ((7, 3.9961896449), (9, 4.1386469071), (11, 4.2082759543)):
        found = round_matrix(cov, k, bound(cov.factor, k).X)
        assert found.value == pytest.approx(optimum, abs=1e-9)
        assert found.indices.size == k


def test_draws_only_help_and_are_repeatable():
    rng = np.random.default_rng(1)
    cov = Covariance.from_factor(rng.normal(size=(8, 20)))
    X = bound(cov.factor, 4, tol=1e-2).X
    values = [round_matrix(cov, 4, X, draws=draws).value for draws in (0, 64)]
    assert values[0] <= values[1] <= bound(cov.factor, 4).bound(4)
    again = round_matrix(cov, 4, X, rng=np.random.default_rng(0))
    assert again.indices.tolist() == round_matrix(cov, 4, X).indices.tolist()


def test_rank_one_matrix_gives_its_own_support():
    cov = load_pitprops()
    best = Candidate.from_support(cov, [0, 1, 6, 8, 9])
    x = cov.factor @ best.loadings
    X = np.outer(x, x) / (x @ x)
    assert round_matrix(cov, 5, X, draws=5).indices.tolist() == [0, 1, 6, 8, 9]
    scores = (cov.factor.T @ x) ** 2 / (x @ x)
    supports = supports_at_penalty(cov, np.sort(scores)[-5] * 0.999, X, draws=5)
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
        round_matrix(load_pitprops(), 3, np.eye(4))

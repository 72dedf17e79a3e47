import itertools

import numpy as np
import pytest

from relaxspca import Covariance, DataWarning
from relaxspca.candidates.floating_search import floating_search
from relaxspca.candidates.greedy import greedy


def test_swings_gain_over_greedy_from_the_same_start():
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(60):
        cov = Covariance.from_data(rng.normal(size=(12, 14)), correlation=True)
        k, first = int(rng.integers(2, 14)), int(np.argmax(cov.diagonal))
        gains.append(floating_search(cov, k).value / greedy(cov, k, starts=[first]).value)
    assert np.mean(gains) > 1.01
    assert np.mean(np.array(gains) >= 1 - 1e-12) > 0.8


def test_the_start_can_be_chosen():
    # Two blocks: from variable 0 the small one is never left, even though it is worse.
    Sigma = np.kron(np.eye(2), np.ones((3, 3))) * np.repeat([1.0, 2.0], 3)
    cov = Covariance(Sigma)
    assert floating_search(cov, 3, start=0).indices.tolist() == [0, 1, 2]
    assert floating_search(cov, 3).indices.tolist() == [3, 4, 5]


@pytest.mark.parametrize("S", [-np.eye(7), -np.eye(7) - 0.5, np.diag([0.0, 0, 0, -1, -1, -1, -1])])
def test_swings_end_where_all_values_are_negative_and_equal(S):
    with pytest.warns(DataWarning, match="not positive semidefinite"):
        cov = Covariance(S)
    for k in range(1, 8):
        best = max(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] for T in itertools.combinations(range(7), k))
        assert floating_search(cov, k).value == pytest.approx(best)

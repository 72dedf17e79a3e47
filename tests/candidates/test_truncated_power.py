import numpy as np
import pytest

from relaxspca import Covariance
from relaxspca.candidates.truncated_power import power_iterations, truncated_power
from relaxspca.datasets import load_pitprops


def test_variance_never_decreases():
    rng = np.random.default_rng(4)
    for _ in range(40):
        X = rng.normal(size=(int(rng.integers(1, 15)), 12))
        k = int(rng.integers(1, 13))
        starts = rng.normal(size=(12, 5))
        last = power_iterations(Covariance(X.T @ X), k, starts)
        first = np.where(np.argsort(np.argsort(-np.abs(starts), axis=0), axis=0) < k, starts, 0.0)
        variance = [np.linalg.norm(X @ V, axis=0) / np.linalg.norm(V, axis=0) for V in (first, last)]
        assert np.all(variance[1] >= variance[0] * (1 - 1e-12))
        assert np.all(np.count_nonzero(last, axis=0) <= k)
        assert np.linalg.norm(last, axis=0) == pytest.approx(np.ones(5))


def test_an_indefinite_matrix_is_shifted_so_that_the_iterations_still_climb():
    with pytest.warns(UserWarning, match="not positive semidefinite"):
        cov = Covariance([[1.0, 3.0, 0.0], [3.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    start = np.array([1.0, -0.9, 0.0])
    x = power_iterations(cov, 2, np.array([[1.0], [-0.9], [0.5]]))[:, 0]
    assert x @ cov.matrix @ x >= start @ cov.matrix @ start / (start @ start)


def test_pitprops_optima_of_every_cardinality_but_one():
    values = [truncated_power(load_pitprops(), k).value for k in (5, 7, 10)]
    assert values == pytest.approx([3.4061549468, 3.9961896449, 4.1726376616], abs=1e-9)

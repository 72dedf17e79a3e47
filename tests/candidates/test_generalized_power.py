import numpy as np
import pytest

from relaxspca import Covariance
from relaxspca.candidates.generalized_power import generalized_power, single_unit
from tests.small_covariances import random_covariance


def objective(c, level, penalty):
    return np.maximum(c**2 - level if penalty == "l0" else np.abs(c) - level, 0.0) @ (
        np.ones(len(c)) if penalty == "l0" else np.maximum(np.abs(c) - level, 0.0)
    )


@pytest.mark.parametrize("penalty", ["l0", "l1"])
def test_the_objective_climbs_and_ends_at_a_fixed_point(penalty):
    rng = np.random.default_rng(0)
    for _ in range(40):
        cov = random_covariance(rng, 10, int(rng.integers(4, 15)))
        gamma = rng.uniform(0, 0.9)
        z = single_unit(cov, gamma, penalty=penalty, tol=1e-12)
        # Written in data space: z is proportional to the gradient at x = A z / |A z|.
        A = cov.factor
        x = A @ z / np.linalg.norm(A @ z)
        c = A.T @ x
        level = gamma * cov.diagonal.max() ** (1.0 if penalty == "l0" else 0.5)
        w = c * (c**2 > level) if penalty == "l0" else np.sign(c) * np.maximum(np.abs(c) - level, 0)
        assert np.abs(z @ w) / np.linalg.norm(w) == pytest.approx(1.0, abs=1e-6)
        first = int(np.argmax(cov.diagonal))
        start = cov.matrix[first] / np.sqrt(cov.diagonal[first])
        assert objective(c, level, penalty) >= objective(start, level, penalty) * (1 - 1e-10)


def test_a_skipped_cardinality_is_said():
    # Two identical pairs: the pattern has 2 or 4 variables, never 3.
    a, b = np.array([1.0, 1.0, 0, 0]), np.array([0, 0, 1.0, 1.0])
    cov = Covariance(4 * np.outer(a, a) + np.outer(b, b) + np.outer(a, b) + np.outer(b, a))
    found = generalized_power(cov, 3)
    assert len(found.indices) == 3
    assert found.method.startswith("generalized_power_l0 (k = 3 skipped")
    assert generalized_power(cov, 2).method == "generalized_power_l0"

import numpy as np
import pytest

from relaxspca import Covariance, InputError
from relaxspca.candidates.generalized_power import block_patterns, filled, generalized_power, single_unit
from relaxspca.datasets import load_pitprops


def random_covariance(rng):
    X = rng.normal(size=(int(rng.integers(4, 15)), 10))
    return Covariance(X.T @ X)


@pytest.mark.parametrize("penalty", ["l0", "l1"])
def test_the_objective_climbs_and_ends_at_a_fixed_point(penalty):
    rng = np.random.default_rng(0)
    for _ in range(40):
        cov = random_covariance(rng)
        gamma = rng.uniform(0, 0.9)
        z, history = single_unit(cov, gamma, penalty=penalty, tol=1e-12)
        assert np.all(np.diff(history) >= -1e-10 * history[-1])
        # Written in data space: z is proportional to the gradient at x = A z / |A z|.
        A = cov.factor
        x = A @ z / np.linalg.norm(A @ z)
        c = A.T @ x
        level = gamma * cov.diagonal.max() ** (1.0 if penalty == "l0" else 0.5)
        w = c * (c**2 > level) if penalty == "l0" else np.sign(c) * np.maximum(np.abs(c) - level, 0)
        assert np.abs(z @ w) / np.linalg.norm(w) == pytest.approx(1.0, abs=1e-6)


def test_the_l0_objective_bounds_the_penalised_problem_from_below_and_meets_it_at_a_good_start():
    cov = load_pitprops()
    for gamma in (0.3, 0.5, 0.9):
        _, history = single_unit(cov, gamma, penalty="l0", tol=1e-12)
        z, _ = single_unit(cov, gamma, penalty="l0", tol=1e-12)
        support = np.flatnonzero(z)
        fitted = np.linalg.eigvalsh(cov.submatrix(support))[-1] - gamma * len(support)
        assert history[-1] <= fitted + 1e-9


@pytest.mark.parametrize("penalty", ["l0", "l1"])
def test_the_block_objective_climbs(penalty):
    rng = np.random.default_rng(1)
    for _ in range(20):
        cov = random_covariance(rng)
        Z, history = block_patterns(
            cov, np.full(3, 0.1), weights=np.array([1.0, 0.8, 0.6]), penalty=penalty, rng=rng
        )
        assert np.all(np.diff(history) >= -1e-9 * abs(history[-1]))
        norms = np.linalg.norm(Z, axis=0)
        assert norms[norms > 0] == pytest.approx(1.0)
        assert norms[0] == pytest.approx(1.0)


def test_pattern_filling_keeps_the_pattern_and_is_the_leading_eigenvector_for_one_unit():
    cov = load_pitprops()
    z, _ = single_unit(cov, 0.4, penalty="l1")
    support = np.flatnonzero(z)
    best = filled(cov, z[:, None])[:, 0]
    assert np.array_equal(np.flatnonzero(best), support)
    assert best @ cov.matrix @ best == pytest.approx(np.linalg.eigvalsh(cov.submatrix(support))[-1])
    Z, _ = block_patterns(cov, np.full(2, 0.3), penalty="l1", weights=np.array([1.0, 0.7]))
    F = filled(cov, Z)
    assert not F[Z == 0].any()

    def fit(V):
        return np.linalg.svd(cov.factor @ V, compute_uv=False).sum()

    assert fit(F) >= fit(Z) - 1e-9


def test_a_skipped_cardinality_is_said():
    # Two identical pairs: the pattern has 2 or 4 variables, never 3.
    a, b = np.array([1.0, 1.0, 0, 0]), np.array([0, 0, 1.0, 1.0])
    cov = Covariance(4 * np.outer(a, a) + np.outer(b, b) + np.outer(a, b) + np.outer(b, a))
    found = generalized_power(cov, 3)
    assert len(found.indices) == 3
    assert found.method.startswith("generalized_power_l0 (k = 3 skipped")
    assert generalized_power(cov, 2).method == "generalized_power_l0"


def test_unknown_penalty_is_named():
    with pytest.raises(InputError, match="l2"):
        generalized_power(load_pitprops(), 3, penalty="l2")

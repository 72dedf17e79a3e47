import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st
from small_covariances import draw, optimum

from relaxspca import Covariance
from relaxspca.certificate.points import FactorPoint
from relaxspca.relaxations.psi.formula import evaluate, feasible, psi_point, upper_bound
from relaxspca.relaxations.psi.minimise import bound

SEEDS = st.integers(0, 10**6)


KINDS = ["wishart", "correlation", "rank_deficient", "tied", "duplicated", "with_zero_columns", "badly_scaled"]


def random_point(rng, r):
    L = rng.normal(size=(r, int(rng.integers(1, r + 1))))
    X = L @ L.T + (1e-8 if rng.random() < 0.5 else 1e-30) * np.eye(r)
    return X / np.trace(X)


@examples(150)
@given(seed=SEEDS, share=st.sampled_from([0.0, 1e-6, 0.01, 0.3, 0.9, 1.0]), kind=st.sampled_from(KINDS))
def test_every_point_bounds_every_support(seed, share, kind):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    cov = Covariance.from_factor(Covariance(draw(kind, rng, n)).factor)
    Sigma = cov.matrix
    at = evaluate(random_point(rng, cov.rank), cov.factor, share * cov.diagonal.max())
    Y = np.zeros_like(cov.factor)
    Y[:, at.active] = at.vectors
    # Vectors that are not feasible must be repaired inside the bound.
    Y = Y * rng.uniform(0.5, 1.1, size=n) if rng.random() < 0.5 else Y
    point = FactorPoint(np.arange(n), at.rho, Y)
    for k in range(1, n + 1):
        upper = upper_bound(cov, point, k)
        assert upper >= optimum(Sigma, k) - 1e-14 * np.trace(Sigma)


def test_point_of_a_matrix_carries_its_factor_and_charges_its_residual(cov):
    solution = bound(cov.factor, 5)
    point = psi_point(cov, np.arange(13), solution.rho, solution.vectors)
    exact = upper_bound(cov, point, 5)
    assert exact == pytest.approx(solution.bound(5), rel=1e-10)
    rough = FactorPoint(point.variables, point.rho, point.vectors, factor=np.round(cov.factor, 3), shift=0.0)
    assert upper_bound(cov, rough, 5) > exact + 1e-4


def test_shift_of_an_indefinite_matrix_is_taken_off():
    Sigma = np.array([[1.0, 1.5], [1.5, 1.0]])
    with pytest.warns(UserWarning, match="semidefinite"):
        cov = Covariance(Sigma)
    solution = bound(cov.factor, 2, tol=1e-9)
    point = psi_point(cov, [0, 1], solution.rho, solution.vectors)
    assert 2.5 <= upper_bound(cov, point, 2) <= 2.5 * (1 + 1e-7)


@pytest.mark.parametrize("p", [-295, 0, 295])
def test_vectors_that_are_not_feasible_are_no_proof_in_any_unit(p):
    # Three equal columns and short vectors across them, for which the formula would give 2.1 < v_3 = 3.
    A = np.array([[1.0, 1.0, 1.0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]) * 2.0**p
    Y = np.vstack([np.zeros(3), np.sqrt(0.6) * np.eye(3)]) * 2.0**p
    point = FactorPoint(range(3), float(np.ldexp(0.5, 2 * p)), Y)
    assert np.ldexp(upper_bound(Covariance.from_factor(A), point, 3), -2 * p) >= 3.0
    with np.errstate(over="ignore"):
        assert not feasible(A, Y, point.rho).any()

"""The certified loss bound: never above any encoder's loss, tight where it can be."""

import itertools

import numpy as np
import pytest
from scipy.linalg import eigh
from small_covariances import optimum, random_covariance

from relaxspca import Covariance
from relaxspca.encoders import batch_encoder, iterative_encoder, optimal_encoder
from relaxspca.encoders.optimal import _radius, ratio_upper, shifted_square, sparse_eigenvalue_floor
from relaxspca.numerics.linalg import eigenvalue_upper
from relaxspca.relaxations.perron import formula as perron


def best_ratio(Sigma, r):
    square = Sigma @ Sigma
    blocks = (np.ix_(c, c) for c in itertools.combinations(range(len(Sigma)), r))
    return max(eigh(square[b], Sigma[b], eigvals_only=True)[-1] for b in blocks)


def ratio_by(bound, cov, r, g):
    matrix, radius = shifted_square(cov, g)
    return ratio_upper(cov, r, g, bound(Covariance(matrix), r) + radius)


@pytest.mark.parametrize("r", [1, 2, 4])
def test_any_bound_at_any_shift_gives_a_valid_ratio(r):
    for seed in range(10):
        cov = random_covariance(np.random.default_rng(seed), 6, 8)
        best = best_ratio(cov.matrix, r)
        rng = np.random.default_rng(seed)
        P, N = rng.standard_normal((6, 6)), rng.uniform(0.0, 3.0, (6, 6))
        point = perron.perron_point(np.arange(6), P + P.T, N)
        bounds = (
            lambda M, k: eigenvalue_upper(M.matrix),
            lambda M, k: optimum(M.matrix, k),
            lambda M, k, point=point: perron.upper_bound(M, point, k),
        )
        for g, bound in itertools.product((0.0, 0.7 * best, best, 2.0 * best), bounds):
            assert ratio_by(bound, cov, r, g) >= best * (1 - 1e-12)
    # An exact v_r at the optimal shift gives the optimal ratio back.
    exact = ratio_by(bounds[1], cov, r, best * (1 + 1e-9))
    assert np.isclose(exact, best, rtol=1e-8)


def test_no_encoder_goes_below_and_the_bound_scales():
    cov = random_covariance(np.random.default_rng(99), 8, 10)
    for r in (2, 3, 5):
        proved = optimal_encoder(cov, r).loss_lower
        for encode in (batch_encoder, iterative_encoder):
            assert encode(cov, 1, r).loss >= proved
        scaled = optimal_encoder(Covariance(1e4 * cov.matrix), r).loss_lower
        assert np.isclose(scaled, 1e4 * proved, rtol=1e-4)


def test_symmetric_witness_is_bounded_tightly():
    X = np.vstack([np.ones((1, 6)), np.eye(6)])  # the witness of Theorem 8
    proved = optimal_encoder(Covariance(X.T @ X), 2)
    assert proved.loss_lower == pytest.approx((1 + 4 / (5 * 3)) * proved.optimum, rel=1e-5)


def test_wide_data_keep_a_valid_bound():
    A = np.random.default_rng(0).standard_normal((4, 7))
    for cov in (Covariance.from_factor(A), Covariance(A.T @ A)):
        for r in (2, 3):
            least = np.trace(cov.matrix) - best_ratio(cov.matrix, r)
            assert optimal_encoder(cov, r).loss_lower <= least * (1 + 1e-12)


def test_sparse_eigenvalue_floor_is_a_floor():
    for seed in range(50):
        Sigma = random_covariance(np.random.default_rng(seed), 6, 8).matrix
        deviations = np.sqrt(np.diag(Sigma))
        cov = Covariance(Sigma / np.outer(deviations, deviations))
        for r in (1, 2, 3, 6):
            least = -optimum(-cov.matrix, r)
            assert 0.0 <= sparse_eigenvalue_floor(cov, r) <= least + 1e-14
        assert np.isclose(sparse_eigenvalue_floor(cov, 2), -optimum(-cov.matrix, 2))


def test_a_matrix_that_is_indefinite_by_rounding_is_bounded_with_what_makes_it_semidefinite():
    Sigma = np.ones((2, 2))
    Sigma[1, 1] -= 2.0**-53
    # The determinant is -2^-53 and the trace below 2, so that the least eigenvalue is below -2^-55.
    assert _radius(Covariance(Sigma)) >= 2.0**-55
    assert _radius(Covariance.from_factor([[1.0, 1.0]])) < 2.0**-40

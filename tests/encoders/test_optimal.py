"""The optimal one-factor encoder and the bound that proves it, against brute force and published values."""

import itertools

import numpy as np
import pytest
from enumeration import largest_ratio
from small_covariances import optimum, random_covariance

from relaxspca import Covariance
from relaxspca.checker import verify
from relaxspca.columns import best_rank_k_in_span, exchange_columns
from relaxspca.encoders import batch_encoder, encoder_loss, iterative_encoder, optimal_encoder
from relaxspca.encoders.optimal import _radius, ratio_upper, shifted_square, sparse_eigenvalue_floor
from relaxspca.numerics.linalg import eigenvalue_upper


@pytest.mark.parametrize(("r", "published"), [(1, 1.095771), (2, 1.036157), (3, 1.021210)])
def test_published_losses_are_proved_optimal_and_the_proof_is_verified(r, published, cov):
    best = optimal_encoder(cov, r)
    assert best.status == "optimal"
    assert best.normalised_loss == pytest.approx(published, abs=1e-6)
    assert best.loss_lower <= best.loss <= best.loss_lower * (1 + 1.1e-6)
    assert verify(best.certificate)
    scaled = optimal_encoder(Covariance(1e4 * cov.matrix), r)
    assert scaled.loss_lower == pytest.approx(1e4 * best.loss_lower, rel=1e-4)
    if r > 1:  # one factor: batch and iterative reach the least loss on this matrix
        found = (batch_encoder(cov, 1, 2), iterative_encoder(cov, 1, 3))[r - 2]
        assert found.normalised_loss == pytest.approx(published, abs=1e-6)


@pytest.mark.parametrize("seed", [20, 42])
def test_a_local_optimum_of_the_exchange_is_left(seed):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((11, 8)) * rng.uniform(0.3, 2.0, 8)
    cov = Covariance(A.T @ A)
    exchanged = best_rank_k_in_span(cov, exchange_columns(cov, 1, 3), 1).loss
    best = optimal_encoder(cov, 3)
    least = min(best_rank_k_in_span(cov, c, 1).loss for c in itertools.combinations(range(8), 3))
    assert exchanged > least * 1.001
    assert best.status == "optimal"
    assert np.isclose(best.loss, least)


@pytest.mark.parametrize(("told", "status"), [({"time_limit": 0.0}, "open"), ({"gap": 0.5}, "within the gap")])
def test_a_wide_gap_is_not_called_optimal(told, status, cov):
    best = optimal_encoder(cov, 4, **told)
    assert best.gap > 1e-3
    assert best.status == status


def test_losses_have_their_digits_where_variables_differ_in_scale():
    best = optimal_encoder(Covariance([[1e12, 9e4], [9e4, 1e-2]]), 2)
    assert best.loss == pytest.approx(1e-2 - 9e4**2 / 1e12, rel=1e-9)  # the least eigenvalue, to sixteen digits
    assert "100 % kept" not in str(best)
    X = np.random.default_rng(0).normal(size=(30, 6)) * [1, 1, 1, 1e-6, 1e-7, 1]
    S, H = Covariance(X.T @ X), np.eye(6)[:, 3:5]  # of the small ones
    for k, r in ((1, 2), (2, 3)):
        assert batch_encoder(S, k, r).loss == pytest.approx(batch_encoder(X, k, r).loss, rel=1e-12)
    small = Covariance([[1.0, 1e-9, 0.5], [1e-9, 1e-20, 0.0], [0.5, 0.0, 1.0]])  # which are rounding errors
    assert batch_encoder(small, 1, 2).total == pytest.approx(2.0, rel=1e-12)
    assert encoder_loss(S, H) == pytest.approx(encoder_loss(X, H), rel=1e-9)
    assert encoder_loss(X, H) == pytest.approx(np.square(X - X[:, 3:5] @ np.linalg.pinv(X[:, 3:5]) @ X).sum())


@pytest.mark.parametrize("r", [1, 2, 4])
def test_any_bound_at_any_shift_gives_a_valid_ratio(r):
    for seed in range(10):
        cov = random_covariance(np.random.default_rng(seed), 6, 8)
        best = largest_ratio(cov.matrix @ cov.matrix, cov.matrix, r)
        for g in (0.0, 0.7 * best, best, 2.0 * best, best * (1 + 1e-9)):
            matrix, radius = shifted_square(cov, g)
            for excess in (optimum(matrix, r), eigenvalue_upper(matrix)):
                assert ratio_upper(cov, r, g, excess + radius) >= best * (1 - 1e-12)
        # An exact v_r at the optimal shift gives the optimal ratio back.
        assert np.isclose(ratio_upper(cov, r, g, optimum(matrix, r) + radius), best, rtol=1e-8)


def test_symmetric_witness_is_bounded_tightly():
    X = np.vstack([np.ones((1, 6)), np.eye(6)])  # the witness of Theorem 8
    proved = optimal_encoder(Covariance(X.T @ X), 2)
    assert proved.loss_lower == pytest.approx((1 + 4 / (5 * 3)) * proved.optimum, rel=1e-5)


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

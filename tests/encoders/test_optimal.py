"""The optimal one-factor encoder against brute force and the published values."""

import itertools

import numpy as np
import pytest

from relaxspca import Covariance
from relaxspca.checker import verify
from relaxspca.columns import best_rank_k_in_span, exchange_columns
from relaxspca.datasets import load_pitprops
from relaxspca.encoders import batch_encoder, encoder_loss, optimal_encoder


def least_loss(cov, r):
    return min(best_rank_k_in_span(cov, c, 1).loss for c in itertools.combinations(range(cov.n), r))


@pytest.mark.parametrize(("r", "published"), [(1, 1.095771), (2, 1.036157), (3, 1.021210)])
def test_published_losses_are_proved_optimal_and_the_proof_is_verified(r, published):
    best = optimal_encoder(load_pitprops(), r)
    assert best.status == "optimal"
    assert best.normalised_loss == pytest.approx(published, abs=1e-6)
    assert best.loss_lower <= best.loss <= best.loss_lower * (1 + 1.1e-6)
    assert verify(best.certificate)


@pytest.mark.parametrize("seed", [20, 42])
def test_a_local_optimum_of_the_exchange_is_left(seed):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((11, 8)) * rng.uniform(0.3, 2.0, 8)
    cov = Covariance(A.T @ A)
    exchanged = best_rank_k_in_span(cov, exchange_columns(cov, 1, 3), 1).loss
    best, least = optimal_encoder(cov, 3), least_loss(cov, 3)
    assert exchanged > least * 1.001
    assert best.status == "optimal"
    assert np.isclose(best.loss, least)


def test_the_bound_holds_without_time(cov):
    best = optimal_encoder(cov, 4, time_limit=0.0)
    assert best.loss_lower <= least_loss(cov, 4)
    assert best.status == "open"
    assert best.gap > 0.0


def test_a_wide_gap_that_was_asked_for_is_not_called_optimal():
    best = optimal_encoder(load_pitprops(), 4, gap=0.5)
    assert best.gap > 1e-3
    assert best.status == "within the gap"


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

"""Encoders beside components of largest variance: two aims."""

import itertools

import numpy as np
import pytest

from relaxspca import Candidate, Covariance, candidate
from relaxspca.columns import as_data_matrix
from relaxspca.encoders import Encoder, batch_encoder, iterative_encoder

METHODS = ("truncated_power", "generalized_power_l0", "generalized_power_l1", "auto")


def by_deflation(cov, k, r, method):
    """Return the encoder of k components of largest variance, one after another."""
    A, H = np.array(cov.factor), np.zeros((cov.n, k))
    for j in range(k):
        H[:, j] = candidate(Covariance.from_factor(A), r, method=method).loadings
        A = A - np.outer(A @ H[:, j], H[:, j])
    return Encoder.from_loadings(as_data_matrix(cov), H, method=method)


def test_the_best_variance_and_the_least_loss_are_different_aims(cov):
    found = (Candidate.from_support(cov, c) for c in itertools.combinations(range(cov.n), 3))
    best = max(found, key=lambda c: c.value)
    by_variance = Encoder.from_loadings(as_data_matrix(cov), best.loadings[:, None], method="best")
    by_loss = batch_encoder(cov, 1, 3)
    assert by_variance.symmetric_variance > by_loss.symmetric_variance
    assert by_variance.normalised_loss > by_loss.normalised_loss


@pytest.mark.parametrize("r", [3, 5, 7])
def test_loss_minimising_encoders_lose_less_on_pitprops(r, cov):
    encoders = [by_deflation(cov, 2, r, method) for method in METHODS]
    assert all(
        encoder.normalised_loss >= 1.0 and encoder.symmetric_variance <= 1.0 + 1e-12 for encoder in encoders
    )
    assert iterative_encoder(cov, 2, r).loss < batch_encoder(cov, 2, r).loss
    assert iterative_encoder(cov, 2, r).loss < min(encoder.loss for encoder in encoders)

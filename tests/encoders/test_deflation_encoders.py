"""Comparison encoders: sparsity, the sequence of deflations, and the two aims compared."""

import itertools

import numpy as np
import pytest

from relaxspca import Candidate, Covariance, InputError
from relaxspca.datasets import load_pitprops
from relaxspca.encoders import batch_encoder, deflation_encoder, iterative_encoder

METHODS = ("truncated_power", "generalized_power_l0", "generalized_power_l1", "auto")


def exhaustive(cov, r):
    """Return the optimal component by brute force."""
    found = (Candidate.from_support(cov, c) for c in itertools.combinations(range(cov.n), r))
    return max(found, key=lambda c: c.value)


@pytest.mark.parametrize("method", METHODS)
def test_every_factor_has_r_variables_and_losses_exceed_the_dense_optimum(method):
    for r in (3, 6):
        encoder = deflation_encoder(load_pitprops(), 2, r, method=method)
        assert all(support.size <= r for support in encoder.indices_by_component)
        assert encoder.normalised_loss >= 1.0
        assert encoder.symmetric_variance <= 1.0 + 1e-12
        assert encoder.bound is None


@pytest.mark.parametrize("method", [exhaustive, "certified"])
def test_second_factor_is_optimal_for_the_projected_covariance(method):
    cov = load_pitprops()
    encoder = deflation_encoder(cov, 2, 3, method=method)
    x, y = encoder.loadings_array.T
    projector = np.eye(13) - np.outer(x, x)
    deflated = projector @ cov.matrix @ projector
    best = max(np.linalg.eigvalsh(deflated[np.ix_(c, c)])[-1] for c in itertools.combinations(range(13), 3))
    assert np.isclose(y @ deflated @ y, best)


def test_the_best_variance_and_the_least_loss_are_different_aims():
    cov = load_pitprops()
    by_variance = deflation_encoder(cov, 1, 3, method=exhaustive)
    by_loss = batch_encoder(cov, 1, 3)
    assert by_variance.symmetric_variance > by_loss.symmetric_variance
    assert by_variance.normalised_loss > by_loss.normalised_loss


def test_loss_minimising_encoders_lose_less_on_pitprops():
    cov = load_pitprops()
    for r in (3, 5, 7):
        losses = [deflation_encoder(cov, 2, r, method=m).loss for m in METHODS]
        assert iterative_encoder(cov, 2, r).loss < batch_encoder(cov, 2, r).loss
        assert iterative_encoder(cov, 2, r).loss < min(losses)


def test_refusals():
    with pytest.raises(InputError, match="number of factors"):
        deflation_encoder(Covariance(np.eye(3)), 4, 2)
    with pytest.raises(InputError, match="method"):
        deflation_encoder(Covariance(np.eye(3)), 1, 2, method="best")

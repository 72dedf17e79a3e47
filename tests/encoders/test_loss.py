"""Loss, decoder and explained variance against their definitions and known floors."""

import numpy as np
import pytest
from scipy import sparse

from relaxspca import Covariance, InputError
from relaxspca.columns import as_data_matrix
from relaxspca.encoders import Encoder, encoder_loss, optimal_decoder, symmetric_variance


def test_loss_is_the_least_squares_residual_over_decoders():
    rng = np.random.default_rng(0)
    X, H = rng.standard_normal((9, 6)), rng.standard_normal((6, 2))
    G = optimal_decoder(X, H)
    np.testing.assert_allclose(G, np.linalg.lstsq(X @ H, X, rcond=None)[0], atol=1e-12)
    assert np.isclose(encoder_loss(X, H), np.square(X - X @ H @ G).sum())
    for _ in range(100):
        assert np.square(X - X @ H @ (G + 0.1 * rng.standard_normal(G.shape))).sum() >= encoder_loss(X, H)


def test_loss_depends_on_the_covariance_and_the_span_only():
    rng = np.random.default_rng(1)
    X, H = rng.standard_normal((20, 7)), rng.standard_normal((7, 3))
    expected = encoder_loss(X, H)
    assert np.isclose(encoder_loss(Covariance(X.T @ X), H), expected)
    assert np.isclose(encoder_loss(sparse.csr_array(X), H), expected)
    assert np.isclose(encoder_loss(X, H @ rng.standard_normal((3, 3))), expected)
    assert np.isclose(normalised_loss(5.0 * X, H), normalised_loss(X, H))


def test_low_loss_means_high_symmetric_variance_and_neither_is_beyond_that_of_principal_components():
    # For any H: the symmetric decoder is one of the decoders, so loss <= |X|^2 - |XHH+|^2.
    rng = np.random.default_rng(3)
    for _ in range(100):
        X, H = rng.standard_normal((6, 5)), rng.standard_normal((5, 2))
        best = np.square(np.linalg.svd(X, compute_uv=False)[:2]).sum()
        assert encoder_loss(X, H) <= np.square(X).sum() - symmetric_variance(X, H) * best + 1e-10
        assert normalised_loss(X, H) >= 1.0
        assert symmetric_variance(X, H) <= 1.0 + 1e-12
    V = np.linalg.svd(X)[2][:2].T
    assert np.isclose([normalised_loss(X, V), symmetric_variance(X, V)], 1.0).all()


def test_zero_loss_is_not_divided_by_zero():
    X = np.outer(np.arange(1.0, 6.0), np.arange(1.0, 4.0))
    assert normalised_loss(X, np.eye(3)[:, :1]) == 1.0
    assert normalised_loss(np.diag([1.0, 0.0]), np.eye(2)[:, 1:]) == np.inf


def normalised_loss(X, H):
    return Encoder.from_loadings(as_data_matrix(X), H, method="given").normalised_loss


@pytest.mark.parametrize("H", [np.ones(5), np.ones((4, 1)), np.full((5, 1), np.nan)])
def test_refuses_what_is_not_an_encoder(H):
    with pytest.raises(InputError, match="encoder"):
        encoder_loss(np.eye(5), H)

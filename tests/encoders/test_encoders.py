"""Encoders: their loss by its definition; theorems, floors and invariances."""

import itertools

import numpy as np
import pytest
from draws import draws
from scipy import sparse

from relaxspca import Covariance, InputError
from relaxspca.columns import as_data_matrix, best_rank_k_in_span
from relaxspca.encoders import (
    Encoder,
    batch_encoder,
    black_box_encoder,
    encoder_loss,
    iterative_encoder,
    optimal_decoder,
    symmetric_variance,
)

DRAWS, SEEDS = 5, range(draws(12, 200))


def random_data(seed, m=12, n=16):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((m, n)) * rng.exponential(size=n)
    return X + np.outer(rng.standard_normal(m), rng.standard_normal(n)) * rng.exponential()


def normalised_loss(X, H):
    return Encoder.from_loadings(as_data_matrix(X), H, method="given").normalised_loss


def least_loss(X, k):
    return np.square(np.linalg.svd(X, compute_uv=False)[k:]).sum()


def test_black_box_loses_exactly_what_its_columns_lose():
    rng = np.random.default_rng(0)
    for seed in SEEDS:
        X = random_data(seed)
        k = int(rng.integers(1, 5))
        columns = rng.choice(16, size=int(rng.integers(k, 11)), replace=False)
        encoder = black_box_encoder(X, columns, k)
        assert np.isclose(encoder.loss, best_rank_k_in_span(X, columns, k).loss, rtol=1e-8)
        np.testing.assert_allclose(encoder.loadings_array.T @ encoder.loadings_array, np.eye(k), atol=1e-10)
        assert set(encoder.indices) <= set(columns)
    X[:, 3] = 2.0 * X[:, 2]
    assert np.isclose(black_box_encoder(X, [2, 3, 5], 2).loss, best_rank_k_in_span(X, [2, 5], 2).loss)
    of_rank_one = np.outer(np.arange(1.0, 5.0), np.arange(1.0, 6.0))
    assert black_box_encoder(of_rank_one, [0, 3], 2).loss <= 1e-9


@pytest.mark.parametrize(
    ("n", "r", "spread", "blocks"),
    [(6, 1, 0.5, 1), (6, 2, 1.0, 1), (7, 3, 2.0, 1), (8, 5, 0.1, 1), (4, 1, 0.7, 2)],
)
def test_the_least_loss_on_the_witness_of_theorem_8_is_the_stated_one(n, r, spread, blocks):
    """All of one block, and of several blocks the best, which has r variables of each."""
    X = np.kron(np.eye(blocks), np.vstack([np.ones((1, n)), spread * np.eye(n)]))
    chosen = itertools.combinations(range(blocks * n), blocks * r)
    losses = [black_box_encoder(X, columns, blocks).normalised_loss for columns in chosen]
    expected = 1 + (n - r) / ((n - 1) * (r + spread**2))
    assert np.isclose(min(losses), expected)
    assert blocks > 1 or np.isclose(max(losses), expected)


def test_draws_of_fewer_variables_than_factors_are_refused():
    X = np.random.default_rng(0).standard_normal((6, 4))
    with pytest.raises(InputError, match=r"2 factors needs at least 2 distinct columns .* got \[\d\]"):
        batch_encoder(X, 2, 2, selection="leverage", rng=np.random.default_rng(2))


def test_batch_and_iterative_are_within_their_theorems_on_random_matrices():
    rng = np.random.default_rng(1)
    for seed in SEEDS:
        X, k = random_data(seed), int(rng.integers(1, 5))
        batch = batch_encoder(X, k, int(rng.integers(k + 1, 17)))
        assert not batch.in_expectation
        assert all(np.array_equal(s, batch.indices) for s in batch.indices_by_component)
        sizes = rng.integers(2, 17, size=k).tolist()
        iterative = iterative_encoder(X, k, sizes)
        assert all(s.size <= most for s, most in zip(iterative.indices_by_component, sizes, strict=True))
        for encoder in (batch, iterative):
            assert least_loss(X, k) * (1 - 1e-9) <= encoder.loss <= encoder.bound * (1 + 1e-9)


def test_random_encoders_are_within_theorems_7_and_11_in_the_mean_of_five_draws():
    for seed in SEEDS:
        X, k, r, rng = random_data(seed), 1 + seed % 2, 13, np.random.default_rng(seed)
        drawn = [batch_encoder(X, k, r, selection="near_optimal", rng=rng) for _ in range(DRAWS)]
        assert drawn[0].in_expectation
        assert np.mean([e.loss for e in drawn]) <= drawn[0].bound
        assert drawn[0].bound <= (1 + 5 * k / (r - 5 * k)) * least_loss(X, k) * (1 + 1e-12)
        X, k = random_data(seed, 10, 24), 1 + seed % 3
        sizes = [5 + 5 * j for j in range(1, k + 1)]
        losses = [iterative_encoder(X, k, sizes, selection="near_optimal", rng=rng).loss for _ in range(DRAWS)]
        assert np.mean(losses) <= np.e * k * least_loss(X, k) + k**2 * (least_loss(X, 1) - least_loss(X, k))


@pytest.mark.parametrize("encode", [batch_encoder, iterative_encoder])
def test_encoders_follow_scale_permutation_and_representation(encode):
    X = random_data(7)
    expected = encode(X, 2, 5)
    order = np.random.default_rng(0).permutation(16)
    permuted = encode(X[:, order], 2, 5)
    assert sorted(order[permuted.indices]) == expected.indices.tolist()
    assert np.isclose(encode(3.0 * X, 2, 5).loss, 9.0 * expected.loss)
    for other in (sparse.csr_array(X), Covariance(X.T @ X)):
        same = encode(other, 2, 5)
        assert same.indices.tolist() == expected.indices.tolist()
        assert np.isclose(same.loss, expected.loss)
    assert np.isclose(np.square(X - expected.decode(expected.encode(X))).sum(), expected.loss)
    assert not expected.loadings_array.flags.writeable
    dense = encode(X, 2, 16)  # principal components
    assert np.isclose(dense.normalised_loss, 1.0)
    assert np.isclose(dense.bound, dense.optimum)


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


@pytest.mark.parametrize("H", [np.ones(5), np.ones((4, 1)), np.full((5, 1), np.nan)])
def test_refuses_what_is_not_an_encoder(H):
    with pytest.raises(InputError, match="encoder"):
        encoder_loss(np.eye(5), H)

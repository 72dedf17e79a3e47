"""Batch, iterative and black-box encoders: theorems, floors, invariances."""

import itertools

import numpy as np
import pytest
from draws import draws
from scipy import sparse

from relaxspca import Covariance, InputError
from relaxspca.columns import best_rank_k_in_span
from relaxspca.encoders import batch_encoder, black_box_encoder, iterative_encoder

DRAWS, SEEDS = 5, range(draws(12, 200))


def random_data(seed, m=12, n=16):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((m, n)) * rng.exponential(size=n)
    return X + np.outer(rng.standard_normal(m), rng.standard_normal(n)) * rng.exponential()


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


def test_draws_of_fewer_variables_than_factors_are_refused():
    X = np.random.default_rng(0).standard_normal((6, 4))
    with pytest.raises(InputError, match=r"2 factors needs at least 2 distinct columns .* got \[\d\]"):
        batch_encoder(X, 2, 2, selection="leverage", rng=np.random.default_rng(2))


def test_black_box_with_dependent_columns_and_with_rank_below_k():
    X = random_data(1)
    X[:, 3] = 2.0 * X[:, 2]
    dependent = black_box_encoder(X, [2, 3, 5], 2)
    assert np.isclose(dependent.loss, best_rank_k_in_span(X, [2, 5], 2).loss)
    one = np.outer(np.arange(1.0, 5.0), np.arange(1.0, 6.0))
    assert black_box_encoder(one, [0, 3], 2).loss <= 1e-9


def test_batch_is_within_its_theorem_on_random_matrices():
    rng = np.random.default_rng(1)
    for seed in SEEDS:
        X = random_data(seed)
        k = int(rng.integers(1, 5))
        encoder = batch_encoder(X, k, int(rng.integers(k + 1, 17)))
        assert least_loss(X, k) * (1 - 1e-9) <= encoder.loss <= encoder.bound * (1 + 1e-9)
        assert not encoder.in_expectation
        assert all(np.array_equal(s, encoder.indices) for s in encoder.indices_by_component)


def test_random_batch_is_within_its_theorem_in_the_mean_of_five_draws():
    for seed in SEEDS:
        X = random_data(seed)
        k, r, rng = 1 + seed % 2, 13, np.random.default_rng(seed)
        drawn = [batch_encoder(X, k, r, selection="near_optimal", rng=rng) for _ in range(DRAWS)]
        assert drawn[0].in_expectation
        assert np.mean([e.loss for e in drawn]) <= drawn[0].bound
        assert drawn[0].bound <= (1 + 5 * k / (r - 5 * k)) * least_loss(X, k) * (1 + 1e-12)


def test_iterative_is_within_its_recursion_on_random_matrices():
    rng = np.random.default_rng(2)
    for seed in SEEDS:
        X = random_data(seed)
        k = int(rng.integers(1, 4))
        sizes = rng.integers(2, 17, size=k).tolist()
        encoder = iterative_encoder(X, k, sizes)
        assert least_loss(X, k) * (1 - 1e-9) <= encoder.loss <= encoder.bound * (1 + 1e-9)
        assert [s.size for s in encoder.indices_by_component] <= sizes


def test_growing_sparsity_is_within_theorem_11_in_the_mean_of_five_draws():
    for seed in SEEDS:
        X = random_data(seed, 10, 24)
        k, rng = 1 + seed % 3, np.random.default_rng(seed)
        sizes = [5 + 5 * j for j in range(1, k + 1)]
        losses = [iterative_encoder(X, k, sizes, selection="near_optimal", rng=rng).loss for _ in range(DRAWS)]
        squares = np.linalg.svd(X, compute_uv=False) ** 2
        assert np.mean(losses) <= np.e * k * squares[k:].sum() + k**2 * squares[1:k].sum()


def test_no_encoder_beats_the_best_support_and_the_best_support_is_attained(cov):
    for k, r in draws([(1, 2), (2, 3)], [(1, 2), (1, 3), (2, 3), (2, 4)]):
        floors = {c: best_rank_k_in_span(cov, c, k).loss for c in itertools.combinations(range(13), r)}
        best = min(floors, key=floors.get)
        assert np.isclose(black_box_encoder(cov, best, k).loss, floors[best])
        for selection in ("dual_set", "pursuit"):
            assert batch_encoder(cov, k, r, selection=selection).loss >= floors[best] * (1 - 1e-12)
    # One factor: batch and iterative coincide and reach the floor on this matrix.
    assert np.isclose(batch_encoder(cov, 1, 2).normalised_loss, 1.036157, atol=1e-6)
    assert np.isclose(iterative_encoder(cov, 1, 3).normalised_loss, 1.021210, atol=1e-6)


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


def test_encode_and_decode_reproduce_the_loss():
    X = random_data(3)
    encoder = iterative_encoder(X, 3, 4)
    assert np.isclose(np.square(X - encoder.decode(encoder.encode(X))).sum(), encoder.loss)
    assert not encoder.loadings_array.flags.writeable


def test_two_factors_with_every_variable_are_principal_components():
    X = random_data(4)
    for encoder in (batch_encoder(X, 2, 16), iterative_encoder(X, 2, 16)):
        assert np.isclose(encoder.normalised_loss, 1.0)
        assert np.isclose(encoder.bound, encoder.optimum)

"""Sparse features for regression: identities, guarantees, limits."""

import numpy as np
from draws import draws
from scipy import sparse

from relaxspca.columns import best_rank_k_in_span
from relaxspca.regression import dsf_select, principal_regression, sparse_feature_regression


def random_problem(seed, m=25, n=10, p=3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((m, n)) * rng.exponential(size=n) + np.outer(rng.standard_normal(m), np.ones(n))
    return X, X @ rng.standard_normal((n, p)) + rng.standard_normal((m, p))


def test_error_is_that_of_the_best_approximation_in_the_span():
    rng = np.random.default_rng(0)
    for seed in range(draws(50, 200)):
        X, Y = random_problem(seed, p=1 + seed % 3)
        k = int(rng.integers(1, 4))
        columns = rng.choice(10, size=int(rng.integers(k, 11)), replace=False)
        model = sparse_feature_regression(X, Y, columns, k)
        assert np.isclose(model.error**2, best_rank_k_in_span(X, columns, k, target=Y).loss)
        assert np.isclose(model.error, np.linalg.norm(Y - model.predict(X)))
        assert set(np.flatnonzero(model.coefficients.any(axis=1))) <= set(columns)
        assert np.linalg.matrix_rank(model.coefficients) <= k


def test_dsf_error_is_within_its_bound_on_random_problems():
    rng = np.random.default_rng(1)
    for seed in range(draws(50, 200)):
        X, Y = random_problem(seed)
        k = int(rng.integers(1, 5))
        model = dsf_select(X, Y, k, int(rng.integers(k + 1, 11)))
        assert model.error <= model.bound * (1 + 1e-12)
        assert model.statement.startswith(
            f"Regression on {(m := len(model.weights))} feature{'s' * (m > 1)} of "
        )


def test_dsf_bound_is_close_to_attained_without_a_tail():
    # X of rank k: the bound is the error of dense PCA regression, and r columns reach it.
    rng = np.random.default_rng(2)
    X = rng.standard_normal((20, 3)) @ rng.standard_normal((3, 9))
    Y = rng.standard_normal((20, 2))
    model = dsf_select(X, Y, 3, 5)
    assert np.isclose(model.error, model.dense_error, atol=1e-6)


def test_principal_regression_is_the_projection_on_left_singular_vectors():
    X, Y = random_problem(3)
    for k in (4, 10):
        U = np.linalg.svd(X)[0][:, :k]
        model = principal_regression(X, Y, k)
        assert np.isclose(model.error, np.linalg.norm(Y - U @ U.T @ Y))
        assert np.isclose(model.error, np.linalg.norm(Y - model.predict(X)))


def test_sparse_data_and_permutations():
    X, Y = random_problem(7)
    X[np.abs(X) < 0.7] = 0.0
    model = dsf_select(X, Y, 2, 5)
    assert np.isclose(dsf_select(sparse.csr_array(X), Y, 2, 5).error, model.error)
    assert np.isclose(dsf_select(2.0 * X, Y, 2, 5).error, model.error)
    assert np.isclose(dsf_select(X, Y[:, ::-1], 2, 5).error, model.error)

"""Dual-set sparsification: its two inequalities and its column bound."""

import numpy as np
import pytest
from draws import draws, examples
from hypothesis import given
from hypothesis import strategies as st

from relaxspca import InputError
from relaxspca.columns import best_rank_k_in_span, dual_set_columns, dual_set_sparsification
from relaxspca.columns.near_optimal import dual_set_factor


@examples(200)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(0, 18), st.integers(1, 20), st.booleans())
def test_the_two_inequalities_of_the_lemma(seed, k, more_rows, more_draws, heavy_tails):
    rng = np.random.default_rng(seed)
    n, r = k + more_rows, k + more_draws
    V = np.linalg.qr(rng.standard_normal((n, k)))[0]
    A = rng.standard_normal((4, n)) * (rng.pareto(1.0, n) if heavy_tails else 1.0)
    indices, scales = dual_set_sparsification(V, np.square(A).sum(axis=0), r)
    smallest = np.linalg.svd(V[indices].T * scales, compute_uv=False)[-1]
    assert smallest >= (1 - np.sqrt(k / r)) * (1 - 1e-10)
    assert np.linalg.norm(A[:, indices] * scales) <= np.linalg.norm(A) * (1 + 1e-10)


@pytest.mark.parametrize("fill", [True, False])
def test_column_error_is_within_the_theorem(fill):
    rng = np.random.default_rng(3)
    for _ in range(draws(25, 100)):
        m, n, k = (int(v) for v in (rng.integers(3, 9), rng.integers(4, 9), rng.integers(1, 3)))
        X = rng.standard_normal((m, n)) * rng.exponential(size=n)
        r = int(rng.integers(k + 1, n + 1))
        loss = best_rank_k_in_span(X, dual_set_columns(X, k, r, fill=fill), k).loss
        optimum = np.square(np.linalg.svd(X, compute_uv=False)[k:]).sum()
        assert loss <= dual_set_factor(k, r) * optimum + 1e-9


def test_every_column_when_r_is_n_and_no_column_twice():
    X = np.random.default_rng(0).standard_normal((6, 5))
    assert dual_set_columns(X, 2, 5).tolist() == [0, 1, 2, 3, 4]
    chosen = dual_set_columns(np.ones((4, 9)) * np.arange(1, 10), 1, 6)
    assert chosen.size == np.unique(chosen).size == 6


def test_columns_do_not_depend_on_the_factor_and_follow_a_permutation():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((10, 30))
    chosen = dual_set_columns(X, 3, 8)
    Q = np.linalg.qr(rng.standard_normal((10, 10)))[0]
    assert dual_set_columns(7.0 * Q @ X, 3, 8).tolist() == chosen.tolist()
    order = rng.permutation(30)
    assert sorted(order[dual_set_columns(X[:, order], 3, 8)]) == chosen.tolist()


@pytest.mark.parametrize(
    ("V", "norms", "r"), [(np.eye(3)[:, :2], [1.0], 3), (np.eye(3), np.ones(3), 3), (2, [1.0], 3)]
)
def test_a_first_set_without_its_norms_or_with_too_few_draws_is_refused(V, norms, r):
    with pytest.raises(InputError, match=f"V must be a matrix of fewer than r={r} columns"):
        dual_set_sparsification(V, norms, r)

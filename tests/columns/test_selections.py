"""The other selections: laws of sampling, expectations, and the best approximation in a span."""

import itertools

import numpy as np
import pytest
from draws import draws

from relaxspca.columns import (
    SELECTIONS,
    as_data_matrix,
    best_rank_k_in_span,
    exchange_columns,
    leverage_columns,
    pursuit_columns,
)
from relaxspca.columns.near_optimal import adaptive_columns


def random_matrix(seed, m=12, n=20):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((m, n)) * np.sqrt(rng.exponential(size=n))


def test_columns_are_drawn_by_their_leverage():
    X, rng, count = random_matrix(0, 6, 8), np.random.default_rng(1), 2000
    matrix = as_data_matrix(X)  # its singular vectors are found once
    scores = np.square(np.linalg.svd(X)[2][:2]).sum(axis=0)
    counts = sum(np.bincount(leverage_columns(matrix, 2, 1, rng=rng), minlength=8) for _ in range(count))
    np.testing.assert_allclose(counts / count, scores / 2, atol=0.05)


def test_adaptive_sampling_draws_only_unexplained_columns():
    X = np.zeros((6, 9))
    X[:3, :5] = random_matrix(0, 3, 5)
    X[5, 5] = 2.0
    matrix, explained = as_data_matrix(X), np.array([0, 1, 2])
    for seed in range(20):
        chosen = adaptive_columns(matrix, explained, 3, np.random.default_rng(seed))
        assert set(chosen) == {0, 1, 2, 5}
    everything = np.array([0, 1, 2, 5])
    assert adaptive_columns(matrix, everything, 3, np.random.default_rng(0)).tolist() == [0, 1, 2, 5]


def test_pursuit_adds_the_column_that_explains_most_of_the_scores():
    for seed in range(20):
        X = random_matrix(seed, 6, 9)
        scores = X @ np.linalg.svd(X)[2][:2].T
        chosen = pursuit_columns(X, 2, 4, start=[0, 4, 7])
        (added,) = set(chosen) - {0, 4, 7}
        others = sorted(set(range(9)) - {0, 4, 7})
        losses = {i: best_rank_k_in_span(X, [0, 4, 7, i], 2, target=scores).loss for i in others}
        assert np.isclose(losses[added], min(losses.values()))


def test_pursuit_fills_up_once_everything_is_explained():
    X = np.outer(np.ones(4), np.array([1.0, 5.0, 3.0, 2.0]))
    assert pursuit_columns(X, 1, 3).tolist() == [1, 2, 3]


def test_best_rank_k_in_span_beats_random_approximations_and_handles_dependent_columns():
    rng = np.random.default_rng(0)
    X = random_matrix(0, 8, 10)
    Y = rng.standard_normal((8, 4))
    best = best_rank_k_in_span(X, [1, 2, 5], 2, target=Y)
    approximation = best.basis @ best.coefficients
    assert np.isclose(np.square(Y - approximation).sum(), best.loss)
    assert np.linalg.matrix_rank(approximation) == 2
    for _ in range(200):
        other = X[:, [1, 2, 5]] @ rng.standard_normal((3, 2)) @ rng.standard_normal((2, 4))
        scale = np.vdot(other, Y) / np.vdot(other, other)
        assert np.square(Y - scale * other).sum() >= best.loss
    doubled = np.column_stack([X, 1e-9 * X[:, 1]])
    assert np.isclose(best_rank_k_in_span(doubled, [1, 2, 5, 10], 2, target=Y).loss, best.loss)


def test_no_selection_beats_brute_force_and_all_improve_with_pursuit_on_top():
    X = random_matrix(4, 7, 8)
    floor = min(best_rank_k_in_span(X, c, 2).loss for c in itertools.combinations(range(8), 4))
    for select in SELECTIONS.values():
        chosen = select(X, 2, 4)
        assert chosen.size <= 4
        loss = best_rank_k_in_span(X, chosen, 2).loss
        assert loss >= floor - 1e-9
        assert best_rank_k_in_span(X, pursuit_columns(X, 2, 6, start=chosen), 2).loss <= loss + 1e-9


PUBLISHED = {  # normalised losses of the best columns of the pit props
    (1, 1): 1.095771, (1, 2): 1.036157, (1, 3): 1.021210, (1, 5): 1.007757, (2, 2): 1.148858, (2, 3): 1.085968,
    (2, 4): 1.053762, (2, 5): 1.035583, (3, 4): None, (3, 5): None,
}  # fmt: skip


@pytest.mark.parametrize(("k", "r"), [of for of in PUBLISHED if of[1] < draws(5, 6)])
def test_exchange_finds_the_best_columns_of_pitprops(k, r, cov):
    optimum = np.linalg.eigvalsh(cov.matrix)[: 13 - k].sum()
    floor = min(best_rank_k_in_span(cov, c, k).loss for c in itertools.combinations(range(13), r))
    assert PUBLISHED[k, r] in (None, round(floor / optimum, 6))
    assert np.isclose(best_rank_k_in_span(cov, exchange_columns(cov, k, r), k).loss, floor)


def test_exchange_copes_with_dependent_and_zero_columns():
    X = random_matrix(0, 6, 5)
    X = np.column_stack([X, X[:, :3], np.zeros(6)])
    chosen = exchange_columns(X, 2, 4, start=[0, 5, 1, 8])
    assert np.linalg.matrix_rank(X[:, chosen]) == 4

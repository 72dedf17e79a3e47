"""The witness of Theorem 8: the least loss over all supports has the stated value."""

import itertools

import numpy as np
import pytest

from relaxspca.columns import best_rank_k_in_span
from relaxspca.encoders import black_box_encoder


def witness(n, blocks=1, *, spread):
    return np.kron(np.eye(blocks), np.vstack([np.ones((1, n)), spread * np.eye(n)]))


@pytest.mark.parametrize(("n", "r", "spread"), [(6, 1, 0.5), (6, 2, 1.0), (7, 3, 2.0), (8, 5, 0.1)])
def test_every_encoder_on_the_witness_has_the_stated_loss(n, r, spread):
    X = witness(n, spread=spread)
    optimum = np.square(np.linalg.svd(X, compute_uv=False)[1:]).sum()
    expected = 1 + (n - r) / ((n - 1) * (r + spread**2))
    for columns in itertools.combinations(range(n), r):
        assert np.isclose(black_box_encoder(X, columns, 1).loss / optimum, expected)


def test_block_copies_need_r_variables_a_block():
    n, r, spread = 4, 1, 0.7
    X = witness(n, blocks=2, spread=spread)
    optimum = np.square(np.linalg.svd(X, compute_uv=False)[2:]).sum()
    floor = min(best_rank_k_in_span(X, c, 2).loss for c in itertools.combinations(range(2 * n), 2 * r))
    assert np.isclose(floor / optimum, 1 + (n - r) / ((n - 1) * (r + spread**2)))

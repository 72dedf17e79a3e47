"""The witness of Theorem 8: the least loss over all supports has the stated value."""

import itertools

import numpy as np
import pytest

from relaxspca.encoders import black_box_encoder


@pytest.mark.parametrize(
    ("n", "r", "spread", "blocks"),
    [(6, 1, 0.5, 1), (6, 2, 1.0, 1), (7, 3, 2.0, 1), (8, 5, 0.1, 1), (4, 1, 0.7, 2)],
)
def test_encoders_on_the_witness_have_the_stated_loss(n, r, spread, blocks):
    """All of one block, and of several blocks the best, which has r variables of each."""
    X = np.kron(np.eye(blocks), np.vstack([np.ones((1, n)), spread * np.eye(n)]))
    optimum = np.square(np.linalg.svd(X, compute_uv=False)[blocks:]).sum()
    chosen = itertools.combinations(range(blocks * n), blocks * r)
    losses = [black_box_encoder(X, columns, blocks).loss / optimum for columns in chosen]
    expected = 1 + (n - r) / ((n - 1) * (r + spread**2))
    assert np.isclose(min(losses), expected)
    assert blocks > 1 or np.isclose(max(losses), expected)

"""Blocks that hardly correlate: never below enumeration, exact when nothing is between them."""

import itertools

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.relaxations import blocks


def optimum(S, k):
    supports = itertools.combinations(range(len(S)), k)
    return max(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] for T in supports)


def exact(block, size):
    return rs.solve(block, size).upper


@pytest.mark.parametrize("seed", range(30))
def test_never_below_enumeration_and_within_the_promised_error(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    X = rng.standard_normal((n + 4, n))
    S = X.T @ X / n
    S[: n // 2, n // 2 :] *= 0.1
    S[n // 2 :, : n // 2] *= 0.1
    cov = rs.Covariance(S + np.eye(n))
    k = int(rng.integers(1, n + 1))
    threshold = float(rng.uniform(0, 0.4))
    best = optimum(cov.matrix, k)
    upper = blocks.upper_bound(cov, k, threshold, bound=exact)
    between = blocks.split_blocks(cov, threshold).between
    assert best - 1e-12 <= upper <= best + 2 * (k - 1) * between + 1e-8
    assert blocks.upper_bound(cov, k, threshold) >= upper - 1e-8


def test_exact_when_nothing_is_between_the_blocks():
    cov = rs.datasets.make_blocks([4, 5, 3])
    assert len(blocks.split_blocks(cov).blocks) == 3
    assert blocks.split_blocks(cov).between == 0.0
    assert blocks.upper_bound(cov, 4, bound=exact) == pytest.approx(optimum(cov.matrix, 4), rel=1e-8)


def test_a_negative_threshold_is_refused():
    with pytest.raises(rs.InputError, match="threshold"):
        blocks.split_blocks(rs.datasets.make_blocks([2]), -1.0)

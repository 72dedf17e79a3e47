"""Theorem 4: where its interval is not empty, the closed-form point proves the support optimal."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaxspca as rs
from relaxspca.certificate import PairwisePoint
from relaxspca.relaxations.pairwise.exact import closed_form_point, exact_interval
from relaxspca.relaxations.pairwise.formula import upper_bound


def planted(rng, n, k, strength, noise):
    x = np.zeros(n)
    x[:k] = rng.uniform(0.5, 1.0, size=k) * rng.choice([-1, 1], size=k)
    A = rng.normal(size=(n, n)) * noise
    return np.eye(n) * 0.5 + (A + A.T) + strength * np.outer(x, x) / (x @ x)


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 2**32 - 1), st.integers(3, 10), st.sampled_from([0.01, 0.03, 0.1]))
def test_the_interval_proves_the_support(seed, n, noise):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, n))
    cov = rs.Covariance(planted(rng, n, k, 3.0, noise) + 2 * np.eye(n))
    support = np.arange(k)
    low, high = exact_interval(cov.matrix, support)
    value = rs.Candidate.from_support(cov, support).value

    def bound(c):
        V, lam = closed_form_point(cov.matrix, support, c)
        return upper_bound(cov, PairwisePoint(np.arange(n), V=V, lam=lam), k)

    if low > high:
        return
    for share in (0.0, 0.5, 1.0):
        assert bound(low + share * (high - low)) == pytest.approx(value, rel=1e-11)
    assert bound(high * 1.05) > value * (1 + 1e-6)


def test_planted_components_fall_in_the_interval():
    """The theorem is not vacuous, and says nothing of a support that is not optimal."""
    rng = np.random.default_rng(0)
    Sigma = planted(rng, 30, 4, 5.0, 0.02)
    low, high = exact_interval(Sigma, np.arange(4))
    assert 0 < low < high
    low, high = exact_interval(Sigma, np.array([0, 1, 2, 9]))
    assert low > high


def test_pitprops_is_beyond_the_closed_form():
    """It is a sufficient condition only: the relaxation is exact at k = 5 and the interval is empty."""
    low, high = exact_interval(rs.datasets.load_pitprops().matrix, np.array([0, 1, 6, 8, 9]))
    assert low > high

"""Components without negative loadings against enumeration of all subsets, and what stopping early leaves."""

import itertools
import warnings

import numpy as np
import pytest
from small_covariances import KINDS, draw

import relaxspca as rs
from relaxspca.search.orthant import orthant_bounds


def best_value(S, k):
    """The largest leading eigenvalue of a subset whose leading vector has one sign."""
    best = np.diag(S).max()
    for m in range(2, k + 1):
        for T in itertools.combinations(range(len(S)), m):
            values, vectors = np.linalg.eigh(S[np.ix_(T, T)])
            x = vectors[:, -1]
            x = x * np.sign(x[np.argmax(np.abs(x))])
            if x.min() >= -1e-9:
                best = max(best, values[-1])
    return best


def covariance(S):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.DataWarning)
        return rs.Covariance(S)


@pytest.mark.parametrize("kind", KINDS)
def test_equals_enumeration_and_stays_true_when_stopped(kind):
    for seed in range(6):
        rng = np.random.default_rng([seed, 31])
        n = int(rng.integers(2, 9))
        k = int(rng.integers(1, n + 1))
        S = draw(kind, rng, n)
        best, room = best_value(S, k), 1e-8 * np.abs(S).max()
        found = rs.nonnegative(covariance(S), k)
        assert found.candidate.loadings.min() >= 0
        assert found.candidate.k <= k
        assert found.lower <= best + room
        assert found.upper >= best - room
        if kind != "tied":  # several leading vectors: no sign of theirs is proved, and a gap may be left
            assert found.upper <= best + room
        stopped = rs.nonnegative(covariance(S), k, limit=1, time_limit=0.0)
        assert stopped.lower <= best + room
        assert stopped.upper >= best - room
        assert rs.verify(found.raised)


def test_the_block_bound_holds_for_every_nonnegative_vector():
    rng = np.random.default_rng(0)
    for _ in range(100):
        k = int(rng.integers(1, 7))
        S = rng.normal(size=(k, k))
        S = S + S.T
        upper, x = orthant_bounds(S)
        y = np.abs(rng.normal(size=(2000, k)))
        ratios = ((y @ S) * y).sum(axis=1) / (y**2).sum(axis=1)
        assert ratios.max() <= upper + 1e-12
        assert x.min() >= 0
        assert x @ S @ x >= best_value(S, k) - 1e-8


def test_pitprops_has_a_positive_component():
    found = rs.nonnegative(rs.datasets.load_pitprops(), 5)
    assert found.status == "optimal"
    assert found.lower == pytest.approx(rs.solve(rs.datasets.load_pitprops(), 5).lower)
    assert "without a certificate of its own" in repr(found)


def test_too_many_variables_are_refused():
    with pytest.raises(rs.InputError, match="at most 20 of 4000 variables"):
        rs.nonnegative(rs.Covariance(np.eye(30)), 21)

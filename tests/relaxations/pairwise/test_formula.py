"""The pairwise bound: valid for every dual point, by brute force; its laws."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaxspca as rs
from relaxspca.certificate import PairwisePoint
from relaxspca.relaxations.pairwise.formula import penalised_upper_bound, restrict, upper_bound


def best(Sigma, size, forced, allowed):
    """v over supports of that size between the forced and the allowed variables, by enumeration."""
    values = [
        np.linalg.eigvalsh(Sigma[np.ix_(T, T)])[-1]
        for T in combinations(sorted(allowed), size)
        if set(forced) <= set(T)
    ]
    return max(values, default=-np.inf)


def random_covariance(rng, n):
    factor = rng.normal(size=(int(rng.integers(1, n + 2)), n)) * 10.0 ** rng.integers(-1, 2, size=n)
    return rs.Covariance(factor.T @ factor)


def random_point(rng, Sigma, k, *, with_term=False):
    """A dual point somewhere between sensible and nonsense."""
    n = len(Sigma)
    size = np.abs(Sigma).max()
    noise = rng.normal(size=(n, n)) * size * rng.choice([0.0, 0.05, 1.0])
    V = rng.choice([0.0, 0.5, 1.0]) * Sigma + (noise + noise.T)
    V = np.where(np.abs(V) < size * rng.choice([0.0, 0.1]), 0.0, V)
    lam = rng.exponential(size=n) * size * rng.choice([0.01, 0.3, 1.0])
    A = rng.normal(size=(n, n)) * size * rng.choice([0.0, 0.1])
    L = rng.normal(size=(n, 2)) * np.sqrt(size) * 0.3 if with_term else None
    return PairwisePoint(np.arange(n), V=V, lam=lam, S=A - A.T if A.any() else None, L=L)


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.booleans())
def test_no_dual_point_is_below_brute_force(seed, n, with_term):
    """Seven draws an example: more than 2000 in all."""
    rng = np.random.default_rng(seed)
    cov = random_covariance(rng, n)
    for _ in range(7):
        k = int(rng.integers(1, n + 1))
        point = random_point(rng, cov.matrix, k, with_term=with_term)
        assert upper_bound(cov, point, k) >= best(cov.matrix, k, (), range(n)) * (1 - 1e-14)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**32 - 1), st.integers(2, 8), st.booleans())
def test_node_bounds_are_valid_and_monotone(seed, n, with_term):
    rng = np.random.default_rng(seed)
    cov = random_covariance(rng, n)
    k = int(rng.integers(1, n + 1))
    point = random_point(rng, cov.matrix, k, with_term=with_term)
    order = rng.permutation(n)
    forced, allowed = order[: rng.integers(0, 3)], order[: rng.integers(1, n + 1)]
    allowed = np.union1d(forced, allowed)
    bound = upper_bound(cov, point, k, inside=forced, free=allowed)
    assert bound >= best(cov.matrix, k, forced, allowed) * (1 - 1e-14)
    assert bound <= upper_bound(cov, point, k) * (1 + 1e-12)
    small = restrict(point, allowed)
    assert upper_bound(cov, small, k, inside=forced) == pytest.approx(bound, rel=1e-12)


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 2**32 - 1), st.integers(1, 7), st.booleans())
def test_penalised_bound_is_valid(seed, n, with_term):
    rng = np.random.default_rng(seed)
    cov = random_covariance(rng, n)
    rho = float(rng.exponential()) * cov.diagonal.mean()
    point = random_point(rng, cov.matrix, 1, with_term=with_term)
    forced = rng.permutation(n)[: rng.integers(0, 2)]
    truth = max(best(cov.matrix, m, forced, range(n)) - rho * m for m in range(max(1, len(forced)), n + 1))
    bound = penalised_upper_bound(cov, point, rho, inside=forced)
    assert bound >= truth - 1e-14 * cov.matrix.trace()


def test_bound_follows_permutation_and_scale():
    rng = np.random.default_rng(3)
    cov = random_covariance(rng, 8)
    point = random_point(rng, cov.matrix, 3, with_term=True)
    order = rng.permutation(8)
    moved = PairwisePoint(
        np.arange(8),
        V=point.V[np.ix_(order, order)],
        lam=point.lam[order],
        S=None if point.S is None else point.S[np.ix_(order, order)],
        L=point.L[order],
    )
    bound = upper_bound(cov, point, 3)
    assert upper_bound(cov.restrict(order), moved, 3) == pytest.approx(bound, rel=1e-12)
    point = PairwisePoint(np.arange(8), V=point.V, lam=point.lam, L=point.L)
    bound = upper_bound(cov, point, 3)
    scaled = PairwisePoint(np.arange(8), V=4 * point.V, lam=4 * point.lam, S=None, L=2 * point.L)
    assert upper_bound(rs.Covariance(4 * cov.matrix), scaled, 3) == pytest.approx(4 * bound, rel=1e-12)


def test_zero_point_is_the_largest_eigenvalue():
    cov = rs.datasets.load_pitprops()
    zero = PairwisePoint(np.arange(13), V=np.zeros((13, 13)), lam=np.zeros(13))
    assert upper_bound(cov, zero, 5) == pytest.approx(np.linalg.eigvalsh(cov.matrix)[-1], rel=1e-12)


def test_factored_covariance_is_charged_for_its_product():
    rng = np.random.default_rng(5)
    cov = rs.Covariance.from_factor(rng.normal(size=(3, 9)))
    point = random_point(rng, cov.matrix, 4)
    dense = upper_bound(rs.Covariance(cov.matrix), point, 4)
    assert dense <= upper_bound(cov, point, 4) <= dense * (1 + 1e-10)


def test_a_node_outside_the_point_is_refused():
    cov = rs.datasets.load_pitprops()
    point = PairwisePoint(np.array([1, 3]), V=np.zeros((2, 2)), lam=np.zeros(2))
    with pytest.raises(rs.InputError, match="does not cover variable 2"):
        upper_bound(cov, point, 1, free=[1, 2])

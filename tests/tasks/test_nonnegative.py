"""Components without negative loadings, against enumeration of all subsets."""

import numpy as np
import pytest
from draws import draws
from enumeration import best_of_one_sign

import relaxspca as rs
from relaxspca.problem.conditions import NONE
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.dominated import best_nonnegative, nonnegative_start


def test_no_nonnegative_vector_of_a_block_explains_more():
    rng = np.random.default_rng(0)
    for _ in range(100):
        k = int(rng.integers(1, 7))
        S = rng.normal(size=(k, k))
        S = S + S.T
        x = best_nonnegative(S)
        assert x.min() >= 0
        assert x @ S @ x == pytest.approx(best_of_one_sign(S, k)[0], abs=1e-8)


@pytest.mark.parametrize("limit", [0, None])
def test_a_search_begins_near_the_best_and_never_above(limit):
    rng = np.random.default_rng(1)
    for S in (rs.datasets.load_pitprops().matrix, *(A @ A.T for A in rng.normal(size=(draws(6, 20), 7, 4)))):
        for k in (2, 3, 5):
            cov, best = rs.Covariance(S), best_of_one_sign(S, k)[0]
            found = nonnegative_start(cov, k, NONE, Deadline.after(limit))
            assert found.loadings.min() >= 0
            assert len(found.indices) <= k
            assert max(0.8 * best, S.diagonal().max()) <= found.value + 1e-9 <= best + 2e-9


def test_the_cardinality_may_be_any_and_equal_variances_are_proved():
    found = rs.solve(rs.Covariance(np.eye(30)), 21, nonnegative=True)
    assert found.status == "optimal"
    assert found.lower == pytest.approx(1.0, rel=1e-12)
    assert rs.verify(found.certificate)


def signed(n, seed):
    """Two families of variables, each of one sign: the best component has loadings of both signs."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3 * n, n)) + np.outer(rng.normal(size=3 * n), np.where(np.arange(n) % 2, 1.0, -1.0))
    return np.cov(X, rowvar=False)


@pytest.mark.parametrize("seed", range(draws(2, 4)))
def test_larger_supports_equal_enumeration_where_signs_are_mixed(seed):
    S = signed(10, seed)
    S = (S + S.T) / 2
    for k in (5, 8):
        best, _ = best_of_one_sign(S, k)
        found = rs.solve(rs.Covariance(S), k, nonnegative=True)
        assert found.status == "optimal"
        assert best - 1e-9 * best <= found.upper <= best + 1e-8 * best
        assert found.upper < rs.solve(rs.Covariance(S), k).lower
        assert rs.verify(found.certificate)


def test_excluded_variables_are_not_used_and_the_claim_says_so(cov):
    found = rs.solve(cov, 3, nonnegative=True, exclude=["topdiam"])
    assert found.lower == pytest.approx(best_of_one_sign(cov.matrix, 3, exclude=[0])[0])
    assert "topdiam excluded, non-negative loadings" in found.certificate.statement
    assert "non-negative loadings" in found.statement


@pytest.mark.filterwarnings("ignore:the matrix is not positive")
def test_negative_covariances_far_above_the_best_are_charged_to_what_the_checker_rounds():
    rng = np.random.default_rng(0)
    F = rng.normal(size=(6, 6))
    S, large = F.T @ F, np.triu(rng.random((6, 6)) < 0.4, 1)
    S[large] = -1e6
    found = rs.solve(rs.Covariance(np.triu(S) + np.triu(S, 1).T), 3, nonnegative=True)
    assert found.status == "optimal"
    assert rs.verify(found.certificate, exact=False)


def test_a_block_of_negative_variance_beside_a_large_entry_is_no_crash():
    for variance in (-0.2, -(2.0**-300)):
        found = rs.solve(rs.Covariance(np.diag([1.0, variance])), 1, nonnegative=True, exclude=[0])
        assert found.support == ("x1",)
        assert found.lower <= variance <= found.upper


@pytest.mark.filterwarnings("ignore:the matrix is not positive")
@pytest.mark.parametrize("seed", range(draws(1, 3)))
def test_more_than_twenty_variables_are_searched_and_a_planted_optimum_is_proved(seed):
    """Two blocks that repel each other: the best nonnegative vector is the eigenvector of the heavier one."""
    rng = np.random.default_rng([seed, 8])
    first, second = (np.abs(rng.normal(size=(m, m))) for m in (24, 10))
    S = -np.abs(rng.normal(size=(34, 34)))
    S[:24, :24], S[24:, 24:] = first @ first.T, second @ second.T
    S = (S + S.T) / 2
    order = rng.permutation(34)
    S = S[np.ix_(order, order)]
    found = rs.solve(rs.Covariance(S), 30, nonnegative=True, time_limit=60)
    value = np.linalg.eigvalsh(first @ first.T)[-1]
    assert found.lower <= found.upper
    assert found.lower == pytest.approx(value, rel=1e-9)
    assert found.upper >= value * (1 - 1e-12)
    assert set(found.indices) == set(np.flatnonzero(order < 24))
    assert rs.verify(found.certificate)


def test_where_subsets_are_too_many_the_vector_is_nonnegative_still(monkeypatch):
    monkeypatch.setattr("relaxspca.search.dominated.EVALUATED", 3)
    rng = np.random.default_rng(5)
    for _ in range(20):
        S = rng.normal(size=(7, 7))
        S = S + S.T
        x = best_nonnegative(S)
        assert x.min() >= 0
        assert np.linalg.norm(x) == pytest.approx(1.0)
        assert x @ S @ x <= best_of_one_sign(S, 7)[0] + 1e-12 * np.abs(S).max()

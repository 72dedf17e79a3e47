from math import ceil, comb

import numpy as np
import pytest
from draws import draws
from interrupts import interrupt
from small_covariances import optimum

from relaxspca import Covariance, candidate, compare
from relaxspca.candidates import spannogram as module
from relaxspca.candidates.spannogram import best_supports, low_rank_search, spannogram


def low_rank_rows(rng, trial, n, d):
    """Rows in general position, rounded, with zero and equal rows, or with many ties, in turn."""
    V = rng.normal(size=(n, d))
    if trial % 4 == 1:
        V = np.round(V)
    elif trial % 4 == 2:
        V[rng.integers(n)] = 0.0
        V[rng.integers(n)] = V[0]
    elif trial % 4 == 3:
        V = rng.integers(-1, 2, size=(n, d)).astype(float)
    return V


def test_exact_on_matrices_of_low_rank_within_the_count_of_the_theorem():
    rng = np.random.default_rng(0)
    for trial in range(draws(120, 400)):
        d = int(rng.integers(1, 4))
        n = int(rng.integers(d + 1, 10))
        k = int(rng.integers(1, n + 1))
        V = low_rank_rows(rng, trial, n, d)
        supports = best_supports(V, k)[0]
        best = optimum(V @ V.T, k)
        found = np.linalg.norm(V[supports], 2, axis=(1, 2)).max() ** 2
        assert found == pytest.approx(best, rel=1e-8, abs=1e-12)
        if n - k > d - 1:
            assert len(supports) <= 2 ** (d - 1) * comb(d, ceil(d / 2)) * comb(n, d)


def test_variables_in_two_dimensions_are_kept_where_no_row_is_the_shorter():
    n = draws(300, 1000)
    angle = np.random.default_rng(2).uniform(0, np.pi, size=n)
    # All rows have the same norm, so that no elimination over all directions is possible.
    supports = best_supports(np.column_stack([np.cos(angle), np.sin(angle)]), 10)[0]
    assert np.unique(supports).size == n
    assert len(supports) >= 100


def test_the_guarantee_holds_and_a_value_is_no_farther_below_than_the_next_eigenvalue(cov):
    eigenvalues = np.linalg.eigvalsh(cov.matrix)[::-1]
    for k, value in ((k, optimum(cov.matrix, k)) for k in (3, 5, 8)):
        for d in (1, 2, 3):
            found = low_rank_search(cov, k, d=d)
            assert found.ratio * value <= found.candidate.value <= value * (1 + 1e-12)
            assert found.candidate.value >= value - eigenvalues[d]


def test_full_rank_is_exact_and_rank_is_lowered_to_what_there_is():
    A = np.random.default_rng(3).normal(size=(2, 8))
    found = low_rank_search(Covariance.from_factor(A), 3, d=3)
    assert found.rank == 2
    assert found.candidate.value == pytest.approx(optimum(A.T @ A, 3))
    assert found.ratio == pytest.approx(1.0)


def test_sparse_observations_go_through_a_truncated_decomposition():
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.random(60, 3000, density=0.02, random_state=4, format="csr")
    cov = Covariance.from_data(X)
    found = low_rank_search(cov, 5)
    assert found.candidate.value >= cov.diagonal.max()
    dense = Covariance.from_data(X.toarray())
    assert found.candidate.value == pytest.approx(low_rank_search(dense, 5).candidate.value, rel=1e-9)


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_a_search_that_ends_early_returns_a_support_and_no_guarantee(is_interrupted, cov, monkeypatch):
    whole = low_rank_search(cov, 5, d=3)
    assert whole.is_complete
    assert whole.ratio > 0.0
    if is_interrupted:
        interrupt(monkeypatch, module, "_enumerated")
        with pytest.raises(KeyboardInterrupt):  # a candidate has nothing that says so
            spannogram(cov, 5, d=3)
    else:
        assert candidate(cov, 5, method="spannogram", time_limit=0.0).method == "spannogram, stopped"
        assert candidate(cov, 5, method="spannogram", time_limit=60.0).method == "spannogram"
    found = low_rank_search(cov, 5, d=3, time_limit=60.0 * is_interrupted)
    assert (found.is_complete, found.is_interrupted, found.ratio) == (False, is_interrupted, 0.0)
    assert found.candidate.k == 5
    assert found.candidate.value <= whole.candidate.value * (1 + 1e-12)


def test_one_variable_is_its_own_component():
    cov = Covariance([[2.0]])
    assert spannogram(cov, 1).value == 2.0
    assert {row.candidate.value for row in compare(cov, 1).methods.values()} == {2.0}

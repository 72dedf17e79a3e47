from itertools import combinations

import numpy as np
import pytest
from draws import draws

from relaxspca import Covariance, InputError, upper_bound
from relaxspca.candidates.spannogram import low_rank_search
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations import low_rank
from relaxspca.tasks.upper_bound import bound_certificate


def best_value(Sigma, k):
    supports = np.array(list(combinations(range(len(Sigma)), k)))
    return np.linalg.eigvalsh(Sigma[supports[:, :, None], supports[:, None, :]])[:, -1].max()


def random_case(rng, case):
    """Return (covariance, its matrix): dense, indefinite, thin and whole-numbered ones in turn."""
    n = int(rng.integers(1, 9))
    rows = rng.normal(size=(int(rng.integers(1, 6)), n)) * 10.0 ** rng.integers(-3, 4)
    if case % 4 == 0:
        return Covariance.from_factor(rows), rows.T @ rows
    if case % 4 == 1:
        return Covariance(rows.T @ rows), rows.T @ rows
    if case % 4 == 2:
        rows = rng.integers(-2, 3, size=(2, n)).astype(float)
        rows[0, 0] += 5.0
        return Covariance.from_factor(rows), rows.T @ rows
    M = rng.normal(size=(n, n))
    M = M + M.T + np.eye(n)
    return (Covariance(M), M) if n > 1 else (Covariance([[2.0]]), np.array([[2.0]]))


def test_never_below_enumeration():
    rng = np.random.default_rng(7)
    for case in range(draws(60, 200)):
        cov, Sigma = random_case(rng, case)
        k = int(rng.integers(1, cov.n + 1))
        best = best_value(Sigma, k)
        size = np.linalg.norm(Sigma, 2)
        for d in (1, 2, 3):
            # Enumeration rounds by a few units in the last place; a bound stopped at once must hold as well.
            assert low_rank.upper_bound(cov, k, d=d) >= best - 1e-13 * size
            assert low_rank.upper_bound(cov, k, d=d, max_cells=1) >= best - 1e-13 * size


@pytest.mark.parametrize("factored", [True, False])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_tight_for_covariances_of_that_rank(d, factored):
    rng = np.random.default_rng(d)
    for n in (7, 10):
        for k in (1, 3, n):
            A = rng.normal(size=(d, n))
            cov = Covariance.from_factor(A) if factored else Covariance(A.T @ A)
            best = best_value(A.T @ A, k)
            assert low_rank.upper_bound(cov, k, d=d) == pytest.approx(best, rel=2e-6)


def test_agrees_with_the_enumeration_of_the_spannogram():
    V = np.random.default_rng(2).normal(size=(draws(30, 60), 3)) * [3.0, 2.0, 1.0]
    cov = Covariance.from_factor(V.T)
    for k in (4, 20):
        exact = low_rank_search(cov, k, d=3).low_rank_value
        assert exact <= low_rank.rank_value_upper(V, k) <= exact * (1 + 2e-6)


@pytest.mark.parametrize("k", [1, 3, 5, 9])
def test_never_above_the_printed_form(k):
    cov = load_pitprops()
    for d in (1, 2, 3):
        found = low_rank_search(cov, k, d=d)
        printed = found.low_rank_value + found.eigenvalues[d]
        upper = low_rank.upper_bound(cov, k, d=d)
        assert found.candidate.value <= upper <= printed * (1 + 2e-6)


def test_thin_and_dense_agree():
    A = np.random.default_rng(5).normal(size=(6, 15)) * np.arange(1, 16)
    for d in (1, 2, 4):
        thin = low_rank.upper_bound(Covariance.from_factor(A), 4, d=d)
        assert thin == pytest.approx(low_rank.upper_bound(Covariance(A.T @ A), 4, d=d), rel=3e-6)


def test_the_remainder_holds_for_any_V():
    rng = np.random.default_rng(11)
    for _ in range(20):
        cov = Covariance(np.cov(rng.normal(size=(20, 6)), rowvar=False))
        V = rng.normal(size=(6, 2))
        value = np.linalg.eigvalsh(cov.matrix - V @ V.T)[-1]
        assert value <= low_rank.remainder_upper(cov, V) <= value + 1e-12


def test_more_cells_never_hurt_and_an_equal_spectrum_stops_in_time():
    V = np.random.default_rng(1).normal(size=(40, 3))
    uppers = [low_rank.rank_value_upper(V, 10, max_cells=cells) for cells in (1, 50, 1000, 50_000)]
    assert uppers == sorted(uppers, reverse=True)
    flat = np.eye(3)
    assert 1.0 <= low_rank.rank_value_upper(flat, 3, tol=1e-9, max_cells=3000) < 1.01


def test_as_a_relaxation_by_name():
    cov = load_pitprops()
    bound = upper_bound(cov, 5, relaxation="low_rank")
    assert [step.note for step in bound.history] == ["rank 1", "rank 2", "rank 3"]
    assert bound.upper == min(step.upper for step in bound.history)
    assert 3.4061549467 <= bound.upper < 3.51
    assert bound_certificate(cov, bound) is None


@pytest.mark.parametrize("d", [0, 5, 1.5, True])
def test_rank_out_of_range(d):
    with pytest.raises(InputError, match="rank d"):
        low_rank.upper_bound(load_pitprops(), 3, d=d)

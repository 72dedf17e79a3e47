import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaxspca import Candidate, Covariance
from relaxspca.candidates import candidate
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations.psi.kkt import kkt_test
from relaxspca.relaxations.psi.kkt_sharp import sharp_test
from relaxspca.relaxations.psi.rank_one import rank_one_part

SEEDS = st.integers(0, 10**6)


@pytest.mark.parametrize(("k", "certified"), [(6, False), (7, True), (9, True), (12, True)])
def test_the_semidefinite_test_certifies_two_more_of_pitprops(k, certified):
    cov = load_pitprops()
    best = candidate(cov, k)
    test = sharp_test(cov, best)
    assert (test.dual.upper(k) <= best.value * (1 + 1e-9)) == certified
    assert test.dual.upper(k) <= kkt_test(cov, best).dual.upper(k) + 1e-8
    if k in (7, 9):
        assert kkt_test(cov, best).gap > 1e-2


def test_the_published_price_at_seven():
    # The optimal multiplier of bound (8) of Li and Xie at k = 7 is 0.13228; psi is exact around it.
    cov = load_pitprops()
    test = sharp_test(cov, candidate(cov, 7))
    assert test.rho == pytest.approx(0.13228, abs=5e-3)


@settings(deadline=None, max_examples=10)
@given(seed=SEEDS, n=st.integers(2, 5))
def test_it_bounds_the_optimum_and_is_at_least_as_sharp_as_the_closed_form(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n))
    cov = Covariance(X.T @ X)
    k = int(rng.integers(1, n + 1))
    chosen = Candidate.from_support(cov, rng.permutation(n)[:k])
    closed, sharp = kkt_test(cov, chosen), sharp_test(cov, chosen)
    assert (closed.dual is None) == (not closed.is_admissible)
    if sharp.dual is None:
        return
    value = max(np.linalg.eigvalsh(cov.submatrix(T))[-1] for T in itertools.combinations(range(n), k))
    assert sharp.dual.upper(k) >= value * (1 - 1e-14)
    assert sharp.dual.upper(k) <= closed.dual.upper(k) * (1 + 1e-6)


@settings(deadline=None, max_examples=100)
@given(seed=SEEDS, r=st.integers(1, 6), rho=st.floats(0.01, 2))
def test_a_feasible_matrix_is_compressed_to_one_feasible_vector_below_it(seed, r, rho):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=r) * 2
    noise = rng.normal(size=(r, r))
    B = np.outer(a, a) - rho * np.eye(r)
    values, vectors = np.linalg.eigh(B)
    Y = (vectors * np.maximum(values, 0)) @ vectors.T + noise @ noise.T
    y = rank_one_part(Y, a, rho)
    scale = 1e-9 * (1 + np.trace(Y))
    assert np.linalg.eigvalsh(np.outer(y, y) - B)[0] >= -scale
    assert np.linalg.eigvalsh(Y - np.outer(y, y))[0] >= -scale


def test_a_failed_solver_is_no_bound_and_no_error():
    cov = load_pitprops()
    test = sharp_test(cov, candidate(cov, 7), solver="clarabel", time_limit=1e-9)
    assert test.dual is None
    assert test.is_admissible


@pytest.mark.parametrize("p", [-295, 295])
def test_the_unit_of_sigma_does_not_matter(p):
    cov = Covariance.from_factor(load_pitprops().factor * 2.0**p)
    best = candidate(cov, 12)
    test = sharp_test(cov, best)
    assert best.value * (1 - 1e-12) <= test.dual.upper(12) <= best.value * (1 + 1e-9)
    assert test.rho_lo < test.rho < test.rho_hi

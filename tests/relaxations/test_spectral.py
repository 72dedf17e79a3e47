import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st
from small_covariances import KINDS as MATRICES
from small_covariances import covariance, draw, optimum

from relaxspca import Covariance, InputError
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations.spectral import KINDS, best_upper_bound, upper_bound

SEEDS = st.integers(0, 10**6)


@examples(150)
@given(seed=SEEDS, n=st.integers(1, 7), kind=st.sampled_from([*MATRICES]))
def test_every_kind_bounds_every_support(seed, n, kind):
    rng = np.random.default_rng(seed)
    Sigma = draw(kind, rng, n)
    cov = covariance(Sigma)
    k = int(rng.integers(1, n + 1))
    bounds = [upper_bound(cov, kind, k) for kind in KINDS]
    assert min(bounds) >= optimum(Sigma, k) - 1e-14 * np.abs(Sigma).sum()
    assert best_upper_bound(cov, k)[0] == min(bounds)


@examples(100)
@given(seed=SEEDS, n=st.integers(1, 7), rank=st.integers(1, 8))
def test_a_factored_covariance_gets_the_bounds_of_its_matrix(seed, n, rank):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(rank, n))
    factored, dense = Covariance.from_factor(A), Covariance(A.T @ A)
    k = int(rng.integers(1, n + 1))
    for kind in KINDS:
        bound = upper_bound(factored, kind, k)
        assert bound == pytest.approx(upper_bound(dense, kind, k), rel=1e-11)
        assert bound >= optimum(A.T @ A, k) * (1 - 1e-14)


def test_the_bounds_are_what_the_formulas_say():
    Sigma = np.array([[4.0, -3, 1, 0], [-3, 5, 0, 1], [1, 0, 2, 0], [0, 1, 0, 1]])
    cov = Covariance(Sigma)
    assert [upper_bound(cov, "trace", k) for k in (1, 2, 3, 4)] == pytest.approx([5, 9, 11, 12])
    assert upper_bound(cov, "rowsum", 2) == pytest.approx(8)
    assert upper_bound(cov, "rowsum", 3) == pytest.approx(9)
    assert upper_bound(cov, "spectral", 2) == pytest.approx(np.linalg.eigvalsh(Sigma)[-1])


def test_row_sums_are_the_same_in_whatever_order_cardinalities_are_asked():
    S = np.random.default_rng(8).normal(size=(12, 12))
    S = S @ S.T
    cov = Covariance(S)
    for k in (3, 2, 5, 4, 12, 1, 11, 6):
        others = np.sort(np.abs(S - np.diag(np.diag(S))), axis=1)[:, ::-1]
        most = (np.diag(S) + others[:, : k - 1].sum(axis=1)).max()
        assert most <= upper_bound(cov, "rowsum", k) <= most * (1 + 1e-12)


def test_unknown_kind_is_named():
    with pytest.raises(InputError, match="'nuclear'"):
        upper_bound(load_pitprops(), "nuclear", 3)

"""Thin-factor and sparse covariances are never squared."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse
from draws import draws

from relaxspca import Covariance, candidate
from relaxspca.candidates import METHODS

N = draws(1200, 3000)  # above the number of variables up to which rows are read from the matrix


@pytest.fixture(scope="module")
def instances():
    rows = np.random.default_rng(0).normal(size=(12, N)) * np.linspace(1, 3, N)
    X = scipy.sparse.random(60, N, density=0.01, random_state=1, format="csr")
    return {"thin": Covariance.from_factor(rows), "sparse": Covariance.from_data(X)}


@pytest.mark.parametrize("kind", ["thin", "sparse"])
@pytest.mark.parametrize("method", METHODS)
def test_the_square_matrix_is_never_asked_for(instances, monkeypatch, method, kind):
    def refuse(self):
        raise AssertionError("the n x n matrix was formed")

    monkeypatch.setattr(Covariance, "matrix", property(refuse))
    assert len(candidate(instances[kind], 4, method=method).indices) == 4


# The slower methods show their growth on fewer variables just as well.
SLOW = {"auto": 4000, "elastic_net": 4000, "penalized_matrix": 4000, "thresholding": 4000, "greedy": 4000}


# The exchange of columns forms the Gram matrix, as its documentation says.
@pytest.mark.parametrize("method", sorted(set(METHODS) - {"columns_exchange"}))
def test_memory_grows_with_the_factor_and_not_with_its_square(method):
    r, n = 20, draws(SLOW.get(method, 2000), SLOW.get(method, 20_000))
    cov = Covariance.from_factor(np.random.default_rng(0).normal(size=(r, n)) * np.linspace(1, 3, n))
    tracemalloc.start()
    try:
        candidate(cov, 5, method=method)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The square array would be n / r >= 100 times the factor.
    assert peak < 40 * 8 * r * n

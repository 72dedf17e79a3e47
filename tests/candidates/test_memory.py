"""Thin-factor and sparse covariances are never squared, but by the exchange of columns, which says so."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse
from draws import draws

from relaxspca import Covariance, candidate
from relaxspca.candidates import METHODS

# The slower methods show their growth on fewer variables just as well.
SLOW = {"auto": 5000, "elastic_net": 4000, "penalized_matrix": 4000, "thresholding": 4000, "greedy": 4000}


@pytest.fixture(autouse=True)
def refused(monkeypatch):
    def refuse(self):
        raise AssertionError("the n x n matrix was formed")

    monkeypatch.setattr(Covariance, "matrix", property(refuse))


@pytest.mark.parametrize("method", METHODS)
def test_the_square_of_sparse_data_is_never_asked_for(method):
    # Above the number of variables up to which rows are read from the matrix.
    X = scipy.sparse.random(60, draws(900, 3000), density=0.01, random_state=1, format="csr")
    assert len(candidate(Covariance.from_data(X), 4, method=method).indices) == 4


@pytest.mark.parametrize("method", [name for name in METHODS if name != "columns_exchange"])
def test_memory_grows_with_the_factor_and_not_with_its_square(method):
    r, n = 40, draws(2000, SLOW.get(method, 20_000))
    cov = Covariance.from_factor(np.random.default_rng(0).normal(size=(r, n)) * np.linspace(1, 3, n))
    tracemalloc.start()
    try:
        candidate(cov, 5, method=method)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The square array would be n / r >= 50 times the factor.
    assert peak < 40 * 8 * r * n

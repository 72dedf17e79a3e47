"""Thin-factor and sparse covariances are never squared."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse

from relaxspca import Covariance, candidate
from relaxspca.candidates import METHODS

N = 3000
SQUARE = 8 * N * N


@pytest.fixture(scope="module")
def instances():
    rows = np.random.default_rng(0).normal(size=(12, N)) * np.linspace(1, 3, N)
    X = scipy.sparse.random(60, N, density=0.01, random_state=1, format="csr")
    return {"thin": Covariance.from_factor(rows), "sparse": Covariance.from_data(X)}


# Backward elimination takes n steps, too many for a test.
@pytest.mark.parametrize("kind", ["thin", "sparse"])
@pytest.mark.parametrize("method", [name for name in METHODS if name != "backward_elimination"])
def test_the_square_matrix_is_never_asked_for(instances, monkeypatch, method, kind):
    def refuse(self):
        raise AssertionError("the n x n matrix was formed")

    monkeypatch.setattr(Covariance, "matrix", property(refuse))
    assert len(candidate(instances[kind], 4, method).support) == 4


@pytest.mark.parametrize("method", ["auto", "spannogram", "penalized_matrix"])
def test_memory_stays_below_a_square_array(instances, method):
    tracemalloc.start()
    try:
        candidate(instances["thin"], 4, method)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < SQUARE

import numpy as np
import pytest

from relaxspca import Covariance, InputError
from relaxspca.candidates.thresholding import SOURCES, largest_entries, thresholding
from relaxspca.datasets import load_pitprops


def test_each_source_truncates_what_it_says():
    X = np.random.default_rng(0).normal(size=(6, 8))
    cov = Covariance(X.T @ X)
    leading = np.linalg.eigh(cov.matrix)[1][:, -1]
    assert set(thresholding(cov, 3, source="eigenvector").indices) == set(np.argsort(-np.abs(leading))[:3])
    assert set(thresholding(cov, 3, source="diagonal").indices) == set(np.argsort(-cov.diagonal)[:3])
    rows = [set(np.argsort(-np.abs(row))[:3]) for row in cov.matrix]
    assert set(thresholding(cov, 3, source="rows").indices) in rows


def test_the_best_source_is_kept():
    cov = load_pitprops()
    for k in range(1, 14):
        each = [thresholding(cov, k, source=source).value for source in SOURCES]
        assert thresholding(cov, k).value == max(each)


def test_equal_entries_are_taken_in_the_order_of_the_variables():
    assert largest_entries(np.array([[1.0, 1.0 + 1e-15, -1.0, 0.5]]), 2).tolist() == [[0, 1]]


def test_unknown_source_is_named():
    with pytest.raises(InputError, match="columns"):
        thresholding(load_pitprops(), 3, source="columns")

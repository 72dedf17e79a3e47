import numpy as np

from relaxspca import Candidate, Covariance
from relaxspca.candidates.thresholding import SOURCES, largest_entries, thresholding, truncations
from relaxspca.datasets import load_pitprops


def test_each_source_truncates_what_it_says():
    X = np.random.default_rng(0).normal(size=(6, 8))
    cov = Covariance(X.T @ X)
    leading = np.linalg.eigh(cov.matrix)[1][:, -1]
    (support,) = truncations(cov, 3, ("eigenvector",))
    assert set(support) == set(np.argsort(-np.abs(leading))[:3])
    (support,) = truncations(cov, 3, ("diagonal",))
    assert set(support) == set(np.argsort(-cov.diagonal)[:3])
    rows = [set(np.argsort(-np.abs(row))[:3]) for row in cov.matrix]
    assert all(set(support) in rows for support in truncations(cov, 3, ("rows",)))


def test_the_best_source_is_kept():
    cov = load_pitprops()
    for k in range(1, 14):
        supports = (T for source in SOURCES for T in truncations(cov, k, (source,)))
        assert thresholding(cov, k).value == max(Candidate.from_support(cov, T).value for T in supports)


def test_equal_entries_are_taken_in_the_order_of_the_variables():
    assert largest_entries(np.array([[1.0, 1.0 + 1e-15, -1.0, 0.5]]), 2).tolist() == [[0, 1]]

import numpy as np

from relaxspca import Candidate, Covariance
from relaxspca.candidates.thresholding import largest_entries, thresholding, truncations


def test_the_leading_eigenvector_the_diagonal_and_the_rows_are_truncated():
    X = np.random.default_rng(0).normal(size=(6, 8))
    cov = Covariance(X.T @ X)
    leading, *rows = (
        tuple(np.sort(np.argsort(-np.abs(entries))[:3]))
        for entries in (np.linalg.eigh(cov.matrix)[1][:, -1], cov.diagonal, *cov.matrix)
    )
    assert [*map(tuple, truncations(cov, 3, of_rows=False))] == [leading, rows[0]]
    assert set(map(tuple, truncations(cov, 3))) == {leading, *rows}


def test_the_best_truncation_is_kept(cov):
    for k in range(1, 14):
        values = [Candidate.from_support(cov, T).value for T in truncations(cov, k)]
        assert thresholding(cov, k).value == max(values)


def test_equal_entries_are_taken_in_the_order_of_the_variables():
    assert largest_entries(np.array([[1.0, 1.0 + 1e-15, -1.0, 0.5]]), 2).tolist() == [[0, 1]]

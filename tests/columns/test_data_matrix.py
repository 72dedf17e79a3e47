"""The implicit data matrix against the explicit one."""

import numpy as np
import pytest
from scipy import sparse

from relaxspca.columns import SELECTIONS, as_data_matrix, best_rank_k_in_span
from relaxspca.columns import data_matrix as module


@pytest.mark.parametrize("dense_dimension", [1000, 0])
@pytest.mark.parametrize("shape", [(40, 90), (90, 40)])
def test_leading_space_by_decomposition_and_by_iteration(shape, dense_dimension, monkeypatch):
    """Of sparse data that are centred and deflated."""
    monkeypatch.setattr(module, "DENSE_DIMENSION", dense_dimension)
    X = sparse.random(*shape, density=0.1, random_state=2, format="csr")
    explicit = X.toarray() - X.toarray().mean(axis=0)
    Q = np.linalg.qr(np.random.default_rng(1).standard_normal((shape[0], 3)))[0]
    implicit = as_data_matrix(X, centre=True)
    values, V = implicit.minus(Q, implicit.adjoint(Q).T).leading(4)
    _, expected, Wt = np.linalg.svd(explicit - Q @ (Q.T @ explicit))
    np.testing.assert_allclose(values, expected[:4], rtol=1e-9)
    np.testing.assert_allclose(np.abs(V.T @ Wt[:4].T), np.eye(4), atol=1e-7)
    np.testing.assert_allclose(V.T @ V, np.eye(4), atol=1e-12)


def test_leading_vectors_are_orthonormal_beyond_the_rank():
    X = np.outer(np.arange(1.0, 5.0), np.ones(6))
    for data in (X, sparse.csr_array(X), sparse.csr_array(X.T)):
        values, V = as_data_matrix(data).leading(3)
        np.testing.assert_allclose(values, [np.linalg.norm(X), 0, 0], atol=1e-10)
        np.testing.assert_allclose(V.T @ V, np.eye(3), atol=1e-10)


@pytest.mark.parametrize("selection", SELECTIONS)
def test_sparse_and_dense_data_give_the_same_columns_and_stay_sparse(selection, monkeypatch):
    X = sparse.random(450, 700, density=0.02, random_state=0, format="csc")
    dense = SELECTIONS[selection](as_data_matrix(X.toarray(), centre=True), 3, 12)
    shapes = []
    toarray = sparse.csc_matrix.toarray

    def watched(self, *args, **kwargs):
        shapes.append(self.shape)
        return toarray(self, *args, **kwargs)

    for kind in (sparse.csc_matrix, sparse.csc_array, sparse.csr_matrix, sparse.csr_array):
        monkeypatch.setattr(kind, "toarray", watched)
    data = as_data_matrix(X, centre=True)
    assert SELECTIONS[selection](data, 3, 12).tolist() == dense.tolist()
    assert best_rank_k_in_span(data, dense, 3).loss > 0
    # Blocks of at most 12 columns, and for the exchange the Gram matrix; never the data.
    assert all(shape[1] <= 12 or shape == (700, 700) for shape in shapes)
    assert shapes

"""Leading eigenvectors of a covariance, dense or by products only."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

from relaxspca.covariance import Covariance
from relaxspca.linalg import Array, oriented

__all__ = ["leading_eigenpairs"]

# Up to this many variables all eigenvectors at once are quicker than products.
_SMALL = 300


def leading_eigenpairs(cov: Covariance, d: int) -> tuple[Array, Array]:
    """Return the d largest eigenvalues, descending, and their eigenvectors (n, d), each of fixed sign."""
    n = cov.n
    if n <= _SMALL or d >= n // 4:
        values, vectors = eigh(cov.matrix, subset_by_index=(n - d, n - 1), check_finite=False)
    else:
        operator = LinearOperator((n, n), matvec=cov.product, matmat=cov.product, dtype=np.float64)
        start = np.sqrt(np.maximum(cov.diagonal, 0.0)) + 1e-3 * np.sqrt(cov.diagonal.max())
        values, vectors = eigsh(operator, k=d, which="LA", v0=start)
        order = np.argsort(values, kind="stable")
        values, vectors = values[order], vectors[:, order]
    return values[::-1].copy(), np.column_stack([oriented(u) for u in vectors.T[::-1]])

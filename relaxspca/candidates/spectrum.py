"""Leading eigenvectors of a covariance, dense or by products only."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import Array, oriented
from relaxspca.problem.covariance import Covariance

__all__ = ["NOTHING", "leading_eigenpairs"]

NOTHING = 1e-12  # of the largest eigenvalue: what rounding errors leave

# Up to this many variables all eigenvectors at once are quicker than products.
_SMALL = 300


def leading_eigenpairs(cov: Covariance, d: int) -> tuple[Array, Array]:
    """Return the d largest eigenvalues, descending, and their eigenvectors (n, d), each of fixed sign."""
    n = cov.n
    if n <= _SMALL or d >= n // 4:
        values, vectors = np.linalg.eigh(cov.matrix)
        values, vectors = values[n - d :], vectors[:, n - d :]
    else:
        from scipy.sparse.linalg import LinearOperator, eigsh

        operator = LinearOperator((n, n), matvec=cov.product, matmat=cov.product, dtype=np.float64)
        variances = np.maximum(cov.diagonal + cov.shift, 0.0)
        start = np.sqrt(variances) + 1e-3 * np.sqrt(variances.max())
        values, vectors = eigsh(operator, k=d, which="LA", v0=start)
        order = np.argsort(values, kind="stable")
        values, vectors = values[order], vectors[:, order]
    return values[::-1].copy(), np.column_stack([oriented(u) for u in vectors.T[::-1]])

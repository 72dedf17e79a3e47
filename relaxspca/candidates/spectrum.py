"""Leading eigenvectors of a covariance, by a dense decomposition or by products only."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from relaxspca.numerics.linalg import FEW, HELD, MANY, Array, as_array, oriented
from relaxspca.problem.covariance import Covariance

NOTHING = 1e-12  # of the largest eigenvalue: the level of rounding errors

_RESTARTS = 50  # of products; up to `HELD` variables a dense decomposition follows if they fail

# Cache of the leading pairs by their number and tolerance: methods begin with one, tables end with a few.
_PAIRS: WeakKeyDictionary[Covariance, dict[tuple[int, float], tuple[Array, Array]]] = WeakKeyDictionary()


def leading_eigenpairs(cov: Covariance, d: int, *, tol: float = 0.0) -> tuple[Array, Array]:
    """Return the d largest eigenvalues, descending, and their eigenvectors (n, d), each of fixed sign."""
    known = _PAIRS.setdefault(cov, {})
    if (d, tol) not in known:
        values, vectors = _found(cov, d, tol)
        known[d, tol] = as_array(values), as_array(vectors)
    return known[d, tol]


def leading_direction(cov: Covariance) -> Array:
    """Return (n,) about the leading eigenvector; of many variables only as near as a heuristic needs."""
    is_known = (1, 0.0) in _PAIRS.get(cov, ())
    return leading_eigenpairs(cov, 1, tol=0.0 if cov.n <= MANY or is_known else 1e-2)[1][:, 0]


def _found(cov: Covariance, d: int, tol: float) -> tuple[Array, Array]:
    n = cov.n
    if n <= FEW or d >= n // 4:
        values, vectors = cov.eigenpairs
        values, vectors = values[n - d :], vectors[:, n - d :]
    else:
        import scipy.linalg
        from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

        operator = LinearOperator((n, n), matvec=cov.product, matmat=cov.product, dtype=np.float64)
        variances = np.maximum(cov.diagonal + cov.shift, 0.0)
        start = np.sqrt(variances) + 1e-3 * np.sqrt(variances.max())
        try:
            most = _RESTARTS if n <= HELD else None
            values, vectors = eigsh(operator, k=d, which="LA", v0=start, maxiter=most, tol=tol)
        except ArpackNoConvergence:
            if n > HELD:
                raise
            values, vectors = scipy.linalg.eigh(cov.matrix, subset_by_index=(n - d, n - 1))
        order = np.argsort(values, kind="stable")
        values, vectors = values[order], vectors[:, order]
    return values[::-1].copy(), np.column_stack([oriented(u) for u in vectors.T[::-1]])

"""A dense or sparse data matrix minus a low-rank part, with the operations of the column algorithms."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import Array, Indices, as_array, oriented
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gram import DenseGram
from relaxspca.problem.observations import (
    checked_matrix,
    checked_names,
    is_sparse,
    whole_number,
    without_constants,
)
from relaxspca.problem.semidefinite import eigenvalue_factor, shift_to_semidefinite
from relaxspca.results.claims import matrix_words

# If the smaller dimension is at most this, a full decomposition is as fast as an iteration, and never stalls.
DENSE_DIMENSION = 400


@dataclass(frozen=True, eq=False)
class DataMatrix:
    """The matrix ``D = X - left @ right``, which is not formed when ``X`` is sparse.

    The low-rank part carries centring (``left`` a column of ones, ``right`` the means) and
    deflation (``left`` an orthonormal basis ``Q``, ``right = Q'X``); dense data absorb it at once.

    Parameters
    ----------
    base : ndarray or scipy sparse array, shape (m, n)
        Observations by variables.
    left, right : (m, p) and (p, n)
        Factors of the part subtracted from a sparse ``base``; p = 0 where there is none.
    negligible : (n,)
        Length below which each column is rounding error (unit of the data).
    labels : tuple of n str or None
        Names of the variables, if the data have them.
    covariance : str
        In words the covariance that stands for the data; nothing where there are observations.
    """

    base: Any
    left: Array
    right: Array
    negligible: Array
    labels: tuple[str, ...] | None = None
    covariance: str = ""
    _found: dict[int, tuple[Array, Array]] = field(default_factory=dict, init=False, repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Observations and variables, (m, n)."""
        m, n = self.base.shape
        return int(m), int(n)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the n variables; x0, x1, ... if the data have none."""
        return checked_names(self.labels, self.shape[1])

    @property
    def words(self) -> str:
        """Which matrix it is."""
        observed = " of ".join(map(counted, self.shape, ("observation", "variable")))
        return self.covariance or observed

    @property
    def is_sparse(self) -> bool:
        """Whether the stored matrix is a scipy sparse one."""
        return is_sparse(self.base)

    def columns(self, indices: ArrayLike) -> Array:
        """Return the columns ``indices`` as a dense (m, r) array."""
        chosen = np.asarray(indices, dtype=np.int64)
        block = self.base[:, chosen]
        dense: Array = block.toarray() if self.is_sparse else np.asarray(block)
        return dense - self.left @ self.right[:, chosen]

    def resolved_columns(self, indices: Indices) -> Array:
        """Return the columns ``indices``, (m, r), with columns at the level of rounding set to 0."""
        block = self.columns(indices)
        return np.where(np.linalg.norm(block, axis=0) > self.negligible[indices], block, 0.0)

    def product(self, V: Array) -> Array:
        """Return ``D @ V`` for V of shape (n,) or (n, p)."""
        return np.asarray(self.base @ V - self.left @ (self.right @ V))

    def adjoint(self, Q: Array) -> Array:
        """Return ``D' @ Q`` for Q of shape (m,) or (m, p)."""
        return np.asarray(self.base.T @ Q - self.right.T @ (self.left.T @ Q))

    def column_norms(self) -> Array:
        """Return the squared Euclidean norms of the columns, (n,)."""
        if not self.is_sparse:
            return np.asarray(np.einsum("ij,ij->j", self.base, self.base))
        norms = np.asarray(self.base.multiply(self.base).sum(axis=0), dtype=float).ravel()
        cross = np.einsum("ij,ij->j", self.base.T.dot(self.left).T, self.right)
        low_rank = np.einsum("ij,ij->j", self.right, (self.left.T @ self.left) @ self.right)
        return np.asarray(np.maximum(norms - 2.0 * cross + low_rank, 0.0))

    def gram(self) -> Array:
        """Return ``D'D``, (n, n)."""
        if not self.is_sparse:
            return np.asarray(self.base.T @ self.base)
        base, left, right = self.base, self.left, self.right
        cross = (base.T @ left) @ right
        return np.asarray((base.T @ base).toarray() - cross - cross.T + right.T @ (left.T @ left) @ right)

    def outside(self, Q: Array) -> DataMatrix:
        """Return what is left of the columns outside the span of Q, (m, q) orthonormal: ``D - QQ'D``."""
        return self.minus(Q, self.adjoint(Q).T)

    def energy(self) -> float:
        """Return ``|D|_F^2``."""
        return float(self.column_norms().sum())

    def minus(self, left: Array, right: Array) -> DataMatrix:
        """Return ``D - left @ right``."""
        if not self.is_sparse:
            return replace(self, base=self.base - left @ right)
        return replace(self, left=np.hstack([self.left, left]), right=np.vstack([self.right, right]))

    def leading(self, k: int) -> tuple[Array, Array]:
        """Return the k largest singular values (k,) and right singular vectors (n, k).

        The vectors are orthonormal even where a singular value is zero, and their signs
        are fixed (largest absolute entry positive), so the result is deterministic.
        """
        k = whole_number(k, "k", most=min(self.shape), of=", the smaller dimension of the data")
        if k not in self._found:
            self._found[k] = self._singular(k)
        return self._found[k]

    def _singular(self, k: int) -> tuple[Array, Array]:
        m, n = self.shape
        if min(m, n) <= DENSE_DIMENSION or k >= min(m, n) - 1:
            values, V = self._leading_dense(k)
        else:
            from scipy.sparse.linalg import LinearOperator, svds

            operator = LinearOperator(
                self.shape,
                matvec=self.product,
                rmatvec=self.adjoint,
                matmat=self.product,
                rmatmat=self.adjoint,
                dtype=float,
            )
            start = np.random.default_rng(0).standard_normal(min(m, n))
            _, found, Vt = svds(operator, k=k, v0=start)
            order = np.argsort(-found, kind="stable")
            values, V = np.asarray(found[order], dtype=float), np.asarray(Vt[order].T, dtype=float)
        return as_array(values), as_array(np.column_stack([oriented(v) for v in V.T]))

    def _leading_dense(self, k: int) -> tuple[Array, Array]:
        if not self.is_sparse:
            _, values, Vt = np.linalg.svd(self.base, full_matrices=False)
            return values[:k], Vt[:k].T
        m, n = self.shape
        turned = replace(self, base=self.base.T, left=self.right.T, right=self.left.T)
        V = np.linalg.eigh((self if m >= n else turned).gram())[1][:, ::-1][:, :k]
        if m < n:
            # QR completes the vectors of zero singular values.
            V, _ = np.linalg.qr(self.adjoint(V))
        # Rayleigh-Ritz in the space found restores the accuracy lost by squaring to the Gram matrix.
        _, values, rotation = np.linalg.svd(self.product(V), full_matrices=False)
        return values, V @ rotation.T


def checked_columns(columns: ArrayLike, n: int) -> Indices:
    """Return distinct sorted column numbers; raise `InputError` if one is not in 0, ..., n - 1.

    Examples
    --------
    >>> checked_columns([2, 0, 2], 3)
    array([0, 2])
    """
    given = np.atleast_1d(np.asarray(columns))
    if given.size and (given.ndim != 1 or given.dtype.kind not in "iu"):
        raise InputError(f"columns are given by whole numbers from 0 to {n - 1}, not {columns!r}")
    chosen = np.unique(given.astype(np.int64))
    if chosen.size and not 0 <= chosen[0] <= chosen[-1] < n:
        wrong = chosen[0] if chosen[0] < 0 else chosen[-1]
        raise InputError(f"column {wrong} is outside 0..{n - 1}")
    return chosen


def as_data_matrix(data: Any, *, centre: bool = False) -> DataMatrix:
    """Return observations, or the factor of a covariance, as a data matrix.

    Parameters
    ----------
    data : array, sparse array, DataFrame, Covariance or DataMatrix
        Observations (m, n), or a positive semidefinite covariance, whose factor ``A`` with
        ``A'A = Sigma`` stands for the data (losses depend on the data through ``Sigma`` only).
    centre : bool
        Subtract the column means (implicitly when sparse). Ignored for a covariance.

    Returns
    -------
    DataMatrix

    Raises
    ------
    InputError
        If the data are not a finite real matrix, or the covariance is not positive semidefinite.

    Examples
    --------
    >>> import numpy as np
    >>> as_data_matrix(np.array([[1.0, 2.0], [3.0, 4.0]]), centre=True).columns([0])
    array([[-1.],
           [ 1.]])
    """
    if isinstance(data, DataMatrix):
        return data
    if isinstance(data, Covariance):
        return replace(_factor_of(data), covariance=matrix_words(data))
    base, labels = checked_matrix(data, what="data matrix")
    if not centre:
        return _whole(base, labels)
    base, means = without_constants(base, np.asarray(base.sum(axis=0), dtype=float).ravel() / base.shape[0])
    return _whole(base, labels, means=means)


def _factor_of(cov: Covariance) -> DataMatrix:
    """Return A with A'A = Sigma."""
    cov.check_complete("a loss")
    if cov.shift > 0.0:
        raise InputError(
            "a covariance must be positive semidefinite here; this one needs the shift "
            f"{cov.shift:.3g} on its diagonal"
        )
    if cov.is_factored:
        return _whole(cov.factor, cov.names)
    # A factor of the entries leaves out eigenvalues at the level of their rounding.
    lengths = math.sqrt(8 * cov.n * np.finfo(float).eps) * np.sqrt(cov.diagonal)
    if isinstance(cov._gram, DenseGram):
        # Scaled by powers of two to variances near 1, it has the digits of every variable, unless entries of
        # small ones are rounding errors, with which the scaled matrix is not semidefinite.
        scale = np.ldexp(1.0, np.frexp(np.sqrt(cov.diagonal))[1])
        scaled = cov.matrix / np.outer(scale, scale)
        if shift_to_semidefinite(scaled) == 0.0:
            return _whole(eigenvalue_factor(scaled, 0.0) * scale, cov.names, lengths)
    return _whole(cov.factor, cov.names, lengths.max())


def _whole(
    base: Any, labels: tuple[str, ...] | None, least: Array | float = 0.0, *, means: Array | None = None
) -> DataMatrix:
    """Return a matrix less its means; what is below the `least` length of a column is rounding error."""
    m, n = base.shape
    matrix = DataMatrix(base, np.zeros((m, 0)), np.zeros((0, n)), np.zeros(n), labels)
    if means is not None:
        matrix = matrix.minus(np.ones((m, 1)), means[None, :])
    rounding = 8 * n * np.finfo(float).eps * math.sqrt(matrix.column_norms().max())
    return replace(matrix, negligible=np.maximum(least, np.full(n, rounding)))


@dataclass(frozen=True, eq=False)
class SpanApproximation:
    """The approximation ``basis @ coefficients``, of rank at most k.

    Attributes
    ----------
    basis : (m, q)
        Orthonormal basis Q of the span of the columns.
    coefficients : (q, p)
        ``(Q'Y)_k``, the best rank-k approximation of the target's coordinates.
    loss : float
        Squared Frobenius norm of target minus approximation.
    """

    basis: Array
    coefficients: Array
    loss: float


def best_rank_k_in_span(
    data: Any, columns: ArrayLike, k: int, *, target: Array | None = None
) -> SpanApproximation:
    r"""Approximate a target with rank k inside the span of columns of the data.

    .. math:: \min |Y - Z|_F^2 \quad \text{s.t. rank } Z \le k,\ Z = C M \text{ for some } M,
        \qquad Z = Q (Q'Y)_k

    Parameters
    ----------
    data : as in `dual_set_columns`.
    columns : (r,) int
        Columns C of the data.
    k : int
        Rank.
    target : (m, p) or None
        Y; None is the data themselves.

    Returns
    -------
    SpanApproximation

    Notes
    -----
    ``|Y - QM|^2 = |Y - QQ'Y|^2 + |Q'Y - M|^2``, and the last term is least at the truncated
    singular value decomposition. A rank-deficient C is allowed; a column at the level of rounding, relative to
    the longest column of the data, counts as zero.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, SIAM J. Comput. 43 (2014), section 2.

    Examples
    --------
    >>> import numpy as np
    >>> best_rank_k_in_span(np.diag([3.0, 2.0, 1.0]), [0, 1], 1).loss
    5.0
    """
    matrix = as_data_matrix(data)
    chosen = checked_columns(columns, matrix.shape[1])
    Q = orthonormal_basis(matrix.columns(chosen), matrix.negligible[chosen])
    if target is None:
        coordinates = matrix.adjoint(Q).T
        outside = matrix.minus(Q, coordinates).energy()
    else:
        coordinates = Q.T @ target
        outside = float(np.square(target - Q @ coordinates).sum())
    U, values, Vt = np.linalg.svd(coordinates, full_matrices=False)
    coefficients = (U[:, :k] * values[:k]) @ Vt[:k]
    return SpanApproximation(Q, coefficients, outside + float(np.square(values[k:]).sum()))


def orthonormal_basis(C: Array, negligible: Array | float = 0.0) -> Array:
    """Return an orthonormal basis (m, q) of the span of columns (m, r); q is the numerical rank.

    Small columns count as much as large ones, but for those whose part outside the span of the others is no
    longer than what is negligible of it, (r,).
    """
    from scipy.linalg import qr

    if C.shape[1] == 0:
        return np.zeros((C.shape[0], 0))
    Q, R, order = qr(C, mode="economic", pivoting=True)
    parts = np.abs(np.diagonal(R))
    rounding = 8 * max(C.shape) * np.finfo(float).eps * np.linalg.norm(C, axis=0)
    return np.asarray(Q[:, parts > np.maximum(rounding, negligible)[order[: parts.size]]])

"""Least squares on k features, each a combination of the same r columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.columns import DataMatrix, as_data_matrix, best_rank_k_in_span, dual_set_columns
from relaxspca.columns.data_matrix import checked_columns
from relaxspca.errors import InputError, counted, in_line
from relaxspca.numerics.decimals import rounded, rounded_up
from relaxspca.numerics.linalg import Array, Indices, as_array, spread
from relaxspca.problem.observations import real_array, whole_number
from relaxspca.results.loadings import Loadings
from relaxspca.results.printable import Printable


@dataclass(frozen=True, eq=False, repr=False)
class FeatureRegression(Printable):
    """A linear model on k features of the data.

    Attributes
    ----------
    columns : (r,) int64
        Columns that the features use; all n for dense features.
    loadings_array : (n, k)
        Features are ``X @ loadings_array``; rows off `columns` are zero.
    weights : (k, p)
        Regression weights of the features.
    error : float
        In-sample error ``|Y - X @ coefficients|_F``.
    dense_error : float
        In-sample error of regression on the k leading principal components.
    bound : float or None
        A theorem's upper bound on the error; None when no theorem applies.
    method : str
        Name of the method that chose the columns.
    names : tuple of n str
    data_words : str
        Which matrix the columns are of.
    """

    columns: Indices
    loadings_array: Array
    weights: Array
    error: float
    dense_error: float
    bound: float | None
    method: str
    names: tuple[str, ...]
    data_words: str = ""

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict: the columns used, the errors and the theorem's bound."""
        columns = " ".join(map(str, self.columns))
        names = ("error", "dense_error", "bound", "method")
        support = in_line(self.support, "; ")
        return [
            {"r": len(self.columns), "support": support, "columns": columns}
            | {name: getattr(self, name) for name in names}
        ]

    def _statement(self) -> list[str]:
        lines = [
            f"Regression on {counted(len(self.weights), 'feature')} of {counted(len(self.columns), 'column')} "
            f"of {self.data_words} by {self.method}: error {rounded(self.error, 6)}.",
            f"Regression on as many ordinary PCs: error {rounded(self.dense_error, 6)}.",
        ]
        if self.bound is not None:
            lines.append(f"A theorem bounds the error by {rounded_up(self.bound, 6)}.")
        return lines

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the columns that the features use."""
        return tuple(self.names[i] for i in self.columns)

    @property
    def loadings(self) -> tuple[Loadings, ...]:
        """Loadings of every feature by name, the largest first."""
        return tuple(Loadings(self.names, feature) for feature in self.loadings_array.T)

    @property
    def coefficients(self) -> Array:
        """Weights of the original variables, (n, p)."""
        return np.asarray(self.loadings_array @ self.weights)

    def predict(self, X: Any) -> Array:
        """Return the predictions (m, p) for observations (m, n)."""
        return np.asarray(X @ self.coefficients)


def sparse_feature_regression(
    data: Any,
    Y: ArrayLike,
    columns: ArrayLike,
    k: int,
    *,
    bound: float | None = None,
    method: str = "columns",
) -> FeatureRegression:
    r"""Regress on the k best features inside the span of chosen columns.

    .. math:: \min_W |Y - X \hat V W|_F = |Y - \Pi_{C,k}(Y)|_F, \qquad
        \hat V = \Omega U \Sigma,\quad C^+ \Pi_{C,k}(Y) = U \Sigma Z'

    Parameters
    ----------
    data : array, sparse array or DataMatrix, shape (m, n)
        Observations by variables, used as they are.
    Y : (m,) or (m, p)
        Targets.
    columns : (r,) int
        Columns C that the features may use.
    k : int
        Number of features.
    bound : float or None
        Error bound to record in the result.
    method : str
        Name to record.

    Returns
    -------
    FeatureRegression

    Raises
    ------
    InputError
        k or the targets do not fit the data.

    Notes
    -----
    A single target has a best approximation of rank one whatever k is, so for p = 1 the model is least
    squares on the r columns.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, "Sparse features for PCA-like linear regression", NIPS 2011.

    Examples
    --------
    >>> import numpy as np
    >>> model = sparse_feature_regression(np.eye(3), [1.0, 2.0, 3.0], [1, 2], 1)
    >>> model.error, model.coefficients.ravel().round(6).tolist()
    (1.0, [0.0, 2.0, 3.0])
    """
    matrix = as_data_matrix(data)
    targets, k = checked_targets(matrix, Y, k)
    chosen = checked_columns(columns, matrix.shape[1])
    best = best_rank_k_in_span(matrix, chosen, k, target=targets)
    C = matrix.resolved_columns(chosen)
    psi, *_ = np.linalg.lstsq(C, best.basis @ best.coefficients, rcond=None)
    U, values, _ = np.linalg.svd(psi, full_matrices=False)
    size = min(k, int(np.count_nonzero(values > values.max(initial=0.0) * 1e-12)))
    loadings = spread(U[:, :size] * values[:size], chosen, matrix.shape[1])
    features = C @ loadings[chosen]
    weights, *_ = np.linalg.lstsq(features, targets, rcond=None)
    about: dict[str, Any] = {"columns": chosen, "bound": bound, "method": method}
    return _regression(matrix, targets, k, loadings, features, weights, **about)


def _regression(
    matrix: DataMatrix, Y: Array, k: int, loadings: Array, features: Array, weights: Any, **about: Any
) -> FeatureRegression:
    """Return a regression of (m, p) targets on (m, k) features with its error."""
    return FeatureRegression(
        loadings_array=as_array(loadings),
        weights=as_array(weights),
        error=float(np.linalg.norm(Y - features @ weights)),
        dense_error=principal_error(matrix, Y, k),
        names=matrix.names,
        data_words=matrix.words,
        **about,
    )


def dsf_select(data: Any, Y: ArrayLike, k: int, r: int) -> FeatureRegression:
    r"""Regress on k features of r columns chosen deterministically, without looking at Y.

    .. math:: |Y - \Pi_{C,k}(Y)|_F \le |Y - U_kU_k'Y|_F
        + \frac{1}{1 - \sqrt{k/r}}\, \frac{|X - X_k|_F}{\sigma_k(X)}\, |Y|_2

    Parameters
    ----------
    data, Y, k : as in `sparse_feature_regression`.
    r : int
        Number of columns, ``k < r <= n``.

    Returns
    -------
    FeatureRegression
        Its ``bound`` is the right-hand side (``inf`` when the k-th singular value is zero).

    Raises
    ------
    InputError
        k, r or the targets do not fit the data.

    Notes
    -----
    The published factor ``1 + sqrt(9k/r)`` is at least the one used here, and so follows from it, only for
    ``r >= 9k/4``; see docs/theory/encoders.md.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, NIPS 2011, Theorem 1 (DSF-Select).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.diag([3.0, 2.0, 0.1])
    >>> model = dsf_select(X, [1.0, 1.0, 0.0], 1, 2)
    >>> model.columns.tolist(), model.error <= model.bound
    ([0, 1], True)
    """
    matrix = as_data_matrix(data)
    (targets, k), r = checked_targets(matrix, Y, k), whole_number(r, "r")
    columns, bound = dual_set_columns(matrix, k, r), principal_error(matrix, targets, k)
    values, _ = matrix.leading(k)
    tail = math.sqrt(max(float(matrix.column_norms().sum() - np.square(values).sum()), 0.0))
    if r < matrix.shape[1] and tail > 0.0:
        factor, size = 1.0 / (1.0 - math.sqrt(k / r)), float(np.linalg.norm(targets, 2))
        bound += factor * tail / float(values[-1]) * size if values[-1] > 0.0 else math.inf
    return sparse_feature_regression(matrix, targets, columns, k, bound=bound, method="dsf")


def principal_regression(data: Any, Y: ArrayLike, k: int) -> FeatureRegression:
    r"""Regress on the k leading principal components: dense features, as a baseline.

    .. math:: |Y - U_k U_k' Y|_F

    Parameters
    ----------
    data, Y : as in `sparse_feature_regression`.
    k : int
        Number of components; those of zero variance get no weight.

    Returns
    -------
    FeatureRegression

    Raises
    ------
    InputError
        k or the targets do not fit the data.

    Examples
    --------
    >>> import numpy as np
    >>> principal_regression(np.diag([3.0, 2.0, 1.0]), [1.0, 1.0, 1.0], 2).error
    1.0
    """
    matrix = as_data_matrix(data)
    targets, k = checked_targets(matrix, Y, k)
    values, V = matrix.leading(k)
    features = matrix.product(V)
    scale = np.where(values > values[0] * 1e-12, values, np.inf)
    weights = (features / scale).T @ targets / scale[:, None]
    about: dict[str, Any] = {"columns": np.arange(matrix.shape[1]), "bound": None, "method": "principal"}
    return _regression(matrix, targets, k, V, features, weights, **about)


def principal_error(matrix: DataMatrix, Y: Array, k: int) -> float:
    """Return ``|Y - U_k U_k'Y|_F``, U_k the leading left singular vectors of the data."""
    values, V = matrix.leading(k)
    used = values > values[0] * 1e-12
    U = matrix.product(V[:, used]) / values[used]
    return float(np.linalg.norm(Y - U @ (U.T @ Y)))


def checked_targets(matrix: DataMatrix, Y: ArrayLike, k: int) -> tuple[Array, int]:
    """Return targets as (m, p) floats and k as an int; raise `InputError` if they do not fit the data."""
    targets = real_array(Y, "matrix of targets")
    targets = targets[:, None] if targets.ndim == 1 else targets
    m = matrix.shape[0]
    if targets.ndim != 2 or targets.shape[0] != m or targets.shape[1] == 0:
        raise InputError(f"targets for {m} observations have shape ({m},) or ({m}, p); got {targets.shape}")
    if not np.isfinite(targets).all():
        raise InputError("targets hold NaN or infinite values; impute or drop them first")
    return targets, whole_number(k, "the number of features k", most=min(matrix.shape))

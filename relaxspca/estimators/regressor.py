"""PCA-like regression on sparse features as a scikit-learn regressor."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from relaxspca.columns import as_data_matrix
from relaxspca.errors import check_one_of
from relaxspca.estimators.sparse_input import SparseInput
from relaxspca.problem.observations import whole_number
from relaxspca.regression import dsf_select, principal_regression

METHODS = ("dsf", "principal")


class SparsePCARegressor(SparseInput, RegressorMixin, MultiOutputMixin, BaseEstimator):  # type: ignore[misc]
    """Least squares on k features of few variables, which are chosen without the targets.

    Parameters
    ----------
    n_components : int or None
        Number of features k; None is 5, or fewer when the data have fewer rows or columns.
    n_columns : int or None
        Number of variables r; None is ``2 k``, at most the number of variables.
    method : {"dsf", "principal"}
        Sparse features, or dense principal components.

    Attributes
    ----------
    coef_ : (n,) or (p, n)
        Coefficients of the variables.
    intercept_ : float or (p,)
        Prediction at the origin.
    columns_ : intp array
        Variables in use.
    error_, dense_error_ : float
        In-sample error, and that of regression on k principal components.
    error_bound_ : float or None
        A theorem's upper bound on the error.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = SparsePCARegressor(n_components=5, n_columns=6).fit(X, y)
    >>> model.columns_.size, model.error_ <= model.error_bound_
    (6, True)
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        n_columns: int | None = None,
        method: str = "dsf",
    ) -> None:
        self.n_components = n_components
        self.n_columns = n_columns
        self.method = method

    def fit(self, X: Any, y: Any) -> SparsePCARegressor:
        """Choose the variables and regress the targets (m,) or (m, p) on their features."""
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse=("csc", "csr"),
            dtype=np.float64,
            multi_output=True,
            y_numeric=True,
            ensure_min_samples=2,
        )
        targets = np.asarray(y, dtype=np.float64)
        offset = targets.mean(axis=0)
        fitted = self._fit(as_data_matrix(X, centre=True), targets - offset)
        coefficients = fitted.coefficients.T
        self.coef_ = coefficients[0] if targets.ndim == 1 else coefficients
        mean = np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
        self.intercept_ = offset - self.coef_ @ mean
        self.columns_ = fitted.columns
        self.error_ = fitted.error
        self.dense_error_ = fitted.dense_error
        self.error_bound_ = fitted.bound
        return self

    def _fit(self, matrix: Any, targets: Any) -> Any:
        check_one_of("method", self.method, METHODS)
        n = matrix.shape[1]
        given = self.n_components
        k = min(5, *matrix.shape) if given is None else whole_number(given, "n_components")
        r = min(2 * k, n) if self.n_columns is None else self.n_columns
        if self.method == "principal":
            return principal_regression(matrix, targets, k)
        return dsf_select(matrix, targets, k, r)

    def predict(self, X: Any) -> Any:
        """Return predictions (m,) or (m, p) for observations (m, n)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=("csc", "csr"), dtype=np.float64, reset=False)
        return np.asarray(X @ self.coef_.T) + self.intercept_

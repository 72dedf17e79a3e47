"""Sparse linear encoders as a scikit-learn transformer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from relaxspca.columns import as_data_matrix
from relaxspca.encoders import Encoder, batch_encoder, iterative_encoder
from relaxspca.errors import check_one_of
from relaxspca.estimators.seed import generator
from relaxspca.estimators.sparse_input import SparseInput
from relaxspca.problem.observations import whole_number

METHODS: dict[str, Callable[..., Encoder]] = {"batch": batch_encoder, "iterative": iterative_encoder}


class SparseLinearEncoder(SparseInput, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Encode observations by k numbers computed from few variables, with near-minimal loss.

    Parameters
    ----------
    n_components : int or None
        Number of factors k; None is 2, or fewer when the data have fewer rows or columns.
    n_columns : int or None
        Number of variables r: of all factors together for ``batch``, of each factor for ``iterative``.
        None is ``3 k``, at most the number of variables.
    method : {"batch", "iterative"}
        All factors on the same variables, or factor after factor.
    selection : str
        A name in `relaxspca.columns.SELECTIONS`.
    random_state : int, RandomState or None
        Seed of the random selections; None is a fixed seed.

    Attributes
    ----------
    components_ : (k, n)
        Encoder, one factor a row.
    decoder_ : (k, n)
        Best decoder.
    mean_ : (n,)
        Column means, subtracted before encoding (implicitly from sparse data).
    columns_ : intp array
        Variables in use.
    loss_, optimal_loss_ : float
        Squared reconstruction error, and that of k dense principal components.
    loss_bound_ : float or None
        A theorem's upper bound on the loss.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> encoder = SparseLinearEncoder(n_components=2, n_columns=4).fit(load_wine().data)
    >>> encoder.columns_.size, encoder.loss_ <= encoder.loss_bound_
    (4, True)
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        n_columns: int | None = None,
        method: str = "batch",
        selection: str = "dual_set",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.n_columns = n_columns
        self.method = method
        self.selection = selection
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> SparseLinearEncoder:
        """Choose the variables and fit encoder and decoder to observations (m, n)."""
        X = validate_data(self, X, accept_sparse=("csc", "csr"), dtype=np.float64, ensure_min_samples=2)
        check_one_of("method", self.method, METHODS)
        matrix = as_data_matrix(X, centre=True)
        k = min(2, *X.shape) if self.n_components is None else whole_number(self.n_components, "n_components")
        r = min(3 * k, X.shape[1]) if self.n_columns is None else self.n_columns
        rng = generator(self.random_state)
        fitted = METHODS[self.method](matrix, k, r, selection=self.selection, rng=rng)
        self.mean_ = np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
        self.components_ = np.array(fitted.loadings_array.T)
        self.decoder_ = np.array(fitted.decoder)
        self.columns_ = fitted.indices
        self.loss_ = fitted.loss
        self.optimal_loss_ = fitted.optimum
        self.loss_bound_ = fitted.bound
        return self

    def transform(self, X: Any) -> Any:
        """Return the codes (m, k) of observations (m, n)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=("csc", "csr"), dtype=np.float64, reset=False)
        return np.asarray(X @ self.components_.T) - self.mean_ @ self.components_.T

    def inverse_transform(self, X: Any) -> Any:
        """Return the reconstruction (m, n) of codes (m, k)."""
        check_is_fitted(self)
        return np.asarray(X) @ self.decoder_ + self.mean_

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

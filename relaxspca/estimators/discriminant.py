"""Certified sparse discriminant and canonical correlation analysis as scikit-learn estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from relaxspca.applications.discriminant import canonical_correlations, discriminants
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array

__all__ = ["CertifiedSparseCCA", "CertifiedSparseLDA"]


class CertifiedSparseLDA(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""A classifier by sparse Fisher discriminants, each with a proved optimality gap.

    Parameters
    ----------
    n_components : int or None
        Number of directions; None is the number of classes less one.
    k : int or None
        Variables of each direction. It has to be given.
    ridge : float
        Added to the variances within classes, after every variable is scaled to unit variance.
    gap : float
        Relative gap at which the proof of a direction may stop.
    time_limit : float or None
        Seconds for all directions.
    include, exclude : names or positions
        Variables that every direction must use (their loadings may be 0), and must not.

    Attributes
    ----------
    components_ : (n_components, n)
        Loadings of the scaled variables.
    mean_, scale_ : (n,)
        Subtracted from, and divided into, the observations.
    gaps_ : (n_components,)
        Proved relative gap of each direction; of later ones for the projected problem.
    results_ : tuple of Generalized
    classes_ : array of labels

    Notes
    -----
    Classes are assigned by scikit-learn's linear discriminant analysis of the scores. The proof is about the
    ratio between and within classes of the observations fitted, not about the accuracy of predictions.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> model = CertifiedSparseLDA(k=3).fit(X, y)
    >>> model.components_.shape, model.score(X, y) > 0.9, bool((model.gaps_ < 1e-6).all())
    ((2, 13), True, True)
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        k: int | None = None,
        ridge: float = 1e-3,
        gap: float = 0.0,
        time_limit: float | None = None,
        include: Any = (),
        exclude: Any = (),
    ) -> None:
        self.n_components = n_components
        self.k = k
        self.ridge = ridge
        self.gap = gap
        self.time_limit = time_limit
        self.include = include
        self.exclude = exclude

    def fit(self, X: Any, y: Any) -> CertifiedSparseLDA:
        """Find the directions for observations (m, n) of classes (m,)."""
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise InputError("y has one class only: two classes or more are needed")
        self.mean_ = X.mean(axis=0)
        self.scale_ = _deviations(X)
        if self.k is None:
            raise InputError("k is missing, how many variables each direction may use: k=5, for example")
        most = min(len(self.classes_) - 1, X.shape[1])
        count = most if self.n_components is None else self.n_components
        if not 1 <= count <= most:
            raise InputError(f"n_components = {count} is outside 1..{most}")
        self.results_ = tuple(
            discriminants(
                (X - self.mean_) / self.scale_,
                y,
                self.k,
                count,
                ridge=self.ridge,
                gap=self.gap,
                time_limit=self.time_limit,
                include=self.include,
                exclude=self.exclude,
                names=getattr(self, "feature_names_in_", None),  # of a data frame
            )
        )
        self.components_ = np.array([result.loadings_array for result in self.results_])
        self.gaps_ = np.array([result.gap for result in self.results_])
        self._classifier = LinearDiscriminantAnalysis().fit(self._scores(X), y)
        return self

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _scores(self, X: Array) -> Array:
        return np.asarray((X - self.mean_) / self.scale_ @ self.components_.T)

    def _checked(self, X: Any) -> Array:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False))

    def transform(self, X: Any) -> Any:
        """Return the scores (m, n_components) of observations (m, n)."""
        return self._scores(self._checked(X))

    def predict(self, X: Any) -> Any:
        """Return the classes (m,) of observations (m, n)."""
        scores = self.transform(X)
        return self._classifier.predict(scores)

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities (m, classes) of observations (m, n)."""
        scores = self.transform(X)
        return self._classifier.predict_proba(scores)

    def decision_function(self, X: Any) -> Any:
        """Return the scores of classes of observations (m, n)."""
        scores = self.transform(X)
        return self._classifier.decision_function(scores)


class CertifiedSparseCCA(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Sparse canonical correlation analysis: pairs of combinations, each with a proved bound.

    Parameters
    ----------
    n_components : int
        Number of pairs of combinations.
    k : int or None
        Variables of both combinations of a pair together; None is 6, or all when there are fewer.
    k_x, k_y : int or None
        In place of `k`: how many variables of the first set, and how many of the second.
    ridge : float
        Added to the variances, after every variable is scaled to unit variance.
    gap : float
        Relative gap at which the proof of a pair may stop.
    time_limit : float or None
        Seconds for all pairs.
    include, exclude : positions
        Variables that every pair must use (their loadings may be 0), and must not; variables of the second set
        are counted after those of the first.

    Attributes
    ----------
    x_weights_ : (n_components, p) array
    y_weights_ : (n_components, q) array
        Loadings of the scaled variables.
    correlations_ : (n_components,)
        Proved to be attained on the observations fitted, with the ridge.
    correlation_bounds_ : (n_components,)
        Proved upper bounds on the correlations, for later pairs in the projected problem.
    results_ : tuple of Generalized

    Examples
    --------
    >>> from sklearn.datasets import load_linnerud
    >>> X, Y = load_linnerud(return_X_y=True)
    >>> model = CertifiedSparseCCA(k=3, ridge=0.0).fit(X, Y)
    >>> round(float(model.correlations_[0]), 3), round(float(model.correlation_bounds_[0]), 3)
    (0.722, 0.722)
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        k: int | None = None,
        k_x: int | None = None,
        k_y: int | None = None,
        ridge: float = 1e-3,
        gap: float = 0.0,
        time_limit: float | None = None,
        include: Any = (),
        exclude: Any = (),
    ) -> None:
        self.n_components = n_components
        self.k = k
        self.k_x = k_x
        self.k_y = k_y
        self.ridge = ridge
        self.gap = gap
        self.time_limit = time_limit
        self.include = include
        self.exclude = exclude

    def fit(self, X: Any, y: Any) -> CertifiedSparseCCA:
        """Find the pairs for observations (m, p) and (m, q)."""
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        Y = check_array(y, dtype=np.float64, ensure_2d=False)
        Y = Y[:, None] if Y.ndim == 1 else Y
        self._means = X.mean(axis=0), Y.mean(axis=0)
        self._scales = _deviations(X), _deviations(Y)
        p = X.shape[1]
        self.results_ = tuple(
            canonical_correlations(
                (X - self._means[0]) / self._scales[0],
                (Y - self._means[1]) / self._scales[1],
                self._sizes(),
                self.n_components,
                ridge=self.ridge,
                gap=self.gap,
                time_limit=self.time_limit,
                include=self.include,
                exclude=self.exclude,
            )
        )
        loadings = np.array([result.loadings_array for result in self.results_])
        self.x_weights_, self.y_weights_ = loadings[:, :p], loadings[:, p:]
        self.correlations_ = np.array([result.lower for result in self.results_])
        self.correlation_bounds_ = np.array([result.upper for result in self.results_])
        return self

    def _sizes(self) -> int | tuple[int, int]:
        given = (self.k_x, self.k_y)
        if self.k_x is not None and self.k_y is not None and self.k is None:
            return self.k_x, self.k_y
        if given != (None, None):
            raise InputError("give k alone, or k_x and k_y together")
        if self.k is None:
            raise InputError("k is missing, how many variables each pair may use: k=6, or k_x=3 and k_y=3")
        return self.k

    def transform(self, X: Any, y: Any = None) -> Any:
        """Return the scores (m, n_components) of X, and of the second set if it is given."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scores = (X - self._means[0]) / self._scales[0] @ self.x_weights_.T
        if y is None:
            return scores
        Y = check_array(y, dtype=np.float64, ensure_2d=False)
        Y = Y[:, None] if Y.ndim == 1 else Y
        return scores, (Y - self._means[1]) / self._scales[1] @ self.y_weights_.T


def _deviations(X: Array) -> Array:
    """Return standard deviations, with 1 for constant columns."""
    deviations = X.std(axis=0)
    return np.asarray(np.where(deviations > 1e-12 * np.abs(X).max(axis=0), deviations, 1.0))

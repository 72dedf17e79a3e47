"""Certified sparse discriminant analysis as a scikit-learn classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from relaxspca.applications.discriminant import discriminants
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.observations import whole_number


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
        scaler = StandardScaler().fit(X)  # constant variables are divided by 1
        self.mean_, self.scale_ = scaler.mean_, scaler.scale_
        if self.k is None:
            raise InputError("k is missing, how many variables each direction may use: k=5, for example")
        most = min(len(self.classes_) - 1, X.shape[1])
        count = most if self.n_components is None else self.n_components
        count = whole_number(count, "n_components", most=most)
        options = {name: getattr(self, name) for name in ("ridge", "gap", "time_limit", "include", "exclude")}
        options["names"] = getattr(self, "feature_names_in_", None)  # of a data frame
        found = discriminants((X - self.mean_) / self.scale_, y, self.k, count, **options)
        self.results_ = found.rows
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
        scores = self.transform(X)  # first: it says that nothing was fitted
        return self._classifier.predict(scores)

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities (m, classes) of observations (m, n)."""
        scores = self.transform(X)
        return self._classifier.predict_proba(scores)

    def decision_function(self, X: Any) -> Any:
        """Return the scores of classes of observations (m, n)."""
        scores = self.transform(X)
        return self._classifier.decision_function(scores)

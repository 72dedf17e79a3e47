"""Certified sparse principal components as a scikit-learn transformer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted, validate_data

from relaxspca.errors import InputError
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import is_sparse
from relaxspca.results.result import Result
from relaxspca.tasks.components import components


class CertifiedSparsePCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Sparse principal components, each with a proved optimality gap.

    .. math:: x_j \approx \arg\max\{x'\Sigma_jx : \|x\|_2=1,\ \mathrm{Card}(x)\le k_j\},\qquad
              \Sigma_{j+1}=\text{deflate}(\Sigma_j,x_j)

    Parameters
    ----------
    n_components : int
        Number of components; may be left out where `k` is a sequence.
    k : int, sequence of int or None
        Variables that each component may use. It has to be given: no number is right for all data.
    deflation : str
        How a component is removed before the next: a name in
        `relaxspca.candidates.deflation.DEFLATIONS`.
    gap : float
        Relative gap at which the proof of a component may stop; 0 proves optimality.
    time_limit : float or None
        Seconds for all components; the gaps at that time are in `gaps_`.
    joint : bool
        Find and prove all components together: orthonormal loadings whose variances have the largest sum.
        `gap` and `time_limit` are then those of the whole set, and there is no deflation.
    disjoint : bool
        With `joint`: use no variable twice.
    correlation : bool
        Scale every variable to unit variance. Constant variables are never used then. A `StandardScaler` in
        front does the same but for a factor, loses the names, and certificates speak of scaled data.
    random_state : int, RandomState or None
        Taken because scikit-learn's estimators take one: components are proved, and nothing is drawn.

    Attributes
    ----------
    components_ : (n_components, n)
        Loadings, one unit vector a row.
    mean_, scale_ : (n,)
        Subtracted from, and then divided into, the observations (unit of the data; scale 1 without
        `correlation`).
    explained_variance_, explained_variance_ratio_ : (n_components,)
        What the span of the components explains more with each of them; and its share of the total
        (variance, no unit). They add up to `table_.share`.
    gaps_ : (n_components,)
        Proved relative gap of each component on its deflated covariance; with `joint` the gap of the set.
    certificates_ : list of Certificate; with `joint` of one Certificate
        Their proofs, with the column names if a frame was fitted. Each is for the *deflated* covariance of its
        component, the first for Sigma itself. With `joint` it is that of the set, if it has one.
    results_ : tuple of Result
        Bounds, status and search of each component; empty with `joint`.
    table_ : Components or JointComponents
        The components with their variances, and with `joint` the bounds of the set: it is printed as a
        table of loadings, and has `to_latex`, `to_frame` and `plot`.

    Notes
    -----
    Without `joint` the sequence of components is greedy: each is proved best for its deflated covariance, and
    nothing is claimed about the components jointly. `score` is the share of variance that the reconstruction
    keeps.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> model = CertifiedSparsePCA(2, k=4, correlation=True).fit(load_wine().data)
    >>> [result.status for result in model.results_], bool((model.gaps_ < 1e-8).all())
    (['optimal', 'optimal'], True)
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        k: int | Sequence[int] | None = None,
        deflation: str = "projection",
        joint: bool = False,
        disjoint: bool = False,
        gap: float = 0.0,
        time_limit: float | None = None,
        correlation: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.k = k
        self.deflation = deflation
        self.joint = joint
        self.disjoint = disjoint
        self.gap = gap
        self.time_limit = time_limit
        self.correlation = correlation
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> CertifiedSparsePCA:
        """Find and certify the components of observations (m, n)."""
        X = validate_data(self, X, accept_sparse=("csc", "csr"), dtype=np.float64, ensure_min_samples=2)
        n = X.shape[1]
        names = [str(name) for name in getattr(self, "feature_names_in_", range(n))]
        cov = Covariance.from_data(X, correlation=self.correlation, names=names)
        kept = np.flatnonzero(np.isin(names, cov.names))
        found = self._found(cov)
        self.mean_ = np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
        self.scale_ = np.ones(n)
        if self.correlation:
            variances = StandardScaler(with_mean=False).fit(X[:, kept]).var_
            self.scale_[kept] = np.sqrt(variances * X.shape[0] / (X.shape[0] - 1))
        self.components_ = np.zeros((found.loadings_array.shape[1], n))
        self.components_[:, kept] = found.loadings_array.T
        self.table_ = found
        self.explained_variance_ = np.diff(found.explained, prepend=0.0)
        self.explained_variance_ratio_ = self.explained_variance_ / found.total
        self.certificates_ = list(found._certificates().values())
        self.results_: tuple[Result, ...] = getattr(found, "results", ())  # none of components proved together
        self.gaps_ = np.array([one.gap for one in self.results_ or [found] * found.n_components])
        return self

    def _found(self, cov: Covariance) -> Any:
        if self.k is None:
            raise InputError(
                "k is missing, how many variables each component may use: k=5, or one for each, k=[5, 3]"
            )
        # With the default n_components = 1, a sequence k gives the number of components by its length.
        count = None if self.n_components == 1 and np.ndim(self.k) else self.n_components
        names = ("joint", "disjoint", "deflation", "gap", "time_limit")
        return components(cov, self.k, count, **{name: getattr(self, name) for name in names})

    def transform(self, X: Any) -> Any:
        """Return the scores (m, n_components) of observations (m, n)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=("csc", "csr"), dtype=np.float64, reset=False)
        weights = (self.components_ / self.scale_).T
        return np.asarray(X @ weights) - self.mean_ @ weights

    def inverse_transform(self, X: Any) -> Any:
        """Return the observations (m, n) in the row space of the loadings that have these scores."""
        check_is_fitted(self)
        return np.asarray(X) @ np.linalg.pinv(self.components_.T) * self.scale_ + self.mean_

    def score(self, X: Any, y: Any = None) -> float:
        """Return the share of the variance of X about the fitted mean that the reconstruction explains."""
        scores = np.asarray(self.transform(X))
        dense = X.toarray() if is_sparse(X) else np.asarray(X, dtype=np.float64)
        centred = (dense - self.mean_) / self.scale_
        total = float(np.square(centred).sum())
        lost = float(np.square(centred - scores @ np.linalg.pinv(self.components_.T)).sum())
        return 1.0 - lost / total if total > 0 else 0.0

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def __sklearn_tags__(self) -> Any:
        """Return the tags of the estimator: its observations may be sparse."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

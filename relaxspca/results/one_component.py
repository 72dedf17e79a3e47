"""What every result with one component says of it: variables, loadings, and its part of the variance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.claims import dense_variance, share
from relaxspca.results.loadings import Loadings
from relaxspca.results.scores import scores_of
from relaxspca.results.tables import Table


class ProvedComponent:
    """A component with two bounds on the optimum and their certificate.

    Attributes
    ----------
    candidate : Candidate
    lower, upper : float
    certificate : Certificate
    """

    candidate: Candidate
    lower: float
    upper: float
    certificate: Certificate

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used."""
        return self.candidate.support

    @property
    def indices(self) -> tuple[int, ...]:
        """The variables used, 0-based."""
        return tuple(int(i) for i in self.candidate.indices)

    @property
    def loadings(self) -> Loadings:
        """Loadings by name, the largest first; as they are given, scaled to length 1."""
        return Loadings(self.candidate.names, self.candidate.loadings)

    @property
    def loadings_array(self) -> Array:
        """The loadings of all n variables, (n,)."""
        return self.candidate.loadings

    @property
    def gap(self) -> float:
        r"""Proved relative width, (upper - lower)/\|lower\|; 0 where both bounds are 0."""
        return relative_gap(self.lower, self.upper, self.certificate)

    @property
    def share(self) -> float:
        """The part of the trace that the component explains; nan where the trace is not above 0."""
        return share(self.candidate.value, self.certificate)

    @property
    def share_of_dense(self) -> float:
        r"""The part of :math:`\lambda_1`, what the dense component explains; nan unless known and above 0."""
        dense = dense_variance(self.certificate)
        return self.candidate.value / dense if dense > 0 else math.nan

    def scores(self, X: Any) -> Any:
        """Return the scores of observations: their projections on the component.

        Parameters
        ----------
        X : array_like (m, n) or DataFrame
            Observations of the variables in their order, or with their names among the columns. Their means
            are subtracted, unless those of the matrix were not, and for one of a correlation matrix every
            variable is scaled to unit variance.

        Returns
        -------
        (m,) array, or a Series where X is a DataFrame

        Examples
        --------
        >>> import numpy as np
        >>> import relaxspca as rs
        >>> X = np.array([[1.0, 2.0, 1.0], [2.0, 1.0, 0.0], [3.0, 6.0, 0.0]])
        >>> rs.solve(rs.Covariance.from_data(X), 2).scores(X).shape
        (3,)
        """
        c = self.certificate
        columns = scores_of(X, self.candidate.loadings[:, None], self.candidate.names, c.description, ["score"])
        return columns["score"] if hasattr(columns, "iloc") else columns[:, 0]

    def _tables(self) -> list[Table]:
        return [Table(("variable", "loading"), self.loadings.cells(), (1,))]

    def _loadings_of_records(self) -> tuple[Loadings]:
        return (self.loadings,)

    def _certificates(self) -> Mapping[str, Certificate]:
        return {"component": self.certificate}

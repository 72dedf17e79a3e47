"""What `solve` returns: a component with two bounds on the optimum and their certificate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.errors import counted, in_line
from relaxspca.numerics.linalg import Array
from relaxspca.numerics.percent import percent
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results import claims
from relaxspca.results.duplicates import duplicates_of, duplicates_reported
from relaxspca.results.loadings import Loadings, scores_of
from relaxspca.results.printable import Printable
from relaxspca.results.progress import Progress
from relaxspca.results.sentences import NO_SHARE, NONE_FOUND, WORTHLESS, optimal, others_attain, verdict
from relaxspca.results.status import Status
from relaxspca.results.tables import Table


@dataclass(frozen=True, eq=False, repr=False)
class Result(Printable):
    """A sparse component and how far from optimal it can be.

    Attributes
    ----------
    candidate : Candidate
        The best component found; without variables when none is worth its penalty.
    lower, upper : float
        Proved bounds on the optimum (variance); `lower` is attained by the candidate.
    status : Status
        "optimal", "within the gap", "time limit", "node limit", "elimination", "interrupted", or "open":
        searched to the end, and rounding leaves a relative width above 1e-6 (of a path: not certified).
    certificate : Certificate
        The proof of both bounds; `relaxspca.verify` checks it.
    node_count : int
        Nodes of the search that were evaluated.
    seconds : float
        Wall-clock time, candidate included.
    history : tuple of Progress
        Bounds as the search went on.
    ties : tuple of tuples of str
        Supports, found by exchanging one variable, that attain as much to a relative 1e-9; there may be more,
        which `relaxspca.near_optimal` lists.
    by : str
        What proved `upper`: "search", or the relaxation that needed none.

    Examples
    --------
    >>> import relaxspca as rs
    >>> result = rs.solve(rs.datasets.load_pitprops(), 3)
    >>> result.status, result.support, result.gap < 1e-9
    ('optimal', ('topdiam', 'length', 'bowdist'), True)
    >>> result.loadings
    {length: 0.6137, topdiam: 0.6019, bowdist: 0.5110}
    """

    candidate: Candidate
    lower: float
    upper: float
    status: Status
    certificate: Certificate
    node_count: int
    seconds: float
    history: tuple[Progress, ...] = ()
    ties: tuple[tuple[str, ...], ...] = ()
    group_names: tuple[str, ...] = ()
    by: str = "search"

    _figure, _file = "plot_loadings", "component"

    @property
    def k(self) -> int:
        """The cardinality asked for, or what the component of a penalty, or of whole groups, uses."""
        is_count = not self._is_whole and self.certificate.k is not None
        return self.certificate.k if is_count else self.candidate.k

    @property
    def rho(self) -> float | None:
        """The penalty of a variable (variance), where there is one."""
        penalty: float | None = self.certificate.rho
        return penalty

    @property
    def certified(self) -> bool:
        """Whether the component is proved optimal, or within the gap that was asked for."""
        return self.status in (Status.OPTIMAL, Status.WITHIN_GAP)

    @property
    def groups(self) -> tuple[str, ...]:
        """Names of the whole groups that are used; empty where the claim is not about whole groups."""
        if not self._is_whole:
            return ()
        used = {*self.indices}
        pairs = zip(self.group_names, self.certificate.claim.whole_groups, strict=True)
        return tuple(name for name, members in pairs if used & {*members.tolist()})

    @property
    def _is_whole(self) -> bool:
        return len(self.certificate.claim.whole_groups) > 0

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
        """The part of the trace that the component explains; nan where the trace is not above 0, or less."""
        return claims.share_of(self.candidate.value, claims.total_variance(self.certificate))

    @property
    def share_of_dense(self) -> float:
        r"""The part of :math:`\lambda_1`, what the dense component explains; nan unless known and above 0."""
        dense = claims.dense_variance(self.certificate)
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

    def to_records(self) -> list[dict[str, Any]]:
        """Return the result as one flat dict, in full precision; bounds are true when read as decimals too."""
        used = claims.variables_used(self.support, self.indices)
        work = {"node_count": self.node_count, "seconds": self.seconds}
        return [self._recorded_claim() | {"status": str(self.status)} | used | work]

    def _recorded_claim(self) -> dict[str, Any]:
        """Return what is claimed, and how much it is, for a record."""
        size = {"k": self.k} if self.rho is None else {"rho": self.rho, "k": self.k}
        bounds = claims.recorded(self.lower, self.upper, certificate=self.certificate)
        return size | bounds | {"gap": self.gap, "share": self.share}

    def _statement(self) -> list[str]:
        return [*self._paper_statement(), f"Searched {counted(self.node_count, 'node')}."]

    def _paper_statement(self) -> list[str]:
        said = verdict(self.status, self.lower, self.upper, self.gap)
        if self.ties and self.status is Status.OPTIMAL:
            said = optimal(self.lower, self.upper, self.gap)
        lines = [claims.claim_of(self.certificate, self.group_names), said]
        lines += [others_attain(self.ties)] if self.ties else []
        lines += self._used()
        if self.groups:
            lines.append(f"Uses {counted(len(self.groups), 'group')}: {in_line(self.groups)}.")
        return lines + duplicates_reported(duplicates_of(self.certificate))

    def _used(self) -> list[str]:
        """Say which variables the component uses, and what it explains."""
        if not self.support:
            return [WORTHLESS if self.status is Status.OPTIMAL else NONE_FOUND]
        names, total = in_line(self.support), claims.total_variance(self.certificate)
        if math.isnan(self.share):
            return [f"Uses {names}.", NO_SHARE] if total > 0 else [f"Uses {names}."]
        return [f"Explains {percent(self.share)} % of the total variance, using {names}."]

    def _tables(self) -> list[Table]:
        idle = [[name, "0"] for name in self.support if name not in self.loadings]
        return [Table(("variable", "loading"), [*self.loadings.cells(), *idle], (1,))]

    def _loadings_of_records(self) -> tuple[Loadings]:
        return (self.loadings,)

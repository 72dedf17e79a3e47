"""What a search under another restriction than the cardinality returns: a component and two proved bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.loadings import Loadings
from relaxspca.results.shown import Shown, Table
from relaxspca.results.status import Status

__all__ = ["Restricted"]


@dataclass(frozen=True, eq=False, repr=False)
class Restricted(Shown):
    """A component that meets a restriction, and how far from the best such one it can be.

    Attributes
    ----------
    k : int
        Most variables that the restriction allows.
    candidate : Candidate
    lower, upper : float
        Proved bounds on the optimum under the restriction (variance).
    status : Status
    seconds : float
    """

    k: int
    candidate: Candidate
    lower: float
    upper: float
    status: Status
    seconds: float

    _figure = "plot_judged"

    @property
    def gap(self) -> float:
        r"""Proved relative width, (upper - lower)/\|lower\|."""
        return relative_gap(self.lower, self.upper)

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used."""
        return self.candidate.support

    @property
    def loadings(self) -> Loadings:
        """Loadings by name, the largest first."""
        return Loadings(self.candidate.names, self.candidate.loadings)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the result as one flat dict, in full precision."""
        record = {"k": self.k, "lower": self.lower, "upper": self.upper, "status": str(self.status)}
        return [record | {"support": "; ".join(self.support), "seconds": self.seconds}]

    def _tables(self) -> list[Table]:
        return [Table(("variable", "loading"), self.loadings.cells(), (1,))]

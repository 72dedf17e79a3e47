"""What a search under another restriction than the cardinality returns: a component and two proved bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.one_component import OneComponent
from relaxspca.results.shown import Shown
from relaxspca.results.status import Status

__all__ = ["Restricted"]


@dataclass(frozen=True, eq=False, repr=False)
class Restricted(OneComponent, Shown):
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

    def to_records(self) -> list[dict[str, Any]]:
        """Return the result as one flat dict, in full precision."""
        return [
            {"k": self.k, "lower": self.lower, "upper": self.upper, "gap": self.gap, "status": str(self.status)}
            | {"support": "; ".join(self.support), "indices": " ".join(map(str, self.indices))}
            | {"seconds": self.seconds}
        ]

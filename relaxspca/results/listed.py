"""What a search for all supports above a target found."""

from __future__ import annotations

from dataclasses import dataclass

from relaxspca.certificate import Certificate
from relaxspca.problem.candidate import Candidate
from relaxspca.results.status import Status

__all__ = ["SupportList"]


@dataclass(frozen=True, eq=False)
class SupportList:
    """What a search for all near-optimal supports found.

    Attributes
    ----------
    candidates : tuple of Candidate, of k variables each, the best first.
    bounds : (lower, upper) of each, what it is proved to attain and not to exceed (variance).
    target : what was searched for: supports above it (variance).
    upper : no support of k variables that is not in the list exceeds it (variance).
    status : Status
        "complete", or why the search stopped before.
    certificate : Certificate of all this.
    node_count : int
    """

    candidates: tuple[Candidate, ...]
    bounds: tuple[tuple[float, float], ...]
    target: float
    upper: float
    status: Status
    certificate: Certificate
    node_count: int

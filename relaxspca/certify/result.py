"""What `solve` returns: a component, two proved bounds and the certificate."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from relaxspca.candidate import Candidate
from relaxspca.certificate import Certificate
from relaxspca.certify.branch_and_bound import Progress

__all__ = ["Result"]

MEANING = {
    "optimal": "the component is optimal",
    "gap": "the component is optimal to within the gap that was asked for",
    "time_limit": "the time was spent; the bounds hold",
    "node_limit": "the nodes were spent; the bounds hold",
    "interrupted": "interrupted; the bounds hold",
}


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """A sparse component and how far from optimal it can be.

    Attributes
    ----------
    candidate : Candidate
        The best component found; without variables when none is worth its penalty.
    lower, upper : float
        Proved bounds on the optimum (variance); `lower` is attained by the candidate.
    status : str
        "optimal", "gap", "time_limit", "node_limit" or "interrupted".
    certificate : Certificate
        The proof of both bounds; `relaxspca.verify` checks it.
    node_count : int
        Nodes of the search that were evaluated.
    seconds : float
        Wall-clock time, candidate included.
    history : tuple of Progress
        Bounds after every round of the search.
    """

    candidate: Candidate
    lower: float
    upper: float
    status: str
    certificate: Certificate
    node_count: int
    seconds: float
    history: tuple[Progress, ...] = ()

    @property
    def gap(self) -> float:
        """Proved gap relative to the lower bound; 0 when it closes at zero."""
        difference = self.upper - self.lower
        return difference / abs(self.lower) if self.lower else (0.0 if difference == 0 else float("inf"))

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used."""
        return tuple(self.certificate.names[i] for i in self.certificate.support)

    def __repr__(self) -> str:
        return (
            f"Result: {self.lower:.10g} <= {self._symbol()} <= {self.upper:.10g} (gap {100 * self.gap:.2g} %), "
            f"{self.status}: {MEANING[self.status]}\n"
            f"  support: {', '.join(self.support) or 'none'}\n"
            f"  {self.node_count} node{'s' if self.node_count != 1 else ''}, {self.seconds:.2f} s"
        )

    def _repr_html_(self) -> str:
        return (
            f"<p>{self.lower:.10g} &le; {escape(self._symbol())} &le; {self.upper:.10g}, gap "
            f"{100 * self.gap:.2g} %: <b>{escape(MEANING[self.status])}</b></p>"
            f"<p>{escape(', '.join(self.support))}</p>"
        )

    def _symbol(self) -> str:
        k, rho = self.certificate.cardinality, self.certificate.penalty
        return f"v_{k}" if k is not None else f"phi({rho:g})"

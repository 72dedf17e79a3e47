"""What `nonnegative` returns: a component with loadings of one sign, and two proved bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.errors import counted
from relaxspca.numerics.decimals import interval
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.loadings import Loadings
from relaxspca.results.shown import Shown, Table
from relaxspca.results.status import Status, verdict

__all__ = ["Nonnegative"]


@dataclass(frozen=True, eq=False, repr=False)
class Nonnegative(Shown):
    r"""A sparse component without negative loadings, and how far from optimal it can be.

    Attributes
    ----------
    k : int
    candidate : Candidate
        The component; it may use fewer than k variables.
    lower, upper : float
        Proved bounds on the largest :math:`x'\Sigma x` of a unit vector :math:`x\ge0` with at most k entries
        that are not 0 (variance).
    status : Status
    raised : Certificate
        A part of the proof of `upper`: of the *raised* matrix, Sigma with its negative covariances replaced by
        0. It says of no other matrix anything. The supports that it lists were bounded one by one, of
        which there is no certificate.
    listed : int
        How many those are.
    seconds : float
    """

    k: int
    candidate: Candidate
    lower: float
    upper: float
    status: Status
    raised: Certificate
    listed: int
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
        return [
            {
                "k": self.k,
                "lower": self.lower,
                "upper": self.upper,
                "status": str(self.status),
                "support": "; ".join(self.support),
                "seconds": self.seconds,
            }
        ]

    def _statement(self) -> list[str]:
        bounds = interval(self.lower, self.upper).text(f"v_{self.k} of loadings >= 0")
        return [
            f"{bounds}, {self.raised.n} variables",
            verdict(self.status, self.lower, self.upper, self.gap),
            f"proved without a certificate of its own: {counted(self.listed, 'support')} bounded one by one",
        ]

    def _tables(self) -> list[Table]:
        return [Table(("variable", "loading"), self.loadings.cells(), (1,))]

    def _certificates(self) -> Mapping[str, Certificate]:
        return {}

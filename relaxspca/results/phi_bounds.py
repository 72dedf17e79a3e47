"""Proved bounds on the penalised problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.errors import counted, in_line
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.claims import claim_of, recorded
from relaxspca.results.one_component import ProvedComponent
from relaxspca.results.printable import Printable

__all__ = ["PhiBounds"]


@dataclass(frozen=True, eq=False, repr=False)
class PhiBounds(ProvedComponent, Printable):
    r"""Proved bounds on :math:`\phi(\rho)=\max_{\|x\|\le1}\ x'\Sigma x-\rho\operatorname{Card}(x)`.

    Attributes
    ----------
    rho : float
        Penalty (variance).
    candidate : Candidate
        The component that attains `lower`; without variables when none is worth its penalty and `lower` is 0.
    lower, upper : float
        The bounds (variance).
    certificate : Certificate
        The claim with its evidence.
    seconds : float
        Wall-clock time.
    """

    rho: float
    candidate: Candidate
    lower: float
    upper: float
    certificate: Certificate
    seconds: float

    _figure = "plot_judged"

    @property
    def k(self) -> int:
        """Number of variables used."""
        return self.candidate.k

    @property
    def gap(self) -> float:
        r"""Relative width, (upper - lower)/\|lower\|, over rho where that is larger."""
        return relative_gap(self.lower, self.upper, self.certificate, least=self.rho)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the bounds as one flat dict; they are true when read as decimals too."""
        return [
            {"rho": self.rho, "k": self.k}
            | recorded(self.lower, self.upper, certificate=self.certificate)
            | {
                "gap": self.gap,
                "share": self.share,
                "support": in_line(self.support, "; "),
                "indices": " ".join(map(str, self.indices)),
                "seconds": self.seconds,
            }
        ]

    def _statement(self) -> list[str]:
        attained = f"The lower bound is attained with {counted(self.k, 'variable')}."
        return [claim_of(self.certificate), attained]

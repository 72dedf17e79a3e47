"""Bounds on the restricted isometry constant of a design matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from relaxspca.applications.sparse_eigenvalues import Enclosure
from relaxspca.problem.gap import relative_gap
from relaxspca.results.claims import recorded
from relaxspca.results.digits import between
from relaxspca.results.printable import Printable
from relaxspca.results.sentences import claim
from relaxspca.results.status import Status

__all__ = ["IsometryBounds"]


@dataclass(frozen=True, eq=False, repr=False)
class IsometryBounds(Printable):
    r"""Bounds on :math:`\delta_S` and on the sparse eigenvalues that define it.

    Attributes
    ----------
    sparsity : int
        S.
    lower, upper : float
        Bounds on :math:`\delta_S` (no unit).
    largest, smallest : Enclosure
        Of the extreme eigenvalues of :math:`F_T'F_T` over all T of S columns.
    """

    sparsity: int
    lower: float
    upper: float
    largest: Enclosure
    smallest: Enclosure

    @property
    def gap(self) -> float:
        r"""Proved relative width, (upper - lower)/\|lower\|."""
        return relative_gap(self.lower, self.upper)

    @property
    def status(self) -> Status:
        """Status of the two searches: the first that is not "optimal", else "optimal"."""
        return self.largest.status if self.largest.status is not Status.OPTIMAL else self.smallest.status

    def to_records(self) -> list[dict[str, Any]]:
        """Return the bounds as one dict."""
        of = {"largest": self.largest, "smallest": self.smallest}
        ends = {
            f"{name}_{end}": bound
            for name, value in of.items()
            for end, bound in recorded(value.lower, value.upper).items()
        }
        own = recorded(self.lower, self.upper) | {"gap": self.gap}
        return [{"sparsity": self.sparsity} | own | {"status": str(self.status)} | ends]

    def _statement(self) -> list[str]:
        S = self.sparsity
        return [
            claim(f"Isometry constant delta_{S}", between(self.lower, self.upper)),
            *self.largest._statement()[:1],
            *self.smallest._statement()[:1],
        ]

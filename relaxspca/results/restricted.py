"""What a search under a restriction returns: a component of its kind, two proved bounds, the certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.certificate.statement import symbol
from relaxspca.errors import counted, in_line
from relaxspca.problem.candidate import Candidate
from relaxspca.results.claims import claimed_interval, matrix_words, of_supports, recorded
from relaxspca.results.one_component import ProvedComponent
from relaxspca.results.printable import Printable
from relaxspca.results.status import Status, verdict

__all__ = ["Nonnegative", "OneOfEach", "Restricted", "WholeGroups"]


@dataclass(frozen=True, eq=False, repr=False)
class Restricted(ProvedComponent, Printable):
    """A component that meets a restriction, and how far from the best such one it can be.

    Attributes
    ----------
    k : int
        Most variables that the restriction allows.
    candidate : Candidate
    lower, upper : float
        Proved bounds on the optimum under the restriction (variance).
    status : Status
    certificate : Certificate
        The proof of both bounds; `relaxspca.verify` checks it.
    node_count : int
        Nodes of the search that were evaluated.
    seconds : float
    """

    k: int
    candidate: Candidate
    lower: float
    upper: float
    status: Status
    certificate: Certificate
    node_count: int
    seconds: float

    _figure = "plot_judged"

    def to_records(self) -> list[dict[str, Any]]:
        """Return the result as one flat dict, in full precision; bounds are true when read as decimals too."""
        return [
            {"k": self.k}
            | recorded(self.lower, self.upper)
            | {"gap": self.gap, "share": self.share, "status": str(self.status)}
            | {"support": in_line(self.support, "; "), "indices": " ".join(map(str, self.indices))}
            | {"node_count": self.node_count, "seconds": self.seconds}
        ]

    def _statement(self) -> list[str]:
        certificate = self.certificate
        matrix = matrix_words(certificate) + of_supports(certificate)
        return [
            f"{claimed_interval(certificate).text(symbol(certificate))} for {matrix}",
            verdict(self.status, self.lower, self.upper, self.gap),
        ]


@dataclass(frozen=True, eq=False, repr=False)
class OneOfEach(Restricted):
    """A sparse component with at most one variable of each group, and how far from optimal it can be.

    Its attributes are those of `relaxspca.results.restricted.Restricted`.
    """


@dataclass(frozen=True, eq=False, repr=False)
class Nonnegative(Restricted):
    r"""A sparse component without negative loadings, and how far from optimal it can be.

    It may use fewer than k variables. Its attributes are those of `relaxspca.results.restricted.Restricted`.
    """


@dataclass(frozen=True, eq=False, repr=False)
class WholeGroups(Restricted):
    """A component on a union of whole groups, and how far from the best such one it can be.

    Other attributes are those of `relaxspca.results.restricted.Restricted`.

    Attributes
    ----------
    groups : tuple of str
        The groups that are used.
    most : int
        How many may be.
    """

    groups: tuple[str, ...]
    most: int

    def _statement(self) -> list[str]:
        return [*super()._statement(), f"{counted(len(self.groups), 'group')}: {in_line(self.groups)}"]

"""Candidate methods on one problem, from best to worst."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.errors import counted, in_line
from relaxspca.numerics.percent import percent_up
from relaxspca.problem.candidate import Candidate
from relaxspca.results.claims import recorded, variables_used
from relaxspca.results.digits import LEAST, at_least, between
from relaxspca.results.printable import Printable
from relaxspca.results.result import ProvedComponent, Result
from relaxspca.results.sentences import claim, verdict
from relaxspca.results.status import Status
from relaxspca.results.tables import Table

SHORTFALL = "Shortfalls are relative to the optimum and rounded up; variances are rounded down."
HEADER = ("method", "variance", "shortfall, %", "seconds", "variables", "source")


@dataclass(frozen=True, eq=False)
class ComparisonRow(ProvedComponent):
    r"""A method, its component, and how good that is.

    Attributes
    ----------
    method : str, its name in `relaxspca.candidates.METHODS`, or "solve".
    candidate : Candidate
    lower : float
        What the component is proved to explain (variance), at most ``candidate.value``.
    upper : float
        No component of this cardinality explains more (variance).
    certificate : Certificate
        That of the search which proved `upper`.
    shortfall : float
        (best - value)/\|best\|: how far below the best value of the comparison.
    seconds : float, wall-clock time.
    source : str, who published the method.
    """

    method: str
    candidate: Candidate
    lower: float
    upper: float
    certificate: Certificate
    shortfall: float
    seconds: float
    source: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Printable):
    """The methods from best to worst, with the proved bounds that assess them.

    Attributes
    ----------
    k : int
    rows : tuple of ComparisonRow, by value and then by time.
    upper : float, bound on the optimum.
    result : Result, the search that proved `upper`.
    matrix : str, which matrix the bounds speak of.
    is_interrupted : bool, whether Ctrl-C came before every method and the search were done.
    left_out : tuple of str, the methods for which no time was left.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.compare(rs.datasets.load_pitprops(), 5, methods=["greedy", "elastic_net"])
    >>> sorted(row.method for row in found.rows if row.shortfall < 1e-9)
    ['elastic_net', 'greedy']
    """

    k: int
    rows: tuple[ComparisonRow, ...]
    upper: float
    result: Result
    matrix: str
    is_interrupted: bool = False
    left_out: tuple[str, ...] = ()

    _figure = "plot_comparison"

    @property
    def lower(self) -> float:
        """The best value that is proved to be attained (variance)."""
        return max(row.lower for row in self.rows)

    @property
    def gap(self) -> float:
        r"""Relative width, (upper - lower)/\|lower\|, of the best row."""
        return min(row.gap for row in self.rows)

    @property
    def status(self) -> Status:
        """How the search ended, or "interrupted"."""
        return Status.INTERRUPTED if self.is_interrupted else self.result.status

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a method, in full precision."""
        return [
            {
                "method": row.method,
                "k": self.k,
                **recorded(row.lower, self.upper),
                "gap": row.gap,
                "shortfall": row.shortfall,
                "share": row.share,
                "seconds": row.seconds,
                **variables_used(row.support, row.indices),
                "note": row.candidate.method,
                "source": row.source,
            }
            for row in self.rows
        ]

    def _statement(self) -> list[str]:
        what = f"Largest variance with at most {counted(self.k, 'variable')}"
        said = claim(what, between(self.lower, self.upper), self.matrix.removeprefix("the "))
        return [said, verdict(self.status, self.lower, self.upper, self.gap)]

    def _notes(self, *, on_paper: bool = False) -> list[str]:
        sources = "; ".join(f"{row.method}: {row.source}" for row in self.rows if row.source)
        late = [f"No time was left for {in_line(self.left_out)}."] if self.left_out else []
        return [*late, SHORTFALL, *([f"Sources: {sources}."] if on_paper and sources else [])]

    def _tables(self) -> list[Table]:
        rows = [
            [
                row.method,
                at_least(row.lower),
                _below(row.lower, self.upper),
                f"{row.seconds:.3f}",
                in_line(row.support),
                row.source,
            ]
            for row in self.rows
        ]
        return [Table(HEADER, rows, (1, 2, 3), wrapped=(4, 5))]

    def _paper_tables(self) -> list[Table]:
        (whole,) = self._tables()
        return [Table(HEADER[:-1], [row[:-1] for row in whole.rows], whole.right, wrapped=(4,))]

    def _certificates(self) -> Mapping[str, Certificate]:
        return {"bound": self.result.certificate}


def _below(lower: float, upper: float) -> str:
    """Return by what part of the optimum a value is below it at most, in percent; else nothing."""
    if not 0 < lower <= upper < math.inf:
        return ""
    part = 1 - Fraction(lower) / Fraction(upper)
    return "< 1e-6" if 0 < part < LEAST else percent_up(part, 3)

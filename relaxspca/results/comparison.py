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
from relaxspca.results.claims import recorded, variables_used
from relaxspca.results.digits import LEAST, at_least, between
from relaxspca.results.printable import Printable
from relaxspca.results.result import Result
from relaxspca.results.sentences import claim, verdict
from relaxspca.results.status import Status
from relaxspca.results.tables import Table

SHORTFALL = "Shortfalls are relative to the optimum and rounded up; variances are rounded down."
OPEN = (
    "The optimum is known only between bounds: shortfalls are relative to the upper bound, and relative to the "
    "optimum at most as large; variances are rounded down."
)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Printable):
    """The methods from best to worst, with the proved bounds that assess them.

    Attributes
    ----------
    k : int
    methods : dict of Result
        The component of each method by its name in `relaxspca.candidates.METHODS`, or "solve"; the best first,
        then the quickest. `lower` is what it is proved to explain, `seconds` the time of the method; the rest
        is of the search, whose certificate is of the best component. "improvable": a better one is known.
    sources : dict of str, who published each method.
    result : Result, the search.
    matrix : str, which matrix the bounds speak of.
    is_interrupted : bool, whether Ctrl-C came before every method and the search were done.
    left_out : tuple of str, the methods for which no time was left.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.compare(rs.datasets.load_pitprops(), 5, methods=["greedy", "elastic_net"])
    >>> sorted(name for name in found.methods if found.shortfall(name) < 1e-9)
    ['elastic_net', 'greedy']
    """

    k: int
    methods: dict[str, Result]
    sources: dict[str, str]
    result: Result
    matrix: str
    is_interrupted: bool = False
    left_out: tuple[str, ...] = ()

    _figure = "plot_comparison"

    @property
    def lower(self) -> float:
        """The best value that is proved to be attained (variance)."""
        return max(row.lower for row in self.methods.values())

    @property
    def upper(self) -> float:
        """The bound on the optimum (variance)."""
        return self.result.upper

    @property
    def gap(self) -> float:
        r"""Relative width, (upper - lower)/\|lower\|, of the best row."""
        return min(row.gap for row in self.methods.values())

    @property
    def status(self) -> Status:
        """How the search ended, or "interrupted"."""
        return Status.INTERRUPTED if self.is_interrupted else self.result.status

    def shortfall(self, method: str) -> float:
        r"""Return how far the value of a method is below the best of all methods, (best - value)/\|best\|."""
        value = self.methods[method].candidate.value
        best = max(row.candidate.value for row in self.methods.values())
        if value == best:
            return 0.0
        return (best - value) / abs(best) if best else math.inf

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a method, in full precision."""
        return [
            {"method": name, "k": self.k, **recorded(row.lower, self.upper), "gap": row.gap}
            | {"shortfall": self.shortfall(name), "share": row.share, "seconds": row.seconds}
            | variables_used(row.support, row.indices)
            | {"note": row.candidate.method, "source": self.sources[name]}
            for name, row in self.methods.items()
        ]

    def _statement(self) -> list[str]:
        what = f"Largest variance with at most {counted(self.k, 'variable')}"
        said = claim(what, between(self.lower, self.upper), self.matrix.removeprefix("the "))
        return [said, verdict(self.status, self.lower, self.upper, self.gap)]

    def _notes(self, *, on_paper: bool = False) -> list[str]:
        sources = "; ".join(f"{name}: {source}" for name, source in self.sources.items())
        late = f"No time was left for {in_line(self.left_out)}." if self.left_out else ""
        relative = SHORTFALL if self.result.status is Status.OPTIMAL else OPEN
        return [*filter(None, (late, relative, f"Sources: {sources}." if on_paper else ""))]

    def _tables(self) -> list[Table]:
        sources = [self.sources[name] for name in self.methods]
        return [Table.of(self._columns() | {"source": sources}, (1, 2, 3), wrapped=(4, 5))]

    def _paper_tables(self) -> list[Table]:
        return [Table.of(self._columns(), (1, 2, 3), wrapped=(4,))]

    def _columns(self) -> dict[str, list[str]]:
        rows = self.methods.values()
        return {
            "method": list(self.methods),
            "variance": [at_least(row.lower) for row in rows],
            "shortfall, %": [_below(row.lower, self.upper) for row in rows],
            "seconds": [f"{row.seconds:.3f}" for row in rows],
            "variables": [in_line(row.support) for row in rows],
        }

    def _certificates(self) -> Mapping[str, Certificate]:
        return {"bound": self.result.certificate}


def _below(lower: float, upper: float) -> str:
    """Return by what part of the optimum a value is below it at most, in percent; else nothing."""
    if not 0 < lower <= upper < math.inf:
        return ""
    part = 1 - Fraction(lower) / Fraction(upper)
    return "< 1e-6" if 0 < part < LEAST else percent_up(part, 3)

"""What `discriminants` and `canonical_correlations` return: directions, each of what the earlier ones leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import exact_decimal
from relaxspca.results.digits import between
from relaxspca.results.generalized import Generalized
from relaxspca.results.printable import Printable, Table
from relaxspca.results.relative_difference import gap_cell
from relaxspca.results.rows import ListOfRows

__all__ = ["Directions"]


@dataclass(frozen=True, eq=False, repr=False)
class Directions(ListOfRows[Generalized], Printable):
    """Directions of few variables, the first the best; indexed and counted like a list of `Generalized`.

    Attributes
    ----------
    rows : tuple of Generalized
    """

    rows: tuple[Generalized, ...]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat dict a direction, in full precision; bounds are true when read as decimals too."""
        return [{"direction": at + 1} | row.to_records()[0] for at, row in enumerate(self.rows)]

    def _statement(self) -> list[str]:
        optimal = sum(row.is_optimal for row in self.rows)
        many = ", each given the previous ones" if len(self.rows) > 1 else ""
        size = f"{counted(len(self.rows), 'direction')} of at most {counted(self.rows[0].k, 'variable')}"
        ridge = self.rows[0].ridge
        added = f" ({exact_decimal(ridge)} added to the diagonal of B)" if ridge else ""
        return [f"{size}{added}{many}: {optimal} proved optimal."]

    def _tables(self) -> list[Table]:
        rows = [
            [
                str(at + 1),
                between(row.lower, row.upper).brief,
                gap_cell(row.lower, row.upper, row.gap),
                str(row.status),
            ]
            + [in_line(row.support)]
            for at, row in enumerate(self.rows)
        ]
        return [
            Table(("direction", "largest ratio", "gap %", "status", "variables"), rows, (0, 1, 2), wrapped=(4,))
        ]

    def _certificates(self) -> Mapping[str, Certificate]:
        made = {f"direction{at + 1}": row.certificate for at, row in enumerate(self.rows)}
        return {name: certificate for name, certificate in made.items() if certificate is not None}

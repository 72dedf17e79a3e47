"""Write a claim about a total of cardinalities in the words that the verified checker reads.

Nothing here is trusted.
"""

from __future__ import annotations

from collections.abc import Iterator

from integers import words
from single import SingleTranslation
from tables import TableTranslation

from relaxspca.certificate import Certificate, TableCertificate

__all__ = ["TotalTranslation"]


class TotalTranslation(TableTranslation):
    """One certificate, with those beside it that say as much as is claimed, in one unit."""

    def __init__(self, certificate: TableCertificate) -> None:
        singles = [x for x in certificate.beside if isinstance(x, Certificate)]
        tables = [x for x in certificate.beside if isinstance(x, TableCertificate)]
        tables = [x for x in tables if x.upper <= certificate.upper]
        units = [TableTranslation(x).D for x in tables] + [SingleTranslation(x).D for x in singles]
        super().__init__(certificate, max(units, default=1))
        self.tables = [TableTranslation(x, self.D) for x in tables]
        # The checker takes the first claim that speaks of enough variables.
        self.singles = [SingleTranslation(x, self.D) for x in sorted(singles, key=lambda x: x.upper)]

    def lines(self) -> Iterator[str]:
        yield from self.claim("total")
        yield from self.proofs()
        yield str(len(self.tables))
        for table in self.tables:
            yield words(table.sizes)
            yield from table.proofs()
        yield str(len(self.singles))
        for single in self.singles:
            yield f"{single.k} {single.upper}"
            yield from single.evidence()
            yield from single.tree()

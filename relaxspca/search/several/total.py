"""The certificate of a total of cardinalities: that of the best table, and claims that bound all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from relaxspca.certificate import Certificate, TableCertificate
from relaxspca.numerics.decimals import float_above

__all__ = ["total_certificate"]


def total_certificate(
    tables: Sequence[TableCertificate],
    singles: Sequence[Certificate],
    sums: Mapping[tuple[int, ...], Fraction],
    others: float,
    over_all: TableCertificate | None = None,
) -> TableCertificate:
    """Return the claim about all tables whose cardinalities add up to as much as those of the given ones.

    Parameters
    ----------
    tables : claims about tables of some splits, one at least; the best of them attains the lower bound.
    singles : claims about one component, which bound every split.
    sums : what follows from these for each split, exactly; or nothing, where splits are too many.
    others : bound on all splits, of use then.
    over_all : claim about tables of sizes that are at least those of every split.
    """
    known: dict[tuple[int, ...], TableCertificate] = {}
    for table in tables:
        if table.sizes not in known or table.upper < known[table.sizes].upper:
            known[table.sizes] = table
    best = max(tables, key=lambda table: table.lower)
    proved = known.pop(best.sizes)
    bounds = [Fraction(proved.upper)] + ([] if sums else [Fraction(others)])
    for split, summed in sums.items():
        if split != best.sizes:
            bounded = [Fraction(known[split].upper)] if split in known else []
            bounds.append(min([summed, *bounded]))
    upper = max(bounds)
    beside = [table for split, table in known.items() if sums and sums[split] > upper]
    if over_all is not None and (least := max(proved.upper, over_all.upper)) < upper:
        upper, beside = Fraction(least), [over_all]
    return replace(
        proved,
        lower=best.lower,
        upper=float_above(upper),
        indices=best.indices,
        loadings=best.loadings,
        total=sum(best.sizes),
        beside=(*singles, *beside),
    )

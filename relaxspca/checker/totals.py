"""See that claims cover every way to write a total as cardinalities: ``certificates/SPEC.md``, section 13."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from operator import le
from typing import Any, cast

from relaxspca.certificate import TableCertificate
from relaxspca.checker.tree import Defect

__all__ = ["bound_of_all_sizes"]

MOST_BEGINNINGS = 1 << 17  # of lists of cardinalities that are looked at
MOST_SUMS = 1 << 23  # of two bounds, in the table of what is left


def bound_of_all_sizes(certificate: TableCertificate, limit: float, own: Any) -> Any:
    """Return a bound on the tables whose cardinalities add up to the total; Defect if it is above a limit.

    Parameters
    ----------
    certificate : about a total; the claims beside it are proved.
    limit : variance.
    own : what the tables of its own sizes are proved to explain at most.
    """
    r, total = len(certificate.sizes), certificate.total
    assert total is not None
    singles = _single_bounds(certificate)
    tables = [(claim.sizes, claim.upper) for claim in certificate.beside if isinstance(claim, TableCertificate)]
    known = [(upper, sizes) for sizes, upper in [*tables, (certificate.sizes, own)] if upper <= limit]
    if r * total * len(singles) > MOST_SUMS:
        raise Defect(f"there are too many cardinalities that add up to {total}")
    left = _largest_sums(singles, total, r)
    waiting: list[tuple[tuple[int, ...], Any]] = [((), Fraction(0))]
    count, worst = 0, cast(Any, -math.inf)
    while waiting:
        begun, value = waiting.pop()
        rest, more = total - sum(begun), r - len(begun)
        count += 1
        if count > MOST_BEGINNINGS:
            raise Defect(f"more than {MOST_BEGINNINGS} beginnings of lists of cardinalities to look at")
        bound = _plus(value, left[more][rest])
        if bound > limit and not more:
            covering = [upper for upper, sizes in known if all(map(le, begun, sizes))]
            if not covering:
                raise Defect(f"no claim bounds tables of {', '.join(map(str, begun))} variables enough")
            bound = min(covering)
        if bound <= limit:
            worst = max(worst, bound)
            continue
        # The largest comes first, and each of the others has one variable at least.
        largest = min(begun[-1] if begun else len(singles), rest - more + 1)
        waiting += [((*begun, k), _plus(value, singles[k - 1])) for k in range(-(-rest // more), largest + 1)]
    return worst


def _single_bounds(certificate: TableCertificate) -> list[Any]:
    """Return what one component of 1, 2, ... variables explains at most, infinity where no claim says it."""
    assert certificate.total is not None
    bounds: list[Any] = [math.inf] * min(certificate.n, certificate.total - len(certificate.sizes) + 1)
    for claim in certificate.beside:
        if not isinstance(claim, TableCertificate):
            assert claim.k is not None
            for k in range(1, min(claim.k, len(bounds)) + 1):
                bounds[k - 1] = min(bounds[k - 1], Fraction(claim.upper))
    return bounds


def _largest_sums(bounds: list[Any], total: int, r: int) -> list[list[Any]]:
    """Return for 0 to r components what they explain at most, by what their cardinalities add up to."""
    sums: list[list[Any]] = [[Fraction(0)] + [-math.inf] * total]
    for _ in range(r):
        before = sums[-1]
        sums.append([max(_ways(bounds, before, m), default=-math.inf) for m in range(total + 1)])
    return sums


def _ways(bounds: list[Any], before: list[Any], m: int) -> Iterator[Any]:
    """Yield what one component more explains with the others, of m variables together."""
    for k in range(1, min(m, len(bounds)) + 1):
        if before[m - k] > -math.inf:
            yield _plus(bounds[k - 1], before[m - k])


def _plus(a: Any, b: Any) -> Any:
    """Add rationals, one of which may be infinity: beside it a rational may be beyond the floats."""
    return math.inf if math.inf in (a, b) else a + b

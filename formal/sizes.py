"""Lists of cardinalities, in the order in which the verified checker goes through them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from relaxspca.certificate import TableCertificate

__all__ = ["padded_sizes", "sizes_of_total"]


def ways(caps: Sequence[int], total: int, *, is_sorted: bool = False) -> Iterator[list[int]]:
    """Yield every list of numbers, from 1 to those of `caps`, that adds up to a total; sorted: none rises."""
    if not len(caps) <= total <= sum(caps):
        return
    if not caps:
        yield []
        return
    for i in range(1, min(caps[0], total) + 1):
        rest = [min(i, cap) if is_sorted else cap for cap in caps[1:]]
        yield from ([i, *more] for more in ways(rest, total - i, is_sorted=is_sorted))


def padded_sizes(certificate: TableCertificate) -> Iterable[list[int]]:
    """Return the cardinalities to which supports are padded: smaller ones, where disjoint ones do not fit."""
    sizes, n = list(certificate.sizes), certificate.n
    return ways(sizes, n) if certificate.supports == "disjoint" and sum(sizes) > n else [sizes]


def sizes_of_total(certificate: TableCertificate) -> Iterable[list[int]]:
    """Return the cardinalities that add up to the total of a claim; without a total, its own."""
    sizes = list(certificate.sizes)
    return (
        [sizes] if certificate.total is None else ways([certificate.n] * len(sizes), sum(sizes), is_sorted=True)
    )

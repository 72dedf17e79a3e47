"""Lists of cardinalities, in the order in which the verified checker goes through them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from relaxspca.certificate import Certificate

__all__ = ["padded_sizes"]


def padded_sizes(certificate: Certificate) -> Iterable[list[int]]:
    """Return the cardinalities to which supports are padded: smaller ones, where disjoint ones do not fit."""
    sizes, n = list(certificate.sizes), certificate.n - len(certificate.exclude)
    return ways(sizes, n) if certificate.supports == "disjoint" and sum(sizes) > n else [sizes]


def ways(caps: Sequence[int], total: int) -> Iterator[list[int]]:
    """Yield every list of numbers, from 1 to those of `caps`, that adds up to a total."""
    if not len(caps) <= total <= sum(caps):
        return
    if not caps:
        yield []
        return
    for i in range(1, min(caps[0], total) + 1):
        yield from ([i, *more] for more in ways(caps[1:], total - i))

"""What a leaf of a tree over several components says of each of them."""

from __future__ import annotations

from dataclasses import dataclass

from relaxspca.certificate import Certificate
from relaxspca.checker.tree import members

MOST_SUPPORTS = 1 << 17  # of one component that are tried one by one


@dataclass(frozen=True)
class ComponentPart:
    """The supports T of a component at a node: J <= T <= J + F with `size` variables, or at most so many."""

    size: int
    forced: tuple[int, ...]
    free: tuple[int, ...]


def may_be_smaller(certificate: Certificate) -> bool:
    """Say whether supports smaller than their sizes count: disjoint ones whose sizes do not fit together."""
    usable = certificate.n - len(certificate.exclude)
    return bool(certificate.supports == "disjoint" and sum(certificate.sizes) > usable)


def part_of(size: int, side: tuple[int, int], is_smaller: bool) -> ComponentPart:
    """Return a part with the same supports, where nothing is free that the sizes decide."""
    J, F = (tuple(members(bits)) for bits in side)
    if len(J) == size:
        return ComponentPart(size, J, ())
    if len(J) + len(F) == size and not is_smaller:
        return ComponentPart(size, tuple(sorted(J + F)), ())
    return ComponentPart(size, J, F)


def variables_of(parts: tuple[ComponentPart, ...]) -> list[int]:
    """Return the variables that some component may use."""
    return sorted({i for part in parts for i in part.forced + part.free})


def has_no_supports(parts: tuple[ComponentPart, ...], certificate: Certificate) -> bool:
    """Say whether no components have such parts.

    One has no support, all have too few variables for orthogonal vectors, or disjoint supports were to share a
    variable.
    """
    for part in parts:
        least = 1 if may_be_smaller(certificate) else part.size
        if len(part.forced) > part.size or len(part.forced + part.free) < least:
            return True
    forced = [i for part in parts for i in part.forced]
    is_shared = certificate.supports == "disjoint" and len({*forced}) < len(forced)
    return is_shared or len(variables_of(parts)) < len(certificate.sizes)

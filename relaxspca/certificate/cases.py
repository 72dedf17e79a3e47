"""Hold the cases of a leaf whose tables are divided into groups of supports: plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relaxspca.certificate.values import checked_index, checked_indices, require, set_field
from relaxspca.errors import CertificateError

__all__ = ["GroupCase", "GroupDivision", "checked_cases"]


@dataclass(frozen=True)
class GroupDivision:
    """Tell the tables of a case apart by how many components of a group have their support among some sets.

    Parameters
    ----------
    group : int
        Number of the group.
    sets : sequence of sequences of ints
        Supports, each by its variables, increasing.
    next : sequence of ints
        Numbers of the cases where none, one, two, ... of the components have theirs among them.
    """

    group: int
    sets: tuple[tuple[int, ...], ...]
    next: tuple[int, ...]

    def __post_init__(self) -> None:
        set_field(self, "group", checked_index("a group", self.group))
        require(isinstance(self.sets, Sequence) and len(self.sets) > 0, "a division has no sets")
        sets = tuple(tuple(checked_indices("a set", some).tolist()) for some in self.sets)
        require(all(sets), "a set of a division is empty")
        set_field(self, "sets", sets)
        set_field(self, "next", tuple(checked_index("a case", at) for at in self.next))


@dataclass(frozen=True)
class GroupCase:
    """Bound a part of the tables of a leaf.

    Parameters
    ----------
    points : sequence of ints
        Numbers of the points by which sets are dropped, one after the other.
    division : GroupDivision, optional
        What follows if they leave a set to every component.
    """

    points: tuple[int, ...]
    division: GroupDivision | None = None

    def __post_init__(self) -> None:
        set_field(self, "points", tuple(checked_index("point of a case", at) for at in self.points))
        is_known = self.division is None or isinstance(self.division, GroupDivision)
        require(is_known, "what divides a case is no division")


def checked_cases(cases: object) -> tuple[GroupCase, ...]:
    """Return cases of which each but the first is the next one of exactly one case before it."""
    if not isinstance(cases, Sequence) or not cases:
        raise CertificateError("a leaf of groups has no list of cases")
    reached = bytearray(len(cases))
    reached[0] = 1
    for at, case in enumerate(cases):
        require(isinstance(case, GroupCase), f"case {at} is not a case")
        for number in () if case.division is None else case.division.next:
            is_later = at < number < len(cases)
            require(is_later, f"case {at} is followed by {number}, which does not come after it")
            require(not reached[number], f"case {number} follows two others, or one twice")
            reached[number] = 1
    require(all(reached), f"no case is followed by case {reached.find(0)}")
    return tuple(cases)

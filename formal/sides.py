"""What the splits of a tree say of components: the variables that are forced in, and those that are free."""

from __future__ import annotations

from collections.abc import Sequence

Side = tuple[list[int], list[int]]


def groups_of(sizes: Sequence[object], sides: Sequence[Side]) -> list[int]:
    """Return a number for each component, the same for those that may exchange their sets."""
    kinds = [(k, set(J), set(F)) for k, (J, F) in zip(sizes, sides, strict=True)]
    first = [kind for at, kind in enumerate(kinds) if kind not in kinds[:at]]
    return [first.index(kind) for kind in kinds]


def variables_of(sides: list[Side]) -> list[int]:
    """Return the variables that some component may use."""
    return sorted({i for J, F in sides for i in J + F})


def decided(sides: list[Side], part: int, i: int, *, is_inside: bool) -> list[Side]:
    """Return the sides with a variable of one part decided, in the order of the checker."""
    J, F = sides[part]
    side = ([i, *J] if is_inside else J, [j for j in F if j != i])
    return [*sides[:part], side, *sides[part + 1 :]]


def restricted(sides: list[Side], part: int, kept: Sequence[int]) -> list[Side]:
    """Return the sides with nothing else free of one part."""
    (J, F), some = sides[part], {*kept}
    return [*sides[:part], (J, [j for j in F if j in some]), *sides[part + 1 :]]


def exchanged(names: list[int], s: int, t: int) -> list[int]:
    """Return the names with two of them exchanged."""
    other = {s: t, t: s}
    return [names[other.get(at, at)] for at in range(len(names))]

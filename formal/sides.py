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


def divided(sizes: Sequence[object], sides: list[Side], part: int, i: int) -> tuple[list[Side], list[Side]]:
    """Return what holds where a part has a variable, and where none has it of which the same is said."""
    groups = groups_of(sizes[: len(sides)], sides)
    left = [(J, [j for j in F if j != i]) for J, F in sides]
    outside = [b if g == groups[part] else a for a, b, g in zip(sides, left, groups, strict=True)]
    J, F = left[part]
    return [*sides[:part], ([i, *J], F), *sides[part + 1 :]], outside


def restricted(sides: list[Side], part: int, kept: Sequence[int]) -> list[Side]:
    """Return the sides with nothing else free of one part."""
    (J, F), some = sides[part], {*kept}
    return [*sides[:part], (J, [j for j in F if j in some]), *sides[part + 1 :]]

"""Disjoint groups of variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from relaxspca.errors import InputError
from relaxspca.problem.selected import selected

__all__ = ["group_members"]


def group_members(names: Sequence[str], groups: Mapping[str, Iterable[Any]]) -> list[frozenset[int]]:
    """Return each group of some variables as a set of positions; the groups must be nonempty and disjoint.

    Raises
    ------
    InputError
        There is no group, a group has no variable, names one that is not there, or shares one with another.

    Examples
    --------
    >>> group_members(["x0", "x1"], {"a": ["x1"], "b": [0]})
    [frozenset({1}), frozenset({0})]
    """
    if not isinstance(groups, Mapping) or not groups:
        raise InputError("groups must be a mapping of names to members, with at least one group")
    found: list[frozenset[int]] = []
    for name, members in groups.items():
        try:
            group = frozenset(int(i) for i in selected(members, names))
        except InputError as error:
            raise InputError(f"the group {name!r}: {error}") from None
        for other in found:
            if group & other:
                raise InputError(f"{names[min(group & other)]} is in two groups, one of them {name!r}")
        found.append(group)
    return found

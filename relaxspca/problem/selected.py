"""Variables by name: a selection by position, by name or as a mask, disjoint groups, places in another list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.errors import InputError
from relaxspca.problem.checks import likely
from relaxspca.problem.observations import label_text


def selected(variables: Iterable[Any], names: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the positions of the selected variables in `names`, in the order given.

    Parameters
    ----------
    variables : iterable of distinct int or str, or n bool
    names : n names.

    Raises
    ------
    InputError
        Nothing is selected, a variable stands twice, is out of range or has no such name.

    Examples
    --------
    >>> selected(["c", "a"], "abc").tolist(), selected([True, False, True], "abc").tolist()
    ([2, 0], [0, 2])
    """
    n = len(names)
    items = np.asarray(variables if isinstance(variables, np.ndarray) else _listed(variables))
    if items.ndim != 1 or items.size == 0:
        raise InputError("no variable is selected: give positions, names or a mask of all the variables")
    if items.dtype.kind == "b":
        if items.size != n or not items.any():
            raise InputError(f"a mask needs {n} entries, one for each variable, and at least one that is true")
        return np.flatnonzero(items).astype(np.int64)
    if items.dtype.kind in "UO" and all(isinstance(item, str) for item in items):
        where = {name: i for i, name in enumerate(names)}
        for name in items:
            if name not in where:
                raise InputError(f"there is no variable {str(name)!r}; {likely(name, names)}")
        items = np.array([where[name] for name in items], dtype=np.int64)
    if items.dtype.kind not in "iu":
        raise InputError(f"variables are selected by whole numbers or by names, not {items.tolist()[0]!r}")
    return _distinct(items.astype(np.int64), names)


def positions(names: Iterable[str], among: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the position of each name in `among`, which contains them all.

    Examples
    --------
    >>> positions(["b", "c"], ["c", "a", "b"]).tolist()
    [2, 0]
    """
    place = {name: i for i, name in enumerate(among)}
    return np.array([place[name] for name in names], dtype=np.int64)


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


def _listed(variables: Any) -> list[Any]:
    if isinstance(variables, str) or not isinstance(variables, Iterable):
        raise InputError(f"give the variables as a list, not {variables!r}")
    items = [label_text(item) if isinstance(item, tuple) else item for item in variables]
    kinds = {(isinstance(item, str), isinstance(item, bool | np.bool_)) for item in items}
    if len(kinds) > 1:
        raise InputError("select the variables by position, by name or with a mask, not in several ways")
    return items


def _distinct(positions: npt.NDArray[np.int64], names: Sequence[str]) -> npt.NDArray[np.int64]:
    outside = positions[(positions < 0) | (positions >= len(names))]
    if outside.size:
        raise InputError(f"variable {outside[0]} is outside 0..{len(names) - 1}")
    counts = np.bincount(positions)
    if counts.max() > 1:
        raise InputError(f"variable {names[int(counts.argmax())]} is selected twice")
    return positions

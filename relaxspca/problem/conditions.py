"""Variables by name: selections, groups, and conditions on which of them a support has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.certificate.wording import conditions_in_words, groups_of
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import Indices
from relaxspca.problem.checks import likely
from relaxspca.problem.node import Node
from relaxspca.problem.observations import label_text


def selected(variables: Iterable[Any], names: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the positions of distinct variables, given by position, by name or as booleans, in their order.

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
    """Return each group of some variables as a set of positions; they must be nonempty and disjoint.

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


@dataclass(frozen=True)
class Conditions:
    r"""The supports T with :math:`J\subseteq T` and :math:`T\cap E=\emptyset`, J and E sorted.

    Examples
    --------
    >>> conditions = Conditions.read(["c"], ["a"], "abcd")
    >>> conditions, conditions.allow((1, 2)), conditions.allow((1, 3)), conditions.node(4).free.tolist()
    (Conditions(include=(2,), exclude=(0,)), True, False, [1, 3])
    """

    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()

    @classmethod
    def read(cls, include: Any, exclude: Any, names: Sequence[str]) -> Conditions:
        """Return the conditions given by two lists of names or positions, or raise `InputError`."""
        inside, outside = (_positions(what, names) for what in (include, exclude))
        both = sorted(set(inside) & set(outside))
        if both:
            raise InputError(
                f"{names[both[0]]} is both included and excluded: take it out of include or of exclude "
                "(--with and --without on the command line)"
            )
        if len(outside) == len(names):
            raise InputError("every variable is excluded: leave at least one that may be used")
        return cls(inside, outside)

    def __bool__(self) -> bool:
        return bool(self.include or self.exclude)

    @property
    def options(self) -> dict[str, Any]:
        """The conditions as the options of `relaxspca.solve`."""
        return {"include": list(self.include), "exclude": list(self.exclude)}

    def words(
        self,
        names: Sequence[str],
        *,
        groups: Mapping[str, Iterable[Any]] | None = None,
        parts: Iterable[tuple[Indices, int]] = (),
    ) -> str:
        """Return the conditions in words, with groups of which one variable may be used, and budgets."""
        include, exclude = ([names[i] for i in some] for some in (self.include, self.exclude))
        called = groups_of(names, group_members(names, groups), [*map(str, groups)]) if groups else ""
        budgets = [([names[i] for i in part], most) for part, most in parts]
        return conditions_in_words(include, exclude, groups=called, budgets=budgets)

    def cardinality(self, k: int, n: int) -> int:
        """Return the smaller of k and the number of variables that are not excluded.

        More than k variables to include are an `InputError`.
        """
        if len(self.include) > k:
            raise InputError(
                f"{counted(len(self.include), 'variable')} to include and k = {k}: "
                f"include at most k, or ask for k = {len(self.include)}"
            )
        return min(k, n - len(self.exclude))

    @property
    def inside(self) -> Indices:
        """The variables to include, as an array."""
        return np.array(self.include, dtype=np.int64)

    @property
    def outside(self) -> Indices:
        """The variables excluded, as an array."""
        return np.array(self.exclude, dtype=np.int64)

    def node(self, n: int) -> Node:
        """Return the node of the supports that meet the conditions: J forced in, E left out, the rest free."""
        return Node.of(self.include, np.setdiff1d(np.arange(n), self.exclude), range(n))

    def allow(self, support: Iterable[int]) -> bool:
        """Say whether a support meets the conditions."""
        chosen = {int(i) for i in support}
        return chosen.issuperset(self.include) and chosen.isdisjoint(self.exclude)

    def among(self, names: Sequence[str], kept: Sequence[str]) -> Conditions:
        """Return the conditions as positions in the reduced list `kept`; exclusions outside it are dropped.

        Examples
        --------
        >>> Conditions((2,), (0, 3)).among("abcd", "cd")
        Conditions(include=(0,), exclude=(1,))
        """
        place = {name: i for i, name in enumerate(kept)}
        inside = sorted(place[names[i]] for i in self.include)
        outside = sorted(place[names[i]] for i in self.exclude if names[i] in place)
        return Conditions(tuple(inside), tuple(outside))


NONE = Conditions()


def _positions(variables: Any, names: Sequence[str]) -> tuple[int, ...]:
    """Return sorted positions; None and an empty list mean no condition."""
    if variables is None or (
        isinstance(variables, Sequence) and not isinstance(variables, str) and not variables
    ):
        return ()
    return tuple(sorted(int(i) for i in selected(variables, names)))

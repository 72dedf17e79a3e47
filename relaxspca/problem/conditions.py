"""Conditions on a support: variables that it must include, and variables that it must exclude."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.problem.node import Indices, Node
from relaxspca.problem.selected import selected


@dataclass(frozen=True)
class Conditions:
    r"""The supports T with :math:`J\subseteq T` and :math:`T\cap E=\emptyset`.

    Attributes
    ----------
    include : sorted positions J that every support holds.
    exclude : sorted positions E that none holds.

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
        """Return the conditions given by two lists of names or positions.

        Raises
        ------
        InputError
            There is no such variable, one stands twice or in both lists, or every variable is excluded.
        """
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

    def cardinality(self, k: int, n: int) -> int:
        """Return the smaller of k and the number of variables that are not excluded.

        Raises
        ------
        InputError
            More than k variables have to be included.
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

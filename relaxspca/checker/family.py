"""A family: the supports that a leaf of a tree stands for, whatever the claim asks of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Parts = Sequence[tuple[Sequence[int], int]]  # variables, and how many of them a support has


@dataclass(frozen=True)
class Family:
    """The supports T with J <= T <= J + F that have so many variables of each part.

    Parameters
    ----------
    inside : J.
    parts : of each part what is free, and how many of these T has; None for any number.
    whole : the parts, and how many variables of each T has.
    """

    inside: tuple[int, ...]
    parts: tuple[tuple[tuple[int, ...], Any], ...]
    whole: tuple[tuple[tuple[int, ...], int], ...] = ()

    @classmethod
    def at(cls, forced: Sequence[int], loose: Sequence[int], whole: Parts, labels: Any = None) -> Family | None:
        """Return the family of a leaf, or None where there is no such support.

        With `labels`, a support has no two variables of one label.
        """
        J, F, parts = {*forced}, {*loose}, []
        for variables, count in whole:
            more = count - len(J.intersection(variables))
            free = tuple(i for i in variables if i in F)
            classes = len(free) if labels is None else len({*labels[list(free)].tolist()})
            if not 0 <= more <= classes:
                return None
            parts.append((free if more else (), more))
        return cls(tuple(forced), tuple(parts), tuple((tuple(part), count) for part, count in whole))

    @property
    def free(self) -> list[int]:
        """What is free, part by part."""
        return [i for free, _ in self.parts for i in free]

    @property
    def size(self) -> int:
        """How many variables a support has."""
        return len(self.inside) + sum(int(count) for _, count in self.parts)

    @property
    def is_single(self) -> bool:
        """Whether it has one support, of all that is forced and free."""
        return all(count in (0, len(free)) for free, count in self.parts)

    def placed(self, where: Mapping[int, int]) -> Family:
        """Return the family with every variable in its place; those of a part without a place are left out."""
        parts, whole = (
            tuple((tuple(where[i] for i in part if i in where), count) for part, count in pairs)
            for pairs in (self.parts, self.whole)
        )
        return Family(tuple(where[i] for i in self.inside), parts, whole)

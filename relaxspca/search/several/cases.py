"""The cases into which the tables of a node are divided, as a proof: points that drop sets, what follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relaxspca.relaxations.several.formula import PriceMatrix
from relaxspca.relaxations.several.shape import Indices

__all__ = ["Cases", "CaseSplit", "CaseProof"]


@dataclass(frozen=True)
class CaseSplit:
    """How the tables of a case are told apart; as in ``certificates/SPEC.md``, section 13, *groups*."""

    group: int
    sets: Indices
    next: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class CaseProof:
    """Points that drop sets, one after the other, and what follows."""

    points: tuple[PriceMatrix, ...]
    division: CaseSplit | None = None


class Cases:
    """The cases of a node while they are divided; they are a proof at any time."""

    def __init__(self, variables: Indices, masks: npt.NDArray[np.int64], first: PriceMatrix) -> None:
        self.variables, self.masks = variables, masks
        self.found = [CaseProof((first,))]

    def variables_of(self, number: int) -> tuple[int, ...]:
        """Return the variables of a set."""
        places = np.flatnonzero(int(self.masks[number]) >> np.arange(len(self.variables)) & 1)
        return tuple(self.variables[places].tolist())

    def divide(
        self, at: int, points: tuple[PriceMatrix, ...], group: int, sets: Indices, count: int
    ) -> list[int]:
        """Divide a case; return the numbers of what follows, proved by its last point for the time being."""
        begin = len(self.found)
        numbers = list(range(begin, begin + count + 1))
        self.found += [CaseProof(points[-1:]) for _ in numbers]
        # Last of all: whatever Ctrl-C leaves behind before is at the end, and follows no case.
        self.found[at] = CaseProof(points, CaseSplit(group, sets, tuple(numbers)))
        return numbers

    @property
    def whole(self) -> list[CaseProof]:
        """All cases but those that an interrupted division left behind."""
        divisions = (case.division for case in self.found if case.division is not None)
        return self.found[: 1 + max((division.next[-1] for division in divisions), default=0)]

    @property
    def points(self) -> Iterator[PriceMatrix]:
        """All points, some of them more than once."""
        return (point for case in self.whole for point in case.points)

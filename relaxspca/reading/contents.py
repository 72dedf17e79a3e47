"""What a data file holds: its matrix, and what the file says about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from relaxspca.errors import InputError
from relaxspca.problem.observations import check_real, coarsest_epsilon


class Bad(NamedTuple):
    """A cell that is missing or no finite number: the first of its column, and what to say of it."""

    row: int
    column: int
    is_missing: bool
    message: str
    text: str = ""  # what a cell that is no number holds, in words
    cell: str = ""


@dataclass(frozen=True)
class Contents:
    """A real matrix and what its file says of it.

    Cells of the matrix that are missing, or no number, are nan; `bad` has the first of either kind in every
    column that has any. Its columns are called `names`, its rows `labels`, and their column `label_name`;
    `kind` is the name of its array in an archive, `note` what else is to be said, and `epsilon` that of the
    floats in the file.
    """

    matrix: Any
    names: tuple[str, ...] | None = None
    labels: tuple[str, ...] | None = None
    label_name: str = ""
    kind: str | None = None
    note: str = ""
    bad: tuple[Bad, ...] = ()
    epsilon: float = 0.0

    def __post_init__(self) -> None:
        matrix = self.matrix
        if not self.epsilon:
            object.__setattr__(self, "epsilon", coarsest_epsilon(matrix))
        if matrix.ndim != 2:
            raise InputError(f"the array must have two dimensions, but it has {matrix.ndim}")
        check_real(matrix, "array")
        if matrix.dtype.kind not in "biuf":
            raise InputError(f"the array holds {matrix.dtype} entries, not numbers")
        if 0 in matrix.shape:
            raise InputError(f"the array is empty: its shape is {matrix.shape[0]} x {matrix.shape[1]}")
        object.__setattr__(self, "matrix", matrix.astype(np.float64, copy=False))


def named(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the variables, none of them empty."""
    found = tuple(names)
    for j, name in enumerate(found):
        if not name.strip():
            before = f" (after {found[j - 1]!r})" if j else ""
            raise InputError(f"variable {j + 1}{before} has no name: name it, or delete its column")
    return found

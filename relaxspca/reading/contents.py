"""What a data file holds: its matrix, and what the file says about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.errors import InputError

__all__ = ["Contents", "named"]


@dataclass(frozen=True)
class Contents:
    """A real matrix (dense or sparse), its names, the name of its array in an archive, and a note."""

    matrix: Any
    names: tuple[str, ...] | None = None
    kind: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "matrix", _real(self.matrix))


def named(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the variables, none of them empty."""
    found = tuple(names)
    for j, name in enumerate(found):
        if not name.strip():
            before = f" (after {found[j - 1]!r})" if j else ""
            raise InputError(f"variable {j + 1}{before} has no name: name it, or delete its column")
    return found


def _real(matrix: Any) -> Any:
    if matrix.ndim != 2:
        raise InputError(f"the array must have two dimensions, but it has {matrix.ndim}")
    if matrix.dtype.kind == "c":
        raise InputError("the array has complex entries: only real numbers can be used")
    if matrix.dtype.kind not in "biuf":
        raise InputError(f"the array holds {matrix.dtype} entries, not numbers")
    if 0 in matrix.shape:
        raise InputError(f"the array is empty: its shape is {matrix.shape[0]} x {matrix.shape[1]}")
    return matrix.astype(np.float64, copy=False)

"""A result of several rows, each a result, that is read like a list of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

__all__ = ["ListOfRows"]

Row = TypeVar("Row")


class ListOfRows(Generic[Row]):
    """Rows that can be counted, indexed and gone through.

    Attributes
    ----------
    rows : tuple
    """

    rows: tuple[Row, ...]

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C came before a row was done; its bounds hold."""
        return any(getattr(row, "is_interrupted", False) for row in self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, at: int) -> Row:
        return self.rows[at]

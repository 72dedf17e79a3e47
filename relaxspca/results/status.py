"""What became of a piece of work: one word for it in Python, in files and in print."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """How a result ended; the value is what is printed and written, and compares equal to it.

    Examples
    --------
    >>> Status.OPTIMAL, Status.TIME_LIMIT == "time limit"
    ('optimal', True)
    """

    OPTIMAL = "optimal"
    WITHIN_GAP = "within the gap"
    TIME_LIMIT = "time limit"
    NODE_LIMIT = "node limit"
    ELIMINATION = "elimination"
    INTERRUPTED = "interrupted"
    COMPLETE = "complete"
    LIST_LIMIT = "limit of the list"
    IMPROVABLE = "improvable"
    OPEN = "open"
    UNPROVED = "not proved"

    def __repr__(self) -> str:
        return repr(self.value)

"""What became of a piece of work: one word for it, and when proved bounds are called optimal."""

from __future__ import annotations

from enum import StrEnum

from relaxspca.certificate.paragraphs import OPTIMAL
from relaxspca.problem.gap import RELATIVE_WIDTH, is_zero, relative_width

NARROW = float(OPTIMAL)  # nothing wider is called optimal, whatever rounding makes of it


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

    @property
    def how(self) -> str:
        """How work was stopped, in words."""
        return "interrupted" if self is Status.INTERRUPTED else f"stopped by the {self}"


def settle(
    stopped: Status | None,
    lower: float,
    upper: float,
    *,
    scale: float = 0.0,
    slack: float = 0.0,
    gap: float = 0.0,
    width: float | None = None,
    tol: float | None = None,
) -> Status:
    """Return how work ended: bounds that meet, or are as near as was asked for, count before what stopped it.

    Parameters
    ----------
    stopped : what ended the work; None where nothing was left of it.
    lower, upper : proved bounds.
    scale : what a width is relative to beside the lower bound; `vanishing` of the entries in use.
    slack : what was added to the upper bound for roundings: it is no part of the work.
    gap : relative gap that was asked for.
    width : relative width of what is claimed, by default that of the bounds; none above 1e-6 is optimal.
    tol : where something given is assessed: the relative width up to which it counts, in place of 2e-9.

    Examples
    --------
    >>> settle(Status.TIME_LIMIT, 1.0, 1.0 + 1e-9), settle(Status.TIME_LIMIT, 1.0, 1.1)
    ('optimal', 'time limit')
    >>> settle(None, 1.0, 1.1, gap=0.2), settle(None, 1.0, 1.1), settle(None, -1e-12, 1e-12, scale=1.0)
    ('within the gap', 'open', 'optimal')
    >>> settle(None, 1.0, 1.0 + 1e-7, tol=1e-6), settle(None, 1.0, 1.4, tol=0.9)
    ('optimal', 'within the gap')
    """
    claimed = relative_width(lower, upper, largest=scale) if width is None else width
    if tol is not None and claimed <= tol:
        return Status.OPTIMAL if claimed <= NARROW else Status.WITHIN_GAP
    if tol is None and is_settled(lower, upper, scale=scale, slack=slack):
        return Status.OPTIMAL if claimed <= NARROW else Status.OPEN
    if upper - lower <= gap * abs(lower):
        return Status.WITHIN_GAP
    return Status.OPEN if stopped is None else stopped


def is_settled(lower: float, upper: float, *, scale: float = 0.0, slack: float = 0.0) -> bool:
    """Say whether bounds meet: no farther apart than a relative 2e-9, twice the width that searches aim at.

    The parameters are those of `settle`.
    """
    return upper - slack - lower <= 2 * RELATIVE_WIDTH * max(abs(lower), scale)


def vanishing(lower: float, largest: float) -> float:
    """Return the largest entry in use where a value is 0 beside it, and no width a fraction of it; else 0.

    Examples
    --------
    >>> vanishing(1e-12, 1.0), vanishing(0.5, 1.0)
    (1.0, 0.0)
    """
    return largest if is_zero(lower, largest) else 0.0


def closing_width(lower: float, *, scale: float = 0.0, gap: float = 0.0) -> float:
    """Return how far above the lower bound a search closes its nodes: within what `settle` calls optimal.

    Of a gap that was asked for a hundredth is left for the slack, which is added afterwards.
    """
    return max(0.99 * gap * abs(lower), RELATIVE_WIDTH * max(abs(lower), scale))

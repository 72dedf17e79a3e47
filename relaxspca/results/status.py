"""What became of a piece of work: one word for it in Python, in files and in print."""

from __future__ import annotations

import math
from enum import StrEnum
from fractions import Fraction

from relaxspca.numerics.decimals import brief_up, percent_up

__all__ = ["Status", "verdict"]


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


MEANING = {
    Status.ELIMINATION: "what is known of the eliminated variables leaves this gap",
    Status.COMPLETE: "the list is complete",
    Status.LIST_LIMIT: "the list is as long as it may be",
    Status.IMPROVABLE: "a better component is known",
    Status.OPEN: "neither proved optimal nor bettered",
}

MANY = 100.0  # a gap of so many times the lower bound is said in variance
UNEXAMINED = "(whether it is the only one was not examined)"


def verdict(status: Status, lower: float, upper: float, gap: float) -> str:
    """Return what the bounds and the status say of a component, true for every float.

    Parameters
    ----------
    status : Status
    lower, upper : proved bounds on the optimum; the component attains the lower one.
    gap : their relative width (`relaxspca.problem.gap.relative_gap`).

    Examples
    --------
    >>> verdict(Status.OPTIMAL, 1.0, 1.0, 0.0)
    'an optimal component, to within a relative 0 (whether it is the only one was not examined)'
    >>> verdict(Status.TIME_LIMIT, 1.0, 1.1, 0.1)
    'time limit: a gap of at most 11 % is open; both bounds hold'
    """
    if status is not Status.OPTIMAL:
        more = f" ({MEANING[status]})" if status in MEANING else ""
        # Of a lower bound that is 0, or almost, no gap is a percentage.
        wide = gap > MANY and math.isfinite(upper) and math.isfinite(lower)
        width = f"{brief_up(Fraction(upper) - Fraction(lower))} (variance)" if wide else f"{percent_up(gap)} %"
        return f"{status}: a gap of at most {width} is open{more}; both bounds hold"
    within = f"a relative {brief_up(gap)}"
    if gap == 0 and upper > lower:  # both are 0 but for rounding, and no width is a fraction of that
        within = f"{brief_up(Fraction(upper) - Fraction(lower))} (the optimum is 0 up to rounding)"
    return f"an optimal component, to within {within} {UNEXAMINED}"

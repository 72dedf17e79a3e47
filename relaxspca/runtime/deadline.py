"""Elapsed time and time left of a piece of work: one clock for the whole package."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

ROWS_A_SECOND = 1700  # of a dense eigendecomposition that takes a second; it cannot be stopped once begun


class TimeIsOverError(Exception):
    """The time is over, and the unfinished work is of no use."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The seconds on the monotonic clock when work began and when it stops, infinite where there is no limit.

    Other processes of a machine share its clock, so that time in their queue counts. For other machines, whose
    clocks count from another moment, it is pickled as the seconds spent and left.

    Examples
    --------
    >>> Deadline.after(None).left is None, Deadline.after(0).is_over, Deadline.after(60).share(2) <= 30
    (True, True, True)
    """

    began: float
    at: float

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Return the deadline of work that begins now and may take `seconds`; None is no limit."""
        now = time.monotonic()
        return cls(now, math.inf if seconds is None else now + seconds)

    @property
    def left(self) -> float | None:
        """Seconds left, at least 0; None where there is no limit."""
        return self.share(1)

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self.at

    def check(self) -> None:
        """Raise `TimeIsOverError` if the time is over."""
        if self.is_over:
            raise TimeIsOverError

    def allows(self, rows: int, *, times: float = 1) -> bool:
        """Say whether enough is left for so many dense eigendecompositions of so many rows, at usual speed."""
        return time.monotonic() + times * (rows / ROWS_A_SECOND) ** 3 < self.at

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self.began

    def share(self, parts: float) -> float | None:
        """Return the seconds left, at least 0, divided by `parts`; None where there is no limit."""
        return None if math.isinf(self.at) else max(self.at - time.monotonic(), 0.0) / parts

    def part(self, parts: float) -> Deadline:
        """Return the deadline of work that begins now and may take the time left divided by `parts`."""
        return Deadline.after(self.share(parts))

    def __reduce__(self) -> tuple[object, tuple[float, float, float, float | None, float]]:
        return _resumed, (self.began, self.at, self.elapsed, self.left, _zero())


def _resumed(began: float, at: float, elapsed: float, left: float | None, zero: float) -> Deadline:
    if abs(_zero() - zero) < 1:
        return Deadline(began, at)
    here = Deadline.after(left)
    return Deadline(here.began - elapsed, here.at)


def _zero() -> float:
    """Return the time of day, in seconds, at which the clock was 0: as good as a name of the machine."""
    return time.time() - time.monotonic()


FOREVER = Deadline.after(None)

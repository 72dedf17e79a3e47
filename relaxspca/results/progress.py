"""The state of a search."""

from __future__ import annotations

from dataclasses import dataclass

from relaxspca.errors import counted
from relaxspca.numerics.decimals import rounded_down, rounded_up
from relaxspca.numerics.percent import percent_up
from relaxspca.problem.gap import relative_gap


@dataclass(frozen=True)
class Progress:
    """State of a search: proved bounds (variance), nodes evaluated, nodes open, seconds since its start."""

    lower: float
    upper: float
    node_count: int
    open_count: int
    seconds: float

    @property
    def line(self) -> str:
        """The state in one line, bounds rounded outwards."""
        return (
            f"{rounded_down(self.lower, 8)} <= v <= {rounded_up(self.upper, 8)}  gap {percent_up(self.gap)} %  "
            f"{counted(self.node_count, 'node')}, {self.open_count} open  {self.seconds:.1f} s"
        )

    @property
    def gap(self) -> float:
        """Difference of the bounds, relative to the lower one."""
        return relative_gap(self.lower, self.upper)

"""The state of a search after a round."""

from __future__ import annotations

from dataclasses import dataclass

from relaxspca.problem.gap import relative_gap

__all__ = ["Progress"]


@dataclass(frozen=True)
class Progress:
    """State of a search: proved bounds (variance), nodes evaluated, nodes open, seconds since its start."""

    lower: float
    upper: float
    node_count: int
    open_count: int
    seconds: float

    @property
    def gap(self) -> float:
        """Relative to the lower bound."""
        return relative_gap(self.lower, self.upper)

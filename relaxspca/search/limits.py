"""The limits of a search: deadline, nodes and callback."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from relaxspca.problem.arguments import check_limits
from relaxspca.results.progress import Progress
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.progress import say


@dataclass(frozen=True)
class SearchLimits:
    """The limits of a search besides its gap: deadline, nodes and callback.

    Attributes
    ----------
    deadline : when to stop.
    node_limit : most nodes; None is no limit.
    callback : called with a `Progress` as a search goes on; returning True stops it.
    """

    deadline: Deadline = FOREVER
    node_limit: int | None = None
    callback: Callable[[Progress], Any] | None = None

    @classmethod
    def checked(
        cls,
        *,
        time_limit: float | None = None,
        node_limit: int | None = None,
        callback: Callable[[Progress], Any] | None = None,
        **widths: Any,
    ) -> SearchLimits:
        """Return the limits from a user's arguments; the time limit counts from now.

        An invalid argument raises `InputError`, as in `relaxspca.problem.arguments.check_limits`.
        """
        check_limits(time_limit=time_limit, node_limit=node_limit, callback=callback, **widths)
        return cls(Deadline.after(time_limit), node_limit, callback)

    @property
    def most_nodes(self) -> float:
        """The node limit, infinite if there is none."""
        return math.inf if self.node_limit is None else self.node_limit

    def at_most(self, nodes: float) -> SearchLimits:
        """Return the limits with a node limit of at most `nodes`."""
        least = min(nodes, self.most_nodes)
        return replace(self, node_limit=None if math.isinf(least) else int(least))

    def reported(self, progress: Progress) -> bool:
        """Show the progress, and return whether the callback stops the search."""
        say(progress.line)
        return self.is_stopped(progress)

    def is_stopped(self, progress: Progress) -> bool:
        """Return whether the callback stops the search."""
        return bool(self.callback is not None and self.callback(progress))


UNLIMITED = SearchLimits()

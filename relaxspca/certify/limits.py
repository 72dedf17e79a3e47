"""Limits of a search, checked at the door."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from relaxspca.errors import InputError

__all__ = ["check_jobs", "check_limits", "check_node_limit"]


def check_limits(**limits: Any) -> None:
    """Raise `InputError`, with the name of the limit, unless each is a finite number of at least 0.

    A `time_limit` may be None, for no limit.
    """
    for name, value in limits.items():
        if value is None and name == "time_limit":
            continue
        if not (_is_number(value) and math.isfinite(value) and value >= 0):
            raise InputError(f"{name} must be a number of at least 0, not {value!r}")


def check_node_limit(node_limit: Any) -> None:
    """Raise `InputError` unless a number of nodes is a whole number of at least 0 or None."""
    if node_limit is not None and not (_is_whole(node_limit) and node_limit >= 0):
        raise InputError(f"node_limit must be a whole number of at least 0, not {node_limit!r}")


def check_jobs(n_jobs: Any) -> None:
    """Raise `InputError` unless a number of processes is one that joblib takes."""
    if n_jobs is not None and (not _is_whole(n_jobs) or n_jobs == 0):
        raise InputError(f"n_jobs must be a number of processes, or -1 for one a core, not {n_jobs!r}")


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)

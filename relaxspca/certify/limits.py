"""Limits of a search, checked at the door."""

from __future__ import annotations

import math

from relaxspca.errors import InputError

__all__ = ["check_jobs", "check_limits"]


def check_limits(**limits: float | None) -> None:
    """Raise `InputError`, with the name of the limit, unless each is a finite number of at least 0 or None."""
    for name, value in limits.items():
        if value is not None and not (math.isfinite(value) and value >= 0):
            raise InputError(f"{name} must be a number of at least 0, not {value!r}")


def check_jobs(n_jobs: int | None) -> None:
    """Raise `InputError` unless a number of processes is one that joblib takes."""
    if n_jobs == 0:
        raise InputError("n_jobs must be a number of processes, or -1 for one a core, not 0")

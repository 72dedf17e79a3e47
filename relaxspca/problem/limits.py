"""Checks of the limits of a search and of the penalty of a variable."""

from __future__ import annotations

import math
import os
from numbers import Integral, Real
from typing import Any

from relaxspca.errors import InputError
from relaxspca.problem.observations import is_whole

MOST_JOBS = 64  # processes allowed on any machine


def check_limits(
    *,
    time_limit: Any = None,
    node_limit: Any = None,
    n_jobs: Any = None,
    callback: Any = None,
    **widths: Any,
) -> None:
    """Raise `InputError`, naming the argument, unless every limit of a search is valid.

    Parameters
    ----------
    time_limit : seconds, at least 0; None is no limit.
    node_limit : a whole number of at least 0; None is no limit.
    n_jobs : a number of processes that joblib takes, or None.
    callback : a function, or None.
    widths : finite numbers of at least 0, such as `gap` and `tol`.
    """
    if time_limit is not None:
        widths["time_limit"] = time_limit
    for name, value in widths.items():
        if not (_is_number(value) and _is_finite(value) and value >= 0):
            hint = " (leave it out for no limit)" if name == "time_limit" else ""
            raise InputError(f"{name} must be a number of at least 0, not {value!r}{hint}")
    if node_limit is not None and not (is_whole(node_limit) and node_limit >= 0):
        raise InputError(f"node_limit must be a whole number of at least 0, not {node_limit!r}")
    if n_jobs is not None:
        _check_jobs(n_jobs)
    if callback is not None and not callable(callback):
        raise InputError(f"callback must be a function of a Progress, not {callback!r}")


def checked_penalty(rho: Any) -> float:
    """Return a penalty as a float; raise `InputError` unless it is a finite number of at least 0."""
    if not _is_number(rho):
        raise InputError(f"penalty rho must be a number, not {rho!r}")
    if not (_is_finite(rho) and rho >= 0):
        raise InputError(f"penalty rho must be at least 0 and finite, not {rho!r}")
    return float(rho)


def _check_jobs(n_jobs: Any) -> None:
    if not _is_whole(n_jobs) or n_jobs == 0:
        raise InputError(f"n_jobs must be a number of processes, or -1 for one per core, not {n_jobs!r}")
    most = max(MOST_JOBS, 4 * (os.cpu_count() or 1))
    if n_jobs > most:
        raise InputError(
            f"n_jobs = {n_jobs} processes are more than this machine can use: ask for at most {most}"
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond the doubles
        return False


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)

"""What near-optimal and stability do: the list, its proof, and how safe the best of it is."""

from __future__ import annotations

import argparse
import time
from typing import Any

import relaxspca as rs
from relaxspca.command.commands import (
    Output,
    _check_figure,
    _check_folder,
    _code,
    _finite,
    _plain,
    _printed,
    _read,
    _saved,
)
from relaxspca.command.conditions import conditions_told
from relaxspca.results.status import Status
from relaxspca.results.tables import saved

__all__ = ["run_near_optimal", "run_stability"]


def run_near_optimal(arguments: argparse.Namespace) -> Output:
    """Every support that is nearly as good as the best."""
    for file in (arguments.certificate, arguments.csv, arguments.plot):
        _check_folder(file)
    _check_figure(arguments.plot)
    cov, taken = _read(arguments)
    found = rs.near_optimal(
        cov,
        arguments.k,
        within=arguments.within,
        limit=arguments.limit,
        time_limit=arguments.time_limit,
        costs=arguments.costs,
        **conditions_told(arguments),
    )
    if arguments.csv is not None:
        saved(found.to_csv(), arguments.csv)
    if arguments.plot is not None:
        found.save(arguments.plot)
    text = [*_printed(taken, found, arguments), *_saved(found.certificate, arguments.certificate)]
    data: dict[str, Any] = {
        "k": found.k,
        "within": found.within,
        "status": found.status,
        "is_complete": found.is_complete,
        "complete_within": None if found.complete_within is None else _finite(found.complete_within),
        "others": _finite(found.upper),
        "supports": [_plain(record, cov.names) for record in found.to_records()],
        "core": list(found.core),
        "optional": list(found.optional),
        "costs": {name: list(pair) for name, pair in found.costs.items()},
        "open_costs": list(found.open_costs),
        "radius": _finite(found.radius),
        "seconds": found.seconds,
        "taken_as": taken,
    }
    if arguments.decimals is not None:
        safe = rs.stability(found, decimals=arguments.decimals)
        text.append(repr(safe))
        data |= _safety(safe)
    return Output("\n".join(text), data, _code(found.status is Status.INTERRUPTED))


def run_stability(arguments: argparse.Namespace) -> Output:
    """How much the matrix may change before another support is best."""
    for file in (arguments.certificate, arguments.plot):
        _check_folder(file)
    _check_figure(arguments.plot)
    cov, taken = _read(arguments)
    began = time.monotonic()
    result = rs.solve(cov, arguments.k, time_limit=arguments.time_limit, **conditions_told(arguments))
    spent = time.monotonic() - began
    left = None if arguments.time_limit is None else max(arguments.time_limit - spent, 0.0)
    found = rs.stability(result, decimals=arguments.decimals, time_limit=left)
    if arguments.plot is not None:
        found.save(arguments.plot)
    text = [*_printed(taken, found, arguments), *_saved(found.certificate, arguments.certificate)]
    data = {
        "k": found.k,
        "support": list(found.support),
        "lower": _finite(found.lower),
        "runner_up": _finite(found.runner_up),
        **_safety(found),
        "reason": found.reason,
        "bounds": None if found.bounds is None else list(found.bounds),
        "seconds": time.monotonic() - began,
        "taken_as": taken,
    }
    return Output("\n".join(text), data, _code(result.status is Status.INTERRUPTED))


def _safety(found: rs.Stability) -> dict[str, Any]:
    """Return radii and the answer about rounding as JSON has them; a radius without end is null."""
    return {
        "is_optimal_as_printed": found.is_optimal_as_printed,
        "radii": {name: _finite(radius) for name, radius in found.radii.items()},
    }

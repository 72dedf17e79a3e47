"""What the command near-optimal does: the list, its proof, and how safe the best of it is."""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import Any

import relaxspca as rs
from relaxspca.command.commands import (
    Output,
    _check_figure,
    _check_folder,
    _code,
    _finite,
    _printed,
    _read,
    _saved,
)
from relaxspca.results.status import Status
from relaxspca.results.tables import saved
from relaxspca.runtime.files import replace

__all__ = ["run_near_optimal"]


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
        include=arguments.with_names,
        exclude=arguments.without_names,
        costs=arguments.costs,
    )
    if arguments.csv is not None:
        saved(found.to_csv(), arguments.csv)
    if arguments.plot is not None:
        drawn = io.BytesIO()
        found.plot().savefig(drawn, format=Path(arguments.plot).suffix[1:] or "png", bbox_inches="tight")
        replace(Path(arguments.plot), drawn.getvalue())
    text = [*_printed(taken, found, arguments), *_saved(found.certificate, arguments.certificate)]
    data: dict[str, Any] = {
        "k": found.k,
        "within": found.within,
        "status": found.status,
        "is_complete": found.is_complete,
        "complete_within": None if found.complete_within is None else _finite(found.complete_within),
        "others": _finite(found.upper),
        "supports": found.to_records(),
        "core": list(found.core),
        "optional": list(found.optional),
        "costs": {name: list(pair) for name, pair in found.costs.items()},
        "radius": _finite(found.radius),
        "seconds": found.seconds,
        "taken_as": taken,
    }
    if arguments.decimals is not None:
        safe = rs.stability(found, decimals=arguments.decimals)
        text.append(repr(safe))
        data["is_optimal_as_printed"] = safe.is_optimal_as_printed
        data["radii"] = {name: _finite(radius) for name, radius in safe.radii.items()}
    return Output("\n".join(text), data, _code(found.status is Status.INTERRUPTED))

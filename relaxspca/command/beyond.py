"""What near-optimal and stability do: the list, its proof, and how safe the best of it is."""

from __future__ import annotations

import argparse
import time
from typing import Any

import relaxspca as rs
from relaxspca.command.conditions import add_conditions, conditions_told
from relaxspca.command.data import data_read
from relaxspca.command.destinations import check_folder
from relaxspca.command.files import add_files, check_files, write_files
from relaxspca.command.output import Output, certificate_saved, exit_code, finite, plain_record, printed
from relaxspca.command.words import SECONDS, add_certificate, add_decimals
from relaxspca.numerics.decimals import decimal_above, decimal_below
from relaxspca.results.status import Status

__all__ = ["add_near_optimal_words", "add_stability_words", "run_near_optimal", "run_stability"]


def add_near_optimal_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    command.add_argument("-k", type=int, required=True, help="how many variables may be used")
    command.add_argument(
        "--within",
        type=float,
        default=0.01,
        metavar="E",
        help="list what loses at most this part of the best: 0.01 is 1 %% (default), 0 ties",
    )
    command.add_argument(
        "--limit",
        type=int,
        default=1000,
        metavar="N",
        help="stop when so many supports are found (default 1000)",
    )
    command.add_argument(
        "--costs", action="store_true", help="what each variable costs to leave out or to force in"
    )
    add_decimals(command)
    command.add_argument("--time-limit", type=float, metavar="S", help=SECONDS)
    add_files(command)
    add_conditions(command)
    add_certificate(command)


def run_near_optimal(arguments: argparse.Namespace) -> Output:
    """Every support that is nearly as good as the best."""
    check_folder(arguments.certificate)
    check_files(arguments)
    cov, taken = data_read(arguments.data, arguments)
    found = rs.near_optimal(
        cov,
        arguments.k,
        within=arguments.within,
        limit=arguments.limit,
        time_limit=arguments.time_limit,
        costs=arguments.costs,
        **conditions_told(arguments),
    )
    write_files(found, arguments)
    text = [*printed(taken, found, arguments), *certificate_saved(found.certificate, arguments.certificate)]
    data: dict[str, Any] = {
        "k": found.k,
        "within": found.within,
        "status": found.status,
        "is_complete": found.is_complete,
        "complete_within": None if found.complete_within is None else finite(found.complete_within),
        "others": finite(decimal_above(found.upper)),
        "supports": [plain_record(record, cov.names) for record in found.to_records()],
        "core": list(found.core),
        "optional": list(found.optional),
        "costs": {name: _outwards(*pair) for name, pair in found.costs.items()},
        "open_costs": list(found.open_costs),
        "radius": finite(decimal_below(found.radius)),
        "seconds": found.seconds,
        "taken_as": taken,
    }
    if arguments.decimals is not None:
        safe = rs.stability(found, decimals=arguments.decimals)
        text.append(repr(safe))
        data |= _safety(safe)
    return Output("\n".join(text), data, exit_code(found.status is Status.INTERRUPTED))


def add_stability_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    command.add_argument("-k", type=int, required=True, help="how many variables may be used")
    add_decimals(command)
    command.add_argument("--time-limit", type=float, metavar="S", help=SECONDS)
    add_files(command)
    add_conditions(command)
    add_certificate(command)


def run_stability(arguments: argparse.Namespace) -> Output:
    """How much the matrix may change before another support is best."""
    check_folder(arguments.certificate)
    check_files(arguments)
    cov, taken = data_read(arguments.data, arguments)
    began = time.monotonic()
    result = rs.solve(cov, arguments.k, time_limit=arguments.time_limit, **conditions_told(arguments))
    spent = time.monotonic() - began
    left = None if arguments.time_limit is None else max(arguments.time_limit - spent, 0.0)
    found = rs.stability(result, decimals=arguments.decimals, time_limit=left)
    write_files(found, arguments)
    text = [*printed(taken, found, arguments), *certificate_saved(found.certificate, arguments.certificate)]
    data = {
        "k": found.k,
        "support": list(found.support),
        "lower": finite(decimal_below(found.lower)),
        "runner_up": finite(decimal_above(found.runner_up)),
        **_safety(found),
        "reason": found.reason,
        "bounds": None if found.bounds is None else _outwards(*found.bounds),
        "seconds": time.monotonic() - began,
        "taken_as": taken,
    }
    return Output("\n".join(text), data, exit_code(result.status is Status.INTERRUPTED))


def _safety(found: rs.Stability) -> dict[str, Any]:
    """Return radii and the answer about rounding as JSON has them; a radius without end is null."""
    return {
        "is_optimal_as_printed": found.is_optimal_as_printed,
        "radii": {name: finite(decimal_below(radius)) for name, radius in found.radii.items()},
    }


def _outwards(low: float, high: float) -> list[float | None]:
    """Return two bounds that are true when read as decimals too."""
    return [finite(decimal_below(low)), finite(decimal_above(high))]

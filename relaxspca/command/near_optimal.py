"""All sets of variables that are nearly as good as the best, with a proof.

relaxspca near-optimal pitprops -k 10 --within 0.02 --costs --plot supports.pdf
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import relaxspca as rs
from relaxspca.command.data import data_read
from relaxspca.command.files import add_files
from relaxspca.command.output import Output, answer, plain_record
from relaxspca.command.stability import safety_record
from relaxspca.command.words import CONDITIONS, SPREAD, add, conditions_told, options_of
from relaxspca.numerics.percent import decimal_above, decimal_below
from relaxspca.results.claims import recorded


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    add(command, "-k")
    within = "list sets within this fraction of the best: 0.01 is 1 %% (default), 0 is ties"
    add(command, "--within", default=0.01, help=within)
    add(command, "--limit", default=1000)
    costs = "what it costs to leave each variable out or to force it in"
    command.add_argument("--costs", action="store_true", help=costs)
    add(command, "--decimals", "--time-limit")
    add_files(command)
    add(command, *CONDITIONS, *SPREAD, "--certificate")


def run(arguments: argparse.Namespace) -> Output:
    """Every support that is nearly as good as the best."""
    cov, taken = data_read(arguments.data, arguments)
    options = options_of(arguments, "k", "within", "limit", "time_limit", "costs")
    found = rs.near_optimal(cov, **options, **conditions_told(arguments))
    costs = {name: [*recorded(*pair).values()] for name, pair in found.costs.items()}
    data = list_record(found, cov.names) | {"others": decimal_above(found.upper), "costs": costs}
    data |= {"open_costs": list(found.open_costs), "radius": decimal_below(found.radius)}
    if arguments.decimals is None:
        return answer(found, taken, data, arguments)
    safe = rs.stability(found, decimals=arguments.decimals)
    return answer(found, taken, data | safety_record(safe), arguments, more=[repr(safe)])


def list_record(found: rs.results.NearOptimal, names: Sequence[str]) -> dict[str, Any]:
    """Return what the JSON of every list of sets of variables has."""
    told = "k", "within", "status", "is_complete", "complete_within", "core", "optional", "seconds"
    supports = [plain_record(record, names) for record in found.to_records()]
    return options_of(found, *told) | {"supports": supports}

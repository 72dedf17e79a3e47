"""How much the matrix may change before other variables are best.

relaxspca stability pitprops -k 5 --decimals 3
"""

from __future__ import annotations

import argparse
from typing import Any

import relaxspca as rs
from relaxspca.command.data import data_read
from relaxspca.command.files import add_files
from relaxspca.command.output import Output, answer
from relaxspca.command.words import CONDITIONS, add, conditions_told
from relaxspca.numerics.percent import decimal_above, decimal_below
from relaxspca.results.claims import recorded
from relaxspca.runtime.deadline import Deadline


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    add(command, "-k", "--decimals", "--time-limit")
    add_files(command)
    add(command, *CONDITIONS, "--certificate")


def run(arguments: argparse.Namespace) -> Output:
    """How much the matrix may change before another support is best."""
    cov, taken = data_read(arguments.data, arguments)
    deadline = Deadline.after(arguments.time_limit)
    result = rs.solve(cov, arguments.k, time_limit=arguments.time_limit, **conditions_told(arguments))
    found = rs.stability(result, decimals=arguments.decimals, time_limit=deadline.left)
    data = {"k": found.k, "support": list(found.support)}
    data |= {"lower": decimal_below(found.lower), "runner_up": decimal_above(found.runner_up)}
    bounds = None if found.bounds is None else [*recorded(*found.bounds).values()]
    data |= safety_record(found) | {"reason": found.reason, "bounds": bounds, "seconds": deadline.elapsed}
    return answer(found, taken, data, arguments, is_interrupted=result.is_interrupted)


def safety_record(found: rs.results.Stability) -> dict[str, Any]:
    """Return radii and the answer about rounding as JSON has them; a radius without end is null."""
    return {
        "is_optimal_as_printed": found.is_optimal_as_printed,
        "radii": {name: decimal_below(radius) for name, radius in found.radii.items()},
    }

"""The largest ratio x'Ax / x'Bx of two matrices A (DATA) and B, with a proof.

relaxspca generalized between.csv within.csv --covariance -k 5 --ridge 0.001
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any

import relaxspca as rs
from relaxspca.command.data import data_read
from relaxspca.command.files import add_files
from relaxspca.command.groups import groups_told
from relaxspca.command.near_optimal import list_record
from relaxspca.command.output import Output, answer, plain_record
from relaxspca.command.words import CONDITIONS, SPREAD, add, add_list, conditions_told, list_told, options_of
from relaxspca.errors import InputError
from relaxspca.numerics.percent import decimal_above


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    what = "file of the matrix B, which must be positive definite"
    command.add_argument("denominator", metavar="B", help=what)
    add(command, "-k")
    command.add_argument("--ridge", type=float, metavar="R", help="add this number to the diagonal of B")
    add(command, "--gap", "--time-limit", "--node-limit", *CONDITIONS, "--groups")
    add_list(command, "ratio")
    add(command, "--certificate", *SPREAD)
    add_files(command)


def run(arguments: argparse.Namespace) -> Output:
    """Largest ratio x'Ax / x'Bx over at most k variables."""
    above, below, taken = pair_read(arguments.data, arguments.denominator, arguments)
    options = options_of(arguments, "k", "time_limit") | conditions_told(arguments)
    if asked := list_told(arguments):
        if arguments.groups or arguments.gap or arguments.ridge or arguments.node_limit:
            raise InputError("--within lists sets of -k: leave out --groups, --gap, --ridge and --node-limit")
        listed = rs.near_optimal((above, below), **options, **asked)
        data = list_record(listed, above.names) | {"others": decimal_above(listed.upper)}
        return answer(listed, taken, data, arguments)
    options |= options_of(arguments, "ridge", "gap", "node_limit") | groups_told(arguments, above.names)
    found = rs.generalized(above, below, **options)
    data = plain_record(found.to_records()[0], above.names) | {"loadings": dict(found.loadings)}
    return answer(found, taken, data, arguments)


def pair_read(above: str, below: str, arguments: argparse.Namespace) -> tuple[Any, Any, str]:
    """Read the matrices above and below the line, and say for what they were taken."""
    if arguments.correlation:
        raise InputError(
            "--correlation would scale the variables of A and B differently, and ask another question: the "
            "ratio does not depend on units that A and B share; leave it out"
        )
    with warnings.catch_warnings():
        # A may be indefinite, and whether B is definite is said in its own words.
        warnings.filterwarnings("ignore", "the matrix is not positive semidefinite")
        # The unit of a variable cancels in the ratio.
        warnings.filterwarnings("ignore", ".* of all variance")
        A, taken = data_read(above, arguments, called="A")
        B, below_taken = data_read(below, arguments, called="B")
    return A, B, f"{taken}; B as {below_taken}"

"""Find the best sparse component, with a proof.

relaxspca solve my.csv --data --correlation -k 10 --time-limit 60 --certificate c.json
"""

from __future__ import annotations

import argparse

import relaxspca as rs
from relaxspca.command.data import data_read
from relaxspca.command.files import add_files
from relaxspca.command.groups import groups_record, groups_told
from relaxspca.command.output import Output, answer, proved_record
from relaxspca.command.words import CONDITIONS, SPREAD, add, conditions_told, options_of


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    target = command.add_mutually_exclusive_group(required=True)
    add(target, "-k", required=False, help="number of variables to use at most (the cardinality)")
    penalty = "instead of -k: penalty of each variable, in the unit of the variance"
    target.add_argument("--rho", type=float, help=penalty)
    add(command, "--gap", "--time-limit", "--node-limit", *CONDITIONS, "--groups")
    target.add_argument("--most", type=int, metavar="G", help="use at most G of the --groups, each whole")
    command.add_argument("--nonnegative", action="store_true", help="no loading may be negative")
    add(command, *SPREAD, "--certificate")
    add_files(command)


def run(arguments: argparse.Namespace) -> Output:
    """Find and prove the best component."""
    cov, taken = data_read(arguments.data, arguments)
    options = options_of(arguments, "k", "rho", "gap", "time_limit", "node_limit")
    groups = groups_told(arguments, cov.names)
    result = rs.solve(cov, **options, **conditions_told(arguments), **groups)
    data = proved_record(result, result.to_records()[0], arguments.certificate) | groups_record(groups)
    if result.groups:
        data |= {"most": result.certificate.k, "used": list(result.groups)}
    return answer(result, taken, data, arguments)

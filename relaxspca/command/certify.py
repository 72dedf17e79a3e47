"""Assess a component from anywhere, or several.

relaxspca certify my.csv --data --loadings loadings.csv --certificate c.json
"""

from __future__ import annotations

import argparse
from typing import Any

import relaxspca as rs
from relaxspca.command.components import table_record
from relaxspca.command.data import data_read
from relaxspca.command.files import add_files
from relaxspca.command.output import Output, answer, component_record, proved_record
from relaxspca.command.words import CONDITIONS, add, conditions_told, integers, options_of
from relaxspca.reading.loadings import read_loadings
from relaxspca.tasks.read_table import read_table


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    given = "n numbers, lines of 'name,loading', names of variables, .npy, or the JSON of another run"
    several = "several components have a column or a row each"
    command.add_argument("--loadings", required=True, metavar="FILE", help=f"{given}; {several}")
    command.add_argument("-k", metavar="K", help="assess at this cardinality, or 7,4,4 (default: what is used)")
    command.add_argument("--after", metavar="FILE", help="earlier components, to be removed first (deflation)")
    add(command, "--node-limit", default=1, help="most nodes of the joint search (default 1)")
    add(command, "--time-limit", *CONDITIONS, "--certificate")
    add(command, "--certificates", help="write all certificates of several components")
    add_files(command)


def run(arguments: argparse.Namespace) -> Output:
    """Assess somebody's component, or several."""
    cov, taken = data_read(arguments.data, arguments)
    given = read_loadings(arguments.loadings, cov.names, decimal=arguments.decimal)
    if arguments.certificate is not None and len(read_table(cov, given)) > 1:
        raise rs.InputError("several components have a certificate each: name a folder with --certificates")
    after = None
    if arguments.after is not None:
        after = read_loadings(arguments.after, cov.names, decimal=arguments.decimal)
    sizes: Any = None if arguments.k is None else integers(arguments.k)
    sizes = sizes[0] if sizes is not None and len(sizes) == 1 else sizes
    options = options_of(arguments, "node_limit", "time_limit") | conditions_told(arguments)
    found = rs.certify(cov, given, k=sizes, after=after, **options)
    if isinstance(found, rs.results.CertifiedTable):
        data = table_record(found) | {"status": found.status}
        return answer(found, taken, data, arguments)
    better = None if found.better is None else component_record(found.better) | {"value": found.better.value}
    data = proved_record(found, found.to_records()[0], arguments.certificate) | {"better": better}
    return answer(found, taken, data, arguments)

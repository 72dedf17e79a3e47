"""All heuristics, compared with the proved optimum or bound.

relaxspca compare my.csv --data -k 10 --time-limit 60
"""

from __future__ import annotations

import argparse

import relaxspca as rs
from relaxspca.command.data import data_read
from relaxspca.command.files import add_files
from relaxspca.command.output import Output, answer, component_record
from relaxspca.command.words import CONDITIONS, SECONDS, SPREAD, add, conditions_told, options_of
from relaxspca.results.claims import recorded


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    add(command, "-k")
    add(command, "--time-limit", help=f"for the proof: {SECONDS}")
    add(command, *CONDITIONS, *SPREAD)
    add_files(command)
    add(command, "--certificate")


def run(arguments: argparse.Namespace) -> Output:
    """Assess every candidate method by the proved optimum or bound."""
    cov, taken = data_read(arguments.data, arguments)
    found = rs.compare(cov, arguments.k, time_limit=arguments.time_limit, **conditions_told(arguments))
    records = zip(found.to_records(), found.methods.values(), strict=True)
    rows = [record | component_record(row.candidate) for record, row in records]
    data = {"k": found.k, **conditions_told(arguments), **recorded(found.lower, found.upper)}
    return answer(found, taken, data | options_of(found, "gap", "status") | {"rows": rows}, arguments)

"""How a file is read, and its numbers in a clean file.

relaxspca read my.csv --na 99 --drop-missing --exclude id,date --out clean.csv
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from relaxspca.command.data import data_read, observations_of
from relaxspca.command.files import check_folder
from relaxspca.command.output import Output
from relaxspca.errors import InputError, in_line
from relaxspca.problem.checks import without_data_warnings
from relaxspca.results.tables import csv_table, saved


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    command.add_argument("--out", metavar="FILE.csv", help="write what was read: names and numbers, no more")


def run(arguments: argparse.Namespace) -> Output:
    """Read a file, say what it holds, and write it where that is asked for."""
    check_folder(arguments.out)
    if arguments.correlation or not arguments.centred:
        raise InputError("read writes the numbers as they are: give --correlation and --uncentred later")
    if arguments.out is not None and Path(arguments.out).suffix.lower() != ".csv":
        raise InputError(f"{arguments.out} is to be a table of numbers: give it a name that ends in .csv")
    if arguments.out is not None and arguments.data == "-":
        raise InputError("standard input can be read once: write it to a file first")
    cov, taken = data_read(arguments.data, arguments)
    data: dict[str, Any] = {"names": list(cov.names), "matrix": cov.description.words, "taken_as": taken}
    if arguments.out is None:
        return Output(f"Variables: {in_line(cov.names)}.", data)
    numbers, names, kind = cov.matrix, list(cov.names), "--covariance"
    if cov.description.observations is not None:
        with without_data_warnings():  # the first reading said them
            (numbers, names, _), kind = observations_of(arguments.data, arguments), "--data"
    saved(csv_table(names, [[repr(x) for x in row] for row in numbers.tolist()]), arguments.out)
    return Output(f"Written to {arguments.out} (read it with {kind}).", data | {"out": arguments.out})

"""Components and bounds along k or a penalty rho.

relaxspca path my.csv --data -k 1-20 --plot bounds.pdf --latex table.tex --certificates proofs
"""

from __future__ import annotations

import argparse

import relaxspca as rs
from relaxspca.command import words
from relaxspca.command.data import data_read
from relaxspca.command.files import add_files
from relaxspca.command.output import Output, answer, proved_record
from relaxspca.runtime.deadline import Deadline


def add_words(command: argparse.ArgumentParser) -> None:
    """Add the words of the command to those that all have."""
    command.add_argument("-k", metavar="K", help="numbers of variables, such as 1-13 or 2,5,10 (default: all)")
    command.add_argument("--rho", metavar="R", help="instead of -k: penalties of a variable, such as 0.1,0.2")
    share = "instead of -k: up to the smallest k that keeps this part of the variance of the first ordinary PC"
    command.add_argument("--share-of-dense", type=float, metavar="S", help=f"{share}, such as 0.9")
    words.add(command, "--time-limit", help=f"for the whole path: {words.SECONDS}")
    words.add(command, *words.CONDITIONS, *words.SPREAD)
    add_files(command)
    words.add(command, "--certificates", help="write one certificate for each row")


def run(arguments: argparse.Namespace) -> Output:
    """Components and bounds along k or rho."""
    cov, taken = data_read(arguments.data, arguments)
    if sum(given is not None for given in (arguments.k, arguments.rho, arguments.share_of_dense)) > 1:
        raise rs.InputError("give one of -k, --rho and --share-of-dense")
    clock = Deadline.after(None)
    options = words.options_of(arguments, "share_of_dense", "time_limit") | words.conditions_told(arguments)
    options["k"] = None if arguments.k is None else words.integers(arguments.k)
    options["rho"] = None if arguments.rho is None else words.reals(arguments.rho)
    found = rs.path(cov, **options)
    records = zip(found.rows, found.to_records(), strict=True)
    rows = [{"rho": None} | proved_record(row, record) for row, record in records]
    data = {"rows": rows, "status": found.status, "seconds": clock.elapsed}
    if found.target_share is not None:
        data |= {"smallest_k": found.smallest_k, "is_smallest_proved": found.is_smallest_proved}
    return answer(found, taken, data, arguments)

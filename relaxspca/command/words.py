"""Words that several commands have, and the reading of lists of numbers."""

from __future__ import annotations

import argparse
import re
from typing import Any

from relaxspca.errors import InputError

__all__ = [
    "SECONDS",
    "add_certificate",
    "add_dask",
    "add_decimals",
    "add_limits",
    "add_several",
    "add_target",
    "integers",
    "reals",
]

SECONDS = "seconds (default: no limit)"


def add_target(command: argparse.ArgumentParser) -> Any:
    """Add -k or --rho; return their group, to which a command may add another way."""
    target = command.add_mutually_exclusive_group(required=True)
    target.add_argument("-k", type=int, help="cardinality: number of variables to use")
    target.add_argument("--rho", type=float, help="penalty of a variable instead (variance)")
    return target


def add_limits(command: argparse.ArgumentParser) -> None:
    """Add when the search may stop."""
    command.add_argument(
        "--gap", type=float, default=0.0, metavar="G", help="relative gap to stop at (default 0: the optimum)"
    )
    command.add_argument("--time-limit", type=float, metavar="S", help=SECONDS)


def add_several(command: argparse.ArgumentParser) -> None:
    """Add what is asked of several components."""
    command.add_argument(
        "--components", type=int, metavar="R", help="number of components, where -k is one for all"
    )
    command.add_argument("--joint", action="store_true", help="prove the components together")
    command.add_argument("--disjoint", action="store_true", help="with --joint: use no variable twice")


def add_decimals(command: argparse.ArgumentParser) -> None:
    """Add the question about rounded entries."""
    what = "is the best optimal for every matrix that rounds to this one, at so many decimals?"
    command.add_argument("--decimals", type=int, metavar="D", help=what)


def add_dask(command: argparse.ArgumentParser) -> None:
    """Add a cluster to search on."""
    command.add_argument("--dask", metavar="SCHEDULER", help="address of a dask cluster that searches")


def add_certificate(command: argparse.ArgumentParser) -> None:
    """Add the file of the certificate."""
    command.add_argument("--certificate", metavar="OUT.json", help="write the certificate")


def integers(text: str) -> list[int]:
    """Read 1-13 or 2,5,10 or a mixture."""
    values: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)(?:\s*-\s*(\d+))?\s*", part)
        if match is None:
            raise InputError(f"-k {text!r} is not a list of whole numbers such as 1-13 or 2,5,10")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise InputError(f"-k {text!r}: the range {part.strip()} is empty")
        values += range(first, last + 1)
    return values


def reals(text: str) -> list[float]:
    """Read 0.1,0.2."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--rho {text!r} is not a list of numbers such as 0.1,0.2") from None

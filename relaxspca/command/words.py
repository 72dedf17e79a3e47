"""Words that several commands have, and the reading of lists of numbers."""

from __future__ import annotations

import argparse
import csv
import re
from typing import Any

from relaxspca.errors import InputError

__all__ = [
    "GAP",
    "LONGEST",
    "SECONDS",
    "add_certificate",
    "add_dask",
    "add_decimals",
    "add_limits",
    "add_list",
    "add_several",
    "add_target",
    "in_options",
    "integers",
    "list_told",
    "names_in",
    "reals",
]

SECONDS = "time limit in seconds (default: none)"
LONGEST = "stop a list at so many sets (default 1000)"
GAP = "relative optimality gap to stop at; 0.01 is 1 %% (default 0: search to the optimum)"
CALLED = {"include": "with", "exclude": "without", "n_components": "components"}  # in Python, and here


def add_target(command: argparse.ArgumentParser) -> Any:
    """Add -k or --rho; return their group, to which a command may add another way."""
    target = command.add_mutually_exclusive_group(required=True)
    target.add_argument("-k", type=int, help="number of variables to use at most (the cardinality)")
    target.add_argument(
        "--rho", type=float, help="instead of -k: penalty of each variable, in the unit of the variance"
    )
    return target


def add_limits(command: argparse.ArgumentParser) -> None:
    """Add when the search may stop."""
    command.add_argument("--gap", type=float, default=0.0, metavar="G", help=GAP)
    command.add_argument("--time-limit", type=float, metavar="S", help=SECONDS)


def add_list(command: argparse.ArgumentParser, of: str) -> None:
    """Add what asks for a list of all sets of variables nearly as good as the best."""
    what = f"list every set of k variables whose {of} is within this fraction of the best; 0.01 is 1 %%"
    command.add_argument("--within", type=float, metavar="E", help=what)
    command.add_argument("--limit", type=int, metavar="N", help=LONGEST)


def list_told(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what is asked of a list, by the names of Python; nothing where none is asked for."""
    if arguments.within is None and arguments.limit is not None:
        raise InputError("--limit is for a list: give --within too")
    return {name: value for name in ("within", "limit") if (value := getattr(arguments, name)) is not None}


def add_several(command: argparse.ArgumentParser) -> None:
    """Add what is asked of several components."""
    command.add_argument(
        "--components", type=int, metavar="R", help="number of components, if -k is one number for all"
    )
    command.add_argument("--joint", action="store_true", help="optimise all components together, with a proof")
    command.add_argument("--disjoint", action="store_true", help="with --joint: use no variable twice")
    command.add_argument("--common", action="store_true", help="with --joint: all on the same variables")


def add_decimals(command: argparse.ArgumentParser) -> None:
    """Add the question about rounded entries."""
    what = "is it optimal for every matrix equal to this one up to rounding at D decimals?"
    command.add_argument("--decimals", type=int, metavar="D", help=what)


def add_dask(command: argparse.ArgumentParser) -> None:
    """Add a cluster to search on."""
    command.add_argument("--dask", metavar="SCHEDULER", help="address of a dask cluster to search on")


def add_certificate(command: argparse.ArgumentParser) -> None:
    """Add the file of the certificate."""
    command.add_argument("--certificate", metavar="OUT.json", help="write the certificate")


def in_options(message: str, parsed: argparse.Namespace) -> str:
    """Say which options are meant where an error names parameters of Python.

    Examples
    --------
    >>> in_options("include does not go with joint=True", argparse.Namespace(with_names=["a"], joint=True))
    'include does not go with joint=True (on the command line: include is --with, joint=True is --joint)'
    """
    if "--" in message:
        return message
    given = vars(parsed)
    words = {rf"\b{word}\b": name for word, name in CALLED.items() if {name, f"{name}_names"} & set(given)}
    words |= {rf"\b{name}=(?:True)?": name for name in given if len(name) > 1}
    found = [(re.search(word, message), name.replace("_", "-")) for word, name in words.items()]
    said = [f"{match[0]} is --{name}" for match, name in found if match is not None]
    return f"{message} (on the command line: {', '.join(said)})" if said else message


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


def names_in(text: str) -> list[str]:
    """Cut names at commas, except within quotes.

    Examples
    --------
    >>> names_in('age, "length, mm"')
    ['age', 'length, mm']
    """
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]


def reals(text: str) -> list[float]:
    """Read 0.1,0.2."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--rho {text!r} is not a list of numbers such as 0.1,0.2") from None

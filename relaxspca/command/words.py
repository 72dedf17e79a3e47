"""Words that several commands have, and the reading of lists of numbers."""

from __future__ import annotations

import argparse
import csv
import re
from typing import Any

from relaxspca.errors import InputError

SECONDS = "time limit in seconds (default: none)"
GAP = "relative optimality gap to stop at; 0.01 is 1 %% (default 0: search to the optimum)"
# In Python, and here.
CALLED = {"include": "with", "exclude": "without", "n_components": "components", "client": "dask"}
NAMES: dict[str, Any] = {"action": "append", "default": [], "metavar": "NAME"}
# What several commands have; a command may change a part, such as the help.
WORDS: dict[str, dict[str, Any]] = {
    "-k": {"type": int, "required": True, "help": "number of variables to use at most"},
    "--gap": {"type": float, "default": 0.0, "metavar": "G", "help": GAP},
    "--time-limit": {"type": float, "metavar": "S", "help": SECONDS},
    "--node-limit": {"type": int, "metavar": "N", "help": "nodes of the search at most (default: no limit)"},
    "--n-jobs": {"type": int, "metavar": "N", "help": "processes (default 1; -1: all cores, -2: all but one)"},
    "--dask": {"metavar": "SCHEDULER", "help": "address of a dask cluster to search on"},
    "--with": NAMES | {"dest": "with_names", "help": "a variable that must be used; repeat it for several"},
    "--without": NAMES
    | {
        "dest": "without_names",
        "help": "a variable that must not be used; unlike what --exclude leaves out, it stays in the data, and "
        "in the total variance where shares of it are printed",
    },
    "--groups": NAMES
    | {
        "metavar": "NAME=A,B",
        "help": "a group of variables, of which with -k at most one is used; repeat it for several, or name a "
        "file: lines of variable,group, or a .json object of lists",
    },
    "--components": {"type": int, "metavar": "R", "help": "number of components, if -k is one number for all"},
    "--joint": {"action": "store_true", "help": "optimise all components together, with a proof"},
    "--disjoint": {"action": "store_true", "help": "with --joint: use no variable twice"},
    "--common": {"action": "store_true", "help": "with --joint: all on the same variables"},
    "--within": {"type": float, "metavar": "E"},
    "--limit": {"type": int, "metavar": "N", "help": "stop a list at so many sets (default 1000)"},
    "--decimals": {
        "type": int,
        "metavar": "D",
        "help": "is it optimal for every matrix equal to this one up to rounding at D decimals?",
    },
    "--seed": {"type": int, "default": 0, "metavar": "S", "help": "seed of the random numbers (default 0)"},
    "--certificate": {"metavar": "OUT.json", "help": "write the certificate"},
    "--certificates": {"metavar": "DIR"},
}
SEVERAL = ("--components", "--joint", "--disjoint", "--common")
CONDITIONS = ("--with", "--without")
SPREAD = ("--n-jobs", "--dask")


def add(command: Any, *names: str, **changes: Any) -> None:
    """Add options that several commands have to one of them, or to a group of its options.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add(parser, "--time-limit", help="for the proof")
    >>> parser.parse_args(["--time-limit", "2"]).time_limit
    2.0
    """
    for name in names:
        command.add_argument(name, **WORDS[name] | changes)


def options_of(source: Any, *names: str) -> dict[str, Any]:
    """Return options that are called in Python as on the command line, or what a result has by these names."""
    return {name: getattr(source, name) for name in names}


def add_list(command: argparse.ArgumentParser, of: str) -> None:
    """Add what asks for a list of all sets of variables nearly as good as the best."""
    what = f"list every set of k variables whose {of} is within this fraction of the best; 0.01 is 1 %%"
    add(command, "--within", help=what)
    add(command, "--limit")


def list_told(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what is asked of a list, by the names of Python; nothing where none is asked for."""
    if arguments.within is None and arguments.limit is not None:
        raise InputError("--limit is for a list: give --within too")
    return {name: value for name in ("within", "limit") if (value := getattr(arguments, name)) is not None}


def conditions_told(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what --with and --without say, in the words of Python; a command without them has none.

    Examples
    --------
    >>> conditions_told(argparse.Namespace(with_names=["a", "b"], without_names=[]))
    {'include': ['a', 'b'], 'exclude': []}
    >>> conditions_told(argparse.Namespace())
    {}
    """
    given, names = vars(arguments), {"include": "with_names", "exclude": "without_names"}
    return {word: given[name] for word, name in names.items() if name in given}


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
    rest = [name for name in given if len(name) > 1 and rf"\b{name}\b" not in words]
    words |= {rf"\b{name}=(?:True)?": name for name in rest}
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

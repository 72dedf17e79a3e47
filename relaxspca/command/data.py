"""The words of a command line that say how DATA is to be read, and the reading."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from relaxspca.command.output import notes_after, say_read
from relaxspca.command.words import names_in, options_of
from relaxspca.datasets import BUILT_IN
from relaxspca.errors import InputError, in_line
from relaxspca.numerics.linalg import Array
from relaxspca.problem.conditions import selected
from relaxspca.problem.covariance import Covariance
from relaxspca.reading.files import read_covariance, read_observations

KIND: dict[str, Any] = {"action": "store_const", "dest": "is_data"}
FLAG: dict[str, Any] = {"action": "store_true"}
A_B: dict[str, Any] = {"metavar": "A,B", "type": names_in}
READING = {
    "--data": KIND | {"const": True, "help": "the rows of DATA are observations"},
    "--covariance": KIND | {"const": False, "help": "DATA is a covariance matrix"},
    "--correlation": FLAG | {"help": "scale every variable to unit variance: analyse correlations"},
    "--uncentred": {"action": "store_false", "dest": "centred"}
    | {"help": "second moments: do not subtract means"},
    "--columns": A_B | {"help": "use only these columns; quote a name that has commas"},
    "--exclude": A_B
    | {"help": "leave these columns out, of the total variance too; quote a name that has commas"},
    "--na": A_B | {"help": "codes of missing values, such as 99, or --na=-99,-98"},
    "--drop-missing": FLAG | {"help": "leave out observations with missing cells"},
    "--symmetrise": FLAG
    | {"help": "average entries (i, j) and (j, i) of a covariance matrix that differ by rounding"},
    "--sheet": {"metavar": "NAME", "help": "which sheet of a workbook to read"},
    "--sep": {"metavar": "C", "help": "column separator: a character, tab or space"},
    "--decimal": {"metavar": "C", "choices": (".", ","), "default": "."}
    | {"help": "decimal mark: a point (default) or a comma"},
}


def add_reading(command: argparse.ArgumentParser) -> None:
    """Add the options that say how DATA is to be read."""
    kind = command.add_mutually_exclusive_group()
    for name, said in READING.items():
        (kind if "const" in said else command).add_argument(name, **said)


def data_read(
    name: str, arguments: argparse.Namespace, *, called: str = "", more: str = ""
) -> tuple[Covariance, str]:
    """Read DATA, print how it was read and what `more` is to be said, then the notes on it, and return both.

    Where there are several, such as A and B, `called` says what is read.
    """
    with notes_after():
        cov, taken = _read(name, arguments)
        taken = f"{taken}; {more}" if more else taken
        say_read(f"{called} as {taken}" if called else taken, arguments)
    return cov, taken


def observations_read(name: str, arguments: argparse.Namespace) -> tuple[Array, list[str], str]:
    """Read the observations of DATA, print how they were read, and return them, their names and that."""
    if not arguments.centred:
        raise InputError("observations are resampled and centred anew: leave out --uncentred")
    with notes_after():
        X, names, taken = observations_of(name, arguments)
        say_read(taken, arguments)
    return X, names, taken


def observations_of(name: str, arguments: argparse.Namespace) -> tuple[Array, list[str], str]:
    """Return the observations of DATA as the options of reading say, their names, and how they were read."""
    if arguments.is_data is False or arguments.symmetrise:
        raise InputError("this needs observations, not a matrix: leave out --covariance and --symmetrise")
    if name in BUILT_IN and not Path(name).exists():
        raise InputError(f"{name} is a built-in correlation matrix, and this needs observations")
    options = options_of(arguments, "columns", "exclude", "drop_missing", "sep", "decimal", "sheet")
    return read_observations(name, data=arguments.is_data, **options, na=arguments.na or ())


def _read(name: str, arguments: argparse.Namespace) -> tuple[Covariance, str]:
    told = reading_told(arguments)
    if name == "-" or Path(name).exists():
        return read_covariance(name, **told)
    if name not in BUILT_IN:
        sets = in_line(sorted(BUILT_IN))
        raise InputError(f"there is no file {name}, and no built-in data set of that name (built in: {sets})")
    # --correlation changes nothing: the set is a correlation matrix already.
    fits = {"correlation", "columns", "exclude"} | (set() if told.get("data") else {"data"})
    for option in set(told) - fits:
        word = "uncentred" if option == "centred" else option.replace("_", "-")
        raise InputError(f"{name} is a built-in correlation matrix: leave out --{word}")
    cov, taken = BUILT_IN[name](), f"the built-in data set {name}"
    if not {"columns", "exclude"} & set(told):
        return cov, taken
    gone = {cov.names[i] for i in selected(told["exclude"], cov.names)} if "exclude" in told else set()
    some = cov.restrict([variable for variable in told.get("columns", cov.names) if variable not in gone])
    return some, f"{taken}, {some.n} of its {cov.n} variables"


def reading_told(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what is not as it is by default, in the words of Python."""
    words = argparse.ArgumentParser()
    add_reading(words)
    defaults = vars(words.parse_args([]))
    told = {name: given for name, default in defaults.items() if (given := getattr(arguments, name)) != default}
    return {"data" if name == "is_data" else name: given for name, given in told.items()}

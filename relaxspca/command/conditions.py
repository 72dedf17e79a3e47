"""The options --include and --exclude, the same in every command that has conditions on variables."""

from __future__ import annotations

import argparse
from typing import Any

from relaxspca.command.words import names_in

__all__ = ["add_conditions", "conditions_told"]


def add_conditions(command: argparse.ArgumentParser) -> None:
    """Add conditions, which the claim states; --drop-columns takes variables out of the matrix."""
    for name, what in (("include", "must use"), ("exclude", "must not use")):
        help_ = f"variables that the component {what}; quote a name that has commas"
        command.add_argument(f"--{name}", action="extend", default=[], metavar="A,B", type=names_in, help=help_)


def conditions_told(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what --include and --exclude say; a command without them has none.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_conditions(parser)
    >>> conditions_told(parser.parse_args(["--include", "a", "--include", "b,c"]))
    {'include': ['a', 'b', 'c'], 'exclude': []}
    >>> conditions_told(argparse.Namespace())
    {}
    """
    given = vars(arguments)
    return {name: given[name] for name in ("include", "exclude") if name in given}

"""The words --with and --without, the same in every command that has conditions on supports."""

from __future__ import annotations

import argparse
from typing import Any

__all__ = ["add_conditions", "conditions_told"]


def add_conditions(command: argparse.ArgumentParser) -> None:
    """Add conditions on the support, which the claim states; --exclude takes columns out of the matrix."""
    for name, what in (
        ("with", "must use; repeat it for several"),
        ("without", "must not use; it counts in the total variance, unlike what is left out by --exclude"),
    ):
        help_ = f"a variable that the component {what}"
        command.add_argument(
            f"--{name}", action="append", default=[], dest=f"{name}_names", metavar="NAME", help=help_
        )


def conditions_told(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what --with and --without say, in the words of Python; a command without them has none.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_conditions(parser)
    >>> conditions_told(parser.parse_args(["--with", "a", "--with", "b"]))
    {'include': ['a', 'b'], 'exclude': []}
    >>> conditions_told(argparse.Namespace())
    {}
    """
    given = vars(arguments)
    return {
        word: given[name]
        for word, name in (("include", "with_names"), ("exclude", "without_names"))
        if name in given
    }

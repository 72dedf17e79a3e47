"""Checks of words and flags among arguments, hints for unknown names, and warnings of data."""

import sys
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from relaxspca.errors import DataWarning, InputError, in_line


def check_one_of(argument: str, value: Any, known: Collection[str]) -> None:
    """Raise `InputError`, listing the known names, unless the argument is one of them.

    Examples
    --------
    >>> check_one_of("deflation", "peel", ("projection", "schur"))
    Traceback (most recent call last):
    relaxspca.errors.InputError: deflation must be one of projection, schur, not 'peel'
    """
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{argument} must be one of {', '.join(known)}, not {value!r}")


def check_flags(**flags: Any) -> None:
    """Raise `InputError` unless every argument is True or False; the text "no" would count as True.

    Examples
    --------
    >>> check_flags(joint=True, disjoint="no")
    Traceback (most recent call last):
    relaxspca.errors.InputError: disjoint must be True or False, not 'no'
    """
    for name, value in flags.items():
        # numpy's booleans are recognised by name, so that numpy is not imported here.
        if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
            raise InputError(f"{name} must be True or False, not {value!r}")


def likely(wrong: str, names: Sequence[str]) -> str:
    """Return a hint for an unknown name: split it, a similar known name, or the first known names.

    Examples
    --------
    >>> likely("lenght", ("girth", "length")), likely("age", ("girth", "length"))
    ("do you mean 'length'?", 'the first names are girth, length')
    >>> likely("girth,length", ("girth", "length"))
    'give each of these names by itself'
    """
    if len(parts := [part.strip() for part in wrong.split(",")]) > 1 and {*parts} <= {*names}:
        return "give each of these names by itself"
    same = [name for name in names if name.casefold() == wrong.casefold()]
    close = same or get_close_matches(wrong, names, 1)
    return f"do you mean {close[0]!r}?" if close else f"the first names are {in_line(names[:5])}"


def first_ten(names: Sequence[str], mark: str = ", ") -> str:
    """Return names in a line, those after the tenth as a number.

    Examples
    --------
    >>> first_ten("abc"), first_ten("abcdefghijkl")[-15:]
    ('a, b, c', 'i, j and 2 more')
    """
    return in_line(names[:10], mark) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def warn_of_data(message: str) -> None:
    """Issue a `DataWarning` at the caller's line outside the package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "relaxspca":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, DataWarning, stacklevel=level)


@contextmanager
def without_data_warnings() -> Iterator[None]:
    """Suppress `DataWarning` in a block that works on data already warned of, or changed on purpose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        yield

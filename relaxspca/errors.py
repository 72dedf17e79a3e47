"""The errors of relaxspca: misuse raises, outcomes are results, proofs are verdicts; and words for messages."""

import sys
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

__all__ = ["CertificateError", "DataWarning", "InputError", "MissingExtra", "RelaxSPCAError"]


class RelaxSPCAError(Exception):
    """Anything that relaxspca raises on purpose."""


class InputError(RelaxSPCAError, ValueError):
    """The caller's data or parameters cannot be used; the message names the value and the remedy."""


class CertificateError(RelaxSPCAError):
    """A certificate cannot be read: it is malformed, truncated or does not match its digests."""


class MissingExtra(RelaxSPCAError, ImportError):
    """An optional dependency is not installed; the message names the extra that brings it."""


class DataWarning(UserWarning):
    """The data were usable only after a change that the message names: a shift, dropped columns."""


def warn_of_data(message: str) -> None:
    """Issue a `DataWarning` at the line outside the package that the data came from."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "relaxspca":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, DataWarning, stacklevel=level)


@contextmanager
def without_data_warnings() -> Iterator[None]:
    """Be silent about data: where it was said before, or what would be said is meant."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        yield


def check_one_of(argument: str, value: Any, known: Collection[str]) -> None:
    """Raise `InputError`, which lists the names that there are, unless an argument is one of them.

    Examples
    --------
    >>> check_one_of("deflation", "peel", ("projection", "schur"))
    Traceback (most recent call last):
    relaxspca.errors.InputError: deflation must be one of projection, schur, not 'peel'
    """
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{argument} must be one of {', '.join(known)}, not {value!r}")


def check_flags(**flags: Any) -> None:
    """Raise `InputError` unless every argument is True or False: a text, "no" too, would count as True.

    Examples
    --------
    >>> check_flags(joint=True, disjoint="no")
    Traceback (most recent call last):
    relaxspca.errors.InputError: disjoint must be True or False, not 'no'
    """
    for name, value in flags.items():
        # numpy's truth values are of a class of their own, and numpy is not needed here.
        if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
            raise InputError(f"{name} must be True or False, not {value!r}")


def counted(number: int, noun: str) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> counted(1, "variable"), counted(0, "row"), counted(2, "row")
    ('1 variable', '0 rows', '2 rows')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def in_line(names: Sequence[str], mark: str = ", ") -> str:
    """Return names one after the other; one with a comma, semicolon or quote stands in quotes, as in CSV.

    Examples
    --------
    >>> print(in_line(["age", "length, mm"]))
    age, "length, mm"
    """
    quoted = ['"' + name.replace('"', '""') + '"' if {*name} & {*',;"'} else name for name in names]
    return mark.join(quoted)


def likely(wrong: str, names: Sequence[str]) -> str:
    """Return what to say of a name that is none of these: it is several, resembles one, or which are the first.

    Examples
    --------
    >>> likely("lenght", ("girth", "length")), likely("age", ("girth", "length"))
    ("do you mean 'length'?", 'the first names are girth, length')
    >>> likely("girth,length", ("girth", "length"))
    'give each of these names by itself'
    """
    if len(parts := [part.strip() for part in wrong.split(",")]) > 1 and {*parts} <= {*names}:
        return "give each of these names by itself"
    close = get_close_matches(wrong, names, 1)
    return f"do you mean {close[0]!r}?" if close else f"the first names are {in_line(names[:5])}"

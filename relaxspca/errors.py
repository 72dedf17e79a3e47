"""The exceptions and the warning of relaxspca, and how counts and names are written."""

from collections.abc import Sequence
from html import escape

__all__ = ["CertificateError", "DataWarning", "InputError", "MissingExtra", "RelaxSPCAError"]


class RelaxSPCAError(Exception):
    """Base class of the exceptions of relaxspca."""


class InputError(RelaxSPCAError, ValueError):
    """The caller's data or parameters cannot be used; the message names the value and the remedy."""


class CertificateError(RelaxSPCAError):
    """A certificate cannot be read: it is malformed, truncated or does not match its digests."""


class MissingExtra(RelaxSPCAError, ImportError):
    """An optional dependency is not installed; the message names the extra that brings it."""


class DataWarning(UserWarning):
    """The data were changed before use (a shift, dropped columns) or look wrong; the message says how."""


class Paragraph:
    """What a notebook shows as a paragraph of its text."""

    def _repr_html_(self) -> str:
        return f"<p>{'<br>'.join(map(escape, repr(self).splitlines()))}</p>"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1.

    Examples
    --------
    >>> counted(1, "variable"), counted(0, "row"), counted(2, "row")
    ('1 variable', '0 rows', '2 rows')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def in_line(names: Sequence[str], mark: str = ", ") -> str:
    """Return names joined by commas; a name with a comma, semicolon or quote is quoted as in CSV.

    Examples
    --------
    >>> print(in_line(["age", "length, mm"]))
    age, "length, mm"
    """
    quoted = ['"' + name.replace('"', '""') + '"' if {*name} & {*',;"'} else name for name in names]
    return mark.join(quoted)

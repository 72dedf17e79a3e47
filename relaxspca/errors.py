"""The errors of relaxspca: misuse raises, outcomes are results, proofs are verdicts; and words for messages."""

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


def counted(number: int, noun: str) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> counted(1, "variable"), counted(0, "row"), counted(2, "row")
    ('1 variable', '0 rows', '2 rows')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

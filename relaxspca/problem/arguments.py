"""What public functions ask of arguments that many of them have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.problem.covariance import Covariance

__all__ = ["check_covariance", "check_decimals", "check_rng", "one_or_several"]


def check_covariance(cov: Any) -> None:
    """Raise `InputError` unless it is a `Covariance` that is not 0, which says what a bare array is.

    A matrix that a user gives is never 0, but that of some of its variables may be.
    """
    if isinstance(cov, str):
        raise InputError(f"cov must be a Covariance, not {cov!r}: write rs.read({cov!r}) for a file")
    if not isinstance(cov, Covariance):
        raise InputError(
            f"cov must be a Covariance, not {type(cov).__name__}: write Covariance(S) for a covariance matrix "
            "or Covariance.from_data(X) for observations"
        )
    # Where every variance is 0 a factor is 0; entries beside the diagonal have to be looked at.
    if not cov.diagonal.any() and (cov.is_factored or not cov.matrix.any()):
        raise InputError("the covariance matrix is zero: there is no variance to explain")


def check_decimals(name: str, decimals: Any) -> None:
    """Raise `InputError` unless a number of decimals can be that of a float."""
    if not isinstance(decimals, int | np.integer) or isinstance(decimals, bool) or not 0 <= decimals <= 15:
        raise InputError(f"{name} must be a whole number from 0 to 15, not {decimals!r}")


def check_rng(rng: Any) -> None:
    """Raise `InputError` unless it is a generator of numpy, or None.

    Examples
    --------
    >>> check_rng(0)
    Traceback (most recent call last):
    relaxspca.errors.InputError: rng must be a generator, not 0: write rng=numpy.random.default_rng(0)
    """
    if rng is not None and not isinstance(rng, np.random.Generator):
        seed = rng if isinstance(rng, int) else 0
        raise InputError(f"rng must be a generator, not {rng!r}: write rng=numpy.random.default_rng({seed})")


def one_or_several(values: Any) -> list[Any]:
    """Return the values of a list, or one value as a list; a text is one value, and so are bytes.

    Examples
    --------
    >>> one_or_several(range(2)), one_or_several(3), one_or_several(b"3")
    ([0, 1], [3], [b'3'])
    """
    is_one = isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable)
    return [values] if is_one else list(values)

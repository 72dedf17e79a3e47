"""Checks of arguments that many public functions share: covariance, decimals, generator, lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.problem.covariance import Covariance

__all__ = ["check_covariance", "check_decimals", "check_rng", "one_or_several"]


def check_covariance(cov: Any) -> None:
    """Raise `InputError` unless the argument is a nonzero `Covariance`; the message says how to make one.

    A covariance that a user gives is never 0, but its restriction to some variables may be.
    """
    if isinstance(cov, str):
        raise InputError(f"cov must be a Covariance, not {cov!r}: write rs.read({cov!r}) for a file")
    if not isinstance(cov, Covariance):
        raise InputError(
            f"cov must be a Covariance, not {type(cov).__name__}: write Covariance(S) for a covariance matrix "
            "or Covariance.from_data(X) for observations"
        )
    # If every variance is 0, a factor is 0; a matrix of entries may still be nonzero off the diagonal.
    if not cov.diagonal.any() and (cov.is_factored or not cov.matrix.any()):
        raise InputError("the covariance matrix is zero: there is no variance to explain")


def check_decimals(name: str, decimals: Any) -> None:
    """Raise `InputError` unless the number of decimals is an integer from 0 to 15."""
    if not isinstance(decimals, int | np.integer) or isinstance(decimals, bool) or not 0 <= decimals <= 15:
        raise InputError(f"{name} must be a whole number from 0 to 15, not {decimals!r}")


def check_rng(rng: Any) -> None:
    """Raise `InputError` unless `rng` is a numpy generator or None.

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
    """Return an iterable as a list, and a single value (text and bytes included) as a list of one.

    Examples
    --------
    >>> one_or_several(range(2)), one_or_several(3), one_or_several(b"3")
    ([0, 1], [3], [b'3'])
    """
    is_one = isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable)
    return [values] if is_one else list(values)

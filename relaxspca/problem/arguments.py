"""Checks of arguments that many public functions share: covariance, limits, penalty, generator, lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from numbers import Real
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import row_labels, whole_number


def as_covariance(cov: Any) -> Covariance:
    """Return a `Covariance` that is not 0, or raise `InputError`, which says what a bare array is.

    A DataFrame whose rows are called as its columns and that is symmetric can be nothing but a covariance
    matrix, and is taken as one. A matrix that a user gives is never 0, but that of some of its variables may
    be.
    """
    labels = row_labels(cov)
    if labels is not None and {*labels} == {*cov.columns}:
        with suppress(InputError):
            cov = Covariance(cov)
    found = checked_covariance(cov)
    # If every variance is 0, a factor is 0; a matrix of entries may still be nonzero off the diagonal.
    if not found.diagonal.any() and (found.is_factored or not found.matrix.any()):
        raise InputError("the covariance matrix is zero: there is no variance to explain")
    return found


def checked_covariance(cov: Any) -> Covariance:
    """Return a `Covariance`, or raise `InputError`, which says what a bare array is."""
    if isinstance(cov, str):
        raise InputError(f"cov must be a Covariance, not {cov!r}: write rs.read({cov!r}) for a file")
    if not isinstance(cov, Covariance):
        raise InputError(
            f"cov must be a Covariance, not {type(cov).__name__}: write Covariance(S) for a covariance matrix "
            "or Covariance.from_data(X) for observations"
        )
    return cov


def checked_cardinality(cov: Any, k: Any) -> int:
    """Return k as a cardinality of variables of a covariance, or raise `InputError` if one of them is none."""
    return checked_covariance(cov).check_cardinality(k)


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


def check_limits(
    *,
    time_limit: Any = None,
    node_limit: Any = None,
    callback: Any = None,
    **widths: Any,
) -> None:
    """Raise `InputError`, naming the argument, unless limits are valid; `widths` are numbers of at least 0.

    A gap to stop at is a fraction of at most 1: a number of percent is refused.
    """
    if time_limit is not None:
        widths["time_limit"] = time_limit
    for name, value in widths.items():
        if not (_is_number(value) and _is_finite(value) and value >= 0):
            hint = " (leave it out for no limit)" if name == "time_limit" else ""
            raise InputError(f"{name} must be a number of at least 0, not {value!r}{hint}")
        if name in ("gap", "tol") and value > 1:
            raise InputError(f"{name} = {value:g} is {100 * value:g} %: for {value:g} % write {value / 100:g}")
    if node_limit is not None:
        whole_number(node_limit, "node_limit", least=0, most=math.inf)
    if callback is not None and not callable(callback):
        raise InputError(f"callback must be a function of a Progress, not {callback!r}")


def checked_penalty(rho: Any) -> float:
    """Return a penalty as a float; raise `InputError` unless it is a finite number of at least 0."""
    if not _is_number(rho):
        raise InputError(f"penalty rho must be a number, not {rho!r}")
    if not (_is_finite(rho) and rho >= 0):
        raise InputError(f"penalty rho must be at least 0 and finite, not {rho!r}")
    return float(rho)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond the doubles
        return False

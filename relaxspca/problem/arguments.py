"""What every public function asks of its first argument."""

from __future__ import annotations

from typing import Any

from relaxspca.errors import InputError
from relaxspca.problem.covariance import Covariance

__all__ = ["check_covariance"]


def check_covariance(cov: Any) -> None:
    """Raise `InputError` unless it is a `Covariance`, which says what a bare array is."""
    if isinstance(cov, str):
        raise InputError(f"cov must be a Covariance, not {cov!r}: write rs.read({cov!r}) for a file")
    if not isinstance(cov, Covariance):
        raise InputError(
            f"cov must be a Covariance, not {type(cov).__name__}: write Covariance(S) for a covariance matrix "
            "or Covariance.from_data(X) for observations"
        )

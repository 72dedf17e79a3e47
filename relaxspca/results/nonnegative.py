"""What `nonnegative` returns: a component with loadings of one sign, and two proved bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from relaxspca.certificate import Certificate
from relaxspca.errors import counted
from relaxspca.numerics.decimals import interval
from relaxspca.results.restricted import Restricted
from relaxspca.results.status import verdict

__all__ = ["Nonnegative"]


@dataclass(frozen=True, eq=False, repr=False)
class Nonnegative(Restricted):
    r"""A sparse component without negative loadings, and how far from optimal it can be.

    It may use fewer than k variables.

    Attributes
    ----------
    raised : Certificate
        A part of the proof of `upper`: of the *raised* matrix, Sigma with its negative covariances replaced by
        0. It says of no other matrix anything. The supports that it lists were bounded one by one, of
        which there is no certificate.
    listed : int
        How many those are.
    """

    raised: Certificate
    listed: int

    def _statement(self) -> list[str]:
        bounds = interval(self.lower, self.upper).text(f"v_{self.k} of loadings >= 0")
        return [
            f"{bounds}, {self.raised.n} variables",
            verdict(self.status, self.lower, self.upper, self.gap),
            f"proved without a certificate of its own: {counted(self.listed, 'support')} bounded one by one",
        ]

    def _certificates(self) -> Mapping[str, Certificate]:
        return {}

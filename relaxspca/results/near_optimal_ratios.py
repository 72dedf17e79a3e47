"""Lists of supports nearly as good as the best by a ratio of two quadratic forms, or as least-squares fits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from relaxspca.certificate.subject import LeastSquares
from relaxspca.certificate.wording import subject_to
from relaxspca.errors import counted
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import Array
from relaxspca.numerics.percent import exact_percent, percent_up
from relaxspca.results.digits import at_least, at_most
from relaxspca.results.near_optimal import NearOptimal

__all__ = ["NearOptimalRatios", "NearOptimalSubsets"]


@dataclass(frozen=True, eq=False, repr=False)
class NearOptimalRatios(NearOptimal):
    r"""All supports of k variables whose ratio x'Ax / x'Bx is within a fraction of the largest, with proof.

    What is a variance in `NearOptimal` is a ratio here; there are no costs.

    Attributes
    ----------
    k, within, candidates, values, target, upper : as in `NearOptimal`.
    status, certificate, node_count, seconds : as in `NearOptimal`.
    meant : str
        The conditions on the supports in words, if variables are to be included or excluded.

    Examples
    --------
    >>> import relaxspca as rs
    >>> A = [[4.0, 2.0, 0.0], [2.0, 3.0, 1.0], [0.0, 1.0, 5.0]]
    >>> rs.near_optimal((A, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 4.0]]), 2, within=0.2)
    Exactly 1 set of 2 variables comes within 20 % of the best (proved; ratio x'Ax / x'Bx of 3 variables)...
    The best set is the only optimum.
    | rank | ratio | shortfall, % | variables |
    | ---: | ---: | ---: | --- |
    | 1 | 5.56155 |  | x0, x1 |
    | variable | in sets |
    | --- | ---: |
    | x0 | 1 of 1 |
    | x1 | 1 of 1 |
    """

    meant: str = ""

    _measured: ClassVar[str] = "ratio"
    _file: ClassVar[str] = "near_optimal_ratio"

    @property
    def radius(self) -> float:
        """0: up to which change of A and B the best support stays best is not proved."""
        return 0.0

    @property
    def _about(self) -> str:
        return (
            f"ratio x'Ax / x'Bx of {counted(len(self.certificate.names), 'variable')}{subject_to(self.meant)}"
        )

    @property
    def _others(self) -> str:
        return f"has a ratio of at most {at_most(self.upper)}"

    def _uniqueness(self) -> list[str]:
        return ["The best set is the only optimum."] if self.is_unique and self.upper > -math.inf else []


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NearOptimalSubsets(NearOptimalRatios):
    r"""All subsets of k variables that fit nearly as well as the best one, with proof.

    The residual sum of squares s(T) of a subset T is the least :math:`\|y-Mw\|^2+\lambda\|w\|^2` of
    coefficients on T, with the best constant where there is an intercept; those with
    :math:`s(T)\le(1+\varepsilon)\min_T s(T)` are listed. The `values` of `NearOptimal` are what subsets
    explain, the sum of squares of y less s(T).

    Attributes
    ----------
    within : float
        The fraction :math:`\varepsilon` of the least residual sum of squares; the other fields that are not
        named here are those of `NearOptimalRatios`.
    energy : Fraction
        The sum of squares of y, centred where there is an intercept.
    coefficients : (n,) array for each subset
    intercepts : float for each subset
    n : int
        Number of variables.

    Examples
    --------
    >>> import numpy as np
    >>> from relaxspca.applications import near_optimal_subsets
    >>> M = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.5]])
    >>> found = near_optimal_subsets(M, [1.0, 0.2, 1.0], 1, within=0.5)
    >>> found.supports, round(found.residuals[0][1], 9), round(found.others_at_least, 9)
    ((('x0',),), 0.04, 0.06)
    """

    energy: Fraction
    coefficients: tuple[Array, ...]
    intercepts: tuple[float, ...]
    n: int

    _measured: ClassVar[str] = "residual"
    _behind: ClassVar[str] = "more at most, %"
    _file: ClassVar[str] = "near_optimal_subsets"

    @property
    def residuals(self) -> tuple[tuple[float, float], ...]:
        """Proved bounds on the residual sum of squares of each subset, the least first."""
        return tuple((self._left(high), float_above(self.energy - Fraction(low))) for low, high in self.values)

    @property
    def others_at_least(self) -> float:
        """No subset that is not listed leaves a smaller residual sum of squares; infinity where all are."""
        return math.inf if self.upper == -math.inf else self._left(self.upper)

    @property
    def complete_within(self) -> float | None:
        """The largest fraction of the least residual within which the list is proved complete, or None."""
        most, rest = self.residuals[0][1], self.others_at_least
        if rest == math.inf:
            return math.inf
        if most <= 0 or rest < most:
            return self.within if self.is_complete else None
        found = -float_above(1 - Fraction(rest) / Fraction(most))
        return max(found, self.within) if self.is_complete else found

    @property
    def nearness(self) -> str:
        """Say what the list is of."""
        least = f"the least {'penalised ' * bool(self._fitted.ridge)}residual sum of squares"
        return f"within {f'{exact_percent(self.within)} %' if self.within else 'rounding'} of {least}"

    def to_records(self) -> list[dict[str, Any]]:
        """Return a dict for every subset, in full precision; bounds are true when read as decimals too."""
        return [
            record
            | {
                "coefficients": " ".join(repr(float(self.coefficients[at][i])) for i in self.indices[at]),
                "intercept": self.intercepts[at],
            }
            for at, record in enumerate(super().to_records())
        ]

    def _left(self, explained: float) -> float:
        """Return what is left of the sum of squares of y, rounded down."""
        return max(-float_above(Fraction(explained) - self.energy), 0.0)

    @property
    def _fitted(self) -> LeastSquares:
        subject = self.certificate.subject
        assert isinstance(subject, LeastSquares)
        return subject

    @property
    def _about(self) -> str:
        constant = " and an intercept" * self._fitted.intercept
        return f"least squares on {counted(self.n, 'variable')}{constant}{subject_to(self.meant)}"

    @property
    def _others(self) -> str:
        return f"leaves at least {at_least(self.others_at_least)}"

    @property
    def _measures(self) -> tuple[tuple[float, float], ...]:
        return self.residuals

    def _short(self, at: int) -> str:
        """Return how much more than the least residual a subset leaves at most, in percent."""
        least = Fraction(self.residuals[0][0])
        return percent_up(Fraction(self.residuals[at][1]) / least - 1, 3) if least else ""

"""What holds for all loadings that round to printed ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from relaxspca.errors import counted
from relaxspca.numerics.decimals import (
    decimal_above,
    decimal_below,
    float_above,
    rounded_down,
    rounded_up,
)
from relaxspca.results.digits import between
from relaxspca.results.relative_difference import gain_at_least, gain_at_most

__all__ = ["PrintedLoadings"]

TOTAL = Fraction(1, 10**12)  # part of a trace that the sum of its floats errs by at most


@dataclass(frozen=True)
class PrintedLoadings:
    """What all loadings have in common that round to printed ones, 0 where 0 is printed.

    Attributes
    ----------
    decimals : int
        Decimals of the printed loadings: every other is off by half a unit of the last place at most.
    least, most : tuple of float
        Proved bounds on what each component explains at length 1 (variance).
    orthogonal : bool or None
        Whether all such tables have orthogonal components (no variable is used twice); False if none has; None
        if neither is proved.
    apart : (int, int, float) or None
        Two components, 0-based, that are orthogonal in none, and what their inner product at length 1 is at
        least, in modulus.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> printed = rs.certify(cov, [0.71, 0.70], loading_decimals=2).printed  # 0.715 and 0.695 explain least
    >>> 2.9995 < printed.least[0] < 2.9998, 3.0 <= printed.most[0] < 3.000001
    (True, True)
    """

    decimals: int
    least: tuple[float, ...]
    most: tuple[float, ...]
    orthogonal: bool | None
    apart: tuple[int, int, float] | None

    @property
    def least_sum(self) -> float:
        """Proved lower bound on the sum of the variances of the components."""
        return -float_above(-sum(map(Fraction, self.least), Fraction(0)))

    @property
    def most_sum(self) -> float:
        """Proved upper bound on the sum of the variances of the components."""
        return float_above(sum(map(Fraction, self.most), Fraction(0)))

    def recorded(self, j: int) -> dict[str, float]:
        """Return the bounds on what component j explains, true when read as decimals too."""
        return {"printed_least": decimal_below(self.least[j]), "printed_most": decimal_above(self.most[j])}

    def of_component(self, best: float, upper: float) -> str:
        """Say in a line what a component explains, and how far it is from the best.

        Parameters
        ----------
        best : what a component of the same cardinality is known to explain.
        upper : what none exceeds.
        """
        cell = between(self.least[0], self.most[0]).brief
        line = f"Every component that rounds to it ({self._how()}) has a variance of {cell}"
        return f"{line}: {_of_best(self.least[0], self.most[0], best, upper)}."

    def of_table(self, total: float, best: float | None, upper: float | None) -> str:
        """Say in a line what the components explain together, and how far they are from the best table.

        Parameters
        ----------
        total : trace of the matrix, a sum of floats.
        best, upper : bounds on the best orthogonal table of these cardinalities, where they are known.
        """
        least, most = self.least_sum, self.most_sum
        line = f"In every set of components that rounds to it ({self._how()}), the variances add up to "
        line += between(least, most).brief
        if total > 0 and math.isfinite(least) and math.isfinite(most):
            low, high = (100 * Fraction(x) / Fraction(total) for x in (least, most))
            low, high = low - TOTAL * abs(low), high + TOTAL * abs(high)
            line += f", {rounded_down(low, 4)} to {rounded_up(high, 4)} % of the total"
        if self.apart is not None:
            i, j, cosine = self.apart
            pair = f"components {i + 1} and {j + 1} have an inner product of at least {rounded_down(cosine, 2)}"
            return f"{line}. None is orthogonal, so some of it counts twice: {pair}."
        which = "All are orthogonal" if self.orthogonal else "Whether one is orthogonal is not known"
        if best is None or upper is None:
            return f"{line}. {which}."
        return f"{line}. {which}: {_of_best(least, most, best, upper)}."

    def _how(self) -> str:
        return f"{counted(self.decimals, 'decimal')}, the same variables"


def _of_best(least: float, most: float, best: float, upper: float) -> str:
    """Compare what all explain with the best."""
    more = gain_at_least(best, (least, most))
    if more:
        return f"a better one is known (+{more} or more)"
    more = gain_at_most(upper, (least, most))
    return f"one of them may be optimal, and none can be improved by more than {more}"

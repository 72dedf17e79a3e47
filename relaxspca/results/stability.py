"""What `stability` returns: how much the matrix may change before another support is better."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import decimal_above, decimal_below, rounded_down, rounded_up
from relaxspca.numerics.linalg import Array
from relaxspca.results.claims import matrix_words, of_supports
from relaxspca.results.printable import Printable, Table

__all__ = ["Stability"]

MEASURES = {
    "spectral": "largest eigenvalue of the change, in modulus",
    "entries": "largest change of an entry",
    "off-diagonal": "largest change of an entry, the diagonal kept",
}


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Printable):
    """How much a matrix may change before another support of k variables is better, with proof.

    Attributes
    ----------
    support : tuple of str
        The variables of the component.
    k : int
    lower : float
        What it is proved to attain (variance).
    runner_up : float
        What no other support of k variables exceeds (variance); minus infinity where there is no other.
    radii : dict of float
        For each measure of a change E, a size up to which the support stays optimal, whatever E is: "spectral"
        (the spectral norm), "entries" (all entries), "off-diagonal" (all entries, with a zero diagonal). 0
        where no size is proved.
    decimals : int or None
        Decimals of the printed matrix, when they were asked about.
    is_optimal_as_printed : bool or None
        Whether the support is optimal for every matrix that rounds to the printed one: proved, refuted by
        `counterexample`, or, None, neither (or not asked).
    reason : str
        Why.
    bounds : (float, float) or None
        Between them lies the optimum of every matrix that rounds to the printed one (variance).
    counterexample : array or None
        A symmetric matrix that rounds to the printed one and for which another support is proved better.
    certificate : Certificate
        Of the bound on all other supports, which the radii follow from.
    """

    support: tuple[str, ...]
    k: int
    lower: float
    runner_up: float
    radii: dict[str, float]
    decimals: int | None
    is_optimal_as_printed: bool | None
    reason: str
    bounds: tuple[float, float] | None
    counterexample: Array | None
    certificate: Certificate

    @property
    def radius(self) -> float:
        """Spectral norm of a change up to which the support stays optimal (variance)."""
        return self.radii["spectral"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return a dict for each measure, in full precision; bounds are true when read as decimals too."""
        return [
            {
                "k": self.k,
                "support": in_line(self.support, "; "),
                "lower": decimal_below(self.lower),
                "runner_up": decimal_above(self.runner_up),
                "measure": measure,
                "radius": decimal_below(radius),
            }
            for measure, radius in self.radii.items()
        ]

    def _statement(self) -> list[str]:
        names, which = in_line(self.support), matrix_words(self.certificate) + of_supports(self.certificate)
        if self.runner_up == -math.inf:
            return [f"for {which}: there is no support but {names}, whatever the entries are"]
        lines = [
            f"for {which}: {names} explains at least {rounded_down(self.lower, 10)}, every other support of "
            f"{counted(self.k, 'variable')} at most {rounded_up(self.runner_up, 10)}"
        ]
        if self.radius > 0:
            lines.append(
                "it stays optimal, perhaps not as the only one, after every symmetric change of the matrix of "
                f"spectral norm at most {rounded_down(self.radius, 3)} (compared with the supports near it one "
                "by one); larger changes were not proved safe"
            )
        else:
            lines.append(
                "another support explains as much, or it is not proved that none does: no change is proved safe"
            )
        if self.decimals is not None:
            answer = {True: "yes", False: "no", None: "not decided"}[self.is_optimal_as_printed]
            lines.append(
                f"optimal for every matrix that rounds to this one at {self.decimals} decimals: {answer}, "
                f"{self.reason}"
            )
        if self.bounds is not None:
            low, high = self.bounds
            lines.append(f"the optimum of each of them is from {rounded_down(low, 6)} to {rounded_up(high, 6)}")
        return lines

    def _tables(self) -> list[Table]:
        rows = [[MEASURES[name], rounded_down(radius, 3)] for name, radius in self.radii.items()]
        return [Table(("measure of a change", "safe up to"), rows, (1,))]

    def _certificates(self) -> Mapping[str, Certificate]:
        return {f"others_k{self.k}": self.certificate}

    _figure = "plot_radii"

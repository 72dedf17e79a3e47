"""A dual point of the relaxation psi, and what it proves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from relaxspca.certificate.evidence import FactorPoint
from relaxspca.numerics.decimals import decimal_above, exact_decimal
from relaxspca.numerics.linalg import Array
from relaxspca.problem.penalty_line import penalty_line
from relaxspca.results.claims import recorded
from relaxspca.results.digits import at_most
from relaxspca.results.printable import Printable, Table

__all__ = ["PsiBound"]


@dataclass(frozen=True, eq=False, repr=False)
class PsiBound(Printable):
    r"""A dual point of psi(rho) and what it proves.

    Attributes
    ----------
    rho : float
        Penalty of a variable (variance).
    upper : float
        Proved upper bound on :math:`\phi(\rho)`, and on psi(rho) of Sigma (variance).
    accuracy : float
        Relative accuracy to which `upper` is psi(rho), by weak duality, in floating point.
    dual : FactorPoint
        The dual vectors.
    X : (r, r) array
        The primal matrix, for `relaxspca.candidates.rounding`.
    n : int
        Number of variables.
    matrix : str
        Which matrix it speaks of.
    seconds : float
        Wall-clock time.
    """

    rho: float
    upper: float
    accuracy: float
    dual: FactorPoint
    X: Array
    n: int
    matrix: str
    seconds: float

    _figure = "plot_penalty_line"

    def bound(self, k: int) -> float:
        r"""Return the proved bound :math:`v_k\le` upper + rho k."""
        return penalty_line(self.upper, self.rho, k)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a cardinality: the bound that this point proves for it."""
        return [
            {"rho": self.rho, "k": k, "upper": decimal_above(self.bound(k)), "accuracy": self.accuracy}
            for k in range(1, self.n + 1)
        ]

    def _statement(self) -> list[str]:
        rho = exact_decimal(self.rho)
        upper = recorded(self.upper, self.upper, self.rho, self.n)["upper"]
        return [
            f"Largest variance less {rho} for each variable used: at most {at_most(upper)}, for {self.matrix}.",
            f"Largest variance with at most k variables: at most {at_most(upper)} + {rho} k, for every k.",
            f"The dual point of psi({rho}) is accurate to about {self.accuracy:.0e} (relative).",
        ]

    def _paper_tables(self) -> list[Table]:
        rows = [[str(k), at_most(self.bound(k))] for k in range(1, self.n + 1)]
        return [Table(("k", "upper bound"), rows, (0, 1))]

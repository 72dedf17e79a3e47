"""An upper bound on the optimum, the dual point that proves it and how it was reached."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from relaxspca.certificate import Point
from relaxspca.errors import counted
from relaxspca.numerics.decimals import exact_decimal
from relaxspca.numerics.linalg import Array
from relaxspca.numerics.shortest import decimal_above
from relaxspca.problem.gap import penalty_line
from relaxspca.results.digits import at_most
from relaxspca.results.printable import Printable, Table
from relaxspca.results.sentences import proof_words
from relaxspca.results.status import Status

__all__ = ["Bound", "BoundStep", "PenalizedBound"]


@dataclass(frozen=True)
class BoundStep:
    """One entry of a bound's history.

    Attributes
    ----------
    relaxation : str
        Which relaxation was evaluated.
    upper : float
        The bound it gave (variance).
    seconds : float
        Time since the work began.
    note : str
        Solver, iteration or status, for the reader.
    """

    relaxation: str
    upper: float
    seconds: float
    note: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Bound(Printable):
    r"""An upper bound that is proved for the floats it was computed from.

    .. math:: v_k = \max\{x'\Sigma x : \|x\|_2 = 1,\ \operatorname{Card}(x)\le k\} \le \text{upper}

    Attributes
    ----------
    k : int
        Cardinality.
    upper : float
        The bound (variance).
    relaxation : str
        The relaxation that gave it; "spectral", "trace" and "rowsum" need no dual point.
    dual : dual point or None
        The dual point at which `upper` was evaluated.
    history : tuple of BoundStep
        How the bound came down.
    matrix : str
        Which matrix it speaks of, in words.

    Examples
    --------
    >>> Bound(k=2, upper=3.0, relaxation="trace")
    Largest variance with at most 2 variables: at most 3.00000, by the trace.
    """

    k: int
    upper: float
    relaxation: str
    dual: Point | None = None
    history: tuple[BoundStep, ...] = ()
    matrix: str = ""

    _figure = "plot_bound"

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C came before all that was asked for was tried."""
        return bool(self.history) and self.history[-1].note == Status.INTERRUPTED

    @property
    def seconds(self) -> float:
        """Wall-clock time of the last step."""
        return self.history[-1].seconds if self.history else 0.0

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a step, the bound itself at the end if no step reached it."""
        steps = [(step.relaxation, step.upper, step.seconds, step.note) for step in self.history]
        if not steps or min(upper for _, upper, *_ in steps) > self.upper:
            steps.append((self.relaxation, self.upper, self.seconds, ""))
        return [
            {"k": self.k, "relaxation": name, "upper": decimal_above(upper), "seconds": seconds, "note": note}
            for name, upper, seconds, note in steps
        ]

    def _statement(self) -> list[str]:
        of = f", for {self.matrix}" if self.matrix else ""
        what = f"Largest variance with at most {counted(self.k, 'variable')}"
        return [f"{what}: at most {at_most(self.upper)}, by {proof_words(self.relaxation)}{of}."]

    def _tables(self) -> list[Table]:
        rows = [
            [step.relaxation, at_most(step.upper), f"{step.seconds:.2f}", step.note] for step in self.history
        ]
        return [Table(("relaxation", "upper bound", "seconds", "note"), rows, (1, 2))]


@dataclass(frozen=True, eq=False, repr=False)
class PenalizedBound(Printable):
    r"""An upper bound of the penalised problem, and with it of every cardinality.

    .. math:: \phi(\rho)=\max_{\|x\|\le1}\ x'\Sigma x-\rho\operatorname{Card}(x)\le\text{upper},
              \qquad v_k\le\text{upper}+\rho k

    Attributes
    ----------
    rho : float
        Penalty of a variable (variance).
    upper : float
        The bound (variance).
    relaxation : str
        The relaxation that gave it.
    dual : dual point or None
        The dual point at which `upper` was evaluated.
    matrix : str
        Which matrix it speaks of, in words.
    accuracy : float
        Relative accuracy to which `upper` is the value of the relaxation, by weak duality, in floating point;
        nan where that is not known.
    X : (r, r) array or None
        The primal matrix, for `relaxspca.candidates.rounding`.
    seconds : float
        Wall-clock time.

    Examples
    --------
    >>> PenalizedBound(rho=0.5, upper=1.5, relaxation="psi").bound(2)
    2.5000000000000004
    """

    rho: float
    upper: float
    relaxation: str
    dual: Point | None = None
    matrix: str = ""
    accuracy: float = math.nan
    X: Array | None = None
    seconds: float = 0.0

    def bound(self, k: int) -> float:
        """Return the proved bound on v_k, upper + rho k, rounded upwards."""
        return penalty_line(self.upper, self.rho, k)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the one bound."""
        return [{"rho": self.rho, "relaxation": self.relaxation, "upper": decimal_above(self.upper)}]

    def _statement(self) -> list[str]:
        rho, of = exact_decimal(self.rho), f", for {self.matrix}" if self.matrix else ""
        upper, by = at_most(self.upper), proof_words(self.relaxation)
        return [
            f"Largest variance less {rho} for each variable used: at most {upper}, by {by}{of}.",
            f"Largest variance with at most k variables: at most {upper} + {rho} k, for every k.",
            *(
                []
                if math.isnan(self.accuracy)
                else [f"The dual point is accurate to about {self.accuracy:.0e} (relative)."]
            ),
        ]

    def _tables(self) -> list[Table]:
        return []

    def _paper_tables(self) -> list[Table]:
        return [Table(("rho", "upper bound"), [[exact_decimal(self.rho), at_most(self.upper)]], (0, 1))]

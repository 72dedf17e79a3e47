"""An upper bound on the optimum, the dual point that proves it and how it was reached."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from relaxspca.certificate import Point
from relaxspca.errors import InputError, counted
from relaxspca.numerics.decimals import exact_decimal
from relaxspca.numerics.percent import decimal_above
from relaxspca.problem.gap import penalty_line
from relaxspca.results.digits import at_most
from relaxspca.results.printable import Printable
from relaxspca.results.sentences import proof_words
from relaxspca.results.status import Status
from relaxspca.results.tables import Table


@dataclass(frozen=True, eq=False, repr=False)
class Bound(Printable):
    r"""An upper bound, for k variables or at a penalty, that is proved for the floats it was computed from.

    .. math:: v_k &= \max\{x'\Sigma x : \|x\|=1,\ \operatorname{Card}(x)\le k\} \le \text{upper},\\
              \phi(\rho) &= \max_{\|x\|\le1}\ x'\Sigma x-\rho\operatorname{Card}(x)\le\text{upper}

    Attributes
    ----------
    k : int or None
        Cardinality; None at a penalty, where the bound is one of every cardinality too (`bound`).
    upper : float
        The bound (variance).
    relaxation : str
        The relaxation that gave it; "spectral", "trace" and "rowsum" need no dual point.
    dual : dual point or None
        The dual point at which `upper` was evaluated.
    history : tuple of Bound
        How the bound came down: what was tried, in turn, without the dual points.
    matrix : str
        Which matrix it speaks of, in words.
    rho : float or None
        Penalty of a variable (variance), where there is one.
    accuracy : float
        Relative accuracy to which `upper` is the value of the relaxation, by weak duality, in floating point;
        nan where that is not known.
    seconds : float
        Time since the work began.
    note : str
        Solver, iteration or status, for the reader.

    Examples
    --------
    >>> Bound(k=2, upper=3.0, relaxation="trace")
    Largest variance with at most 2 variables: at most 3.00000, by the trace.
    >>> Bound(k=None, rho=0.5, upper=1.5, relaxation="psi").bound(2)
    2.5000000000000004
    """

    k: int | None
    upper: float
    relaxation: str
    dual: Point | None = None
    history: tuple[Bound, ...] = ()
    matrix: str = ""
    rho: float | None = None
    accuracy: float = math.nan
    seconds: float = 0.0
    note: str = ""

    _figure = "plot_progress"

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C came before all that was asked for was tried."""
        return bool(self.history) and self.history[-1].note == Status.INTERRUPTED

    def after(self, *earlier: Bound) -> Bound:
        """Return the bound with its history: those tried earlier, and itself."""
        return replace(self, history=(*earlier, replace(self, dual=None)))

    def bound(self, k: int) -> float:
        r"""Return the proved bound on v_k: upper + rho k, rounded upwards, or upper where k is no larger.

        Raises
        ------
        InputError
            The bound is of fewer variables than k.
        """
        if self.rho is not None:
            return penalty_line(self.upper, self.rho, k)
        if self.k is None or k > self.k:
            raise InputError(f"this bound is about {self.k} variables, not about {k}")
        return self.upper

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a step, the bound itself at the end if no step reached it."""
        steps = [(step.relaxation, step.upper, step.seconds, step.note) for step in self.history]
        if not steps or min(upper for _, upper, *_ in steps) > self.upper:
            steps.append((self.relaxation, self.upper, self.seconds, ""))
        size = {"k": self.k} if self.rho is None else {"rho": self.rho}
        return [
            size | {"relaxation": name, "upper": decimal_above(upper), "seconds": seconds, "note": note}
            for name, upper, seconds, note in steps
        ]

    def _statement(self) -> list[str]:
        of, upper = f", for {self.matrix}" if self.matrix else "", at_most(self.upper)
        by = proof_words(self.relaxation)
        if self.k is not None:
            what = f"Largest variance with at most {counted(self.k, 'variable')}"
            return [f"{what}: at most {upper}, by {by}{of}."]
        rho = exact_decimal(self.rho or 0.0)
        lines = [
            f"Largest variance less {rho} for each variable used: at most {upper}, by {by}{of}.",
            f"Largest variance with at most k variables: at most {upper} + {rho} k, for every k.",
        ]
        if not math.isnan(self.accuracy):
            lines.append(f"The dual point is accurate to about {self.accuracy:.0e} (relative).")
        return lines

    def _tables(self) -> list[Table]:
        rows = [[one.relaxation, at_most(one.upper), f"{one.seconds:.2f}", one.note] for one in self.history]
        return [Table(("relaxation", "upper bound", "seconds", "note"), rows, (1, 2))]

"""An upper bound on the optimum, the dual point that proves it and how it was reached."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from relaxspca.certificate import Point
from relaxspca.numerics.decimals import rounded_up

__all__ = ["INTERRUPTED", "Bound", "BoundStep"]

INTERRUPTED = "interrupted"  # the note of the step that Ctrl-C ended


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
class Bound:
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

    Examples
    --------
    >>> Bound(k=2, upper=3.0, relaxation="trace")
    Bound: v_2 <= 3.000000000 by trace
    """

    k: int
    upper: float
    relaxation: str
    dual: Point | None = None
    history: tuple[BoundStep, ...] = ()

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C came before all that was asked for was tried."""
        return bool(self.history) and self.history[-1].note == INTERRUPTED

    def __repr__(self) -> str:
        taken = f" ({self.history[-1].seconds:.2g} s)" if self.history else ""
        return f"Bound: v_{self.k} <= {rounded_up(self.upper, 10)} by {self.relaxation}{taken}"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(step.relaxation)}</td><td>{rounded_up(step.upper, 10)}</td>"
            f"<td>{step.seconds:.2g}</td><td>{escape(step.note)}</td></tr>"
            for step in self.history
        )
        head = "<tr><th>relaxation</th><th>upper</th><th>seconds</th><th>note</th></tr>"
        table = f"<table>{head}{rows}</table>" if rows else ""
        return (
            f"<p><i>v</i><sub>{self.k}</sub> &le; <b>{rounded_up(self.upper, 10)}</b> "
            f"by {escape(self.relaxation)}</p>{table}"
        )

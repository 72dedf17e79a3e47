"""What `solve` returns: a component, two proved bounds and the certificate."""

from __future__ import annotations

import os
from dataclasses import dataclass
from html import escape
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.errors import counted
from relaxspca.numerics.decimals import rounded_down, rounded_up
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.progress import Progress
from relaxspca.results.tables import csv_table, data_frame, latex_table, markdown_table, saved
from relaxspca.runtime.door import upstairs

__all__ = ["Result"]

MEANING = {
    "optimal": "the component is optimal",
    "gap": "the component is optimal to within the gap that was asked for",
    "time_limit": "the time was spent; the bounds hold",
    "node_limit": "the nodes were spent; the bounds hold",
    "elimination": "the variables eliminated leave this gap; the bounds hold",
    "interrupted": "interrupted; the bounds hold",
}


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """A sparse component and how far from optimal it can be.

    Attributes
    ----------
    candidate : Candidate
        The best component found; without variables when none is worth its penalty.
    lower, upper : float
        Proved bounds on the optimum (variance); `lower` is attained by the candidate.
    status : str
        "optimal", "gap", "time_limit", "node_limit", "elimination" or "interrupted".
    certificate : Certificate
        The proof of both bounds; `relaxspca.verify` checks it.
    node_count : int
        Nodes of the search that were evaluated.
    seconds : float
        Wall-clock time, candidate included.
    history : tuple of Progress
        Bounds after every round of the search.

    Examples
    --------
    >>> import relaxspca as rs
    >>> result = rs.solve(rs.datasets.load_pitprops(), 3)
    >>> result.status, result.support, result.gap < 1e-9
    ('optimal', ('topdiam', 'length', 'bowdist'), True)
    """

    candidate: Candidate
    lower: float
    upper: float
    status: str
    certificate: Certificate
    node_count: int
    seconds: float
    history: tuple[Progress, ...] = ()

    @property
    def gap(self) -> float:
        r"""Proved relative width, (upper - lower)/\|lower\|; 0 where both bounds are 0."""
        return relative_gap(self.lower, self.upper, self.certificate)

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used."""
        return tuple(self.certificate.names[i] for i in self.certificate.support)

    def to_record(self) -> dict[str, Any]:
        """Return the result as one flat dict, in full precision."""
        penalty = self.certificate.penalty
        return ({} if penalty is None else {"rho": penalty}) | {
            "k": self.certificate.cardinality or self.candidate.k,
            "lower": self.lower,
            "upper": self.upper,
            "gap": self.gap,
            "status": self.status,
            "support": "; ".join(self.support),
            "indices": " ".join(str(i) for i in self.candidate.indices),
            "node_count": self.node_count,
            "seconds": self.seconds,
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame of one line.

        Raises
        ------
        MissingExtra
            pandas is not installed.
        """
        return data_frame([self.to_record()])

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return comma-separated values in full precision, and write them when a path is given."""
        record = self.to_record()
        text = csv_table(list(record), [[str(value) for value in record.values()]])
        return saved(text, path)

    def to_markdown(self) -> str:
        """Return the loadings and the rounded bounds (lower down, upper up) as Markdown."""
        return f"{self._bounds('<=')}\n\n" + markdown_table(["variable", "loading"], self._cells(), right=[1])

    def to_latex(self) -> str:
        """Return the loadings as a LaTeX tabular (booktabs); `certificate.to_latex` states the bounds."""
        return latex_table(["variable", "loading"], self._cells(), right=[1])

    def plot(self) -> Any:
        """Return a matplotlib figure of the bounds during the search (`relaxspca.plotting.plot_progress`)."""
        return upstairs("plotting", "plot_progress")(self).figure

    def _bounds(self, sign: str) -> str:
        return f"{rounded_down(self.lower, 10)} {sign} {self._symbol()} {sign} {rounded_up(self.upper, 10)}"

    def _cells(self) -> list[list[str]]:
        """Return a row for every variable in use, the largest loading first."""
        loadings = {int(i): float(self.certificate.loadings[i]) for i in self.certificate.support}
        order = sorted(loadings, key=lambda i: -abs(loadings[i]))
        return [[self.certificate.names[i], f"{loadings[i]:.4f}"] for i in order]

    def __repr__(self) -> str:
        return (
            f"Result: {self.lower:.10g} <= {self._symbol()} <= {self.upper:.10g} (gap {100 * self.gap:.2g} %), "
            f"{self.status}: {MEANING[self.status]}\n"
            f"  support: {', '.join(self.support) or 'none'}\n"
            f"  {counted(self.node_count, 'node')}, {self.seconds:.2f} s"
        )

    def _repr_html_(self) -> str:
        return (
            f"<p>{self.lower:.10g} &le; {escape(self._symbol())} &le; {self.upper:.10g}, gap "
            f"{100 * self.gap:.2g} %: <b>{escape(MEANING[self.status])}</b></p>"
            f"<p>{escape(', '.join(self.support))}</p>"
        )

    def _symbol(self) -> str:
        k, rho = self.certificate.cardinality, self.certificate.penalty
        return f"v_{k}" if k is not None else f"phi({rho:g})"

"""Every candidate method on one problem, judged by the proved optimum or bound."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from numbers import Real
from typing import Any

import numpy as np

from relaxspca.candidates import METHODS, candidate
from relaxspca.errors import InputError, counted
from relaxspca.numerics.decimals import rounded_down
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.problem.limits import check_limits
from relaxspca.results.result import Result
from relaxspca.results.tables import csv_table, data_frame, html_table, latex_table, markdown_table, saved
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.door import upstairs
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.tasks.solve import solve

__all__ = ["Comparison", "ComparisonRow", "compare"]

HEADER = ["method", "value", "gap %", "seconds", "variables"]


@dataclass(frozen=True, eq=False)
class ComparisonRow:
    r"""One method.

    Attributes
    ----------
    method : str, its name in `relaxspca.candidates.METHODS`, or "solve".
    candidate : Candidate
    gap : float
        (upper - value)/\|value\|: at most this part better can any component of this cardinality be.
    shortfall : float
        (best - value)/\|best\|: how far below the best value of the comparison.
    seconds : float, wall-clock time.
    """

    method: str
    candidate: Candidate
    gap: float
    shortfall: float
    seconds: float

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used."""
        return self.candidate.support

    @property
    def indices(self) -> tuple[int, ...]:
        """The variables used, 0-based."""
        return tuple(int(i) for i in self.candidate.indices)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The methods from best to worst, with the proved bounds that judge them.

    Attributes
    ----------
    k : int
    rows : tuple of ComparisonRow, by value and then by time.
    upper : float, bound on the optimum.
    result : Result or None, the search that proved `upper`; None when the bound was given.
    is_interrupted : bool, whether Ctrl-C came before every method and the search were done.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.compare(rs.datasets.load_pitprops(), 5, methods=["greedy", "elastic_net"])
    >>> [row.method for row in found.rows if row.shortfall < 1e-9]
    ['greedy', 'elastic_net']
    """

    k: int
    rows: tuple[ComparisonRow, ...]
    upper: float
    result: Result | None
    is_interrupted: bool = False

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a method, in full precision."""
        return [
            {
                "method": row.method,
                "value": row.candidate.value,
                "gap": row.gap,
                "shortfall": row.shortfall,
                "seconds": row.seconds,
                "support": "; ".join(row.support),
                "indices": " ".join(str(i) for i in row.indices),
                "note": row.candidate.method,
            }
            for row in self.rows
        ]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame, one line a method.

        Raises
        ------
        MissingExtra
            pandas is not installed.
        """
        return data_frame(self.to_records())

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return comma-separated values in full precision, and write them when a path is given."""
        records = self.to_records()
        text = csv_table(list(records[0]), [[str(value) for value in record.values()] for record in records])
        return saved(text, path)

    def to_markdown(self) -> str:
        """Return a Markdown table; values are rounded down."""
        return markdown_table(HEADER, self._cells(), right=(1, 2, 3))

    def to_latex(self) -> str:
        """Return a LaTeX tabular (booktabs); values are rounded down."""
        header = [cell.replace("%", r"\%") for cell in HEADER]
        return latex_table(header, self._cells(), right=(1, 2, 3))

    def plot(self) -> Any:
        """Return a matplotlib figure: the gap of every method, with its time (`relaxspca.plotting`)."""
        return upstairs("plotting", "plot_comparison")(self).figure

    def __repr__(self) -> str:
        return f"{self._summary()}\n{self.to_markdown()}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self._summary())}</p>{html_table(HEADER, self._cells())}"

    def _summary(self) -> str:
        best = self.rows[0].candidate.value
        judged = "given" if self.result is None else f"proved, {self.result.status}"
        return (
            f"Comparison of {counted(len(self.rows), 'method')}: "
            f"{best:.10g} <= v_{self.k} <= {self.upper:.10g} ({judged})"
        )

    def _cells(self) -> list[list[str]]:
        return [
            [
                row.method,
                rounded_down(row.candidate.value),
                f"{100 * row.gap:.3g}",
                f"{row.seconds:.3f}",
                ", ".join(row.support),
            ]
            for row in self.rows
        ]


def compare(
    cov: Covariance,
    k: int,
    *,
    methods: Iterable[str] | None = None,
    upper: float | None = None,
    time_limit: float | None = 60.0,
    rng: np.random.Generator | None = None,
) -> Comparison:
    r"""Run candidate methods and judge each by the proved optimum, or by the best proved bound.

    .. math:: \text{gap} = \frac{\text{upper} - \text{value}}{\text{value}}, \qquad v_k \le \text{upper}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, 1 to n.
    methods : names in `relaxspca.candidates.METHODS`; None is all of them.
    upper : a bound on the optimum that is known already (variance); None runs `relaxspca.solve`, started from
        the best candidate.
    time_limit : seconds for that search; its bound at the end is valid whether or not it is the optimum.
    rng : source of randomness for the methods that draw; None is a fixed seed for each.

    Returns
    -------
    Comparison
        Where the search finds a better component than all methods, it is a row of its own, "solve".

    Raises
    ------
    InputError
        `k` is out of range, a method is not known or none is given, or `upper` lies below a value found.

    Notes
    -----
    A candidate is a feasible point, so its value is a lower bound; `upper` is proved by the search, and then
    every gap is.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> found = compare(load_pitprops(), 5, methods=["auto", "spannogram", "generalized_power_l1"])
    >>> found.rows[0].gap < 1e-8, found.result.status
    (True, 'optimal')
    """
    check_covariance(cov)
    check_limits(time_limit=time_limit)
    names = list(METHODS) if methods is None else list(methods)
    if not names:
        raise InputError("no method is given to compare")
    timed, is_interrupted = until_interrupted(_timed(cov, k, names, rng))
    best = max((found for _, found, _ in timed), key=lambda found: found.value)
    result = None
    if upper is None:
        result = solve(cov, k, start=best, time_limit=0.0 if is_interrupted else time_limit)
        is_interrupted = is_interrupted or result.status == "interrupted"
        upper = result.upper
        if result.candidate.value > best.value:
            best = result.candidate
            timed.append(("solve", best, result.seconds))
    elif not (isinstance(upper, Real) and upper >= best.value):
        raise InputError(f"{upper!r} is not an upper bound: {best.method} reaches {best.value!r}")
    rows = [_row(cov, name, found, seconds, best.value, upper) for name, found, seconds in timed]
    rows.sort(key=lambda row: (round(row.shortfall, 10), row.seconds))
    return Comparison(k, tuple(rows), upper, result, is_interrupted)


def _timed(
    cov: Covariance, k: int, names: Iterable[str], rng: np.random.Generator | None
) -> Iterator[tuple[str, Candidate, float]]:
    for name in names:
        clock = Deadline.after(None)
        found = candidate(cov, k, name, rng=rng)
        yield name, found, clock.elapsed


def _row(
    cov: Covariance, name: str, found: Candidate, seconds: float, best: float, upper: float
) -> ComparisonRow:
    return ComparisonRow(
        method=name,
        candidate=found,
        gap=relative_gap(found.value, upper, cov),
        shortfall=_shortfall(found.value, best),
        seconds=seconds,
    )


def _shortfall(value: float, best: float) -> float:
    if value == best:
        return 0.0
    return (best - value) / abs(best) if best else np.inf

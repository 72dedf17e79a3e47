"""The rows of a path and what they can be turned into: tables, a figure, certificates."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.errors import counted
from relaxspca.numerics.decimals import rounded_down, rounded_up
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.tables import csv_table, data_frame, html_table, latex_table, markdown_table, saved
from relaxspca.runtime.door import upstairs

__all__ = ["Path", "PathRow"]


@dataclass(frozen=True, eq=False)
class PathRow:
    """One point of a path.

    Attributes
    ----------
    k : int
        Number of variables: the one asked for, or what the penalised candidate uses.
    rho : float or None
        Penalty of this row (variance); None on a path of cardinalities.
    candidate : Candidate or None
        None when no variable is worth its penalty.
    lower, upper : float
        Proved bounds on v_k, or on phi(rho) (variance).
    support : tuple of str
        Names of the variables used.
    rho_lo, rho_hi : float
        Penalties between which the support meets the first-order conditions of the penalised problem;
        none when ``rho_lo >= rho_hi``.
    by : str
        What proved `upper`.
    tol : float
        Relative gap up to which the row counts as certified.
    certificate : Certificate
    """

    k: int
    rho: float | None
    candidate: Candidate | None
    lower: float
    upper: float
    support: tuple[str, ...]
    rho_lo: float
    rho_hi: float
    by: str
    tol: float
    certificate: Certificate

    @property
    def gap(self) -> float:
        r"""Relative width, (upper - lower)/\|lower\|; on a path of penalties over rho where that is larger."""
        return relative_gap(self.lower, self.upper, self.certificate, least=self.rho or 0.0)

    @property
    def certified(self) -> bool:
        """Whether the gap is at most the tolerance of the path."""
        return self.gap <= self.tol

    @property
    def indices(self) -> tuple[int, ...]:
        """The variables used, 0-based."""
        return () if self.candidate is None else tuple(int(i) for i in self.candidate.indices)


@dataclass(frozen=True, eq=False, repr=False)
class Path:
    """Rows along cardinalities (`over` is "k") or penalties ("rho"), with tables, a figure and certificates.

    Attributes
    ----------
    rows : tuple of PathRow
    over : str
        "k" or "rho".
    tol : float
        Relative gap up to which a row counts as certified.
    is_interrupted : bool
        Whether Ctrl-C came before the last row was done: rows are missing then, or less tight. Their bounds
        hold.

    Examples
    --------
    >>> import relaxspca as rs
    >>> path = rs.path(rs.datasets.load_pitprops(), k=[2, 3])
    >>> [(row.k, row.support, row.certified) for row in path.rows]
    [(2, ('topdiam', 'length'), True), (3, ('topdiam', 'length', 'bowdist'), True)]
    """

    rows: tuple[PathRow, ...]
    over: str
    tol: float
    is_interrupted: bool = False

    @property
    def certificates(self) -> dict[int | float, Certificate]:
        """One certificate for every k or rho."""
        return {self._key(row): row.certificate for row in self.rows}

    def save_certificates(self, folder: str | os.PathLike[str]) -> list[FilePath]:
        """Write one certificate a row into a folder, made if need be, and return the paths."""
        target = FilePath(folder)
        target.mkdir(parents=True, exist_ok=True)
        paths = [target / f"{self.over}{self._key(row):0{self._width}}.json" for row in self.rows]
        for path, row in zip(paths, self.rows, strict=True):
            row.certificate.save(path)
        return paths

    def to_frame(self) -> Any:
        """Return a pandas DataFrame, one line a row.

        Raises
        ------
        MissingExtra
            pandas is not installed.
        """
        return data_frame([self._record(row) for row in self.rows])

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return comma-separated values in full precision, and write them when a path is given."""
        records = [self._record(row) for row in self.rows]
        cells = [[_plain(value) for value in record.values()] for record in records]
        text = csv_table(list(records[0]), cells)
        return saved(text, path)

    def to_markdown(self) -> str:
        """Return a Markdown table with rounded bounds: lower down, upper up."""
        header = ["k" if self.over == "k" else "rho", "variables", "lower", "upper", "gap %", "by"]
        return markdown_table(header, self._cells(), right=(0, 2, 3, 4))

    def to_latex(self) -> str:
        """Return a LaTeX tabular (booktabs) with rounded bounds: lower down, upper up."""
        header = ["$k$" if self.over == "k" else r"$\rho$", "variables", "lower", "upper", r"gap \%", "by"]
        return latex_table(header, self._cells(), right=(0, 2, 3, 4))

    def plot(self) -> Any:
        """Return a matplotlib figure of the bounds and the gap (`relaxspca.plotting.plot_path`)."""
        return upstairs("plotting", "plot_path")(self)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        proved = sum(row.certified for row in self.rows)
        stopped = ", interrupted" if self.is_interrupted else ""
        rows = counted(len(self.rows), "row")
        summary = f"Path of {rows}, {proved} certified to within {self.tol:.2g}{stopped}"
        return f"{summary}\n{self.to_markdown()}"

    def _repr_html_(self) -> str:
        return html_table([self.over, "variables", "lower", "upper", "gap %", "by"], self._cells())

    @property
    def _width(self) -> int:
        return max(len(f"{self._key(row)}") for row in self.rows)

    def _key(self, row: PathRow) -> int | float:
        return row.k if row.rho is None else row.rho

    def _record(self, row: PathRow) -> dict[str, Any]:
        key = {} if row.rho is None else {"rho": row.rho}
        return key | {
            "k": row.k,
            "lower": row.lower,
            "upper": row.upper,
            "gap": row.gap,
            "certified": row.certified,
            "by": row.by,
            "support": "; ".join(row.support),
            "indices": " ".join(str(i) for i in row.indices),
            "rho_lo": row.rho_lo,
            "rho_hi": row.rho_hi,
        }

    def _cells(self) -> list[list[str]]:
        return [
            [
                f"{self._key(row):g}",
                ", ".join(row.support),
                rounded_down(row.lower),
                rounded_up(row.upper),
                "0" if row.certified else f"{100 * row.gap:.3g}",
                row.by,
            ]
            for row in self.rows
        ]


def _plain(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)

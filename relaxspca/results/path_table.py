"""The rows of a path and what they can be turned into: tables, a figure, certificates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.errors import InputError, counted
from relaxspca.numerics.decimals import brief_up, exact_decimal, float_above, percent_up, rounded
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.claims import claimed, matrix_words, recorded, share
from relaxspca.results.loadings import Loadings
from relaxspca.results.shown import Shown, Table
from relaxspca.results.status import Status

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
    def loadings(self) -> Loadings:
        """Loadings by name, the largest first; empty when no variable is worth its penalty."""
        found = self.candidate
        return Loadings((), np.zeros(0)) if found is None else Loadings(found.names, found.loadings)

    @property
    def share(self) -> float:
        """The part of the trace that the component explains; nan where the trace is not above 0."""
        return share(0.0 if self.candidate is None else self.candidate.value, self.certificate)

    @property
    def indices(self) -> tuple[int, ...]:
        """The variables used, 0-based."""
        return () if self.candidate is None else tuple(int(i) for i in self.candidate.indices)


@dataclass(frozen=True, eq=False, repr=False)
class Path(Shown):
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

    _figure = "plot_path"

    @property
    def certificates(self) -> dict[int | float, Certificate]:
        """One certificate for every k or rho."""
        return {self._key(row): row.certificate for row in self.rows}

    @property
    def status(self) -> Status:
        """Optimal when every row is certified; else "interrupted" or "open"."""
        if self.is_interrupted:
            return Status.INTERRUPTED
        return Status.OPTIMAL if all(row.certified for row in self.rows) else Status.OPEN

    def bound(self, k: int) -> float:
        r"""Return the bound on :math:`v_k` of the rows of k or more, or :math:`\phi(\rho)+\rho k`.

        Raises
        ------
        InputError
            No row speaks of k variables or more.

        Examples
        --------
        >>> import relaxspca as rs
        >>> path = rs.path(rs.datasets.load_pitprops(), rho=[0.2, 0.3])
        >>> round(path.bound(7), 6)
        3.996190
        """
        if self.over == "rho":
            uppers = [float_above(Fraction(row.upper) + Fraction(row.rho or 0.0) * k) for row in self.rows]
        else:
            uppers = [row.upper for row in self.rows if row.k >= k]
        if not uppers or k < 1:
            raise InputError(f"no row of this path speaks of {k} variables")
        return min(uppers)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat dict a row, in full precision; bounds are true when read as decimals too."""
        return [
            ({} if row.rho is None else {"rho": row.rho})
            | {"k": row.k}
            | recorded(row.lower, row.upper, row.rho, row.certificate.n)
            | {
                "gap": row.gap,
                "share": row.share,
                "certified": row.certified,
                "by": row.by,
                "support": "; ".join(row.support),
                "indices": " ".join(map(str, row.indices)),
                "rho_lo": row.rho_lo,
                "rho_hi": row.rho_hi,
            }
            for row in self.rows
        ]

    def __len__(self) -> int:
        return len(self.rows)

    def _statement(self) -> list[str]:
        proved = sum(row.certified for row in self.rows)
        stopped = ", interrupted" if self.is_interrupted else ""
        rows, matrix = counted(len(self.rows), "row"), matrix_words(self.rows[0].certificate)
        summary = f"Path of {rows} for {matrix}"
        return [f"{summary}, {proved} proved to within a relative {brief_up(self.tol)}{stopped}"]

    def _tables(self) -> list[Table]:
        return [self._table(with_means=True)]

    def _paper_tables(self) -> list[Table]:
        return [self._table(with_means=False)]

    def _table(self, *, with_means: bool) -> Table:
        symbol = "v_k" if self.over == "k" else "phi"
        header = ("k" if self.over == "k" else "rho", "variables", symbol, "share %", "gap %")
        rows = [
            [
                str(row.k) if row.rho is None else exact_decimal(row.rho),
                ", ".join(row.support),
                claimed(row.certificate, 7).cell,
                rounded(100 * row.share) if row.share == row.share else "",
                percent_up(row.gap),
                *([row.by] if with_means else []),
            ]
            for row in self.rows
        ]
        return Table((*header, "by") if with_means else header, rows, (0, 2, 3, 4), wrapped=1)

    def _certificates(self) -> Mapping[str, Certificate]:
        width = max(len(f"{self._key(row)}") for row in self.rows)
        return {f"{self.over}{self._key(row):0{width}}": row.certificate for row in self.rows}

    def _key(self, row: PathRow) -> int | float:
        return row.k if row.rho is None else row.rho

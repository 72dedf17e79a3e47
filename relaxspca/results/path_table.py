"""The rows of a path and what they can be turned into: tables, a figure, certificates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.certificate.statement import scope
from relaxspca.errors import InputError, Paragraph, counted, in_line
from relaxspca.numerics.decimals import (
    brief_up,
    decimal_above,
    decimal_below,
    exact_decimal,
    exact_percent,
    float_above,
    interval,
    rounded,
)
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.claims import claimed_interval, matrix_words, of_supports, recorded, symbol_of
from relaxspca.results.duplicates import duplicates_of, duplicates_reported
from relaxspca.results.loadings import Loadings
from relaxspca.results.one_component import ProvedComponent
from relaxspca.results.printable import Printable, Table
from relaxspca.results.relative_difference import gap_cell
from relaxspca.results.status import Status

__all__ = ["Path", "PathRow"]


@dataclass(frozen=True, eq=False, repr=False)
class PathRow(Paragraph, ProvedComponent):
    """One point of a path.

    Attributes
    ----------
    k : int
        Number of variables: the one asked for, or what the penalised candidate uses.
    rho : float or None
        Penalty of this row (variance); None on a path of cardinalities.
    candidate : Candidate
        Without variables when none is worth its penalty.
    lower, upper : float
        Proved bounds on v_k, or on phi(rho) (variance).
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
    candidate: Candidate
    lower: float
    upper: float
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

    def __repr__(self) -> str:
        bounds = claimed_interval(self.certificate).text(symbol_of(self.k, self.rho))
        return f"{bounds} with {in_line(self.support)}" if self.support else bounds


@dataclass(frozen=True, eq=False, repr=False)
class Path(Printable):
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
    dense : (float, float) or None
        Proved bounds on what the dense component explains (variance), where a share of it was asked for.
    asked : float or None
        That share.

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
    dense: tuple[float, float] | None = None
    asked: float | None = None

    @property
    def _figure(self) -> str:  # type: ignore[override]
        return "plot_path" if self.dense is None else "plot_shares"

    def share_of_dense(self, row: PathRow) -> tuple[float, float]:
        """Return proved bounds on the part of the dense component's variance that v_k is, 1 at most.

        It is below 0 where v_k is, of an indefinite matrix.
        """
        if self.dense is None or self.dense[0] <= 0:
            return -math.inf, 1.0
        least, most = map(Fraction, self.dense)
        low = Fraction(row.lower) / (most if row.lower >= 0 else least)
        high = Fraction(row.upper) / (least if row.upper >= 0 else most)
        return -float_above(-low), min(float_above(high), 1.0)

    @property
    def smallest_k(self) -> int | None:
        """The smallest cardinality in the path that is proved to keep the share asked for."""
        if self.asked is None:
            return None
        # As printed and as a float, which is not quite the same number.
        asked = max(Fraction(self.asked), Fraction(exact_decimal(self.asked)))
        return next((row.k for row in self.rows if self.share_of_dense(row)[0] >= asked), None)

    @property
    def is_smallest_proved(self) -> bool:
        """Whether no smaller cardinality keeps that share: of the row before, or there is none."""
        if self.asked is None or self.smallest_k is None:
            return False
        before = [row for row in self.rows if row.k < self.smallest_k]
        asked = min(Fraction(self.asked), Fraction(exact_decimal(self.asked)))
        is_next = bool(before) and before[-1].k == self.smallest_k - 1  # a path in a hurry leaves rows out
        return not before or (is_next and self.share_of_dense(before[-1])[1] < asked)

    @property
    def knee(self) -> int | None:
        """The k whose component is farthest above the chord, the line from the first row to the last.

        It is a rule of thumb for where the curve bends, of the rows that the path has, and no theorem. None on
        a path of penalties and where no row is above the chord. The first of equals is taken.
        """
        rows = sorted({row.k: row for row in self.rows}.values(), key=lambda row: row.k)
        if self.over == "rho" or len(rows) < 3:
            return None
        (k0, v0), (k1, v1) = ((row.k, Fraction(row.lower)) for row in (rows[0], rows[-1]))
        above = {row.k: Fraction(row.lower) - v0 - (v1 - v0) * Fraction(row.k - k0, k1 - k0) for row in rows}
        best = max(above, key=lambda k: above[k])
        return best if above[best] > 0 else None

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
        >>> round(path.bound(7), 5)
        3.99619
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
            | recorded(row.lower, row.upper, certificate=row.certificate)
            | {
                "gap": row.gap,
                "share": row.share,
                **self._dense_record(row),
                "certified": row.certified,
                "by": row.by,
                "support": in_line(row.support, "; "),
                "indices": " ".join(map(str, row.indices)),
                "rho_lo": row.rho_lo,
                "rho_hi": row.rho_hi,
            }
            for row in self.rows
        ]

    def _dense_record(self, row: PathRow) -> dict[str, float]:
        if self.dense is None:
            return {}
        low, high = self.share_of_dense(row)
        return {"dense_share_lower": decimal_below(low), "dense_share_upper": decimal_above(high)}

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, at: int) -> PathRow:
        return self.rows[at]

    def __iter__(self) -> Iterator[PathRow]:
        return iter(self.rows)

    def _statement(self) -> list[str]:
        proved = sum(row.certified for row in self.rows)
        stopped = ", interrupted" if self.is_interrupted else ""
        rows, matrix = counted(len(self.rows), "row"), matrix_words(self.rows[0].certificate)
        summary = f"Path of {rows} for {matrix}{of_supports(self.rows[0].certificate)}"
        lines = [f"{summary}, {proved} proved to within a relative {brief_up(self.tol)}{stopped}"]
        return lines if self.asked is None else [self._answer(self.asked), *lines]

    def _notes(self, *, on_paper: bool = False) -> list[str]:
        gaps = ["each gap is a part of phi, or of rho where that is larger"] if self.over == "rho" else []
        return gaps + duplicates_reported(
            group for row in self.rows for group in duplicates_of(row.certificate)
        )

    def _answer(self, asked: float) -> str:
        """Say how many variables keep the share asked for, under the conditions of the path."""
        among = scope(self.rows[0].certificate)
        under = f"{among}, " if among else ""
        what = f"{exact_percent(asked)} % of what the dense component explains"
        k = self.smallest_k
        if k is None:
            return f"{under}no cardinality in the path is proved to keep {what}"
        fewer = f"no {k - 1} {'does' if k == 2 else 'do'}" if k > self.rows[0].k else "it is the fewest allowed"
        proof = f"proved: {fewer}" if self.is_smallest_proved else "whether fewer do is not proved"
        return f"{under}{counted(k, 'variable')} {'keeps' if k == 1 else 'keep'} {what}, {proof}"

    def _tables(self) -> list[Table]:
        return [self._table(with_means=True)]

    def _paper_tables(self) -> list[Table]:
        return [self._table(with_means=False)]

    def _table(self, *, with_means: bool) -> Table:
        symbol = "v_k" if self.over == "k" else "phi"
        header = ["k" if self.over == "k" else "rho", "variables", symbol, "share %", "gap %"]
        header += [] if self.dense is None else ["of dense %"]
        rows = [
            [
                str(row.k) if row.rho is None else exact_decimal(row.rho),
                in_line(row.support),
                claimed_interval(row.certificate, 7).cell,
                rounded(100 * row.share) if row.share == row.share else "",
                gap_cell(row.lower, row.upper, row.gap),
                *([] if self.dense is None else [self._percent_of_dense(row)]),
                *([row.by] if with_means else []),
            ]
            for row in self.rows
        ]
        right = (0, 2, 3, 4) if self.dense is None else (0, 2, 3, 4, 5)
        return Table((*header, "by") if with_means else tuple(header), rows, right, wrapped=(1,))

    def _percent_of_dense(self, row: PathRow) -> str:
        low, high = self.share_of_dense(row)
        return interval(100 * Fraction(low), 100 * Fraction(high), 5).cell

    def _loadings_of_records(self) -> list[Loadings]:
        return [row.loadings for row in self.rows]

    def _certificates(self) -> Mapping[str, Certificate]:
        width = max(len(f"{self._key(row)}") for row in self.rows)
        return {f"{self.over}{self._key(row):0{width}}": row.certificate for row in self.rows}

    def _key(self, row: PathRow) -> int | float:
        return row.k if row.rho is None else row.rho

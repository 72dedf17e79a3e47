"""The rows of a path and what they can be turned into: tables, a figure, certificates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import exact_decimal, float_above
from relaxspca.numerics.percent import brief_up, exact_percent, percent
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.results import claims
from relaxspca.results.digits import between, gap_cell
from relaxspca.results.duplicates import duplicates_of, duplicates_reported
from relaxspca.results.loadings import Loadings
from relaxspca.results.printable import ListOfRows, Printable
from relaxspca.results.result import Result
from relaxspca.results.sentences import NO_SHARE, UNCHECKED, proof_words
from relaxspca.results.status import NARROW, Status
from relaxspca.results.tables import Table

ANY = "any"
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, eq=False, repr=False)
class Path(ListOfRows[Result], Printable):
    """Rows along cardinalities (`over` is "k") or penalties ("rho"), with tables, a figure and certificates.

    Attributes
    ----------
    rows : tuple of Result
        The component and the bounds at each: `status` is "optimal", "within the gap" (of `tol`) or "open", `by`
        is "search", or "kkt" where a closed-form dual point proved the bound.
    over : str
        "k" or "rho".
    tol : float
        Relative gap up to which a row counts as certified.
    is_interrupted : bool
        Whether Ctrl-C came before the last row was done: rows are missing then, or less tight. Their bounds
        hold.
    dense : (float, float) or None
        Proved bounds on what the dense component explains (variance), where a share of it was asked for.
    target_share : float or None
        That share.

    Examples
    --------
    >>> import relaxspca as rs
    >>> path = rs.path(rs.datasets.load_pitprops(), k=[2, 3])
    >>> [(row.k, row.support, row.certified) for row in path.rows]
    [(2, ('topdiam', 'length'), True), (3, ('topdiam', 'length', 'bowdist'), True)]
    """

    rows: tuple[Result, ...]
    over: str
    tol: float
    is_interrupted: bool = False
    dense: tuple[float, float] | None = None
    target_share: float | None = None

    @property
    def _figure(self) -> str:  # type: ignore[override]
        return "plot_path" if self.dense is None else "plot_shares"

    def share_of_dense(self, row: Result) -> tuple[float, float]:
        """Return proved bounds on the part of the dense component's variance that v_k is, 1 at most.

        It is below 0 where v_k is, of an indefinite matrix.
        """
        if self.dense is None or self.dense[0] <= 0:
            return -math.inf, 1.0
        if row.k == len(row.candidate.names) and not claims.conditions_of(row.certificate):
            return 1.0, 1.0  # a component of all variables is the dense one
        least, most = map(Fraction, self.dense)
        low = Fraction(row.lower) / (most if row.lower >= 0 else least)
        high = Fraction(row.upper) / (least if row.upper >= 0 else most)
        return -float_above(-low), min(float_above(high), 1.0)

    @property
    def smallest_k(self) -> int | None:
        """The smallest cardinality in the path that is proved to keep the share asked for."""
        if self.target_share is None:
            return None
        # As printed and as a float, which is not quite the same number.
        asked = max(Fraction(self.target_share), Fraction(exact_decimal(self.target_share)))
        return next((row.k for row in self.rows if self.share_of_dense(row)[0] >= asked), None)

    @property
    def is_smallest_proved(self) -> bool:
        """Whether no smaller cardinality keeps that share: of the row before, or there is none."""
        if self.target_share is None or self.smallest_k is None:
            return False
        before = [row for row in self.rows if row.k < self.smallest_k]
        asked = min(Fraction(self.target_share), Fraction(exact_decimal(self.target_share)))
        is_next = bool(before) and before[-1].k == self.smallest_k - 1  # a path in a hurry leaves rows out
        return not before or (is_next and self.share_of_dense(before[-1])[1] < asked)

    @property
    def certificates(self) -> dict[int | float, Certificate]:
        """One certificate for every k or rho."""
        return {self._key(row): row.certificate for row in self.rows}

    @property
    def status(self) -> Status:
        """Optimal when every row is, "within the gap" when all are certified; else "interrupted" or "open"."""
        if self.is_interrupted:
            return Status.INTERRUPTED
        found = {row.status for row in self.rows}
        return next((s for s in (Status.OPEN, Status.WITHIN_GAP) if s in found), Status.OPTIMAL)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat dict a row, in full precision; bounds are true when read as decimals too."""
        return [
            row._recorded_claim()
            | ({} if self.dense is None else claims.recorded(*self.share_of_dense(row), of="dense_share_"))
            | {"certified": row.certified, "by": row.by}
            | claims.variables_used([ANY] if any_will_do(row) else row.support, row.indices)
            for row in self.rows
        ]

    def _statement(self) -> list[str]:
        counts, first = Counter(row.status for row in self.rows), self.rows[0].certificate
        near = f"; {counts[Status.WITHIN_GAP]} within the gap asked for, {brief_up(self.tol)}"
        matrix = f"{claims.matrix_words(first)}{claims.conditions_of(first)}"
        stopped = ", interrupted" if self.is_interrupted else ""
        head = f"Path of {counted(len(self.rows), 'row')} for {matrix}{stopped}."
        width = f"relative gap at most {brief_up(min(self.tol, NARROW))}"
        proved = f"{counts[Status.OPTIMAL]} proved optimal ({width})"
        lines = [f"{head} {proved}{near if counts[Status.WITHIN_GAP] else ''}."]
        lines += [UNCHECKED] if counts[Status.OPTIMAL] else []
        return lines if self.target_share is None else [self._answer(self.target_share), *lines]

    def _notes(self, *, on_paper: bool = False) -> list[str]:
        about = "The penalised variance is variance less rho for each variable; gaps are relative to it."
        copies = [group for row in self.rows for group in duplicates_of(row.certificate)]
        total = claims.total_variance(self.rows[0].certificate)
        is_above = total > 0 and any(math.isnan(row.share) for row in self.rows)
        notes = [NO_SHARE] if is_above else []
        return notes + ([about] if self.over == "rho" else []) + duplicates_reported(copies)

    def _answer(self, asked: float) -> str:
        """Say how many variables keep the share asked for, under the conditions of the path."""
        under = claims.conditions_of(self.rows[0].certificate)
        what = f"{exact_percent(asked)} % of what the first ordinary PC explains{under}"
        k = self.smallest_k
        if k is None:
            return f"No cardinality in the path is proved to keep {what}."
        fewer = f"no {k - 1} {'does' if k == 2 else 'do'}" if k > self.rows[0].k else "it is the fewest allowed"
        proof = f"proved: {fewer}" if self.is_smallest_proved else "not proved to be the fewest"
        return f"{counted(k, 'variable')} {'keeps' if k == 1 else 'keep'} {what} ({proof})."

    def _tables(self) -> list[Table]:
        (table,) = self._paper_tables()
        rows = [[*cells, proof_words(row.by)] for cells, row in zip(table.rows, self.rows, strict=True)]
        return [replace(table, header=(*table.header, "upper bound by"), rows=rows)]

    def _paper_tables(self) -> list[Table]:
        variables, rows = self._changes(), self.rows
        what = "variance" if self.over == "k" else "penalised variance"
        has_changes = any(cell[:1] in ("+", MINUS) for cell in variables)
        changes = f" (+ enter, {MINUS} leave)" if has_changes else ""
        columns = {
            self.over: [str(row.k) if row.rho is None else exact_decimal(row.rho) for row in rows],
            f"variables{changes}": variables,
            what: [claims.printed_claim(row.certificate).brief for row in rows],
            "% of total": [percent(row.share) if row.share == row.share else "" for row in rows],
            "gap, %": [gap_cell(row.lower, row.upper, row.gap) for row in rows],
        }
        if self.dense is not None:
            columns["% of first PC"] = [self._percent_of_dense(row) for row in rows]
        return [Table.of(columns, (0, *range(2, len(columns))), wrapped=(1,))]

    def _changes(self) -> list[str]:
        """Return the variables of every row, or, where that is shorter, how they differ from the row above."""
        cells = [_names(row) for row in self.rows]
        for at, (before, row) in enumerate(pairwise(self.rows), start=1):
            entered = [f"+ {in_line([name])}" for name in row.support if name not in before.support]
            left = [f"{MINUS} {in_line([name])}" for name in before.support if name not in row.support]
            if _names(before) != ANY and len(entered) + len(left) < len(row.support):
                cells[at] = ", ".join([*entered, *left]) or "the same"
        return cells

    def _percent_of_dense(self, row: Result) -> str:
        parts = self.share_of_dense(row)
        return between(*(100 * Fraction(x) if math.isfinite(x) else x for x in parts), whole=100).brief

    def _loadings_of_records(self) -> list[Loadings]:
        return [row.loadings for row in self.rows]

    def _certificates(self) -> Mapping[str, Certificate]:
        width = max(len(f"{self._key(row)}") for row in self.rows)
        return {f"{self.over}{self._key(row):0{width}}": row.certificate for row in self.rows}

    def _key(self, row: Result) -> int | float:
        return row.k if row.rho is None else row.rho


def _names(row: Result) -> str:
    """Return the variables of a row; where one is asked for and all are equally good, that any will do."""
    return ANY if any_will_do(row) else in_line(row.support)


def any_will_do(row: Result) -> bool:
    """Say whether one variable is asked for and all that are allowed have one variance, as in correlations."""
    held = row.certificate
    if row.rho is not None or row.k != 1 or held.n < 2 or len(held.include):
        return False
    allowed = np.delete(claims.diagonal_of(held), held.exclude)
    beyond: Any = [] if held.eliminated is None else held.eliminated.variances
    variances = np.append(allowed, beyond)
    return len(variances) > 1 and bool(np.ptp(variances) <= RELATIVE_WIDTH * abs(variances).max())

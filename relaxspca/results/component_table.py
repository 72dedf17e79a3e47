"""What every set of components shows: loadings by variable, and what each component explains."""

from __future__ import annotations

import math
import os
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from relaxspca.certificate.subject import Description
from relaxspca.errors import in_line
from relaxspca.numerics.linalg import Array
from relaxspca.numerics.percent import percent
from relaxspca.problem.candidate import Candidate
from relaxspca.results.claims import share_of, variables_used
from relaxspca.results.duplicates import Groups
from relaxspca.results.loadings import Loadings, loading_text, scores_of
from relaxspca.results.printable import Printable
from relaxspca.results.sentences import NO_SHARE
from relaxspca.results.tables import Table, csv_table, data_frame, saved

TOGETHER = 0.3  # correlation of two scores from which they are said to share what they explain
SIDE_BY_SIDE = 4  # components in one table on paper: more do not fit in a column of two


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ComponentTable(Printable):
    """Several components of one matrix.

    Attributes
    ----------
    loadings_array : (n, r) array, unit columns.
    names : names of the n variables.
    matrix : which matrix they are components of, in words.
    raw : (r,) variance of each component, as if the others were not there.
    explained : (r,) variance that the span of the first 1..r components explains, tr(P Sigma).
    adjusted : (r,) variance of each score after the earlier ones are regressed out (Zou, Hastie and
        Tibshirani 2006).
    score_correlations : (r, r) correlations of the scores.
    total : trace of the matrix (variance), with that of eliminated variables.
    eigenvalues : (r,) the largest eigenvalues, what dense components explain; nan where they are not known.
    copies : groups of names of variables in use that are copies of each other, up to sign and unit.
    description : Description, what is known of the matrix beyond its entries.
    seconds : float, wall-clock time.
    """

    loadings_array: Array
    names: tuple[str, ...]
    matrix: str
    raw: Array
    explained: Array
    adjusted: Array
    score_correlations: Array
    total: float
    eigenvalues: Array
    copies: Groups
    description: Description
    seconds: float

    _figure, _index = "plot_components", "component"

    @property
    def loadings(self) -> tuple[Loadings, ...]:
        """The loadings of each component by name, the largest first; `loadings_frame` has them side by side."""
        return tuple(Loadings(self.names, x) for x in self.loadings_array.T)

    @property
    def support(self) -> tuple[tuple[str, ...], ...]:
        """Names of the variables that each component uses."""
        return tuple(tuple(self.names[i] for i in used) for used in self.indices)

    @property
    def indices(self) -> tuple[tuple[int, ...], ...]:
        """The variables that each component uses, 0-based."""
        return tuple(tuple(np.flatnonzero(x).tolist()) for x in self.loadings_array.T)

    @property
    def n_components(self) -> int:
        """Number r of components."""
        return int(self.loadings_array.shape[1])

    @property
    def dense(self) -> float:
        """Sum of the r largest eigenvalues: what dense components explain (variance)."""
        return float(self.eigenvalues.sum())

    @property
    def share(self) -> float:
        """What the span of the components explains, as a part of the trace; nan as in `Result.share`.

        For orthonormal loadings it is the sum of their variances.
        """
        return self._share(self.explained[-1])

    @property
    def share_of_dense(self) -> float:
        """What the span of the components explains, as a part of what as many dense components explain."""
        return float(self.explained[-1]) / self.dense if self.dense > 0 else math.nan

    def __len__(self) -> int:
        return self.n_components

    def __getitem__(self, j: int) -> Candidate:
        """Return component j, counted from 0, with the variance that it has in the matrix of all."""
        at = range(self.n_components)[j]
        x, used = self.loadings_array[:, at], np.array(self.indices[at], dtype=np.int64)
        return Candidate(used, x, float(self.raw[at]), f"component {at + 1}", self.names)

    def __iter__(self) -> Iterator[Candidate]:
        return (self[j] for j in range(len(self)))

    def scores(self, X: Any) -> Any:
        """Return the scores of observations: their projections on the components.

        Parameters
        ----------
        X : as in `relaxspca.results.Result.scores`

        Returns
        -------
        (m, r) array, or a DataFrame where X is one

        Examples
        --------
        >>> import numpy as np
        >>> import relaxspca as rs
        >>> X = np.array([[1.0, 2.0, 1.0], [2.0, 1.0, 0.0], [3.0, 6.0, 0.0]])
        >>> found = rs.components(rs.Covariance.from_data(X), [2, 1])
        >>> found.scores(X).shape
        (3, 2)
        """
        return scores_of(X, self.loadings_array, self.names, self.description, self._titles())

    def _loadings_of_records(self) -> tuple[Loadings, ...]:
        return self.loadings

    def loadings_frame(self) -> Any:
        """Return the loadings as a pandas DataFrame, variables by components; `certify` takes it.

        Raises
        ------
        MissingExtra
            pandas is not installed.
        """
        return data_frame(self.loadings_array, index=list(self.names), columns=self._titles())

    def loadings_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the loadings as comma-separated values in full precision, a line a variable.

        The command ``certify --loadings`` reads them; they are written when a path is given.
        """
        lines = zip(self.names, self.loadings_array.tolist(), strict=True)
        rows = [[name, *map(repr, line)] for name, line in lines]
        return saved(csv_table(["variable", *self._titles()], rows), path)

    def _titles(self) -> list[str]:
        return [f"PC {j + 1}" for j in range(self.n_components)]

    def _shares(self, j: int) -> dict[str, float]:
        """Return what component j explains alone and with the earlier ones, in parts of the trace."""
        together, dense = float(self.explained[j]), float(self.eigenvalues[: j + 1].sum())
        return {
            "variance": float(self.raw[j]),
            "share": self._share(self.raw[j]),
            "cumulative_share": self._share(together),
            "cumulative_share_of_dense": together / dense if dense > 0 and self.total > 0 else math.nan,
            "adjusted_share": self._share(self.adjusted[j]),
            "cumulative_adjusted_share": self._share(self.adjusted[: j + 1].sum()),
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a component: its variables, its variance in three senses, and what is proved.

        `share` is the variance alone, `cumulative_share` what the span of the components so far explains, and
        `adjusted_share` what is left of the variance of the scores after the earlier ones: parts of the
        trace, nan where that is not above 0, or less.
        """
        rows = zip(self._sizes(), self._printed_supports(), self._positions(), strict=True)
        return [
            {"component": j + 1, "k": size, **variables_used(names, at)} | self._shares(j) | self._proved(j)
            for j, (size, names, at) in enumerate(rows)
        ]

    @abstractmethod
    def _proved(self, j: int) -> dict[str, Any]:
        """Return what is proved of component j, for its record."""

    def _positions(self) -> tuple[tuple[int, ...], ...]:
        """Return the variables of each component as they are recorded."""
        return self.indices

    def _told_shares(self) -> list[str]:
        """Say what the components explain together."""
        if not self.total > 0:
            return []
        r, is_one = self.n_components, self.n_components == 1
        parts, more = list[str](), math.isnan(self._share(max(*self.raw, *self.explained)))
        if not math.isnan(self.share):
            span = "" if is_one else " (projection on their span)"
            parts.append(f"{percent(self.share)} % of the total variance{span}")
        if not math.isnan(self.share_of_dense):
            dense = "the first ordinary PC explains" if is_one else f"{r} ordinary PCs explain"
            parts.append(f"{percent(self.share_of_dense)} % of what {dense}")
        said = f"{'It explains' if is_one else 'Together they explain'} {', '.join(parts)}."
        return ([said] if parts else []) + ([NO_SHARE] if more else [])

    def _told_correlation(self) -> list[str]:
        """Name the two scores that correlate most, and what they explain when that is adjusted for."""
        if not self.total > 0:
            return []
        between = np.abs(np.triu(self.score_correlations, 1))
        i, j = np.unravel_index(int(between.argmax()), between.shape)
        # Above 1, of an indefinite matrix, it is no correlation.
        adjusted = self._share(self.adjusted.sum())
        if not TOGETHER <= between[i, j] <= 1 + 1e-9 or math.isnan(adjusted):
            return []
        return [
            f"Scores correlate (components {i + 1} and {j + 1}: {self.score_correlations[i, j]:.2f}). Adjusted "
            f"for that (Zou, Hastie and Tibshirani 2006), they explain {percent(adjusted)} %; no bound is "
            "about this number."
        ]

    def _printed_supports(self) -> tuple[tuple[str, ...], ...]:
        """Return the names of the variables of each component, as they are printed."""
        return self.support

    def _sizes(self) -> list[int]:
        """Return the cardinality of each component, which may use fewer variables."""
        return [len(names) for names in self._printed_supports()]

    def _below(self) -> list[list[str]]:
        """Return more rows to stand below the loadings on paper: a name, and a cell a component."""
        return []

    def _columns(self) -> dict[str, list[str]]:
        """Return what else is said of each component, by title."""
        return {}

    def _tables(self) -> list[Table]:
        shares = [self._shares(j) for j in range(self.n_components)]
        columns = {
            "component": [str(j + 1) for j in range(self.n_components)],
            "k": [*map(str, self._sizes())],
            "variables": [*map(in_line, self._printed_supports())],
            "% of total": [_percent(share["share"]) for share in shares],
            "cumulative %": [_percent(share["cumulative_share"]) for share in shares],
        } | self._columns()
        right = (0, 1, *(at for at, title in enumerate(columns) if "%" in title))
        return [Table.of(columns, right, wrapped=(2,)), self._loadings_table()]

    def _paper_tables(self) -> list[Table]:
        blocks = -(-self.n_components // SIDE_BY_SIDE)
        ends = [self.n_components * j // blocks for j in range(blocks + 1)]
        return [self._loadings_table(first, last, self._below()) for first, last in pairwise(ends)]

    def _loadings_table(
        self, first: int = 0, last: int | None = None, more: Sequence[Sequence[str]] = ()
    ) -> Table:
        """Return loadings by variable and component, with what each component explains below them."""
        columns = range(first, self.n_components if last is None else last)
        used = [i for i, row in enumerate(self.loadings_array) if row[columns].any()]
        rows = [[self.names[i], *(loading_text(self.loadings_array[i, j], 3) for j in columns)] for i in used]
        shares = [self._shares(j) for j in range(self.n_components)]
        below = [["variables", *(str(len(names)) for names in self._printed_supports())]]
        for title, key in (
            ("% of total", "share"),
            ("cumulative %", "cumulative_share"),
            ("cumulative, % of ordinary PCs", "cumulative_share_of_dense"),
            ("adjusted cumulative %", "cumulative_adjusted_share"),
        ):
            below.append([title, *(_percent(share[key]) for share in shares)])
        for title, *cells in [*below, *more]:
            if any(cells):
                rows.append([title, *(cells[j] for j in columns)])
        header = ("variable", *(f"PC {j + 1}" for j in columns))
        return Table(header, rows, tuple(range(1, len(columns) + 1)), wrapped=(0,), rule=len(used))

    def _share(self, variance: float) -> float:
        return share_of(float(variance), self.total)


def _percent(share: float) -> str:
    if math.isnan(share):
        return ""
    return percent(share, 3 if share < 0.1 else 4) if share > 1e-9 else "0.00"

"""Several components, one after another, and what is proved of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.errors import counted
from relaxspca.numerics.percent import brief_up
from relaxspca.problem.candidate import Candidate
from relaxspca.results.claims import conditions_of, recorded
from relaxspca.results.component_table import ComponentTable
from relaxspca.results.digits import gap_cell
from relaxspca.results.duplicates import duplicates_reported
from relaxspca.results.joint import percent_of_total
from relaxspca.results.result import Result
from relaxspca.results.sentences import no_more_than
from relaxspca.results.status import Status
from relaxspca.results.tables import Table

SAME = 1 - 1e-9  # cosine from which two components are called the same
NOTHING = 1e-9  # of what the first one explains: a bound on what is left that is said to be nothing


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Components(ComponentTable):
    """Sparse components of one covariance.

    Attributes
    ----------
    loadings_array : (n, r) array, unit columns.
    candidates : r Candidate, each on its deflated covariance.
    results : r Result, each with its certificate on the deflated covariance.
    deflation : str
    joint_upper : float or None
        No orthogonal components of these cardinalities have variances with a larger sum; None where that was
        not bounded. The components need not be orthogonal.
    names, matrix, raw, explained, adjusted, score_correlations : as in `ComponentTable`.
    total, eigenvalues, copies, description, seconds : as in `ComponentTable`.
    is_interrupted : bool, whether Ctrl-C came before all was done.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.components(rs.datasets.load_pitprops(), [2, 2])
    >>> [component.support for component in found.candidates]
    [('topdiam', 'length'), ('moist', 'testsg')]
    >>> [str(result.status) for result in found.results], round(100 * float(found.share), 3)
    (['optimal', 'optimal'], 29.508)
    """

    candidates: tuple[Candidate, ...]
    results: tuple[Result, ...]
    deflation: str
    joint_upper: float | None = None
    is_interrupted: bool = False

    def _proved(self, j: int) -> dict[str, Any]:
        result = self.results[j]
        bounds = recorded(result.lower, result.upper)
        return {"status": str(result.status), **bounds, "gap": result.gap}

    def _statement(self) -> list[str]:
        count = len(self.candidates)
        head = f"{counted(count, 'component')} of {self.matrix}{conditions_of(self.results[0].certificate)}"
        lines = [f"{head}{', interrupted' if self.is_interrupted else ''}."]
        lines += [*self._told_shares(), *self._told_correlation()]
        if count > 1:
            is_best = all(result.status is Status.OPTIMAL for result in self.results)
            lines.append(
                f"Each component is {'proved optimal' if is_best else 'bounded'} given the previous ones "
                f"({self.deflation} deflation). The set as a whole is not claimed to be optimal."
            )
        if self.joint_upper is not None and self.total > 0:
            most = percent_of_total(self.joint_upper, self.total)
            lines += [f"For comparison: {no_more_than(count, most)}."] if most else []
        return [*lines, *self._repeats(), *duplicates_reported(self.copies)]

    def _repeats(self) -> list[str]:
        """Say which components are earlier ones again, or mixtures of them where no variance is left."""
        cosines = np.abs(self.loadings_array.T @ self.loadings_array)
        earlier = [next((i for i in range(j) if cosines[i, j] > SAME), None) for j in range(len(cosines))]
        lines = []
        for j, i in enumerate(earlier):
            same = "" if i is None else f" is component {i + 1} again and"
            upper = self.results[j].upper if j else math.inf
            if math.isfinite(upper) and upper <= NOTHING * abs(self.results[0].upper):
                most = f"no component explains more than {brief_up(upper)} of what they leave"
                lines.append(f"Component {j + 1}{same} adds almost nothing to the previous ones: {most}.")
            elif i is not None:
                lines.append(f"Component {j + 1} is component {i + 1} again: no better one is known.")
        return lines

    def _tables(self) -> list[Table]:
        more = {"status": [str(result.status) for result in self.results], "gap, %": self._gaps()}
        return [self._summary(more), self._loadings_table()]

    def _gaps(self) -> list[str]:
        return [gap_cell(result.lower, result.upper, result.gap) for result in self.results]

    def _printed_supports(self) -> tuple[tuple[str, ...], ...]:
        return tuple(found.support for found in self.candidates)

    def _positions(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(found.indices.tolist()) for found in self.candidates)

    def _below(self) -> list[list[str]]:
        is_said = len(self.results) > 1 and all(result.status is Status.OPTIMAL for result in self.results)
        return [] if is_said else [["gap, %", *self._gaps()]]

    def _certificates(self) -> Mapping[str, Certificate]:
        return {f"component{j + 1}": result.certificate for j, result in enumerate(self.results)}

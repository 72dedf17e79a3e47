"""Several components, one after another or proved together, and what is proved of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.certificate.wording import subject_to
from relaxspca.errors import counted
from relaxspca.numerics.decimals import rounded_up
from relaxspca.numerics.percent import brief_up
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.claims import conditions_of, recorded
from relaxspca.results.component_table import ComponentTable
from relaxspca.results.digits import between, gap_cell
from relaxspca.results.duplicates import duplicates_reported
from relaxspca.results.progress import Progress
from relaxspca.results.result import Result
from relaxspca.results.sentences import UNCHECKED, claim, components_of, no_more_than, sizes_in_words, verdict
from relaxspca.results.status import Status

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
        one = self.results[j]
        return {"status": str(one.status), **recorded(one.lower, one.upper), "gap": one.gap}

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
        tied = [str(j + 1) for j, result in enumerate(self.results) if result.ties]
        if tied:
            also = f"other variables attain as much, to a relative 1e-9, in component {' and '.join(tied)}"
            lines.append(f"Perhaps not the only optimum: {also}; later components depend on the choice.")
        lines += [UNCHECKED] if any(result.status is Status.OPTIMAL for result in self.results) else []
        most = "" if self.joint_upper is None else percent_of_total(self.joint_upper, self.total)
        lines += [f"For comparison: {no_more_than(count, most)}."] if most else []
        return [*lines, *self._repeats(), *duplicates_reported(self.copies)]

    def _repeats(self) -> list[str]:
        """Say which components are earlier ones again, or mixtures of them where no variance is left."""
        cosines, lines = np.abs(self.loadings_array.T @ self.loadings_array), []
        for j in range(1, len(cosines)):
            i = next((i for i in range(j) if cosines[i, j] > SAME), None)
            same, upper = "" if i is None else f" is component {i + 1} again", self.results[j].upper
            if math.isfinite(upper) and upper <= NOTHING * abs(self.results[0].upper):
                most = f"no component explains more than {brief_up(upper)} of what they leave"
                told = f"{same} and" if same else ""
                lines.append(f"Component {j + 1}{told} adds almost nothing to the previous ones: {most}.")
            elif same:
                lines.append(f"Component {j + 1}{same}: no better one is known.")
        return lines

    def _columns(self) -> dict[str, list[str]]:
        return {"status": [str(result.status) for result in self.results], "gap, %": self._gaps()}

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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JointComponents(ComponentTable):
    r"""Orthonormal sparse components, with bounds on the largest sum of variances of any such set.

    .. math:: \max\Big\{\sum_t x_t'\Sigma x_t : x_t'x_s=\delta_{ts},\ \mathrm{Card}(x_t)\le k_t\Big\}

    Attributes
    ----------
    loadings_array : (n, r) array, unit columns, zero off their supports.
    supports : names of the variables of each component; a loading may be 0 on its support.
    sizes : tuple of int, the cardinality asked of each component.
    kind : str
        "orthogonal", "disjoint" or "common", what the supports have to be.
    lower, upper : float
        Proved bounds on the best sum of variances; `lower` is attained by exactly orthonormal vectors, which
        differ from the loadings by rounding alone.
    status : Status
    root : float, the proved bound without any branching (variance).
    node_count : int, nodes of the search.
    history : Progress after every node.
    certificate : Certificate or None
        Both bounds with what proves them, for `relaxspca.verify`; its components stand with the largest size
        first.
    names, matrix, raw, explained, adjusted, score_correlations : as in `ComponentTable`.
    total, eigenvalues, copies, description, seconds : as in `ComponentTable`.
    meant : str
        The conditions on the supports in words, if variables are to be included or excluded.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.components(rs.datasets.load_pitprops(), [3, 3], joint=True)
    >>> found.status, found.supports
    ('optimal', (('topdiam', 'length', 'bowdist'), ('ringtop', 'ringbut', 'whorls')))
    """

    supports: tuple[tuple[str, ...], ...]
    sizes: tuple[int, ...]
    kind: str
    lower: float
    upper: float
    status: Status
    root: float
    node_count: int
    history: tuple[Progress, ...] = ()
    certificate: Certificate | None = None
    meant: str = ""

    _file = "joint"

    @property
    def gap(self) -> float:
        r"""Proved relative width, (upper - lower)/\|lower\|."""
        proved = self if self.certificate is None else self.certificate
        return relative_gap(proved.lower, proved.upper, self.certificate)

    def _proved(self, j: int) -> dict[str, Any]:
        """Return the bounds of the whole set."""
        return recorded(self.lower, self.upper, of="table_")

    def _printed_supports(self) -> tuple[tuple[str, ...], ...]:
        return self.supports

    def _statement(self) -> list[str]:
        without = "" if self.certificate else " The bounds have no certificate."
        return [*self._paper_statement(), f"Searched {counted(self.node_count, 'node')}.{without}"]

    def _paper_statement(self) -> list[str]:
        r = self.n_components
        sizes = f"{self.sizes[0]} variables in common" if self.kind == "common" else sizes_in_words(self.sizes)
        if self.kind == "disjoint":
            sizes = f"{'at most ' * (sum(self.sizes) > len(self.names))}{sizes}, no variable used twice"
        what = f"Largest total variance of {components_of(r, counts=True)} of {sizes}{subject_to(self.meant)}"
        of = "This component is" if r == 1 else "These components are jointly"
        most = percent_of_total(self.upper, self.total)
        told = no_more_than(r, most, is_restricted=self.kind != "orthogonal" or bool(self.meant))
        return [
            claim(what, between(self.lower, self.upper), self.matrix.removeprefix("the ")),
            verdict(self.status, self.lower, self.upper, self.gap, of=of),
            *self._told_shares(),
            *([f"{told[0].upper()}{told[1:]}."] if most else []),
            *self._told_correlation(),
            *duplicates_reported(self.copies),
        ]


def percent_of_total(upper: float, total: float) -> str:
    """Return an upper bound in per cent of a trace, which is a sum of floats: never less than it is.

    Nothing is returned for a bound above the trace, which as a share would say nothing, or a trace that is not
    above 0.

    Examples
    --------
    >>> percent_of_total(1.0, 4.0), percent_of_total(0.36, 1.0), percent_of_total(4.5, 4.0)
    ('25.01', '36.01', '')
    """
    share = Fraction(upper) / Fraction(total) * (1 + Fraction(1, 10**12)) if total > 0 else 2
    return rounded_up(100 * share, 4) if share <= 1 else ""

"""The verdict on several components: each component alone, each given the earlier ones, and all together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.errors import counted, in_line
from relaxspca.numerics.linalg import Array, sum_upper
from relaxspca.numerics.percent import brief_up, percent_down
from relaxspca.problem.gap import relative_gap
from relaxspca.results.certified import Certified
from relaxspca.results.claims import attained, recorded
from relaxspca.results.component_table import ComponentTable
from relaxspca.results.components import JointComponents, percent_of_total
from relaxspca.results.digits import at_least, between, gain_at_least, gain_at_most
from relaxspca.results.duplicates import duplicates_reported
from relaxspca.results.sentences import claim, components_of, sizes_in_words
from relaxspca.results.status import NARROW, Status, settle
from relaxspca.results.tables import Table

ORTHOGONAL = 1e-8  # inner product up to which vectors are called orthogonal in print, with the number
NAMED = 24  # variables of a better set that are named one by one


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CertifiedTable(ComponentTable):
    """The verdict on a set of components.

    Attributes
    ----------
    loadings_array : (n, r) array, the components as given, each scaled to length 1.
    first : r Certified
        Each component assessed as if it were the first.
    given_earlier : r Certified or None
        Each assessed on the matrix that the earlier ones leave; None where they leave nothing.
    joint : JointComponents or None
        The best set of orthogonal components of the same cardinalities that was found, and its bounds; None
        for a single component, or where there are too many variables.
    refitted : (n, r) array or None
        The best orthogonal loadings known on the supports of the set; None where there are none.
    lower, upper : float or None
        Proved bounds on the best sum of variances of orthogonal components of the same cardinalities;
        `lower` is the larger of what `joint` and `refitted` attain.
    attained : float or None
        What orthogonal loadings on the supports of the set are proved to explain together (variance).
    overlap : float
        Largest inner product, in modulus, of two components: 0 if they are orthogonal.
    deflation : str
    names, matrix, raw, explained, adjusted, score_correlations : as in `ComponentTable`.
    total, eigenvalues, copies, description, seconds : as in `ComponentTable`.
    tol : float
        Relative width up to which the set counts as optimal.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> judged = rs.certify(cov, rs.components(cov, [3, 3]))
    >>> [verdict.status for verdict in judged.first]
    ['optimal', 'improvable']
    >>> [verdict.status for verdict in judged.given_earlier]
    ['optimal', 'optimal']
    """

    first: tuple[Certified, ...]
    given_earlier: tuple[Certified | None, ...]
    joint: JointComponents | None = None
    refitted: Array | None = None
    lower: float | None = None
    upper: float | None = None
    attained: float | None = None
    overlap: float
    deflation: str
    tol: float

    @property
    def gap(self) -> float | None:
        """Relative gap of orthogonal loadings on these supports to the best set; None if not known."""
        if self.attained is None or self.upper is None:
            return None
        return relative_gap(self.attained, self.upper)

    @property
    def status(self) -> Status:
        """Status of the choice of variables, all components together; "not proved" without bounds."""
        if self.gap is None or self.attained is None or self.lower is None or self.upper is None:
            return Status.UNPROVED
        if self.gap > self.tol and relative_gap(self.attained, self.lower) > self.tol:
            return Status.IMPROVABLE
        stopped = Status.INTERRUPTED if self.is_interrupted else None
        return settle(stopped, self.attained, self.upper, width=self.gap, tol=self.tol)

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C ended a part of the work."""
        verdicts = [*self.first, *(one for one in self.given_earlier if one is not None)]
        of_joint = self.joint is not None and self.joint.is_interrupted
        return of_joint or any(verdict.is_interrupted for verdict in verdicts)

    def _proved(self, j: int) -> dict[str, Any]:
        """Return the verdicts on a component, and the bounds of the whole set."""
        record: dict[str, Any] = {}
        for title, one in (("first", self.first[j]), ("given_earlier", self.given_earlier[j])):
            if one is not None:
                record |= {f"{title}_status": str(one.status)} | recorded(one.lower, one.upper, of=f"{title}_")
                record |= {f"{title}_gap": one.gap, f"{title}_refitted_gap": one.refitted_gap}
        if self.lower is not None and self.upper is not None:
            record |= recorded(self.lower, self.upper, of="table_")
        return record

    def _statement(self) -> list[str]:
        r = self.n_components
        how, beyond = "orthogonal up to rounding", ""
        if self.overlap > ORTHOGONAL:
            how = f"not orthogonal (inner products up to {brief_up(self.overlap)})"
            beyond = " Components that are not orthogonal may exceed it."
        lines = [f"{counted(r, 'component')} of {self.matrix}, {how}{', interrupted' * self.is_interrupted}."]
        lines += [*self._told_shares(), *self._told_correlation()]
        if self.lower is None or self.upper is None:
            lines.append("No joint bound was computed: nothing is claimed of the set as a whole.")
            return lines + duplicates_reported(self.copies)
        most = percent_of_total(self.upper, self.total)
        what = f"Largest total variance of {components_of(r, counts=True)} of {sizes_in_words(self._sizes())}"
        part = f"at most {most} % of the total" if most else ""
        lines += [claim(what, between(self.lower, self.upper), part) + beyond]
        lines += [self._of_supports(self.lower, self.upper)]
        supports = () if self.status is not Status.IMPROVABLE or self.joint is None else self.joint.supports
        if 0 < sum(map(len, supports)) <= NAMED:
            lines.append(f"The better set has the variables {'; '.join(map(in_line, supports))}.")
        return lines + duplicates_reported(self.copies)

    def _of_supports(self, lower: float, upper: float) -> str:
        """Say how good the choice of variables is, all components together, of which bounds are known."""
        if self.attained is None or self.gap is None:
            return "Orthogonal loadings on these variables were not found."
        said = f"Orthogonal loadings on these variables explain at least {at_least(self.attained)}"
        if self.status is Status.OPTIMAL:
            return f"{said}. This choice of variables is jointly optimal (relative gap {brief_up(self.gap)})."
        assert self.refitted is not None
        alone = [attained(x, self.names, self.first[0].certificate)[1] for x in self.refitted.T]
        reference = self.attained, max(sum_upper(np.array(alone)), self.attained)
        gain = gain_at_least(lower, reference) if self.status is Status.IMPROVABLE else ""
        better = f"A better set of components exists (+{gain})" if gain else "Joint optimality not established"
        return f"{said}. {better}; no set can gain more than {gain_at_most(upper, reference)}."

    def _notes(self, *, on_paper: bool = False) -> list[str]:
        return [
            '"% of optimum (alone)": at least this part of the largest variance of any component of that many '
            "variables.",
            f'"Given earlier PCs": after {self.deflation} deflation, with the loadings as they are; "on the '
            'variables": with the best loadings on the same variables.',
        ]

    def _columns(self) -> dict[str, list[str]]:
        return {
            "% of optimum (alone)": [_part(one) for one in self.first],
            "verdict given earlier PCs": [_cell(one) for one in self.given_earlier],
            "verdict on the variables": [_cell(one, is_refitted=True) for one in self.given_earlier],
        }

    def _sizes(self) -> list[int]:
        return [one.k for one in self.first]

    def _paper_tables(self) -> list[Table]:
        numbers = map(str, range(1, self.n_components + 1))
        columns = {"PC": numbers, "k": map(str, self._sizes()), **self._columns()}
        return [*super()._paper_tables(), Table.of(columns, (0, 1), wrapped=(2, 3, 4))]

    def _certificates(self) -> Mapping[str, Certificate]:
        found = {f"component{j + 1}_first": one.certificate for j, one in enumerate(self.first)}
        for j, one in enumerate(self.given_earlier):
            if one is not None and j > 0:
                found[f"component{j + 1}_given_earlier"] = one.certificate
        joint = {} if self.joint is None else self.joint._certificates()
        return found | {f"table_{name}": certificate for name, certificate in joint.items()}


def _part(one: Certified) -> str:
    """Return the part, rounded down, of what any component of the cardinality can explain, in per cent."""
    if one.status is Status.OPTIMAL:
        return "optimal"
    if not 0 < one.lower <= one.upper:
        return ""
    return percent_down(Fraction(one.lower) / Fraction(one.upper), 4)


def _cell(one: Certified | None, *, is_refitted: bool = False) -> str:
    """Say how good a component is, with its loadings as given or with the best on the same variables."""
    if one is None:
        return "no variance is left"
    reference, is_optimal, gain = (one.lower, one.lower), one.status is Status.OPTIMAL, one.better_gain
    if is_refitted:
        reference, is_optimal = one.bounds_of(one.refitted), one.refitted_gap <= min(one.tol, NARROW)
        least = -math.inf if one.better is None else one.bounds_of(one.better)[0]
        is_better = least - reference[1] > one.tol * abs(reference[1])
        gain = gain_at_least(least, reference) if is_better else ""
    if is_optimal:
        return "optimal"
    return f"not optimal (+{gain})" if gain else f"not established (gap {gain_at_most(one.upper, reference)})"

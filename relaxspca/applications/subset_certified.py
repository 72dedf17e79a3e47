"""The result of `certify_subset`: a given subset, compared with the best one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from relaxspca.applications.subset_results import Fit, SubsetSelection, part_of
from relaxspca.certificate import Certificate
from relaxspca.certificate.wording import subject_to
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import float_above, rounded_down, rounded_up
from relaxspca.numerics.percent import brief_up
from relaxspca.numerics.shortest import decimal_above, decimal_below
from relaxspca.problem.pencil import float_below
from relaxspca.results.claims import recorded
from relaxspca.results.digits import between
from relaxspca.results.printable import Printable
from relaxspca.results.sentences import claim
from relaxspca.results.settle import NARROW
from relaxspca.results.status import Status


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SubsetCertified(Fit, Printable):
    """Proved bounds on the loss of a given subset against the best one.

    Attributes
    ----------
    indices, names, coefficients, intercept, has_intercept, ridge : as in `SubsetSelection`, of that subset.
    lower, upper : float
        Bounds on its residual sum of squares, the ridge term included.
    best : SubsetSelection
        The best subset of as many variables that was found, and the bound on all.

    Examples
    --------
    >>> import numpy as np
    >>> from relaxspca.applications import certify_subset
    >>> M = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.5]])
    >>> judged = certify_subset(M, [1.0, 1.0, 0.6], ["age"], names=["age", "weight", "height"])
    >>> judged.status, judged.support, judged.best.support
    ('improvable', ('age',), ('height',))
    """

    lower: float
    upper: float
    best: SubsetSelection

    _figure = "plot_loadings"

    @property
    def k(self) -> int:
        """Number of variables of the subsets that it is compared with."""
        return self.best.k

    @property
    def loss(self) -> tuple[float, float]:
        """Bounds on its residual sum of squares less that of the best subset of k variables."""
        low = Fraction(self.lower) - Fraction(self.best.upper)
        high = Fraction(self.upper) - Fraction(self.best.lower)
        return max(float_below(low), 0.0), max(float_above(high), 0.0)

    @property
    def gap(self) -> float:
        """Upper bound on the loss, divided by the sum of squares of y."""
        return part_of(self.upper, self.best.lower, self.best.total)

    @property
    def is_optimal(self) -> bool:
        """Whether no subset of k variables is better by more than 1e-6 of the sum of squares of y."""
        return self.gap <= NARROW

    @property
    def status(self) -> Status:
        """Either "optimal", "improvable" (`best` is better by more than 1e-6), or the status of the search."""
        if self.is_optimal:
            return Status.OPTIMAL
        if self.loss[0] > NARROW * self.best.total:
            return Status.IMPROVABLE
        return Status.OPEN if self.best.status is Status.OPTIMAL else self.best.status

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C ended the search for the best subset; the bounds hold."""
        return self.best.is_interrupted

    def _certificates(self) -> Mapping[str, Certificate]:
        return self.best._certificates()

    def to_records(self) -> list[dict[str, Any]]:
        """Return the result as one flat dict in full precision; decimals of bounds are rounded outwards."""
        least, most = self.loss
        return [
            {"k": self.k, **recorded(self.lower, self.upper)}
            | {"loss_least": decimal_below(least), "loss_most": decimal_above(most), "gap": self.gap}
            | {"status": str(self.status)}
            | self._used()
            | {"better": "" if self.is_optimal else in_line(self.best.support, "; ")}
            | {f"best_{name}": x for name, x in recorded(self.best.lower, self.best.upper).items()}
        ]

    def _statement(self) -> list[str]:
        least, most = self.loss
        constant = " and a constant" if self.has_intercept else " (no constant is fitted)"
        what = f"{self._measured[0].upper()}{self._measured[1:]} of {in_line(self.support)}{constant}"
        lines = [claim(what, between(self.lower, self.upper))]
        of = counted(self.k, "variable") + subject_to(self.best.meant)
        if self.is_optimal:
            within = f"{brief_up(self.gap)} of the sum of squares of y"
            return [*lines, f"Proved optimal among subsets of {of} (to within {within})."]
        one = f"a {self._measured}"
        if self.status is Status.IMPROVABLE:
            better = in_line(self.best.support)
            lines.append(
                f"Not optimal: the subset {better} has {one} smaller by {rounded_down(least, 6)} or more."
            )
        lines.append(
            f"No subset of {of} has {one} smaller by more than {rounded_up(most, 6)}"
            + ("." if self.status is Status.IMPROVABLE else f" ({self.status}).")
        )
        return lines

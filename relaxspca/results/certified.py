"""The verdict on one component: optimal, within a gap, or improvable."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import float_above
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import relative_gap
from relaxspca.results.bound import Bound
from relaxspca.results.claims import about_matrix, attained, claim_of, variables_used
from relaxspca.results.digits import Bounds, at_least, at_most, gain_at_least, gain_at_most, least_relative
from relaxspca.results.result import Result
from relaxspca.results.sentences import AFTER, AS_FIRST, proof_words, verdict


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Certified(Result):
    """The verdict on one component, and its certificate.

    What is not named here is as in `Result`.

    Attributes
    ----------
    candidate : Candidate
        The component as given, its loadings scaled to length 1.
    refitted : Candidate
        The best loadings on the same support.
    better : Candidate or None
        A component of at most k variables that beats the given one by more than `tol`, if one is known.
    k : int
        Cardinality that it is assessed at.
    lower, upper : float
        Proved bounds: `lower` is what the given loadings explain, and no k variables explain more than
        `upper` (variance).
    tol : float
        Relative width up to which the component counts as optimal; nothing wider than 1e-6 does.
    bound : Bound
        How the upper bound was reached.
    certificate : Certificate
        The claim ``lower <= v_k <= upper`` with its evidence; it may number only the variables that were not
        eliminated.
    status : Status
        "optimal", "within the gap" (of `tol`), "improvable", "interrupted" or "open".
    is_interrupted : bool
        Whether Ctrl-C came before all means were tried; the bounds hold.

    Examples
    --------
    >>> import relaxspca as rs
    >>> judged = rs.certify(rs.datasets.load_pitprops(), ["topdiam", "moist"])
    >>> judged.status, judged.better.support
    ('improvable', ('topdiam', 'length'))
    """

    refitted: Candidate
    better: Candidate | None
    tol: float
    bound: Bound
    is_interrupted: bool = False

    @property
    def refit_gain(self) -> float:
        """Relative variance that the best loadings on the same support gain at least; 0 if none is proved."""
        low, reference = self.bounds_of(self.refitted)[0], self.bounds_of(self.candidate)
        if low <= reference[1]:
            return 0.0
        relative = least_relative(low, reference)
        return math.inf if relative is None else -float_above(-relative)

    @property
    def refitted_gap(self) -> float:
        """Upper bound on the relative gap of the best loadings on the same support."""
        value = self.bounds_of(self.refitted)[0]
        return relative_gap(value, max(self.upper, value), self.certificate)

    @property
    def earlier(self) -> int:
        """Number of earlier components that were taken out of the matrix."""
        deflation = self.certificate.description.deflation
        return 0 if deflation is None else int(deflation.loadings.shape[1])

    def to_records(self) -> list[dict[str, Any]]:
        """Return the verdict as one flat dict, in full precision; bounds are true when read as decimals too."""
        better = "" if self.better is None else in_line(self.better.support, "; ")
        used = {"status": str(self.status), **variables_used(self.support, self.indices)}
        gain = {"refit_gain": self.refit_gain, "better": better, "by": self.by, "seconds": self.seconds}
        return [self._recorded_claim() | used | gain]

    def _statement(self) -> list[str]:
        lines = self._paper_statement()
        return [*lines, AFTER] if AS_FIRST in lines else lines

    def _paper_statement(self) -> list[str]:
        lines = self._verdict()
        if self.better is not None and not self.earlier:
            lines.append(AS_FIRST)
        gain = gain_at_least(self.bounds_of(self.refitted)[0], self.bounds_of(self.candidate))
        if gain and self.refit_gain > self.tol:
            lines.append(f"Better loadings on these variables explain {gain} more.")
        if self.better is not None and self.better.indices.tolist() != self.candidate.indices.tolist():
            left = gain_at_most(self.upper, self.bounds_of(self.better))
            known = f"{in_line(self.better.support)} (+{self.better_gain}"
            lines.append(f"Best known: {known}; the optimum is larger by at most {left}).")
        return lines

    def _verdict(self) -> list[str]:
        """Return the bounds and what they say; where a better component is known, that first."""
        by = f"; the upper bound is by {proof_words(self.by)}" if math.isfinite(self.upper) else ""
        named, explained = in_line(self.support), f"These loadings explain at least {at_least(self.lower)}"
        if self.better is not None:
            most = f", and no {counted(self.k, 'variable')} more than {at_most(self.upper)}" if by else ""
            return [
                f"{named}: not optimal, a better component explains {self.better_gain} more.",
                f"{explained}{most} ({about_matrix(self.certificate)}{by}).",
            ]
        said = verdict(self.status, self.lower, self.upper, self.gap)
        return [claim_of(self.certificate), f"{named}: {said[0].lower()}{said[1:]}", f"{explained}{by}."]

    @property
    def better_gain(self) -> str:
        """Proved gain of the better component, as printed; empty where none is known."""
        if self.better is None:
            return ""
        return gain_at_least(self.bounds_of(self.better)[0], self.bounds_of(self.candidate))

    def bounds_of(self, found: Candidate) -> Bounds:
        """Return proved bounds on what a component explains of the matrix that it is assessed on (variance)."""
        return attained(found.loadings, found.names, self.certificate)

"""The verdict on one component: optimal, within a gap, or improvable."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.candidates import candidate as best_candidate
from relaxspca.certificate import Certificate
from relaxspca.certificate.statement import scope
from relaxspca.errors import InputError, counted, in_line
from relaxspca.numerics.decimals import rounded_down, rounded_up
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.results.bound import Bound
from relaxspca.results.claims import (
    claimed_interval,
    matrix_words,
    of_supports,
    recorded,
    symbol_of,
)
from relaxspca.results.gains import gain_at_least, gain_at_most
from relaxspca.results.one_component import ProvedComponent
from relaxspca.results.shown import Shown
from relaxspca.results.status import Status, verdict
from relaxspca.tasks.prove import prove, prove_among

__all__ = ["Certified", "judge"]


@dataclass(frozen=True, eq=False, repr=False)
class Certified(ProvedComponent, Shown):
    """The verdict on one component, and its certificate.

    Attributes
    ----------
    candidate : Candidate
        The component as given, its loadings scaled to length 1.
    refitted : Candidate
        The best loadings on the same support.
    better : Candidate or None
        A component of at most k variables that beats the given one by more than `tol`, if one is known.
    k : int
        Cardinality that it is judged at.
    lower, upper : float
        Proved bounds: `lower` is what the given loadings explain, and no k variables explain more than
        `upper` (variance).
    tol : float
        Relative width up to which the component counts as optimal.
    bound : Bound
        How the upper bound was reached.
    certificate : Certificate
        The claim ``lower <= v_k <= upper`` with its evidence; it may number only the variables that were not
        eliminated.
    seconds : float
        Wall-clock time.
    is_interrupted : bool
        Whether Ctrl-C came before all means were tried; the bounds hold.

    Examples
    --------
    >>> import relaxspca as rs
    >>> judged = rs.certify(rs.datasets.load_pitprops(), ["topdiam", "moist"])
    >>> judged.status, judged.better.support
    ('improvable', ('topdiam', 'length'))
    """

    candidate: Candidate
    refitted: Candidate
    better: Candidate | None
    k: int
    lower: float
    upper: float
    tol: float
    bound: Bound
    certificate: Certificate
    seconds: float
    is_interrupted: bool = False

    _figure = "plot_judged"

    @property
    def status(self) -> Status:
        """Either "optimal" (to within `tol`), "improvable" (`better` is), "interrupted" or "open"."""
        if self.better is not None:
            return Status.IMPROVABLE
        if self.gap <= self.tol:
            return Status.OPTIMAL
        return Status.INTERRUPTED if self.is_interrupted else Status.OPEN

    @property
    def refit_gain(self) -> float:
        """Relative variance gained by the best loadings on the same support."""
        return _relative(self.refitted.value, self.candidate.value)

    @property
    def refitted_gap(self) -> float:
        """How far the best loadings on the same support can be from the best of the cardinality."""
        value = self.refitted.value
        return relative_gap(value, max(self.upper, value), self.certificate)

    @property
    def earlier(self) -> int:
        """How many earlier components were taken out of the matrix that it is judged on."""
        description = self.certificate.description
        deflation = None if description is None else description.deflation
        return 0 if deflation is None else int(deflation.loadings.shape[1])

    def to_records(self) -> list[dict[str, Any]]:
        """Return the verdict as one flat dict, in full precision; bounds are true when read as decimals too."""
        return [
            {"k": self.k}
            | recorded(self.lower, self.upper)
            | {
                "gap": self.gap,
                "share": self.share,
                "status": str(self.status),
                "support": in_line(self.support, "; "),
                "indices": " ".join(map(str, self.indices)),
                "refit_gain": self.refit_gain,
                "better": "" if self.better is None else in_line(self.better.support, "; "),
                "by": self.bound.relaxation,
                "seconds": self.seconds,
            }
        ]

    def _statement(self) -> list[str]:
        named = "{" + in_line(self.support) + "}"
        among = f" {scope(self.certificate)}" if scope(self.certificate) else ""
        lines = [
            claimed_interval(self.certificate).text(symbol_of(self.k))
            + f" for {matrix_words(self.certificate)}{of_supports(self.certificate)}",
            f"{named}: {verdict(self.status, self.lower, self.upper, self.gap)}",
            f"it explains {rounded_down(self.lower, 10)}, and {counted(self.k, 'variable')}{among} at most "
            f"{rounded_up(self.upper, 10)}, by {self.bound.relaxation}",
        ]
        if self.better is not None and not self.earlier:
            lines.append("it is judged as a first component: a later one is judged `after` the earlier ones")
        if self.refit_gain > self.tol:
            gain = gain_at_least(self.refitted.value, self.candidate.value)
            lines.append(f"the best loadings on this support explain {gain} more")
        if self.better is not None and self.better.indices.tolist() != self.candidate.indices.tolist():
            value = self.better.value
            gain, left = gain_at_least(value, self.candidate.value), gain_at_most(self.upper, value)
            lines.append(f"{{{in_line(self.better.support)}}} explains {gain} more, with a gap of {left} left")
        return lines


def judge(
    cov: Covariance,
    given: Candidate,
    *,
    k: int,
    tol: float,
    relaxation: str = "auto",
    conditions: Conditions | None = None,
    time_limit: float | None = None,
    rng: np.random.Generator | None = None,
) -> Certified:
    """Judge a component on a matrix.

    Parameters
    ----------
    cov : Covariance of n variables.
    given : Candidate of at most k variables, on this matrix.
    k, tol, relaxation, time_limit, rng : as in `relaxspca.certify`.
    conditions : Conditions on the support, which it meets.

    Returns
    -------
    Certified
    """
    began = time.monotonic()
    conditions = conditions or Conditions()
    used = np.union1d(given.indices, conditions.inside)
    refitted = Candidate.from_support(cov, used, method=f"{given.method}, re-fitted")
    found = best_candidate(cov, k, rng=rng, include=conditions.include, exclude=conditions.exclude)
    # What is left of tol once the best known component has been allowed for; all of it if that is better.
    short = 1 - given.value / max(refitted.value, found.value) if found.value > 0 else 0.0
    width = 0.9 * (tol - short if 0 < short < tol else tol)
    if conditions:
        if relaxation not in ("auto", "search"):
            raise InputError(
                f"with include or exclude the component is judged by a search, not by {relaxation!r}"
            )
        best = max(refitted, found, key=lambda candidate: candidate.value)
        proof = prove_among(cov, k, best, conditions, tol=width, time_limit=time_limit)
    else:
        candidates = [given, refitted, found]
        proof = prove(cov, k, candidates, relaxation=relaxation, tol=width, time_limit=time_limit)
    certificate = proof.certificate(cov, given)
    lower, upper = certificate.lower, certificate.upper
    better = proof.best if relative_gap(lower, proof.best.value, cov) > tol else None
    bound = proof.bound if cov.eliminated is None else dataclasses.replace(proof.bound, upper=upper)
    spent = time.monotonic() - began
    return Certified(
        given, refitted, better, k, lower, upper, tol, bound, certificate, spent, proof.is_interrupted
    )


def _relative(value: float, reference: float) -> float:
    if value == reference:
        return 0.0
    return (value - reference) / abs(reference) if reference else float("inf")

"""Judge a sparse component from anywhere: optimal, within a gap, or improvable."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.candidates import candidate as best_candidate
from relaxspca.certificate import Certificate
from relaxspca.errors import InputError, counted
from relaxspca.numerics.decimals import percent_down, percent_up, rounded_down, rounded_up
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.problem.limits import check_limits
from relaxspca.results.bound import Bound
from relaxspca.results.claims import claimed, dense_variance, matrix_words, recorded, share, symbol
from relaxspca.results.loadings import Loadings
from relaxspca.results.shown import Shown, Table
from relaxspca.results.status import Status, verdict
from relaxspca.runtime.progress import shows_progress
from relaxspca.tasks.component import read_component
from relaxspca.tasks.prove import prove, prove_among

__all__ = ["Certified", "certify"]


@dataclass(frozen=True, eq=False, repr=False)
class Certified(Shown):
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
    >>> judged = certify(rs.datasets.load_pitprops(), ["topdiam", "moist"])
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
    def gap(self) -> float:
        r"""Relative width, (upper - lower)/\|lower\|; 0 where both bounds are 0."""
        return relative_gap(self.lower, self.upper, self.certificate)

    @property
    def status(self) -> Status:
        """Either "optimal" (to within `tol`), "improvable" (`better` is), "interrupted" or "open"."""
        if self.better is not None:
            return Status.IMPROVABLE
        if self.gap <= self.tol:
            return Status.OPTIMAL
        return Status.INTERRUPTED if self.is_interrupted else Status.OPEN

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used."""
        return self.candidate.support

    @property
    def indices(self) -> tuple[int, ...]:
        """The variables used, 0-based."""
        return tuple(int(i) for i in self.candidate.indices)

    @property
    def loadings(self) -> Loadings:
        """The given loadings by name, scaled to length 1, the largest first."""
        return Loadings(self.candidate.names, self.candidate.loadings)

    @property
    def share(self) -> float:
        """The part of the trace that the component explains; nan where the trace is not above 0."""
        return share(self.candidate.value, self.certificate)

    @property
    def share_of_dense(self) -> float:
        r"""The part of :math:`\lambda_1`, the variance of the dense component; nan after an elimination."""
        return self.candidate.value / dense_variance(self.certificate)

    @property
    def refit_gain(self) -> float:
        """Relative variance gained by the best loadings on the same support."""
        return _relative(self.refitted.value, self.candidate.value)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the verdict as one flat dict, in full precision; bounds are true when read as decimals too."""
        return [
            {"k": self.k}
            | recorded(self.lower, self.upper)
            | {
                "gap": self.gap,
                "share": self.share,
                "status": str(self.status),
                "support": "; ".join(self.support),
                "indices": " ".join(map(str, self.indices)),
                "refit_gain": self.refit_gain,
                "better": "" if self.better is None else "; ".join(self.better.support),
                "by": self.bound.relaxation,
                "seconds": self.seconds,
            }
        ]

    def _statement(self) -> list[str]:
        named = "{" + ", ".join(self.support) + "}"
        lines = [
            f"{claimed(self.certificate).text(symbol(self.k))} for {matrix_words(self.certificate)}",
            f"{named}: {verdict(self.status, self.lower, self.upper, self.gap)}",
            f"it explains {rounded_down(self.lower, 10)}, and {counted(self.k, 'variable')} at most "
            f"{rounded_up(self.upper, 10)}, by {self.bound.relaxation}",
        ]
        if self.refit_gain > self.tol:
            lines.append(f"the best loadings on this support explain {_percent(self.refit_gain)} % more")
        if self.better is not None and self.better.indices.tolist() != self.candidate.indices.tolist():
            gain, value = _relative(self.better.value, self.candidate.value), self.better.value
            lines.append(
                f"{{{', '.join(self.better.support)}}} explains {_percent(gain)} % more, "
                f"with a gap of {percent_up(relative_gap(value, max(self.upper, value)) + 1e-12)} % left"
            )
        return lines

    def _tables(self) -> list[Table]:
        return [Table(("variable", "loading"), self.loadings.cells(), (1,))]

    def _certificates(self) -> Mapping[str, Certificate]:
        return {"component": self.certificate}


@shows_progress
def certify(
    cov: Covariance,
    component: Any,
    *,
    k: int | None = None,
    tol: float = 1e-6,
    relaxation: str = "auto",
    include: Any = (),
    exclude: Any = (),
    time_limit: float | None = None,
    rng: np.random.Generator | None = None,
    verbose: bool | None = None,
) -> Certified:
    r"""Say how far a sparse component is from the best of its cardinality, with a proof.

    .. math:: x'\Sigma x \le v_k = \max\{z'\Sigma z : \|z\|=1,\ \operatorname{Card}(z)\le k\} \le \text{upper}

    Parameters
    ----------
    cov : Covariance of n variables.
    component : Candidate, array_like, pandas Series
        Loadings or support from any method, relaxspca's or not: n loadings (entries that are not exactly 0
        count as used), a mask, indices or names. See `relaxspca.tasks.component.read_component`.
    k : int, optional
        Judge at this cardinality; by default the number of variables used.
    tol : float
        Relative width up to which the component counts as optimal, at least 0.
    relaxation : str
        The dearest means to use: "spectral" (eigenvalue, trace, row sums), "kkt" (the closed-form test),
        "psi", "perron", "pairwise" or "search" (a tree of bounds). They are tried in this order until one
        suffices; "auto" and "search" pass over the pairwise relaxation, and over Perron for more than 60
        variables, where the search is quicker.
    include, exclude : names or positions, optional
        Judge it among the supports that hold some variables and not others, as in `relaxspca.solve`; that
        takes a search.
    time_limit : float, optional
        Seconds for the bounds; None is no limit.
    rng : source of randomness for the candidates; None is a fixed seed.
    verbose : bool, optional
        Show progress on stderr; by default in a notebook and at Python's prompt.

    Returns
    -------
    Certified

    Raises
    ------
    InputError
        The component cannot be read, uses more than k variables, or a parameter is out of range.

    Notes
    -----
    The loadings are judged as they are, not re-fitted: rounded or shrunken loadings are improvable by
    `refitted`, even on an optimal support. The upper bound is evaluated with directed rounding at a dual
    point, so it holds whatever solver proposed that point.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component
       analysis, JMLR 9:1269-1294, 2008; the closed-form test in the form of docs/theory/psi.md, section 3.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> result = certify(cov, ["topdiam", "length"])
    >>> result.status, result.gap < 1e-6
    ('optimal', True)
    >>> worse = certify(cov, ["topdiam", "moist"])
    >>> worse.status, worse.better.indices.tolist()
    ('improvable', [0, 1])
    """
    began = time.monotonic()
    check_covariance(cov)
    given = read_component(cov, component)
    conditions = Conditions.read(include, exclude, cov.names)
    used = _admitted(cov, given, conditions)
    k = conditions.cardinality(len(used) if k is None else cov.check_cardinality(k), cov.n)
    if len(used) > k:
        raise InputError(f"the component uses {counted(len(used), 'variable')}, more than k = {k}")
    check_limits(tol=tol, time_limit=time_limit)
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


def _admitted(cov: Covariance, given: Candidate, conditions: Conditions) -> npt.NDArray[np.int64]:
    """Return the variables of a component with those to include, or say which is excluded."""
    barred = [cov.names[i] for i in given.indices if i in conditions.exclude]
    if barred:
        raise InputError(f"the component uses {barred[0]}, which is excluded")
    return np.union1d(given.indices, conditions.inside)


def _percent(fraction: float) -> str:
    """A gain over what is there, never more than it is: of floats that are near to the truth, not bounds."""
    return percent_down(max(fraction - 1e-12, 0.0))


def _relative(value: float, reference: float) -> float:
    if value == reference:
        return 0.0
    return (value - reference) / abs(reference) if reference else float("inf")

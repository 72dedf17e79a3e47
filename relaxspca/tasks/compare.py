"""Every candidate method on one problem, judged by the proved optimum or bound."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from relaxspca.candidates import METHODS, candidate
from relaxspca.certificate import Certificate
from relaxspca.certificate.statement import among
from relaxspca.errors import InputError, counted, in_line
from relaxspca.numerics.decimals import decimal_above, decimal_below, interval, percent_up, rounded_down
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.problem.limits import check_limits
from relaxspca.results.claims import matrix_words, share
from relaxspca.results.gains import gain_at_most
from relaxspca.results.result import Result
from relaxspca.results.shown import Shown, Table
from relaxspca.results.status import Status, verdict
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import say, shows_progress
from relaxspca.tasks.solve import solve

__all__ = ["Comparison", "ComparisonRow", "compare"]

BELOW = "below %"
HEADER = ("method", "value", BELOW, "seconds", "variables")


@dataclass(frozen=True, eq=False)
class ComparisonRow:
    r"""One method.

    Attributes
    ----------
    method : str, its name in `relaxspca.candidates.METHODS`, or "solve".
    candidate : Candidate
    lower : float
        What the component is proved to explain (variance), at most ``candidate.value``.
    gap : float
        (upper - lower)/\|lower\|: no component of this cardinality explains more by a larger part than this.
    shortfall : float
        (best - value)/\|best\|: how far below the best value of the comparison.
    share : float
        The part of the trace that it explains; nan where the trace is not above 0.
    seconds : float, wall-clock time.
    """

    method: str
    candidate: Candidate
    lower: float
    gap: float
    shortfall: float
    share: float
    seconds: float

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used."""
        return self.candidate.support

    @property
    def indices(self) -> tuple[int, ...]:
        """The variables used, 0-based."""
        return tuple(int(i) for i in self.candidate.indices)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Shown):
    """The methods from best to worst, with the proved bounds that judge them.

    Attributes
    ----------
    k : int
    rows : tuple of ComparisonRow, by value and then by time.
    upper : float, bound on the optimum.
    result : Result or None, the search that proved `upper`; None when the bound was given.
    matrix : str, which matrix the bounds speak of.
    is_interrupted : bool, whether Ctrl-C came before every method and the search were done.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.compare(rs.datasets.load_pitprops(), 5, methods=["greedy", "elastic_net"])
    >>> sorted(row.method for row in found.rows if row.shortfall < 1e-9)
    ['elastic_net', 'greedy']
    """

    k: int
    rows: tuple[ComparisonRow, ...]
    upper: float
    result: Result | None
    matrix: str
    is_interrupted: bool = False

    _figure = "plot_comparison"

    @property
    def lower(self) -> float:
        """The best value that is proved to be attained (variance)."""
        return max(row.lower for row in self.rows)

    @property
    def gap(self) -> float:
        r"""Relative width, (upper - lower)/\|lower\|, of the best row."""
        return min(row.gap for row in self.rows)

    @property
    def status(self) -> Status:
        """How the search ended; "interrupted" or, where the bound was given, "not proved"."""
        if self.is_interrupted:
            return Status.INTERRUPTED
        return Status.UNPROVED if self.result is None else self.result.status

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a method, in full precision."""
        return [
            {
                "method": row.method,
                "k": self.k,
                "lower": decimal_below(row.lower),
                "upper": decimal_above(self.upper),
                "gap": row.gap,
                "shortfall": row.shortfall,
                "share": row.share,
                "seconds": row.seconds,
                "support": in_line(row.support, "; "),
                "indices": " ".join(map(str, row.indices)),
                "note": row.candidate.method,
            }
            for row in self.rows
        ]

    def _statement(self) -> list[str]:
        claim = interval(self.lower, self.upper).text(f"v_{self.k}")
        if self.result is None:
            left = gain_at_most(self.upper, self.lower)
            judged = f"a gap of at most {left} is left to the upper bound, which was given"
        else:
            judged = verdict(self.status, self.lower, self.upper, self.gap)
        return [
            f"{claim} for {self.matrix}",
            f"the best found by {counted(len(self.rows), 'method')}: {judged}",
        ]

    def _notes(self, *, on_paper: bool = False) -> list[str]:
        return [
            f"{BELOW}: how far the component of a method can be below the optimum, in percent of the optimum; "
            "values are rounded down"
        ]

    def _tables(self) -> list[Table]:
        rows = [
            [
                row.method,
                rounded_down(row.lower),
                _below(row.lower, self.upper),
                f"{row.seconds:.3f}",
                in_line(row.support),
            ]
            for row in self.rows
        ]
        return [Table(HEADER, rows, (1, 2, 3), wrapped=4)]

    def _certificates(self) -> Mapping[str, Certificate]:
        return {} if self.result is None else {"bound": self.result.certificate}


def _below(lower: float, upper: float) -> str:
    """Return by what part of the optimum a value is below it at most, in percent; else nothing."""
    return percent_up(1 - Fraction(lower) / Fraction(upper), 3) if 0 < lower <= upper < math.inf else ""


@shows_progress
def compare(
    cov: Covariance,
    k: int,
    *,
    methods: Iterable[str] | None = None,
    upper: float | None = None,
    include: Any = (),
    exclude: Any = (),
    time_limit: float | None = None,
    rng: np.random.Generator | None = None,
    verbose: bool | None = None,
) -> Comparison:
    r"""Run candidate methods and judge each by the proved optimum, or by the best proved bound.

    .. math:: \text{gap} = \frac{\text{upper} - \text{value}}{\text{value}}, \qquad v_k \le \text{upper}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, 1 to n.
    methods : names in `relaxspca.candidates.METHODS`; None is all of them.
    upper : float, optional
        A bound on the optimum that is known already (variance). Without it `relaxspca.solve` is run, started
        from the best candidate.
    include, exclude : names or positions, optional
        Conditions on the supports, as in `relaxspca.solve`: every method meets them (`relaxspca.candidate`),
        and the bound is that of the supports that do.
    time_limit : seconds for that search; its bound at the end is valid whether or not it is the optimum.
    rng : source of randomness for the methods that draw; None is a fixed seed for each.
    verbose : bool, optional
        Show progress on stderr; by default in a notebook and at Python's prompt.

    Returns
    -------
    Comparison
        Where the search finds a better component than all methods, it is a row of its own, "solve".

    Raises
    ------
    InputError
        `k` is out of range, a method is not known or none is given, or `upper` lies below a value found.

    Notes
    -----
    A candidate is a feasible point, so its value is a lower bound. The search proves `upper`; so every gap is
    proved, too.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> found = compare(load_pitprops(), 5, methods=["auto", "spannogram", "generalized_power_l1"])
    >>> found.rows[0].gap < 1e-8, found.result.status
    (True, 'optimal')
    """
    check_covariance(cov)
    check_limits(time_limit=time_limit)
    names = list(METHODS) if methods is None else list(methods)
    if not names:
        raise InputError("no method is given to compare")
    told = {"include": include, "exclude": exclude}
    conditions = Conditions.read(include, exclude, cov.names)
    k = conditions.cardinality(cov.check_cardinality(k), cov.n)
    meant = " and ".join(among(cov.names, conditions.include, conditions.exclude))
    timed, is_interrupted = until_interrupted(_timed(cov, k, names, rng, told))
    best = max((found for _, found, _ in timed), key=lambda found: found.value)
    result = None
    if upper is None:
        result = solve(cov, k, start=best, time_limit=0.0 if is_interrupted else time_limit, **told)
        is_interrupted = is_interrupted or result.status is Status.INTERRUPTED
        upper = result.upper
        if result.candidate.value > best.value:
            best = result.candidate
            timed.append(("solve", best, result.seconds))
    elif not (isinstance(upper, Real) and upper >= best.value):
        raise InputError(f"{upper!r} is not an upper bound: {best.method} reaches {best.value!r}")
    rows = [_row(cov, name, found, seconds, best.value, upper) for name, found, seconds in timed]
    rows.sort(key=lambda row: (round(row.shortfall, 10), row.seconds))
    matrix = matrix_words(cov) + (f", of supports {meant}" if meant else "")
    return Comparison(k, tuple(rows), upper, result, matrix, is_interrupted)


def _timed(
    cov: Covariance, k: int, names: Iterable[str], rng: np.random.Generator | None, told: dict[str, Any]
) -> Iterator[tuple[str, Candidate, float]]:
    for name in names:
        say(f"method {name}")
        clock = Deadline.after(None)
        found = candidate(cov, k, method=name, rng=rng, **told)
        yield name, found, clock.elapsed


def _row(
    cov: Covariance, name: str, found: Candidate, seconds: float, best: float, upper: float
) -> ComparisonRow:
    lower = min(found.proved_value(cov), upper)
    return ComparisonRow(
        method=name,
        candidate=found,
        lower=lower,
        gap=relative_gap(lower, upper, cov),
        shortfall=_shortfall(found.value, best),
        share=share(found.value, cov),
        seconds=seconds,
    )


def _shortfall(value: float, best: float) -> float:
    if value == best:
        return 0.0
    return (best - value) / abs(best) if best else np.inf

"""Every candidate method on one problem, assessed by the proved optimum or bound."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from typing import Any

from relaxspca.candidates import METHODS, candidate
from relaxspca.candidates.methods import SOURCES
from relaxspca.certificate.wording import subject_to
from relaxspca.errors import InputError
from relaxspca.problem.arguments import as_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.results.claims import attained, matrix_words
from relaxspca.results.comparison import Comparison
from relaxspca.results.result import Result
from relaxspca.results.status import NARROW, Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.distributed import parallel
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import say, shows_progress
from relaxspca.search.limits import SearchLimits
from relaxspca.tasks.path import judged
from relaxspca.tasks.solve import solve


@shows_progress
@parallel
def compare(
    cov: Covariance,
    k: int,
    *,
    methods: Iterable[str] | None = None,
    include: Any = (),
    exclude: Any = (),
    time_limit: float | None = None,
    n_jobs: int | None = None,
    client: Any = None,
    verbose: bool | None = None,
) -> Comparison:
    r"""Run candidate methods and assess each by the proved optimum, or by the best proved bound.

    .. math:: \text{gap} = \frac{\text{upper} - \text{value}}{\text{value}}, \qquad v_k \le \text{upper}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality, 1 to n.
    methods : names in `relaxspca.candidates.METHODS`; None is all of them.
    include, exclude : names or positions, optional
        Conditions on the supports, as in `relaxspca.solve`: every method meets them (`relaxspca.candidate`),
        and the bound is that of the supports that do.
    time_limit : float, optional
        Seconds. A method begins in the first half of them or is left out (the first never is); the rest is for
        the search, whose bound at the end is valid whether or not it is the optimum.
    n_jobs, client, verbose : as in `relaxspca.solve`.

    Returns
    -------
    Comparison
        Where the search finds a better component than all methods, it is a method of its own, "solve".

    Raises
    ------
    InputError
        `k` is out of range, or a method is not known or none is given.

    Notes
    -----
    A candidate is a feasible point, so its value is a lower bound. A search from the best of them
    (`relaxspca.solve`) proves `upper`; so every gap is proved, too.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> found = compare(load_pitprops(), 5, methods=["auto", "spannogram", "generalized_power_l1"])
    >>> found.methods["auto"].gap < 1e-8, found.result.status
    (True, 'optimal')
    """
    cov = as_covariance(cov)
    deadline = SearchLimits.checked(time_limit=time_limit).deadline
    names = list(METHODS) if methods is None else list(methods)
    if not names:
        raise InputError("no method is given to compare")
    conditions = Conditions.read(include, exclude, cov.names)
    k = conditions.cardinality(cov.check_cardinality(k), cov.n)
    half = deadline.part(2)

    def found_by(name: str) -> tuple[str, Candidate, float]:
        say(f"Method {name}")
        clock = Deadline.after(None)
        found = candidate(cov, k, method=name, **conditions.options)
        return name, found, clock.elapsed

    begun = takewhile(lambda name: name == names[0] or not half.is_over, names)
    timed, is_interrupted = until_interrupted(map(found_by, begun))
    left_out = () if is_interrupted else tuple(names[len(timed) :])
    best = max((found for _, found, _ in timed), key=lambda found: found.value)
    left = 0.0 if is_interrupted else deadline.left
    result = solve(cov, k, start=best, time_limit=left, **conditions.options)
    is_interrupted = is_interrupted or result.is_interrupted
    if result.candidate.value > best.value:
        timed.append(("solve", result.candidate, result.seconds))
    rows = {name: _assessed(cov, found, seconds, result) for name, found, seconds in timed}
    sources = {name: SOURCES.get(name, "this package") for name in rows}
    matrix = matrix_words(cov) + subject_to(conditions.words(cov.names))
    found = Comparison(k, rows, sources, result, matrix, is_interrupted, left_out)
    order = sorted(rows, key=lambda name: (round(found.shortfall(name), 10), rows[name].seconds))
    return replace(found, methods={name: rows[name] for name in order})


def _assessed(cov: Covariance, found: Candidate, seconds: float, search: Result) -> Result:
    """Return the component of a method with the bound of the search, and whether that found a better one."""
    lower = min(found.proved_value(cov), search.upper)
    row = replace(search, candidate=found, lower=lower, seconds=seconds, history=(), ties=())
    most = attained(found.loadings, cov.names, cov)[1]
    if relative_gap(most, search.lower, search.certificate) > NARROW:
        return replace(row, status=Status.IMPROVABLE)
    return judged(row, NARROW)

"""`upper_bound`: one relaxation by name, or ever larger ones until the gap closes; `psi` at a penalty."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.certificate import Certificate
from relaxspca.errors import InputError, counted
from relaxspca.problem import scaling
from relaxspca.problem.arguments import as_covariance, check_limits, checked_penalty
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.certificates import one_leaf
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.relaxations import spectral
from relaxspca.relaxations.conic import check_solver
from relaxspca.relaxations.kinds import KINDS, STEPS
from relaxspca.relaxations.psi import formula
from relaxspca.results.bound import Bound
from relaxspca.results.claims import matrix_words
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.progress import say, shows_progress
from relaxspca.search.heavy_rows import MOST

WITHOUT_POINT = tuple(spectral.KINDS)  # leaves that need no dual point
NAMES = ("auto", *WITHOUT_POINT, *(kind for kind in KINDS if kind not in WITHOUT_POINT))


@shows_progress
def upper_bound(
    cov: Covariance,
    k: int,
    *,
    relaxation: str = "auto",
    solver: str = "auto",
    tol: float = 1e-6,
    time_limit: float | None = None,
    verbose: bool | None = None,
) -> Bound:
    r"""Bound the variance of every component of at most k variables.

    .. math:: v_k = \max\{x'\Sigma x : \|x\|_2=1,\ \operatorname{Card}(x)\le k\} \le \text{upper}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality, 1 to n.
    relaxation : str
        "auto" tries those of `relaxspca.relaxations.kinds.STEPS` in turn, the cheapest first, and stops when
        a bound equals the value of a candidate. Or one of `NAMES`: "spectral" (the largest eigenvalue),
        "trace", "rowsum", or a name of the table `relaxspca.relaxations.kinds.KINDS`.
    solver : str
        "auto" uses a method of our own where there is one; "clarabel", "scs" and every other name of
        `cvxpy.installed_solvers()` solve the cone program, where there is one, and are refused where
        there is none.
    tol : float, the relative accuracy at which a method or a solver stops.
    time_limit : float, optional
        Seconds; that of a cone program is for its solver: to form one of a thousand variables takes minutes.
    verbose : as in `relaxspca.solve`.

    Returns
    -------
    Bound
        `history` says what each step reached and when.

    Raises
    ------
    InputError
        `k`, `relaxation` or `solver` is not one of those above, the relaxation has no cone program for that
        solver, or variables were eliminated.

    Notes
    -----
    A solver only proposes a dual point. The bound is evaluated there by the formula of its relaxation, which
    holds at every point, with its rounding errors added. Where that is no better than the largest eigenvalue,
    trace or row sums, the best of these is the answer, under its own name (up to 4400 variables). "li_xie"
    is proved here but has no evidence in a certificate.

    References
    ----------
    .. [1] certificates/SPEC.md, section 6: the formula of every leaf, with its proof.
    .. [2] docs/theory: psi and Perron, and what contains what.

    Examples
    --------
    >>> import relaxspca as rs
    >>> b = rs.upper_bound(rs.datasets.load_pitprops(), 5, relaxation="dspca")
    >>> round(100 * (b.upper / 3.4061549468 - 1), 3)
    1.525
    """
    cov = as_covariance(cov)
    k = cov.check_cardinality(k)
    cov.check_complete("upper_bound")
    check_one_of("relaxation", relaxation, NAMES)
    check_limits(tol=tol, time_limit=time_limit)
    check_solver(solver)
    if solver != "auto" and (relaxation not in KINDS or KINDS[relaxation].program is None):
        programs = ", ".join(name for name, kind in KINDS.items() if kind.program is not None)
        raise InputError(
            f"relaxation {relaxation!r} has no cone program for solver={solver!r}: leave the solver out, or "
            f"take one of {programs}"
        )
    found = _bounded(cov, k, relaxation, solver, tol, time_limit)
    return replace(found, matrix=matrix_words(cov))


def _bounded(
    cov: Covariance, k: int, relaxation: str, solver: str, tol: float, time_limit: float | None
) -> Bound:
    if relaxation in WITHOUT_POINT:
        clock = Deadline.after(None)
        upper = spectral.upper_bound(cov, relaxation, k)
        return Bound(k, upper, relaxation, seconds=clock.elapsed).after()
    deadline = Deadline.after(time_limit)
    is_complete = relaxation == "auto" or cov.n > MOST[-1]
    # First, so that the limit counts it: among thousands of variables it takes seconds.
    without_point = None if is_complete else spectral.best_upper_bound(cov, k)
    kind = KINDS.get(relaxation)  # none of "auto"
    try:
        if kind is None or kind.program is None or (kind.method is not None and solver == "auto"):
            steps = None if kind is None else [relaxation]
            among = [candidate(cov, k)]
            found = escalate(cov, k, among, steps=steps, tol=tol, time_limit=deadline.left)
        else:
            scaled, q = scaling.normalised(cov)  # the tolerances of the solvers are absolute
            solved = kind.program(scaled, k, {"solver": solver, "tol": tol, "time_limit": time_limit})
            found = Bound(k, math.inf, relaxation)
            if solved is not None:
                upper, dual = scaling.upper_times(solved.upper, q), scaling.point_times(solved.dual, q)
                note = f"cone program, {solver}"
                found = Bound(k, upper, relaxation, dual, seconds=deadline.elapsed, note=note).after()
    except KeyboardInterrupt:
        if without_point is None:
            raise
        best = Bound(k, *without_point, seconds=deadline.elapsed)
        return replace(best, history=(best, replace(best, relaxation=relaxation, note=Status.INTERRUPTED)))
    if without_point is None or found.upper < without_point[0]:
        return found
    history = [step for step in found.history if math.isfinite(step.upper)]
    note = f"{found.relaxation} is no better"
    if not history:
        late = " within the limit" if time_limit is not None else ""
        note = f"{found.relaxation}: the solver gave no answer{late}"
    return Bound(k, *without_point, seconds=found.seconds, note=note).after(*history)


def bound_certificate(cov: Covariance, bound: Bound) -> Certificate | None:
    """Return a bound as a certificate beside the best candidate; None where it has no evidence."""
    assert bound.k is not None
    if bound.dual is None and bound.relaxation not in WITHOUT_POINT:
        return None
    return one_leaf(cov, candidate(cov, bound.k), bound.upper, bound.dual or bound.relaxation, k=bound.k)


def escalate(
    cov: Covariance,
    k: int,
    candidates: Sequence[Candidate],
    *,
    steps: Iterable[str] | None = None,
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> Bound:
    """Return the best of ever larger bounds, stopping when one meets the best candidate or no time is left.

    `steps` are names in `KINDS` with a method, in the order to try. `tol` is a fraction of the best value: how
    far above it a bound may be to meet it, and how near a method goes to the least that its relaxation gives.
    The `relaxation` of the result is the kind of a bound without dual point, else the step that found the
    point. Ctrl-C ends a step; the best before it is returned.
    """
    deadline = Deadline.after(time_limit)
    scaled, q = scaling.normalised(cov, beyond=scaling.EXTREME)
    among = [scaling.candidate_times(candidate, -q) for candidate in candidates]
    lower = max(candidate.value for candidate in candidates)
    best: Bound | None = None
    history: list[Bound] = []
    for name in STEPS if steps is None else steps:
        if best is not None and best.upper <= lower + tol * abs(lower):
            break
        if best is not None and deadline.is_over:
            said = filter(None, (history[-1].note, f"no time was left for {name}"))
            history[-1] = replace(history[-1], note="; ".join(said))
            break
        say(f"Bounding the variance of {counted(k, 'variable')} by {name}")
        try:
            method = KINDS[name].method
            assert method is not None
            found = method(scaled, k, among, max(tol, RELATIVE_WIDTH), deadline.left)
            upper, dual = scaling.upper_times(found.upper, q), scaling.point_times(found.dual, q)
            found = replace(found, upper=upper, dual=dual)
            history.append(replace(found, dual=None, seconds=deadline.elapsed))
            if best is None or found.upper < best.upper:
                best = found
        except KeyboardInterrupt:
            if best is None:
                raise
            at = deadline.elapsed
            history.append(replace(best, relaxation=name, dual=None, seconds=at, note=Status.INTERRUPTED))
            break
    assert best is not None
    return replace(best, seconds=history[-1].seconds, history=tuple(history))


def psi(cov: Covariance, rho: float, *, tol: float = 1e-6, time_limit: float | None = None) -> Bound:
    r"""Compute the relaxation psi(rho) of the penalised problem.

    .. math:: \psi(\rho)=\max_{X\succeq0,\,\mathrm{tr}X=1}\sum_i\mathrm{Tr}(X^{1/2}(a_ia_i'-\rho I)X^{1/2})_+
        \ \ge\ \max_{\|x\|\le1}\ x'\Sigma x-\rho\operatorname{Card}(x).

    Parameters
    ----------
    cov : Covariance of n variables.
    rho : float
        Penalty of a variable, at least 0 (variance).
    tol : float
        Relative accuracy asked of the solver; the bound is proved whatever it achieves.
    time_limit : float, optional
        Seconds; the Newton step under way is given up, and the best point by then is proved: this and the first
        point take up to a second among thousands of variables.

    Returns
    -------
    Bound

    Raises
    ------
    InputError
        `rho` is negative or not a number, or variables were eliminated.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component
       analysis, Journal of Machine Learning Research 9:1269-1294, 2008, section 3.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> at = psi(cov, 0.2)
    >>> round(at.upper, 4), round(at.bound(7), 4)
    (2.6011, 4.0011)
    """
    from relaxspca.relaxations.psi.minimise import minimise

    clock = Deadline.after(None)
    cov = as_covariance(cov)
    rho = checked_penalty(rho)
    check_limits(tol=tol, time_limit=time_limit)
    cov.check_complete("psi")
    scaled, q = scaling.normalised(cov, beyond=scaling.EXTREME)
    penalty = scaling.penalty_times(rho, -q)
    solution = minimise(scaled.factor, penalty, tol=tol, time_limit=time_limit)
    point = formula.psi_point(scaled, np.arange(cov.n), penalty, solution.vectors)
    accuracy = (solution.value - solution.lower) / solution.lower if solution.lower > 0 else 0.0
    upper = scaling.upper_times(max(formula.upper_bound(scaled, point, 0), 0.0), q)
    found = Bound(None, upper, "psi", scaling.point_times(point, q), rho=rho, seconds=clock.elapsed)
    return replace(found.after(), matrix=matrix_words(cov), accuracy=accuracy)

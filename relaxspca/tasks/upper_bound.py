"""`upper_bound`: one relaxation by name, or ever dearer ones until the gap closes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.certificate import Certificate
from relaxspca.errors import InputError
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.claim import one_leaf
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import check_limits
from relaxspca.problem.scaling import normalised, point_times, upper_times
from relaxspca.relaxations import low_rank, spectral
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.pairwise import formula as pairwise
from relaxspca.relaxations.pairwise import models as pairwise_models
from relaxspca.relaxations.psi import formula as psi
from relaxspca.relaxations.published import dspca, li_xie, perspective, spartrahedron
from relaxspca.results.bound import Bound, BoundStep
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.reduced import LARGEST_BLOCK
from relaxspca.tasks.bounds import escalate

__all__ = ["NAMES", "bound_certificate", "upper_bound"]

OWN = ("psi", "pairwise", "perron")  # have a method of their own; the others are cone programs
WITHOUT_EVIDENCE = ("li_xie", "low_rank")  # proved here, but a certificate has no leaf of this kind
SOLVERS = ("auto", "clarabel", "scs")
NO_ANSWER = "the solver gave no answer"


def upper_bound(
    cov: Covariance,
    k: int,
    relaxation: str = "auto",
    solver: str = "auto",
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> Bound:
    r"""Bound the variance of every component of at most k variables.

    .. math:: v_k = \max\{x'\Sigma x : \|x\|_2=1,\ \operatorname{Card}(x)\le k\} \le \text{upper}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, 1 to n.
    relaxation : str
        "auto" tries the cheap bounds, the closed-form KKT points, the Perron relaxation, psi and the
        pairwise relaxation in turn, and stops when one meets a candidate. Or one of "spectral", "dspca",
        "psi", "perspective", "li_xie", "spartrahedron", "spartrahedron_l1", "pairwise", "perron", "low_rank".
    solver : str
        "auto" uses a method of our own where there is one; "clarabel" and "scs" solve the cone program.
    tol : relative accuracy at which to stop.
    time_limit : seconds.

    Returns
    -------
    Bound
        `history` says what each step reached and when.

    Raises
    ------
    InputError
        `k`, `relaxation` or `solver` is not one of those above, or variables were eliminated.

    Notes
    -----
    A solver only proposes a dual point. The bound is evaluated there by the formula of its relaxation, which
    holds at every point, with its rounding errors added. Where that is no better than the largest eigenvalue,
    trace or row sums, the best of these is the answer, under its own name (up to 4000 variables). "low_rank"
    needs no solver: it is the best of the ranks 1, 2 and 3. "low_rank" and "li_xie" are proved here but have
    no evidence in a certificate.

    References
    ----------
    .. [1] certificates/SPEC.md, section 6: the formula of every leaf, with its proof.
    .. [2] docs/theory: psi, pairwise and Perron, and what contains what.

    Examples
    --------
    >>> import relaxspca as rs
    >>> b = rs.upper_bound(rs.datasets.load_pitprops(), 5, relaxation="dspca")
    >>> round(100 * (b.upper / 3.4061549468 - 1), 3)
    1.525
    """
    check_covariance(cov)
    k = cov.check_cardinality(k)
    cov.check_complete("upper_bound")
    if relaxation not in NAMES:
        raise InputError(f"relaxation must be one of {', '.join(NAMES)}, not {relaxation!r}")
    check_limits(tol=tol, time_limit=time_limit)
    if solver not in SOLVERS:
        raise InputError(f"solver must be one of {', '.join(SOLVERS)}, not {solver!r}")
    if relaxation in ("auto", "spectral"):
        return _escalated(cov, k, relaxation, tol, time_limit)
    if relaxation == "perron" or (relaxation in OWN and solver == "auto"):
        found = _escalated(cov, k, relaxation, tol, time_limit)
    elif relaxation == "low_rank":
        found = _low_rank(cov, k, tol, time_limit)
    else:
        found = _cone_bound(cov, k, relaxation, {"solver": solver, "tol": tol, "time_limit": time_limit})
    return found if cov.n > LARGEST_BLOCK else _at_most_spectral(cov, found)


def bound_certificate(cov: Covariance, bound: Bound) -> Certificate | None:
    """Return a bound as a certificate beside the best candidate; None for those `WITHOUT_EVIDENCE`."""
    if bound.relaxation in WITHOUT_EVIDENCE:
        return None
    evidence = bound.dual if bound.dual is not None else bound.relaxation
    return one_leaf(cov, candidate(cov, bound.k), bound.upper, evidence, k=bound.k)


def _escalated(cov: Covariance, k: int, relaxation: str, tol: float, time_limit: float | None) -> Bound:
    steps = None if relaxation == "auto" else [relaxation]
    return escalate(cov, k, [candidate(cov, k)], steps=steps, tol=tol, time_limit=time_limit)


def _cone_bound(cov: Covariance, k: int, relaxation: str, options: dict[str, Any]) -> Bound:
    """Solve a cone program in the unit of Sigma: the tolerances of the solvers are absolute."""
    clock = Deadline.after(None)
    scaled, q = normalised(cov)
    found = CONE_PROGRAMS[relaxation](scaled, k, options)
    if found is None:
        return Bound(k, math.inf, relaxation)
    upper = upper_times(found.upper, q)
    step = BoundStep(relaxation, upper, clock.elapsed, f"cone program, {options['solver']}")
    return Bound(k, upper, relaxation, point_times(found.dual, q), (step,))


def _at_most_spectral(cov: Covariance, found: Bound) -> Bound:
    """Return a bound, or the best of those without dual point where no point found is better."""
    clock = Deadline.after(None)
    upper, kind = spectral.best_upper_bound(cov, found.k)
    if found.upper < upper:
        return found
    history = tuple(step for step in found.history if math.isfinite(step.upper))
    note = f"{found.relaxation} is no better" if history else f"{found.relaxation}: {NO_ANSWER}"
    seconds = clock.elapsed + (found.history[-1].seconds if found.history else 0.0)
    return Bound(found.k, upper, kind, None, (*history, BoundStep(kind, upper, seconds, note)))


def _low_rank(cov: Covariance, k: int, tol: float, time_limit: float | None) -> Bound:
    deadline = Deadline.after(time_limit)
    steps: list[BoundStep] = []
    for d in (1, 2, 3):
        upper = low_rank.upper_bound(cov, k, d=d, tol=tol, time_limit=deadline.left)
        steps.append(BoundStep("low_rank", upper, deadline.elapsed, f"rank {d}"))
        if deadline.is_over:
            break
    return Bound(k, min(step.upper for step in steps), "low_rank", None, tuple(steps))


def _psi(cov: Covariance, k: int, options: dict[str, Any]) -> Bound | None:
    from relaxspca.relaxations.psi.conic import solve

    point = solve(cov, k=k, **options)
    return Bound(k, psi.upper_bound(cov, point, k), "psi", point)


def _dspca(cov: Covariance, k: int, options: dict[str, Any]) -> Bound | None:
    from relaxspca.relaxations.published.dspca_solve import solve

    U = solve(cov, k=k, **options)
    point = dspca.pairwise_point(U, k)  # never worse, and has a certificate
    return Bound(k, dspca.upper_bound(cov, U, k), "dspca", point)


def _perspective(cov: Covariance, k: int, options: dict[str, Any]) -> Bound | None:
    problem, read = perspective.dual_model(cov, k)
    if not solve_cone_program(problem, **options).usable:
        return None
    point = read()
    return Bound(k, perspective.upper_bound(cov, point, k), "perspective", perspective.pairwise_point(point, k))


def _li_xie(cov: Covariance, k: int, options: dict[str, Any]) -> Bound | None:
    problem, mu = li_xie.dual_model(cov, k)
    if not solve_cone_program(problem, **options).usable:
        return None
    return Bound(k, li_xie.upper_bound(cov, np.asarray(mu.value), k), "li_xie")


def _spartrahedron(cov: Covariance, k: int, options: dict[str, Any], *, l1: bool = False) -> Bound | None:
    problem, read = spartrahedron.dual_model(cov, k, l1=l1)
    if not solve_cone_program(problem, **options).usable:
        return None
    L, U = read()
    name = "spartrahedron_l1" if l1 else "spartrahedron"
    return Bound(k, spartrahedron.upper_bound(cov, L, k, U=U), name, spartrahedron.pairwise_point(L, k, U=U))


def _spartrahedron_l1(cov: Covariance, k: int, options: dict[str, Any]) -> Bound | None:
    return _spartrahedron(cov, k, options, l1=True)


def _pairwise(cov: Covariance, k: int, options: dict[str, Any]) -> Bound | None:
    problem, read = pairwise_models.dual_model(cov, k)
    if not solve_cone_program(problem, **options).usable:
        return None
    point, _ = read()
    return Bound(k, pairwise.upper_bound(cov, point, k), "pairwise", point)


CONE_PROGRAMS: dict[str, Callable[[Covariance, int, dict[str, Any]], Bound | None]] = {
    "dspca": _dspca,
    "psi": _psi,
    "perspective": _perspective,
    "li_xie": _li_xie,
    "spartrahedron": _spartrahedron,
    "spartrahedron_l1": _spartrahedron_l1,
    "pairwise": _pairwise,
}

NAMES = ("auto", "spectral", "perron", "low_rank", *CONE_PROGRAMS)

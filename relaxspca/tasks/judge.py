"""Assess one component: prove a bound, and look for a better component."""

from __future__ import annotations

import dataclasses

import numpy as np

from relaxspca.candidates import candidate as best_candidate
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.results.certified import Certified
from relaxspca.results.claims import attained
from relaxspca.runtime.deadline import Deadline
from relaxspca.tasks.prove import prove

__all__ = ["judge"]


def judge(
    cov: Covariance,
    given: Candidate,
    *,
    k: int,
    tol: float,
    conditions: Conditions = NONE,
    time_limit: float | None = None,
) -> Certified:
    """Assess a component that meets the conditions; the rest is as in `relaxspca.certify`."""
    deadline = Deadline.after(time_limit)
    used = np.union1d(given.indices, conditions.inside)
    refitted = Candidate.from_support(cov, used, method=f"{given.method}, re-fitted")
    half = deadline.part(2)
    found = best_candidate(cov, k, include=conditions.include, exclude=conditions.exclude, deadline=half)
    # What is left of tol once the best known component has been allowed for; all of it if that is better.
    short = 1 - given.value / max(refitted.value, found.value) if found.value > 0 else 0.0
    width = 0.9 * (tol - short if 0 < short < tol else tol)
    candidates = [refitted, found] if conditions else [given, refitted, found]
    proof = prove(cov, k, candidates, conditions, tol=width, time_limit=deadline.left)
    certificate = proof.certificate(cov, given)
    lower, upper = certificate.lower, certificate.upper
    # Better for certain: beyond the roundings of both values.
    least, most = (attained(found.loadings, cov.names, cov) for found in (proof.best, given))
    better = proof.best if relative_gap(most[1], least[0], certificate) > tol else None
    bound = proof.bound if cov.eliminated is None else dataclasses.replace(proof.bound, upper=upper)
    return Certified(
        given,
        refitted,
        better,
        k,
        lower,
        upper,
        tol,
        bound,
        certificate,
        deadline.elapsed,
        proof.is_interrupted,
    )

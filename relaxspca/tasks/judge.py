"""Assess one component, or a set: each alone, each given the earlier ones, and all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.candidates import candidate as best_candidate
from relaxspca.candidates.deflation import deflate
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import as_array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.results.certified import Certified
from relaxspca.results.certified_table import CertifiedTable
from relaxspca.results.claims import attained as attained_by
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.progress import followed
from relaxspca.search.limits import SearchLimits
from relaxspca.tasks.joint import joint_components
from relaxspca.tasks.prove import prove
from relaxspca.tasks.table_fields import table_fields


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
    least, most = (attained_by(found.loadings, cov.names, cov) for found in (proof.best, given))
    better = proof.best if relative_gap(most[1], least[0], certificate) > tol else None
    bound = proof.bound if cov.eliminated is None else replace(proof.bound, upper=upper)
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


def judge_table(
    cov: Covariance,
    components: Sequence[Candidate],
    *,
    sizes: Sequence[int],
    deflation: str,
    tol: float,
    node_limit: int | None,
    time_limit: float | None,
) -> CertifiedTable:
    """Assess components alone, given the earlier ones, and all together, as in `relaxspca.certify`.

    `sizes` are the cardinalities that they are assessed at.
    """
    clock, r = Deadline.after(time_limit), len(components)
    V = np.column_stack([found.loadings for found in components])
    first: list[Certified] = []
    later: list[Certified | None] = []
    left, basis = cov, np.empty((cov.n, 0))
    for j, found in enumerate(followed(components, "component")):
        seconds = _within(clock, [*first, *later]).share(2 * (r - j) + 2)
        options: dict[str, Any] = {"k": sizes[j], "tol": tol}
        first.append(_judged(cov, found, seconds, options))
        if j == 0:
            later.append(first[0])
            continue
        if later[-1] is None:
            later.append(None)
            continue
        try:
            left, basis = deflate(left, components[j - 1].loadings, deflation=deflation, basis=basis)
        except InputError:
            later.append(None)  # no variance is left
            continue
        x = found.loadings[found.indices]
        here = replace(found, value=float(x @ left.submatrix(found.indices) @ x))
        later.append(_judged(left, here, seconds, options))
    joint = None
    if r > 1 and cov.eliminated is None:
        limits = SearchLimits(_within(clock, [*first, *later]).part(1), node_limit)
        joint = joint_components(cov, sizes, gap=tol, limits=limits)
    supports = [found.indices for found in components]
    refitted = None if joint is None else CandidateTable.on(cov, supports)
    attained = None if refitted is None else refitted.lower
    product = np.minimum(np.abs(V.T @ V - np.eye(r)), 1)  # of unit vectors, up to rounding
    return CertifiedTable(
        **table_fields(cov, V),
        first=tuple(first),
        given_earlier=tuple(later),
        joint=joint,
        refitted=None if refitted is None else as_array(refitted.loadings),
        lower=None if joint is None else max(joint.lower, -np.inf if attained is None else attained),
        upper=None if joint is None else joint.upper,
        attained=attained,
        overlap=float((product - np.diag(np.diagonal(product))).max()),
        deflation=deflation,
        tol=tol,
        seconds=clock.elapsed,
    )


def _within(clock: Deadline, verdicts: Sequence[Certified | None]) -> Deadline:
    """Return how long the rest may take: after Ctrl-C it is assessed by what costs little."""
    is_stopped = any(one is not None and one.is_interrupted for one in verdicts)
    return Deadline.after(0) if is_stopped else clock


def _judged(cov: Covariance, found: Candidate, seconds: float | None, options: dict[str, Any]) -> Certified:
    """Assess a component; where Ctrl-C leaves nothing, by what costs little."""
    try:
        return judge(cov, found, time_limit=seconds, **options)
    except KeyboardInterrupt:
        return replace(judge(cov, found, time_limit=0, **options), is_interrupted=True)


def taken_out(cov: Covariance, components: Sequence[Candidate], deflation: str) -> Covariance:
    """Return what a covariance is after components were taken out of it, one after the other."""
    left, basis = cov, np.empty((cov.n, 0))
    for found in components:
        left, basis = deflate(left, found.loadings, deflation=deflation, basis=basis)
    return left

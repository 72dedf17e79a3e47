"""Assess sparse components from anywhere: one, one after others, or a whole set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.candidates import candidate as best_candidate
from relaxspca.candidates.deflation import DEFLATIONS, deflate
from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import as_array
from relaxspca.problem.arguments import as_covariance, check_limits, one_or_several
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.results.certified import Certified
from relaxspca.results.certified_table import CertifiedTable
from relaxspca.results.claims import attained as attained_by
from relaxspca.results.components import JointComponents
from relaxspca.results.status import Status, settle
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.progress import followed, shows_progress
from relaxspca.search.limits import SearchLimits
from relaxspca.tasks.joint import joint_components
from relaxspca.tasks.prove import prove
from relaxspca.tasks.read_table import read_table
from relaxspca.tasks.table_fields import table_fields


@shows_progress
def certify(
    cov: Covariance,
    component: Any,
    *,
    k: int | Sequence[int] | None = None,
    after: Any = None,
    deflation: str = "projection",
    tol: float = 1e-6,
    include: Any = (),
    exclude: Any = (),
    node_limit: int | None = 1,
    time_limit: float | None = None,
    verbose: bool | None = None,
) -> Any:  # Certified, or CertifiedTable of several
    r"""Say how far sparse components are from the best of their cardinality, with a proof.

    .. math:: x'\Sigma x \le v_k = \max\{z'\Sigma z : \|z\|=1,\ \operatorname{Card}(z)\le k\} \le \text{upper}

    Parameters
    ----------
    cov : Covariance of n variables.
    component : Candidate, array_like, pandas Series, DataFrame, dict, fitted estimator, Components
        Loadings or support from any method, relaxspca's or not: n loadings (entries that are not exactly 0
        count as used), a mask, indices or names (`relaxspca.tasks.read_table.read_component`); or several
        such components (`relaxspca.tasks.read_table.read_table`).
    k : int or sequence of int, optional
        Assess at this cardinality, several components at one each or one for all; by default the number
        of variables used.
    after : what `component` may be, optional
        The earlier components, in order: they are taken out of the covariance before one component is judged.
    deflation : str
        How they are taken out: a name in `relaxspca.candidates.deflation.DEFLATIONS`.
    tol : float
        Relative width up to which the component counts as optimal, at least 0; what is wider than 1e-6 is
        "within the gap".
    include, exclude : names or positions, optional
        Assess one component among the supports that hold some variables and not others, as in
        `relaxspca.solve`; that takes a search.
    node_limit : int or None
        Most nodes of the joint search of several components: 1 is the bound of the root, None a whole proof.
    time_limit : float, optional
        Seconds for the bounds; None is no limit.
    verbose : as in `relaxspca.solve`.

    Returns
    -------
    Certified, or CertifiedTable of several components

    Raises
    ------
    InputError
        The component cannot be read, or in two ways, uses more than k variables, or a parameter is out of
        range.

    Notes
    -----
    The loadings are assessed as they are, not re-fitted: rounded or shrunken loadings are improvable by
    `refitted`, even on an optimal support. The closed-form test is tried first, and a search where it does
    not suffice. Upper bounds are evaluated with directed rounding, whatever proposed their dual points.

    A component of several is assessed twice: as a first component, and on the matrix that the earlier ones
    leave. All together are assessed against orthogonal components of the same cardinalities
    (docs/theory/several.md).

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
    cov = as_covariance(cov)
    check_limits(tol=tol, time_limit=time_limit, node_limit=node_limit)
    check_one_of("deflation", deflation, DEFLATIONS)
    if after is not None:
        cov.check_complete("a component after others")
        basis = None
        for earlier in read_table(cov, after):
            cov, basis = deflate(cov, earlier.loadings, deflation=deflation, basis=basis)
    if isinstance(component, JointComponents) and component.kind == "common":
        raise InputError(
            "components on the same variables have bounds and a certificate among such components already: to "
            "assess them among all orthogonal components, pass their loadings_array"
        )
    given = read_table(cov, component)
    conditions = Conditions.read(include, exclude, cov.names)
    options: dict[str, Any] = {"tol": tol, "time_limit": time_limit}
    if len(given) == 1:
        size = _size(cov, given[0], k, conditions)
        return assess(cov, given[0], k=size, conditions=conditions, **options)
    if after is not None or conditions:
        name = "include and exclude go" if after is None else "after goes"
        raise InputError(f"{counted(len(given), 'component')} are given: {name} with one component")
    cov.check_complete("a set of several components")
    if len(given) > cov.n:
        raise InputError(f"{len(given)} components are given for {counted(cov.n, 'variable')}")
    options |= {"sizes": _sizes(cov, given, k), "deflation": deflation, "node_limit": node_limit}
    return assess_set(cov, given, **options)


def _size(cov: Covariance, given: Candidate, k: Any, conditions: Conditions) -> int:
    """Return the cardinality that a component is assessed at."""
    barred = [cov.names[i] for i in given.indices if i in conditions.exclude]
    if barred:
        raise InputError(f"the component uses {barred[0]}, which is excluded")
    missing = [cov.names[i] for i in conditions.include if i not in given.indices]
    if missing and k is None:
        raise InputError(
            f"the component does not use {missing[0]}, which is to be included: give k, the number of "
            "variables that it is compared at, those to include among them"
        )
    used = len(np.union1d(given.indices, conditions.inside))
    size = conditions.cardinality(used if k is None else _sizes(cov, [given], k)[0], cov.n)
    if used > size:
        raise InputError(f"the component uses {counted(used, 'variable')}, more than k = {size}")
    return size


def _sizes(cov: Covariance, given: Sequence[Candidate], k: int | Iterable[int] | None) -> list[int]:
    """Return the cardinality that each component is assessed at."""
    if k is None:
        return [found.k for found in given]
    listed = one_or_several(k) if isinstance(k, Iterable) else [k] * len(given)
    sizes = [cov.check_cardinality(size) for size in listed]
    if len(sizes) != len(given):
        raise InputError(f"k holds {counted(len(sizes), 'number')} for {counted(len(given), 'component')}")
    for j, (found, size) in enumerate(zip(given, sizes, strict=True)):
        if found.k > size:
            which = "the component" if len(given) == 1 else f"component {j + 1}"
            raise InputError(f"{which} uses {counted(found.k, 'variable')}, more than k = {size}")
    return sizes


def assess(
    cov: Covariance,
    given: Candidate,
    *,
    k: int,
    tol: float,
    conditions: Conditions = NONE,
    time_limit: float | None = None,
    is_interrupted: bool = False,
) -> Certified:
    """Assess a component that meets the conditions; the rest is as in `relaxspca.certify`.

    `is_interrupted` says that Ctrl-C has left little time.
    """
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
    is_better = relative_gap(most[1], least[0], certificate) > tol
    is_interrupted = is_interrupted or proof.is_interrupted
    stopped, gap = Status.INTERRUPTED if is_interrupted else None, relative_gap(lower, upper, certificate)
    status = Status.IMPROVABLE if is_better else settle(stopped, lower, upper, width=gap, tol=tol)
    return Certified(
        given,
        lower,
        upper,
        status,
        certificate,
        proof.node_count,
        deadline.elapsed,
        by=proof.bound.relaxation,
        refitted=refitted,
        better=proof.best if is_better else None,
        tol=tol,
        bound=proof.bound if cov.eliminated is None else replace(proof.bound, upper=upper),
        is_interrupted=is_interrupted,
    )


def assess_set(
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
    left: Covariance | None = cov
    basis = np.empty((cov.n, 0))

    def within() -> Deadline:
        """Return how long the rest may take: after Ctrl-C it is assessed by what costs little."""
        is_stopped = any(one is not None and one.is_interrupted for one in (*first, *later))
        return Deadline.after(0) if is_stopped else clock

    for j, found in enumerate(followed(components, "component")):
        seconds = within().share(2 * (r - j) + 2)
        options: dict[str, Any] = {"k": sizes[j], "tol": tol}
        first.append(_assessed(cov, found, seconds, options))
        if j > 0 and left is not None:
            try:
                left, basis = deflate(left, components[j - 1].loadings, deflation=deflation, basis=basis)
            except InputError:
                left = None  # no variance is left
        if j == 0 or left is None:
            later.append(None if left is None else first[0])
            continue
        x = found.loadings[found.indices]
        here = replace(found, value=float(x @ left.submatrix(found.indices) @ x))
        later.append(_assessed(left, here, seconds, options))
    together: dict[str, Any] = {}
    if r > 1 and cov.eliminated is None:
        limits = SearchLimits(within().part(1), node_limit)
        joint = joint_components(cov, sizes, gap=tol, limits=limits)
        together = {"joint": joint, "lower": joint.lower, "upper": joint.upper}
        if (best := CandidateSet.on(cov, [found.indices for found in components])) is not None:
            together |= {"refitted": as_array(best.loadings), "attained": best.lower}
            together["lower"] = max(joint.lower, best.lower)
    product = np.minimum(np.abs(V.T @ V - np.eye(r)), 1)  # of unit vectors, up to rounding
    return CertifiedTable(
        **table_fields(cov, V),
        **together,
        first=tuple(first),
        given_earlier=tuple(later),
        overlap=float((product - np.diag(np.diagonal(product))).max()),
        deflation=deflation,
        tol=tol,
        seconds=clock.elapsed,
    )


def _assessed(cov: Covariance, found: Candidate, seconds: float | None, options: dict[str, Any]) -> Certified:
    """Assess a component; where Ctrl-C leaves nothing, by what costs little."""
    try:
        return assess(cov, found, time_limit=seconds, **options)
    except KeyboardInterrupt:
        return assess(cov, found, time_limit=0, is_interrupted=True, **options)

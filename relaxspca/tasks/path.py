"""Components and bounds along a path of cardinalities or of penalties."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from relaxspca.candidates import candidate as best_candidate
from relaxspca.certificate import Certificate, PsiPoint
from relaxspca.errors import InputError
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.claim import one_leaf
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import check_limits, checked_penalty
from relaxspca.relaxations.psi.closed_form import DualFamily
from relaxspca.relaxations.psi.kkt import PricedPoint, least_bound, priced, union_bounds
from relaxspca.results.bound import Bound
from relaxspca.results.path_table import Path, PathRow
from relaxspca.results.result import Result
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.distributed import joblib_map
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed, shows_progress
from relaxspca.search.reduced import LARGEST_BLOCK
from relaxspca.tasks.bounds import escalate, steps_up_to
from relaxspca.tasks.penalised import phi_bounds
from relaxspca.tasks.prove import EXACT, Proven, prove
from relaxspca.tasks.shares import checked_share, smallest
from relaxspca.tasks.solve import solve
from relaxspca.tasks.successive import solve_each

__all__ = ["path"]


@shows_progress
def path(
    cov: Covariance,
    *,
    k: int | Iterable[int] | None = None,
    rho: float | Iterable[float] | None = None,
    tol: float = 1e-6,
    relaxation: str = "auto",
    exact: bool = False,
    share: float | None = None,
    include: Any = (),
    exclude: Any = (),
    time_limit: float | None = None,
    rng: np.random.Generator | None = None,
    verbose: bool | None = None,
) -> Path:
    r"""Find and bound the best component for every cardinality, or for every penalty.

    .. math:: v_k = \max_{\|x\|=1,\ \operatorname{Card}(x)\le k} x'\Sigma x, \qquad
        \phi(\rho) = \max_{\|x\|\le1} x'\Sigma x-\rho\operatorname{Card}(x)

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinalities; all of 1, ..., n when neither `k` nor `rho` is given. Or
    rho : penalties, at least 0 (variance).
    tol : float
        Relative gap up to which a row counts as certified.
    relaxation : str
        The most expensive method to use for a cardinality: "spectral", "kkt", "psi", "perron", "pairwise",
        "search" or "auto", as in `relaxspca.certify`. Penalties are searched with "search" and "auto", and
        bounded by psi with any other.
    exact : bool
        Search every row as `relaxspca.solve` does, to the gap `tol`; `relaxation` plays no part.
    share : float, optional
        The path goes from 1 to the smallest k that keeps this share of what the dense component explains,
        :math:`v_k\ge\text{share}\cdot\lambda_1`; every row is searched. In place of `k` and `rho`.
    include, exclude : names or positions, optional
        Conditions on the supports of every row, as in `relaxspca.solve`, which searches every row then.
    time_limit : float, optional
        Seconds for the whole path; rows reached later have the cheap bounds. None is no limit.
    rng : source of randomness for the candidates; None is a fixed seed.
    verbose : bool, optional
        Show progress on stderr; by default in a notebook and at Python's prompt.

    Returns
    -------
    Path
        Ctrl-C ends the work: the rows done by then, and `is_interrupted`.

    Raises
    ------
    InputError
        Both `k` and `rho` are given, one is empty, or a value is out of range.

    Notes
    -----
    A dual point of psi(rho) bounds every cardinality, :math:`v_k\le d+\rho k`. So the closed-form points of
    all supports and those that the solver of psi finds for one k are tried for every other k; what they leave
    open is searched. A search starts from a component of its own, or from that of the cardinality before with
    variables added, whichever is better. Time that one search does not need goes to those still open.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component
       analysis, JMLR 9:1269-1294, 2008 (the path, and the closed-form dual points).

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = path(rs.datasets.load_pitprops(), k=range(9, 14), relaxation="psi")
    >>> [row.certified for row in found.rows]
    [True, False, True, True, True]
    >>> found = path(rs.datasets.load_pitprops(), share=0.9)
    >>> found.smallest_k, found.is_smallest_proved
    (7, True)
    """
    if (k is not None) + (rho is not None) + (share is not None) > 1:
        raise InputError("give k or rho or share, not both and not all")
    check_covariance(cov)
    conditions = Conditions.read(include, exclude, cov.names)
    check_limits(tol=tol, time_limit=time_limit)
    steps_up_to(relaxation)
    deadline = Deadline.after(time_limit)
    if rho is not None and (exact or conditions or relaxation in ("auto", "search")):
        return _searched_penalties(cov, _listed(rho, "rho"), tol, deadline, rng, conditions)
    if rho is not None:
        return _over_penalties(cov, _listed(rho, "rho"), tol, time_limit, rng)
    if share is not None:
        share = checked_share(cov, share)

        def rows_of(sizes: list[int]) -> Path:
            return _searched(cov, sizes, tol, deadline, rng, conditions)

        return smallest(cov, share, conditions, rows_of)
    least, most = max(len(conditions.include), 1), cov.n - len(conditions.exclude)
    asked = [cov.check_cardinality(m) for m in _listed(range(least, most + 1) if k is None else k, "k")]
    cardinalities = (
        list(dict.fromkeys(conditions.cardinality(m, cov.n) for m in asked)) if conditions else asked
    )
    if exact or conditions:
        return _searched(cov, cardinalities, tol, deadline, rng, conditions)
    if relaxation in ("auto", "search") and cov.n <= LARGEST_BLOCK and cov.eliminated is None:
        return _proved_or_searched(cov, cardinalities, tol, deadline, rng)
    return _over_cardinalities(cov, cardinalities, tol, relaxation, time_limit, rng)


def _searched(
    cov: Covariance,
    cardinalities: list[int],
    tol: float,
    deadline: Deadline,
    rng: np.random.Generator | None,
    conditions: Conditions,
) -> Path:
    """Search every cardinality."""
    gap = tol if tol > EXACT else 0.0
    found = solve_each(cov, cardinalities, gap=gap, deadline=deadline, rng=rng, conditions=conditions)
    rows = [
        _row(cov, m, None, found[m].candidate, "search", found[m].certificate, tol)
        for m in cardinalities
        if m in found
    ]
    is_interrupted = any(m not in found or found[m].status == "interrupted" for m in cardinalities)
    return Path(tuple(rows), "k", tol, is_interrupted)


def _proved_or_searched(
    cov: Covariance, cardinalities: list[int], tol: float, deadline: Deadline, rng: np.random.Generator | None
) -> Path:
    """Search the cardinalities that no closed-form dual point proves; each point bounds all of them."""
    candidates, is_interrupted = _candidates(cov, cardinalities, rng, deadline)
    best = dict(zip(cardinalities, candidates, strict=False))
    try:
        pairs = [] if is_interrupted else _pairs(cov, list(best), candidates, deadline)
    except KeyboardInterrupt:
        pairs, is_interrupted = [], True
    bounds = {m: least_bound(pairs, m) for m in best} if pairs else {}
    proved = {m for m, (upper, _) in bounds.items() if upper <= best[m].value + tol * abs(best[m].value)}
    gap = tol if tol > EXACT else 0.0
    # What costs nothing is still done for the components that were found before Ctrl-C.
    until = Deadline.after(0) if is_interrupted else deadline
    unproved = [m for m in best if m not in proved]
    try:
        found = solve_each(cov, unproved, gap=gap, deadline=until, rng=rng, starts=best)
    except KeyboardInterrupt:
        if not proved:
            raise
        found = {}
    rows = []
    for m in best:
        result = found.get(m)
        if result is not None and (m not in bounds or result.upper <= bounds[m][0]):
            rows.append(_row(cov, m, None, result.candidate, "search", result.certificate, tol))
        elif m in proved or result is not None:
            witness = best[m] if result is None else max(best[m], result.candidate, key=lambda c: c.value)
            upper, pair = bounds[m]
            certificate = one_leaf(cov, witness, upper, pair.point, k=m)
            rows.append(_row(cov, m, None, witness, "kkt", certificate, tol))
    is_interrupted = is_interrupted or any(m not in found or found[m].status == "interrupted" for m in unproved)
    return Path(tuple(rows), "k", tol, is_interrupted)


def _over_cardinalities(
    cov: Covariance,
    cardinalities: list[int],
    tol: float,
    relaxation: str,
    time_limit: float | None,
    rng: np.random.Generator | None,
) -> Path:
    steps, _ = steps_up_to(relaxation)
    deadline = Deadline.after(time_limit)
    candidates, is_interrupted = _candidates(cov, cardinalities, rng, deadline)
    try:
        cheap_ones = "kkt" in steps and not is_interrupted
        pairs = _pairs(cov, cardinalities, candidates, deadline) if cheap_ones else []
    except KeyboardInterrupt:
        pairs, is_interrupted = [], True
    cheap = {id(pair.point) for pair in pairs}

    def proofs_of_rows() -> Iterator[Proven]:
        for m, found in followed(list(zip(cardinalities, candidates, strict=False)), "row"):
            known = _least(escalate(cov.alone, m, [found], steps=["spectral"]), pairs, cheap)
            if is_interrupted:  # what costs nothing is still done for the components that were found
                yield Proven(known, found)
                continue
            left = deadline.left
            proof = prove(cov, m, [found], relaxation=relaxation, tol=tol / 2, time_limit=left, known=known)
            if proof.bound.relaxation == "psi" and isinstance(proof.bound.dual, PsiPoint):
                pairs.append(priced(cov.alone, proof.bound.dual))
            yield proof
            if proof.is_interrupted:
                return

    proofs, is_stopped = until_interrupted(proofs_of_rows())
    is_interrupted = is_interrupted or is_stopped or proofs[-1].is_interrupted
    rows = []
    for proof in proofs:
        # A point found for a later cardinality may be better for this one.
        bound = _least(proof.bound, pairs, cheap)
        proof = proof if bound is proof.bound else Proven(bound, proof.best)
        certificate = proof.certificate(cov, proof.best)
        rows.append(_row(cov, bound.k, None, proof.best, bound.relaxation, certificate, tol))
    return Path(tuple(rows), "k", tol, is_interrupted)


def _candidates(
    cov: Covariance, cardinalities: list[int], rng: np.random.Generator | None, deadline: Deadline
) -> tuple[list[Candidate], bool]:
    """Return a candidate for every cardinality until Ctrl-C, in parallel where joblib is told to be.

    Half of the time is for them at most: a component without a bound says little.
    """

    def half(parts: int) -> Deadline:
        share = deadline.share(2 * parts)
        return Deadline.after(share)

    count = len(cardinalities)
    with joblib_map(None) as spread:
        # A generator is drawn from in order, so that the result does not depend on the workers.
        if spread is None or rng is not None:
            return until_interrupted(
                best_candidate(cov, m, rng=rng, deadline=half(count - done))
                for done, m in enumerate(followed(cardinalities, "candidate"))
            )
        return spread(_best_until, [(cov, m, half(1)) for m in cardinalities]), False


def _best_until(cov: Covariance, k: int, deadline: Deadline) -> Candidate:
    return best_candidate(cov, k, deadline=deadline)


def _pairs(
    cov: Covariance, cardinalities: list[int], candidates: list[Candidate], deadline: Deadline
) -> list[PricedPoint]:
    return [pair for _, pair in union_bounds(cov.alone, candidates, cardinalities, time_limit=deadline.left)]


def _least(bound: Bound, pairs: Sequence[PricedPoint], cheap: set[int]) -> Bound:
    """Return the bound itself or the best of the shared dual points, if that is lower."""
    if not pairs:
        return bound
    upper, pair = least_bound(pairs, bound.k)
    if upper >= bound.upper:
        return bound
    return Bound(bound.k, upper, "kkt" if id(pair.point) in cheap else "psi", pair.point)


def _over_penalties(
    cov: Covariance,
    penalties: list[float],
    tol: float,
    time_limit: float | None,
    rng: np.random.Generator | None,
) -> Path:
    penalties = [checked_penalty(value) for value in penalties]
    deadline = Deadline.after(time_limit)

    def rows_of_penalties() -> Iterator[PathRow]:
        for rho in followed(penalties, "penalty"):
            found = phi_bounds(cov, rho, tol=tol / 2, time_limit=deadline.left, rng=rng)
            yield _row(cov, found.k, rho, found.candidate, "psi", found.certificate, tol)

    rows, is_interrupted = until_interrupted(rows_of_penalties())
    return Path(tuple(rows), "rho", tol, is_interrupted)


def _searched_penalties(
    cov: Covariance,
    penalties: list[float],
    tol: float,
    deadline: Deadline,
    rng: np.random.Generator | None,
    conditions: Conditions,
) -> Path:
    told: dict[str, Any] = {"include": conditions.include, "exclude": conditions.exclude}

    def results_of_penalties() -> Iterator[Result]:
        for done, rho in enumerate(followed(penalties, "penalty")):
            limit = deadline.share(len(penalties) - done)
            result = solve(cov, rho=rho, gap=tol, time_limit=limit, rng=rng, **told)
            yield result
            if result.status == "interrupted":
                return

    results, is_interrupted = until_interrupted(results_of_penalties())
    rows = []
    for rho, result in zip(penalties, results, strict=False):
        found = result.candidate
        rows.append(_row(cov, found.k, float(rho), found, "search", result.certificate, tol))
    return Path(tuple(rows), "rho", tol, is_interrupted or results[-1].status == "interrupted")


def _row(
    cov: Covariance,
    k: int,
    rho: float | None,
    found: Candidate,
    by: str,
    certificate: Certificate,
    tol: float,
) -> PathRow:
    # What prices are admissible depends on all variables.
    family = DualFamily.of(cov, found) if found.k and cov.eliminated is None else None
    lower, upper = certificate.lower, certificate.upper
    return PathRow(
        k=k,
        rho=rho,
        candidate=found,
        lower=lower,
        upper=upper,
        rho_lo=math.nan if family is None else family.rho_lo,
        rho_hi=math.nan if family is None else family.rho_hi,
        by=by,
        tol=tol,
        certificate=certificate,
    )


def _listed(values: Any, what: str) -> list[Any]:
    listed = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else [values]
    if not listed:
        raise InputError(f"{what} is empty: give at least one value")
    return listed

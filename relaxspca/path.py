"""Components and bounds along a path of cardinalities or of penalties."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from relaxspca.bound import Bound
from relaxspca.candidate import Candidate
from relaxspca.candidates import candidate as best_candidate
from relaxspca.certificate import Certificate, PsiPoint
from relaxspca.certify.bounds import STEPS, escalate
from relaxspca.certify.claim import one_leaf
from relaxspca.certify.dual_family import DualFamily
from relaxspca.certify.kkt import PricedPoint, least_bound, priced, union_bounds
from relaxspca.certify.penalised import checked_penalty, phi_bounds
from relaxspca.covariance import Covariance
from relaxspca.errors import InputError
from relaxspca.path_table import Path, PathRow

__all__ = ["Path", "PathRow", "path"]


def path(
    cov: Covariance,
    *,
    k: int | Iterable[int] | None = None,
    rho: float | Iterable[float] | None = None,
    tol: float = 1e-6,
    relaxation: str = "auto",
    time_limit: float | None = None,
    rng: np.random.Generator | None = None,
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
        The dearest bound to use for a cardinality: "auto" (all), "spectral", "kkt", "psi" or "pairwise".
    time_limit : float, optional
        Seconds for the whole path; rows reached later have the cheap bounds.
    rng : source of randomness for the candidates; None is a fixed seed.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        Both `k` and `rho` are given, one is empty, or a value is out of range.

    Notes
    -----
    A dual point of psi(rho) bounds every cardinality, :math:`v_k\le d+\rho k`. So the closed-form points of
    all supports and those that the solver of psi finds for one k are tried for every other k.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = path(rs.datasets.load_pitprops(), k=range(9, 14), relaxation="psi")
    >>> [row.certified for row in found.rows]
    [True, False, True, True, True]
    """
    if k is not None and rho is not None:
        raise InputError("give k or rho, not both")
    if rho is not None:
        return _over_penalties(cov, _listed(rho, "rho"), tol, time_limit, rng)
    cardinalities = [cov.check_cardinality(m) for m in _listed(range(1, cov.n + 1) if k is None else k, "k")]
    return _over_cardinalities(cov, cardinalities, tol, relaxation, time_limit, rng)


def _over_cardinalities(
    cov: Covariance,
    cardinalities: list[int],
    tol: float,
    relaxation: str,
    time_limit: float | None,
    rng: np.random.Generator | None,
) -> Path:
    deadline = math.inf if time_limit is None else time.monotonic() + time_limit
    candidates = [best_candidate(cov, m, rng=rng) for m in cardinalities]
    bounds = _bounds(cov, cardinalities, candidates, _steps(relaxation), tol / 2, deadline)
    rows = []
    for m, found, bound in zip(cardinalities, candidates, bounds, strict=True):
        certificate = one_leaf(cov, found, bound.upper, bound.dual or bound.relaxation, k=m)
        rows.append(_row(cov, m, None, found, bound.relaxation, certificate, tol))
    return Path(tuple(rows), "k", tol)


def _bounds(
    cov: Covariance,
    cardinalities: list[int],
    candidates: list[Candidate],
    steps: Sequence[str],
    tol: float,
    deadline: float,
) -> list[Bound]:
    """Return a bound for every cardinality; dual points of psi are shared by all."""
    pairs = [pair for _, pair in union_bounds(cov, candidates, cardinalities)] if "kkt" in steps else []
    cheap = {id(pair.point) for pair in pairs}
    bounds = []
    for m, found in zip(cardinalities, candidates, strict=True):
        best = escalate(cov, m, [found], steps=["spectral"])
        if pairs:
            best = min(best, _shared(pairs, m, cheap), key=lambda bound: bound.upper)
        left = deadline - time.monotonic()
        dear = [name for name in steps if name in ("psi", "pairwise")]
        if dear and left > 0 and best.upper > found.value + tol * abs(found.value):
            limit = None if math.isinf(left) else left
            stronger = escalate(cov, m, [found], steps=dear, tol=tol, time_limit=limit)
            best = min(best, stronger, key=lambda bound: bound.upper)
        if best.relaxation == "psi" and isinstance(best.dual, PsiPoint):
            pairs.append(priced(cov, best.dual))
        bounds.append(best)
    if not pairs:
        return bounds
    return [min(bound, _shared(pairs, bound.k, cheap), key=lambda b: b.upper) for bound in bounds]


def _shared(pairs: Sequence[PricedPoint], k: int, cheap: set[int]) -> Bound:
    upper, pair = least_bound(pairs, k)
    return Bound(k, upper, "kkt" if id(pair.point) in cheap else "psi", pair.point)


def _over_penalties(
    cov: Covariance,
    penalties: list[float],
    tol: float,
    time_limit: float | None,
    rng: np.random.Generator | None,
) -> Path:
    penalties = [checked_penalty(value) for value in penalties]
    deadline = math.inf if time_limit is None else time.monotonic() + time_limit
    rows = []
    for rho in penalties:
        left = None if math.isinf(deadline) else max(deadline - time.monotonic(), 0.1)
        found = phi_bounds(cov, rho, tol=tol / 2, time_limit=left, rng=rng)
        used = 0 if found.candidate is None else found.candidate.cardinality
        rows.append(_row(cov, used, rho, found.candidate, "psi", found.certificate, tol))
    return Path(tuple(rows), "rho", tol)


def _row(
    cov: Covariance,
    k: int,
    rho: float | None,
    found: Candidate | None,
    by: str,
    certificate: Certificate,
    tol: float,
) -> PathRow:
    family = None if found is None else DualFamily.of(cov, found)
    lower, upper = certificate.lower, certificate.upper
    return PathRow(
        k=k,
        rho=rho,
        candidate=found,
        lower=lower,
        upper=upper,
        names=() if found is None else tuple(cov.names[i] for i in found.support),
        rho_lo=math.nan if family is None else family.rho_lo,
        rho_hi=math.nan if family is None else family.rho_hi,
        by=by,
        tol=tol,
        certificate=certificate,
    )


def _steps(relaxation: str) -> list[str]:
    names = list(STEPS)
    if relaxation == "auto":
        return names
    if relaxation not in names:
        raise InputError(f"relaxation must be auto or one of {', '.join(names)}, not {relaxation!r}")
    return names[: names.index(relaxation) + 1]


def _listed(values: Any, what: str) -> list[Any]:
    listed = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else [values]
    if not listed:
        raise InputError(f"{what} is empty: give at least one value")
    return listed

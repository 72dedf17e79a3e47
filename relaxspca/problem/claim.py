"""Turn a component, a bound and its dual point into a certificate of one leaf."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.certificate import Certificate, Leaf, Point
from relaxspca.certificate.evidence import POINT_OF_LEAF
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import largest_entry

__all__ = ["leaf_kind", "one_leaf"]

# The checker's arithmetic rounds differently: the claim is wider than the bound by this fraction.
CLAIM_MARGIN = 1e-11


def one_leaf(
    cov: Covariance,
    candidate: Candidate | None,
    upper: float,
    evidence: Point | str,
    *,
    k: int | None = None,
    rho: float | None = None,
) -> Certificate:
    """Return the certificate that `candidate` attains its value and that none exceeds `upper`.

    Parameters
    ----------
    cov : Covariance of n variables.
    candidate : Candidate with at most k variables; None stands for 0 in the penalised problem.
    upper : proved bound (variance).
    evidence : dual point, or "spectral", "trace" or "rowsum".
    k : cardinality of the claim, or
    rho : penalty of the claim (variance).

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> certificate = one_leaf(cov, rs.candidate(cov, 2), 3.0, "spectral", k=2)
    >>> round(certificate.lower, 9), round(certificate.upper, 9)
    (3.0, 3.0)
    """
    lower = 0.0 if candidate is None else candidate.proved_value(cov)
    if candidate is not None and rho is not None:
        lower = math.nextafter(lower - math.nextafter(rho * candidate.k, math.inf), -math.inf)
    point = None if isinstance(evidence, str) else evidence
    kind = evidence if isinstance(evidence, str) else leaf_kind(evidence)
    support = np.zeros(0, dtype=np.int64) if candidate is None else candidate.indices
    scale = float(np.abs(cov.diagonal[support]).sum()) + abs(upper)
    if k is not None:
        scale = max(scale, largest_entry(cov))  # the optimum itself may be 0
    return Certificate(
        n=cov.n,
        names=cov.names,
        matrix=None if cov.is_factored else cov.matrix,
        factor=cov.factor if cov.is_factored else None,
        cardinality=k,
        penalty=rho,
        lower=min(lower, upper),
        upper=upper + CLAIM_MARGIN * scale,
        support=support,
        loadings=np.zeros(cov.n) if candidate is None else candidate.loadings,
        points=() if point is None else (point,),
        tree=(Leaf(kind, None if point is None else 0),),
        made_by="relaxspca",
    )


def leaf_kind(point: Point) -> str:
    """Return the kind of leaf that a dual point is evidence for."""
    return next(kind for kind, wanted in POINT_OF_LEAF.items() if isinstance(point, wanted))

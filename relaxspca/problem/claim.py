"""Build a certificate from a component, an upper bound and the evidence for the bound."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from relaxspca.certificate import Certificate, Leaf, Point, Split
from relaxspca.certificate.evidence import POINT_OF_LEAF
from relaxspca.certificate.others import Others
from relaxspca.certificate.restriction import Restriction
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import largest_entry
from relaxspca.problem.size import Cardinality, Penalty, Size
from relaxspca.problem.slack import slack

__all__ = ["claimed", "leaf_kind", "net_value", "one_leaf"]


def one_leaf(
    cov: Covariance,
    candidate: Candidate | None,
    upper: float,
    evidence: Point | str,
    *,
    k: int | None = None,
    rho: float | None = None,
) -> Certificate:
    """Return the certificate with one leaf: `candidate` attains its value, no component exceeds `upper`.

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
    size = Cardinality(k) if rho is None and k is not None else Penalty(rho or 0.0)
    point = None if isinstance(evidence, str) else evidence
    kind = evidence if isinstance(evidence, str) else leaf_kind(evidence)
    support = np.zeros(0, dtype=np.int64) if candidate is None else candidate.indices
    scale = float(np.abs(cov.diagonal[support]).sum()) + abs(upper)
    if k is not None:
        # The optimum itself may be 0. Trace and row sums read only entries that a support can use.
        usable = [(np.arange(cov.n), k)] if kind in ("trace", "rowsum") else None
        scale = max(scale, largest_entry(cov, usable))
    leaf = Leaf(kind, None if point is None else 0)
    points = () if point is None else (point,)
    found = Candidate.empty(cov) if candidate is None else candidate
    # The nonzero eigenvalues of A'A are those of the smaller product AA'.
    block = (min(cov.n, cov.rank) if cov.is_factored else cov.n) if kind == "spectral" else 0
    claim = upper + slack(scale, n=cov.n, points=points, block=block)
    return claimed(cov, size, found, claim, points, (leaf,), proved=upper, made_by="relaxspca")


def claimed(
    cov: Covariance,
    size: Size,
    candidate: Candidate,
    upper: float,
    points: Sequence[Point],
    tree: Sequence[Split | Leaf],
    *,
    proved: float = math.inf,
    conditions: Conditions = NONE,
    others: Others | None = None,
    restriction: Restriction | None = None,
    made_by: str,
) -> Certificate:
    """Return the certificate of a component as lower bound and a tree whose leaves prove the upper bound.

    Parameters
    ----------
    cov : Covariance of n variables.
    size : the cardinality or penalty of the supports.
    candidate : Candidate of that size.
    upper : the bound claimed, with slack for the roundings of the checker; the lower bound is at most this.
    proved : the bound proved here, without that slack; the lower bound is at most this too.
    conditions : the variables that supports must and must not hold.
    points, tree, others, restriction, made_by : as in `Certificate`.
    """
    return Certificate(
        n=cov.n,
        names=cov.names,
        matrix=None if cov.is_factored else cov.matrix,
        factor=cov.factor if cov.is_factored else None,
        description=cov.description,
        **size.claim,
        lower=min(net_value(cov, size, candidate), upper, proved),
        upper=upper,
        indices=candidate.indices,
        loadings=candidate.loadings,
        points=tuple(points),
        tree=tuple(tree),
        include=conditions.inside,
        exclude=conditions.outside,
        others=others,
        restriction=restriction,
        made_by=made_by,
    )


def net_value(cov: Covariance, size: Size, candidate: Candidate) -> float:
    """Return a proved lower bound on the variance of a component less its penalty."""
    return size.net_lower(candidate.proved_value(cov), candidate.k)


def leaf_kind(point: Point) -> str:
    """Return the kind of leaf whose bound a dual point of this type proves."""
    return next(kind for kind, wanted in POINT_OF_LEAF.items() if isinstance(point, wanted))

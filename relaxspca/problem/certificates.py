"""Build a certificate from a component, an upper bound and the evidence for the bound."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from relaxspca.certificate import (
    Certificate,
    Claim,
    Evidence,
    FactorPoint,
    Leaf,
    Point,
    RowsPoint,
    TreeNode,
    Vector,
    Witness,
)
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import largest_entry
from relaxspca.problem.size import Cardinality, Size
from relaxspca.problem.slack import slack


def one_leaf(
    cov: Covariance, candidate: Candidate, upper: float, evidence: Point | str, *, k: int
) -> Certificate:
    """Return the certificate with one leaf: `candidate` attains its value, no k variables more than `upper`.

    The evidence is a dual point, or "spectral", "trace" or "rowsum".

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> certificate = one_leaf(cov, rs.candidate(cov, 2), 3.0, "spectral", k=2)
    >>> round(certificate.lower, 9), round(certificate.upper, 9)
    (3.0, 3.0)
    """
    kind = evidence if isinstance(evidence, str) else ""
    rule, point = rule_of(kind, None if isinstance(evidence, str) else evidence, cov)
    # The optimum itself may be 0. Trace and row sums read only entries that a support can use.
    usable = [(np.arange(cov.n), k)] if kind in ("trace", "rowsum") else None
    own = float(np.abs(cov.diagonal[candidate.indices]).sum()) + abs(upper)
    scale = max(own, largest_entry(cov, usable))
    leaves = (Leaf(rule, None if point is None else 0),)
    points = () if point is None else (point,)
    # The nonzero eigenvalues of A'A are those of the smaller product AA'.
    block = (min(cov.n, cov.rank) if cov.is_factored else cov.n) if kind == "spectral" else 0
    claim = upper + slack(scale, n=cov.n, points=points, block=block)
    return claimed(cov, Cardinality(k), candidate, claim, points, leaves, proved=upper, made_by="relaxspca")


def claimed(
    cov: Covariance,
    size: Size,
    candidate: Candidate,
    upper: float,
    points: Sequence[Point],
    tree: Sequence[TreeNode],
    *,
    proved: float = math.inf,
    conditions: Conditions = NONE,
    vectors: Array | None = None,
    made_by: str,
    **claim_fields: Any,
) -> Certificate:
    """Return the certificate of a component as lower bound and a tree whose leaves prove the upper bound.

    `upper` is the bound claimed, with slack for the roundings of the checker, and `proved` the one without it;
    the lower bound is at most either. `claim_fields` is what else the `Claim` says.
    """
    T = candidate.indices
    return Certificate(
        subject=cov.subject,
        claim=Claim(
            kind="component",
            **size.claim,
            lower=min(net_value(cov, size, candidate), upper, proved),
            upper=upper,
            include=conditions.inside,
            exclude=conditions.outside,
            **claim_fields,
        ),
        witness=Witness((Vector(T, candidate.loadings[T]),), vectors),
        evidence=Evidence(points=tuple(points), tree=tuple(tree)),
        made_by=made_by,
    )


def changed(certificate: Certificate, **fields: Any) -> Certificate:
    """Return a certificate with other fields, of whichever of its parts has a field of the name.

    Examples
    --------
    >>> import relaxspca as rs
    >>> certificate = rs.solve(rs.Covariance([[2.0, 1.0], [1.0, 2.0]]), 1).certificate
    >>> changed(certificate, upper=9.0).upper
    9.0
    """
    parts: dict[str, Any] = {}
    for part in dataclasses.fields(certificate):
        held = getattr(certificate, part.name)
        if part.name not in fields and dataclasses.is_dataclass(held):
            own = {field.name for field in dataclasses.fields(held)} & {*fields}
            parts[part.name] = dataclasses.replace(held, **{name: fields.pop(name) for name in own})  # type: ignore[type-var]
    return dataclasses.replace(certificate, **parts, **fields)


def net_value(cov: Covariance, size: Size, candidate: Candidate) -> float:
    """Return a proved lower bound on the variance of a component less its penalty."""
    return size.net_lower(candidate.proved_value(cov), candidate.k)


def rule_of(kind: str, point: Point | None, cov: Covariance) -> tuple[str, Point | None]:
    """Return the leaf rule of the file, and its point, for a kind of `Proof`.

    "perron" and weighted row sums are the rule *rows* with their point. "spectral", "support" and "void" are
    *rows* without one: the checker takes lambda_max of the block of the node, or sees that it has no support.
    Row sums without a point have the weights 1. Where Sigma + d I is semidefinite, the trace and (k - 1) d are
    no less than the row sums with the roots of Sigma_ii + d as weights, since |Sigma_ij| is at most the product
    of two of these.
    """
    if kind in ("rowsum", "trace") and point is None:
        weights = np.ones(cov.n)
        if kind == "trace":
            depth = 0.0 if cov.is_factored else cov.negative_part
            roots = np.sqrt(np.maximum(cov.diagonal + depth, 0.0))
            weights = np.maximum(roots, 1e-9 * roots.max(initial=0.0))
        return "rows", RowsPoint(np.arange(cov.n), weights=np.where(weights > 0, weights, 1.0))
    if isinstance(point, FactorPoint):
        return "factor", point
    return ("collatz" if kind == "collatz" else "rows"), point

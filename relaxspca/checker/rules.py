"""Bound every support of a leaf by the rules of SPEC.md, section 7, but for *rows*, which is in `core`.

Each rule yields upper bounds on lambda_max(M_TT), the cheap one first, in either arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate import Certificate, Leaf
from relaxspca.checker.blocks import norm
from relaxspca.checker.exact import below
from relaxspca.checker.family import Defect, Family, Parts
from relaxspca.checker.verdict import MOST_REASONS

if TYPE_CHECKING:
    from relaxspca.checker.core import Core


def factor(core: Core, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield lambda_max(sum of v v') + rho k + charges, then with only F, and a a' for the forced."""
    at: Any = leaf.point
    point, here, arithmetic = core.points[at], core.located(at, family), core.arithmetic
    J, F = list(here.inside), here.free
    if at not in core.factored:
        core.factored[at] = _factored(core, at)
    A, lambda0, residual, charges = core.factored[at]

    def bound(value: Any, parts: Parts) -> Any:
        count = sum(taken for _, taken in parts)
        largest = [np.sort(charges[list(free)])[len(free) - taken :] for free, taken in parts if taken > 0]
        paid = arithmetic.total(np.concatenate(largest)) if largest else arithmetic.zero
        return arithmetic.total([value, *[point.rho] * count, paid, residual, -point.shift])

    yield bound(lambda0, [(J + F, here.size)])
    B = np.concatenate([A[:, J], point.vectors[:, F]], axis=1)
    yield bound(core.gram_eigenvalue(arithmetic.array(B)), here.parts)


def _factored(core: Core, at: int) -> tuple[Any, Any, Any, Any]:
    """Return (A, lambda_max(V V'), residual norm, charges) of a factor point; A as floats."""
    point, arithmetic = core.points[at], core.arithmetic
    residual, A = arithmetic.zero, point.factor
    if A is not None:
        shift = arithmetic.array(np.diag(np.full(A.shape[1], point.shift)))
        E = core.block(point.variables) + shift - arithmetic.array(A).T @ arithmetic.array(A)
        residual = norm(arithmetic, E)
    else:
        A = core.certificate.factor[:, point.variables]
    charges = _charges(arithmetic, A, point.vectors, point.rho)
    return A, core.gram_eigenvalue(arithmetic.array(point.vectors)), residual, charges


def _charges(arithmetic: Any, A: Any, V: Any, rho: float) -> Any:
    """Return the least s_i >= 0 (rounded up) with v_i v_i' + (rho + s_i) I >= a_i a_i'.

    lambda_max(a a' - v v') is the positive root (p + sqrt(p^2 + 4 D)) / 2 with p = |a|^2 - |v|^2 and
    the Gram determinant D = |a|^2 |v|^2 - (a'v)^2, or 0. D is unchanged when a multiple t a is taken
    off v; with w what is then left, D <= |a|^2 |w|^2, which does not cancel. Any t is valid.
    """
    t = (A * V).sum(axis=0) / (A * A).sum(axis=0)
    t = arithmetic.array(np.where(np.isfinite(t), t, 0.0))
    A, V = arithmetic.array(A), arithmetic.array(V)
    w = V - A * t[None, :]
    a2, v2, w2 = ((x * x).sum(axis=0) for x in (A, V, w))
    p = a2 - v2
    roots = arithmetic.array(arithmetic.sqrt_upper(p * p + arithmetic.array(4) * a2 * w2))
    excess = arithmetic.upper((p + roots) * arithmetic.array(0.5) - arithmetic.array(rho))
    return np.maximum(excess, arithmetic.zero)


def collatz(core: Core, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield the largest (Mw)_i / w_i, w > 0 on variables forced in, where Mw <= 0 on all others."""
    at: Any = leaf.point
    point, arithmetic = core.points[at], core.arithmetic
    W = point.variables.tolist()
    if not W or not set(W) <= set(family.inside):
        raise Defect(f"point {at} has to weigh variables that are forced in, and no others")
    rest = [i for i in (*family.inside, *family.free) if i not in set(W)]
    w, S = arithmetic.array(point.weights), core.certificate.matrix
    if S is not None:
        image = core.matrix[np.ix_(W + rest, W)] @ w
        rest_is_negative = (S[np.ix_(rest, W)] <= 0).all(axis=1)  # then no sum needs to be rounded
    else:
        image = core.factor[:, W + rest].T @ (core.factor[:, W] @ w)
        rest_is_negative = np.zeros(len(rest), dtype=bool)
    is_positive = (arithmetic.upper(image)[len(W) :] > 0) & ~rest_is_negative
    if is_positive.any():
        found = np.array(rest)[is_positive.astype(bool)].tolist()
        raise Defect(f"point {at}: Mw is not proved to be at most 0 at {found[:5]}")
    yield max(arithmetic.quotient_upper(image[: len(W)], w))


def listed(core: Core, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield minus infinity when the only support of the leaf is listed: its bounds are checked apart."""
    support, found = sorted([*family.inside, *family.free]), core.certificate.claim.listed
    if not family.is_single:
        raise Defect(f"a listed leaf has more than one support of size {family.size}")
    if found is None or found.place(support) is None:
        raise Defect(f"a listed leaf has the support {support}, which is not listed")
    yield -math.inf


RULES = {"factor": factor, "collatz": collatz, "listed": listed}


def over_listed(certificate: Certificate, on_listed: Any, contradictions: list[str], reasons: list[str]) -> Any:
    """Return the largest of the bounds proved for the supports listed; say which claims are not proved."""
    (attained, proved), worst, short = on_listed, -math.inf, list[str]()
    listed, loadings = certificate.claim.listed, certificate.witness.listed
    assert listed is not None
    assert loadings is not None
    for at, support in enumerate(listed.supports):
        value, upper = attained(support, loadings[at]), float(listed.upper[at])
        if value < float(listed.lower[at]):
            short.append(f"listed support {at}: its vector attains only {below(value)}")
        if value > min(upper, certificate.upper):
            contradictions.append(f"listed support {at} attains {below(value)}, above what is claimed")
        bound = proved(support.tolist(), upper)
        if bound > upper:
            short.append(f"listed support {at}: the claimed bound is not proved")
        worst = max(worst, bound if bound <= certificate.upper else proved(support.tolist(), certificate.upper))
    reasons += short[:MOST_REASONS]
    if len(short) > MOST_REASONS:
        reasons.append(f"{len(short) - MOST_REASONS} more bounds of supports listed are not proved")
    return worst

"""Bound every support of a leaf, rule by rule as in ``certificates/SPEC.md``, section 7.

A leaf stands for a `Family` of supports T with J <= T <= J + F: J is forced in, F is free. Each rule yields
upper bounds on lambda_max(M_TT), the cheap one first, in either arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate import Leaf
from relaxspca.checker.defect import Defect
from relaxspca.checker.family import Family, Parts
from relaxspca.checker.restrict import charges
from relaxspca.checker.rows import charges_of

if TYPE_CHECKING:
    from relaxspca.checker.core import Core

WIDE, MOST_ROWS = 4096, 2**14  # variables of a point; and of one with P and N


def rows(core: Core, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield lambda_max(M) without a point; the largest row charge; or lambda_max(M - P + Diag c)."""
    at: Any = leaf.point
    if at is None:
        yield core.eigenvalue(family)
        return
    here = core.located(at, family)
    if core.points[at].P is not None:
        M = core.paid_rows(at)
        yield M.eigenvalue((), here.whole, True)
        yield M.eigenvalue(here.inside, here.parts, True)
        yield M.eigenvalue(here.inside, here.parts)
    elif len(core.points[at].variables) > WIDE:  # its matrix is never whole in memory
        found = charges(core, at, family)
        yield max(charge.max() for _, _, charge, _ in found)
    else:
        labels = None if core.labels is None else core.labels[core.points[at].variables]
        yield max(charges_of(core.arithmetic, core.sizes(at), here.inside, here.parts, labels))


def factor(core: Core, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield lambda_max(sum of v v') + rho k + charges, then with only F, and a a' for the forced."""
    at: Any = leaf.point
    point, here, arithmetic = core.points[at], core.located(at, family), core.arithmetic
    J, F = list(here.inside), here.free
    A, lambda0, residual, charges = core.factored(at)

    def bound(value: Any, parts: Parts) -> Any:
        count = sum(taken for _, taken in parts)
        largest = [np.sort(charges[list(free)])[len(free) - taken :] for free, taken in parts if taken > 0]
        paid = arithmetic.total(np.concatenate(largest)) if largest else arithmetic.zero
        return arithmetic.total([value, *[point.rho] * count, paid, residual, -point.shift])

    yield bound(lambda0, [(J + F, here.size)])
    B = np.concatenate([A[:, J], point.vectors[:, F]], axis=1)
    yield bound(core.gram_eigenvalue(arithmetic.array(B)), here.parts)


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


RULES: dict[str, Callable[[Any, Leaf, Family], Iterator[Any]]] = {
    "rows": rows,
    "factor": factor,
    "collatz": collatz,
    "listed": listed,
}

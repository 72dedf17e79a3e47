"""Several components proved together: separate, disjoint or common supports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.certificate import Certificate
from relaxspca.errors import InputError, in_line
from relaxspca.numerics.linalg import FEW, Indices, as_array
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.shape import Shape
from relaxspca.results.components import JointComponents
from relaxspca.results.status import Status
from relaxspca.search.limits import SearchLimits
from relaxspca.search.several.certificate import in_whole, table_certificate
from relaxspca.search.several.incumbent import single_set
from relaxspca.search.several.large import prove_large_table
from relaxspca.search.several.run import Proved, prove_table
from relaxspca.tasks.table_fields import table_fields

LARGEST = 2000  # variables up to which bounds of several components take the whole matrix, again and again


def joint_components(
    cov: Covariance,
    sizes: Sequence[int],
    *,
    disjoint: bool = False,
    conditions: Sequence[Conditions] = (),
    gap: float = 0.0,
    limits: SearchLimits,
) -> JointComponents:
    """Find and prove the best set of orthonormal components of given sizes, from 1 to n.

    Each component has conditions of its own, but all exclude the same variables. With `disjoint` no variable is
    used twice.
    """
    cov.check_complete("a set of components")
    whole, conditions = cov, conditions or (NONE,) * len(sizes)
    kept = conditions[0].node(cov.n).variables
    if len(kept) < cov.n:
        cov = cov.restrict(kept.tolist())
    forced = [tuple(np.searchsorted(kept, one.include).tolist()) for one in conditions]
    # Equal sizes stand beside each other, so that their order can be left open.
    order = sorted(range(len(sizes)), key=lambda t: (-sizes[t], forced[t]))
    ranked = tuple(min(int(sizes[t]), cov.n) for t in order)
    inside = tuple(forced[t] for t in order) if any(forced) else ()
    shape = Shape.disjoint(ranked, cov.n, inside) if disjoint else Shape(ranked, forced=inside)
    if len(sizes) > cov.n or (inside and single_set(cov, shape) is None):
        raise InputError("the conditions leave too few variables for so many orthogonal components")
    if cov.n > FEW and not shape.is_at_most and not shape.forced:
        proved, certificate = prove_large_table(cov, shape, gap=gap, limits=limits)
    else:
        proved, certificate = _proved_table(cov, shape, gap, limits)
    # Columns of one size and conditions change places: the component of largest variance is the first.
    ranked_as, values = [(sizes[t], forced[t]) for t in order], proved.table.values
    by_value = sorted(range(len(order)), key=lambda t: (ranked_as.index(ranked_as[t]), -values[t]))
    column = dict(zip(order, by_value, strict=True))
    place = [column[component] for component in range(len(order))]
    kind = "disjoint" if disjoint else "orthogonal"
    if certificate is not None and cov is not whole:
        certificate = in_whole(certificate, whole, kept)
    meant = _meant(conditions, whole.names)
    fields = {"sizes": tuple(sizes), "kind": kind, "meant": meant, "seconds": limits.deadline.elapsed}
    found = _in_order(whole, _in_whole(proved, kept, whole.n), certificate, place, **fields)
    if any(conditions) or disjoint or set(sizes) != {cov.n} or len(sizes) < cov.n:
        return found
    # Any orthonormal basis explains the trace: the principal components are the one that is expected.
    principal = table_fields(cov, leading_eigenpairs(cov, cov.n)[1])
    return replace(found, **principal, supports=(cov.names,) * cov.n)


def common_support(
    cov: Covariance, k: int, r: int, *, gap: float = 0.0, limits: SearchLimits
) -> JointComponents:
    """Find and prove the k variables whose r leading eigenvalues have the largest sum; r is 2 to k."""
    cov.check_complete("a set of components", most=LARGEST)
    if not 2 <= r <= k:
        raise InputError(f"n_components must lie in 2..{k}, as all are on the same {k} variables, not {r}")
    proved, certificate = _proved_table(cov, Shape((k,), copies=r), gap, limits)
    fields = {"sizes": (k,) * r, "kind": "common", "seconds": limits.deadline.elapsed}
    return _in_order(cov, proved, certificate, range(r), **fields)


def _meant(conditions: Sequence[Conditions], names: Sequence[str]) -> str:
    """Return the conditions in words."""
    first = conditions[0]
    if all(one == first for one in conditions):
        return first.words(names)
    parts = [
        f"{in_line([names[i] for i in one.include])} included in component {t + 1}"
        for t, one in enumerate(conditions)
        if one.include
    ]
    parts.append(replace(first, include=()).words(names))
    return ", ".join(part for part in parts if part)


def _in_whole(proved: Proved, kept: Indices, n: int) -> Proved:
    """Return a proof about a block of variables as one about components of all n."""
    table = proved.table
    loadings, given = np.zeros((2, n, len(table.values)))
    loadings[kept], given[kept] = table.loadings, table.given
    supports = tuple(kept[T] for T in table.supports)
    moved = replace(table, supports=supports, loadings=as_array(loadings), given=as_array(given))
    return replace(proved, table=moved)


def _proved_table(cov: Covariance, shape: Shape, gap: float, limits: SearchLimits) -> tuple[Proved, Any]:
    """Return a proof and its certificate; after Ctrl-C None, and the proof as interrupted: its bounds hold."""
    proved = prove_table(cov, shape, gap=gap, limits=limits)
    try:
        return proved, table_certificate(cov, proved)
    except KeyboardInterrupt:
        return replace(proved, stopped=Status.INTERRUPTED), None


def _in_order(
    cov: Covariance, proved: Proved, certificate: Certificate | None, place: Sequence[int], **fields: Any
) -> JointComponents:
    """Return proved components in the order that was asked for, the certificate of their bounds, and fields."""
    table, upper, status = proved.table, proved.upper, proved.status
    if certificate is not None:
        upper = certificate.upper
        status = replace(proved, upper=upper, slack=max(upper - proved.upper, 0.0)).status
    elif proved.stopped is Status.INTERRUPTED:  # nothing is optimal without a certificate
        status = Status.INTERRUPTED
    X = table.loadings[:, place]
    return JointComponents(
        **table_fields(cov, X),
        **fields,
        supports=tuple(tuple(cov.names[i] for i in table.supports[t]) for t in place),
        lower=proved.lower,
        upper=upper,
        status=status,
        root=max(proved.root, upper),
        node_count=proved.node_count,
        history=proved.history,
        certificate=certificate,
    )

"""See that what a certificate says of several components fits together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from relaxspca.certificate.evidence import SINGLE, Fewer, RowsPoint, Vector, Witness
from relaxspca.certificate.points import FactorPoint, MultiplierPoint
from relaxspca.certificate.values import Ints, checked_indices, require

if TYPE_CHECKING:
    from relaxspca.certificate.certificate import Certificate
    from relaxspca.certificate.claim import Claim

Point = RowsPoint | FactorPoint | MultiplierPoint
SUPPORTS = ("orthogonal", "disjoint", "common")


def checked_include(claim: Claim) -> tuple[Ints, ...]:
    """Return the variables to include of each part, of a claim whose sizes and supports are seen to fit."""
    sizes, known = claim.sizes, ", ".join(SUPPORTS)
    require(claim.supports in SUPPORTS, f"supports are one of {known}, not {claim.supports!r}"[:300])
    require(len(sizes) >= 1, "there is no cardinality")
    require(all(np.diff(sizes) <= 0), "the cardinalities are not sorted, the largest first")
    if claim.supports == "common":
        require(len({*sizes}) == 1, "components on a common support have one cardinality")
        require(len(sizes) <= sizes[0], f"{sizes[0]} variables have no {len(sizes)} components")
    parts = tuple(checked_indices("include", part) for part in claim.include)
    require(len(parts) in (0, claim.n_parts), f"include has {len(parts)} lists, not {claim.n_parts}")
    return parts if any(len(part) for part in parts) else ()


def check_components(certificate: Certificate) -> None:
    """Raise CertificateError where vectors, points or further evidence do not fit the components."""
    claim, components = certificate.claim, certificate.witness.components
    if claim.supports == "disjoint":
        together = [np.union1d(x.support, J) for x, J in zip(components, claim.forced, strict=True)]
        is_apart = len(np.unique(np.concatenate(together))) == sum(map(len, together))
        require(is_apart, "two disjoint supports have a variable in common, or are to include one")
    if claim.supports == "common":
        is_one = all(np.array_equal(x.support, components[0].support) for x in components)
        require(is_one, "the components are not all on one support")
    for at, point in enumerate(certificate.points):
        if point.kind == "multipliers":
            count, rows = claim.n_parts, point.rows
            require(len(rows) == count, f"point {at} has {len(rows)} entries in rows, not {count}")
            for row in rows:
                certificate._check_use(f"rows of point {at}", row, "rows", "weights")
    for single in certificate.evidence.singles:
        certificate._check_enough(range(certificate.n), single.k)
        for at, node in enumerate(single.tree):
            certificate._check_node(f"node {at} of the single k = {single.k}", node, 1, SINGLE)
    for fewer in certificate.evidence.fewer:
        claim_about(certificate, fewer)  # its parts have to fit together likewise


def claim_about(certificate: Certificate, fewer: Fewer) -> Certificate:
    """Return a claim about some of the components, with the evidence for its upper bound."""
    whole, rest, used = certificate.claim, [*fewer.sizes], list[Vector]()
    for size, component in zip(whole.sizes, certificate.witness.components, strict=True):
        if size in rest:
            rest.remove(size)
            used.append(component)
    is_fewer = not rest and 1 < len(used) < len(whole.sizes) and whole.supports != "common"
    require(is_fewer, f"{fewer.sizes} are not the sizes of some components of the claim, two or more")
    none = np.zeros(0, dtype=np.int64)
    claim = replace(whole, sizes=fewer.sizes, include=none, lower=fewer.upper, upper=fewer.upper)
    return replace(certificate, claim=claim, witness=Witness(tuple(used)), evidence=fewer.evidence)

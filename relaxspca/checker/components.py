"""Check a claim about several components: what they attain, and every leaf (SPEC.md, section 10)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from relaxspca.certificate import Certificate, Fewer, Restrict, claim_about
from relaxspca.checker.choices import ListedChoices
from relaxspca.checker.component import checked
from relaxspca.checker.exact import exact_form
from relaxspca.checker.family import Defect
from relaxspca.checker.multipliers import SeveralEvidence, has_no_supports, may_be_smaller, part_of
from relaxspca.checker.restrict import rows_left
from relaxspca.checker.tree import Case, Sides, bits_of, leaves, members, over_leaves
from relaxspca.checker.verdict import Checked
from relaxspca.checker.witness import attained_together


def check_components(certificate: Certificate, arithmetic: Any) -> Checked:
    """Return what is proved of a claim about several components, in an arithmetic."""
    evidence = SeveralEvidence(certificate, arithmetic)
    return checked(
        certificate,
        lambda: attained_together(certificate, exact_form(certificate)),
        lambda level, reasons: _over_supports(evidence, level, reasons),
        vectors="components attain",
    )


def _over_supports(evidence: SeveralEvidence, limit: float, reasons: list[str]) -> tuple[Any, int]:
    """Return the largest bound proved and the number of leaves; say which bounds are above a limit."""
    cases = leaves_of(evidence.certificate)
    return over_leaves(cases, lambda case: bound_of(evidence, case, limit), limit, reasons)


def leaves_of(certificate: Certificate) -> Iterator[Case]:
    """Yield every leaf, and every node that restricts a part."""
    claim = certificate.claim
    usable = ((1 << certificate.n) - 1) & ~bits_of(claim.exclude)
    root: Sides = tuple((bits_of(J), usable & ~bits_of(J)) for J in claim.forced)
    return leaves(certificate.tree, root, sizes=claim.sizes[: claim.n_parts])


def bound_of(evidence: SeveralEvidence, case: Case, limit: float) -> Any:
    """Return a bound on what the components of a leaf explain; minus infinity where it has no supports.

    Where choices of supports are looked at one by one the bound need not be sharper than a limit.
    """
    certificate, leaf = evidence.certificate, case.node
    is_smaller = may_be_smaller(certificate)
    parts = tuple(part_of(k, side, is_smaller) for k, side in zip(certificate.sizes, case.sides, strict=False))
    if has_no_supports(parts, certificate):
        return -math.inf
    if isinstance(leaf, Restrict):
        if is_smaller:
            raise Defect("a part is restricted where smaller supports count")
        alone = leaf.multipliers is None
        return _restricted(evidence, leaf, case) if alone else evidence.restricted(parts, leaf)
    if leaf.kind == "choices":
        return ListedChoices(evidence, parts, leaf.points, limit).bound()
    return evidence.bound(parts, *leaf.points)


def _restricted(evidence: SeveralEvidence, node: Restrict, case: Case) -> Any:
    """Return a bound on components of which that of a part has a variable that the node leaves out."""
    claim = evidence.certificate.claim
    sizes, copies = claim.sizes[: claim.n_parts], len(claim.sizes) // claim.n_parts
    level = rows_left(evidence.single(sizes[node.part]), node, *map(members, case.sides[node.part]))
    others = tuple(size for t, size in enumerate(sizes) if t != node.part)
    for fewer in evidence.certificate.evidence.fewer:
        if fewer.sizes == others:
            return evidence.arithmetic.total([level, _together(evidence, fewer)])
    return evidence.arithmetic.total([level, *map(evidence.proved, others)] * copies)


def _together(evidence: SeveralEvidence, fewer: Fewer) -> float:
    """Return what fewer components explain together at most, once that is proved."""
    if fewer.sizes not in evidence.together:
        own = SeveralEvidence(claim_about(evidence.certificate, fewer), evidence.arithmetic)
        reasons = list[str]()
        _over_supports(own, fewer.upper, reasons)
        evidence.together[fewer.sizes] = reasons
    if lacking := evidence.together[fewer.sizes]:
        raise Defect(f"about fewer components: {lacking[0]}")
    return fewer.upper

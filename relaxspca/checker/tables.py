"""Check a claim about several components: what its table attains, and every leaf of its tree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from relaxspca.certificate import TableCertificate
from relaxspca.checker.against import compare
from relaxspca.checker.arithmetic import arithmetic_for
from relaxspca.checker.multipliers import TableEvidence, table_bound
from relaxspca.checker.orthogonal import NotAttained
from relaxspca.checker.parts import table_leaves
from relaxspca.checker.tree import over_leaves
from relaxspca.checker.verdict import Verdict, below, contradicting, verdict_on
from relaxspca.checker.witness import attained_together, exact_block


def verify_table(certificate: TableCertificate, exact: bool | None, against: Any) -> Verdict:
    """Check a claim about several components; the parameters are those of `verify`."""
    arithmetic, reasons = arithmetic_for(certificate, exact), list[str]()
    with np.errstate(all="ignore"):
        lower: Any = -math.inf
        try:
            lower = attained_together(certificate, exact_block(certificate))
            if lower < certificate.lower:
                reasons.append(f"the table attains only {below(lower)}, below the claimed lower bound")
        except NotAttained as why:
            reasons.append(str(why))
        evidence = TableEvidence(certificate, arithmetic)
        upper, count = _over_tables(evidence, certificate.upper, reasons)
        least = math.nextafter(certificate.lower, -math.inf)
        if lower < certificate.lower and math.isfinite(least):
            upper = min(upper, _over_tables(evidence, least, [])[0])
        compared = None if against is None else compare(certificate, against, arithmetic, lower, upper)
    wrong = contradicting(certificate, lower, upper), reasons
    return verdict_on(certificate, arithmetic, (lower, upper, count), wrong, compared, about="table")


def _over_tables(evidence: TableEvidence, limit: float, reasons: list[str]) -> tuple[Any, int]:
    """Return the largest bound proved and the number of leaves; say which bounds are above a limit."""
    cases = table_leaves(evidence.certificate)
    return over_leaves(cases, lambda case: table_bound(evidence, case, limit), limit, reasons)

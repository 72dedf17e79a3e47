"""Check a claim about several components: what its table attains, and every leaf of its tree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from relaxspca.certificate import TableCertificate
from relaxspca.checker.against import compare
from relaxspca.checker.checker import Verdict, arithmetic_for, contradicting, over_leaves, verdict_on
from relaxspca.checker.others import below
from relaxspca.checker.parts import table_leaves
from relaxspca.checker.prices import TableEvidence, table_bound
from relaxspca.checker.witness import attained_together, exact_block


def verify_table(certificate: TableCertificate, exact: bool | None, against: Any) -> Verdict:
    """Check a claim about several components; the parameters are those of `verify`."""
    arithmetic, reasons, compared = arithmetic_for(certificate, exact), list[str](), None
    with np.errstate(all="ignore"):
        attained = attained_together(certificate, exact_block(certificate))
        lower: Any = -math.inf if attained is None else attained
        if attained is None:
            reasons.append("the components cannot be made orthogonal inside their supports: one becomes 0")
        elif lower < certificate.lower:
            reasons.append(f"the table attains only {below(lower)}, below the claimed lower bound")
        evidence, cases = TableEvidence(certificate, arithmetic), table_leaves(certificate)
        upper, count = over_leaves(cases, lambda case: table_bound(evidence, case), certificate.upper, reasons)
        if against is not None:
            try:
                compared = compare(certificate, against, arithmetic, lower, upper)
            except MemoryError as error:
                reasons.append(str(error))
    wrong = contradicting(certificate, lower, upper), reasons
    return verdict_on(certificate, arithmetic, (lower, upper, count), wrong, compared, about="table")

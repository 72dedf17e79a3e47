"""Check a claim about several components: what its table attains, and every leaf of its tree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from relaxspca.certificate import TableCertificate, table_statement
from relaxspca.checker.against import compare
from relaxspca.checker.checker import MOST_REASONS, Outcome, Verdict, arithmetic_for
from relaxspca.checker.environment import floating_environment
from relaxspca.checker.exact import float_above, float_below
from relaxspca.checker.others import above, below
from relaxspca.checker.parts import table_leaves
from relaxspca.checker.prices import TableEvidence, table_bound
from relaxspca.checker.tree import Defect
from relaxspca.checker.witness import attained_together, exact_block


def verify_table(certificate: TableCertificate, exact: bool | None, against: Any) -> Verdict:
    """Check a claim about several components; the parameters are those of `verify`."""
    environment, faults = floating_environment()
    arithmetic, reasons, contradictions = arithmetic_for(certificate, exact), list[str](), list[str]()
    compared = None
    with np.errstate(all="ignore"):
        attained = attained_together(certificate, exact_block(certificate))
        lower: Any = -math.inf if attained is None else attained
        if attained is None:
            reasons.append("the components cannot be made orthogonal inside their supports: one becomes 0")
        elif lower < certificate.lower:
            reasons.append(f"the table attains only {below(lower)}, below the claimed lower bound")
        upper, count = _upper(certificate, arithmetic, reasons)
        if against is not None:
            try:
                compared = compare(certificate, against, arithmetic, lower, upper)
            except MemoryError as error:
                reasons.append(str(error))
    if lower > certificate.upper:
        contradictions.append(f"the optimum is at least {below(lower)}, above the claimed upper bound")
    if upper < certificate.lower:
        contradictions.append(f"the optimum is at most {above(upper)}, below the claimed lower bound")
    if compared is not None:
        (contradictions if compared.is_false else reasons).extend(compared.reasons)
    outcome = Outcome.REFUTED if contradictions else Outcome.INCONCLUSIVE if reasons else Outcome.VERIFIED
    return Verdict(
        Outcome.INCONCLUSIVE if faults else outcome,
        certificate.claim,
        tuple(faults + contradictions + reasons),
        arithmetic.name,
        float_below(lower),
        float_above(upper),
        count,
        table_statement.words(certificate),
        table_statement.conditions(certificate),
        compared,
        environment,
        about="table",
    )


def _upper(certificate: TableCertificate, arithmetic: Any, reasons: list[str]) -> tuple[Any, int]:
    evidence, worst, count = TableEvidence(certificate, arithmetic), -math.inf, 0
    try:
        for case in table_leaves(certificate):
            count += 1
            try:
                bound = table_bound(evidence, case)
                if bound > certificate.upper:
                    found = f"its {case.leaf.kind} bound is {above(bound)}"
                    reasons.append(f"node {case.index}: {found}, above the claimed upper bound")
            except (Defect, MemoryError) as defect:
                bound = math.inf
                reasons.append(f"node {case.index}: {defect}")
            worst = max(worst, bound)
            if len(reasons) >= MOST_REASONS:
                raise Defect("there may be more: the check stopped here")
    except (Defect, MemoryError) as defect:
        worst = math.inf
        reasons.append(str(defect))
    return worst, count

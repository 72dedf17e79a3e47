"""What the checker says of a claim: proved, false, or neither, and why."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate import Certificate, Paragraph
from relaxspca.checker.blocks import largest_eigenvalue
from relaxspca.checker.exact import above, float_above, float_below

if TYPE_CHECKING:
    from relaxspca.checker.own_matrix import AgainstMatrix

MOST_REASONS = 10  # that are given, where there may be more
SOUND = "IEEE binary64, rounding to nearest, subnormal numbers kept"


class Outcome(enum.Enum):
    """Outcome of a check; the value says it in words."""

    VERIFIED = "the evidence proves the claim"
    REFUTED = "the claim is false for its own matrix or for yours"
    INCONCLUSIVE = "the evidence does not prove the claim, or not for your matrix"


@dataclass(frozen=True, repr=False)
class Verdict(Paragraph):
    """What the checker proved about one certificate; printed, it says all of it.

    Parameters
    ----------
    outcome : Outcome
    certificate : Certificate
    reasons : tuple of str
        Why it is not verified; empty when it is.
    arithmetic : str
        "exact", "rounded outward" or "not finished".
    proved_lower, proved_upper : float
        The bounds that were proved (variance); `inf` when some support is not covered.
    leaf_count : int
    comparison : AgainstMatrix or None
        What holding it `against` a matrix found.
    environment : str
        How this process computes with doubles.
    proved_others : float or None
        What no support exceeds that is not listed, in a claim that lists some (variance).
    """

    outcome: Outcome
    certificate: Certificate
    reasons: tuple[str, ...]
    arithmetic: str
    proved_lower: float
    proved_upper: float
    leaf_count: int
    comparison: AgainstMatrix | None = None
    environment: str = SOUND
    proved_others: float | None = None

    @property
    def verified(self) -> bool:
        """Whether the evidence proves the claim as stated."""
        return self.outcome is Outcome.VERIFIED

    def __bool__(self) -> bool:
        return self.verified

    @property
    def details(self) -> tuple[str, ...]:
        """Sentences beside the outcome and the reasons."""
        compared = () if self.comparison is None or self.reasons else (self.comparison.note,)
        # A claim about all other sets of variables says in its own words how far they are.
        unique = ("uniqueness is not part of this certificate",) if self.proved_others is None else ()
        how = f"arithmetic: {self.arithmetic}; {self.environment}"
        return (*self.certificate.words, *compared, *self.certificate.conditions, *unique, how)

    def __repr__(self) -> str:
        head = (
            "ANOTHER MATRIX: the certificate is not about yours"
            if explained(self.comparison, self.reasons)
            else f"{self.outcome.name}: {self.outcome.value}"
        )
        return "\n  ".join([head, *self.reasons, *self.details])


@dataclass(frozen=True)
class Checked:
    """What is proved of a claim: bounds, `others` of a list, what is false of it, and what is not proved."""

    lower: Any
    upper: Any
    leaf_count: int
    contradictions: list[str]
    reasons: list[str]
    others: Any = None


def verdict_on(
    certificate: Any, arithmetic: Any, proved: Checked, compared: AgainstMatrix | None = None
) -> Verdict:
    """Return the verdict on what is proved of a claim, and on a comparison."""
    contradictions, reasons = proved.contradictions, proved.reasons
    environment, faults = floating_environment()
    if unmet := unmet_condition(certificate, arithmetic):
        # Perhaps there is no such matrix, and of none nothing is false.
        contradictions, reasons = [], [*reasons, unmet]
        compared = compared and replace(compared, is_false=False)
    if compared is not None:
        (contradictions if compared.is_false else reasons).extend(compared.reasons)
    outcome = Outcome.REFUTED if contradictions else Outcome.INCONCLUSIVE if reasons else Outcome.VERIFIED
    return Verdict(
        Outcome.INCONCLUSIVE if faults else outcome,
        certificate,
        tuple(faults + contradictions + reasons),
        arithmetic.name,
        float_below(proved.lower),
        float_above(proved.upper),
        proved.leaf_count,
        compared,
        environment,
        None if certificate.claim.listed is None else float_above(proved.others),
    )


def explained(compared: AgainstMatrix | None, reasons: tuple[str, ...]) -> bool:
    """Say whether another matrix is all that is amiss."""
    return compared is not None and bool(compared.reasons) and set(reasons) <= set(compared.reasons)


def unmet_condition(of: Any, arithmetic: Any) -> str:
    """Say why perhaps no matrix is meant, if that is so."""
    if of.eliminated is None or of.matrix is None:
        return ""  # A'A has no eigenvalue below 0
    depth = float_above(largest_eigenvalue(arithmetic, -arithmetic.array(of.matrix)))
    reason = f"only no eigenvalue below -{above(depth, 12)} is proved of the block"
    return reason if depth > of.eliminated.shift else ""


def floating_environment() -> tuple[str, list[str]]:
    """Return what the floating-point environment is, in words, and what is wrong with it: the one assumption.

    Old fast-math libraries set a flag of the processor that replaces subnormal numbers by 0, for every library
    of the process; others change the rounding. Numbers are computed in arrays, as the checker computes.
    """
    tiny, normal, one = (np.full(5, x) for x in (2.0**-1074, 2.0**-1022, 1.0))
    flushed = (normal * 0.5 == 0) | (tiny + 0.0 == 0) | (tiny == 0) | (normal[:1] @ (one[:1] * 0.5) == 0)
    above, below = one + 2.0**-53, one + 3 * 2.0**-54
    is_nearest = (above == 1) & (below == 1 + 2.0**-52) & (-above == -1) & (-one - 3 * 2.0**-54 == -below)
    wrong = []
    if flushed.any():
        wrong.append("subnormal numbers are replaced by 0 in this process")
    if not is_nearest.all():
        wrong.append("sums are not rounded to nearest in this process")
    advice = "some library has set a flag of the processor: verify in a process that does not load it"
    return (SOUND, []) if not wrong else ("; ".join(wrong), [f"{fault}; {advice}" for fault in wrong])

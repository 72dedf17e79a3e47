"""The checker: decides whether a certificate proves its claim, and shares nothing with what made it.

Read it along ``certificates/SPEC.md``: `checker`, `tree`, `leaves`, `blocks`, two arithmetics, `against`;
then, for several components, `tables`, `parts`, `prices`, `enumerated`, `witness`; for ratios, `ratios`.
"""

from relaxspca.checker.against import AgainstMatrix
from relaxspca.checker.checker import Outcome, Verdict
from relaxspca.checker.claims import verify

__all__ = ["AgainstMatrix", "Outcome", "Verdict", "verify"]

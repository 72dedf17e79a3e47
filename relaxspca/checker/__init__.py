"""The checker: decides whether a certificate proves its claim, and shares nothing with what made it.

Read it along ``certificates/SPEC.md``: `checker`, `tree`, `leaves`, `blocks`, two arithmetics, `against`.
"""

from relaxspca.checker.against import AgainstMatrix
from relaxspca.checker.checker import Outcome, Verdict, verify

__all__ = ["AgainstMatrix", "Outcome", "Verdict", "verify"]

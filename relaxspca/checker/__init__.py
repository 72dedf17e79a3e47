"""The checker: decides whether a certificate proves its claim, and shares nothing with what made it.

Read it along ``certificates/SPEC.md``: `component`, `tree`, `leaves`, `blocks`, two arithmetics, `verdict`,
`against`; then, for several components, `tables`, `parts`, `charges`, `enumerated`, `witness`; for ratios,
`ratios`.
"""

from relaxspca.checker.against import AgainstMatrix
from relaxspca.checker.claims import verify
from relaxspca.checker.verdict import Outcome, Verdict

__all__ = ["AgainstMatrix", "Outcome", "Verdict", "verify"]

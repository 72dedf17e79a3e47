"""The checker: decides whether a certificate proves its claim, and shares nothing with what made it.

Read it along ``certificates/SPEC.md``, after ``certificate/`` (section 4). One component: `claims`,
`component`, `family`, `core`, `reductions` (1, 2), `tree` (6), `rules`, `rows`, `restrict` (7), `blocks`,
`exact`, `rounded` (5), `proved` (3, 8), `verdict`. Ratios (9): `ratio`. Several components (10, 11): `parts`,
`components`, `multipliers`, `choices`, `units`, `witness`. The reader's data (12), which no claim needs:
`own_matrix`, `against`, `against_pencil`.
"""

from relaxspca.checker.claims import verify
from relaxspca.checker.verdict import Outcome, Verdict

__all__ = ["Outcome", "Verdict", "verify"]

"""The checker: decides whether a certificate proves its claim, and shares nothing with what made it.

Read it along ``certificates/SPEC.md``, after ``certificate/`` (section 4). One component: `claims`,
`component`, `family`, `core`, `reductions` (1, 2), `tree` (6), `rules`, `rows`, `restrict` (7), `blocks`,
`exact`, `rounded` (5), `witness` (11), `supports` (8), `verdict` (3). Ratios (9): `ratio`. Several
components (10): `parts`, `components`, `multipliers`, `beside`, `choices`, `units`, `orthogonality_cut`,
`orthogonal` (11). The reader's data (12): `own_matrix`, `deflations`, `against`, `against_pencil`.
"""

from relaxspca.checker.against import AgainstMatrix
from relaxspca.checker.claims import verify
from relaxspca.checker.verdict import Outcome, Verdict

__all__ = ["AgainstMatrix", "Outcome", "Verdict", "verify"]

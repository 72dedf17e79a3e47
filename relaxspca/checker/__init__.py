"""The checker: decides whether a certificate proves its claim, and shares nothing with what made it.

Read it along ``certificates/SPEC.md``, after ``certificate/`` (section 4). One component: `claims`,
`component`, `family`, `core` (1), `tree` (6), `rows` (7), `blocks`, `exact`, `rounded` (5), `proved` (3, 8),
`verdict`. Imported only where a file needs it: groups, signs, eliminated variables: `reductions` (2); leaves by
other rules, and restrictions: `rules`, `restrict` (7); ratios: `ratio` (9); several components: `parts`,
`components`, `multipliers`, `choices`, `units`, `witness` (10, 11). The reader's data: `own_matrix`, `against`,
`against_pencil` (12).
"""

from relaxspca.checker.claims import verify
from relaxspca.checker.verdict import Outcome, Verdict

__all__ = ["Outcome", "Verdict", "verify"]
